"""Layouts of kinds are entered: where on a map each member is drawn, and what links them."""

from __future__ import annotations

from rulelang.diagnostics import did_you_mean
from rulelang.elaborate.boards import texts_of
from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import Kind, PointMap
from rulelang.syntax.nodes import Node

_FURTHEST = 60  # columns and rows of a map
_POINTS, _NAMES = "points", ("links", "shows")


def declare_map(symbols: SymbolTable, node: Node, kind: Kind) -> None:
    """Enter the map of a kind; every member has a place of its own on it, or none has."""
    clause = symbols.clause("layout", f"layout {kind.name}", "", node)
    spots: dict[str, tuple[int, int]] = {}
    named: dict[str, tuple[str, ...]] = {}
    for setting in node.words("prop"):
        symbols.clause("layout", f"layout {kind.name}", setting.part(0).text, setting)
        key = setting.part(0).text
        if key in _NAMES:
            items = [texts_of(item) for item in setting.words("item")]
            named[key] = tuple(words[0] for words in items)
        elif key == _POINTS:
            for item in setting.words("item"):
                _place(symbols, item, kind, spots)
        else:
            known = (_POINTS, *_NAMES)
            fix = did_you_mean(key, known)
            symbols.report.add(
                "unknown-setting", setting.part(0).span, key=key, known=", ".join(known), fix=fix
            )
    missing = [member for member in kind.members if member not in spots]
    if missing and spots:
        expected = f"a place for every member; {', '.join(missing[:6])} {_has(missing)} none"
        symbols.report.add("bad-setting", node.part(0).span, key=kind.name, expected=expected)
        return
    found = tuple(spots[member] for member in kind.members if spots)
    symbols.rules.maps[kind.name] = PointMap(
        kind.name, found, named.get("links", ()), named.get("shows", ()), clause
    )


def _place(symbols: SymbolTable, item: Node, kind: Kind, spots: dict[str, tuple[int, int]]) -> None:
    """Enter the place of one member, as in `a2 at 1 2`."""
    words = texts_of(item)
    numbers = [int(word) for word in words[2:] if word.isdecimal() and len(word) < 4]
    whole = len(words) == 4 and words[1] == "at" and len(numbers) == 2
    name = words[0] if words[0] in kind.members else kind.members[0]
    expected = (
        f"a {kind.name} with its column and row, from 1 to {_FURTHEST}, as in `{name} at 1 2`"
    )
    if whole and words[0] == name and all(1 <= number <= _FURTHEST for number in numbers):
        spot = (numbers[0], numbers[1])
        other = next((known for known, there in spots.items() if there == spot), name)
        spots[name] = spot
        if other == name:
            return
        expected = f"a place of its own for {name}; {other} is there"
    symbols.report.add("bad-setting", item.span, key=_POINTS, expected=expected)
    spots.setdefault(name, (0, 0))


def _has(names: list[str]) -> str:
    return "has" if len(names) == 1 else "have"
