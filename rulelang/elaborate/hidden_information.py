"""Hidden information: which reads of an expression give what the deciding player may not know.

What is not public are the contents (but not the counts) of hidden places, hidden variables, and
the private places and variables of other players.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from rulelang import core
from rulelang.builtins.registry import builtin
from rulelang.core.identity import IdentityMap
from rulelang.core.types import PLAYER
from rulelang.ruleset import Case, Extension, Line, Params, Place, Rule, Ruleset, State

Reader: TypeAlias = core.Expr | tuple[core.Expr, ...] | None
NOBODY = core.Const(-1)  # a reader who is no player
_YOU, _CARD = core.Var("you"), core.Var("card")

HiddenRead = tuple[str, core.Expr]  # the name of a place or variable, and what reads it
Fixed: TypeAlias = frozenset[tuple[str, core.Const]]  # parameters that stand for a constant
Called: TypeAlias = set[tuple[str, Reader, Fixed]]
"""What is called, the parameter by which it knows the player who decides, and its constants."""


def hidden_reads(
    rules: Ruleset, item: object, by: Reader, called: Called | None = None
) -> list[HiddenRead]:
    """Each read, through all calls, of what the player given by the expression may not know.

    What cards add to a definition, a table or the rules of an event is read with it; `called` is
    filled with what is called. Lines that never count with the constants of a call read nothing.
    """
    search = _Search(rules, _extensions(rules))
    return search.reads(item, by, set() if called is None else called)


def reads_hidden(rules: Ruleset, item: object, by: Reader) -> bool:
    """Is anything read that the player may not know?"""
    return bool(hidden_reads(rules, item, by))


Added: TypeAlias = dict[tuple[str, str], list[Extension]]
"""What cards add, by its kind and the name of what it is added to."""


def _extensions(rules: Ruleset) -> Added:
    found: Added = {}
    for e in rules.extensions:
        found.setdefault((e.kind, e.target), []).append(e)
    return found


@dataclass(frozen=True)
class _Search:
    """Finds the hidden reads of expressions in one ruleset."""

    rules: Ruleset
    added: Added

    def reads(self, item: object, by: Reader, called: Called) -> list[HiddenRead]:
        """The hidden reads of a node, or of nodes in nested tuples and lists."""
        found: list[HiddenRead] = []
        for node in core.nodes_in(item):
            self._node(node, by, called, frozenset(), found)
        return found

    def _node(
        self, node: core.Node, by: Reader, called: Called, fixed: Fixed, found: list[HiddenRead]
    ) -> None:
        """Add the hidden reads of a node and all inside it."""
        if isinstance(node, Case | Line | Rule) and _never(node.cond, fixed):
            return
        if isinstance(node, Extension):
            added: tuple[Line | Case | Rule, ...] = (*node.lines, *node.cases, *node.rules)
            for part in added:
                own = _as_you(_played_by(self.rules, node, by), part)
                if not _never(part.cond, fixed):
                    if node.cond is not None:
                        self._node(node.cond, own, called, fixed, found)
                    self._node(part, own, called, fixed, found)
        elif not _is_count(node):
            self._own_reads(node, by, called, fixed, found)
            for child in core.children(node):
                self._node(child, by, called, fixed, found)

    def _own_reads(
        self, node: core.Node, by: Reader, called: Called, fixed: Fixed, found: list[HiddenRead]
    ) -> None:
        """Add what a node reads by itself and by what it calls."""
        rules = self.rules
        if isinstance(node, core.Contents):
            if _is_hidden(rules.places[node.place], node.index, by):
                found.append((node.place, node))
        elif isinstance(node, core.Read):
            if _is_hidden(rules.states[node.state], node.index, by):
                found.append((node.state, node))
        elif isinstance(node, core.Apply) and node.define in rules.definitions:
            known = rules.definitions[node.define]
            call = _Call("define", node, known.params, known.cases)
            self._inside(call, by, called, fixed, found)
        elif isinstance(node, core.Total) and node.table in rules.tables:
            table = rules.tables[node.table]
            call = _Call("score", node, table.params, table.lines)
            self._inside(call, by, called, fixed, found)
        elif isinstance(node, core.Accepts) and node.event in rules.events:
            event = rules.events[node.event]
            call = _Call("rules", node, event.params, event.rules)
            self._inside(call, by, called, fixed, found)
        elif isinstance(node, core.Groups | core.Reach) and node.relation in rules.definitions:
            # between which members it holds is asked of all of them, whoever they belong to
            called.add((f"define {node.relation}", None, frozenset()))
            added = self.added.get(("define", node.relation), ())
            body = (rules.definitions[node.relation].cases, *added)
            found += [(name, node) for name, _ in self.reads(body, NOBODY, called)]

    def _inside(
        self, call: _Call, by: Reader, called: Called, fixed: Fixed, found: list[HiddenRead]
    ) -> None:
        """Add the hidden reads of what is called, as reads of the call."""
        reader, constants = call.reader(by), call.constants(fixed)
        key = (f"{call.kind} {call.target}", reader, constants)
        if key in called:
            return
        called.add(key)
        inner: list[HiddenRead] = []
        for part in (*call.body, *self.added.get((call.kind, call.target), ())):
            self._node(part, reader, called, constants, inner)
        found += [(name, call.node) for name, _ in inner]


@dataclass(frozen=True)
class _Names:
    """What a call reads that is hidden, each name once, and all that is called on the way."""

    names: tuple[str, ...]
    called: frozenset[tuple[str, Reader, Fixed]]


@dataclass(frozen=True)
class _NameSearch(_Search):
    """Finds the names of what is read, each call looked into once for all expressions.

    What a call reads is the same wherever it stands, unless it calls itself: nothing is kept any
    more once a circle was met.
    """

    known: dict[tuple[str, Reader, Fixed], _Names] = field(default_factory=dict)
    busy: Called = field(default_factory=set)
    circles: Called = field(default_factory=set)

    def _inside(
        self, call: _Call, by: Reader, called: Called, fixed: Fixed, found: list[HiddenRead]
    ) -> None:
        reader, constants = call.reader(by), call.constants(fixed)
        key = (f"{call.kind} {call.target}", reader, constants)
        if key in self.busy:
            self.circles.add(key)
        elif key not in called:
            known = self.known.get(key) or self._names(call, key)
            called |= known.called
            found += [(name, call.node) for name in known.names]

    def _names(self, call: _Call, key: tuple[str, Reader, Fixed]) -> _Names:
        """What the body of a call reads, given the player who knows it and the constants."""
        _, reader, constants = key
        inner: list[HiddenRead] = []
        below: Called = {key}
        self.busy.add(key)
        for part in (*call.body, *self.added.get((call.kind, call.target), ())):
            self._node(part, reader, below, constants, inner)
        self.busy.remove(key)
        made = _Names(tuple(dict.fromkeys(name for name, _ in inner)), frozenset(below))
        if not self.circles:
            self.known[key] = made
        return made


def _is_count(node: core.Node) -> bool:
    """Does it only count what lies in a place? How many pieces lie in a place is always public."""
    return (
        isinstance(node, core.Builtin)
        and builtin(node.name).size_only
        and isinstance(node.args[0], core.Contents)
    )


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
    body: tuple[core.Node, ...]

    @property
    def target(self) -> str:
        """The name of what is called."""
        match self.node:
            case core.Apply():
                return self.node.define
            case core.Total():
                return self.node.table
            case core.Accepts():
                return self.node.event
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


def _never(cond: core.Expr | None, fixed: Fixed) -> bool:
    """Does a condition never hold, since a parameter stands for another constant?"""
    if not fixed or cond is None:
        return False
    known = dict(fixed)
    return any(
        isinstance(need, core.Compare)
        and need.op == "="
        and isinstance(need.left, core.Var)
        and isinstance(need.right, core.Const)
        and known.get(need.left.name, need.right) != need.right
        for need in (cond.of if isinstance(cond, core.All) else (cond,))
    )


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
    return (by, _YOU) if first is not None and by == core.Var(first) else by


def _as_you(by: Reader, part: Line | Case | Rule) -> Reader:
    """Of what a card adds for its own player alone, that player goes by `you` too.

    So too where it counts only for a card among values that are given: who gives them knows it.
    """
    you, card = _YOU, _CARD
    needs = _all_needed(part.cond)
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


def _all_needed(cond: core.Expr | None) -> tuple[core.Expr | None, ...]:
    """The conditions that must all hold for this one to hold."""
    if not isinstance(cond, core.All):
        return (cond,)
    return tuple(need for part in cond.of for need in _all_needed(part))


def _is_reader(index: core.Expr | None, by: Reader) -> bool:
    return index is not None and (index in by if isinstance(by, tuple) else index == by)


Brought: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""What texts that tell something add to a definition, a table or the rules of an event: the clause
of each sentence, and the sentences of its card."""


@dataclass(frozen=True)
class ReadsOf:
    """The hidden things that an expression reads, what it calls, and what texts add to that."""

    expr: core.Expr
    by: Reader
    called: tuple[str, ...]
    brought: tuple[Brought, ...]
    names: tuple[str, ...]


class KnownReads(IdentityMap[core.Expr, dict[Reader, ReadsOf]]):
    """What expressions of a frame were found to read, for each reader."""

    def enter(self, known: ReadsOf) -> None:
        """Keep what an expression reads."""
        self.setdefault(known.expr, {})[known.by] = known


class HiddenReads:
    """The hidden things that expressions read, memoised from one compilation to the next.

    A result stands while nothing that tells is added to what the expression calls that was not
    there before.
    """

    def __init__(
        self, rules: Ruleset, kept: KnownReads, telling: Iterable[Extension] | None = None
    ) -> None:
        """The results of earlier compilations are in `kept`; what texts add reads nothing hidden,
        through all it calls, but for these that are `telling`, where they are known.
        """
        self.rules, self.kept = rules, kept
        self.search = _Search(rules, _extensions(rules))
        self._names = _NameSearch(rules, self.search.added)
        # those that stand
        self.known: IdentityMap[core.Expr, dict[Reader, list[str]]] = IdentityMap()
        texts = {(d.component, d.title): d.sentences for d in rules.designs}
        found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for e in rules.extensions if telling is None else telling:
            said = e.clause, texts.get((e.component, e.title), ())
            found.setdefault(f"{e.kind} {e.target}", []).append(said)
        self.added = {name: tuple(items) for name, items in found.items()}

    def names(self, expr: core.Expr | None, by: Reader) -> list[str]:
        """The places and variables read that the player may not know, each once."""
        if expr is None:
            return []
        known = self.known.setdefault(expr, {})
        if by in known:
            return known[by]
        kept = (self.kept.get(expr) or {}).get(by)
        if kept is None or kept.brought != self._brought(kept.called):
            calls: Called = set()
            reads = self._names.reads(expr, by, calls)
            names = tuple(dict.fromkeys(name for name, _ in reads))
            called = tuple(sorted({name for name, *_ in calls}))
            kept = ReadsOf(expr, by, called, self._brought(called), names)
            self.kept.enter(kept)
        known[by] = list(kept.names)
        return known[by]

    def _brought(self, called: tuple[str, ...]) -> tuple[Brought, ...]:
        """All that texts add to what is called, as far as it tells anything."""
        return tuple(self.added.get(name, ()) for name in called)
