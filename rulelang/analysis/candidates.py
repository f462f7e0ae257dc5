"""Candidates: from a relation, a small set that has all partners of one thing.

Then not every pair of things need be tested. `x adjacent y` holds of neighbors only,
`step(x, d) = y` of the next cell. From a relation's definition a set is made that holds, for one of
its things, every other that it can stand in the relation to: never too few, often a few too many.
It is a core expression like any other, for an evaluator to work out and then to test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulelang import core
from rulelang.analysis.cost import names_in
from rulelang.analysis.sets import (
    all_of,
    beside,
    is_finite,
    is_looked_up,
    joined,
    looked_up,
    lying,
    many,
    member,
    over,
    replaced,
)
from rulelang.analysis.stops import Stops
from rulelang.builtins.registry import builtin
from rulelang.core.types import TRUTH, OptionalT, PairT, SetT, Type, element, site_type
from rulelang.ruleset import Ruleset
from rulelang.ruleset.inline import Inliner

_YES = core.Const(True, type=TRUTH)
_FAR = 3  # steps up to which the cells around one are fewer than most boards have
Bounds = dict[str, core.Expr]  # the thing itself (""), or a part of it, is in this set
Solve = Callable[[core.Expr, core.Expr], Bounds]


def partners(rules: Ruleset, relation: str, one: str) -> core.Expr | None:
    """A set, in terms of the thing called `one`, of all that it can stand in the relation to, on
    its own side of it; none if no such set is plain.
    """
    known = rules.definitions[relation]
    if Stops(rules).may([(case.cond, case.value) for case in known.cases]):
        return None
    if any(b.grown_from is not None for b in rules.boards.values()):
        return None  # there cells come to be: a neighbor may not be where a step leads
    (first, t), (second, u) = known.params
    sought, of_type, given = (second, u, (first, t)) if one == first else (first, t, (second, u))
    finder = _Finder(rules, sought, of_type, {given[0]}, Inliner(rules, lambda name: False))
    return finder.whole(finder.cases(relation, (core.Var(first, type=t), core.Var(second, type=u))))


class _Finder:
    """Bounds of one unknown thing; `sure` are the names that never stand for none."""

    def __init__(
        self, rules: Ruleset, sought: str, of_type: Type, sure: set[str], inliner: Inliner
    ) -> None:
        self.rules, self.sought, self.type, self.sure, self.inliner = (
            rules,
            sought,
            of_type,
            sure,
            inliner,
        )

    def speaks(self, *items: core.Expr) -> bool:
        """Does it speak of what is sought?"""
        return any(
            isinstance(part, core.Var) and part.name == self.sought for part in core.walk(items)
        )

    def whole(self, bounds: Bounds) -> core.Expr | None:
        """The set of things that keep within the bounds; parts of a pair that are not bounded may
        be any.
        """
        if "" in bounds or not bounds:
            return bounds.get("")
        if not all(is_finite(t) for name, t in self._parts() if name not in bounds):
            return None
        pair: core.Expr = core.Builtin(
            "pair", tuple(core.Var(self._name(n), type=t) for n, t in self._parts()), type=self.type
        )
        for name, t in reversed(self._parts()):
            inner = core.Image(
                self._name(name),
                bounds.get(name, all_of(t)),
                _YES,
                pair,
                False,
                type=SetT(pair.type),
            )
            pair = inner if pair.type == self.type else joined(inner)
        return pair

    def _parts(self) -> tuple[tuple[str, Type], ...]:
        return self.rules.pairs[str(self.type)].parts

    def _name(self, part: str) -> str:
        return f"{self.sought}~{part}"

    # ----------------------------------------------------------------------------------- conditions
    def cases(self, define: str, args: tuple[core.Expr, ...]) -> Bounds:
        """Where a definition says true: in one of its cases."""
        known = self.rules.definitions[define]
        given = dict(zip([p for p, _ in known.params], args, strict=True))
        found: list[core.Expr] = []
        for case in known.cases:
            if case.value is None:
                return {}  # what cards add could be anything
            if case.value == core.Const(False):
                continue
            both = (case.value,) if case.cond is None else (case.cond, case.value)
            found.append(core.All(self.inliner.tree(both, given), type=TRUTH))
        return self.either(found)

    def bounds(self, e: core.Expr) -> Bounds:
        """What is sought if the condition holds."""
        if not self.speaks(e):
            return {}
        if isinstance(e, core.All):
            return self._all(e)
        if isinstance(e, core.Any):
            return self.either(e.of)
        if isinstance(e, core.IfElse):
            return self.either((core.All((e.cond, e.then)), e.other))
        if isinstance(e, core.Apply):
            return self.cases(e.define, e.args)
        if isinstance(e, core.Exists):
            return self._exists(e)
        if isinstance(e, core.Compare):
            return self._compared(e)
        if isinstance(e, core.Member):
            return self._member(e)
        if isinstance(e, core.Builtin) and (partners := builtin(e.name).partners):
            return self._meet(
                e.args[0],
                e.args[1],
                self.either_one,
                lambda known: beside(partners, many(known)),
            )
        return {}

    def _all(self, e: core.All) -> Bounds:
        """The narrowest bounds that one of several conditions gives, part by part."""
        found: Bounds = {}
        for part in e.of:
            for name, within in self.bounds(part).items():
                is_narrow = isinstance(within, core.SetOf)
                if name not in found or is_narrow or is_looked_up(found[name]):
                    found[name] = within
        return found

    def _member(self, e: core.Member) -> Bounds:
        """What is sought if it is in a set that is known, or what is known is in a set of its."""
        if not self.speaks(e.of):
            return self.value(e.item, e.of)
        if self.speaks(e.item):
            return {}
        return self.some(e.of, core.SetOf((e.item,), type=SetT(e.item.type)))

    def _compared(self, e: core.Compare) -> Bounds:
        """What is sought if it equals what is known, or is no farther than a few steps from it."""
        left, right = e.left, e.right
        if e.op in ("=", "<", "<=") and isinstance(left, core.Builtin) and left.name == "distance":
            far = (
                right.value - (e.op == "<")
                if isinstance(right, core.Const) and isinstance(right.value, int)
                else _FAR + 1
            )
            return (
                self._meet(
                    left.args[0],
                    left.args[1],
                    self.either_one,
                    lambda known: self._around(many(known), far),
                )
                if far <= _FAR
                else {}
            )
        if e.op != "=":
            return {}
        return self._meet(
            left, right, self.value, lambda known: core.SetOf((known,), type=SetT(known.type))
        ) or self._alike(left, right)

    def _alike(self, left: core.Expr, right: core.Expr) -> Bounds:
        """What is sought if something is the same of it as of what is known: those of all there are
        of which it is, to be looked up by it.
        """
        ours, theirs = (left, right) if self.speaks(left) else (right, left)
        whole = core.Var(self.sought, type=self.type)
        things: list[tuple[str, core.Expr]] = [("", whole)]
        if isinstance(self.type, PairT):
            things = [(name, core.Attribute(name, whole, type=t)) for name, t in self._parts()]
        for name, thing in things:
            key = replaced(ours, thing, member(thing.type))
            if (
                not self.speaks(theirs)
                and names_in(key) == {member(thing.type).name}
                and is_finite(thing.type)
            ):
                return {name: looked_up(thing.type, key, theirs)}
        return {}

    def _around(self, cells: core.Expr, far: int) -> core.Expr:
        """These cells and all no farther from one of them than so many steps; what is none is
        within reach of nothing.
        """
        for _ in range(far):
            var = core.Var(f"{self.sought}~near", type=site_type(cells.type) or cells.type)
            self.sure.add(var.name)
            both = core.SetOp(
                "+",
                many(var),
                core.Builtin("neighbors", (var,), type=SetT(var.type)),
                type=SetT(var.type),
            )
            cells = over(var.name, cells, both)
        return cells

    def either(self, conds: Iterable[core.Expr]) -> Bounds:
        """What is sought if one of these holds."""
        return self._union([self.bounds(cond) for cond in conds])

    def _union(self, ways: list[Bounds]) -> Bounds:
        """In one set or another, if every way gives one."""
        found: core.Expr | None = None
        for bounds in ways:
            within = self.whole(bounds)
            if within is None:
                return {}
            found = within if found is None else core.SetOp("+", found, within, type=within.type)
        return {} if found is None else {"": found}

    def _exists(self, e: core.Exists) -> Bounds:
        item = element(e.domain.type)
        found: Bounds = {}
        if not self.speaks(e.domain):
            if self._sure_set(e.domain):
                self.sure.add(e.var)
            for name, within in self.bounds(e.cond).items():
                found[name] = over(e.var, e.domain, within)
        elif item is not None:
            inner = _Finder(self.rules, e.var, item, self.sure, self.inliner)
            among = inner.whole(inner.bounds(e.cond))
            if among is not None and not self.speaks(among):
                found = self.some(e.domain, among)
        return found

    # --------------------------------------------------------------------------------------- values
    def _meet(
        self,
        left: core.Expr,
        right: core.Expr,
        solve: Solve,
        known: Callable[[core.Expr], core.Expr],
    ) -> Bounds:
        """Of two sides that meet one is known: then the other is bounded by it."""
        for one, other in ((left, right), (right, left)):
            if not self.speaks(one):
                return solve(other, known(one))
        return {}

    def either_one(self, e: core.Expr, within: core.Expr) -> Bounds:
        """A value, or one of a set, is in this set."""
        return self.value(e, within) if element(e.type) is None else self.some(e, within)

    def value(self, e: core.Expr, within: core.Expr) -> Bounds:
        """What is sought if a value that speaks of it is in this set."""
        if e == core.Var(self.sought):
            return {"": within}
        if (
            isinstance(e, core.Attribute)
            and e.of == core.Var(self.sought)
            and isinstance(self.type, PairT)
        ):
            return {e.name: within}
        if not self._sure_set(within):
            return {}  # the value may be none, and none be meant
        if isinstance(e, core.Builtin) and e.name == "step" and not self.speaks(e.args[1]):
            return self.value(e.args[0], beside("neighbors", within))
        if isinstance(e, core.Builtin) and e.name == "site":
            return self._lying(e.args[0], within)
        return {}

    def some(self, e: core.Expr, within: core.Expr) -> Bounds:
        """What is sought if one of a set that speaks of it is in this set."""
        if isinstance(e, core.Builtin) and (inverse := builtin(e.name).inverse):
            return self.either_one(e.args[0], beside(inverse, within))
        if isinstance(e, core.Builtin) and e.name == "sites":
            return self._lying(e.args[0], within)
        if isinstance(e, core.Filter):
            return self.some(e.domain, within)
        if isinstance(e, core.SetOp) and e.op == "-":
            return self.some(e.left, within)
        if isinstance(e, core.SetOp):
            return self._union([self.some(e.left, within), self.some(e.right, within)])
        if isinstance(e, core.SetOf):
            return self._union([self.value(item, within) for item in e.items])
        if isinstance(e, core.Apply):
            return self._some_of_definition(e, within)
        return {}

    def _some_of_definition(self, e: core.Apply, within: core.Expr) -> Bounds:
        """The same of the set that a definition gives, if it is one plain expression."""
        known = self.rules.definitions[e.define]
        case = known.cases[0]
        if len(known.cases) != 1 or case.cond is not None or case.value is None:
            return {}
        given = dict(zip([p for p, _ in known.params], e.args, strict=True))
        return self.some(self.inliner.tree(case.value, given), within)

    def _lying(self, piece: core.Expr, sites: core.Expr) -> Bounds:
        found = lying(
            self.rules,
            piece.type.of if isinstance(piece.type, OptionalT) else piece.type,
            sites,
            self.sought,
        )
        return {} if found is None else self.value(piece, found)

    def _sure_set(self, e: core.Expr) -> bool:
        """Has this set certainly no none in it?"""
        if isinstance(e, core.SetOf):
            return all(self._sure(item) for item in e.items)
        if isinstance(e, core.Filter):
            return self._sure_set(e.domain)
        if isinstance(e, core.SetOp):
            return self._sure_set(e.left) and (e.op == "-" or self._sure_set(e.right))
        if isinstance(e, core.Builtin) and e.name == "joined" and isinstance(e.args[0], core.Image):
            return self._sure_set(e.args[0].body)
        return isinstance(e, core.Image) or (
            isinstance(e, core.Builtin) and builtin(e.name).never_none
        )

    def _sure(self, e: core.Expr) -> bool:
        if isinstance(e, core.Var):
            return e.name in self.sure
        if isinstance(e, core.Attribute):
            return isinstance(e.of.type, PairT) and self._sure(e.of)
        return isinstance(e, core.Const) and e.value is not None
