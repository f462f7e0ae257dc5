"""Checks of a compiled ruleset as a whole.

No definition may be circular, no choice may read what its chooser may not know, no player may
change what is another's while all decide at once, and what a board shows must be showable.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import assert_never

from rulelang import core
from rulelang.analysis.calls import callees
from rulelang.analysis.hiding import Part, Sources, judging, sources_in, telling
from rulelang.analysis.maps import check_maps
from rulelang.analysis.shown_by_offers import check_offers
from rulelang.compiler.compiled import Compiled
from rulelang.compiler.memos import Lasting
from rulelang.core.bounds import MAX_NESTED
from rulelang.core.identity import IdentityMap
from rulelang.core.renaming import same_but_fresh_names
from rulelang.core.types import PLAYER, PieceT, SiteT
from rulelang.diagnostics import Diagnostic, Report
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.elaborate.hidden_information import HiddenReads, KnownReads, hidden_reads
from rulelang.ruleset import (
    Board,
    Clause,
    Definition,
    Event,
    Extension,
    Procedure,
    Reaction,
    Ruleset,
    Table,
)


@dataclass(frozen=True)
class Looked:
    """What a part of the rules needs, how deep it is, and what it reads."""

    needed: set[str]
    depth: int
    sources: Sources


class Needs(Lasting):
    """What was found by looking into the parts of rules."""

    def __init__(self) -> None:
        """Nothing was looked into yet."""
        self.parts: IdentityMap[object, LookedInto] = IdentityMap()  # by what they are parts of


@dataclass(frozen=True)
class LookedInto:
    """The parts of a declaration or of a text, with how deep each is."""

    parts: tuple[Part, ...]
    depths: tuple[tuple[str, int], ...]
    items: tuple[tuple[object, Looked], ...]  # all that was looked into


@dataclass(frozen=True)
class Order:
    """The parts of rules without circles, with their names in an order in which each comes behind
    all that it needs.
    """

    names: tuple[str, ...]
    parts: tuple[Part, ...]


class Found(Lasting):
    """What was found out of the knowledge, the seats and the boards of rules, and what that rests
    on.
    """

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.rests_on: tuple[tuple[object, ...], ...] = ()
        self.clauses: dict[str, Clause] = {}
        self.found: list[Diagnostic] | None = None

    def serves(self, rests_on: tuple[tuple[object, ...], ...], rules: Ruleset) -> bool:
        """Is the same to be found again? Nothing is, wherever the clauses of texts stand."""
        if self.found is None or (self.found and self.clauses != rules.clauses):
            return False
        return len(self.rests_on) == len(rests_on) and all(
            len(one) == len(other) and all(map(_is_same, one, other))
            for one, other in zip(self.rests_on, rests_on, strict=True)
        )


def _is_same(one: object, other: object) -> bool:
    return one is other or same_but_fresh_names(one, other)


def check_ruleset(compiled: Compiled) -> None:
    """Report what only the whole ruleset shows; nothing if its parts have errors."""
    rules, report = compiled.rules, compiled.report
    if not report.usable:
        return
    order = _check_needs(rules, report, compiled.memos.of(Needs))
    if order is None:
        return
    known = compiled.memos.of(Found)
    texts = telling(rules, order.parts, order.names) if order.names else rules.extensions
    rests_on = _rests_on(rules, order, texts)
    if not known.serves(rests_on, rules):
        apart = Report()
        _check_secrets(rules, apart, HiddenReads(rules, compiled.memos.of(KnownReads), texts))
        known.rests_on, known.clauses, known.found = rests_on, {**rules.clauses}, apart.found
    report.found += [item for item in known.found or () if item not in report.found]


_OF_CARDS = frozenset({"designs", "decks", "extensions", "scenarios", "clauses", "added"})


def _rests_on(
    rules: Ruleset, order: Order, texts: Sequence[Extension]
) -> tuple[tuple[object, ...], ...]:
    """All that is known of secrets hangs on: what is no card's, and of texts those that matter.

    What else texts add reads nothing hidden, so what they say of it does not matter.
    """
    given = tuple(_members(held) for name, held in vars(rules).items() if name not in _OF_CARDS)
    if not order.names:  # there is a circle
        return (*given, tuple(texts))
    return (*given, tuple(texts), (judging(rules),))


def _members(held: object) -> tuple[object, ...]:
    """What stands in a part of the rules."""
    match held:
        case dict():
            return (*held, *held.values())
        case list():
            return tuple(held)
        case _:
            return (held,)


def _check_secrets(rules: Ruleset, report: Report, hidden: HiddenReads) -> None:
    """Nobody may learn or change what is not his, nor may a board show it."""
    _check_knowledge(rules, report, hidden)
    check_offers(rules, report, hidden)
    _check_seats(rules, report)
    for board in rules.boards.values():
        _check_shown(rules, report, board)
    check_maps(rules, report)


# ---------------------------------------------------------------------------- what boards show
def _check_shown(rules: Ruleset, report: Report, board: Board) -> None:
    """What a board's cells are labelled by and show must be definitions of a cell.

    What is shown may ask for the player who looks, and read what is private to him.
    """
    for key, names in (("labels", (board.labels,) if board.labels else ()), ("shows", board.shows)):
        clause = rules.clauses.get(f"{board.clause}/{key}") or rules.clauses.get(board.clause)
        for name in names if clause is not None else ():
            assert clause is not None
            _check_shown_definition(rules, report, board, (key, name), clause)


def _check_shown_definition(
    rules: Ruleset, report: Report, board: Board, shown: tuple[str, str], clause: Clause
) -> None:
    key, name = shown
    cell = SiteT(board.name, "cell", dict(board.roles)["cell"])
    known = rules.definitions.get(name)
    if known is None or not _is_of_cell(known, cell, may_ask_player=key == "shows"):
        example = f"`define {name}({cell.name[0]}: {cell.name})`"
        expected = f"a definition of one {cell.name}, as in {example}"
        report.add("bad-setting", clause.span, key=key, expected=expected)
        return
    by = next((core.Var(n) for n, t in known.params if t == PLAYER), core.Const(-1))
    for place in dict.fromkeys(found for found, _ in hidden_reads(rules, known.cases, by)):
        report.add("hidden-knowledge", clause.span, what=f"what is in `{place}`")


def _is_of_cell(known: Definition, cell: SiteT, may_ask_player: bool) -> bool:
    """Has the definition one parameter that is a cell, and perhaps one that is a player?"""
    others = [t for _, t in known.params if t != cell]
    return len(known.params) - len(others) == 1 and (
        not others or (may_ask_player and others == [PLAYER])
    )


# ---------------------------------------------------------------------------- circles
def _needs(item: object) -> set[str]:
    """The parts of the rules that nodes need, as nodes of the dependency graph."""
    found = set[str]()
    for node in core.walk(item):
        found |= {f"{kind} {name}" for kind, name in callees(node)}
        if isinstance(node, core.Accepts):
            found.add(f"rules of {node.event}")
        elif isinstance(node, core.At) and node.event:
            found.add(f"event {node.event}")
            if node.mode != "after":
                found.add(f"rules of {node.event}")
        elif isinstance(node, core.Do):
            found.add(f"do {node.target}")
    return found


_EXTENDED = {  # what an extension of each kind adds to, as a node of the dependency graph
    "define": "define",
    "score": "score",
    "rules": "rules of",
    "reaction": "event",
    "steps": "do",
}


Declared = Definition | Table | Event | Procedure | Reaction | Extension


def _declared(rules: Ruleset) -> Iterator[Declared]:
    """All that has parts of the rules in it, declarations before what texts bring."""
    yield from rules.definitions.values()
    yield from rules.tables.values()
    yield from rules.events.values()
    yield from rules.procedures.values()
    yield from rules.reactions
    yield from rules.extensions


def _parts(of: Declared) -> tuple[tuple[str, tuple[object, ...]], ...]:
    """The parts of the rules that it has: each one's node of the dependency graph, and what is in
    it.
    """
    match of:
        case Definition():
            return ((f"define {of.name}", (of.cases,)),)
        case Table():
            return ((f"score {of.name}", (of.lines,)),)
        case Event():
            return (f"rules of {of.name}", (of.rules,)), (f"event {of.name}", (of.body,))
        case Procedure():
            return ((f"do {of.name}", (of.body, of.guard)),)
        case Reaction():
            return ((f"event {of.event}", (of.body, of.cond)),)
        case Extension():
            parts = (of.cases, of.lines, of.rules, of.reaction, of.cond, of.body)
            return ((f"{_EXTENDED[of.kind]} {of.target}", parts),)
        case _:
            assert_never(of)


def _depth(item: object) -> int:
    """How deep nodes stand within one another; a choice counts for what stands after it."""
    if isinstance(item, core.Node):
        values = item.layout.values
        return 1 + (_depth(values(item)) if values is not None else 0)
    if isinstance(item, tuple | list):
        choices = sum(isinstance(part, core.Choose) for part in item)
        return choices + max(map(_depth, item), default=0)
    return 0


def _check_needs(rules: Ruleset, report: Report, kept: Needs) -> Order | None:
    """No part of the rules may need itself, or be nested too deep through all it needs.

    `kept` has what unchanged parts of the rules need. None if the depth is not right.
    """
    depths: dict[str, int] = {}
    parts: list[Part] = []
    for looked in _looked_into(rules, kept):
        parts += looked.parts
        for name, depth in looked.depths:
            depths[name] = max(depth, depths.get(name, 0))
    needs: dict[str, set[str]] = {}
    for part in parts:
        if part.needed:
            needs.setdefault(part.name, set()).update(part.needed)
    try:
        order = list(TopologicalSorter(needs).static_order())
    except CycleError:
        edges = [(part.name, other) for part in parts for other in part.needed]
        _report_circles(report, edges, _places(rules))
        return Order((), ())
    for name in order:
        below = max((depths.get(other, 0) for other in needs.get(name, ())), default=0)
        depths[name] = depths.get(name, 0) + below
        if depths[name] > MAX_NESTED:
            _report_depth(rules, report, name, _places(rules))
            return None
    alone = (part.name for part in parts if part.name not in needs)  # they need nothing
    return Order(tuple(dict.fromkeys((*alone, *order))), tuple(parts))


def _places(rules: Ruleset) -> dict[str, Span | None]:
    """Where each part of the rules stands, if a declaration has it."""
    where: dict[str, Span | None] = {}
    for of in _declared(rules):
        clause = None if isinstance(of, Extension) else rules.clauses.get(of.clause)
        for name, _ in _parts(of):
            where.setdefault(name, clause.span if clause is not None else None)
    return where


def _looked_into(rules: Ruleset, kept: Needs) -> Iterator[LookedInto]:
    """What each part of the rules needs and reads, and how deep it is.

    `kept` holds then what these need and no others.
    """

    @functools.cache
    def known() -> IdentityMap[object, Looked]:
        found: IdentityMap[object, Looked] = IdentityMap()
        for looked in kept.parts:
            for item, of_item in looked.items:
                found.keep(item, of_item)
        return found

    now: IdentityMap[object, LookedInto] = IdentityMap()
    for of in _declared(rules):
        yield now.keep(of, kept.parts.get(of) or _look(of, known()))
    kept.parts = now


def _look(of: Declared, known: IdentityMap[object, Looked]) -> LookedInto:
    """What the parts of a declaration or text need; it may have some of what is known."""
    brought = of if isinstance(of, Extension) else None
    parts, depths = list[Part](), list[tuple[str, int]]()
    looked: list[tuple[object, Looked]] = []
    for name, items in _parts(of):
        for item in items:
            if item is not None and item != ():
                found = known.get(item) or _looked(item)
                looked.append((item, found))
                depths.append((name, found.depth))
                parts.append(Part(name, found.needed, found.sources, brought))
        if name.startswith("event "):
            parts.append(Part(f"do {name.removeprefix('event ')}", (name,), frozenset()))
    return LookedInto(tuple(parts), tuple(depths), tuple(looked))


def _looked(item: object) -> Looked:
    return Looked(_needs(item), _depth(item), sources_in(item))


def _report_depth(rules: Ruleset, report: Report, name: str, where: dict[str, Span | None]) -> None:
    """Report the part of the rules that is nested too deep, all it needs counted."""
    flow = rules.clauses.get(rules.flow_clause)
    span = where.get(name) or (flow.span if flow is not None else NOWHERE)
    fix = f"{name[:1].upper()}{name[1:]} and all it needs count: let less stand within one another."
    report.add("too-deep", span, limit=str(MAX_NESTED), fix=fix)


def _report_circles(
    report: Report, edges: list[tuple[str, str]], where: dict[str, Span | None]
) -> None:
    """Report one circle of each group of parts that need each other."""
    import networkx as nx  # takes long to load, and rules mostly have no circle

    graph: nx.DiGraph[str, dict[str, object], dict[str, object]] = nx.DiGraph(edges)
    for group in nx.strongly_connected_components(graph):
        loops = sorted(group)
        if len(loops) > 1 or graph.has_edge(loops[0], loops[0]):
            cycle = [a for a, _ in nx.find_cycle(graph.subgraph(group))]
            span = next((where[name] for name in cycle if where.get(name)), None)
            if span is not None:
                circle = " needs ".join([*cycle, cycle[0]])
                report.add("circular", span, name=cycle[0], circle=circle)


# ---------------------------------------------------------------------------- knowledge
def _check_knowledge(rules: Ruleset, report: Report, hidden: HiddenReads) -> None:
    """No choice, watcher's condition or guard may read what the player who decides may not know."""

    def tell(span: Span, names: list[str]) -> None:
        for name in dict.fromkeys(names):
            report.add("hidden-knowledge", span, what=f"what is in `{name}`")

    for node in core.walk([rules.flow, *(p.body for p in rules.procedures.values())]):
        if isinstance(node, core.Choose):
            read = hidden.names(node.domain, node.by) + hidden.names(node.cond, node.by)
            tell(node.span, read + _hidden_in(node.asks, node.by, hidden))
        elif isinstance(node, core.May):
            tell(node.span, _hidden_in(node.asks, node.by, hidden))
        elif isinstance(node, core.Each) and node.watcher is not None:
            tell(node.span, hidden.names(node.open, core.Var(node.watcher)))
    for procedure in rules.procedures.values():
        if procedure.is_action and procedure.guard is not None:
            by = core.Var(procedure.params[0][0]) if procedure.params else None
            tell(rules.clauses[procedure.clause].span, hidden.names(procedure.guard, by))


def _hidden_in(parts: tuple[core.Said, ...], by: core.Expr, hidden: HiddenReads) -> list[str]:
    """What the values of a prompt read that who is asked may not know."""
    values = [part for part in parts if not isinstance(part, str)]
    return [name for value in values for name in hidden.names(value, by)]


# ---------------------------------------------------------------------------- seats
def _check_seats(rules: Ruleset, report: Report) -> None:
    """Inside `at once` only what is indexed by the acting player may change."""
    for node in core.walk([rules.flow, *(p.body for p in rules.procedures.values())]):
        if isinstance(node, core.Each) and node.mode != "in turn":
            _check_seat(rules, report, node.body, {node.var}, frozenset())


def _check_seat(
    rules: Ruleset, report: Report, body: core.Body, own: set[str], seen: frozenset[str]
) -> None:
    """Only what belongs to the player that goes by these names changes; `seen` was checked."""
    for node in core.walk(body):
        if isinstance(node, core.Assign) and not _is_own(rules, node.index, own):
            report.add("outside-seat", node.span, what=f"`{node.state}`")
        elif isinstance(node, core.Do) and node.target not in seen:
            seen |= {node.target}
            known = rules.procedures.get(node.target) or rules.events.get(node.target)
            if known is not None:
                mine = {
                    name
                    for (name, t), arg in zip(known.params, node.args, strict=True)
                    if t == PLAYER and _is_own(rules, arg, own)
                }
                _check_seat(rules, report, known.body, mine, seen)
        elif isinstance(node, core.Take) and _is_own(rules, node.by, own):
            for name in node.actions:
                if name not in seen:
                    seen |= {name}
                    action = rules.procedures[name]
                    _check_seat(rules, report, action.body, {action.params[0][0]}, seen)


def _is_own(rules: Ruleset, index: core.Expr | None, own: set[str]) -> bool:
    """Does what has this index belong to the player that goes by these names?

    A player is only ever offered sites of his own board and pieces of his own set, where each has
    his own.
    """
    if index is None:
        return False
    if isinstance(index.type, SiteT) and rules.boards[index.type.board].per_player:
        return True
    if isinstance(index.type, PieceT) and rules.components[index.type.name].per_player:
        return True
    return isinstance(index, core.Var) and index.name in own
