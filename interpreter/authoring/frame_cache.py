"""The frames of checked games in the user's cache folder: a further check of an addition reads only
the cards that are added.

An entry holds for the very same texts of the game, and for added files that bring nothing but
cards. What cannot be read is as if it were not there.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.authoring.advice_cache import Answers, LawsKept, OfCards, Regards
from interpreter.authoring.ruleset_lints import LawsBroken
from interpreter.game import cache
from interpreter.game.advice import Advised
from interpreter.game.loading import Loaded, checked_source, statements_in
from rulelang.analysis.advice_deps import Brought, Dependencies, OpenToTexts, Prints
from rulelang.analysis.card_deps import Looked, Meaning, OtherRows, Said
from rulelang.analysis.card_lints import JudgedCards, Looks
from rulelang.compiler.codec import Unreadable
from rulelang.compiler.driver import CompileCache, GameRead
from rulelang.compiler.frame_data import frame_from_text, frame_to_text
from rulelang.compiler.incremental import Basis, basis_of
from rulelang.compiler.memos import MemoKind, QueryKind
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import decode_for_quoting
from rulelang.ruleset.parts import Parts
from rulelang.syntax.nodes import Node
from rulelang.syntax.parser import parse_source

MEMOS = (
    QueryKind(JudgedCards, (Looks, Said, Looked, OtherRows), (Parts, Meaning)),
    QueryKind(
        Answers,
        (Prints,),
        (Parts, Brought, Regards, OfCards, OpenToTexts),
        (Advised, Dependencies),
    ),
    QueryKind(LawsKept, (Prints,), (Parts, Brought, Regards, OpenToTexts)),
    MemoKind(LawsBroken, str, tuple),
)
NO_VARIANTS = frozenset[str]()
Texts = tuple[tuple[str, bytes | None], ...]


@dataclass(frozen=True)
class Addition:
    """A file of cards that is added to a game, with the texts of the game and of its rulebook.

    `key` is the name of the entry of the frame in the cache; `report` has what was found in the
    syntax of the cards.
    """

    key: str
    name: str
    cards: tuple[Node, ...]
    report: Report
    game: tuple[tuple[str, bytes], ...]
    rulebook: str


def addition(texts: Texts, added: str) -> Addition | None:
    """What is added by the file of this name, whose text comes last, behind that of the rulebook.

    None if a file is missing, if anything but cards is added, or if nothing is ever kept.
    """
    *game, (_, rulebook), (name, raw) = texts
    whole = tuple((file, text) for file, text in game if text is not None)
    if cache.folder() is None or len(whole) < len(game) or raw is None or name != added:
        return None
    report = Report()
    cards = _cards(name, raw, report)
    if not cards:
        return None
    parts = [
        f"{sorted(report.unread)} {sorted(report.reserved)}",
        rulebook or b"",
        *(part for pair in whole for part in pair),
    ]
    book = (rulebook or b"").decode("utf-8", "replace")
    return Addition(cache.key_of("frame", parts), name, cards, report, whole, book)


def _cards(name: str, raw: bytes, report: Report) -> tuple[Node, ...]:
    """The cards of a file that declares nothing else; none of any other."""
    source = checked_source(name, raw, report, {})
    nodes = parse_source(source, report) if source is not None else []
    is_all = all(node.kind in ("card", "speaks") for node in nodes)
    return tuple(node for node in nodes if node.kind == "card") if is_all else ()


def _component(card: Node) -> str:
    """The component that a card says it is of; empty if it says none."""
    word = card.first("NAME")
    return word.text if word is not None else ""


def restore(made: Addition, kept: CompileCache) -> None:
    """Let the next compilation go on from the frame in the cache folder, unless there is none, or
    something was compiled in this process already.
    """
    if kept.game is not None:
        known = kept.frames[NO_VARIANTS]
        if kept.game.key == made.key and known.serves(_basis(made, kept.game.nodes)):
            return
        kept.queries.clear()
        kept.frames.clear()  # of what was restored nothing but cards can be compiled
        kept.game = None
    raw = cache.read(made.key) if not kept.frames else None
    if raw is None:
        return
    statements, report = frozenset(statements_in(made.rulebook)) or None, made.report
    try:
        frame, data, queries = frame_from_text(
            raw, statements, report.unread, report.reserved, MEMOS
        )
    except (Unreadable, ValueError, TypeError):
        return
    if not frame.serves(_basis(made, data.nodes)):
        return
    kept.frames[NO_VARIANTS], kept.queries[NO_VARIANTS] = frame, queries
    sources = {name: decode_for_quoting(name, text) for name, text in made.game}
    kept.game = GameRead(made.key, data.game, data.nodes, data.independent, sources)


def _basis(made: Addition, game: tuple[Node, ...]) -> Basis:
    """The basis of the frame of a game's declarations with what is added to it."""
    nodes, statements = [*game, *made.cards], frozenset(statements_in(made.rulebook)) or None
    return basis_of(nodes, nodes, made.report, statements, NO_VARIANTS, frozenset([made.name]))


def store(made: Addition, kept: CompileCache, loaded: Loaded) -> None:
    """Keep the frame that was compiled, if the game itself is without findings."""
    frame = kept.frames.get(NO_VARIANTS)
    report = loaded.compiled.report
    if kept.game is not None or kept.stored == made.key or frame is None or not report.usable:
        return
    own = {name for name, _ in made.game}
    if any(item.span.file in own for item in report.found):
        return
    nodes = [node for node in loaded.nodes if node.span.file in own]
    independent = dict.fromkeys(span for span in report.independent if span.file in own)
    try:
        queries = loaded.compiled.queries
        text = frame_to_text(frame, loaded.id, nodes, independent, MEMOS, queries)
    except (Unreadable, RecursionError):  # something in it is in no registry, or nested too deep
        return
    kept.stored = made.key
    if text is not None:
        cache.write(made.key, text.encode())
