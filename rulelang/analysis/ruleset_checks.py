"""Checks over the whole of a compiled ruleset: no circles, no choice that reads what its chooser may not know, no seat that changes another's."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

from rulelang import core
from rulelang.compiler.driver import Compiled
from rulelang.core.types import PLAYER, PieceT, SiteT
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Span
from rulelang.ruleset import Case, Extension, Line, Params, Ruleset


def check_ruleset(compiled: Compiled) -> None:
    """Add to the report what only the whole shows."""
    rules, report = compiled.rules, compiled.report
    if not report.usable:
        return
    _circles(rules, report, compiled.remembered.setdefault("needs", {}))
    _knowledge(rules, report, _Hidden(rules, compiled.remembered.setdefault("hidden", {})))
    _seats(rules, report)
    _drawn(rules, report)


def _drawn(rules: Ruleset, report: Report) -> None:
    """What a board's cells are labelled by and show must be definitions of a cell; what is shown may ask for the player who looks, and read his things."""
    for board in rules.boards.values():
        cell = SiteT(board.name, "cell", dict(board.roles)["cell"])
        for key, names in (
            ("labels", (board.labels,) if board.labels else ()),
            ("shows", board.shows),
        ):
            where = (
                rules.clauses.get(f"{board.clause}/{key}", rules.clauses[board.clause])
                if names
                else None
            )
            for name in names if where is not None else ():
                assert where is not None
                known = rules.definitions.get(name)
                others = [t for _, t in known.params if t != cell] if known is not None else []
                if (
                    known is None
                    or len(known.params) - len(others) != 1
                    or others not in ([], [PLAYER] if key == "shows" else [])
                ):
                    expected = f"a definition of one {cell.name}, as in `define {name}({cell.name[0]}: {cell.name})`"
                    report.add("bad-setting", where.span, key=key, expected=expected)
                    continue
                by = next((core.Var(n) for n, t in known.params if t == PLAYER), core.Const(-1))
                for place in dict.fromkeys(
                    found for found, _ in hidden_reads(rules, known.cases, by)
                ):
                    report.add("hidden-knowledge", where.span, what=f"what is in `{place}`")


def parts(item: Any) -> Iterator[Any]:
    """The item and every core object, line, rule or case inside it."""
    if isinstance(item, tuple | list):
        for part in item:
            yield from parts(part)
    elif hasattr(item, "__dataclass_fields__") and not isinstance(item, type):
        yield item
        for name, value in item.__dict__.items():
            if name not in ("type", "span", "params"):
                yield from parts(value)


def _needs(item: Any) -> set[str]:
    found = set()
    for part in parts(item):
        if isinstance(part, core.Apply):
            found.add(f"define {part.define}")
        elif isinstance(part, core.Groups | core.Reach) and part.relation:
            found.add(f"define {part.relation}")
        elif isinstance(part, core.Total):
            found.add(f"score {part.table}")
        elif isinstance(part, core.Accepts):
            found.add(f"rules of {part.event}")
        elif isinstance(part, core.At) and part.event:
            found.add(f"event {part.event}")
            if part.mode != "after":
                found.add(f"rules of {part.event}")
        elif isinstance(part, core.Do):
            found.add(f"do {part.target}")
    return found


def _circles(rules: Ruleset, report: Report, known: dict[int, tuple[Any, set[str]]]) -> None:
    """No definition may need itself; what each part of the rules needs is known of parts that stand as they stood, by their numbers."""
    edges: list[tuple[str, str]] = []
    where: dict[str, Span | None] = {}
    now: dict[int, tuple[Any, set[str]]] = {}

    def add(name: str, items: tuple[Any, ...], clause: str) -> None:
        where.setdefault(name, rules.clauses[clause].span if clause in rules.clauses else None)
        for item in items:
            if item is None or item == ():
                continue
            now[id(item)] = known.get(id(item)) or (item, _needs(item))
            edges.extend((name, other) for other in now[id(item)][1])

    for definition in rules.definitions.values():
        add(f"define {definition.name}", (definition.cases,), definition.clause)
    for table in rules.tables.values():
        add(f"score {table.name}", (table.lines,), table.clause)
    for event in rules.events.values():
        add(f"rules of {event.name}", (event.rules,), event.clause)
        add(f"event {event.name}", (event.body,), event.clause)
        edges.append((f"do {event.name}", f"event {event.name}"))
    for procedure in rules.procedures.values():
        add(f"do {procedure.name}", (procedure.body, procedure.guard), procedure.clause)
    for reaction in rules.reactions:
        add(f"event {reaction.event}", (reaction.body, reaction.cond), reaction.clause)
    for extension in rules.extensions:
        target = {
            "define": "define",
            "score": "score",
            "rules": "rules of",
            "reaction": "event",
            "steps": "do",
        }[extension.kind]
        add(
            f"{target} {extension.target}",
            (
                extension.cases,
                extension.lines,
                extension.rules,
                extension.reaction,
                extension.cond,
                extension.body,
            ),
            "",
        )
    known.clear()
    known.update(now)
    if _acyclic(edges):
        return
    import networkx as nx  # takes long to load, and rules mostly have no circle

    graph: nx.DiGraph[str] = nx.DiGraph(edges)
    for group in nx.strongly_connected_components(graph):
        loops = sorted(group)
        if len(loops) > 1 or graph.has_edge(loops[0], loops[0]):
            cycle = [a for a, _ in nx.find_cycle(graph.subgraph(group))]
            span = next((where[name] for name in cycle if where.get(name)), None)
            if span is not None:
                report.add(
                    "circular", span, name=cycle[0], circle=" needs ".join([*cycle, cycle[0]])
                )


def _acyclic(edges: list[tuple[str, str]]) -> bool:
    """Do these edges form no circle?"""
    needs: dict[str, set[str]] = {}
    for name, other in edges:
        needs.setdefault(name, set()).add(other)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError:
        return False
    return True


Reader = core.Expr | tuple[core.Expr, ...] | None
NOBODY = core.Const(-1)  # a reader who is no player


def hidden_reads(
    rules: Ruleset, item: Any, by: Reader, seen: set[str] | None = None
) -> Iterator[tuple[str, core.Expr | None]]:
    """What is read that the deciding player may not know: contents but not counts of hidden places, hidden variables, and others' private ones.

    Gives the name of the place or variable with the expression that reads it. What cards add where they may is read with it.
    """
    seen = set() if seen is None else seen
    if (
        isinstance(item, core.Builtin)
        and item.name in ("count", "empty")
        and isinstance(item.args[0], core.Contents)
    ):
        return
    if isinstance(item, core.Contents | core.Read):
        known = (
            rules.places[item.place]
            if isinstance(item, core.Contents)
            else rules.states[item.state]
        )
        if known.visibility == "hidden" or (
            known.visibility == "private"
            and known.of == PLAYER
            and by is not None
            and not _same(item.index, by)
        ):
            yield known.name, item
    if (
        isinstance(item, core.Apply)
        and f"define {item.define}" not in seen
        and item.define in rules.definitions
    ):
        seen.add(f"define {item.define}")
        definition = rules.definitions[item.define]
        yield from _inside(
            rules,
            (definition.cases, *_added(rules, "define", item.define)),
            definition.params,
            item,
            by,
            seen,
        )
    if (
        isinstance(item, core.Total)
        and f"score {item.table}" not in seen
        and item.table in rules.tables
    ):
        seen.add(f"score {item.table}")
        table = rules.tables[item.table]
        yield from _inside(
            rules, (table.lines, *_added(rules, "score", item.table)), table.params, item, by, seen
        )
    if isinstance(item, tuple):
        for part in item:
            yield from hidden_reads(rules, part, by, seen)
    elif isinstance(item, Extension):
        added: tuple[Line | Case, ...] = (*item.lines, *item.cases)
        for line in added:
            yield from hidden_reads(rules, (item.cond, line), _as_you(by, line), seen)
    elif isinstance(item, core.Expr | Line | Case):
        for name, value in item.__dict__.items():
            if name not in ("type", "span"):
                yield from hidden_reads(rules, value, by, seen)


def _inside(
    rules: Ruleset,
    body: Any,
    params: Params,
    call: core.Apply | core.Total,
    by: Reader,
    seen: set[str],
) -> Iterator[tuple[str, core.Expr | None]]:
    """The same of what a call leads to, where the player may go by another name."""
    bound = next(
        (p for (p, t), a in zip(params, call.args, strict=True) if t == PLAYER and _same(a, by)),
        None,
    )
    for name, _ in hidden_reads(rules, body, core.Var(bound) if bound else NOBODY, seen):
        yield name, call


def _added(rules: Ruleset, kind: str, target: str) -> Iterator[Extension]:
    return (
        extension
        for extension in rules.extensions
        if (extension.kind, extension.target) == (kind, target)
    )


def _as_you(by: Reader, part: Line | Case) -> Reader:
    """Of what a card adds for its own player alone, that player goes by `you` too."""
    you = core.Var("you")
    needs = part.cond.of if isinstance(part.cond, core.All) else (part.cond,)
    own = any(
        isinstance(n, core.Compare)
        and n.op == "="
        and you in (n.left, n.right)
        and (_same(n.left, by) or _same(n.right, by))
        for n in needs
    )
    return (by, you) if isinstance(by, core.Expr) and own else by


def _same(a: core.Expr | None, b: Reader) -> bool:
    return a is not None and (a in b if isinstance(b, tuple) else a == b)


class _Hidden:
    """The hidden things that expressions read, by name; what was found of one stands while nothing is added to what it calls that was not there."""

    def __init__(
        self,
        rules: Ruleset,
        known: dict[tuple[int, Reader], tuple[core.Expr, tuple[Any, ...], list[str]]],
    ) -> None:
        self.rules, self.known = rules, known
        self.added: dict[
            str, list[Any]
        ] = {}  # a definition or table -> the parts of what texts add to it
        for e in rules.extensions:
            self.added.setdefault(f"{e.kind} {e.target}", []).extend((e.lines, e.cases, e.cond))

    def names(self, expr: core.Expr | None, by: Reader) -> list[str]:
        """The names, each once."""
        if expr is None:
            return []
        known = self.known.get((id(expr), by))
        if known is None or not _very_same(known[1], self.read(known[1][0])):
            called: set[str] = set()
            names = list(
                dict.fromkeys(name for name, _ in hidden_reads(self.rules, expr, by, called))
            )
            known = self.known[id(expr), by] = (expr, self.read(tuple(sorted(called))), names)
        return known[2]

    def read(self, called: tuple[str, ...]) -> tuple[Any, ...]:
        """What was called, and all that texts add to it."""
        return called, *(part for name in called for part in self.added.get(name, ()))


def _very_same(before: tuple[Any, ...], now: tuple[Any, ...]) -> bool:
    return len(before) == len(now) and all(a is b for a, b in zip(before[1:], now[1:], strict=True))


def _knowledge(rules: Ruleset, report: Report, hidden: _Hidden) -> None:
    bodies: list[Any] = [rules.flow, *[p.body for p in rules.procedures.values()]]
    for part in parts(bodies):
        if isinstance(part, core.Choose):
            for name in dict.fromkeys(
                [*hidden.names(part.domain, part.by), *hidden.names(part.cond, part.by)]
            ):
                report.add("hidden-knowledge", part.span, what=f"what is in `{name}`")
        elif isinstance(part, core.Each) and part.watcher is not None:
            for name in hidden.names(part.open, core.Var(part.watcher)):
                report.add("hidden-knowledge", part.span, what=f"what is in `{name}`")
    for procedure in rules.procedures.values():
        if procedure.is_action and procedure.guard is not None:
            by = core.Var(procedure.params[0][0]) if procedure.params else None
            for name in hidden.names(procedure.guard, by):
                report.add(
                    "hidden-knowledge",
                    rules.clauses[procedure.clause].span,
                    what=f"what is in `{name}`",
                )


def _seats(rules: Ruleset, report: Report) -> None:
    """Inside `at once` only what is indexed by the acting player may change."""
    bodies: list[Any] = [rules.flow, *[p.body for p in rules.procedures.values()]]
    for part in parts(bodies):
        if isinstance(part, core.Each) and part.mode != "in turn":
            _seat_body(rules, report, part.body, {part.var}, set())


def _seat_body(rules: Ruleset, report: Report, body: Any, own: set[str], seen: set[str]) -> None:
    def owned(index: core.Expr | None) -> bool:
        if (
            index is not None
            and isinstance(index.type, SiteT)
            and rules.boards[index.type.board].per_player
        ):
            return True  # sites of a board each player has his own of; a seat is only ever offered its own
        if (
            index is not None
            and isinstance(index.type, PieceT)
            and rules.components[index.type.name].per_player
        ):
            return True  # and so are pieces of which each player has his own set
        return isinstance(index, core.Var) and index.name in own

    for stmt in parts(body):
        if isinstance(stmt, core.Assign) and not owned(stmt.index):
            report.add("outside-seat", stmt.span, what=f"`{stmt.state}`")
        elif isinstance(stmt, core.Do) and stmt.target not in seen:
            seen = {*seen, stmt.target}
            known = rules.procedures.get(stmt.target) or rules.events.get(stmt.target)
            if known is not None:
                mine = {
                    p
                    for (p, t), a in zip(known.params, stmt.args, strict=True)
                    if t == PLAYER and owned(a)
                }
                _seat_body(rules, report, known.body, mine, seen)
        elif isinstance(stmt, core.Take):
            for name in stmt.actions:
                if name not in seen and owned(stmt.by):
                    seen = {*seen, name}
                    procedure = rules.procedures[name]
                    _seat_body(rules, report, procedure.body, {procedure.params[0][0]}, seen)
