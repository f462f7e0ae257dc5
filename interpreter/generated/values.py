"""Values as Python: constants, names, variables of the table, fields, places, words, definitions, arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.generated.source import Constants, Source
from interpreter.model.values import bounded, quotient
from rulelang import core
from rulelang.core.bounds import LARGEST, SMALLEST
from rulelang.core.types import NUMBER, TRUTH, ListT, OptionalT, PairT, SetT
from rulelang.core.values import nothing_of

if TYPE_CHECKING:
    from interpreter.generated.module import Module


class Values(Source):
    """Writes expressions into one function; `position` is the name of the position they are read in."""

    def __init__(self, module: Module, constants: Constants, names: dict[str, str]) -> None:
        """`names` gives the local name of each name in scope."""
        super().__init__(constants)
        self.module, self.rules, self.names, self.position = (
            module,
            module.ruleset,
            dict(names),
            "s",
        )
        self.sure: set[str] = set()  # names that never stand for none

    # ---------------------------------------------------------------------------------------- plain
    def gen(self, e: core.Expr) -> str:
        """A Python expression for the value, after lines that prepare it."""
        method: Callable[[Any], str] = getattr(self, f"_{type(e).__name__.lower()}")
        return method(e)

    def atom(self, e: core.Expr) -> str:
        """The value under a name or literal, to be used more than once."""
        return self.named(self.gen(e))

    def named(self, text: str) -> str:
        """A name for a Python expression, unless it is one already."""
        if text.isidentifier() or text.isdigit():
            return text
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def literal(self, value: Any) -> str:
        """A constant of the rules: written out if it is a number, a truth or none, else by name."""
        return (
            repr(value)
            if value is None or isinstance(value, bool | int)
            else self.constants.value(value)
        )

    def maybe_none(self, e: core.Expr) -> bool:
        """Can the value be none? Where that is not plain, yes."""
        if isinstance(e, core.Const):
            return e.value is None
        if e.type in (TRUTH, NUMBER) or isinstance(e.type, SetT | ListT | PairT):
            return False
        if isinstance(e, core.Var):
            return e.name not in self.sure
        if isinstance(e, core.IfElse):
            return self.maybe_none(e.then) or self.maybe_none(e.other)
        if isinstance(e, core.Attribute | core.Builtin) and not isinstance(e.type, OptionalT):
            parts = (e.of,) if isinstance(e, core.Attribute) else e.args
            return (
                any(self.maybe_none(p) for p in parts)
                or isinstance(e, core.Attribute)
                or e.name in ("owner", "holder", "tile", "on", "site")
            )
        return not isinstance(e, core.Setting)

    def unless_none(self, guarded: list[str], value: Callable[[], str], empty: Any) -> str:
        """The value if none of these names is none, else what is asked of none."""
        if not guarded:
            return value()
        return f"({self.literal(empty)} if {' or '.join(f'{g} is None' for g in guarded)} else {value()})"

    # ---------------------------------------------------------------------------------------- leaves
    def _const(self, e: core.Const) -> str:
        return self.literal(e.value)

    def _var(self, e: core.Var) -> str:
        return self.names[e.name]

    def _setting(self, e: core.Setting) -> str:
        name, number = e.name, e.type == NUMBER

        def chosen(rules: Any) -> Any:
            index = rules.setup.options[name]
            return rules.setup.rules.options[name][index] if number else index

        return self.constants.name(("setting", name, number), chosen)

    def table(self, state: str) -> str:
        """The values of a variable by member; its identity holds as long as the position's."""
        text = f"{self.position}.vars[{state!r}]"
        return self.head(text) if self.position == "s" else text

    def _read(self, e: core.Read) -> str:
        if e.index is None:
            return f"{self.table(e.state)}[None]"
        known = self.rules.states[e.state]
        sure = not self.maybe_none(e.index)
        index = self.gen(e.index) if sure else self.atom(e.index)
        name = e.state
        if self.module.dense(known):
            text = f"{self.table(name)}[{index}]"
        else:
            default = self.constants.name(
                ("default", name), lambda rules: rules.setup.defaults[name]
            )
            text = f"{self.table(name)}.get({index}, {default})"
        return self.unless_none([] if sure else [index], lambda: text, nothing_of(e.type))

    def _attribute(self, e: core.Attribute) -> str:
        t = e.of.type.of if isinstance(e.of.type, OptionalT) else e.of.type
        pair = self.rules.pairs.get(str(t))
        if pair is not None:
            return f"{self.atom(e.of)}[{[name for name, _ in pair.parts].index(e.name)}]"
        name = e.name
        column = self.constants.name(("column", name), lambda rules: rules.setup.fields[name])
        if not self.maybe_none(e.of):
            return f"{column}[{self.gen(e.of)}]"
        piece = self.atom(e.of)
        return self.unless_none([piece], lambda: f"{column}[{piece}]", nothing_of(e.type))

    def pile(self, e: core.Contents) -> str:
        """The pieces of a place as they lie, a tuple."""
        if e.index is None:
            return f"{self.position}.places[{self.constants.value((e.place, None))}]"
        return f"{self.position}.places.get(({e.place!r}, {self.gen(e.index)}), ())"

    def _contents(self, e: core.Contents) -> str:
        found = self.pile(e)
        return found if self.rules.places[e.place].ordered else f"frozenset({found})"

    def _titled(self, e: core.Titled) -> str:
        key = (e.component, e.title.lower())
        return self.constants.name(
            ("titled", *key), lambda rules: frozenset(rules.setup.called.get(key, ()))
        )

    # ---------------------------------------------------------------------------------------- named things and sums
    def _apply(self, e: core.Apply) -> str:
        return f"{self.module.definition(e.define)}({', '.join([self.position, *(self.gen(a) for a in e.args)])})"

    def _total(self, e: core.Total) -> str:
        return f"{self.module.total(e.table)}({', '.join([self.position, *(self.gen(a) for a in e.args)])})"

    def number(self, e: core.Expr) -> str:
        """A number; none counts as 0."""
        found = self.gen(e)
        return f"({found} or 0)" if isinstance(e.type, OptionalT) else found

    def work(self) -> str:
        """What the present question has cost."""
        return self.constants.name("work", lambda rules: rules.setup.work)

    def bounded(self, text: str) -> str:
        """A number that is made sure to have 64 bits."""
        check = self.constants.name("bounded", lambda _: bounded)
        name = self.fresh("n")
        low, high = self.constants.value(SMALLEST), self.constants.value(LARGEST)
        return f"({name} if {low} <= ({name} := {text}) <= {high} else {check}({name}))"

    def _arith(self, e: core.Arith) -> str:
        a, b = self.number(e.left), self.number(e.right)
        if e.op in ("+", "-", "*"):
            text = f"({a} {e.op} {b})"
            return text if most(e) <= LARGEST else self.bounded(text)
        divide = self.constants.name("divide", lambda _: quotient)
        return f"{divide}({a}, {b}, {e.op == '/up'})"


_SMALL = ("count", "distance", "column", "row", "width", "height")


def most(e: core.Expr) -> int:
    """What the amount of a number cannot pass."""
    if isinstance(e, core.Const):
        return abs(e.value) if isinstance(e.value, int) else 0
    if isinstance(e, core.Attribute):
        return 10**9  # it is printed
    if isinstance(e, core.Builtin) and e.name in _SMALL:
        return 10**7
    if isinstance(e, core.Arith) and e.op in ("+", "-", "*"):
        one, other = most(e.left), most(e.right)
        return one * other if e.op == "*" else one + other
    return LARGEST
