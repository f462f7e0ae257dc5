"""Lowered games as data: read again they play the same, and what is damaged is not read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import wasmtime

from interpreter.engine.engine import Engine
from interpreter.game import kept_modules
from interpreter.game.game import Game, load
from interpreter.native import kept, wasm
from interpreter.native.lowering import Lowered, lowered
from interpreter.native.runtime import Instance
from interpreter.native.values import NotLowered
from interpreter.simulation.engines import NATIVE, Manner
from interpreter.simulation.simulate import simulate
from rulelang.compiler.codec import Unreadable

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def game() -> Game:
    """A small game."""
    return load(str(ROOT / "examples/classics/connect_four"))


@pytest.fixture(scope="module")
def payload(game: Game) -> bytes:
    """The same lowered, as data."""
    made = lowered(game.engine)
    return kept.written(made, wasm.binary(made.module))


def test_what_is_kept_plays_the_same(game: Game, payload: bytes) -> None:
    """All that is known of a module is the same when it is read again."""
    made, again = lowered(game.engine), kept.restored(game.engine, payload)
    assert kept.written(*again) == payload
    one, other = Instance(made), Instance(*again)
    for native in (one, other):
        native.seed(3)
    assert one.playouts(20) == other.playouts(20) and one.state == other.state
    assert [d.stmt for d in made.decisions] == [d.stmt for d in again[0].decisions]


def test_what_is_damaged_is_not_read(game: Game, payload: bytes) -> None:
    """A text that is shorter or says something else is unreadable, and never read half."""
    size = int.from_bytes(payload[:8], "little")
    for wrong in (b"", payload[:40], payload[: 8 + size + 9], payload.replace(b"Slot", b"Spot")):
        with pytest.raises(Unreadable):
            kept.restored(game.engine, wrong)


def test_a_second_process_lowers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    """What is found in the cache is taken; a damaged entry is as if it were not there."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path))
    times = []

    def counting(engine: Engine) -> Lowered:
        times.append(engine)
        return lowered(engine)

    monkeypatch.setattr(kept_modules, "lowered", counting)
    found = [simulate([game], 2, 5, Manner(engine=NATIVE)).hash for _ in range(2)]
    assert len(times) == 1 and found[0] == found[1]
    (entry,) = tmp_path.glob("module-*")
    entry.write_bytes(entry.read_bytes()[:-1])
    assert simulate([game], 2, 5, Manner(engine=NATIVE)).hash == found[0]
    assert len(times) == 2


@pytest.mark.parametrize(("bound", "said"), [("MAX_BYTES", "a module"), ("MAX_MEMORY", "memory")])
def test_what_takes_more_than_may_be_is_not_lowered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game, bound: str, said: str
) -> None:
    """Nothing is kept of it, and the reference plays the same games."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path))
    usual = simulate([game], 2, 5, Manner()).hash
    monkeypatch.setattr(wasm, bound, 1 << 12)
    with pytest.raises(NotLowered, match=said):
        kept_modules.instance_of(game)
    assert not any(tmp_path.glob("module-*"))
    assert simulate([game], 2, 5, Manner(engine=NATIVE)).hash == usual


def test_a_module_is_given_no_more_memory_than_may_be(
    monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    """Whatever it says itself, whoever wrote it."""
    made = lowered(game.engine)
    raw = wasm.binary(made.module)
    monkeypatch.setattr(wasm, "MAX_MEMORY", 1 << 12)
    with pytest.raises(wasmtime.WasmtimeError, match="memory"):
        Instance(made, raw)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX alone tells whose a folder is")
def test_compiled_code_is_kept_where_nobody_else_can_write(game: Game, tmp_path: Path) -> None:
    """A folder that others may look into is not used."""
    open_to_all, own = tmp_path / "open", tmp_path / "own"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    made = lowered(game.engine)
    for folder in (open_to_all, own):
        Instance(made, code=folder).playouts(1)
    assert not any(open_to_all.iterdir())
    assert (own / "cache.toml").exists() and not own.stat().st_mode & 0o077
