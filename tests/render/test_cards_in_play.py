"""Cards on a table: one's own are spread out with their numbers, others' listed.

A score tells for which card each line counted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import log
from interpreter.game.game import Game, State, load
from interpreter.game.loading import load_rules
from interpreter.render import table as overview
from rulelang.syntax.nodes import CITE

EXPANSION = Path("examples/the_city_expansion/developments.rules")


def laid(game: Game, place: str, *titles: str) -> State:
    """A state in which player 1 has these cards in a place of his, a further copy for each time a
    title is named.
    """
    state = game.position({})
    pieces = state.game.setup.pieces
    for title in titles:
        taken = state.position.places[place, 0]
        state.position.move(
            next(
                n
                for n, piece in enumerate(pieces)
                if piece.design.title == title and n not in taken
            ),
            (place, 0),
        )
    return state


@pytest.fixture(scope="module")
def game() -> Game:
    return load("tests/good/sealed", players=2)


def test_cards_with_numbers_are_spread_out(game: Game) -> None:
    """A line for each sort and a column for each field that any of them has.

    What is on the table of another is listed on one line.
    """
    state = laid(game, "tableau", "University", "School", "School")
    assert overview.section(state, 0, 0) == [
        "player 1 (you)",
        "your tableau  cost  income  points  symbols",
        "  2 × School     2       1       -  -",
        "  University     8       2       3  car, show",
    ]
    assert overview.section(state, 0, 1) == ["player 1", "  tableau: 2 × School, University"]


def test_what_cannot_be_seen_is_not_spread_out(game: Game) -> None:
    """Another's hand is a number of cards; one's own is a table."""
    state = laid(game, "hand", "University", "School")
    assert overview.section(state, 0, 1) == ["player 1: hand 2 developments"]
    assert overview.section(state, 0, 0)[2:] == [
        "  School         2       1       -  -",
        "  University     8       2       3  car, show",
    ]


def test_a_line_for_each_tells_for_which() -> None:
    """Two homes score 1 and 1 for each other, the mall 2: the log and the explanation name the card
    of each line.
    """
    game = load("the_city", players=2)
    state = laid(game, "tableau", "Luxury Homes", "Luxury Homes", "Mall", "Factory")
    game.effects.propose(state.position, "score_round", (0,))
    lines = {"+ 2 earned (Luxury Homes)", "+ 2 earned (Mall)"}
    told = log.told(state, state.log[-1], None)
    assert all(line in told for line in lines) and "Factory" not in told
    tree = state.explain()
    assert tree is not None
    table = tree.parts[0]
    assert table.value == 6 and len(table.parts) == 3
    assert {part.text.split(" = ")[0] for part in table.parts} == lines
    assert [part.text.split(" = ")[1] for part in table.parts] == ["2", "4", "6"]


def test_every_sentence_of_every_card_has_one_meaning() -> None:
    """Those of the 110 cards of the box and of the homemade ones beside them."""
    loaded = load_rules("the_city", added=[(EXPANSION.name, EXPANSION)])
    glossary = loaded.compiled.glossary
    for design in loaded.compiled.rules.designs:
        for text, _ in design.text:
            assert len(glossary.readings(CITE.sub("", text).strip(), design)) == 1, text
    homemade = {
        design.title
        for design in loaded.compiled.rules.designs
        if design.span.file == EXPANSION.name
    }
    assert len(homemade) == 10
    assert (
        sum(
            design.copies
            for design in loaded.compiled.rules.designs
            if design.title not in homemade
        )
        == 110
    )
