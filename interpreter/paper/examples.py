"""Scenarios as examples for readers: a position, what is played, what comes of it, in plain words.

Of the many scenarios of a game each section gets the few that show most in least space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from interpreter.paper.document import Line, Section
from interpreter.paper.steps import Steps, title_of
from rulelang import core
from rulelang.core.types import UNKNOWN
from rulelang.core.visit import walk
from rulelang.diagnostics.english import counted, spoken
from rulelang.phrases.prose import Prose, capital, happening
from rulelang.ruleset import Answer, Ruleset, Scenario, Step

Comments = Callable[[Scenario], tuple[str, ...]]
_MOST_STEPS, _MOST_LETTERS, _LONGEST = 9, 900, 12
_SHORT = 3  # names of fewer letters say nothing
_UNTOLD = frozenset(["witnesses", "deciding", "advised", "ended", "winners", "ranking", "asked"])


class Examples:
    """Chooses and writes the examples of one book."""

    def __init__(self, rules: Ruleset, comments: Comments) -> None:
        """Of these rules' scenarios, with what their authors wrote above them."""
        self.rules, self.comments = rules, comments
        self.numbers = {s.name: f"example-{n}" for n, s in enumerate(rules.scenarios, 1)}
        self.by_cite: dict[str, list[Scenario]] = {}
        for scenario in rules.scenarios:
            for cite in scenario.cites:
                self.by_cite.setdefault(cite, []).append(scenario)
        self.taken: set[str] = set()

    def of(self, section: Section, most: int) -> tuple[Section, ...]:
        """The best examples of what a section tells, each once in a book."""
        names = [line.label for line in section.told]
        known = {s.name: s for name in names for s in self.by_cite.get(name, ())}
        left = [s for s in known.values() if s.name not in self.taken]
        shown = [(self._worth(s, names), s) for s in left if _is_plain(s)]
        chosen = [s for _, s in sorted(shown, key=lambda pair: pair[0])[:most]]
        made = [one for s in chosen if (one := self.written(s)) is not None]
        self.taken |= {s.name for s in chosen}
        return tuple(made)

    def _worth(self, s: Scenario, names: Iterable[str]) -> tuple[int, int]:
        """What comes first is better: many statements of the section in few steps."""
        about = sum(name in s.cites for name in names)
        return (len(s.steps) - 2 * about - (3 if self.comments(s) else 0), s.span.line)

    def written(self, s: Scenario) -> Section | None:
        """A scenario in words; none if that is no shorter than reading it up."""
        writer = _Writer(self.rules)
        lines = tuple(writer.lines(s))
        size = sum(len(line.text) for top in lines for line in top.walk())
        if size > _MOST_LETTERS or not any(line.label == "Then" for line in lines):
            return None
        title = f"Example: {capital(s.name)}"
        return Section(title, self.numbers[s.name], self.comments(s), lines=lines)

    def index(self, shown: frozenset[str]) -> Section:
        """All other scenarios by name, with where they stand."""
        lines = tuple(
            Line(f"{s.span.file}, line {s.span.line}.", label=capital(s.name), anchor=name)
            for s in self.rules.scenarios
            if (name := self.numbers[s.name]) not in shown
        )
        note = "Positions that were played by these rules; the file holds each whole."
        return Section("More examples, by name", "examples", (note,), lines=lines)


def _is_plain(s: Scenario) -> bool:
    """Is all of it said in words that a player has, and is it short?"""
    if len(s.steps) > _MOST_STEPS or sum(len(step.body) for step in s.steps) > _LONGEST:
        return False
    if any(step.kind in ("seed", "deck") or step.told is not None for step in s.steps):
        return False
    names = {
        node.name
        for step in s.steps
        for cond in step.cond
        for node in walk(cond)
        if isinstance(node, core.Var)
    }
    return not names & _UNTOLD and any(step.kind == "expect" for step in s.steps)


class _Writer:
    """Writes scenarios of one ruleset."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules, self.prose = rules, Prose(rules)

    def lines(self, s: Scenario) -> Iterator[Line]:
        """The position, each play, and what comes of each."""
        before: list[Line] = []
        head: list[str] = []
        played = False
        for step in s.steps:
            if step.kind == "players":
                head.append(counted(step.number, "player"))
            elif step.kind == "with":
                head += [self._setting(n, value) for n, value in step.settings]
            elif step.kind in ("board", "given") and not played:
                before += self._position(step)
            elif step.kind in ("board", "given"):
                yield Line("This is changed:", label="Next", inner=tuple(self._position(step)))
            else:
                if not played:
                    yield Line(
                        f"{capital(', '.join(head))}.", label="Position", inner=tuple(before)
                    )
                    played = True
                yield from self._step(step)

    def _setting(self, name: str, value: str | None) -> str:
        if value is None:
            return f"variant “{self.rules.variants[name].title}”"
        return f"{spoken(name)} {spoken(value)}"

    def _position(self, step: Step) -> Iterator[Line]:
        if step.rows:
            whose = f" of {self.prose.say(step.player)}" if step.player is not None else ""
            legend = [f"{sign}: {self._meant(a, b)}" for sign, a, b in step.legend]
            told = f" ({'; '.join(legend)})" if legend else ""
            yield Line(f"The {spoken(step.name)}{whose}{told}:", picture=step.rows)
        for line in Steps(self.rules, self.prose).body(step.body):
            yield Line(line.text, inner=line.inner)

    def _meant(self, what: core.Expr, more: core.Expr | None) -> str:
        said = self.prose.say(what)
        return said if more is None else f"{said}, {self.prose.say(more)}"

    def _step(self, step: Step) -> Iterator[Line]:
        if step.kind == "start":
            yield Line("The game begins.", label="Play")
        elif step.kind == "play":
            yield Line(self._play(step), label="Play")
        elif step.kind == "expect":
            yield Line(" ".join(self._expected(step)), label="Then", cites=step.cites)

    def _play(self, step: Step) -> str:
        """A play: an event in its wording, an action by its title with what is chosen."""
        event = self.rules.events.get(step.name)
        given = {a.name: a.value for a in step.args}
        if event is not None and event.reads:
            values = [
                step.player
                if step.player is not None and str(t) == "player" and n not in given
                else given.get(n, core.Var(n, type=t))
                for n, t in event.params
            ]
            said = happening(self.prose, step.name, tuple(v for v in values if v is not None))
            return f"{capital(said)}."
        who = capital(self.prose.say(step.player)) if step.player is not None else "Player 1"
        chosen = [self._answer(a) for a in step.args]
        what = "chooses" if step.name == "choose" else f"– {title_of(self.rules, step.name)}"
        return f"{who} {what}{' – ' if chosen else ''}{'; '.join(chosen)}."

    def _answer(self, a: Answer) -> str:
        """What is chosen: an action by its title; a name of few letters by what it stands for."""
        if a.name == "action" and isinstance(a.value, core.Const):
            return title_of(self.rules, str(a.value.value))
        short = len(a.name) < _SHORT and a.value.type != UNKNOWN
        name = self.prose.type_noun(a.value.type) if short else spoken(a.name)
        return f"{name}: {self.prose.say(a.value)}"

    def _expected(self, step: Step) -> Iterator[str]:
        for cond in step.cond:
            said = self._outcome(cond)
            if said:
                yield said
        if step.lines:
            parts = [self._scored(*line) for line in step.lines]
            yield f"It is counted so: {', '.join(parts)}."
        if step.reasons or step.cites:
            rules = (c for c in self.rules.clauses.values() if c.label and c.kind == "rule")
            cited = {f"“{c.label}”" for c in rules if set(step.cites) & set(c.cites)}
            why = [*(f"“{label}”" for label in step.reasons), *sorted(cited)]
            if why:
                yield f"Why: {', '.join(why)}."

    def _outcome(self, cond: core.Expr) -> str:
        match cond:
            case core.Var("refused"):
                return "That is not allowed."
            case core.Not(core.Var("refused")):
                return "That is allowed."
            case core.Compare("=", core.Var("scored"), value):
                return f"It scores {self.prose.say(value)}."
            case _:
                return f"{self.prose.sentence(cond)}."

    def _scored(self, op: str, amount: core.Expr, label: str) -> str:
        sign = {"start": "", "+": "+", "-": "−", "times": "times "}.get(op, f"{op} ")
        return f"{sign}{self.prose.say(amount)}{f' for “{label}”' if label else ''}"


def comment_above(lines: list[str], at: int) -> tuple[str, ...]:
    """What an author wrote right above a line, if it is no more than a note: a picture drawn in it
    is left out."""
    above: list[str] = []
    for text in reversed(lines[: at - 1]):
        if not text.startswith("#") or text.startswith("# ---"):
            break
        above.insert(0, text.removeprefix("#"))
    else:  # it opens the file, and is about all of that
        return ()
    if not above or len(above) > 8 or any(re.match(r" {2,}\S", text) for text in above):
        return ()
    return (" ".join(text.strip() for text in above),)


def with_examples(section: Section, examples: Examples, most: int = 1) -> Section:
    """A section with the examples of what it tells at its end, and so all within it."""
    inner = tuple(with_examples(one, examples, most) for one in section.sections)
    return replace(section, sections=(*inner, *examples.of(section, most)))
