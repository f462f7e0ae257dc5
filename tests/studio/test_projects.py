"""Projects of cards: what comes in and goes out, who may do what, what stands beside a text."""

from __future__ import annotations

import io
import os
import re
import zipfile
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

import studios
from starlette.testclient import TestClient
from test_web import Elements

from interpreter.cli.main import main
from interpreter.studio.app import Studio
from interpreter.studio.author.archives import packed, unpacked
from interpreter.studio.author.bench import Bench
from interpreter.studio.author.drafts import Draft, Put
from interpreter.studio.author.projects import MOST_BYTES, Changed, Project, Projects, mark_of
from interpreter.studio.author.questions import (
    Answer,
    Begin,
    Look,
    Looked,
    Question,
    Studied,
    Study,
    Tried,
    Try,
)
from interpreter.studio.author.trials import Trials
from interpreter.studio.author.worker import Worker
from interpreter.studio.confined import MOST_MEMORY, confined
from interpreter.studio.limits import Limits
from interpreter.studio.refused import Refused

FROM_HOME = {"origin": studios.HOME}
CARDS = "tests/good/cards"
LAMP = """for cards

card "Lamp" of card
  suit: sun
  text
    | Worth 2 more when played.
"""


@pytest.fixture
def projects(tmp_path: Path) -> Projects:
    return Projects(tmp_path / "projects")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    """One studio, whose games are compiled once."""
    often = Limits(posts=1_000, burst=1_000, begun=1_000, begun_burst=1_000)
    return studios.studio(tmp_path_factory.mktemp("author"), CARDS, limits=often)


def begun(web: TestClient, text: str = LAMP) -> str:
    """The address of a new project with one file."""
    sent = {"sent": ("lamps.rules", text.encode())}
    answer = web.post("/projects/upload", files=sent, headers=FROM_HOME)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def form(text: str = LAMP, **more: str) -> dict[str, str]:
    return {"file": "lamps.rules", "text": text, "mark": mark_of(LAMP), **more}


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return made.getvalue()


# ----------------------------------------------------------------------------- folders and archives
def test_a_project_comes_back_as_it_went_out(projects: Projects) -> None:
    texts = {"lamps.rules": LAMP, "more.rules": "for cards\n# ü\n"}
    made = projects.make("My lamps!", texts)
    assert (made.name, made.game, made.files) == ("my-lamps", "cards", tuple(texts))
    assert unpacked("my-lamps.zip", packed(made.name, projects.texts(made))) == texts
    assert projects.make("My lamps", texts).name == "my-lamps-2"
    assert [one.name for one in projects.all()] == ["my-lamps", "my-lamps-2"]


@pytest.mark.parametrize(
    "name",
    [
        "../out.rules",
        "/etc/out.rules",
        "a/../../out.rules",
        "a/b/out.rules",
        "C:\\out.rules",
        "a\\out.rules",
        ".hidden.rules",
        "a//out.rules",
    ],
)
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(Refused):
        unpacked("x.zip", zipped({name: b"for cards\n"}))


def test_nothing_but_texts_comes_out_of_an_archive() -> None:
    """No module, compiled or not, and nothing that calls itself a text."""
    files = {"a.rules": b"for cards\n", "m.wasm": b"\0asm\1\0\0\0", "m.cwasm": b"\x7fELF"}
    assert unpacked("x.zip", zipped(files)) == {"a.rules": "for cards\n"}
    for name, raw in (("m.wasm", b"\0asm\1\0\0\0"), ("m.rules", b"\x7fELF\xff")):
        with pytest.raises(Refused):
            unpacked(name, raw)


def test_bombs_and_broken_archives_are_refused() -> None:
    """What an archive says of its sizes is not believed, nor are its entries counted in vain."""
    bomb = zipped({"a.rules": b"#" * (MOST_BYTES + 1)})
    lying = bomb.replace((MOST_BYTES + 1).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    many = zipped({f"a{n}.rules": b"" for n in range(41)})
    crowd = zipped({f"a{n}.txt": b"" for n in range(200)})
    for raw in (bomb, lying, many, crowd, bomb[:-30], b"PK\x03\x04", zipped({"a.txt": b"x"})):
        with pytest.raises(Refused):
            unpacked("x.zip", raw)
    for name, raw in (("a.rules", b"\xff"), ("a.exe", b"x"), ("a.rules", b"#" * (MOST_BYTES + 1))):
        with pytest.raises(Refused):
            unpacked(name, raw)


def test_nothing_outside_a_folder_is_found(projects: Projects, tmp_path: Path) -> None:
    """Neither by a name nor by a link that lies there."""
    made = projects.make("Lamps", {"lamps.rules": LAMP})
    (tmp_path / "secret.rules").write_text("for cards\n")
    (projects.folder / "lamps" / "link.rules").symlink_to(tmp_path / "secret.rules")
    (projects.folder / "away").symlink_to(tmp_path)
    found = projects.find("lamps")
    assert found == made
    for name in ("..", ".", "", "away", "lamps/..", "Lamps", "lamps\0"):
        assert projects.find(name) is None
    for file in ("link.rules", "../secret.rules", "none.rules"):
        with pytest.raises(Refused):
            projects.text(made, file)
        with pytest.raises(Refused):
            projects.remove(made, file)
    with pytest.raises(Refused):
        projects.write(made, "../out.rules", "")
    assert not (projects.folder / "out.rules").exists()


def test_a_text_that_another_has_changed_is_not_written_over(projects: Projects) -> None:
    made = projects.make("Lamps", {"lamps.rules": LAMP})
    projects.write(made, "lamps.rules", "for cards\n", mark_of(LAMP))
    with pytest.raises(Changed):
        projects.write(made, "lamps.rules", "mine", mark_of(LAMP))
    assert projects.text(made, "lamps.rules") == "for cards\n"


def test_a_project_is_bounded(projects: Projects) -> None:
    made = projects.make("Lamps", {"lamps.rules": LAMP})
    with pytest.raises(Refused, match="too large"):
        projects.write(made, "lamps.rules", "#" * (MOST_BYTES + 1))
    with pytest.raises(Refused, match="at most"):
        projects.add(made, {f"a{n}.rules": "" for n in range(40)})
    with pytest.raises(Refused, match="already"):
        projects.add(made, {"LAMPS.rules": ""})
    large = {f"a{n}.rules": "#" * (MOST_BYTES - 9) for n in range(6)}
    with pytest.raises(Refused, match="in all"):
        projects.add(made, large)
    assert projects.find("lamps") == Project("lamps", ("lamps.rules",), "cards")


# ------------------------------------------------------------------------------------ over the wire
def test_a_card_is_written_seen_and_kept(shared: Studio) -> None:
    """A new project has a card to start from; what is saved is there again, and goes out as ZIP."""
    with studios.client(shared) as web:
        made = web.post("/projects", data={"title": "Odd", "game": "cards"}, headers=FROM_HOME)
        page = web.get(made.headers["location"]).text
        assert "for cards" in page
        at = begun(web)
        told = web.post(f"{at}/save", data=form(f"{LAMP}# x\n"), headers=studios.POSTED).text
        assert "Saved." in told
        assert "<svg" in told
        assert "Lamp as it is printed" in told
        assert "# x" in web.get(at).text
        again = web.post(f"{at}/save", data=form("mine"), headers=studios.POSTED).text
        assert "somebody else has changed" in again.lower()
        raw = web.get(f"{at}/download").content
        assert unpacked("x.zip", raw) == {"lamps.rules": f"{LAMP}# x\n"}


def test_a_mistake_is_told_with_a_fix_that_mends_it(shared: Studio) -> None:
    """Also without scripts: the fix is a button, and the page comes back with the text mended."""
    wrong = LAMP.replace("Worth 2 more", "Wurth 2 more")
    with studios.client(shared) as web:
        at = begun(web)
        page = web.post(f"{at}/look", data=form(wrong), headers=FROM_HOME).text
        assert 'class="finding error"' in page
        fixes = [unescape(data) for data in re.findall(r'name="mend" value="([^"]*)"', page)]
        fix = next(data for data in fixes if "Worth 2 more when played" in data)
        mended = web.post(f"{at}/look", data=form(wrong, mend=fix), headers=FROM_HOME).text
        assert "every sentence is understood" in mended
        assert "| Worth 2 more when played." in unescape(mended)
        odd = web.post(f"{at}/look", data=form(wrong, mend="[[9e9]]"), headers=FROM_HOME)
        assert odd.status_code == 200


def test_a_file_that_is_broken_elsewhere_stops_nothing(shared: Studio) -> None:
    with studios.client(shared) as web:
        at = begun(web)
        web.post(f"{at}/file", data={"name": "broken"}, headers=FROM_HOME)
        other = {"file": "broken.rules", "text": "card card (((", "mark": mark_of("for cards\n\n")}
        assert "Saved." in web.post(f"{at}/save", data=other, headers=studios.POSTED).text
        page = web.post(f"{at}/look", data=form(), headers=studios.POSTED).text
        assert "every sentence is understood" in page
        assert web.post(f"{at}/play", data=form(), headers=FROM_HOME).status_code == 422
        web.post(f"{at}/remove", data={"file": "broken.rules"}, headers=FROM_HOME)
        played = web.post(f"{at}/play", data=form(), headers=FROM_HOME)
        assert played.status_code == 303
        token = played.headers["location"].rpartition("/")[2]
        link = shared.links.read(token)
        kept = shared.tables.store.game(link.game) if link is not None else None
        assert kept is not None
        assert kept.settings.added == {"lamps.rules": LAMP}
        assert web.get(played.headers["location"]).status_code == 200


def test_links_read_or_write_and_can_be_taken_back(shared: Studio) -> None:
    with studios.client(shared) as web:
        at = begun(web)
        links = re.findall(r'value="http://localhost(/project/[^"]+)"', web.get(f"{at}/share").text)
        reader = next(link for link in links if link != at)
        page = web.get(reader).text
        assert "to read only" in page
        assert 'id="save"' not in page
        assert web.get(f"{reader}/share").text.count('class="link"') == 1
        for end, data in (("save", form("x")), ("file", {"name": "x"}), ("remove", form())):
            answer = web.post(f"{reader}/{end}", data=data, headers=FROM_HOME)
            assert "lets you read" in answer.text
        assert (
            web.post(f"{reader}/renew", data={"what": "write"}, headers=FROM_HOME).status_code
            == 403
        )
        assert "Lamp" in web.post(f"{reader}/look", data=form(), headers=FROM_HOME).text
        web.post(f"{at}/renew", data={"what": "read"}, headers=FROM_HOME)
        assert (web.get(reader).status_code, web.get(at).status_code) == (404, 200)
        assert web.get(f"{at[:-9]}{at[-9:][::-1]}").status_code == 404


def test_projects_are_listed_only_on_ones_own_machine(tmp_path: Path) -> None:
    made = studios.studio(tmp_path, CARDS)
    with studios.client(made) as web:
        at = begun(web)
        assert at in web.get("/projects").text
    made.listed = False
    with studios.client(made) as web:
        page = web.get("/projects").text
        assert at not in page
        assert web.get(at).status_code == 200


def test_what_an_author_writes_never_becomes_markup(shared: Studio) -> None:
    evil = "<script>alert(1)</script> <img src=x onerror=alert(1)>"
    named = LAMP.replace("Lamp", evil)
    text = named + LAMP.partition("\n")[2].replace("Worth", f"{evil} Worth")
    with studios.client(shared) as web:
        pages = web.get(begun(web, text)).text
        pages += web.post(f"{begun(web)}/try", data=form(text), headers=FROM_HOME).text
        pages += web.post(f"{begun(web)}/look", data=form(text), headers=studios.POSTED).text
        pages += web.post("/projects", data={"game": evil}, headers=FROM_HOME).text
    assert "&lt;script&gt;" in pages
    found = Elements()
    found.feed(pages)
    assert "svg" in found.names
    assert "img" not in found.names
    assert not [name for name in found.attributes if re.match(r"on|style$", name)]
    assert found.scripts <= {f"/static/{n}.js" for n in ("htmx.min", "author", "editor.min")}


def test_posts_of_other_pages_are_refused(shared: Studio) -> None:
    with studios.client(shared) as web:
        at = begun(web)
        for headers in ({}, {"origin": "http://evil.example"}, {"origin": "null"}):
            for end in ("save", "look", "upload", "play", "remove"):
                assert web.post(f"{at}/{end}", data=form(), headers=headers).status_code == 403
        large = web.post(f"{at}/look", data=form("x" * 800_000), headers=FROM_HOME)
        assert large.status_code == 413


def test_the_editor_has_styles_of_its_page_alone(shared: Studio) -> None:
    """By a nonce that is another on each page; scripts are files of ours, and nothing is eval'd."""
    with studios.client(shared) as web:
        at, nonces = begun(web), set()
        for _ in range(2):
            answer = web.get(at)
            rules = dict(
                part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
            )
            assert rules["script-src"] == rules["connect-src"] == "'self'"
            found = re.fullmatch(r"'self' 'nonce-([\w-]{16,})'", rules["style-src"])
            assert found is not None and found[1] in answer.text
            nonces.add(found[1])
    assert len(nonces) == 2


def test_what_cannot_be_worked_out_in_bounds_is_not_begun(
    shared: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules of a project are compiled by the process that may be ended; the server is told that
    they can be begun, or why not, before it has anything to do with them.
    """
    asked: list[Question] = []

    def stuck(question: Question) -> Answer:
        asked.append(question)
        if isinstance(question, Begin):
            raise Refused("that is not decided: it takes more than 30 seconds")
        return Looked()

    monkeypatch.setattr(shared, "ask", stuck)
    before = shared.tables.store.open_games()
    with studios.client(shared) as web:
        told = web.post(f"{begun(web)}/play", data=form(), headers=FROM_HOME)
    assert told.status_code == 422 and "it takes more than 30 seconds" in told.text
    assert shared.tables.store.open_games() == before
    assert [q.settings.added for q in asked if isinstance(q, Begin)] == [{"lamps.rules": LAMP}]


def test_what_authors_wrote_wrong_is_told_when_it_is_to_be_played(shared: Studio) -> None:
    """By the process that compiled it: nothing is begun."""
    before = shared.tables.store.open_games()
    with studios.client(shared) as web:
        wrong = LAMP.replace("Worth 2 more when played.", "Worth two lamps.")
        told = web.post(f"{begun(web)}/play", data=form(wrong), headers=FROM_HOME)
    assert told.status_code == 422 and "the rules do not take these settings" in told.text.lower()
    assert shared.tables.store.open_games() == before


# -------------------------------------------------------------------------------------- the process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no such bound is known here")
def test_a_process_for_strangers_holds_no_more_than_it_may() -> None:
    """More is an error in it, and nowhere else."""
    child = os.fork()
    if not child:
        try:
            confined()
            bytearray(MOST_MEMORY + 1)
        except MemoryError:
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_an_answer_that_takes_too_long_ends_its_process() -> None:
    """The next question is answered by a new one."""
    shop = Worker(seconds=0.0)
    question = Look(CARDS, "lamps.rules", LAMP)
    try:
        with pytest.raises(Refused, match="not decided"):
            shop.ask(question)
        shop.seconds = 60.0
        found = shop.ask(question)
    finally:
        shop.close()
    assert isinstance(found, Looked)
    assert [card.title for card in found.cards] == ["Lamp"]


def test_what_could_follow_is_told_where_the_caret_is() -> None:
    text = LAMP.replace("Worth 2 more when played.", "Wor")
    found = Bench().answer(Look(CARDS, "lamps.rules", text, text.index("Wor") + 3))
    assert isinstance(found, Looked)
    one = next(one for one in found.following if one.text == "Worth 2 more when played.")
    assert text[one.start : one.end] == "Wor"


# --------------------------------------------------------------------------------------- on a board
GROVE = "tests/good/grove"
WILLOW = """for grove

card "Willow" of plant
  what: tree
  text
    | +2 for each tree next to it, max 6.
    | Must be planted next to a tree.
"""
BESIDE = Draft(
    put=(Put('"Oak"', ("site_at(bed, 1, 1)",)), Put('"Birch"', ("site_at(bed, 2, 2)",))),
    event="set_out",
    values={"x": '"Willow"'},
)


@pytest.fixture(scope="module")
def grove() -> Trials:
    return Trials(GROVE, "willow.rules")


def tried(grove: Trials, draft: Draft, makes: bool = False, text: str = WILLOW) -> Tried:
    return grove.tried(Try(GROVE, "willow.rules", text, draft, makes))


def test_a_card_is_tried_on_every_place(grove: Trials) -> None:
    """2 for each tree edge to edge: two of them beside b1 and a2, one beside c2 and b3, and the
    far corner has none, so it is refused there by the card's sentence.
    """
    told = tried(grove, BESIDE)
    assert "click a place" in told.said
    titles = dict(re.findall(r"<title>(\w\d): (.*?)</title>", " ".join(told.pictures)))
    assert (titles["b1"], titles["a2"]) == ("it scores 4", "it scores 4")
    assert (titles["c2"], titles["b3"]) == ("it scores 2", "it scores 2")
    assert "next to a tree" in titles["d4"] or "adjacent" in titles["d4"]
    played = tried(grove, replace(BESIDE, at=("site_at(bed, 2, 1)",)))
    assert (played.verdict, played.said) == ("scored", "It scores 4.")
    assert sum(int(line.split()[1].rstrip(":")) for line in played.lines) == 4
    far = tried(grove, replace(BESIDE, at=("site_at(bed, 4, 4)",)))
    assert far.verdict == "refused"
    assert len(far.lines) == 1


@pytest.mark.parametrize("site", ["site_at(bed, 2, 1)", "site_at(bed, 4, 4)"])
def test_a_tried_position_becomes_a_scenario_that_passes(
    grove: Trials, site: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It passes when it is run by `rulelang test`, and fails once the card says otherwise."""
    told = tried(grove, replace(BESIDE, at=(site,), name='the "first" one'), makes=True)
    assert "scenario \"the 'first' one\"" in told.made
    file = tmp_path / "willow.rules"
    for text, status in ((WILLOW, 0), (WILLOW.replace("+2", "+1").replace("Must", "Cannot"), 1)):
        file.write_text(f"{text}\n{told.made}")
        assert main(["test", str(file), "--rules", GROVE]) == status, capsys.readouterr().out


def test_what_is_put_where_it_cannot_be_is_told(grove: Trials) -> None:
    """Two pieces on one place, a line that means nothing, a piece there is not: a clear word, and
    no scenario.
    """
    twice = (*BESIDE.put, Put('"Rock"', ("site_at(bed, 1, 1)",)))
    for draft in (
        replace(BESIDE, put=twice),
        replace(BESIDE, given="set the moon to blue"),
        replace(BESIDE, put=(Put('"Nobody"', ("site_at(bed, 1, 1)",)),)),
        replace(BESIDE, at=("site_at(bed, 9, 9)",)),
        replace(BESIDE, values={"x": '"Willow") expect ended'}, put=()),
    ):
        told = tried(grove, replace(draft, at=draft.at or ("site_at(bed, 2, 1)",)), makes=True)
        assert told.failed or told.verdict == "refused" or '"Willow"' in told.draft.values["x"]
        assert "ended" not in told.made


CELLS = "tests/good/cells"
BARN = """for cells

card "Barn" of block
  form: "X"
  worth: 2
  copies: 1
"""


def test_pieces_of_players_are_put_on_sides_and_corners() -> None:
    """A rail on a side, two posts of different players and a second one of the first on corners:
    each lies where it was put, and is the player's it was said to be.
    """
    known = Trials(CELLS, "barn.rules")
    told = known.tried(Try(CELLS, "barn.rules", BARN, Draft()))
    sites = {label: expr for expr, label in told.choices.sites}
    pieces = {words: expr for _, found in told.choices.pieces for expr, words in found}
    assert {"post of player 1", "post of player 2"} <= set(pieces)
    corners = [label for label in sites if "corner" in label][:3]
    put = tuple(
        Put(pieces[f"post of player {player}"], (sites[corner],))
        for player, corner in zip((1, 2, 1), corners, strict=True)
    )
    told = known.tried(Try(CELLS, "barn.rules", BARN, replace(told.draft, put=put)))
    assert told.failed == ""
    (svg,) = told.pictures
    assert svg.count('r="7.5"') == 3
    assert sum("corner" in label for label in sites) == 5 * 4  # of 4 by 3 cells
    assert sum("side" in label for label in sites) == 4 * 4 + 5 * 3


def test_whose_a_piece_is_stands_in_the_scenario() -> None:
    """A variable of a piece that holds a player is set for it."""
    known = Trials("big_city", "cards.rules")
    text = Path("examples/homemade/gas_station.rules").read_text().split("\n# 3, before")[0]
    told = known.tried(Try("big_city", "cards.rules", text, Draft()))
    assert ("occupant builder p2", "builder: player 2") in told.choices.owners
    put = Put('"gas station"', ("lot(15)",), "occupant builder p2")
    told = known.tried(Try("big_city", "cards.rules", text, replace(told.draft, put=(put,))))
    assert "set lot(15)'s occupant's builder to p2" in told.words
    assert told.failed == ""


# ------------------------------------------------------------------------------------------ in play
def studied(text: str) -> Studied:
    """What came of a text once all is worked out, slice by slice."""
    bench = Bench()
    for _ in range(200):
        told = bench.answer(Study(GROVE, "willow.rules", text))
        assert isinstance(told, Studied)
        if told.done:
            return told
    raise AssertionError("it comes to no end")


def test_what_comes_of_cards_in_play_is_told() -> None:
    """A sentence that counts has a game, one that never can has its proof, and a card that pays
    more than any other is found too strong; a text with a mistake is not played.
    """
    text = WILLOW + "    | +1 if next to a tree and not next to a tree.\n"
    told = studied(text)
    ((title, sentences),) = told.cards
    assert (title, [one.verdict for one in sentences]) == ("Willow", ["counts", "counts", "never"])
    assert "choices of a game" in sentences[0].lines[0]
    assert told.balance[0][0].startswith("Willow: stronger")
    assert "plented" in studied(WILLOW.replace("planted", "plented")).failed


def test_boards_of_the_games_are_laid_out() -> None:
    """A board that grows is as a game begins with it, and its places go by the texts' own names."""
    known = Trials("big_city", "cards.rules")
    text = Path("examples/homemade/gas_station.rules").read_text().split("\n# 3, before")[0]
    told = known.tried(Try("big_city", "cards.rules", text, Draft()))
    assert "board city" in told.words
    assert ("lot(11)", "11") in told.choices.sites
    at = replace(told.draft, at=("lot(15)",))
    told = known.tried(Try("big_city", "cards.rules", text, at, makes=True))
    assert told.verdict == "refused"
    assert "expect refused by" in told.made
