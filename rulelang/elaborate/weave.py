"""Weaving: the statements that cards bring enter the procedures that are open for them."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field

from rulelang import core
from rulelang.core.types import PLAYER, PieceT, SetT
from rulelang.core.visit import Node, rebuild
from rulelang.elaborate.placeholders import Opening
from rulelang.elaborate.type_checker import TRUE
from rulelang.ruleset import Extension, Procedure, Ruleset


@dataclass
class WovenMemo:
    """By name which procedures are open for cards, and each as it was woven last with the texts
    that brought something.
    """

    is_open: dict[str, tuple[Procedure, bool]] = field(default_factory=dict)
    woven: dict[str, tuple[Procedure, tuple[Extension, ...], Procedure]] = field(
        default_factory=dict
    )


def enter_steps(rules: Ruleset, memo: WovenMemo) -> None:
    """Put what cards bring in place of every opening, in the order of the rules.

    What the same texts bring into the same procedure is the very same procedure.
    """
    bringing: dict[str, list[Extension]] = {}
    for extension in rules.extensions:
        if extension.kind == "steps":
            bringing.setdefault(extension.target, []).append(extension)
    for procedure in list(rules.procedures.values()):
        if not _is_open(procedure, memo):
            continue
        brought = tuple(bringing.get(procedure.name, ()))
        known = memo.woven.get(procedure.name)
        if known is None or known[0] is not procedure or not _are_same(known[1], brought):
            known = procedure, brought, _woven(rules, procedure)
            memo.woven[procedure.name] = known
        rules.procedures[procedure.name] = known[2]


def _is_open(procedure: Procedure, memo: WovenMemo) -> bool:
    known = memo.is_open.get(procedure.name)
    if known is None or known[0] is not procedure:
        body = core.walk(procedure.body)
        known = procedure, any(isinstance(part, Opening) for part in body)
        memo.is_open[procedure.name] = known
    return known[1]


def _are_same(some: tuple[Extension, ...], others: tuple[Extension, ...]) -> bool:
    return len(some) == len(others) and all(map(operator.is_, some, others))


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
