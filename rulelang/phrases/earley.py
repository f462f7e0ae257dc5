"""The Earley parser of card sentences: made once for a grammar, it returns every derivation.

Most rules of a glossary are titles. Of all rules only those are tried on a sentence whose words
it has; that makes parsing a sentence many times faster and changes no result.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulelang.phrases.phrase import needed_words
from rulelang.syntax.lark_adapter import Earley, EarleyGrammar, EarleyRule

MAX_PARSERS, MAX_FORESTS = 8, 4096  # kept in memory


class _TerminalIndex:
    """Finds which terminals match somewhere in a text, by words of which each needs one."""

    def __init__(
        self, patterns: Mapping[str, str], compiled: Callable[[str], re.Pattern[str]]
    ) -> None:
        """The regular expressions of terminals by name, as texts and compiled."""
        self._names = list(patterns)
        self._compiled = compiled
        self._by_word: dict[str, list[str]] = {}
        self._wordless: list[str] = []
        self._others: dict[str, tuple[frozenset[str], ...]] = {}  # sets of words needed besides
        for name, pattern in patterns.items():
            sets = needed_words(pattern)
            for word in sets[0] if sets else ():
                self._by_word.setdefault(word, []).append(name)
            if not sets:
                self._wordless.append(name)
            self._others[name] = sets[1:]

    def found_in(self, text: str) -> set[str]:
        """The names of the terminals that match somewhere in the text."""
        asked: Iterable[str] = self._names
        if not any(char.isalnum() and not char.isascii() for char in text):  # "ſ" matches "s", too
            words = frozenset(re.findall(r"\w+", text.lower()))
            known = (name for word in words for name in self._by_word.get(word, ()))
            asked = [*self._wordless, *dict.fromkeys(n for n in known if self._has_all(n, words))]
        return {name for name in asked if self._compiled(name).search(text)}

    def _has_all(self, name: str, words: frozenset[str]) -> bool:
        """Is a word there of each set that a terminal needs?"""
        return not any(words.isdisjoint(needed) for needed in self._others[name])


@dataclass(frozen=True)
class _Candidate:
    """A rule with its place in the grammar, and the terminals and other symbols it needs."""

    place: int
    symbol: str
    terminals: frozenset[str]
    symbols: frozenset[str]


def _candidate(place: int, rule: EarleyRule) -> _Candidate:
    terminals = frozenset(part for part in rule.parts if part.isupper())
    return _Candidate(place, rule.symbol, terminals, frozenset(rule.parts) - terminals)


class EarleyParser:
    """Parses sentences by a grammar."""

    def __init__(self, grammar: EarleyGrammar) -> None:
        """Make the grammar ready."""
        self._earley = Earley(grammar)
        self.terminals: Mapping[str, str] = dict(grammar.terminals)
        self._terminals = _TerminalIndex(self.terminals, self._earley.pattern)
        # Rules without words, and the others by one word.
        self._wordless: list[_Candidate] = []
        self._by_word: dict[str, list[_Candidate]] = {}
        for place, rule in enumerate(grammar.rules):
            one = _candidate(place, rule)
            words = one.terminals
            (self._by_word.setdefault(min(words), []) if words else self._wordless).append(one)
        self._places = range(len(grammar.rules))
        self.alone: set[str] = set()  # texts known to be parsed by rules of one sentence at most
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
            chosen += [one for one in self._by_word[name] if one.terminals <= found]
        return self._earley.parse([one.place for one in _productive(chosen)], text)

    def failure(self, text: str) -> UnexpectedInput | None:
        """Where a text cannot be parsed further, with all that could stand there; none if it can.

        It takes far longer than finding out that a text cannot be parsed.
        """
        try:
            self._earley.parse(self._places, text)
        except UnexpectedInput as error:
            return error
        return None


def _productive(chosen: Sequence[_Candidate]) -> Sequence[_Candidate]:
    """The rules without those that ask for a symbol for which no rule is left."""
    while True:
        symbols = {one.symbol for one in chosen}
        left = [one for one in chosen if one.symbols <= symbols]
        if len(left) == len(chosen):
            return left
        chosen = left


@functools.lru_cache(maxsize=MAX_PARSERS)
def parser_of(grammar: EarleyGrammar) -> EarleyParser:
    """The parser of a grammar, made once: rules compiled again mostly have the same grammar."""
    return EarleyParser(grammar)
