"""A scenario on its way: what is played, and what is expected of it."""

from __future__ import annotations

from typing import Any

from interpreter.engine.decisions import Option, Spec
from interpreter.engine.events import Refused
from interpreter.game.game import Game, Illegal, State
from interpreter.game.refusals import why_not
from interpreter.model.position import Position
from interpreter.scenarios.fixture import Failed, Stage, asks, titles_only
from rulelang import core
from rulelang.core.types import PLAYER, OptionalT, PieceT
from rulelang.core.values import ordered
from rulelang.phrases.describe import Describer
from rulelang.ruleset import Step


class Trial(Stage):
    """One scenario on its way."""

    def step(self, step: Step) -> None:
        """Do one step; raises Failed."""
        for part in core.walk((step.player, *step.cond, *step.body, *(e for _, e in step.args))):
            if (
                isinstance(part, core.Const)
                and part.type == PLAYER
                and isinstance(part.value, int)
                and part.value >= self.game.players
            ):
                raise Failed(
                    f"p{part.value + 1} does not play: the scenario is for {self.game.players} player{'s' if self.game.players > 1 else ''}"
                )
        getattr(self, f"_{step.kind}")(step)

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
            self.cited = {
                c
                for f in error.failures
                for clause in (f.rule.clause, *f.also)
                if clause in clauses
                for c in clauses[clause].cites
            }
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
            game.effects.propose(self.s, step.name, tuple(values))
            if self.s.dirty:
                self.s.dirty = False
                game.effects.after_change(self.s)
            return
        answers = list(step.args)
        if self.flowing or (self.s.stack and step.name in ("choose", "take")):
            if step.name not in ("choose", "take"):
                self.decide(player, "action", step.name)
        else:
            procedure = self.rules.procedures[step.name]
            if procedure.is_action and not game.lookahead.offered(self.s, step.name, player):
                choices = {
                    name: game.presenter.data(self.chosen(e, e.type, None), e.type, self.s)
                    for name, e in answers
                }
                raise Illegal(
                    "not offered", why_not(State(game, self.s), player, step.name, choices)
                )
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
            spec = next((x for x in specs if x.name == name and x.player == player), None) or next(
                (x for x in specs if x.name == name), None
            )
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
                offered = (
                    set(self.game.decider.options(self.s, spec))
                    if spec.mode == "one"
                    else set(spec.domain)
                )
                members = [m for m in members if m in offered] or members
            free = [
                m
                for m in members
                if at.where[m] is not None and at.where[m][0] not in ("on", "tile")
            ]
            return (free or members or [None])[0]
        found = self.value(expr, at)
        if (
            spec is not None
            and spec.mode == "some"
            and isinstance(expr, core.SetOp | core.Titled | core.SetOf)
            and isinstance(found, frozenset)
        ):
            wanted = spec.domain
            return (
                frozenset(found & set(wanted))
                if not found <= set(wanted) and titles_only(expr)
                else found
            )
        return found

    def decide(self, player: int, name: str, value: Any) -> None:
        """Take a decision through the public door, with all its checks."""
        state = State(self.game, self.s)
        later = state.choose(Option(player, name, value))
        self.s = later.position

    def _expect(self, step: Step) -> None:
        advised = any(asks(cond, {"advised"}) for cond in step.cond)
        known = {"advised": self.advised(step.cites)} if advised else {}
        for cond in step.cond:
            if not self.game.rules.holds(self.s, cond, self.env(asks(cond, {"witnesses"})) | known):
                raise Failed(self._unlike(cond))
        if step.cites and not advised:
            self._cited(step)
        if step.lines:
            self._lines(step)

    def _unlike(self, cond: core.Expr) -> str:
        said = Describer(self.rules).say(cond)
        if isinstance(cond, core.Compare):
            found = self.value(cond.left)
            said += f"; it is {self.game.presenter.text(found, cond.left.type, self.s)}"
        if self.refused is not None:
            said += (
                f" (the play was refused: {'; '.join(self.refused) or getattr(self, 'why', '')})"
            )
        return f"expected: {said}"

    def _cited(self, step: Step) -> None:
        if self.refused is None:
            raise Failed("expected a refusal, but the play was accepted")
        cited = self.cited
        missing = [c for c in step.cites if c not in cited]
        if missing:
            raise Failed(
                f"refused, but not by {', '.join(missing)}: by {', '.join(sorted(cited)) or '; '.join(self.refused) or 'no clause'}"
            )

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
