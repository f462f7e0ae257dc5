"""Which of many rows or columns of a board are drawn where not all fit the screen."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def first_of(lines: Collection[int], room: int, wanted: Sequence[Collection[int]]) -> int:
    """The first of so many lines in a row that hold most of what is wanted.

    What is wanted comes in order of weight, each as the lines it lies on.
    """
    return max(
        range(min(lines), max(max(lines) - room + 1, min(lines)) + 1),
        key=lambda first: [sum(first <= x < first + room for x in found) for found in wanted],
    )


def nearest_of(wanted: Collection[int], room: int, near: int) -> int:
    """The first of so many lines that hold most of those wanted, the nearest to a line if alike."""
    return max(
        range(min(wanted) - room + 1, max(wanted) + 1),
        key=lambda first: (sum(first <= y < first + room for y in wanted), -abs(first - near)),
    )
