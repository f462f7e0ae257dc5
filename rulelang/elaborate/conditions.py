"""Rules of the type checker for conditions: chains, quantifiers, comparisons and relations."""

from __future__ import annotations

from collections.abc import Callable

from rulelang import core
from rulelang.builtins.registry import authors_words, for_authors
from rulelang.core.types import (
    NONE,
    NUMBER,
    TRUTH,
    UNKNOWN,
    KindT,
    OptionalT,
    PieceT,
    SetT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.diagnostics import did_you_mean
from rulelang.elaborate.nouns import is_what, noun, says_one, set_as_one, titled
from rulelang.elaborate.type_checker import (
    Scope,
    TypeChecker,
    chain_members,
    type_in_words,
    unknown,
)
from rulelang.syntax.nodes import Node, plain


# ------------------------------------------------------------------------ chains
def or_(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a or b`."""
    return core.Any(_chain(checker, node, scope), type=TRUTH, span=node.part(0).span)


def and_(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a and b`."""
    return core.All(_chain(checker, node, scope), type=TRUTH, span=node.part(0).span)


def _chain(checker: TypeChecker, node: Node, scope: Scope) -> tuple[core.Expr, ...]:
    parts = chain_members(node.part(0))
    return tuple(
        _lone_word(checker, part, before, scope)
        if part.kind == "name"
        else checker.truth(part, scope)
        for before, part in zip([None, *parts], parts, strict=False)
    )


def _lone_word(checker: TypeChecker, part: Node, before: Node | None, scope: Scope) -> core.Expr:
    """A member of a chain that is one word: after `x is a`, one more `is` may be meant."""
    found = checker.expr(part, scope, TRUTH)
    after_is = before is not None and before.kind in ("is_", "is_not")
    if not after_is or not isinstance(found.type, KindT | PieceT):
        return checker.check(found, TRUTH, part.span)
    word = part.part(0).text
    fix = (
        f"Say `is {word}` as well, each side being a whole condition, "
        f"or put what it may be in brackets: `is (… or {word})`."
    )
    checker.wrong_type(part.span, found.type, TRUTH, fix)
    return unknown(part.span)


def not_(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`not a`."""
    return core.Not(checker.truth(node.part(0), scope), type=TRUTH)


def if_expr(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`if a then x otherwise y`; one of the two may be none."""
    cond = checker.truth(node.part(0), scope)
    then = checker.expr(node.part(1), scope, want)
    other = checker.expr(node.part(2), scope, want)
    t = then.type if fits(other.type, then.type) else other.type
    if t == NONE or not fits(then.type, t):
        if NONE in (other.type, then.type):
            t = OptionalT(non_optional(then.type if other.type == NONE else other.type))
        else:
            checker.wrong_type(node.part(2).span, other.type, then.type)
    return core.IfElse(cond, then, other, type=t)


# ------------------------------------------------------------------------ quantifiers
def some(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`some x in S where a`."""
    domain, item = checker.collection(node.part(1), scope)
    var, inner = checker.bind(node.part(0), item, scope)
    return core.Exists(var, domain, checker.truth(node.part(2), inner), type=TRUTH)


def none_of(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`no x in S where a`."""
    return core.Not(some(checker, node, scope, want), type=TRUTH)


def every(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`every x in S where a: b`."""
    domain, item = checker.collection(node.part(1), scope)
    var, inner = checker.bind(node.part(0), item, scope)
    where = node.parts[2]
    if where is not None:
        domain = core.Filter(var, domain, checker.truth(where, inner), type=domain.type)
    return core.Forall(var, domain, checker.truth(node.part(3), inner), type=TRUTH)


def supposing(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`supposing build(p, b): x`."""
    event, args = checker.event_args(node, scope)
    body = checker.expr(node.part(2), scope, want)
    return core.At("supposing", event, args, body, type=body.type)


def can(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`can build(p, b)`."""
    event, args = checker.event_args(node, scope)
    return core.Accepts(event or "", args, type=TRUTH)


# ------------------------------------------------------------------------ comparisons
def equal(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a = b`."""
    return _comparison(checker, "=", node.part(0), node.part(1), scope)


def compare(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a != b`, `a < b` and so on."""
    return _comparison(checker, node.part(1).text, node.part(0), node.part(2), scope)


def _comparison(checker: TypeChecker, op: str, a: Node, b: Node, scope: Scope) -> core.Expr:
    left = checker.expr(a, scope)
    if b.kind == "string" and op in ("=", "!=") and isinstance(non_optional(left.type), PieceT):
        same = is_what(checker, left, b, scope)  # a title is that of each copy
        return same if op == "=" else core.Not(same, type=TRUTH)
    right = checker.expr(b, scope, left.type)
    if left.type == UNKNOWN or (a.kind == "name" and not fits(left.type, right.type)):
        left = checker.expr(a, scope, right.type)
    if not (fits(left.type, right.type) or fits(right.type, left.type)):
        checker.wrong_type(b.span, right.type, left.type)
    elif _compares_set_with_one(checker, left, b, scope):
        set_as_one(checker, left.type, b)
    elif _compares_set_with_one(checker, right, a, scope):
        set_as_one(checker, right.type, a)
    elif op not in ("=", "!="):
        t = non_optional(left.type)
        if not _has_order(checker, t):
            checker.report.add("no-order", a.span.to(b.span), type=type_in_words(t))
    return core.Compare(op, left, right, type=TRUTH)


def _compares_set_with_one(checker: TypeChecker, one: core.Expr, other: Node, scope: Scope) -> bool:
    """Is a set of pieces or sites held against a word, or a title, that says what one thing is?

    A plural stands for all there are.
    """
    item = element(one.type)
    plural = other.kind == "name" and other.part(0).text in checker.symbols.plurals
    return item is not None and not plural and says_one(checker, item, other, scope)


def _has_order(checker: TypeChecker, t: Type) -> bool:
    """Whether the values of a type can be compared: numbers, and kinds declared in order."""
    if t in (NUMBER, UNKNOWN):
        return True
    kinds = checker.symbols.rules.kinds
    return isinstance(t, KindT) and t.name in kinds and kinds[t.name].ordered


def is_(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a is …`."""
    return is_what(checker, checker.expr(node.part(0), scope), node.part(2), scope)


def is_not(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a is not …`."""
    return core.Not(is_(checker, node, scope, want), type=TRUTH)


def in_(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a in S`; of a title, some piece of it."""
    if node.part(0).kind == "string":
        found = _title_in(checker, node, scope)
        if found is not None:
            return found
    left = checker.expr(node.part(0), scope)
    right, item = checker.collection(node.part(1), scope, SetT(left.type))
    if not fits(left.type, item):
        left = checker.expr(node.part(0), scope, item)
        if not fits(left.type, item) and not fits(item, left.type):
            checker.wrong_type(node.part(0).span, left.type, item)
    return core.Member(left, right, type=TRUTH)


def _title_in(checker: TypeChecker, node: Node, scope: Scope) -> core.Expr | None:
    """`"title" in S`: whether some piece of that title is; None where S holds no pieces."""
    word = node.part(0).part(0)
    pieces = [PieceT(name) for name in checker.symbols.titles.components(plain(word))]
    right, item = checker.collection(node.part(1), scope, SetT(pieces[0]) if pieces else UNKNOWN)
    if not isinstance(item, PieceT):
        return None
    var = checker.fresh_name()
    there = core.Member(core.Var(var, type=item), right, type=TRUTH)
    return core.Exists(var, titled(checker, word, item), there, type=TRUTH, span=node.span)


def not_in(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a not in S`."""
    return core.Not(in_(checker, node, scope, want), type=TRUTH)


# ------------------------------------------------------------------------ relations
def relation(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a touches b`."""
    left = checker.expr(node.part(0), scope)
    return _related(checker, node.part(1), left, lambda t: checker.wanted(node.part(2), scope, t))


def relation_noun(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`a touches at least 2 houses`: a relation to so many things of a sort."""
    left, word, which = checker.expr(node.part(0), scope), node.part(1), node.part(2)
    params = _relation_params(checker, word, left)
    if params is None:
        return unknown()
    domain = noun(checker, which.part(-1), params[1], scope)
    var = checker.fresh_name()
    test = _related(checker, word, left, lambda t: core.Var(var, type=t))
    if which.kind == "some_noun":
        return core.Exists(var, domain, test, type=TRUTH)
    if which.kind == "no_noun":
        return core.Not(core.Exists(var, domain, test, type=TRUTH), type=TRUTH)
    if which.kind == "every_noun":
        return core.Forall(var, domain, test, type=TRUTH)
    related = core.Filter(var, domain, test, type=domain.type)
    count = core.Builtin("count", (related,), type=NUMBER, span=node.span)
    amount = checker.wanted(which.part(-2), scope, NUMBER)
    return core.Compare(_COUNTED[which.kind], count, amount, type=TRUTH)


_COUNTED = {"at_least": ">=", "at_most": "<=", "exactly": "="}


def _is_builtin_relation(word: str) -> bool:
    known = for_authors(word)
    return known is not None and known.relation


def _relation_params(checker: TypeChecker, word: Node, left: core.Expr) -> tuple[Type, Type] | None:
    """The two types a relation holds between; a word that is no relation is reported."""
    heads = checker.symbols.heads
    head = heads.get(word.text)
    if head is not None and len(head.params) == 2:
        return head.params[0][1], head.params[1][1]
    if _is_builtin_relation(word.text):
        item = element(left.type)
        return left.type, SetT(item) if item is not None else non_optional(left.type)
    relations = [name for name, known in heads.items() if len(known.params) == 2]
    relations += [known.name for known in authors_words() if known.relation]
    fix = did_you_mean(word.text, relations)
    checker.report.add("unknown-relation", word.span, name=word.text, fix=fix)
    return None


def _related(
    checker: TypeChecker, word: Node, left: core.Expr, right: Callable[[Type], core.Expr]
) -> core.Expr:
    """`left relation right`, where `right` is made once its type is known."""
    params = _relation_params(checker, word, left)
    if params is None:
        return unknown()
    if _is_builtin_relation(word.text):
        return core.Builtin(word.text, (left, right(params[1])), type=TRUTH)
    left = checker.check(left, params[0], left.span)
    t = checker.define(word.text)
    if not fits(t, TRUTH):
        checker.report.add("wrong-type", word.span, found=type_in_words(t), wanted="truth")
    return core.Apply(word.text, (left, right(params[1])), type=TRUTH)
