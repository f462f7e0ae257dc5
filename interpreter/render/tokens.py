"""What lies on a board's sites, as signs in colours: pieces by kind and owner, variables by what
they hold, and what the ruleset says is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.game.context import GameContext
from interpreter.model.position import Position
from interpreter.model.setup import BoardInfo
from interpreter.render.glyphs import Signs, kind_style, player_style
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    KindT,
    OptionalT,
    PieceT,
    SiteT,
    Type,
    element,
)
from rulelang.core.values import Value, members, number, ordered
from rulelang.diagnostics.english import spoken

_SLOT = re.compile(r"\{([a-z_]\w*)(?: [^}]*)?\}")

_SIGN = 2  # what is no longer says itself

Signed = tuple[str, str]  # letters and their colour


def on_cell(
    game: GameContext, s: Position, info: BoardInfo, cell: int, signs: Signs, viewer: int | None
) -> list[Signed]:
    """The signs of what lies on a cell (the top of a stack, and how many below it), of what the
    board shows there, and of its variables."""
    found: list[Signed] = []
    for layer in info.board.layers:
        here = s.on[layer.name].get(cell, ()) if layer.role == "cell" else ()
        if here:
            sign, style = _piece(game, here[-1], signs)
            found.append((sign + (f"+{len(here) - 1}" if len(here) > 1 else ""), style))
    for name in info.board.shows:
        t = game.rules_source.definitions[name].type
        value = shown(game, s, name, cell, viewer) if t != TRUTH else None
        said = signs_of(game, s, value, t, name, signs)
        if said:
            found.append(("".join(text for text, _ in said), said[0][1] if len(said) == 1 else ""))
    return found + [
        _value(game, s, value, t, name, signs)
        for value, t, name in _variables(game, s, info, "cell", cell)
    ]


def signs_of(
    game: GameContext, s: Position, value: Value, t: Type, name: str, signs: Signs
) -> list[Signed]:
    """The signs of a value, thing by thing."""
    return [_value(game, s, item, of, name, signs) for item, of in _one_by_one(value, t)]


def _one_by_one(value: Value, t: Type) -> list[tuple[Value, Type]]:
    """What a definition says of a cell, thing by thing: nothing, one, or each member of a set."""
    inner = element(t)
    if inner is not None:
        return [
            (item, inner)
            for item in (ordered(value) if isinstance(value, frozenset) else members(value or ()))
        ]
    return [(value, t)] if value is not None and value != "" else []


def on_edge(
    game: GameContext, s: Position, info: BoardInfo, role: str, site: int, signs: Signs
) -> Signed:
    """The one sign of all that lies on a side or corner; empty if nothing does."""
    pieces = [
        p
        for layer in info.board.layers
        if layer.role == role
        for p in s.on[layer.name].get(site, ())
    ]
    values = _variables(game, s, info, role, site)
    if len(pieces) == 1 and not values:
        return _piece(game, pieces[0], signs)
    texts = [_titled(game, p) for p in pieces] + [
        _text(game, s, value, t, name) for value, t, name in values
    ]
    return (signs.of(", ".join(texts)), "bold") if texts else ("", "")


def occupied(game: GameContext, s: Position, info: BoardInfo, role: str) -> set[int]:
    """The sites of a role where something lies, or a public variable is not what it was."""
    found = {
        site
        for layer in info.board.layers
        if layer.role == role
        for site, pieces in s.on[layer.name].items()
        if pieces
    }
    for name, _ in _public(game, info, role):
        first = s.setup.defaults[name]
        found.update(
            site
            for site, value in s.vars[name].items()
            if isinstance(site, int) and value is not None and value != first
        )
    return found


def shown(game: GameContext, s: Position, name: str, cell: int, viewer: int | None) -> Value:
    """What a definition that the board shows says of a cell.

    One that asks for a player too says it of the viewer, and to nobody else.
    """
    params = game.rules_source.definitions[name].params
    if len(params) == 1:
        return game.rules.definition(name)(s, (cell,))
    if viewer is None:
        return None
    values = {t: viewer if t == PLAYER else cell for _, t in params}
    return game.rules.definition(name)(s, tuple(values[t] for _, t in params))


def meaning(game: GameContext, name: str, viewer: int | None) -> str:
    """What a mark of this definition means, in its author's wording."""
    known = game.rules_source.definitions[name]
    if not known.reads:
        return spoken(name)
    types = dict(known.params)
    return _SLOT.sub(
        lambda m: f"player {(viewer or 0) + 1}" if types.get(m.group(1)) == PLAYER else "it",
        known.reads[0],
    )


# ---------------------------------------------------------------------------------- signs of things
def _piece(game: GameContext, piece: int, signs: Signs) -> Signed:
    owner = game.setup.pieces[piece].owner
    design = game.setup.pieces[piece].design
    kind = next(
        (
            v
            for n, v in design.values
            if isinstance(game.rules_source.components[design.component].field(n), KindT)
            and isinstance(v, int)
        ),
        None,
    )
    style = (
        player_style(owner)
        if owner is not None
        else kind_style(kind)
        if kind is not None
        else "bold"
    )
    return signs.of(game.presenter.piece(piece), owner), style


def _titled(game: GameContext, piece: int) -> str:
    owner = game.setup.pieces[piece].owner
    return game.presenter.piece(piece) + (f" of player {owner + 1}" if owner is not None else "")


def _variables(
    game: GameContext, s: Position, info: BoardInfo, role: str, site: int
) -> list[tuple[Value, Type, str]]:
    """The public variables of a site, where they are not what they began with."""
    found: list[tuple[Value, Type, str]] = []
    for name, t in _public(game, info, role):
        value = s.vars[name].get(site)
        if value is not None and value != s.setup.defaults[name]:
            found.append((value, t, name))
    return found


def _public(game: GameContext, info: BoardInfo, role: str) -> Iterator[tuple[str, Type]]:
    """The public variables of the sites of a role, with their types."""
    for name, variable in game.rules_source.states.items():
        of = variable.of
        if (
            isinstance(of, SiteT)
            and (of.board, of.role) == (info.board.name, role)
            and variable.visibility == "public"
        ):
            yield name, variable.type


def _value(
    game: GameContext, s: Position, value: Value, t: Type, name: str, signs: Signs
) -> Signed:
    inner = t.of if isinstance(t, OptionalT) else t
    if inner == PLAYER:
        player = number(value)
        return signs.as_is(f"p{player + 1}"), player_style(player)
    if inner == NUMBER:
        return signs.as_is(str(value)), ""
    if isinstance(inner, PieceT) and isinstance(value, int):
        return _piece(game, value, signs)
    style = kind_style(value) if isinstance(inner, KindT) and isinstance(value, int) else ""
    text = _text(game, s, value, t, name)
    return (signs.as_is(text) if len(text) <= _SIGN else signs.of(text)), style


def _text(game: GameContext, s: Position, value: Value, t: Type, name: str) -> str:
    inner = t.of if isinstance(t, OptionalT) else t
    if inner == TRUTH:
        return spoken(name)
    return f"p{number(value) + 1}" if inner == PLAYER else game.presenter.text(value, t, s)
