"""Amounts without verb or sign behind another sentence: “Requires a tree; 2 points if …”.

Such an amount may say in other words how much the one before it is: “worth 3, 5 on the outskirts”
is 5 in place of 3. It begins a sentence of its own where that cannot be meant: it has a unit that
nothing before it has, or it says that it comes on top of what is of its own kind, or it is of its
own kind and holds without a condition.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from rulelang.core.types import NUMBER, TRUTH, PhraseT
from rulelang.diagnostics.english import singular
from rulelang.english.units import ON_TOP
from rulelang.phrases.phrase import SLOT, Derivation
from rulelang.phrases.unparse import unparse

MAX_KEPT = 4096  # texts of sentences in memory

_TIMES = re.compile(r"[x×] ?\d|\d+ ?[x×]\b", re.IGNORECASE)  # how many times over
# What it comes to in all, which no other amount comes on top of: “6 points, but if …, it is 4”.
_IN_ALL = re.compile(
    r"\bit(?: is|['’]s) (?:only |just )?\d+(?! (?:more|extra|additional|bonus))", re.I
)
# An amount that begins with a word of its own, as “income 1”, “draw a card”, “each tree adds 2”.
_WORDED = re.compile(r"(?!(?:an?|one|another)\b)[^\W\d_]{2}", re.IGNORECASE)

_IT = re.compile(r"\bit\b", re.IGNORECASE)
_NO_UNITS = (
    "for each every per if when while unless as with without on in at by next adjacent beside and "
    "or but only of to from once until provided where"
)
_NO_UNIT = frozenset(_NO_UNITS.split())
_TOKEN = re.compile(r"[$€]|[^\W\d_][\w'’-]*")
_FIRST = re.compile(r"^[-+−]?\s*(?:[$€]\s*)?[\w'’]+\s*")  # the number itself, or its article
_ANOTHER = re.compile(r"(?:another|(?:an? |one )?(?:extra|additional|further|bonus|more))\b", re.I)


@dataclass(frozen=True)
class _Given:
    """A derivation, which is one to its text if all that the text is made of is."""

    made_of: Hashable
    derivation: Derivation = field(compare=False)


def text_of(derivation: Derivation) -> str:
    """The text of a sentence; made once for all derivations that say the same."""
    return _text_made(_Given(_made_of(derivation), derivation))


@functools.lru_cache(maxsize=MAX_KEPT)
def _text_made(given: _Given) -> str:
    return unparse(given.derivation)


def _made_of(derivation: Derivation) -> Hashable:
    phrase = derivation.phrase
    if phrase is None:
        return derivation.number
    inner = tuple([(name, _made_of(one)) for name, one in derivation.slots])
    return phrase.id, phrase.text, phrase.word_forms, derivation.is_plural, inner


def goes_on_somewhere(parts: Sequence[Derivation], apart: bool = False) -> bool:
    """Does one of several sentences only go on with one before it?

    What has been taken `apart` is read in no other way: there one amount may come on top of another
    in a sentence of its own.
    """
    return any(_goes_on(parts[:at], parts[at], apart) for at in range(1, len(parts)))


def _goes_on(before: Sequence[Derivation], part: Derivation, apart: bool) -> bool:
    """May an amount say in other words how much another is?"""
    if not is_bare_amount(part):
        return False
    if says_in_all(part):
        return True
    unit, mine = _unit(part), _targets(part)
    asked = before if unit else before[-1:]
    if mine and all(_targets(one) == mine for one in asked):
        return not (apart and (says_on_top(part) or (unit and not conditions(part))))
    if unit is None:
        return True
    return any(unit in _nouns(one) for one in before if not sets_rules(one))


def is_bare_amount(derivation: Derivation) -> bool:
    """Does a sentence begin with an amount, without verb or sign?

    What says what it comes to in all does, too: “it is 4”. An amount that has a word of its own
    before its number does not: “income 1”.
    """
    if says_in_all(derivation):
        return True
    derivation = inner(derivation)
    phrase = derivation.phrase
    pattern = phrase.pattern if phrase is not None else None
    found = SLOT.match(phrase.text) if phrase is not None else None
    slots = dict(pattern.slots) if pattern is not None else {}
    t = slots.get(found.group(1)) if found is not None else None
    if t != NUMBER and not (isinstance(t, PhraseT) and t.of == NUMBER):
        return False
    said = text_of(derivation)
    return not (_WORDED.match(said) or _TIMES.match(said))


def says_in_all(derivation: Derivation) -> bool:
    """Does a sentence say what it comes to in all: “it is 4”?"""
    return may_say(derivation, _IT) and bool(_IN_ALL.search(text_of(derivation)))


def may_say(derivation: Derivation, words: re.Pattern[str]) -> bool:
    """Has a sentence words of its own such as these, or does it begin with a slot?

    Its whole text takes longer to make.
    """
    phrase = inner(derivation).phrase
    return phrase is not None and (phrase.text[:1] == "{" or bool(words.search(phrase.text)))


def says_on_top(derivation: Derivation) -> bool:
    """Does an amount at the beginning of a sentence say that it comes on top of another?"""
    said = text_of(derivation)
    words = [word.lower() for word in _TOKEN.findall(_FIRST.sub("", said, count=1))]
    return bool(_ANOTHER.match(said)) or not ON_TOP.isdisjoint(words[:2])


def sets_rules(derivation: Derivation) -> bool:
    """Does a sentence set a rule?"""
    pattern = derivation.phrase.pattern if derivation.phrase is not None else None
    return pattern is not None and any(extension.rules for extension in pattern.extensions)


def conditions(derivation: Derivation) -> list[str]:
    """The slots of a sentence that hold conditions."""
    pattern = derivation.phrase.pattern if derivation.phrase is not None else None
    slots = pattern.slots if pattern is not None else ()
    return [name for name, t in slots if isinstance(t, PhraseT) and t.of == TRUTH]


def inner(derivation: Derivation) -> Derivation:
    """A sentence without what stands beside it."""
    said = derivation.slot("said")
    return derivation if said is None else inner(said)


def _targets(derivation: Derivation) -> frozenset[str]:
    """The places of the rules that a sentence adds to."""
    phrase = inner(derivation).phrase
    pattern = phrase.pattern if phrase is not None else None
    return (
        frozenset(one.target for one in pattern.extensions) if pattern is not None else frozenset()
    )


def _unit(derivation: Derivation) -> str | None:
    """The unit of the amount that a sentence begins with; none if it does not say it."""
    said = text_of(derivation)
    if said[:1] in "$€":
        return said[0]
    for word in _TOKEN.findall(_FIRST.sub("", said, count=1)):
        if word.lower() not in ON_TOP:
            return None if word.lower() in _NO_UNIT else _alone(word)
    return None


def _nouns(derivation: Derivation) -> frozenset[str]:
    """The words of a sentence, each in the singular."""
    return frozenset(map(_alone, _TOKEN.findall(text_of(derivation))))


def _alone(word: str) -> str:
    return singular(word.lower()) or word.lower()
