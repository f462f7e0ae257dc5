"""Deck lists: what is in play is what the chosen list says, wherever the list comes from.

What is not in play costs nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.game.game import Game, load
from interpreter.game.loading import RulesError
from interpreter.simulation.simulate import simulate
from rulelang.diagnostics import CODES

POOL = "tests/good/pool"
MINE = 'for pool\n\ndeck mine "My own" of card\n  | 2 Dawn\n  | 1 "Full moon"\n'
ECLIPSE = (
    'for pool\n\ncard "Eclipse" of card\n  suit: moon\n  copies: 2\n  text\n'
    "    | Add 5 if a sun lies on the table.\n"
)


def added(folder: Path, **texts: str) -> list[str]:
    """Files of these texts."""
    for name, text in texts.items():
        (folder / f"{name}.rules").write_text(text, "utf-8")
    return [str(folder / f"{name}.rules") for name in texts]


def cards(game: Game) -> dict[str, int]:
    """How many of each card are in play."""
    return dict(
        Counter(
            piece.design.title for piece in game.setup.pieces if piece.design.component == "card"
        )
    )


def test_the_list_of_the_game_counts_unless_another_is_chosen() -> None:
    assert cards(load(POOL)) == {"Dawn": 4, "Noon": 3}
    assert cards(load(POOL, options={"deck": "night"})) == {
        "Dawn": 2,
        "Dusk": 3,
        "Full moon": 2,
    }
    assert cards(load(POOL, options={"deck": "all"})) == {
        "Dawn": 1,
        "Noon": 2,
        "Dusk": 1,
        "Full moon": 1,
    }


def test_a_list_of_ones_own_counts_where_it_is_added(tmp_path: Path) -> None:
    """What is not of its component stays as it is; its titles may be written small."""
    game = load(POOL, with_=added(tmp_path, mine=MINE.replace("Full", "full")))
    assert cards(game) == {"Dawn": 2, "Full moon": 1}
    assert len(game.setup.by_component["token"]) == 3
    assert cards(load(POOL, with_=added(tmp_path, mine=MINE), options={"deck": "plain"})) == {
        "Dawn": 4,
        "Noon": 3,
    }


def test_homemade_cards_come_along_unless_the_list_names_them(tmp_path: Path) -> None:
    """Those in the list's own file are of the pool it was made from."""
    home, mine = added(tmp_path, home=ECLIPSE, mine=MINE)
    assert cards(load(POOL, with_=[home])) == {"Dawn": 4, "Noon": 3, "Eclipse": 2}
    assert cards(load(POOL, with_=[home, mine])) == {
        "Dawn": 2,
        "Full moon": 1,
        "Eclipse": 2,
    }
    (named,) = added(tmp_path, named=MINE + "  | 1 Eclipse\n")
    assert cards(load(POOL, with_=[home, named])) == {
        "Dawn": 2,
        "Full moon": 1,
        "Eclipse": 1,
    }
    (both,) = added(tmp_path, both=ECLIPSE + MINE.removeprefix("for pool\n"))
    assert cards(load(POOL, with_=[both])) == {"Dawn": 2, "Full moon": 1}


def test_a_card_that_is_not_in_play_is_neither_asked_nor_missed() -> None:
    plain, night = load(POOL), load(POOL, options={"deck": "night"})
    assert plain.setup.rules.extensions == []
    assert {e.title for e in night.setup.rules.extensions} == {"Dusk", "Full moon"}
    assert simulate([plain], 3, 1).never_fired == []
    missed = set(simulate([night], 1, 1).never_fired)
    assert missed <= {'card "Dusk"/sentence 1', 'card "Full moon"/sentence 1'}


def test_a_record_is_of_its_list(tmp_path: Path) -> None:
    """It plays again under the same list, whose text it brings if it was added, and under no
    other.
    """
    night, plain = load(POOL, options={"deck": "night"}), load(POOL)
    record = night.record(night.start(5))
    assert record["options"] == {"deck": "night"}
    assert night.replay(record).digest() == record["digest"]
    mine = load(POOL, with_=added(tmp_path, mine=MINE))
    kept = mine.record(mine.start(5))
    assert "2 Dawn" in "".join(kept["added"].values())
    assert mine.replay(kept).digest() == kept["digest"]
    other = load(POOL, with_=added(tmp_path, mine=MINE.replace("2 Dawn", "3 Dawn")))
    for game, written in ((plain, kept), (other, kept)):
        with pytest.raises(Exception, match="another version of the rules"):
            game.replay(written)


def test_a_list_that_is_wrong_is_refused_with_the_nearest_titles(tmp_path: Path) -> None:
    """Even beside a card that is left out: a list is not half read."""
    text = ECLIPSE.replace("lies on", "lies upon") + 'deck mine "Mine" of card\n  | 2 Dwan\n'
    with pytest.raises(RulesError) as caught:
        load(POOL, with_=added(tmp_path, mine=text))
    assert [(item.code, item.fixes) for item in caught.value.found] == [
        (CODES["unknown-title"].code, ("Did you mean “Dawn”?",))
    ]


def test_a_listed_card_that_is_left_out_is_told_once(tmp_path: Path) -> None:
    text = (
        ECLIPSE.replace("lies on", "lies upon")
        + 'deck mine "Mine" of card\n  | 2 Eclipse\n  | 3 Dawn\n'
    )
    game = load(POOL, with_=added(tmp_path, mine=text))
    assert cards(game) == {"Dawn": 3}
    assert [item.code for item in game.loaded.findings()] == [CODES["unknown-word"].code]


def test_an_unknown_list_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RulesError) as caught:
        load(POOL, options={"deck": "nigth"})
    assert caught.value.found[0].fixes == ("Did you mean `night`?",)
    assert (
        main(["simulate", POOL, "--games", "1", "--deck", "night", "--option", "deck=plain"]) == 2
    )
    assert "--deck says night" in capsys.readouterr().err


def test_a_game_without_lists_may_have_an_option_of_that_name(tmp_path: Path) -> None:
    text = (
        'game cards "Cards"\n  players: 1\noption deck: large, small\ncomponent card\n'
        "  pieces title\n    | a\n"
    )
    (path,) = added(tmp_path, cards=text)
    assert cards(load(path, options={"deck": "small"})) == {"a": 1}
    (path,) = added(tmp_path, cards=text + 'deck mine "Mine" of card\n  | 1 a\n')
    with pytest.raises(RulesError) as caught:
        load(path)
    assert caught.value.found[0].code == CODES["name-taken"].code


def test_lists_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`games` names the lists of a game, the one that counts first."""
    monkeypatch.setattr("rulesets.ids", lambda: ["pool"])
    monkeypatch.setattr("rulesets.root", lambda: Path("tests/good"))
    assert main(["games", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert told["options"] == {"deck": ["plain", "night", "all"]}
    assert told["decks"] == [
        {"id": "plain", "title": "Without surprises"},
        {"id": "night", "title": "At night"},
    ]
    assert main(["games"]) == 0
    assert "--deck night  At night" in capsys.readouterr().out
