"""Leaks through what is offered, and through what happens next.

What a rule forbids cannot be chosen, so a player learns from what he is offered how the rules of
an event judge it. From what happens next he learns how the conditions of a procedure were judged.
The statements are followed as they are carried out, with the players who decided last, with where
the values in scope come from and with what was revealed. What an event does is not looked at: it
has happened, and its author says what that is; nor is an attempt, which says what happens if not.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TypeAlias

from rulelang import core
from rulelang.analysis.reads import Reads
from rulelang.core.identity import IdentityMap
from rulelang.core.types import PLAYER
from rulelang.diagnostics import Report
from rulelang.elaborate.hidden_information import NOBODY, HiddenReads, Reader
from rulelang.elaborate.placeholders import OFFER, attempted
from rulelang.ruleset import Extension, Params, Rule, Ruleset

Who: TypeAlias = tuple[object, ...]
"""A player as an analysis tells him from others: by where the value was first named."""

EVERYBODY: Who = ("everybody",)
SOMEBODY: Who = ("somebody",)  # a player who decided earlier and is not known by a name any more


@dataclass(frozen=True)
class _Bound:
    """A value in scope: who it is, if it is a player, and the expression it was taken from.

    Once it is `shown`, it shows nothing hidden any more.
    """

    who: Who
    value: core.Expr | None = None
    scope: Mapping[str, _Bound] | None = None
    shown: bool = False


Scope: TypeAlias = Mapping[str, _Bound]
Deciders: TypeAlias = frozenset[Who]


@dataclass(frozen=True)
class _At:
    """A place in a body: the values in scope, and who decided last on the ways that lead there.

    `acting` are those of them who decided in the same turn, `lead` is whose turn it is, as a loop
    over players or else a procedure of one says; `revealed` are places and whose they are, with
    who saw them.
    """

    scope: Scope
    deciders: Deciders
    acting: Deciders = frozenset()
    lead: Who | None = None
    revealed: frozenset[tuple[str, Who, Who]] = frozenset()
    in_event: bool = False

    def naming(self, name: str, value: core.Expr | None, who: Who | None = None) -> _At:
        """The place after a name was given to a value."""
        bound = _Bound(who or (name, value), value, self.scope)
        return replace(self, scope={**self.scope, name: bound})

    def joined(self, other: _At) -> _At:
        """This place, where another way leads too."""
        return replace(
            self,
            deciders=self.deciders | other.deciders,
            acting=self.acting | other.acting,
            revealed=self.revealed & other.revealed,
        )

    def deciding(self, who: Who) -> _At:
        """The place after a player has decided."""
        return replace(self, deciders=frozenset([who]), acting=frozenset([who]))


def check_offers(rules: Ruleset, report: Report, hidden: HiddenReads) -> None:
    """Report each rule that would show the player who decides what he may not know."""
    _Offers(rules, report, hidden).follow(rules.flow, _At({}, frozenset()))


class _Offers:
    """Follows the flow of one ruleset, through all it calls."""

    def __init__(self, rules: Ruleset, report: Report, hidden: HiddenReads) -> None:
        """Each call is followed once for the same players and values."""
        self.rules, self.report, self.hidden = rules, report, hidden
        self.invariants = Reads(rules).invariants
        self.followed: dict[object, _At] = {}
        self.told: set[tuple[str, ...]] = set()
        self.named: IdentityMap[object, frozenset[str]] = IdentityMap()  # memo: names in values
        self.added: dict[str, list[Extension]] = {}  # by event, what brings it rules
        for e in rules.extensions:
            if e.kind == "rules":
                self.added.setdefault(e.target, []).append(e)

    # ---------------------------------------------------------------------- following statements
    def follow(self, body: core.Body, at: _At, granted: core.Expr | None = None) -> _At:
        """The place after a body; its first statement is known to be accepted if `granted` says so.

        Names that the body gave are no longer in scope.
        """
        outer = at.scope
        before: core.Stmt | None = None
        for stmt in body:
            if not (isinstance(stmt, core.Do) and _grants(granted, stmt)):
                if not _is_attempt(before, stmt):
                    self._conditions(stmt, at)
                at = self._statement(stmt, at)
            granted, before = None, stmt
        return replace(at, scope={name: at.scope[name] for name in outer})

    def _statement(self, stmt: core.Stmt, at: _At) -> _At:
        match stmt:
            case core.Let():
                return at.naming(stmt.var, stmt.value, self._who(stmt.value, at.scope))
            case core.Chance():
                return at.naming(stmt.var, stmt.of)
            case core.Choose():
                decided = at.deciding(self._who(stmt.by, at.scope))
                return decided.naming(stmt.var, stmt.domain)
            case core.Reveal():
                return self._revealed(stmt, _shown(at, stmt.what))
            case core.Move():
                return _unseen(_shown(at, stmt.what), stmt.place)
            case core.Put():
                return _shown(at, stmt.what)
            case core.Draw() | core.Shuffle():
                return _unseen(at, stmt.place)
            case core.Do():
                return self._do(stmt, at)
            case core.If():
                then = self.follow(stmt.then, at, stmt.cond)
                return then.joined(self.follow(stmt.other, at))
            case core.Take() | core.May():
                return self._decided(stmt, at)
            case core.ForEach() | core.Repeat() | core.Each() | core.Maximize():
                return self._block(stmt, at)
            case _:
                return at

    def _decided(self, stmt: core.Take | core.May, at: _At) -> _At:
        """A choice of actions, or of whether to do something."""
        decided = at.deciding(self._who(stmt.by, at.scope))
        if isinstance(stmt, core.May):
            return decided.joined(self.follow(stmt.body, decided))
        ways = [self._call(name, {0: stmt.by}, decided) for name in stmt.actions]
        return functools.reduce(_At.joined, ways) if ways else decided

    def _block(self, stmt: core.ForEach | core.Repeat | core.Each | core.Maximize, at: _At) -> _At:
        """A block that may be carried out several times: who decided before is followed again."""
        inner = at
        if isinstance(stmt, core.ForEach):
            if stmt.by is not None:
                who = self._who(stmt.by, at.scope)
                inner = replace(at, deciders=at.deciders | {who}, acting=at.acting | {who})
            inner = inner.naming(stmt.var, stmt.domain)
        elif isinstance(stmt, core.Each):
            mine: Who = ("each", stmt.var, stmt.span)
            inner = replace(at.naming(stmt.var, None, mine), acting=frozenset(), lead=mine)
        while True:
            after = self.follow(stmt.body, inner)
            if isinstance(stmt, core.Repeat):
                self._conditions(stmt, after)
            elif isinstance(stmt, core.Maximize):
                self._known_to_choosers(stmt, [stmt.value], after, after.acting)
            before = frozenset(
                SOMEBODY if isinstance(stmt, core.Each) and _speaks(who, stmt) else who
                for who in after.deciders
            )
            if before <= inner.deciders:
                break
            inner = replace(inner, deciders=inner.deciders | before, revealed=frozenset())
        acting = at.acting | before if after.acting else at.acting
        return replace(at, deciders=at.deciders | before, acting=acting, revealed=frozenset())

    # ---------------------------------------------------------------------- calls
    def _do(self, stmt: core.Do, at: _At) -> _At:
        event = self.rules.events.get(stmt.target)
        args = dict(enumerate(stmt.args))
        if event is None:
            after = self._call(stmt.target, args, at)
            return after.naming(stmt.result, None) if stmt.result is not None else after
        for who in at.deciders:
            self._judge(event.name, stmt, at.scope, who)
        self._follow_event(event.name, args, at)
        for arg in stmt.args:
            at = _shown(at, arg)  # its log entry tells of it, as far as others may know it
        return at

    def _call(self, name: str, args: Mapping[int, core.Expr], at: _At) -> _At:
        """The place when a procedure is done."""
        procedure = self.rules.procedures[name]
        inner = self._parameters(procedure.params, args, at)
        players = [self._who(core.Var(n), inner.scope) for n, t in procedure.params if t == PLAYER]
        if inner.lead is None and players:
            inner = replace(inner, lead=players[0], acting=at.acting & {players[0]})
        key = (name, _key(inner.scope), inner.deciders, inner.acting, inner.lead, inner.revealed)
        if key not in self.followed:
            self.followed[key] = inner
            self.followed[key] = self.follow(procedure.body, inner)
        after = self.followed[key]
        return replace(at, deciders=after.deciders, acting=after.acting, revealed=after.revealed)

    def _follow_event(self, name: str, args: Mapping[int, core.Expr], at: _At) -> None:
        """Events that an event and what answers it propose can refuse the choice that led here."""
        event = self.rules.events[name]
        at = replace(at, in_event=True)
        inner = self._parameters(event.params, args, at)
        key = (name, _key(inner.scope), at.deciders)
        if key in self.followed:
            return
        self.followed[key] = inner
        self.follow(event.body, inner)
        reactions = [
            *(r for r in self.rules.reactions if r.event == name),
            *(e.reaction for e in self.rules.extensions if e.reaction and e.target == name),
        ]
        for reaction in reactions:
            if len(reaction.params) == len(event.params):
                self.follow(reaction.body, self._parameters(reaction.params, args, at))

    def _parameters(self, params: Params, args: Mapping[int, core.Expr], at: _At) -> _At:
        scope = {}
        for number, (name, _) in enumerate(params):
            arg = args.get(number)
            who = self._who(arg, at.scope) if arg is not None else (name,)
            scope[name] = _Bound(who, arg, at.scope)
        return replace(at, scope=scope)

    # ---------------------------------------------------------------------- conditions
    def _conditions(self, stmt: core.Stmt, at: _At) -> None:
        """Report what would show, by what is done next, what a player may not know.

        Asked are those who decided in this turn, or else whose turn it is.
        """
        if at.in_event:
            return
        if isinstance(stmt, core.Choose):
            self._choice(stmt, at)
        watching = at.acting or ({at.lead} if at.lead is not None else set())
        for who in watching:
            asked = self._asked(stmt, at, who)
            names = [name for expr in asked for name in self._unknown(expr, at, who)]
            for name in dict.fromkeys(names):
                if ("condition", str(stmt.span), name) not in self.told:
                    self.told.add(("condition", str(stmt.span), name))
                    said = self._called(who, at)
                    what = f"what is in `{name}`"
                    self.report.add("hidden-condition", stmt.span, what=what, who=said)

    def _asked(self, stmt: core.Stmt, at: _At, who: Who) -> Iterator[core.Expr]:
        """The conditions of a statement by which a player can tell what is done next."""
        match stmt:
            case core.If():
                if self._shows(stmt.then, at, who) or self._shows(stmt.other, at, who):
                    yield stmt.cond
            case core.Repeat():
                yield from (e for e in (stmt.cond, stmt.times) if e is not None)
            case core.ForEach():
                # who goes through a hand shows how many it has, which is always public
                if not isinstance(stmt.domain, core.Contents) and self._shows(stmt.body, at, who):
                    yield stmt.domain
            case core.Choose() | core.Take() | core.May():
                yield stmt.by
            case core.Each() if stmt.start is not None:
                yield stmt.start
            case _:
                return

    def _shows(self, body: core.Body, at: _At, who: Who) -> bool:
        """May a player see that these statements were carried out?

        Nobody sees a name, nor that a variable is set that he may not read.
        """
        for stmt in body:
            if isinstance(stmt, core.If):
                seen = self._shows(stmt.then, at, who) or self._shows(stmt.other, at, who)
            elif isinstance(stmt, core.Assign):
                state = self.rules.states[stmt.state]
                own = stmt.index is not None and self._who(stmt.index, at.scope) == who
                seen = state.visibility == "public" or (state.visibility == "private" and own)
            else:
                seen = not isinstance(stmt, core.Let)
            if seen:
                return True
        return False

    def _choice(self, stmt: core.Choose, at: _At) -> None:
        """Report a choice among what comes, by its names, from what its player may not know."""
        parts = [e for e in (stmt.domain, stmt.cond) if not self.hidden.names(e, stmt.by)]
        parts += [e for e in (stmt.low, stmt.high) if e is not None]
        self._known_to_choosers(stmt, parts, at, {self._who(stmt.by, at.scope)})

    def _known_to_choosers(
        self, stmt: core.Stmt, parts: list[core.Expr], at: _At, choosers: AbstractSet[Who]
    ) -> None:
        """Report what decides on the options of players who may not know it."""
        names = [n for who in choosers for e in parts for n in self._unknown(e, at, who)]
        for name in dict.fromkeys(names):
            if ("choice", str(stmt.span), name) not in self.told:
                self.told.add(("choice", str(stmt.span), name))
                self.report.add("hidden-knowledge", stmt.span, what=f"what is in `{name}`")

    def _unknown(self, expr: core.Expr, at: _At, who: Who) -> list[str]:
        """What an expression reads that a player may not know here, nor by what it names."""
        own = self._names_of(who, at.scope)
        found = (
            [
                name
                for name, node in self.hidden.search.reads(expr, own or NOBODY, set())
                if not self._was_revealed(name, node, at, who)
            ]
            if self.hidden.names(expr, own or NOBODY)
            else []
        )
        for name in self._names_in(expr) & at.scope.keys():
            found += self._taken_from(core.Var(name), at.scope, who)
        return found

    def _names_of(self, who: Who, scope: Scope) -> tuple[core.Expr, ...]:
        """What a player is called here: names bound to him, and what he was called by."""
        bound: list[core.Expr] = [core.Var(name) for name in scope if scope[name].who == who]
        said = who[0] if who else None
        if isinstance(said, core.Expr) and self._who(said, scope) == who:
            bound.append(said)
        return tuple(bound)

    def _revealed(self, stmt: core.Reveal, at: _At) -> _At:
        """The place after what lies in places was shown."""
        to = stmt.to.items if isinstance(stmt.to, core.SetOf) else (stmt.to,)
        seen = {
            (
                node.place,
                self._who(node.index, at.scope) if node.index is not None else (),
                EVERYBODY if one is None else self._who(one, at.scope),
            )
            for node in core.walk(stmt.what)
            if isinstance(node, core.Contents)
            for one in to
        }
        return replace(at, revealed=at.revealed | seen)

    def _was_revealed(self, name: str, node: core.Expr, at: _At, who: Who) -> bool:
        """Was all that a node reads of a place shown to the player?"""
        shown = {
            whose for place, whose, to in at.revealed if place == name and to in (who, EVERYBODY)
        }
        if isinstance(node, core.Contents):
            whose = self._who(node.index, at.scope) if node.index is not None else ()
            return whose in shown
        args = node.args if isinstance(node, core.Apply | core.Total | core.Accepts) else ()
        players = {self._who(arg, at.scope) for arg in args if arg.type == PLAYER}
        return bool(shown) and players <= shown | {who}

    def _called(self, who: Who, at: _At) -> str:
        """What a player is called in a message."""
        names = [name for name, bound in at.scope.items() if bound.who == who]
        return f"`{names[0].split('~')[0]}`" if names else "who decided before"

    # ---------------------------------------------------------------------- judging
    def _judge(self, name: str, stmt: core.Do, scope: Scope, who: Who) -> None:
        """Report what the rules of an event would show the player by refusing it."""
        event = self.rules.events[name]
        own = [
            param
            for (param, t), arg in zip(event.params, stmt.args, strict=True)
            if t == PLAYER and self._who(arg, scope) == who
        ]
        values = {param: arg for (param, _), arg in zip(event.params, stmt.args, strict=True)}
        for rule, clause, by in self._rules(name, own):
            needs = rule.need.of if isinstance(rule.need, core.All) else (rule.need,)
            for need in (*needs, rule.cond):
                names = self.hidden.names(need, by)
                for var in sorted(self._names_in(need) & values.keys()):
                    names = names + self._taken_from(values[var], scope, who)
                known = _known_place(need, values, scope)
                self._tell(name, clause, own, [found for found in names if found != known])

    def _rules(self, name: str, own: list[str]) -> Iterator[tuple[Rule, str, Reader]]:
        """The rules of an event, those of cards and the invariants, each with who reads it."""
        event = self.rules.events[name]
        variables = tuple(core.Var(param) for param in own)
        by: Reader = variables or NOBODY
        for rule in event.rules:
            if rule.slot is None:
                yield rule, rule.clause, by
        first = next((param for param, t in event.params if t == PLAYER), None)
        for e in self.added.get(name, ()):
            played = e.lifetime == "played" and first in own
            reader = (*variables, core.Var("you")) if played else by
            for rule in e.rules:
                yield rule, e.clause, reader
        for rule in self.invariants:
            yield rule, rule.clause, NOBODY

    def _tell(self, event: str, clause: str, own: list[str], names: list[str]) -> None:
        known = self.rules.clauses.get(clause)
        for name in dict.fromkeys(names):
            if known is None or (clause, name) in self.told:
                continue
            self.told.add((clause, name))
            self.report.add(
                "hidden-rule",
                known.span,
                what=f"what is in `{name}`",
                who=f"`{own[0]}`" if own else "the player who decides",
                event=event,
            )

    def _taken_from(self, value: core.Expr, scope: Scope, who: Who) -> list[str]:
        """The hidden places and variables that a value comes from, for this player."""
        own = tuple(core.Var(name) for name, bound in scope.items() if bound.who == who)
        names = self.hidden.names(value, own or NOBODY)
        for name in self._names_in(value):
            bound = scope.get(name)
            if bound is not None and not bound.shown and bound.value is not None:
                assert bound.scope is not None
                names = names + self._taken_from(bound.value, bound.scope, who)
        return names

    def _who(self, value: core.Expr, scope: Scope) -> Who:
        """Which player a value is."""
        if isinstance(value, core.Var) and value.name in scope:
            return scope[value.name].who
        names = sorted(self._names_in(value))
        return (value, *(scope[name].who for name in names if name in scope))

    def _names_in(self, item: object) -> frozenset[str]:
        """All names that stand in an expression; it is met at many places."""
        found = self.named.get(item)
        return self.named.keep(item, frozenset(_names_in(item))) if found is None else found


def _is_attempt(before: core.Stmt | None, stmt: core.Stmt) -> bool:
    """Is it the question of an attempt, which follows its offer?"""
    return (
        isinstance(before, core.Do)
        and before.target.startswith(OFFER)
        and isinstance(stmt, core.If)
        and stmt.cond == core.Accepts(attempted(before.target), before.args)
    )


def _unseen(at: _At, place: str) -> _At:
    """The place after pieces came to a place unseen, or were mixed there."""
    return replace(at, revealed=frozenset(seen for seen in at.revealed if seen[0] != place))


def _shown(at: _At, what: core.Expr) -> _At:
    """The place after what these values speak of may have been shown."""
    seen = {name: replace(at.scope[name], shown=True) for name in _names_in(what) & {*at.scope}}
    return replace(at, scope={**at.scope, **seen})


def _names_in(item: object) -> set[str]:
    return {node.name for node in core.walk(item) if isinstance(node, core.Var)}


def _speaks(who: object, stmt: core.Each) -> bool:
    """Is this a player, or told by one, who is another in the next round of a block?"""
    if who == ("each", stmt.var, stmt.span):
        return True
    return isinstance(who, tuple) and any(_speaks(part, stmt) for part in who)


def _key(scope: Scope) -> tuple[object, ...]:
    """By what a call is told from others: who takes part, and where its values come from."""
    return tuple((name, bound.who, bound.value) for name, bound in scope.items())


def _grants(granted: core.Expr | None, stmt: core.Do) -> bool:
    """Does the condition hold only if the event is accepted?"""
    needs = granted.of if isinstance(granted, core.All) else (granted,)
    return core.Accepts(stmt.target, stmt.args) in needs


def _known_place(
    need: core.Expr | None, values: Mapping[str, core.Expr], scope: Scope
) -> str | None:
    """The place that a value was taken from, where it is only asked whether it is there."""
    if not isinstance(need, core.Member) or not isinstance(need.item, core.Var):
        return None
    parts = [need.of]
    if isinstance(need.of, core.SetOp) and need.of.op == "+":
        parts = [need.of.left, need.of.right]
    asked = [part.place for part in parts if isinstance(part, core.Contents)]
    origin = _origin(values.get(need.item.name), scope)
    return next((place for place in asked if place in origin), None)


def _origin(value: core.Expr | None, scope: Scope) -> set[str]:
    """The places whose pieces a value was taken from, itself or by the names it was given."""
    found = {node.place for node in core.walk(value) if isinstance(node, core.Contents)}
    bound = scope.get(value.name) if isinstance(value, core.Var) else None
    if bound is not None and bound.scope is not None:
        found |= _origin(bound.value, bound.scope)
    return found
