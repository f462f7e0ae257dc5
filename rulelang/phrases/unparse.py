"""Unparse: derivations back to text, paraphrases in other wordings, and examples of phrases."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from rulelang import core
from rulelang.diagnostics.english import with_articles
from rulelang.phrases.brackets import fewest_brackets
from rulelang.phrases.phrase import SLOT, Derivation, Phrase, canonical_wording

# What may follow the noun that a phrase is of.
_OF_HEAD = re.compile(r"(?: (?!or |and |but )[\w({].*)?")
_PAIR = re.compile(r"(?<![/\w'])([\w']+)/([\w']+)(?![/\w'])")
_VERB = re.compile(r"^(\{[^{}]*\} (?:\(\w+\) )?\w+)\((e?s)\)")  # of “{who} receive(s) …”
_HISSED = ("sses", "xes", "zzes", "ches", "shes")
_THERE_IS = re.compile(r"\b[Tt]here is (?=\{(?P<what>\w+)\})")
_IRREGULAR = {"is": "are", "has": "have", "does": "do", "was": "were"}
MAX_PARAPHRASES_OF_SLOT = 6
MAX_PARAPHRASES_OF_PHRASE = 36


def unparse(derivation: Derivation, grouped: bool = False, plural: bool | None = None) -> str:
    """The text of a derivation, which parses back to it.

    `grouped` puts brackets round what belongs together, to tell readings apart; `plural` asks for
    the plural of what is a noun, or its singular; without it a word is in the number it was read.
    """
    if derivation.phrase is None:
        return str(derivation.number)
    phrase = derivation.phrase
    if phrase.word is not None:
        return phrase.word_forms[1 if (derivation.is_plural if plural is None else plural) else 0]

    def filling(match: re.Match[str]) -> str:
        inner = derivation.slot(match.group(1))
        if inner is None:
            return match.group(0)
        text = unparse(inner, grouped, _is_plural(match, derivation, plural))
        if inner.phrase is not None and inner.phrase.category == "sentence":
            text = text.removesuffix(".")  # one of several that are joined
            if match.start() and not inner.phrase.text.startswith("{"):
                text = text[:1].lower() + text[1:]  # within another, so no capital letter
        bracketed = grouped and inner.phrase is not None and inner.phrase.word is None
        return f"[{text}]" if bracketed else text

    many = derivation.is_plural if plural is None else plural
    wording = _agreeing(phrase, derivation)
    text = SLOT.sub(filling, canonical_wording(wording, derivation, many=many))
    return with_articles(text).replace("..", ".")  # after a name that ends with a period


def _is_plural(slot: re.Match[str], derivation: Derivation, plural: bool | None) -> bool | None:
    """Does this slot take a plural? A phrase that is one slot, or says more of it, passes its own
    number on; else nothing asks for either.
    """
    how = slot.group(2) or ""
    if how.startswith("by "):
        counted = derivation.slot(how[3:])
        return counted is None or counted.number != 1
    if how == "plural":
        return True
    return plural if _is_head(slot) else None


def _is_head(slot: re.Match[str]) -> bool:
    """Is this slot of a wording the noun that the rest of it speaks of?"""
    return slot.start() == 0 and _OF_HEAD.fullmatch(slot.string[slot.end() :]) is not None


def _agreeing(phrase: Phrase, derivation: Derivation) -> str:
    """A wording with the verbs that go with the noun it begins with, if it does; others stay."""
    is_sentence = phrase.category == "sentence"
    wording = _THERE_IS.sub(functools.partial(_there_are, derivation), phrase.text)
    first = SLOT.match(wording) if is_sentence or "/" in wording else None
    subject = derivation.slot(first.group(1)) if first is not None else None
    if subject is None or unparse(subject).lower().startswith("you"):
        return wording
    many = _says_many(subject)

    def verb(found: re.Match[str]) -> str:
        for one, several in ((found[1], found[2]), (found[2], found[1])):
            if one != several and _plural_verb(one) == several:
                return several if many else one
        return found[0]

    made = _PAIR.sub(verb, wording)
    return _VERB.sub(r"\1" if many else r"\1\2", made) if is_sentence else made


def _there_are(derivation: Derivation, found: re.Match[str]) -> str:
    """“There is” or “there are”, as goes with the slot behind it."""
    what = derivation.slot(found["what"])
    return found[0].replace(" is ", " are ") if what and _says_many(what) else found[0]


def _plural_verb(verb: str) -> str:
    """The form of a verb that goes with several: “are” of “is”, “don't” of “doesn't”."""
    plain = verb.removesuffix("n't")
    if plain in _IRREGULAR:
        return _IRREGULAR[plain] + verb[len(plain) :]
    return verb[:-2] if verb.endswith(_HISSED) else verb.removesuffix("s")


def _says_many(derivation: Derivation) -> bool:
    """Is what a derivation says, or the noun it begins with, in the plural?"""
    phrase = derivation.phrase
    if phrase is None or phrase.word is not None or phrase.plurals:
        return derivation.is_plural
    if any(_is_plural(slot, derivation, None) for slot in SLOT.finditer(phrase.text)):
        return True  # of so many
    first = SLOT.match(phrase.text)
    inner = derivation.slot(first.group(1)) if first is not None else None
    return first is not None and inner is not None and _is_head(first) and _says_many(inner)


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
