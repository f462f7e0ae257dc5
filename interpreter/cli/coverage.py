"""The command that says how much of a rulebook is encoded and exercised, and what one statement
rests on."""

from __future__ import annotations

import argparse

from interpreter.cli.output import give, progress, say
from interpreter.game.loading import Loaded, RulesError, load_rules
from interpreter.scenarios.coverage import Coverage, coverage
from rulelang.diagnostics import finding, nearest
from rulelang.diagnostics.source import NOWHERE


def cover(args: argparse.Namespace) -> int:
    """How much of the rulebook is encoded and exercised."""
    loaded = load_rules(args.game)
    if loaded.compiled.report.errors:
        raise RulesError(loaded.compiled.report.errors, loaded.sources)
    if args.statement is not None:
        return _statement(loaded, args.statement.strip("[]"), args.json)
    with progress("taking clauses away") as advance:
        found = coverage(loaded, advance)
    if args.json:
        give(found.as_json())
    else:
        _told(loaded, found)
    return 1 if found.failing else 0


def _told(loaded: Loaded, found: Coverage) -> None:
    def share(number: int, of: int) -> str:
        return f"{number:>5}" + (f"  {100 * number // of:>3}%" if of else "")

    if not loaded.statements:
        say("There is no rulebook.md beside these rules, so there are no statements to cover.")
    say(f"statements           {found.statements:>5}")
    say(f"  mechanical         {found.mechanical:>5}")
    say(f"  encoded            {share(found.encoded, found.mechanical)}")
    say(f"  exercised          {share(found.exercised, found.mechanical)}", "bold")
    say(f"    true by absence  {found.by_absence:>5}")
    lists = [
        ("statements without a clause", found.missing),
        ("encoded, and no scenario would notice", found.not_exercised),
        ("clauses without a citation", found.uncited_clauses),
        ("failing scenarios", found.failing),
    ]
    for title, items in lists:
        if items:
            say(f"{title} ({len(items)}): " + ", ".join(items))


def _statement(loaded: Loaded, name: str, as_json: bool) -> int:
    """One statement: its words, the clauses that cite it, the scenarios that exercise them."""
    statement = loaded.statements.get(name)
    if statement is None:
        near = nearest(name, loaded.statements, 1)
        raise RulesError(
            [
                finding(
                    "unknown-citation",
                    NOWHERE,
                    cite=name,
                    fix=f"Nearest is [{near[0]}]." if near else None,
                )
            ],
            {},
        )
    found = coverage(loaded, only=name)
    clauses, exercised = found.clauses[name], found.exercised > 0
    scenarios = [s for s in loaded.compiled.rules.scenarios if name in s.cites]
    if as_json:
        places = [{"clause": c.id, "file": c.span.file, "line": c.span.line} for c in clauses]
        give(
            {
                "statement": name,
                "tags": list(statement.tags),
                "text": statement.text,
                "clauses": places,
                "scenarios": [s.name for s in scenarios],
                "exercised": exercised,
            }
        )
        return 0
    say(f"{name} {' '.join(f'[{tag}]' for tag in statement.tags)} {statement.text}", "bold")
    for clause in clauses:
        say(f"  clause {clause.id}  {clause.span.file}:{clause.span.line}")
    for scenario in scenarios:
        say(f"  scenario “{scenario.name}”  {scenario.span.file}:{scenario.span.line}")
    say(
        "  exercised"
        if exercised
        else "  not exercised: taking a clause away makes no scenario that cites the statement fail"
    )
    return 0
