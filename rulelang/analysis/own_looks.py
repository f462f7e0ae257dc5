"""What looks at one piece alone: answers about it that hold whatever other pieces there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rulelang import core
from rulelang.builtins.record import Basis
from rulelang.builtins.registry import builtin
from rulelang.core.types import PLAYER, KindT, PieceT, element, non_optional
from rulelang.ruleset import Ruleset


def looks_at_one(rules: Ruleset, var: str, items: Iterable[object]) -> bool:
    """Do expressions regard of all pieces only what is printed on the one a name stands for?

    What they call is looked through; what texts may add to is taken for looking at others.
    """
    look, own = _Look(rules), frozenset({var})
    return all(look.at_one(node, own, is_said=True) for node in core.nodes_in(list(items)))


@dataclass(frozen=True)
class _Look:
    rules: Ruleset
    known: dict[tuple[str, tuple[bool, ...]], bool] = field(default_factory=dict)

    def at_one(self, node: core.Node, own: frozenset[str], is_said: bool = False) -> bool:
        """Does a node look at no pieces but those these names stand for, and at their print?

        A piece that `is_said` by itself is told by its title.
        """
        match node:
            case core.Attribute(of=core.Var(name)) if name in own:
                return True
            case core.Var(name):
                return name not in own or is_said
            case core.Const() | core.Attribute() | core.IfElse() | core.Arith() | core.Compare():
                pass
            case core.All() | core.Any() | core.Not() | core.Member() | core.SetOf() | core.Range():
                pass
            case core.SetOp() | core.Exists() | core.Forall() | core.Filter() | core.Image():
                pass
            case core.Builtin():
                if not _regards_no_pieces(node):
                    return False
            case core.Apply(define, args):
                return self._calls(define, args, own)
            case _:
                return False
        is_piece = isinstance(node, core.Expr) and _is_of_pieces(node)
        return not is_piece and all(self.at_one(part, own) for part in core.children(node))

    def _calls(self, define: str, args: tuple[core.Expr, ...], own: frozenset[str]) -> bool:
        """Does a definition look at these pieces alone, applied to such values?"""
        passed = tuple(isinstance(arg, core.Var) and arg.name in own for arg in args)
        rest = (arg for arg, is_own in zip(args, passed, strict=True) if not is_own)
        return all(self.at_one(arg, own) for arg in rest) and self._defined(define, passed)

    def _defined(self, define: str, passed: tuple[bool, ...]) -> bool:
        key = (define, passed)
        if key not in self.known:
            self.known[key] = False  # until it is known: what calls itself is not looked through
            made = self.rules.definitions[define]
            names = frozenset(
                name for (name, _), is_own in zip(made.params, passed, strict=True) if is_own
            )
            self.known[key] = all(case.slot is None for case in made.cases) and all(
                self.at_one(part, names)
                for case in made.cases
                for part in core.nodes_in((case.value, case.cond))
            )
        return self.known[key]


def _regards_no_pieces(node: core.Builtin) -> bool:
    """Is what a built-in word gives decided by its arguments, or by what is no piece?"""
    basis, member = builtin(node.name).basis, element(node.type)
    of_kind = isinstance(member, KindT) or member == PLAYER
    return basis is Basis.ARGUMENTS or (basis is Basis.MEMBERS and of_kind)


def _is_of_pieces(node: core.Expr) -> bool:
    """Is it a piece, or some of them?"""
    inner = element(node.type)
    return isinstance(non_optional(inner if inner is not None else node.type), PieceT)
