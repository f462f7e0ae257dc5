"""The titles of a ruleset's pieces, with a record of what was asked about them.

What was compiled beside some titles holds beside others as well, if those answer all that was asked
in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property

Components = tuple[str, ...]
Answers = Mapping[str, tuple[tuple[str, Components], ...]]  # what was told of each text asked for


class Titles:
    """Each title with the components that have a piece of it."""

    def __init__(
        self, found: Mapping[str, Sequence[str]] | None = None, asked: Iterable[str] = ()
    ) -> None:
        """The components of each title, and the texts that were asked for, in lower case."""
        self._of = {title: tuple(of) for title, of in (found or {}).items()}
        self._asked = set(asked)

    def components(self, title: str) -> Components:
        """The components with a piece of exactly this title."""
        self._asked.add(title.lower())
        return self._of.get(title, ())

    def ignoring_case(self, title: str) -> tuple[tuple[str, Components], ...]:
        """The titles equal to this one but for case, each with its components."""
        self._asked.add(title.lower())
        return self._alike(title.lower())

    @property
    def all(self) -> Mapping[str, Components]:
        """All titles with their components, for what is made again when any of them changes."""
        return self._of

    @property
    def asked(self) -> Collection[str]:
        """The texts that were asked for, in lower case."""
        return self._asked

    @contextmanager
    def recording(self) -> Iterator[set[str]]:
        """Gives the texts that are asked for meanwhile, in lower case.

        What is compiled then rests on these, and whatever asks before or after does not.
        """
        outer, self._asked = self._asked, set()
        try:
            yield self._asked
        finally:
            self._asked = outer

    def told(self, texts: Iterable[str]) -> Answers:
        """What is told of these texts, in lower case."""
        return {text: self._alike(text) for text in sorted(texts)}

    def tells(self, told: Answers) -> bool:
        """Is the same told of these texts?"""
        return all(self._alike(text) == known for text, known in told.items())

    def asked_besides(self, texts: Iterable[str]) -> None:
        """Note texts, in lower case, that what was taken over asked for."""
        self._asked.update(texts)

    @cached_property
    def bearers(self) -> frozenset[str]:
        """The components of which some piece has a title."""
        return frozenset(name for of in self._of.values() for name in of)

    def agree_with(self, others: Titles) -> bool:
        """Do both answer alike whatever was asked of these?"""
        return self.bearers == others.bearers and not self.answered_otherwise(others)

    def answered_otherwise(self, others: Titles) -> list[str]:
        """The texts, in lower case, asked of these to which others give another answer."""
        return [title for title in self._asked if self._alike(title) != others._alike(title)]

    def _alike(self, title: str) -> tuple[tuple[str, Components], ...]:
        return tuple((one, self._of[one]) for one in self._by_lower_case.get(title, ()))

    @cached_property
    def _by_lower_case(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for title in self._of:
            found.setdefault(title.lower(), []).append(title)
        return found
