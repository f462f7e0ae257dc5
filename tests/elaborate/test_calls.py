"""Calls with values where none may be given, or by a name that means nothing there."""

from __future__ import annotations

import pytest

from tests.tools.compiling import findings

GAME = """\
game shop "Shop"
    players: 2

component coin

place till: coin, full

state money: number = 0

event pay(p: player)
    set money to {value}
    {line}

end rich when money = 3

flow
    do pay(p1)
"""


def _told(value: str = "1", line: str = "do nothing") -> list[str]:
    text = GAME.replace("{value}", value).replace("{line}", line)
    found, _ = findings({"shop.rules": text.encode()})
    return [item.message for item in found if item.severity == "error"]


def test_the_game_is_sound_without_a_mistake() -> None:
    """What the other tests report comes from the call they write."""
    assert _told() == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("before()", "`before` takes (a value), but none is given here."),
        ("before(of: money)", "`before` takes no value called `of`."),
        ("count of groups(of: till)", "`groups` takes no value called `of`."),
        ("count of reach(of: till)", "`reach` takes no value called `of`."),
    ],
)
def test_a_value_that_cannot_be_given_is_reported(value: str, message: str) -> None:
    """A special form without its value, or with one by name, is the author's mistake."""
    assert message in _told(value=value)


def test_chance_takes_no_value_by_name() -> None:
    """`chance` is a form of its own in `let`."""
    assert "`chance` takes no value called `of`." in _told(line="let x = chance(of: till)")
