"""How things stand with a condition that fails: what was found, how far that is from enough, and
the cheapest way to mend it.
"""

from __future__ import annotations

from interpreter.evaluator.expressions import Env
from interpreter.game.context import PlayState
from interpreter.model.position import Position
from rulelang import core
from rulelang.core.types import NUMBER, TRUTH, UNKNOWN, KindT, SiteT
from rulelang.core.values import Value, ordered
from rulelang.phrases.card_prose import CardProse

MOST_NAMED = 4  # members of a set that are told one by one
_WORDS = {
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
    "=": "",
    "!=": "anything but",
}

# how things stand, the repair, and by how much it is too little where that is a matter of number
Found = tuple[str, str, int | None]
NOTHING: Found = ("", "", None)


def standing(state: PlayState, s: Position, need: core.Expr, env: Env) -> tuple[str, str]:
    """How things stand with a failed condition, and the cheapest repair that can be told."""
    found = _Standing(state, s).of(need, env)
    return found[0], found[1]


class _Standing:
    """Looks into one condition in one position."""

    def __init__(self, state: PlayState, s: Position) -> None:
        self.state, self.s, self.rules = state, s, state.game.rules
        self.deep = False  # within a definition: what is compared there must be named

    def of(self, need: core.Expr, env: Env) -> Found:
        """The same for any part of the condition that fails."""
        match need:
            case core.Apply():
                return self._apply(need, env)
            case core.All():
                return self._all(need, env)
            case core.Any():
                return self._any(need, env)
            case core.Not():
                return self._not(need, env)
            case core.Exists():
                return self._exists(need, env)
            case core.Forall():
                return self._forall(need, env)
            case core.Builtin():
                return self._builtin(need, env)
            case core.Compare():
                return self._compare(need, env)
            case _:
                return NOTHING  # what is read or named says itself

    def value(self, e: core.Expr, env: Env) -> Value:
        """What an expression is here."""
        return self.rules.value(e, self.s, env)

    def text(self, e: core.Expr, value: Value) -> str:
        """A value of an expression in words."""
        return str(self.state.game.presenter.text(value, e.type, self.s))

    def said(self, e: core.Expr, env: Env) -> str:
        """An expression in words, with what its names stand for."""
        text = self.state.game.presenter.text
        return CardProse(
            self.state.game.rules_source,
            known=lambda var: text(env[var.name], var.type, self.s) if var.name in env else None,
        ).say(e)

    def changes(self, e: core.Expr) -> bool:
        """Does it hang on the position, or is it printed and given?"""
        return bool(self.rules.reads.all(e))

    # ------------------------------------------------------- what conditions are made of
    def _apply(self, need: core.Apply, env: Env) -> Found:
        """A definition stands as the case of it that counts."""
        counted = self.counts(need, env)
        if counted is not None and isinstance(counted[0], core.Read):
            return "", f"it would do once {self.said(need, env)}", None
        self.deep = True
        return self.of(*counted) if counted is not None else NOTHING

    def counts(self, need: core.Apply, env: Env) -> tuple[core.Expr, Env] | None:
        """What a definition is here: the first case whose condition holds, with the values it
        reads.
        """
        known = self.state.game.rules_source.definitions[need.define]
        values = tuple(self.value(a, env) for a in need.args)
        inner = dict(zip([p for p, _ in known.params], values, strict=True))
        for case in known.cases:
            if case.slot is None:
                if case.value is not None and (
                    case.cond is None or self.rules.holds(self.s, case.cond, inner)
                ):
                    return case.value, inner
                continue
            for extension, bound in self.rules.extensions(
                self.s, "define", need.define, case.slot, known.params, values
            ):
                for added in extension.cases:
                    if added.value is not None and (
                        added.cond is None
                        or self.rules.holds(self.s, added.cond, {**inner, **bound})
                    ):
                        return added.value, {**inner, **bound}
        return None

    def _all(self, need: core.All, env: Env) -> Found:
        return next(
            (self.of(part, env) for part in need.of if not self.rules.holds(self.s, part, env)),
            NOTHING,
        )

    def _any(self, need: core.Any, env: Env) -> Found:
        """Of several ways the one that is nearest to hold."""
        found = []
        for part in need.of:
            self.deep = True
            found.append(self.of(part, env))
        return min(
            found, key=lambda way: (way[2] is None, way[2] or 0, not way[1]), default=NOTHING
        )

    def _not(self, need: core.Not, env: Env) -> Found:
        inner = need.of
        if isinstance(inner, core.Exists):
            item = self._first(inner.domain, inner.var, inner.cond, env, True)
            return f"{self.text_of(inner.domain, item)} is", "", None
        if isinstance(inner, core.Builtin) and inner.name == "empty":
            return "there are none", "one would do", 1
        if isinstance(inner, core.Apply):
            counted = self.counts(inner, env)
            return (
                self.of(core.Not(counted[0], type=TRUTH), counted[1])
                if counted is not None
                else NOTHING
            )
        if isinstance(inner, core.Any):  # none of them may hold
            return self._all(
                core.All(tuple(core.Not(part, type=TRUTH) for part in inner.of), type=TRUTH), env
            )
        return NOTHING

    def _exists(self, need: core.Exists, env: Env) -> Found:
        members = self.rules.members(need.domain, self.s, env)
        return (
            ("there are none at all" if not members else f"none of {len(members)} is"),
            "one would do",
            None,
        )

    def _forall(self, need: core.Forall, env: Env) -> Found:
        """The first member that fails, and what fails of it where that is said of members too."""
        item = self._first(need.domain, need.var, need.cond, env, False)
        said, inner, env = self.text_of(need.domain, item), need.cond, {**env, need.var: item}
        if not isinstance(inner, core.Forall):
            return f"{said} is not", "", None
        while isinstance(inner, core.Forall):
            item = self._first(inner.domain, inner.var, inner.cond, env, False)
            said, env, inner = (
                f"{said}, {self.text_of(inner.domain, item)}",
                {**env, inner.var: item},
                inner.cond,
            )
        return f"it is not so for {said}", "", None

    def _first(self, domain: core.Expr, var: str, cond: core.Expr, env: Env, so: bool) -> Value:
        return next(
            (
                m
                for m in ordered(self.rules.members(domain, self.s, env))
                if self.rules.holds(self.s, cond, {**env, var: m}) is so
            ),
            None,
        )

    def text_of(self, domain: core.Expr, item: Value) -> str:
        """A member of a set in words."""
        return str(
            self.state.game.presenter.text(item, getattr(domain.type, "of", UNKNOWN), self.s)
        )

    def _builtin(self, need: core.Builtin, env: Env) -> Found:
        if need.name != "empty":
            return NOTHING
        members = self.rules.members(need.args[0], self.s, env)
        item = getattr(
            need.args[0].type, "of", UNKNOWN
        )  # pieces are only counted: they may lie hidden
        named = (
            ", ".join(self.text_of(need.args[0], m) for m in ordered(members))
            if isinstance(item, SiteT | KindT) and len(members) <= MOST_NAMED
            else ""
        )
        return (
            f"there {'is' if len(members) == 1 else 'are'} {named or len(members)}",
            "",
            len(members),
        )

    # ------------------------------------------------------------------------ comparison
    def _compare(self, need: core.Compare, env: Env) -> Found:
        left, right = self.value(need.left, env), self.value(need.right, env)
        if (
            isinstance(left, int)
            and isinstance(right, int)
            and not isinstance(left, bool)
            and need.left.type == NUMBER
        ):
            return self._numbers(need, env, left, right)
        told = f"{self._subject(need.left, env)} is {self.text(need.left, left)}"
        if need.op == "=":
            return f"{told}, not {self.text(need.right, right)}", "", None
        if left is None or right is None or not isinstance(need.left.type, KindT):
            return NOTHING
        moved, wanted = (
            (need.right, left)
            if self.changes(need.right) and not self.changes(need.left)
            else (need.left, right)
        )
        limit = self.text(need.right, right)
        repair = (
            f"it would do once {self.said(moved, env)} is {self.text(moved, wanted)}"
            if need.op in ("<=", ">=") and self.changes(moved)
            else ""
        )
        return (
            f"{told}, not {_WORDS[need.op]} {limit}".replace("not anything but", "and must not be"),
            repair,
            None,
        )

    def _numbers(self, need: core.Compare, env: Env, left: int, right: int) -> Found:
        """How much is lacking, on the side that can change: printed numbers cannot."""
        gap = {
            ">=": right - left,
            ">": right - left + 1,
            "<=": left - right,
            "<": left - right + 1,
            "=": abs(right - left),
        }.get(need.op, 0)
        fewer = need.op in ("<=", "<") or (need.op == "=" and left > right)
        moved = (
            f" of {self.said(need.right, env)}"
            if fewer and self.changes(need.right) and not self.changes(need.left)
            else ""
        )
        subject, best = self._subject(need.left, env), self._best_of(need.left, env, left)
        limit = f"not {_WORDS[need.op]} {right}".replace("not  ", "not ")
        told = f"{subject} is {left}{best}, {limit}".replace("not anything but", "and must not be")
        return (
            told,
            f"{gap} {'fewer' if fewer and not moved else 'more'}{moved} would do"
            if gap > 0
            else "",
            gap,
        )

    def _subject(self, e: core.Expr, env: Env) -> str:
        """What is compared: named only if the condition asked about does not name it."""
        if not self.deep:
            return "it"
        counted = isinstance(e, core.Builtin) and e.name == "count"
        return "their number" if counted else self.said(e, env)

    def _best_of(self, e: core.Expr, env: Env, value: int) -> str:
        """Of several amounts of which the largest or smallest counts: which that is."""
        while isinstance(e, core.Apply):
            counted = self.counts(e, env)
            if counted is None:
                return ""
            e, env = counted
        if (
            not isinstance(e, core.Builtin)
            or e.name not in ("largest", "smallest")
            or not isinstance(e.args[0], core.SetOf)
        ):
            return ""
        values = [self.value(item, env) for item in e.args[0].items]
        if value not in values or set(values) == {value}:
            return ""
        return f", which is {self.said(e.args[0].items[values.index(value)], env)}"
