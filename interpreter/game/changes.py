"""What changed of the variables of the table and of each player between two states, in their own
words: whoever made it, and as far as the reader may know.

Whose turn it is, of which round, and what is left to do changes all the time and is shown, not
told; what the scores tell already is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.game.context import PlayState
from interpreter.game.views import knows_variable
from interpreter.game.wording import agreeing, filled
from interpreter.model.position import Position
from interpreter.model.visibility import may_know
from rulelang import core
from rulelang.core.types import NUMBER, PLAYER, TRUTH, non_optional
from rulelang.core.values import Value
from rulelang.ruleset import Ruleset
from rulelang.ruleset import State as Variable


def changes(
    before: PlayState, after: PlayState, viewer: int | None, scored: bool = False
) -> list[str]:
    """What holds now and did not before, and what holds no longer, as far as the viewer knows: of
    the table, then of each player with the player's name.

    What comes to the scores is left out where these were told (`scored`), and what whoever chose
    is now by his own choice.
    """
    was, now = before.seen_by(viewer), after.seen_by(viewer)
    told = _telling(after.game.rules_source)
    if scored:
        told = [v for v in told if not _is_score(after, now, v)]
    chose = after.choice.player if after.choice is not None else None
    found: list[str] = []
    for player in (None, *range(after.game.players)):
        of = None if player is None else PLAYER
        his = [
            _of_one(after, (was, now), v, player, viewer)
            for v in told
            if v.of == of and not (player is not None and player == chose and v.type == TRUTH)
        ]
        said = list(filter(None, his))
        if said and player is not None:
            said = [f"player {player + 1}: {', '.join(said)}"]
        found += said
    return found


def _telling(rules: Ruleset) -> list[Variable]:
    """The variables of the table and of players whose changes say something."""
    return [
        variable
        for variable in rules.states.values()
        if variable.reads
        and variable.of in (None, PLAYER)
        and not _is_turn(rules, variable)
        and not _is_count(rules, variable)
    ]


def _is_score(state: PlayState, s: Position, variable: Variable) -> bool:
    """Does a variable hold each player's score?"""
    if variable.of != PLAYER or variable.type != NUMBER:
        return False
    values = dict(s.changed(variable.name))
    default = state.game.setup.defaults[variable.name]
    return all(values.get(p, default) == score for p, score in enumerate(state.scores()))


def _of_one(
    state: PlayState,
    between: tuple[Position, Position],
    variable: Variable,
    player: int | None,
    viewer: int | None,
) -> str:
    """The change of one variable in words; nothing where it is as it was, or not known."""
    old, new = (_value(state, s, variable, player, viewer) for s in between)
    if old == new:
        return ""
    was, now = (
        _text(state, s, variable, value) for s, value in zip(between, (old, new), strict=True)
    )
    if non_optional(variable.type) == NUMBER:
        return f"{now}{by}" if (by := _by(state, variable, player, (old, new))) is not None else ""
    if not _is_nothing(new):
        return now
    lasted = player is None and not isinstance(old, frozenset | tuple) and not _is_nothing(old)
    return f"no longer: {was}" if lasted else ""


def _by(
    state: PlayState, variable: Variable, player: int | None, between: tuple[Value, Value]
) -> str | None:
    """By how much a number changed, if it is a player's; none where that is not told."""
    old, new = between
    if not isinstance(new, int) or (not new and player is None):
        return None
    if not isinstance(old, int):
        return ""
    if new < old and _counts_down(state.game.rules_source, variable):
        return None
    return f" ({new - old:+})" if player is not None else ""


def _value(
    state: PlayState, s: Position, variable: Variable, player: int | None, viewer: int | None
) -> Value:
    """What a viewer knows a variable to hold; none for what is hidden."""
    if not knows_variable(state.game, s, viewer, variable.name, player):
        return None
    value: Value = dict(s.changed(variable.name)).get(
        player, state.game.setup.defaults[variable.name]
    )
    return value if may_know(s, viewer, value, variable.type) else None


def _text(state: PlayState, s: Position, variable: Variable, value: Value) -> str:
    text = state.game.presenter.named(value, variable.type, s)
    return agreeing(filled(variable.reads, {variable.name: text}))


def _is_nothing(value: Value) -> bool:
    return value is None or value is False or value in (frozenset(), ())


def _is_count(rules: Ruleset, variable: Variable) -> bool:
    """Does a variable of the table only count on, as rounds are counted?"""
    if variable.type != NUMBER or variable.of is not None:
        return False
    given = [value for value, _ in _assigned(rules, variable.name)]
    return bool(given) and all(_by_one(value, variable, "+") for value in given)


def _counts_down(rules: Ruleset, variable: Variable) -> bool:
    """Is a number used up one by one, as what is still to be done is?"""
    return any(_by_one(value, variable, "-") for value, _ in _assigned(rules, variable.name))


def _by_one(value: core.Expr, variable: Variable, op: str) -> bool:
    """Is a value one more, or one less, than the variable was?"""
    return (
        isinstance(value, core.Arith)
        and value.op == op
        and isinstance(value.left, core.Read)
        and value.left.state == variable.name
        and value.right == core.Const(1)
    )


def _is_turn(rules: Ruleset, variable: Variable) -> bool:
    """Does a variable say whose turn it is: is it only ever given to whoever has a turn?"""
    if non_optional(variable.type) != PLAYER or variable.of is not None:
        return False
    given = [
        isinstance(value, core.Var) and value.name in named
        for value, named in _assigned(rules, variable.name)
    ]
    return bool(given) and all(given)


def _assigned(rules: Ruleset, name: str) -> Iterator[tuple[core.Expr, frozenset[str]]]:
    """What a variable is given, with the names that stand there for whoever has a turn.

    In an event no name does: what happens in it is no turn.
    """
    for procedure in rules.procedures.values():
        yield from _given(procedure.body, name, frozenset(p for p, _ in procedure.params))
    yield from _given(rules.flow, name, frozenset())
    for event in rules.events.values():
        yield from _given(event.body, name, None)


def _given(
    body: core.Body, name: str, named: frozenset[str] | None
) -> Iterator[tuple[core.Expr, frozenset[str]]]:
    turns = frozenset(
        part.var
        for part in core.walk(body)
        if isinstance(part, core.Each) and part.mode == "in turn"
    )
    for part in core.walk(body):
        if isinstance(part, core.Assign) and part.state == name:
            yield part.value, frozenset() if named is None else named | turns
