"""Boards and places are entered: sites, layers, grids, and who sees what lies in a place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulelang.diagnostics.english import plural, spoken
from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import EVERYBODY, Board, Ground, Layer, Place
from rulelang.syntax.nodes import Node, plain

_ROLES = {"cells": "cell", "sides": "side", "corners": "corner"}
_VISIBILITY = ("public", "private", "hidden")


def texts_of(item: Node) -> list[str]:
    """The words of a setting as plain texts."""
    return [
        plain(part) if part.kind == "STRING" else part.text
        for part in item.parts
        if part is not None
    ]


def _bad_setting(symbols: SymbolTable, where: Node, key: str, expected: str) -> None:
    symbols.report.add("bad-setting", where.span, key=key, expected=expected)


# ------------------------------------------------------------------------ boards
def declare_sites(symbols: SymbolTable, node: Node) -> None:
    """Enter a board with its sites only, which the types of components and places may name."""
    word = node.part(0)
    if not symbols.declare("a board", word):
        return
    roles: list[tuple[str, str]] = []
    for setting in node.words("prop"):
        role = _ROLES.get(setting.part(0).text)
        if role is not None:
            name = setting.part(1).part(0)
            if symbols.declare(f"a {role} of the board {word.text}", name):
                roles.append((role, name.text))
                many = plural(spoken(name.text)).replace(" ", "_")
                symbols.plurals.setdefault(many, name.text)
    if not any(role == "cell" for role, _ in roles):
        expected = "a line such as `cells: space` that names the cells"
        _bad_setting(symbols, node, "cells", expected)
        roles.append(("cell", f"{word.text}_cell"))
    symbols.rules.boards[word.text] = Board(
        word.text, False, "square", 1, 1, None, tuple(roles), (), None
    )


@dataclass
class _Settings:
    """What the settings of a board say, as they are read."""

    grounds: list[Ground] = field(default_factory=list)
    grown_from: str | None = None
    layers: list[Layer] = field(default_factory=list)
    labels: str | None = None
    shows: tuple[str, ...] = ()


def declare_board(symbols: SymbolTable, node: Node) -> None:
    """Enter all that a board says of itself."""
    name = node.part(0).text
    board = symbols.rules.boards.get(name)
    if board is None or board.clause:
        return
    clause = symbols.clause("board", f"board {name}", "", node)
    found = _Settings()
    for setting in node.words("prop"):
        symbols.clause("board", f"board {name}", setting.part(0).text, setting)
        _read_setting(symbols, setting, board, found)
    others = [ground for ground in found.grounds if ground.players != EVERYBODY]
    for_all = [ground for ground in found.grounds if ground.players == EVERYBODY]
    if not found.grounds:
        expected = "a size (`grid: square, 3 by 3`) or what it grows from"
        _bad_setting(symbols, node, "grid", expected)
    ground = [Ground("square", 1, 1, EVERYBODY), *others[:1], *for_all][-1]
    words = node.words()
    symbols.rules.boards[name] = replace(
        board,
        per_player=len(words) > 1 and words[1].text == "player",
        grid=ground.grid,
        width=ground.width,
        height=ground.height,
        grown_from=found.grown_from,
        layers=tuple(found.layers),
        labels=found.labels,
        clause=clause,
        shows=found.shows,
        others=tuple(others),
    )


def _read_setting(symbols: SymbolTable, setting: Node, board: Board, found: _Settings) -> None:
    key = setting.part(0).text
    items = [texts_of(item) for item in setting.words("item")]
    if key in _ROLES:
        return  # read by declare_sites
    if key == "grid":
        ground, grown_from = _read_grid(symbols, setting, items)
        found.grown_from = grown_from or found.grown_from
        if ground is not None:
            found.grounds.append(ground)
    elif key == "labels":
        found.labels = items[0][0]
    elif key == "shows":
        found.shows = tuple(words[0] for words in items)
    else:
        layer = _read_layer(symbols, setting, items, board)
        if layer is not None:
            found.layers.append(layer)


def _read_layer(
    symbols: SymbolTable, setting: Node, items: list[list[str]], board: Board
) -> Layer | None:
    """The layer of `NAME: component on role`; None (reported) if it is none."""
    key, words = setting.part(0), items[0]
    roles = {name: role for role, name in board.roles}
    components = symbols.rules.components
    if len(words) == 3 and words[1] == "on" and words[0] in components and words[2] in roles:
        if not symbols.declare(f"a layer of the board {board.name}", key):
            return None
        return Layer(key.text, words[0], roles[words[2]], ["stacked"] in items)
    sites = ", ".join(sorted(roles))
    expected = f"`{key.text}: piece on site`, with a component and one of {sites}"
    _bad_setting(symbols, setting, key.text, expected)
    return None


def _read_grid(
    symbols: SymbolTable, setting: Node, items: list[list[str]]
) -> tuple[Ground | None, str | None]:
    """The ground that a `grid:` line says, if it does, and what the board grows from."""
    grid, size, players, grown_from = items[0][0], list[int | str](), EVERYBODY, None
    if grid not in ("square", "hex"):
        _bad_setting(symbols, setting, "grid", "`square` or `hex`")
        grid = "square"
    for words in items[1:]:
        numbers = _player_numbers(words)
        if words[:2] == ["grown", "from"] and len(words) == 3:
            grown_from = _grown_from(symbols, setting, words[2])
        elif len(words) == 3 and words[1] == "by":
            size = [_size(symbols, setting, word) for word in (words[0], words[2])]
        elif numbers is not None:
            players = numbers
        else:
            expected = "`square, 3 by 3`, `square, 3 by 3, 2 players` or `square, grown from tile`"
            _bad_setting(symbols, setting, "grid", expected)
    if size:
        return Ground(grid, size[0], size[1], players), grown_from
    return Ground(grid, 0, 0, players) if grown_from else None, grown_from


def _player_numbers(words: list[str]) -> tuple[int, int] | None:
    """The numbers in `2 players` or `2 to 3 players`; None for anything else."""
    if words[-1] not in ("player", "players") or words[1:-2] not in ([], ["to"]):
        return None
    low, high = words[0], words[-2:][0]
    return (int(low), int(high)) if low.isdecimal() and high.isdecimal() else None


def _grown_from(symbols: SymbolTable, setting: Node, name: str) -> str | None:
    if name in symbols.rules.components:
        return name
    symbols.report.add("unknown-name", setting.span, name=name, fix=symbols.suggest(name))
    return None


def _size(symbols: SymbolTable, setting: Node, word: str) -> int | str:
    """A number, or the name of an option with numbers; anything else is reported."""
    if word.isdecimal():
        return int(word)
    if not symbols.numeric_option(word):
        _bad_setting(symbols, setting, "grid", "sizes that are numbers or options with numbers")
    return word


# ------------------------------------------------------------------------ places
def declare_place(symbols: SymbolTable, node: Node) -> None:
    """Enter a place, what it holds and who sees that."""
    word = node.part(0)
    if not symbols.declare("a place", word):
        return
    title, owner = node.parts[1], node.parts[2]
    of = symbols.named_type(owner) if owner is not None else None
    first, *items = node.words("item")
    holds = texts_of(first)[0]
    component = symbols.rules.components.get(holds)
    if component is None:
        symbols.report.add("unknown-name", first.span, name=holds, fix=symbols.suggest(holds))
        symbols.report.unread.add(word.text)
        return
    place = Place(word.text, of, holds, False, "public", (), False, None)
    for item in items:
        place = _with_item(symbols, place, item)
    for name in [*place.shows, *([place.full_by] if place.full_by else [])]:
        if component.field(name) is None:
            symbols.report.add("unknown-field", node.span, name=name, of=holds, fix=None)
    clause = symbols.clause("place", f"place {word.text}", "", node)
    called = plain(title) if title is not None else ""
    symbols.rules.places[word.text] = replace(place, clause=clause, title=called)


def _with_item(symbols: SymbolTable, place: Place, item: Node) -> Place:
    """The place with one more of its items; an unknown one is reported."""
    match texts_of(item):
        case ["ordered"]:
            return replace(place, ordered=True)
        case [word] if word in _VISIBILITY:
            return replace(place, visibility=word)
        case ["shows", name]:
            return replace(place, shows=(*place.shows, name))
        case ["full"]:
            return replace(place, full=True)
        case ["full", "by", name]:
            return replace(place, full_by=name)
    expected = "ordered, public, private, hidden, shows FIELD, full, full by FIELD"
    _bad_setting(symbols, item, place.name, expected)
    return place
