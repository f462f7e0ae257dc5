"""What went wrong with a sentence: a word nobody knows, a place where no phrase goes on, and what is nearest."""
from __future__ import annotations

import functools
import re

from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput

from rulelang.messages import nearest
from rulelang.saying import Saying
from rulelang.source import Span
from rulelang.wording import OPTIONAL, SLOT, own_words, words_of


class Misreading(Saying):
    """Tells why a sentence has no reading."""

    def _unknown_words(self, text: str, span: Span) -> bool:
        vocabulary = self.vocabulary
        unknown = False
        for match in re.finditer(r"[^\W\d_][\w'’-]*", text):
            word = match.group(0).lower()
            if word in vocabulary:
                continue
            near = nearest(word, vocabulary)
            where = Span(span.file, span.line, span.column + match.start(), span.line, span.column + match.end())
            self.names.report.add("unknown-word", where, word=match.group(0), fix="Did you mean " + " or ".join(f"“{w}”" for w in near) + "?" if near else None,
                                  notes=self.nearest_phrases(text))  # fmt: skip
            unknown = True
        return unknown

    @functools.cached_property
    def vocabulary(self) -> set[str]:
        """Every word some phrase uses; asked for when all phrases are known."""
        words: set[str] = set()
        for phrase in self.phrases:
            texts = phrase.word_forms if phrase.word is not None else (SLOT.sub(" ", OPTIONAL.sub(r"\1", phrase.text)),)
            for text in texts:
                for word in re.findall(r"[^\W\d_][\w'’()-]*(?:/\w+)*", text):
                    for part in word.split("/"):
                        words.add(re.sub(r"\(\w+\)", "", part).lower())
                        words.add(re.sub(r"[()]", "", part).lower())
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
        where = Span(span.file, span.line, span.column + at, span.line, max(span.column + at + 1, span.column + len(text)))
        failed = text[at:] or "the end of the sentence"
        read = text[:at].strip()
        notes = ([f"read so far: “{read}”"] if read else []) + ([f"here could stand: {expected}"] if expected else []) + self.nearest_phrases(text)
        self.names.report.add("no-reading", where, notes=notes, failed=failed)

    def _expected(self, names: set[str]) -> str:
        assert self.reader is not None
        table = self.reader.terminals
        said = sorted({words_of(table.get(name, "")) for name in names} - {""})
        return ", ".join(f"“{w}”" if w != "a number" else w for w in said[:8]) + (" …" if len(said) > 8 else "")
