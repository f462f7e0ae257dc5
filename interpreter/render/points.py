"""Maps that are no grid: where their points lie, how they are linked and what is there; drawn as
text, links as lines, at each point its name and what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter.game.game import Game
from interpreter.game.worked_out import WorkedOut
from interpreter.model.position import Position, empty_position
from interpreter.model.values import Fault
from interpreter.render import tokens
from interpreter.render.canvas import Canvas, Point, cut, folded
from interpreter.render.glyphs import MARKS, Signs, player_style
from interpreter.render.look import Look
from rulelang.core.types import PLAYER, TRUTH, KindT, Type
from rulelang.core.values import Value
from rulelang.diagnostics.english import spoken

if TYPE_CHECKING:
    from interpreter.render.graph_layout import Spot

ROLE = "point"  # of a site that is a point, where sites are pointed at
_HEIGHT = 3  # lines from one row of points to the next
_LEGEND = 100  # letters of a line of the legend
_FURTHEST = 60  # columns and rows of points
_STEEP = 3  # columns a line goes aside in one row before it is drawn as level

Styled = tuple[str, str]


def draw_map(game: Game, s: Position, name: str, look: Look) -> list[Text]:
    """The map of a kind, with its legend."""
    return _PointDrawing(game, s, name, look).rows()


def lying(game: Game, s: Position, name: str, point: int) -> list[str]:
    """What is at a point of a map, in words."""
    there = AtPoints(game, s, name, Signs(2))
    there.at(point)
    return [meaning for _, meaning in (*there.signs.legend(), *there.meanings())]


# -------------------------------------------------------------------------------- where points lie
def places(game: Game, name: str) -> tuple[Spot, ...]:
    """Where the points of a map lie, 1 from the nearest: as its layout says, else as they are
    linked.
    """
    declared = game.rules_source.maps[name].spots
    if declared:
        return tuple((float(x - 1), float(y - 1)) for x, y in declared)
    return _laid_out(game)[name]


def _by_links(game: Game) -> dict[str, tuple[Spot, ...]]:
    """The maps whose points have no places of their own, laid out by their links as they are before
    anything has happened, so that no point moves while play goes on.
    """
    from interpreter.render.graph_layout import graph_layout  # only here: networkx is slow to load

    found, s = {}, empty_position(game.setup, 0)
    for name, point_map in game.rules_source.maps.items():
        if not point_map.spots:
            try:
                linked = frozenset((one, other) for one, other, _ in links(game, s, name))
            except Fault:  # of a relation that only holds in play
                linked = frozenset()
            found[name] = graph_layout(len(game.rules_source.kinds[name].members), linked)
    return found


_laid_out = WorkedOut(_by_links)


def links(game: Game, s: Position, name: str) -> Iterator[tuple[int, int, bool]]:
    """Pairs of points that are linked, and whether that is both ways; else from the first."""
    relations = [game.rules.definition(link) for link in game.rules_source.maps[name].links]
    for one, other in combinations(range(len(game.rules_source.kinds[name].members)), 2):
        there = any(relation(s, (one, other)) for relation in relations)
        back = any(relation(s, (other, one)) for relation in relations)
        if there or back:
            yield (one, other, back) if there else (other, one, False)


class AtPoints:
    """What is at the points of a map, as signs, and what these mean."""

    def __init__(self, game: Game, s: Position, name: str, signs: Signs) -> None:
        """`signs` are given out as things are met."""
        self.game, self.s, self.map, self.signs = game, s, game.rules_source.maps[name], signs
        self.type = KindT(name)
        truths = [n for n in self.map.shows if self._is_mark(n)]
        self.marks = {name: MARKS[n % len(MARKS)] for n, name in enumerate(truths)}
        self.marked: set[str] = set()

    def label(self, point: int) -> str:
        """The name of a point."""
        return self.game.presenter.member(self.type, point)

    def at(self, point: int) -> tuple[str, list[Styled]]:
        """The marks of a point, and the signs of what is there."""
        marks, found = "", list[Styled]()
        for name in self.map.shows:
            for text, style in self._shown(name, point):
                if name in self.marks:
                    marks += text
                else:
                    found.append((text, style))
        return marks, found

    def meanings(self) -> list[tuple[str, str]]:
        """The marks that were used, and what they mean."""
        return [
            (mark, tokens.meaning(self.game, name, None))
            for name, mark in self.marks.items()
            if name in self.marked
        ]

    def _is_mark(self, name: str) -> bool:
        known = self.game.rules_source.definitions.get(name)
        variable = self.game.rules_source.states.get(name)
        by_point = variable is not None and variable.of == self.type and variable.type == TRUTH
        return by_point or (variable is None and known is not None and known.type == TRUTH)

    def _shown(self, name: str, point: int) -> Iterator[Styled]:
        """What a variable or definition says of a point."""
        variable = self.game.rules_source.states.get(name)
        if variable is None:
            known = self.game.rules_source.definitions[name]
            value = self.game.rules.definition(name)(self.s, (point,))
            yield from self._value(name, value, known.type)
        elif variable.of == self.type:
            yield from self._value(name, self._of(name, point), variable.type)
        elif variable.of == PLAYER:
            for player in range(self.game.players):
                if self._is_at(self._of(name, player), point):
                    yield self.signs.of(spoken(name), player), player_style(player)
        elif self._is_at(self._of(name, None), point):
            yield self.signs.of(spoken(name)), "bold"

    def _of(self, name: str, index: int | None) -> Value:
        changed = dict(self.s.changed(name))
        return changed.get(index, self.s.setup.defaults[name])

    def _is_at(self, value: Value, point: int) -> bool:
        return point in value if isinstance(value, frozenset | tuple) else value == point

    def _value(self, name: str, value: Value, t: Type) -> Iterator[Styled]:
        """The signs of a value; a mark for what is so, nothing for what is not."""
        if name in self.marks:
            if value:
                self.marked.add(name)
                yield self.marks[name], "bold yellow"
        elif value is not None and value != self._usual(name):
            yield from tokens.signs_of(self.game, self.s, value, t, name, self.signs)

    def _usual(self, name: str) -> Value:
        """What a variable begins with, which is not drawn."""
        return self.s.setup.defaults.get(name)


class _PointDrawing:
    """One map on a canvas."""

    def __init__(self, game: Game, s: Position, name: str, look: Look) -> None:
        from interpreter.render.graph_layout import on_grid  # only here: networkx is slow to load

        self.game, self.s, self.name, self.look = game, s, name, look
        self.there, self.canvas = AtPoints(game, s, name, Signs(2)), Canvas()
        self.spots = on_grid(places(game, name), _FURTHEST)

    def rows(self) -> list[Text]:
        """The drawing and its legend."""
        points = range(len(self.spots))
        told = {point: self._told(point) for point in points}
        longest = max(sum(len(text) for text, _ in parts) for parts in told.values())
        step = self._step(longest)
        at = {p: ((x - 1) * step, (y - 1) * _HEIGHT) for p, (x, y) in enumerate(self.spots)}
        for one, other, _ in links(self.game, self.s, self.name):
            self._line(at[one], at[other])
        for point in points:
            self._write(at[point], told[point])
        rows = cut(self.canvas.rows(self.look.boxes), self.look.width, step, 0)
        return [*rows, *folded(self._legend(), min(self.look.width or _LEGEND, _LEGEND))]

    def _told(self, point: int) -> list[Styled]:
        """The name of a point, its marks, the signs of what is there, and what points at it."""
        marks, signed = self.there.at(point)
        found: list[Styled] = [(self.there.label(point), "dim"), (marks, "bold yellow")]
        for number, sign in enumerate(signed):
            found += [("+" if number else ":", ""), sign]
        pointed = self.look.at(self.name, ROLE, point)
        return [*found, *([(f" {pointed}", "reverse")] if pointed else [])]

    def _step(self, longest: int) -> int:
        """How many columns lie from one column of points to the next: narrow if it must be."""
        step = longest + 3 + (longest + 3) % 2
        columns = max(x for x, _ in self.spots) - 1
        if self.look.width is None or columns < 1:
            return step
        return min(step, max(longest + 1, (self.look.width - longest) // columns))

    def _write(self, at: Point, parts: list[Styled]) -> None:
        """The name of a point with what is there, around its place."""
        x = at[0] - sum(len(text) for text, _ in parts) // 2
        for text, style in parts:
            self.canvas.write((x, at[1]), text, style)
            x += len(text)

    def _legend(self) -> list[Text]:
        """What the signs and marks mean that were used."""
        signs = [
            Text.assemble((sign, "bold"), f" {text}") for sign, text in self.there.signs.legend()
        ]
        return signs + [
            Text.assemble((mark, "bold yellow"), f" {text}") for mark, text in self.there.meanings()
        ]

    # -------------------------------------------------------------------------------------- lines
    def _line(self, one: Point, other: Point) -> None:
        """A line between two points, in letters that lean as it does."""
        (x1, y1), (x2, y2) = sorted((one, other), key=lambda p: (p[1], p[0]))
        across, down = x2 - x1, y2 - y1
        if not down:
            for x in range(x1 + 1, x2):
                self.canvas.line((x, y1), "-", "dim")
            return
        if abs(across) > _STEEP * down * 2:
            self._level(x1, y1, x2, y2)
            return
        letter = "|" if not across else "\\" if across > 0 else "/"
        for y in range(y1 + 1, y2):
            x = x1 + round(across * (y - y1) / down)
            if letter == "|":
                self.canvas.line((x, y), letter, "dim")
            else:
                self.canvas.put((x, y), letter, "dim")

    def _level(self, x1: int, y1: int, x2: int, y2: int) -> None:
        """A line that goes further aside than down, letter by letter."""
        step = 1 if x2 > x1 else -1
        for x in range(x1 + step, x2, step):
            y = y1 + round((y2 - y1) * (x - x1) / (x2 - x1))
            self.canvas.put((x, y), ".", "dim")
