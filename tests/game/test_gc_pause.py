"""What the garbage collector looks through while somebody plays."""

from __future__ import annotations

import gc
import weakref

from interpreter.game.gc_pause import gc_settling


class Knot:
    """An object that holds itself, so that no count of references frees it."""

    def __init__(self) -> None:
        self.itself = self


def test_new_garbage_goes_and_what_stays_is_not_looked_through() -> None:
    was_enabled = gc.isenabled()
    with gc_settling() as settle:
        kept, gone = Knot(), weakref.ref(Knot())
        settle()
        assert gone() is None
        assert not any(one is kept for one in gc.get_objects()), "it is frozen"
    assert any(one is kept for one in gc.get_objects())
    assert gc.isenabled() == was_enabled
