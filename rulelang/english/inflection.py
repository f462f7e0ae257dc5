"""Inflection: what is declared of a word holds of all its forms.

In a list of wordings that mean the same `touch~` stands for each form of a verb (touch, touches,
touching, touched), and `rival(s)` for a noun in its singular and plural. The forms of all wordings
of a list go together: where one is in its past, so are the others.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import NamedTuple

from rulelang.diagnostics.english import plural

_VERB = re.compile(r"([^\W\d_]+)~")
_NOUN = re.compile(r"(?<=[^\W\d_])\((\w+)\)")
_VOWELS = "aeiou"
_BOTH = (False, True)  # in the singular and in the plural
# Verbs whose participle is their base, and that stand behind a noun as its verb all the same.
_FINITE = frozenset(("become", "come", "cost", "run"))
# Verbs that double their last letter although they have more than one syllable.
_DOUBLING = frozenset(("abut", "begin", "forget", "prefer", "refer", "occur", "permit", "rebut"))


class VerbForms(NamedTuple):
    """The forms of a verb: “touch”, “touches”, “touching”, “touched” and “touched”."""

    base: str
    singular: str
    gerund: str
    past: str
    participle: str


def verb_forms(base: str) -> VerbForms:
    """The forms of a verb by its base form."""
    ending = _stem(base)
    regular = ending + ("d" if ending.endswith("e") else "ed")
    if base.endswith("y") and base[-2] not in _VOWELS:
        regular = base[:-1] + "ied"
    past, *rest = _irregular().get(base, (regular,))
    return VerbForms(base, _singular(base), _gerund(base), past, rest[0] if rest else past)


@functools.cache
def _irregular() -> dict[str, list[str]]:
    """Of each irregular verb its past and its participle; one word stands for both."""
    file = resources.files("rulelang.english").joinpath("irregular_verbs.txt")
    entries = map(str.split, file.read_text("utf-8").splitlines())
    return {base: forms for base, *forms in entries}


@functools.cache
def known_verbs() -> dict[str, str]:
    """The base form of each known verb by its base form and by the form that goes with one.

    Left out are those whose participle looks alike: what is “put next to it” puts nothing.
    """
    file = resources.files("rulelang.english").joinpath("regular_verbs.txt")
    alike = {base for base, forms in _irregular().items() if forms[-1] == base} - _FINITE
    bases = {*file.read_text("utf-8").split(), *_irregular()} - alike
    forms = {"is": "be", "are": "be", "was": "be", "were": "be"}
    return {**{form: base for base in bases for form in (base, _singular(base))}, **forms}


def _singular(base: str) -> str:
    irregular = {"be": "is", "have": "has", "do": "does", "go": "goes"}
    return irregular.get(base) or (base + "es" if base.endswith("s") else plural(base))


def _gerund(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return base[:-1] + "ing"
    return _stem(base) + "ing"


def _stem(base: str) -> str:
    """A base form as it stands before “-ing” and “-ed”: with its last letter doubled or not."""
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", base)
    return base + base[-1] if short or base in _DOUBLING else base


def is_inflected(text: str) -> bool:
    """Does a wording stand for other forms of its words, too?"""
    return _VERB.search(text) is not None or _NOUN.search(text) is not None


def inflected(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """These wordings in each form of their verbs and nouns, each way once; as they are if none of
    them is inflected.
    """
    ways = (
        tuple(_in_number(one, many) for one in way)
        for way in _in_each_form(texts)
        for many in _BOTH
    )
    yield from dict.fromkeys(ways)


def verbs_inflected(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The same of their verbs alone: an ending in brackets may be there or not."""
    yield from dict.fromkeys(map(tuple, _in_each_form(texts)))


def _in_each_form(texts: Sequence[str]) -> Iterator[list[str]]:
    for form in range(len(VerbForms._fields)):
        yield [_in_form(text, form) for text in texts]


def _in_form(text: str, form: int) -> str:
    return _VERB.sub(lambda verb: verb_forms(verb.group(1))[form], text)


def _in_number(text: str, many: bool) -> str:
    return _NOUN.sub(r"\1" if many else "", text)
