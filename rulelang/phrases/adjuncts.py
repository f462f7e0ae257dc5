"""Conditions beside a sentence: “If …, draw two cards unless …”, in any order and number.

A sentence that has no place for a condition in its own wording takes those that the shared library
declares to stand before or behind any sentence. What each role is for them its opening has told.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulelang import core
from rulelang.core.types import TRUTH
from rulelang.elaborate.card_language import Pattern
from rulelang.english import ASIDE, BEARER, BEHIND, FRONT, OWN_MOMENT, PROVIDED, SUBJECT, SUMMED
from rulelang.phrases.bare_amounts import goes_on_somewhere
from rulelang.phrases.joined import JOINED, MAX_JOINED, ends_on_top, is_cut_short
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Derivation, Phrase
from rulelang.phrases.substitute import Unbound, fill_provided
from rulelang.phrases.unparse import unparse
from rulelang.ruleset import Extension

_SAID, _WHEN = "said", "when"
_BEHIND = f"p_{BEHIND}"
BEFORE = Phrase(
    "said_with_before", "sentence", "{when}, {said}", ((_WHEN, f"p_{FRONT}"), (_SAID, "sentence"))
)
AFTER = Phrase(
    "said_with_after", "sentence", "{said} {when}", ((_SAID, "sentence"), (_WHEN, _BEHIND))
)
OF_IT = Phrase("said_of_it", "sentence", "it {said}", ((_SAID, "sentence"),))
OF_ITS_PLAYER = Phrase(
    "said_of_its_player",
    "sentence",
    "{who} {said}",
    (("who", f"p_{SUBJECT}"), (_SAID, "sentence")),
)
ADJUNCTS = {phrase.id: phrase for phrase in (BEFORE, AFTER, OF_IT, OF_ITS_PLAYER)}
# What behind a rule asks for more than the rule does, and is no case in which the rule is asked.
_ASKS = re.compile(r"\(?(?:but|only|not)\b")
_COMPANY = "p_presence_with"  # “with a tree next to it”
_DENIES = re.compile(r"\b(?:not|no|never|nobody|nothing)\b", re.IGNORECASE)
_LATER = frozenset(("each_time", "in_the_end"))  # bound where amounts are brought later on
_OF_ANOTHER = frozenset((BEARER, "here", "you"))  # what may be another's once the card is there


def sentences(derivation: Derivation) -> list[tuple[Derivation, tuple[Derivation, ...]]]:
    """Each sentence of a derivation alone, with the conditions beside it, in order."""
    phrase = derivation.phrase
    if phrase is not None and phrase.id in JOINED:
        return [one for _, part in derivation.slots for one in sentences(part)]
    said, when = derivation.slot(_SAID), derivation.slot(_WHEN)
    if phrase is None or phrase.id not in ADJUNCTS or said is None:
        return [(derivation, ())]
    if when is None:
        return sentences(said)
    if phrase is BEFORE:
        return [(inner, (when, *others)) for inner, others in sentences(said)]
    return [(inner, (*others, when)) for inner, others in sentences(said)]


def beside(derivation: Derivation) -> int:
    """How many conditions stand beside the sentences of a derivation."""
    return sum(len(conds) for _, conds in sentences(derivation))


def holds_together(derivation: Derivation) -> bool:
    """Does each sentence but the first begin with a verb or sign (see `joined`), and is it plain
    what each condition is of? One behind amounts that are added up may be the last one's alone.
    """
    inner = [one for one, _ in sentences(derivation)]
    begun = len(inner) <= MAX_JOINED and not goes_on_somewhere(inner)
    alone = _behind_a_sum(derivation) or _behind_all(derivation)
    return begun and not is_cut_short(inner) and not alone


def _behind_a_sum(derivation: Derivation) -> bool:
    """Is a condition behind a sentence that adds amounts up?"""
    if derivation.phrase is AFTER and any(_adds_up(one) for one, _ in sentences(derivation)):
        return True
    compound = derivation.phrase is not None and derivation.phrase.id in {**ADJUNCTS, **JOINED}
    return compound and any(_behind_a_sum(inner) for _, inner in derivation.slots)


def _behind_all(derivation: Derivation) -> bool:
    """Is a condition behind several sentences of which the last only adds to the others?"""
    said = derivation.slot(_SAID)
    if derivation.phrase is AFTER and said is not None and len(sentences(said)) > 1:
        return ends_on_top(said)
    compound = derivation.phrase is not None and derivation.phrase.id in {**ADJUNCTS, **JOINED}
    return compound and any(_behind_all(inner) for _, inner in derivation.slots)


def _adds_up(derivation: Derivation) -> bool:
    phrase = derivation.phrase
    return phrase is not None and any(category == f"p_{SUMMED}" for _, category in phrase.slots)


def asks_for_more(said: Derivation, beside: tuple[Derivation, ...]) -> bool:
    """Does a condition behind a rule ask for something else beside it? “Only next to a tree, but
    not in the shade” and “only in the sun, with a tree next to it” have two demands.
    """
    phrase = said.phrase
    if phrase is None or phrase.pattern is None:
        return False
    if not any(extension.rules for extension in phrase.pattern.extensions):
        return False
    behind = (c.phrase for c in beside if c.phrase is not None and c.phrase.category == _BEHIND)
    return any(
        _ASKS.match(cond.text)
        or (_COMPANY in dict(cond.slots).values() and not _DENIES.search(phrase.text))
        for cond in behind
    )


def under(
    extension: Extension,
    pattern: Pattern,
    beside: tuple[Derivation, ...],
    lexicon: Lexicon,
    labels: bool,
) -> Extension:
    """The extension where each line, rule, case and body holds under these conditions, too.

    Raises Unbound where it has no place for one.
    """
    if not beside:
        return extension
    if pattern.told is None or extension.reaction is not None:
        raise Unbound("condition")
    told = pattern.told
    lasts = extension.lifetime != "played"
    _check_moments(beside, lasts or any(role in _LATER for role, _ in told.scope))
    if lasts:
        told = replace(told, scope=tuple(one for one in told.scope if not _of_another(*one)))
    conds = tuple(fill_provided(told, PROVIDED, one, lexicon) for one in beside)
    said = " ".join(map(unparse, beside)) if labels else ""

    def cond(own: core.Expr | None) -> core.Expr:
        parts = (*(() if own is None else (own,)), *conds)
        return parts[0] if len(parts) == 1 else core.All(parts, type=TRUTH)

    def label(own: str) -> str:
        return f"{own} {said}".strip()

    return replace(
        extension,
        lines=tuple(replace(p, cond=cond(p.cond), label=label(p.label)) for p in extension.lines),
        rules=tuple(replace(p, cond=cond(p.cond), label=label(p.label)) for p in extension.rules),
        cases=tuple(replace(p, cond=cond(p.cond)) for p in extension.cases),
        body=(core.If(cond(None), extension.body, ()),) if extension.body else (),
    )


def saying_something(beside: tuple[Derivation, ...]) -> tuple[Derivation, ...]:
    """What stands beside a sentence and changes something of it."""
    return tuple(one for one in beside if not _is_aside(one))


def _is_aside(derivation: Derivation) -> bool:
    """Does what stands beside a sentence change nothing of it?"""
    phrase = derivation.phrase
    return phrase is not None and f"p_{ASIDE}" in dict(phrase.slots).values()


def _check_moments(beside: tuple[Derivation, ...], is_later: bool) -> None:
    """Raises Unbound if a condition of what holds later says when the card itself is built."""
    if not is_later:
        return
    phrases = (one.phrase for one in beside if one.phrase is not None)
    if any(f"p_{OWN_MOMENT}" in dict(phrase.slots).values() for phrase in phrases):
        raise Unbound("condition")


def _of_another(role: str, value: core.Expr) -> bool:
    """May a text that lasts mean somebody or something else by this role than its opening does?"""
    of_card = any(isinstance(part, core.Var) and part.name == "card" for part in core.walk(value))
    return role in _OF_ANOTHER and not of_card
