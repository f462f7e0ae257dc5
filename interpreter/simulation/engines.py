"""Which engine plays the games of a simulation: the same seeds give the same games in each.

The native engine plays where `wasmtime` is installed, the rules can be lowered and bots choose at
random. It leaves the last choice of each game to the reference, which then says how it ended;
a game in which its module stops is played by the reference from the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.engine.decisions import Option
from interpreter.game.game import Game, State
from interpreter.model.values import Fault
from interpreter.simulation.outcome import Outcome, finished, outcome_of, play_game
from interpreter.simulation.reachable import never_fired
from rulelang import core

if TYPE_CHECKING:
    from interpreter.native.games import Games, Played

AUTO, REFERENCE, NATIVE = "auto", "reference", "native"
FEW = 20  # games for which it does not pay to lower the rules
ENGINES = (AUTO, REFERENCE, NATIVE)


def uncertain(game: Game) -> frozenset[str]:
    """The clauses of which only the reference can say in which game they counted.

    They count also where it is only looked at what may be chosen, and how far that is looked at
    differs from engine to engine.
    """
    rules = game.rules_source
    blocks = [list(rules.procedures.values()), rules.flow]
    if any(isinstance(node, core.Maximize) for node in core.walk(blocks)):
        return frozenset(rules.clauses)  # a search tries whatever may come
    judged = {e.clause for e in rules.extensions if e.kind in ("rules", "define")}
    asking: list[object] = [
        list(rules.definitions.values()),
        [event.rules for event in rules.events.values()],
        list(rules.procedures.values()),
        rules.flow,
        rules.latches,
        rules.endings,
        [(r.cond, r.body) for r in rules.reactions],
        [e for e in rules.extensions if e.kind != "score"],
    ]
    if any(isinstance(node, core.Total) for node in core.walk(asking)):
        judged |= {e.clause for e in rules.extensions if e.kind == "score"}
        judged |= {c.id for c in rules.clauses.values() if c.kind == "line"}
    return frozenset(judged)


@dataclass(frozen=True)
class Manner:
    """How games are played: by which bot, by which engine if it can, and what is asked of them."""

    bot: str = "random"
    engine: str = REFERENCE
    counts: bool = True  # is it asked in how many games each clause counted?


class Plays:
    """Plays games with the engine asked for, or the nearest that can."""

    def __init__(self, game: Game, manner: Manner) -> None:
        """Nothing is lowered before a game is played."""
        self.game, self.bot, engine = game, manner.bot, manner.engine
        self.why_not = "" if self.bot == "random" else "it plays bots that choose at random alone"
        self._native: Games | None = None
        self._asked = engine in (AUTO, NATIVE) and not self.why_not
        # The clauses that must still be seen before the native engine may play.
        self.open = uncertain(game) if self._asked else frozenset()
        # Is it told which clauses counted?
        self.tells = engine != NATIVE or not self.open
        if engine == NATIVE:
            self.open = frozenset()
        elif self.open and manner.counts:
            self._asked = False
            self.why_not = "only the reference says in how many games each clause counts"
        elif self.open:
            self.open &= frozenset(never_fired(game, set()))

    def outcome(self, seed: int) -> Outcome:
        """One game with the same bot in every seat."""
        if self._asked and not self.open:
            found = self._natively(seed)
            if found is not None:
                return found
        made = play_game(self.game, seed, self.bot)
        self.open -= made.fired
        return made

    def natively(self, seed: int) -> tuple[State, Played] | None:
        """The end of a game by the native engine, with what it has marked until the last choice.

        None where it cannot play the game to its end. The clauses that counted are in `fired` of
        the game's rules.
        """
        games = self._games()
        if games is None:
            return None
        from interpreter.native.runtime import AskReference

        fired = self.game.rules.fired
        fired.clear()
        try:
            played = games.play(seed, [seed * 64 + p for p in range(self.game.players)])
            if played is None:
                return None
            before = State(self.game, played.before)
            spec = before.specs[0]
            state = before.choose(Option(spec.player, spec.name, played.value))
        except (Fault, AskReference):
            return None
        if state.ended_by != played.ended:
            return None
        fired |= played.fired
        return state, played

    def _natively(self, seed: int) -> Outcome | None:
        """What came of a game by the native engine; none where that cannot play it to its end."""
        found = self.natively(seed)
        if found is None:
            return None
        state, played = found
        try:
            made = outcome_of(state, self.game.rules.fired)
        except Fault:
            return None
        pieces = self.game.setup.pieces
        took = {(event, pieces[piece].design.title) for event, piece in played.took}
        titled = frozenset((event, title) for event, title in took if title)
        return Outcome(
            made.players,
            finished(state),
            made.moves,
            made.scores,
            made.digest,
            made.fired,
            played=made.played | titled,
            engine=NATIVE,
        )

    def _games(self) -> Games | None:
        """The game as a module; none if there is none, and then why is known."""
        if self._native is None and not self.why_not:
            try:
                from interpreter.game.kept_modules import instance_of
                from interpreter.native.games import Games, whole
                from interpreter.native.values import NotLowered
            except ImportError:
                self.why_not = "wasmtime is not installed (`pip install 'rulelang[native]'`)"
                return None
            try:
                instance = instance_of(self.game)
                self.why_not = whole(instance.game)
                if not self.why_not:
                    self._native = Games(instance)
            except NotLowered as found:
                self.why_not = str(found)
        return self._native
