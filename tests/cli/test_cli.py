"""The command line: each command does its work, gives plain data when asked, and tells every
mistake in words with the right exit status.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.authoring import check
from interpreter.cli import author
from interpreter.cli.main import main
from interpreter.game.loading import load_rules

ROOT = Path(__file__).resolve().parents[2]
TICK = "tests/good/tic_tac_toe"
HEX = "tests/good/hex"
SIMS = "tests/good/sims"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in this process, where the project lies, with nobody at the keyboard."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))

    def do(*argv: object) -> tuple[int, str, str]:
        status = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return do


def data(run: Run, *argv: object) -> tuple[int, Any]:
    """The plain data a command gives; nothing else may stand on standard output."""
    status, out, _ = run(*argv, "--json")
    return status, json.loads(out)


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.rules").write_text(text, "utf-8")
    return folder


# -------------------------------------------------------------------------------- games
def test_games_are_listed(run: Run) -> None:
    """Every folder of rules that comes along is named with its players, variants and options."""
    status, found = data(run, "games")
    assert status == 0
    game = next(g for g in found if g["id"] == "big_city")
    assert game["title"] == "Big City" and game["players"] == [2, 5]
    assert set(game) == {"id", "title", "players", "variants", "options", "decks"}
    status, out, _ = run("games")
    assert status == 0 and "big_city" in out and "2 to 5 players" in out


# -------------------------------------------------------------------------------- check
def test_a_right_file_has_no_findings(run: Run) -> None:
    """Nothing to complain of is exit status 0."""
    assert data(run, "check", TICK, HEX) == (0, {"files": 2, "diagnostics": []})
    status, out, err = run("check", TICK)
    assert (status, err) == (0, "") and "1 file" in out


def test_a_finding_has_its_place_and_its_mending(run: Run) -> None:
    """A finding in plain data says where it is, from and to; in words it quotes the line."""
    path = "tests/bad/wrong-type.rules"
    status, found = data(run, "check", path)
    assert status == 1 and found["files"] == 1
    (item,) = found["diagnostics"]
    assert (
        item["code"] == "T001"
        and item["file"] == path
        and (item["line"], item["column"]) == (5, 38)
    )
    assert set(item) == {
        "code",
        "severity",
        "message",
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "notes",
        "fixes",
    }
    status, out, _ = run("check", path)
    assert status == 1 and "^" in out and "1 error" in out


def test_each_file_of_a_folder_of_mistakes_is_checked_alone(run: Run, tmp_path: Path) -> None:
    """A folder in which several files begin a game is no ruleset: each file is one.

    A file without a game says so.
    """
    for name in ("no-order", "second-game", "no-game"):
        shutil.copy(ROOT / "tests" / "bad" / f"{name}.rules", tmp_path)
    status, found = data(run, "check", tmp_path)
    assert status == 1 and found["files"] == 3
    codes = {(Path(item["file"]).stem, item["code"]) for item in found["diagnostics"]}
    assert codes == {("no-order", "T003"), ("second-game", "N023"), ("no-game", "N024")}


def test_missing_paths_and_empty_folders_are_findings(run: Run, tmp_path: Path) -> None:
    """What is not there is told as a finding, with the others."""
    status, found = data(run, "check", "nowhere.rules", tmp_path, TICK)
    assert status == 1 and found["files"] == 2
    assert [item["code"] for item in found["diagnostics"]] == ["F006", "F007"]


def test_only_named_files_of_a_ruleset_are_reported(run: Run, tmp_path: Path) -> None:
    """Files of one folder belong together, and findings about files nobody named stay out."""
    one = 'game tiny "Tiny"\n  players: 2\n\nstate coins of player: number = start_coins\n'
    write(tmp_path, one=one, two="define start_coins = 3\n\ndefine wrong = nothing_known\n")
    status, found = data(run, "check", tmp_path / "one.rules")
    assert (status, found["diagnostics"]) == (0, [])
    status, found = data(run, "check", tmp_path / "two.rules")
    assert [item["code"] for item in found["diagnostics"]] == ["N001"]
    status, found = data(run, "check", tmp_path)
    assert (status, found["files"], len(found["diagnostics"])) == (1, 2, 1)


def test_additions_are_checked_on_their_game(run: Run, tmp_path: Path) -> None:
    """A file that begins with `for` finds its game nearby or where `--rules` says.

    One for no known game is told.
    """
    (tmp_path / "game").mkdir()
    write(
        tmp_path / "game", one='game tiny "Tiny"\n  players: 2\ncomponent chip\n  worth: number\n'
    )
    cards = tmp_path / "cards"
    cards.mkdir()
    write(
        cards,
        good='for tiny\ncard "Big" of chip\n  worth: 3\n',
        bad='for tiny\ncard "Odd" of chip\n  wroth: 3\n',
    )
    status, found = data(run, "check", cards)
    assert status == 1 and found["files"] == 2
    assert [(Path(item["file"]).stem, item["code"]) for item in found["diagnostics"]] == [
        ("bad", "N003")
    ]
    write(tmp_path, lost="for nowhere\n")
    status, found = data(run, "check", tmp_path / "lost.rules")
    assert [item["code"] for item in found["diagnostics"]] == ["N017"]
    assert (
        data(run, "check", tmp_path / "lost.rules", "--rules", TICK)[1]["diagnostics"][0]["code"]
        == "N028"
    )


def test_homemade_cards_of_a_game_that_comes_along_are_checked(run: Run) -> None:
    """The findings are the file's own; those of the game are not its affair."""
    status, found = data(run, "check", "tests/bad/unknown-word.rules")
    assert status == 1 and found["files"] == 1
    assert [(item["code"], item["line"], item["column"]) for item in found["diagnostics"]] == [
        ("C001", 8, 25)
    ]


def test_what_there_is_nothing_of_is_told(run: Run, tmp_path: Path) -> None:
    """A file in which nothing is declared, and a game in which nobody has anything to decide."""
    write(tmp_path, one='game tiny "Tiny"\n  players: 2\n\n', two="# later\n\n")
    status, found = data(run, "check", tmp_path)
    assert status == 1
    assert [(Path(item["file"]).stem, item["code"]) for item in found["diagnostics"]] == [
        ("two", "F008")
    ]
    assert "fix: Begin it with `game" in run("check", tmp_path / "two.rules")[1]
    (tmp_path / "two.rules").unlink()
    status, found = data(run, "check", tmp_path)
    assert status == 1 and [item["code"] for item in found["diagnostics"]] == ["P006"]
    write(tmp_path, one='game tiny "Tiny"\n  players: 2\nflow\n  do nothing\n')
    assert data(run, "check", tmp_path)[1]["diagnostics"] == []


def test_an_end_that_waits_for_what_is_never_finished_is_told(run: Run, tmp_path: Path) -> None:
    """Without `finish round` an `end … at round` never ends a game."""
    flow = "flow\n  repeat 2 times\n    LINE\nend late at round when count of players > 1\n"
    text = 'game tiny "Tiny"\n  players: 2\n' + flow
    write(tmp_path, one=text.replace("LINE", "do nothing"))
    status, found = data(run, "check", tmp_path)
    assert status == 1
    assert [(item["code"], item["line"]) for item in found["diagnostics"]] == [("P007", 6)]
    write(tmp_path, one=text.replace("LINE", "finish round"))
    assert data(run, "check", tmp_path)[1]["diagnostics"] == []


COLUMNS = """game tiny "Tiny"
  players: 2
component mark
  worth: number
  HEADING title, worth
    | "Nought" 3
    | "Cross" 3
component coin
board map
  grid: square, 3 by 3
  cells: cell
  lying: mark on cell
place supply: mark, full
state price of cell: number = 0
flow
  do nothing
scenario "one"
  board map
    | A B .
    | . . .
    | . . SIGN
    "A": LEGEND
    "B": 3
    "C": marks
  expect count of supply = 1
"""


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({}, "", ""),
        ({"HEADING": "peices"}, "S002", "expected `pieces`"),
        ({"LEGEND": '"Nougt"'}, "N006", "Did you mean `Nought`"),
        ({"LEGEND": "coins"}, "T001", "a mark or the value of one variable"),
        ({"LEGEND": "true"}, "T001", "truth"),
        ({"LEGEND": "nought"}, "N001", "nought"),
        ({"SIGN": "D"}, "N001", '`"D": …`'),
    ],
)
def test_headings_and_legends_are_held_against_what_there_is(
    run: Run, tmp_path: Path, change: dict[str, str], code: str, said: str
) -> None:
    """A heading that is nearly right, a legend that names no piece, a sign without a legend."""
    text = COLUMNS
    for word, usual in (("HEADING", "pieces"), ("LEGEND", '"Nought"'), ("SIGN", "C")):
        text = text.replace(word, change.get(word, usual))
    found = data(run, "check", write(tmp_path, one=text))[1]
    assert [item["code"] for item in found["diagnostics"]] == [code] * bool(code)
    assert said in run("check", tmp_path)[1]


def test_variants_are_checked_too(run: Run, tmp_path: Path) -> None:
    """What is wrong only under a variant is found."""
    text = (
        'game tiny "Tiny"\n  players: 2\nstate coins: number = 0\nvariant more "More"\n'
        "  replace define worth = 1\n"
    )
    status, found = data(run, "check", write(tmp_path, one=text))
    assert status == 1 and [item["code"] for item in found["diagnostics"]] == ["N026"]


def test_a_file_that_is_no_text_is_a_finding(run: Run, tmp_path: Path) -> None:
    """Bytes that are no UTF-8 do not stop the run."""
    (tmp_path / "x.rules").write_bytes(b"game x \xff\xfe\n")
    assert data(run, "check", tmp_path / "x.rules")[1]["diagnostics"][0]["code"] == "F002"


# --------------------------------------------------------------------- phrases, explain
def test_phrases_are_listed_with_examples(run: Run) -> None:
    """Every wording has its sort and an example; a word narrows them.

    An unknown one is a finding.
    """
    status, found = data(run, "phrases", SIMS)
    assert status == 0
    wording = {
        "sort": "spot",
        "text": "adjacent",
        "example": "adjacent",
        "forms": [],
        "cites": ["SC-182"],
    }
    assert any(wording.items() <= entry.items() for entry in found["phrases"])
    assert any(
        entry["sort"] == "sentence" and entry["example"].startswith("Add 2 to each")
        for entry in found["phrases"]
    )
    status, out, _ = run("phrases", SIMS, "receive")
    assert status == 0 and "Receive {n} for each {k} in the city." in out and "adjacent" not in out
    assert run("phrases", SIMS, "dragon")[0] == 1
    status, found = data(run, "phrases", TICK)
    assert status == 1 and found["diagnostics"][0]["code"] == "C006"


def test_a_text_is_explained_sentence_by_sentence(run: Run) -> None:
    """Every sentence has its readings, what they do, and its findings."""
    text = "Add 2 to each home placed adjacent. Add 2 to each dragon."
    status, found = data(run, "explain", SIMS, text)
    assert status == 1
    good, bad = found["sentences"]
    assert good["text"] == "Add 2 to each home placed adjacent." and good["diagnostics"] == []
    assert good["readings"][0]["paraphrase"] == "Add 2 to each home placed adjacent."
    assert any("worth" in line for line in good["readings"][0]["effects"])
    assert (
        bad["readings"] == []
        and bad["diagnostics"][0]["code"] == "C001"
        and bad["diagnostics"][0]["column"] == 51
    )
    status, out, _ = run("explain", SIMS, "Market Square")
    assert status == 0 and "Add 2 to each shop placed adjacent." in out and "add 2" in out


def test_a_title_explains_what_is_printed_and_every_sentence(run: Run) -> None:
    """A card is told with its fields, its copies and its sentences.

    A piece without a text has fields alone; a mere text has no fields.
    """
    status, found = data(run, "explain", "the_city", "freeway interchange")
    card = next(
        d for d in load_rules("the_city").compiled.rules.designs if d.title == "Freeway Interchange"
    )
    assert status == 0
    assert (
        found["card"]["title"] == "Freeway Interchange"
        and found["card"]["component"] == "development"
        and found["card"]["copies"] == card.copies
    )
    assert {name: int(value) for name, value in found["card"]["fields"].items()} == {
        name: value for name, value in card.values if value
    }
    assert [sentence["text"] for sentence in found["sentences"]] == [
        "Requires a Freeway.",
        "1 point for each car.",
        "1 income for each car.",
    ]
    status, found = data(run, "explain", "tests/good/sealed", "Corner Grocer")
    assert status == 0 and found["sentences"] == []
    assert found["card"]["fields"] == {"cost": "2", "income": "1", "points": "1", "symbols": "shop"}
    assert data(run, "explain", "the_city", "1 income for each car.")[1]["card"] is None


def test_a_card_that_is_refused_can_be_explained(run: Run, tmp_path: Path) -> None:
    """The card of an added file is explained even if it is left out of the game."""
    text = (
        'for sims\ncard "Shed" of block\n  zone: civic\n  text\n    | Must be placed adjacent.\n'
        "    | Must be plaid.\n"
    )
    write(tmp_path, shed=text)
    status, found = data(run, "explain", SIMS, "shed", "--with", tmp_path / "shed.rules")
    assert status == 1
    assert [len(sentence["readings"]) for sentence in found["sentences"]] == [1, 0]


def test_all_readings_of_a_sentence_are_shown(run: Run) -> None:
    """A sentence with two readings shows both in words, and says whether a position tells them
    apart.
    """
    status, found = data(run, "explain", "tests/bad/ambiguous.rules", "Add 2 if not late and late.")
    (sentence,) = found["sentences"]
    assert status == 1 and len(sentence["readings"]) == 2
    assert sentence["readings"][0]["effects"] != sentence["readings"][1]["effects"]
    assert (
        sentence["diagnostics"][0]["code"] == "C003"
        and "differ" in sentence["diagnostics"][0]["notes"][-1]
    )


def test_a_text_is_read_as_on_a_card_of_a_title(run: Run) -> None:
    """The title is given, or it is that name in the text that the game has not."""
    status, found = data(run, "explain", "tests/good/grove", "The Hut gives 2 points.")
    assert status == 0 and found["card"] is None and found["sentences"][0]["title"] == "Hut"
    more = ("--title", "Old Hut")
    status, found = data(run, "explain", "tests/good/grove", "The hut gives 2 points.", *more)
    assert status == 0 and found["sentences"][0]["title"] == "Old Hut"
    status, out, _ = run("explain", "tests/good/grove", "Gives 2 points.", *more)
    assert status == 0 and "as on a card titled “Old Hut”" in out


def test_empty_and_odd_texts(run: Run) -> None:
    """An empty text is a wrong command line; control characters are a finding."""
    assert run("explain", SIMS, "  ")[0] == 2
    status, found = data(run, "explain", SIMS, "Add\x07 2.")
    assert status == 1 and found["sentences"][0]["diagnostics"][0]["code"] == "F003"


# ----------------------------------------------------------------------- test, coverage
def test_scenarios_are_run(run: Run, tmp_path: Path) -> None:
    """Passed and failed scenarios are counted; a failure names its line.

    Mistakes in the rules are no scenarios: they are told, and no scenario of these rules is run.
    """
    status, found = data(run, "test", TICK)
    assert status == 0 and found["passed"] == 3 and found["failed"] == 0
    assert found["scenarios"][0]["name"] == "the top row wins"
    text = (
        'game tiny "Tiny"\n  players: 2\nstate coins: number = 0\nscenario "no"\n'
        "  expect coins = 1\n"
    )
    write(tmp_path, one=text)
    status, found = data(run, "test", tmp_path)
    (row,) = found["scenarios"]
    assert (
        status == 1
        and row["status"] == "failed"
        and row["line"] == 5
        and "it is 0" in row["message"]
    )
    status, out, _ = run("test", tmp_path)
    assert status == 1 and "P001" in out and "0 passed, 1 failed" in out
    status, found = data(run, "test", "tests/bad/wrong-type.rules", "nowhere")
    assert status == 1 and {item["code"] for item in found["diagnostics"]} == {"T001", "F006"}
    assert (found["passed"], found["failed"], found["scenarios"]) == (0, 0, [])
    write(tmp_path, one=f"{text}  expect coins = 2\n", two="define odd = coin\n")
    status, found = data(run, "test", tmp_path)
    assert status == 1 and (found["passed"], found["failed"]) == (0, 1)
    assert [row["message"] for row in found["scenarios"]] == [author.NOT_RUN]
    status, out, _ = run("test", tmp_path)
    assert "0 passed, 1 failed; 1 mistake in the rules" in out and "P001" not in out


def test_every_expectation_that_fails_is_told(run: Run, tmp_path: Path) -> None:
    """Not the first alone: each is told at its own line, and listed."""
    text = (
        'game tiny "Tiny"\n  players: 2\nstate coins: number = 0\nscenario "no"\n'
        "  expect coins = 1, coins = 0, coins = 2\n  expect not ended\n  expect coins = 3\n"
    )
    write(tmp_path, one=text)
    status, found = data(run, "test", tmp_path)
    assert status == 1 and (found["passed"], found["failed"]) == (0, 1)
    (row,) = found["scenarios"]
    assert row["line"] == 5 and [item["line"] for item in row["failures"]] == [5, 5, 7]
    status, out, _ = run("test", tmp_path)
    assert out.count("P001") == 3 and "0 passed, 1 failed" in out


def test_an_addition_runs_only_its_own_scenarios(run: Run, tmp_path: Path) -> None:
    """The scenarios of the game below are not run again."""
    write(tmp_path, more='for sims\nscenario "mine"\n  players 2\n  start\n  expect not ended\n')
    status, found = data(run, "test", tmp_path / "more.rules", "--rules", SIMS)
    assert status == 0 and [row["name"] for row in found["scenarios"]] == ["mine"]


COVERED = """game tiny "Tiny"
  players: 2
  citations: "ON"
state points of player: number = 0
event gain(p: player, n: number)
  add n to p's points
rules of gain(p, n)
  "not too much"  n <= 3   [ON-001]
end rich when some p in players where p's points > 10   [ON-002]
scenario "too much"   [ON-001]
  play p1: gain(n: 4)
  expect refused by [ON-001]
"""
BOOK = (
    "- ON-001 At most three are gained.\n- ON-002 More than ten end the game.\n"
    "- ON-003 Nobody cheats.\n- ON-004 [social] Smile.\n"
)


def test_wasm_writes_a_module_to_read_or_to_run(run: Run, tmp_path: Path) -> None:
    """The text has clauses as comments; with --out the binary module is written to a file."""
    status, out, _ = run("wasm", TICK)
    assert status == 0 and out.startswith("(module") and ";; rules of draw_mark/a free cell" in out
    assert run("wasm", TICK, "--out", tmp_path / "tick.wasm")[0] == 0
    raw = (tmp_path / "tick.wasm").read_bytes()
    assert raw.startswith(b"\0asm\1\0\0\0")
    assert data(run, "wasm", TICK)[1]["bytes"] == len(raw)


def test_wasm_names_what_is_not_lowered(run: Run) -> None:
    """The construct and its clause are told; the other engines play such a game."""
    status, out, err = run("wasm", "tests/good/bricks")
    assert (status, out) == (1, "") and "is not lowered yet" in err
    status, found = data(run, "wasm", "tests/good/bricks")
    assert status == 1 and found["lowered"] is False and found["construct"] and found["clause"]


def test_coverage_counts_and_lists(run: Run, tmp_path: Path) -> None:
    """Statements, what encodes them, what exercises them; one statement alone with its clauses."""
    write(tmp_path, one=COVERED)
    (tmp_path / "rulebook.md").write_text(BOOK, "utf-8")
    status, found = data(run, "coverage", tmp_path)
    assert status == 0
    assert [
        found[key] for key in ("statements", "mechanical", "encoded", "exercised", "by_absence")
    ] == [4, 3, 2, 1, 0]
    assert found["missing"] == ["ON-003"] and found["not_exercised"] == ["ON-002"]
    out = run("coverage", tmp_path)[1]
    assert "66%" in out and "33%" in out and "ON-003" in out
    status, found = data(run, "coverage", tmp_path, "--statement", "ON-001")
    assert status == 0 and found["exercised"] and found["scenarios"] == ["too much"]
    assert found["clauses"][0]["clause"] == "rules of gain/not too much"
    assert run("coverage", tmp_path, "--statement", "ON-002")[1].count("not exercised") == 1
    status, found = data(run, "coverage", tmp_path, "--statement", "ON-01")
    assert status == 1 and found["diagnostics"][0]["code"] == "N016"


# ----------------------------------------------------------------------------- simulate
def test_simulation_repeats(run: Run) -> None:
    """The same seed gives the same hash, another seed another."""
    status, one = data(run, "simulate", TICK, "--games", 3, "--seed", 1)
    two = data(run, "simulate", TICK, "--games", 3, "--seed", 1)[1]
    other = data(run, "simulate", TICK, "--games", 3, "--seed", 2)[1]
    assert status == 0 and one["finished"] == 3 and one["hash"] == two["hash"] != other["hash"]
    assert {"games", "moves", "seconds", "scores", "never_fired"} <= set(one)
    out = run(
        "simulate", HEX, "--games", 1, "--bot", "greedy", "--option", "size=5", "--variant", "swap"
    )[1]
    assert "1 finished" in out and "hash" in out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--players", "9"], 1, "2 players"),
        (["--variant", "quick"], 1, "quick"),
        (["--option", "size=6"], 1, "5, 7, 11"),
        (["--option", "sise=5"], 1, "size"),
        (["--option", "size"], 2, "NAME=VALUE"),
        (["--games", "0"], 2, "0"),
        (["--bot", "clever"], 2, "clever"),
        (["--with", "nowhere.rules"], 1, "nowhere.rules"),
    ],
)
def test_settings_that_do_not_fit(run: Run, words: list[str], status: int, said: str) -> None:
    """Settings the game does not have are findings; words the command does not take are usage."""
    found, out, err = run("simulate", HEX, "--games", 1, *words)
    assert found == status and said in out + err


# ------------------------------------------------------------------------- play, replay
def test_bots_play_and_the_record_replays(run: Run, tmp_path: Path) -> None:
    """With nobody at the keyboard bots play, the game is told, and its record comes to the same
    end.
    """
    record = tmp_path / "game.json"
    words = (
        "play",
        HEX,
        "--seed",
        4,
        "--option",
        "size=5",
        "--bots",
        "random,random",
        "--record",
        record,
    )
    status, out, err = run(*words)
    assert (
        status == 0
        and "player 1 marks" in out
        and "the game ends: crossed" in out
        and "1. player" in out
    )
    assert "kept in" in err
    status, found = data(run, "replay", record, "--rules", HEX)
    assert (
        status == 0 and found["over"] and found["ended"] == "crossed" and len(found["digest"]) == 64
    )
    status, out, _ = run("replay", record, "--rules", HEX)
    assert status == 0 and "The record is right" in out
    status, again = data(run, *words)
    assert status == 0 and again["digest"] == found["digest"] and again["scores"] == found["scores"]


def test_damaged_and_foreign_records_are_refused(run: Run, tmp_path: Path) -> None:
    """Whatever stands in a record, it plays or it is refused by name."""
    record = tmp_path / "game.json"
    run("play", TICK, "--record", record)
    good = json.loads(record.read_text("utf-8"))
    damaged: list[Any] = [
        [],
        {},
        {**good, "format": 2},
        {**good, "game": "../.."},
        {**good, "players": 99},
        {**good, "variants": ["x"]},
        {**good, "options": {"size": 5}},
        {**good, "added": {"x.rules": "nonsense"}},
        {**good, "digest": ""},
        {**good, "choices": good["choices"][1:]},
        {**good, "rules": "0"},
        *[
            {**good, "choices": [{**good["choices"][0], "value": value}]}
            for value in (None, [], {}, -1, 1e9, "x", [[]])
        ],
        *[
            {**good, "choices": [{**good["choices"][0], "name": name, "value": True}]}
            for name in ("action", "may", "")
        ],
    ]
    for item in damaged:
        record.write_text(json.dumps(item), "utf-8")
        status, found = data(run, "replay", record, "--rules", TICK)
        assert status == 1, item
        assert {d["code"] for d in found["diagnostics"]} <= {"P002", "N014", "S001"}, found
    for text in ("", "{", "[" * 100_000, '"' + "x" * 50, "\x00"):
        record.write_text(text, "utf-8")
        assert data(run, "replay", record)[1]["diagnostics"][0]["code"] == "P002"
    record.write_text(json.dumps(good), "utf-8")
    assert "comes along" not in run("replay", record, "--rules", TICK)[2]
    assert "--rules" in run("replay", record)[2]
    assert "P002" in run("replay", record, "--rules", HEX)[2]
    assert run("replay", tmp_path / "nowhere.json")[0] == 1


def test_seats_are_checked(run: Run, tmp_path: Path) -> None:
    """Bots and seats that are not there are told, and people cannot be asked when plain data is
    wanted.
    """
    assert run("play", TICK, "--bots", "clever")[0] == 2
    assert run("play", TICK, "--bots", "random,random,random")[0] == 2
    assert run("play", TICK, "--seats", "me,me,me", "--players", 2)[0] == 2
    assert run("play", TICK, "--seats", "me", "--bots", "random")[0] == 2
    assert run("play", TICK, "--seats", "me,random", "--json")[0] == 2 and run("play")[0] == 2
    assert run("play", TICK, "--record", tmp_path / "no" / "x.json")[0] == 2
    assert run("play", "chess")[0] == 1


def test_people_play_from_standard_input(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Choices come from the lines typed.

    The end of the input ends politely and the game is kept.
    """
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\n"))
    status, out, err = run("play", TICK, "--seats", "me,random", "--record", tmp_path / "x.json")
    assert (
        status == 0 and "player 1 marks b2" in out and "input has ended" in out and "kept in" in err
    )
    assert data(run, "replay", tmp_path / "x.json", "--rules", TICK)[1]["over"] is False


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", 3], "played with players 2, not 3"),
        (["--seed", 9], "played with seed 4, not 9"),
        (["--variant", "x"], "variants none, not x"),
        (["--option", "size=7"], "played with options size=5, not size=7"),
        (["--with", "cards.rules"], "played with no added files"),
    ],
)
def test_what_was_played_otherwise_is_not_gone_on_with(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[Any], said: str
) -> None:
    """A kept game has its settings and its added files.

    To ask for others is a mistake that is told, and the file stays as it is.
    """
    kept = tmp_path / "game.save"
    run("play", HEX, "--seed", 4, "--option", "size=5", "--record", kept)
    before = kept.read_bytes()
    write(tmp_path, cards="for hex\n")
    monkeypatch.chdir(tmp_path)
    status, _, err = run("play", ROOT / HEX, "--resume", kept, *words)
    assert (
        status == 1
        and said in " ".join(err.split())
        and "P002" in err
        and kept.read_bytes() == before
    )
    monkeypatch.undo()
    assert run("play", HEX, "--resume", kept, "--seed", 4, "--option", "size=5")[0] == 0


def test_a_game_that_is_elsewhere_is_asked_for(run: Run, tmp_path: Path) -> None:
    """A kept game of another ruleset, of one that does not come along, or of changed rules."""
    kept = tmp_path / "game.save"
    assert run("play", TICK, "--record", kept)[0] == 0
    assert "does not come along" in run("play", "--resume", kept)[2]
    assert "it is of the game tic_tac_toe, not hex" in run("play", HEX, "--resume", kept)[2]
    changed = write(
        tmp_path,
        tick=Path(TICK, "tic_tac_toe.rules")
        .read_text("utf-8")
        .replace("players: 2", "players: 2 to 3"),
    )
    assert "another version of the rules" in " ".join(
        run("play", changed, "--resume", kept)[2].split()
    )
    assert run("play", "--resume", tmp_path / "none.save")[0] == 1


# ---------------------------------------------------------------------------------- new
def test_a_new_card_passes_check(run: Run, tmp_path: Path) -> None:
    """What is written to start from is right as it stands, and is never written over a file."""
    path = tmp_path / "card.rules"
    assert run("new", "card", SIMS, "--out", path)[0] == 0
    assert data(run, "check", path, "--rules", SIMS) == (0, {"files": 1, "diagnostics": []})
    assert run("new", "card", SIMS, "--out", path)[0] == 2
    assert 'card "My card" of block' in run("new", "card", SIMS)[1]
    assert run("new", "card", TICK)[0] == 1


@pytest.mark.parametrize("name", ["Little Town", "state", "Tür 7", "", 'a "b"', "x" * 80, "{n}"])
def test_a_new_game_passes_check(run: Run, tmp_path: Path, name: str) -> None:
    """Whatever it is called, a new game is right, its scenario passes and it can be played to the
    end.
    """
    assert run("new", "game", name, "--out", tmp_path / "new")[0] == 0
    (path,) = (tmp_path / "new").glob("*.rules")
    assert data(run, "check", path)[1]["diagnostics"] == []
    assert data(run, "test", path)[1]["passed"] == 1
    status, found = data(run, "play", path, "--players", 3, "--bots", "random")
    assert status == 0 and found["ended"] == "all_laid"


# ---------------------------------------------------------------------------- the shell
@pytest.mark.parametrize(
    "words", [[], ["bogus"], ["check"], ["explain", "big_city"], ["new"], ["check", "--bogus", "x"]]
)
def test_usage_is_told(run: Run, words: list[str]) -> None:
    """A command line that is none has exit status 2 and says what is taken."""
    status, out, err = run(*words)
    assert (status, out) == (2, "") and "usage: rulelang" in err


def test_help_and_version(run: Run) -> None:
    """Asking for help is no mistake."""
    assert (
        run("--help")[0] == 0
        and run("play", "--help")[0] == 0
        and run("--version")[1].startswith("rulelang ")
    )


@pytest.mark.parametrize(
    ("error", "status"),
    [(KeyboardInterrupt(), 130), (BrokenPipeError(), 0), (ValueError("a mistake of ours"), 3)],
)
def test_interruptions_are_clean(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    """Control-C, a closed pipe and mistakes of Rulelang itself show no traceback."""

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(check, "check", fails)
    monkeypatch.setattr("interpreter.cli.main.os.dup2", lambda *_: None)
    assert run("check", TICK)[0] == status


def test_a_closed_pipe_ends_quietly() -> None:
    """`rulelang … | head` leaves nothing on standard error."""
    line = (
        f"{sys.executable} -m interpreter.cli.main play {HEX} --seed 1 --bots random,random | "
        "head -1"
    )
    done = subprocess.run(
        line,
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout.startswith("Hex") and done.stderr == ""


def test_faults_of_rules_are_findings(run: Run, tmp_path: Path) -> None:
    """Rules that never ask anybody are told as a finding."""
    write(
        tmp_path,
        one=(
            'game tiny "Tiny"\n  players: 2\nstate coins: number = 0\nflow\n  repeat\n'
            "    add 1 to coins\n"
        ),
    )
    status, found = data(run, "play", tmp_path)
    assert status == 1 and found["diagnostics"][0]["code"] == "P003"


def test_colour_only_where_it_is_wanted(run: Run) -> None:
    """In a pipe there is no colour and no bar."""
    _, out, err = run("check", "tests/bad/wrong-type.rules")
    assert "\x1b" not in out + err and err == ""
    assert author.counted(1, "file") == "1 file" and author.counted(2, "choice") == "2 choices"
