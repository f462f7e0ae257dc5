"""The faces of pieces as SVG: what is printed goes into the boxes of its layout, as large as it
fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

from interpreter.paper.components import PieceChapters
from interpreter.paper.fit import GAP, LEADING, fitted, unknown_letters, width
from interpreter.paper.icons import colour, icon, letters, tint
from interpreter.paper.identity import hash_of, id_of
from interpreter.paper.layouts import EDGE, FOOT, layout_of, says_something, shape_of
from interpreter.paper.pictures import Picture, picture_of
from rulelang.core.types import NUMBER, SHAPE, TRUTH, KindT, OptionalT, Type, element
from rulelang.core.values import Value, ordered
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Design, Ruleset
from rulelang.ruleset.layouts import FACTS, TEXT, TITLE, LayoutBox, PieceLayout

FONT = "Libertinus Serif, Georgia, DejaVu Serif, serif"
INK, SOFT, GREY = "#22282c", "#5c666d", "#8b9499"
LARGEST = {"large": 5.6, "small": 2.6, "": 4.0}  # millimetres of letters
SMALLEST = 2.1
_LABEL = 2.5
_ROW = 6.0


@dataclass(frozen=True)
class Misfit:
    """What of a piece could not be printed as it stands, and why."""

    title: str
    box: str
    why: str


@dataclass(frozen=True)
class Face:
    """One side of a piece: elements of SVG in millimetres, its size, its color."""

    svg: str
    width: float
    height: float
    ground: str
    cells: int = 0  # of a tile


@dataclass
class FaceMaker:
    """Draws the pieces of one ruleset; `read` gives the bytes of a picture by its name."""

    rules: Ruleset
    read: Callable[[str], bytes | None] = lambda _: None
    prints: bool = True  # is it for print? Else only what does not fit its box is of interest
    misfits: list[Misfit] = field(default_factory=list)

    def front(self, design: Design) -> Face:
        """The front of a piece; what does not fit is noted."""
        layout = layout_of(self.rules, design)
        title = called(self.rules, design)
        strange = unknown_letters([design.title, *design.sentences])
        if strange and self.prints:
            self.misfits.append(Misfit(title, TITLE, f"the font has no {' '.join(strange[:8])}"))
        if layout.tile:
            return self._tile(design, layout)
        boxes = [self._box(design, layout, box, title) for box in layout.boxes]
        if not self.prints:
            return Face("".join(boxes), layout.width, layout.height, "")
        parts = [self._ground(layout, design), *boxes, self._foot(design, layout)]
        return Face("".join(parts), layout.width, layout.height, self._shade(design, layout))

    def back(self, design: Design) -> Face:
        """The back: the component's name, and the fields that are seen face down."""
        layout = layout_of(self.rules, design)
        component = self.rules.components[design.component]
        places = [p for p in self.rules.places.values() if p.holds == design.component]
        seen = {name for place in places for name in place.shows}
        shade = "#59656b"
        w, h = layout.width, layout.height
        frame = min(w, h) * 0.07
        parts = [
            f'<rect x="{frame:.2f}" y="{frame:.2f}" width="{w - 2 * frame:.2f}" '
            f'height="{h - 2 * frame:.2f}" rx="2" fill="none" stroke="#ffffff" stroke-width="0.6"/>'
        ]
        said = [component.words[0]]
        said += [self._said(design, n, t) for n, t in component.fields if n in seen]
        for number, text in enumerate(said):
            made = fitted([text], (w - 4 * frame, 12.0), 6.0 if not number else 8.0, SMALLEST, True)
            y = h / 2 + (number - len(said) / 2 + 0.5) * 12.0
            parts.append(_text(w / 2, y, made.lines[0][0], made.size, "#ffffff", True, "middle"))
        return Face("".join(parts), w, h, shade)

    # ------------------------------------------------------------------------------ a card
    def _shade(self, design: Design, layout: PieceLayout) -> str:
        value = dict(design.values).get(layout.color)
        return colour(value) if isinstance(value, int) and layout.color else "#6b7478"

    def _ground(self, layout: PieceLayout, design: Design) -> str:
        """Color at the top, light below, and a thin frame around all."""
        shade, w, h = self._shade(design, layout), layout.width, layout.height
        head = next((b.bottom for b in layout.boxes if b.field == TITLE and b.top < h / 3), 0.0)
        band = f'<rect width="{w:.2f}" height="{head + 1:.2f}" fill="{tint(shade, 0.72)}"/>'
        return (
            f'<rect width="{w:.2f}" height="{h:.2f}" fill="#fffdf8"/>{band if head else ""}'
            f'<rect y="{head + 1 if head else 0:.2f}" width="{w:.2f}" height="0.8" fill="{shade}"/>'
            f'<rect y="{h - 1.6:.2f}" width="{w:.2f}" height="1.6" fill="{shade}"/>'
        )

    def _foot(self, design: Design, layout: PieceLayout) -> str:
        """The id and hash, small, at the bottom."""
        said = f"{id_of(self.rules, design)} · {hash_of(self.rules, design)}"
        y, size = layout.height - 2.6, 1.9
        if layout.width < 3 * EDGE + width(said, size):
            middle = layout.width / 2
            return _text(middle, y, said, min(size, 16.0 / len(said) * 1.7), GREY, False, "middle")
        own = _text(layout.width - EDGE, y, said, size, GREY, False, "end")
        room = layout.width - 3 * EDGE - width(said, size)
        made = fitted([self.rules.title], (room, FOOT), size, size)
        return own + _text(EDGE, y, made.lines[0][0], size, GREY)

    def _box(self, design: Design, layout: PieceLayout, box: LayoutBox, title: str) -> str:
        if box.field == FACTS:
            return self._facts(design, layout, box, title)
        if box.field == TITLE:
            return self._words([title], box, title)
        if box.field == TEXT:
            return self._words(list(design.sentences), box, title)
        t = self.rules.components[design.component].field(box.field)
        value: Value = dict(design.values).get(box.field)
        if t is None or not says_something(design, box.field, t):
            return ""
        if "picture" in box.styles:
            return self._picture(str(value), box, title)
        if _bare(t) == SHAPE:
            return _small_shape(str(value), box)
        members = _members(t, value)
        if members and "icon" in box.styles:
            return self._icons(t, members, box)
        return self._words([self._said(design, box.field, t)], box, title)

    def _words(self, paragraphs: list[str], box: LayoutBox, title: str) -> str:
        """Paragraphs in a box; noted if they do not fit."""
        bold = "bold" in box.styles
        size = next((LARGEST[s] for s in ("large", "small") if s in box.styles), LARGEST[""])
        if not any(paragraphs):
            return ""
        made = fitted(paragraphs, (box.width, box.height), size, SMALLEST, bold)
        if not made.fits:
            self.misfits.append(
                Misfit(title, box.field, f"it does not fit {box.width:g} by {box.height:g} mm")
            )
        x, anchor = box.left, "start"
        if "centered" in box.styles:
            x, anchor = box.left + box.width / 2, "middle"
        elif "right" in box.styles:
            x, anchor = box.right, "end"
        y = box.top
        if box.field == TITLE:
            y += max(0.0, (box.height - made.height) / 2)
        found = []
        for number, (line, first) in enumerate(made.lines):
            y += made.size * LEADING * (1 + (GAP if first and number else 0))
            found.append(_text(x, y - made.size * 0.3, line, made.size, INK, bold, anchor))
        return "".join(found)

    def _picture(self, name: str, box: LayoutBox, title: str) -> str:
        """A picture in its box, or a cross where there is none to be printed."""
        found = picture_of(name, self.read(name)) if self.prints else Picture("data:,")
        if found.why:
            self.misfits.append(Misfit(title, box.field, found.why))
            return (
                f'<g stroke="{GREY}" stroke-width="0.3" fill="none"><rect x="{box.left}" '
                f'y="{box.top}" width="{box.width}" height="{box.height}"/><path d="M{box.left} '
                f"{box.top}L{box.right} {box.bottom}M{box.left} {box.bottom}L{box.right} "
                f'{box.top}"/></g>'
            )
        return (
            f'<image x="{box.left}" y="{box.top}" width="{box.width}" height="{box.height}" '
            f'preserveAspectRatio="xMidYMid meet" href="{escape(found.data)}"/>'
        )

    # ------------------------------------------------------------------------------ facts
    def _facts(self, design: Design, layout: PieceLayout, box: LayoutBox, title: str) -> str:
        """The fields without boxes of their own: an icon or number, and its name."""
        component = self.rules.components[design.component]
        placed = {b.field for b in layout.boxes}
        shown = [
            (n, t) for n, t in component.fields if n not in placed and says_something(design, n, t)
        ]
        rows = max(1, int((box.height + 0.01) // _ROW))
        columns = 1 if len(shown) <= rows and box.width < 40 else 2
        if len(shown) > rows * columns:
            self.misfits.append(Misfit(title, FACTS, f"there is room for {rows * columns} fields"))
        if not self.prints:
            return ""
        wide = box.width / columns
        found = []
        for number, (name, t) in enumerate(shown[: rows * columns]):
            x = box.left + (number % columns) * wide
            y = box.top + (number // columns) * _ROW
            found.append(self._fact(design, name, t, (x, y, wide)))
        return "".join(found)

    def _fact(self, design: Design, name: str, t: Type, at: tuple[float, float, float]) -> str:
        x, y, wide = at
        value: Value = dict(design.values).get(name)
        middle, start = y + _ROW / 2, x + 5.6
        members = _members(t, value)
        said = self._said(design, name, t)
        if members:
            signs = self._signs(t)
            found = [
                icon(m, signs[m], x + 2.3 + 4.7 * k, middle, 4.2) for k, m in enumerate(members[:4])
            ]
            start = x + 5.6 + 4.7 * (len(found) - 1)
            kind = _kind(t)
            label = said if kind == name or len(members) == 1 else f"{spoken(name)}: {said}"
        elif _bare(t) == NUMBER:
            found = [
                f'<circle cx="{x + 2.3:.2f}" cy="{middle:.2f}" r="2.3" fill="#ffffff" '
                f'stroke="{SOFT}" stroke-width="0.35"/>',
                _text(
                    x + 2.3, middle + 1.05, said, 3.1 if len(said) < 3 else 2.3, INK, True, "middle"
                ),
            ]
            label = spoken(name)
        elif _bare(t) == SHAPE:
            found = [_small_shape(str(value), LayoutBox(name, x, y + 0.4, x + 8.0, y + _ROW - 0.4))]
            start, label = x + 9.0, spoken(name)
        elif _bare(t) == TRUTH:
            found, label = [icon(7, "✓", x + 2.3, middle, 4.2).replace("✓", "•")], spoken(name)
        else:
            found, start, label = [], x, f"{spoken(name)}: {said}"
        made = fitted([label], (x + wide - start - 1.0, _ROW), _LABEL, 1.7)
        lines = made.lines[:2]
        for number, (line, _) in enumerate(lines):
            drop = made.size * (0.33 + LEADING * (number - (len(lines) - 1) / 2))
            found.append(_text(start, middle + drop, line, made.size, INK))
        return "".join(found)

    def _icons(self, t: Type, members: list[int], box: LayoutBox) -> str:
        signs, size = self._signs(t), min(box.height, box.width / len(members))
        return "".join(
            icon(m, signs[m], box.left + size * (k + 0.5), box.top + box.height / 2, size * 0.9)
            for k, m in enumerate(members)
        )

    def _signs(self, t: Type) -> tuple[str, ...]:
        kind = self.rules.kinds.get(_kind(t))
        return letters([one for one, _ in kind.words]) if kind is not None else ()

    def _said(self, design: Design, name: str, t: Type) -> str:
        component = self.rules.components[design.component]
        return PieceChapters(self.rules, lambda _: ()).value(
            component, name, dict(design.values).get(name)
        )

    # ------------------------------------------------------------------------------ a tile
    def _tile(self, design: Design, layout: PieceLayout) -> Face:
        """The cells of a tile; a field for each cell, where it has so many of one kind."""
        cells = shape_of(self.rules, design)
        size = layout.width / (max(c for c, _ in cells) + 1)
        each = self._cell_fields(design, len(cells))
        found = []
        for number, (column, row) in enumerate(cells):
            box = LayoutBox("", column * size, row * size, (column + 1) * size, (row + 1) * size)
            found.append(self._cell(box, number + 1, each[number] if each else None))
        column, row = cells[0]
        first = LayoutBox("", column * size, row * size, (column + 1) * size, (row + 1) * size)
        names = (id_of(self.rules, design), hash_of(self.rules, design))
        said = " · ".join((called(self.rules, design), *names))
        room = sum(1 for _, r in cells if r == row) * size - 2
        made = fitted([said], (room, 3), 2.0, 1.4)
        found.append(_text(first.left + 1.2, first.top + 2.6, made.lines[0][0], made.size, SOFT))
        return Face("".join(found), layout.width, layout.height, "#ffffff", len(cells))

    def _cell(self, box: LayoutBox, number: int, member: tuple[str, int] | None) -> str:
        """One cell of a tile: what it is of a kind, or its number."""
        fill = tint(colour(member[1]), 0.6) if member is not None else "#f3f0e6"
        ground = (
            f'<rect x="{box.left:.2f}" y="{box.top:.2f}" width="{box.width:.2f}" '
            f'height="{box.height:.2f}" fill="{fill}" stroke="{GREY}" stroke-width="0.3"/>'
        )
        x, y = box.left + box.width / 2, box.top + box.height / 2
        if member is None:
            return ground + _text(x, y + 2, str(number), 5.5, SOFT, True, "middle")
        kind, index = member
        sign = self._signs(KindT(kind))[index]
        made = fitted([self.rules.kinds[kind].words[index][0]], (box.width - 2, 4), 2.4, 1.6)
        word = _text(x, box.bottom - 2.4, made.lines[0][0], made.size, INK, False, "middle")
        return ground + icon(index, sign, x, y, box.width * 0.45) + word

    def _cell_fields(self, design: Design, number: int) -> list[tuple[str, int]]:
        """The members of the fields that say what each cell is: as many of one kind as cells."""
        fields = self.rules.components[design.component].fields
        values = dict(design.values)
        for kind in dict.fromkeys(t.name for _, t in fields if isinstance(t, KindT)):
            of = [values[n] for n, t in fields if t == KindT(kind)]
            if len(of) == number and all(isinstance(v, int) for v in of):
                return [(kind, v) for v in of if isinstance(v, int)]
        return []


def called(rules: Ruleset, design: Design) -> str:
    """What stands on a piece as its name: its title, or its component's."""
    if design.title:
        return design.title.split(" [")[0]
    word = rules.components[design.component].words[0]
    numbers = [v for n, v in design.values if n == "number" and isinstance(v, int)]
    return f"{word} {numbers[0]}" if numbers else word


def _bare(t: Type) -> Type:
    return t.of if isinstance(t, OptionalT) else t


def _kind(t: Type) -> str:
    inner = element(t) or _bare(t)
    return inner.name if isinstance(inner, KindT) else ""


def _members(t: Type, value: Value) -> list[int]:
    """The members of a kind that a field holds: one, or several; none if it is of no kind."""
    if not _kind(t) or value is None:
        return []
    if isinstance(value, frozenset):
        return [v for v in ordered(value) if isinstance(v, int)]
    items = value if isinstance(value, tuple) else (value,)
    return [v for v in items if isinstance(v, int)]


def _small_shape(form: str, box: LayoutBox) -> str:
    """A form as small squares in a box."""
    rows = form.split("/")
    size = min(box.width / max(map(len, rows)), box.height / len(rows), 6.0)
    return "".join(
        f'<rect x="{box.left + column * size:.2f}" y="{box.top + row * size:.2f}" '
        f'width="{size * 0.92:.2f}" height="{size * 0.92:.2f}" fill="{SOFT}"/>'
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter == "X"
    )


def _text(
    x: float, y: float, text: str, size: float, fill: str, bold: bool = False, anchor: str = "start"
) -> str:
    """A line of text that is as wide in any font as it was measured."""
    wide = width(text, size, bold)
    fixed = f' textLength="{wide:.2f}" lengthAdjust="spacingAndGlyphs"' if len(text) > 3 else ""
    weight = ' font-weight="bold"' if bold else ""
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}" fill="{fill}"{weight}{side}{fixed}>'
        f"{escape(_printable(text), quote=False)}</text>"
    )


def _printable(text: str) -> str:
    """The text without letters that no SVG may hold."""
    return "".join(
        c if c >= " " and not "\ud800" <= c <= "\udfff" and c < "\ufffe" else "□" for c in text
    )
