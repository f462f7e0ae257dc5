"""The least and the largest number an expression of the rules can come to, where it is plain."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.model.errors import InputError
from rulelang import core
from rulelang.ruleset import Ruleset

MOST_ACTIONS = 100_000
MOST_NUMBERS = 2_000_000  # of one observation
_DEEP = 20  # definitions within definitions that are looked into

Span = tuple[int, int]


class Unbounded(InputError):
    """A game that no environment has: it says of what there is no sensible bound."""


@dataclass(frozen=True)
class Spans:
    """Finds spans of numbers in one ruleset."""

    rules: Ruleset

    def of_set(self, expr: core.Expr, deep: int = 0) -> Span | None:
        """The span of the members of a set of numbers; none if it is not plain."""
        if deep > _DEEP:
            return None
        match expr:
            case core.Range(low=low, high=high):
                first, last = self.of_number(low, deep + 1), self.of_number(high, deep + 1)
                return (first[0], last[1]) if first and last else None
            case core.SetOf(items=items):
                return _joined([self.of_number(item, deep + 1) for item in items])
            case core.SetOp(op="+", left=left, right=right):
                return _joined([self.of_set(left, deep + 1), self.of_set(right, deep + 1)])
            case core.SetOp(left=left):
                return self.of_set(left, deep + 1)
            case core.Filter(domain=domain):
                return self.of_set(domain, deep + 1)
            case core.IfElse(then=then, other=other):
                return _joined([self.of_set(then, deep + 1), self.of_set(other, deep + 1)])
            case core.Apply(define=define):
                cases = self.rules.definitions[define].cases
                return _joined([self.of_set(c.value, deep + 1) if c.value else None for c in cases])
        return None

    def of_number(self, expr: core.Expr, deep: int = 0) -> Span | None:
        """The span of a number; none if it is not plain."""
        if deep > _DEEP:
            return None
        match expr:
            case core.Const(value=value) if isinstance(value, int):
                return (value, value)
            case core.Setting(name=name):
                levels = [n for n in self.rules.options.get(name, ()) if isinstance(n, int)]
                return (min(levels), max(levels)) if levels else None
            case core.IfElse(then=then, other=other):
                return _joined([self.of_number(then, deep + 1), self.of_number(other, deep + 1)])
            case core.Arith(op=op, left=left, right=right):
                one, two = self.of_number(left, deep + 1), self.of_number(right, deep + 1)
                return _combined(op, one, two) if one and two else None
            case core.Apply(define=define):
                return self._of_definition(define, deep + 1)
        return None

    def _of_definition(self, name: str, deep: int) -> Span | None:
        """The span of a definition that gives numbers: 0 where no case of it holds."""
        cases = self.rules.definitions[name].cases
        spans = [self.of_number(c.value, deep) if c.value else None for c in cases]
        return _joined([*spans, *([(0, 0)] if cases[-1].cond is not None else [])])


def _joined(spans: list[Span | None]) -> Span | None:
    """The span of all these; none if one of them is not known."""
    known = [span for span in spans if span is not None]
    if not known or len(known) < len(spans):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _combined(op: str, one: Span, two: Span) -> Span | None:
    if op == "+":
        return one[0] + two[0], one[1] + two[1]
    if op == "-":
        return one[0] - two[1], one[1] - two[0]
    if op == "*":
        ends = [a * b for a in one for b in two]
        return min(ends), max(ends)
    return None
