"""One fixed numbering of actions for each game: an action is one factor of a decision.

A value is chosen part by part: a piece, a site, a number, a player or a member of a kind is one
action, a pair is two, a set or list is its members and then "done". So there are as many actions
as there are parts, and not as many as there are ways to put them together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from interpreter.environments.bounds import MOST_ACTIONS, Span, Spans, Unbounded
from interpreter.game.game import Game
from interpreter.model.position import Position, empty_position
from rulelang import core
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    KindT,
    OptionalT,
    PairT,
    PieceT,
    SiteT,
    Type,
    element,
)
from rulelang.core.values import Value, members, number, ordered, text
from rulelang.diagnostics.english import spoken

MOST_TOLD = 8  # legal actions that a message lists
NO, YES, NONE, DONE, WAIT = "no", "yes", "none", "done", "wait"
_WORDS = (NO, YES, NONE, DONE, WAIT)

Actions = tuple[int, ...]


@dataclass(frozen=True)
class Segment:
    """Actions that stand for the members of one type: so many from a first one on."""

    name: str
    type: Type | None
    first: int
    size: int
    low: int = 0  # the number that the first one stands for


class Numbering:
    """The actions of one game: pieces, sites, numbers, players, members of kinds, actions of the
    rules, and the words no, yes, none, done and wait.
    """

    def __init__(self, game: Game, numbers: int | None = None) -> None:
        """`numbers` is the largest number that may be chosen where the rules name none.

        Raises Unbounded naming the choice that has no bound.
        """
        self.game, self._numbers = game, numbers
        self.segments: list[Segment] = []
        self._at: dict[Type, Segment] = {}
        self._span: Span | None = None
        self.decisions: tuple[tuple[str, str], ...] = tuple(dict.fromkeys(self._decisions()))
        """The mode and the name of each decision that the rules may ask for."""
        for stmt in self._choices():
            self._add_span(stmt)
        types = dict.fromkeys(t for stmt in self._choices() for t in self._parts(stmt.item, stmt))
        for t in sorted(types, key=_order):
            self._add(t)
        taken = (stmt for stmt in self._walked() if isinstance(stmt, core.Take))
        self.actions = tuple(dict.fromkeys(name for stmt in taken for name in stmt.actions))
        self._segment("actions", None, len(self.actions))
        self._segment("words", None, len(_WORDS))
        if self.count > MOST_ACTIONS:
            raise Unbounded(f"{game.id} has {self.count} actions, more than {MOST_ACTIONS}")

    # ------------------------------------------------------------------------------- making
    def _walked(self) -> Iterator[core.Node]:
        rules = self.game.rules_source
        bodies = [rules.flow, *(known.body for known in rules.procedures.values())]
        return core.walk(bodies)

    def _choices(self) -> Iterator[core.Choose | core.ForEach]:
        for stmt in self._walked():
            if isinstance(stmt, core.Choose) or (
                isinstance(stmt, core.ForEach) and stmt.by is not None
            ):
                yield stmt

    def _decisions(self) -> Iterator[tuple[str, str]]:
        for stmt in self._walked():
            match stmt:
                case core.Choose():
                    yield stmt.mode, stmt.var.split("~")[0]
                case core.ForEach() if stmt.by is not None:
                    yield "one", stmt.var.split("~")[0]
                case core.Take():
                    yield "action", "action"
                case core.May():
                    yield "may", "may"

    def _add_span(self, stmt: core.Choose | core.ForEach) -> None:
        """Take in the numbers that a choice may be of."""
        if NUMBER not in self._parts(stmt.item, stmt):
            return
        plain = stmt.item == NUMBER
        found = Spans(self.game.rules_source).of_set(stmt.domain) if plain else None
        if found is None and self._numbers is not None:
            found = (0, self._numbers)
        if found is None:
            raise Unbounded(
                f"{self.game.id} has no numbered actions: nothing bounds the numbers of "
                f"{stmt.var.split('~')[0]} ({_where(stmt)}); "
                "say `numbers=` up to which they may be chosen"
            )
        low, high = self._span or found
        self._span = min(low, found[0]), max(high, found[1])

    def _parts(self, t: Type, stmt: core.Stmt) -> Iterator[Type]:
        """The types of the parts in which a value of this type is chosen."""
        if isinstance(t, OptionalT):
            t = t.of
        inner = element(t)
        if isinstance(t, PairT):
            for _, part in self.game.rules_source.pairs[t.name].parts:
                yield from self._parts(part, stmt)
        elif inner is not None and inner != t:
            yield from self._parts(inner, stmt)
        elif t in (NUMBER, PLAYER) or isinstance(t, KindT | PieceT | SiteT):
            yield _named_alike(t)
        elif t != TRUTH:
            told = f"a {t} is chosen ({_where(stmt)})"
            raise Unbounded(f"{self.game.id} has no numbered actions: {told}")

    def _add(self, t: Type) -> None:
        if t == NUMBER:
            low, high = self._span or (0, 0)
            self._segment("numbers", t, high - low + 1, low)
        else:
            self._segment(_name(t), t, len(self.game.setup.members(t)))

    def _segment(self, name: str, t: Type | None, size: int, low: int = 0) -> None:
        made = Segment(name, t, self.count, size, low)
        self.segments.append(made)
        if t is not None:
            self._at[t] = made

    # ------------------------------------------------------------------------------- asking
    @property
    def count(self) -> int:
        """How many actions there are."""
        return self.segments[-1].first + self.segments[-1].size if self.segments else 0

    def word(self, name: str) -> int:
        """The action that is one of the words."""
        return self.count - len(_WORDS) + _WORDS.index(name)

    def action(self, name: str) -> int:
        """The action that takes an action of the rules."""
        return self.segments[-2].first + self.actions.index(name)

    def encode(self, value: Value, t: Type) -> Actions | None:
        """The actions by which a value is chosen; none if it is past the bound on numbers."""
        if isinstance(t, OptionalT):
            return (self.word(NONE),) if value is None else self.encode(value, t.of)
        inner = element(t)
        if inner is not None and inner != t:
            parts = [self.encode(item, inner) for item in ordered(members(value))]
            return _whole([*parts, (self.word(DONE),)])
        if isinstance(t, PairT):
            types = self.game.rules_source.pairs[t.name].parts
            both = zip(members(value), types, strict=True)
            return _whole([self.encode(part, of) for part, (_, of) in both])
        if t == TRUTH:
            return (self.word(YES if value else NO),)
        segment = self._at[_named_alike(t)]
        at = number(value) - segment.low
        if isinstance(t, PieceT):
            at = self._rank_of_piece[number(value)]
        return (segment.first + at,) if 0 <= at < segment.size else None

    def encode_option(self, mode: str, value: Value, t: Type) -> Actions | None:
        """The actions by which an option of a decision is chosen."""
        if mode == "action":
            return (self.action(text(value)),)
        if mode == "may":
            return (self.word(YES if value else NO),)
        if mode in ("some", "order"):
            parts = _whole([self.encode(item, t) for item in ordered(members(value))])
            return parts if mode == "order" or parts is None else (*parts, self.word(DONE))
        return self.encode(value, t)

    def said(self, action: int) -> str:
        """An action in words."""
        segment = next(s for s in self.segments if s.first <= action < s.first + s.size)
        at = action - segment.first
        if segment.name == "words":
            return _WORDS[at]
        if segment.name == "actions":
            return spoken(self.actions[at])
        if segment.type is None or segment.type == NUMBER:
            return str(at + segment.low)
        if isinstance(segment.type, PieceT):
            return self.game.presenter.exact(self.game.setup.members(segment.type)[at])
        return self.game.presenter.text(at, segment.type, self._nothing)

    def listed(self, legal: Sequence[int]) -> str:
        """The first of the legal actions in words, and how many more there are, for a message."""
        told = ", ".join(f"{action} ({self.said(action)})" for action in legal[:MOST_TOLD])
        return told + (f" and {len(legal) - MOST_TOLD} more" if len(legal) > MOST_TOLD else "")

    @cached_property
    def _rank_of_piece(self) -> dict[int, int]:
        """The rank of each piece among those of its component."""
        by_component = self.game.setup.by_component.values()
        return {piece: rank for pieces in by_component for rank, piece in enumerate(pieces)}

    @cached_property
    def _nothing(self) -> Position:
        return empty_position(self.game.setup, 0)


def _named_alike(t: Type) -> Type:
    """The type by which a segment is found: sites by board and role, whatever they are called."""
    return SiteT(t.board, t.role, t.role) if isinstance(t, SiteT) else t


def _order(t: Type) -> tuple[int, str]:
    """Pieces, sites, numbers, players, members of kinds."""
    sorts = (PieceT, SiteT, type(NUMBER), KindT)
    rank = next(n for n, sort in enumerate(sorts) if isinstance(t, sort))
    return (rank, _name(t))


def _name(t: Type) -> str:
    return f"{t.role}s of {t.board}" if isinstance(t, SiteT) else str(t)


def _where(stmt: core.Stmt) -> str:
    """Where a statement stands."""
    return f"{PurePath(stmt.span.file).name}, line {stmt.span.line}"


def _whole(parts: list[Actions | None]) -> Actions | None:
    found: Actions = ()
    for part in parts:
        if part is None:
            return None
        found += part
    return found
