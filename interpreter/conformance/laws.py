"""The laws of the battery by name, and the ledger of checks and failures.

A failure tells where a law was broken and the smallest fact that differs.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard, cast

from interpreter.engine.decisions import Spec
from interpreter.game.game import Game, State
from interpreter.game.records import read_record
from interpreter.model.position import Position, frozen
from interpreter.simulation.settings import Setting
from rulelang import core
from rulelang.core.values import Json, Value, ordered

MOST = 20_000  # members of a domain that are looked at

LAWS = {
    "copies": "what a choice or a copy makes shares nothing that can change, and leaves what it "
    "came from as it was",
    "hashes": "equal states have equal hashes, unequal states unequal ones",
    "history": "a record plays again to the same state and the same log",
    "resume": "a state written as JSON and read back goes on as if it had never stopped",
    "options": "options are listed once, in the same order again, as many as counted, and accepted",
    "refusals": "what is not listed is refused with a reason, and nothing changes",
    "end": "until a game ends by one of its ends somebody can decide; then nobody can",
    "pieces": "every piece is where the state says, once, and none is lost",
    "undo": "a choice taken back leaves the state before it; one that stands says why",
    "views": "a view tells nothing its viewer may not know",
    "tensors": "the tensor an agent observes tells nothing it may not know",
    "log": "the log tells nothing its reader may not know, and what it told stays told",
    "prompts": "prompts, options and reasons tell a player nothing he may not know",
    "taking back": "what may be taken back has shown nobody anything, and does not tell what is "
    "hidden",
    "evaluators": "all evaluators agree on options, scores, states and reasons",
}


@dataclass(frozen=True)
class MadeChoice:
    """A choice as a record writes it."""

    player: int
    name: str
    value: Json

    def as_json(self) -> dict[str, Json]:
        """The choice as plain data."""
        return {"player": self.player, "name": self.name, "value": self.value}


@dataclass(frozen=True)
class Failure:
    """A broken law: where, after which choices, and the smallest fact that differs."""

    law: str
    fact: str
    game: str
    setting: Setting
    seed: int
    bots: str
    choices: tuple[MadeChoice, ...] = ()

    def as_json(self) -> dict[str, Json]:
        """The failure as plain data."""
        return {
            "law": self.law,
            "fact": self.fact,
            "setting": {"game": self.game, **self.setting.as_json()},
            "seed": self.seed,
            "bots": self.bots,
            "choices": [choice.as_json() for choice in self.choices],
            "says": LAWS[self.law],
        }


@dataclass
class Ledger:
    """How often each law was checked, how often it was broken, and the first failure of each.

    `pairs` is the number of pairs of states compared that a player cannot tell apart;
    `not_compared` the games, or ends of games, in which an evaluator was not compared, by why.
    """

    checked: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    failures: dict[str, Failure] = field(default_factory=dict)
    pairs: int = 0
    not_compared: Counter[str] = field(default_factory=Counter)

    def broke(self, law: str, failure: Failure) -> None:
        """Record a check of a law, and that it was broken."""
        self.checked[law] += 1
        self.broken[law] += 1
        self.failures.setdefault(law, failure)

    def add(self, other: Ledger) -> None:
        """Add another ledger's counts and failures."""
        self.checked += other.checked
        self.broken += other.broken
        self.pairs += other.pairs
        self.not_compared += other.not_compared
        for law, failure in other.failures.items():
            self.failures.setdefault(law, failure)


@dataclass
class Case:
    """One game of the battery: its settings and seed, chance for samples, and the ledger."""

    game: Game
    seed: int
    bots: str
    ledger: Ledger
    rng: random.Random
    state: State
    # viewer -> what he has read in the log so far
    read: dict[int | None, list[str]] = field(default_factory=dict)

    def note(self, law: str, fact: str | None) -> None:
        """Record a check of a law; a fact says how it was broken."""
        self.ledger.checked[law] += 1
        if fact is None:
            return
        self.ledger.broken[law] += 1
        if law not in self.ledger.failures:
            self.ledger.failures[law] = Failure(
                law,
                fact,
                self.game.id,
                setting_of(self.game),
                self.seed,
                self.bots,
                tuple(self._choices()),
            )

    def check(self, law: str, holds: bool, fact: str) -> None:
        """Record a check of a law, with the fact if it does not hold."""
        self.note(law, None if holds else fact)

    def same(self, law: str, one: object, other: object, what: str = "") -> None:
        """Record whether two plain values are equal; the fact is their smallest difference."""
        fact = difference(one, other)
        self.note(law, f"{what}: {fact}" if fact is not None and what else fact)

    def tried(self, law: str, check: Callable[[], None]) -> None:
        """Run a check; an exception breaks its law."""
        try:
            check()
        except Exception as error:
            self.note(law, f"{type(error).__name__}: {error}")

    def _choices(self) -> list[MadeChoice]:
        """The choices so far, or their `repr` if they cannot be written."""
        try:
            kept = read_record(self.game.record(self.state)).choices
            # Values in a record are what JSON can hold.
            return [MadeChoice(c.player, c.name, cast("Json", c.value)) for c in kept]
        except Exception:
            made = []
            at: State | None = self.state
            while at is not None and at.choice is not None:
                option = at.choice
                made.append(MadeChoice(option.player, option.name, repr(option.value)))
                at = at.parent
            return made[::-1]


def setting_of(game: Game) -> Setting:
    """The settings of a game, with the value of every option."""
    options = tuple(
        (name, values[game.setup.options[name]])
        for name, values in game.rules_source.options.items()
    )
    return Setting(game.players, tuple(game.variants), options)


def bare(state: State) -> State:
    """The same state without memos: every result is worked out again."""
    return State(state.game, _without_memos(state.position), state.parent, state.choice)


def _without_memos(s: Position) -> Position:
    copy = s.copy()
    copy.memos, copy.geometry = {}, {}
    copy.branches = {p: _without_memos(branch) for p, branch in s.branches.items()}
    return copy


def candidates(state: State, spec: Spec) -> list[Value]:
    """The domain of a choice of one or of an action, legal or not, up to `MOST` members."""
    if isinstance(spec.stmt, core.Take):
        return list(spec.stmt.actions)
    if spec.mode == "one" and isinstance(spec.stmt, core.Choose):
        s = state.seat(spec)
        return list(
            itertools.islice(
                ordered(state.game.rules.members(spec.stmt.domain, s, s.stack[-1].env)), MOST
            )
        )
    return list(spec.domain)


def written(value: object) -> str:
    """A canonical text of a value of a position, whatever the order of its sets."""
    return repr(frozen(value))


def difference(one: object, other: object) -> str | None:
    """The shortest difference of two plain values; none if they are equal, byte for byte."""
    if _bytes(one) == _bytes(other):
        return None
    return min(_differences(one, other, ""), key=len, default="they differ")


def _differences(one: object, other: object, path: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for key in one:
            yield from _differences(one[key], other[key], f"{path}.{key}" if path else str(key))
        return
    if _is_list(one) and _is_list(other) and len(one) == len(other):
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from _differences(a, b, f"{path}[{number}]")
    elif _bytes(one) != _bytes(other):
        yield f"{path + ': ' if path else ''}{_short(one)} / {_short(other)}"


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


def _bytes(value: object) -> str:
    return json.dumps(value, default=written)


def _short(value: object, most: int = 160) -> str:
    text = _bytes(value)
    return text if len(text) <= most else f"{text[:most]} …"
