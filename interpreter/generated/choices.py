"""Choices as functions: what may be chosen, and whether what follows a choice can be completed, as far as nothing changes the position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.model.symmetry import distinct
from rulelang import core
from rulelang.analysis.cost import WORTH_KEEPING, cost, looks_back, names_in
from rulelang.core.types import PieceT
from rulelang.ruleset import Rule
from rulelang.ruleset.inline import substituted

if TYPE_CHECKING:
    from interpreter.generated.module import Module
    from interpreter.generated.sets import Expressions

_DEEP = 8  # procedures within procedures that are written out in one function


def write_members(module: Module, stmt: core.Choose, made: str) -> None:
    """The members of a choice's domain that meet its filter, in the stable order: (position, values) -> tuple."""
    function = module.scoped()
    function.line("found = []")
    with function.loop(stmt.var, stmt.domain, stable=True) as item:
        function.guard(stmt.cond, "continue")
        function.line(f"found.append({item})")
    function.line("return tuple(found)")
    module.add(made, function, ["env"])


def write_viable(module: Module, body: core.Body, pc: int, made: str) -> None:
    """Can the rest of a body be completed? (position, values) -> truth; kept until something it reads changes."""
    function = module.scoped()
    used: list[Any] = []
    _rest(module, function, body, pc, "return True", used, 0)
    function.line("return False")
    names = [name for name in function.heads if name.startswith("env[")]
    if cost(module.ruleset, tuple(used)) < WORTH_KEEPING or looks_back(module.ruleset, tuple(used)):
        module.add(made, function, ["env"])
        return
    module.add(f"{made}_", function, ["env"])
    module.keep(made, f"{made}_", ["env"], module.reads.all(tuple(used)), names)


def write_ones(module: Module, body: core.Body, pc: int, made: str) -> None:
    """The options of a choice of one, made one at a time: (position, values) -> iterator."""
    stmt = body[pc]
    assert isinstance(stmt, core.Choose)
    function = module.scoped()
    function.line("if False: yield")
    _each(module, function, body, pc, "yield {item}", [], 0)
    module.add(made, function, ["env"])


# ------------------------------------------------------------------------------------------------ the rest of a body
def _rest(
    module: Module,
    function: Expressions,
    body: core.Body,
    pc: int,
    done: str,
    used: list[Any],
    depth: int,
) -> None:
    """Lines that do `done` if the rest can be completed, and come out below if not."""
    while pc < len(body):
        stmt = body[pc]
        if isinstance(stmt, core.Let):
            used.append(stmt.value)
            function.names[stmt.var] = function.named(function.gen(stmt.value))
            function.sure.discard(stmt.var)
        elif isinstance(stmt, core.Choose):
            _choose(module, function, body, pc, done, used, depth)
            return
        elif isinstance(stmt, core.If):
            used.append(stmt.cond)
            kept = dict(function.names)
            test = function.test(stmt.cond)
            for head, inner in ((f"if {test}:", stmt.then), ("else:", stmt.other)):
                with function.block(head):
                    _rest(
                        module, function, inner or body, 0 if inner else pc + 1, done, used, depth
                    )
                for name in set(function.names) - set(kept):
                    del function.names[name]
            return
        elif isinstance(stmt, core.Do):
            _do(module, function, stmt, done, used, depth)
            return
        else:
            break
        pc += 1
    function.line(done)


def _do(
    module: Module,
    function: Expressions,
    stmt: core.Do,
    done: str,
    used: list[Any],
    depth: int,
    asked: frozenset[int] = frozenset(),
) -> None:
    used.extend(stmt.args)
    if stmt.target in module.ruleset.events:
        used.append(core.Accepts(stmt.target, stmt.args))
        if _short(module, stmt.target):
            _inline(module, function, stmt, done, asked)
            return
        values = ", ".join(["s", *(function.gen(a) for a in stmt.args)])
        with function.block(f"if {module.accepts(stmt.target, asked)}({values}):"):
            function.line(done)
        return
    procedure = module.ruleset.procedures[stmt.target]
    if depth >= _DEEP:
        function.line(done)
        return
    named = [function.named(function.gen(a)) for a in stmt.args]
    outer, sure = function.names, set(function.sure)
    function.names = dict(zip([p for p, _ in procedure.params], named, strict=True))
    function.sure.clear()
    _rest(module, function, procedure.body, 0, done, used, depth + 1)
    function.names, function.sure = outer, sure


def _short(module: Module, event: str) -> bool:
    """Are the rules of an event few and cheap enough to be written out where they are asked?"""
    rules = module.ruleset.events[event].rules
    plain = not module.reads.invariants and all(not rule.slot for rule in rules)
    return (
        plain
        and len(rules) <= 3
        and cost(module.ruleset, tuple((rule.cond, rule.need) for rule in rules)) < WORTH_KEEPING
    )


def _inline(
    module: Module, function: Expressions, stmt: core.Do, done: str, asked: frozenset[int]
) -> None:
    """The rules of an event asked on the spot."""
    event = module.ruleset.events[stmt.target]
    values = {
        p: function.named(function.gen(a))
        for (p, _), a in zip(event.params, stmt.args, strict=True)
    }
    certain = {
        p for (p, _), a in zip(event.params, stmt.args, strict=True) if not function.maybe_none(a)
    }
    doubtful = [values[p] for p, t in event.params if isinstance(t, PieceT) and p not in certain]
    outer, sure = function.names, function.sure
    function.names, function.sure = (
        dict(values),
        certain | {p for p, t in event.params if isinstance(t, PieceT)},
    )
    depth = function.depth
    if doubtful:
        function.line(f"if {' and '.join(f'{v} is not None' for v in doubtful)}:")
        function.depth += 1
    test = function.test(
        core.All(tuple(_implied(rule) for i, rule in enumerate(event.rules) if i not in asked))
    )
    function.names, function.sure = outer, sure
    with function.block(f"if {test}:"):
        function.line(done)
    function.depth = depth


def _choose(
    module: Module,
    function: Expressions,
    body: core.Body,
    pc: int,
    done: str,
    used: list[Any],
    depth: int,
) -> None:
    stmt = body[pc]
    assert isinstance(stmt, core.Choose)
    used.extend([stmt.domain, stmt.cond])
    if stmt.mode == "one":
        _each(module, function, body, pc, done, used, depth)
        return
    if stmt.mode == "order" or stmt.low is None:
        function.line(done)
        return
    used.append(stmt.low)
    low = function.named(function.gen(stmt.low))
    count = function.fresh("n")
    function.line(f"{count} = 0")
    with function.loop(stmt.var, stmt.domain):
        function.guard(stmt.cond, "continue")
        function.line(f"{count} += 1")
    with function.block(f"if {count} >= {low}:"):
        function.line(done)


def _each(
    module: Module,
    function: Expressions,
    body: core.Body,
    pc: int,
    done: str,
    used: list[Any],
    depth: int,
) -> None:
    """A loop over what may be chosen; `done` may speak of the {item} chosen."""
    stmt = body[pc]
    assert isinstance(stmt, core.Choose)
    used.extend([stmt.domain, stmt.cond])
    kept = dict(function.names)
    level = function.depth
    asked = _once(module, function, stmt, body[pc + 1] if pc + 1 < len(body) else None)
    told = done.startswith("yield")  # whether there is any option does not depend on their order
    if isinstance(stmt.item, PieceT):
        found = function.fresh("l")
        function.line(f"{found} = []")
        with function.loop(stmt.var, stmt.domain, stable=told) as item:
            function.guard(stmt.cond, "continue")
            function.line(f"{found}.append({item})")
        item = function.fresh("v")
        function.line(
            f"for {item} in {module.constants.name('distinct', lambda _: distinct)}(s, {found}):"
        )
        function.depth += 1
        with function.bound(stmt.var, item, stmt.domain):
            _follow(module, function, body, pc, done, item, used, depth, asked)
        function.depth -= 1
    else:
        with function.loop(stmt.var, stmt.domain, stable=told) as item:
            function.guard(stmt.cond, "continue")
            _follow(module, function, body, pc, done, item, used, depth, asked)
    function.depth = level
    for name in set(function.names) - set(kept):
        del function.names[name]


# complexity: one form of output, and the room goes with the native engine
def _follow(
    module: Module,
    function: Expressions,
    body: core.Body,
    pc: int,
    done: str,
    item: str,
    used: list[Any],
    depth: int,
    asked: frozenset[int],
) -> None:
    """What follows one chosen member, within the loop over them."""
    after = body[pc + 1] if pc + 1 < len(body) else None
    if not done.startswith("yield"):
        if asked and isinstance(after, core.Do):
            _do(module, function, after, done, used, depth, asked)
        else:
            _rest(module, function, body, pc + 1, done, used, depth)
        return
    done = done.format(item=item)
    if isinstance(after, core.Do) and after.target in module.ruleset.events:
        _do(module, function, after, done, used, depth, asked)
    elif not any(isinstance(later, core.Choose | core.Do | core.If) for later in body[pc + 1 :]):
        function.line(done)
    else:  # a choice within the choice: once it is known that it can be completed nothing more need be tried
        stmt = body[pc]
        assert isinstance(stmt, core.Choose)
        with function.block(
            f"if {module.viable(body, pc + 1)}(s, {{**env, {stmt.var!r}: {item}}}):"
        ):
            function.line(done)


# ------------------------------------------------------------------------------------------------ what need be asked once only
# complexity: one form of output, and the room goes with the native engine
def _once(
    module: Module, function: Expressions, stmt: core.Choose, after: core.Stmt | None
) -> frozenset[int]:
    """Requirements of the event that follows at once which do not depend on what is chosen are asked before the loop; gives their numbers."""
    if not isinstance(after, core.Do) or after.target not in module.ruleset.events:
        return frozenset()
    event = module.ruleset.events[after.target]
    free = [
        p for (p, _), a in zip(event.params, after.args, strict=True) if stmt.var not in names_in(a)
    ]
    implied = {
        i
        for i, rule in enumerate(event.rules)
        if _is_domain(
            module, rule, dict(zip([p for p, _ in event.params], after.args, strict=True)), stmt
        )
    }
    asked = {
        i
        for i, rule in enumerate(event.rules)
        if not rule.slot and names_in((rule.cond, rule.need)) <= set(free)
    } - implied
    if not asked:
        return frozenset(implied)
    outer, sure = function.names, set(function.sure)
    values = {
        p: function.named(function.gen(a))
        for (p, t), a in zip(event.params, after.args, strict=True)
        if p in free
    }
    pieces = [values[p] for p, t in event.params if p in values and isinstance(t, PieceT)]
    function.names, function.sure = (
        dict(values),
        {p for p, t in event.params if p in values and isinstance(t, PieceT)},
    )
    test = function.fresh("ok")
    function.line(f"{test} = {' and '.join(f'{p} is not None' for p in pieces) or 'True'}")
    for i in sorted(asked, key=lambda i: module.work((event.rules[i].cond, event.rules[i].need))):
        with function.block(f"if {test}:"):
            function.line(f"{test} = {function.test(_implied(event.rules[i]))}")
    function.names, function.sure = outer, sure
    function.line(f"if {test}:")
    function.depth += 1
    return frozenset(asked | implied)


def _is_domain(module: Module, rule: Rule, given: dict[str, core.Expr], stmt: core.Choose) -> bool:
    """Does a rule only ask that what was chosen is one of those it was chosen from?"""
    need = rule.need
    if (
        rule.slot
        or not isinstance(need, core.Member)
        or not isinstance(need.item, core.Var)
        or given.get(need.item.name) != core.Var(stmt.var)
    ):
        return False
    return stmt.var not in names_in(stmt.domain) and bool(
        substituted(need.of, given, module.ruleset) == stmt.domain
    )


def _implied(rule: Rule) -> core.Expr:
    assert rule.need is not None
    return rule.need if rule.cond is None else core.Any((core.Not(rule.cond), rule.need))
