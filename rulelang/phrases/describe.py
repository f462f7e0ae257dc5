"""Core objects said in words: the wording an author gave a definition where there is one, plain words of the language elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulelang import core
from rulelang.core.types import PLAYER, TRUTH, KindT, PieceT, element
from rulelang.diagnostics.english import spoken
from rulelang.phrases.phrase import ALTERNATIVES, OPTIONAL, SLOT
from rulelang.ruleset import Params, Ruleset

_COMPARE = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}


class Describer:
    """Says expressions of one ruleset; `value` may give the words of what a name stands for right now."""

    def __init__(
        self, rules: Ruleset, value: Callable[[core.Var], str | None] | None = None
    ) -> None:
        """Without `value`, names are said as the author wrote them."""
        self.rules, self.value = rules, value

    def say(self, e: core.Expr | None) -> str:
        """An expression in words."""
        if e is None:
            return ""
        method = getattr(self, f"_{type(e).__name__.lower()}", None)
        return str(method(e)) if method else type(e).__name__.lower()

    def _const(self, e: core.Const) -> str:
        if e.value is None:
            return "none"
        if isinstance(e.value, bool):
            return "so" if e.value else "never"
        if isinstance(e.type, KindT) and isinstance(e.value, int):
            return self.member(e.type.name, e.value)
        if e.type == PLAYER and isinstance(e.value, int):
            return f"player {e.value + 1}"
        return str(e.value)

    def member(self, kind: str, index: int) -> str:
        """A member of a kind as it is read."""
        if kind in self.rules.kinds:
            return self.rules.kinds[kind].words[index][0]
        return spoken(str(self.rules.options.get(kind, ("?",) * (index + 1))[index]))

    def _var(self, e: core.Var) -> str:
        said = self.value(e) if self.value else None
        return said if said is not None else spoken(e.name.split("~")[0])

    def whose(self, e: core.Expr) -> str:
        """To whom or what something belongs, before its name."""
        said = self.say(e)
        return "your" if said == "you" else f"{said}'s"

    def _setting(self, e: core.Setting) -> str:
        return f"the option {spoken(e.name)}"

    def _read(self, e: core.Read) -> str:
        return (
            f"{self.whose(e.index)} {spoken(e.state)}"
            if e.index is not None
            else f"the {spoken(e.state)}"
        )

    def _attribute(self, e: core.Attribute) -> str:
        return f"{self.whose(e.of)} {spoken(e.name)}"

    def _contents(self, e: core.Contents) -> str:
        return (
            f"{self.whose(e.index)} {spoken(e.place)}"
            if e.index is not None
            else f"the {spoken(e.place)}"
        )

    def _titled(self, e: core.Titled) -> str:
        return e.title

    def _builtin(self, e: core.Builtin) -> str:
        args = [self.say(a) for a in e.args]
        name = e.name
        if name == "all":
            t = element(e.type)
            if isinstance(t, PieceT):
                return self.rules.components[t.name].words[1]
            return f"all {spoken(args[0])}s"
        if name == "count":
            return f"the number of {args[0]}"
        if name == "adjacent":
            return f"{args[0]} and {args[1]} share a side"
        if name == "on":
            return f"what is on {args[0]}"
        if name in ("board", "board_of"):
            return f"the {spoken(args[-1])}"
        if name in ("sites", "site", "board_sites", "board_pieces"):
            return f"{args[0]}'s {args[1]}{'s' if name != 'site' else ''}"
        if len(args) == 1:
            return (
                f"{args[0]} is {spoken(name)}" if e.type == TRUTH else f"{args[0]}'s {spoken(name)}"
            )
        return f"{spoken(name)} of {' and '.join(args)}"

    def worded(self, text: str, params: Params, values: tuple[core.Expr, ...]) -> str:
        """An author's wording with what its slots stand for in them."""
        given = dict(zip([p for p, _ in params], values, strict=True))
        named = {name: self.say(value) for name, value in given.items()}

        def said(match: re.Match[str]) -> str:
            name, how = match.group(1), match.group(2) or ""
            one = not how or (how.startswith("by ") and named.get(how[3:]) == "1")
            forms = self.things(given[name]) if name in given else None
            return named.get(name, name) if forms is None else forms[0 if one else 1]

        text = OPTIONAL.sub(r"\1", ALTERNATIVES.sub(r"\1", text))
        text = re.sub(r"\((\w+)\)", r"\1", SLOT.sub(said, text))
        return re.sub(r"\b([Aa]) (?=[aeiouAEIOU])", r"\1n ", text)

    def looked_at(self, text: str, params: Params, values: tuple[core.Expr, ...]) -> str:
        """What a wording does not mention, where it is asked of something other than what is at hand: “, among the pieces on a bed”."""
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

    def _apply(self, e: core.Apply) -> str:
        known = self.rules.definitions.get(e.define)
        if known is None:
            return spoken(e.define)
        if known.reads:
            return self.worded(known.reads[0], known.params, e.args) + self.looked_at(
                known.reads[0], known.params, e.args
            )
        args = [self.say(a) for a in e.args]
        if len(args) == 2 and str(known.type) == "truth":
            return f"{args[0]} {spoken(e.define)} {args[1]}"
        if len(args) == 1:
            return (
                f"{args[0]} is {spoken(e.define)}"
                if str(known.type) == "truth"
                else f"{args[0]}'s {spoken(e.define)}"
            )
        return spoken(e.define) + (f" of {', '.join(args)}" if args else "")

    def _total(self, e: core.Total) -> str:
        known = self.rules.tables.get(e.table)
        if known is not None and known.reads:
            return self.worded(known.reads[0], known.params, e.args)
        return f"the {spoken(e.table)} of {', '.join(self.say(a) for a in e.args)}"

    def _arith(self, e: core.Arith) -> str:
        if e.op.startswith("/"):
            return f"{self.say(e.left)} divided by {self.say(e.right)}, rounded {e.op[1:]}"
        return f"{self.say(e.left)} {'times' if e.op == '*' else {'+': 'plus', '-': 'less'}[e.op]} {self.say(e.right)}"

    def _ifelse(self, e: core.IfElse) -> str:
        return f"{self.say(e.then)} if {self.say(e.cond)}, otherwise {self.say(e.other)}"

    def _compare(self, e: core.Compare) -> str:
        left, right = self.say(e.left), self.say(e.right)
        if isinstance(e.left, core.Builtin) and e.left.name == "count":
            inner = self.say(e.left.args[0])
            word = {
                "=": "exactly",
                ">=": "at least",
                "<=": "at most",
                ">": "more than",
                "<": "fewer than",
                "!=": "not exactly",
            }[e.op]
            return f"{word} {right} of {inner}"
        return f"{left} {_COMPARE[e.op]} {right}"

    def _member(self, e: core.Member, verb: str = "is") -> str:
        if isinstance(e.of, core.Titled):
            return f"{self.say(e.item)} {verb} {e.of.title}"
        if isinstance(e.of, core.SetOf):
            return f"{self.say(e.item)} {verb} {' or '.join(self.say(i) for i in e.of.items)}"
        return f"{self.say(e.item)} {verb} one of {self.say(e.of)}"

    def _not(self, e: core.Not) -> str:
        if isinstance(e.of, core.Exists):
            return f"no {self.noun(e.of.var)} of {self.say(e.of.domain)} such that {self.say(e.of.cond)}"
        if isinstance(e.of, core.Builtin) and e.of.type == TRUTH and len(e.of.args) == 1:
            return f"{self.say(e.of.args[0])} is not {spoken(e.of.name)}"
        if isinstance(e.of, core.Compare) and e.of.op == "=":
            return self._compare(core.Compare("!=", e.of.left, e.of.right, type=TRUTH))
        if isinstance(e.of, core.Member):
            return self._member(e.of, "is not")
        return f"it is not so that {self.bracketed(e.of, core.All | core.Any)}"

    def _all(self, e: core.All) -> str:
        return ", and ".join(self.bracketed(p, core.Any) for p in e.of) or "always"

    def _any(self, e: core.Any) -> str:
        return ", or ".join(self.bracketed(p, core.All) for p in e.of) or "never"

    def bracketed(self, e: core.Expr, what: Any) -> str:
        """An expression in words, in brackets if it is one of these with several parts, which would run into its surroundings."""
        return f"({self.say(e)})" if isinstance(e, what) and len(e.of) > 1 else self.say(e)

    def noun(self, var: str) -> str:
        """The name of a bound thing."""
        return spoken(var.split("~")[0])

    def _exists(self, e: core.Exists) -> str:
        return f"some {self.noun(e.var)} of {self.say(e.domain)} such that {self.say(e.cond)}"

    def _forall(self, e: core.Forall) -> str:
        return f"for every {self.noun(e.var)} of {self.say(e.domain)}: {self.say(e.cond)}"

    def _accepts(self, e: core.Accepts) -> str:
        return f"{spoken(e.event)} is allowed"

    def _setof(self, e: core.SetOf) -> str:
        return ", ".join(self.say(i) for i in e.items) or "nothing"

    def _setop(self, e: core.SetOp) -> str:
        left, right = self.say(e.left), self.say(e.right)
        return left if right == "none" else f"{left} {'and' if e.op == '+' else 'without'} {right}"

    def _range(self, e: core.Range) -> str:
        return f"{self.say(e.low)} to {self.say(e.high)}"

    def _filter(self, e: core.Filter) -> str:
        """A set filtered by one kind is said by that kind's plural."""
        forms = self.things(e)
        if forms is not None:
            return forms[1]
        if isinstance(e.cond, core.Apply) and e.var.startswith("it~") and len(e.cond.args) == 2:
            return f"{self.say(e.domain)} that {self.say(e.cond.args[0])} {spoken(e.cond.define)}"
        return f"{self.say(e.domain)} where {self.say(e.cond)}"

    def things(self, e: core.Expr) -> tuple[str, str] | None:
        """The words, for one and for many, of a member of a kind, or of a set that is all pieces of a component, or those of one kind or group of it."""
        if (
            isinstance(e, core.Const)
            and isinstance(e.type, KindT)
            and e.type.name in self.rules.kinds
            and isinstance(e.value, int)
        ):
            return self.rules.kinds[e.type.name].words[e.value]
        if isinstance(e, core.Builtin) and e.name == "all":
            t = element(e.type)
            return self.rules.components[t.name].words if isinstance(t, PieceT) else None
        if (
            not isinstance(e, core.Filter)
            or not e.var.startswith("it~")
            or not isinstance(e.domain, core.Builtin)
        ):
            return None
        if isinstance(e.cond, core.Compare) and isinstance(e.cond.right, core.Const):
            values: tuple[core.Expr, ...] = (e.cond.right,) if e.cond.op == "=" else ()
        else:
            values = (
                e.cond.of.items
                if isinstance(e.cond, core.Member) and isinstance(e.cond.of, core.SetOf)
                else ()
            )
        kinds = {
            v.type.name for v in values if isinstance(v, core.Const) and isinstance(v.type, KindT)
        }
        kind = self.rules.kinds.get(kinds.pop()) if len(kinds) == 1 else None
        if kind is None:
            return None
        members = {
            v.value for v in values if isinstance(v, core.Const) and isinstance(v.value, int)
        }
        if len(members) == 1:
            return kind.words[members.pop()]
        return next(
            (
                g.words
                for g in self.rules.groups.values()
                if g.kind == kind.name and set(g.members) == members
            ),
            None,
        )

    def _image(self, e: core.Image) -> str:
        return f"{self.say(e.body)} for each {self.noun(e.var)} of {self.say(e.domain)}"

    def _best(self, e: core.Best) -> str:
        return f"{self.say(e.domain)} with the {'largest' if e.largest else 'smallest'} {self.say(e.key)}"

    def _pick(self, e: core.Pick) -> str:
        return f"the first of {self.say(e.of)}"

    def _stable(self, e: core.Stable) -> str:
        return f"{self.say(e.domain)} as far as {self.say(e.cond)}"

    def _groups(self, e: core.Groups) -> str:
        return f"the connected groups of {self.say(e.of)}"

    def _reach(self, e: core.Reach) -> str:
        return f"what can be reached from {self.say(e.seeds)}" + (
            f" in {self.say(e.steps)} steps" if e.steps is not None else ""
        )

    def _at(self, e: core.At) -> str:
        when = {
            "after": "afterwards",
            "before": "before",
            "supposing": f"supposing {spoken(e.event or '')}",
        }[e.mode]
        return f"{when}, {self.say(e.body)}"
