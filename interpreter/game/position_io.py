"""Positions from pictures and plain data: where pieces lie and what variables hold, checked before anything is changed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from interpreter.game.context import GameContext
from interpreter.model.position import Position, empty_position
from interpreter.model.setup import Setup, tile_shape
from rulelang.core.types import PLAYER, PieceT, SiteT
from rulelang.geometry.shapes import orientations


def position_from(game: GameContext, data: dict[str, Any]) -> Position:
    """A position from plain data: `boards` (pictures), `put`, `places`, `state`, `tiles`, and `turn`: which procedure runs next for whom.

    Raises ValueError naming the entry that is wrong.
    """
    unknown = set(data) - {
        "boards",
        "put",
        "tiles",
        "places",
        "state",
        "known",
        "seed",
        "turn",
        "flow",
    }
    if unknown:
        raise ValueError(f"unknown entries: {', '.join(sorted(unknown))}")
    s = empty_position(game.setup, int(data.get("seed", 0)))
    for name, rows in data.get("boards", {}).items():
        picture(game.setup, s, name, [str(row) for row in rows], game.presenter.rules)
    for item in data.get("tiles", ()):
        piece = _piece(game, item["piece"], s)
        board = item["board"]
        limit = (
            game.setup.boards[board].cells * game.setup.boards[board].copies
            if board in s.tiles
            else 0
        )
        if board not in s.tiles or not all(
            isinstance(c, int) and 0 <= c < limit for c in item["cells"]
        ):
            raise ValueError(f"no such cells: {item}")
        s.lay(piece, board, tuple(item["cells"]))
    for item in data.get("put", ()):
        _put(game, s, item)
    for label, pieces in data.get("places", {}).items():
        name, _, whose = label.partition(" of ")
        if name not in game.rules_source.places:
            raise ValueError(f"there is no place {name!r}")
        place = game.rules_source.places[name]
        index = game.presenter.read(whose, place.of, s) if place.of is not None else None
        if (name, index) not in s.places:
            raise ValueError(f"there is no place {label!r}")
        made = [_piece(game, p, s, place.holds) for p in pieces]
        for piece in list(s.places[(name, index)]):
            if (
                piece not in made
                and len(made) == len(set(made))
                and place.full is False
                and place.full_by is None
            ):
                s.lift(piece)
        for piece in made:
            s.move(piece, (name, index), bottom=True)
    for name, pairs in data.get("state", {}).items():
        if name not in game.rules_source.states:
            raise ValueError(f"there is no state {name!r}")
        variable = game.rules_source.states[name]
        items = (
            pairs.items()
            if isinstance(pairs, dict)
            else pairs
            if isinstance(pairs, list)
            else [(None, pairs)]
        )
        for index, value in items:
            at = None if variable.of is None else game.presenter.read(index, variable.of, s)
            s.assign(name, at, game.presenter.read(value, variable.type, s))
    for name, who in data.get("known", {}).items():
        s.known[_piece(game, name, s)] = frozenset(game.presenter.read(p, PLAYER, s) for p in who)
    turn = data.get("turn")
    if turn is not None:
        name, player = turn["procedure"], game.presenter.read(turn["player"], PLAYER, s)
        if name not in game.rules_source.procedures:
            raise ValueError(f"there is no procedure {name!r}")
        s.stack = []
        game.machine.call(s, name, (player,))
        game.machine.run(s)
    elif data.get("flow"):
        game.machine.begin(s)
        game.machine.run(s)
    s.dirty = False
    return s


def _piece(game: GameContext, name: Any, s: Position, component: str | None = None) -> int:
    components = [component] if component else list(game.rules_source.components)
    for known in components:
        free = {
            p
            for p in game.setup.by_component[known]
            if s.where[p] is None or s.where[p][0] not in ("on", "tile")
        }
        try:
            found: int = game.presenter.read(name, PieceT(known), s, free)
        except ValueError:
            continue
        return found
    raise ValueError(f"there is no piece {name!r}")


def _put(game: GameContext, s: Position, item: dict[str, Any]) -> None:
    layer = str(item.get("layer", ""))
    component = None
    for board in game.rules_source.boards.values():
        for known in board.layers:
            if known.name == layer or (not layer and _names(game, item["piece"], known.component)):
                layer, component, info = known.name, known.component, known
    if component is None:
        raise ValueError(f"no layer takes {item.get('piece')!r}")
    piece = _piece(game, item["piece"], s, component)
    board_name = game.setup.layer_board[layer]
    t = _site_type(game, board_name, info.role)
    limit = game.setup.boards[board_name].copies * game.setup.boards[board_name].stride(info.role)
    sites = item.get("sites", item.get("at", ()))
    made = []
    for site in sites if isinstance(sites, list | tuple) else [sites]:
        made.append(
            site
            if "sites" in item and isinstance(site, int) and 0 <= site < limit
            else game.presenter.read(site, t, s)
        )
    if not info.stacked and any(site in s.on[layer] for site in made):
        raise ValueError(f"two pieces on one site: {item}")
    s.put(piece, layer, tuple(sorted(made)))


def _site_type(game: GameContext, board: str, role: str) -> Any:
    return SiteT(board, role, dict(game.rules_source.boards[board].roles).get(role, role))


def _names(game: GameContext, name: Any, component: str) -> bool:
    return any(
        game.presenter.piece(p).lower() == str(name).partition("#")[0].lower()
        for p in game.setup.by_component[component]
    )


# ------------------------------------------------------------------------------------------------ pictures
def picture(
    setup: Setup,
    s: Position,
    board: str,
    rows: list[str],
    rules: Any = None,
    copy: int = 0,
    explained: Collection[str] = (),
) -> dict[str, list[int]]:
    """Read a board picture: signs in columns, `.` for nothing; on a grown board the labels of cells place the tiles, where a sign is not explained.

    Gives the cells of every sign, as numbers of the board; raises ValueError if a row does not fit.
    """
    if board not in setup.boards:
        raise ValueError(f"there is no board {board!r}")
    info = setup.boards[board]
    grid = [row.replace("|", " ").split() for row in rows]
    if info.board.grown_from is not None:
        return _tiles(setup, s, board, grid, rules, copy, explained)
    found: dict[str, list[int]] = {}
    for r, signs in enumerate(grid):
        for c, sign in enumerate(signs):
            cell = info.grid.cell(c, r)
            if cell < 0:
                raise ValueError(
                    f"the picture is larger than the board at column {c + 1}, row {r + 1}"
                )
            if sign != ".":
                found.setdefault(sign, []).append(cell + copy * info.cells)
    return found


def _tiles(
    setup: Setup,
    s: Position,
    board: str,
    grid: list[list[str]],
    rules: Any,
    copy: int,
    explained: Collection[str],
) -> dict[str, list[int]]:
    """Place tiles so that their cells' labels stand as drawn: each tile in the one way, turned as needed, that agrees."""
    info = setup.boards[board]
    where: dict[str, tuple[int, int]] = {}
    found: dict[str, list[int]] = {}
    shift_c, shift_r = info.grid.width // 2 - 2, info.grid.height // 2 - 2
    for r, signs in enumerate(grid):
        for c, sign in enumerate(signs):
            if sign in explained:
                found.setdefault(sign, []).append(
                    info.grid.cell(c + shift_c, r + shift_r) + copy * info.cells
                )
            elif sign != ".":
                if sign in where:
                    raise ValueError(f"{sign} stands twice in the picture")
                where[sign] = (c, r)
    free = dict(where)
    component = info.board.grown_from
    assert component is not None
    for tile in setup.by_component[component]:
        if not free:
            break
        if setup.pieces[tile].owner not in (None, copy):
            continue
        labels = _labels(setup, s, board, tile, rules, copy)
        if not all(label in free for label in labels):
            continue
        spots = [free[label] for label in labels]
        base_c, base_r = min(c for c, _ in spots), min(r for _, r in spots)
        if tuple((c - base_c, r - base_r) for c, r in spots) not in orientations(
            tile_shape(setup, tile), info.grid.kind, ordered=True
        ):
            raise ValueError(f"{', '.join(labels)} do not stand as on their tile")
        cells = tuple(
            info.grid.cell(c + shift_c, r + shift_r) + copy * info.cells for c, r in spots
        )
        s.lay(tile, board, cells)
        for label in labels:
            del free[label]
    if free:
        raise ValueError(
            f"no tile has the cells {', '.join(sorted(free))}, and no line below the picture says what they are"
        )
    return found


def _labels(setup: Setup, s: Position, board: str, tile: int, rules: Any, copy: int) -> list[str]:
    """The labels a tile's cells would have if it lay somewhere."""
    info = setup.boards[board]
    trial = s.copy()
    trial.memos = {}
    shape = tile_shape(setup, tile)
    cells = tuple(info.grid.cell(1 + c, 1 + r) + copy * info.cells for c, r in shape)
    trial.lay(tile, board, cells)
    if info.board.labels is None:
        return [f"{tile}.{i}" for i in range(1, len(cells) + 1)]
    label = rules.definition(info.board.labels)
    return [str(label(trial, (cell,))) for cell in cells]
