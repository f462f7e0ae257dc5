"""Exchanging hidden pieces throughout a position.

Pieces are exchanged in places, variables, frames, branches and in the newest lines of the log.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from interpreter.engine.machine import AT_ONCE, at_once_of, loop_of
from interpreter.game.game import Game, State
from interpreter.model.position import Activation, Block, Entry, Position, index_of
from interpreter.model.setup import Key
from interpreter.model.tally import Tally
from rulelang import core
from rulelang.core.types import UNKNOWN, ListT, OptionalT, PairT, PieceT, SetT, Type, element
from rulelang.core.values import Value
from rulelang.ruleset import Ruleset

Change = dict[int, int]  # piece -> the piece that takes its place


# ------------------------------------------------------------------------------- the types of names
def statements(body: Iterable[core.Stmt]) -> Iterator[core.Stmt]:
    """All statements of a body, those inside others too."""
    for stmt in body:
        yield stmt
        for name in ("then", "other", "body"):
            yield from statements(getattr(stmt, name, ()))


def types_of(game: Game) -> dict[tuple[str, str], Type]:
    """The type of each name in the frames of each procedure."""
    rules = game.rules_source
    found: dict[tuple[str, str], Type] = {}
    bodies = [
        ("flow", rules.flow),
        *((name, procedure.body) for name, procedure in rules.procedures.items()),
    ]
    for name, procedure in rules.procedures.items():
        found |= {(name, param): t for param, t in procedure.params}
    for name, body in bodies:
        for stmt in statements(body):
            bound = _bound(rules, stmt)
            if bound is not None:
                found[name, bound[0]] = bound[1]
    return found


def _bound(rules: Ruleset, stmt: core.Stmt) -> tuple[str, Type] | None:
    """The name a statement binds, and its type; none if it binds none."""
    match stmt:
        case core.Let():
            return stmt.var, stmt.value.type
        case core.Chance():
            return stmt.var, element(stmt.of.type) or UNKNOWN
        case core.Choose():
            return stmt.var, _chosen(stmt.mode, stmt.item)
        case core.ForEach():
            return stmt.var, stmt.item
        case core.Do() if stmt.result is not None and stmt.target in rules.procedures:
            return stmt.result, rules.procedures[stmt.target].gives or UNKNOWN
    return None


def _chosen(mode: str, item: Type) -> Type:
    """The type of what is chosen: one, some or all in order."""
    return SetT(item) if mode == "some" else ListT(item) if mode == "order" else item


def chance_type(game: Game, name: str) -> Type:
    """The type of the outcome of a logged chance."""
    rules = game.rules_source
    bodies = itertools.chain(
        [rules.flow],
        (p.body for p in rules.procedures.values()),
        (e.body for e in rules.events.values()),
    )
    for stmt in statements(itertools.chain.from_iterable(bodies)):
        if isinstance(stmt, core.Chance) and stmt.var.split("~")[0] == name:
            return element(stmt.of.type) or UNKNOWN
    return UNKNOWN


# --------------------------------------------------------------------------------------- exchanging
class Exchange:
    """Applies an exchange of pieces to everything a position holds."""

    def __init__(self, state: State, change: Change, viewer: int) -> None:
        self.state, self.game, self.change, self.viewer = state, state.game, change, viewer
        self.types = types_of(state.game)

    def position(self, s: Position) -> Position:
        """The position with the pieces exchanged; older lines of the log stay as they are."""
        rules, made = self.game.rules_source, s.copy()
        made.places = {
            self.key(key): tuple(self.piece(p) for p in pieces) for key, pieces in s.places.items()
        }
        for piece, at in enumerate(s.where):
            made.where[self.piece(piece)] = at
        made.known = {self.piece(piece): who for piece, who in s.known.items()}
        for name, values in s.vars.items():
            variable = rules.states[name]
            of = variable.of or UNKNOWN
            made.vars[name] = values.copy()
            made.vars[name].clear()
            for index, value in values.items():
                made.vars[name][index_of(self.value(index, of))] = self.value(value, variable.type)
        made.stack = [self.frame(act) for act in s.stack]
        made.branches = {p: self.position(branch) for p, branch in s.branches.items()}
        made.commits = {p: self.commits(s, p) for p in s.commits}
        made.memos, made.geometry = {}, {}
        self._rewrite_log(s, made)
        return made

    def _rewrite_log(self, s: Position, made: Position) -> None:
        """Exchange pieces in the lines of the log that the last choice wrote."""
        parent = self.state.parent
        old = [] if parent is None else [parent.position, *parent.position.branches.values()]
        # Logs are linked lists that share their tails, so a line is old if its link is.
        links = {link for known in old for link in _links(known)}
        new, rest = [], s.log
        while rest and id(rest) not in links:
            new.append(self.entry(rest[0]))
            rest = rest[1]
        made.log = rest
        for entry in reversed(new):
            made.note(entry)

    def piece(self, piece: int) -> int:
        """The piece that is in a piece's place."""
        return self.change.get(piece, piece)

    def key(self, key: Key) -> Key:
        """The key of a place, which may be that of a piece."""
        of = self.game.rules_source.places[key[0]].of
        return (key[0], self.index(key[1], of)) if of is not None else key

    def index(self, index: int | None, of: Type) -> int | None:
        """The index of a place or variable, which may be a piece."""
        found = self.value(index, of)
        return found if isinstance(found, int) else None

    def value(self, value: Value, t: Type) -> Value:
        """A value of this type with the pieces in it exchanged."""
        t = t.of if isinstance(t, OptionalT) else t
        inner = element(t)
        if isinstance(t, PairT) and isinstance(value, tuple):
            parts = self.game.setup.rules.pairs[t.name].parts
            return tuple(self.value(v, part) for v, (_, part) in zip(value, parts, strict=True))
        if inner is not None and isinstance(value, frozenset | tuple):
            return type(value)(self.value(v, inner) for v in value)
        return self.piece(value) if isinstance(t, PieceT) and isinstance(value, int) else value

    def frame(self, act: Activation) -> Activation:
        """A frame with the pieces in its values and loops exchanged."""
        values = {
            name: self.value(value, self.types.get((act.name, name), UNKNOWN))
            for name, value in act.env.items()
        }
        blocks = []
        for block in act.blocks:
            data = block.data
            if block.kind in ("each", "choice"):
                loop = loop_of(block)
                t = self.types.get((act.name, loop.var), UNKNOWN)
                data = (loop.var, tuple(self.value(v, t) for v in loop.rest), *loop.by)
            blocks.append(Block(block.body, block.pc, block.kind, data))
        known = self.game.rules_source.procedures.get(act.name)
        given = (
            self.value(act.given, known.gives)
            if known is not None and known.gives is not None
            else act.given
        )
        return Activation(act.name, values, blocks, act.result, given)

    def commits(self, s: Position, player: int) -> tuple[Value, ...]:
        """What a player has chosen unseen; the types are found by replaying the choices."""
        act = s.stack[-1]
        var, body = at_once_of(act)
        values = {name: value for name, value in act.env.items() if name != AT_ONCE}
        branch = s.copy()
        branch.branches, branch.commits = {}, {}
        branch.stream, branch.drawn = s.branches[player].stream, 0
        branch.stack = [Activation(act.name, {**values, var: player}, [Block(body)])]
        found = []
        for value in s.commits[player]:
            self.game.machine.run(branch)
            (spec,) = self.game.decider.open(branch)
            found.append(self.value(value, _chosen(spec.mode, spec.item)))
            self.game.machine.decide(branch, value)
        return tuple(found)

    def entry(self, entry: Entry) -> Entry:
        """A line of the log."""
        rules = self.game.rules_source
        if entry.kind == "event":
            types = dict(rules.events[entry.name].params)
            args = tuple((name, self.value(value, types[name])) for name, value in entry.args)
        elif entry.kind == "chance":
            t = chance_type(self.game, entry.name)
            args = tuple((name, self.value(value, t)) for name, value in entry.args)
        else:
            args = tuple(
                (
                    name,
                    tuple(map(self.piece, entry.pieces()))
                    if name == "pieces"
                    else self.key(entry.place(name)),
                )
                for name, _ in entry.args
            )
        readers = entry.readers or (None,) * len(entry.totals)
        told = [who is None or self.viewer in who for who in readers]
        totals = tuple(
            self.tally(t, may) if isinstance(t, Tally) else t
            for t, may in zip(entry.totals, told, strict=True)
        )
        secret = tuple(sorted((self.piece(piece), who) for piece, who in entry.secret))
        return replace(entry, args=args, totals=totals, secret=secret)

    def tally(self, tally: Tally, told: bool) -> Tally:
        """A score table; one the viewer is not told (`told` is false) gets another total."""
        params = self.game.rules_source.tables[tally.table].params
        args = tuple(self.value(value, t) for value, (_, t) in zip(tally.args, params, strict=True))
        if told:
            return replace(tally, args=args)
        lines = tuple(
            replace(line, amount=line.amount + 1, total=line.total + 1) for line in tally.lines
        )
        return replace(tally, args=args, total=tally.total + 1, lines=lines)


def _links(s: Position) -> Iterator[int]:
    """The identities of the links of a log, newest first."""
    rest = s.log
    while rest:
        yield id(rest)
        rest = rest[1]
