"""Games and states in play: load, start, choose; a state is a value, and every choice gives a new
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypedDict, Unpack, cast

from interpreter.engine.decisions import Option, Spec
from interpreter.engine.events import Refused
from interpreter.engine.machine import Machine
from interpreter.engine.simultaneous import shown
from interpreter.game import log, refusals, score_tree, setup_laws, snapshot, views
from interpreter.game.advice import advised
from interpreter.game.context import GameContext, PlayState
from interpreter.game.loading import Loaded, RulesError, Unlawful, fatal, load_rules, overlay
from interpreter.game.record_error import RecordError
from interpreter.model.errors import InputError, RulelangError
from interpreter.model.position import Dice, Entry, Position, empty_position
from interpreter.model.values import Fault
from interpreter.model.visibility import reveals
from rulelang import core
from rulelang.core.types import UNKNOWN
from rulelang.core.values import Json, Value
from rulelang.diagnostics import CODES, Diagnostic
from rulelang.ruleset import Clause


class Illegal(RulelangError):
    """A choice that cannot be made now; the state is as it was.

    `reasons` says why, clause by clause where clauses refuse it.
    """

    def __init__(self, message: str, why: Iterable[refusals.Refusal] = ()) -> None:
        """The message is for people."""
        super().__init__(message)
        self.reasons = list(why)


class Making(TypedDict, total=False):
    """How a game is made beside its settings: see `GameContext`."""

    without: frozenset[str]
    record: bool
    keeps: bool


class Game(GameContext):
    """One ruleset for a number of players under chosen variants and options, ready to be
    started.
    """

    @property
    def advice(self) -> list[Diagnostic]:
        """What the rules have to say of this setup, short of refusing it."""
        return [item.finding for item in advised(self, ("warning", "note"))]

    def start(self, seed: int = 0, dice: Dice | None = None) -> State:
        """The first state in which somebody must decide, for this seed, or by these dice."""
        position = empty_position(self.setup, seed)
        position.dice = dice
        self.machine.begin(position)
        try:
            self.machine.run(position)
        except Refused as error:
            raise Fault(str(error)) from error
        return State(self, position)

    def position(self, data: Mapping[str, Json]) -> State:
        """A state from plain data: what `to_json` wrote, or where pieces are, what variables hold,
        whose action is next.

        Raises ValueError naming what is wrong.
        """
        return State(self, snapshot.resumed(self, data))

    def record(self, state: State) -> dict[str, Json]:
        """Everything needed to play the game again to this state, as plain data."""
        from interpreter.game import records  # checked by a library that takes long to load

        return records.make_record(self, state)

    def replay(self, record: Mapping[str, Json]) -> State:
        """The state a record leads to.

        Raises RecordError if it is of other rules, a choice is not legal, or the end is another.
        """
        from interpreter.game import records

        known = records.read_record(record)
        records.check_rules(self, known)
        state = self.start(known.seed)
        for number, choice in enumerate(known.choices, 1):
            try:
                state = state.choose(state.option(choice.player, choice.name, choice.value))
            except (Illegal, Fault) as error:
                who = f"{choice.name} of player {choice.player + 1}"
                raise RecordError(f"choice {number} ({who}) is not legal: {error}") from error
        if state.digest() != known.digest:
            raise RecordError("it ends in another state than the one it was written from")
        return state


class State(PlayState):
    """A state of play: a value that is compared, hashed, written, and left unchanged by every
    choice.
    """

    game: Game
    parent: State | None

    def __init__(
        self,
        game: Game,
        position: Position,
        parent: State | None = None,
        choice: Option | None = None,
    ) -> None:
        """`parent` is the state before the last choice."""
        super().__init__(game, position, parent, choice)

    # --------------------------------------------------------------------------- looking
    def view(self, player: int | None) -> dict[str, Json]:
        """What that player may know, as plain data; none is an onlooker, who knows what everybody
        knows.
        """
        return views.view(self, player)

    def to_json(self) -> dict[str, Json]:
        """The whole state as plain data, for saves and tests; `position` takes it back."""
        return snapshot.whole(self)

    # -------------------------------------------------------------------------- choosing
    def choose(
        self, option: Option, then: Callable[[], Mapping[str, object]] | None = None
    ) -> State:
        """The state after this choice; raises Illegal with the reasons, leaving this state as it
        was.

        `then` tells what its player would go on to choose: the reasons are of just that.
        """
        game = self.game
        spec = self.spec_of(option.player, option.name)
        if spec is None:
            open_now = (
                ", ".join(f"player {s.player + 1}: {s.name}" for s in self.specs)
                or "nobody decides anything"
            )
            raise Illegal(
                f"player {option.player + 1} does not decide “{option.name}” now ({open_now})"
            )
        if self._position.moves >= game.rules_source.max_moves:
            raise Illegal(f"the game has reached its bound of {game.rules_source.max_moves} moves")
        value = game.decider.canonical(self._position, spec, option.value)
        if value is None:
            why = refusals.why_option(self, spec, option.value, then() if then else None)
            raise Illegal("that cannot be chosen now", why)
        return self._after(spec, value)

    def after(self, option: Option) -> State | None:
        """The state after this choice; none if it cannot be made, for whatever reasons."""
        spec = self.spec_of(option.player, option.name)
        if spec is None or self._position.moves >= self.game.rules_source.max_moves:
            return None
        value = self.game.decider.canonical(self._position, spec, option.value)
        if value is None:
            return None
        try:
            return self._after(spec, value)
        except Illegal:
            return None

    def _after(self, spec: Spec, value: Value) -> State:
        """The state after a listed option; raises Illegal where a rule met on the way refuses
        it.
        """
        game, later = self.game, self._carried_out(spec, value)
        later.learned = (
            later.learned
            or reveals(self._position, later, spec.player)
            or (later.ended is not None and game.effects.tables.ranking)
        )
        return State(game, later, self, Option(spec.player, spec.name, value))

    def _carried_out(self, spec: Spec, value: Value) -> Position:
        """The position a listed option leads to."""
        machine, later = self.game.machine, self._position.copy()
        later.learned = False
        later.moves += 1
        later.actor = spec.player
        try:
            with machine.work.question():
                if spec.seat is not None:
                    self._decide_in_seat(machine, later, spec, spec.seat, value)
                else:
                    machine.decide(later, value)
                machine.run(later)
        except Refused as error:
            why = refusals.of_failures(self, error.failures)
            raise Illegal(str(error), why) from error
        return later

    def _decide_in_seat(
        self, machine: Machine, later: Position, spec: Spec, seat: int, value: Value
    ) -> None:
        """Carry a choice out on one player's branch of simultaneous play."""
        branch = later.branches[seat]
        branch.learned, branch.actor = False, spec.player
        machine.decide(branch, value)
        machine.run(branch)
        later.commits[seat] = (*later.commits[seat], value)
        later.learned = (
            branch.learned
            or reveals(self._position.branches[seat], branch, spec.player)
            or shown(machine, self._position, later, seat)
        )
        later.touch()

    def play(self, player: int, **choices: object) -> State:
        """Several choices of one player in a row, by name, from plain data: `play(0,
        action="pass")`; raises Illegal.
        """
        state = self
        wanted = dict(choices)
        while wanted:
            spec = next((s for s in state.specs if s.player == player and s.name in wanted), None)
            if spec is None:
                raise Illegal(f"player {player + 1} is not asked for {', '.join(wanted)}")
            state = state.choose(state.option(player, spec.name, wanted.pop(spec.name)))
        return state

    def option(self, player: int, name: str, data: object) -> Option:
        """The option of an open decision that plain data stands for; raises Illegal if it stands
        for nothing.
        """
        spec = self.spec_of(player, name)
        if spec is None:
            raise Illegal(f"player {player + 1} does not decide “{name}” now")
        try:
            return Option(player, name, self.value_of(spec, data))
        except ValueError as error:
            raise Illegal(str(error)) from error

    def value_of(self, spec: Spec, data: object) -> Value:
        """The value plain data stands for in an open decision; raises InputError."""
        if spec.mode in ("action", "may") or (spec.mode == "one" and spec.item == UNKNOWN):
            return cast("Value", data)  # if it is none, it is no option either
        read, among = self.game.presenter.read, set(self._domain(spec))
        if spec.mode == "one":
            return read(data, spec.item, self._position, among)
        if not isinstance(data, list | tuple | set | frozenset):
            raise InputError(f"{data!r} is no list of {spec.item}")
        items = []
        for item in data:
            items.append(read(item, spec.item, self._position, among))
            among.discard(items[-1])  # a title given twice is two pieces
        return frozenset(items) if spec.mode == "some" else tuple(items)

    def _domain(self, spec: Spec) -> Iterable[Value]:
        """What may be chosen from, before any look at where it leads."""
        if spec.mode != "one" or not isinstance(spec.stmt, core.Choose):
            return spec.domain
        at = self.seat(spec)
        return self.game.decider.members(at, at.stack[-1].env, spec.stmt)

    def undo(self) -> State:
        """The state before the last choice; raises Illegal if it showed anybody anything new, for
        that cannot be unlearned.
        """
        if self.parent is None:
            raise Illegal("there is nothing to take back")
        if self._position.learned:
            raise Illegal(
                f"that choice showed somebody something new ({log.news(self)}), so it stands"
            )
        return self.parent

    # ------------------------------------------------------------------------ explaining
    def why_not(self, player: int, name: str, **choices: object) -> list[refusals.Refusal]:
        """Every line that stands against an event or action with these choices; empty if nothing
        does.
        """
        return refusals.why_not(self, player, name, choices)

    def explain(
        self, entry: Entry | None = None, viewer: int | None = None
    ) -> score_tree.ScoreTree | None:
        """The last event that counted (or a given one) as a tree whose sums add up, as a viewer may
        read it; none if it is no event.
        """
        entry = entry if entry is not None else score_tree.scored(self)
        return (
            score_tree.explain(self, entry, viewer)
            if entry is not None and entry.kind == "event"
            else None
        )


def load(
    name: str,
    *,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int] | None = None,
    with_: Iterable[str | Path] = (),
) -> Game:
    """The game of this id or folder; cards that are wrong are left out (see
    `game.loaded.findings()`), anything else wrong raises RulesError.
    """
    added = [(str(path), Path(path)) for path in with_]
    chosen = (variants,) if isinstance(variants, str) else tuple(variants)
    loaded = load_rules(name, chosen, added, tests=False)
    return game_of(loaded, players, chosen, options or {})


def game_of(
    loaded: Loaded,
    players: int | None,
    variants: tuple[str, ...],
    options: Mapping[str, str | int],
    **more: Unpack[Making],
) -> Game:
    """A game from a loaded ruleset; raises RulesError for findings that are not about a single
    added card, bad players or options.
    """
    count = loaded.compiled.rules.players[0] if players is None else players
    wrong = [*fatal(loaded), *setup_laws.unknown_settings(loaded.compiled.rules, count, options)]
    clashing = all(item.code == CODES["variants-clash"].code for item in wrong)
    broken = _forbidden(loaded, count, variants, options, more) if wrong and clashing else []
    if wrong and not broken:
        raise RulesError(wrong, loaded.sources)
    if not wrong:
        game = Game(loaded, count, options, tuple(dict.fromkeys(variants)), **more)
        broken = setup_laws.refusals(game)
        if not broken:
            return game
    raise Unlawful([item for _, item in broken], loaded.sources, [clause for clause, _ in broken])


def _forbidden(
    loaded: Loaded,
    players: int,
    variants: tuple[str, ...],
    options: Mapping[str, str | int],
    more: Making,
) -> list[tuple[Clause, Diagnostic]]:
    """What the laws of each variant alone say against the settings, where the variants together are
    no rules.
    """
    alone = [overlay(loaded, (variant,)) for variant in dict.fromkeys(variants)]
    return [
        broken
        for made in alone
        if not fatal(made)
        for broken in setup_laws.refusals(Game(made, players, options, (), **more))
    ]
