"""A rulebook written out from the rules: chapters from what is in the box to questions and answers.

Each line is a clause in English, with the statements it carries out. Statements are told in their
own words where a clause first cites them, and all others at the end, so each stands in the book
once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from interpreter.game.loading import Loaded, Statement, overlay
from interpreter.paper.chapters import Chapters
from interpreter.paper.document import Book, Line, Section, marked
from rulelang.ruleset import Ruleset

_TAGS = re.compile(r"^(?:\[[\w-]+\] ?)+")  # subjects that stand before a statement's words
_REST = "further"


def book(loaded: Loaded, base: Loaded | None = None, variants: tuple[str, ...] = ()) -> Book:
    """The book of rules that were compiled under variants; `base` is without them, so that what is
    new can be marked."""
    rules = loaded.compiled.rules
    chapters = _rules_chapters(loaded)
    if base is not None and variants:
        known = _lines(_rules_chapters(base))
        chapters = [marked(chapter, known) for chapter in chapters]
    chapters += [*_variants(base or loaded, variants), _questions(rules), _examples(rules)]
    chapters = _told(loaded.statements, [c for c in chapters if c.lines or c.sections or c.grid])
    titles = [known.title for name, known in rules.variants.items() if name in variants]
    return Book(
        rules.title,
        "with " + ", ".join(titles) if titles else "the rules, written out",
        tuple(chapters),
        {c.id: f"{c.span.file}:{c.span.line}" for c in rules.clauses.values()},
        _shown_by(rules),
    )


def _rules_chapters(loaded: Loaded) -> list[Section]:
    """The chapters that a variant may change."""
    return Chapters(loaded.compiled.rules, loaded.sources).all()


def _lines(chapters: Iterable[Section]) -> frozenset[tuple[str, str]]:
    return frozenset((line.clause, line.text) for c in chapters for line in c.every_line())


# ------------------------------------------------------------------------------------- variants
def _variants(base: Loaded, chosen: tuple[str, ...]) -> list[Section]:
    """What each variant changes, line by line; of those that were chosen, what is no longer so."""
    rules = base.compiled.rules
    if not rules.variants:
        return []
    before = _rules_chapters(base)
    said = _lines(before)
    sections = []
    for name, variant in rules.variants.items():
        after = _rules_chapters(overlay(base, (*variant.over, name)))
        now = _lines(after)
        gone = _different(before, now, "gone")
        new = () if name in chosen else _different(after, said, "new")
        head = Line(
            "It is played in this book: what is new is marked where it stands."
            if name in chosen
            else "What it changes: lines marked + are new or read so, lines marked – go.",
            clause=f"variant {name}",
            cites=variant.cites,
        )
        sections.append(Section(variant.title, f"variant-{name}", lines=(head, *gone, *new)))
    return [Section("Variants", "variants", sections=tuple(sections))]


def _different(
    chapters: list[Section], known: frozenset[tuple[str, str]], mark: str
) -> tuple[Line, ...]:
    """The lines that are not among the known ones, under the titles of their sections."""
    found = []
    for chapter in chapters:
        for section in chapter.walk():
            lines = tuple(
                replace(line, inner=(), mark=mark)
                for top in section.lines
                for line in top.walk()
                if line.clause and (line.clause, line.text) not in known
            )
            if lines:
                found.append(Line(f"{section.title}:", inner=lines))
    return tuple(found)


# -------------------------------------------------------------------------- rulings and examples
def _questions(rules: Ruleset) -> Section:
    """Rulings as questions and answers."""
    numbers = _scenario_numbers(rules)
    sections = []
    for number, ruling in enumerate(rules.rulings, 1):
        held = [
            Line(f"Held by the example “{name}”.", terms=((numbers[name], name),))
            for name in ruling.settled
            if name in numbers
        ]
        lines = (Line(ruling.reason, cites=ruling.cites), *held)
        sections.append(Section(f"{ruling.name}.", f"ruling-{number}", lines=lines))
    return Section("Questions and answers", "questions", sections=tuple(sections))


def _examples(rules: Ruleset) -> Section:
    """The scenarios by name, with what they show and where they stand."""
    numbers = _scenario_numbers(rules)
    return Section(
        "Examples",
        "examples",
        notes=("Each is a position that was played by these rules; the file holds it whole.",),
        sections=tuple(
            Section(
                s.name,
                numbers[s.name],
                lines=(Line(f"{s.span.file}, line {s.span.line}.", cites=s.cites),),
            )
            for s in rules.scenarios
        ),
    )


def _scenario_numbers(rules: Ruleset) -> dict[str, str]:
    return {s.name: f"example-{number}" for number, s in enumerate(rules.scenarios, 1)}


def _shown_by(rules: Ruleset) -> dict[str, tuple[tuple[str, str], ...]]:
    """The scenarios that cite each statement."""
    numbers = _scenario_numbers(rules)
    found: dict[str, list[tuple[str, str]]] = {}
    for scenario in rules.scenarios:
        for cite in scenario.cites:
            found.setdefault(cite, []).append((numbers[scenario.name], scenario.name))
    return {cite: tuple(names) for cite, names in found.items()}


# ------------------------------------------------------------------------------------ statements
def _told(statements: dict[str, Statement], chapters: list[Section]) -> list[Section]:
    """The chapters with each statement told where it is first cited; the rest in one of its own."""
    left = dict(statements)

    def take(cites: Iterable[str]) -> tuple[Line, ...]:
        found = [left.pop(cite) for cite in dict.fromkeys(cites) if cite in left]
        return tuple(Line(_TAGS.sub("", s.text), label=s.id) for s in sorted(found, key=order))

    def order(s: Statement) -> int:
        return places[s.id]

    places = {name: number for number, name in enumerate(statements)}
    done = [_told_in(chapter, take) for chapter in chapters]
    rest = take(list(left))
    if rest:
        note = "What no line above carries out: hints, and what is true because nothing says else."
        done.append(Section("What else the rulebook says", _REST, (note,), rest))
    return done


def _told_in(section: Section, take: Callable[[Iterable[str]], tuple[Line, ...]]) -> Section:
    if section.anchor == "examples":
        return section
    cites = [cite for top in section.lines for line in top.walk() for cite in line.cites]
    if not section.anchor.startswith("ruling-"):  # what is open is told where it is answered
        cites = [cite for cite in cites if not cite.startswith("OQ")]
    told = take(cites)
    return replace(
        section, told=told, sections=tuple(_told_in(inner, take) for inner in section.sections)
    )
