"""One game by bots and what came of it, small enough to be sent from one process to another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.bots.agents import BOTS, Agent
from interpreter.engine.decisions import Decision, Option
from interpreter.engine.ranking import ranking
from interpreter.game.game import Game, Illegal, State
from interpreter.model.values import Fault
from interpreter.simulation.reachable import lasting
from rulelang.core.types import OptionalT, PieceT, element
from rulelang.core.values import numbers
from rulelang.diagnostics.english import counted


@dataclass(frozen=True)
class Outcome:
    """The result of one game, small enough to be sent from one process to another."""

    players: int
    finished: bool
    moves: int
    scores: tuple[int, ...]
    digest: str
    fired: frozenset[str]
    fault: str = ""  # why the game is not decided, if it is not
    # pairs of an event and the title of a piece that took part in it
    played: frozenset[tuple[str, str]] = frozenset()
    engine: str = "reference"


class BotError(Exception):
    """A bot answered with an illegal option, or raised; the message says which and why."""


def bots_move(agent: Agent, state: State, decision: Decision) -> State:
    """The state after a bot's answer.

    Raises BotError when the bot raises or answers with an illegal option, and Fault when the rules
    lead to a dead end.
    """
    try:
        option = agent(state, decision)
    except Fault:
        raise
    except Exception as error:
        if (why := decision.dead_end()) is not None:
            raise Fault(why) from error
        raise BotError(f"the bot of player {decision.player + 1} failed: {error!r}") from error
    if not isinstance(option, Option):
        raise BotError(
            f"the bot of player {decision.player + 1} answered {option!r}, which is no option"
        )
    try:
        return state.choose(option)
    except Illegal as error:
        if (why := decision.dead_end()) is not None:
            raise Fault(why) from error
        raise BotError(
            f"the bot of player {decision.player + 1} chose what cannot be chosen: {error}"
        ) from error


def open_decision(state: State) -> Decision:
    """The first open decision; raises Fault if there is none, or the game has reached its bound."""
    decisions = state.decisions
    if not decisions:
        raise Fault("nobody has anything to decide and the game is not over")
    if state.moves >= state.game.rules_source.max_moves:
        raise Fault(
            f"the game has reached its bound of {state.game.rules_source.max_moves} moves; "
            "give it an `end` that comes, or set `moves` under `game`"
        )
    return decisions[0]


def play_out(state: State, agents: list[Agent], kept: bool = True) -> State:
    """The final state of a game played on from `state` with an agent in each seat.

    Raises BotError when an agent raises or answers illegally, and Fault when the rules do. Unless
    `kept`, earlier states are dropped: thousands of them take a gigabyte, and only undo and
    records need them.
    """
    while not state.over:
        state = _after_one(state, agents)
        if not kept:
            state.parent = None
    return state


def _after_one(state: State, agents: list[Agent]) -> State:
    decision = open_decision(state)
    return bots_move(agents[decision.player], state, decision)


def play_game(game: Game, seed: int, bot: str) -> Outcome:
    """One game with the same bot in every seat.

    Where rules or a bot break off, the game is not decided: the outcome says why, and has what was
    played until then.
    """
    fired = game.rules.fired
    fired.clear()
    judged = frozenset(
        e.clause for e in game.rules_source.extensions if e.kind in ("rules", "define")
    )
    agents = [
        _without_imagined(BOTS[bot](seed * 64 + p), fired, judged) for p in range(game.players)
    ]
    state: State | None = None
    try:
        state = game.start(seed)
        while not state.over:
            state = _after_one(state, agents)
            state.parent = None  # thousands of them take a gigabyte
        return outcome_of(state, fired)
    except (Fault, BotError) as error:
        moves, digest = (state.moves, state.digest()) if state is not None else (0, "")
        why = f"{error} (after {counted(moves, 'choice')})"
        return Outcome(game.players, False, moves, (), digest, frozenset(fired), why)


def finished(state: State) -> bool:
    """Is a game that is over at an end that its rules have?"""
    endings = state.game.rules_source.endings
    return any(ending.name == state.ended_by for ending in endings) or state.ended_by in (
        "game",
        "flow",
    )


def outcome_of(state: State, fired: set[str]) -> Outcome:
    """The result of a game that is over; what counts at its end is noted as well."""
    scores = tuple(state.scores())
    _rank_anew(state)
    fired |= lasting(state.game)
    return Outcome(
        state.game.players,
        finished(state),
        state.moves,
        scores,
        state.digest(),
        frozenset(fired),
        played=frozenset(_played(state)),
    )


def _rank_anew(state: State) -> None:
    """Work out the ranking with nothing kept, so that all clauses that count there are noted."""
    at_end = state.position.copy()
    at_end.memos = {}
    ranking(state.game.rules, at_end)


def _played(state: State) -> Iterator[tuple[str, str]]:
    """Pairs of an event that happened and the title of a piece that took part in it."""
    events, pieces = state.game.rules_source.events, state.game.setup.pieces
    for entry in state.log:
        if entry.kind != "event":
            continue
        for (_, value), (_, t) in zip(entry.args, events[entry.name].params, strict=True):
            several = isinstance(element(t), PieceT)
            if value is not None and (
                several or isinstance(t.of if isinstance(t, OptionalT) else t, PieceT)
            ):
                for piece in numbers(value if several else (value,)):
                    if pieces[piece].design.title:
                        yield entry.name, pieces[piece].design.title


def _without_imagined(agent: Agent, fired: set[str], judged: frozenset[str]) -> Agent:
    """The agent, without the clauses that count only in the plays it imagines.

    Clauses in `judged` (what texts permit or forbid) still count where an option is judged.
    """

    def choose(state: State, decision: Decision) -> Option:
        before = frozenset(fired)
        try:
            return agent(state, decision)
        finally:
            fired.intersection_update(before | judged)

    return choose
