"""Compiled rulesets in the cache: stored after a compilation without errors, restored by contents.

What is restored equals what would be compiled. Syntax trees are not kept: they are made from the
texts when somebody asks for them. The glossary has an entry of its own, read when it is asked for.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from interpreter.game import cache
from interpreter.game.gc_pause import gc_paused
from rulelang.compiler import codec
from rulelang.compiler.compiled import Compiled
from rulelang.core import Expr
from rulelang.core.types import Type
from rulelang.diagnostics import Diagnostic, Report
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.ruleset import Ruleset
from rulelang.syntax.nodes import Node

if TYPE_CHECKING:
    from rulelang.phrases.on_demand import Slice
    from rulelang.phrases.readings import Glossary


T = TypeVar("T")


class Declarations(Sequence[Node]):
    """The declarations of texts, parsed when first asked for; `key` names all they are read
    from.
    """

    def __init__(self, key: str, parse: Callable[[], Sequence[Node]]) -> None:
        """The key is empty where nothing of these texts is to be kept."""
        self.key, self._parse = key, parse
        self._nodes: Sequence[Node] | None = None

    def _all(self) -> Sequence[Node]:
        if self._nodes is None:
            self._nodes = self._parse()
        return self._nodes

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: Slice) -> Sequence[Node]: ...
    def __getitem__(self, index: int | Slice) -> Node | Sequence[Node]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Node]:
        return iter(self._all())


@dataclass(frozen=True)
class Kept:
    """What is kept of a compilation."""

    game: str
    compiled: Compiled


def store(key: str, game: str, compiled: Compiled) -> None:
    """Keep a compilation under a key, unless something is wrong with the rules."""
    report = compiled.report
    if not key or report.errors:
        return
    cache.write(
        key,
        codec.encode(
            (
                game,
                compiled.rules,
                tuple(report.found),
                tuple(report.independent),
                tuple(sorted(report.unread)),
                tuple(sorted(report.reserved)),
                compiled.refused,
            )
        ).encode(),
    )
    _store_glossary(key, compiled.glossary)


def _store_glossary(key: str, glossary: Glossary) -> None:
    """Keep what reading sentences needs besides the rules."""
    lexicon = glossary.lexicon
    heads = lexicon.symbols.heads
    defined = {phrase.define for phrase in lexicon.phrases if phrase.define is not None}
    cache.write(
        _glossary_key(key),
        codec.encode(
            (
                tuple(phrase.id for phrase in lexicon.phrases),
                lexicon.phrases,
                lexicon.synonyms,
                tuple((name, heads[name].params, heads[name].type) for name in sorted(defined)),
                tuple(lexicon.made.templates),
                tuple(lexicon.made.templates.values()),
                int(lexicon.fresh_name("").removeprefix("~")),
                lexicon.rephrasings,
            )
        ).encode(),
    )
    if glossary.parser is not None:
        from rulelang.phrases.earley import encode_parser

        cache.write(_parser_key(key), encode_parser(glossary.parser).encode())


def _glossary_key(key: str) -> str:
    return cache.key_of("glossary", [key])


def _parser_key(key: str) -> str:
    return cache.key_of("parser", [key])


@gc_paused()
def _restored_glossary(key: str, rules: Ruleset, make: Callable[[], Glossary]) -> Glossary | None:
    """The glossary kept with the rules; none if there is none that can be read.

    Phrases and templates are decoded when they are asked for; where one cannot be, all of them are
    made.
    """
    raw, grammar = cache.read(_glossary_key(key)), cache.read(_parser_key(key))
    if raw is None or grammar is None:
        return None
    from rulelang.elaborate.card_language import CardLanguage
    from rulelang.elaborate.symbols import Head, SymbolTable
    from rulelang.phrases.earley import decode_parser
    from rulelang.phrases.lexicon import Lexicon
    from rulelang.phrases.on_demand import OnDemand
    from rulelang.phrases.phrase import Phrase
    from rulelang.phrases.readings import Glossary

    made = functools.cache(make)
    try:
        parts = codec.Parts(raw)
        ids, synonyms, heads, reworded = (parts.part(place, tuple) for place in (0, 2, 3, 7))
        named = parts.part(4, tuple)
        names = SymbolTable(rules, Report())
        for name, params, type_ in heads:
            names.heads[name] = Head(Node("define", (), NOWHERE), params, type_, done=True)
        checked = (
            _all_are(str, [*ids, *named]),
            _all_are(str, (said for alike in (*synonyms, *reworded) for said in alike)),
            _all_are(Type, (t for _, params, _ in heads for _, t in params)),
            _all_are(Type, (t for _, _, t in heads if t is not None)),
        )
        numbers = itertools.count(parts.part(6, int))
        phrases = OnDemand(ids, _Kept(parts.parts(1), Phrase, lambda i: made().lexicon.phrases[i]))
        templates = OnDemand(
            named,
            _Kept(parts.parts(5), Expr, lambda i: made().lexicon.made.templates[named[i]]),
        )
        parser = decode_parser(grammar)
    except (codec.Unreadable, ValueError, TypeError):
        return None
    if not all(checked) or len(phrases) != len(ids) or len(templates) != len(named):
        return None
    language = CardLanguage((), templates.by_name)
    lexicon = Lexicon(
        names, lambda base: f"{base}~{next(numbers)}", language, phrases, synonyms, reworded
    )
    return Glossary(lexicon, parser)


@dataclass(frozen=True)
class _Kept(Generic[T]):
    """Decodes parts of what is kept; one that cannot be decoded is made instead."""

    parts: codec.Parts
    of: type[T]
    make: Callable[[int], T]

    def __call__(self, place: int) -> T:
        try:
            return self.parts.part(place, self.of)
        except codec.Unreadable:
            return self.make(place)


def restore(key: str, make_glossary: Callable[[], Glossary]) -> Kept | None:
    """The compilation kept under a key; none if there is none that can be read."""
    raw = cache.read(key) if key else None
    if raw is None:
        return None
    try:
        game, rules, found, independent, unread, reserved, refused = codec.decode(raw, tuple)
        parts = (
            _all_are(str, [game]),
            _all_are(Ruleset, [rules]),
            _all_are(Diagnostic, found),
            _all_are(Span, independent),
            _all_are(str, [*unread, *reserved, *refused]),
        )
    except (codec.Unreadable, ValueError, TypeError):
        return None
    if not all(parts):
        return None
    report = Report()
    report.merge(Report(list(found), set(unread), set(reserved), list(independent)))

    def glossary() -> Glossary:
        return _restored_glossary(key, rules, make_glossary) or make_glossary()

    return Kept(game, Compiled(rules, glossary, report, tuple(refused)))


def _all_are(cls: type, items: Iterable[object]) -> bool:
    return all(isinstance(item, cls) for item in items)
