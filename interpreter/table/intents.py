"""A wish in a person's own words, such as a piece and where it shall go: found among all that could be chosen one after another, allowed or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.engine.decisions import Option, Spec
from interpreter.evaluator.sites import SiteWords
from interpreter.game import refusals
from interpreter.game.game import Illegal, State
from interpreter.game.refusals import Reason
from interpreter.table.fuzzy import FILLERS, Fit, fit, words
from interpreter.table.menu import at
from rulelang import core
from rulelang.core.types import NUMBER, PieceT, SetT, SiteT, Type
from rulelang.core.values import ordered
from rulelang.diagnostics.english import spoken

MOST_TRIED = 30_000  # members looked at for one wish
MOST_FOUND = 200  # ways to take a wish that are kept
GUESS = 3  # what a choice costs of which nothing was said

Value = Any
Env = dict[str, Value]


@dataclass(frozen=True)
class Step:
    """One choice of a wish: its name and value, its words, how the wish fits them, and the statement it is made at with the values before it."""

    name: str
    value: Value
    text: str
    fits: Fit
    cost: int
    stmt: core.Stmt = field(compare=False, repr=False)
    env: Env = field(compare=False, repr=False)
    clause: str = field(compare=False, repr=False)


@dataclass(frozen=True)
class Wish:
    """A way to take what was typed: choices in a row, and where they leave the rules."""

    player: int
    steps: tuple[Step, ...]
    body: core.Body = field(compare=False, repr=False)
    pc: int = field(compare=False, repr=False)
    env: Env = field(compare=False, repr=False)
    clause: str = field(compare=False, repr=False)

    @property
    def cost(self) -> int:
        """How much had to be guessed; nothing if all was named. What an action's title holds of it by chance does not count where later choices hold it too."""
        others = frozenset[int]().union(
            *(step.fits.explained for step in self.steps if not isinstance(step.stmt, core.Take))
        )
        return sum(
            step.cost
            for step in self.steps
            if not (isinstance(step.stmt, core.Take) and step.fits.explained <= others)
        )

    @property
    def text(self) -> str:
        """The wish as it was taken: what is chosen, in order."""
        return ", ".join(f"“{step.text}”" for step in self.steps)

    def closed(self, state: State) -> bool:
        """Is an action of it not open at all now?"""
        s, rules = refusals.seat_position(state, self.player), state.game.rules
        actions = [
            state.game.rules_source.procedures[step.value]
            for step in self.steps
            if isinstance(step.stmt, core.Take)
        ]
        return any(
            a.guard is not None and not rules.holds(s, a.guard, {a.params[0][0]: self.player})
            for a in actions
        )

    def follow(self, state: State) -> State:
        """The state after all its choices; raises Illegal, with the state as it was."""
        for step in self.steps:
            state = state.choose(Option(self.player, step.name, step.value))
        return state


@dataclass
class Search:
    """Looks for the ways to take typed words, from an open decision onwards as far as nothing changes the position."""

    state: State
    spec: Spec
    typed: tuple[str, ...]
    allowed: bool  # only what may be chosen, or everything that is named
    wide: bool = False  # pieces and sites that are elsewhere, and actions of another time, too
    found: list[Wish] = field(default_factory=list)
    furthest: tuple[int, tuple[Step, ...]] = (0, ())
    tried: int = 0

    def __post_init__(self) -> None:
        self.s = at(self.state, self.spec)
        self.game = self.state.game
        self.needed = frozenset(
            i for i, word in enumerate(self.typed) if word not in FILLERS
        ) or frozenset(range(len(self.typed)))
        self.spoken_of: dict[tuple[str, Value], tuple[str, tuple[str, ...]]] = {}

    def run(self) -> list[Wish]:
        """All ways to take the words, those that guess least first."""
        act = self.s.stack[-1] if self.s.stack else None
        if act is None or not act.blocks or self.spec.stmt is None:
            return []
        block = act.blocks[-1]
        procedure = self.game.rules_source.procedures.get(act.name)
        clause = procedure.clause if procedure is not None else self.game.rules_source.flow_clause
        self._walk(
            self.game.machine.bodies[block.body],
            block.pc,
            dict(act.env),
            (),
            frozenset(),
            frozenset(),
            clause,
        )
        best: dict[str, Wish] = {}
        for wish in sorted(self.found, key=lambda w: (w.cost, len(w.steps))):
            best.setdefault(wish.text, wish)
        kept = list(best.values())
        return [w for w in kept if not any(_better(other, w) for other in kept)]

    # ---------------------------------------------------------------------------------------- along the rules
    def _walk(
        self,
        body: core.Body,
        pc: int,
        env: Env,
        steps: tuple[Step, ...],
        sure: frozenset[int],
        soft: frozenset[int],
        clause: str,
    ) -> None:
        """Follow a body; `sure` words were explained, `soft` ones by an action's title only, which may hold them by chance."""
        value = self.game.rules.evaluator.value
        while pc < len(body) and self.tried < MOST_TRIED and len(self.found) < MOST_FOUND:
            stmt = body[pc]
            if stmt.clause is not None and stmt.clause in self.game.rules.without:
                pass
            elif isinstance(stmt, core.Let):
                env = {**env, stmt.var: value(stmt.value, self.s, env)}
            elif isinstance(stmt, core.If):
                chosen = stmt.then if value(stmt.cond, self.s, env) else stmt.other
                if chosen:
                    return self._walk(chosen, 0, env, steps, sure, soft, clause)
            elif isinstance(stmt, core.Do) and stmt.target in self.game.rules_source.procedures:
                target = self.game.rules_source.procedures[stmt.target]
                values = [value(a, self.s, env) for a in stmt.args]
                return self._walk(
                    target.body,
                    0,
                    dict(zip([p for p, _ in target.params], values, strict=True)),
                    steps,
                    sure,
                    soft,
                    target.clause,
                )
            elif (
                isinstance(stmt, core.Choose | core.Take | core.May)
                and value(stmt.by, self.s, env) == self.spec.player
            ):
                if self.needed <= sure | soft:
                    self._keep(body, pc, env, steps, clause)
                if not self.needed <= sure:
                    self._choice(
                        stmt, body, pc, env, steps, sure, soft | self._asked_in(stmt), clause
                    )
                return None
            else:
                break
            pc += 1
        if len(sure | soft) > self.furthest[0]:
            self.furthest = (len(sure | soft), steps)
        if self.needed <= sure | soft:
            self._keep(body, pc, env, steps, clause)
        return None

    def _asked_in(self, stmt: core.Choose | core.Take | core.May) -> frozenset[int]:
        """The words a choice is asked in, which whoever answers may repeat: of `2 votes` the second where votes are asked for."""
        asked = words(stmt.prompt) if isinstance(stmt, core.Choose) else ()
        return frozenset(place for place, word in enumerate(self.typed) if word in asked)

    def _keep(
        self, body: core.Body, pc: int, env: Env, steps: tuple[Step, ...], clause: str
    ) -> None:
        if steps and (not self.allowed or self.game.decider.viable(self.s, body, pc, dict(env))):
            self.found.append(Wish(self.spec.player, steps, body, pc, env, clause))

    def _choice(
        self,
        stmt: core.Choose | core.Take | core.May,
        body: core.Body,
        pc: int,
        env: Env,
        steps: tuple[Step, ...],
        sure: frozenset[int],
        soft: frozenset[int],
        clause: str,
    ) -> None:
        if isinstance(stmt, core.Take):
            others = (
                [
                    name
                    for name, p in self.game.rules_source.procedures.items()
                    if p.is_action and name not in stmt.actions
                ]
                if self.wide
                else []
            )
            for name in (*stmt.actions, *others):
                self._action(stmt, name, env, steps, sure, soft, clause)
        elif isinstance(stmt, core.May):
            for answer, also in ((True, stmt.prompt), (False, "")):
                texts = [text for text in ("yes" if answer else "no", also) if text]
                fits = min(
                    (fit(self.typed, words(text), self.needed - sure) for text in texts),
                    key=lambda f: (-len(f.explained), f.cost),
                )
                step = Step(
                    "may",
                    answer,
                    "yes" if answer else "no",
                    fits,
                    0 if fits.explained else 1,
                    stmt,
                    env,
                    clause,
                )
                if answer or fits.explained:
                    inner, start = (stmt.body, 0) if answer else (body, pc + 1)
                    self._walk(
                        inner, start, env, (*steps, step), sure, soft | fits.explained, clause
                    )
        elif stmt.mode == "one":
            for item, fits in self._members(
                stmt, env, self.needed - sure, self.needed <= sure | soft
            ):
                said = self._said(item, stmt.item)[0]
                cost = fits.cost if fits.explained else GUESS
                step = Step(stmt.var.split("~")[0], item, said, fits, cost, stmt, env, clause)
                self._walk(
                    body,
                    pc + 1,
                    {**env, stmt.var: item},
                    (*steps, step),
                    sure | fits.explained,
                    soft,
                    clause,
                )
        else:
            self._several(stmt, body, pc, env, steps, sure, soft, clause)

    def _action(
        self,
        stmt: core.Take,
        name: str,
        env: Env,
        steps: tuple[Step, ...],
        sure: frozenset[int],
        soft: frozenset[int],
        clause: str,
    ) -> None:
        procedure = self.game.rules_source.procedures[name]
        inner: Env = {procedure.params[0][0]: self.spec.player}
        if (
            self.allowed
            and procedure.guard is not None
            and not self.game.rules.holds(self.s, procedure.guard, inner)
        ):
            return
        title = procedure.title or spoken(name)
        meant = words(title)
        fits = fit(self.typed, meant)
        begun = bool(fits.explained) and fit(self.typed, meant[:1]).missing == 0
        step = Step(
            "action",
            name,
            title,
            fits,
            0 if begun or not fits.explained else fits.cost,
            stmt,
            env,
            clause,
        )
        self._walk(
            procedure.body, 0, inner, (*steps, step), sure, soft | fits.explained, procedure.clause
        )

    def _several(
        self,
        stmt: core.Choose,
        body: core.Body,
        pc: int,
        env: Env,
        steps: tuple[Step, ...],
        sure: frozenset[int],
        soft: frozenset[int],
        clause: str,
    ) -> None:
        """Of several, those that explain the words best, one after another."""
        left, chosen, fitted = self.needed - sure, list[Value](), list[Fit]()
        members = self._meant(stmt, env)
        fits = {item: fit(self.typed, self._said(item, stmt.item)[1]) for item in members}
        while left and len(chosen) < len(members):
            item = max(
                (m for m in members if m not in chosen),
                key=lambda m: (len(fits[m].explained & left), -fits[m].cost),
            )
            if not fits[item].explained & left:
                break
            chosen.append(item)
            fitted.append(fits[item])
            left -= fits[item].explained
        if not chosen:
            return
        made = frozenset(chosen) if stmt.mode == "some" else tuple(chosen)
        text = (", " if stmt.mode == "some" else ", then ").join(
            self._said(item, stmt.item)[0] for item in chosen
        )
        explained = frozenset[int]().union(*(f.explained for f in fitted))
        step = Step(
            stmt.var.split("~")[0],
            made,
            text,
            Fit(explained),
            sum(f.cost for f in fitted),
            stmt,
            env,
            clause,
        )
        self._walk(
            body, pc + 1, {**env, stmt.var: made}, (*steps, step), sure | explained, soft, clause
        )

    def _members(
        self, stmt: core.Choose, env: Env, left: frozenset[int], done: bool
    ) -> list[tuple[Value, Fit]]:
        """The members that explain most of the words that are left; if none explains any, all of them unexplained, unless all is done."""
        members = self._meant(stmt, env)
        found: list[tuple[Value, Fit]] = []
        for item in self.game.decider.distinct(self.s, members, stmt.item):
            self.tried += 1
            found.append((item, fit(self.typed, self._said(item, stmt.item)[1], left)))
            if self.tried >= MOST_TRIED:
                break
        telling = [(item, f) for item, f in found if f.explained & left]
        sets = {f.explained & left for _, f in telling}
        return [
            (i, f) for i, f in telling if not any(f.explained & left < other for other in sets)
        ] or [(i, Fit()) for i, _ in found if not done]

    def _meant(self, stmt: core.Choose, env: Env) -> tuple[Value, ...]:
        """What may be chosen; or all it is chosen from, and if asked so also what lies elsewhere."""
        if self.allowed:
            return tuple(self.game.decider.members(self.s, env, stmt))
        members = tuple(ordered(self.game.rules.func(stmt.domain)(self.s, dict(env))))
        return (
            (*members, *(item for item in self._elsewhere(stmt.item) if item not in members))
            if self.wide
            else members
        )

    def _elsewhere(self, t: Type) -> list[Value]:
        """All pieces or sites of a type, wherever they are; of sets of sites those of one site; of numbers those that were typed."""
        if t == NUMBER:
            return [int(word) for word in self.typed if word.isdecimal() and len(word) < 10]
        if isinstance(t, PieceT):
            return list(self.game.setup.by_component[t.name])
        site = t.of if isinstance(t, SetT) else t
        if not isinstance(site, SiteT):
            return []
        info = self.game.setup.boards[site.board]
        sites = sorted(SiteWords(self.game.setup).sites(self.s, info, site.role, None))
        return [frozenset({x}) for x in sites] if isinstance(t, SetT) else sites

    def _said(self, value: Value, t: Type) -> tuple[str, tuple[str, ...]]:
        key = (str(t), value)
        known = self.spoken_of.get(key)
        if known is None:
            text = self.game.presenter.text(value, t, self.s)
            known = self.spoken_of[key] = (text, words(text))
        return known


def _better(one: Wish, other: Wish) -> bool:
    """Does one way take the same beginning and need no more guessing (or all of the other's, and less)?"""
    short, long = (one, other) if len(one.steps) < len(other.steps) else (other, one)
    if one is other or long.steps[: len(short.steps)] != short.steps:
        return False
    return one.cost < other.cost or (one.cost == other.cost and one is short)


def against(state: State, wish: Wish) -> list[Reason]:
    """Every line that stands against a wish; empty if nothing does."""
    found: list[Reason] = []
    rules, s = state.game.rules, refusals.seat_position(state, wish.player)
    for step in wish.steps:
        if isinstance(step.stmt, core.Take):
            procedure = state.game.rules_source.procedures[step.value]
            env: Env = {procedure.params[0][0]: wish.player}
            if step.value not in step.stmt.actions:
                found.append(refusals.not_among(state, step.stmt, procedure))
            if procedure.guard is not None and not rules.holds(s, procedure.guard, env):
                found += refusals.judge(
                    state, s, procedure.guard, env, procedure.clause, procedure.title
                )
        elif isinstance(step.stmt, core.Choose):
            clause, item = step.stmt.clause or step.clause, step.stmt.item
            domain = ordered(rules.func(step.stmt.domain)(s, dict(step.env)))
            for value in (step.value,) if step.stmt.mode == "one" else ordered(step.value):
                if value not in domain:
                    found.append(
                        refusals.not_offered(
                            state,
                            s,
                            step.stmt,
                            dict(step.env),
                            clause,
                            state.game.presenter.text(value, item, s),
                        )
                    )
                elif not rules.holds(s, step.stmt.cond, {**step.env, step.stmt.var: value}):
                    found += refusals.judge(
                        state,
                        s,
                        step.stmt.cond,
                        {**step.env, step.stmt.var: value},
                        clause,
                        step.stmt.prompt,
                    )
    found += refusals.of_body(state, s, wish.body[wish.pc :], dict(wish.env), {}, wish.clause)
    if not found:
        try:
            wish.follow(state)
        except Illegal as error:
            return error.reasons or [Reason("", wish.text, (), "", str(error))]
    return found
