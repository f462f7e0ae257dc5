"""Many games stepped in one call: each goes as it would alone."""

from __future__ import annotations

from itertools import count, cycle
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the extra `environments` is not installed")
pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import numpy as np

from interpreter.environments.batch import Batch
from interpreter.environments.table import Table
from interpreter.game.game import Illegal
from interpreter.model.errors import InputError
from interpreter.native.batching import NAME
from interpreter.native.runtime import AskReference, Instance
from rulelang import environments

CLASSICS = "examples/classics"


ALONE = [  # games, and how many actions of each are followed
    (f"{CLASSICS}/tic_tac_toe", 9, {}),
    (f"{CLASSICS}/breakthrough", 24, {}),  # a move takes two actions
    (f"{CLASSICS}/three_cards", 9, {}),  # cards are drawn
    (f"{CLASSICS}/crazy_eights", 30, {}),
    ("tests/good/choices", 8, {"numbers": 9}),  # several members, and orders
    ("tests/good/sealed", 60, {"players": 3}),  # all decide at once, and several members
    ("tests/good/partners", 20, {"players": 4}),  # some look on meanwhile
    ("big_city", 60, {"players": 2}),
    ("cities", 30, {"players": 2}),
    ("the_city", 80, {"players": 3}),
    ("card_city_xl", 50, {"players": 2, "numbers": 60}),  # sets of pairs
    ("simcity", 30, {"players": 2, "numbers": 60}),
]


@pytest.mark.parametrize(("name", "most", "settings"), ALONE)
def test_each_game_goes_as_it_would_alone(name: str, most: int, settings: dict[str, int]) -> None:
    """Who decides, what is legal, how the game stands, what each player observes and is paid, after
    each action.
    """
    batch = environments.batch_env(name, games=3, seed=3, **settings)  # type: ignore[arg-type]  # players and numbers
    tables = followed(batch, [3, 4, 5], most)
    assert not batch.stopped
    assert any(table.over for table in tables) or name not in (ALONE[0][0], ALONE[2][0])


def followed(batch: Batch, seeds: list[int], most: int) -> list[Table]:
    """The games of a batch, held against those played one at a time, after so many actions."""
    tables = [Table.start(batch.rules, seed) for seed in seeds]
    picks = cycle((0, 3, 1, 7, 2))
    for _ in range(most):
        taken = [0] * len(tables)
        for game, table in enumerate(tables):
            assert_alike(batch, game, table)
            if not table.over:
                legal = table.legal(table.deciding[0])
                taken[game] = legal[next(picks) % len(legal)]
                tables[game] = table.after(table.deciding[0], taken[game])
        batch.step(taken)
    return tables


def assert_alike(batch: Batch, game: int, table: Table) -> None:
    """A game of a batch stands as one that is played alone."""
    assert bool(batch.over[game]) is table.over
    assert batch.rewards(game) == table.rewards()
    if table.over:
        assert not batch.legal[game].any()
        return
    player = table.deciding[0]
    assert batch.player[game] == player
    assert batch.legal[game].nonzero()[0].tolist() == table.legal(player)
    assert batch.state(game).position.digest() == table.state.position.digest()
    assert batch.state(game).moves == table.state.moves
    for viewer in range(batch.rules.game.players):
        seen = dict(zip(*_sparse(batch.observation(game, viewer)), strict=True))
        assert seen == pytest.approx(table.observation(viewer))


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


MOVES = """game moves "Moves"
  players: 2
component card
  pieces title, copies
    | "Ace"  4
    | "King" 4
place deck: card, ordered, hidden, full
place hand of player: card, private
place rest: card
place table: card
state secret: number = 1, hidden
state told of player: number = 0
event tell(p: player) reads "{p} is told"
  add 1 to p's told
rules of tell(p)
  "the secret is out"  secret > 0
action quietly(p: player)
  choose c in p's hand by p "first"
  choose d in p's hand by p "second"
action draws(p: player)
  choose c in p's hand by p "first"
  draw 1 from deck to p's hand
  choose d in p's hand by p "second"
action draws_openly(p: player)
  choose c in p's hand by p "first"
  draw 1 from rest to table
  choose d in p's hand by p "second"
action lays_open(p: player)
  choose c in p's hand by p "first"
  move c to table
  choose d in p's hand by p "second"
action turns_up(p: player)
  choose c in p's hand by p "first"
  move top of deck to table
  choose d in p's hand by p "second"
action shows(p: player)
  choose c in p's hand by p "first"
  reveal c
  choose d in p's hand by p "second"
action rolls(p: player)
  choose c in p's hand by p "first"
  let roll = chance({1 to 6})
  choose d in p's hand by p "second"
action asks(p: player)
  choose c in p's hand by p "first"
  attempt tell(p)
  otherwise
    do nothing
  choose d in p's hand by p "second"
action counts(p: player)
  choose c in p's hand by p "first"
  if some x in p's hand where x is "Ace"
    add 1 to p's told
  choose d in p's hand by p "second"
flow
  shuffle deck
  each p in turn
    draw 2 from deck to p's hand
  draw 2 from deck to rest
  repeat 2 times
    each p in turn
      take one of quietly, draws, draws_openly, lays_open, turns_up, shows, rolls, asks, counts by p
rank
  highest player's told
"""
SHOWN = {  # does his first choice show anybody something that its player did not know?
    "quietly": False,
    "draws": True,
    "draws_openly": True,  # what is drawn counts as shown, whoever knew it
    "lays_open": False,  # he knew it himself
    "turns_up": True,
    "shows": True,
    "rolls": True,
    "asks": True,
    "counts": False,  # of what is his own
}


def test_a_move_goes_on_until_something_is_shown(tmp_path: Path) -> None:
    """A player observes what he has chosen of his move until anybody learns something new."""
    (tmp_path / "moves.rules").write_text(MOVES, encoding="utf-8")
    batch = environments.batch_env(tmp_path, games=len(SHOWN), seed=3)
    batch.reset(range(len(SHOWN)), seed=3)
    numbering, (part,) = (
        batch.rules.numbering,
        [p for p in batch.rules.layout.parts if p.name == "chosen"],
    )
    batch.step([numbering.action(name) for name in SHOWN])
    batch.step(batch.legal.argmax(axis=1))
    left = [
        batch.observation(game, 0)[part.first : part.first + part.size].sum()
        for game in range(len(SHOWN))
    ]
    assert left == [0 if shown else 2 for shown in SHOWN.values()]
    followed(environments.batch_env(tmp_path, games=3, seed=3), [3, 4, 5], 12)


UNLIKE = """game unlike "Unlike"
  players: 2
component card
  pieces title, copies
    | "Ace" 8
place deck: card, hidden, full
place hand of player: card, private
flow
  each p in turn
    draw 3 from deck to p's hand
  each p at once
    choose c in p's hand by p "card to show"
    reveal c
    choose exactly 2 d in p's hand by p "cards to keep"
rank
  highest count of player's hand
"""


def test_equal_pieces_are_told_apart_by_what_was_shown_at_once(tmp_path: Path) -> None:
    """Of three equal cards that one is unlike the others which its player has just shown."""
    (tmp_path / "unlike.rules").write_text(UNLIKE, encoding="utf-8")
    batch = environments.batch_env(tmp_path, games=2)
    batch.step(batch.legal.argmax(axis=1))
    first, second, _ = batch.state(0).position.places["hand", 0]
    assert np.flatnonzero(batch.legal[0]).tolist() == [first, second]  # the third is as the second
    followed(environments.batch_env(tmp_path, games=2), [0, 1], 6)


def test_what_others_chose_unseen_is_not_observed() -> None:
    """Two games that differ in what the first player chose at once are one to the second."""
    batch = environments.batch_env("tests/good/sealed", games=2, players=2)
    batch.reset([0], seed=3)
    batch.reset([1], seed=3)
    batch.step([int(np.flatnonzero(batch.legal[0])[n]) for n in (0, 1)])
    while batch.player[0] == 0:
        batch.step(batch.legal.argmax(axis=1))
    assert batch.player.tolist() == [1, 1]
    assert (batch.legal[0] == batch.legal[1]).all()
    assert (batch.observation(0, 1) == batch.observation(1, 1)).all()
    assert (batch.observation(0, 0) != batch.observation(1, 0)).any()


@pytest.mark.parametrize(
    "name", ["tests/good/sealed", "tests/good/choices", f"{CLASSICS}/breakthrough"]
)
def test_what_the_engine_leaves_the_reference_plays(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the native engine cannot say what happens, games go on as they would alone."""
    batch = environments.batch_env(name, games=3, seed=3, numbers=9)
    ask, asked = Instance.ask, count()

    def ask_or_leave(self: Instance, function: str, *args: int) -> int:
        if function == NAME and next(asked) % 3:
            raise AskReference("left")
        return ask(self, function, *args)

    monkeypatch.setattr(Instance, "ask", ask_or_leave)
    followed(batch, [3, 4, 5], 40)
    assert not batch.stopped and next(asked) > 6


AT_ONCE = """game bids "Bids"
  players: 2
state far of player: number = 0
flow
  repeat
    each p at once
      choose n in {1 to 3} by p "number"
      set p's far to 10 / (n - 2) rounded down
rank
  highest player's far
"""


def test_a_fault_of_one_who_decides_at_once_ends_one_game(tmp_path: Path) -> None:
    """That game stands as it did; the others go on as they would alone."""
    (tmp_path / "bids.rules").write_text(AT_ONCE, encoding="utf-8")
    batch = environments.batch_env(tmp_path, games=3)
    tables = [Table.start(batch.rules, game) for game in range(3)]
    first, second, third = np.flatnonzero(batch.legal[0]).tolist()
    batch.step([first, second, third])
    assert "division by 0" in batch.stopped[1]
    assert batch.state(1).position.digest() == tables[1].state.position.digest()
    for _ in range(3):
        for game in (0, 2):
            player, taken = tables[game].deciding[0], (first, first, third)[game]
            tables[game] = tables[game].after(player, taken)
            assert_alike(batch, game, tables[game])
        batch.step([first, first, third])
    assert batch.over.tolist() == [False, True, False]
    assert batch.moves.tolist() == [4, 0, 4]


RISING = """game rising "Rising"
  players: 1
state far of player: number = 0
flow
  repeat
    each p in turn
      choose n in {p's far + 1 to p's far + 2} by p "number"
      set p's far to n
rank
  highest player's far
"""


def test_a_game_without_an_option_within_the_bound_breaks_off(tmp_path: Path) -> None:
    """It says so, and the others go on."""
    (tmp_path / "rising.rules").write_text(RISING, encoding="utf-8")
    batch = environments.batch_env(tmp_path, games=2, numbers=4)
    batch.step([2, 1])
    assert [np.flatnonzero(row).tolist() for row in batch.legal] == [[3, 4], [2, 3]]
    batch.step([4, 2])
    assert batch.over.tolist() == [True, False]
    assert "within the bound on numbers" in batch.stopped[0]
    batch.step([0, 3])
    assert [batch.state(game).scores() for game in range(2)] == [[4], [3]]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tests/good/sights", "not played by the native engine: a loop in an order"),
        ("tests/good/moments", "not played by the native engine: what must always hold"),
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
