"""A page for each code of a message, with a program that gets it and the same program mended.

`python tests/tools/update_codes.py` writes docs/codes; tests/diagnostics/test_code_pages.py holds
what is there against what would be written, and that each mended program has no finding.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from string import Formatter

from rulelang.diagnostics import CODES
from rulelang.diagnostics.codes import Code

ROOT = Path(__file__).resolve().parents[2]
BAD = ROOT / "tests" / "bad"
PAGES = ROOT / "docs" / "codes"
LONGEST = 120  # columns of a line that is shown
SORTS = {
    "F": "a file",
    "S": "reading",
    "N": "names",
    "T": "types",
    "C": "a text of a card",
    "A": "advice of the rules themselves",
    "P": "play and tests",
}


def mended() -> dict[str, str]:
    """Each bad program with what is wrong in it put right, by the key of its code."""
    changes = tomllib.loads((BAD / "mended.toml").read_text("utf-8"))
    return {key: _mended(key, pairs) for key, pairs in changes.items()}


def _mended(key: str, pairs: list[list[str]]) -> str:
    text = program(key)
    for old, new in pairs:
        if old not in text:
            raise ValueError(f"{key}: {old!r} is not in the program")
        text = text.replace(old, new)
    return text


def program(key: str) -> str:
    """The program that gets a code and nothing else."""
    return (BAD / f"{key}.rules").read_bytes().decode("utf-8", "replace")


def page(key: str, right: str | None) -> str:
    """The page of a code."""
    code = CODES[key]
    parts = [
        f"# {code.code}: {key.replace('-', ' ')}",
        f"{_article(code)} about {SORTS[code.code[0]]}. It says:",
        f"> {_said(code.text)}",
    ]
    if code.fix:
        parts.append(f"How to mend it: {_said(code.fix)}")
    if right is None:
        parts.append(
            "No program stands here: "
            "it comes of a command, of several files, or of a game being played."
        )
    else:
        parts += [
            "## A program that gets it",
            _fence("rules wrong", program(key)),
            _fence("text", (BAD / f"{key}.txt").read_text("utf-8")),
            "## The same, mended",
            _fence("rules", right),
        ]
    parts.append("All codes: [Messages](../codes.md)")
    return "\n\n".join(parts) + "\n"


def _article(code: Code) -> str:
    return f"An {code.severity}" if code.severity == "error" else f"A {code.severity}"


def _said(text: str) -> str:
    """A sentence, its values shown as dots."""
    said = [
        literal + ("" if value is None else "…") for literal, value, _, _ in Formatter().parse(text)
    ]
    return "".join(said)


def _fence(language: str, text: str) -> str:
    lines = [line if len(line) <= LONGEST else line[:LONGEST] + "…" for line in text.splitlines()]
    return "\n".join([f"```{language}", *lines, "```"])


def pages() -> dict[Path, str]:
    """Every page with its text."""
    right = mended()
    return {PAGES / f"{code.code}.md": page(key, right.get(key)) for key, code in CODES.items()}


def main() -> None:
    """Write the pages anew."""
    PAGES.mkdir(exist_ok=True)
    for path, text in pages().items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
