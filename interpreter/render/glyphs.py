"""Short signs for what lies on a board: each thing always the same one, no two things alike, and a
legend that tells them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

PLAYERS = ("blue", "red", "green", "yellow", "magenta", "cyan")
KINDS = ("cyan", "magenta", "yellow", "green", "bright_blue", "bright_red", "white", "bright_black")
MARKS = "*'^~!\"%&"


def player_style(player: int) -> str:
    """The colour of a player's things."""
    return f"bold {PLAYERS[player % len(PLAYERS)]}"


def kind_style(member: int) -> str:
    """The colour of things of one kind."""
    return KINDS[member % len(KINDS)]


@dataclass
class Signs:
    """Signs of so many letters at most, given out as things are met."""

    longest: int
    known: dict[str, str] = field(default_factory=dict)  # what it is -> its sign
    plain: set[str] = field(default_factory=set)  # signs that need no legend

    def of(self, text: str, owner: int | None = None) -> str:
        """The sign of a thing: the first letters of its words, or the shortest other letters still
        free, and its owner's number; of one letter, that alone."""
        whole = text if owner is None else f"{text} of player {owner + 1}"
        if whole not in self.known:
            taken = set(self.known.values())
            if owner is None:
                wanted = _candidates(text, self.longest)
            elif self.longest > 1:
                wanted = (f"{sign}{owner + 1}" for sign in _candidates(text, self.longest - 1))
            else:
                wanted = iter(
                    (str(owner + 1)[-1], *"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
                )
            self.known[whole] = next((sign for sign in wanted if sign not in taken), "?")
        return self.known[whole]

    def as_is(self, text: str) -> str:
        """A sign that says itself, such as a number."""
        self.known.setdefault(text, text)
        self.plain.add(text)
        return self.known[text]

    def legend(self) -> list[tuple[str, str]]:
        """The signs and what they mean, in order."""
        return sorted(
            ((sign, text) for text, sign in self.known.items() if text not in self.plain),
            key=lambda item: item[0].lower(),
        )


def _candidates(text: str, longest: int) -> Iterator[str]:
    words = "".join(c if c.isalnum() else " " for c in text).split() or ["x"]
    letters = "".join(words)
    if longest > 1:
        initials = "".join(w[0] for w in words)[:longest]
        yield initials.upper() if len(initials) > 1 else letters[:2].capitalize()
        yield letters[:longest].capitalize()
        yield from ((words[0][0] + c).capitalize() for c in letters[1:])
    else:
        yield from (c.upper() for c in letters)
        yield from "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz"
    number = 1
    while True:
        yield f"{words[0][0].upper()}{number}"
        number += 1
