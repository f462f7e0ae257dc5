"""Laws of the setup: an invariant that reads nothing that changes is asked once, before play, of
the players, options and pieces chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.game.advice import advised
from interpreter.game.context import GameContext
from interpreter.model.position import Position, empty_position
from interpreter.model.values import Fault
from rulelang import core
from rulelang.analysis.calls import walk_calls
from rulelang.analysis.reads import Reads
from rulelang.diagnostics import Diagnostic, Report, finding, nearest
from rulelang.diagnostics.english import ranged
from rulelang.diagnostics.source import NOWHERE
from rulelang.phrases.describe import Describer
from rulelang.ruleset import OPTION, Clause, Rule, Ruleset

MOST_PLAYERS = 64


def unknown_settings(
    rules: Ruleset, players: int, options: Mapping[str, str | int]
) -> list[Diagnostic]:
    """What the rules know nothing of: a number of players, an option, a value of one."""
    report = Report()
    low, high = rules.players
    if players < low or (high is not None and players > high) or players > MOST_PLAYERS:
        where = rules.clauses[rules.clause].span if rules.clause else NOWHERE
        report.add(
            "bad-setting",
            where,
            key="players",
            expected=f"{ranged(low, high, 'player')}, not {players}",
        )
    for name, value in options.items():
        if name not in rules.options:
            near = nearest(name, rules.options, 1)
            fix = (
                f"`{name}` is a variant: it is chosen, and takes no value."
                if name in rules.variants
                else f"Did you mean `{near[0]}`?"
                if near
                else None
            )
            report.add(
                "unknown-variant",
                NOWHERE,
                name=name,
                known=", ".join([*rules.variants, *rules.options]) or "none",
                fix=fix,
            )
        elif value not in rules.options[name]:
            near = nearest(str(value), map(str, rules.options[name]), 1)
            fix = f"Did you mean `{near[0]}`?" if near else None
            report.add(
                "bad-setting",
                NOWHERE,
                key=name,
                expected=", ".join(map(str, rules.options[name])),
                fix=fix,
            )
    return report.found


def broken_laws(game: GameContext) -> dict[str, Diagnostic]:
    """The clauses of the laws that these settings break, each with what is to be said of it."""
    found: dict[str, Diagnostic] = {}
    rules = game.rules
    s = empty_position(game.setup, 0) if rules.reads.laws else None
    for law in rules.reads.laws:
        if s is None or law.need is None or rules.gone(law.clause):
            continue
        if law.cond is not None and not rules.holds(s, law.cond):
            continue
        parts = law.need.of if isinstance(law.need, core.All) else (law.need,)
        why = [told for part in parts if (told := _broken(game, s, part))]
        if why:
            where = game.rules_source.clauses[law.clause].span
            found[law.clause] = finding(
                "broken-law", where, label=law.label, why=", and ".join(why)
            )
    return found


def _broken(game: GameContext, s: Position, part: core.Expr) -> str:
    """What a condition of a law asks for and how things stand; empty if it holds."""
    rules = game.rules
    try:
        if rules.holds(s, part):
            return ""
        told = Describer(game.rules_source).say(part)
        if isinstance(part, core.Compare):
            left, right = (
                game.presenter.text(rules.value(side, s, {}), side.type, s)
                for side in (part.left, part.right)
            )
            told += f"; it is {left}"
            if part.op == "=" and not isinstance(part.right, core.Const):
                told += f", not {right}"
        return told
    except Fault as error:
        return str(error)


def refusals(game: GameContext) -> list[tuple[Clause, Diagnostic]]:
    """What forbids these settings: laws that they break, and advice as grave as a law; each with
    the clause that says so.
    """
    laws = [(game.rules_source.clauses[clause], item) for clause, item in broken_laws(game).items()]
    return laws + [(item.clause, item.finding) for item in advised(game, ("error",))]


def options_of_laws(rules: Ruleset, laws: Sequence[Rule] | None = None) -> frozenset[str]:
    """The options that these laws of the setup read, through all that they call: under the same
    values of these the same laws hold. Unless told otherwise all laws are meant, and advice as
    grave as a law.

    What they say of pieces hangs on the deck list.
    """
    if laws is None:
        grave = [advice for advice in rules.advice if advice.severity == "error"]
        read = [*Reads(rules).laws, *grave]
    else:
        read = [*laws]
    found = {node.name for node in walk_calls(rules, read) if isinstance(node, core.Setting)}
    return frozenset(found | {OPTION} if read and rules.decks else found)


def spoken_of(game: GameContext) -> set[str]:
    """The clauses of the laws that speak of these settings at all."""
    rules, s = game.rules, empty_position(game.setup, 0)
    return {law.clause for law in rules.reads.laws if law.cond is None or rules.holds(s, law.cond)}
