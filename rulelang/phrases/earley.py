"""The Earley parser of card sentences: made once for a grammar, it returns every derivation.

Most rules of a glossary are titles. Of all rules only those are tried on a sentence whose words
it has; that makes parsing a sentence many times faster and changes no result.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulelang.syntax.lark_adapter import (
    Prediction,
    earley_parser,
    parse_with,
    predictions,
    terminal_matchers,
    terminal_patterns,
)

MAX_PARSERS, MAX_FORESTS = 8, 4096  # kept in memory
MAX_SPARED = 12  # sentences parsed by grammars of their own


class SentenceParser(Protocol):
    """What reading asks of a parser."""

    @property
    def terminals(self) -> Mapping[str, str]:
        """The regular expressions of all terminals, by name."""

    def parse(self, text: str) -> Tree[Token]:
        """Every derivation as one tree; raises Lark's UnexpectedInput if there is none."""

    def failure(self, text: str) -> UnexpectedInput | None:
        """Where a text cannot be parsed further, with all that could stand there; none if it can.

        It takes far longer than finding out that a text cannot be parsed.
        """


class _TerminalIndex:
    """Finds which terminals match somewhere in a text, by a word that each cannot do without."""

    def __init__(
        self, patterns: Mapping[str, str], matchers: Mapping[str, re.Pattern[str]]
    ) -> None:
        """The regular expressions of terminals by name, as texts and compiled."""
        self._matchers = matchers
        self._by_word: dict[str, list[str]] = {}
        self._wordless: list[str] = []
        for name, pattern in patterns.items():
            word = _needed_word(pattern)
            self._by_word.setdefault(word, []).append(name) if word else self._wordless.append(name)

    def found_in(self, text: str) -> set[str]:
        """The names of the terminals that match somewhere in the text."""
        asked: Iterable[str] = self._matchers
        if not any(char.isalnum() and not char.isascii() for char in text):  # which match "s", too
            words = set(re.findall(r"\w+", text.lower()))
            known = (name for word in words for name in self._by_word.get(word, ()))
            asked = (*self._wordless, *known)
        return {name for name in asked if self._matchers[name].search(text)}


def _needed_word(pattern: str) -> str:
    """The longest word that stands in every match of a regular expression, or none."""
    outside = re.sub(r"\(\?:[^()]*\)\??", " ", pattern)
    if not pattern.isascii() or "|" in outside:
        return ""
    return max(re.findall(r"\\b(\w+)\\b", outside), key=len, default="").lower()


class EarleyParser:
    """Parses sentences by a grammar."""

    def __init__(self, grammar: str) -> None:
        """Make the grammar ready; this takes far longer than parsing a sentence."""
        self._lark = earley_parser(grammar)
        self.terminals = terminal_patterns(self._lark)
        self._terminals = _TerminalIndex(self.terminals, terminal_matchers(self._lark))
        # Predictions with their place among all: those without words, and the others by one word.
        self._wordless: list[tuple[int, Prediction]] = []
        self._by_word: dict[str, list[tuple[int, Prediction]]] = {}
        for place, prediction in enumerate(predictions(self._lark)):
            words = prediction.terminals
            kept = self._by_word.setdefault(min(words), []) if words else self._wordless
            kept.append((place, prediction))
        self._memo = functools.lru_cache(maxsize=MAX_FORESTS)(self._parse)

    def parse(self, text: str) -> Tree[Token]:
        """Every derivation of a sentence, as one tree; raises Lark's UnexpectedInput for none."""
        return self._memo(text)

    def terminals_in(self, text: str) -> set[str]:
        """The names of the terminals that match somewhere in the text."""
        return self._terminals.found_in(text)

    def _parse(self, text: str) -> Tree[Token]:
        found = self.terminals_in(text)
        chosen = list(self._wordless)
        for name in found & self._by_word.keys():
            chosen += [item for item in self._by_word[name] if item[1].terminals <= found]
        chosen.sort(key=lambda item: item[0])
        return parse_with(self._lark, _productive([one for _, one in chosen]), text)

    def failure(self, text: str) -> UnexpectedInput | None:
        """Where a text cannot be parsed further by any rule, or none if it can."""
        try:
            self._lark.parse(text)
        except UnexpectedInput as error:
            return error
        return None


def _productive(chosen: Sequence[Prediction]) -> Sequence[Prediction]:
    """The predictions without those that ask for a symbol for which no rule is left."""
    while True:
        symbols = {prediction.symbol for prediction in chosen}
        left = [prediction for prediction in chosen if prediction.symbols <= symbols]
        if len(left) == len(chosen):
            return left
        chosen = left


@functools.lru_cache(maxsize=MAX_PARSERS)
def parser_of(grammar: str) -> EarleyParser:
    """The parser of a grammar, made once: rules compiled again mostly have the same grammar."""
    return EarleyParser(grammar)


class SparingParser:
    """Parses a few sentences without making the whole grammar ready.

    Each is parsed by the grammar of the phrases whose words it may have. What that grammar does
    not parse, and all sentences after some, are parsed by the whole one.
    """

    def __init__(self, grammar: Callable[[str | None], str]) -> None:
        """`grammar` gives the grammar of the phrases for a text; for none, the whole one."""
        self._grammar = grammar
        self._left = MAX_SPARED

    @functools.cached_property
    def _whole(self) -> EarleyParser:
        return parser_of(self._grammar(None))

    @property
    def terminals(self) -> Mapping[str, str]:
        """The regular expressions of all terminals, by name."""
        return self._whole.terminals

    def parse(self, text: str) -> Tree[Token]:
        """Every derivation of a sentence, as one tree; raises Lark's UnexpectedInput for none."""
        self._left -= 1
        if self._left >= 0:
            try:
                return EarleyParser(self._grammar(text)).parse(text)
            except UnexpectedInput:
                self._left = 0
        return self._whole.parse(text)

    def failure(self, text: str) -> UnexpectedInput | None:
        """Where a text cannot be parsed further by any rule, or none if it can."""
        return self._whole.failure(text)
