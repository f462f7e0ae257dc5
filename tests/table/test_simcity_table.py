"""Bad input at a table of SimCity, typed as people type it: the rulebook's answer where it has one,
a refusal with its clause where not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from keyboard import Keyboard, seat
from terminal import Session

from interpreter.game.game import Game, State, load

BARN, FOREST, FELLOW = (
    "Barn [3-0-0-0]",
    "Forest [1-0-0--1, grove of trees]",
    "Forest [1-0-0--1, road between trees]",
)
CORRUPT, BLUE, RED = (
    "Corrupt Council Member - Agricultural",
    "Council Member [man in blue]",
    "Council Member [woman in red]",
)  # 2, 1 and 2 votes


@pytest.fixture(scope="module")
def game() -> Game:
    return load("simcity", players=3)


class Typing(Keyboard):
    """Lines that are typed, and Enter wherever the keyboard is passed.

    Keeps what was said since the last line.
    """

    def ask(self, prompt: str) -> str | None:
        self.said.append(prompt)
        if "Enter" in prompt:
            return ""
        self.last, self.said = self.said, []
        return next(self.lines, None)


class Evening:
    """A table of three in the third phase, with a town and cards of our choice."""

    def __init__(
        self,
        game: Game,
        town: dict[str, tuple[int, int]],
        hands: Iterable[Iterable[str]] = (),
        councils: Iterable[Iterable[str]] = (),
        **states: object,
    ) -> None:
        state = game.start(1)
        s = state.position.copy()
        for p in range(3):
            for piece in list(s.places[("hand", p)]):
                s.move(piece, ("deck", None))

        def one(title: str) -> int:
            return next(
                i
                for i in game.setup.by_title[("block", title.lower())]
                if s.where[i] == ("deck", None)
            )

        for title, (column, row) in town.items():
            s.put(one(title), "stack", ((row - 1) * 31 + column - 1,))
        for place, each in (("hand", hands), ("council", councils)):
            for p, titles in enumerate(each):
                for title in titles:
                    s.move(one(title), (place, p))
        for name, value in ({"phase": 2, "opened": True} | states).items():
            for key, of in value.items() if isinstance(value, dict) else ((None, value),):
                s.assign(name, key, of)
        self.game, self.state = game, State(game, s)

    def type(self, *lines: str) -> str:
        """Type lines; gives what was said after the last of them, and what is asked then, without
        the maps.
        """
        keyboard = Typing(lines)
        table = seat(self.game, keyboard, (0, 1, 2))
        table.state = self.state
        self.state = table.play()
        return "\n".join(
            line for line in "\n".join(keyboard.last).splitlines() if line[:1] not in ("+", "|")
        )

    @property
    def money(self) -> list[int]:
        """What each player has."""
        return self.state.scores()


def proposed(game: Game, block: str = FELLOW, over: str = BARN, **states: object) -> Evening:
    """Player 1 has proposed a block for another.

    Player 3 is mayor and has two members, player 2 has one.
    """
    given = {"mayor": 2, "money": {0: 9, 1: 2}} | states
    evening = Evening(
        game, {over: (5, 5), FOREST: (6, 5)}, [[block]], [[], [BLUE], [CORRUPT, RED]], **given
    )
    assert "Pay somebody" in evening.type("propose a rezoning on e5")
    return evening


# -------------------------------------------------------------------------------- deals
def test_a_deal_that_breaks_the_cap(game: Game) -> None:
    """The Forest brings 1, so nobody pays or promises more about it, whatever he has."""
    evening = proposed(game)
    said = evening.type("pay somebody player 2 5")
    assert (
        "Refused" in said
        and "no more than the play earns [SC-168, OQ-42]" in said
        and "(it is 5, not at most 1)" in said
    )
    assert "“1” instead of “5” would do" in said
    said = evening.type("promise somebody player 3 7 dollars")
    assert (
        "How many dollars do you promise player 3 [SC-162]: needs one of 1 to what the proposed "
        "play earns, which is 1 (7 is not)"
        in said
        and "[SC-168, OQ-42]" in said
    )
    assert evening.money == [9, 2, 0]
    assert "player 1 pays player 2 1" in evening.type("pay player 2 1") and evening.money == [
        8,
        3,
        0,
    ]


def test_a_bribe_beyond_ones_means(game: Game) -> None:
    """The Barn would bring 3; who has 2 cannot pay 3."""
    evening = proposed(game, BARN, FOREST.replace("grove of trees", "road between trees"))
    evening.type("no deal")
    said = evening.type("pay player 1 3 dollars")
    assert (
        "How many dollars do you pay player 1? (you have 2) [SC-162]: needs one of 1 to player 2's "
        "money, which is 1 to 2 (3 is not)" in said
    )
    assert "within one's means [SC-084]" in said and "1 more of player 2's money would do" in said


def test_a_promise_to_oneself(game: Game) -> None:
    """Neither promise nor payment is understood as one to somebody else."""
    evening = proposed(game)
    for line in ("promise player 1 1", "pay player 1", "promise somebody player 1 2"):
        said = evening.type(line)
        assert "Refused" in said and "to another [SC-162]" in said, line
    assert evening.money == [9, 2, 0]


# -------------------------------------------------------------------------------- votes
def test_a_vote_out_of_turn(game: Game) -> None:
    """Members vote in their players' turns, the offices after all of them: another's member, and
    the mayor's voice, must wait.
    """
    evening = proposed(game)
    evening.type("no deal", "no deal")
    assert "Buy a Council Member is none of them" in evening.type("man in blue"), (
        "no time for members at all, while there is talk of deals"
    )
    said = evening.type("no deal")
    assert "player 2, which of your Council Members vote for" in said, (
        "player 1 has none, so he is not asked"
    )
    said = evening.type("woman in red")
    assert (
        "needs one of the members of player 2 whose cards leave the vote to him (Council Member "
        "[woman in red] is not)" in said
    )
    assert "[SC-057, SC-058, SC-059]" in said
    for line in ("aye", "vote yes"):
        said = evening.type(line)
        assert (
            "Nothing offered is called" in said
            and "player 2 is asked: Which of your Council Members vote for" in said
        ), line
    said = evening.type("pass")
    assert "Refused: you cannot choose “Pass” now" in said and "Pass [SC-005, SC-006]" in said
    assert "player 2 reports Council Member [man in blue]: nay" in evening.type(
        "none", "man in blue"
    )
    assert "player 3 reports" not in evening.type("tie")


def test_a_corrupt_member_votes_as_his_card_says(game: Game) -> None:
    """He is neither withheld nor turned: of an Agricultural rezoning he says yes, and his player is
    not asked about him.
    """
    evening = proposed(game, BARN, FELLOW)
    evening.type("no deal", "no deal", "no deal")
    said = evening.type("none", "none")
    assert f"player 3 reports {CORRUPT}: aye" in said and f"1  {RED}" in said
    for line in ("corrupt", f"{CORRUPT}, woman in red"):
        said = evening.type(line)
        assert "Refused" in said and f"({CORRUPT} is not)" in said and "SC-059" in said
    assert "as its card dictates [SC-059]: only if nay is" in evening.type(
        f"why not member_votes m='{CORRUPT}' said=nay"
    )
    assert f"player 3 reports {RED}: nay" in evening.type("none", "red")


def test_a_vote_with_a_member_one_has_not(game: Game) -> None:
    """A corrupt member of nobody's council votes for nobody."""
    evening = proposed(game)
    said = evening.type("no deal", "no deal", "no deal", "Corrupt Council Member - Industrial")
    assert (
        "Refused" in said
        and "SC-057" in said
        and "(Corrupt Council Member - Industrial is not)" in said
    )
    said = evening.type("why not member_votes m='Council Member [woman in red]' said=aye")
    assert (
        "a member of one's own [SC-057]: only if Council Member [woman in red] is in player 2's "
        "council" in said
    )


def test_more_members_than_there_are(game: Game) -> None:
    """What is named twice, or beside what is offered, leaves the vote open."""
    evening = proposed(game)
    evening.type("no deal", "no deal", "no deal")
    assert "There is no 2 here" in evening.type("1 2")
    assert "player 2, which of your Council Members vote for" in evening.type("1, man in blue")


def test_a_member_beyond_ones_means_and_out_of_time(game: Game) -> None:
    """He costs 5 of 4; and after that step of the turn nobody is bought at all."""
    evening = Evening(game, {}, [[BARN], [BLUE, RED, FOREST]], mayor=0, money={1: 4})
    said = evening.type("pass", "buy woman in red")
    assert (
        "Refused" in said
        and "within one's means [SC-086]" in said
        and "1 more of player 2's money would do" in said
    )
    assert (
        "“Council Member [man in blue]” instead of “Council Member [woman in red]” would do" in said
    )
    assert "player 2 buys Council Member [man in blue] for the council" in evening.type(
        "buy man in blue"
    ) and evening.money == [0, 1, 0]
    said = evening.type("buy woman in red")
    assert (
        "action [SC-002]: needs one of the actions offered here" in said
        and "(Buy a Council Member is none of them)" in said
    )


# ---------------------------------------------------------------------------- the mayor
def test_a_bid_beyond_ones_money(game: Game) -> None:
    """Votes for a mayor cost 1 each: who has 2 buys at most 2, and who has nothing is not asked."""
    evening = Evening(game, {}, [["Media Uncovers Bribe!"]], mayor=0, money={0: 6, 1: 2})
    assert "player 1 pays half of 6 and resigns" in evening.type(
        "media", "yes"
    ) and evening.money == [3, 2, 0]
    said = evening.type("5 votes")
    assert (
        "How many votes do you cast?" in said
        and "[SC-084, SC-138, OQ-21]" in said
        and "which is 0 to 2 (5 is not)" in said
    )
    assert "which is 0 to 2 (3 is not)" in evening.type(
        "3"
    ) and "Nothing is called “4”" in evening.type("2 votes player 4")
    assert "player 2 casts 2 votes for player 2 and pays 2" in evening.type("2 votes for player 2")
    assert "which is 0 to 3 (4 is not)" in evening.type("4"), (
        "player 3 has nothing; it is the old mayor's turn"
    )
    assert "player 1 casts one vote for player 1 and pays 1" in evening.type("1", "player 1"), (
        "no bid need be above another: votes add up"
    )
    assert "player 2 becomes mayor" in evening.type("0") and evening.money == [2, 0, 0]


def test_a_bid_out_of_turn(game: Game) -> None:
    """While one bids, nothing but his bid is taken."""
    evening = Evening(
        game, {}, [["Media Uncovers Bribe!", "Election"]], mayor=0, money={0: 6, 1: 2}
    )
    evening.type("media", "yes")
    for line, clause in (
        ("election", "SC-138"),
        ("pass", "SC-005, SC-006"),
        ("play an event", "SC-004"),
        ("play fire", "is asked"),
    ):
        said = evening.type(line)
        assert clause in said and said.endswith(
            "player 2, how many votes do you cast? (one costs 1, you have 2) "
        ), line
    assert evening.money == [3, 2, 0]


def test_a_payment_beyond_the_mayors_means(game: Game) -> None:
    """The rulebook answers: all he has and the office, or half, which may be all he has too."""
    for answer, said_so, left in (
        ("no", "player 1 pays 6", 0),
        ("yes", "player 1 pays half of 6 and resigns", 1),
    ):
        evening = Evening(game, {}, [["Media Uncovers Bribe!"]], mayor=0, money={0: 4})
        assert "player 1, do you resign, and pay half of 6? (yes or no)" in evening.type("media")
        said = evening.type("3 dollars")
        assert (
            "player 1 is asked: Do you resign, and pay half of 6? [SC-130, SC-134, OQ-22]" in said
        )
        assert said_so in evening.type(answer) and evening.money == [left, 0, 0]
        assert "player 2 is mayor" in evening.type("0", "look"), (
            "nobody has bought a vote: it falls to the left neighbor"
        )


def test_a_payment_beyond_the_governors_means(game: Game) -> None:
    """He pays what he has, is not asked for half, and nobody loses an office but he his."""
    evening = Evening(
        game, {}, [["Media Uncovers Bribe!"]], mayor=0, governors=frozenset({1}), money={0: 9, 1: 4}
    )
    said = evening.type("media")
    assert (
        "the governor pays in the mayor's place" in said
        and "resign" not in said
        and evening.money == [9, 0, 0]
    )
    assert "player 1 is mayor" in said and "governors" not in said


# ---------------------------------------------------------------------------- elections
def test_an_election_nobody_votes_in(game: Game) -> None:
    """The office of governor stays vacant, and so does the chair."""
    evening = Evening(game, {}, [["Election"]], mayor=1, money={0: 11})
    said = evening.type("election", "4")
    assert (
        "How many votes do you cast?" in said
        and "[SC-084, SC-138, OQ-21]" in said
        and "which is 0 to 3 (4 is not)" in said
    )
    said = evening.type(*["0"] * 5, "look")
    assert (
        "governors" not in said
        and "chairman" not in said
        and "player 2 is mayor" in said
        and evening.money == [11, 0, 0]
    )


# ------------------------------------------------------------------------------- events
def test_an_event_without_a_target(game: Game) -> None:
    """A fire needs something to burn."""
    evening = Evening(game, {}, [["Fire!", BARN]], mayor=0)
    said = evening.type("play an event fire")
    assert "Refused" in said and re.search(
        r"a target: block in the city \[SC-121.*\(there are none\); one would do", said
    )
    evening = Evening(game, {BARN: (5, 5)}, [["Fire!"]], mayor=0)
    assert "player 1 plays Fire!" in evening.type("fire")


def test_an_event_in_the_wrong_phase(game: Game) -> None:
    """None before the third phase, and none before the Power Plant; each is told."""
    evening = Evening(game, {BARN: (5, 5)}, [["Fire!", FOREST]], phase=1, opened=False)
    said = evening.type("play fire")
    assert (
        "the City phase [SC-004]" in said
        and "a Power Plant first [SC-070]" in said
        and "it would do once the phase is City" in said
    )
    evening = Evening(game, {BARN: (5, 5)}, [["Fire!", FOREST]], opened=False)
    said = evening.type("play fire")
    assert "a Power Plant first [SC-070]" in said and "the City phase" not in said


def test_an_event_that_is_no_event(game: Game) -> None:
    """A block is not played to the table, nor an Event into the city."""
    evening = Evening(game, {BARN: (5, 5)}, [["Fire!", FOREST]], mayor=0)
    assert "an Event in the hand [SC-004]" in evening.type("play an event forest")
    assert "a block in the hand [SC-004]" in evening.type("place fire on f5")


def test_what_is_forbidden_for_a_while(game: Game) -> None:
    """Zoning Problems: what one tries is refused by the card's own line, for two turns of its
    player.
    """
    evening = Evening(
        game, {BARN: (5, 5), FOREST: (6, 5)}, [["Zoning Problems!", FELLOW], [BARN]], mayor=0
    )
    evening.type("zoning problems")
    said = evening.type("propose a rezoning barn on f5")
    assert (
        "Refused" in said
        and "neither upgrade nor rezone: blocks [SC-202, SC-203, SC-204" in said
        and 'card "Zoning Problems!"' in said
    )


# ------------------------------------------------------------------- at a real terminal
def test_an_evening_of_simcity(tmp_path: Path) -> None:
    """What belongs to later phases is refused on the first evening, with what it would take."""
    table = Session(
        "play", "simcity", "--seats", "me,me", "--seed", "1", "--deck", "city_of_two", cwd=tmp_path
    )
    table.child.timeout = (
        180  # so many cards take a while to read, on a machine that does other things too
    )
    table.to_an_action()
    said = table.type("propose a rezoning")
    words = " ".join(said.split())
    assert "the phase is Settlement (phase I), not at least City (phase III)" in words
    assert "SC-052" in said
    assert "SC-002" in table.type("buy a council member")
    table.child.sendline("quit")
    assert table.ends() == 0
