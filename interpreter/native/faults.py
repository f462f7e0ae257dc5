"""What may be a fault: only what certainly is none may be worked out where nobody asked for it."""

from __future__ import annotations

from interpreter.native.program import Program
from rulelang import core
from rulelang.core.types import PLAYER, TRUTH
from rulelang.ruleset import Ruleset

# Built-in words that may stop: sums may pass 64 bits, the others ask for players' boards.
_RISKY = frozenset({"sum", "board_of", "board_sites", "board_pieces"})


class Faults:
    """Judges expressions of one program."""

    def __init__(self, program: Program) -> None:
        """What has a name is judged once."""
        self.ruleset: Ruleset = program.ruleset
        self.players = program.setup.players
        self._named: dict[tuple[str, str], bool] = {}

    def possible(self, item: object) -> bool:
        """May working this out be a fault?"""
        return any(self._at(node) for node in core.walk(item))

    def _at(self, node: core.Node) -> bool:
        match node:
            case core.Arith() | core.Range() | core.At() | core.Total() | core.Accepts():
                return True
            case core.Builtin():
                return node.name in _RISKY
            case core.Read():
                return self._absent(node)
            case core.Apply():
                return self._definition(node.define)
            case core.Groups() | core.Reach():
                return node.relation is not None and self._definition(node.relation)
            case _:
                return False

    def _absent(self, node: core.Read) -> bool:
        """May a player be asked for who does not play?"""
        state = self.ruleset.states[node.state]
        if state.of != PLAYER or node.index is None:
            return False
        # A player in scope may have been named in the rules; only who plays is a loop's member.
        return not isinstance(node.index, core.Var)

    def _definition(self, name: str) -> bool:
        key = ("define", name)
        if key not in self._named:
            self._named[key] = True
            known = self.ruleset.definitions[name]
            open_to_cards = any(case.slot for case in known.cases)
            self._named[key] = open_to_cards or self.possible(known)
        return self._named[key]


TRUE = core.Const(True, type=TRUTH)


def parts_of(cond: core.Expr) -> tuple[core.Expr, ...]:
    """The conditions that a condition joins; none of one that always holds."""
    if isinstance(cond, core.All):
        return tuple(part for inner in cond.of for part in parts_of(inner))
    return () if isinstance(cond, core.Const) and cond.value is True else (cond,)
