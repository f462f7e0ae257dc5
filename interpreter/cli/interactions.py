"""The command that says what a card touches."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.output import give, progress, say
from interpreter.cli.proofs import asked
from interpreter.game.loading import RulesError, load_rules
from interpreter.proofs.interactions import Touched
from interpreter.proofs.interactions import interactions as touched_by
from interpreter.proofs.playable import playable
from interpreter.proofs.witness_report import card_of


def interactions(args: argparse.Namespace) -> int:
    """Tell what a card touches; 0, or 1 if there is a chain that feeds itself."""
    return asked(args, lambda: _interactions(args))


def _interactions(args: argparse.Namespace) -> int:
    added = [(path, Path(path)) for path in args.added]
    loaded = load_rules(args.game, (), added, tests=False)
    if loaded.compiled.report.errors:
        raise RulesError(loaded.compiled.report.errors, loaded.sources)
    design = card_of(loaded, args.card)
    with progress("looking at all cards"):
        found = touched_by(playable(loaded), design, args.most)
    if args.json:
        give(found.as_json())
    else:
        _tell(found)
    return 1 if found.chains else 0


def _tell(found: Touched) -> None:
    say(f"“{found.design.title}” touches these cards, the most surprising first:", "bold")
    for contact in found.contacts:
        say(f"  “{contact.title}”: {'; '.join(contact.reasons)}")
        shown = contact.shown
        if shown is None:
            say("    no small position shows it")
        else:
            at = f" at {shown.place}" if shown.place else ""
            both = f"{shown.one} with its text, {shown.two} without"
            say(f"    {shown.how}: “{shown.title}”{at}: {both}")
    if not found.contacts:
        say("  none")
    said = [f"{c.id} [{', '.join(c.cites)}]" for c in found.clauses if c.cites]
    say(f"Rules: {', '.join(said) or 'none'}")
    for question in found.questions:
        say(f"Open question: {question}")
    for chain in found.chains:
        say(f"A chain that feeds itself: {' → '.join(chain)}", "bold yellow")
