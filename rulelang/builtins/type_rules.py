"""Parts of type rules that built-in words of several subjects share."""

from __future__ import annotations

from rulelang.builtins.record import TypeRule
from rulelang.builtins.world import Declarations
from rulelang.core.types import BoardT, ListT, SetT, SiteT, Type, element, non_optional


def one_of(t: Type) -> Type:
    """The type of one thing, where it or a set of such or none may stand."""
    return non_optional(element(t) or t)


def cell_in(t: Type) -> SiteT | None:
    """The cell type of a cell, of a set or list of cells; none for anything else."""
    inner = non_optional(t.of if isinstance(t, SetT | ListT) else t)
    return inner if isinstance(inner, SiteT) and inner.role == "cell" else None


def single_cell(t: Type) -> SiteT | None:
    """The cell type of a single cell; none for anything else."""
    return cell_in(t) if element(t) is None else None


def in_role(rules: Declarations, site: SiteT, role: str) -> SiteT:
    """The site type of the same board in another role."""
    return SiteT(site.board, role, dict(rules.boards[site.board].roles).get(role, role))


def cell_of(rules: Declarations, board: BoardT) -> SiteT:
    """The cell type of a board."""
    return SiteT(board.name, "cell", dict(rules.boards[board.name].roles)["cell"])


def same_cells(result: Type) -> TypeRule:
    """Two cells, or sets of cells, of one board."""

    def rule(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
        cell = cell_in(args[0])
        return result if cell is not None and cell == cell_in(args[1]) else None

    return rule
