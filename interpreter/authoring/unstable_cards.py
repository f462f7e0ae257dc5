"""Unstable cards: they leave as soon as they come, wherever they are tried in random games.

Each is played in the place of another piece, in several games; if it never stays, that is reported.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.game.game import Game, Illegal, State
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.card_lints import arrivals, goes, piece_of
from rulelang.core.types import PLAYER, SetT, SiteT
from rulelang.core.values import Value
from rulelang.diagnostics import Diagnostic, finding
from rulelang.ruleset import Design, Extension, Params, Ruleset

MAX_GAMES = 6
MAX_MOVES = 150  # of each game
ENOUGH = 24  # plays of a card are tried
FEW = 6  # of fewer nothing is said
ELSEWHERE = 16  # other places are tried for a card that cannot be played where the other was
MOST_TRIES = 1_500  # of one card, played or not


@dataclass(frozen=True)
class Play:
    """A play: the position before, the event with its values, and which of them is the piece."""

    before: Position
    event: str
    values: tuple[Value, ...]
    at: int


@dataclass
class Tried:
    """A card's plays so far, by one event."""

    design: Design
    event: str
    stayed: bool = False
    tries: int = 0
    games: Counter[int] = field(default_factory=Counter)  # how often in each

    @property
    def plays(self) -> int:
        """How often it was tried."""
        return self.games.total()

    def open(self, seed: int | None = None) -> bool:
        """Is it worth trying again, or in this game?"""
        return (
            not self.stayed
            and self.plays < ENOUGH
            and self.tries < MOST_TRIES
            and (seed is None or self.games[seed] < ENOUGH // 3)
        )

    @property
    def never_stays(self) -> bool:
        """Did it leave each time: often enough, and in more than one game?"""
        return not self.stayed and self.plays >= FEW and len(self.games) > 1


def never_stay(game: Game, files: frozenset[str]) -> list[Diagnostic]:
    """The cards of these files that left as soon as they came, wherever they were tried."""
    rules = game.rules_source
    ways = removals(rules)
    own = [
        design
        for design in rules.designs
        if design.origin in files and any(_may_go(e, ways) for e in _texts(rules, design))
    ]
    tried = [Tried(design, event) for design in own for event in arrivals(rules, design.component)]
    for seed in range(MAX_GAMES):
        if not any(one.open() for one in tried):
            break
        for play in _plays(game, seed):
            _try_all(game, play, tried, ways, seed)
            if not any(one.open(seed) for one in tried):
                break
    return [
        finding("never-stays", one.design.span, title=one.design.title, count=one.plays)
        for one in tried
        if one.never_stays
    ]


def _try_all(game: Game, play: Play, tried: list[Tried], ways: dict[str, int], seed: int) -> None:
    """Try every card in the place of what was played, if it is worth trying again."""
    for one in tried:
        if one.event == play.event and one.open(seed):
            for gone in _tried(game, play, one, ways, seed):
                one.stayed = not gone
                one.games[seed] += 1


def _texts(rules: Ruleset, design: Design) -> list[Extension]:
    return [
        e for e in rules.extensions if (e.component, e.title) == (design.component, design.title)
    ]


def _may_go(e: Extension, ways: dict[str, int]) -> bool:
    """Can this text take its card away?"""
    if e.reaction is not None:
        return any(isinstance(part, core.Move | core.Do) for part in core.walk(e.reaction.body))
    return e.kind == "define" and e.target in ways


def removals(rules: Ruleset) -> dict[str, int]:
    """The definitions whose things are taken away where they hold.

    Each comes with the index of its parameter that is the thing.
    """
    bodies = [
        rules.flow,
        *(p.body for p in rules.procedures.values()),
        *(r.body for r in rules.reactions),
        *(x.body for x in rules.latches),
    ]
    found: dict[str, int] = {}
    for loop in core.walk(bodies):
        if (
            isinstance(loop, core.ForEach)
            and isinstance(loop.domain, core.Filter)
            and any(True for _ in goes(loop.body, loop.var, rules))
        ):
            found |= _asked_of(loop.domain.cond, loop.domain.var)
    return found


def _asked_of(cond: core.Expr, var: str) -> dict[str, int]:
    """The definitions that a condition asks of a variable, each with the index of its parameter."""
    found: dict[str, int] = {}
    for part in cond.of if isinstance(cond, core.All) else (cond,):
        if isinstance(part, core.Apply):
            args = enumerate(part.args)
            at = [i for i, arg in args if isinstance(arg, core.Var) and arg.name == var]
            found |= {part.define: at[0]} if at else {}
    return found


# -------------------------------------------------------------------------------- trying
def _plays(game: Game, seed: int) -> Iterator[Play]:
    """What is played in a game by chance."""
    rng = random.Random(seed)
    try:
        state = game.start(seed)
        while not state.over and state.decisions and state.moves < MAX_MOVES:
            later = state.choose(state.decisions[0].sample(rng))
            yield from _played(game, state, later)
            state = later
    except (Fault, Illegal):
        return


def _played(game: Game, state: State, later: State) -> Iterator[Play]:
    before = state.position
    if before.branches or later.position.branches:
        return
    rest = later.position.log
    while rest and rest is not before.log:
        entry, rest = rest
        known = game.rules_source.events.get(entry.name) if entry.kind == "event" else None
        for index, (name, t) in enumerate(known.params if known is not None else ()):
            if (
                known is not None
                and piece_of(t) is not None
                and any(True for _ in goes(known.body, name, game.rules_source))
            ):
                yield Play(before, entry.name, tuple(value for _, value in entry.args), index)


def _tried(game: Game, play: Play, one: Tried, ways: dict[str, int], seed: int) -> Iterator[bool]:
    """Is the card taken away as soon as it has come in the place of what was played?

    Somewhere near if it cannot come there; yields nothing if it can come nowhere.
    """
    other, design = play.values[play.at], one.design
    ids = game.setup.by_title.get((design.component, design.title.lower()), ())
    card = next((i for i in ids if game.setup.pieces[i].owner is None), None)
    key = play.before.where[other] if isinstance(other, int) else None
    params = game.rules_source.events[play.event].params
    if (
        card is None
        or key is None
        or len(key) == 3
        or piece_of(params[play.at][1]) != design.component
    ):
        return
    s = play.before.copy()
    s.memos = {}
    if card != other:
        s.move(card, key)
    own = (*play.values[: play.at], card, *play.values[play.at + 1 :])
    for values in itertools.chain(
        [own], _elsewhere(game, s, params, own, random.Random(seed + one.tries))
    ):
        one.tries += 1
        try:
            gone = _gone(game, s.copy(), play.event, values, card, ways)
        except Fault:
            return
        if gone is not None:
            yield gone
            return


def _elsewhere(
    game: Game, s: Position, params: Params, values: tuple[Value, ...], rng: random.Random
) -> Iterator[tuple[Value, ...]]:
    """The same, on single sites of the board on or beside which something lies."""
    for at, (_, t) in enumerate(params):
        site = t.of if isinstance(t, SetT) else t
        if isinstance(site, SiteT) and site.role == "cell":
            info, board = game.setup.boards[site.board], game.rules_source.boards[site.board]
            laid = {
                x
                for where in s.where
                if where is not None and len(where) == 3
                if where[0] == "on" and board.layer(where[1]) is not None
                for x in where[2]
            }
            near = {
                x - x % info.cells + beside
                for x in laid
                for beside in info.grid.neighbors[x % info.cells]
            }
            for place in rng.sample(sorted(laid | near), min(ELSEWHERE, len(laid | near))):
                yield (
                    *values[:at],
                    frozenset([place]) if isinstance(t, SetT) else place,
                    *values[at + 1 :],
                )


def _gone(
    game: Game, s: Position, event: str, values: tuple[Value, ...], card: int, ways: dict[str, int]
) -> bool | None:
    """Is the card taken away as soon as the event has brought it? None if it is not accepted."""
    s.memos = {}
    if not game.rules.accepts(s, event, values):
        return None
    came = game.rules.supposing(s, event, values).where[card]
    game.effects.perform(s, event, values)
    return s.where[card] != came or any(
        _doomed(game, s, define, at, card) for define, at in ways.items()
    )


def _doomed(game: Game, s: Position, define: str, at: int, card: int) -> bool:
    """Does a definition hold by which the card will be taken away, whoever it is asked of?"""
    known = game.rules_source.definitions[define]
    if any(t != PLAYER for index, (_, t) in enumerate(known.params) if index != at):
        return False
    judge = game.rules.definition(define)
    return all(
        judge(s, tuple(card if index == at else player for index in range(len(known.params))))
        for player in range(game.players)
    )
