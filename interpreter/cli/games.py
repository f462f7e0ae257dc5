"""The command that lists the games that come along."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from interpreter.cli.output import give, say
from interpreter.game import catalog
from rulelang.diagnostics.english import ranged


def games(args: argparse.Namespace) -> int:
    """List every ruleset with its players, variants, options and deck lists."""
    found = list(catalog.games())
    if args.json:
        give([asdict(game) for game in found])
        return 0
    for game in found:
        say(f"{game.id}  {game.title}, {ranged(*game.players, 'player')}", "bold")
        for variant in game.variants:
            say(f"  --variant {variant.id}  {variant.title}")
        for name, values in game.options.items():
            say(f"  --option {name}={'|'.join(map(str, values))}")
        for deck in game.decks:
            say(f"  --deck {deck.id}  {deck.title}")
    return 0
