"""What can be answered where a witness was looked for."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.engine.decisions import Option
from interpreter.game.game import State
from interpreter.game.refusals import Refusal
from rulelang.diagnostics import Diagnostic


@dataclass(frozen=True)
class Witness:
    """A state whose game shows a sentence (or the card) at work, and what it changes."""

    sentence: int  # from 1; 0 for the card as such
    state: State
    changes: str
    deck: str = ""  # the text of the list it is played with, if it is one of its own

    @property
    def choices(self) -> list[tuple[State, Option]]:
        """All choices from the start, each with the state it was made in."""
        found = []
        at: State | None = self.state
        while at is not None and at.parent is not None and at.choice is not None:
            found.append((at.parent, at.choice))
            at = at.parent
        return found[::-1]


@dataclass(frozen=True)
class Refuted:
    """The proof that a sentence never counts, or that the card can never be played."""

    sentence: int
    why: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Undecided:
    """No witness within the bounds: how much was played, and what came nearest."""

    sentence: int
    games: int
    moves: int
    played: bool
    nearest: tuple[Refusal, ...]


Answer = Witness | Refuted | Undecided
