"""Is a card too strong? A copy of a card is not called different, one of twice its value is found,
and too few games are said to be too few.
"""

from __future__ import annotations

import dataclasses
import json
import math
import random
from pathlib import Path

import pytest

from interpreter.bots.agents import random_agent
from interpreter.cli.main import main
from interpreter.game.game import load
from interpreter.simulation import balance as balancing
from interpreter.simulation.balance import (
    ALIKE,
    NEVER,
    STRONGER,
    UNDECIDED,
    Balance,
    Card,
    Table,
    balance,
)
from interpreter.simulation.samples import Sample, looks, quantile
from tests.benchmarks.calibration import Asked, copied, rate

GAME = """game orchard "Orchard"
  players: 2
component tree
  value: number
  cards "Apple", "Pear", "Plum"
place deck: tree, ordered, hidden, full
place grove of player: tree
state points of player: number = 0
event plant(p: player, x: tree) reads "{p} plants {x}"
  move x to p's grove
  add x's value to p's points
flow
  shuffle deck
  repeat while deck is not empty
    each p in turn
      if deck is not empty
        choose keep in {1 to 2} by p "which"
        do plant(p, top(deck))
rank
  highest player's points
"""
CARDS = """card "Apple" of tree
  value: 3
  copies: 4

card "Pear" of tree
  value: 3
  copies: 4
"""


def files(folder: Path, value: int) -> tuple[str, str]:
    """The game, and a file with a card of this value."""
    game, added = folder / "orchard", folder / "quince.rules"
    game.mkdir()
    (game / "orchard.rules").write_text(
        GAME.replace('  cards "Apple", "Pear", "Plum"\n', "") + CARDS
    )
    card = f'for orchard\n\ncard "Quince" of tree\n  value: {value}\n  copies: 1\n'
    added.write_text(card, "utf-8")
    return str(game), str(added)


def measured(folder: Path, value: int, games: int, least: float = 1.5) -> Balance:
    game, added = files(folder, value)
    pair = load(game, players=2), load(game, players=2, with_=[added])
    cards = {"Quince": ["Apple", "Pear"]}
    return balance(pair, cards, ("random", random_agent), (games, 1), least)


def test_twice_the_value_is_found_and_says_how_much(tmp_path: Path) -> None:
    """Eight trees of 3 and one of 6: who has it is ahead of the others."""
    found = measured(tmp_path, 6, 400)
    (card,) = found.cards
    assert found.verdict(card) == STRONGER and found.games < 400
    assert card.games == found.games and card.won.mean > 0.6


def test_a_copy_is_not_called_different(tmp_path: Path) -> None:
    """A tree of 3 more among trees of 3 is no different, once there are games enough."""
    found = measured(tmp_path, 3, 200)
    assert found.verdict(found.cards[0]) in (ALIKE, UNDECIDED)


def test_a_null_is_called_different_in_at_most_five_per_cent() -> None:
    """Of 400 cards whose differences are chance about 0, looked at each time games have doubled,
    Wilson's interval of those called different includes 5 % or lies below.
    """
    rng, called, stops = random.Random(7), 0, looks(200)
    for _ in range(400):
        card, error = Card("it", frozenset()), 0.05 / len(stops)
        for number in range(1, 201):
            card.beyond.add(rng.gauss(0, 4))
            card.games += 1
            if number in stops and card.verdict(error, 1e-9) != UNDECIDED:
                called += 1
                break
    low = called / 400 - 1.96 * math.sqrt(0.05 * 0.95 / 400)
    assert low <= 0.05


def test_looks_double_and_their_intervals_share_the_error(tmp_path: Path) -> None:
    assert looks(200) == [25, 50, 100, 200] and looks(10) == [10]
    found = measured(tmp_path, 3, 30)
    assert found.error == 0.05 / 2 and round(quantile(0.05), 3) == 1.96


def test_too_few_games_say_how_many_it_would_take() -> None:
    """With a deviation of 2 and a difference of 1 an interval of 95 % takes (1.96 x 2)^2 = 15.4."""
    card = Card("it", frozenset())
    for x in (2.0, -2.0) * 10:
        card.beyond.add(x)
        card.games += 1
    deviation = card.beyond.deviation
    assert abs(deviation - math.sqrt(80 / 19)) < 1e-9
    assert card.verdict(0.05, 0.1) == UNDECIDED
    assert card.wanted(0.05, 1.0, 40) == math.ceil((1.959964 * deviation) ** 2 * 40 / 20)
    assert Card("never", frozenset()).verdict(0.05, 1.0) == NEVER


def test_a_sample_has_mean_and_deviation() -> None:
    sample = Sample()
    for x in (1.0, 2.0, 6.0):
        sample.add(x)
    assert sample.mean == 3.0 and abs(sample.deviation - math.sqrt(7)) < 1e-12


MARKET = GAME.replace(
    """    each p in turn
      if deck is not empty
        choose keep in {1 to 2} by p "which"
        do plant(p, top(deck))
""",
    """    each p in turn
      draw 2 from deck to p's hand
      choose x in p's hand by p "which"
      do plant(p, x, p's hand - {x})
""",
).replace(
    "event plant(p: player, x: tree)", "event plant(p: player, x: tree, payment: set of tree)"
)
MARKET = MARKET.replace(
    "  move x to p's grove\n", "  move x to p's grove\n  move payment to heap\n"
).replace("place grove", "place hand of player: tree, private\nplace heap: tree\nplace grove")


def market(folder: Path) -> str:
    """A game in which a tree is planted and another paid with, twice by each of two players."""
    game = folder / "orchard"
    game.mkdir()
    text = MARKET.replace('  cards "Apple", "Pear", "Plum"\n', "") + CARDS
    (game / "orchard.rules").write_text(text, "utf-8")
    return str(game)


def test_what_is_paid_with_is_not_played(tmp_path: Path) -> None:
    """Of eight trees four are planted and four paid with: four count, two of each player."""
    found = Table(load(market(tmp_path), players=2), ("random", random_agent)).played(5)
    assert found is not None
    assert sorted(p for _, p, _ in found.titles) == [0, 0, 1, 1]
    assert all(late is not None and 0 <= late < 1 for _, _, late in found.titles)


def test_the_native_engine_notes_who_played_what(tmp_path: Path) -> None:
    """Scores, winners and the plays of each are those of the reference, but not when."""
    pytest.importorskip("wasmtime", reason="the extra `native` is not installed")
    game, bot = load(market(tmp_path), players=2), ("random", random_agent)
    usual, native = Table(game, bot), Table(game, bot, 0)
    for seed in range(6):
        one, two = usual.played(seed), native.played(seed)
        assert one is not None and two is not None
        assert {late for *_, late in two.titles} == {None}
        timeless = tuple((title, p, None) for title, p, _ in one.titles)
        assert dataclasses.replace(one, titles=timeless) == two
    assert not native._plays.why_not


def test_each_play_counts_and_not_each_player() -> None:
    """Player 1 is 3 ahead and plays the card, and one of three others: 3 - (3 - 3 - 3) / 3 = 4.

    Were players counted, a card of many copies would look like nothing: both have one.
    """
    card = Card("it", frozenset({"other"}))
    plays = (("it", 0, 0.5), ("other", 0, 0.1), ("other", 1, 0.2), ("other", 1, None))
    card.add(balancing.Played((3.0, -3.0), (6, 0), (1.0, 0.0), plays))
    assert card.beyond.mean == 4.0 and card.games == 1
    assert card.when.count == 1 and card.when.mean == 0.5


def test_copies_of_a_real_card_are_not_called_different(tmp_path: Path) -> None:
    """A sample of `python tests/benchmarks/calibration.py`: copies in the orchard, and one of
    twice the value.
    """
    game, _ = files(tmp_path, 3)
    asked = Asked(game, value="value", games=50, copies=6)
    null, twice = rate(asked, "Pear", 1, range(6)), rate(asked, "Pear", 2, range(4))
    assert null.interval[0] <= 0.05 and null.runs == 6
    assert twice.said == 4 and twice.games < 200


def test_a_copy_has_the_text_of_its_card() -> None:
    source = (
        'card "Pear" of tree   # known\n  value: 3   [X-1]\n  # why\n  copies: 4\n  text\n'
        '    | 1 for each Pear.  [X-2]\n\ncard "Plum" of tree\n  value: 1\n'
    )
    assert copied(source, "Pear", "New", 7, "value", 2) == (
        'card "New" of tree\n  value: 6\n  copies: 7\n  text\n    | 1 for each Pear.\n'
    )
    with pytest.raises(ValueError, match="no card 'Peach'"):
        copied(source, "Peach", "New", 7, "value")


def test_the_command_tells_it_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, added = files(tmp_path, 12)
    asked = ["balance", game, added, "--bot", "random", "--games", "50"]
    assert main([*asked, "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["cards"][0]["title"] == "Quince" and found["cards"][0]["verdict"] == STRONGER
    assert found["cards"][0]["dominated"] is False
    assert main([*asked, "--like", "Aple"]) == 2
    assert "did you mean 'Apple'" in capsys.readouterr().err


def test_a_card_is_dominated_where_all_others_earn_more(tmp_path: Path) -> None:
    """A tree worth nothing is behind apples and pears, each by itself; against one alone, or met
    too seldom, nothing is said.
    """
    found = measured(tmp_path, 0, 200)
    (card,) = found.cards
    assert set(card.beside) == {"Apple", "Pear"}
    assert card.is_dominated(found.error)
    assert "dominated" in balancing.told(found, card)[0]
    del card.beside["Pear"]
    assert not card.is_dominated(found.error)
