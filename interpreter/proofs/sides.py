"""What is compared: a text, a card, the cards of a file, or the rules under a variant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from interpreter.authoring.explain_card import TEXT, printed_value, sentences
from interpreter.game.loading import Loaded, RulesError, load_rules, shown
from interpreter.model.errors import RulelangError
from rulelang.diagnostics import CODES, Diagnostic, Report, nearest
from rulelang.diagnostics.source import Span, decode_source
from rulelang.phrases.describe import Describer
from rulelang.phrases.phrase import Reading
from rulelang.ruleset import Design, Extension

BASE = "base"  # the rules without a variant

_COMMUTING = ("+", "-")  # operations of lines that may stand in any order


class Unaskable(RulelangError):
    """A question that cannot be asked as it stands; the message says what could be."""


@dataclass(frozen=True)
class Text:
    """A text with one reading for each sentence, perhaps that of a card."""

    label: str
    readings: tuple[Reading, ...]
    sentences: tuple[str, ...]
    design: Design | None = None

    @cached_property
    def component(self) -> str:
        """The sort of pieces that bears it."""
        borne = (e.component for r in self.readings for e in r.extensions)
        return self.design.component if self.design is not None else next(borne, "")

    @cached_property
    def meaning(self) -> tuple[Extension, ...]:
        """What it adds, in canonical form; in order only where that can count."""
        made: dict[tuple[str, str, str], list[Extension]] = {}
        for m in (m for reading in self.readings for m in reading.meaning):
            made.setdefault((m.kind, m.target, m.slot), []).append(m)
        for (kind, _, _), added in made.items():
            if kind == "rules" or all(
                e.lines and line.op in _COMMUTING for e in added for line in e.lines
            ):
                added.sort(key=repr)
        return tuple(m for place in sorted(made) for m in made[place])


@dataclass(frozen=True)
class Cards:
    """The cards of a file, by title."""

    label: str
    texts: dict[str, Text]


@dataclass(frozen=True)
class Under:
    """The rules under a variant, or without one."""

    label: str
    variant: str | None


Side = Text | Cards | Under


@dataclass(frozen=True)
class Game:
    """A ruleset by name, and as it is loaded: where the things to be compared are looked up."""

    name: str
    loaded: Loaded
    under: tuple[str, ...] = ()

    def side(self, said: str) -> Side:
        """What words stand for: a variant, a file, a card by its title, or a text.

        Raises RulesError for a text or file that cannot be read, Unaskable for nothing at all.
        """
        rules, wanted = self.loaded.compiled.rules, said.strip()
        if not wanted:
            raise Unaskable(
                "a text is empty: give sentences, the title of a card, a file, a variant"
            )
        if wanted in rules.variants:
            return Under(wanted, wanted)
        if wanted == BASE:
            return Under(BASE, None)
        if wanted.endswith(".rules"):
            return self._file(wanted)
        design = next((d for d in rules.designs if d.title.lower() == wanted.lower()), None)
        if design is not None:
            return text_of_card(self.loaded, design)
        return self._text(wanted)

    def _file(self, path: str) -> Cards:
        if not Path(path).is_file():
            raise Unaskable(f"there is no file {path}")
        name = shown(Path(path))
        loaded = load_rules(self.name, self.under, [(name, Path(path))], tests=False)
        if wrong := [item for item in loaded.compiled.report.errors if item.span.file == name]:
            raise RulesError(wrong, loaded.sources)
        designs = [d for d in loaded.compiled.rules.designs if d.origin == name]
        if not designs:
            raise Unaskable(f"{path} holds no cards")
        return Cards(path, {d.title: text_of_card(loaded, d) for d in designs})

    def _text(self, said: str) -> Text:
        source, flaws = decode_source(TEXT, said.encode("utf-8", "surrogatepass"))
        if source is None:
            report = Report()
            for flaw in flaws:
                report.add_text_error(flaw)
            raise RulesError(report.found, {})
        cut = sentences(source)
        try:
            readings = read(self.loaded, cut, None)
        except RulesError as error:
            raise RulesError(self._with_titles(said, error.found), {TEXT: source}) from error
        return Text(said, readings, tuple(text for text, _ in cut))

    def _with_titles(self, said: str, found: list[Diagnostic]) -> list[Diagnostic]:
        """The findings, the first with a title that is near, if the words may be meant for one."""
        titles = {d.title.lower(): d.title for d in self.loaded.compiled.rules.designs if d.title}
        near = nearest(said.lower(), list(titles), 1)
        if not near:
            return found
        note = f"a card is called “{titles[near[0]]}”"
        return [replace(found[0], notes=(*found[0].notes, note)), *found[1:]]


def text_of_card(loaded: Loaded, design: Design) -> Text:
    """The text of a card; raises RulesError if a sentence cannot be read."""
    cut = [(said, span) for said, (_, span) in zip(design.sentences, design.text, strict=True)]
    return Text(design.title, read(loaded, cut, design), design.sentences, design)


def read(loaded: Loaded, cut: list[tuple[str, Span]], design: Design | None) -> tuple[Reading, ...]:
    """The one reading of each sentence; raises RulesError where there is none, or several."""
    glossary, report = loaded.compiled.glossary, Report()
    for said, span in cut:
        glossary.read_sentence(said, span, design, "", report)
    wrong = [item for item in report.found if item.severity == "error"]
    wrong += [item for item in report.found if item.code == CODES["ambiguous"].code]
    if wrong:
        raise RulesError(list(dict.fromkeys(wrong)), loaded.sources)
    return tuple(glossary.readings(said, design)[0] for said, _ in cut)


def printed_apart(loaded: Loaded, one: Design, two: Design) -> tuple[tuple[str, str, str], ...]:
    """The fields in which two cards differ, with both values in words."""
    if one.component != two.component:
        return (("sort", one.component, two.component),)
    describer = Describer(loaded.compiled.rules)
    component = loaded.compiled.rules.components[one.component]
    found = []
    others = dict(two.values)
    for name, value in one.values:
        t = component.field(name)
        if t is not None and value != others.get(name):
            both = (printed_value(describer, t, v) for v in (value, others.get(name)))
            found.append((name, *both))
    return tuple((name, a, b) for name, a, b in found)
