"""Card sentences: every reading of a sentence is found, and each becomes core objects."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import islice

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulelang.diagnostics.source import Span
from rulelang.elaborate.patterns import Pattern
from rulelang.phrases.errors import Misreading
from rulelang.phrases.mentions import Mentions
from rulelang.phrases.phrase import SLOT, Derivation, Reading, number_of
from rulelang.phrases.substitute import Unbound, fill_extension
from rulelang.ruleset import Design, Extension, Noun
from rulelang.ruleset.inline import written_out
from rulelang.ruleset.normalize import normal_extension

MAX_WORDS = 60  # a sentence longer than this is no card sentence
MAX_READINGS = 24
MAX_REWORDED = 40  # words of a sentence for which another wording is sought
MAX_TRIED = 200  # derivations looked at, those of equal meaning too


class Glossary(Misreading):
    """All wordings of a ruleset and the reader made from them."""

    def derivations(self, text: str) -> list[Derivation]:
        """Every way the whole text is a sentence, the period at its end or left out; raises Lark's UnexpectedInput if there is none."""
        assert self.reader is not None
        try:
            tree = self.reader.tree(text)
        except UnexpectedInput as error:
            try:
                tree = self.reader.tree(f"{text}.")  # as after a name that ends with one of its own
            except UnexpectedInput:
                raise error from None
        found: list[Derivation] = []
        for made in islice(self._derivations(tree), MAX_TRIED):
            if made not in found:
                found.append(made)
        if len(found) == MAX_TRIED:
            self.crowded.add(text)
        return found

    def _derivations(self, tree: Tree[Token]) -> Iterator[Derivation]:
        """One after another, for there may be more than anybody can count."""
        if tree.data == "number":
            yield Derivation(None, number=number_of(str(tree.children[0])))
            return
        if tree.data in ("_ambig", "start"):
            for option in tree.children:
                if isinstance(option, Tree):
                    yield from self._derivations(option)
            return
        phrase = self.by_id[str(tree.data)]
        order = [m.group(1) for m in SLOT.finditer(phrase.text)] if phrase.word is None else []
        parts = [child for child in tree.children if isinstance(child, Tree)]

        def filled(index: int) -> Iterator[tuple[Derivation, ...]]:
            if index == len(parts):
                yield ()
                return
            for first in self._derivations(parts[index]):
                for rest in filled(index + 1):
                    yield (first, *rest)

        for inner in filled(0):
            slots = dict(zip(order, inner, strict=True))
            if all(
                slots[name] == one for name, one in zip(order, inner, strict=True)
            ):  # a slot named twice is filled alike
                yield Derivation(phrase, tuple(slots.items()))

    def readings(self, text: str, design: Design | None = None) -> list[Reading]:
        """All meanings of a sentence: readings with equal core objects are one."""
        component, text = design.component if design else "", self.unquoted(text)
        key = (text, component)
        if key not in self.cache:
            found: list[Reading] = []
            for derivation in self.derivations(text):
                pattern = derivation.phrase.pattern if derivation.phrase else None
                if pattern is None or (
                    component and pattern.component and pattern.component != component
                ):
                    continue
                try:
                    made = tuple(fill_extension(e, derivation, self) for e in pattern.extensions)
                except Unbound as error:
                    self.unbound[text] = [str(part) for part in error.args]
                    continue
                reading = Reading(
                    derivation, made, functools.partial(self._normal, derivation, pattern)
                )
                if all(reading.meaning != other.meaning for other in found):
                    found.append(reading)
                if len(found) == MAX_READINGS:
                    break
            self.cache[key] = found
        return self.cache[key]

    def _normal(self, derivation: Derivation, pattern: Pattern) -> tuple[Extension, ...]:
        return tuple(
            normal_extension(
                fill_extension(e, derivation, self, labels=False),
                lambda x: written_out(x, self.names.rules),
            )
            for e in pattern.extensions
        )

    def read_sentence(
        self, text: str, span: Span, design: Design | None, clause: str
    ) -> list[Extension]:
        """The extensions a sentence makes; no reading, or more than one, is reported with what would mend it."""
        report, text = self.names.report, self.unquoted(text)
        if self.reader is None:
            report.add("no-phrases", span)
            return []
        if len(text.split()) > MAX_WORDS:
            report.add("sentence-too-long", span, limit=MAX_WORDS)
            return []
        if self._unknown_words(text, span):
            return []
        try:
            found = self.readings(text, design)
        except UnexpectedInput as error:
            self._no_reading(text, span, error)
            return []
        if not found and not self.derivations(text):  # a slot named twice is filled in two ways
            report.add("no-reading", span, notes=self.nearest_phrases(text), failed=text)
            return []
        if not found:
            missing = self.unbound.get(text, [])
            what = (
                f"“{missing[1]}” asks for `{missing[0]}`"
                if len(missing) > 1
                else f"`{missing[0]}`"
                if missing
                else "its cards are other cards"
            )
            report.add("no-subject", span, text=text, what=what)
            return []
        if len(found) == 1 and text in self.crowded:
            report.add("ambiguous", span, count=f"{MAX_TRIED} or more")
            return []
        if len(found) > 1:
            notes = [
                f"reading {i}: {self.describe(r.derivation, grouped=True)}"
                for i, r in enumerate(found[:6], 1)
            ]
            rewording = self.reword(found)
            report.add(
                "ambiguous",
                span,
                notes=notes,
                count=len(found) if len(found) < MAX_READINGS else f"{MAX_READINGS} or more",
                fix=rewording,
            )
            return []
        made = []
        for extension in found[0].extensions:
            values = {
                **extension.__dict__,
                "clause": clause,
                "title": design.title if design else "",
            }
            made.append(Extension(**values))
        return made

    def nouns(self, text: str, design: Design) -> tuple[Noun, ...]:
        """What a sentence names that was read."""
        found = self.cache.get((self.unquoted(text), design.component), [])
        return tuple(self.mentions.nouns(found[0].derivation)) if len(found) == 1 else ()

    @functools.cached_property
    def mentions(self) -> Mentions:
        """What follows names through the wordings; asked for when all phrases are known."""
        return Mentions(self)

    def reword(self, found: list[Reading]) -> str | None:
        """A wording of one of the readings that has that one meaning, if another phrase of the glossary says it."""
        for reading in found[:6]:
            for text in islice(self.rewordings(reading.derivation), 36):
                if len(text.split()) > MAX_REWORDED:
                    break
                try:
                    others = self.readings(text)
                except UnexpectedInput:
                    continue
                if len(others) == 1 and others[0].meaning == reading.meaning:
                    return f"Say “{text}” if you mean: {self.describe(reading.derivation, grouped=True)}"
        return None

    def overlaps(self) -> None:
        """Report phrases that can never match, and pairs of sentences some text reads as both with different meanings."""
        if self.reader is None:
            return
        filled = {p.category for p in self.phrases} | {"number"}
        for phrase in self.phrases:
            for name, category in phrase.slots:
                if category not in filled:
                    self.names.report.add("never-matches", phrase.span, text=phrase.text, slot=name)
        seen: set[frozenset[str]] = set()
        for phrase in self.phrases:
            if phrase.category != "sentence":
                continue
            text = self.examples(phrase)
            if "…" in text:
                continue
            try:
                found = self.readings(text)
            except UnexpectedInput:
                continue
            used = {
                r.derivation.phrase.id: r.derivation.phrase for r in found if r.derivation.phrase
            }
            if len(used) > 1 and frozenset(used) not in seen:
                seen.add(frozenset(used))
                other = next(p for key, p in used.items() if key != phrase.id)
                self.names.report.add(
                    "phrases-overlap", phrase.span, one=phrase.text, two=other.text, example=text
                )
