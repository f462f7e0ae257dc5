"""Games as environments, as `rulelang.environments` offers them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from interpreter.api.game import Game, load
from interpreter.api.values import near
from interpreter.environments.bounds import Unbounded as Unbounded
from interpreter.environments.numbering import Segment
from interpreter.environments.table import RANK, Rules
from interpreter.environments.tensors import Part
from interpreter.game.given import index_of
from interpreter.model.errors import InputError

if TYPE_CHECKING:  # each library is there only where its environments are asked for
    import pyspiel

    from interpreter.environments.agents_at_once import AgentsAtOnce
    from interpreter.environments.agents_in_turn import AgentsInTurn
    from interpreter.environments.batch import Batch
    from interpreter.environments.one_agent import OneAgent


class Settings(TypedDict, total=False):
    """How a game is loaded, as `rulelang.load` takes it, and two settings of environments.

    `numbers` bounds numbers that may be chosen where the rules do not; larger ones are then not
    offered. `reward` is `rank`, `margin` or `score`.
    """

    players: int | None
    variants: str | Iterable[str]
    options: Mapping[str, str | int] | None
    with_: str | Path | Iterable[str | Path]
    numbers: int | None
    reward: str


@dataclass(frozen=True)
class Numbers:
    """What the numbers of a game's environments mean: its actions, and the parts of its tensors."""

    actions: tuple[Segment, ...]
    tensor: tuple[Part, ...]
    _rules: Rules

    def action(self, number: int) -> str:
        """An action in words."""
        return self._rules.numbering.said(number)


def numbers_of(game: Game | str | Path, **settings: Unpack[Settings]) -> Numbers:
    """How the actions and tensors of a game are numbered, alike in all its environments.

    Raises Unbounded naming what has no sensible bound.
    """
    rules = _rules(game, settings)
    return Numbers(tuple(rules.numbering.segments), tuple(rules.layout.parts), rules)


def pettingzoo_env(
    game: Game | str | Path,
    *,
    render_mode: str | None = None,
    **settings: Unpack[Settings],
) -> AgentsInTurn:
    """A game as an AEC environment of PettingZoo: agents act one after the other."""
    rules = _rules(game, settings)
    _needs("pettingzoo")
    from interpreter.environments.agents_in_turn import AgentsInTurn

    return AgentsInTurn(rules, render_mode)


def pettingzoo_parallel_env(
    game: Game | str | Path,
    *,
    render_mode: str | None = None,
    **settings: Unpack[Settings],
) -> AgentsAtOnce:
    """A game as a Parallel environment of PettingZoo: all who are to decide act at once."""
    rules = _rules(game, settings)
    _needs("pettingzoo")
    from interpreter.environments.agents_at_once import AgentsAtOnce

    return AgentsAtOnce(rules, render_mode)


def gymnasium_env(
    game: Game | str | Path,
    *,
    seat: int = 1,
    illegal: str = "stay",
    render_mode: str | None = None,
    **settings: Unpack[Settings],
) -> OneAgent:
    """A game of one player as an environment of Gymnasium; of more, one seat among bots at
    random.
    """
    rules = _rules(game, settings)
    _needs("gymnasium")
    from interpreter.environments.one_agent import OneAgent

    return OneAgent(rules, index_of(seat, rules.game.players), illegal, render_mode)


def open_spiel_game(game: Game | str | Path, **settings: Unpack[Settings]) -> pyspiel.Game:
    """A game registered with OpenSpiel; `str` of it is the name that `load_game` takes."""
    rules = _rules(game, settings)
    _needs("pyspiel")
    from interpreter.environments.spiel import spiel_game

    return spiel_game(rules)


def batch_env(
    game: Game | str | Path, *, games: int, seed: int = 0, **settings: Unpack[Settings]
) -> Batch:
    """So many games that the native engine takes an action further all at once, with the seeds from
    `seed` on.

    Raises Unbounded where the native engine does not play the game.
    """
    rules = _rules(game, settings)
    _needs("numpy")
    from interpreter.environments.batch import Batch

    return Batch(rules, games, seed)


def _rules(game: Game | str | Path, settings: Settings) -> Rules:
    """What all tables of a game share; raises InputError, RulesError or Unbounded."""
    unknown = [name for name in settings if name not in Settings.__annotations__]
    if unknown:
        near_to = near(unknown[0], Settings.__annotations__)
        raise InputError(f"an environment has no setting {unknown[0]!r}{near_to}")
    numbers, reward = settings.get("numbers"), settings.get("reward", RANK)
    if numbers is not None and (isinstance(numbers, bool) or not isinstance(numbers, int)):
        raise InputError(f"numbers is the largest number that may be chosen, not {numbers!r}")
    if isinstance(game, Game):
        if settings.keys() & {"players", "variants", "options", "with_"}:
            raise InputError("a game that is loaded has its players, variants and options already")
        return Rules(game._inner, numbers, reward)
    made = load(
        game,
        players=settings.get("players"),
        variants=settings.get("variants", ()),
        options=settings.get("options"),
        with_=settings.get("with_", ()),
    )
    return Rules(made._inner, numbers, reward)


def _needs(library: str) -> None:
    """Raises InputError with the command that installs what is missing."""
    from importlib.util import find_spec

    if find_spec(library) is None or find_spec("numpy") is None:
        raise InputError(
            f"{library} is not installed: pip install 'rulelang[environments]' brings it"
        )
