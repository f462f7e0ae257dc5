"""The machine: runs statements from data alone (bodies by number, frames in the position), stopping wherever somebody must decide."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.builtins import ordered
from interpreter.evaluate import Env, Fault
from interpreter.rules import Failure, Rules, Tally
from interpreter.state import Activation, Block, Entry, Position
from rulelang import core
from rulelang.core import Body
from rulelang.ruleset import Ruleset
from rulelang.types import Type

Value = Any
MAX_STEPS = 200_000  # statements between two decisions: more is a loop that asks nobody


class Refused(Exception):
    """An event was proposed that its rules do not accept; the position is as it was before the choice."""

    def __init__(self, event: str, values: tuple[Value, ...], failures: list[Failure]) -> None:
        """The event, its values, and every requirement that failed."""
        super().__init__(f"{event} is refused: " + "; ".join(f.rule.label for f in failures))
        self.event, self.values, self.failures = event, values, failures


class Machine:
    """Runs positions of one game."""

    def __init__(self, rules: Rules) -> None:
        """Bodies are numbered in the order of the ruleset, so that a frame is data."""
        self.rules, self.setup = rules, rules.setup
        self.ruleset: Ruleset = rules.setup.rules
        self.bodies: list[Body] = []
        self.numbers: dict[int, int] = {}
        self.items: dict[int, Type] = {}  # the body of a `for each` -> what its members are
        rules.machine = self
        self._number(self.ruleset.flow)
        for procedure in self.ruleset.procedures.values():
            self._number(procedure.body)
        for latch in self.ruleset.latches:
            self._number(latch.body)
        self.watch_before = any(_mentions_before(r.cond, r.body) for r in self.ruleset.reactions) or any(
            e.reaction is not None for e in self.ruleset.extensions
        )
        self.maximized: dict[int, core.Maximize] = {}
        self.reactions: dict[str, list[Any]] = {}
        for reaction in self.ruleset.reactions:
            self.reactions.setdefault(reaction.event, []).append(reaction)

    def _number(self, body: Body) -> int:
        known = self.numbers.get(id(body))
        if known is not None:
            return known
        number = self.numbers[id(body)] = len(self.bodies)
        self.bodies.append(body)
        for stmt in body:
            for name in ("then", "other", "body"):
                inner = getattr(stmt, name, None)
                if isinstance(inner, tuple):
                    self._number(inner)
            if isinstance(stmt, core.ForEach):
                self.items[self.numbers[id(stmt.body)]] = stmt.item
        return number

    def number(self, body: Body) -> int:
        """The number of a body; bodies of scenarios are numbered when first met."""
        return self.numbers[id(body)] if id(body) in self.numbers else self._number(body)

    # ---------------------------------------------------------------------------------------- running
    def begin(self, s: Position) -> None:
        """Open the flow."""
        s.stack = [Activation("flow", {}, [Block(self.number(self.ruleset.flow))])]

    def call(self, s: Position, name: str, values: tuple[Value, ...], result: str | None = None) -> None:
        """Open a procedure or action."""
        procedure = self.ruleset.procedures[name]
        self.rules.touch(procedure.clause)
        self.rules.fired.add(procedure.clause)
        env = dict(zip([p for p, _ in procedure.params], values, strict=True))
        s.stack.append(Activation(name, env, [Block(self.number(procedure.body))], result))

    def run(self, s: Position, floor: tuple[int, int] | None = None) -> None:
        """Run until somebody must decide, the game is over, or (for a search) the block at `floor` is closed."""
        steps = 0
        while s.ended is None and s.stack:
            if floor is not None and (len(s.stack), len(s.stack[-1].blocks)) < floor:
                return
            if s.branches:
                if not self._join(s):
                    return
                continue
            act = s.stack[-1]
            if not act.blocks:
                self._return(s)
                continue
            block = act.blocks[-1]
            body = self.bodies[block.body]
            if block.pc >= len(body):
                if self._close(s, act, block):
                    return
                continue
            stmt = body[block.pc]
            if self.waits(stmt):
                if not (isinstance(stmt, core.Choose) and self.empty_choice(s, act, stmt)):
                    return
                act.env[stmt.var] = () if stmt.mode == "order" else frozenset()
                block.pc += 1
                continue
            steps += 1
            if steps > MAX_STEPS:
                raise Fault(f"{MAX_STEPS} steps without a decision, in {act.name}, line {stmt.span.line}")
            block.pc += 1
            self.step(s, act, stmt)
            if s.dirty:
                s.dirty = False
                self.after_change(s)

    def empty_choice(self, s: Position, act: Activation, stmt: core.Choose) -> bool:
        """Is there nothing to choose several of, or to put in order? Then nobody is asked."""
        if stmt.mode == "one":
            return False
        value = self.rules.evaluator.value
        if stmt.high is not None and value(stmt.high, s, act.env) <= 0:
            return True
        env = dict(act.env)
        for item in self.rules.func(stmt.domain)(s, env):
            env[stmt.var] = item
            if self.rules.func(stmt.cond)(s, env):
                return False
        return True

    def waits(self, stmt: core.Stmt) -> bool:
        """Does this statement need somebody's decision?"""
        return isinstance(stmt, core.Choose | core.Take | core.May)

    def _return(self, s: Position) -> None:
        act = s.stack.pop()
        if act.result is not None and s.stack:
            s.stack[-1].env[act.result] = act.given
        if act.name == "flow" and not s.stack and s.stream == 0:
            self._end(s, "flow", self.ruleset.flow_clause)

    def _close(self, s: Position, act: Activation, block: Block) -> bool:
        """A block is at its end: leave it or go round again; says whether a decision is needed first."""
        if block.kind == "" or block.kind == "maximize":
            act.blocks.pop()
        elif block.kind == "each":
            var, rest = block.data
            if rest:
                act.env[var] = rest[0]
                block.data, block.pc = (var, rest[1:]), 0
            else:
                act.blocks.pop()
        elif block.kind == "choice":  # the next member is the chooser's to name
            var, rest, player = block.data
            if not rest:
                act.blocks.pop()
            elif len(rest) == 1:
                act.env[var] = rest[0]
                block.data, block.pc = (var, (), player), 0
            else:
                return True
        elif block.kind == "while":
            stmt = self.bodies[block.data[0]][block.data[1]]
            assert isinstance(stmt, core.Repeat) and stmt.cond is not None
            if self.rules.holds(s, stmt.cond, act.env):
                block.pc = 0
            else:
                act.blocks.pop()
        elif block.kind == "times":
            left = block.data[0] - 1
            if left > 0:
                block.data, block.pc = (left,), 0
            else:
                act.blocks.pop()
        elif block.kind == "forever":
            block.pc = 0
        return False

    # ---------------------------------------------------------------------------------------- statements
    def step(self, s: Position, act: Activation, stmt: core.Stmt) -> None:
        """One statement that needs no decision."""
        if stmt.clause is not None and self.rules.gone(stmt.clause):
            return
        if stmt.clause is not None:
            self.rules.fired.add(stmt.clause)
        env = act.env
        value = self.rules.evaluator.value
        if isinstance(stmt, core.If):
            body = stmt.then if value(stmt.cond, s, env) else stmt.other
            if body:
                act.blocks.append(Block(self.number(body)))
        elif isinstance(stmt, core.ForEach):
            members = tuple(ordered(value(stmt.domain, s, env)))
            if stmt.by is not None and len(members) > 1:
                act.blocks.append(Block(self.number(stmt.body), len(stmt.body), "choice", (stmt.var, members, value(stmt.by, s, env))))
            elif members:
                env[stmt.var] = members[0]
                act.blocks.append(Block(self.number(stmt.body), 0, "each", (stmt.var, members[1:])))
        elif isinstance(stmt, core.Repeat):
            self._repeat(s, act, stmt)
        elif isinstance(stmt, core.Each):
            self._each(s, act, stmt)
        elif isinstance(stmt, core.Maximize):
            act.blocks.append(Block(self.number(stmt.body), 0, "maximize", (self.number_of(stmt),)))
        elif isinstance(stmt, core.Do):
            values = tuple(value(a, s, env) for a in stmt.args)
            if stmt.target in self.ruleset.events:
                self.propose(s, stmt.target, values)
            else:
                self.call(s, stmt.target, values, stmt.result)
        elif isinstance(stmt, core.Give):
            act.given = value(stmt.value, s, env)
            act.blocks.clear()
        else:
            self.effect(s, env, stmt)

    def number_of(self, stmt: core.Maximize) -> int:
        """The number of a maximize statement's body, by which it is found again."""
        number = self.number(stmt.body)
        self.maximized[number] = stmt
        return number

    def _repeat(self, s: Position, act: Activation, stmt: core.Repeat) -> None:
        number = self.number(stmt.body)
        if stmt.times is not None:
            n = self.rules.evaluator.value(stmt.times, s, act.env)
            if n > 0:
                act.blocks.append(Block(number, 0, "times", (n,)))
        elif stmt.cond is not None:
            if self.rules.holds(s, stmt.cond, act.env):
                here = act.blocks[-1]
                act.blocks.append(Block(number, 0, "while", (here.body, here.pc - 1)))
        else:
            act.blocks.append(Block(number, 0, "forever"))

    def _each(self, s: Position, act: Activation, stmt: core.Each) -> None:
        n = self.setup.players
        number = self.number(stmt.body)
        if stmt.mode == "in turn":
            first = 0 if stmt.start is None else self.rules.evaluator.value(stmt.start, s, act.env) or 0
            order = tuple((first + i) % n for i in range(n))
            act.env[stmt.var] = order[0]
            act.blocks.append(Block(number, 0, "each", (stmt.var, order[1:])))
            return
        base = s.copy()
        base.branches, base.commits = {}, {}
        for p in range(n):
            branch = base.copy()
            branch.stack = [Activation(act.name, {**act.env, stmt.var: p}, [Block(number)])]
            branch.stream, branch.drawn = 1 + p + n * (s.drawn + 1), 0
            self.run(branch)
            s.branches[p] = branch
            s.commits[p] = ()
        act.env["@each"] = (stmt.var, number)

    def _join(self, s: Position) -> bool:
        """When every branch has run out, replay their choices in seat order on the common position; says whether it did."""
        if any(b.stack and b.ended is None for b in s.branches.values()):
            return False
        commits, streams = s.commits, {p: (b.stream) for p, b in s.branches.items()}
        s.branches, s.commits = {}, {}
        act = s.stack[-1]
        var, number = act.env.pop("@each")
        stream, drawn = s.stream, s.drawn
        for p in sorted(commits):
            s.stream, s.drawn = streams[p], 0
            depth = len(s.stack)
            s.stack.append(Activation(act.name, {**act.env, var: p}, [Block(number)]))
            floor = (depth + 1, 0)
            self.run(s, floor)
            for choice in commits[p]:
                self.decide(s, choice)
                self.run(s, floor)
            while len(s.stack) > depth:
                s.stack.pop()
        s.stream, s.drawn = stream, drawn + 1
        s.learned = True
        return True

    def effect(self, s: Position, env: Env, stmt: core.Stmt) -> None:
        """A statement that changes the position or names a value; used by flows, events and reactions alike."""
        value = self.rules.evaluator.value
        if isinstance(stmt, core.Let):
            env[stmt.var] = value(stmt.value, s, env)
        elif isinstance(stmt, core.Chance):
            members = ordered(value(stmt.of, s, env))
            env[stmt.var] = members[s.random(len(members))] if members else None
            s.learned = True
            s.note(Entry("chance", stmt.var.split("~")[0], (("outcome", env[stmt.var]),)))
        elif isinstance(stmt, core.Assign):
            index = value(stmt.index, s, env) if stmt.index is not None else None
            if stmt.index is None or index is not None:
                s.assign(stmt.state, index, value(stmt.value, s, env))
        elif isinstance(stmt, core.Move):
            self._move(s, env, stmt)
        elif isinstance(stmt, core.Draw):
            self._draw(s, env, stmt)
        elif isinstance(stmt, core.Put):
            self._put(s, env, stmt)
        elif isinstance(stmt, core.Shuffle):
            key = (stmt.place, value(stmt.index, s, env) if stmt.index is not None else None)
            pieces = list(s.places[key])
            for i in range(len(pieces) - 1, 0, -1):
                j = s.random(i + 1)
                pieces[i], pieces[j] = pieces[j], pieces[i]
            s.places[key] = tuple(pieces)
            for piece in pieces:
                s.known.pop(piece, None)
            s.touch(f"place:{stmt.place}")
        elif isinstance(stmt, core.Reveal):
            pieces = _pieces(value(stmt.what, s, env))
            who = frozenset(value(stmt.to, s, env)) if stmt.to is not None else frozenset(range(self.setup.players))
            for piece in pieces:
                s.known[piece] = s.known.get(piece, frozenset()) | who
            s.learned = True
            s.touch("known")
            s.note(Entry("reveal", "", (("pieces", tuple(pieces)),), seen=who))
        elif isinstance(stmt, core.Finish):
            self._finish(s, stmt.unit)
        elif isinstance(stmt, core.If):
            for inner in stmt.then if value(stmt.cond, s, env) else stmt.other:
                self._inner(s, env, inner)
        elif isinstance(stmt, core.ForEach):
            for member in ordered(value(stmt.domain, s, env)):
                env[stmt.var] = member
                for inner in stmt.body:
                    self._inner(s, env, inner)
        elif isinstance(stmt, core.Repeat):
            turns = value(stmt.times, s, env) if stmt.times is not None else MAX_STEPS
            while turns > 0 and (stmt.cond is None or value(stmt.cond, s, env)):
                turns -= 1
                for inner in stmt.body:
                    self._inner(s, env, inner)
            if turns <= 0 and stmt.times is None:
                raise Fault(f"a loop in an event that does not end, line {stmt.span.line}")
        elif isinstance(stmt, core.Do):
            self.propose(s, stmt.target, tuple(value(a, s, env) for a in stmt.args))
        else:
            raise Fault(f"a decision inside an event, line {stmt.span.line}")

    def _inner(self, s: Position, env: Env, stmt: core.Stmt) -> None:
        if stmt.clause is not None:
            if self.rules.gone(stmt.clause):
                return
            self.rules.fired.add(stmt.clause)
        self.effect(s, env, stmt)

    def _move(self, s: Position, env: Env, stmt: core.Move) -> None:
        value = self.rules.evaluator.value
        key = (stmt.place, value(stmt.index, s, env) if stmt.index is not None else None)
        if key not in s.places:
            return
        moved = value(stmt.what, s, env)
        pieces = [moved] if isinstance(moved, int) else [p for p in ordered(moved or ()) if p is not None]
        self.rules.touch(self.ruleset.places[stmt.place].clause)
        for piece in pieces:
            s.move(piece, key, stmt.bottom)

    def _draw(self, s: Position, env: Env, stmt: core.Draw) -> None:
        value = self.rules.evaluator.value
        source = (stmt.source.place, value(stmt.source.index, s, env) if stmt.source.index is not None else None)
        target = (stmt.place, value(stmt.index, s, env) if stmt.index is not None else None)
        if source not in s.places or target not in s.places:
            return
        for name in (source[0], target[0]):
            self.rules.touch(self.ruleset.places[name].clause)
        drawn = s.places[source][: max(0, value(stmt.count, s, env))]
        for piece in drawn:
            s.move(piece, target)
        if drawn:
            s.learned = True
            owner = target[1] if str(self.ruleset.places[target[0]].of) == "player" else None
            s.note(Entry("draw", target[0], (("from", source), ("to", target), ("pieces", drawn)), player=owner))

    def _put(self, s: Position, env: Env, stmt: core.Put) -> None:
        value = self.rules.evaluator.value
        what, sites = value(stmt.what, s, env), value(stmt.sites, s, env)
        if what is None or sites is None:
            return
        if stmt.layer == "":
            board = next(b.name for b in self.ruleset.boards.values() if b.grown_from == self.setup.pieces[what].design.component)
            self.rules.touch(self.ruleset.boards[board].clause)
            s.lay(what, board, tuple(sites))
            return
        spots = tuple(ordered(sites)) if isinstance(sites, frozenset | tuple) else (sites,)
        piece = what if isinstance(what, int) else next(iter(ordered(what)), None)
        board_info = self.setup.boards[self.setup.layer_board[stmt.layer]].board
        layer = board_info.layer(stmt.layer)
        self.rules.touch(board_info.clause)
        assert layer is not None
        if piece is None or not spots:
            return
        if not layer.stacked and any(site in s.on[layer.name] for site in spots):
            raise Fault(f"two pieces on one site of {stmt.layer}, line {stmt.span.line}")
        s.put(piece, stmt.layer, spots)

    # ---------------------------------------------------------------------------------------- events
    def propose(self, s: Position, event: str, values: tuple[Value, ...]) -> None:
        """Check an event by all its rules, perform it, log it with its tables, let reactions follow; raises Refused."""
        failures = list(self.rules.failures(s, event, values))
        if failures:
            raise Refused(event, values, failures)
        self.perform(s, event, values)

    def perform(self, s: Position, event: str, values: tuple[Value, ...]) -> None:
        """Perform an event without asking its rules."""
        known = self.ruleset.events[event]
        self.rules.touch(known.clause)
        self.rules.fired.add(known.clause)
        env = dict(zip([p for p, _ in known.params], values, strict=True))
        tallies = tuple(self._tallies(s, env, known.body))
        earlier = s.copy() if self.watch_before else None
        s.note(Entry("event", event, tuple(zip([p for p, _ in known.params], values, strict=True)), tallies))
        for stmt in known.body:
            self._inner(s, env, stmt)
        self._react(s, event, values, earlier)

    def perform_only(self, s: Position, event: str, values: tuple[Value, ...]) -> None:
        """The event's own effects on a position that will be thrown away."""
        known = self.ruleset.events[event]
        env = dict(zip([p for p, _ in known.params], values, strict=True))
        for stmt in known.body:
            self._inner(s, env, stmt)

    def _tallies(self, s: Position, env: Env, body: Body) -> Iterator[Tally]:
        """The tables an event's statements ask for, worked out from the position before it."""
        for stmt in body:
            for expr in _totals(stmt):
                try:
                    values = tuple(self.rules.evaluator.value(a, s, env) for a in expr.args)
                except KeyError:
                    continue  # speaks of a name the event gives only later
                yield self.rules.tally(s, expr.table, values)

    def _react(self, s: Position, event: str, values: tuple[Value, ...], earlier: Position | None) -> None:
        found: list[tuple[Any, Env]] = [(r, {}) for r in self.reactions.get(event, ())]
        known = self.ruleset.events[event]
        found += [(e.reaction, bound) for e, bound in self.rules.extensions(s, "reaction", event, "", known.params, values)]
        for reaction, bound in found:
            if self.rules.gone(reaction.clause):
                continue
            env = {**dict(zip([p for p, _ in reaction.params], values, strict=True)), **bound}
            s.before = earlier
            if reaction.cond is None or self.rules.holds(s, reaction.cond, env):
                self.rules.fired.add(reaction.clause)
                for stmt in reaction.body:
                    self._inner(s, env, stmt)
            s.before = None

    # ---------------------------------------------------------------------------------------- ends
    def after_change(self, s: Position) -> None:
        """Latches that have come true act once; ends that hold end the game."""
        for latch in self.ruleset.latches:
            if latch.name not in s.ever and not self.rules.gone(latch.clause) and self.rules.holds(s, latch.cond):
                s.ever |= {latch.name}
                self.rules.fired.add(latch.clause)
                env: Env = {}
                for stmt in latch.body:
                    self._inner(s, env, stmt)
        if s.stream:
            return  # a branch of simultaneous play never ends the game by itself
        for ending in self.ruleset.endings:
            if self.rules.gone(ending.clause) or not self.rules.holds(s, ending.cond):
                continue
            if ending.unit is None:
                self._end(s, ending.name, ending.clause)
                return

    def _finish(self, s: Position, unit: str) -> None:
        if unit == "game":
            self._end(s, "game", self.ruleset.flow_clause)
            return
        for ending in self.ruleset.endings:
            if ending.unit == unit and s.ended is None and not self.rules.gone(ending.clause) and self.rules.holds(s, ending.cond):
                self._end(s, ending.name, ending.clause)

    def _end(self, s: Position, name: str, clause: str) -> None:
        s.ended = name
        self.rules.fired.add(clause)
        s.note(Entry("end", name))

    def decide(self, s: Position, value: Value) -> None:
        """Take a decision that is open at the top of the stack; the value must have been checked."""
        act = s.stack[-1]
        block = act.blocks[-1]
        if block.kind == "choice" and block.pc >= len(self.bodies[block.body]):
            var, rest, player = block.data
            act.env[var] = value
            block.data, block.pc = (var, tuple(x for x in rest if x != value), player), 0
            return
        stmt = self.bodies[block.body][block.pc]
        block.pc += 1
        if stmt.clause is not None:
            self.rules.fired.add(stmt.clause)
        if isinstance(stmt, core.Choose):
            act.env[stmt.var] = value
        elif isinstance(stmt, core.Take):
            self.call(s, value, (self.rules.evaluator.value(stmt.by, s, act.env),))
        elif isinstance(stmt, core.May) and value:
            act.blocks.append(Block(self.number(stmt.body)))

    def ranking(self, s: Position) -> list[list[int]]:
        """Players from first to last, those that no key tells apart together."""
        keys: dict[int, tuple[int, ...]] = {}
        for p in range(self.setup.players):
            key = []
            for line in self.ruleset.ranks:
                if self.rules.gone(line.clause) or (line.cond is not None and not self.rules.holds(s, line.cond, {"player": p})):
                    continue
                amount = self.rules.evaluator.value(line.key, s, {"player": p})
                key.append(amount if line.largest else -amount)
            keys[p] = tuple(key)
        found: list[list[int]] = []
        for rank in sorted(set(keys.values()), reverse=True):
            found.append([p for p in keys if keys[p] == rank])
        return found


def _pieces(value: Value) -> list[int]:
    return [value] if isinstance(value, int) else [p for p in ordered(value or ()) if p is not None]


def _totals(item: Any) -> Iterator[core.Total]:
    if isinstance(item, core.Total):
        yield item
    if isinstance(item, core.Expr | core.Stmt):
        for value in item.__dict__.values():
            if isinstance(value, core.Expr | core.Stmt):
                yield from _totals(value)
            elif isinstance(value, tuple):
                for part in value:
                    yield from _totals(part)


def _mentions_before(*items: Any) -> bool:
    for item in items:
        if isinstance(item, core.At) and item.mode == "before":
            return True
        if isinstance(item, tuple) and _mentions_before(*item):
            return True
        if isinstance(item, core.Expr | core.Stmt) and _mentions_before(*item.__dict__.values()):
            return True
    return False
