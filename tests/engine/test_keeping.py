"""What is kept, and what is asked before its turn, changes no answer."""

from __future__ import annotations

import itertools
import random

import pytest

from interpreter.game.game import Game, game_of
from interpreter.game.loading import load_rules

GOOD = ("tic_tac_toe", "hex", "development", "sealed", "sights", "sims")
GAMES = [*(f"tests/good/{name}" for name in GOOD), "tests/benchmarks/canals", "big_city"]


def pair(name: str) -> tuple[Game, Game]:
    """The same game with results kept and without."""
    loaded = load_rules(name, (), [], tests=False)
    return game_of(loaded, None, (), {}), game_of(loaded, None, (), {}, keeps=False)


@pytest.mark.parametrize("name", GAMES)
def test_kept_or_not_the_same_game_is_played(name: str) -> None:
    """Legal moves, states, scores, logs and reasons agree at every step."""
    fast, slow = pair(name)
    for seed in range(1, 3):
        a, b, rng = fast.start(seed), slow.start(seed), random.Random(seed)
        for _ in range(40):
            assert a.position.canonical() == b.position.canonical()
            assert a.scores() == b.scores()
            if b.over:
                break
            at = rng.randrange(len(b.decisions))
            mine, theirs = a.decisions[at], b.decisions[at]
            assert (mine.player, mine.name, mine.prompt) == (
                theirs.player,
                theirs.name,
                theirs.prompt,
            )
            options = list(itertools.islice(theirs.options(), 60))
            assert list(itertools.islice(mine.options(), 60)) == options
            chosen = rng.choice(options)
            a, b = a.choose(chosen), b.choose(chosen)
            assert a.log[-2:] == b.log[-2:]


@pytest.mark.parametrize("name", GAMES)
def test_kept_or_not_the_same_is_refused(name: str) -> None:
    """What would be accepted is the same of events with any values at all."""
    fast, slow = pair(name)
    a, rng = fast.start(1), random.Random(5)
    for _ in range(12):
        if a.over:
            break
        for event in fast.rules_source.events.values():
            domains = []
            for _, t in event.params:
                try:
                    domains.append(fast.setup.members(t))
                except ValueError:
                    domains.append([frozenset()])
            if not all(domains):
                continue
            for _ in range(8):
                values = tuple(rng.choice(d) for d in domains)
                failures = list(slow.rules.failures(a.position, event.name, values))
                assert fast.rules.accepts(a.position, event.name, values) == (not failures)
        a = a.choose(a.decisions[0].sample(rng))
