"""The grammar of card sentences: a lexicon's phrases as one Lark grammar for the Earley parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rulelang.phrases.phrase import (
    NUMBER_PATTERN,
    SLOT,
    Phrase,
    SynonymIndex,
    Synonyms,
    expand_optional,
    regex_of,
)


@dataclass
class _Terminals:
    """The terminals so far: regular expression -> name."""

    synonyms: SynonymIndex
    names: dict[str, str] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict)  # memo: words -> terminal

    def of(self, words: str) -> str:
        """The terminal that matches these words."""
        if words not in self._known:
            pattern = regex_of(words, self.synonyms)
            self._known[words] = self.names.setdefault(pattern, f"T{len(self.names)}")
        return self._known[words]

    def expansion(self, text: str, slots: dict[str, str]) -> str:
        """A phrase's text as the symbols of one expansion."""
        symbols: list[str] = []
        at = 0
        for match in SLOT.finditer(text):
            if text[at : match.start()].strip():
                symbols.append(self.of(text[at : match.start()]))
            symbols.append(slots.get(match.group(1), "number"))
            at = match.end()
        if text[at:].strip():
            symbols.append(self.of(text[at:]))
        return " ".join(symbols) or "NOTHING"

    def expansions(self, phrase: Phrase) -> list[str]:
        """All expansions of a phrase: of a word its forms, else with and without optional words."""
        if phrase.word is not None:
            return [self.of(form) for form in dict.fromkeys(phrase.word_forms)]
        text = phrase.text.removesuffix(".") if phrase.category == "sentence" else phrase.text
        return [self.expansion(t, dict(phrase.slots)) for t in expand_optional(text)]


JOINING = frozenset(("END", "APART", "TOGETHER"))  # terminals that stand between sentences
_JOINING = (
    "joined: sentence TOGETHER (sentence | joined) -> joined_sentences",
    "    | sentence APART (sentence | joined) -> sentences_apart",
    r"END: /\./",
    r"APART: /;(?:\s*(?:and|but)\b)?/i",
    r"TOGETHER: /,?\s*\b(?:and also|and then|but also|and|but|then|plus)\b,?|,/i",
)


def sentence_grammar(phrases: Sequence[Phrase], synonyms: Synonyms = ()) -> str:
    """The grammar in Lark's notation: categories are rules, and each phrase is an aliased option.

    Phrases of one category with equal expansions get rules of their own, so that both are read.
    """
    rules: dict[str, list[str]] = {}
    terminals = _Terminals(SynonymIndex(synonyms))
    taken: set[tuple[str, str]] = set()
    lines: list[str] = []
    for phrase in phrases:
        expansions = terminals.expansions(phrase)
        body = _alternatives(phrase, expansions)
        if any((phrase.category, expansion) in taken for expansion in expansions):
            own = f"_same_{len(taken)}_{phrase.id}"
            lines.append(f"{own}: {body}")
            body = own
        taken |= {(phrase.category, expansion) for expansion in expansions}
        rules.setdefault(phrase.category, []).append(f"{body} -> {phrase.id}")
    wanted = {"sentence"} | {category for phrase in phrases for _, category in phrase.slots}
    lines += ["start: (sentence | joined) END", f"number: /{NUMBER_PATTERN}/i", *_JOINING]
    lines += [f"{category}: NOTHING" for category in sorted(wanted - set(rules) - {"number"})]
    lines += [f"{category}: " + "\n    | ".join(options) for category, options in rules.items()]
    lines.append(r"NOTHING: /(?!)x/")
    lines += [f"{name}: /{pattern}/i" for pattern, name in terminals.names.items()]
    lines += [r"WS: /[ \t\f\r\n]+/", "%ignore WS"]
    return "\n".join(lines)


def _alternatives(phrase: Phrase, expansions: list[str]) -> str:
    """The expansions of a phrase as one body; brackets keep the alias to all of them."""
    if phrase.word is None and len(expansions) == 1:
        return expansions[0]
    return "(" + " | ".join(expansions if phrase.word is None else dict.fromkeys(expansions)) + ")"
