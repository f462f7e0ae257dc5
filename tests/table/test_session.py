"""Evenings at a terminal, played through it as people do: they choose, are refused, ask why, take
back, keep the game and go on with it.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from terminal import ROOT, Session

from interpreter.table import saves


def test_an_evening(tmp_path: Path) -> None:
    """Two people at one keyboard: hidden hands, a wish refused with every reason, one that counts,
    explained, kept, and gone on with.
    """
    table = Session("play", "big_city", "--seats", "me,me", "--seed", "7", cwd=tmp_path)
    player = table.to_an_action()
    assert table.raw.count("\x1b[2J\x1b[3J") >= 4, (
        "the screen and what could be scrolled back to are emptied whenever the keyboard is passed"
    )
    before, _, hand = table.seen.rpartition("your hand:")
    held = re.findall(r"neighborhood\s+\d\s+(\d\d)", hand)
    assert len(held) > 2 and all(f"player {p}: hand 5 property cards" in before for p in (1, 2))

    said = table.type(f"why not church on {held[0]}")
    assert (
        "Refused: you cannot choose" in said
        and "after the city hall [BC-003, BC-134, BC-137, " in said
        and "would do" in said
    )
    assert f"“{held[0]}”" in said and "the card of every property" not in said
    assert "could be one of these" in table.type("single")
    assert "Refused" in table.type(f"chruch {held[0]}"), (
        "what is refused leaves everything as it was, slip or no slip"
    )

    assert (
        "where does the single business go?" in table.type("single business")
        and "Taken back" in table.type("undo")
        and "Taken back" in table.type("undo")
    )
    assert (
        "There is no" not in table.type(f"save {tmp_path / 'evening.save'}")
        and "kept in" in table.seen
    )

    assert f"player {player} builds single residence on {held[0]}" in table.type(
        f"single residence on {held[0]}"
    )
    table.child.sendline("1")  # the stack to draw from; then it is the other's turn
    assert "draws property card" in table.until("when you have read this")
    table.child.sendline("")
    assert "draws property card" not in table.until("then presses Enter")
    table.child.sendline("")
    table.until(r"what do you do\? $")
    assert f"player {player} builds single residence on {held[0]}" in table.seen, (
        "the other is told what happened meanwhile"
    )
    assert not any(re.search(rf"neighborhood\s+\d\s+{card}\b", table.seen) for card in held[1:]), (
        "and not what is held"
    )
    said = table.type("explain")
    value = int(re.search(r"value: (\d+)", said)[1])  # type: ignore[index]
    assert re.findall(r"= (\d+)", said)[-1] == str(value) and "2 worth" in said
    assert "so it stands" in table.type("undo")
    table.child.sendline("quit")
    assert table.ends() == 0 and "evening.save" in table.seen

    again = Session("play", "--resume", "evening.save", cwd=tmp_path)
    again.until("then presses Enter")
    again.child.sendline("")
    again.until(r"what do you do\? $")
    assert f"player {player}: {value}" in again.seen
    again.child.sendeof()
    assert again.ends() == 0 and "The input has ended" in again.seen

    whole = (tmp_path / "evening.save").read_text("utf-8")
    (tmp_path / "evening.save").write_text(whole[: len(whole) // 2], "utf-8")
    broken = Session("play", "--resume", "evening.save", cwd=tmp_path)
    assert broken.ends() == 1 and "P002" in broken.seen and "cut short" in broken.seen
    assert (tmp_path / "evening.save").read_text("utf-8") == whole[: len(whole) // 2]


def test_control_c_keeps_the_game(tmp_path: Path) -> None:
    """Whoever leaves in the middle of a line finds the game where he is told."""
    tick = str(ROOT / "tests/good/tic_tac_toe")
    table = Session("play", tick, "--seats", "me,me", "--seed", "3", cwd=tmp_path)
    table.until(r"cell $")
    table.child.send("expl\t")
    table.until("explain")
    assert "Nothing has happened" in table.type("")
    assert "player 2" in table.type("b2")
    table.child.sendintr()
    assert table.ends() == 130 and "The game is kept in tic_tac_toe-3.save" in table.seen
    again = Session("play", tick, "--resume", "tic_tac_toe-3.save", cwd=tmp_path)
    assert "p1" in again.until(r"player 2, cell $")
    again.child.sendline("undo")
    assert "player 1, cell" in again.until(r"player 1, cell $")
    again.child.sendline("quit")
    assert again.ends() == 0


def test_a_terminal_that_is_closed_keeps_the_game(tmp_path: Path) -> None:
    """The window is gone, the game is not."""
    table = Session(
        "play",
        str(ROOT / "tests/good/tic_tac_toe"),
        "--seats",
        "me,random",
        "--seed",
        "4",
        cwd=tmp_path,
    )
    table.until(r"cell $")
    table.type("b2")
    table.child.close()
    for _ in range(50):
        if (tmp_path / "tic_tac_toe-4.save").exists():
            break
        time.sleep(0.1)
    assert len(saves.read(tmp_path / "tic_tac_toe-4.save").choices) == 2


@pytest.mark.parametrize(
    ("env", "columns", "colour", "letters"),
    [
        ({}, 100, True, "┌"),
        ({"NO_COLOR": "1"}, 100, False, "┌"),
        ({"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, 100, True, "+---"),
        ({"TERM": "dumb"}, 30, False, "+---"),
    ],
)
def test_what_the_terminal_can_show(
    tmp_path: Path, env: dict[str, str], columns: int, colour: bool, letters: str
) -> None:
    """Colours and boxes where there are any.

    None where NO_COLOR says so, plain letters where there are no others, nothing wider than the
    screen.
    """
    table = Session(
        "play",
        str(ROOT / "tests/good/development"),
        "--seats",
        "me,greedy",
        "--players",
        "2",
        cwd=tmp_path,
        columns=columns,
        **env,
    )
    table.until(r"(player \d, [^\n]*?|\n>) $")
    table.type("help")
    shown = table.raw + table.type("map")
    assert (
        letters in table.seen
        and (re.search(r"\x1b\[[0-9;]*[39][0-7]m", table.raw) is not None) == colour
    )
    if "PYTHONIOENCODING" in env:
        assert shown.isascii()
    assert all(len(line) <= columns for line in table.seen.splitlines())
    table.child.close(force=True)
