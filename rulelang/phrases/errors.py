"""What went wrong with a sentence: a word nobody knows, a place where no phrase goes on, and what is nearest."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator

from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput

from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import Span
from rulelang.phrases.phrase import (
    COUNTED,
    OPTIONAL,
    SLOT,
    Phrase,
    forms,
    own_words,
    pattern_of,
    settled,
    words_of,
    writings,
)
from rulelang.phrases.unparse import Saying

_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]|(?<!\w)['‘]((?:[^'‘’\"]|(?<=\w)['’](?=\w))+)['’](?!\w)")
_NAME = re.compile(
    r"(?<=\s)(?:“[^”]+”|[A-Z][\w'’-]*(?: (?:of |the )*[A-Z][\w'’-]*)*)"
)  # as a title is written: what stands first is no name


class Misreading(Saying):
    """Tells why a sentence has no reading."""

    def _unknown_words(self, text: str, span: Span) -> bool:
        """Are there words in it that nobody knows? They are told; where there are none once, there are none again."""
        if text not in self.plain:
            if self._tell_unknown(text, span):
                return True
            self.plain.add(text)
        return False

    def _tell_unknown(self, text: str, span: Span) -> bool:
        named = self._unknown_names(text)
        for at, end in named:
            name = text[at:end].strip("“”")
            near = nearest(
                name, {phrase.text for phrase in self.phrases if phrase.word is not None}
            )
            fix = "Did you mean " + " or ".join(f"“{w}”" for w in near) + "?" if near else None
            self.names.report.add("unknown-noun", _within(span, at, end), name=name, fix=fix)
        unknown = bool(named)
        for match in re.finditer(r"[^\W\d_][\w'’-]*", text):
            word = match.group(0).lower()
            known = (
                all(part in self.vocabulary for part in re.split(r"(?<=-)", word))
                or word in self.vocabulary
            )
            if known or any(at <= match.start() < end for at, end in named):
                continue
            near = nearest(word, self.vocabulary)
            goes_on = {
                w: self._read_up_to(text[: match.start()] + w + text[match.end() :])
                - match.start()
                - len(w)
                for w in near
            }
            fitting = [w for w in near if goes_on[w] >= 0]
            slip = any(
                goes_on[w] >= len(text) - match.end() for w in near
            )  # with one of these words the whole sentence reads
            wordings = (
                []
                if slip
                else list(
                    itertools.islice(self._wordings_there(text, match.start(), match.end()), 3)
                )
            )
            options = " or ".join(f"“{w}”" for w in wordings or fitting or near)
            fix = (
                (f"Write {options}" if wordings else f"Did you mean {options}?")
                if options
                else None
            )
            self.names.report.add(
                "unknown-word",
                _within(span, match.start(), match.end()),
                word=match.group(0),
                fix=fix,
                notes=self.nearest_phrases(text),
            )
            unknown = True
        return unknown

    def _unknown_names(self, text: str) -> list[tuple[int, int]]:
        """Where something is named that nobody has: words written as titles are, of which one is unknown, where a noun would be read."""
        found = [
            m.span()
            for m in _NAME.finditer(text)
            if any(
                w.lower() not in self.vocabulary
                for w in re.findall(r"[^\W\d_][\w'’-]*", m.group(0))
            )
        ]
        if not found:
            return []
        samples = {phrase.category: phrase.text for phrase in self.phrases if _is_noun(phrase)}
        for sample in samples.values():
            made, ends, last = "", list[int](), 0
            for at, end in found:
                made += text[last:at] + sample
                ends.append(len(made))
                last = end
            read = self._read_up_to(made + text[last:])
            taken = [place for place, end in zip(found, ends, strict=True) if end <= read]
            if taken:
                return taken
        return []

    def _read_up_to(self, text: str) -> int:
        """How much of a sentence can be read."""
        assert self.reader is not None
        try:
            self.reader.tree(text)
        except UnexpectedCharacters as error:
            return error.pos_in_stream or 0
        except UnexpectedInput:
            pass
        return len(text)

    def _wordings_there(self, text: str, at: int, end: int) -> Iterator[str]:
        """The sentence with a wording that can be read in place of unknown words before a noun, each definition in one."""
        places = [
            (m.start(), -m.end())
            for phrase in self.phrases
            if _is_noun(phrase)
            for m in re.finditer(
                "|".join(pattern_of(form) for form in phrase.word_forms), text[end:], re.IGNORECASE
            )
        ]
        if not places:
            return
        first, last = min(places)
        between, tail = text[end : end + first], text[end - last :]
        nouns = [
            " ".join([*between.split()[-1:], text[end + first : end - last]]),
            text[end + first : end - last],
        ]  # with an article, and without
        sorts, said = self._sorts_after(text[:at]), set[str | None]()
        for phrase in self.phrases:
            if (
                not phrase.category.startswith("p_")
                or phrase.category not in sorts
                or phrase.define in said
            ):
                continue
            if _is_bare(phrase) or not phrase.text.endswith("}"):
                continue
            if len([c for _, c in phrase.slots if c != "number"]) != 1:
                continue
            words = settled(min(writings(phrase.text), key=len), many=True)
            for noun in dict.fromkeys(nouns):
                fillings = {name: "2" if kind == "number" else noun for name, kind in phrase.slots}
                filled = " ".join(SLOT.sub(functools.partial(_filling, fillings), words).split())
                made = text[:at] + filled + tail
                if self._read_up_to(made) == len(made):
                    said.add(phrase.define)
                    yield made
                    break

    def _sorts_after(self, start: str) -> set[str]:
        """The sorts of wordings that can stand after the first words of a sentence."""
        found = set()
        for phrase in self.phrases:
            for text in writings(phrase.text) if phrase.category == "sentence" else ():
                for match in SLOT.finditer(text):
                    before = SLOT.sub("0", text[: match.start()])
                    if re.fullmatch(
                        pattern_of(before), re.sub(r"\d+", "0", start.strip()), re.IGNORECASE
                    ):
                        found.add(dict(phrase.slots).get(match.group(1), ""))
        inner = found
        while inner:  # a wording that is nothing but another
            inner = {
                c for p in self.phrases if p.category in inner and _is_bare(p) for _, c in p.slots
            } - found
            found |= inner
        return found

    def unquoted(self, text: str) -> str:
        """The text with blanks in place of quotes round what is called so, and typographic ones round other names, letter for letter in its place."""

        def plain(match: re.Match[str]) -> str:
            inner = match.group(1) or match.group(2)
            return f" {inner} " if inner.strip().lower() in self._names else f"“{inner}”"

        return _QUOTED.sub(plain, text)

    @functools.cached_property
    def _names(self) -> set[str]:
        """All that things are called, in one and many."""
        return {
            form.lower()
            for phrase in self.phrases
            if phrase.word is not None
            for form in phrase.word_forms
        }

    @functools.cached_property
    def vocabulary(self) -> set[str]:
        """Every word some phrase uses; asked for when all phrases are known."""
        words: set[str] = set(COUNTED)
        for phrase in self.phrases:
            texts = (
                phrase.word_forms
                if phrase.word is not None
                else (SLOT.sub(" ", OPTIONAL.sub(r"\1", phrase.text)),)
            )
            for text in texts:
                for word in re.findall(r"[^\W\d_][\w'’()-]*(?:/[\w()]+)*", text):
                    for part in word.split("/"):
                        words.update(form.lower() for form in forms(part))
        return words

    def nearest_phrases(self, text: str) -> list[str]:
        """The sentences of the glossary most like a text, as notes."""
        wanted = set(re.findall(r"[a-z'’-]+", text.lower()))
        scored = []
        for phrase in self.phrases:
            if phrase.category == "sentence":
                own = own_words(phrase.text)
                found = sum(bool(forms & wanted) for forms in own)
                scored.append((-found / (len(own) or 1), -found, phrase.text))
        scored.sort()
        return [f"a phrase like it: “{text_}”" for score, _, text_ in scored[:2] if score < -0.2]

    def _no_reading(self, text: str, span: Span, error: UnexpectedInput) -> None:
        if isinstance(error, UnexpectedCharacters):
            at = error.pos_in_stream or 0
            while at < len(text) and text[at] == " ":
                at += 1
            names = set(error.allowed or ())
        else:
            at = len(text)
            names = set(error.expected) if isinstance(error, UnexpectedEOF) else set()
        expected = self._expected(names)
        where = Span(
            span.file,
            span.line,
            span.column + at,
            span.line,
            max(span.column + at + 1, span.column + len(text)),
        )
        failed = text[at:] or "the end of the sentence"
        read = text[:at].strip()
        notes = (
            ([f"read so far: “{read}”"] if read else [])
            + ([f"here could stand: {expected}"] if expected else [])
            + self.nearest_phrases(text)
        )
        bare = re.sub("[\"'“”‘’](?!\\w)|(?<!\\w)[\"'“”‘’]", " ", text)
        fix = (
            "Leave the quotes out: a name stands by itself."
            if bare != text and self._read_up_to(bare) == len(bare)
            else None
        )
        self.names.report.add("no-reading", where, notes=notes, failed=failed, fix=fix)

    def _expected(self, names: set[str]) -> str:
        assert self.reader is not None
        table = self.reader.terminals
        said = sorted({words_of(table.get(name, "")) for name in names} - {""})
        called = {
            words_of(pattern_of(form))
            for phrase in self.phrases
            if _is_noun(phrase)
            for form in phrase.word_forms
        }
        own, called_so = [w for w in said if w not in called], [w for w in said if w in called]
        names_of = (
            [f"a name such as “{called_so[0]}”"]
            if len(called_so) > 1
            else [f"“{w}”" for w in called_so]
        )
        told = [w if w == "a number" else f"“{w}”" for w in own[: 8 - len(names_of)]] + names_of
        return ", ".join(told) + (" …" if len(own) + len(names_of) > 8 else "")


def _is_noun(phrase: Phrase) -> bool:
    """Does it name pieces?"""
    return phrase.word is not None and phrase.category.startswith("s_")


def _is_bare(phrase: Phrase) -> bool:
    """Is it nothing but another wording?"""
    return (
        phrase.word is None
        and len(phrase.slots) == 1
        and SLOT.fullmatch(OPTIONAL.sub("", phrase.text).strip()) is not None
    )


def _within(span: Span, at: int, end: int) -> Span:
    return Span(span.file, span.line, span.column + at, span.line, span.column + end)


def _filling(fillings: dict[str, str], slot: re.Match[str]) -> str:
    """The word that stands for a slot."""
    return fillings[slot.group(1)]
