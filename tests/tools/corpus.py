"""Measure how card sentences in people's own words are read: `python tests/tools/corpus.py`.

    python tests/tools/corpus.py [--half building|held_out] [--game GAME]
        [--unjudged | --json | --offers]

The sentences stand in tests/phrases/corpus with their intended meanings. Whether what was read is
what was meant is judged by a person, once for each set of meanings (by digest of their normal
forms), in tests/phrases/corpus/judged; `--unjudged` prints what waits for that, with the readings
and effects. What nobody has judged is counted as such, never as right. `--offers` prints what is
offered in place of each sentence that is not read, with what that would do.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lark.exceptions import UnexpectedInput

from interpreter.authoring.effects import effect
from interpreter.game.loading import Loaded, load_rules
from rulelang.compiler.sentences import sentences_of
from rulelang.diagnostics.source import Span
from rulelang.phrases.phrase import Reading
from rulelang.phrases.readings import Glossary
from rulelang.phrases.unparse import texts_of_readings
from rulelang.ruleset import Design, Ruleset
from rulelang.syntax.nodes import Node
from tests.tools.wordings import digest

FOLDER = Path(__file__).parents[1] / "phrases" / "corpus"
GAMES = ("simcity", "big_city", "the_city", "card_city_xl")
HALVES = ("building", "held_out")
LEVELS = ("easy", "free", "hard")
OUTCOMES = ("right", "misread", "too many", "too few", "not judged", "not read")
STUBS = {  # what a card is that has only a title
    "simcity": "block\n  zone: special\n  stage: settlement\n  value: 1\n  roads: {}",
    "big_city": 'building\n  class: special\n  form: "X"',
    "the_city": "development\n  cost: 1",
    "card_city_xl": "building\n  sort: leisure\n  one_color: leisure\n  split: undivided",
}
_SPAN = Span("corpus", 1, 1, 1, 2)


@dataclass(frozen=True)
class Entry:
    """A text of the corpus with what it was meant to say."""

    id: str
    level: str
    text: str
    meanings: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True)
class Read:
    """How a text is read: for each of its sentences all readings, and how long that took.

    `readings` is empty if one of the sentences is not read.
    """

    entry: Entry
    readings: tuple[tuple[Reading, ...], ...]
    seconds: float

    @property
    def meanings(self) -> tuple[str, ...]:
        """The digests of all meanings of the whole text, sorted."""
        combined = itertools.product(*self.readings) if self.readings else ()
        return tuple(
            sorted(digest(tuple(itertools.chain(*(r.meaning for r in one)))) for one in combined)
        )


def entries(game: str, half: str) -> list[Entry]:
    """The texts of one half of a game's corpus."""
    rows = tomllib.loads((FOLDER / half / f"{game}.toml").read_text("utf-8"))["sentence"]
    return [
        Entry(r["id"], r["level"], r["text"], tuple(r["meanings"]), title(r["on"])) for r in rows
    ]


def title(described: str) -> str:
    """The title of the card a text is written on: “hospital” of “a hospital (special building)”."""
    head, _, inside = described.partition(" (")
    if head.endswith((" block", " development")):
        head = inside.rstrip(")")
    elif "event card" in head or head == "a rule card":
        head = ""
    return re.sub(r"^(?:an?|the) ", "", head)


def prepared(game: str, half: str) -> tuple[Loaded, list[Entry]]:
    """A game with a card of each title that texts are written on, for they may speak of it."""
    found = entries(game, half)
    known = load_rules(game, checks=False, tests=False).compiled.glossary.lexicon.names_of_things
    titles = sorted({entry.title for entry in found if entry.title.lower() not in known} - {""})
    cards = [f'card "{one}" of {STUBS[game]}' for one in titles]
    text = "\n\n".join([f"for {game}", *cards]) + "\n"
    return load_rules(game, added=[("corpus.rules", text)], checks=False, tests=False), found


def verdicts(game: str, half: str) -> dict[tuple[str, tuple[str, ...]], bool]:
    """What was judged: a text and the meanings it was read with -> were they those intended?"""
    path = FOLDER / "judged" / half / f"{game}.toml"
    rows = tomllib.loads(path.read_text("utf-8")).get("judged", []) if path.exists() else []
    return {(row["id"], tuple(row["meanings"])): row["right"] for row in rows}


def sentences(text: str) -> list[str]:
    """The sentences of a text as a card would hold it."""
    bar = Node("bar", (Node("BAR", (), _SPAN, text),), _SPAN)
    return [said for said, _ in sentences_of(Node("words", (bar,), _SPAN))]


def read(glossary: Glossary, entry: Entry, design: Design | None = None) -> Read:
    """All readings of a text, on a card of this design if one is given."""
    began = time.process_time()
    found: list[tuple[Reading, ...]] = []
    for sentence in sentences(entry.text):
        try:
            found.append(tuple(glossary.readings(sentence, design)))
        except UnexpectedInput:
            found.append(())
    took = time.process_time() - began
    return Read(entry, tuple(found) if all(found) else (), took)


def outcome(found: Read, judged: dict[tuple[str, tuple[str, ...]], bool]) -> str:
    """One of `OUTCOMES`."""
    meanings = found.meanings
    if not meanings:
        return "not read"
    if len(found.entry.meanings) == 1 and len(meanings) > 1:
        return "too many"
    verdict = judged.get((found.entry.id, meanings))
    if verdict is None:
        return "not judged"
    if verdict:
        return "right"
    return "too few" if len(meanings) < len(found.entry.meanings) else "misread"


def rows_of(game: str, half: str) -> Iterator[tuple[Read, str]]:
    """Every text of a half, read, with its outcome."""
    judged = verdicts(game, half)
    loaded, texts = prepared(game, half)
    designs = {design.title: design for design in loaded.compiled.rules.designs}
    glossary = Glossary(loaded.compiled.glossary.lexicon)
    for entry in texts:
        found = read(glossary, entry, designs.get(entry.title) if entry.title else None)
        yield found, outcome(found, judged)


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--half", choices=HALVES, default="building")
    options.add_argument("--game", choices=GAMES, action="append")
    options.add_argument("--unjudged", action="store_true")
    options.add_argument("--json", action="store_true")
    options.add_argument("--offers", action="store_true")
    given = options.parse_args()
    games = given.game or GAMES
    if given.offers:
        for game in games:
            _print_offers(game, given.half)
        return
    found = {game: list(rows_of(game, given.half)) for game in games}
    if given.unjudged:
        for game, rows in found.items():
            _print_unjudged(game, rows)
    elif given.json:
        figures = {game: _figures(rows) for game, rows in found.items()}
        print(json.dumps(figures, indent=2))
    else:
        _print_table(found)


def _figures(rows: Sequence[tuple[Read, str]]) -> dict[str, dict[str, int]]:
    counted = Counter((found.entry.level, what) for found, what in rows)
    return {
        level: {what: counted[level, what] for what in OUTCOMES if counted[level, what]}
        for level in LEVELS
    }


def _print_table(found: dict[str, list[tuple[Read, str]]]) -> None:
    print("| game | level | texts | " + " | ".join(OUTCOMES) + " | read |")
    print("|---" * (len(OUTCOMES) + 4) + "|")
    everything = [row for rows in found.values() for row in rows]
    for game, rows in (*found.items(), ("all", everything)):
        for level in LEVELS:
            counted = Counter(what for read_as, what in rows if read_as.entry.level == level)
            total = sum(counted.values())
            share = f"{100 * counted['right'] / total:.0f} %" if total else ""
            cells = " | ".join(str(counted[what]) for what in OUTCOMES)
            print(f"| {game} | {level} | {total} | {cells} | {share} |")
    times = sorted(read_as.seconds for read_as, _ in everything)
    middle, most = times[len(times) // 2], times[int(len(times) * 0.95)]
    print(f"\nprocessor time: median {middle * 1000:.0f} ms, p95 {most * 1000:.0f} ms")


def _print_unjudged(game: str, rows: Sequence[tuple[Read, str]]) -> None:
    loaded: Loaded = load_rules(game, checks=False, tests=False)
    for found, what in rows:
        if what in ("not judged", "too many"):
            print(
                json.dumps(_told(found, what, loaded.compiled.rules), ensure_ascii=False, indent=1)
            )


def _print_offers(game: str, half: str) -> None:
    """For each text that is not read what is offered in its place, with what that would do."""
    loaded, texts = prepared(game, half)
    glossary = Glossary(loaded.compiled.glossary.lexicon)
    designs = {design.title: design for design in loaded.compiled.rules.designs}
    for entry in texts:
        if read(glossary, entry, designs.get(entry.title) if entry.title else None).readings:
            continue
        for sentence in sentences(entry.text):
            if glossary.readings_if_any(sentence):
                continue
            began = time.process_time()
            offers = glossary.offers.near(sentence)
            row = {
                "id": entry.id,
                "level": entry.level,
                "text": sentence,
                "intended": entry.meanings,
                "offers": [
                    {"text": offer.text, **_said([offer.reading], loaded.compiled.rules)[0]}
                    for offer in offers
                ],
                "ms": round((time.process_time() - began) * 1000),
            }
            print(json.dumps(row, ensure_ascii=False, indent=1))


def _told(found: Read, what: str, rules: Ruleset) -> dict[str, object]:
    """What a judge needs to see of a text."""
    return {
        "id": found.entry.id,
        "outcome": what,
        "text": found.entry.text,
        "intended": found.entry.meanings,
        "meanings": found.meanings,
        "readings": [_said(one, rules) for one in found.readings],
    }


def _said(readings: Sequence[Reading], rules: Ruleset) -> list[dict[str, object]]:
    """Each reading of a sentence in words, with its effects."""
    texts = texts_of_readings([reading.derivation for reading in readings])
    return [
        {"said": said, "does": [line for e in reading.extensions for line in effect(e, rules)]}
        for said, reading in zip(texts, readings, strict=True)
    ]


if __name__ == "__main__":
    main()
