"""Small positions to tell readings apart: named pieces near one site of an otherwise empty board.

Distances and phases of play are enumerated, so the first that differs is among the smallest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.game.game import Game
from interpreter.model.position import Position
from rulelang.core.types import KindT
from rulelang.core.values import numbers, ordered
from rulelang.ruleset import Layer, Noun

FARTHEST = 3  # steps between what is named and the site in the middle
MOST_NAMED = 4  # things laid out
MOST_BUILT = 600  # positions


@dataclass(frozen=True)
class Built:
    """A position, the site in the middle of its board, and how it was laid out, in words."""

    position: Position
    middle: int
    how: str


def small_positions(
    game: Game, nouns: Iterable[Noun], component: str, bearer: int | None = None
) -> Iterator[Built]:
    """Positions with the named pieces at every distance from a free site, fewest pieces first.

    Each comes with every value of variables of a kind in order. A bearer of the text that is in
    play already lies beside that site.
    """
    table = _table(game, component, bearer)
    if table is None:
        return
    pieces = [piece for piece in _pieces(game, nouns, component) if piece != bearer]
    distances = sorted(
        itertools.product([None, *range(1, len(table.rings) + 1)], repeat=len(pieces)),
        key=lambda found: sum(n is not None for n in found),
    )
    every = itertools.product(distances, _phases(game))
    for steps, values in itertools.islice(every, MOST_BUILT):
        yield table.lay_out(tuple(zip(pieces, steps, strict=True)), values)


@dataclass(frozen=True)
class _Table:
    """An empty board: its layer for pieces, the site in the middle, and the rings around it."""

    game: Game
    layer: str
    middle: int
    rings: list[list[int]]
    bearer: int | None

    def lay_out(
        self, pieces: tuple[tuple[int, int | None], ...], values: tuple[tuple[str, int], ...]
    ) -> Built:
        """The position with each piece on the ring of its distance, or none, and these values."""
        game, rings = self.game, self.rings
        s = game.start(0).position.copy()
        for name, value in values:
            s.assign(name, None, value)
        words = []
        if self.bearer is not None and rings:
            s.put(self.bearer, self.layer, (rings[0][-1],))
            words.append("the card beside it")
        for index, (piece, n) in enumerate(pieces):
            if n is not None:
                s.put(piece, self.layer, (rings[n - 1][index % len(rings[n - 1])],))
                title = game.setup.pieces[piece].design.title
                words.append(f"“{title}” {n} step{'s' if n > 1 else ''} away")
        types = {state.name: state.type for state in game.rules_source.states.values()}
        words += [f"{name} {game.presenter.text(value, types[name], s)}" for name, value in values]
        return Built(s, self.middle, ", ".join(words) or "an empty board")


def _table(game: Game, component: str, bearer: int | None) -> _Table | None:
    """The first common board of fixed size that takes these pieces on its cells; none if none."""
    for board in game.rules_source.boards.values():
        layer = _layer(board.layers, component)
        if board.grown_from is None and not board.per_player and layer is not None:
            info = game.setup.boards[board.name]
            middle = info.cells // 2
            return _Table(game, layer.name, middle, _rings(info.grid.neighbors, middle), bearer)
    return None


def _layer(layers: tuple[Layer, ...], component: str) -> Layer | None:
    """The layer whose sites are cells that takes these pieces."""
    return next(
        (layer for layer in layers if layer.component == component and layer.role == "cell"), None
    )


def _rings(neighbors: Sequence[Iterable[int]], middle: int) -> list[list[int]]:
    """The sites one step away, two steps away, and so on."""
    found, known = list[list[int]](), {middle}
    last = [middle]
    for _ in range(FARTHEST):
        last = sorted({n for cell in last for n in neighbors[cell]} - known)
        if last:
            known |= set(last)
            found.append(last)
    return found


def _pieces(game: Game, nouns: Iterable[Noun], component: str) -> list[int]:
    """A piece for each thing that is named, each another one."""
    found: list[int] = []
    for noun in nouns:
        if noun.component == component and len(found) < MOST_NAMED:
            found += [piece for piece in _are_so(game, noun) if piece not in found][:1]
    return found


def _are_so(game: Game, noun: Noun) -> Iterable[int]:
    """The pieces that are what is named."""
    if noun.title:
        return game.setup.called.get((noun.component, noun.title.lower()), ())
    if noun.define:
        judge, s = game.rules.definition(noun.define), game.start(0).position
        return [piece for member in noun.members for piece in ordered(numbers(judge(s, (member,))))]
    return [
        i
        for i in game.setup.by_component[noun.component]
        if game.setup.fields[noun.field][i] in noun.members
    ]


def _phases(game: Game) -> list[tuple[tuple[str, int], ...]]:
    """Every way to set the variables of the table that are of a kind in order, few as they are."""
    kinds = game.rules_source.kinds
    ways = [
        [(state.name, value) for value in range(len(kinds[state.type.name].members))]
        for state in game.rules_source.states.values()
        if state.of is None
        and isinstance(state.type, KindT)
        and state.type.name in kinds
        and kinds[state.type.name].ordered
    ]
    return list(itertools.product(*ways)) if len(ways) <= 2 else [()]
