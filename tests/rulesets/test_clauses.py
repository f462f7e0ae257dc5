"""No ruleset says one thing twice: no two of its clauses mean the same, whatever they call what
they speak of.
"""

from __future__ import annotations

from typing import Any

import pytest

import rulesets
from interpreter.game.loading import Loaded, load_rules
from rulelang import core
from rulelang.ruleset import Definition


def normal(item: Any, names: dict[str, Any]) -> Any:
    """A core object as nested tuples in which names are numbered as they come, and wording and
    place are left out.
    """
    if isinstance(item, core.Var):
        return names.setdefault(item.name, len(names))
    if isinstance(item, tuple | list):
        return tuple(normal(part, names) for part in item)
    if not hasattr(item, "__dataclass_fields__") or isinstance(item, type):
        return item
    found: list[Any] = [type(item).__name__]
    for name, value in item.__dict__.items():
        if name in ("var", "so_far") and isinstance(value, str):
            found.append(names.setdefault(value, len(names)))
        elif name not in ("type", "span", "clause", "label", "prompt"):
            found.append(normal(value, names))
    return tuple(found)


def read_as(loaded: Loaded) -> dict[str, set[Any]]:
    """The definitions that give a wording, each with the sorts of phrases it is read as.

    One meaning may be said as a place and as a fact; said twice as a fact it stands twice.
    """
    found: dict[str, set[Any]] = {}
    for phrase in loaded.compiled.glossary.lexicon.phrases:
        if phrase.define is not None:
            slots = tuple(sorted(category for _, category in phrase.slots))
            found.setdefault(phrase.define, set()).add((phrase.category, slots))
    return found


def roles_of(loaded: Loaded) -> dict[str, dict[str, Any]]:
    """The roles of each definition that gives a wording: told by name, unlike its slots."""
    roles: dict[str, dict[str, Any]] = {}
    definitions = loaded.compiled.rules.definitions
    for phrase in loaded.compiled.glossary.lexicon.phrases:
        if phrase.define in definitions:
            slots = {name for name, _ in phrase.slots}
            params = definitions[phrase.define].params
            roles[phrase.define] = {name: name for name, _ in params if name not in slots}
    return roles


def passes_on(definition: Definition) -> bool:
    """Does it only let what one of its slots says stand where another sort of phrase is read?"""
    return all(isinstance(case.value, core.Var) and case.cond is None for case in definition.cases)


def meanings(loaded: Loaded) -> dict[Any, list[str]]:
    """The clauses of definitions, tables and requirements by what they mean.

    A constant means what its definition is about, a wording where it is read.
    """
    rules = loaded.compiled.rules
    found: dict[Any, list[str]] = {}
    worded, roles = read_as(loaded), roles_of(loaded)
    for definition in rules.definitions.values():
        if definition.name in worded and passes_on(definition):
            continue
        for case in definition.cases:
            about = definition.name if isinstance(case.value, core.Const) else None
            if case.value is not None:
                names = dict(roles.get(definition.name, {}))
                meant = normal((about, str(definition.type), case.value, case.cond), names)
                for sort in worded.get(definition.name, {None}):
                    found.setdefault((sort, meant), []).append(case.clause)
    for table in rules.tables.values():
        for line in table.lines:
            if line.amount is not None:
                found.setdefault(
                    normal((table.name, line.op, line.amount, line.each, line.cond), {}), []
                ).append(line.clause)
    for event in rules.events.values():
        for rule in event.rules:
            if rule.need is not None:
                found.setdefault(normal((event.name, rule.need, rule.cond), {}), []).append(
                    rule.clause
                )
    return found


@pytest.mark.parametrize("game", sorted(rulesets.ids()))
def test_no_two_clauses_mean_the_same(game: str) -> None:
    """What two places need has one name, so that it cannot be changed in one of them alone."""
    same = [
        clauses for clauses in meanings(load_rules(game, tests=False)).values() if len(clauses) > 1
    ]
    assert same == []


def test_two_clauses_that_mean_the_same_are_found(tmp_path: Any) -> None:
    """Other names for the same thing do not hide it."""
    path = tmp_path / "twice.rules"
    lines = [
        'game twice "Twice"',
        "  players: 2",
        "define one(a: number) = 2 * a",
        "define other(b: number) = 2 * b",
        "define third(b: number) = 3 * b",
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert [c for c in meanings(load_rules(str(path))).values() if len(c) > 1] == [
        ["define one", "define other"]
    ]
