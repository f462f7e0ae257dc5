"""Expressions lowered: each class of core objects becomes code, or jumps to where it holds.

Members are looked through in the stable order. A condition on the members of a set is worked out
for all of them at once, as a set, where that neither adds nor removes a fault.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Never, TypeAlias

from interpreter.model.setup import Key
from interpreter.native import (
    arithmetic,
    bits,
    board_words,
    few,
    growing_words,
    ir,
    number_sets,
    wide,
)
from interpreter.native.builder import Builder
from interpreter.native.families import Family
from interpreter.native.faults import TRUE, parts_of
from interpreter.native.grounds import ground_of
from interpreter.native.ir import Code, op
from interpreter.native.layout import Table as Stored
from interpreter.native.number_sets import NumberSet
from interpreter.native.program import OpenPlace, Program, Scope, Stop, has_lane
from interpreter.native.relations import Relation, Side
from interpreter.native.shared import Shared, missing
from interpreter.native.simplified import simplified
from interpreter.native.tallies import OPERATIONS
from interpreter.native.values import (
    MAX_WORDS,
    NONE,
    WORD,
    Bits,
    Goal,
    Lane,
    Lowered,
    Members,
    Scalar,
    bits_of,
    constant,
    everything,
    is_index,
    laying_ground,
    narrow,
    parts_of_pair,
    plain_scalar,
    scalar_type,
    set_element,
    size_of,
    words_of,
)
from interpreter.native.wide import FEW_WORDS, Gathering
from rulelang import core
from rulelang.analysis.candidates import partners
from rulelang.analysis.sets import all_of
from rulelang.core.bounds import LARGEST
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    ListT,
    OptionalT,
    PairT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    non_optional,
    site_type,
)
from rulelang.core.values import nothing_of
from rulelang.ruleset import Case, Definition, Extension, Line, Rule, Table
from rulelang.ruleset.inline import Inliner

MOST_KEPT = 1 << 12  # members of a list that are copied
MOST_SPAN = 1 << 6  # numbers that members may have to be looked up by them
MOST_JOINED = MAX_WORDS  # words of sets that are joined for each number
MOST_SETS = 1 << 8  # sets of numbers that one definition gives
MOST_FAMILIES = 1 << 6  # families of sets that one definition gives
Wall: TypeAlias = tuple[tuple[core.Expr, ...], core.Forall]  # what does without it, and it
Loop: TypeAlias = Callable[[Callable[[Lowered], None]], None]
Held: TypeAlias = "ir.Register | list[ir.Register] | Family | NumberSet"


@dataclass(frozen=True)
class _Scored:
    """A score table that is worked out, and where its running total is."""

    table: Table
    total: ir.Register


class Expressions:
    """Lowers expressions into one function."""

    def __init__(self, shared: Shared, b: Builder, really: bool = False) -> None:
        """The builder writes the function; what is `really` worked out marks lines that count."""
        self.shared, self.program, self.b, self.really = shared, shared.program, b, really
        self.setup, self.ruleset = shared.program.setup, shared.program.ruleset

    # -------------------------------------------------------------------------------- what is asked
    def value(self, e: core.Expr, scope: Scope) -> Lowered:
        """The value of an expression, ready to be used at once."""
        if not isinstance(e, core.Const | core.Var) and self._is_static(e):
            found = self.shared.known.value(self.b, e, scope)
            if found is not None:
                return found
        meaning = MEANINGS[type(e)]
        return meaning(self, e, scope)  # type: ignore[arg-type]  # it stands under its class

    def kept(self, e: core.Expr, scope: Scope) -> Lowered:
        """A value that may be used many times, whatever is written meanwhile."""
        found = self.value(e, scope)
        if isinstance(found, Scalar):
            return Scalar(self.b.keep(found.code), found.low, found.high)
        if isinstance(found, Members) and not found.frozen:
            return self.worked_out(found, e.type) or found
        return bits.kept(self.b, found) if isinstance(found, Bits) else found

    def worked_out(self, found: Members, t: Type) -> Members | None:
        """A family, or a set of numbers, each member once and in the stable order, whatever changes
        from now on; none of other sets.
        """
        if self.family_size(t):
            return self.family(found, t)
        if t == SetT(NUMBER):
            return self.shared.numbers.members(self.b, self.shared.numbers.gathered(self.b, found))
        return None

    def family_size(self, t: Type) -> int:
        """How many indices the sets of a family may be made of; 0 if it is no such family."""
        inner = set_element(element(t) or t) if isinstance(t, SetT) else None
        return size_of(self.setup, inner) if inner and narrow(self.setup, inner) else 0

    def family(self, found: Members, t: Type) -> Members:
        """The sets of a family, in the stable order, whatever changes from now on."""
        made = self.shared.families.empty(self.b, self.family_size(t))

        def add(one: Lowered) -> None:
            assert isinstance(one, Bits)
            self.shared.families.add(self.b, made, one)

        found.each(add)
        return made.members(self.b)

    def scalar(self, e: core.Expr, scope: Scope) -> Scalar:
        """A number, truth or index."""
        found = self.value(e, scope)
        if isinstance(found, Scalar):
            return found
        raise missing(f"a value of the type {e.type}", scope)

    def number(self, e: core.Expr, scope: Scope) -> Scalar:
        """A number."""
        found = self.scalar(e, scope)
        if ir.ty_of(found.code) is ir.Ty.I64:
            return found
        raise missing(f"a value of the type {e.type} as a number", scope)

    def index(self, e: core.Expr, scope: Scope) -> Scalar:
        """An index that may be used many times."""
        found = self.scalar(e, scope)
        if ir.ty_of(found.code) is ir.Ty.I32:
            return Scalar(self.b.keep(found.code), found.low, found.high)
        raise missing(f"a value of the type {e.type} as an index", scope)

    def truth(self, e: core.Expr, scope: Scope) -> Code:
        """Is it so?"""
        return self.scalar(e, scope).code

    def members(self, e: core.Expr, scope: Scope) -> Bits | Members:
        """What a set or list holds."""
        found = self.value(e, scope)
        if isinstance(found, Bits):
            return bits.kept(self.b, found)
        if isinstance(found, Members):
            return found
        if isinstance(found, Scalar) and laying_ground(self.setup, non_optional(e.type)):
            board = board_words.grown_under(self, e)
            laying = self.b.keep(found.code)
            return self.shared.pieces.growing.cells(self.b, board, laying)
        raise missing(f"members of the type {e.type}", scope)

    def exact(self, e: core.Expr, scope: Scope) -> Bits | Members:
        """The members, each once and in the stable order (of a list: as they stand)."""
        found, item = self.members(e, scope), element(e.type)
        if isinstance(found, Bits) or not found.loose:
            return found
        made = self.worked_out(found, e.type)
        if made is not None:
            return made
        if item is None or not is_index(item):
            raise missing(f"a value of the type {e.type} that is worked out", scope)
        return self.collected(found, item)

    def fixed(self, e: core.Expr, scope: Scope) -> Bits | Members:
        """The members, each once and in the stable order, whatever changes from now on."""
        found, item = self.exact(e, scope), element(e.type)
        if isinstance(found, Bits) or found.frozen:
            return found
        made = self.worked_out(found, e.type)
        if made is not None:
            return made
        if item is None or not is_index(item) or found.most > MOST_KEPT:
            raise missing(f"a value of the type {e.type} that is kept", scope)
        if isinstance(e.type, SetT):
            return self.collected(found, item)
        return wide.copied(self.program, self.b, found, size_of(self.setup, item))

    def bits(self, e: core.Expr, scope: Scope) -> Bits:
        """The set of the indices in a set or list, as bits that may be used many times."""
        found, item = self.members(e, scope), element(e.type)
        if isinstance(found, Bits):
            return found
        if item is None or not is_index(item) or not narrow(self.setup, item):
            raise missing(f"a {e.type} with so many members", scope)
        made = self.collected(found, item)
        assert isinstance(made, Bits)
        return made

    def collected(self, members: Members, item: Type) -> Bits | Members:
        """The set of indices that are given one by one; none is left out."""
        b, size = self.b, size_of(self.setup, item)
        if not narrow(self.setup, item):
            return wide.collected(self.program, b, members, size)
        made = Gathering(self.program, b, size)

        def add(member: Lowered) -> None:
            assert isinstance(member, Scalar)
            made.add(member.code)

        members.each(add)
        return made.found()

    def each(self, domain: Bits | Members, body: Callable[[Lowered], None]) -> None:
        """A loop over members in the stable order."""
        if isinstance(domain, Bits) and len(domain.words) > FEW_WORDS:
            wide.stored(self.program, self.b, domain).each(body)
        elif isinstance(domain, Bits):
            bits.each_member(self.b, domain, body)
        else:
            domain.each(body)

    def settled(self, e: core.Expr, scope: Scope) -> Bits | Members:
        """The members, of which none can be a fault any more, as all were worked out."""
        found = self.members(e, scope)
        if isinstance(found, Members) and found.faulty:
            return self.worked_out(found, e.type) or found
        return found

    def visited(self, e: core.Expr, scope: Scope) -> Bits | Members:
        """What is looked through, which is counted as work."""
        found = self.settled(e, scope)
        return self._visiting(found)

    def looked_through(self, e: core.Expr, scope: Scope) -> Bits | Members:
        """The same where nothing is asked but the members, one after the other."""
        if few.are_few(self, e, scope):
            return self._visiting(few.members(self, e, scope))
        return self.visited(e, scope)

    def _visiting(self, found: Bits | Members) -> Bits | Members:
        if isinstance(found, Bits):
            self.program.visit(self.b, bits.count(found))
        elif found.count is not None and not found.counted:
            self.program.visit(self.b, found.count())
        elif not found.counted:
            return self._counted(found)
        return found

    def _counted(self, found: Members) -> Members:
        """The same members, each of which counts as work when it is come to."""

        def counting(loop: Loop) -> Loop:
            def each(body: Callable[[Lowered], None]) -> None:
                def one(member: Lowered) -> None:
                    self.program.visit(self.b, ir.i64(1))
                    body(member)

                loop(one)

            return each

        back = found.backwards
        return replace(
            found, each=counting(found.each), backwards=back and counting(back), counted=True
        )

    def risky(self, item: object) -> bool:
        """May working this out be a fault, and is it to be told as the reference does?"""
        return not self.b.asking and self.shared.faults.possible(item)

    def _is_static(self, e: core.Expr) -> bool:
        found = self.shared.static.get(e)
        if found is None:
            found = self.shared.static.keep(e, self.program.is_static(e))
        return found

    # -------------------------------------------------------------------------------- results
    def holder(self, t: Type, scope: Scope) -> Held:
        """Registers for a value of a type."""
        ty = scalar_type(t)
        if ty is not None:
            return self.b.new(ty)
        if laying_ground(self.setup, non_optional(t)) is not None:
            return self.b.new(ir.Ty.I32)
        item = set_element(t)
        if self.family_size(t):
            return self.shared.families.empty(self.b, self.family_size(t))
        if t == SetT(NUMBER):
            return self.shared.numbers.empty(self.b)
        if item is None or not narrow(self.setup, item):
            raise missing(f"a value of the type {t} from one of several cases", scope)
        return [self.b.new(ir.Ty.I64) for _ in range(words_of(size_of(self.setup, item)))]

    def give(self, to: Held, value: Lowered, scope: Scope) -> None:
        """Put a value into its registers."""
        if isinstance(to, ir.Register) and isinstance(value, Scalar):
            if ir.ty_of(value.code) is not to.ty:
                raise missing("a number that may be none", scope)
            self.b.set(to, value.code)
        elif isinstance(to, list) and isinstance(value, Bits):
            for register, word in zip(to, bits.kept(self.b, value).words, strict=True):
                self.b.set(register, word)
        elif isinstance(to, Family) and isinstance(value, Members):
            self._give_family(to, value)
        elif isinstance(to, NumberSet) and isinstance(value, Members):
            self.shared.numbers.gather(self.b, value, to.at)
        elif isinstance(to, list) and isinstance(value, Members):
            made = Gathering(self.program, self.b, WORD * len(to))
            value.each(lambda one: made.add(one.code) if isinstance(one, Scalar) else None)
            self.give(to, made.found(), scope)
        else:
            raise missing("members one by one from one of several cases", scope)

    def _give_family(self, to: Family, value: Members) -> None:
        self.shared.families.clear(self.b, to)

        def add(one: Lowered) -> None:
            assert isinstance(one, Bits)
            self.shared.families.add(self.b, to, one)

        value.each(add)

    def held(self, t: Type, to: Held) -> Lowered:
        """The value in these registers."""
        if isinstance(to, Family):
            return to.members(self.b)
        if isinstance(to, NumberSet):
            return self.shared.numbers.members(self.b, to.at)
        if isinstance(to, ir.Register):
            return plain_scalar(self.setup, t, ir.Get(to))
        item = set_element(t)
        assert item is not None
        return Bits(tuple(map(ir.Get, to)), size_of(self.setup, item))

    def nothing(self, t: Type) -> Lowered:
        """What is asked of none, for a type that has a holder."""
        if self.family_size(t) or t == SetT(NUMBER):
            return Members(lambda body: None, 0, frozen=True)
        found = constant(self.setup, t, nothing_of(t))
        assert found is not None
        return found

    # -------------------------------------------------------------------------------- values
    def _const(self, e: core.Const, scope: Scope) -> Lowered:
        found = constant(self.setup, e.type, e.value)
        if found is not None:
            return found
        if e.value is None:
            return Scalar(ir.i32(NONE), NONE, NONE)
        if isinstance(e.value, str):
            number = self.program.encoded(e.type, e.value)
            return Scalar(ir.i32(number), number, number)
        raise missing(f"a constant of the type {e.type}", scope)

    def _var(self, e: core.Var, scope: Scope) -> Lowered:
        found = scope.values.get(e.name)
        if found is None or isinstance(found, Lane):
            raise missing(f"the name {e.name.split('~')[0]} here", scope)
        return found

    def _known_only(self, e: core.Expr, scope: Scope) -> Lowered:
        """What is lowered only where it is known before play."""
        raise missing(f"a value of the type {e.type} that is not known before play", scope)

    def _read(self, e: core.Read, scope: Scope) -> Lowered:
        table = self.program.layout.tables[e.state]
        if e.index is None:
            return self.stored(table, ir.i32(0), e.type)
        index = self.index(e.index, scope)
        if index.high >= table.count:
            self._present(index.code, table.count, scope)
        address = op("i32.mul", index.code, ir.i32(table.cell.bytes))
        if index.low >= 0:
            return self.stored(table, address, e.type)
        result = self.holder(e.type, scope)
        self.give(result, self.nothing(e.type), scope)
        with self.b.when(op("i32.ge_s", index.code, ir.i32(0))):
            self.give(result, self.stored(table, address, e.type), scope)
        return self.held(e.type, result)

    def _present(self, index: Code, count: int, scope: Scope) -> None:
        """Stop where a player is asked for who does not play."""
        with self.b.when(op("i32.ge_s", index, ir.i32(count))):
            self.program.stop(self.b, Stop.ABSENT, scope, op("i64.extend_i32_s", index))

    def stored(self, table: Stored, address: Code, t: Type) -> Lowered:
        """The value that stands so many bytes after the first of a variable."""
        if table.cell.numbers:
            return self.shared.numbers.stored(self.b, self.b.keep(address), table.offset)
        if table.cell.words:
            item = set_element(t)
            assert item is not None
            size = size_of(self.setup, item)
            return bits.load(address, table.cell.words, size, table.offset)
        return plain_scalar(self.setup, t, ir.load(table.cell.load, address, table.offset))

    def _attribute(self, e: core.Attribute, scope: Scope) -> Lowered:
        """A part of a pair, or what is printed on a piece: that is known for all of them."""
        of, pair = self.index(e.of, scope), non_optional(e.of.type)
        if isinstance(pair, PairT):
            names = [name for name, _ in self.ruleset.pairs[pair.name].parts]
            sizes = [size_of(self.setup, t) for t in parts_of_pair(self.setup, pair)]
            at = names.index(e.name)
            division = "i32.rem_u" if at else "i32.div_u"
            part = op(division, of.code, ir.i32(sizes[1]))
            if of.low >= 0:
                return Scalar(part, 0, sizes[at] - 1)
            none = op("i32.lt_s", of.code, ir.i32(0))
            return Scalar(ir.Select(none, ir.i32(NONE), part), NONE, sizes[at] - 1)
        name = core.Var("piece", type=e.of.type)
        inner = Scope({"piece": of}, scope.clause, scope.line)
        made = core.Attribute(e.name, name, type=e.type, span=e.span)
        made_once = self.shared.first_of_its_like(made, name.type)
        found = self.shared.known.value(self.b, made_once, inner)
        if found is None:
            raise missing(f"a field of the type {e.type}", scope)
        return found

    # -------------------------------------------------------------------------------- pieces
    def place(self, name: str, index: core.Expr | None, scope: Scope) -> Code:
        """The number of a place, 0 if there is none; it may be used many times."""
        whose = None if index is None else self.index(index, scope)
        return self.shared.pieces.number(self.b, self.ruleset.places[name], whose)

    def _contents(self, e: core.Contents, scope: Scope) -> Lowered:
        place, number = self.ruleset.places[e.place], self.place(e.place, e.index, scope)
        if place.ordered:
            return self.shared.pieces.listed(self.b, place, number)
        if self.program.layout.piece_words > MAX_WORDS:
            raise missing("so many pieces", scope)
        return self.shared.pieces.held(number)

    def _size(self, e: core.Contents, scope: Scope) -> Scalar:
        """How many pieces lie in a place."""
        most = self.program.layout.capacity(self.ruleset.places[e.place])
        count = self.shared.pieces.count(self.place(e.place, e.index, scope))
        return Scalar(op("i64.extend_i32_u", count), 0, most)

    def _holder(self, e: core.Builtin, scope: Scope) -> Lowered:
        return self.holder_of(self.index(e.args[0], scope), scope)

    def holder_of(self, piece: Scalar, scope: Scope) -> Scalar:
        """The player in whose place a piece is."""
        layout = self.program.layout
        for board in self.ruleset.boards.values():
            if any(x.name not in layout.layers for x in board.layers):
                raise missing("who holds a piece that may lie on such a board", scope)
        whose = [NONE, *(self._player(spot.key) for spot in layout.places)]
        whose += [NONE] * (layout.numbers - len(whose))
        firsts = [(x.number, self.setup.layer_board[x.name]) for x in layout.layers.values()]
        firsts += [(x.number, x.name) for x in layout.grown.values()]
        for first, name in firsts:
            if self.ruleset.boards[name].per_player:
                for copy in range(self.setup.boards[name].copies):
                    whose[first + copy] = copy
        table = self.program.table(b"".join(n.to_bytes(1, "little", signed=True) for n in whose))
        held = ir.load("i32.load8_s", self.shared.pieces.where(piece.code), table)
        if piece.low >= 0:
            return Scalar(held, NONE, self.setup.players - 1)
        result = self.b.begin(ir.i32(NONE), "holder")
        with self.b.when(op("i32.ge_s", piece.code, ir.i32(0))):
            self.b.set(result, held)
        return Scalar(ir.Get(result), NONE, self.setup.players - 1)

    def _player(self, key: Key) -> int:
        name, whose = key
        return whose if self.ruleset.places[name].of == PLAYER and whose is not None else NONE

    # -------------------------------------------------------------------------------- cards
    def added(
        self, place: OpenPlace, scope: Scope, body: Callable[[Extension, Scope], None]
    ) -> None:
        """What cards add to an open place now: the argument writes what is done with each.

        In the order of the rules, then of the pieces; `scope` has the values of the place.
        """
        for extension in self.program.extensions(place):
            self.added_by(extension, place, scope, body)

    def added_by(
        self,
        extension: Extension,
        place: OpenPlace,
        scope: Scope,
        body: Callable[[Extension, Scope], None],
    ) -> None:
        """The same of one extension."""
        if extension.lifetime == "played":
            self._as_played(extension, place, scope, body)
        else:
            self._in_play(extension, scope, body)

    def _as_played(
        self,
        extension: Extension,
        place: OpenPlace,
        scope: Scope,
        body: Callable[[Extension, Scope], None],
    ) -> None:
        """Once, if the first piece of its component among the values bears the extension."""
        component = core.types.PieceT(extension.component)
        played = next((name for name, t in place.params if t == component), None)
        if played is None:
            return
        card = scope.values[played]
        you = next((scope.values[name] for name, t in place.params if t == PLAYER), None)
        if not isinstance(card, Scalar):
            raise missing("a card that stands for all", scope)
        bearers = bits_of(self.program.bearers(extension), len(self.setup.pieces))
        with self.b.block() as not_this:
            self.b.jump(not_this, ir.negated(bits.contains(bearers, card)))
            nobody = Scalar(ir.i32(NONE), NONE, NONE)
            body(extension, scope.naming("card", card).naming("you", you or nobody))

    def _in_play(
        self, extension: Extension, scope: Scope, body: Callable[[Extension, Scope], None]
    ) -> None:
        """Once for each bearer that is somewhere, while or until its condition holds."""
        bearers = bits_of(self.program.bearers(extension), len(self.setup.pieces))

        def one(card: Scalar) -> None:
            with self.b.block() as not_this:
                self.b.jump(not_this, op("i32.eqz", self.shared.pieces.where(card.code)))
                inner = scope.naming("card", card).naming("you", self.player_of(card, scope))
                if extension.cond is not None:
                    contrary = extension.lifetime != "while"
                    self.branch(extension.cond, inner, Goal(not_this, contrary))
                body(extension, inner)

        if self.program.bearers(extension):
            bits.each_member(self.b, bearers, one)

    def player_of(self, card: Scalar, scope: Scope) -> Scalar:
        """The player a card speaks of as `you`: who has it, or whose it is."""
        held = self.holder_of(card, scope)
        owners = [NONE if p.owner is None else p.owner for p in self.setup.pieces]
        if all(owner == NONE for owner in owners):
            return Scalar(self.b.keep(held.code), held.low, held.high)
        table = self.program.table(b"".join(n.to_bytes(1, "little", signed=True) for n in owners))
        code = self.b.keep(held.code)
        own = ir.load("i32.load8_s", card.code, table)
        found = ir.Select(op("i32.ge_s", code, ir.i32(0)), code, own)
        return Scalar(self.b.keep(found), NONE, self.setup.players - 1)

    # -------------------------------------------------------------------------------- definitions
    def _apply(self, e: core.Apply, scope: Scope) -> Lowered:
        known = self.ruleset.definitions[e.define]
        inner = self.entered(known, e.args, scope)
        values = tuple(inner.values.values())
        sizes = self._sizes(known)
        if known.type == SetT(NUMBER) and self._is_worth(known, values):
            if 0 < self.shared.outlines.rows(sizes) <= MOST_SETS:
                return self._numbers_kept(known, inner, sizes)
        elif self.family_size(known.type) and self._is_worth(known, values):
            if 0 < self.shared.outlines.rows(sizes) <= MOST_FAMILIES:
                return self._family_kept(known, inner, sizes)
        elif self._is_outlined(known, values):
            name = ("define", known.name)
            return self._outlined(name, inner, lambda say, there: say._whole(known, there), sizes)
        return self._defined(known, inner)

    def _defined(self, known: Definition, scope: Scope) -> Lowered:
        """The value of a definition, where its parameters are in scope."""
        only = only_case(known)
        if only is not None:
            assert only.value is not None
            return self.value(only.value, scope)
        return self._first_case(known, scope)

    def _whole(self, known: Definition, scope: Scope) -> Lowered:
        """The same, with all members of a set worked out."""
        found, item = self._defined(known, scope), set_element(known.type)
        if isinstance(found, Members) and item is not None:
            return self.collected(found, item)
        return found

    def _is_outlined(self, known: Definition, values: tuple[Lowered, ...]) -> bool:
        """Is a definition written as a function of these values?"""
        item = set_element(known.type)
        held = scalar_type(known.type) is not None or (
            item is not None and narrow(self.setup, item)
        )
        return held and self._is_worth(known, values)

    def _is_worth(self, known: Definition, values: tuple[Lowered, ...]) -> bool:
        """Is a definition worth a function of these values?"""
        outlines = self.shared.outlines
        worth = outlines.large("define", known.name) or outlines.looks(known.name)
        return bool(known.clause) and worth and outlines.fits(values)

    def _numbers_of(self, known: Definition, scope: Scope) -> Members:
        """The numbers a definition gives, where its parameters are in scope."""
        found = self._defined(known, scope)
        if isinstance(found, Members):
            return found
        raise missing(f"a value of the type {known.type} that is kept", scope)

    def _numbers_kept(
        self, known: Definition, scope: Scope, sizes: tuple[int, ...] | None
    ) -> Members:
        """A set of numbers that a definition gives, which is kept until the state changes."""
        numbers = self.shared.numbers

        def write(say: Expressions, there: Scope) -> Scalar:
            row = self.shared.outlines.row(say.b, tuple(there.values.values()), sizes)
            assert row is not None
            with say.b.when(ir.negated(row.fits)):
                self.program.stop(say.b, Stop.ELSEWHERE, there)
            start = self.program.buffer(2 * number_sets.BYTES * row.count)
            at = op("i32.add", row.at(self.program, number_sets.BYTES), ir.i32(start))
            place = say.b.keep(at)
            numbers.gather(say.b, say._numbers_of(known, there), place)
            return Scalar(place, 0, LARGEST)

        found = self._outlined(("define", known.name), scope, write, sizes)
        assert isinstance(found, Scalar)
        return numbers.copied(self.b, found.code)

    def _family_kept(
        self, known: Definition, scope: Scope, sizes: tuple[int, ...] | None
    ) -> Members:
        """A family that a definition gives, which is kept until what it reads is written.

        It is copied to where it is asked for, so that its sets stay as they are while they are
        looked through. One of too many sets is worked out each time.
        """
        families, size = self.shared.families, self.family_size(known.type)

        def write(say: Expressions, there: Scope) -> Scalar:
            row = self.shared.outlines.row(say.b, tuple(there.values.values()), sizes)
            assert row is not None
            with say.b.when(ir.negated(row.fits)):
                self.program.stop(say.b, Stop.ELSEWHERE, there)
            made = families.empty(say.b, size)
            say.give(made, say._defined(known, there), there)
            start = self.program.buffer(2 * families.room(size) * row.count)
            at = op("i32.add", row.at(self.program, families.room(size)), ir.i32(start))
            return Scalar(say.b.keep(families.keep(say.b, made, at)), 0, LARGEST)

        name = ("define", known.name)
        self.shared.outlines.lasting[name] = families.is_kept
        found = self._outlined(name, scope, write, sizes)
        assert isinstance(found, Scalar)
        return families.copied(self.b, found.code, size)

    def _sizes(self, known: Definition) -> tuple[int, ...] | None:
        """How many values each parameter may have, if they are all few."""
        types = [non_optional(t) for _, t in known.params]
        if not all(is_index(t) or t == TRUTH for t in types):
            return None
        return tuple(2 if t == TRUTH else size_of(self.setup, t) for t in types)

    def _outlined(
        self,
        name: tuple[object, ...],
        scope: Scope,
        write: Callable[[Expressions, Scope], Lowered],
        sizes: tuple[int, ...] | None = None,
    ) -> Lowered:
        """What a function gives for the values in scope; `write` writes it."""
        names, values = tuple(scope.values), tuple(scope.values.values())

        def written(b: Builder, given: tuple[Lowered, ...]) -> Lowered:
            inside = dict(zip(names, given, strict=True))
            there = Scope(inside, scope.clause, scope.line)
            return write(Expressions(self.shared, b, self.really), there)

        outlines = self.shared.outlines
        found = outlines.call(self.b, name, values, written, sizes, self.really)
        assert found is not None
        return found

    def entered(self, known: Definition, args: tuple[core.Expr, ...], scope: Scope) -> Scope:
        """The scope inside a definition."""
        names = [name for name, _ in known.params]
        inside = {n: self._given(known, n, e, scope) for n, e in zip(names, args, strict=True)}
        self.b.note(known.clause)
        return scope.inside(known.clause, self.program.line(known.clause), inside)

    def _given(self, known: Definition, name: str, e: core.Expr, scope: Scope) -> Lowered:
        """An argument of a definition, which may be of those of which there are few."""
        if element(e.type) is not None and few.are_few(self, e, scope):
            value = self.written_in_place(known.name)
            if value is not None and few.only_looked_through(self, value, name):
                return few.kept(self, e, scope)
        return self.argument(e, scope)

    def written_in_place(self, define: str) -> core.Expr | None:
        """The value of a definition that has one case only and is no function."""
        known, outlines = self.ruleset.definitions[define], self.shared.outlines
        only = only_case(known)
        large = outlines.large("define", define) or outlines.looks(define)
        return None if only is None or large else only.value

    def argument(self, e: core.Expr, scope: Scope) -> Lowered:
        """A value that is passed on; what stands for every member at once still does."""
        if isinstance(e, core.Var) and isinstance(scope.values.get(e.name), Lane):
            return scope.values[e.name]
        return self.kept(e, scope)

    def _first_case(self, known: Definition, scope: Scope) -> Lowered:
        result = self.holder(known.type, scope)
        with self.b.block() as done:
            for case in known.cases:
                if case.slot:
                    place = OpenPlace("define", known.name, case.slot, known.params)

                    def added(extension: Extension, inner: Scope) -> None:
                        for more in extension.cases:
                            self._case(more, result, inner, done)

                    self.added(place, scope, added)
                else:
                    self._case(case, result, scope, done)
            self.give(result, self.nothing(known.type), scope)
        return self.held(known.type, result)

    def _case(self, case: Case, result: Held, scope: Scope, done: ir.Label) -> None:
        """The value of a case, if it holds."""
        assert case.value is not None
        inner = scope.within(case.clause, self.program.line(case.clause))
        with self.b.block() as other:
            if case.cond is not None:
                self.branch(case.cond, inner, Goal(other, False))
            self.give(result, self.value(case.value, inner), inner)
            self.b.jump(done)

    # -------------------------------------------------------------------------------- score tables
    def _total(self, e: core.Total, scope: Scope) -> Lowered:
        table = self.ruleset.tables[e.table]
        values = [self.kept(arg, scope) for arg in e.args]
        names = [name for name, _ in table.params]
        inner = scope.inside("", 0, dict(zip(names, values, strict=True)))
        outlines = self.shared.outlines
        if outlines.large("score", table.name) and outlines.fits(tuple(values)):
            name = ("score", table.name, scope.clause, scope.line)
            return self._outlined(name, inner, lambda say, there: say._summed(table, there))
        return self._summed(table, inner)

    def _summed(self, table: Table, scope: Scope) -> Scalar:
        """What a table comes to, where its parameters are in scope."""
        total = self.b.begin(ir.i64(0), "total")
        for line in table.lines:
            self._line(_Scored(table, total), line, scope)
        return plain_scalar(self.setup, NUMBER, ir.Get(total))

    def _line(self, scored: _Scored, line: Line, scope: Scope, source: str = "") -> ir.Register:
        """Apply a line; gives whether it counted. `source` is the card's clause it stands in."""
        counted = self.b.begin(ir.i32(0), "counted")
        if line.slot:
            self._added_lines(scored, line, counted, scope)
        elif line.op == "one":
            self._one_of(scored, line, counted, scope)
        elif line.each is None:
            self._count(scored, line, counted, scope, source)
        else:
            var, domain = line.each
            sum_now = plain_scalar(self.setup, NUMBER, ir.Get(scored.total))
            members = self.looked_through(domain, scope.naming("total", sum_now))
            self.each(
                members,
                lambda m: self._count(scored, line, counted, scope.naming(var, m), source),
            )
        return counted

    def _one_of(self, scored: _Scored, line: Line, counted: ir.Register, scope: Scope) -> None:
        """The first of several lines that counts; of a slot, the first line of a card that does."""
        with self.b.block() as done:
            for inner in line.inner:
                if inner.slot:
                    self._added_lines(scored, inner, counted, scope, done)
                else:
                    self.b.set(counted, ir.Get(self._line(scored, inner, scope)))
                self.b.jump(done, ir.Get(counted))

    def _added_lines(
        self,
        scored: _Scored,
        line: Line,
        counted: ir.Register,
        scope: Scope,
        first: ir.Label | None = None,
    ) -> None:
        """What cards add in a slot; with a label, only the first line that counts."""
        place = OpenPlace("score", scored.table.name, line.slot or "", scored.table.params)

        def added(extension: Extension, inner: Scope) -> None:
            for more in extension.lines:
                one = self._line(scored, more, inner, extension.clause)
                self.b.set(counted, op("i32.or", ir.Get(counted), ir.Get(one)))
                if first is not None:
                    self.b.jump(first, ir.Get(counted))

        self.added(place, scope, added)

    def _count(
        self, scored: _Scored, line: Line, counted: ir.Register, scope: Scope, source: str
    ) -> None:
        b, total = self.b, scored.total
        before = b.keep(ir.Get(total))
        clause = source or line.clause
        inner = scope.within(clause, self.program.line(clause))
        b.note(clause)
        inner = inner.naming("total", plain_scalar(self.setup, NUMBER, before))
        assert line.amount is not None
        with b.block() as out:
            if line.cond is not None:
                self.branch(line.cond, inner, Goal(out, False))
            amount = self.number(line.amount, inner)
            held = plain_scalar(self.setup, NUMBER, before)
            made = OPERATIONS[line.op](self.program, b, held, amount, inner)
            b.set(total, made.code)
            if line.op in ("floor", "cap"):
                b.jump(out, op("i64.eq", ir.Get(total), before))
            if self.really:
                self.shared.marks.clause(b, clause)
            b.set(counted, ir.i32(1))

    # -------------------------------------------------------------------------------- arithmetic
    def _arith(self, e: core.Arith, scope: Scope) -> Lowered:
        left = self.number(e.left, scope)
        left = Scalar(self.b.keep(left.code), left.low, left.high)
        right = self.number(e.right, scope)
        match e.op:
            case "+":
                return arithmetic.add(self.program, self.b, left, right, scope)
            case "-":
                return arithmetic.subtract(self.program, self.b, left, right, scope)
            case "*":
                return arithmetic.multiply(self.program, self.b, left, right, scope)
            case "/up":
                return arithmetic.divide_up(self.program, self.b, left, right, scope)
            case _:
                return arithmetic.divide(self.program, self.b, left, right, scope)

    def _if_else(self, e: core.IfElse, scope: Scope) -> Lowered:
        if e.type == TRUTH:
            return self._by_jumps(e, scope)
        result, bounds = self.holder(e.type, scope), list[Scalar]()
        with self.b.block() as done:
            with self.b.block() as other:
                self.branch(e.cond, scope, Goal(other, False))
                self._one_of_two(e.then, result, bounds, scope)
                self.b.jump(done)
            self._one_of_two(e.other, result, bounds, scope)
        found = self.held(e.type, result)
        if isinstance(found, Scalar):
            low, high = min(x.low for x in bounds), max(x.high for x in bounds)
            return Scalar(found.code, low, high)
        return found

    def _one_of_two(self, e: core.Expr, to: Held, bounds: list[Scalar], scope: Scope) -> None:
        value = self.value(e, scope)
        if isinstance(value, Scalar):
            bounds.append(value)
        self.give(to, value, scope)

    # -------------------------------------------------------------------------------- conditions
    def branch(self, e: core.Expr, scope: Scope, goal: Goal) -> None:
        """Go to the label if the condition is what the goal says."""
        jumps = JUMPS.get(type(e))
        if jumps is not None and not self._is_static(e):
            jumps(self, e, scope, goal)  # type: ignore[arg-type]  # it stands under its class
        else:
            self._go(self.truth(e, scope), goal)

    def _go(self, cond: Code, goal: Goal) -> None:
        self.b.jump(goal.label, cond if goal.sense else ir.negated(cond))

    def _by_jumps(self, e: core.Expr, scope: Scope) -> Scalar:
        """A condition that is made of jumps, as a truth."""
        result = self.b.begin(ir.i32(0), "truth")
        with self.b.block() as no:
            JUMPS[type(e)](self, e, scope, Goal(no, False))  # type: ignore[arg-type]  # its class
            self.b.set(result, ir.i32(1))
        return Scalar(ir.Get(result), 0, 1)

    def _compare(self, e: core.Compare, scope: Scope) -> Lowered:
        left, right = self.kept(e.left, scope), self.value(e.right, scope)
        if isinstance(left, Bits) and isinstance(right, Bits) and e.op in ("=", "!="):
            same = bits.equal(left, right)
            return Scalar(same if e.op == "=" else ir.negated(same), 0, 1)
        if not isinstance(left, Scalar) or not isinstance(right, Scalar):
            raise missing(f"comparing values of the type {e.left.type}", scope)
        ty = ir.ty_of(left.code)
        if ty is not ir.ty_of(right.code):
            raise missing("comparing a number with none", scope)
        name = {"=": "eq", "!=": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}[e.op]
        sides = [Scalar(self.b.keep(side.code), side.low, side.high) for side in (left, right)]
        found = op(f"{ty.value}.{name}", sides[0].code, sides[1].code)
        if e.op not in ("=", "!=") and ty is ir.Ty.I32:
            for side in sides:
                if side.low < 0:
                    found = op("i32.and", found, op("i32.ge_s", side.code, ir.i32(0)))
        return Scalar(found, 0, 1)

    def _member(self, e: core.Member, scope: Scope) -> Lowered:
        item = self.kept(e.item, scope)
        if isinstance(item, Scalar) and isinstance(e.of, core.Builtin):
            there = growing_words.is_there(self, item, e.of, scope)
            if there is not None:
                return Scalar(there, 0, 1)
        of = self.settled(e.of, scope)
        if isinstance(of, Members) and of.contains is not None:
            return Scalar(of.contains(item), 0, 1)
        if isinstance(item, Scalar) and isinstance(of, Bits):
            return Scalar(bits.contains(of, item), 0, 1)
        if not isinstance(of, Members) or of.faulty:
            raise missing(f"a member of the type {e.item.type}", scope)
        found = self.b.begin(ir.i32(0), "found")
        with self.b.block() as out:

            def test(member: Lowered) -> None:
                with self.b.when(same(item, member, scope)):
                    self.b.set(found, ir.i32(1))
                    self.b.jump(out)

            of.each(test)
        return Scalar(ir.Get(found), 0, 1)

    def _jump_not(self, e: core.Not, scope: Scope, goal: Goal) -> None:
        self.branch(e.of, scope, goal.turned())

    def _jump_all(self, e: core.All, scope: Scope, goal: Goal) -> None:
        self._jump_chain(e.of, scope, goal, False)

    def _jump_any(self, e: core.Any, scope: Scope, goal: Goal) -> None:
        self._jump_chain(e.of, scope, goal, True)

    def _jump_chain(
        self, parts: tuple[core.Expr, ...], scope: Scope, goal: Goal, settles: bool
    ) -> None:
        """Conditions one after the other, the first of which that is so settles the matter."""
        if goal.sense is settles:
            for part in parts:
                self.branch(part, scope, goal)
            return
        with self.b.block() as settled:
            for part in parts:
                self.branch(part, scope, Goal(settled, settles))
            self.b.jump(goal.label)

    def _jump_if(self, e: core.IfElse, scope: Scope, goal: Goal) -> None:
        with self.b.block() as done:
            with self.b.block() as other:
                self.branch(e.cond, scope, Goal(other, False))
                self.branch(e.then, scope, goal)
                self.b.jump(done)
            self.branch(e.other, scope, goal)

    def _jump_apply(self, e: core.Apply, scope: Scope, goal: Goal) -> None:
        known = self.ruleset.definitions[e.define]
        only = only_case(known)
        passed = any(
            isinstance(scope.values.get(arg.name), Lane | Members)
            for arg in e.args
            if isinstance(arg, core.Var)
        )
        outlines = self.shared.outlines
        worth = outlines.large("define", known.name) or outlines.looks(known.name)
        large = worth and not passed
        if only is None or large:
            self._go(self.truth(e, scope), goal)
        else:
            assert only.value is not None
            self.branch(only.value, self.entered(known, e.args, scope), goal)

    def _jump_accepts(self, e: core.Accepts, scope: Scope, goal: Goal) -> None:
        values = tuple(self.argument(arg, scope) for arg in e.args)
        self.accepted(e.event, values, scope, goal)

    def accepted(self, event: str, values: tuple[Lowered, ...], scope: Scope, goal: Goal) -> None:
        """Go to the label if every rule of the event holds of these values, or if one does not."""
        outlines, inner = self.shared.outlines, self.judging(event, values, scope)
        if not outlines.large("rules", event) or not outlines.fits(values):
            self._judged(event, values, scope, goal)
            return
        rules, place = self.program.judged(event), (scope.clause, scope.line)
        name = (
            "rules",
            event,
            *(("", 0) if all(r.clause and not r.slot for r in rules) else place),
        )
        names = tuple(inner.values)

        def judge(say: Expressions, there: Scope) -> Scalar:
            given = tuple(there.values[one] for one in names)
            result = say.b.begin(ir.i32(0), "accepted")
            with say.b.block() as no:
                say._judged(event, given, there, Goal(no, False))
                say.b.set(result, ir.i32(1))
            return Scalar(ir.Get(result), 0, 1)

        found = self._outlined(name, inner, judge)
        assert isinstance(found, Scalar)
        self._go(found.code, goal)

    def _judged(self, event: str, values: tuple[Lowered, ...], scope: Scope, goal: Goal) -> None:
        rules = self.program.judged(event)
        inner = self.judging(event, values, scope)
        params = self.ruleset.events[event].params
        with self.b.block() as refused:
            no = Goal(refused if goal.sense else goal.label, False)
            for (_, t), value in zip(params, values, strict=True):
                if isinstance(t, PieceT) and isinstance(value, Scalar) and value.low < 0:
                    self._go(op("i32.ge_s", value.code, ir.i32(0)), no)
            for rule in rules:
                if rule.slot is None:
                    self._met(rule, inner, no)
                    continue

                def added(extension: Extension, more: Scope) -> None:
                    for one in extension.rules:
                        self._met(one, more, no)

                self.added(OpenPlace("rules", event, rule.slot, params), inner, added)
            if goal.sense:
                self.b.jump(goal.label)

    def _met(self, rule: Rule, scope: Scope, no: Goal) -> None:
        """Go on if a rule holds."""
        assert rule.need is not None
        inner = scope.within(rule.clause, self.program.line(rule.clause))
        self.b.note(rule.clause)
        with self.b.block() as fine:
            if rule.cond is not None:
                self.branch(rule.cond, inner, Goal(fine, False))
            self.branch(rule.need, inner, no)

    def judging(self, event: str, values: tuple[Lowered, ...], scope: Scope) -> Scope:
        """The scope of an event's rules."""
        names = [name for name, _ in self.ruleset.events[event].params]
        return scope.inside("", 0, dict(zip(names, values, strict=True)))

    # -------------------------------------------------------------------------------- quantifiers
    def _jump_exists(self, e: core.Exists, scope: Scope, goal: Goal) -> None:
        self._jump_some(e.var, e.domain, e.cond, scope, goal)

    def _jump_forall(self, e: core.Forall, scope: Scope, goal: Goal) -> None:
        contrary = e.cond.of if isinstance(e.cond, core.Not) else core.Not(e.cond, type=TRUTH)
        self._jump_some(e.var, e.domain, contrary, scope, goal.turned())

    def _jump_some(
        self, var: str, domain: core.Expr, cond: core.Expr, scope: Scope, goal: Goal
    ) -> None:
        """Go to the label if some member meets the condition, or if none does."""
        if not goal.sense:
            with self.b.block() as one:
                self._jump_some(var, domain, cond, scope, Goal(one, True))
                self.b.jump(goal.label)
            return
        cond = self.shared.turning.without(var, cond)
        with self.b.block() as none:
            once, parts = self._said_once(var, domain, self.required(parts_of(cond), scope))
            for part in once:
                self.branch(part, scope, Goal(none, False))
            within = self._within(var, domain, parts, scope)
            found, parts = within or (self.looked_through(domain, scope), parts)
            if isinstance(found, Bits):
                found, parts = self.narrowed(var, found, parts, scope)
                if not parts:
                    self._go(bits.some(found), goal)
                    return
            self._first_that(var, found, parts or (TRUE,), scope, (goal.label, none))

    def _said_once(
        self, var: str, domain: core.Expr, parts: tuple[core.Expr, ...]
    ) -> tuple[tuple[core.Expr, ...], tuple[core.Expr, ...]]:
        """Conditions that are the same for each member of a set, to be asked before any member is,
        and those that are left. Nothing that is asked later than before may be a fault.
        """
        if self.risky(domain):
            return (), parts
        once, left = list[core.Expr](), list[core.Expr]()
        for part in parts:
            same = var not in core.free_names(part) and not self.risky(part)
            (once if same and not any(map(self.risky, left)) else left).append(part)
        return tuple(once), tuple(left)

    def required(self, parts: tuple[core.Expr, ...], scope: Scope) -> tuple[core.Expr, ...]:
        """Conditions, and instead of one that an event is accepted the rules of the event."""
        return tuple(one for part in parts for one in self._rules_of(part, scope))

    def _rules_of(self, e: core.Expr, scope: Scope) -> tuple[core.Expr, ...]:
        """The law: an event is accepted if all its rules hold. So they may be asked one by one, up
        to the first that can be a fault; from there on the whole of it is asked, and so it is where
        cards add rules.
        """
        if not isinstance(e, core.Accepts) or self.b.asking or self.program.reads.invariants:
            return (e,)
        if any(self._may_be_none(arg, scope) or self.risky(arg) for arg in e.args):
            return (e,)
        params = self.ruleset.events[e.event].params
        given = {name: arg for (name, _), arg in zip(params, e.args, strict=True)}
        inliner, found = Inliner(self.ruleset, lambda name: False), list[core.Expr]()
        for rule in self.program.judged(e.event):
            if rule.slot is not None:
                if self.program.extensions(OpenPlace("rules", e.event, rule.slot, params)):
                    return (*found, e)
                continue
            assert rule.need is not None
            if self.risky((rule.cond, rule.need)):
                return (*found, e)
            need: core.Expr = rule.need
            if rule.cond is not None:
                need = core.Any((core.Not(rule.cond, type=TRUTH), need), type=TRUTH)
            found += parts_of(
                simplified(self.program, self.shared.faults, inliner.tree(need, given))
            )
        return tuple(found)

    def _within(
        self, var: str, domain: core.Expr, parts: tuple[core.Expr, ...], scope: Scope
    ) -> tuple[Members, tuple[core.Expr, ...]] | None:
        """Where all cells of a footprint must meet a condition, those that lie within the cells
        that meet it, and the conditions that are left; none if that is not asked.
        """
        if not isinstance(domain, core.Builtin) or domain.name != "footprints":
            return None
        board, item = growing_words.board_in(self, domain), element(element(domain.type) or NUMBER)
        if board is None or item is None or self.risky(domain):
            return None
        walls, left = self._walls(var, domain, parts)
        if not walls:
            return None
        everywhere = self.bits(all_of(item), scope)
        made = [self.b.begin(word, "within") for word in everywhere.words]
        for unless, every in walls:
            those = core.Filter(every.var, all_of(item), every.cond, type=SetT(item))
            with self.b.block() as fine:
                for part in unless:
                    self.branch(part, scope, Goal(fine, True))
                for register, word in zip(made, self._kept_set(those, scope).words, strict=True):
                    self.b.set(register, op("i64.and", ir.Get(register), word))
        cells = Bits(tuple(map(ir.Get, made)), everywhere.size)
        found = growing_words.footprints_within(self, domain, board, scope, cells)
        return self._counted(found), left

    def _walls(
        self, var: str, domain: core.Expr, parts: tuple[core.Expr, ...]
    ) -> tuple[list[Wall], tuple[core.Expr, ...]]:
        """The conditions on all members of each set, and those that are left of the others."""
        walls, left = list[Wall](), list[core.Expr]()
        for part in parts:
            wall = None if any(map(self.risky, left)) else self._wall(var, part)
            if wall is not None:
                walls.append(wall)
            elif not _is_member(var, domain, part):
                left.append(part)
        return walls, tuple(left)

    def _wall(self, var: str, part: core.Expr) -> Wall | None:
        """A condition on all members of a set, and others that do without it where one of them
        holds; none if one of these can be a fault, or depends on the set otherwise.
        """
        *unless, every = part.of if isinstance(part, core.Any) else (part,)
        if not isinstance(every, core.Forall) or self.risky(part):
            return None
        is_all = isinstance(every.domain, core.Var) and every.domain.name == var
        if not is_all or var in core.free_names((*unless, every.cond)):
            return None
        return tuple(unless), every

    def _kept_set(self, e: core.Filter, scope: Scope) -> Bits:
        """A set of indices, worked out once in each state for the values it depends on."""
        names = sorted(core.free_names(e))
        types = {n.name: n.type for n in core.walk(e) if isinstance(n, core.Var)}
        values = tuple(scope.values[name] for name in names)
        if not all(
            isinstance(value, Scalar) and is_index(types[n])
            for n, value in zip(names, values, strict=True)
        ):
            return bits.kept(self.b, self.bits(e, scope))
        sizes = tuple(size_of(self.setup, types[name]) for name in names)
        inner = scope.inside("", 0, dict(zip(names, values, strict=True)))
        name = ("set", self.shared.number_of(e))
        self.shared.outlines.reading[name] = self.program.reads.all(e)
        found = self._outlined(name, inner, lambda say, there: say.bits(e, there), sizes)
        assert isinstance(found, Bits)
        return found

    @staticmethod
    def _may_be_none(e: core.Expr, scope: Scope) -> bool:
        """May a piece that is given to an event be none?"""
        held = scope.values.get(e.name) if isinstance(e, core.Var) else None
        return isinstance(e.type, OptionalT) or (
            isinstance(e.type, PieceT)
            and (not isinstance(e, core.Var) or (isinstance(held, Scalar) and held.low < 0))
        )

    def _first_that(
        self,
        var: str,
        domain: Bits | Members,
        parts: tuple[core.Expr, ...],
        scope: Scope,
        labels: tuple[ir.Label, ir.Label],
    ) -> None:
        """Go to the first label at the first member that meets all parts; where one part shows that
        none does, go to the second.
        """
        whole, settling = joined(parts), self._settling(var, parts)
        label, none = labels

        def test(member: Lowered) -> None:
            inner = scope.naming(var, member)
            for part in parts[:settling]:
                self.branch(part, inner, Goal(none, False))
            self.branch(joined(parts[settling:] or (TRUE,)), inner, Goal(label, True))

        if isinstance(domain, Members) and domain.faulty:
            raise missing("a look through values of which one may be a fault", scope)
        if isinstance(domain, Members) and domain.touching is not None:
            seeds = self._touched(var, whole, scope)
            if seeds is not None:
                domain.touching(seeds, test)
                return
        self.each(domain, test)

    def _settling(self, var: str, parts: tuple[core.Expr, ...]) -> int:
        """How many of the first conditions are the same for each member.

        The law: where one of these fails for the first member, it does for all, and nothing that
        would be asked of another could be a fault but what was asked already.
        """
        same = (var not in core.free_names(part) for part in parts)
        return next((n for n, one in enumerate(same) if not one), len(parts))

    def _touched(self, var: str, cond: core.Expr, scope: Scope) -> Bits | None:
        """A set that a group must touch to meet a condition, where nothing in it is a fault."""
        if self.risky(cond):
            return None
        return self._touched_in(var, cond, scope)

    def _touched_in(self, var: str, cond: core.Expr, scope: Scope) -> Bits | None:
        match cond:
            case core.All():
                found = (self._touched_in(var, part, scope) for part in cond.of)
                return next((seeds for seeds in found if seeds is not None), None)
            case core.Apply():
                return self._touched_inside(var, cond, scope)
            case core.Exists(domain=core.Var(name=name)) if name == var:
                parts = parts_of(cond.cond)
                if not parts or var in core.free_names(parts):
                    return None
                size = self._lane_size(cond.domain)
                return self.lanes(parts[0], scope.naming(cond.var, Lane(size)))
            case _:
                return None

    def _touched_inside(self, var: str, call: core.Apply, scope: Scope) -> Bits | None:
        """The same of a definition that is given the group, and nothing else that depends on it."""
        known = self.ruleset.definitions[call.define]
        only = only_case(known)
        passed = [arg.name if isinstance(arg, core.Var) else "" for arg in call.args]
        others = tuple(a for a, name in zip(call.args, passed, strict=True) if name != var)
        if only is None or passed.count(var) != 1 or var in core.free_names(others):
            return None
        assert only.value is not None
        inner = self.entered(known, call.args, scope.naming(var, Lane(0)))
        return self._touched_in(known.params[passed.index(var)][0], only.value, inner)

    def _lane_size(self, domain: core.Expr) -> int:
        item = element(domain.type)
        return size_of(self.setup, item) if item is not None and is_index(item) else 0

    # -------------------------------------------------------------------------------- lanes
    def narrowed(
        self, var: str, domain: Bits, parts: tuple[core.Expr, ...], scope: Scope
    ) -> tuple[Bits, tuple[core.Expr, ...]]:
        """The members that meet some of the conditions, and the conditions that are left.

        A condition may be taken before others only if those can be no fault.
        """
        left: list[core.Expr] = []
        inner = scope.naming(var, Lane(domain.size))
        for part in self.required(parts, inner):
            safe = not any(self.risky(other) for other in left)
            found = self._attempted(part, inner) if safe else None
            if found is None and not left:
                found = self._numbered_lanes(part, domain, inner)
            if found is None:
                left.append(part)
            else:
                domain = bits.kept(self.b, bits.combined("and", domain, found))
        return domain, tuple(left)

    def _attempted(self, e: core.Expr, scope: Scope) -> Bits | None:
        """The members of a lane for which a condition holds; where it is not written so, nothing is
        worked out for it.
        """
        body: list[ir.Stmt] = []
        with self.b.within(body):
            found = self.lanes(e, scope)
        if found is not None:
            self.b.bodies[-1].extend(body)
        return found

    def _numbered_lanes(self, e: core.Expr, domain: Bits, scope: Scope) -> Bits | None:
        """The members whose number, known before play, is in a set of numbers.

        The set is worked out once, if there is a member: so it is a fault where it is one.
        """
        if not isinstance(e, core.Member) or e.of.type != SetT(NUMBER) or has_lane(scope, e.of):
            return None
        if len(domain.words) > MOST_JOINED or not self._is_static(e.item) or self.risky(e.item):
            return None
        span = self.shared.known.span(e.item, scope)
        if span is None or span[1] - span[0] >= MOST_SPAN or self._is_static(e.of):
            return None
        b, found = self.b, [self.b.begin(ir.i64(0), "numbered") for _ in domain.words]

        def one(number: Lowered) -> None:
            assert isinstance(number, Scalar)
            least = op("i64.ge_s", number.code, ir.i64(span[0]))
            most = op("i64.le_s", number.code, ir.i64(span[1]))
            with b.when(op("i32.and", least, most)):
                more = self.shared.known.numbered(b, e.item, number.code, scope)
                for register, word in zip(found, more.words, strict=True):
                    b.set(register, op("i64.or", ir.Get(register), word))

        with b.when(bits.some(domain)):
            numbers = self.settled(e.of, scope)
            assert isinstance(numbers, Members)
            numbers.each(one)
        return Bits(tuple(map(ir.Get, found)), domain.size)

    def lanes(self, e: core.Expr, scope: Scope) -> Bits | None:
        """The members of a lane for which a condition holds; none if it is not written so."""
        if not has_lane(scope, e) or self.risky(e):
            return None
        if self._is_static(e):
            return self.shared.known.lanes(self.b, e, scope)
        match e:
            case core.Not():
                found = self.lanes(e.of, scope)
                return None if found is None else bits.without(everything(found.size), found)
            case core.All() | core.Any():
                return self._joined_lanes(e, scope)
            case core.Member(item=core.Var(name=name)) if not has_lane(scope, e.of):
                return self._fitting(self.bits(e.of, scope), scope.values[name])
            case core.Compare(op="=" | "!="):
                return self._compared_lanes(e, scope)
            case core.Read():
                return self._read_lanes(e, Scalar(ir.i32(1), 1, 1), scope)
            case core.Apply():
                return self._applied_lanes(e, scope)
            case core.Exists():
                return self._met_lanes(e, scope)
            case _:
                return None

    def _met_lanes(self, e: core.Exists, scope: Scope) -> Bits | None:
        """The members that some member of a set meets: by a relation that reads no position, or
        because something of that member is this one.
        """
        parts = parts_of(e.cond)
        meeting = [part for part in parts if has_lane(scope, part)]
        if len(meeting) != 1 or has_lane(scope, e.domain) or e.var in scope.values:
            return None
        adding = self._meeting(e, meeting[0], scope)
        if adding is None:
            return None
        domain, others = e.domain, tuple(part for part in parts if part is not meeting[0])
        if others:
            domain = core.Filter(e.var, e.domain, joined(others), type=e.domain.type)
        lane, add = adding
        made = Gathering(self.program, self.b, lane.size)
        self.each(
            self.looked_through(domain, scope),
            lambda member: add(scope.naming(e.var, member), made),
        )
        return made.found()

    def _meeting(
        self, e: core.Exists, cond: core.Expr, scope: Scope
    ) -> tuple[Lane, Callable[[Scope, Gathering], None]] | None:
        """The lane that a condition depends on, and what adds those of it that one member of a set
        meets; none if that is not written so.
        """
        item = element(e.domain.type)
        types = {n.name: n.type for n in core.walk(cond) if isinstance(n, core.Var)}
        lanes = [n for n in core.free_names(cond) if isinstance(scope.values.get(n), Lane)]
        if len(lanes) != 1 or item is None or not is_index(item) or lanes[0] not in types:
            return None
        (name,) = lanes
        lane, t = scope.values[name], types[name]
        assert isinstance(lane, Lane)
        if not is_index(t) or size_of(self.setup, t) != lane.size:
            return None
        partners = self.shared.always.partners(cond, (e.var, item), (name, t))
        if partners is not None:

            def add(inner: Scope, made: Gathering) -> None:
                member = inner.values[e.var]
                assert isinstance(member, Scalar)
                partners.each(self.b, member.code, made.add)

            return lane, add
        image = self._equal_to(name, cond)
        if image is None or non_optional(image.type) != t:
            return None
        return lane, lambda inner, made: made.add(self.index(image, inner).code)

    @staticmethod
    def _equal_to(name: str, cond: core.Expr) -> core.Expr | None:
        """What a name is to be equal to, by a condition that says no more."""
        if not isinstance(cond, core.Compare) or cond.op != "=":
            return None
        for one, other in ((cond.left, cond.right), (cond.right, cond.left)):
            if isinstance(one, core.Var) and one.name == name:
                return None if name in core.free_names(other) else other
        return None

    def _fitting(self, found: Bits, lane: Lowered) -> Bits | None:
        assert isinstance(lane, Lane)
        return found if found.size == lane.size else None

    def _joined_lanes(self, e: core.All | core.Any, scope: Scope) -> Bits | None:
        """Conditions joined: those that do not depend on the lane are asked first, and the others
        only if these do not settle the matter.
        """
        once = [part for part in e.of if not has_lane(scope, part)]
        each = [part for part in e.of if has_lane(scope, part)]
        body: list[ir.Stmt] = []
        whole: Bits | None = None
        with self.b.within(body):
            for part in each:
                found = self.lanes(part, scope)
                if found is None:
                    return None
                name = "and" if isinstance(e, core.All) else "or"
                whole = found if whole is None else bits.combined(name, whole, found)
        if whole is None or not once:
            self.b.bodies[-1].extend(body)
            return whole
        settles = isinstance(e, core.Any)
        settled = everything(whole.size) if settles else bits_of(frozenset(), whole.size)
        made = [self.b.begin(word, "joined") for word in settled.words]
        with self.b.block() as known:
            for part in once:
                self.branch(part, scope, Goal(known, settles))
            self.b.bodies[-1].extend(body)
            for register, word in zip(made, whole.words, strict=True):
                self.b.set(register, word)
        return Bits(tuple(map(ir.Get, made)), whole.size)

    def _compared_lanes(self, e: core.Compare, scope: Scope) -> Bits | None:
        sides = [e.left, e.right] if has_lane(scope, e.left) else [e.right, e.left]
        if has_lane(scope, sides[1]):
            return None
        found: Bits | None = None
        if isinstance(sides[0], core.Read):
            found = self._read_lanes(sides[0], self.scalar(sides[1], scope), scope)
        elif isinstance(sides[0], core.Builtin) and sides[0].name == "on":
            found = self._bare_lanes(sides[0], sides[1], scope)
        if found is None or e.op == "=":
            return found
        return bits.without(everything(found.size), found)

    def _read_lanes(self, e: core.Read, value: Scalar, scope: Scope) -> Bits | None:
        """The members for which a variable has this value, where that is kept."""
        table = self.program.layout.tables[e.state]
        if not table.keyed or not isinstance(e.index, core.Var):
            return None
        lane = scope.values.get(e.index.name)
        if not isinstance(lane, Lane) or lane.size != table.count:
            return None
        row = op("i32.add", self.b.keep(value.code), ir.i32(1))
        most = self.program.layout.values_of(e.state)
        if value.high >= most - 1:  # perhaps a player who does not play: nobody's value is that
            row = ir.Select(op("i32.lt_s", row, ir.i32(most)), row, ir.i32(most))
        address = self.b.keep(op("i32.mul", row, ir.i32(8 * table.key_words)))
        return bits.load(address, table.key_words, table.count, table.keyed)

    def _bare_lanes(self, e: core.Builtin, value: core.Expr, scope: Scope) -> Bits | None:
        """The sites of a layer on which nothing lies, if it is compared with none."""
        site = e.args[0]
        if not isinstance(value, core.Const) or value.value is not None:
            return None
        layer = board_words.layer_read(self, e)
        lane = scope.values.get(site.name) if isinstance(site, core.Var) else None
        if not isinstance(lane, Lane) or lane.size != layer.sites or not layer.occupied:
            return None
        words = words_of(layer.sites)
        there = bits.load(ir.i32(0), words, layer.sites, layer.occupied)
        return bits.without(everything(layer.sites), there)

    def _applied_lanes(self, e: core.Apply, scope: Scope) -> Bits | None:
        known = self.ruleset.definitions[e.define]
        only = only_case(known)
        if only is None or any(
            has_lane(scope, arg) and not isinstance(arg, core.Var) for arg in e.args
        ):
            return None
        assert only.value is not None
        return self.lanes(only.value, self.entered(known, e.args, scope))

    # -------------------------------------------------------------------------------- sets
    def _set_of(self, e: core.SetOf, scope: Scope) -> Lowered:
        item = element(e.type)
        if not e.items and (item is None or not is_index(item)):
            return Members(lambda body: None, 0, frozen=True)
        if item == NUMBER:
            return self._numbers(e, scope)
        if isinstance(e.type, ListT) or item is None or not is_index(non_optional(item)):
            raise missing(f"a {e.type} of values that are not known before play", scope)
        return self._listed_set(e, scope, isinstance(item, OptionalT))

    def _numbers(self, e: core.SetOf, scope: Scope) -> Members:
        """Numbers that are listed: of a set one may be given twice."""
        kept = []
        for part in e.items:
            one = self.number(part, scope)
            kept.append(Scalar(self.b.keep(one.code), one.low, one.high))

        def each(body: Callable[[Lowered], None]) -> None:
            for number in kept:
                body(number)

        bounds = min((x.low for x in kept), default=0), max((x.high for x in kept), default=0)
        loose = not isinstance(e.type, ListT)
        return Members(each, len(kept), frozen=True, loose=loose, bounds=bounds)

    def _listed_set(self, e: core.SetOf, scope: Scope, ask: bool = False) -> Bits:
        """The set of indices that are listed, none left out, or left to the reference to put in."""
        item = non_optional(element(e.type) or e.type)
        if not is_index(item) or not narrow(self.setup, item):
            raise missing(f"a {e.type} of values that are not known before play", scope)
        size = size_of(self.setup, item)
        found = bits_of(frozenset(), size)
        for part in e.items:
            index = self.index(part, scope)
            if ask and index.low < 0:
                with self.b.when(op("i32.lt_s", index.code, ir.i32(0))):
                    self.program.stop(self.b, Stop.ELSEWHERE, scope)
            found = bits.combined("or", found, bits.single(index.code, size, words_of(size)))
        return found

    def _set_op(self, e: core.SetOp, scope: Scope) -> Lowered:
        if isinstance(e.type, ListT):
            raise missing("lists put together", scope)
        if e.op == "+" and (self.family_size(e.type) or e.type == SetT(NUMBER)):
            return self._together(e, scope)
        if e.type == SetT(NUMBER):
            return self._numbers_without(e, scope)
        left = self.bits(e.left, scope)
        if e.op == "-" and isinstance(e.right, core.SetOf):  # none is in no set of indices
            return bits.without(left, self._listed_set(e.right, scope))
        right = self.bits(e.right, scope)
        if e.op == "+":
            for side in (left, right):
                self.program.visit(self.b, bits.count(side))
            return bits.combined("or", left, right)
        return bits.without(left, right)

    def _numbers_without(self, e: core.SetOp, scope: Scope) -> Members:
        """The numbers of one set that are not in another."""
        found, others = self.settled(e.left, scope), self.fixed(e.right, scope)
        if not isinstance(found, Members) or not isinstance(others, Members):
            raise missing(f"a {e.type} without some", scope)

        def each(body: Callable[[Lowered], None]) -> None:
            def one(number: Lowered) -> None:
                with self.b.block() as not_this:
                    others.each(lambda x: self.b.jump(not_this, same(number, x, scope)))
                    body(number)

            found.each(one)

        return Members(each, found.most, loose=found.loose, bounds=found.bounds)

    def _together(self, e: core.SetOp, scope: Scope) -> Members:
        """The sets of both families, or the numbers of both sets."""
        sides = [self.members(side, scope) for side in (e.left, e.right)]

        def each(body: Callable[[Lowered], None]) -> None:
            for side in sides:
                self.each(side, body)

        most = sum(side.most for side in sides if isinstance(side, Members))
        faulty = any(side.faulty for side in sides if isinstance(side, Members))
        return Members(each, most, faulty=faulty, loose=True)

    def _range(self, e: core.Range, scope: Scope) -> Lowered:
        b = self.b
        low, high = self.number(e.low, scope), self.number(e.high, scope)
        first, last = b.keep(low.code), b.keep(high.code)
        arithmetic.span(self.program, b, first, last, scope)

        def each(body: Callable[[Lowered], None]) -> None:
            at = b.begin(first, "number")
            with b.block() as done, b.loop() as again:
                b.jump(done, op("i64.gt_s", ir.Get(at), last))
                body(Scalar(b.keep(ir.Get(at)), low.low, max(low.low, high.high)))
                # The last number may be the largest there is.
                b.jump(done, op("i64.eq", ir.Get(at), last))
                b.set(at, op("i64.add", ir.Get(at), ir.i64(1)))
                b.jump(again)

        bounds = low.low, max(low.low, high.high)
        most = arithmetic.widest(low, high)
        return Members(each, most, frozen=True, bounds=bounds, ascending=True)

    def _filter(self, e: core.Filter, scope: Scope) -> Lowered:
        domain = self.settled(e.domain, scope)
        if isinstance(domain, Members):
            domain, e = self._among(domain, e)
        domain, parts = self._visiting(domain), parts_of(e.cond)
        if isinstance(domain, Bits):
            found, left = self.narrowed(e.var, domain, parts, scope)
            return self.tested(e.var, found, left, scope) if left else found
        return self.those(domain, e, scope)

    def _among(self, domain: Members, e: core.Filter) -> tuple[Members, core.Filter]:
        """The members without those that fail a condition known before play, and what is left to
        be asked of the others; conditions that may be a fault are asked no later than before.
        """
        if domain.among is None:
            return domain, e
        left = list[core.Expr]()
        for part in parts_of(e.cond):
            only = None
            if self._is_static(part) and not any(map(self.risky, left)):
                only = self.shared.known.layings(part, e.var, element(e.domain.type) or NUMBER)
            found = None if only is None or domain.among is None else domain.among(only)
            if found is None:
                left.append(part)
            else:
                domain = found
        return domain, core.copied(e, cond=joined(tuple(left) or (TRUE,)))

    def those(self, domain: Members, e: core.Filter, scope: Scope) -> Members:
        """The members that meet a condition, tried when they are come to."""

        def through(loop: Loop, body: Callable[[Lowered], None]) -> None:
            def one(member: Lowered) -> None:
                with self.b.block() as not_this:
                    self.branch(e.cond, scope.naming(e.var, member), Goal(not_this, False))
                    body(member)

            loop(one)

        faulty, back = domain.faulty or self.risky(e.cond), domain.backwards
        return Members(
            lambda body: through(domain.each, body),
            domain.most,
            faulty=faulty,
            loose=domain.loose,
            bounds=domain.bounds,
            backwards=back and (lambda body: through(back, body)),
            counted=domain.counted,
            ascending=domain.ascending,
            few=domain.few,
        )

    def tested(self, var: str, domain: Bits, parts: tuple[core.Expr, ...], scope: Scope) -> Bits:
        """The members that meet all conditions, tried one by one."""
        b = self.b
        made = Gathering(self.program, b, domain.size)

        def test(member: Lowered) -> None:
            assert isinstance(member, Scalar)
            with b.block() as not_this:
                self.branch(joined(parts), scope.naming(var, member), Goal(not_this, False))
                made.add(member.code)

        self.each(domain, test)
        return made.found()

    def _image(self, e: core.Image, scope: Scope) -> Lowered:
        domain = self.looked_through(e.domain, scope)
        if e.repeats and isinstance(domain, Members) and domain.loose:
            domain = self.exact(e.domain, scope)
        parts = parts_of(e.cond)
        if isinstance(domain, Bits):
            domain, parts = self.narrowed(e.var, domain, parts, scope)

        def each(body: Callable[[Lowered], None]) -> None:
            def one(member: Lowered) -> None:
                inner = scope.naming(e.var, member)
                with self.b.block() as not_this:
                    for part in parts:
                        self.branch(part, inner, Goal(not_this, False))
                    made = self.kept(e.body, inner)
                    if not e.repeats:
                        made = self._unless_none(made, not_this)
                    body(made)

            self.each(domain, one)

        most = domain.size if isinstance(domain, Bits) else domain.most
        faulty = self.risky((parts, e.body))
        return Members(each, most, faulty=faulty, loose=not e.repeats)

    def _unless_none(self, value: Lowered, label: ir.Label) -> Lowered:
        """The value; of none, which is in no set, go to the label."""
        if not isinstance(value, Scalar) or ir.ty_of(value.code) is ir.Ty.I64 or value.low >= 0:
            return value
        self.b.jump(label, op("i32.lt_s", value.code, ir.i32(0)))
        return Scalar(value.code, 0, value.high)

    def _best(self, e: core.Best, scope: Scope) -> Lowered:
        domain = self.visited(e.domain, scope)
        if isinstance(domain, Members) and domain.loose:
            domain = self.exact(e.domain, scope)
        if not isinstance(domain, Bits):
            raise missing(f"the best of a {e.type}", scope)
        b, made = self.b, Gathering(self.program, self.b, domain.size)
        top, any_yet = b.begin(ir.i64(0), "top"), b.begin(ir.i32(0), "any")

        def weigh(member: Lowered) -> None:
            assert isinstance(member, Scalar)
            key = b.keep(self.number(e.key, scope.naming(e.var, member)).code)
            better = op("i64.gt_s" if e.largest else "i64.lt_s", key, ir.Get(top))
            with b.when(op("i32.or", op("i32.eqz", ir.Get(any_yet)), better)):
                b.set(top, key)
                b.set(any_yet, ir.i32(1))
                made.clear()
            with b.when(op("i64.eq", key, ir.Get(top))):
                made.add(member.code)

        self.each(domain, weigh)
        return made.found()

    def _pick(self, e: core.Pick, scope: Scope) -> Lowered:
        return self.first_of(e.of, e.type, scope)

    def first_of(self, of: core.Expr, t: Type, scope: Scope) -> Lowered:
        """The first member in the stable order, or none."""
        found = self.exact(of, scope)
        if isinstance(found, Bits):
            return Scalar(bits.first(found), NONE, found.size - 1)
        is_laying = laying_ground(self.setup, non_optional(t)) is not None
        if (not is_laying and scalar_type(t) is not ir.Ty.I32) or found.faulty:
            raise missing(f"the first of a {of.type}", scope)
        return self._first_met(found.each, t, scope)

    def _stable(self, e: core.Stable, scope: Scope) -> Lowered:
        b, begun = self.b, self.bits(e.domain, scope)
        current = [b.begin(word, "stable") for word in begun.words]
        with b.loop() as again:
            here = bits.kept(b, Bits(tuple(map(ir.Get, current)), begun.size))
            self.program.visit(b, bits.count(here))
            inner = scope.naming(e.so_far, here)
            kept = bits.kept(b, self.tested(e.var, here, parts_of(e.cond) or (TRUE,), inner))
            for register, word in zip(current, kept.words, strict=True):
                b.set(register, word)
            b.jump(again, ir.negated(bits.equal(here, kept)))
        return Bits(tuple(map(ir.Get, current)), begun.size)

    # -------------------------------------------------------------------------------- connection
    def _groups(self, e: core.Groups, scope: Scope) -> Lowered:
        item = element(e.of.type)
        found = self.visited(e.of, scope)
        if not isinstance(found, Bits) or item is None:
            raise missing(f"groups of a {e.of.type}", scope)
        if e.relation is not None:
            return self._related_groups(e.relation, bits.kept(self.b, found), item, scope)
        connect = self.spreading(item, scope)
        b = self.b

        def spread(seeds: Bits, body: Callable[[Lowered], None]) -> None:
            left = [b.begin(word, "left") for word in seeds.words]
            with b.block() as done, b.loop() as again:
                here = Bits(tuple(map(ir.Get, left)), found.size)
                b.jump(done, ir.negated(bits.some(here)))
                one = bits.single(b.keep(bits.first(here)), found.size, len(left))
                group = Bits(b.call(connect, *one.words, *found.words), found.size)
                for register, word in zip(left, bits.without(here, group).words, strict=True):
                    b.set(register, word)
                body(group)
                b.jump(again)

        def touching(seeds: Bits, body: Callable[[Lowered], None]) -> None:
            spread(bits.kept(b, bits.combined("and", found, seeds)), body)

        # In the order of their smallest members, which is not the stable order: what depends on
        # the order of groups is not written.
        return Members(lambda body: spread(found, body), found.size, touching)

    def _reach(self, e: core.Reach, scope: Scope) -> Lowered:
        item = element(e.seeds.type)
        if item is None or not is_index(item):
            raise missing(f"what is reached from a {e.seeds.type}", scope)
        if e.within is None and e.relation is None:
            raise missing("what is reached within nothing", scope)
        seeds = self.bits(e.seeds, scope)
        size = size_of(self.setup, item)
        space = self._everything(item) if e.within is None else self.bits(e.within, scope)
        steps = None if e.steps is None else self.b.keep(self.number(e.steps, scope).code)
        near = None if e.relation is None else self.relation(e.relation, item, steps is not None)
        if near is not None:
            found = near.reached(self.b, seeds, space, steps)
            self.program.visit(self.b, bits.count(found))
            return found
        if steps is not None:
            raise missing("what is reached in so many steps", scope)
        if e.relation is None:
            seeds = bits.kept(self.b, bits.combined("and", seeds, space))
            connect = self.spreading(item, scope)
        else:
            link, connect = self.linking(e.relation, item, scope)
            self.b.call(link, *bits.combined("or", seeds, space).words)
        found = Bits(self.b.call(connect, *seeds.words, *space.words), size)
        self.program.visit(self.b, bits.count(found))
        return found

    def _everything(self, item: Type) -> Bits:
        """All members of a type."""
        size = size_of(self.setup, item)
        if isinstance(item, PieceT):
            return bits_of(frozenset(self.setup.members(item)), size)
        return everything(size)

    def _related_groups(self, relation: str, found: Bits, item: Type, scope: Scope) -> Lowered:
        """The connected parts of a set by a relation, as a family."""
        b, size = self.b, size_of(self.setup, item)
        near, made = self.relation(relation, item, False), self.shared.families.empty(b, size)
        if near is not None:
            near.groups(b, found, lambda group: self.shared.families.add(b, made, group))
            return made.members(b)
        link, connect = self.linking(relation, item, scope)
        b.call(link, *found.words)
        left = [b.begin(word, "left") for word in found.words]
        with b.block() as done, b.loop() as again:
            here = Bits(tuple(map(ir.Get, left)), size)
            b.jump(done, ir.negated(bits.some(here)))
            one = bits.single(b.keep(bits.first(here)), size, len(left))
            group = Bits(b.call(connect, *one.words, *found.words), size)
            for register, word in zip(left, bits.without(here, group).words, strict=True):
                b.set(register, word)
            self.shared.families.add(b, made, group)
            b.jump(again)
        return made.members(b)

    def relation(self, name: str, item: Type, needed: bool) -> Relation | None:
        """A relation in which each thing has few partners, where sets are large or it is needed."""
        size = size_of(self.setup, item)
        if size >= 1 << 16 or (words_of(size) <= FEW_WORDS and not needed):
            return None
        known = self.shared.relations
        if name not in known:
            params = self.ruleset.definitions[name].params
            among = [partners(self.ruleset, name, one) for one, _ in params]
            sides = [self._side(name, at, e) for at, e in enumerate(among) if e is not None]
            whole = len(sides) == len(params)
            known[name] = Relation(self.program, name, size, sides) if whole else None
        return known[name]

    def _side(self, name: str, at: int, among: core.Expr) -> Side:
        """What may stand in a relation to its thing of this number, and whether it does."""
        params, clause = (
            self.ruleset.definitions[name].params,
            self.ruleset.definitions[name].clause,
        )
        one, other = params[at][0], params[1 - at][0]
        names = [core.Var(param, type=kind) for param, kind in params]

        def candidates(b: Builder, thing: Scalar, add: Callable[[Code], None]) -> None:
            say, scope = Expressions(self.shared, b), Scope({one: thing}, clause)
            say.streamed(among, scope, lambda found: add(_index_of(say, found, scope)))

        def test(b: Builder, thing: Scalar, partner: Scalar, no: ir.Label) -> None:
            apply = core.Apply(name, tuple(names), type=TRUTH)
            scope = Scope({one: thing, other: partner}, clause)
            Expressions(self.shared, b).branch(apply, scope, Goal(no, False))

        return Side(candidates, test)

    def streamed(self, e: core.Expr, scope: Scope, body: Callable[[Lowered], None]) -> None:
        """What is done with the members of a set as they are found, some perhaps more than once."""
        match e:
            case core.SetOp(op="+"):
                self.streamed(e.left, scope, body)
                self.streamed(e.right, scope, body)
            case core.SetOf():
                for item in e.items:
                    body(self.kept(item, scope))
            case core.Builtin(name="joined", args=(core.Image() as image,)):
                self._streamed_image(
                    image, scope, lambda inner: self.streamed(image.body, inner, body)
                )
            case core.Image():
                self._streamed_image(e, scope, lambda inner: body(self.kept(e.body, inner)))
            case _:
                self.each(self.members(e, scope), body)

    def _streamed_image(self, e: core.Image, scope: Scope, body: Callable[[Scope], None]) -> None:
        def one(member: Lowered) -> None:
            inner = scope.naming(e.var, member)
            with self.b.block() as not_this:
                for part in parts_of(e.cond):
                    self.branch(part, inner, Goal(not_this, False))
                body(inner)

        self.streamed(e.domain, scope, one)

    def linking(self, relation: str, item: Type, scope: Scope) -> tuple[ir.Function, ir.Function]:
        """What links the members of a set by a relation, either way round, and what spreads so."""
        if not narrow(self.setup, item):
            raise missing(f"connection of so many {item}", scope)
        apply = core.Apply(
            relation, (core.Var("x", type=item), core.Var("y", type=item)), type=TRUTH
        )
        known = self.shared.links.get(relation)
        if known is None:
            size = size_of(self.setup, item)
            table = self.program.buffer(8 * words_of(size) * size)
            link = _linking(self.shared, apply, table, size)
            known = link, _spreading(self.program, table, size)
            self.shared.links[relation] = known
        return known

    def spreading(self, item: Type, scope: Scope) -> ir.Function:
        """The function that gives all that is connected to seeds within a set of cells."""
        site = site_type(item)
        if not isinstance(site, SiteT) or site.role != "cell":
            raise missing(f"connection of a {item}", scope)
        ground, size = ground_of(self.setup.boards[site.board]), size_of(self.setup, item)
        beside = board_words.nearby(self, ground, ground.grid.neighbors, "cell", "cell")
        known = self.shared.spreads.get(beside.start)
        if known is None:
            small = beside.whole
            made = _spreading(self.program, beside.start, size) if small else beside.connected()
            known = self.shared.spreads[beside.start] = made
        return known

    # -------------------------------------------------------------------------------- other states
    def _at(self, e: core.At, scope: Scope) -> Lowered:
        """A value in another state, which is worked out there and then."""
        others = self.shared.others
        if e.mode == "before":
            with others.before(self.b):
                return self._settled_value(e.body, scope)
        assert e.event is not None
        params = self.ruleset.events[e.event].params
        if e.args or not params:
            values = tuple(self.kept(arg, scope) for arg in e.args)
        else:
            values = tuple(scope.values[name] for name, _ in params)
        with others.supposing(self.b, e.event, values, scope):
            return Expressions(self.shared, self.b)._settled_value(e.body, scope)

    def _settled_value(self, e: core.Expr, scope: Scope) -> Lowered:
        """A value that stays what it is, whatever changes from now on."""
        found = self.kept(e, scope)
        return self.fixed(e, scope) if isinstance(found, Members) and not found.frozen else found

    # -------------------------------------------------------------------------------- words
    def _builtin(self, e: core.Builtin, scope: Scope) -> Lowered:
        board = growing_words.board_in(self, e)
        if board is not None and e.name in growing_words.WORDS:
            return growing_words.WORDS[e.name](self, e, board, scope)
        one = element(e.args[0].type) is None if e.args else False
        if board is not None and one and e.name in growing_words.WORDS_OF_ONE:
            return growing_words.WORDS_OF_ONE[e.name](self, e, board, scope)
        word = WORDS.get(e.name)
        if any(element(arg.type) is not None for arg in e.args):
            word = word or WORDS_OF_SETS.get(e.name)
        if word is not None:
            return word(self, e, scope)
        return self._tabulated_word(e, scope)

    def _tabulated_word(self, e: core.Builtin, scope: Scope) -> Lowered:
        """A word of the board alone, for indices that are known only in play."""
        names = [f"_{at}" for at in range(len(e.args))]
        fixed = [isinstance(a, core.Const) or self._is_board(a) for a in e.args]
        args = tuple(
            arg if known else core.Var(name, type=arg.type)
            for arg, name, known in zip(e.args, names, fixed, strict=True)
        )
        made = core.Builtin(e.name, args, type=e.type, span=e.span)
        if not self.program.is_static(made):
            raise missing(f"the word “{e.name}”", scope)
        inner = Scope({}, scope.clause, scope.line)
        for name, arg, known in zip(names, e.args, fixed, strict=True):
            if not known:
                inner = inner.naming(name, self.kept(arg, scope))
        made_once = self.shared.first_of_its_like(made, *(arg.type for arg in made.args))
        found = self.shared.known.value(self.b, made_once, inner)
        if found is None:
            raise missing(f"the word “{e.name}”", scope)
        return found

    def _is_board(self, e: core.Expr) -> bool:
        return not core.free_names(e) and self._is_static(e)

    def _number_of(self, e: core.Builtin, scope: Scope) -> Lowered:
        if isinstance(e.args[0], core.Contents):
            return self._size(e.args[0], scope)
        found = self._exactly(e.args[0], scope)
        if isinstance(found, Bits):
            return Scalar(bits.count(found), 0, found.size)
        if found.count is not None:
            return Scalar(found.count(), 0, found.most)
        total = self.b.begin(ir.i64(0), "count")
        found.each(lambda m: self.b.set(total, op("i64.add", ir.Get(total), ir.i64(1))))
        return Scalar(ir.Get(total), 0, found.most)

    def _exactly(self, e: core.Expr, scope: Scope) -> Bits | Members:
        """The members, each once, where they are only counted."""
        if few.are_few(self, e, scope):
            found = few.members(self, e, scope)
            if not found.loose:
                return found
        return self.exact(e, scope)

    def _sum(self, e: core.Builtin, scope: Scope) -> Lowered:
        found = self.exact(e.args[0], scope)
        if not isinstance(found, Members) or element(e.args[0].type) != NUMBER:
            raise missing(f"the sum of a {e.args[0].type}", scope)
        b, total = self.b, self.b.begin(ir.i64(0), "sum")

        def add(member: Lowered) -> None:
            assert isinstance(member, Scalar)
            before = plain_scalar(self.setup, NUMBER, b.keep(ir.Get(total)))
            inner = Scope({}, scope.clause, scope.line)
            made = arithmetic.add_or_ask(self.program, b, before, member, inner)
            b.set(total, made.code)

        found.each(add)
        return plain_scalar(self.setup, NUMBER, ir.Get(total))

    def _extreme(self, e: core.Builtin, scope: Scope) -> Lowered:
        """The largest or smallest of numbers; 0 if there are none."""
        found = self.members(e.args[0], scope)
        if not isinstance(found, Members) or element(e.args[0].type) != NUMBER:
            raise missing(f"the {e.name} of a {e.args[0].type}", scope)
        b, top, some = self.b, self.b.begin(ir.i64(0)), self.b.begin(ir.i32(0))

        def take(member: Lowered) -> None:
            assert isinstance(member, Scalar)
            key = b.keep(member.code)
            better = op("i64.gt_s" if e.name == "largest" else "i64.lt_s", key, ir.Get(top))
            with b.when(op("i32.or", op("i32.eqz", ir.Get(some)), better)):
                b.set(top, key)
                b.set(some, ir.i32(1))

        found.each(take)
        return plain_scalar(self.setup, NUMBER, ir.Get(top))

    def _empty(self, e: core.Builtin, scope: Scope) -> Lowered:
        if isinstance(e.args[0], core.Contents):
            return Scalar(op("i64.eqz", self._size(e.args[0], scope).code), 0, 1)
        if few.are_few(self, e.args[0], scope):
            found: Bits | Members = few.members(self, e.args[0], scope)
        else:
            found = self.settled(e.args[0], scope)
        if isinstance(found, Bits):
            return Scalar(ir.negated(bits.some(found)), 0, 1)
        if found.faulty:
            raise missing(f"is a {e.args[0].type} empty", scope)
        none = self.b.begin(ir.i32(1), "empty")
        with self.b.block() as out:

            def one(member: Lowered) -> None:
                self.b.set(none, ir.i32(0))
                self.b.jump(out)

            found.each(one)
        return Scalar(ir.Get(none), 0, 1)

    def _ever(self, e: core.Builtin, scope: Scope) -> Lowered:
        """Has this latch come true? Of an end play is over."""
        name, names = e.args[0], [latch.name for latch in self.ruleset.latches]
        assert isinstance(name, core.Const)
        if name.value not in names:
            return Scalar(ir.i32(0), 0, 0)
        number = names.index(name.value)
        held = ir.load("i64.load", ir.i32(0), self.program.layout.ever + 8 * (number // 64))
        shifted = op("i64.shr_u", held, ir.i64(number % 64))
        return Scalar(op("i32.wrap_i64", op("i64.and", shifted, ir.i64(1))), 0, 1)

    def _first_word(self, e: core.Builtin, scope: Scope) -> Lowered:
        return self.first_of(e.args[0], e.type, scope)

    def _last_word(self, e: core.Builtin, scope: Scope) -> Lowered:
        laying = self.value(e.args[0], scope)
        if isinstance(laying, Scalar):
            board, code = board_words.grown_under(self, e.args[0]), self.b.keep(laying.code)
            last = self.shared.pieces.growing.last(self.b, board, code)
            if laying.low >= 0:
                return Scalar(last, 0, board.ground.size("cell") - 1)
            raise missing(f"the last of a {e.args[0].type}", scope)
        found = self.exact(e.args[0], scope)
        if isinstance(found, Bits):
            return Scalar(bits.last(found), NONE, found.size - 1)
        if found.backwards is None or found.faulty or scalar_type(e.type) is not ir.Ty.I32:
            raise missing(f"the last of a {e.args[0].type}", scope)
        return self._first_met(found.backwards, e.type, scope)

    def _first_met(self, loop: Loop, t: Type, scope: Scope) -> Lowered:
        """The first member that a loop comes to, or none."""
        result = self.b.begin(ir.i32(NONE), "first")
        with self.b.block() as out:

            def take(member: Lowered) -> None:
                self.give(result, member, scope)
                self.b.jump(out)

            loop(take)
        return self.held(OptionalT(non_optional(t)), result)

    def _top(self, e: core.Builtin, scope: Scope) -> Lowered:
        """The first of a pile, and of what lies on a site the last that was laid there."""
        pile = e.args[0]
        if not isinstance(pile, core.Builtin) or pile.name != "on":
            return self._first_word(e, scope)
        layer = board_words.layer_read(self, pile)
        return self.shared.pieces.on(layer, self.index(pile.args[0], scope))

    def _joined_word(self, e: core.Builtin, scope: Scope) -> Lowered:
        """The union of sets."""
        found, item = self.members(e.args[0], scope), element(e.type)  # of lists, too, it is a set
        if isinstance(found, Members) and self.family_size(e.type):
            return self._all_sets(found, e, scope)
        if not isinstance(found, Members) or item is None or not is_index(item):
            raise missing(f"the union of a {e.args[0].type}", scope)

        def each(body: Callable[[Lowered], None]) -> None:
            def one(inner: Lowered) -> None:
                if isinstance(inner, Scalar | Lane):
                    raise missing(f"the union of a {e.args[0].type}", scope)
                self.each(inner, body)

            found.each(one)

        if not narrow(self.setup, item):
            return Members(each, LARGEST, faulty=found.faulty, loose=True)
        return self._union(found, item, each)

    def _all_sets(self, found: Members, e: core.Builtin, scope: Scope) -> Members:
        """The sets of all families."""

        def each(body: Callable[[Lowered], None]) -> None:
            def one(inner: Lowered) -> None:
                if not isinstance(inner, Members):
                    raise missing(f"the union of a {e.args[0].type}", scope)
                inner.each(body)

            found.each(one)

        return Members(each, found.most, faulty=found.faulty, loose=True)

    def _union(
        self, found: Members, item: Type, each: Callable[[Callable[[Lowered], None]], None]
    ) -> Lowered:
        """The union in registers, where every set is: else member by member."""
        made = Gathering(self.program, self.b, size_of(self.setup, item))

        def one(member: Lowered) -> None:
            assert isinstance(member, Scalar)
            made.add(member.code)

        def add(inner: Lowered) -> None:
            if isinstance(inner, Bits):
                made.add_all(inner)
            else:
                assert isinstance(inner, Members)
                inner.each(one)

        found.each(add)
        return made.found()

    def _pair(self, e: core.Builtin, scope: Scope) -> Lowered:
        if not isinstance(e.type, PairT):
            raise missing(f"a pair of the type {e.type}", scope)
        first, second = (self.index(arg, scope) for arg in e.args)
        sizes = [size_of(self.setup, t) for t in parts_of_pair(self.setup, e.type)]
        code = op("i32.add", op("i32.mul", first.code, ir.i32(sizes[1])), second.code)
        if any(side.high >= size for side, size in zip((first, second), sizes, strict=True)):
            raise missing("a pair with a player named in the rules", scope)
        if first.low < 0 or second.low < 0:
            either = op("i32.or", first.code, second.code)  # negative if one of them is
            code = ir.Select(op("i32.lt_s", either, ir.i32(0)), ir.i32(NONE), code)
            return Scalar(code, NONE, sizes[0] * sizes[1] - 1)
        return Scalar(code, 0, sizes[0] * sizes[1] - 1)


def _is_member(var: str, domain: core.Expr, part: core.Expr) -> bool:
    """Does a condition say of a member of a set that it is in that set?"""
    return (
        isinstance(part, core.Member)
        and isinstance(part.item, core.Var)
        and part.item.name == var
        and part.of == domain
    )


def only_case(known: Definition) -> Case | None:
    """The case of a definition that has a single one and no condition."""
    only = known.cases[0]
    return only if len(known.cases) == 1 and only.cond is None and not only.slot else None


def joined(parts: tuple[core.Expr, ...]) -> core.Expr:
    """All of these conditions."""
    return parts[0] if len(parts) == 1 else core.All(parts, type=TRUTH)


def same(a: Lowered, b: Lowered, scope: Scope) -> Code:
    """Are both the same value?"""
    if isinstance(a, Bits) and isinstance(b, Bits):
        return bits.equal(a, b)
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        ty = ir.ty_of(a.code)
        if ty is ir.ty_of(b.code):
            return op(f"{ty.value}.eq", a.code, b.code)
    raise missing("comparing such values", scope)


def _index_of(say: Expressions, found: Lowered, scope: Scope) -> Code:
    if not isinstance(found, Scalar):
        raise missing("a relation between sets", scope)
    return say.b.keep(found.code)


def _linking(shared: Shared, related: core.Apply, table: int, size: int) -> ir.Function:
    """A function of the words of a set: writes for each member a row of those it is linked to.

    It looks at more pairs than the reference, so a fault among them is left to that.
    """
    words = words_of(size)
    params = [ir.Register(ir.Ty.I64, "set") for _ in range(words)]
    function = shared.program.function(f"link_by_{related.define}", params, [])
    b = Builder(function, asking=True)
    say, space = Expressions(shared, b), Bits(tuple(map(ir.Get, params)), size)
    scope = Scope({}, shared.program.ruleset.definitions[related.define].clause)
    nothing = bits_of(frozenset(), size)

    def row(member: Scalar) -> Code:
        return b.keep(op("i32.mul", member.code, ir.i32(8 * words)))

    def related_to(x: Scalar) -> None:
        x = Scalar(b.keep(x.code), x.low, x.high)
        shared.program.visit(b, bits.count(space))
        inner = scope.naming("x", x)
        found, left = say.narrowed("y", space, (related,), inner)
        if left:
            found = say.tested("y", found, left, inner)
        found = bits.kept(b, found)
        mine = row(x)
        held = bits.load(mine, words, size, table)
        bits.store(b, bits.kept(b, bits.combined("or", held, found)), mine, table)

        def back(y: Scalar) -> None:
            word = op("i32.mul", op("i32.shr_u", x.code, ir.i32(6)), ir.i32(8))
            at = b.keep(op("i32.add", row(y), word))
            more = op("i64.or", ir.load("i64.load", at, table), bits.one_bit(x.code))
            b.store("i64.store", at, table, more)

        bits.each_member(b, found, back)

    bits.each_member(b, space, lambda member: bits.store(b, nothing, row(member), table))
    bits.each_member(b, space, related_to)
    return function


def _spreading(program: Program, table: int, size: int) -> ir.Function:
    """A function of the words of seeds and of a set: all that is connected to the seeds in it."""
    words = words_of(size)
    params = [ir.Register(ir.Ty.I64, name) for name in ("seed", "set") for _ in range(words)]
    function = program.function("spread_from", params, [ir.Ty.I64] * words)
    b = Builder(function)
    seen, space = params[:words], params[words:]
    edge = [b.begin(ir.Get(register), "edge") for register in seen]
    left = [b.begin(ir.Get(register), "left") for register in space]
    for register, seed in zip(left, seen, strict=True):
        b.set(register, op("i64.and", ir.Get(register), op("i64.xor", ir.Get(seed), ir.i64(-1))))
    with b.block() as done, b.loop() as again:
        here = Bits(tuple(map(ir.Get, edge)), size)
        b.jump(done, ir.negated(bits.some(here)))
        item = b.keep(bits.first(here))
        one = bits.single(item, size, words)
        near = bits.load(b.keep(op("i32.mul", item, ir.i32(8 * words))), words, size, table)
        free = Bits(tuple(map(ir.Get, left)), size)
        fresh = bits.kept(b, bits.combined("and", near, free))
        rest = bits.kept(b, bits.combined("or", bits.without(here, one), fresh))
        for at in range(words):
            b.set(edge[at], rest.words[at])
            b.set(seen[at], op("i64.or", ir.Get(seen[at]), fresh.words[at]))
            b.set(left[at], op("i64.xor", ir.Get(left[at]), fresh.words[at]))
        b.jump(again)
    b.leave(*map(ir.Get, seen))
    return function


WORDS: dict[str, Callable[[Expressions, core.Builtin, Scope], Lowered]] = {
    "count": Expressions._number_of,
    "sum": Expressions._sum,
    "largest": Expressions._extreme,
    "smallest": Expressions._extreme,
    "empty": Expressions._empty,
    "first": Expressions._first_word,
    "last": Expressions._last_word,
    "joined": Expressions._joined_word,
    "top": Expressions._top,
    "ever": Expressions._ever,
    "holder": Expressions._holder,
    "pair": Expressions._pair,
    "board": board_words.the_board,
    "board_of": board_words.the_board,
    "on": board_words.on,
    "site": board_words.site,
    "sites": board_words.sites,
    "board_pieces": board_words.board_pieces,
}

# The same for words that stand in tables unless they are asked of sets.
WORDS_OF_SETS: dict[str, Callable[[Expressions, core.Builtin, Scope], Lowered]] = {
    "distance_across": board_words.across,
    "cells_within": board_words.within,
    "neighbors": board_words.around,
    "surroundings": board_words.around,
    "sides": board_words.sides,
    "inner_sides": board_words.sides,
    "outer_sides": board_words.sides,
    "adjacent": board_words.adjacent,
    "touches_corner": board_words.adjacent,
}

# How a condition is made of jumps; what is not among them is worked out as a truth.
JUMPS: dict[type[core.Expr], Callable[[Expressions, Never, Scope, Goal], None]] = {
    core.Not: Expressions._jump_not,
    core.All: Expressions._jump_all,
    core.Any: Expressions._jump_any,
    core.IfElse: Expressions._jump_if,
    core.Apply: Expressions._jump_apply,
    core.Accepts: Expressions._jump_accepts,
    core.Exists: Expressions._jump_exists,
    core.Forall: Expressions._jump_forall,
}

# What each class of expression means; a test holds it against all classes of the core.
MEANINGS: dict[type[core.Expr], Callable[[Expressions, Never, Scope], Lowered]] = {
    core.Const: Expressions._const,
    core.Var: Expressions._var,
    core.Setting: Expressions._known_only,
    core.Read: Expressions._read,
    core.Attribute: Expressions._attribute,
    core.Contents: Expressions._contents,
    core.Titled: Expressions._known_only,
    core.Builtin: Expressions._builtin,
    core.Apply: Expressions._apply,
    core.Total: Expressions._total,
    core.Arith: Expressions._arith,
    core.IfElse: Expressions._if_else,
    core.Compare: Expressions._compare,
    core.Member: Expressions._member,
    core.Not: Expressions._by_jumps,
    core.All: Expressions._by_jumps,
    core.Any: Expressions._by_jumps,
    core.Exists: Expressions._by_jumps,
    core.Forall: Expressions._by_jumps,
    core.Accepts: Expressions._by_jumps,
    core.SetOf: Expressions._set_of,
    core.SetOp: Expressions._set_op,
    core.Range: Expressions._range,
    core.Filter: Expressions._filter,
    core.Image: Expressions._image,
    core.Best: Expressions._best,
    core.Pick: Expressions._pick,
    core.Stable: Expressions._stable,
    core.Groups: Expressions._groups,
    core.Reach: Expressions._reach,
    core.At: Expressions._at,
    core.Slot: Expressions._known_only,
}
