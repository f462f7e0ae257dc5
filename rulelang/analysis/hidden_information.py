"""Hidden information: which reads of an expression give what the deciding player may not know.

What is not public are the contents (but not the counts) of hidden places, hidden variables, and
the private places and variables of other players.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rulelang import core
from rulelang.builtins.registry import builtin
from rulelang.core.types import PLAYER
from rulelang.ruleset import Case, Extension, Line, Params, Place, Ruleset, State

Reader: TypeAlias = core.Expr | tuple[core.Expr, ...] | None
NOBODY = core.Const(-1)  # a reader who is no player

HiddenRead = tuple[str, core.Expr]  # the name of a place or variable, and what reads it


def hidden_reads(
    rules: Ruleset, item: object, by: Reader, called: set[str] | None = None
) -> Iterator[HiddenRead]:
    """Each read, through all calls, of what the player given by the expression may not know.

    What cards add to a definition or table is read with it; `called` is filled with what is called.
    """
    called = set() if called is None else called
    for node in core.nodes_in(item):
        if isinstance(node, Extension):
            added: tuple[Line | Case, ...] = (*node.lines, *node.cases)
            for part in added:
                yield from hidden_reads(rules, (node.cond, part), _as_you(by, part), called)
        elif not _is_count(node):
            yield from _own_reads(rules, node, by, called)
            yield from hidden_reads(rules, tuple(core.children(node)), by, called)


def reads_hidden(rules: Ruleset, item: object, by: Reader) -> bool:
    """Is anything read that the player may not know?"""
    return any(True for _ in hidden_reads(rules, item, by))


def _is_count(node: core.Node) -> bool:
    """Does it only count what lies in a place? How many pieces lie in a place is always public."""
    return (
        isinstance(node, core.Builtin)
        and builtin(node.name).size_only
        and isinstance(node.args[0], core.Contents)
    )


def _own_reads(
    rules: Ruleset, node: core.Node, by: Reader, called: set[str]
) -> Iterator[HiddenRead]:
    """What a node reads by itself and by what it calls."""
    if isinstance(node, core.Contents):
        if _is_hidden(rules.places[node.place], node.index, by):
            yield node.place, node
    elif isinstance(node, core.Read):
        if _is_hidden(rules.states[node.state], node.index, by):
            yield node.state, node
    elif isinstance(node, core.Apply) and node.define in rules.definitions:
        if (name := f"define {node.define}") not in called:
            called.add(name)
            known = rules.definitions[node.define]
            body = (known.cases, *_added(rules, "define", node.define))
            yield from _inside(rules, body, _reader_inside(known.params, node, by), node, called)
    elif (
        isinstance(node, core.Total)
        and node.table in rules.tables
        and (name := f"score {node.table}") not in called
    ):
        called.add(name)
        table = rules.tables[node.table]
        lines = (table.lines, *_added(rules, "score", node.table))
        yield from _inside(rules, lines, _reader_inside(table.params, node, by), node, called)


def _is_hidden(known: Place | State, index: core.Expr | None, by: Reader) -> bool:
    """May a place or variable of this index not be known to the player?"""
    if known.visibility == "hidden":
        return True
    is_private = known.visibility == "private" and known.of == PLAYER
    return is_private and by is not None and not _is_reader(index, by)


def _inside(
    rules: Ruleset, body: object, by: Reader, call: core.Expr, called: set[str]
) -> Iterator[HiddenRead]:
    """The hidden reads of what is called, as reads of the call."""
    for name, _ in hidden_reads(rules, body, by, called):
        yield name, call


def _reader_inside(params: Params, call: core.Apply | core.Total, by: Reader) -> core.Expr:
    """The parameter that the player is given as, or nobody."""
    for (name, t), arg in zip(params, call.args, strict=True):
        if t == PLAYER and _is_reader(arg, by):
            return core.Var(name)
    return NOBODY


def _added(rules: Ruleset, kind: str, target: str) -> Iterator[Extension]:
    """What cards add to a definition or table."""
    return (e for e in rules.extensions if (e.kind, e.target) == (kind, target))


def _as_you(by: Reader, part: Line | Case) -> Reader:
    """Of what a card adds for its own player alone, that player goes by `you` too."""
    you = core.Var("you")
    needs = part.cond.of if isinstance(part.cond, core.All) else (part.cond,)
    own = any(
        isinstance(n, core.Compare)
        and n.op == "="
        and you in (n.left, n.right)
        and (_is_reader(n.left, by) or _is_reader(n.right, by))
        for n in needs
    )
    return (by, you) if isinstance(by, core.Expr) and own else by


def _is_reader(index: core.Expr | None, by: Reader) -> bool:
    return index is not None and (index in by if isinstance(by, tuple) else index == by)


class KnownReads(dict[tuple[int, Reader], tuple[core.Expr, tuple[object, ...], list[str]]]):
    """What expressions were found to read, by their ids; they stand beside it, so that no other
    object gets the id."""


class HiddenReads:
    """The hidden things that expressions read, memoised from one compilation to the next.

    A result stands while nothing is added to what the expression calls that was not there before.
    """

    def __init__(self, rules: Ruleset, kept: KnownReads) -> None:
        """The results of earlier compilations are in `kept`."""
        self.rules, self.kept = rules, kept
        self.added: dict[str, list[object]] = {}  # what texts add, by definition or table
        for e in rules.extensions:
            self.added.setdefault(f"{e.kind} {e.target}", []).extend((e.lines, e.cases, e.cond))

    def names(self, expr: core.Expr | None, by: Reader) -> list[str]:
        """The places and variables read that the player may not know, each once."""
        if expr is None:
            return []
        kept = self.kept.get((id(expr), by))
        if kept is None or not _very_same(kept[1], self._read(kept[1][0])):
            called: set[str] = set()
            reads = hidden_reads(self.rules, expr, by, called)
            names = list(dict.fromkeys(name for name, _ in reads))
            kept = self.kept[id(expr), by] = (expr, self._read(tuple(sorted(called))), names)
        return kept[2]

    def _read(self, called: object) -> tuple[object, ...]:
        """What is called, and all that texts add to it."""
        assert isinstance(called, tuple)
        return called, *(part for name in called for part in self.added.get(name, ()))


def _very_same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(a is b for a, b in zip(before[1:], now[1:], strict=True))
