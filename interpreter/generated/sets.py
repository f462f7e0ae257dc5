"""Sets and lists as Python, components and reach among them, and values read at another time."""

from __future__ import annotations

from typing import Any

from interpreter.generated.parts import neighbors_in, parts_of, reached
from interpreter.generated.words import Words
from interpreter.model.values import span
from rulelang import core
from rulelang.analysis.cost import names_in
from rulelang.core.types import KindT, ListT, PieceT, SiteT, Type, element, site_type
from rulelang.core.values import ordered
from rulelang.geometry.grid import reach, reach_in


class Expressions(Words):
    """Writes any expression of the core."""

    # complexity: one form of output, and the room goes with the native engine
    def _setof(self, e: core.SetOf) -> str:
        if (
            e.items
            and not isinstance(e.type, ListT)
            and all(isinstance(i, core.Const) for i in e.items)
        ):
            return self.constants.value(
                frozenset(i.value for i in e.items if isinstance(i, core.Const))
            )
        if e.items and not isinstance(e.type, ListT) and all(_is_compass(i) for i in e.items):
            made = [self.constants.recipes[self.gen(i)] for i in e.items]
            return self.constants.name(
                ("set", e), lambda rules: frozenset(recipe(rules) for recipe in made)
            )
        items = ", ".join(self.gen(i) for i in e.items)
        if isinstance(e.type, ListT):
            return f"({items},)" if items else "()"
        return f"frozenset(({items},))" if items else "frozenset()"

    def _setop(self, e: core.SetOp) -> str:
        a, b = self.gen(e.left), self.gen(e.right)
        if isinstance(e.type, ListT):
            name = self.constants.name("ordered", lambda _: ordered)
            if e.op == "+":
                return f"(tuple({a}) + tuple({name}({b})))"
            b = self.named(b)
            return f"tuple([x for x in {a} if x not in {b}])"
        return f"(frozenset({a}) {'|' if e.op == '+' else '-'} frozenset({b}))"

    def _range(self, e: core.Range) -> str:
        return (
            f"{self.constants.name('span', lambda _: span)}({self.gen(e.low)}, {self.gen(e.high)})"
        )

    def _filter(self, e: core.Filter) -> str:
        found = self.fresh("l")
        self.line(f"{found} = []")
        with self.loop(e.var, e.domain) as item:
            self.guard(e.cond, "continue")
            self.line(f"{found}.append({item})")
        return f"{'tuple' if isinstance(e.type, ListT) else 'frozenset'}({found})"

    def _image(self, e: core.Image) -> str:
        found = self.fresh("l")
        self.line(f"{found} = []")
        with self.loop(e.var, e.domain, stable=e.repeats):
            self.guard(e.cond, "continue")
            self.line(f"{found}.append({self.gen(e.body)})")
        if e.repeats:
            return f"tuple({found})"
        return (
            f"(frozenset({found}) - {self.constants.value(frozenset([None]))})"
            if self.maybe_none(e.body)
            else f"frozenset({found})"
        )

    def _best(self, e: core.Best) -> str:
        top, found = self.fresh("k"), self.fresh("l")
        self.line(f"{top} = None; {found} = []")
        with self.loop(e.var, e.domain) as item:
            key = self.atom(e.key)
            with self.block(f"if {top} is None or {key} {'>' if e.largest else '<'} {top}:"):
                self.line(f"{top} = {key}; {found} = [{item}]")
            with self.block(f"elif {key} == {top}:"):
                self.line(f"{found}.append({item})")
        return f"{'tuple' if isinstance(e.type, ListT) else 'frozenset'}({found})"

    def _pick(self, e: core.Pick) -> str:
        if isinstance(e.of.type, ListT):
            found = self.atom(e.of)
            return f"({found}[0] if {found} else None)"
        item = element(e.of.type)
        if isinstance(item, KindT | PieceT | SiteT):
            return f"min({self.gen(e.of)}, default=None)"
        found = self.atom(e.of)
        return f"({self.in_order(found, item)}[0] if {found} else None)"

    def _stable(self, e: core.Stable) -> str:
        current, kept = self.fresh("l"), self.fresh("l")
        self.line(f"{current} = frozenset({self.gen(e.domain)})")
        with self.block("while True:"):
            self.line(f"{kept} = []")
            item = self.fresh("v")
            with (
                self.bound(e.so_far, current, None),
                self.block(f"for {item} in {current}:"),
                self.bound(e.var, item, e.domain),
            ):
                self.guard(e.cond, "continue")
                self.line(f"{kept}.append({item})")
            with self.block(f"if len({kept}) == len({current}):"):
                self.line("break")
            self.line(f"{current} = frozenset({kept})")
        return current

    # ---------------------------------------------------------------------------------------- components and reach
    # complexity: one form of output, and the room goes with the native engine
    def first(self, var: str, domain: core.Expr, cond: core.Expr, then: list[str]) -> None:
        """Of components that must hold some member of a kind, only those are grown, from such members, without the set being built."""
        parts = list(cond.of) if isinstance(cond, core.All) else [cond]
        seed = next(
            (
                p
                for p in parts
                if isinstance(p, core.Exists)
                and p.domain == core.Var(var)
                and var not in names_in(p.cond)
            ),
            None,
        )
        everywhere = (
            isinstance(domain, core.Groups)
            and isinstance(domain.of, core.Filter)
            and _is_all(domain.of.domain)
        )
        if seed is None or not everywhere or domain.relation is not None or self.grows():  # type: ignore[attr-defined]  # it is a reach
            super().first(var, domain, cond, then)
            return
        members = domain.of  # type: ignore[attr-defined]  # it is groups
        met, part, start, cell, near = (self.fresh("g") for _ in range(5))
        self.line(f"{met} = set()")
        narrow = (
            isinstance(seed.cond, core.Member)
            and seed.cond.item == core.Var(seed.var)
            and seed.var not in names_in(seed.cond.of)
        )
        starts = seed.cond.of if narrow else members.domain  # type: ignore[attr-defined]  # it is a filter
        with self.block(f"for {start} in {self.gen(starts)}:"):
            self.line(f"if {start} in {met}: continue")
            with self.bound(members.var, start, members.domain):
                self.guard(members.cond, "continue")
            if not narrow:
                with self.bound(seed.var, start, members.domain):
                    self.guard(seed.cond, "continue")
            self.line(f"{met}.add({start}); {part} = [{start}]")
            neighbors = self.near(None, element(members.type), part, part)
            with (
                self.block(f"for {cell} in {part}:"),
                self.block(f"for {near} in {neighbors}({cell}):"),
            ):
                self.line(f"if {near} in {met}: continue")
                with self.bound(members.var, near, members.domain):
                    self.guard(members.cond, "continue")
                self.line(f"{met}.add({near}); {part}.append({near})")
            with self.bound(var, f"frozenset({part})", None):
                self.meets(core.All(tuple(p for p in parts if p is not seed)), then)

    def _groups(self, e: core.Groups) -> str:
        members = self.named(f"frozenset({self.gen(e.of)})")
        grown = self.constants.name("parts", lambda _: parts_of)
        return f"{grown}({self.position}, {e.relation!r}, {members}, {self.near(e.relation, element(e.of.type), members, members)})"

    def _reach(self, e: core.Reach) -> str:
        seeds, item = self.named(f"frozenset({self.gen(e.seeds)})"), element(e.seeds.type)
        if e.steps is not None:
            space = self.named(
                f"frozenset({self.gen(e.within)})"
                if e.within is not None
                else self._everything(item)
            )
            inside = f"{seeds} | {space}" if e.relation else space
            near = self.near(e.relation, item, seeds, space)
            return f"{self.constants.name('reach_in', lambda _: reach_in)}({self.number(e.steps)}, {seeds}, {near}, {inside})"
        if e.relation is None and e.within is None:
            return f"{self.constants.name('reach', lambda _: reach)}({seeds}, {self.near(None, item, seeds, seeds)}, None)"
        space = self.named(
            f"frozenset({self.gen(e.within)})" if e.within is not None else self._everything(item)
        )
        grown = self.constants.name("reached", lambda _: reached)
        return f"{grown}({self.position}, {e.relation!r}, {seeds}, {space}, {self.near(e.relation, item, seeds, space)})"

    def near(self, relation: str | None, item: Type | None, seeds: str, space: str) -> str:
        """A function giving the neighbors of a thing."""
        if relation is None:
            site = site_type(item) if item is not None else None
            board = site.board if site else next(iter(self.rules.boards))
            return self.constants.name(("near", board), lambda rules: _beside(rules, board))
        near = self.constants.name("near", lambda _: neighbors_in)
        partners, both = self.module.partners(relation)
        return f"{near}({self.position}, {relation!r}, {partners}, {both}, {self.module.definition(relation)}, {seeds}, {space})"

    def _everything(self, item: Type | None) -> str:
        return self.constants.name(
            ("everything", str(item)), lambda rules: rules.reference.everything(item)
        )

    # ---------------------------------------------------------------------------------------- time
    def _at(self, e: core.At) -> str:
        kept = self.position
        at = self.fresh("s")
        if e.mode == "before":
            self.line(
                f"{at} = {self.position}.before if {self.position}.before is not None else {self.position}"
            )
        else:
            assert e.event is not None
            params = self.rules.events[e.event].params
            values = (
                [self.gen(a) for a in e.args]
                if e.args or not params
                else [self.names[name] for name, _ in params]
            )
            later = self.constants.name("supposing", lambda rules: rules.supposing)
            self.line(
                f"{at} = {later}({self.position}, {e.event!r}, ({', '.join(values)}{',' if values else ''}))"
            )
        self.position = at
        value = self.atom(e.body)
        self.position = kept
        return value

    def _slot(self, e: core.Slot) -> str:
        raise AssertionError("an open wording has no value")


def _is_all(e: core.Expr) -> bool:
    return isinstance(e, core.Builtin) and e.name == "all"


def _is_compass(e: core.Expr) -> bool:
    return isinstance(e, core.Builtin) and e.name == "compass"


def _beside(rules: Any, board: str) -> Any:
    info = rules.setup.boards[board]
    if info.copies == 1:
        cells: dict[int | None, tuple[int, ...]] = {
            None: (),
            **dict(enumerate(info.grid.neighbors)),
        }
        return cells.__getitem__

    def around(cell: int | None) -> list[int]:
        if cell is None:
            return []
        copy, local = divmod(cell, info.cells)
        return [c + copy * info.cells for c in info.grid.neighbors[local]]

    return around
