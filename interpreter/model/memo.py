"""Numbers for kept results: which results are dropped when something changes."""

from __future__ import annotations

from interpreter.model.setup import Setup
from rulelang.analysis.reads import Reads
from rulelang.ruleset import Rule


class Needs:
    """Numbers for kept results: a position drops all results under a number when something they read changes."""

    def __init__(self, setup: Setup) -> None:
        """Tells the setup which numbers each source touches, for positions to use."""
        self.setup, self.reads = setup, Reads(setup.rules)
        self.numbers: dict[frozenset[str], int] = {}
        self.count = 0
        setup.touching = {}

    @property
    def laws(self) -> tuple[Rule, ...]:
        """The invariants that are asked once, of the settings."""
        return self.reads.laws

    @property
    def invariants(self) -> tuple[Rule, ...]:
        """The invariants that every event is held against."""
        return self.reads.invariants

    def group(self, kind: str, name: str) -> int:
        """The number of the set of sources this thing reads, shared by all that read the same."""
        sources = self.reads.of(kind, name)
        number = self.numbers.get(sources)
        if number is None:
            number = self.numbers[sources] = self.own(sources)
        return number

    def own(self, sources: frozenset[str]) -> int:
        """A number of its own for results that read these sources."""
        self.count += 1
        for source in sources:
            self.setup.touching.setdefault(source, set()).add(self.count)
        return self.count
