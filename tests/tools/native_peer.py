"""The native engine beside the reference: the same random choices, and all that is to be compared.

What is not lowered yet, and what a module leaves to the reference, is counted and not compared.

    python tests/tools/native_peer.py [--seed N] [--programs N] [RULESET …]
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
os.environ.setdefault("RULELANG_CACHE", "off")

import random_core  # noqa: E402

from interpreter.game.game import Game, State, game_of  # noqa: E402
from interpreter.game.loading import Loaded, load_rules  # noqa: E402
from interpreter.model.errors import RulelangError  # noqa: E402
from interpreter.model.position import frozen  # noqa: E402
from interpreter.model.values import Fault  # noqa: E402
from interpreter.model.work import leave_room  # noqa: E402
from interpreter.native.lowering import lowered  # noqa: E402
from interpreter.native.runtime import AskReference, Instance  # noqa: E402
from interpreter.native.values import NotLowered  # noqa: E402
from interpreter.proofs.playable import playable  # noqa: E402
from rulelang.core.values import Value  # noqa: E402

T = TypeVar("T")
LISTED = 2000  # options of a decision that are compared


@dataclass
class Tally:
    """What was compared, and what was not and why."""

    compared: int = 0  # states
    games: int = 0
    not_lowered: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)  # to the reference

    def __str__(self) -> str:
        """A line for each count."""
        lines = [f"{self.games} games, {self.compared} states compared"]
        lines += [f"  not lowered {n:4}: {what}" for what, n in self.not_lowered.most_common()]
        lines += [f"  left to the reference {n:4}: {what}" for what, n in self.left.most_common()]
        return "\n".join(lines)


class Difference(AssertionError):
    """The engines say different things."""


def same(what: str, theirs: object, mine: object) -> None:
    """Raises Difference unless both say the same."""
    if theirs != mine:
        raise Difference(f"{what}: the reference says {theirs!r}, the module {mine!r}")


def instance_of(game: Game, tally: Tally) -> Instance | None:
    """The module of a game; none if something in it is not lowered."""
    leave_room()
    try:
        return Instance(lowered(game.engine))
    except NotLowered as found:
        tally.not_lowered[found.construct] += 1
        return None


def compare(game: Game, seed: int, choices: int, tally: Tally) -> None:
    """Play a game of the reference in both engines; raises Difference."""
    native = instance_of(game, tally)
    if native is not None:
        play(game, native, seed, choices, tally)


def play(game: Game, native: Instance, seed: int, choices: int, tally: Tally) -> None:
    """The same choices in both, to the end, to a fault or to a number of choices."""
    rng = random.Random(seed)
    tally.games += 1
    try:
        state = begun(game, native, seed)
        for _ in range(choices):
            if state is None:
                return
            told_alike(state, native)
            tally.compared += 1
            if state.over or not state.decisions:
                return
            if state.decisions[0].spec.mode in ("some", "order"):
                state = several(state, native, rng)
                continue
            options = offered(state, native)
            if not options:
                return
            state = chosen(state, native, rng.randrange(len(options)))
    except AskReference as left:
        tally.left[str(left)] += 1


def begun(game: Game, native: Instance, seed: int) -> State | None:
    """The first state of both, or of neither."""
    theirs, state = attempt(lambda: game.start(seed))
    mine, _ = attempt(lambda: native.start(seed))
    same("the beginning", theirs, mine)
    return state


def attempt(ask: Callable[[], T]) -> tuple[str | None, T | None]:
    """What is said where an attempt fails, and what it gives where not."""
    try:
        return None, ask()
    except AskReference:
        raise
    except (RulelangError, Fault) as error:
        return str(error), None


def told_alike(state: State, native: Instance) -> None:
    """Variables, who decides what, scores and the end."""
    known = state.position
    here = native.position()
    for name in known.vars:
        same(f"variable {name}", sorted_of(known.changed(name)), sorted_of(here.changed(name)))
    same("places", known.canonical()[1], here.canonical()[1])
    same("layers", known.canonical()[2], here.canonical()[2])
    same("tiles", known.canonical()[3], here.canonical()[3])
    same("what is known", known.canonical()[4], here.canonical()[4])
    same("chance", known.canonical()[5], here.canonical()[5])
    same("latches", known.ever, here.ever)
    same("rounds", known.rounds, here.rounds)
    same("seats", [d.spec.seat for d in state.decisions if d.spec.seat is not None], native.seats())
    with native.at(state.decisions[0].spec.seat if state.decisions else None):
        open_now = native.open()
    same("the end", state.ended_by if state.over else None, open_now.ended)
    theirs, scores = attempt(state.scores)
    mine, found = attempt(native.scores)
    same("scores", (theirs, scores), (mine, found))
    if state.decisions:
        decision = state.decisions[0]
        same("who decides", decision.player, open_now.player)
        same("what is decided", decision.spec.stmt, open_now.decision and open_now.decision.stmt)


def sorted_of(changed: list[tuple[object, Value]]) -> list[str]:
    """The members of a variable that have changed, in an order."""
    return sorted(repr((index, frozen(value))) for index, value in changed)


def offered(state: State, native: Instance) -> list[object]:
    """The options of the first decision, alike in both."""
    decision = state.decisions[0]
    theirs, listed = attempt(lambda: list(itertools.islice(decision.options(), LISTED)))
    with native.at(decision.spec.seat):
        mine, found = attempt(native.values)
    same("a fault of options", theirs, mine)
    if listed is None:
        return []
    same("options", [option.value for option in listed], found)
    return listed


def several(state: State, native: Instance, rng: random.Random) -> State | None:
    """The next state of both after members were chosen together."""
    spec = state.decisions[0].spec
    with native.at(spec.seat):
        same("members", list(spec.domain), native.values())
        same("how many", (spec.low, spec.high), native.limits())
        numbers = native.options()
    option = state.decisions[0].sample(rng)
    number_of = dict(zip(spec.domain, numbers, strict=True))
    theirs, after = attempt(lambda: state.choose(option))
    if spec.mode == "order":
        assert isinstance(option.value, tuple)
        order = [number_of[value] for value in option.value]
        mine, _ = attempt(lambda: native.choose_order(order, spec.seat))
    else:
        assert isinstance(option.value, frozenset)
        taken = [number_of[value] for value in spec.domain if value in option.value]
        mine, _ = attempt(lambda: native.choose_several(taken, spec.seat))
    same("a choice of several", theirs, mine)
    return after


def chosen(state: State, native: Instance, at: int) -> State | None:
    """The next state of both, or of neither."""
    decision = state.decisions[0]
    option = list(itertools.islice(decision.options(), LISTED))[at]
    with native.at(decision.spec.seat):
        number = native.options()[at]
    theirs, after = attempt(lambda: state.choose(option))
    mine, _ = attempt(lambda: native.choose(number, decision.spec.seat))
    same("a choice", theirs, mine)
    return after


def reference(loaded: Loaded, players: int | None = None) -> Game:
    """A game of the reference, for the fewest players the rules allow unless it is said."""
    return playable(loaded, whole=False) if players is None else game_of(loaded, players, (), {})


def random_programs(seed: int, count: int, choices: int, tally: Tally) -> list[str]:
    """Random typed programs in both; what differs."""
    rng, wrong, made = random.Random(seed), [], 0
    names = random_core.names()
    while made < count:
        name = rng.choice(names)
        edits = [(rng.randrange(1 << 16), rng.randrange(1 << 16)) for _ in range(rng.randint(1, 5))]
        loaded = random_core.made(name, edits)
        if loaded is None:
            continue
        made += 1
        try:
            compare(reference(loaded), rng.randrange(100), choices, tally)
        except RulelangError:
            tally.left["no game"] += 1
        except Exception as error:
            wrong.append(f"{name} {edits}: {type(error).__name__}: {str(error)[:300]}")
    return wrong


def main() -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=0, help="random programs")
    parser.add_argument("--choices", type=int, default=60)
    parser.add_argument("rulesets", nargs="*")
    given = parser.parse_args()
    tally = Tally()
    wrong = random_programs(given.seed, given.programs, given.choices, tally)
    for name in given.rulesets:
        try:
            compare(reference(load_rules(name, tests=False)), given.seed, given.choices, tally)
        except Difference as error:
            wrong.append(f"{name}: {error}")
    print("\n".join([*wrong, str(tally)]))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
