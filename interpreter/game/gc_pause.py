"""Pausing the garbage collector while rules are compiled or loaded.

Rules are made of a million small objects that stay as long as the rules do: to look through them
again and again for cycles finds nothing. What no reference holds is freed at once, as ever.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Switch the cyclic garbage collector off within, and on again if it was on before.

    What was made meanwhile goes to the oldest generation, which is looked through last.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.freeze()
            gc.unfreeze()  # all generations are the oldest now, and none was looked through
            gc.enable()
