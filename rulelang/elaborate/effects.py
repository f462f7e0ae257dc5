"""Statements that begin with a verb: what is moved, drawn, put, shuffled, shown, added or given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rulelang import core
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    UNKNOWN,
    ListT,
    OptionalT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.diagnostics import nearest
from rulelang.elaborate.clauses import content
from rulelang.elaborate.type_checker import Scope, TypeChecker, type_in_words
from rulelang.ruleset import Board, Layer
from rulelang.syntax.nodes import Node, plain

# other first words of a statement, which a misspelt verb may mean
_OTHER_WORDS = ("do", "set", "let", "choose", "take", "repeat")


@dataclass(frozen=True)
class _Effect:
    """`verb what preposition value …`, what is in scope, and what the procedure is to give.

    `count` is how many, in `move 3 "Rose" from …`.
    """

    checker: TypeChecker
    node: Node
    what: Node
    values: Mapping[str, Node]
    scope: Scope
    gives: Type
    count: Node | None = None

    @property
    def verb(self) -> str:
        return self.node.part(0).text

    def has(self, *prepositions: str) -> bool:
        """Whether just these prepositions follow; otherwise the form of the verb is reported."""
        if set(self.values) == set(prepositions):
            return True
        form = " ".join([f"{self.verb} …", *(f"{word} …" for word in prepositions)])
        self.checker.report.add("bad-verb", self.node.span, name=self.verb, form=form)
        return False


def effect(checker: TypeChecker, node: Node, scope: Scope, gives: Type) -> core.Stmt | None:
    """The statement of a line that begins with a verb; None if it has a mistake, reported."""
    verb = node.part(0)
    rule = VERBS.get(verb.text)
    if rule is None:
        near = nearest(verb.text, [*VERBS, *_OTHER_WORDS], 1)
        fix = f"Did you mean `{near[0]}`?" if near else None
        checker.report.add("unknown-verb", verb.span, name=verb.text, fix=fix)
        return None
    parts = content(node, 1)
    count = parts.pop(0) if node.kind == "verb_some" else None
    if count is not None and rule is not _move:
        form = f"move {count.part(0).text} … from … to …"
        checker.report.add("bad-verb", node.span, name=verb.text, form=form)
        return None
    values = {
        preposition.part(0).text: value
        for preposition, value in zip(parts[1::2], parts[2::2], strict=True)
    }
    return rule(_Effect(checker, node, parts[0], values, scope, gives, count))


# ------------------------------------------------------------------------ places and pieces
def _place(effect: _Effect, node: Node) -> core.Contents | None:
    """A place that pieces can go to; anything else is reported."""
    checker = effect.checker
    found = checker.expr(node, effect.scope)
    if isinstance(found, core.Contents):
        return found
    if found.type != UNKNOWN:
        known = ", ".join(checker.symbols.rules.places)
        checker.report.add("not-a-place", node.span, known=known)
    return None


def _pieces(effect: _Effect, place: core.Contents) -> core.Expr:
    """One piece, or a set or list of pieces, of the component that the place holds."""
    piece = PieceT(effect.checker.symbols.rules.places[place.place].holds)
    found = effect.checker.expr(effect.what, effect.scope, SetT(piece))
    if fits(found.type, piece):
        return found
    return effect.checker.check(found, SetT(piece), effect.what.span)


def _move(effect: _Effect) -> core.Stmt | None:
    """Pieces to a place: whichever they are, those of them that lie in another, or so many."""
    if "from" in effect.values or effect.count is not None:
        return _move_from(effect) if effect.has("from", "to") else None
    target = _target(effect) if effect.has("to") else None
    if target is None:
        return None
    place, bottom = target
    return core.Move(_pieces(effect, place), place.place, place.index, bottom)


def _target(effect: _Effect) -> tuple[core.Contents, bool] | None:
    """The place that pieces go to, and whether to its bottom."""
    node, bottom = effect.values["to"], False
    if node.kind == "of_" and node.part(0).text in ("bottom", "top"):
        bottom, node = node.part(0).text == "bottom", node.part(1)
    place = _place(effect, node)
    return (place, bottom) if place is not None else None


def _move_from(effect: _Effect) -> core.Stmt | None:
    """Those of the pieces that lie in a place, to another: all of them, or so many one by one."""
    source, target = _place(effect, effect.values["from"]), _target(effect)
    if source is None or target is None:
        return None
    checker, (place, bottom) = effect.checker, target
    named = _pieces(effect, source)
    if isinstance(named, core.Pick) and isinstance(named.of, core.Titled):
        named = named.of  # of a title those are meant that lie there
    piece, var = PieceT(checker.symbols.rules.places[source.place].holds), checker.fresh_name()
    item = core.Var(var, type=piece)
    if element(named.type) is not None:
        cond: core.Expr = core.Member(item, named, type=TRUTH)
    else:
        cond = core.Compare("=", item, named, type=TRUTH)
    there = core.Filter(var, source, cond, type=source.type, span=effect.what.span)
    if effect.count is None:
        return core.Move(there, place.place, place.index, bottom)
    first = core.Pick(there, type=OptionalT(piece), span=effect.what.span)
    count = checker.wanted(effect.count, effect.scope, NUMBER)
    one = core.Move(first, place.place, place.index, bottom, span=effect.node.span)
    return core.Repeat(None, count, (one,))


def _draw(effect: _Effect) -> core.Stmt | None:
    if not effect.has("from", "to"):
        return None
    source, target = _place(effect, effect.values["from"]), _place(effect, effect.values["to"])
    count = effect.checker.wanted(effect.what, effect.scope, NUMBER)
    return core.Draw(count, source, target.place, target.index) if source and target else None


def _shuffle(effect: _Effect) -> core.Stmt | None:
    place = _place(effect, effect.what) if effect.has() else None
    return core.Shuffle(place.place, place.index) if place else None


def _reveal(effect: _Effect) -> core.Stmt | None:
    if effect.values and not effect.has("to"):
        return None
    checker, scope, to = effect.checker, effect.scope, effect.values.get("to")
    players = checker.wanted(to, scope, SetT(PLAYER)) if to is not None else None
    return core.Reveal(checker.expr(effect.what, scope), players)


# ------------------------------------------------------------------------ boards
def _put(effect: _Effect) -> core.Stmt | None:
    if not effect.has("at"):
        return None
    checker, where = effect.checker, effect.values["at"]
    sites = checker.expr(where, effect.scope)
    lay = non_optional(sites.type)  # a lay picked out of several may be none, as any pick
    site = non_optional(element(lay) or lay)
    piece = checker.expr(effect.what, effect.scope)
    if not isinstance(site, SiteT):
        _not_a_site(effect, where, sites)
        return None
    board = checker.symbols.rules.boards[site.board]
    layers = [layer for layer in board.layers if layer.role == site.role]
    piece = _titled_piece(effect, piece, layers)
    t = _piece_type(piece)
    if t is None:
        if UNKNOWN not in (piece.type, sites.type):
            _not_a_site(effect, where, sites)
        return None
    fit = [layer for layer in layers if layer.component == t.name]
    if fit:
        return core.Put(piece, fit[0].name, sites)
    if board.grown_from == t.name and isinstance(lay, ListT):
        return core.Put(piece, "", sites)
    _no_layer(effect, t, site, board)
    return None


def _piece_type(piece: core.Expr) -> PieceT | None:
    t = non_optional(element(piece.type) or piece.type)
    return t if isinstance(t, PieceT) else None


def _titled_piece(effect: _Effect, piece: core.Expr, layers: list[Layer]) -> core.Expr:
    """The piece; a text in quotes is a title of the last layer's component that has it."""
    if _piece_type(piece) is not None or effect.what.kind != "string":
        return piece
    components = effect.checker.symbols.titles.components(plain(effect.what.part(0)))
    for layer in reversed(layers):
        if layer.component in components:
            return effect.checker.expr(effect.what, effect.scope, PieceT(layer.component))
    return piece


def _not_a_site(effect: _Effect, where: Node, sites: core.Expr) -> None:
    effect.checker.report.add(
        "wrong-type",
        where.span,
        found=type_in_words(sites.type),
        wanted="a site or sites of a board",
    )


def _no_layer(effect: _Effect, piece: PieceT, site: SiteT, board: Board) -> None:
    fix = None
    if board.grown_from == piece.name:
        fix = (
            f"The board grows from it: put it at the list of its new cells, "
            f"as in `choose at in spots(x, {board.name})` and `put x at at`."
        )
    effect.checker.report.add(
        "no-layer",
        effect.node.span,
        piece=piece.name,
        site=site.name,
        role=site.name,
        board=site.board,
        fix=fix,
    )


# ------------------------------------------------------------------------ variables, play
def _add(effect: _Effect) -> core.Stmt | None:
    return _change(effect, "+", "to")


def _subtract(effect: _Effect) -> core.Stmt | None:
    return _change(effect, "-", "from")


def _change(effect: _Effect, op: str, preposition: str) -> core.Stmt | None:
    if not effect.has(preposition):
        return None
    checker, scope = effect.checker, effect.scope
    target = variable(checker, effect.values[preposition], scope)
    if target is None:
        return None
    amount = checker.wanted(effect.what, scope, target.type)
    value: core.Expr = (
        core.Arith(op, target, amount, type=NUMBER)
        if target.type == NUMBER
        else core.SetOp(op, target, amount, type=target.type)
    )
    return core.Assign(target.state, target.index, value)


def variable(checker: TypeChecker, node: Node, scope: Scope) -> core.Read | None:
    """A variable that can be changed; anything else is reported."""
    found = checker.expr(node, scope)
    if isinstance(found, core.Read):
        return found
    if found.type != UNKNOWN:
        checker.report.add("not-a-state", node.span)
    return None


def _finish(effect: _Effect) -> core.Stmt | None:
    if effect.what.kind == "name":
        return core.Finish(effect.what.part(0).text)
    effect.checker.report.add("bad-verb", effect.node.span, name="finish", form="finish round")
    return None


def _give(effect: _Effect) -> core.Stmt | None:
    return core.Give(effect.checker.wanted(effect.what, effect.scope, effect.gives))


VERBS: Mapping[str, Callable[[_Effect], core.Stmt | None]] = MappingProxyType(
    {
        "move": _move,
        "draw": _draw,
        "put": _put,
        "shuffle": _shuffle,
        "reveal": _reveal,
        "add": _add,
        "subtract": _subtract,
        "finish": _finish,
        "give": _give,
    }
)
