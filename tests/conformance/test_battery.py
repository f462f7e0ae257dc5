"""The conformity battery: sound games keep every law, and each planted fault is found, named, and
told with the way to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.bots.agents import BOTS
from interpreter.cli.main import main
from interpreter.conformance import battery, evaluators
from interpreter.conformance.battery import conform
from interpreter.conformance.laws import LAWS, Ledger
from interpreter.conformance.pairs import exchanged, unknown, varied
from interpreter.engine.decisions import Decider, Decision, Option
from interpreter.engine.feasibility import Lookahead
from interpreter.game import log, views
from interpreter.game.game import Game, State, load
from interpreter.model.position import Entry, Position
from interpreter.model.visibility import pieces_in
from interpreter.native.runtime import AskReference, Instance
from rulelang.core.types import PieceT

GOOD = Path("tests/good")
SECRETS = {
    "views",
    "tensors",
    "prompts",
    "taking back",
}  # laws that come up only where something is hidden


def facts(ledger: Ledger) -> dict[str, str]:
    return {law: failure.fact for law, failure in ledger.failures.items()}


# -------------------------------------------------------------------------- sound games
@pytest.mark.parametrize(
    ("name", "hides"),
    [
        ("tic_tac_toe", False),
        ("hex", False),
        ("buried", True),
        ("sims", True),
        ("sights", True),
        ("sealed", True),
        ("development", True),
    ],
)
def test_a_sound_game_keeps_every_law(
    name: str, hides: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One game by random and one by hasty players break nothing, and every law that can come up
    has.
    """
    if name == "development":
        monkeypatch.setattr(battery, "PATIENCE", 6)
    ledger = conform(load(str(GOOD / name)), 2, 5)
    assert facts(ledger) == {}
    assert {law for law in LAWS if not ledger.checked[law]} == (set() if hides else SECRETS)


# ----------------------------------------------------------------------- planted faults
@pytest.fixture
def sealed() -> Game:
    return load(str(GOOD / "sealed"))


@pytest.fixture
def buried() -> Game:
    return load(str(GOOD / "buried"))


def test_a_leaking_view_is_found(sealed: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows everybody's hands tells pieces that could be others."""
    monkeypatch.setattr(views, "sees", lambda *_: True)
    found = conform(sealed, 1, 1)
    assert "is told what he may not know: view.places." in facts(found)["views"]


def test_a_leaking_log_is_found(buried: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that names the cards laid face down."""
    monkeypatch.setattr(Entry, "open_to", lambda *_: True)
    assert "may not know" in facts(conform(buried, 6, 1))["log"]


def test_a_leaking_explanation_is_found(buried: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that tells everybody of tables worked out over a hand."""
    monkeypatch.setattr(Entry, "told_to", lambda self, viewer: self.totals)
    assert "may not know" in facts(conform(buried, 8, 1))["log"]


def test_scores_that_tell_of_secrets_are_found(
    buried: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The points are private; telling all scores tells them."""
    monkeypatch.setattr(log, "score_readers", lambda rules, players, viewer: set(range(players)))
    assert "standing" in facts(conform(buried, 1, 1))["views"]


def test_a_log_that_is_told_otherwise_later_is_found(
    buried: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that goes by where the cards lie now, not by where they lay."""
    told = views.entry_data

    def now(state: State, s: Position, entry: Entry, viewer: int | None) -> Any:
        found = told(state, s, entry, viewer)
        if entry.kind == "event" and found is not None:
            types = dict(state.game.rules_source.events[entry.name].params)
            hidden = {
                n for n, v in entry.args for p in pieces_in(v, types[n]) if p in unknown(s, viewer)
            }
            data = state.game.presenter.data
            found["args"] = {
                n: "hidden" if n in hidden else data(v, types[n], s) for n, v in entry.args
            }
        return found

    monkeypatch.setattr(views, "entry_data", now)
    assert "and no longer does" in facts(conform(buried, 6, 1))["log"]


def test_options_that_tell_of_hidden_cards_are_found(
    buried: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An action that is offered only while the top of the face-down deck is of one sort."""
    offered = Lookahead.offered

    def telling(self: Lookahead, s: Position, name: str, player: int) -> bool:
        deck = s.places[("deck", None)]
        return offered(self, s, name, player) and not (
            name == "count_hand" and deck and deck[0] % 2
        )

    monkeypatch.setattr(Lookahead, "offered", telling)
    assert "may not know" in facts(conform(buried, 4, 8))["prompts"]


def test_a_shared_list_is_found(sealed: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that keeps the places of what it was copied from."""
    copy = Position.copy

    def sharing(self: Position) -> Position:
        made = copy(self)
        made.places = self.places
        return made

    monkeypatch.setattr(Position, "copy", sharing)
    assert "`places`" in facts(conform(sealed, 1, 1))["copies"]


def test_a_lost_piece_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces that are taken from the deck and put nowhere, if they have an odd number."""
    move = Position.move

    def losing(self: Position, piece: int, key: Any, bottom: bool = False) -> None:
        if key[0] == "hand" and piece % 2:
            self.lift(piece)
        else:
            move(self, piece, key, bottom)

    monkeypatch.setattr(Position, "move", losing)
    assert "nowhere" in facts(conform(load(str(GOOD / "sims")), 1, 1))["pieces"]


def test_a_piece_in_two_places_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece that is put on the board and stays in the hand as well."""
    put = Position.put

    def doubling(self: Position, piece: int, layer: str, sites: tuple[int, ...]) -> None:
        at = self.where[piece]
        put(self, piece, layer, sites)
        if at is not None and at[0] == "hand":
            self.places[at] = (*self.places[at], piece)

    monkeypatch.setattr(Position, "put", doubling)
    assert "and lies at" in facts(conform(load(str(GOOD / "sims")), 1, 1))["pieces"]


@pytest.mark.parametrize("name", ["tic_tac_toe", "hex"])
def test_an_unlisted_legal_move_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that leaves out its first option, which is accepted all the same."""
    ones = Decider._ones

    def short(self: Decider, *args: Any) -> Iterator[Any]:
        listed = list(ones(self, *args))
        yield from listed[1:] if len(listed) > 1 else listed

    monkeypatch.setattr(Decider, "_ones", short)
    assert "is not listed, and accepted" in facts(conform(load(str(GOOD / name)), 1, 1))["refusals"]


def test_a_listed_illegal_move_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that goes by the domain alone, whatever the rules of the event say."""
    monkeypatch.setattr(
        Decider,
        "_ones",
        lambda self, s, spec, *_: iter(
            self.members(s, s.stack[-1].env, spec.stmt) if spec.stmt else spec.domain
        ),
    )
    assert "is offered and refused" in facts(conform(load(str(GOOD / "hex")), 1, 1))["options"]


class _Late(evaluators.Stated):
    """Says another score once three choices are made."""

    def facts(self, probes: Any) -> dict[str, Any]:
        found = super().facts(probes)
        return {**found, "scores": [n + (self.state.moves > 3) for n in found["scores"]]}


class _Lost(evaluators.Stated):
    """Forgets the third choice."""

    def choose(self, option: Option) -> None:
        if self.state.moves != 3:
            super().choose(option)


@pytest.mark.parametrize(("wrong", "fact"), [(_Late, "scores[0]: 0 / 1"), (_Lost, "after at")])
def test_a_disagreement_of_evaluators_is_found(
    wrong: evaluators.Maker, fact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The smallest fact in which they differ is told."""
    monkeypatch.setitem(evaluators.MAKERS, "another", wrong)
    assert fact in facts(conform(load(str(GOOD / "hex")), 1, 1))["evaluators"]


def test_the_native_engine_is_one_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a module says is held against the reference; where it leaves play to that, it is said
    in how many games, and no law is broken.
    """
    made, scores = load(str(GOOD / "hex")), Instance.scores
    monkeypatch.setattr(Instance, "scores", lambda self: [n + 1 for n in scores(self)])
    assert facts(conform(made, 1, 1))["evaluators"] == "reference / native: scores[0]: 0 / 1"

    def stops(self: Instance, option: int, seat: int | None = None) -> None:
        raise AskReference("it is too much")

    monkeypatch.setattr(Instance, "scores", scores)
    monkeypatch.setattr(Instance, "choose", stops)
    ledger = conform(made, 2, 1)
    assert facts(ledger) == {} and ledger.not_compared == {"native: it is too much": 2}


def test_what_is_taken_back_though_it_showed_something_is_found(
    buried: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An undo that always goes back: the cards drawn are known by then."""
    monkeypatch.setattr(State, "undo", lambda self: self.parent)
    assert "may take back" in facts(conform(buried, 1, 1))["taking back"]


def test_a_hash_that_tells_nothing_apart_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All states of a game with one hash."""
    monkeypatch.setattr(Position, "digest", lambda self: "0" * 64)
    assert (
        "different states have one hash"
        in facts(conform(load(str(GOOD / "tic_tac_toe")), 1, 1))["hashes"]
    )


def test_a_check_that_raises_breaks_its_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """The battery itself does not fall over."""
    monkeypatch.setattr(State, "to_json", lambda self: {}["nothing"])
    assert facts(conform(load(str(GOOD / "hex")), 1, 1))["resume"] == "KeyError: 'nothing'"


# -------------------------------------------------------------------------------- pairs
def test_a_pair_differs_only_in_what_its_viewer_does_not_know(sealed: Game) -> None:
    """Other cards lie in the deck and in the other hand; his own are the same.

    Each pile has as many as before.
    """
    import random

    state = sealed.start(3)
    other = exchanged(state, 0, random.Random(1))
    assert other is not None
    one, two = state.position.branches[0], other.position.branches[0]
    assert one.places[("hand", 0)] == two.places[("hand", 0)]
    assert one.places[("hand", 1)] != two.places[("hand", 1)]
    assert {key: len(pieces) for key, pieces in one.places.items()} == {
        key: len(pieces) for key, pieces in two.places.items()
    }
    assert sorted(p for pieces in one.places.values() for p in pieces) == sorted(
        p for pieces in two.places.values() for p in pieces
    )
    assert all(two.where[p] == key for key, pieces in two.places.items() for p in pieces)


def test_hidden_variables_are_varied(tmp_path: Path) -> None:
    """A private number of another is another number in the pair, one's own and a public one are
    not.
    """
    import random

    (tmp_path / "secret.rules").write_text(
        'game secret "Secrets"\n  players: 2\nstate mine of player: number = 1, private\n'
        "state shown: number = 1\n"
        "flow\n  repeat 3 times\n    each p in turn\n      choose n in {1 to 3} by p\n"
        "      set p's mine to n\n      add 1 to shown\nrank\n  highest shown\n",
        "utf-8",
    )
    state = load(str(tmp_path)).start(0)
    other = varied(state, 0, random.Random(1))
    assert other is not None
    assert other.position.vars["mine"].get(0, 1) == 1 != other.position.vars["mine"].get(1, 1)
    assert other.position.vars["shown"] == state.position.vars["shown"]


# -------------------------------------------------------------------------- the command
def test_the_report_tells_the_way_to_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The law, the fact, the seed, the players, the choices, and a command line that finds it
    again.
    """
    monkeypatch.setitem(evaluators.MAKERS, "another", _Late)
    assert (
        main(
            [
                "conform",
                str(GOOD / "hex"),
                "--option",
                "size=5",
                "--variant",
                "swap",
                "--games",
                "1",
                "--seed",
                "4",
            ]
        )
        == 1
    )
    shown = capsys.readouterr().out
    assert "1 setting, as asked for" in shown and "1 law is broken" in shown
    assert "scores[0]: 0 / 1" in shown and "seed 4000012" in shown
    assert (
        "rulelang conform tests/good/hex --players 2 --variant swap --option size=5 --seed 4 "
        "--games 1" in shown
    )
    assert "p1 action: lay" in shown and "p1 at: cell#" in shown


def test_the_plain_report_holds_every_law(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every two values of the options meet in a setting.

    With --json all choices to a failure are there, and replay.
    """
    assert main(["conform", str(GOOD / "hex"), "--games", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    met = {(s["options"]["size"], bool(s["variants"])) for s in data["settings"]}
    assert met == {(size, swap) for size in (5, 7, 11) for swap in (True, False)}
    assert set(data["laws"]) == set(LAWS) and data["failures"] == []
    monkeypatch.setitem(evaluators.MAKERS, "another", _Late)
    assert main(["conform", str(GOOD / "hex"), "--option", "size=5", "--games", "1", "--json"]) == 1
    (failure,) = json.loads(capsys.readouterr().out)["failures"]
    state = load(str(GOOD / "hex"), options={"size": 5}).start(failure["seed"])
    for choice in failure["choices"]:
        state = state.choose(state.option(choice["player"], choice["name"], choice["value"]))
    assert state.moves == len(failure["choices"]) > 3


@pytest.mark.parametrize(
    "args",
    [["--variant", "swop"], ["--option", "size=6"], ["--option", "colour=red"], ["--players", "9"]],
)
def test_settings_that_are_not_there_are_named(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A mistake on the command line is a finding, for the battery and for simulation alike."""
    for command in (["conform"], ["simulate", "--all-options"]):
        assert main([*command, str(GOOD / "hex"), *args]) == 1
        assert "error" in capsys.readouterr().err


# ----------------------------------------------------------------------- bots that fail
def _raising(seed: int) -> Any:
    def choose(state: State, decision: Any) -> Option:
        raise ZeroDivisionError("no plan")

    return choose


def _illegal(seed: int) -> Any:
    return lambda state, decision: Option(decision.player, decision.name, "nowhere")


def _silent(seed: int) -> Any:
    return lambda state, decision: None


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        (_raising, "failed: ZeroDivisionError('no plan')"),
        (_illegal, "cannot be chosen"),
        (_silent, "answered None, which is no option"),
    ],
)
def test_a_bot_that_fails_is_named_and_loses_nothing(
    bot: Any,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its seat and its fault are told.

    Other games are played, and a game it breaks off is kept as far as it came.
    """
    made = iter(range(10**9))
    monkeypatch.setitem(
        BOTS, "random", lambda seed: bot(seed) if next(made) == 1 else BOTS["greedy"](seed)
    )
    assert (
        main(["simulate", str(GOOD / "hex"), "--option", "size=5", "--games", "2", "--json"]) == 1
    )
    data = json.loads(capsys.readouterr().out)
    assert len(data["faults"]) == 1 and "player 2" in data["faults"][0] and why in data["faults"][0]
    assert data["finished"] == 1
    made = iter(range(10**9))
    kept = tmp_path / "kept.json"
    assert (
        main(
            [
                "play",
                str(GOOD / "hex"),
                "--option",
                "size=5",
                "--bots",
                "random,random",
                "--record",
                str(kept),
            ]
        )
        == 1
    )
    assert why in capsys.readouterr().err
    record = json.loads(kept.read_text("utf-8"))
    assert (
        load(str(GOOD / "hex"), options={"size": 5}).replay(record).moves
        == len(record["choices"])
        == 1
    )


def test_unknown_pieces_are_those_declared_hidden(sealed: Game) -> None:
    """The oracle of the pairs reads the declarations alone: his own hand is known, the deck and
    another's hand are not.
    """
    state = sealed.start(3)
    s = state.position.branches[0]
    assert not unknown(s, 0) & set(s.places[("hand", 0)])
    assert unknown(s, 0) >= set(s.places[("hand", 1)]) | set(s.places[("deck", None)])
    assert unknown(s, None) >= set(s.places[("hand", 0)])
    assert pieces_in(s.places[("deck", None)][0], PieceT("development"))


TWINS = """game twins "Twins"
  players: 1
component ware
  pieces title, copies
    | "Fig" 3
place basket: ware, full
place counter: ware
flow
  repeat 2 times
    choose w in basket by p1 "ware"
    move w to counter
rank
  highest count of counter
"""


def test_of_equal_pieces_any_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that names another of equal pieces makes the same choice in all evaluators."""
    path = tmp_path / "twins.rules"
    path.write_text(TWINS, "utf-8")
    game = load(str(path))

    def last(state: State, decision: Decision) -> Option:
        piece = max(state.position.places[("basket", None)])
        return Option(decision.player, decision.name, piece)

    monkeypatch.setitem(BOTS, "random", lambda seed: last)
    monkeypatch.setitem(BOTS, "hasty", lambda seed: last)
    ledger = conform(game, 1, 1)
    assert facts(ledger) == {} and ledger.checked["evaluators"] > 2
