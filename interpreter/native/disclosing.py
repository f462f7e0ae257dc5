"""Whether a choice has shown anybody something new, noted as the reference notes it.

A number that all functions share says so: 0 before a choice, 1 once something was shown.
"""

from __future__ import annotations

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.ir import Ty, op
from interpreter.native.program import Program, Scope
from interpreter.native.values import Scalar
from rulelang import core


class Disclosing:
    """Writes down in one program what shows something."""

    def __init__(self, program: Program) -> None:
        """`learned` says whether something was shown, `actor` who chose last."""
        self.learned = program.shared(Ty.I32, "learned")
        self.actor = program.shared(Ty.I32, "actor")
        self._disclosures = program.engine.effects.disclosures

    def shown(self, b: Builder) -> None:
        """Something is shown here, whoever chose."""
        b.set(self.learned, ir.i32(1))

    def by(self, b: Builder, stmt: core.Stmt, scope: Scope) -> None:
        """Here stands a statement, which may show what the player who chose may not know."""
        if not self._disclosures.reads_hidden(stmt):
            return
        with b.block() as known:
            for name, value in scope.values.items():
                if isinstance(value, Scalar) and self._disclosures.is_own(stmt, name):
                    own = ir.ty_of(value.code) is Ty.I64
                    who = op("i32.wrap_i64", value.code) if own else value.code
                    b.jump(known, op("i32.eq", who, ir.Get(self.actor)))
            self.shown(b)
