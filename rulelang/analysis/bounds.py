"""Bounds that all statements of a ruleset keep: variables that no rule makes less than 0, and the
field by which a piece covers cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulelang import core
from rulelang.analysis.calls import walk_calls
from rulelang.analysis.writes import statements, statements_of
from rulelang.core.types import NUMBER, PieceT
from rulelang.core.values import Value
from rulelang.ruleset import Line, Ruleset
from rulelang.ruleset.clauses import Params

# built-in words that are never less than 0, whatever they are asked of
_COUNTS = {"count", "distance", "distance_across", "least_cost", "column", "row", "width", "height"}


def never_negative(rules: Ruleset) -> frozenset[str]:
    """The variables of numbers that begin at 0 or more and that no statement makes less.

    What cannot be told is not among them.
    """
    steps = [e.body for e in rules.extensions if e.body]
    assigned = [
        stmt
        for stmt in (*statements_of(rules), *statements(steps))
        if isinstance(stmt, core.Assign)
    ]
    kept = {name for name, known in rules.states.items() if known.type == NUMBER}
    while True:
        bounds = Bounds(rules, frozenset(kept))
        lost = {name for name in kept if not bounds.holds(rules.states[name].initial)}
        lost |= {s.state for s in assigned if s.state in kept and not bounds.holds(s.value)}
        if not lost:
            return frozenset(kept)
        kept -= lost


@dataclass
class Bounds:
    """Judges numbers under the assumption that these variables are never negative.

    What follows from that holds with the cards that the rules have, and no others.
    """

    rules: Ruleset
    kept: frozenset[str]
    called: dict[tuple[str, bool], bool] = field(default_factory=dict)
    natural: frozenset[str] = frozenset()  # parameters given numbers that are not negative

    def holds(self, e: core.Expr) -> bool:
        """Is this number certainly 0 or more?"""
        match e:
            case core.Const():
                return isinstance(e.value, int) and e.value >= 0
            case core.Var():
                return e.name in self.natural
            case core.Read():
                return e.state in self.kept
            case core.Setting():
                return all(_is_natural(value) for value in self.rules.options.get(e.name, ()))
            case core.Attribute():
                return self._printed(e)
            case core.Arith():
                return e.op != "-" and self._all((e.left, e.right))
            case core.IfElse():
                return self._all((e.then, e.other))
            case core.Builtin():
                return self._word(e)
            case core.Apply():
                params = self.rules.definitions[e.define].params
                return self._called(e.define, params, e.args, self._cases(e.define))
            case core.Total():
                params = self.rules.tables[e.table].params
                return self._called(e.table, params, e.args, self._amounts(e.table))
            case _:
                return False

    def _all(self, parts: Iterable[core.Expr]) -> bool:
        return all(map(self.holds, parts))

    def _printed(self, e: core.Attribute) -> bool:
        """Is this number on no piece less than 0?"""
        if not isinstance(e.of.type, PieceT):
            return False
        designs = [d for d in self.rules.designs if d.component == e.of.type.name]
        values = [dict(design.values).get(e.name, 0) for design in designs]
        return all(_is_natural(0 if value is None else value) for value in values)

    def _word(self, e: core.Builtin) -> bool:
        if e.name in _COUNTS:
            return True
        of = e.args[0] if e.args else None
        if e.name == "largest" and isinstance(of, core.SetOf):
            return any(map(self.holds, of.items))
        if e.name not in ("sum", "largest", "smallest"):
            return False
        if isinstance(of, core.SetOf):
            return all(map(self.holds, of.items))
        return isinstance(of, core.Image) and self.holds(of.body)

    def _called(
        self,
        name: str,
        params: Params,
        args: tuple[core.Expr, ...],
        values: Iterable[core.Expr | None],
    ) -> bool:
        """Are all values that a definition or table may have of these arguments 0 or more?"""
        numbers = [(p, a) for (p, t), a in zip(params, args, strict=False) if t == NUMBER]
        natural = bool(numbers) and all(self.holds(arg) for _, arg in numbers)
        key = (name, natural)
        if key not in self.called:
            self.called[key] = False  # what calls itself is not told here
            before = self.natural
            self.natural = frozenset(p for p, _ in numbers) if natural else frozenset()
            self.called[key] = all(value is not None and self.holds(value) for value in values)
            self.natural = before
        return self.called[key]

    def _cases(self, name: str) -> Iterator[core.Expr | None]:
        """What a definition may come to, by its own cases and by those of cards."""
        for case in self.rules.definitions[name].cases:
            if case.slot is None:
                yield case.value
        for extension in self.rules.extensions:
            if extension.kind == "define" and extension.target == name:
                yield from (case.value for case in extension.cases)

    def _amounts(self, name: str) -> Iterator[core.Expr | None]:
        """What the lines of a table add up from; none where one takes something off."""
        added = [
            line
            for extension in self.rules.extensions
            if extension.kind == "score" and extension.target == name
            for line in extension.lines
        ]
        for line in _leaves((*self.rules.tables[name].lines, *added)):
            yield None if line.op == "-" else line.amount


def _leaves(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines that have amounts, alternatives among them."""
    for line in lines:
        if line.op == "one":
            yield from _leaves(line.inner)
        elif line.slot is None:
            yield line


def _is_natural(value: Value) -> bool:
    return isinstance(value, int) and value >= 0


def covering_fields(rules: Ruleset) -> dict[str, str]:
    """For each component whose pieces cover cells by a form: the field that is asked for its
    footprints. Where several fields are, none is told.
    """
    found: dict[str, set[str]] = {}
    asked = [
        rules.flow,
        *rules.events.values(),
        *rules.procedures.values(),
        *rules.definitions.values(),
    ]
    for node in walk_calls(rules, asked):
        if isinstance(node, core.Builtin) and node.name == "footprints":
            form = node.args[0]
            if isinstance(form, core.Attribute) and isinstance(form.of.type, PieceT):
                found.setdefault(form.of.type.name, set()).add(form.name)
    return {component: min(names) for component, names in found.items() if len(names) == 1}
