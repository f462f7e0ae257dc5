"""A memo of compiled declarations: what names nothing that has changed is not compiled again.

A game, each of its variants, and the game after an edit have mostly the very same declarations.
What one is compiled to follows from it and from what the names in it stand for, so it is the same
where no declaration of such a name has changed. Declarations that are looked up by more than their
name, as components are by their fields, make all be compiled anew where one of them changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

from rulelang import core
from rulelang.core.types import Type
from rulelang.diagnostics.source import Span
from rulelang.elaborate.card_language import Pattern
from rulelang.elaborate.titles import Titles
from rulelang.ruleset import Clause, Definition
from rulelang.syntax.nodes import Node

# Declarations that others find by nothing but the first name in them, and those none of which is
# named by another.
_FOUND_BY_NAME = frozenset(
    ("define", "define_one", "event", "rules", "score", "action", "procedure", "state", "place")
)
_PLAY = ("reaction", "latch", "end", "rank", "invariant", "flow", "scenario")
_CARDS = ("card", "deck", "pattern", "synonyms", "rephrase")
_NAMED_NOWHERE = frozenset((*_PLAY, *_CARDS, "ruling", "variant"))
Made = TypeVar("Made")


@dataclass(frozen=True)
class Kept(Generic[Made]):
    """What a declaration was compiled to, with the clauses it entered.

    `needs` are the definitions that were asked for.
    """

    node: Node
    made: Made
    clauses: tuple[Clause, ...]
    needs: tuple[str, ...] = ()

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the declaration, those in its texts among them, in lower case as well."""
        found: set[str] = set()
        for node in self.node.walk():
            if node.kind == "STRING":
                found.update(re.findall(r"\w+", node.text), re.findall(r"\w+", node.text.lower()))
            elif node.text:
                found.add(node.text)
        return frozenset(found)


@dataclass(frozen=True)
class KeptDefinition:
    """A compiled definition, or the template of one that takes phrases, with its type."""

    type: Type
    definition: Definition | None
    template: core.Expr | None


@dataclass
class DeclarationMemo:
    """What the definitions and patterns of one compilation were compiled to.

    `nodes` are all its declarations, with the `titles` they were compiled beside.
    """

    nodes: tuple[Node, ...] = ()
    titles: Titles = field(default_factory=Titles)
    definitions: dict[str, Kept[KeptDefinition]] = field(default_factory=dict)
    patterns: dict[Span, list[Kept[Pattern]]] = field(default_factory=dict)

    def keep_pattern(self, kept: Kept[Pattern]) -> None:
        """Keep what a pattern was compiled to."""
        self.patterns.setdefault(kept.node.span, []).append(kept)

    def pattern(self, node: Node) -> Kept[Pattern] | None:
        """What this very pattern was compiled to, if it was."""
        known = self.patterns.get(node.span, ())
        return next((kept for kept in known if kept.node is node), None)


class Unchanged:
    """What of an earlier compilation holds beside other declarations."""

    def __init__(self, memo: DeclarationMemo, nodes: Sequence[Node], titles: Titles) -> None:
        """Nothing holds where declarations differ that are looked up by more than their names."""
        differing = [*_without(memo.nodes, nodes), *_without(nodes, memo.nodes)]
        kinds = {node.kind for node in differing}
        same_bearers = memo.titles.bearers == titles.bearers
        is_possible = kinds <= _FOUND_BY_NAME | _NAMED_NOWHERE and same_bearers
        self._memo = memo if is_possible else DeclarationMemo()
        self._changed = {node.words()[0].text for node in differing if node.kind in _FOUND_BY_NAME}
        for title in memo.titles.answered_otherwise(titles):
            self._changed.update(re.findall(r"\w+", title))
        if is_possible:
            titles.asked_besides(memo.titles.asked)

    def definition(self, name: str, node: Node) -> Kept[KeptDefinition] | None:
        """What a definition was compiled to; what it needs may have another type by now."""
        kept = self._memo.definitions.get(name)
        return kept if kept is not None and kept.node is node else None

    def holds(self, kept: Kept[Made]) -> bool:
        """Do all the names in a declaration stand for the same?"""
        return self._changed.isdisjoint(kept.words)

    def pattern(self, node: Node) -> Kept[Pattern] | None:
        """What a pattern was compiled to, if that holds; all definitions must be known."""
        kept = self._memo.pattern(node)
        return kept if kept is not None and self.holds(kept) else None

    def change(self, name: str) -> None:
        """Let a definition be another than it was: it may have another type or template."""
        self._changed.add(name)


def _without(nodes: Sequence[Node], others: Sequence[Node]) -> list[Node]:
    """The nodes that are none of the others; equal ones may stand on other lines."""
    known = set(map(id, others))
    return [node for node in nodes if id(node) not in known]
