"""Pausing the garbage collector while rules are compiled or loaded, and keeping it from what stays.

Rules are made of a million small objects that stay as long as the rules do: to look through them
again and again for cycles finds nothing. What no reference holds is freed at once, as ever.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MADE = 20_000  # objects after which a server looks for circles among the newest; usually 700
MAX_LAYER = 300_000  # objects that may stay and yet be looked through each time
MAX_LAYERS = 3  # of such objects that are not looked through
ROUNDS = (20, 100)  # of the newest until the next are looked through, and of those until all


def served() -> None:
    """Keep the collector from what a server has loaded by now, and let it look seldom at the rest.

    States of play are trees, which hold no circle, and to look through all of them takes long.
    """
    gc.freeze()
    gc.set_threshold(MADE, *ROUNDS)


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


@dataclass
class Settling:
    """Collects garbage in short pieces where most objects stay as long as the process.

    What was there at first is not looked through again, and neither is what comes to be as much,
    until garbage among that may have become too much: then all is looked through once more.
    """

    layers: int = 0  # how often what was there was put aside
    _resumes: bool = False  # is the collector to go on by itself once this has collected?

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Switch the collector off within and, where something is put aside, until it collects."""
        if not self.layers:
            with gc_paused():
                yield
            return
        self._resumes = self._resumes or gc.isenabled()
        gc.disable()
        yield

    def collect(self) -> None:
        """Collect what was made since objects were last put aside."""
        if self.layers >= MAX_LAYERS:
            gc.unfreeze()
            self.layers = 0
        gc.collect()
        if not self.layers or len(gc.get_objects()) > MAX_LAYER:
            gc.freeze()
            self.layers += 1
        if self._resumes:
            self._resumes = False
            gc.enable()


@contextmanager
def gc_settling() -> Iterator[Callable[[], None]]:
    """Gives what collects the garbage made since it was called last, and lets what is left stay.

    What stays is not looked through again within, nor what was there before.

    A game keeps its positions for those who look back, and what was worked out of them: a million
    objects after an evening, half a second each time the collector looks through them all.
    """

    def settle() -> None:
        gc.collect()
        gc.freeze()

    gc.freeze()
    try:
        yield settle
    finally:
        gc.unfreeze()
