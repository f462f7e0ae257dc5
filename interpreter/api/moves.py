"""Whole moves: the choices of one player up to where the move is over, listed, counted, sampled,
named.

A move begins at an open decision. It goes on with what the same player is asked next, and is over
when the game is, when somebody else is to decide, when something new was shown to anybody (a piece
drawn or revealed, chance), when what all do at once is over, or when its player is to choose among
actions again or is asked once more what this move has answered already.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from interpreter.api.values import Plain, near, plain
from interpreter.engine.decisions import Decision, Option, Spec
from interpreter.game.game import Illegal, State
from interpreter.game.given import given
from interpreter.game.prompts import asked as asked_in_words
from interpreter.game.refusals import Refusal
from interpreter.game.views import option_data
from interpreter.model.errors import InputError
from interpreter.model.position import Position
from interpreter.model.symmetry import twin
from rulelang import core
from rulelang.core.types import PieceT, Type
from rulelang.core.values import Value
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Procedure

MOST_TRIES = 20  # samples that rules met on the way may refuse before all moves are listed
MOST_TOLD = 6  # options that a message lists


@dataclass(frozen=True)
class Choice:
    """One choice of a player: the name the rules give it and its value, as plain data that is
    exact.
    """

    player: int
    name: str
    value: Plain
    text: str = field(compare=False, default="", repr=False)
    prompt: str = field(compare=False, default="", repr=False)

    def __str__(self) -> str:
        return f"{self.prompt}: {self.text}" if self.name != "action" else self.text


@dataclass(frozen=True, repr=False)
class Move:
    """A whole move of one player of one game; a value that says what is chosen, wherever it is
    played.
    """

    game: str
    player: int
    choices: tuple[Choice, ...]

    @property
    def name(self) -> str:
        """The action, if the move begins with one, else the name of its first choice."""
        first = self.choices[0]
        return str(first.value) if first.name == "action" else first.name

    @property
    def arguments(self) -> dict[str, Plain]:
        """The values chosen by name, without the action itself."""
        return {c.name: c.value for c in self.choices if c.name != "action"}

    def __str__(self) -> str:
        return "; ".join(map(str, self.choices))

    def __repr__(self) -> str:
        return f"<Move of player {self.player}: {self}>"


# --------------------------------------------------------------------- where a move ends
def _asked(state: State, player: int) -> Spec | None:
    """The open decision of this player; none if it is not his to decide."""
    return next((spec for spec in state.specs if spec.player == player), None)


def over(before: State, after: State, answered: tuple[Spec, ...]) -> bool:
    """Is the move over after these decisions were answered, the last of them between these
    states?
    """
    player = answered[-1].player
    spec = _asked(after, player)
    if spec is None or after.over or after.position.learned:
        return True
    if bool(before.position.branches) != bool(after.position.branches):
        return True
    return spec.mode == "action" or any(
        spec.stmt is was.stmt and spec.name == was.name for was in answered
    )


def choice_of(state: State, spec: Spec, option: Option) -> Choice:
    """An option of an open decision as it crosses the surface."""
    game, at = state.game, state.seat(spec)
    value = _canonical(at, spec, option.value)
    if spec.mode == "action":
        action = game.rules_source.procedures[str(value)]
        text = action.title or spoken(action.name)
    elif spec.mode == "may":
        text = "yes" if value else "no"
    elif isinstance(value, frozenset | tuple) and spec.mode in ("some", "order"):
        text = ", ".join(game.presenter.text(v, spec.item, at) for v in value) or "nothing"
    else:
        text = game.presenter.text(value, spec.item, at)
    data = plain(option_data(state, spec, value))
    return Choice(spec.player + 1, spec.name, data, text, asked_in_words(state, spec, spec.player))


def _canonical(s: Position, spec: Spec, value: Value) -> Value:
    """A set of pieces as it is listed: of equal pieces the first ones offered."""
    if spec.mode != "some" or not isinstance(spec.item, PieceT) or not isinstance(value, frozenset):
        return value
    wanted = Counter(twin(s, piece) for piece in value)
    found = []
    for piece in spec.domain:
        alike = twin(s, piece)
        if wanted[alike] > 0:
            wanted[alike] -= 1
            found.append(piece)
    return frozenset(found)


# ------------------------------------------------------------------ listing and sampling
def legal(
    state: State, player: int, made: tuple[Choice, ...] = (), answered: tuple[Spec, ...] = ()
) -> Iterator[Move]:
    """The whole moves of a player in a stable order, made one at a time."""
    spec = _asked(state, player)
    if spec is None:
        return
    for option in Decision(state.game.decider, state.position, spec).options():
        try:
            later = state.choose(option)
        except Illegal:
            continue  # a rule that is met on the way refuses it
        choices, now = (*made, choice_of(state, spec, option)), (*answered, spec)
        if over(state, later, now):
            yield Move(state.game.id, player + 1, choices)
        else:
            yield from legal(later, player, choices, now)


def count(state: State, player: int, limit: int) -> int:
    """How many whole moves a player has; the count stops at the limit."""
    return sum(1 for _ in itertools.islice(legal(state, player), limit))


def sample(state: State, player: int, rng: random.Random) -> Move:
    """A whole move drawn choice by choice; raises Illegal if the player has none."""
    for _ in range(MOST_TRIES):
        move = _sampled(state, player, rng)
        if move is not None:
            return move
    moves = list(legal(state, player))
    if not moves:
        raise Illegal(f"player {player + 1} has no legal move")
    return rng.choice(moves)


def _sampled(state: State, player: int, rng: random.Random) -> Move | None:
    """One draw; none where a rule met on the way refuses what was drawn."""
    choices: tuple[Choice, ...] = ()
    answered: tuple[Spec, ...] = ()
    while (spec := _asked(state, player)) is not None:
        drawn = Decision(state.game.decider, state.position, spec).sample(rng)
        option = Option(drawn.player, drawn.name, _canonical(state.seat(spec), spec, drawn.value))
        try:
            later = state.choose(option)
        except Illegal:
            return None
        choices, answered = (*choices, choice_of(state, spec, option)), (*answered, spec)
        if over(state, later, answered):
            return Move(state.game.id, player + 1, choices)
        state = later
    return None


# --------------------------------------------------------------------------- named moves
def named(state: State, player: int, action: str | None, arguments: Mapping[str, object]) -> Move:
    """The legal move of this action with these values by name; what can only be one way may be left
    out.

    Raises InputError where a name or value is unknown, Illegal where the move is refused.
    """
    left = dict(arguments)
    choices: tuple[Choice, ...] = ()
    answered: tuple[Spec, ...] = ()
    while (spec := _asked(state, player)) is not None:
        if action is not None and not answered and spec.mode != "action":
            raise InputError(
                f"no action is asked for now, but “{asked_in_words(state, spec, player)}”: "
                f"give {spec.name}=... instead"
            )
        if spec.mode == "action" and action is not None and not answered:
            option = Option(player, "action", action_called(state, spec, action))
        elif spec.name in left:
            option = read(state, spec, left.pop(spec.name))
        else:
            option = _only(state, spec)
        later = _chosen(state, option)
        choices, answered = (*choices, choice_of(state, spec, option)), (*answered, spec)
        state, before = later, state
        if over(before, later, answered):
            break
    if left:
        asked = ", ".join(choice.name for choice in choices)
        raise InputError(f"this move is not asked for {', '.join(left)}; it is asked for {asked}")
    return Move(state.game.id, player + 1, choices)


def action_called(state: State, spec: Spec | None, called: str) -> str:
    """The action of this name or title, or the one that does the event of this name; raises
    InputError.
    """
    known = {
        name: procedure
        for name, procedure in state.game.rules_source.procedures.items()
        if procedure.is_action
    }
    if called in known:
        return called
    wanted = str(called).lower()
    titled = [n for n, p in known.items() if wanted in (p.title.lower(), spoken(n).lower())]
    stmt = spec.stmt if spec is not None else None
    here = stmt.actions if isinstance(stmt, core.Take) else ()
    found = titled or [name for name in here if _does(known[name], called)]
    if len(found) == 1:
        return found[0]
    titles = [p.title for p in known.values() if p.title]
    raise InputError(f"there is no action {called!r}{near(called, [*known, *titles])}")


def _does(action: Procedure, event: str) -> bool:
    """Does the body of an action do this event?"""
    return any(isinstance(p, core.Do) and p.target == event for p in core.walk(action.body))


def read(state: State, spec: Spec, data: object) -> Option:
    """The option of an open decision that a value from outside stands for; raises InputError or
    Illegal.
    """
    player = spec.player
    if spec.mode == "action" and isinstance(data, str):
        return Option(player, spec.name, action_called(state, spec, data))
    value = data
    if spec.mode == "one":
        value = given(state.game.setup, data, spec.item)
    elif spec.mode in ("some", "order"):
        if not isinstance(data, list | tuple | set | frozenset):
            raise InputError(f"{spec.name} takes a list, not {data!r}")
        value = [given(state.game.setup, item, spec.item) for item in data]
    return Option(player, spec.name, state.value_of(spec, value))


def _only(state: State, spec: Spec) -> Option:
    """The only option of a decision; raises InputError listing what it may be."""
    decision = Decision(state.game.decider, state.position, spec)
    only = decision.forced()
    if only is not None:
        return only
    some = list(itertools.islice(decision.options(), MOST_TOLD + 1))
    told = ", ".join(choice_of(state, spec, option).text for option in some[:MOST_TOLD])
    told += ", ..." if len(some) > MOST_TOLD else ""
    prompt = asked_in_words(state, spec, spec.player)
    raise InputError(f"say what {spec.name} is (“{prompt}”): {told}")


def play(state: State, move: Move) -> State:
    """The state after a whole move; raises Illegal with the reasons where it is not legal here."""
    if move.game != state.game.id:
        raise Illegal(f"this is a move of {move.game}, and {state.game.id} is played")
    for made in move.choices:
        state = choose(state, made)
    return state


def choose(state: State, choice: Choice) -> State:
    """The state after one choice; raises Illegal with the reasons."""
    player = choice.player - 1
    spec = state.spec_of(player, choice.name)
    if spec is None:
        asked = ", ".join(f"player {s.player + 1}: {s.name}" for s in state.specs)
        raise Illegal(
            f"player {choice.player} is not asked for {choice.name} in this state; "
            f"asked is {asked or 'nobody: the game is over'}"
        )
    return _chosen(state, read(state, spec, choice.value))


def _chosen(state: State, option: Option) -> State:
    """The state after an option; raises Illegal whose message tells the reasons too."""
    try:
        return state.choose(option)
    except Illegal as error:
        told = "; ".join(map(str, error.reasons))
        raise Illegal(f"{error}: {told}" if told else str(error), error.reasons) from error


def why_not(state: State, player: int, action: str, values: Mapping[str, object]) -> list[Refusal]:
    """Every line that stands against an action or event with these values; raises InputError."""
    rules = state.game.rules_source
    types: dict[str, Type] = {}
    if action in rules.events:
        types = dict(rules.events[action].params)
    else:
        action = action_called(state, None, action)
        body = rules.procedures[action].body
        chosen = (part for part in core.walk(body) if isinstance(part, core.Choose))
        types = {part.var.split("~")[0]: part.item for part in chosen}
    for name in values:
        if name not in types:
            raise InputError(f"{action} has no choice {name!r}{near(name, types)}")
    data = {name: given(state.game.setup, value, types[name]) for name, value in values.items()}
    return state.why_not(player, action, **data)
