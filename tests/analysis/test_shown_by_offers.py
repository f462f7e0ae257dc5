"""Rules of events that would show a player what he may not know, by what he is offered."""

from __future__ import annotations

import pytest

from tests.tools.compiling import findings

GAME = """
game fishing "Fishing"
  players: 3

kind way: shown, unseen

component card
  worth: number
  pieces worth
    | 1..9

place deck: card, ordered, hidden, full
place hand of player: card, private
place table_of of player: card
state secret of player: number = 0, private
state won of player: number = 0

define sum_of(p: player) = sum of (x's worth for x in p's hand)
define both(p: player, q: player) = sum_of(p) + sum_of(q)
define seen(p: player, w: way) gives number
  sum_of(p)  when w = unseen
  otherwise count of p's hand
define alike(p: player, q: player) = sum_of(p) = sum_of(q)

event ask(p: player, q: player)
  add 1 to p's won

event lay(p: player, x: card)
  move x to p's table_of
"""

RULE = """
rules of ask(p, q)
  "another"  q != p
  "rule"     {rule}

flow
  each p in turn
    draw 2 from deck to p's hand
  each p in turn
    choose q in players by p
    do ask(p, q)
"""


def told(text: str) -> list[str]:
    """The places and variables that would be shown, by code."""
    found, _ = findings({"fishing.rules": (GAME + text).encode()})
    errors = [item for item in found if item.severity == "error"]
    return [f"{item.code} {item.message.split('`')[-2]}" for item in errors]


@pytest.mark.parametrize(
    ("rule", "hidden"),
    [
        ("no x in q's hand where x's worth > 4", "hand"),
        ("sum_of(q) > 4", "hand"),
        ("both(p, q) > 4", "hand"),
        ("q's secret > 4", "secret"),
        ("seen(q, unseen) > 4", "hand"),
        ("count of groups({q}, alike) = 1", "hand"),
        ("(first of deck)'s worth > 4", "deck"),
        ("can ask_more(q)", "secret"),
        ("sum_of(p) > 4, p's secret = 0", ""),
        ("count of q's hand > 1", ""),
        ("seen(q, shown) > 1", ""),
        ("q's won < 4", ""),
    ],
)
def test_a_rule_reads_only_what_the_one_who_decides_may_know(rule: str, hidden: str) -> None:
    """Through definitions, relations and other events, with the constants they are called with."""
    more = """
event ask_more(q: player)
  do nothing
rules of ask_more(q)
  "no secret"  q's secret = 0
"""
    assert told(more + RULE.format(rule=rule)) == ([f"T029 {hidden}"] if hidden else [])


def flow(*lines: str) -> str:
    """A flow in which each player's turn is these lines."""
    return "flow\n  each p in turn\n" + "\n".join(f"    {line}" for line in lines) + "\n"


RULES = """
rules of lay(p, x)
  "in the hand"  x in p's hand
  "low"          x's worth < 5
"""


@pytest.mark.parametrize(
    ("lines", "hidden"),
    [
        # his own card, chosen by himself
        (("choose x in p's hand by p", "do lay(p, x)"), []),
        # another card may not be chosen, whatever he does; nobody decided before
        (("let x = first of p's left's hand", "do lay(p, x)"), []),
        # what he may do shows what is on top of the deck
        (("let x = first of deck", 'may "Lay?" by p', "  do lay(p, x)"), ["deck"]),
        (("let x = first of deck", "reveal x", 'may "Lay?" by p', "  do lay(p, x)"), []),
        # another player decides whether it happens
        (("choose x in p's hand by p", 'may "Yes?" by p\'s left', "  do lay(p, x)"), ["hand"]),
        # it is asked first, and not proposed if it would be refused
        (
            (
                "choose q in players by p",
                "if can lay(q, first of q's hand)",
                "  do lay(q, first of q's hand)",
            ),
            [],
        ),
    ],
)
def test_who_decided_last_and_where_a_value_comes_from_count(
    lines: tuple[str, ...], hidden: list[str]
) -> None:
    assert sorted(set(told(RULES + flow(*lines)))) == [f"T029 {name}" for name in hidden]


def test_a_guard_that_asks_for_an_event_reads_its_rules() -> None:
    text = RULES + (
        "action steal(p: player) when can lay(p's left, first of p's left's hand)\n"
        "  add 1 to p's won\n"
        "flow\n  each p in turn\n    take one of steal by p\n"
    )
    assert set(told(text)) == {"T023 hand"}


def test_a_decision_of_the_round_before_is_another_players() -> None:
    """In a loop the next player's event is refused to the player before him."""
    text = """
rules of ask(p, q)
  "rich"  p's secret > 0
flow
  each p in turn
    do ask(p, p)
    choose n in {1 to 2} by p
    add n to p's won
"""
    assert told(text) == ["T029 secret"]
