"""Explain a card: its sentences, every reading of each in words, its effects and findings."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace

from lark.exceptions import UnexpectedInput

from interpreter.authoring.effects import effect
from interpreter.authoring.own_card import on_card, supposed
from interpreter.game.loading import Loaded
from rulelang import core
from rulelang.compiler.sentences import sentences_of, uncited_sentence
from rulelang.core.types import Type, element
from rulelang.core.values import Value, ordered
from rulelang.diagnostics import Diagnostic, Report
from rulelang.diagnostics.english import spoken
from rulelang.diagnostics.source import Source, Span, decode_source
from rulelang.phrases.describe import Describer
from rulelang.phrases.phrase import Phrase, Reading
from rulelang.phrases.readings import Glossary
from rulelang.phrases.unparse import texts_of_readings
from rulelang.ruleset import Case, Design, Line, Rule
from rulelang.syntax.nodes import CITE, Node, plain
from rulelang.syntax.parser import parse_source

TEXT = "text"  # the name a text is quoted by that comes from no file
Tell = Callable[
    [Reading, Reading], str
]  # says where two readings differ, for a sentence that has several


@dataclass(frozen=True)
class Said:
    """One sentence: its readings (one, if all is well), their effects, and findings."""

    text: str
    readings: tuple[str, ...]
    effects: tuple[tuple[str, ...], ...]
    diagnostics: tuple[Diagnostic, ...]
    other_words: tuple[str, ...] = ()  # what it is read in, where it is not as it stands
    left_out: tuple[str, ...] = ()  # asides of it that say nothing of the game
    title: str = ""  # of the card that it is read on, where that is not its own

    def as_json(self) -> dict[str, object]:
        """The sentence as plain data."""
        readings = [
            {"paraphrase": said, "effects": list(does)}
            for said, does in zip(self.readings, self.effects, strict=True)
        ]
        return {
            "text": self.text,
            "readings": readings,
            "other_words": list(self.other_words),
            "left_out": list(self.left_out),
            "title": self.title,
            "diagnostics": [item.as_json() for item in self.diagnostics],
        }


@dataclass(frozen=True)
class Printed:
    """What stands on a piece besides its text."""

    title: str
    component: str
    copies: int
    fields: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, object]:
        """The piece as plain data."""
        return {
            "title": self.title,
            "component": self.component,
            "copies": self.copies,
            "fields": dict(self.fields),
        }

    def __str__(self) -> str:
        copies = "1 copy" if self.copies == 1 else f"{self.copies} copies"
        return f"{self.title}, {self.component}, {copies}" + "".join(
            f", {spoken(name)} {value}" for name, value in self.fields
        )


def printed(loaded: Loaded, text: str) -> Printed | None:
    """What is printed on the piece of that title: fields it gives or that are not empty."""
    rules = loaded.compiled.rules
    design = next(
        (d for d in rules.designs if d.title and d.title.lower() == text.strip().lower()), None
    )
    if design is None:
        return None
    card = _card(loaded, design.title)
    given = {part.part(0).text for part in card.words("datum")} if card is not None else set()
    component = rules.components[design.component]
    describer = Describer(rules)
    fields = []
    for name, value in design.values:
        t = component.field(name)
        if t is None or (name not in given and value in (None, "", 0, frozenset(), ())):
            continue
        fields.append((name, printed_value(describer, t, value)))
    return Printed(design.title, component.words[0], design.copies, tuple(fields))


def printed_value(describer: Describer, t: Type, value: Value) -> str:
    """The value of a field in words, of a set each member."""
    inner = element(t)
    if inner is None or not isinstance(value, frozenset | tuple):
        return describer.say(core.Const(value, type=t)) or "none"
    return ", ".join(describer.say(core.Const(v, type=inner)) for v in ordered(value)) or "none"


def explain(
    loaded: Loaded, text: str, tell: Tell | None = None, title: str = ""
) -> tuple[list[Said], dict[str, Source]]:
    """The sentences of a text or of the piece so titled, and the sources that findings quote.

    With a title, the text is read as on the card of that title, and without one as on a card of the
    name in it that no piece of the game has, if it is read so and not as it stands.
    """
    if title:
        return _of_text(loaded, text, tell, title)
    card = _card(loaded, text)
    if card is not None:
        title = plain(card.part(0))
        design = next(
            (d for d in loaded.compiled.rules.designs if d.title == title), None
        ) or _unfinished(loaded, card)
        own = [found for words in card.words("words") for found in sentences_of(words)]
        return [
            sentence_said(loaded, said, span, design, tell) for said, span in own
        ], loaded.sources
    if printed(loaded, text) is not None:
        return [], {}
    made, sources = _of_text(loaded, text, tell, "")
    if len(made) == 1 and made[0].diagnostics and not made[0].title:
        made = [_with_title_like_it(loaded, text, made[0])]
    return made, sources


def _of_text(
    loaded: Loaded, text: str, tell: Tell | None, title: str
) -> tuple[list[Said], dict[str, Source]]:
    """The sentences of a free text, as on a card of a title if one is given or supposed."""
    source, flaws = decode_source(TEXT, text.encode("utf-8", "surrogatepass"))
    if source is None:
        report = Report()
        for flaw in flaws:
            report.add_text_error(flaw)
        return [Said(text, (), (), tuple(report.found))], {}
    found = sentences(source)
    said = [uncited_sentence(sentence) for sentence, _ in found]
    own = on_card(loaded, title, said) if title else supposed(loaded, said)
    made = [
        sentence_said(own.loaded, sentence, span, own.design, tell)
        if own is not None
        else sentence_said(loaded, sentence, span, None, tell)
        for sentence, span in found
    ]
    if own is not None:
        made = [replace(one, title=own.design.title) for one in made]
    return made, {TEXT: source}


def _card(loaded: Loaded, title: str) -> Node | None:
    """The card of this title as it is written; only files that may hold it are parsed."""
    wanted = title.strip().lower()
    return next(
        (
            node
            for source in loaded.sources.values()
            if f'card "{wanted}"' in source.text.lower()
            for node in parse_source(source, Report())
            if node.kind == "card" and plain(node.part(0)).lower() == wanted
        ),
        None,
    )


def _with_title_like_it(loaded: Loaded, text: str, said: Said) -> Said:
    """The sentence with a note on the card whose title is nearest to it, if one is near."""
    titles = {design.title.lower(): design.title for design in loaded.compiled.rules.designs}
    near = difflib.get_close_matches(text.strip().lower(), titles, n=1, cutoff=0.75)
    if not near:
        return said
    first, *rest = said.diagnostics
    hint = f"a card is called “{titles[near[0]]}”"
    return replace(said, diagnostics=(replace(first, notes=(*first.notes, hint)), *rest))


def sentences(source: Source) -> list[tuple[str, Span]]:
    """The sentences of a free text, cut as those of a card; lines may begin with a bar."""
    bars = []
    for number, line in enumerate(source.lines, 1):
        bar = len(line) - len(line.lstrip()) + 1 if line.lstrip().startswith("|") else 0
        leaf = Node("BAR", (), Span(TEXT, number, bar, number, len(line) + 1), line[bar:])
        bars.append(Node("bar", (leaf,), leaf.span))
    return sentences_of(Node("words", tuple(bars), Span(TEXT, 1, 1, 1, 1)))


def _unfinished(loaded: Loaded, card: Node) -> Design | None:
    """A card that was left out, as far as its sentences need it: whose words they are."""
    of = card.parts[1]
    if of is None or of.text not in loaded.compiled.rules.components:
        return None
    return Design(plain(card.part(0)), of.text, (), 1, "")


def sentence_said(
    loaded: Loaded, text: str, span: Span, design: Design | None, tell: Tell | None = None
) -> Said:
    """A sentence as it is read on a card of this design, if one is given."""
    glossary = loaded.compiled.glossary
    text = CITE.sub("", text).strip()
    report = Report()
    glossary.read_sentence(text, span, design, "", report)
    diagnostics = tuple(report.found)
    readings = (
        _readings(glossary, text, design)
        if all(item.code == "C003" for item in diagnostics)
        else []
    )
    if len(readings) > 1 and tell is not None:
        told = tell(readings[0], readings[1])
        diagnostics = tuple(replace(item, notes=(*item.notes, told)) for item in diagnostics)
    rules = loaded.compiled.rules
    said = tuple(texts_of_readings([reading.derivation for reading in readings]))
    does = tuple(
        tuple(line for extension in reading.extensions for line in effect(extension, rules))
        for reading in readings
    )
    forms = [reading.form for reading in readings if reading.form is not None]
    other_words = dict.fromkeys(form.text for form in forms)
    left_out = dict.fromkeys(aside for form in forms for aside in form.left_out)
    return Said(text, said, does, diagnostics, tuple(other_words), tuple(left_out))


def _readings(glossary: Glossary, text: str, design: Design | None) -> list[Reading]:
    try:
        return glossary.readings(text, design)
    except UnexpectedInput:
        return []


# ------------------------------------------------------------------------------ what can be written
@dataclass(frozen=True)
class Entry:
    """A phrase of the glossary: its sort, its text with slots, an example, forms and citations.

    Phrases of one meaning, said in several ways, have the same `meaning`.
    """

    sort: str
    text: str
    example: str
    forms: tuple[str, ...]
    cites: tuple[str, ...]
    meaning: str = ""

    def as_json(self) -> dict[str, object]:
        """The entry as plain data."""
        return {
            "sort": self.sort,
            "text": self.text,
            "example": self.example,
            "forms": list(self.forms),
            "cites": list(self.cites),
            "meaning": self.meaning,
        }


def synonyms(loaded: Loaded, word: str) -> tuple[str, ...]:
    """What may be said for a word or words, as the rules and the shared wordings declare it."""
    wanted = word.strip().lower()
    lists = loaded.compiled.glossary.lexicon.synonyms
    alike = [said for listed in lists if wanted in listed for said in listed]
    return tuple(said for said in dict.fromkeys(alike) if said != wanted)


def phrases(loaded: Loaded, word: str = "") -> list[Entry]:
    """Every phrase a card may use, sentences first.

    With a word, those in whose text, sort or forms it or a synonym of it occurs.
    """
    glossary = loaded.compiled.glossary
    made = [
        _entry(loaded, phrase)
        for phrase in glossary.lexicon.phrases
        if phrase.pattern is None or phrase.pattern.extensions
    ]
    wanted = (word.strip().lower(), *synonyms(loaded, word))
    return [
        e
        for e in made
        if not word or any(w in part.lower() for part in (e.sort, e.text, *e.forms) for w in wanted)
    ]


def _entry(loaded: Loaded, phrase: Phrase) -> Entry:
    glossary = loaded.compiled.glossary
    cites: tuple[str, ...] = ()
    if phrase.pattern is not None:
        found = list(phrase.pattern.cites)
        for extension in phrase.pattern.extensions:
            parts: tuple[Line | Rule | Case, ...] = (
                *extension.lines,
                *extension.rules,
                *extension.cases,
            )
            for part in parts:
                clause = loaded.compiled.rules.clauses.get(part.clause)
                found += clause.cites if clause is not None else ()
        cites = tuple(dict.fromkeys(found))
    elif phrase.define is not None:
        known = loaded.compiled.rules.clauses.get(f"define {phrase.define}")
        cites = known.cites if known is not None else ()
    sort, _, name = phrase.category.partition("_")
    called = (
        phrase.category
        if not name
        else {"p": name, "k": name, "s": f"set of {name}"}.get(sort, name)
    )
    sample = glossary.lexicon.examples.of(phrase) if phrase.word is None else phrase.word_forms[0]
    forms = phrase.word_forms if phrase.word is not None else ()
    return Entry(called, phrase.text, sample, forms, cites, phrase.id.rpartition("_")[0])
