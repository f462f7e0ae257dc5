"""The bench: answers about texts, one after the other, with what is kept of each from before."""

from __future__ import annotations

from collections import OrderedDict

from interpreter.game.loading import RulesError
from interpreter.model.errors import RulelangError
from interpreter.studio.author.beside import Beside, Look, Looked

MOST_KEPT = 6  # files that are remembered

Question = Look
Answer = Looked


class Bench:
    """Answers questions; those about one file go quickly after the first."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._beside: OrderedDict[tuple[str, str], Beside] = OrderedDict()

    def answer(self, question: Question) -> Answer:
        """The answer to a question of any kind."""
        return self.look(question)

    def look(self, asked: Look) -> Looked:
        """What stands beside a text."""
        try:
            return self._of(asked).look(asked)
        except RulesError as error:
            return Looked(failed="; ".join(dict.fromkeys(item.message for item in error.found)))
        except RulelangError as error:
            return Looked(failed=str(error))

    def _of(self, asked: Look) -> Beside:
        key = (asked.rules, asked.file)
        found = self._beside.setdefault(key, Beside(*key))
        self._beside.move_to_end(key)
        while len(self._beside) > MOST_KEPT:
            self._beside.popitem(last=False)
        return found
