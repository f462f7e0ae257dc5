"""Weaving: the statements that cards bring enter the procedures that are open for them."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang import core
from rulelang.core.types import PLAYER, PieceT, SetT
from rulelang.core.visit import Node, rebuild
from rulelang.elaborate.placeholders import Opening
from rulelang.elaborate.type_checker import TRUE
from rulelang.ruleset import Extension, Procedure, Ruleset


def enter_steps(rules: Ruleset) -> None:
    """Put what cards bring in place of every opening, in the order of the rules."""
    for procedure in list(rules.procedures.values()):
        if any(isinstance(part, Opening) for part in core.walk(procedure.body)):
            rules.procedures[procedure.name] = _woven(rules, procedure)


def _woven(rules: Ruleset, procedure: Procedure) -> Procedure:
    """The procedure with what cards bring in place of its openings."""

    def same(node: Node) -> Node:
        return node

    def entered(body: tuple[Node, ...]) -> tuple[Node, ...]:
        found: list[Node] = []
        for statement in body:
            if isinstance(statement, Opening):
                for extension in rules.extensions:
                    place = (extension.kind, extension.target, extension.slot)
                    if place == ("steps", procedure.name, statement.label):
                        found += _brought(rules, procedure, extension)
            else:
                found.append(rebuild(statement, same, body=entered))
        return tuple(found)

    return rebuild(procedure, same, body=entered)


def _brought(rules: Ruleset, procedure: Procedure, extension: Extension) -> core.Body:
    """One card's statements, under the condition that the card counts.

    They run for the piece that the procedure is about if the card is played, else for each piece
    that bears the text while the condition of the extension holds.
    """
    piece = PieceT(extension.component)
    bearers = core.Titled(extension.component, extension.title, type=SetT(piece))
    steps: core.Body = extension.body
    # a sentence, or all sentences of a pattern, may be taken away
    for clause in (extension.clause, extension.pattern):
        steps = (core.If(TRUE, steps, (), clause=clause),) if clause else steps
    if extension.lifetime == "played":
        return _played(procedure, extension, bearers, steps)
    cond = extension.cond or TRUE
    holds = cond if extension.lifetime == "while" else core.Not(cond)
    holder = {"you": _holder(rules, extension, piece)}
    named = _naming((core.If(holds, steps, ()),), procedure, holder)
    you = _naming(extension.body, procedure, holder)
    if named and any(isinstance(p, core.Var) and p.name == "you" for p in core.walk(holds)):
        return (core.ForEach("card", bearers, None, (*named, core.If(holds, steps, ())), piece),)
    counting = core.Filter("card", bearers, holds, type=SetT(piece))
    return (core.ForEach("card", counting, None, (*you, *steps), piece),)


def _played(
    procedure: Procedure, extension: Extension, bearers: core.Titled, steps: core.Body
) -> core.Body:
    """The statements if the procedure is about a piece that bears the text."""
    piece = PieceT(extension.component)
    about = next((name for name, t in procedure.params if t == piece), None)
    if about is None:
        return ()
    card = core.Var(about, type=piece)
    players = (core.Var(name, type=t) for name, t in procedure.params if t == PLAYER)
    named = _naming(extension.body, procedure, {"card": card, "you": next(players, None)})
    return (core.If(core.Member(card, bearers), (*named, *steps), ()),)


def _holder(rules: Ruleset, extension: Extension, piece: PieceT) -> core.Expr:
    """Who has the card; of a component of each player, its owner if nobody has it."""
    card = core.Var("card", type=piece)
    holder = core.Builtin("holder", (card,), type=PLAYER)
    if not rules.components[extension.component].per_player:
        return holder
    held = core.Compare("!=", holder, core.Const(None))
    owner = core.Builtin("owner", (card,), type=PLAYER)
    return core.IfElse(held, holder, owner, type=PLAYER)


def _naming(
    body: core.Body, procedure: Procedure, values: Mapping[str, core.Expr | None]
) -> core.Body:
    """Statements that name what the body speaks of, unless a parameter has the name."""
    used = {part.name for part in core.walk(body) if isinstance(part, core.Var)}
    taken = {name for name, _ in procedure.params}
    return tuple(
        core.Let(name, value)
        for name, value in values.items()
        if value is not None and name in used and name not in taken
    )
