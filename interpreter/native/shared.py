"""What the functions of one program have in common, and what words may ask of who lowers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from interpreter.model.setup import Setup
from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.chance import Chance
from interpreter.native.disclosing import Disclosing
from interpreter.native.families import Families
from interpreter.native.faults import Faults
from interpreter.native.footprints import Footprints
from interpreter.native.known import Known
from interpreter.native.marks import Marks
from interpreter.native.number_sets import NumberSets
from interpreter.native.other_states import OtherStates
from interpreter.native.outlines import Outlines
from interpreter.native.pieces import Pieces
from interpreter.native.program import Program, Scope
from interpreter.native.relations import Relation
from interpreter.native.spots import Spots
from interpreter.native.static_relations import StaticRelations
from interpreter.native.turning import Turning
from interpreter.native.values import Bits, Lowered, Members, NotLowered, Scalar
from interpreter.native.walks import Walks
from rulelang import core
from rulelang.core.identity import IdentityMap
from rulelang.core.types import Type


class Shared:
    """What all functions of one program have in common while they are lowered."""

    def __init__(self, program: Program) -> None:
        """What is known before play, and what may be a fault."""
        self.program = program
        self._first: dict[object, core.Expr] = {}
        self._numbers: dict[core.Expr, int] = {}
        self.known, self.faults = Known(program), Faults(program)
        self.turning = Turning(program, self.faults)
        self.static: IdentityMap[core.Expr, bool] = IdentityMap()
        self.pieces, self.chance = Pieces(program), Chance(program)
        self.marks = Marks(program.setup, 0, program.apart)
        self.marks.start = program.buffer(self.marks.size)
        self.disclosing = Disclosing(program)
        self.spreads: dict[int, ir.Function] = {}
        self.links: dict[str, tuple[ir.Function, ir.Function]] = {}
        """For a relation what links the members of a set, and what spreads along these links."""
        self.always = StaticRelations(program)
        self.relations: dict[str, Relation | None] = {}
        """Those in which each thing has few partners, by name; none of one that is no such."""
        self.families, self.outlines = Families(program), Outlines(program)
        self.walks = Walks(program)
        self.numbers, self.others = NumberSets(program), OtherStates(program)
        self.spots = Spots(program, self.pieces.growing)
        self.footprints = Footprints(program, self.pieces.growing)
        self.rims: dict[str, tuple[ir.Function, int]] = {}
        """For a board that grows what finds its outer sides, and where they stand."""
        self.lines: dict[str, tuple[ir.Function, int]] = {}
        """The same of the columns and rows in which its cells lie."""

    def first_of_its_like(self, e: core.Expr, *types: Type) -> core.Expr:
        """The first expression that is equal to this one, over names of the same types.

        So what is known of it is worked out once.
        """
        return self._first.setdefault((e, e.type, *types), e)

    def number_of(self, e: core.Expr) -> int:
        """A number by which an expression is told apart from those that are not equal to it."""
        return self._numbers.setdefault(e, len(self._numbers))


class Says(Protocol):
    """Who lowers expressions into one function, as words see it."""

    shared: Shared
    program: Program
    setup: Setup
    b: Builder

    def value(self, e: core.Expr, scope: Scope) -> Lowered:
        """The value of an expression, ready to be used at once."""

    def index(self, e: core.Expr, scope: Scope) -> Scalar:
        """An index that may be used many times."""

    def members(self, e: core.Expr, scope: Scope) -> Bits | Members:
        """What a set or list holds."""

    def bits(self, e: core.Expr, scope: Scope) -> Bits:
        """The set of the indices in a set or list, as bits that may be used many times."""

    def collected(self, members: Members, item: Type) -> Bits | Members:
        """The set of indices that are given one by one; none is left out."""

    def each(self, domain: Bits | Members, body: Callable[[Lowered], None]) -> None:
        """A loop over members in the stable order."""


def missing(construct: str, scope: Scope) -> NotLowered:
    """What is said of what is not written yet."""
    return NotLowered(construct, scope.clause)
