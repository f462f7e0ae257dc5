"""A scenario on its way: what is played, and what is expected of it."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.engine.decisions import Option, Spec
from interpreter.engine.events import Refused
from interpreter.game import log
from interpreter.game.game import Illegal, State
from interpreter.game.refusals import why_not
from interpreter.model.position import Position
from interpreter.model.tally import Tally
from interpreter.scenarios.fixture import Failed, Stage, asks, titles_only
from rulelang import core
from rulelang.core.types import PLAYER, OptionalT, PieceT
from rulelang.core.values import Value, number, numbers
from rulelang.diagnostics.english import counted
from rulelang.phrases.describe import Describer
from rulelang.ruleset import Step


class Trial(Stage):
    """One scenario on its way."""

    def step(self, step: Step) -> None:
        """Do one step; raises Failed."""
        for part in core.walk((step.player, *step.cond, *step.body, *(e for _, e in step.args))):
            if isinstance(part, core.Const) and part.type == PLAYER:
                self._seated(part.value)
        STEPS[step.kind](self, step)

    def _seated(self, player: object) -> None:
        """Raises Failed for a player who does not play."""
        count = self.game.players
        if isinstance(player, int) and player >= count:
            raise Failed(
                f"p{player + 1} does not play: the scenario is for {counted(count, 'player')}"
            )

    # -------------------------------------------------------------------------- plays
    def play(self, step: Step) -> None:
        """Play, on a copy of the position; what is refused leaves it as it was."""
        player = number(self.value(step.player))
        self.refused, before = None, self.s
        self.earlier = before
        self.s = self.s.copy()
        try:
            self._carry_out(step, player)
        except Refused as error:
            self.s = before
            self.refused = [f.rule.clause for f in error.failures]
            self.cited = self._cites_of(error)
        except Illegal as error:
            self.s = before
            self.refused = [r.clause for r in error.reasons]
            self.cited = {c for r in error.reasons for c in r.cites}
            self.why = str(error)
        else:
            entries = log.since(self.s.log, before.log) or []
            self.tallies = tuple(t for e in entries for t in e.totals)

    def _cites_of(self, error: Refused) -> set[str]:
        """The statements that the clauses of failed rules cite."""
        clauses = self.rules.clauses
        broken = [c for f in error.failures for c in (f.rule.clause, *f.also) if c in clauses]
        return {cite for clause in broken for cite in clauses[clause].cites}

    def _carry_out(self, step: Step, player: int) -> None:
        """An event, or an action or procedure with its answers; raises Refused, Illegal, Failed."""
        if step.name in self.rules.events:
            self._propose(step, player)
            return
        answering = step.name in ("choose", "take")
        answers = list(step.args)
        if self.flowing or (self.s.stack and answering):
            if not answering:
                self.decide(player, "action", step.name)
        else:
            answers = self._begin(step, player)
        for name, expr in answers:
            self._answer(player, name, expr)
        if not self.flowing and self.s.ended is None and not answering:
            specs = self.game.decider.open(self.s)
            if specs:
                raise Failed(f"a choice is asked that the play does not give: {specs[0].name}")

    def _propose(self, step: Step, player: int) -> None:
        """Do an event with these values, under its rules."""
        given = dict(step.args)
        values = []
        for name, t in self.rules.events[step.name].params:
            if name not in given and t != PLAYER:
                raise Failed(f"{step.name} needs a value for {name}")
            values.append(self.chosen(given[name], None) if name in given else player)
            if values[-1] is None and not isinstance(t, OptionalT | PieceT):
                raise Failed(f"there is no such {name} to play with")
        effects = self.game.effects
        effects.propose(self.s, step.name, tuple(values))
        if self.s.dirty:
            self.s.dirty = False
            effects.after_change(self.s)

    def _begin(self, step: Step, player: int) -> list[tuple[str, core.Expr]]:
        """Begin an action or procedure where no flow runs; returns the answers still to give."""
        game, answers = self.game, dict(step.args)
        procedure = self.rules.procedures[step.name]
        if procedure.is_action and not game.lookahead.offered(self.s, step.name, player):
            choices = {
                name: game.presenter.data(self.chosen(e, None), e.type, self.s)
                for name, e in answers.items()
            }
            why = why_not(State(game, self.s), player, step.name, choices)
            raise Illegal("not offered", why)
        values = []
        for name, t in procedure.params:
            if name in answers:
                values.append(self.value(answers.pop(name)))
            elif t == PLAYER:
                values.append(player)
            else:
                raise Failed(f"{step.name} needs a value for {name}")
        self.s.stack = []
        game.machine.call(self.s, step.name, tuple(values))
        game.machine.run(self.s)
        return [(name, expr) for name, expr in step.args if name in answers]

    def _answer(self, player: int, name: str, expr: core.Expr) -> None:
        """Answer the open decision of this name: this player's, or else whoever's it is."""
        specs = self.game.decider.open(self.s)
        named = [spec for spec in specs if spec.name == name]
        if not named:
            asked = ", ".join(spec.name for spec in specs) or "nothing"
            raise Failed(f"`{name}` is not asked now; asked is {asked}")
        spec = next((spec for spec in named if spec.player == player), named[0])
        self.decide(spec.player, name, self.chosen(expr, spec))

    def chosen(self, expr: core.Expr, spec: Spec | None) -> Value:
        """The value of a choice, as its player sees things.

        A title stands for a piece that is offered, or one that is still to be had.
        """
        at = self.s.branches[spec.seat] if spec is not None and spec.seat is not None else self.s
        if isinstance(expr, core.Pick) and isinstance(expr.of, core.Titled):
            return self._piece_called(expr.of, spec, at)
        found: Value = self.value(expr, at)
        if spec is None or spec.mode != "some" or not isinstance(found, frozenset):
            return found
        # of the pieces of a title those that are offered are meant
        offered = found & set(spec.domain)
        return offered if found != offered and titles_only(expr) else found

    def _piece_called(self, title: core.Titled, spec: Spec | None, at: Position) -> Value:
        """A piece of this title: one that is offered, then one that lies on no board."""
        members = numbers(self.value(title, at))
        if spec is not None:
            listed = self.game.decider.options(self.s, spec) if spec.mode == "one" else spec.domain
            offered = set(listed)
            members = [m for m in members if m in offered] or members
        placed = ((m, at.where[m]) for m in members if isinstance(m, int))
        free = [m for m, where in placed if where is not None and where[0] not in ("on", "tile")]
        return next(iter(free or members), None)

    def decide(self, player: int, name: str, value: Value) -> None:
        """Take a decision through the public door, with all its checks."""
        state = State(self.game, self.s)
        later = state.choose(Option(player, name, value))
        self.s = later.position

    def expect(self, step: Step) -> None:
        """Hold the position against conditions, citations and score lines; raises Failed."""
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
            said += f" (the play was refused: {'; '.join(self.refused) or self.why})"
        return f"expected: {said}"

    def _cited(self, step: Step) -> None:
        if self.refused is None:
            raise Failed("expected a refusal, but the play was accepted")
        cited = self.cited
        missing = [c for c in step.cites if c not in cited]
        if missing:
            raise Failed(
                f"refused, but not by {', '.join(missing)}: "
                f"by {', '.join(sorted(cited)) or '; '.join(self.refused) or 'no clause'}"
            )

    def _lines(self, step: Step) -> None:
        found = [(c.op, c.amount, c.label) for t in self.tallies for c in t.lines]
        wanted = [(op, self.value(amount), label) for op, amount, label in step.lines]
        if found != wanted:
            said = "; ".join(f"{op} {n} {label!r}" for op, n, label in found)
            raise Failed(f"the lines that counted are {said or 'none'}")
        for tally in self.tallies:
            _check_totals(tally)


def _check_totals(tally: Tally) -> None:
    """Work the running totals of a table out anew from its lines; raises Failed where one differs.

    A line that counted but changed nothing, or one that was passed over, would show here.
    """
    total = 0
    for line in tally.lines:
        match line.op:
            case "+":
                total += line.amount
            case "-":
                total -= line.amount
            case "times":
                total *= line.amount
            case _:  # start, exactly, and bounds that counted set the total
                total = line.amount
        if line.total != total:
            raise Failed(f"after {line.label!r} the total is {line.total}; by its lines {total}")
    if tally.total != total:
        raise Failed(f"the total is {tally.total}; by the lines that counted {total}")


# what each kind of step does
STEPS: dict[str, Callable[[Trial, Step], None]] = {
    "players": Stage.settled,
    "with": Stage.settled,
    "deck": Stage.settled,
    "seed": Stage.seed,
    "start": Stage.start,
    "board": Stage.draw,
    "given": Stage.set_up,
    "play": Trial.play,
    "expect": Trial.expect,
}
