"""The syntax tree: what the author wrote, as frozen nodes; nothing in it is resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulelang.diagnostics.source import Span

SLIP = "slip"
"""The kind of a leaf that stands for the value of a card's field which cannot be parsed."""


@dataclass(frozen=True, init=False)
class Node:
    """A node of the syntax tree.

    `kind` is the grammar's name for it; a leaf has the word itself as `text`, others have `parts`.
    """

    kind: str
    parts: tuple[Node | None, ...]
    span: Span = field(compare=False)
    text: str = ""

    def __init__(
        self, kind: str, parts: tuple[Node | None, ...], span: Span, text: str = ""
    ) -> None:
        # At once, as of a span, for there are as many.
        self.__dict__.update(kind=kind, parts=parts, span=span, text=text)

    def part(self, index: int) -> Node:
        """The part at this place, which the grammar says is always there."""
        found = self.parts[index]
        assert found is not None, (self.kind, index)
        return found

    def words(self, kind: str = "NAME") -> list[Node]:
        """The direct parts of this kind."""
        return [part for part in self.parts if part is not None and part.kind == kind]

    def first(self, kind: str) -> Node | None:
        """The first direct part of this kind, if there is one."""
        for part in self.parts:
            if part is not None and part.kind == kind:
                return part
        return None

    def walk(self) -> Iterator[Node]:
        """This node and all below it, parents first."""
        rest = [self]
        while rest:
            node = rest.pop()
            yield node
            if node.parts:
                rest += [part for part in reversed(node.parts) if part is not None]

    @property
    def cites(self) -> tuple[str, ...]:
        """The statements cited at the end of the line this node begins."""
        found = self.first("CITE")
        return split_cites(found.text) if found else ()


@dataclass(frozen=True, eq=False)
class VeryNode:
    """A node that equals itself alone, so that answers about it can be kept.

    Equal nodes may stand on other lines.
    """

    node: Node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VeryNode) and self.node is other.node

    def __hash__(self) -> int:
        return hash((self.node.kind, self.node.span))


CITE = re.compile(r"\[([A-Z][^\]]*)\]\s*$")  # at the end of a row


def split_cites(text: str) -> tuple[str, ...]:
    """The single citations in "[BC-050, OQ-6]", in order."""
    return tuple(word for word in re.split(r"[\s,]+", text.strip("[] \t")) if word)


def plain(node: Node) -> str:
    """The content of a quoted text."""
    return node.text[1:-1]


def uncited(row: str) -> str:
    """A row up to its citation: the first square bracket that is not in quotes."""
    found = re.match(r'(?:"[^"]*"|[^"\[])*', row)
    return found.group(0) if found else row
