"""Measures the letters of the font that cards are set in, by the typesetter that prints them.

`python tests/tools/measure_font.py` writes interpreter/paper/data/widths.json anew; it needs the
extra `print`. Widths are in thousandths of the size of the letters.
"""

from __future__ import annotations

import json
from pathlib import Path

import typst

FAMILY = "Libertinus Serif"
LETTERS = [
    *(chr(code) for code in range(0x21, 0x7F)),
    *(chr(code) for code in range(0xA1, 0x180) if code != 0xAD),
    *"–—‘’‚“”„…•×−€†‡‹›½¼¾→←↑↓",
]
TARGET = Path(__file__).resolve().parents[2] / "interpreter/paper/data/widths.json"
_SOURCE = """
#set text(font: "{family}", size: 1000pt, weight: {weight}, kerning: false, ligatures: false)
#context {{
  let gap = measure([n n]).width - measure([nn]).width
  [#metadata(({letters}).map(c => measure(text(c)).width.pt()) + (gap.pt(),)) <widths>]
}}
"""


def measured(weight: str) -> dict[str, int]:
    """The width of each letter in this weight."""
    letters = ", ".join(json.dumps(letter, ensure_ascii=False) for letter in LETTERS)
    source = _SOURCE.format(family=FAMILY, weight=json.dumps(weight), letters=letters)
    found = json.loads(
        typst.query(source.encode(), "<widths>", field="value", one=True, ignore_system_fonts=True)
    )
    return {letter: round(width) for letter, width in zip([*LETTERS, " "], found, strict=True)}


if __name__ == "__main__":
    table = {"family": FAMILY, "regular": measured("regular"), "bold": measured("bold")}
    TARGET.write_text(json.dumps(table, ensure_ascii=False) + "\n", "utf-8")
    print("written:", TARGET.name)
