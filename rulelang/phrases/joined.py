"""Joined sentences: “Gain 2 and draw a card if …”, and how far their conditions reach.

A condition or an event in front holds over all that follows it: what is not read behind an event is
not read as done once. A condition at the end may belong to the last sentence alone or to all of
them; both are readings, unless a semicolon keeps the sentences apart, a comma puts only more to
the amount before it (“3 points, +2 if …”), or only some of them set rules: what a card brings is
asked at another time. An amount without verb or sign begins no further sentence, nor do “only …”
and “not …” but behind a rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from rulelang.core.types import NUMBER, TRUTH, PhraseT
from rulelang.phrases.phrase import SLOT, Derivation, Phrase
from rulelang.phrases.unparse import unparse

_SLOTS = (("first", "sentence"), ("second", "sentence"))
TOGETHER = Phrase("joined_sentences", "sentence", "{first}, and {second}", _SLOTS)
LISTED = Phrase("sentences_listed", "sentence", "{first}, {second}", _SLOTS)
APART = Phrase("sentences_apart", "sentence", "{first}; {second}", _SLOTS)
JOINED = {phrase.id: phrase for phrase in (TOGETHER, LISTED, APART)}
MAX_JOINED = 4  # sentences

_EVENT = re.compile(r"(?:Each time|If) \{\w+\} \{\w+\} [^,]*, ")  # somebody does something
_SHORT = re.compile(r"(?:Only|Not|Never|Unless|Except)\b")  # what a rule without a verb begins with

_MISSING = re.compile(r"No \{\w+\} \{\w+\}\.?$")  # “no Stone next to it”
_DEMANDS = re.compile(r"(?:Requires|Needs)\b")  # before a list of what must be there, and what not

_TIMES = re.compile(r"[x×] ?\d|\d+ ?[x×]\b", re.IGNORECASE)  # how many times over
_ADDED = re.compile(
    r"[-+−]|[x×] ?\d|\d+ ?[x×]\b|(?:doubl|tripl|halv)ed\b"
)  # what goes on with an amount begins so
# What it comes to in all, which no other amount comes on top of: “6 points, but if …, it is 4”.
_IN_ALL = re.compile(
    r"\bit(?: is|['’]s) (?:only |just )?\d+(?! (?:more|extra|additional|bonus))", re.I
)
# An amount that begins with a word of its own, as “income 1”, “draw a card”, “each tree adds 2”.
_WORDED = re.compile(r"(?!(?:an?|one|another)\b)[^\W\d_]{2}", re.IGNORECASE)

Parse = Callable[[str], Sequence[Derivation]]  # the derivations of one sentence; none if unread


def members(derivation: Derivation) -> list[Derivation]:
    """The sentences of a derivation, in order; one if it joins none."""
    first, second = derivation.slot("first"), derivation.slot("second")
    if derivation.phrase is None or derivation.phrase.id not in JOINED or not first or not second:
        return [derivation]
    return [first, *members(second)]


def scopes(derivation: Derivation, parse: Parse) -> Iterator[Derivation]:
    """The derivation with each reach its conditions may have; itself if it joins no sentences."""
    parts = members(derivation)
    if len(parts) == 1:
        yield derivation
        return
    if len(parts) > MAX_JOINED or any(map(is_bare_amount, parts[1:])) or is_cut_short(parts):
        return
    front = _condition_in_front(parts[0]) or _event_in_front(parts[0])
    if front:
        others = [_read(parse, f"{front} {_text(part)}") for part in parts[1:]]
        yield from (_joined((parts[0], *rest)) for rest in product(*others))
        return
    yield derivation
    end = _condition_at_end(parts[-1])
    if _may_reach_all(derivation, parts) and end and not any(map(_conditions, parts[:-1])):
        others = [_read(parse, f"{_text(part)} {end}") for part in parts[:-1]]
        yield from (_joined((*rest, parts[-1])) for rest in product(*others))


def _may_reach_all(derivation: Derivation, parts: Sequence[Derivation]) -> bool:
    """May a condition at the end hold for all that is joined?

    Behind a comma alone what has only a sign or a participle goes on with the amount before it:
    “3 points, +2 if …” and “10 points, doubled if …” say when there is more. A rule is asked
    when a card is built, what it brings another time: a condition behind both is the last one's.
    """
    last = _last_joint(derivation)
    added = last is LISTED and _ADDED.match(_text(parts[-1]))
    of_one_kind = len(set(map(_sets_rules, parts))) == 1
    return derivation.phrase is not APART and not added and of_one_kind


def _last_joint(derivation: Derivation) -> Phrase | None:
    """What joins the last two sentences of a derivation."""
    second = derivation.slot("second")
    if second is None or second.phrase is None or second.phrase.id not in JOINED:
        return derivation.phrase
    return _last_joint(second)


def _joined(parts: Sequence[Derivation]) -> Derivation:
    first, *rest = parts
    if not rest:
        return first
    return Derivation(TOGETHER, (("first", first), ("second", _joined(rest))))


def _read(parse: Parse, text: str) -> list[Derivation]:
    """The derivations of a text as one sentence."""
    return [found for found in parse(text) if len(members(found)) == 1]


def _text(derivation: Derivation) -> str:
    """The text of a sentence as it stands within another."""
    text = unparse(derivation).rstrip(".")
    return text[:1].lower() + text[1:]


def is_bare_amount(derivation: Derivation) -> bool:
    """Does a sentence begin with an amount, without verb or sign?

    “Worth 3, 5 on the outskirts” is 5 in place of 3: what follows goes on with the same sentence.
    So does what says what it comes to in all: “6 points, but if …, it is 4”.
    “3 points, income 1” is both: the second amount has a word of its own before its number.
    """
    if _IN_ALL.search(unparse(derivation)):
        return True
    phrase = derivation.phrase
    pattern = phrase.pattern if phrase is not None else None
    found = SLOT.match(phrase.text) if phrase is not None else None
    slots = dict(pattern.slots) if pattern is not None else {}
    t = slots.get(found.group(1)) if found is not None else None
    if t != NUMBER and not (isinstance(t, PhraseT) and t.of == NUMBER):
        return False
    said = unparse(derivation)
    return not (_WORDED.match(said) or _TIMES.match(said))


def is_cut_short(parts: Sequence[Derivation]) -> bool:
    """Does one of several sentences only go on with the one before it?

    “Receive 2, but only if …” says when 2 are received; “only if …” alone would be a rule.
    “Requires a Tree, but no Stone next to it” demands both; “no Stone …” alone would be a rule for
    others.
    """
    rules = [_sets_rules(part) for part in parts]
    texts = [part.phrase.text if part.phrase else "" for part in parts]
    return any(
        (rules[at] and not rules[at - 1] and _SHORT.match(texts[at]))
        or (_MISSING.match(texts[at]) and _DEMANDS.match(texts[at - 1]))
        for at in range(1, len(parts))
    )


def _sets_rules(derivation: Derivation) -> bool:
    pattern = derivation.phrase.pattern if derivation.phrase is not None else None
    return pattern is not None and any(extension.rules for extension in pattern.extensions)


def _conditions(derivation: Derivation) -> list[str]:
    """The slots of a sentence that hold conditions."""
    pattern = derivation.phrase.pattern if derivation.phrase is not None else None
    slots = pattern.slots if pattern is not None else ()
    return [name for name, t in slots if isinstance(t, PhraseT) and t.of == TRUTH]


def _condition_in_front(derivation: Derivation) -> str:
    """A condition a sentence begins with, up to its comma; empty if it begins otherwise."""
    said = _adjunct(derivation, r"^(?P<word>\w+) \{(?P<slot>\w+)\}[,:]? ")
    return f"{said}," if said else ""


def _event_in_front(derivation: Derivation) -> str:
    """What a sentence waits for, up to its comma: “Each time you build a tree,”; else empty."""
    text = derivation.phrase.text if derivation.phrase is not None else ""
    return unparse(derivation).partition(", ")[0] + "," if _EVENT.match(text) else ""


def _condition_at_end(derivation: Derivation) -> str:
    """A condition a sentence ends with, from its conjunction on; empty if it ends otherwise."""
    return _adjunct(derivation, r" (?P<word>\w+) \{(?P<slot>\w+)\}\.?$")


def _adjunct(derivation: Derivation, pattern: str) -> str:
    text = derivation.phrase.text if derivation.phrase is not None else ""
    found = re.search(pattern, text)
    if found is None or found.group("slot") not in _conditions(derivation):
        return ""
    if len(SLOT.findall(text)) < 2:  # the condition is all that the sentence says
        return ""
    inner = derivation.slot(found.group("slot"))
    return f"{found.group('word')} {unparse(inner)}" if inner is not None else ""
