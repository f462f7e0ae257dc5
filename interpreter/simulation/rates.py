"""How sure the share of something is, of so many."""

from __future__ import annotations

import math

Z = 1.959964  # standard errors of 95 %


def interval(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not count:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    half *= Z / (1 + Z * Z / count)
    return middle - half, middle + half
