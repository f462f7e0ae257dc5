"""The command that lists the games that come along."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from interpreter.cli.output import give, say
from interpreter.game import catalog


def games(args: argparse.Namespace) -> int:
    """List every ruleset with its players, variants, options and deck lists."""
    found = list(catalog.games())
    if args.json:
        give([asdict(game) for game in found])
        return 0
    for game in found:
        low, high = game.players
        most = high if high is not None else "any number of"
        players = f"{low}" if low == high else f"{low} to {most}"
        say(f"{game.id}  {game.title}, {players} players", "bold")
        for variant in game.variants:
            say(f"  --variant {variant.id}  {variant.title}")
        for name, values in game.options.items():
            say(f"  --option {name}={'|'.join(map(str, values))}")
        for deck in game.decks:
            say(f"  --deck {deck.id}  {deck.title}")
    return 0
