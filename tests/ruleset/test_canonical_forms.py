"""The laws of canonical forms: a step keeps what a condition means, and done twice does no more.

Conditions are made by lot and asked in every way their names can be filled.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from rulelang import core
from rulelang.core.types import NUMBER, TRUTH, SetT
from rulelang.ruleset.distribute import distributed
from rulelang.ruleset.normalize import normal
from rulelang.ruleset.simplify import simplified

GROVE = Path(__file__).parents[1] / "good" / "grove"
FREE = ("a", "b")  # names that a condition may speak of, numbers from 0 to 2
MADE = 600
STEPS: tuple[Callable[[core.Node], core.Node], ...] = (simplified, distributed)


class Lot:
    """Conditions and sets of numbers by lot, with names bound as the language binds them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.bound = 0

    def fresh(self) -> str:
        self.bound += 1
        return f"x~{self.bound}"

    def number(self, names: tuple[str, ...]) -> core.Expr:
        if self.rng.random() < 0.6:
            return core.Var(self.rng.choice(names), type=NUMBER)
        return core.Const(self.rng.randrange(3), type=NUMBER)

    def numbers(self, names: tuple[str, ...], depth: int) -> core.Expr:
        """A set of numbers."""
        of, kind = SetT(NUMBER), self.rng.randrange(4 if depth else 2)
        if kind == 0:
            return core.SetOf(
                tuple(self.number(names) for _ in range(self.rng.randrange(1, 4))), type=of
            )
        if kind == 1:
            return core.Range(core.Const(0, type=NUMBER), self.number(names), type=of)
        if kind == 2:
            sides = (self.numbers(names, depth - 1) for _ in range(2))
            return core.SetOp(self.rng.choice("+-"), *sides, type=of)
        name = self.fresh()
        domain = self.numbers(names, depth - 1)
        return core.Filter(name, domain, self.truth((*names, name), depth - 1), type=of)

    def truth(self, names: tuple[str, ...], depth: int) -> core.Expr:
        """A condition."""
        kind = self.rng.randrange(7 if depth else 1)
        if kind == 0:
            op = self.rng.choice(("=", "<", ">="))
            return core.Compare(op, self.number(names), self.number(names), type=TRUTH)
        if kind == 1:
            return core.Member(self.number(names), self.numbers(names, depth - 1), type=TRUTH)
        if kind == 2:
            return core.Not(self.truth(names, depth - 1), type=TRUTH)
        if kind in (3, 4):
            of = tuple(self.truth(names, depth - 1) for _ in range(2))
            return (core.All if kind == 3 else core.Any)(of, type=TRUTH)
        name = self.fresh()
        domain = self.numbers(names, depth - 1)
        some = core.Exists if kind == 5 else core.Forall
        return some(name, domain, self.truth((*names, name), depth - 1), type=TRUTH)


def conditions() -> list[core.Expr]:
    return [Lot(seed).truth(FREE, 3) for seed in range(MADE)]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_a_step_keeps_what_a_condition_means(step: Callable[[core.Node], core.Node]) -> None:
    """It holds for the same numbers as before."""
    game = Game(load_rules(str(GROVE), checks=False, tests=False), 2, {}, ())
    position = game.start(1).position
    held = changed = 0
    for cond in conditions():
        made = step(cond)
        assert isinstance(made, core.Expr)
        changed += made != cond
        for a in range(3):
            for b in range(3):
                env = {"a": a, "b": b}
                truth = game.rules.holds(position, cond, env)
                assert game.rules.holds(position, made, env) == truth, cond
                held += truth
    assert changed > MADE / 10 and MADE < held < 8 * MADE


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_a_step_done_twice_does_no_more(step: Callable[[core.Node], core.Node]) -> None:
    """Its law holds throughout what it made."""
    for cond in conditions():
        made = step(cond)
        assert step(made) == made, cond


def test_another_order_has_the_same_canonical_form() -> None:
    """Of what “and”, “or” and a union join, and of the names that are bound."""
    for cond in conditions():
        assert normal(mirrored(cond)) == normal(cond), cond


def mirrored(expr: core.Expr) -> core.Expr:
    """The expression with what is joined in the contrary order, and other names bound."""

    def turned(node: core.Node) -> core.Node:
        made = core.rebuild(node, turned)
        if isinstance(made, core.All | core.Any):
            return type(made)(made.of[::-1], type=TRUTH)
        if isinstance(made, core.SetOp) and made.op == "+":
            return core.SetOp("+", made.right, made.left, type=made.type)
        return made

    made = turned(expr)
    assert isinstance(made, core.Expr)
    return made


SOME = core.Var("a", type=NUMBER)
HOW_MANY = core.Builtin("count", (core.Var("those", type=SetT(NUMBER)),), type=NUMBER)


def _number(value: int) -> core.Expr:
    return core.Const(value, type=NUMBER)


def _largest(*of: core.Expr) -> core.Expr:
    return core.Builtin("largest", (core.SetOf(of, type=SetT(NUMBER)),), type=NUMBER)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (core.Arith("*", SOME, _number(1), type=NUMBER), SOME),
        (core.Arith("*", _number(1), SOME, type=NUMBER), SOME),
        (core.Arith("+", _number(0), SOME, type=NUMBER), SOME),
        (core.Arith("-", SOME, _number(0), type=NUMBER), SOME),
        (_largest(_number(0), HOW_MANY), HOW_MANY),
        (_largest(HOW_MANY, _number(0)), HOW_MANY),
        (core.Compare("<", _number(1), _number(2), type=TRUTH), core.Const(True, type=TRUTH)),
        (core.Compare("=", _number(1), _number(2), type=TRUTH), core.Const(False, type=TRUTH)),
    ],
)
def test_what_changes_nothing_is_folded(written: core.Expr, meant: core.Expr) -> None:
    assert normal(written) == normal(meant)


@pytest.mark.parametrize(
    "written",
    [
        core.Arith("*", SOME, _number(2), type=NUMBER),
        core.Arith("-", _number(0), SOME, type=NUMBER),
        core.Arith("+", SOME, _number(1), type=NUMBER),
        core.Compare("<", SOME, _number(2), type=TRUTH),
        _largest(_number(0), SOME),  # which may be less than nought
        _largest(_number(1), HOW_MANY),
        _largest(_number(0), HOW_MANY, SOME),
    ],
)
def test_what_changes_something_is_kept(written: core.Expr) -> None:
    folded = {SOME, HOW_MANY, core.Const(True, type=TRUTH), core.Const(False, type=TRUTH)}
    assert normal(written) not in {normal(item) for item in folded}
