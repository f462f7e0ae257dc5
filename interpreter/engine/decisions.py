"""Open decisions: who must decide what, and the options, counted, sampled and listed.

Subsets and orders are never made all at once.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from interpreter.engine.feasibility import Lookahead
from interpreter.engine.machine import Machine, loop_of
from interpreter.engine.maximize import Promised, Region, Search
from interpreter.engine.walker import Place
from interpreter.model.position import Activation, Block, Position, exact, frozen
from interpreter.model.symmetry import twin
from rulelang import core
from rulelang.core.types import UNKNOWN, PieceT, Type
from rulelang.core.values import Value, number
from rulelang.diagnostics.english import spoken

NOBODY = -1  # who is to decide where the rules name no player
MAX_COUNTED = 12  # members of a choice of several, some alike, whose subsets are counted
MAX_LISTED = 20_000  # options of one decision that are looked at under `maximize`


@dataclass(frozen=True)
class Spec:
    """One open decision of a position: the player, the choice's name and kind, and its domain."""

    player: int  # or NOBODY
    name: str  # the choice's name; "action" for a choice of actions, "may" for a yes or no
    prompt: str
    mode: str  # "one" | "some" | "order" | "action" | "may"
    stmt: core.Stmt | None
    item: Type
    seat: int | None = None  # the branch of simultaneous play it belongs to
    domain: tuple[Value, ...] = ()
    low: int = 0
    high: int = 0


class Decider:
    """Finds the open decisions of positions and says what may be chosen."""

    def __init__(self, machine: Machine, lookahead: Lookahead) -> None:
        """The last search is kept, since a decision is asked about more than once."""
        self.machine, self.lookahead, self.rules = machine, lookahead, machine.rules
        self._searching: tuple[Hashable, Search] | None = None
        self.promised: Promised = {}
        """Goals that searches to come would find again."""

    def forget(self) -> None:
        """Forget searches that were kept, as after one that was broken off."""
        self._searching, self.promised = None, {}

    # -------------------------------------------------------------------------------- what is open
    def open(self, s: Position) -> list[Spec]:
        """All open decisions; several when play is simultaneous."""
        if s.ended is not None:
            return []
        if s.branches:
            return [
                replace(spec, seat=seat)
                for seat, branch in sorted(s.branches.items())
                for spec in self.open(branch)
            ]
        if not s.stack or not s.stack[-1].blocks:
            return []
        act = s.stack[-1]
        block = act.blocks[-1]
        body = self.machine.bodies[block.body]
        if block.pc >= len(body):
            return [self._next_member(block)] if block.kind == "choice" else []
        stmt = body[block.pc]
        if isinstance(stmt, core.Choose):
            return [self._choice(s, act, stmt)]
        if isinstance(stmt, core.Take):
            by = _player(self.rules.value(stmt.by, s, act.env))
            return [Spec(by, "action", "action", "action", stmt, UNKNOWN)]
        if isinstance(stmt, core.May):
            by = _player(self.rules.value(stmt.by, s, act.env))
            return [Spec(by, "may", stmt.prompt, "may", stmt, UNKNOWN)]
        return []

    def _next_member(self, block: Block) -> Spec:
        """Which member a loop in an order of somebody's choice goes on with."""
        loop = loop_of(block)
        name, item = loop.var.split("~")[0], self.machine.numbered.member_type(block.body)
        return Spec(_player(loop.by[0]), name, spoken(name), "one", None, item, domain=loop.rest)

    def _choice(self, s: Position, act: Activation, stmt: core.Choose) -> Spec:
        by = _player(self.rules.value(stmt.by, s, act.env))
        spec = Spec(by, stmt.var.split("~")[0], stmt.prompt, stmt.mode, stmt, stmt.item)
        if stmt.mode == "one":
            return spec
        domain = self.members(s, act.env, stmt)
        size = len(domain)
        if stmt.mode == "order":
            return replace(spec, domain=domain, low=size, high=size)
        low = max(0, self.rules.number(stmt.low, s, act.env)) if stmt.low is not None else 0
        high = self.rules.number(stmt.high, s, act.env) if stmt.high is not None else size
        low, high = min(size, low), min(size, high)
        return replace(spec, domain=domain, low=low, high=max(low, high))

    def members(self, s: Position, env: dict[str, Value], stmt: core.Choose) -> tuple[Value, ...]:
        """The members of a choice's domain that meet its filter, in the stable order."""
        return self.lookahead.members(s, env, stmt)

    def at(self, s: Position, spec: Spec) -> Position:
        """The position a decision is made in: its branch in simultaneous play."""
        return s.branches[spec.seat] if spec.seat is not None else s

    # -------------------------------------------------------------------------------- options
    def options(self, s: Position, spec: Spec) -> Iterator[Value]:
        """All options in a stable order, made one at a time."""
        at = self.at(s, spec)
        return self._maximal(at, self.plain_options(at, spec))

    def plain_options(self, s: Position, spec: Spec) -> Iterator[Value]:
        """The options by the rules of the decision alone, whatever `maximize` asks."""
        makers: dict[str, Callable[[Position, Spec], Iterator[Value]]] = {
            "one": self._ones,
            "action": self._actions,
            "may": self._answers,
            "some": self._subsets,
            "order": self._orders,
        }
        return makers[spec.mode](s, spec)

    def _ones(self, s: Position, spec: Spec) -> Iterator[Value]:
        stmt = spec.stmt
        if stmt is None:
            return iter(spec.domain)
        assert isinstance(stmt, core.Choose)
        return self.lookahead.options(s, self._place(s))

    def _place(self, s: Position) -> Place:
        """The place of the statement at which a decision is open."""
        act = s.stack[-1]
        block = act.blocks[-1]
        return Place(self.machine.bodies[block.body], block.pc, act.env)

    def _actions(self, s: Position, spec: Spec) -> Iterator[str]:
        assert isinstance(spec.stmt, core.Take)
        return (name for name in spec.stmt.actions if self.lookahead.offered(s, name, spec.player))

    def _answers(self, s: Position, spec: Spec) -> Iterator[bool]:
        assert isinstance(spec.stmt, core.May)
        yield False
        if self.lookahead.viable(s, Place(spec.stmt.body, 0, s.stack[-1].env)):
            yield True

    def _subsets(self, s: Position, spec: Spec) -> Iterator[frozenset[Value]]:
        return subsets(spec.domain, _alike(s, spec), spec.low, spec.high)

    def _orders(self, s: Position, spec: Spec) -> Iterator[tuple[Value, ...]]:
        return itertools.permutations(spec.domain)

    # -------------------------------------------------------------------------------- maximize
    def maximizing(self, s: Position) -> Region | None:
        """The innermost open `maximize` block; none if there is none."""
        for a in range(len(s.stack) - 1, -1, -1):
            for b in range(len(s.stack[a].blocks) - 1, -1, -1):
                block = s.stack[a].blocks[b]
                if block.kind == "maximize":
                    return Region(self.machine.numbered.maximized[block.body], (a + 1, b + 1))
        return None

    def _maximal(self, s: Position, options: Iterable[Value]) -> Iterator[Value]:
        """Inside `maximize` only options from which the best end can still be reached."""
        region = self.maximizing(s)
        if region is None:
            yield from options
            return
        search = self.search(s, region)
        for option in itertools.islice(options, MAX_LISTED):
            if search.keeps(option):
                yield option

    def search(self, s: Position, region: Region) -> Search:
        """The search of the open `maximize` block; it depends on the position alone."""
        key = (region.depth, s.digest())
        if self._searching is None or self._searching[0] != key:
            self._searching = (key, self.new_search(s, region, self.promised))
        return self._searching[1]

    def new_search(self, s: Position, region: Region, promised: Promised) -> Search:
        """A search that knows only the goals it is given."""
        return Search(self.machine, s, region, self._next_options, promised)

    def _next_options(self, s: Position) -> Iterator[Value]:
        for spec in self.open(s)[:1]:
            yield from self.plain_options(s, spec)

    def keeps(self, s: Position, option: Value) -> bool:
        """Does no open `maximize` stand against this option?"""
        region = self.maximizing(s)
        return region is None or self.search(s, region).keeps(option)

    # -------------------------------------------------------------------------------- counting
    def count(self, s: Position, spec: Spec) -> int | None:
        """How many options there are; none if that takes listing very many."""
        at = self.at(s, spec)
        if spec.mode in ("some", "order") and self.maximizing(at) is None:
            size = len(spec.domain)
            if spec.mode == "order":
                return math.factorial(size)
            return how_many_subsets(spec.domain, _alike(at, spec), spec.low, spec.high)
        return sum(1 for _ in self.options(s, spec))

    def sample(self, s: Position, spec: Spec, rng: random.Random) -> Value:
        """One option, drawn factor by factor: each factor uniform in what it may be."""
        at = self.at(s, spec)
        if spec.mode == "some" and self.maximizing(at) is None:
            return frozenset(rng.sample(spec.domain, rng.randint(spec.low, spec.high)))
        if spec.mode == "order" and self.maximizing(at) is None:
            return tuple(rng.sample(spec.domain, len(spec.domain)))
        if spec.mode == "one" and spec.stmt is not None:
            return self._sample_one(at, spec, rng)
        listed = list(self.options(s, spec))
        return rng.choice(listed) if listed else None

    def _sample_one(self, s: Position, spec: Spec, rng: random.Random) -> Value:
        """Members are tried in random order until one leads to no dead end."""
        stmt, at = spec.stmt, self._place(s)
        assert isinstance(stmt, core.Choose)
        candidates = list(self.lookahead.candidates(s, at.scope, stmt))
        while candidates:
            drawn = rng.randrange(len(candidates))
            item = candidates[drawn]
            if self.lookahead.viable(s, at.naming(stmt.var, item)) and self.keeps(s, item):
                return item
            candidates[drawn] = candidates[-1]
            candidates.pop()
        return None

    # -------------------------------------------------------------------------------- checking
    def canonical(self, s: Position, spec: Spec, value: Value) -> Value:
        """The listed option this value is, or none: of equal pieces the first stands for all."""
        at = self.at(s, spec)
        if spec.mode == "some":
            return self._subset(s, spec, value)
        if spec.mode == "order":
            return self._order(s, spec, value)
        if spec.mode == "one":
            return self._member(at, spec, value)
        if spec.mode == "action" and isinstance(spec.stmt, core.Take):
            return value if self._action(at, spec, spec.stmt, value) else None
        return exact(value, tuple(self.options(s, spec)))

    def _subset(self, s: Position, spec: Spec, value: Value) -> Value:
        if not isinstance(value, frozenset) or not spec.low <= len(value) <= spec.high:
            return None
        if any(exact(v, spec.domain) is None for v in value):
            return None
        free = self.maximizing(self.at(s, spec)) is None
        return value if free or any(value == option for option in self.options(s, spec)) else None

    def _order(self, s: Position, spec: Spec, value: Value) -> Value:
        if not isinstance(value, tuple) or _sorted(value) != _sorted(spec.domain):
            return None
        free = self.maximizing(self.at(s, spec)) is None
        return value if free or value in set(self.options(s, spec)) else None

    def _action(self, s: Position, spec: Spec, stmt: core.Take, value: Value) -> bool:
        return (
            value in stmt.actions
            and self.lookahead.offered(s, value, spec.player)
            and self.keeps(s, value)
        )

    def _member(self, s: Position, spec: Spec, value: Value) -> Value:
        """The listed option a member of the domain stands for, judged by itself."""
        stmt = spec.stmt
        members = (
            self.members(s, s.stack[-1].env, stmt) if isinstance(stmt, core.Choose) else spec.domain
        )
        found = exact(value, members)
        if found is None:
            return None
        if isinstance(spec.item, PieceT):
            same = twin(s, found)
            found = next(m for m in members if twin(s, m) == same)
        dead_end = isinstance(stmt, core.Choose) and not self.lookahead.viable(
            s, self._place(s).naming(stmt.var, found)
        )
        return found if not dead_end and self.keeps(s, found) else None


def _alike(s: Position, spec: Spec) -> tuple[Hashable, ...]:
    """For each member of a domain what it has in common with those that nothing tells from it."""
    pieces = isinstance(spec.item, PieceT)
    return tuple(twin(s, member) if pieces else member for member in spec.domain)


def subsets(
    domain: Sequence[Value], alike: Sequence[Hashable], low: int, high: int
) -> Iterator[frozenset[Value]]:
    """The subsets of so many members, the smaller ones first; of those that differ only in members
    that are alike one.
    """
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(alike))}
    numbers = [kinds[kind] for kind in alike]
    for size in range(low, high + 1):
        seen: set[tuple[int, ...]] = set()
        for combo in itertools.combinations(range(len(domain)), size):
            key = tuple(sorted(numbers[at] for at in combo))
            if key not in seen:
                seen.add(key)
                yield frozenset(domain[at] for at in combo)


def how_many_subsets(
    domain: Sequence[Value], alike: Sequence[Hashable], low: int, high: int
) -> int | None:
    """How many these are; none if that takes listing very many."""
    size = len(domain)
    if len(set(alike)) == size:
        return sum(math.comb(size, k) for k in range(low, high + 1))
    return None if size > MAX_COUNTED else sum(1 for _ in subsets(domain, alike, low, high))


def _player(value: Value) -> int:
    return NOBODY if value is None else number(value)


def _sorted(values: Iterable[Value]) -> list[str]:
    return sorted(repr(frozen(value)) for value in values)


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
        """What is wrong where there is no option: who is to decide what, and where it is asked."""
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
