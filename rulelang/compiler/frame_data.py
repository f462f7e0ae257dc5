"""A frame as plain data: what one process learned of a game, for checks of additions in another.

Written down are the symbol table, the lexicon, the rules before cards, the designs of cards, the
sentences that were read, and the memos of later passes. Of syntax only that is kept which compiling
further cards on the frame asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulelang import core
from rulelang.compiler import codec
from rulelang.compiler.cards import CardMade
from rulelang.compiler.incremental import Basis, Frame
from rulelang.compiler.memos import (
    Kept,
    KeptQuestion,
    MemoKind,
    QueryKind,
    kept_answers,
    learn_answers,
)
from rulelang.core.types import Type
from rulelang.diagnostics import Diagnostic, Report
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.elaborate.card_language import CardLanguage
from rulelang.elaborate.definitions import Definitions
from rulelang.elaborate.hidden_information import KnownReads, ReadsOf
from rulelang.elaborate.symbols import Head, SymbolTable
from rulelang.elaborate.titles import Titles
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Phrase
from rulelang.phrases.readings import Glossary, SentenceRead
from rulelang.queries.database import Database
from rulelang.ruleset import Clause, Design, Params, Ruleset
from rulelang.syntax.nodes import Node

_WHOLE = ("component", "deck", "variant", "option", "game", "score")  # asked for besides cards


@dataclass(frozen=True)
class CardRead:
    """The design of a card without findings, what it cites, and its place among the nodes."""

    place: int
    design: Design
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Names:
    """The symbol table but for the rules: see `SymbolTable`."""

    heads: tuple[tuple[str, Params, Type | None], ...]
    declared: dict[str, tuple[str, Span]]
    members: dict[str, list[tuple[str, int]]]
    plurals: dict[str, str]
    sorts: dict[str, Type]
    signatures: dict[str, tuple[str, Params]]
    results: dict[str, Type]
    menus: dict[str, list[str]]
    repeats: dict[str, int]
    field_defaults: dict[tuple[str, str], Node]
    titles: dict[str, tuple[str, ...]]
    titles_asked: tuple[str, ...]
    default_deck: Node | None


@dataclass(frozen=True)
class FrameData:
    """A frame, the declarations of the game itself, and the spans of the independent among them.

    `number` is that of the next fresh name.
    """

    game: str
    nodes: tuple[Node, ...]
    independent: tuple[Span, ...]
    names: Names
    rules: Ruleset
    found: tuple[Diagnostic, ...]
    number: int
    phrases: tuple[Phrase, ...]
    synonyms: tuple[tuple[str, ...], ...]
    rephrasings: tuple[tuple[str, ...], ...]
    templates: dict[str, core.Expr]
    cards: tuple[CardRead, ...]
    sentences: tuple[SentenceRead, ...]
    alone: tuple[str, ...]
    own: tuple[tuple[str, str, str, str], ...]
    reads: tuple[ReadsOf, ...]
    memos: dict[str, dict[object, object]]


_RECORDS = (FrameData, Names, CardRead, SentenceRead, ReadsOf, Kept, KeptQuestion)


def _records(kinds: Iterable[MemoKind | QueryKind]) -> tuple[type, ...]:
    return (*_RECORDS, *(record for kind in kinds for record in kind.records))


# ---------------------------------------------------------------------------------------- writing
def frame_to_text(
    frame: Frame,
    game: str,
    nodes: list[Node],
    independent: Iterable[Span],
    kinds: Iterable[MemoKind | QueryKind],
    queries: Database,
) -> str | None:
    """The frame with what was learned on it, as text; none if a card has findings of its own.

    `nodes` are the declarations of the game itself, which the cards of the frame stand in.
    """
    kinds = tuple(kinds)
    known = [(place, frame.cards.get(n)) for place, n in enumerate(nodes) if n.kind == "card"]
    cards = [CardRead(n, c.design, c.clause.cites) for n, c in known if c is not None]
    if len(cards) < len(known):
        return None
    lexicon = frame.glossary.lexicon
    data = FrameData(
        game,
        tuple(map(_trimmed, nodes)),
        tuple(independent),
        _names(frame),
        frame.rules,
        tuple(frame.report.found),
        int(lexicon.fresh_name("").removeprefix("~")),
        tuple(lexicon.phrases),
        lexicon.synonyms,
        lexicon.rephrasings,
        dict(lexicon.made.templates),
        tuple(cards),
        frame.glossary.sentences_read,
        tuple(sorted(frame.glossary.examples_alone)),
        frame.glossary.own_texts,
        _reads(frame),
        dict(_written(frame, kind, queries) for kind in kinds),
    )
    return codec.encode(data, _records(kinds))


def _reads(frame: Frame) -> tuple[ReadsOf, ...]:
    """What the expressions of the frame and of its sentences read; of others nobody asks again."""
    parts = vars(frame.rules).values()
    own = {
        id(node)
        for node in core.walk(
            [
                *(list(part.values()) if isinstance(part, dict) else part for part in parts),
                *(sentence.extensions for sentence in frame.glossary.sentences_read),
            ]
        )
    }
    by_reader = (known for reads in frame.memos.of(KnownReads) for known in reads.values())
    return tuple(known for known in by_reader if id(known.expr) in own)


def _written(
    frame: Frame, kind: MemoKind | QueryKind, queries: Database
) -> tuple[str, dict[object, object]]:
    """What is written of a memo or a query, under its name."""
    if isinstance(kind, QueryKind):
        return kind.query.__name__, kept_answers(kind, queries)
    return kind.memo.__name__, _memo(frame, kind)


def _memo(frame: Frame, kind: MemoKind) -> dict[object, object]:
    """The memo of this kind that passes on this frame keep."""
    found: object = frame.memos.of(kind.memo)
    assert isinstance(found, dict)
    return found


def _trimmed(node: Node) -> Node:
    """As much of a declaration as is asked for when the frame is compiled already."""
    if node.kind in _WHOLE:
        return node
    return Node(node.kind, node.parts[:2] if node.kind == "card" else (), node.span, node.text)


def _names(frame: Frame) -> Names:
    table = frame.symbols
    return Names(
        tuple((name, head.params, head.type) for name, head in table.heads.items()),
        table.declared,
        table.members,
        table.plurals,
        table.sorts,
        table.signatures,
        table.results,
        table.menus,
        frame.repeats,
        table.field_defaults,
        dict(table.titles.all),
        tuple(sorted(table.titles.asked)),
        table.default_deck,
    )


# ---------------------------------------------------------------------------------------- reading
def frame_from_text(
    text: str | bytes,
    statements: frozenset[str] | None,
    unread: Iterable[str],
    reserved: Iterable[str],
    kinds: Iterable[MemoKind | QueryKind],
) -> tuple[Frame, FrameData, Database]:
    """The frame, what else was written with it, and the answers of queries.

    Raises `Unreadable` if that is not what it is. It is a frame without variants, with these
    statements and names that were not read.
    """
    kinds = tuple(kinds)
    data = codec.decode(text, FrameData, _records(kinds))
    report = Report(list(data.found), set(unread), set(reserved))
    symbols = _symbol_table(data, report, statements)
    basis = Basis(
        tuple(node for node in data.nodes if node.kind != "card"),
        tuple((title, tuple(of)) for title, of in data.names.titles.items()),
        statements,
        frozenset(),
        data.rules.added,
        frozenset(unread),
        frozenset(reserved),
    )
    checker = Definitions(symbols, data.number).checker
    patterns = {id(p.pattern): p.pattern for p in data.phrases if p.pattern is not None}
    language = CardLanguage(list(patterns.values()), data.templates)
    alike = (data.synonyms, data.rephrasings)
    lexicon = Lexicon(symbols, checker.fresh_name, language, data.phrases, *alike)
    frame = Frame(basis, symbols, checker, Glossary(lexicon))
    frame.glossary.remember(data.sentences, data.alone, data.own)
    for known in data.reads:
        frame.memos.of(KnownReads).enter(known)
    for card in data.cards:
        if not 0 <= card.place < len(data.nodes):
            raise codec.Unreadable(f"no declaration is number {card.place}")
        frame.cards.keep(data.nodes[card.place], CardMade(card.design, _clause_of(card)))
    queries = Database()
    _fill_memos(frame, data.memos, kinds, queries)
    return frame, data, queries


def _clause_of(card: CardRead) -> Clause:
    """The clause that a card entered."""
    design = card.design
    owner = f'card "{design.title}"'
    return Clause(design.clause, "card", owner, "", card.cites, design.span)


def _symbol_table(
    data: FrameData, report: Report, statements: frozenset[str] | None
) -> SymbolTable:
    names = data.names
    return SymbolTable(
        data.rules,
        report,
        statements,
        {
            name: Head(Node("define", (), NOWHERE), params, type_, done=True)
            for name, params, type_ in names.heads
        },
        names.declared,
        names.members,
        names.plurals,
        names.sorts,
        names.signatures,
        names.results,
        names.menus,
        names.repeats,
        names.field_defaults,
        Titles(names.titles, names.titles_asked),
        names.default_deck,
    )


def _fill_memos(
    frame: Frame,
    memos: Mapping[str, dict[object, object]],
    kinds: Iterable[MemoKind | QueryKind],
    queries: Database,
) -> None:
    for kind in kinds:
        if isinstance(kind, QueryKind):
            try:
                learn_answers(kind, queries, memos.get(kind.query.__name__, {}))
            except (ValueError, TypeError) as error:
                raise codec.Unreadable(str(error)) from error
            continue
        entries = memos.get(kind.memo.__name__, {})
        if not all(
            isinstance(k, kind.key) and isinstance(v, kind.value) for k, v in entries.items()
        ):
            raise codec.Unreadable(f"some of {kind.memo.__name__} is of another type")
        _memo(frame, kind).update(entries)
