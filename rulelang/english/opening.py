"""One opening of a game: a place where its rules are open to cards, and what may be said there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulelang.diagnostics.source import Span
from rulelang.english.interface import UNIT
from rulelang.syntax.nodes import Node, plain


@dataclass(frozen=True)
class Amounts:
    """Wordings of an amount, and the occasions it is for if it is not for itself alone."""

    texts: tuple[Node, ...]
    occasions: tuple[Node, ...]


@dataclass(frozen=True)
class Opening:
    """A place where rules are open to cards, with what each role is there.

    `amounts` are in its unit; `names` what the quantity is called that it is about, if any.
    """

    sort_word: Node
    owner: Node
    label: Node
    roles: Mapping[str, Node]
    called: tuple[Node, ...]
    amounts: tuple[Amounts, ...]
    cite: Node | None
    span: Span
    node: Node

    @property
    def sort(self) -> str:
        """The sort of wordings that are read here."""
        return self.sort_word.text

    @property
    def names(self) -> frozenset[str]:
        """The names that what the roles are here speaks of."""
        told = self.roles.values()
        return frozenset(word.text for part in told for word in part.walk() if not word.parts)

    @property
    def texts(self) -> tuple[Node, ...]:
        """All wordings of its amounts."""
        return tuple(text for one in self.amounts for text in one.texts)

    @property
    def unit(self) -> str:
        """The role that amounts in the unit of this opening ask for; empty if it has no unit."""
        texts = "_".join(plain(text) for text in (*self.called, *self.texts))
        return UNIT + "".join(c if c.isalnum() else "_" for c in texts.lower()) if texts else ""


def opening_of(node: Node) -> Opening:
    """The opening that a node declares."""
    words = node.words()
    bound = {part.part(0).text: part.part(1) for part in node.words("bound")}
    called = tuple(text for part in node.words("named_so") for text in part.words("STRING"))
    amounts = tuple(_amounts(part) for part in node.words("amounts"))
    label = node.words("STRING")[0]
    cite = node.first("CITE")
    return Opening(words[0], words[1], label, bound, called, amounts, cite, node.span, node)


def _amounts(node: Node) -> Amounts:
    occasions = node.first("occasions")
    said = tuple(occasions.words("STRING")) if occasions is not None else ()
    return Amounts(tuple(node.words("STRING")), said)
