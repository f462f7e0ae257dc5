"""The Earley parser of card sentences: made once for a grammar, it returns every derivation.

Most rules of a glossary are titles. Of all rules only those are tried on a sentence whose words
it has; that makes parsing a sentence many times faster and changes no result.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import NamedTuple

from lark import Token, Tree

from rulelang.phrases.phrase import needed_words
from rulelang.syntax.lark_adapter import Earley, EarleyGrammar, EarleyRule, Stop

MAX_PARSERS, MAX_FORESTS, MAX_TEXTS, MAX_FOLLOWED = 8, 4096, 512, 16  # kept in memory
# By the name of a terminal: sets of words, of each of which one is in whatever it matches.
Needed = Mapping[str, Sequence[frozenset[str]]]


class _TerminalIndex:
    """Finds which terminals match somewhere in a text, by words of which each needs one."""

    def __init__(
        self,
        needed: Needed,
        matching: Callable[[str], tuple[Mapping[str, re.Pattern[str]], str]],
    ) -> None:
        """The words that each terminal needs, and the compiled terminals for a text."""
        self._names = list(needed)
        self._matching = matching
        self._by_word: dict[str, list[str]] = {}
        self._wordless: list[str] = []
        self._others: dict[str, Sequence[frozenset[str]]] = {}  # sets of words needed besides
        for name, sets in needed.items():
            for word in sets[0] if sets else ():
                self._by_word.setdefault(word, []).append(name)
            if not sets:
                self._wordless.append(name)
            self._others[name] = sets[1:]

    def found_in(self, text: str) -> frozenset[str]:
        """The names of the terminals that match somewhere in the text."""
        asked: Iterable[str] = self._names
        if not any(char.isalnum() and not char.isascii() for char in text):  # "ſ" matches "s", too
            said = re.findall(r"\w+", text.lower())
            words = frozenset((*said, *map(" ".join, pairwise(said))))
            known = (name for word in words for name in self._by_word.get(word, ()))
            asked = [*self._wordless, *dict.fromkeys(n for n in known if self._has_all(n, words))]
        patterns, said_as = self._matching(text)
        return frozenset(name for name in asked if patterns[name].search(said_as))

    def _has_all(self, name: str, words: frozenset[str]) -> bool:
        """Is a word there of each set that a terminal needs?"""
        return not any(map(words.isdisjoint, self._others[name]))


class _Candidate(NamedTuple):
    """A rule with its place in the grammar, and the terminals and other symbols it needs."""

    place: int
    symbol: str
    terminals: frozenset[str]
    symbols: frozenset[str]


def _candidate(place: int, rule: EarleyRule) -> _Candidate:
    terminals = frozenset(part for part in rule.parts if part.isupper())
    return _Candidate(place, rule.symbol, terminals, frozenset(rule.parts) - terminals)


@dataclass(frozen=True)
class Failure:
    """Where a text cannot be parsed further, none for its end, and the terminals that could stand
    there.
    """

    at: int | None
    terminals: frozenset[str]


class EarleyParser:
    """Parses sentences by a grammar."""

    def __init__(self, grammar: EarleyGrammar, needed: Needed | None = None) -> None:
        """Make the grammar ready; `needed` are the words that each terminal needs, if known."""
        self.grammar = grammar
        self._earley = Earley(grammar)
        self.terminals: Mapping[str, str] = dict(grammar.terminals)
        self.needed = needed or {name: needed_words(p) for name, p in self.terminals.items()}
        self._terminals = _TerminalIndex(self.needed, self._earley.matching)
        # Rules without words by one of their symbols, and the others by one word.
        self._wordless: dict[str, list[_Candidate]] = {}
        self._by_word: dict[str, list[_Candidate]] = {}
        candidates = list(map(_candidate, range(len(grammar.rules)), grammar.rules))
        uses = Counter(name for one in candidates for name in one.terminals)
        for one in candidates:
            if one.terminals:  # found by the rarest
                rarest = min(one.terminals, key=lambda name: (uses[name], name))
                self._by_word.setdefault(rarest, []).append(one)
            else:
                self._wordless.setdefault(min(one.symbols), []).append(one)
        self._places = range(len(grammar.rules))
        self.alone: set[str] = set()  # texts known to be parsed by rules of one sentence at most
        self._memo = functools.lru_cache(maxsize=MAX_FORESTS)(self._parse)
        self._found = functools.lru_cache(maxsize=MAX_TEXTS)(self._terminals.found_in)
        self._chosen = functools.lru_cache(maxsize=MAX_TEXTS)(self._productive)
        self.following = functools.lru_cache(maxsize=MAX_FOLLOWED)(self._following)
        # Where a text cannot be parsed further, with all that could stand there; none if it can. It
        # takes far longer than finding out that a text cannot be parsed.
        self.failure = functools.lru_cache(maxsize=MAX_TEXTS)(self._failed)

    def parse(self, text: str) -> Tree[Token]:
        """Every derivation of a sentence, as one tree; raises Lark's UnexpectedInput for none."""
        return self._memo(text)

    def terminals_in(self, text: str) -> frozenset[str]:
        """The names of the terminals that match somewhere in the text."""
        return self._found(text)

    def productive_rules(self, text: str) -> list[EarleyRule]:
        """The rules that may read some part of a text."""
        rules = self.grammar.rules
        return [rules[place] for place in sorted(self._chosen(self.terminals_in(text)))]

    def matching(self, text: str) -> tuple[Mapping[str, re.Pattern[str]], str]:
        """The compiled terminals, and the text that they match as they match this one."""
        return self._earley.matching(text)

    def may_be(self, symbol: str, text: str) -> bool:
        """Is there nothing in a text that no rule of a symbol could ever take?

        It is told at little cost of most that cannot be parsed.
        """
        chosen = self._chosen(self.terminals_in(text))
        rules = self.grammar.rules
        used = {part for place in chosen for part in rules[place].parts if part.isupper()}
        if all(rules[place].symbol != symbol for place in chosen):
            return False
        left = bytearray(not char.isspace() for char in text)
        patterns, said = self._earley.matching(text)
        for name in used:
            for match in patterns[name].finditer(said):
                start, end = match.span()
                left[start:end] = bytes(end - start)
        return not any(left)

    def _parse(self, text: str) -> Tree[Token]:
        return self._earley.parse(self._chosen(self.terminals_in(text)), text)

    def _productive(self, found: frozenset[str]) -> list[int]:
        """The places of the rules that can make something of these terminals."""
        waiting: dict[str, list[_Candidate]] = {}  # for a symbol that is not made yet
        made, chosen = set[str](), list[int]()
        ready = [
            one
            for name in found & self._by_word.keys()
            for one in self._by_word[name]
            if one.terminals <= found
        ]
        while ready:
            one = ready.pop()
            if not one.symbols <= made:
                waiting.setdefault(next(iter(one.symbols - made)), []).append(one)
                continue
            chosen.append(one.place)
            if one.symbol not in made:
                made.add(one.symbol)
                ready += (*waiting.pop(one.symbol, ()), *self._wordless.get(one.symbol, ()))
        return chosen

    def _following(self, text: str) -> list[tuple[EarleyRule, int]]:
        """The rules that may go on behind the first words of a sentence with a terminal, each with
        how many of its parts stand there already; none if these words begin no sentence.
        """
        stop = self._stop(text)
        if stop is None or stop.at is not None:
            return []
        return [(self.grammar.rules[place], done) for place, done in sorted(stop.rules)]

    def _stop(self, text: str) -> Stop | None:
        """Where a text cannot be parsed further by any rule, with all that go on there."""
        found = self.terminals_in(text)
        made = {self.grammar.rules[place].symbol for place in self._productive(found)} | found
        chosen, left_out = list[int](), dict[str, list[int]]()
        entered: dict[tuple[str, str], int] = {}
        for place in self._places:
            rule = self.grammar.rules[place]
            if rule.parts[0] in made:
                chosen.append(place)
            elif rule.parts[0].isupper():
                left_out.setdefault(rule.symbol, []).append(place)
            else:
                entered.setdefault((rule.symbol, rule.parts[0]), place)
        # of what cannot be read past its first part one rule stands for all that begin alike, and
        # for all words of a symbol
        chosen += [*entered.values(), *(places[0] for places in left_out.values())]
        stop = self._earley.stop(chosen, text)
        if stop is None:
            return None
        rules = set(stop.rules)
        for place, done in stop.rules:
            if not done and place in (alike := left_out.get(self.grammar.rules[place].symbol, ())):
                rules.update((one, 0) for one in alike)
        return Stop(stop.at, frozenset(rules))

    def _failed(self, text: str) -> Failure | None:
        stop = self._stop(text)
        if stop is None:
            return None
        expected = {self.grammar.rules[place].parts[done] for place, done in stop.rules}
        return Failure(stop.at, frozenset(expected))


def parser_of(grammar: EarleyGrammar, needed: Needed | None = None) -> EarleyParser:
    """The parser of a grammar, made once: rules compiled again mostly have the same grammar.

    `needed` are the words that each terminal needs, if that is known.
    """
    return _parser_asked(_Asked(grammar, needed))


@dataclass(frozen=True)
class _Asked:
    grammar: EarleyGrammar
    needed: Needed | None = field(compare=False)


@functools.lru_cache(maxsize=MAX_PARSERS)
def _parser_asked(asked: _Asked) -> EarleyParser:
    return EarleyParser(asked.grammar, asked.needed)


def encode_parser(parser: EarleyParser) -> str:
    """A parser's grammar, with the words that its terminals need, as JSON text."""
    needed = {name: [sorted(words) for words in sets] for name, sets in parser.needed.items()}
    return json.dumps([*parser.grammar, needed], separators=(",", ":"))


def decode_parser(text: str | bytes) -> EarleyParser:
    """The parser of what was encoded; raises ValueError for anything else."""
    try:
        rules, terminals, needed = json.loads(text)
        symbols, parts, names = zip(*rules, strict=True)
        _check_texts(symbols, names, *parts)
        _check_texts(*terminals)
        grammar = EarleyGrammar(
            tuple(map(EarleyRule, symbols, map(tuple, parts), names)),
            tuple((name, pattern) for name, pattern in terminals),
        )
        if needed.keys() != dict(grammar.terminals).keys():
            raise ValueError("the words of other terminals")
        _check_texts(*chain.from_iterable(needed.values()))
        sets = {name: list(map(frozenset, words)) for name, words in needed.items()}
    except (TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error
    return parser_of(grammar, sets)


def _check_texts(*rows: Iterable[object]) -> None:
    """Raises ValueError unless everything in these rows is a text."""
    if not set(map(type, chain.from_iterable(rows))) <= {str}:
        raise ValueError("something is no text")
