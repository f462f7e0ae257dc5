"""Every mistake the table knows is made once, on purpose: one small program for each code, and what
is said about it beside the program.
"""

from __future__ import annotations

import cProfile
import os
from collections import Counter
from pathlib import Path
from shutil import copytree

import pytest
from compiling import BAD, drawn, findings, findings_of, inside, internal
from hostile_texts import HOSTILE, TOWN

import rulesets
from interpreter.authoring.check import check, never_kept
from interpreter.game.game import game_of, load
from interpreter.game.loading import RulesError, load_rules, read_source
from interpreter.game.record_error import RecordError
from interpreter.model.values import Fault
from interpreter.scenarios.scenario import run_all
from rulelang.diagnostics import CODES, Diagnostic, Report, draw, finding
from rulelang.diagnostics.source import MAX_BYTES, NOWHERE, Source, Span
from rulelang.syntax import lalr, parser
from rulelang.syntax.nodes import Node

UPDATE = bool(os.environ.get("UPDATE_SNAPSHOTS"))
PROGRAMS = sorted(BAD.glob("*.rules"))
ELSEWHERE = {
    "file-too-large",
    "not-found",
    "unreadable",
    "unknown-game",
    "scenario-failed",
    "bad-save",
    "fault",
    "broken-law",
    "law-undecided",
}  # made in tests below
ELSEWHERE |= {
    "advice-error",
    "advice-warning",
    "advice-note",
    "never-stays",
}  # made in tests/game/test_advice.py and tests/analysis/test_card_lints.py
ELSEWHERE |= {"does-not-fit"}  # made in tests/paper/test_print.py
ELSEWHERE |= {"empty-file", "no-flow", "never-finished"}  # made in tests/cli/test_cli.py


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program_gets_its_finding_and_no_other(path: Path) -> None:
    """Word for word as it was read aloud, in the author's words and in his place."""
    found, sources = findings_of(path)
    assert [item.code for item in found] == [CODES[path.stem].code], drawn(found, sources)
    snapshot = path.with_suffix(".txt")
    text = drawn(found, sources)
    if UPDATE:
        snapshot.write_text(text, "utf-8")
    assert snapshot.read_text("utf-8") == text
    for item in found:
        assert inside(item.span, sources[item.span.file])
        assert internal(item, sources[item.span.file]) is None


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program_is_short(path: Path) -> None:
    assert 2 <= len(path.read_bytes().strip().split(b"\n")) <= 18


def test_every_code_has_a_program() -> None:
    assert {path.stem for path in PROGRAMS} | ELSEWHERE == set(CODES)
    assert not {path.stem for path in PROGRAMS} & ELSEWHERE
    assert {path.stem for path in BAD.glob("*.txt")} == {path.stem for path in PROGRAMS}


def test_codes_are_told_apart() -> None:
    assert len({code.code for code in CODES.values()}) == len(CODES)
    assert {code.severity for code in CODES.values()} <= {"error", "warning", "note"}


def codes(text: str | bytes) -> list[str]:
    """The codes of a text's findings, by line."""
    found, _ = findings(
        {"town.rules": text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text}
    )
    return [item.code for item in found]


# -------------------------------------------------- what only loading and play bring up
def test_file_too_large() -> None:
    assert codes(TOWN + "#" * MAX_BYTES) == [CODES["file-too-large"].code]


def test_not_found(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(str(tmp_path / "nowhere.rules"))
    assert [item.code for item in caught.value.found] == [CODES["not-found"].code]


def test_unreadable(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(str(tmp_path))
    assert [item.code for item in caught.value.found] == [CODES["unreadable"].code]
    report = Report()
    assert read_source(tmp_path, "a folder", report) is None
    assert [item.code for item in report.found] == [CODES["unreadable"].code]


def test_a_refused_file_is_quoted(tmp_path: Path) -> None:
    path = tmp_path / "town.rules"
    path.write_bytes(b'game town "Town"\rkind tree: oak, li\xffme\r')
    loaded = load_rules(str(path))
    (item,) = loaded.findings()
    assert "  2 | kind tree: oak, li\ufffdme\n" in loaded.draw(item)


def test_unknown_game() -> None:
    with pytest.raises(RulesError) as caught:
        load_rules("big_cty")
    assert [(item.code, item.fixes) for item in caught.value.found] == [
        (CODES["unknown-game"].code, ("Did you mean `big_city`?",))
    ]


def town(folder: Path, text: str) -> str:
    """A game of this text in a file of its own."""
    path = folder / "town.rules"
    path.write_text(TOWN + text, "utf-8")
    return str(path)


def test_scenario_failed(tmp_path: Path) -> None:
    loaded = load_rules(
        town(tmp_path, 'state coins: number = 0\nscenario "rich"\n  expect coins = 3\n')
    )
    (outcome,) = run_all(loaded)
    assert not outcome.passed
    item = finding("scenario-failed", outcome.span, why=outcome.message)
    assert item.code == CODES["scenario-failed"].code
    assert "  expect coins = 3\n" in draw(item, loaded.sources.get)
    assert internal(item, None) is None


FLOW = (
    "  players: 1\nstate coins: number = 0\nflow\n  repeat\n    take one of pass by p1\n"
    "action pass(p: player)\n"
)


def test_bad_save(tmp_path: Path) -> None:
    game = load(town(tmp_path, FLOW + "  add 1 to coins\n"))
    record = game.record(game.start())
    for spoiled in (
        {},
        {**record, "seed": "one"},
        {**record, "rules": "others"},
        {**record, "digest": "another"},
        [],
        None,
        {**record, "more": 1},
    ):
        with pytest.raises(RecordError) as caught:
            game.replay(spoiled)
        item = finding("bad-save", NOWHERE, why=str(caught.value))
        assert (
            draw(item, {}.get)
            == f"error {CODES['bad-save'].code}: This record cannot be used: {caught.value}."
        )
        assert "pydantic" not in item.message


def test_fault(tmp_path: Path) -> None:
    loaded = load_rules(town(tmp_path, FLOW + "  set coins to 3 / coins rounded down\n"))
    assert not loaded.findings()
    state = game_of(loaded, None, (), {}).start()
    with pytest.raises(Fault) as caught:
        state.play(0, action="pass")
    assert "a division by 0" in finding("fault", NOWHERE, why=str(caught.value)).message


# -------------------------------------------------------------- all mistakes in one run
def test_all_mistakes_are_told_in_one_run() -> None:
    text = """game town "Town"
state coins of player: number = 0
state debts of player: numbr = 0

define rich(p: player) = p's coins >

event earn(p: player, n: number)
  add n to p's coyns
  subtract n form p's debts

score wealth(p: player)
  start p's coins "coins"
  + "luck"
"""
    found, _ = findings({"town.rules": text.encode()})
    assert [item.span.line for item in found] == [3, 5, 8, 9, 13]
    assert len({item.message for item in found}) == 5


def test_what_follows_from_a_mistake_is_not_told() -> None:
    """A declaration that cannot be read is missing elsewhere: that is no second mistake."""
    assert (
        len(
            codes(
                TOWN + 'event earn(p: player\n  do nothing\nrules of earn(p)\n  "never"  false\n'
                "flow\n  do earn(p1)\n"
            )
        )
        == 1
    )
    assert (
        len(
            codes(
                TOWN + "kind tree: oak, , lime\ncomponent plot\n  tree: tree\n"
                "define green(x: plot) = x is oak\n"
            )
        )
        == 1
    )
    assert len(codes(TOWN + "flow\n  each p in turn\n    set\n")) == 1


# ----------------------------------------------------------------- files from strangers
def test_declarations_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows more than one ruleset may have is not read, in none of its files."""
    monkeypatch.setattr(parser, "MAX_DECLARATIONS", 100)
    files = {
        f"{name}.rules": "".join(f"define {name}{i} = {i}\n" for i in range(70)) for name in "abc"
    }
    found, _ = findings({name: (TOWN + text).encode() for name, text in files.items()})
    more = [item for item in found if item.code == CODES["too-many"].code]
    assert [(item.span.file, item.span.line) for item in more] == [("b.rules", 30)]
    assert {item.code for item in found} <= {CODES["too-many"].code, CODES["second-game"].code}


def test_a_list_is_not_copied_with_each_member() -> None:
    """A list of members is parsed by one list that grows: else 50,000 of them take minutes."""
    made: list[int] = []
    real = lalr._parts

    def parts(rule: lalr.Reduction, taken: list[lalr.Value]) -> list[Node | None]:
        before = {id(value[0]) for value in taken if isinstance(value[0], list)}
        found = real(rule, taken)
        if before and len(found) > 50:
            made.append(id(found) in before)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lalr, "_parts", parts)
        found, _ = findings({"a.rules": (TOWN + "kind k: " + ", ".join(MEMBERS)).encode()})
    assert not found and len(made) > 100 and all(made[:-1])


MEMBERS = [f"m{i}" for i in range(200)]


# Functions called by one check, whoever sent the text: so many and so many more for each letter.
# A sentence of many readings has a bound of its own, for it has 60 words at most.
CALLS, CALLS_OF_A_LETTER = 1_000_000, 25
CALLS_OF_A_SENTENCE = 4_000_000


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_bounded(name: str) -> None:
    """The work is counted, in calls of functions, and grows at most with the letters."""
    text, expected = HOSTILE[name][0](), HOSTILE[name][1]
    counted = cProfile.Profile(subcalls=False, builtins=False)
    counted.enable()
    found, sources = findings({"town.rules": text.encode("utf-8", "surrogatepass")})
    shown = drawn(found[:200], sources)
    counted.disable()
    calls = sum(entry.callcount for entry in counted.getstats())
    sentence = CALLS_OF_A_SENTENCE if expected == {"ambiguous"} else 0
    assert 0 < calls <= CALLS + CALLS_OF_A_LETTER * len(text) + sentence
    assert {item.code for item in found} <= {CODES[key].code for key in expected}, drawn(
        found[:5], sources
    )
    assert bool(found) == bool(expected)
    assert not any((ord(char) < 32 and char != "\n") or char == "\u202e" for char in shown)
    assert all(len(line) <= 1_000 for line in shown.split("\n"))
    for item in found[:200]:
        assert inside(item.span, sources["town.rules"])
        assert internal(item, sources["town.rules"]) is None


def test_a_long_line_is_quoted_in_part() -> None:
    source = Source("town.rules", "x" * 900 + "?" + "y" * 900)
    item = Diagnostic("X001", "error", "Here.", Span("town.rules", 1, 901, 1, 902))
    quoted, caret = draw(item, {"town.rules": source}.get).split("\n")[-2:]
    assert len(quoted) < 200
    assert quoted[caret.index("^")] == "?"


def test_fewer_copies_than_none_are_mended() -> None:
    """On a card as in a row, what leaves the piece out is said."""
    rows = (
        TOWN
        + 'component house\n  pieces title, copies\n    | "a" -3\ncard "b" of house\n  copies: -1\n'
    )
    found, _ = findings({"town.rules": rows.encode()})
    assert [(item.span.line, item.fixes) for item in found] == [
        (line, ("Write 0 to leave the piece out.",)) for line in (4, 6)
    ]


LAWS = """game town "Town"
  players: 1 to 3
option size: 4, 6
component house
  pieces title, copies
    | cottage 4
    | villa   3
place yard: house, full
invariant "eight houses in the box"  count of houses = 8
invariant "a large town is not for one"  count of players > 1  when size = 6
"""


def test_law_that_no_settings_keep(tmp_path: Path) -> None:
    """A wrong sum of pieces is told by the check, with the sum there should be and the one there
    is; a law that some settings keep is not.
    """
    path = tmp_path / "town.rules"
    path.write_text(LAWS, "utf-8")
    found = check([str(path)]).found
    assert [(item.code, item.span.line) for item in found] == [(CODES["broken-law"].code, 9)]
    assert (
        "eight houses in the box" in found[0].message
        and "8" in found[0].message
        and "it is 7" in found[0].message
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "label", "sums"),
    [
        ("bicolor", "copies: 2", "copies: 1", "16 bicolor cards", ("exactly 16", "it is 15")),
        ("industries", "copies: 6", "copies: 7", "24 industries", ("exactly 24", "it is 25")),
        (
            "deck",
            "6  when c = residence, level",
            "7  when c = residence, level",
            "the simplified deck lasts",
            ("it is 21, not 20",),
        ),
        (
            "deck",
            "9  when c = residence",
            "8  when c = residence",
            "the deck for three lasts",
            ("it is 26, not 27",),
        ),
        (
            "deck",
            "5  when c = parking    ",
            "6  when c = parking    ",
            "the deck lasts",
            ("it is 25, not 24",),
        ),
    ],
)
def test_data_with_a_wrong_total_are_named(
    tmp_path: Path, file: str, old: str, new: str, label: str, sums: tuple[str, ...]
) -> None:
    """A number that is wrong under some settings only is found as well: the law is named, its file,
    the sum there is and the one there should be.
    """
    copytree(Path(rulesets.root()) / "card_city_xl", tmp_path / "own")
    path = tmp_path / "own" / "data" / f"{file}.rules"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    told = [
        item
        for item in never_kept(load_rules(str(tmp_path / "own"), tests=False))
        if f"“{label}" in item.message
    ]
    assert [Path(item.span.file).name for item in told] == [path.name] and all(
        words in told[0].message for words in sums
    )


def test_law_that_these_settings_break(tmp_path: Path) -> None:
    """Settings that do not go together are refused before setup, and the reason is the law's own
    words.
    """
    path = tmp_path / "town.rules"
    laws = LAWS.replace("villa   3", "villa   4")
    path.write_text(f"{laws}\nflow\n  do nothing\n", "utf-8")
    assert check([str(path)]).found == []
    with pytest.raises(RulesError) as caught:
        load(str(path), players=1, options={"size": 6})
    assert [item.code for item in caught.value.found] == [CODES["broken-law"].code]
    assert "a large town is not for one" in caught.value.found[0].message
    load(str(path), players=2, options={"size": 6})
    load(str(path), players=1, options={"size": 4})


@pytest.mark.parametrize(
    ("law", "code"),
    [
        ("c = 15", None),  # kept, though by a value far down in the product of all options
        ("c = 16", "broken-law"),
        ("c = 15, count of players > 9", "broken-law"),
        ("a + b + c + d + e = 99", "law-undecided"),
    ],
)
def test_a_law_is_held_against_the_options_it_reads(
    tmp_path: Path, law: str, code: str | None
) -> None:
    """However many others there are; where those are too many, that is said."""
    values = ", ".join(map(str, range(1, 16)))
    options = "".join(f"option {name}: {values}\n" for name in "abcde")
    path = tmp_path / "town.rules"
    path.write_text(f'{TOWN}  players: 1 to 3\n{options}invariant "law"  {law}\n', "utf-8")
    found = never_kept(load_rules(str(path)))
    assert [item.code for item in found] == ([CODES[code].code] if code else [])
    assert all("“law”" in item.message for item in found)


SEEDS = """kind plant: flower, tree, moss
component seed
  plant: plant
component pair
  left: plant
  right: plant
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("define nice(x: seed) = x is flower or tree\n", "Say `is tree` as well"),
        ("define nice(x: seed) = x is flower and tree\n", "Say `is tree` as well"),
        (
            "define nice(x: pair) = x is flower\n",
            "several fields that are a plant: name the one that is meant, as in `'s left is`",
        ),
    ],
)
def test_a_word_that_lacks_its_is_or_its_field(line: str, told: str) -> None:
    """What was meant is plain to a reader, so the fix says how to write it.

    Written so, it is right.
    """
    (item,), _ = findings({"town.rules": (TOWN + SEEDS + line).encode()})
    assert item.code == CODES["wrong-type"].code and told in " ".join(item.fixes)
    good = (
        "define this(x: seed) = x is (flower or tree)\n"
        "define that(x: seed) = x is flower or x is tree\n"
        "define third(x: pair) = x's left is flower\n"
    )
    assert codes(TOWN + SEEDS + good) == []


def test_every_code_is_of_one_diagnostic() -> None:
    """Codes are never shared: what is told can be looked up by its code alone."""
    codes = [code.code for code in CODES.values()]
    assert [code for code, times in Counter(codes).items() if times > 1] == []
