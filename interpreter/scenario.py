"""Scenarios: a position is built, played on, and held against what is expected; test, bug report and ruling in one."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.decisions import Option, Spec
from interpreter.effects import Refused
from interpreter.evaluate import Fault
from interpreter.game import Game, Illegal, State, game_of
from interpreter.loading import Loaded, RulesError, overlay
from interpreter.placing import picture
from interpreter.reasons import why_not
from interpreter.rules import Tally
from interpreter.sites import ordered
from interpreter.state import Position, empty_position
from rulelang import core
from rulelang.describe import Describer
from rulelang.ruleset import Ruleset, Scenario, Step
from rulelang.source import Span
from rulelang.types import PLAYER, TRUTH, OptionalT, PieceT


@dataclass(frozen=True)
class Outcome:
    """What came of one scenario: passed or why not, at which line, and the clauses looked at on the way."""

    name: str
    passed: bool
    message: str
    span: Span
    touched: frozenset[str] = frozenset()
    cites: tuple[str, ...] = ()


class Failed(Exception):
    """An expectation that does not hold."""


def run_all(loaded: Loaded, without: frozenset[str] = frozenset(), names: set[str] | None = None, record: bool = False) -> list[Outcome]:
    """Run the scenarios of a ruleset (all, or those named) under the settings each asks for."""
    runner = Runner(loaded, without, record)
    return [runner.run(s) for s in loaded.compiled.rules.scenarios if names is None or s.name in names]


@dataclass
class Runner:
    """Runs scenarios; games for the same settings are built once."""

    loaded: Loaded
    without: frozenset[str] = frozenset()
    record: bool = False
    games: dict[Any, Game] = field(default_factory=dict)
    overlaid: dict[tuple[str, ...], Loaded] = field(default_factory=dict)

    def run(self, scenario: Scenario) -> Outcome:
        """Run one scenario."""
        game: Game | None = None
        step: Step | None = None
        touched: frozenset[str] = frozenset()
        try:
            if self.uninvited(scenario):
                return Outcome(scenario.name, True, "", scenario.span, touched, scenario.cites)
            game, scenario = self.prepare(scenario)
            game.rules.touched.clear()
            play = _Play(game)
            for step in scenario.steps:
                play.step(step)
            message, passed = "", True
        except (Failed, Fault, Illegal, ValueError) as error:
            message, passed = str(error), False
        except RulesError as error:
            message, passed = error.found[0].message, False
        except KeyError as error:
            message, passed = f"nothing is known of {str(error).split('~')[0]} here", False
        if game is not None:
            touched = frozenset(game.rules.touched)
        return Outcome(scenario.name, passed, message, step.span if step is not None and not passed else scenario.span, touched, scenario.cites)

    def uninvited(self, scenario: Scenario) -> bool:
        """Is it about a number of players the game is not for, and is that all it expects? Such a game cannot be set up to be looked at."""
        rules = self.loaded.compiled.rules
        low, high = rules.players
        count = next((step.number for step in scenario.steps if step.kind == "players"), low)
        if low <= count and (high is None or count <= high):
            return False
        clause = next((c for c in rules.clauses.values() if c.kind == "game" and c.label == "players"), None)
        wanted = [step for step in scenario.steps if step.kind not in ("players", "with")]
        if clause is None or [(step.kind, step.lines, step.cond) for step in wanted] != [("expect", (), (core.Var("refused", type=TRUTH),))]:
            return False
        if clause.id in self.without:
            raise Failed("expected a refusal, but nothing says how many players there may be")
        missing = [c for c in wanted[0].cites if c not in clause.cites]
        if missing:
            raise Failed(f"refused, but not by {', '.join(missing)}: by {', '.join(clause.cites) or clause.id}")
        return True

    def prepare(self, scenario: Scenario) -> tuple[Game, Scenario]:
        """The game a scenario asks for, and the scenario as compiled with that game's rules."""
        rules = self.loaded.compiled.rules
        players, options, variants = rules.players[0], {}, list[str]()
        for step in scenario.steps:
            if step.kind == "players":
                players = step.number
            elif step.kind == "with":
                for name, value in step.settings:
                    if value is None:
                        variants.append(name)
                    else:
                        options[name] = int(value) if value.isdigit() else value
        loaded = self.loaded
        if variants:
            key = tuple(sorted(variants))
            if key not in self.overlaid:
                self.overlaid[key] = overlay(self.loaded, key)
            loaded = self.overlaid[key]
            scenario = next(s for s in loaded.compiled.rules.scenarios if s.name == scenario.name)
        key2 = (tuple(sorted(variants)), players, tuple(sorted(options.items())))
        if key2 not in self.games:
            self.games[key2] = game_of(loaded, players, tuple(variants), options, without=self.without, record=self.record)
        return self.games[key2], scenario


class _Play:
    """One scenario on its way."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules: Ruleset = game.rules_source
        self.s: Position = empty_position(game.setup, 0)
        self.refused: list[Any] | None = None
        self.cited: set[str] = set()
        self.tallies: tuple[Tally, ...] = ()
        self.flowing = False
        self.earlier: Position | None = None  # before the last play

    def step(self, step: Step) -> None:
        """Do one step; raises Failed."""
        getattr(self, f"_{step.kind}")(step)

    def env(self, witnessed: bool = False) -> dict[str, Any]:
        """The words a scenario may ask about; who witnessed the last play is worked out only if asked."""
        state = State(self.game, self.s)
        scored = next((t.total for t in self.tallies), 0)
        return {
            "scored": scored, "refused": self.refused is not None, "ended": self.s.ended is not None,
            "winners": frozenset(state.winners), "deciding": frozenset(d.player for d in state.decisions),
        } | ({"witnesses": self.witnesses()} if witnessed else {})  # fmt: skip

    def witnesses(self) -> frozenset[int]:
        """The players who see the game otherwise since the last play; whose turn it is to decide is no sight of it."""
        if self.earlier is None:
            return frozenset()
        before, now = State(self.game, self.earlier), State(self.game, self.s)
        unseen = {"decisions": None, "undo": None}
        return frozenset(p for p in range(self.game.players) if before.view(p) | unseen != now.view(p) | unseen)

    def _players(self, step: Step) -> None:
        """Read before the game was built."""

    _with = _players

    def _seed(self, step: Step) -> None:
        self.s.seed = step.number

    def _start(self, step: Step) -> None:
        self.s.seed = step.number or self.s.seed
        self.flowing = True
        self.game.machine.begin(self.s)
        try:
            self.game.machine.run(self.s)
        except Refused as error:
            raise Failed(str(error)) from error

    def _board(self, step: Step) -> None:
        copy = int(self.value(step.player)) if step.player is not None else 0
        signs = picture(self.game.setup, self.s, step.name, list(step.rows), self.game.rules, copy)
        self.s.touch()
        legend = {sign: (value, who) for sign, value, who in step.legend}
        board = self.rules.boards[step.name]
        for sign, cells in signs.items():
            if board.grown_from is not None:
                continue
            if sign not in legend:
                raise Failed(f"the sign {sign} of the picture is not explained")
            value, who = legend[sign]
            for cell in cells:
                self._lay(step.name, cell, value, who)

    def _lay(self, board: str, cell: int, value: core.Expr, who: core.Expr | None) -> None:
        """Put what a sign stands for on a cell: a piece of a set, or the value of the board's only cell variable."""
        t = value.type
        inner = getattr(t, "of", t)
        piece_of = getattr(inner, "name", "") if type(inner).__name__ == "PieceT" else None
        if piece_of:
            owner = self.value(who) if who is not None else None
            free = [
                p for p in ordered(self.value(value))
                if (self.s.where[p] is None or self.s.where[p][0] not in ("on", "tile")) and (owner is None or self.game.setup.pieces[p].owner == owner)
            ]  # fmt: skip
            if not free:
                raise Failed("there are not enough pieces for the picture")
            layer = next(x for x in self.rules.boards[board].layers if x.component == piece_of)
            self.s.put(free[0], layer.name, (cell,))
            return
        states = [v for v in self.rules.states.values() if type(v.of).__name__ == "SiteT" and getattr(v.of, "board", "") == board]
        fitting = [v for v in states if v.type == t or getattr(v.type, "of", None) == t]
        if len(fitting) != 1:
            raise Failed("it is not clear which variable of the cells the picture shows")
        self.s.assign(fitting[0].name, cell, self.value(value))

    def value(self, expr: core.Expr | None, at: Position | None = None) -> Any:
        """An expression's value here, or in another position."""
        assert expr is not None
        return self.game.rules.evaluator.value(expr, self.s if at is None else at, self.env(_asks(expr, {"witnesses"})) if _asks(expr) else {})

    def _given(self, step: Step) -> None:
        env: dict[str, Any] = {}
        for stmt in step.body:
            try:
                self.given(env, stmt)
            except Refused as error:
                raise Failed(str(error)) from error
        self.s.dirty = False

    def given(self, env: dict[str, Any], stmt: core.Stmt) -> None:
        """A statement of a `given` block: events are performed without asking their rules."""
        machine = self.game.machine
        if isinstance(stmt, core.Do) and stmt.target in self.rules.events:
            values = tuple(self.game.rules.evaluator.value(a, self.s, env) for a in stmt.args)
            machine.perform(self.s, stmt.target, values)
        elif isinstance(stmt, core.Do):
            values = tuple(self.game.rules.evaluator.value(a, self.s, env) for a in stmt.args)
            machine.call(self.s, stmt.target, values)
            machine.run(self.s)
        elif isinstance(stmt, core.Put) and not isinstance(stmt.what, core.Var):
            self._put(env, stmt)
        else:
            machine.effect(self.s, env, stmt)

    def _put(self, env: dict[str, Any], stmt: core.Put) -> None:
        """`put "title" at …`: a piece of that title that is not on a board yet."""
        what = stmt.what.of if isinstance(stmt.what, core.Pick) else stmt.what
        found = self.game.rules.evaluator.value(what, self.s, env)
        members = ordered(found) if isinstance(found, frozenset | tuple) else [found]
        free = [p for p in members if p is not None and (self.s.where[p] is None or self.s.where[p][0] not in ("on", "tile"))]
        if not free:
            raise Failed("there is no such piece left to put")
        made = core.Put(core.Const(free[0]), stmt.layer, stmt.sites, span=stmt.span)
        self.game.machine.effect(self.s, env, made)

    # ---------------------------------------------------------------------------------------- playing
    def _play(self, step: Step) -> None:
        player = self.value(step.player)
        self.refused, before = None, self.s
        self.earlier = before
        mark = self.s.log
        trial = self.s.copy()
        self.s = trial
        try:
            self._do(step, player)
        except Refused as error:
            self.s = before
            self.refused = [f.rule.clause for f in error.failures]
            clauses = self.rules.clauses
            self.cited = {c for f in error.failures for clause in (f.rule.clause, *f.also) if clause in clauses for c in clauses[clause].cites}
        except Illegal as error:
            self.s = before
            self.refused = [r.clause for r in error.reasons]
            self.cited = {c for r in error.reasons for c in r.cites}
            self.why = error
        entries = []
        rest = self.s.log
        while rest and rest is not mark:
            entries.append(rest[0])
            rest = rest[1]
        if self.refused is None:
            self.tallies = tuple(t for e in reversed(entries) for t in e.totals)

    def _do(self, step: Step, player: int) -> None:
        machine, game = self.game.machine, self.game
        if step.name in self.rules.events:
            given = dict(step.args)
            values = []
            for name, t in self.rules.events[step.name].params:
                if name in given:
                    values.append(self.chosen(given[name], t, None))
                elif t == PLAYER:
                    values.append(player)
                else:
                    raise Failed(f"{step.name} needs a value for {name}")
                if values[-1] is None and not isinstance(t, OptionalT | PieceT):
                    raise Failed(f"there is no such {name} to play with")
            machine.propose(self.s, step.name, tuple(values))
            if self.s.dirty:
                self.s.dirty = False
                machine.after_change(self.s)
            return
        answers = list(step.args)
        if self.flowing or (self.s.stack and step.name in ("choose", "take")):
            if step.name not in ("choose", "take"):
                self.decide(player, "action", step.name)
        else:
            procedure = self.rules.procedures[step.name]
            if procedure.is_action and not game.decider.offered(self.s, step.name, player):
                choices = {name: self.value(e) for name, e in answers}
                raise Illegal("not offered", why_not(_Raw(game, self.s), player, step.name, choices))
            self.s.stack = []
            values = []
            for name, t in procedure.params:
                given2 = next((e for n, e in answers if n == name), None)
                if t == PLAYER and given2 is None:
                    values.append(player)
                elif given2 is not None:
                    values.append(self.value(given2))
                    answers = [(n, e) for n, e in answers if n != name]
                else:
                    raise Failed(f"{step.name} needs a value for {name}")
            machine.call(self.s, step.name, tuple(values))
            machine.run(self.s)
        for name, expr in answers:
            specs = game.decider.open(self.s)
            spec = next((x for x in specs if x.name == name and x.player == player), None) or next((x for x in specs if x.name == name), None)
            if spec is None:
                asked = ", ".join(x.name for x in specs) or "nothing"
                raise Failed(f"`{name}` is not asked now; asked is {asked}")
            self.decide(spec.player, name, self.chosen(expr, spec.item, spec))
        if not self.flowing and self.s.ended is None and step.name not in ("choose", "take"):
            specs = game.decider.open(self.s)
            if specs:
                raise Failed(f"a choice is asked that the play does not give: {specs[0].name}")

    def chosen(self, expr: core.Expr, t: Any, spec: Spec | None) -> Any:
        """The value of a choice, as its player sees things; a title stands for a piece that is offered, or one that is still to be had."""
        at = self.s.branches[spec.seat] if spec is not None and spec.seat is not None else self.s
        if isinstance(expr, core.Pick) and isinstance(expr.of, core.Titled):
            members = ordered(self.value(expr.of, at))
            if spec is not None:
                offered = set(self.game.decider.options(self.s, spec)) if spec.mode == "one" else set(spec.domain)
                members = [m for m in members if m in offered] or members
            free = [m for m in members if at.where[m] is not None and at.where[m][0] not in ("on", "tile")]
            return (free or members or [None])[0]
        found = self.value(expr, at)
        if spec is not None and spec.mode == "some" and isinstance(expr, core.SetOp | core.Titled | core.SetOf) and isinstance(found, frozenset):
            wanted = spec.domain
            return frozenset(found & set(wanted)) if not found <= set(wanted) and _titles_only(expr) else found
        return found

    def decide(self, player: int, name: str, value: Any) -> None:
        """Take a decision through the public door, with all its checks."""
        state = State(self.game, self.s)
        later = state.choose(Option(player, name, value))
        self.s = later.position

    def _expect(self, step: Step) -> None:
        for cond in step.cond:
            if not self.game.rules.holds(self.s, cond, self.env(_asks(cond, {"witnesses"}))):
                raise Failed(self._unlike(cond))
        if step.cites:
            self._cited(step)
        if step.lines:
            self._lines(step)

    def _unlike(self, cond: core.Expr) -> str:
        said = Describer(self.rules).say(cond)
        if isinstance(cond, core.Compare):
            found = self.value(cond.left)
            said += f"; it is {self.game.presenter.text(found, cond.left.type, self.s)}"
        if self.refused is not None:
            said += f" (the play was refused: {'; '.join(self.refused) or getattr(self, 'why', '')})"
        return f"expected: {said}"

    def _cited(self, step: Step) -> None:
        if self.refused is None:
            raise Failed("expected a refusal, but the play was accepted")
        cited = self.cited
        missing = [c for c in step.cites if c not in cited]
        if missing:
            raise Failed(f"refused, but not by {', '.join(missing)}: by {', '.join(sorted(cited)) or '; '.join(self.refused) or 'no clause'}")

    def _lines(self, step: Step) -> None:
        found = [(c.op, c.amount, c.label) for t in self.tallies for c in t.lines]
        wanted = [(op, self.value(amount), label) for op, amount, label in step.lines]
        if found != wanted:
            said = "; ".join(f"{op} {n} {label!r}" for op, n, label in found)
            raise Failed(f"the lines that counted are {said or 'none'}")


class _Raw(State):
    """A state around a position in which no flow is running."""

    def __init__(self, game: Game, position: Position) -> None:
        super().__init__(game, position)


_WORDS = {"scored", "refused", "ended", "winners", "deciding", "witnesses"}


def _asks(expr: core.Expr, names: set[str] = _WORDS) -> bool:
    """Does the expression speak of what only a scenario knows?"""
    if isinstance(expr, core.Var):
        return expr.name in names
    for value in expr.__dict__.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, core.Expr) and _asks(part, names):
                return True
    return False


def _titles_only(expr: core.Expr) -> bool:
    if isinstance(expr, core.Titled):
        return True
    if isinstance(expr, core.SetOp):
        return _titles_only(expr.left) and _titles_only(expr.right)
    return False
