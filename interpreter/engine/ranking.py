"""Who comes first: players by the keys of the ranking, and who can win at all."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.engine.clauses import Rules
from interpreter.model.position import Position
from rulelang.ruleset import RankLine


def ranking(rules: Rules, s: Position) -> list[list[int]]:
    """Players from first to last, those that no key tells apart together.

    If nobody can win, the first of these groups is empty.
    """
    keys = {p: (qualifies(rules, s, p), *_keys(rules, s, p)) for p in range(rules.setup.players)}
    found = [
        [p for p in keys if keys[p] == rank] for rank in sorted(set(keys.values()), reverse=True)
    ]
    return found if any(key[0] for key in keys.values()) else [[], *found]


def qualifies(rules: Rules, s: Position, p: int) -> bool:
    """Can this player win: does he meet every `only` of the ranking?"""
    return all(
        rules.value(line.key, s, {"player": p})
        for line in _counting(rules, s, p, rules.setup.rules.hurdles)
    )


def _keys(rules: Rules, s: Position, p: int) -> Iterator[int]:
    for line in _counting(rules, s, p, rules.setup.rules.ranks):
        amount = rules.number(line.key, s, {"player": p})
        yield amount if line.largest else -amount


def _counting(rules: Rules, s: Position, p: int, lines: list[RankLine]) -> Iterator[RankLine]:
    for line in lines:
        if not rules.gone(line.clause) and (
            line.cond is None or rules.holds(s, line.cond, {"player": p})
        ):
            yield line
