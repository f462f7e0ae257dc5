"""Laws of states as values.

Copies share nothing mutable, hashes follow equality, pieces are conserved, games end as their
rules say.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator

from interpreter.conformance.laws import Case, bare, written
from interpreter.engine.decisions import Option
from interpreter.game.game import State
from interpreter.game.views import view
from interpreter.model.position import Activation, Block, Position

# What never changes, and memos: copies may share these.
_MAY_SHARE = ("setup", "log", "memos", "geometry", "before")
_MUTABLE = (dict, list, set, Position, Activation, Block)
_SIBLINGS = 4

# On sites of a layer or as a tile of a board, in a place, or nowhere.
Whereabouts = tuple[str, str, Collection[int]] | tuple[str, int | None] | None
Census = dict[int, Counter[object]]  # piece -> the places it was found in, and how often


def step(case: Case, before: State, option: Option, later: State, was: tuple[object, ...]) -> None:
    """Check a choice: it left its state as it was, shares nothing with it, and lost no piece."""
    kept = before.position.canonical() == was
    told = f"the choice of “{option.name}” changed the state it was made in"
    case.check("copies", kept, told)
    case.note("copies", shared(before.position, later.position))
    case.note("pieces", lost(before.position, later))
    case.note("pieces", misplaced(later))


def copies(case: Case, state: State) -> None:
    """Check that a copy is equal and apart, and so are view, JSON data and log."""
    copy = state.position.copy()
    case.note("copies", shared(state.position, copy))
    equal = copy.canonical() == state.position.canonical() and copy.digest() == state.digest()
    case.check("hashes", equal, "a copy has another hash")
    told = written(view(state, 0))
    for name, given in (
        ("view", view(state, 0)),
        ("plain data", state.to_json()),
        ("log", state.log),
    ):
        _wreck(given)
        kept = written(view(state, 0)) == told and state.position.canonical() == copy.canonical()
        case.check("copies", kept, f"who changes its {name} changes the state")


def hashes(case: Case, state: State) -> None:
    """Check that sibling states are equal if and only if their hashes are."""
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
            case.check("hashes", agree, f"{what} after {one.choice} and {other.choice}")


def open_or_over(case: Case, state: State) -> None:
    """Check that a state is over by an end of the rules, or that somebody has a decision."""
    if not state.over:
        someone = bool(state.decisions)
        case.check("end", someone, "nobody decides anything and the game is not over")
        return
    ends = {ending.name for ending in case.game.rules_source.endings} | {"game", "flow"}
    named = state.ended_by in ends
    case.check("end", named, f"it ended by “{state.ended_by}”, which is no end of the rules")
    after = [f"player {d.player + 1} decides after the end" for d in state.decisions]
    case.note("end", after[0] if after else None)
    ranked = sorted(p for tied in state.ranking for p in tied)
    everybody = ranked == list(range(case.game.players))
    case.check("end", everybody, f"the ranking names players {[p + 1 for p in ranked]}")


def _wreck(data: object) -> None:
    """Empty all lists and mappings in plain data."""
    if isinstance(data, dict | list):
        for inner in list(data.values()) if isinstance(data, dict) else list(data):
            _wreck(inner)
        data.clear()


# ---------------------------------------------------------------------------------------- sharing
def shared(one: Position, other: Position) -> str | None:
    """The first mutable container that two positions share; none if there is none."""
    return next((f"`{path}` is one and the same in both" for path in _shared(one, other, "")), None)


def _shared(one: object, other: object, path: str) -> Iterator[str]:
    if one is other and isinstance(one, _MUTABLE):
        yield path
        return
    for key, a, b in _parts(one, other):
        yield from _shared(a, b, f"{path}{key}".strip("."))


def _parts(one: object, other: object) -> Iterator[tuple[str, object, object]]:
    """The parts of two containers side by side, where they may be mutable."""
    if isinstance(one, dict) and isinstance(other, dict):
        if isinstance(next(iter(one.values()), None), _MUTABLE):  # all values are of one sort
            yield from ((f"[{key}]", one[key], other[key]) for key in one.keys() & other.keys())
    elif isinstance(one, list) and isinstance(other, list):
        if one and isinstance(one[0], _MUTABLE):
            pairs = enumerate(zip(one, other, strict=False))
            yield from ((f"[{number}]", a, b) for number, (a, b) in pairs)
    elif isinstance(one, Position | Activation | Block) and type(one) is type(other):
        for known in dataclasses.fields(one):
            if known.name not in _MAY_SHARE:
                yield f".{known.name}", getattr(one, known.name), getattr(other, known.name)


# ----------------------------------------------------------------------------------------- pieces
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
    """A piece that does not lie, just once, where the state says it is; none if all do.

    Each branch of simultaneous play is looked at by itself.
    """
    for s in (state.position, *state.position.branches.values()):
        if _in_place(s):
            continue
        lying = census(s)
        for piece, at in enumerate(s.where):
            found = lying.get(piece, Counter())
            wanted = Counter(_spots(at))
            if found != wanted:
                should, lies = sorted(wanted, key=repr), sorted(found.elements(), key=repr)
                return f"{named(state, piece)} should lie at {should} and lies at {lies}"
    return None


def _spots(at: Whereabouts) -> list[object]:
    """The spots a piece covers by what is said of it: sites of a layer or tile, or a place."""
    if at is None:
        return []
    return [(at[0], at[1], site) for site in at[2]] if len(at) == 3 else [at]


def _in_place(s: Position) -> bool:
    """Whether every piece is found just where it should be: a quick answer, without a census."""
    count = sum(len(_spots(at)) for at in s.where)
    for key, pieces in s.places.items():
        count -= len(pieces)
        if any(s.where[piece] != key for piece in pieces) or len(set(pieces)) < len(pieces):
            return False
    for layer, cells in s.on.items():
        for site, pile in cells.items():
            count -= len(pile)
            if not all(_covers(s, piece, "on", layer, site) for piece in pile):
                return False
    for board, tiles in s.tiles.items():
        count -= len(tiles)
        if not all(_covers(s, piece, "tile", board, cell) for cell, (piece, _) in tiles.items()):
            return False
    return count == 0


def _covers(s: Position, piece: int, how: str, of: str, site: int) -> bool:
    at = s.where[piece]
    return at is not None and len(at) == 3 and at[:2] == (how, of) and site in at[2]


def census(s: Position) -> Census:
    """Where each piece is found, by looking through places, layers and tiles."""
    found: Census = {}
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
    """A piece by its name and number."""
    return f"{state.game.presenter.piece(piece)}#{piece}"
