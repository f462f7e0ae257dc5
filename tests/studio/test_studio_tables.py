"""The tables: choices are rows, the state is played again from them, and what is refused leaves
everything as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

import sqlalchemy as sa
import studios

from interpreter.studio import bots
from interpreter.studio.links import Links
from interpreter.studio.live import CHOSEN, Broken
from interpreter.studio.refused import Refused
from interpreter.studio.storage.database import NoDatabase, database
from interpreter.studio.storage.store import HOST, WATCHER, Kept, Row, Taken
from interpreter.studio.tables import LONGEST_SAID, Tables


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Callable[[], str]]:
    """New databases of a PostgreSQL that runs for these tests."""
    pytest.importorskip("psycopg", reason="the extra `studio-postgresql` is not installed")
    if studios.binary("initdb") is None:
        pytest.skip("postgresql is not installed: apt-get install postgresql")
    with studios.postgresql() as new:
        yield new


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that holds nothing yet."""
    if request.param == "sqlite":
        return studios.url(tmp_path)
    new: Callable[[], str] = request.getfixturevalue("postgresql")
    return new()


@pytest.fixture
def at(url: str) -> Tables:
    return studios.tables(url)


@pytest.fixture
def game(at: Tables) -> Kept:
    return studios.begin(at, studios.TICK)


def options(at: Tables, game: Kept, seat: int) -> Iterator[tuple[str, str, object]]:
    """The key, name and value of each option of a seat, as forms give them back."""
    with at.at(game.id) as table:
        live = table.live
        decision = live.decision(seat)
        assert decision is not None
        from interpreter.game.views import option_data

        found = [option_data(live.state, decision.spec, o.value) for o in decision.options()]
        key = live.key(seat)
    return ((key, decision.name, value) for value in found)


def move(at: Tables, game: Kept, seat: int, place: int = 0) -> None:
    key, name, value = list(options(at, game, seat))[place]
    at.choose(game.id, seat, key, name, value)


def digest(at: Tables, game: Kept) -> str:
    with at.at(game.id) as table:
        return table.live.state.digest()


def test_a_server_that_was_killed_goes_on_from_the_rows(url: str, at: Tables) -> None:
    """Another server on the database is at the same state, and goes on with it."""
    game = studios.begin(at, studios.TICK)
    for seat in (0, 1, 0):
        move(at, game, seat)
    later = studios.tables(url)
    assert digest(later, game) == digest(at, game)
    move(later, game, 1)
    assert digest(at, game) == digest(later, game)


def test_a_number_is_written_once(at: Tables, game: Kept) -> None:
    """Of two rows of one number the second is refused, whoever writes it."""
    _key, name, value = next(options(at, game, 0))
    at.store.add_choice(game.id, Row(1, 0, CHOSEN, name, value))
    with pytest.raises(Taken):
        at.store.add_choice(game.id, Row(1, 0, CHOSEN, name, value))


def test_a_second_tab_is_told_that_it_was_answered(at: Tables, game: Kept) -> None:
    """What was asked before is not taken for an answer to what is asked now."""
    (key, name, value), *_ = options(at, game, 0)
    at.choose(game.id, 0, key, name, value)
    before = digest(at, game)
    with pytest.raises(Refused, match="answered already"):
        at.choose(game.id, 0, key, name, value)
    assert digest(at, game) == before


def test_two_servers_play_one_game(url: str, at: Tables, game: Kept) -> None:
    """A choice of one that the other has not heard of is neither lost nor made twice."""
    other = studios.tables(url)
    digest(other, game)
    (key, name, value), *_ = options(at, game, 0)
    at.choose(game.id, 0, key, name, value)
    with pytest.raises(Refused):
        other.choose(game.id, 0, key, name, value)
    move(other, game, 1)
    assert [row.seat for row in at.store.choices(game.id)] == [0, 1]


@pytest.mark.parametrize("value", ["z9", None, [], {"a": 1}, True, 10**30, [["a1"]]])
def test_a_forged_choice_is_refused(at: Tables, game: Kept, value: object) -> None:
    """Whatever stands for no option leaves the game as it was, with a word."""
    key, name, _ = next(options(at, game, 0))
    before = digest(at, game)
    with pytest.raises(Refused):
        at.choose(game.id, 0, key, name, value)
    with pytest.raises(Refused):
        at.choose(game.id, 1, key, name, value)
    with pytest.raises(Refused):
        at.choose(game.id, 0, key, "no such choice", value)
    assert (digest(at, game), at.store.choices(game.id)) == (before, [])


def test_nothing_is_taken_back_once_the_game_is_over(tmp_path: Path) -> None:
    """Everybody was shown how all stand; the row of the game stays closed."""
    at = studios.tables(tmp_path)
    game = studios.begin(at, studios.TICK)
    for turn in range(9):
        with at.at(game.id) as table:
            if table.live.state.over:
                break
        move(at, game, turn % 2)
    last = (turn - 1) % 2
    with pytest.raises(Refused, match="the game is over"):
        at.undo(game.id, last)


def test_undo_is_a_row(url: str, at: Tables, game: Kept) -> None:
    """A choice that is taken back stays written, and so does that it was; nobody takes back what
    another has answered.
    """
    start = digest(at, game)
    move(at, game, 0)
    at.undo(game.id, 0)
    assert digest(at, game) == start == digest(studios.tables(url), game)
    assert [row.how for row in at.store.choices(game.id)] == ["chosen", "undo"]
    move(at, game, 0, place=2)
    move(at, game, 1)
    with pytest.raises(Refused, match="player 2 has chosen since"):
        at.undo(game.id, 0)


def test_bots_answer_until_a_person_is_asked(at: Tables) -> None:
    """A bot's answer is a row like others; an answer to what is past is dropped."""
    game = studios.begin(at, studios.TICK, kinds=("greedy", "person"))
    job = at.advance(game.id)
    assert job is not None
    answer = bots.Player().answer(job, 0)
    at.answered(game.id, answer)
    at.answered(game.id, answer)
    assert [row.seat for row in at.store.choices(game.id)] == [0]
    assert at.advance(game.id) is None
    assert list(options(at, game, 1))


def test_rules_that_changed_are_told_of(at: Tables, game: Kept) -> None:
    """A game is not gone on with by other rules than it was begun with."""
    old = Kept("old", game.settings, "0" * 64, 1, game.kinds)
    at.store.open_game(old)
    with pytest.raises(Broken, match="another version of the rules"), at.at("old"):
        pass


def test_links_are_signed_and_revoked(url: str, at: Tables, game: Kept) -> None:
    """A link leads to its seat on every server of the database, until a new one is made."""
    links, others = Links(at.store), Links(studios.tables(url).store)
    link = links.of(game.id, 1)
    assert others.read(link.token) == link
    for number in range(0, len(link.token), 7):
        letter = "A" if link.token[number] != "A" else "B"
        assert links.read(link.token[:number] + letter + link.token[number + 1 :]) is None
    at.store.revoke(game.id, 1)
    assert links.read(link.token) is None
    assert links.read(links.of(game.id, 1).token) == links.of(game.id, 1)
    assert {links.of(game.id, seat).token for seat in (0, 1, WATCHER, HOST)} != {link.token}


def test_talk_is_bounded(at: Tables, game: Kept) -> None:
    """What is said is one line of letters that can be shown, not too long."""
    at.say(game.id, 0, "  hello\n\x00 there ")
    assert [line.said for line in at.store.chat(game.id, 9)] == ["hello there"]
    for wrong in ("", " \n", "x" * (LONGEST_SAID + 1)):
        with pytest.raises(Refused):
            at.say(game.id, 0, wrong)


@pytest.mark.parametrize("wrong", ["mysql://x/y", "no url", "sqlite:////no/such/folder/x.sqlite"])
def test_a_database_that_cannot_be_used_is_told_of(wrong: str) -> None:
    """One line says why."""
    with pytest.raises(NoDatabase) as caught:
        database(wrong)
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_database_that_goes_away_and_comes_back_loses_nothing(
    postgresql: Callable[[], str], tmp_path: Path
) -> None:
    """While it is away the page says so, and the choice is not made; then the same page goes on."""
    url = postgresql()
    name = sa.make_url(url).database
    rest = sa.make_url(url).set(database="postgres", drivername="postgresql+psycopg")
    made = studios.server(url, tmp_path)
    game = studios.begin(made.tables, studios.TICK)
    at = f"/table/{made.links.of(game.id, 0).token}"

    def allow(connections: bool) -> None:
        with sa.create_engine(rest, isolation_level="AUTOCOMMIT").connect() as over:
            over.execute(sa.text(f'alter database "{name}" allow_connections {connections}'))
            ended = "select pg_terminate_backend(pid) from pg_stat_activity where datname = :name"
            over.execute(sa.text(ended), {"name": name})

    with studios.client(made) as web:
        asked = studios.asked(web.get(at).text)
        assert asked is not None
        allow(False)
        for answer in (
            web.post(f"{at}/choose", data=asked.form(), headers=studios.POSTED),
            web.get(at),
        ):
            assert answer.status_code == 503
            assert "The game is as it was" in answer.text
        allow(True)
        assert studios.asked(web.get(at).text) == asked
        web.post(f"{at}/choose", data=asked.form(), headers=studios.POSTED)
    assert [row.seat for row in made.tables.store.choices(game.id)] == [0]


def test_servers_of_one_postgresql_serve_the_same_games(
    postgresql: Callable[[], str], tmp_path: Path
) -> None:
    """What is chosen at one is told on a page of the other, by a notice alone: neither looks at
    the rows unasked.
    """
    url = postgresql()
    servers = [studios.server(url, tmp_path) for _ in range(2)]
    game = studios.begin(servers[0].tables, studios.TICK)
    with studios.client(servers[0]) as first, studios.client(servers[1]) as second:
        for made in servers:
            assert made.hub.notices is not None
            assert made.hub.notices.listens.wait(30)
        links = [servers[0].links.of(game.id, seat).token for seat in (0, 1)]
        with studios.socket(second, links[1]) as socket:
            socket.receive_text()
            for seat, web in ((0, first), (1, second), (0, first)):
                asked = studios.asked(web.get(f"/table/{links[seat]}").text)
                assert asked is not None
                at = f"/table/{links[seat]}/choose"
                web.post(at, data=asked.form(), headers=studios.POSTED)
                told = ""
                while 'id="status"' not in told:
                    told = socket.receive_text()
            assert "It is your turn" in told
    assert [row.seat for row in servers[1].tables.store.choices(game.id)] == [0, 1, 0]
