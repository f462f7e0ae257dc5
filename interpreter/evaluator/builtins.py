"""What the language's own words do: each is a function of the position and values, over integers and sets of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from interpreter.evaluator.placements import LayWords
from interpreter.evaluator.sites import Word
from interpreter.model.position import Position
from rulelang import core
from rulelang.analysis.partial_eval import Certain
from rulelang.analysis.unknowns import Copy
from rulelang.core.types import TRUTH, KindT, OptionalT, PieceT, SiteT, element, site_type
from rulelang.core.values import FAR, ordered
from rulelang.diagnostics.english import unmarked
from rulelang.elaborate.builtins import ends_and_cost, one_of
from rulelang.ruleset import Noun


class Words(LayWords):
    """The words of one game: `make(node, args)` gives the function of a built-in expression, args being functions of (position, env)."""

    def make(self, node: core.Builtin) -> Word:
        """A function of (position, values...) for this word with these argument types."""
        maker = getattr(self, f"w_{node.name}", None)
        assert maker is not None, node.name
        word: Word = maker(node)
        return word

    # ---------------------------------------------------------------------------------------- ways
    def w_least_cost(self, node: core.Builtin) -> Word:
        starts, goals = (element(a.type) is not None for a in node.args[:2])
        link, end = element(node.args[2].type), node.args[0].type
        assert isinstance(link, PieceT)
        one, other, cost = (
            self.setup.fields[name]
            for name in ends_and_cost(self.setup.rules, link, one_of(end)) or ()
        )

        @lru_cache(maxsize=1024)
        def costs(sources: frozenset[int], links: frozenset[int]) -> dict[int, int]:
            import networkx as nx  # type: ignore[import-untyped, unused-ignore]  # with and without stubs

            map_: Any = nx.MultiGraph()
            map_.add_nodes_from(sources)
            map_.add_weighted_edges_from((one[x], other[x], max(cost[x], 0)) for x in links)
            return dict(nx.multi_source_dijkstra_path_length(map_, sources)) if sources else {}

        def least(s: Position, a: Any, b: Any, links: Any) -> int:
            found = costs(frozenset(a) if starts else frozenset([a]), frozenset(links))
            return min((found[x] for x in (b if goals else (b,)) if x in found), default=FAR)

        return least

    # ---------------------------------------------------------------------------------------- members
    def w_all(self, node: core.Builtin) -> Word:
        t = element(node.type)
        assert t is not None
        if isinstance(t, SiteT):
            info, role = self.setup.boards[t.board], t.role
            return lambda s, _n: self.sites(s, info, role, None)
        members = frozenset(self.setup.members(t))
        return lambda s, _n: members

    def w_board(self, node: core.Builtin) -> Word:
        return lambda s, _n: 0

    def w_board_of(self, node: core.Builtin) -> Word:
        return lambda s, p, _n: p

    def w_board_sites(self, node: core.Builtin) -> Word:
        site = site_type(node.type)
        assert site is not None
        info = self.setup.boards[site.board]
        return lambda s, b, _r: self.sites(s, info, site.role, b)

    def w_spaces(self, node: core.Builtin) -> Word:
        info = self.info(node)
        return lambda s, b: self.sites(s, info, "cell", b)

    def w_board_pieces(self, node: core.Builtin) -> Word:
        info = self.info(node)
        component = node.args[1].value  # type: ignore[attr-defined]
        layers = [layer.name for layer in info.board.layers if layer.component == component]

        def pieces(s: Position, b: int, _n: str) -> frozenset[int]:
            made: set[int] = set()
            for layer in layers:
                role = next(x.role for x in info.board.layers if x.name == layer)
                stride = info.stride(role)
                for site, here in s.on[layer].items():
                    if site // stride == b:
                        made.update(here)
            if info.board.grown_from == component:
                made.update(
                    tile
                    for cell, (tile, _i) in s.tiles[info.board.name].items()
                    if cell // info.cells == b
                )
            return frozenset(made)

        return pieces

    def w_compass(self, node: core.Builtin) -> Word:
        name = node.args[0].value  # type: ignore[attr-defined]
        index = {
            info.grid.directions.index(name)
            for info in self.setup.boards.values()
            if name in info.grid.directions
        }
        return lambda s, _n: next(iter(index), 0)

    # ---------------------------------------------------------------------------------------- pieces
    def w_on(self, node: core.Builtin) -> Word:
        layer = node.args[1].value  # type: ignore[attr-defined]
        stacked = element(node.type) is not None
        if stacked:
            return lambda s, site, _l: s.on[layer].get(site, ())
        return lambda s, site, _l: s.on[layer][site][0] if site in s.on[layer] else None

    def w_tile(self, node: core.Builtin) -> Word:
        name = self.info(node).board.name
        return lambda s, cell: s.tiles[name].get(cell, (None, 0))[0]

    def w_tile_index(self, node: core.Builtin) -> Word:
        name = self.info(node).board.name
        return lambda s, cell: s.tiles[name].get(cell, (None, 0))[1]

    def w_tile_cells(self, node: core.Builtin) -> Word:
        def cells(s: Position, piece: int) -> frozenset[int]:
            at = s.where[piece] if piece is not None else None
            return frozenset(at[2]) if at is not None and at[0] == "tile" else frozenset()

        return cells

    def w_sites(self, node: core.Builtin) -> Word:
        def sites(s: Position, piece: int, _r: str) -> frozenset[int]:
            at = s.where[piece] if piece is not None else None
            return frozenset(at[2]) if at is not None and at[0] == "on" else frozenset()

        return sites

    def w_site(self, node: core.Builtin) -> Word:
        def site(s: Position, piece: int, _r: str) -> int | None:
            at = s.where[piece] if piece is not None else None
            return min(at[2]) if at is not None and at[0] == "on" else None

        return site

    def w_title(self, node: core.Builtin) -> Word:
        t = node.args[0].type
        kind = t.of if isinstance(t, OptionalT) else t
        if isinstance(kind, KindT):
            titles = [one for one, _ in self.setup.rules.kinds[kind.name].words]
        else:
            titles = [unmarked(piece.design.title) for piece in self.setup.pieces]
        return lambda s, piece: "" if piece is None else titles[piece]

    def w_named(self, node: core.Builtin) -> Word:
        found = [
            frozenset(noun.title for noun in piece.design.nouns if noun.title)
            for piece in self.setup.pieces
        ]
        return lambda s, piece: frozenset() if piece is None else found[piece]

    def w_missing(self, node: core.Builtin) -> Word:
        there = {
            noun
            for noun in {
                noun for piece in self.setup.pieces for noun in piece.design.nouns if noun.asked
            }
            if self._any(noun)
        }
        found = [
            frozenset(noun.text for noun in piece.design.nouns if noun.asked and noun not in there)
            for piece in self.setup.pieces
        ]
        return lambda s, piece: frozenset() if piece is None else found[piece]

    def _any(self, noun: Noun) -> bool:
        """Is some piece of the game what is named so?"""
        if noun.title:
            return (noun.component, noun.title.lower()) in self.setup.called
        if noun.define:
            return self._may_be(noun)
        values = self.setup.fields[noun.field]
        printed = (values[piece] for piece in self.setup.by_component[noun.component])
        return any(
            value in noun.members
            if isinstance(value, int)
            else not noun.members.isdisjoint(value or ())
            for value in printed
        )

    def _may_be(self, noun: Noun) -> bool:
        """Is some piece of the game, or may it be, what a definition says of a member of a kind?"""
        certain, rules = Certain(self.setup.rules), self.setup.rules
        it, (kind,) = (
            core.Var("it", type=PieceT(noun.component)),
            (t for _, t in rules.definitions[noun.define].params),
        )
        those = core.Apply(
            noun.define,
            tuple(core.Const(member, type=kind) for member in noun.members),
            type=rules.definitions[noun.define].type,
        )
        designs = {
            id(piece.design): piece.design
            for piece in self.setup.pieces
            if piece.design.component == noun.component
        }
        return any(
            certain.truth(core.Member(it, those, type=TRUTH), {"it": Copy(design)}) is not False
            for design in designs.values()
        )

    def w_owner(self, node: core.Builtin) -> Word:
        site = site_type(node.args[0].type)
        if site is not None:
            stride = self.setup.boards[site.board].stride(site.role)
            return lambda s, x: None if x is None else x // stride
        owners = [piece.owner for piece in self.setup.pieces]
        return lambda s, piece: None if piece is None else owners[piece]

    def w_holder(self, node: core.Builtin) -> Word:
        return lambda s, piece: None if piece is None else holder(s, piece)

    # ---------------------------------------------------------------------------------------- collections
    def w_count(self, node: core.Builtin) -> Word:
        if element(node.args[0].type) is None:
            return lambda s, shape: len(self.setup.shape(shape))
        return lambda s, xs: len(xs)

    def w_sum(self, node: core.Builtin) -> Word:
        return lambda s, xs: sum(xs)

    def w_largest(self, node: core.Builtin) -> Word:
        return lambda s, xs: max(xs, default=0)

    def w_smallest(self, node: core.Builtin) -> Word:
        return lambda s, xs: min(xs, default=0)

    def w_empty(self, node: core.Builtin) -> Word:
        return lambda s, xs: not xs

    def w_first(self, node: core.Builtin) -> Word:
        return lambda s, xs: ordered(xs)[0] if xs else None

    def w_last(self, node: core.Builtin) -> Word:
        return lambda s, xs: ordered(xs)[-1] if xs else None

    def w_top(self, node: core.Builtin) -> Word:
        arg = node.args[0]
        if isinstance(arg, core.Builtin) and arg.name == "on":
            return lambda s, xs: xs[-1] if xs else None
        return lambda s, xs: ordered(xs)[0] if xs else None

    def w_joined(self, node: core.Builtin) -> Word:
        return lambda s, xs: frozenset(x for group in xs for x in group)

    def w_pair(self, node: core.Builtin) -> Word:
        return lambda s, a, b: (a, b)

    # ---------------------------------------------------------------------------------------- players and time
    def w_left(self, node: core.Builtin) -> Word:
        return lambda s, p: None if p is None else (p + 1) % s.setup.players

    def w_right(self, node: core.Builtin) -> Word:
        return lambda s, p: None if p is None else (p - 1) % s.setup.players

    def w_ever(self, node: core.Builtin) -> Word:
        return lambda s, name: name in s.ever


def holder(s: Position, piece: int) -> int | None:
    """The player in whose place, or on whose own board, a piece is."""
    at = s.where[piece]
    if at is None:
        return None
    if at[0] in ("on", "tile"):
        name = s.setup.layer_board[at[1]] if at[0] == "on" else at[1]
        info = s.setup.boards[name]
        if not info.board.per_player:
            return None
        role = "cell" if at[0] == "tile" else info.board.layer(at[1]).role  # type: ignore[union-attr]
        return int(at[2][0] // info.stride(role))
    place = s.setup.rules.places[at[0]]
    return at[1] if place.of is not None and str(place.of) == "player" else None
