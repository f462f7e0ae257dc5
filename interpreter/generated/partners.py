"""The partners of a thing in a relation as a function: tried among those its definition leaves possible, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulelang import core
from rulelang.analysis.candidates import partners
from rulelang.analysis.sets import is_looked_up
from rulelang.builtins.record import ANYTHING

if TYPE_CHECKING:
    from interpreter.generated.module import Module
    from interpreter.generated.sets import Expressions


Sides = tuple[
    core.Expr | None, core.Expr | None
]  # for a thing that is named first, and for one named second, a set in which all its partners are


def possible(module: Module, relation: str) -> Sides:
    """Where the partners of a thing are, on each side it may stand on."""
    if ANYTHING in module.reads.of("define", relation):
        return None, None
    one, two = (
        partners(module.ruleset, relation, name)
        for name, _ in module.ruleset.definitions[relation].params
    )
    return one, two


def write_partners(module: Module, relation: str, sides: Sides, made: str) -> None:
    """What a thing stands in a relation to, on the sides it can be looked up for: (position, thing) -> set; kept until something it reads changes."""
    known = module.ruleset.definitions[relation]
    function = module.expressions([(name, "p0") for name, _ in known.params])
    function.sure.update(name for name, _ in known.params)
    holds = module.definition(relation) + (
        "_" if module.is_kept(relation) else ""
    )  # each pair is asked for only once
    function.line("found = set(); tried = {p0}")
    ways = [
        way
        for way, side in zip(("(s, p0, {item})", "(s, {item}, p0)"), sides, strict=True)
        if side is not None
    ]

    def test(item: str) -> None:
        with function.block(f"if {item} not in tried:"):
            function.line(f"tried.add({item})")
            function.line(
                f"if {' or '.join(holds + way.format(item=item) for way in ways)}: found.add({item})"
            )

    among = tuple(side for side in sides if side is not None)
    for each in among:
        _each(function, each, test)
    function.line("return frozenset(found)")
    module.add(f"{made}_", function, ["p0"])
    module.keep(
        made, f"{made}_", ["p0"], module.reads.of("define", relation) | module.reads.all(among)
    )


def _each(function: Expressions, among: core.Expr, act: Callable[[str], None]) -> None:
    """Do this for each member of a set, without the set being built where it is made of others; a member may come twice."""
    inner = among.args[0] if isinstance(among, core.Builtin) and among.name == "joined" else among
    if isinstance(among, core.SetOp) and among.op == "+":
        _each(function, among.left, act)
        _each(function, among.right, act)
    elif isinstance(inner, core.Image) and inner.cond == core.Const(True):
        image = inner

        def of_member(member: str) -> None:
            with function.bound(image.var, member, image.domain):
                if image is not among:
                    _each(function, image.body, act)
                    return
                item = function.atom(image.body)
                if not function.maybe_none(image.body):
                    act(item)
                    return
                with function.block(f"if {item} is not None:"):
                    act(item)

        _each(function, image.domain, of_member)
    elif (
        isinstance(among, core.Filter)
        and is_looked_up(among)
        and isinstance(among.cond, core.Compare)
    ):
        item = function.fresh("v")
        with function.block(
            f"for {item} in {function.module.index(among.var, among.domain, among.cond.left)}(s).get({function.gen(among.cond.right)}, ()):"
        ):
            act(item)
    else:
        item = function.fresh("v")
        with function.block(f"for {item} in {function.gen(among)}:"):
            act(item)


def write_index(module: Module, var: str, domain: core.Expr, key: core.Expr, made: str) -> None:
    """The members of a set by what something is of them: (position) -> dictionary; kept until something it reads changes."""
    function = module.expressions(())
    function.line("found = {}")
    with function.loop(var, domain) as item:
        function.line(f"found.setdefault({function.gen(key)}, []).append({item})")
    function.line("return found")
    module.add(f"{made}_", function, [])
    module.keep(made, f"{made}_", [], module.reads.all((domain, key)), finite=True)
