"""The command that finds what was decided about a question."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.output import give, say
from interpreter.cli.proofs import asked, drawn
from interpreter.game.loading import load_rules
from interpreter.proofs.rulings import Decided, position_of, rulings


def find(args: argparse.Namespace) -> int:
    """Tell the rulings about a question; 0 if there are any, 1 if there are none."""
    return asked(args, lambda: _find(args))


def _find(args: argparse.Namespace) -> int:
    loaded = load_rules(args.game)
    found = rulings(loaded, args.question or "")
    if args.json:
        give({"rulings": [made.as_json() for made in found]})
    elif not found:
        about = f" about “{args.question}”" if args.question else ""
        say(f"Nothing was decided{about}. All that was: rulelang rulings {args.game}")
    elif not args.question:
        for made in found:
            _head(made)
    else:
        for made in found:
            _head(made)
            for question in made.questions:
                say(f"  {question}")
            say(f"  {made.ruling.reason}")
            for number, scenario in enumerate(made.scenarios):
                at = f"{Path(scenario.span.file).name}:{scenario.span.line}"
                say(f"  held by “{scenario.name}” ({at})")
                shown = position_of(loaded, scenario) if number == 0 else None
                if shown is not None:
                    for line in drawn(*shown):
                        say(f"    {line}")
    return 0 if found else 1


def _head(made: Decided) -> None:
    by = f"  (by {', '.join(made.by)})" if made.by else ""
    say(f"“{made.ruling.name}” [{', '.join(made.ruling.cites)}]{by}", "bold")
