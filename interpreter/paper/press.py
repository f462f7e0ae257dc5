"""Sheets as PDF and PNG, and books as PDF, SVG and PNG, by Typst.

It sets them alike on every system. Only the fonts that come with it are used and no package is
looked for, so nothing is fetched.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Literal

from interpreter.paper.document import Book
from interpreter.paper.sheets import Sheet

DOTS = 200  # an inch, of PNG


def pdf(sheets: Sequence[Sheet]) -> bytes:
    """All sheets as one PDF, the same bytes for the same sheets."""
    import typst

    with tempfile.TemporaryDirectory() as folder:
        source = _source(sheets, folder)
        made: bytes | list[bytes] = typst.compile(
            source, root=source.parent, format="pdf", ignore_system_fonts=True, timestamp=0
        )
    return made if isinstance(made, bytes) else b"".join(made)


def book_pdf(book: Book, paper: str = "a4") -> bytes:
    """A book as PDF, the same bytes for the same book."""
    return b"".join(book_pages(book, paper, "pdf"))


def book_pages(book: Book, paper: str, form: Literal["pdf", "svg", "png"]) -> list[bytes]:
    """A book as one PDF, or page by page as SVG or PNG.

    Its words are data to the document, so none of them is taken for markup.
    """
    import typst

    with tempfile.TemporaryDirectory() as folder:
        template = resources.files("interpreter.paper").joinpath("data/book.typ")
        source = Path(folder, "book.typ")
        source.write_text(template.read_text("utf-8"), "utf-8")
        data = {**book.as_json(), "paper": {"letter": "us-letter"}.get(paper, paper)}
        Path(folder, "book.json").write_text(json.dumps(data), "utf-8")
        made: bytes | list[bytes] = typst.compile(
            source, root=source.parent, format=form, ppi=DOTS, ignore_system_fonts=True, timestamp=0
        )
    return made if isinstance(made, list) else [made]


def pngs(sheets: Sequence[Sheet], dots: int = DOTS) -> list[bytes]:
    """Each sheet as a PNG of so many dots an inch."""
    import typst

    with tempfile.TemporaryDirectory() as folder:
        source = _source(sheets, folder)
        made: bytes | list[bytes] = typst.compile(
            source, root=source.parent, format="png", ppi=dots, ignore_system_fonts=True
        )
    return made if isinstance(made, list) else [made]


def _source(sheets: Sequence[Sheet], folder: str) -> Path:
    """A document of one page for each sheet, in a folder of its own with their pictures."""
    rows = []
    for number, sheet in enumerate(sheets):
        Path(folder, f"{number}.svg").write_text(sheet.svg, "utf-8")
        size = f"width: {sheet.width}mm, height: {sheet.height}mm"
        rows.append(f'#page({size}, margin: 0mm, image("{number}.svg", {size}))')
    source = Path(folder, "sheets.typ")
    source.write_text("\n".join(rows), "utf-8")
    return source
