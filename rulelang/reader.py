"""The reader of sentences: a grammar made ready once, and every way through a sentence."""
from __future__ import annotations

import copy
import functools
import re

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

MOST_READERS, MOST_TREES = 8, 4096  # kept in memory


class Reader:
    """Reads sentences by a grammar; of its rules only those are tried whose words the sentence has."""

    def __init__(self, grammar: str) -> None:
        """Make the grammar ready; this takes far longer than reading a sentence."""
        self._lark = Lark(grammar, parser="earley", lexer="dynamic", ambiguity="explicit", start="start")
        self.terminals = {t.name: t.pattern.value for t in self._lark.terminals}
        self._words = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in self.terminals.items()}
        self._rules = {
            origin: [(rule, frozenset(symbol.name for symbol in rule.expansion if symbol.is_term)) for rule in rules]
            for origin, rules in self._lark.parser.parser.predictions.items()
        }  # each with the words it cannot do without
        self.tree = functools.lru_cache(maxsize=MOST_TREES)(self._tree)

    def _tree(self, text: str) -> Tree[Token]:
        """Every way through a sentence, as one tree; raises Lark's UnexpectedInput if there is none."""
        absent = {name for name, pattern in self._words.items() if not pattern.search(text)}
        narrow = copy.copy(self._lark.parser.parser)
        narrow.predictions = {origin: [rule for rule, words in rules if absent.isdisjoint(words)] for origin, rules in self._rules.items()}
        try:
            found: Tree[Token] = narrow.parse(text, "start")
        except UnexpectedInput:
            return self._lark.parse(text)  # so that the error knows all that could stand where it goes wrong
        return found


@functools.lru_cache(maxsize=MOST_READERS)
def reader_of(grammar: str) -> Reader:
    """The reader of a grammar, made once: rules compiled again, or under variants, mostly speak as before."""
    return Reader(grammar)
