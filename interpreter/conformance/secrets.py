"""Laws of secrecy: in two states of one information set a player is told the same.

Views, log, prompts, options, reasons and undo are compared byte for byte.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from interpreter.conformance.laws import Case, candidates, difference, written
from interpreter.conformance.pairs import exchanged, new_entries, seat, varied
from interpreter.engine.decisions import Option
from interpreter.engine.simultaneous import watched
from interpreter.environments.bounds import Unbounded
from interpreter.environments.tensors import Layout
from interpreter.game import log
from interpreter.game.game import Game, Illegal, State
from interpreter.game.views import view
from interpreter.game.worked_out import WorkedOut
from interpreter.model.position import Entry
from interpreter.render import table
from interpreter.render.board import draw_all
from interpreter.render.look import Look
from interpreter.table.menu import Menu

EARLY = 12  # choices before which pieces are exchanged in two ways
WHY = 2  # things that may not be chosen of which the reasons are compared


def leaks(case: Case, state: State) -> None:
    """Check for every viewer that indistinguishable states look alike, also after one choice."""
    for viewer in _viewers(state):
        told = faces(state, viewer)
        for other in _pairs(case, state, viewer):
            case.ledger.pairs += 1
            for law, fact in compared(told, faces(other, viewer)):
                told_of = f"{_name(viewer)} is told what he may not know: {fact}"
                case.check(law, not fact, told_of)
            if viewer is not None:
                _after(case, state, other, viewer)


def sealed(case: Case, state: State) -> None:
    """Check that a choice in simultaneous play shows to nobody but those it is open to."""
    for decision in state.decisions:
        if decision.spec.seat is None:
            continue
        later = state.choose(decision.sample(case.rng))
        for viewer in _viewers(state):
            if viewer == decision.player or _joined(state, later):
                continue  # when all have decided all may know
            if viewer is None or not _watches(later, viewer, decision.player):
                _unseen(case, state, later, viewer, decision.player)


def _watches(state: State, viewer: int, player: int) -> bool:
    return player in watched(state.game.machine, state.position, viewer)


def _unseen(case: Case, state: State, later: State, viewer: int | None, player: int) -> None:
    """Check that the viewer is told the same before and after another's unseen choice."""
    asked = not _last(state, viewer) and not _last(later, viewer)
    before = faces(state, viewer, whole=True, asked=asked)
    after = faces(later, viewer, whole=True, asked=asked)
    for law, fact in compared(before, after):
        told = f"{_name(viewer)} is told what player {player + 1} decides unseen: {fact}"
        case.check(law, not fact, told)


def retold(case: Case, state: State) -> None:
    """Check that what a viewer has read in the log stays, in the same order and words.

    Other lines may have come between.
    """
    for viewer in _viewers(state):
        log = view(state, viewer)["log"]
        assert isinstance(log, list)
        lines = [written(line) for line in log]
        rest = iter(lines)
        gone = next((line for line in case.read.get(viewer, ()) if line not in rest), None)
        told = f"{_name(viewer)} has read {gone}, and no longer does"
        case.check("log", gone is None, told)
        case.read[viewer] = lines


def _joined(state: State, later: State) -> bool:
    """Whether this was the last of the simultaneous choices, so that all become known."""
    made = later.position.commits
    return bool(state.position.branches) and sum(map(len, made.values())) != 1 + sum(
        map(len, state.position.commits.values())
    )


def _last(state: State, viewer: int | None) -> bool:
    """Whether all others have decided, so that any answer of his makes their choices known."""
    branches = state.position.branches
    return bool(branches) and not any(
        branch.stack for player, branch in branches.items() if player != viewer
    )


def _viewers(state: State) -> tuple[int | None, ...]:
    return (*range(state.game.players), None)


def _name(viewer: int | None) -> str:
    return "an onlooker" if viewer is None else f"player {viewer + 1}"


def _pairs(case: Case, state: State, viewer: int | None) -> Iterator[State]:
    for make in (exchanged, exchanged, varied) if state.moves < EARLY else (exchanged, varied):
        made = make(state, viewer, case.rng)
        if made is not None:
            yield made


# ---------------------------------------------------------------------------- what a viewer is told
def faces(
    state: State, viewer: int | None, whole: bool = False, asked: bool = True
) -> dict[str, object]:
    """All a viewer is told of a state, by the law that guards it.

    Of the log only the newest lines, unless the `whole` is wanted. Reasons why something may not
    be chosen are left out unless `asked`, and where asking makes others' choices known.
    """
    seen = view(state, viewer)
    own = seat(state.position, viewer)
    entries = own.entries() if whole else new_entries(state, viewer)
    log = seen.pop("log")
    assert isinstance(log, list)
    reasons = list(_reasons(state, viewer)) if asked and not _last(state, viewer) else []
    found: dict[str, object] = {
        "prompts": {
            "decisions": seen.pop("decisions"),
            "menus": list(_menus(state, viewer)),
            "reasons": reasons,
        },
        "taking back": seen.pop("undo"),
        "log": {
            "lines": log[len(log) - len(entries) :],
            "told": [_told(state, entry, viewer) for entry in entries],
        },
    }
    standing = [line.plain for line in table.standing(state, viewer)]
    maps = [line.plain for line in draw_all(state.game, state.seen_by(viewer), Look(viewer))]
    tensors = _tensors(state, viewer)
    if tensors is not None:
        found["tensors"] = tensors
    return {"views": {"view": seen, "standing": standing, "maps": maps}, **found}


def _layout(game: Game) -> Layout | None:
    """The tensors of a game; none where something in it has no sensible bound."""
    try:
        return Layout(game)
    except Unbounded:
        return None


_layouts = WorkedOut(_layout)


def _tensors(state: State, viewer: int | None) -> object:
    """The tensor that an agent in the viewer's seat observes; none where there is none."""
    layout = _layouts(state.game)
    if layout is None or viewer is None:
        return None
    return sorted(layout.observation(state, viewer).items())


def compared(one: dict[str, object], other: dict[str, object]) -> Iterator[tuple[str, str | None]]:
    """Each law with the smallest difference between two faces, or none."""
    for law in one:
        yield law, difference(one[law], other[law])


def _told(state: State, entry: Entry, viewer: int | None) -> list[str]:
    """A line of the log in words, and an event explained."""
    tree = state.explain(entry, viewer) if entry.kind == "event" else None
    return [log.told(state, entry, viewer), *(tree.lines() if tree is not None else ())]


def _menus(state: State, viewer: int | None) -> Iterator[object]:
    for decision in state.decisions:
        if decision.player == viewer:
            menu = Menu.of(state, decision)
            yield [menu.ask(), menu.lines(None)]


def _reasons(state: State, viewer: int | None) -> Iterator[object]:
    """Why some things may not be chosen, as the viewer would be told."""
    for decision in state.decisions:
        if decision.player != viewer or decision.spec.mode not in ("one", "action"):
            continue
        for value in candidates(state, decision.spec)[-WHY:]:
            try:
                state.choose(Option(viewer, decision.name, value))
            except Illegal as error:
                yield [str(error), [dataclasses.asdict(reason) for reason in error.reasons]]


# ----------------------------------------------------------------------------------- after a choice
def _after(case: Case, state: State, other: State, viewer: int) -> None:
    """Check one choice made in two indistinguishable states.

    What differs after it was shown by it, so it cannot be undone; if nothing differs, both can be
    undone or neither.
    """
    for number, decision in enumerate(state.decisions):
        if decision.player != viewer or number >= len(other.decisions):
            continue
        option = decision.sample(case.rng)
        one = state.choose(option)
        if _joined(state, one):
            continue
        try:
            two = other.choose(option)
        except Illegal as error:
            told = f"{_name(viewer)} learns from hidden things whether {option} may be chosen"
            case.note("prompts", f"{told}: {error}")
            continue
        shown = next(
            (
                f"{law}: {fact}"
                for law, fact in compared(faces(one, viewer), faces(two, viewer))
                if fact and law != "taking back"
            ),
            None,
        )
        free, also = _undoable(one), _undoable(two)
        if shown and (free or also):
            told = f"{_name(viewer)} may take back {option}, which showed him {shown}"
            case.note("taking back", told)
        else:
            told = f"whether {option} may be taken back tells what is hidden"
            case.check("taking back", free == also, told)


def _undoable(state: State) -> bool:
    try:
        state.undo()
    except Illegal:
        return False
    return True
