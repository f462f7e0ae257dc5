"""Boards drawn as text from their geometry alone: cells with labels, what lies on cells, sides and corners."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.game import Game
from interpreter.geometry import Grid, bounds
from interpreter.present import column_letters
from interpreter.setup import BoardInfo
from interpreter.state import Position
from rulelang.types import NUMBER, PLAYER, TRUTH, OptionalT, PieceT, SiteT, Type

Point = tuple[int, int]
_HEIGHT = 3  # lines from one row of cells to the next: a border, the labels, what lies there


@dataclass
class Signs:
    """Short signs for what lies on a board, each thing always the same one."""

    longest: int
    known: dict[str, str] = field(default_factory=dict)  # what it is -> its sign
    plain: set[str] = field(default_factory=set)  # signs that need no legend

    def of(self, text: str) -> str:
        """The sign of a thing: the first letters of its words, or the shortest other letters that are still free."""
        if text not in self.known:
            taken = set(self.known.values())
            self.known[text] = next(sign for sign in _candidates(text, self.longest) if sign not in taken)
        return self.known[text]

    def as_is(self, text: str) -> str:
        """A sign that says itself, such as a number."""
        self.known.setdefault(text, text)
        self.plain.add(text)
        return self.known[text]

    def legend(self) -> list[str]:
        """What the signs mean, in order."""
        return [f"{sign} {text}" for text, sign in sorted(self.known.items(), key=lambda item: item[1].lower()) if text not in self.plain]


def _candidates(text: str, longest: int) -> Any:
    words = "".join(c if c.isalnum() else " " for c in text).split() or ["x"]
    letters = "".join(words)
    if longest > 1:
        initials = "".join(w[0] for w in words)[:longest]
        yield initials.upper() if len(initials) > 1 else letters[:2].capitalize()
        yield letters[:longest].capitalize()
        yield from ((words[0][0] + c).capitalize() for c in letters[1:])
    else:
        yield from (c.upper() for c in letters)
        yield from "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz"
    number = 1
    while True:
        yield f"{words[0][0].upper()}{number}"
        number += 1


@dataclass(frozen=True)
class _Layout:
    """Where cells stand: `width` columns from one to the next, every row `shift` columns further right."""

    grid: Grid
    width: int
    shift: int

    def corner(self, cell: int) -> Point:
        column, row = self.grid.position(cell)
        return column * self.width + row * self.shift, row * _HEIGHT

    def points(self, cell: int) -> list[Point]:
        """The corners around a cell, as the grid has them: side d runs from point d to the next."""
        x, y = self.corner(cell)
        w, h = self.width, _HEIGHT
        if self.grid.kind == "square":
            return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        return [(x + w // 2, y), (x + w, y), (x + w, y + h), (x + w // 2, y + h), (x, y + h), (x, y)]

    def side(self, cell: int, d: int) -> tuple[Point, list[tuple[Point, str]]]:
        """The middle of a side, and the characters it is drawn with."""
        x, y = self.corner(cell)
        w, h = self.width, _HEIGHT
        upright = {"square": {1: x + w, 3: x}, "hex": {1: x + w, 4: x}}[self.grid.kind]
        if d in upright:
            return (upright[d], y + 2), [((upright[d], y + k), "|") for k in range(1, h)]
        if self.grid.kind == "square":
            at = y if d == 0 else y + h
            return (x + w // 2, at), [((x + k, at), "-") for k in range(1, w)]
        slant = (x + w - w // 4 if d in (0, 2) else x + w // 4, y if d in (0, 5) else y + h)
        return slant, [(slant, "\\" if d in (0, 3) else "/")]


def draw_board(game: Game, s: Position, name: str, copy: int = 0, marked: frozenset[int] = frozenset()) -> list[str]:
    """One board (of one player, if each has his own) as lines of text, with a legend below; marked cells bear a star after their label."""
    info = game.setup.boards[name]
    present = s.present(name, copy)
    if not present:
        return ["(nothing lies there yet)"]
    base = copy * info.cells
    t = SiteT(name, "cell", dict(info.board.roles).get("cell", "cell"))
    signs, lines = Signs(3), Signs(1)
    texts = {c: _cell_text(game, s, info, c + base, signs) for c in present}
    labels = {c: game.presenter.cell_label(c + base, t, s) + ("*" if c in marked else "") for c in present}
    room = 2 if any(s.on[layer.name] for layer in info.board.layers if layer.role != "cell") else 1
    needed = max(max(map(len, labels.values())) + 1, max(map(len, texts.values())) + room, 4)
    layout = _Layout(info.grid, needed + needed % 2, 0 if info.grid.kind == "square" else (needed + needed % 2) // 2)
    canvas: dict[Point, str] = {}
    for cell in sorted(present):
        _outline(canvas, layout, cell, game, s, info, base, present)
    for cell in present:
        x, y = layout.corner(cell)
        _write(canvas, (x + 1, y + 1), labels[cell])
        _write(canvas, (x + 1 + (layout.width - 1 - len(texts[cell])) // 2, y + 2), texts[cell])
    if info.board.grown_from is not None:
        _rulers(canvas, layout, present)
    _sides(canvas, layout, game, s, info, base, present, lines)
    legend = [*signs.legend(), *lines.legend()]
    return [*_rows(canvas), *_folded(legend)]


def draw_boards(game: Game, s: Position) -> list[str]:
    """All boards one under the other, each player's own with its player's name."""
    found: list[str] = []
    for name, info in game.setup.boards.items():
        for copy in range(info.copies):
            if info.copies > 1:
                found.append(f"{name} of player {copy + 1}")
            elif len(game.setup.boards) > 1:
                found.append(name)
            found += draw_board(game, s, name, copy)
    return found


def _rulers(canvas: dict[Point, str], layout: _Layout, present: frozenset[int]) -> None:
    """Letters over the columns and numbers beside the rows, by which places are named where no cell is yet."""
    left, top, right, bottom = bounds(layout.grid, present)
    x, y = layout.corner(layout.grid.cell(left, top))
    for row in range(top, bottom + 1):
        _write(canvas, (x - 4, layout.corner(layout.grid.cell(left, row))[1] + 2), f"{row + 1:>3}")
    for column in range(left, right + 1):
        letters = column_letters(column)
        _write(
            canvas,
            (layout.corner(layout.grid.cell(column, top))[0] + (layout.width - len(letters) + 1) // 2, y - 1),
            letters,
        )


def _rows(canvas: dict[Point, str]) -> list[str]:
    left, top = min(x for x, _ in canvas), min(y for _, y in canvas)
    right, bottom = max(x for x, _ in canvas), max(y for _, y in canvas)
    return ["".join(canvas.get((x, y), " ") for x in range(left, right + 1)).rstrip() for y in range(top, bottom + 1)]


def _folded(words: list[str], width: int = 100) -> list[str]:
    found: list[str] = []
    for word in words:
        if found and len(found[-1]) + len(word) + 3 <= width:
            found[-1] += " · " + word
        else:
            found.append(word)
    return found


def _write(canvas: dict[Point, str], at: Point, text: str) -> None:
    for index, char in enumerate(text):
        canvas[at[0] + index, at[1]] = char


# ------------------------------------------------------------------------------------------------ borders
def _outline(
    canvas: dict[Point, str],
    layout: _Layout,
    cell: int,
    game: Game,
    s: Position,
    info: BoardInfo,
    base: int,
    present: frozenset[int],
) -> None:
    """Borders round a cell: none inside one piece, thin inside one tile."""
    grid = info.grid
    for d in range(len(grid.directions)):
        other = grid.step[d][cell]
        inside = other in present and bool(_spanning(s, info, cell + base) & _spanning(s, info, other + base))
        thin = other in present and info.board.grown_from is not None and _tile(s, info, cell + base) == _tile(s, info, other + base)
        for at, char in layout.side(cell, d)[1]:
            canvas[at] = " " if inside else {"-": "." if at[0] % 2 else " ", "|": ":"}.get(char, char) if thin else char
    if grid.kind == "square":
        for point in layout.points(cell):
            canvas[point] = "+"


def _spanning(s: Position, info: BoardInfo, cell: int) -> set[int]:
    """The pieces on top of a cell that cover more than one."""
    found = set()
    for layer in info.board.layers:
        here = s.on[layer.name].get(cell, ()) if layer.role == "cell" else ()
        if here and len(s.where[here[-1]][2]) > 1:
            found.add(here[-1])
    return found


def _tile(s: Position, info: BoardInfo, cell: int) -> int:
    return s.tiles[info.board.name][cell][0]


def _sides(
    canvas: dict[Point, str],
    layout: _Layout,
    game: Game,
    s: Position,
    info: BoardInfo,
    base: int,
    present: frozenset[int],
    signs: Signs,
) -> None:
    """What lies on sides and corners takes the place of the border there."""
    grid, copy = info.grid, base // info.cells if info.cells else 0
    for cell in sorted(present):
        for d, side in enumerate(grid.sides_of[cell]):
            text = _site_text(game, s, info, "side", side + copy * info.sides)
            if text:
                middle, drawn = layout.side(cell, d)
                for at, char in drawn:
                    canvas[at] = {"-": "=", "|": "#"}.get(char, char)
                canvas[middle] = signs.of(text)
        for d, point in enumerate(layout.points(cell)):
            ends = set(grid.ends_of_side[grid.sides_of[cell][d]]) & set(grid.ends_of_side[grid.sides_of[cell][d - 1]])
            text = _site_text(game, s, info, "corner", next(iter(ends)) + copy * info.corners)
            if text:
                canvas[point] = signs.of(text)


# ------------------------------------------------------------------------------------------------ what lies there
def _site_text(game: Game, s: Position, info: BoardInfo, role: str, site: int) -> str:
    found = []
    for layer in info.board.layers:
        if layer.role == role:
            found += [_piece(game, p) for p in s.on[layer.name].get(site, ())]
    found += [text for text, _ in _variables(game, s, info, role, site)]
    return ", ".join(found)


def _cell_text(game: Game, s: Position, info: BoardInfo, cell: int, signs: Signs) -> str:
    """The signs of what lies on a cell (the top of a stack, and how many below it) and of its variables."""
    found = []
    for layer in info.board.layers:
        here = s.on[layer.name].get(cell, ()) if layer.role == "cell" else ()
        if here:
            found.append(signs.of(_piece(game, here[-1])) + (f"+{len(here) - 1}" if len(here) > 1 else ""))
    for name in info.board.shows:
        value = game.rules.definition(name)(s, (cell,))
        if value is not None and value is not False:
            text, itself = _value(game, s, value, game.rules_source.definitions[name].type, name)
            found.append(signs.as_is(text) if itself else signs.of(text))
    for text, itself in _variables(game, s, info, "cell", cell):
        found.append(signs.as_is(text) if itself else signs.of(text))
    return " ".join(found)


def _piece(game: Game, piece: int) -> str:
    owner = game.setup.pieces[piece].owner
    return game.presenter.piece(piece) + (f" of player {owner + 1}" if owner is not None else "")


def _variables(game: Game, s: Position, info: BoardInfo, role: str, site: int) -> list[tuple[str, bool]]:
    """What the variables of a site hold, where it is not what they began with; and does it say itself?"""
    found: list[tuple[str, bool]] = []
    for name, variable in game.rules_source.states.items():
        if not isinstance(variable.of, SiteT) or (variable.of.board, variable.of.role) != (info.board.name, role) or variable.visibility != "public":
            continue
        value = dict(s.changed(name)).get(site)
        if value is not None:
            found.append(_value(game, s, value, variable.type, name))
    return found


def _value(game: Game, s: Position, value: Any, t: Type, name: str) -> tuple[str, bool]:
    inner = t.of if isinstance(t, OptionalT) else t
    if inner == PLAYER:
        return f"p{value + 1}", True
    if inner == NUMBER:
        return str(value), True
    if inner == TRUTH:
        return name.replace("_", " "), False
    if isinstance(inner, PieceT) and isinstance(value, int):
        return _piece(game, value), False
    return game.presenter.text(value, t, s), False
