"""The adapter to Lark's internals: the only module that uses more of Lark than its public API.

Three things need it: the LALR parse tables as JSON (Lark itself can only pickle them), the words
and node kinds of a grammar, and an Earley parser that tries only chosen rules. Each is covered by
tests/syntax/test_lark_adapter.py, which is what to run when the bound on Lark is raised.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import lark
from lark import Lark, Token, Tree, lexer
from lark.grammar import NonTerminal, Rule, Symbol, Terminal
from lark.indenter import Indenter
from lark.lexer import TerminalDef

from rulelang.syntax.lalr import Reduction, Tables


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

    def match(self, text: str, at: int) -> re.Match[str] | None:
        """The terminal that stands at this place of a text, as the last group of a match."""
        for pattern in self._lexer.scanner._mres:
            found: re.Match[str] | None = pattern.match(text, at)
            if found is not None:
                return found
        return None

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
@dataclass(frozen=True, eq=False)
class Prediction:
    """A rule that an Earley parser tries where it expects a symbol, and the symbols it needs."""

    symbol: NonTerminal
    rule: Rule
    terminals: frozenset[str]
    symbols: frozenset[NonTerminal]


def predictions(parser: Lark) -> Iterator[Prediction]:
    """All predictions of an Earley parser, in the order in which it tries them."""
    for symbol, rules in parser.parser.parser.predictions.items():
        for rule in rules:
            terminals = frozenset(part.name for part in rule.expansion if part.is_term)
            symbols = frozenset(part for part in rule.expansion if not part.is_term)
            yield Prediction(symbol, rule, terminals, symbols)


def terminal_matchers(parser: Lark) -> dict[str, re.Pattern[str]]:
    """The compiled regular expression of each terminal of an Earley parser, by name."""
    matchers: dict[str, re.Pattern[str]] = parser.parser.parser.term_matcher.__self__.regexps
    return matchers


def earley_parser(grammar: str) -> Lark:
    """The Earley parser of a grammar, its start symbol `start`, that gives every derivation.

    Lark compares all terminals of any grammar for collisions where a certain library is installed,
    also those of its own grammar of grammars; that takes longer than all else and says nothing.
    """
    before = lexer.has_interegular
    lexer.has_interegular = False
    try:
        return Lark(grammar, parser="earley", lexer="dynamic", ambiguity="explicit")
    finally:
        lexer.has_interegular = before


def parse_with(parser: Lark, chosen: Iterable[Prediction], text: str) -> Tree[Token]:
    """The parse of a text by these predictions alone; raises Lark's UnexpectedInput.

    `chosen` must be in the order of `predictions`. The parser itself stays as it is.
    """
    narrow = copy.copy(parser.parser.parser)
    tried: dict[NonTerminal, list[Rule]] = {symbol: [] for symbol in narrow.predictions}
    for prediction in chosen:
        tried[prediction.symbol].append(prediction.rule)
    narrow.predictions = tried
    tree: Tree[Token] = narrow.parse(text, "start")
    return tree
