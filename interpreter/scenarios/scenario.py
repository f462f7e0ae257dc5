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
from interpreter.scenarios.runner import Trial
from rulelang import core
from rulelang.core.types import TRUTH
from rulelang.diagnostics.source import Span
from rulelang.ruleset import OPTION, Deck, Scenario, Step


@dataclass(frozen=True)
class Outcome:
    """What came of one scenario: passed or why not, at which line, and the clauses looked at on the
    way.
    """

    name: str
    passed: bool
    message: str
    span: Span
    touched: frozenset[str] = frozenset()
    cites: tuple[str, ...] = ()


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
        step: Step | None = None
        touched: frozenset[str] = frozenset()
        try:
            if self.uninvited(scenario):
                return Outcome(scenario.name, True, "", scenario.span, touched, scenario.cites)
            try:
                game, scenario = self.prepare(scenario)
            except Unlawful as error:
                if not _only_refused(scenario):
                    raise
                _cited(scenario, error.cites)
                return Outcome(scenario.name, True, "", scenario.span, error.broken, scenario.cites)
            game.rules.touched.clear()
            play = Trial(game)
            for step in scenario.steps:
                play.step(step)
            message, passed = "", True
        except (Failed, Fault, Illegal, ValueError) as error:
            message, passed = str(error), False
        except RulesError as error:
            message, passed = error.found[0].message, False
        except KeyError as error:
            message, passed = f"nothing is known of {str(error).split('~')[0]} here", False
        except Exception as error:  # a mistake of ours ends this scenario, never the others
            told = f"{type(error).__name__}: {error}"
            message, passed = f"a mistake in Rulelang, please report it ({told})", False
        if game is not None:
            touched = frozenset(game.rules.touched)
        return Outcome(
            scenario.name,
            passed,
            message,
            step.span if step is not None and not passed else scenario.span,
            touched,
            scenario.cites,
        )

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
        _cited(scenario, clause.cites or (clause.id,))
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
                loaded, players, variants, options, without=self.without, record=self.record
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


def _cited(scenario: Scenario, cites: tuple[str, ...]) -> None:
    missing = [c for c in scenario.steps[-1].cites if c not in cites]
    if missing:
        raise Failed(f"refused, but not by {', '.join(missing)}: by {', '.join(cites)}")
