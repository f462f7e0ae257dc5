"""The form of positions as plain data: what `Game.position` takes, with its JSON schema.

`PositionData.model_json_schema()` is the documented one.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from interpreter.model.errors import InputError
from rulelang.diagnostics import nearest

Name = str | int


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Owned(_Data):
    """A piece of a certain player."""

    piece: Name = Field(description="its title, or its title and number")
    of: Name = Field(description="whose it is: `p2`, or 2")


class Picture(_Data):
    """A board drawn in signs."""

    rows: list[str] = Field(description="signs apart by blanks, `.` for nothing")
    legend: dict[str, Name | bool | Owned] = Field(
        default={},
        description="what a sign stands for: a title, or a value of the only variable of the cells",
    )


class Put(_Data):
    """A piece on sites of a board."""

    piece: Name = Field(description="its title, or its title and number as in `oak#12`")
    at: list[Name] | Name = Field(
        default=[],
        description="the labels of its sites, as they are shown; `a1 of p2` where each player has "
        "a board; or as states write them, `bed#12`",
    )
    layer: str | None = Field(default=None, description="where several layers take such pieces")
    sites: list[Name] | None = Field(
        default=None, description="the same by number, as earlier versions wrote it"
    )


class Tile(_Data):
    """A tile of a board that grows."""

    piece: Name
    board: str = Field(description="the board; `yard of p2` where each player has one")
    at: list[Name] = Field(
        default=[],
        description="the places of its cells in the order of the tile: labels of the map such as "
        "`ad25`, or as states write them, `field#12`",
    )
    cells: list[Name] | None = Field(
        default=None, description="the same by number, as earlier versions wrote it"
    )


class Turn(_Data):
    """What is done next."""

    procedure: str = Field(description="a procedure or action of the rules")
    player: Name | None = Field(default=None, description="whose it is, if it asks for a player")
    values: dict[str, object] = Field(default={}, description="what else it takes, by name")


class PositionData(_Data):
    """A position: where pieces lie, what variables hold, who was shown what, what is done next."""

    boards: dict[str, list[str] | Picture] = Field(
        default={},
        description="pictures by board, `yard` or `yard of p2`; on a board that grows, the labels "
        "of cells place the tiles",
    )
    tiles: list[Tile] = Field(default=[], description="tiles by the places of their cells")
    put: list[Put] = Field(default=[], description="pieces on sites, what lies below first")
    places: dict[str, list[Name]] = Field(
        default={},
        description="titles by place, `deck` or `hand of p1`, from its first (or top) on; what "
        "else lay there is out of the game, unless the place starts full",
    )
    state: dict[str, object] = Field(
        default={}, description="variables: a value, or values by whose or what's they are"
    )
    known: dict[str, list[Name]] = Field(
        default={},
        description="hidden pieces that were shown, and to whom: `Rose`, or `Rose in hand of p1`",
    )
    seed: int = Field(default=0, strict=True, description="of the chance to come")
    turn: Turn | None = Field(
        default=None, description="what is done next; with `flow`, where the flow is entered"
    )
    flow: bool = Field(
        default=False, description="the flow runs: from its beginning, or from the turn on"
    )


_WANTED = {
    "dict_type": "no dict",
    "model_type": "no dict",
    "list_type": "no list",
    "int_type": "no whole number",
    "int_parsing": "no whole number",
    "string_type": "no text",
    "bool_type": "neither true nor false",
    "bool_parsing": "neither true nor false",
}


def checked(data: Mapping[str, object]) -> PositionData:
    """The data in its form; raises InputError that tells every entry whose form is wrong."""
    try:
        return PositionData.model_validate(dict(data), strict=False)
    except ValidationError as error:
        told: dict[str, list[str]] = {}
        for item in error.errors(include_url=False):
            # alternatives of one entry are told as one
            path = ".".join(str(part) for part in item["loc"] if not _is_form(part))
            told.setdefault(path, []).append(_wrong(item["type"], item["input"], item["loc"]))
        raise InputError("; ".join(f"{path}{texts[0]}" for path, texts in told.items())) from None


def _is_form(part: object) -> bool:
    """Is a part of a path the name of an alternative, not of an entry?"""
    if not isinstance(part, str):
        return False
    return part in ("str", "int", "bool") or "[" in part or part in ("Picture", "Owned")


def _wrong(kind: str, given: object, path: tuple[str | int, ...]) -> str:
    if kind == "extra_forbidden":
        near = nearest(str(path[-1]), PositionData.model_fields, 1) if len(path) == 1 else []
        return ": there is no such entry" + (f"; did you mean {near[0]!r}?" if near else "")
    if kind == "missing":
        return ": it is missing"
    return f": {given!r} is {_WANTED.get(kind, 'not of the right form')}"
