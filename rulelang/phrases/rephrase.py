"""Rephrasing: a sentence in other words that say the same, by declared equivalences of English.

`rephrase "may {act}" reads "it is allowed to {act}"` says that two frames mean the same whatever
stands in their holes. What comes of one frame may be said by another again, so a sentence has
several forms; their number is bounded. Frames without holes are put in place of what they read at
once, the longest first, and before all others those that say of a word in all its forms what it
means.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulelang.phrases.frames import Frame, Holds, Tokens, begins_clause, frames_of, text_of
from rulelang.phrases.phrase import Form, Synonyms

MAX_FORMS = 24  # of one sentence
MAX_REPHRASERS = 8  # kept in memory
MAX_PASSES = 4  # in which plain words are put in place of others
MAX_STEPS = 6  # frames used one after another
_TRIMMED = frozenset(",;:–—!?")  # marks that a sentence neither begins nor ends with
_TOKEN = re.compile(
    r"[,;:()–—!?]|(?<![\w.])[-+−$€](?=[\d$€])|(?:[≥≤]|[<>]=?)(?=\d)|(?<=\d)\+(?!\S)|\d+(?=\+(?:\s|$))"
    r"|[^\s,;:()–—!?]+"
)
# Behind these a participle says of a noun which one, and is no verb: “each neighboring tree”.
_DETERMINED = "a an the each every any all some no per this that one another other its your many"
_DETERMINERS = frozenset(_DETERMINED.split())
_ENDING = re.compile(r"[\s.!?;:,]+$")
_WITH = re.compile(r"\bw/", re.IGNORECASE)  # short for “with”
_ALONE = frozenset(("",))  # behind a frame of one word
_Frames = dict[str, list[Frame]]  # by one of their words


@dataclass(frozen=True)
class Forms:
    """The forms of a sentence, those of the fewest steps first; are there more than these?"""

    found: tuple[Form, ...]
    is_cut_off: bool


@functools.lru_cache(maxsize=MAX_REPHRASERS)
def rephraser(rephrasings: Synonyms) -> Rephraser:
    """The rephraser of these, made once."""
    return Rephraser(rephrasings)


class Rephraser:
    """Finds the other forms of sentences."""

    def __init__(self, rephrasings: Synonyms) -> None:
        """The frames by one of the words that each cannot do without; plain ones by their first."""
        self._by_word: _Frames = {}
        plain: list[Frame] = []
        for frame in frames_of(rephrasings):
            if frame.is_plain:
                plain.append(frame)
                continue
            for word in frame.words[0]:
                self._by_word.setdefault(word, []).append(frame)
        self._plain = _PlainFrames(frame for frame in plain if not frame.is_of_word)
        self._words = _PlainFrames(frame for frame in plain if frame.is_of_word)

    @functools.cached_property
    def vocabulary(self) -> frozenset[str]:
        """All words that some frame has."""
        frames = (self._by_word, self._plain.by_first, self._words.by_first)
        known = {id(one): one for by_word in frames for some in by_word.values() for one in some}
        forms = {
            part for one in known.values() for part in one.parts if isinstance(part, frozenset)
        }
        return frozenset(word for some in forms for word in some)

    def forms(self, text: str, holds: Holds) -> Forms:
        """The text in all other ways that the frames give, without itself."""
        said = _tokens(text)
        known = _in_other_words(said, self._words)
        first = self._in_plain_words(known)
        begun = dict.fromkeys((first, known, said, _with_commas(first)))
        seen = dict.fromkeys((said, *begun), tuple[str, ...]())  # with what is left out
        fresh = list(begun)
        for _ in range(MAX_STEPS):
            level: list[Tokens] = []
            for tokens in fresh:
                for step, left_out in self._steps(tokens, holds):
                    made = self._in_plain_words(step)
                    if made in seen or any(one == other for one, other in pairwise(made)):
                        continue
                    if len(seen) > MAX_FORMS:
                        return Forms(_forms(seen), is_cut_off=True)
                    seen[made] = (*seen[tokens], *left_out)
                    level.append(made)
            fresh = level
        return Forms(_forms(seen), is_cut_off=False)

    def _in_plain_words(self, tokens: Tokens) -> Tokens:
        """The tokens with the plain words for all that they read, and for what comes of that."""
        for _ in range(MAX_PASSES):
            made = _in_other_words(tokens, self._plain)
            if made == tokens:
                break
            tokens = made
        return tokens

    def _steps(self, tokens: Tokens, holds: Holds) -> Iterator[tuple[Tokens, tuple[str, ...]]]:
        """The tokens with one frame in other words, and what is left out as an aside."""
        low = _low(tokens)
        there = frozenset(low)
        tried = {id(frame): frame for word in low for frame in self._by_word.get(word, ())}
        for frame in tried.values():
            if any(map(there.isdisjoint, frame.words)):
                continue
            for start, end, held in frame.matches(tokens, low, holds):
                left_out = tuple(text_of(held[hole.name]) for hole in frame.left_out)
                for made in frame.made(held):
                    yield _trimmed((*tokens[:start], *made, *tokens[end:])), left_out


class _PlainFrames:
    """Frames without holes, by their first word and, of those that were asked for, the second."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        """Of one word the longest come first."""
        self.by_first: _Frames = {}
        self._by_second: dict[str, _Frames] = {}
        for frame in sorted(frames, key=lambda frame: -len(frame.parts)):
            for word in frame.first_words:
                self.by_first.setdefault(word, []).append(frame)

    def at(self, low: Tokens, at: int) -> Iterator[Frame]:
        """Those that may stand here, the longest first."""
        first, second = low[at], low[at + 1] if at + 1 < len(low) else ""
        if first not in self.by_first:
            return
        if first not in self._by_second:
            found: _Frames = {}
            for frame in self.by_first[first]:
                behind = frame.parts[1] if len(frame.parts) > 1 else _ALONE
                for word in behind if isinstance(behind, frozenset) else ():
                    found.setdefault(word, []).append(frame)
            self._by_second[first] = found
        known = self._by_second[first]
        if second:
            yield from known.get(second, ())
        yield from known.get("", ())


def _forms(seen: Mapping[Tokens, tuple[str, ...]]) -> tuple[Form, ...]:
    return tuple(Form(text_of(one), left_out) for one, left_out in list(seen.items())[1:])


def _in_other_words(tokens: Tokens, frames: _PlainFrames) -> Tokens:
    """The tokens where each of these frames that stands there is said as it is read."""
    low = _low(tokens)
    if frames.by_first.keys().isdisjoint(low):
        return tokens
    made: list[str] = []
    at = 0
    while at < len(tokens):
        frame, end = _plain_at(frames.at(low, at), low, at)
        made += tokens[at:end] if frame is None else next(frame.made({}))
        at = end
    return _trimmed(made)


def _plain_at(frames: Iterable[Frame], low: Tokens, at: int) -> tuple[Frame | None, int]:
    """The longest of these frames that stands here, if any, and where it ends."""
    for frame in frames:
        end = frame.end_of_words(low, at)
        if end is None or (frame.begins_clause and not begins_clause(low, at)):
            continue
        if frame.is_of_word and low[at].endswith("ing") and at and low[at - 1] in _DETERMINERS:
            continue
        full = _low(next(frame.made({})))
        if len(full) >= end - at and low[at : at + len(full)] == full:
            return None, at + len(full)  # it is said so already
        return frame, end
    return None, at + 1


def _tokens(text: str) -> Tokens:
    """The words and marks of a text, without those at its end."""
    return tuple(_TOKEN.findall(_WITH.sub("w⁄", _ENDING.sub("", text))))


def _low(tokens: Tokens) -> Tokens:
    """The tokens in lower case, and those that are cut short without their periods."""
    return tuple(token.lower().rstrip(".") or token for token in tokens)


def _with_commas(tokens: Tokens) -> Tokens:
    """The tokens with commas in place of brackets, which frames do not speak of."""
    if "(" not in tokens:
        return tokens
    return _trimmed(["," if token in ("(", ")") else token for token in tokens])


def _trimmed(tokens: Sequence[str]) -> Tokens:
    """The tokens without marks at their ends, and with the first of several marks in a row."""
    kept: list[str] = []
    for token in tokens:
        if token not in _TRIMMED or (kept and kept[-1] not in _TRIMMED):
            kept.append(token)
    while kept and kept[-1] in _TRIMMED:
        kept.pop()
    return tuple(kept)
