"""Sentences taken apart at what joins them, where they are not read in one: each part is read by
itself, in its own other words, and joined again.

What one part may owe to the other keeps them together: an occasion in front that holds over both,
one at the end that may, a subject of its own before a verb that has none, and a verb like “may”
before one it may govern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rulelang.core.types import NUMBER, PhraseT
from rulelang.phrases.bare_amounts import inner, is_bare_amount, says_on_top, sets_rules
from rulelang.phrases.joined import (
    APART,
    BASE_FORM,
    BOTH,
    BUT,
    CONTRASTED,
    LISTED,
    TOGETHER,
    condition_at_end,
    members,
)
from rulelang.phrases.phrase import SLOT, Derivation, Phrase

MAX_JOINTS = 6  # in one text
MAX_PART = 13  # words of a part that is parted no further

_JOINT = re.compile(
    r"\s*(?:(?P<apart>;)(?:\s*(?:and|but)\b)?"
    rf"|(?P<contrasted>,?\s*{BUT},?)|(?P<together>,?\s*{BOTH},?)"
    r"|(?P<listed>,))\s+",
    re.IGNORECASE,
)
_OCCASIONS = (
    r"if|when|whenever|each time|every time|once|as soon as|as long as|so long as|while|unless"
    r"|after|before|until|during|at the (?:end|start|beginning)"
)
_FRONT = re.compile(
    rf"\s*(?:{_OCCASIONS}|where|wherever|from now on|from then on|later|in (?:the|a)|each|every|for"
    r"|on|upon)\b(?=[^,:;]*[,:])",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"\s(?:{_OCCASIONS}|(?:each|every|per|a) (?:round|turn))\b",
    re.IGNORECASE,
)
_FINITE = re.compile(  # a verb whose subject stands before it
    r"\s*(?:also |only |still |then )?(?:is|are|isn['’]t|aren['’]t|has|have|does|do"
    r"|doesn['’]t|don['’]t|\w+(?<![sui])s\b(?! (?:cost|costs|count|are|is|score|get|give)\b)"
    r"|count|cost|score|give|get|bring|earn|pay|lose|may|must|can|cannot|can['’]t|never|not|worth"
    r"|receive|gain|draw|discard|take|double[ds]?)\b",
    re.IGNORECASE,
)
_GOVERNS = re.compile(
    r"\b(?:may|can|could|must|might|should|will|to|do not|does not|don['’]t|doesn['’]t|cannot"
    r"|can['’]t|never|let|lets)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"(?:Each|Every|All|Any|Anyone|Anybody|Everyone|Everybody|Whoever|Nobody|Your|Other|Another|The"
    r"|Later|Players?|Opponents?|One of)\b",
    re.IGNORECASE,
)


class Joint(NamedTuple):
    """A text in two parts, and what joins them."""

    first: str
    phrase: Phrase
    second: str


def joints(text: str) -> Iterator[Joint]:
    """Each way to take a text apart in two, the first of not too many words, if there are not too
    many.
    """
    found = list(_JOINT.finditer(text))
    for joint in found if len(found) <= MAX_JOINTS else ():
        first, second = text[: joint.start()], text[joint.end() :]
        if first.strip() and second.strip() and len(first.split()) <= MAX_PART:
            yield Joint(first, _phrase(joint), second)


def _phrase(joint: re.Match[str]) -> Phrase:
    if joint["apart"]:
        return APART
    if joint["contrasted"]:
        return CONTRASTED
    return LISTED if joint["listed"] else TOGETHER


def is_apart(joint: Joint, first: Derivation, second: Derivation) -> bool:
    """Do the two parts of a text, read like this, each say all of what they say by themselves?"""
    if joint.phrase is APART:
        return True
    if _FRONT.match(joint.first) and not _FRONT.match(joint.second):
        return False
    if _FINITE.match(joint.second) and _is_of_others(first):
        return False
    if BASE_FORM.match(joint.second) and _GOVERNS.search(joint.first):
        return False
    return not _may_end_both(joint, first, second)


def _may_end_both(joint: Joint, first: Derivation, second: Derivation) -> bool:
    """Is there an occasion at the end of the second part that may be that of the first, too, and
    that is not seen where conditions at the end of joined sentences are?
    """
    if (
        joint.phrase is CONTRASTED
        or not _BEHIND.search(joint.second)
        or _BEHIND.search(f" {joint.first}")
    ):
        return False
    last = members(second)[-1]
    if condition_at_end(last) or _FRONT.match(joint.second):
        return False
    added = is_bare_amount(last) and says_on_top(last)
    return not added and sets_rules(inner(first)) == sets_rules(inner(last))


def _is_of_others(derivation: Derivation) -> bool:
    """Has a sentence a subject that is not the card that bears it, nor its player?"""
    phrase = inner(members(derivation)[-1]).phrase
    text = phrase.text if phrase is not None else ""
    slot = SLOT.match(text)
    if slot is None:
        return bool(_OTHERS.match(text))
    pattern = phrase.pattern if phrase is not None else None
    t = dict(pattern.slots).get(slot.group(1)) if pattern is not None else None
    return t != NUMBER and not (isinstance(t, PhraseT) and t.of == NUMBER)
