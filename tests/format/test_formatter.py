"""Layout: there is one, meaning and comments stay, and laying out twice is laying out once."""

from __future__ import annotations

import difflib
import functools
import io
import json
import re
import shutil
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutation import EDITS, Edit, mutated

from interpreter.cli.main import main
from interpreter.game.loading import load_rules
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import MAX_LINE, Source, decode_source
from rulelang.format import format_source
from rulelang.format.wrap import WIDTH
from rulelang.syntax.nodes import Node, split_cites
from rulelang.syntax.parser import parse_source

ROOT = Path(__file__).resolve().parents[2]
# Of the rulesets one: `rulelang fmt --check rulesets examples tests/good` reads all of them in CI.
FILES = sorted(
    path
    for folder in ("rulesets/big_city", "examples", "tests/good", "tests/bad")
    for path in (ROOT / folder).rglob("*.rules")
)


@functools.cache
def laid(text: str) -> str:
    """The text laid out; it must be one that can be read."""
    report = Report()
    made = format_source(Source("a file", text), report)
    assert made is not None, report.found
    return made


@functools.cache
def readable() -> dict[str, str]:
    """The files that can be read, by name."""
    found = {}
    for path in FILES:
        source, _ = decode_source(str(path.relative_to(ROOT)), path.read_bytes())
        report = Report()
        if source is not None:
            parse_source(source, report)
            if not report.found:
                found[source.file] = source.text
    return found


def squeezed(text: str) -> str:
    """All letters of a text but blanks, and but what separates citations: no word, text, row or
    comment is lost or moved past another.
    """
    return re.sub(r"\s+", "", spoken_cites(text))


def spoken_cites(text: str) -> str:
    """The text with one comma between any two citations, and a blank before and after them all."""
    return re.sub(r"\[[A-Z][^\]\n]*\]", lambda m: f" [{', '.join(split_cites(m.group(0)))}] ", text)


def meaning(text: str) -> list[object]:
    """What the declarations of a text say, wherever it stands."""

    def plain(node: Node | None) -> object:
        if node is None:
            return None
        if node.kind == "CITE":
            return split_cites(node.text)
        return (
            node.kind,
            node.text if node.kind == "STRING" else tuple(spoken_cites(node.text).split()),
            tuple(map(plain, node.parts)),
        )

    report = Report()
    nodes = parse_source(Source("a file", text), report)
    assert not report.found
    return [plain(node) for node in nodes]


def test_most_files_can_be_read() -> None:
    """Only files whose fault is a line nobody can read have no layout."""
    assert len(readable()) > 90
    assert (
        not {str(path.relative_to(ROOT)) for path in FILES}
        - set(readable())
        - {f"tests/bad/{name}.rules" for name in UNREAD}
    )


UNREAD = [
    "and-with-or",
    "bad-citation",
    "bad-indent",
    "block-missing",
    "line-ends-early",
    "line-too-long",
    "not-utf8",
    "odd-character",
    "odd-sign",
    "open-quote",
    "reserved-word",
    "too-deep",
    "unexpected-block",
    "unexpected-word",
    "unknown-declaration",
]


def test_laying_out_keeps_everything() -> None:
    """Of every file: what it says and its comments stay, in place, and laying out again changes
    nothing.
    """
    for name, text in readable().items():
        made = laid(text)
        if made == text:
            continue
        assert laid(made) == made, name
        assert meaning(made) == meaning(text), name
        assert squeezed(made) == squeezed(text), name


@pytest.mark.parametrize(
    "name", ["big_city", "tests/good/hex", "tests/good/sims", "tests/good/development"]
)
def test_the_core_is_the_same(name: str, tmp_path: Path) -> None:
    """Rules laid out have the same hash."""
    folder = ROOT / "rulesets" / name if "/" not in name else ROOT / name
    shutil.copytree(folder, tmp_path / "laid")
    for path in (tmp_path / "laid").rglob("*.rules"):
        path.write_text(laid(spread(path.read_text("utf-8"), Random(3))), "utf-8")
    old, new = (load_rules(str(where), tests=False) for where in (folder, tmp_path / "laid"))
    assert not new.compiled.report.errors
    assert old.rules_hash == new.rules_hash


# ------------------------------------------------------------ other layouts of the same
def spread(text: str, chance: Random) -> str:
    """The same lines with other blanks between their words, other indentation, and blanks at their
    ends.
    """
    unit = chance.choice([" ", "  ", "   ", "\t"])
    return "\n".join(_spread(line, unit, chance) for line in text.split("\n"))


def _spread(line: str, unit: str, chance: Random) -> str:
    def blanks() -> str:
        return chance.choice(["", " ", "   ", "\t"])

    margin = len(line) - len(line.lstrip())
    rest = line.strip()
    if not rest.startswith(("|", "#")):
        parts = re.split(r'("[^"]*"|#.*|\[[^\]]*\])', rest)
        for index in range(0, len(parts), 2):
            part = re.sub(r" +", lambda m: " " + blanks(), parts[index])
            parts[index] = re.sub(r"(?<=[({,])|(?=[,)}:])|(?='s\b)", lambda m: blanks(), part)
        rest = "".join(parts)
    return unit * margin + rest + blanks()


def broken(text: str, chance: Random) -> str:
    """The same words with other ends of lines: after commas and inside brackets."""
    made = []
    for line in text.split("\n"):
        if not line.lstrip().startswith(("|", "#")):
            parts = re.split(r'("[^"]*"|#.*|\[[^\]]*\])', line)
            for index in range(0, len(parts), 2):
                parts[index] = re.sub(
                    r"(?<=[({,])(?=.*\S)",
                    lambda m: chance.choice(["", "", "\n        "]),
                    parts[index],
                )
            line = "".join(parts)
        made.append(line)
    return "\n".join(made)


def remarked(text: str, chance: Random) -> str:
    """The same lines with comments and blank lines between them and comments behind them."""
    made = []
    for number, line in enumerate(text.split("\n")):
        what = chance.randrange(12)
        if what == 0:
            made.append("")
        elif what == 1:
            made.append(" " * chance.randrange(7) + f'# between {number} "')
        elif what == 2 and line.strip() and not line.lstrip().startswith(("|", "#")):
            line += f"  # behind {number} | ( ["
        made.append(line)
    return "\n".join(made)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_blanks_do_not_matter(chance: Random) -> None:
    """However the words of a line are spaced and blocks indented, the layout is the same."""
    name = chance.choice(sorted(readable()))
    text = readable()[name]
    other = spread(text, chance)
    assert meaning(other) == meaning(text)
    assert laid(other) == laid(text), "".join(
        difflib.unified_diff(laid(text).splitlines(True), laid(other).splitlines(True))
    )


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_ends_of_lines_do_not_matter(chance: Random) -> None:
    """Wherever a line goes on in the next, the layout is the same, if no comment stands between."""
    name = chance.choice(
        [
            name
            for name, text in readable().items()
            if not re.search(r"^[^|#\n]*[,({=][^\S\n]*#", text, re.MULTILINE)
        ]
    )
    other = broken(readable()[name], chance)
    assert laid(other) == laid(readable()[name]), name


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_comments_stay(chance: Random) -> None:
    """Comments and blank lines anywhere: nothing is lost, nothing moves past a word, and twice is
    once.
    """
    name = chance.choice(sorted(readable()))
    other = remarked(broken(spread(remarked(readable()[name], chance), chance), chance), chance)
    made = laid(other)
    assert squeezed(made) == squeezed(other), name
    assert meaning(made) == meaning(other), name
    assert laid(made) == made, name


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.sampled_from(
        [
            "tests/good/hex/hex.rules",
            "tests/good/sims/sims.rules",
            "rulesets/big_city/cards.rules",
            "rulesets/big_city/words.rules",
        ]
    ),
    EDITS,
)
def test_spoiled_texts_stay_or_keep_their_meaning(name: str, edits: list[Edit]) -> None:
    """Of a text with anything in it: either findings, or a layout that says the same."""
    source, _ = decode_source(
        name, mutated((ROOT / name).read_text("utf-8"), edits).encode("utf-8", "surrogatepass")
    )
    report = Report()
    made = format_source(source, report) if source is not None else None
    if source is None or made is None:
        assert source is None or report.found
        return
    assert squeezed(made) == squeezed(source.text)
    assert meaning(made) == meaning(source.text)
    assert laid(made) == made


# ------------------------------------------------------------------- what it looks like
def test_a_line_too_long_to_lay_out_stays() -> None:
    """A text whose lines could not be read any more if blanks were put between their words stays as
    it is.
    """
    text = f'rules of e(p)\n "{"x" * (MAX_LINE - 4)}"f\n'
    assert laid(text) == text and decode_source("a file", text.encode())[0] is not None


UNTIDY = """


# A comment on the file.
game   g "G"
    players:2 to 4  # two
    moves :  20 # twenty

kind a_1:b_1,c_1[GG-001,OQ-2]
kind a_2: d_1
event e( p:player,at : cell )
    set at's  mark to ( -1+ 2)*3

    # said of the next
    add 1 to p's points [GG-003]
    # said at the end
  # said of what is after
rules of e(p,at)
        "free" at's mark is none when p=p1
        "a longer label" some c in cells where c's mark is none,
          every d in cells: d's row > c's row and d's column > c's column
component tile
  sort: kind_1
  pieces title,sort
     |  "Long name"   x[GG-004]
     | y    long
scenario "s"
 board b
     |  X   O
     |  . .
 given
     put f({c in cells where # which
        c's row = 1}) at x
"""

TIDY = """# A comment on the file.
game g "G"
  players: 2 to 4   # two
  moves: 20         # twenty

kind a_1: b_1, c_1                                                           [GG-001, OQ-2]
kind a_2: d_1

event e(p: player, at: cell)
  set at's mark to (-1 + 2) * 3

  # said of the next
  add 1 to p's points                                                        [GG-003]
  # said at the end

# said of what is after
rules of e(p, at)
  "free"            at's mark is none  when p = p1
  "a longer label"  some c in cells where c's mark is none,
      every d in cells: d's row > c's row and d's column > c's column

component tile
  sort: kind_1
  pieces title, sort
    | "Long name" x                                                          [GG-004]
    | y           long

scenario "s"
  board b
    | X O
    | . .
  given
    put f({c in cells where   # which
        c's row = 1}) at x
"""


def test_the_layout() -> None:
    """What the one layout looks like."""
    assert laid(UNTIDY) == TIDY


def test_lines_are_not_too_wide() -> None:
    """A line of words that could be broken is no wider than is good to read."""
    made = laid(
        "define f(p: player) = " + ", ".join(f"p's number_{n} = {n}" for n in range(40)) + "\n"
    )
    assert made.startswith("define f(p: player) =\n    p's number_0 = 0, ")
    assert max(map(len, made.split("\n"))) <= WIDTH


# -------------------------------------------------------------------------- the command
@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an untidy file, a tidy one and one that cannot be read, in which one stands."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "untidy.rules").write_text(UNTIDY, "utf-8")
    (tmp_path / "tidy.rules").write_text(TIDY, "utf-8")
    (tmp_path / "wrong.rules").write_text('kind  a_1 : "\n', "utf-8")
    return tmp_path


def test_files_are_laid_out_in_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What can be read is laid out, the rest is left as it is and its mistakes are shown.

    Then there is nothing more to do.
    """
    (folder / "untidy.rules").chmod(0o640)
    assert main(["fmt"]) == 1
    out = capsys.readouterr().out
    assert (
        "S007" in out
        and "wrong.rules:1:13" in out
        and "laid out: untidy.rules" in out
        and "3 files: 1 laid out anew" in out
    )
    assert (folder / "untidy.rules").read_text("utf-8") == TIDY and (
        folder / "untidy.rules"
    ).stat().st_mode & 0o777 == 0o640
    assert (folder / "wrong.rules").read_text("utf-8") == 'kind  a_1 : "\n'
    assert main(["fmt", "tidy.rules", "untidy.rules", "."]) == 1
    assert "3 files: nothing to change" in capsys.readouterr().out
    assert main(["fmt", "tidy.rules", "untidy.rules"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "tidy.rules",
        "untidy.rules",
        "wrong.rules",
    ]


def test_check_names_and_diff_shows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both change nothing and tell by their exit status whether something would."""
    assert main(["fmt", "--check", "untidy.rules", "tidy.rules"]) == 1
    out = capsys.readouterr().out
    assert "would change: untidy.rules" in out and "tidy.rules\n" not in out.replace(
        "untidy.rules", ""
    )
    assert main(["fmt", "--diff", "untidy.rules"]) == 1
    out = capsys.readouterr().out
    assert (
        out.startswith("--- untidy.rules\n+++ untidy.rules (laid out)\n@@ ")
        and '-game   g "G"\n' in out
        and '+game g "G"\n' in out
    )
    assert main(["fmt", "--check", "--diff", "tidy.rules"]) == 0
    assert (folder / "untidy.rules").read_text("utf-8") == UNTIDY
    capsys.readouterr()
    assert main(["fmt", "--check", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(item["file"], item["status"]) for item in found["files"]] == [
        ("tidy.rules", "kept"),
        ("untidy.rules", "changed"),
        ("wrong.rules", "unread"),
    ]
    assert [item["code"] for item in found["diagnostics"]] == ["S007"]


@pytest.mark.parametrize(
    ("given_", "flags", "status", "wanted"),
    [
        (UNTIDY.encode(), [], 0, TIDY.encode()),
        (UNTIDY.replace("\n", "\r\n").encode("utf-8-sig"), [], 0, TIDY.encode()),
        (TIDY.encode(), ["--check"], 0, b""),
        (UNTIDY.encode(), ["--check"], 1, b""),
        (b"", [], 0, b""),
        (b'kind  a_1 : "\n', [], 1, b'kind  a_1 : "\n'),
        (b"kind \xff", [], 1, b"kind \xff"),
        (b"#" * 1_100_000, [], 1, b"#" * 1_100_000),
    ],
)
def test_standard_input(
    given_: bytes,
    flags: list[str],
    status: int,
    wanted: bytes,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """A text comes out laid out.

    One that cannot be read comes out as it went in, and what is wrong stands on standard error.
    """
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given_)))
    assert main(["fmt", "-", *flags]) == status
    out, err = capfdbinary.readouterr()
    assert out == wanted and bool(err) == (status == 1)


def test_what_cannot_be_done_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file, no rules, two kinds of input, and a file that cannot be written: each is told in
    words, and nothing is lost.
    """
    assert main(["fmt", "nonesuch"]) == 1 and "F006" in capsys.readouterr().out
    (folder / "empty").mkdir()
    assert main(["fmt", "empty"]) == 1 and "F007" in capsys.readouterr().out
    assert main(["fmt", "-", "tidy.rules"]) == 2

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    capsys.readouterr()
    assert main(["fmt", "untidy.rules"]) == 2
    assert "untidy.rules cannot be written: No space left on device" in capsys.readouterr().err
    assert (folder / "untidy.rules").read_text("utf-8") == UNTIDY
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]
