"""The adapter to Lark's internals: the only module that uses more of Lark than its public API.

Three things need it: the LALR parse tables as JSON (Lark itself can only pickle them), the words
and node kinds of a grammar, and an Earley parser that tries only chosen rules. Each is covered by
tests/syntax/test_lark_adapter.py, which is what to run when the bound on Lark is raised.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import lark
from lark import Lark, Token, Tree, lexer
from lark.common import LexerConf, ParserConf
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput
from lark.grammar import NonTerminal, Rule, Symbol, Terminal
from lark.indenter import Indenter
from lark.lexer import PatternRE, TerminalDef
from lark.parse_tree_builder import ParseTreeBuilder
from lark.parsers import xearley

from rulelang.syntax.lalr import Reduction, Tables

MAX_COMPILED = 1 << 13  # terminals whose patterns are kept: those of a large game
Key = TypeVar("Key")
Made = TypeVar("Made")


# ------------------------------------------------------------------------------- tables
def _stamp(grammar: str) -> str:
    """What parse tables belong to: this text of a grammar and this version of Lark."""
    return hashlib.sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()


def dump_tables(parser: Lark, grammar: str) -> str:
    """The parse tables of an LALR parser as JSON text."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    simple = (str, int, bool, list, dict, type(None))
    data["options"] = {
        name: value if isinstance(value, simple) else None
        for name, value in data["options"].items()
    }
    return json.dumps(
        {"stamp": _stamp(grammar), "data": data, "memo": memo},
        default=sorted,
        separators=(",", ":"),
    )


def load_tables(text: str, grammar: str, indenter: Indenter) -> Lark | None:
    """The parser with these parse tables.

    None if they belong to another grammar or another version of Lark, or are no tables at all.
    """
    try:
        found: dict[str, Any] = json.loads(text)
        if found.get("stamp") != _stamp(grammar):
            return None
        data = found["data"]
        tables = data["parser"]["parser"]
        tables["tokens"] = _int_keys(tables["tokens"])
        tables["states"] = {
            state: _int_keys(actions) for state, actions in _int_keys(tables["states"]).items()
        }
        # Lark does not annotate this method.
        made: Lark = Lark._load_from_dict(  # type: ignore[no-untyped-call]
            data, _int_keys(found["memo"]), postlex=indenter, propagate_positions=True
        )
    except (ValueError, KeyError, TypeError, AttributeError, lark.exceptions.LarkError):
        return None
    return made


def _int_keys(table: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in table.items()}


def lalr_tables(parser: Lark) -> Tables:
    """The parse tables and scanners of an LALR parser, as they are used without Lark.

    Raises ValueError if a rule that is not inlined may stand for no text at all.
    """
    nullable = {rule.origin for rule in parser.rules if not rule.expansion}
    for rule in parser.rules:
        if set(rule.expansion) <= nullable and (rule.expansion or rule.origin.name[0] != "_"):
            raise ValueError(f"{rule} may stand for no text")
    table = parser.parser.parser._parse_table
    made = {rule: _reduction(rule) for rule in parser.rules}
    actions = {
        state: {name: made[arg] if isinstance(arg, Rule) else arg for name, (_, arg) in row.items()}
        for state, row in table.states.items()
    }
    lexers = parser.parser.lexer.lexer.lexers
    scanners = {found: _LazyScanner(found) for found in set(lexers.values())}
    kept = (rule.expansion[index].name for rule in parser.rules for index, *_ in made[rule].kept)
    return Tables(
        table.start_states["start"],
        table.end_states["start"],
        actions,
        {state: scanners[found] for state, found in lexers.items()},
        frozenset(kept),
    )


def _reduction(rule: Rule) -> Reduction:
    """What a rule makes of its symbols, by its options and the placeholders of what is optional."""
    empty = rule.options.empty_indices or [False] * len(rule.expansion)
    missing, index = 0, 0
    kept: list[tuple[int, bool, int]] = []
    for is_missing in empty:
        if is_missing:
            missing += 1
            continue
        symbol = rule.expansion[index]
        if rule.options.keep_all_tokens or not _is_left_out(symbol):
            is_inlined = not symbol.is_term and symbol.name.startswith("_")
            kept.append((index, is_inlined, missing))
            missing = 0
        index += 1
    return Reduction(
        origin=rule.origin.name,
        kind=rule.alias or rule.options.template_source or rule.origin.name,
        size=len(rule.expansion),
        kept=tuple(kept),
        missing=missing,
        is_inlined=rule.origin.name.startswith("_"),
        passes_one_on=bool(rule.options.expand1 and not rule.alias),
    )


def _is_left_out(symbol: Symbol) -> bool:
    return isinstance(symbol, Terminal) and symbol.filter_out


class _LazyScanner:
    """The terminals that may stand in some states; Lark compiles them when they are first asked."""

    def __init__(self, found: lexer.BasicLexer) -> None:
        self._lexer = found
        self._words: dict[tuple[str, str], str] = {}
        self.ignored, self.with_newlines = found.ignore_types, found.newline_types

    @functools.cached_property
    def match(self) -> Callable[[str, int], re.Match[str] | None]:
        """Gives the terminal that stands at a place of a text, as the last group of a match."""
        patterns: tuple[re.Pattern[str], ...] = tuple(self._lexer.scanner._mres)
        if len(patterns) == 1:
            return patterns[0].match
        return lambda text, at: next(filter(None, (p.match(text, at) for p in patterns)), None)

    @functools.cached_property
    def with_keywords(self) -> Collection[str]:
        """The terminals of which some words have a type of their own."""
        self._lexer.scanner  # noqa: B018  Lark knows them when it has made its scanner
        return frozenset(self._lexer.callback)

    def word_type(self, kind: str, word: str) -> str:
        """The type of a word that was matched as one of this type: a keyword has its own."""
        callback = self._lexer.callback.get(kind)
        if callback is None:
            return kind
        if (kind, word) not in self._words:
            self._words[kind, word] = callback(Token(kind, word)).type
        return self._words[kind, word]


# ---------------------------------------------------------------------- words and kinds
def terminal_patterns(parser: Lark) -> dict[str, str]:
    """The name of each terminal, with its word or regular expression."""
    return {terminal.name: terminal.pattern.value for terminal in parser.terminals}


def keywords(parser: Lark) -> dict[str, str]:
    """The name of each terminal that is a fixed word or sign, with that word."""
    return {t.name: t.pattern.value for t in parser.terminals if t.pattern.type == "str"}


def node_kinds(parser: Lark) -> frozenset[str]:
    """The kinds of all nodes that a tree of this grammar can have."""
    named = {rule.alias for rule in parser.rules if rule.alias}
    plain = {
        rule.origin.name for rule in parser.rules if not rule.alias and not rule.options.expand1
    }
    return frozenset(kind for kind in named | plain if not kind.startswith("_"))


# ------------------------------------------------------------------------------- Earley
START, IGNORED = "start", "WS"


class EarleyRule(NamedTuple):
    """One expansion of a symbol: terminals, whose names are in capitals, and other symbols."""

    symbol: str
    parts: tuple[str, ...]
    name: str = ""  # of the nodes it makes; they are named after the symbol if it is empty


class EarleyGrammar(NamedTuple):
    """Rules, of which none is empty, with the regular expression of each terminal in any case.

    The start symbol is `start`; what the terminal `WS` matches may stand between terminals. A
    symbol that begins with `_` makes no node: its parts stand in the node around it.
    """

    rules: tuple[EarleyRule, ...]
    terminals: tuple[tuple[str, str], ...]


@functools.lru_cache(maxsize=MAX_COMPILED)
def _compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a terminal: parsers that differ in a few words have nearly all in common."""
    return re.compile(source, flags)


class _OnDemand(dict[Key, Made], Generic[Key, Made]):
    """A dictionary whose values are made when they are first asked for."""

    def __init__(self, make: Callable[[Key], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Key) -> Made:
        made = self[key] = self._make(key)
        return made


@dataclass(frozen=True)
class _SymbolsThatAre:
    """All terminals, or all other symbols."""

    terminal: bool

    def __contains__(self, symbol: Symbol | None) -> bool:
        return symbol is not None and bool(symbol.is_term) is self.terminal


# Letters that are the same in another case just where they are in lower case: “ſ” is an “s”, too.
_OF_TWO_CASES = re.compile(r"[\x00-\xb4\xb6-\xff\u2000-\u206f\u20a0-\u20bf\u27e6-\u27eb]*")
_CAPITALIZED = re.compile(r"\\[A-Z]|\(\?P")  # of a regular expression, what is no letter

_BETWEEN_WORDS = re.compile(r"(?<=[^\\]\w)\\b\\s\+\\b(?=\w)")  # what is bounded by blanks anyway
_LIST = re.compile(r"\(\?:(\\b[^()]*\\b)\)")  # of wordings, of which all may be bounded by words
_UNEVENLY_SPACED = re.compile(r"\s\s|[^\S ]")


def _bounded_once(wordings: re.Match[str]) -> str:
    """A list of wordings with the bounds of words around all that stand within each."""
    ways = wordings.group(1).split("|")
    if not all(way.startswith(r"\b") and way.endswith(r"\b") for way in ways):
        return wordings.group()
    return rf"\b(?:{'|'.join(way[2:-2] for way in ways)})\b"


class Stop(NamedTuple):
    """Where a text cannot be parsed further: the place in it, none for its end, and the rules that
    go on there with a terminal, each by its place with how many of its parts stand before.
    """

    at: int | None
    rules: frozenset[tuple[int, int]]


class _Word(NamedTuple):
    """What a terminal matches in a text, asked for as Lark asks a match of regular expressions."""

    text: str
    span: tuple[int, int]
    stop: int  # the place in what is parsed at which it ends

    def group(self, _: int) -> str:
        """The word as it is written."""
        return self.text[self.span[0] : self.span[1]]

    def end(self) -> int:
        """Where it ends."""
        return self.stop


_PIECE = re.compile(r"\w+|\s+|.", re.DOTALL)


class _Predicted:
    """The rules by what they expand, each once: what expects a symbol at a place begins all rules
    for it there, and whatever else expects it begins no others.
    """

    def __init__(self, rules: Mapping[NonTerminal, list[Rule]]) -> None:
        self._rules = rules
        self._asked: set[NonTerminal] = set()

    def __getitem__(self, symbol: NonTerminal) -> Sequence[Rule]:
        if symbol in self._asked:
            return ()
        self._asked.add(symbol)
        return self._rules.get(symbol, ())


class _Parser(xearley.Parser):
    """Lark's parser, which begins each rule once at each place of a text and not once for
    everything that expects its symbol.
    """

    predictions: Any
    rules: Mapping[NonTerminal, list[Rule]]

    def predict_and_complete(self, *given: Any) -> None:
        """All that begins and all that is complete at one place."""
        self.predictions = _Predicted(self.rules)
        lark: Any = super()
        lark.predict_and_complete(*given)


class _InsideWord(Exception):
    """A terminal matches a part of a word."""


def _callback(rule: Rule) -> Callable[..., Tree[Token]]:
    """What makes the node of a rule."""
    builder: Any = ParseTreeBuilder
    made: Callable[..., Tree[Token]] = builder([rule], Tree, ambiguous=True).create_callback()[rule]
    return made


class Earley:
    """Gives every derivation of a text by chosen rules of a grammar.

    Lark makes an Earley parser ready rule by rule and compiles every terminal, most of which no
    sentence needs. Here its parser is given its rules for each text, and a rule is made and a
    terminal compiled when it is first asked for.
    """

    def __init__(self, grammar: EarleyGrammar) -> None:
        """Take the grammar as it is; nothing of it is checked."""
        self._sources = dict(grammar.terminals)
        self._of_any_case: dict[str, re.Pattern[str]] = _OnDemand(self._in_any_case)
        self._of_lower_case: dict[str, re.Pattern[str]] = _OnDemand(self._in_lower_case)
        self._of_single_blanks: dict[str, re.Pattern[str]] = _OnDemand(self._with_single_blanks)
        self._given = grammar.rules
        self._rules: dict[int, Rule] = {}  # memo
        # One object for each symbol: Lark compares those that are not the same by their names.
        self._words: dict[str, Symbol] = _OnDemand(Terminal)
        self._symbols: dict[str, NonTerminal] = _OnDemand(NonTerminal)
        self._parser = self._without_rules()

    def _without_rules(self) -> xearley.Parser:
        """Lark's parser, with terminals and callbacks made when it asks for them."""
        ignored = TerminalDef(IGNORED, PatternRE(self._sources[IGNORED]))
        lexer_conf = LexerConf([ignored], re, [IGNORED])
        lexer_conf.lexer_type = "dynamic"
        lexer_conf.terminals_by_name = _OnDemand(
            lambda name: TerminalDef(name, PatternRE(self._sources[name]))
        )
        any_rule = [Rule(NonTerminal(START), [Terminal(IGNORED)])]  # Lark asks for one
        callbacks: Any = _OnDemand(_callback)
        conf = ParserConf(any_rule, callbacks, [START])
        parser: Any = _Parser(lexer_conf, conf, lambda *_: None, resolve_ambiguity=False)
        parser.TERMINALS, parser.NON_TERMINALS = _SymbolsThatAre(True), _SymbolsThatAre(False)
        made: xearley.Parser = parser
        return made

    def _rule(self, place: int) -> Rule:
        """The rule at a place of the grammar; what comes first there has the lower order."""
        if place not in self._rules:
            symbol, parts, name = self._given[place]
            expansion = [self._words[p] if p.isupper() else self._symbols[p] for p in parts]
            self._rules[place] = Rule(self._symbols[symbol], expansion, place, name or None)
        return self._rules[place]

    def matching(self, text: str) -> tuple[Mapping[str, re.Pattern[str]], str]:
        """The regular expressions of the terminals, compiled when they are first asked for, and the
        text that they match as they match this one in any case.
        """
        if not _OF_TWO_CASES.fullmatch(text):
            return self._of_any_case, text
        evenly = _UNEVENLY_SPACED.search(text) is None
        return self._of_single_blanks if evenly else self._of_lower_case, text.lower()

    def _in_any_case(self, terminal: str) -> re.Pattern[str]:
        return _compiled(self._sources[terminal], re.IGNORECASE)

    def _in_lower_case(self, terminal: str) -> re.Pattern[str]:
        """What matches texts in lower case; it is compiled in a third of the time."""
        source = self._lowered(terminal)
        return _compiled(source) if source else self._of_any_case[terminal]

    def _with_single_blanks(self, terminal: str) -> re.Pattern[str]:
        """What matches texts in lower case that have no blanks but single ones between words; it is
        compiled in half of that time.
        """
        source = self._lowered(terminal)
        if not source or r"\\" in source:
            return self._of_lower_case[terminal]
        return _compiled(source.replace(r"\s+", " ").replace(r"\s*", " ?"))

    def _lowered(self, terminal: str) -> str:
        """The regular expression for texts in lower case; empty if it has letters of one case."""
        source = self._sources[terminal]
        if not _OF_TWO_CASES.fullmatch(source) or _CAPITALIZED.search(source):
            return ""
        return _LIST.sub(_bounded_once, _BETWEEN_WORDS.sub(r"\\s+", source.lower()))

    def parse(self, chosen: Iterable[int], text: str) -> Tree[Token]:
        """The parse of a text by the rules at these places; raises Lark's UnexpectedInput, which
        does not tell where: see `stop`.

        Lark has a step for each part of what it is given. Nearly all terminals begin and end where
        words do, so it is given whole words, unless one does not.
        """
        tried = self._by_symbol(chosen)
        try:
            return self._parse(tried, text, _PIECE.findall(text))
        except _InsideWord:
            return self._parse(tried, text, text)

    def _by_symbol(self, chosen: Iterable[int]) -> dict[NonTerminal, list[Rule]]:
        """The rules at these places by what they expand."""
        found: dict[NonTerminal, list[Rule]] = {}
        for place in sorted(chosen):
            rule = self._rule(place)
            found.setdefault(rule.origin, []).append(rule)
        return found

    def _parse(
        self, rules: Mapping[NonTerminal, list[Rule]], text: str, pieces: Sequence[str]
    ) -> Tree[Token]:
        """The parse of a text that consists of these pieces by these rules."""
        parser: Any = copy.copy(self._parser)
        parser.rules, parser.predictions = rules, _Predicted(rules)
        patterns, said = self.matching(text)
        starts = [0, *itertools.accumulate(map(len, pieces))]
        numbers = {start: number for number, start in enumerate(starts)}

        def matched(terminal: Terminal, _: object, at: int) -> _Word | None:
            found = patterns[terminal.name].match(said, starts[at])
            if found is None:
                return None
            stop = numbers.get(found.end())
            if stop is None:
                raise _InsideWord
            return _Word(text, found.span(), stop)

        parser.term_matcher = matched
        letter_of_each = "".join(piece[0] for piece in pieces)
        tree: Tree[Token] = parser.parse(letter_of_each, START)
        return tree

    def stop(self, chosen: Iterable[int], text: str) -> Stop | None:
        """Where a text cannot be parsed further by the rules at these places; none if it can."""
        tried = self._by_symbol(chosen)
        try:
            try:
                pieces: Sequence[str] = _PIECE.findall(text)
                self._parse(tried, text, pieces)
            except _InsideWord:
                pieces = text
                self._parse(tried, text, pieces)
        except UnexpectedEOF as error:
            return Stop(None, _open_there(error))
        except UnexpectedCharacters as error:
            read: int = error.pos_in_stream or 0
            return Stop(sum(map(len, pieces[:read])), _open_there(error))
        return None


def _open_there(error: UnexpectedInput) -> frozenset[tuple[int, int]]:
    found: Any = error.state or ()
    return frozenset((rule.order, done) for rule, done in found)
