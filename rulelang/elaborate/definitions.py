"""Definitions are compiled when first asked for, so that their order in a text does not matter."""

from __future__ import annotations

from rulelang import core
from rulelang.core.bounds import MAX_CHAINED
from rulelang.core.types import UNKNOWN, PhraseT, Type
from rulelang.elaborate.clauses import cases, content, defined_value
from rulelang.elaborate.declaration_memo import (
    DeclarationMemo,
    Kept,
    KeptDefinition,
    Unchanged,
)
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

    def __init__(
        self, symbols: SymbolTable, first: int = 1, unchanged: Unchanged | None = None
    ) -> None:
        """`checker` is the type checker in which the definitions are known.

        Its fresh names have the number `first` and those above it. What is `unchanged` since
        another compilation is taken over; `kept` is what the next one may take over.
        """
        self.symbols = symbols
        self.kept: dict[str, Kept[KeptDefinition]] = {}
        self._unchanged = unchanged or Unchanged(DeclarationMemo(), (), symbols.titles)
        self.checker = type_checker(symbols, self.type_of).numbering_from(first)
        self.templates: dict[str, core.Expr] = {}
        # for each definition being compiled, outermost first: what it needs
        self._busy: list[dict[str, None]] = []
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
            pass
        elif head.busy:
            self._circle(name, head)
        elif len(self._busy) >= MAX_CHAINED:
            self._too_deep(head, "Define what it needs above it.")
        else:
            self._busy.append({})
            head.busy = True
            self._take_over_or_compile(name, head)
            head.done, head.busy = True, False
            needs = self._busy.pop()
            self._heights[name] = 1 + max((self._heights.get(one, 0) for one in needs), default=0)
            if self._heights[name] == MAX_CHAINED:
                self._too_deep(head, "Put some of the definitions it needs into one.")
        if self._busy:
            self._busy[-1][name] = None
        return head.type or UNKNOWN

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

    def _take_over_or_compile(self, name: str, head: Head) -> None:
        """Let a definition be known, as it was before if all that it needs is as it was."""
        before = self._unchanged.definition(name, head.node)
        if before is not None and self._holds(before) and self.symbols.enter_again(before.clauses):
            self.kept[name] = before
            self._enter(name, head, before.made)
            return
        self._busy[-1].clear()
        found = self.symbols.report.found
        findings = len(found)
        with self.symbols.recording() as entered:
            made = self._compile(name, head)
        self._enter(name, head, made)
        if len(found) == findings:
            self.kept[name] = Kept(head.node, made, tuple(entered), tuple(self._busy[-1]))
        is_other = before is not None and made.type != before.made.type
        if made.template is not None or is_other:
            self._unchanged.change(name)

    def _holds(self, before: Kept[KeptDefinition]) -> bool:
        """Is all that a definition needs as it was? That is compiled first."""
        for name in before.needs:
            if name in self.symbols.heads:
                self.type_of(name)
        return self._unchanged.holds(before)

    def _enter(self, name: str, head: Head, made: KeptDefinition) -> None:
        """Enter what a definition was compiled to."""
        head.type = made.type
        if made.template is not None:
            self.templates[name] = made.template
        if made.definition is not None:
            self.symbols.rules.definitions[name] = made.definition

    def _compile(self, name: str, head: Head) -> KeptDefinition:
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
            return KeptDefinition(head.type, None, made[0].value or TRUE)
        texts = tuple(plain(text) for text in reads)
        found = Definition(name, head.params, head.type, made, texts, clause, node.span)
        return KeptDefinition(head.type, found, None)

    def _cases(self, name: str, head: Head, scope: Scope, clause: str) -> tuple[Case, ...]:
        node = head.node
        if node.kind == "define_one":
            value = defined_value(self.checker, node.part(4), scope, head.type)
            return (Case(value, None, clause),)
        return cases(self.checker, content(node, 4), scope, f"define {name}", head.type)
