"""The rules, options and added files that a command line names."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.usage import Usage
from interpreter.game.loading import Loaded, RulesError, load_rules, shown
from rulelang.ruleset import OPTION


def loaded_with(args: argparse.Namespace) -> Loaded:
    """The rules of a game with the files to be added.

    Raises RulesError if there is no such game, or a file cannot be read as a text.
    """
    loaded = load_rules(
        args.game,
        getattr(args, "variant", ()),
        [(shown(Path(p)), Path(p)) for p in args.added],
        tests=False,
    )
    added = {shown(Path(path)) for path in args.added}
    errors = [item for item in loaded.compiled.report.errors if item.span.file in added]
    if unread := [item for item in errors if item.code.startswith("F")]:
        raise RulesError(unread, loaded.sources)
    return loaded


def options_of(args: argparse.Namespace) -> dict[str, str | int]:
    """The options a command line sets; raises Usage for one without a value."""
    options: dict[str, str | int] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not equals or not name or not value:
            raise Usage(f"--option takes NAME=VALUE, not {text!r}")
        if name in options:
            raise Usage(f"--option gives {name} twice")
        options[name] = int(value) if value.isdecimal() and len(value) < 10 else value
    if args.deck is not None:
        if options.get(OPTION, args.deck) != args.deck:
            raise Usage(f"--deck says {args.deck}, and --option deck={options[OPTION]}")
        options[OPTION] = args.deck
    return options
