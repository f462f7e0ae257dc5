"""Rules of the type checker for single words: numbers, texts in quotes and bare names."""

from __future__ import annotations

from collections.abc import Callable

from rulelang import core
from rulelang.core.bounds import MAX_DIGITS
from rulelang.core.types import (
    DIRECTION,
    NONE,
    NUMBER,
    PLAYER,
    SHAPE,
    TEXT,
    TRUTH,
    BoardT,
    KindT,
    OptionalT,
    PieceT,
    SetT,
    Type,
    element,
    non_optional,
)
from rulelang.elaborate.attributes import contents
from rulelang.elaborate.nouns import kind_member, named_set, titled
from rulelang.elaborate.type_checker import Scope, TypeChecker, unknown
from rulelang.syntax.nodes import Node, plain


def number(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`12`."""
    text = node.part(0).text
    if len(text) > MAX_DIGITS:
        checker.report.add("number-too-large", node.span, limit="9" * MAX_DIGITS)
        return core.Const(0, type=NUMBER)
    return core.Const(int(text), type=NUMBER)


def string(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`"…"`: a shape, one piece or the pieces of a title, or a text, as is wanted."""
    word, want = node.part(0), non_optional(want)
    if want == SHAPE:
        return core.Const(plain(word), type=SHAPE)
    if isinstance(want, PieceT):
        return core.Pick(titled(checker, word, want), type=OptionalT(want))
    item = non_optional(element(want) or TEXT)
    if isinstance(item, PieceT):
        return titled(checker, word, item)
    return core.Const(plain(word), type=TEXT)


def name(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """A bare name: of a value in scope, else of what is declared; an unknown name is reported."""
    word = node.part(0)
    if word.text in scope:
        return _in_scope(word, scope)
    for lookup in _LOOKUPS:
        found = lookup(checker, word, want)
        if found is not None:
            return found
    fix = checker.symbols.usage_hint(word.text) or checker.symbols.suggest(word.text, scope)
    checker.report.add("unknown-name", word.span, name=word.text, fix=fix)
    return unknown()


def _in_scope(word: Node, scope: Scope) -> core.Expr:
    found = scope[word.text]
    if not isinstance(found, core.Slot):
        return core.copied(found, span=word.span)
    # what the wording may speak of is what is in scope where the slot stands
    bound = any(not isinstance(value, core.Slot) for value in scope.values())
    values = (*found.scope, *scope.items()) if bound else found.scope
    return core.Slot(found.name, values, type=found.type, span=word.span)


def _literal(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    if word.text == "none":
        return core.Const(None, type=NONE)
    if word.text in ("true", "false"):
        return core.Const(word.text == "true", type=TRUTH)
    return None


def _definition(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    head = checker.symbols.heads.get(word.text)
    if head is None or head.params:
        return None
    return core.Apply(word.text, (), type=checker.define(word.text))


def _variable(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    state = checker.symbols.rules.states.get(word.text)
    if state is None or state.of is not None:
        return None
    return core.Read(word.text, None, type=state.type)


def _place(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    place = checker.symbols.rules.places.get(word.text)
    if place is None or place.of is not None:
        return None
    return contents(checker.symbols, word.text, None)


def _board(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    board = checker.symbols.rules.boards.get(word.text)
    if board is None or board.per_player:
        return None
    return core.Builtin("board", (core.Const(word.text, type=TEXT),), type=BoardT(word.text))


def _option(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    if word.text not in checker.symbols.rules.options:
        return None
    numeric = checker.symbols.numeric_option(word.text)
    return core.Setting(word.text, type=NUMBER if numeric else KindT(word.text))


def _score(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    params = checker.signature(word.text, "score")
    return core.Total(word.text, (), type=NUMBER) if params == () else None


_COMPASS = ("north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest")


def _builtin(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    """`players`, `directions`, or a direction of the compass."""
    if word.text == "players":
        return core.Builtin("all", (core.Const("player", type=TEXT),), type=SetT(PLAYER))
    if word.text == "directions":
        return core.Builtin("all", (core.Const("direction", type=TEXT),), type=SetT(DIRECTION))
    if word.text in _COMPASS:
        return core.Builtin("compass", (core.Const(word.text, type=TEXT),), type=DIRECTION)
    return None


def _player(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    """`p1`, `p2` and so on; one that no game has is reported."""
    digits = word.text[1:]
    if word.text[0] != "p" or not digits.isdigit() or len(digits) > 2:
        return None
    number, most = int(digits), checker.symbols.rules.players[1]
    if number < 1 or (most is not None and number > most):
        fix = f"The players are p1 to p{most}." if most else "The first player is p1."
        checker.report.add("unknown-name", word.span, name=word.text, fix=fix)
    return core.Const(number - 1, type=PLAYER)


# in this order: what is found first is meant
_LOOKUPS: tuple[Callable[[TypeChecker, Node, Type], core.Expr | None], ...] = (
    _literal,
    kind_member,
    _definition,
    _variable,
    _place,
    _board,
    _option,
    _score,
    _builtin,
    _player,
    named_set,
)
