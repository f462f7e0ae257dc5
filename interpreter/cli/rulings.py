"""The command that finds what was decided about a question."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.output import give, say
from interpreter.cli.proofs import asked, drawn
from interpreter.game.loading import Loaded, RulesError, load_rules, shown
from interpreter.proofs.rulings import Decided, position_of, rulings


def find(args: argparse.Namespace) -> int:
    """Tell the rulings about a question; 0 if there are any, 1 if there are none."""
    return asked(args, lambda: _find(args))


def _find(args: argparse.Namespace) -> int:
    loaded = load_rules(args.game, (), [(shown(Path(path)), Path(path)) for path in args.added])
    if loaded.compiled.report.errors:
        raise RulesError(loaded.compiled.report.errors, loaded.sources)
    found = rulings(loaded, args.question or "")
    if args.json:
        give({"rulings": [made.as_json() for made in found]})
    elif not found:
        about = f" about “{args.question}”" if args.question else ""
        say(f"Nothing was decided{about}. All that was: rulelang rulings {args.game}")
    for made in found if not args.json else ():
        _head(made)
        if args.question:
            _whole(loaded, made)
    return 0 if found else 1


def _whole(loaded: Loaded, made: Decided) -> None:
    """All that is known of a ruling, with the position of its first scenario."""
    for question in made.questions:
        say(f"  {question}")
    say(f"  {made.ruling.reason}")
    for number, scenario in enumerate(made.scenarios):
        at = f"{Path(scenario.span.file).name}:{scenario.span.line}"
        say(f"  held by “{scenario.name}” ({at})")
        position = position_of(loaded, scenario) if number == 0 else None
        for line in drawn(*position) if position is not None else ():
            say(f"    {line}")


def _head(made: Decided) -> None:
    cites = f" [{', '.join(made.ruling.cites)}]" if made.ruling.cites else ""
    by = f"  (by {', '.join(made.by)})" if made.by else ""
    say(f"“{made.ruling.name}”{cites}{by}", "bold")
