"""Settings of a game: every combination of players, variants and options, or so few that each two values still meet."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded, RulesError, Unlawful, fatal, overlay
from interpreter.game.setup_laws import options_of_laws, refusals
from rulelang.analysis.ruleset_checks import check_ruleset
from rulelang.diagnostics import Diagnostic

MORE = 3  # numbers of players above the smallest that are tried where any number may play

Row = dict[str, Any]  # a value for each factor
Factors = Mapping[str, Sequence[Any]]


# ------------------------------------------------------------------------------------------------ covering arrays
def every(factors: Factors) -> Iterator[Row]:
    """All rows, the last factor changing fastest."""
    for values in itertools.product(*factors.values()):
        yield dict(zip(factors, values, strict=True))


def pairwise(factors: Factors, allowed: Callable[[Row], bool] = lambda row: True) -> list[Row]:
    """Rows in which every two values of two factors meet, if a row with both is allowed; few, though not the fewest.

    `allowed` is asked of rows that are not whole yet; what it refuses stays refused whatever is added. One row after another is begun with a pair that
    has not met, and filled so that as many others as possible do. The same factors give the same rows.
    """
    names = list(factors)
    if len(names) < 2:
        return [row for row in every(factors) if allowed(row)]
    unmet = dict.fromkeys(
        ((a, x), (b, y))
        for a, b in itertools.combinations(names, 2)
        for x in factors[a]
        for y in factors[b]
    )
    rows: list[Row] = []
    while unmet:
        (a, x), (b, y) = first = next(iter(unmet))
        del unmet[first]
        row: Row | None = {a: x, b: y} if allowed({a: x, b: y}) else None
        for name in names if row is not None else ():
            if name not in (a, b):
                row = (
                    _filled(row, name, factors[name], unmet, names, allowed)
                    if row is not None
                    else None
                )
        if row is None:
            continue
        rows.append({name: row[name] for name in names})
        for pair in itertools.combinations(rows[-1].items(), 2):
            unmet.pop(pair, None)
    return rows


def _filled(
    row: Row,
    name: str,
    values: Sequence[Any],
    unmet: Iterable[Any],
    names: list[str],
    allowed: Callable[[Row], bool],
) -> Row | None:
    """The row with the value of one more factor by which most pairs meet that have not; none if no value is allowed."""
    place = names.index(name)

    def gain(value: Any) -> int:
        met = [
            ((other, had), (name, value))
            if names.index(other) < place
            else ((name, value), (other, had))
            for other, had in row.items()
        ]
        return sum(pair in unmet for pair in met)

    ranked = sorted(values, key=gain, reverse=True)
    return next((made for value in ranked if allowed(made := {**row, name: value})), None)


# ------------------------------------------------------------------------------------------------ settings
@dataclass(frozen=True)
class Setting:
    """A number of players, variants, and a value for every option."""

    players: int
    variants: tuple[str, ...]
    options: tuple[tuple[str, str | int], ...]

    def as_json(self) -> dict[str, Any]:
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
    options: Mapping[str, str | int] = field(default_factory=dict)
    refused: dict[tuple[str, ...], str] = field(
        default_factory=dict
    )  # what the rules do not allow together (variants, players, options), and why
    _allowed: set[tuple[str, ...]] = field(default_factory=set)
    _lawful: dict[Any, str | None] = field(
        default_factory=dict
    )  # variants, players and the options that laws read -> which law they break
    _laws: dict[Any, frozenset[str]] = field(default_factory=dict)
    _last: tuple[tuple[str, ...], Loaded] | None = (
        None  # compiled last; settings come sorted by their variants
    )

    def __post_init__(self) -> None:
        """Raises RulesError for what was asked for and is not there, or is allowed with no number of players."""
        made, counts = overlay(self.loaded, self.variants), list(self.factors()["players"])
        for count in counts:
            try:
                game_of(made, count, self.variants, dict(self.options))
                return
            except RulesError:
                if count == counts[-1]:
                    raise

    def factors(self) -> Factors:
        """What may be varied: each variant, the players, each option; what was asked for has one value."""
        rules = self.loaded.compiled.rules
        low, high = rules.players
        top = low + MORE if high is None else high
        found: dict[str, Sequence[Any]] = {
            f"variant {name}": (True,) if name in self.variants else (False, True)
            for name in rules.variants
        }
        found["players"] = [self.players] if self.players is not None else range(low, top + 1)
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
        """Do the rules allow what is chosen so far: the variants together, and with them some players and options?"""
        variants = _variants(row)
        if variants not in self._allowed and variants not in self.refused:
            self._compiled(variants)
        return variants in self._allowed and self._keeps_laws(row, variants)

    def _keeps_laws(self, row: Row, variants: tuple[str, ...]) -> bool:
        """Is there a number of players, and a value for each option laws read, with which no law is broken?"""
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
                said = (
                    f"{name.removeprefix('option ')}={value}"
                    for name, value in chosen.items()
                    if name != "players"
                )
                self.refused[
                    (*variants, f"{chosen['players']} player{'s' * (chosen['players'] > 1)}", *said)
                ] = why
        return False

    def _law_options(self, variants: tuple[str, ...]) -> frozenset[str]:
        key = ("options", variants)
        if key not in self._laws:
            self._laws[key] = options_of_laws(self._compiled(variants).compiled.rules)
        return self._laws[key]

    def _broken(self, variants: tuple[str, ...], chosen: Row) -> str | None:
        key = (variants, tuple(chosen.items()))
        if key not in self._lawful:
            options = {
                name.removeprefix("option "): value
                for name, value in chosen.items()
                if name != "players"
            }
            broken = refusals(Game(self._compiled(variants), chosen["players"], options, variants))
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
        options = tuple(
            (name.removeprefix("option "), value)
            for name, value in row.items()
            if name.startswith("option ")
        )
        return Setting(row["players"], _variants(row), options)

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
        """What laws say of variants that clash, if for every number of players one forbids them."""
        said: list[Diagnostic] = []
        for count in self.factors()["players"]:
            try:
                game_of(made, count, variants, dict(self.options))
            except Unlawful as error:
                said += error.found
            except RulesError:
                return []
        return said


def _variants(row: Row) -> tuple[str, ...]:
    return tuple(
        name.removeprefix("variant ")
        for name, value in row.items()
        if name.startswith("variant ") and value
    )
