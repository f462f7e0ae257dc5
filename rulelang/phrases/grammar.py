"""The glossary: every wording a ruleset declares, and the grammar of sentences made from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulelang import core
from rulelang.core.types import NUMBER, KindT, PhraseT, PieceT, SetT, Type, element, non_optional
from rulelang.diagnostics.english import plural, unmarked
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.elaborate.nouns import all_that_are, everything
from rulelang.elaborate.patterns import Extensions
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import TypeChecker
from rulelang.phrases.earley import Reader, reader_of
from rulelang.phrases.phrase import NUMBER_WORDS, SLOT, Phrase, Reading, pattern_of, writings
from rulelang.ruleset import Component, Noun


@dataclass
class Entries:
    """All wordings of a ruleset, and the grammar made from them."""

    names: SymbolTable
    exprs: TypeChecker
    made: Extensions
    phrases: list[Phrase] = field(default_factory=list)
    reader: Reader | None = None
    cache: dict[tuple[str, str], list[Reading]] = field(default_factory=dict)
    by_id: dict[str, Phrase] = field(default_factory=dict)
    plain: set[str] = field(default_factory=set)  # texts in which all words are known
    crowded: set[str] = field(default_factory=set)  # texts with more derivations than are looked at
    unbound: dict[str, list[str]] = field(
        default_factory=dict
    )  # text -> what it speaks of that is not at hand, and in which phrase

    def build(self) -> None:
        """Make the reader from the declarations."""
        self.phrases = [*self._sentences(), *self._defined()]
        self.phrases += self._words()
        self.by_id = {p.id: p for p in self.phrases}
        if not any(p.category == "sentence" for p in self.phrases):
            self.reader = None
            return
        self.reader = reader_of(self.grammar())

    def category(self, t: Type) -> str:
        """The name of a slot's sort of wordings."""
        if isinstance(t, PhraseT):
            return f"p_{t.sort}"
        if t == NUMBER:
            return "number"
        if isinstance(t, KindT):
            return f"k_{t.name}"
        if isinstance(t, SetT) and isinstance(non_optional(t.of), PieceT):
            return f"s_{t.of}"
        return "x_" + re.sub(r"\W+", "_", str(t))

    def _sentences(self) -> Iterator[Phrase]:
        for index, pattern in enumerate(self.made.patterns):
            slots = tuple((name, self.category(t)) for name, t in pattern.slots)
            for which, text in enumerate(pattern.texts):
                self._check_slots(text, slots, pattern.span)
                yield Phrase(
                    f"sentence_{index}_{which}",
                    "sentence",
                    text,
                    slots,
                    pattern=pattern,
                    span=pattern.span,
                )

    def _defined(self) -> Iterator[Phrase]:
        for name, head in self.names.heads.items():
            reads = head.node.parts[3]
            if reads is None:
                continue
            sort = reads.parts[0]
            if sort is not None and sort.text not in self.names.sorts:
                self.names.report.add(
                    "unknown-type",
                    sort.span,
                    name=sort.text,
                    fix="Declare it: `phrase " + sort.text + " gives truth`.",
                )
                continue
            if sort is not None:
                category = f"p_{sort.text}"
            elif isinstance(head.type, SetT | KindT):
                category = self.category(head.type)
            else:
                continue
            for index, text in enumerate(reads.words("STRING")):
                wording = text.text[1:-1]
                mentioned = {m.group(1) for m in SLOT.finditer(wording)}
                slots = tuple((p, self.category(t)) for p, t in head.params if p in mentioned)
                if sort is None and any(category.startswith("x_") for _, category in slots):
                    continue  # said in explanations only: no card can name a player or a site
                self._check_slots(wording, slots, text.span)
                yield Phrase(
                    f"phrase_{name}_{index}", category, wording, slots, define=name, span=text.span
                )

    def _check_slots(self, text: str, slots: tuple[tuple[str, str], ...], span: Span) -> None:
        known = {name for name, _ in slots}
        for match in SLOT.finditer(text):
            if match.group(1) not in known:
                self.names.report.add(
                    "unknown-slot",
                    span,
                    slot=match.group(1),
                    known=", ".join(sorted(known)) or "none",
                )
        if "{" in SLOT.sub("", text) or "}" in SLOT.sub("", text):
            self.names.report.add("bad-pattern", span, text=text)

    def _spoken_for(self, category: str) -> set[str]:
        """The words of kinds that a definition reads by themselves in this category: they stand for what it gives, and for no title."""
        kinds = [
            dict(p.slots)[name]
            for p in self.phrases
            if p.category == category
            for name, _ in p.slots
            if p.text == f"{{{name}}}"
        ]
        return {
            forms[0].lower()
            for kind in self.names.rules.kinds.values()
            if f"k_{kind.name}" in kinds
            for forms in kind.words
        }

    def _set_of(self, kind: str) -> tuple[str, str]:
        """The definition that reads a kind's word by itself and gives the pieces that are so, and their component; empty if there is none."""
        for phrase in self.phrases:
            if (
                phrase.define is not None
                and [category for _, category in phrase.slots] == [f"k_{kind}"]
                and SLOT.fullmatch(phrase.text)
            ):
                of = self.names.heads[phrase.define]
                item = element(of.type) if of.type is not None and len(of.params) == 1 else None
                if isinstance(item, PieceT):
                    return phrase.define, item.name
        return "", ""

    def _words(self) -> Iterator[Phrase]:
        """Members of kinds, groups, components and titles, as words of card texts."""
        r = self.names.rules
        count = 0

        def entry(
            category: str, forms: tuple[str, str], meaning: core.Expr, noun: Noun | None = None
        ) -> Phrase:
            nonlocal count
            count += 1
            return Phrase(
                f"word_{count}", category, forms[0], (), word=meaning, word_forms=forms, noun=noun
            )

        def noun(
            component: Component | None, kind: str, members: Iterable[int], text: str
        ) -> Noun | None:
            found = self.names.kind_field(component, kind) if component is not None else None
            return (
                Noun(text, component.name, field=found[0], members=frozenset(members))
                if component is not None and found is not None
                else None
            )

        for kind in r.kinds.values():
            bearer = next(
                (
                    c
                    for c in r.components.values()
                    if self.names.kind_field(c, kind.name) is not None
                ),
                None,
            )
            define, component_of = self._set_of(kind.name) if bearer is None else ("", "")
            for index, forms in enumerate(kind.words):
                named = noun(bearer, kind.name, [index], forms[0])
                if define:
                    named = Noun(forms[0], component_of, members=frozenset([index]), define=define)
                yield entry(
                    f"k_{kind.name}", forms, core.Const(index, type=KindT(kind.name)), named
                )
        for component in r.components.values():
            piece = PieceT(component.name)
            taken = self._spoken_for(f"s_{component.name}")
            for title in sorted(
                t
                for t, of in self.names.titles.items()
                if component.name in of and t and t == unmarked(t)
            ):
                if title.lower() in taken:
                    continue
                taken.add(title.lower())
                yield entry(
                    f"s_{component.name}",
                    (title, plural(title)),
                    core.Titled(component.name, title, type=SetT(piece)),
                    Noun(title, component.name, title),
                )
            all_pieces = everything(piece)
            assert all_pieces is not None
            if component.words[0].lower() not in taken:
                taken.add(component.words[0].lower())
                yield entry(f"s_{component.name}", component.words, all_pieces)
            words: list[tuple[str, tuple[str, str], str, tuple[int, ...]]] = []
            words += [
                (name, kind.words[i], kind.name, (i,))
                for kind in r.kinds.values()
                for i, name in enumerate(kind.members)
            ]
            words += [
                (group.name, group.words, group.kind, group.members) for group in r.groups.values()
            ]
            for name, forms, of, members in words:
                meaning = all_that_are(self.exprs, name, piece, NOWHERE)
                if meaning is not None and forms[0].lower() not in taken:
                    taken.add(forms[0].lower())
                    yield entry(
                        f"s_{component.name}",
                        forms,
                        meaning,
                        noun(component, of, members, forms[0]),
                    )

    def grammar(self) -> str:
        """The grammar of sentences, as Lark text."""
        rules: dict[str, list[str]] = {}
        terminals: dict[str, str] = {}
        taken: set[tuple[str, str]] = set()
        lines: list[str] = []

        def terminal(words: str) -> str:
            pattern = pattern_of(words)
            return terminals.setdefault(pattern, f"T{len(terminals)}")

        def written(text: str, slots: dict[str, str]) -> str:
            parts: list[str] = []
            at = 0
            for match in SLOT.finditer(text):
                if text[at : match.start()].strip():
                    parts.append(terminal(text[at : match.start()]))
                parts.append(slots.get(match.group(1), "number"))
                at = match.end()
            if text[at:].strip():
                parts.append(terminal(text[at:]))
            return " ".join(parts) or "NOTHING"

        for phrase in self.phrases:
            if phrase.word is not None:
                forms = [terminal(form) for form in dict.fromkeys(phrase.word_forms)]
                body = "(" + " | ".join(dict.fromkeys(forms)) + ")"
            else:
                forms = [written(text, dict(phrase.slots)) for text in writings(phrase.text)]
                body = " | ".join(forms) if len(forms) == 1 else f"({' | '.join(forms)})"
            for form in forms:  # two wordings that are the same words: both stay, as two readings
                if (phrase.category, form) in taken:
                    lines.append(f"_same_{len(taken)}_{phrase.id}: {body}")
                    body = f"_same_{len(taken)}_{phrase.id}"
                    break
            taken |= {(phrase.category, form) for form in forms}
            rules.setdefault(phrase.category, []).append(f"{body} -> {phrase.id}")
        wanted = {category for phrase in self.phrases for _, category in phrase.slots}
        lines += ["start: sentence", f"number: /{NUMBER_WORDS}/i"]
        for category in sorted(wanted - set(rules) - {"number"}):
            lines.append(f"{category}: NOTHING")
        for category, options in rules.items():
            lines.append(f"{category}: " + "\n    | ".join(options))
        lines.append(r"NOTHING: /(?!)x/")
        lines += [f"{name}: /{pattern}/i" for pattern, name in terminals.items()]
        lines += ["%import common.WS", "%ignore WS"]
        return "\n".join(lines)
