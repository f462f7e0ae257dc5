"""What was decided: rulings found by words, clauses, statements or cards, with their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.game.game import Game
from interpreter.game.loading import Loaded
from interpreter.model.position import Position
from interpreter.scenarios.runner import Trial
from interpreter.scenarios.scenario import Runner
from rulelang.core.values import Json
from rulelang.ruleset import Clause, Ruleset, Ruling, Scenario

_WORD = re.compile(r"[\w-]+")
_SMALL = {"a", "an", "and", "are", "be", "by", "can", "do", "does", "for", "if", "in", "is", "it"}
_SMALL |= {"its", "may", "of", "on", "or", "the", "to"}  # words that tell nothing
_BEFORE = ("play", "expect", "told")  # steps before which the position stands


@dataclass(frozen=True)
class Decided:
    """A ruling, by what it was found, the open questions it settles, and its scenarios."""

    ruling: Ruling
    by: tuple[str, ...]
    questions: tuple[str, ...]
    scenarios: tuple[Scenario, ...]

    def as_json(self) -> dict[str, Json]:
        """The ruling as plain data."""
        return {
            "ruling": self.ruling.name,
            "cites": list(self.ruling.cites),
            "reason": self.ruling.reason,
            "questions": list(self.questions),
            "found_by": list(self.by),
            "scenarios": [
                {"name": s.name, "file": s.span.file, "line": s.span.line} for s in self.scenarios
            ],
        }


def rulings(loaded: Loaded, question: str = "") -> list[Decided]:
    """The rulings that speak of a question, those that say most of it first; all without one."""
    found = []
    wanted = _Question(loaded, question)
    for ruling in loaded.compiled.rules.rulings:
        by = wanted.met_by(ruling)
        if by or not question.strip():
            found.append((len(by), _decided(loaded, ruling, by)))
    best = max((met for met, _ in found), default=0)
    kept = [row for row in found if 2 * row[0] >= best]
    return [made for _, made in sorted(kept, key=lambda row: -row[0])]


class _Question:
    """What is asked: statements it rests on, and words."""

    def __init__(self, loaded: Loaded, question: str) -> None:
        self.loaded = loaded
        low = question.strip().lower()
        clauses = [*_clauses(loaded.compiled.rules, low)] if low else []
        self.cites = {cite for clause in clauses for cite in clause.cites}
        self.cites |= {name for name in loaded.statements if name.lower() in low.split()}
        self.words = _words(question) - _SMALL

    def met_by(self, ruling: Ruling) -> tuple[str, ...]:
        """The statements and words of the question that a ruling speaks of."""
        cited = tuple(cite for cite in ruling.cites if cite in self.cites)
        told = [self.loaded.statements[c].text for c in ruling.cites if c in self.loaded.statements]
        there = _words(" ".join([ruling.name, ruling.reason, *ruling.settled, *told]))
        stems = {_stem(word) for word in there}
        return (*cited, *sorted(word for word in self.words if _stem(word) in stems))


def _clauses(rules: Ruleset, low: str) -> Iterator[Clause]:
    """The clause of this name, or those of the card of this title and of its text."""
    names = [name for name in rules.clauses if name.lower() == low]
    for design in rules.designs:
        if design.title.lower() == low:
            key = (design.component, design.title)
            said = [e for e in rules.extensions if (e.component, e.title) == key]
            names += [design.clause, *(n for e in said for n in (e.clause, e.pattern))]
    return (rules.clauses[name] for name in dict.fromkeys(names) if name in rules.clauses)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _stem(word: str) -> str:
    """A word without its ending, roughly."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word.removesuffix(ending)
    return word


def _decided(loaded: Loaded, ruling: Ruling, by: tuple[str, ...]) -> Decided:
    named = {s.name: s for s in loaded.compiled.rules.scenarios}
    questions = tuple(
        f"{cite} {loaded.statements[cite].text}"
        for cite in ruling.cites
        if cite.startswith("OQ") and cite in loaded.statements
    )
    scenarios = tuple(named[name] for name in ruling.settled if name in named)
    return Decided(ruling, by, questions, scenarios)


def position_of(loaded: Loaded, scenario: Scenario) -> tuple[Game, Position] | None:
    """The position of a scenario before anything is played; none if it cannot be set up."""
    try:
        game, prepared = Runner(loaded).prepare(scenario)
        trial = Trial(game)
        for step in prepared.steps:
            if step.kind in _BEFORE:
                break
            trial.step(step)
    except Exception:  # a scenario that is wrong is told by `test`
        return None
    return game, trial.s
