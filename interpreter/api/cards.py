"""Cards and other pieces of a game as values: what is printed on them, and their picture."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.api.values import near
from interpreter.model.errors import InputError
from interpreter.paper.components import PieceChapters
from interpreter.paper.faces import FaceMaker, called
from interpreter.paper.identity import hash_of, id_of
from interpreter.paper.layouts import says_something
from interpreter.paper.sheets import picture
from rulelang.ruleset import Design, Ruleset


@dataclass(frozen=True)
class Card:
    """A design of a game's pieces: its title, component, copies, fields and sentences, and the id
    and hash that stand on it in print."""

    title: str
    component: str
    copies: int
    fields: tuple[tuple[str, str], ...]
    text: tuple[str, ...]
    id: str
    hash: str
    svg: str

    def _repr_svg_(self) -> str:
        """The card as it is printed, for notebooks."""
        return self.svg

    def __repr__(self) -> str:
        return f"<Card {self.title}: {self.component}, {self.copies} in the game>"


def card_of(rules: Ruleset, design: Design) -> Card:
    """A design as programs see it."""
    component = rules.components[design.component]
    chapters, values = PieceChapters(rules, lambda _: ()), dict(design.values)
    fields = tuple(
        (name, chapters.value(component, name, values.get(name)))
        for name, t in component.fields
        if says_something(design, name, t)
    )
    face = FaceMaker(rules).front(design)
    return Card(
        called(rules, design),
        component.words[0],
        design.copies,
        fields,
        design.sentences,
        id_of(rules, design),
        hash_of(rules, design),
        picture(face.svg, face.width, face.height),
    )


def card_named(rules: Ruleset, title: str) -> Card:
    """The card of this title; raises InputError, with the nearest, if there is none."""
    titles = {called(rules, d).lower(): d for d in reversed(rules.designs)}
    design = titles.get(str(title).strip().lower())
    if design is None:
        raise InputError(f"there is no card {title!r}{near(str(title), titles)}")
    return card_of(rules, design)
