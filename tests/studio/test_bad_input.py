"""Bad input at a table: a clear word on the page, the game as it was, nothing lost."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

import studios
from starlette.types import Message

from interpreter.bots.search import FEW, Search, modules_of
from interpreter.game.game import Game
from interpreter.studio import bots
from interpreter.studio.app import Studio, make_app
from interpreter.studio.live import Shelf
from interpreter.studio.storage.store import Kept, Settings

STEPS, VISITS = 2_001, 60_000  # the usual bounds take seconds to be passed
HEAD = """game big "Big"
  players: 2
  moves: 40
state m: number = 3
state n: number = 0
"""
TAIL = """
event rest(p: player)
  add 1 to n
action go(p: player) "Go"
  do grow(p)
action stay(p: player) "Stay"
  do rest(p)
flow
  repeat
    each p in turn
      take one of go, stay by p
end done when n > 7
rank
  highest n
"""
# Rules that never end or grow beyond all bounds, and what is said of them.
HOSTILE = {
    "turns": (
        "event grow(p: player)\n  repeat 999999999 times\n    add 1 to n\n",
        f"more than {STEPS} steps",
    ),
    "sums": (
        "define huge = sum of (sum of (sum of (b * c * d for d in {1 to 500}) for c in "
        "{1 to 500}) for b in {1 to 500})\nevent grow(p: player)\n  set m to huge\n",
        f"more than {VISITS} members",
    ),
    "squares": (
        "event grow(p: player)\n  repeat 70 times\n    set m to m * m + 9\n",
        "a number that 64 bits cannot hold",
    ),
}


def hostile(folder: Path, name: str) -> tuple[Settings, str]:
    body, said = HOSTILE[name]
    (folder / "big.rules").write_text(HEAD + body + TAIL, "utf-8")
    return Settings(str(folder / "big.rules"), 2), said


def bounded(shelf: Shelf, settings: Settings) -> Game:
    """Its game, whose bounds on work are soon passed."""
    game = shelf.of(settings).game
    game.setup.work.most_steps, game.setup.work.most_visits = STEPS, VISITS
    return game


def digest(made: Studio, game: Kept) -> str:
    with made.tables.at(game.id) as table:
        return table.live.state.digest()


# ------------------------------------------------------------------------------- rules of strangers
@pytest.mark.parametrize("name", HOSTILE)
def test_a_choice_that_never_ends_is_told_and_leaves_the_game(tmp_path: Path, name: str) -> None:
    """The page says why; another choice goes on from where the game stood."""
    made = studios.studio(tmp_path)
    settings, said = hostile(tmp_path, name)
    bounded(made.tables.shelf, settings)
    game = made.tables.begin(settings, ("person", "person"))
    before, at = digest(made, game), f"/table/{made.links.of(game.id, 0).token}"
    with studios.client(made) as web:
        asked = studios.asked(web.get(at).text)
        assert asked is not None
        goes, stays = (asked.values.index(f'"{action}"') for action in ("go", "stay"))
        told = web.post(f"{at}/choose", data=asked.form(goes), headers={"origin": studios.HOME})
        assert told.status_code == 422
        message = re.search(r'<div id="message".*?</div>', told.text, re.S)
        assert message is not None and "The rules break off there" in message[0]
        assert said in unescape(message[0])
        assert digest(made, game) == before and made.tables.store.choices(game.id) == []
        web.post(f"{at}/choose", data=asked.form(stays), headers=studios.POSTED)
    assert [row.value for row in made.tables.store.choices(game.id)] == ["stay"]


def test_a_bot_that_searches_in_a_module_is_not_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays such rules in a module within the module's own bounds. Whatever becomes of its
    thoughts, it makes a choice that can be made, or says why the game is not decided.
    """
    pytest.importorskip("wasmtime", reason="the extra `native` is not installed")
    monkeypatch.setitem(bots.BOTS, "search", lambda seed: Search(seed, playouts=FEW))
    made = studios.studio(tmp_path)
    settings, said = hostile(tmp_path, "squares")
    shelf = Shelf()
    for each in (made.tables.shelf, shelf):
        rules = bounded(each, settings)
    assert not isinstance(modules_of(rules), str), "there is a module"
    game = made.tables.begin(settings, ("search", "person"))
    job = made.tables.advance(game.id)
    assert job is not None
    answer = bots.Player(shelf).answer(job, 0)
    if answer.row is None:
        assert said in answer.undecided
        return
    made.tables.answered(game.id, answer)
    assert [row.value for row in made.tables.store.choices(game.id)] == ["stay"]


# ------------------------------------------------------------------------------- a lost connection
class Wire:
    """One request whose connection is lost after so many parts of its body, or when it answers."""

    def __init__(self, body: bytes, parts: int) -> None:
        half = len(body) // 2
        self.parts = [body[:half], body[half:]][:parts]
        self.whole = parts == 2

    async def receive(self) -> Message:
        """The next part, then that nobody is there."""
        if not self.parts:
            return {"type": "http.disconnect"}
        part = self.parts.pop(0)
        more = bool(self.parts) or not self.whole
        return {"type": "http.request", "body": part, "more_body": more}

    async def send(self, message: Message) -> None:
        """Nobody takes it."""
        raise OSError("the connection is lost")


def lost(made: Studio, path: str, form: dict[str, str], parts: int) -> None:
    """Post a form over a connection that is lost in the middle."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [
            (b"host", b"localhost"),
            (b"origin", studios.HOME.encode()),
            (b"content-type", b"application/x-www-form-urlencoded"),
            (b"hx-request", b"true"),
        ],
    }
    wire = Wire(urlencode(form).encode(), parts)
    with pytest.raises(OSError, match="lost"):
        asyncio.run(make_app(made)(scope, wire.receive, wire.send))


@pytest.mark.parametrize("parts", [0, 1, 2])
def test_a_connection_lost_in_the_middle_of_a_choice(tmp_path: Path, parts: int) -> None:
    """A choice that did not arrive whole is none. One that did is made, though its answer is lost:
    sent again it is not made twice, and the page says that it is answered.
    """
    made = studios.studio(tmp_path, studios.TICK)
    game = studios.begin(made.tables, studios.TICK)
    at, before = f"/table/{made.links.of(game.id, 0).token}", digest(made, game)
    with studios.client(made) as web:
        asked = studios.asked(web.get(at).text)
    assert asked is not None
    lost(made, f"{at}/choose", asked.form(), parts)
    rows = made.tables.store.choices(game.id)
    assert len(rows) == (parts == 2)
    assert (digest(made, game) == before) == (parts < 2)
    with studios.client(made) as web:
        again = web.post(f"{at}/choose", data=asked.form(), headers=studios.POSTED).text
        assert ("is answered already" in again) == (parts == 2)
        assert len(made.tables.store.choices(game.id)) == 1
        assert web.get(at).status_code == 200
