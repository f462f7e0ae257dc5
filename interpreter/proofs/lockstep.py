"""Two rulesets played side by side: the same choices from the same seed, until they part.

At each choice the options of both are compared, an option that only one of them has is tried in the
other for its reasons, and what the choice led to is compared. All of it is bounded by counting.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, Illegal, State
from interpreter.game.log import told
from interpreter.model.position import Entry
from interpreter.model.values import Fault
from rulelang.core.values import Value

MOST_GAMES = 16
MOST_MOVES = 120  # choices of one game
MOST_OPTIONS = 40  # of one decision that are compared
MOST_TRIED = 6  # options of one decision that only one has


@dataclass(frozen=True)
class Parting:
    """Where two rulesets part: in a state of the first, told in words, by clauses of each."""

    sort: str  # "option" | "score" | "end" | "rank" | "effect"
    state: State
    one: str
    two: str
    clauses: frozenset[str]
    options: tuple[Option, ...] = ()  # the choice in that state that shows it

    @property
    def how(self) -> str:
        """The position in words."""
        return f"after {self.state.moves} choices of a game with seed {self.state.position.seed}"


def partings(one: Game, two: Game, games: int = MOST_GAMES) -> Iterator[Parting]:
    """Where the two part, game by game; a game goes on where only options differ."""
    for seed in range(games):
        try:
            yield from _game(one.start(seed), two.start(seed), random.Random(seed))
        except (Fault, Illegal):
            continue


def _game(first: State, second: State, rng: random.Random) -> Iterator[Parting]:
    start = list(_apart(first, second, first, (), ()))
    yield from start
    if start:
        return
    while not first.over and not second.over and first.moves < MOST_MOVES:
        mine, yours = first.decisions, second.decisions
        if not mine or [(d.player, d.name) for d in mine] != [(d.player, d.name) for d in yours]:
            if mine or yours:
                yield Parting("option", first, _asked(mine), _asked(yours), _met(first, second))
            return
        common, apart = _options(mine[0], yours[0])
        for option, is_first in apart:
            made = _only(first, second, option, is_first)
            if made is not None:
                yield made
        if not common:
            return
        option = rng.choice(common)
        later = first.choose(option), second.choose(option)
        before = first
        found = list(_apart(*later, before, _new(first, later[0]), _new(second, later[1])))
        yield from _by(option, found)
        if found:
            return
        first, second = later


def _by(option: Option, found: Iterable[Parting]) -> Iterator[Parting]:
    """The partings that one choice led to."""
    return (replace(parting, options=(option,)) for parting in found)


def _options(one: Decision, two: Decision) -> tuple[list[Option], list[tuple[Option, bool]]]:
    """The options that both have, and those of one alone with whether it is the first."""
    mine, yours = (list(islice(d.options(), MOST_OPTIONS)) for d in (one, two))
    common = [option for option in mine if option in yours or two.takes(option)]
    apart = [(o, True) for o in mine if o not in common]
    apart += [(o, False) for o in yours if o not in mine and not one.takes(o)]
    return common, apart[:MOST_TRIED]


def _only(first: State, second: State, option: Option, is_first: bool) -> Parting | None:
    """An option that only one of them has: taken in the other for its reasons."""
    here, there = (first, second) if is_first else (second, first)
    spec = here.spec_of(option.player, option.name)
    said = str(here.game.presenter.text(option.value, spec.item, here.position)) if spec else ""
    said = f"player {option.player + 1} may choose {said}"
    try:
        there.choose(option)
    except Illegal as error:
        why = "; ".join(f"{r.label}" for r in error.reasons) or str(error)
        clauses = frozenset(c for r in error.reasons for c in (r.clause, *r.also) if c)
        if spec is not None and spec.mode == "action":
            clauses |= {f"action {option.value}"}
        refused = f"he may not: {why}"
        one, two = (said, refused) if is_first else (refused, said)
        return Parting("option", first, one, two, clauses, (option,))
    except Fault:
        return None
    return None


def _asked(decisions: Iterable[Decision]) -> str:
    found = [f"player {d.player + 1} chooses {d.name}" for d in decisions]
    return ", ".join(found) or "nobody chooses anything"


def _new(before: State, after: State) -> tuple[Entry, ...]:
    """What was logged by one choice, oldest first."""
    found, rest, end = list[Entry](), after.position.log, before.position.log
    while rest and rest is not end:
        found.append(rest[0])
        rest = rest[1]
    return tuple(found[::-1])


def _apart(
    first: State, second: State, at: State, mine: tuple[Entry, ...], yours: tuple[Entry, ...]
) -> Iterator[Parting]:
    """How two states differ that the same choices led to: scores, ends, ranking, what was done."""
    met = _met(first, second) | {f"event {e.name}" for e in (*mine, *yours)}
    counted = _lines(mine), _lines(yours)
    met |= {clause for lines in counted for clause, _, _ in lines}
    if counted[0] != counted[1]:
        more, less = counted[0] - counted[1], counted[1] - counted[0]
        own = frozenset(clause for clause, _, _ in more + less)
        yield Parting("score", at, _sums(more), _sums(less), own)
    elif first.scores() != second.scores():
        yield Parting("score", at, f"scores {first.scores()}", f"scores {second.scores()}", met)
    yield from _ends(first, second, at, met)
    changed = next(_otherwise(first, second), None)
    if changed is not None and counted[0] == counted[1]:
        said = _last(first, mine), _last(second, yours)
        one, two = said if said[0] != said[1] else changed
        yield Parting("effect", at, one, two, met)


def _lines(log: tuple[Entry, ...]) -> Counter[tuple[str, str, int]]:
    """The lines of score tables that counted: clause, operation, amount."""
    return Counter(
        (line.clause, line.op, line.amount) for e in log for t in e.totals for line in t.lines
    )


def _ends(first: State, second: State, at: State, met: frozenset[str]) -> Iterator[Parting]:
    """Whether the game is over in both, by the same end and with the same ranking."""
    ends = [state.ended_by or "" for state in (first, second)]
    if ends[0] != ends[1]:
        own = frozenset(f"end {name}" for name in ends if name)
        one, two = (f"the game ends: {name}" if name else "it goes on" for name in ends)
        yield Parting("end", at, one, two, own | met)
    elif first.over and first.ranking != second.ranking:
        yield Parting("rank", at, _ranked(first), _ranked(second), met)


def _sums(lines: Counter[tuple[str, str, int]]) -> str:
    return ", ".join(f"{op} {amount} by {clause}" for clause, op, amount in lines) or "nothing more"


def _ranked(state: State) -> str:
    return "ranked " + ", ".join("/".join(f"player {p + 1}" for p in r) for r in state.ranking)


def _last(state: State, log: tuple[Entry, ...]) -> str:
    return told(state, log[-1], None) if log else "nothing happens"


def _met(*states: State) -> frozenset[str]:
    """The procedures that are under way."""
    return frozenset(
        f"{'action' if known.is_action else 'procedure'} {known.name}"
        for state in states
        for act in state.position.stack
        if (known := state.game.rules_source.procedures.get(act.name)) is not None
    )


def _otherwise(first: State, second: State) -> Iterator[tuple[str, str]]:
    """Each variable that both have, with another value, and each piece that lies elsewhere."""
    one, two = first.position, second.position
    for name in [n for n in one.vars if n in two.vars]:
        for index in one.vars[name].keys() | two.vars[name].keys():
            values: list[Value] = []
            for state in (first, second):
                default = state.game.setup.defaults[name]
                values.append(state.position.vars[name].get(index, default))
            if values[0] != values[1]:
                shown = [f"{name.replace('_', ' ')} {value}" for value in values]
                yield shown[0], shown[1]
    if len(one.where) != len(two.where):
        yield f"{len(one.where)} pieces", f"{len(two.where)} pieces"
        return
    for piece, (here, there) in enumerate(zip(one.where, two.where, strict=True)):
        if here != there:
            title = first.game.setup.pieces[piece].design.title
            yield f"“{title}” lies in {_place(here)}", f"“{title}” lies in {_place(there)}"


def _place(where: tuple[object, ...] | None) -> str:
    return "no place" if where is None else str(where[1] if where[0] == "on" else where[0])
