"""Findings of texts that are not saved: they are those of a check from nothing, and never stale."""

from __future__ import annotations

import asyncio
import gc
import random
import re
import threading
import weakref
from pathlib import Path

import pytest
from desks import Desk, open_desk

from interpreter.authoring.check import check
from interpreter.desk.documents import Change
from interpreter.desk.positions import Place, Range, column_at, place_of, units
from interpreter.desk.worker import Worker
from interpreter.desk.workspace import MAX_GARBAGE, Workspace
from rulelang.compiler.incremental import Frame
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.readings import Glossary
from rulelang.phrases.reuse import Reuse
from rulelang.queries.database import Database

KEPT = (Frame, Glossary, Lexicon, Reuse, Database)
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


class _Circle:
    """What nothing but the garbage collector frees."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_collected_between_checks_once_there_were_some(tmp_path: Path) -> None:
    workspace, path = Workspace((tmp_path,)), tmp_path / "empty.rules"
    left = weakref.ref(_Circle())
    held = []
    for number in range(MAX_GARBAGE):
        workspace.tidy()
        held.append(left() is not None)
        workspace.open(path, "# x\n" * (number + 1), None)
        for unit in workspace.touched(path):
            workspace.check(unit)
    workspace.tidy()
    assert (all(held), left()) == (True, None)


def test_a_text_that_was_edited_is_held_no_longer(desk: Desk) -> None:
    before = weakref.ref(desk.document)
    desk.workspace.names(desk.path)
    with desk.edited("# ---", "# More.\n# ---"):
        desk.check()
        desk.workspace.names(desk.path)
        gc.collect()
        assert before() is None


def test_no_more_is_kept_however_often_texts_are_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every text, title and wording is another; as many compilations and entries are held after
    the third time that all is made anew as after the second.
    """
    every = 6
    monkeypatch.setattr("interpreter.desk.workspace.MAX_CHECKS", every)
    desk, held = open_desk(tmp_path), []
    for number in range(3 * every):
        with (
            desk.edited("| Add 2", f"| Add {number + 3}"),
            desk.edited('card "Custard"', f'card "Custard {number + 100}"'),
            desk.edited('pattern "', f'pattern "On day {number + 100}, '),
        ):
            desk.check()
        if number % every == every - 1:
            held.append(_kept(desk))
    assert held[1] == held[2]


def _kept(desk: Desk) -> tuple[int, ...]:
    """How many compilations, glossaries and answers there are, and how much glossaries know."""
    gc.collect()
    items = [one for one in gc.get_objects() if isinstance(one, KEPT)]
    known = [value for one in items if isinstance(one, Glossary) for value in vars(one).values()]
    entries = sum(len(value) for value in known if isinstance(value, (dict, set)))
    return (*(sum(isinstance(one, kind) for one in items) for kind in KEPT), entries)


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


def test_a_file_that_is_renamed_while_it_is_open(tmp_path: Path) -> None:
    """While the editor holds the old name its text is judged there; then the new one alone is, and
    nothing is left of what was said of the old.
    """
    desk = open_desk(tmp_path)
    desk.instead("table. Add", "tabel. Add")
    assert [code for code, _ in desk.check()] == ["C001"]
    new = desk.path.rename(desk.path.with_name("pantry.rules"))
    desk.workspace.refresh()
    assert "C001" in [code for code, _ in desk.check()]
    desk.workspace.close(desk.path)
    desk.workspace.open(new, new.read_text("utf-8"), 1)
    assert desk.workspace.forget() == [desk.path]
    assert _codes(desk.workspace, new) == [] and desk.workspace.findings(desk.path) == ()


def test_two_editors_on_one_folder(tmp_path: Path) -> None:
    """What one has not saved the other does not see, and sees it once it is saved."""
    one, other = open_desk(tmp_path), Workspace((tmp_path,))
    cards = one.path.with_name("cards.rules")
    card = FOREIGN.partition("\n")[2]
    cards.write_text(card, "utf-8")
    other.open(cards, card, 1)
    assert _codes(other, cards) == []
    one.instead('card "Soup"', 'card "Broth"')
    one.workspace.refresh()
    one.check()
    assert "C016" in _codes(one.workspace, cards) and _codes(other, cards) == []
    one.path.write_text(one.document.text, "utf-8")
    assert "C016" in _codes(other, cards)
    assert other.change(cards, [Change(card.replace("Soup", "Broth"))], 2)
    assert _codes(other, cards) == [] and "C016" in _codes(one.workspace, cards)


def test_a_workspace_without_a_game(tmp_path: Path) -> None:
    """A folder that is empty, or not there, has no rules; a card without a game is told so."""
    workspace = Workspace((tmp_path, tmp_path / "nowhere"))
    assert list(workspace.rules_below()) == [] == workspace.units_open()
    path = tmp_path / "tart.rules"
    workspace.open(path, FOREIGN.partition("\n")[2], 1)
    assert _codes(workspace, path) == ["N024", "N012"]  # no game, and none of its components
    workspace.change(path, [Change(FOREIGN.replace("kitchen", "bakery"))], 2)
    assert _codes(workspace, path) == ["N017"]  # no game of that name


def _codes(workspace: Workspace, path: Path) -> list[str]:
    """What is said of a file by a check of all that it touches."""
    for unit in workspace.touched(path):
        workspace.check(unit)
    workspace.forget()
    return [finding.code for finding in workspace.findings(path)]


def test_what_is_cancelled_before_it_begins_is_not_done() -> None:
    """What was asked before and after it is answered."""
    gate, done = threading.Event(), list[str]()

    async def session() -> None:
        worker = Worker(0)
        first = asyncio.ensure_future(worker.run(gate.wait))
        second = asyncio.ensure_future(worker.run(lambda: done.append("cancelled")))
        third = asyncio.ensure_future(worker.run(lambda: done.append("asked")))
        await asyncio.sleep(0)  # now all three wait for the thread
        assert second.cancel()
        await asyncio.wait([second])  # the thread hears of it a turn of the loop later
        gate.set()
        assert await first and await third is None and second.cancelled()

    asyncio.run(session())
    assert done == ["asked"]


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
