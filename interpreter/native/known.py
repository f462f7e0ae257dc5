"""What follows from the rules and the board alone: worked out by the reference, kept as tables.

An expression that reads nothing of a position is looked up by the names it depends on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from interpreter.model.values import Fault
from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, Ty, op
from interpreter.native.program import Program, Scope
from interpreter.native.values import (
    NONE,
    Bits,
    Lane,
    Lowered,
    Members,
    Scalar,
    bits_of,
    constant,
    decoded,
    is_index,
    laying_ground,
    narrow,
    scalar_type,
    set_element,
    size_of,
    words_of,
)
from rulelang import core
from rulelang.core.identity import IdentityMap
from rulelang.core.types import NUMBER, PLAYER, OptionalT, PairT, SiteT, Type, element, non_optional
from rulelang.core.values import Value, nothing_of, ordered

MOST_ENTRIES = 1 << 14
MOST_NUMBERS = 256  # that a name may stand for
MOST_BYTES = 1 << 18  # of one table
HOLE = "-"  # stands for a piece of another component


class Known:
    """Tables of one program."""

    def __init__(self, program: Program) -> None:
        """Nothing is worked out before it is asked for."""
        self.program, self.setup = program, program.setup
        self._domains: dict[Type, list[Value]] = {}
        self._encoded: dict[Type, dict[Value, int]] = {}
        self._layings: dict[tuple[core.Expr, str, Type], frozenset[int] | None] = {}
        self._columns: IdentityMap[list[Value], _Column] = IdentityMap()
        self._worked_out: IdentityMap[core.Expr, dict[object, list[Value] | None]] = IdentityMap()

    def value(self, b: Builder, e: core.Expr, scope: Scope) -> Lowered | None:
        """The value of a static expression, if it can be kept so."""
        names = self._names(e, scope)
        if names is None or any(isinstance(scope.values[name], Lane) for name, _ in names):
            return None
        rows = self._rows(e, names, scope)
        if rows is None:
            return None
        if not names:
            found = constant(self.setup, e.type, rows[0])
            if found is not None:
                return found
        row = self._row(b, names, scope)
        ty, item = scalar_type(e.type), set_element(e.type)
        if ty is not None:
            return self._scalar(e.type, rows, row)
        if item is not None and narrow(self.setup, item):
            return self._bits(b, [self._indices(item, found) for found in rows], item, row)
        return self._listed(b, e.type, rows, row)

    def lanes(self, b: Builder, e: core.Expr, scope: Scope) -> Bits | None:
        """The members of the one lane in scope for which a static condition holds."""
        names = self._names(e, scope)
        if names is None:
            return None
        inner = [(n, t) for n, t in names if isinstance(scope.values[n], Lane)]
        outer = [(n, t) for n, t in names if not isinstance(scope.values[n], Lane)]
        if len(inner) != 1 or isinstance(inner[0][1], OptionalT):
            return None
        lane, item = inner[0], inner[0][1]
        size = size_of(self.setup, item)
        rows = self._rows(e, [*outer, lane], scope)
        if rows is None:
            return None
        sets = [
            frozenset(at for at in range(size) if rows[first + at])
            for first in range(0, len(rows), size)
        ]
        if not outer:
            return bits_of(sets[0], size)
        return self._bits(b, sets, item, self._row(b, outer, scope))

    def span(self, e: core.Expr, scope: Scope) -> tuple[int, int] | None:
        """The least and the largest number that a static expression comes to over the one lane in
        scope; none if it depends on anything else, or is not known of each member.
        """
        found = self._lane_numbers(e, scope)
        return None if found is None else (min(found), max(found))

    def numbered(self, b: Builder, e: core.Expr, number: Code, scope: Scope) -> Bits:
        """The members of that lane for which such an expression comes to a number of its span."""
        found = self._lane_numbers(e, scope)
        assert found is not None
        (name,) = core.free_names(e)
        lane, members = scope.values[name], dict[int, set[int]]()
        assert isinstance(lane, Lane)
        for at, one in enumerate(found):
            members.setdefault(one, set()).add(at)
        low, high = min(found), max(found)
        words = words_of(lane.size)
        sets = (frozenset(members.get(n, ())) for n in range(low, high + 1))
        raw = b"".join(_written(one, words) for one in sets)
        row = op("i32.wrap_i64", op("i64.sub", number, ir.i64(low)))
        address = b.keep(op("i32.mul", row, ir.i32(8 * words)))
        return bits.load(address, words, lane.size, self.program.table(raw))

    def _lane_numbers(self, e: core.Expr, scope: Scope) -> list[int] | None:
        names = self._names(e, scope)
        if names is None or [type(scope.values[name]) for name, _ in names] != [Lane]:
            return None
        rows = self._rows(e, names, scope)
        found = [n for n in rows or () if isinstance(n, int)]
        return found if found and len(found) == len(rows or ()) else None

    def layings(self, e: core.Expr, name: str, t: Type) -> frozenset[int] | None:
        """The ways to lie for which a static condition on nothing else holds, if there are few."""
        key = (e, name, t)
        if key not in self._layings:
            self._layings[key] = self._layings_worked_out(e, name, t)
        return self._layings[key]

    def _layings_worked_out(self, e: core.Expr, name: str, t: Type) -> frozenset[int] | None:
        ground = laying_ground(self.setup, t)
        if ground is None or size_of(self.setup, t) > MOST_ENTRIES or core.free_names(e) != {name}:
            return None
        numbers = list(ground.layings())
        cells: list[Value] = [ground.cells_of(number) for number in numbers]
        rows = self._evaluated(e, [name], [cells])
        return None if rows is None else frozenset(itertools.compress(numbers, rows))

    # -------------------------------------------------------------------------------- tables
    def _names(self, e: core.Expr, scope: Scope) -> list[tuple[str, Type]] | None:
        """The names an expression depends on, with their types; none if one has no known bounds."""
        free = sorted(core.free_names(e))
        types = {n.name: n.type for n in core.walk(e) if isinstance(n, core.Var)}
        for name in free:
            if name not in types or not self._bounded(scope.values.get(name), types[name]):
                return None
        return [(name, self._wider(scope.values[name], types[name])) for name in free]

    @staticmethod
    def _wider(held: Lowered, t: Type) -> Type:
        """The type of a name; a parameter may also have been given none."""
        may_be_none = isinstance(held, Scalar) and held.low < 0 and t != NUMBER
        return OptionalT(t) if may_be_none and non_optional(t) == t and is_index(t) else t

    def _bounded(self, held: Lowered | None, t: Type) -> bool:
        if isinstance(held, Lane):
            return is_index(t)
        if not isinstance(held, Scalar):
            return False
        if t == NUMBER:
            return held.high - held.low < MOST_NUMBERS
        return ir.ty_of(held.code) is Ty.I32 and is_index(non_optional(t))

    def _domain(self, name: str, t: Type, scope: Scope) -> list[Value]:
        """The values a name of this type may have, by their numbers; that of none stands first.

        Where a number stands for nothing of this type there is a hole.
        """
        held = scope.values[name]
        if t == NUMBER:
            assert isinstance(held, Scalar)
            return list(range(held.low, held.high + 1))
        inner = non_optional(t)
        if inner not in self._domains:
            self._domains[inner] = self._members_of(inner)
        found = self._domains[inner]
        return found if inner == t else [None, *found]

    def _members_of(self, t: Type) -> list[Value]:
        size = size_of(self.setup, t)
        if isinstance(t, PairT | SiteT):
            return [decoded(self.setup, t, at) for at in range(size)]
        known = set(self.setup.members(t))
        return [at if at in known else HOLE for at in range(size)]

    def _rows(
        self, e: core.Expr, names: list[tuple[str, Type]], scope: Scope
    ) -> list[Value] | None:
        """What the expression comes to for all values of its names, the last name fastest."""
        domains = [self._domain(name, t, scope) for name, t in names]
        count = 1
        for domain in domains:
            count *= len(domain)
        if count > MOST_ENTRIES:
            return None
        sizes = tuple((d[0] if d else None, len(d)) for d in domains)
        known, key = self._worked_out.setdefault(e, {}), (tuple(names), sizes)
        if key not in known:
            known[key] = self._evaluated(e, [n for n, _ in names], domains)
        return known[key]

    def _evaluated(
        self, e: core.Expr, names: list[str], domains: list[list[Value]]
    ) -> list[Value] | None:
        found: list[Value] = []
        try:
            for values in itertools.product(*domains):
                env = dict(zip(names, values, strict=True))
                found.append(HOLE if HOLE in values else self.program.evaluated(e, env))
        except (Fault, TypeError, IndexError):  # of none there may be no such value
            return None
        # Nobody looks into a hole; what stands there says nothing new.
        some = next((value for value in found if value != HOLE), nothing_of(e.type))
        return [some if value == HOLE else value for value in found]

    def _row(self, b: Builder, names: list[tuple[str, Type]], scope: Scope) -> Code:
        """The number of the row for the values in scope."""
        row: Code = ir.i32(0)
        for name, t in names:
            held = scope.values[name]
            assert isinstance(held, Scalar)
            size = len(self._domain(name, t, scope))
            if t == NUMBER:
                at = op("i32.wrap_i64", op("i64.sub", held.code, ir.i64(held.low)))
            elif non_optional(t) == t:
                at = held.code
            else:
                at = op("i32.add", held.code, ir.i32(1))
            if non_optional(t) == PLAYER and held.high >= self.setup.players:
                # Of a player who does not play nothing is kept; any row will do, for what is asked
                # of him is a fault where it is asked of his own.
                at = b.keep(at)
                at = ir.Select(op("i32.lt_s", at, ir.i32(size)), at, ir.i32(0))
            row = op("i32.add", op("i32.mul", row, ir.i32(size)), at)
        return row

    def _scalar(self, t: Type, rows: list[Value], row: Code) -> Lowered | None:
        if t == NUMBER and None in rows:
            return None
        found = self._columns.get(rows)
        if found is None:
            found = self._columns.keep(rows, self._column(t, rows))
        name = {1: "i32.load8_s", 2: "i32.load16_s", 4: "i32.load", 8: "i64.load"}[found.width]
        code: Code = ir.load(name, op("i32.mul", row, ir.i32(found.width)), found.start)
        if t == NUMBER and found.width < 8:
            code = op("i64.extend_i32_s", code)
        return Scalar(code, found.low, found.high)

    def _column(self, t: Type, rows: list[Value]) -> _Column:
        """Scalars one after the other in memory, as narrow as they can be."""
        numbers = self._numbers(t, rows)
        low, high = min(numbers), max(numbers)
        widths = (n for n in (1, 2, 4) if -(1 << 8 * n - 1) <= low and high < 1 << 8 * n - 1)
        width = next(widths, 8)
        raw = b"".join(number.to_bytes(width, "little", signed=True) for number in numbers)
        return _Column(self.program.table(raw), width, low, high)

    def _indices(self, item: Type, value: Value) -> frozenset[int]:
        members = value if isinstance(value, frozenset | tuple) else ()
        return frozenset(self._numbers(item, members))

    def _numbers(self, t: Type, values: Iterable[Value]) -> list[int]:
        """What the module holds instead of these values; of each it is worked out once."""
        known, found = self._encoded.setdefault(t, {}), list[int]()
        for value in values:
            if value not in known:
                known[value] = self.program.encoded(t, value)
            found.append(known[value])
        return found

    def _bits(self, b: Builder, sets: list[frozenset[int]], item: Type, row: Code) -> Bits | None:
        size = size_of(self.setup, item)
        words = words_of(size)
        if 8 * words * len(sets) > MOST_BYTES or any(NONE in members for members in sets):
            return None
        raw = b"".join(_written(members, words) for members in sets)
        address = b.keep(op("i32.mul", row, ir.i32(8 * words)))
        return bits.load(address, words, size, self.program.table(raw))

    # -------------------------------------------------------------------------------- lists
    def _listed(self, b: Builder, t: Type, rows: list[Value], row: Code) -> Members | None:
        """Lists and sets that are known, member by member: of scalars, or of sets of indices."""
        item = element(t)
        listed = [ordered(v) for v in rows if isinstance(v, frozenset | tuple)]
        if item is None or len(listed) < len(rows):
            return None
        inner = set_element(item)
        if inner is not None:
            return self._listed_sets(b, inner, listed, row)
        return self._listed_scalars(b, item, listed, row)

    def _listed_scalars(
        self, b: Builder, item: Type, listed: list[list[Value]], row: Code
    ) -> Members | None:
        if scalar_type(item) is None or (item == NUMBER and any(None in one for one in listed)):
            return None
        numbers = [self._numbers(item, one) for one in listed]
        flat = [n for one in numbers for n in one]
        low, high = min(flat, default=0), max(flat, default=0)
        raw = [[n.to_bytes(8, "little", signed=True) for n in one] for one in numbers]
        lists = self._table(raw, 8)
        name = "i64.load" if item == NUMBER else "i32.load"

        def read(at: Code) -> Lowered:
            return Scalar(ir.load(name, at, lists.start), low, high)

        return self._members(b, lists, row, read, (low, high))

    def _listed_sets(
        self, b: Builder, item: Type, listed: list[list[Value]], row: Code
    ) -> Members | None:
        if not narrow(self.setup, item):
            return None
        size = size_of(self.setup, item)
        words = words_of(size)
        raw = [[_written(self._indices(item, v), words) for v in one] for one in listed]
        lists = self._table(raw, 8 * words)
        return self._members(
            b, lists, row, lambda at: bits.load(at, words, size, lists.start), (0, 0)
        )

    def _table(self, lines: list[list[bytes]], width: int) -> _Lists:
        """Lists one after the other in memory."""
        start = self.program.table(b"".join(x for one in lines for x in one) or bytes(8))
        ends = tuple(itertools.accumulate((width * len(one) for one in lines), initial=0))
        return _Lists(start, width, ends, max((len(one) for one in lines), default=0))

    def _ends(self, b: Builder, lists: _Lists, row: Code) -> tuple[Code, Code]:
        """Where the list of a row begins and ends."""
        if len(lists.ends) == 2:
            return ir.i32(0), ir.i32(lists.ends[1])
        table = self.program.table(b"".join(n.to_bytes(4, "little") for n in lists.ends))
        address = b.keep(op("i32.mul", row, ir.i32(4)))
        return ir.load("i32.load", address, table), ir.load("i32.load", address, table + 4)

    def _members(
        self,
        b: Builder,
        lists: _Lists,
        row: Code,
        read: Callable[[Code], Lowered],
        bounds: tuple[int, int],
    ) -> Members:
        """The members of the list of a row."""
        low, high = self._ends(b, lists, row)

        def each(body: Callable[[Lowered], None]) -> None:
            at, end = b.begin(low, "row"), b.keep(high)
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i32.ge_u", ir.Get(at), end))
                member = read(b.keep(ir.Get(at)))
                b.set(at, op("i32.add", ir.Get(at), ir.i32(lists.width)))
                body(member)
                b.jump(again)

        return Members(each, lists.most, frozen=True, bounds=bounds)


@dataclass(frozen=True)
class _Column:
    """Scalars in memory: the first byte, the bytes of each, the smallest and the largest."""

    start: int
    width: int
    low: int
    high: int


@dataclass(frozen=True)
class _Lists:
    """Lists in memory: the first byte, the bytes of a member, where each ends, the longest."""

    start: int
    width: int
    ends: tuple[int, ...]
    most: int


def _written(members: frozenset[int], words: int) -> bytes:
    return sum(1 << member for member in members).to_bytes(8 * words, "little")
