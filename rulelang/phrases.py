"""Card sentences: a grammar is made from what the ruleset declares, every reading of a sentence is found, and each becomes core objects."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput

from rulelang import core
from rulelang.elaborate import bare
from rulelang.expressions import Expressions
from rulelang.extensions import Extensions, Pattern
from rulelang.fill import Unbound, fill_extension, normal_extension
from rulelang.inline import written_out
from rulelang.messages import nearest
from rulelang.names import Names, plural
from rulelang.ruleset import Design, Extension
from rulelang.source import NOWHERE, Span
from rulelang.types import NUMBER, KindT, PhraseT, PieceT, SetT, Type

MAX_WORDS = 60  # a sentence longer than this is no card sentence
MAX_READINGS = 24
MAX_REWORDED = 25  # words of a sentence for which another wording is sought
MAX_TRIED = 200  # derivations looked at, those of equal meaning too
_SLOT = re.compile(r"\{([a-z_]\w*)(?: (plural|by [a-z_]\w*))?\}")


@dataclass(frozen=True)
class Phrase:
    """A wording: its text with slots, what its slots take, and what it stands for."""

    id: str
    category: str
    text: str
    slots: tuple[tuple[str, str], ...]  # slot -> category
    define: str | None = None
    pattern: Pattern | None = None
    word: core.Expr | None = None
    word_forms: tuple[str, str] = ("", "")
    span: Span = NOWHERE


@dataclass(frozen=True)
class Derivation:
    """One way a stretch of text was read: a phrase with its filled slots, or a number."""

    phrase: Phrase | None
    slots: tuple[tuple[str, Derivation], ...] = ()
    number: int = 0

    def slot(self, name: str) -> Derivation | None:
        """What fills a slot, if the text mentions it."""
        return dict(self.slots).get(name)


@dataclass(frozen=True)
class Reading:
    """One meaning of a sentence: how it was read, and the extensions it makes, in normal form."""

    derivation: Derivation
    extensions: tuple[Extension, ...]
    meaning: tuple[Extension, ...]


@dataclass
class Glossary:
    """All wordings of a ruleset and the reader made from them."""

    names: Names
    exprs: Expressions
    made: Extensions
    phrases: list[Phrase] = field(default_factory=list)
    reader: Lark | None = None
    cache: dict[tuple[str, str], list[Reading]] = field(default_factory=dict)
    by_id: dict[str, Phrase] = field(default_factory=dict)
    crowded: set[str] = field(default_factory=set)  # texts with more derivations than are looked at
    unbound: dict[str, list[str]] = field(default_factory=dict)  # text -> what it speaks of that is not at hand, and in which phrase

    # ---------------------------------------------------------------------------------------- the grammar of sentences
    def build(self) -> None:
        """Make the reader from the declarations."""
        self.phrases = [*self._sentences(), *self._defined(), *self._words()]
        self.by_id = {p.id: p for p in self.phrases}
        if not any(p.category == "sentence" for p in self.phrases):
            self.reader = None
            return
        self.reader = Lark(self.grammar(), parser="earley", lexer="dynamic", ambiguity="explicit", start="start")

    def category(self, t: Type) -> str:
        """The name of a slot's sort of wordings."""
        if isinstance(t, PhraseT):
            return f"p_{t.sort}"
        if t == NUMBER:
            return "number"
        if isinstance(t, KindT):
            return f"k_{t.name}"
        if isinstance(t, SetT) and isinstance(bare(t.of), PieceT):
            return f"s_{t.of}"
        return "x_" + re.sub(r"\W+", "_", str(t))

    def _sentences(self) -> Iterator[Phrase]:
        for index, pattern in enumerate(self.made.patterns):
            slots = tuple((name, self.category(t)) for name, t in pattern.slots)
            self._check_slots(pattern.text, slots, pattern.span)
            yield Phrase(f"sentence_{index}", "sentence", pattern.text, slots, pattern=pattern, span=pattern.span)

    def _defined(self) -> Iterator[Phrase]:
        for name, head in self.names.heads.items():
            reads = head.node.parts[3]
            if reads is None:
                continue
            sort = reads.parts[0]
            if sort is not None and sort.text not in self.names.sorts:
                self.names.report.add("unknown-type", sort.span, name=sort.text, fix="Declare it: `phrase " + sort.text + " gives truth`.")
                continue
            if sort is not None:
                category = f"p_{sort.text}"
            elif isinstance(head.type, SetT | KindT):
                category = self.category(head.type)
            else:
                continue
            for index, text in enumerate(reads.words("STRING")):
                wording = text.text[1:-1]
                mentioned = {m.group(1) for m in _SLOT.finditer(wording)}
                slots = tuple((p, self.category(t)) for p, t in head.params if p in mentioned)
                if sort is None and any(category.startswith("x_") for _, category in slots):
                    continue  # said in explanations only: no card can name a player or a site
                self._check_slots(wording, slots, text.span)
                yield Phrase(f"phrase_{name}_{index}", category, wording, slots, define=name, span=text.span)

    def _check_slots(self, text: str, slots: tuple[tuple[str, str], ...], span: Span) -> None:
        known = {name for name, _ in slots}
        for match in _SLOT.finditer(text):
            if match.group(1) not in known:
                self.names.report.add("unknown-slot", span, slot=match.group(1), known=", ".join(sorted(known)) or "none")
        if "{" in _SLOT.sub("", text) or "}" in _SLOT.sub("", text):
            self.names.report.add("bad-pattern", span, text=text)

    def _words(self) -> Iterator[Phrase]:
        """Members of kinds, groups, components and titles, as words of card texts."""
        r = self.names.rules
        count = 0

        def entry(category: str, forms: tuple[str, str], meaning: core.Expr) -> Phrase:
            nonlocal count
            count += 1
            return Phrase(f"word_{count}", category, forms[0], (), word=meaning, word_forms=forms)

        for kind in r.kinds.values():
            for index, forms in enumerate(kind.words):
                yield entry(f"k_{kind.name}", forms, core.Const(index, type=KindT(kind.name)))
        for component in r.components.values():
            piece = PieceT(component.name)
            taken: set[str] = set()
            for title in sorted(t for t, of in self.names.titles.items() if component.name in of and t):
                taken.add(title.lower())
                yield entry(f"s_{component.name}", (title, plural(title)), core.Titled(component.name, title, type=SetT(piece)))
            everything = self.exprs.everything(piece)
            assert everything is not None
            if component.words[0].lower() not in taken:
                taken.add(component.words[0].lower())
                yield entry(f"s_{component.name}", component.words, everything)
            words = [(name, kind.words[i]) for kind in r.kinds.values() for i, name in enumerate(kind.members)]
            words += [(group.name, group.words) for group in r.groups.values()]
            for name, forms in words:
                meaning = self.exprs.all_that_are(name, piece, NOWHERE)
                if meaning is not None and forms[0].lower() not in taken:
                    taken.add(forms[0].lower())
                    yield entry(f"s_{component.name}", forms, meaning)

    def grammar(self) -> str:
        """The grammar of sentences, as Lark text."""
        rules: dict[str, list[str]] = {}
        terminals: dict[str, str] = {}
        taken: set[tuple[str, str]] = set()
        lines: list[str] = []

        def terminal(words: str) -> str:
            pattern = _regex(words)
            return terminals.setdefault(pattern, f"T{len(terminals)}")

        for phrase in self.phrases:
            if phrase.word is not None:
                forms = [terminal(form) for form in dict.fromkeys(phrase.word_forms)]
                body = "(" + " | ".join(dict.fromkeys(forms)) + ")"
            else:
                slots = dict(phrase.slots)
                parts: list[str] = []
                at = 0
                for match in _SLOT.finditer(phrase.text):
                    if phrase.text[at : match.start()].strip():
                        parts.append(terminal(phrase.text[at : match.start()]))
                    parts.append(slots.get(match.group(1), "number"))
                    at = match.end()
                if phrase.text[at:].strip():
                    parts.append(terminal(phrase.text[at:]))
                body = " ".join(parts) or "NOTHING"
                forms = [body]
            for form in forms:  # two wordings that are the same words: both stay, as two readings
                if (phrase.category, form) in taken:
                    lines.append(f"_same_{len(taken)}_{phrase.id}: {body}")
                    body = f"_same_{len(taken)}_{phrase.id}"
                    break
            taken |= {(phrase.category, form) for form in forms}
            rules.setdefault(phrase.category, []).append(f"{body} -> {phrase.id}")
        wanted = {category for phrase in self.phrases for _, category in phrase.slots}
        lines += ["start: sentence", "number: /[0-9]{1,6}/"]
        for category in sorted(wanted - set(rules) - {"number"}):
            lines.append(f"{category}: NOTHING")
        for category, options in rules.items():
            lines.append(f"{category}: " + "\n    | ".join(options))
        lines.append(r"NOTHING: /(?!)x/")
        lines += [f"{name}: /{pattern}/i" for pattern, name in terminals.items()]
        lines += ["%import common.WS", "%ignore WS"]
        return "\n".join(lines)

    # ---------------------------------------------------------------------------------------- reading
    def derivations(self, text: str) -> list[Derivation]:
        """Every way the whole text is a sentence; raises Lark's UnexpectedInput if there is none."""
        assert self.reader is not None
        tree = self.reader.parse(text)
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
            yield Derivation(None, number=int(str(tree.children[0])))
            return
        if tree.data in ("_ambig", "start"):
            for option in tree.children:
                if isinstance(option, Tree):
                    yield from self._derivations(option)
            return
        phrase = self.by_id[str(tree.data)]
        order = [m.group(1) for m in _SLOT.finditer(phrase.text)] if phrase.word is None else []
        parts = [child for child in tree.children if isinstance(child, Tree)]

        def filled(index: int) -> Iterator[tuple[Derivation, ...]]:
            if index == len(parts):
                yield ()
                return
            for first in self._derivations(parts[index]):
                for rest in filled(index + 1):
                    yield (first, *rest)

        for inner in filled(0):
            yield Derivation(phrase, tuple(zip(order, inner, strict=True)))

    def readings(self, text: str, design: Design | None = None) -> list[Reading]:
        """All meanings of a sentence: readings with equal core objects are one."""
        component = design.component if design else ""
        key = (text, component)
        if key not in self.cache:
            found: list[Reading] = []
            for derivation in self.derivations(text):
                pattern = derivation.phrase.pattern if derivation.phrase else None
                if pattern is None or (component and pattern.component and pattern.component != component):
                    continue
                try:
                    made = tuple(fill_extension(e, derivation, self) for e in pattern.extensions)
                except Unbound as error:
                    self.unbound[text] = [str(part) for part in error.args]
                    continue
                meaning = tuple(
                    normal_extension(fill_extension(e, derivation, self, labels=False), lambda x: written_out(x, self.names.rules))
                    for e in pattern.extensions
                )
                if all(meaning != other.meaning for other in found):
                    found.append(Reading(derivation, made, meaning))
                if len(found) == MAX_READINGS:
                    break
            self.cache[key] = found
        return self.cache[key]

    def read_sentence(self, text: str, span: Span, design: Design | None, clause: str) -> list[Extension]:
        """The extensions a sentence makes; no reading, or more than one, is reported with what would mend it."""
        report = self.names.report
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
        if not found:
            missing = self.unbound.get(text, [])
            what = f"“{missing[1]}” asks for `{missing[0]}`" if len(missing) > 1 else f"`{missing[0]}`" if missing else "its cards are other cards"
            report.add("no-subject", span, text=text, what=what)
            return []
        if len(found) == 1 and text in self.crowded:
            report.add("ambiguous", span, count=f"{MAX_TRIED} or more")
            return []
        if len(found) > 1:
            notes = [f"reading {i}: {self.describe(r.derivation, grouped=True)}" for i, r in enumerate(found[:6], 1)]
            rewording = self.reword(found)
            report.add("ambiguous", span, notes=notes, count=len(found) if len(found) < MAX_READINGS else f"{MAX_READINGS} or more", fix=rewording)
            return []
        made = []
        for extension in found[0].extensions:
            values = {**extension.__dict__, "clause": clause, "title": design.title if design else ""}
            made.append(Extension(**values))
        return made

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

    def rewordings(self, derivation: Derivation) -> Iterator[str]:
        """The same derivation in the other wordings its definitions offer."""
        if derivation.phrase is None or derivation.phrase.word is not None:
            yield self.describe(derivation)
            return
        phrase = derivation.phrase
        alike = [p for p in self.phrases if p.category == phrase.category and p.word is None and dict(p.slots) == dict(phrase.slots)]
        twins = sorted(alike, key=lambda p: p.define != phrase.define)
        for twin in twins:
            names = [m.group(1) for m in _SLOT.finditer(twin.text)]
            options: list[dict[str, str]] = [{}]
            for name in names:
                inner = derivation.slot(name)
                if inner is None:
                    options = []
                    break
                texts = list(islice(self.rewordings(inner), 6))
                options = [{**o, name: said} for o in options for said in texts][:36]
            for option in options:
                yield _SLOT.sub(lambda m, o=option: o[m.group(1)], _plain(twin.text))  # type: ignore[misc]

    # ---------------------------------------------------------------------------------------- saying back
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
            many = how == "plural"
            if how.startswith("by "):
                counted = derivation.slot(how[3:])
                many = counted is None or counted.number != 1
            text = self.describe(inner, grouped, 1 if many else 0)
            return f"[{text}]" if grouped and inner.phrase is not None and inner.phrase.word is None else text

        text = _plain(phrase.text, derivation, many=form == 1 or not phrase.category.startswith("s_"))
        text = _SLOT.sub(said, text)
        text = re.sub(r"\b([Aa]) (?=\[?[aeiouAEIOU])", r"\1n ", text)
        return text

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
        text = _SLOT.sub(lambda m: sample(slots.get(m.group(1), "number")), _plain(phrase.text))  # type: ignore[operator]
        return re.sub(r"\b([Aa]) (?=[aeiouAEIOU])", r"\1n ", text)

    # ---------------------------------------------------------------------------------------- what went wrong
    def _unknown_words(self, text: str, span: Span) -> bool:
        vocabulary = self.vocabulary()
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

    def vocabulary(self) -> set[str]:
        """Every word some phrase uses."""
        words: set[str] = set()
        for phrase in self.phrases:
            texts = phrase.word_forms if phrase.word is not None else (_SLOT.sub(" ", phrase.text),)
            for text in texts:
                for word in re.findall(r"[^\W\d_][\w'’()-]*(?:/\w+)?", text):
                    for part in word.split("/"):
                        words.add(re.sub(r"\(\w+\)", "", part).lower())
                        words.add(re.sub(r"[()]", "", part).lower())
        return words

    def nearest_phrases(self, text: str) -> list[str]:
        """The sentences of the glossary most like a text, as notes."""
        wanted = set(re.findall(r"[a-z]+", text.lower()))
        scored = []
        for phrase in self.phrases:
            if phrase.category == "sentence":
                own = set(re.findall(r"[a-z]+", _SLOT.sub(" ", phrase.text).lower()))
                shared = len(own & wanted) / (len(own | (wanted & own)) or 1)
                scored.append((-shared, len(own), phrase.text))
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
        table = {t.name: t.pattern.value for t in self.reader.terminals}
        said = sorted({_unregex(table.get(name, "")) for name in names} - {""})
        return ", ".join(f"“{w}”" if w != "a number" else w for w in said[:8]) + (" …" if len(said) > 8 else "")

    # ---------------------------------------------------------------------------------------- checks on the glossary itself
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
            used = {r.derivation.phrase.id: r.derivation.phrase for r in found if r.derivation.phrase}
            if len(used) > 1 and frozenset(used) not in seen:
                seen.add(frozenset(used))
                other = next(p for key, p in used.items() if key != phrase.id)
                self.names.report.add("phrases-overlap", phrase.span, one=phrase.text, two=other.text, example=text)


def _plain(text: str, derivation: Derivation | None = None, many: bool = True) -> str:
    """A phrase's text with its alternatives settled: the first article, the plural after a number other than 1 and, with no number, if `many`."""
    text = re.sub(r"\ba/an\b", "a", text)

    def optional(match: re.Match[str]) -> str:
        before = text[: match.start()]
        slot = None
        for found in _SLOT.finditer(before):
            slot = found
        if derivation is not None and slot is not None:
            counted = derivation.slot(slot.group(1))
            if counted is not None and counted.phrase is None and counted.number == 1:
                return ""
        return match.group(1) if many or slot is not None else ""

    return re.sub(r"\((\w+)\)", optional, text)


def _regex(words: str) -> str:
    """A regular expression for a stretch of a phrase's own words: any blanks between them, whole words only, alternatives allowed."""
    parts: list[str] = []
    for token in re.findall(r"[\w'’-]+(?:\(\w+\))?(?:/[\w'’-]+)?|[^\w\s]", words.strip()):
        if "/" in token and not token.startswith("/"):
            options = [re.escape(option) for option in token.split("/")]
            parts.append(r"\b(?:" + "|".join(options) + r")\b")
        elif token.endswith(")") and "(" in token:
            base, tail = token[:-1].split("(")
            parts.append(r"\b" + re.escape(base) + f"(?:{re.escape(tail)})?" + r"\b")
        elif re.match(r"[\w]", token):
            parts.append(r"\b" + re.escape(token) + r"\b")
        else:
            parts.append(re.escape(token))
    text = parts[0] if parts else ""
    for left, part in pairwise(parts):
        glue = r"\s+" if left.endswith(r"\b") and part.startswith(r"\b") else r"\s*"
        text += glue + part
    return text.replace("/", r"\/")


def _unregex(pattern: str) -> str:
    if "[0-9]" in pattern:
        return "a number"
    if pattern in (r"(?!)x", ""):
        return ""
    text = pattern.replace(r"\s+", " ").replace(r"\s*", "").replace(r"\b", "")
    text = re.sub(r"\(\?:(\w+)\)\?", r"(\1)", text)
    text = re.sub(r"\(\?:([^)|]+)(\|[^)]*)?\)", r"\1", text)
    return text.replace("\\", "").strip()
