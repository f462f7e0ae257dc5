"""Random playouts by OpenSpiel's C++, where it is installed: `pip install -e '.[bench]'`.

They run within one call of its evaluator of positions, so that no move is made from Python.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable

SECONDS = 0.05  # that a batch takes, about
FIRST = 20  # playouts of the batch that is timed to find the size of the others


def installed() -> bool:
    """Is OpenSpiel there?"""
    return importlib.util.find_spec("pyspiel") is not None


def rollouts(name: str) -> Callable[[int], int]:
    """A batch of playouts of a game from its first position, by the name that OpenSpiel has for it;
    says how many they were.
    """
    spiel = importlib.import_module("pyspiel")
    game = spiel.load_game(name)

    def batch(size: int) -> Callable[[int], int]:
        """One simulation of a search visits the first position alone, and evaluates it by so many
        playouts.
        """
        bot = spiel.MCTSBot(
            game,
            spiel.RandomRolloutEvaluator(size, 1),
            1.0,  # how much a search explores
            1,  # simulation
            1,  # megabyte
            False,  # proven results
            1,  # seed
            False,  # told
        )

        def play(seed: int) -> int:
            first = game.new_initial_state()
            bot.restart_at(first)
            bot.step(first)
            return size

        return play

    began = time.process_time()
    batch(FIRST)(0)
    spent = max(time.process_time() - began, 1e-6)
    return batch(max(FIRST, int(FIRST * SECONDS / spent)))
