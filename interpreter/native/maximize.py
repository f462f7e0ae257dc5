"""The search under `maximize`: the largest value its block can still end with, and who keeps it.

It tries choices depth first, as the reference does, undoes each, and keeps what it found for every
state. Where the reference may have given up, or anything stops on the way, the reference is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.engine.maximize import MAX_NODES
from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.candidates import Candidates
from interpreter.native.control import CLOSED, Control, Decision, Region
from interpreter.native.epochs import SIZE
from interpreter.native.expressions import Expressions
from interpreter.native.ir import Code, Ty, op
from interpreter.native.layout import OUTPUT, Slot
from interpreter.native.program import Scope, Stop
from interpreter.native.shared import Shared
from interpreter.native.standing import Counted, Listed, OpenBlock, Rest, Turns
from interpreter.native.state_keys import changing
from interpreter.native.undoing import Undoing
from interpreter.native.values import WORD, Bits, NotLowered
from rulelang import core
from rulelang.core.bounds import MAX_VISITS

MOST_VISITS = MAX_VISITS // 2  # of one search, past which the reference is asked
NEVER, ALWAYS = -(10**9), 10**9
MOST_DEEP = 48  # decisions one after the other
MOST_OPTIONS = 1024  # of one decision
ENTRIES = 1 << 15  # of the memory of states
MOST_ENTRIES = ENTRIES * 3 // 4
# An entry: the key, the least and the most that the state comes to, the work that this took, and
# the search that counted it last.
KEY, LOW, HIGH, NODES, VISITS, SEARCH, ENTRY = 0, 16, 24, 32, 40, 48, 56
MOST_WORK = 1 << 40  # that is told apart
_CHAINS = 4
_FACTORS = (-7046029254386353131, -4417276706812531889)


@dataclass(frozen=True)
class _Key:
    """The key of a state: the same key is the same state, as good as never otherwise."""

    one: Code
    two: Code


class Maximizing:
    """The functions of one program's searches."""

    def __init__(
        self,
        shared: Shared,
        control: Control,
        candidates: Candidates,
        legal: dict[int, ir.Function],
    ) -> None:
        """`legal` gives what may be chosen at each decision by the rules alone."""
        self.candidates = candidates
        self.shared, self.program, self.control = shared, shared.program, control
        self.layout, self.legal = shared.program.layout, legal
        self.regions: list[Region] = control.regions
        program = self.program
        self.left = program.shared(Ty.I64, "nodes")
        self.phase = program.shared(Ty.I64, "phase")
        self.opened = program.shared(Ty.I32, "phase_opened")
        program.told.append(self.opened)
        self.kept = program.shared(Ty.I32, "kept")
        self.search = program.shared(Ty.I64, "search")
        self.spared = [program.shared(Ty.I64, f"spared_{work}") for work in ("nodes", "visits")]
        self.memory = program.buffer(ENTRY * ENTRIES)
        self.stride = SIZE + 8 * MOST_OPTIONS
        self.levels = program.buffer(self.stride * (1 + MOST_DEEP))
        self.undoing = Undoing(program, 2 + MOST_DEEP)
        i32, i64 = Ty.I32, Ty.I64
        self.take: ir.Function | None = None
        self._key_of = self._declared("state_key", [], [i64, i64])
        self._listed = self._declared("list_options", [i32], [i32])
        self._value = self._declared("maximized", [], [i64])
        self._most = self._declared("at_most", [], [i64])
        self._found = self._declared("kept_at", [i64, i64], [i32])
        self._best = self._declared("best", [i32], [i64])
        self._reaches = self._declared("reaches", [i32, i64], [i32])
        self._keeps = self._declared("keeps", [i64, i64], [i32])
        self._goal = self._declared("goal", [], [i64])

    def _declared(self, name: str, params: list[Ty], results: list[Ty]) -> ir.Function:
        return self.program.function(
            f"search_{name}", [ir.Register(t, "x") for t in params], results
        )

    def written(self, take: ir.Function) -> None:
        """Write all functions; `take` takes an option and runs to the next decision."""
        self.take = take
        self._key_written()
        self._listed_written()
        for function, part in ((self._value, "value"), (self._most, "bound")):
            self._of_region(function, part)
        self._found_written()
        self._best_written()
        self._reaches_written()
        self._keeps_written()
        self._goal_written()
        self.program.finishing.append(lambda: self.undoing.noting(take))

    # -------------------------------------------------------------------------------- what is kept
    def _live(self, d: Decision) -> list[Slot]:
        """The slots of all that is in scope where a decision is open, and where it returns to."""
        found: dict[int, Slot] = {}
        callers, seen = [d.standing.procedure], set[str]()
        standings = [d.standing]
        while callers:
            name = callers.pop()
            if name in seen:
                continue
            seen.add(name)
            for callee, at in self.control.returns_to:
                if callee == name:
                    standings.append(at)
                    callers.append(at.procedure)
        for at in standings:
            slots = [*at.names.values()]
            for block in at.blocks:
                slots += self._of_loop(block)
            found.update((slot.offset, slot) for slot in slots)
        backs = {self.control.back_of(name) for name in seen}
        for back in sorted(backs - {0}):
            found[back] = self.control.number_slot(back)
        return [found[at] for at in sorted(found)]

    @staticmethod
    def _of_loop(block: OpenBlock) -> list[Slot]:
        match block.loop:
            case Rest(left=left):
                return [left]
            case Turns(player=player, left=left):
                return [player, left]
            case Counted(left=left):
                return [left]
            case Listed():
                raise NotLowered("a search through a loop over a list")
            case _:
                return []

    def _key_written(self) -> None:
        """Mix all that may differ and matters for what comes: what lies where, what is in scope."""
        b = Builder(self._key_of)
        # Each word goes into one of several chains, which the processor works out side by side.
        chains = [b.begin(ir.Get(self.phase), "chain") for _ in range(_CHAINS)]

        def mix(word: Code, into: ir.Register, factor: int = _FACTORS[0], turn: int = 29) -> None:
            mixed = op("i64.mul", op("i64.xor", ir.Get(into), word), ir.i64(factor))
            b.set(into, op("i64.rotl", mixed, ir.i64(turn)))

        bodies = [region.stmt.body for region in self.regions]
        for stretch in changing(self.program.ruleset, self.layout, bodies):
            at = b.begin(ir.i32(stretch.at), "at")
            end: Code = ir.i32(stretch.at + stretch.size)
            if not stretch.size:
                listed = op("i32.shl", ir.load("i32.load", ir.i32(0), stretch.at), ir.i32(1))
                end = b.keep(op("i32.add", listed, ir.i32(stretch.at + 4)))
            with b.block() as done:
                for words in (_CHAINS, 1):
                    with b.block() as few, b.loop() as again:
                        after = b.keep(op("i32.add", ir.Get(at), ir.i32(8 * words)))
                        if words > 1:
                            b.jump(few, op("i32.gt_u", after, end))
                        else:
                            b.jump(done, op("i32.ge_u", ir.Get(at), end))
                        for n in range(words):
                            mix(ir.load("i64.load", ir.Get(at), 8 * n), chains[n])
                        b.set(at, after)
                        b.jump(again)

        def scoped(d: Decision) -> None:
            if not self._inside(d):
                return
            for slot in self._live(d):
                for word in range(max(1, slot.cell.words)):
                    held = ir.load(
                        "i64.load" if slot.cell.words else slot.cell.load,
                        ir.i32(0),
                        slot.offset + 8 * word,
                    )
                    wide = slot.cell.ty is Ty.I64
                    mix(held if wide else op("i64.extend_i32_s", held), chains[0])

        self.control.by_decision(b, scoped)
        one, two = (b.begin(ir.Get(self.phase), name) for name in ("one", "two"))
        for chain in chains:
            mix(ir.Get(chain), one)
            mix(ir.Get(chain), two, _FACTORS[1], 31)
        for register in (one, two):
            mixed = b.keep(ir.Get(register))
            folded = op("i64.xor", mixed, op("i64.shr_u", mixed, ir.i64(32)))
            b.set(register, op("i64.mul", folded, ir.i64(_FACTORS[0])))
        b.leave(ir.Get(one), op("i64.or", ir.Get(two), ir.i64(1)))

    def _inside(self, d: Decision) -> bool:
        """May a decision be open within a block that is maximized?"""
        return d.number in self.control.maximized

    def _found_written(self) -> None:
        """Where a state is kept, or the free place for it; 0 if there is none."""
        b = Builder(self._found)
        one, two = map(ir.Get, self._found.params)
        at = b.begin(op("i32.and", op("i32.wrap_i64", one), ir.i32(ENTRIES - 1)), "at")
        left = b.begin(ir.i32(64), "left")
        with b.block() as full, b.loop() as again:
            b.jump(full, op("i32.eqz", ir.Get(left)))
            place = b.keep(
                op("i32.add", op("i32.mul", ir.Get(at), ir.i32(ENTRY)), ir.i32(self.memory))
            )
            second = b.keep(ir.load("i64.load", place, 8))
            with b.when(op("i64.eqz", second)):
                b.leave(place)
            alike = op("i64.eq", ir.load("i64.load", place), one)
            with b.when(op("i32.and", alike, op("i64.eq", second, two))):
                b.leave(place)
            after = op("i32.add", ir.Get(at), ir.i32(1))
            b.set(at, op("i32.and", after, ir.i32(ENTRIES - 1)))
            b.set(left, op("i32.sub", ir.Get(left), ir.i32(1)))
            b.jump(again)
        b.leave(ir.i32(0))

    def _work(self, b: Builder) -> tuple[Code, Code]:
        """The nodes and visits so far, as many as if no state had been known before."""
        nodes, visits = map(ir.Get, self.spared)
        return (
            b.keep(op("i64.sub", nodes, ir.Get(self.left))),
            b.keep(op("i64.add", visits, ir.Get(self.program.visits))),
        )

    def _keep(
        self, b: Builder, key: _Key, bounds: tuple[Code, Code], before: tuple[Code, Code]
    ) -> None:
        """Keep what is known of a state and the work since `before`, if there is room."""
        (place,) = b.call(self._found, key.one, key.two)
        room = op("i32.lt_s", ir.Get(self.kept), ir.i32(MOST_ENTRIES))
        with b.when(op("i32.and", op("i32.ne", place, ir.i32(0)), room)):
            new = op("i64.eqz", ir.load("i64.load", place, KEY + 8))
            b.set(self.kept, op("i32.add", ir.Get(self.kept), new))
            words = [(KEY, key.one), (KEY + 8, key.two), (LOW, bounds[0]), (HIGH, bounds[1])]
            for offset, was, now in zip((NODES, VISITS), before, self._work(b), strict=True):
                made = b.keep(op("i64.sub", now, was))
                most = ir.i64(MOST_WORK)
                words.append((offset, ir.Select(op("i64.lt_s", made, most), made, most)))
            for offset, word in (*words, (SEARCH, ir.Get(self.search))):
                b.store("i64.store", place, offset, word)

    def _known(
        self, b: Builder, answered: Callable[[Code, Code, Callable[[], None]], None]
    ) -> tuple[_Key, ir.Register, ir.Register]:
        """The key of the state, and what is known of it: the least and the most it comes to.

        If that answers what is asked, it is given at once, as `answered` says. What a state that
        was met in another search took counts as work of this one, for the reference forgets.
        """
        key = _Key(*b.call(self._key_of))
        low, high = b.begin(ir.i64(NEVER), "low"), b.begin(ir.i64(ALWAYS), "high")
        (place,) = b.call(self._found, key.one, key.two)
        with b.block() as known:
            with (
                b.when(place),
                b.when(op("i64.ne", ir.load("i64.load", place, KEY + 8), ir.i64(0))),
            ):
                b.set(low, ir.load("i64.load", place, LOW))
                b.set(high, ir.load("i64.load", place, HIGH))
                answered(ir.Get(low), ir.Get(high), lambda: self._counted(b, place))
                b.jump(known)
            (most,) = b.call(self._most)
            b.set(high, most)
            answered(ir.Get(low), ir.Get(high), lambda: None)
        return key, low, high

    def _counted(self, b: Builder, place: Code) -> None:
        """Count what is known in this place as work: of this search, unless it has done so."""
        nodes, visits = (b.keep(ir.load("i64.load", place, at)) for at in (NODES, VISITS))
        other = op("i64.ne", ir.load("i64.load", place, SEARCH), ir.Get(self.search))
        with b.when(other):
            b.store("i64.store", place, SEARCH, ir.Get(self.search))
            self._spend(b, nodes)
            self.program.visit(b, visits)
        with b.otherwise():
            for spared, work in zip(self.spared, (nodes, visits), strict=True):
                b.set(spared, op("i64.add", ir.Get(spared), work))

    def _spend(self, b: Builder, nodes: Code) -> None:
        """So many nodes more; past the bound the reference is asked."""
        b.set(self.left, op("i64.sub", ir.Get(self.left), nodes))
        with b.when(op("i64.lt_s", ir.Get(self.left), ir.i64(0))):
            self.program.stop(b, Stop.ELSEWHERE, Scope())

    # -------------------------------------------------------------------------------- what is asked
    def _of_region(self, function: ir.Function, part: str) -> None:
        """The value of the block that is open, or the most that it can become."""
        b = Builder(function, asking=True)
        say, open_now = Expressions(self.shared, b), self.control.region_at
        for number, region in enumerate(self.regions, 1):
            asked = region.stmt.value if part == "value" else region.stmt.bound
            is_open = op("i32.eq", ir.load("i32.load", ir.i32(0), open_now), ir.i32(number))
            with b.when(is_open):
                b.leave(ir.i64(ALWAYS) if asked is None else say.number(asked, region.scope).code)
        self.program.stop(b, Stop.ELSEWHERE, Scope())

    def _listed_written(self) -> None:
        """List the options of the open decision at an address; gives how many there are."""
        b = Builder(self._listed)
        to = ir.Get(self._listed.params[0])

        def listed(d: Decision) -> None:
            if not self._inside(d) or d.several or (isinstance(d.stmt, core.Choose) and d.sets):
                self.program.stop(b, Stop.ELSEWHERE, d.scope)
                return
            legal = self.legal[d.number]
            found = b.call(legal)
            if legal.results[0] is not Ty.I64:
                with b.when(op("i32.gt_u", found[0], ir.i32(MOST_OPTIONS))):
                    self.program.stop(b, Stop.ELSEWHERE, d.scope)
                b.add(ir.Copy(to, ir.i32(OUTPUT), op("i32.shl", found[0], ir.i32(3))))
                b.leave(found[0])
                return
            at = b.begin(to, "at")
            bits.each_member(b, Bits(found, WORD * len(found)), lambda m: self._put(b, at, m.code))
            b.leave(op("i32.shr_u", op("i32.sub", ir.Get(at), to), ir.i32(3)))

        self.control.by_decision(b, listed)
        self.program.stop(b, Stop.ELSEWHERE, Scope())

    @staticmethod
    def _put(b: Builder, at: ir.Register, number: Code) -> None:
        b.store("i64.store", ir.Get(at), 0, op("i64.extend_i32_s", number))
        b.set(at, op("i32.add", ir.Get(at), ir.i32(8)))

    # -------------------------------------------------------------------------------- the search
    def _ended(self, b: Builder) -> None:
        """Leave with the value if the block is closed, or ask if the game is over."""
        with b.when(ir.load("i32.load", ir.i32(0), self.layout.ended)):
            self.program.stop(b, Stop.ELSEWHERE, Scope())

    def _closed(self) -> Code:
        point = ir.load("i32.load", ir.i32(0), self.layout.point)
        return op("i32.eq", point, ir.i32(CLOSED))

    def _level(self, b: Builder, level: Code) -> Code:
        """Where the options of a level stand, behind since when all is as it is."""
        with b.when(op("i32.gt_s", level, ir.i32(MOST_DEEP))):
            self.program.stop(b, Stop.ELSEWHERE, Scope())
        place = op("i32.mul", level, ir.i32(self.stride))
        return b.keep(op("i32.add", place, ir.i32(self.levels)))

    def _options(self, b: Builder, level: Code, body: Callable[[ir.Label], None]) -> None:
        """What is done after each option of the open decision; the label leads out of the loop."""
        here, epochs = self._level(b, level), self.program.epochs
        mark = self.undoing.here(b)
        epochs.keep(b, here)
        first = b.keep(op("i32.add", here, ir.i32(SIZE)))
        (count,) = b.call(self._listed, first)
        at = b.begin(first, "at")
        end = b.keep(op("i32.add", first, op("i32.shl", count, ir.i32(3))))
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(at), end))
            with b.when(op("i32.ne", ir.Get(at), first)):
                self.undoing.undo(b, mark)
                epochs.put_back(b, here)
            self._taken(b, ir.load("i64.load", ir.Get(at)))
            body(done)
            b.set(at, op("i32.add", ir.Get(at), ir.i32(8)))
            b.jump(again)

    def _taken(self, b: Builder, option: Code) -> None:
        """Take an option, which is counted."""
        self._spend(b, ir.i64(1))
        self.undoing.anew(b)
        assert self.take is not None
        b.add(ir.Call(self.take, (option,), ()))

    def _best_written(self) -> None:
        """The largest value reachable from here; stops early at the most that is possible."""
        b = Builder(self._best)
        level = ir.Get(self._best.params[0])
        self._ended(b)
        with b.when(self._closed()):
            b.leave(*b.call(self._value))

        def answered(low: Code, high: Code, counted: Callable[[], None]) -> None:
            with b.when(op("i64.ge_s", low, high)):
                counted()
                b.leave(low)

        work = self._work(b)
        key, low, high = self._known(b, answered)

        def after(done: ir.Label) -> None:
            (found,) = b.call(self._best, op("i32.add", level, ir.i32(1)))
            with b.when(op("i64.gt_s", found, ir.Get(low))):
                b.set(low, found)
            b.jump(done, op("i64.ge_s", ir.Get(low), ir.Get(high)))

        self._options(b, level, after)
        self._keep(b, key, (ir.Get(low), ir.Get(low)), work)
        b.leave(ir.Get(low))

    def _reaches_written(self) -> None:
        """Is there a run from here that ends with at least this value?"""
        b = Builder(self._reaches)
        level, goal = map(ir.Get, self._reaches.params)
        self._ended(b)
        with b.when(self._closed()):
            (value,) = b.call(self._value)
            b.leave(op("i64.ge_s", value, goal))

        def answered(low: Code, high: Code, counted: Callable[[], None]) -> None:
            can, cannot = op("i64.ge_s", low, goal), op("i64.lt_s", high, goal)
            with b.when(op("i32.or", can, cannot)):
                counted()
                b.leave(can)

        work = self._work(b)
        key, low, high = self._known(b, answered)

        def after(done: ir.Label) -> None:
            (found,) = b.call(self._reaches, op("i32.add", level, ir.i32(1)), goal)
            with b.when(found):
                self._keep(b, key, (goal, ir.Get(high)), work)
                b.leave(ir.i32(1))

        self._options(b, level, after)
        self._keep(b, key, (ir.Get(low), op("i64.sub", goal, ir.i64(1))), work)
        b.leave(ir.i32(0))

    # -------------------------------------------------------------------------------- from outside
    def _alone(self, b: Builder, body: Callable[[], None]) -> None:
        """Do something on the state, which is left as it was; nothing of it is marked."""
        program = self.program
        self.undoing.begin(b)
        first = self.undoing.here(b)
        epochs = ir.i32(program.buffer(SIZE))
        program.epochs.keep(b, epochs)
        marks, visits = b.keep(ir.Get(program.apart)), b.keep(ir.Get(program.visits))
        b.set(program.visits, ir.i64(0))
        for known, number in ((program.apart, 1), (program.searching, 1)):
            b.set(known, ir.i32(number))
        b.set(self.left, ir.i64(MAX_NODES))
        with b.when(op("i32.gt_s", ir.Get(self.kept), ir.i32(MOST_ENTRIES // 2))):
            b.add(ir.Fill(ir.i32(self.memory), ir.i32(0), ir.i32(ENTRY * ENTRIES)))
            b.set(self.kept, ir.i32(0))
        with b.when(op("i32.eqz", ir.Get(self.opened))):
            b.set(self.phase, op("i64.add", ir.Get(self.phase), ir.i64(1)))
            b.set(self.opened, ir.i32(1))
        b.set(self.search, op("i64.add", ir.Get(self.search), ir.i64(1)))
        for spared in self.spared:
            b.set(spared, ir.i64(0))
        body()
        self.undoing.undo(b, first)
        with b.when(op("i64.gt_s", ir.Get(program.visits), ir.i64(MOST_VISITS))):
            self.program.stop(b, Stop.ELSEWHERE, Scope())
        program.epochs.put_back(b, epochs)
        b.set(program.visits, visits)
        b.set(program.apart, marks)
        b.set(program.searching, ir.i32(0))

    def _goal_written(self) -> None:
        """What the open block must end with: found once, and kept until it is closed."""
        b = Builder(self._goal)
        known, goal = self.control.goal_known, self.control.goal_at
        with b.when(ir.load("i32.load", ir.i32(0), known)):
            b.leave(ir.load("i64.load", ir.i32(0), goal))
        found = b.new(Ty.I64, "goal")
        b.set(self.opened, ir.i32(0))  # all but what the block may write may be otherwise now
        self._alone(b, lambda: b.add(ir.Call(self._best, (ir.i32(1),), (found,))))
        b.store("i64.store", ir.i32(0), goal, ir.Get(found))
        b.store("i32.store", ir.i32(0), known, ir.i32(1))
        b.leave(ir.Get(found))

    def _keeps_written(self) -> None:
        """Can the goal still be reached after an option?"""
        b = Builder(self._keeps)
        option, goal = map(ir.Get, self._keeps.params)
        found = b.new(Ty.I32, "kept")

        def tried() -> None:
            self._taken(b, option)
            b.add(ir.Call(self._reaches, (ir.i32(1), goal), (found,)))

        self._alone(b, tried)
        b.leave(ir.Get(found))

    def leave_unless_kept(self, b: Builder, option: Code) -> None:
        """Leave with 0 if a block is open and its goal is out of reach after an option."""
        with b.when(ir.load("i32.load", ir.i32(0), self.control.region_at)):
            (goal,) = b.call(self._goal)
            (kept,) = b.call(self._keeps, option, goal)
            with b.when(op("i32.eqz", kept)):
                b.leave(ir.i32(0))

    def allowed(self, d: Decision) -> ir.Function:
        """What may be chosen at a decision: what keeps the goal, if a block is open."""
        legal = self.legal[d.number]
        if not self._inside(d):
            return legal
        function = self.program.function(f"allowed_{d.number}", [], list(legal.results))
        b = Builder(function)
        found = b.call(legal)
        with b.when(op("i32.eqz", ir.load("i32.load", ir.i32(0), self.control.region_at))):
            b.leave(*found)
        if d.several or d.sets:
            self.program.stop(b, Stop.ELSEWHERE, d.scope)
            return function
        if legal.results[0] is not Ty.I64:
            self._allowed_listed(b, legal, found[0])
            return function
        (goal,) = b.call(self._goal)
        left = [b.begin(word, "allowed") for word in found]

        def tried(member: Code) -> None:
            (kept,) = b.call(self._keeps, op("i64.extend_i32_u", member), goal)
            with b.when(op("i32.eqz", kept)):
                alone = bits.single(member, WORD * len(found), len(found))
                for register, word in zip(left, alone.words, strict=True):
                    b.set(register, op("i64.xor", ir.Get(register), word))

        whole = Bits(found, WORD * len(found))
        bits.each_member(b, whole, lambda member: tried(b.keep(member.code)))
        b.call(legal)  # what it may be chosen from is noted once more
        b.leave(*map(ir.Get, left))
        return function

    def _allowed_listed(self, b: Builder, legal: ir.Function, count: Code) -> None:
        """The same of options in the output."""
        held, flags = (self.program.buffer(8 * MOST_OPTIONS) for _ in range(2))
        size = b.keep(op("i32.shl", count, ir.i32(3)))
        with b.when(op("i32.gt_u", count, ir.i32(MOST_OPTIONS))):
            self.program.stop(b, Stop.ELSEWHERE, Scope())
        b.add(ir.Copy(ir.i32(held), ir.i32(OUTPUT), size))
        (goal,) = b.call(self._goal)
        at, end = b.begin(ir.i32(0), "at"), b.begin(ir.i32(0), "end")
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(at), size))
            option = b.keep(ir.load("i64.load", ir.Get(at), held))
            (kept,) = b.call(self._keeps, option, goal)
            b.store("i32.store", ir.Get(at), flags, kept)
            with b.when(kept):
                b.store("i64.store", ir.Get(end), held, option)
                b.set(end, op("i32.add", ir.Get(end), ir.i32(8)))
            b.set(at, op("i32.add", ir.Get(at), ir.i32(8)))
            b.jump(again)
        b.call(legal)  # what it may be chosen from is noted once more
        self._judged(b, flags)
        b.add(ir.Copy(ir.i32(OUTPUT), ir.i32(held), ir.Get(end)))
        b.leave(op("i32.shr_u", ir.Get(end), ir.i32(3)))

    def _judged(self, b: Builder, flags: int) -> None:
        """Of the candidates that lead to no dead end only those that are kept do so."""
        at, option = b.begin(ir.i32(0), "at"), b.begin(ir.i32(0), "option")
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(at), self.candidates.count))
            with b.when(self.candidates.viable(ir.Get(at))):
                kept = ir.load("i32.load", ir.Get(option), flags)
                self.candidates.judge(b, ir.Get(at), kept)
                b.set(option, op("i32.add", ir.Get(option), ir.i32(8)))
            b.set(at, op("i32.add", ir.Get(at), ir.i32(1)))
            b.jump(again)
