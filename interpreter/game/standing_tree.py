"""Why a player stands as he does: the first key of the ranking, taken apart line by line."""

from __future__ import annotations

from interpreter.evaluator.expressions import Env
from interpreter.game.context import PlayState
from interpreter.game.score_tree import ScoreTree, tally_tree
from interpreter.model.position import Position
from interpreter.model.visibility import score_readers
from rulelang import core
from rulelang.core.types import NUMBER, PLAYER
from rulelang.core.values import ordered
from rulelang.phrases.describe import Describer

MOST_DEEP = 6  # definitions that are opened one within another


def standing_tree(state: PlayState, player: int, viewer: int | None) -> ScoreTree | None:
    """The tree of a player's score as it stands; none where the viewer may not know it."""
    game = state.game
    if not game.rules_source.ranks:
        return None
    if not state.over and player not in score_readers(game.rules_source, game.players, viewer):
        return None
    line = game.rules_source.ranks[0]
    s, env = state.position, {"player": player}
    value = game.rules.number(line.key, s, env)
    clause = game.rules_source.clauses.get(line.clause)
    parts = _parts(state, s, line.key, env, MOST_DEEP)
    return ScoreTree(
        f"player {player + 1}: {value}", value, line.clause, clause.cites if clause else (), parts
    )


def _parts(
    state: PlayState, s: Position, e: core.Expr, env: Env, deep: int, sign: str = ""
) -> tuple[ScoreTree, ...]:
    """What a number is made of: each term of a sum, each line of a score table."""
    if isinstance(e, core.Arith) and e.op in ("+", "-"):
        right = e.op if not sign or sign == "+" else ("-" if e.op == "+" else "+")
        return (
            *_parts(state, s, e.left, env, deep, sign),
            *_parts(state, s, e.right, env, deep, right),
        )
    return (_term(state, s, e, env, deep, sign),)


def _term(
    state: PlayState, s: Position, e: core.Expr, env: Env, deep: int, sign: str = ""
) -> ScoreTree:
    """One line, with what stands behind it."""
    value = state.game.rules.number(e, s, env)
    said = _said(state, s, e, env)
    told = f"{sign + ' ' if sign else ''}{value} {said}"
    inside = _inside(state, s, e, env, deep)
    return ScoreTree(told, value, "", (), inside, said, -value if sign == "-" else value)


def _inside(
    state: PlayState, s: Position, e: core.Expr, env: Env, deep: int
) -> tuple[ScoreTree, ...]:
    """What stands behind one term: the lines of its table, the case of its definition, the terms
    of a sum."""
    if deep <= 0:
        return ()
    match e:
        case core.Arith(op="+" | "-"):
            return _parts(state, s, e, env, deep - 1)
        case core.Builtin():
            return _summed(state, s, e, env, deep)
        case core.Total():
            args = tuple(state.game.rules.value(arg, s, env) for arg in e.args)
            return tally_tree(state, state.game.rules.tally(s, e.table, args)).parts
        case core.Apply():
            return _of_case(state, s, e, env, deep)
        case _:
            return ()


def _of_case(
    state: PlayState, s: Position, e: core.Apply, env: Env, deep: int
) -> tuple[ScoreTree, ...]:
    """The terms of the case that holds of a definition."""
    rules = state.game.rules
    known = state.game.rules_source.definitions[e.define]
    args = tuple(rules.value(arg, s, env) for arg in e.args)
    inner = dict(zip((name for name, _ in known.params), args, strict=True))
    for case in known.cases:
        if case.value is None or case.slot is not None or rules.gone(case.clause):
            continue
        if case.cond is None or rules.holds(s, case.cond, inner):
            found = case.value.type == NUMBER and _is_told(case.value)
            return _parts(state, s, case.value, inner, deep - 1) if found else ()
    return ()


def _summed(
    state: PlayState, s: Position, e: core.Builtin, env: Env, deep: int
) -> tuple[ScoreTree, ...]:
    """What each member brings to a sum, where it is not nothing."""
    listed = _listed(e)
    if listed is None:
        return ()
    rules, found = state.game.rules, list[ScoreTree]()
    for member in ordered(rules.members(listed.domain, s, env)):
        inner = {**env, listed.var: member}
        if rules.holds(s, listed.cond, inner) and rules.number(listed.body, s, inner):
            found.append(_term(state, s, listed.body, inner, deep - 1))
    return tuple(found)


def _listed(e: core.Expr) -> core.Image | None:
    """What is added up, member by member, where that is what an expression says."""
    if not isinstance(e, core.Builtin) or e.name != "sum":
        return None
    listed = e.args[0]
    return listed if isinstance(listed, core.Image) and listed.repeats else None


def _is_told(e: core.Expr) -> bool:
    """Is there more to be said of it than its value?"""
    return isinstance(e, core.Arith | core.Total | core.Apply | core.Read | core.Builtin)


def _said(state: PlayState, s: Position, e: core.Expr, env: Env) -> str:
    """A term in words, with the values of its names."""
    text = state.game.presenter.text

    def of(var: core.Var) -> str | None:
        value = env.get(var.name)
        if value is None:
            return None
        return (
            f"player {value + 1}"
            if var.type == PLAYER and isinstance(value, int)
            else text(value, var.type, s)
        )

    describer = Describer(state.game.rules_source, of)
    listed = _listed(e)
    return f"{describer.say(listed.domain)}, together" if listed else describer.say(e)
