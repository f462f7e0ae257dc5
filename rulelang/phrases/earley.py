"""The Earley parser of card sentences: made once for a grammar, it returns every derivation.

Most rules of a glossary are titles. Of all rules only those are tried on a sentence whose words
it has; that makes parsing a sentence many times faster and changes no result.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Protocol

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulelang.syntax.lark_adapter import (
    Prediction,
    earley_parser,
    parse_with,
    predictions,
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


class EarleyParser:
    """Parses sentences by a grammar."""

    def __init__(self, grammar: str) -> None:
        """Make the grammar ready; this takes far longer than parsing a sentence."""
        self._lark = earley_parser(grammar)
        self.terminals = terminal_patterns(self._lark)
        self._words = {
            name: re.compile(pattern, re.IGNORECASE) for name, pattern in self.terminals.items()
        }
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

    def _parse(self, text: str) -> Tree[Token]:
        found = {name for name, pattern in self._words.items() if pattern.search(text)}
        chosen = list(self._wordless)
        for name in found & self._by_word.keys():
            chosen += [item for item in self._by_word[name] if item[1].terminals <= found]
        chosen.sort(key=lambda item: item[0])
        try:
            return parse_with(self._lark, (prediction for _, prediction in chosen), text)
        except UnexpectedInput:
            # Parsed again by all rules, so that the error names all that could stand there.
            return self._lark.parse(text)


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
