"""Relations that read nothing of a position: for each thing a list of those that it is related to.

The law: of a set, those of which some member of another is the partner are the union of the lists
of those members. So neither pairs are tried in play, nor all things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from interpreter.model.values import Fault
from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Code, op
from interpreter.native.known import MOST_ENTRIES
from interpreter.native.program import Program
from interpreter.native.values import decoded, is_index, size_of
from rulelang import core
from rulelang.core.types import PairT, SiteT, Type
from rulelang.core.values import Value
from rulelang.ruleset.inline import substituted, written_out

MOST_THINGS = 1 << 12  # for which there are lists
MOST_PARTNERS = 64  # in one of them
Named = tuple[str, Type]
_THING, _SOUGHT = "~thing", "~sought"


@dataclass(frozen=True)
class Partners:
    """Lists in memory, all equally long: each partner as its number and 1, then 0."""

    start: int
    width: int

    def each(self, b: Builder, thing: Code, body: Callable[[Code], None]) -> None:
        """What is done with each partner of a thing; of none there is none."""
        if not self.width:
            return
        with b.block() as done:
            b.jump(done, op("i32.lt_s", thing, ir.i32(0)))
            at = b.begin(op("i32.mul", thing, ir.i32(2 * self.width + 2)), "at")
            with b.loop() as again:
                held = b.keep(ir.load("i32.load16_u", ir.Get(at), self.start))
                b.jump(done, op("i32.eqz", held))
                b.set(at, op("i32.add", ir.Get(at), ir.i32(2)))
                body(b.keep(op("i32.sub", held, ir.i32(1))))
                b.jump(again)


class StaticRelations:
    """Those of one program."""

    def __init__(self, program: Program) -> None:
        """Nothing is worked out before it is asked for."""
        self.program, self.setup = program, program.setup
        self._known: dict[object, Partners | None] = {}

    def partners(self, cond: core.Expr, thing: Named, sought: Named) -> Partners | None:
        """For each thing of a type those of another type of which a condition holds that depends
        on nothing else; none if these are not few, or not easily found.
        """
        names = {thing[0]: _var(_THING, thing[1]), sought[0]: _var(_SOUGHT, sought[1])}
        rules = self.program.ruleset
        whole = written_out(substituted(cond, dict(names), rules), rules)
        key = (whole, thing[1], sought[1])
        if key not in self._known:
            self._known[key] = self._found(whole, (_THING, thing[1]), (_SOUGHT, sought[1]))
        return self._known[key]

    def _found(self, cond: core.Expr, thing: Named, sought: Named) -> Partners | None:
        rows = self.rows(cond, thing, sought)
        width = max(map(len, rows or ()), default=0)
        if rows is None or width > MOST_PARTNERS:
            return None
        listed = ([n + 1 for n in row] + [0] * (width + 1 - len(row)) for row in rows)
        raw = b"".join(n.to_bytes(2, "little") for row in listed for n in row)
        return Partners(self.program.table(raw), width)

    def rows(self, cond: core.Expr, thing: Named, sought: Named) -> list[list[int]] | None:
        """The numbers of the partners of each thing, in order; none if they are not known before
        play, or not easily found. Definitions must be written out.
        """
        if core.free_names(cond) != {thing[0], sought[0]} or not self.program.is_static(cond):
            return None
        if not is_index(thing[1]) or not is_index(sought[1]):
            return None
        sizes = [size_of(self.setup, t) for _, t in (thing, sought)]
        if sizes[0] > MOST_THINGS or sizes[1] >= (1 << 16) - 1:
            return None
        if sizes[0] * sizes[1] <= MOST_ENTRIES:
            return self._tried(cond, thing, sought)
        return self._through(cond, thing, sought)

    def _values(self, t: Type) -> list[Value]:
        """The values of a type by their numbers; where a number stands for none of it, none."""
        numbers = range(size_of(self.setup, t))
        known = None if isinstance(t, PairT | SiteT) else set(self.setup.members(t))
        return [decoded(self.setup, t, n) if known is None or n in known else None for n in numbers]

    def _tried(self, cond: core.Expr, thing: Named, sought: Named) -> list[list[int]] | None:
        """All pairs are tried."""
        others = self._values(sought[1])
        try:
            return [
                [
                    n
                    for n, other in enumerate(others)
                    if value is not None
                    and other is not None
                    and self.program.evaluated(cond, {thing[0]: value, sought[0]: other})
                ]
                for value in self._values(thing[1])
            ]
        except (Fault, TypeError, IndexError):
            return None

    def _through(self, cond: core.Expr, thing: Named, sought: Named) -> list[list[int]] | None:
        """Where things are partners because two sets have a member in common, each made of one of
        them, these sets are worked out once for each thing.
        """
        sets = _in_common(cond)
        one, other = (sets.get(frozenset({name})) for name, _ in (thing, sought))
        if one is None or other is None:
            return None
        ours, theirs = self._members(one, thing), self._members(other, sought)
        if ours is None or theirs is None:
            return None
        having: dict[Value, list[int]] = {}
        for n, members in enumerate(theirs):
            for member in members:
                having.setdefault(member, []).append(n)
        return [sorted({n for m in members for n in having.get(m, ())}) for members in ours]

    def _members(self, e: core.Expr, of: Named) -> list[Iterable[Value]] | None:
        """The members of the set that is made of each thing."""
        found: list[Iterable[Value]] = []
        try:
            for value in self._values(of[1]):
                made = () if value is None else self.program.evaluated(e, {of[0]: value})
                if not isinstance(made, frozenset | tuple):
                    return None
                found.append(made)
        except (Fault, TypeError, IndexError):
            return None
        return found


def _in_common(cond: core.Expr) -> dict[frozenset[str], core.Expr]:
    """The two sets that a condition says to have a member in common, by the names they depend on;
    none if it says anything else.
    """
    if not isinstance(cond, core.Exists) or not isinstance(cond.cond, core.Member):
        return {}
    item, other = cond.cond.item, cond.cond.of
    if not isinstance(item, core.Var) or item.name != cond.var:
        return {}
    return {frozenset(core.free_names(e)): e for e in (cond.domain, other)}


def _var(name: str, t: Type) -> core.Expr:
    return core.Var(name, type=t)
