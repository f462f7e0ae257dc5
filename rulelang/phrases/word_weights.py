"""How much single words say, and which of them say the same, for comparing sentences.

Names, numbers and what denies or restricts say most; what stands in many wordings says least.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from rulelang.diagnostics.english import NUMERALS
from rulelang.phrases.lexicon import SMALL, Lexicon
from rulelang.phrases.phrase import NUMBER_PATTERN, parse_number

WEIGHTY, NAMED, USUAL, SLIGHT = 3.0, 2.0, 1.5, 0.25
_RARE, _PLAIN, _COMMON = 1.0, 0.6, 0.08  # what a common word says that is brought in
_SLIGHT_SHARE = 0.04  # of all wordings have a word that says little
_GUARDED = (  # words without which a sentence says something else, those of one sense in one line
    "not no never cannot can't can’t mustn't mustn’t don't don’t doesn't "
    "doesn’t isn't isn’t won't won’t cant dont",
    "nobody",
    "nothing none",
    "nor neither",
    "nowhere",
    "without",
    "unless except",
    "only solely exclusively",
    "each every per",
    "other another others else opponent opponents",
    "less fewer lower cheaper",
    "lose loses losing lost minus - − – deduct penalty",
    "most maximum max",
    "least minimum min",
    "half halved halves halve",
    "double doubles doubled twice",
    "triple triples tripled thrice",
    "instead",
    "until till",
    "end ends ended over finish finished finishes",
    "before",
)
_TURNING = (
    "cost costs pay pays price discard remove upgrade again after later former twice × $ free"
)
_NOT_BROUGHT_IN = frozenset(_TURNING.split())  # they turn what is said into something else
_WHEN = (
    "provided once whenever after before during later again first second last "
    "next immediately long soon"
)
_TELLING = frozenset(_WHEN.split())  # words that say when, or on what condition
_CONDITIONS = frozenset(("if", "when", "where", "while"))
_DENIALS = frozenset(word for line in _GUARDED[:7] for word in line.split())
_SENSE_OF = {word: f"={line.split()[0]}" for line in _GUARDED for word in line.split()}
_COUNTED = re.compile(rf"(?<!\w)({NUMBER_PATTERN})(?!\w)\s*([^\W\d_]*)", re.IGNORECASE)
_ENDING = re.compile(r"(?<=\w\w\w)(?:ies|y|es|s|ed|d|ing|e)$")


@functools.lru_cache(maxsize=1 << 14)
def sense(token: str) -> str:
    """What a word is compared by: its stem, a number as digits, one word for all that deny."""
    word = token.lower().lstrip("$")
    if word in _SENSE_OF:
        return _SENSE_OF[word]
    if word in NUMERALS:
        return str(NUMERALS.index(word) + 1)
    return _ENDING.sub("", word)


def is_guarded(token: str) -> bool:
    """May a word be neither left out nor brought in: a number, or what denies or restricts?"""
    return is_number(token) or sense(token).startswith("=")


def counts_alike(said: str, text: str) -> bool:
    """Have the numbers of two texts the same order, or each the same word behind it?"""
    one, other = _counted(said), _counted(text)
    common = {number for number, _ in one} & {number for number, _ in other}
    in_one, in_other = (
        list(dict.fromkeys(number for number, _ in of if number in common)) for of in (one, other)
    )
    pairs = {pair for pair in one if pair[0] in common}
    return in_one == in_other or (all(word for _, word in pairs) and pairs <= set(other))


def _counted(text: str) -> list[tuple[int, str]]:
    """The numbers of a text, each with the word behind it in its singular."""
    found = _COUNTED.finditer(text)
    return [(parse_number(m.group(1)), m.group(2).lower().removesuffix("s")) for m in found]


def denials(text: str) -> int:
    """How many words of a text deny something."""
    return sum(word in _DENIALS for word in re.findall(r"[\w'’]+", text.lower()))


def may_be_brought_in(token: str) -> bool:
    """May an offer have a word that the sentence has not?"""
    return not is_guarded(token) and token.lower() not in _NOT_BROUGHT_IN


def is_number(token: str) -> bool:
    """Is a word a number, perhaps of money?"""
    word = token.lower().lstrip("$")
    return word.isdigit() or word in NUMERALS


@dataclass(frozen=True, eq=False)
class WordWeights:
    """How much the words of sentences say in the game of a lexicon."""

    lexicon: Lexicon

    @property
    def vocabulary(self) -> frozenset[str]:
        """All words that some wording has."""
        return self.lexicon.vocabulary

    @cached_property
    def _shares(self) -> dict[str, float]:
        """How large a share of the wordings has each word."""
        texts = [p.text.lower() for p in self.lexicon.phrases if p.word is None]
        counted = Counter(word for text in texts for word in set(re.findall(r"[a-z’']+", text)))
        return {word: count / len(texts) for word, count in counted.items()}

    @cached_property
    def _names(self) -> frozenset[str]:
        """The single words of names."""
        return frozenset(
            word for name in self.lexicon.names_of_things for word in re.findall(r"\w+", name)
        )

    @cached_property
    def _known(self) -> dict[str, float]:
        return {}

    def of(self, token: str) -> float:
        """How much a word says."""
        if token not in self._known:
            self._known[token] = self._weight(token.lower())
        return self._known[token]

    def of_added(self, token: str) -> float:
        """How much a word says that is brought in: no common word says little but small ones."""
        word = token.lower()
        if word in SMALL:
            return SLIGHT
        return _RARE if self._shares.get(word, 0) < _COMMON else _PLAIN

    def _weight(self, word: str) -> float:
        if is_guarded(word):
            return WEIGHTY
        if not word[:1].isalnum():
            return 0.0
        if word in _TELLING:
            return NAMED
        if word in _CONDITIONS:
            return _RARE
        if self._shares.get(word, 0) >= _SLIGHT_SHARE or len(word) == 1 or word in SMALL:
            return SLIGHT
        return NAMED if word in self._names or word not in self.vocabulary else USUAL
