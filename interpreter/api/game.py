"""Games and states as programs use them: names and titles in and out, players from 1."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from interpreter.api import moves
from interpreter.api.cards import Card, card_named, card_of
from interpreter.api.moves import Choice, Move
from interpreter.api.position import Graph, Position, graph_of, position_of
from interpreter.api.values import near, viewer_of
from interpreter.api.view import View, view_of
from interpreter.bots.determinize import imagined
from interpreter.engine.decisions import Decision as OpenDecision
from interpreter.engine.decisions import Spec
from interpreter.game import game as internal
from interpreter.game import log as game_log
from interpreter.game import prompts
from interpreter.game.game import Illegal
from interpreter.game.given import index_of
from interpreter.game.records import Record
from interpreter.game.refusals import Refusal as Refusal
from interpreter.game.score_tree import ScoreTree
from interpreter.model.errors import InputError
from rulelang.core.values import Json
from rulelang.diagnostics import Diagnostic
from rulelang.diagnostics.english import counted


def load(
    name: str | Path,
    *,
    players: int | None = None,
    variants: str | Iterable[str] = (),
    options: Mapping[str, str | int] | None = None,
    with_: str | Path | Iterable[str | Path] = (),
) -> Game:
    """The game of this id, folder or file, for so many players (else the fewest it is for).

    `with_` are files of cards to add: a card that is wrong is left out and told in `findings`.
    Anything else that is wrong raises RulesError with its diagnostics, InputError where a setting
    is of the wrong kind.
    """
    if players is not None and (isinstance(players, bool) or not isinstance(players, int)):
        raise InputError(f"players is a whole number, not {players!r}")
    if options is not None and not isinstance(options, Mapping):
        raise InputError(f"options is a dict such as {{'level': 1}}, not {options!r}")
    files = [with_] if isinstance(with_, str | Path) else list(with_)
    made = internal.load(
        str(name), players=players, variants=variants, options=dict(options or {}), with_=files
    )
    return Game(made)


class Game:
    """One ruleset for a number of players under chosen variants and options; made by `load`."""

    def __init__(self, inner: internal.Game) -> None:
        """A game as the packages below have it; programs call `load`."""
        self._inner = inner

    @property
    def id(self) -> str:
        """The id the rules give the game."""
        return self._inner.id

    @property
    def title(self) -> str:
        """The title of the game."""
        return self._inner.title

    @property
    def players(self) -> int:
        """How many play; they are the numbers 1 to this."""
        return self._inner.players

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants it is played with."""
        return self._inner.variants

    @property
    def options(self) -> dict[str, str | int]:
        """The options that were chosen; others stand at their first value."""
        return dict(self._inner.options)

    @property
    def findings(self) -> list[Diagnostic]:
        """What there is to say of the rules, of added cards and of this setup."""
        return [*self._inner.loaded.findings(), *self._inner.advice]

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every design of its pieces, with what is printed on it."""
        rules = self._inner.rules_source
        return tuple(card_of(rules, design) for design in rules.designs)

    def card(self, title: str) -> Card:
        """The card of this title; raises InputError if there is none."""
        return card_named(self._inner.rules_source, title)

    def start(self, seed: int = 0) -> State:
        """The first state in which somebody must decide; all chance of the game comes from the
        seed.
        """
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise InputError(f"a seed is a whole number, not {seed!r}")
        return State(self, self._inner.start(seed))

    def position(self, data: Mapping[str, Json] | Position) -> State:
        """The state of plain data, such as `State.as_json` or one writes by hand; raises
        InputError.
        """
        if isinstance(data, Position):
            data = data.as_json()
        if not isinstance(data, Mapping):
            raise InputError(f"a position is a dict, not {data!r}")
        return State(self, self._inner.position(dict(data)))

    def replay(self, record: Record | Mapping[str, Json]) -> State:
        """The state a record leads to; raises RecordError where it is of other rules or does not
        play.
        """
        data = record.model_dump() if isinstance(record, Record) else dict(record)
        return State(self, self._inner.replay(data))

    def __repr__(self) -> str:
        chosen = [*self.variants, *(f"{name}={value}" for name, value in self.options.items())]
        more = f", {', '.join(chosen)}" if chosen else ""
        return f"<Game {self.id}: {counted(self.players, 'player')}{more}>"


class Decision:
    """An open decision of a state: one player is to choose one thing, or several of what is
    offered.
    """

    def __init__(self, state: internal.State, spec: Spec) -> None:
        """The decision as the packages below have it; programs read `State.decisions`."""
        self._state, self._spec = state, spec

    @property
    def player(self) -> int:
        """Who decides."""
        return self._spec.player + 1

    @property
    def name(self) -> str:
        """The name of the choice in the rules; `action` for an action, `may` for a yes or no."""
        return self._spec.name

    @property
    def prompt(self) -> str:
        """What is to be decided, in the rules' words."""
        return prompts.asked(self._state, self._spec, self._spec.player)

    @property
    def kind(self) -> str:
        """`one`, `some` (a set), `order` (all, in some order), `action` or `may`."""
        return self._spec.mode

    def _open(self) -> OpenDecision:
        return OpenDecision(self._state.game.decider, self._state.position, self._spec)

    def options(self) -> Iterator[Choice]:
        """The options in a stable order, made one at a time."""
        for option in self._open().options():
            yield moves.choice_of(self._state, self._spec, option)

    def count(self) -> int | None:
        """How many options there are; none if that is not known without listing very many."""
        return self._open().count()

    def sample(self, rng: random.Random) -> Choice:
        """An option drawn at random."""
        return moves.choice_of(self._state, self._spec, self._open().sample(rng))

    def option(self, value: object) -> Choice:
        """The option of this value: a name, title, label, number or list of such; raises
        InputError.
        """
        option = moves.read(self._state, self._spec, value)
        return moves.choice_of(self._state, self._spec, option)

    def __repr__(self) -> str:
        return f"<Decision of player {self.player}: {self.name} ({self.prompt})>"


class State:
    """A state of play: a value that compares, hashes and prints; every move gives another."""

    def __init__(self, game: Game, inner: internal.State) -> None:
        """A state as the packages below have it; programs call `Game.start`."""
        self._game, self._inner = game, inner

    @property
    def game(self) -> Game:
        """The game it is a state of."""
        return self._game

    # ------------------------------------------------------------------ who is to decide
    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self._inner.over

    @property
    def ended_by(self) -> str | None:
        """The name of the end that came, if the game is over."""
        return self._inner.ended_by

    @property
    def deciding(self) -> tuple[int, ...]:
        """The players who are to decide now: several where all decide at once, none at the end."""
        return tuple(dict.fromkeys(spec.player + 1 for spec in self._inner.specs))

    @property
    def decisions(self) -> list[Decision]:
        """The open decisions, choice by choice; `legal_moves` has them put together to whole
        moves.
        """
        return [Decision(self._inner, spec) for spec in self._inner.specs]

    # ---------------------------------------------------------------------------------------- moves
    def legal_moves(self, player: int | None = None) -> Iterator[Move]:
        """The whole moves of a player (else of the first who is to decide), made one at a time."""
        index = self._mover(player)
        return iter(()) if index is None else moves.legal(self._inner, index)

    def count_moves(self, limit: int = 10_000, player: int | None = None) -> int:
        """How many whole moves there are; counting stops at the limit."""
        index = self._mover(player)
        return 0 if index is None else moves.count(self._inner, index, limit)

    def sample_move(self, rng: random.Random, player: int | None = None) -> Move:
        """A whole move drawn at random, choice by choice; raises Illegal if there is none."""
        index = self._mover(player)
        if index is None:
            raise Illegal(self._nobody())
        return moves.sample(self._inner, index, rng)

    def move(
        self, action: str | None = None, /, *, by: int | None = None, **values: object
    ) -> Move:
        """The legal move of this action (by name or title, or by the event it does) with these
        values.

        Values are names, titles, labels or numbers, or lists of them. What can only be one way may
        be left out. Raises InputError for what is unknown, Illegal with the reasons for what is
        refused.
        """
        index = self._mover(by)
        if index is None:
            raise Illegal(self._nobody())
        return moves.named(self._inner, index, action, values)

    def play(
        self, move: Move | str | None = None, /, *, by: int | None = None, **values: object
    ) -> State:
        """The state after a whole move, or one named as in `move`; this state stays as it is.

        A move is a value: one that was made in another state of the game may be played here if it
        is legal here. Raises Illegal with the reasons if it is not.
        """
        if not isinstance(move, Move):
            move = self.move(move, by=by, **values)
        elif values or by is not None:
            raise InputError("a move says itself who makes it and what is chosen")
        return State(self._game, moves.play(self._inner, move))

    def choose(self, choice: Choice) -> State:
        """The state after one choice of an open decision; raises Illegal with the reasons."""
        return State(self._game, moves.choose(self._inner, choice))

    def undo(self) -> State:
        """The state before the last choice; raises Illegal if that showed anybody something new."""
        return State(self._game, self._inner.undo())

    def _mover(self, player: int | None) -> int | None:
        """The index of who moves; none if it is nobody's move.

        Raises Illegal where it is not his.
        """
        if player is None:
            return self._inner.specs[0].player if self._inner.specs else None
        index = index_of(player, self._game.players)
        if player not in self.deciding:
            raise Illegal(f"player {player} is not to decide now; {self._nobody()}")
        return index

    def _nobody(self) -> str:
        if self.over:
            return f"the game is over ({self.ended_by})"
        return "to decide is " + (", ".join(f"player {p}" for p in self.deciding) or "nobody")

    # --------------------------------------------------------------------- how it stands
    @property
    def choice_count(self) -> int:
        """How many choices were made since the game began."""
        return self._inner.moves

    def scores(self) -> dict[int, int]:
        """What the first line of the ranking comes to for each player, now."""
        return {p + 1: score for p, score in enumerate(self._inner.scores())}

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The players from first to last, ties together."""
        return tuple(tuple(p + 1 for p in tied) for tied in self._inner.ranking)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who rank first."""
        return tuple(p + 1 for p in self._inner.winners)

    def log(self, player: int | None = None) -> list[str]:
        """What happened, in words, oldest first, as a player (or an onlooker) may read it."""
        viewer = viewer_of(player, self._game.players)
        return [
            game_log.told(self._inner, entry, viewer)
            for entry in game_log.gathered(self._inner.log)
        ]

    # --------------------------------------------------------------------- what is known
    def view(self, player: int | None = None) -> View:
        """What a player (or an onlooker) may know, as data with a schema."""
        return view_of(self._inner, viewer_of(player, self._game.players))

    def imagine(self, player: int, rng: random.Random) -> State:
        """A full state that agrees with all that player has seen; the rest is dealt anew at
        random.
        """
        index = index_of(player, self._game.players)
        return State(self._game, imagined(self._inner, index, rng))

    @property
    def position(self) -> Position:
        """Where everything is, hidden or not: a copy that nothing changes."""
        return position_of(self._inner)

    def board(self, name: str | None = None, player: int | None = None) -> Graph:
        """A board as a graph: cells by label, with pieces and public variables as attributes.

        The name may be left out where there is but one; of boards that each player has, say whose.
        """
        boards = self._inner.game.setup.boards
        if name is None and len(boards) == 1:
            name = next(iter(boards))
        if name is None or name not in boards:
            raise InputError(f"there is no board {name!r}{near(name, boards)}")
        info = boards[name]
        if not info.board.per_player:
            return graph_of(self._inner, info, 0)
        if player is None:
            raise InputError(f"each player has a {name} of their own: say whose")
        return graph_of(self._inner, info, index_of(player, self._game.players))

    # ---------------------------------------------------------------------------------------- why
    def why_not(self, action: str, /, *, by: int | None = None, **values: object) -> list[Refusal]:
        """Every line that stands against an action or event with these values; empty if nothing
        does.
        """
        index = index_of(by, self._game.players) if by is not None else self._mover(None)
        return moves.why_not(self._inner, index or 0, action, values)

    def explain(self, player: int | None = None) -> ScoreTree | None:
        """The last event that scored, line by line, as a player (or an onlooker) may read it.

        None if nothing has happened yet.
        """
        return self._inner.explain(viewer=viewer_of(player, self._game.players))

    # --------------------------------------------------------------------------- as data
    def record(self) -> Record:
        """Rules, settings, seed and choices, by which the game plays again to this state."""
        return Record.model_validate(self._inner.game.record(self._inner))

    def as_json(self) -> dict[str, Json]:
        """The whole state as plain data; `Game.position` takes it back."""
        return self._inner.to_json()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._inner == other._inner

    def __hash__(self) -> int:
        return hash(self._inner)

    def __repr__(self) -> str:
        made = counted(self.choice_count, "choice")
        if self.over:
            return f"<State of {self._game.id} after {made}: over by {self.ended_by}>"
        asked = "; ".join(f"player {d.player}: {d.prompt}" for d in self.decisions)
        return f"<State of {self._game.id} after {made}: {asked}>"

    def _repr_svg_(self) -> str | None:
        """The boards as a picture, for notebooks; none where the game has no board."""
        from interpreter.render.svg import draw_svg

        return draw_svg(self._inner)
