"""Conditions as Python: as values, and as guards that leave a function or go on with a loop as soon as something fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.generated.values import Values
from rulelang import core
from rulelang.analysis.cost import names_in
from rulelang.core.types import PLAYER, KindT, ListT, PieceT, SetT, SiteT, Type, element
from rulelang.core.values import ordered

_ORDER = {"<", "<=", ">", ">="}


class Conditions(Values):
    """Adds what is true or false, and loops."""

    def test(self, e: core.Expr) -> str:
        """A condition as an expression."""
        return self.gen(e)

    # ---------------------------------------------------------------------------------------- loops
    @contextmanager
    def loop(self, var: str, domain: core.Expr, stable: bool = False) -> Iterator[str]:
        """A loop over a domain with its filters; `stable` keeps the stable order, `continue` within goes on with the next member."""
        inner = domain
        kept: list[core.Filter] = []
        while isinstance(inner, core.Filter):
            kept.append(inner)
            inner = inner.domain
        item = self.fresh("v")
        with (
            self.bound(var, item, inner),
            self.block(f"for {item} in {self.visited(self.members(inner, stable))}:"),
        ):
            for part in reversed(kept):
                with self.bound(part.var, item, inner):
                    self.guard(part.cond, "continue")
            yield item

    def visited(self, members: str) -> str:
        """The same members, which are looked through: that is counted."""
        name, work = self.named(members), self.work()
        self.line(f"{work}.visits -= len({name})")
        self.line(f"if {work}.visits < 0: {work}.spent()")
        return name

    @contextmanager
    def bound(self, var: str, item: str, domain: core.Expr | None) -> Iterator[None]:
        """Within, the name stands for a member of the domain."""
        old, sure = self.names.get(var), var in self.sure
        self.names[var] = item
        self.sure.discard(var)
        if domain is not None and (
            isinstance(domain.type, SetT) or isinstance(domain, core.Contents)
        ):
            self.sure.add(var)
        yield
        self.sure.discard(var)
        if sure:
            self.sure.add(var)
        if old is None:
            self.names.pop(var, None)
        else:
            self.names[var] = old

    def members(self, domain: core.Expr, stable: bool) -> str:
        """What to loop over."""
        if isinstance(domain, core.Contents):
            pile = self.pile(domain)
            return (
                f"sorted({pile})"
                if stable and not self.rules.places[domain.place].ordered
                else pile
            )
        if stable and isinstance(domain, core.Builtin) and isinstance(domain.type, SetT):
            kept = self.kept_in_order(domain)
            if kept is not None:
                return kept
        text = self.gen(domain)
        if not stable or isinstance(domain.type, ListT):
            return text
        recipe = self.constants.recipes.get(text)
        if recipe is not None:
            return self.constants.name(
                ("in order", text), lambda rules: tuple(ordered(recipe(rules)))
            )
        return self.in_order(text, element(domain.type))

    def kept_in_order(self, e: core.Builtin) -> str | None:
        """The members a word gives, kept in the stable order; none for words whose results are not kept."""
        return None

    def in_order(self, text: str, item: Type | None) -> str:
        """The members of a set in the stable order."""
        if isinstance(item, KindT | PieceT | SiteT) or item == PLAYER:
            return f"sorted({text})"
        return f"{self.constants.name('ordered', lambda _: ordered)}({text})"

    def some(self, var: str, domain: core.Expr, cond: core.Expr) -> str:
        """Is there a member that meets the condition?"""
        name = self.fresh()
        self.line(f"{name} = False")
        self.first(var, domain, cond, [f"{name} = True", "break"])
        return name

    def first(self, var: str, domain: core.Expr, cond: core.Expr, then: list[str]) -> None:
        """A loop with these lines, the last of which leaves it, for the first member that meets the condition."""
        with self.loop(var, domain):
            self.meets(cond, then)

    def meets(self, cond: core.Expr, then: list[str]) -> None:
        """Within a loop: these lines if the condition holds of the present member."""
        parts = cond.of if isinstance(cond, core.All) and cond.of else (cond,)
        for part in parts[:-1]:
            self.guard(part, "continue")
        last = parts[-1]
        if isinstance(last, core.Forall):
            with self.loop(last.var, last.domain):
                self.guard(last.cond, "break")
            self.line("else:")
            self.depth += 1
            for line in then:
                self.line(line)
            self.depth -= 1
            return
        self.guard(last, "continue")
        for line in then:
            self.line(line)

    # ---------------------------------------------------------------------------------------- guards
    def guard(self, e: core.Expr, fail: str) -> None:
        """Go on only if the condition holds, else do `fail` (a `return`, or statements for the present loop)."""
        if isinstance(e, core.All):
            for part in e.of:
                self.guard(part, fail)
        elif isinstance(e, core.Const):
            if not e.value:
                self.line(fail)
        elif isinstance(e, core.Exists) and not isinstance(e.cond, core.Member):
            self.first(e.var, e.domain, e.cond, ["break"])
            self.line("else:")
            self.depth += 1
            self.line(fail)
            self.depth -= 1
        elif isinstance(e, core.Forall) and fail.startswith("return"):
            with self.loop(e.var, e.domain):
                self.guard(e.cond, fail)
        elif (
            isinstance(e, core.Not) and isinstance(e.of, core.Exists) and fail.startswith("return")
        ):
            with self.loop(e.of.var, e.of.domain):
                self.guard(e.of.cond, "continue")
                self.line(fail)
        elif isinstance(e, core.Not):
            with self.block(f"if {self.test(e.of)}:"):
                self.line(fail)
        else:
            with self.block(f"if not {self.test(e)}:"):
                self.line(fail)

    # ---------------------------------------------------------------------------------------- as values
    def _compare(self, e: core.Compare) -> str:
        if e.op not in _ORDER:
            for one, other in ((e.left, e.right), (e.right, e.left)):
                if isinstance(other, core.Const) and other.value is None:
                    return f"({self.gen(one)} is {'' if e.op == '=' else 'not '}None)"
            return f"({self.gen(e.left)} {'==' if e.op == '=' else '!='} {self.gen(e.right)})"
        doubtful = [side for side in (e.left, e.right) if self.maybe_none(side)]
        if not doubtful:
            return f"({self.gen(e.left)} {e.op} {self.gen(e.right)})"
        a, b = self.atom(e.left), self.atom(e.right)
        checks = [
            f"{name} is not None"
            for name, side in ((a, e.left), (b, e.right))
            if self.maybe_none(side)
        ]
        return f"({' and '.join(checks)} and {a} {e.op} {b})"

    def _member(self, e: core.Member) -> str:
        of = e.of
        if isinstance(of, core.Contents) and not self.maybe_none(e.item):
            where = (
                self.constants.value((of.place, None))
                if of.index is None
                else f"({of.place!r}, {self.gen(of.index)})"
            )
            return f"({self.position}.where[{self.gen(e.item)}] == {where})"
        if isinstance(of, core.Filter):
            item = self.atom(e.item)
            with self.bound(of.var, item, of.domain):
                return self._all(
                    core.All((core.Member(core.Var(of.var, type=e.item.type), of.domain), of.cond))
                )
        return f"({self.gen(e.item)} in {self.pile(of) if isinstance(of, core.Contents) else self.gen(of)})"

    def _not(self, e: core.Not) -> str:
        return f"(not {self.test(e.of)})"

    def _all(self, e: core.All) -> str:
        return self._chain(e.of, "and", "True")

    def _any(self, e: core.Any) -> str:
        return self._chain(e.of, "or", "False")

    def _chain(self, parts: tuple[core.Expr, ...], word: str, empty: str) -> str:
        """Parts joined so that a later one is worked out only if the earlier ones leave it open."""
        if not parts:
            return empty
        first = self.test(parts[0])
        if len(parts) == 1:
            return first
        with self.apart() as lines:
            self.depth += 1
            rest = self._chain(parts[1:], word, empty)
            self.depth -= 1
        if not lines:
            return f"({first} {word} {rest})"
        name = self.fresh()
        self.line(f"{name} = {first}")
        self.line(f"if {name}:" if word == "and" else f"if not {name}:")
        self.lines += lines
        self.depth += 1
        self.line(f"{name} = {rest}")
        self.depth -= 1
        return name

    def _exists(self, e: core.Exists) -> str:
        within = (
            e.cond.of
            if isinstance(e.cond, core.Member) and e.cond.item == core.Var(e.var)
            else None
        )
        if (
            within is not None
            and isinstance(within.type, SetT)
            and not isinstance(within, core.Contents | core.Filter)
            and e.var not in names_in(within)
        ):
            domain = e.domain
            return f"(not {self.gen(within)}.isdisjoint({self.pile(domain) if isinstance(domain, core.Contents) else self.gen(domain)}))"
        return self.some(e.var, e.domain, e.cond)

    def _forall(self, e: core.Forall) -> str:
        return f"(not {self.some(e.var, e.domain, core.Not(e.cond))})"

    def _accepts(self, e: core.Accepts) -> str:
        return f"{self.module.accepts(e.event)}({', '.join([self.position, *(self.gen(a) for a in e.args)])})"

    def _ifelse(self, e: core.IfElse) -> str:
        cond = self.test(e.cond)
        with self.apart() as then:
            self.depth += 1
            first = self.gen(e.then)
            self.depth -= 1
        with self.apart() as other:
            self.depth += 1
            second = self.gen(e.other)
            self.depth -= 1
        if not then and not other:
            return f"({first} if {cond} else {second})"
        name = self.fresh()
        for head, lines, value in (("if " + cond, then, first), ("else", other, second)):
            self.line(head + ":")
            self.lines += lines
            self.depth += 1
            self.line(f"{name} = {value}")
            self.depth -= 1
        return name
