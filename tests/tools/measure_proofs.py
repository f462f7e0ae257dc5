"""Measures the commands that prove, over all shipped cards of the games.

    python tests/tools/measure_proofs.py diff [--sample N] [--seed S] [GAME…]
    python tests/tools/measure_proofs.py witness [--sample N] [--seed S] [GAME…]
    python tests/tools/measure_proofs.py alone [--sample N] [--seed S] [GAME…]
    python tests/tools/measure_proofs.py interactions [--sample N] [--seed S] [GAME…]
    python tests/tools/measure_proofs.py lints [--sample N] [--seed S] [GAME…]

`diff`: pairs of a sentence with its twin in other words (they must be the same) and with a mutant
(a number or a noun changed: they must differ), with rates of what is right and what not decided,
and times.

`witness`: for how many sentences of the cards (all, or a sample of cards) a game is found in which
they change something, and how long that takes: games that the cards share come first.

`alone`: the same, each card by itself, as the command looks for it.

`interactions`: how long it takes in a running process to tell what each card touches, and for how
many of the contacts that are looked into a position is shown.

`lints`: how many slips are told, made by machine in the sentences: a letter misspelt, a word
dropped, doubled or exchanged with the next, a name of another sort; and how many false alarms.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lark.exceptions import UnexpectedInput

from interpreter.game.game import Game
from interpreter.game.loading import Loaded, RulesError, load_rules
from interpreter.proofs import differences, sides
from interpreter.proofs.answers import Undecided
from interpreter.proofs.interactions import interactions as touched_by
from interpreter.proofs.playable import playable
from interpreter.proofs.witness import refutations, shared_witnesses, witnesses
from rulelang.phrases.phrase import Derivation, Phrase
from rulelang.phrases.readings import Glossary
from rulelang.phrases.unparse import unparse
from rulelang.ruleset import Design

GAMES = ("big_city", "card_city_xl", "cities", "simcity", "the_city")
MOST_CONTACTS = 12  # told of a card
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
        start = time.process_time()
        said = judged(*played[name], pair)
        times.append(time.process_time() - start)
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
    """Print for how many sentences there is a witness, and how long that takes: from games that
    the cards share, each of which takes its cards the same time, and then of each card by itself
    that these leave anything of."""
    rng = random.Random(seed)
    for name in names:
        loaded = load_rules(name, tests=False)
        cards = [d for d in loaded.compiled.rules.designs if d.text]
        drawn = rng.sample(cards, min(sample, len(cards)))
        if not drawn:
            print(f"{name}: no card has a text", flush=True)
            continue
        told = Counter[str]()
        times = dict.fromkeys((d.clause for d in drawn), 0.0)
        left = _left_by_shared_games(loaded, drawn, told, times)
        spent = sum(times.values())
        print(f"{name}: {dict(told)} in {spent:.0f} s by shared games", flush=True)
        for design, sentences in left.items():
            _alone(loaded, design, sentences, told, times, tell)
        _print_rate(name, len(drawn), told)
        print(f"  a card: {spread(list(times.values()))}", flush=True)


def _left_by_shared_games(
    loaded: Loaded, drawn: list[Design], told: Counter[str], times: dict[str, float]
) -> dict[Design, list[int]]:
    """The sentences that shared games leave, by their cards; the others are counted."""
    open_ = dict[tuple[str, int], Design]()
    start = time.process_time()
    for design in drawn:
        for number, why in refutations(loaded, design, _numbers(design)).items():
            told["refuted"] += bool(why)
            if not why:
                open_[design.clause, number] = design
    _share(times, drawn, start)
    start = time.process_time()
    for cards, met in shared_witnesses(loaded, [(d, n) for (_, n), d in open_.items()]):
        _share(times, cards, start)
        for design, found in met:
            told["witness"] += 1
            del open_[design.clause, found.sentence]
        start = time.process_time()
    left = dict[str, tuple[Design, list[int]]]()
    for (clause, number), design in open_.items():
        left.setdefault(clause, (design, []))[1].append(number)
    return dict(left.values())


def _share(times: dict[str, float], cards: list[Design], start: float) -> None:
    """Add the time since then to that of these cards, in equal parts."""
    spent = time.process_time() - start
    for design in cards:
        times[design.clause] += spent / len(cards)


def _numbers(design: Design) -> list[int]:
    return list(range(1, len(design.text) + 1))


def _alone(
    loaded: Loaded,
    design: Design,
    sentences: list[int],
    told: Counter[str],
    times: dict[str, float],
    tell: bool,
) -> None:
    """Count the answers for a card that is asked for by itself, and add how long they take."""
    start = time.process_time()
    answers = witnesses(loaded, design, sentences)
    times[design.clause] = times.get(design.clause, 0) + time.process_time() - start
    for answer in answers:
        told[type(answer).__name__.lower()] += 1
        if tell and isinstance(answer, Undecided):
            said = design.sentences[answer.sentence - 1]
            print(f"{loaded.id} {design.title}: {said} not decided", flush=True)


def _print_rate(name: str, cards: int, told: Counter[str]) -> None:
    open_ = told["witness"] + told["undecided"]
    rate = 100 * told["witness"] / open_ if open_ else 100
    print(
        f"{name}: of {cards} cards {told.total()} sentences, {told['refuted']} refuted, "
        f"{told['witness']} of {open_} with a witness ({rate:.1f} %)",
        flush=True,
    )


def measure_alone(names: list[str], sample: int, seed: int, tell: bool) -> None:
    """Print the same for cards that are asked for one by one."""
    rng = random.Random(seed)
    for name in names:
        loaded = load_rules(name, tests=False)
        cards = [d for d in loaded.compiled.rules.designs if d.text]
        told, times = Counter[str](), dict[str, float]()
        for design in rng.sample(cards, min(sample, len(cards))):
            _alone(loaded, design, _numbers(design), told, times, tell)
        if times:
            _print_rate(name, len(times), told)
            print(f"  a card: {spread(list(times.values()))}", flush=True)


def spread(times: list[float]) -> str:
    """How seconds of processor are spread."""
    ordered = sorted(times)
    marks = (50, 75, 90, 95, 100)
    at = {p: ordered[min(len(ordered) - 1, len(ordered) * p // 100)] for p in marks}
    return ", ".join(f"p{p} {seconds:.2f} s" for p, seconds in at.items())


def measure_interactions(names: list[str], sample: int, seed: int, tell: bool) -> None:
    """Print how long `interactions` takes for the cards of each game, after the first question."""
    rng = random.Random(seed)
    for name in names:
        loaded = load_rules(name, tests=False)
        cards = [d for d in loaded.compiled.rules.designs if d.text]
        if not cards:
            continue
        game = playable(loaded)
        start = time.process_time()
        touched_by(game, cards[0], MOST_CONTACTS)
        first, times, looked_into, shown = time.process_time() - start, list[float](), 0, 0
        for design in rng.sample(cards, min(sample, len(cards))):
            start = time.process_time()
            found = touched_by(game, design, MOST_CONTACTS)
            times.append(time.process_time() - start)
            looked_into += len(found.contacts)
            shown += sum(contact.shown is not None for contact in found.contacts)
            if tell:
                print(f"{name} {design.title}: {times[-1]:.2f} s", flush=True)
        print(f"{name}: {len(times)} cards, the first question {first:.2f} s, then {spread(times)}")
        print(f"  positions for {shown} of {looked_into} contacts", flush=True)


def slips(sentence: str, nouns: list[str], rng: random.Random) -> dict[str, str]:
    """One slip of each sort, where the sentence has a word for it."""
    words = sentence.rstrip(".").split()
    made: dict[str, str] = {}
    long = [i for i, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    if long:
        at = rng.choice(long)
        cut = rng.randrange(1, len(words[at]) - 1)
        misspelt = words[at][:cut] + words[at][cut + 1 :]
        made["misspelt"] = " ".join([*words[:at], misspelt, *words[at + 1 :]])
    if len(words) > 2:
        at = rng.randrange(len(words))
        made["dropped"] = " ".join([*words[:at], *words[at + 1 :]])
        made["doubled"] = " ".join([*words[: at + 1], *words[at:]])
        at = rng.randrange(len(words) - 1)
        swapped = [*words[:at], words[at + 1], words[at], *words[at + 2 :]]
        made["swapped"] = " ".join(swapped)
        numbers = [i for i, word in enumerate(words) if word.isdigit()]
        if numbers:
            at = rng.choice(numbers)
            made["wrong kind"] = " ".join([*words[:at], rng.choice(nouns), *words[at + 1 :]])
    return {sort: f"{text}." for sort, text in made.items()}


def told(glossary: Glossary, design: Design, sentence: str, slip: str) -> str:
    """Whether a slip is told, changes nothing, or is read as something else."""
    try:
        readings = glossary.readings(slip, design)
    except UnexpectedInput:
        return "told"
    if len(readings) != 1:
        return "told"
    same = readings[0].meaning == glossary.readings(sentence, design)[0].meaning
    return "same meaning" if same else "another meaning"


def measure_lints(names: list[str], sample: int, seed: int, tell: bool) -> None:
    """Print how many slips of each sort are told, and how many sentences as they are."""
    rng, counts = random.Random(seed), Counter[tuple[str, str]]()
    found: list[tuple[Glossary, Design, str, list[str]]] = []
    for name in names:
        loaded = load_rules(name, tests=False)
        glossary = loaded.compiled.glossary
        nouns = [p.word_forms[0] for p in glossary.lexicon.phrases if p.is_noun and p.word_forms[0]]
        said: dict[str, Design] = {}
        for design in loaded.compiled.rules.designs:
            said |= {s: design for s in design.sentences if s not in said}
        found += [(glossary, design, s, nouns) for s, design in said.items()]
    for glossary, design, sentence, nouns in rng.sample(found, min(sample, len(found))):
        right = "read" if told(glossary, design, sentence, sentence) == "same meaning" else "told"
        counts["as it is", right] += 1
        for sort, slip in slips(sentence, nouns, rng).items():
            verdict = told(glossary, design, sentence, slip)
            counts[sort, verdict] += 1
            if tell and verdict == "another meaning":
                print(f"{sort}: {sentence} -> {slip}")
    for sort in dict.fromkeys(sort for sort, _ in counts):
        row = {verdict: n for (kind, verdict), n in sorted(counts.items()) if kind == sort}
        harmful = row.get("told", 0) + row.get("another meaning", 0)
        rate = (
            f", {100 * row.get('told', 0) / harmful:.1f} % of what changes anything"
            if harmful
            else ""
        )
        print(f"{sort}: {row}{rate if sort != 'as it is' else ''}")


MEASURES = {
    "diff": measure_diff,
    "witness": measure_witness,
    "alone": measure_alone,
    "interactions": measure_interactions,
    "lints": measure_lints,
}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=tuple(MEASURES))
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tell", action="store_true", help="each that is not right")
    given = parser.parse_args()
    MEASURES[given.what](given.games, given.sample, given.seed, given.tell)


if __name__ == "__main__":
    main()
