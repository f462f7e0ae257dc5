"""Positions for looking at: read-only, with titles and labels, and a board as a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from interpreter.api.values import Plain, plain
from interpreter.game import snapshot, views
from interpreter.game.context import PlayState
from interpreter.model.setup import BoardInfo
from rulelang.core.types import SiteT
from rulelang.core.values import Json

if TYPE_CHECKING:
    import networkx as nx

# Its nodes are cells by their labels.
Graph: TypeAlias = "nx.Graph[str, dict[str, object], dict[str, object]]"


@dataclass(frozen=True)
class Position:
    """Where everything is, hidden or not: a copy that nothing changes."""

    places: Mapping[str, tuple[str, ...]]
    boards: Mapping[str, Mapping[str, tuple[str, ...]]]
    state: Mapping[str, Mapping[str, Plain]]
    _data: Mapping[str, Json] = field(repr=False)

    def as_json(self) -> dict[str, Json]:
        """The position as plain data that `Game.position` takes, without the log or whose turn it
        is.
        """
        return dict(self._data)


def position_of(state: PlayState) -> Position:
    """The whole position of a state: titles by place and by site, changed variables by whose they
    are.
    """
    game, s = state.game, state.position
    places = {
        views.place_name(game, s, key): tuple(map(game.presenter.piece, pieces))
        for key, pieces in s.places.items()
    }
    boards: dict[str, Mapping[str, tuple[str, ...]]] = {}
    for board in game.rules_source.boards.values():
        lying: dict[str, tuple[str, ...]] = {}
        for layer in board.layers:
            t = SiteT(board.name, layer.role, dict(board.roles).get(layer.role, layer.role))
            for site, pieces in sorted(s.on[layer.name].items()):
                label = game.presenter.label(site, t, s)
                lying[label] = (*lying.get(label, ()), *map(game.presenter.piece, pieces))
        boards[board.name] = MappingProxyType(lying)
    variables: dict[str, Mapping[str, Plain]] = {}
    for name, variable in game.rules_source.states.items():
        values: dict[str, Plain] = {}
        for index, value in s.changed(name):
            whose = (
                ""
                if index is None or variable.of is None
                else game.presenter.text(index, variable.of, s)
            )
            values[whose] = plain(game.presenter.data(value, variable.type, s))
        variables[name] = MappingProxyType(values)
    data = MappingProxyType(snapshot.bare(game, s))
    return Position(
        MappingProxyType(places), MappingProxyType(boards), MappingProxyType(variables), data
    )


def graph_of(state: PlayState, info: BoardInfo, copy: int) -> Graph:
    """A board as a graph: a node for each cell by its label, an edge for each side two cells share.

    Nodes have `number`, `column` and `row`; nodes and edges have `pieces` (titles by layer) and
    `variables` (public ones by name).
    """
    import networkx as nx  # only here, as it is slow to load

    s, board = state.position, info.board
    cell_t = SiteT(board.name, "cell", dict(board.roles).get("cell", "cell"))
    base = copy * info.cells
    present = sorted(s.present(board.name, copy))
    labels = {c: state.game.presenter.cell_label(c + base, cell_t, s) for c in present}
    twice = {label for label, times in Counter(labels.values()).items() if times > 1}
    names = {c: f"{label}#{c}" if label in twice else label for c, label in labels.items()}
    graph: Graph = nx.Graph(board=board.name)
    for cell in present:
        column, row = info.grid.position(cell)
        on = _at(state, info, "cell", cell + base)
        graph.add_node(names[cell], number=cell + base, column=column, row=row, **on)
    for cell in present:
        for side, steps in zip(info.grid.sides_of[cell], info.grid.step, strict=True):
            other = steps[cell]
            if other > cell and other in names:
                on = _at(state, info, "side", side + copy * info.sides)
                graph.add_edge(names[cell], names[other], **on)
    return graph


def _at(
    state: PlayState, info: BoardInfo, role: str, site: int
) -> dict[str, dict[str, tuple[str, ...]] | dict[str, Plain]]:
    """What lies on a site, and the public variables it has."""
    game, s = state.game, state.position
    pieces = {
        layer.name: tuple(map(game.presenter.piece, s.on[layer.name].get(site, ())))
        for layer in info.board.layers
        if layer.role == role
    }
    variables = {}
    for name, variable in game.rules_source.states.items():
        t = variable.of
        of_site = isinstance(t, SiteT) and (t.board, t.role) == (info.board.name, role)
        if of_site and variable.visibility == "public":
            value = s.vars[name].get(site, s.setup.defaults[name])
            variables[name] = plain(game.presenter.data(value, variable.type, s))
    return {"pieces": pieces, "variables": variables}
