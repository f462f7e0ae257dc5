"""The interpreter: runs any compiled ruleset over boards, places and variables; it knows no game.

Programs use `import rulelang`, whose `load` is this one; everything else here is internal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.api.game import load as load

__all__ = ["load"]


def __getattr__(name: str) -> object:
    """`load`, resolved when it is first used."""
    if name == "load":
        from interpreter.api.game import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
