"""Joined sentences: “Gain 2 and draw a card if …”, and how far their conditions reach.

A condition or an event in front holds over all that follows it: what is not read behind an event is
not read as done once. A condition at the end may belong to the last sentence alone or to all of
them; both are readings, unless a semicolon keeps the sentences apart, “but” sets the last against
the others, a comma puts only more to the amount before it (“3 points, +2 if …”), or only some of
them set rules: what a card brings is
asked at another time. An amount without verb or sign begins a further sentence only where it cannot
go on with the one before it (see `bare_amounts`), “only …” and “not …” only behind a rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from rulelang.phrases.bare_amounts import (
    conditions,
    goes_on_somewhere,
    is_bare_amount,
    may_say,
    says_on_top,
    sets_rules,
    text_of,
)
from rulelang.phrases.phrase import SLOT, Derivation, Phrase

_SLOTS = (("first", "sentence"), ("second", "sentence"))
TOGETHER = Phrase("joined_sentences", "sentence", "{first}, and {second}", _SLOTS)
CONTRASTED = Phrase("sentences_contrasted", "sentence", "{first}, but {second}", _SLOTS)
LISTED = Phrase("sentences_listed", "sentence", "{first}, {second}", _SLOTS)
APART = Phrase("sentences_apart", "sentence", "{first}; {second}", _SLOTS)
JOINED = {phrase.id: phrase for phrase in (TOGETHER, CONTRASTED, LISTED, APART)}
MAX_JOINED = 4  # sentences

BOTH = r"\b(?:and also|and then|but also|and(?! yet)|then|plus)\b"
BUT = r"\b(?:and yet|but(?! also)|yet)\b"
"""What joins two sentences, as regular expressions: what says both, and what sets them apart."""

_EVENT = re.compile(r"(?:Each time|If) \{\w+\} \{\w+\} [^,]*, ")  # somebody does something
_SHORT = re.compile(r"(?:Only|Not|Never|Unless|Except)\b")  # what a rule without a verb begins with

_HOW_OFTEN = re.compile(r"Once (?:per )?\{\w+\}\.?$")  # “once per game”, before what is then done

_MISSING = re.compile(r"No \{\w+\} \{\w+\}\.?$")  # “no Stone next to it”
_DEMANDS = re.compile(r"(?:Requires|Needs)\b")  # before a list of what must be there, and what not

_ADDED = re.compile(
    r"[-+−]|[x×] ?\d|\d+ ?[x×]\b|(?:doubl|tripl|halv)ed\b"
)  # what goes on with an amount begins so
# What is done on an occasion that a sentence begins with: “each time you survey, draw a card”.
_OCCASION = re.compile(
    r"(?:each time|if|when|whenever|after|once|as soon as|at|during) [^,]*,(?= \S)", re.IGNORECASE
)
_OPTIONAL = re.compile(r"\b(?:may|can)\b(?! (?:not|only|never))", re.IGNORECASE)
DEEDS = (
    "count cost score give get bring earn pay lose receive gain draw discard take move swap "
    "exchange keep build place look choose add lay put double"
)
"""Verbs for what players do and cards bring, in their base forms."""
BASE_FORM = re.compile(
    rf"\s*(?:also |then )?(?:{'|'.join(DEEDS.split())}|be|have)\b",
    re.IGNORECASE,
)
"""A verb without a subject, as behind “may”: “draw a card”."""

Parse = Callable[[str], Sequence[Derivation]]  # the derivations of one sentence; none if unread


def members(derivation: Derivation) -> list[Derivation]:
    """The sentences of a derivation, in order; one if it joins none."""
    first, second = derivation.slot("first"), derivation.slot("second")
    if derivation.phrase is None or derivation.phrase.id not in JOINED or not first or not second:
        return [derivation]
    return [first, *members(second)]


def scopes(derivation: Derivation, parse: Parse, apart: bool = False) -> Iterator[Derivation]:
    """The derivation with each reach its conditions may have; itself if it joins no sentences, or
    what was taken `apart`.
    """
    parts = members(derivation)
    if len(parts) == 1:
        yield derivation
    elif not (len(parts) > MAX_JOINED or goes_on_somewhere(parts, apart) or is_cut_short(parts)):
        yield from _scopes(derivation, parts, parse)


def _scopes(
    derivation: Derivation, parts: Sequence[Derivation], parse: Parse
) -> Iterator[Derivation]:
    if _is_up_to_you(parts[0]) and any(map(_is_ordered, parts[1:])):
        return
    if front := _condition_in_front(parts[0]) or _event_in_front(parts[0]):
        yield from _each_behind(front, parts, parse, lambda _: True)
    elif (then := _occasion_in_front(derivation)) and any(map(_goes_on_with_it, parts[1:])):
        yield from _each_behind(then, parts, parse, _goes_on_with_it)
    else:
        yield derivation
        end = condition_at_end(parts[-1])
        if _may_reach_all(derivation, parts) and end and not any(map(conditions, parts[:-1])):
            others = [_read(parse, f"{_text(part)} {end}") for part in parts[:-1]]
            yield from (_joined((*rest, parts[-1])) for rest in product(*others))


def _each_behind(
    front: str, parts: Sequence[Derivation], parse: Parse, of: Callable[[Derivation], bool]
) -> Iterator[Derivation]:
    """The parts joined, with what stands in front of the first before such others, too."""
    others = [_read(parse, f"{front} {_text(part)}") if of(part) else [part] for part in parts[1:]]
    yield from (_joined((parts[0], *rest)) for rest in product(*others))


def _occasion_in_front(derivation: Derivation) -> str:
    """What the first of several sentences waits for, if only a comma or “and” is behind it."""
    first = members(derivation)[0]
    if derivation.phrase is APART or not may_say(first, _OCCASION):
        return ""
    found = _OCCASION.match(text_of(first))
    return found.group() if found is not None else ""


def _is_up_to_you(derivation: Derivation) -> bool:
    """Does a sentence leave to a player what he does?"""
    if sets_rules(derivation) or not may_say(derivation, _OPTIONAL):
        return False
    return bool(_OPTIONAL.search(text_of(derivation)))


def _is_ordered(derivation: Derivation) -> bool:
    """Does a sentence begin with what is to be done, without saying by whom?"""
    return bool(BASE_FORM.match(text_of(derivation)))


def _goes_on_with_it(derivation: Derivation) -> bool:
    """Is what a sentence says, without a subject, said for the occasion of the one before it?"""
    return is_bare_amount(derivation) or _is_ordered(derivation)


def _may_reach_all(derivation: Derivation, parts: Sequence[Derivation]) -> bool:
    """May a condition at the end hold for all that is joined?

    A rule is asked when a card is built, what it brings another time: a condition behind both is
    the last one's.
    """
    of_one_kind = len(set(map(sets_rules, parts))) == 1
    return derivation.phrase is not APART and not ends_on_top(derivation) and of_one_kind


def ends_on_top(derivation: Derivation) -> bool:
    """Is the last of several sentences only more, or less, of what stands before it, or set against
    it by “but”?

    Behind a comma alone what has only a sign or a participle goes on with the amount before it:
    “3 points, +2 if …” and “10 points, doubled if …” say when there is more.
    """
    if _last_joint(derivation) is CONTRASTED:
        return True
    last = members(derivation)[-1]
    added = _last_joint(derivation) is LISTED and _ADDED.match(_text(last))
    return bool(added) or (is_bare_amount(last) and says_on_top(last))


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
    text = text_of(derivation).rstrip(".")
    return text[:1].lower() + text[1:]


def is_cut_short(parts: Sequence[Derivation]) -> bool:
    """Does one of several sentences only go on with the one before it?

    “Receive 2, but only if …” says when 2 are received; “only if …” alone would be a rule.
    “Requires a Tree, but no Stone next to it” demands both; “no Stone …” alone would be a rule for
    others. “Once per game, draw a card” says how often a card is drawn; “once per game” alone would
    be a limit of its kind.
    """
    rules = [sets_rules(part) for part in parts]
    texts = [part.phrase.text if part.phrase else "" for part in parts]
    if any(map(_HOW_OFTEN.match, texts[:-1])):
        return True
    return any(
        (rules[at] and not rules[at - 1] and _SHORT.match(texts[at]))
        or (_MISSING.match(texts[at]) and _DEMANDS.match(texts[at - 1]))
        for at in range(1, len(parts))
    )


def _condition_in_front(derivation: Derivation) -> str:
    """A condition a sentence begins with, up to its comma; empty if it begins otherwise."""
    said = _adjunct(derivation, r"^(?P<word>\w+) \{(?P<slot>\w+)\}[,:]? ")
    return f"{said}," if said else ""


def _event_in_front(derivation: Derivation) -> str:
    """What a sentence waits for, up to its comma: “Each time you build a tree,”; else empty."""
    text = derivation.phrase.text if derivation.phrase is not None else ""
    return text_of(derivation).partition(", ")[0] + "," if _EVENT.match(text) else ""


def condition_at_end(derivation: Derivation) -> str:
    """A condition a sentence ends with, from its conjunction on; empty if it ends otherwise."""
    return _adjunct(derivation, r" (?P<word>\w+) \{(?P<slot>\w+)\}\.?$")


def _adjunct(derivation: Derivation, pattern: str) -> str:
    text = derivation.phrase.text if derivation.phrase is not None else ""
    found = re.search(pattern, text)
    if found is None or found.group("slot") not in conditions(derivation):
        return ""
    if len(SLOT.findall(text)) < 2:  # the condition is all that the sentence says
        return ""
    inner = derivation.slot(found.group("slot"))
    return f"{found.group('word')} {text_of(inner)}" if inner is not None else ""
