"""Distinguishing positions: the smallest found in which two readings of a sentence differ.

Small positions are tried first, in a fixed order, then those reached by random play. Both are
bounded by numbers, never by a clock: the answer is the same on every machine.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from interpreter.authoring.small_positions import (
    Subject,
    richest,
    small_positions,
    subject_of,
)
from interpreter.authoring.steps import run
from interpreter.bots.agents import random_agent
from interpreter.engine.clauses import Rules
from interpreter.engine.events import Effects
from interpreter.game.game import Game, Illegal, State
from interpreter.game.loading import Loaded
from interpreter.model.position import Position
from interpreter.model.values import Fault
from rulelang.core.types import PLAYER, KindT, OptionalT, PieceT, SetT, SiteT, Type
from rulelang.core.values import Value, ordered
from rulelang.diagnostics import CODES, Diagnostic
from rulelang.diagnostics.english import spoken
from rulelang.geometry.shapes import footprints
from rulelang.phrases.phrase import Reading
from rulelang.ruleset import Extension, Params

MAX_JUDGED = 3_000  # times both readings are judged in small positions
MAX_BESIDE = 150  # times both are judged in small positions where another piece lies
MAX_STEPS = 120_000  # questions of the rules, as `_Counted` counts them, in small positions
MAX_STEPS_IN_PLAY = 40_000
MAX_PLAYED = 40  # positions reached by play
MAX_JUDGED_IN_PLAY = 400
MAX_GAMES = 4
MAX_MOVES = 150  # choices of one game
MAX_TOLD = 3  # ambiguous sentences of one run for which a position is searched
MAX_PLACES = 12  # places tried for one card in one position reached by play
MAX_OTHERS = 8  # pieces judged in one position, besides the bearer

Label = str


@dataclass(frozen=True)
class Ground:
    """What an outcome rests on: a line as it is told, and its clause, empty if it is the text's."""

    said: str
    clause: str


@dataclass(frozen=True)
class Sides:
    """Two texts as readings of all their sentences, and whether the bearer says nothing else."""

    one: tuple[Reading, ...]
    two: tuple[Reading, ...]
    alone: bool = False

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings of both."""
        return (*self.one, *self.two)

    @property
    def apart(self) -> tuple[Extension, ...]:
        """What one of them adds and the other does not, first of all where both add something."""
        meanings = [frozenset(m for r in side for m in r.meaning) for side in (self.one, self.two)]
        found: dict[Extension, None] = {}
        for side, other in ((self.one, meanings[1]), (self.two, meanings[0])):
            for reading in side:
                if not other.issuperset(reading.meaning):
                    found |= dict.fromkeys(reading.extensions)
        return tuple(found)


@dataclass(frozen=True)
class Difference:
    """A position in which two readings differ: reached how, and what each says there."""

    how: str
    title: str
    place: str
    one: str
    two: str
    grounds: tuple[tuple[Ground, ...], tuple[Ground, ...]] = ((), ())  # of each, what it rests on
    position: Position | None = field(default=None, compare=False, repr=False)
    state: State | None = field(default=None, compare=False, repr=False)  # if reached by play

    def __str__(self) -> str:
        at = f" at {self.place}" if self.place else ""
        return (
            f"they differ {self.how}, “{self.title}”{at}: "
            f"{self.one} by one reading, {self.two} by the other"
        )


@dataclass(frozen=True)
class NotDecided:
    """No position was found in which two readings differ: how many were tried."""

    small: int = 0
    played: int = 0
    why: str = ""

    def __str__(self) -> str:
        said = "a position where they differ: not decided"
        if self.why:
            return f"{said}, {self.why}"
        return f"{said} in {self.small:,} small positions and {self.played:,} reached by play"


@dataclass
class _Count:
    """How often a search judged so far, and in how many positions."""

    judged: int = 0
    positions: int = 0


def tell_apart(
    game: Game, one: Reading, two: Reading, title: str | None = None
) -> Difference | NotDecided:
    """The smallest position found where the readings differ, on a card of this title."""
    bearer = _bearer(game, one, title)
    if bearer is None:
        return NotDecided(why="as no card can bear the text")
    return sides_apart(game, Sides((one,), (two,)), bearer)


def sides_apart(game: Game, sides: Sides, bearer: int) -> Difference | NotDecided:
    """The smallest position found where two texts differ that this piece bears.

    A text that a card would bear alone is tried on the card as it is, too, before games are
    played: what adds to something else needs that to be there.
    """
    try:
        search = _Search(game, subject_of(game, sides.readings, bearer), sides)
        small = search.in_small()
        if sides.alone and isinstance(small, NotDecided) and not small.why:
            beside = _Search(game, search.subject, replace(sides, alone=False)).in_small()
            if isinstance(beside, Difference):
                return beside
        return small if isinstance(small, Difference) or small.why else search.found_in_play(small)
    except Fault as fault:
        return NotDecided(why=f"as the rules cannot be played: {fault}")


def _bearer(game: Game, reading: Reading, title: str | None) -> int | None:
    """The piece on which the text is tried: of this title, or the one with most printed on it."""
    component = reading.extensions[0].component if reading.extensions else ""
    if title is not None:
        return next(iter(game.setup.by_title.get((component, title.lower()), ())), None)
    return richest(game, component)


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
                told = tell_apart(game, readings[0], readings[1])
                item = replace(item, notes=(*item.notes, str(told)))
        made.append(item)
    return made


class _Search:
    """The search for a position in which two texts about a subject differ."""

    def __init__(self, game: Game, subject: Subject, sides: Sides) -> None:
        """The rules are made once for each text."""
        self.game, self.subject, self.sides = game, subject, sides
        self.title = game.setup.pieces[subject.bearer].design.title
        self.judges = self._judges(subject.titles)
        extensions = sides.apart or tuple(e for r in sides.readings for e in r.extensions)
        self.extensions = tuple(e for e in dict.fromkeys(extensions) if e.kind in _OUTCOMES)
        known: dict[tuple[str, str], Extension] = {}
        for e in self.extensions:  # what is asked, not what each reading says of it
            known.setdefault((e.kind, e.reaction.event if e.reaction else e.target), e)
        self.asked = tuple(known.values())

    def _judges(self, titles: frozenset[str] | None = None) -> list[_Judge]:
        """What judges by each text, where only pieces of these titles may be in play."""
        bearer = _Bearer(self.subject.bearer, self.title, self.sides.alone)
        return [
            _Judge(self.game, side, bearer, titles) for side in (self.sides.one, self.sides.two)
        ]

    @property
    def steps(self) -> int:
        """How many questions of the rules were answered with the judges there are now."""
        return sum(judge.rules.steps for judge in self.judges)

    def found_in_play(self, small: NotDecided) -> Difference | NotDecided:
        """The earliest position of play that differs; or how much was tried in all."""
        played = _Count()
        self.judges = self._judges()
        return self.in_play(played) or replace(small, played=played.positions)

    def in_small(self) -> Difference | NotDecided:
        """The first small position that differs, or how much was tried."""
        if not self.asked:
            return NotDecided(why="as what it adds is no number, rule or change of the table")
        small = _Count()
        for built in small_positions(self.subject):
            if small.judged >= MAX_JUDGED or self.steps >= MAX_STEPS:
                break
            small.positions += 1
            found = self.differ(built.position, small, built.middle, small_position=True)
            if found is not None:
                return replace(found, how=f"in a position with {built.how}")
        return NotDecided(small.positions)

    def beside(self, title: str) -> Difference | None:
        """The first small position where a piece of this title lies and the texts differ."""
        count = _Count()
        for built in small_positions(self.subject):
            if count.judged >= MAX_BESIDE:
                return None
            if f"“{title}”" in built.how:
                found = self.differ(built.position, count, built.middle, small_position=True)
                if found is not None:
                    return replace(found, how=f"in a position with {built.how}")
        return None

    def in_play(self, count: _Count) -> Difference | None:
        """The position after the fewest choices of random play where they differ."""
        game, best = self.game, None
        fewest = MAX_MOVES
        for seed in range(MAX_GAMES):
            agents = [random_agent(seed * 64 + p) for p in range(game.players)]
            state = game.start(seed)
            while (
                not state.over
                and state.moves < fewest
                and count.positions < MAX_PLAYED * (seed + 1) // MAX_GAMES
                and count.judged < MAX_JUDGED_IN_PLAY
                and self.steps < MAX_STEPS_IN_PLAY
            ):
                count.positions += 1
                found = self.differ(state.position, count)
                if found is not None:
                    fewest = state.moves
                    how = f"after {state.moves} choices of a game with seed {seed}"
                    best = replace(found, how=how, state=state)
                    break
                decision = state.decisions[0]
                try:
                    state = state.choose(agents[decision.player](state, decision))
                except (Illegal, Fault):
                    break
        return best

    def differ(
        self,
        s: Position,
        count: _Count,
        middle: int | None = None,
        small_position: bool = False,
    ) -> Difference | None:
        """The first values for which the readings say different things of a position."""
        for extension in self.asked:
            params = self._params(extension)
            for values in self._values(s, params, extension, middle, small_position):
                count.judged += 1
                one, two = (judge.outcome(s, extension, values) for judge in self.judges)
                if one is None or two is None or not _disagree(extension, one, two):
                    continue
                types = dict(params)
                about = [
                    (self.game.presenter.text(v, types[n], s), isinstance(types[n], PieceT))
                    for (n, _), v in zip(params, values, strict=True)
                ]
                pieces = [said for said, is_piece in about if is_piece]
                place = ", ".join(said for said, is_piece in about if not is_piece)
                title = "” and “".join(pieces) or self.title
                first, second = (judge.grounds(s, extension, values) for judge in self.judges)
                return Difference(
                    "", title, place, _told(one, two), _told(two, one), (first, second), s
                )
        return None

    def _params(self, extension: Extension) -> Params:
        """The parameters of what an extension adds to."""
        rules = self.game.rules_source
        if extension.reaction is not None:
            return rules.events[extension.reaction.event].params
        known = (
            rules.tables.get(extension.target)
            or rules.events.get(extension.target)
            or rules.definitions.get(extension.target)
            or rules.procedures.get(extension.target)
        )
        assert known is not None
        return known.params

    def _values(
        self,
        s: Position,
        params: Params,
        extension: Extension,
        middle: int | None,
        small_position: bool,
    ) -> Iterator[tuple[Value, ...]]:
        """Values to judge with; none at all if a parameter is of a type that is not tried."""
        bearer = self.subject.bearer
        pieces = self._pieces(s if small_position and extension.kind == "define" else None)
        is_first = extension.lifetime == "played"
        lists: list[list[Value]] = []
        for _, t in params:
            if isinstance(t, PieceT) and t.name == self.subject.component:
                lists.append([bearer] if is_first else pieces)
                is_first = False
                continue
            options = self._options(s, t, bearer, middle)
            if options is None:
                return
            if len(options) > MAX_PLACES:
                options = random.Random(s.moves).sample(options, MAX_PLACES)
            lists.append(options)
        for values in itertools.product(*lists):
            if small_position and self._is_lying(s, params, values, extension):
                continue
            yield values

    def _is_lying(
        self, s: Position, params: Params, values: tuple[Value, ...], extension: Extension
    ) -> bool:
        """Is a piece to be played, in a small position, one that lies on the board already?"""
        if extension.kind == "define":
            return False
        return any(
            isinstance(t, PieceT) and isinstance(v, int) and _is_laid(s, v)
            for (_, t), v in zip(params, values, strict=True)
        )

    def _pieces(self, lying: Position | None) -> list[Value]:
        """Pieces to judge: those laid out in a position of which it is asked what they are, and the
        last of each class, so that the others can lie on the table.
        """
        classes, bearer = self.subject.classes, self.subject.bearer
        laid = [p for pieces in classes for p in pieces if _is_laid(lying, p)]
        chosen = [*laid, *(pieces[-1] for pieces in classes)]
        return [*dict.fromkeys(chosen[:MAX_OTHERS]), bearer]

    def _options(self, s: Position, t: Type, piece: int, middle: int | None) -> list[Value] | None:
        """The values of a parameter to judge with; none for a type that is not tried."""
        match t:
            case OptionalT():
                return self._options(s, t.of, piece, middle)
            case KindT() if t.name in self.game.rules_source.kinds:
                return [*self.game.setup.members(t)]
            case SiteT():
                return [middle] if middle is not None else [*_sites(self.game, s, t)]
            case SetT(of=SiteT() as site):
                if middle is not None:
                    return [frozenset([middle])]
                return [*_covers(self.game, s, site, piece)]
            case _:
                return [0] if t == PLAYER else None


def _is_laid(s: Position | None, piece: int) -> bool:
    """Does a piece lie on a board?"""
    return s is not None and (s.where[piece] or ("",))[0] == "on"


Outcome = tuple[str, ...]
_OUTCOMES = ("score", "rules", "define", "reaction", "steps")  # kinds of extensions that are judged


class _Counted(Rules):
    """Rules that count how often it is asked what cards add: work that is alike on any machine."""

    counts_additions = True

    @property
    def steps(self) -> int:
        """How often it was asked."""
        return self.additions.asked


@dataclass(frozen=True)
class _Bearer:
    """The card that bears a text: besides what it says already, or alone."""

    piece: int
    title: str
    alone: bool


class _Judge:
    """Judges positions by the rules of a game with one text added to a card."""

    def __init__(
        self,
        game: Game,
        readings: tuple[Reading, ...],
        bearer: _Bearer,
        titles: frozenset[str] | None = None,
    ) -> None:
        """The text is that of these readings.

        Only pieces of `titles` are ever judged or in play; without them, any may be.
        """
        known = game.rules_source
        self.bearer, self.title = bearer.piece, bearer.title
        kept = [e for e in known.extensions if titles is None or e.title in titles]
        if bearer.alone:
            kept = [e for e in kept if e.title != bearer.title]
        added = [replace(e, title=bearer.title) for r in readings for e in r.extensions]
        rules = replace(known, extensions=[*kept, *added])
        self.game = game
        self.rules = _Counted(replace(game.setup, rules=rules), game.effects.perform_only)

    @cached_property
    def effects(self) -> Effects:
        """What carries events out by these rules."""
        return Effects(self.rules)

    def outcome(
        self, s: Position, extension: Extension, values: tuple[Value, ...]
    ) -> Outcome | None:
        """What is said there: the total, all rules that fail, the value, or all that changes."""
        fresh = s.copy()
        fresh.memos, fresh.setup = {}, self.rules.setup
        try:
            match extension.kind:
                case "score":
                    return (str(self.rules.tally(fresh, extension.target, values).total),)
                case "rules":
                    failures = self.rules.failures(fresh, extension.target, values)
                    return tuple(f"refused ({failed.rule.label})" for failed in failures)
                case "define":
                    return (self._said(fresh, extension, values),)
                case "steps":
                    said = self._carried_out(fresh, extension, values)
                    return (*said, *sorted(self._changes(s, fresh)))
                case _:
                    assert extension.reaction is not None
                    self.effects.perform(fresh, extension.reaction.event, values)
                    return tuple(sorted(self._changes(s, fresh)))
        except (Fault, KeyError, TypeError):
            return None

    def grounds(
        self, s: Position, extension: Extension, values: tuple[Value, ...]
    ) -> tuple[Ground, ...]:
        """The lines that a total is made of, or the rules that fail."""
        fresh = s.copy()
        fresh.memos, fresh.setup = {}, self.rules.setup
        if extension.kind == "score":
            lines = self.rules.tally(fresh, extension.target, values).lines
            return tuple(
                Ground(f"{line.op} {line.amount} “{line.label}”", line.clause) for line in lines
            )
        if extension.kind == "rules":
            failed = self.rules.failures(fresh, extension.target, values)
            return tuple(Ground(f"refused by “{f.rule.label}”", f.rule.clause) for f in failed)
        return ()

    def _carried_out(
        self, s: Position, extension: Extension, values: tuple[Value, ...]
    ) -> list[str]:
        """What the statements that the text brings ask for, carried out where it opens them."""
        found: list[str] = []
        params = self.game.rules_source.procedures[extension.target].params
        env: dict[str, Value] = dict(zip((name for name, _ in params), values, strict=True))
        for e in self.rules.setup.rules.extensions:
            if (e.kind, e.target, e.slot, e.title) != ("steps", *_opened(extension), self.title):
                continue
            scope = {"card": self.bearer, "you": 0, **env}
            holds = e.cond is None or self.rules.holds(s, e.cond, scope)
            if e.lifetime == "played" or holds is (e.lifetime == "while"):
                found += run(self, s, e.body, scope)
        return found

    def _said(self, s: Position, extension: Extension, values: tuple[Value, ...]) -> str:
        """The value of a definition in words."""
        known = self.game.rules_source.definitions[extension.target]
        value = self.rules.definition(extension.target)(s, values)
        return f"{spoken(extension.target)} {self.game.presenter.text(value, known.type, s)}"

    def _changes(self, s: Position, later: Position) -> Iterator[str]:
        """Every variable that is another, and every piece that lies elsewhere."""
        presenter, rules = self.game.presenter, self.game.rules_source
        for name, values in later.vars.items():
            state = rules.states[name]
            for index in values.keys() | s.vars[name].keys():
                default = self.game.setup.defaults[name]
                value = values.get(index, default)
                if value != s.vars[name].get(index, default):
                    of = f"{presenter.text(index, state.of, s)}'s " if state.of else ""
                    yield f"{of}{spoken(name)} {presenter.text(value, state.type, s)}"
        for piece, (before, after) in enumerate(zip(s.where, later.where, strict=True)):
            if before != after:
                yield f"“{self.game.setup.pieces[piece].design.title}” goes elsewhere"


def _opened(extension: Extension) -> tuple[str, str]:
    return extension.target, extension.slot


def _disagree(extension: Extension, one: Outcome, two: Outcome) -> bool:
    """Do two outcomes differ? Of rules the number counts, for labels tell the reading."""
    return len(one) != len(two) if extension.kind == "rules" else one != two


def _told(one: Outcome, other: Outcome) -> str:
    """What one reading says and the other does not."""
    said = " and ".join(text for text in one if text not in other)
    return said or ("nothing more" if one else "nothing")


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


def shown_beside(
    game: Game, sides: Sides, bearer: int, others: tuple[int, ...]
) -> Difference | None:
    """The first small position in which one of these pieces lies and the texts differ."""
    try:
        subject = subject_of(game, sides.readings, bearer, (others,))
        return _Search(game, subject, sides).beside(game.setup.pieces[others[0]].design.title)
    except Fault:
        return None
