"""Values as Python: constants, names, variables of the table, fields, places, words, definitions, arithmetic."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.evaluate import Fault, nothing_of
from interpreter.generated.source import Constants, Source
from interpreter.sites import FAR, site_type
from rulelang import core
from rulelang.ruleset import Ruleset
from rulelang.types import NUMBER, TRUTH, ListT, OptionalT, PairT, SetT, Type, element

if TYPE_CHECKING:
    from interpreter.generated.clauses import Module

_GRID = frozenset(
    "neighbors surroundings sides inner_sides outer_sides ends cells outer adjacent touches_corner distance footprints lines_of "
    "step run side_to site_at column row width height spaces board_sites".split()
)  # words that follow from the cells a board has now, and nothing else


class Values(Source):
    """Writes expressions into one function; `position` is the name of the position they are read in."""

    def __init__(self, module: Module, constants: Constants, names: dict[str, str]) -> None:
        """`names` gives the local name of each name in scope."""
        super().__init__(constants)
        self.module, self.rules, self.names, self.position = module, module.ruleset, dict(names), "s"
        self.sure: set[str] = set()  # names that never stand for none
        self.moving = False  # does the position change while this function runs? then nothing read from it may be kept

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
        return repr(value) if value is None or isinstance(value, bool | int) else self.constants.value(value)

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
            return any(self.maybe_none(p) for p in parts) or isinstance(e, core.Attribute) or e.name in ("owner", "holder", "tile", "on", "site")
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
            default = self.constants.name(("default", name), lambda rules: rules.setup.defaults[name])
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
        return self.constants.name(("titled", *key), lambda rules: frozenset(rules.setup.by_title.get(key, ())))

    # ---------------------------------------------------------------------------------------- words
    def _builtin(self, e: core.Builtin) -> str:
        special = getattr(self, f"w_{e.name}", None)
        if special is not None:
            found: str | None = special(e)
            if found is not None:
                return found
        args = [self.gen(a) for a in e.args]
        doubtful = [i for i, a in enumerate(e.args) if self.maybe_none(a)]
        for i in doubtful:
            args[i] = self.named(args[i])
        empty = FAR if e.name == "distance" else nothing_of(e.type)
        word = self.constants.name(("word", e, str(e.type), *(str(a.type) for a in e.args)), lambda rules: rules.reference.words.make(e))
        call = f"{word}({', '.join([self.position, *args])})"
        if e.name in _GRID and not self.moving:
            args = [self.named(a) for a in args]
            call = f"{word}({', '.join([self.position, *args])})"
            return self._kept(e, args, call, doubtful, empty)
        return self.unless_none([args[i] for i in doubtful], lambda: call, empty)

    def _kept(self, e: core.Builtin, args: list[str], call: str, doubtful: list[int], empty: Any) -> str:
        """A word of the board alone: what it gave is kept, for ever on a board that does not grow, else until the board changes."""
        varying = [i for i, a in enumerate(e.args) if not isinstance(a, core.Const)]
        key = self.named(f"({', '.join(args[i] for i in varying)})") if len(varying) > 1 else args[varying[0]] if varying else "0"
        same = ("kept", e.name, *(str(a.type) if i in varying else repr(a) for i, a in enumerate(e.args)))
        few = all(element(e.args[i].type) is None and e.args[i].type != NUMBER for i in varying)
        if self.grows() or not few:
            mark = self.constants.value(same)
            kept = self.head(f"s.geometry.setdefault({mark}, {{}})") if self.position == "s" else f"{self.position}.geometry.setdefault({mark}, {{}})"
        else:
            kept = self.constants.name(same, lambda _: {})
        result = self.fresh()
        self.line(f"{result} = {kept}.get({key})")
        with self.block(f"if {result} is None:"):
            value = self.unless_none([args[i] for i in doubtful], lambda: call, empty)
            self.line(f"{result} = {kept}[{key}] = {value}")
        return result

    def grows(self) -> bool:
        """Does a board grow during the game?"""
        return any(board.grown_from is not None for board in self.rules.boards.values())

    def w_all(self, e: core.Builtin) -> str | None:
        """All members of a finite type."""
        t = element(e.type)
        if t is None or (site_type(t) is not None and self.rules.boards[site_type(t).board].grown_from is not None):  # type: ignore[union-attr]
            return None
        return self.constants.name(("all", str(t), repr(t)), lambda rules: frozenset(rules.setup.members(t)))

    def w_count(self, e: core.Builtin) -> str | None:
        """How many: a filter is counted without being built."""
        of = e.args[0]
        if element(of.type) is None:
            return None
        if isinstance(of, core.Filter):
            n = self.fresh("n")
            self.line(f"{n} = 0")
            with self.loop(of.var, of.domain):
                self.guard(of.cond, "continue")
                self.line(f"{n} += 1")
            return n
        return f"len({self.pile(of) if isinstance(of, core.Contents) else self.gen(of)})"

    def w_sum(self, e: core.Builtin) -> str:
        """The sum of numbers."""
        return f"sum({self.gen(e.args[0])})"

    def w_empty(self, e: core.Builtin) -> str:
        """Has it no members?"""
        of = e.args[0]
        if isinstance(of, core.Filter):
            return f"(not {self.some(of.var, of.domain, of.cond)})"
        return f"(not {self.pile(of) if isinstance(of, core.Contents) else self.gen(of)})"

    def w_on(self, e: core.Builtin) -> str:
        """What lies on a site."""
        layer = e.args[1].value  # type: ignore[attr-defined]
        text = f"{self.position}.on[{layer!r}]"
        here = self.head(text) if self.position == "s" else text
        if element(e.type) is not None:
            return f"{here}.get({self.gen(e.args[0])}, ())"
        return f"{here}.get({self.gen(e.args[0])}, {self.constants.value((None,))})[0]"

    def w_tile(self, e: core.Builtin) -> str:
        """The tile a cell is of."""
        board = site_type(e.args[0].type)
        assert board is not None
        return f"{self.position}.tiles[{board.board!r}].get({self.gen(e.args[0])}, {self.constants.value((None, 0))})[0]"

    def w_tile_index(self, e: core.Builtin) -> str:
        """The number a cell has on its tile."""
        board = site_type(e.args[0].type)
        assert board is not None
        return f"{self.position}.tiles[{board.board!r}].get({self.gen(e.args[0])}, {self.constants.value((None, 0))})[1]"

    def w_left(self, e: core.Builtin) -> str | None:
        """The next player."""
        if self.maybe_none(e.args[0]):
            return None
        players = self.constants.name("players", lambda rules: rules.setup.players)
        return f"(({self.gen(e.args[0])} + 1) % {players})"

    def w_board(self, e: core.Builtin) -> str:
        """The one board of its name."""
        return "0"

    # ---------------------------------------------------------------------------------------- named things and sums
    def _apply(self, e: core.Apply) -> str:
        return f"{self.module.definition(e.define)}({', '.join([self.position, *(self.gen(a) for a in e.args)])})"

    def _total(self, e: core.Total) -> str:
        return f"{self.module.total(e.table)}({', '.join([self.position, *(self.gen(a) for a in e.args)])})"

    def number(self, e: core.Expr) -> str:
        """A number; none counts as 0."""
        found = self.gen(e)
        return f"({found} or 0)" if isinstance(e.type, OptionalT) else found

    def _arith(self, e: core.Arith) -> str:
        a, b = self.number(e.left), self.number(e.right)
        if e.op in ("+", "-", "*"):
            return f"({a} {e.op} {b})"
        divide = self.constants.name("divide", lambda _: _divide)
        return f"{divide}({a}, {b}, {e.op == '/up'})"

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


def _divide(top: int, bottom: int, up: bool) -> int:
    if bottom == 0:
        raise Fault("a division by 0")
    return -(-top // bottom) if up else top // bottom
