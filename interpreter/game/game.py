"""Games and states as others use them: load, start, choose; a state is a value, and every choice gives a new one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from interpreter.engine.clauses import Rules
from interpreter.engine.decisions import Decider, Decision, Option
from interpreter.engine.events import Refused
from interpreter.engine.machine import Machine
from interpreter.engine.ranking import ranking
from interpreter.engine.seating import seated
from interpreter.engine.simultaneous import seen_by, shown
from interpreter.game import log, records, score_tree, snapshot, views
from interpreter.game import refusals as reasons
from interpreter.game.advice import advised
from interpreter.game.formatting import Presenter
from interpreter.game.loading import Loaded, RulesError, Unlawful, fatal, load_rules, overlay
from interpreter.game.setup_laws import refusals, unknown_settings
from interpreter.generated.evaluator import Generated
from interpreter.model.position import Entry, Position, empty_position
from interpreter.model.setup import make_setup
from interpreter.model.values import Fault
from interpreter.model.visibility import reveals
from rulelang.compiler.decks import OPTION
from rulelang.core.types import UNKNOWN
from rulelang.diagnostics import CODES, Diagnostic
from rulelang.ruleset import Clause


class Illegal(Exception):
    """A choice that cannot be made now; the state is as it was. `reasons` says why, clause by clause where clauses refuse it."""

    def __init__(self, message: str, why: Iterable[reasons.Reason] = ()) -> None:
        """The message is for people."""
        super().__init__(message)
        self.reasons = list(why)


class Game:
    """One ruleset for a number of players under chosen variants and options, ready to be started."""

    def __init__(
        self,
        loaded: Loaded,
        players: int,
        options: dict[str, Any],
        variants: tuple[str, ...],
        without: frozenset[str] = frozenset(),
        record: bool = False,
        reference: bool = False,
    ) -> None:
        """Build the fixed side once; `without` takes clauses away, `record` notes which are looked at, `reference` keeps to the reference evaluator."""
        known = loaded.compiled.rules
        indices = {
            name: values.index(options.get(name, values[0]))
            for name, values in known.options.items()
        }
        self.deck = str(known.options[OPTION][indices[OPTION]]) if known.decks else None
        self.loaded, (self.rules_source, module) = loaded, loaded.played_with(self.deck)
        self.players, self.options, self.variants = players, options, variants
        self.id, self.title = self.rules_source.id, self.rules_source.title
        self.setup = make_setup(self.rules_source, players, indices)
        self.rules = Rules(
            self.setup, without, record, None if reference else partial(Generated, module=module)
        )
        self.machine = Machine(self.rules)
        self.decider = Decider(self.machine)
        self.presenter = Presenter(self.setup, self.rules)

    @property
    def advice(self) -> list[Diagnostic]:
        """What the rules have to say of this setup, short of refusing it."""
        return [item.finding for item in advised(self, ("warning", "note"))]

    def start(self, seed: int = 0) -> State:
        """The first state in which somebody must decide, for this seed."""
        position = empty_position(self.setup, seed)
        self.machine.begin(position)
        try:
            with seated(self.players):
                self.machine.run(position)
        except Refused as error:
            raise Fault(str(error)) from error
        return State(self, position)

    def position(self, data: dict[str, Any]) -> State:
        """A state from plain data: what `to_json` wrote, or where pieces are, what variables hold, whose action is next.

        Raises ValueError naming what is wrong.
        """
        return State(self, snapshot.resumed(self, data))

    def record(self, state: State) -> dict[str, Any]:
        """Everything needed to play the game again to this state, as plain data."""
        return records.make_record(self, state)

    def replay(self, record: dict[str, Any]) -> State:
        """The state a record leads to; raises RecordError if it is not of this game or does not play."""
        return records.replay_record(self, record)


class State:
    """A state of play: a value that is compared, hashed, written, and left unchanged by every choice."""

    def __init__(
        self,
        game: Game,
        position: Position,
        parent: State | None = None,
        choice: Option | None = None,
    ) -> None:
        """`parent` is the state before the last choice."""
        self.game, self._position, self.parent, self.choice = game, position, parent, choice
        with seated(game.players):
            self._specs = game.decider.open(position)
        for spec in self._specs:
            if spec.player is None or spec.player >= game.players:
                who = "nobody" if spec.player is None else f"player {spec.player + 1}"
                raise Fault(
                    f"{who} is to decide “{spec.prompt}”, line {spec.stmt.span.line if spec.stmt is not None else 0}, and {game.players} play"
                )

    # ---------------------------------------------------------------------------------------- looking
    @property
    def decisions(self) -> list[Decision]:
        """Who must decide what now; several at once when play is simultaneous; none when the game is over."""
        return [Decision(self.game.decider, self._position, spec) for spec in self._specs]

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self._position.ended is not None

    @property
    def ended_by(self) -> str | None:
        """The name of the end that came, if the game is over."""
        return self._position.ended

    @property
    def moves(self) -> int:
        """How many choices were made."""
        return self._position.moves

    @property
    def log(self) -> list[Entry]:
        """Everything that happened, oldest first."""
        return self._position.entries()

    @property
    def ranking(self) -> list[list[int]]:
        """Players from first to last, ties together."""
        return ranking(self.game.rules, self._position)

    @property
    def winners(self) -> list[int]:
        """The players who rank first."""
        found = self.ranking
        return found[0] if found else []

    def scores(self) -> list[int]:
        """What the first line of the ranking comes to for each player."""
        ranks = self.game.rules_source.ranks
        if not ranks:
            return [0] * self.game.players
        value = self.game.rules.evaluator.value
        return [
            int(value(ranks[0].key, self._position, {"player": p}))
            for p in range(self.game.players)
        ]

    @property
    def position(self) -> Position:
        """The position itself, to be looked at and not changed."""
        return self._position

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State) and self._position.canonical() == other._position.canonical()
        )

    def __hash__(self) -> int:
        return hash(self.digest())

    def digest(self) -> str:
        """A hash of the state: the same on any machine."""
        return self._position.digest()

    def seen_by(self, player: int | None) -> Position:
        """The position as far as that player has seen things lie: in simultaneous play his own, and what is open to him of others."""
        return seen_by(self.game.machine, self._position, player)

    def view(self, player: int | None) -> dict[str, Any]:
        """What that player may know, as plain data; none is an onlooker, who knows what everybody knows."""
        return views.view(self, player)

    def to_json(self) -> dict[str, Any]:
        """The whole state as plain data, for saves and tests; `position` takes it back."""
        return snapshot.whole(self)

    # ---------------------------------------------------------------------------------------- choosing
    def choose(self, option: Option) -> State:
        """The state after this choice; raises Illegal with the reasons, leaving this state as it was."""
        game = self.game
        spec = next(
            (s for s in self._specs if s.player == option.player and s.name == option.name), None
        )
        if spec is None:
            open_now = (
                ", ".join(f"player {s.player + 1}: {s.name}" for s in self._specs)
                or "nobody decides anything"
            )
            raise Illegal(
                f"player {option.player + 1} does not decide “{option.name}” now ({open_now})"
            )
        if self._position.moves >= game.rules_source.max_moves:
            raise Illegal(f"the game has reached its bound of {game.rules_source.max_moves} moves")
        with seated(game.players):
            value = game.decider.canonical(self._position, spec, option.value)
            if value is None:
                raise Illegal(
                    "that cannot be chosen now", reasons.why_option(self, spec, option.value)
                )
            return self._after(spec, value)

    def _after(self, spec: Any, value: Any) -> State:
        game = self.game
        later = self._position.copy()
        later.learned = False
        later.moves += 1
        game.machine.actor = spec.player
        try:
            if spec.seat is not None:
                branch = later.branches[spec.seat]
                branch.learned = False
                game.machine.decide(branch, value)
                game.machine.run(branch)
                later.learned = branch.learned or reveals(
                    self._position.branches[spec.seat], branch, spec.player
                )
                later.commits[spec.seat] = (*later.commits[spec.seat], value)
                later.learned = later.learned or shown(
                    game.machine, self._position, later, spec.seat
                )
                later.touch()
            else:
                game.machine.decide(later, value)
            game.machine.run(later)
            later.learned = (
                later.learned
                or reveals(self._position, later, spec.player)
                or (later.ended is not None and game.machine.tables.ranking)
            )
        except Refused as error:
            raise Illegal(
                str(error), reasons.of_failures(self, error.event, error.failures)
            ) from error
        return State(game, later, self, Option(spec.player, spec.name, value))

    def play(self, player: int, **choices: Any) -> State:
        """Several choices of one player in a row, by name, from plain data: `play(0, action="pass")`; raises Illegal."""
        state = self
        wanted = dict(choices)
        while wanted:
            spec = next((s for s in state._specs if s.player == player and s.name in wanted), None)
            if spec is None:
                raise Illegal(f"player {player + 1} is not asked for {', '.join(wanted)}")
            state = state.choose(state.option(player, spec.name, wanted.pop(spec.name)))
        return state

    def option(self, player: int, name: str, data: Any) -> Option:
        """The option of an open decision that plain data stands for; raises Illegal if it stands for nothing."""
        spec = next((s for s in self._specs if s.player == player and s.name == name), None)
        if spec is None:
            raise Illegal(f"player {player + 1} does not decide “{name}” now")
        if spec.mode in ("action", "may"):
            return Option(player, name, data)
        try:
            among = (
                set(spec.domain)
                if spec.mode != "one" or spec.stmt is None
                else set(self._domain(spec))
            )
            if spec.mode == "one":
                value = (
                    self.game.presenter.read(data, spec.item, self._position, among)
                    if spec.item != UNKNOWN
                    else data
                )
            else:
                if not isinstance(data, list | tuple | set | frozenset):
                    raise ValueError(f"{data!r} is no list of {spec.item}")
                items = [
                    self.game.presenter.read(item, spec.item, self._position, among)
                    for item in data
                ]
                value = frozenset(items) if spec.mode == "some" else tuple(items)
        except ValueError as error:
            raise Illegal(str(error)) from error
        return Option(player, name, value)

    def _domain(self, spec: Any) -> Iterable[Any]:
        at = self._position.branches[spec.seat] if spec.seat is not None else self._position
        return self.game.decider.members(at, at.stack[-1].env, spec.stmt)

    def undo(self) -> State:
        """The state before the last choice; raises Illegal if it showed anybody anything new, for that cannot be unlearned."""
        if self.parent is None:
            raise Illegal("there is nothing to take back")
        if self._position.learned:
            raise Illegal(
                f"that choice showed somebody something new ({log.news(self)}), so it stands"
            )
        return self.parent

    # ---------------------------------------------------------------------------------------- explaining
    def why_not(self, player: int, name: str, **choices: Any) -> list[reasons.Reason]:
        """Every line that stands against an event or action with these choices; empty if nothing does."""
        return reasons.why_not(self, player, name, choices)

    def explain(
        self, entry: Entry | None = None, viewer: int | None = None
    ) -> score_tree.Tree | None:
        """The last event that counted (or a given one) as a tree whose sums add up, as a viewer may read it; none if it is no event."""
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
    options: dict[str, Any] | None = None,
    with_: Iterable[str | Path] = (),
) -> Game:
    """The game of this id or folder; cards that are wrong are left out (see `game.loaded.findings()`), anything else wrong raises RulesError."""
    added = [(str(path), Path(path)) for path in with_]
    chosen = (variants,) if isinstance(variants, str) else tuple(variants)
    loaded = load_rules(name, chosen, added, tests=False)
    return game_of(loaded, players, chosen, options or {})


def game_of(
    loaded: Loaded,
    players: int | None,
    variants: tuple[str, ...],
    options: dict[str, Any],
    **more: Any,
) -> Game:
    """A game from a loaded ruleset; raises RulesError for findings that are not about a single added card, bad players or options."""
    count = loaded.compiled.rules.players[0] if players is None else players
    wrong = [*fatal(loaded), *unknown_settings(loaded.compiled.rules, count, options)]
    clashing = all(item.code == CODES["variants-clash"].code for item in wrong)
    broken = _forbidden(loaded, count, variants, options, more) if wrong and clashing else []
    if wrong and not broken:
        raise RulesError(wrong, loaded.sources)
    if not wrong:
        game = Game(loaded, count, options, tuple(dict.fromkeys(variants)), **more)
        broken = refusals(game)
        if not broken:
            return game
    raise Unlawful([item for _, item in broken], loaded.sources, [clause for clause, _ in broken])


def _forbidden(
    loaded: Loaded,
    players: int,
    variants: tuple[str, ...],
    options: dict[str, Any],
    more: dict[str, Any],
) -> list[tuple[Clause, Diagnostic]]:
    """What the laws of each variant alone say against the settings, where the variants together are no rules."""
    alone = [overlay(loaded, (variant,)) for variant in dict.fromkeys(variants)]
    return [
        broken
        for made in alone
        if not fatal(made)
        for broken in refusals(Game(made, players, options, (), **more))
    ]
