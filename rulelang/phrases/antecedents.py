"""What “it” and “them” may mean beside the card that bears the text and its copies: “each tree
counts 2 if it is shady”, “if you have trees, gain 1 for each of them”.

A condition speaks of what its sentence speaks of. Where that is another thing, “it” is that thing
for whoever reads the card, but the wordings of conditions mean the card by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_LINKS = (
    "if|when|whenever|where|wherever|while|unless|provided|providing|as long as|so long as|"
    "in case|once"
)
_LINK = re.compile(rf"\b(?:{_LINKS})\b", re.IGNORECASE)
_ONE = r"(?:each|every|any|an?|another|one)"
_SUBJECT = re.compile(rf"(?:^|[,:;]|\b(?:{_LINKS}|that|and|then))\s*({_ONE}\s+)", re.IGNORECASE)
_VERBS = "build|place|play|lay|put|construct|draw|discard|buy|take"
_OBJECT = re.compile(rf"\b(?:{_VERBS})(?:s|es|ed)?\s+({_ONE}\s+)", re.IGNORECASE)
# One blank behind it: what stands for the card's own title is followed by as many as that was long.
_IT = re.compile(r"\b(?:it|its)\b(?!\s{2})", re.IGNORECASE)
# What stands there as long as the sentence holds is the card itself.
_STANDS = re.compile(
    r"it(?:['’]s| is)? (?:stands|standing|remains|stays|there|here|in play|on the table)\b",
    re.IGNORECASE,
)
# Behind something else to be done, “when you build it” and “when it is built” speak of the card.
_BUILT = re.compile(
    r"\s+(?:(?:you|its builder|its owner) (?:build|place|play|lay|put|construct|buy)s? it|"
    r"it is (?:built|placed|played|laid|put|constructed))\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"(?: that)?\s+it (?P<says>[^,;:]+?)(?=[,;:]|[.!]?\s*$)", re.IGNORECASE)
_MAIN = re.compile(r"(?:^|[,:;])\s*$")  # a main clause begins behind it
_WORD = re.compile(r"[\w'’-]+\s*")
_THEM = re.compile(
    r"\b(?:each|every) (?:one )?of (?:them|these|those)\b"
    r"|(?<=\bfor )(?:each|every) one(?=[.!\s]*$)",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"(?:\b(?:if|when|whenever|while|as long as)|^)\s+(?:(?:you|it) (?:already )?(?:has|have|own)|"
    r"there (?:are|is)|)\s*(?=\w)",
    re.IGNORECASE,
)
# What somebody else builds has an owner, too: “when another player builds a tree, its owner …”
_OTHERS_THING = re.compile(
    r"\b(?:(?:an)?other player|opponent|someone|somebody|anyone|anybody"
    r"|(?:a|any|each|every) player)(?: else)?"
    r" (?:builds|places|plays|lays|constructs|buys) (?P<thing>(?:an?|any|another) [^,;:]+),"
    r" (?:its|the) (?:owner|builder|player)\b",
    re.IGNORECASE,
)
# “If you have a tree, its points …”, “Got a tree? Its points …”: those of the tree.
_OWNED = re.compile(
    r"^\s*(?:(?:if|when|as long as|once) you(?: have|['’]ve)?(?: got| have| own)?|(?:have you )?got"
    r"|do you have)\s+(?=(?:an?|your|the)\s)(?P<article>\w+\s+)",
    re.IGNORECASE,
)
_ITS = re.compile(r"\s*[,:?]\s*(?:then )?its (?P<noun>\w+) (?P<says>\S.*)", re.IGNORECASE)
_THAT_ARE = re.compile(r"(?:are|lie|stand) ", re.IGNORECASE)
_MOST_WORDS = 5  # of what is looked for behind an article
_MOST_IN_PLACE = 9  # of that with where it lies


@dataclass(frozen=True)
class Antecedent:
    """The words for a thing that “it” means in a condition, and the text with this condition as
    its relative clause, if it can be said so: “each tree that is shady counts 2”.
    """

    said: str
    as_relative: str | None


def other_antecedent(text: str, is_thing: Callable[[str], bool]) -> Antecedent | None:
    """The other thing that “it” means in a condition of the text; none if that is the card.

    `is_thing` tells whether words without an article are some things.
    """
    if (owned := _of_what_is_owned(text, is_thing)) is not None:
        return owned
    for found in _IT.finditer(text):
        links = list(_LINK.finditer(text, 0, found.start()))
        if not links or _STANDS.match(text, found.start()):
            continue
        built = _BUILT.match(text, links[-1].end())
        named = _thing_in(text[: links[-1].start()], is_thing, built is None)
        if named is not None:
            start, end = named
            said = _as_relative(text, end, links[-1]) if _MAIN.search(text[:start]) else None
            return Antecedent(text[start : start + 1].lower() + text[start + 1 : end], said)
    return None


def _of_what_is_owned(text: str, is_thing: Callable[[str], bool]) -> Antecedent | None:
    """The thing that somebody must have in a condition in front, if “its” begins what is said then:
    the text with this in its place, “the points of your tree …”.
    """
    owned = _OWNED.match(text)
    end = _end_of_name(text, owned.end(), is_thing) if owned is not None else None
    its = _ITS.match(text, end) if end is not None else None
    if owned is None or end is None or its is None or "  " in text[end : its.start("says")]:
        return None
    name = text[owned.end() : end]
    if _IT.search(name):
        return None
    said = f"the {its['noun']} of your {name} {its['says']}"
    return Antecedent(text[owned.start("article") : end].strip(), said)


def thing_of_another(text: str) -> str | None:
    """What somebody else builds in a text, if “its owner” may then be that one’s; else none."""
    found = _OTHERS_THING.search(text)
    return found["thing"] if found is not None else None


def with_several_named(text: str, is_thing: Callable[[str], bool]) -> str | None:
    """The text with what it speaks of before in place of “each of them”; none if it does not speak
    of several things there. It is empty if what is said of them leaves open which they are.
    """
    them = _THEM.search(text)
    before = text[: them.start()] if them is not None else ""
    clause = before[: before.rfind(",")] if "," in before else ""
    for there in _THERE.finditer(f" {clause}"):
        start = there.end() - 1
        end = _end_of_name(clause, start, is_thing, most=_MOST_IN_PLACE)
        if end is None or them is None:
            continue
        which = clause[start:end]
        rest = clause[end:].strip()
        if _THAT_ARE.match(rest):
            so = f"{which} {_THAT_ARE.sub('', rest, count=1)}"
            end = _end_of_name(so, 0, is_thing, most=_MOST_IN_PLACE)
            which = so[:end] if end is not None and end > len(which) else ""
        if not which:
            return ""
        return f"{before}each of the {which}{text[them.end() :]}"
    return None


def _thing_in(
    before: str, is_thing: Callable[[str], bool], or_object: bool
) -> tuple[int, int] | None:
    """From where to where what stands before a condition names one thing as its subject, or as an
    object of building if that is asked, too.
    """
    for pattern in (_SUBJECT, _OBJECT) if or_object else (_SUBJECT,):
        for found in pattern.finditer(before):
            end = _end_of_name(before, found.end(), is_thing)
            if end is not None:
                return found.start(1), end
    return None


def _as_relative(text: str, end: int, link: re.Match[str]) -> str | None:
    """The text with a condition that begins with “it” as a clause behind the name ending there."""
    cond = _CONDITION.match(text, link.end())
    if cond is None or _IT.search(cond.group("says")) is not None:
        return None
    rest = text[cond.end() :]
    between = text[end : link.start()].rstrip(" ,")
    return f"{text[:end]} that {cond.group('says')}{between}{rest}"


def _end_of_name(
    text: str, start: int, is_thing: Callable[[str], bool], most: int = _MOST_WORDS
) -> int | None:
    """Where the longest words for things end that begin there; none if there are none."""
    ends: list[int] = []
    at = start
    while len(ends) < most and (word := _WORD.match(text, at)):
        at = word.end()
        ends.append(start + len(text[start:at].rstrip()))
    return next((end for end in reversed(ends) if is_thing(text[start:end])), None)
