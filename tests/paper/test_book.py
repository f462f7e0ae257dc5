"""A book tells all of a game: each clause and each statement once, links that lead somewhere, and
nothing from elsewhere."""

from __future__ import annotations

import functools
import io
import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

import rulesets
from interpreter.cli.main import main
from interpreter.game.loading import Loaded, load_rules, overlay, statements_in
from interpreter.paper.book import book
from interpreter.paper.components import shorter
from interpreter.paper.document import Book, Grid
from interpreter.paper.html import html
from interpreter.paper.markdown import markdown
from interpreter.paper.played import played
from interpreter.paper.steps import STEPS
from rulelang import core
from rulelang.english import FOLDER
from rulelang.phrases.describe import DESCRIPTIONS
from rulelang.phrases.prose import SAYINGS, Prose

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("cities", "the_city")
TOLD = ("rule", "line", "action", "procedure", "event", "end", "rank", "place", "state", "score")


@functools.cache
def rules(name: str) -> Loaded:
    """A game that comes along, with its scenarios."""
    return load_rules(name)


@functools.cache
def written(name: str) -> Book:
    """Its book."""
    return book(rules(name))


def game(text: str) -> Book:
    """The book of a small game."""
    return book(load_rules(str(ROOT / "tests/good/tic_tac_toe"), (), [("more.rules", text)]))


def lines(made: Book) -> list[str]:
    """The words of every line."""
    return [line.text for line in made.every_line()]


def test_every_statement_of_the_language_has_its_words() -> None:
    """Each class of statements and of expressions is written by a function of its own."""
    statements = {cls for cls in vars(core.stmt).values() if _is(cls, core.Stmt)}
    expressions = {cls for cls in vars(core.expr).values() if _is(cls, core.Expr)}
    assert statements == set(STEPS)
    assert expressions == set(SAYINGS) | set(DESCRIPTIONS)


def _is(cls: object, base: type) -> bool:
    return isinstance(cls, type) and issubclass(cls, base) and cls is not base


@pytest.mark.parametrize("name", GAMES)
def test_every_statement_of_the_rulebook_stands_in_the_book_once(name: str) -> None:
    """None is left out, and none is told twice."""
    told = Counter(line.label for c in written(name).chapters for s in c.walk() for line in s.told)
    assert told == Counter(dict.fromkeys(rules(name).statements, 1))


@pytest.mark.parametrize("name", GAMES)
def test_every_cited_clause_of_the_rules_is_a_line(name: str) -> None:
    """What the rules say, beside sentences of cards, is written out."""
    shown = {line.clause for line in written(name).every_line()}
    clauses = rules(name).compiled.rules.clauses.values()
    asked = {
        c.id
        for c in clauses
        if c.cites
        and c.kind in TOLD
        and not c.owner.startswith("pattern")
        and not c.span.file.startswith(FOLDER)
    }
    assert len(asked) > 20 and asked <= shown


@pytest.mark.parametrize("name", GAMES)
def test_links_lead_into_the_book(name: str) -> None:
    """Each link of both forms has its anchor, and each anchor is there once."""
    page, text = html(written(name)), markdown(written(name))
    anchors = re.findall(r'id="([^"]+)"', page)
    assert len(anchors) == len(set(anchors))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert len(links) > 50 and links <= set(anchors)
    told = set(re.findall(r'<a id="([^"]+)"', text))
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= told


@pytest.mark.parametrize("name", GAMES)
def test_the_page_needs_nothing_else(name: str) -> None:
    """No address, no script, no picture: one file that opens anywhere."""
    page = html(written(name))
    assert not re.search(r"<script|<img|<link|<iframe|src=|url\(|@import|https?:", page)


def test_the_page_fits_a_telephone_and_asks_for_nothing(tmp_path: Path) -> None:
    """In a browser 360 dots wide nothing but tables is to be moved sideways, and nothing is
    fetched but the page."""
    api = pytest.importorskip("playwright.sync_api")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("there is no Chromium on this machine")
    page_file = tmp_path / "book.html"
    page_file.write_text(html(written("cities")), "utf-8")
    asked: list[str] = []
    with api.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = opened.new_page(viewport={"width": 360, "height": 740})
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_file.as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth")
        opened.close()
    assert wide == 360 and asked == [page_file.as_uri()]


def test_no_text_of_an_author_becomes_markup() -> None:
    """Titles and labels are written as they are, and are never read as HTML or Markdown."""
    made = game('kind fun "<script>x</script>": a "<img src=x>", b "[x](http://y)"\n')
    page, text = html(made), markdown(made)
    assert "<script" not in page and "<img" not in page and "&lt;img src=x&gt;" in page
    assert "<img" not in text and "\\[x\\](http://y)" in text


def test_a_game_reads_in_plain_english() -> None:
    """What a player does, must meet and wins by, of a game that is known."""
    said = lines(book(load_rules(str(ROOT / "examples/classics/tic_tac_toe"))))
    assert "Each player in turn, clockwise:" in said
    assert "The player chooses a cell to mark: one of the cells." in said
    assert "The cell has no mark." in said
    assert "The game ends at once when every cell has a mark." in said


@pytest.mark.parametrize("name", GAMES)
def test_no_name_of_the_machinery_shows(name: str) -> None:
    """Bound names are said by what they stand for; nothing is printed as Python would."""
    for line in written(name).every_line():
        machinery = r"~\d|\bNone\b(?! can)|frozenset|\bthe the\b|\w\("
        assert not re.search(machinery, line.text), line.text


@pytest.mark.parametrize("name", GAMES)
def test_a_book_begins_with_the_game_in_short_and_its_ideas(name: str) -> None:
    """Players, aim, course, what counts, end; then what is in the box and the basic ideas, before
    anything speaks of them. What only homemade pieces use stands near the end."""
    chapters = [chapter.anchor for chapter in written(name).chapters]
    assert chapters[:4] == ["in-short", "box", "ideas", "course"]
    assert chapters[-1] == "examples" and {"homemade"} & set(chapters) == set(chapters) & {
        "homemade"
    }
    labels = [line.label for line in written(name).chapters[0].lines]
    assert labels == ["Players", "Aim", "Course", "What counts", "End"]


def test_a_game_in_short() -> None:
    """How it goes and what counts, from its rules."""
    said = [line.text for line in written("cities").chapters[0].every_line()]
    assert "To have the most of this in the end: what the tourists of the player earn." in said
    assert "Each player lays the tile." not in said and "The player lays the tile." in said
    assert any(text.startswith("One of these: Place a tourist; Let a") for text in said)
    assert "Cities complete: after the round in which the city of every player is complete." in said


def test_what_no_piece_uses_stands_apart() -> None:
    """Open places that only homemade cards use are no line among the rules; with a card that uses
    one, it is."""
    hook = "The cards that the player discards for the development"
    titles = {s.title: c.anchor for c in written("the_city").chapters for s in c.walk()}
    assert hook not in titles
    (chapter,) = [c for c in written("the_city").chapters if c.anchor == "homemade"]
    assert f"{hook}:" in [line.text for line in chapter.lines]
    card = (
        'for the_city\n\ncard "Toll House" of development\n  cost: 1\n  text\n'
        "    | When you build this, discard 1 card.\n"
    )
    loaded = load_rules("the_city", (), [("toll.rules", card)], tests=False)
    if not loaded.compiled.report.errors:
        made = book(loaded)
        assert "homemade" in [c.anchor for c in made.chapters]
    rules = played(loaded.compiled.rules)
    assert played(rules) == rules


def test_an_example_is_told_in_words() -> None:
    """Its position as a picture, what is played and what comes of it; each once in a book."""
    found = {s.title: s for c in written("cities").chapters for s in c.walk()}
    example = found["Example: Corners do not connect"]
    position, then = example.lines
    assert position.label == "Position" and position.inner[0].picture == ("131 132", "133 134")
    assert then.text.startswith("There is exactly 1 field in the zone of field 131 of player 1.")
    titles = [s.title for c in written("cities").chapters for s in c.walk()]
    told = [title for title in titles if title.startswith("Example: ")]
    assert 15 < len(told) == len(set(told)) < len(rules("cities").compiled.rules.scenarios)


def test_levels_are_lists_of_their_own() -> None:
    """What counts at a level only stands below a line that names it."""
    (worth,) = [
        s for c in written("cities").chapters for s in c.walk() if s.anchor == "score-worth"
    ]
    heads = {line.text: [x.label for x in line.inner] for line in worth.lines if line.inner}
    assert heads == {
        "Besides, if the option level is 3:": ["Terraces beside it", "Water beside it"],
        "Besides, if the option level is at least 2:": ["In view"],
    }


def test_notes_of_programmers_stand_in_no_book() -> None:
    """A note below a statement is no part of it, and no statement speaks of a program."""
    for name in rulesets.ids():
        path = ROOT / "rulesets" / name / "rulebook.md"
        for statement in statements_in(path.read_text("utf-8")).values():
            words = r"(?i)\b(implementation|program)\b|\bNote:"
            assert not re.search(words, statement.text), statement.text


def test_a_place_is_called_as_its_author_says() -> None:
    """In the box, and wherever something lies or goes there."""
    text = 'component coin\n  pieces title\n    | Penny\nplace purse "coins saved": coin, full\n'
    path = str(ROOT / "tests/good/tic_tac_toe")
    loaded = load_rules(path, (), [("more.rules", text)])
    labels = {line.label for line in book(loaded).every_line()}
    assert "Coins saved" in labels and "Purse" not in labels
    assert Prose(loaded.compiled.rules).say(core.Contents("purse", None)) == "the coins saved"


def test_rows_that_count_up_are_one() -> None:
    """Cards 11 to 14 are a row; what stands in all of them is said once, and two rows stay two."""
    rows = [(f"{n}", "blue", "1") for n in range(11, 15)] + [("20", "red", "1"), ("21", "red", "1")]
    said, made = shorter(Grid(("number", "color", "copies"), tuple(rows)))
    assert said == "copies 1" and made is not None and made.head == ("number", "color")
    assert made.rows == (("11–14", "blue"), ("20", "red"), ("21", "red"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cities", "Halves"),
        ("the_city", "The game ends at the end of an income if at least one player's"),
        ("the_city", "Start with the printed symbols on the development."),
        ("the_city", "Each of the developments is in the player's hand."),
        (
            "the_city",
            "The player chooses exactly 2 of the developments in the player's hand (the chosen",
        ),
        ("cities", "The player chooses a tourist: one of the tourists on the player's city"),
    ],
)
def test_sentences_agree(name: str, said: str) -> None:
    """Plurals, articles and what is put into a wording."""
    found = [f"{line.label}{line.text}" for line in written(name).every_line()]
    assert any(said in text for text in found)


@pytest.mark.parametrize("name", GAMES)
def test_no_word_is_said_twice_in_a_row(name: str) -> None:
    """As where a wording and what is put into it both begin with one."""
    for line in written(name).every_line():
        assert not re.search(r"\b(the|a|an|for|of|what|is) \1\b|\ba [aeio]\w", line.text), line.text


def test_names_of_one_type_are_told_apart() -> None:
    """The second player of a sentence is another one."""
    prose = Prose(rules("cities").compiled.rules)
    player = core.types.PLAYER
    assert prose.bind("p", player) == "the player"
    assert prose.bind("q", player) == "the other player"
    assert prose.bind("r", player) == "player R"


def test_a_variant_marks_what_is_new_and_tells_what_is_gone() -> None:
    """In its own book lines are marked where they stand; in the book without it all are listed."""
    base = load_rules(str(ROOT / "tests/good/overlays"))
    listed = [line for line in book(base).every_line() if line.mark]
    assert ("new", "Big tip", "Add 2.") in {(x.mark, x.label, x.text) for x in listed}
    assert ("gone", "Tip", "Add 1.") in {(x.mark, x.label, x.text) for x in listed}
    chosen = book(overlay(base, ("generous",)), base, ("generous",))
    (price,) = [s for c in chosen.chapters for s in c.walk() if s.anchor == "score-price"]
    assert [(x.mark, x.label) for x in price.lines if x.label] == [
        ("", "Goods"),
        ("new", "Big tip"),
    ]


def test_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It writes Markdown, HTML or data, into a file if asked, and names a variant there is not."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    out = tmp_path / "new" / "book.html"
    assert main(["book", "cities", "--html", "--output", str(out)]) == 0
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    capsys.readouterr()
    assert main(["book", "cities", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["book"]["title"] == "Cities" and data["book"]["chapters"][0]["lines"]
    assert main(["book", "cities", "--variant", "upside_down"]) == 1
    assert "upside_down" in capsys.readouterr().err
    assert main(["book", "cities", "--output", str(tmp_path)]) == 2


def test_a_book_is_set_as_pdf_and_its_words_are_data(tmp_path: Path) -> None:
    """What a title says in the typesetter's own language is printed, not run."""
    pytest.importorskip("typst")
    from interpreter.paper.press import book_pdf

    made = game('kind fun "#panic()": a "*x* $y$ #read(\\"/etc/passwd\\")"\n'.replace('\\"', ""))
    assert book_pdf(made).startswith(b"%PDF") and book_pdf(made) == book_pdf(made)


def test_a_book_is_written_page_by_page(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As SVG and PNG each page is a file of its own, numbered from 1."""
    pytest.importorskip("typst")
    monkeypatch.chdir(ROOT)
    for kind, begins in (("svg", b"<svg"), ("png", b"\x89PNG")):
        out = tmp_path / kind / f"book.{kind}"
        assert main(["book", "tests/good/tic_tac_toe", "--output", str(out)]) == 0
        told = capsys.readouterr().err
        pages = sorted(out.parent.iterdir())
        assert len(pages) > 1 and f"Wrote {len(pages)} pages" in told
        assert out.with_stem("book-1") in pages and out not in pages
        assert all(page.read_bytes().startswith(begins) for page in pages)


def test_auxiliaries_are_denied_and_unknown_numbers_told_as_dots() -> None:
    """“Would not stand”; a number in a question that is still to be chosen."""
    text = markdown(written("card_city_xl"))
    assert "The building would not stand beside its own color" in text
    assert "On which lot do the … lie?" in text and "do not would" not in text
