"""Values as people give them: players by number from 1, several things in any kind of list."""

from __future__ import annotations

from interpreter.model.errors import InputError
from interpreter.model.setup import Setup
from rulelang.core.types import PLAYER, OptionalT, PairT, Type, element


def index_of(player: object, players: int) -> int:
    """The index of a player given by number; raises InputError naming the players there are."""
    if isinstance(player, int) and not isinstance(player, bool) and 1 <= player <= players:
        return player - 1
    there = "the only player is 1" if players == 1 else f"players are 1 to {players}"
    raise InputError(f"there is no player {player!r}: {there}")


def given(setup: Setup, data: object, t: Type) -> object:
    """A value given from outside as the presenter reads it: players by number, tuples and sets as
    lists.
    """
    if isinstance(t, OptionalT):
        return None if data is None else given(setup, data, t.of)
    if t == PLAYER and isinstance(data, int) and not isinstance(data, bool):
        return f"p{index_of(data, setup.players) + 1}"
    inner = element(t)
    if inner is not None:
        items = data if isinstance(data, list | tuple | set | frozenset) else [data]
        return [given(setup, item, inner) for item in items]
    if isinstance(t, PairT) and isinstance(data, list | tuple):
        parts = [part for _, part in setup.rules.pairs[t.name].parts]
        if len(parts) == len(data):
            return [given(setup, item, part) for item, part in zip(data, parts, strict=True)]
    return data
