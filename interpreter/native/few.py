"""Sets of few members on a large board: looked through one by one instead of as a set of all sites.

The law: where a set is only looked through, a loop over its members comes to the same as one over
its bits. So a set is lowered so only where nothing else is asked of it, and where no condition on
its members can be a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from interpreter.native import growing_words, ir
from interpreter.native.builder import Builder
from interpreter.native.ir import op
from interpreter.native.program import Program, Scope
from interpreter.native.shared import Says
from interpreter.native.values import Lowered, Members, Scalar, size_of
from rulelang import core
from rulelang.core.types import ListT, element
from rulelang.ruleset import Definition

LOOKED_THROUGH = (core.Exists, core.Forall, core.Filter, core.Image)


class Lowering(Says, Protocol):
    """What is asked of who lowers expressions."""

    def risky(self, item: object) -> bool:
        """May working this out be a fault, and is it to be told as the reference does?"""

    def written_in_place(self, define: str) -> core.Expr | None:
        """The value of a definition that has one case only and is no function."""

    def entered(self, known: Definition, args: tuple[core.Expr, ...], scope: Scope) -> Scope:
        """The scope inside a definition."""

    def those(self, domain: Members, e: core.Filter, scope: Scope) -> Members:
        """The members that meet a condition, tried when they are come to."""


def are_few(say: Lowering, e: core.Expr, scope: Scope) -> bool:
    """Is this a set whose few members can be given one by one?"""
    names = {n for n, found in scope.values.items() if isinstance(found, Members) and found.few}
    return _few(say, e, names)


def _few(say: Lowering, e: core.Expr, names: Collection[str]) -> bool:
    if isinstance(e.type, ListT):
        return False
    match e:
        case core.Var():
            return e.name in names
        case core.Filter():
            return _few(say, e.domain, names) and not say.risky(e.cond)
        case core.Apply():
            value = say.written_in_place(e.define)
            if value is None:
                return False
            params = say.program.ruleset.definitions[e.define].params
            pairs = zip(params, e.args, strict=True)
            inner = {name for (name, _), arg in pairs if _passed(say, value, name, arg, names)}
            return _few(say, value, inner)
        case core.Builtin():
            return growing_words.gives_few(say, e)
        case _:
            return False


def _passed(
    say: Lowering, body: core.Expr, name: str, arg: core.Expr, names: Collection[str]
) -> bool:
    return _few(say, arg, names) and only_looked_through(say, body, name)


def only_looked_through(say: Lowering, body: core.Expr, name: str) -> bool:
    """Is a value asked for nothing but its members, one after the other?"""
    uses = sum(isinstance(node, core.Var) and node.name == name for node in core.walk(body))
    return uses == sum(_looks(say, node, name) for node in core.walk(body))


def _looks(say: Lowering, node: core.Node, name: str) -> int:
    """How many of the uses of a name right inside a node look through its members."""
    match node:
        case core.Exists() | core.Forall() | core.Image():
            return int(_is(node.domain, name))
        case core.Builtin(name="count" | "empty", args=(only,)):
            return int(_is(only, name))
        case core.Apply():
            value = say.written_in_place(node.define)
            params = say.program.ruleset.definitions[node.define].params
            return sum(
                value is not None and only_looked_through(say, value, param)
                for (param, _), arg in zip(params, node.args, strict=True)
                if _is(arg, name)
            )
        case _:
            return 0


def _is(e: core.Expr, name: str) -> bool:
    return isinstance(e, core.Var) and e.name == name


def members(say: Lowering, e: core.Expr, scope: Scope) -> Members:
    """The members of such a set; they are worked out as they are come to."""
    match e:
        case core.Var():
            found = scope.values[e.name]
            assert isinstance(found, Members)
            return found
        case core.Filter():
            return say.those(members(say, e.domain, scope), e, scope)
        case core.Apply():
            value = say.written_in_place(e.define)
            assert value is not None
            known = say.program.ruleset.definitions[e.define]
            return members(say, value, say.entered(known, e.args, scope))
        case core.Builtin():
            return growing_words.few(say, e, scope)
        case _:
            raise AssertionError(e)


def kept(say: Lowering, e: core.Expr, scope: Scope) -> Members:
    """The same in a list of their own, whatever is looked through meanwhile."""
    item = element(e.type)
    assert item is not None
    found = members(say, e, scope)
    return found if found.frozen else _listed(say.program, say.b, found, size_of(say.setup, item))


def _listed(program: Program, b: Builder, found: Members, size: int) -> Members:
    at, end = program.buffer(4 * found.most), b.begin(ir.i32(0), "end")

    def add(member: Lowered) -> None:
        assert isinstance(member, Scalar)
        b.store("i32.store", ir.Get(end), at, member.code)
        b.set(end, op("i32.add", ir.Get(end), ir.i32(4)))

    found.each(add)
    last = b.keep(ir.Get(end))

    def each(body: Callable[[Lowered], None]) -> None:
        here = b.begin(ir.i32(0), "here")
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_u", ir.Get(here), last))
            item = b.keep(ir.load("i32.load", ir.Get(here), at))
            b.set(here, op("i32.add", ir.Get(here), ir.i32(4)))
            body(Scalar(item, 0, size - 1))
            b.jump(again)

    def count() -> ir.Code:
        return op("i64.extend_i32_u", op("i32.shr_u", last, ir.i32(2)))

    exact = None if found.loose else count
    return Members(each, found.most, frozen=True, loose=found.loose, few=True, count=exact)
