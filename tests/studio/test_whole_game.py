"""A whole game in a real Chromium, by clicks on options and on a map, at a desk and at a phone.

Every kind of page on the way is looked at; `tests/tools/browser_play.py` does so with every game.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")
pytest.importorskip("playwright", reason="the extra `studio-tests` is not installed")
if shutil.which("chromium") is None:
    pytest.skip(
        "chromium is not installed (Debian: apt-get install chromium)", allow_module_level=True
    )

import browser_play
import browsers
from page_faults import page_faults
from playwright.sync_api import Browser


def test_hare_and_hounds_is_played_to_its_end(browser: Browser, tmp_path: Path) -> None:
    """By the parts of moves on a map that is no grid, with all that a table offers besides."""
    with browsers.serving(tmp_path, "examples/classics/hare_and_hounds") as server:
        played = browser_play.play(browser, server, "Hare and Hounds", browser_play.Wish())
    assert played.faults == []
    assert len(played.ranking) == 2 and played.choices >= 4
    assert played.seen["chosen on the board"] and played.seen["an option lights up its places"]
    assert played.seen["a refused click says why"] and played.seen["a look back"]


def test_faults_of_a_page_are_found(browser: Browser) -> None:
    """Names of programs, holes that were not filled, what stands out sideways, what has no name."""
    page = browser.new_page(viewport={"width": 600, "height": 400})
    page.set_content(
        '<html lang="en"><title>x</title><main><h1>What {thing}?</h1><p>put_on_board</p>'
        '<button id="b"></button><div style="width: 700px">wide</div></main></html>'
    )
    found = " ".join(page_faults(page, widths=(375, 1280)))
    for said in ("{thing}", "put_on_board", "at 375: the page moves", "axe button-name"):
        assert said in found
    assert "at 1280: the page moves" not in found
    page.close()
