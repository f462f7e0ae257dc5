"""The types of `rulelang.environments`."""

from interpreter.api.environments import Numbers as Numbers
from interpreter.api.environments import Unbounded as Unbounded
from interpreter.api.environments import batch_env as batch_env
from interpreter.api.environments import gymnasium_env as gymnasium_env
from interpreter.api.environments import numbers_of as numbers_of
from interpreter.api.environments import open_spiel_game as open_spiel_game
from interpreter.api.environments import pettingzoo_env as pettingzoo_env
from interpreter.api.environments import pettingzoo_parallel_env as pettingzoo_parallel_env

__all__ = [
    "Numbers",
    "Unbounded",
    "batch_env",
    "gymnasium_env",
    "numbers_of",
    "open_spiel_game",
    "pettingzoo_env",
    "pettingzoo_parallel_env",
]
