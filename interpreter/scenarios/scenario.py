"""Scenarios: a position is built, played on, and held against what is expected; test, bug report
and ruling in one.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from interpreter.game.game import Game, Illegal, game_of
from interpreter.game.loading import Loaded, RulesError, Unlawful, overlay
from interpreter.model.values import Fault
from interpreter.scenarios.fixture import Failed
from interpreter.scenarios.runner import Failure, Trial
from rulelang import core
from rulelang.core.types import TRUTH
from rulelang.diagnostics.source import Span
from rulelang.ruleset import OPTION, Deck, Scenario, Step


@dataclass(frozen=True)
class Outcome:
    """What came of one scenario: what failed, and the clauses looked at on the way."""

    name: str
    failures: tuple[Failure, ...]
    at: Span
    touched: frozenset[str] = frozenset()
    cites: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Did everything hold that is expected?"""
        return not self.failures

    @property
    def message(self) -> str:
        """All that does not hold, in words."""
        return "; ".join(failure.message for failure in self.failures)

    @property
    def span(self) -> Span:
        """The first line that does not hold, or the scenario's own."""
        return self.failures[0].span if self.failures else self.at


def variants_of(scenario: Scenario) -> tuple[str, ...]:
    """The variants a scenario is played with, in alphabetical order."""
    return tuple(
        sorted(
            {
                name
                for step in scenario.steps
                if step.kind == "with"
                for name, value in step.settings
                if value is None
            }
        )
    )


def run_all(
    loaded: Loaded,
    without: frozenset[str] = frozenset(),
    names: set[str] | None = None,
    record: bool = False,
) -> list[Outcome]:
    """Run the scenarios of a ruleset (all, or those named) under the settings each asks for."""
    runner = Runner(loaded, without, record)
    return [
        runner.run(s) for s in loaded.compiled.rules.scenarios if names is None or s.name in names
    ]


@dataclass
class Runner:
    """Runs scenarios; games for the same settings are built once."""

    loaded: Loaded
    without: frozenset[str] = frozenset()
    record: bool = False
    games: dict[Hashable, Game] = field(default_factory=dict)
    overlaid: dict[tuple[str, ...], Loaded] = field(default_factory=dict)

    def run(self, scenario: Scenario) -> Outcome:
        """Run one scenario."""
        game: Game | None = None
        touched: frozenset[str] = frozenset()
        failures: tuple[Failure, ...] = ()
        try:
            if self.uninvited(scenario):
                return Outcome(scenario.name, (), scenario.span, touched, scenario.cites)
            try:
                game, scenario = self.prepare(scenario)
            except Unlawful as error:
                if not _only_refused(scenario):
                    raise
                labels = [self.clause_label(clause) for clause in error.broken]
                _cited(scenario, error.cites, labels)
                return Outcome(scenario.name, (), scenario.span, error.broken, scenario.cites)
            game.rules.touched.clear()
            failures = _played(Trial(game), scenario)
        except Exception as error:
            failures = (Failure(why_not_played(error), scenario.span),)
        if game is not None:
            touched = frozenset(game.rules.touched)
        return Outcome(scenario.name, failures, scenario.span, touched, scenario.cites)

    def clause_label(self, clause: str) -> str:
        """The label of a clause of the ruleset, under whatever variants it is."""
        for made in (self.loaded, *self.overlaid.values()):
            if clause in made.compiled.rules.clauses:
                return made.compiled.rules.clauses[clause].label
        return ""

    def uninvited(self, scenario: Scenario) -> bool:
        """Is it about a number of players the game is not for, and is that all it expects? Such a
        game cannot be set up to be looked at.
        """
        rules = self.loaded.compiled.rules
        low, high = rules.players
        count = next((step.number for step in scenario.steps if step.kind == "players"), low)
        if low <= count and (high is None or count <= high):
            return False
        clause = next(
            (c for c in rules.clauses.values() if c.kind == "game" and c.label == "players"), None
        )
        if clause is None or not _only_refused(scenario):
            return False
        if clause.id in self.without:
            raise Failed("expected a refusal, but nothing says how many players there may be")
        _cited(scenario, clause.cites or (clause.id,), [clause.label])
        return True

    def prepare(self, scenario: Scenario) -> tuple[Game, Scenario]:
        """The game a scenario asks for, and the scenario as compiled with that game's rules."""
        rules = self.loaded.compiled.rules
        players, options, variants = rules.players[0], dict[str, int | str](), variants_of(scenario)
        for step in scenario.steps:
            if step.kind == "players":
                players = step.number
            elif step.kind == "with":
                options |= {
                    name: int(value) if value.isdigit() else value
                    for name, value in step.settings
                    if value is not None
                }
        loaded = self.loaded
        if variants:
            if variants not in self.overlaid:
                self.overlaid[variants] = overlay(self.loaded, variants)
            loaded = self.overlaid[variants]
            scenario = next(s for s in loaded.compiled.rules.scenarios if s.name == scenario.name)
        deck = next((step.deck for step in scenario.steps if step.deck is not None), None)
        key = (variants, players, tuple(sorted(options.items())), deck)
        if key not in self.games:
            if deck is not None:
                loaded, options = _with_deck(loaded, deck), options | {OPTION: deck.name}
            self.games[key] = game_of(
                loaded,
                players,
                variants,
                options,
                without=self.without,
                record=self.record,
            )
        return self.games[key], scenario


def _with_deck(loaded: Loaded, deck: Deck) -> Loaded:
    """The same ruleset with one more deck list to choose."""
    rules = loaded.compiled.rules
    known = {**rules.options, OPTION: (*rules.options.get(OPTION, ()), deck.name)}
    return replace(
        loaded,
        compiled=replace(
            loaded.compiled,
            rules=replace(rules, decks={**rules.decks, deck.name: deck}, options=known),
        ),
    )


def _only_refused(scenario: Scenario) -> bool:
    """Does a scenario expect nothing but that its settings are refused?"""
    wanted = [step for step in scenario.steps if step.kind not in ("players", "with", "deck")]
    return [(step.kind, step.lines, step.cond) for step in wanted] == [
        ("expect", (), (core.Var("refused", type=TRUTH),))
    ]


def _cited(scenario: Scenario, cites: tuple[str, ...], labels: list[str]) -> None:
    """Raises Failed where a scenario expects other reasons than the settings are refused for."""
    last = scenario.steps[-1]
    missing = [c for c in last.cites if c not in cites]
    missing += [f"“{label}”" for label in last.reasons if label not in labels]
    if missing:
        by = ", ".join([*cites, *(f"“{label}”" for label in labels)])
        raise Failed(f"refused, but not by {', '.join(missing)}: by {by}")


def _played(trial: Trial, scenario: Scenario) -> tuple[Failure, ...]:
    """Everything that does not hold in a scenario; what follows a step that cannot be carried out
    is not looked at.
    """
    for step in scenario.steps:
        if not carried_out(trial, step):
            return tuple(trial.failures)
    trial.close()
    return tuple(trial.failures)


def carried_out(trial: Trial, step: Step) -> bool:
    """Do a step; false if that cannot be, which is noted with the trial's failures."""
    try:
        trial.step(step)
    except Exception as error:
        where = error.span if isinstance(error, Failed) and error.span else step.span
        trial.failures.append(Failure(why_not_played(error), where))
        return False
    return True


def why_not_played(error: Exception) -> str:
    """Why a step cannot be carried out; a mistake of ours ends its scenario, never the others."""
    match error:
        case RulesError():
            return error.found[0].message
        case Fault():
            return f"the game is not decided: {error}"
        case Failed() | Illegal() | ValueError():
            return str(error)
        case KeyError():
            return f"nothing is known of {str(error).split('~')[0]} here"
        case _:
            told = f"{type(error).__name__}: {error}"
            return f"a mistake in Rulelang, please report it ({told})"
