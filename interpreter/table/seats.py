"""Who sits where: people at the keyboard, and bots of some kind."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.bots.agents import BOTS, Agent

PERSON = "me"


class NoSeat(Exception):
    """Seats that cannot be taken as asked; says why."""


@dataclass(frozen=True)
class Seats:
    """One kind for each seat: `me` for a person, else the kind of a bot."""

    kinds: tuple[str, ...]

    @property
    def people(self) -> list[int]:
        """The seats people sit in."""
        return [p for p, kind in enumerate(self.kinds) if kind == PERSON]

    def agents(self, seed: int) -> dict[int, Agent]:
        """A bot for each other seat, with a stream of chance of its own."""
        return {p: BOTS[kind](seed * 64 + p) for p, kind in enumerate(self.kinds) if kind != PERSON}


def kinds_of(text: str | None, people: bool) -> list[str]:
    """The kinds a command line names; raises NoSeat for one there is not."""
    kinds = [kind.strip() for kind in (text or "").split(",") if kind.strip()]
    for kind in kinds:
        if kind not in BOTS and not (people and kind == PERSON):
            known = ", ".join([*([PERSON] if people else []), *sorted(BOTS)])
            raise NoSeat(
                f"there is no {'one' if people else 'bot'} called {kind} to take a seat; "
                f"known are {known}"
            )
    return kinds


def seats_of(seats: str | None, bots: str | None, players: int, keyboard: bool) -> Seats:
    """The seats as asked for: all of `seats`, or `bots` in the last ones.

    With nobody at the keyboard bots take them all. Raises NoSeat.
    """
    if seats is not None and bots is not None:
        raise NoSeat("--seats names the bots too: leave --bots out")
    if seats is not None:
        kinds = kinds_of(seats, True)
        if len(kinds) > players:
            raise NoSeat(f"{len(kinds)} seats are named, and {players} play")
        return Seats((*kinds, *("greedy",) * (players - len(kinds))))
    kinds = kinds_of(bots, False)
    if len(kinds) > players:
        raise NoSeat(f"{len(kinds)} bots are named, and {players} play")
    if len(kinds) == players or not keyboard:
        return Seats(
            tuple((kinds or ["greedy"])[p % len(kinds or ["greedy"])] for p in range(players))
        )
    kinds = kinds or ["greedy"] * (players - 1)
    return Seats((*(PERSON,) * (players - len(kinds)), *kinds))
