"""The version of the program: written into records and saves, told where one is refused."""

from __future__ import annotations

from functools import cache


@cache
def version() -> str:
    """The version that is installed; `unknown` where the tree is used without being installed."""
    from importlib.metadata import PackageNotFoundError  # it takes long to load
    from importlib.metadata import version as installed

    try:
        return installed("rulelang")
    except PackageNotFoundError:
        return "unknown"


def made_by(other: object) -> str:
    """The version something was written by, as the end of a message; nothing if it is this one or
    untold.
    """
    if not isinstance(other, str) or not other or other == version():
        return ""
    return f" (by rulelang {other}; this is {version()})"
