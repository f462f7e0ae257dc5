"""A game lowered: from its reference engine to a module and what is needed to run it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interpreter.engine.engine import Engine
from interpreter.model.position import empty_position
from interpreter.native import ir
from interpreter.native.choices import Choices
from interpreter.native.control import Control, Decision
from interpreter.native.layout import Layout
from interpreter.native.marks import Marks
from interpreter.native.program import Program
from interpreter.native.shared import Shared
from interpreter.native.standing import Parting, Stacks


@dataclass(frozen=True)
class Lowered:
    """A module, the layout of its states, and what its numbers stand for."""

    engine: Engine
    module: ir.Module
    layout: Layout
    decisions: tuple[Decision, ...]
    places: tuple[tuple[str, int], ...]
    ends: tuple[str, ...]
    stacks: Stacks
    partings: tuple[Parting, ...]
    marks: Marks
    dice: int  # where the generators of bots stand
    chosen: int  # where the last choice of a game does, and its set
    families: Mapping[int, int]  # of decisions between sets, where these stand
    commits: tuple[int, int, int]
    """Where a branch has the number of its choices, and they, and where each has its decision."""


def lowered(engine: Engine) -> Lowered:
    """The module of a game; raises NotLowered for a construct that is not written yet."""
    program = Program(engine, empty_position(engine.setup, 0))
    shared = Shared(program)
    control = Control(shared)
    control.written()
    choices = Choices(shared, control)
    choices.written()
    module = program.finished()
    return Lowered(
        engine,
        module,
        program.layout,
        tuple(control.decisions),
        tuple(program.places),
        tuple(program.ends),
        control.stacks(),
        tuple(control.partings),
        shared.marks,
        choices.sampling.dice.start,
        choices.sampling.chosen,
        {number: family.start for number, family in choices.families.items()},
        (
            control.simultaneous.count,
            control.simultaneous.choices,
            control.simultaneous.point,
        ),
    )
