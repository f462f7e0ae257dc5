"""What a player is told in SimCity: the lines against a wish, how much is lacking, the cheapest
change; and what a placement was paid for.
"""

from __future__ import annotations

import random

import pytest

from interpreter.engine.decisions import Option
from interpreter.game.game import Game, Illegal, State, load
from interpreter.render.table import common
from interpreter.table.fuzzy import words
from interpreter.table.intents import Search, against
from interpreter.table.suggest import instead


@pytest.fixture(scope="module")
def game() -> Game:
    return load("simcity", players=2, options={"deck": "village"})


def table(game: Game, town: dict[str, tuple[int, int]], hand: list[str], **states: object) -> State:
    """A player's turn in a town of these cards, with these in hand; lots by column and row."""
    state = game.start(1)
    s = state.position.copy()
    for piece in s.places[("hand", 0)]:
        s.move(piece, ("deck", None))

    def one(title: str) -> int:
        return next(
            i for i in game.setup.by_title[("block", title.lower())] if s.where[i] == ("deck", None)
        )

    for title, (column, row) in town.items():
        s.put(one(title), "stack", ((row - 1) * 31 + column - 1,))
    for title in hand:
        s.move(one(title), ("hand", 0))
    for name, value in states.items():
        s.assign(name, None, value)
    return State(game, s)


def refused(state: State, line: str) -> tuple[list[str], str]:
    """The lines against a wish that is not offered, and what could be instead."""
    spec = state.decisions[0].spec
    assert not Search(state, spec, words(line), True).run(), line
    wish = next(
        found[0]
        for wide in (False, True)
        if (found := Search(state, spec, words(line), False, wide).run())
    )
    return [str(reason) for reason in against(state, wish)], instead(state, wish)


def test_too_early(game: Game) -> None:
    """The phase that is, the phase it takes, and what may be placed there instead."""
    state = table(game, {"Farmhouse [white]": (5, 5)}, ["General Store", "Farm"])
    lines, other = refused(state, "general store on f5")
    assert lines == [
        "its phase [SC-075, OQ-9]: only if General Store's stage is at most the phase (it is "
        "Village (phase II), not at most Settlement (phase I)); "
        "it would do once the phase is Village (phase II)"
    ]
    assert other == "“Farm” instead of “General Store” would do"


def test_sims_that_are_lacking(game: Game) -> None:
    """How many come, by what, and how many more it takes."""
    state = table(game, {"Farmhouse [white]": (5, 5)}, ["Village Hall"], phase=1)
    lines, _ = refused(state, "village hall on f5")
    assert [line.split(": ", 1)[1] for line in lines] == [
        "only if enough sims reach Village Hall on f5 (the sims that reach Village Hall on f5 is "
        "2, which is the sims that reach Village Hall on f5 by road, "
        "not at least 4); 2 more would do"
    ]


def test_the_nearest_lot(game: Game) -> None:
    """What does not lie beside the city is moved as little as possible."""
    state = table(game, {"Farmhouse [white]": (5, 5)}, ["Farm"])
    lines, other = refused(state, "farm on g5")
    assert (
        lines[0]
        == "Where does Farm go [SC-022, SC-024]: needs one of the lots on and beside the city for "
        "Farm (g5 is not)"
    )
    assert (
        len(lines) == 2
        and lines[1].startswith("beside the city [SC-022,")
        and lines[1].endswith("(there are none); one would do")
    )
    assert other == "“f5” instead of “g5” would do, or 4 others"


def test_an_upgrade_that_loses_value(game: Game) -> None:
    """Each test of an upgrade that fails is told with its number."""
    state = table(game, {"Farm": (5, 5)}, ["Farmhouse [white]"])
    lines, other = refused(state, "farmhouse on e5")
    assert [line.partition(" [")[0] for line in lines] == ["no value lost", "something gained"]
    assert all(
        line.endswith(end)
        for line, end in zip(
            lines,
            ("(it is 2, not at least 3); 1 more would do", "2, not more than 3); 2 more would do"),
            strict=True,
        )
    )
    assert other == "“e4” instead of “e5” would do, or 3 others"


def test_the_power_plant_comes_first(game: Game) -> None:
    """In the city phase the gate is told by what opens it."""
    state = table(game, {"Farmhouse [white]": (5, 5)}, ["Office Center", "Farm"], phase=2)
    lines, _ = refused(state, "office center on f5")
    assert lines[0] == (
        "a Power Plant first [SC-068, OQ-10]: only if Office Center is a Power Plant, or a Power "
        "Plant has been built; "
        "it would do once a Power Plant has been built"
    )


def test_the_phase_is_always_told(game: Game) -> None:
    """A player sees how far the city is, from the first turn on."""
    assert any(line.startswith("Settlement (phase I)") for line in common(game.start(1), 0))


def test_beyond_ones_means(game: Game) -> None:
    """Money that is lacking is told as money, with the clause.

    A promise above what the play earns, and one to oneself, likewise.
    """
    state = table(game, {}, [])
    state.position.assign("money", 0, 2)
    assert [str(reason) for reason in state.why_not(0, "bribe", q=0, r=1, n=5)] == [
        "within one's means [SC-084]: only if 5 is at most player 1's money (it is 5, not at "
        "most 2); 3 more of player 1's money would do",
        "no more than the play earns [SC-168, OQ-42]: only if 5 is at most what the proposed play "
        "earns (it is 5, not at most 0); "
        "5 more of what the proposed play earns would do",
    ]
    assert [r.label for r in state.why_not(0, "promise", q=0, r=0, n=0)] == ["to another"]
    assert [r.label for r in state.why_not(0, "promise", q=0, r=1, n=2)] == [
        "no more than the play earns"
    ]
    assert not state.why_not(0, "bribe", q=0, r=1, n=0)


def test_out_of_turn(game: Game) -> None:
    """Who is not asked is told who is; who asks for what is not offered here is told what is."""
    state = table(game, {"Farmhouse [white]": (5, 5)}, ["Farm"])
    with pytest.raises(Illegal) as caught:
        state.choose(Option(1, "action", "pass"))
    assert "player 2 does not decide" in str(caught.value)
    with pytest.raises(Illegal) as caught:
        state.choose(Option(0, "action", "hire_one"))
    assert "Place a block" in str(
        caught.value.reasons[0]
    ) and "Buy a Council Member is none of them" in str(caught.value.reasons[0])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_explanation_adds_up(game: Game, seed: int) -> None:
    """Of every placement of a game by chance: the lines of the score sum up to it, and each that a
    card pays names the card.
    """
    rng, state, placed = random.Random(seed), game.start(seed), 0
    while not state.over and state.moves < 60:
        state = state.choose(state.decisions[0].sample(rng))
    for entry in [e for e in state.log if e.kind == "event" and e.name == "place"]:
        tree = state.explain(entry)
        assert tree is not None
        (total,) = [t for t in entry.totals if t.table == "worth"]
        (score,) = [part for part in tree.parts if part.text.startswith("worth")]
        signed = [-line.amount if line.op == "-" else line.amount for line in total.lines]
        assert sum(signed) == total.total == score.value
        assert [part.value for part in score.parts] == [line.amount for line in total.lines]
        assert all('card "' in part.text for part in score.parts if "sentence" in part.clause)
        placed += 1
    assert placed > 3


def test_a_sentence_that_lets_a_play_pass_has_counted() -> None:
    """It counts that the play was made, and not that one was thought of."""
    game = load("simcity", players=2)
    state = table(game, {"Mountain [1-0-0--2]": (5, 5)}, ["Cavern"])
    sentence = 'card "Cavern"/sentence 1'
    game.rules.fired.clear()
    (wish,) = (
        w
        for w in Search(state, state.decisions[0].spec, words("cavern on e4"), True).run()
        if "Place" in w.text
    )
    assert sentence not in game.rules.fired
    wish.follow(state)
    assert sentence in game.rules.fired
