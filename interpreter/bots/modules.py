"""Plays of a search inside a module: what it chooses and draws is what the reference would.

Where a module stops, the play is made again by the reference, with the same chance, and goes on
there.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from interpreter.bots.courses import (
    LISTED,
    LONG,
    ByState,
    Chance,
    Choice,
    Course,
    Courses,
    Standing,
    ahead,
    foremost,
    signed,
)
from interpreter.engine.decisions import NOBODY, how_many_subsets, subsets
from interpreter.engine.ranking import ranking
from interpreter.game.game import Game, State
from interpreter.game.kept_modules import instance_of
from interpreter.model.values import Fault
from interpreter.native.control import Decision
from interpreter.native.entering import dealt
from interpreter.native.games import whole
from interpreter.native.resuming import Resumed
from interpreter.native.runtime import AskReference
from interpreter.native.standing import Best
from interpreter.native.values import NotLowered
from rulelang import core
from rulelang.analysis.writes import within
from rulelang.core.types import PieceT, SetT
from rulelang.core.values import Value

TRIED = 20  # plays after which a module that leaves most of them to others is not used any more

Generator: TypeAlias = "tuple[int, tuple[int, ...], float | None]"  # where it stands


@dataclass
class Modules:
    """The module of a game, and how many plays were begun and left to the reference."""

    resumed: Resumed
    maximizing: frozenset[str]  # the procedures that may run within a block that is maximized
    begun: int = 0
    left: int = 0

    @property
    def pays(self) -> bool:
        """Does it play most of what it begins?"""
        return self.begun < TRIED or self.left * 2 < self.begun

    def maximized(self, decision: Decision) -> bool:
        """May this be decided within a block that is maximized?"""
        at = decision.standing
        return at.procedure in self.maximizing or any(
            isinstance(block.loop, Best) for block in at.blocks
        )

    def courses(self, state: State, player: int) -> Courses | None:
        """Plays from a state; none where the module does not know how it stands."""
        try:
            return ModuleCourses(self, state, player)
        except NotLowered:
            return None


def modules_of(game: Game) -> Modules | str:
    """The module of a game, or why there is none."""
    try:
        instance = instance_of(game)
    except NotLowered as found:
        return str(found)
    rules = game.rules_source
    blocks = [rules.flow, list(rules.procedures.values())]
    maximized = [node for node in core.walk(blocks) if isinstance(node, core.Maximize)]
    return whole(instance.game) or Modules(Resumed(instance), within(rules, maximized))


class ModuleCourses(Courses):
    """Begins plays in a module."""

    def __init__(self, modules: Modules, state: State, player: int) -> None:
        """Raises NotLowered where the module does not know how the state stands."""
        super().__init__(state, player)
        self.modules, self.resumed, self.game = modules, modules.resumed, state.game
        hidden = self.unseen.hidden()
        self._raw, self._fork = self.resumed.entering.common(hidden)
        self.moves = hidden.moves
        spots = enumerate(self.resumed.layout.places, 1)
        self._numbers = {spot.key: number for number, spot in spots}
        self.choices: dict[tuple[int, int], Choice] = {}  # by decision and option
        self._dealt: tuple[Chance, bytes] | None = None  # the last determinization, as bytes

    def begun(self, chance: Chance) -> Course:
        """Another play."""
        return ByModule(self, chance)

    def enter(self, chance: Chance) -> None:
        """Stand where a play begins; raises AskReference, Fault."""
        self.resumed.stand(self._raw_of(chance), self._fork)
        for value in self.unseen.decided:
            self.resumed.take(value, self.player)
        self.resumed.reseed(chance.coming)

    def _raw_of(self, chance: Chance) -> bytes:
        """The state that a determinization is, which plays that share it share."""
        if self._dealt is None or self._dealt[0] is not chance:
            raw = bytearray(self._raw)
            places = {self._numbers[key]: held for key, held in chance.dealing.places.items()}
            dealt(self.resumed.layout, raw, places)
            self._dealt = chance, bytes(raw)
        return self._dealt[1]


@dataclass(frozen=True)
class _Drawn:
    """Choices drawn by chance: so many, or of so many turns, each the best of so many lines."""

    generator: Generator
    most: int
    lines: int = 0

    def again(self, play: ByState) -> None:
        """Draw the same in another play."""
        draw = random.Random()
        draw.setstate(self.generator)
        if self.lines:
            play.strive(draw, self.most, self.lines)
        else:
            play.take_any(draw, self.most)


class ByModule:
    """A play inside a module, or by the reference once the module has stopped."""

    def __init__(self, of: ModuleCourses, chance: Chance) -> None:
        """The module stands where play begins."""
        self.of, self.resumed, self.native = of, of.resumed, of.resumed.instance
        self._chance = chance
        self.moves, self.stuck = of.moves, False
        self._counts = False
        self._made: list[Choice | _Drawn] = []
        self._several: tuple[tuple[Value, ...], int, int] | None = None
        self.usual: ByState | None = None
        try:
            of.enter(chance)
        except (AskReference, Fault):
            self._left()

    def _left(self) -> ByState:
        """Make the same play by the reference."""
        of, unseen = self.of, self.of.unseen
        self._counted()
        of.modules.left += 1
        play = self.usual = ByState(
            unseen.imagined(self._chance.dealing, self._chance.coming), of.player
        )
        for step in self._made:
            if isinstance(step, _Drawn):
                step.again(play)
            else:
                play.take(*step)
        return play

    def _counted(self) -> None:
        """Count this play once, if it is played on by chance or left: a line alone says nothing."""
        self.of.modules.begun += not self._counts
        self._counts = True

    # -------------------------------------------------------------------------------- looking
    @property
    def over(self) -> bool:
        """Is the game over, or can it not go on?"""
        return self.usual.over if self.usual is not None else self.stuck or self.resumed.over

    @property
    def player(self) -> int:
        """Who decides next; of players who decide at once whose play it is, or nobody after him."""
        if self.usual is not None:
            return self.usual.player
        if not self.hidden:
            return self.native.open().player
        return self.of.player if self.resumed.deciding(self.of.player) else NOBODY

    @property
    def hidden(self) -> bool:
        """Do players decide at once?"""
        return self.usual.hidden if self.usual is not None else self.resumed.forked

    @property
    def _seat(self) -> int | None:
        """In whose branch is decided, where a search looks at what may be chosen."""
        return self.of.player if self.resumed.forked else None

    def options(self, draw: random.Random) -> tuple[list[Choice], bool]:
        """What may be chosen, and whether that is all of it; of very much one is drawn."""
        if self.usual is None:
            try:
                with self.native.at(self._seat):
                    return self._options(draw)
            except (AskReference, Fault):
                self._left()
        assert self.usual is not None
        return self.usual.options(draw)

    def _options(self, draw: random.Random) -> tuple[list[Choice], bool]:
        decision, of = self.resumed.decision(), self.of
        stmt = decision.stmt
        if isinstance(stmt, core.Choose) and decision.several:
            return self._sets(decision, stmt, draw)
        name = decision.name
        if isinstance(stmt, core.Choose) and isinstance(stmt.item, SetT):
            return [(name, value) for value in self.native.values()], True
        numbers = self.native.options()
        known = [(decision.number, number) for number in numbers]
        if any(key not in of.choices for key in known):
            values = self.native.values()
            of.choices |= {key: (name, value) for key, value in zip(known, values, strict=True)}
        return [of.choices[key] for key in known], True

    def _sets(
        self, decision: Decision, stmt: core.Choose, draw: random.Random
    ) -> tuple[list[Choice], bool]:
        """The sets or orders that may be chosen, or of very many one."""
        name = decision.name
        domain, low, high = self._domain(decision)
        if decision.ordered:
            if math.factorial(len(domain)) > LISTED:
                return [(name, tuple(draw.sample(domain, len(domain))))], False
            return [(name, order) for order in itertools.permutations(domain)], True
        alike = tuple(self._alike(stmt, domain))
        many = how_many_subsets(domain, alike, low, high)
        if many is None or many > LISTED:
            return [(name, frozenset(draw.sample(domain, draw.randint(low, high))))], False
        return [(name, found) for found in subsets(domain, alike, low, high)], True

    def _domain(self, decision: Decision) -> tuple[tuple[Value, ...], int, int]:
        """What several may be chosen from, and how many at least and at most."""
        if self.of.modules.maximized(decision):
            raise AskReference("a choice of several where a block may be maximized")
        self._several = tuple(self.native.values()), *self.native.limits()
        return self._several

    def _alike(self, stmt: core.Choose, domain: tuple[Value, ...]) -> Iterator[Hashable]:
        """What tells the members apart: see `model.symmetry`."""
        layout, setup = self.resumed.layout, self.of.game.setup
        raw = self.native.state if isinstance(stmt.item, PieceT) else b""
        for piece in domain:
            if not raw or not isinstance(piece, int):
                yield piece
                continue
            at = layout.number(raw, layout.where + 2 * piece, 2)
            if at > len(layout.places) or (
                at and setup.rules.places[layout.places[at - 1].key[0]].ordered
            ):
                yield "only", piece
            else:
                yield setup.twin[piece], at, layout.number(raw, layout.known + 2 * piece, 2)

    # -------------------------------------------------------------------------------- choosing
    def may(self, name: str, value: Value) -> bool:
        """May this be chosen?"""
        if self.usual is None:
            try:
                with self.native.at(self._seat):
                    decision = self.resumed.decision()
                    if decision.name != name:
                        return False
                    if isinstance(decision.stmt, core.Choose) and decision.several:
                        return _fits(value, *self._domain(decision))
                    return self.resumed.may(value)
            except (AskReference, Fault):
                self._left()
        assert self.usual is not None
        return self.usual.may(name, value)

    @property
    def _left_to_make(self) -> int:
        return self.of.game.rules_source.max_moves - self.moves

    def take(self, name: str, value: Value) -> bool:
        """Choose; false where the rules refuse it."""
        if self.usual is None:
            if self._left_to_make <= 0 or not self._fits(value):
                self.stuck = True
                return False
            try:
                self.resumed.take(value, self._seat)
            except (AskReference, Fault):
                self._left()
            else:
                self._made.append((name, value))
                self.moves += 1
                return True
        assert self.usual is not None
        return self.usual.take(name, value)

    def _fits(self, value: Value) -> bool:
        """May this be chosen here? Only of several chosen together it may be from elsewhere."""
        several, self._several = self._several, None
        return several is None or _fits(value, *several)

    def take_any(self, draw: random.Random, most: int) -> int:
        """Choose by chance, so many times at most; gives how often something was chosen."""
        made = self._played(_Drawn(draw.getstate(), most), draw)
        return self.usual.take_any(draw, most) if made is None and self.usual else made or 0

    def strive(self, draw: random.Random, turns: int, lines: int) -> int:
        """Play so many turns, each the best of so many lines drawn by chance for its player."""
        made = self._played(_Drawn(draw.getstate(), turns, lines), draw)
        return self.usual.strive(draw, turns, lines) if made is None and self.usual else made or 0

    @property
    def _horizon(self) -> tuple[int, int]:
        return LONG, ahead(self.of.game)

    def _played(self, drawn: _Drawn, draw: random.Random) -> int | None:
        """How many choices are made in the module; none where the reference is to make them."""
        if self.usual is not None:
            return None
        if self.stuck:
            return 0
        room, most = self._left_to_make, drawn.most
        self._counted()
        try:
            if drawn.lines:
                made = self.resumed.strive(draw, drawn.most, drawn.lines, self._horizon)
                passed = made > room - LONG
            else:
                made = self.resumed.sample(draw, min(most, room))
                passed = made < most and made >= room and not self.resumed.over
        except (AskReference, Fault):
            passed = True
        if passed:  # it stops, or the bound on the moves of a game is near
            draw.setstate(drawn.generator)
            self._left()
            return None
        self._made.append(_Drawn(drawn.generator, made) if not drawn.lines else drawn)
        self.moves += made
        return made

    # -------------------------------------------------------------------------------- how it stands
    def standing(self, player: int | None = None) -> Standing:
        """How all stand; where players decide at once, as that player sees it who is given."""
        if self.usual is None:
            try:
                with self.native.at(player if self.resumed.forked else None):
                    return self._standing()
            except (AskReference, Fault):
                self._left()
        assert self.usual is not None
        return self.usual.standing(player)

    def _standing(self) -> Standing:
        game = self.of.game
        keys = signed(game, self.native.scores())
        first = foremost(keys)
        if not self.resumed.ended:
            return keys, first
        lines, hurdles = game.rules_source.ranks, game.rules_source.hurdles
        plain = lines and lines[0].cond is None and not game.rules.gone(lines[0].clause)
        if len(first) == 1 and plain and not hurdles:
            return keys, first
        return keys, ranking(game.rules, self.native.position())[0]


def _fits(value: Value, domain: tuple[Value, ...], low: int, high: int) -> bool:
    """Are these members of a domain, so many at least and at most, or all of it in an order?"""
    if isinstance(value, tuple):
        return sorted(map(repr, value)) == sorted(map(repr, domain))
    return isinstance(value, frozenset) and low <= len(value) <= high and value <= {*domain}
