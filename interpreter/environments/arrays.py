"""Tensors as arrays of numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Tensor: TypeAlias = NDArray[np.float32]


def filled(size: int, sparse: Mapping[int, float]) -> Tensor:
    """So many numbers, of which these are not 0."""
    found = np.zeros(size, dtype=np.float32)
    found[list(sparse)] = list(sparse.values())
    return found
