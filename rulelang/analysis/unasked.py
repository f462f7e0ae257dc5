"""Sentences that act on nothing: what they say of a card is asked by no rule, and by no other
sentence that may be about that card.

A sentence may give a value of a definition, such as whether a card is paid for new coverage only.
The value counts where the definition is called. If only sentences call it that speak of the cards
they stand on, it counts for those cards alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from rulelang import core
from rulelang.analysis.calls import callees
from rulelang.core.types import OptionalT, PieceT
from rulelang.ruleset import Extension, Params, Ruleset

Own = frozenset[str]  # names that stand for the card which a sentence stands on


class Unasked:
    """Who calls which definition, among the rules and the texts of cards."""

    def __init__(self, rules: Ruleset, elsewhere: frozenset[str] = frozenset()) -> None:
        """What is named `elsewhere`, as in variants that are not played, may be called there."""
        self.rules, self.elsewhere = rules, elsewhere
        self._above: dict[str, frozenset[str]] = {}

    def is_unasked(self, e: Extension, own: Iterable[Extension]) -> bool:
        """Does nothing ask for a definition's value that a sentence gives?

        `own` are all sentences of the same card.
        """
        if e.kind != "define":
            return False
        above = self.above(e.target)
        if above & self._roots or any(above & _called(o) for o in own if o is not e):
            return False
        bearer = (e.component, e.title)
        others = (o for o in self.rules.extensions if (o.component, o.title) != bearer)
        asking = _Asking(self, e)
        return not any(above & _called(o) and asking.asks(o) for o in others)

    def example(self, e: Extension) -> str | None:
        """A sentence of a card that asks for the value, where both stand on one card."""
        above = self.above(e.target)
        for design in self.rules.designs:
            for number, said in enumerate(design.sentences, 1):
                for other in self._said.get(f"{design.clause}/sentence {number}", ()):
                    if other.target != e.target and above & _called(other):
                        return said
        return None

    def above(self, define: str) -> frozenset[str]:
        """The definition and all that call it by the rules alone, directly or not."""
        if define not in self._above:
            found, waiting = {define}, [define]
            while waiting:
                more = self._callers.get(waiting.pop(), set()) - found
                found |= more
                waiting += more
            self._above[define] = frozenset(found)
        return self._above[define]

    @cached_property
    def _callers(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for known in self.rules.definitions.values():
            for name in _called(known.cases):
                found.setdefault(name, set()).add(known.name)
        return found

    @cached_property
    def _roots(self) -> set[str]:
        """The definitions that the rules call elsewhere than in definitions."""
        rules = self.rules
        parts: list[object] = [
            *(
                part
                for table in (rules.tables, rules.events, rules.procedures, rules.states)
                for part in table.values()
            ),
            *rules.flow,
            *rules.invariants,
            *rules.advice,
            *rules.reactions,
            *rules.latches,
            *rules.endings,
            *rules.ranks,
            *rules.hurdles,
        ]
        drawn = {
            name for board in rules.boards.values() for name in (*board.shows, board.labels or "")
        }
        drawn |= {name for m in rules.maps.values() for name in (*m.links, *m.shows)}
        return _called(parts) | drawn | self.elsewhere

    @cached_property
    def _said(self) -> dict[str, list[Extension]]:
        found: dict[str, list[Extension]] = {}
        for e in self.rules.extensions:
            found.setdefault(e.clause, []).append(e)
        return found


class _Asking:
    """Which sentences of other cards ask for a value that a sentence gives."""

    def __init__(self, graph: Unasked, e: Extension) -> None:
        """A value that holds while its card is in play may be asked for by any."""
        self.graph, self.wanted, self.component = graph, e.target, e.component
        self.of_own = e.lifetime == "played"
        self.seen: set[tuple[str, Own]] = set()

    def asks(self, e: Extension) -> bool:
        """Does a sentence ask for it, perhaps of another card than its own?"""
        own = {"card"}
        if e.lifetime == "played" and e.kind in ("score", "rules", "define"):
            own |= _first(self._params(e), e.component)
        parts = (e.lines, e.rules, e.cases, e.reaction, e.cond, e.body)
        return self._within(parts, frozenset(own))

    def _within(self, item: object, own: Own) -> bool:
        above = self.graph.above(self.wanted)
        return any(
            name in above and self._called(name, node, own)
            for node in core.walk(item)
            for kind, name in callees(node)
            if kind == "define"
        )

    def _called(self, name: str, node: core.Node, own: Own) -> bool:
        """Is it asked for where a node calls a definition?"""
        known = self.graph.rules.definitions[name]
        args = node.args if isinstance(node, core.Apply) else ()
        inner = frozenset(
            param
            for (param, _), arg in zip(known.params, args, strict=False)
            if isinstance(arg, core.Var) and arg.name in own
        )
        if name == self.wanted:
            return not (self.of_own and _first(known.params, self.component) & inner)
        if (name, inner) in self.seen:
            return False
        self.seen.add((name, inner))
        return self._within(known.cases, inner)

    def _params(self, e: Extension) -> Params:
        rules = self.graph.rules
        match e.kind:
            case "score":
                return rules.tables[e.target].params
            case "rules":
                return rules.events[e.target].params
            case _:
                return rules.definitions[e.target].params


def _called(item: object) -> set[str]:
    """The definitions that nodes call by name."""
    return {name for node in core.walk(item) for kind, name in callees(node) if kind == "define"}


def _first(params: Params, component: str) -> set[str]:
    """The first parameter that is a piece of the component."""
    return set([name for name, t in params if _piece(t) == component][:1])


def _piece(t: object) -> str | None:
    t = t.of if isinstance(t, OptionalT) else t
    return t.name if isinstance(t, PieceT) else None
