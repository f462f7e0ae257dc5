"""Definitions written out: a meaning as one first-order object that names no definition, so that equal meanings compare equal."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from rulelang import core
from rulelang.ruleset import Case, Definition, Line, Reaction, Rule, Ruleset
from rulelang.ruleset.normalize import BINDERS, normal

_LIMIT = 2_000  # objects; a meaning that grows past this keeps the names of its definitions


class Inliner:
    """Puts values in place of names, and definitions where they are asked for; every name bound within becomes one of its own."""

    def __init__(self, rules: Ruleset, which: Callable[[str], bool]) -> None:
        """Names stay apart over all that one inliner writes; `which` says what definitions are written out."""
        self.rules, self.which, self.fresh, self.size = rules, which, 0, 0

    def tree(self, item: Any, bound: dict[str, core.Expr]) -> Any:
        """An object, or those of a tuple, with these values for names."""
        self.size += 1
        if isinstance(item, core.Var):
            found = bound.get(item.name, item)
            return (
                core.Var(found.name, type=item.type, span=item.span)
                if isinstance(found, core.Var)
                else found
            )
        if isinstance(item, tuple):
            return (
                self.in_turn(item, bound)
                if any(isinstance(part, core.Stmt) for part in item)
                else tuple(self.tree(part, bound) for part in item)
            )
        if isinstance(item, core.Apply):
            args = tuple(self.tree(a, bound) for a in item.args)
            body = _plain_body(self.rules.definitions.get(item.define))
            if body is None or self.size > _LIMIT or not self.which(item.define):
                return dataclasses.replace(item, args=args)
            names = [p for p, _ in self.rules.definitions[item.define].params]
            return self.tree(body, dict(zip(names, args, strict=True)))
        if not isinstance(item, core.Expr | core.Stmt | Line | Rule | Case | Reaction):
            return item
        inner = dict(bound)
        values: dict[str, Any] = {}
        for name in BINDERS:
            old = getattr(item, name, None)
            if isinstance(old, str):
                self.fresh += 1
                values[name] = f"{old.split('~')[0]}~i{self.fresh}"
                inner[old] = core.Var(values[name])
        for f in dataclasses.fields(item):
            if f.name in values:
                continue
            value = getattr(item, f.name)
            keep = f.name in ("type", "span", "name", "each", "params") or isinstance(value, str)
            values[f.name] = (
                value
                if keep
                else self.tree(value, bound if f.name in ("domain", "seeds") else inner)
            )
        return type(item)(**values)

    def in_turn(self, body: core.Body, bound: dict[str, core.Expr]) -> core.Body:
        """Statements one after the other: what one names, those after it know."""
        found, known = [], dict(bound)
        for stmt in body:
            made: core.Stmt = self.tree(stmt, known)
            found.append(made)
            known |= {
                old: core.Var(getattr(made, name))
                for name in BINDERS
                if isinstance(old := getattr(stmt, name, None), str)
            }
        return tuple(found)


def _plain_body(known: Definition | None) -> core.Expr | None:
    """What a definition always is, if it has one case without a condition."""
    if known is None or len(known.cases) != 1 or known.cases[0].cond is not None:
        return None
    return known.cases[0].value


def written_out(item: Any, rules: Ruleset, which: Callable[[str], bool] = lambda name: True) -> Any:
    """Lines, rules, cases or an expression with every plain definition written out, or only those named."""
    return Inliner(rules, which).tree(item, {})


def substituted(expr: core.Expr, given: dict[str, core.Expr], rules: Ruleset) -> core.Expr:
    """The expression with values in place of names; definitions stay as they are."""
    found: core.Expr = Inliner(rules, lambda name: False).tree(expr, given)
    return found


def inlined(expr: core.Expr, rules: Ruleset) -> core.Expr:
    """The expression in normal form with every plain definition written out."""
    return normal(written_out(expr, rules))
