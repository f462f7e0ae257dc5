"""The command that writes a game as a WebAssembly module: to read, or to run elsewhere."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.cli.output import complain, give, say
from interpreter.cli.play import game_from
from interpreter.native import wasm
from interpreter.native.lowering import lowered
from interpreter.native.text import text
from interpreter.native.values import NotLowered


def write(args: argparse.Namespace) -> int:
    """Write the module of a game: as text with clauses as comments, or into a file."""
    game = game_from(args)
    try:
        made = lowered(game.engine)
    except NotLowered as found:
        if args.json:
            give({"lowered": False, "construct": found.construct, "clause": found.clause})
        else:
            complain(f"{game.title} is not lowered yet: {found}. The other engines play it.")
        return 1
    raw = wasm.binary(made.module)
    if args.out is not None:
        Path(args.out).write_bytes(raw)
    if args.json:
        functions = [function.name for function in made.module.functions]
        give({"lowered": True, "bytes": len(raw), "functions": functions})
    elif args.out is None:
        say(text(made.module).rstrip("\n"))
    else:
        say(f"{args.out}: {len(raw):,} bytes")
    return 0
