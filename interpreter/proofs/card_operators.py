"""The ways in which what is printed on a card is broken, one field at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulelang import core
from rulelang.core.types import NUMBER, TRUTH, KindT, OptionalT, SetT, Type
from rulelang.core.values import Value
from rulelang.ruleset import Design, Ruleset


def rows_broken(
    design: Design, rules: Ruleset, asked: frozenset[str]
) -> Iterator[tuple[str, Design]]:
    """A card with one printed field otherwise, of those that anything asks for."""
    known = dict(design.values)
    for name, t in rules.components[design.component].fields:
        if name not in asked or name not in known:
            continue
        new = _otherwise(known[name], t, rules)
        if new is not None and new != known[name]:
            values = tuple((n, new if n == name else value) for n, value in design.values)
            yield f"{name}: another", replace(design, values=values)


def _otherwise(value: Value, t: Type, rules: Ruleset) -> Value:
    """Another value of a type: one more, the next, the contrary, or without one; none if there is
    no other."""
    match t:
        case OptionalT():
            return _otherwise(0 if value is None else value, t.of, rules)
        case KindT() if isinstance(value, int):
            return (value + 1) % len(rules.kinds[t.name].members)
        case SetT() if isinstance(value, frozenset):
            return frozenset(sorted(value, key=str)[1:]) if value else None
    if t == TRUTH:
        return not value
    return value + 1 if t == NUMBER and isinstance(value, int) else None


def fields_asked(rules: Ruleset) -> frozenset[str]:
    """The names of printed fields that the rules or the texts of cards ask for."""
    named = (rules.events, rules.tables, rules.definitions, rules.procedures)
    listed = (rules.endings, rules.ranks, rules.reactions, rules.latches, rules.invariants)
    records = [*(list(of.values()) for of in named), *listed, rules.extensions]
    return frozenset(n.name for n in core.walk(records) if isinstance(n, core.Attribute))
