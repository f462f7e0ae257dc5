"""Modules in processes that were forked, where the threads of the compiler are missing."""

from __future__ import annotations

import multiprocessing

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import rulelang
from interpreter.native.lowering import lowered
from interpreter.native.runtime import Instance

GAME = "examples/classics/crazy_eights"
PATIENCE = 60  # seconds until a process that waits for threads is given up


def _compiled() -> None:
    """Compile a module and begin a game in it."""
    Instance(lowered(rulelang.load(GAME)._inner.engine)).start(1)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="nothing forks")
def test_a_process_that_was_forked_compiles_by_itself() -> None:
    """Also where a module was compiled before: it waits for no thread that is not there."""
    _compiled()
    forked = multiprocessing.get_context("fork").Process(target=_compiled, daemon=True)
    forked.start()
    forked.join(PATIENCE)
    ended = forked.exitcode
    forked.kill()
    assert ended == 0
