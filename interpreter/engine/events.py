"""Events and effects: what changes a position is checked, performed, logged and answered.

Ends and latches are looked at after every change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Never

from interpreter.engine.clauses import Failure, Rules
from interpreter.model import mutations
from interpreter.model.position import Entry, Log, Position, index_of
from interpreter.model.setup import Key
from interpreter.model.tally import Tally
from interpreter.model.values import Fault
from interpreter.model.visibility import Tables, Viewers, everyone, knowers, pieces_in, shared_by
from rulelang import core
from rulelang.analysis.cost import looks_back
from rulelang.analysis.disclosure import Disclosures
from rulelang.core.types import element
from rulelang.core.values import Value, number_or_none, ordered
from rulelang.ruleset import Ending, Latch, Reaction, Ruleset

Scope = dict[str, Value]
"""The values in scope where statements run; statements that name values add to it."""


class Refused(Exception):
    """An event was proposed that its rules do not accept; nothing has changed."""

    def __init__(self, event: str, values: tuple[Value, ...], failures: list[Failure]) -> None:
        """The event, its values, and every requirement that failed."""
        super().__init__(f"{event} is refused: " + "; ".join(f.rule.label for f in failures))
        self.event, self.values, self.failures = event, values, failures


@dataclass(frozen=True)
class _Witnessed:
    """What was so just before an event, by which it is settled who may read of it."""

    log: Log  # the log as it stood
    knew: dict[int, Viewers]  # piece of the event -> who knew it
    witnesses: dict[str, Viewers]  # secret table -> who knew all that it may read


class Effects:
    """Changes positions of one game; who decides what, and when, is the machine's affair."""

    def __init__(self, rules: Rules, logs: bool = True) -> None:
        """The rules judge events and say what follows them.

        Unless it `logs`, no event is written down, and none is refused with reasons.
        """
        self.logs = logs
        self.rules, self.setup = rules, rules.setup
        self.ruleset: Ruleset = rules.setup.rules
        self.work = rules.setup.work
        self.watch_before = any(
            looks_back(self.ruleset, (r.cond, r.body)) for r in self.ruleset.reactions
        ) or any(e.reaction is not None for e in self.ruleset.extensions)
        self._totals: dict[str, tuple[core.Total, ...]] = {}
        self._reactions: dict[str, list[Reaction]] = {}
        for reaction in self.ruleset.reactions:
            self._reactions.setdefault(reaction.event, []).append(reaction)

    @cached_property
    def tables(self) -> Tables:
        """Who may learn what score tables come to; a game that nobody plays needs none."""
        return Tables(self.ruleset)

    @cached_property
    def disclosures(self) -> Disclosures:
        """The statements that show hidden things; a game that nobody plays needs none."""
        return Disclosures(self.ruleset)

    # -------------------------------------------------------------------------------- statements
    def perform_statement(self, s: Position, env: Scope, stmt: core.Stmt) -> None:
        """A statement that changes the position or names a value, in flow, event or reaction."""
        effect = EFFECTS[type(stmt)]
        effect(self, s, env, stmt)  # type: ignore[arg-type]  # it stands under the class it takes

    def perform_in_play(self, s: Position, env: Scope, stmt: core.Stmt) -> None:
        """The same where no event tells of it: what changes on the table is noted by itself."""
        if isinstance(stmt, core.Shuffle):
            self.perform_statement(s, env, stmt)
            s.note(Entry("shuffle", stmt.place, (("place", self._key(s, env, stmt)),)))
        elif isinstance(stmt, core.Move | core.Put):
            pieces = tuple(mutations.pieces_of(self.rules.value(stmt.what, s, env)))
            knew, at = shared_by(s, pieces), {piece: s.where[piece] for piece in pieces}
            to: tuple[tuple[str, Value], ...] = ()
            name = stmt.layer if isinstance(stmt, core.Put) else stmt.place
            if isinstance(stmt, core.Move):
                to = (("to", self._key(s, env, stmt)),)
            self.perform_statement(s, env, stmt)
            moved = tuple(piece for piece in pieces if s.where[piece] is not at[piece])
            if moved:
                known = {piece: knew[piece] | knowers(s, piece) for piece in moved}
                kind = "put" if isinstance(stmt, core.Put) else "move"
                args = (*to, ("pieces", moved))
                s.note(Entry(kind, name, args, secret=_closed(known, everyone(s))))
        else:
            self.perform_statement(s, env, stmt)

    def _body(self, s: Position, env: Scope, body: core.Body, clause: str = "") -> None:
        for stmt in body:
            try:
                self._step(s, env, stmt)
            except Fault as fault:
                raise fault.within(clause, stmt.span.line) from None

    def _step(self, s: Position, env: Scope, stmt: core.Stmt) -> None:
        self.work.step()
        s.learned = s.learned or self.disclosures.shows(stmt, env, s.actor)
        if stmt.clause is not None:
            if self.rules.gone(stmt.clause):
                return
            self.rules.fired.add(stmt.clause)
        self.perform_statement(s, env, stmt)

    def _let(self, s: Position, env: Scope, stmt: core.Let) -> None:
        env[stmt.var] = self.rules.value(stmt.value, s, env)

    def _chance(self, s: Position, env: Scope, stmt: core.Chance) -> None:
        members = ordered(self.rules.members(stmt.of, s, env))
        outcome = env[stmt.var] = members[s.random(len(members))] if members else None
        s.learned = True
        known = shared_by(s, pieces_in(outcome, element(stmt.of.type) or stmt.of.type))
        name, secret = stmt.var.split("~")[0], _closed(known, everyone(s))
        s.note(Entry("chance", name, (("outcome", outcome),), secret=secret))

    def _assign(self, s: Position, env: Scope, stmt: core.Assign) -> None:
        index = index_of(self.rules.value(stmt.index, s, env)) if stmt.index is not None else None
        if stmt.index is None or index is not None:
            s.assign(stmt.state, index, self.rules.value(stmt.value, s, env))

    def _shuffle(self, s: Position, env: Scope, stmt: core.Shuffle) -> None:
        mutations.shuffle(s, self._key(s, env, stmt))

    def _reveal(self, s: Position, env: Scope, stmt: core.Reveal) -> None:
        value = self.rules.value
        to = value(stmt.to, s, env) if stmt.to is not None else None
        pieces, who = mutations.reveal(s, value(stmt.what, s, env), to)
        s.learned = True
        s.note(Entry("reveal", "", (("pieces", pieces),), seen=who))

    def _if(self, s: Position, env: Scope, stmt: core.If) -> None:
        self._body(s, env, stmt.then if self.rules.value(stmt.cond, s, env) else stmt.other)

    def _for_each(self, s: Position, env: Scope, stmt: core.ForEach) -> None:
        for member in ordered(self.rules.members(stmt.domain, s, env)):
            self.work.step()
            env[stmt.var] = member
            self._body(s, env, stmt.body)

    def _repeat(self, s: Position, env: Scope, stmt: core.Repeat) -> None:
        value = self.rules.value
        turns = self.rules.number(stmt.times, s, env) if stmt.times is not None else None
        while turns != 0 and (stmt.cond is None or value(stmt.cond, s, env)):
            if turns is not None:
                if turns < 0:
                    return
                turns -= 1
            self.work.step()
            self._body(s, env, stmt.body)

    def _do(self, s: Position, env: Scope, stmt: core.Do) -> None:
        self.propose(s, stmt.target, tuple(self.rules.value(a, s, env) for a in stmt.args))

    def _no_decision(self, s: Position, env: Scope, stmt: core.Stmt) -> None:
        raise Fault(f"a decision inside an event, line {stmt.span.line}")

    def _key(
        self, s: Position, env: Scope, place: core.Move | core.Draw | core.Shuffle | core.Contents
    ) -> Key:
        """A place as the position knows it."""
        if place.index is None:
            return place.place, None
        return place.place, number_or_none(self.rules.value(place.index, s, env))

    def _move(self, s: Position, env: Scope, stmt: core.Move) -> None:
        key = self._key(s, env, stmt)
        if key in s.places:
            self.rules.touch(self.ruleset.places[stmt.place].clause)
            mutations.move(s, self.rules.value(stmt.what, s, env), key, stmt.bottom)

    def _draw(self, s: Position, env: Scope, stmt: core.Draw) -> None:
        source, target = self._key(s, env, stmt.source), self._key(s, env, stmt)
        if source not in s.places or target not in s.places:
            return
        for name in (source[0], target[0]):
            self.rules.touch(self.ruleset.places[name].clause)
        drawn = mutations.draw(s, self.rules.number(stmt.count, s, env), source, target)
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

    def _put(self, s: Position, env: Scope, stmt: core.Put) -> None:
        value = self.rules.value
        what, sites = value(stmt.what, s, env), value(stmt.sites, s, env)
        if what is not None and sites is not None:
            self.rules.touch(mutations.board_of(s, what, stmt.layer).clause)
            mutations.put(s, what, stmt.layer, sites, stmt.span.line)

    def propose(self, s: Position, event: str, values: tuple[Value, ...]) -> None:
        """Check an event by all its rules, perform and log it, let reactions follow.

        Raises Refused.
        """
        if not self.logs:
            if not self.rules.accepts(s, event, values):
                raise Refused(event, values, [])
            self.perform(s, event, values)
            return
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
        earlier = s.copy() if self.watch_before else None
        if not self.logs:
            self._body(s, env, known.body, known.clause)
            self._react(s, event, values, earlier)
            return
        tallies = tuple(self._tallies(s, env, event))
        pieces = {
            p
            for (_, t), value in zip(known.params, values, strict=True)
            for p in pieces_in(value, t)
        }
        witnesses = {
            t.table: self.tables.witnesses(s, t.table)
            for t in tallies
            if t.table in self.tables.secret
        }
        witnessed = _Witnessed(s.log, shared_by(s, pieces), witnesses)
        s.note(Entry("event", event, tuple(env.items()), tallies))
        self._body(s, env, known.body, known.clause)
        self._seal(s, witnessed)
        self._react(s, event, values, earlier)

    def _seal(self, s: Position, witnessed: _Witnessed) -> None:
        """Settle who may read the event just noted, and its tables (see `Tables.readers`).

        Those may who knew its pieces before it, or know them after it.
        """
        all_ = everyone(s)
        known = {piece: who | knowers(s, piece) for piece, who in witnessed.knew.items()}
        secret = _closed(known, all_)
        since: list[Entry] = []
        rest = s.log
        while rest and rest is not witnessed.log:
            since.append(rest[0])
            rest = rest[1]
        entry = since.pop()
        if not secret and not any(t.table in self.tables.secret for t in entry.totals):
            return
        readers = [
            self.tables.readers(
                t.table, t.args, known, all_, witnessed.witnesses.get(t.table, all_)
            )
            for t in entry.totals
        ]
        s.log = witnessed.log
        s.note(
            replace(
                entry, secret=secret, readers=tuple(None if who == all_ else who for who in readers)
            )
        )
        for inner in reversed(since):
            s.note(inner)

    def perform_only(self, s: Position, event: str, values: tuple[Value, ...]) -> None:
        """The event's own effects on a position that will be thrown away."""
        known, work = self.ruleset.events[event], self.work
        env: Scope = dict(zip([p for p, _ in known.params], values, strict=True))
        before, work.steps = work.steps, 0
        self._body(s, env, known.body, known.clause)
        work.steps, done = before, work.steps
        work.visit(done)

    def _tallies(self, s: Position, env: Scope, event: str) -> Iterator[Tally]:
        """The tables an event's statements ask for, worked out from the position before it."""
        if event not in self._totals:
            body = core.walk(self.ruleset.events[event].body)
            self._totals[event] = tuple(part for part in body if isinstance(part, core.Total))
        for expr in self._totals[event]:
            try:
                values = tuple(self.rules.value(a, s, env) for a in expr.args)
            except KeyError:
                continue  # speaks of a name the event gives only later
            yield self.rules.tally(s, expr.table, values)

    def _react(
        self, s: Position, event: str, values: tuple[Value, ...], earlier: Position | None
    ) -> None:
        """What follows an event: the rules' own reactions, then those of cards.

        All through a reaction `before` is the position before the event it answers, also after
        events that it proposes itself.
        """
        found: list[tuple[Reaction, Scope, str]] = [
            (r, {}, r.clause) for r in self._reactions.get(event, ())
        ]
        known = self.ruleset.events[event]
        for e, bound in self.rules.extensions(s, "reaction", event, "", known.params, values):
            assert e.reaction is not None
            found.append((e.reaction, dict(bound), e.clause))
        answered = s.before
        for reaction, scope, clause in found:
            if self.rules.gone(reaction.clause):
                continue
            env = {**dict(zip([p for p, _ in reaction.params], values, strict=True)), **scope}
            s.before = earlier
            if reaction.cond is None or self._answers(s, reaction, env):
                self.rules.fired.update((reaction.clause, clause))
                self._body(s, env, reaction.body, reaction.clause or clause)
            s.before = answered

    def _answers(self, s: Position, reaction: Reaction, env: Scope) -> bool:
        assert reaction.cond is not None
        try:
            return self.rules.holds(s, reaction.cond, env)
        except Fault as fault:
            raise fault.within(*self.rules.place(reaction.clause)) from None

    def after_change(self, s: Position) -> None:
        """Latches that have come true act once; the first end that holds ends the game."""
        for latch in self.ruleset.latches:
            if latch.name in s.ever or self.rules.gone(latch.clause):
                continue
            if self._come(s, latch):
                s.ever |= {latch.name}
                self.rules.fired.add(latch.clause)
                self._body(s, {}, latch.body, latch.clause)
        if not s.stream:  # a branch of simultaneous play never ends the game by itself
            self._look_for_end(s, None)

    def _finish(self, s: Position, env: Scope, stmt: core.Finish) -> None:
        if stmt.unit == "game":
            self.end(s, "game", self.ruleset.flow_clause)
            return
        s.rounds += 1
        if s.ended is None:
            self._look_for_end(s, stmt.unit)

    def _look_for_end(self, s: Position, unit: str | None) -> None:
        """The first end that waits for this unit of play (none: for nothing) and holds comes."""
        for ending in self.ruleset.endings:
            if ending.unit != unit or self.rules.gone(ending.clause):
                continue
            if self._come(s, ending):
                self.end(s, ending.name, ending.clause)
                return

    def _come(self, s: Position, what: Latch | Ending) -> bool:
        try:
            return self.rules.holds(s, what.cond)
        except Fault as fault:
            raise fault.within(*self.rules.place(what.clause)) from None

    def end(self, s: Position, name: str, clause: str) -> None:
        """The game is over."""
        s.ended = name
        self.rules.fired.add(clause)
        s.note(Entry("end", name))


# What each class of statement does in an event; a test holds it against all classes of the core.
EFFECTS: dict[type[core.Stmt], Callable[[Effects, Position, Scope, Never], None]] = {
    core.Let: Effects._let,
    core.Chance: Effects._chance,
    core.Assign: Effects._assign,
    core.Move: Effects._move,
    core.Draw: Effects._draw,
    core.Put: Effects._put,
    core.Shuffle: Effects._shuffle,
    core.Reveal: Effects._reveal,
    core.Do: Effects._do,
    core.Finish: Effects._finish,
    core.If: Effects._if,
    core.ForEach: Effects._for_each,
    core.Repeat: Effects._repeat,
    core.Give: Effects._no_decision,
    core.Each: Effects._no_decision,
    core.Choose: Effects._no_decision,
    core.Take: Effects._no_decision,
    core.May: Effects._no_decision,
    core.Maximize: Effects._no_decision,
}


def _closed(known: dict[int, Viewers], all_: Viewers) -> tuple[tuple[int, Viewers], ...]:
    """The pieces that not everybody knew, with those who did."""
    return tuple((piece, who) for piece, who in sorted(known.items()) if who != all_)
