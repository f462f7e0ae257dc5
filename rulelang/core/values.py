"""The values that expressions have: one closed union, and plain data as JSON has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

# A number (also the index of a piece, site, player or member of a kind), a truth, a text or shape,
# none, a set, or a list (also a pair and the ordered cells of a tile).
Value: TypeAlias = "int | str | frozenset[Value] | tuple[Value, ...] | None"

# Data that is written as JSON; read only, so that a list of texts is one too.
Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | None"
