"""What a definition, table or rule list reads: worked out once, so that what was found stays known until something it reads changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulelang import core
from rulelang.core.types import OptionalT, PieceT, SiteT, element
from rulelang.ruleset import Rule, Ruleset

ANYTHING = "*"
_BEARERS = ("where the cards that bear it are",)
_STILL = {
    "count",
    "sum",
    "largest",
    "smallest",
    "empty",
    "first",
    "last",
    "top",
    "joined",
    "left",
    "right",
    "owner",
    "title",
    "named",
    "missing",
    "pair",
    "compass",
    "turned",
    "least_cost",
    "board",
    "board_of",
}


class Reads:
    """What the clauses of a ruleset read, whatever game is set up with it."""

    def __init__(self, rules: Ruleset) -> None:
        """Nothing is worked out before it is asked for."""
        self.rules = rules
        self.known: dict[tuple[str, str], frozenset[str]] = {}
        self.invariants: tuple[
            Rule, ...
        ] = ()  # those that speak of what changes, so that events are held against them
        self.laws = tuple(rule for rule in rules.invariants if self._lasts(rule))
        self.invariants = tuple(rule for rule in rules.invariants if rule not in self.laws)
        self.known = {}

    def _lasts(self, rule: Rule) -> bool:
        """Does an invariant read nothing but the settings, the pieces there are and boards that do not grow?"""
        grown = any(board.grown_from is not None for board in self.rules.boards.values())
        return set(self._walk([rule.need, rule.cond])) <= (set() if grown else {"tiles"})

    def of(self, kind: str, name: str) -> frozenset[str]:
        """The sources a definition, table or rule list reads, through everything it calls."""
        key = (kind, name)
        if key not in self.known:
            self.known[key] = frozenset([ANYTHING])  # while it is being worked out
            self.known[key] = frozenset(self._all(self._item(kind, name)))
        return self.known[key]

    def _item(self, kind: str, name: str) -> Any:
        added = []
        slots = {"define": "define", "score": "score", "rules": "rules"}[kind]
        for e in self.rules.extensions:
            if e.kind == slots and e.target == name:
                added.append(
                    (e.lines, e.rules, e.cases, e.cond, () if e.lifetime == "played" else _BEARERS)
                )
        if kind == "define":
            return [self.rules.definitions[name].cases, *added]
        if kind == "score":
            return [self.rules.tables[name].lines, *added]
        return [self.rules.events[name].rules, *added]

    def all(self, item: Any) -> frozenset[str]:
        """The sources anything made of expressions reads."""
        return frozenset(self._all(item))

    def _all(self, item: Any) -> set[str]:
        found = set(self._walk(item))
        if self.invariants:
            found.add(ANYTHING)
        return {ANYTHING} if ANYTHING in found else found

    def _walk(self, item: Any) -> Iterator[str]:
        if isinstance(item, tuple | list):
            if item is _BEARERS:
                yield "where"
            for part in item:
                yield from self._walk(part)
            return
        if not isinstance(item, core.Node):
            return
        if isinstance(item, core.Read):
            yield f"state:{item.state}"
        elif isinstance(item, core.Contents):
            yield f"place:{item.place}"
        elif isinstance(item, core.Apply):
            yield from self.of("define", item.define)
        elif isinstance(item, core.Total):
            yield from self.of("score", item.table)
        elif isinstance(item, core.Accepts):
            yield from self.of("rules", item.event)
        elif isinstance(item, core.At):
            yield ANYTHING
        elif isinstance(item, core.Groups | core.Reach):
            yield "tiles"
            if item.relation:
                yield from self.of("define", item.relation)
        elif isinstance(item, core.Builtin):
            yield from self._word(item)
        for child in core.children(item):
            yield from self._walk(child)

    def _word(self, item: core.Builtin) -> Iterator[str]:
        if item.name in _STILL:
            return
        if item.name == "on":
            yield f"layer:{item.args[1].value}"  # type: ignore[attr-defined]
        elif item.name in ("site", "sites", "board_pieces"):
            t: Any = item.args[0].type if item.name != "board_pieces" else element(item.type)
            t = t.of if isinstance(t, OptionalT) else t
            t = element(t) or t
            for board in self.rules.boards.values():
                for layer in board.layers:
                    if not isinstance(t, PieceT) or layer.component == t.name:
                        yield f"layer:{layer.name}"
            yield "tiles"
        elif item.name == "all":
            if isinstance(element(item.type), SiteT):
                yield "tiles"
        elif item.name == "holder":
            yield "where"
        elif item.name == "ever":
            yield ANYTHING
        else:
            yield "tiles"
