"""The core objects: frozen, typed, first-order. What text means is a tree of these and nothing else.

Spans, types and clause names stand outside equality: two texts with equal core objects mean the same.
"""

from rulelang.core.expr import *  # noqa: F403
from rulelang.core.stmt import *  # noqa: F403
from rulelang.core.visit import walk as walk
