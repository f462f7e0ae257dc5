"""The laws by name, how often each was checked, and for one that is broken where that was and the smallest fact that differs."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from interpreter.engine.decisions import Spec
from interpreter.game.game import Game, State
from interpreter.model.position import Position, frozen
from rulelang import core
from rulelang.core.values import ordered

MOST = 20_000  # members of a domain that are looked at

LAWS = {
    "copies": "what a choice or a copy makes shares nothing that can change, and leaves what it came from as it was",
    "hashes": "equal states have equal hashes, unequal states unequal ones",
    "history": "a record plays again to the same state and the same log",
    "resume": "a state written as JSON and read back goes on as if it had never stopped",
    "options": "options are listed once, in the same order again, as many as counted, and accepted",
    "refusals": "what is not listed is refused with a reason, and nothing changes",
    "end": "until a game ends by one of its ends somebody can decide; then nobody can",
    "pieces": "every piece is where the state says, once, and none is lost",
    "undo": "a choice taken back leaves the state before it; one that stands says why",
    "views": "a view tells nothing its viewer may not know",
    "log": "the log tells nothing its reader may not know, and what it told stays told",
    "prompts": "prompts, options and reasons tell a player nothing he may not know",
    "taking back": "what may be taken back has shown nobody anything, and does not tell what is hidden",
    "evaluators": "all evaluators agree on options, scores, states and reasons",
}


@dataclass(frozen=True)
class Failure:
    """A broken law: where, after which choices, and the smallest fact that differs."""

    law: str
    fact: str
    setting: dict[str, Any]
    seed: int
    bots: str
    choices: tuple[dict[str, Any], ...]

    def as_json(self) -> dict[str, Any]:
        """The failure as plain data."""
        return {**self.__dict__, "says": LAWS[self.law], "choices": list(self.choices)}


@dataclass
class Ledger:
    """How often each law was checked, how often it was broken, and the first failure of each."""

    checked: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    failures: dict[str, Failure] = field(default_factory=dict)

    def add(self, other: Ledger) -> None:
        """Take another ledger's findings in."""
        self.checked += other.checked
        self.broken += other.broken
        for law, failure in other.failures.items():
            self.failures.setdefault(law, failure)


@dataclass
class Case:
    """One game of the battery: its settings, its seed, chance for what is sampled, and the ledger findings go to."""

    game: Game
    seed: int
    bots: str
    ledger: Ledger
    rng: random.Random
    state: State
    read: dict[int | None, list[str]] = field(
        default_factory=dict
    )  # what each viewer has read in the log so far

    def note(self, law: str, fact: str | None) -> None:
        """Note that a law was checked; a fact says how it is broken."""
        self.ledger.checked[law] += 1
        if fact is None:
            return
        self.ledger.broken[law] += 1
        if law not in self.ledger.failures:
            self.ledger.failures[law] = Failure(
                law, fact, setting_of(self.game), self.seed, self.bots, tuple(self._choices())
            )

    def same(self, law: str, one: Any, other: Any, what: str = "") -> None:
        """Note whether two plain values are equal; the fact is their smallest difference."""
        fact = difference(one, other)
        self.note(law, f"{what}: {fact}" if fact is not None and what else fact)

    def tried(self, law: str, check: Callable[..., None], *args: Any) -> None:
        """Carry out a check; whatever it raises breaks its law."""
        try:
            check(self, *args)
        except Exception as error:
            self.note(law, f"{type(error).__name__}: {error}")

    def _choices(self) -> Iterator[dict[str, Any]]:
        """The choices so far, or how they look to Python if they cannot be written."""
        try:
            yield from self.game.record(self.state)["choices"]
        except Exception:
            made = []
            at: State | None = self.state
            while at is not None and at.choice is not None:
                made.append(
                    {
                        "player": at.choice.player,
                        "name": at.choice.name,
                        "value": repr(at.choice.value),
                    }
                )
                at = at.parent
            yield from reversed(made)


def setting_of(game: Game) -> dict[str, Any]:
    """The settings of a game, all options told."""
    options = {
        name: values[game.setup.options[name]] for name, values in game.rules_source.options.items()
    }
    return {
        "game": game.id,
        "players": game.players,
        "variants": list(game.variants),
        "options": options,
    }


def bare(state: State) -> State:
    """The same state with nothing remembered: all results are found anew."""
    return State(state.game, _forgetful(state.position), state.parent, state.choice)


def _forgetful(s: Position) -> Position:
    copy = s.copy()
    copy.memos, copy.geometry = {}, {}
    copy.branches = {p: _forgetful(branch) for p, branch in s.branches.items()}
    return copy


def acting_on(state: State, spec: Spec) -> Position:
    """The position a decision is taken on: the seat's own in simultaneous play."""
    return state.position.branches[spec.seat] if spec.seat is not None else state.position


def candidates(state: State, spec: Spec) -> list[Any]:
    """Everything a choice of one, or of an action, is made from, whether it may be chosen or not."""
    if isinstance(spec.stmt, core.Take):
        return list(spec.stmt.actions)
    if spec.mode == "one" and isinstance(spec.stmt, core.Choose):
        s = acting_on(state, spec)
        return list(
            itertools.islice(
                ordered(state.game.rules.func(spec.stmt.domain)(s, dict(s.stack[-1].env))), MOST
            )
        )
    return list(spec.domain)


def written(value: Any) -> str:
    """A value of a position as a text that is the same however its sets came about."""
    return repr(frozen(value))


def difference(one: Any, other: Any) -> str | None:
    """The shortest fact in which two plain values differ; none if they are equal, byte for byte."""
    return (
        None
        if _bytes(one) == _bytes(other)
        else min(_differences(one, other, ""), key=len, default="they differ")
    )


def _differences(one: Any, other: Any, path: str) -> Iterator[str]:
    if (
        isinstance(one, dict)
        and isinstance(other, dict)
        and one.keys() == other.keys()
        and list(one) == list(other)
    ):
        for key in one:
            yield from _differences(one[key], other[key], f"{path}.{key}" if path else str(key))
    elif (
        isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other)
    ):
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _differences(a, b, f"{path}[{number}]")
    elif _bytes(one) != _bytes(other):
        yield f"{path + ': ' if path else ''}{_short(one)} / {_short(other)}"


def _bytes(value: Any) -> str:
    return json.dumps(value, default=written)


def _short(value: Any, most: int = 160) -> str:
    text = _bytes(value)
    return text if len(text) <= most else f"{text[:most]} …"
