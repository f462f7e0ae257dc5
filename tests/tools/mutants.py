"""Mutants of the semantics: what the language means, changed in one point, and who notices.

A mutant is stated by construct: most are a rewrite of core objects (rules and scenarios alike, as
an engine that gets the construct wrong would read them), so that they can be made in any engine;
the others replace an entry of the reference evaluator. The programs of `tests/good` are run by the
reference evaluator under each; a mutant is killed if a scenario fails that passes without it.

    python tests/tools/mutants.py [--seed N] [--sample N] [--construct X] [--json]
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from interpreter.engine import machine as machine_module  # noqa: E402
from interpreter.engine.events import EFFECTS, Effects  # noqa: E402
from interpreter.engine.feasibility import Lookahead  # noqa: E402
from interpreter.engine.machine import CLOSING, CONTROL, Machine  # noqa: E402
from interpreter.engine.scoring import RunningTotal  # noqa: E402
from interpreter.evaluator.expressions import MEANINGS  # noqa: E402
from interpreter.game.loading import Loaded, load_rules, overlay  # noqa: E402
from interpreter.model import mutations  # noqa: E402
from interpreter.model import work as work_module  # noqa: E402
from interpreter.scenarios import scenario as scenarios  # noqa: E402
from rulelang import core  # noqa: E402
from rulelang.builtins.registry import BUILTINS  # noqa: E402
from rulelang.core.types import NUMBER, TRUTH, ListT, SetT, Type  # noqa: E402
from rulelang.core.values import nothing_of, ordered  # noqa: E402
from rulelang.ruleset import (  # noqa: E402
    Case,
    Definition,
    Ending,
    Event,
    Extension,
    Latch,
    Line,
    Procedure,
    RankLine,
    Reaction,
    Rule,
    State,
    Table,
)

GOOD = ROOT / "tests/good"
STEPS = 4_000  # statements between two decisions while mutants run: loops that do not end are told

# A change of one node: what stands in its place; statements may become several, or none.
Change = Callable[[Any], Any]
Patch = Callable[[], contextlib.AbstractContextManager[None]]


@dataclass(frozen=True)
class Mutant:
    """One point of the semantics changed: a rewrite of all nodes of a class, or a replacement."""

    construct: str
    operator: str
    kind: type | None = None  # the class of nodes that are rewritten
    change: Change | None = None  # gives none where a node has not what is changed
    patch: Patch | None = None

    @property
    def name(self) -> str:
        """Construct and operator."""
        return f"{self.construct}: {self.operator}"


# ------------------------------------------------------------------------------------- expressions
def nothing(e: core.Expr) -> core.Expr:
    """What is nothing for the type of an expression."""
    return core.Const(nothing_of(e.type), type=e.type)


def more(e: core.Expr, n: int = 1) -> core.Expr:
    """One more, or so many."""
    return core.Arith("+", e, core.Const(n, type=NUMBER), type=NUMBER)


def but_first(e: core.Expr) -> core.Expr:
    """All but the first member."""
    first = core.SetOf((core.Pick(e),), type=SetT(_item(e)))
    return core.SetOp("-", e, first, type=e.type)


def _item(e: core.Expr) -> Type:
    assert isinstance(e.type, SetT | ListT)
    return e.type.of


YES, NO = core.Const(True, type=TRUTH), core.Const(False, type=TRUTH)


VALUES: tuple[tuple[str, Callable[[Type], bool], Change], ...] = (
    ("drop", lambda t: t != TRUTH, nothing),
    ("off by one", lambda t: t == NUMBER, more),
    ("negate", lambda t: t == TRUTH, lambda e: core.Not(e, type=TRUTH)),
    ("always so", lambda t: t == TRUTH, lambda e: YES),
    ("drop the first", lambda t: isinstance(t, SetT | ListT), but_first),
)


def by_value(
    construct: str, kind: type, which: Callable[[Any], bool] = lambda e: True
) -> Iterator[Mutant]:
    """Mutants of a construct by the type of its value alone."""
    for operator, only, made in VALUES:

        def change(e: Any, only: Any = only, made: Any = made) -> Any:
            return made(e) if which(e) and only(e.type) else None

        yield Mutant(construct, operator, kind, change)


def fields(**changes: Callable[[Any], Any]) -> Change:
    """A change of fields, each made of the node; none if a field cannot be changed so."""

    def change(node: Any) -> Any:
        made = {name: f(node) for name, f in changes.items()}
        return None if any(v is SAME for v in made.values()) else replace(node, **made)

    return change


SAME = object()


def op(old: str, new: str) -> Change:
    """Another operator in the place of one."""
    return lambda e: replace(e, op=new) if e.op == old else None


def word(old: str, new: str) -> Change:
    """Another built-in word in the place of one."""
    return lambda e: replace(e, name=new) if e.name == old else None


def negated(e: core.Expr | None) -> Any:
    """The contrary of a condition that is there."""
    return SAME if e is None else core.Not(e, type=TRUTH)


def plus(e: core.Expr | None, n: int) -> Any:
    """So much more than a number that is there."""
    return SAME if e is None else more(e, n)


def gone(e: Any) -> Any:
    """Nothing in the place of what is there."""
    return SAME if e is None else None


def _is_op(symbol: str, e: Any) -> bool:
    return bool(e.op == symbol)


def _none_counts(e: core.Compare) -> core.Expr | None:
    if e.op in ("=", "!="):
        return None
    none = core.Const(None)
    parts = (core.Compare("=", x, none, type=TRUTH) for x in (e.left, e.right))
    return core.Any((e, *parts), type=TRUTH)


COMPARISONS = (
    ("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("=", "!="), ("!=", "="),
    ("<", ">"), ("<=", ">="), (">", "<"), (">=", "<="),
)  # fmt: skip
ARITHMETIC = (("+", "-"), ("-", "+"), ("*", "+"), ("/down", "/up"), ("/up", "/down"))
WORDS = (
    ("left", "right"), ("first", "last"), ("last", "first"), ("largest", "smallest"),
    ("smallest", "largest"), ("row", "column"), ("column", "row"), ("width", "height"),
    ("height", "width"), ("inner_sides", "outer_sides"), ("outer_sides", "inner_sides"),
    ("neighbors", "surroundings"), ("surroundings", "neighbors"), ("adjacent", "touches_corner"),
    ("touches_corner", "adjacent"), ("spots", "spots_around"), ("spots_around", "spots"),
    ("right", "left"), ("top", "last"), ("sum", "largest"), ("owner", "holder"),
    ("holder", "owner"),
)  # fmt: skip


SYMMETRIC = ("adjacent", "touches_corner", "distance", "distance_across", "least_cost")


def _never(e: core.Expr) -> None:
    return None


def _another_text(e: core.Builtin) -> core.Expr | None:
    return core.Const("another text", type=e.type) if e.name == "title" else None


def _turned(name: str, e: core.Builtin) -> core.Expr | None:
    if e.name != name:
        return None
    one = core.Const(1, type=NUMBER)
    return replace(
        e, args=(e.args[0], core.Builtin("turned", (e.args[1], one), type=e.args[1].type))
    )


def _swapped_args(e: core.Builtin) -> core.Expr | None:
    a, *rest = e.args
    return replace(e, args=(rest[0], a, *rest[1:])) if rest and rest[0].type == a.type else None


def _last_bound(e: core.Builtin) -> core.Expr | None:
    """A number among the values of a word, one larger."""
    at = [i for i, a in enumerate(e.args) if a.type == NUMBER]
    if not at:
        return None
    args = [more(a) if i == at[-1] else a for i, a in enumerate(e.args)]
    return replace(e, args=tuple(args))


def expressions() -> Iterator[Mutant]:
    """Mutants of values, conditions and sets."""
    for kind in sorted(MEANINGS, key=lambda k: k.__name__):
        if kind not in (core.Builtin, core.Slot, core.Var, core.Const):
            yield from by_value(kind.__name__, kind)
    yield Mutant("Const", "off by one", core.Const, lambda e: more(e) if e.type == NUMBER else None)
    yield Mutant("Const", "negate", core.Const, _other_truth)
    yield Mutant("Var", "drop", core.Var, lambda e: nothing(e) if e.type != TRUTH else None)
    yield Mutant("Var", "off by one", core.Var, lambda e: more(e) if e.type == NUMBER else None)
    yield from operators()
    yield from sets()


def operators() -> Iterator[Mutant]:
    """Mutants of operators, connectives and quantifiers."""
    for old, new in COMPARISONS:
        yield Mutant(f"Compare {old}", f"becomes {new}", core.Compare, op(old, new))
    yield Mutant("Compare <", "none counts", core.Compare, _none_counts)
    for kind, symbols in (
        (core.Compare, ("=", "!=")),
        (core.Arith, ("+", "-", "*", "/down", "/up")),
        (core.SetOp, ("+", "-")),
    ):
        for symbol in symbols:
            yield from by_value(f"{kind.__name__} {symbol}", kind, partial(_is_op, symbol))
    for old, new in ARITHMETIC:
        yield Mutant(f"Arith {old}", f"becomes {new}", core.Arith, op(old, new))
    swapped = fields(left=lambda e: e.right, right=lambda e: e.left)
    yield Mutant("Arith -", "swap", core.Arith, lambda e: swapped(e) if e.op not in "+*" else None)
    yield Mutant("Not", "drop it", core.Not, lambda e: e.of)
    yield Mutant("All", "becomes Any", core.All, lambda e: core.Any(e.of, type=TRUTH))
    yield Mutant("Any", "becomes All", core.Any, lambda e: core.All(e.of, type=TRUTH))
    for kind in (core.All, core.Any, core.SetOf):
        name, some = kind.__name__, "of" if kind is not core.SetOf else "items"
        for told, part in (("first", slice(1, None)), ("last", slice(0, -1))):
            yield Mutant(name, f"drop the {told} part", kind, _without(some, part))
    for kind, other in ((core.Exists, core.Forall), (core.Forall, core.Exists)):
        make: Change = lambda e, other=other: other(e.var, e.domain, e.cond, type=TRUTH)  # noqa: E731
        yield Mutant(kind.__name__, f"becomes {other.__name__}", kind, make)
        yield Mutant(kind.__name__, "negate inside", kind, fields(cond=lambda e: negated(e.cond)))
    yield Mutant(
        "IfElse", "swap", core.IfElse, fields(then=lambda e: e.other, other=lambda e: e.then)
    )


def sets() -> Iterator[Mutant]:
    """Mutants of sets, and what hangs together."""
    yield Mutant("SetOp +", "becomes -", core.SetOp, op("+", "-"))
    yield Mutant("SetOp -", "becomes +", core.SetOp, op("-", "+"))
    yield Mutant("SetOp", "drop the right", core.SetOp, lambda e: e.left)
    yield Mutant("SetOp", "drop the left", core.SetOp, lambda e: e.right)
    for side in ("low", "high"):
        for n in (1, -1):
            yield Mutant(
                f"Range {side}",
                f"off by {n}",
                core.Range,
                fields(**{side: lambda e, side=side, n=n: more(getattr(e, side), n)}),
            )
    for kind in (core.Filter, core.Image, core.Stable):
        yield Mutant(
            kind.__name__, "negate", kind, fields(cond=lambda e: core.Not(e.cond, type=TRUTH))
        )
        yield Mutant(kind.__name__, "drop the condition", kind, fields(cond=lambda e: YES))
    yield Mutant("Image", "repeats", core.Image, _repeats)
    yield Mutant("Best", "largest is smallest", core.Best, fields(largest=lambda e: not e.largest))
    yield Mutant(
        "Best",
        "ties go",
        core.Best,
        lambda e: (
            core.SetOf((core.Pick(e, type=_item(e)),), type=SetT(_item(e)))
            if isinstance(e.type, SetT)
            else None
        ),
    )
    yield Mutant(
        "Pick", "the last", core.Pick, lambda e: core.Builtin("last", (e.of,), type=e.type)
    )
    yield Mutant("Groups", "all is one", core.Groups, lambda e: core.SetOf((e.of,), type=e.type))
    yield Mutant(
        "Groups", "the relation goes", core.Groups, lambda e: _singles(e) if e.relation else None
    )
    yield Mutant("Reach", "a step more", core.Reach, fields(steps=lambda e: plus(e.steps, 1)))
    yield Mutant("Reach", "a step less", core.Reach, fields(steps=lambda e: plus(e.steps, -1)))
    yield Mutant("Reach", "any number of steps", core.Reach, fields(steps=lambda e: gone(e.steps)))
    yield Mutant("Reach", "anywhere", core.Reach, fields(within=lambda e: gone(e.within)))
    yield Mutant(
        "Reach",
        "seeds do not count",
        core.Reach,
        lambda e: core.SetOp("-", e, e.seeds, type=e.type),
    )
    yield Mutant(
        "Reach",
        "nowhere",
        core.Reach,
        lambda e: e.seeds if isinstance(e.seeds.type, SetT) else None,
    )
    yield from moments()
    yield from words()


def moments() -> Iterator[Mutant]:
    """Mutants of the words about time."""
    for mode in ("before", "after", "supposing"):
        yield Mutant(
            f"At {mode}",
            "reads the present",
            core.At,
            lambda e, mode=mode: e.body if e.mode == mode else None,
        )
        yield from by_value(f"At {mode}", core.At, lambda e, mode=mode: e.mode == mode)


def words() -> Iterator[Mutant]:
    """Mutants of the built-in words."""
    for name in sorted(BUILTINS):
        yield from by_value(f"Builtin {name}", core.Builtin, lambda e, name=name: e.name == name)
        for told, made in (
            ("swap", _swapped_args if name not in SYMMETRIC else _never),
            ("a number off by one", _last_bound),
        ):
            yield Mutant(
                f"Builtin {name}",
                told,
                core.Builtin,
                lambda e, name=name, made=made: made(e) if e.name == name else None,
            )
    yield Mutant("Builtin title", "another text", core.Builtin, _another_text)
    for name in ("step", "side_to"):
        yield Mutant(f"Builtin {name}", "turned", core.Builtin, partial(_turned, name))
    for old, new in WORDS:
        yield Mutant(f"Builtin {old}", f"becomes {new}", core.Builtin, word(old, new))


def _other_truth(e: core.Const) -> core.Expr | None:
    return core.Const(not e.value, type=TRUTH) if e.type == TRUTH and e.span.line else None


def _without(some: str, part: slice) -> Change:
    def change(e: Any) -> Any:
        parts = getattr(e, some)
        return replace(e, **{some: parts[part]}) if len(parts) > 1 else None

    return change


def _repeats(e: core.Image) -> core.Expr | None:
    return replace(e, repeats=False) if e.repeats else None


def _singles(e: core.Groups) -> core.Expr:
    one = core.SetOf((core.Var("x", type=_item(e.of)),), type=e.of.type)
    return core.Image("x", e.of, YES, one, False, type=e.type)


# -------------------------------------------------------------------------------------- statements
DROP: tuple[core.Stmt, ...] = ()


def statements() -> Iterator[Mutant]:
    """Mutants of effects and control."""
    for kind in sorted(EFFECTS, key=lambda k: k.__name__):
        if kind not in (core.Let, core.Chance, core.Choose, core.Take):  # what follows needs a name
            yield Mutant(
                kind.__name__, "drop", kind, lambda st: DROP if _result(st) is None else None
            )
    yield Mutant("Let", "drop", core.Let, fields(value=lambda st: nothing(st.value)))
    yield Mutant(
        "Let",
        "off by one",
        core.Let,
        fields(value=lambda st: more(st.value) if st.value.type == NUMBER else SAME),
    )
    yield Mutant("Chance", "drop", core.Chance, lambda st: core.Let(st.var, core.Const(None)))
    yield Mutant("Chance", "drop the first", core.Chance, fields(of=lambda st: but_first(st.of)))
    yield Mutant("Chance", "off by one", core.Chance, fields(of=_all_more))
    yield Mutant(
        "Assign",
        "off by one",
        core.Assign,
        fields(value=lambda st: more(st.value) if st.value.type == NUMBER else SAME),
    )
    yield Mutant(
        "Assign", "drop the value", core.Assign, fields(value=lambda st: nothing(st.value))
    )
    yield Mutant(
        "Move",
        "top is bottom",
        core.Move,
        fields(bottom=lambda st: True if not st.bottom else SAME),
    )
    yield Mutant(
        "Move", "bottom is top", core.Move, fields(bottom=lambda st: False if st.bottom else SAME)
    )
    yield Mutant("Draw", "one more", core.Draw, fields(count=lambda st: more(st.count)))
    yield Mutant("Draw", "one less", core.Draw, fields(count=lambda st: more(st.count, -1)))
    yield Mutant(
        "Draw",
        "swap",
        core.Draw,
        lambda st: replace(
            st,
            source=core.Contents(st.place, st.index, type=st.source.type),
            place=st.source.place,
            index=st.source.index,
        ),
    )
    yield Mutant("Draw", "from the bottom", patch=attribute(mutations, "draw", _draw_from_bottom))
    yield Mutant(
        "Move",
        "the last first",
        patch=attribute(mutations, "pieces_of", lambda what: _pieces_of(what)[::-1]),
    )
    yield Mutant(
        "Put",
        "one site only",
        core.Put,
        fields(sites=lambda st: core.Pick(st.sites) if isinstance(st.sites.type, SetT) else SAME),
    )
    yield Mutant(
        "Shuffle", "turns the pile over", patch=attribute(mutations, "shuffle", _turn_over)
    )
    yield Mutant("Reveal", "to nobody", core.Reveal, fields(to=lambda st: core.Const(frozenset())))
    yield Mutant("Do", "swap values", core.Do, _swapped_values)
    yield Mutant(
        "Do",
        "its rules are not asked",
        patch=attribute(
            Effects, "propose", lambda self, s, event, values: self.perform(s, event, values)
        ),
    )
    yield Mutant("Give", "goes on", patch=entry(CONTROL, core.Give, _give_and_go_on))
    yield Mutant("Give", "drop the value", core.Give, fields(value=lambda st: nothing(st.value)))
    yield Mutant(
        "Finish",
        "ends nothing",
        core.Finish,
        fields(unit=lambda st: "" if st.unit != "game" else SAME),
    )
    yield Mutant("If", "negate", core.If, fields(cond=lambda st: core.Not(st.cond, type=TRUTH)))
    yield Mutant("If", "swap", core.If, fields(then=lambda st: st.other, other=lambda st: st.then))
    yield Mutant("If", "drop otherwise", core.If, fields(other=lambda st: ()))
    yield Mutant(
        "ForEach", "drop the first", core.ForEach, fields(domain=lambda st: but_first(st.domain))
    )
    yield Mutant(
        "ForEach", "nobody names the order", core.ForEach, fields(by=lambda st: gone(st.by))
    )
    yield Mutant("ForEach", "the last first", patch=_backwards)
    yield Mutant("Repeat", "once more", core.Repeat, fields(times=lambda st: plus(st.times, 1)))
    yield Mutant("Repeat", "once less", core.Repeat, fields(times=lambda st: plus(st.times, -1)))
    yield Mutant("Repeat", "negate", core.Repeat, fields(cond=lambda st: negated(st.cond)))
    yield Mutant("Repeat", "only once", patch=entry(CLOSING, "while", Machine._once))
    yield Mutant("Repeat", "not for ever", patch=entry(CLOSING, "forever", Machine._once))
    yield Mutant("Each", "from the first", core.Each, fields(start=lambda st: gone(st.start)))
    yield Mutant(
        "Each",
        "at once is in turn",
        core.Each,
        lambda st: (
            replace(st, mode="in turn", watcher=None, open=None) if st.mode != "in turn" else None
        ),
    )
    yield Mutant("Each", "only the first", patch=entry(CLOSING, "each", Machine._once))
    yield Mutant("Choose", "drop the condition", core.Choose, fields(cond=lambda st: YES))
    yield Mutant(
        "Choose",
        "negate",
        core.Choose,
        fields(
            cond=lambda st: (
                core.Not(st.cond, type=TRUTH) if not isinstance(st.cond, core.Const) else SAME
            )
        ),
    )
    for side in ("low", "high"):
        for n in (1, -1):
            yield Mutant(
                f"Choose {side}",
                f"off by {n}",
                core.Choose,
                fields(**{side: lambda st, side=side, n=n: plus(getattr(st, side), n)}),
            )
    yield Mutant(
        "Choose", "drop the first", core.Choose, fields(domain=lambda st: but_first(st.domain))
    )
    yield Mutant(
        "Choose",
        "a low bound off by one looking ahead",
        patch=attribute(Lookahead, "_answerable", _low_off_by_one),
    )
    yield Mutant(
        "Choose",
        "nothing is foreseen",
        patch=attribute(Lookahead, "viable", lambda self, s, place: True),
    )
    yield Mutant(
        "Choose",
        "another decides",
        core.Choose,
        fields(by=lambda st: core.Builtin("left", (st.by,), type=st.by.type)),
    )
    yield Mutant("Take", "drop the first", core.Take, _without("actions", slice(1, None)))
    yield Mutant("Take", "drop the last", core.Take, _without("actions", slice(0, -1)))
    yield Mutant(
        "Take",
        "another decides",
        core.Take,
        fields(by=lambda st: core.Builtin("left", (st.by,), type=st.by.type)),
    )
    yield Mutant("May", "yes is no", patch=attribute(Machine, "decide", _contrary(Machine.decide)))
    yield Mutant(
        "May",
        "another decides",
        core.May,
        fields(by=lambda st: core.Builtin("left", (st.by,), type=st.by.type)),
    )
    yield Mutant("Maximize", "nothing binds", core.Maximize, lambda st: st.body)
    yield Mutant(
        "Maximize",
        "as little as possible",
        core.Maximize,
        fields(
            value=lambda st: core.Arith("-", core.Const(0, type=NUMBER), st.value, type=NUMBER),
            bound=lambda st: None,
        ),
    )
    yield Mutant(
        "Maximize",
        "nothing stands aside",
        core.Maximize,
        fields(aside=lambda st: () if st.aside else SAME),
    )


def _result(stmt: core.Stmt) -> str | None:
    return stmt.result if isinstance(stmt, core.Do) else None


def _all_more(stmt: core.Chance) -> Any:
    if getattr(stmt.of.type, "of", None) != NUMBER:
        return SAME
    var = core.Var("x", type=NUMBER)
    return core.Image("x", stmt.of, YES, more(var), False, type=stmt.of.type)


def _swapped_values(stmt: core.Do) -> Any:
    if len(stmt.args) < 2 or stmt.args[0].type != stmt.args[1].type:
        return None
    return replace(stmt, args=(stmt.args[1], stmt.args[0], *stmt.args[2:]))


def _draw_from_bottom(s: Any, count: int, source: Any, target: Any) -> tuple[int, ...]:
    if source not in s.places or target not in s.places:
        return ()
    drawn = tuple(s.places[source][::-1][: max(0, count)])
    for piece in drawn:
        s.move(piece, target)
    return drawn


_pieces_of = mutations.pieces_of


def _turn_over(s: Any, key: Any) -> None:
    s.places[key] = s.places[key][::-1]
    s.touch(f"place:{key[0]}")


def _give_and_go_on(self: Machine, s: Any, act: Any, stmt: core.Give) -> None:
    act.given = self.rules.value(stmt.value, s, act.env)


def _low_off_by_one(self: Lookahead, s: Any, at: Any, stmt: core.Choose) -> bool:
    if stmt.mode != "some" or stmt.low is None:
        return _ANSWERABLE(self, s, at, stmt)
    low = int(self.rules.value(stmt.low, s, at.scope))
    return low <= 0 or len(self.members(s, at.scope, stmt)) > low - 2


_ANSWERABLE = Lookahead._answerable


def _contrary(decide: Any) -> Any:
    def decided(self: Machine, s: Any, value: Any) -> None:
        decide(self, s, not value if isinstance(value, bool) else value)

    return decided


# ----------------------------------------------------------------------------------------- clauses
def _reversed(some: str) -> Change:
    return lambda r: (
        replace(r, **{some: getattr(r, some)[::-1]}) if len(getattr(r, some)) > 1 else None
    )


def _all_of_one(table: Table) -> Any:
    if not any(line.op == "one" for line in table.lines):
        return None
    flat = [x for line in table.lines for x in (line.inner if line.op == "one" else (line,))]
    return replace(table, lines=tuple(flat))


LINES = (
    ("start", "+"),
    ("+", "-"),
    ("-", "+"),
    ("times", "+"),
    ("exactly", "+"),
    ("floor", "cap"),
    ("cap", "floor"),
)


def clauses() -> Iterator[Mutant]:
    """Mutants of rules, lines, cases, reactions, latches, ends, ranking, and what cards add."""
    yield Mutant("Rule", "drop the condition", Rule, fields(cond=lambda r: gone(r.cond)))
    yield Mutant("Rule", "negate the condition", Rule, fields(cond=lambda r: negated(r.cond)))
    yield Mutant("Rule", "negate", Rule, fields(need=lambda r: negated(r.need)))
    yield Mutant("Rule", "drop", Rule, fields(need=lambda r: YES if r.need is not None else SAME))
    for old, new in LINES:
        yield Mutant(f"Line {old}", f"becomes {new}", Line, op(old, new))
        yield Mutant(
            f"Line {old}", "drop", Line, fields(cond=lambda r, old=old: NO if r.op == old else SAME)
        )
        yield Mutant(
            f"Line {old}",
            "off by one",
            Line,
            fields(amount=lambda r, old=old: more(r.amount) if r.op == old else SAME),
        )
    yield Mutant("Line", "drop the condition", Line, fields(cond=lambda r: gone(r.cond)))
    yield Mutant("Line", "negate the condition", Line, fields(cond=lambda r: negated(r.cond)))
    yield Mutant(
        "Line for each",
        "drop the first",
        Line,
        fields(each=lambda r: (r.each[0], but_first(r.each[1])) if r.each else SAME),
    )
    yield Mutant(
        "Line for each",
        "drop",
        Line,
        fields(each=lambda r: (r.each[0], nothing(r.each[1])) if r.each else SAME),
    )
    yield Mutant(
        "Line one",
        "drop the first",
        Line,
        fields(inner=lambda r: r.inner[1:] if r.op == "one" else SAME),
    )
    yield Mutant(
        "Line one",
        "the last first",
        Line,
        fields(inner=lambda r: r.inner[::-1] if r.op == "one" else SAME),
    )
    yield Mutant("Line one", "all of them", Table, _all_of_one)
    yield Mutant("Table", "the last line first", Table, _reversed("lines"))
    yield Mutant("Table", "drop the last line", Table, _without("lines", slice(0, -1)))
    yield Mutant("Table", "running totals lag", patch=attribute(RunningTotal, "count", _lagging))
    yield Mutant("Definition", "the last case first", Definition, _reversed("cases"))
    yield Mutant("Definition", "drop the last case", Definition, _without("cases", slice(0, -1)))
    yield Mutant("Case", "drop the condition", Case, fields(cond=lambda r: gone(r.cond)))
    yield Mutant("Case", "negate", Case, fields(cond=lambda r: negated(r.cond)))
    yield Mutant("Event", "the last statement first", Event, _reversed("body"))
    yield Mutant("Event", "drop the last statement", Event, _without("body", slice(0, -1)))
    yield Mutant("Procedure", "drop the guard", Procedure, fields(guard=lambda r: gone(r.guard)))
    yield Mutant(
        "Procedure", "negate the guard", Procedure, fields(guard=lambda r: negated(r.guard))
    )
    yield Mutant("Reaction", "drop the condition", Reaction, fields(cond=lambda r: gone(r.cond)))
    yield Mutant("Reaction", "negate", Reaction, fields(cond=lambda r: negated(r.cond)))
    yield Mutant("Reaction", "drop", Reaction, fields(cond=lambda r: NO))
    yield Mutant(
        "Latch", "after every change", patch=attribute(Effects, "after_change", _every_time)
    )
    yield Mutant("Latch", "drop", Latch, fields(cond=lambda r: NO))
    yield Mutant("Latch", "negate", Latch, fields(cond=lambda r: negated(r.cond)))
    yield Mutant("Ending", "drop", Ending, fields(cond=lambda r: NO))
    yield Mutant("Ending", "waits for nothing", Ending, fields(unit=lambda r: gone(r.unit)))
    yield Mutant(
        "Ending",
        "waits for a round",
        Ending,
        fields(unit=lambda r: "round" if r.unit is None else SAME),
    )
    yield Mutant("Ending", "negate", Ending, fields(cond=lambda r: negated(r.cond)))
    yield Mutant(
        "State",
        "off by one",
        State,
        fields(initial=lambda r: more(r.initial) if r.type == NUMBER else SAME),
    )
    yield Mutant(
        "State",
        "negate",
        State,
        fields(initial=lambda r: negated(r.initial) if r.type == TRUTH else SAME),
    )
    for lifetime, other in (("while", "until"), ("until", "while")):
        yield Mutant(
            f"Extension {lifetime}",
            f"becomes {other}",
            Extension,
            fields(lifetime=lambda r, a=lifetime, b=other: b if r.lifetime == a else SAME),
        )
        yield Mutant(
            f"Extension {lifetime}",
            "for ever",
            Extension,
            fields(cond=lambda r, a=lifetime: gone(r.cond) if r.lifetime == a else SAME),
        )
    yield Mutant(
        "Extension played",
        "never",
        Extension,
        fields(lifetime=lambda r: "while" if r.lifetime == "played" else SAME, cond=lambda r: NO),
    )
    yield Mutant(
        "Extension played",
        "for ever",
        Extension,
        fields(lifetime=lambda r: "while" if r.lifetime == "played" else SAME),
    )
    for kind, part in (("score", "lines"), ("rules", "rules"), ("define", "cases")):
        yield Mutant(
            f"Extension {kind}",
            "drop",
            Extension,
            fields(**{part: lambda r, part=part: () if getattr(r, part) else SAME}),
        )
    yield Mutant("Extension score", "twice", Extension, _twice)
    yield Mutant("Extension rules", "negate", Extension, _rules_negated)
    yield Mutant("Extension define", "never", Extension, _never_so)
    yield Mutant("Extension reaction", "drop", Extension, _no_reaction)
    yield Mutant("Extension reaction", "always", Extension, _any_reaction)
    yield from ranking()


def _twice(r: Extension) -> Extension | None:
    return replace(r, lines=r.lines * 2) if r.lines else None


def _rules_negated(r: Extension) -> Extension | None:
    made = tuple(replace(x, need=core.Not(x.need, type=TRUTH)) for x in r.rules if x.need)
    return replace(r, rules=made) if made else None


def _never_so(r: Extension) -> Extension | None:
    return replace(r, cases=tuple(replace(c, cond=NO) for c in r.cases)) if r.cases else None


def _no_reaction(r: Extension) -> Extension | None:
    return replace(r, reaction=replace(r.reaction, cond=NO)) if r.reaction else None


def _any_reaction(r: Extension) -> Extension | None:
    return replace(r, reaction=replace(r.reaction, cond=None)) if r.reaction else None


def ranking() -> Iterator[Mutant]:
    """Mutants of ranking lines; hurdles are lines too, whose key is a truth."""
    yield Mutant(
        "Rank highest",
        "is lowest",
        RankLine,
        fields(largest=lambda r: False if r.largest and r.key.type == NUMBER else SAME),
    )
    yield Mutant(
        "Rank lowest", "is highest", RankLine, fields(largest=lambda r: SAME if r.largest else True)
    )
    for told, largest in (("highest", True), ("lowest", False)):
        drop = fields(
            key=lambda r, a=largest: (
                nothing(r.key) if r.largest == a and r.key.type == NUMBER else SAME
            )
        )
        yield Mutant(f"Rank {told}", "drop", RankLine, drop)
    yield Mutant("Rank", "drop the condition", RankLine, fields(cond=lambda r: gone(r.cond)))
    yield Mutant("Rank", "negate the condition", RankLine, fields(cond=lambda r: negated(r.cond)))
    yield Mutant("Rank", "the last line first", None, _ranks_reversed)
    yield Mutant(
        "Rank only", "drop", RankLine, fields(key=lambda r: YES if r.key.type == TRUTH else SAME)
    )
    yield Mutant(
        "Rank only",
        "negate",
        RankLine,
        fields(key=lambda r: negated(r.key) if r.key.type == TRUTH else SAME),
    )


def _ranks_reversed(rules: Any) -> Any:
    return replace(rules, ranks=rules.ranks[::-1])


def _lagging(
    self: RunningTotal, op: str, label: str, amount: int, clause: str, member: Any
) -> bool:
    before = self.total
    counted = _COUNT(self, op, label, amount, clause, member)
    if counted:
        self.lines[-1] = dataclasses.replace(self.lines[-1], total=before)
    return counted


_COUNT = RunningTotal.count


def _every_time(self: Effects, s: Any) -> None:
    for latch in self.ruleset.latches:
        if self.rules.holds(s, latch.cond):
            s.ever |= {latch.name}
            self._body(s, {}, latch.body)
    if not s.stream:
        self._look_for_end(s, None)


# ----------------------------------------------------------------------------------- replacements
@contextlib.contextmanager
def _attribute(where: Any, name: str, value: Any) -> Iterator[None]:
    old = getattr(where, name)
    setattr(where, name, value)
    try:
        yield
    finally:
        setattr(where, name, old)


def attribute(where: Any, name: str, value: Any) -> Patch:
    """Another function under this name, for a while."""
    return lambda: _attribute(where, name, value)


@contextlib.contextmanager
def _entry(table: dict[Any, Any], key: Any, value: Any) -> Iterator[None]:
    old = table[key]
    table[key] = value
    try:
        yield
    finally:
        table[key] = old


def entry(table: dict[Any, Any], key: Any, value: Any) -> Patch:
    """Another entry of a table, for a while."""
    return lambda: _entry(table, key, value)


@contextlib.contextmanager
def _backwards() -> Iterator[None]:
    from interpreter.engine import events

    with (
        _attribute(events, "ordered", lambda members: ordered(members)[::-1]),
        _attribute(machine_module, "ordered", lambda members: ordered(members)[::-1]),
    ):
        yield


# ----------------------------------------------------------------------------------------- running
def all_mutants() -> list[Mutant]:
    """Every mutant there is, in the order of the constructs."""
    return [*expressions(), *statements(), *clauses()]


class Rewriter:
    """Rewrites all nodes of a class in a ruleset, and tells whether there were any."""

    def __init__(self, mutant: Mutant) -> None:
        """A mutant that is a rewrite."""
        assert mutant.change is not None
        self.kind, self.change, self.count = mutant.kind, mutant.change, 0

    def node(self, node: Any) -> Any:
        """A node with all inside rewritten, innermost first."""
        made = core.rebuild(node, self.node, None, self.body) if _holds(node) else node
        if isinstance(node, core.Draw) and not isinstance(made.source, core.Contents):
            made = replace(made, source=node.source)  # a place by name, no value
        if type(made) is self.kind:
            found = self.change(made)
            if found is not None:
                self.count += 1
                return found
        return made

    def body(self, body: tuple[Any, ...]) -> tuple[Any, ...]:
        """A body; a statement may become several, or none."""
        found: list[Any] = []
        for stmt in body:
            made = self.node(stmt)
            found += made if isinstance(made, tuple) else (made,)
        return tuple(found)

    def value(self, value: Any) -> Any:
        """Whatever holds nodes; several in the place of one where they stand in a row."""
        if isinstance(value, core.Node):
            return self.node(value)
        if isinstance(value, dict):
            return {key: self.value(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.value(part) for part in value]
        if isinstance(value, tuple):
            if value and all(isinstance(part, core.Stmt) for part in value):
                return self.body(value)
            return tuple(self.value(part) for part in value)
        return value

    def rules(self, rules: Any) -> Any:
        """A ruleset rewritten."""
        if self.kind is None:
            self.count += len(rules.ranks) > 1
            return self.change(rules)
        names = [f.name for f in dataclasses.fields(rules) if f.name not in KEPT]
        return replace(rules, **{name: self.value(getattr(rules, name)) for name in names})


KEPT = (
    "clauses",
    "decks",
    "kinds",
    "components",
    "designs",
    "variants",
    "rulings",
    "boards",
    "places",
)


def _holds(node: core.Node) -> bool:
    return bool(node.layout.children)


@dataclass
class Program:
    """A program of tests/good, compiled once, with the scenarios that pass as they are."""

    name: str
    loaded: Loaded
    overlaid: dict[tuple[str, ...], Loaded] = dataclasses.field(default_factory=dict)

    def under(self, variants: tuple[str, ...]) -> Loaded:
        """The program under variants, compiled once."""
        if variants not in self.overlaid:
            self.overlaid[variants] = overlay(self.loaded, variants)
        return self.overlaid[variants]


def programs() -> list[Program]:
    """All programs of tests/good, small ones first."""
    folders = sorted(p for p in GOOD.iterdir() if any(p.glob("*.rules")))
    made = [Program(p.name, load_rules(str(p))) for p in folders]
    return sorted(made, key=lambda p: (len(p.loaded.compiled.rules.designs) > 12, p.name))


def rewritten(loaded: Loaded, rewriter: Rewriter) -> Loaded:
    """A loaded program with its rules rewritten."""
    rules = rewriter.rules(loaded.compiled.rules)
    return replace(loaded, compiled=replace(loaded.compiled, rules=rules))


@dataclass(frozen=True)
class Verdict:
    """What came of a mutant: made in so many places (none: of a replacement), killed by what."""

    mutant: Mutant
    made: int | None
    killed: str | None


def _run(program: Program, loaded: Loaded, under: Any) -> str | None:
    """The first scenario that fails."""
    with _attribute(scenarios, "overlay", lambda base, variants: under(tuple(sorted(variants)))):
        runner = scenarios.Runner(loaded)
        for scenario in loaded.compiled.rules.scenarios:
            try:
                told = "" if runner.run(scenario).passed else "fails"
            except Exception as error:
                told = type(error).__name__
            if told:
                return f"{program.name}: {scenario.name} ({told})"
    return None


def _under(program: Program, mutant: Mutant, variants: tuple[str, ...]) -> Loaded:
    return rewritten(program.under(variants), Rewriter(mutant))


def judged(mutant: Mutant, among: list[Program]) -> Verdict:
    """Run the programs under a mutant until one scenario fails."""
    made = 0
    for program in among:
        if mutant.patch is not None:
            with mutant.patch():
                killed = _run(program, program.loaded, program.under)
        else:
            rewriter = Rewriter(mutant)
            loaded = rewritten(program.loaded, rewriter)
            made += rewriter.count
            if not rewriter.count:
                continue
            killed = _run(program, loaded, partial(_under, program, mutant))
        if killed is not None:
            return Verdict(mutant, made or None, killed)
    return Verdict(mutant, made if mutant.patch is None else None, None)


@contextlib.contextmanager
def short_loops() -> Iterator[None]:
    """Loops that do not end are told sooner."""
    with (
        _attribute(work_module, "MAX_STEPS", STEPS),
    ):
        yield


def verdicts(mutants: list[Mutant]) -> Iterator[Verdict]:
    """What comes of each mutant; those that nothing in the programs can show are left out."""
    among = programs()
    with short_loops():
        for mutant in mutants:
            verdict = judged(mutant, among)
            if verdict.made != 0:
                yield verdict


# Words that no author writes: they are in other constructs, or never where a mutant can be made.
INTERNAL = {f"Builtin {name}" for name, record in BUILTINS.items() if record.internal}
# Mutants that nobody can tell from the language as it is, or not by a scenario, with why.
SURVIVORS: dict[str, str] = {}


def main() -> int:
    """Draw mutants, run the programs, print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="which mutants are drawn")
    parser.add_argument("--sample", type=int, help="how many are drawn; all unless given")
    parser.add_argument("--construct", help="only mutants of constructs that begin so")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    mutants = [m for m in all_mutants() if m.construct.startswith(given.construct or "")]
    if given.sample is not None:
        mutants = random.Random(given.seed).sample(mutants, min(given.sample, len(mutants)))
    found = list(verdicts(mutants))
    made = Counter(v.mutant.construct for v in found)
    rare = sorted({m.construct for m in mutants if made[m.construct] < 2} - INTERNAL)
    survived = [v.mutant.name for v in found if v.killed is None]
    if given.json:
        print(json.dumps({"made": len(found), "survived": survived, "rare": rare}))
    else:
        for name in survived:
            print(f"survived: {name} ({SURVIVORS.get(name, 'unexplained')})")
        if rare:
            print(f"made less than twice: {', '.join(rare)}")
        killed = len(found) - len(survived)
        print(f"{len(found)} mutants, {killed} killed ({100 * killed / max(1, len(found)):.1f} %)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
