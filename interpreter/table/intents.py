"""Intents: what a line in a person's own words means, such as a piece and where it shall go.

Found among all that could be chosen one after another, allowed or not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from interpreter.engine.decisions import Option, Spec
from interpreter.engine.walker import Asked, Decision, Place
from interpreter.evaluator.expressions import Env
from interpreter.game import refusals
from interpreter.game.game import Illegal, State
from interpreter.game.refusals import Refusal
from interpreter.model.position import Position
from interpreter.table.fuzzy import FILLERS, Fit, fit, words
from interpreter.table.horizon import Horizon
from rulelang import core
from rulelang.builtins.boards import all_sites
from rulelang.core.types import NUMBER, PieceT, SetT, SiteT, Type
from rulelang.core.values import Value, members, number, ordered, text
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Procedure

MOST_TRIED = 6_000  # ways that are followed for one wish
MOST_LOOKED_AT = 100_000  # members that are held against its words
MOST_FOUND = 200  # ways to take a wish that are kept
GUESS = 3  # what a choice costs of which nothing was said


@dataclass(frozen=True)
class Step:
    """One choice of a wish: its name and value, its words, and how the typed words fit them.

    `at` is the place in the rules where it is asked.
    """

    name: str
    value: Value
    text: str
    fits: Fit
    cost: int
    at: Place = field(compare=False, repr=False)

    @property
    def stmt(self) -> core.Stmt:
        """The statement that asks for it."""
        return self.at.body[self.at.pc]


@dataclass(frozen=True)
class Wish:
    """A way to take what was typed: choices in a row, and the place where they leave the rules."""

    player: int
    steps: tuple[Step, ...]
    end: Place = field(compare=False, repr=False)

    @property
    def cost(self) -> int:
        """How much had to be guessed; nothing if all was named.

        What an action's title holds of it by chance does not count where later choices hold it.
        """
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
        s, rules = state.acted_on_by(self.player), state.game.rules
        actions = [
            state.game.rules_source.procedures[text(step.value)]
            for step in self.steps
            if isinstance(step.stmt, core.Take)
        ]
        return any(
            a.guard is not None and not rules.holds(s, a.guard, {a.params[0][0]: self.player})
            for a in actions
        )

    def elsewhere(self, state: State) -> bool:
        """Is a place of it on another player's board, where each has one?"""
        for step in self.steps:
            item = step.stmt.item if isinstance(step.stmt, core.Choose) else None
            site = item.of if isinstance(item, SetT) else item
            if not isinstance(site, SiteT) or site.role != "cell":
                continue
            info = state.game.setup.boards[site.board]
            cells = members(step.value) if isinstance(step.value, frozenset) else (step.value,)
            if info.copies > 1 and any(number(x) // info.cells != self.player for x in cells):
                return True
        return False

    def follow(self, state: State) -> State:
        """The state after all its choices; raises Illegal, with the state as it was."""
        for step in self.steps:
            state = state.choose(Option(self.player, step.name, step.value))
        return state


@dataclass(frozen=True)
class _Line:
    """How far one way to take the words has come.

    `sure` words were explained, `soft` ones by an action's title or a prompt only, which may hold
    them by chance.
    """

    at: Place
    steps: tuple[Step, ...] = ()
    sure: frozenset[int] = frozenset()
    soft: frozenset[int] = frozenset()

    @property
    def explained(self) -> frozenset[int]:
        """All words that were explained."""
        return self.sure | self.soft

    def then(
        self,
        step: Step,
        at: Place,
        sure: frozenset[int] = frozenset(),
        soft: frozenset[int] = frozenset(),
    ) -> _Line:
        """The line with one more step, which explains these words and leads to this place."""
        return _Line(at, (*self.steps, step), self.sure | sure, self.soft | soft)


@dataclass
class Search:
    """Looks for the ways to take typed words, from an open decision onwards.

    As far as nothing changes the position.
    """

    state: State
    spec: Spec
    typed: tuple[str, ...]
    allowed: bool  # only what may be chosen, or everything that is named
    wide: bool = False  # pieces and sites that are elsewhere, and actions of another time, too
    found: list[Wish] = field(default_factory=list)
    furthest: tuple[int, tuple[Step, ...]] = (0, ())
    tried: int = 0
    looked_at: int = 0

    def __post_init__(self) -> None:
        self.s = self.state.seat(self.spec)
        self.game = self.state.game
        self.needed = frozenset(
            i for i, word in enumerate(self.typed) if word not in FILLERS
        ) or frozenset(range(len(self.typed)))
        self.spoken_of: dict[str, dict[Value, tuple[str, tuple[str, ...]]]] = {}
        self.horizon = Horizon(self.game, self.s, self.typed, self.wide)
        self.fits: dict[tuple[tuple[str, ...], frozenset[int]], Fit] = {}
        # by members, their type and the words left: those that can be told apart, and the best
        self.fitting: dict[
            tuple[tuple[Value, ...], str, frozenset[int]],
            tuple[list[Value], list[tuple[Value, Fit]]],
        ] = {}
        self.elsewhere: dict[str, list[Value]] = {}  # by type

    def run(self) -> list[Wish]:
        """All ways to take the words, those that guess least first."""
        act = self.s.stack[-1] if self.s.stack else None
        if act is None or not act.blocks or self.spec.stmt is None:
            return []
        block = act.blocks[-1]
        procedure = self.game.rules_source.procedures.get(act.name)
        clause = procedure.clause if procedure is not None else self.game.rules_source.flow_clause
        body = self.game.machine.bodies[block.body]
        soft = self._repeated(procedure, act.env) if procedure is not None else frozenset[int]()
        self._walk(_Line(Place(body, block.pc, act.env, clause), soft=soft))
        best: dict[str, Wish] = {}
        for wish in sorted(self.found, key=lambda w: (w.cost, len(w.steps))):
            best.setdefault(wish.text, wish)
        kept = list(best.values())
        return [w for w in kept if not any(_better(other, w) for other in kept)]

    @property
    def broken_off(self) -> bool:
        """Was a bound reached, so that there may be other ways?"""
        return (
            self.tried >= MOST_TRIED
            or self.looked_at >= MOST_LOOKED_AT
            or len(self.found) >= MOST_FOUND
        )

    def _repeated(self, procedure: Procedure, env: Env) -> frozenset[int]:
        """The words that only repeat what is chosen already: the action, a piece, a place."""
        known = set(words(procedure.title))
        for stmt in core.walk(procedure.body):
            if isinstance(stmt, core.Choose) and stmt.mode == "one" and stmt.var in env:
                known |= set(self._said(env[stmt.var], stmt.item)[1])
        return frozenset(i for i, word in enumerate(self.typed) if word in known)

    # --------------------------------------------------------------------------- along the rules
    def _walk(self, line: _Line) -> None:
        """Follow the rules from where a line has come to, to the next choice of this player."""
        if self._is_hopeless(line):
            self._note(line)
            return
        met = None
        if not self.broken_off:
            self.tried += 1
            met = self.game.lookahead.walker.meet(self.s, line.at)
            line = replace(line, at=met.at)
        if isinstance(met, Asked) and self._is_asked(met):
            if self.needed <= line.explained:
                self._keep(line)
            if not self.needed <= line.sure:
                asked = self._asked_in(met.stmt)
                self._choice(met.stmt, replace(line, soft=line.soft | asked))
            return
        self._note(line)
        if self.needed <= line.explained:
            self._keep(line)

    def _is_hopeless(self, line: _Line) -> bool:
        """Are there words left that nothing is called by that may still be asked for?"""
        left = self.needed - line.explained
        return bool(left) and not left <= self.horizon.at(line.at)

    def _note(self, line: _Line) -> None:
        """Remember the line that explains most."""
        if len(line.explained) > self.furthest[0]:
            self.furthest = (len(line.explained), line.steps)

    def _fit(self, meant: tuple[str, ...], left: frozenset[int] = frozenset()) -> Fit:
        """How the typed words fit a text, worked out once."""
        found = self.fits.get((meant, left))
        if found is None:
            found = self.fits[meant, left] = fit(self.typed, meant, left)
        return found

    def _is_asked(self, met: Asked) -> bool:
        by = self.game.rules.value(met.stmt.by, self.s, met.at.scope)
        return bool(by == self.spec.player)

    def _asked_in(self, stmt: Decision) -> frozenset[int]:
        """The words a choice is asked in, which whoever answers may repeat.

        Of `2 votes` the second, where votes are asked for.
        """
        asked = words(stmt.prompt) if isinstance(stmt, core.Choose) else ()
        return frozenset(place for place, word in enumerate(self.typed) if word in asked)

    def _keep(self, line: _Line) -> None:
        if line.steps and (not self.allowed or self.game.lookahead.viable(self.s, line.at)):
            self.found.append(Wish(self.spec.player, line.steps, line.at))

    def _choice(self, stmt: Decision, line: _Line) -> None:
        """Go on with every answer to a choice that the words may mean."""
        if isinstance(stmt, core.Take):
            for name in (*stmt.actions, *self._other_actions(stmt)):
                self._action(name, line)
        elif isinstance(stmt, core.May):
            self._answer(stmt, True, line)
            self._answer(stmt, False, line)
        elif stmt.mode == "one":
            self._one(stmt, line)
        else:
            self._several(stmt, line)

    def _other_actions(self, stmt: core.Take) -> list[str]:
        """Actions of another time, if they are looked at too."""
        known = self.game.rules_source.procedures.items()
        return [name for name, p in known if self.wide and p.is_action and name not in stmt.actions]

    def _action(self, name: str, line: _Line) -> None:
        procedure = self.game.rules_source.procedures[name]
        start = self.game.lookahead.walker.procedure(name, (self.spec.player,))
        if (
            self.allowed
            and procedure.guard is not None
            and not self.game.rules.holds(self.s, procedure.guard, start.scope)
        ):
            return
        title = procedure.title or spoken(name)
        meant = words(title)
        fits = self._fit(meant)
        begun = bool(fits.explained) and self._fit(meant[:1]).missing == 0
        cost = 0 if begun or not fits.explained else fits.cost
        step = Step("action", name, title, fits, cost, line.at)
        self._walk(line.then(step, start, soft=fits.explained))

    def _answer(self, stmt: core.May, answer: bool, line: _Line) -> None:
        said = "yes" if answer else "no"
        fits = min(
            (
                self._fit(words(text), self.needed - line.sure)
                for text in (said, stmt.prompt if answer else "")
                if text
            ),
            key=lambda f: (-len(f.explained), f.cost),
        )
        if answer or fits.explained:
            step = Step("may", answer, said, fits, 0 if fits.explained else 1, line.at)
            after = line.at.inside(stmt.body) if answer else line.at.past()
            self._walk(line.then(step, after, soft=fits.explained))

    def _one(self, stmt: core.Choose, line: _Line) -> None:
        for item, fits in self._members(stmt, line):
            said = self._said(item, stmt.item)[0]
            cost = fits.cost if fits.explained else GUESS
            step = Step(stmt.var.split("~")[0], item, said, fits, cost, line.at)
            self._walk(line.then(step, line.at.naming(stmt.var, item), sure=fits.explained))

    def _several(self, stmt: core.Choose, line: _Line) -> None:
        """Of several, those that explain the words best, one after another."""
        chosen = self._best_together(stmt, line)
        if not chosen:
            return
        values = [item for item, _ in chosen]
        made = frozenset(values) if stmt.mode == "some" else tuple(values)
        text = (", " if stmt.mode == "some" else ", then ").join(
            self._said(item, stmt.item)[0] for item in values
        )
        explained = frozenset[int]().union(*(f.explained for _, f in chosen))
        cost = sum(f.cost for _, f in chosen)
        step = Step(stmt.var.split("~")[0], made, text, Fit(explained), cost, line.at)
        self._walk(line.then(step, line.at.naming(stmt.var, made), sure=explained))

    def _best_together(self, stmt: core.Choose, line: _Line) -> list[tuple[Value, Fit]]:
        left, chosen = self.needed - line.sure, list[tuple[Value, Fit]]()
        fits = {
            item: self._fit(self._said(item, stmt.item)[1])
            for item in self._meant(stmt, line.at.scope)
        }
        while left and fits:
            item = max(fits, key=lambda m: (len(fits[m].explained & left), -fits[m].cost))
            if not fits[item].explained & left:
                break
            found = fits.pop(item)
            chosen.append((item, found))
            left -= found.explained
        return chosen

    def _members(self, stmt: core.Choose, line: _Line) -> list[tuple[Value, Fit]]:
        """The members that explain most of the words that are left.

        If none explains any: all of them unexplained, unless nothing is left to explain.
        """
        left = self.needed - line.sure
        found, telling = self._fitting(self._meant(stmt, line.at.scope), stmt.item, left)
        if telling:
            return telling
        return [] if self.needed <= line.explained else [(item, Fit()) for item in found]

    def _fitting(
        self, members: tuple[Value, ...], t: Type, left: frozenset[int]
    ) -> tuple[list[Value], list[tuple[Value, Fit]]]:
        """The members that can be told apart, and those that explain most of these words, worked
        out once."""
        key = (members, str(t), left)
        if key in self.fitting:
            return self.fitting[key]
        found: list[tuple[Value, Fit]] = []
        for item in self.game.lookahead.distinct(self.s, members, t):
            self.looked_at += 1
            found.append((item, self._fit(self._said(item, t)[1], left)))
            if self.looked_at >= MOST_LOOKED_AT:
                break
        sets = {f.explained & left for _, f in found}
        best = [(i, f) for i, f in found if f.explained & left]
        best = [(i, f) for i, f in best if not any(f.explained & left < x for x in sets)]
        self.fitting[key] = ([item for item, _ in found], best)
        return self.fitting[key]

    def _meant(self, stmt: core.Choose, scope: Env) -> tuple[Value, ...]:
        """What may be chosen; or all it is chosen from, and perhaps what lies elsewhere too."""
        if self.allowed:
            return tuple(self.game.lookahead.members(self.s, scope, stmt))
        members = tuple(ordered(self.game.rules.members(stmt.domain, self.s, scope)))
        if not self.wide:
            return members
        known = str(stmt.item)
        if known not in self.elsewhere:
            self.elsewhere[known] = self._elsewhere(stmt.item)
        here = frozenset(members)
        return (*members, *(item for item in self.elsewhere[known] if item not in here))

    def _elsewhere(self, t: Type) -> list[Value]:
        """All pieces or sites of a type, wherever they are.

        Of sets of sites those of one site; of numbers those that were typed.
        """
        if t == NUMBER:
            return [int(word) for word in self.typed if word.isdecimal() and len(word) < 10]
        if isinstance(t, PieceT):
            return list(self.game.setup.by_component[t.name])
        site = t.of if isinstance(t, SetT) else t
        if not isinstance(site, SiteT):
            return []
        info = self.game.setup.boards[site.board]
        sites = sorted(all_sites(self.s, info, site.role))
        return [frozenset({x}) for x in sites] if isinstance(t, SetT) else [*sites]

    def _said(self, value: Value, t: Type) -> tuple[str, tuple[str, ...]]:
        of_type = self.spoken_of.setdefault(str(t), {})
        known = of_type.get(value)
        if known is None:
            text = self.game.presenter.text(value, t, self.s)
            known = of_type[value] = (text, words(text))
        return known


@dataclass
class Searched:
    """What the words of the last line were held against, in this state."""

    state: State
    typed: tuple[str, ...]
    found: dict[bool, tuple[Search, list[Wish]]] = field(
        default_factory=dict
    )  # by whether it was looked for widely


def _better(one: Wish, other: Wish) -> bool:
    """Does one way begin as the other does, and need no more guessing?"""
    short, long = (one, other) if len(one.steps) < len(other.steps) else (other, one)
    if one is other or long.steps[: len(short.steps)] != short.steps:
        return False
    return one.cost < other.cost or (one.cost == other.cost and one is short)


def against(state: State, wish: Wish) -> list[Refusal]:
    """Every line that stands against a wish; empty if nothing does."""
    found: list[Refusal] = []
    s = state.acted_on_by(wish.player)
    for step in wish.steps:
        stmt = step.stmt
        if isinstance(stmt, core.Take):
            found += _against_action(state, s, stmt, wish.player, text(step.value))
        elif isinstance(stmt, core.Choose):
            for value in (step.value,) if stmt.mode == "one" else ordered(members(step.value)):
                found += refusals.of_member(state, s, step.at, stmt, value)
    found += refusals.of_place(state, s, wish.end, {})
    if not found:
        try:
            wish.follow(state)
        except Illegal as error:
            return error.reasons or [Refusal("", wish.text, (), "", str(error))]
    return found


def _against_action(
    state: State, s: Position, stmt: core.Take, player: int, name: str
) -> list[Refusal]:
    procedure = state.game.rules_source.procedures[name]
    env = {procedure.params[0][0]: player}
    found: list[Refusal] = []
    if name not in stmt.actions:
        found.append(refusals.not_among(state, stmt, procedure))
    if procedure.guard is not None and not state.game.rules.holds(s, procedure.guard, env):
        title, clause = procedure.title, procedure.clause
        found += refusals.judge(state, s, procedure.guard, env, clause, title)
    return found
