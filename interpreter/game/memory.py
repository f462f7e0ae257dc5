"""Memory while much is made that all stays: nothing is looked through for what could be given
back.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Within, circles of objects that nobody holds are not looked for; what is held by nobody
    otherwise goes as ever.

    Rules are made of a million small objects that stay as long as the rules do: to look through
    them again and again finds nothing.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
