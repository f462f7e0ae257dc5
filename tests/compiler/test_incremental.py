"""A check after an edit: what is kept from the check before never shows, whatever was edited."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from interpreter.authoring.check import Unit, judge, units
from interpreter.game.loading import load_rules
from rulelang.analysis import ruleset_checks
from rulelang.compiler import cards, driver, scenarios
from rulelang.compiler.driver import CompileCache
from rulelang.diagnostics import CODES, Report
from rulelang.elaborate.hidden_information import HiddenReads
from rulelang.ruleset import Extension, Ruleset
from rulelang.ruleset.normalize import normal_extension

ROOT = Path(__file__).resolve().parents[2]
DECK = "deck.rules"
Edit = tuple[
    str, str, Callable[[str], str], str | None
]  # what it is, the file, what becomes of its text, the key of a code then found


def instead(old: str, new: str, times: int = 1) -> Callable[[str], str]:
    """The text with the first of one thing replaced by another."""
    return lambda text: text.replace(old, new, times)


def without(title: str) -> Callable[[str], str]:
    """The text without a card."""
    return lambda text: re.sub(rf'(?ms)^card "{re.escape(title)}".*?(?=^card |\Z)', "", text)


STEW = 'card "Stew" of dish\n  copies: 3\n  text\n    | Add 1 if a Stew is on the table.\n'
KITCHEN: list[Edit] = [
    (
        "a good sentence",
        "kitchen.rules",
        instead(
            "| Add 2 if a garden plant",
            "| Add 3 if a Soup is on the table. Add 2 if a garden plant",
        ),
        None,
    ),
    (
        "lines moved down",
        "kitchen.rules",
        instead('card "Soup"', '# More\n# to eat.\n\ncard "Soup"'),
        None,
    ),
    (
        "a sentence nobody can read",
        "kitchen.rules",
        instead("| Add 1 if a Custard", "| Sprinkle with sugar. Add 1 if a Custard"),
        "unknown-word",
    ),
    (
        "another field beside it",
        "kitchen.rules",
        instead("family: fruit\n  cost: 3", "family: herb\n  cost: 4"),
        "unknown-word",
    ),
    ("mended", "kitchen.rules", instead("Sprinkle with sugar. ", ""), None),
    (
        "a title that is taken",
        "kitchen.rules",
        lambda text: text + '\n\ncard "Soup" of dish\n  cost: 7\n',
        "title-taken",
    ),
    (
        "a card that is new",
        "kitchen.rules",
        instead('card "Soup" of dish\n  cost: 7\n', STEW),
        None,
    ),
    ("copies in a list", "kitchen.rules", instead("3 Roast", "1 Roast"), "advice-error"),
    (
        "a line that cannot be read",
        "kitchen.rules",
        instead("  copies: 3\n  text", "  copies 3\n  text"),
        "unexpected-word",
    ),
    ("a card taken away that another names", "kitchen.rules", without("Custard"), "unknown-noun"),
    (
        "a scenario of a name nobody gave",
        "kitchen.rules",
        lambda text: text + '\nscenario "odd"\n  start\n  expect count of nobody = 0\n',
        "unknown-name",
    ),
    ("that scenario mended", "kitchen.rules", instead("count of nobody = 0", "not ended"), None),
    (
        "another pattern",
        "kitchen.rules",
        instead('pattern "Add {n}', 'pattern "Gain {n}'),
        "unknown-word",
    ),
    (
        "another law",
        "kitchen.rules",
        instead("count of dishes >= 9", "count of dishes >= 10"),
        "unknown-word",
    ),
]

TOWN: list[Edit] = [
    (
        "a sentence that names another card, one nobody can read, another number, another title, "
        "a card taken away and one that is new",
        DECK,
        lambda text: (
            without("University")(text)
            .replace("| Requires Housing Tracts.", "| Requires a Hospital. Requires near Parks.", 1)
            .replace("cost: 6", "cost: 7", 1)
            .replace('card "Townhouse Row"', 'card "Terrace Row"')
            + '\n\ncard "Aardvark Den" of development\n  cost: 3\n  copies: 1\n'
            "  text\n    | 1 point for each Terrace Row.\n"
        ),
        "unknown-word",
    ),
]
GROVE: list[Edit] = [
    ("another title", "grove.rules", instead('card "Elder"', 'card "Alder"'), None),
    (
        "a text with the new title and one with the old",
        "grove.rules",
        instead("no stone adjacent", "no Alder adjacent to it, and if there is no Elder adjacent"),
        "unknown-noun",
    ),
    ("the old title again", "grove.rules", instead('card "Alder"', 'card "Elder"'), "unknown-noun"),
    (
        "neither",
        "grove.rules",
        instead("no Alder adjacent to it, and if there is no Elder", "no Elder"),
        None,
    ),
    ("a title that is a kind's word", "grove.rules", instead('card "Ivy"', 'card "Tree"'), None),
    ("a title with an s", "grove.rules", instead('card "Tree"', 'card "Elders"'), None),
    (
        "a card that is new",
        "grove.rules",
        lambda text: (
            text + '\n\ncard "Aa" of plant\n  what: tree\n  text\n'
            "    | +1 for each Elder next to it.\n"
        ),
        None,
    ),
    ("a card taken away that another names", "grove.rules", without("Elder"), None),
    (
        "a rule that names no card",
        "grove.rules",
        lambda text: text + '\n\ndefine lost = {x in in_play where x in "Quincetree"}\n',
        "unknown-title",
    ),
    ("a title that is nearer", "grove.rules", instead('card "Reed"', 'card "Quincetrees"'), None),
]


@pytest.mark.parametrize(
    ("rules", "left_out", "edits"),
    [
        ("tests/good/kitchen", (), KITCHEN),
        ("tests/good/grove", (), GROVE),
        ("rulesets/the_city", ("scenarios", "rulings.rules"), TOWN),
    ],
    ids=["kitchen", "grove", "the_city"],
)
def test_a_check_after_an_edit_finds_what_a_fresh_one_does(
    tmp_path: Path, rules: str, left_out: tuple[str, ...], edits: list[Edit]
) -> None:
    """Edits one upon the other: what is found after each, going on from the check before, is what
    is found with nothing kept, finding for finding.
    """
    folder = tmp_path / "rules"
    shutil.copytree(ROOT / rules, folder, ignore=shutil.ignore_patterns(*left_out))
    unit, kept = units([str(folder)])[0][0], CompileCache()
    judge(unit, kept)
    for what, name, edit, key in edits:
        path = folder / name
        before = path.read_text("utf-8")
        path.write_text(edit(before), "utf-8")
        assert path.read_text("utf-8") != before, what
        sources, found = judge(unit, kept)
        assert key is None or CODES[key].code in {item.code for item in found}, (what, found)
        fresh = CompileCache()
        assert (sources, found) == judge(unit, fresh), what
        if rules == "tests/good/grove":
            assert meanings(unit, kept) == meanings(unit, fresh), what


def meanings(unit: Unit, kept: CompileCache) -> list[Extension]:
    """What the sentences of all cards mean."""
    return [normal_extension(made) for made in unit.load(kept).compiled.rules.extensions]


def test_the_benchmark_of_checks_runs() -> None:
    """It measures a check of the kitchen in all four ways."""
    command = [
        sys.executable,
        str(ROOT / "tests/benchmarks/checks.py"),
        "--rules",
        str(ROOT / "tests/good/kitchen"),
        "--edits",
        "1",
        "--json",
    ]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert set(found) == {"cold", "first", "unchanged", "after an edit"}
    assert len(found["after an edit"]) == 1


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One number for each time that rules were compiled."""
    made, once = list[int](), driver.compile_frame

    def counted(*given: object) -> object:
        made.append(1)
        return once(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(driver, "compile_frame", counted)
    return made


def test_another_scenario_compiles_no_rules_anew(frames: list[int]) -> None:
    """Of a scenario that comes, changes and goes, only it is compiled."""
    kept = CompileCache()
    tail = '\n\nscenario "tried"\n  start\n  expect {}\n'
    for cond, wrong in (("not ended", 0), ("count of nobody = 0", 1), ("not ended", 0)):
        text = f"for kitchen{tail.format(cond)}"
        loaded = load_rules("tests/good/kitchen", (), [("t.rules", text)], tests=False, kept=kept)
        assert len(loaded.compiled.report.errors) == wrong
    assert len(frames) == 1


def test_a_title_that_only_a_scenario_asks_for_compiles_no_rules_anew(frames: list[int]) -> None:
    """The scenario is compiled again, and the card is missed there."""
    kept = CompileCache()
    asks = 'scenario "tried"\n  start\n  expect some d in dishes where d is "{}"\n'
    for title, asked, wrong in (
        ("Stew", "Stew", 0),
        ("Broth", "Stew", 1),
        ("Broth", "Broth", 0),
        ("Stew", "Broth", 1),
        ("stew", "Stew", 0),
    ):
        text = f'for kitchen\n\ncard "{title}" of dish\n  course: main\n\n{asks.format(asked)}'
        loaded = load_rules("tests/good/kitchen", (), [("t.rules", text)], tests=False, kept=kept)
        assert len(loaded.compiled.report.errors) == wrong, (title, asked)
    assert len(frames) == 1


def test_another_wording_has_no_secrets_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What boards show and players may know hangs on the rules, and on no wording of a text; on
    what the rules say it does.
    """
    asked, once = list[object](), ruleset_checks._check_secrets

    def counted(rules: Ruleset, report: Report, hidden: HiddenReads) -> None:
        asked.append(rules)
        once(rules, report, hidden)

    monkeypatch.setattr(ruleset_checks, "_check_secrets", counted)
    path, kept = tmp_path / "kitchen.rules", CompileCache()
    text = Path("tests/good/kitchen/kitchen.rules").read_text("utf-8")
    found = []
    for said in (
        text,
        text.replace('pattern "', 'pattern "Also ', 1),
        text.replace("move d to table", "move d to p's hand"),
    ):
        path.write_text(said, "utf-8")
        load_rules(str(path), kept=kept)
        found.append(len(asked))
    assert found == [1, 1, 2]


def test_another_wording_has_no_card_and_no_scenario_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cards print and what scenarios do rests on the rules, and on no wording of a text; on
    the order of what the rules list.
    """
    made = list[str]()

    def counted(module: ModuleType, name: str) -> None:
        once = getattr(module, name)

        def counting(*given: object) -> object:
            made.append(name)
            return once(*given)

        monkeypatch.setattr(module, name, counting)

    counted(cards, "_card")
    counted(scenarios, "_recorded")
    path, kept = tmp_path / "kitchen.rules", CompileCache()
    text = Path("tests/good/kitchen/kitchen.rules").read_text("utf-8")
    counts = []
    for before, after in (
        ("", ""),
        ('pattern "', 'pattern "Also '),
        ("in order: starter, main, sweet", "in order: starter, sweet, main"),
    ):
        assert before in text
        path.write_text(text.replace(before, after, 1), "utf-8")
        made.clear()
        designs = load_rules(str(path), kept=kept).compiled.rules.designs
        counts.append((made.count("_card"), made.count("_recorded")))
        assert designs == load_rules(str(path), kept=CompileCache()).compiled.rules.designs
    brings_a_list = text.count("\n  deck of ")  # a scenario that rests on what cards there are
    everything = text.count("\ncard "), text.count("\nscenario ")
    assert counts == [everything, (0, brings_a_list), everything]


def test_clauses_stand_as_they_are_written_whichever_is_compiled_first(tmp_path: Path) -> None:
    """A definition is compiled when another asks for it, and kept ones are not asked for again."""
    path, kept = tmp_path / "kitchen.rules", CompileCache()
    text = Path("tests/good/kitchen/kitchen.rules").read_text("utf-8")
    asks = "\n\ndefine late gives number = later + 1\ndefine later gives number = 2\n"
    orders = []
    for more in (asks, asks.replace("= 2", "= 3")):
        path.write_text(text + more, "utf-8")
        for memo in (kept, CompileCache()):
            loaded = load_rules(str(path), tests=False, kept=memo)
            clauses = loaded.compiled.rules.clauses.values()
            orders.append([clause.id for clause in clauses])
            lines = [
                c.span.line
                for c in clauses
                if c.kind == "define" and not c.span.file.startswith("english")
            ]
            assert lines == sorted(lines)
    assert all(order == orders[0] for order in orders)
