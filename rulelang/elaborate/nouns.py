"""Nouns: what a kind, group, title, plural or property means, of one thing or as a set."""

from __future__ import annotations

from rulelang import core
from rulelang.builtins.registry import for_authors
from rulelang.core.types import (
    NONE,
    PLAYER,
    TEXT,
    TRUTH,
    UNKNOWN,
    KindT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import Span
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import (
    TRUE,
    Scope,
    TypeChecker,
    chain_members,
    type_in_words,
)
from rulelang.syntax.nodes import Node, plain


# ------------------------------------------------------------------------ tests of one thing
def is_what(checker: TypeChecker, left: core.Expr, what: Node, scope: Scope) -> core.Expr:
    """`x is …`: a kind, a group, a title, a property of one thing, none, or an equal value."""
    if what.kind == "group_":
        return is_what(checker, left, what.part(0), scope)
    if what.kind == "or_":
        tests = [is_what(checker, left, part, scope) for part in chain_members(what.part(0))]
        return core.Any(tuple(tests), type=TRUTH, span=what.span)
    t = non_optional(left.type)
    if what.kind == "string" and isinstance(t, PieceT):
        return core.Member(left, titled(checker, what.part(0), t), type=TRUTH)
    if what.kind == "name" and what.part(0).text not in scope:
        found = _test(checker, left, what.part(0).text, what.span)
        if found is not None:
            return found
    if _asks_set_as_one(checker, left, what, scope):
        return core.Const(False, type=TRUTH)
    return _is_equal(checker, left, what, scope)


def _is_equal(checker: TypeChecker, left: core.Expr, what: Node, scope: Scope) -> core.Expr:
    """`x is …` where the two are compared; what cannot be compared is reported."""
    right = checker.expr(what, scope, left.type)
    item = element(left.type)
    if fits(left.type, right.type) or fits(right.type, left.type):
        return core.Compare("=", left, right, type=TRUTH)
    if item is not None and right.type != NONE and fits(right.type, item):
        set_as_one(checker, left.type, what)
    else:
        fix = _which_field(checker, non_optional(left.type), right.type)
        if item is not None and right.type == NONE:
            fix = "A set is never none; say `is empty`."
        checker.wrong_type(what.span, right.type, left.type, fix)
    return core.Const(False, type=TRUTH)


def _asks_set_as_one(checker: TypeChecker, left: core.Expr, what: Node, scope: Scope) -> bool:
    """Is a set of things asked to be what only one thing can be? That is reported.

    It could mean that one of them is, that each is, or that the set is all of that sort.
    """
    item = element(left.type)
    if isinstance(item, KindT):
        word = what.part(0).text if what.kind == "name" else ""
        word = checker.symbols.plurals.get(word, word)
        named = word not in scope and _kinds_named(checker.symbols, word)
        asks = bool(named) and any(kind == item.name for kind, _ in named or ())
    else:
        asks = item is not None and says_one(checker, item, what, scope)
    if asks:
        set_as_one(checker, left.type, what)
    return asks


def says_one(checker: TypeChecker, item: Type, what: Node, scope: Scope) -> bool:
    """Does a word, or a title in quotes, say of one piece or site what it is?"""
    if not isinstance(item, PieceT | SiteT):
        return False
    if what.kind == "string":
        titled(checker, what.part(0), item) if isinstance(item, PieceT) else None
        return True
    word = what.part(0).text if what.kind == "name" else ""
    if not word or word in scope or word == str(item):
        return False
    return all_that_are(checker, word, item, what.span) is not None


def set_as_one(checker: TypeChecker, found: Type, what: Node) -> None:
    """Report that a set is asked to be what only one thing can be."""
    word = what.part(0).text if what.kind in ("name", "string") else "…"
    checker.report.add("set-as-one", what.span, found=type_in_words(found), word=word)


def _which_field(checker: TypeChecker, t: Type, kind: Type) -> str | None:
    """The fix where a piece has several fields of the kind it is asked to be."""
    if not isinstance(t, PieceT):
        return None
    component = checker.symbols.rules.components[t.name]
    fields = [name for name, type_ in component.fields if type_ == kind]
    if len(fields) < 2:
        return None
    return (
        f"A {component.name} has several fields that are {type_in_words(kind)}: "
        f"name the one that is meant, as in `'s {fields[0]} is`."
    )


def _test(checker: TypeChecker, left: core.Expr, word: str, span: Span) -> core.Expr | None:
    """`x is word` by kind, group or property; None if the word is none of these for x."""
    return _kind_test(checker, left, word, span) or _property_test(checker, left, word)


def _kind_test(checker: TypeChecker, left: core.Expr, word: str, span: Span) -> core.Expr | None:
    """`x is member` or `x is group`, for x of that kind or a piece with one field of that kind."""
    symbols, t = checker.symbols, non_optional(left.type)
    word = symbols.plurals.get(word, word)
    for kind, members in _kinds_named(symbols, word):
        value = _kind_of(symbols, left, kind, span)
        if value is not None:
            return _one_of(value, kind, members, span)
    if isinstance(t, PieceT) and word in symbols.rules.components and t.name == word:
        return TRUE
    return None


def _kinds_named(symbols: SymbolTable, word: str) -> list[tuple[str, tuple[int, ...]]]:
    """Each kind in which a word names a member or a group, with the indices of the members."""
    groups = symbols.rules.groups
    found = [(kind, (index,)) for kind, index in symbols.members.get(word, [])]
    return [*found, (groups[word].kind, groups[word].members)] if word in groups else [*found]


def _kind_of(symbols: SymbolTable, of: core.Expr, kind: str, span: Span) -> core.Expr | None:
    """The value of this kind that a thing is or that its only field of the kind holds."""
    t = non_optional(of.type)
    if t == KindT(kind):
        return of
    if isinstance(t, PieceT):
        known = symbols.kind_field(symbols.rules.components[t.name], kind)
        if known is not None:
            return core.Attribute(known[0], of, type=known[1], span=span)
    return None


def _one_of(value: core.Expr, kind: str, members: tuple[int, ...], span: Span) -> core.Expr:
    """The condition that a value is one of these members, or a set holds one of them."""
    consts = tuple(core.Const(i, type=KindT(kind), span=span) for i in members)
    if element(value.type) is not None:
        tests = tuple(core.Member(c, value, type=TRUTH, span=span) for c in consts)
        return tests[0] if len(tests) == 1 else core.Any(tests, type=TRUTH, span=span)
    if len(consts) == 1:
        return core.Compare("=", value, consts[0], type=TRUTH, span=span)
    options = core.SetOf(consts, type=SetT(KindT(kind)))
    return core.Member(value, options, type=TRUTH, span=span)


def _property_test(checker: TypeChecker, left: core.Expr, word: str) -> core.Expr | None:
    """`x is outer`, `d is ready`: a built-in or defined truth of one thing."""
    builtin = for_authors(word)
    if builtin is not None and builtin.type_of(checker.symbols.rules, (left.type,)) == TRUTH:
        return core.Builtin(word, (left,), type=TRUTH)
    head = checker.symbols.heads.get(word)
    if (
        head is not None
        and len(head.params) == 1
        and fits(left.type, head.params[0][1])
        and checker.define(word) in (TRUTH, UNKNOWN)
    ):
        return core.Apply(word, (left,), type=TRUTH)
    return None


# ------------------------------------------------------------------------ sets of things
def noun(checker: TypeChecker, node: Node, item: Type, scope: Scope) -> core.Expr:
    """The things of this type that the noun after a relation ranges over (`at least 2 things`)."""
    t = non_optional(item)
    if node.kind == "name" and node.part(0).text not in scope:
        found = all_that_are(checker, node.part(0).text, t, node.span)
        if found is not None:
            return found
    if node.kind == "string" and isinstance(t, PieceT):
        return titled(checker, node.part(0), t)
    found, inner = checker.collection(node, scope, SetT(item))
    if not fits(inner, item):
        checker.wrong_type(node.span, inner, item)
    return found


def all_that_are(checker: TypeChecker, word: str, item: Type, span: Span) -> core.Expr | None:
    """The set of all things of a type that a kind, group, property or the type's name says."""
    word = checker.symbols.plurals.get(word, word)
    domain = everything(item)
    if domain is None:
        return None
    if word in (str(item), "one"):
        return domain
    var = checker.fresh_name()
    test = _test(checker, core.Var(var, type=item, span=span), word, span)
    if test is None:
        return None
    return core.Filter(var, domain, test, type=SetT(item), span=span)


def everything(item: Type) -> core.Expr | None:
    """The set of all things of a finite type; None if the type is not finite."""
    if isinstance(item, PieceT | SiteT | KindT) or item == PLAYER:
        return core.Builtin("all", (core.Const(str(item), type=TEXT),), type=SetT(item))
    return None


def titled(checker: TypeChecker, word: Node, piece: PieceT) -> core.Expr:
    """All pieces of this title; a title that no piece has is reported."""
    titles, title = checker.symbols.titles, plain(word)
    same = titles.ignoring_case(title)
    match = next((name for name, components in same if piece.name in components), None)
    if match is None:
        known = [name for name, components in titles.all.items() if piece.name in components]
        near = nearest(title, known, 1)
        fix = f'Did you mean "{near[0]}"?' if near else None
        checker.report.add("unknown-title", word.span, title=title, of=str(piece), fix=fix)
        match = title
    return core.Titled(piece.name, match, type=SetT(piece), span=word.span)


# ------------------------------------------------------------------------ names of kinds
def kind_member(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    """A member of a kind: of the kind wanted, or of the only kind that has one of this name."""
    known = checker.symbols.members.get(word.text, [])
    if not known:
        return None
    inner = element(want)
    for kind, index in known:
        const = core.Const(index, type=KindT(kind))
        if non_optional(want) == KindT(kind):
            return const
        if inner is not None and non_optional(inner) == KindT(kind):
            return core.SetOf((const,), type=SetT(KindT(kind)))
    if inner is not None and inner != UNKNOWN:
        return None
    if len(known) > 1 and want == UNKNOWN:
        kinds = " and ".join(kind for kind, _ in known)
        checker.report.add("ambiguous-name", word.span, name=word.text, kinds=kinds)
    kind, index = known[0]
    return core.Const(index, type=KindT(kind))


def named_set(checker: TypeChecker, word: Node, want: Type) -> core.Expr | None:
    """A plural, group or kind as a set: all pieces, all sites, the members of a group or kind."""
    symbols, name = checker.symbols, word.text
    singular = symbols.plurals.get(name, name)
    inner = element(want)
    if inner is not None and inner != UNKNOWN:
        found = all_that_are(checker, singular, non_optional(inner), word.span)
        if found is not None:
            return found
    if singular in symbols.rules.groups:
        group = symbols.rules.groups[singular]
        items = tuple(core.Const(i, type=KindT(group.kind)) for i in group.members)
        return core.SetOf(items, type=SetT(KindT(group.kind)))
    if name != singular:
        t = symbols.find_type(singular)
        if t is not None:
            return everything(t)
    if name in symbols.rules.kinds:
        return everything(KindT(name))
    return None
