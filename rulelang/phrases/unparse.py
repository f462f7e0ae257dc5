"""Unparse: derivations back to text, paraphrases in other wordings, and examples of phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from rulelang.phrases.phrase import SLOT, Derivation, Phrase, canonical_wording, with_article

MAX_PARAPHRASES_OF_SLOT = 6
MAX_PARAPHRASES_OF_PHRASE = 36


def unparse(derivation: Derivation, grouped: bool = False, plural: bool = False) -> str:
    """The text of a derivation, which parses back to it.

    `grouped` puts brackets round what belongs together, to tell readings apart; `plural` asks for
    the plural of what is a noun.
    """
    if derivation.phrase is None:
        return str(derivation.number)
    phrase = derivation.phrase
    if phrase.word is not None:
        return phrase.word_forms[1 if plural else 0]

    def filling(match: re.Match[str]) -> str:
        inner = derivation.slot(match.group(1))
        if inner is None:
            return match.group(0)
        text = unparse(inner, grouped, _is_plural(match, derivation, phrase, plural))
        bracketed = grouped and inner.phrase is not None and inner.phrase.word is None
        return f"[{text}]" if bracketed else text

    many = plural or not phrase.category.startswith("s_")
    text = SLOT.sub(filling, canonical_wording(phrase.text, derivation, many=many))
    return with_article(text).replace("..", ".")  # after a name that ends with a period


def _is_plural(slot: re.Match[str], derivation: Derivation, phrase: Phrase, plural: bool) -> bool:
    """Does this slot take a plural? A phrase that is one slot alone passes its own number on."""
    how = slot.group(2) or ""
    if how.startswith("by "):
        counted = derivation.slot(how[3:])
        return counted is None or counted.number != 1
    return how == "plural" or (plural and slot.group(0) == phrase.text)


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


def example(phrase: Phrase, phrases: Sequence[Phrase], depth: int = 2) -> str:
    """A text that the phrase reads, with the simplest filling of every slot.

    An ellipsis stands where none of the phrases fills a slot within the depth.
    """
    numbers = iter((2, 3, 4, 5))

    def of_category(category: str, left: int) -> str:
        if category == "number":
            return str(next(numbers, 2))
        options = [p for p in phrases if p.category == category]
        options.sort(key=lambda p: (p.word is None, len(p.slots)))
        return of_phrase(options[0], left - 1) if options and left >= 0 else "…"

    def of_phrase(chosen: Phrase, left: int) -> str:
        if chosen.word is not None:
            return chosen.word_forms[0]
        slots = dict(chosen.slots)

        def filling(match: re.Match[str]) -> str:
            return of_category(slots.get(match.group(1), "number"), left)

        return with_article(SLOT.sub(filling, canonical_wording(chosen.text)))

    return of_phrase(phrase, depth)
