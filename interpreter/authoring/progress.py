"""Progress of long work, told to whoever shows it."""

from collections.abc import Callable

Advance = Callable[[int, int], None]  # how much is done, of how much in all
