"""Players and values as they cross the public surface: players from 1, values as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from interpreter.game.given import index_of
from rulelang.core.values import Json
from rulelang.diagnostics import nearest

Plain: TypeAlias = "bool | int | float | str | tuple[Plain, ...] | None"


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


def near(name: object, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a message, or what there is."""
    known = list(known)
    found = nearest(str(name), known, 1)
    if found:
        return f"; did you mean {found[0]!r}?"
    return f": there is {', '.join(map(repr, known))}" if known else ""
