"""A play that is in question written as a scenario: with the least of the position that bears on
it, or, where that cannot be said, with the whole game from its seed.

What is written was run: it passes as the game stands, and is to be checked by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from interpreter.engine.decisions import Option, Spec
from interpreter.engine.events import Refused
from interpreter.game import refusals
from interpreter.game.game import Game, Illegal, State
from interpreter.game.loading import Loaded, beside
from interpreter.game.position_checks import impossible
from interpreter.model.position import Index, Position, empty_position
from interpreter.model.setup import Key
from interpreter.model.values import Fault
from interpreter.scenarios.phrasing import Fact, Phrasing, Unsayable, ValueOf, built, facts
from interpreter.scenarios.scenario import Runner
from rulelang.core.values import Value
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source
from rulelang.format import format_source
from rulelang.ruleset import OPTION, Scenario

MOST_CHANGES = 4  # values that are told after a play
MOST_TRIES = 400  # positions that are tried to find a small one
FILE = "ruling.rules"


@dataclass(frozen=True)
class Outcome:
    """What came of a play: the clauses that refuse it, or the lines that counted and what was
    done."""

    refused: bool
    clauses: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    lines: tuple[tuple[str, str, int], ...] = ()
    total: int | None = None
    events: tuple[str, ...] = ()
    broken: str = ""  # why it could not be played at all
    ended: bool = False  # is the game over then?
    after: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
    """What is otherwise than at the beginning of a game when all is done."""
    sizes: tuple[tuple[Key, int], ...] = field(default=(), compare=False, repr=False)
    """How many pieces lie in each place then."""
    scores: tuple[int, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Play:
    """An action or procedure from its beginning, with the answers that follow."""

    player: int
    name: str
    values: tuple[Value, ...]
    options: tuple[Option, ...]
    is_action: bool


@dataclass(frozen=True)
class Written:
    """A scenario as text, and the game's answer that it expects."""

    title: str
    text: str
    outcome: Outcome
    whole_game: bool
    scenario: Scenario


@dataclass(frozen=True)
class _Head:
    """The title of a scenario, and what it cites if not what its outcome rests on."""

    title: str
    cites: tuple[str, ...]


def written(
    state: State,
    options: Sequence[Option],
    title: str,
    against: Game | None = None,
    cites: tuple[str, ...] = (),
) -> Written | None:
    """A scenario for these choices from this state; none if the language has no words for it.

    Of the position it keeps what the outcome needs. Where it is to tell the rules from others,
    `against`, the outcome stays another by those, and what differs is expected first. It cites
    what the outcome rests on unless `cites` says something else.
    """
    head = _Head(title, cites)
    game = plain(state.game)
    for position, play in _plays(state, tuple(options)):
        wanted = outcome(game, position, play)
        if wanted.broken or wanted.refused != _is_refused(state, options):
            continue  # it hangs on what is under way
        small = smallest(game, position, _keeping(game, play, wanted, against))
        if small is None:
            continue
        try:
            text = _small_scenario(game, small, play, head, against)
        except (Unsayable, Fault):
            continue
        scenario = held(state.game.loaded, text, title)
        if scenario is not None:
            return Written(title, text, wanted, False, scenario)
    return _whole(state, options, head, against)


def _is_refused(state: State, options: Sequence[Option]) -> bool:
    """Are the choices refused where the game stands?"""
    try:
        for option in options:
            state = state.choose(option)
    except Illegal:
        return True
    return False


def _keeping(
    game: Game, play: Play, wanted: Outcome, against: Game | None
) -> Callable[[Position], bool]:
    def holds(s: Position) -> bool:
        found = outcome(game, s, play)
        return found == wanted and (against is None or _differs(found, _by(against, s, play)))

    return holds


def _by(other: Game, position: Position, play: Play) -> Outcome:
    """What comes of a play by other rules for the same pieces."""
    s = position.copy()
    s.setup = other.setup
    return outcome(other, s, play)


def _differs(one: Outcome, two: Outcome) -> bool:
    """Does a play come to another thing that a scenario can expect?"""
    return _visible(one) != _visible(two)


def _visible(found: Outcome) -> tuple[object, ...]:
    refusal = (found.labels, found.cites) if found.refused else ()
    values = frozenset(_values(found.after).items())
    counted = (found.total, found.scores, found.sizes)
    return found.refused, bool(found.broken), refusal, counted, found.ended, values


def plain(game: Game) -> Game:
    """The same game, played by the reference alone."""
    return Game(game.loaded, game.players, game.options, game.variants)


# ------------------------------------------------------------------------------------------ plays
def _plays(state: State, options: tuple[Option, ...]) -> Iterator[tuple[Position, Play]]:
    """The ways to tell the choices as one play: of an action, or of what is under way."""
    at: State | None = state
    path = options
    while at is not None:
        first = path[0] if path else None
        if first is not None and first.name == "action":
            yield at.position, Play(first.player, str(first.value), (), path[1:], True)
            return
        if at.choice is None or at.parent is None:
            break
        path, at = (at.choice, *path), at.parent
    stack = state.position.stack
    if stack and not state.position.branches:
        act = stack[-1]
        params = state.game.rules_source.procedures[act.name].params if act.name else ()
        if all(name in act.env for name, _ in params):
            values = tuple(act.env[name] for name, _ in params)
            yield state.position, Play(options[0].player, act.name, values, options, False)


def outcome(game: Game, position: Position, play: Play) -> Outcome:
    """What comes of a play in a position in which nothing is under way."""
    s = position.copy()
    s.stack, s.branches, s.log, s.ended = [], {}, (), None
    s.memos = {}
    try:
        values = play.values
        if play.is_action:
            if not game.lookahead.offered(s, play.name, play.player):
                why = refusals.why_not(State(game, s), play.player, play.name, {})
                return _refused(why)
            values = (play.player,)
        game.machine.call(s, play.name, values)
        game.machine.run(s)
        at = State(game, s)
        for option in play.options:
            at = at.choose(option)
    except Refused as error:
        return _refused(refusals.of_failures(State(game, s), error.failures))
    except Illegal as error:
        return _refused(error.reasons)
    except (Fault, KeyError, ValueError, IndexError, TypeError) as error:
        return Outcome(False, broken=str(error) or type(error).__name__)
    if at.decisions and at.position.ended is None:
        return Outcome(False, broken="it asks for more")
    return _accepted(at)


def _refused(why: Sequence[refusals.Refusal]) -> Outcome:
    if not why:
        return Outcome(True, broken="no reason is known")
    labels = tuple(sorted({reason.label for reason in why if reason.label}))
    cites = tuple(sorted({cite for reason in why for cite in reason.cites}))
    return Outcome(True, frozenset(reason.clause for reason in why), labels, cites)


def _accepted(state: State) -> Outcome:
    entries = state.position.entries()
    tallies = [tally for entry in entries for tally in entry.totals]
    lines = tuple((line.clause, line.op, line.amount) for t in tallies for line in t.lines)
    total = tallies[0].total if tallies else None
    known = state.game.rules_source.clauses
    cites = {cite for c, _, _ in lines if c in known for cite in known[c].cites}
    events = tuple(entry.name for entry in entries if entry.kind == "event")
    clauses = frozenset(clause for clause, _, _ in lines)
    made = Outcome(False, clauses, (), tuple(sorted(cites)), lines, total, events)
    return _with_what_is(made, state)


def _with_what_is(made: Outcome, state: State) -> Outcome:
    """An outcome with what is otherwise in a position than at the beginning of a game."""
    at = state.position
    sizes = tuple((key, len(pieces)) for key, pieces in sorted(at.places.items(), key=str))
    return replace(
        made,
        ended=at.ended is not None,
        after=tuple(facts(at)),
        sizes=sizes,
        scores=tuple(state.scores()),
    )


# --------------------------------------------------------------------------------- small positions
def smallest(
    game: Game, position: Position, holds: Callable[[Position], bool]
) -> list[Fact] | None:
    """As few facts of a position as keep what holds of it, dropped in halves and one by one; none
    if not even all of them do."""
    kept = facts(position)
    if not holds(built(game, kept)):
        return None
    tries, size = 0, max(1, len(kept) // 2)
    while kept:
        start, dropped = 0, False
        while start < len(kept) and tries < MOST_TRIES:
            fewer = kept[:start] + kept[start + size :]
            tries += 1
            if _holds(game, fewer, holds):
                kept, dropped = fewer, True
            else:
                start += size
        if tries >= MOST_TRIES or (size == 1 and not dropped):
            break
        size = max(1, size // 2)
    return kept


def _holds(game: Game, found: list[Fact], holds: Callable[[Position], bool]) -> bool:
    try:
        s = built(game, found)
        return not impossible(game, s, forms=False) and holds(s)
    except (Fault, KeyError, ValueError, IndexError, TypeError):
        return False


# ----------------------------------------------------------------------------------------- writing
def _small_scenario(
    game: Game, found: list[Fact], play: Play, head: _Head, against: Game | None
) -> str:
    position = built(game, found)
    phrasing = Phrasing(game, position)
    answers = _answers(game, position, play, phrasing)
    lines = [*_settings(game), *phrasing.position_lines(found)]
    lines.append(f"play p{play.player + 1}: {play.name}({', '.join(answers)})")
    final = outcome(game, position, play)
    changed = [*phrasing.changes(found, final.after)]
    if against is not None:
        changed = _first(_apart(phrasing, final, _by(against, position, play)), changed)
    return _scenario(head, final, [*lines, *_expected(final, changed[:MOST_CHANGES])])


def _apart(phrasing: Phrasing, one: Outcome, two: Outcome) -> list[str]:
    """Conditions that hold of what came of a play, and not by other rules."""
    start = empty_position(phrasing.game.setup, 0)
    mine, yours = (_values(found.after) for found in (one, two))
    apart = [
        ValueOf(name, index, mine.get((name, index), _default(start, name, index)))
        for name, index in dict.fromkeys([*mine, *yours])
        if mine.get((name, index)) != yours.get((name, index))
    ]
    sizes = dict(two.sizes)
    moved = [(key, size) for key, size in one.sizes if sizes.get(key) != size]
    return [
        *_scores_apart(phrasing, one.scores, two.scores),
        *phrasing.changes((), apart),
        *(f"count of {phrasing.place(key)} = {size}" for key, size in moved),
    ]


def _scores_apart(phrasing: Phrasing, one: Sequence[int], two: Sequence[int]) -> Iterator[str]:
    """What the ranking goes by, for each player for whom it is another."""
    for player, (mine, yours) in enumerate(zip(one, two, strict=False)):
        if mine != yours:
            key = phrasing.game.rules_source.ranks[0].key
            with suppress(Unsayable):
                yield f"{phrasing.expression(key, {'player': f'p{player + 1}'})} = {mine}"


def _default(start: Position, name: str, index: Index) -> Value:
    return start.vars[name].get(index, start.setup.defaults[name])


def _values(found: Sequence[Fact]) -> dict[tuple[str, Index], Value]:
    return {(f.state, f.index): f.value for f in found if isinstance(f, ValueOf)}


def _first(early: list[str], late: list[str]) -> list[str]:
    return list(dict.fromkeys([*early, *late]))


def _answers(game: Game, position: Position, play: Play, phrasing: Phrasing) -> Iterator[str]:
    """The values and answers of a play, each as it is written where it is asked."""
    procedure = game.rules_source.procedures[play.name]
    s = position.copy()
    values = play.values or (play.player,)
    for (name, t), value in zip(procedure.params, values, strict=False):
        if not play.is_action and (name, value) != (procedure.params[0][0], play.player):
            yield f"{name}: {phrasing.value(value, t)}"
    game.machine.call(s, play.name, values)
    game.machine.run(s)
    at = State(game, s)
    for option in play.options:
        spec = at.spec_of(option.player, option.name)
        if spec is None:
            raise Unsayable("an answer that nobody asks for")
        said = _answered(replace(phrasing, position=at.position), option, spec)
        yield said if option.player == play.player else f"{said} by p{option.player + 1}"
        try:
            at = at.choose(option)
        except (Illegal, Refused):
            return


def _answered(phrasing: Phrasing, option: Option, spec: Spec) -> str:
    item = spec.item
    if spec.mode in ("action", "may"):
        value = f'"{option.value}"' if spec.mode == "action" else str(bool(option.value)).lower()
        return f"{option.name}: {value}"
    return f"{option.name}: {phrasing.value(option.value, item, spec)}"


def _settings(game: Game) -> Iterator[str]:
    yield f"players {game.players}"
    low = game.rules_source.options
    chosen = [
        f"{name} = {low[name][index]}"
        for name, index in game.setup.options.items()
        if index and not (name == OPTION and low[name][index] == "all")
    ]
    said = [*game.variants, *chosen]
    if said:
        yield f"with {', '.join(said)}"


def _expected(wanted: Outcome, changed: Sequence[str] = ()) -> Iterator[str]:
    if wanted.refused:
        cites = [f"[{', '.join(wanted.cites)}]"] if wanted.cites else []
        by = [*cites, *(f'"{label}"' for label in wanted.labels)]
        yield f"expect refused by {', '.join(by)}" if by else "expect refused"
        return
    scored = [f"scored = {wanted.total}"] if wanted.total is not None else []
    ended = ["ended"] if wanted.ended else []
    yield f"expect {', '.join([*scored, *ended, *changed] or ['not refused'])}"


def _scenario(head: _Head, wanted: Outcome, lines: list[str]) -> str:
    cited = head.cites or wanted.cites
    cites = f" [{', '.join(cited)}]" if cited else ""
    said = "\n".join([f'scenario "{head.title}"{cites}', *(f"  {line}" for line in lines), ""])
    return laid_out(said)


def laid_out(text: str) -> str:
    """A text as the formatter lays it out."""
    made = format_source(Source(FILE, text), Report())
    return text if made is None else made


def _whole(
    state: State, options: Sequence[Option], head: _Head, against: Game | None
) -> Written | None:
    """The whole game from its seed up to the choices in question."""
    game = state.game
    seed, path = _since_the_start(state)
    wanted, later = Outcome(False), state
    try:
        for option in options:
            path.append((later, option))
            later = later.choose(option)
            wanted = _with_what_is(Outcome(False, total=_total(later)), later)
    except Illegal as error:
        wanted = _refused(error.reasons)
    lines = [*_settings(game), f"start {seed}"]
    try:
        lines += [_chosen(game, at, option) for at, option in path]
        apart = [] if against is None else _apart_by(against, path, later, wanted)
    except Unsayable:
        return None
    said = _expected(replace(wanted, ended=wanted.ended and against is not None), apart)
    text = _scenario(head, wanted, [*lines, *said])
    scenario = held(game.loaded, text, head.title)
    return None if scenario is None else Written(head.title, text, wanted, True, scenario)


def _total(state: State) -> int | None:
    """What was scored by the last choice."""
    assert state.parent is not None
    fresh = state.position.entries()[len(state.parent.position.entries()) :]
    tallies = [tally for entry in fresh for tally in entry.totals]
    return tallies[0].total if tallies else None


def _apart_by(
    other: Game, path: list[tuple[State, Option]], later: State, wanted: Outcome
) -> list[str]:
    """Conditions that hold after the whole game and not after the same game by other rules."""
    if wanted.refused:
        return []
    at = other.start(later.position.seed)
    try:
        for _, option in path:
            at = at.choose(option)
    except (Illegal, Refused, Fault):
        return []
    phrasing = Phrasing(later.game, later.position, live=True)
    return _apart(phrasing, wanted, _with_what_is(Outcome(False), at))[:MOST_CHANGES]


def _since_the_start(state: State) -> tuple[int, list[tuple[State, Option]]]:
    """The seed of a game, and its choices, each with the state it was made in."""
    path: list[tuple[State, Option]] = []
    at = state
    while at.parent is not None and at.choice is not None:
        path.append((at.parent, at.choice))
        at = at.parent
    return at.position.seed, path[::-1]


def _chosen(game: Game, before: State, option: Option) -> str:
    """A choice of a game under way."""
    spec = before.spec_of(option.player, option.name)
    if spec is None:
        raise Unsayable("an answer that nobody asks for")
    said = _answered(Phrasing(game, before.seat(spec), live=True), option, spec)
    verb = "take" if spec.mode == "action" else "choose"
    return f"play p{option.player + 1}: {verb}({said})"


def held(loaded: Loaded, text: str, title: str) -> Scenario | None:
    """The scenario of a text, if it can be read and holds beside the rules as they stand."""
    made = beside(loaded, FILE, f"for {loaded.id}\n\n{text}")
    scenario = next((s for s in made.compiled.rules.scenarios if s.name == title), None)
    if scenario is None or made.compiled.report.has_error_in(scenario.span):
        return None
    return scenario if Runner(made).run(scenario).passed else None
