"""Several processes: each connection goes to the one that has the game it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

import studios

from interpreter.studio.hub import Hub
from interpreter.studio.links import game_of
from interpreter.studio.processes import Share, about, owner
from interpreter.studio.storage.store import HOST
from interpreter.studio.tables import Change


def test_all_addresses_of_a_game_lead_to_one_process(tmp_path: Path) -> None:
    """Pages, posts, sockets and the host's page, by whichever link; other addresses lead to some
    process, and what is no request to one as well.
    """
    made = studios.studio(tmp_path, studios.TICK)
    for _ in range(8):
        game = studios.begin(made.tables, studios.TICK)
        heads = [
            f"{method} /{where}/{made.links.of(game.id, seat).token}{rest} HTTP/1.1\r\nhost: x"
            for method, where, seat, rest in (
                ("GET", "table", 0, "?step=1"),
                ("POST", "table", 1, "/choose"),
                ("GET", "socket", 1, "?seen=x"),
                ("GET", "host", HOST, ""),
            )
        ]
        assert {about(head.encode()) for head in heads} == {game.id}
    assert 0 < sum(owner(str(number), 2) for number in range(100)) < 100
    for wrong in (b"", b"\xff\x00", b"GET", b"GET /table/", b"GET /table/. x", b"GET //// x"):
        assert owner(about(wrong), 3) in range(3)


@pytest.mark.parametrize("token", ["", ".", "x" * 300, "W10.x", "WyJhIl0.x", "bm8", "e30.x"])
def test_what_is_no_token_leads_to_no_game(token: str) -> None:
    """Neither what cannot be decoded nor what is of another form."""
    assert game_of(token) == ""


def test_the_process_of_a_game_is_woken_by_others(tmp_path: Path) -> None:
    """A change elsewhere is passed on to whoever has the game, and to nobody else."""
    import socket

    wakes = tuple(socket.socketpair(type=socket.SOCK_DGRAM) for _ in range(2))
    for pair in wakes:
        for end in pair:
            end.setblocking(False)
    shares = [Share(number, wakes) for number in range(2)]
    try:
        at = studios.tables(tmp_path)
        hub = Hub(at, pool=studios.threads, share=shares[0])
        mine = next(name for name in map(str, range(99)) if owner(name, 2) == 0)
        other = next(name for name in map(str, range(99)) if owner(name, 2) == 1)
        for name in (mine, other):
            hub.woken(name, Change(answered=True))
        assert shares[1].read() == (other, True)
        assert shares[1].read() is None
        assert shares[0].read() is None
    finally:
        for pair in wakes:
            for end in pair:
                end.close()
