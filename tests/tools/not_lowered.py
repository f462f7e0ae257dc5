"""What the native engine still lacks for a game: the first construct, and how often each occurs.

Where a construct is not lowered something of its type is put in its place, so that all that comes
after it is looked at as well. What is made that way is never run.

    python tests/tools/not_lowered.py [--players N] RULESET …
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
os.environ.setdefault("RULELANG_CACHE", "off")

from interpreter.game.game import Game, game_of  # noqa: E402
from interpreter.game.loading import load_rules  # noqa: E402
from interpreter.native import ir  # noqa: E402
from interpreter.native.choices import Choices, Completion  # noqa: E402
from interpreter.native.control import DECISIONS, Control  # noqa: E402
from interpreter.native.effects import Effects  # noqa: E402
from interpreter.native.expressions import Expressions  # noqa: E402
from interpreter.native.faults import TRUE  # noqa: E402
from interpreter.native.layout import Cell, Layout  # noqa: E402
from interpreter.native.lowering import lowered  # noqa: E402
from interpreter.native.program import Scope  # noqa: E402
from interpreter.native.values import (  # noqa: E402
    Goal,
    Lowered,
    Members,
    NotLowered,
    bits_of,
    narrow,
    plain_scalar,
    scalar_type,
    set_element,
    size_of,
)
from rulelang import core  # noqa: E402
from rulelang.core.types import NUMBER, Type, element  # noqa: E402

T, U = TypeVar("T"), TypeVar("U")
Patched: TypeAlias = tuple[type, str, Callable[..., object]]  # of a class, what, by what


class Census:
    """Counts constructs while a game is lowered."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self.found: list[NotLowered] = []

    def spared(self, ask: Callable[[], T], instead: Callable[[], U]) -> T | U:
        """What is asked for; where that is not lowered it is counted, and something else given."""
        try:
            return ask()
        except (NotLowered, AssertionError, LookupError, TypeError, ValueError) as found:
            known = found if isinstance(found, NotLowered) else NotLowered(f"{found!r}")
            self.found.append(known)
            return instead()

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Meanwhile lowering goes on where a construct is not lowered."""
        with ExitStack() as patches:
            for owner, name, by in (*self._of_expressions(), *self._of_statements()):
                patches.enter_context(patch.object(owner, name, by))
            yield

    def _of_expressions(self) -> Iterator[Patched]:
        value, branch, cell = Expressions.value, Expressions.branch, Layout.cell

        def valued(say: Expressions, e: core.Expr, scope: Scope) -> Lowered:
            return self.spared(lambda: value(say, e, scope), lambda: some(say, e.type))

        def branched(say: Expressions, e: core.Expr, scope: Scope, goal: Goal) -> None:
            self.spared(lambda: branch(say, e, scope, goal), lambda: None)

        def celled(layout: Layout, t: Type) -> Cell:
            return self.spared(lambda: cell(layout, t), lambda: Cell(8))

        yield Expressions, "value", valued
        yield Expressions, "branch", branched
        yield Layout, "cell", celled

    def _of_statements(self) -> Iterator[Patched]:
        perform, stmt, decide, of = Effects.perform, Control._stmt, Control._decide, Completion.of

        def performed(effects: Effects, one: core.Stmt, scope: Scope) -> Scope:
            made = self.spared(lambda: perform(effects, one, scope), lambda: None)
            return made or named(effects.say, one, scope)

        def done(control: Control, one: core.Stmt, scope: Scope) -> Scope:
            made = self.spared(lambda: stmt(control, one, scope), lambda: None)
            return made or self._within(control, one, scope)

        def decided(
            control: Control, body: core.Body, pc: int, one: DECISIONS, scope: Scope
        ) -> Scope:
            made = self.spared(lambda: decide(control, body, pc, one, scope), lambda: None)
            return made or named(control.say, one, scope)

        def completed(made: Completion, body: core.Body, pc: int, scope: Scope) -> core.Expr:
            return self.spared(lambda: of(made, body, pc, scope), lambda: TRUE)

        yield Effects, "perform", performed
        yield Control, "_stmt", done
        yield Control, "_decide", decided
        yield Completion, "of", completed
        yield Choices, "written", lambda choices: self._asked(choices)

    @staticmethod
    def _within(control: Control, one: core.Stmt, scope: Scope) -> Scope:
        """Go through what stands in a statement that is not lowered."""
        for body in (getattr(one, "body", ()), getattr(one, "then", ())):
            inner = named(control.say, one, scope)
            for at, other in enumerate(body):
                if isinstance(other, DECISIONS):
                    inner = control._decide(body, at, other, inner)
                else:
                    inner = control._stmt(other, inner)
        return named(control.say, one, scope)

    def _asked(self, choices: Choices) -> None:
        """What may be chosen at every decision, and what is scored."""
        legal, score = choices._legal, choices._score
        for decision in choices.control.decisions:
            self.spared(partial(legal, decision), lambda: None)
        self.spared(score, lambda: None)


def some(say: Expressions, t: Type) -> Lowered:
    """Something of a type."""
    ty = scalar_type(t)
    if ty is not None:
        return plain_scalar(say.setup, t, ir.Get(say.b.new(ty)))
    item = set_element(t)
    if item is not None and narrow(say.setup, item):
        return bits_of(frozenset(), size_of(say.setup, item))
    inner = element(t) or NUMBER
    return Members(lambda body: body(some(say, inner)), 1, frozen=True)


def named(say: Expressions, one: core.Stmt, scope: Scope) -> Scope:
    """The scope after a statement that is not lowered."""
    match one:
        case core.Let():
            return scope.naming(one.var, some(say, one.value.type))
        case core.Chance():
            return scope.naming(one.var, some(say, element(one.of.type) or one.of.type))
        case core.Choose():
            t = one.item if one.mode == "one" else core.types.SetT(one.item)
            return scope.naming(one.var, some(say, t))
        case core.ForEach():
            return scope.naming(one.var, some(say, element(one.domain.type) or NUMBER))
        case core.Each():
            return scope.naming(one.var, some(say, core.types.PLAYER))
        case _:
            return scope


def census(game: Game) -> list[NotLowered]:
    """What a game lacks, in the order in which it is met."""
    made = Census()
    with made.counting():
        made.spared(lambda: lowered(game.engine), lambda: None)
    return made.found


def main() -> int:
    """Print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int)
    parser.add_argument("rulesets", nargs="+")
    given = parser.parse_args()
    for name in given.rulesets:
        loaded = load_rules(name, tests=False)
        players = given.players or loaded.compiled.rules.players[0]
        found = census(game_of(loaded, players, (), {}))
        print(f"{name}, {players} players: {found[0] if found else 'all is lowered'}")
        for construct, count in Counter(one.construct for one in found).most_common():
            print(f"  {count:5}  {construct}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
