"""Boards and places, entered by name: sites of every role, layers, what a board grows from or looks like, who sees what lies where."""

from __future__ import annotations

from rulelang.diagnostics.english import plural, spoken
from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import EVERYBODY, Board, Ground, Layer, Place
from rulelang.syntax.nodes import Node, plain

_VISIBILITY = ("public", "private", "hidden")


def texts_of(item: Node) -> list[str]:
    """The words of a setting as plain texts."""
    return [
        plain(part) if part.kind == "STRING" else part.text
        for part in item.parts
        if part is not None
    ]


def board_name(names: SymbolTable, node: Node) -> None:
    """Roles are entered before any type is asked for, since components and places may speak of sites."""
    word = node.part(0)
    if not names.declare("a board", word):
        return
    roles: list[tuple[str, str]] = []
    for prop in node.words("prop"):
        key = prop.part(0).text
        role = {"cells": "cell", "sides": "side", "corners": "corner"}.get(key)
        if role:
            item = prop.part(1).part(0)
            if names.declare(f"a {role} of the board {word.text}", item):
                roles.append((role, item.text))
                names.plurals.setdefault(plural(spoken(item.text)).replace(" ", "_"), item.text)
    if not any(role == "cell" for role, _ in roles):
        names.report.add(
            "bad-setting",
            node.span,
            key="cells",
            expected="a line such as `cells: space` that names the cells",
        )
        roles.append(("cell", f"{word.text}_cell"))
    names.rules.boards[word.text] = Board(
        word.text, False, "square", 1, 1, None, tuple(roles), (), None
    )


def board(names: SymbolTable, node: Node) -> None:
    """A board with all it says of itself."""
    word = node.part(0)
    old = names.rules.boards.get(word.text)
    if old is None or old.clause:
        return
    whole, grown, labels, shows = None, None, None, tuple[str, ...]()
    others: list[Ground] = []
    layers: list[Layer] = []
    clause = names.clause("board", f"board {word.text}", "", node)
    for prop in node.words("prop"):
        key = prop.part(0).text
        items = [texts_of(item) for item in prop.words("item")]
        names.clause("board", f"board {word.text}", key, prop)
        if key == "grid":
            ground, tile = _ground(names, prop, items)
            grown = tile or grown
            if ground is not None and ground.players == EVERYBODY:
                whole = ground
            elif ground is not None:
                others.append(ground)
        elif key in ("cells", "sides", "corners"):
            continue
        elif key == "labels":
            labels = items[0][0]
        elif key == "shows":
            shows = tuple(words[0] for words in items)
        else:
            words = items[0]
            roles = {name: role for role, name in old.roles}
            if (
                len(words) == 3
                and words[1] == "on"
                and words[0] in names.rules.components
                and words[2] in roles
            ):
                if names.declare(f"a layer of the board {word.text}", prop.part(0)):
                    layers.append(Layer(key, words[0], roles[words[2]], ["stacked"] in items))
            else:
                expected = f"`{key}: piece on site`, with a component and one of {', '.join(sorted(roles))}"
                names.report.add("bad-setting", prop.span, key=key, expected=expected)
    if whole is None:
        if not others:
            names.report.add(
                "bad-setting",
                node.span,
                key="grid",
                expected="a size (`grid: square, 3 by 3`) or what it grows from",
            )
        whole = others[0] if others else Ground("square", 1, 1, EVERYBODY)
    per_player = len(node.words()) > 1 and node.words()[1].text == "player"
    names.rules.boards[word.text] = Board(
        word.text,
        per_player,
        whole.grid,
        whole.width,
        whole.height,
        grown,
        old.roles,
        tuple(layers),
        labels,
        clause,
        shows,
        tuple(others),
    )


def _ground(
    names: SymbolTable, prop: Node, items: list[list[str]]
) -> tuple[Ground | None, str | None]:
    """What a `grid:` line says the cells are, for how many players, and what the board grows from; none if it does not say."""
    grid, size, players, grown = items[0][0], list[int | str](), EVERYBODY, None
    if grid not in ("square", "hex"):
        names.report.add("bad-setting", prop.span, key="grid", expected="`square` or `hex`")
        grid = "square"
    for words in items[1:]:
        if words[:2] == ["grown", "from"] and len(words) == 3:
            grown = words[2]
            if grown not in names.rules.components:
                names.report.add("unknown-name", prop.span, name=grown, fix=names.suggest(grown))
                grown = None
        elif len(words) == 3 and words[1] == "by":
            size = [int(w) if w.isdecimal() else w for w in (words[0], words[2])]
            if any(isinstance(w, str) and not names.numeric_option(w) for w in size):
                names.report.add(
                    "bad-setting",
                    prop.span,
                    key="grid",
                    expected="sizes that are numbers or options with numbers",
                )
        elif (
            words[-1] in ("player", "players")
            and words[1:-2] in ([], ["to"])
            and words[0].isdecimal()
            and words[-2].isdecimal()
        ):
            players = (int(words[0]), int(words[-2]))
        else:
            expected = "`square, 3 by 3`, `square, 3 by 3, 2 players` or `square, grown from tile`"
            names.report.add("bad-setting", prop.span, key="grid", expected=expected)
    if size:
        return Ground(grid, size[0], size[1], players), grown
    return Ground(grid, 0, 0, players) if grown else None, grown


def place(names: SymbolTable, node: Node) -> None:
    """A place, what it holds and who sees that."""
    word = node.part(0)
    if not names.declare("a place", word):
        return
    owner = node.words()[1] if len(node.words()) > 1 else None
    of = names.named_type(owner) if owner else None
    items = [texts_of(item) for item in node.words("item")]
    holds = items[0][0] if items else ""
    if holds not in names.rules.components:
        names.report.add(
            "unknown-name", node.words("item")[0].span, name=holds, fix=names.suggest(holds)
        )
        names.report.unread.add(word.text)
        return
    ordered = full = False
    visibility, shows, full_by = "public", list[str](), None
    for words, item in zip(items[1:], node.words("item")[1:], strict=True):
        if words == ["ordered"]:
            ordered = True
        elif len(words) == 1 and words[0] in _VISIBILITY:
            visibility = words[0]
        elif words[0] == "shows" and len(words) == 2:
            shows.append(words[1])
        elif words == ["full"]:
            full = True
        elif words[:2] == ["full", "by"] and len(words) == 3:
            full_by = words[2]
        else:
            names.report.add(
                "bad-setting",
                item.span,
                key=word.text,
                expected="ordered, public, private, hidden, shows FIELD, full, full by FIELD",
            )
    component = names.rules.components.get(holds)
    for field_name in [*shows, *([full_by] if full_by else [])]:
        if component and component.field(field_name) is None:
            names.report.add("unknown-field", node.span, name=field_name, of=holds, fix=None)
    clause = names.clause("place", f"place {word.text}", "", node)
    names.rules.places[word.text] = Place(
        word.text, of, holds, ordered, visibility, tuple(shows), full, full_by, clause
    )
