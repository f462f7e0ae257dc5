"""Many games of one module, all stepped in one call.

Each stands in a slot of memory behind all that the module works in. It is copied to where play
goes on, goes on to its next decision, and is copied back; what may be chosen then is listed one
game behind the other.
"""

from __future__ import annotations

from interpreter.native import ir
from interpreter.native.builder import Builder
from interpreter.native.control import Control
from interpreter.native.ir import Ty, op
from interpreter.native.layout import OUTPUT, STATE
from interpreter.native.shared import Shared
from interpreter.native.values import NONE

NAME = "stepped"
NOTHING = -(1 << 62)  # chosen where a game is only to be looked at
ROW = 16  # bytes told of a game: its end, its decision, who decides, how many options there are


class Batching:
    """Writes the function that steps games; for one in which players decide at once there is none.

    From the game of number `stepping` on they are stepped as long as the options of one more have
    room; these are written from `listing` on. After a trap the game of that number stands as it
    did before.
    """

    def __init__(self, shared: Shared, control: Control) -> None:
        """What is shared stands in globals, for it must be known after a trap."""
        self.program, self.control = shared.program, control
        self.stepping = self.program.shared(Ty.I32, "stepping")
        self.listing = self.program.shared(Ty.I32, "listing")

    def written(self, choose: ir.Function, decider: ir.Function, options: ir.Function) -> None:
        """Write it with the functions that choose, say who decides, and list what may be chosen."""
        if self.control.simultaneous.forks:
            return
        program, layout = self.program, self.program.layout
        params = [ir.Register(Ty.I32, n) for n in ("chosen", "told", "slots", "end", "games")]
        chosen, told, slots, end, games = params
        b = Builder(program.function(NAME, params, [], exported=True))
        b.set(program.seat, ir.i32(NONE))
        at, size = ir.Get(self.stepping), ir.Get(program.state_size)
        value = b.new(Ty.I64, "value")
        slot, row, count = (b.new(Ty.I32, name) for name in ("slot", "row", "count"))
        with b.block() as done, b.loop() as again:
            b.jump(done, op("i32.ge_s", at, ir.Get(games)))
            b.set(slot, op("i32.add", ir.Get(slots), op("i32.mul", at, size)))
            b.add(ir.Copy(ir.i32(STATE), ir.Get(slot), size))
            program.changed(b)
            b.set(program.steps, ir.i64(0))
            b.set(program.visits, ir.i64(0))
            here = op("i32.add", ir.Get(chosen), op("i32.shl", at, ir.i32(3)))
            b.set(value, ir.load("i64.load", here))
            with b.when(op("i64.ne", ir.Get(value), ir.i64(NOTHING))):
                b.add(ir.Call(choose, (ir.Get(value),), ()))
            ended = ir.load("i32.load", ir.i32(0), layout.ended)
            point = ir.load("i32.load", ir.i32(0), layout.point)
            b.set(row, op("i32.add", ir.Get(told), op("i32.mul", at, ir.i32(ROW))))
            b.store("i32.store", ir.Get(row), 0, ended)
            b.store("i32.store", ir.Get(row), 4, point)
            b.store("i32.store", ir.Get(row), 8, ir.i32(NONE))
            b.set(count, ir.i32(0))
            with b.when(op("i32.and", op("i32.eqz", ended), op("i32.ne", point, ir.i32(0)))):
                (player,) = b.call(decider)
                b.store("i32.store", ir.Get(row), 8, player)
                b.add(ir.Call(options, (), (count,)))
            program.within_bounds(b)
            b.store("i32.store", ir.Get(row), 12, ir.Get(count))
            b.set(count, op("i32.shl", ir.Get(count), ir.i32(3)))
            more = op("i32.add", ir.Get(self.listing), ir.Get(count))
            b.jump(done, op("i32.gt_s", more, ir.Get(end)))
            b.add(ir.Copy(ir.Get(self.listing), ir.i32(OUTPUT), ir.Get(count)))
            b.set(self.listing, more)
            b.add(ir.Copy(ir.Get(slot), ir.i32(STATE), size))
            b.set(self.stepping, op("i32.add", at, ir.i32(1)))
            b.jump(again)
