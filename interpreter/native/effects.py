"""What changes a state: the statements of events and reactions, ends and latches.

Statements that need no decision are written one after the other; every one counts as a step.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Never

from interpreter.native import bits, ir
from interpreter.native.builder import Builder
from interpreter.native.expressions import Expressions
from interpreter.native.ir import Code, op
from interpreter.native.layout import SHOWN, Table
from interpreter.native.other_states import Perform
from interpreter.native.program import OpenPlace, Scope, Stop
from interpreter.native.shared import Shared, missing
from interpreter.native.values import (
    MAX_WORDS,
    NONE,
    Bits,
    Goal,
    Lowered,
    Members,
    Scalar,
    bits_of,
    scalar_type,
    words_of,
)
from rulelang import core
from rulelang.core.types import NUMBER, OptionalT, PieceT, element, non_optional
from rulelang.ruleset import Ending, Extension, Latch, Reaction

FLOW, GAME = "flow", "game"  # the ends that rules do not name


class Effects:
    """Lowers statements that need no decision into one function."""

    def __init__(self, shared: Shared, b: Builder, really: bool = True) -> None:
        """The builder writes the function; what `really` happens marks clauses that count."""
        self.shared, self.program, self.b, self.really = shared, shared.program, b, really
        self.layout, self.ruleset = shared.program.layout, shared.program.ruleset
        self.say = Expressions(shared, b, really)
        shared.others.perform = _alone(shared)

    def counts(self, clause: str | None) -> None:
        """A clause counts here, if this really happens."""
        if self.really:
            self.shared.marks.clause(self.b, clause)

    def shown(self) -> None:
        """Something is shown here, if this really happens."""
        if self.really:
            self.shared.disclosing.shown(self.b)

    # -------------------------------------------------------------------------------- bodies
    def body(self, body: core.Body, scope: Scope) -> None:
        """Statements one after the other, each a step."""
        for stmt in body:
            inner = scope.within("", stmt.span.line) if stmt.span.line else scope
            self.program.step(self.b, inner)
            self.counts(stmt.clause)
            if self.really:
                self.shared.disclosing.by(self.b, stmt, inner)
            scope = self.perform(stmt, inner)

    def perform(self, stmt: core.Stmt, scope: Scope) -> Scope:
        """A statement; gives the scope of those after it."""
        handler = EFFECTS[type(stmt)]
        named = handler(self, stmt, scope)  # type: ignore[arg-type]  # it stands under its class
        return scope if named is None else named

    def touched(self, source: str) -> None:
        """Something has changed: ends and latches are to be looked at."""
        self.b.store("i32.store", ir.i32(0), self.layout.dirty, ir.i32(1))
        self.program.changed(self.b, source)

    def settled(self, e: core.Expr, scope: Scope) -> Lowered:
        """A value that stays what it is while things change."""
        found = self.say.kept(e, scope)
        return self.say.fixed(e, scope) if isinstance(found, Members) else found

    # -------------------------------------------------------------------------------- statements
    def _let(self, stmt: core.Let, scope: Scope) -> Scope:
        return scope.naming(stmt.var, self.settled(stmt.value, scope))

    def _assign(self, stmt: core.Assign, scope: Scope) -> None:
        table = self.layout.tables[stmt.state]
        if stmt.index is None:
            self._set(stmt, table, Scalar(ir.i32(0), 0, 0), scope)
            return
        index = self.say.index(stmt.index, scope)
        if index.low >= 0:
            self._set(stmt, table, index, scope)
        else:
            with self.b.when(op("i32.ge_s", index.code, ir.i32(0))):
                self._set(stmt, table, index, scope)

    def _set(self, stmt: core.Assign, table: Table, index: Scalar, scope: Scope) -> None:
        """Give a member's value; `index` is somebody's."""
        b, program = self.b, self.program
        value = self.say.kept(stmt.value, scope)
        if index.high >= table.count:
            with b.when(op("i32.ge_s", index.code, ir.i32(table.count))):
                who = op("i64.extend_i32_s", index.code)
                program.stop(b, Stop.ABSENT, scope, who)
        address = b.keep(op("i32.mul", index.code, ir.i32(table.cell.bytes)))
        if isinstance(value, Members) and table.cell.numbers:
            cell, numbers = table.cell, self.shared.numbers
            numbers.store(b, value, address, table.offset, cell, scope)
        elif isinstance(value, Bits) and table.cell.words:
            bits.store(b, value, address, table.offset)
        elif isinstance(value, Scalar) and table.cell.bytes <= 8 and not table.cell.words:
            if ir.ty_of(value.code) is not table.cell.ty:
                raise missing("a variable that is given none", scope)
            self._ask_elsewhere(value, stmt.state, table, scope)
            if table.keyed:
                self._rekey(table, index.code, address, value.code)
            b.store(table.cell.store, address, table.offset, value.code)
        else:
            raise missing(f"a variable that is given a {stmt.value.type}", scope)
        self.touched(f"state:{stmt.state}")

    def _ask_elsewhere(self, value: Scalar, state: str, table: Table, scope: Scope) -> None:
        """Let the reference play on where a player who does not play is to be kept."""
        if value.high <= (1 << (8 * table.cell.bytes - 1)) - 1 and not table.keyed:
            return
        if table.cell.ty is ir.Ty.I32:
            most = self.layout.values_of(state) - 1
            if value.high >= most:
                with self.b.when(op("i32.ge_s", value.code, ir.i32(most))):
                    self.program.stop(self.b, Stop.ELSEWHERE, scope)

    def _rekey(self, table: Table, index: Code, address: Code, value: Code) -> None:
        """Move a member from the set of its old value to that of the new one."""
        b = self.b
        word = op("i32.mul", op("i32.shr_u", index, ir.i32(6)), ir.i32(8))
        at = b.keep(word) if table.key_words > 1 else ir.i32(0)
        bit = b.keep(bits.one_bit(index))
        old = ir.load(table.cell.load, address, table.offset)
        for known, operation in ((old, "i64.xor"), (value, "i64.or")):
            row = op("i32.mul", op("i32.add", known, ir.i32(1)), ir.i32(8 * table.key_words))
            place = b.keep(op("i32.add", row, at))
            held = ir.load("i64.load", place, table.keyed)
            b.store("i64.store", place, table.keyed, op(operation, held, bit))

    # -------------------------------------------------------------------------------- pieces
    def _each_piece(self, e: core.Expr, scope: Scope, body: Callable[[Code], None]) -> None:
        """What is done with every piece of a value: one, none, or those of a set or list."""
        b = self.b
        found = self.settled(e, scope)
        if isinstance(found, Scalar):
            self.program.visit(b, ir.i64(1))
            if found.low >= 0:
                body(found.code)
                return
            with b.when(op("i32.ge_s", found.code, ir.i32(0))):
                body(found.code)
            return
        assert isinstance(found, Bits | Members)
        if isinstance(found, Bits):
            self.program.visit(b, bits.count(found))
        else:
            self.program.visit(b, ir.i64(found.most))

        def one(member: Lowered) -> None:
            assert isinstance(member, Scalar)
            body(member.code)

        self.say.each(found, one)

    def _move(self, stmt: core.Move, scope: Scope) -> None:
        place = self.ruleset.places[stmt.place]
        number = self.say.place(stmt.place, stmt.index, scope)
        start = stmt.bottom and place.ordered
        with self.b.when(op("i32.ne", number, ir.i32(0))):
            self._each_piece(
                stmt.what, scope, lambda p: self.shared.pieces.move(self.b, p, number, start)
            )

    def _draw(self, stmt: core.Draw, scope: Scope) -> None:
        """Pieces from the top; from a place without order those that came first."""
        if stmt.source.place == stmt.place:
            raise missing("drawing from a place to one of the same name", scope)
        b, pieces = self.b, self.shared.pieces
        source = self.say.place(stmt.source.place, stmt.source.index, scope)
        target = self.say.place(stmt.place, stmt.index, scope)
        from_end = self.ruleset.places[stmt.source.place].ordered
        both = op("i32.and", op("i32.ne", source, ir.i32(0)), op("i32.ne", target, ir.i32(0)))
        with b.when(both):
            wanted = b.keep(self.say.number(stmt.count, scope).code)
            base = b.keep(pieces.base(source))
            there = b.keep(op("i64.extend_i32_u", ir.load("i32.load", base)))
            fewer = ir.Select(op("i64.lt_s", wanted, there), wanted, there)
            left = b.begin(fewer, "left")
            with b.when(op("i64.gt_s", ir.Get(left), ir.i64(0))):
                self.shown()
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i64.le_s", ir.Get(left), ir.i64(0)))
                self.program.visit(b, ir.i64(1))
                at: Code = ir.i32(0)
                if from_end:
                    last = op("i32.sub", ir.load("i32.load", base), ir.i32(1))
                    at = op("i32.mul", last, ir.i32(2))
                piece = b.keep(ir.load("i32.load16_u", op("i32.add", base, at), 4))
                pieces.move(b, piece, target, False)
                b.set(left, op("i64.sub", ir.Get(left), ir.i64(1)))
                b.jump(again)

    def _put(self, stmt: core.Put, scope: Scope) -> None:
        """A piece, of several the first, on sites of a layer; where one is none nothing is done."""
        b, pieces = self.b, self.shared.pieces
        if not stmt.layer:
            self._lay(stmt, scope)
            return
        layer = self.layout.layer(stmt.layer)
        if element(stmt.what.type) is None:
            what = self.say.index(stmt.what, scope)
        else:
            found = self.say.first_of(stmt.what, element(stmt.what.type) or NUMBER, scope)
            assert isinstance(found, Scalar)
            what = Scalar(b.keep(found.code), found.low, found.high)
        sites: Bits | Scalar
        if element(stmt.sites.type) is None:
            sites = self.say.index(stmt.sites, scope)
        elif words_of(layer.sites) > MAX_WORDS:
            raise missing("a piece on several of so many sites", scope)
        else:
            sites = self.say.bits(stmt.sites, scope)
        with b.block() as nothing:
            if what.low < 0:
                b.jump(nothing, op("i32.lt_s", what.code, ir.i32(0)))
            if isinstance(sites, Bits):
                b.jump(nothing, ir.negated(bits.some(sites)))
                held = bits.load(ir.i32(0), len(sites.words), layer.sites, layer.occupied)
                taken = bits.some(bits.combined("and", held, sites))
            else:
                if sites.low < 0:
                    b.jump(nothing, op("i32.lt_s", sites.code, ir.i32(0)))
                taken = op("i32.ge_s", pieces.on(layer, sites).code, ir.i32(0))
            if layer.piled is None:
                with b.when(taken):
                    number = list(self.layout.layers).index(stmt.layer) << 32 | stmt.span.line
                    self.program.stop(b, Stop.TAKEN, scope, ir.i64(number))
            pieces.put(b, layer, what.code, sites, scope)

    def _lay(self, stmt: core.Put, scope: Scope) -> None:
        """A tile on cells of the board that grows from it; where one is none nothing is done."""
        b, t = self.b, non_optional(stmt.what.type)
        boards = (x for x in self.layout.grown.values() if t == PieceT(x.component))
        board = next(boards, None)
        if board is None:
            raise missing(f"laying a {stmt.what.type}", scope)
        what, sites = self.say.index(stmt.what, scope), self.say.kept(stmt.sites, scope)
        if not isinstance(sites, Scalar):
            raise missing("laying a tile on any list of cells", scope)
        with b.block() as nothing:
            for value in (what, sites):
                if value.low < 0:
                    b.jump(nothing, op("i32.lt_s", value.code, ir.i32(0)))
            self.shared.pieces.lay(b, board, what.code, sites.code, scope)

    def _shuffle(self, stmt: core.Shuffle, scope: Scope) -> None:
        number = self.say.place(stmt.place, stmt.index, scope)
        with self.b.when(op("i32.eqz", number)):
            self.program.stop(self.b, Stop.ELSEWHERE, scope)
        place, chance = self.ruleset.places[stmt.place], self.shared.chance
        self.shared.pieces.shuffle(self.b, place, number, lambda n: chance.below(self.b, n))

    def _reveal(self, stmt: core.Reveal, scope: Scope) -> None:
        b, players = self.b, self.program.setup.players
        who: Code = ir.i32((1 << players) - 1)
        if stmt.to is not None:
            to = self.settled(stmt.to, scope)
            if not isinstance(to, Bits) or len(to.words) > 1:
                raise missing(f"showing pieces to a {stmt.to.type}", scope)
            who = op("i32.wrap_i64", to.words[0])
        shown = b.keep(op("i32.or", who, ir.i32(SHOWN)))

        def show(piece: Code) -> None:
            at = b.keep(op("i32.mul", piece, ir.i32(2)))
            more = op("i32.or", self.shared.pieces.known(piece), shown)
            b.store("i32.store16", at, self.layout.known, more)

        self._each_piece(stmt.what, scope, show)
        self.shown()
        self.touched("known")

    def _chance(self, stmt: core.Chance, scope: Scope) -> Scope:
        """One member at random, none of no members."""
        self.shown()
        found = self.say.fixed(stmt.of, scope)
        b = self.b
        count: Code
        if isinstance(found, Bits):
            count = op("i32.wrap_i64", bits.count(found))
        else:
            total = b.begin(ir.i32(0), "count")
            found.each(lambda m: b.set(total, op("i32.add", ir.Get(total), ir.i32(1))))
            count = ir.Get(total)
        item = element(stmt.of.type)
        if item is None or scalar_type(item) is None:
            raise missing(f"chance among a {stmt.of.type}", scope)
        many = b.keep(count)
        result = self.say.holder(item, scope)
        assert isinstance(result, ir.Register)
        if result.ty is ir.Ty.I64:  # of no numbers none is drawn
            with b.when(op("i32.eqz", many)):
                self.program.stop(b, Stop.ELSEWHERE, scope)
        else:
            b.set(result, ir.i32(NONE))
        with b.when(many):
            left = b.begin(self.shared.chance.below(b, many), "left")
            with b.block() as drawn:

                def one(member: Lowered) -> None:
                    assert isinstance(member, Scalar)
                    with b.when(op("i32.eqz", ir.Get(left))):
                        b.set(result, member.code)
                        b.jump(drawn)
                    b.set(left, op("i32.sub", ir.Get(left), ir.i32(1)))

                self.say.each(found, one)
        made = self.say.held(item if item == NUMBER else OptionalT(item), result)
        return scope.naming(stmt.var, made)

    # -------------------------------------------------------------------------------- control
    def _if(self, stmt: core.If, scope: Scope) -> None:
        with self.b.block() as done:
            with self.b.block() as other:
                self.say.branch(stmt.cond, scope, Goal(other, False))
                self.body(stmt.then, scope)
                self.b.jump(done)
            self.body(stmt.other, scope)

    def _for_each(self, stmt: core.ForEach, scope: Scope) -> None:
        domain = self.say.fixed(stmt.domain, scope)

        def one(member: Lowered) -> None:
            self.program.step(self.b, scope)
            self.body(stmt.body, scope.naming(stmt.var, member))

        self.say.each(domain, one)

    def _repeat(self, stmt: core.Repeat, scope: Scope) -> None:
        b = self.b
        left = None
        if stmt.times is not None:
            left = b.begin(self.say.number(stmt.times, scope).code, "left")
        with b.block() as done, b.loop() as again:
            if left is not None:
                b.jump(done, op("i64.le_s", ir.Get(left), ir.i64(0)))
                b.set(left, op("i64.sub", ir.Get(left), ir.i64(1)))
            if stmt.cond is not None:
                self.say.branch(stmt.cond, scope, Goal(done, False))
            self.program.step(b, scope)
            self.body(stmt.body, scope)
            b.jump(again)

    def _finish(self, stmt: core.Finish, scope: Scope) -> None:
        b = self.b
        if stmt.unit == GAME:
            self.end(GAME, self.ruleset.flow_clause)
            return
        rounds = ir.load("i64.load", ir.i32(0), self.layout.rounds)
        b.store("i64.store", ir.i32(0), self.layout.rounds, op("i64.add", rounds, ir.i64(1)))
        self.program.changed(b)
        with b.when(op("i32.eqz", ir.load("i32.load", ir.i32(0), self.layout.ended))):
            self.look_for_end(stmt.unit)

    def _do(self, stmt: core.Do, scope: Scope) -> None:
        if stmt.target not in self.ruleset.events:
            raise missing(f"the procedure {stmt.target} here", scope)
        self.propose(stmt.target, tuple(self.settled(a, scope) for a in stmt.args), scope)

    def _not_lowered(self, stmt: core.Stmt, scope: Scope) -> None:
        raise missing(f"the statement {type(stmt).__name__}", scope)

    # -------------------------------------------------------------------------------- events
    def propose(self, event: str, values: tuple[Lowered, ...], scope: Scope) -> None:
        """Check an event by its rules, perform it, let reactions follow."""
        outlines = self.shared.outlines
        if not outlines.large("event", event) or not outlines.fits(values):
            self._proposed(event, values, scope)
            return

        def write(b: Builder, given: tuple[Lowered, ...]) -> None:
            there = Scope({}, scope.clause, scope.line)
            Effects(self.shared, b, self.really)._proposed(event, given, there)

        name = ("event", event, scope.clause, scope.line, self.really)
        outlines.call(self.b, name, values, write)

    def _proposed(self, event: str, values: tuple[Lowered, ...], scope: Scope) -> None:
        known = self.ruleset.events[event]
        self.b.note(f"event {event}")
        with self.b.block() as fine:
            self.say.accepted(event, values, scope, Goal(fine, True))
            self.program.stop(self.b, Stop.REFUSED, scope)
        inside = dict(zip([name for name, _ in known.params], values, strict=True))
        inner = scope.inside(known.clause, self.program.line(known.clause), inside)
        for total in core.walk(known.body):
            if isinstance(total, core.Total) and core.free_names(total.args) <= set(inside):
                self.say.kept(total, inner)  # what it comes to before is told in the log
        if self.really:
            self.shared.marks.event(self.b, known, values)
        mine = [x for x in self.ruleset.reactions if x.event == event]
        place = OpenPlace("reaction", event, "", known.params)
        answered = bool(mine or self.program.extensions(place))
        looks_back = answered and self.program.engine.effects.watch_before
        before = self.shared.others.remember(self.b) if looks_back else None
        self.body(known.body, inner)
        cards = self._reacting_cards(event, inner)
        with ExitStack() as answering:
            if before is not None:
                answering.enter_context(self.shared.others.answering(self.b, before))
            for reaction in mine:
                self._react(reaction, reaction.clause, values, scope)
            for extension, reacting in cards:
                self._react_by_card(extension, reacting, values, scope)

    def alone(self, event: str, values: tuple[Lowered, ...], scope: Scope) -> None:
        """An event's own effects: nobody asks its rules, and nothing follows."""
        known = self.ruleset.events[event]
        inside = dict(zip([name for name, _ in known.params], values, strict=True))
        self.body(known.body, scope.inside(known.clause, self.program.line(known.clause), inside))

    def _reacting_cards(self, event: str, scope: Scope) -> list[tuple[Extension, int]]:
        """The cards that react to an event, found before any reaction: each with its player.

        For every piece a byte is written: the player and 2, or 1 if nobody, or 0 if it does not.
        """
        b, found = self.b, []
        place = OpenPlace("reaction", event, "", self.ruleset.events[event].params)
        pieces = len(self.program.setup.pieces)
        for extension in self.program.extensions(place):
            at = self.program.buffer(pieces)
            b.add(ir.Fill(ir.i32(at), ir.i32(0), ir.i32(pieces)))

            def note(card: Scalar, you: Scalar, at: int = at) -> None:
                b.store("i32.store8", card.code, at, op("i32.add", you.code, ir.i32(2)))

            self._note_card(extension, place, scope, note)
            found.append((extension, at))
        return found

    def _note_card(
        self,
        extension: Extension,
        place: OpenPlace,
        scope: Scope,
        note: Callable[[Scalar, Scalar], None],
    ) -> None:
        def noted(extension: Extension, inner: Scope) -> None:
            card, you = inner.values["card"], inner.values["you"]
            assert isinstance(card, Scalar) and isinstance(you, Scalar)
            note(card, you)

        self.say.added_by(extension, place, scope, noted)

    def _react_by_card(
        self, extension: Extension, at: int, values: tuple[Lowered, ...], scope: Scope
    ) -> None:
        assert extension.reaction is not None
        reaction, players = extension.reaction, self.program.setup.players
        bearers = self.program.bearers(extension)

        def one(card: Scalar) -> None:
            noted = self.b.keep(ir.load("i32.load8_u", card.code, at))
            with self.b.block() as not_this:
                self.b.jump(not_this, op("i32.eqz", noted))
                you = Scalar(self.b.keep(op("i32.sub", noted, ir.i32(2))), NONE, players - 1)
                bound: dict[str, Lowered] = {"card": card, "you": you}
                self._react(reaction, reaction.clause or extension.clause, values, scope, bound)

        if bearers:
            bits.each_member(self.b, bits_of(bearers, len(self.program.setup.pieces)), one)

    def _react(
        self,
        reaction: Reaction,
        clause: str,
        values: tuple[Lowered, ...],
        scope: Scope,
        bound: dict[str, Lowered] | None = None,
    ) -> None:
        """What follows an event."""
        inside = dict(zip([name for name, _ in reaction.params], values, strict=True))
        line = self.program.line(reaction.clause)
        inner = scope.inside(clause, line, {**inside, **(bound or {})})
        self.b.note(clause)
        with self.b.block() as not_this:
            if reaction.cond is not None:
                self.say.branch(reaction.cond, inner, Goal(not_this, False))
            self.counts(reaction.clause)
            self.counts(clause)
            self.body(reaction.body, inner)

    # -------------------------------------------------------------------------------- ends
    def after_change(self) -> None:
        """Latches that have come true act once; the first end that holds ends the game."""
        for number, latch in enumerate(self.ruleset.latches):
            self._latch(number, latch)
        # A branch of simultaneous play never ends the game by itself.
        with self.b.when(op("i64.eqz", ir.load("i64.load", ir.i32(0), self.layout.stream))):
            self.look_for_end(None)

    def _latch(self, number: int, latch: Latch) -> None:
        b, at = self.b, self.layout.ever + 8 * (number // 64)
        scope = Scope({}, latch.clause, self.program.line(latch.clause))
        bit = ir.i64(1 << number % 64)
        held = ir.load("i64.load", ir.i32(0), at)
        b.note(latch.clause)
        with b.block() as not_now:
            b.jump(not_now, op("i64.ne", op("i64.and", held, bit), ir.i64(0)))
            self.say.branch(latch.cond, scope, Goal(not_now, False))
            b.store("i64.store", ir.i32(0), at, op("i64.or", held, bit))
            self.program.changed(b)
            self.counts(latch.clause)
            self.body(latch.body, scope)

    def look_for_end(self, unit: str | None) -> None:
        """The first end that waits for this unit of play (none: for nothing) and holds comes."""
        b = self.b
        with b.block() as out:
            for ending in self.ruleset.endings:
                if ending.unit == unit:
                    self._ending(ending, out)

    def _ending(self, ending: Ending, out: ir.Label) -> None:
        scope = Scope({}, ending.clause, self.program.line(ending.clause))
        self.b.note(ending.clause)
        with self.b.block() as not_this:
            self.say.branch(ending.cond, scope, Goal(not_this, False))
            self.end(ending.name, ending.clause)
            self.b.jump(out)

    def end(self, name: str, clause: str) -> None:
        """The game is over."""
        self.counts(clause)
        number = 1 + self.program.ends.index(name)
        self.b.store("i32.store", ir.i32(0), self.layout.ended, ir.i32(number))


def _alone(shared: Shared) -> Perform:
    """Writes an event's own effects on a state that is not kept."""

    def perform(b: Builder, event: str, values: tuple[Lowered, ...], scope: Scope) -> None:
        Effects(shared, b, really=False).alone(event, values, scope)

    return perform


# What each class of statement does where nobody decides; a test holds it against the core.
EFFECTS: dict[type[core.Stmt], Callable[[Effects, Never, Scope], Scope | None]] = {
    core.Let: Effects._let,
    core.Chance: Effects._chance,
    core.Assign: Effects._assign,
    core.Move: Effects._move,
    core.Draw: Effects._draw,
    core.Put: Effects._put,
    core.Shuffle: Effects._shuffle,
    core.Reveal: Effects._reveal,
    core.Do: Effects._do,
    core.Give: Effects._not_lowered,
    core.Finish: Effects._finish,
    core.If: Effects._if,
    core.ForEach: Effects._for_each,
    core.Repeat: Effects._repeat,
    core.Each: Effects._not_lowered,
    core.Choose: Effects._not_lowered,
    core.Take: Effects._not_lowered,
    core.May: Effects._not_lowered,
    core.Maximize: Effects._not_lowered,
}
