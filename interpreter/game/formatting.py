"""Values as people and files write them: members by name, sites by label, pieces by title; and back
again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TypeGuard

from interpreter.engine.clauses import Rules
from interpreter.model.errors import InputError
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo, Setup
from rulelang.core.bounds import LARGEST, SMALLEST
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    KindT,
    ListT,
    OptionalT,
    PairT,
    PieceT,
    SiteT,
    Type,
    element,
)
from rulelang.core.values import Json, Members, Value, numbers, ordered
from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import spoken

FIRST_AT = ", first at "  # behind a rectangle of cells, before that which comes first


def column_letters(column: int) -> str:
    """The letters of a column, counted from 0: a to z, then aa and so on."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(97 + rest) + letters
    return letters


class Presenter:
    """Writes values of one game as text and plain data, and reads them back."""

    def __init__(self, setup: Setup, rules: Rules) -> None:
        """Labels of sites may be a definition of the rules."""
        self.setup, self.rules = setup, rules
        self._same: dict[str, frozenset[str]] = {}

    # ---------------------------------------------------------------------------------------- text
    def text(self, value: Value, t: Type, s: Position) -> str:
        """A value in a few words."""
        if value is None:
            return "none"
        if isinstance(t, OptionalT):
            t = t.of
        inner = element(t)
        if inner is not None and isinstance(value, frozenset | tuple):
            return self._several(value, t, inner, s)
        if t == TRUTH:
            return "yes" if value else "no"
        if isinstance(t, PairT) and isinstance(value, tuple):
            parts = self.setup.rules.pairs[t.name].parts
            return " / ".join(self.text(v, p[1], s) for v, p in zip(value, parts, strict=True))
        return self._numbered(value, t, s) if isinstance(value, int) else str(value)

    def named(self, value: Value, t: Type, s: Position) -> str:
        """A value in a sentence: a piece without what is printed on it, if a number tells it from
        all others."""
        inner = t.of if isinstance(t, OptionalT) else t
        if isinstance(inner, PieceT) and isinstance(value, int):
            return self.called(value)
        return self.text(value, t, s)

    def called(self, piece: int) -> str:
        """A piece's title, or the number that no other design of its component bears."""
        design = self.setup.pieces[piece].design
        component = self.setup.rules.components[design.component]
        number = dict(design.values).get(self._telling.get(component.name, ""))
        if design.title or not number:
            return self.piece(piece)
        return f"{component.words[0]} {number}"

    @cached_property
    def _telling(self) -> dict[str, str]:
        """For each component without titles the first number in which all its designs differ that
        bear one."""
        found: dict[str, str] = {}
        for component in self.setup.rules.components.values():
            printed = [
                dict(d.values) for d in self.setup.rules.designs if d.component == component.name
            ]
            for name, t in component.fields:
                values = [values[name] for values in printed if values.get(name)]
                if t == NUMBER and len(values) > 1 and len(set(values)) == len(values):
                    found.setdefault(component.name, name)
        return found

    def _several(self, value: Members, t: Type, inner: Type, s: Position) -> str:
        """A set or list, member by member; a rectangle of cells still to come by its corners."""
        if (
            isinstance(t, ListT)
            and isinstance(inner, SiteT)
            and self._untouched(numbers(value), inner, s)
        ):
            return self._block(numbers(value), inner, s)
        return ", ".join(self.text(v, inner, s) for v in ordered(value)) or "none"

    def _numbered(self, value: int, t: Type, s: Position) -> str:
        """What is a number inside: a player, a piece, a site, a member of a kind, or a number."""
        if t == PLAYER:
            return f"player {value + 1}"
        match t:
            case PieceT():
                return self.piece(value)
            case SiteT():
                return self.label(value, t, s)
            case KindT():
                return self.member(t, value)
            case _:
                return str(value)

    def _untouched(self, sites: Sequence[int], t: SiteT, s: Position) -> bool:
        """Are these several cells that the board does not have yet, filling a rectangle of
        squares?
        """
        info = self.setup.boards[t.board]
        if (
            t.role != "cell"
            or info.grid.kind != "square"
            or len(sites) < 3
            or info.board.grown_from is None
        ):
            return False
        if any(c % info.cells in s.present(t.board, c // info.cells) for c in sites):
            return False
        spots = [info.grid.position(c % info.cells) for c in sites]
        width, height = (1 + max(p[i] for p in spots) - min(p[i] for p in spots) for i in (0, 1))
        return width * height == len(set(spots)) == len(sites)

    def _block(self, sites: Sequence[int], t: SiteT, s: Position) -> str:
        """A rectangle of cells by its corners, and where its first cell is, by which its turn is
        known.
        """
        low, high = (self.cell_label(site, t, s) for site in (min(sites), max(sites)))
        return f"{low} to {high}{FIRST_AT}{self.label(sites[0], t, s)}"

    def piece(self, piece: int) -> str:
        """A piece's title, or what is printed on it."""
        design = self.setup.pieces[piece].design
        if design.title:
            return design.title
        component = self.setup.rules.components[design.component]
        shown = []
        for name, value in design.values:
            t = component.field(name)
            t = t.of if isinstance(t, OptionalT) else t
            if name in self._alike(design.component):
                continue
            if isinstance(value, int) and not isinstance(value, bool) and isinstance(t, KindT):
                shown.append(self.member(t, value))
            elif value not in (None, "", frozenset(), (), False):
                shown.append(str(value))
        return f"{component.words[0]} {' '.join(shown)}".strip()

    def exact(self, piece: int) -> str:
        """A piece's title with its number, which tells it from every other."""
        return f"{self.piece(piece)}#{piece}"

    def _alike(self, component: str) -> frozenset[str]:
        """The fields in which no two designs of a component differ: they name nothing."""
        found = self._same.get(component)
        if found is None:
            printed = [dict(d.values) for d in self.setup.rules.designs if d.component == component]
            found = frozenset(
                name
                for name in printed[0]
                if len(printed) > 1
                and all(values.get(name) == printed[0][name] for values in printed)
            )
            self._same[component] = found
        return found

    def member(self, t: KindT, value: int) -> str:
        """A member of a kind, as it is read."""
        if t.name == "direction":
            for info in self.setup.boards.values():
                return info.grid.directions[value]
        if t.name in self.setup.rules.kinds:
            return self.setup.rules.kinds[t.name].words[value][0]
        return spoken(str(self.setup.rules.options[t.name][value]))

    def name(self, t: KindT, value: int) -> str:
        """A member of a kind, as it is written in rules."""
        if t.name == "direction":
            return self.member(t, value)
        if t.name in self.setup.rules.kinds:
            return self.setup.rules.kinds[t.name].members[value]
        return str(self.setup.rules.options[t.name][value])

    def label(self, site: int, t: SiteT, s: Position) -> str:
        """A site's label: the board's own, or letter and number; a side by its cells, a corner by
        the cells around it.
        """
        info = self.setup.boards[t.board]
        copy, local = divmod(site, info.stride(t.role))
        whose = f" of player {copy + 1}" if info.copies > 1 else ""
        if t.role == "cell":
            return self.cell_label(site, t, s) + whose
        if t.role == "side":
            present = s.present(t.board, copy)
            cells = [c for c in info.grid.cells_of_side[local] if c in present]
            cell_t = SiteT(t.board, "cell", "cell")
            if len(cells) == 2:
                return (
                    "-".join(self.cell_label(c + copy * info.cells, cell_t, s) for c in cells)
                    + whose
                )
            if cells:
                d = info.grid.directions[info.grid.sides_of[cells[0]].index(local)]
                return f"{self.cell_label(cells[0] + copy * info.cells, cell_t, s)} {d}{whose}"
        return f"{t.name} {local}{whose}"

    def cell_label(self, cell: int, t: SiteT, s: Position) -> str:
        """A cell's label on its board; where no cell is yet, its place on the map."""
        info = self.setup.boards[t.board]
        copy, local = divmod(cell, info.cells)
        labels = info.board.labels
        if (
            labels is not None
            and labels in self.setup.rules.definitions
            and local in s.present(t.board, copy)
        ):
            return str(self.rules.definition(labels)(s, (cell,)))
        column, row = info.grid.position(local)
        return f"{column_letters(column)}{row + 1}"

    def ground(self, label: str, info: BoardInfo) -> int | None:
        """The cell of a place on the map, as `cell_label` tells it where no cell is yet: within one
        copy of a board; none if it is no such place.
        """
        found = re.fullmatch(r"([a-z]+)([1-9]\d*)", label)
        if found is None or len(label) > 8:
            return None
        column = 0
        for letter in found.group(1):
            column = column * 26 + ord(letter) - 96
        cell = info.grid.cell(column - 1, int(found.group(2)) - 1)
        return cell if cell >= 0 else None

    # ------------------------------------------------------------------------ plain data
    def data(self, value: Value, t: Type, s: Position) -> Json:
        """A value as plain data that `read` takes back: exact, not for show."""
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(t, OptionalT):
            t = t.of
        inner = element(t) or t
        if isinstance(value, frozenset):
            return sorted((self.data(v, inner, s) for v in value), key=repr)
        if isinstance(value, tuple):
            types = [inner] * len(value)
            if isinstance(t, PairT):
                types = [part for _, part in self.setup.rules.pairs[t.name].parts]
            return [self.data(v, part, s) for v, part in zip(value, types, strict=True)]
        if t == PLAYER:
            return f"p{value + 1}"
        match t:
            case PieceT():
                return self.exact(value)
            case KindT():
                return self.name(t, value)
            case SiteT():
                return f"{t.name}#{value}"
            case _:
                return value

    def read(
        self, data: object, t: Type, s: Position, among: Collection[Value] | None = None
    ) -> Value:
        """A value from plain data: its exact form, or a title, a label, a number on the board.

        Of several pieces of a title one of `among` is preferred. Raises InputError saying what was
        not understood.
        """
        if isinstance(t, OptionalT):
            return None if data is None else self.read(data, t.of, s, among)
        if isinstance(data, int) and not SMALLEST <= data <= LARGEST:
            raise InputError("a number that 64 bits cannot hold")
        inner = element(t)
        if inner is not None:
            items = data if isinstance(data, list | tuple | set | frozenset) else [data]
            made = [self.read(item, inner, s, among) for item in items]
            return tuple(made) if isinstance(t, ListT) else frozenset(made)
        found: Value = None
        match t:
            case PieceT():
                found = self._read_piece(data, t, among)
            case SiteT():
                found = self._read_site(data, t, s)
            case KindT():
                found = self._read_member(data, t)
            case PairT():
                found = self._read_pair(data, t, s)
            case _:
                found = self._read_simple(data, t)
        if found is None:
            raise InputError(f"{data!r} is no {t}")
        return found

    def _read_simple(self, data: object, t: Type) -> Value:
        """A truth, a number, a player or a text; none if the data is no such value."""
        if t == TRUTH:
            return data if isinstance(data, bool) else None
        if t == NUMBER:
            return data if _is_number(data) else None
        if t != PLAYER:
            return data if isinstance(data, str) else None
        players = self.setup.players
        if _is_number(data):
            return data if 0 <= data < players else None
        if isinstance(data, str) and data[:1] == "p" and data[1:].isdigit():
            return int(data[1:]) - 1 if 0 < int(data[1:]) <= players else None
        return None

    def _read_member(self, data: object, t: KindT) -> int | None:
        """A member of a kind by its name in the rules."""
        names = [self.name(t, member) for member in range(self.setup.kind_size(t.name))]
        if data in names:
            return names.index(str(data))
        return None

    def _read_pair(self, data: object, t: PairT, s: Position) -> Value:
        """The two parts of a pair."""
        if not isinstance(data, list | tuple) or len(data) != 2:
            return None
        parts = self.setup.rules.pairs[t.name].parts
        return tuple(self.read(d, p[1], s) for d, p in zip(data, parts, strict=True))

    def _read_piece(self, data: object, t: PieceT, among: Collection[Value] | None) -> int:
        """A piece by its number, its title and number, or its title alone."""
        pieces = self.setup.by_component[t.name]
        if _is_number(data) and data in pieces:
            return data
        if not isinstance(data, str):
            raise InputError(f"there is no {t} {data!r}")
        title, _, number = data.rpartition("#")
        piece = int(number) if number.isdigit() else None
        if piece is not None and piece in pieces and title.lower() == self.piece(piece).lower():
            return piece
        named = [p for p in pieces if self.piece(p).lower() == data.lower()]
        if not named:
            raise InputError(f"there is no {t} {data!r}{self._titled_like(data, t)}")
        return next((p for p in named if among is not None and p in among), named[0])

    def _titled_like(self, text: str, t: PieceT) -> str:
        """The title that was probably meant, as the end of a message."""
        titles = {self.piece(p).lower() for p in self.setup.by_component[t.name]}
        meant = nearest(text.lower(), titles, 1)
        return f"; did you mean {meant[0]!r}?" if meant else ""

    def _read_site(self, data: object, t: SiteT, s: Position) -> int:
        """A site by its exact form or by its label on the board."""
        info = self.setup.boards[t.board]
        stride = info.stride(t.role)
        if isinstance(data, str) and data.startswith(f"{t.name}#"):
            number = data.rpartition("#")[2]
            if number.isdigit() and int(number) < info.copies * stride:
                return int(number)
        said = re.sub(r" of p(\d+)$", r" of player \1", str(data))
        for copy in range(info.copies):
            for local in _sites(info, t.role, s.present(t.board, copy)):
                site = local + copy * stride
                if self.label(site, t, s) == said:
                    return site
        raise InputError(f"there is no {t.name} {data!r}")


def _is_number(data: object) -> TypeGuard[int]:
    return isinstance(data, int) and not isinstance(data, bool)


def _sites(info: BoardInfo, role: str, cells: Iterable[int]) -> list[int]:
    """The sites of a role around these cells of one copy of a board, in order."""
    if role == "cell":
        return sorted(cells)
    sides = {side for c in cells for side in info.grid.sides_of[c]}
    if role == "corner":
        return sorted({end for side in sides for end in info.grid.ends_of_side[side]})
    return sorted(sides)
