"""What is printed is what is played: every piece on its sheet, what does not fit told and the rest
printed, nothing fetched and nothing run."""

from __future__ import annotations

import functools
import io
import json
import re
import struct
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rulelang
from interpreter.authoring.check import check
from interpreter.cli.main import main
from interpreter.game.loading import load_rules
from interpreter.paper.faces import SMALLEST, FaceMaker
from interpreter.paper.fit import fitted, width
from interpreter.paper.identity import hash_of, id_of
from interpreter.paper.pictures import MOST_BYTES, picture_of
from interpreter.paper.printing import Order, printed
from interpreter.paper.sheets import MARGIN, PAPERS, PRESETS, Piece, sheets
from rulelang.ruleset import Design, Ruleset

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOT = Path(__file__).with_name("kiosk.svg")
KIOSK = """for big_city

card "kiosk" of building
  class: business
  form: "X"
  copies: 2
  text
    | Worth 3.
    | Doubled beside a streetcar.
"""
Run = Callable[..., tuple[int, str, str]]


@functools.cache
def rules() -> Ruleset:
    """Big City with a homemade card."""
    loaded = load_rules("big_city", (), [("kiosk.rules", KIOSK)], tests=False)
    assert not loaded.compiled.report.errors
    return loaded.compiled.rules


def kiosk() -> Design:
    """That card."""
    return next(d for d in rules().designs if d.title == "kiosk")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command line in an empty folder that holds the homemade card."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    (tmp_path / "kiosk.rules").write_text(KIOSK, "utf-8")

    def do(*argv: object) -> tuple[int, str, str]:
        status = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return do


# ------------------------------------------------------------------------------ fitting
def test_text_grows_smaller_until_it_fits() -> None:
    """Whatever fits in some size is whole, in the largest such size, within its room."""
    words = "Add 1 to each building within 2 streets of it, and 2 more beside a park."
    for repeat in (1, 3, 6):
        made = fitted([words] * repeat, (55.0, 40.0), 4.0, SMALLEST)
        assert made.fits and made.height <= 40.0
        assert all(width(line, made.size) <= 55.0 for line, _ in made.lines)
        assert " ".join(line for line, _ in made.lines) == " ".join([words] * repeat)
    assert fitted([words] * 6, (55.0, 40.0), 4.0, SMALLEST).size < 4.0


def test_what_fits_in_no_size_is_cut_and_said() -> None:
    """It stays within its room and ends with an ellipsis."""
    made = fitted(["very long indeed " * 99], (55.0, 20.0), 4.0, SMALLEST)
    assert not made.fits and made.height <= 20.0 and made.lines[-1][0].endswith("…")
    one = fitted(["x" * 999], (55.0, 20.0), 4.0, SMALLEST)
    assert not one.fits and width(one.lines[0][0], SMALLEST) <= 55.0


# ------------------------------------------------------------------------------ faces
def test_a_card_shows_all_that_is_on_it() -> None:
    """Title, fields, sentences, id and hash; as it was looked at and kept."""
    face = FaceMaker(rules()).front(kiosk())
    for text in ("kiosk", "business", "Worth 3.", "Doubled beside a streetcar."):
        assert f">{text}</text>" in face.svg
    assert id_of(rules(), kiosk()) in face.svg and hash_of(rules(), kiosk()) in face.svg
    made = printed(rules(), [kiosk()], Order(boards=False))
    if not SNAPSHOT.exists():
        SNAPSHOT.write_text(made.sheets[0].svg, "utf-8")
    assert made.sheets[0].svg == SNAPSHOT.read_text("utf-8")


@pytest.mark.parametrize("name", ["big_city", "cities", "the_city"])
def test_every_piece_of_a_game_is_printed_and_fits(name: str) -> None:
    """As many of each as there are; every sheet is sound XML and points nowhere else."""
    known = load_rules(name, tests=False).compiled.rules
    made = printed(known, list(known.designs), Order(players=3))
    assert not made.found
    ids = [piece.id for piece in made.pieces]
    assert len(ids) == len(set(ids)) == len(known.designs)
    fronts = [s.svg for s in made.sheets if "backs" not in s.name]
    for piece in made.pieces:
        assert sum(svg.count(f"{piece.id} · ") for svg in fronts) == piece.copies
    for sheet in made.sheets:
        ElementTree.fromstring(sheet.svg)
        assert not re.search(r"https?:(?!//www.w3.org/2000/svg\")|<script|<image", sheet.svg)


def test_an_id_stays_and_a_hash_follows_what_is_printed() -> None:
    """Another text is another hash of the same card."""
    other = load_rules("big_city", (), [("kiosk.rules", KIOSK.replace("3.", "4."))], tests=False)
    known = other.compiled.rules
    changed = next(d for d in known.designs if d.title == "kiosk")
    assert id_of(known, changed) == id_of(rules(), kiosk())
    assert hash_of(known, changed) != hash_of(rules(), kiosk())


# ------------------------------------------------------------------------------ sheets
def test_pieces_lie_on_the_paper_side_by_side_with_their_backs_behind_them() -> None:
    """Nine cards on a sheet of either paper; a back has the mirrored place of its front."""
    maker = FaceMaker(rules())
    piece = Piece("kiosk", maker.front(kiosk()), maker.back(kiosk()), 10)
    for paper, (wide, _) in PAPERS.items():
        made, too_large = sheets([piece], paper, PRESETS["home"], "x")
        assert not too_large and [s.name for s in made] == ["x 1", "x 1 backs", "x 2", "x 2 backs"]
        places = [_places(sheet.svg) for sheet in made]
        assert [len(found) for found in places] == [9, 9, 1, 1]
        for front, back in zip(places[2], places[3], strict=True):
            assert back[0] == pytest.approx(wide - front[0] - 63, abs=0.02) and back[1] == front[1]
        assert all(x >= MARGIN and x + 63 <= wide - MARGIN for x, _ in places[0])


def _places(svg: str) -> list[tuple[float, float]]:
    found = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\)"', svg)
    return [(float(x), float(y)) for x, y in found]


def test_a_print_shop_gets_one_piece_a_page_with_its_bleed() -> None:
    """The color runs 3 mm over each edge."""
    made = printed(rules(), [kiosk()], Order(preset="single", boards=False))
    assert len(made.sheets) == 4 and made.sheets[0].width > 63 + 6
    assert 'width="69.00" height="94.00"' in made.sheets[0].svg


def test_a_board_that_does_not_grow_is_a_sheet() -> None:
    """Every cell with its label, within the paper."""
    known = load_rules(str(ROOT / "examples/classics/hex"), tests=False).compiled.rules
    (sheet,) = printed(known, [], Order(players=2)).sheets
    assert sheet.svg.count("<polygon") == 121 and ">k11</text>" in sheet.svg
    points = [float(x) for x in re.findall(r"([\d.]+),[\d.]+", sheet.svg)]
    assert max(points) <= sheet.width


# ------------------------------------------------------------------------------ what is wrong
def test_a_misfit_is_told_at_its_line_by_check_and_by_print(run: Run, tmp_path: Path) -> None:
    """The rest is printed."""
    text = KIOSK + KIOSK[13:].replace("kiosk", "市場 " + "stand " * 90)
    (tmp_path / "more.rules").write_text(text, "utf-8")
    found = [item for item in check(["more.rules"]).found if item.code == "C020"]
    assert [item.span.line for item in found] == [11]
    status, out, err = run("print", "more.rules", "--output", "sheets")
    assert status == 1 and err.count("C020") == 2 and "4 pieces of 2 designs" in out


def png(wide: int, high: int) -> bytes:
    """The beginning of a PNG of that size."""
    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))
    )


@pytest.mark.parametrize(
    ("name", "raw", "why"),
    [
        ("a.png", None, "there is no picture"),
        ("a.png", b"GIF89a", "neither PNG nor JPEG nor SVG"),
        ("a.png", png(60000, 60000), "too large"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"0" * MOST_BYTES, "bytes"),
        ("a.svg", b"<svg", "no SVG"),
        ("a.svg", b"<!DOCTYPE x [<!ENTITY a 'b'>]><svg/>", "declares"),
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "<script>"),
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', "run"),
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><g href="http://x"/></svg>', "fetch"),
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg" fill="url(//x)"/>', "fetch"),
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg>', "<use>"),
    ],
)
def test_a_picture_that_is_missing_huge_or_hostile_is_told(
    name: str, raw: bytes | None, why: str
) -> None:
    """None of it gets into a sheet."""
    found = picture_of(name, raw)
    assert why in found.why and not found.data


def test_a_sound_picture_is_held_by_the_sheet() -> None:
    """As its own bytes."""
    assert picture_of("a.png", png(10, 10)).data.startswith("data:image/png;base64,")
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" fill="url(#a)"/></svg>'
    assert picture_of("a.svg", svg).data.startswith("data:image/svg+xml;base64,")


# ------------------------------------------------------------------------------ commands
def test_only_what_changed_since_a_tag_is_printed(run: Run, tmp_path: Path) -> None:
    """Hashes are kept beside the sheets."""
    assert run("print", "kiosk.rules", "--output", "out", "--tag", "first")[0] == 0
    assert json.loads((tmp_path / "out/print-tags.json").read_text())["first"]
    assert "0 sheets" in run("print", "kiosk.rules", "--output", "out", "--since", "first")[1]
    (tmp_path / "kiosk.rules").write_text(KIOSK.replace("3.", "4."), "utf-8")
    assert "2 sheets" in run("print", "kiosk.rules", "--output", "out", "--since", "first")[1]
    status, _, err = run("print", "kiosk.rules", "--output", "out", "--since", "never")
    assert status == 2 and "it has first" in err
    (tmp_path / "out/print-tags.json").write_text("[]")
    assert run("print", "kiosk.rules", "--output", "out", "--since", "first")[0] == 2


def test_which_finds_a_card_again(run: Run) -> None:
    """By its id, with a word on whether it reads otherwise now."""
    name, now = id_of(rules(), kiosk()), hash_of(rules(), kiosk())
    status, out, _ = run("which", f"{name} · {now}", "kiosk.rules")
    assert status == 0 and "kiosk, building of Big City" in out and "otherwise" not in out
    assert "reads otherwise now" in run("which", f"{name} zzzzzz", "kiosk.rules")[1]
    status, out, _ = run("which", name, "kiosk.rules", "--json")
    assert json.loads(out)["found"][0]["title"] == "kiosk"


def test_a_card_is_chosen_by_name(run: Run) -> None:
    """A name there is not is told with the nearest."""
    status, out, _ = run("print", "kiosk.rules", "--cards", "Kiosk", "--output", "o", "--json")
    assert status == 0 and json.loads(out)["pieces"][0]["copies"] == 2
    status, _, err = run("print", "kiosk.rules", "--cards", "kiosq", "--output", "o")
    assert status == 2 and "is it 'kiosk'?" in err
    assert run("print", "kiosk.rules", "--deck", "none_such", "--output", "o")[0] == 2


def test_pdf_and_png_are_the_sheets(run: Run, tmp_path: Path) -> None:
    """The same bytes each time; a PNG of the size of the paper."""
    pytest.importorskip("typst")
    for name in ("a.pdf", "b.pdf"):
        assert run("print", "kiosk.rules", "--format", "pdf", "--output", name)[0] == 0
    first = (tmp_path / "a.pdf").read_bytes()
    assert first.startswith(b"%PDF") and first == (tmp_path / "b.pdf").read_bytes()
    assert b"LibertinusSerif" in first
    assert run("print", "kiosk.rules", "--format", "png", "--output", "p")[0] == 0
    (front, back) = sorted((tmp_path / "p").iterdir())
    wide, high = struct.unpack(">II", front.read_bytes()[16:24])
    assert (wide, high) == (
        pytest.approx(210 / 25.4 * 200, abs=2),
        pytest.approx(297 / 25.4 * 200, abs=2),
    )
    assert front.read_bytes() != back.read_bytes()


# ------------------------------------------------------------------------------ layouts
LAYOUT = """
layout building
  size: 57 by 87
  color: class
  title: from 4 4 to 53 13, large, bold, centered
  class: from 4 17 to 14 27, icon
  text: from 4 34 to 53 79
"""


def test_a_layout_says_where_each_field_stands(tmp_path: Path) -> None:
    """Fields without a box are left out, and the piece has its size; play stays as it was."""
    loaded = load_rules("big_city", (), [("kiosk.rules", KIOSK + LAYOUT)], tests=False)
    assert not loaded.compiled.report.found
    known = loaded.compiled.rules
    face = FaceMaker(known).front(next(d for d in known.designs if d.title == "kiosk"))
    assert (face.width, face.height) == (57.0, 87.0)
    assert ">Worth 3.</text>" in face.svg and ">form</text>" not in face.svg
    place = re.search(r'<text x="([\d.]+)" y="[\d.]+" font-size="[\d.]+"[^>]*>kiosk<', face.svg)
    assert place is not None and float(place.group(1)) == 28.5


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("  size: 5 by 87", "T016"),
        ("  color: form", "T016"),
        ("  titel: from 4 4 to 53 13", "N013"),
        ("  class: from 4 17 to 14 27, blinking", "T016"),
        ("  form: at 40", "T016"),
        ("  form: from 40 40 to 20 50", "T016"),
        ("  text: from 4 34 to 53 279", "T016"),
    ],
)
def test_a_wrong_line_of_a_layout_is_told(line: str, code: str) -> None:
    """In the author's own line; the card is still there."""
    text = KIOSK + LAYOUT.rstrip() + f"\n{line}\n"
    if "size" in line:
        text = text.replace("  size: 57 by 87\n", "")
    loaded = load_rules("big_city", (), [("kiosk.rules", text)], tests=False)
    (found,) = loaded.compiled.report.found
    assert found.code == code and found.span.line == text.rstrip().count("\n") + 1
    assert any(d.title == "kiosk" for d in loaded.compiled.rules.designs)


def test_a_component_has_one_layout_and_is_there() -> None:
    """A second one is told, and one of nothing."""
    text = KIOSK + LAYOUT + LAYOUT + LAYOUT.replace("building", "bilding")
    loaded = load_rules("big_city", (), [("kiosk.rules", text)], tests=False)
    assert [item.code for item in loaded.compiled.report.found] == ["N018", "N012"]


def test_a_missing_picture_is_told_and_the_card_printed(run: Run, tmp_path: Path) -> None:
    """A field of text may name a picture beside the rules, and nothing elsewhere."""
    game = (
        'game gallery "Gallery"\n  players: 1\n\ncomponent painting\n  file: text\n'
        '  pieces title, file\n    | Sea "sea.svg"\n    | Hill "../hill.svg"\n'
        '    | Sky "sky.svg"\n\n'
        "place wall: painting, full\n\nlayout painting\n  title: from 4 4 to 59 13\n"
        "  file: from 4 20 to 59 80, picture\n\nflow\n  finish game\n"
    )
    folder = tmp_path / "gallery"
    folder.mkdir()
    (folder / "gallery.rules").write_text(game, "utf-8")
    sound = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="3"/></svg>'
    (folder / "sea.svg").write_text(sound, "utf-8")
    (tmp_path / "hill.svg").write_text(sound, "utf-8")
    (folder / "sky.svg").write_text(sound.replace("circle", "script"), "utf-8")
    status, out, err = run("print", "gallery", "--no-backs", "--output", "sheets")
    assert status == 1 and err.count("C020") == 2 and "3 pieces of 3 designs" in out
    assert "no picture “../hill.svg”" in err and "holds <script>" in err
    assert "Put a picture of that name beside the rules" in err
    (sheet,) = (tmp_path / "sheets").glob("*.svg")
    assert sheet.read_text("utf-8").count("<image") == 1


def test_a_piece_larger_than_its_paper_is_left_out_and_the_rest_printed(
    run: Run, tmp_path: Path
) -> None:
    """It is told with what helps, and neither counted nor kept under a tag as printed."""
    game = (
        'game walls "Walls"\n  players: 1\n\nkind color: red\n\ncomponent poster\n  class: color\n'
        "  pieces title, class\n    | Sea red\n\ncomponent ticket\n  pieces title\n    | Free\n\n"
        "place wall: poster, full\nplace door: ticket, full\n\nlayout poster\n  size: 150 by 290\n"
        "  title: from 4 4 to 59 13\n\nflow\n  finish game\n"
    )
    (tmp_path / "walls").mkdir()
    (tmp_path / "walls/walls.rules").write_text(game, "utf-8")
    status, out, err = run("print", "walls", "--tag", "one", "--output", "sheets")
    assert status == 1 and "it is larger than the paper a4" in err and "a smaller size" in err
    assert "1 piece of 1 design" in out
    kept = json.loads((tmp_path / "sheets/print-tags.json").read_text())["one"]
    assert len(kept) == 1
    (tmp_path / "file.svg").write_text("")
    status, _, err = run("print", "walls", "--output", "file.svg")
    assert status == 2 and "file.svg is a file" in err


def test_a_print_shop_that_counts_in_inches_gets_an_eighth_of_one() -> None:
    """As bleed over each edge."""
    made = printed(rules(), [kiosk()], Order(preset="inch", boards=False))
    assert 'width="69.35" height="94.35"' in made.sheets[0].svg


@pytest.mark.parametrize("page", [0, 1])
def test_pages_of_a_pdf_look_as_they_were_kept(page: int, tmp_path: Path) -> None:
    """A page as a picture, held against the one that was looked at; a few dots may differ."""
    pytest.importorskip("typst")
    pytest.importorskip("pypdfium2")
    from interpreter.paper.press import pdf
    from tests.tools.pages import different, picture_of_page

    kept = Path(__file__).with_name(f"kiosk-{page + 1}.png")
    made = pdf(printed(rules(), [kiosk()], Order(boards=False)).sheets)
    assert different(picture_of_page(made, page), kept) < 20
    if page == 0:  # a sentence less is seen
        shorter = replace(kiosk(), text=kiosk().text[:1])
        other = pdf(printed(rules(), [shorter], Order(boards=False)).sheets)
        assert different(picture_of_page(other, page), kept) > 40


def test_cards_are_drawn_in_notebooks() -> None:
    """As they are printed, by title."""
    game = rulelang.load("cities", players=2)
    card = next(card for card in game.cards if card.component == "tile")
    assert card._repr_svg_().startswith("<svg") and card.id in card.svg
    assert dict(card.fields)["nw"] == "attraction"
    with pytest.raises(rulelang.InputError, match="no card 'tiel 1'; did you mean 'tile 1'"):
        game.card("tiel 1")
