"""Boards drawn from their geometry alone: cells with labels and marks, what lies on cells, sides
and corners, in colours where there are any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.text import Text

from interpreter.game.formatting import column_letters
from interpreter.game.game import Game
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo
from interpreter.render import tokens
from interpreter.render.canvas import Canvas, Point, cut, folded
from interpreter.render.glyphs import MARKS, Signs
from interpreter.render.look import PLAIN, Look
from interpreter.render.points import draw_map
from interpreter.render.windows import first_of, nearest_of
from rulelang.core.types import TRUTH, SiteT
from rulelang.geometry.grid import Grid, bounds

_HEIGHT = 3  # lines from one row of cells to the next: a border, the labels, what lies there
_LEGEND = 100  # letters of a line of the legend
_LARGE = 49  # cells of a board that is always drawn whole
_HUGE = 225  # cells of a board that is never drawn further than something lies, or is pointed at
_MARGIN = 2  # cells drawn around what lies on a larger one
_RULER = 4  # columns for the numbers beside a grown board

Styled = tuple[str, str]  # a text and its style


@dataclass(frozen=True)
class _Layout:
    """Where cells stand: `width` columns from one to the next, every row `shift` columns further
    right."""

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
        return [
            (x + w // 2, y),
            (x + w, y),
            (x + w, y + h),
            (x + w // 2, y + h),
            (x, y + h),
            (x, y),
        ]

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


def _length(parts: list[Styled]) -> int:
    """How many columns parts take with a blank between them."""
    return sum(len(text) for text, _ in parts) + len(parts) - 1


class _Drawing:
    """One board (of one player, if each has his own) on a canvas."""

    def __init__(self, game: Game, s: Position, name: str, copy: int, look: Look) -> None:
        self.name = name
        self.game, self.s, self.info, self.look, self.copy = (
            game,
            s,
            game.setup.boards[name],
            look,
            copy,
        )
        self.base = copy * self.info.cells
        pointed = {
            site - self.base
            for (board, role, site) in look.pointed
            if board == name and role == "cell" and 0 <= site - self.base < self.info.cells
        }
        self.present = s.present(name, copy)
        self.huge = self.info.board.grown_from is None and len(self.present) > _HUGE
        if self.huge and len(pointed) > _HUGE:  # anywhere will do
            pointed = set()
        self.signs, self.lines, self.canvas = Signs(3), Signs(1), Canvas()
        self.contents: dict[int, list[Styled]] = {}
        marked = _marked(game, self.info)
        self.marks = {name: MARKS[n % len(MARKS)] for n, name in enumerate(marked)}
        self.marked: set[str] = set()
        near = self.huge or look.near
        shown = (self._near(pointed) if near else self.present) | pointed
        if look.only is not None:
            shown &= {cell - self.base for cell in look.only}
        self.cells = sorted(self._window(shown, pointed) if look.near and look.height else shown)
        self.windowed = len(self.cells) < len(shown)

    def rows(self) -> list[Text]:
        """The drawing and its legend."""
        drawn, legend = self.parts()
        return [*drawn, *folded(legend, min(self.look.width or _LEGEND, _LEGEND))]

    def parts(self) -> tuple[list[Text], list[Text]]:
        """The drawing, and what its signs mean one by one."""
        if not self.cells:
            wide = f"{self.info.grid.width} by {self.info.grid.height}: " if self.huge else ""
            return [Text(f"({wide}nothing lies there yet)")], []
        grown = self.info.board.grown_from is not None
        if self.look.near and self.look.height and self.look.width:
            self._narrow(self.look.width - 1 - (_RULER if grown else 0))
        contents, labels = self._written()
        width = self._cell_width(contents, labels)
        layout = _Layout(
            self.info.grid, width, 0 if self.info.grid.kind == "square" else width // 2
        )
        for cell in self.cells:
            self._outline(layout, cell)
        for cell in self.cells:
            self._write_cell(layout, cell, labels[cell], contents[cell])
        if grown:
            self._rulers(layout)
        self._sides(layout)
        drawn = cut(
            self.canvas.rows(self.look.boxes), self.look.width, layout.width, _RULER if grown else 0
        )
        return [*drawn, *self._further()], self._legend()

    def _further(self) -> list[Text]:
        """A line that says what lies beyond what is drawn, if anything may."""
        if len(self.cells) == len(self.present) or self.look.only is not None:
            return []
        further = "" if self.huge and not self.windowed else ": `map`"
        lies = "more" if self.windowed else "nothing"
        return [Text(f"({lies} further out{further})", style="dim")]

    def _cell_width(
        self, contents: Mapping[int, list[Styled]], labels: Mapping[int, tuple[str, str]]
    ) -> int:
        """How many columns a cell takes, an even number, so that all is read."""
        edges = any(
            self.s.on[layer.name] for layer in self.info.board.layers if layer.role != "cell"
        )
        longest = max(_length(parts) for parts in contents.values())
        label = max(len(text) + len(marks) for text, marks in labels.values())
        needed = max(label + 1, longest + (2 if edges else 1), 4)
        return needed + needed % 2

    def _write_cell(
        self, layout: _Layout, cell: int, label: tuple[str, str], content: list[Styled]
    ) -> None:
        """The label of a cell with its marks, and below them what lies there, in the middle."""
        x, y = layout.corner(cell)
        self.canvas.write((x + 1, y + 1), label[0], "dim")
        self.canvas.write((x + 1 + len(label[0]), y + 1), label[1], "bold yellow")
        at = x + 1 + (layout.width - _length(content) - 1) // 2
        for text, style in content:
            self.canvas.write((at, y + 2), text, style)
            at += len(text) + 1

    def _near(self, pointed: set[int]) -> frozenset[int]:
        """Of a large board the cells near to what lies there, in a rectangle of columns and rows.

        Of any other, or an empty one, all, of a huge one those of numbered options, if any.
        """
        grid = self.info.grid
        taken = [c for c in self.present if c in pointed or self._content(c)]
        if len(self.present) <= _LARGE or self.info.board.grown_from is not None:
            return self.present
        if not taken:
            return frozenset() if self.huge else self.present
        left, top, right, bottom = bounds(grid, frozenset(taken))
        margin = _MARGIN if any(not self._is_pointed(c) for c in taken) else 0
        columns, rows = (
            range(left - margin, right + margin + 1),
            range(top - margin, bottom + margin + 1),
        )
        return frozenset(
            c
            for c in self.present
            if grid.position(c)[0] in columns and grid.position(c)[1] in rows
        )

    def _window(self, shown: frozenset[int], pointed: set[int]) -> frozenset[int]:
        """Of cells that do not fit the screen those with most that are pointed at, else those
        around the last move, else around the middle.

        Cells around what lies there go first.
        """
        rows = max(((self.look.height or 0) - 2) // _HEIGHT, 3)
        rows_of = {cell: self.info.grid.position(cell)[1] for cell in shown}
        if not shown or max(rows_of.values()) - min(rows_of.values()) < rows:
            return shown
        taken = [y for cell, y in rows_of.items() if self._lies(cell)] or [*rows_of.values()]
        low, high = min(taken), max(taken)
        first = low - (rows - 1 - (high - low)) // 2
        if high - low >= rows:
            last = self._last_row(rows_of, taken)
            first = min(max(last - rows // 2, low), high - rows + 1)
        if pointed:
            first = nearest_of([rows_of[cell] for cell in pointed], rows, first)
        return frozenset(c for c, y in rows_of.items() if first <= y < first + rows)

    def _narrow(self, room: int) -> None:
        """Of columns of squares that do not fit so much room keep those with most that is pointed
        at, of the last move, and of what lies there."""
        fitting = max(room // self._cell_width(*self._written()), 2)
        column = {c: self.info.grid.position(c)[0] for c in self.cells}
        if self.info.grid.kind != "square" or len(set(column.values())) <= fitting:
            return
        recent = {cell - self.base for name, cell in self.look.recent if name == self.name}
        kinds = (self._is_pointed, recent.__contains__, self._lies)
        wanted = [[column[c] for c in self.cells if is_so(c)] for is_so in kinds]
        first = first_of(set(column.values()), fitting, wanted)
        left_out = [c for c in self.cells if not first <= column[c] < first + fitting]
        self.windowed |= any(map(self._lies, left_out))
        self.cells = sorted(set(self.cells) - set(left_out))

    def _written(self) -> tuple[dict[int, list[Styled]], dict[int, tuple[str, str]]]:
        """What lies on each cell that is drawn, and its label."""
        return {c: self._content(c) for c in self.cells}, {c: self._label(c) for c in self.cells}

    def _is_pointed(self, cell: int) -> bool:
        return bool(self.look.at(self.info.board.name, "cell", cell + self.base))

    def _last_row(self, rows_of: Mapping[int, int], taken: list[int]) -> int:
        """The row in which something happened last; else one in the middle of what lies there."""
        recent = {cell - self.base for name, cell in self.look.recent if name == self.name}
        rows = sorted(y for cell, y in rows_of.items() if cell in recent) or sorted(taken)
        return rows[len(rows) // 2]

    def _lies(self, cell: int) -> bool:
        """Does anything lie on a cell, or is it a part of a tile?"""
        return self.info.board.grown_from is not None or bool(self._content(cell))

    def _label(self, cell: int) -> tuple[str, str]:
        """A cell's label, what it is pointed at by (a number stands below), and the marks of what
        is so there."""
        t = SiteT(self.info.board.name, "cell", dict(self.info.board.roles).get("cell", "cell"))
        pointed = self.look.at(self.info.board.name, "cell", cell + self.base)
        marks = "" if pointed[:1].isdecimal() else pointed
        for name, mark in self.marks.items():
            if cell in self.present and tokens.shown(
                self.game, self.s, name, cell + self.base, self.look.viewer
            ):
                marks += mark
                self.marked.add(name)
        return self.game.presenter.cell_label(cell + self.base, t, self.s), marks

    def _content(self, cell: int) -> list[Styled]:
        """The signs of what lies on a cell, and what it is pointed at by; worked out once."""
        if cell not in self.contents:
            self.contents[cell] = self._signed(cell)
        return self.contents[cell]

    def _signed(self, cell: int) -> list[Styled]:
        pointed = self.look.at(self.info.board.name, "cell", cell + self.base)
        found = (
            tokens.on_cell(
                self.game, self.s, self.info, cell + self.base, self.signs, self.look.viewer
            )
            if cell in self.present
            else []
        )
        return [*found, *([(pointed, "reverse")] if pointed[:1].isdecimal() else [])]

    def _legend(self) -> list[Text]:
        drawn = " ".join(text for cell in self.cells for text, _ in self._content(cell))
        told = [
            Text.assemble((sign, "bold"), f" {text}")
            for signs in (self.signs, self.lines)
            for sign, text in signs.legend()
            if signs is self.lines or sign in drawn
        ]
        marks = [
            (mark, tokens.meaning(self.game, name, self.look.viewer))
            for name, mark in self.marks.items()
            if name in self.marked
        ]
        return [
            *told,
            *(Text.assemble((mark, "bold yellow"), f" {words}") for mark, words in marks),
        ]

    def _rulers(self, layout: _Layout) -> None:
        """Letters over the columns and numbers beside the rows, by which places are named where no
        cell is yet."""
        left, top, right, bottom = bounds(layout.grid, frozenset(self.cells))
        x, y = layout.corner(layout.grid.cell(left, top))
        for row in range(top, bottom + 1):
            self.canvas.write(
                (x - _RULER, layout.corner(layout.grid.cell(left, row))[1] + 2),
                f"{row + 1:>3}",
                "dim",
            )
        for column in range(left, right + 1):
            letters = column_letters(column)
            at = (
                layout.corner(layout.grid.cell(column, top))[0]
                + (layout.width - len(letters) + 1) // 2
            )
            self.canvas.write((at, y - 1), letters, "dim")

    # -------------------------------------------------------------------------------------- borders
    def _outline(self, layout: _Layout, cell: int) -> None:
        """Borders round a cell: none inside one piece, thin inside one tile and round a place
        without a cell."""
        grid = self.info.grid
        for d in range(len(grid.directions)):
            other = grid.step[d][cell]
            both = other in self.present and cell in self.present
            inside = both and bool(self._spanning(cell) & self._spanning(other))
            thin = (
                both
                and self.info.board.grown_from is not None
                and self._tile(cell) == self._tile(other)
            )
            for at, char in layout.side(cell, d)[1]:
                drawn = (
                    {"-": "." if at[0] % 2 else " ", "|": ":"}.get(char, char)
                    if thin or not (cell in self.present or other in self.present)
                    else char
                )
                self.canvas.line(at, drawn, "dim")
                if inside:
                    self.canvas.put(at, " ")
        if grid.kind == "square":
            for point in layout.points(cell):
                self.canvas.line(point, "+", "dim")

    def _spanning(self, cell: int) -> set[int]:
        """The pieces on top of a cell that cover more than one."""
        found = set()
        for layer in self.info.board.layers:
            here = self.s.on[layer.name].get(cell + self.base, ()) if layer.role == "cell" else ()
            at = self.s.where[here[-1]] if here else None
            if at is not None and len(at) == 3 and len(at[2]) > 1:
                found.add(here[-1])
        return found

    def _tile(self, cell: int) -> int:
        return self.s.tiles[self.info.board.name][cell + self.base][0]

    def _sides(self, layout: _Layout) -> None:
        """What lies on sides and corners takes the place of the border there."""
        grid, info = self.info.grid, self.info
        sides, corners = self._told_of("side"), self._told_of("corner")
        if not sides and not corners:
            return
        for cell in self.cells:
            for d, side in enumerate(grid.sides_of[cell]):
                site = side + self.copy * info.sides
                if site in sides:
                    self._put(info, "side", site, *layout.side(cell, d))
            for d, point in enumerate(layout.points(cell) if corners else ()):
                ends = set(grid.ends_of_side[grid.sides_of[cell][d]]) & set(
                    grid.ends_of_side[grid.sides_of[cell][d - 1]]
                )
                site = next(iter(ends)) + self.copy * info.corners
                if site in corners:
                    self._put(info, "corner", site, point, [])

    def _told_of(self, role: str) -> set[int]:
        """The sites of a role that are drawn as more than a border."""
        name = self.info.board.name
        pointed = {site for at, of, site in self.look.pointed if (at, of) == (name, role)}
        return pointed | tokens.occupied(self.game, self.s, self.info, role)

    def _put(
        self, info: BoardInfo, role: str, site: int, at: Point, drawn: list[tuple[Point, str]]
    ) -> None:
        sign, style = tokens.on_edge(self.game, self.s, info, role, site, self.lines)
        pointed = self.look.at(info.board.name, role, site)
        if sign:
            for point, char in drawn:
                self.canvas.line(point, {"-": "=", "|": "#"}.get(char, char), style)
        if sign or pointed:
            self.canvas.put(at, (pointed or sign)[:1], "reverse" if pointed else style)


def _marked(game: Game, info: BoardInfo) -> list[str]:
    """The definitions that a board shows as marks."""
    known = game.rules_source.definitions
    return [name for name in info.board.shows if known[name].type == TRUTH]


def draw_board(game: Game, s: Position, name: str, copy: int = 0, look: Look = PLAIN) -> list[Text]:
    """One board (of one player, if each has his own) as lines of text, with a legend below."""
    return _Drawing(game, s, name, copy, look).rows()


def draw_alike(
    looks: list[tuple[Game, Position, str, int, Look]], width: int | None
) -> tuple[list[list[Text]], list[Text]]:
    """Several drawings, and one legend for all where their signs mean the same; else each has its
    own below it."""
    made = [_Drawing(*look).parts() for look in looks]
    told = {line.plain: line for _, legend in made for line in legend}
    if len({said.partition(" ")[0] for said in told}) == len(told):
        legend = [told[said] for said in sorted(told, key=str.lower)]
        return [drawn for drawn, _ in made], folded(legend, min(width or _LEGEND, _LEGEND))
    return [[*drawn, *legend] for drawn, legend in made], []


def draw_boards(
    game: Game, s: Position, look: Look = PLAIN, player: int | None = None
) -> list[Text]:
    """The boards that are nobody's, or those of a player, one under the other.

    Each has its name if there are several.
    """
    found: list[Text] = []
    for name, info in game.setup.boards.items():
        if info.board.per_player == (player is not None):
            if len(game.setup.boards) > 1 or player is not None:
                found.append(
                    Text(
                        f"{name.replace('_', ' ')}"
                        + (f" of player {player + 1}" if player is not None else ""),
                        style="underline",
                    )
                )
            found += draw_board(game, s, name, player or 0, look)
    for name in game.rules_source.maps if player is None else ():
        found += draw_map(game, s, name, look)
    return found


def draw_all(game: Game, s: Position, look: Look = PLAIN) -> list[Text]:
    """All boards: first what is common, then player by player."""
    return [
        *draw_boards(game, s, look),
        *(line for p in range(game.players) for line in draw_boards(game, s, look, p)),
    ]
