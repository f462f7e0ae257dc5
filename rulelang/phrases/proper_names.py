"""Names in a text that no piece of the game has: of these one may be the card it is written for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulelang.diagnostics.english import NUMERALS, singular
from rulelang.phrases.lexicon import Lexicon, title_of

MAX_NAMES = 6  # that are looked at in one text
_CAPITAL = r"[^\W\d_a-z](?:[\w-]|['’](?!s\b)(?=\w))*"
_LINK = r"(?:of the|of|and|&)"
_RUN = re.compile(rf"(?<![\w'’-]){_CAPITAL}(?: (?:{_LINK} )?{_CAPITAL})*")
_BEGINNING = re.compile(r"(?:^|[.!?:;]\s|[\"“(])\s*$")
_SEVERAL = "no|all|both|these|those|your|many|more|fewer|several|than|of"
_OTHERS = "(?<!each )(?<!every )(?<!any )other"
_MANY = re.compile(rf"\b(?:\d+|{'|'.join(NUMERALS[1:])}|{_SEVERAL}|{_OTHERS}) $", re.IGNORECASE)
_ONE = re.compile(r"\S.*\ban? $", re.IGNORECASE)
_TOO = re.compile(r"\b(?:also|too|either|as well|already|only|same)\b", re.IGNORECASE)
_DEFINITE = re.compile(r"\b(?:the|this) $", re.IGNORECASE)
_LIMITED = re.compile(
    r"\b(?:only|at most|(?:no|not) more than|than|maximum of|up to) \w+ $", re.IGNORECASE
)
_MARKED = re.compile(rf" (?:{_LINK}) ")


def unknown_names(text: str, lexicon: Lexicon) -> list[tuple[str, ...]]:
    """Each name in a text that the game has not, as the titles it may be the name of, the likelier
    first.

    A name is written with capitals, and not all of its words are words of the game beside titles.
    """
    found: dict[str, tuple[str, ...]] = {}
    for match in _RUN.finditer(text):
        run, before = match.group(0), text[: match.start()]
        titles: dict[str, None] = {}
        for name in _spans(run, bool(_BEGINNING.search(before)), lexicon):
            ahead = before + run[: run.index(name)]
            if _is_unknown(name, lexicon) and (_TOO.search(text) or not _ONE.search(ahead)):
                titles |= dict.fromkeys(_titles(name, bool(_MANY.search(ahead))))
        if titles:
            found.setdefault(next(iter(titles)), tuple(titles))
    return list(found.values())[:MAX_NAMES]


def limited_titles(text: str, lexicon: Lexicon) -> list[str]:
    """The titles that pieces of the game have and a text names as its own: after “the”, at its
    beginning without an article, or behind the number of them that there may be.
    """
    titles = {
        form.lower(): one.word_forms[0]
        for one in lexicon.nouns
        if title_of(one.word)
        for form in one.word_forms
    }
    found: dict[str, None] = {}
    for match in _RUN.finditer(text):
        before, name = text[: match.start()], match.group(0)
        if name.lower().startswith("the "):
            name, before = name[4:], "the "
        title = titles.get(name.lower())
        if title and any(sign.search(before) for sign in (_DEFINITE, _BEGINNING, _LIMITED)):
            found[title] = None
    return list(found)


def _spans(run: str, is_first: bool, lexicon: Lexicon) -> Iterator[str]:
    """The stretches of a run of capitals that may be a name.

    The first word of a sentence has a capital anyway, so that a known one may stand before a name.
    """
    first, _, rest = run.partition(" ")
    if is_first and rest and first.lower() in lexicon.vocabulary:
        yield from _spans(rest, False, lexicon)
    if not (is_first and first.lower() in ("the", "this", "a", "an")):
        yield run
    yield from (part for part in _MARKED.split(run) if part != run)


def _is_unknown(name: str, lexicon: Lexicon) -> bool:
    low = name.lower()
    if low in lexicon.names_of_things or singular(low) in lexicon.names_of_things:
        return False
    words = re.findall(r"[^\W_][\w'’-]*", low)
    return any(word not in lexicon.vocabulary_but_titles for word in words)


def _titles(name: str, many: bool) -> tuple[str, ...]:
    """The titles that a name may be of, the likelier first: a plural is the name of one, too."""
    one = singular(name)
    if not one:
        return (name,)
    return (one, name) if many else (name, one)
