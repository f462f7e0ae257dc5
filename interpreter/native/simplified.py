"""Conditions without what is known of them: places where cards could add something, but none does.

The laws: a definition whose first cases are open, and to which nothing is added there, is its next
case. What joins conditions does without those that are always so or never so.
"""

from __future__ import annotations

from interpreter.native.faults import TRUE, Faults
from interpreter.native.program import OpenPlace, Program
from rulelang import core
from rulelang.core.types import TRUTH

FALSE = core.Const(False, type=TRUTH)


def simplified(program: Program, faults: Faults, e: core.Expr) -> core.Expr:
    """The same condition, in which nothing is asked that is known; no fault is left out."""

    def change(node: core.Node) -> core.Node:
        made = core.rebuild(node, change)
        match made:
            case core.Apply():
                known = _always(program, made)
                return made if known is None or faults.possible(made.args) else known
            case core.Not(of=core.Const() as of):
                return FALSE if of.value else TRUE
            case core.All(of=parts) | core.Any(of=parts):
                return _joined(made, parts)
            case _:
                return made

    found = change(e)
    assert isinstance(found, core.Expr)
    return found


def _always(program: Program, e: core.Apply) -> core.Const | None:
    """What a definition gives whatever it is given, if that is one value."""
    known = program.ruleset.definitions[e.define]
    for case in known.cases:
        if case.slot:
            place = OpenPlace("define", known.name, case.slot, known.params)
            if program.extensions(place):
                return None
        else:
            plain = case.cond is None and isinstance(case.value, core.Const)
            return case.value if plain and isinstance(case.value, core.Const) else None
    return None


def _joined(e: core.All | core.Any, parts: tuple[core.Expr, ...]) -> core.Expr:
    """Conditions joined, without those that settle nothing; what comes after one that settles the
    matter is never asked.
    """
    settles, left = isinstance(e, core.Any), list[core.Expr]()
    for part in parts:
        if isinstance(part, core.Const):
            if bool(part.value) is settles:
                left.append(part)
                break
        else:
            left.append(part)
    if not left:
        return FALSE if settles else TRUE
    return left[0] if len(left) == 1 else core.copied(e, of=tuple(left))
