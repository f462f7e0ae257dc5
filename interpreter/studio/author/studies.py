"""What comes of the cards of a file in play: games in which each sentence counts, and whether the
cards are too strong. It is worked out in slices, so that nobody waits for the whole.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.bots.agents import BOTS
from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, RulesError, load_rules
from interpreter.model.errors import RulelangError
from interpreter.proofs.answers import Answer as Found
from interpreter.proofs.answers import Refuted, Undecided, Witness
from interpreter.proofs.witness import witnesses
from interpreter.simulation.balance import Balance, measured, told
from interpreter.studio.author.questions import BOT, MOST_GAMES, Counts, Studied, Study
from rulelang.compiler.driver import CompileCache
from rulelang.diagnostics.english import counted
from rulelang.ruleset import Design

SLICE = 1.5  # seconds after which it is told how far it is
MOST_STUDIED = 6  # cards of one file
LEAST = 1.0  # the difference that matters
_SEED = 1


@dataclass
class _Course:
    """A text as far as it is worked out."""

    text: str
    steps: Iterator[None]
    cards: list[tuple[str, tuple[Counts, ...]]] = field(default_factory=list)
    balance: Balance | None = None
    left_out: int = 0
    done: bool = False


class Studies:
    """Works out what comes of one file, as its text is now."""

    def __init__(self, rules: str, file: str) -> None:
        """Nothing is worked out yet."""
        self.rules, self.file = rules, Path(file).name
        self._kept = CompileCache()
        self._course: _Course | None = None

    def studied(self, asked: Study) -> Studied:
        """What is known after a further slice; a text that has changed is begun anew."""
        course = self._course
        if course is None or course.text != asked.text:
            course = self._course = _Course(asked.text, iter(()))
            course.steps = self._steps(course)
        until = time.monotonic() + SLICE
        try:
            while not course.done:
                course.done = next(course.steps, True) is True
                if time.monotonic() > until:
                    break
        except RulesError as error:
            self._course = None
            return Studied(failed="; ".join(dict.fromkeys(e.message for e in error.found[:3])))
        except RulelangError as error:
            self._course = None
            return Studied(failed=str(error))
        found = course.balance
        return Studied(
            tuple(course.cards),
            tuple(tuple(told(found, card)) for card in found.cards) if found is not None else (),
            found.games if found is not None else 0,
            left_out=course.left_out,
            done=course.done,
        )

    def _steps(self, course: _Course) -> Iterator[None]:
        """All that is worked out, step by step."""
        loaded = load_rules(
            self.rules, (), [(self.file, course.text)], tests=False, kept=self._kept
        )
        if loaded.compiled.report.errors:
            raise RulesError(list(loaded.compiled.report.errors), loaded.sources)
        designs = [d for d in loaded.compiled.rules.designs if d.span.file == self.file and d.title]
        own = list({d.title: d for d in designs}.values())
        course.left_out = max(0, len(own) - MOST_STUDIED)
        for design in own[:MOST_STUDIED]:
            answers = witnesses(loaded, design)
            course.cards.append((design.title, tuple(_counts(design, one) for one in answers)))
            yield
        if own:
            yield from self._balanced(course, loaded, own[:MOST_STUDIED])

    def _balanced(self, course: _Course, loaded: Loaded, own: list[Design]) -> Iterator[None]:
        """Games with and without the cards."""
        plain = load_rules(self.rules, tests=False)
        known = {d.title: d.component for d in plain.compiled.rules.designs if d.title}
        cards = {d.title: [title for title, of in known.items() if of == d.component] for d in own}
        pair = game_of(plain, None, (), {}), game_of(loaded, None, (), {})
        for found in measured(pair, cards, (BOT, BOTS[BOT]), (MOST_GAMES, _SEED), LEAST):
            course.balance = found
            yield


def _counts(design: Design, found: Found) -> Counts:
    text = design.sentences[found.sentence - 1] if found.sentence else design.title
    match found:
        case Witness():
            moves = counted(found.state.moves, "choice")
            return Counts(text, "counts", (f"after {moves} of a game: {found.changes}",))
        case Refuted():
            return Counts(text, "never", tuple(item.message for item in found.why))
        case Undecided():
            played = "the card was played, and this changed nothing" if found.played else ""
            near = [f"nearest: {reason}" for reason in found.nearest]
            sought = f"{counted(found.games, 'game')}, {counted(found.moves, 'choice')}"
            head = f"not decided: it was sought in {sought}"
            return Counts(text, "open", tuple(line for line in (head, played, *near) if line))
