"""The battery: games by random and by greedy players, with every law checked on the way."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from typing import Any

from interpreter.bots.agents import BOTS
from interpreter.conformance import history, options, secrets, states
from interpreter.conformance.evaluators import Abreast
from interpreter.conformance.laws import Case, Ledger, setting_of
from interpreter.game.game import Game, State
from interpreter.model.position import empty_position
from interpreter.model.values import Fault

PLAYERS = ("random", "greedy")  # in turn, game by game
PATIENCE = (
    120  # choices after which all play at random: greedy players take their time, and may never end
)
THOROUGH = 120  # choices after which the laws of single choices are checked at every fourth only: a game may have thousands
SPREAD = 3  # the later in a game, the rarer states are looked at closely: the next one by chance before so many times the choices so far

# law under which a check that itself fails is noted, and the check
AT: tuple[tuple[str, Callable[[Case, State], None]], ...] = (
    ("copies", states.copies),
    ("hashes", states.hashes),
    ("resume", history.resume),
    ("options", options.listed),
    ("refusals", options.unlisted),
    ("views", secrets.leaks),
    ("log", secrets.retold),
    ("prompts", secrets.sealed),
)


def conform(game: Game, games: int, seed: int) -> Ledger:
    """Play so many games under one setting, each with another sort of players than the last; which sort begins depends on the setting."""
    ledger = Ledger()
    first = zlib.crc32(repr(setting_of(game)).encode())
    for number in range(games):
        _play(game, seed * 1_000_003 + number, PLAYERS[(first + number) % len(PLAYERS)], ledger)
    return ledger


def _play(game: Game, seed: int, bots: str, ledger: Ledger) -> None:
    """One game, from its start to its end or to a fault of the rules."""
    rng = random.Random(seed)
    state = game.start(seed)
    case = Case(game, seed, bots, ledger, rng, state)
    agents = [BOTS[bots](seed * 64 + p) for p in range(game.players)]
    hasty = [BOTS["random"](seed * 64 + p) for p in range(game.players)]
    abreast = Abreast(case)
    case.note("pieces", states.misplaced(state))
    case.note("pieces", states.lost(empty_position(game.setup, seed), state))
    close = 0  # the number of choices at which a state is looked at closely
    try:
        while True:
            case.tried("end", states.open_or_over, state)
            closely = state.moves >= close or state.over
            if closely:
                _closely(case, abreast, state)
                close = state.moves + 1 + rng.randint(0, SPREAD * state.moves)
            if state.over or not state.decisions:
                break
            if state.moves >= game.rules_source.max_moves:
                case.note("end", f"it goes on after {state.moves} choices")
                break
            state = _step(
                case, abreast, agents if state.moves < PATIENCE else hasty, state, closely
            )
    except Exception as error:
        what = (
            f"the rules do not go on: {error}"
            if isinstance(error, Fault)
            else f"{type(error).__name__}: {error}"
        )
        case.note("end", what)
    case.tried("history", history.record, case.state)


def _closely(case: Case, abreast: Abreast, state: State) -> None:
    for law, check in AT:
        case.tried(law, check, state)
    case.tried("evaluators", lambda _, at: abreast.compare(at), state)


def _step(case: Case, abreast: Abreast, agents: list[Any], state: State, closely: bool) -> State:
    decision = case.rng.choice(state.decisions)
    was = state.position.canonical()
    option = agents[decision.player](state, decision)
    later = state.choose(option)
    case.state = later
    thorough = closely or state.moves < THOROUGH or state.moves % 4 == 0
    if thorough:
        case.tried("pieces", states.step, state, option, later, was)
        case.tried("undo", history.undo, state, later, closely)
    abreast.choose(option, later, thorough or later.over)
    return later
