"""Measure how many pairs of readings are told apart: `python tests/tools/tell_apart.py`.

The sentences stand in tests/phrases/data/meanings.toml. Every pair of the readings that a glossary
finds in a sentence, and of the meanings intended where it finds one or none, is searched for a
position in which they differ; with `--all` each answer is printed. The figure is the same on every
machine, for the search is bounded by numbers.
"""

from __future__ import annotations

import argparse
import itertools
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lark.exceptions import UnexpectedInput

from interpreter.authoring.distinguish import Difference, tell_apart
from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from rulelang.phrases.phrase import Reading
from rulelang.phrases.readings import Glossary
from rulelang.phrases.unparse import texts_of_readings

DATA = Path(__file__).resolve().parents[1] / "phrases" / "data" / "meanings.toml"


@dataclass(frozen=True)
class Sentence:
    """A sentence for a game's cards, and all it may be meant to say."""

    game: str
    text: str
    ambiguous: bool
    meanings: tuple[str, ...]
    same_in_play: str = ""  # why its readings never differ on a table, if they do not


def sentences() -> list[Sentence]:
    """All sentences of the file."""
    found = tomllib.loads(DATA.read_text("utf-8"))["sentence"]
    return [Sentence(**{**item, "meanings": tuple(item["meanings"])}) for item in found]


def readings(glossary: Glossary, text: str) -> list[Reading]:
    """The readings of a text; none where it cannot be parsed."""
    try:
        return glossary.readings(text)
    except UnexpectedInput:
        return []


def pairs(glossary: Glossary, sentence: Sentence) -> Iterator[tuple[Reading, Reading]]:
    """The pairs of readings of a sentence, or of what it is meant to say if it has not several."""
    found = readings(glossary, sentence.text)
    if len(found) < 2:
        meant = [readings(glossary, text) for text in sentence.meanings]
        found = [only[0] for only in meant if len(only) == 1]
    return itertools.combinations(found, 2)


def printed_alike(glossary: Glossary, texts: Iterable[str]) -> list[str]:
    """The texts of which two readings are printed alike."""
    return [
        text
        for text in texts
        if (found := readings(glossary, text))
        and len(set(texts_of_readings([r.derivation for r in found]))) < len(found)
    ]


def examples(glossary: Glossary) -> list[str]:
    """An example of each wording of a sentence, as far as the glossary has words to fill it."""
    lexicon = glossary.lexicon
    made = (lexicon.examples.of(phrase) for phrase in lexicon.sentences)
    return [text for text in made if "…" not in text]


def main() -> None:
    """Print the figure, every pair that is not told apart, and what is printed alike."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--all", action="store_true", help="print every answer")
    show_all = parser.parse_args().all
    games: dict[str, Game] = {}
    told = tried = same = 0
    for sentence in sentences():
        if sentence.game not in games:
            loaded = load_rules(sentence.game, tests=False)
            games[sentence.game] = Game(loaded, 2, {}, ())
        game = games[sentence.game]
        for one, two in pairs(game.loaded.compiled.glossary, sentence):
            answer = tell_apart(game, one, two)
            is_told = isinstance(answer, Difference)
            if show_all or not is_told:
                print(f"{sentence.text}\n    {answer}")
            if sentence.same_in_play and not is_told:
                print(f"    the same in play: {sentence.same_in_play}")
                same += 1
                continue
            tried, told = tried + 1, told + is_told
    for name, game in games.items():
        glossary = game.loaded.compiled.glossary
        texts = [found.text for found in sentences() if found.game == name]
        for text in printed_alike(glossary, [*texts, *examples(glossary)]):
            print(f"{text}\n    two readings are printed alike")
    share = 100 * told // max(tried, 1)
    print(
        f"{told} of {tried} truly different pairs told apart ({share} %), {same} the same in play"
    )


if __name__ == "__main__":
    main()
