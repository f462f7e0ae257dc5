"""Cards that leave as soon as they come, found by trying: played in the place of others in games by chance, they never stay."""
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.evaluate import Fault
from interpreter.game import Game, Illegal, State
from interpreter.state import Position
from rulelang import core
from rulelang.lints import arrivals, goes, piece_of
from rulelang.messages import Diagnostic, finding
from rulelang.ruleset import Design, Extension, Ruleset
from rulelang.types import PLAYER

MAX_GAMES = 6
MAX_MOVES = 150  # of each game
ENOUGH = 24  # plays of a card are tried
FEW = 6  # of fewer nothing is said


@dataclass(frozen=True)
class Play:
    """Something that was played: the position before, the event and its values, and which of them is the piece."""

    before: Position
    event: str
    values: tuple[object, ...]
    at: int


@dataclass
class Tried:
    """A card's plays so far, by one event."""

    design: Design
    event: str
    stayed: bool = False
    games: Counter[int] = field(default_factory=Counter)  # how often in each

    @property
    def plays(self) -> int:
        """How often it was tried."""
        return self.games.total()

    def open(self, seed: int | None = None) -> bool:
        """Is it worth trying again, or in this game?"""
        return not self.stayed and self.plays < ENOUGH and (seed is None or self.games[seed] < ENOUGH // 3)

    @property
    def never_stays(self) -> bool:
        """Did it leave each time: often enough, and in more than one game?"""
        return not self.stayed and self.plays >= FEW and len(self.games) > 1


def never_stay(game: Game, files: frozenset[str]) -> list[Diagnostic]:
    """The cards of these files that left as soon as they came, wherever they were tried."""
    rules = game.rules_source
    ways = removals(rules)
    own = [design for design in rules.designs if design.origin in files and any(_may_go(e, ways) for e in _texts(rules, design))]
    tried = [Tried(design, event) for design in own for event in arrivals(rules, design.component)]
    for seed in range(MAX_GAMES):
        for play in _plays(game, seed) if any(one.open() for one in tried) else ():
            for one in tried:
                gone = _gone(game, play, one.design, ways) if one.event == play.event and one.open(seed) else None
                if gone is not None:
                    one.stayed = not gone
                    one.games[seed] += 1
            if not any(one.open(seed) for one in tried):
                break
    return [finding("never-stays", one.design.span, title=one.design.title, count=one.plays) for one in tried if one.never_stays]


def _texts(rules: Ruleset, design: Design) -> list[Extension]:
    return [e for e in rules.extensions if (e.component, e.title) == (design.component, design.title)]


def _may_go(e: Extension, ways: dict[str, int]) -> bool:
    """Can this text take its card away?"""
    if e.reaction is not None:
        return any(isinstance(part, core.Move | core.Do) for part in core.walk(e.reaction.body))
    return e.kind == "define" and e.target in ways


def removals(rules: Ruleset) -> dict[str, int]:
    """The definitions of which things are taken away for which they hold, each with which of its values is the thing."""
    bodies = [rules.flow, *(p.body for p in rules.procedures.values()), *(r.body for r in rules.reactions), *(x.body for x in rules.latches)]
    found: dict[str, int] = {}
    for loop in (part for body in bodies for part in core.walk(body) if isinstance(part, core.ForEach)):
        if isinstance(loop.domain, core.Filter) and any(True for _ in goes(loop.body, loop.var, rules)):
            cond = loop.domain.cond
            for part in cond.of if isinstance(cond, core.All) else (cond,):
                if isinstance(part, core.Apply):
                    at = next((i for i, a in enumerate(part.args) if isinstance(a, core.Var) and a.name == loop.domain.var), None)
                    found |= {part.define: at} if at is not None else {}
    return found


# ------------------------------------------------------------------------------------------------ trying
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
            if known is not None and piece_of(t) is not None and any(True for _ in goes(known.body, name, game.rules_source)):
                yield Play(before, entry.name, tuple(value for _, value in entry.args), index)


def _gone(game: Game, play: Play, design: Design, ways: dict[str, int]) -> bool | None:
    """Is the card taken away as soon as it has come in the place of what was played? None if it cannot come so."""
    other = play.values[play.at]
    ids = game.setup.by_title.get((design.component, design.title.lower()), ())
    card = next((i for i in ids if game.setup.pieces[i].owner is None), None)
    key = play.before.where[other] if isinstance(other, int) else None
    params = game.rules_source.events[play.event].params
    if card is None or key is None or key[0] in ("on", "tile") or piece_of(params[play.at][1]) != design.component:
        return None
    s = play.before.copy()
    s.memos = {}
    if card != other:
        s.move(card, key)
    values = (*play.values[: play.at], card, *play.values[play.at + 1 :])
    try:
        if not game.rules.accepts(s, play.event, values):
            return None
        came = game.rules.supposing(s, play.event, values).where[card]
        game.machine.perform(s, play.event, values)
        return s.where[card] != came or any(_doomed(game, s, define, at, card) for define, at in ways.items())
    except Fault:
        return None


def _doomed(game: Game, s: Position, define: str, at: int, card: int) -> bool:
    """Does a definition hold by which the card will be taken away, whoever it is asked of?"""
    known = game.rules_source.definitions[define]
    if any(t != PLAYER for index, (_, t) in enumerate(known.params) if index != at):
        return False
    judge = game.rules.definition(define)
    return all(judge(s, tuple(card if index == at else player for index in range(len(known.params)))) for player in range(game.players))
