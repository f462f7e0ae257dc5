"""The type checker of expressions: the context that every rule of it works in.

`TypeChecker.expr` elaborates an expression by the rule for its kind of syntax node; the rules are
functions by subject (`names`, `calls`, `attributes`, `conditions`, `arithmetic`) and are listed in
`expressions.EXPRESSIONS`. Every mistake is reported at its own word and stands in as `unknown`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulelang import core
from rulelang.core.types import (
    TRUTH,
    UNKNOWN,
    BoardT,
    KindT,
    ListT,
    OptionalT,
    PairT,
    PhraseT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
    fits,
    non_optional,
)
from rulelang.diagnostics import Report, did_you_mean
from rulelang.diagnostics.english import article, plural, spoken
from rulelang.diagnostics.source import NOWHERE, Span
from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import Params
from rulelang.syntax.nodes import Node

Scope = dict[str, core.Expr]
TRUE = core.Const(True, type=TRUTH)


def unknown(span: Span = NOWHERE) -> core.Expr:
    """What stands in for an expression in which a mistake was reported."""
    return core.Const(None, type=UNKNOWN, span=span)


@dataclass(frozen=True)
class TypeChecker:
    """Turns expression syntax into typed core expressions.

    `define` returns the type of a definition and compiles it first if need be; `rules` has the
    elaboration rule of each kind of expression; `event` is the event whose requirements are read.
    """

    symbols: SymbolTable
    define: Callable[[str], Type]
    rules: Mapping[str, ExpressionRule] = field(repr=False)
    event: str | None = None
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1), repr=False)

    @property
    def report(self) -> Report:
        """The report of the symbol table, which is another for each compilation with a frame."""
        return self.symbols.report

    def judging(self, event: str) -> TypeChecker:
        """The same type checker for the requirements of an event."""
        return replace(self, event=event)

    def numbering_from(self, number: int) -> TypeChecker:
        """The same type checker, whose fresh names have this number and those above it."""
        return replace(self, _numbers=itertools.count(number))

    # ------------------------------------------------------------------------ names in scope
    def fresh_name(self, base: str = "it") -> str:
        """A variable name that no other has."""
        return f"{base}~{next(self._numbers)}"

    def bind(self, word: Node, t: Type, scope: Scope) -> tuple[str, Scope]:
        """The variable made for a new name, and the scope with it; reported if it is in use."""
        name = word.text
        if name in scope:
            self.report.add("name-in-use", word.span, name=name)
        unique = self.fresh_name(name)
        return unique, {**scope, name: core.Var(unique, type=t)}

    # ------------------------------------------------------------------------ expressions
    def expr(self, node: Node, scope: Scope, want: Type = UNKNOWN) -> core.Expr:
        """Any expression; `want` guides what a bare word stands for but is not enforced."""
        found = self.rules[node.kind](self, node, scope, want)
        return found if found.span.line else core.copied(found, span=node.span)

    def wanted(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        """An expression that must be of this type, which guides what a bare word stands for."""
        return self.check(self.expr(node, scope, want), want, node.span)

    def truth(self, node: Node, scope: Scope) -> core.Expr:
        """A condition."""
        return self.wanted(node, scope, TRUTH)

    def conds(self, node: Node | None, scope: Scope) -> core.Expr:
        """A comma list of conditions as one: all of them; true if there are none."""
        if node is None:
            return TRUE
        parts = [self.truth(part, scope) for part in node.parts if part is not None]
        return parts[0] if len(parts) == 1 else core.All(tuple(parts), type=TRUTH, span=node.span)

    def optional_conds(self, node: Node | None, scope: Scope) -> core.Expr | None:
        """The same; None if there are none."""
        return self.conds(node, scope) if node is not None else None

    def check(self, found: core.Expr, want: Type, span: Span) -> core.Expr:
        """The expression if its type fits, one value as the set of it; otherwise it is reported."""
        if fits(found.type, want):
            return found
        if isinstance(want, SetT) and fits(found.type, want.of):
            return core.SetOf((found,), type=want, span=span)
        self.wrong_type(span, found.type, want)
        return unknown(span)

    def wrong_type(self, span: Span, found: Type, wanted: Type, fix: str | None = None) -> None:
        """Report that one type stands where another is wanted."""
        self.report.add(
            "wrong-type", span, found=type_in_words(found), wanted=type_in_words(wanted), fix=fix
        )

    def collection(self, node: Node, scope: Scope, want: Type = UNKNOWN) -> tuple[core.Expr, Type]:
        """A set or list and the type of its members; a bare word stands for all of its sort."""
        found = self.expr(node, scope, want if want != UNKNOWN else SetT(UNKNOWN))
        item = element(found.type)
        if item is None:
            self.report.add("not-a-set", node.span, found=type_in_words(found.type))
            return core.Const(frozenset(), type=UNKNOWN), UNKNOWN
        return found, item

    # ------------------------------------------------------------------------ calls
    def signature(self, name: str, *kinds: str) -> Params | None:
        """The parameters of what has this name if it is of one of these kinds, otherwise None."""
        kind, params = self.symbols.signatures.get(name, ("", ()))
        return params if kind in kinds else None

    def event_args(self, node: Node, scope: Scope) -> tuple[str | None, tuple[core.Expr, ...]]:
        """The event named first in the node and its values."""
        word = node.part(0)
        params = self.signature(word.text, "event")
        if params is None:
            events = [n for n, (kind, _) in self.symbols.signatures.items() if kind == "event"]
            fix = did_you_mean(word.text, events)
            self.report.add("not-an-event", word.span, name=word.text, fix=fix)
            return None, ()
        return word.text, self.arguments(word, node.parts[1], params, scope)

    def arguments(
        self, word: Node, args: Node | None, params: Params, scope: Scope
    ) -> tuple[core.Expr, ...]:
        """The values of a call, by place or by name, each checked against its parameter."""
        given = [part for part in (args.parts if args else ()) if part is not None]
        types = dict(params)
        values: dict[str, core.Expr] = {}
        for index, arg in enumerate(given):
            if arg.kind == "named_arg":
                key = arg.part(0)
                if key.text in types:
                    values[key.text] = self.wanted(arg.part(1), scope, types[key.text])
                else:
                    fix = did_you_mean(key.text, types)
                    self.report.add(
                        "unknown-argument", key.span, name=key.text, of=word.text, fix=fix
                    )
            elif index < len(params):
                values[params[index][0]] = self.wanted(arg, scope, params[index][1])
        if len(given) != len(params):
            self.argument_count(word, len(given), params)
        return tuple(values.get(name, unknown()) for name, _ in params)

    def argument_count(self, word: Node, given: int, params: Params) -> None:
        """Report that a call or head has another number of values than there are parameters."""
        found = {0: "none is", 1: "1 value is"}.get(given, f"{given} values are")
        wanted = ", ".join(f"{name}: {t}" for name, t in params) or "nothing"
        self.report.add("argument-count", word.span, name=word.text, found=found, wanted=wanted)


ExpressionRule = Callable[[TypeChecker, Node, Scope, Type], core.Expr]


def chain_members(node: Node) -> list[Node]:
    """The members of a chain of `and` or of `or`, left to right."""
    found: list[Node] = []
    while node.kind in ("orchain", "andchain"):
        found.append(node.part(0))
        node = node.part(1)
    return [*found, node]


def type_in_words(t: Type) -> str:
    """A type as a message says it: a number, a set of houses, a player or none."""
    if isinstance(t, PieceT | KindT | SiteT | PairT):
        return f"{article(spoken(t.name))}"
    if isinstance(t, PhraseT):
        return f"{article(spoken(t.sort))} phrase"
    if isinstance(t, OptionalT):
        return f"{type_in_words(t.of)} or none"
    if isinstance(t, SetT | ListT):
        return _collection_in_words(t)
    if isinstance(t, BoardT):
        return f"the board {spoken(t.name)}"
    return _BASIC.get(str(t), spoken(str(t)))


def _collection_in_words(t: SetT | ListT) -> str:
    what, inner = "a set" if isinstance(t, SetT) else "a list", non_optional(t.of)
    if isinstance(inner, SetT | ListT):
        words = type_in_words(inner).removeprefix("a ")
        one = "set" if isinstance(inner, SetT) else "list"
        return f"{what} of {one}s{words.removeprefix(one)}"
    return what if t.of == UNKNOWN else f"{what} of {plural(spoken(str(inner)))}"


_BASIC = {
    "truth": "a condition",
    "number": "a number",
    "text": "a text",
    "player": "a player",
    "shape": "a shape",
    "nothing": "`none`",
    "unknown": "something",
}
