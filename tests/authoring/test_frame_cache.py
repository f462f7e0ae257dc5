"""A check of an addition that goes on from a kept frame finds what a check from nothing does."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from interpreter.authoring import check as checking
from interpreter.authoring.check import Checked, check
from interpreter.game import cache
from rulelang.compiler import driver
from rulelang.phrases import readings

ROOT = Path(__file__).resolve().parents[2]
KITCHEN = str(ROOT / "tests/good/kitchen")
DISHES = """\
for kitchen

card "Stew" of dish
  course: main
  cost: 3
  text
    | Add 2 if a Soup is on the table.

card "Salad" of dish
  family: herb
  cost: 2
  text
    | Add 1 if a herb is on the table. Add 1 if a Stew is on the table.
"""
LINES = [
    "  cost: 0",
    "  cost: -4",
    "  cost: many",
    "  course: sweet",
    "  family: fruit",
    "  copies: 0",
    "  colour: red",
    "  text",
    "    | Add 3 if a root is on the table. [KI-001]",
    "    | Add 1 if a Custard is on the table. [KI-999]",
    "    | Add 1 if a Crumbel is on the table.",
    "    | Sprinkle with sugar.",
    "    | Add 1 if a garden plant is on the table. Add 1 if a Salad is on the table.",
    'card "Soup" of dish',
    'card "Broth" of dish',
    'card "Stew" of plate',
    'deck feast "A feast" of dish',
    "define cheap = {d in dishes where d's cost < 2}",
    "for another",
    "",
    "    # nothing",
]
TOWN = """\
for the_city

card "Test Orchard" of development
  cost: 2
  income: 1
  copies: 2
  text
    | Costs 1 less if you have Apartments or Townhouse Rows.
    | 1 more point if you have Parks.

card "Test Landing" of development
  cost: 3
  points: 2
  cars: 1
  copies: 2
  text
    | Requires Housing Tracts or Apartments.
    | 1 point for each Test Orchard.
"""
TOWN_EDITS = [
    ("points: 2", "points: 4"),
    ('card "Test Orchard"', 'card "Aardvark Den"'),
    ("each Test Orchard", "each Aardvark Den"),
    ("Requires Housing", "Reqires Housing"),
    ("cars: 1", "cars: many"),
]


def told(path: Path, rules: str | None, where: Path | str) -> Checked:
    """What a process of its own would find with a cache there."""
    checking._judged.cache_clear()
    checking._kept.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.VARIABLE, str(where))
        return check([str(path)], rules)


def restored(path: Path, rules: str | None, where: Path) -> Checked:
    """The same, where nothing may be compiled but cards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "compile_frame", lambda *_: pytest.fail("it was compiled again"))
        return told(path, rules, where)


@pytest.fixture
def dishes(tmp_path: Path) -> Path:
    """The file of added dishes."""
    path = tmp_path / "dishes.rules"
    path.write_text(DISHES, "utf-8")
    return path


@pytest.fixture(scope="module")
def kept() -> Iterator[Path]:
    """A cache in which a check of the dishes was kept."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dishes.rules"
        path.write_text(DISHES, "utf-8")
        told(path, KITCHEN, Path(folder) / "kept")
        assert list((Path(folder) / "kept").glob("frame-*"))
        yield Path(folder)


@settings(max_examples=20, deadline=None)
@example([(2, 'card "Stew" of plate')])  # titles of a component the game does not have
@given(st.lists(st.tuples(st.integers(2, 14), st.sampled_from(LINES)), min_size=1, max_size=3))
def test_edits_find_what_a_check_from_nothing_finds(
    kept: Path, edits: list[tuple[int, str]]
) -> None:
    """Findings, their order and texts, and what is quoted, whichever lines become which others."""
    lines = DISHES.splitlines()
    for number, line in edits:
        lines[min(number, len(lines) - 1)] = line
    path = kept / "dishes.rules"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert told(path, KITCHEN, kept / "kept") == told(path, KITCHEN, "off")


def test_an_edited_text_needs_no_frame_to_be_compiled(dishes: Path, tmp_path: Path) -> None:
    """The frame is kept by what it is made of, not by the texts of the cards."""
    told(dishes, KITCHEN, tmp_path / "kept")
    dishes.write_text(DISHES.replace("Add 2", "Add 4").replace("cost: 3", "cost: 1"), "utf-8")
    expected = told(dishes, KITCHEN, "off")
    assert restored(dishes, KITCHEN, tmp_path / "kept") == expected


def test_an_edited_number_needs_no_parser(
    dishes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All texts are as they were, and what is read of those that name their own card is kept."""
    own = DISHES.replace("Add 2 if a Soup", "Add 2 if a Stew")
    dishes.write_text(own, "utf-8")
    before = told(dishes, KITCHEN, tmp_path / "kept")
    dishes.write_text(own.replace("cost: 3", "cost: 4"), "utf-8")
    monkeypatch.setattr(readings, "sentence_parser", lambda *_: pytest.fail("a parser was made"))
    after = restored(dishes, KITCHEN, tmp_path / "kept")
    assert [one.code for one in after.found] == [one.code for one in before.found]


def test_edits_of_a_large_game_find_the_same(tmp_path: Path) -> None:
    """Edits, a new title among them, are checked going on from the frame of the first check."""
    path, where = tmp_path / "town.rules", tmp_path / "kept"
    path.write_text(TOWN, "utf-8")
    told(path, None, where)
    text = TOWN
    for old, new in TOWN_EDITS:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    found = restored(path, None, where)
    assert found == told(path, None, "off") and found.found


def test_the_frame_of_a_game_with_laws_of_its_setup_is_kept(tmp_path: Path) -> None:
    """All that is kept of a check can be written, what the laws went by among it."""
    path = tmp_path / "bench.rules"
    card = 'card "Bench Orchard" of block'
    fields = "zone: agricultural", "stage: settlement", "value: 2", "pollution: -1"
    path.write_text("\n  ".join(("for simcity\n\n" + card, *fields)) + "\n", "utf-8")
    told(path, None, tmp_path / "kept")
    assert list((tmp_path / "kept").glob("frame-*"))


def test_damaged_entries_are_as_if_they_were_not_there(dishes: Path, tmp_path: Path) -> None:
    """Whatever bytes stand there, the findings are the same."""
    where = tmp_path / "kept"
    dishes.write_text(DISHES.replace("a Soup", "a Sooup"), "utf-8")
    expected = told(dishes, KITCHEN, where)
    (path,) = where.glob("frame-*")
    whole = path.read_bytes()
    for raw in (b"", b"rubbish", whole[:-9], whole.replace(b"FrameData", b"FrameDatb")):
        path.write_bytes(raw)
        assert told(dishes, KITCHEN, where) == expected
        assert path.read_bytes() == whole  # and made anew


def test_every_changed_value_is_noticed_or_fits(dishes: Path, tmp_path: Path) -> None:
    """An entry with a right digest and wrong contents raises nothing that is not ours."""
    where = tmp_path / "kept"
    told(dishes, KITCHEN, where)
    (path,) = where.glob("frame-*")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.VARIABLE, str(where))
        whole = cache.read(path.stem)
    assert whole is not None
    rng = random.Random(1)
    from interpreter.authoring.frame_cache import MEMOS
    from rulelang.compiler.codec import Unreadable
    from rulelang.compiler.frame_data import frame_from_text

    noticed = 0
    for _ in range(150):
        data = json.loads(whole)
        _, numbers, columns = rng.choice(data["runs"])
        row = rng.choice([numbers, *columns])
        row[rng.randrange(len(row))] = rng.choice([-1, 0, 10**9, None, True, "x", [], {}, 1.5])
        try:
            frame_from_text(json.dumps(data), None, (), (), MEMOS)
        except Unreadable:
            noticed += 1
    assert noticed > 75


def test_another_text_of_the_game_is_another_frame(tmp_path: Path) -> None:
    """Nothing of the game as it was before shows after the game was edited."""
    game, where = tmp_path / "kitchen", tmp_path / "kept"
    shutil.copytree(KITCHEN, game)
    path = tmp_path / "dishes.rules"
    path.write_text(DISHES, "utf-8")
    told(path, str(game), where)
    rules = next(game.glob("*.rules"))
    rules.write_text(
        rules.read_text("utf-8").replace('pattern "Add {n}', 'pattern "Gain {n}'), "utf-8"
    )
    found = told(path, str(game), where)
    assert found == told(path, str(game), "off")
    assert found.found


def test_a_cache_that_is_a_file_is_no_trouble(dishes: Path, tmp_path: Path) -> None:
    """Where nothing can be kept everything is found all the same."""
    where = tmp_path / "kept"
    where.write_text("a file", "utf-8")
    assert told(dishes, KITCHEN, where) == told(dishes, KITCHEN, "off")
