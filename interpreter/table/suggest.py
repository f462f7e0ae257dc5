"""What could be chosen instead of a wish that is refused: the change of one choice that comes
nearest to it."""

from __future__ import annotations

from itertools import islice

from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import State
from interpreter.table.intents import Step, Wish
from rulelang import core
from rulelang.core.types import SetT, SiteT, Type
from rulelang.core.values import Value, number, numbers
from rulelang.geometry import grid

MOST_LOOKED_AT = 300  # options of one choice


def instead(state: State, wish: Wish) -> str:
    """The nearest legal wish: one choice of it is another, all others are as they were.

    Empty if none is known. The last choice is changed first, so that a piece is rather moved
    elsewhere than changed for another. Of places the nearest one is told.
    """
    for index in range(len(wish.steps) - 1, -1, -1):
        before = _after(state, wish, wish.steps[:index])
        found = _others(before, wish, index) if before is not None else []
        if before is not None and found:
            step = wish.steps[index]
            return _told(before, step, sorted(found, key=lambda o: _far(before, step, o.value)))
    return ""


def _others(before: State, wish: Wish, index: int) -> list[Option]:
    """The other options of one step of a wish after which the rest of it is still legal."""
    step, rest = wish.steps[index], wish.steps[index + 1 :]
    of_one = isinstance(step.stmt, core.Choose) and step.stmt.mode == "one"
    if not of_one and (rest or not isinstance(step.stmt, core.Take)):
        return []
    decision = _decision(before, wish.player, step.name)
    if decision is None:
        return []
    options = [o for o in islice(decision.options(), MOST_LOOKED_AT) if o.value != step.value]
    if not rest:
        return options
    return [o for o in options if _after(before.after(o), wish, rest) is not None]


def _after(state: State | None, wish: Wish, steps: tuple[Step, ...]) -> State | None:
    for step in steps:
        state = state.after(Option(wish.player, step.name, step.value)) if state else None
    return state


def _decision(state: State, player: int, name: str) -> Decision | None:
    return next((d for d in state.decisions if d.player == player and d.name == name), None)


def _told(state: State, step: Step, options: list[Option]) -> str:
    rules, game = state.game.rules_source, state.game
    value = options[0].value
    if isinstance(step.stmt, core.Take):
        assert isinstance(value, str)
        text = rules.procedures[value].title or value
    else:
        assert isinstance(step.stmt, core.Choose)
        text = game.presenter.text(value, step.stmt.item, state.position)
    more = len(options) - 1
    others = f", or {more} other{'s' if more > 1 else ''}" if more else ""
    return f"“{text}” instead of “{step.text}” would do{others}"


def _far(state: State, step: Step, value: Value) -> int:
    """How far a place is from the one that was wished for.

    0 of what is no place, so that it stays in its order.
    """
    item: Type | None = step.stmt.item if isinstance(step.stmt, core.Choose) else None
    site = item.of if isinstance(item, SetT) else item
    if not isinstance(site, SiteT) or site.role != "cell":
        return 0
    info = state.game.setup.boards[site.board]
    one, two = (
        sorted(numbers(v)) if isinstance(v, frozenset) else [number(v)] for v in (value, step.value)
    )
    if not one or not two or one[0] // info.cells != two[0] // info.cells:
        return info.cells
    return min(
        grid.distance(info.grid, a % info.cells, b % info.cells, None) for a in one for b in two
    )
