"""The language's own words as Python: written out where that is plain, else called; what follows from the board alone is kept."""

from __future__ import annotations

from typing import Any

from interpreter.generated.conditions import Conditions
from interpreter.model.position import Position
from rulelang import core
from rulelang.builtins.registry import builtin, implementation
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    KindT,
    ListT,
    PieceT,
    SetT,
    SiteT,
    element,
    site_type,
)
from rulelang.core.values import ordered

# The words that follow from the cells a board has now, and nothing else.
_GRID = {
    "neighbors",
    "surroundings",
    "sides",
    "inner_sides",
    "outer_sides",
    "ends",
    "cells",
    "outer",
    "adjacent",
    "touches_corner",
    "distance",
    "footprints",
    "lines_of",
    "step",
    "run",
    "side_to",
    "site_at",
    "column",
    "row",
    "width",
    "height",
    "spaces",
    "board_sites",
}


_FIXED = {
    "sides",
    "ends",
    "adjacent",
    "touches_corner",
    "distance",
    "side_to",
    "column",
    "row",
}  # those a board that grows does not change


class Words(Conditions):
    """Adds the built-in words."""

    def _builtin(self, e: core.Builtin) -> str:
        own = getattr(self, f"w_{e.name}", None)
        if own is not None:
            found: str | None = own(e)
            if found is not None:
                return found
        if e.name in _GRID:
            return self._kept(e)
        args = [self.gen(a) for a in e.args]
        doubtful = [i for i, a in enumerate(e.args) if self.maybe_none(a)]
        for i in doubtful:
            args[i] = self.named(args[i])
        call = f"{self._word(e)}({', '.join([self.position, *args])})"
        return self.unless_none(
            [args[i] for i in doubtful], lambda: call, builtin(e.name).of_none(e.type)
        )

    def _word(self, e: core.Builtin) -> str:
        return self.constants.name(
            ("word", e, str(e.type), *(str(a.type) for a in e.args)),
            lambda rules: implementation(e, rules.setup),
        )

    def kept_in_order(self, e: core.Builtin) -> str | None:
        """The members a word of the board gives, kept in the stable order."""
        return (
            self._kept(e, self.constants.name("in order", lambda _: _in_order))
            if e.name in _GRID and self.grows()
            else None
        )

    # complexity: one form of output, and the room goes with the native engine
    def _kept(self, e: core.Builtin, order: str = "") -> str:
        """A word of the board alone: what it gave is kept, for ever on a board that does not grow, else until the board changes."""
        if (
            all(
                isinstance(a, core.Const) or (isinstance(a, core.Builtin) and a.name == "board")
                for a in e.args
            )
            and not self.grows()
        ):
            values = [getattr(a, "value", 0) for a in e.args]
            same = ("worked out", e.name, str(e.type), *map(repr, e.args))
            if None in values:
                return self.literal(builtin(e.name).of_none(e.type))
            return self.constants.name(
                same, lambda rules: implementation(e, rules.setup)(Position(rules.setup), *values)
            )
        args = [self.named(self.gen(a)) for a in e.args]
        doubtful = [i for i, a in enumerate(e.args) if self.maybe_none(a)]
        call = f"{self._word(e)}({', '.join([self.position, *args])})"
        varying = [i for i, a in enumerate(e.args) if not isinstance(a, core.Const)]
        key = (
            self.named(f"({', '.join(args[i] for i in varying)})")
            if len(varying) > 1
            else args[varying[0]]
            if varying
            else "0"
        )
        same = (
            "kept" + order,
            e.name,
            *(str(a.type) if i in varying else repr(a) for i, a in enumerate(e.args)),
        )
        few = all(element(e.args[i].type) is None and e.args[i].type != NUMBER for i in varying)
        if not few or (self.grows() and e.name not in _FIXED):
            mark = self.constants.value(same)
            kept = (
                self.head(f"s.geometry.setdefault({mark}, {{}})")
                if self.position == "s"
                else f"{self.position}.geometry.setdefault({mark}, {{}})"
            )
        else:
            kept = self.constants.name(same, lambda _: {})
        result = self.fresh()
        self.line(f"{result} = {kept}.get({key})")
        with self.block(f"if {result} is None:"):
            value = self.unless_none(
                [args[i] for i in doubtful], lambda: call, builtin(e.name).of_none(e.type)
            )
            self.line(f"{result} = {kept}[{key}] = {f'{order}({value})' if order else value}")
        return result

    def grows(self) -> bool:
        """Does a board grow during the game?"""
        return any(board.grown_from is not None for board in self.rules.boards.values())

    def w_all(self, e: core.Builtin) -> str | None:
        """All members of a finite type."""
        t = element(e.type)
        site = None if t is None else site_type(t)
        if t is None or (site is not None and self.rules.boards[site.board].grown_from is not None):
            return None
        return self.constants.name(
            ("all", str(t), repr(t)), lambda rules: frozenset(rules.setup.members(t))
        )

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

    def _at_end(self, e: core.Builtin, number: int, pick: str) -> str:
        of = e.args[0]
        item = element(of.type)
        if (
            isinstance(of.type, SetT)
            and not isinstance(of, core.Contents)
            and (isinstance(item, KindT | PieceT | SiteT) or item in (PLAYER, NUMBER))
        ):
            return f"{pick}({self.gen(of)}, default=None)"
        found = self.named(
            self.pile(of)
            if isinstance(of, core.Contents) and self.rules.places[of.place].ordered
            else self.gen(of)
        )
        listed = found if isinstance(of.type, ListT) else self.in_order(found, item)
        return f"({listed}[{number}] if {found} else None)"

    def w_first(self, e: core.Builtin) -> str:
        """The first of a list, or of a set in its stable order."""
        return self._at_end(e, 0, "min")

    def w_last(self, e: core.Builtin) -> str:
        """The last of a list, or of a set in its stable order."""
        return self._at_end(e, -1, "max")

    def _numbers(self, of: core.Expr) -> str:
        """Numbers of which the order does not matter."""
        if not isinstance(of, core.Image) or not of.repeats:
            return self.gen(of)
        found = self.fresh("l")
        self.line(f"{found} = []")
        with self.loop(of.var, of.domain):
            self.guard(of.cond, "continue")
            self.line(f"{found}.append({self.gen(of.body)})")
        return found

    def w_sum(self, e: core.Builtin) -> str:
        """The sum of numbers."""
        return self.bounded(f"sum({self._numbers(e.args[0])})")

    def w_largest(self, e: core.Builtin) -> str:
        """The largest of numbers."""
        return f"max({self._numbers(e.args[0])}, default=0)"

    def w_smallest(self, e: core.Builtin) -> str:
        """The smallest of numbers."""
        return f"min({self._numbers(e.args[0])}, default=0)"

    def w_empty(self, e: core.Builtin) -> str:
        """Has it no members?"""
        of = e.args[0]
        if isinstance(of, core.Filter):
            return f"(not {self.some(of.var, of.domain, of.cond)})"
        return f"(not {self.pile(of) if isinstance(of, core.Contents) else self.gen(of)})"

    def w_on(self, e: core.Builtin) -> str:
        """What lies on a site."""
        layer = e.args[1].value  # type: ignore[attr-defined]  # it is a constant
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

    def w_compass(self, e: core.Builtin) -> str:
        """A direction by its name."""
        name = e.args[0].value  # type: ignore[attr-defined]  # it is a constant
        return self.constants.name(
            ("compass", name),
            lambda rules: implementation(e, rules.setup)(Position(rules.setup), name),
        )

    def w_board(self, e: core.Builtin) -> str:
        """The one board of its name."""
        return "0"


def _in_order(members: Any) -> tuple[Any, ...]:
    return tuple(ordered(members))
