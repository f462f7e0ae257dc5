"""SimCity's texts of where a card may lie: each wording has one meaning, a true double meaning
shows both, and a full city is judged fast.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.authoring.check import check
from interpreter.authoring.distinguish import Difference, tell_apart
from interpreter.authoring.explain_card import explain, sentences
from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.model.position import Position
from rulelang.analysis.contradiction import Entailment
from rulelang.analysis.partial_eval import Certain
from rulelang.diagnostics import CODES, Diagnostic
from rulelang.diagnostics.source import Source
from rulelang.phrases.unparse import unparse

ONE_MEANING = (
    "May only be played if adjacent to a Lake.",
    "May only be played if the game is in the City phase or later.",
    "May only be placed if the city has no Police Station.",
    "Must be played adjacent to a Lake, River or Swamp.",
    "Must be placed within 2 blocks of at least 2 Residential cards.",
    "May only be played as an upgrade of a College.",
    "May only be placed on top of a Pipeline.",
    "May only be placed adjacent to water.",
    "May only be played if it can be connected to a Mountain by rail.",
    "May only be played if connected by road or rail to a Farm Complex card.",
    "May only be placed if connected to a Hotel by power line and the city has a Park.",
    "May only be placed within 4 blocks of a Bus Barn along the roads.",
    "May only be played if a Lake, a Pond and a Swamp are all in the city.",
    "May not be placed adjacent to a card that provides sims.",
    "May not be played if not within 3 blocks of a Church with a road.",
    "May not be placed beneath a block.",
    "May be placed anywhere.",
    "May not be upgraded.",
    "May not be rezoned.",
    "May be rezoned without a vote.",
    "May be rezoned by an Industrial card without a vote.",
    "May rezone a Residential card without a vote.",
    "Counts as a Police Station.",
    "Sims may change between road and rail here.",
    "Sims may reach it through a Hotel adjacent to it.",
    "Needs no sims if the city has a Rapid Transit Station.",
)
AS_JOTTED_DOWN = {
    "Add 3 if adjacent to Lake": "Add 3 if adjacent to Lake.",
    "Receive two if adjacent to Three or more Lakes.": "Receive 2 if adjacent to 3 or more Lakes.",
    "Receive 1 if adjacent to exactly one Lake": "Receive 1 if adjacent to exactly 1 Lake.",
    "Receive 2 if adjacent to 101 Pheasant Ave.": "Receive 2 if adjacent to a 101 Pheasant Ave..",
    "Protects the city from Fire!": "Protects the city from Fire!.",
}
OF_A_LODGE = {  # on a card that the game has not; what it does, in the last line
    "No more than three Lodges may stand in the city at once.": "fewer than 3 of the cards called",
    "A player may not place more than one Lodge.": "among the cards called like this card",
    "There may be at most so many Lodges as there are players.": "fewer than",
    "The Lodge needs water on at least three sides.": "for at least 3 of its place's neighbors",
    "Receive $2 for each residential block adjacent to Lodge.": "that it is adjacent to",
    "The Lodge provides 2 sims more next to a Lake.": "this card's sims plus 2",
    "Before phase II the Lodge gives only the half of its value, rounded down.": "rounded down",
    "No event is able to destroy the Lodge.": "the block is this card",
    "Each other player pays you $2 for each block with a rail he plays beside the Lodge.": "add 2",
    "If at least two of its neighbors have a road, the Lodge pays $4.": "add 4",
    "Building over the Lodge needs no council vote.": "yes",
}
TWO_MEANINGS = {
    "May only be played if adjacent to a Lake or adjacent to a Park and within 2 blocks of a "
    "Hotel.": (
        "either",
        "both",
    ),
    "Must be placed adjacent to a Lake or River with a road.": (
        "Lake or [River with a road]",
        "[Lake or River] with a road",
    ),
}

NOBODY = "Nothing is called “{}”."
# The text of a card, what is said of it, and how the advice begins.
ODD = {
    "Add 3 if adjacent to Dragon Cave.": (
        NOBODY.format("Dragon Cave"),
        "Give a card that title, or name what there is.",
    ),
    "Add 2 if adjacent to a Polise Station.": (
        NOBODY.format("Polise Station"),
        "Did you mean “Police Station”",
    ),
    "Add 1 to each Wizard Tower placed within 2 blocks.": (
        NOBODY.format("Wizard Tower"),
        "Did you mean “Water Tower”?",
    ),
    'Add 3 if adjacent to a "Lak".': (NOBODY.format("Lak"), "Did you mean “Lake”?"),
    "Add 3 if adjacent to 'Dragon Cave'.": (
        NOBODY.format("Dragon Cave"),
        "Give a card that title, or name what there is.",
    ),
    'Add "3" if adjacent to a Lake.': (
        "From here the sentence could not be read: ““3” if adjacent to a Lake.”.",
        "Leave the quotes out",
    ),
    "Add 3 when near Lake.": (
        "No phrase uses the word “near”.",
        "Write “Add 3 when adjacent to Lake.” or “Add 3 when within 2 blocks of Lake.”",
    ),
    "Receive 2 if close to a Park.": (
        "No phrase uses the word “close”.",
        "Write “Receive 2 if adjacent to a Park.”",
    ),
    "Add 2 if adjacnt to a Park.": (
        "No phrase uses the word “adjacnt”.",
        "Did you mean “adjacent”?",
    ),
}


@pytest.fixture(scope="module")
def simcity() -> Loaded:
    return load_rules("simcity", tests=False)


def titled(text: str) -> str:
    """The title of the card that has this text."""
    return f"Odd House {[*TWO_MEANINGS, *ODD].index(text)}"


@pytest.fixture(scope="module")
def houses() -> Loaded:
    """One file with a card for each text that truly has two meanings or cannot be read, and one
    whose text is right.
    """
    cards = "for simcity\n" + "".join(
        f'card "{title}" of block\n  zone: residential\n  value: 3\n  text\n    | {words}\n'
        for title, words in (
            *((titled(text), text) for text in (*TWO_MEANINGS, *ODD)),
            ("Even House", ONE_MEANING[0]),
        )
    )
    return load_rules("simcity", added=[("houses.rules", cards)], tests=False)


def found_of(houses: Loaded, text: str) -> list[Diagnostic]:
    """The findings about the card that has this text."""
    lines = houses.sources["houses.rules"].lines
    first = lines.index(f'card "{titled(text)}" of block') + 1
    return [item for item in houses.findings() if first <= item.span.line < first + 5]


@pytest.mark.parametrize("text", ONE_MEANING)
def test_one_meaning_said_back(simcity: Loaded, text: str) -> None:
    """The sentence has one reading, and what it says of it reads as the same."""
    glossary = simcity.compiled.glossary
    (found,) = glossary.readings(text)
    assert [r.meaning for r in glossary.readings(unparse(found.derivation))] == [found.meaning]


@pytest.mark.parametrize(("text", "does"), OF_A_LODGE.items())
def test_texts_that_name_a_card_of_their_own(simcity: Loaded, text: str, does: str) -> None:
    """The sentence has one reading on a card of that title, which does what is said."""
    (said,) = explain(simcity, text)[0]
    ((*_, last),) = said.effects
    assert said.title == "Lodge" and does in last


@pytest.mark.parametrize(("jotted", "text"), AS_JOTTED_DOWN.items())
def test_as_jotted_down(simcity: Loaded, jotted: str, text: str) -> None:
    """Numbers as words and a period left out change nothing of the meaning."""
    glossary = simcity.compiled.glossary
    (found,) = glossary.readings(jotted)
    assert [found.meaning] == [r.meaning for r in glossary.readings(text)]


def test_sentences_end_where_a_name_does_not() -> None:
    """A short name's own period ends no sentence that goes on; it may stand for the sentence's."""
    text = (
        "Receive 2 if adjacent to 101 Pheasant Ave. or a Lake. Lose 1 if near 1306 Hunt Club Dr. "
        "Limit of 1. Remove it when Winter! is played."
    )
    assert [said for said, _ in sentences(Source("a card", text))] == [
        "Receive 2 if adjacent to 101 Pheasant Ave. or a Lake.",
        "Lose 1 if near 1306 Hunt Club Dr.",
        "Limit of 1.",
        "Remove it when Winter! is played.",
    ]


@pytest.mark.parametrize("text", TWO_MEANINGS)
def test_both_readings_are_shown(houses: Loaded, text: str) -> None:
    """A card whose wording truly has two readings is refused by name.

    Both are told, in brackets.
    """
    assert titled(text) in houses.compiled.refused
    (finding,) = [f for f in found_of(houses, text) if f.code == "C003"]
    told = [note for note in finding.notes if note.startswith("reading")]
    assert len(told) == 2 and all(
        any(words in note for note in told) for words in TWO_MEANINGS[text]
    )


def test_a_card_that_is_right_loads_beside_them(houses: Loaded) -> None:
    """Those of the file that cannot be used are refused, and nothing is said of any other."""
    assert houses.compiled.refused == tuple(titled(text) for text in (*TWO_MEANINGS, *ODD))
    assert "Even House" in {design.title for design in houses.compiled.rules.designs}
    told = [item for text in (*TWO_MEANINGS, *ODD) for item in found_of(houses, text)]
    assert told == houses.findings()


@pytest.mark.parametrize(
    "text",
    [
        *TWO_MEANINGS,
        "Receive 3 if adjacent to a Lake or adjacent to a Park and within 2 blocks of a Church.",
        "May only be played if the game is in the City phase or later or the city has a Lake and "
        "the city has a River.",
    ],
)
def test_a_small_position_shows_where_two_readings_differ(simcity: Loaded, text: str) -> None:
    """What the readings speak of is laid near an open lot, nearer and farther and in every phase,
    until they judge differently.
    """
    one, two = simcity.compiled.glossary.readings(text)
    difference = tell_apart(Game(simcity, 2, {}, ()), one, two)
    assert (
        isinstance(difference, Difference)
        and difference.one != difference.two
        and difference.how.startswith("in a position with")
    )


@pytest.mark.parametrize("text", ODD)
def test_what_nobody_has_and_what_cannot_be_read_is_named(houses: Loaded, text: str) -> None:
    """One finding for a whole title, and wordings that can be read in place of one that cannot."""
    (finding,), (says, fix) = found_of(houses, text), ODD[text]
    assert finding.message == says and finding.fixes[0].startswith(fix)


@pytest.mark.parametrize(
    "text",
    [
        'Add 3 if adjacent to a "Lake".',
        "Add 3 if adjacent to a 'Lake'.",
        "Add 3 if adjacent to a “Lake”.",
    ],
)
def test_quotes_round_a_name_are_no_part_of_it(simcity: Loaded, text: str) -> None:
    """Straight or not, they change nothing; an apostrophe within a name is none of them."""
    glossary = simcity.compiled.glossary
    assert [r.meaning for r in glossary.readings(text)] == [
        r.meaning for r in glossary.readings("Add 3 if adjacent to a Lake.")
    ]
    (servants,) = glossary.readings("Add 3 if adjacent to 'Colonial Servant's Quarters'.")
    assert (
        servants.meaning
        == glossary.readings("Add 3 if adjacent to Colonial Servant's Quarters.")[0].meaning
    )


NOTHING_TO_IT = (
    "Add 0 if adjacent to a Lake.",
    "Receive 0.",
    "Receive 0 per Park adjacent.",
    "Deduct 0 from each Residential placed adjacent.",
    "Lose 0 unless adjacent to a Park.",
    "Play 0 more cards.",
    "Draw 0 cards.",
    "You receive 0 when a Park is placed adjacent.",
    "The mayor loses 0.",
    "Each player receives 0.",
    "All players pay 0.",
    "Coverage range 0.",
)
SOMETHING_TO_IT = (
    "Receive 3 if adjacent to a Lake, otherwise receive 0.",
    "Receive 1 for each 2 Parks in the city.",
    "Play another card.",
    "Farm 0.",
)


def test_sentences_that_come_to_nothing(tmp_path: Path) -> None:
    """An amount of 0 is told as that, whatever is paid, drawn or played.

    So are numbers below 0 on a card, but not a value that pays for a nuisance.
    """
    head, path = "zone: commercial\n  value: 1\n", tmp_path / "zero.rules"
    texts = "".join(f"    | {text}\n" for text in (*NOTHING_TO_IT, *SOMETHING_TO_IT))
    odd = 'card "Ruin" of block\n  zone: commercial\n  value: -2\n{}\n'
    others = odd.format("  crime: 1\n") + odd.format("  needs: -1\n").replace("Ruin", "Wreck")
    events = 'card "Storm" of block\n  zone: event\n  text\n    | Destroy 0 Residential cards.\n'
    path.write_text(
        f'for simcity\n\ncard "Zero House" of block\n  {head}  text\n{texts}{others}{events}',
        "utf-8",
    )
    found = check([str(path)]).found
    nothing = [item.span.line for item in found if item.code == CODES["does-nothing"].code]
    storm = path.read_text("utf-8").count("\n")
    assert nothing == [*range(7, 7 + len(NOTHING_TO_IT)), storm]
    others_told = {CODES["does-nothing"].code, CODES["does-not-fit"].code}
    told = {item.message for item in found if item.code not in others_told}
    assert told == {
        "Wreck is worth -2: whoever places it pays, and it brings neither crime nor pollution, as "
        "printed cards do for which one pays.",
        "Wreck provides 0 sims and requires -1: there are never fewer than none.",
    }


def crowded(loaded: Loaded, game: Game, seed: int, built: int) -> Position:
    """A metropolis of so many blocks that lie side by side, and ten cards in a player's hand."""
    rng, s = random.Random(seed), game.start(seed).position.copy()
    grid = game.setup.boards["town"].grid
    kinds = loaded.compiled.rules.kinds["zone"].members
    values = {p: dict(game.setup.pieces[p].design.values) for p in s.places[("deck", None)]}
    blocks = [
        p
        for p, known in values.items()
        if kinds[known["zone"]] not in ("event", "politics") and not known.get("long")
    ]
    lots = [grid.width * grid.height // 2]
    while len(lots) < built:
        lots.append(
            rng.choice(sorted({c for lot in lots for c in grid.neighbors[lot]} - set(lots)))
        )
    for lot, block in zip(lots, blocks, strict=False):
        s.put(block, "stack", (lot,))
    for piece in s.places[("hand", 0)]:
        s.move(piece, ("deck", None))
    for block in blocks[built : built + 10]:
        s.move(block, ("hand", 0))
    s.assign("phase", None, 3)
    s.assign("opened", None, True)
    return s


NEEDS = (
    "{} adjacent to a Residential card.",
    "{} adjacent to at least 2 cards.",
    "{} adjacent to at most 1 Residential card.",
    "{} within 1 block of a Residential card.",
    "{} within 2 blocks of water.",
    "{} within 2 blocks of at least 3 Residential cards.",
    "{} within 3 blocks of water or Commercial card.",
    "{} at least 2 blocks away from water.",
    "{} at least 3 blocks away from a card.",
    "{} on top of a Residential card.",
    "{} on top of water.",
    "{} in an open space.",
    "{} as an upgrade of a card.",
    "{} on scorched earth.",
    "{} connected to a Commercial card by road.",
    "{} connected to a card by road or rail.",
    "{} within 2 blocks of a card along the roads.",
    "{} within 3 blocks of a Commercial card along the roads.",
    "{} covered by a Police Station.",
    "{} in a zone of at least 2 blocks.",
    "{} adjacent to a card that provides sims.",
    "{} adjacent to a card with at least 2 sims.",
    "{} adjacent to a card of value 4 or more.",
    "{} adjacent to a card of value 2 or less.",
    "{} adjacent to a non-Residential card.",
    "{} in a complex.",
)
MORE_NEEDS = (
    "May only be played if the game is in the City phase or later.",
    "May not be played if the game is in the Village phase or later.",
    "May only be played if the game is in the Settlement phase.",
    "May not be played if the game is in the Metropolis phase.",
    "Requires at least 3 Residential cards in the city.",
    "Requires no water in the city.",
    "Requires at most 2 cards in the city.",
    "May only be played if you have placed a Residential card.",
    "May only be played if you are the mayor.",
    "Limit of 1.",
)


CONTRADICTIONS = (
    ("", "May not be played if the game is in the Settlement phase or later."),
    ("stage: city", "May only be played if the game is in the Settlement phase."),
    ("stage: city", "May not be played if the game is in the City phase or later."),
    (
        "",
        "May only be played if the game is in the City phase or later. "
        "May not be played if the game is in the Village phase or later.",
    ),
    (
        "",
        "May only be played if the game is in the City phase. "
        "May only be played if the game is in the Village phase.",
    ),
    (
        "",
        "May not be played if the game is in the Metropolis phase. "
        "May not be played if the game is in the City phase. "
        "May only be played if the game is in the City phase or later.",
    ),
    (
        "",
        "May only be placed within 2 blocks of a Lake. "
        "May not be placed within 3 blocks of a Lake.",
    ),
    ("", "Must be placed adjacent to a Lake. May not be placed within 1 block of a Lake."),
    ("", "Must be placed adjacent to a Lake. May not be placed within 3 blocks of water."),
    ("", "Must be placed adjacent to a Lake. May not be placed adjacent to a Lake or River."),
    (
        "",
        "Must be placed adjacent to at least 2 Lakes. "
        "May not be placed adjacent to at least 2 cards.",
    ),
    (
        "",
        "Must be placed within 2 blocks of a Lake. "
        "Must be placed at least 3 blocks away from a Lake.",
    ),
    (
        "",
        "Must be placed within 2 blocks of a Lake. "
        "Must be placed at least 3 blocks away from a Lake, River or Pond.",
    ),
    ("", "May only be placed on top of a Lake. Must be placed in an open space."),
    ("", "May only be placed as an upgrade of a Lake. Must be placed in an open space."),
    (
        "",
        "May only be placed within 2 blocks of a Lake along the roads. "
        "May not be placed within 3 blocks of a Lake along the roads.",
    ),
    (
        "",
        "May only be placed connected to a Lake by road. "
        "May not be placed connected to a Lake by road or rail.",
    ),
    ("", "May only be placed if the city has a Lake. May not be placed if the city has water."),
    ("", "Must be placed adjacent to a Lake. Requires no Lake in the city."),
    (
        "",
        "May only be placed if the city has at least 3 Lakes. "
        "May only be placed if the city has at most 2 Lakes.",
    ),
    (
        "",
        "May only be played if the city has exactly 2 Lakes. "
        "May only be played if the city has exactly 3 Lakes.",
    ),
    (
        "",
        "May only be placed covered by a Police Station. "
        "May only be played if the city has no Police Station.",
    ),
    (
        "",
        "May only be placed in a zone of at least 5 blocks. "
        "May not be placed in a zone of at least 4 blocks.",
    ),
    ("", "May only be played if you are the mayor. May not be played if you are the mayor."),
    (
        "",
        "May only be played if you have placed a Lake. "
        "May only be played if you do not have a Lake.",
    ),
    (
        "",
        "May only be placed adjacent to a Residential card of value 5 or more. "
        "May not be placed adjacent to a Residential card of value 3 or more.",
    ),
    (
        "",
        "May only be placed adjacent to a card with at least 3 sims. "
        "May not be placed adjacent to a card that provides sims.",
    ),
    ("stage: city", "Receive 3 if the game is in the Village phase."),
    ("", "Must be placed adjacent to a Lake. Receive 3 if not within 2 blocks of a Lake."),
    (
        "",
        "May only be placed adjacent to a Lake or adjacent to a River. "
        "May not be placed within 2 blocks of water.",
    ),
)
NONE_OF_THEM = (
    ("stage: city", "May only be played if the game is in the City phase."),
    (
        "",
        "May only be placed within 3 blocks of a Lake. "
        "May not be placed within 2 blocks of a Lake.",
    ),
    ("", "Must be placed adjacent to water. May not be placed adjacent to a Lake."),
    ("", "Must be placed within 3 blocks of a Lake. May not be placed adjacent to a Lake."),
    (
        "",
        "Must be placed within 2 blocks of a Lake. "
        "Must be placed at least 2 blocks away from a Lake.",
    ),
    (
        "",
        "May only be placed connected to a Lake by road or rail. "
        "May not be placed connected to a Lake by road.",
    ),
    (
        "",
        "May only be placed covered by a Police Station. "
        "May not be placed covered by a Fire Station.",
    ),
    ("", "Must be placed on scorched earth. Must be placed in an open space."),
    ("stage: village", "Receive 3 if the game is in the Village phase."),
    ("", "Must be placed on top of a Lake. May not be placed adjacent to a Lake."),
    (
        "",
        "May only be placed adjacent to a Residential card of value 3 or more. "
        "May not be placed adjacent to a Residential card of value 5 or more.",
    ),
    ("", "Must be placed adjacent to a Lake. Receive 3 if within 2 blocks of a Pond."),
    (
        "",
        "May only be played if the game is in the City phase or later. "
        "May not be played if the game is in the Metropolis phase.",
    ),
)


def test_contradictions_are_found_and_nothing_else(tmp_path: Path) -> None:
    """Phases in their order, nearness by its distance, lands and titles by their families, with
    what is asked of every card; what may be is let be.
    """
    path = tmp_path / "odd.rules"
    cards = [
        f'card "Card {index}" of block\n  zone: commercial\n  value: 2\n  {line or "crime: 0"}\n'
        f"  text\n    | {text}\n"
        for index, (line, text) in enumerate(CONTRADICTIONS + NONE_OF_THEM)
    ]
    path.write_text("for simcity\n" + "".join(cards), "utf-8")
    found = {(item.span.line - 2) // 6: item.code for item in check([str(path)]).found}
    assert sorted(found) == list(range(len(CONTRADICTIONS)))
    pays = {index for index, (_, text) in enumerate(CONTRADICTIONS) if "Receive" in text}
    assert found == {
        index: CODES["never-applies" if index in pays else "never-playable"].code for index in found
    }


def test_what_can_never_hold_together_never_does(simcity: Loaded) -> None:
    """Of each two requirements that are said to exclude each other, one at least fails on every lot
    of every position looked at.
    """
    game = game_of(simcity, 3, (), {})
    texts = [
        text.format(way) for text in NEEDS for way in ("Must be placed", "May not be placed")
    ] + [*MORE_NEEDS]
    needs = {
        text: simcity.compiled.glossary.readings(text)[0].extensions[0].rules[0].need
        for text in texts
    }
    entailment = Entailment(Certain(simcity.compiled.rules))
    never = [
        (a, b)
        for i, a in enumerate(texts)
        for b in texts[i + 1 :]
        if entailment.never([needs[a], needs[b]], {})
    ]  # type: ignore[list-item]
    rng, held = random.Random(5), dict[str, set[tuple[int, int, int]]]()
    for seed, built in ((1, 3), (2, 12), (3, 40), (4, 40)):
        s = crowded(simcity, game, seed, built)
        s.assign("phase", None, seed - 1)
        s.assign("mayor", None, seed % 2)
        town = [min(at[2]) for at in s.where if at is not None and at[0] == "on"]
        near = sorted(
            {n for lot in town for n in [lot, *game.setup.boards["town"].grid.neighbors[lot]]}
        )
        for b in s.places[("hand", 0)][:3]:
            for lot in rng.sample(near, min(12, len(near))):
                for text, need in needs.items():
                    env = {"p": 0, "b": b, "at": frozenset([lot]), "card": b, "you": 0}
                    if game.rules.holds(s, need, env):
                        held.setdefault(text, set()).add((seed, b, lot))
    assert len(never) > 50 and len(held) > 50
    assert [pair for pair in never if held.get(pair[0], set()) & held.get(pair[1], set())] == []
