"""Witnesses: a game that can be played again, a proof why there is none, or not decided."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.engine.decisions import Option
from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.proofs import witness
from interpreter.proofs.answers import Undecided, Witness
from interpreter.proofs.witness import witnesses
from rulelang.ruleset import Design

NEVER = Path(__file__).parent.parent / "bad" / "never-playable.rules"


@pytest.fixture(scope="module")
def city() -> Loaded:
    return load_rules("the_city", tests=False)


def card(loaded: Loaded, title: str) -> Design:
    return next(d for d in loaded.compiled.rules.designs if d.title == title)


def test_a_witness_is_a_game_that_can_be_played_again(city: Loaded) -> None:
    """1 point more with Parks: the card lies in a tableau, and without the sentence points lack."""
    found = witnesses(city, card(city, "Housing Tract"))
    assert [type(answer) for answer in found] == [Witness]
    answer = found[0]
    assert isinstance(answer, Witness) and answer.changes.startswith("without it")
    game = answer.state.game
    assert game.replay(game.record(answer.state)).digest() == answer.state.digest()


def test_the_witness_stands_on_the_sentence(city: Loaded) -> None:
    """Played again without the sentence, the same choices come to something else."""
    answer = witnesses(city, card(city, "Housing Tract"))[0]
    assert isinstance(answer, Witness)
    game = answer.state.game
    clause = f"{card(city, 'Housing Tract').clause}/sentence 1"
    other = game_of(game.loaded, game.players, (), game.options, without=frozenset({clause}))
    later = other.start(answer.state.position.seed)
    for _, option in answer.choices:
        later = later.choose(option)
    assert later.digest() != answer.state.digest()


def test_a_requirement_is_shown_where_it_refuses(city: Loaded) -> None:
    """Without it a university could be built earlier in the same game, in which one is built."""
    design = card(city, "University")
    number = next(n for n, s in enumerate(design.sentences, 1) if s.startswith("Requires"))
    answer = witnesses(city, design, [number])[0]
    assert isinstance(answer, Witness) and "more options" in answer.changes
    clause = f"{design.clause}/sentence {number}"
    game = answer.state.game
    other = game_of(game.loaded, game.players, (), game.options, without=frozenset({clause}))
    later = other.start(answer.state.position.seed)
    offered = []
    for before, option in answer.choices:
        pairs = zip(before.decisions, later.decisions, strict=True)
        bearers = [p.id for p in game.setup.pieces if p.design == design]
        offered += [
            not one.takes(made) and two.takes(made)
            for one, two in pairs
            for made in (Option(one.player, one.name, p) for p in bearers)
        ]
        later = later.choose(option)
    assert any(offered)


def test_what_contradicts_itself_is_refuted_by_its_clauses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No place is in the center and on the outskirts: no sentence of the card can ever count."""
    assert main(["witness", "big_city", "tram depot", "--with", str(NEVER), "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["sentences"]
    assert [row["verdict"] for row in rows] == ["refuted"] * 3
    assert "at once" in rows[0]["diagnostics"][0]["message"]


def test_reached_bounds_are_not_decided(city: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witness, "MOST_MOVES", 3)
    monkeypatch.setattr(witness, "FIRST", 1)
    monkeypatch.setattr(witness, "MOST_LONG", 0)
    monkeypatch.setattr(witness, "MOST_GAMES", 1)
    monkeypatch.setattr(witness, "MOST_PLANNED", 0)
    found = witnesses(city, card(city, "Stadium"), [1])
    assert isinstance(found[0], Undecided)
    assert (found[0].games, found[0].moves, found[0].played) == (1, 3, False)


def test_the_command_writes_a_record_that_replays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "shown.json"
    assert main(["witness", "the_city", "housing tract", "1", "--out", str(out), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["sentences"][0]
    assert row["verdict"] == "witness" and row["record"] == json.loads(out.read_text())
    assert main(["replay", str(out)]) == 0


@pytest.mark.parametrize(
    "asked, hint",
    [
        (["Housing Tracts"], "did you mean “Housing Tract”"),
        (["Housing Tract", "7"], "has 1 sentences"),
        (["Housing Tract", "flies away"], "no sentence"),
    ],
)
def test_a_question_that_cannot_be_asked_says_what_can(
    asked: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["witness", "the_city", *asked]) == 2
    assert hint in capsys.readouterr().err


def test_half_the_games_leave_alone_what_only_one_requirement_names(city: Loaded) -> None:
    """So that a requirement is not met where all others are; then the card is to be played."""
    design = card(city, "University")
    table = next(witness._tables(city, design))
    search = witness.Search(city, design, {n for n, _ in enumerate(design.text, 1)})
    alone = []
    for turn in range(4):
        seeker = witness._Seeker(search, table, turn, turn)
        alone.append({table.game.setup.pieces[p].design.title for p in seeker.left_alone})
        assert all(seeker._worth(p) == witness._NEVER for p in seeker.left_alone)
    assert alone == [set(), set(), {"School"}, {"School"}]
