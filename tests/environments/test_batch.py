"""Many games stepped in one call: each goes as it would alone."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

import rulelang
from interpreter.environments.table import Rules, Table
from interpreter.game.game import Illegal
from interpreter.model.errors import InputError
from rulelang import environments

np = pytest.importorskip("numpy", reason="the extra `environments` is not installed")
pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

CLASSICS = "examples/classics"


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("tic_tac_toe", 9),
        ("breakthrough", 24),  # a move takes two actions
        ("three_cards", 9),  # cards are drawn
        ("crazy_eights", 30),
    ],
)
def test_each_game_goes_as_it_would_alone(name: str, most: int) -> None:
    """Who decides, what is legal, what a player observes and is paid, after each action."""
    rules = Rules(rulelang.load(f"{CLASSICS}/{name}")._inner)
    batch = environments.batch_env(f"{CLASSICS}/{name}", games=5, seed=3)
    tables = [Table.start(rules, 3 + game) for game in range(5)]
    picks = cycle((0, 3, 1, 7, 2))
    for _ in range(most):
        taken = [0] * 5
        for game, table in enumerate(tables):
            assert bool(batch.over[game]) is table.over
            if table.over:
                assert not batch.legal[game].any()
                assert batch.rewards(game) == table.rewards()
                continue
            (player,) = table.deciding
            assert batch.player[game] == player
            assert batch.legal[game].nonzero()[0].tolist() == table.legal(player)
            seen = batch.observation(game, player)
            assert dict(zip(*_sparse(seen), strict=True)) == pytest.approx(
                table.observation(player)
            )
            taken[game] = table.legal(player)[next(picks) % len(table.legal(player))]
            tables[game] = table.after(player, taken[game])
        batch.step(taken)
    assert any(table.over for table in tables) or name not in ("tic_tac_toe", "three_cards")


def _sparse(row: object) -> tuple[list[int], list[float]]:
    found = np.asarray(row)
    at = found.nonzero()[0]
    return at.tolist(), found[at].tolist()


def test_games_begin_anew() -> None:
    """Those that are named, with seeds of their own; the others stand as they did."""
    batch = environments.batch_env(f"{CLASSICS}/tic_tac_toe", games=3)
    batch.step([0, 1, 2])
    batch.reset([1])
    assert batch.moves.tolist() == [1, 0, 1]
    assert batch.legal[:, :9].sum(axis=1).tolist() == [8, 9, 8]
    assert batch.player.tolist() == [1, 0, 1]


def test_what_is_not_legal_changes_nothing() -> None:
    """The first game whose action is not legal is named, with what is."""
    batch = environments.batch_env(f"{CLASSICS}/tic_tac_toe", games=2)
    batch.step([0, 0])
    with pytest.raises(Illegal, match="is not legal in game 1; legal is"):
        batch.step([1, 0])
    with pytest.raises(InputError, match="2 whole numbers"):
        batch.step([1])
    with pytest.raises(Illegal, match="action 99 is not legal in game 0"):
        batch.step([99, 1])
    assert batch.moves.tolist() == [1, 1]
    batch.step([1, 1])
    assert batch.moves.tolist() == [2, 2]


def test_a_game_that_breaks_off_leaves_the_others(tmp_path: Path) -> None:
    """A fault of the rules ends one game, which stands as it did; the others go on."""
    path = tmp_path / "steps.rules"
    path.write_text(
        'game steps "Steps"\n'
        "  players: 1\n"
        "\n"
        "state far of player: number = 0\n"
        "\n"
        "flow\n"
        "  repeat\n"
        "    each p in turn\n"
        '      choose n in {1 to 3} by p "number"\n'
        "      set p's far to 10 / (n - 2) rounded down\n"
        "\n"
        "rank\n"
        "  highest player's far\n",
        encoding="utf-8",
    )
    batch = environments.batch_env(path, games=3)
    first, second, third = batch.legal[0].nonzero()[0]
    batch.step([first, second, third])
    assert batch.over.tolist() == [False, True, False]
    assert "division by 0" in batch.stopped[1]
    batch.step([first, first, first])
    assert [batch.state(n).scores() for n in range(3)] == [[-10], [0], [-10]]
    assert batch.moves.tolist() == [2, 0, 2]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("big_city", "several are chosen together"),
        ("tests/good/sealed", "decide at once"),
    ],
)
def test_games_that_are_not_stepped_in_batches_are_named(name: str, why: str) -> None:
    """What a batch cannot do is said when it is asked for."""
    with pytest.raises(environments.Unbounded, match=why):
        environments.batch_env(name, games=2, players=2)


@pytest.mark.parametrize("games", [0, -1, True, 10**9, 1.5])
def test_a_number_of_games_that_cannot_be_is_refused(games: object) -> None:
    """A whole number from 1 on, within the bound."""
    with pytest.raises(InputError, match="games is a whole number"):
        environments.batch_env(f"{CLASSICS}/tic_tac_toe", games=games)  # type: ignore[arg-type]  # wrong on purpose
