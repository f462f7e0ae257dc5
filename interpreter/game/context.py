"""What a game in play is made of: the fixed side (setup, compiled rules, machine) and one state.

The modules beside this one look at these (views, logs, score trees, refusals, records); `game`
adds what makes one state from another. Nothing here knows any of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.engine.decisions import NOBODY, Decision, Option, Spec
from interpreter.engine.engine import Watch, make_engine
from interpreter.engine.ranking import ranking
from interpreter.engine.simultaneous import seen_by
from interpreter.game.formatting import Presenter
from interpreter.game.loading import Loaded
from interpreter.model.position import Entry, Position
from interpreter.model.values import Fault
from rulelang.ruleset import OPTION


class GameContext:
    """One ruleset for a number of players under chosen variants and options: what never changes."""

    def __init__(
        self,
        loaded: Loaded,
        players: int,
        options: Mapping[str, str | int],
        variants: tuple[str, ...],
        without: frozenset[str] = frozenset(),
        record: bool = False,
        keeps: bool = True,
    ) -> None:
        """Build the fixed side once.

        `without` takes clauses away, `record` notes which are looked at; unless it `keeps`, nothing
        that was worked out is kept.
        """
        known = loaded.compiled.rules
        indices = {
            name: values.index(options.get(name, values[0]))
            for name, values in known.options.items()
        }
        self.deck = str(known.options[OPTION][indices[OPTION]]) if known.decks else None
        self.loaded, self.rules_source = loaded, loaded.played_with(self.deck)
        self.players, self.options, self.variants = players, dict(options), variants
        self.id, self.title = self.rules_source.id, self.rules_source.title
        engine = make_engine(self.rules_source, players, indices, Watch(without, record, keeps))
        self.setup, self.rules, self.effects = engine.setup, engine.rules, engine.effects
        self.machine, self.lookahead = engine.machine, engine.lookahead
        self.decider, self.engine = engine.decider, engine
        self.presenter = Presenter(self.setup, self.rules)
        self.worked_out: dict[object, object] = {}  # by those who play it, see `WorkedOut`


class PlayState:
    """One state of play, to be looked at: a position, its open decisions, and how it came about."""

    def __init__(
        self,
        game: GameContext,
        position: Position,
        parent: PlayState | None = None,
        choice: Option | None = None,
    ) -> None:
        """`parent` is the state before the last choice; raises Fault where nobody could decide."""
        self.game, self._position, self.parent, self.choice = game, position, parent, choice
        self.specs: list[Spec] = game.decider.open(position)
        for spec in self.specs:
            if spec.player == NOBODY or spec.player >= game.players:
                who = "nobody" if spec.player == NOBODY else f"player {spec.player + 1}"
                line = spec.stmt.span.line if spec.stmt is not None else 0
                raise Fault(
                    f"{who} is to decide “{spec.prompt}”, line {line}, and {game.players} play"
                )

    @property
    def position(self) -> Position:
        """The position itself, to be looked at and not changed."""
        return self._position

    @property
    def decisions(self) -> list[Decision]:
        """Who must decide what now.

        There are several when play is simultaneous, none when the game is over.
        """
        return [Decision(self.game.decider, self._position, spec) for spec in self.specs]

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
        number = self.game.rules.number
        return [
            number(ranks[0].key, self._position, {"player": p}) for p in range(self.game.players)
        ]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PlayState)
            and self._position.canonical() == other._position.canonical()
        )

    def __hash__(self) -> int:
        return hash(self.digest())

    def digest(self) -> str:
        """A hash of the state: the same on any machine."""
        return self._position.digest()

    def seen_by(self, player: int | None) -> Position:
        """The position as far as that player has seen things lie.

        In simultaneous play that is his own branch, and what is open to him of others.
        """
        return seen_by(self.game.machine, self._position, player)

    def seat(self, spec: Spec) -> Position:
        """The position an open decision is about: its branch in simultaneous play, else the common
        one.
        """
        return self._position.branches[spec.seat] if spec.seat is not None else self._position

    def acted_on_by(self, player: int) -> Position:
        """The position a player acts on: his branch in simultaneous play, else the common one."""
        return self._position.branches.get(player, self._position)

    def spec_of(self, player: int, name: str) -> Spec | None:
        """The open decision of this player of this name; none if it is not open."""
        return next((s for s in self.specs if s.player == player and s.name == name), None)
