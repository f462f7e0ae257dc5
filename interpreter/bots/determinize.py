"""What a player may take a state to be: all he cannot see is dealt anew at random, so that whoever
looks ahead in it learns nothing he may not know.
"""

from __future__ import annotations

import random

from interpreter.game.game import State
from interpreter.model.position import Position
from interpreter.model.visibility import knowers
from rulelang.core.types import PLAYER


def imagined(state: State, player: int, rng: random.Random) -> State:
    """A state that looks the same to this player.

    Unseen pieces, others' secret variables and coming chance are not those of the game.

    In simultaneous play what he has decided stands, and the others are yet to decide.
    """
    game, real = state.game, state.position
    known = seen_by(real.branches.get(player, real), player)
    later = real.copy()
    decided = later.commits.get(player, ())
    later.branches, later.commits = {}, {}
    touched = _deal(later, player, known, rng) | _forget(later, player)
    if real.branches or touched:
        later.touch("where", "known", *touched)
        later.dirty = False
    if real.branches:
        game.machine.restart_at_once(later)
        for choice in decided:
            branch = later.branches[player]
            game.machine.decide(branch, choice)
            game.machine.run(branch)
            later.commits[player] = (*later.commits[player], choice)
    _reseed(later, rng)
    return State(game, later)


def seen_by(s: Position, player: int) -> frozenset[int]:
    """The pieces of which this player knows which they are."""
    return frozenset(piece for piece in range(len(s.where)) if player in knowers(s, piece))


def _deal(s: Position, player: int, known: frozenset[int], rng: random.Random) -> set[str]:
    """Deal the unseen pieces to the spots where they lie, each spot keeping what its back shows.

    Says which places that touches.
    """
    places, fields = s.setup.rules.places, s.setup.fields
    pools: dict[str, list[int]] = {}
    spots: list[tuple[tuple[str, int | None], int]] = []
    for key, pieces in s.places.items():
        for spot, piece in enumerate(pieces):
            if piece not in known:
                pools.setdefault(places[key[0]].holds, []).append(piece)
                spots.append((key, spot))
    dealt: dict[tuple[str, int | None], list[int]] = {key: list(s.places[key]) for key, _ in spots}
    for pool in pools.values():
        pool.sort()  # so that not even chance knows how they lie
        rng.shuffle(pool)
    for key, spot in sorted(
        spots, key=lambda found: -len(places[found[0][0]].shows)
    ):  # what shows most can be filled first without fail
        place, old = places[key[0]], s.places[key][spot]
        pool = pools[place.holds]
        owner = s.setup.pieces[old].owner
        new = next(
            (
                n
                for n in reversed(pool)
                if s.setup.pieces[n].owner == owner
                and all(fields[f][n] == fields[f][old] for f in place.shows)
            ),
            None,
        )
        if new is None:
            return (
                set()
            )  # backs that overlap without one showing more than the other: what lies there stays
        pool.remove(new)
        dealt[key][spot] = new
    for key, found in dealt.items():
        s.places[key] = tuple(found)
        for piece in found:
            s.where[piece] = key
    return {f"place:{key[0]}" for key in dealt}


def _forget(s: Position, player: int) -> set[str]:
    """Give variables the player may not look at the value they had at first.

    Says which that touches.
    """
    touched = set()
    for name, values in s.vars.items():
        variable = s.setup.rules.states[name]
        if variable.visibility == "public":
            continue
        own = player if variable.visibility == "private" and variable.of == PLAYER else None
        for index in values:
            if own is None or index != own:
                values[index] = s.setup.defaults[name]
        touched.add(f"state:{name}")
    return touched


def _reseed(s: Position, rng: random.Random) -> None:
    """Make coming chance another than the game's."""
    s.seed = rng.getrandbits(60)
    for branch in s.branches.values():
        branch.seed = s.seed
