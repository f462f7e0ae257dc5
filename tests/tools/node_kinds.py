"""Which kinds of syntax nodes the grammar makes, worked out from the grammar's own rules."""

from __future__ import annotations

import functools

from lark import Lark
from lark.grammar import NonTerminal, Rule

from rulelang.syntax.grammar import Blocks, grammar_text


@functools.cache
def _rules() -> tuple[Rule, ...]:
    made = Lark(grammar_text(), parser="lalr", postlex=Blocks(), maybe_placeholders=True)
    return tuple(made.rules)


def kinds_of(nonterminal: str) -> set[str]:
    """The kinds of node that may stand where the grammar names this nonterminal."""
    return _kinds_of(nonterminal, set())


def _kinds_of(nonterminal: str, busy: set[str]) -> set[str]:
    if nonterminal in busy:
        return set()
    busy.add(nonterminal)
    found: set[str] = set()
    for rule in _rules():
        if rule.origin.name != nonterminal:
            continue
        parts = [symbol for symbol in rule.expansion if isinstance(symbol, NonTerminal)]
        if rule.alias:
            found.add(str(rule.alias))
        elif rule.options.expand1 and len(rule.expansion) == 1 and parts:
            found |= _kinds_of(parts[0].name, busy)
        else:
            found.add(nonterminal)
    return found
