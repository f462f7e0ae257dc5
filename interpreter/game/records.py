"""Self-contained records: which rules (by hash), which settings, which seed, every choice; a record
plays again to the same state.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from interpreter.game.context import GameContext, PlayState
from interpreter.game.record_error import RecordError
from interpreter.game.version import made_by, version
from interpreter.game.views import option_data
from rulelang.core.values import Json
from rulelang.diagnostics.source import MAX_LINE

FORMAT = 1  # of the records that are written and read


class Choice(BaseModel):
    """One choice: who, of what name, what."""

    model_config = ConfigDict(extra="forbid", strict=True)
    player: int = Field(ge=0, le=63)
    name: str = Field(max_length=MAX_LINE)
    value: object


class Record(BaseModel):
    """A game written down."""

    model_config = ConfigDict(extra="forbid", strict=True)
    format: int = Field(ge=FORMAT, le=FORMAT)
    game: str = Field(max_length=MAX_LINE)
    rules: str = Field(max_length=64)
    players: int = Field(ge=1, le=64)
    variants: list[str] = Field(max_length=100)
    options: dict[str, str | int]
    added: dict[str, str]
    seed: int
    choices: list[Choice] = Field(max_length=200_000)
    digest: str = Field(max_length=64)
    version: str = Field(default="", max_length=100)  # of the program it was written by
    seats: list[str] = Field(
        default=[], max_length=64
    )  # who sat where, if the game is to be gone on with
    identity: str = Field(default="", max_length=64)  # which game it is, whatever its seed
    not_decided: str = Field(default="", max_length=1_000)  # why the rules broke off there


def make_record(game: GameContext, state: PlayState) -> dict[str, Json]:
    """The record of a game up to a state."""
    choices: list[Choice] = []
    at: PlayState | None = state
    while at is not None and at.parent is not None and at.choice is not None:
        spec = next(
            s for s in at.parent.specs if s.player == at.choice.player and s.name == at.choice.name
        )
        choices.append(
            Choice(
                player=at.choice.player,
                name=at.choice.name,
                value=option_data(at.parent, spec, at.choice.value),
            )
        )
        at = at.parent
    return Record(
        format=FORMAT,
        game=game.id,
        rules=game.loaded.rules_hash,
        players=game.players,
        variants=list(game.variants),
        options=dict(game.options),
        added={_plain(name): game.loaded.sources[name].text for name in game.loaded.added},
        seed=state.position.seed,
        choices=choices[::-1],
        digest=state.digest(),
        version=version(),
    ).model_dump()


def _plain(name: str) -> str:
    """The name of a file in letters that can be written, whatever bytes it is made of."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def read_record(data: object) -> Record:
    """A checked record; raises RecordError naming the first entry that is wrong.

    A record of another format is refused by the version of the program that wrote it.
    """
    if isinstance(data, Record):
        return data
    if isinstance(data, dict) and isinstance(data.get("format"), int) and data["format"] != FORMAT:
        writer = data.get("version")
        by = f"rulelang {writer}" if isinstance(writer, str) and writer else "another rulelang"
        raise RecordError(
            f"it was written by {by} (records of format {data['format']}); "
            f"this is {version()}, which reads format {FORMAT}"
        )
    try:
        return Record.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise RecordError(f"{where}: {first['msg']}") from error


def check_rules(game: GameContext, record: Record) -> None:
    """Raises RecordError unless the record is of this game, played with these rules."""
    if record.game != game.id:
        raise RecordError(f"it is of the game {record.game}, not {game.id}")
    if record.rules != game.loaded.rules_hash:
        raise RecordError(
            f"it was played with another version of the rules{made_by(record.version)}"
        )
