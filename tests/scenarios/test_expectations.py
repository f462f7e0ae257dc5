"""What scenarios expect: each line holds, or is told with what is so instead."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from interpreter.game.loading import load_rules
from interpreter.scenarios.scenario import Outcome, run_all

GAME = """
game stalls "Stalls"
  players: 2
  citations: "ST"

component ware
  worth: number
  pieces title, worth, copies
    | Apple  1 2
    | Bread  3 1
    | Cheese 5 1

place store: ware, full
place basket of player: ware, private
state coins of player: number = 2
state secret of player: number = 0, private
state turns: number = 0

event buy(p: player, x: ware)
  subtract price(x) from p's coins
  add worth_of(x) to turns
  move x to p's basket

score worth_of(x: ware)
  start x's worth "worth"
  + 1 "hungry"  when turns = 0
  open "cards"

define price(x: ware) gives number = x's worth

rules of buy(p, x)
  "in the store"  x in store                                                  [ST-001]
  "paid for"      p's coins >= price(x)                                       [ST-002]

action shop(p: player) "Go shopping"
  choose x in store by p "ware"
  do buy(p, x)

action rest(p: player) "Rest"
  add 1 to turns

procedure turn(p: player)
  take one of shop, rest by p

flow
  repeat
    each p in turn
      do turn(p)
"""


def outcome(tmp_path: Path, steps: str, game: str = GAME) -> Outcome:
    """What comes of a scenario of these steps."""
    text = f'{game}\nscenario "this"\n{textwrap.indent(textwrap.dedent(steps), "  ")}'
    (tmp_path / "game.rules").write_text(text, "utf-8")
    loaded = load_rules(str(tmp_path))
    assert not loaded.compiled.report.errors, loaded.compiled.report.errors
    (found,) = run_all(loaded)
    return found


def messages(tmp_path: Path, steps: str, game: str = GAME) -> list[str]:
    """What does not hold in a scenario of these steps."""
    return [failure.message for failure in outcome(tmp_path, steps, game).failures]


# --------------------------------------------------------------------------- asked, offered, known
def test_what_is_asked_and_offered_can_be_expected(tmp_path: Path) -> None:
    """By player or not, exactly or among others, by name, by title or by the text on the screen."""
    assert not messages(
        tmp_path,
        """
        start
        expect asked: action
        expect asked of p1: action
        expect asked of p2: nothing
        expect offered to p1: shop, "Rest"
        expect offered: rest, shop
        expect offered to p1 among others: rest
        expect offered to p2: nothing
        expect not offered to p2: rest
        play p1: take(action: "shop")
        expect asked of p1: x
        expect asked of p1: "ware"
        expect not asked of p1: action
        expect offered to p1: "Apple"
        expect offered to p1: {x in store where x's worth < 3}
        expect not offered to p1: "Bread", "Cheese"
        """,
    )


def test_what_is_asked_otherwise_is_told(tmp_path: Path) -> None:
    """Too much, too little, and what should not be: each is told with what there is."""
    assert messages(
        tmp_path,
        """
        start
        expect asked of p1: x
        expect offered to p1: shop
        expect offered to p1 among others: shop
        expect offered to p1: shop, rest, "Bread"
        """,
    ) == [
        "asked of p1: action; expected, but missing: x; not expected: action",
        "offered to p1: shop, rest; not expected: rest",
        "Bread is nothing that could be offered or known here",
    ]
    assert messages(tmp_path, "start\nexpect not offered to p1: rest, shop") == [
        "expected not offered to p1: rest, shop"
    ]


def test_what_a_player_sees_can_be_expected(tmp_path: Path) -> None:
    """Pieces in a place, single pieces, and variables."""
    assert not messages(
        tmp_path,
        """
        given
          move "Bread" to p1's basket
        expect known to p1 in p1's basket: "Bread"
        expect known to p2 in p1's basket: nothing
        expect known to p2 in store: "Apple", "Cheese"
        expect known to p2 in store among others: "Apple"
        expect known to p2: "Cheese", turns, p2's secret
        expect not known to p2: "Bread", p1's secret
        """,
    )
    assert messages(
        tmp_path,
        """
        given
          move "Bread" to p1's basket
        expect known to p1 in p1's basket: nothing
        expect known to p2: p1's secret
        expect not known to p2: turns
        """,
    ) == [
        "known to p1: Bread; not expected: Bread",
        "player 1's secret is not known to p2",
        "turns is known to p2",
    ]


def test_what_was_expected_stands_beside_what_there_is(tmp_path: Path) -> None:
    """So that an editor can show both; where they cannot be held side by side, both are empty."""
    found = outcome(
        tmp_path,
        """
        start
        expect asked of p1: x
        expect offered to p1 among others: shop, rest
        expect p1's coins = 3
        expect not offered to p1: rest
        expect not known to p2: turns
        play p1: shop(x: "Apple")
        expect refused
        play p1: shop(x: "Apple")
        expect refused by [ST-002]
        """,
    )
    assert [(one.expected, one.found) for one in found.failures] == [
        ("asked of p1: x", "asked of p1: action"),
        ("player 1's coins is 3", "player 1's coins is 2"),
        ("not offered to p1: rest", "offered to p1: rest"),
        ("", ""),
        ("refused", "accepted"),
        ("refused by ST-002", "refused by " + found.failures[-1].message.split(": by ", 1)[1]),
    ]


@pytest.mark.parametrize(
    "step",
    [
        "expect asked of p3: x",
        "expect known to p3: turns",
        "expect not known to p2: p3's secret",
        'play p1: rest(action: "rest" by p3)',
        "start at turn(p3)",
    ],
)
def test_who_does_not_play_is_not_spoken_of(tmp_path: Path, step: str) -> None:
    """Neither is anything asked of him, nor does not knowing it prove anything."""
    more = GAME.replace("players: 2", "players: 2 to 3")
    assert messages(tmp_path, step, more) == ["p3 does not play: the scenario is for 2 players"]


# --------------------------------------------------------------------------- answers
def test_an_answer_is_its_players(tmp_path: Path) -> None:
    """One that is not asked of him is refused, with what is asked of whom."""
    assert not messages(
        tmp_path,
        """
        start
        play p2: take(action: "rest")
        expect refused by "not asked"
        expect turns = 0
        play p2: rest()
        expect refused
        play p1: rest(action: "rest" by p2)
        expect not refused, turns = 2
        """,
    )
    assert messages(tmp_path, 'start\nplay p2: take(action: "rest")\nexpect not refused') == [
        "the play was refused: not asked: needs p2 to be asked for action (asked of p1: action)"
    ]


VOTING = """
procedure vote
  each p at once
    choose wish in {1 to 3} by p "wish"
    set p's coins to wish
"""


def test_of_several_who_are_asked_it_is_said_who_answers(tmp_path: Path) -> None:
    """An answer without `by` is the player's own, or that of the only other who is asked."""
    game = GAME.replace("players: 2", "players: 3") + VOTING
    assert not messages(
        tmp_path,
        """
        players 3
        play p1: vote(wish: 1, wish: 2 by p2, wish: 3)
        expect p1's coins = 1, p2's coins = 2, p3's coins = 3
        """,
        game,
    )
    assert messages(tmp_path, "players 3\nplay p1: vote(wish: 1, wish: 2, wish: 3)", game) == [
        "`wish` is asked of p2 and p3: say whose answer it is, as in `wish: … by p2`"
    ]


def test_an_answer_too_many_is_a_refusal(tmp_path: Path) -> None:
    """Not a fault of the scenario: what is asked instead is told."""
    assert not messages(tmp_path, 'start\nplay p1: shop(x: "Apple", x: "Apple")\nexpect refused')
    assert not messages(tmp_path, 'play p1: shop(x: "Apple", x: "Apple")\nexpect refused')


def test_a_refusal_that_nothing_expects_fails(tmp_path: Path) -> None:
    """A play that was not carried out is never passed over, whatever else holds."""
    found = outcome(tmp_path, 'start\nplay p1: shop(x: "Cheese")\nexpect turns = 0')
    lines = (tmp_path / "game.rules").read_text("utf-8").split("\n")
    (failure,) = found.failures
    assert "play p1: shop" in lines[failure.span.line - 1]
    assert "paid for" in found.message and "asked of p1: x" in found.message


# --------------------------------------------------------------------------- refusals
def test_a_refusal_is_for_what_was_named(tmp_path: Path) -> None:
    """By statement or by label, whatever else is in the store."""
    assert not messages(
        tmp_path,
        """
        play p1: shop(x: "Bread")
        expect refused by [ST-002], "paid for"
        given
          do turn(p1)
        play p1: take(action: "shop", x: "Cheese")
        expect refused by "paid for"
        given
          set p1's coins to 0
        play p1: take(action: "shop", x: "Cheese")
        expect refused by [ST-002]
        """,
    )
    assert messages(tmp_path, 'play p1: buy(x: "Cheese")\nexpect refused by "in the store"') == [
        "refused, but not by “in the store”: by ST-002: paid for [ST-002]: only if player 1's coins"
        " are at least Cheese's price (it is 2, not at least 5); 3 more would do"
    ]


# --------------------------------------------------------------------------- lines of a score
SENTENCE = """
pattern "Worth {n} more."
  n: number
  as played
    score worth_of at "cards"
      + n "card"

card "Honey" of ware
  worth: 0
  text
    | Worth 2 more.
    | Worth 4 more.
"""


def test_a_line_is_named_by_label_or_sentence_or_not_at_all(tmp_path: Path) -> None:
    """A label is compared only where it is written."""
    steps = """
    play p1: buy(x: "Honey")
    expect scored = 7
      start 0
      + 1 "hungry"
      + 2 "Worth 2 more."
      + 4 "card"
    """
    assert not messages(tmp_path, steps, GAME + SENTENCE)
    (wrong,) = messages(tmp_path, steps.replace("2 more", "4 more"), GAME + SENTENCE)
    assert wrong.startswith("line 3: expected + 2 “Worth 4 more.”; it is + 2 “card”")
    (short,) = messages(tmp_path, steps.replace('\n      + 4 "card"', ""), GAME + SENTENCE)
    assert short.startswith("line 4: expected no more lines; it is + 4 “card”")


def test_a_title_is_the_copy_that_can_be_meant(tmp_path: Path) -> None:
    """The one an event accepts, where there is one: not the first of that title."""
    assert not messages(
        tmp_path,
        """
        given
          move first of {x in store where x is "Apple"} to p2's basket
        play p1: buy(x: "Apple")
        expect not refused, count of p1's basket = 1, count of p2's basket = 1
        """,
    )


WRONG = {
    "expect foo: x": "expected `asked of p1`, `offered to p1` or `known to p1`",
    "expect asked to p1: x": "expected `asked of p1`, `offered to p1` or `known to p1`",
    "expect asked of p1: y": "No choice is called `y` there",
    "expect offered to p1: chop": "Nothing is called `chop`",
    'expect offered to p1: "Appel"': "No ware has the title “Appel”",
    "expect not offered to p1: nothing": "Nothing is called `nothing`",
    'expect known to p1 in 3: "Apple"': "not a set or list",
    'expect known to p1 in players: "Apple"': "where a place or pieces is needed",
    "expect known to p2: turns + 1": "where something that could be offered or known is needed",
    "start at buy(p1)": "expected a procedure or an action",
    "start at turn": "`turn` takes (p: player), but none is given here",
    'play p1: buy(x: "Apple" by 3)': "where a player is needed",
    "expect scored = 3\n  start 3 4": "`4` cannot stand here",
    "expect refused by paid": "a citation like [XY-001] or a text in quotes",
    'given\n  move 3 "Apple" to p1\'s basket': "`move` is written `move … from … to …`",
}


@pytest.mark.parametrize("step", WRONG)
def test_what_cannot_be_expected_is_told_at_check(tmp_path: Path, step: str) -> None:
    """With what would be right, before anything is played."""
    text = f'{GAME}\nscenario "this"\n{textwrap.indent(step, "  ")}\n'
    (tmp_path / "game.rules").write_text(text, "utf-8")
    (error,) = load_rules(str(tmp_path)).compiled.report.errors
    assert WRONG[step] in error.message
