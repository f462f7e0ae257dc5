"""Effects and events: what changes a position, checked, performed and logged; ends and latches are looked at after every change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from interpreter.engine.clauses import Failure, Rules
from interpreter.engine.scoring import Tally
from interpreter.evaluator.expressions import Env
from interpreter.model import mutations
from interpreter.model.position import Entry, Position
from interpreter.model.setup import Key
from interpreter.model.values import Fault
from interpreter.model.visibility import Tables, Viewers, everyone, knowers, pieces_in, shared_by
from rulelang import core
from rulelang.analysis.disclosure import Disclosures
from rulelang.core.types import element
from rulelang.core.values import ordered
from rulelang.ruleset import Ruleset

Value = Any


class Refused(Exception):
    """An event was proposed that its rules do not accept; the position is as it was before the choice."""

    def __init__(self, event: str, values: tuple[Value, ...], failures: list[Failure]) -> None:
        """The event, its values, and every requirement that failed."""
        super().__init__(f"{event} is refused: " + "; ".join(f.rule.label for f in failures))
        self.event, self.values, self.failures = event, values, failures


class Effects:
    """Changes positions of one game; control is added by the machine."""

    def __init__(self, rules: Rules) -> None:
        """The rules judge events and say what follows them."""
        self.rules, self.setup = rules, rules.setup
        self.ruleset: Ruleset = rules.setup.rules
        self.tables = Tables(self.ruleset)
        self.actor: int | None = None  # who made the choice that is being carried out
        rules.machine = self
        self.watch_before = any(_looks_back(r.cond, r.body) for r in self.ruleset.reactions) or any(
            e.reaction is not None for e in self.ruleset.extensions
        )
        self.totals: dict[
            str, tuple[core.Total, ...]
        ] = {}  # event -> the tables its statements ask for
        self.reactions: dict[str, list[Any]] = {}
        for reaction in self.ruleset.reactions:
            self.reactions.setdefault(reaction.event, []).append(reaction)

    @cached_property
    def disclosures(self) -> Disclosures:
        """The statements that show hidden things: looked for when somebody plays, for a game that is only asked about needs none."""
        return Disclosures(self.ruleset)

    def effect(self, s: Position, env: Env, stmt: core.Stmt) -> None:
        """A statement that changes the position or names a value; used by flows, events and reactions alike."""
        value = self.rules.evaluator.value
        if isinstance(stmt, core.Let):
            env[stmt.var] = value(stmt.value, s, env)
        elif isinstance(stmt, core.Chance):
            members = ordered(value(stmt.of, s, env))
            env[stmt.var] = members[s.random(len(members))] if members else None
            s.learned = True
            known = shared_by(s, pieces_in(env[stmt.var], element(stmt.of.type) or stmt.of.type))
            s.note(
                Entry(
                    "chance",
                    stmt.var.split("~")[0],
                    (("outcome", env[stmt.var]),),
                    secret=_closed(known, everyone(s)),
                )
            )
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
            mutations.shuffle(s, self._key(s, env, stmt))
        elif isinstance(stmt, core.Reveal):
            pieces, who = mutations.reveal(
                s, value(stmt.what, s, env), value(stmt.to, s, env) if stmt.to is not None else None
            )
            s.learned = True
            s.note(Entry("reveal", "", (("pieces", pieces),), seen=who))
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
            turns = value(stmt.times, s, env) if stmt.times is not None else mutations.MAX_STEPS
            while turns > 0 and (stmt.cond is None or value(stmt.cond, s, env)):
                turns -= 1
                for inner in stmt.body:
                    self._inner(s, env, inner)
            if turns <= 0 and stmt.times is None:
                mutations.endless(stmt.span.line)
        elif isinstance(stmt, core.Do):
            self.propose(s, stmt.target, tuple(value(a, s, env) for a in stmt.args))
        else:
            raise Fault(f"a decision inside an event, line {stmt.span.line}")

    def _inner(self, s: Position, env: Env, stmt: core.Stmt) -> None:
        s.learned = s.learned or self.disclosures.shows(stmt, env, self.actor)
        if stmt.clause is not None:
            if self.rules.gone(stmt.clause):
                return
            self.rules.fired.add(stmt.clause)
        self.effect(s, env, stmt)

    def _key(
        self, s: Position, env: Env, place: core.Move | core.Draw | core.Shuffle | core.Contents
    ) -> Key:
        """A place as the position knows it."""
        return (
            place.place,
            self.rules.evaluator.value(place.index, s, env) if place.index is not None else None,
        )

    def _move(self, s: Position, env: Env, stmt: core.Move) -> None:
        key = self._key(s, env, stmt)
        if key in s.places:
            self.rules.touch(self.ruleset.places[stmt.place].clause)
            mutations.move(s, self.rules.evaluator.value(stmt.what, s, env), key, stmt.bottom)

    def _draw(self, s: Position, env: Env, stmt: core.Draw) -> None:
        source, target = self._key(s, env, stmt.source), self._key(s, env, stmt)
        if source not in s.places or target not in s.places:
            return
        for name in (source[0], target[0]):
            self.rules.touch(self.ruleset.places[name].clause)
        drawn = mutations.draw(s, self.rules.evaluator.value(stmt.count, s, env), source, target)
        if drawn:
            s.learned = True
            owner = target[1] if str(self.ruleset.places[target[0]].of) == "player" else None
            s.note(
                Entry(
                    "draw",
                    target[0],
                    (("from", source), ("to", target), ("pieces", drawn)),
                    player=owner,
                )
            )

    def _put(self, s: Position, env: Env, stmt: core.Put) -> None:
        value = self.rules.evaluator.value
        what, sites = value(stmt.what, s, env), value(stmt.sites, s, env)
        if what is not None and sites is not None:
            self.rules.touch(mutations.board_of(s, what, stmt.layer).clause)
            mutations.put(s, what, stmt.layer, sites, stmt.span.line)

    def propose(self, s: Position, event: str, values: tuple[Value, ...]) -> None:
        """Check an event by all its rules, perform it, log it with its tables, let reactions follow; raises Refused."""
        passed: set[str] = set()
        failures = list(self.rules.failures(s, event, values, passed))
        if failures:
            raise Refused(event, values, failures)
        self.rules.fired |= passed
        self.perform(s, event, values)

    def perform(self, s: Position, event: str, values: tuple[Value, ...]) -> None:
        """Perform an event without asking its rules."""
        known = self.ruleset.events[event]
        self.rules.touch(known.clause)
        self.rules.fired.add(known.clause)
        env = dict(zip([p for p, _ in known.params], values, strict=True))
        tallies = tuple(self._tallies(s, env, event))
        earlier = s.copy() if self.watch_before else None
        pieces = {
            p
            for (_, t), value in zip(known.params, values, strict=True)
            for p in pieces_in(value, t)
        }
        knew, written = shared_by(s, pieces), s.log
        witnesses = {
            t.table: self.tables.witnesses(s, t.table)
            for t in tallies
            if t.table in self.tables.secret
        }
        s.note(
            Entry(
                "event",
                event,
                tuple(zip([p for p, _ in known.params], values, strict=True)),
                tallies,
            )
        )
        for stmt in known.body:
            self._inner(s, env, stmt)
        self._seal(s, written, {p: who | knowers(s, p) for p, who in knew.items()}, witnesses)
        self._react(s, event, values, earlier)

    def _seal(
        self, s: Position, written: Any, known: dict[int, Viewers], witnesses: dict[str, Viewers]
    ) -> None:
        """Settle who may read the event noted after `written`: those who knew its pieces before it or know them after it; of tables, see `Tables.readers`."""
        all_ = everyone(s)
        secret = _closed(known, all_)
        since: list[Entry] = []
        rest = s.log
        while rest is not written:
            since.append(rest[0])
            rest = rest[1]
        entry = since.pop()
        if not secret and not any(t.table in self.tables.secret for t in entry.totals):
            return
        readers = [
            self.tables.readers(t.table, t.args, known, all_, witnesses.get(t.table, all_))
            for t in entry.totals
        ]
        s.log = written
        s.note(
            replace(
                entry, secret=secret, readers=tuple(None if who == all_ else who for who in readers)
            )
        )
        for inner in reversed(since):
            s.note(inner)

    def perform_only(self, s: Position, event: str, values: tuple[Value, ...]) -> None:
        """The event's own effects on a position that will be thrown away."""
        known = self.ruleset.events[event]
        env = dict(zip([p for p, _ in known.params], values, strict=True))
        for stmt in known.body:
            self._inner(s, env, stmt)

    def _tallies(self, s: Position, env: Env, event: str) -> Iterator[Tally]:
        """The tables an event's statements ask for, worked out from the position before it."""
        if event not in self.totals:
            self.totals[event] = tuple(
                part
                for part in core.walk(self.ruleset.events[event].body)
                if isinstance(part, core.Total)
            )
        for expr in self.totals[event]:
            try:
                values = tuple(self.rules.evaluator.value(a, s, env) for a in expr.args)
            except KeyError:
                continue  # speaks of a name the event gives only later
            yield self.rules.tally(s, expr.table, values)

    def _react(
        self, s: Position, event: str, values: tuple[Value, ...], earlier: Position | None
    ) -> None:
        found: list[tuple[Any, Env, str]] = [
            (r, {}, r.clause) for r in self.reactions.get(event, ())
        ]
        known = self.ruleset.events[event]
        found += [
            (e.reaction, bound, e.clause)
            for e, bound in self.rules.extensions(s, "reaction", event, "", known.params, values)
        ]
        for reaction, bound, clause in found:
            if self.rules.gone(reaction.clause):
                continue
            env = {**dict(zip([p for p, _ in reaction.params], values, strict=True)), **bound}
            s.before = earlier
            if reaction.cond is None or self.rules.holds(s, reaction.cond, env):
                self.rules.fired.update((reaction.clause, clause))
                for stmt in reaction.body:
                    self._inner(s, env, stmt)
            s.before = None

    def after_change(self, s: Position) -> None:
        """Latches that have come true act once; ends that hold end the game."""
        for latch in self.ruleset.latches:
            if (
                latch.name not in s.ever
                and not self.rules.gone(latch.clause)
                and self.rules.holds(s, latch.cond)
            ):
                s.ever |= {latch.name}
                self.rules.fired.add(latch.clause)
                env: Env = {}
                for stmt in latch.body:
                    self._inner(s, env, stmt)
        if s.stream:
            return  # a branch of simultaneous play never ends the game by itself
        for ending in self.ruleset.endings:
            if (
                ending.unit is None
                and not self.rules.gone(ending.clause)
                and self.rules.holds(s, ending.cond)
            ):
                self._end(s, ending.name, ending.clause)
                return

    def _finish(self, s: Position, unit: str) -> None:
        if unit == "game":
            self._end(s, "game", self.ruleset.flow_clause)
            return
        s.rounds += 1
        for ending in self.ruleset.endings:
            if (
                ending.unit == unit
                and s.ended is None
                and not self.rules.gone(ending.clause)
                and self.rules.holds(s, ending.cond)
            ):
                self._end(s, ending.name, ending.clause)

    def _end(self, s: Position, name: str, clause: str) -> None:
        s.ended = name
        self.rules.fired.add(clause)
        s.note(Entry("end", name))


def _closed(
    known: dict[int, frozenset[int]], all_: frozenset[int]
) -> tuple[tuple[int, frozenset[int]], ...]:
    return tuple((piece, who) for piece, who in sorted(known.items()) if who != all_)


def _looks_back(*items: Any) -> bool:
    return any(isinstance(part, core.At) and part.mode == "before" for part in core.walk(items))
