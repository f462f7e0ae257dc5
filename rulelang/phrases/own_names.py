"""What a text calls the card that bears it, beside “it”: its title, the end of that, or its sort.

“The” or “this” stands before it, and perhaps an epithet: “the little clinic” on a “Day Clinic”,
“this block” on any.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rulelang.diagnostics.english import NUMERALS

_NAMED_AFTER = (  # no thing is counted behind these words without an article: it is a name
    "to by with from at near beside next around touching than placed played place play plays build "
    "builds built lay lays laid construct constructs constructed covering cover after before while "
    "when whenever if where that of for under over on in scoring building placing constructing"
)
_POSSESSIVE = r"(?P<possessive>['’]s)?(?!['’-])(?!\w)"


def with_it(text: str, articles: str, title: str) -> str:
    """The text, of the same length, with “it” for a title after one of these articles."""
    if not _said_in(text, (title,)):
        return text
    own = rf"\b(?:{articles}) {re.escape(title)}\b(?!['’-])"
    return re.sub(own, lambda m: "it".ljust(len(m.group(0))), text, flags=re.IGNORECASE)


def with_placing(text: str) -> str:
    """The text, of the same length, with “placing” for “building” where that is what is done with
    this card, and no thing: “Building it gives you 3”.
    """
    return re.sub(r"^(\s*)Building(?= (?:it|this)\b)", lambda m: f"{m.group(1)}Placing ", text)


def by_name(text: str, title: str) -> str:
    """The text, of the same length, with “it” for a title that stands in it as a proper name: with
    its capital, without an article.
    """
    if title not in text or not title[:1].isupper():
        return text
    before = "|".join(_NAMED_AFTER.split())
    own = rf"(?<=\s){re.escape(title)}{_POSSESSIVE}"
    behind = re.compile(rf"\b(?:{before}) $", re.IGNORECASE)

    def said(match: re.Match[str]) -> str:
        named = behind.search(text[: match.start()])
        return _pronoun(match) if named else match.group(0)

    return re.sub(own, said, text)


def in_short(
    text: str,
    title: str,
    names: Collection[str],
    epithets: Sequence[str],
    unknown: Collection[str] = (),
) -> str:
    """The text, of the same length, with “it” or “its” for whatever may mean this card.

    After “this” that is the title or the end of it, and each of these names of things, perhaps with
    words before it that are unknown to the game; after “the” a name that other things have, too, is
    theirs.
    """
    words = title.lower().split()
    ends = [" ".join(words[at:]) for at in range(len(words))]
    after_the = [ends[0], *(end for end in ends[1:] if end not in names)] if ends else []
    for article, called, epithet in (
        ("this", {*ends, *names, "card", "thing", "place"}, (*epithets, *sorted(unknown))),
        ("the", set(after_the), epithets),
    ):
        before = "(?:(?:" + "|".join(map(re.escape, epithet)) + r"),? )*" if epithet else ""
        called = _said_in(text, called) if article in text.lower() else set()
        if not called:
            continue
        said = "|".join(map(re.escape, sorted(called, key=len, reverse=True)))
        own = rf"\b{article} {before}(?:{said}){_POSSESSIVE}"
        text = re.sub(own, _pronoun, text, flags=re.IGNORECASE)
    return text


def as_subject(text: str, title: str) -> str:
    """The text, of the same length, with “it” for a title that it begins with, and with blanks for
    one that only stands above it: “Oak: 3 points”, “An oak is worth 3”.
    """
    if not _said_in(text, (title,)):
        return text
    name = re.escape(title)
    above = re.compile(rf"^\s*(?:the |this )?{name}\s*(?:[:=–—]|- )\s*(?=\S)", re.IGNORECASE)
    bare = above.sub(lambda m: " " * len(m.group(0)), text)
    if bare != text:
        return bare
    own = rf"^(?:an? |each |every )?{name}{_POSSESSIVE}(?=\s)"
    return re.sub(own, _pronoun, text, count=1, flags=re.IGNORECASE)


def as_one(text: str, title: str) -> str:
    """The text, of the same length, with “it” for a title that it begins with, before a verb that
    says something of one: “Oak scores 3”, “Your oak gives 2 more”.
    """
    own = rf"^\s*(?:your )?{re.escape(title)}(?= (?:is|has|may|must|\w+(?<!s)s)\b)(?! of\b)"
    return re.sub(own, lambda m: "it".ljust(len(m.group(0))), text, count=1, flags=re.IGNORECASE)


def of_each_copy(text: str, title: str) -> str:
    """The text, of the same length, with “it” for “each” and a title that it begins with: every
    copy says that of itself.
    """
    own = rf"^\s*(?:each|every) {re.escape(title)}(?!['’-])(?=\s)"
    return re.sub(own, lambda m: "it".ljust(len(m.group(0))), text, count=1, flags=re.IGNORECASE)


def when_built(text: str, title: str) -> str:
    """The text, of the same length, with “it” for “a” and a title that may or must be built."""
    before = r"\b(?:to|before|must|may|can|can't|can’t|cannot|not|never) (?:you (?:may|can) )?"
    return _with_it_built(text, before, title)


def once_built(text: str, title: str) -> str:
    """The text, of the same length, with “it” for “a” and a title of what is built, where that is
    what a text waits for: every copy says that of itself.
    """
    before = (
        r"\b(?:when|if|once|after|as soon as) you(?: have|['’]ve)? |"
        r"\b(?:whoever|any(?:one|body) who|the player who) |(?:^|\bfor )(?=\w+ing )"
    )
    return _with_it_built(text, before, title)


def _with_it_built(text: str, before: str, title: str) -> str:
    if not _said_in(text, (title,)):
        return text
    verbs = (
        r"(?:build|construct|lay|put)(?:s|ing)?(?: up| down)?|(?:plac|play)(?:e?s?|ing|ed)|built"
    )
    own = (
        rf"((?:{before})(?:{verbs})) an? {re.escape(title)}\b(?!['’-])(?! (?:next|beside|adjacent))"
    )
    return re.sub(
        own, lambda m: f"{m.group(1)} it".ljust(len(m.group(0))), text, flags=re.IGNORECASE
    )


def wherever_named(text: str, title: str) -> str:
    """The text, of the same length, with “it” for a title that stands in it with its capital and
    without an article, whatever stands before it.
    """
    if title not in text or not title[:1].isupper():
        return text
    return re.sub(rf"(?<=\s){re.escape(title)}{_POSSESSIVE}", _pronoun, text)


def with_it_for_kind(text: str, kind: str) -> str:
    """The text, of the same length, with “it” for “the” and the word for all such things, if it
    speaks of no other of them.
    """
    said = rf"\bthe {re.escape(kind)}{_POSSESSIVE}"
    if len(re.findall(rf"\b{re.escape(kind)}", text, re.IGNORECASE)) != len(
        re.findall(said, text, re.IGNORECASE)
    ):
        return text
    return re.sub(said, _pronoun, text, flags=re.IGNORECASE)


def for_this(text: str) -> str:
    """The text, of the same length, with “it” for each “this”, as if no noun stood behind it. The
    “one” of “this one” would be left as a number.
    """
    return re.sub(r"\bthis\b(?!\s+one\b)", _pronoun_for_this, text, flags=re.IGNORECASE)


def of_these(text: str, title: str, many: str) -> str:
    """The text with “of these” for a title, or its plural, behind a number or for their number."""
    if not _said_in(text, (title, many)):
        return text
    numbers = "|".join((*NUMERALS, "[0-9]+", "a second", "as many", "so many", "more", "fewer"))
    names = f"{re.escape(title)}|{re.escape(many)}"
    own = rf"\b({numbers}|no second|no other|another) (?:{names})\b(?!['’-])"
    text = re.sub(own, lambda m: f"{m.group(1)} of these", text, flags=re.IGNORECASE)
    number = rf"\b(the number of) (?:your )?(?:{names})\b(?!['’-])"
    return re.sub(number, lambda m: f"{m.group(1)} these", text, flags=re.IGNORECASE)


def _said_in(text: str, names: Collection[str]) -> set[str]:
    """Those of the names that may stand in a text: a pattern of all others is made in vain."""
    if not all(char.isascii() or not char.isalnum() for char in text):  # “ſ” matches “s”, too
        return set(names)
    low = text.lower()
    return {name for name in names if name.lower() in low or not name.isascii()}


def _pronoun_for_this(match: re.Match[str]) -> str:
    return "it".ljust(len(match.group(0)))


def _pronoun(match: re.Match[str]) -> str:
    return ("its" if match.group("possessive") else "it").ljust(len(match.group(0)))
