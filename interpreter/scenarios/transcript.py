"""A play that is in question written as a scenario: with the least of the position that bears on
it, or, where that cannot be said, with the whole game from its seed.

What is written was run: it passes as the game stands, and is to be checked by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from interpreter.engine.decisions import Option, Spec
from interpreter.engine.events import Refused
from interpreter.game import refusals
from interpreter.game.game import Game, Illegal, State
from interpreter.game.loading import Loaded, beside
from interpreter.game.position_checks import impossible
from interpreter.model.position import Position
from interpreter.model.values import Fault
from interpreter.scenarios.phrasing import Fact, Phrasing, Unsayable, built, facts
from interpreter.scenarios.scenario import Runner
from rulelang.core.values import Value
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source
from rulelang.format import format_source
from rulelang.ruleset import OPTION

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
    after: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
    """What is otherwise than at the beginning of a game when all is done."""


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


Trait = Callable[[Position, Play], bool]


def written(
    state: State, options: Sequence[Option], title: str, differs: Trait | None = None
) -> Written | None:
    """A scenario for these choices from this state; none if the language has no words for it.

    Of the position it keeps what the outcome needs, and what `differs` asks for.
    """
    game = plain(state.game)
    for position, play in _plays(state, tuple(options)):
        wanted = outcome(game, position, play)
        if wanted.broken or wanted.refused != _is_refused(state, options):
            continue  # it hangs on what is under way
        small = smallest(game, position, _keeping(game, play, wanted, differs))
        if small is None:
            continue
        try:
            text = _small_scenario(game, small, play, wanted, title)
        except (Unsayable, Fault):
            continue
        if passes(state.game.loaded, text, title):
            return Written(title, text, wanted, False)
    return _whole(state, options, title)


def _is_refused(state: State, options: Sequence[Option]) -> bool:
    """Are the choices refused where the game stands?"""
    try:
        for option in options:
            state = state.choose(option)
    except Illegal:
        return True
    return False


def _keeping(
    game: Game, play: Play, wanted: Outcome, differs: Trait | None
) -> Callable[[Position], bool]:
    def holds(s: Position) -> bool:
        return outcome(game, s, play) == wanted and (differs is None or differs(s, play))

    return holds


def plain(game: Game) -> Game:
    """The same game, played by the reference alone."""
    return Game(game.loaded, game.players, game.options, game.variants, reference=True)


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
    told = tuple(facts(state.position))
    return Outcome(False, clauses, (), tuple(sorted(cites)), lines, total, events, after=told)


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
def _small_scenario(game: Game, found: list[Fact], play: Play, wanted: Outcome, title: str) -> str:
    position = built(game, found)
    phrasing = Phrasing(game, position)
    answers = _answers(game, position, play, phrasing)
    lines = [*_settings(game), *phrasing.position_lines(found)]
    lines.append(f"play p{play.player + 1}: {play.name}({', '.join(answers)})")
    final = outcome(game, position, play)
    changed = phrasing.changes(found, final.after)
    return _scenario(
        title, wanted, [*lines, *_expected(final, list(islice(changed, MOST_CHANGES)))]
    )


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
    yield f"expect {', '.join([*scored, *changed] or ['not refused'])}"


def _scenario(title: str, wanted: Outcome, lines: list[str]) -> str:
    cites = f" [{', '.join(wanted.cites)}]" if wanted.cites else ""
    said = "\n".join([f'scenario "{title}"{cites}', *(f"  {line}" for line in lines), ""])
    return laid_out(said)


def laid_out(text: str) -> str:
    """A text as the formatter lays it out."""
    made = format_source(Source(FILE, text), Report())
    return text if made is None else made


def _whole(state: State, options: Sequence[Option], title: str) -> Written | None:
    """The whole game from its seed up to the choices in question."""
    game = state.game
    seed, path = _since_the_start(state)
    wanted, later = Outcome(False), state
    try:
        for option in options:
            path.append((later, option))
            before, later = later, later.choose(option)
            fresh = later.position.entries()[len(before.position.entries()) :]
            tallies = [t for entry in fresh for t in entry.totals]
            wanted = Outcome(False, total=tallies[0].total if tallies else None)
    except Illegal as error:
        wanted = _refused(error.reasons)
    lines = [*_settings(game), f"start {seed}"]
    try:
        lines += [_chosen(game, before, option) for before, option in path]
    except Unsayable:
        return None
    text = _scenario(title, wanted, [*lines, *_expected(wanted)])
    return Written(title, text, wanted, True) if passes(game.loaded, text, title) else None


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


def passes(loaded: Loaded, text: str, title: str) -> bool:
    """Does a scenario hold beside the rules as they stand?"""
    made = beside(loaded, FILE, f"for {loaded.id}\n\n{text}")
    scenario = next((s for s in made.compiled.rules.scenarios if s.name == title), None)
    if scenario is None or made.compiled.report.has_error_in(scenario.span):
        return False
    return Runner(made, reference=True).run(scenario).passed
