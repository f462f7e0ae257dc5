"""Measures the commands that prove, over all shipped cards of the games.

    python tests/tools/measure_proofs.py diff [--sample N] [--seed S] [GAME…]
    python tests/tools/measure_proofs.py witness [--sample N] [--seed S] [GAME…]

`diff`: pairs of a sentence with its twin in other words (they must be the same) and with a mutant
(a number or a noun changed: they must differ), with rates of what is right and what not decided,
and times.

`witness`: for how many sentences of the cards (all, or a sample of cards) a game is found in which
they change something, and how long that takes.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.game.game import Game
from interpreter.game.loading import Loaded, RulesError, load_rules
from interpreter.proofs import differences, sides, witness
from interpreter.proofs.playable import playable
from rulelang.phrases.phrase import Derivation, Phrase
from rulelang.phrases.unparse import unparse
from rulelang.ruleset import Design

GAMES = ("big_city", "card_city_xl", "cities", "simcity", "the_city")
MOST_TWINS = 20  # wordings of one sentence, one of which is drawn


@dataclass(frozen=True)
class Pair:
    """A sentence of a card and another that must mean the same, or must not."""

    title: str
    one: str
    two: str
    same: bool


def pairs(loaded: Loaded, rng: random.Random) -> Iterator[Pair]:
    """For each sentence of each card a twin and a mutant, where there are any."""
    glossary = loaded.compiled.glossary
    seen = set[str]()
    for design in loaded.compiled.rules.designs:
        for sentence in design.sentences:
            if sentence in seen:
                continue
            seen.add(sentence)
            readings = glossary.readings(sentence, design)
            if len(readings) != 1:
                continue
            derivation = readings[0].derivation
            phrases = glossary.lexicon.phrases
            said = itertools.islice(twins_of(derivation, phrases), MOST_TWINS)
            twins = [t for t in said if t.lower() != sentence.lower()]
            if twins:
                yield Pair(design.title, sentence, rng.choice(twins), True)
            made = changed(derivation, phrases, rng)
            if made is not None:
                yield Pair(design.title, sentence, unparse(made), False)


def twins_of(derivation: Derivation, phrases: tuple[Phrase, ...]) -> Iterator[str]:
    """The same in other words: those that one pattern or definition of the rules declares."""
    for made in _same(derivation, phrases):
        yield unparse(made)


def _same(derivation: Derivation, phrases: tuple[Phrase, ...]) -> Iterator[Derivation]:
    phrase = derivation.phrase
    if phrase is None or phrase.word is not None:
        yield derivation
        return
    alike = [
        p
        for p in phrases
        if p.id.rpartition("_")[0] == phrase.id.rpartition("_")[0]
        and p.category == phrase.category
        and dict(p.slots) == dict(phrase.slots)
    ] or [phrase]
    fillings = [list(itertools.islice(_same(inner, phrases), 3)) for _, inner in derivation.slots]
    for other in alike:
        for filled in itertools.product(*fillings):
            slots = {name: made for (name, _), made in zip(derivation.slots, filled, strict=True)}
            yield Derivation(other, tuple((name, slots[name]) for name, _ in other.slots))


def changed(
    derivation: Derivation, phrases: tuple[Phrase, ...], rng: random.Random
) -> Derivation | None:
    """The derivation with one number or one noun changed; none where it has neither."""
    places = [path for path, part in _leaves(derivation) if part.phrase is None or part.phrase.word]
    if not places:
        return None
    path = rng.choice(places)
    part = dict(_leaves(derivation))[path]
    if part.phrase is None:
        new = replace(part, number=part.number + rng.choice((1, 2)))
    else:
        others = [
            p
            for p in phrases
            if p.category == part.phrase.category and p.word and p.word != part.phrase.word
        ]
        if not others:
            return None
        new = Derivation(rng.choice(others))
    return _with(derivation, path, new)


def _leaves(derivation: Derivation, path: tuple[int, ...] = ()) -> Iterator:
    if not derivation.slots:
        yield path, derivation
    for number, (_, inner) in enumerate(derivation.slots):
        yield from _leaves(inner, (*path, number))


def _with(derivation: Derivation, path: tuple[int, ...], new: Derivation) -> Derivation:
    if not path:
        return new
    slots = list(derivation.slots)
    name, inner = slots[path[0]]
    slots[path[0]] = (name, _with(inner, path[1:], new))
    return replace(derivation, slots=tuple(slots))


def judged(game: Game, asked: sides.Game, pair: Pair) -> str:
    """What is said of a pair, and whether that is right."""
    design = next(d for d in game.loaded.compiled.rules.designs if d.title == pair.title)
    try:
        one, two = (replace(asked.side(said), design=design) for said in (pair.one, pair.two))
    except (RulesError, sides.Unaskable):
        return "not read"
    verdict = differences.compare(game, one, two).verdict
    if verdict == differences.NOT_DECIDED:
        return verdict
    return "right" if (verdict == differences.SAME) == pair.same else f"wrong: {verdict}"


def measure_diff(names: list[str], sample: int, seed: int, tell: bool) -> None:
    """Print the rates and times of `diff`."""
    rng, told, times = random.Random(seed), Counter[tuple[bool, str]](), []
    found: list[tuple[str, Pair]] = []
    played: dict[str, tuple[Game, sides.Game]] = {}
    for name in names:
        loaded = load_rules(name, tests=False)
        found += [(name, pair) for pair in pairs(loaded, rng)]
        played[name] = (playable(loaded), sides.Game(name, loaded))
    for name, pair in rng.sample(found, min(sample, len(found))):
        start = time.perf_counter()
        said = judged(*played[name], pair)
        times.append(time.perf_counter() - start)
        told[pair.same, said] += 1
        if tell and said != "right":
            print(f"{name} {pair.title} {said} ({times[-1]:.1f} s)\n  {pair.one}\n  {pair.two}")
    for same in (True, False):
        rows = {said: n for (kind, said), n in sorted(told.items()) if kind == same}
        print(f"{'twins' if same else 'mutants'}: {rows}")
    times.sort()
    p95 = times[int(len(times) * 0.95)] if times else 0
    print(f"{len(times)} pairs, p50 {times[len(times) // 2]:.2f} s, p95 {p95:.2f} s")


def measure_witness(names: list[str], sample: int, seed: int, tell: bool) -> None:
    """Print for how many sentences there is a witness, and how long that takes."""
    rng, told, times = random.Random(seed), Counter[str](), list[float]()
    cards = list[tuple[Loaded, Design]]()
    for name in names:
        loaded = load_rules(name, tests=False)
        cards += [(loaded, d) for d in loaded.compiled.rules.designs if d.text]
    for loaded, design in rng.sample(cards, min(sample, len(cards))):
        start = time.perf_counter()
        answers = witness.witnesses(loaded, design)
        times.append(time.perf_counter() - start)
        for answer in answers:
            told[type(answer).__name__.lower()] += 1
            if tell and not isinstance(answer, witness.Witness):
                said = design.sentences[answer.sentence - 1]
                print(f"{loaded.id} {design.title}: {said} {type(answer).__name__}", flush=True)
    proved = told["witness"] + told["refuted"]
    whole = sum(told.values())
    print(
        f"{whole} sentences of {len(times)} cards: {dict(told)}, {100 * proved // whole} % decided"
    )
    times.sort()
    marks = {
        f"p{p}": f"{times[min(len(times) - 1, len(times) * p // 100)]:.1f} s"
        for p in (50, 75, 90, 95, 100)
    }
    print(f"seconds a card: {marks}")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("diff", "witness"))
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tell", action="store_true", help="each that is not right")
    given = parser.parse_args()
    measure = {"diff": measure_diff, "witness": measure_witness}[given.what]
    measure(given.games, given.sample, given.seed, given.tell)


if __name__ == "__main__":
    main()
