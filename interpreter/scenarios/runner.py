"""A scenario on its way: what is played, and what is expected of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from interpreter.engine.decisions import Option, Spec
from interpreter.engine.events import Refused
from interpreter.game import log, refusals
from interpreter.game.game import Game, Illegal, State
from interpreter.game.position_checks import impossible
from interpreter.game.refusals import Refusal
from interpreter.model.position import Position
from interpreter.scenarios import expectations
from interpreter.scenarios.fixture import Failed, Stage, asks, titles_only
from rulelang import core
from rulelang.core.types import PLAYER, TEXT, ListT, OptionalT, PieceT
from rulelang.core.values import Value, number, numbers
from rulelang.diagnostics.english import counted
from rulelang.diagnostics.source import Span
from rulelang.ruleset import Answer, Step

ANSWERING = ("choose", "take")  # plays that only answer what is open
NOT_ASKED = "not asked"  # the label of the refusal of an answer that nobody asked for
MOST_COPIES = 200  # ways to take pieces of the titles named that are tried with an event


@dataclass(frozen=True)
class Failure:
    """An expectation that does not hold, or a step that cannot be carried out, and where; with what
    was expected and what there is, where these can be held side by side.
    """

    message: str
    span: Span
    expected: str = ""
    found: str = ""


class Trial(Stage):
    """One scenario on its way; `failures` are the expectations that did not hold so far."""

    def __init__(self, game: Game) -> None:
        """Nothing is played yet."""
        super().__init__(game)
        self.failures: list[Failure] = []
        self.unexpected: Step | None = None  # a refused play that nothing was expected of yet
        self.unchecked: Step | None = None  # what was given last, as long as nobody looked at it

    def step(self, step: Step) -> None:
        """Do one step; raises Failed where it cannot be done."""
        told = step.told
        about = [told.player, told.place] if told is not None else []
        about += [meaning for item in (told.items if told else ()) for meaning in item.meanings]
        given = [expr for answer in step.args for expr in (answer.value, answer.player)]
        for part in core.walk((step.player, *step.cond, *step.body, *about, *given)):
            if isinstance(part, core.Const) and part.type == PLAYER:
                self._seated(part.value)
        if step.kind not in ("expect", "told"):
            self.close()
        if step.kind in ("board", "given"):
            self.unchecked = step
        else:
            self._check_given()
        STEPS[step.kind](self, step)

    def _check_given(self) -> None:
        """Raises Failed where what was given cannot be: a position that no play could lead to.

        A piece may cover a whole region for short, whatever its form.
        """
        step, self.unchecked = self.unchecked, None
        wrong = impossible(self.game, self.s, forms=False) if step is not None else []
        if step is not None and wrong:
            raise Failed(f"this cannot be: {'; '.join(wrong)}", step.span)

    def close(self) -> None:
        """Note a refusal that no expectation has spoken of."""
        if self.unexpected is not None:
            message = f"the play was refused, and nothing expects that: {self.reasons()}"
            self.failures.append(Failure(message, self.unexpected.span))
            self.unexpected = None

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
        before = self.s
        self.refused, self.unexpected, self.earlier = None, None, before
        self.s = self.s.copy()
        try:
            self._carry_out(step, player)
        except Refused as error:
            why = refusals.of_failures(State(self.game, self.s), error.failures)
            self._refuse(step, before, why, self._cites_of(error))
        except Illegal as error:
            why = error.reasons or [Refusal("", str(error), (), "")]
            self._refuse(step, before, why, set())
        else:
            entries = log.since(self.s.log, before.log) or []
            self.tallies = tuple(t for e in entries for t in e.totals)

    def _refuse(self, step: Step, before: Position, why: list[Refusal], cites: set[str]) -> None:
        """Take the play back and keep why, and what is asked where it was refused."""
        specs = self.game.decider.open(self.s)
        told = any(reason.label == NOT_ASKED for reason in why)
        self.asked = expectations.asked_in_words(specs) if specs and not told else ""
        self.refused, self.unexpected, self.s = why, step, before
        self.cited = cites | {cite for reason in why for cite in reason.cites}

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
        answering = step.name in ANSWERING
        answers = list(step.args)
        open_now = self.flowing or bool(self.s.stack and (answering or self._is_action(step.name)))
        if not open_now:
            answers = self._begin(step, player)
        elif not answering:
            answers.insert(0, Answer("action", core.Const(step.name, type=TEXT)))
        for index, answer in enumerate(answers):
            self._answer(player, answer, answers[index + 1 :], alone=open_now)
        if not open_now and self.s.ended is None:
            specs = self.game.decider.open(self.s)
            if specs:
                asked = expectations.asked_in_words(specs)
                raise Failed(f"the play does not answer what is asked {asked}")

    def _is_action(self, name: str) -> bool:
        known = self.rules.procedures.get(name)
        return known is not None and known.is_action

    def _propose(self, step: Step, player: int) -> None:
        """Do an event with these values, under its rules."""
        given = {answer.name: answer.value for answer in step.args}
        ways: list[Sequence[Value]] = []
        for name, t in self.rules.events[step.name].params:
            if name not in given and t != PLAYER:
                raise Failed(f"{step.name} needs a value for {name}")
            if name not in given:
                ways.append([player])
                continue
            expr = given[name]
            title = _title(expr)
            ways.append(
                self.copies(title, player) if title is not None else [self.chosen(expr, None)]
            )
            if ways[-1] in ([], [None]) and not isinstance(t, OptionalT | PieceT):
                raise Failed(f"there is no such {name} to play with")
        effects = self.game.effects
        effects.propose(self.s, step.name, self._accepted(step.name, ways))
        if self.s.dirty:
            self.s.dirty = False
            effects.after_change(self.s)

    def _accepted(self, event: str, ways: list[Sequence[Value]]) -> tuple[Value, ...]:
        """The first of these values with which the rules accept the event, or else the first."""
        tried = itertools.product(*(way or [None] for way in ways))
        first = next(tried)
        more = itertools.islice(itertools.chain([first], tried), MOST_COPIES)
        several = any(len(way) > 1 for way in ways)
        accepts = self.game.rules.accepts
        return next((v for v in more if several and accepts(self.s, event, v)), first)

    def _begin(self, step: Step, player: int) -> list[Answer]:
        """Begin an action or procedure where no flow runs; returns the answers still to give."""
        game, procedure = self.game, self.rules.procedures[step.name]
        if procedure.is_action and not game.lookahead.offered(self.s, step.name, player):
            choices = self._as_data(player, step.args)
            why = refusals.why_not(State(game, self.s), player, step.name, choices)
            raise Illegal("not offered", why)
        given = {answer.name: answer.value for answer in step.args}
        values, params = [], set()
        for name, t in procedure.params:
            if name in given:
                values.append(self.chosen(given[name], None, player))
                params.add(name)
            elif t == PLAYER:
                values.append(player)
            else:
                raise Failed(f"{step.name} needs a value for {name}")
        self.s.stack = []
        game.machine.call(self.s, step.name, tuple(values))
        game.machine.run(self.s)
        return [answer for answer in step.args if answer.name not in params]

    # -------------------------------------------------------------------------- answers
    def _answer(self, player: int, answer: Answer, then: Sequence[Answer], alone: bool) -> None:
        """Answer an open decision of this name; raises Illegal where it is not asked of the player.

        It is the decision of the player who is said to answer, or of the player of the play. Where
        a play begins a procedure (and so does not answer alone), it may be that of the only other
        player who is asked; raises Failed where several are.
        """
        specs = self.game.decider.open(self.s)
        named = [spec for spec in specs if spec.name == answer.name]
        whose = player if answer.player is None else number(self.value(answer.player))
        spec = next((spec for spec in named if spec.player == whose), None)
        if spec is None and answer.player is None and not alone and named:
            if len(named) > 1:
                raise Failed(_whose(answer, named))
            spec = named[0]
        if spec is None:
            need = f"p{whose + 1} to be asked for {answer.name}"
            found = f"asked {expectations.asked_in_words(specs)}"
            raise Illegal(NOT_ASKED, [Refusal("", NOT_ASKED, (), need, found)])
        value = self.chosen(answer.value, spec)
        later = State(self.game, self.s).choose(
            Option(spec.player, answer.name, value), lambda: self._as_data(whose, then)
        )
        self.s = later.position

    def _as_data(self, player: int, answers: Sequence[Answer]) -> Mapping[str, object]:
        """The answers a player goes on to give, as plain data by name; without those that have no
        value yet.
        """
        found: dict[str, object] = {}
        for answer in answers:
            if answer.name not in found and answer.player is None:
                value = self.chosen(answer.value, None, player)
                if value is not None:
                    t = answer.value.type
                    found[answer.name] = self.game.presenter.data(value, t, self.s)
        return found

    def chosen(self, expr: core.Expr, spec: Spec | None, player: int | None = None) -> Value:
        """The value of a choice, as its player sees things.

        A title stands for a piece that is offered, or one that the player holds, or one that is
        still to be had.
        """
        at = self.s.branches[spec.seat] if spec is not None and spec.seat is not None else self.s
        title = _title(expr)
        if title is not None:
            return next(iter(self._offered(title, spec, at, player)), None)
        if spec is not None and isinstance(spec.item, ListT) and isinstance(expr, core.SetOf):
            # choices of one name may be of a set in one place and of a list in another
            return tuple(self.value(item, at) for item in expr.items)
        found: Value = self.value(expr, at)
        if spec is None or spec.mode != "some" or not isinstance(found, frozenset):
            return found
        # of the pieces of a title those that are offered are meant
        offered = found & set(spec.domain)
        return offered if found != offered and titles_only(expr) else found

    def _offered(
        self, title: core.Titled, spec: Spec | None, at: Position, player: int | None
    ) -> Sequence[Value]:
        """The pieces of a title that are offered; if none is, all of them."""
        copies = self.copies(title, player if spec is None else spec.player, at)
        if spec is None:
            return copies
        listed = self.game.decider.options(self.s, spec) if spec.mode == "one" else spec.domain
        offered = set(listed)
        return [piece for piece in copies if piece in offered] or copies

    def copies(
        self, title: core.Titled, player: int | None, at: Position | None = None
    ) -> Sequence[Value]:
        """The pieces of a title: those that the player holds, then those on no board, then the
        others.
        """
        where = (self.s if at is None else at).where
        places = self.rules.places

        def rank(piece: int) -> int:
            lies = where[piece]
            if lies is None:
                return 1
            if len(lies) != 2:
                return 2
            of = places[lies[0]].of if lies[0] in places else None
            return 0 if of == PLAYER and player is not None and lies[1] == player else 1

        members = [p for p in numbers(self.value(title, at)) if p is not None]
        return sorted(members, key=rank)

    def expect(self, step: Step) -> None:
        """Hold the position against an expectation, and note all that does not hold."""
        if step.cites or step.reasons or any(asks(cond, {"refused"}) for cond in step.cond):
            self.unexpected = None
        self._note(expectations.unmet(self, step), step.span)

    def hear(self, step: Step) -> None:
        """Hold what is asked, offered or known against what is expected."""
        assert step.told is not None
        self._note(expectations.told_otherwise(self, step.told), step.span)

    def _note(self, unmet: Iterator[expectations.Unmet], span: Span) -> None:
        self.failures += [Failure(one.message, span, one.expected, one.found) for one in unmet]


def _whose(answer: Answer, named: Sequence[Spec]) -> str:
    """What is told of an answer that several players could give."""
    players = [f"p{spec.player + 1}" for spec in named]
    return (
        f"`{answer.name}` is asked of {' and '.join(players)}: say whose answer it is, "
        f"as in `{answer.name}: … by {players[0]}`"
    )


def _title(expr: core.Expr) -> core.Titled | None:
    """The title that stands for one piece of it."""
    if isinstance(expr, core.Pick) and isinstance(expr.of, core.Titled):
        return expr.of
    return None


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
    "told": Trial.hear,
}
