"""Two texts or cards held against each other: the same by canonical form, different in a position
that is found, or not decided."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.authoring.distinguish import Difference, NotDecided, Sides, sides_apart
from interpreter.authoring.small_positions import richest
from interpreter.game.game import Game
from interpreter.game.loading import Loaded
from interpreter.proofs.sides import Cards, Side, Text, Unaskable, printed_apart
from rulelang.core.values import Json

SAME, DIFFERENT, NOT_DECIDED = "same", "different", "not decided"


@dataclass(frozen=True)
class Compared:
    """What came of two texts: the verdict, fields that differ, and a position or what was tried."""

    one: Text
    two: Text
    verdict: str
    printed: tuple[tuple[str, str, str], ...] = ()
    found: Difference | NotDecided | None = None

    def as_json(self) -> dict[str, Json]:
        """The comparison as plain data."""
        made: dict[str, Json] = {
            "a": self.one.label,
            "b": self.two.label,
            "verdict": self.verdict,
            "printed": [[*row] for row in self.printed],
        }
        if isinstance(self.found, NotDecided):
            made["tried"] = str(self.found)
        if isinstance(self.found, Difference):
            made |= {
                "where": self.found.how,
                "card": self.found.title,
                "at": self.found.place,
                "outcomes": [self.found.one, self.found.two],
                "clauses": [
                    [{"said": g.said, "clause": g.clause} for g in side]
                    for side in self.found.grounds
                ],
            }
        return made


@dataclass(frozen=True)
class Together:
    """What came of all texts that were compared, and the titles that only one side has."""

    compared: tuple[Compared, ...]
    alone: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """Different if anything is; the same if all is decided."""
        verdicts = {made.verdict for made in self.compared}
        if self.alone or DIFFERENT in verdicts:
            return DIFFERENT
        return NOT_DECIDED if NOT_DECIDED in verdicts else SAME

    def as_json(self) -> dict[str, Json]:
        """The comparison as plain data."""
        rows = [made.as_json() for made in self.compared]
        return {"verdict": self.verdict, "pairs": rows, "alone": list(self.alone)}


def pairs(one: Side, two: Side) -> list[tuple[Text, Text]]:
    """The texts to be compared: two texts, or the cards of two files that bear one title; raises
    Unaskable for things of two sorts.
    """
    if isinstance(one, Text) and isinstance(two, Text):
        return [(one, two)]
    if isinstance(one, Cards) and isinstance(two, Cards):
        return [(text, two.texts[name]) for name, text in one.texts.items() if name in two.texts]
    raise Unaskable(
        "these are things of two sorts: compare two texts or cards, two files of cards, "
        "or two variants (the rules without one are called `base`)"
    )


def alone(one: Side, two: Side) -> tuple[str, ...]:
    """The titles of cards that only one of two files has."""
    if isinstance(one, Cards) and isinstance(two, Cards):
        return tuple(sorted(one.texts.keys() ^ two.texts.keys()))
    return ()


def compare(game: Game, one: Text, two: Text) -> Compared:
    """Hold two texts against each other, on the card of the first, or on one that says nothing
    else."""
    if one.component != two.component and one.readings and two.readings:
        raise Unaskable(
            f"the first is about a {one.component or 'card'}, the second about a "
            f"{two.component or 'card'}: compare what one sort of pieces can bear"
        )
    loaded: Loaded = game.loaded
    printed = (
        printed_apart(loaded, one.design, two.design)
        if one.design is not None and two.design is not None
        else ()
    )
    if one.meaning == two.meaning:
        return Compared(one, two, DIFFERENT if printed else SAME, printed)
    found = _search(game, one, two)
    different = isinstance(found, Difference) or bool(printed)
    return Compared(one, two, DIFFERENT if different else NOT_DECIDED, printed, found)


def _search(game: Game, one: Text, two: Text) -> Difference | NotDecided:
    """A position in which the texts differ, both borne by one piece."""
    bearer = _bearer(game, one, two)
    if bearer is None:
        return NotDecided(why="as no card can bear the text")
    return sides_apart(game, Sides(one.readings, two.readings, alone=True), bearer)


def _bearer(game: Game, one: Text, two: Text) -> int | None:
    for text in (one, two):
        if text.design is not None:
            key = (text.design.component, text.design.title.lower())
            if pieces := game.setup.by_title.get(key):
                return next(iter(pieces))
    return richest(game, one.component or two.component)
