"""Dependencies of a card's lints on other cards: their print, and what their texts add.

All that is asked is noted, so that a result can be kept while what it depends on stays equal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import TypeVar

from rulelang.ruleset import Design, Extension, Ruleset

# The "designs" of a component, a "field" of it, or what texts bring: "define" name place, "steps"
# of a procedure, "heard" of an event.
Source = tuple[str, ...]
Answer = TypeVar("Answer")


class Others:
    """All designs and what texts add to definitions; `read` holds what was asked since it was last
    emptied.
    """

    def __init__(self, rules: Ruleset) -> None:
        """Nothing was asked yet."""
        self.rules = rules
        self.read: set[Source] = set()
        self._borne: dict[tuple[str, str, str, str], list[Extension]] = {}

    def designs(self, component: str) -> list[Design]:
        """The designs of a component."""
        self.read.add(("designs", component))
        return self._designs.get(component, [])

    def printed(self, design: Design, field: str) -> None:
        """Note that a field of a design is read."""
        self.read.add(("field", design.component, field))

    def added(self, define: str, slot: str, bearer: Design | None = None) -> list[Extension]:
        """What texts add to a definition at this place.

        Given the card that is played, that is without what applies only as another is played.
        """
        self.read.add(("define", define, slot))
        whole = self._added.get((define, slot), [])
        if bearer is None:
            return whole
        key = (define, slot, bearer.component, bearer.title)
        if key not in self._borne:
            self._borne[key] = [
                e for e in whole if e.lifetime != "played" or (e.component, e.title) == key[2:]
            ]
        return self._borne[key]

    def done(self, target: str) -> None:
        """Note that it is asked what an event or a procedure does: who waits for the one, and what
        texts bring into the other.
        """
        self.read |= {("heard", target), ("steps", target)}

    def noted(self, ask: Callable[[], Answer]) -> tuple[Answer, frozenset[Source]]:
        """An answer and what was asked for it: who keeps the one for another card keeps the other
        with it.
        """
        before, self.read = self.read, set()
        answer = ask()
        found = frozenset(self.read)
        self.read = before | found
        return answer, found

    def said(self, source: Source) -> Hashable:
        """What was read there, as a value: while it is the same, so is all that follows from it."""
        if source[0] == "designs":
            return tuple((d.title, d.clause) for d in self._designs.get(source[1], ()))
        if source[0] == "field":
            return tuple(dict(d.values).get(source[2]) for d in self._designs.get(source[1], ()))
        adding = self._adding.get(source, ())
        return tuple(
            (d.clause, d.sentences) for d in self.rules.designs if (d.component, d.title) in adding
        )

    @cached_property
    def _designs(self) -> dict[str, list[Design]]:
        found: dict[str, list[Design]] = {}
        for design in self.rules.designs:
            found.setdefault(design.component, []).append(design)
        return found

    @cached_property
    def _added(self) -> dict[tuple[str, str], list[Extension]]:
        found: dict[tuple[str, str], list[Extension]] = {}
        for e in self.rules.extensions:
            if e.kind == "define":
                found.setdefault((e.target, e.slot), []).append(e)
        return found

    @cached_property
    def _adding(self) -> dict[Source, set[tuple[str, str]]]:
        """The cards whose texts bring something, by where."""
        found: dict[Source, set[tuple[str, str]]] = {}
        for e in self.rules.extensions:
            at = {
                "define": ("define", e.target, e.slot),
                "steps": ("steps", e.target),
                "reaction": ("heard", e.target),
            }.get(e.kind)
            if at is not None:
                found.setdefault(at, set()).add((e.component, e.title))
        return found
