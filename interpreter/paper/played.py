"""The rules as they are played with the pieces at hand: open places that no text of a piece uses
are left out, and with them what comes of nothing else.

A table with nothing but such places is 0, a condition that only texts make true is never so, and a
variable that nothing sets keeps its first value; expressions and steps that hang on these go, again
and again until nothing changes. What is left means the same for these pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from rulelang import core
from rulelang.core.types import NUMBER, TRUTH, Type
from rulelang.core.values import nothing_of
from rulelang.core.visit import walk
from rulelang.elaborate.placeholders import attempted
from rulelang.ruleset import Case, Definition, Event, Line, Procedure, Ruleset, Table

TRUE, FALSE, ZERO = core.Const(True, type=TRUTH), core.Const(False, type=TRUTH), core.Const(0)
_MOST_ROUNDS = 8
AnyNode = TypeVar("AnyNode", bound=core.Node)


def played(rules: Ruleset) -> Ruleset:
    """The same rules without what none of the pieces uses."""
    made = rules
    for _ in range(_MOST_ROUNDS):
        known = _known(made, rules)
        shorter = _folded(made, _Folder(known))
        if shorter == made:
            break
        made = shorter
    return _reached(made)


# ------------------------------------------------------------------------------ what is known
@dataclass(frozen=True)
class _Known:
    """What always has one value: tables, definitions, variables; and is any piece homemade?"""

    rules: Ruleset
    used: frozenset[tuple[str, str]]  # the open places that texts of pieces use
    definitions: dict[str, core.Const]
    tables: frozenset[str]  # that are always 0
    states: dict[str, core.Expr]
    idle: frozenset[str]  # procedures that do nothing


def _known(rules: Ruleset, written: Ruleset) -> _Known:
    """What is known of rules that were folded so far; of a value that an author wrote down as one,
    its name says more."""
    used = frozenset((e.target, e.slot) for e in rules.extensions)
    definitions = {}
    for known in rules.definitions.values():
        cases = [c for c in known.cases if c.slot is None or (known.name, c.slot) in used]
        as_written = tuple(cases) == written.definitions[known.name].cases
        if not as_written and (value := _constant(cases, known.type)) is not None:
            definitions[known.name] = value
    tables = frozenset(
        t.name
        for t in rules.tables.values()
        if not any(_counts(t.name, line, used) for line in t.lines)
    )
    idle = frozenset(p.name for p in rules.procedures.values() if _idle(p))
    return _Known(rules, used, definitions, tables, _kept(rules), idle)


def _constant(cases: list[Case], t: Type) -> core.Const | None:
    """The one value of cases of which the first always holds, or none of none."""
    if not cases:
        value = nothing_of(t)
        return core.Const(value, type=t) if t in (TRUTH, NUMBER) else None
    first = cases[0]
    plain = first.cond is None and isinstance(first.value, core.Const)
    return first.value if plain and isinstance(first.value, core.Const) else None


def _counts(table: str, line: Line, used: frozenset[tuple[str, str]]) -> bool:
    """Can this line make the total of a table other than 0?"""
    if line.op == "slot":
        return (table, line.slot or "") in used
    if line.op == "one":
        return any(_counts(table, inner, used) for inner in line.inner)
    return line.op not in ("times", "cap") and line.amount != ZERO


def _kept(rules: Ruleset) -> dict[str, core.Expr]:
    """The variables that nothing sets, with the plain values they have from the beginning."""
    bodies: list[object] = [rules.flow, rules.events.values(), rules.procedures.values()]
    bodies += [rules.reactions, rules.latches, rules.extensions]
    nodes = (node for body in bodies for part in _parts(body) for node in walk(part))
    is_set = {node.state for node in nodes if isinstance(node, core.Assign)}
    return {
        s.name: s.initial
        for s in rules.states.values()
        if s.name not in is_set and isinstance(s.initial, core.Const)
    }


def _parts(of: object) -> list[object]:
    return list(of) if not isinstance(of, tuple) and hasattr(of, "__iter__") else [of]


def _idle(known: Procedure) -> bool:
    """Is there nothing to be done in it?"""
    return not known.is_action and known.gives is None and all(map(_nothing, known.body))


def _nothing(stmt: core.Stmt) -> bool:
    """Is it the step that does nothing?"""
    return isinstance(stmt, core.Let) and stmt.value == core.Const(True)


# ------------------------------------------------------------------------------ folding
def _folded(rules: Ruleset, fold: _Folder) -> Ruleset:
    """The rules with every expression and body folded."""
    known = fold.known
    reactions = [fold.node(r) for r in rules.reactions]
    ranks = [fold.node(r) for r in rules.ranks]
    return replace(
        rules,
        definitions=_each(rules.definitions, fold.definition, known.definitions),
        tables=_each(rules.tables, fold.table, known.tables),
        events=_each(rules.events, fold.event),
        procedures=_each(rules.procedures, fold.node, known.idle),
        states={n: s for n, s in rules.states.items() if n not in known.states},
        flow=fold.body(rules.flow),
        reactions=[r for r in reactions if r.cond != FALSE and r.body],
        latches=[fold.node(x) for x in rules.latches],
        endings=[fold.node(e) for e in rules.endings],
        ranks=[r for r in ranks if not isinstance(r.key, core.Const)],
        hurdles=[fold.node(r) for r in rules.hurdles],
    )


def _each(
    of: dict[str, AnyNode], change: Callable[[AnyNode], AnyNode], without: Container[str] = ()
) -> dict[str, AnyNode]:
    """What is known by name, changed, without some."""
    return {name: change(one) for name, one in of.items() if name not in without}


class _Folder:
    """Folds nodes of one ruleset by what is known of it."""

    def __init__(self, known: _Known) -> None:
        self.known = known

    def node(self, node: AnyNode) -> AnyNode:
        """A record or node with all in it folded."""
        return core.rebuild(node, self.fold, body=self._in_body)

    def body(self, body: core.Body) -> core.Body:
        """A body without the steps that are never done."""
        return tuple(stmt for one in body for stmt in self._left(one))

    def _left(self, stmt: core.Stmt) -> core.Body:
        made = self.node(stmt)
        if isinstance(stmt, core.If) and stmt.cond == TRUE:  # it holds a sentence of a card
            return (made,)
        return self._step(made)

    def _in_body(self, body: tuple[core.Node, ...]) -> tuple[core.Node, ...]:
        return self.body(tuple(s for s in body if isinstance(s, core.Stmt)))

    def fold(self, node: core.Node) -> core.Node:
        """A node with all in it folded, and itself where its value is known."""
        made = self.node(node)
        rule = _FOLDS.get(type(made))
        return made if rule is None else rule(self.known, made)

    def definition(self, known: Definition) -> Definition:
        """A definition without open cases that nobody uses."""
        cases = [
            c for c in known.cases if c.slot is None or (known.name, c.slot) in self.known.used
        ]
        folded = [replace(c, value=self._one(c.value), cond=self._one(c.cond)) for c in cases]
        possible = [c for c in folded if c.cond != FALSE]
        return replace(known, cases=tuple(possible))

    def table(self, known: Table) -> Table:
        """A table without open places that nobody uses and lines that never count."""
        return replace(known, lines=tuple(self._lines(known.name, known.lines)))

    def _lines(self, table: str, lines: tuple[Line, ...]) -> Iterator[Line]:
        for line in lines:
            if line.op == "slot" and (table, line.slot or "") not in self.known.used:
                continue
            if line.op == "one":
                inner = tuple(self._lines(table, line.inner))
                if inner:
                    yield replace(line, inner=inner)
                continue
            made = self.node(line)
            empty = made.each is not None and _is_empty(made.each[1])
            if made.cond != FALSE and not empty and not (made.op in "+-" and made.amount == ZERO):
                yield made

    def event(self, known: Event) -> Event:
        """An event without rules that always hold and steps that are never done."""
        rules = [
            self.node(r)
            for r in known.rules
            if r.slot is None or (known.name, r.slot) in self.known.used
        ]
        kept = tuple(r for r in rules if r.cond != FALSE and r.need != TRUE)
        return replace(known, rules=kept, body=self.body(known.body))

    def _one(self, e: core.Expr | None) -> core.Expr | None:
        made = None if e is None else self.fold(e)
        return made if isinstance(made, core.Expr) else None

    def _step(self, stmt: core.Stmt) -> core.Body:
        """The step, what is left of it, or nothing."""
        match stmt:
            case core.If(cond, then, other) if isinstance(cond, core.Const):
                return then if cond == TRUE else other
            case (
                core.If(_, (), ()) | core.ForEach(body=()) | core.Each(body=()) | core.May(body=())
            ):
                return ()
            case core.ForEach(domain=domain) if _is_empty(domain):
                return ()
            case core.Repeat(cond=cond, times=times) if cond == FALSE or times == ZERO:
                return ()
            case core.Repeat(body=()):
                return ()
            case core.Draw(count=count) if count == ZERO:
                return ()
            case core.Move(what=what) if _is_empty(what):
                return ()
            case core.Do(target=target, result=None) if attempted(target) in self.known.idle:
                return ()
            case core.Assign(state, index, value) if value == core.Read(state, index):
                return ()
            case core.Assign(state=state) if state in self.known.states:
                return ()
            case _:
                return (stmt,)


def _is_empty(e: core.Expr) -> bool:
    return isinstance(e, core.SetOf) and not e.items


def _empty(like: core.Expr) -> core.Expr:
    return core.SetOf((), type=like.type)


def _of(value: bool) -> core.Expr:
    return TRUE if value else FALSE


# ------------------------------------------------------------------------- one rule for each class
def _apply(known: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Apply)
    return known.definitions.get(e.define, e)


def _total(known: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Total)
    return ZERO if e.table in known.tables else e


def _read(known: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Read)
    return known.states.get(e.state, e)


def _builtin(known: _Known, e: core.Node) -> core.Node:
    """What is asked of homemade pieces, and of sets that are empty."""
    assert isinstance(e, core.Builtin)
    if e.name == "added" and not known.rules.added:
        return FALSE
    of = e.args[0] if e.args else None
    if e.name == "sum" and isinstance(of, core.Image) and of.body == ZERO:
        return ZERO
    if isinstance(of, core.SetOf) and not of.items:
        return {"empty": TRUE, "count": ZERO, "sum": ZERO}.get(e.name, e)
    if isinstance(of, core.SetOf) and e.name in ("largest", "smallest"):
        return _extreme(e, of)
    return e


def _extreme(e: core.Builtin, of: core.SetOf) -> core.Expr:
    """The largest or smallest of numbers that are all known."""
    plain = [i.value for i in of.items if isinstance(i, core.Const)]
    numbers = [n for n in plain if isinstance(n, int)]
    if len(numbers) < len(of.items):
        return e
    return core.Const(max(numbers) if e.name == "largest" else min(numbers), type=NUMBER)


def _arith(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Arith)
    if e.op in "+-" and e.right == ZERO:
        return e.left
    if e.op == "+" and e.left == ZERO:
        return e.right
    return ZERO if e.op == "*" and ZERO in (e.left, e.right) else e


def _if_else(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.IfElse)
    if isinstance(e.cond, core.Const):
        return e.then if e.cond == TRUE else e.other
    return e.then if e.then == e.other else e


def _compare(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Compare)
    left, right = e.left, e.right
    if isinstance(left, core.Const) and isinstance(right, core.Const):
        return _compared(e.op, left, right, e)
    return e


def _compared(op: str, left: core.Const, right: core.Const, e: core.Expr) -> core.Expr:
    """The outcome for two values that are known."""
    if op in ("=", "!="):
        return _of((left.value == right.value) == (op == "="))
    if isinstance(left.value, int) and isinstance(right.value, int):
        a, b = left.value, right.value
        return _of({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op])
    return e


def _member(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Member)
    return FALSE if _is_empty(e.of) else e


def _not(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Not)
    if e.of == TRUE or e.of == FALSE:
        return _of(e.of == FALSE)
    return e


def _all(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.All)
    left = tuple(part for part in e.of if part != TRUE)
    return FALSE if FALSE in left else _joined(e, left, TRUE)


def _any(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Any)
    left = tuple(part for part in e.of if part != FALSE)
    return TRUE if TRUE in left else _joined(e, left, FALSE)


def _joined(e: core.All | core.Any, left: tuple[core.Expr, ...], none: core.Expr) -> core.Expr:
    if len(left) < 2:
        return left[0] if left else none
    return e if len(left) == len(e.of) else replace(e, of=left)


def _exists(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Exists)
    return FALSE if e.cond == FALSE or _is_empty(e.domain) else e


def _forall(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Forall)
    return TRUE if e.cond == TRUE or _is_empty(e.domain) else e


def _filter(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.Filter | core.Image)
    if e.cond == FALSE or _is_empty(e.domain):
        return _empty(e)
    if isinstance(e, core.Filter):
        return e.domain if e.cond == TRUE else e
    return _empty(e) if _is_empty(e.body) else e


def _set_op(_: _Known, e: core.Node) -> core.Node:
    assert isinstance(e, core.SetOp)
    if _is_empty(e.right):
        return e.left
    if _is_empty(e.left):
        return e.right if e.op == "+" else e.left
    return e


_FOLDS: dict[type[core.Node], Callable[[_Known, core.Node], core.Node]] = {
    core.Apply: _apply,
    core.Total: _total,
    core.Read: _read,
    core.Builtin: _builtin,
    core.Arith: _arith,
    core.IfElse: _if_else,
    core.Compare: _compare,
    core.Member: _member,
    core.Not: _not,
    core.All: _all,
    core.Any: _any,
    core.Exists: _exists,
    core.Forall: _forall,
    core.Filter: _filter,
    core.Image: _filter,
    core.SetOp: _set_op,
}


# ------------------------------------------------------------------------------ what is reached
def _reached(rules: Ruleset) -> Ruleset:
    """The rules without procedures that nothing leads to."""
    todo: list[object] = [rules.flow]
    todo += [e.body for e in rules.events.values()]
    todo += [*rules.reactions, *rules.latches, *rules.extensions]
    found: set[str] = set()
    while todo:
        for node in walk(todo.pop()):
            names: tuple[str, ...] = ()
            if isinstance(node, core.Do):
                names = (attempted(node.target), node.target)
            elif isinstance(node, core.Take):
                names = node.actions
            for name in names:
                if name in rules.procedures and name not in found:
                    found.add(name)
                    todo.append(rules.procedures[name])
    kept = {n: p for n, p in rules.procedures.items() if n in found}
    return replace(rules, procedures=kept)
