"""Core objects: frozen, compared by meaning alone, few in kind.

A normal form is reached once and for all.
"""

from __future__ import annotations

import dataclasses
import inspect

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang import core
from rulelang.analysis.contradiction import Entailment
from rulelang.analysis.partial_eval import Certain
from rulelang.core.types import NUMBER
from rulelang.diagnostics.source import Span
from rulelang.ruleset import Ruleset
from rulelang.ruleset.normalize import normal

KINDS = [
    c
    for _, c in inspect.getmembers(core, inspect.isclass)
    if dataclasses.is_dataclass(c) and issubclass(c, core.Expr | core.Stmt)
]
PLACE = Span("a file", 3, 1, 3, 9)


def conditions() -> st.SearchStrategy[core.Expr]:
    leaf = st.builds(
        lambda op, n, m: core.Compare(op, core.Var(f"x{n}"), core.Const(m, type=NUMBER)),
        st.sampled_from(["=", "<", ">="]),
        st.integers(0, 3),
        st.integers(0, 4),
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds(core.Not, inner),
            st.builds(lambda xs: core.All(tuple(xs)), st.lists(inner, min_size=1, max_size=3)),
            st.builds(lambda xs: core.Any(tuple(xs)), st.lists(inner, min_size=1, max_size=3)),
            st.builds(
                lambda n, body: core.Exists(f"y~{n}", core.Var("all"), body),
                st.integers(0, 9),
                inner,
            ),
        ),
        max_leaves=8,
    )


def test_kinds_are_few_and_frozen() -> None:
    """Some fifty kinds of core objects, a third of them effects and control, none of which can be
    changed.
    """
    assert 35 <= len(KINDS) - 2 <= 51  # without the two bases
    for kind in KINDS:
        assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]


def test_places_and_types_stand_outside_equality() -> None:
    """Where something was written does not change what it means."""
    assert core.Var("x", span=PLACE, type=NUMBER) == core.Var("x")
    assert hash(core.Var("x", span=PLACE)) == hash(core.Var("x"))
    assert core.Let("a", core.Const(1), clause="one") == core.Let("a", core.Const(1), clause="two")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(conditions())
def test_the_normal_form_is_normal(cond: core.Expr) -> None:
    """Normalising twice is normalising once."""
    assert normal(normal(cond)) == normal(cond)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(conditions(), conditions())
def test_order_and_names_do_not_matter(one: core.Expr, two: core.Expr) -> None:
    """`a and b` is `b and a`; a bound name is as good as another; not not is nothing."""
    assert normal(core.All((one, two))) == normal(core.All((two, one)))
    assert normal(core.Any((one, two, one))) == normal(core.Any((two, one)))
    assert normal(core.Not(core.Not(one))) == normal(one)
    assert normal(
        core.Exists("a~1", core.Var("all"), core.Member(core.Var("a~1"), core.Var("s")))
    ) == normal(core.Exists("b~7", core.Var("all"), core.Member(core.Var("b~7"), core.Var("s"))))


@pytest.mark.parametrize(("low", "high", "never"), [(2, 1, True), (2, 2, False), (1, 3, False)])
def test_contradictions(low: int, high: int, never: bool) -> None:
    """At least 2 and at most 1 never hold together; at least 2 and at most 2 do."""
    count = core.Builtin("count", (core.Var("s"),))
    at_least, at_most = (
        core.Compare(">=", count, core.Const(low)),
        core.Compare("<=", count, core.Const(high)),
    )
    assert Entailment(Certain(Ruleset())).never([at_least, at_most], {}) is never
    assert Entailment(Certain(Ruleset())).never([at_least, core.Not(at_least)], {})
