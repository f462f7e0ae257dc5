"""A sample of tests/benchmarks/studio_load.py: a server of two processes is killed while people
choose.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

import load
from serving import Server, serving

from interpreter.studio.serve import offered
from interpreter.studio.storage.database import database
from interpreter.studio.storage.store import Store

TICK = "examples/classics/tic_tac_toe"
GAMES = 4


async def until(met: Callable[[], bool]) -> None:
    while not met():
        await asyncio.sleep(0.05)


async def played(server: Server, course: load.Course) -> int:
    """Games until the server was killed among choices and more were made; gives how many had been
    acknowledged before.
    """
    number = next(o.number for o in offered([Path(TICK)]) if o.rules.endswith("tic_tac_toe"))
    offers = [(number, ["person", "random"])]
    crowd = asyncio.ensure_future(load.crowd(server.url, GAMES, 5, 0.2, offers, course))
    await until(lambda: len(course.acknowledged) > GAMES)
    server.kill()
    before = len(course.acknowledged)
    await asyncio.to_thread(server.start)
    await until(lambda: course.cut > 0 and len(course.acknowledged) > before + GAMES)
    crowd.cancel()
    with suppress(asyncio.CancelledError):
        await crowd
    return before


def test_no_choice_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """Every choice that was acknowledged is a row, and every game is played again from its rows;
    some were made before and some after.
    """
    with serving(tmp_path, TICK, processes=2) as server:
        course = load.Course()
        before = asyncio.run(played(server, course))
        server.kill()
        store = Store(database(server.database))
        assert load.lost(store, course.acknowledged) == ([], [])
    assert GAMES < before < len(course.acknowledged)
    made_up = load.Choice(course.acknowledged[0].token, "900.0", "x", None)
    assert load.lost(store, [made_up])[0] == [made_up]
