"""Where on a piece each of its fields is printed: as its layout says, or in a plain default way."""

from __future__ import annotations

from rulelang.core.types import SHAPE, KindT, OptionalT, Type
from rulelang.core.values import Value
from rulelang.ruleset import Component, Design, Ruleset
from rulelang.ruleset.layouts import FACTS, TEXT, TITLE, LayoutBox, PieceLayout

CARD = (63.0, 88.0)  # millimetres
TOKEN = 24.0
TILE = 20.0  # millimetres of a cell of a tile
EDGE = 4.0
FOOT = 5.0  # at the bottom, for the id


def layout_of(rules: Ruleset, design: Design) -> PieceLayout:
    """The layout of a design's component, or the default for it."""
    known = rules.layouts.get(design.component)
    return known if known is not None else _default(rules, design)


def is_tile(rules: Ruleset, component: str) -> bool:
    """Is it what a board grows from?"""
    return any(board.grown_from == component for board in rules.boards.values())


def shape_of(rules: Ruleset, design: Design) -> tuple[tuple[int, int], ...]:
    """The cells of a design's form as columns and rows, row by row; none without a form."""
    values = dict(design.values)
    for name, t in rules.components[design.component].fields:
        if t == SHAPE and isinstance(values.get(name), str):
            return cells_of(str(values[name]))
    return ()


def cells_of(form: str) -> tuple[tuple[int, int], ...]:
    """The cells of a drawn form, row by row."""
    return tuple(
        (column, row)
        for row, letters in enumerate(form.split("/"))
        for column, letter in enumerate(letters)
        if letter == "X"
    )


def _default(rules: Ruleset, design: Design) -> PieceLayout:
    component = rules.components[design.component]
    cells = shape_of(rules, design)
    if is_tile(rules, design.component) and cells:
        width = (max(c for c, _ in cells) + 1) * TILE
        height = (max(r for _, r in cells) + 1) * TILE
        return PieceLayout(design.component, width, height, (), tile=True)
    if not component.fields and not any(
        d.text for d in rules.designs if d.component == component.name
    ):
        name = LayoutBox(TITLE, 2.0, 4.0, TOKEN - 2.0, TOKEN - 6.0, frozenset({"bold", "centered"}))
        return PieceLayout(design.component, TOKEN, TOKEN, (name,))
    width, height = CARD
    inner, bottom = width - EDGE, height - EDGE - FOOT
    shown = [name for name, t in component.fields if says_something(design, name, t)]
    rows = (len(shown) + 1) // 2
    facts = 16.0 + 6.0 * rows
    if not design.text:
        facts = bottom
    boxes = [LayoutBox(TITLE, EDGE, EDGE, inner, 14.0, frozenset({"large", "bold"}))]
    if shown:
        boxes.append(LayoutBox(FACTS, EDGE, 16.0, inner, facts))
    if design.text:
        boxes.append(LayoutBox(TEXT, EDGE, facts + 3.0 if shown else 18.0, inner, bottom))
    return PieceLayout(design.component, width, height, tuple(boxes), _colour_field(component))


def says_something(design: Design, name: str, t: Type) -> bool:
    """Is there anything to print of this field?"""
    value: Value = dict(design.values).get(name)
    if isinstance(t, KindT):
        return value is not None
    if isinstance(t, OptionalT) and isinstance(t.of, KindT):
        return value is not None
    return value not in (None, 0, "", False, frozenset(), ())


def _colour_field(component: Component) -> str:
    return next((name for name, t in component.fields if isinstance(t, KindT)), "")
