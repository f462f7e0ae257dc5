"""Modules of games in the user's cache folder: lowered once, and read again by later processes."""

from __future__ import annotations

import functools
import hashlib
from importlib import resources
from pathlib import Path

from interpreter.game import cache
from interpreter.game.game import Game
from interpreter.game.rules_hash import rules_hash
from interpreter.native import kept, wasm
from interpreter.native.lowering import Lowered, lowered
from interpreter.native.runtime import Instance
from rulelang.compiler.codec import Unreadable


@functools.cache
def _program() -> str:
    """A digest of the interpreter's code: what another version has lowered is not read."""
    made = hashlib.sha256()
    root = Path(str(resources.files("interpreter")))
    for path in sorted(root.rglob("*.py")):
        made.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
        made.update(path.read_bytes())
    return made.hexdigest()


def _key(game: Game) -> str:
    """The name of a module: all that it rests on."""
    rules = game.rules_source
    clauses = (f"{clause.id} {clause.span.line}" for clause in rules.clauses.values())
    settings = (str(game.players), repr(sorted(game.options.items())), repr(game.variants))
    parts = (_program(), rules_hash(rules), str(game.deck), *settings, *clauses)
    return cache.key_of("module", parts)


def instance_of(game: Game) -> Instance:
    """A game as a module that runs; raises NotLowered.

    It is kept as data. What wasmtime compiles of it is kept by wasmtime itself, in a folder that
    must belong to the user alone.
    """
    where = cache.folder()
    if where is None:
        return Instance(lowered(game.engine))
    key, code = _key(game), where / "wasmtime"
    found = _read(game, key)
    if found is None:
        made = lowered(game.engine)
        found = made, wasm.binary(made.module)
        cache.write(key, kept.written(*found))
    return Instance(*found, code)


def _read(game: Game, key: str) -> tuple[Lowered, bytes] | None:
    payload = cache.read(key)
    if payload is None:
        return None
    try:
        return kept.restored(game.engine, payload)
    except Unreadable:
        return None
