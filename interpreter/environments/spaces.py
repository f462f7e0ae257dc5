"""Spaces of Gymnasium, and what stands in them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from interpreter.environments.arrays import Tensor, filled
from interpreter.environments.table import Rules, Table

Mask: TypeAlias = NDArray[np.int8]


def dense(table: Table, viewer: int) -> Tensor:
    """What a player knows as one array, in the order of the parts of the layout."""
    return filled(table.rules.layout.size, table.observation(viewer))


def mask_of(table: Table, viewer: int) -> Mask:
    """1 at each legal action; nothing is legal when the game is over."""
    found = np.zeros(table.rules.numbering.count, dtype=np.int8)
    if not table.over:
        found[table.legal(viewer)] = 1
    return found


def box(rules: Rules) -> spaces.Box:
    """The space of tensors."""
    return spaces.Box(-np.inf, np.inf, (rules.layout.size,), np.float32)


def masked(rules: Rules) -> spaces.Dict:
    """The space of tensors, each with the mask of what is legal."""
    mask = spaces.Box(0, 1, (rules.numbering.count,), np.int8)
    return spaces.Dict({"observation": box(rules), "action_mask": mask})
