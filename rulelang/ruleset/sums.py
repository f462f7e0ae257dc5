"""What texts add up to: two texts mean the same, too, if all they add to a table is the same.

What is added to one table may stand in one line or in several, in one extension or in several,
and in any order; of extensions of different tables the order says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulelang import core
from rulelang.ruleset.clauses import Extension, Line

_ADDITIVE = {"+": "-", "-": "+"}  # by operation the contrary one


def added_up(extensions: Iterable[Extension]) -> tuple[Extension, ...]:
    """Extensions in canonical form as they are equal if they add the same to each table.

    Where a line does more than to add, the lines of its table stay in their order.
    """
    by_place: dict[tuple[str, str], list[Extension]] = {}
    for one in extensions:
        by_place.setdefault((one.target, one.slot), []).append(one)
    found: list[Extension] = []
    for place in sorted(by_place):
        there = by_place[place]
        found += _joined(there) if all(map(_only_adds, there)) else there
    return tuple(found)


def _only_adds(extension: Extension) -> bool:
    return extension.kind == "score" and all(
        line.op in _ADDITIVE and line.slot is None and not line.inner for line in extension.lines
    )


def _joined(extensions: list[Extension]) -> list[Extension]:
    """One extension for all that hold alike, with its lines in a canonical order."""
    alike: dict[Extension, list[Line]] = {}
    for one in extensions:
        lines = alike.setdefault(replace(one, lines=()), [])
        for line in one.lines:
            lines += _divided(line)
    joined = [replace(one, lines=tuple(sorted(lines, key=repr))) for one, lines in alike.items()]
    return sorted(joined, key=repr)


def _divided(line: Line) -> Iterator[Line]:
    """A line for each member of the sum that it adds."""
    amount = line.amount
    if isinstance(amount, core.Arith) and amount.op in _ADDITIVE:
        yield from _divided(replace(line, amount=amount.left))
        op = line.op if amount.op == "+" else _ADDITIVE[line.op]
        yield from _divided(replace(line, amount=amount.right, op=op))
    else:
        yield line
