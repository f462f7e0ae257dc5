"""Derivations said back: as text that reads as the same, as other wordings of it, as examples of a phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from rulelang.phrases.grammar import Entries
from rulelang.phrases.phrase import SLOT, Derivation, Phrase, settled


class Saying(Entries):
    """Says what was read, and what could be said instead."""

    def rewordings(self, derivation: Derivation) -> Iterator[str]:
        """The same derivation in the other wordings its definitions offer."""
        if derivation.phrase is None or derivation.phrase.word is not None:
            yield self.describe(derivation)
            return
        phrase = derivation.phrase
        alike = [
            p
            for p in self.phrases
            if p.category == phrase.category
            and p.word is None
            and dict(p.slots) == dict(phrase.slots)
        ]
        twins = sorted(alike, key=lambda p: p.define != phrase.define)
        for twin in twins:
            names = [m.group(1) for m in SLOT.finditer(twin.text)]
            options: list[dict[str, str]] = [{}]
            for name in names:
                inner = derivation.slot(name)
                if inner is None:
                    options = []
                    break
                texts = list(islice(self.rewordings(inner), 6))
                options = [{**o, name: said} for o in options for said in texts][:36]
            for option in options:
                yield SLOT.sub(lambda m, o=option: o[m.group(1)], settled(twin.text))  # type: ignore[misc]

    def describe(self, derivation: Derivation, grouped: bool = False, form: int = 0) -> str:
        """The text of a derivation, which reads back as it; grouped puts brackets round what belongs together."""
        if derivation.phrase is None:
            return str(derivation.number)
        phrase = derivation.phrase
        if phrase.word is not None:
            return phrase.word_forms[form]

        def said(match: re.Match[str]) -> str:
            inner = derivation.slot(match.group(1))
            if inner is None:
                return match.group(0)
            how = match.group(2) or ""
            many = how == "plural" or (
                form == 1 and match.group(0) == phrase.text
            )  # what reads one noun as it stands, reads its plural too
            if how.startswith("by "):
                counted = derivation.slot(how[3:])
                many = counted is None or counted.number != 1
            text = self.describe(inner, grouped, 1 if many else 0)
            return (
                f"[{text}]"
                if grouped and inner.phrase is not None and inner.phrase.word is None
                else text
            )

        text = settled(
            phrase.text, derivation, many=form == 1 or not phrase.category.startswith("s_")
        )
        text = SLOT.sub(said, text)
        text = re.sub(r"\b([Aa]) (?=\[?[aeiouAEIOU])", r"\1n ", text)
        return text.replace("..", ".")  # after a name that ends with a period

    def examples(self, phrase: Phrase, depth: int = 2) -> str:
        """A text the phrase reads, with the simplest filling of every slot."""
        numbers = iter((2, 3, 4, 5))

        def sample(category: str, left: int) -> str:
            if category == "number":
                return str(next(numbers, 2))
            options = [p for p in self.phrases if p.category == category]
            options.sort(key=lambda p: (p.word is None, len(p.slots)))
            if not options or left < 0:
                return "…"
            chosen = options[0]
            return self._example(chosen, lambda c: sample(c, left - 1))

        return self._example(phrase, lambda c: sample(c, depth))

    def _example(self, phrase: Phrase, sample: object) -> str:
        if phrase.word is not None:
            return phrase.word_forms[0]
        slots = dict(phrase.slots)
        text = SLOT.sub(lambda m: sample(slots.get(m.group(1), "number")), settled(phrase.text))  # type: ignore[operator]
        return re.sub(r"\b([Aa]) (?=[aeiouAEIOU])", r"\1n ", text)
