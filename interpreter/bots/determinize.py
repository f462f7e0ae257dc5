"""What a player may take a state to be: all he cannot see is dealt anew at random, so that whoever
looks ahead in it learns nothing he may not know.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from interpreter.game.game import State
from interpreter.model.position import Position
from interpreter.model.setup import Key
from interpreter.model.visibility import knowers
from rulelang.core.types import PLAYER
from rulelang.core.values import Value
from rulelang.ruleset import Place


@dataclass(frozen=True)
class Dealing:
    """Which piece a determinization has in each spot of each place that holds unseen ones."""

    places: dict[Key, tuple[int, ...]]

    @property
    def touched(self) -> set[str]:
        """What of a position is another for it."""
        return {f"place:{name}" for name, _ in self.places}


class Unseen:
    """What one player cannot see of a state, from which determinizations are dealt."""

    def __init__(self, state: State, player: int) -> None:
        """Nothing is kept of what the unseen pieces are, but their owners and backs."""
        self.state, self.player = state, player
        real = state.position
        known = seen_by(real.branches.get(player, real), player)
        self.places = real.places
        self._setup = real.setup
        self._pools: dict[str, list[int]] = {}
        self._spots: list[tuple[Key, int]] = []
        for key, pieces in real.places.items():
            for spot, piece in enumerate(pieces):
                if piece not in known:
                    self._pools.setdefault(self._place(key).holds, []).append(piece)
                    self._spots.append((key, spot))
        for pool in self._pools.values():
            pool.sort()  # so that not even chance knows how they lie
        self._backs = {name: self._backs_of(name) for name in {key[0] for key, _ in self._spots}}
        # what shows most can be filled first without fail
        self._order = sorted(self._spots, key=lambda found: -len(self._place(found[0]).shows))

    def _backs_of(self, name: str) -> dict[int, tuple[Value, ...]]:
        """For each unseen piece that a place may hold its owner, and what its back shows there."""
        place, fields = self._setup.rules.places[name], self._setup.fields
        return {
            piece: (self._setup.pieces[piece].owner, *(fields[f][piece] for f in place.shows))
            for piece in self._pools[place.holds]
        }

    def _place(self, key: Key) -> Place:
        return self._setup.rules.places[key[0]]

    def dealt(self, rng: random.Random) -> Dealing:
        """The unseen pieces dealt to the spots where they lie, each spot keeping what its back
        shows.
        """
        pools = {holds: pool.copy() for holds, pool in self._pools.items()}
        for pool in pools.values():
            rng.shuffle(pool)
        found: dict[Key, list[int]] = {key: list(self.places[key]) for key, _ in self._spots}
        for key, spot in self._order:
            pool = pools[self._place(key).holds]
            new = self._fitting(pool, key, self.places[key][spot])
            if new is None:
                # backs that overlap without one showing more than the other: what lies there stays
                return Dealing({})
            found[key][spot] = pool.pop(new)
        return Dealing({key: tuple(pieces) for key, pieces in found.items()})

    def _fitting(self, pool: list[int], key: Key, old: int) -> int | None:
        """Where in a pool the last piece is that may lie where this one does; none if none is."""
        backs = self._backs[key[0]]
        wanted = backs[old]
        return next((at for at in range(len(pool) - 1, -1, -1) if backs[pool[at]] == wanted), None)

    def hidden(self) -> Position:
        """The state's position before branches, without others' secrets; pieces lie as they do."""
        later = self.state.position.copy()
        later.branches, later.commits = {}, {}
        touched = _forget(later, self.player)
        if touched:
            later.touch("where", "known", *touched)
            later.dirty = False
        return later

    def imagined(self, dealing: Dealing, seed: int) -> State:
        """The state that a dealing is, with this seed for coming chance."""
        game, real = self.state.game, self.state.position
        later = self.hidden()
        for key, pieces in dealing.places.items():
            later.places[key] = pieces
            for piece in pieces:
                later.where[piece] = key
        if real.branches or dealing.places:
            later.touch("where", "known", *dealing.touched)
            later.dirty = False
        if real.branches:
            game.machine.restart_at_once(later)
            for choice in self.decided:
                branch = later.branches[self.player]
                game.machine.decide(branch, choice)
                game.machine.run(branch)
                later.commits[self.player] = (*later.commits[self.player], choice)
        later.seed = seed
        for branch in later.branches.values():
            branch.seed = seed
        return State(game, later)

    @property
    def decided(self) -> tuple[Value, ...]:
        """What the player has chosen already while others decide as well."""
        return self.state.position.commits.get(self.player, ())


def new_seed(rng: random.Random) -> int:
    """A seed that makes coming chance another than the game's."""
    return rng.getrandbits(60)


def imagined(state: State, player: int, rng: random.Random) -> State:
    """A state that looks the same to this player.

    Unseen pieces, others' secret variables and coming chance are not those of the game.

    In simultaneous play what he has decided stands, and the others are yet to decide.
    """
    unseen = Unseen(state, player)
    dealing = unseen.dealt(rng)
    return unseen.imagined(dealing, new_seed(rng))


def seen_by(s: Position, player: int) -> frozenset[int]:
    """The pieces of which this player knows which they are."""
    return frozenset(piece for piece in range(len(s.where)) if player in knowers(s, piece))


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
