"""Leaks planted in small games, with the check that would refuse them switched off: the battery
finds each as it is run unless told otherwise.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.conformance import battery
from interpreter.game.game import load
from rulelang.analysis import ruleset_checks
from tests.tools.compiling import findings

GAME = """game planted "Planted"
  players: 3

component card
  worth: number
  pieces worth
    | 1..9

place deck: card, ordered, hidden, full
place hand of player: card, private
state secret of player: number = 0, private
state asked of player: number = 0

event ask(p: player, q: player)
  add 1 to p's asked

rules of ask(p, q)
  "another"  q != p
  "rule"     {rule}

flow
  shuffle deck
  each p in turn
    draw 1 from deck to p's hand
  repeat 3 times
    each p in turn
      choose q in players by p
      {deed}
      choose n in {{1 to 3}} by p
      set p's secret to n
"""
PLANTED = {
    "another's hand": "count of {x in q's hand where x's worth < 6} = 1 or q = p's left",
    "a pile": "(top of deck)'s worth > 3 or q = p's left",
    "a private variable": "q's secret < 2 or q = p's left",
}


def written(tmp_path: Path, rule: str, deed: str) -> str:
    path = tmp_path / "planted.rules"
    path.write_text(GAME.format(rule=rule, deed=deed), "utf-8")
    return str(path)


@pytest.mark.parametrize("rule", PLANTED.values(), ids=PLANTED)
def test_a_planted_leak_is_found_by_the_default_run(
    tmp_path: Path,
    rule: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = written(tmp_path, rule, "do ask(p, q)")
    found, _ = findings({"planted.rules": Path(path).read_bytes()})
    assert {item.code for item in found} == {"T029"}
    monkeypatch.setenv("RULELANG_CACHE", "off")
    monkeypatch.setattr(ruleset_checks, "check_offers", lambda *_: None)
    assert main(["conform", path, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["laws"]["prompts"]["broken"] > 0
    assert data["pairs_of_states"] > 0


ASKED_FIRST = """if {rule}
        do ask(p, q)
      otherwise
        do never(p)"""
NEVER = """event never(p: player)
  add 1 to p's asked

rules of never(p)
  "never"  p's asked < 0

"""


@pytest.mark.parametrize("rule", PLANTED.values(), ids=PLANTED)
def test_a_condition_before_an_event_is_found_where_it_shuts_out_a_choice(
    tmp_path: Path,
    rule: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What can only end in a refusal is not offered, so a plain `if` leaks like a rule."""
    path = Path(written(tmp_path, "q != p", ASKED_FIRST.format(rule=rule)))
    path.write_text(path.read_text("utf-8").replace("event ask", NEVER + "event ask"), "utf-8")
    found, _ = findings({"planted.rules": path.read_bytes()})
    assert {item.code for item in found} == {"T034"}
    monkeypatch.setenv("RULELANG_CACHE", "off")
    monkeypatch.setattr(ruleset_checks, "check_offers", lambda *_: None)
    assert main(["conform", str(path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["laws"]["prompts"]["broken"] > 0


@pytest.mark.parametrize("rule", PLANTED.values(), ids=PLANTED)
def test_attempted_it_shows_nothing(
    tmp_path: Path, rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    deed = "attempt ask(p, q) by p\n      otherwise\n        add 1 to p's asked"
    path = written(tmp_path, rule, deed)
    assert main(["conform", path]) == 0
    assert (
        "pairs of states that somebody cannot tell apart were compared" in capsys.readouterr().out
    )


def test_a_game_without_secrets_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "tests/good/tic_tac_toe", "--games", "1"]) == 0
    assert "nothing was kept secret" in capsys.readouterr().out


PUT_AWAY = """game away "Away"
  players: 2

component card
  worth: number
  pieces worth
    | 1..9

place deck: card, ordered, hidden, full
place pile: card, ordered, hidden
place hand of player: card, private

flow
  shuffle deck
  each p in turn
    draw 4 from deck to p's hand
  repeat 3 times
    each p at once
      choose x in p's hand by p
      move x to pile

rank
  highest player's worth_in_hand

define worth_in_hand(p: player) = sum of {x's worth for x in p's hand}
"""


def test_what_somebody_put_away_unseen_himself_is_no_leak(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All choose at once; when they are carried out each is told what he put away, and no other."""
    path = tmp_path / "away.rules"
    path.write_text(PUT_AWAY, "utf-8")
    status = main(["conform", str(path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert status == 0 and not told["failures"] and told["pairs_of_states"] > 20


LONG = """game long "Long"
  players: 2
  moves: 1000

component card
  worth: number
  pieces worth
    | 1..4

place hand of player: card, private
place deck: card, ordered, hidden, full
state told of player: number = 0

flow
  shuffle deck
  each p in turn
    draw 2 from deck to p's hand
  repeat 160 times
    each p in turn
      choose n in {1 to 2} by p
      set p's told to n

rank
  highest player's told
"""


def test_secrets_are_looked_for_all_through_a_long_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """States are looked at closely ever more rarely, but for secrets after each hundred choices."""
    path = tmp_path / "long.rules"
    path.write_text(LONG, "utf-8")
    game, looked = load(str(path)), list[int]()
    real = battery.secrets.leaks
    monkeypatch.setattr(
        battery.secrets, "leaks", lambda case, s: (looked.append(s.moves), real(case, s))[1]
    )
    found = battery.conform(game, 1, 0)
    assert not found.failures and found.pairs and {100, 200, 300} <= {*looked}
