"""What of a state may change while a block is searched: only that tells the states of one search
apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.native.layout import STATE, Layout
from interpreter.native.other_states import Stretch
from rulelang import core
from rulelang.analysis.writes import writes
from rulelang.ruleset import Ruleset


def changing(rules: Ruleset, layout: Layout, bodies: Iterable[core.Body]) -> tuple[Stretch, ...]:
    """The bytes that these bodies may change, each once and in order; what follows from others is
    left out.

    A stretch without a size is a list of pieces, as long as it says. What is in scope stands in
    slots, which are not among them.
    """
    latches = [stmt for latch in rules.latches for stmt in latch.body]
    written = set[str]()
    for stmt in [*latches, *(stmt for body in bodies for stmt in body)]:
        written |= writes(rules, stmt)
    found = [Stretch(STATE, _first(layout) - STATE)]
    for source in sorted(written):
        named = list(_named(rules, layout, source))
        if not named:
            return (Stretch(STATE, layout.canonical - STATE),)
        found += named
    return tuple(sorted(set(found), key=lambda stretch: stretch.at))


def _first(layout: Layout) -> int:
    """The first byte behind what says how far play has come."""
    tables = [table.offset for table in layout.tables.values()]
    return min([*tables, *(spot.offset for spot in layout.places), layout.where])


def _named(rules: Ruleset, layout: Layout, source: str) -> Iterator[Stretch]:
    """The bytes of one source; none of a source that is not known here."""
    kind, _, name = source.partition(":")
    pieces = 8 * (1 + len(layout.setup.pieces) // 4)
    match kind:
        case "state":
            table = layout.tables[name]
            yield Stretch(table.offset, max(8, table.count * table.cell.bytes))
        case "where":
            yield Stretch(layout.where, pieces)
        case "known":
            yield Stretch(layout.known, pieces)
        case "place":  # which pieces lie in a place follows from where each is
            yield Stretch(layout.where, pieces)
            if rules.places[name].ordered:
                spots = (spot for spot in layout.places if spot.key[0] == name)
                yield from (Stretch(spot.offset, 0) for spot in spots)
        case "layer" if name in layout.layers:
            yield from _layer(layout, name)
        case "tiles":
            yield Stretch(layout.where, pieces)
            for board in layout.grown.values():
                held = layout.setup.by_component.get(board.component, ())
                last = max(held, default=0) - board.first
                yield Stretch(board.laid, 8 * (1 + last // 2))
        case _:
            return


def _layer(layout: Layout, name: str) -> Iterator[Stretch]:
    """The bytes of a layer of a board: what lies on each site, and below what."""
    layer, setup = layout.layers[name], layout.setup
    yield Stretch(layer.at - 8, 8 * (2 + layer.sites // 4))
    rows = layout.rows.get(layer.component)
    held = setup.by_component.get(layer.component, ()) or (0,)
    span = 1 + max(held) - min(held)
    if rows is not None:
        yield Stretch(rows.at, 8 * rows.words * span)
    if layer.piled is not None:
        size = 8 * (1 + layer.piled.most * span // 4)
        yield Stretch(layer.piled.below, size)
        if layer.piled.lain:
            yield Stretch(layer.piled.lain, size)
