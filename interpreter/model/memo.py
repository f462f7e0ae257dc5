"""Memoised results of positions: which of them to drop when something they read changes."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

ALL = "*"  # a source that every change touches
ANY_CHANGE = 0  # the key of results that every change drops


class MemoKeys:
    """Interned keys for memoised results: one for each read set, and those a caller keeps apart.

    A position keeps its results by these keys and drops all under a key when a source in the read
    set changes (`state:NAME`, `place:NAME`, `layer:NAME`, `tiles`, `where`, `known`).
    """

    def __init__(self) -> None:
        """Only the key of results that every change drops is given."""
        self._shared: dict[frozenset[str], int] = {}
        self._readers: dict[str, set[int]] = {ALL: {ANY_CHANGE}}
        self._together: dict[tuple[str, ...], set[int]] = {}
        self._last = ANY_CHANGE

    def shared(self, sources: frozenset[str]) -> int:
        """The key of a read set, the same whenever the same sources are given."""
        key = self._shared.get(sources)
        if key is None:
            key = self._shared[sources] = self.own(sources)
        return key

    def own(self, sources: frozenset[str]) -> int:
        """A new key for results that read these sources."""
        self._last += 1
        self._together.clear()
        for source in sources:
            self._readers.setdefault(source, set()).add(self._last)
        return self._last

    def readers(self, sources: tuple[str, ...]) -> AbstractSet[int]:
        """The keys of all results that read one of these sources."""
        found = self._together.get(sources)
        if found is None:
            read = [self._readers.get(source, set()) for source in (*sources, ALL)]
            found = self._together[sources] = set[int]().union(*read)
        return found
