"""The bench: answers about texts, one after the other, with what is kept of each from before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar, assert_never

from interpreter.game.loading import RulesError
from interpreter.model.errors import RulelangError
from interpreter.studio.author.beside import Beside
from interpreter.studio.author.questions import (
    Answer,
    Begin,
    Begun,
    Look,
    Looked,
    Question,
    Study,
    Tried,
    Try,
)
from interpreter.studio.author.studies import Studies
from interpreter.studio.author.trials import Trials
from interpreter.studio.live import compiled, try_start
from interpreter.studio.refused import Refused

MOST_KEPT = 6  # files that are remembered

Key = tuple[str, str]  # the rules, and a file of cards
Kept = TypeVar("Kept")


class Bench:
    """Answers questions; those about one file go quickly after the first."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._beside: OrderedDict[Key, Beside] = OrderedDict()
        self._trials: OrderedDict[Key, Trials] = OrderedDict()
        self._studies: OrderedDict[Key, Studies] = OrderedDict()

    def answer(self, question: Question) -> Answer:
        """The answer to a question of any kind."""
        match question:
            case Look():
                return self.look(question)
            case Try():
                return self.tried(question)
            case Study():
                return _kept(self._studies, question, Studies).studied(question)
            case Begin():
                return begun(question)
            case _:
                assert_never(question)

    def tried(self, asked: Try) -> Tried:
        """What comes of a card that is tried."""
        try:
            return _kept(self._trials, asked, Trials).tried(asked)
        except RulelangError as error:
            return Tried(asked.draft, failed=str(error))

    def look(self, asked: Look) -> Looked:
        """What stands beside a text."""
        try:
            return _kept(self._beside, asked, Beside).look(asked)
        except RulesError as error:
            return Looked(failed="; ".join(dict.fromkeys(item.message for item in error.found)))
        except RulelangError as error:
            return Looked(failed=str(error))


def begun(asked: Begin) -> Begun:
    """Whether a game can be begun. What was compiled for it is kept as data in the user's cache, so
    that the server has only to read it.
    """
    try:
        try_start(lambda: compiled(asked.settings))
    except Refused as error:
        return Begun(str(error), error.reasons)
    return Begun()


def _kept(
    known: OrderedDict[Key, Kept], asked: Look | Try | Study, make: Callable[[str, str], Kept]
) -> Kept:
    """What is known of the file that is asked about."""
    key = (asked.rules, asked.file)
    found = known.pop(key, None) or make(*key)
    known[key] = found
    while len(known) > MOST_KEPT:
        known.popitem(last=False)
    return found
