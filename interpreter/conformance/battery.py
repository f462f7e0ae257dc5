"""The battery: games by bots, with every law checked on the way."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from functools import partial

from interpreter.bots.agents import BOTS, Agent
from interpreter.conformance import history, options, secrets, states
from interpreter.conformance.evaluators import Abreast
from interpreter.conformance.laws import Case, Failure, Ledger, setting_of
from interpreter.game.game import Game, State
from interpreter.model.position import empty_position
from interpreter.model.values import Fault

# Who plays the first two games, which of them first by the setting; and who the third of three.
PLAYERS = ("random", "hasty")
THIRD = "greedy"
# Choices after which all play at random: bots that want something may never come to an end.
PATIENCE = 120
# Choices after which the laws of single choices are checked at every fourth only.
THOROUGH = 120
# States are looked at closely ever more rarely: after n choices the next time within SPREAD * n.
SPREAD = 3
# In a long game secrets are looked for in every state after so many choices besides.
SECRETS = 100

# The law that is broken if the check raises, and the check.
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
    """The ledger of so many games under one setting: random and hasty bots in turn, which of them
    first by the setting, and greedy ones in every third game, for they take long.
    """
    ledger = Ledger()
    setting = {"game": game.id, **setting_of(game).as_json()}
    first = zlib.crc32(repr(setting).encode()) % len(PLAYERS)
    bots = (*PLAYERS[first:], *PLAYERS[:first], THIRD)
    for number in range(games):
        _play(game, seed * 1_000_003 + number, bots[number % len(bots)], ledger)
    return ledger


def _play(game: Game, seed: int, bots: str, ledger: Ledger) -> None:
    """One game, from its start to its end or to a fault of the rules."""
    rng = random.Random(seed)
    try:
        state = game.start(seed)
    except Fault as error:
        ledger.broke("end", Failure("end", _stopped(error), game.id, setting_of(game), seed, bots))
        return
    case = Case(game, seed, bots, ledger, rng, state)
    agents = [BOTS[bots](seed * 64 + p) for p in range(game.players)]
    at_random = [BOTS["random"](seed * 64 + p) for p in range(game.players)]
    abreast = Abreast(case)
    case.note("pieces", states.misplaced(state))
    case.note("pieces", states.lost(empty_position(game.setup, seed), state))
    close = 0  # the number of choices at which a state is looked at closely
    try:
        while True:
            case.tried("end", partial(states.open_or_over, case, state))
            closely = state.moves >= close or state.over
            if closely:
                _closely(case, abreast, state)
                close = state.moves + 1 + rng.randint(0, SPREAD * state.moves)
            elif state.moves % SECRETS == 0:
                case.tried("views", partial(secrets.leaks, case, state))
            if state.over or not state.decisions:
                break
            if state.moves >= game.rules_source.max_moves:
                case.note("end", f"it goes on after {state.moves} choices")
                break
            state = _step(
                case, abreast, agents if state.moves < PATIENCE else at_random, state, closely
            )
    except Exception as error:
        case.note("end", _stopped(error))
    case.tried("history", partial(history.record, case, case.state))


def _stopped(error: Exception) -> str:
    """What is said of a game that cannot go on."""
    if isinstance(error, Fault):
        return f"the rules do not go on, and the game is not decided: {error}"
    return f"{type(error).__name__}: {error}"


def _closely(case: Case, abreast: Abreast, state: State) -> None:
    for law, check in AT:
        case.tried(law, partial(check, case, state))
    case.tried("evaluators", partial(abreast.compare, state))


def _step(case: Case, abreast: Abreast, agents: list[Agent], state: State, closely: bool) -> State:
    """The state after one choice, with the laws of choices checked."""
    decision = case.rng.choice(state.decisions)
    was = state.position.canonical()
    option = agents[decision.player](state, decision)
    later = state.choose(option)
    case.state = later
    thorough = closely or state.moves < THOROUGH or state.moves % 4 == 0
    if thorough:
        case.tried("pieces", partial(states.step, case, state, option, later, was))
        case.tried("undo", partial(history.undo, case, state, later, closely))
    made = later.choice or option  # of equal pieces the one that stands for all
    abreast.choose(made, later, thorough or later.over)
    return later
