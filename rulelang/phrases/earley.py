"""The reader of sentences: a grammar made ready once, and every way through a sentence."""

from __future__ import annotations

import copy
import functools
import re
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

MOST_READERS, MOST_TREES = 8, 4096  # kept in memory


class Reader:
    """Reads sentences by a grammar; of its rules only those are tried whose words the sentence has."""

    def __init__(self, grammar: str) -> None:
        """Make the grammar ready; this takes far longer than reading a sentence."""
        self._lark = Lark(
            grammar, parser="earley", lexer="dynamic", ambiguity="explicit", start="start"
        )
        self.terminals = {t.name: t.pattern.value for t in self._lark.terminals}
        self._words = {
            name: re.compile(pattern, re.IGNORECASE) for name, pattern in self.terminals.items()
        }
        self._predictions = self._lark.parser.parser.predictions
        self._wordless: dict[
            Any, list[tuple[int, Any]]
        ] = {}  # the rules that have no words of their own, each with its place among all
        self._by_word: dict[
            str, list[tuple[Any, int, Any, frozenset[str]]]
        ] = {}  # the others by one word, with all they cannot do without
        for origin, rules in self._predictions.items():
            for place, rule in enumerate(rules):
                words = frozenset(symbol.name for symbol in rule.expansion if symbol.is_term)
                if words:
                    self._by_word.setdefault(min(words), []).append((origin, place, rule, words))
                else:
                    self._wordless.setdefault(origin, []).append((place, rule))
        self.tree = functools.lru_cache(maxsize=MOST_TREES)(self._tree)

    def _tree(self, text: str) -> Tree[Token]:
        """Every way through a sentence, as one tree; raises Lark's UnexpectedInput if there is none."""
        there = {name for name, pattern in self._words.items() if pattern.search(text)}
        found_rules = {origin: list(rules) for origin, rules in self._wordless.items()}
        for name in there & self._by_word.keys():
            for origin, place, rule, words in self._by_word[name]:
                if words <= there:
                    found_rules.setdefault(origin, []).append((place, rule))
        narrow = copy.copy(self._lark.parser.parser)
        narrow.predictions = {
            origin: [
                rule for _, rule in sorted(found_rules.get(origin, ()), key=lambda item: item[0])
            ]
            for origin in self._predictions
        }
        try:
            found: Tree[Token] = narrow.parse(text, "start")
        except UnexpectedInput:
            return self._lark.parse(
                text
            )  # so that the error knows all that could stand where it goes wrong
        return found


@functools.lru_cache(maxsize=MOST_READERS)
def reader_of(grammar: str) -> Reader:
    """The reader of a grammar, made once: rules compiled again, or under variants, mostly speak as before."""
    return Reader(grammar)
