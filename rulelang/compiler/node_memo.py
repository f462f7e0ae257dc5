"""A memo by syntax node: results of an earlier compilation for the very same nodes."""

from __future__ import annotations

from typing import TypeVar

from rulelang.core.identity import IdentityMap
from rulelang.syntax.nodes import Node

Result = TypeVar("Result")


class NodeMemo(IdentityMap[Node, Result]):
    """Results by the identity of a node: nodes that are equal may stand on other lines."""

    def replace_with(self, other: NodeMemo[Result]) -> None:
        """Forget all entries but those of another memo."""
        self._kept = dict(other._kept)
