"""Settings of a game: all combinations of players, variants and options, or a pairwise sample.

A pairwise sample (a covering array of strength two) has few rows, and every two values that are
allowed together stand together in one of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded, RulesError, Unlawful, fatal, overlay
from interpreter.game.setup_laws import options_of_laws, refusals
from rulelang.analysis.ruleset_checks import check_ruleset
from rulelang.core.values import Json
from rulelang.diagnostics import Diagnostic

MORE = 3  # numbers of players above the smallest that are tried where any number may play

Level: TypeAlias = "bool | int | str"  # a value of a factor
Row = dict[str, Level]  # a level for each factor
Factors = Mapping[str, Sequence[Level]]
Pair = tuple[tuple[str, Level], tuple[str, Level]]


# ---------------------------------------------------------------------------- covering arrays
def every(factors: Factors) -> Iterator[Row]:
    """All rows, the last factor changing fastest."""
    for values in itertools.product(*factors.values()):
        yield dict(zip(factors, values, strict=True))


def pairwise(factors: Factors, allowed: Callable[[Row], bool] = lambda row: True) -> list[Row]:
    """Rows in which every two levels of two factors meet, if a row with both is allowed.

    There are few rows, though not the fewest, and the same factors give the same rows. `allowed`
    is asked of partial rows; what it refuses must stay refused whatever is added. Each row begins
    with a pair that has not met yet, and is filled greedily with what makes most others meet.
    """
    names = list(factors)
    if len(names) < 2:
        return [row for row in every(factors) if allowed(row)]
    unmet: dict[Pair, None] = dict.fromkeys(
        ((a, x), (b, y))
        for a, b in itertools.combinations(names, 2)
        for x in factors[a]
        for y in factors[b]
    )
    rows: list[Row] = []
    while unmet:
        first = next(iter(unmet))
        del unmet[first]
        row = _row_with(first, factors, unmet, allowed)
        if row is None:
            continue
        rows.append({name: row[name] for name in names})
        for pair in itertools.combinations(rows[-1].items(), 2):
            unmet.pop(pair, None)
    return rows


def _row_with(
    first: Pair, factors: Factors, unmet: Mapping[Pair, None], allowed: Callable[[Row], bool]
) -> Row | None:
    """A whole row that holds a pair of levels, filled greedily; none if the rules allow none."""
    row: Row | None = dict(first)
    if not allowed(dict(first)):
        return None
    for name in factors:
        if row is not None and name not in row:
            row = _extended(row, name, factors, unmet, allowed)
    return row


def _extended(
    row: Row,
    name: str,
    factors: Factors,
    unmet: Mapping[Pair, None],
    allowed: Callable[[Row], bool],
) -> Row | None:
    """The row with the level of one more factor that makes most unmet pairs meet; none if none."""
    names = list(factors)
    place = names.index(name)

    def gain(level: Level) -> int:
        met = [
            ((other, had), (name, level))
            if names.index(other) < place
            else ((name, level), (other, had))
            for other, had in row.items()
        ]
        return sum(pair in unmet for pair in met)

    ranked = sorted(factors[name], key=gain, reverse=True)
    return next((made for level in ranked if allowed(made := {**row, name: level})), None)


# ----------------------------------------------------------------------------------- settings
@dataclass(frozen=True)
class Setting:
    """A number of players, variants, and a value for every option."""

    players: int
    variants: tuple[str, ...]
    options: tuple[tuple[str, Level], ...]

    def as_json(self) -> dict[str, Json]:
        """The setting as plain data."""
        return {
            "players": self.players,
            "variants": list(self.variants),
            "options": dict(self.options),
        }

    def words(self) -> str:
        """The setting as one writes it on a command line."""
        said = [
            f"--players {self.players}",
            *(f"--variant {v}" for v in self.variants),
            *(f"--option {name}={value}" for name, value in self.options),
        ]
        return " ".join(said)


@dataclass
class Settings:
    """The settings a ruleset allows, of those asked for."""

    loaded: Loaded
    players: int | None = None
    variants: tuple[str, ...] = ()
    options: Mapping[str, Level] = field(default_factory=dict)
    # what the rules do not allow together (variants, players, options) -> why
    refused: dict[tuple[str, ...], str] = field(default_factory=dict)
    _allowed: set[tuple[str, ...]] = field(default_factory=set)
    # variants, with players and the options that laws read -> the law they break
    _lawful: dict[tuple[tuple[str, ...], tuple[tuple[str, Level], ...]], str | None] = field(
        default_factory=dict
    )
    _laws: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)
    # compiled last; settings come sorted by their variants
    _last: tuple[tuple[str, ...], Loaded] | None = None

    def __post_init__(self) -> None:
        """Raise RulesError for what is not there, or is allowed with no number of players."""
        made, counts = overlay(self.loaded, self.variants), self.counts()
        for count in counts:
            try:
                game_of(made, count, self.variants, dict(self.options))
                return
            except RulesError:
                if count == counts[-1]:
                    raise

    def counts(self) -> Sequence[int]:
        """The numbers of players that are tried."""
        low, high = self.loaded.compiled.rules.players
        top = low + MORE if high is None else high
        return (self.players,) if self.players is not None else range(low, top + 1)

    def factors(self) -> Factors:
        """The factors: each variant, the players, each option.

        One level where one was asked for.
        """
        rules = self.loaded.compiled.rules
        found: dict[str, Sequence[Level]] = {
            f"variant {name}": (True,) if name in self.variants else (False, True)
            for name in rules.variants
        }
        found["players"] = self.counts()
        return found | {
            f"option {name}": (self.options[name],) if name in self.options else values
            for name, values in rules.options.items()
        }

    def all(self) -> Iterator[Setting]:
        """Every setting the rules allow."""
        return (self._setting(row) for row in every(self.factors()) if self.allowed(row))

    def sample(self) -> list[Setting]:
        """Settings in which every two values meet."""
        return sorted(
            (self._setting(row) for row in pairwise(self.factors(), self.allowed)),
            key=lambda setting: setting.variants,
        )

    def allowed(self, row: Row) -> bool:
        """Whether a partial row can still become a setting that the rules allow."""
        variants = _variants(row)
        if variants not in self._allowed and variants not in self.refused:
            self._compiled(variants)
        return variants in self._allowed and self._keeps_laws(row, variants)

    def _keeps_laws(self, row: Row, variants: tuple[str, ...]) -> bool:
        """Whether some players, and a value for each option that laws read, break no law."""
        factors = {
            name: values
            for name, values in self.factors().items()
            if not name.startswith("variant ")
        }
        read = {"players", *(f"option {name}" for name in self._law_options(variants))}
        open_factors = {
            name: (row[name],) if name in row else values
            for name, values in factors.items()
            if name in read
        }
        for chosen in every(open_factors):
            why = self._broken(variants, chosen)
            if why is None:
                return True
            if all(name in row for name in chosen):
                self.refused[(*variants, *_words(chosen))] = why
        return False

    def _law_options(self, variants: tuple[str, ...]) -> frozenset[str]:
        if variants not in self._laws:
            self._laws[variants] = options_of_laws(self._compiled(variants).compiled.rules)
        return self._laws[variants]

    def _broken(self, variants: tuple[str, ...], chosen: Row) -> str | None:
        key = (variants, tuple(chosen.items()))
        if key not in self._lawful:
            made = Game(
                self._compiled(variants), _players(chosen), dict(_options(chosen)), variants
            )
            broken = refusals(made)
            self._lawful[key] = "; ".join(item.message for _, item in broken) or None
        return self._lawful[key]

    def game(self, setting: Setting) -> Game:
        """The game under a setting."""
        return game_of(
            self._compiled(setting.variants),
            setting.players,
            setting.variants,
            dict(setting.options),
        )

    def _setting(self, row: Row) -> Setting:
        return Setting(_players(row), _variants(row), _options(row))

    def _compiled(self, variants: tuple[str, ...]) -> Loaded:
        if self._last is None or self._last[0] != variants:
            made = overlay(self.loaded, variants)
            check_ruleset(made.compiled)
            wrong = fatal(made)
            if wrong:
                self.refused[variants] = "; ".join(
                    dict.fromkeys(item.message for item in self._forbidden(made, variants) or wrong)
                )
            else:
                self._allowed.add(variants)
            self._last = (variants, made)
        return self._last[1]

    def _forbidden(self, made: Loaded, variants: tuple[str, ...]) -> list[Diagnostic]:
        """The laws against clashing variants, if there is one for every number of players."""
        said: list[Diagnostic] = []
        for count in self.counts():
            try:
                game_of(made, count, variants, dict(self.options))
            except Unlawful as error:
                said += error.found
            except RulesError:
                return []
        return said


def _players(row: Row) -> int:
    return int(row["players"])


def _options(row: Row) -> tuple[tuple[str, Level], ...]:
    prefix = "option "
    return tuple((k.removeprefix(prefix), v) for k, v in row.items() if k.startswith(prefix))


def _words(row: Row) -> list[str]:
    """The players and options of a row in words, as a refusal names them."""
    count = _players(row)
    return [
        f"{count} player{'s' * (count > 1)}",
        *(f"{name}={value}" for name, value in _options(row)),
    ]


def _variants(row: Row) -> tuple[str, ...]:
    return tuple(
        name.removeprefix("variant ")
        for name, value in row.items()
        if name.startswith("variant ") and value
    )
