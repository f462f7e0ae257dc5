"""Why a play is refused, line by line: clause, what it asks, how things stand, cheapest repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from interpreter.engine.clauses import Failure
from interpreter.engine.decisions import Spec
from interpreter.engine.walker import Asked, Place, Proposed
from interpreter.evaluator.expressions import Env
from interpreter.game import prompts
from interpreter.game.context import PlayState
from interpreter.game.shortfall import standing
from interpreter.model.position import Position, exact
from rulelang import core
from rulelang.core.types import NUMBER, PieceT, Type
from rulelang.core.values import Json, Value, members, ordered, text
from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import spoken
from rulelang.elaborate.placeholders import OFFER
from rulelang.phrases.card_prose import CardProse
from rulelang.ruleset import Procedure

MOST_TRIED = 60  # members of a choice that is not given


@dataclass(frozen=True)
class Refusal:
    """One line that stands against a play: its clause, what it asks and how things stand.

    `repair` is the cheapest way to mend it, if one is known; `also` are further clauses it rests
    on: of a card's sentence its own line, and its pattern. What it asks is a thing, or else a
    condition (`is_condition`).
    """

    clause: str
    label: str
    cites: tuple[str, ...]
    need: str
    found: str = ""
    repair: str = ""
    also: tuple[str, ...] = ()
    is_condition: bool = False

    def __str__(self) -> str:
        cite = f" [{', '.join(self.cites)}]" if self.cites else ""
        label = self.label.removesuffix("?")
        asks = "only if" if self.is_condition else "needs"
        text = f"{label}{cite}: {asks} {self.need}" if self.need else f"{label}{cite}"
        if self.found:
            text += f" ({self.found})"
        return text + (f"; {self.repair}" if self.repair else "")

    def as_json(self) -> dict[str, Json]:
        """The reason as plain data."""
        return {
            "clause": self.clause,
            "label": self.label,
            "cites": list(self.cites),
            "need": self.need,
            "found": self.found,
            "repair": self.repair,
        }


# --------------------------------------------------------------------------------------- refusals
def why_not(
    state: PlayState, player: int, name: str, choices: Mapping[str, object]
) -> list[Refusal]:
    """Every line that stands against an event or action, in order.

    Its guard, the domain of each choice, the rules of the event.
    """
    game = state.game
    rules = game.rules_source
    s = state.acted_on_by(player)
    if name in rules.events:
        known = rules.events[name]
        values: list[Value] = []
        for param, t in known.params:
            if param in choices:
                data = choices[param]
                try:
                    values.append(game.presenter.read(data, t, s, _holding(state, t)))
                except ValueError as error:
                    return [Refusal(known.clause, spoken(param), (), str(error))]
            elif str(t) == "player":
                values.append(player)
            else:
                return [Refusal(known.clause, spoken(param), (), f"a value for {param}: {t}")]
        return of_failures(state, list(game.rules.failures(s, name, tuple(values))), s)
    if name in rules.procedures:
        return _why_procedure(state, s, player, name, choices)
    events = [event for event in rules.events if not event.startswith(OFFER)]
    known_names = [*events, *[n for n, p in rules.procedures.items() if p.is_action]]
    near = nearest(name, known_names, 1)
    return [
        Refusal(
            "",
            name,
            (),
            f"an event or action: {', '.join(known_names)}",
            "",
            f"did you mean {near[0]}?" if near else "",
        )
    ]


def _holding(state: PlayState, t: Type) -> set[int] | None:
    """Pieces to prefer when a title names several: those not on the board yet."""
    if not isinstance(t, PieceT):
        return None
    s = state.position
    return {p for p in s.setup.by_component[t.name] if len(s.where[p] or ()) == 2}


def _why_procedure(
    state: PlayState, s: Position, player: int, name: str, choices: Mapping[str, object]
) -> list[Refusal]:
    game = state.game
    procedure = game.rules_source.procedures[name]
    env: Env = {procedure.params[0][0]: player} if procedure.params else {}
    found: list[Refusal] = []
    if procedure.is_action:
        asked = next((spec for spec in state.specs if spec.player == player), None)
        if asked is None or asked.mode != "action":
            now = (
                f"player {player + 1} is asked: {prompts.asked(state, asked, player)}"
                if asked is not None and asked.prompt
                else ""
            )
            found.append(
                _reason(
                    state,
                    procedure.clause,
                    procedure.title,
                    f"player {player + 1} to be asked for an action now",
                    now,
                )
            )
        elif isinstance(asked.stmt, core.Take) and name not in asked.stmt.actions:
            found.append(not_among(state, asked.stmt, procedure))
    if procedure.guard is not None and not game.rules.holds(s, procedure.guard, env):
        found += judge(state, s, procedure.guard, env, procedure.clause, procedure.title)
    return found + of_place(state, s, Place(procedure.body, 0, env, procedure.clause), choices)


def not_offered(
    state: PlayState, s: Position, stmt: core.Choose, env: Env, clause: str, said: str
) -> Refusal:
    """What is no member of what is chosen from; a range is told with its bounds."""
    text, number = state.game.presenter.text, state.game.rules.number
    describer = CardProse(
        state.game.rules_source,
        known=lambda var: text(env[var.name], var.type, s) if var.name in env else None,
    )
    bounds = ""
    if isinstance(stmt.domain, core.Range):
        low, high = number(stmt.domain.low, s, env), number(stmt.domain.high, s, env)
        bounds = (
            f", which is {low} to {high}"
            if low < high
            else f", which is {low}"
            if low == high
            else ", which leaves nothing"
        )
    return _reason(
        state,
        clause,
        prompts.prompt(state.game, stmt, s, env),
        f"one of {describer.say(stmt.domain)}{bounds}",
        f"{said} is not",
    )


def of_place(
    state: PlayState, s: Position, place: Place, choices: Mapping[str, object]
) -> list[Refusal]:
    """What stands against a play that goes on from this place with these choices, by name.

    As far as nothing changes the position: the first choice that has no such option, or the
    event that is met.
    """
    game = state.game
    met = game.lookahead.walker.meet(s, place)
    if isinstance(met, Proposed):
        return of_failures(state, list(game.rules.failures(s, met.event, met.values)), s)
    if isinstance(met, Asked) and isinstance(met.stmt, core.Choose) and met.stmt.mode == "one":
        if met.stmt.var.split("~")[0] in choices:
            return _of_given(state, s, met.at, met.stmt, choices)
        return _of_open(state, s, met.at, met.stmt, choices)
    return []


def _of_given(
    state: PlayState, s: Position, at: Place, stmt: core.Choose, choices: Mapping[str, object]
) -> list[Refusal]:
    """What stands against a choice that is given, or else against what follows it."""
    game, data = state.game, choices[stmt.var.split("~")[0]]
    clause = stmt.clause or at.clause
    among = frozenset(game.rules.members(stmt.domain, s, at.scope))
    try:
        value = game.presenter.read(data, stmt.item, s, among)
    except ValueError as error:
        return [Refusal(clause, prompts.prompt(game, stmt, s, at.scope), (), str(error))]
    return of_member(state, s, at, stmt, value) or of_place(
        state, s, at.naming(stmt.var, value), choices
    )


def of_member(
    state: PlayState, s: Position, at: Place, stmt: core.Choose, value: Value
) -> list[Refusal]:
    """What stands against one value of a choice: it is no member, or does not meet the filter."""
    game, clause = state.game, stmt.clause or at.clause
    if value not in ordered(game.rules.members(stmt.domain, s, at.scope)):
        said = game.presenter.text(value, stmt.item, s)
        return [not_offered(state, s, stmt, at.scope, clause, said)]
    chosen = at.naming(stmt.var, value).scope
    if not game.rules.holds(s, stmt.cond, chosen):
        said = prompts.prompt(game, stmt, s, at.scope)
        return judge(state, s, stmt.cond, dict(chosen), clause, said)
    return []


def _of_open(
    state: PlayState, s: Position, at: Place, stmt: core.Choose, choices: Mapping[str, object]
) -> list[Refusal]:
    """What stands against what follows a choice that is not given: where the least does."""
    options = state.game.lookahead.members(s, at.scope, stmt)
    if not options:
        clause = stmt.clause or at.clause
        said = prompts.prompt(state.game, stmt, s, at.scope)
        return [_reason(state, clause, said, "something to choose", "there is nothing")]
    reasons = (
        of_place(state, s, at.naming(stmt.var, item), choices) for item in options[:MOST_TRIED]
    )
    return min(reasons, key=len)


@dataclass(frozen=True)
class Wrong:
    """A value that is no option of an open decision, in a position, and what its player would go on
    to choose, by name.
    """

    s: Position
    spec: Spec
    value: Value
    then: Mapping[str, object]


def why_option(
    state: PlayState, spec: Spec, value: Value, then: Mapping[str, object] | None = None
) -> list[Refusal]:
    """Why this value is no option of an open decision; `then` is what would be chosen after it."""
    return _WHY[spec.mode](state, Wrong(state.seat(spec), spec, value, then or {}))


def _why_action(state: PlayState, wrong: Wrong) -> list[Refusal]:
    spec, value = wrong.spec, wrong.value
    if isinstance(value, str) and isinstance(spec.stmt, core.Take) and value in spec.stmt.actions:
        return _why_procedure(state, wrong.s, spec.player, value, wrong.then)
    known = state.game.rules_source.procedures.get(value) if isinstance(value, str) else None
    return [not_among(state, spec.stmt, known if known is not None else repr(value))]


def _why_one(state: PlayState, wrong: Wrong) -> list[Refusal]:
    s, spec, value = wrong.s, wrong.spec, wrong.value
    stmt = spec.stmt
    if not isinstance(stmt, core.Choose):
        return _why_other(state, wrong)
    act = s.stack[-1]
    block, clause = act.blocks[-1], asking(state, spec)
    at = Place(state.game.machine.bodies[block.body], block.pc, act.env, clause)
    if exact(value, ordered(state.game.rules.members(stmt.domain, s, at.scope))) is None:
        plain = spec.item == NUMBER and isinstance(value, int) and not isinstance(value, bool)
        said = str(value) if plain else "that"  # what else was given may be hidden
        return [not_offered(state, s, stmt, at.scope, clause, said)]
    return (
        of_member(state, s, at, stmt, value)
        or of_place(state, s, at.naming(stmt.var, value), wrong.then)
        or better_run(state, s, spec)
    )


def _why_some(state: PlayState, wrong: Wrong) -> list[Refusal]:
    spec, value = wrong.spec, wrong.value
    number = f"{spec.low}" if spec.low == spec.high else f"{spec.low} to {spec.high}"
    taken = ""
    if isinstance(value, frozenset):
        strange = value - frozenset(spec.domain)
        taken = (
            f"{len(strange)} of the {len(value)} named are not offered"
            if strange
            else f"that is {len(value)}"
        )
    need = f"{number} of what is offered"
    return [
        _reason(state, asking(state, spec), prompts.asked(state, spec, spec.player), need, taken),
        *better_run(state, wrong.s, spec),
    ]


def _why_order(state: PlayState, wrong: Wrong) -> list[Refusal]:
    spec = wrong.spec
    need = "all that is offered, each once, in some order"
    return [
        _reason(state, asking(state, spec), prompts.asked(state, spec, spec.player), need, ""),
        *better_run(state, wrong.s, spec),
    ]


def _why_may(state: PlayState, wrong: Wrong) -> list[Refusal]:
    s, spec = wrong.s, wrong.spec
    if wrong.value is not True or not isinstance(spec.stmt, core.May):
        return _why_other(state, wrong)
    at = Place(spec.stmt.body, 0, s.stack[-1].env, spec.stmt.clause or "")
    return of_place(state, s, at, wrong.then) or better_run(state, s, spec)


def _why_other(state: PlayState, wrong: Wrong) -> list[Refusal]:
    label = prompts.asked(state, wrong.spec, wrong.spec.player)
    return better_run(state, wrong.s, wrong.spec) or [
        Refusal("", label, (), "one of what is offered", f"{wrong.value!r} is none")
    ]


_WHY: dict[str, Callable[[PlayState, Wrong], list[Refusal]]] = {
    "one": _why_one,
    "some": _why_some,
    "order": _why_order,
    "action": _why_action,
    "may": _why_may,
}


def asking(state: PlayState, spec: Spec) -> str:
    """The clause that asks for an open decision."""
    s = state.seat(spec)
    procedure = state.game.rules_source.procedures.get(s.stack[-1].name) if s.stack else None
    return (spec.stmt.clause if spec.stmt is not None else None) or (
        procedure.clause if procedure is not None else state.game.rules_source.flow_clause
    )


def not_among(state: PlayState, stmt: core.Stmt | None, action: Procedure | str) -> Refusal:
    """An action that is not among those a player is to choose from, by its own clause."""
    procedures = state.game.rules_source.procedures
    listed = next(
        (
            [text(option) for option in state.game.decider.options(state.position, spec)]
            for spec in state.specs
            if spec.stmt is stmt
        ),
        None,
    )
    if listed is None:
        listed = list(stmt.actions) if isinstance(stmt, core.Take) else []
    offered = ", ".join(procedures[a].title or spoken(a) for a in listed)
    if isinstance(action, str):
        return Refusal(
            "",
            "action",
            (),
            f"one of the actions offered here: {offered}",
            f"{action} is none of them",
        )
    said = action.title or spoken(action.name)
    return _reason(
        state,
        action.clause,
        "action",
        f"one of the actions offered here: {offered}",
        f"{said} is none of them",
    )


def better_run(state: PlayState, s: Position, spec: Spec) -> list[Refusal]:
    """Inside `maximize`: that more could be had, and an option that leads to it."""
    game = state.game
    region = game.decider.maximizing(s)
    if region is None:
        return []
    better = next(iter(game.decider.options(state.position, spec)), None)
    several = (better,) if better is None or spec.mode not in ("some", "order") else members(better)
    said = (", then " if spec.mode == "order" else ", ").join(
        game.presenter.text(item, spec.item, s) for item in several
    )
    return [
        _reason(
            state,
            region.target.clause or "",
            prompts.asked(state, spec, spec.player),
            f"the most of {CardProse(game.rules_source).say(region.target.value)}",
            f"a better run exists: {said}",
        )
    ]


def _reason(state: PlayState, clause: str, label: str, need: str, found: str) -> Refusal:
    known = state.game.rules_source.clauses.get(clause)
    return Refusal(clause, label, known.cites if known else (), need, found)


def of_failures(
    state: PlayState, failures: list[Failure], s: Position | None = None
) -> list[Refusal]:
    """The reasons of failed rules."""
    found: list[Refusal] = []
    at = s if s is not None else state.position
    for failure in failures:
        if failure.rule.need is None:
            found.append(
                _reason(
                    state,
                    failure.rule.clause,
                    failure.rule.label,
                    "a piece that is still to be had",
                    "",
                )
            )
            continue
        made = judge(
            state, at, failure.rule.need, dict(failure.env), failure.rule.clause, failure.rule.label
        )
        clauses = state.game.rules_source.clauses
        further = [c for clause in failure.also if clause in clauses for c in clauses[clause].cites]
        found += [
            replace(
                r,
                cites=tuple(dict.fromkeys([*r.cites, *further])),
                also=tuple(dict.fromkeys([*r.also, failure.rule.clause, *failure.also])),
            )
            for r in made
        ]
    return found


def judge(
    state: PlayState, s: Position, need: core.Expr, env: Env, clause: str, label: str
) -> list[Refusal]:
    """One reason for each conjunct that fails, in the author's words.

    With what was found and how far it is from enough.
    """
    game = state.game
    found: list[Refusal] = []

    def said(var: core.Var) -> str | None:
        if var.name not in env:
            return None
        return game.presenter.text(env[var.name], var.type, s)

    describer = CardProse(game.rules_source, known=said)
    known = game.rules_source.clauses.get(clause)
    for part in need.of if isinstance(need, core.All) else (need,):
        try:
            if game.rules.holds(s, part, env):
                continue
            within = [
                r
                for at, failure in game.rules.within(s, part, env)
                for r in of_failures(state, [failure], at)
            ]
            if within:  # `can EVENT`: the lines of that event say it better
                found += [
                    replace(
                        r, cites=tuple(dict.fromkeys([*r.cites, *(known.cites if known else ())]))
                    )
                    for r in within
                ]
                continue
            found_so, repair = standing(state, s, part, dict(env))
        except KeyError:
            found_so, repair = "", ""
        found.append(
            Refusal(
                clause,
                label,
                known.cites if known else (),
                describer.say(part),
                found_so,
                repair,
                is_condition=True,
            )
        )
    return found
