"""SimCity's texts of where a card may lie: each wording has one meaning, a true double meaning shows both, and a full city is judged fast."""
from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from interpreter.checking import check
from interpreter.game import Game, game_of
from interpreter.loading import Loaded, load_rules
from interpreter.reading import sentences
from interpreter.state import Position
from rulelang.messages import CODES
from rulelang.source import Source

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
TWO_MEANINGS = {
    "May only be played if adjacent to a Lake or adjacent to a Park and within 2 blocks of a Hotel.": ("either", "both"),
    "Must be placed adjacent to a Lake or River with a road.": ("[River with a road]", "[Lake or a River] with a road"),
}


@pytest.fixture(scope="module")
def simcity() -> Loaded:
    return load_rules("simcity")


@pytest.mark.parametrize("text", ONE_MEANING)
def test_one_meaning_said_back(simcity: Loaded, text: str) -> None:
    """The sentence has one reading, and what it says of it reads as the same."""
    glossary = simcity.compiled.glossary
    (found,) = glossary.readings(text)
    assert [r.meaning for r in glossary.readings(glossary.describe(found.derivation))] == [found.meaning]


@pytest.mark.parametrize(("jotted", "text"), AS_JOTTED_DOWN.items())
def test_as_jotted_down(simcity: Loaded, jotted: str, text: str) -> None:
    """Numbers as words and a period left out change nothing of the meaning."""
    glossary = simcity.compiled.glossary
    (found,) = glossary.readings(jotted)
    assert [found.meaning] == [r.meaning for r in glossary.readings(text)]


def test_sentences_end_where_a_name_does_not() -> None:
    """A short name's own period ends no sentence that goes on; it may stand for the sentence's."""
    text = "Receive 2 if adjacent to 101 Pheasant Ave. or a Lake. Lose 1 if near 1306 Hunt Club Dr. Limit of 1."
    assert [said for said, _ in sentences(Source("a card", text))] == [
        "Receive 2 if adjacent to 101 Pheasant Ave. or a Lake.", "Lose 1 if near 1306 Hunt Club Dr.", "Limit of 1.",
    ]  # fmt: skip


@pytest.mark.parametrize("text", TWO_MEANINGS)
def test_both_readings_are_shown(text: str) -> None:
    """A card whose wording truly has two readings is refused by name; both are told, in brackets, and the other card of the file loads."""
    cards = "for simcity\n" + "".join(
        f'card "{title}" of block\n  value: 3\n  text\n    | {words}\n' for title, words in (("Odd House", text), ("Even House", ONE_MEANING[0]))
    )
    made = load_rules("simcity", added=[("houses.rules", cards)])
    assert made.compiled.refused == ("Odd House",) and "Even House" in {d.title for d in made.compiled.rules.designs}
    (finding,) = [f for f in made.findings() if f.code == "C003"]
    told = [note for note in finding.notes if note.startswith("reading")]
    assert len(told) == 2 and all(any(words in note for note in told) for words in TWO_MEANINGS[text])


NOBODY = "Nothing is called “{}”."


@pytest.mark.parametrize(
    ("text", "says", "fix"),
    [
        ("Add 3 if adjacent to Dragon Cave.", NOBODY.format("Dragon Cave"), "Give a card that title, or name what there is."),
        ("Add 2 if adjacent to a Polise Station.", NOBODY.format("Polise Station"), "Did you mean “Police Station”"),
        ("Add 1 to each Wizard Tower placed within 2 blocks.", NOBODY.format("Wizard Tower"), "Did you mean “Water Tower”?"),
        ("Add 3 when near Lake.", "No phrase uses the word “near”.", "Write “Add 3 when adjacent to Lake.” or “Add 3 when within 2 blocks of Lake.”"),
        ("Receive 2 if close to a Park.", "No phrase uses the word “close”.", "Write “Receive 2 if adjacent to a Park.”"),
        ("Add 2 if adjacnt to a Park.", "No phrase uses the word “adjacnt”.", "Did you mean “adjacent”?"),
    ],
)
def test_what_nobody_has_and_what_cannot_be_read_is_named(text: str, says: str, fix: str) -> None:
    """One finding for a whole title, and wordings that can be read in place of one that cannot."""
    made = load_rules("simcity", added=[("odd.rules", f'for simcity\ncard "Odd House" of block\n  value: 3\n  text\n    | {text}\n')])
    (finding,) = made.findings()
    assert finding.message == says and finding.fixes[0].startswith(fix)


NOTHING_TO_IT = (
    "Add 0 if adjacent to a Lake.", "Receive 0.", "Receive 0 per Park adjacent.", "Deduct 0 from each Residential placed adjacent.",
    "Lose 0 unless adjacent to a Park.", "Play 0 more cards.", "Draw 0 cards.", "You receive 0 when a Park is placed adjacent.",
    "The mayor loses 0.", "Each player receives 0.", "All players pay 0.", "Coverage range 0.",
)  # fmt: skip
SOMETHING_TO_IT = ("Receive 3 if adjacent to a Lake, otherwise receive 0.", "Receive 1 for each 2 Parks in the city.", "Play another card.", "Farm 0.")


def test_sentences_that_come_to_nothing(tmp_path: Path) -> None:
    """An amount of 0 is told as that, whatever is paid, drawn or played; so are numbers below 0 on a card, but not a value that pays for a nuisance."""
    head, path = "zone: commercial\n  value: 1\n", tmp_path / "zero.rules"
    texts = "".join(f"    | {text}\n" for text in (*NOTHING_TO_IT, *SOMETHING_TO_IT))
    odd = 'card "Ruin" of block\n  zone: commercial\n  value: -2\n{}\n'
    others = odd.format("  crime: 1\n") + odd.format("  needs: -1\n").replace("Ruin", "Wreck")
    events = 'card "Storm" of block\n  zone: event\n  text\n    | Destroy 0 Residential cards.\n'
    path.write_text(f'for simcity\n\ncard "Zero House" of block\n  {head}  text\n{texts}{others}{events}', "utf-8")
    found = check([str(path)]).found
    nothing = [item.span.line for item in found if item.code == CODES["does-nothing"].code]
    storm = path.read_text("utf-8").count("\n")
    assert nothing == [*range(7, 7 + len(NOTHING_TO_IT)), storm]
    told = {item.message for item in found if item.code != CODES["does-nothing"].code}
    assert told == {
        "Wreck is worth -2: whoever places it pays, and it brings neither crime nor pollution, as printed cards do for which one pays.",
        "Wreck provides 0 sims and requires -1: there are never fewer than none.",
    }


def crowded(loaded: Loaded, game: Game, seed: int, built: int) -> Position:
    """A metropolis of so many blocks that lie side by side, and ten cards in a player's hand."""
    rng, s = random.Random(seed), game.start(seed).position.copy()
    grid = game.setup.boards["town"].grid
    kinds = loaded.compiled.rules.kinds["zone"].members
    values = {p: dict(game.setup.pieces[p].design.values) for p in s.places[("deck", None)]}
    blocks = [p for p, known in values.items() if kinds[known["zone"]] not in ("event", "politics") and not known.get("long")]
    lots = [grid.width * grid.height // 2]
    while len(lots) < built:
        lots.append(rng.choice(sorted({c for lot in lots for c in grid.neighbors[lot]} - set(lots))))
    for lot, block in zip(lots, blocks, strict=False):
        s.put(block, "stack", (lot,))
    for piece in s.places[("hand", 0)]:
        s.move(piece, ("deck", None))
    for block in blocks[built : built + 10]:
        s.move(block, ("hand", 0))
    s.assign("phase", None, 3)
    s.assign("opened", None, True)
    return s


def test_where_ten_cards_may_lie_is_found_fast(simcity: Loaded) -> None:
    """In a city of 150 blocks every lot is judged for every card of a hand of ten well within a second."""
    game = game_of(simcity, 3, (), {})
    lots = range(game.setup.boards["town"].cells)

    def allowed(s: Position) -> list[tuple[int, int]]:
        return [(b, lot) for b in s.places[("hand", 0)] for lot in lots if game.rules.accepts(s, "place", (0, b, frozenset([lot])))]

    found = allowed(crowded(simcity, game, 1, 150))  # all functions are written now
    s = crowded(simcity, game, 2, 150)
    started = time.process_time()
    again = allowed(s)
    assert time.process_time() - started < 0.8  # about 0.1 on the machine it was written on; every pair of ports tried, 1.1
    assert len(found) > 100 and len(again) > 100
