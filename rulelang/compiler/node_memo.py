"""A memo by syntax node: results of an earlier compilation for the very same nodes."""

from __future__ import annotations

from typing import Generic, TypeVar

from rulelang.syntax.nodes import Node

Result = TypeVar("Result")


class NodeMemo(Generic[Result]):
    """Results by the identity of a node: nodes that are equal may stand on other lines.

    Each entry holds its node, so no number of an object is ever that of another.
    """

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._entries: dict[int, tuple[Node, Result]] = {}

    def get(self, node: Node) -> Result | None:
        """The result kept for this node; none if there is none."""
        found = self._entries.get(id(node))
        return found[1] if found is not None else None

    def keep(self, node: Node, result: Result) -> None:
        """Keep the result of a node."""
        self._entries[id(node)] = (node, result)

    def replace_with(self, other: NodeMemo[Result]) -> None:
        """Forget all entries but those of another memo."""
        self._entries = dict(other._entries)
