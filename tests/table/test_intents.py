"""Words a person types: what they are taken for, what they are refused for, and that nothing is
guessed when it matters.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.game.game import Game, Illegal, State, load
from interpreter.render.screen import Listener
from interpreter.table import commands
from interpreter.table.fuzzy import fit, nearness, one_slip, words
from interpreter.table.input import answer
from interpreter.table.intents import Search, Wish, against
from interpreter.table.menu import Menu
from interpreter.table.session import Table

ROOT = Path(__file__).resolve().parents[2]
letters = st.text("abcde", min_size=4, max_size=9)


@pytest.fixture(scope="module")
def city() -> State:
    """Big City as it begins: player 1 holds the cards of 18, 27 and 31, and the city hall does not
    stand yet.
    """
    game = load("big_city")
    state = game.start(7)
    while state.decisions[0].spec.mode != "action" or state.decisions[0].player:
        state = state.choose(
            next(o for o in state.decisions[0].options() if o.name != "action" or o.value == "pass")
        )
    return state


@pytest.fixture(scope="module")
def sims() -> Game:
    return load(str(ROOT / "tests/good/sims"))


def wishes(state: State, line: str, allowed: bool = True) -> list[Wish]:
    return Search(state, state.decisions[0].spec, words(line), allowed).run()


# -------------------------------------------------------------------------------- words
@given(letters, st.integers(0, 8), st.sampled_from("abcde"))
def test_one_slip_is_forgiven_and_two_words_are_not(word: str, place: int, letter: str) -> None:
    """A letter too many, too few, wrong or changed for its neighbour.

    Whichever way round one looks at it.
    """
    at = place % len(word)
    for slip in (
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
    ):
        assert one_slip(word, slip) and one_slip(slip, word)
    swapped = word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
    assert (
        one_slip(word, swapped)
        and not one_slip(word, word + "fg")
        and not one_slip(word, "fg" + word[2:])
    )


def test_numbers_are_meant_as_they_are_typed() -> None:
    """1 is neither 11 nor the beginning of 12, and b2 is no slip of b3."""
    assert (
        nearness("1", "11") is None
        and nearness("11", "11") == 0
        and nearness("abc2", "abc3") is None
    )
    assert (
        nearness("hou", "house") == 1
        and nearness("huose", "house") == 2
        and nearness("hous", "mouse") is None
    )


def test_a_number_belongs_to_the_word_before_it_and_is_used_once() -> None:
    """Of `pay player 1 2` the 2 is no part of a player.

    What an earlier choice has explained is not explained again.
    """
    typed = words("pay player 1 2")
    assert fit(typed, ("player", "1")).cost == 0 and fit(typed, ("player", "2")).missing == 1
    assert fit(words("pay player 1 to player 2"), ("player", "2")).cost == 0
    assert (
        fit(typed, ("2",), frozenset({3})).explained == {3}
        and fit(typed, ("1",), frozenset({3})).explained == frozenset()
    )
    assert fit(words("player 1 1"), ("player", "1")).explained == {0, 1}


def test_how_words_fit_a_text() -> None:
    """Words explained, words of the text left out, and slips.

    Little words need not mean anything.
    """
    typed = words("the Bigg house on 12")
    found = fit(typed, words("big house"))
    assert found.explained == {1, 2} and found.missing == 0 and found.cost > 0
    assert fit(typed, words("big house by the sea")).missing == 1 and fit(
        typed, words("a mouse")
    ).explained == {2}
    assert (
        fit(words("the"), words("by the sea")).explained == frozenset()
        and fit(words("a"), words("a")).missing == 0
    )


# ------------------------------------------------------------------------------- wishes
def test_one_line_names_several_choices(city: State) -> None:
    """A piece and its place, in any order and with a slip, is one wish.

    Following it makes all its choices.
    """
    for line in ("single residence on 18", "on 18 a single residnce", "place single res 18"):
        (wish,) = wishes(city, line)
        assert [step.text for step in wish.steps][1:] == ["single residence", "18"], line
    after = wish.follow(city)
    assert after.scores() == [3, 0] and city.scores() == [0, 0]


def test_what_is_not_named_in_full_is_not_guessed(city: State) -> None:
    """Two buildings could be meant: both are found, at the same cost, so that the person is
    asked.
    """
    found = wishes(city, "single on 18")
    assert {wish.steps[1].text for wish in found} == {"single business", "single residence"} and {
        wish.cost for wish in found
    } == {1}
    assert len(wishes(city, "18")) > 2, (
        "buildings there, and the card itself, which could be exchanged"
    )


def test_a_wish_can_stop_early(city: State) -> None:
    """What was named is chosen, and the rest is asked for."""
    (wish,) = wishes(city, "single business")
    assert wish.follow(city).decisions[0].prompt == "Where does the {b} go?"


def test_an_option_is_named_by_several_of_its_words(city: State) -> None:
    """Of several cards those are taken whose words were typed."""
    (wish,) = wishes(city, "exchange 18 27")
    chosen = {city.game.presenter.piece(p) for p in wish.steps[-1].value}
    assert chosen == {"property card neighborhood 1 18", "property card neighborhood 2 27"}
    assert wish.follow(city).position.vars["owed"][0] == 2


def test_a_refused_wish_gives_every_line(city: State) -> None:
    """A church far too early: three lines of the rules stand against it, each with its clause and
    citation.
    """
    assert wishes(city, "church on 11") == []
    (wish,) = wishes(city, "church on 11", allowed=False)
    found = against(city, wish)
    assert [r.label for r in found] == [
        "the card of every property",
        "only after the city hall",
        "only as the last building of its neighborhood",
    ]
    assert all(r.clause and r.cites and r.need for r in found)
    assert found[0].need == "player 1 holds the card of each of 11", (
        "what judging bound is not taken for what was chosen"
    )
    with pytest.raises(Illegal):
        wish.follow(city)


def test_a_wish_that_may_be_has_nothing_against_it(city: State) -> None:
    """Allowed or not, one judgement: what is found as allowed has no reason against it, what is not
    has.
    """
    for line in (
        "double residence",
        "residence 18",
        "exchange 18",
        "place",
        "pass",
        "streetcar",
        "27",
        "neighborhood 6",
    ):
        allowed = {wish.text for wish in wishes(city, line)}
        for wish in wishes(city, line, allowed=False)[:20]:
            assert (wish.text in allowed) == (against(city, wish) == []), (line, wish.text)


def test_unknown_words_are_found_nowhere(city: State) -> None:
    """Nothing is taken for what is called otherwise."""
    assert (
        wishes(city, "zebra")
        == wishes(city, "church on 99", allowed=False)
        == wishes(city, "18 zebra")
        == []
    )


def test_wishes_in_another_game(sims: Game) -> None:
    """A card of the hand and a cell; no word of it stands in the program."""
    state = sims.start(3)
    allowed = {}
    for card in {sims.presenter.piece(p) for p in state.position.places["hand", 0]}:
        for wish in wishes(state, f"{card} at c3", allowed=False):
            allowed[card] = against(state, wish) == []
            assert bool(wishes(state, f"{card} at c3")) == allowed[card]
    assert allowed == {"Row Houses": True, "Siding": True, "Back Yard": False}, (
        "the yard needs three sims, and none is there"
    )


def test_words_that_nothing_ahead_is_called_by_are_not_looked_for(city: State) -> None:
    """A search turns back at once where a word is left that no choice to come could explain."""
    spec = city.decisions[0].spec
    for wide in (False, True):
        lost = Search(city, spec, words("nothing of the kind"), False, wide)
        assert lost.run() == [] and lost.tried == 0
        half = Search(city, spec, words("church nowhere"), False, wide)
        assert half.run() == [] and half.tried == 0
    far = Search(city, spec, words("church on 11"), False)
    assert far.run() and 0 < far.tried < 100 and not far.broken_off


def test_a_search_that_reaches_its_bound_says_so(
    city: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not looked at is not denied."""
    monkeypatch.setattr("interpreter.table.intents.MOST_TRIED", 2)
    search = Search(city, city.decisions[0].spec, words("church on 11"), False)
    assert search.run() == [] and search.broken_off


def test_a_number_on_the_screen_is_a_name(city: State) -> None:
    """A property by its number, where no option bears it; what is asked otherwise is told."""
    screen = Listener()
    table = Table(city, {}, screen, None, commands.command, answer)
    decision = city.decisions[0]
    menu = Menu.of(city, decision)

    def said(line: str) -> str:
        screen.said.clear()
        if line.isdecimal():
            table.offers = []
        if not commands.command(table, line, decision, menu):
            answer(table, line, decision, menu)
        return "\n".join(screen.said)

    assert "“18” could be one of these" in said("18") and len(table.offers) > 2
    assert said("99") == f"There is no 99 here; the numbers go to {len(menu.values)}."
    assert "“player 2” is no answer to what is asked; `look player 2`" in said("why not player 2")
    later = city.choose(city.option(0, "action", "place_building"))
    table.state, decision = later, later.decisions[0]
    menu = Menu.of(later, decision)
    assert "you cannot choose “Exchange cards” now" in said("exchange 18")
