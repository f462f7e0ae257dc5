"""Why a play is refused, line by line: clause, what it asks, how things stand, and the cheapest repair."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from interpreter.engine.clauses import Failure
from interpreter.game.context import PlayState
from interpreter.game.shortfall import standing
from interpreter.model.position import Position, exact
from rulelang import core
from rulelang.core.types import NUMBER, UNKNOWN, PieceT
from rulelang.core.values import ordered
from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import spoken
from rulelang.phrases.describe import Describer
from rulelang.ruleset import Procedure


@dataclass(frozen=True)
class Reason:
    """One line that stands against a play: its clause, what it asks, how things stand, and the cheapest way to mend it, if one is known."""

    clause: str
    label: str
    cites: tuple[str, ...]
    need: str
    found: str = ""
    repair: str = ""

    def __str__(self) -> str:
        cite = f" [{', '.join(self.cites)}]" if self.cites else ""
        text = f"{self.label}{cite}: needs {self.need}" if self.need else f"{self.label}{cite}"
        if self.found:
            text += f" ({self.found})"
        return text + (f"; {self.repair}" if self.repair else "")

    def as_json(self) -> dict[str, Any]:
        """The reason as plain data."""
        return {
            "clause": self.clause,
            "label": self.label,
            "cites": list(self.cites),
            "need": self.need,
            "found": self.found,
            "repair": self.repair,
        }


# ------------------------------------------------------------------------------------------------ refusals
def why_not(state: PlayState, player: int, name: str, choices: dict[str, Any]) -> list[Reason]:
    """Every line that stands against an event or action, in order: guard, domain of each choice, rules of the event."""
    game = state.game
    rules = game.rules_source
    s = seat_position(state, player)
    if name in rules.events:
        known = rules.events[name]
        values = []
        for param, t in known.params:
            if param in choices:
                data = choices[param]
                try:
                    values.append(game.presenter.read(data, t, s, _holding(state, t)))
                except ValueError as error:
                    return [Reason(known.clause, spoken(param), (), str(error))]
            elif str(t) == "player":
                values.append(player)
            else:
                return [Reason(known.clause, spoken(param), (), f"a value for {param}: {t}")]
        return of_failures(state, name, list(game.rules.failures(s, name, tuple(values))), s)
    if name in rules.procedures:
        return _why_procedure(state, s, player, name, choices)
    known_names = [*rules.events, *[n for n, p in rules.procedures.items() if p.is_action]]
    near = nearest(name, known_names, 1)
    return [
        Reason(
            "",
            name,
            (),
            f"an event or action: {', '.join(known_names)}",
            "",
            f"did you mean {near[0]}?" if near else "",
        )
    ]


def _holding(state: PlayState, t: Any) -> set[int] | None:
    """Pieces to prefer when a title names several: those not on the board yet."""
    if not isinstance(t, PieceT):
        return None
    s = state.position
    return {
        p
        for p in s.setup.by_component[t.name]
        if s.where[p] is not None and s.where[p][0] not in ("on", "tile")
    }


def _why_procedure(
    state: PlayState, s: Position, player: int, name: str, choices: dict[str, Any]
) -> list[Reason]:
    game = state.game
    procedure = game.rules_source.procedures[name]
    env: dict[str, Any] = {procedure.params[0][0]: player} if procedure.params else {}
    found: list[Reason] = []
    if procedure.is_action:
        asked = next((spec for spec in state.specs if spec.player == player), None)
        if asked is None or asked.mode != "action":
            now = (
                f"player {player + 1} is asked: {asked.prompt}"
                if asked is not None and asked.prompt
                else ""
            )
            found.append(
                _reason(
                    state,
                    procedure.clause,
                    procedure.title,
                    f"that player {player + 1} has to choose an action now",
                    now,
                )
            )
        elif isinstance(asked.stmt, core.Take) and name not in asked.stmt.actions:
            found.append(not_among(state, asked.stmt, procedure))
    if procedure.guard is not None and not game.rules.holds(s, procedure.guard, env):
        found += judge(state, s, procedure.guard, env, procedure.clause, procedure.title)
    return found + of_body(state, s, procedure.body, env, dict(choices), procedure.clause)


def not_offered(
    state: PlayState, s: Position, stmt: core.Choose, env: dict[str, Any], clause: str, said: str
) -> Reason:
    """What is no member of what is chosen from; a range is told with its bounds."""
    text, value = state.game.presenter.text, state.game.rules.evaluator.value
    describer = Describer(
        state.game.rules_source,
        lambda var: text(env[var.name], var.type, s) if var.name in env else None,
    )
    bounds = ""
    if isinstance(stmt.domain, core.Range):
        low, high = value(stmt.domain.low, s, env), value(stmt.domain.high, s, env)
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
        stmt.prompt,
        f"one of {describer.say(stmt.domain)}{bounds}",
        f"{said} is none",
    )


def of_body(
    state: PlayState,
    s: Position,
    body: core.Body,
    env: dict[str, Any],
    choices: dict[str, Any],
    clause: str,
) -> list[Reason]:
    """Follow a body with given choices as far as nothing changes, and say what stands against it on the way."""
    game = state.game
    value = game.rules.evaluator.value
    for stmt in body:
        if isinstance(stmt, core.Let):
            env[stmt.var] = value(stmt.value, s, env)
        elif isinstance(stmt, core.Choose) and stmt.mode == "one":
            key = stmt.var.split("~")[0]
            members = ordered(game.rules.func(stmt.domain)(s, dict(env)))
            if key in choices:
                try:
                    env[stmt.var] = (
                        game.presenter.read(choices[key], stmt.item, s, set(members))
                        if stmt.item != UNKNOWN
                        else choices[key]
                    )
                except ValueError as error:
                    return [Reason(stmt.clause or clause, stmt.prompt, (), str(error))]
                if env[stmt.var] not in members:
                    return [
                        not_offered(
                            state,
                            s,
                            stmt,
                            env,
                            stmt.clause or clause,
                            game.presenter.text(env[stmt.var], stmt.item, s),
                        )
                    ]
                if not game.rules.holds(s, stmt.cond, env):
                    return judge(state, s, stmt.cond, env, stmt.clause or clause, stmt.prompt)
            else:
                options = game.decider.members(s, env, stmt)
                if not options:
                    return [
                        _reason(
                            state,
                            stmt.clause or clause,
                            stmt.prompt,
                            "something to choose",
                            "there is nothing",
                        )
                    ]
                reasons = [
                    (
                        of_body(
                            state,
                            s,
                            body[body.index(stmt) + 1 :],
                            {**env, stmt.var: item},
                            choices,
                            clause,
                        )
                    )
                    for item in options[:60]
                ]
                return min(reasons, key=len)
        elif isinstance(stmt, core.If):
            return of_body(
                state,
                s,
                stmt.then if game.rules.holds(s, stmt.cond, env) else stmt.other,
                env,
                choices,
                clause,
            )
        elif isinstance(stmt, core.Do):
            values = tuple(value(a, s, env) for a in stmt.args)
            if stmt.target in game.rules_source.events:
                return of_failures(
                    state, stmt.target, list(game.rules.failures(s, stmt.target, values)), s
                )
            target = game.rules_source.procedures[stmt.target]
            return of_body(
                state,
                s,
                target.body,
                dict(zip([p for p, _ in target.params], values, strict=True)),
                choices,
                target.clause,
            )
        else:
            return []
    return []


def why_option(state: PlayState, spec: Any, value: Any) -> list[Reason]:
    """Why this value is no option of an open decision."""
    game = state.game
    s = state.position.branches[spec.seat] if spec.seat is not None else state.position
    if spec.mode == "action":
        if (
            not isinstance(value, str)
            or not isinstance(spec.stmt, core.Take)
            or value not in spec.stmt.actions
        ):
            known = game.rules_source.procedures.get(value) if isinstance(value, str) else None
            return [not_among(state, spec.stmt, known if known is not None else repr(value))]
        return _why_procedure(state, s, spec.player, value, {})
    if spec.mode == "one" and isinstance(spec.stmt, core.Choose):
        act = s.stack[-1]
        members = ordered(game.rules.func(spec.stmt.domain)(s, dict(act.env)))
        clause = asking(state, spec)
        if exact(value, members) is None:
            said = (
                str(value)
                if spec.item == NUMBER and isinstance(value, int) and not isinstance(value, bool)
                else "that"
            )  # what else was given may be hidden
            return [not_offered(state, s, spec.stmt, dict(act.env), clause, said)]
        env = {**act.env, spec.stmt.var: value}
        if not game.rules.holds(s, spec.stmt.cond, env):
            return judge(state, s, spec.stmt.cond, env, clause, spec.prompt)
        body = game.machine.bodies[act.blocks[-1].body]
        found = of_body(state, s, body[act.blocks[-1].pc + 1 :], env, {}, clause)
        return found or better_run(state, s, spec, value)
    if spec.mode == "some":
        number = f"{spec.low}" if spec.low == spec.high else f"{spec.low} to {spec.high}"
        strange = (
            value - frozenset(game.decider.members(s, s.stack[-1].env, spec.stmt))
            if isinstance(value, frozenset) and s.stack
            else frozenset()
        )
        taken = (
            f"{len(strange)} of the {len(value)} named are not offered"
            if strange
            else f"that is {len(value)}"
            if isinstance(value, frozenset)
            else ""
        )
        return [
            _reason(state, asking(state, spec), spec.prompt, f"{number} of what is offered", taken),
            *better_run(state, s, spec, value),
        ]
    if spec.mode == "order":
        return [
            _reason(
                state,
                asking(state, spec),
                spec.prompt,
                "all that is offered, each once, in some order",
                "",
            ),
            *better_run(state, s, spec, value),
        ]
    if spec.mode == "may" and value is True and isinstance(spec.stmt, core.May):
        return of_body(
            state, s, spec.stmt.body, dict(s.stack[-1].env), {}, spec.stmt.clause or ""
        ) or better_run(state, s, spec, value)
    return better_run(state, s, spec, value) or [
        Reason("", spec.prompt, (), "one of what is offered", f"{value!r} is none")
    ]


def asking(state: PlayState, spec: Any) -> str:
    """The clause that asks for an open decision."""
    s = state.position.branches[spec.seat] if spec.seat is not None else state.position
    procedure = state.game.rules_source.procedures.get(s.stack[-1].name) if s.stack else None
    return (spec.stmt.clause if spec.stmt is not None else None) or (
        procedure.clause if procedure is not None else state.game.rules_source.flow_clause
    )


def not_among(state: PlayState, stmt: Any, action: Procedure | str) -> Reason:
    """An action that is not among those a player is to choose from; the clause is that of the action."""
    procedures = state.game.rules_source.procedures
    open_to = next(
        (
            list(state.game.decider.options(state.position, spec))
            for spec in state.specs
            if spec.stmt is stmt
        ),
        getattr(stmt, "actions", ()),
    )
    offered = ", ".join(procedures[a].title or spoken(a) for a in open_to)
    if isinstance(action, str):
        return Reason(
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


def better_run(state: PlayState, s: Position, spec: Any, value: Any) -> list[Reason]:
    """Inside `maximize`: the option leads to less than could be had; an option that leads to more is named."""
    game = state.game
    if game.decider.maximizing(s) is None:
        return []
    better = next(iter(game.decider.options(state.position, spec)), None)
    block = next(b for a in reversed(s.stack) for b in reversed(a.blocks) if b.kind == "maximize")
    target = game.machine.maximized[block.data[0]]
    several = better if spec.mode in ("some", "order") and better is not None else (better,)
    said = (", then " if spec.mode == "order" else ", ").join(
        game.presenter.text(item, spec.item, s) for item in several
    )
    return [
        _reason(
            state,
            target.clause or "",
            spec.prompt,
            f"the most of {Describer(game.rules_source).say(target.value)}",
            f"a better run exists: {said}",
        )
    ]


def _reason(state: PlayState, clause: str, label: str, need: str, found: str) -> Reason:
    known = state.game.rules_source.clauses.get(clause)
    return Reason(clause, label, known.cites if known else (), need, found)


def of_failures(
    state: PlayState, event: str, failures: list[Failure], s: Position | None = None
) -> list[Reason]:
    """The reasons of failed rules."""
    found: list[Reason] = []
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
        found += [replace(r, cites=tuple(dict.fromkeys([*r.cites, *further]))) for r in made]
    return found


def judge(
    state: PlayState, s: Position, need: core.Expr, env: dict[str, Any], clause: str, label: str
) -> list[Reason]:
    """One reason for each conjunct that fails, in the author's words, with what was found and how far it is from enough."""
    game = state.game
    found: list[Reason] = []

    def said(var: core.Var) -> str | None:
        if var.name not in env:
            return None
        return game.presenter.text(env[var.name], var.type, s)

    describer = Describer(game.rules_source, said)
    known = game.rules_source.clauses.get(clause)
    for part in need.of if isinstance(need, core.All) else (need,):
        try:
            if game.rules.holds(s, part, env):
                continue
            within = [
                r
                for at, failure in game.rules.within(s, part, env)
                for r in of_failures(state, failure.rule.clause, [failure], at)
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
            Reason(
                clause, label, known.cites if known else (), describer.say(part), found_so, repair
            )
        )
    return found


def seat_position(state: PlayState, player: int) -> Position:
    """The position a player acts on: his branch in simultaneous play, else the common one."""
    return state.position.branches.get(player, state.position)
