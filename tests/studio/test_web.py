"""The studio over the wire: pages, posts and sockets, and what is refused there."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

import studios
from starlette.websockets import WebSocketDisconnect

from interpreter.studio.app import Studio
from interpreter.studio.limits import Limits, Rate
from interpreter.studio.storage.store import HOST, WATCHER, Gone, Kept, Settings

EVIL = '<script>alert("1")</script>'


class Elements(HTMLParser):
    """The elements and attributes of pages, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.scripts: set[str | None] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "script":
            self.scripts.add(dict(attrs).get("src"))


@pytest.fixture
def made(tmp_path: Path) -> Studio:
    return studios.studio(tmp_path, studios.TICK, studios.THREE_CARDS)


def path(made: Studio, game: Kept, seat: int) -> str:
    where = "host" if seat == HOST else "table"
    return f"/{where}/{made.links.of(game.id, seat).token}"


def number(made: Studio, title: str) -> int:
    return next(offer.number for offer in made.offers if offer.rules.endswith(title))


def test_a_game_is_begun_and_played_to_its_end(made: Studio) -> None:
    """From the start page to the ranking, two people by their links, without any script."""
    with studios.client(made) as web:
        assert "Three Cards" in web.get("/").text
        at = f"/new/{number(made, 'tic_tac_toe')}"
        assert 'name="seat"' in web.get(at).text
        form = {"seat": ["person", "person"]}
        host = web.post(at, data=form, headers={"origin": studios.HOME}).headers["location"]
        seats = re.findall(r'href="(/table/[^"]+)"', web.get(host).text)
        assert len(seats) == 3  # two players and the onlookers
        for turn in range(9):
            asked = studios.asked(web.get(seats[turn % 2]).text)
            if asked is None:
                break
            answer = web.post(
                f"{seats[turn % 2]}/choose", data=asked.form(), headers={"origin": studios.HOME}
            )
            assert answer.headers["location"] == seats[turn % 2]
        assert "The game is over" in web.get(seats[2]).text


def test_a_refused_choice_tells_why(made: Studio) -> None:
    """A site that is taken is refused with a reason, beside the board as it was."""
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:
        first, second = path(made, game, 0), path(made, game, 1)
        asked = studios.asked(web.get(first).text)
        assert asked is not None
        web.post(f"{first}/choose", data=asked.form(), headers=studios.POSTED)
        again = studios.asked(web.get(second).text)
        assert again is not None
        taken = {**again.form(), "value": asked.form()["value"]}
        told = web.post(f"{second}/choose", data=taken, headers=studios.POSTED).text
        message = re.search(r'<div id="message".*', told, re.S)
        assert message is not None
        assert "message bad" in message[0]
        assert "<li>" in message[0]
        assert len(made.tables.store.choices(game.id)) == 1


def test_a_socket_sends_what_changed_and_no_more(made: Studio) -> None:
    """First everything, then the parts that are others by now."""
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:
        token = made.links.of(game.id, 1).token
        with studios.socket(web, token) as socket:
            first = socket.receive_text()
            assert all(f'id="{part}"' in first for part in ("status", "board", "log", "chat"))
            web.post(f"{path(made, game, 0)}/say", data={"said": EVIL}, headers=studios.POSTED)
            news = socket.receive_text()
            assert 'id="chat"' in news
            assert 'id="board"' not in news
            assert EVIL not in news
            assert "&lt;script&gt;" in news


def test_of_a_board_only_what_changed_is_sent(made: Studio) -> None:
    """A stone on one cell is sent as that cell, what can be chosen as what it covered; every part
    that is sent stands on the page.
    """
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:
        page = web.get(path(made, game, 1)).text
        with studios.socket(web, made.links.of(game.id, 1).token) as socket:
            socket.receive_text()
            asked = studios.asked(web.get(path(made, game, 0)).text)
            assert asked is not None
            web.post(f"{path(made, game, 0)}/choose", data=asked.form(), headers=studios.POSTED)
            news = socket.receive_text()
            sent = re.findall(r'<svg data-at="([^"]+)">', news)
            assert len([name for name in sent if "-cells-" in name]) == 1
            assert {name for name in sent if "-cells-" not in name} == {"b0-areas"}
            assert all(f'id="{name}"' in page for name in sent)
            assert "<polygon" in page
            assert 'id="board"' not in news


def test_a_page_that_shows_how_it_stands_is_sent_nothing(made: Studio) -> None:
    """Connected again it says so by its mark, and is told of the next change; a mark of another
    seat, of an earlier position or made up brings everything.
    """
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:

        def seen(seat: int) -> str:
            found = re.search(r'data-seen="([^"]+)"', web.get(path(made, game, seat)).text)
            assert found is not None
            return found[1]

        def first(mark: str) -> str:
            token = made.links.of(game.id, 1).token
            with studios.socket(web, f"{token}?seen={mark}") as socket:
                said = {"said": f"hello {mark}"}
                made.hub.tables.say(game.id, 0, said["said"])
                return socket.receive_text()

        mark = seen(1)
        assert 'id="board"' in first(seen(0))
        assert 'id="board"' in first(mark)  # something was said since
        now = seen(1)
        with studios.socket(web, f"{made.links.of(game.id, 1).token}?seen={now}") as socket:
            web.post(f"{path(made, game, 0)}/say", data={"said": "last"}, headers=studios.POSTED)
            assert "last" in socket.receive_text()


def test_what_options_bring_is_told_when_it_is_asked(made: Studio) -> None:
    """The page leaves it out; asked for, it is told of the options by their ids, and a page that
    asks for all has it beside them.
    """
    game = studios.begin(made.tables, "examples/classics/reversi")
    with studios.client(made) as web:
        seats = [path(made, game, 0), path(made, game, 1)]
        for turn in range(10):
            at = seats[turn % 2]
            page = web.get(at).text
            brings = re.findall(r'id="(\w+)-brings"[^>]*>([^<]+)<', web.get(f"{at}/brings").text)
            if brings:
                break
            asked = studios.asked(page)
            assert asked is not None
            web.post(f"{at}/choose", data=asked.form(), headers=studios.POSTED)
        assert brings
        assert not re.search(r'class="brings">[^<]', page)
        assert all(f'id="{option}"' in page for option, _ in brings)
        weighed = re.findall(
            r'id="(\w+)-brings" class="brings">([^<]+)<', web.get(f"{at}?weighed=1").text
        )
        assert sorted(weighed) == sorted(brings)
        assert [int(gain) for _, gain in weighed] == sorted(
            (int(g) for _, g in brings), reverse=True
        )


PURSES = """game purses "Purses"
  players: 2
state coins of player: number = 3, private
flow
  choose n in {1 to 2} by p1 "coins"
rank
  highest player's coins
"""


def test_how_scores_come_about_is_told_to_those_who_may_know(made: Studio, tmp_path: Path) -> None:
    """The tree of a score, alone for its page or as a page; of a score that is one's own to know
    nothing to others, and of a player there is not, nothing to anybody.
    """
    (tmp_path / "purses.rules").write_text(PURSES, "utf-8")
    open_game = studios.begin(made.tables, studios.TICK)
    closed_game = studios.begin(made.tables, str(tmp_path / "purses.rules"))
    with studios.client(made) as web:
        at = path(made, open_game, 0)
        page = web.get(at).text
        assert f'hx-get="{at}/standing/1"' in page
        assert '<ul class="tree"><li>player 2: 0' in web.get(f"{at}/standing/1").text
        assert "<html" not in web.get(f"{at}/standing/1", headers={"hx-request": "true"}).text
        assert web.get(f"{at}/standing/2").status_code == 404
        mine = path(made, closed_game, 0)
        assert "player 1: 3" in web.get(f"{mine}/standing/0").text
        assert "standing/0" in web.get(mine).text and "standing/1" not in web.get(mine).text
        for other in (path(made, closed_game, 1), path(made, closed_game, WATCHER)):
            assert web.get(f"{other}/standing/0").status_code == 404


def test_a_new_link_ends_the_one_before(made: Studio) -> None:
    """The page, its posts and its socket are gone; the host sees the new link."""
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:
        old, host = path(made, game, 0), path(made, game, HOST)
        token = old.rpartition("/")[2]
        with studios.socket(web, token) as socket:
            socket.receive_text()
            told = web.post(f"{host}/renew", data={"seat": "0"}, headers=studios.POSTED).text
            with pytest.raises(WebSocketDisconnect):
                socket.receive_text()
        assert path(made, game, 0) in told
        assert old not in told
        assert web.get(old).status_code == 404
        assert web.get(path(made, game, 0)).status_code == 200


def test_earlier_steps_can_be_looked_at(made: Studio) -> None:
    """Each step as it stood, without a question; what is no step shows the last or the present."""
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:
        for seat in (0, 1):
            asked = studios.asked(web.get(path(made, game, seat)).text)
            assert asked is not None
            web.post(f"{path(made, game, seat)}/choose", data=asked.form(), headers=studios.POSTED)
        at = path(made, game, 0)
        pages = [web.get(f"{at}?step={step}").text for step in (0, 1, 2, 999_999)]
        chips = [len(re.findall(r'<rect x="', page)) for page in pages]
        assert chips == [0, 1, 2, 2]
        assert all(studios.asked(page) is None for page in pages)
        assert "This is step 1 of 2." in pages[1]
        for step in ("-1", "x", "9" * 40, "1e3"):
            assert studios.asked(web.get(f"{at}?step={step}").text) is not None


def test_onlookers_choose_nothing(made: Studio) -> None:
    """They see the table, and are refused whatever they post."""
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:
        asked = studios.asked(web.get(path(made, game, 0)).text)
        assert asked is not None
        at = path(made, game, WATCHER)
        assert studios.asked(web.get(at).text) is None
        for what in ("choose", "undo"):
            told = web.post(f"{at}/{what}", data=asked.form(), headers=studios.POSTED).text
            assert "onlookers choose nothing" in told.lower()
        assert made.tables.store.choices(game.id) == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost.evil.example"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_posts_and_sockets_of_other_origins_are_refused(
    made: Studio, headers: dict[str, str]
) -> None:
    """Nothing is done for a page of another site."""
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:
        at = path(made, game, 0)
        assert web.post(f"{at}/say", data={"said": "hi"}, headers=headers).status_code == 403
        token = at.rpartition("/")[2]
        with (
            pytest.raises(WebSocketDisconnect),
            studios.socket(web, token, headers) as socket,
        ):
            socket.receive_text()
        assert made.tables.store.chat(game.id, 9) == []


def test_a_host_of_another_name_is_refused(made: Studio) -> None:
    """A name that somebody else points at this machine leads nowhere."""
    with studios.client(made) as web:
        assert web.get("/", headers={"host": "evil.example"}).status_code == 403


def test_every_answer_has_strict_headers(made: Studio) -> None:
    """Pages, parts, refusals and files: no script but our own, no style or frame but our own."""
    with studios.client(made) as web:
        for at in ("/", "/new/0", "/nowhere", "/table/forged", "/static/studio.js"):
            answer = web.get(at)
            rules = dict(
                part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
            )
            assert rules["default-src"] == "'none'"
            assert rules["script-src"] == rules["style-src"] == "'self'"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "same-origin"
        page = web.get("/new/0").text
        assert not re.search(r"<script>|<style|\son\w+=|\sstyle=", page)


def test_requests_are_bounded(tmp_path: Path) -> None:
    """What is too large or too often is refused with a word, and does nothing."""
    made = studios.studio(tmp_path, studios.TICK, limits=Limits(body=2_000, posts=0, burst=4))
    game = studios.begin(made.tables, studios.TICK)
    with studios.client(made) as web:
        at = path(made, game, 0)
        large = web.post(f"{at}/say", data={"said": "x" * 3_000}, headers=studios.POSTED)
        many = web.post(
            f"{at}/say", content=b"&".join([b"a=1"] * 900)[:1_900], headers=studios.POSTED
        )
        assert (large.status_code, many.status_code) == (413, 415)
        statuses = [
            web.post(f"{at}/say", data={"said": "hi"}, headers=studios.POSTED).status_code
            for _ in range(3)
        ]
        assert statuses == [200, 200, 429]
        assert len(made.tables.store.chat(game.id, 9)) == 2


def test_a_rate_lets_through_again() -> None:
    """So many at once, then so many a second."""
    now = [0.0]
    rate = Rate(2.0, 3, clock=lambda: now[0])
    assert [rate.admits("a") for _ in range(4)] == [True, True, True, False]
    assert rate.admits("b")
    now[0] = 0.5
    assert [rate.admits("a") for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    "form",
    [
        {"seat": ["greedy", "greedy"]},
        {"seat": ["person"]},
        {"seat": ["person", "king"]},
        {"seat": ["person", "person"], "variant": ["made up"]},
        {"seat": ["person", "person"], "option.made_up": ["1"]},
    ],
)
def test_settings_that_cannot_be_are_refused(made: Studio, form: dict[str, list[str]]) -> None:
    """The form comes back with a word; no game is kept."""
    with studios.client(made) as web:
        at = f"/new/{number(made, 'tic_tac_toe')}"
        answer = web.post(at, data=form, headers={"origin": studios.HOME})
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text
        assert made.tables.store.open_games() == 0


def test_a_database_that_is_gone_is_told_of(made: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says so, and the game is as it was when the database is there again."""
    game = studios.begin(made.tables, studios.TICK)

    def gone(*_: object) -> None:
        raise Gone("gone")

    with studios.client(made) as web:
        at = path(made, game, 0)
        with monkeypatch.context() as broken:
            broken.setattr(made.tables.store, "standing", gone)
            answer = web.get(at)
            assert answer.status_code == 503
            assert "The game is as it was" in answer.text
        assert web.get(at).status_code == 200


def test_what_authors_write_never_becomes_markup(made: Studio) -> None:
    """A card whose title is markup is shown as it is written, in the hand, the options, the table
    and the log.
    """
    evil = "<script>alert(1)</script> & <img src=x onerror=alert(1)>"
    cards = "\n\n".join(
        f'card "{evil} {number}" of card\n  suit: sun\n  text\n    | Worth 2 more when played.'
        for number in range(9)
    )
    settings = Settings("tests/good/cards", 2, added={"evil.rules": f"for cards\n\n{cards}\n"})
    game = made.tables.begin(settings, ("person", "person"))
    pages = ""
    with studios.client(made) as web:
        for _ in range(12):
            for seat in (0, 1):
                at = path(made, game, seat)
                page = web.get(at).text
                asked = studios.asked(page)
                if asked is not None and asked.values:
                    page += web.post(f"{at}/choose", data=asked.form(), headers=studios.POSTED).text
                pages += page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in pages
    found = Elements()
    found.feed(pages)
    assert "button" in found.names
    assert "img" not in found.names
    assert not [name for name in found.attributes if name.startswith("on") or name == "style"]
    assert found.scripts <= {f"/static/{name}.js" for name in ("htmx.min", "ws.min", "studio")}


def test_hostile_tokens_lead_nowhere(made: Studio) -> None:
    """Whatever stands in the place of a token, it is not found, and nothing breaks."""
    with studios.client(made) as web:
        for token in ("x", "." * 500, "%00", "WyJhIiwwLDFd.", "..%2f..%2fetc"):
            assert web.get(f"/table/{token}").status_code == 404
            with (
                pytest.raises(WebSocketDisconnect),
                studios.socket(web, token) as socket,
            ):
                socket.receive_text()
