"""The surface in Python: whole moves, players from 1, views, imagined states, and bad input refused
in words.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rulelang

ROOT = Path(__file__).parents[2]
BOARD = ["11 12 13", "14 15 16", "17 18 19"]
HEX = str(ROOT / "tests/good/hex")
TIC_TAC_TOE = str(ROOT / "tests/good/tic_tac_toe")
SEALED = str(ROOT / "tests/good/sealed")
SIMS = str(ROOT / "tests/good/sims")


@pytest.fixture(scope="module")
def big_city() -> rulelang.Game:
    return rulelang.load("big_city", players=2)


@pytest.fixture(scope="module")
def midway(big_city: rulelang.Game) -> rulelang.State:
    return played(big_city, 12)


@pytest.fixture(scope="module")
def to_build(big_city: rulelang.Game) -> rulelang.State:
    """Player 1 has the cards of two lots beside each other."""
    return big_city.position(
        {
            "boards": {"city": BOARD},
            "places": {
                "hand of p1": ["property card neighborhood 1 11", "property card neighborhood 1 12"]
            },
            "turn": {"procedure": "turn", "player": "p1"},
        }
    )


def played(game: rulelang.Game, moves: int, seed: int = 3) -> rulelang.State:
    state, rng = game.start(seed), random.Random(seed)
    for _ in range(moves):
        if not state.over:
            state = state.play(state.sample_move(rng))
    return state


# --------------------------------------------------------------------------------- moves
@pytest.mark.parametrize("name", ["big_city", HEX, SIMS, SEALED, TIC_TAC_TOE])
def test_whole_moves_are_the_choices_put_together(name: str) -> None:
    """Every listed move leads where its choices lead one by one; samples are among the listed."""
    state, rng = rulelang.load(name).start(5), random.Random(1)
    for _ in range(6):
        if state.over:
            break
        moves = list(state.legal_moves())
        assert moves and len(set(moves)) == len(moves) == state.count_moves()
        assert state.count_moves(limit=2) == min(2, len(moves))
        move = state.sample_move(rng)
        assert move in moves and str(move) and move.player == state.deciding[0]
        at = state
        for choice in move.choices:
            assert choice.player == move.player
            at = at.choose(choice)
        assert at == state.play(move) and at != state
        state = at


def test_a_move_ends_where_something_new_is_shown(big_city: rulelang.Game) -> None:
    """No state before the last choice of a move has shown anything, so each of them can be taken
    back.
    """
    state, rng = big_city.start(2), random.Random(2)
    for _ in range(20):
        if state.over:
            break
        move = state.sample_move(rng)
        at = state
        for choice in move.choices[:-1]:
            at = at.choose(choice)
            assert at.undo() is not None and at.deciding == (move.player,)
        state = state.play(move)


def test_moves_are_named(to_build: rulelang.State) -> None:
    """By action, title or event, with titles and labels; what can only be one way may be left
    out.
    """
    by_name = to_build.move("place_building", b="double residence", at=[11, 12])
    by_title = to_build.move(
        "Place a building, a park or a factory", b="Double Residence", at=("11", "12")
    )
    by_event = to_build.move("build", b="double residence", at=[12, 11])
    assert by_name == by_title == by_event and hash(by_name) == hash(by_event)
    assert by_name.name == "place_building" and set(by_name.arguments) == {"b", "at"}
    assert "double residence" in str(by_name) and "11, 12" in str(by_name)
    after = to_build.play("build", b="double residence", at=[11, 12])
    assert after == to_build.play(by_name) and after.scores()[1] > to_build.scores()[1] == 0
    assert to_build.deciding == (1,)


def test_a_move_is_played_where_it_is_legal(to_build: rulelang.State) -> None:
    """A move of an imagined state may be played in the real one; of another game it may not."""
    guess = to_build.imagine(1, random.Random(4))
    move = next(iter(guess.legal_moves()))
    assert to_build.play(move).choice_count > to_build.choice_count
    other = rulelang.load(TIC_TAC_TOE).start()
    with pytest.raises(rulelang.Illegal, match="a move of big_city, and tic_tac_toe is played"):
        other.play(move)
    first = next(iter(other.legal_moves()))
    before = other.play(first)
    with pytest.raises(rulelang.Illegal, match="player 1 is not asked for"):
        before.play(first)
    assert before == other.play(first)


def test_a_refused_move_says_why(to_build: rulelang.State) -> None:
    """The reasons name clauses and statements; nothing has changed."""
    before = to_build.as_json()
    with pytest.raises(rulelang.Illegal) as caught:
        to_build.play("build", b="bank", at=[14])
    assert caught.value.reasons and to_build.as_json() == before
    refusals = to_build.why_not("build", by=1, b="bank", at=[14])
    assert {"BC-134", "BC-143"} <= {cite for refusal in refusals for cite in refusal.cites}
    assert to_build.why_not("build", b="double residence", at=[11, 12]) == []


# ----------------------------------------------------------------------------- bad input
BAD: dict[str, tuple[Callable[[rulelang.State], object], str]] = {
    "a player": (lambda s: s.view(3), "no player 3: players are 1 to 2"),
    "player 0": (lambda s: s.imagine(0, random.Random(1)), "no player 0"),
    "whose move": (lambda s: s.move(by=2), "player 2 is not to decide now; to decide is player 1"),
    "an action": (lambda s: s.play("biuld"), "no action 'biuld'"),
    "an action nearly": (lambda s: s.play("place_bilding"), "did you mean 'place_building'"),
    "a title": (
        lambda s: s.play("build", b="duble residence", at=[11, 12]),
        "did you mean 'double residence'",
    ),
    "a choice": (lambda s: s.play("build", c="bank"), "say what b is"),
    "a choice too many": (
        lambda s: s.play("build", b="double residence", at=[11, 12], c=1),
        "not asked for c; it is asked for action, b, at",
    ),
    "a board": (lambda s: s.board("citty"), "did you mean 'city'"),
    "an argument": (lambda s: s.why_not("build", x=1), "build has no choice 'x'"),
    "an entry": (lambda s: s.game.position({"plases": {}}), "did you mean 'places'"),
    "a place": (lambda s: s.game.position({"places": {"hand": []}}), "say whose"),
    "a piece": (
        lambda s: s.game.position({"places": {"supply": ["benk"]}}),
        "did you mean 'bank'",
    ),
    "a piece twice": (
        lambda s: s.game.position(
            {"places": {"hand of p1": ["property card neighborhood 1 11"] * 2}}
        ),
        "each piece is placed once",
    ),
    "a variable": (lambda s: s.game.position({"state": {"point": 1}}), "did you mean 'points'"),
    "a kind of data": (lambda s: s.game.position({"places": []}), r"places: \[\] is no dict"),
    "a procedure": (
        lambda s: s.game.position({"turn": {"procedure": "trun"}}),
        "did you mean 'turn'",
    ),
    "a turn of nobody": (
        lambda s: s.game.position({"turn": {"procedure": "turn"}}),
        "turn needs a value for p: player",
    ),
    "a seed": (lambda s: s.game.start("x"), "a seed is a whole number"),  # type: ignore[arg-type]  # on purpose
    "a number of players": (lambda s: rulelang.load("big_city", players="2"), "whole number"),  # type: ignore[arg-type]  # on purpose
    "an agent": (lambda s: rulelang.simulate(s.game, 1, "rondom"), "did you mean 'random'"),
    "agents": (
        lambda s: rulelang.simulate(s.game, 1, ["random"]),
        "1 agents are given, and 2 play",
    ),
}


@pytest.mark.parametrize("wrong", BAD)
def test_bad_input_is_told(wrong: str, to_build: rulelang.State) -> None:
    """What is wrong is named, with what would be right, by an exception of ours; nothing has
    changed.
    """
    before = to_build.as_json()
    call, message = BAD[wrong]
    with pytest.raises(rulelang.RulelangError, match=message):
        call(to_build)
    assert to_build.as_json() == before


@pytest.mark.parametrize(
    "settings",
    [{"name": "big_citty"}, {"players": 99}, {"variants": "tradin"}, {"options": {"lvel": 1}}],
)
def test_wrong_settings_are_told_as_diagnostics(settings: dict[str, object]) -> None:
    """A game, a number of players, a variant, an option that is not there."""
    with pytest.raises(rulelang.RulesError) as caught:
        rulelang.load(**{"name": "big_city", **settings})  # type: ignore[arg-type]  # of all kinds
    assert all(isinstance(item, rulelang.Diagnostic) for item in caught.value.found)


def test_another_version_is_named(midway: rulelang.State) -> None:
    """A record of another format, or of rules that another version compiled, names that version."""
    data = midway.record().model_dump()
    assert data["version"] == rulelang.__version__
    with pytest.raises(
        rulelang.RecordError, match=r"written by rulelang 9\.1 \(records of format 2"
    ):
        midway.game.replay({**data, "format": 2, "version": "9.1"})
    with pytest.raises(
        rulelang.RecordError, match=r"other version of the rules \(by rulelang 9\.1"
    ):
        midway.game.replay({**data, "rules": "x", "version": "9.1"})


# ------------------------------------------------------------------------------- looking
def test_views_have_the_documented_schema(midway: rulelang.State) -> None:
    """The schema in docs is the model's, and no hidden title stands in a view."""
    schema = json.loads((ROOT / "docs/view.schema.json").read_text("utf-8"))
    assert schema == rulelang.View.model_json_schema()
    for player in (None, 1, 2):
        view = midway.view(player)
        assert view.viewer == player
        assert rulelang.View.model_validate_json(view.model_dump_json()) == view
    other = midway.view(1).places["hand of p2"]
    assert other and all(isinstance(card, dict) for card in other)


def test_an_imagined_state_looks_the_same(midway: rulelang.State) -> None:
    """To the player it is imagined for, not to the others; it can be played on."""
    guesses = [midway.imagine(1, random.Random(seed)) for seed in range(3)]
    assert all(guess.view(1) == midway.view(1) for guess in guesses)
    assert any(guess.view(2) != midway.view(2) for guess in guesses)
    assert guesses[0].play(guesses[0].sample_move(random.Random(1))) != guesses[0]


def test_positions_are_read_only_and_come_back(midway: rulelang.State) -> None:
    """Nothing of a position can be written to; as data it is a position of the game again."""
    position = midway.position
    with pytest.raises(TypeError):
        position.places["hand of p1"] = ()  # type: ignore[index]  # on purpose
    with pytest.raises(AttributeError):
        position.places = {}  # type: ignore[misc]  # on purpose
    again = midway.game.position(json.loads(json.dumps(position.as_json())))
    assert again.position == position
    assert midway.game.position(json.loads(json.dumps(midway.as_json()))) == midway
    assert midway.game.replay(midway.record()) == midway


def test_boards_are_graphs(to_build: rulelang.State) -> None:
    """Cells by label with what lies there; sides shared by two cells are edges."""
    state = to_build.play("build", b="double residence", at=[11, 12])
    graph = state.board("city")
    assert graph.number_of_nodes() == 9 and graph.number_of_edges() == 12
    assert sorted(graph["15"]) == ["12", "14", "16", "18"]
    on = [label for label, data in graph.nodes(data=True) if any(data["pieces"].values())]
    assert on == ["11", "12"]
    assert "double residence" in sum(graph.nodes["11"]["pieces"].values(), ())


def test_players_are_numbers_from_1(midway: rulelang.State) -> None:
    """Scores, ranking, winners, deciding players, moves, choices, decisions and views alike."""
    assert set(midway.scores()) == {1, 2}
    assert sorted(p for tied in midway.ranking for p in tied) == [1, 2]
    assert set(midway.winners) <= {1, 2} and set(midway.deciding) <= {1, 2}
    assert [d.player for d in midway.decisions] == list(midway.deciding)
    assert [d.player for d in midway.view().decisions] == list(midway.deciding)
    assert all("player 0" not in line for line in midway.log(1))


def test_everything_prints_readably(to_build: rulelang.State) -> None:
    """No default repr of Python stands on the surface."""
    move = to_build.move("build", b="double residence", at=[11, 12])
    after = to_build.play(move)
    shown = [to_build.game, to_build, to_build.decisions[0], move, move.choices[0], after.explain()]
    shown += [rulelang.simulate(to_build.game, 1), rulelang.random_agent(1), after.position]
    assert all(" at 0x" not in repr(item) for item in shown)
    assert repr(to_build.game) == "<Game big_city: 2 players>"
    assert repr(to_build) == "<State of big_city after 0 choices: player 1: action>"


def test_scores_are_explained(to_build: rulelang.State) -> None:
    """The last event that scored as a tree whose lines add up."""
    tree = to_build.play("build", b="double residence", at=[11, 12]).explain(1)
    assert tree is not None and "double residence" in str(tree)
    assert to_build.scores()[1] == 0 and tree.parts[0].value is not None


# -------------------------------------------------------------------------------- agents
def test_agents_make_whole_legal_moves() -> None:
    """Ours and one of a user, in one game; the same seeds give the same end."""

    def first(state: rulelang.State) -> rulelang.Move:
        return next(iter(state.legal_moves()))

    game = rulelang.load(HEX, options={"size": 5})
    for mine in (rulelang.random_agent, rulelang.hasty_agent, rulelang.greedy_agent):
        ends = [rulelang.play_out(game.start(1), [mine(4), first]) for _ in range(2)]
        assert ends[0] == ends[1] and ends[0].over and len(ends[0].winners) == 1


def test_simulations_agree_however_they_are_played() -> None:
    """By whole moves, by a module or state by state, as many games are played; shares of wins add
    up to them, and a module plays the very same as many as are few.
    """
    game = rulelang.load(TIC_TAC_TOE)
    quick = rulelang.simulate(game, 30)
    slow = rulelang.simulate(game, 30, rulelang.random_agent(1))
    for found in (quick, slow):
        assert len(found.scores) == found.games == 30 and not found.faults
        assert sum(found.wins().values()) == pytest.approx(sum(bool(w) for w in found.winners))
    assert quick == rulelang.simulate(game, 30)
    assert quick.scores[:10] == rulelang.simulate(game, 10).scores


def test_texts_are_checked_and_explained(big_city: rulelang.Game) -> None:
    """As the commands do: findings with codes, and a sentence with one reading."""
    found = rulelang.check(ROOT / "tests/bad/unknown-word.rules")
    assert found and all(item.code for item in found)
    (sentence,) = rulelang.explain(big_city, "Worth 2.")
    assert len(sentence.readings) == 1 and not sentence.findings


# ------------------------------------------------------------------------------ pictures
@pytest.mark.parametrize("name", ["big_city", HEX, SIMS, "cities"])
def test_boards_are_drawn_as_svg(name: str) -> None:
    """A picture of every board with the labels of its cells and a legend of what lies there."""
    state = played(rulelang.load(name), 6)
    svg = state._repr_svg_()
    assert svg is not None
    texts = {e.text for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
    for board, cells in state.position.boards.items():
        for label in cells:
            if not board or "-" not in label:
                assert label.partition(" of ")[0] in texts


def test_a_game_without_a_board_has_no_picture() -> None:
    """Notebooks then show the text."""
    assert rulelang.load("the_city", players=2).start(1)._repr_svg_() is None
