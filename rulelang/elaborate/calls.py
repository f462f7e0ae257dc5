"""Rules of the type checker for what is applied to values: calls, `f of x` and `x's f`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulelang import core
from rulelang.builtins.registry import authors_words, builtin, for_authors
from rulelang.core.types import (
    NUMBER,
    UNKNOWN,
    PairT,
    SetT,
    SiteT,
    Type,
    fits,
    non_optional,
)
from rulelang.elaborate.attributes import attribute
from rulelang.elaborate.type_checker import Scope, TypeChecker, type_in_words, unknown
from rulelang.syntax.nodes import Node


def of_(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`f of x`."""
    word = node.part(0)
    of = checker.expr(node.part(1), scope, builtin(word.text).wanted_at(0))
    return attribute(checker, word, of)


def field_of(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`x's f`."""
    return attribute(checker, node.part(1), checker.expr(node.part(0), scope))


def values_by_place(checker: TypeChecker, word: Node, args: Node | None) -> list[Node]:
    """The values of a call that takes none by name; one that is named is reported and left out."""
    given = [part for part in (args.parts if args else ()) if part is not None]
    for arg in given:
        if arg.kind == "named_arg":
            key = arg.part(0)
            checker.report.add("unknown-argument", key.span, name=key.text, of=word.text)
    return [arg for arg in given if arg.kind != "named_arg"]


@dataclass(frozen=True)
class _Call:
    """`f(…)` with what is in scope and the type wanted; `args` is None where nothing is given."""

    node: Node
    scope: Scope
    want: Type

    @property
    def word(self) -> Node:
        return self.node.part(0)

    @property
    def name(self) -> str:
        return self.word.text

    @property
    def args(self) -> Node | None:
        return self.node.parts[1]

    @property
    def given(self) -> list[Node]:
        return [part for part in (self.args.parts if self.args else ()) if part is not None]

    @property
    def by_place(self) -> bool:
        """Whether no value is given by the name of its parameter."""
        return all(part.kind != "named_arg" for part in self.given)


def call(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    """`f(x, y)`: a declared or built-in function; one that is unknown is reported."""
    applied = _Call(node, scope, want)
    for lookup in _LOOKUPS:
        found = lookup(checker, applied)
        if found is not None:
            return found
    symbols, word = checker.symbols, applied.word
    words = [known.name for known in authors_words()]
    fix = symbols.usage_hint(word.text) or symbols.suggest(word.text, words)
    checker.report.add("unknown-call", word.span, name=word.text, fix=fix)
    return unknown()


# ------------------------------------------------------------ forms that are no functions
def _slot(checker: TypeChecker, call: _Call) -> core.Expr | None:
    """A wording applied to other things: `w(at: x's cells)`; the rest is as around it."""
    slot = call.scope.get(call.name)
    if not isinstance(slot, core.Slot):
        return None
    bound = dict(call.scope)
    for arg in call.given:
        if arg.kind == "named_arg":
            bound[arg.part(0).text] = checker.expr(arg.part(1), call.scope)
        else:
            meaning = "a wording is told what it is said of by name"
            _bad_arguments(checker, arg, slot.name, meaning, "")
    return core.Slot(slot.name, tuple(bound.items()), type=slot.type)


def _at(checker: TypeChecker, call: _Call) -> core.Expr | None:
    """`before(x)`, `after(x)`: a value before or after the event that is judged."""
    if call.name not in ("before", "after"):
        return None
    given = values_by_place(checker, call.word, call.args)
    if not given:
        checker.report.add(
            "argument-count", call.word.span, name=call.name, found="none is", wanted="a value"
        )
        return unknown()
    body = checker.expr(given[0], call.scope, call.want)
    return core.At(call.name, checker.event, (), body, type=body.type)


def _chance(checker: TypeChecker, call: _Call) -> core.Expr | None:
    """`chance(S)` stands in a line of its own only."""
    if call.name != "chance":
        return None
    fix = "Name what is drawn in a line before this one, then use the name."
    checker.report.add(
        "bad-verb", call.word.span, name=call.name, form="let x = chance(S)", fix=fix
    )
    return unknown()


def _groups(checker: TypeChecker, call: _Call) -> core.Expr | None:
    """`groups(S)` by adjacency on the board, `groups(S, relation)` by a declared relation."""
    if call.name != "groups" or not call.given:
        return None
    given = values_by_place(checker, call.word, call.args)
    if not given:
        return unknown()
    of, item = checker.collection(given[0], call.scope)
    relation = _relation(checker, given[1], item) if len(given) > 1 else None
    if relation is None and not isinstance(non_optional(item), SiteT) and item != UNKNOWN:
        meaning = "sets of cells, or a set and a relation"
        _bad_arguments(checker, call.word, call.name, meaning, type_in_words(item))
    return core.Groups(of, relation, type=SetT(SetT(non_optional(item))))


def _reach(checker: TypeChecker, call: _Call) -> core.Expr | None:
    """`reach(S, …)` with a relation to follow, a set not to leave, or a number of steps."""
    if call.name != "reach" or not call.given:
        return None
    given = values_by_place(checker, call.word, call.args)
    if not given:
        return unknown()
    seeds, item = checker.collection(given[0], call.scope)
    within: core.Expr | None = None
    relation: str | None = None
    steps: core.Expr | None = None
    for arg in given[1:]:
        if arg.kind == "name" and _is_relation(checker, arg.part(0).text):
            relation = _relation(checker, arg, item)
            continue
        found = checker.expr(arg, call.scope, SetT(item))
        if found.type == NUMBER and item != NUMBER:
            steps = found
        else:
            within = checker.check(found, SetT(item), arg.span)
    return core.Reach(seeds, within, relation, steps, type=SetT(non_optional(item)))


def _is_relation(checker: TypeChecker, name: str) -> bool:
    head = checker.symbols.heads.get(name)
    return head is not None and len(head.params) == 2


def _relation(checker: TypeChecker, node: Node, item: Type) -> str | None:
    """The name of a declared relation between things of this type; any other is reported."""
    name = node.part(0).text if node.kind == "name" else ""
    if not _is_relation(checker, name):
        checker.report.add("unknown-relation", node.span, name=node.text or "this", fix=None)
        return None
    checker.define(name)
    params = checker.symbols.heads[name].params
    if not (fits(item, params[0][1]) and fits(item, params[1][1])):
        found, wanted = type_in_words(params[0][1]), type_in_words(item)
        checker.report.add(
            "wrong-type",
            node.span,
            found=f"a relation of {found}",
            wanted=f"a relation of {wanted}",
        )
    return name


# ------------------------------------------------------------------------ declared functions
def _definition(checker: TypeChecker, call: _Call) -> core.Expr | None:
    head = checker.symbols.heads.get(call.name)
    if head is None:
        return None
    args = checker.arguments(call.word, call.args, head.params, call.scope)
    return core.Apply(call.name, args, type=checker.define(call.name))


def _pair(checker: TypeChecker, call: _Call) -> core.Expr | None:
    pair = checker.symbols.rules.pairs.get(call.name)
    if pair is None:
        return None
    args = checker.arguments(call.word, call.args, pair.parts, call.scope)
    return core.Builtin("pair", args, type=PairT(call.name))


def _score(checker: TypeChecker, call: _Call) -> core.Expr | None:
    params = checker.signature(call.name, "score")
    if params is None:
        return None
    args = checker.arguments(call.word, call.args, params, call.scope)
    return core.Total(call.name, args, type=NUMBER)


# ------------------------------------------------------------------------ built-in words
def _builtin(checker: TypeChecker, call: _Call) -> core.Expr | None:
    """A built-in word; None if one value does not fit it, which may still have the attribute."""
    word = for_authors(call.name)
    if word is None or word.arity != len(call.given) or not call.by_place:
        return None
    values = tuple(
        checker.expr(given, call.scope, word.wanted_at(index))
        for index, given in enumerate(call.given)
    )
    types = tuple(value.type for value in values)
    result = word.type_of(checker.symbols.rules, types)
    if result is not None:
        return core.Builtin(call.name, values, type=result)
    if UNKNOWN in types:
        return unknown()
    if len(values) == 1:
        return None
    found = ", ".join(type_in_words(t) for t in types)
    _bad_arguments(checker, call.node, call.name, word.meaning, found)
    return unknown()


def _attribute(checker: TypeChecker, call: _Call) -> core.Expr | None:
    """`f(x)` is `x's f`."""
    if len(call.given) != 1 or not call.by_place:
        return None
    rules = checker.symbols.rules
    holder = rules.places.get(call.name) or rules.states.get(call.name)
    index = holder.of if holder is not None and holder.of is not None else UNKNOWN
    return attribute(checker, call.word, checker.expr(call.given[0], call.scope, index))


def _bad_arguments(checker: TypeChecker, node: Node, name: str, meaning: str, found: str) -> None:
    checker.report.add("bad-arguments", node.span, name=name, meaning=meaning, found=found)


# in this order: what is found first is meant
_LOOKUPS: tuple[Callable[[TypeChecker, _Call], core.Expr | None], ...] = (
    _slot,
    _at,
    _chance,
    _groups,
    _reach,
    _definition,
    _pair,
    _score,
    _builtin,
    _attribute,
)
