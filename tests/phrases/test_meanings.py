"""The sentences of data/meanings.toml: readings are told apart, in words and on the board."""

from __future__ import annotations

import functools

import pytest

from interpreter.authoring.distinguish import Difference, NotDecided, tell_apart
from interpreter.authoring.small_positions import MOST_BUILT
from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from rulelang.phrases.unparse import texts_of_readings
from tests.tools.tell_apart import pairs, readings, sentences

SAMPLE = (
    "Receive 3 if adjacent to a Park or a Lake and a Forest.",
    "Receive 4 if adjacent to two Mountains.",
    "Must be placed adjacent to a Lake or River with a road.",
    "Add 1 if adjacent to a Lake or adjacent to a Park and the city has a Hotel.",
    "Add 1 for each tree beside a pond beside a hut.",
    "Adjacent Lakes or Parks with a road may not be upgraded.",  # what is asked of what lies there
    "Remove when adjacent to a Lake or the city has a Flood and the city has a River.",  # of itself
    "You receive 2 whenever a Lake or River with a road is placed adjacent.",  # who is “you”
    "Receive 3 if the city has two Hotels and one Park or three Parks.",  # more pieces, near ones
    "Receive 2 if connected to a Hotel or Shop with rail by road.",  # many classes of pieces
    "Needs at least 2 parks or factories beside it.",  # a board that grows from tiles
)


@functools.cache
def game_of(name: str) -> Game:
    return Game(load_rules(name, tests=False), 2, {}, ())


@pytest.fixture
def simcity() -> Game:
    return game_of("simcity")


def test_the_file_holds_about_a_hundred_sentences_each_with_its_meanings() -> None:
    """Those that are ambiguous have several meanings, the others one."""
    found = sentences()
    assert len(found) >= 100 and len({(s.game, s.text) for s in found}) == len(found)
    for sentence in found:
        assert sentence.meanings and sentence.ambiguous == (len(sentence.meanings) > 1), sentence


@pytest.mark.parametrize("text", SAMPLE)
def test_a_sample_of_readings_is_told_apart_on_the_board(text: str) -> None:
    """The whole file is measured by `python tests/tools/tell_apart.py`."""
    (sentence,) = (found for found in sentences() if found.text == text)
    game = game_of(sentence.game)
    tried = 0
    for one, two in pairs(game.loaded.compiled.glossary, sentence):
        found = tell_apart(game, one, two)
        assert isinstance(found, Difference) and found.one != found.two
        tried += 1
    assert tried


def test_what_a_search_finds_hangs_on_no_clock(
    simcity: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With time standing still or running away the answer is the same."""
    glossary = simcity.loaded.compiled.glossary
    one, two = readings(glossary, "Must be placed adjacent to a Lake or River with a road.")
    monkeypatch.setattr("time.monotonic", iter(range(0, 10**9, 10**4)).__next__)
    hurried = tell_apart(simcity, one, two)
    monkeypatch.undo()
    assert isinstance(hurried, Difference) and hurried == tell_apart(simcity, one, two)


def test_what_is_not_decided_tells_what_was_tried(simcity: Game) -> None:
    """A reading differs from itself nowhere: all small positions are tried, then some of play."""
    (one,) = readings(simcity.loaded.compiled.glossary, "May be placed anywhere.")
    found = tell_apart(simcity, one, one)
    assert isinstance(found, NotDecided) and 0 < found.small <= MOST_BUILT and found.played > 0
    assert f"{found.small:,} small positions and {found.played:,} reached by play" in str(found)


@pytest.mark.parametrize("name", sorted({found.game for found in sentences()}))
def test_no_two_readings_are_printed_alike(name: str) -> None:
    """Of a sample; the tool looks through the whole file and an example of each wording."""
    glossary = game_of(name).loaded.compiled.glossary
    texts = [found.text for found in sentences() if found.game == name]
    for text in texts[:: 1 + len(texts) // 12]:
        found = readings(glossary, text)
        said = texts_of_readings([reading.derivation for reading in found])
        assert len(set(said)) == len(found), text


def test_words_that_look_alike_are_told_apart_by_what_they_are(simcity: Game) -> None:
    """Two titles of which one is the plural of the other."""
    found = readings(simcity.loaded.compiled.glossary, "Receive 4 if adjacent to two Mountains.")
    one, two = texts_of_readings([reading.derivation for reading in found])
    assert one.endswith("“Mountain” is the title of a block")
    assert two.endswith("“Mountains” is the title of a block")
