"""Does a test notice? Clauses or cards broken one way at a time and played against the game's
scenarios."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from interpreter.game.game import Game, Illegal
from interpreter.game.loading import Loaded, RulesError, overlay
from interpreter.model.values import Fault
from interpreter.proofs.lockstep import Parting, partings
from interpreter.proofs.operators import Mutant, broken, card_mutants, mutants
from interpreter.proofs.playable import playable
from interpreter.scenarios.scenario import Runner
from interpreter.scenarios.transcript import written
from rulelang.analysis.specialize import Part, specialized
from rulelang.core.values import Json
from rulelang.english import FOLDER
from rulelang.ruleset import Design, Extension, Scenario

KILLED, SURVIVED, EQUIVALENT, UNREACHED = "killed", "survived", "equivalent", "not looked at"
OTHER_CARDS = "for other cards"  # with the cards there are it changes nothing: that is proved
ALIVE = (SURVIVED, UNREACHED)
ROWS, SENTENCES = "what is printed on cards", "what sentences of cards say"
MOST_GAMES = 2  # played side by side to show a survivor
MOST_PARTINGS = 6  # of them that are looked at

_SECTION = re.compile(r"^#+ (.+)$", re.MULTILINE)
_STATEMENT = re.compile(r"^- ([A-Z]+-\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """What came of a mutant: killed by which scenario, or what shows that it survived."""

    mutant: Mutant
    verdict: str
    section: str
    cites: tuple[str, ...] = ()
    by: str = ""
    shown: Parting | None = None
    scenario: str = ""  # that would notice what survived, to be checked by hand

    def as_json(self) -> dict[str, Json]:
        """The verdict as plain data."""
        shown = self.shown
        return {
            "clause": self.mutant.clause,
            "way": self.mutant.way,
            "verdict": self.verdict,
            "section": self.section,
            "cites": list(self.cites),
            "by": self.by,
            "where": shown.how if shown is not None else None,
            "outcomes": [shown.one, shown.two] if shown is not None else [],
            "scenario": self.scenario or None,
        }


@dataclass
class Mutation:
    """The mutants of a game, and the scenarios they are played against."""

    loaded: Loaded
    rulebook: str
    touched: dict[str, frozenset[str]] = field(default_factory=dict)
    overlaid: dict[tuple[str, ...], Loaded] = field(default_factory=dict)
    left: dict[tuple[str, bool], dict[Part, object]] = field(default_factory=dict)

    def prepare(self) -> None:
        """Run every scenario once, to know which clauses each looks at."""
        runner = Runner(self.loaded, record=True)
        for scenario in self.loaded.compiled.rules.scenarios:
            outcome = runner.run(scenario)
            if outcome.passed:
                self.touched[scenario.name] = outcome.touched
        self.overlaid = dict(runner.overlaid)
        self.sections = _sections(self.rulebook)

    def drawn(self, sample: int | None, seed: int, cards: bool = False) -> list[Mutant]:
        """The mutants of clauses (or of cards), or so many of them drawn by the seed, in the order
        of the rules."""
        rules = self.loaded.compiled.rules
        if cards:
            found = list(card_mutants(rules))
        else:
            found = [m for m in mutants(rules) if self._cites(m.clause)]
        if sample is None or sample >= len(found):
            return found
        chosen = sorted(random.Random(seed).sample(range(len(found)), sample))
        return [found[index] for index in chosen]

    def _cites(self, clause: str) -> tuple[str, ...]:
        """The statements that a clause of the game's own rests on, or else what it is part of."""
        clauses = self.loaded.compiled.rules.clauses
        for name in (clause, clause.partition("/")[0]):
            known = clauses.get(name)
            if known is not None and known.cites and not known.span.file.startswith(FOLDER):
                return known.cites
        return ()

    def judge(self, mutant: Mutant, show: bool = True) -> Verdict:
        """Play a mutant against the scenarios that look at its clause, until one fails."""
        cites = self._cites(mutant.clause)
        section = self._section(mutant, cites)
        if mutant.is_equivalent:
            return Verdict(mutant, EQUIVALENT, section, cites)
        asked = self._asked(mutant, cites)
        runner = self._runner(mutant)
        for scenario in asked:
            if not runner.run(scenario).passed:
                return Verdict(mutant, KILLED, section, cites, scenario.name)
        if self._is_the_same(mutant):
            verdict = EQUIVALENT if self._is_the_same(mutant, more_cards=True) else OTHER_CARDS
            return Verdict(mutant, verdict, section, cites)
        verdict = SURVIVED if asked else UNREACHED
        shown, text = self._shown(mutant, runner, cites) if show else (None, "")
        return Verdict(mutant, verdict, section, cites, "", shown, text)

    def _section(self, mutant: Mutant, cites: tuple[str, ...]) -> str:
        """The section of the rulebook that a mutant is counted under; cards have two of their
        own."""
        match mutant.old:
            case Design():
                return ROWS
            case Extension():
                return SENTENCES
        return next((self.sections[c] for c in cites if c in self.sections), "no section")

    def _is_the_same(self, mutant: Mutant, more_cards: bool = False) -> bool:
        """Is what play can come to proved to be the same, by the rules and by every variant?"""
        for name, loaded in self._variants():
            rules = loaded.compiled.rules
            key = (name, more_cards)
            if key not in self.left:
                self.left[key] = specialized(rules, more_cards)
            made = broken(rules, mutant)
            if made is not rules and specialized(made, more_cards) != self.left[key]:
                return False
        return True

    def _variants(self) -> Iterator[tuple[str, Loaded]]:
        """The rules as they are, under what the scenarios set, and under each variant alone."""
        yield "", self.loaded
        for name in self.loaded.compiled.rules.variants:
            if not any(name in names for names in self.overlaid):
                over = self.loaded.compiled.rules.variants[name].over
                self.overlaid[*over, name] = overlay(self.loaded, (*over, name))
        for names, loaded in self.overlaid.items():
            yield ", ".join(names), loaded

    def _asked(self, mutant: Mutant, cites: tuple[str, ...]) -> list[Scenario]:
        """The scenarios that look at the clause, those that cite its statements first; of a card,
        those that name it."""
        owner = mutant.clause.partition("/")[0]
        names = {
            name
            for name, looked in self.touched.items()
            if mutant.clause in looked or owner in looked
        }
        if isinstance(mutant.old, Design | Extension):
            names |= {name for name in self.touched if mutant.old.title in self._text_of[name]}
        elif not names:
            names = set(self.touched)
        found = [s for s in self.loaded.compiled.rules.scenarios if s.name in names]
        return sorted(found, key=lambda s: -len(set(cites) & set(s.cites)))

    @cached_property
    def _text_of(self) -> dict[str, str]:
        """The text of each scenario."""
        found = dict[str, str]()
        for scenario in self.loaded.compiled.rules.scenarios:
            source, span = self.loaded.sources.get(scenario.span.file), scenario.span
            lines = source.text.split("\n") if source is not None else []
            found[scenario.name] = "\n".join(lines[span.line - 1 : span.end_line])
        return found

    def _runner(self, mutant: Mutant) -> Runner:
        overlaid = {variants: _mutated(made, mutant) for variants, made in self.overlaid.items()}
        return Runner(_mutated(self.loaded, mutant), overlaid=overlaid)

    def _shown(
        self, mutant: Mutant, runner: Runner, cites: tuple[str, ...]
    ) -> tuple[Parting | None, str]:
        """A position of play in which the mutant differs, and a scenario that would notice it: of
        the first that can be put into words, or else the first position alone; none within the
        bounds."""
        first: Parting | None = None
        try:
            one, two = _plain(self.loaded), _plain(runner.loaded)
            for parting in islice(partings(one, two, MOST_GAMES), MOST_PARTINGS):
                first = first or parting
                text = _noticing(parting, mutant, runner, two, cites)
                if text:
                    return parting, text
        except (Fault, Illegal, RulesError, KeyError):
            pass  # what was bound in a line that is gone is not there
        return first, ""


def _noticing(
    parting: Parting, mutant: Mutant, runner: Runner, two: Game, cites: tuple[str, ...]
) -> str:
    """A scenario of the position in which a mutant differs: it holds by the rules, and was seen to
    fail by the mutant; nothing if there are no words for it."""
    if not parting.options:
        return ""
    title = f"{mutant.clause}, {mutant.way}".replace('"', "'")
    made = written(parting.state, parting.options, title, two, cites)
    return "" if made is None or runner.run(made.scenario).passed else made.text


def _plain(loaded: Loaded) -> Game:
    made = playable(loaded)
    return Game(loaded, made.players, made.options, ())


def _mutated(loaded: Loaded, mutant: Mutant) -> Loaded:
    rules = loaded.compiled.rules
    made = broken(rules, mutant)
    return (
        loaded if made is rules else replace(loaded, compiled=replace(loaded.compiled, rules=made))
    )


def _sections(rulebook: str) -> dict[str, str]:
    """The heading under which each statement of a rulebook stands."""
    found, heading = dict[str, str](), ""
    for line in rulebook.splitlines():
        if match := _SECTION.match(line):
            heading = match.group(1).strip()
        elif match := _STATEMENT.match(line):
            found[match.group(1)] = heading
    return found


def judged(
    mutation: Mutation,
    drawn: list[Mutant],
    progress: Callable[[int, int], None],
    show: bool = True,
) -> list[Verdict]:
    """The verdicts of mutants, one after another."""
    found = []
    for number, mutant in enumerate(drawn, 1):
        found.append(mutation.judge(mutant, show))
        progress(number, len(drawn))
    return found
