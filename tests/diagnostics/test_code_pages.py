"""A page for each code: its program gets it, and the same program mended has no finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.diagnostics import CODES
from tests.tools.compiling import drawn, findings_of
from tests.tools.update_codes import BAD, PAGES, mended, pages, program

MENDED = mended()


@pytest.mark.parametrize("key", sorted(MENDED))
def test_a_mended_program_has_no_finding(key: str, tmp_path: Path) -> None:
    """The program itself gets just this code, which tests/diagnostics/test_codes.py holds."""
    assert MENDED[key] != program(key)
    path = tmp_path / f"{key}.rules"
    path.write_text(MENDED[key], "utf-8")
    found, sources = findings_of(path)
    assert not found, drawn(found, sources)


def test_every_code_has_its_page_as_it_would_be_written() -> None:
    assert {path.stem for path in BAD.glob("*.rules")} == set(MENDED)
    made = pages()
    assert {path.name for path in PAGES.iterdir()} == {path.name for path in made}
    assert len(made) == len(CODES)
    assert [path.name for path, text in made.items() if path.read_text("utf-8") != text] == []
