"""Cards become designs, and the sentences of their texts become extensions of the rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulelang.compiler.limits import check_limits
from rulelang.compiler.node_memo import NodeMemo
from rulelang.compiler.rows import check_required, filled_fields
from rulelang.compiler.sentences import cites_in, sentences_of, uncited_sentence
from rulelang.core.types import NUMBER, Type
from rulelang.core.values import Value
from rulelang.diagnostics import did_you_mean
from rulelang.diagnostics.source import MAX_MISTAKES, Span
from rulelang.elaborate.field_hints import named, what_may_stand, which_field
from rulelang.elaborate.fields import constant, printed_value, report_copies
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import TypeChecker, type_in_words
from rulelang.phrases.readings import Glossary, SentenceRead
from rulelang.ruleset import Clause, Component, Design, Extension
from rulelang.syntax.nodes import SLIP, Node, plain

MAX_COPIES = 1000  # of one design
Key = tuple[str, str]  # a component, and a title in lower case


@dataclass(frozen=True)
class TextRead:
    """What the text of a card was read as: what its sentences mean, the clauses they entered, the
    design with all that is mentioned, and what is added to the rules.
    """

    said: tuple[SentenceRead, ...]
    clauses: tuple[Clause, ...]
    design: Design
    extensions: tuple[Extension, ...]


@dataclass
class CardMade:
    """The design of a card as it is printed, with its clause, and its text as it was read last, by
    which glossary.
    """

    design: Design
    clause: Clause
    text: TextRead | None = None
    by: object = None


CardMemo = NodeMemo[CardMade]


def read_cards(
    symbols: SymbolTable,
    checker: TypeChecker,
    glossary: Glossary,
    nodes: list[Node],
    memo: CardMemo,
) -> list[str]:
    """Add the designs and extensions of cards; returns the titles of refused cards, each reported.

    Designs are added behind those of rows. Cards without findings are taken from the memo, which
    then holds those of these nodes.
    """
    cards, refused = _read_designs(symbols, checker, nodes, memo)
    everything = [*symbols.rules.designs, *(card.design for card in cards)]
    few = check_limits(symbols, everything, [design.copies for design in everything])
    mistakes = 0
    for card in cards if few else ():  # what can never be played is not read
        design = card.design
        if mistakes > MAX_MISTAKES:
            refused.append(design.title)
            continue
        before = len(symbols.report.found)
        read = _read_before(symbols, glossary, card) or _read_text(symbols, glossary, design)
        if symbols.report.has_errors_since(before):
            refused.append(design.title)
            mistakes += 1
            _report_mistakes(symbols, design, mistakes)
            continue
        if len(symbols.report.found) == before:
            card.text, card.by = read, glossary.mark
        symbols.rules.designs.append(read.design)
        symbols.rules.extensions += read.extensions
    return refused


def _report_mistakes(symbols: SymbolTable, design: Design, number: int) -> None:
    """Report that no more texts are read, once so many have mistakes."""
    if number == MAX_MISTAKES + 1:
        symbols.report.add(
            "too-many",
            design.span,
            what="cards with mistakes in their texts to go on reading",
            found=number,
            limit=MAX_MISTAKES,
        )


def _read_designs(
    symbols: SymbolTable, checker: TypeChecker, nodes: list[Node], memo: CardMemo
) -> tuple[list[CardMade], list[str]]:
    """The cards without errors in their printed part, and the titles of the others."""
    made_now, cards, refused = CardMemo(), list[CardMade](), list[str]()
    taken = {_key(design): design for design in symbols.rules.designs}
    report = symbols.report
    for node in nodes:
        if node.kind != "card":
            continue
        findings = len(report.found)
        card = _remembered(symbols, node, taken, memo) or _card(symbols, checker, node, taken)
        if card is not None and len(report.found) == findings:
            made_now.keep(node, card)
        if card is None or report.has_errors_since(findings):
            refused.append(plain(node.part(0)))
        else:
            cards.append(card)
            taken.setdefault(_key(card.design), card.design)
    memo.replace_with(made_now)
    return cards, refused


def _read_before(symbols: SymbolTable, glossary: Glossary, card: CardMade) -> TextRead | None:
    """The text of a card as it was read before, if each sentence is read so now."""
    read = card.text
    if read is None or not (card.by is glossary.mark or glossary.reads_as(card.design, read.said)):
        return None
    if not symbols.enter_again(read.clauses):
        return None
    return read


def _read_text(symbols: SymbolTable, glossary: Glossary, design: Design) -> TextRead:
    """What a design's sentences mean; what is wrong with them is reported."""
    extensions, said, clauses = list[Extension](), list[SentenceRead](), list[Clause]()
    owner = f'card "{design.title}"'
    for number, (text, span) in enumerate(design.text, 1):
        cites = cites_in(text)
        clause = symbols.clause("sentence", owner, f"sentence {number}", None, span, cites)
        clauses.append(symbols.rules.clauses[clause])
        symbols.check_citations(cites, span)
        sentence = uncited_sentence(text)
        extensions += glossary.read_sentence(sentence, span, design, clause, symbols.report)
        read = glossary.sentence_read(sentence, design)
        said += [read] if read is not None else []
    nouns = dict.fromkeys(noun for one in said for noun in one.nouns)
    read_as = replace(design, nouns=tuple(nouns)) if nouns else design
    return TextRead(tuple(said), tuple(clauses), read_as, tuple(extensions))


def _key(design: Design) -> Key:
    return design.component, design.title.lower()


def _remembered(
    symbols: SymbolTable, node: Node, taken: dict[Key, Design], memo: CardMemo
) -> CardMade | None:
    """A card without findings, if it has not changed and its title is still free."""
    found = memo.get(node)
    if found is None or _key(found.design) in taken or not symbols.enter_again([found.clause]):
        return None
    return found


def _card(
    symbols: SymbolTable, checker: TypeChecker, node: Node, taken: dict[Key, Design]
) -> CardMade | None:
    """A card as it is printed; none if its component or title is wrong, which is reported."""
    component = _component_of(symbols, node)
    title = plain(node.part(0))
    if component is None:
        return None
    is_free = _is_free(symbols, node, (component.name, title.lower()), taken)
    card, before = _Card(symbols, checker, component), len(symbols.report.found)
    for part in node.parts:
        if part is not None and part.kind == "datum":
            card.read_datum(part)
        elif part is not None and part.kind == "words":
            card.read_words(part)
    if not is_free:
        return None
    if not symbols.report.has_errors_since(before):
        check_required(symbols, component, card.values, node.span, "Write `{0}: {1}`")
    data = node.words("datum")
    for part in data:
        symbols.check_node_citations(part)
    cites = [*node.cites, *(cite for part in data for cite in part.cites)]
    owner = f'card "{title}"'
    clause = symbols.clause("card", owner, "", node, cites=tuple(dict.fromkeys(cites)))
    filled = filled_fields(checker, component, card.values)
    span, texts = node.span, tuple(card.texts)
    made = Design(title, component.name, filled, card.copies, clause, texts, span, span.file)
    return CardMade(made, symbols.rules.clauses[clause])


def _component_of(symbols: SymbolTable, node: Node) -> Component | None:
    """The component that a card says it is of; none, reported, if there is no such component."""
    of, quoted = node.parts[1], node.part(0)
    name = of.text if of is not None else ""
    components = symbols.rules.components
    if name in components:
        return components[name]
    fix = did_you_mean(name, components)
    if fix is None and components and not name:
        fix = f"Write `card {quoted.text} of {next(iter(components))}`."
    symbols.report.add(
        "unknown-component",
        of.span if of is not None else quoted.span,
        name=name,
        what=f"`{name}` is no component"
        if name
        else "This card does not say of which component it is",
        known=", ".join(components) or "none",
        fix=fix,
    )
    return None


def _is_free(symbols: SymbolTable, node: Node, key: Key, taken: dict[Key, Design]) -> bool:
    """Is a card's title a title that no other design of its component has? Reported if not."""
    quoted = node.part(0)
    twin = taken.get(key)
    if not key[1].strip():
        symbols.report.add("bad-value", quoted.span, found=plain(quoted), wanted="a title")
        return False
    if twin is not None:
        where = f": {twin.span.file}, line {twin.span.line}"
        symbols.report.add("title-taken", quoted.span, title=twin.title, where=where)
        return False
    return True


def _said(value: Node) -> str:
    """A value as its author wrote it, if it is one word; otherwise nothing."""
    leaves = [leaf for leaf in value.walk() if not leaf.parts and leaf.text]
    return leaves[0].text if len(leaves) == 1 else " ".join(leaf.text for leaf in leaves)


@dataclass
class _Card:
    """What is read so far of the printed part of a card."""

    symbols: SymbolTable
    checker: TypeChecker
    component: Component
    values: dict[str, Value] = field(default_factory=dict)
    copies: int = 1
    texts: list[tuple[str, Span]] = field(default_factory=list)

    def read_datum(self, datum: Node) -> None:
        """Read a line such as `value: 3`."""
        word, value = datum.part(0), datum.part(1)
        report = self.symbols.report
        if word.text == "copies":
            self.copies = self._copies(value)
            return
        t = self.component.field(word.text)
        if t is None:
            self._unknown_field(word, value)
            return
        if word.text in self.values:
            what = "given already on this card"
            report.add("name-taken", word.span, name=word.text, what=what, where="")
        if value.kind == SLIP:
            fix = what_may_stand(self.symbols, word.text, t, value.text)
            report.add("bad-value", value.span, found=value.text, wanted=type_in_words(t), fix=fix)
            return
        before = len(report.found)
        self.values[word.text] = printed_value(self.checker, value, t)
        if report.has_errors_since(before):
            fix = what_may_stand(self.symbols, word.text, t, _said(value))
            report.mend(before, ("unknown-name", "wrong-type"), fix)

    def _unknown_field(self, word: Node, value: Node) -> None:
        """Report a word that is no field, with what may be meant."""
        fields = dict(self.component.fields)
        if word.text == "text":
            said = value.text if value.kind == SLIP else _said(value)
            fix = f"Write `text` without a colon, and the sentences in rows below it: `| {said}`."
        elif value.kind == SLIP:
            fix = did_you_mean(word.text, [*fields, "copies"]) or f"It has {named(list(fields))}."
        else:
            state = self.symbols.rules.states.get(word.text)
            same = state.type if state is not None else None
            fix = which_field(fields, word.text, self._type_of(value), same)
        of = self.component.name
        self.symbols.report.add("unknown-field", word.span, name=word.text, of=of, fix=fix)

    def _type_of(self, value: Node) -> Type:
        """What a value is, with nothing reported."""
        found = self.symbols.report.found
        before = len(found)
        made = self.checker.expr(value, {}).type
        del found[before:]
        return made

    def _copies(self, value: Node) -> int:
        """How many copies a card says there are; a number that cannot be is reported."""
        report = self.symbols.report
        if value.kind == SLIP:
            fix = "A number can stand here, such as 3."
            report.add("bad-value", value.span, found=value.text, wanted="a number", fix=fix)
            return 1
        before = len(report.found)
        wanted = self.checker.wanted(value, {}, NUMBER)
        made = constant(self.symbols, wanted, NUMBER, value.span)
        copies = made if isinstance(made, int) else 1
        if not 0 <= copies <= MAX_COPIES and not report.has_errors_since(before):
            report_copies(self.symbols, str(copies), value.span)
        return copies

    def read_words(self, words: Node) -> None:
        """Read a block of rows, which can only be `text`."""
        head = words.part(0)
        if head.text != "text":
            expected = 'a line such as `value: 3`, or "text"'
            fix = "Sentences stand in rows below `text`."
            self.symbols.report.add(
                "unexpected-word", head.span, word=head.text, expected=expected, fix=fix
            )
        self.texts += sentences_of(words)
