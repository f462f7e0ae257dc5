"""A book tells all of a game: each clause and each statement once, links that lead somewhere, and
nothing from elsewhere."""

from __future__ import annotations

import functools
import io
import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.game.loading import Loaded, load_rules, overlay
from interpreter.paper.book import book
from interpreter.paper.document import Book
from interpreter.paper.html import html
from interpreter.paper.markdown import markdown
from interpreter.paper.prose import SAYINGS, Prose
from interpreter.paper.steps import STEPS
from rulelang import core
from rulelang.english import FOLDER
from rulelang.phrases.describe import DESCRIPTIONS

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
    assert "The game ends at once when for every cell, that cell has a mark." in said


@pytest.mark.parametrize("name", GAMES)
def test_no_name_of_the_machinery_shows(name: str) -> None:
    """Bound names are said by what they stand for; nothing is printed as Python would."""
    for line in written(name).every_line():
        machinery = r"~\d|\bNone\b(?! can)|frozenset|\bthe the\b|\w\("
        assert not re.search(machinery, line.text), line.text


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
