"""What a choice comes to without a sentence, and whether a game says so when it is played again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from interpreter.engine.decisions import Option
from interpreter.game.game import Game, Illegal, State
from interpreter.model.position import Entry
from interpreter.model.values import Fault
from rulelang.core.types import PieceT
from rulelang.core.values import members

MOST_OPTIONS = 240  # of two decisions that are held against each other
LATELY = 3  # choices


def chosen_lately(state: State) -> list[int]:
    """The pieces chosen by the last choices, those of the last one first."""
    found: dict[int, None] = {}
    at: State | None = state
    for _ in range(LATELY):
        if at is None or at.parent is None or at.choice is None:
            break
        spec = at.parent.spec_of(at.choice.player, at.choice.name)
        if spec is not None and isinstance(spec.item, PieceT):
            value = at.choice.value
            chosen = members(value) if isinstance(value, frozenset | tuple) else (value,)
            found |= dict.fromkeys(c for c in chosen if isinstance(c, int))
        at = at.parent
    return list(found)


def fresh(state: State) -> Iterator[Entry]:
    """What was logged by the last choice, newest first."""
    rest = state.position.log
    end = state.parent.position.log if state.parent is not None else ()
    while rest and rest is not end:
        entry, rest = rest
        yield entry


def took_part(state: State) -> list[int]:
    """The pieces that took part in events by the last choice."""
    events = state.game.rules_source.events
    found: dict[int, None] = {}
    for entry in fresh(state):
        params = events[entry.name].params if entry.kind == "event" else ()
        for (_, value), (_, t) in zip(entry.args, params, strict=False):
            if isinstance(t, PieceT) and isinstance(value, int):
                found[value] = None
    return list(found)


def state_without(state: State, without: Game) -> State:
    """The same position by rules that lack a sentence."""
    position = state.position.copy()
    for at in (position, *position.branches.values()):
        at.setup, at.memos = without.setup, {}
    return State(without, position)


def apart(before: State, state: State | None, other: State) -> str:
    """How a decision differs where a sentence is gone, or what its choice comes to; nothing if it
    does not. `other` is where the decision is open without the sentence."""
    if state is None:
        more = _more(before, other)
        return f"without it there are {more} options at choice {before.moves + 1}" if more else ""
    assert state.choice is not None
    later = other.after(state.choice)
    if later is None:
        return f"without it choice {state.moves} is refused"
    if later.scores() != state.scores():
        return f"without it the scores are {later.scores()}, not {state.scores()}"
    if [(d.player, d.name) for d in later.decisions] != [
        (d.player, d.name) for d in state.decisions
    ]:
        return f"without it something else is asked after choice {state.moves}"
    if later.digest() != state.digest():
        return "without it the table lies otherwise"
    mine, yours = (
        [(line.op, line.amount) for e in fresh(s) for t in e.totals for line in t.lines]
        for s in (state, later)
    )
    if mine != yours:
        return f"without it {len(yours)} lines are counted, not {len(mine)}"
    return ""


def parting(without: Game, last: State) -> tuple[State, str] | None:
    """The first state of a game that is another where a sentence is gone, and how it is; none where
    all of it is the same.
    """
    other: State = without.start(last.position.seed)
    for after in _path(last):
        before, choice = after.parent, after.choice
        assert before is not None and choice is not None
        later = other.after(choice)
        if later is None or not _alike(after, later):
            said = apart(before, after, other)
            if said:
                return after, said
        if later is None:
            return None
        later.parent, other = None, later  # thousands of them take a gigabyte
    return None


def _alike(one: State, two: State) -> bool:
    """Are two states the same at a glance, and what was logged by the last choice, too?"""
    mine, yours = one.position, two.position
    if mine.where != yours.where or mine.vars != yours.vars or mine.ended != yours.ended:
        return False
    rest = mine.log, yours.log
    end = one.parent.position.log if one.parent is not None else ()
    while rest[0] and rest[0] is not end:
        if not rest[1] or rest[0][0] != rest[1][0]:
            return False
        rest = rest[0][1], rest[1][1]
    return [(d.player, d.name) for d in one.specs] == [(d.player, d.name) for d in two.specs]


def differs_again(
    without: Game,
    before: State,
    state: State | None,
    bearers: frozenset[int] = frozenset(),
) -> bool:
    """Does the game, played again from its start without a sentence, differ by then, be it that one
    of its bearers is offered?"""
    at = without.start(before.position.seed)
    path = [choice for state in _path(before) if (choice := state.choice) is not None]
    try:
        for option in path:
            at = at.choose(option)
            at.parent = None  # thousands of them take a gigabyte
        if state is None and any(_takes(at, p) and not _takes(before, p) for p in bearers):
            return True
        return bool(apart(before, state, at))
    except (Illegal, Fault):
        return True


def _path(state: State) -> list[State]:
    """The states from the one after the first choice to this one."""
    path: list[State] = []
    while state.parent is not None:
        path.append(state)
        state = state.parent
    return path[::-1]


def _takes(state: State, piece: int) -> bool:
    decision = state.decisions[0] if state.decisions else None
    return decision is not None and decision.takes(Option(decision.player, decision.name, piece))


def _more(one: State, two: State) -> str:
    """Are there more options in the second, fewer, or others? Nothing if they are the same."""
    here, there = (
        {(d.player, o.value) for d in s.decisions for o in islice(d.options(), MOST_OPTIONS)}
        for s in (one, two)
    )
    if here == there:
        return ""
    return "more" if here < there else "fewer" if there < here else "other"
