"""Rulelang: rules and card texts of tabletop games, compiled, checked, played and explained.

This is the public surface in Python, documented in docs/python.md: every name in `__all__`, and
nothing else. A name is resolved when it is first used, so that importing this costs nothing. All
other modules of `rulelang` and `interpreter` are internal and may change at any time.
"""

from importlib import import_module

_HOMES = {
    "Agent": "interpreter.api.agents",
    "Card": "interpreter.api.cards",
    "Choice": "interpreter.api.moves",
    "Decision": "interpreter.api.game",
    "Diagnostic": "rulelang.diagnostics",
    "Fault": "interpreter.model.values",
    "Game": "interpreter.api.game",
    "Illegal": "interpreter.game.game",
    "InputError": "interpreter.model.errors",
    "Move": "interpreter.api.moves",
    "Position": "interpreter.api.position",
    "Reading": "interpreter.api.texts",
    "Record": "interpreter.game.records",
    "RecordError": "interpreter.game.record_error",
    "Refusal": "interpreter.game.refusals",
    "RulelangError": "interpreter.model.errors",
    "RulesError": "interpreter.game.loading",
    "ScoreTree": "interpreter.game.score_tree",
    "Sentence": "interpreter.api.texts",
    "Simulation": "interpreter.api.agents",
    "State": "interpreter.api.game",
    "View": "interpreter.api.view",
    "check": "interpreter.api.texts",
    "explain": "interpreter.api.texts",
    "greedy_agent": "interpreter.api.agents",
    "hasty_agent": "interpreter.api.agents",
    "load": "interpreter.api.game",
    "play_out": "interpreter.api.agents",
    "random_agent": "interpreter.api.agents",
    "search_agent": "interpreter.api.agents",
    "simulate": "interpreter.api.agents",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    """A public name, resolved when it is first used."""
    if name == "__version__":
        found = import_module("interpreter.game.version").version()
    elif name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
