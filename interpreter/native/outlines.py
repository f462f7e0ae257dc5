"""What is large is written once, as a function of its values, and called where it is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.program import Program
from interpreter.native.values import Bits, Lowered, Scalar
from rulelang import core
from rulelang.ruleset import Ruleset

LARGE = 250  # nodes, with all that is written in their place
LOOKING = (
    core.Filter,
    core.Image,
    core.Exists,
    core.Forall,
    core.Best,
    core.Stable,
    core.Groups,
    core.Reach,
    core.Total,
)
MOST_KEPT = 1 << 12  # results of one function
BIG = 1500  # nodes of a ruleset in which also what is small is kept
MOST_PARAMS = 64  # registers
SPREADING = (core.Groups, core.Reach, core.Stable)
KINDS = ("define", "score")  # of functions whose results are kept
SHARED_ROWS = 1 << 5  # for values of which there are many
_FACTOR, _SHIFT = -7046029254386353131, 59
_REALLY, _KEY = 8, 16  # where these stand in a row


class Outlines:
    """The functions of one program."""

    def __init__(self, program: Program) -> None:
        """How large a thing with a name is, is counted once."""
        self.program, self.ruleset = program, program.ruleset
        self._sizes: dict[tuple[str, str], int] = {}
        self._looks: dict[str, bool] = {}
        self._made: dict[object, tuple[ir.Function, Lowered | None]] = {}
        self._places: dict[object, int] = {}
        self.reading: dict[tuple[object, ...], frozenset[str]] = {}
        """What functions of these names read, that are neither a definition's nor a score's."""
        self.lasting: dict[tuple[object, ...], Callable[[ir.Code], ir.Code]] = {}
        """Of functions of these names whether what they give can be kept at all."""

    def call(
        self,
        b: Builder,
        name: tuple[object, ...],
        values: tuple[Lowered, ...],
        write: Callable[[Builder, tuple[Lowered, ...]], Lowered | None],
        sizes: tuple[int, ...] | None = None,
        really: bool = False,
    ) -> Lowered | None:
        """What a function gives for these values; `write` writes it, and gives its result.

        `name` tells functions apart that are alike in the values they take. If the sizes of the
        values' types are given, what it gives is kept until the state changes, for all functions of
        that name; what it marks where it is `really` worked out is marked all the same.
        """
        key = (*name, really, b.asking, *(_kind(value) for value in values))
        given = tuple(code for value in values for code in _codes(value))
        if key not in self._made:
            params = tuple(ir.Register(ir.ty_of(code), "given") for code in given)
            function = self.program.function("_".join(map(str, name[:2])), params, [])
            inner = Builder(function, b.asking)
            bound = _bound(values, params)
            kept = self._kept(inner, bound, sizes, name)
            made = write(inner, bound)
            codes = () if made is None else tuple(map(inner.keep, _codes(made)))
            function.results = tuple(map(ir.ty_of, codes))
            if kept is not None:
                at = self._place(kept.row, name, codes)
                if name in self.lasting:
                    kept.only_if(self.lasting[name](codes[0]))
                kept.written(codes, at, self.program.epochs.since(self._sources(name)), really)
            inner.leave(*codes)
            self._made[key] = function, made
        function, made = self._made[key]
        found = b.call(function, *given)
        if made is None:
            return None
        if isinstance(made, Scalar):
            return Scalar(found[0], made.low, made.high)
        assert isinstance(made, Bits)
        return Bits(found, made.size)

    def _sources(self, name: tuple[object, ...]) -> frozenset[str] | None:
        """What the functions of a name read of the state; none if it may be anything."""
        if name in self.reading:
            return self.reading[name]
        kind, known = str(name[0]), str(name[1])
        return self.program.reads.of(kind, known) if kind in KINDS else None

    def _place(self, row: Row, name: tuple[object, ...], codes: tuple[ir.Code, ...]) -> int:
        """Where the results of the functions of a name stand, which give values of these types."""
        key = (*name, row.count, len(row.key), *map(ir.ty_of, codes))
        if key not in self._places:
            self._places[key] = self.program.buffer(2 * row.stride(codes) * row.count)
        return self._places[key]

    def _kept(
        self,
        b: Builder,
        values: tuple[Lowered, ...],
        sizes: tuple[int, ...] | None,
        name: tuple[object, ...],
    ) -> _Kept | None:
        """Where results stand, if there may be a place for each, or for some."""
        row = self.row(b, values, sizes)
        if row is None and values and name[0] == "define" and self._spreads(str(name[1])):
            row = _shared_row(b, values)
        return None if row is None else _Kept(self.program, b, row)

    @staticmethod
    def rows(sizes: tuple[int, ...] | None) -> int:
        """How many results there may be of values of so many each; 0 if they are not kept."""
        count = 0 if sizes is None else math.prod(n + 1 for n in sizes)
        return count if count <= MOST_KEPT else 0

    def row(
        self, b: Builder, values: tuple[Lowered, ...], sizes: tuple[int, ...] | None
    ) -> Row | None:
        """The row of these values, if results are kept."""
        scalars = [value for value in values if isinstance(value, Scalar)]
        count = self.rows(sizes)
        if not count or sizes is None or len(scalars) < len(values):
            return None
        row: ir.Code = ir.i32(0)
        fits: ir.Code = ir.i32(1)
        for value, size in zip(scalars, sizes, strict=True):
            number = b.keep(ir.op("i32.add", value.code, ir.i32(1)))
            fits = ir.op("i32.and", fits, ir.op("i32.le_u", number, ir.i32(size)))
            row = ir.op("i32.add", ir.op("i32.mul", row, ir.i32(size + 1)), number)
        return Row(b.keep(fits), b.keep(row), count)

    @staticmethod
    def fits(values: tuple[Lowered, ...]) -> bool:
        """Can these be given to a function?"""
        return all(isinstance(value, Scalar | Bits) for value in values) and (
            sum(len(_codes(value)) for value in values) <= MOST_PARAMS
        )

    # -------------------------------------------------------------------------------- sizes
    @cached_property
    def _big(self) -> bool:
        """Are these many rules?"""
        rules = self.ruleset
        parts = (rules.definitions, rules.tables, rules.events, rules.procedures)
        return sum(1 for part in parts for _ in core.walk(list(part.values()))) > BIG

    def looks(self, name: str) -> bool:
        """Does a definition look through members, in rules of which there are many?"""
        if not self._big:
            return False
        if name not in self._looks:
            self._looks[name] = False
            self._looks[name] = any(
                isinstance(node, LOOKING)
                or (isinstance(node, core.Apply) and self.looks(node.define))
                for node in core.walk(self.ruleset.definitions[name])
            )
        return self._looks[name]

    def _spreads(self, name: str) -> bool:
        """Does a definition itself go from thing to thing? Then it is worth telling its values
        apart that have no row of their own.
        """
        return any(
            isinstance(node, SPREADING) for node in core.walk(self.ruleset.definitions[name])
        )

    def large(self, kind: str, name: str) -> bool:
        """Is it worth a function?"""
        return self.size(kind, name) > LARGE

    def size(self, kind: str, name: str) -> int:
        """How many nodes a definition, score table or event comes to, and all that it names."""
        key = (kind, name)
        if key not in self._sizes:
            self._sizes[key] = 0
            self._sizes[key] = self._counted(_whole(self.ruleset, kind, name))
        return self._sizes[key]

    def _counted(self, item: object) -> int:
        found = 0
        for node in core.walk(item):
            found += 1
            match node:
                case core.Apply():
                    found += self.size("define", node.define)
                case core.Total():
                    found += self.size("score", node.table)
                case core.Accepts():
                    found += self.size("rules", node.event)
                case core.Do() if node.target in self.ruleset.events:
                    found += self.size("event", node.target)
                case _:
                    pass
        return found


@dataclass(frozen=True)
class Row:
    """The number of a row among so many, and whether there is one for the values asked for."""

    fits: ir.Code
    number: ir.Code
    count: int
    key: tuple[ir.Code, ...] = ()
    """What tells the values apart that share a row, which is that of the last ones; it stands in
    the row."""

    def at(self, program: Program, stride: int) -> ir.Code:
        """How many bytes after the first row it begins; rows of what would be stand behind."""
        half = ir.op("i32.mul", ir.Get(program.half), ir.i32(stride * self.count))
        return ir.op("i32.add", half, ir.op("i32.mul", self.number, ir.i32(stride)))

    def stride(self, codes: tuple[ir.Code, ...]) -> int:
        """How many bytes a row takes that keeps such results."""
        return _KEY + 8 * (len(self.key) + len(codes))


def _shared_row(b: Builder, values: tuple[Lowered, ...]) -> Row:
    """The row of values of which there are too many for a row each."""
    codes = [code for value in values for code in _codes(value)]
    key = tuple(
        code if ir.ty_of(code) is ir.Ty.I64 else b.keep(ir.op("i64.extend_i32_s", code))
        for code in codes
    )
    mixed = b.begin(ir.i64(0), "mixed")
    for word in key:
        turned = ir.op("i64.rotl", ir.Get(mixed), ir.i64(7))
        b.set(mixed, ir.op("i64.xor", turned, word))
    high = ir.op("i64.shr_u", ir.op("i64.mul", ir.Get(mixed), ir.i64(_FACTOR)), ir.i64(_SHIFT))
    return Row(ir.i32(1), b.keep(ir.op("i32.wrap_i64", high)), SHARED_ROWS, key)


class _Kept:
    """What the functions of one name have given since what they read last changed, in a row for
    all values together.

    First comes when it was worked out, then when that was really done, which marks what counts.
    What is given of a state that would be stands beside.
    """

    def __init__(self, program: Program, b: Builder, row: Row) -> None:
        """What is found in the row is given at once."""
        self.program, self.b, self.row = program, b, row
        self.lasting: ir.Code = row.fits
        self.before: list[ir.Stmt] = []
        b.add(ir.Block(ir.Label("kept"), self.before))

    def only_if(self, lasting: ir.Code) -> None:
        """What is given is kept only if that holds."""
        self.lasting = self.b.keep(ir.op("i32.and", self.row.fits, lasting))

    def written(self, codes: tuple[ir.Code, ...], at: int, epoch: ir.Code, really: bool) -> None:
        """The function gives this: keep it, and look for it where the function begins.

        `epoch` is since when what it reads has been as it is.
        """
        b = self.b
        row = self.row.at(self.program, self.row.stride(codes))
        first = at + _KEY + 8 * len(self.row.key)
        with b.within(self.before), b.when(self.row.fits), b.block() as other:
            place = b.keep(row)
            when: ir.Code = ir.load("i64.load", place, at)
            if really:  # what is done apart marks nothing
                marked = ir.load("i64.load", place, at + _REALLY)
                when = ir.Select(ir.Get(self.program.apart), when, marked)
            b.jump(other, ir.op("i64.ne", when, epoch))
            for n, word in enumerate(self.row.key):
                b.jump(other, ir.op("i64.ne", ir.load("i64.load", place, at + _KEY + 8 * n), word))
            loads = (f"{ir.ty_of(code).value}.load" for code in codes)
            b.leave(*(ir.load(load, place, first + 8 * n) for n, load in enumerate(loads)))
        with b.when(self.lasting):
            place = b.keep(row)
            for n, word in enumerate(self.row.key):
                b.store("i64.store", place, at + _KEY + 8 * n, word)
            for n, code in enumerate(codes):
                b.store(f"{ir.ty_of(code).value}.store", place, first + 8 * n, code)
            b.store("i64.store", place, at, epoch)
            never = ir.i64(-1)
            done = ir.Select(ir.Get(self.program.apart), never, epoch) if really else never
            b.store("i64.store", place, at + _REALLY, done)


def _whole(rules: Ruleset, kind: str, name: str) -> object:
    if kind == "define":
        return [rules.definitions[name]]
    if kind == "score":
        return [rules.tables[name]]
    judged = [rules.events[name].rules]
    if kind == "rules":
        return judged
    reactions = [(r.cond, r.body) for r in rules.reactions if r.event == name]
    return [judged, rules.events[name].body, reactions]


def _kind(value: Lowered) -> object:
    if isinstance(value, Scalar):
        return value.low, value.high, ir.ty_of(value.code)
    assert isinstance(value, Bits)
    return "set", value.size, len(value.words)


def _codes(value: Lowered) -> tuple[ir.Code, ...]:
    if isinstance(value, Scalar):
        return (value.code,)
    return value.words if isinstance(value, Bits) else ()


def _bound(values: tuple[Lowered, ...], params: tuple[ir.Register, ...]) -> tuple[Lowered, ...]:
    """The same values, from parameters."""
    left, found = list(params), list[Lowered]()
    for value in values:
        if isinstance(value, Scalar):
            found.append(Scalar(ir.Get(left.pop(0)), value.low, value.high))
        else:
            assert isinstance(value, Bits)
            words = tuple(ir.Get(left.pop(0)) for _ in value.words)
            found.append(Bits(words, value.size))
    return tuple(found)
