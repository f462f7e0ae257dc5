"""Layouts of components are entered: the size of printed pieces, and the box of each field."""

from __future__ import annotations

from rulelang.core.types import KindT
from rulelang.diagnostics import did_you_mean
from rulelang.elaborate.boards import texts_of
from rulelang.elaborate.maps import declare_map
from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import Component, LayoutBox, PieceLayout
from rulelang.ruleset.layouts import FACTS, STYLES, TEXT, TITLE
from rulelang.syntax.nodes import Node

_SMALLEST, _LARGEST = 10, 420  # millimetres of a piece
_SIZE = "its width and height in millimetres, from 10 to 420, as in `63 by 88`"
_CORNERS = "two corners in millimetres, left and top first, as in `from 4 4 to 59 14`"


def declare_layout(symbols: SymbolTable, node: Node) -> None:
    """Enter the layout of a component, or the map of a kind; each has one at most."""
    word, rules = node.part(0), symbols.rules
    component, kind = rules.components.get(word.text), rules.kinds.get(word.text)
    if component is None and kind is not None and kind.name not in rules.maps:
        declare_map(symbols, node, kind)
        return
    if component is None and kind is None:
        known, fix = ", ".join(rules.components), did_you_mean(word.text, rules.components)
        what = f"there is no component {word.text} to lay out"
        symbols.report.add("unknown-component", word.span, what=what, known=known, fix=fix)
        return
    before = rules.layouts.get(word.text) or rules.maps.get(word.text)
    if before is not None:
        span = rules.clauses[before.clause].span
        where = f"declared in {span.file}, line {span.line}"
        what = f"a {'component' if component else 'kind'} with a layout"
        symbols.report.add("name-taken", word.span, name=word.text, what=what, where=where)
        return
    assert component is not None
    clause = symbols.clause("layout", f"layout {word.text}", "", node)
    width, height = _size(symbols, node)
    boxes, color = [], ""
    for setting in node.words("prop"):
        key = setting.part(0).text
        if key == "color":
            color = _color(symbols, setting, component)
        elif key != "size":
            box = _box(symbols, setting, component, (width, height))
            boxes += [box] if box is not None else []
    rules.layouts[word.text] = PieceLayout(
        word.text, width, height, tuple(boxes), color, False, clause
    )


def _size(symbols: SymbolTable, node: Node) -> tuple[float, float]:
    """The size that a layout gives, or that of a usual card."""
    for setting in node.words("prop"):
        if setting.part(0).text != "size":
            continue
        items = setting.words("item")
        words = texts_of(items[0])
        if len(items) == 1 and len(words) == 3 and words[1] == "by":
            sides = [int(side) for side in words[::2] if side.isdecimal()]
            if len(sides) == 2 and all(_SMALLEST <= side <= _LARGEST for side in sides):
                return float(sides[0]), float(sides[1])
        _wrong(symbols, setting, _SIZE)
    return 63.0, 88.0


def _color(symbols: SymbolTable, setting: Node, component: Component) -> str:
    """The field that gives a piece its color."""
    kinds = [name for name, t in component.fields if isinstance(t, KindT)]
    words = [word for item in setting.words("item") for word in texts_of(item)]
    if len(words) == 1 and words[0] in kinds:
        return words[0]
    _wrong(symbols, setting, f"a field of a kind: {', '.join(kinds) or 'this component has none'}")
    return ""


def _box(
    symbols: SymbolTable, setting: Node, component: Component, size: tuple[float, float]
) -> LayoutBox | None:
    """The box of a field, with its styles; none with a finding if it is not one."""
    word = setting.part(0)
    known = [TITLE, TEXT, FACTS, *(name for name, _ in component.fields), "size", "color"]
    if word.text not in known:
        fix = did_you_mean(word.text, known)
        symbols.report.add(
            "unknown-setting", word.span, key=word.text, known=", ".join(known), fix=fix
        )
        return None
    place, *styles = [texts_of(item) for item in setting.words("item")]
    corners = _corners(place)
    if corners is None:
        _wrong(symbols, setting, _CORNERS)
    elif corners[2] > size[0] or corners[3] > size[1]:
        _wrong(symbols, setting, f"a box within the {size[0]:g} by {size[1]:g} of the piece")
    elif any(len(style) != 1 or style[0] not in STYLES for style in styles):
        _wrong(symbols, setting, f"after the corners only {', '.join(STYLES)}")
    else:
        return LayoutBox(word.text, *corners, frozenset(style[0] for style in styles))
    return None


def _corners(words: list[str]) -> tuple[float, float, float, float] | None:
    """The corners that `from 4 4 to 59 14` says, left and top first; none if it says none."""
    if len(words) != 6 or (words[0], words[3]) != ("from", "to"):
        return None
    numbers = [float(n) for n in (*words[1:3], *words[4:]) if n.isdecimal()]
    if len(numbers) != 4 or numbers[0] >= numbers[2] or numbers[1] >= numbers[3]:
        return None
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _wrong(symbols: SymbolTable, setting: Node, expected: str) -> None:
    key = setting.part(0).text
    symbols.report.add("bad-setting", setting.span, key=key, expected=expected)
