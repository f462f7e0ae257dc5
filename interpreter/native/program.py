"""A module being made: its functions and tables, the clauses that faults name, its counters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from interpreter.engine.engine import Engine
from interpreter.model.position import Position
from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.epochs import SIZE, Epochs
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import STATE, STATUS, Layout, Slot
from interpreter.native.values import Lane, Lowered, NotLowered, encoded
from rulelang import core
from rulelang.builtins.record import NOTHING_READ
from rulelang.builtins.registry import builtin
from rulelang.core.bounds import MAX_STEPS, MAX_VISITS
from rulelang.core.types import BoardT, Type, site_type
from rulelang.core.values import Value
from rulelang.ruleset import Extension, Params, Rule

QUICK = 20  # the part of the bound on visits after which the reference is asked
WITHIN = ("look", "back")  # what is called from outside before a question and after it
# Words that are the same whatever a board has grown to.
_WHEREVER = "adjacent touches_corner distance column row side_to sides inner_sides outer_sides ends"
OF_THE_GRID = frozenset(_WHEREVER.split())


class Stop(IntEnum):
    """Why a module stopped."""

    NOTHING = 0
    OVERFLOW = 1
    DIVISION = 2
    SPAN = 3
    ABSENT = 4
    STEPS = 5
    REFUSED = 6
    NO_OPTION = 7
    ELSEWHERE = 8  # the reference says what happens here
    TAKEN = 9  # a second piece on a site: of which layer, and in which line
    WORK = 10  # so many members were looked through that the reference is asked


@dataclass(frozen=True)
class Scope:
    """The values in scope, and the clause and line that a fault is said to be in."""

    values: Mapping[str, Lowered] = field(default_factory=dict)
    clause: str = ""
    line: int = 0
    slots: Mapping[str, Slot] = field(default_factory=dict)
    """Of values that stand in the state, where."""

    def naming(self, name: str, value: Lowered) -> Scope:
        """The same with one more value."""
        return replace(self, values={**self.values, name: value})

    def keeping(self, name: str, value: Lowered, slot: Slot) -> Scope:
        """The same with one more value, which stands in a slot of the state."""
        return replace(self.naming(name, value), slots={**self.slots, name: slot})

    def within(self, clause: str, line: int) -> Scope:
        """The same inside a clause; where it has no name, the outer one's with its own line."""
        return replace(self, clause=clause or self.clause, line=line or self.line)

    def inside(self, clause: str, line: int, values: Mapping[str, Lowered]) -> Scope:
        """The scope of something that has a name and sees nothing but these values."""
        return Scope(values, clause or self.clause, line or self.line)


@dataclass(frozen=True)
class OpenPlace:
    """A place where cards may add something: in a table, definition or event, with its values."""

    kind: str
    target: str
    slot: str
    params: Params


class Program:
    """What all parts of one lowering share."""

    def __init__(self, engine: Engine, nowhere: Position) -> None:
        """The engine is that of the reference: what is known before play is asked of it."""
        self.engine, self.setup, self.ruleset = engine, engine.setup, engine.setup.rules
        self.reads = engine.rules.reads
        self.nowhere = nowhere
        self.layout = Layout(self.setup)
        self.module = ir.Module()
        self.steps = self.shared(Ty.I64, "steps")
        self.visits = self.shared(Ty.I64, "visits")
        self.state_size = self.shared(Ty.I32, "state_size")
        self.seat = self.shared(Ty.I32, "seat")  # the player in whose branch a choice is made
        self.apart = self.shared(Ty.I32, "apart")  # is what is done done in a branch?
        self.searching = self.shared(Ty.I32, "searching")  # is it tried what choices lead to?
        self.epoch = self.shared(Ty.I64, "epoch")  # another after each change of the state
        self.half = self.shared(Ty.I32, "half")  # 1 while it is asked what would be
        self.settled = [self.half]
        """What is 0 wherever nothing is being asked."""
        self.told: list[ir.Global] = []
        """What is 0 as long as nothing is known of the game that is played."""
        self.finishing: list[Callable[[], None]] = []
        """What is written as soon as all functions are."""
        self.newest = self.shared(Ty.I64, "newest")  # the latest of them all
        self.epochs = Epochs(self.epoch, self.newest, self.SCRATCH)
        self.chance = self.shared(Ty.I64, "chance")
        self.beginnings: dict[ir.Global, int] = {}
        """What shared values are at first, where that is not 0."""
        self.places: list[tuple[str, int]] = []
        self._placed: dict[tuple[str, int], int] = {}
        self._seeing: dict[str, bool] = {}
        self._data = bytearray()
        self._scratch = self.SCRATCH + SIZE
        self._kept: dict[bytes, int] = {}
        self._texts: dict[str, int] = {}
        self.ends = [*(ending.name for ending in self.ruleset.endings), "flow", "game"]
        self.grown = any(b.grown_from is not None for b in self.ruleset.boards.values())

    def shared(self, ty: Ty, name: str) -> ir.Global:
        """A value that all functions share, for whoever runs the module as well."""
        made = ir.Global(ty, name, exported=True)
        self.module.globals.append(made)
        return made

    def function(
        self,
        name: str,
        params: Sequence[ir.Register],
        results: Sequence[Ty],
        exported: bool = False,
    ) -> ir.Function:
        """A new function whose body is still to be written."""
        made = ir.Function(name, tuple(params), tuple(results), exported=exported)
        self.module.functions.append(made)
        return made

    # -------------------------------------------------------------------------------- tables
    TABLES = 1 << 18  # where tables begin; slots and the output end before
    # Copies of a state stand half a page further on than it: where addresses are alike but for the
    # page, a processor takes what it loads for what it has just stored.
    HALF, PAGE = 1 << 11, 1 << 12
    FIRST = (1 << 22) + HALF  # the state at the first decision of a game
    COMMON = FIRST + TABLES  # the common state, while a branch stands in its place
    STRIDE = TABLES  # bytes from one player's branch to the next
    BRANCHES = COMMON + TABLES
    LAST = BRANCHES + 16 * STRIDE  # the state before the last choice of a game
    SCRATCH = LAST + 17 * STRIDE  # with all branches

    def table(self, raw: bytes) -> int:
        """Where these bytes stand in memory; equal tables stand there once."""
        known = self._kept.get(raw)
        if known is None:
            self._data += bytes(-len(self._data) % 8)
            known = self._kept[raw] = self.TABLES + len(self._data)
            self._data += raw
        return known

    def encoded(self, t: Type, value: Value) -> int:
        """The number that a scalar value is held as; texts are numbered as they are met."""
        if isinstance(value, str):
            return self._texts.setdefault(value, len(self._texts))
        return encoded(self.setup, t, value)

    def buffer(self, size: int) -> int:
        """A place for so many bytes that nothing else uses, and that is no part of a state."""
        at, self._scratch = self._scratch, self._scratch + -(-size // 8) * 8
        return at

    def state_buffer(self, size: int) -> int:
        """The same for copies of the state."""
        self._scratch += (STATE + self.HALF - self._scratch) % self.PAGE
        return self.buffer(size)

    def finished(self) -> ir.Module:
        """The module with its tables in memory; raises NotLowered if there is no room for them."""
        if self.layout.end > self.TABLES or self.TABLES + len(self._data) > self.FIRST:
            raise NotLowered("a state of more than 256 KB, or tables of more than 4 MB")
        self._asked()
        for finish in self.finishing:
            finish()
        self.epochs.finished(lambda name: self.function(name, [], []))
        self.module.beginnings = {**self.beginnings, self.state_size: self.layout.size}
        self.module.data = [(self.TABLES, bytes(self._data))] if self._data else []
        self.module.memory = self._scratch
        return self.module

    def _asked(self) -> None:
        """Make of each exported function a question of its own, whose work is counted from 0.

        The state may have been written from outside before.
        """
        for inner in [f for f in self.module.functions if f.exported and f.name not in WITHIN]:
            inner.exported = False
            params = [ir.Register(param.ty, param.name) for param in inner.params]
            b = Builder(self.function(inner.name, params, inner.results, exported=True))
            inner.name += "_asked"
            for counter in (self.steps, self.visits):
                b.set(counter, ir.i64(0))
            for flag in self.settled:
                b.set(flag, ir.i32(0))
            self.replaced(b)
            found = b.call(inner, *map(ir.Get, params))
            self.within_bounds(b)
            b.leave(*found)

    def within_bounds(self, b: Builder) -> None:
        """Leave it to the reference where so many members were looked through."""
        with b.when(op("i64.gt_s", ir.Get(self.visits), ir.i64(MAX_VISITS // QUICK))):
            self.stop(b, Stop.WORK, Scope())

    # -------------------------------------------------------------------------------- work, faults
    def stop(self, b: Builder, why: Stop, scope: Scope, number: Code | None = None) -> None:
        """Stop here, and say why and in which clause."""
        place = (scope.clause, scope.line)
        if place not in self._placed:
            self._placed[place] = len(self.places)
            self.places.append(place)
        why = Stop.ELSEWHERE if b.asking else why
        b.store("i32.store", ir.i32(0), STATUS, ir.i32(why))
        b.store("i32.store", ir.i32(0), STATUS + 4, ir.i32(self._placed[place]))
        b.store("i64.store", ir.i32(0), STATUS + 8, number or ir.i64(0))
        b.add(ir.Trap())

    def step(self, b: Builder, scope: Scope, first: tuple[Code, Scope] | None = None) -> None:
        """A statement is carried out, or a loop goes round.

        `first` is where it is said to be if some code holds.
        """
        b.set(self.steps, op("i64.add", ir.Get(self.steps), ir.i64(1)))
        with b.when(op("i64.gt_s", ir.Get(self.steps), ir.i64(MAX_STEPS))):
            if first is not None:
                with b.when(first[0]):
                    self.stop(b, Stop.STEPS, first[1])
            self.stop(b, Stop.STEPS, scope)

    def visit(self, b: Builder, count: Code) -> None:
        """So many members are looked through; the bound is looked at when the module is left."""
        b.set(self.visits, op("i64.add", ir.Get(self.visits), count))

    def changed(self, b: Builder, *sources: str) -> None:
        """These sources are others from here on, or all: what was worked out of them before holds
        no more.
        """
        self.epochs.changed(b, sources)

    def replaced(self, b: Builder) -> None:
        """The state of another game, or of another time, stands here from here on."""
        for known in self.told:
            b.set(known, ir.i32(0))
        self.changed(b)

    # -------------------------------------------------------------------------------- clauses
    def line(self, clause: str) -> int:
        """The line a clause stands in, as a fault names it."""
        known = self.ruleset.clauses.get(clause)
        return known.span.line if known is not None else 0

    def extensions(self, place: OpenPlace) -> tuple[Extension, ...]:
        """What cards may add at an open place, in the order of the rules."""
        return tuple(
            e
            for e in self.ruleset.extensions
            if (e.kind, e.target, e.slot) == (place.kind, place.target, place.slot)
        )

    def bearers(self, extension: Extension) -> frozenset[int]:
        """The pieces that bear an extension."""
        return frozenset(
            self.engine.rules.additions.bearers.get((extension.component, extension.title), ())
        )

    def judged(self, event: str) -> tuple[Rule, ...]:
        """The rules of an event that can fail."""
        if self.reads.invariants:
            raise NotLowered("what must always hold", self.reads.invariants[0].clause)
        return self.ruleset.events[event].rules

    # -------------------------------------------------------------------------------- known before
    def is_static(self, item: object) -> bool:
        """Does an expression depend on nothing but the names in scope?"""
        found = self.reads.all(item)
        if not found <= {"tiles"}:
            return False
        grows = bool(found) and self.grown
        return not grows or not any(self._sees_tiles(node) for node in core.walk(item))

    def _sees_tiles(self, node: object) -> bool:
        """May this depend on what a board has grown to? Expressions within it are asked alone."""
        if isinstance(node, core.Apply):
            return self._definition_sees_tiles(node.define)
        if not isinstance(node, core.Builtin):
            named = core.Total | core.Accepts | core.Groups | core.Reach | core.At
            return isinstance(node, named) and bool(self.reads.all(node))
        if node.name in OF_THE_GRID or builtin(node.name).reads == NOTHING_READ:
            return False
        types = (node.type, *(arg.type for arg in node.args))
        boards = {t.name if isinstance(t, BoardT) else _board_of(t) for t in types}
        return not boards.isdisjoint(self.layout.grown)

    def _definition_sees_tiles(self, name: str) -> bool:
        if name not in self._seeing:
            self._seeing[name] = True  # while it is looked into
            known = self.ruleset.definitions[name]
            places = (
                OpenPlace("define", name, case.slot, known.params)
                for case in known.cases
                if case.slot is not None
            )
            added = any(map(self.extensions, places))
            inside = any(map(self._sees_tiles, core.walk(known.cases)))
            self._seeing[name] = added or inside
        return self._seeing[name]

    def evaluated(self, expr: core.Expr, env: Mapping[str, Value]) -> Value:
        """What an expression comes to before play; raises Fault."""
        self.engine.rules.work.begin()
        try:
            return self.engine.rules.evaluator.value(expr, self.nowhere, env)
        finally:
            self.engine.rules.work.open = False


def _board_of(t: Type) -> str:
    site = site_type(t)
    return "" if site is None else site.board


def has_lane(scope: Scope, item: object) -> bool:
    """Does an expression depend on a name that stands for every member at once?"""
    return any(isinstance(scope.values.get(name), Lane) for name in core.free_names(item))
