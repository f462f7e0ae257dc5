"""What extensions add up to: lines and extensions divided otherwise are equal, others are not."""

from __future__ import annotations

from dataclasses import replace

from rulelang import core
from rulelang.ruleset.clauses import Extension, Line
from rulelang.ruleset.sums import added_up

ONE, TWO, THREE = (core.Const(n) for n in (1, 2, 3))


def line(op: str, amount: core.Expr, cond: core.Expr | None = None) -> Line:
    return Line(op, amount, "", None, cond, "")


def adding(*lines: Line, target: str = "worth", slot: str = "cards") -> Extension:
    return Extension(target, "score", slot, lines, (), (), None, "played", None, "plot", "", "")


def test_sums_may_be_divided_and_in_any_order() -> None:
    """One line for a sum, two lines, or two extensions: they add the same."""
    both = adding(line("+", core.Arith("+", ONE, TWO)))
    apart = adding(line("+", TWO)), adding(line("+", ONE))
    assert added_up([both]) == added_up([adding(line("+", ONE), line("+", TWO))]) == added_up(apart)
    less = adding(line("-", core.Arith("-", ONE, TWO)))
    assert added_up([less]) == added_up([adding(line("+", TWO), line("-", ONE))])


def test_tables_may_come_in_any_order() -> None:
    """What is added to one table does not bear on another."""
    worth, income = adding(line("+", ONE)), adding(line("+", TWO), target="income")
    assert added_up([worth, income]) == added_up([income, worth])


def test_what_more_is_done_to_a_table_stays_in_its_order() -> None:
    """Once doubled and then more is not more and then doubled; another amount is another sum."""
    doubled, more = adding(line("times", TWO)), adding(line("+", ONE))
    assert added_up([doubled, more]) != added_up([more, doubled])
    assert added_up([adding(line("+", THREE))]) != added_up([adding(line("+", TWO))])
    under = adding(line("+", ONE, core.Var("so")))
    assert added_up([under]) != added_up([more])
    assert added_up([replace(more, lifetime="while")]) != added_up([more])
