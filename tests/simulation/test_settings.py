"""Settings: pairs of values all meet in few rows, what the rules refuse is left out and told, and
all of them are played in one process.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.cli.main import main
from interpreter.game.loading import load_rules
from interpreter.simulation.settings import Row, Settings, every, pairwise
from interpreter.simulation.survey import survey

FACTORS = st.lists(st.integers(1, 4), min_size=0, max_size=6).map(
    lambda sizes: {f"f{n}": list(range(size)) for n, size in enumerate(sizes)}
)


def pairs(row: Row) -> set[Any]:
    return set(itertools.combinations(row.items(), 2))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(FACTORS, st.sets(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=4))
def test_every_two_values_that_may_meet_do(
    factors: dict[str, list[int]], banned: set[tuple[int, int]]
) -> None:
    """Rows are whole, allowed and no more than all.

    A pair is missing only if no allowed row has it.
    """

    def allowed(
        row: Row,
    ) -> bool:  # of two banned values one at most; a first value is never banned
        return (
            sum((int(name[1:]), value) in banned and value > 0 for name, value in row.items()) < 2
        )

    rows = pairwise(factors, allowed)
    possible = [row for row in every(factors) if allowed(row)]
    assert all(list(row) == list(factors) and allowed(row) for row in rows)
    assert len(rows) <= len(possible)
    assert set().union(*map(pairs, rows)) == set().union(*map(pairs, possible))
    assert rows == pairwise(factors, allowed)


@pytest.mark.parametrize(
    ("sizes", "most"),
    [
        ((2,) * 5, 8),
        ((2,) * 10, 12),
        ((2, 2, 2, 2, 2, 4), 12),
        ((3, 3, 3, 3), 13),
        ((4, 5, 2, 3), 24),
    ],
)
def test_the_rows_are_few(sizes: tuple[int, ...], most: int) -> None:
    """Not many more than the largest two factors make."""
    assert len(pairwise({f"f{n}": list(range(size)) for n, size in enumerate(sizes)})) <= most


RULES = """
game tiny "Tiny"
  players: 1 to 2
option goal: 2, 3
state score of player: number = 0
action one(p: player) "One"
  add 1 to p's score
action two(p: player) "Two"
  add 2 to p's score
procedure turn(p: player)
  take one of one, two by p
flow
  repeat
    each p in turn
      do turn(p)
end reached when some p in players where p's score >= goal
rank
  highest player's score
variant fast "Faster"
  replace procedure turn(p: player)
    do two(p)
variant slow "Slower"
  replace procedure turn(p: player)
    take one of one by p
variant odd "Odd"
  replace action two(p: player) "Three"
    add 3 to p's score
"""


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    (tmp_path / "tiny.rules").write_text(RULES, "utf-8")
    return str(tmp_path)


def test_all_settings_are_played_and_clashing_variants_told(
    tiny: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Six sets of variants of the eight may be, for one and for two players, with either goal: 24
    settings.
    """
    assert main(["simulate", tiny, "--all-options", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["settings"]) == 6 * 2 * 2 == data["games"] == data["finished"]
    assert (
        len({json.dumps([s["players"], s["variants"], s["options"]]) for s in data["settings"]})
        == 24
    )
    assert [item["variants"] for item in data["refused"]] == [
        ["fast", "slow"],
        ["fast", "slow", "odd"],
    ]
    assert all("both change" in item["why"] for item in data["refused"])
    assert main(["simulate", tiny, "--all-options", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hash"] == data["hash"]


LAWS = """
game pair "Pair"
  players: 1 to 2
state points of player: number = 0
procedure turn(p: player)
  add 1 to p's points
flow
  each p in turn
    do turn(p)
variant fast "Faster"
  invariant "fast is for one"  count of players = 1
  replace procedure turn(p: player)
    add 2 to p's points
variant slow "Slower"
  invariant "slow is for several"  count of players > 1
  replace procedure turn(p: player)
    do nothing
"""


def test_laws_are_asked_before_variants_are_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Variants that clash are refused in the words of whichever law forbids them.

    Only where no law does is the clash told.
    """
    (tmp_path / "tiny.rules").write_text(LAWS, "utf-8")
    for players, label in ((1, "slow is for several"), (2, "fast is for one")):
        bots = ",".join(["random"] * players)
        assert (
            main(
                [
                    "play",
                    str(tmp_path),
                    "--players",
                    str(players),
                    "--variant",
                    "fast",
                    "--variant",
                    "slow",
                    "--bots",
                    bots,
                ]
            )
            == 1
        )
        told = capsys.readouterr().err
        assert (
            f"“{label}” does not hold" in told
            and "both change" not in told
            and told.count("P004") == 1
        )
    assert main(["simulate", str(tmp_path), "--all-options", "--json"]) == 0
    why = {
        tuple(item["variants"]): item["why"]
        for item in json.loads(capsys.readouterr().out)["refused"]
    }
    assert (
        "slow is for several" in why["fast", "slow"]
        and "fast is for one" in why["fast", "slow"]
        and "both change" not in why["fast", "slow"]
    )
    (tmp_path / "tiny.rules").write_text(
        LAWS.replace("count of players > 1", "count of players < 3"), "utf-8"
    )
    assert (
        main(
            [
                "play",
                str(tmp_path),
                "--players",
                "1",
                "--variant",
                "fast",
                "--variant",
                "slow",
                "--bots",
                "random",
            ]
        )
        == 1
    )
    assert "both change procedure turn" in capsys.readouterr().err


def test_what_is_asked_for_is_kept(tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With players, a variant and an option given, only the other variants vary."""
    assert (
        main(
            [
                "simulate",
                tiny,
                "--all-options",
                "--players",
                "2",
                "--variant",
                "fast",
                "--option",
                "goal=3",
                "--games",
                "2",
            ]
        )
        == 0
    )
    shown = capsys.readouterr().out
    assert (
        "Tiny: 2 settings, 4 games by random bots" in shown
        and "2 players: 2 settings, 4 of 4 games finished" in shown
    )
    assert "not together: fast, slow" in shown and shown.endswith("all finish\n")


def test_a_game_that_does_not_finish_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under one value of an option the goal is out of reach: the status is 1, and the setting is
    named as one writes it.
    """
    text = RULES.replace("goal: 2, 3", "goal: 2, 900").replace('"Tiny"', '"Tiny"\n  moves: 50')
    (tmp_path / "tiny.rules").write_text(text, "utf-8")
    assert (
        main(["simulate", str(tmp_path), "--all-options", "--players", "1", "--variant", "odd"])
        == 1
    )
    shown = capsys.readouterr().out
    assert (
        "--players 1 --variant slow --variant odd --option goal=900: 0 of 1 game finished" in shown
    )
    assert "bound of 50 moves" in shown and "did not finish" in shown


def test_the_battery_goes_through_the_settings(
    tiny: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By itself so many that every two values meet, all when told so, one when one is named."""
    found = {}
    for name, args in {"some": [], "all": ["--all-options"], "one": ["--players", "2"]}.items():
        assert main(["conform", tiny, "--games", "1", "--json", *args]) == 0
        found[name] = json.loads(capsys.readouterr().out)["settings"]
    assert len(found["all"]) == 24 and 4 <= len(found["some"]) < 12
    assert found["one"] == [{"players": 2, "variants": [], "options": {"goal": 2}}]
    met = {(s["players"], "odd" in s["variants"]) for s in found["some"]}
    assert met == {(players, odd) for players in (1, 2) for odd in (True, False)}


def test_several_processes_report_the_same(tiny: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The ledgers are added in the order of the settings, whoever worked on which."""
    told = []
    for processes in ("1", "2"):
        assert main(["conform", tiny, "--games", "1", "--json", "--processes", processes]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] and len(json.loads(told[0])["settings"]) > 3


def test_a_game_finishes_under_other_values() -> None:
    """One game by chance under each variant alone, each number of players and each value of each
    option comes to an end of its rules; `rulelang simulate --all-options` plays the others.
    """
    chosen = Settings(load_rules("card_city_xl", tests=False))
    factors = chosen.factors()
    variants = [name for name in factors if name.startswith("variant ")]
    rows: list[Row] = [
        {
            name: (number == variants.index(name))
            if name in variants
            else levels[(number + 2) % len(levels)]  # suburbs, the third, are for one player
            for name, levels in factors.items()
        }
        for number in range(max(len(variants), *map(len, factors.values())))
    ]
    met = {item for row in rows for item in row.items()}
    assert met == {(name, level) for name, levels in factors.items() for level in levels}
    assert all(map(chosen.allowed, rows))
    under = [chosen._setting(row) for row in rows]
    found = survey(under, chosen.game, 1, 1, "random", lambda done: None)
    assert [result.setting.words() for result in found.unfinished] == []
    assert found.games == len(rows) > 4
