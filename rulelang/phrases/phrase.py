"""A phrase (one wording of card texts with slots), its derivations, and what a sentence reads as.

The functions below work on a phrase's text: `{n}` is a slot, `(word)` with blanks round it may be
left out, `tile(s)` is two forms of a word, and `a/b` are alternatives.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise, product
from math import prod

from rulelang import core
from rulelang.diagnostics.english import NUMERALS
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.elaborate.card_language import Pattern
from rulelang.ruleset import Extension, Noun
from rulelang.ruleset.normalize import as_held
from rulelang.ruleset.sums import added_up

SLOT = re.compile(r"\{([a-z_]\w*)(?: (plural|by [a-z_]\w*))?\}")
OPTIONAL = re.compile(r"(?<!\S)\(([^(){}]+)\)(?!\w)")  # in brackets of their own
# In “this one” no number is said.
NUMBER_PATTERN = rf"[0-9]{{1,6}}|\b(?<!this )(?:{'|'.join(NUMERALS)})\b"
_WORD = r"[\w'’-]+(?:\(\w+\))?"  # with or without an ending in brackets: "tile(s)"
ALTERNATIVES = re.compile(rf"\b({_WORD})(?:/{_WORD})+")  # the first is the one that is printed
_TWO_FORMS = re.compile(r"([\w'’-]+)\((\w+)\)")
# What tells the number of a noun behind it, perhaps with words between.
_OF_SEVERAL = frozenset(("all", "these", "those", "both"))
_ASKED = re.compile(
    r"\b(an?|another|each|every|one|all|these|those|both)(?: [\w-]+| \{[a-z_]\w*\}){0,2} ?[\w-]+$",
    re.IGNORECASE,
)
_TOKEN = re.compile(rf"{_WORD}(?:/{_WORD})*|[^\w\s]")
MAX_ALIKE = 64  # wordings for one, of parts with synonyms of their own

Synonyms = tuple[tuple[str, ...], ...]  # wordings that may stand for each other, in lower case


def slots_in(text: str) -> tuple[str, ...]:
    """The names of the slots of a text, in their order."""
    return tuple(name for name, _ in SLOT.findall(text))


@dataclass(frozen=True)
class Phrase:
    """A wording: its text with slots, the category of each slot, and what it stands for.

    It is a sentence with a `pattern`, reads a definition (`define`), or is a word: then `word` is
    its meaning, `word_forms` its singular and plural, and `noun` the pieces it names, if it does.
    `first` is the wording that stands first where one definition reads several.
    """

    id: str
    category: str
    text: str
    slots: tuple[tuple[str, str], ...]  # slot -> category
    define: str | None = None
    pattern: Pattern | None = None
    word: core.Expr | None = None
    word_forms: tuple[str, str] = ("", "")
    span: Span = NOWHERE
    noun: Noun | None = None
    first: str = ""

    @property
    def of_pattern(self) -> str:
        """A name for all wordings of one pattern; of a phrase that is no sentence, its own id."""
        return self.id if self.pattern is None else self.id.rpartition("_")[0]

    @property
    def is_noun(self) -> bool:
        """Is it a word for pieces?"""
        return self.word is not None and self.category.startswith("s_")

    @cached_property
    def plurals(self) -> dict[str, str]:
        """The plural of each of its words that have two forms, and the singular, in lower case."""
        return {one.lower() + end: one.lower() for one, end in _TWO_FORMS.findall(self.text)}

    @property
    def is_bare_slot(self) -> bool:
        """Is it nothing but one slot, so that it only passes on what another phrase says?"""
        if self.word is not None or len(self.slots) != 1:
            return False
        return SLOT.fullmatch(OPTIONAL.sub("", self.text).strip()) is not None


@dataclass(frozen=True)
class Derivation:
    """One parse of a stretch of text: a phrase with its filled slots, or a number.

    It is kept whether its noun was read in the plural, which is no part of its meaning.
    """

    phrase: Phrase | None
    slots: tuple[tuple[str, Derivation], ...] = ()
    number: int = 0
    is_plural: bool = field(default=False, compare=False)

    def slot(self, name: str) -> Derivation | None:
        """The derivation that fills a slot; none if the text does not mention it."""
        return dict(self.slots).get(name)


@dataclass(frozen=True)
class Form:
    """A sentence in other words, and the asides that are left out of it."""

    text: str
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """One meaning of a sentence: its derivation, and the extensions it makes."""

    derivation: Derivation
    extensions: tuple[Extension, ...]
    normalize: Callable[[], tuple[Extension, ...]] = field(compare=False)
    form: Form | None = field(default=None, compare=False)  # the words it was read in, if others

    @cached_property
    def meaning(self) -> tuple[Extension, ...]:
        """The extensions in normal form, computed only where two readings are compared."""
        return self.normalize()

    def means_as(self, other: Reading) -> bool:
        """Is it the same meaning, be it asked again within it that it holds at all or not, and be
        what it adds to a table told in one line or in several?
        """
        return self.meaning == other.meaning or self._added_up == other._added_up

    @cached_property
    def _added_up(self) -> tuple[Extension, ...]:
        return added_up(map(as_held, self.meaning))


def parse_number(word: str) -> int:
    """The number written in digits or as a numeral."""
    return int(word) if word.isdigit() else NUMERALS.index(word.lower()) + 1


def canonical_wording(text: str, derivation: Derivation | None = None, many: bool = True) -> str:
    """A phrase's text with every choice of words made, only its slots still open.

    Optional words stay and the first of several alternatives is taken. A bracketed ending is
    written after a number other than 1, and where no number precedes it if `many`.
    """
    text = ALTERNATIVES.sub(r"\1", OPTIONAL.sub(r"\1", text))

    def ending(match: re.Match[str]) -> str:
        before = text[: match.start()]
        asked = _ASKED.search(before)
        if asked is not None:
            return match.group(1) if asked[1].lower() in _OF_SEVERAL else ""
        slots = [found.group(1) for found in SLOT.finditer(before)]
        counted = derivation.slot(slots[-1]) if derivation is not None and slots else None
        if counted is not None and counted.phrase is None:
            return match.group(1) if counted.number != 1 else ""
        return match.group(1) if many or (derivation is None and slots) else ""

    return re.sub(r"\((\w+)\)", ending, text)


def expand_optional(text: str) -> list[str]:
    """A phrase's text with and without each of its optional words, the longest first."""
    pieces = OPTIONAL.split(text)
    choices = [(piece,) if index % 2 == 0 else (piece, "") for index, piece in enumerate(pieces)]
    return ["".join(chosen) for chosen in product(*choices)]


def forms_of(word: str) -> list[str]:
    """A word with its bracketed ending and without."""
    if "(" not in word:
        return [word]
    return list(dict.fromkeys((re.sub(r"[()]", "", word), re.sub(r"\(\w+\)", "", word))))


def regex_of(words: str, synonyms: SynonymIndex | None = None) -> str:
    """A regular expression for a stretch of a phrase's own words.

    It matches whole words with any blanks between them, in any of their forms and alternatives,
    and where synonyms stand, any of them.
    """
    return _composed(_TOKEN.findall(words.strip()), synonyms).replace("/", r"\/")


def _composed(tokens: list[str], synonyms: SynonymIndex | None) -> str:
    """A regular expression for words one after another, each with its synonyms."""
    parts: list[str] = []
    while tokens:
        alike = synonyms.at(tokens) if synonyms is not None else None
        length = alike[0] if alike is not None else 1
        parts.append(_regex_of_any(alike[1]) if alike is not None else _regex_of_token(tokens[0]))
        tokens = tokens[length:]
    return _glued(parts)


def _glued(parts: Sequence[str]) -> str:
    """Regular expressions of words one after another, with the blanks that may be between them."""
    text = parts[0] if parts else ""
    for left, part in pairwise(parts):
        apart = left.endswith((r"\b", ")")) and part.startswith((r"\b", "(?:"))
        text += (r"\s+" if apart else r"\s*") + part
    return text


class SynonymIndex:
    """Finds the synonyms that words begin with."""

    def __init__(self, synonyms: Synonyms) -> None:
        """All lists that a wording stands in are one list for it."""
        found: dict[tuple[str, ...], dict[str, None]] = {}
        for alike in synonyms:
            for said in alike:
                found.setdefault(tuple(_TOKEN.findall(said)), {}).update(dict.fromkeys(alike))
        self._alike = {words: tuple(others) for words, others in found.items()}
        self._most = max(map(len, self._alike), default=0)
        self._firsts = frozenset(words[0] for words in self._alike if words)
        self._begins: dict[str, bool] = {}  # memo: may a synonym begin with this token?

    def at(self, tokens: Sequence[str]) -> tuple[int, tuple[str, ...]] | None:
        """The words of the longest synonym these begin with, and all that it may be said as."""
        low = tuple(token.lower() for token in tokens[: self._most])
        if not low or not self._may_begin(low[0]):
            return None
        for length in range(len(low), 0, -1):
            others = self._alike.get(low[:length]) or self._of_some(low[:length])
            if others is not None:
                return length, self._with_parts(low[:length], others)
        return None

    def _may_begin(self, token: str) -> bool:
        """Does a synonym begin with this token, or with one of its forms?"""
        if token not in self._begins:
            said = (form for part in token.split("/") for form in forms_of(part))
            self._begins[token] = token in self._firsts or not self._firsts.isdisjoint(said)
        return self._begins[token]

    def _with_parts(self, tokens: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
        """These and what the words may be said as part by part: “is built” has “built” in it."""
        if len(tokens) < 2 or any("/" in token for token in tokens):
            return others
        said: list[tuple[str, ...]] = []
        rest = tokens
        while rest:
            known = (
                n for n in range(min(len(rest), len(tokens) - 1), 0, -1) if rest[:n] in self._alike
            )
            length = next(known, 0)
            said.append(self._alike[rest[:length]] if length else rest[:1])
            rest = rest[length or 1 :]
        if prod(map(len, said)) > MAX_ALIKE:
            return others
        return tuple(dict.fromkeys((*others, *map(" ".join, product(*said)))))

    def _of_some(self, tokens: tuple[str, ...]) -> tuple[str, ...] | None:
        """What several words may be said as that have alternatives: “is/are built”.

        None if no choice among them is a synonym of several words.
        """
        choices = [
            [form for part in token.split("/") for form in forms_of(part)]
            if token != "/"
            else [token]
            for token in tokens
        ]
        if all(len(forms) == 1 for forms in choices) or (len(tokens) == 1 and "/" in tokens[0]):
            return None
        said = list(product(*choices))
        found = [self._alike.get(words) for words in said]
        if not any(found):
            return None
        texts = (f or (" ".join(words),) for words, f in zip(said, found, strict=True))
        return tuple(dict.fromkeys(text for some in texts for text in some))


@functools.cache
def _regex_of_any(synonyms: tuple[str, ...]) -> str:
    """A regular expression for any of these, longer ones first."""
    longest_first = sorted(synonyms, key=len, reverse=True)
    words = [_glued([_regex_of_token(t) for t in _TOKEN.findall(said)]) for said in longest_first]
    return "(?:" + "|".join(words) + ")"


def _regex_of_token(token: str) -> str:
    """A regular expression for one word with its alternatives, or for a punctuation mark."""
    if "/" in token and not token.startswith("/"):
        options = [re.escape(form) for option in token.split("/") for form in forms_of(option)]
        return r"\b(?:" + "|".join(options) + r")\b"
    if token.endswith(")") and "(" in token:
        base, tail = token[:-1].split("(")
        return r"\b" + re.escape(base) + f"(?:{re.escape(tail)})?" + r"\b"
    if re.match(r"[\w]", token):  # "players'" ends at no boundary
        return r"\b" + re.escape(token) + (r"\b" if re.match(r"\w", token[-1]) else "")
    return re.escape(token)


def required_words(text: str) -> list[set[str]]:
    """The words a phrase cannot do without, each as the set of its forms."""
    tokens = re.findall(rf"{_WORD}(?:/{_WORD})*", SLOT.sub(" ", OPTIONAL.sub(" ", text)).lower())
    return [{form for part in token.split("/") for form in forms_of(part)} for token in tokens]


def words_of_regex(pattern: str) -> str:
    """The words that a regular expression of this module stands for; empty if it never matches."""
    if pattern == NUMBER_PATTERN:
        return "a number"
    if pattern in (r"(?!)x", ""):
        return ""
    text = pattern.replace(r"\s+", " ").replace(r"\s*", "").replace(r"\b", "")
    text = re.sub(r"\(\?:(\w+)\)\?", r"(\1)", text)
    text = re.sub(r"\(\?:([^)|]+)(\|[^)]*)?\)", r"\1", text)
    return text.replace("\\", "").strip()


@functools.lru_cache(maxsize=4096)
def wordings_of_regex(pattern: str) -> tuple[str, ...]:
    """All words that a regular expression of this module stands for, as `words_of_regex` has one of
    them; not more than 64.
    """
    parts = re.split(r"\(\?:([^()]*\|[^()]*)\)", pattern)
    choices = [part.split("|") if at % 2 else [part] for at, part in enumerate(parts)]
    if pattern == NUMBER_PATTERN or prod(map(len, choices)) > MAX_ALIKE:
        choices = [[pattern]]
    made = (words_of_regex("".join(chosen)) for chosen in product(*choices))
    return tuple(dict.fromkeys(word for word in made if word))


def ways_of_regex(pattern: str) -> tuple[tuple[str, ...], ...]:
    """The words and marks of all ways to say what a regular expression of this module stands for,
    without the endings that may be left out; not more than 64.
    """
    parts = _CHOICE.split(_LOOSE_ENDING.sub("", pattern))
    choices = [part.split("|") if at % 2 else [part] for at, part in enumerate(parts)]
    if pattern == NUMBER_PATTERN or prod(map(len, choices)) > MAX_ALIKE:
        choices = [options[:1] for options in choices]
    words = [[_tokens_of_regex(one) for one in options] for options in choices]
    return tuple(tuple(chain.from_iterable(chosen)) for chosen in product(*words))


@functools.lru_cache(maxsize=16384)
def _tokens_of_regex(pattern: str) -> tuple[str, ...]:
    """The words and marks of a regular expression without choices."""
    plain = _BLANKS.sub(" ", pattern.replace(r"\b", " ")).replace("\\", "")
    return tuple(re.findall(r"[\w'’]+|[^\w\s]", plain))


@functools.lru_cache(maxsize=65536)
def needed_words(pattern: str) -> tuple[frozenset[str], ...]:
    """Sets of words in lower case of each of which one at least stands in every match of a regular
    expression of this module, the most telling set first; none if no such words are known.

    Two words with a blank between them are next to each other in every match.
    """
    if any(map(str.isalnum, _NOT_ASCII.findall(pattern))):
        return ()
    parted = _JOINT.sub(r"\\b\\s+\\b", pattern)
    if _SIMPLE.fullmatch(parted):
        return _words_and_pairs(_BOUNDED.findall(parted.lower()))
    return _needed_in(pattern)


def _needed_in(pattern: str) -> tuple[frozenset[str], ...]:
    """The same of a pattern with choices."""
    items = list(_ITEM.finditer(pattern))
    between = _between(pattern, items)
    if any("|" in text or "(" in text for text in between):
        return ()
    words = [_item_words(item.group()) for item in items]
    sets = [one.any_of for one in words]
    glued = zip(between[1:], pairwise(words), strict=False)
    sets += [_pairs(left, right) for glue, (left, right) in glued if glue == r"\s+"]
    return tuple(sorted((s for s in sets if s and "" not in s), key=_shortest, reverse=True))


def _words_and_pairs(said: Sequence[str]) -> tuple[frozenset[str], ...]:
    """Each word, and each two that are next to each other, as sets of one; longer ones first."""
    every = (*said, *map(" ".join, pairwise(said)))
    return tuple(frozenset((one,)) for one in sorted(every, key=len, reverse=True))


def _between(text: str, found: Sequence[re.Match[str]]) -> list[str]:
    """What stands in a text before, between and behind what was found in it."""
    ends = (0, *(match.end() for match in found))
    starts = (*(match.start() for match in found), len(text))
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


_LIST = r"\(\?:(?:[^()]|\(\?:\w+\)\?)*\)"
# A list of words, a list of wordings, or a word between bounds, perhaps with an ending.
_ITEM = re.compile(rf"\\b\(\?:[^()]*\)\\b|{_LIST}(?!\?)|\\b\w+(?:\(\?:\w+\)\?)?\\b")
_ENDING = re.compile(r"\(\?:(\w+)\)\?")
_LOOSE_ENDING = re.compile(r"\(\?:\w+\)\?")
_CHOICE = re.compile(r"\(\?:([^()]*\|[^()]*)\)")
_BLANKS = re.compile(r"\\s[+*]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_BOUNDED = re.compile(r"\\b(\w+)\\b")
_JOINT = re.compile(r"(?<=\w)(?:\\-|')(?=\w)")  # what stands between two words without blanks
_CONTRACTED = re.compile(r"\\b(\w+)['’]\w+\\b")  # of “can’t” the first part
_SIMPLE = re.compile(r"\\b\w+\\b(?:\\s\+\\b\w+\\b)*")  # nothing but words
MOST_PAIRS = 64  # of which one is asked for


@dataclass(frozen=True)
class _ItemWords:
    """The words of one part of a regular expression, of which each match has one, and the words it
    may begin and end with; none of these where they are not known.
    """

    any_of: frozenset[str]
    firsts: tuple[str, ...] = ()
    lasts: tuple[str, ...] = ()


def _pairs(left: _ItemWords, right: _ItemWords) -> frozenset[str]:
    """The pairs of words of which one stands where these meet; none if there are too many."""
    if len(left.lasts) * len(right.firsts) > MOST_PAIRS:
        return frozenset()
    return frozenset(f"{last} {first}" for last in left.lasts for first in right.firsts)


@functools.lru_cache(maxsize=65536)
def _item_words(item: str) -> _ItemWords:
    """The words of a list of wordings, or of a word; lists stand in many wordings."""
    if item.startswith(r"\b(?:"):
        ways = [rf"\b{said}\b" for said in item[len(r"\b(?:") : -len(r")\b")].split("|")]
    else:
        inner = item[len("(?:") : -1] if item.startswith("(?:") else item
        ways = [form for said in inner.split("|") for form in _each_form(said)]
    any_of = frozenset(map(_longest_word, ways))
    if not all(map(_SIMPLE.fullmatch, ways)):
        return _ItemWords(any_of)
    said = [_BOUNDED.findall(way.lower()) for way in ways]
    return _ItemWords(any_of, tuple(words[0] for words in said), tuple(words[-1] for words in said))


def _each_form(said: str) -> Iterator[str]:
    """A wording with and without each of its endings in brackets."""
    parts = _ENDING.split(said)
    choices = ((part, "") if at % 2 else (part,) for at, part in enumerate(parts))
    return map("".join, product(*choices))


def _longest_word(pattern: str) -> str:
    words = _BOUNDED.findall(pattern) or _CONTRACTED.findall(pattern)
    return max(words, key=len, default="").lower()


def _shortest(words: frozenset[str]) -> int:
    return min(map(len, words))
