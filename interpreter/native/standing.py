"""Where play stands, as the reference writes it down: open blocks and values in scope, from slots.

Each decision and each place that a procedure returns to has a `Standing`, made while control is
lowered; with a state's bytes it gives the stack of that position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from interpreter.engine.machine import AT_ONCE
from interpreter.model.position import Activation, Block
from interpreter.native.layout import STATE, Layout, Slot
from interpreter.native.values import decoded
from rulelang.core.types import NUMBER, Type
from rulelang.core.values import Value, ordered

FLOW = "flow"


@dataclass(frozen=True)
class Rest:
    """A loop over a set: its members that are left stand in a slot."""

    var: str
    left: Slot


@dataclass(frozen=True)
class Turns:
    """A loop over the players in turn: who it is, and how many are left with him."""

    var: str
    player: Slot
    left: Slot


@dataclass(frozen=True)
class Listed:
    """A loop over a list: where it stands, the next member's place in it, and its end."""

    var: str
    at: int
    item: Type
    place: Slot
    end: Slot


@dataclass(frozen=True)
class Counted:
    """A loop of so many rounds: how many are left with this one."""

    left: Slot


@dataclass(frozen=True)
class While:
    """A loop under a condition: where it stands."""

    body: int
    pc: int


@dataclass(frozen=True)
class Best:
    """A block that is maximized, which is no loop: its body, the number of the block, and where it
    stands in the state that this one is open.
    """

    body: int
    number: int
    at: int


Loop: TypeAlias = Rest | Turns | Listed | Counted | While | Best | None
_KINDS = {
    Rest: "each",
    Turns: "each",
    Listed: "each",
    Counted: "times",
    While: "while",
    Best: "maximize",
}


@dataclass(frozen=True)
class OpenBlock:
    """A block of statements that is open: which body, how far, and as what."""

    body: int
    pc: int
    loop: Loop = None
    endless: bool = False


@dataclass(frozen=True)
class Member:
    """The name of a loop's member, which outlives the loop, and whether there has been one."""

    slot: Slot
    given: int


@dataclass
class LoopMembers:
    """The members of all loops of one procedure, or of what players do at once, by name."""

    known: dict[str, Member] = field(default_factory=dict)


@dataclass(frozen=True)
class Standing:
    """A place where play may stand: of which procedure, its open blocks, what is in scope."""

    procedure: str
    blocks: tuple[OpenBlock, ...]
    names: dict[str, Slot]
    members: tuple[LoopMembers, ...]
    whole: bool  # does all that is in scope stand in slots?
    apart: bool = False  # is this in the branch of a player?
    result: str = ""  # what is called here what the procedure gives that returns here


@dataclass(frozen=True)
class Parting:
    """A statement by which players decide at once: where it stands, the name for a player, and the
    body that all go through.
    """

    at: Standing
    var: str
    body: int


class Stacks:
    """Writes down the stack of a state of play."""

    def __init__(
        self,
        layout: Layout,
        returns: Mapping[int, Standing],
        backs: Mapping[str, int],
    ) -> None:
        """`returns` is where parts go on; `backs` where a procedure's way back stands."""
        self.layout, self.returns, self.backs = layout, returns, backs

    def stack(self, raw: bytes, at: Standing) -> list[Activation]:
        """The stack of a state of play that stands here."""
        found = [self._activation(raw, at)]
        while at.procedure != FLOW and not at.apart:
            at = self.returns[self.layout.number(raw, self.backs[at.procedure])]
            found[-1].result = at.result or None
            found.append(self._activation(raw, at))
        return found[::-1]

    def parted(self, raw: bytes, at: Parting) -> list[Activation]:
        """The stack of the common state while players decide at once."""
        found = self.stack(raw, at.at)
        found[-1].env[AT_ONCE] = (at.var, at.body)
        return found

    def _activation(self, raw: bytes, at: Standing) -> Activation:
        env = {
            name: self.layout.in_slot(raw, member.slot)
            for members in at.members
            for name, member in members.known.items()
            if self.layout.number(raw, member.given)
        }
        for name, slot in at.names.items():
            env[name] = self.layout.in_slot(raw, slot)
        return Activation(at.procedure, env, [self._block(raw, block) for block in at.blocks])

    def _block(self, raw: bytes, block: OpenBlock) -> Block:
        if block.loop is None:
            return Block(block.body, block.pc, "forever" if block.endless else "")
        return Block(block.body, block.pc, _KINDS[type(block.loop)], self._data(raw, block.loop))

    def _data(
        self, raw: bytes, loop: Rest | Turns | Listed | Counted | While | Best
    ) -> tuple[Value, ...]:
        held = self.layout.in_slot
        match loop:
            case Rest():
                left = held(raw, loop.left)
                assert isinstance(left, frozenset)
                return loop.var, tuple(ordered(left))
            case Turns():
                player, left = held(raw, loop.player), held(raw, loop.left)
                assert isinstance(player, int) and isinstance(left, int)
                count = self.layout.setup.players
                return loop.var, tuple((player + n) % count for n in range(1, left))
            case Listed():
                place, end = held(raw, loop.place), held(raw, loop.end)
                assert isinstance(place, int) and isinstance(end, int)
                first = loop.at - STATE
                size = 8 if loop.item == NUMBER else 4
                numbers = (
                    int.from_bytes(raw[first + n : first + n + size], "little", signed=True)
                    for n in range(place, end, 8)
                )
                setup = self.layout.setup
                return loop.var, tuple(decoded(setup, loop.item, n) for n in numbers)
            case Counted():
                return (held(raw, loop.left),)
            case While():
                return loop.body, loop.pc
            case Best():
                return (loop.body,)
            case _:
                assert_never(loop)
