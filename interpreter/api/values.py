"""Players and values as they cross the public surface: players from 1, values as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from interpreter.game.context import GameContext
from interpreter.model.errors import InputError
from rulelang.core.types import PLAYER, OptionalT, PairT, Type, element
from rulelang.core.values import Json
from rulelang.diagnostics import nearest

Plain: TypeAlias = "bool | int | float | str | tuple[Plain, ...] | None"


def index_of(player: object, players: int) -> int:
    """The index of a player given by number; raises InputError naming the players there are."""
    if isinstance(player, int) and not isinstance(player, bool) and 1 <= player <= players:
        return player - 1
    there = "the only player is 1" if players == 1 else f"players are 1 to {players}"
    raise InputError(f"there is no player {player!r}: {there}")


def viewer_of(player: object, players: int) -> int | None:
    """The index of a player who looks on; none stays none, an onlooker."""
    return None if player is None else index_of(player, players)


def plain(data: Json) -> Plain:
    """Plain data that can be hashed: lists become tuples."""
    if data is None or isinstance(data, str | int | float):
        return data
    if isinstance(data, Mapping):
        return tuple((name, plain(value)) for name, value in data.items())
    return tuple(plain(item) for item in data)


def given(game: GameContext, data: object, t: Type) -> object:
    """A value given from outside as the presenter reads it: players by number, tuples and sets as
    lists.
    """
    if isinstance(t, OptionalT):
        return None if data is None else given(game, data, t.of)
    if t == PLAYER and isinstance(data, int) and not isinstance(data, bool):
        return f"p{index_of(data, game.players) + 1}"
    inner = element(t)
    if inner is not None:
        items = data if isinstance(data, list | tuple | set | frozenset) else [data]
        return [given(game, item, inner) for item in items]
    if isinstance(t, PairT) and isinstance(data, list | tuple):
        parts = [part for _, part in game.rules_source.pairs[t.name].parts]
        if len(parts) == len(data):
            return [given(game, item, part) for item, part in zip(data, parts, strict=True)]
    return data


def near(name: object, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a message, or what there is."""
    known = list(known)
    found = nearest(str(name), known, 1)
    if found:
        return f"; did you mean {found[0]!r}?"
    return f": there is {', '.join(map(repr, known))}" if known else ""
