"""What every expression room shares: checked types, names in scope, values of a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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
from rulelang.diagnostics import Report, nearest
from rulelang.diagnostics.english import plural, spoken
from rulelang.diagnostics.source import Span
from rulelang.elaborate.symbols import SymbolTable
from rulelang.syntax.nodes import Node

Scope = dict[str, core.Expr]
YES = core.Const(True, type=TRUTH)


class Base:
    """Turns expression syntax into core objects; every mistake is reported at its own word and stands in as `unknown`."""

    def __init__(self, names: SymbolTable, define: Callable[[str], Type]) -> None:
        """`define` gives the type of a definition, compiling it first if need be."""
        self.names = names
        self.define = define
        self.in_event: str | None = None
        self.fresh = 0

    @property
    def report(self) -> Report:
        """Where mistakes are told: the frame of a ruleset is compiled once, its cards and scenarios under reports of their own."""
        return self.names.report

    def conds(self, node: Node | None, scope: Scope) -> core.Expr:
        """A comma list of conditions: all of them; none is true."""
        if node is None:
            return YES
        parts = [self.truth(part, scope) for part in node.parts if part is not None]
        return parts[0] if len(parts) == 1 else core.All(tuple(parts), type=TRUTH, span=node.span)

    def truth(self, node: Node, scope: Scope) -> core.Expr:
        """A condition."""
        return self.wanted(node, scope, TRUTH)

    def wanted(self, node: Node, scope: Scope, want: Type) -> core.Expr:
        """An expression that must be of this type; kinds, titles and groups are understood as what is asked for."""
        found = self.expr(node, scope, want)
        return self.check(found, want, node.span)

    def check(self, found: core.Expr, want: Type, span: Span) -> core.Expr:
        """The expression if its type fits, else a report and an unknown in its place."""
        if fits(found.type, want):
            return found
        if isinstance(want, SetT) and fits(found.type, want.of):
            return core.SetOf((found,), type=want, span=span)
        self.report.add("wrong-type", span, found=said(found.type), wanted=said(want))
        return core.Const(None, type=UNKNOWN, span=span)

    def expr(self, node: Node, scope: Scope, want: Type = UNKNOWN) -> core.Expr:
        """Any expression; `want` guides what a bare word stands for but is not enforced."""
        method = getattr(self, f"_{node.kind.lower()}", None)
        assert method is not None, node.kind
        found: core.Expr = method(node, scope, want)
        return found if found.span.line else replace(found, span=node.span)

    def bind(self, word: Node, t: Type, scope: Scope) -> tuple[str, Scope]:
        """A new name in scope; taking one that is in use is reported."""
        name = word.text
        if name in scope:
            self.report.add("name-in-use", word.span, name=name)
        self.fresh += 1
        unique = f"{name}~{self.fresh}"
        return unique, {**scope, name: core.Var(unique, type=t)}

    def collection(self, node: Node, scope: Scope, want: Type = UNKNOWN) -> tuple[core.Expr, Type]:
        """A set or list, with the type of its members; bare words stand for all of their sort."""
        found = self.expr(node, scope, want if want != UNKNOWN else SetT(UNKNOWN))
        item = element(found.type)
        if item is None:
            self.report.add("not-a-set", node.span, found=said(found.type))
            return core.Const(frozenset(), type=UNKNOWN), UNKNOWN
        return found, item

    def event_args(self, node: Node, scope: Scope) -> tuple[str | None, tuple[core.Expr, ...]]:
        """The event named first in the node and its values."""
        word = node.part(0)
        known = self.names.signatures.get(word.text)
        if known is None or known[0] != "event":
            events = [name for name, (kind, _) in self.names.signatures.items() if kind == "event"]
            near = nearest(word.text, events)
            self.report.add(
                "not-an-event",
                word.span,
                name=word.text,
                fix=f"Did you mean `{near[0]}`?" if near else None,
            )
            return None, ()
        return word.text, self.arguments(word, node.parts[1], known[1], scope)

    def arguments(
        self, word: Node, args: Node | None, params: tuple[tuple[str, Type], ...], scope: Scope
    ) -> tuple[core.Expr, ...]:
        """The values of a call, by place or by name, each checked against its parameter."""
        given = [part for part in (args.parts if args else ()) if part is not None]
        values: dict[str, core.Expr] = {}
        for index, arg in enumerate(given):
            if arg.kind == "named_arg":
                key = arg.part(0).text
                match = dict(params).get(key)
                if match is None:
                    near = nearest(key, [name for name, _ in params])
                    self.report.add(
                        "unknown-argument",
                        arg.part(0).span,
                        name=key,
                        of=word.text,
                        fix=f"Did you mean `{near[0]}`?" if near else None,
                    )
                    continue
                values[key] = self.wanted(arg.part(1), scope, match)
            elif index < len(params):
                values[params[index][0]] = self.wanted(arg, scope, params[index][1])
        if len(given) != len(params):
            wants = ", ".join(f"{name}: {t}" for name, t in params) or "nothing"
            self.report.add(
                "argument-count",
                word.span,
                name=word.text,
                found=given_count(len(given)),
                wanted=wants,
            )
        return tuple(values.get(name, core.Const(None, type=UNKNOWN)) for name, _ in params)


NO_NODE = Node("", (), Span("", 0, 0, 0, 0))


def flat(node: Node) -> list[Node]:
    """The members of a chain of `and` or of `or`, left to right."""
    found: list[Node] = []
    while node.kind in ("orchain", "andchain"):
        found.append(node.part(0))
        node = node.part(1)
    return [*found, node]


def only(args: Node | None) -> Node:
    parts = [part for part in (args.parts if args else ()) if part is not None]
    return parts[0] if parts else NO_NODE


def said(t: Type) -> str:
    """A type in a sentence: a number, a set of houses, a player or none."""
    if isinstance(t, PieceT | KindT | SiteT | PairT):
        return f"{_article(t.name)} {spoken(t.name)}"
    if isinstance(t, PhraseT):
        return f"{_article(t.sort)} {spoken(t.sort)} phrase"
    if isinstance(t, OptionalT):
        return f"{said(t.of)} or none"
    if isinstance(t, SetT | ListT):
        what = "a set" if isinstance(t, SetT) else "a list"
        if isinstance(non_optional(t.of), SetT | ListT):
            inner = said(non_optional(t.of)).split(" ", 1)[1]
            return f"{what} of {inner.replace('set', 'sets', 1) if inner.startswith('set') else inner.replace('list', 'lists', 1)}"
        return what if t.of == UNKNOWN else f"{what} of {plural(spoken(str(non_optional(t.of))))}"
    if isinstance(t, BoardT):
        return f"the board {spoken(t.name)}"
    return _PLAIN.get(str(t), spoken(str(t)))


_PLAIN = {
    "truth": "a condition",
    "number": "a number",
    "text": "a text",
    "player": "a player",
    "shape": "a shape",
    "nothing": "`none`",
    "unknown": "something",
}


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"


def given_count(count: int) -> str:
    """How many values were given, as a message says it."""
    return {0: "none is", 1: "1 value is"}.get(count, f"{count} values are")
