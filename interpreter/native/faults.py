"""What may be a fault: only what certainly is none may be worked out where nobody asked for it."""

from __future__ import annotations

from interpreter.native.program import OpenPlace, Program
from rulelang import core
from rulelang.core.bounds import LARGEST, SMALLEST
from rulelang.core.types import NUMBER, PLAYER, TRUTH, PieceT, non_optional

# Built-in words that may stop: sums may pass 64 bits, the others ask for players' boards.
_RISKY = frozenset({"sum", "board_of", "board_sites", "board_pieces"})
# Words that give no number below 0 and none above this.
_COUNTING = frozenset({"count", "tile_index", "row", "column", "distance"})
_MOST = 1 << 24


class Faults:
    """Judges expressions of one program."""

    def __init__(self, program: Program) -> None:
        """What has a name is judged once."""
        self.program, self.ruleset = program, program.ruleset
        self.players = program.setup.players
        self._named: dict[tuple[str, str], bool] = {}

    def possible(self, item: object) -> bool:
        """May working this out be a fault?"""
        return any(self._at(node) for node in core.walk(item))

    def _at(self, node: core.Node) -> bool:
        match node:
            case core.Arith():
                return self.span(node) is None
            case core.Range() | core.At() | core.Total():
                return True
            case core.Accepts():
                return self._event(node.event)
            case core.Builtin():
                return node.name in _RISKY and not self._of_the_only_board(node)
            case core.Read():
                return self._absent(node)
            case core.Apply():
                return self._definition(node.define)
            case core.Groups() | core.Reach():
                return node.relation is not None and self._definition(node.relation)
            case _:
                return False

    @staticmethod
    def _of_the_only_board(node: core.Builtin) -> bool:
        """Is it asked of a board that is nobody's?"""
        of = node.args[0]
        return node.name != "sum" and isinstance(of, core.Builtin) and of.name == "board"

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
            slots = [case.slot for case in known.cases if case.slot]
            self._named[key] = self.possible(known) or self._added("define", name, slots)
        return self._named[key]

    def _event(self, name: str) -> bool:
        """May judging an event be a fault?"""
        key = ("rules", name)
        if key not in self._named:
            self._named[key] = True
            rules = self.ruleset.events[name].rules
            slots = [rule.slot for rule in rules if rule.slot is not None]
            judged = [(rule.cond, rule.need) for rule in rules]
            self._named[key] = (
                bool(self.program.reads.invariants)
                or self.possible(judged)
                or self._added("rules", name, slots)
            )
        return self._named[key]

    def _added(self, kind: str, name: str, slots: list[str]) -> bool:
        """May it be a fault what cards add there?"""
        found = (e for s in slots for e in self.program.extensions(OpenPlace(kind, name, s, ())))
        return any(self.possible((e.cond, e.cases, e.rules)) for e in found)

    def span(self, e: core.Expr) -> tuple[int, int] | None:
        """Two numbers between which a number lies that is worked out without passing 64 bits on
        the way; none if that is not known beforehand.
        """
        match e:
            case core.Const(value=int() as value):
                return value, value
            case core.Builtin() if e.name in _COUNTING:
                return 0, _MOST
            case core.Attribute() if e.type == NUMBER and isinstance(
                non_optional(e.of.type), PieceT
            ):
                printed = [n for n in self.program.setup.fields[e.name] if isinstance(n, int)]
                return min(0, *printed, 0), max(0, *printed, 0)
            case core.Arith():
                return self._worked_out(e)
            case _:
                return None

    def _worked_out(self, e: core.Arith) -> tuple[int, int] | None:
        left, right = self.span(e.left), self.span(e.right)
        if left is None or right is None or e.op not in ("+", "-", "*"):
            return None
        made = {
            "+": [x + y for x in left for y in right],
            "-": [x - y for x in left for y in right],
            "*": [x * y for x in left for y in right],
        }[e.op]
        return (min(made), max(made)) if SMALLEST <= min(made) <= max(made) <= LARGEST else None


TRUE = core.Const(True, type=TRUTH)


def parts_of(cond: core.Expr) -> tuple[core.Expr, ...]:
    """The conditions that a condition joins; none of one that always holds."""
    if isinstance(cond, core.All):
        return tuple(part for inner in cond.of for part in parts_of(inner))
    return () if isinstance(cond, core.Const) and cond.value is True else (cond,)
