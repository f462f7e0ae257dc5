"""What the rules can work out is shown on demand, its cells marked.

Nothing that is hidden, and nothing is changed by trying.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from compiling import findings

from interpreter.game.formatting import column_letters
from interpreter.game.game import Game, State, load
from interpreter.render.board import draw_board
from interpreter.render.look import Look
from interpreter.table.inspect import is_cell, look, named
from interpreter.table.menu import Menu, Unclear
from interpreter.table.previews import drawn, previews
from interpreter.table.queries import show, showable, trial


@pytest.fixture(scope="module")
def city() -> Game:
    return load("cities", players=2, options={"level": 3})


def laid_out(game: Game) -> State:
    """Tile 7 (attraction and park over park and water) right of tile 1 (two attractions over two
    parks), in both cities.
    """
    s = game.position({"state": {}}).position
    width = game.setup.boards["city"].grid.width
    for player in range(2):
        for number, column in ((1, 10), (7, 12)):
            tile = next(
                t
                for t in game.setup.by_component["tile"]
                if game.setup.pieces[t].owner == player and game.setup.fields["number"][t] == number
            )
            low = player * game.setup.boards["city"].cells + 10 * width + column
            s.lay(tile, "city", (low, low + 1, low + width, low + width + 1))
    tourist = next(t for t in game.setup.by_component["tourist"] if game.setup.pieces[t].owner == 1)
    s.put(tourist, "guest", (game.setup.boards["city"].cells + 10 * width + 10,))
    return State(game, s)


def starred(lines: list[str]) -> list[str]:
    """The labels that bear a star."""
    return sorted(
        word.strip("|:*")
        for line in lines[1:]
        for word in str(line).replace(":", " ").replace("|", " ").split()
        if word.endswith("*")
    )


@pytest.mark.parametrize(
    ("wanted", "first", "marked"),
    [
        ("zone 11", "the zone of 11 of player 1: 3, marked with *", ["11", "12", "71"]),
        ("the zone of 13", "the zone of 13 of player 1: 3, marked with *", ["13", "14", "73"]),
        ("Zone 72", "the zone of 72 of player 1: 1, marked with *", ["72"]),
        ("zone 11 of player 2", "the zone of 11 of player 2: 3, marked with *", ["11", "12", "71"]),
        ("zone 74", "the zone of 74 of player 1: none", []),
        ("beside 13 water", "water beside the zone of 13 of player 1: 1, marked with *", ["74"]),
        ("ground 74", "the kind of 74 of player 1: water", []),
        (
            "fields of p1 park",
            "the fields of player 1 with park: 4, marked with *",
            ["13", "14", "72", "73"],
        ),
        ("total 2", "what the tourists of player 2 earn: 3", []),
        ("total me", "what the tourists of player 1 earn: 0", []),
    ],
)
def test_sites_are_marked_and_values_told(
    city: Game, wanted: str, first: str, marked: list[str]
) -> None:
    """By name or in the rules' own words, one's own board first.

    Counted by hand from the two tiles.
    """
    lines = show(laid_out(city), wanted, 0)
    assert lines[0] == first
    assert starred(lines) == marked


def test_a_table_is_told_line_by_line(city: Game) -> None:
    """A piece is named by where it lies; three attractions, and no terrace beside them."""
    lines = show(laid_out(city), "worth 11 of player 2", 0)
    assert lines[0] == "what tourist earns: 3"
    assert any("+ 3 attractions of the zone = 3" in line and "CI-064" in line for line in lines)


def test_what_cannot_be_shown_is_said(city: Game) -> None:
    """Unknown names and values are told; without words there is a list of what can be shown."""
    state = laid_out(city)
    assert "  the zone of [field]" in show(state, "", 0), "in words that can be typed"
    for wanted, part in (
        ("nonsense", "nonsense"),
        ("zone 99", "99"),
        ("worth 12", "12"),
        ("zone", "zone"),
        ("zone " + "x" * 5000, "x"),
    ):
        with pytest.raises(Unclear, match=part):
            show(state, wanted, 0)


def test_a_map_without_marks_is_as_before(city: Game) -> None:
    """The star is all that is added, and what is printed on a tile stands on the map."""
    s = laid_out(city).position
    pointed = {("city", "cell", cell): "*" for cell in s.present("city", 0)}
    plain, marked = (
        [row.plain for row in draw_board(city, s, "city", 0, look)]
        for look in (Look(), Look(pointed=pointed))
    )
    assert "\n".join(marked).count("*") == 8 and "*" not in "\n".join(plain)
    assert "At attraction" in plain[-1] and "Wa water" in plain[-1]


def test_trying_changes_nothing(city: Game) -> None:
    """The boards after an option are shown, the state stays.

    A choice that would show something new is not tried.
    """
    state = city.start(3)
    rng = random.Random(3)
    while state.decisions[0].name != "way":
        state = state.choose(state.decisions[0].sample(rng))
    digest = state.digest()
    decision = state.decisions[0]
    later = state.choose(Menu.of(state, decision).read("2"))
    lines = trial(state, later, "this way", decision.player)
    assert lines[0] == "If you choose this way:" and len(lines) > 5
    assert state.digest() == digest and state.position.tiles["city"] == {}
    alone = load("cities", players=1).start(3)
    while alone.decisions[0].name != "action":
        alone = alone.choose(alone.decisions[0].sample(rng))
    menu = Menu.of(alone, alone.decisions[0])
    later = alone.choose(menu.read("Leave the tourists where they are"))
    with pytest.raises(Unclear, match="something new"):
        trial(alone, later, "", 0)


SECRETS = b"""
game secrets "Secrets"
  players: 2
component card
  worth: number
  pieces title, worth
    | ace 9
    | bee 4
place deck: card, ordered, hidden, full
place hand of player: card, private
place table: card
state mood: number = 0, hidden
define open_worth reads "what lies open" = sum of (x's worth for x in table)
define top_worth reads "the top of the deck" = (top of deck)'s worth
define hand_worth(p: player) reads "the hand of {p}" = sum of (x's worth for x in p's hand)
define guess reads "a guess" = hand_worth(p1) + 1
define keeper(x: card) gives player or none reads "who has {x}" = x's holder
define gloom reads "the mood" = mood > 0
define silent = 4
event lay_open(p: player, x: card)
  move x to table
rules of lay_open(p, x)
  "a card of the hand"  x in p's hand
define playable(p: player, x: card) reads "{p} may play {x}" = can lay_open(p, x)
flow
  draw 1 from deck to p1's hand
  choose x in p1's hand by p1
  move x to table
"""


def test_nothing_hidden_is_shown(tmp_path: Path) -> None:
    """What reads hidden or private things, by whatever way round, cannot be shown.

    Nor what says no words of itself.
    """
    assert findings({"secrets.rules": SECRETS})[0] == []
    (tmp_path / "secrets.rules").write_bytes(SECRETS)
    game = load(str(tmp_path))
    assert [item.name for item in showable(game.rules_source)] == ["open_worth"]
    assert show(game.start(1), "what lies open", 1) == ["what lies open: 0"]


WRONG = b"""
game wrong "Wrong"
  players: 2
board yard
  grid: square, 3 by 3
  cells: bed
  labels: number_of
  shows: light, nothing_known
define number_of(n: number) = n + 1
define light(b: bed) = b's row
flow
  choose b in beds by p1
"""


def test_labels_and_what_is_shown_are_definitions_of_a_cell() -> None:
    """A definition of something else, or none of that name, is told where it is named."""
    found, _ = findings({"wrong.rules": WRONG})
    assert [(item.code, item.span.line) for item in found] == [("T016", 7), ("T016", 8)]
    assert "`define number_of(b: bed)`" in found[0].message and "nothing_known" in found[1].message


def test_few_options_are_drawn_as_they_would_lie(city: Game) -> None:
    """A tile in its four turns, beside one another with one legend; a place is no such option."""
    state = city.start(5)
    while "turn" not in state.decisions[0].prompt:
        state = state.choose(next(state.decisions[0].options()))
    menu = Menu.of(state, state.decisions[0])
    found = previews(state, menu.decision, menu.values)
    assert [menu.texts[menu.values.index(p.value)] for p in found] == menu.texts
    assert len({tuple(sorted(p.position.tiles["city"].items())) for p in found}) == 4
    wide = [line.plain for line in drawn(state, menu, Look(0, 80, True))]
    assert wide[0].split("  ")[:2] == ["1", menu.texts[0]] and "4  turned left" in wide[0]
    assert wide[-1].startswith("At attraction · ") and sum("At attr" in line for line in wide) == 1
    narrow = [line.plain for line in drawn(state, menu, Look(0, 40, True))]
    assert len(narrow) > len(wide) and max(map(len, narrow)) <= 40
    state = state.choose(next(menu.decision.options()))
    while "go?" not in state.decisions[0].prompt:
        state = state.choose(next(state.decisions[0].options()))
    places = Menu.of(state, state.decisions[0])
    assert drawn(state, places, Look(0, 80, True)) == []


def test_what_is_named_without_its_values_says_what_it_needs(city: Game) -> None:
    """By its name in the rules, or in its own words."""
    state = laid_out(city)
    for wanted in ("worth", "zone", "the zone of"):
        with pytest.raises(Unclear, match=r"say of which \[\w+\], as in `show "):
            show(state, wanted, 0)


def test_names_on_the_screen_are_known(city: Game) -> None:
    """A place of one's own, a tile by its number, a spot by column and row."""
    state = laid_out(city)
    assert all("player 1" in line for line in look(state, "my stock", 0))
    assert len(look(state, "the stock", 0)) == 2
    cell = min(state.position.present("city", 0))
    column, row = city.setup.boards["city"].grid.position(cell)
    spot = f"{column_letters(column)}{row + 1}"
    assert look(state, spot, 0)[0].endswith(named(state, spot, 0)[0].partition(": ")[2])
    assert is_cell(state, spot, 0) and not is_cell(state, "zebra", 0)
