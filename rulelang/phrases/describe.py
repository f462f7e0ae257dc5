"""Describe core expressions in English, with the author's wording where a definition has one.

Conditions in refusals, explanations of cards, failed scenarios and lints are printed with this.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from rulelang import core
from rulelang.builtins.registry import builtin
from rulelang.core.types import NUMBER, PLAYER, TRUTH, KindT, PieceT, element
from rulelang.diagnostics.english import spoken, with_articles
from rulelang.phrases.phrase import ALTERNATIVES, OPTIONAL, SLOT
from rulelang.ruleset import Definition, Params, Ruleset

_COMPARISONS = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_COUNTS = {
    "=": "exactly",
    "!=": "not exactly",
    "<": "fewer than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}
_ONE = re.compile(r"(?<![\w.-])(1 (?:\w+ )?\w+)\(\w+\)")  # of “1 point(s)”
_PREPOSITIONS = ("at", "by", "for", "from", "in", "into", "of", "on", "to", "under", "with")
_OPERATORS = {"+": "plus", "-": "less", "*": "times"}
_MOMENTS = {"after": "afterwards", "before": "before"}


class Describer:
    """Describes expressions of one ruleset.

    `value` may give the words for what a name stands for at present; without it, names are
    printed as the author wrote them.
    """

    def __init__(
        self, rules: Ruleset, value: Callable[[core.Var], str | None] | None = None
    ) -> None:
        """Describe expressions of these rules."""
        self.rules, self.value = rules, value

    def say(self, e: core.Expr | None) -> str:
        """An expression in words; the empty string for none."""
        return "" if e is None else DESCRIPTIONS[type(e)](self, e)

    def say_all(self, items: tuple[core.Expr, ...]) -> list[str]:
        """Each of several expressions in words."""
        return [self.say(item) for item in items]

    def member(self, kind: str, index: int) -> str:
        """The singular of a member of a kind, or the value of an option."""
        if kind in self.rules.kinds:
            return self.rules.kinds[kind].words[index][0]
        return spoken(str(self.rules.options.get(kind, ("?",) * (index + 1))[index]))

    def whose(self, e: core.Expr) -> str:
        """The possessive of an expression: “your”, or its words with 's."""
        said = self.say(e)
        return "your" if said == "you" else f"{said}'s"

    def noun(self, var: str) -> str:
        """The name of a bound variable as the author wrote it."""
        return spoken(var.split("~")[0])

    def negated(self, e: core.Expr) -> str:
        """The contrary of a condition in words."""
        if isinstance(e, core.Exists):
            domain = self.say(e.domain)
            return f"no {self.noun(e.var)} of {domain} such that {self.say(e.cond)}"
        if isinstance(e, core.Builtin) and builtin(e.name).negated:
            return builtin(e.name).negated.format(*self.say_all(e.args))
        if isinstance(e, core.Compare) and e.op == "=":
            return self.say(core.Compare("!=", e.left, e.right, type=TRUTH))
        if isinstance(e, core.Member):
            return self.membership(e, "is not")
        return f"it is not so that {self.bracketed(e, core.All, core.Any)}"

    def membership(self, e: core.Member, verb: str) -> str:
        """What is or is not in a set, with this verb between the two."""
        if isinstance(e.of, core.Titled):
            return f"{self.say(e.item)} {verb} {e.of.title}"
        if isinstance(e.of, core.SetOf):
            return f"{self.say(e.item)} {verb} {' or '.join(self.say_all(e.of.items))}"
        return f"{self.say(e.item)} {verb} one of {self.say(e.of)}"

    def bracketed(self, e: core.Expr, *connectives: type[core.All] | type[core.Any]) -> str:
        """An expression in words, in brackets if it joins several by one of these connectives."""
        if isinstance(e, core.All | core.Any) and isinstance(e, connectives) and len(e.of) > 1:
            return f"({self.say(e)})"
        return self.say(e)

    def worded(self, text: str, params: Params, values: tuple[core.Expr, ...]) -> str:
        """An author's wording, its slots filled with these values of the parameters."""
        given = dict(zip([p for p, _ in params], values, strict=True))
        named = {name: self.say(value) for name, value in given.items()}

        def filling(match: re.Match[str]) -> str:
            name, how = match.group(1), match.group(2) or ""
            one = not how or (how.startswith("by ") and named.get(how[3:]) == "1")
            forms = self.word_forms(given[name]) if name in given else None
            return named.get(name, name) if forms is None else forms[0 if one else 1]

        text = OPTIONAL.sub(r"\1", ALTERNATIVES.sub(r"\1", text))
        text = _ONE.sub(r"\1", SLOT.sub(filling, text))
        text = re.sub(r"\((\w+)\)", r"\1", text)
        return with_articles(text)

    def unmentioned(self, text: str, params: Params, values: tuple[core.Expr, ...]) -> str:
        """The arguments a wording does not mention, where they are more than what is at hand.

        For instance “, among the pieces on a bed”; empty if there are none.
        """
        silent = [
            (name, value)
            for (name, _), value in zip(params, values, strict=True)
            if f"{{{name}" not in text
        ]
        return "".join(
            f", {spoken(name)} {self.say(value)}"
            for name, value in silent
            if isinstance(value, core.Apply | core.Builtin)
        )

    def word_forms(self, e: core.Expr) -> tuple[str, str] | None:
        """The singular and plural that name exactly what an expression gives; none if no words do.

        That is a member of a kind, all pieces of a component, or those of one kind or group of it.
        """
        if isinstance(e, core.Const):
            known = isinstance(e.type, KindT) and e.type.name in self.rules.kinds
            if known and isinstance(e.type, KindT) and isinstance(e.value, int):
                return self.rules.kinds[e.type.name].words[e.value]
            return None
        if isinstance(e, core.Builtin) and e.name == "all":
            t = element(e.type)
            return self.rules.components[t.name].words if isinstance(t, PieceT) else None
        if (
            isinstance(e, core.Filter)
            and e.var.startswith("it~")
            and isinstance(e.domain, core.Builtin)
        ):
            return self._members_in_words(_compared_with(e.cond))
        return None

    def _members_in_words(self, values: tuple[core.Expr, ...]) -> tuple[str, str] | None:
        """The singular and plural of one member of a kind, or of the group of exactly these."""
        constants = [v for v in values if isinstance(v, core.Const)]
        names = {v.type.name for v in constants if isinstance(v.type, KindT)}
        kind = self.rules.kinds.get(names.pop()) if len(names) == 1 else None
        if kind is None:
            return None
        members = {v.value for v in constants if isinstance(v.value, int)}
        if len(members) == 1:
            return kind.words[members.pop()]
        groups = self.rules.groups.values()
        return next(
            (g.words for g in groups if g.kind == kind.name and set(g.members) == members), None
        )


def _compared_with(cond: core.Expr) -> tuple[core.Expr, ...]:
    """The constants a condition holds its value against: equal to one, or one of several."""
    if isinstance(cond, core.Compare) and isinstance(cond.right, core.Const):
        return (cond.right,) if cond.op == "=" else ()
    if isinstance(cond, core.Member) and isinstance(cond.of, core.SetOf):
        return cond.of.items
    return ()


# ------------------------------------------------------------- one function for each node class
Node = TypeVar("Node", bound=core.Expr)
DESCRIPTIONS: dict[type[core.Expr], Callable[[Describer, core.Expr], str]] = {}  # closed: tested


def _describes(
    node: type[Node],
) -> Callable[[Callable[[Describer, Node], str]], Callable[[Describer, Node], str]]:
    """Enter a function in the table as the one that describes this class of expressions."""

    def enter(describe: Callable[[Describer, Node], str]) -> Callable[[Describer, Node], str]:
        def checked(d: Describer, e: core.Expr) -> str:
            assert isinstance(e, node)
            return describe(d, e)

        DESCRIPTIONS[node] = checked
        return describe

    return enter


@_describes(core.Const)
def _const(d: Describer, e: core.Const) -> str:
    if e.value is None:
        return "none"
    if isinstance(e.value, bool):
        return "so" if e.value else "never"
    if isinstance(e.type, KindT) and isinstance(e.value, int):
        return d.member(e.type.name, e.value)
    if e.type == PLAYER and isinstance(e.value, int):
        return f"player {e.value + 1}"
    return str(e.value)


@_describes(core.Var)
def _var(d: Describer, e: core.Var) -> str:
    said = d.value(e) if d.value else None
    return said if said is not None else d.noun(e.name)


@_describes(core.Setting)
def _setting(d: Describer, e: core.Setting) -> str:
    return f"the option {spoken(e.name)}"


@_describes(core.Read)
def _read(d: Describer, e: core.Read) -> str:
    whose = d.whose(e.index) if e.index is not None else "the"
    return f"{whose} {spoken(e.state)}"


@_describes(core.Attribute)
def _attribute(d: Describer, e: core.Attribute) -> str:
    return f"{d.whose(e.of)} {spoken(e.name)}"


@_describes(core.Contents)
def _contents(d: Describer, e: core.Contents) -> str:
    whose = d.whose(e.index) if e.index is not None else "the"
    return f"{whose} {spoken(e.place)}"


@_describes(core.Titled)
def _titled(d: Describer, e: core.Titled) -> str:
    return e.title


@_describes(core.Builtin)
def _builtin(d: Describer, e: core.Builtin) -> str:
    return builtin(e.name).worded(e, d.say_all(e.args), d.rules)


@_describes(core.Apply)
def _apply(d: Describer, e: core.Apply) -> str:
    known = d.rules.definitions.get(e.define)
    if known is None:
        return spoken(e.define)
    if known.reads:
        number = _number_given(known, e.args)
        if number is not None:
            return d.say(number)
        wording = known.reads[0]
        return d.worded(wording, known.params, e.args) + d.unmentioned(
            wording, known.params, e.args
        )
    args = d.say_all(e.args)
    is_truth = str(known.type) == "truth"
    if len(args) == 2 and is_truth:
        return f"{args[0]} {spoken(e.define)} {args[1]}"
    if len(args) == 1:
        return f"{args[0]} is {spoken(e.define)}" if is_truth else f"{args[0]}'s {spoken(e.define)}"
    name = spoken(e.define)
    of = "" if name.rpartition(" ")[2] in _PREPOSITIONS else "of "
    return name + (f" {of}{', '.join(args)}" if args else "")


def _number_given(known: Definition, args: tuple[core.Expr, ...]) -> core.Expr | None:
    """The number among the arguments that a definition gives as it is, if that is all it does."""
    if known.type != NUMBER or len(known.cases) != 1 or known.cases[0].cond is not None:
        return None
    given = dict(zip([name for name, _ in known.params], args, strict=True))
    value = known.cases[0].value
    return given.get(value.name) if isinstance(value, core.Var) else None


@_describes(core.Total)
def _total(d: Describer, e: core.Total) -> str:
    known = d.rules.tables.get(e.table)
    if known is not None and known.reads:
        return d.worded(known.reads[0], known.params, e.args)
    return f"the {spoken(e.table)} of {', '.join(d.say_all(e.args))}"


@_describes(core.Arith)
def _arith(d: Describer, e: core.Arith) -> str:
    if e.op.startswith("/"):
        return f"{d.say(e.left)} divided by {d.say(e.right)}, rounded {e.op[1:]}"
    return f"{d.say(e.left)} {_OPERATORS[e.op]} {d.say(e.right)}"


@_describes(core.IfElse)
def _if_else(d: Describer, e: core.IfElse) -> str:
    return f"{d.say(e.then)} if {d.say(e.cond)}, otherwise {d.say(e.other)}"


@_describes(core.Compare)
def _compare(d: Describer, e: core.Compare) -> str:
    if isinstance(e.left, core.Builtin) and e.left.name == "count":
        return f"{_COUNTS[e.op]} {d.say(e.right)} of {d.say(e.left.args[0])}"
    return f"{d.say(e.left)} {_COMPARISONS[e.op]} {d.say(e.right)}"


@_describes(core.Member)
def _member(d: Describer, e: core.Member) -> str:
    return d.membership(e, "is")


@_describes(core.Not)
def _not(d: Describer, e: core.Not) -> str:
    return d.negated(e.of)


@_describes(core.All)
def _all(d: Describer, e: core.All) -> str:
    return ", and ".join(d.bracketed(p, core.Any) for p in e.of) or "always"


@_describes(core.Any)
def _any(d: Describer, e: core.Any) -> str:
    return ", or ".join(d.bracketed(p, core.All) for p in e.of) or "never"


@_describes(core.Exists)
def _exists(d: Describer, e: core.Exists) -> str:
    return f"some {d.noun(e.var)} of {d.say(e.domain)} such that {d.say(e.cond)}"


@_describes(core.Forall)
def _forall(d: Describer, e: core.Forall) -> str:
    return f"for every {d.noun(e.var)} of {d.say(e.domain)}: {d.say(e.cond)}"


@_describes(core.Accepts)
def _accepts(d: Describer, e: core.Accepts) -> str:
    return f"{spoken(e.event)} is allowed"


@_describes(core.SetOf)
def _set_of(d: Describer, e: core.SetOf) -> str:
    return ", ".join(d.say_all(e.items)) or "nothing"


@_describes(core.SetOp)
def _set_op(d: Describer, e: core.SetOp) -> str:
    left, right = d.say(e.left), d.say(e.right)
    return left if right == "none" else f"{left} {'and' if e.op == '+' else 'without'} {right}"


@_describes(core.Range)
def _range(d: Describer, e: core.Range) -> str:
    return f"{d.say(e.low)} to {d.say(e.high)}"


@_describes(core.Filter)
def _filter(d: Describer, e: core.Filter) -> str:
    """A set of the pieces of one kind is described by that kind's plural."""
    forms = d.word_forms(e)
    if forms is not None:
        return forms[1]
    if isinstance(e.cond, core.Apply) and e.var.startswith("it~") and len(e.cond.args) == 2:
        return f"{d.say(e.domain)} that {d.say(e.cond.args[0])} {spoken(e.cond.define)}"
    return f"{d.say(e.domain)} where {d.say(e.cond)}"


@_describes(core.Image)
def _image(d: Describer, e: core.Image) -> str:
    return f"{d.say(e.body)} for each {d.noun(e.var)} of {d.say(e.domain)}"


@_describes(core.Best)
def _best(d: Describer, e: core.Best) -> str:
    return f"{d.say(e.domain)} with the {'largest' if e.largest else 'smallest'} {d.say(e.key)}"


@_describes(core.Pick)
def _pick(d: Describer, e: core.Pick) -> str:
    return f"the first of {d.say(e.of)}"


@_describes(core.Stable)
def _stable(d: Describer, e: core.Stable) -> str:
    return f"{d.say(e.domain)} as far as {d.say(e.cond)}"


@_describes(core.Groups)
def _groups(d: Describer, e: core.Groups) -> str:
    return f"the connected groups of {d.say(e.of)}"


@_describes(core.Reach)
def _reach(d: Describer, e: core.Reach) -> str:
    steps = f" in {d.say(e.steps)} steps" if e.steps is not None else ""
    return f"what can be reached from {d.say(e.seeds)}{steps}"


@_describes(core.At)
def _at(d: Describer, e: core.At) -> str:
    moment = _MOMENTS.get(e.mode) or f"supposing {spoken(e.event or '')}"
    return f"{moment}, {d.say(e.body)}"


@_describes(core.Slot)
def _slot(d: Describer, e: core.Slot) -> str:
    """Templates alone hold slots; the rules that are described hold none."""
    return "slot"
