"""Sets and lists, their filters and images, groups and reach, as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.evaluator.values import Env, Func, Value, Values
from interpreter.model.position import Position
from interpreter.model.values import span
from rulelang import core
from rulelang.core.types import ListT, PairT, Type, element, site_type
from rulelang.core.values import ordered
from rulelang.geometry.grid import components, reach, reach_in


class Sets(Values):
    """Functions of the core's sets."""

    def _setof(self, e: core.SetOf) -> Func:
        items = [self.func(i) for i in e.items]
        if isinstance(e.type, ListT):
            return lambda s, env: tuple([i(s, env) for i in items])
        return lambda s, env: frozenset([i(s, env) for i in items])

    def _setop(self, e: core.SetOp) -> Func:
        a, b, listy = self.func(e.left), self.func(e.right), isinstance(e.type, ListT)
        if listy:
            if e.op == "+":
                return lambda s, env: tuple(a(s, env)) + tuple(ordered(b(s, env)))

            def without(s: Position, env: Env) -> tuple[Value, ...]:
                gone = b(s, env)
                return tuple(x for x in a(s, env) if x not in gone)

            return without
        if e.op == "+":
            return lambda s, env: frozenset(a(s, env)) | frozenset(b(s, env))
        return lambda s, env: frozenset(a(s, env)) - frozenset(b(s, env))

    def _range(self, e: core.Range) -> Func:
        low, high = self.func(e.low), self.func(e.high)
        return lambda s, env: span(low(s, env), high(s, env))

    def _filter(self, e: core.Filter) -> Func:
        var, domain, cond = e.var, self.func(e.domain), self.func(e.cond)

        def keep(s: Position, env: Env) -> Value:
            found = []
            members = domain(s, env)
            for item in members:
                env[var] = item
                if cond(s, env):
                    found.append(item)
            return tuple(found) if isinstance(members, tuple) else frozenset(found)

        return keep

    def _image(self, e: core.Image) -> Func:
        var, domain, cond, body, repeats = (
            e.var,
            self.func(e.domain),
            self.func(e.cond),
            self.func(e.body),
            e.repeats,
        )
        always = isinstance(e.cond, core.Const)

        def image(s: Position, env: Env) -> Value:
            found = []
            for item in ordered(domain(s, env)) if repeats else domain(s, env):
                env[var] = item
                if always or cond(s, env):
                    found.append(body(s, env))
            return tuple(found) if repeats else frozenset(x for x in found if x is not None)

        return image

    def _best(self, e: core.Best) -> Func:
        var, domain, key, sign = (
            e.var,
            self.func(e.domain),
            self.func(e.key),
            1 if e.largest else -1,
        )

        def best(s: Position, env: Env) -> Value:
            members = domain(s, env)
            scored = []
            for item in members:
                env[var] = item
                scored.append((sign * key(s, env), item))
            top = max((k for k, _ in scored), default=0)
            found = [item for k, item in scored if k == top]
            return tuple(found) if isinstance(members, tuple) else frozenset(found)

        return best

    def _pick(self, e: core.Pick) -> Func:
        of = self.func(e.of)

        def pick(s: Position, env: Env) -> Value:
            members = of(s, env)
            return ordered(members)[0] if members else None

        return pick

    def _stable(self, e: core.Stable) -> Func:
        var, so_far, domain, cond = e.var, e.so_far, self.func(e.domain), self.func(e.cond)

        def stable(s: Position, env: Env) -> frozenset[Value]:
            current = frozenset(domain(s, env))
            while True:
                env[so_far] = current
                kept = set()
                for item in current:
                    env[var] = item
                    env[so_far] = current
                    if cond(s, env):
                        kept.add(item)
                if len(kept) == len(current):
                    return current
                current = frozenset(kept)

        return stable

    def _groups(self, e: core.Groups) -> Func:
        of, near = self.func(e.of), self._near(e.relation, element(e.of.type))

        def groups(s: Position, env: Env) -> frozenset[frozenset[Value]]:
            members = frozenset(of(s, env))
            return frozenset(components(members, near(s, members)))

        return groups

    def _reach(self, e: core.Reach) -> Func:
        seeds, near = self.func(e.seeds), self._near(e.relation, element(e.seeds.type))
        within = self.func(e.within) if e.within is not None else None
        everything = self._everything(element(e.seeds.type)) if e.relation else None
        steps = self.func(e.steps) if e.steps is not None else None

        def reached(s: Position, env: Env) -> frozenset[Value]:
            start = frozenset(seeds(s, env))
            space = frozenset(within(s, env)) if within else everything(s) if everything else None
            around, bound = near(s, space), None if everything else space
            return (
                reach_in(steps(s, env) or 0, start, around, bound)
                if steps
                else reach(start, around, bound)
            )

        return reached

    def _near(
        self, relation: str | None, item: Type | None
    ) -> Callable[[Position, frozenset[Value] | None], Callable[[Value], Any]]:
        """The neighbors of a thing among others: by adjacency of cells, or by a relation tested either way round."""
        if relation is None:
            site = site_type(item) if item is not None else None
            info = self.setup.boards[site.board] if site else next(iter(self.setup.boards.values()))

            def beside(s: Position, space: frozenset[Value] | None) -> Callable[[Value], Any]:
                def around(cell: int | None) -> list[int]:
                    if cell is None:
                        return []
                    copy, local = divmod(cell, info.cells)
                    return [c + copy * info.cells for c in info.grid.neighbors[local]]

                return around

            return beside
        rules = self.rules

        def linked(s: Position, space: frozenset[Value] | None) -> Callable[[Value], Any]:
            members = ordered(space) if space is not None else []
            holds = rules.definition(relation)

            def test(a: Value, b: Value) -> bool:
                key = (relation, (a, b))
                memo = s.memo(rules.needs.group("define", relation))
                if key not in memo:
                    memo[key] = holds(s, (a, b))
                return bool(memo[key])

            return lambda x: [y for y in members if y != x and (test(x, y) or test(y, x))]

        return linked

    def _everything(self, item: Type | None) -> Callable[[Position], frozenset[Value]]:
        if isinstance(item, PairT):
            one, two = self.setup.rules.pairs[item.name].parts
            pairs = frozenset(
                (a, b) for a in self.setup.members(one[1]) for b in self.setup.members(two[1])
            )
            return lambda s: pairs
        assert item is not None
        members = frozenset(self.setup.members(item))
        return lambda s: members
