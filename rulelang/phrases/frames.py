"""Frames: declared ways to say the same, and where they stand in a sentence.

In the text of a frame `{x}` is a hole, `a/b` are two forms of a word, `(words)` may be left out,
and `[one / the other]` says what there is to choose from; so it is with several words in `(…)`.
A frame that begins with a capital letter begins a clause, and one with a period ends it.
Verbs and nouns may stand for all their forms: `touch~`, `rival(s)`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from rulelang.diagnostics.english import NUMERALS, singular
from rulelang.english.inflection import inflected, is_inflected
from rulelang.english.units import ON_TOP
from rulelang.phrases.phrase import Synonyms

MAX_HELD = 14  # words in one hole
ANYTHING, IDLE, REASON = "anything", "idle", "reason"  # what a hole may ask for beside sorts
CAUSE, BACKGROUND = "cause", "background"  # clauses that tell why, or how it came to be
CONCESSION = "concession"  # what something holds in spite of
ASIDES = (IDLE, REASON, CAUSE, BACKGROUND, CONCESSION)  # what is left out of what is read
NUMBER, WORD = "number", "word"
COUNTED = "counted"  # what amounts may be for each of, but no players
ONE = "one"  # things in the singular, as in notes without articles
QUANTITY = "quantity"  # an amount of something, without what it is for
OUTRIGHT = "outright"  # an amount that does not come on top of another
_MOST = {NUMBER: 1, WORD: 1}  # words that a hole of these holds
_THINGS = "things"
_TALLY, _FOLK = "tally", "folk"  # sorts of phrases for what is counted, and for players
_LISTS = ("listed", "company", "condition")  # sorts of phrases that commas may stand in

_GUARDS = (
    "no not never nobody nothing none neither nor without only unless except if or and but "
    "otherwise until while when whenever because since instead"
)
GUARDED = frozenset(_GUARDS.split())  # words that stand in no hole that asks for nothing
_PREPOSITIONS = "for each every per with at in on to of by from"
_NO_NOUNS = ON_TOP | frozenset(_PREPOSITIONS.split())  # what no single word for something is
_AMOUNTS = ("quantity", "flat", "raise", OUTRIGHT)  # sorts of phrases for a single amount
_BETWEEN_AMOUNTS = frozenset(("and", "or", "plus", "but", "if", "unless", "otherwise"))
MARKS = frozenset(",;:()–—")
_OPENS = MARKS | {"and", "but", "or", "then", "if", "unless", "when", "while", "because", "so"}
_CLOSES = (_OPENS | {"otherwise", "since"}) - {"or", "so"}
# “2 points, but only with a tree” says when there are 2: behind these marks no rule begins so.
_CUT_SHORT, _GOES_ON = frozenset(("only", "not")), frozenset((",", "but"))
_WHO = frozenset(("player", "players", "opponent", "opponents", "everyone", "everybody"))
_FALLS_SHORT = frozenset(("less", "fewer"))
_PART = re.compile(r"\(([^()]*)\)|\[([^][]*)\]|\{(\w+)(?:: (\w+))?\}|([,;:!?]|[^][\s(){},;:!?]+)")
_OR = re.compile(r"\s/(?:\s|$)")  # between several words to choose from
_HOLE = re.compile(r"\{(\w+)(?:: (\w+))?\}")
_RESULT = re.compile(r"\{\w+\}|[,;:()]|[^\s{},;:()]+")

Tokens = tuple[str, ...]
Held = Mapping[str, Tokens]
Holds = Callable[[str, str], bool]  # is a stretch of text what a hole of this sort holds?


@dataclass(frozen=True)
class Hole:
    """A place in a frame for words; `sort` says which, and is empty for words of a clause."""

    name: str
    sort: str = ""

    @property
    def is_left_out(self) -> bool:
        """Is what it holds an aside?"""
        return self.sort in ASIDES

    def goes_on(self, word: str) -> bool:
        """May this word stand in it?"""
        if self.sort == ANYTHING:
            return True
        if self.sort == WORD and word in _NO_NOUNS:
            return False
        if self.sort in ("", IDLE, WORD):
            return not (word in GUARDED or word in MARKS or word.endswith(("n't", "n’t")))
        if self.sort == OUTRIGHT and word in ON_TOP:
            return False
        if self.sort in _AMOUNTS and word in _BETWEEN_AMOUNTS:
            return False
        if self.sort == QUANTITY and word in _WHO:
            return False
        return word not in MARKS or (word == "," and self.sort in _LISTS)

    def may_hold(self, words: Tokens, holds: Holds) -> bool:
        """Does it hold these words, each of which may stand in it?"""
        if self.sort in ("", ANYTHING, WORD, CONCESSION):
            return True
        if self.sort == NUMBER:
            return words[0].isdigit() or words[0].lower() in NUMERALS
        if self.sort == OUTRIGHT and not any(map(_tells_a_number, words)):
            return False
        text = text_of(words)
        if self.sort == ONE:
            return not singular(words[-1].lower()) and holds(_THINGS, text)
        if self.sort == COUNTED:
            return holds(_TALLY, text) and not holds(_FOLK, text)
        return holds(self.sort, text)

    def most(self, at: int, size: int) -> int:
        """Where it ends at the latest, of so many tokens."""
        return size if self.sort == ANYTHING else min(size, at + _MOST.get(self.sort, MAX_HELD))


def _tells_a_number(word: str) -> bool:
    low = word.lower()
    return low in NUMERALS or low in ("a", "an") or not word.isalpha()


Part = frozenset[str] | Hole  # a word in all its forms, or a hole
Spans = tuple[tuple[Hole, int, int], ...]


@dataclass(frozen=True)
class Frame:
    """One way to say something, and the ways it is read in its place."""

    parts: tuple[Part, ...]
    begins_clause: bool
    ends_clause: bool
    read_as: tuple[tuple[str | Hole, ...], ...]
    is_of_word: bool = False  # does it say the same of all forms of a word?

    @property
    def is_plain(self) -> bool:
        """Has it no holes, and one way to be read?"""
        return len(self.read_as) == 1 and not any(isinstance(part, Hole) for part in self.parts)

    @property
    def first_words(self) -> frozenset[str]:
        """The forms of its first word."""
        first = self.parts[0]
        return frozenset() if isinstance(first, Hole) else first

    @functools.cached_property
    def left_out(self) -> tuple[Hole, ...]:
        """The holes for what is left out of what is read."""
        holes = (part for part in self.parts if isinstance(part, Hole))
        return tuple(hole for hole in holes if hole.is_left_out)

    @functools.cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The words that must be there, each in its forms, the most telling first."""
        found = (part for part in self.parts if not isinstance(part, Hole))
        return tuple(sorted(found, key=lambda forms: -min(map(len, forms))))

    def made(self, held: Held) -> Iterator[Tokens]:
        """What is read in its place, each way, with this in the holes."""
        for result in self.read_as:
            parts = (held[p.name] if isinstance(p, Hole) else (p,) for p in result)
            yield tuple(token for tokens in parts for token in tokens)

    def matches(self, tokens: Tokens, low: Tokens, holds: Holds) -> Iterator[tuple[int, int, Held]]:
        """Every place where it stands, with what is in its holes; `low` are the tokens compared."""
        first = self.parts[0]
        at_edge = self.begins_clause or _is_open(first)
        for start, word in enumerate(low):
            if isinstance(first, frozenset) and word not in first:
                continue
            if at_edge and not begins_clause(low, start):
                continue
            if start and low[start] in _CUT_SHORT and low[start - 1] in _GOES_ON:
                continue
            for end, spans in self.stands(low, start):
                held = {hole.name: tokens[a:b] for hole, a, b in spans}
                if _alike(spans, low) and all(
                    hole.may_hold(held[hole.name], holds) for hole, _, _ in spans
                ):
                    yield start, end, held

    def end_of_words(self, low: Tokens, at: int) -> int | None:
        """Where it ends if it stands here; none if it does not. It has no holes."""
        end = at + len(self.parts)
        if end > len(low):
            return None
        for part, word in zip(self.parts, low[at:end], strict=True):
            if isinstance(part, Hole) or word not in part:
                return None
        return end if self._may_end(low, end) else None

    def stands(self, low: Tokens, at: int, index: int = 0) -> Iterator[tuple[int, Spans]]:
        """Where its parts from one on end, if they stand here, and where each hole does."""
        parts, size = self.parts, len(low)
        part: Part | None = None
        for part in islice(parts, index, None):
            if isinstance(part, Hole):
                break
            if at >= size or low[at] not in part:
                return
            at, index = at + 1, index + 1
        if not isinstance(part, Hole) or index == len(parts):
            if self._may_end(low, at):
                yield at, ()
            return
        after = parts[index + 1] if index + 1 < len(parts) else None
        for end in range(at + 1, part.most(at, size) + 1):
            if not part.goes_on(low[end - 1]):
                break
            if isinstance(after, frozenset) and (end == size or low[end] not in after):
                continue
            for stop, spans in self.stands(low, end, index + 1):
                yield stop, ((part, at, end), *spans)

    @functools.cached_property
    def _tells_amount(self) -> bool:
        """Does it say with a verb before it how much somebody gets, gives or does?"""
        return any(isinstance(part, Hole) and part.sort == NUMBER for part in self.parts[1:])

    def _may_end(self, low: Tokens, at: int) -> bool:
        if at < len(low) and low[at] in _FALLS_SHORT and self._tells_amount:
            return False  # “draws 1 card less” is no drawing of 1 card
        at_edge = self.ends_clause or _is_open(self.parts[-1])
        return not at_edge or at == len(low) or low[at] in _CLOSES


def _alike(spans: Spans, low: Tokens) -> bool:
    """Does each hole that stands twice hold the same words both times?"""
    said = [(hole.name, low[a:b]) for hole, a, b in spans]
    return len(set(said)) == len({name for name, _ in said})


def _is_open(part: Part) -> bool:
    """Is it a hole for any number of words?"""
    return isinstance(part, Hole) and part.sort not in _MOST


def begins_clause(low: Tokens, at: int) -> bool:
    """Does a clause begin here?"""
    return at == 0 or low[at - 1] in _OPENS


def text_of(tokens: Sequence[str]) -> str:
    """Words and marks as a text."""
    return re.sub(r" (?=[,;:)!?])|(?<=\() |(?<=[-+−$€]) (?=[\d$€])", "", " ".join(tokens))


# ------------------------------------------------------------------------------------- declarations
def frames_of(rephrasings: Synonyms) -> Iterator[Frame]:
    """The frames of these declarations, with and without what may be left out."""
    for texts in rephrasings:
        of_word = any(map(is_inflected, texts))
        for read_as, *said in inflected(texts) if of_word else (texts,):
            results = tuple(_result(text) for text in _each_choice(read_as))
            for text in said:
                begins, ends = _begins_in_capitals(text), text.endswith(".")
                for parts in _ways(text):
                    if not all(isinstance(part, Hole) for part in parts):
                        yield Frame(parts, begins, ends, results, of_word)


def lost_holes(read_as: str, said: str) -> tuple[str, ...]:
    """The holes that only one of two texts has, but for asides, which are left out."""
    mine = {name for name, _ in _HOLE.findall(read_as)}
    theirs = {name for name, sort in _HOLE.findall(said) if sort not in ASIDES}
    return tuple(sorted(mine ^ theirs))


def _begins_in_capitals(text: str) -> bool:
    first = re.search(r"[^\W\d_]", text)
    return first is not None and first.group().isupper() and "{" not in text[: first.start()]


def _ways(text: str) -> Iterator[tuple[Part, ...]]:
    """The parts of a frame, in each way that its words may be chosen and left out."""
    pieces: list[Sequence[tuple[Part, ...]]] = []
    for optional, either, name, sort, word in _PART.findall(text.removesuffix(".")):
        if name:
            pieces.append([(Hole(name, sort),)])
        elif word:
            forms = word.lower().split("/") if len(word) > 1 else [word.lower()]
            pieces.append([(frozenset(forms),)])
        elif optional:
            pieces.append([(), *_choices(optional)])
        else:
            pieces.append(_choices(either))
    for chosen in product(*pieces):
        yield tuple(part for parts in chosen for part in parts)


def _choices(text: str) -> list[tuple[Part, ...]]:
    """The parts of each of several texts; those of one word are one."""
    ways = [way for said in _OR.split(text) for way in _ways(said)]
    words = [p for way in ways if len(way) == 1 for p in way if not isinstance(p, Hole)]
    longer = [way for way in ways if len(way) != 1 or isinstance(way[0], Hole)]
    return [*([(frozenset[str]().union(*words),)] if words else []), *longer]


def _each_choice(text: str) -> Iterator[str]:
    """A text with each choice among the forms of its words."""
    words = [word.split("/") for word in text.removesuffix(".").split(" ")]
    yield from map(" ".join, product(*words))


def _result(text: str) -> tuple[str | Hole, ...]:
    found = _RESULT.findall(text)
    return tuple(Hole(piece[1:-1]) if piece.startswith("{") else piece for piece in found)
