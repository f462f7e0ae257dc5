"""What is certain of a condition from what is printed alone: always so, never so, or open until
somebody plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Never

from rulelang import core
from rulelang.analysis.card_deps import BORNE, CALLED, TITLE, Others
from rulelang.analysis.unknowns import (
    OPEN,
    Copy,
    Env,
    Known,
    Later,
    Truth,
    contrary,
    elsewhen,
    every,
    same,
)
from rulelang.core.types import TRUTH, KindT, PieceT, Type, element, non_optional
from rulelang.core.values import Value
from rulelang.diagnostics.english import unmarked
from rulelang.ruleset import Definition, Design, Extension, Noun, Ruleset

Params = tuple[tuple[str, Type], ...]  # of a definition

MOST_STEPS = 20_000  # of one question; what takes more stays open
MANY_STEPS = MOST_STEPS // 2


class AtAGlance:
    """What designs show at a glance: their titles, and the members of kinds printed on them."""

    def __init__(self, designs: Iterable[Design]) -> None:
        """Look at these designs."""
        self.designs = tuple(designs)
        self.by_clause = {design.clause: design for design in self.designs}
        self._titles = [design.title.lower() for design in self.designs]
        self._known: dict[str, Sequence[int]] = {}  # memo: places by a text in titles
        self._bearing: dict[str, dict[int, list[int]]] = {}  # by field and member: designs by place

    def likely_first(self, nouns: Sequence[Noun]) -> Iterator[Design]:
        """The designs, first those that show by title or field what a noun names."""
        return map(self.designs.__getitem__, self.order(nouns))

    def order(self, nouns: Sequence[Noun]) -> Iterator[int]:
        """Their places in the same order: of many designs mostly the first few are asked for."""
        likely: set[int] = set()
        for noun in nouns:
            likely.update(self._titled(noun.text.lower()))
            for member in noun.members if noun.field else ():
                likely.update(self._borne_in(noun.field).get(member, ()))
        yield from sorted(likely)
        yield from (place for place in range(len(self.designs)) if place not in likely)

    def _borne_in(self, field: str) -> Mapping[int, Sequence[int]]:
        """The places of the designs on which a field has each member of a kind."""
        if field not in self._bearing:
            found = self._bearing[field] = dict[int, list[int]]()
            for place, design in enumerate(self.designs):
                for member in _members_printed(dict(design.values).get(field)):
                    found.setdefault(member, []).append(place)
        return self._bearing[field]

    def _titled(self, text: str) -> Sequence[int]:
        """The places of the designs in whose titles a text stands."""
        if text not in self._known:
            self._known[text] = [n for n, title in enumerate(self._titles) if text in title]
        return self._known[text]


def _members_printed(value: Value) -> Iterable[int]:
    """The members of a kind that a printed value may be; none where nothing is printed."""
    if isinstance(value, frozenset):
        return (member for member in value if isinstance(member, int))
    return (value,) if isinstance(value, int) else ()


class Tired(Exception):
    """The question takes too long."""


class Certain:
    """Judges conditions by designs, kinds and what cards say of themselves; whatever the table
    holds is open.
    """

    def __init__(
        self, rules: Ruleset, growing: frozenset[str] = frozenset(), others: Others | None = None
    ) -> None:
        """The rules are compiled and have no circles; of components that are `growing` variants may
        bring further cards. `others` is where cards are asked for, where that is recorded.
        """
        self.rules, self.growing, self.steps = rules, growing, 0
        self.others = Others(rules) if others is None else others
        # By node class; a class that is not here is open in every position.
        self.methods: dict[type[core.Expr], Callable[[Never, Env], Known]] = {
            core.Attribute: self._attribute,
            core.Builtin: self._builtin,
            core.Arith: self._arith,
            core.At: self._at,
            core.IfElse: self._ifelse,
            core.Apply: self._apply,
            core.Compare: self._compare,
            core.Member: self._member,
            core.Not: self._not,
            core.All: self._all,
            core.Any: self._any,
            core.Exists: self._exists,
            core.Forall: self._forall,
        }
        # By the class of a set whose parts say what is in it; of others their value does.
        self.containing: dict[type[core.Expr], Callable[[Known, Never, Env], Truth]] = {
            core.Filter: self._within_filter,
            core.Titled: self._bears_title,
            core.SetOp: self._within_joined,
            core.SetOf: self._among_listed,
            core.Builtin: self._within_builtin,
            core.Apply: self._within_definition,
        }
        self.printed: dict[str, tuple[Design, Mapping[str, Value]]] = {}  # by clause
        self.copies: dict[str, tuple[Copy, ...]] = {}  # by component
        self.nouns: tuple[Noun, ...] = ()  # that are expected
        self.shown: dict[str, AtAGlance] = {}  # by component
        # By definition: its parameters, and whether each is a set.
        self.params: dict[str, tuple[tuple[str, bool], ...]] = {}
        self.titles: dict[str, frozenset[str]] = {
            d.clause: frozenset([d.title.lower(), unmarked(d.title).lower()]) for d in rules.designs
        }

    def truth(self, e: core.Expr, env: Env) -> bool | None:
        """Is the condition always so, never so, or (none) open? What takes too long is open."""
        found = self.known(e, env)
        return found if isinstance(found, bool) else None

    def known(self, e: core.Expr, env: Env) -> Known:
        """The value in every position, or OPEN; what takes too long is open."""
        self.steps = 0
        try:
            return self.value(e, env)
        except Tired:
            return OPEN
        finally:
            if self.steps > MANY_STEPS:  # with a few designs more there may be too many
                self.others.tell_apart()

    def nothing(self, e: core.Expr, env: Env) -> bool:
        """Has the set never any members?"""
        return self.truth(core.Builtin("empty", (e,), type=TRUTH), env) is True

    # --------------------------------------------------------------------------------------- values
    def value(self, e: core.Expr, env: Env) -> Known:
        """The value of an expression, or OPEN."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Tired
        if type(e) is core.Var:  # nearly half of all that is asked
            return env.get(e.name, OPEN)
        if type(e) is core.Const:
            return e.value
        method = self.methods.get(type(e))
        if method is None:
            return OPEN
        return method(e, env)  # type: ignore[arg-type]  # it stands under the class that it takes

    def _attribute(self, e: core.Attribute, env: Env) -> Known:
        of = self.value(e.of, env)
        if isinstance(of, Copy) and not of.name:  # it is not the card that is judged
            self.others.look(of.design, e.name)
        return self._printed(of.design).get(e.name, OPEN) if isinstance(of, Copy) else OPEN

    def _printed(self, design: Design) -> Mapping[str, Value]:
        """What is printed on a design."""
        known = self.printed.get(design.clause)
        if known is None or known[0] is not design:
            known = self.printed[design.clause] = (design, dict(design.values))
        return known[1]

    def _builtin(self, e: core.Builtin, env: Env) -> Known:
        if e.name == "title":
            of = self.value(e.args[0], env)
            t = non_optional(e.args[0].type)
            if isinstance(of, Copy):
                if not of.name:
                    self.others.look(of.design, TITLE)
                return unmarked(of.design.title)
            return (
                self.rules.kinds[t.name].words[of][0]
                if isinstance(t, KindT) and isinstance(of, int) and t.name in self.rules.kinds
                else OPEN
            )
        if e.name in ("empty", "count") and element(e.args[0].type) is not None:
            none = self.none(e.args[0], env)
            return OPEN if none is None else none if e.name == "empty" else 0 if none else OPEN
        return OPEN

    def _arith(self, e: core.Arith, env: Env) -> Known:
        left, right = self.value(e.left, env), self.value(e.right, env)
        if e.op == "*" and 0 in (left, right):
            return 0
        if not isinstance(left, int) or not isinstance(right, int) or e.op not in "+-*":
            return OPEN
        return {"+": left + right, "-": left - right, "*": left * right}[e.op]

    def _at(self, e: core.At, env: Env) -> Known:
        """What is known of all positions is known of another, too."""
        return self.value(e.body, {name: elsewhen(value) for name, value in env.items()})

    def _ifelse(self, e: core.IfElse, env: Env) -> Known:
        cond = self.value(e.cond, env)
        return OPEN if cond is OPEN else self.value(e.then if cond else e.other, env)

    def _apply(self, e: core.Apply, env: Env) -> Known:
        known = self.rules.definitions.get(e.define)
        if known is None:
            return OPEN
        inner = self._given(known, e, env)
        for case in known.cases:
            if case.slot is not None:
                found = self._added(e.define, case.slot, known.params, inner)
                if found is not None:
                    return found[0]
                continue
            cond = True if case.cond is None else self.value(case.cond, inner)
            if cond is OPEN:
                return OPEN
            if cond and case.value is not None:
                return self.value(case.value, inner)
        return OPEN

    def _given(self, known: Definition, e: core.Apply, env: Env) -> Env:
        """The values a definition is told; of a set, where its members come from."""
        params = self.params.get(known.name)
        if params is None:
            params = tuple((name, element(t) is not None) for name, t in known.params)
            self.params[known.name] = params
        return {
            name: Later(arg, env) if is_set else self.value(arg, env)
            for (name, is_set), arg in zip(params, e.args, strict=True)
        }

    def _added(self, define: str, slot: str, params: Params, inner: Env) -> tuple[Known] | None:
        """What cards' texts make of a definition there; none if no text says anything."""
        played = next((name for name, t in params if isinstance(non_optional(t), PieceT)), None)
        bearer = inner.get(played, OPEN) if played is not None else OPEN
        design = bearer.design if isinstance(bearer, Copy) else None
        env = {**inner, "card": bearer}
        if design is None:
            some = self.others.some_added(define, slot, lambda e: self._may_apply(e, env))
            return (OPEN,) if some is not None else None
        for e in self.others.added(define, slot, design):
            for case in e.cases:
                cond = True if case.cond is None else self.value(case.cond, env)
                if cond is not False:
                    sure = cond is True and e.lifetime == "played" and case.value is not None
                    return (self.value(case.value, env) if sure and case.value else OPEN,)
        return None

    def _may_apply(self, e: Extension, env: Env) -> bool:
        """May some case of an addition hold?"""
        conds = (case.cond for case in e.cases)
        return any(cond is None or self.value(cond, env) is not False for cond in conds)

    # ----------------------------------------------------------------------------------- conditions
    def _sides(self, e: core.Compare, env: Env) -> tuple[Known, Known]:
        """The values that are compared. Of a title it is looked at whether it is the other value,
        if that is all that matters.
        """
        (left, one), (right, two) = self._side(e.left, env), self._side(e.right, env)
        for design, other in ((one, right), (two, left)):
            if design is not None:
                is_one_title = None in (one, two) and isinstance(other, str) and e.op in ("=", "!=")
                self.others.look(design, f"{CALLED}{other}" if is_one_title else TITLE)
        return left, right

    def _side(self, e: core.Expr, env: Env) -> tuple[Known, Design | None]:
        """A value that is compared, and the design whose title it is, if it is that of any."""
        if isinstance(e, core.Builtin) and e.name == "title":
            of = self.value(e.args[0], env)
            if isinstance(of, Copy) and not of.name:
                return unmarked(of.design.title), of.design
        return self.value(e, env), None

    def _compare(self, e: core.Compare, env: Env) -> Truth:
        left, right = self._sides(e, env)
        if left is OPEN or right is OPEN:
            return self._never_below(e, right)
        if isinstance(left, Copy) or isinstance(right, Copy):
            one = self._same(left, right)
            return OPEN if one is None or e.op not in ("=", "!=") else one == (e.op == "=")
        if e.op in ("=", "!="):
            return (left == right) == (e.op == "=")
        if not isinstance(left, int) or not isinstance(right, int):
            return False
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[
            e.op
        ]

    def _never_below(self, e: core.Compare, right: Known) -> Truth:
        """There are never fewer than no things."""
        if isinstance(e.left, core.Builtin) and e.left.name == "count" and isinstance(right, int):
            if (e.op == ">=" and right <= 0) or (e.op == ">" and right < 0):
                return True
            if (e.op == "<" and right <= 0) or (e.op in ("<=", "=") and right < 0):
                return False
        return OPEN

    def _member(self, e: core.Member, env: Env) -> Truth:
        item = self.value(e.item, env)
        return False if item is OPEN and self.none(e.of, env) else self.within(item, e.of, env)

    def _not(self, e: core.Not, env: Env) -> Truth:
        found = self.value(e.of, env)
        return OPEN if found is OPEN else not found

    def _all(self, e: core.All, env: Env) -> Truth:
        found: Truth = True
        for part in e.of:
            value = self.value(part, env)
            if value is False:
                return False
            if value is not True:
                found = OPEN
        return found

    def _any(self, e: core.Any, env: Env) -> Truth:
        return contrary(every(contrary(self.value(part, env)) for part in e.of))

    def _exists(self, e: core.Exists, env: Env) -> Truth:
        some: Truth = False
        for item in self.candidates(e.domain, env):
            holds = self.value(e.cond, {**env, e.var: item})
            if holds is False:
                continue
            there = self._there(item, e.domain, env)  # only now is it worth asking
            if there is False:
                continue
            if there is True and holds is True:
                return True
            some = OPEN
            if isinstance(item, Copy) or item is OPEN:
                return OPEN  # of pieces, no more than this can be known
        return some

    def _forall(self, e: core.Forall, env: Env) -> Truth:
        return contrary(self._exists(core.Exists(e.var, e.domain, core.Not(e.cond)), env))

    # ---------------------------------------------------------------------------------------- sets
    def none(self, e: core.Expr, env: Env) -> bool | None:
        """Has the set certainly no members, certainly some, or is that open?"""
        found = self._exists(core.Exists("", e, core.Const(True)), env)
        return None if found is OPEN else not found

    def candidates(self, e: core.Expr, env: Env) -> Iterator[Known]:
        """What may be in a set; a piece stands for all copies of its design."""
        item = element(e.type)
        t = non_optional(item) if item is not None else None
        if isinstance(e, core.SetOf):
            yield from (self.value(part, env) for part in e.items)
        elif isinstance(t, KindT) and t.name in self.rules.kinds:
            yield from range(len(self.rules.kinds[t.name].members))
        elif isinstance(t, PieceT):
            yield from self._likely_first(t.name)
            if t.name in self.growing:
                yield OPEN
        else:
            yield OPEN

    def expect(self, nouns: tuple[Noun, ...]) -> None:
        """Questions will name these: of pieces, those that bear such a noun are tried first.

        One piece that may be in a set leaves a question open, so that the order changes how many
        steps it takes, and so what is open for taking too many, but nothing else.
        """
        self.nouns = nouns

    def _likely_first(self, component: str) -> Iterable[Copy]:
        """A copy of each of the designs of a component, first those that bear an expected noun."""
        designs = self.others.designs(component)
        copies = self._copies(designs, component)
        if not self.nouns:
            return copies
        return map(copies.__getitem__, self._shown(component, designs).order(self.nouns))

    def _shown(self, component: str, designs: list[Design]) -> AtAGlance:
        """What the designs of a component show at a glance."""
        if component not in self.shown:
            self.shown[component] = AtAGlance(designs)
        return self.shown[component]

    def _copies(self, designs: list[Design], component: str) -> tuple[Copy, ...]:
        """A copy of each of the designs of a component."""
        if component not in self.copies:
            self.copies[component] = tuple(map(Copy, designs))
        return self.copies[component]

    def _there(self, item: Known, e: core.Expr, env: Env) -> Truth:
        """Is a candidate in the set? Whether there are copies of a design, a deck list may say."""
        if isinstance(e, core.SetOf):
            return True
        found = OPEN if item is OPEN else self.within(item, e, env)
        return OPEN if found is True and isinstance(item, Copy) else found

    def within(self, item: Known, e: core.Expr, env: Env) -> Truth:
        """Is a value in a set?"""
        self.steps += 1
        method = self.containing.get(type(e))
        if method is None:
            return self._within_value(item, e, env)
        return method(item, e, env)  # type: ignore[arg-type]  # it stands under the class it takes

    def _within_filter(self, item: Known, e: core.Filter, env: Env) -> Truth:
        """Is a value in a set, and meets a condition?"""
        among = self.within(item, e.domain, env)
        if among is False:
            return False
        holds = self.value(e.cond, {**env, e.var: item})
        if holds is False:
            return False
        return True if among is True and holds is True else OPEN

    def _within_joined(self, item: Known, e: core.SetOp, env: Env) -> Truth:
        """Is a value in a union or a difference?"""
        left = self.within(item, e.left, env)
        if left is (e.op == "+"):  # then the right decides nothing
            return left
        right = self.within(item, e.right, env)
        if e.op == "+":
            return contrary(every([contrary(left), contrary(right)]))
        return every([left, contrary(right)])

    def _same(self, one: Known, two: Known) -> bool | None:
        """Are two values one?"""
        if isinstance(one, Copy) and isinstance(two, Copy) and not (one.name or two.name):
            self.others.tell_apart()
        return same(one, two)

    def _among_listed(self, item: Known, e: core.SetOf, env: Env) -> Truth:
        """Is a value one of those that are written out?"""
        found = [self._same(item, self.value(part, env)) for part in e.items]
        return True if True in found else False if all(one is False for one in found) else OPEN

    def _within_builtin(self, item: Known, e: core.Builtin, env: Env) -> Truth:
        """Is a value in a set that a word of the language gives?"""
        return True if e.name == "all" else self._within_value(item, e, env)

    def _bears_title(self, item: Known, e: core.Titled, _: Env) -> Truth:
        """Is a value a piece of this title?"""
        if not isinstance(item, Copy):
            return OPEN
        if not item.name:
            self.others.look(item.design, f"{BORNE}{e.title.lower()}")
        return (
            item.design.component == e.component
            and e.title.lower() in self.titles[item.design.clause]
        )

    def _within_definition(self, item: Known, e: core.Apply, env: Env) -> Truth:
        """Is a value in the set that a definition gives? Open if it is not one plain expression."""
        known = self.rules.definitions.get(e.define)
        if known is None:
            return self._within_value(item, e, env)
        whole = len(known.cases) == 1 and known.cases[0].cond is None
        value = known.cases[0].value if whole else None
        return OPEN if value is None else self.within(item, value, self._given(known, e, env))

    def _within_value(self, item: Known, e: core.Expr, env: Env) -> Truth:
        """Is a value in what a set comes to, or where it came to last, as far as that is known?"""
        if isinstance(item, Copy) and item.at is not None:
            there = self._lies(item.at, e)
            if there is not OPEN:
                return there
        found = self.value(e, env)
        if isinstance(found, Later):
            return self.within(item, found.expr, found.env)
        if not isinstance(found, frozenset | tuple):
            return OPEN
        return OPEN if found and (isinstance(item, Copy) or item is OPEN) else item in found

    def _lies(self, at: tuple[str, str], e: core.Expr) -> Truth:
        """Is a place, or a board, what a piece came to?"""
        sort, name = at
        if isinstance(e, core.Contents):
            return (
                False if (sort, name) != ("place", e.place) else True if e.index is None else OPEN
            )
        if (
            isinstance(e, core.Builtin)
            and e.name == "board_pieces"
            and isinstance(e.args[0], core.Builtin)
            and e.args[0].name == "board"
        ):
            board = next(
                (
                    b
                    for b in self.rules.boards.values()
                    if isinstance(e.args[0].args[0], core.Const)
                    and b.name == e.args[0].args[0].value
                ),
                None,
            )
            return OPEN if board is None else sort == "layer" and board.layer(name) is not None
        return OPEN
