"""Unparse: derivations back to text, paraphrases in other wordings, and examples of phrases."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from rulelang import core
from rulelang.diagnostics.english import with_articles
from rulelang.phrases.agreement import (
    Piece,
    agreed,
    is_verb,
    number_before,
    only_qualifies,
    tidied,
    told_verbs,
)
from rulelang.phrases.brackets import fewest_brackets
from rulelang.phrases.phrase import SLOT, Derivation, Phrase, canonical_wording

_WITH_ENDING = re.compile(r" (\w+)\(\w+\)")  # a noun in both numbers
_NOUN_IN_BOTH = re.compile(r"((?:[\w'’-]+ |\{[^{}]*\} )*)[\w'’-]+\(\w+\)")
_LISTED = re.compile(r",? (?:and|or) \{")  # behind one of several
_SLOT_BEFORE = re.compile(r"\{(\w+)(?: [^{}]*)?\} $")  # right before another
# What may follow the noun that a phrase is of.
_OF_HEAD = re.compile(r"(?: (?!or |and |but )[\w({].*)?")
_THERE_IS = re.compile(r"\b[Tt]here is (?=\{(?P<what>\w+)\})")
MAX_PARAPHRASES_OF_SLOT = 6
MAX_PARAPHRASES_OF_PHRASE = 36


def unparse(derivation: Derivation, grouped: bool = False, plural: bool | None = None) -> str:
    """The text of a derivation, which parses back to it, in English that agrees.

    `grouped` puts brackets round what belongs together, to tell readings apart; `plural` asks for
    the plural of what is a noun, or its singular; without it a word is in the number it was read.
    """
    if derivation.phrase is None:
        return str(derivation.number)
    phrase = derivation.phrase
    if phrase.word is not None:
        return phrase.word_forms[1 if (derivation.is_plural if plural is None else plural) else 0]
    many = derivation.is_plural if plural is None else plural
    wording = _THERE_IS.sub(functools.partial(_there_are, derivation), phrase.text)
    text = canonical_wording(wording, derivation, many=many)
    pieces: list[Piece] = []
    end = 0
    for match in SLOT.finditer(text):
        pieces.append(Piece(text[end : match.start()]))
        pieces.append(_filling(match, derivation, grouped, plural))
        end = match.end()
    said = agreed([*pieces, Piece(text[end:])], told_verbs(phrase.text))
    return tidied(with_articles(said))


def _filling(
    slot: re.Match[str], derivation: Derivation, grouped: bool, plural: bool | None
) -> Piece:
    """What fills a slot of a wording, as it is said there."""
    inner = derivation.slot(slot.group(1))
    if inner is None:
        return Piece(slot.group(0))
    number = _is_plural(slot, derivation, plural)
    text = unparse(inner, grouped, number)
    if inner.phrase is None:
        return Piece(text, fills=True, number=inner.number)
    if inner.phrase.category == "sentence":
        text = text.removesuffix(".")  # one of several that are joined
        if slot.start() and not inner.phrase.text.startswith("{"):
            text = text[:1].lower() + text[1:]  # within another, so no capital letter
    many = None if not _is_noun(inner) else _says_many(inner) if number is None else number
    bracketed = grouped and inner.phrase.word is None
    return Piece(f"[{text}]" if bracketed else text, fills=True, many=many)


def _is_plural(slot: re.Match[str], derivation: Derivation, plural: bool | None) -> bool | None:
    """Does this slot take a plural? It does or does not by the words before it (“each”, “all”), or
    by the noun it belongs to (“tree cards”). A phrase that is one slot, or says more of it, passes
    its own number on; else nothing asks for either.
    """
    how = slot.group(2) or ""
    if how.startswith("by "):
        counted = derivation.slot(how[3:])
        return counted is None or counted.number != 1
    if how == "plural":
        return True
    said = number_before(slot.string[: slot.start()])
    if said is not None:
        return said
    slot = _in_wording(slot, derivation)
    if _has_noun_behind(slot):
        return False
    before = _SLOT_BEFORE.search(slot.string[: slot.start()])
    counted = derivation.slot(before[1]) if before else None
    if counted is not None and counted.phrase is None:
        return counted.number != 1
    return plural if _is_head(slot) else None


def _in_wording(slot: re.Match[str], derivation: Derivation) -> re.Match[str]:
    """A slot of a wording in which choices are made, as it stands in the wording itself."""
    assert derivation.phrase is not None
    every = SLOT.finditer(derivation.phrase.text)
    return next((one for one in every if one.group(1) == slot.group(1)), slot)


@dataclass(frozen=True)
class _Place:
    """A slot where it stands in a wording: is it what the rest speaks of, is it one of a list, and
    which slot stands before it?
    """

    slot: re.Match[str]
    name: str
    is_head: bool
    is_listed: bool
    before: str | None


@functools.lru_cache(maxsize=4096)
def _places(text: str) -> tuple[_Place, ...]:
    """The slots of a wording, in their order; a wording is looked at once."""
    return tuple(
        _Place(
            slot,
            slot.group(1),
            _is_head(slot),
            _LISTED.match(text, slot.end()) is not None,
            before[1] if (before := _SLOT_BEFORE.search(text[: slot.start()])) else None,
        )
        for slot in SLOT.finditer(text)
    )


@functools.lru_cache(maxsize=4096)
def _begins_with_noun(text: str) -> bool:
    """Does a wording begin with a noun that has both numbers?"""
    noun = _NOUN_IN_BOTH.match(text)
    return noun is not None and only_qualifies(SLOT.sub("", noun[1]))


def _is_head(slot: re.Match[str]) -> bool:
    """Is this slot of a wording the noun that the rest of it speaks of?"""
    before, behind = slot.string[: slot.start()], slot.string[slot.end() :]
    if not only_qualifies(before) or _OF_HEAD.fullmatch(behind) is None:
        return False
    return not _has_noun_behind(slot)


def _has_noun_behind(slot: re.Match[str]) -> bool:
    """Does this slot of a wording only say what sort of things the word behind it stands for?"""
    word = _WITH_ENDING.match(slot.string, slot.end())
    return word is not None and not is_verb(word[1])


def _there_are(derivation: Derivation, found: re.Match[str]) -> str:
    """“There is” or “there are”, as goes with the slot behind it."""
    what = derivation.slot(found["what"])
    return found[0].replace(" is ", " are ") if what and _says_many(what) else found[0]


def _is_noun(derivation: Derivation) -> bool:
    """Does a derivation say things or players, or something of them that begins with them?"""
    phrase = derivation.phrase
    if phrase is None:
        return False
    if phrase.word is not None or _begins_with_noun(phrase.text):
        return True
    for place in _places(phrase.text):
        inner = derivation.slot(place.name)
        if inner is None or inner.phrase is None:
            continue
        if (place.is_listed or _is_head_of(place, derivation)) and _is_noun(inner):
            return True
    return False


def _says_many(derivation: Derivation) -> bool:
    """Is what a derivation says, or the noun it begins with, in the plural?"""
    phrase = derivation.phrase
    if phrase is None or phrase.word is not None:
        return derivation.is_plural
    if " and {" in phrase.text and phrase.text.startswith("{"):
        return True
    for place in _places(phrase.text):
        inner = derivation.slot(place.name)
        if inner is None or inner.phrase is None or not _is_head_of(place, derivation):
            continue
        number = _is_plural(place.slot, derivation, None)
        return _says_many(inner) if number is None else number
    return derivation.is_plural


def _is_head_of(place: _Place, derivation: Derivation) -> bool:
    """Is this slot the head of a derivation, perhaps behind its number?"""
    if place.is_head or place.before is None:
        return place.is_head
    counted = derivation.slot(place.before)
    return counted is not None and counted.phrase is None


def paraphrases(derivation: Derivation, phrases: Sequence[Phrase]) -> Iterator[str]:
    """The texts of the same derivation in the other wordings these phrases offer.

    Wordings of the same definition come first.
    """
    phrase = derivation.phrase
    if phrase is None or phrase.word is not None:
        yield unparse(derivation)
        return
    alike = [
        p
        for p in phrases
        if p.category == phrase.category and p.word is None and dict(p.slots) == dict(phrase.slots)
    ]
    for other in sorted(alike, key=lambda p: p.define != phrase.define):
        text = canonical_wording(other.text)
        for option in _fillings(text, derivation, phrases):
            yield SLOT.sub(_filled_with(option), text)


def _fillings(text: str, derivation: Derivation, phrases: Sequence[Phrase]) -> list[dict[str, str]]:
    """Paraphrases for the slots of a text, all together; none if a slot is not filled."""
    options: list[dict[str, str]] = [{}]
    for match in SLOT.finditer(text):
        name = match.group(1)
        inner = derivation.slot(name)
        if inner is None:
            return []
        texts = list(islice(paraphrases(inner, phrases), MAX_PARAPHRASES_OF_SLOT))
        options = [{**option, name: said} for option in options for said in texts]
        options = options[:MAX_PARAPHRASES_OF_PHRASE]
    return options


def _filled_with(option: dict[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda match: option[match.group(1)]


Shortest: TypeAlias = Mapping[str, tuple[int, Phrase | None]]
"""By category the shortest phrase with its slots filled: how many words it has, and which it is;
none in place of a word, all of which are as short.
"""


def shortest_of(phrases: Iterable[Phrase], worded: Iterable[str]) -> Shortest:
    """The shortest of these phrases that are no words, beside words of some categories."""
    found: dict[str, tuple[int, Phrase | None]] = dict.fromkeys(worded, (1, None))
    ordered = sorted(phrases, key=lambda p: len(p.slots))
    grown = True
    while grown:
        grown = False
        for phrase in ordered:
            length = _length(phrase, found)
            known = found.get(phrase.category)
            if length is not None and (known is None or length < known[0]):
                found[phrase.category] = length, phrase
                grown = True
    return found


def _length(phrase: Phrase, shortest: Shortest) -> int | None:
    """The words of a phrase with its slots filled; none while one of them cannot be."""
    length = _words_of_its_own(phrase.text) + 1
    for _, category in phrase.slots:
        if category == "number":
            length += 1
        elif category in shortest:
            length += shortest[category][0]
        else:
            return None
    return length


class Examples:
    """Texts that phrases read, with the shortest filling of every slot."""

    def __init__(self, words: Mapping[str, Phrase], shortest: Shortest) -> None:
        """The first word of each category that has one, and the shortest phrases of all."""
        self._words, self._shortest = words, shortest
        self._known: dict[str, str] = {}  # by phrase

    def of(self, phrase: Phrase) -> str:
        """A text that the phrase reads; an ellipsis stands for what nothing fills."""
        if phrase.id not in self._known:
            self._known[phrase.id] = self._said(phrase, iter((2, 3, 4, 5)))
        return self._known[phrase.id]

    def serves(self, words: Mapping[str, Phrase]) -> bool:
        """Are these the words its texts have?"""
        return self._words.keys() == words.keys() and all(
            one.word_forms == words[category].word_forms for category, one in self._words.items()
        )

    def _said(self, phrase: Phrase, numbers: Iterator[int]) -> str:
        if phrase.word is not None:
            return phrase.word_forms[0]
        slots = dict(phrase.slots)

        def filling(match: re.Match[str]) -> str:
            category = slots.get(match.group(1), "number")
            if category == "number":
                return str(next(numbers, 2))
            if category not in self._shortest:
                return "…"
            return self._said(self._shortest[category][1] or self._words[category], numbers)

        return with_articles(SLOT.sub(filling, canonical_wording(phrase.text)))


@functools.lru_cache(maxsize=16384)
def _words_of_its_own(wording: str) -> int:
    """How many words a wording has beside those that fill its slots."""
    return len(SLOT.sub(" ", canonical_wording(wording)).split())


# ------------------------------------------------------------------------ readings told apart
def texts_of_readings(derivations: Sequence[Derivation]) -> list[str]:
    """Each of several derivations, with brackets where they differ, no two alike.

    Where brackets alone do not tell some apart, it is said what their words are (a title, a kind's
    member, a group), then by which wording a part is read, and last where that wording stands.
    """
    texts = fewest_brackets([unparse(derivation, grouped=True) for derivation in derivations])
    for said in (_what_words_are, _wordings_used, _wordings_placed):
        alike = [text for text in dict.fromkeys(texts) if texts.count(text) > 1]
        for text in alike:
            where = [index for index, other in enumerate(texts) if other == text]
            notes = [said(derivations[index]) for index in where]
            shared = set(notes[0]).intersection(*notes[1:])
            for index, note in zip(where, notes, strict=True):
                own = [part for part in note if part not in shared]
                texts[index] += f" – {', '.join(own)}" if own else ""
    return [
        text if texts.count(text) == 1 else f"{text} – the {ordinal(number)} of these"
        for number, text in enumerate(texts, 1)
    ]


def ordinal(number: int) -> str:
    """A small number as an ordinal: 1st, 2nd, 3rd, 4th."""
    last = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number // 10 % 10 != 1 else 0, "th")
    return f"{number}{last}"


def _all_phrases(derivation: Derivation) -> Iterator[Phrase]:
    """The phrases of a derivation in the order of its text."""
    if derivation.phrase is not None:
        yield derivation.phrase
    for _, inner in derivation.slots:
        yield from _all_phrases(inner)


def _what_words_are(derivation: Derivation) -> tuple[str, ...]:
    """For each word of a derivation what it stands for."""
    words = (phrase for phrase in _all_phrases(derivation) if phrase.word is not None)
    return tuple(dict.fromkeys(_what_a_word_is(phrase) for phrase in words))


def _what_a_word_is(phrase: Phrase) -> str:
    said, noun = f"“{phrase.word_forms[0]}”", phrase.noun
    if isinstance(phrase.word, core.Titled | core.SetOp) and noun is not None:
        return f"{said} is the title of a {noun.component}"
    if isinstance(phrase.word, core.Const):
        return f"{said} is of the kind {phrase.word.type}"
    if noun is None or not noun.field:
        return f"{said} is every piece of that sort"
    if len(noun.members) > 1:
        return f"{said} is the group of every {noun.component} of such {noun.field}"
    return f"{said} is every {noun.component} of that {noun.field}"


def _wordings_used(derivation: Derivation) -> tuple[str, ...]:
    """The wordings by which a derivation is read, of each definition the first."""
    phrases = (phrase for phrase in _all_phrases(derivation) if phrase.word is None)
    return tuple(
        dict.fromkeys(f"by the wording “{phrase.first or phrase.text}”" for phrase in phrases)
    )


def _wordings_placed(derivation: Derivation) -> tuple[str, ...]:
    """The wordings by which a derivation is read, with the file and line of each."""
    phrases = (phrase for phrase in _all_phrases(derivation) if phrase.word is None)
    return tuple(
        dict.fromkeys(
            f"by “{phrase.text}” in {phrase.span.file}, line {phrase.span.line}"
            for phrase in phrases
        )
    )
