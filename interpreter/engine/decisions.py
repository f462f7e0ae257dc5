"""Open decisions: who must decide what, counted, sampled and listed without ever making all subsets."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.engine.feasibility import Lookahead, Value
from interpreter.engine.machine import Machine
from interpreter.engine.maximize import Search
from interpreter.model.position import Position, exact, frozen
from rulelang import core
from rulelang.core.types import UNKNOWN, PieceT, Type
from rulelang.diagnostics.english import spoken


@dataclass(frozen=True)
class Spec:
    """One open decision of a position: the player, the choice's name and kind, and what it is about."""

    player: int
    name: str  # the choice's name; "action" for a choice of actions, "may" for a yes or no
    prompt: str
    mode: str  # "one" | "some" | "order" | "action" | "may"
    stmt: core.Stmt | None
    item: Type
    seat: int | None = None  # the branch of simultaneous play it belongs to
    domain: tuple[Value, ...] = ()
    low: int = 0
    high: int = 0


class Decider(Lookahead):
    """Finds the open decisions of positions and says what may be chosen."""

    def __init__(self, machine: Machine) -> None:
        """The last search is kept, since a decision is asked about more than once."""
        super().__init__(machine)
        self._searching: tuple[Any, Search] | None = None
        self.promised: dict[Any, int] = {}  # goals that searches to come would find again

    # ---------------------------------------------------------------------------------------- what is open
    def open(self, s: Position) -> list[Spec]:
        """All open decisions; several when play is simultaneous."""
        if s.ended is not None:
            return []
        if s.branches:
            found = []
            for seat, branch in sorted(s.branches.items()):
                for spec in self.open(branch):
                    found.append(replace(spec, seat=seat))
            return found
        if not s.stack or not s.stack[-1].blocks:
            return []
        act = s.stack[-1]
        block = act.blocks[-1]
        body = self.machine.bodies[block.body]
        if block.pc >= len(body):
            if block.kind == "choice":
                var, rest, player = block.data
                name = var.split("~")[0]
                return [
                    Spec(
                        player,
                        name,
                        spoken(name),
                        "one",
                        None,
                        self.machine.items[block.body],
                        domain=tuple(rest),
                    )
                ]
            return []
        stmt = body[block.pc]
        value = self.rules.evaluator.value
        if isinstance(stmt, core.Choose):
            by = value(stmt.by, s, act.env)
            name = stmt.var.split("~")[0]
            if stmt.mode == "one":
                return [Spec(by, name, stmt.prompt, "one", stmt, stmt.item)]
            domain = self.members(s, act.env, stmt)
            if stmt.mode == "order":
                return [
                    Spec(
                        by,
                        name,
                        stmt.prompt,
                        "order",
                        stmt,
                        stmt.item,
                        domain=domain,
                        low=len(domain),
                        high=len(domain),
                    )
                ]
            low = min(
                len(domain), max(0, value(stmt.low, s, act.env) if stmt.low is not None else 0)
            )
            high = min(
                len(domain), value(stmt.high, s, act.env) if stmt.high is not None else len(domain)
            )
            return [
                Spec(
                    by,
                    name,
                    stmt.prompt,
                    "some",
                    stmt,
                    stmt.item,
                    domain=domain,
                    low=low,
                    high=max(low, high),
                )
            ]
        if isinstance(stmt, core.Take):
            return [Spec(value(stmt.by, s, act.env), "action", "action", "action", stmt, UNKNOWN)]
        if isinstance(stmt, core.May):
            return [Spec(value(stmt.by, s, act.env), "may", stmt.prompt, "may", stmt, UNKNOWN)]
        return []

    # ---------------------------------------------------------------------------------------- options
    def options(self, s: Position, spec: Spec) -> Iterator[Value]:
        """All options in a stable order, made one at a time."""
        at = s.branches[spec.seat] if spec.seat is not None else s
        if spec.mode == "one":
            yield from self._maximal(at, spec, self._ones(at, spec))
        elif spec.mode == "action":
            yield from self._maximal(at, spec, self._actions(at, spec))
        elif spec.mode == "may":
            yield from self._maximal(at, spec, self._answers(at, spec))
        elif spec.mode == "some":
            yield from self._maximal(at, spec, self._subsets(at, spec))
        else:
            yield from self._maximal(at, spec, itertools.permutations(spec.domain))

    def _ones(self, s: Position, spec: Spec) -> Iterator[Value]:
        if spec.stmt is None:
            yield from spec.domain
            return
        stmt = spec.stmt
        assert isinstance(stmt, core.Choose)
        act = s.stack[-1]
        block = act.blocks[-1]
        body = self.machine.bodies[block.body]
        if self.rules.generated is not None:
            yield from self.rules.generated.ones(body, block.pc)(s, act.env)
            return
        inner = dict(act.env)
        for item in self.distinct(s, self.members(s, act.env, stmt), stmt.item):
            inner[stmt.var] = item
            if self.viable(s, body, block.pc + 1, dict(inner)):
                yield item

    def _actions(self, s: Position, spec: Spec) -> Iterator[str]:
        assert isinstance(spec.stmt, core.Take)
        for name in spec.stmt.actions:
            if self.offered(s, name, spec.player):
                yield name

    def _answers(self, s: Position, spec: Spec) -> Iterator[bool]:
        assert isinstance(spec.stmt, core.May)
        yield False
        if self.viable(s, spec.stmt.body, 0, dict(s.stack[-1].env)):
            yield True

    def _subsets(self, s: Position, spec: Spec) -> Iterator[frozenset[Value]]:
        for size in range(spec.low, spec.high + 1):
            seen: set[Any] = set()
            for combo in itertools.combinations(spec.domain, size):
                key = (
                    tuple(sorted(repr(self.twin(s, x)) for x in combo))
                    if isinstance(spec.item, PieceT)
                    else combo
                )
                if key in seen:
                    continue
                seen.add(key)
                yield frozenset(combo)

    # ---------------------------------------------------------------------------------------- maximize
    def _maximal(self, s: Position, spec: Spec, options: Iterable[Value]) -> Iterator[Value]:
        """Inside `maximize` only options from which the best end can still be reached."""
        depth = self.maximizing(s)
        if depth is None:
            yield from options
            return
        search = self.search(s, depth)
        for option in itertools.islice(options, 20_000):
            if search.keeps(option):
                yield option

    def search(self, s: Position, depth: tuple[int, int]) -> Search:
        """The search of the open `maximize` block; it depends on the position alone."""
        key = (depth, s.digest())
        if self._searching is None or self._searching[0] != key:
            self._searching = (key, Search(self, s, depth, self.promised.get(key)))
        return self._searching[1]

    def keeps(self, s: Position, option: Value) -> bool:
        """Does no open `maximize` stand against this option?"""
        depth = self.maximizing(s)
        return depth is None or self.search(s, depth).keeps(option)

    # ---------------------------------------------------------------------------------------- counting, sampling, checking
    def count(self, s: Position, spec: Spec) -> int | None:
        """How many options there are; none if that is not known without listing very many."""
        at = s.branches[spec.seat] if spec.seat is not None else s
        if spec.mode == "some" and self.maximizing(at) is None:
            n = len(spec.domain)
            classes = (
                {repr(self.twin(at, x)) for x in spec.domain}
                if isinstance(spec.item, PieceT)
                else set(range(n))
            )
            if len(classes) == n:
                return sum(math.comb(n, k) for k in range(spec.low, spec.high + 1))
            return sum(1 for _ in self.options(s, spec)) if n <= 12 else None
        if spec.mode == "order" and self.maximizing(at) is None:
            return math.factorial(len(spec.domain))
        return sum(1 for _ in self.options(s, spec))

    def sample(self, s: Position, spec: Spec, rng: random.Random) -> Value:
        """One option, drawn factor by factor: each factor uniform in what it may be."""
        at = s.branches[spec.seat] if spec.seat is not None else s
        if spec.mode == "some" and self.maximizing(at) is None:
            return frozenset(rng.sample(spec.domain, rng.randint(spec.low, spec.high)))
        if spec.mode == "order" and self.maximizing(at) is None:
            return tuple(rng.sample(spec.domain, len(spec.domain)))
        if spec.mode == "one" and spec.stmt is not None:
            return self._sample_one(at, spec, rng)
        listed = list(self.options(s, spec))
        return rng.choice(listed) if listed else None

    def _sample_one(self, s: Position, spec: Spec, rng: random.Random) -> Value:
        """Members are tried in random order until one leads to no dead end, so that not all need be judged."""
        stmt = spec.stmt
        assert isinstance(stmt, core.Choose)
        act = s.stack[-1]
        block = act.blocks[-1]
        body = self.machine.bodies[block.body]
        candidates = list(self.distinct(s, self.members(s, act.env, stmt), stmt.item))
        while candidates:
            at = rng.randrange(len(candidates))
            if self.viable(
                s, body, block.pc + 1, {**act.env, stmt.var: candidates[at]}
            ) and self.keeps(s, candidates[at]):
                return candidates[at]
            candidates[at] = candidates[-1]
            candidates.pop()
        return None

    def canonical(self, s: Position, spec: Spec, value: Value) -> Value:
        """The listed option this value is, or none: of equal pieces the first stands for all."""
        at = s.branches[spec.seat] if spec.seat is not None else s
        free = self.maximizing(at) is None
        if spec.mode == "some":
            if (
                not isinstance(value, frozenset)
                or not spec.low <= len(value) <= spec.high
                or any(exact(v, spec.domain) is None for v in value)
            ):
                return None
            return (
                value if free or any(value == option for option in self.options(s, spec)) else None
            )
        if spec.mode == "order":
            if not isinstance(value, tuple) or sorted(repr(frozen(v)) for v in value) != sorted(
                repr(frozen(v)) for v in spec.domain
            ):
                return None
            return value if free or value in set(self.options(s, spec)) else None
        if spec.mode == "one":
            return self._member(at, spec, value)
        if spec.mode == "action" and isinstance(spec.stmt, core.Take):
            return (
                value
                if value in spec.stmt.actions
                and self.offered(at, value, spec.player)
                and self.keeps(at, value)
                else None
            )
        return exact(value, tuple(self.options(s, spec)))

    def _member(self, s: Position, spec: Spec, value: Value) -> Value:
        """The listed option a member of the domain stands for, judged alone instead of with all others."""
        members = (
            self.members(s, s.stack[-1].env, spec.stmt)
            if isinstance(spec.stmt, core.Choose)
            else spec.domain
        )
        found = exact(value, members)
        if found is None:
            return None
        if isinstance(spec.item, PieceT):
            twin = self.twin(s, found)
            found = next(m for m in members if self.twin(s, m) == twin)
        if isinstance(spec.stmt, core.Choose):
            block = s.stack[-1].blocks[-1]
            if not self.viable(
                s,
                self.machine.bodies[block.body],
                block.pc + 1,
                {**s.stack[-1].env, spec.stmt.var: found},
            ):
                return None
        return found if self.keeps(s, found) else None


@dataclass
class Decision:
    """An open decision of a state, as its player sees it."""

    decider: Decider
    position: Position = field(repr=False)
    spec: Spec = field(repr=False)

    @property
    def player(self) -> int:
        """Who decides, counted from 0."""
        return self.spec.player

    @property
    def prompt(self) -> str:
        """What is to be decided, in the rules' words."""
        return self.spec.prompt

    @property
    def name(self) -> str:
        """The choice's name in the rules."""
        return self.spec.name

    def count(self) -> int | None:
        """How many options there are; none if unknown."""
        return self.decider.count(self.position, self.spec)

    def options(self) -> Iterator[Option]:
        """The options in a stable order, made lazily."""
        for value in self.decider.options(self.position, self.spec):
            yield Option(self.spec.player, self.spec.name, value)

    def forced(self) -> Option | None:
        """The only option, if there is but one."""
        found = (
            list(itertools.islice(self.options(), 2))
            if self.spec.mode not in ("some", "order")
            else []
        )
        return found[0] if len(found) == 1 else None

    def takes(self, option: Option) -> bool:
        """Is this an option of the decision, as it is listed?"""
        return self.decider.canonical(self.position, self.spec, option.value) is not None

    def dead_end(self) -> str | None:
        """What is wrong where there is no option at all: who should decide what, and where the rules ask it."""
        at = (
            f" ({self.spec.stmt.span.file}, line {self.spec.stmt.span.line})"
            if self.spec.stmt is not None
            else ""
        )
        asked = (
            f"player {self.player + 1} is to decide “{self.prompt}”{at}, and nothing can be chosen"
        )
        return (
            f"{asked}; guard it by `if`, or let an action do it that may be passed over"
            if next(self.options(), None) is None
            else None
        )

    def sample(self, rng: random.Random) -> Option:
        """One option, drawn factor by factor."""
        return Option(
            self.spec.player, self.spec.name, self.decider.sample(self.position, self.spec, rng)
        )


@dataclass(frozen=True)
class Option:
    """A choice that may be made: whose, of what name, which value."""

    player: int
    name: str
    value: Value
