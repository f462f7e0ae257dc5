"""Conditions held against each other: which can never hold together, whatever lies on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulelang import core
from rulelang.analysis.partial_eval import Certain
from rulelang.analysis.subset import Inclusion, normal, normal_contraries, parts
from rulelang.analysis.unknowns import OPEN, Copy, Env
from rulelang.core.identity import IdentityMap
from rulelang.core.types import NUMBER, TRUTH, KindT, OptionalT, PieceT
from rulelang.queries.database import Recorded
from rulelang.ruleset.inline import Inliner

MOST_WAYS = (
    64  # ways that conditions leave which are gone through; where there are more, they may hold
)
MOST_DEEP = 3  # questions within questions
_FAR = 10**9
_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SIGNS = {"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}}


@dataclass(frozen=True)
class Facts:
    """What a condition without parts says: of values, what they may be; of sets, how many are in
    them; of things, which sets they are in.
    """

    form: core.Expr
    contrary: core.Expr
    false: bool  # is it never so, whatever else is?
    values: tuple[tuple[object, frozenset[object]], ...] = ()  # of a value, which of few it may be
    bounds: tuple[tuple[core.Expr, int, int], ...] = ()  # of a number, between which it lies
    amounts: tuple[
        tuple[core.Expr, int, int], ...
    ] = ()  # of a set, between which the number of its members lies
    members: tuple[tuple[core.Expr, core.Expr, bool], ...] = ()  # what is, or is not, among which


class Entailment:
    """Decides which conditions can never hold together; those it cannot decide may.

    It knows contraries, values that leave each other nothing, amounts out of each other's reach,
    and sets that are among others.
    """

    def __init__(self, certain: Certain) -> None:
        """What is certain of a condition by itself comes first."""
        self.certain, self.rules = certain, certain.rules
        self.inclusion = Inclusion(certain, self._inner)
        # By which object: it is kept, so that no other takes its place.
        self.made: IdentityMap[core.Expr, dict[str, Recorded[core.Expr]]] = IdentityMap()
        self.known: IdentityMap[core.Expr, dict[str, Facts]] = IdentityMap()
        self.forms: IdentityMap[core.Expr, tuple[core.Expr, core.Expr]] = IdentityMap()
        self.ways = self.deep = 0

    def never(self, conds: Iterable[core.Expr], env: Env) -> bool:
        """Can the conditions never hold together, with what is known of the names in them?"""
        self.ways, self.deep = MOST_WAYS, 0
        return self._never([self._ready(cond, env) for cond in conds], env)

    def _inner(self, conds: list[core.Expr], env: Env) -> bool:
        """The same, asked on the way to an answer."""
        if self.deep >= MOST_DEEP:
            return False
        self.deep += 1
        found = self._never([_plain(cond) for cond in conds], env)
        self.deep -= 1
        return found

    def _ready(self, e: core.Expr, env: Env) -> core.Expr:
        """The condition written out, with one name for what is known to be one piece."""
        first: dict[str, str] = {}
        for name, value in env.items():
            if isinstance(value, Copy) and value.name:
                first.setdefault(value.name, name)
        same: dict[str, core.Expr] = {
            name: core.Var(first[value.name], type=PieceT(value.design.component))
            for name, value in env.items()
            if isinstance(value, Copy) and value.name and first[value.name] != name
        }
        made, key = self.made.setdefault(e, {}), repr(same)
        if key not in made:
            made[key] = self.certain.others.database.recorded(
                lambda: _plain(Inliner(self.rules, lambda name: True).tree(e, same))
            )
        return self.certain.others.database.rest_on(made[key])

    def _never(self, conds: list[core.Expr], env: Env) -> bool:
        flat = [part for cond in conds for part in parts(cond)]
        ways = sorted(
            (part for part in flat if isinstance(part, core.Any)), key=lambda way: len(way.of)
        )
        if self._clash([part for part in flat if not isinstance(part, core.Any)], env):
            return True
        self.ways -= len(ways[0].of) if ways else 0
        if not ways or self.ways < 0:
            return False
        rest = [part for part in flat if part is not ways[0]]
        return all(self._never([option, *rest], env) for option in ways[0].of)

    def _clash(self, atoms: list[core.Expr], env: Env) -> bool:
        """Do conditions without parts exclude each other?"""
        said = [self._facts(atom, env) for atom in atoms]
        forms = {facts.form for facts in said}
        if any(facts.false or facts.contrary in forms for facts in said):
            return True
        return (
            _no_value_left(said)
            or _no_number_left(said)
            or self._amounts_clash(said, env)
            or self._members_clash(said, env)
        )

    def _amounts_clash(self, said: list[Facts], env: Env) -> bool:
        """Are there more of some things than there may be of what they are among?"""
        amounts = [fact for facts in said for fact in facts.amounts]
        return any(
            one[1] > two[2] and self.inclusion.within(one[0], two[0], env)
            for one in amounts
            for two in amounts
        )

    def _members_clash(self, said: list[Facts], env: Env) -> bool:
        """Is something in a set, but not in one that includes it?"""
        members = [fact for facts in said for fact in facts.members]
        return any(
            here and not there and item == other and self.inclusion.within(some, all_, env)
            for item, some, here in members
            for other, all_, there in members
        )

    # ------------------------------------------------------------------------ what a condition says
    def _facts(self, e: core.Expr, env: Env) -> Facts:
        known = self.known.setdefault(e, {})
        copies = ((name, value) for name, value in env.items() if isinstance(value, Copy))
        key = " ".join(f"{name}:{value.design.clause}" for name, value in copies)
        if key not in known:
            values = tuple(self._values(e, env)) if isinstance(e, core.Compare) else ()
            bounds = tuple(self._bounds(e, env)) if isinstance(e, core.Compare) else ()
            inner = e.of if isinstance(e, core.Not) else e
            if isinstance(inner, core.Member):
                values = tuple(self._listed(inner, env, held=inner is e))
            members = (
                ((normal(inner.item), inner.of, inner is e),)
                if isinstance(inner, core.Member)
                else ()
            )
            false = self.certain.truth(e, env) is False
            amounts = tuple(self._amounts(e, env))
            known[key] = Facts(*self._forms(e), false, values, bounds, amounts, members)
        return known[key]

    def _forms(self, e: core.Expr) -> tuple[core.Expr, core.Expr]:
        """The canonical forms of a condition and of its contrary, whatever its names are."""
        return self.forms.get(e) or self.forms.keep(e, normal_contraries(e))

    def _number(self, e: core.Expr, env: Env) -> int | None:
        """A number, or the place of a member in its kind, if it is certain."""
        found = (
            self.certain.known(e, env)
            if isinstance(e, core.Const | core.Attribute | core.Arith | core.Var)
            else OPEN
        )
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def _told(self, e: core.Compare, env: Env) -> tuple[str, core.Expr, int] | None:
        """An open value held against a certain one."""
        left, right = self._number(e.left, env), self._number(e.right, env)
        if left is None and right is not None:
            return e.op, e.left, right
        return (
            (_TURNED.get(e.op, e.op), e.right, left) if left is not None and right is None else None
        )

    def _values(self, e: core.Compare, env: Env) -> Iterator[tuple[object, frozenset[object]]]:
        """Which values it leaves a member of a kind, and which of two open values is the larger."""
        told = self._told(e, env)
        if told is not None:
            op, term, n = told
            every = self._members(term)
            if every is not None:
                yield (
                    normal(term),
                    frozenset(
                        m
                        for m in every
                        if (m is None and op == "!=")
                        or (m is not None and _sign(m, n) in _SIGNS[op])
                    ),
                )
        elif self._number(e.left, env) is None:
            one, two = normal(e.left), normal(e.right)
            turned = repr(one) > repr(two)
            yield (
                ((two, one) if turned else (one, two)),
                frozenset(-sign if turned else sign for sign in _SIGNS[e.op]),
            )

    def _listed(
        self, e: core.Member, env: Env, held: bool
    ) -> Iterator[tuple[object, frozenset[object]]]:
        """Which members of a kind a list leaves, or a list of what it is not."""
        every = self._members(e.item)
        listed = (
            [self._number(item, env) for item in e.of.items]
            if isinstance(e.of, core.SetOf)
            else [None]
        )
        if every is not None and None not in listed:
            yield normal(e.item), frozenset(m for m in every if (m in listed) == held)

    def _members(self, term: core.Expr) -> list[int | None] | None:
        """What an open value of a kind may be; none among it, if it may be none."""
        t = term.type.of if isinstance(term.type, OptionalT) else term.type
        kind = self.rules.kinds.get(t.name) if isinstance(t, KindT) else None
        if kind is None:
            return None
        return [*range(len(kind.members)), *([] if _is_there(term) else [None])]

    def _bounds(self, e: core.Compare, env: Env) -> Iterator[tuple[core.Expr, int, int]]:
        told = self._told(e, env)
        if told is not None and told[1].type == NUMBER and told[0] != "!=":
            yield normal(told[1]), *_between(told[0], told[2])

    def _amounts(self, e: core.Expr, env: Env) -> Iterator[tuple[core.Expr, int, int]]:
        """What a condition says of how many there are of something."""
        low, high = 1, _FAR
        if isinstance(e, core.Not):
            low, high, e = 0, 0, e.of
        if isinstance(e, core.Exists):
            yield _those(e), low, high
        elif isinstance(e, core.Builtin) and e.name == "empty":
            yield (e.args[0], 0, 0) if low else (e.args[0], 1, _FAR)
        elif isinstance(e, core.Member) and low:
            yield e.of, 1, _FAR
        elif isinstance(e, core.Compare) and low:
            told = self._told(e, env)
            if (
                told is not None
                and told[0] != "!="
                and isinstance(told[1], core.Builtin)
                and told[1].name == "count"
            ):
                yield told[1].args[0], *_between(told[0], told[2])


def _no_value_left(said: list[Facts]) -> bool:
    """Is there something that can have none of its values?"""
    left: dict[object, frozenset[object]] = {}
    for key, allowed in (fact for facts in said for fact in facts.values):
        left[key] = left.get(key, allowed) & allowed
    return not all(left.values())


def _no_number_left(said: list[Facts]) -> bool:
    """Is there a number that must be more than it may be?"""
    low: dict[core.Expr, int] = {}
    high: dict[core.Expr, int] = {}
    for term, least, most in (fact for facts in said for fact in facts.bounds):
        low[term] = max(least, low.get(term, least))
        high[term] = min(most, high.get(term, most))
    return any(low[term] > high[term] for term in low)


def _plain(e: core.Expr, held: bool = True) -> core.Expr:
    """The condition (or its contrary) with `not` only before what has no parts."""
    if isinstance(e, core.Not):
        return _plain(e.of, not held)
    if isinstance(e, core.All | core.Any):
        same = isinstance(e, core.All) == held
        made = tuple(_plain(part, held) for part in e.of)
        return core.All(made, type=TRUTH) if same else core.Any(made, type=TRUTH)
    if isinstance(e, core.Forall):
        return _plain(core.Exists(e.var, e.domain, _plain(e.cond, False), type=TRUTH), not held)
    if (
        isinstance(e, core.Compare)
        and not held
        and (
            e.op in ("=", "!=")
            or e.left.type == NUMBER
            or (_is_there(e.left) and _is_there(e.right))
        )
    ):
        return core.Compare(_FLIPPED[e.op], e.left, e.right, type=TRUTH, span=e.span)
    return e if held else core.Not(e, type=TRUTH)


def _is_there(e: core.Expr) -> bool:
    """Is it a member of a kind in every position, and never none?"""
    if not isinstance(e.type, KindT) or (
        isinstance(e, core.Attribute)
        and not (isinstance(e.of, core.Var) and isinstance(e.of.type, PieceT))
    ):
        return False
    return isinstance(e, core.Read | core.Attribute | core.Var) or (
        isinstance(e, core.Const) and e.value is not None
    )


def _between(op: str, n: int) -> tuple[int, int]:
    """The bounds of a number held against a certain one."""
    return {
        "=": (n, n),
        ">=": (n, _FAR),
        ">": (n + 1, _FAR),
        "<=": (-_FAR, n),
        "<": (-_FAR, n - 1),
    }[op]


def _sign(one: int, two: int) -> int:
    return (one > two) - (one < two)


def _those(e: core.Exists) -> core.Expr:
    """All of which there must be some."""
    whole = isinstance(e.cond, core.Const) and e.cond.value is True
    return e.domain if whole else core.Filter(e.var, e.domain, e.cond, type=e.domain.type)
