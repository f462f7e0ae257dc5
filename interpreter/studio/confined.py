"""Processes that work for strangers are given no more memory than so much."""

from __future__ import annotations

from contextlib import suppress

MOST_MEMORY = 2 << 30  # bytes that one of them may hold


def confined(most: int = MOST_MEMORY) -> None:
    """Let this process hold so many bytes at most: more is a MemoryError in it, and takes nothing
    from the others. Where a system knows no such bound, nothing is done.
    """
    try:
        import resource
    except ImportError:
        return
    _, highest = resource.getrlimit(resource.RLIMIT_DATA)
    with suppress(OSError, ValueError):  # a lower bound is set already
        resource.setrlimit(resource.RLIMIT_DATA, (most, highest))
