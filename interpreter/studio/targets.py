"""Options on the boards: the sites and points that they name, and those that none of them names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from interpreter.engine.decisions import Spec
from interpreter.game.game import State
from interpreter.render.look import Site
from interpreter.render.points import ROLE
from interpreter.render.svg_elements import Target
from interpreter.table.menu import Menu
from rulelang.core.types import KindT, PairT, SiteT, Type, element, non_optional
from rulelang.core.values import Value

MOST_POINTED = 2_000  # options that are looked for on the board


def targets(
    state: State, menu: Menu, most: int, data: Callable[[Value], str], ids: Callable[[str], str]
) -> dict[Site, Target]:
    """The sites and points that the options lie on, each with the `ids` of the options, which are
    those of their `data`. At most so many options are listed; one that is not is there by itself
    if it lies on one site alone. Where one site is to be chosen, those on which no option lies are
    there too, so that a click asks why.
    """
    spec = menu.decision.spec
    if spec.mode not in ("one", "some"):
        return {}
    places: dict[Site, list[int]] = {}
    for place, value in enumerate(menu.values[:most]):
        for site in dict.fromkeys(_named(state, value, spec.item)):
            places.setdefault(site, []).append(place)
    found = {
        site: _open(menu, on, [ids(data(menu.values[place])) for place in on])
        for site, on in places.items()
    }
    if spec.mode == "one":
        for place, value in enumerate(menu.values[most:MOST_POINTED], most):
            sites = list(dict.fromkeys(_named(state, value, spec.item)))
            if len(sites) == 1 and sites[0] not in found:
                told = menu.told(place)
                found[sites[0]] = Target("open", (("value", data(value)),), told)
        found |= dict(_closed(state, spec, found))
    return found


def _named(state: State, value: Value, t: Type) -> Iterator[Site]:
    """The sites and points that a value of a type names."""
    t, inner = non_optional(t), element(non_optional(t))
    rules = state.game.rules_source
    if inner is not None and isinstance(value, frozenset | tuple):
        for item in value:
            yield from _named(state, item, inner)
    elif isinstance(t, PairT) and isinstance(value, tuple):
        for item, (_, part) in zip(value, rules.pairs[t.name].parts, strict=True):
            yield from _named(state, item, part)
    elif isinstance(value, int) and isinstance(t, SiteT):
        yield t.board, t.role, value
    elif isinstance(value, int) and isinstance(t, KindT) and t.name in rules.maps:
        yield t.name, ROLE, value


def _open(menu: Menu, places: list[int], ids: list[str]) -> Target:
    told = menu.told(places[0]) if len(places) == 1 else f"{len(places)} options"
    return Target("open", (("options", " ".join(ids)),), told)


def _closed(
    state: State, spec: Spec, known: Mapping[Site, Target]
) -> Iterator[tuple[Site, Target]]:
    """The other cells of the boards concerned, or the other points of a map."""
    game, s, t = state.game, state.seat(spec), spec.item
    others: list[Site] = []
    if isinstance(t, SiteT) and t.role == "cell":
        cells = game.setup.boards[t.board].cells
        copies = {site // cells for _, _, site in known}
        others = [
            (t.board, t.role, cell + copy * cells)
            for copy in sorted(copies)
            for cell in sorted(s.present(t.board, copy))
        ]
    elif isinstance(t, KindT) and t.name in game.rules_source.maps:
        points = range(len(game.rules_source.kinds[t.name].members))
        others = [(t.name, ROLE, point) for point in points]
    for where in others:
        if where not in known:
            data = json.dumps(game.presenter.data(where[2], t, s), ensure_ascii=False)
            yield where, Target("closed", (("value", data),), "why not?")
