"""Built-in words about pieces: where they lie, whose they are, what is printed on them."""

from __future__ import annotations

from rulelang import core
from rulelang.builtins.boards import board_at, layers_that_bear, text_at
from rulelang.builtins.record import NOTHING_READ, STEP, TILES, WHERE, Basis, Builtin, Function
from rulelang.builtins.type_rules import one_of
from rulelang.builtins.world import Declarations, Game, Position
from rulelang.core.types import (
    PLAYER,
    TEXT,
    TRUTH,
    KindT,
    OptionalT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    non_optional,
    site_type,
)
from rulelang.diagnostics.english import unmarked


# ------------------------------------------------------------------------------------------- types
def _owner_type(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return PLAYER if isinstance(non_optional(args[0]), SiteT | PieceT) else None


def _holder_type(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return OptionalT(PLAYER) if isinstance(non_optional(args[0]), SiteT | PieceT) else None


def _title_type(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return TEXT if isinstance(non_optional(args[0]), PieceT | KindT) else None


def _texts(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return SetT(TEXT) if isinstance(non_optional(args[0]), PieceT) else None


def _truth_of_piece(rules: Declarations, args: tuple[Type, ...]) -> Type | None:
    return TRUTH if isinstance(non_optional(args[0]), PieceT) else None


# ------------------------------------------------------------------------------- where pieces lie
def _on(node: core.Builtin, game: Game) -> Function:
    layer = text_at(node, 1)
    if element(node.type) is not None:
        return lambda s, site, name: s.on[layer].get(site, ())

    def on(s: Position, site: int, name: str) -> int | None:
        found = s.on[layer].get(site)
        return found[0] if found else None

    return on


def _layer_read(node: core.Builtin, rules: Declarations) -> frozenset[str]:
    return frozenset([f"layer:{text_at(node, 1)}"])


def _sites(node: core.Builtin, game: Game) -> Function:
    return lambda s, piece, role: frozenset(_laid_on(s, piece, "on"))


def _site(node: core.Builtin, game: Game) -> Function:
    return lambda s, piece, role: min(_laid_on(s, piece, "on"), default=None)


def _layers_read(node: core.Builtin, rules: Declarations) -> frozenset[str]:
    return TILES | layers_that_bear(one_of(non_optional(node.args[0].type)), rules)


def _tile(node: core.Builtin, game: Game) -> Function:
    name = board_at(node, game).board.name
    return lambda s, cell: s.tiles[name].get(cell, (None, 0))[0]


def _tile_index(node: core.Builtin, game: Game) -> Function:
    name = board_at(node, game).board.name
    return lambda s, cell: s.tiles[name].get(cell, (None, 0))[1]


def _tile_cells(node: core.Builtin, game: Game) -> Function:
    return lambda s, piece: frozenset(_laid_on(s, piece, "tile"))


def _laid_on(s: Position, piece: int, how: str) -> tuple[int, ...]:
    """The sites a piece is laid on in this way ("on" a layer, or as a "tile"); none elsewhere."""
    at = s.where[piece]
    return at[2] if at is not None and len(at) == 3 and at[0] == how else ()


# ------------------------------------------------------------------------------------- whose, what
def _owner(node: core.Builtin, game: Game) -> Function:
    site = site_type(node.args[0].type)
    if site is not None:
        stride = game.boards[site.board].stride(site.role)
        return lambda s, x: x // stride
    owners = [piece.owner for piece in game.pieces]
    return lambda s, piece: owners[piece]


def _holder(node: core.Builtin, game: Game) -> Function:
    return holder


def holder(s: Position, piece: int) -> int | None:
    """The player in whose place, or on whose own board, a piece is."""
    at = s.where[piece]
    if at is None:
        return None
    if len(at) == 2:
        place = s.setup.rules.places[at[0]]
        return at[1] if place.of == PLAYER else None
    how, name, sites = at
    laid_as_tile = how == "tile"
    board = s.setup.boards[name if laid_as_tile else s.setup.layer_board[name]]
    if not board.board.per_player:
        return None
    layer = None if laid_as_tile else board.board.layer(name)
    return sites[0] // board.stride("cell" if layer is None else layer.role)


def _title(node: core.Builtin, game: Game) -> Function:
    t = non_optional(node.args[0].type)
    if isinstance(t, KindT):
        titles = [one for one, many in game.rules.kinds[t.name].words]
    else:
        titles = [unmarked(piece.design.title) for piece in game.pieces]
    return lambda s, one: titles[one]


def _named(node: core.Builtin, game: Game) -> Function:
    found = [
        frozenset(noun.title for noun in piece.design.nouns if noun.title) for piece in game.pieces
    ]
    return lambda s, piece: found[piece]


def _missing(node: core.Builtin, game: Game) -> Function:
    asked = {noun for piece in game.pieces for noun in piece.design.nouns if noun.asked}
    absent = {noun for noun in asked if not game.has(noun)}
    found = [
        frozenset(noun.text for noun in piece.design.nouns if noun in absent)
        for piece in game.pieces
    ]
    return lambda s, piece: found[piece]


def _added(node: core.Builtin, game: Game) -> Function:
    found = [piece.design.origin in game.rules.added for piece in game.pieces]
    return lambda s, piece: found[piece]


RECORDS = (
    Builtin(
        name="owner",
        arity=1,
        result=_owner_type,
        implement=_owner,
        reads=NOTHING_READ,
        cost=STEP,
        written="x's owner",
        meaning="the player a piece or a site of a private board belongs to",
        wording="{0}'s owner",
        told="the owner of {0}",
    ),
    Builtin(
        name="holder",
        arity=1,
        result=_holder_type,
        implement=_holder,
        reads=WHERE,
        cost=STEP,
        written="x's holder",
        meaning="the player in whose place, or on whose board, a piece is; none if in nobody's",
        wording="{0}'s holder",
        told="the player who has {0}",
    ),
    Builtin(
        name="title",
        arity=1,
        result=_title_type,
        implement=_title,
        reads=NOTHING_READ,
        cost=STEP,
        written="x's title",
        meaning=(
            "the title printed on a piece, without its mark in square brackets; "
            "the word of a member of a kind"
        ),
        wording="{0}'s title",
        told="the name of {0}",
        basis=Basis.ARGUMENTS,
    ),
    Builtin(
        name="named",
        arity=1,
        result=_texts,
        implement=_named,
        reads=NOTHING_READ,
        cost=STEP,
        written="x's named",
        meaning="the titles that the text of a piece names",
        wording="{0}'s named",
        told="the names told in the text of {0}",
        basis=Basis.TEXTS,
    ),
    Builtin(
        name="missing",
        arity=1,
        result=_texts,
        implement=_missing,
        reads=NOTHING_READ,
        cost=STEP,
        written="x's missing",
        meaning=(
            "what the text of a piece names, by title, kind or group, and no piece of the game is"
        ),
        wording="{0}'s missing",
        told="what the text of {0} names and the game has not",
        basis=Basis.TEXTS,
    ),
    Builtin(
        name="added",
        arity=1,
        result=_truth_of_piece,
        implement=_added,
        reads=NOTHING_READ,
        cost=STEP,
        written="x is added",
        meaning="a piece is added when its card stands in a file that was added to the rules",
        wording="{0} is added",
        told="{0} is a homemade card",
        negated="{0} is not added",
        basis=Basis.ARGUMENTS,
    ),
    Builtin(
        name="on",
        arity=2,
        result=None,
        implement=_on,
        reads=_layer_read,
        cost=STEP,
        written="",
        meaning="the piece, or the stack of pieces, that lies on a site in a layer",
        wording="what is on {0}",
        never_none=True,
    ),
    Builtin(
        name="sites",
        arity=2,
        result=None,
        implement=_sites,
        reads=_layers_read,
        cost=STEP,
        written="",
        meaning="the sites of a role that a piece lies on",
        wording="{0}'s {1}s",
        never_none=True,
    ),
    Builtin(
        name="site",
        arity=2,
        result=None,
        implement=_site,
        reads=_layers_read,
        cost=STEP,
        written="",
        meaning="the site of a role that a piece lies on",
        wording="{0}'s {1}",
    ),
    Builtin(
        name="tile",
        arity=1,
        result=None,
        implement=_tile,
        reads=TILES,
        cost=STEP,
        written="",
        meaning="the tile a cell of a grown board is of",
        wording="{0}'s tile",
        told="the tile of {0}",
    ),
    Builtin(
        name="tile_index",
        arity=1,
        result=None,
        implement=_tile_index,
        reads=TILES,
        cost=STEP,
        written="",
        meaning="the number a cell has on its tile",
        wording="{0}'s tile index",
        told="the place of {0} on its tile, counted row by row",
    ),
    Builtin(
        name="tile_cells",
        arity=1,
        result=None,
        implement=_tile_cells,
        reads=TILES,
        cost=STEP,
        written="",
        meaning="the cells a tile covers",
        wording="{0}'s tile cells",
        told="the places of {0}",
    ),
)
