"""Laws of states as values: copies share nothing, hashes follow equality, pieces stay, games end as their rules say."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

from interpreter.conformance.laws import Case, bare, written
from interpreter.engine.decisions import Option
from interpreter.game.game import State
from interpreter.game.views import view
from interpreter.model.position import Activation, Block, Position

_APART = (
    "setup",
    "log",
    "memos",
    "geometry",
    "before",
)  # what never changes, and what is remembered: copies may share these
_CHANGING = (dict, list, set, Position, Activation, Block)  # what can be changed in place
_SIBLINGS = 4


def step(case: Case, before: State, option: Option, later: State, was: tuple[Any, ...]) -> None:
    """After each choice: the state it came from is as it was, shares nothing with the new one, and no piece is lost."""
    case.note(
        "copies",
        None
        if before.position.canonical() == was
        else f"the choice of “{option.name}” changed the state it was made in",
    )
    case.note("copies", shared(before.position, later.position))
    case.note("pieces", lost(before.position, later))
    case.note("pieces", misplaced(later))


def copies(case: Case, state: State) -> None:
    """A copy is equal, and apart; so is what a state gives away: its view, itself written down, its log."""
    copy = state.position.copy()
    case.note("copies", shared(state.position, copy))
    case.note(
        "hashes",
        None
        if copy.canonical() == state.position.canonical() and copy.digest() == state.digest()
        else "a copy has another hash",
    )
    told = written(view(state, 0))
    for name, given in (
        ("view", view(state, 0)),
        ("plain data", state.to_json()),
        ("log", state.log),
    ):
        _wreck(given)
        kept = written(view(state, 0)) == told and state.position.canonical() == copy.canonical()
        case.note("copies", None if kept else f"who changes its {name} changes the state")


def hashes(case: Case, state: State) -> None:
    """States that come from one by different choices, and the same found anew, are equal if and only if their hashes are."""
    found = [state, bare(state)]
    for decision in state.decisions:
        options = [decision.sample(case.rng) for _ in range(_SIBLINGS)]
        found += [state.choose(option) for option in options]
        found.append(bare(state).choose(options[0]))
    for number, one in enumerate(found):
        for other in found[number + 1 :]:
            same = one == other
            agree = (one.digest() == other.digest()) == same and (
                not same or hash(one) == hash(other)
            )
            what = (
                "equal states have different hashes" if same else "different states have one hash"
            )
            case.note("hashes", None if agree else f"{what} after {one.choice} and {other.choice}")


def open_or_over(case: Case, state: State) -> None:
    """A state is over by an end that the rules name, or somebody decides something that has an option."""
    ends = {ending.name for ending in case.game.rules_source.endings} | {"game", "flow"}
    if state.over:
        case.note(
            "end",
            None
            if state.ended_by in ends
            else f"it ended by “{state.ended_by}”, which is no end of the rules",
        )
        case.note(
            "end",
            f"player {state.decisions[0].player + 1} decides after the end"
            if state.decisions
            else None,
        )
        ranked = sorted(p for tied in state.ranking for p in tied)
        case.note(
            "end",
            None
            if ranked == list(range(case.game.players))
            else f"the ranking names players {[p + 1 for p in ranked]}",
        )
    else:
        case.note(
            "end", None if state.decisions else "nobody decides anything and the game is not over"
        )


def _wreck(data: Any) -> None:
    """Empty all lists and tables in plain data."""
    if isinstance(data, dict | list):
        for inner in list(data.values()) if isinstance(data, dict) else list(data):
            _wreck(inner)
        data.clear()


# ------------------------------------------------------------------------------------------------ what is shared
def shared(one: Position, other: Position) -> str | None:
    """The first container of a position that another has too, though it can change; none if there is none."""
    return next((f"`{path}` is one and the same in both" for path in _shared(one, other, "")), None)


def _shared(one: Any, other: Any, path: str) -> Iterator[str]:
    if one is other and isinstance(one, _CHANGING):
        yield path
    elif isinstance(one, dict) and isinstance(other, dict):
        if isinstance(next(iter(one.values()), None), _CHANGING):  # all values are of one sort
            for key in one.keys() & other.keys():
                yield from _shared(one[key], other[key], f"{path}[{key}]")
    elif isinstance(one, list) and isinstance(other, list):
        if one and isinstance(one[0], _CHANGING):
            for number, (a, b) in enumerate(zip(one, other, strict=False)):
                yield from _shared(a, b, f"{path}[{number}]")
    elif isinstance(one, Position | Activation | Block) and type(one) is type(other):
        for known in dataclasses.fields(one):
            if known.name not in _APART:
                yield from _shared(
                    getattr(one, known.name),
                    getattr(other, known.name),
                    f"{path}.{known.name}".strip("."),
                )


# ------------------------------------------------------------------------------------------------ where pieces are
def lost(before: Position, later: State) -> str | None:
    """A piece that was somewhere and is nowhere; none if there is none."""
    gone = [
        piece
        for piece, at in enumerate(before.where)
        if at is not None and later.position.where[piece] is None
    ]
    return (
        f"{named(later, gone[0])} was at {before.where[gone[0]]} and is nowhere" if gone else None
    )


def misplaced(state: State) -> str | None:
    """A piece that does not lie, just once, where the state says it is; none if all do. Branches of simultaneous play count each for itself."""
    for s in (state.position, *state.position.branches.values()):
        if _in_place(s):
            continue
        lying = census(s)
        for piece, at in enumerate(s.where):
            found = lying.get(piece, Counter())
            wanted = (
                Counter()
                if at is None
                else Counter({(at[0], at[1], site): 1 for site in at[2]})
                if at[0] in ("on", "tile")
                else Counter([at])
            )
            if found != wanted:
                return f"{named(state, piece)} should lie at {sorted(wanted, key=repr)} and lies at {sorted(found.elements(), key=repr)}"
    return None


def _in_place(s: Position) -> bool:
    """Is every piece found just where it should be? The quick answer; who is amiss is found by counting all."""
    count = sum(0 if at is None else len(at[2]) if at[0] in ("on", "tile") else 1 for at in s.where)
    for key, pieces in s.places.items():
        count -= len(pieces)
        if any(s.where[piece] != key for piece in pieces) or len(set(pieces)) < len(pieces):
            return False
    for layer, cells in s.on.items():
        for site, pile in cells.items():
            count -= len(pile)
            if any(
                s.where[piece] is None
                or s.where[piece][:2] != ("on", layer)
                or site not in s.where[piece][2]
                for piece in pile
            ):
                return False
    for board, tiles in s.tiles.items():
        count -= len(tiles)
        if any(
            s.where[piece] is None
            or s.where[piece][:2] != ("tile", board)
            or cell not in s.where[piece][2]
            for cell, (piece, _) in tiles.items()
        ):
            return False
    return count == 0


def census(s: Position) -> dict[int, Counter[Any]]:
    """Where each piece is found, by looking through places, layers and tiles."""
    found: dict[int, Counter[Any]] = {}
    for key, pieces in s.places.items():
        for piece in pieces:
            found.setdefault(piece, Counter())[key] += 1
    for layer, cells in s.on.items():
        for site, pile in cells.items():
            for piece in pile:
                found.setdefault(piece, Counter())[("on", layer, site)] += 1
    for board, cells_of in s.tiles.items():
        for cell, (piece, _) in cells_of.items():
            found.setdefault(piece, Counter())[("tile", board, cell)] += 1
    return found


def named(state: State, piece: int) -> str:
    """A piece by its words and number."""
    return f"{state.game.presenter.piece(piece)}#{piece}"
