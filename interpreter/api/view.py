"""What one player may know, as data with a schema: `View.model_json_schema()` is the documented
one.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from interpreter.game.game import State


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BoardView(_Data):
    """What lies on a board."""

    layers: dict[str, dict[str, list[str]]] = Field(
        description="for each layer the sites that hold something, by label, with the pieces there"
    )
    tiles: dict[str, list[int]] | None = Field(
        default=None, description="on a board that grows, its tiles with the numbers of their cells"
    )


def _number(player: object) -> object:
    """A player by his number: p1 is 1."""
    return int(player[1:]) if isinstance(player, str) else player


class DecisionView(_Data):
    """An open decision; its options only for the player who decides."""

    player: Annotated[int, BeforeValidator(_number)] = Field(ge=1, description="who decides")
    prompt: str = Field(description="what is to be decided, in words")
    name: str = Field(description="the name the rules give the choice")
    low: int | None = Field(default=None, description="of a choice of several: at least so many")
    high: int | None = Field(default=None, description="of a choice of several: at most so many")
    options: list[JsonValue] | None = Field(
        default=None, description="what may be chosen, or of a choice of several, chosen from"
    )


class View(_Data):
    """The state of a game as one player, or an onlooker, knows it."""

    game: str = Field(description="the id of the game")
    viewer: int | None = Field(description="who looks; null for an onlooker")
    places: dict[str, list[str | dict[str, JsonValue]]] = Field(
        description="what lies in each place; of a piece he may not know only what its back shows"
    )
    boards: dict[str, BoardView]
    state: dict[str, dict[str, JsonValue]] = Field(
        description="variables that are not what they began with, by whose or what's they are"
    )
    decisions: list[DecisionView] = Field(description="who must decide what now")
    log: list[dict[str, JsonValue]] = Field(description="what happened, oldest first")
    ended: str | None = Field(description="the end that came, if the game is over")
    undo: bool = Field(description="may the last choice be taken back?")


def view_of(state: State, viewer: int | None) -> View:
    """What the viewer (by index) may know."""
    data = state.view(viewer)
    who = None if viewer is None else viewer + 1
    return View.model_validate({**data, "viewer": who})
