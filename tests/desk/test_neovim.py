"""The language server in a real editor: Neovim in a terminal, keys typed and screens read."""

from __future__ import annotations

from pathlib import Path

import neovim
import pytest

pytest.importorskip("pygls")
if neovim.missing():
    pytest.skip(
        f"{', '.join(neovim.missing())} is not installed (Debian: apt-get install neovim tmux)",
        allow_module_level=True,
    )


def test_a_session_in_neovim(tmp_path: Path) -> None:
    """Each screen comes; what stood on some of them is held here word for word."""
    with neovim.neovim(tmp_path) as screen:
        neovim.session(screen)
    seen = screen.seen
    assert "■ No phrase uses the word “te" in seen["mistyped"]
    assert "1: Write “Add 1 if a Custard is on the table.”\n2: Write “the”" in seen["fixes"]
    assert "add value(d) to p's points" in seen["hover"]
    assert "do serve(" not in seen["renamed"]
    assert seen["lens"].count("Run this scenario") >= 3
    assert screen.path.read_bytes() == neovim.KITCHEN.read_bytes(), "nothing was saved"
