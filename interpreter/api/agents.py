"""Agents: whatever answers a state with a whole move, and games played by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from interpreter.api import moves
from interpreter.api.game import Game, State
from interpreter.api.moves import Choice, Move
from interpreter.api.values import near
from interpreter.bots import agents as bots
from interpreter.bots.search import PLAYOUTS, Search
from interpreter.engine.decisions import Spec
from interpreter.model.errors import InputError
from interpreter.model.values import Fault
from interpreter.simulation import outcome
from interpreter.simulation.engines import AUTO, FEW, Manner, Plays
from interpreter.simulation.outcome import open_decision

Agent: TypeAlias = Callable[[State], Move]


class _Bot:
    """A bot of ours, which decides choice by choice, as an agent that makes whole moves."""

    def __init__(self, name: str, seed: int) -> None:
        self._name, self._seed, self._bot = name, seed, bots.BOTS[name](seed)

    def __call__(self, state: State) -> Move:
        """The move of the first player who is to decide."""
        at = state._inner
        player = at.specs[0].player
        choices: tuple[Choice, ...] = ()
        answered: tuple[Spec, ...] = ()
        while True:
            decision = next(d for d in at.decisions if d.player == player)
            option = self._bot(at, decision)
            choices = (*choices, moves.choice_of(at, decision.spec, option))
            answered = (*answered, decision.spec)
            later = at.choose(option)
            if moves.over(at, later, answered):
                return Move(at.game.id, player + 1, choices)
            at = later

    def __repr__(self) -> str:
        return f"<{self._name} agent, seed {self._seed}>"


def random_agent(seed: int = 0) -> Agent:
    """Moves at random, choice by choice."""
    return _Bot("random", seed)


def hasty_agent(seed: int = 0) -> Agent:
    """Takes what scores most at once, of a few options that it looks at."""
    return _Bot("hasty", seed)


def greedy_agent(seed: int = 0) -> Agent:
    """Looks as far ahead as its own choices reach, in imagined states: it sees no hidden piece."""
    return _Bot("greedy", seed)


def search_agent(seed: int = 0, playouts: int = PLAYOUTS) -> Agent:
    """Grows a tree over imagined states by so many playouts for each choice: it sees no hidden
    piece.
    """
    if isinstance(playouts, bool) or not isinstance(playouts, int) or playouts < 1:
        raise InputError(f"playouts is how many for each choice, not {playouts!r}")
    made = _Bot("search", seed)
    made._bot = Search(seed, playouts)
    return made


_NAMED: dict[str, Callable[[int], Agent]] = {
    "random": random_agent,
    "hasty": hasty_agent,
    "greedy": greedy_agent,
    "search": search_agent,
}


def play_out(state: State, agents: Agent | Sequence[Agent]) -> State:
    """The state at the end of a game; one agent for all players, or one for each in their order."""
    seats = list(agents) if isinstance(agents, Sequence) else [agents] * state.game.players
    if len(seats) != state.game.players:
        raise InputError(f"{len(seats)} agents are given, and {state.game.players} play")
    while not state.over:
        open_decision(state._inner)  # raises Fault where play cannot go on
        move = seats[state.deciding[0] - 1](state)
        if not isinstance(move, Move):
            raise InputError(f"the agent of player {state.deciding[0]} gave {move!r}, not a Move")
        state = state.play(move)
    return state


# ---------------------------------------------------------------------------- many games
@dataclass(frozen=True)
class Simulation:
    """What came of many games: for each its scores by player, who won, and what went wrong in
    others.
    """

    game: str
    games: int
    scores: tuple[dict[int, int], ...]
    winners: tuple[tuple[int, ...], ...]
    faults: tuple[str, ...] = ()

    def wins(self) -> dict[int, float]:
        """The games each player won; a game shared by several counts in equal parts."""
        players = self.scores[0] if self.scores else {}
        shares: dict[int, float] = dict.fromkeys(players, 0.0)
        for won in self.winners:
            for player in won:
                shares[player] += 1 / len(won)
        return shares

    def means(self) -> dict[int, float]:
        """The mean score of each player."""
        players = self.scores[0] if self.scores else {}
        return {p: sum(s[p] for s in self.scores) / len(self.scores) for p in players}

    def __repr__(self) -> str:
        means = ", ".join(f"player {p} {mean:.1f}" for p, mean in self.means().items())
        return f"<Simulation of {self.game}: {self.games} games, mean scores {means}>"


def simulate(
    game: Game,
    games: int = 100,
    agents: str | Agent | Sequence[str | Agent] = "random",
    seed: int = 0,
) -> Simulation:
    """So many games by these agents: one for all players or one for each, our own by name.

    Game number n (from 0) begins with the seed `seed * 1_000_003 + n`; our agents have seeds of
    their own from it. Twenty games at random and more are played by the native engine where it can,
    which is many times quicker; they are the same games.
    """
    if isinstance(games, bool) or not isinstance(games, int) or games < 0:
        raise InputError(f"games is how many to play, not {games!r}")
    seats = _seats(game, agents)
    at_random = _AtRandom(game, games) if set(map(str, seats)) == {"random"} else None
    scores, winners, faults = [], [], []
    for number in range(games):
        own = seed * 1_000_003 + number
        try:
            if at_random is not None:
                end = at_random.end(own)
            else:
                end = play_out(game.start(own), [_seated(s, own, p) for p, s in enumerate(seats)])
        except Fault as error:
            faults.append(f"game {number}: {error}")
            continue
        scores.append(end.scores())
        winners.append(end.winners)
    return Simulation(game.id, games, tuple(scores), tuple(winners), tuple(faults))


def _seats(game: Game, agents: str | Agent | Sequence[str | Agent]) -> list[str | Agent]:
    """The agent of each player; raises InputError for a wrong number or an unknown name."""
    if isinstance(agents, Sequence) and not isinstance(agents, str):
        seats = list(agents)
    else:
        seats = [agents] * game.players
    if len(seats) != game.players:
        raise InputError(f"{len(seats)} agents are given, and {game.players} play")
    for seat in seats:
        if isinstance(seat, str) and seat not in _NAMED:
            raise InputError(f"there is no agent {seat!r}{near(seat, _NAMED)}")
    return seats


def _seated(seat: str | Agent, seed: int, index: int) -> Agent:
    return _NAMED[seat](seed * 64 + index) if isinstance(seat, str) else seat


class _AtRandom:
    """Games by agents that choose at random, by the native engine where that pays and can be."""

    def __init__(self, game: Game, games: int) -> None:
        self.game = game
        self.plays = Plays(game._inner, Manner("random", AUTO)) if games >= FEW else None

    def end(self, seed: int) -> State:
        """The end of the game of this seed; raises Fault."""
        inner, found = self.game._inner, None
        if self.plays is not None:
            found = self.plays.natively(seed)
        if found is not None:
            return State(self.game, found[0])
        bots_ = [bots.random_agent(seed * 64 + p) for p in range(inner.players)]
        return State(self.game, outcome.play_out(inner.start(seed), bots_, kept=False))
