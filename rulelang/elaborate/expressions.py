"""The elaboration rules of expressions: which function elaborates which kind of syntax node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rulelang import core
from rulelang.core.types import Type
from rulelang.elaborate import arithmetic, calls, conditions, names
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import ExpressionRule, Scope, TypeChecker
from rulelang.syntax.nodes import Node


def _in_brackets(checker: TypeChecker, node: Node, scope: Scope, want: Type) -> core.Expr:
    return checker.expr(node.part(0), scope, want)


# every kind of node that the grammar makes of an expression has its rule here
EXPRESSIONS: Mapping[str, ExpressionRule] = MappingProxyType(
    {
        "number": names.number,
        "string": names.string,
        "name": names.name,
        "group_": _in_brackets,
        "call": calls.call,
        "of_": calls.of_,
        "field_of": calls.field_of,
        "or_": conditions.or_,
        "and_": conditions.and_,
        "not_": conditions.not_,
        "if_expr": conditions.if_expr,
        "some": conditions.some,
        "none_of": conditions.none_of,
        "every": conditions.every,
        "supposing": conditions.supposing,
        "can": conditions.can,
        "equal": conditions.equal,
        "compare": conditions.compare,
        "is_": conditions.is_,
        "is_not": conditions.is_not,
        "in_": conditions.in_,
        "not_in": conditions.not_in,
        "relation": conditions.relation,
        "relation_noun": conditions.relation_noun,
        "plus": arithmetic.plus,
        "minus": arithmetic.minus,
        "times": arithmetic.times,
        "divide": arithmetic.divide,
        "negative": arithmetic.negative,
        "empty": arithmetic.empty,
        "set_lit": arithmetic.set_lit,
        "span": arithmetic.span,
        "filter": arithmetic.filter_,
        "image": arithmetic.image,
        "each_of": arithmetic.each_of,
        "the": arithmetic.the,
    }
)


def type_checker(symbols: SymbolTable, define: Callable[[str], Type]) -> TypeChecker:
    """The type checker with all rules; `define` returns the type of a definition, compiled."""
    return TypeChecker(symbols, define, EXPRESSIONS)
