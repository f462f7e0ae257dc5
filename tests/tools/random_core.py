"""Random typed core programs, played by the reference with results kept and without.

A program is made of one of `tests/good`: expressions are put in the place of others of the same
type whose names are in scope there, and statements that name nothing are dropped, doubled and
moved. So every class of core objects is among them, and all are typed. Both ways the same choices
are played, and options, states, scores, logs and faults are compared.

    python tests/tools/random_core.py [--seed N] [--programs N]
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import networkx

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("RULELANG_CACHE", "off")

from interpreter.game.game import State, game_of  # noqa: E402
from interpreter.game.loading import Loaded, load_rules  # noqa: E402
from interpreter.model.errors import RulelangError  # noqa: E402
from interpreter.model.values import Fault  # noqa: E402
from rulelang import core  # noqa: E402
from rulelang.core.visit import Role, bound_names  # noqa: E402
from rulelang.ruleset import Reaction  # noqa: E402

GOOD = ROOT / "tests/good"
Edit = tuple[int, int]  # where, and what: numbers, taken modulo how many there are
CHOICES = 12  # that are played in each program
LISTED = 30  # options of a decision that are compared
PARTS = ("definitions", "tables", "events", "procedures", "reactions", "latches", "endings")
PARTS += ("ranks", "hurdles", "invariants", "extensions", "flow")
NAMED = (Role.DEFINITION, Role.TABLE, Role.EVENT, Role.PROCEDURE, Role.TARGET)


def names() -> list[str]:
    """The programs that are begun from, in alphabetical order."""
    return sorted(p.name for p in GOOD.iterdir() if any(p.glob("*.rules")))


@cache
def begun(name: str) -> Loaded:
    """A program as it stands."""
    return load_rules(str(GOOD / name), tests=True)


@dataclass(frozen=True)
class Piece:
    """An expression that may stand elsewhere, and the types of the names it needs."""

    expr: core.Expr
    needs: frozenset[tuple[str, str]]


def needs(expr: core.Expr) -> frozenset[tuple[str, str]]:
    """The free names of an expression with their types."""
    free = core.free_names(expr)
    types = {(n.name, str(n.type)) for n in core.walk(expr) if isinstance(n, core.Var)}
    return frozenset(pair for pair in types if pair[0] in free)


@cache
def pool(name: str) -> dict[str, tuple[Piece, ...]]:
    """The expressions of a program, scenarios among them, by their types."""
    found: dict[str, dict[Piece, None]] = {}
    rules = begun(name).compiled.rules
    parts = [*(getattr(rules, part) for part in PARTS), rules.scenarios]
    for part in parts:
        for node in core.walk(list(part.values()) if isinstance(part, dict) else part):
            if isinstance(node, core.Expr) and str(node.type) != "unknown" and _movable(node):
                found.setdefault(str(node.type), {})[Piece(node, needs(node))] = None
    return {t: tuple(pieces) for t, pieces in found.items()}


def _movable(expr: core.Expr) -> bool:
    """Means an expression the same wherever its names are in scope?"""
    for node in core.walk(expr):
        if isinstance(node, core.Var) and node.name in ("scored", "refused", "ended", "winners"):
            return False
        if isinstance(node, core.Var) and node.name in ("deciding", "witnesses", "advised"):
            return False
        if isinstance(node, core.At) and node.mode == "after" and not node.args:
            return False  # speaks of the event whose rule it stands in
        if isinstance(node, core.Slot | core.Var) and node.name == "total":
            return False
    return True


class Edited:
    """A program with one edit; counts places as it goes."""

    def __init__(self, name: str, where: int, what: int) -> None:
        """Nothing is done yet."""
        self.pool, self.where, self.what, self.at = pool(name), where, what, 0

    def node(self, node: Any) -> Any:
        """A node, with the edit if its place is inside."""
        here = self.at
        self.at += 1
        text = isinstance(node, core.Const) and isinstance(node.value, str)  # a name
        if here == self.where and isinstance(node, core.Expr) and not text:
            known = needs(node)
            fits = [p.expr for p in self.pool.get(str(node.type), ()) if p.needs <= known]
            return fits[self.what % len(fits)] if fits and _movable(node) else node
        if isinstance(node, core.Draw):  # its source is the name of a place
            return core.rebuild(node, lambda n: n if n is node.source else self.node(n))
        return core.rebuild(node, self.node, None, self.body) if node.layout.children else node

    def body(self, body: tuple[Any, ...]) -> tuple[Any, ...]:
        """A body, with a statement dropped, doubled or moved up if its place is here."""
        found: list[Any] = []
        for stmt in body:
            here = self.at
            made = self.node(stmt)
            if here != self.where or bound_names(stmt) or isinstance(stmt, core.Give):
                found.append(made)
            elif self.what % 3 == 0:
                found += [made, replace(made)]
            elif self.what % 3 == 1 and found and not bound_names(found[-1]):
                found.insert(-1, made)
            elif self.what % 3 == 1 or len(body) == 1:
                found.append(made)
        return tuple(found)

    def value(self, value: Any) -> Any:
        """Whatever holds nodes."""
        if isinstance(value, core.Node):
            return self.node(value)
        if isinstance(value, dict):
            return {key: self.value(part) for key, part in value.items()}
        if isinstance(value, list):
            return [self.value(part) for part in value]
        if isinstance(value, tuple) and value and isinstance(value[0], core.Stmt):
            return self.body(value)
        return value

    def rules(self, rules: Any) -> Any:
        """All parts of a ruleset that are played."""
        return replace(rules, **{part: self.value(getattr(rules, part)) for part in PARTS})


def places(rules: Any) -> int:
    """How many places for an edit there are."""
    counter = Edited(names()[0], -1, 0)
    counter.rules(rules)
    return counter.at


def made(name: str, edits: list[Edit]) -> Loaded | None:
    """A program with these edits; none if something in it would be defined by itself."""
    loaded = begun(name)
    rules = loaded.compiled.rules
    for where, what in edits:
        rules = Edited(name, where % places(rules), what).rules(rules)
    if circular(rules):
        return None
    return replace(loaded, compiled=replace(loaded.compiled, rules=rules))


def circular(rules: Any) -> bool:
    """Does anything that has a name need itself?"""
    graph = networkx.DiGraph()
    for part in ("definitions", "tables", "events", "procedures"):
        for name, record in getattr(rules, part).items():
            graph.add_edges_from((name, other) for other in named(record))
    for reaction in rules.reactions:
        graph.add_edges_from((reaction.event, other) for other in named(reaction))
    for extension in rules.extensions:
        inside = named((*extension.lines, *extension.rules, *extension.cases, extension.cond))
        graph.add_edges_from((extension.target, other) for other in inside)
        if extension.reaction is not None:
            targets = named(extension.reaction)
            graph.add_edges_from((extension.target, other) for other in targets)
    return not networkx.is_directed_acyclic_graph(graph)


def named(item: object) -> Iterator[str]:
    """The definitions, tables, events and procedures that are referred to."""
    for node in core.walk(item):
        for field, role in node.layout.roles.items():
            if role in NAMED and not isinstance(node, Reaction):
                value = getattr(node, field)
                yield from value if isinstance(value, tuple) else [value] if value else []


Told = tuple[object, ...]


def played(loaded: Loaded, seed: int, keeps: bool) -> Iterator[Told]:
    """What an evaluator says, choice by choice, to the end or to a fault."""
    try:
        rules = loaded.compiled.rules
        game = game_of(loaded, rules.players[0], (), {}, keeps=keeps)
        state, rng = game.start(seed), random.Random(seed)
        yield said(state)
        for _ in range(CHOICES):
            if state.over or not state.decisions:
                return
            decision = state.decisions[rng.randrange(len(state.decisions))]
            if decision.spec.mode in ("some", "order"):
                option = decision.sample(rng)
            else:
                options = list(itertools.islice(decision.options(), LISTED))
                yield tuple(options)
                if not options:
                    return
                option = rng.choice(options)
            state = state.choose(option)
            yield said(state)
    except (RulelangError, Fault) as error:
        yield type(error).__name__, str(error)


def said(state: State) -> Told:
    """All that is compared of a state."""
    asked = [(d.player, d.name, d.prompt, d.spec.mode) for d in state.decisions]
    told = state.position.canonical(), state.scores(), asked, state.ended_by, state.log[-3:]
    return (*told, state.ranking if state.over else None)


def difference(loaded: Loaded, seed: int) -> str | None:
    """Where the evaluators differ first; none if they agree."""
    pairs = itertools.zip_longest(played(loaded, seed, False), played(loaded, seed, True))
    for number, (slow, fast) in enumerate(pairs):
        if slow != fast:
            return f"step {number}: without keeping {slow}; with it {fast}"
    return None


def main() -> int:
    """Make programs, play them, print what differs and which classes were among them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=200)
    given = parser.parse_args()
    rng, classes, count, wrong = random.Random(given.seed), Counter[str](), 0, 0
    while count < given.programs:
        name = rng.choice(names())
        edits = [(rng.randrange(1 << 16), rng.randrange(1 << 16)) for _ in range(rng.randint(1, 6))]
        loaded = made(name, edits)
        if loaded is None:
            continue
        count += 1
        rules = loaded.compiled.rules
        for part in PARTS:
            value = getattr(rules, part)
            nodes = core.walk(list(value.values()) if isinstance(value, dict) else value)
            classes.update({type(node).__name__ for node in nodes})
        try:
            found = difference(loaded, rng.randrange(100))
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found is not None:
            wrong += 1
            print(f"{name} {edits}: {found[:600]}")
    kinds = sorted(kind for kind in classes if hasattr(core, kind))
    print(f"{count} programs, {wrong} differ; {len(kinds)} classes of core objects among them")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
