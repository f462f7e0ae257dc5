"""Distinguishing positions: the smallest found in which two readings of a sentence differ.

Positions built by hand are tried first, then those reached by random play, within bounds.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.authoring.small_positions import small_positions
from interpreter.bots.agents import random_agent
from interpreter.engine.clauses import Rules
from interpreter.game.game import Game, Illegal
from interpreter.game.loading import Loaded
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang.core.types import PLAYER, PieceT, SetT, SiteT, Type
from rulelang.core.values import Value, ordered
from rulelang.diagnostics import CODES, Diagnostic
from rulelang.geometry.shapes import footprints
from rulelang.phrases.phrase import Reading
from rulelang.ruleset import Extension, Params

MAX_GAMES = 40
MAX_MOVES = 150
MAX_STATES = 1_500  # positions looked at in all
MAX_TOLD = 3  # ambiguous sentences of one run for which a position is searched
MAX_PLACES = 60  # places tried for one card in one position
MAX_OTHERS = 12  # pieces judged in a position that was built, where the card lies there already
MAX_SECONDS = 10.0  # of one search


@dataclass(frozen=True)
class Difference:
    """A position in which two readings differ: reached how, and what each says there."""

    how: str
    title: str
    place: str
    one: str
    two: str

    def __str__(self) -> str:
        return (
            f"{self.how}, “{self.title}” at {self.place}: "
            f"{self.one} by one reading, {self.two} by the other"
        )


def tell_apart(
    game: Game, one: Reading, two: Reading, title: str | None = None
) -> Difference | None:
    """The smallest position found where the readings differ, on a card of this title.

    None if none is found within the bounds: then it is not decided whether they differ.
    """
    wearer = title or _wearer(game, one)
    if wearer is None:
        return None
    rules = [_rules_with(game, reading.extensions, wearer) for reading in (one, two)]
    until = time.monotonic() + MAX_SECONDS
    nouns = dict.fromkeys(
        noun
        for reading in (one, two)
        for noun in game.loaded.compiled.glossary.mentions.nouns(reading.derivation)
    )
    component = one.extensions[0].component
    lying = (
        None
        if all(e.lifetime == "played" for e in one.extensions)
        else game.setup.by_title[component, wearer.lower()][0]
    )
    for built in small_positions(game, nouns, component, lying):
        found = _differ(game, built.position, rules, one.extensions, wearer, 0, built.middle)
        if found is not None:
            return replace(found, how=f"in a position with {built.how}")
        if time.monotonic() > until:
            break
    return _in_play(game, rules, one, wearer, until)


def _in_play(
    game: Game, rules: list[Rules], one: Reading, wearer: str, until: float
) -> Difference | None:
    """The position after the fewest choices of random play where they differ."""
    best: tuple[int, Difference] | None = None
    looked = 0
    for seed in range(MAX_GAMES):
        agents = [random_agent(seed * 64 + p) for p in range(game.players)]
        state = game.start(seed)
        while (
            not state.over
            and state.moves < (best[0] if best else MAX_MOVES)
            and looked < MAX_STATES
            and time.monotonic() < until
        ):
            looked += 1
            found = _differ(game, state.position, rules, one.extensions, wearer, seed)
            if found is not None:
                best = (
                    state.moves,
                    replace(found, how=f"after {state.moves} choices of a game with seed {seed}"),
                )
                break
            decision = state.decisions[0]
            try:
                state = state.choose(agents[decision.player](state, decision))
            except (Illegal, Fault):
                break
    return best[1] if best else None


def with_positions(loaded: Loaded, found: list[Diagnostic]) -> list[Diagnostic]:
    """Findings, those of ambiguity with a position in which their first two readings differ.

    A note says so where none was found within the bounds. Rules with errors in anything but cards,
    lists or tests are not played, so no position is sought there.
    """
    left = MAX_TOLD if loaded.compiled.report.usable else 0
    made: list[Diagnostic] = []
    for item in found:
        if item.code == CODES["ambiguous"].code and item.span.file in loaded.sources and left > 0:
            left -= 1
            line = loaded.sources[item.span.file].lines[item.span.line - 1]
            readings = loaded.compiled.glossary.readings(
                line[item.span.column - 1 : item.span.end_column - 1]
            )
            if len(readings) > 1:
                game = Game(loaded, loaded.compiled.rules.players[0], {}, ())
                try:
                    told = tell_apart(game, readings[0], readings[1])
                except Fault:
                    told = None
                note = (
                    f"they differ {told}"
                    if told
                    else "a position where they differ: not decided within the bounds"
                )
                item = replace(item, notes=(*item.notes, note))
        made.append(item)
    return made


def _wearer(game: Game, reading: Reading) -> str | None:
    component = reading.extensions[0].component if reading.extensions else ""
    return next(
        (d.title for d in game.rules_source.designs if d.component == component and d.title), None
    )


def _rules_with(game: Game, extensions: tuple[Extension, ...], title: str) -> Rules:
    """The game's rules with a reading's extensions added to the cards of a title."""
    known = game.rules_source
    added = [replace(e, title=title) for e in extensions]
    rules = replace(known, extensions=[*known.extensions, *added])
    return Rules(replace(game.setup, rules=rules), game.effects.perform_only)


def _differ(
    game: Game,
    s: Position,
    rules: list[Rules],
    extensions: tuple[Extension, ...],
    title: str,
    seed: int,
    middle: int | None = None,
) -> Difference | None:
    for extension in extensions:
        if extension.kind not in ("score", "rules"):
            continue
        known = game.rules_source.tables.get(extension.target) or game.rules_source.events.get(
            extension.target
        )
        assert known is not None
        for values in _values(game, s, known.params, extension, title, seed, middle):
            said = []
            for judge in rules:
                fresh = s.copy()
                fresh.memos, fresh.setup = {}, judge.setup
                said.append(_judge(judge, fresh, extension, values))
            one, two = said
            if (
                one is not None
                and two is not None
                and (one != two if extension.kind == "score" else len(one) != len(two))
            ):  # labels tell the reading
                types = dict(known.params)
                place = ", ".join(
                    game.presenter.text(v, types[n], s)
                    for (n, _), v in zip(known.params, values, strict=True)
                    if not isinstance(types[n], PieceT)
                )
                return Difference("", title, place, _told(one, two), _told(two, one))
    return None


def _judge(
    rules: Rules, s: Position, extension: Extension, values: tuple[Value, ...]
) -> tuple[str, ...] | None:
    """What a reading says there: the total, or all rules that fail."""
    try:
        if extension.kind == "score":
            return (str(rules.tally(s, extension.target, values).total),)
        return tuple(
            f"refused ({failed.rule.label})"
            for failed in rules.failures(s, extension.target, values)
        )
    except (Fault, KeyError, TypeError):
        return None


def _told(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    """What one reading says and the other does not."""
    return " and ".join(text for text in one if text not in other) or (
        "not refused for that" if one else "allowed"
    )


def _values(
    game: Game,
    s: Position,
    params: Params,
    extension: Extension,
    title: str,
    seed: int,
    middle: int | None,
) -> Iterator[tuple[Value, ...]]:
    """Values to judge with: every piece of the component once, on sampled sites or in the middle.

    None at all if a parameter is of another type than players, pieces and sites.
    """
    rng = random.Random(seed)
    for piece in _pieces(game, extension, title, middle):
        lists: list[list[Value]] = []
        for _, t in params:
            options = _options(game, s, t, piece, middle)
            if options is None:
                return
            lists.append(options if len(options) <= MAX_PLACES else rng.sample(options, MAX_PLACES))
        yield from itertools.product(*lists)


def _pieces(game: Game, extension: Extension, title: str, middle: int | None) -> list[int]:
    """One piece of each title of the extension's component, that of the bearer first.

    A card that is played is only judged itself; where it lies already, some of the others are.
    """
    pieces = [
        ids[0]
        for (component, _), ids in game.setup.by_title.items()
        if component == extension.component and ids
    ]
    pieces.sort(key=lambda p: game.setup.pieces[p].design.title != title)
    if extension.lifetime == "played":
        return pieces[:1]
    return pieces if middle is None else pieces[1 :: max(1, len(pieces) // MAX_OTHERS)]


def _options(
    game: Game, s: Position, t: Type, piece: int, middle: int | None
) -> list[Value] | None:
    """The values of a parameter to judge a piece with; none for a type that is not tried."""
    if t == PLAYER:
        return [0]
    if isinstance(t, PieceT):
        return [piece]
    if isinstance(t, SiteT):
        return [middle] if middle is not None else [*_sites(game, s, t)]
    if isinstance(t, SetT) and isinstance(t.of, SiteT):
        if middle is not None:
            return [frozenset([middle])]
        return [*_covers(game, s, t.of, piece)]
    return None


def _sites(game: Game, s: Position, t: SiteT) -> list[int]:
    info = game.setup.boards[t.board]
    return (
        [c + k * info.cells for k in range(info.copies) for c in sorted(s.present(t.board, k))]
        if t.role == "cell"
        else []
    )


def _covers(game: Game, s: Position, t: SiteT, piece: int) -> list[frozenset[int]]:
    """The sets of cells a piece can cover: by the shape printed on it, or single cells."""
    info = game.setup.boards[t.board]
    shape = next(
        (
            v
            for v in dict(game.setup.pieces[piece].design.values).values()
            if isinstance(v, str) and v and set(v) <= set("X./")
        ),
        "X",
    )
    return ordered(frozenset(footprints(info.grid, game.setup.shape(shape), s.present(t.board, 0))))
