"""Environments: numbered actions and tensors that mean what they say, and the test suites of the
libraries whose interfaces they have.
"""

from __future__ import annotations

import functools
import random
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulelang
from interpreter.api.game import Game
from interpreter.conformance.pairs import exchanged
from interpreter.environments.table import Rules, Table
from interpreter.game.game import State
from rulelang import environments

TICK, CARDS = "examples/classics/tic_tac_toe", "examples/classics/three_cards"
SEALED = "tests/good/sealed"
MISSING = "the extra `environments` is not installed"


@functools.cache
def rules_of(name: str, players: int) -> Rules:
    return Rules(rulelang.load(name, players=players)._inner)


def walked(rules: Rules, seed: int, most: int = 200) -> Iterator[Table]:
    """The tables of a game at random."""
    rng, table = random.Random(seed), Table.start(rules, seed)
    for _ in range(most):
        yield table
        if table.over:
            return
        player = rng.choice(table.deciding)
        table = table.after(player, rng.choice(table.legal(player)))


# ------------------------------------------------------------------------------- numbered actions
@pytest.mark.parametrize(
    "name", [TICK, SEALED, "tests/good/sims", "examples/classics/breakthrough"]
)
def test_every_option_is_reached_by_actions_of_its_own(name: str) -> None:
    """At each decision all ways through the factors come to different options, and to all of
    them.
    """
    rules = rules_of(name, 2)
    looked = 0
    for table in walked(rules, 3, 40):
        for decision in [] if table.under_way else table.state.decisions:
            count = decision.count()
            if count is None or count > 60:
                continue
            reached = list(ends(table, decision.player))
            values = [
                repr(decision.decider.canonical(table.state.position, s, v)) for s, v in reached
            ]
            wanted = [repr(option.value) for option in decision.options()]
            assert sorted(values) == sorted(wanted)
            looked += 1
    assert looked > 5


def ends(table: Table, player: int) -> Iterator[tuple[object, object]]:
    """The spec and value of each option that the factors lead to."""
    spec = next(s for s in table.state.specs if s.player == player)
    todo = [table._of(player)]
    while todo:
        at = todo.pop()
        for action in at.legal():
            later = at.after(action)
            if hasattr(later, "legal"):
                todo.append(later)
            else:
                yield spec, later.value


def test_actions_are_numbered_once_for_a_game_and_said_in_words() -> None:
    """Cells come first, then the words; a number and its words never change."""
    found = environments.numbers_of(TICK)
    assert [(s.name, s.first, s.size) for s in found.actions if s.size] == [
        ("cells of grid", 0, 9),
        ("words", 9, 5),
    ]
    assert [found.action(n) for n in (0, 4, 8, 12)] == ["a1", "b2", "c3", "done"]
    assert [part.name for part in found.tensor][-1] == "state mark"
    assert found.tensor[-1].shape == (9, 2)


BIDS = """game bids "Bids"
  players: 2
state money of player: number = 3
flow
  each p in turn
    choose n in {0 to p's money} by p "bid"
    subtract n from p's money
rank
  highest player's money
"""


def test_a_game_without_a_bound_is_left_out_and_named(tmp_path: Path) -> None:
    """It says which choice has none and where it stands; with a bound no larger number is
    offered.
    """
    (tmp_path / "bids.rules").write_text(BIDS, "utf-8")
    with pytest.raises(environments.Unbounded, match=r"nothing bounds the numbers of n \(.*line 6"):
        environments.numbers_of(tmp_path)
    found = environments.numbers_of(tmp_path, numbers=2)
    assert [found.action(n) for n in Table.start(found._rules).legal(0)] == ["0", "1", "2"]


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    rules = rules_of(TICK, 2)
    table = Table.start(rules).after(0, 4)
    with pytest.raises(rulelang.Illegal, match=r"action 4 \(b2\) is not legal .*legal is 0 \(a1\)"):
        table.after(1, 4)
    with pytest.raises(rulelang.Illegal, match="actions are 0 to 13"):
        table.after(1, 99)
    assert table.legal(1) == [0, 1, 2, 3, 5, 6, 7, 8]


@pytest.mark.parametrize("wrong", [{"reward": "fame"}, {"plyers": 2}, {"numbers": "many"}])
def test_a_wrong_setting_is_named(wrong: dict[str, object]) -> None:
    with pytest.raises(rulelang.InputError, match=f"{next(iter(wrong))}|fame"):
        environments.numbers_of(TICK, **wrong)  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------- tensors
@pytest.mark.parametrize(("name", "players"), [("tests/good/buried", 2), (SEALED, 3), (CARDS, 2)])
def test_what_cannot_be_told_apart_is_one_tensor(name: str, players: int) -> None:
    """Hidden pieces are exchanged for others: what an agent observes, may do and is told stays."""
    rules = rules_of(name, players)
    pairs, before = 0, None
    for table in walked(rules, 5, 60):
        if before is not None and table.state is not before:
            table.state.parent = before
        before = table.state
        if table.under_way or table.over:
            continue
        for viewer in range(players):
            other = exchanged(table.state, viewer, random.Random(pairs))
            if other is None:
                continue
            twin = Table(rules, other, {}, table.chosen, table.made)
            assert table.observation(viewer) == twin.observation(viewer)
            assert table.information(viewer) == twin.information(viewer)
            assert table.legal(viewer) == twin.legal(viewer)
            pairs += 1
    assert pairs >= 3


def test_a_tensor_tells_a_hand_to_its_owner_alone() -> None:
    """In three cards each knows his card, and that the other has one."""
    rules = rules_of(CARDS, 2)
    table = Table.start(rules, 3)
    parts = {part.name: part for part in rules.layout.parts}
    hand, backs = parts["place hand"], parts["backs in hand"]
    for viewer in (0, 1):
        seen = table.observation(viewer)
        held = [at - hand.first for at in seen if hand.first <= at < hand.first + hand.size]
        (card,) = table.state.position.places["hand", viewer]
        assert held == [viewer * 3 + card]
        assert seen[backs.first + 1 - viewer] == 1.0


def test_a_move_is_over_when_all_have_decided_at_once() -> None:
    """Where they decide at once again nobody has chosen anything of his move yet."""
    table = Table.start(rules_of(SEALED, 2), 3)
    while table.state.specs[0].name == "away":
        player = table.deciding[0]
        table = table.after(player, table.legal(player)[0])
    assert [spec.name for spec in table.state.specs] == ["action", "action"]
    assert table.chosen == ((), ())


def test_rewards_add_up() -> None:
    """By rank one winner has 1 and the sum is 0; ties share; margins are about the mean."""
    state = _ended("examples/classics/crazy_eights", 3, 2)
    by_rank = Rules(state.game, reward="rank").rewards(state)
    assert sum(by_rank) == 0 and max(by_rank) == 1.0 and by_rank.count(-0.5) == 2
    margin = Rules(state.game, reward="margin").rewards(state)
    assert abs(sum(margin)) < 1e-9 and margin.index(max(margin)) == state.winners[0]


def _ended(name: str, players: int, seed: int) -> State:
    *_, last = walked(rules_of(name, players), seed, 2_000)
    assert last.over
    return last.state


# ------------------------------------------------------------------------- the libraries' own tests
@pytest.mark.parametrize(("name", "players"), [(TICK, 2), (SEALED, 3)])
def test_pettingzoo_accepts_it(name: str, players: int) -> None:
    """Its `api_test`, `seed_test` and `parallel_api_test`, also of what it converts itself."""
    pytest.importorskip("pettingzoo", reason=MISSING)
    from pettingzoo.test import api_test, parallel_api_test, seed_test
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    game = rulelang.load(name, players=players)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(environments.pettingzoo_env(game), num_cycles=30)
        seed_test(lambda: environments.pettingzoo_env(game), num_cycles=4)
        parallel_api_test(environments.pettingzoo_parallel_env(game), num_cycles=30)
        converted = turn_based_aec_to_parallel(environments.pettingzoo_env(game))
        parallel_api_test(converted, num_cycles=30)


def test_pettingzoo_pays_once_when_the_game_is_over() -> None:
    pytest.importorskip("pettingzoo", reason=MISSING)
    env = environments.pettingzoo_env(TICK)
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        env.step(action)
    assert env.rewards == {"player_1": 1.0, "player_2": -1.0}
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.observe("player_1")["action_mask"].sum() == 0


def test_gymnasium_accepts_it() -> None:
    """`check_env` on a game of one player, and on one seat of a game of two."""
    pytest.importorskip("gymnasium", reason=MISSING)
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(environments.gymnasium_env("cities", players=1, reward="score"))
        check_env(environments.gymnasium_env(TICK, seat=2))


def test_gymnasium_names_an_illegal_action() -> None:
    pytest.importorskip("gymnasium", reason=MISSING)
    env = environments.gymnasium_env(TICK)
    _, info = env.reset(seed=4)
    env.step(4)
    before = env.table
    *_, info = env.step(4)
    assert "is not legal" in str(info["illegal"]) and env.table is before
    strict = environments.gymnasium_env(TICK, illegal="raise")
    strict.reset(seed=4)
    with pytest.raises(rulelang.Illegal):
        strict.step(13)


def test_open_spiel_accepts_it() -> None:
    """Its random simulation test, with what it writes read back, on games with no chance, with
    chance nodes, and with a seed that is drawn.
    """
    pyspiel = pytest.importorskip("pyspiel", reason=MISSING)
    for name in (TICK, CARDS, "examples/classics/crazy_eights"):
        game = environments.open_spiel_game(name, players=2)
        pyspiel.random_sim_test(game, 1, True, False)


def test_open_spiel_solves_three_cards() -> None:
    """All draws are chance nodes: play at random is as far from optimal as in the library's own
    game, 11/24, and counterfactual regret brings it down.
    """
    pytest.importorskip("pyspiel", reason=MISSING)
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability

    game = environments.open_spiel_game(CARDS, reward="margin")
    assert (
        abs(exploitability.exploitability(game, policy.UniformRandomPolicy(game)) - 11 / 24) < 1e-9
    )
    solver = cfr.CFRSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.2


def test_open_spiels_search_plays_tic_tac_toe() -> None:
    """Its Monte-Carlo tree search takes the cell that wins."""
    pyspiel = pytest.importorskip("pyspiel", reason=MISSING)
    import numpy as np
    from open_spiel.python.algorithms import mcts

    game = environments.open_spiel_game(TICK)
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 1.4, 40, evaluator, random_state=rng)
    assert bot.step(state) == 2
    assert (
        state.get_game().get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    )


def test_a_missing_library_is_told_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(rulelang.InputError, match=r"pip install 'rulelang\[environments\]'"):
        environments.pettingzoo_env(TICK)


def test_a_loaded_game_keeps_its_settings() -> None:
    game = rulelang.load(TICK)
    assert isinstance(game, Game)
    with pytest.raises(rulelang.InputError, match="has its players"):
        environments.numbers_of(game, players=2)
