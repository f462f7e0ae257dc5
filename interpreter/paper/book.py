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
from interpreter.paper.examples import Examples, comment_above, with_examples
from interpreter.paper.played import played
from rulelang.ruleset import Ruleset, Scenario

_TAGS = re.compile(r"^(?:\[[\w:-]+\] ?)+")  # subjects that stand before a statement's words
_REST = "further"
_MANY_EXAMPLES = frozenset(["actions", "events", "scores", "end"])
_NO_EXAMPLES = frozenset(["questions", "homemade", "variants", _REST])
_MOST_HELD = 2  # examples that a ruling leads to


def book(loaded: Loaded, base: Loaded | None = None, variants: tuple[str, ...] = ()) -> Book:
    """The book of rules that were compiled under variants; `base` is without them, so that what is
    new can be marked."""
    rules = loaded.compiled.rules
    examples = Examples(rules, lambda s: _above(loaded, s))
    chapters = _chapters(loaded, base, variants, examples)
    shown = frozenset(s.anchor for c in chapters for s in c.walk())
    index = examples.index(shown)
    titles = [known.title for name, known in rules.variants.items() if name in variants]
    return Book(
        rules.title,
        "with " + ", ".join(titles) if titles else "the rules, written out",
        (*chapters, *([index] if index.lines else [])),
        {c.id: f"{c.span.file}:{c.span.line}" for c in rules.clauses.values()},
        _shown_by(rules, examples, shown),
    )


def _chapters(
    loaded: Loaded, base: Loaded | None, variants: tuple[str, ...], examples: Examples
) -> list[Section]:
    """All chapters that have something to say, with the statements they carry out, and examples."""
    made = _rules_chapters(loaded)
    unused = _unused(loaded, made)
    if base is not None and variants:
        known = _lines(_rules_chapters(base))
        made = [marked(chapter, known) for chapter in made]
    made += [*_variants(base or loaded, variants), _questions(loaded.compiled.rules, examples)]
    made.append(unused)
    told = _told(loaded.statements, [c for c in made if c.lines or c.sections or c.grid])
    return [
        c
        if c.anchor in _NO_EXAMPLES
        else with_examples(c, examples, 2 if c.anchor in _MANY_EXAMPLES else 1)
        for c in told
    ]


def _above(loaded: Loaded, scenario: Scenario) -> tuple[str, ...]:
    """What the author of a scenario wrote above it."""
    source = loaded.sources.get(scenario.span.file)
    return () if source is None else comment_above(list(source.lines), scenario.span.line)


def _unused(loaded: Loaded, chapters: list[Section]) -> Section:
    """What the rules hold open for homemade pieces, and no piece at hand uses."""
    shown = {clause for clause, _ in _lines(chapters)}
    whole = Chapters(loaded.compiled.rules, loaded.sources).all()
    found = []
    for chapter in whole:
        for section in chapter.walk():
            lines = tuple(
                replace(line, inner=())
                for top in section.lines
                for line in top.walk()
                if line.clause and line.clause not in shown
            )
            if lines:
                found.append(Line(f"{section.title}:", inner=lines))
    note = "No piece that comes along uses this; it is for those who make pieces of their own."
    return Section("For homemade pieces", "homemade", (note,), lines=tuple(found))


def _rules_chapters(loaded: Loaded) -> list[Section]:
    """The chapters that a variant may change."""
    return Chapters(played(loaded.compiled.rules), loaded.sources).all()


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
def _questions(rules: Ruleset, examples: Examples) -> Section:
    """Rulings as questions and answers."""
    sections = []
    for number, ruling in enumerate(rules.rulings, 1):
        held = tuple((examples.numbers[n], n) for n in ruling.settled if n in examples.numbers)
        lines = (Line(ruling.reason, cites=ruling.cites, terms=held[:_MOST_HELD]),)
        sections.append(Section(f"{ruling.name}.", f"ruling-{number}", lines=lines))
    return Section("Questions and answers", "questions", sections=tuple(sections))


def _shown_by(
    rules: Ruleset, examples: Examples, shown: frozenset[str]
) -> dict[str, tuple[tuple[str, str], ...]]:
    """The scenarios that cite each statement; those that stand in the book in words first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for scenario in sorted(rules.scenarios, key=lambda s: examples.numbers[s.name] not in shown):
        for cite in scenario.cites:
            found.setdefault(cite, []).append((examples.numbers[scenario.name], scenario.name))
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
    cites = [cite for top in section.lines for line in top.walk() for cite in line.cites]
    if not section.anchor.startswith("ruling-"):  # what is open is told where it is answered
        cites = [cite for cite in cites if not cite.startswith("OQ")]
    told = take(cites)
    return replace(
        section, told=told, sections=tuple(_told_in(inner, take) for inner in section.sections)
    )
