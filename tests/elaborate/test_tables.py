"""Every kind of node that the grammar makes of an expression has an elaboration rule."""

from __future__ import annotations

from rulelang.elaborate.expressions import EXPRESSIONS
from tests.tools.node_kinds import kinds_of


def test_every_kind_of_expression_has_a_rule() -> None:
    """The nodes that stand where the grammar names an expression are those of the table."""
    assert kinds_of("expr") == set(EXPRESSIONS)
