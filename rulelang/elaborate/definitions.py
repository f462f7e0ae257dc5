"""Definitions are compiled when first asked for, so that their order in a text does not matter."""

from __future__ import annotations

from rulelang import core
from rulelang.core.bounds import MAX_CHAINED
from rulelang.core.types import UNKNOWN, PhraseT, Type
from rulelang.elaborate.clauses import cases, content, defined_value
from rulelang.elaborate.expressions import type_checker
from rulelang.elaborate.symbols import Head, SymbolTable
from rulelang.elaborate.type_checker import TRUE, Scope
from rulelang.ruleset import Case, Definition, Params
from rulelang.syntax.nodes import plain


def param_scope(params: Params) -> Scope:
    """The parameters of a declaration as values in scope; a phrase is a slot to be filled."""
    return {
        name: core.Slot(name, (), type=t.of) if isinstance(t, PhraseT) else core.Var(name, type=t)
        for name, t in params
    }


def slot_scope(params: Params) -> Scope:
    """The parameters of a template as slots, to be filled by card texts."""
    return {
        name: core.Slot(name, (), type=t.of if isinstance(t, PhraseT) else t) for name, t in params
    }


class Definitions:
    """Compiles definitions into the ruleset, and those that take phrases into templates."""

    def __init__(self, symbols: SymbolTable, first: int = 1) -> None:
        """`checker` is the type checker in which the definitions are known.

        Its fresh names have the number `first` and those above it.
        """
        self.symbols = symbols
        self.checker = type_checker(symbols, self.type_of).numbering_from(first)
        self.templates: dict[str, core.Expr] = {}
        # for each definition being compiled, outermost first: the greatest height of what it needs
        self._busy: list[int] = []
        # compiled definition -> the longest chain of definitions that it begins
        self._heights: dict[str, int] = {}

    def compile_all(self) -> None:
        """Compile every definition."""
        for name in list(self.symbols.heads):
            self.type_of(name)

    def type_of(self, name: str) -> Type:
        """The type of a definition, which is compiled first if need be; reports a circle."""
        head = self.symbols.heads[name]
        if head.done:
            self._needs(name)
        elif head.busy:
            self._circle(name, head)
        elif len(self._busy) >= MAX_CHAINED:
            self._too_deep(head, "Define what it needs above it.")
        else:
            self._busy.append(0)
            head.busy = True
            self._compile(name, head)
            head.done, head.busy = True, False
            self._heights[name] = self._busy.pop() + 1
            if self._heights[name] == MAX_CHAINED:
                self._too_deep(head, "Put some of the definitions it needs into one.")
            self._needs(name)
        return head.type or UNKNOWN

    def _needs(self, name: str) -> None:
        """Let the definition being compiled be higher than this one, which it needs."""
        if self._busy:
            self._busy[-1] = max(self._busy[-1], self._heights[name])

    def _circle(self, name: str, head: Head) -> None:
        heads = self.symbols.heads.items()
        names = [other for other, known in heads if known.busy and not known.done]
        names = names[names.index(name) :] if name in names else names
        circle = " needs ".join([*names, name])
        word = head.node.part(0)
        self.symbols.report.add("circular", word.span, name=name, circle=circle)

    def _too_deep(self, head: Head, fix: str) -> None:
        limit, word = str(MAX_CHAINED), head.node.part(0)
        self.symbols.report.add("too-deep", word.span, limit=limit, fix=fix)

    def _compile(self, name: str, head: Head) -> None:
        node, symbols = head.node, self.symbols
        template = any(isinstance(t, PhraseT) for _, t in head.params)
        scope = slot_scope(head.params) if template else param_scope(head.params)
        clause = symbols.clause("define", f"define {name}", "", node)
        made = self._cases(name, head, scope, clause)
        values = [case.value for case in made if case.value is not None]
        if head.type is None:
            known = (value.type for value in values if value.type != UNKNOWN)
            head.type = next(known, UNKNOWN)
            for value in values:
                self.checker.check(value, head.type, value.span)
        reads = node.parts[3].words("STRING") if node.parts[3] is not None else []
        if template:
            self.templates[name] = made[0].value or TRUE
        else:
            texts = tuple(plain(text) for text in reads)
            symbols.rules.definitions[name] = Definition(
                name, head.params, head.type, made, texts, clause, node.span
            )

    def _cases(self, name: str, head: Head, scope: Scope, clause: str) -> tuple[Case, ...]:
        node = head.node
        if node.kind == "define_one":
            value = defined_value(self.checker, node.part(4), scope, head.type)
            return (Case(value, None, clause),)
        return cases(self.checker, content(node, 4), scope, f"define {name}", head.type)
