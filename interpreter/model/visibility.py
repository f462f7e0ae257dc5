"""Visibility: who knows which piece, and to whom a score table may be told.

The one source for views, logs and for what may be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.model.position import Position
from interpreter.model.setup import Key
from rulelang import core
from rulelang.core.types import PLAYER, OptionalT, PieceT, Type, element
from rulelang.core.values import Value, members, number
from rulelang.elaborate.hidden_information import NOBODY, hidden_reads
from rulelang.ruleset import Place, Ruleset

ONLOOKER = -1  # who only looks on: knows what everybody knows

Viewers = frozenset[int]


def everyone(s: Position) -> Viewers:
    """All players, and the onlooker."""
    return frozenset(range(ONLOOKER, s.setup.players))


def sees(s: Position, viewer: int | None, key: Key, place: Place) -> bool:
    """May the viewer look into this place?"""
    if place.visibility == "public":
        return True
    return (
        place.visibility == "private"
        and viewer is not None
        and place.of == PLAYER
        and key[1] == viewer
    )


def knowers(s: Position, piece: int) -> Viewers:
    """Who may know which piece this is: by where it lies, or because it was shown there."""
    at = s.where[piece]
    if at is None or len(at) == 3:
        return everyone(s)
    place = s.setup.rules.places[at[0]]
    known = s.known.get(piece, frozenset())
    if place.visibility == "public" or len(known) == s.setup.players:
        return everyone(s)
    return (
        known | {number(at[1])} if place.visibility == "private" and place.of == PLAYER else known
    )


def pieces_in(value: Value, t: Type) -> tuple[int, ...]:
    """The pieces a value of this type speaks of."""
    if isinstance(t, OptionalT):
        t = t.of
    inner = element(t)
    if inner is not None:
        return tuple(piece for item in members(value or ()) for piece in pieces_in(item, inner))
    return (number(value),) if isinstance(t, PieceT) and value is not None else ()


def may_know(s: Position, viewer: int | None, value: Value, t: Type) -> bool:
    """May the viewer know a value now? Not a piece that lies where he may not look."""
    who = ONLOOKER if viewer is None else viewer
    return all(who in knowers(s, piece) for piece in pieces_in(value, t))


def reveals(before: Position, after: Position, by: int) -> bool:
    """Was anybody shown a piece, between two positions, that the one who chose did not know?

    Showing what he knew himself is his own affair.
    """
    for piece, (was, at) in enumerate(zip(before.where, after.where, strict=True)):
        if was is at and before.known.get(piece) == after.known.get(piece):
            continue
        known = knowers(before, piece)
        if by not in known and not knowers(after, piece) <= known:
            return True
    return False


class Tables:
    """To whom the result of a score table may be told: nobody who could learn a secret from it."""

    def __init__(self, rules: Ruleset) -> None:
        """Which tables read what is not public is worked out once."""
        self.rules = rules
        self.ranking = any(
            _reads(rules, (line.key, line.cond), NOBODY) for line in rules.ranks
        )  # does the end show what was secret?
        read = {
            name: frozenset(what for what, _ in hidden_reads(rules, table.lines, NOBODY))
            for name, table in rules.tables.items()
        }
        self.secret = {
            name: what for name, what in read.items() if what
        }  # what is not public that a table may read
        self._others: dict[tuple[str, str], bool] = {}  # what `_read_by_others` says

    def witnesses(self, s: Position, table: str) -> Viewers:
        """Those who know all that lies now where the table may look.

        Everybody where nothing lies there; nobody if it reads a secret variable.
        """
        places, what = s.setup.rules.places, self.secret[table]
        if not what <= places.keys():
            return frozenset()
        pieces = [piece for (name, _), held in s.places.items() if name in what for piece in held]
        return everyone(s).intersection(*(knowers(s, piece) for piece in pieces))

    def readers(
        self,
        table: str,
        args: tuple[Value, ...],
        known: dict[int, Viewers],
        all_: Viewers,
        witnesses: Viewers,
    ) -> Viewers:
        """Those who know the pieces that the table speaks of.

        If it reads what is private, only its owner and those who knew all it could read.
        """
        found = all_
        params = self.rules.tables[table].params
        for (_, t), value in zip(params, args, strict=True):
            for piece in pieces_in(value, t):
                found &= known.get(piece, all_)
        if table in self.secret:
            own = {
                number(value)
                for (name, t), value in zip(params, args, strict=True)
                if t == PLAYER and not self._read_by_others(table, name)
            }
            found &= own | witnesses
        return found

    def _read_by_others(self, table: str, name: str) -> bool:
        """Does a table read what the player that it calls so may not know?"""
        found = self._others.get((table, name))
        if found is None:
            lines = self.rules.tables[table].lines
            found = self._others[table, name] = _reads(self.rules, lines, core.Var(name))
        return found


def score_readers(rules: Ruleset, players: int, viewer: int | None) -> set[int]:
    """The players whose standing the viewer may know while play goes on.

    All if nothing secret is read for it, his own if only what is private.
    """
    key = rules.ranks[0].key if rules.ranks else core.Const(0)
    if not _reads(rules, key, NOBODY):
        return set(range(players))
    return {viewer} if viewer is not None and not _reads(rules, key, core.Var("player")) else set()


def _reads(rules: Ruleset, item: object, by: core.Expr) -> bool:
    return any(True for _ in hidden_reads(rules, item, by))


def shared_by(s: Position, pieces: Iterable[int]) -> dict[int, Viewers]:
    """Who knows each of these pieces now."""
    return {piece: knowers(s, piece) for piece in pieces}
