"""Sets held against each other: which are among others for certain, whatever lies on the table."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from rulelang import core
from rulelang.analysis.partial_eval import Certain
from rulelang.analysis.unknowns import Copy, Env
from rulelang.core.types import TRUTH, PieceT, SiteT, Type, element
from rulelang.queries.database import Recorded
from rulelang.ruleset import Definition
from rulelang.ruleset.inline import Inliner, substituted
from rulelang.ruleset.normalize import contraries
from rulelang.ruleset.normalize import normal as normal_form

MOST_DEEP = 12  # sets within sets

normal = functools.lru_cache(maxsize=8192)(normal_form)  # many ask for that of one condition
normal_contraries = functools.lru_cache(maxsize=8192)(contraries)

Never = Callable[[list[core.Expr], Env], bool]  # can these conditions never hold together?


class Inclusion:
    """Proves that all of some things are among others, by how both are made; what it cannot prove
    may be otherwise.
    """

    def __init__(self, certain: Certain, never: Never) -> None:
        """Of what is printed and of amounts, what is certain decides; of conditions, what can never
        hold together.
        """
        self.certain, self.rules, self.never = certain, certain.rules, never
        self.judged: dict[tuple[str, core.Expr], dict[int, Recorded[bool | None]]] = {}

    def within(self, some: core.Expr, all_: core.Expr, env: Env, deep: int = 0) -> bool:
        """Are all of some things among others?"""
        if deep > MOST_DEEP:
            return False
        if normal(some) == normal(all_) or (isinstance(all_, core.Builtin) and all_.name == "all"):
            return True
        deep += 1
        if isinstance(some, core.SetOp):
            return self.within(some.left, all_, env, deep) and (
                some.op == "-" or self.within(some.right, all_, env, deep)
            )
        return (
            self._within_chosen(some, all_, env, deep)
            or self._chosen_within(some, all_, env, deep)
            or self._made_alike(some, all_, env, deep)
            or self._by_cases(some, all_, env, deep)
            or self._by_print(some, all_)
        )

    def _within_chosen(self, some: core.Expr, all_: core.Expr, env: Env, deep: int) -> bool:
        """Are they among others that are a union, a difference, or chosen by a condition?"""
        if isinstance(all_, core.Filter):
            return self.within(some, all_.domain, env, deep) and self._all_are(some, all_, env)
        if not isinstance(all_, core.SetOp):
            return False
        left = self.within(some, all_.left, env, deep)
        if all_.op == "-":
            return left and self._apart(some, all_.right, env, deep)
        return left or self.within(some, all_.right, env, deep)

    def _chosen_within(self, some: core.Expr, all_: core.Expr, env: Env, deep: int) -> bool:
        """Are they, chosen out of a domain, among others?"""
        if isinstance(some, core.Filter) and self._occupied(some, all_):
            return True
        return isinstance(some, core.Filter | core.Best | core.Stable) and self.within(
            some.domain, all_, env, deep
        )

    # ------------------------------------------------------------------------- by how they are made
    def _made_alike(self, some: core.Expr, all_: core.Expr, env: Env, deep: int) -> bool:
        """Are they made in one way, the others of no fewer things, or as far or farther?"""
        if isinstance(some, core.SetOf) and isinstance(all_, core.SetOf):
            return {normal(item) for item in some.items} <= {normal(item) for item in all_.items}
        if isinstance(some, core.Image) and isinstance(all_, core.Image):
            there = self._renamed(all_, all_.body, some.var)
            return normal(some.body) == normal(there) and self._domains(some, all_, env, deep)
        if isinstance(some, core.Reach) and isinstance(all_, core.Reach):
            return self._reached_alike(some, all_, env, deep)
        if isinstance(some, core.Builtin) and isinstance(all_, core.Builtin):
            return self._built_alike(some, all_, env, deep)
        return False

    def _reached_alike(self, some: core.Reach, all_: core.Reach, env: Env, deep: int) -> bool:
        """Are they reached from no other seeds, no farther, and inside no more?"""
        if some.relation != all_.relation:
            return False
        nearer = all_.steps is None or (
            some.steps is not None and self._at_most(some.steps, all_.steps, env)
        )
        inside = all_.within is None or (
            some.within is not None and self.within(some.within, all_.within, env, deep)
        )
        return nearer and inside and self.within(some.seeds, all_.seeds, env, deep)

    def _built_alike(self, some: core.Builtin, all_: core.Builtin, env: Env, deep: int) -> bool:
        """The same of what built-in words give."""
        if all_.name == "joined" and isinstance(all_.args[0], core.Image):
            return self._joined(some, all_.args[0], env, deep)
        if all_.name == "cells_within":
            same = normal(some.args[0]) == normal(all_.args[0])
            if some.name == "neighbors":
                return same and self._at_most(core.Const(1), all_.args[1], env)
            alike = some.name == all_.name and normal(some.args[2]) == normal(all_.args[2])
            return same and alike and self._at_most(some.args[1], all_.args[1], env)
        return False

    def _joined(self, some: core.Builtin, all_: core.Image, env: Env, deep: int) -> bool:
        """Are they among the members of many sets?"""
        if some.name == "joined" and isinstance(some.args[0], core.Image):
            one = some.args[0]
            return self._domains(one, all_, env, deep) and self.within(
                one.body, self._renamed(all_, all_.body, one.var), env, deep
            )
        item = element(some.args[0].type) if some.name == "neighbors" else None
        if item is None or not _is_true(all_.cond):
            return False
        beside = core.Builtin(
            "neighbors", (core.Var(all_.var, type=item),), type=some.type
        )  # what is beside many is beside one of them
        return self.within(some.args[0], all_.domain, env, deep) and self.within(
            beside, all_.body, env, deep
        )

    def _domains(self, some: core.Image, all_: core.Image, env: Env, deep: int) -> bool:
        """Are they made of things that are among those the others are made of?"""
        cond = self._renamed(all_, all_.cond, some.var)
        those = (
            some.domain
            if _is_true(some.cond)
            else core.Filter(some.var, some.domain, some.cond, type=some.domain.type)
        )
        return self.within(those, all_.domain, env, deep) and self._follows([some.cond], cond, env)

    def _apart(self, some: core.Expr, others: core.Expr, env: Env, deep: int) -> bool:
        """Is none of some things among others?"""
        if isinstance(some, core.SetOp):
            taken = some.op == "-" and self.within(others, some.right, env, deep)
            return taken or (
                self._apart(some.left, others, env, deep)
                and (some.op == "-" or self._apart(some.right, others, env, deep))
            )
        if isinstance(some, core.Filter):
            met = core.Member(
                core.Var(some.var, type=element(some.type) or TRUTH), others, type=TRUTH
            )
            return self._apart(some.domain, others, env, deep) or self.never([some.cond, met], env)
        return False

    def _occupied(self, some: core.Filter, all_: core.Expr) -> bool:
        """Are they sites of a board on which something lies, among all sites of what lies on that
        board?
        """
        pieces = _covering(all_)
        name = _board_of(pieces) if pieces is not None else None
        known = self.rules.boards.get(name or "")
        if pieces is None or known is None or known.per_player:
            return False
        sites = element(some.type)
        if not isinstance(sites, SiteT) or sites.board != known.name:
            return False
        sort = element(pieces.type)
        return any(_laid(part, some.var) == sort for part in parts(some.cond))

    def _by_cases(self, some: core.Expr, all_: core.Expr, env: Env, deep: int) -> bool:
        """Is it so in every case of a definition, or of both, if the same case holds for both?"""
        ours, theirs = self._cases(some, env), self._cases(all_, env)
        if (
            ours is not None
            and theirs is not None
            and [normal(c) for c, _ in ours] == [normal(c) for c, _ in theirs]
        ):
            return all(
                self.within(one, other, env, deep)
                for (_, one), (_, other) in zip(ours, theirs, strict=True)
            )
        if ours is not None:
            return all(self.within(one, all_, env, deep) for _, one in ours)
        if theirs is not None and theirs and _is_true(theirs[-1][0]):
            return all(self.within(some, other, env, deep) for _, other in theirs)
        return False

    def _cases(self, e: core.Expr, env: Env) -> list[tuple[core.Expr, core.Expr]] | None:
        """The cases of a definition that may hold, written out; none if it is none, or cards may
        add to it.
        """
        known: Definition | None = (
            self.rules.definitions.get(e.define) if isinstance(e, core.Apply) else None
        )
        if (
            known is None
            or not isinstance(e, core.Apply)
            or any(case.slot is not None or case.value is None for case in known.cases)
        ):
            return None
        given = dict(zip([name for name, _ in known.params], e.args, strict=True))
        found: list[tuple[core.Expr, core.Expr]] = []
        for case in known.cases:
            assert case.value is not None  # asked above
            put = Inliner(self.rules, lambda name: True)
            cond = core.Const(True, type=TRUTH) if case.cond is None else put.tree(case.cond, given)
            so = self.certain.truth(cond, env)
            if so is not False:
                found.append(
                    (core.Const(True, type=TRUTH) if so else cond, put.tree(case.value, given))
                )
            if so is True:
                break
        return found

    # ---------------------------------------------------------------------- by what is said of them
    def _all_are(self, some: core.Expr, all_: core.Filter, env: Env) -> bool:
        """Does each of some things meet the condition of a set, by its own or by its print?"""
        item = element(some.type)
        if item is None:
            return False
        name = some.var if isinstance(some, core.Filter) else all_.var
        asked = parts(self._renamed(all_, all_.cond, name))
        own = list(self._said(some, name))
        return all(
            self._follows(own, part, env) or self._printed(some, own, part, name) for part in asked
        )

    def _said(self, some: core.Expr, name: str) -> Iterator[core.Expr]:
        """What is said of each of some things under a name."""
        while isinstance(some, core.Filter):
            yield from parts(self._renamed(some, some.cond, name))
            some = some.domain

    def _follows(self, known: list[core.Expr], asked: core.Expr, env: Env) -> bool:
        """Does a condition hold where others do?"""
        if _is_true(asked) or normal(asked) in [
            normal(part) for cond in known for part in parts(cond)
        ]:
            return True
        return all(self.never([*known, core.Not(part, type=TRUTH)], env) for part in parts(asked))

    def _printed(self, some: core.Expr, own: list[core.Expr], asked: core.Expr, name: str) -> bool:
        """Is it printed on every piece that may be one of some things?"""
        item = element(some.type)
        if not isinstance(item, PieceT) or item.name in self.certain.growing:
            return False
        wanted, given = (
            self._of_print(asked, name, item),
            [self._of_print(part, name, item) for part in own],
        )
        found = False
        for index in range(len(self.certain.others.designs(item.name))):
            if wanted(index) is True:
                found = True
            elif all(known(index) is not False for known in given):
                return False
        return found

    def _of_print(self, cond: core.Expr, name: str, item: PieceT) -> Callable[[int], bool | None]:
        """Whether a condition holds for the designs of a component by number; memoised."""
        it = core.Var("it~", type=item)
        of_it = cond if name == it.name else substituted(cond, {name: it}, self.rules)
        known = self.judged.setdefault((item.name, normal(of_it)), {})

        def judge(index: int) -> bool | None:
            others = self.certain.others
            if index not in known:
                known[index] = others.database.recorded(
                    lambda: self.certain.truth(
                        of_it, {it.name: Copy(others.designs(item.name)[index])}
                    )
                )
            return others.database.rest_on(known[index])

        return judge

    def _by_print(self, some: core.Expr, all_: core.Expr) -> bool:
        """Is every piece that may be one of some things one of the others by its print?"""
        item = element(some.type)
        if not isinstance(item, PieceT):
            return False
        it = core.Var("it~", type=item)
        return self._printed(
            some, [core.Member(it, some, type=TRUTH)], core.Member(it, all_, type=TRUTH), it.name
        )

    def _at_most(self, low: core.Expr, high: core.Expr, env: Env) -> bool:
        """Is a number no larger than another?"""
        one, two = self.certain.known(low, env), self.certain.known(high, env)
        return isinstance(one, int) and isinstance(two, int) and one <= two

    def _renamed(self, e: core.Filter | core.Image, part: core.Expr, name: str) -> core.Expr:
        """A part of a set in which its member has another name."""
        item = element(e.domain.type)
        return (
            part
            if e.var == name or item is None
            else substituted(part, {e.var: core.Var(name, type=item)}, self.rules)
        )


def _covering(e: core.Expr) -> core.Builtin | None:
    """The pieces of which it is all the sites that they lie on; none if it is not of that form."""
    lies = e.args[0] if isinstance(e, core.Builtin) and e.name == "joined" else None
    if not isinstance(lies, core.Image) or not _is_true(lies.cond):
        return None
    sites, pieces = lies.body, lies.domain
    if not isinstance(sites, core.Builtin) or not isinstance(pieces, core.Builtin):
        return None
    return pieces if sites.name == "sites" and sites.args[0] == core.Var(lies.var) else None


def _board_of(pieces: core.Builtin) -> str | None:
    """The name of the one board of which these are the pieces."""
    board = pieces.args[0] if pieces.name == "board_pieces" else None
    if not isinstance(board, core.Builtin) or board.name != "board" or len(board.args) != 1:
        return None
    name = board.args[0]
    return str(name.value) if isinstance(name, core.Const) else None


def _laid(cond: core.Expr, site: str) -> Type | None:
    """What sort of pieces a condition says to lie on a site: one of them, picked from those that
    do, is not none.
    """
    is_none = cond.of if isinstance(cond, core.Not) else cond
    if (
        not isinstance(is_none, core.Compare)
        or is_none.op != ("=" if is_none is not cond else "!=")
        or is_none.right != core.Const(None)
    ):
        return None
    picked = is_none.left
    one = isinstance(picked, core.Builtin) and picked.name in ("first", "last", "top")
    some = (
        picked.of
        if isinstance(picked, core.Pick)
        else picked.args[0]
        if isinstance(picked, core.Builtin) and one
        else None
    )
    while isinstance(some, core.Filter):
        some = some.domain
    lies = isinstance(some, core.Builtin) and some.name == "on" and some.args[0] == core.Var(site)
    return element(some.type) if some is not None and lies else None


def parts(e: core.Expr) -> tuple[core.Expr, ...]:
    """What must hold for a condition to hold."""
    return (
        tuple(part for inner in e.of for part in parts(inner)) if isinstance(e, core.All) else (e,)
    )


def _is_true(e: core.Expr) -> bool:
    return isinstance(e, core.Const) and e.value is True
