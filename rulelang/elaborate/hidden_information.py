"""Hidden information: which reads of an expression give what the deciding player may not know.

What is not public are the contents (but not the counts) of hidden places, hidden variables, and
the private places and variables of other players.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from rulelang import core
from rulelang.builtins.registry import builtin
from rulelang.core.types import PLAYER
from rulelang.ruleset import Case, Extension, Line, Params, Place, Rule, Ruleset, State

Reader: TypeAlias = core.Expr | tuple[core.Expr, ...] | None
NOBODY = core.Const(-1)  # a reader who is no player

HiddenRead = tuple[str, core.Expr]  # the name of a place or variable, and what reads it
Fixed: TypeAlias = frozenset[tuple[str, core.Const]]  # parameters that stand for a constant
Called: TypeAlias = set[tuple[str, Reader, Fixed]]
"""What is called, the parameter by which it knows the player who decides, and its constants."""


def hidden_reads(
    rules: Ruleset,
    item: object,
    by: Reader,
    called: Called | None = None,
    fixed: Fixed = frozenset(),
) -> Iterator[HiddenRead]:
    """Each read, through all calls, of what the player given by the expression may not know.

    What cards add to a definition, a table or the rules of an event is read with it; `called` is
    filled with what is called. Lines that never count with the constants of a call read nothing.
    """
    called = set() if called is None else called
    for node in core.nodes_in(item):
        if isinstance(node, Case | Line | Rule) and _never(node.cond, fixed):
            continue
        if isinstance(node, Extension):
            added: tuple[Line | Case | Rule, ...] = (*node.lines, *node.cases, *node.rules)
            for part in added:
                own = _as_you(_played_by(rules, node, by), part)
                if not _never(part.cond, fixed):
                    yield from hidden_reads(rules, (node.cond, part), own, called, fixed)
        elif not _is_count(node):
            yield from _own_reads(rules, node, by, called, fixed)
            yield from hidden_reads(rules, tuple(core.children(node)), by, called, fixed)


def reads_hidden(rules: Ruleset, item: object, by: Reader) -> bool:
    """Is anything read that the player may not know?"""
    return any(True for _ in hidden_reads(rules, item, by))


def _is_count(node: core.Node) -> bool:
    """Does it only count what lies in a place? How many pieces lie in a place is always public."""
    return (
        isinstance(node, core.Builtin)
        and builtin(node.name).size_only
        and isinstance(node.args[0], core.Contents)
    )


def _own_reads(
    rules: Ruleset, node: core.Node, by: Reader, called: Called, fixed: Fixed
) -> Iterator[HiddenRead]:
    """What a node reads by itself and by what it calls."""
    if isinstance(node, core.Contents):
        if _is_hidden(rules.places[node.place], node.index, by):
            yield node.place, node
    elif isinstance(node, core.Read):
        if _is_hidden(rules.states[node.state], node.index, by):
            yield node.state, node
    elif isinstance(node, core.Apply) and node.define in rules.definitions:
        known = rules.definitions[node.define]
        yield from _inside(
            rules, _Call("define", node, known.params, known.cases), by, called, fixed
        )
    elif isinstance(node, core.Total) and node.table in rules.tables:
        table = rules.tables[node.table]
        yield from _inside(
            rules, _Call("score", node, table.params, table.lines), by, called, fixed
        )
    elif isinstance(node, core.Accepts) and node.event in rules.events:
        event = rules.events[node.event]
        yield from _inside(
            rules, _Call("rules", node, event.params, event.rules), by, called, fixed
        )
    elif isinstance(node, core.Groups | core.Reach) and node.relation in rules.definitions:
        # between which members it holds is asked of all of them, whoever they belong to
        body = (rules.definitions[node.relation].cases, *_added(rules, "define", node.relation))
        for name, _ in hidden_reads(rules, body, NOBODY, called):
            yield name, node


def _is_hidden(known: Place | State, index: core.Expr | None, by: Reader) -> bool:
    """May a place or variable of this index not be known to the player?"""
    if known.visibility == "hidden":
        return True
    is_private = known.visibility == "private" and known.of == PLAYER
    return is_private and by is not None and not _is_reader(index, by)


@dataclass(frozen=True)
class _Call:
    """A definition, score table or event's rules applied to values."""

    kind: str
    node: core.Apply | core.Total | core.Accepts
    params: Params
    body: object

    @property
    def name(self) -> str:
        """What is called, by its kind and name."""
        match self.node:
            case core.Apply():
                return f"{self.kind} {self.node.define}"
            case core.Total():
                return f"{self.kind} {self.node.table}"
            case core.Accepts():
                return f"{self.kind} {self.node.event}"
            case _:
                assert_never(self.node)

    def reader(self, by: Reader) -> core.Expr:
        """The parameter that the player is given as, or nobody."""
        for (name, t), arg in zip(self.params, self.node.args, strict=True):
            if t == PLAYER and _is_reader(arg, by):
                return core.Var(name)
        return NOBODY

    def constants(self, fixed: Fixed) -> Fixed:
        """The parameters that stand for a constant."""
        known = dict(fixed)
        given: list[tuple[str, core.Const]] = []
        for (name, _), arg in zip(self.params, self.node.args, strict=True):
            value = known.get(arg.name) if isinstance(arg, core.Var) else arg
            if isinstance(value, core.Const):
                given.append((name, value))
        return frozenset(given)


def _inside(
    rules: Ruleset, call: _Call, by: Reader, called: Called, fixed: Fixed
) -> Iterator[HiddenRead]:
    """The hidden reads of what is called, as reads of the call."""
    reader, constants = call.reader(by), call.constants(fixed)
    key = (call.name, reader, constants)
    if key in called:
        return
    called.add(key)
    target = call.name.removeprefix(f"{call.kind} ")
    body = (call.body, *_added(rules, call.kind, target))
    for name, _ in hidden_reads(rules, body, reader, called, constants):
        yield name, call.node


def _never(cond: core.Expr | None, fixed: Fixed) -> bool:
    """Does a condition never hold, since a parameter stands for another constant?"""
    known = dict(fixed)
    return any(
        isinstance(need, core.Compare)
        and need.op == "="
        and isinstance(need.left, core.Var)
        and isinstance(need.right, core.Const)
        and known.get(need.left.name, need.right) != need.right
        for need in (cond.of if isinstance(cond, core.All) else (cond,))
    )


def _added(rules: Ruleset, kind: str, target: str) -> Iterator[Extension]:
    """What cards add to a definition, a table or the rules of an event."""
    return (e for e in rules.extensions if (e.kind, e.target) == (kind, target))


def _played_by(rules: Ruleset, e: Extension, by: Reader) -> Reader:
    """Of what a card adds as it is played, the first player it is about goes by `you` too."""
    if e.lifetime != "played" or not isinstance(by, core.Expr):
        return by
    params: Params = ()
    if e.kind == "rules":
        params = rules.events[e.target].params
    elif e.kind == "score":
        params = rules.tables[e.target].params
    elif e.kind == "define":
        params = rules.definitions[e.target].params
    first = next((name for name, t in params if t == PLAYER), None)
    return (by, core.Var("you")) if first is not None and by == core.Var(first) else by


def _as_you(by: Reader, part: Line | Case | Rule) -> Reader:
    """Of what a card adds for its own player alone, that player goes by `you` too.

    So too where it counts only for a card among values that are given: who gives them knows it.
    """
    you, card = core.Var("you"), core.Var("card")
    needs = part.cond.of if isinstance(part.cond, core.All) else (part.cond,)
    own = any(
        (
            isinstance(n, core.Compare)
            and n.op == "="
            and you in (n.left, n.right)
            and (_is_reader(n.left, by) or _is_reader(n.right, by))
        )
        or (isinstance(n, core.Member) and n.item == card and isinstance(n.of, core.Var))
        for n in needs
    )
    return (by, you) if isinstance(by, core.Expr) and own else by


def _is_reader(index: core.Expr | None, by: Reader) -> bool:
    return index is not None and (index in by if isinstance(by, tuple) else index == by)


class KnownReads(dict[tuple[int, Reader], tuple[core.Expr, tuple[object, ...], list[str]]]):
    """What expressions were found to read, by their ids; they stand beside it, so that no other
    object gets the id."""


class HiddenReads:
    """The hidden things that expressions read, memoised from one compilation to the next.

    A result stands while nothing is added to what the expression calls that was not there before.
    """

    def __init__(self, rules: Ruleset, kept: KnownReads) -> None:
        """The results of earlier compilations are in `kept`."""
        self.rules, self.kept = rules, kept
        self.added: dict[str, list[object]] = {}  # what texts add, by definition or table
        for e in rules.extensions:
            self.added.setdefault(f"{e.kind} {e.target}", []).extend(
                (e.lines, e.cases, e.rules, e.cond)
            )

    def names(self, expr: core.Expr | None, by: Reader) -> list[str]:
        """The places and variables read that the player may not know, each once."""
        if expr is None:
            return []
        kept = self.kept.get((id(expr), by))
        if kept is None or not _very_same(kept[1], self._read(kept[1][0])):
            called: Called = set()
            reads = hidden_reads(self.rules, expr, by, called)
            names = list(dict.fromkeys(name for name, _ in reads))
            kept = self.kept[id(expr), by] = (
                expr,
                self._read(tuple(sorted({name for name, *_ in called}))),
                names,
            )
        return kept[2]

    def _read(self, called: object) -> tuple[object, ...]:
        """What is called, and all that texts add to it."""
        assert isinstance(called, tuple)
        return called, *(part for name in called for part in self.added.get(name, ()))


def _very_same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(a is b for a, b in zip(before[1:], now[1:], strict=True))
