"""A whole recorded game of four, with a council, elections, vacancies and a fire: it replays, and
its log can be read as a story.
"""

from __future__ import annotations

import json
import re

import pytest
from make_story import RECORD, game_of_four

from interpreter.game.game import State
from interpreter.game.log import gathered, told


@pytest.fixture(scope="module")
def ending() -> State:
    """The state at the end of the record, which names itself wrong if the rules have changed: then
    `python tests/tools/make_story.py` makes it anew.
    """
    return game_of_four().replay(json.loads(RECORD.read_text("utf-8")))


@pytest.fixture(scope="module")
def story(ending: State) -> list[str]:
    """The log of the game, line by line."""
    return [told(ending, entry, None) for entry in gathered(ending.log)]


def test_the_record_ends_as_it_ended(ending: State) -> None:
    """All choices are legal still, and lead to the same end."""
    record = json.loads(RECORD.read_text("utf-8"))
    assert (
        ending.over
        and ending.digest() == record["digest"]
        and ending.moves == len(record["choices"])
    )


@pytest.mark.parametrize(
    "line",
    [
        r"player \d buys .*Council Member.* for the council",
        r"player \d proposes to rezone",
        r"the council consents",
        r"the council does not consent",
        r"builds the first Power Plant and becomes mayor",
        r"player \d plays Election",
        r"the governorship falls to",
        r"player \d plays Fire!",
        r"is destroyed",
        r"pays half of \d+ and resigns",
        r"player \d becomes mayor",
        r"the mayor, player \d, is to pay",
    ],
)
def test_the_story_tells_what_happened(story: list[str], line: str) -> None:
    """Each thing that a council, an election and a fire bring about has its sentence."""
    assert any(re.search(line, told_line) for told_line in story)


def test_every_placement_adds_up(story: list[str]) -> None:
    """The parts that the log names come to the worth that it says."""
    placed = [
        match for line in story if (match := re.search(r" on \S+ \(worth (-?\d+): (.*)\)$", line))
    ]
    assert len(placed) > 100
    for match in placed:
        parts = re.findall(r"(?:^|, )(?:([+-]) )?(\d+) ", re.sub(r"\([^()]*\)", "", match[2]))
        assert sum(-int(n) if sign == "-" else int(n) for sign, n in parts) == int(match[1]), match[
            0
        ]
