"""The values that expressions have: one closed union, and plain data as JSON has it."""

from __future__ import annotations

from typing import TypeAlias

# A number (also the index of a piece, site, player or member of a kind), a truth, a text or shape,
# none, a set, or a list (also a pair and the ordered cells of a tile).
Value: TypeAlias = "int | str | frozenset[Value] | tuple[Value, ...] | None"

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
