"""Findings of texts that are not saved: they are those of a check from nothing, and never stale."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from desks import Desk, open_desk

from interpreter.authoring.check import check
from interpreter.desk.documents import Change
from interpreter.desk.positions import Place, Range, column_at, place_of, units
from interpreter.desk.workspace import Workspace

FOREIGN = """for kitchen

card "Tart" of dish
  course: sweet
  cost: 2
  text
    | Add 1 if a Soup is on the table.
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return open_desk(tmp_path_factory.mktemp("desk"))


def test_an_unsaved_text_is_checked_and_the_file_stays(desk: Desk) -> None:
    saved = desk.path.read_bytes()
    assert desk.check() == []
    with desk.edited("table. Add", "tabel. Add"):
        assert [code for code, _ in desk.check()] == ["C001"]
    assert desk.check() == []
    assert desk.path.read_bytes() == saved


def test_what_mends_a_finding_mends_it(desk: Desk) -> None:
    with desk.edited("table. Add", "tabel. Add"):
        desk.check()
        finding = desk.workspace.findings(desk.path)[0]
        (edit,) = finding.mends[0].edits
        desk.workspace.change(desk.path, [Change(edit.text, edit.range)], None)
        assert "table. Add" in desk.document.text
        assert desk.check() == []


def test_findings_stand_where_their_lines_stand_now(desk: Desk) -> None:
    with desk.edited("table. Add", "tabel. Add"):
        ((code, line),) = desk.check()
        desk.instead("# ---", "# One more line.\n# ---")
        assert desk.told() == [(code, line + 1)]
        desk.instead("tabel. Add", "table. Add")
        assert desk.told() == []


def test_a_slip_in_a_card_is_told_before_the_check(desk: Desk) -> None:
    desk.check()
    with desk.edited("table. Add", "tabel. Add"):
        told = desk.told()
        assert [code for code, _ in told] == ["C001"]
        assert told == desk.check()
    desk.check()


def test_random_edits_are_checked_as_from_nothing(desk: Desk, tmp_path: Path) -> None:
    rng = random.Random(20)
    text = desk.document.text
    copy = tmp_path / "kitchen.rules"
    for _ in range(6):
        lines = desk.document.text.split("\n")
        number = rng.randrange(len(lines))
        wrong = rng.choice(
            ["", "  | rows", "define x = 3", re.sub(r"\w", "q", lines[number], count=1)]
        )
        lines[number] = wrong
        desk.write("\n".join(lines))
        desk.check()
        told = desk.all_told()
        copy.write_text(desk.document.text, "utf-8")
        assert told == [(f.code, max(f.span.line, 1)) for f in check([str(copy)]).found]
    desk.write(text)
    desk.check()


def test_an_addition_is_judged_with_the_game_as_it_is_written(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    more = tmp_path / "more" / "tart.rules"
    desk.workspace.open(more, FOREIGN, 1)
    (unit,) = desk.workspace.touched(more)
    assert unit.added == more and not more.exists()
    desk.workspace.check(unit)
    assert desk.workspace.findings(more) == ()
    desk.instead('card "Soup"', 'card "Broth"')
    assert unit in desk.workspace.touched(desk.path)
    desk.workspace.check(unit)
    assert [finding.code for finding in desk.workspace.findings(more)] == ["C016"]


def test_edits_out_of_order_are_passed_over(desk: Desk) -> None:
    text, version = desk.document.text, desk.document.version or 0
    assert not desk.workspace.change(desk.path, [Change("lost")], version)
    assert not desk.workspace.change(desk.path, [Change("lost")], version - 1)
    assert not desk.workspace.change(desk.path.with_name("closed.rules"), [Change("x")], 1)
    assert desk.document.text == text


GARBAGE = [
    "",
    "\x00\x01\x02",
    "((((" * 600,
    "card " * 3000,
    'game g "G"\n' * 4,
    "a\ud800b",
    "é" * 90_000,
]


@pytest.mark.parametrize("text", [*GARBAGE, "# x\n" * 240_000, "# x\n" * 260_000], ids=range(9))
def test_garbage_is_answered(text: str, tmp_path: Path) -> None:
    workspace = Workspace((tmp_path,))
    path = tmp_path / "garbage.rules"
    workspace.open(path, text, 1)
    for unit in workspace.touched(path):
        workspace.check(unit)
    assert workspace.findings(path)


def test_a_file_that_goes_while_it_is_open(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    desk.path.unlink()
    desk.workspace.refresh()
    desk.check()
    assert desk.all_told() == []
    desk.instead("table. Add", "tabel. Add")
    assert [code for code, _ in desk.check()] == ["C001"]
    desk.workspace.close(desk.path)
    assert desk.path in desk.workspace.forget()
    assert desk.workspace.findings(desk.path) == ()


def test_places_are_counted_in_units_of_utf_16() -> None:
    line = "a𝄞é|𝄞"
    assert units(line) == 7
    assert [column_at(line, at) for at in range(9)] == [0, 1, 1, 2, 3, 4, 4, 5, 5]
    assert place_of([line], 1, 3) == Place(0, 3)
    assert place_of([line], 9, 1) == Place(0, 7)
    desk = Workspace()
    path = Path("/nowhere/a.rules")
    desk.open(path, f"{line}\r\nsecond", 1)
    desk.change(path, [Change("X", Range(Place(0, 1), Place(0, 3)))], 2)
    desk.change(path, [Change("Y", Range(Place(1, 0), Place(9, 9)))], 3)
    assert desk.documents[path].text == "aXé|𝄞\nY"
