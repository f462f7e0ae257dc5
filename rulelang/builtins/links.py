"""Built-in words about ways along links, which are pieces that join two things at a cost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from rulelang import core
from rulelang.builtins.record import NOTHING_READ, STEP, Builtin, Function
from rulelang.builtins.type_rules import one_of
from rulelang.builtins.world import Declarations, Game
from rulelang.core.types import NUMBER, PieceT, Type, element
from rulelang.core.values import FAR, Value

if TYPE_CHECKING:
    # With and without its stubs installed.
    import networkx as nx  # type: ignore[import-untyped, unused-ignore]


def _cost_type(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    link, end = element(args[2]), one_of(args[0])
    if not isinstance(link, PieceT) or end != one_of(args[1]):
        return None
    return NUMBER if ends_and_cost(rules, link, end) else None


def ends_and_cost(rules: Declarations, link: PieceT, end: Type) -> tuple[str, str, str] | None:
    """The two fields of a link that name its ends, and the one that is its cost.

    None where the component has more or fewer fields of these types.
    """
    fields = rules.components[link.name].fields
    ends = [name for name, t in fields if t == end]
    costs = [name for name, t in fields if t == NUMBER]
    if end == NUMBER or len(ends) != 2 or len(costs) != 1:
        return None
    return ends[0], ends[1], costs[0]


def _least_cost(node: core.Builtin, game: Game) -> Function:
    a_many, b_many = (element(arg.type) is not None for arg in node.args[:2])
    link, end = element(node.args[2].type), one_of(node.args[0].type)
    assert isinstance(link, PieceT)
    names = ends_and_cost(game.rules, link, end)
    assert names is not None
    one, other, cost = (game.fields[name] for name in names)

    def cost_of(link: int) -> int:
        found = cost[link]
        return max(found, 0) if isinstance(found, int) else 0

    @lru_cache(maxsize=1024)
    def costs(sources: frozenset[Value], links: frozenset[int]) -> Mapping[Value, int]:
        import networkx as nx  # only here, as it is slow to load

        if not sources:
            return {}
        graph: nx.MultiGraph[Value, dict[str, object], dict[str, int]] = nx.MultiGraph()
        graph.add_nodes_from(sources)
        graph.add_weighted_edges_from((one[x], other[x], cost_of(x)) for x in links)
        found = nx.multi_source_dijkstra_path_length(graph, sources)
        return {end: int(cost) for end, cost in found.items()}

    def of_sets(a: frozenset[Value], b: Iterable[Value], links: Collection[int]) -> int:
        found = costs(a, frozenset(links))
        return min((found[x] for x in b if x in found), default=FAR)

    return lambda s, a, b, links: of_sets(
        frozenset(a if a_many else (a,)), b if b_many else (b,), links
    )


RECORDS = (
    Builtin(
        name="least_cost",
        arity=3,
        result=_cost_type,
        implement=_least_cost,
        reads=NOTHING_READ,
        cost=STEP,
        written="least_cost(x, y, z)",
        meaning=(
            "the least that a way along links costs, from one thing or set of things to another; "
            "links are pieces with two fields of that kind, which they join, and one number, "
            "their cost"
        ),
        wording="least cost of {0} and {1} and {2}",
        told="the least cost of a way along {2} from {0} to {1}",
        of_none=lambda t: FAR,
    ),
)
