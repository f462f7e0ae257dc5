"""A sample of tests/benchmarks/studio_load.py: the server is killed while people choose."""

from __future__ import annotations

import asyncio
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


async def played(server: Server) -> tuple[load.Course, int]:
    """Games for some seconds, the server killed among them; gives how many choices came before."""
    number = next(o.number for o in offered([Path(TICK)]) if o.rules.endswith("tic_tac_toe"))
    offers = [(number, ["person", "random"])]
    crowd = asyncio.ensure_future(load.crowd(server.url, GAMES, 0.1, 0.2, offers))
    await asyncio.sleep(2)
    server.kill()
    before = (await asyncio.to_thread(database, server.database)).connect()
    try:
        count = before.exec_driver_sql("select count(*) from choices").scalar_one()
    finally:
        before.close()
    await asyncio.to_thread(server.start)
    return await crowd, int(count)


def test_no_choice_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """Every choice that was acknowledged is a row, and every game is played again from its rows;
    some were made before and some after.
    """
    with serving(tmp_path, TICK) as server:
        course, before = asyncio.run(played(server))
        server.kill()
        store = Store(database(server.database))
        assert load.lost(store, course.acknowledged) == ([], [])
    assert before > 0
    assert course.cut
    assert len(course.acknowledged) > GAMES
    made_up = load.Choice(course.acknowledged[0].token, "900.0", "x", None)
    assert load.lost(store, [made_up])[0] == [made_up]
