"""Games behind the interfaces of PettingZoo, Gymnasium and OpenSpiel: `docs/environments.md`.

Names only, resolved when they are first used, as in `rulelang` itself.
"""

from importlib import import_module

_HOMES = dict.fromkeys(
    (
        "Numbers",
        "Unbounded",
        "batch_env",
        "gymnasium_env",
        "numbers_of",
        "open_spiel_game",
        "pettingzoo_env",
        "pettingzoo_parallel_env",
    ),
    "interpreter.api.environments",
)

__all__ = [*_HOMES]


def __getattr__(name: str) -> object:
    """A public name, resolved when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
