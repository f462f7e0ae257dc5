"""Whatever a name stands for, only regular files are read, and no more of them than their limit;
and nothing that stands in a file steers the terminal.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.game import files
from rulelang.diagnostics.source import MAX_BYTES

TICK = str(Path(__file__).resolve().parents[2] / "tests/good/tic_tac_toe")
Run = Callable[..., tuple[int, str]]

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command line in a folder with a pipe, a file of 3 GB, and a link to itself."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    os.mkfifo("pipe.rules")
    with open("huge.rules", "wb") as huge:
        huge.truncate(3_000_000_000)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "self.rules").symlink_to("self.rules")
    (tmp_path / "folder" / "around").symlink_to(".")
    (tmp_path / "folder" / "one.rules").write_text('game one "One"\n  players: 2\n', "utf-8")
    (tmp_path / "folder" / "rulebook.md").symlink_to("/dev/zero")

    def do(*argv: str) -> tuple[int, str]:
        status = main(list(argv))
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err and "mistake in Rulelang" not in err
        return status, " ".join((out + err).split())

    return do


@pytest.mark.parametrize(
    "words",
    [
        ("check", "FILE"),
        ("test", "FILE"),
        ("fmt", "--check", "FILE"),
        ("play", "FILE"),
        ("replay", "FILE"),
        ("play", "--resume", "FILE"),
        ("play", TICK, "--with", "FILE"),
        ("explain", TICK, "x", "--with", "FILE"),
        ("coverage", "FILE"),
        ("new", "card", "FILE"),
    ],
)
def test_only_regular_files_are_read(run: Run, words: tuple[str, ...]) -> None:
    """A pipe that never begins, a device without an end, a file that is too large, a link to
    itself: each is told as what it is.
    """
    for name, why in (
        ("pipe.rules", "it is no regular file"),
        ("/dev/zero", "it is no regular file"),
        ("huge.rules", "than"),
        ("folder/self.rules", "symbolic links|no file or folder"),
    ):
        status, said = run(*(word.replace("FILE", name) for word in words))
        assert status == 1 and any(part in said for part in why.split("|")), (name, said)


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
def test_a_link_to_itself_in_a_folder_is_told(run: Run, command: str) -> None:
    """The files beside it are read, and a rulebook that is none is not."""
    status, said = run(command, "folder")
    assert status == 1 and "symbolic links" in said


def test_no_more_is_read_than_the_limit(tmp_path: Path) -> None:
    """One byte more shows that there is more."""
    path = tmp_path / "x"
    path.write_bytes(b"x" * 100)
    assert [len(files.read_file(path, most)) for most in (10, 99, 100, MAX_BYTES)] == [
        11,
        100,
        100,
        100,
    ]


def test_a_name_too_long_is_told(run: Run) -> None:
    """As a file or folder that is not there, or cannot be."""
    for words in (("check", "n" * 300), ("play", "n" * 300 + "/x"), ("replay", "n" * 300)):
        assert run(*words)[0] == 1


def test_records_steer_no_terminal(run: Run, tmp_path: Path) -> None:
    """Whatever a record says it is of, and however many digits its seed has."""
    assert run("play", TICK, "--record", "x.save")[0] == 0
    good = json.loads((tmp_path / "x.save").read_text("utf-8"))
    odd = "\x1b[31m\x9b2J\u202e"
    for change in (
        {"game": odd},
        {"variants": [odd]},
        {"options": {odd: odd}},
        {"added": {odd: "for tic_tac_toe\nnonsense\n"}},
        {"choices": [{"player": 0, "name": odd, "value": odd}]},
        {"seats": [odd]},
        {"format": 2, "version": odd},
        {odd: odd},
    ):
        (tmp_path / "x.save").write_text(json.dumps({**good, **change}), "utf-8")
        for words in (("replay", "x.save", "--rules"), ("play", "--resume", "x.save")):
            status, said = run(*words, TICK)
            assert status == 1 or "seats" in change
            assert said.isprintable(), said
    text = json.dumps({**good, "seed": 0}).replace('"seed": 0', '"seed": ' + "9" * 5000)
    (tmp_path / "x.save").write_text(text, "utf-8")
    status, said = run("replay", "x.save", "--rules", TICK)
    assert status == 1 and "too many digits" in said
