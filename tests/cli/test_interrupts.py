"""Whatever ends the program: the last choice is kept, what was played is told, and nothing of it is
called a mistake of the program.
"""

from __future__ import annotations

import io
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.bots.agents import BOTS, Agent, random_agent
from interpreter.cli.main import main
from interpreter.game import files
from interpreter.game.game import Game, State, load
from interpreter.render.screen import Terminal
from interpreter.simulation import engines, simulate
from interpreter.table import saves

ROOT = Path(__file__).resolve().parents[2]
TICK = str(ROOT / "tests/good/tic_tac_toe")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command line in a folder of its own, with these lines typed."""
    monkeypatch.chdir(tmp_path)

    def do(*argv: object, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err and "mistake in Rulelang" not in err
        return status, out, err

    return do


# ------------------------------------------------------------------------------ play
class Playing:
    """`rulelang play` in a process of its own, that can be told to end."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-um", "interpreter.cli.main", "play", TICK, "--seats", "me,random"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def type(self, lines: str) -> None:
        """Wait until somebody is asked, and type."""
        assert self.process.stdin is not None and self.process.stdout is not None
        shown = b""
        while not shown.endswith(b"player 1, cell "):
            letter = self.process.stdout.read(1)
            assert letter, "it ended before anybody was asked"
            shown += letter
        self.process.stdin.write(lines.encode())
        self.process.stdin.flush()


def kept(folder: Path) -> list[int]:
    """How many choices the games have that are kept there."""
    return [len(saves.read(path).choices) for path in folder.iterdir()]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_told_to_end_keeps_the_game(tmp_path: Path, how: signal.Signals) -> None:
    """Also one that is killed, for a game is kept from its first choice on."""
    playing = Playing(tmp_path)
    playing.type("b2\n")
    playing.type("")  # he is asked again
    playing.process.send_signal(how)
    out, _ = playing.process.communicate()
    assert kept(tmp_path) == [2]
    assert playing.process.returncode == (-how if how == signal.SIGKILL else 130)
    assert (b"The game is kept in" in out) == (how != signal.SIGKILL)


# `rulelang` in which random bots end the program when they are to make the choice after so many.
DEADLY = """
import os, signal, sys
from interpreter.bots import agents
from interpreter.cli.main import main
real = agents.random_agent
def deadly(seed):
    answer = real(seed)
    def choose(state, decision):
        if state.moves == int(sys.argv[1]):
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(state, decision)
    return choose
agents.BOTS["random"] = deadly
sys.exit(main(sys.argv[2:]))
"""


def killed(folder: Path, moves: int, *words: str, typed: str = "") -> None:
    """Play until random bots are to choose after so many moves, and are killed instead."""
    done = subprocess.run(
        [sys.executable, "-c", DEADLY, str(moves), "play", TICK, "--seed", "7", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input=typed.encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_a_recorded_game_of_bots_is_kept_when_it_is_killed(tmp_path: Path, run: Run) -> None:
    """To its last choice; played again it goes on over that, and never back behind it."""
    words = ("--bots", "random,random", "--record", "bots.save")
    killed(tmp_path, 4, *words)
    assert kept(tmp_path) == [4]
    killed(tmp_path, 2, *words)
    assert kept(tmp_path) == [4]
    status, _, err = run("play", TICK, "--seed", 7, *words)
    assert status == 0 and "The game is kept in bots.save." in err
    (choices,) = kept(tmp_path)
    assert choices > 4 and run("replay", "bots.save", "--rules", TICK)[0] == 0


def test_a_choice_is_kept_before_bots_answer_it(tmp_path: Path) -> None:
    """A person's last choice is not lost while a bot thinks."""
    killed(tmp_path, 3, "--seats", "me,random", typed="b2\na1\n" + "c1\n" * 3)
    assert kept(tmp_path) == [3]


def test_a_closed_pipe_keeps_the_game(tmp_path: Path) -> None:
    """Where it is kept is told on standard error, as nobody reads the other."""
    playing = Playing(tmp_path)
    playing.type("b2\n")
    playing.type("")
    assert playing.process.stdin is not None and playing.process.stdout is not None
    assert playing.process.stderr is not None
    playing.process.stdout.close()
    playing.process.stdin.write(b"a1\nb1\nc1\na2\nc2\n")
    playing.process.stdin.close()
    told = playing.process.stderr.read()
    assert playing.process.wait() == 0 and b"The game is kept in" in told
    assert kept(tmp_path)[0] >= 2


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ValueError("a mistake")])
def test_whatever_fails_keeps_the_last_choice(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
) -> None:
    """Even a mistake of the program while it tells what came of a choice."""
    real = Terminal.say

    def say(self: Terminal, text: Any, style: str = "") -> None:
        if "marks b2" in str(text):
            raise error
        real(self, text, style)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Terminal, "say", say)
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\n"))
    status = main(["play", TICK, "--seats", "me,random"])
    out, err = capsys.readouterr()
    assert "The game is kept in" in out and kept(tmp_path) == [1]
    full = isinstance(error, OSError)
    assert status == (1 if full else 3)
    assert ("standard output cannot be written: No space left" in err) == full


def test_what_cannot_be_kept_is_no_success(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, with a path that is told as it was typed."""
    (tmp_path / "tiny").mkdir()

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "write", full)
    said = "The game could not be kept: tiny/a.save cannot be written: No space left on device."
    status, _, err = run("play", TICK, "--bots", "random,random", "--record", "tiny/a.save")
    assert status == 1 and said in err
    status, out, err = run("play", TICK, "--seats", "me,random", typed="b2\nquit\n")
    assert status == 1 and out.count("The game cannot be kept") == 1
    assert "The game could not be kept: tic_tac_toe-" in out
    assert not any((tmp_path / "tiny").iterdir())


@pytest.mark.parametrize("name", ["/", "note.txt", "other.save", "no/x", "n" * 300])
def test_a_record_that_could_not_be_kept_is_refused_at_once(
    run: Run, tmp_path: Path, name: str
) -> None:
    """Before anything is played: a folder, another file, another game, a name there cannot be."""
    (tmp_path / "note.txt").write_text("milk", "utf-8")
    words = ("play", TICK, "--seats", "me,me", "--seed", 0, "--record")
    run(*words, "other.save", typed="b2\n")
    before = (tmp_path / "other.save").read_bytes()
    status, out, err = run(*words, name, typed="b2\n")
    assert (status, out) == (2, "") and name in err
    assert (tmp_path / "other.save").read_bytes() == before
    assert (tmp_path / "note.txt").read_text("utf-8") == "milk"


def test_a_seed_is_drawn_and_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none is given; the game can be played again by it."""
    monkeypatch.setattr("interpreter.cli.play.secrets.randbelow", lambda most: most - 1)
    status, out, _ = run("play", TICK)
    assert status == 0 and "seed 999999 " in out
    assert run("play", TICK, "--seed", 999999)[1] == out
    assert "seed 0 " in run("play", TICK, "--seed", 0)[1]


# ---------------------------------------------------------------------------- simulate
def test_an_interrupted_simulation_tells_what_was_played(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control-C in the third game: two are told, in words and as plain data."""
    real, numbers = engines.play_game, itertools.count(1)

    def play(*args: Any) -> simulate.Outcome:
        if next(numbers) == 3:
            raise KeyboardInterrupt
        return real(*args)

    monkeypatch.setattr(engines, "play_game", play)
    status, out, err = run("simulate", TICK, "--games", 5)
    assert status == 130 and "it was interrupted" in err and "2 of 5 games" in err
    assert "2 games by random" in out
    numbers = itertools.count(1)
    status, out, _ = run("simulate", TICK, "--games", 5, "--json")
    assert status == 130 and '"games": 2' in out and '"stopped": "it was interrupted"' in out
    numbers = itertools.count(1)
    status, out, err = run("simulate", TICK, "--games", 5, "--all-options")
    assert status == 130 and "0 of 1 setting" in err and "0 games" in out


def _tick(players: int) -> Game:
    return load(TICK, players=players)


def _dying(bots: Iterator[int], last: int) -> Callable[[int], Agent]:
    """Bots of which the last one ends its process when it is asked."""

    def make(seed: int) -> Agent:
        answer, number = random_agent(seed), next(bots)

        def choose(state: State, decision: Any) -> Any:
            if number == last:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer(state, decision)

        return choose

    return make


def test_a_worker_that_is_killed_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the others played is told, and that not all was."""
    monkeypatch.setitem(BOTS, "random", _dying(itertools.count(1), 6))
    status, out, err = run(
        "simulate", TICK, "--games", 40, "--processes", 2, "--engine", "reference"
    )
    assert status == 1 and "ended from outside" in err and "of 40 games" in err
    assert "by random bots" in out and "40 games" not in out


def test_who_leaves_does_not_wait_for_the_workers() -> None:
    """Control-C while two processes play ends them, and keeps what was played."""

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    found = simulate.simulate([_tick(2)], 2000, 1, "random", stop, 2, _tick)
    assert found.stopped == simulate.INTERRUPTED and found.games == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write on")
def test_results_that_cannot_be_written_are_told_elsewhere() -> None:
    """A full disk under standard output is no mistake of the program, and loses no result."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "interpreter.cli.main", "simulate", TICK, "--games", "2"],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert "standard output cannot be written: No space left on device" in done.stderr
    assert "2 games by random bots, 2 finished" in done.stderr


@pytest.mark.parametrize(
    ("library", "command"),
    [
        ("hypothesis", "pip install 'rulelang[dev]'"),
        ("networkx.algorithms", "pip install 'rulelang'"),
    ],
)
def test_a_library_that_is_not_installed_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, library: str, command: str
) -> None:
    """With the command that installs it, and the extra it belongs to."""
    lines = ["hypothesis<7,>=6.100; extra == 'dev'", "networkx<4,>=3.2"]
    monkeypatch.setattr("importlib.metadata.requires", lambda name: lines)

    def missing(*_: Any) -> None:
        raise ModuleNotFoundError(f"No module named {library!r}", name=library)

    monkeypatch.setattr(engines, "play_game", missing)
    status, out, err = run("simulate", TICK)
    name = library.partition(".")[0]
    assert (status, out) == (1, "")
    assert err == f"This needs {name}, which is not installed: {command}\n"


def test_help_names_every_exit_status(run: Run) -> None:
    """Those of success, findings, usage, our mistakes, and interruption."""
    statuses = run("simulate", "--help")[1].partition("Exit status:")[2]
    assert [int(word) for word in statuses.split() if word.isdecimal()] == [0, 1, 2, 3, 4, 130]
