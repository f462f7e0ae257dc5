"""Disclosure: statements that show by what they do what is not public.

A statement shows something if others can tell a value it reads: whether a branch is taken, a player
asked, what a name or variable is set to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang import core
from rulelang.analysis.writes import statements_of
from rulelang.core.identity import IdentityMap
from rulelang.elaborate.hidden_information import NOBODY, HiddenReads, KnownReads
from rulelang.elaborate.type_checker import TRUE
from rulelang.ruleset import Ruleset


class Disclosures:
    """The statements of a ruleset that show hidden or private things."""

    def __init__(self, rules: Ruleset) -> None:
        """They are found once; most rulesets have few."""
        self._hidden = HiddenReads(rules, KnownReads())
        # Of a statement the expressions that read what is hidden, and whether a player knows them.
        self.secret: IdentityMap[core.Stmt, tuple[core.Expr, ...]] = IdentityMap()
        self.known: IdentityMap[core.Stmt, dict[str, bool]] = IdentityMap()
        for stmt in statements_of(rules):
            reading = tuple(e for e in _shown(stmt) if self._hidden.names(e, NOBODY))
            if reading:
                self.secret.keep(stmt, reading)

    def shows(self, stmt: core.Stmt, env: Mapping[str, object], actor: int | None) -> bool:
        """Does carrying it out show what the player who chose last may not know?

        What is private to that player himself he knows.
        """
        if not self.reads_hidden(stmt):
            return False
        return not any(
            value == actor and self.is_own(stmt, name)
            for name, value in env.items()
            if isinstance(value, int)
        )

    def reads_hidden(self, stmt: core.Stmt) -> bool:
        """May carrying it out show anything at all that is not public?"""
        return self.secret.get(stmt) is not None

    def is_own(self, stmt: core.Stmt, name: str) -> bool:
        """Is all that a statement shows known to the player of this name?"""
        known, reading = self.known.setdefault(stmt, {}), self.secret.get(stmt) or ()
        if name not in known:
            known[name] = not any(self._hidden.names(expr, core.Var(name)) for expr in reading)
        return known[name]


def _shown(stmt: core.Stmt) -> Iterator[core.Expr]:
    """The expressions of a statement whose values others can tell."""
    if isinstance(stmt, core.Choose):
        yield from _shown_by_asking(stmt)
        return
    shown = stmt.layout.children if stmt.access.shows is None else stmt.access.shows
    for node in core.nodes_in([getattr(stmt, name) for name in shown]):
        if isinstance(node, core.Expr):
            yield node


def _shown_by_asking(stmt: core.Choose) -> Iterator[core.Expr]:
    """What decides whether a choice of several is asked for: if there is anything to choose from.

    How many pieces lie in a place is always public.
    """
    if stmt.mode == "one":
        return
    if not isinstance(stmt.domain, core.Contents) or stmt.cond != TRUE:
        yield from (stmt.domain, stmt.cond)
    elif stmt.domain.index is not None:
        yield stmt.domain.index
