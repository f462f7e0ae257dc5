"""Many games by bots: how they end, what they score, which clauses never counted; the same seed gives the same hash on any machine."""
from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interpreter.agents import BOTS, Agent
from interpreter.decisions import Decision, Option
from interpreter.evaluate import Fault
from interpreter.game import Game, Illegal, State


@dataclass
class Simulation:
    """What came of many games."""

    game: str
    games: int = 0
    finished: int = 0
    moves: int = 0
    seconds: float = 0.0
    scores: list[list[int]] = field(default_factory=list)
    never_fired: list[str] = field(default_factory=list)
    hash: str = ""
    faults: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The result as plain data."""
        found = {
            "game": self.game, "games": self.games, "finished": self.finished, "moves": self.moves, "seconds": round(self.seconds, 3),
            "scores": self.scores, "never_fired": self.never_fired, "hash": self.hash,
        }  # fmt: skip
        return {**found, "faults": self.faults} if self.faults else found


class BotError(Exception):
    """A bot answered with what cannot be chosen, or raised; says which and why."""


def bots_move(agent: Agent, state: State, decision: Decision) -> State:
    """The state after a bot has answered; raises BotError when it fails or answers what cannot be chosen, Fault when rules do."""
    try:
        option = agent(state, decision)
    except Fault:
        raise
    except Exception as error:
        raise BotError(f"the bot of player {decision.player + 1} failed: {error!r}") from error
    if not isinstance(option, Option):
        raise BotError(f"the bot of player {decision.player + 1} answered {option!r}, which is no option")
    try:
        return state.choose(option)
    except Illegal as error:
        raise BotError(f"the bot of player {decision.player + 1} chose what cannot be chosen: {error}") from error


def open_decision(state: State) -> Decision:
    """The first open decision; raises Fault if there is none, or the game has reached its bound."""
    decisions = state.decisions
    if not decisions:
        raise Fault("nobody has anything to decide and the game is not over")
    if state.moves >= state.game.rules_source.max_moves:
        raise Fault(f"the game has reached its bound of {state.game.rules_source.max_moves} moves")
    return decisions[0]


def play_out(state: State, agents: list[Agent]) -> State:
    """Play a state to its end with an agent in each seat; raises BotError when one answers illegally or raises, Fault when rules do."""
    while not state.over:
        decision = open_decision(state)
        state = bots_move(agents[decision.player], state, decision)
    return state


def simulate(game: Game, games: int, seed: int, bot: str = "random", progress: Callable[[int], None] | None = None) -> Simulation:
    """Play so many games with one sort of bot in every seat."""
    found = Simulation(game.id, games)
    digest = hashlib.sha256()
    started = time.perf_counter()
    game.rules.fired.clear()
    for number in range(games):
        base = seed * 1_000_003 + number
        agents = [BOTS[bot](base * 64 + p) for p in range(game.players)]
        try:
            state = play_out(game.start(base), agents)
        except (Fault, BotError) as error:
            found.faults.append(f"game {number + 1}: {error}")
            digest.update(b"fault")
            continue
        found.finished += any(ending.name == state.ended_by for ending in game.rules_source.endings) or state.ended_by in ("game", "flow")
        found.moves += state.moves
        found.scores.append(state.scores())
        digest.update(state.digest().encode())
        if progress is not None:
            progress(number + 1)
    found.seconds = time.perf_counter() - started
    found.hash = digest.hexdigest()
    found.never_fired = never_fired(game)
    return found


def never_fired(game: Game) -> list[str]:
    """Clauses that could count (table lines, rules, actions, ends, sentences of cards that are in play) and never did since last cleared."""
    fired, found = game.rules.fired, []
    for clause in game.rules_source.clauses.values():
        if clause.kind in ("line", "sentence", "action", "end", "reaction", "latch") and not clause.owner.startswith("pattern") and clause.id not in fired:
            found.append(clause.id)
    return found
