"""English for messages and paraphrases: plurals, counted nouns, and names as read aloud."""

from __future__ import annotations

import re

_NUMERALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
NUMERALS = tuple(_NUMERALS.split())  # the numbers that may be written as words


def plural(word: str) -> str:
    """The regular English plural of a word or of the last word of a phrase."""
    if word.endswith("s") and not word.endswith(("ss", "us")):
        return word
    if re.search(r"\b(half|shelf|self|calf|leaf|loaf|sheaf|knife|life|wife)$", word):
        return re.sub("fe?$", "ves", word)
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


# Words that begin with the sound of a vowel: “an hour”, but “a unit”.
_SOUNDS = r"(?!uni(?![mn])|eu|us[aeu]|one\b|once\b)[aeiou]|hour|honest|heir"
_VOWEL = re.compile(_SOUNDS, re.IGNORECASE)
_BEFORE_VOWEL = re.compile(rf"\b(a) (?=\[*(?:{_SOUNDS}))", re.IGNORECASE)


def article(noun: str) -> str:
    """A noun with its indefinite article, by how it sounds."""
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def with_articles(text: str) -> str:
    """A text with “an” for each “a” before the sound of a vowel."""
    return _BEFORE_VOWEL.sub(r"\1n ", text)


def singular(word: str) -> str:
    """The singular of a word that is its own plural as far as its letters tell; else nothing."""
    if len(word) < 4 or plural(word) != word:
        return ""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes", "zzes")) else word[:-1]


def unmarked(title: str) -> str:
    """A title without the mark in square brackets that tells designs of one name apart.

    `Lake [small]` is called Lake.
    """
    if "[" not in title:
        return title
    return re.sub(r"(?<=\S)\s*\[[^\[\]]*\]$", "", title)


def spoken(name: str) -> str:
    """A name as it is read aloud: with blanks for underscores."""
    return name.replace("_", " ")


def counted(number: int, word: str, many: str = "") -> str:
    """A number with its noun in the singular or plural."""
    return f"{number} {word if number == 1 else many or word + 's'}"


def ranged(low: int, high: int | None, word: str) -> str:
    """From so many to so many of a noun, or so many and more: “2 to 5 players”, “1 player”."""
    if low == high:
        return counted(low, word)
    return f"{low} or more {word}s" if high is None else f"{low} to {high} {word}s"
