"""Who plays: what belongs to a player who does not is not there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.model.values import Fault


@contextmanager
def seated(players: int) -> Iterator[None]:
    """What belongs to a player who does not play is not there: rules that ask for it are at fault."""
    try:
        yield
    except (KeyError, IndexError) as error:
        key = error.args[0] if error.args else None
        who = key[-1] if isinstance(key, tuple) and key else key
        if not isinstance(who, int) or who < players:
            raise
        raise Fault(
            f"what is player {who + 1}'s is asked for, and {players} play; ask for `count of players` first"
        ) from error
