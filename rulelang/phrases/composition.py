"""Composition: what a game can say of a sentence that is not read, put together of its parts.

The chart of the sentence has every stretch that is read. These fill the slots of wordings some of
whose own words the sentence has, too; what comes of that fills others, and in the end whole
sentences, perhaps with conditions beside them, or two that are joined. Words of the author's may be
left over, and a wording may bring in words of its own: both count against it. What denies,
restricts, counts or distributes is never brought in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise, product
from typing import NamedTuple

from rulelang.english import BEHIND, FRONT
from rulelang.phrases.adjuncts import AFTER, BEFORE
from rulelang.phrases.chart import Chart, Stretch
from rulelang.phrases.earley import EarleyParser
from rulelang.phrases.joined import APART
from rulelang.phrases.phrase import (
    OPTIONAL,
    SLOT,
    Derivation,
    Phrase,
    ways_of_regex,
)
from rulelang.phrases.word_weights import WordWeights, is_guarded, may_be_brought_in, sense
from rulelang.syntax.lark_adapter import EarleyRule

MAX_ROUNDS = 3  # wordings within wordings
MAX_KEPT = 12  # parts of one category
MAX_SENTENCES = 40  # that are kept
MAX_OPTIONS = 8  # tried in one slot
MAX_FILLINGS = 64  # of one rule in one round
MAX_WORDINGS = 500  # that are filled: the most like the sentence
MAX_BESIDE = 5  # conditions beside a sentence that are tried, and sentences joined to it
MOST_ADDED = 1.5  # weight of the words that one wording may bring in
_ADDED, _DISORDER, _GAP, _JOINT, _WORDING = 0.8, 0.5, 0.1, 0.3, 0.05  # what they cost
_NEVER = 100.0  # more than anything may cost
CLOSE = 1.0  # weight of the words between parts that belong together by themselves
_SENTENCES = ("sentence", "predicate")


class Part(NamedTuple):
    """What can be said of some words of a sentence: their numbers as the bits of `kept`, the first
    of them and the end, what speaks against it, and how well it does in all.
    """

    category: str
    kept: int
    first: int
    end: int
    cost: float
    value: float
    of: Stretch | Phrase
    inner: tuple[Part, ...] = ()


class _Word(NamedTuple):
    """A word of a wording: its sense, what it says, and whether it may be brought in."""

    sense: str
    weight: float
    is_free: bool


class _Need(NamedTuple):
    """A word that a frame has before what number of its slots, and where the sentence has it."""

    before: int
    word: _Word
    places: tuple[int, ...]


class _Frame(NamedTuple):
    """A rule with slots: its own words by terminals, and the categories of its slots."""

    rule: EarleyRule
    terminals: tuple[tuple[int, str], ...]  # each before what number of its slots
    slots: tuple[str, ...]


class _Asked(NamedTuple):
    """A frame with its own words in the way that a sentence has most of."""

    frame: _Frame
    needs: tuple[_Need, ...]
    missing: float
    weight: float

    @property
    def is_sentence(self) -> bool:
        """Does it make a sentence?"""
        return self.frame.rule.symbol in _SENTENCES


_Ways = Sequence[Sequence[_Word]]  # of saying a terminal, of each its words
_Way = tuple[float, Sequence[_Word]]  # the weight of the words it brings in, and all of its words


@dataclass(frozen=True, eq=False)
class Frames:
    """The rules of a grammar that have slots, by the words that they need."""

    parser: EarleyParser
    weights: WordWeights

    @cached_property
    def _all(self) -> tuple[_Frame, ...]:
        return tuple(
            _frame(rule)
            for rule in self.parser.grammar.rules
            if rule.name and not all(map(str.isupper, rule.parts)) and _is_wording(rule)
        )

    @cached_property
    def _terminals(self) -> frozenset[str]:
        return frozenset(name for frame in self._all for _, name in frame.terminals)

    @cached_property
    def _ways(self) -> dict[str, _Ways]:
        """The ways to say terminals, as far as they were asked for."""
        return {}

    def _ways_of(self, terminal: str) -> _Ways:
        if terminal not in self._ways:
            said = ways_of_regex(self.parser.terminals[terminal])
            self._ways[terminal] = _alike([tuple(map(self._word, way)) for way in said])
        return self._ways[terminal]

    def _word(self, token: str) -> _Word:
        if token not in self._words:
            weight = self.weights.of_added(token)
            self._words[token] = _Word(sense(token), weight, may_be_brought_in(token))
        return self._words[token]

    @cached_property
    def _words(self) -> dict[str, _Word]:
        return {}

    @cached_property
    def _by_sense(self) -> Mapping[str, Sequence[str]]:
        """The terminals by the senses of their words."""
        found: dict[str, dict[str, None]] = {}
        for name in self._terminals:
            for words in self.parser.needed[name]:
                for word in words:
                    found.setdefault(sense(word), {})[name] = None
        return {one: tuple(names) for one, names in found.items()}

    @cached_property
    def _brought_in(self) -> Mapping[str, _Way]:
        """What each terminal brings in at least where a sentence has none of its words."""
        found = {name: tuple(self._least_of(name)) for name in self._terminals}
        return {name: (_cost(words, frozenset()), words) for name, words in found.items()}

    @cached_property
    def _by_least_sense(self) -> Mapping[str, Sequence[str]]:
        """The terminals by the senses of the words that they bring in at least."""
        found: dict[str, dict[str, None]] = {}
        for name, (_, words) in self._brought_in.items():
            for word in words:
                found.setdefault(word.sense, {})[name] = None
        return {one: tuple(names) for one, names in found.items()}

    @cached_property
    def _by_terminal(self) -> Mapping[str, Sequence[int]]:
        """The places of the frames that have each terminal."""
        found: dict[str, dict[int, None]] = {}
        for at, frame in enumerate(self._all):
            for _, name in frame.terminals:
                found.setdefault(name, {})[at] = None
        return {name: tuple(places) for name, places in found.items()}

    @cached_property
    def _slight(self) -> frozenset[int]:
        """The places of the frames that bring in little even where a sentence has no word of
        theirs.
        """
        least = self._brought_in
        return frozenset(
            at
            for at, frame in enumerate(self._all)
            if sum(least[name][0] for _, name in frame.terminals) <= MOST_ADDED
        )

    def _least_of(self, terminal: str) -> Iterator[_Word]:
        for words in self.parser.needed[terminal]:
            if not any(" " in word for word in words):
                known = [self._word(word) for word in words]
                is_free = all(word.is_free for word in known)
                yield _Word("", min(word.weight for word in known), is_free)
        if not self.parser.needed[terminal]:  # it is a mark
            ways = ways_of_regex(self.parser.terminals[terminal])
            yield from map(self._word, ways[0] if ways else ())

    def asked(self, senses: Sequence[str]) -> list[_Asked]:
        """The frames whose own words a sentence has, but for a few, the most like it first."""
        said = self._said_with(frozenset(senses))
        places: dict[str, tuple[int, ...]] = {}
        for at, one in enumerate(senses):
            places[one] = (*places.get(one, ()), at)
        found: list[_Asked] = []
        with_words = (at for name in said for at in self._by_terminal[name])
        for frame in map(self._all.__getitem__, sorted(self._slight.union(with_words))):
            ways = [said.get(name) or self._brought_in[name] for _, name in frame.terminals]
            missing = sum(cost for cost, _ in ways)
            if missing > MOST_ADDED:
                continue
            needs = tuple(
                _Need(before, word, places.get(word.sense, ()))
                for (before, _), (_, words) in zip(frame.terminals, ways, strict=True)
                for word in words
            )
            found.append(_Asked(frame, needs, missing, sum(need.word.weight for need in needs)))
        found.sort(key=lambda one: 2 * one.missing - one.weight)
        return found

    def _said_with(self, there: frozenset[str]) -> dict[str, _Way]:
        """What the terminals bring in that have words of these senses, each in the way that has
        most of them.
        """
        said: dict[str, _Way] = {}
        for name in (name for one in there for name in self._by_least_sense.get(one, ())):
            words = self._brought_in[name][1]
            said[name] = _cost(words, there), words
        for name in {name for one in there for name in self._by_sense.get(one, ())}:
            words = min(self._ways_of(name), key=lambda way: _cost(way, there))
            said[name] = _cost(words, there), words
        return said


def _frame(rule: EarleyRule) -> _Frame:
    terminals: list[tuple[int, str]] = []
    slots: list[str] = []
    for part in rule.parts:
        if part.isupper():
            terminals.append((len(slots), part))
        else:
            slots.append(part)
    return _Frame(rule, tuple(terminals), tuple(slots))


def _alike(ways: _Ways) -> _Ways:
    """Ways to say the same: if most have a word that may not be brought in, no way may be."""
    turning = [way for way in ways if not all(word.is_free for word in way)]
    if 2 * len(turning) <= len(ways):
        return ways
    return [tuple(word._replace(is_free=False) for word in way) for way in ways]


def _cost(words: Sequence[_Word], there: frozenset[str]) -> float:
    """How much of these words is brought in where only some are there."""
    return sum(
        (word.weight if word.is_free else _NEVER) for word in words if word.sense not in there
    )


def _is_wording(rule: EarleyRule) -> bool:
    return rule.symbol not in ("start", "joined", "behind", "behind_all", "series", "fronted") and (
        rule.symbol != "subjected"
    )


Build = Callable[[Part], Derivation | None]


@dataclass(eq=False)
class Composition:
    """Puts the parts of one sentence together."""

    chart: Chart
    frames: Frames
    phrase: Callable[[str], Phrase]
    _weighed: dict[int, float] = field(default_factory=dict)  # memo

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words and marks of the sentence."""
        return tuple(self.chart.text[start:end] for start, end in self.chart.places)

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """How much each of them says."""
        return tuple(map(self.frames.weights.of, self.words))

    @cached_property
    def guarded(self) -> int:
        """Those that may not be left out, as the bits of a number."""
        return sum(1 << at for at in range(len(self.words)) if self._is_guarded(at))

    def _is_guarded(self, at: int) -> bool:
        """Is a word not to be left out: one that is guarded, or an unknown name?"""
        word = self.words[at]
        return is_guarded(word) or (
            at > 0 and word[:1].isupper() and word.lower() not in self.frames.weights.vocabulary
        )

    @cached_property
    def longest(self) -> float:
        """How much the stretch says that is read as a sentence and says most."""
        found = (one for one in self.chart.stretches if one.symbol == "sentence")
        return max((self.weigh((1 << o.end) - (1 << o.first)) for o in found), default=0.0)

    def weigh(self, kept: int) -> float:
        """How much these words say."""
        if kept not in self._weighed:
            weights = self.weights
            self._weighed[kept] = sum(w for at, w in enumerate(weights) if kept >> at & 1)
        return self._weighed[kept]

    # ----------------------------------------------------------------------------------- parts
    def sentences(self) -> list[Part]:
        """Whole sentences that say most of this one, the best first."""
        known = self._parts()
        alone = sorted(
            (part for category in _SENTENCES for part in known.get(category, ())),
            key=_worth,
        )
        found = [*alone, *self._with_conditions(alone, known), *self._joined(alone)]
        return sorted(found, key=_worth)

    def _parts(self) -> dict[str, list[Part]]:
        """The best parts of each category."""
        known = self._stretches()
        asked = self.frames.asked([sense(word) for word in self.words])
        inner = [one for one in asked if not one.is_sentence][:MAX_WORDINGS]
        fresh = _all_of(known)
        for _ in range(MAX_ROUNDS):
            fresh = self._fill(inner, known, fresh)
            if not fresh:
                break
        whole = [one for one in asked if one.is_sentence][:MAX_WORDINGS]
        self._fill(whole, known, _all_of(known))
        return known

    def _stretches(self) -> dict[str, list[Part]]:
        """What can be read of the sentence as it stands."""
        known: dict[str, list[Part]] = {}
        for stretch in self.chart.stretches:
            kept = (1 << stretch.end) - (1 << stretch.first)
            value = self.weigh(kept)
            _keep(
                known, Part(stretch.symbol, kept, stretch.first, stretch.end, 0.0, value, stretch)
            )
        return known

    def _fill(
        self, asked: Sequence[_Asked], known: dict[str, list[Part]], fresh: set[Part]
    ) -> set[Part]:
        """Enter what comes of frames that are filled; those parts that were entered."""
        made = [part for one in asked for part in self._filled(one, known, fresh)]
        return {part for part in made if _keep(known, part)}

    def _filled(
        self, asked: _Asked, known: Mapping[str, list[Part]], fresh: set[Part]
    ) -> Iterator[Part]:
        """A frame filled with parts of which one is fresh and none has a word of another."""
        options = [known.get(category, ())[:MAX_OPTIONS] for category in asked.frame.slots]
        if not all(options):
            return
        for chosen in islice(product(*options), MAX_FILLINGS):
            kept = 0
            for one in chosen:
                if kept & one.kept:
                    break
                kept |= one.kept
            else:
                if not fresh.isdisjoint(chosen):
                    made = self._made(asked, chosen, kept)
                    if made is not None:
                        yield made

    def _made(self, asked: _Asked, chosen: tuple[Part, ...], kept: int) -> Part | None:
        """A frame filled with these parts; none if it brings in too much."""
        placed = _placed(asked, chosen, kept)
        if placed is None or _is_crossed(asked.frame.slots, chosen):
            return None
        kept, order, added = placed
        first = min(order)
        end = max(max(order) + 1, *(one.end for one in chosen))
        gap = self.weigh(((1 << end) - (1 << first)) & ~kept)
        disorder = sum(one > other for one, other in pairwise(order))
        if not asked.needs and len(chosen) > 1 and (disorder or gap > CLOSE):
            disorder += 1
        cost = sum(one.cost for one in chosen) + _WORDING + _ADDED * added
        cost += _DISORDER * disorder * (1 if asked.is_sentence else 2)
        weight = self.weigh(kept)
        if cost > weight / 2:
            return None
        rule = asked.frame.rule
        value = weight - cost - _GAP * gap
        return Part(rule.symbol, kept, first, end, cost, value, self.phrase(rule.name), chosen)

    def _with_conditions(
        self, alone: Sequence[Part], known: Mapping[str, list[Part]]
    ) -> Iterator[Part]:
        """Sentences with conditions before or behind them."""
        for phrase, category in ((BEFORE, f"p_{FRONT}"), (AFTER, f"p_{BEHIND}")):
            for when, said in product(known.get(category, ())[:MAX_BESIDE], alone[:MAX_BESIDE]):
                if not when.kept & said.kept:
                    inner = (when, said) if phrase is BEFORE else (said, when)
                    yield _together(phrase, inner)

    def _joined(self, alone: Sequence[Part]) -> Iterator[Part]:
        """Two sentences one after another."""
        for one, other in product(alone[: 2 * MAX_BESIDE], repeat=2):
            if one.first < other.first and not one.kept & other.kept:
                yield _together(APART, (one, other))

    # ------------------------------------------------------------------------------ what they say
    def derivation(self, part: Part, of: Callable[[Chart, Stretch], Derivation]) -> Derivation:
        """What a part says; `of` tells it of a stretch of the chart."""
        if isinstance(part.of, Stretch):
            return of(self.chart, part.of)
        names = [match.group(1) for match in SLOT.finditer(part.of.text)]
        inner = [self.derivation(one, of) for one in part.inner]
        phrase = replace(part.of, text=self._without_idle_words(part.of.text))
        many = bool(phrase.plurals)
        return Derivation(phrase, tuple(zip(names, inner, strict=True)), is_plural=many)

    def _without_idle_words(self, wording: str) -> str:
        """A wording with those of the words that may be left out which the sentence has."""
        own = frozenset(map(sense, self.words))

        def kept(match: re.Match[str]) -> str:
            words = re.findall(r"[\w'’-]+", match.group(1))
            return match.group(0) if own.issuperset(map(sense, words)) else ""

        return " ".join(OPTIONAL.sub(kept, wording).split()).replace(" ,", ",")

    def left_out(self, part: Part) -> tuple[str, ...]:
        """The words of the sentence that a part does not keep, those in a row together."""
        found: list[str] = []
        begun: int | None = None
        for at, (start, _) in enumerate(self.chart.places):
            if part.kept >> at & 1:
                begun = None
            elif begun is None:
                begun = start
                found.append(self.words[at])
            else:
                found[-1] = self.chart.text[begun : self.chart.places[at][1]]
        return tuple(" ".join(said.split()) for said in found if any(map(str.isalnum, said)))


def _placed(
    asked: _Asked, chosen: Sequence[Part], kept: int
) -> tuple[int, list[int], float] | None:
    """With the places of a frame's own words among those that are kept: these, where its words and
    parts stand in its order, and the weight of the words it brings in; none if that is too much.
    """
    order: list[int] = []
    added, slot = 0.0, 0
    for need in asked.needs:
        order += [one.first for one in chosen[slot : need.before]]
        slot = need.before
        last = order[-1] if order else -1
        free = [at for at in need.places if not kept >> at & 1]
        if free:
            place = min((at < last, abs(at - last), at) for at in free)[-1]
            kept |= 1 << place
            order.append(place)
        else:
            added += need.word.weight if need.word.is_free else _NEVER
            if added > MOST_ADDED:
                return None
    order += [one.first for one in chosen[slot:]]
    return kept, order, added


def _is_crossed(slots: Sequence[str], chosen: Sequence[Part]) -> bool:
    """Do parts of one category stand in another order than in the sentence?"""
    last: dict[str, int] = {}
    for category, one in zip(slots, chosen, strict=True):
        if last.get(category, -1) > one.first:
            return True
        last[category] = one.first
    return False


def _all_of(known: Mapping[str, list[Part]]) -> set[Part]:
    return {part for parts in known.values() for part in parts}


def _worth(part: Part) -> tuple[float, float]:
    return -part.value, part.cost


def _together(phrase: Phrase, inner: tuple[Part, Part]) -> Part:
    """Two parts that have no word in common as one."""
    one, other = inner
    return Part(
        "sentence",
        one.kept | other.kept,
        min(one.first, other.first),
        max(one.end, other.end),
        one.cost + other.cost + _JOINT,
        one.value + other.value - _JOINT,
        phrase,
        inner,
    )


def _keep(known: dict[str, list[Part]], part: Part) -> bool:
    """Enter a part among those of its category, if it is one of the best; was it entered?"""
    category = "sentence" if part.category in _SENTENCES else part.category
    parts = known.setdefault(category, [])
    most = MAX_SENTENCES if category == "sentence" else MAX_KEPT
    alike = next((one for one in parts if one.kept == part.kept), None)
    if alike is not None:
        if alike.value >= part.value and (category != "sentence" or alike.of == part.of):
            return False
        if category != "sentence":
            parts.remove(alike)
    elif len(parts) >= most and parts[-1].value >= part.value:
        return False
    parts.append(part)
    parts.sort(key=_worth)
    del parts[most:]
    return part in parts
