"""The commands of authors: which games there are, whether files are right, what can be written, how
it reads."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from interpreter.authoring import check as checking
from interpreter.authoring import templates
from interpreter.cli.output import complain, give, progress, say, show
from interpreter.cli.usage import Usage
from interpreter.game.loading import RulesError, fatal, load_rules
from interpreter.scenarios.runner import Failure
from interpreter.scenarios.scenario import Outcome, Runner
from rulelang.core.values import Json
from rulelang.diagnostics import Diagnostic, finding
from rulelang.diagnostics.english import counted
from rulelang.diagnostics.source import NOWHERE, Source

NOT_RUN = "not run, for there are mistakes in the rules"


# ----------------------------------------------------------------------------------- check and test
def check(args: argparse.Namespace) -> int:
    """Everything that is wrong with files."""
    with progress("checking") as advance:
        made = checking.check(args.paths, args.rules, advance, args.players)
    if args.json:
        give({"files": made.files, "diagnostics": [item.as_json() for item in made.found]})
    else:
        show(made.found, made.sources)
        errors = sum(item.severity == "error" for item in made.found)
        warnings = sum(item.severity == "warning" for item in made.found)
        notes = len(made.found) - errors - warnings
        what = (
            f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
            if errors or warnings
            else "nothing to complain of"
        )
        what += f", {counted(notes, 'note')}" if notes else ""
        say(
            f"{counted(made.files, 'file')}: {what}",
            "bold red" if errors else "bold yellow" if warnings else "bold green",
        )
    return 1 if any(item.severity != "note" for item in made.found) else 0


def test(args: argparse.Namespace) -> int:
    """Run the scenarios of files."""
    units, wrong = checking.units(args.paths, args.rules)
    sources: dict[str, Source] = {}
    rows: list[dict[str, Json]] = []
    failures: list[Diagnostic] = []
    for unit in units:
        for result in _tested(unit, sources):
            if isinstance(result, Diagnostic):
                wrong.append(result)
                continue
            rows.append(_row(result))
            failures += _failures(result)
    failed = sum(row["status"] == "failed" for row in rows)
    if args.json:
        counts = {"passed": len(rows) - failed, "failed": failed}
        found = [item.as_json() for item in wrong]
        give({**counts, "scenarios": rows, "diagnostics": found})
    else:
        show([*wrong, *failures], sources)
        what = f"{len(rows) - failed} passed, {failed} failed"
        what += f"; {counted(len(wrong), 'mistake')} in the rules" if wrong else ""
        say(what, "bold red" if failed or wrong else "bold green")
    return 1 if failed or wrong else 0


def _row(result: Outcome) -> dict[str, Json]:
    failures: list[Json] = []
    for item in result.failures:
        failures.append({"line": item.span.line, "message": item.message})
    return {
        "name": result.name,
        "status": "passed" if result.passed else "failed",
        "file": result.span.file,
        "line": result.span.line,
        "message": result.message,
        "failures": failures,
    }


def _failures(result: Outcome) -> list[Diagnostic]:
    """A diagnostic for each expectation that did not hold; that of a scenario not run is told by
    the mistakes that keep it.
    """
    return [
        replace(
            finding("scenario-failed", item.span, why=""),
            message=f"“{result.name}”: {item.message}",  # whole: the reasons may be long
        )
        for item in result.failures
        if item.message != NOT_RUN
    ]


def _tested(unit: checking.Unit, sources: dict[str, Source]) -> Iterator[Outcome | Diagnostic]:
    """The outcomes of a unit's scenarios, and what is wrong with its rules.

    Where that is more than cards, which are left out, its scenarios are not run.
    """
    try:
        loaded = unit.load()
    except RulesError as error:
        yield from error.found
        return
    sources |= loaded.sources
    wanted = [s for s in loaded.compiled.rules.scenarios if unit.wants(s.span.file)]
    report = loaded.compiled.report
    yield from report.errors
    wrong = fatal(loaded)  # without a card that is left out the others can be played
    for scenario in [s for s in wanted if wrong or report.has_error_in(s.span)]:
        wanted.remove(scenario)
        why = (Failure(NOT_RUN, scenario.span),)
        yield Outcome(scenario.name, why, scenario.span, cites=scenario.cites)
    if not wanted:
        return
    runner = Runner(loaded)
    with progress("testing", len(wanted)) as advance:
        for number, scenario in enumerate(wanted, 1):
            advance(number, len(wanted))
            yield runner.run(scenario)


# ---------------------------------------------------------------------------------------------- new
def new_card(args: argparse.Namespace) -> int:
    """A card to start from."""
    loaded = load_rules(args.game, tests=False)
    if loaded.compiled.report.errors:
        raise RulesError(loaded.compiled.report.errors, loaded.sources)
    try:
        text = templates.new_card(loaded, args.game)
    except templates.NoTemplate as error:
        raise RulesError(
            [finding("no-phrases", NOWHERE, fix=f"{str(error)[:1].upper()}{str(error)[1:]}.")], {}
        ) from error
    return _written(text, args.out, args.json)


def new_game(args: argparse.Namespace) -> int:
    """A game to start from."""
    name, text = templates.new_game(args.name)
    out = args.out
    if out is not None and not out.endswith(".rules"):
        out = str(Path(out) / f"{name}.rules")
    return _written(text, out, args.json)


def _written(text: str, out: str | None, as_json: bool) -> int:
    """Write a new file; never over another."""
    if out is not None:
        path = Path(out)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError as error:
            raise Usage(f"there is a file {out} already") from error
        except OSError as error:
            raise Usage(f"{out} cannot be written: {error.strerror}") from error
    if as_json:
        give({"file": out, "text": text})
    elif out is None:
        say(text.rstrip("\n"))
    else:
        complain(f"Wrote {out}. Next: rulelang check {out}")
    return 0
