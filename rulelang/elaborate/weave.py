"""The statements that cards bring enter the procedures that are open for them, each under the card that bears it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rulelang import core
from rulelang.core.types import PLAYER, PieceT, SetT
from rulelang.elaborate.type_checker import TRUE
from rulelang.ruleset import Extension, Procedure, Ruleset


@dataclass(frozen=True)
class Opening(core.Stmt):
    """Where the statements that cards bring enter a procedure. Only until all cards are read: it is no part of the core."""

    label: str


def enter_steps(rules: Ruleset) -> None:
    """Put what cards bring in the place of every opening, in the order of the rules; no opening is left."""
    for procedure in list(rules.procedures.values()):
        if any(isinstance(part, Opening) for part in core.walk(procedure.body)):
            rules.procedures[procedure.name] = replace(
                procedure, body=_entered(rules, procedure, procedure.body)
            )


def _entered(rules: Ruleset, procedure: Procedure, body: core.Body) -> core.Body:
    found: list[core.Stmt] = []
    for stmt in body:
        if isinstance(stmt, Opening):
            for e in rules.extensions:
                if (e.kind, e.target, e.slot) == ("steps", procedure.name, stmt.label):
                    found += _brought(rules, procedure, e)
            continue
        inner = {
            name: _entered(rules, procedure, part)
            for name in ("then", "other", "body")
            if (part := getattr(stmt, name, ()))
        }
        found.append(replace(stmt, **inner) if inner else stmt)  # type: ignore[arg-type]  # all of these are bodies
    return tuple(found)


def _brought(rules: Ruleset, procedure: Procedure, e: Extension) -> core.Body:
    """One card's statements: for the piece the procedure is about, or for each that bears the text while its condition holds."""
    piece = PieceT(e.component)
    bearers = core.Titled(e.component, e.title, type=SetT(piece))
    steps: core.Body = e.body
    for clause in (
        e.clause,
        e.pattern,
    ):  # a sentence, or all sentences of a pattern, may be taken away
        steps = (core.If(TRUE, steps, (), clause=clause),) if clause else steps
    params = dict(procedure.params)
    if e.lifetime == "played":
        about = next((name for name, t in procedure.params if t == piece), None)
        if about is None:
            return ()
        player = next((core.Var(name, type=t) for name, t in procedure.params if t == PLAYER), None)
        bound = _naming(e.body, params, {"card": core.Var(about, type=piece), "you": player})
        return (core.If(core.Member(core.Var(about, type=piece), bearers), (*bound, *steps), ()),)
    card = core.Var("card", type=piece)
    holder: core.Expr = core.Builtin("holder", (card,), type=PLAYER)
    if rules.components[e.component].per_player:
        held = core.Compare("!=", holder, core.Const(None))
        holder = core.IfElse(held, holder, core.Builtin("owner", (card,), type=PLAYER), type=PLAYER)
    cond = e.cond or TRUE
    inside = core.Filter(
        "card", bearers, cond if e.lifetime == "while" else core.Not(cond), type=SetT(piece)
    )
    return (
        core.ForEach(
            "card", inside, None, (*_naming(e.body, params, {"you": holder}), *steps), piece
        ),
    )


def _naming(
    body: core.Body, taken: Mapping[str, object], values: dict[str, core.Expr | None]
) -> core.Body:
    """Statements that name what the body speaks of; a parameter of the procedure of that name comes first."""
    used = {part.name for part in core.walk(body) if isinstance(part, core.Var)}
    return tuple(
        core.Let(name, value)
        for name, value in values.items()
        if value is not None and name in used and name not in taken
    )
