"""Bodies are numbered by where they stand, whatever objects stand there."""

from __future__ import annotations

import copy

from interpreter.engine.bodies import Bodies
from interpreter.game.loading import load_rules
from rulelang import core
from rulelang.core.types import TRUTH


def numbered(then: core.Body, other: core.Body) -> Bodies:
    """The bodies of a flow that is one `if` with these branches."""
    rules = copy.copy(load_rules("tests/good/tic_tac_toe", tests=False).compiled.rules)
    rules.flow = (core.If(core.Const(True, type=TRUTH), then, other),)
    return Bodies(rules)


def test_a_shared_body_has_the_numbers_of_two_equal_ones() -> None:
    """A ruleset read from a cache may share other objects than one just compiled."""
    shared: core.Body = (core.Finish("round"),)
    copied: core.Body = (core.Finish("round"),)
    one, other = numbered(shared, shared), numbered(shared, copied)
    assert one.all == other.all
    for made in (one, other):
        assert made.inside(made.flow, 0, "then") != made.inside(made.flow, 0, "other")


def test_the_empty_body_has_one_number() -> None:
    """Nothing is ever done in it, so no frame tells its places apart."""
    made = numbered((), ())
    assert made.inside(made.flow, 0, "then") == made.inside(made.flow, 0, "other")
