"""Turns of a tile that make no difference: where only its cells matter, and turning keeps these.

The law: if each way to lie covers after any turn the cells that it covered before, a condition that
asks which cells they are, and not in which order, holds of a tile that is turned if it holds of
that tile as it was. So it is asked of the latter, and once for all turns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import eq
from typing import TypeAlias

from interpreter.native.faults import Faults
from interpreter.native.grounds import Ground
from interpreter.native.program import OpenPlace, Program
from interpreter.native.values import laying_ground
from rulelang import core
from rulelang.core.types import ListT, SetT
from rulelang.ruleset import Case, Rule

# Words that ask of a list of cells, here their first argument or both, only which these are.
_OF_CELLS = frozenset(
    [
        "neighbors",
        "surroundings",
        "adjacent",
        "touches_corner",
        "width",
        "height",
        "count",
        "empty",
        "sides",
        "inner_sides",
        "outer_sides",
    ]
)
_AROUND = "spots_around"  # each way to lie that it gives is there turned any way, too
Is: TypeAlias = Callable[[object], bool]


class Turning:
    """Takes turns that make no difference out of conditions of one program."""

    def __init__(self, program: Program, faults: Faults) -> None:
        """What has a name is judged once."""
        self.program, self.ruleset, self.faults = program, program.ruleset, faults
        self._named: dict[tuple[str, str, str], bool] = {}
        self._keeping: dict[Ground, bool] = {}

    def without(self, var: str, cond: core.Expr) -> core.Expr:
        """The same condition on a member, without turns by what depends on the member."""
        if not self.program.layout.grown:
            return cond
        for node in list(core.walk(cond)):
            if isinstance(node, core.Builtin) and node.name == "turned":
                laying, times = node.args
                idle = self._keeps(laying) and not self.faults.possible(times)
                depends = var in core.free_names(times) and var not in core.free_names(laying)
                if idle and depends and self._unordered(cond, partial(eq, node)):
                    cond = _replaced(cond, node, laying)
        return cond

    def _keeps(self, laying: core.Expr) -> bool:
        """Does turning a tile that lies so keep the cells that it covers?"""
        ground = laying_ground(self.program.setup, laying.type)
        if ground is None:
            return False
        if ground not in self._keeping:
            rounds, ways = len(ground.grid.directions), range(len(ground.turns))
            self._keeping[ground] = all(
                ground.covered(*ground.turned(way, times)) == ground.covered(way, 0, 0)
                for way in ways
                for times in range(rounds)
            )
        return self._keeping[ground]

    # -------------------------------------------------------------------------------- what is asked
    def _unordered(self, node: core.Node, is_list: Is) -> bool:
        """Does nothing in this depend on the order of a list? `is_list` tells where that stands."""
        match node:
            case core.At() | core.Slot():
                return False
            case core.Exists() | core.Forall():
                return self._all((node.cond,), is_list) and self._of(node.domain, is_list)
            case core.Member():
                around = isinstance(node.of, core.Builtin) and node.of.name == _AROUND
                fine = (around and is_list(node.item)) or self._unordered(node.item, is_list)
                return fine and self._of(node.of, is_list)
            case core.SetOp() if isinstance(node.type, SetT):
                return all(self._of(part, is_list) for part in (node.left, node.right))
            case core.Builtin() if node.name in _OF_CELLS:
                return all(self._of(arg, is_list) for arg in node.args)
            case core.Apply() | core.Accepts():
                return self._given(node, is_list)
            case _:
                return not is_list(node) and self._all(tuple(core.children(node)), is_list)

    def _all(self, nodes: tuple[core.Node, ...], is_list: Is) -> bool:
        return all(self._unordered(node, is_list) for node in nodes)

    def _of(self, e: core.Expr, is_list: Is) -> bool:
        """The same where only the members of the list are asked for."""
        return is_list(e) or self._unordered(e, is_list)

    def _given(self, call: core.Apply | core.Accepts, is_list: Is) -> bool:
        """The same of what has a name, and is given the list or what is made of it."""
        parts: tuple[Case | Rule, ...]
        if isinstance(call, core.Apply):
            known = self.ruleset.definitions[call.define]
            key, parts, params = ("define", call.define), known.cases, known.params
        else:
            event = self.ruleset.events[call.event]
            key, parts, params = ("rules", call.event), event.rules, event.params
        given = [name for (name, _), arg in zip(params, call.args, strict=True) if is_list(arg)]
        others = tuple(arg for arg in call.args if not is_list(arg))
        return self._all(others, is_list) and all(
            self._of_parameter((*key, name), parts) for name in given
        )

    def _of_parameter(self, key: tuple[str, str, str], parts: tuple[Case | Rule, ...]) -> bool:
        """Does nothing in these depend on the order of a parameter? Cards add nothing to them."""
        if key not in self._named:
            self._named[key] = False
            kind, target, name = key
            added = any(
                self.program.extensions(OpenPlace(kind, target, part.slot, ()))
                for part in parts
                if part.slot is not None
            )
            invariants = kind == "rules" and bool(self.program.reads.invariants)

            def is_list(e: object) -> bool:
                return isinstance(e, core.Var) and e.name == name and isinstance(e.type, ListT)

            inner = tuple(node for part in parts for node in core.children(part))
            plain = not added and not invariants
            self._named[key] = plain and self._all(inner, is_list)
        return self._named[key]


def _replaced(cond: core.Expr, old: core.Expr, new: core.Expr) -> core.Expr:
    def change(node: core.Node) -> core.Node:
        return new if node == old else core.rebuild(node, change)

    found = change(cond)
    assert isinstance(found, core.Expr)
    return found
