"""Attributes: `x's f`, which is also `f of x` and `f(x)`.

A field, layer, place, variable, definition, score table or built-in word of one thing; of a set of
things, the set of what each gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulelang import core
from rulelang.builtins.registry import authors_words, for_authors
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TEXT,
    UNKNOWN,
    BoardT,
    ListT,
    OptionalT,
    PairT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.diagnostics import did_you_mean
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import TRUE, TypeChecker, type_in_words, unknown
from rulelang.syntax.nodes import Node


def attribute(checker: TypeChecker, word: Node, of: core.Expr) -> core.Expr:
    """What the word means of a value; an attribute that its type does not have is reported."""
    t = non_optional(of.type)
    if t == UNKNOWN:
        return unknown()
    for lookup in _LOOKUPS:
        found = lookup(checker, word.text, of)
        if found is not None:
            return found
    if isinstance(t, SetT) and t.of != UNKNOWN:
        found = _of_each(checker, word, of, t.of)
        if found is not None:
            return found
    symbols = checker.symbols
    fix = did_you_mean(word.text, _names_of(symbols, t)) or symbols.usage_hint(word.text)
    checker.report.add("unknown-field", word.span, name=word.text, of=type_in_words(t), fix=fix)
    return unknown()


def contents(symbols: SymbolTable, place: str, index: core.Expr | None) -> core.Expr:
    """The pieces in a place."""
    known = symbols.rules.places[place]
    piece = PieceT(known.holds)
    return core.Contents(place, index, type=ListT(piece) if known.ordered else SetT(piece))


def _of_each(checker: TypeChecker, word: Node, of: core.Expr, item: Type) -> core.Expr | None:
    """The set of what the attribute is of each member, sets joined; None if members have none."""
    report = checker.report
    var, before = checker.fresh_name(), len(report.found)
    one = attribute(checker, word, core.Var(var, type=item))
    if len(report.found) > before:
        del report.found[before:]
        return None
    if element(one.type) is None:
        return core.Image(var, of, TRUE, one, False, type=SetT(non_optional(one.type)))
    sets = core.Image(var, of, TRUE, one, False, type=SetT(one.type))
    return core.Builtin("joined", (sets,), type=one.type)


# ------------------------------------------------------------------------ what the type has
def _of_piece(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    """A printed field, the site or sites a piece lies on, or the cells of a tile."""
    t = non_optional(of.type)
    if not isinstance(t, PieceT):
        return None
    symbols, boards = checker.symbols, checker.symbols.rules.boards
    known = symbols.rules.components[t.name].field(name)
    if known is not None:
        return core.Attribute(name, of, type=known)
    site = symbols.site(symbols.plurals.get(name, name))
    if site is None:
        return None
    if any(layer.component == t.name for layer in boards[site.board].layers):
        role = core.Const(site.role, type=TEXT)
        if name in symbols.plurals:
            return core.Builtin("sites", (of, role), type=SetT(site))
        return core.Builtin("site", (of, role), type=OptionalT(site))
    grown = next((b for b in boards.values() if b.grown_from == t.name), None)
    if grown is not None and site.board == grown.name:
        return core.Builtin("tile_cells", (of,), type=SetT(site))
    return None


def _of_pair(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    """A part of a pair."""
    t = non_optional(of.type)
    part = (
        dict(checker.symbols.rules.pairs[t.name].parts).get(name) if isinstance(t, PairT) else None
    )
    return core.Attribute(name, of, type=part) if part is not None else None


def _of_site(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    """The pieces of a layer on a site, or the tile that a cell is of and its number there."""
    t = non_optional(of.type)
    if not isinstance(t, SiteT):
        return None
    board = checker.symbols.rules.boards[t.board]
    layer = board.layer(name)
    if layer is not None and layer.role == t.role:
        piece = PieceT(layer.component)
        pieces = ListT(piece) if layer.stacked else OptionalT(piece)
        return core.Builtin("on", (of, core.Const(name, type=TEXT)), type=pieces)
    if board.grown_from is None or t.role != "cell":
        return None
    if board.grown_from == name:
        return core.Builtin("tile", (of,), type=OptionalT(PieceT(name)))
    return core.Builtin("tile_index", (of,), type=NUMBER) if name == "number" else None


def _of_board(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    """All sites of a role, or all pieces of a component, on a board; said in the plural."""
    t, symbols = non_optional(of.type), checker.symbols
    singular = symbols.plurals.get(name, name)
    if not isinstance(t, BoardT) or name == singular:
        return None
    site = symbols.site(singular)
    if site is not None and site.board == t.name:
        return core.Builtin("board_sites", (of, core.Const(site.role, type=TEXT)), type=SetT(site))
    if singular in symbols.rules.components:
        piece = SetT(PieceT(singular))
        return core.Builtin("board_pieces", (of, core.Const(singular, type=TEXT)), type=piece)
    return None


# ------------------------------------------------------------------------ what is declared of it
def _place(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    place = checker.symbols.rules.places.get(name)
    if place is None or place.of is None or not fits(non_optional(of.type), place.of):
        return None
    return contents(checker.symbols, name, of)


def _variable(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    state = checker.symbols.rules.states.get(name)
    if state is None or state.of is None or not fits(non_optional(of.type), state.of):
        return None
    return core.Read(name, of, type=state.type)


def _board(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    board = checker.symbols.rules.boards.get(name)
    if board is None or not board.per_player or non_optional(of.type) != PLAYER:
        return None
    return core.Builtin("board_of", (of, core.Const(name, type=TEXT)), type=BoardT(name))


def _definition(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    head = checker.symbols.heads.get(name)
    if head is None or len(head.params) != 1:
        return None
    param = head.params[0][1]
    if fits(of.type, param):
        return core.Apply(name, (of,), type=checker.define(name))
    if isinstance(param, SetT) and fits(of.type, param.of):
        one = core.SetOf((of,), type=param)
        return core.Apply(name, (one,), type=checker.define(name))
    return None


def _score(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    params = checker.signature(name, "score")
    if params is None or len(params) != 1 or not fits(of.type, params[0][1]):
        return None
    return core.Total(name, (of,), type=NUMBER)


def _builtin(checker: TypeChecker, name: str, of: core.Expr) -> core.Expr | None:
    word = for_authors(name)
    result = word.type_of(checker.symbols.rules, (of.type,)) if word is not None else None
    return core.Builtin(name, (of,), type=result) if result is not None else None


# in this order: what the type has comes before what is declared of it, built-in words come last
_LOOKUPS: tuple[Callable[[TypeChecker, str, core.Expr], core.Expr | None], ...] = (
    _of_piece,
    _of_pair,
    _of_site,
    _of_board,
    _place,
    _variable,
    _board,
    _definition,
    _score,
    _builtin,
)


def _names_of(symbols: SymbolTable, t: Type) -> Iterator[str]:
    """The names that may follow `'s` after a thing of this type."""
    r = symbols.rules
    for word in authors_words():
        if word.type_of(r, (t,)) is not None:
            yield word.name
    for name, place in r.places.items():
        if place.of is not None and fits(t, place.of):
            yield name
    for name, state in r.states.items():
        if state.of is not None and fits(t, state.of):
            yield name
    for name, head in symbols.heads.items():
        if len(head.params) == 1 and fits(t, head.params[0][1]):
            yield name
    yield from _parts_of(symbols, t)


def _parts_of(symbols: SymbolTable, t: Type) -> list[str]:
    """The fields of a piece, the parts of a pair, the layers of a site's board."""
    if isinstance(t, PieceT):
        return [name for name, _ in symbols.rules.components[t.name].fields]
    if isinstance(t, PairT):
        return [name for name, _ in symbols.rules.pairs[t.name].parts]
    if isinstance(t, SiteT):
        return [layer.name for layer in symbols.rules.boards[t.board].layers]
    return []
