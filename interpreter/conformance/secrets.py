"""Laws of secrecy: of two states a viewer cannot tell apart, everything he is told is the same, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.conformance.laws import Case, candidates, difference, written
from interpreter.conformance.pairs import exchanged, new_entries, seat, varied
from interpreter.engine.decisions import Option
from interpreter.engine.simultaneous import watched
from interpreter.game import log as logbook
from interpreter.game.game import Illegal, State
from interpreter.game.views import view
from interpreter.model.position import Entry
from interpreter.render import table
from interpreter.render.board import Look, draw_all
from interpreter.table.menu import Menu

WHY = 2  # things that may not be chosen of which the reasons are compared


def leaks(case: Case, state: State) -> None:
    """For every viewer: states that differ in what he does not know look the same, and still do after the same choice."""
    for viewer in _viewers(state):
        told = faces(state, viewer)
        for other in _pairs(case, state, viewer):
            for law, fact in compared(told, faces(other, viewer)):
                case.note(
                    law, f"{_name(viewer)} is told what he may not know: {fact}" if fact else None
                )
            if viewer is not None:
                _after(case, state, other, viewer)


def sealed(case: Case, state: State) -> None:
    """While players decide at once, what one chooses and how far he is shows to nobody else, but to those it is open to."""
    for decision in state.decisions:
        if decision.spec.seat is None:
            continue
        later = state.choose(decision.sample(case.rng))
        for viewer in _viewers(state):
            if viewer == decision.player or _joined(state, later):
                continue  # when all have decided all may know
            if viewer is not None and decision.player in watched(
                state.game.machine, later.position, viewer
            ):
                continue
            asked = not _last(state, viewer) and not _last(later, viewer)
            for law, fact in compared(
                faces(state, viewer, whole=True, asked=asked),
                faces(later, viewer, whole=True, asked=asked),
            ):
                case.note(
                    law,
                    f"{_name(viewer)} is told what player {decision.player + 1} decides unseen: {fact}"
                    if fact
                    else None,
                )


def retold(case: Case, state: State) -> None:
    """What a viewer has read in the log he reads again, in the same order and words; other lines may have come between."""
    for viewer in _viewers(state):
        lines = [written(line) for line in view(state, viewer)["log"]]
        rest = iter(lines)
        gone = next((line for line in case.read.get(viewer, ()) if line not in rest), None)
        case.note(
            "log",
            f"{_name(viewer)} has read {gone}, and no longer does" if gone is not None else None,
        )
        case.read[viewer] = lines


def _joined(state: State, later: State) -> bool:
    """Was this the last choice of those made at once, so that all are made known?"""
    made = later.position.commits
    return bool(state.position.branches) and sum(map(len, made.values())) != 1 + sum(
        map(len, state.position.commits.values())
    )


def _last(state: State, viewer: int | None) -> bool:
    """Have all others decided, so that any answer of his would make known what they did?"""
    branches = state.position.branches
    return bool(branches) and not any(
        branch.stack for player, branch in branches.items() if player != viewer
    )


def _viewers(state: State) -> tuple[int | None, ...]:
    return (*range(state.game.players), None)


def _name(viewer: int | None) -> str:
    return "an onlooker" if viewer is None else f"player {viewer + 1}"


def _pairs(case: Case, state: State, viewer: int | None) -> Iterator[State]:
    for make in (exchanged, varied):
        made = make(state, viewer, case.rng)
        if made is not None:
            yield made


# ------------------------------------------------------------------------------------------------ what a viewer is told
def faces(
    state: State, viewer: int | None, whole: bool = False, asked: bool = True
) -> dict[str, Any]:
    """All a viewer is told of a state, by the law that guards it; of the log only what was written last, unless the whole is asked for.

    Why things may not be chosen is asked only if that can make nothing known, and if the caller wants it `asked`.
    """
    seen = view(state, viewer)
    own = seat(state.position, viewer)
    entries = own.entries() if whole else new_entries(state, viewer)
    log = seen.pop("log")
    reasons = list(_reasons(state, viewer)) if asked and not _last(state, viewer) else []
    found: dict[str, Any] = {
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
    return {"views": {"view": seen, "standing": standing, "maps": maps}, **found}


def compared(one: dict[str, Any], other: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    """Each law with the smallest difference between two faces, or none."""
    for law in one:
        yield law, difference(one[law], other[law])


def _told(state: State, entry: Entry, viewer: int | None) -> list[str]:
    """A line of the log in words, and an event explained."""
    tree = state.explain(entry, viewer) if entry.kind == "event" else None
    return [logbook.told(state, entry, viewer), *(tree.lines() if tree is not None else ())]


def _menus(state: State, viewer: int | None) -> Iterator[Any]:
    for decision in state.decisions:
        if decision.player == viewer:
            menu = Menu.of(state, decision)
            yield [menu.ask(), menu.lines(None)]


def _reasons(state: State, viewer: int | None) -> Iterator[Any]:
    """Why some things may not be chosen, as the viewer would be told."""
    for decision in state.decisions:
        if decision.player != viewer or decision.spec.mode not in ("one", "action"):
            continue
        for value in candidates(state, decision.spec)[-WHY:]:
            try:
                state.choose(Option(viewer, decision.name, value))
            except Illegal as error:
                yield [str(error), [reason.__dict__ for reason in error.reasons]]


# ------------------------------------------------------------------------------------------------ after a choice
def _after(case: Case, state: State, other: State, viewer: int) -> None:
    """The same choice in both: what then differs was shown by it, so it stands; if nothing differs, both may be taken back, or neither."""
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
            case.note(
                "prompts",
                f"{_name(viewer)} learns from hidden things whether {option} may be chosen: {error}",
            )
            continue
        first, second = faces(one, viewer), faces(two, viewer)
        shown = next(
            (
                f"{law}: {fact}"
                for law, fact in compared(first, second)
                if fact and law != "taking back"
            ),
            None,
        )
        free, also = _may_go_back(one), _may_go_back(two)
        if shown and (free or also):
            case.note(
                "taking back", f"{_name(viewer)} may take back {option}, which showed him {shown}"
            )
        else:
            case.note(
                "taking back",
                None
                if free == also
                else f"whether {option} may be taken back tells what is hidden",
            )


def _may_go_back(state: State) -> bool:
    try:
        state.undo()
    except Illegal:
        return False
    return True
