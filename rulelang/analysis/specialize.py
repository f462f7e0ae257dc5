"""Partial evaluation of a whole ruleset: what is left of it for the cards that it has.

What only other cards would ask of falls away: openings that no card fills, questions whether a
card is homemade where none is, and what follows from those. Two rulesets of which the same is left
play alike, though they may say of a score in other words how it came about.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import add, eq, ge, gt, le, lt, mul, ne, sub

from rulelang import core
from rulelang.analysis.bounds import Bounds, never_negative
from rulelang.analysis.reads import Reads
from rulelang.analysis.writes import writes
from rulelang.builtins.record import ANYTHING
from rulelang.core.types import NUMBER, TRUTH, ListT, SetT, Type
from rulelang.core.values import nothing_of
from rulelang.core.visit import Role
from rulelang.ruleset import Case, Definition, Event, Line, RankLine, Reaction, Rule, Ruleset, Table

Part = tuple[str, str]  # a field of a ruleset, and a name there
Callee = tuple[str, str]
_Body = tuple[tuple[str, ...], core.Expr]  # parameters, and what is given for them

_NAMED = {
    Role.DEFINITION: ("definitions",),
    Role.TABLE: ("tables",),
    Role.EVENT: ("events",),
    Role.PROCEDURE: ("procedures",),
    Role.TARGET: ("events", "procedures"),
}
_CALLED = ("definitions", "tables", "events", "procedures")
_UNPLAYED = {*_CALLED, "scenarios", "rulings", "clauses", "variants"}
_TRUE, _FALSE = core.Const(True, type=TRUTH), core.Const(False, type=TRUTH)
_NOUGHT = core.Const(0, type=NUMBER)
_NUMBERS: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul}
_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "=": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}
_TOTALS: dict[str, Callable[[int, int], int]] = {
    "start": lambda _, amount: amount,
    "exactly": lambda _, amount: amount,
    "+": add,
    "-": sub,
    "times": mul,
    "floor": max,
    "cap": min,
}


def specialized(rules: Ruleset, more_cards: bool = False) -> dict[Part, object]:
    """What play can come to, by field and name; with `more_cards` any may be added to those there
    are, and may ask of every definition and table.
    """
    made = _Specializer(rules, more_cards)
    found: dict[Part, object] = {
        (name, ""): made.whole(value)
        for name, value in vars(rules).items()
        if name not in _UNPLAYED
    }
    found["ranks", ""] = made.ranks()
    waiting = list(_names(list(found.values())))
    if more_cards:
        waiting += [("definitions", name) for name in rules.definitions]
        waiting += [("tables", name) for name in rules.tables]
    while waiting:
        part = waiting.pop()
        field, name = part
        held = getattr(rules, field).get(name)
        if part not in found and held is not None:
            found[part] = made.whole(held)
            waiting += _names(found[part])
    return found


def _names(item: object) -> Iterator[Part]:
    """The definitions, tables, events and procedures that are named in nodes."""
    values = list(item.values()) if isinstance(item, dict) else item
    parts = values if isinstance(values, tuple | list) else (values,)
    for part in parts:
        if isinstance(part, dict):
            yield from _names(part)
    for node in core.walk(values):
        for field, role in node.layout.roles.items():
            for sort in _NAMED.get(role, ()):
                held = getattr(node, field)
                named = held if isinstance(held, tuple) else (held,)
                yield from ((sort, name) for name in named if name is not None)


class _Specializer:
    """Leaves out of records what cannot come about; each definition and table is judged once."""

    def __init__(self, rules: Ruleset, more_cards: bool) -> None:
        self.rules, self.more_cards = rules, more_cards
        self.filled = {(e.kind, e.target, e.slot) for e in rules.extensions}
        self.known: dict[Callee, _Body | None] = {}
        self.waited_for = {ending.unit for ending in rules.endings}
        self.bounds: Bounds | None = None
        self.reads = Reads(rules)

    def whole(self, value: object) -> object:
        """A record, or those of a field, with what is left of each."""
        if isinstance(value, core.Node):
            return self.node(value)
        if isinstance(value, list):
            return [self.whole(part) for part in value]
        if isinstance(value, dict):
            return {name: self.whole(part) for name, part in value.items()}
        return core.mapped(value, self.node) if isinstance(value, tuple) else value

    def ranks(self) -> list[RankLine]:
        """The keys by which players are ranked, without those that are the same for all."""
        lines = (line for rank in self.rules.ranks if isinstance(line := self.node(rank), RankLine))
        return [line for line in lines if not isinstance(line.key, core.Const)]

    def node(self, node: core.Node) -> core.Node:
        """What is left of a node."""
        made = core.rebuild(node, self.node, body=self.body)
        match made:
            case core.Expr():
                return self._expr(made)
            case Definition():
                return replace(made, cases=self._cases(made.name, made.cases, made.type))
            case Table():
                return replace(made, lines=self._lines(made.name, made.lines))
            case Event():
                body = self._in_order(made.body)
                return replace(made, rules=tuple(self._rules(made)), body=body)
            case Reaction() if made.cond == _FALSE:
                return replace(made, body=())
            case _:
                return made

    def body(self, body: tuple[core.Node, ...]) -> tuple[core.Node, ...]:
        """The statements that may be carried out."""
        found: list[core.Node] = []
        for number, stmt in enumerate(body):
            made = self.node(stmt)
            if isinstance(made, core.Let) and made.var not in core.free_names(body[number + 1 :]):
                continue
            if isinstance(made, core.If) and isinstance(made.cond, core.Const):
                found += made.then if made.cond.value else made.other
            elif not self._does_nothing(made):
                found.append(made)
        return tuple(found)

    def _does_nothing(self, stmt: core.Node) -> bool:
        """Does it leave everything as it is, and ask nothing?"""
        match stmt:
            case core.ForEach():
                return stmt.by is None and (not stmt.body or _is_empty(stmt.domain))
            case core.If():
                return not stmt.then and not stmt.other
            case core.Assign():
                return stmt.value == core.Read(stmt.state, stmt.index)
            case core.Finish():
                return stmt.unit != "game" and stmt.unit not in self.waited_for
            case _:
                return False

    def _in_order(self, body: core.Body) -> core.Body:
        """The steps of an event in an order of their own, if each may come before each other."""
        plain = all(isinstance(stmt, core.Assign | core.Move) for stmt in body)
        asks = any(isinstance(node, core.Apply | core.Total) for node in core.walk(body))
        if len(body) < 2 or not plain or (asks and self.more_cards):
            return body
        pairs = itertools.combinations(body, 2)
        return tuple(sorted(body, key=repr)) if all(self._commute(a, b) for a, b in pairs) else body

    def _commute(self, one: core.Stmt, two: core.Stmt) -> bool:
        """Does it not matter which of two steps comes first?"""
        if isinstance(one, core.Assign) and isinstance(two, core.Assign) and one.state == two.state:
            read = self._read(one, _added(one)) | self._read(two, _added(two))
            both = _added(one) != one.value and _added(two) != two.value
            return both and not read & {f"state:{one.state}", ANYTHING}
        first, second = writes(self.rules, one), writes(self.rules, two)
        read_by = self.reads.all(one), self.reads.all(two)
        touched = (first & second) | (first & read_by[1]) | (second & read_by[0])
        return not touched and ANYTHING not in first | second | read_by[0] | read_by[1]

    def _read(self, stmt: core.Assign, of: core.Expr) -> frozenset[str]:
        return self.reads.all([stmt.index, of])

    # ------------------------------------------------------------------------------- expressions
    def _expr(self, e: core.Expr) -> core.Expr:
        match e:
            case core.Builtin(name="added") if not (self.more_cards or self.rules.added):
                return _FALSE
            case core.Apply():
                return _given(self._called("definitions", e.define), e, e.args)
            case core.Total():
                return _given(self._called("tables", e.table), e, e.args)
            case core.All() | core.Any():
                return _joined(e)
            case core.Not(of=core.Const(value=bool() as value)):
                return _FALSE if value else _TRUE
            case core.Compare() | core.Arith():
                return _compared(e) if isinstance(e, core.Compare) else _reckoned(e)
            case core.IfElse(cond=core.Const(value=value)):
                return e.then if value else e.other
            case _:
                return _of_sets(e)

    def _called(self, field: str, name: str) -> _Body | None:
        """What a definition or table always gives, if that is a constant or just what another
        one gives.
        """
        callee = (field, name)
        if callee not in self.known:
            self.known[callee] = None  # what calls itself is not told here
            known = getattr(self.rules, field)[name]
            made = self.node(known)
            value = self._value(made) if isinstance(made, Definition) else self._sum(made)
            params = tuple(p for p, _ in known.params)
            if value is not None and _is_plain(value, params):
                self.known[callee] = (params, value)
        return self.known[callee]

    def _value(self, made: Definition) -> core.Expr | None:
        if not made.cases:
            return nothing_at_all(made.type)
        first = made.cases[0]
        return first.value if first.slot is None and first.cond is None else None

    def _sum(self, made: core.Node) -> core.Expr | None:
        assert isinstance(made, Table)
        if len(made.lines) == 1 and made.lines[0].op in ("start", "+"):
            only = made.lines[0]
            return only.amount if only.cond is None and only.each is None else None
        total = 0
        for line in made.lines:
            step, amount = _TOTALS.get(line.op), line.amount
            fixed = line.slot is None and line.cond is None and line.each is None
            if step is None or not fixed or not isinstance(amount, core.Const):
                return None
            if not isinstance(amount.value, int):
                return None
            total = step(total, amount.value)
        return core.Const(total, type=NUMBER)

    # ----------------------------------------------------------------------------------- clauses
    def _is_open(self, kind: str, target: str, slot: str) -> bool:
        return self.more_cards or (kind, target, slot) in self.filled

    def _cases(self, name: str, cases: tuple[Case, ...], of: Type) -> tuple[Case, ...]:
        """The cases that may hold, without a last one that says what none holding gives anyway."""
        found: list[Case] = []
        for case in cases:
            if case.slot is not None:
                found += [case] if self._is_open("define", name, case.slot) else []
            elif case.cond != _FALSE:
                found.append(replace(case, cond=None) if case.cond == _TRUE else case)
                if found[-1].cond is None:
                    break
        last = found[-1] if found else None
        if last is not None and last.slot is None and last.cond is None:
            found = found[:-1] if last.value == nothing_at_all(of) else found
        return tuple(found)

    def _lines(
        self, name: str, lines: tuple[Line, ...], alternatives: bool = False
    ) -> tuple[Line, ...]:
        """The lines that may count. Of alternatives one that changes nothing counts, too."""
        found: list[Line] = []
        for line in lines:
            if line.slot is not None:
                gone = not self._is_open("score", name, line.slot)
            elif line.op == "one":
                line = replace(line, inner=self._lines(name, line.inner, True))
                gone = not line.inner
            else:
                gone = _never_counts(line) or (
                    not alternatives and self._changes_nothing(name, line)
                )
            if not gone:
                found.append(line if alternatives else _unconditional(line))
        return tuple(found)

    def _changes_nothing(self, name: str, line: Line) -> bool:
        """Does the line leave the total as it is?"""
        if not isinstance(line.amount, core.Const) or not isinstance(line.amount.value, int):
            return False
        amount = line.amount.value
        if line.op in ("+", "-"):
            return amount == 0
        return line.op == "floor" and amount <= 0 and self._is_natural(name)

    def _is_natural(self, name: str) -> bool:
        """Is a table never below 0, whatever its lines of the least and the most say?"""
        if self.more_cards:
            return False
        if self.bounds is None:
            self.bounds = Bounds(self.rules, never_negative(self.rules))
        return self.bounds.holds(core.Total(name, (), type=NUMBER))

    def _rules(self, event: Event) -> Iterator[Rule]:
        for rule in event.rules:
            if rule.slot is not None:
                if self._is_open("rules", event.name, rule.slot):
                    yield rule
            elif rule.cond != _FALSE and rule.need != _TRUE:
                yield replace(rule, cond=None) if rule.cond == _TRUE else rule


def nothing_at_all(of: Type) -> core.Const | core.SetOf:
    """What a definition gives of which no case holds."""
    return (
        core.SetOf((), type=of)
        if isinstance(of, SetT | ListT)
        else core.Const(nothing_of(of), type=of)
    )


def _unconditional(line: Line) -> Line:
    """The line without a condition that holds, or that leaves out only what adds nothing."""
    idle = core.Compare("!=", line.amount or _FALSE, core.Const(0, type=NUMBER), type=TRUTH)
    adds = line.op in ("+", "-")
    return replace(line, cond=None) if line.cond == _TRUE or (adds and line.cond == idle) else line


def _added(stmt: core.Assign) -> core.Expr:
    """What is added to a variable or taken from it; else its whole new value."""
    value = stmt.value
    if isinstance(value, core.Arith) and value.op in ("+", "-"):
        return value.right if value.left == core.Read(stmt.state, stmt.index) else value
    return value


def _never_counts(line: Line) -> bool:
    return line.cond == _FALSE or (line.each is not None and _is_empty(line.each[1]))


def _is_plain(e: core.Expr, params: tuple[str, ...]) -> bool:
    """Is it a constant, or a call with nothing but parameters?"""
    if isinstance(e, core.Apply | core.Total):
        return all(isinstance(arg, core.Var) and arg.name in params for arg in e.args)
    return isinstance(e, core.Const) or _is_empty(e)


def _given(known: _Body | None, call: core.Expr, args: tuple[core.Expr, ...]) -> core.Expr:
    """What a call gives: the constant, or the other call with these arguments."""
    if known is None:
        return call
    params, value = known
    if not isinstance(value, core.Apply | core.Total):
        return value
    bound = dict(zip(params, args, strict=True))
    inner = tuple(bound[arg.name] for arg in value.args if isinstance(arg, core.Var))
    return replace(value, args=inner)


def _is_empty(e: core.Expr | None) -> bool:
    return isinstance(e, core.SetOf) and not e.items


def _joined(e: core.All | core.Any) -> core.Expr:
    """A conjunction or disjunction without what decides nothing, or what decides it."""
    unit, other = (_TRUE, _FALSE) if isinstance(e, core.All) else (_FALSE, _TRUE)
    if other in e.of:
        return other
    kept = tuple(part for part in e.of if part != unit)
    if len(kept) == len(e.of):
        return e
    return unit if not kept else kept[0] if len(kept) == 1 else replace(e, of=kept)


def _compared(e: core.Compare) -> core.Expr:
    left, right = e.left, e.right
    if not isinstance(left, core.Const) or not isinstance(right, core.Const):
        return e
    if isinstance(left.value, int) and isinstance(right.value, int):
        return _TRUE if _ORDERS[e.op](left.value, right.value) else _FALSE
    return e


def _reckoned(e: core.Arith) -> core.Expr:
    step, left, right = _NUMBERS.get(e.op), e.left, e.right
    if e.op in ("+", "-") and right == _NOUGHT:
        return left
    if e.op == "+" and left == _NOUGHT:
        return right
    if step is None or not isinstance(left, core.Const) or not isinstance(right, core.Const):
        return e
    if isinstance(left.value, int) and isinstance(right.value, int):
        return core.Const(step(left.value, right.value), type=NUMBER)
    return e


def _of_sets(e: core.Expr) -> core.Expr:
    """What an expression comes to that speaks of sets of which some are empty."""
    empty = core.SetOf((), type=e.type)
    match e:
        case core.Filter() | core.Image() if _is_empty(e.domain) or e.cond == _FALSE:
            return empty
        case core.Exists() if _is_empty(e.domain) or e.cond == _FALSE:
            return _FALSE
        case core.Forall() if _is_empty(e.domain) or e.cond == _TRUE:
            return _TRUE
        case core.Member() if _is_empty(e.of):
            return _FALSE
        case core.SetOp() if _is_empty(e.right):
            return e.left
        case core.SetOp() if _is_empty(e.left):
            return e.right if e.op == "+" else empty
        case core.Builtin(name="sum" | "count", args=(of,)) if _is_empty(of):
            return _NOUGHT
        case core.Builtin(name="sum", args=(core.Image(body=body),)) if body == _NOUGHT:
            return _NOUGHT
        case core.Builtin(name="joined", args=(of,)) if _is_empty(of):
            return empty
        case core.Builtin(name="empty", args=(of,)) if _is_empty(of):
            return _TRUE
        case _:
            return e
