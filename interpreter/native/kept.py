"""A lowered game as plain data, to be kept and read again: the portable module, and what its
numbers stand for.

Nothing of it is code that runs outside the sandbox. What is not as it was written is `Unreadable`.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from interpreter.engine.engine import Engine
from interpreter.native import ir, standing, wasm
from interpreter.native.control import Decision, Part
from interpreter.native.layout import Cell, Layout, Slot
from interpreter.native.lowering import Lowered
from interpreter.native.marks import Marks
from interpreter.native.program import Scope
from interpreter.native.standing import FLOW, Parting, Stacks, Standing
from rulelang import core
from rulelang.compiler import codec

_CLASSES = (
    standing.Rest,
    standing.Turns,
    standing.Listed,
    standing.Counted,
    standing.While,
    standing.OpenBlock,
    standing.Best,
    standing.Member,
    standing.LoopMembers,
    Standing,
    Parting,
    Slot,
    Cell,
)


@dataclass(frozen=True)
class _Known:
    """What the numbers of a module stand for."""

    end: int  # of a state
    decisions: tuple[Standing, ...]
    places: tuple[tuple[str, int], ...]
    ends: tuple[str, ...]
    returns: dict[int, Standing]
    backs: dict[str, int]
    partings: tuple[Parting, ...]
    marks: int
    dice: int
    chosen: int
    families: dict[int, int]
    commits: tuple[int, int, int]


def written(made: Lowered, raw: bytes) -> bytes:
    """The data of a lowered game; `raw` is its module in the binary format."""
    known = _Known(
        made.layout.end,
        tuple(d.standing for d in made.decisions),
        made.places,
        made.ends,
        dict(made.stacks.returns),
        dict(made.stacks.backs),
        made.partings,
        made.marks.start,
        made.dice,
        made.chosen,
        dict(made.families),
        made.commits,
    )
    text = codec.encode(known, (*_CLASSES, _Known)).encode()
    return len(text).to_bytes(8, "little") + text + zlib.compress(raw)


def restored(engine: Engine, payload: bytes) -> tuple[Lowered, bytes]:
    """The lowered game of this engine that was written so, and its module; raises Unreadable."""
    size = int.from_bytes(payload[:8], "little")
    try:
        packed = zlib.decompressobj()
        raw = packed.decompress(payload[8 + size :], wasm.MAX_BYTES)
        if not packed.eof:
            raise codec.Unreadable("a module that has no end")
        known = codec.decode(payload[8 : 8 + size], _Known, (*_CLASSES, _Known))
        decisions = tuple(_decision(engine, n, at) for n, at in enumerate(known.decisions))
    except (ValueError, KeyError, IndexError, AssertionError, zlib.error) as error:
        raise codec.Unreadable(str(error)) from error
    layout = Layout(engine.setup)
    layout.end = known.end
    stacks = Stacks(layout, known.returns, known.backs)
    made = Lowered(
        engine,
        ir.Module(),
        layout,
        decisions,
        known.places,
        known.ends,
        stacks,
        known.partings,
        Marks(engine.setup, known.marks),
        known.dice,
        known.chosen,
        known.families,
        known.commits,
    )
    return made, raw


def _decision(engine: Engine, number: int, at: Standing) -> Decision:
    """A decision that stands somewhere, without what was known while it was lowered."""
    last, rules = at.blocks[-1], engine.setup.rules
    body = engine.machine.numbered.all[last.body]
    stmt = body[last.pc]
    assert isinstance(stmt, core.Choose | core.Take | core.May)
    clause = rules.flow_clause if at.procedure == FLOW else rules.procedures[at.procedure].clause
    return Decision(number + 1, stmt, body, last.pc, Scope({}, clause), Part(0), at)
