"""Take the pictures of docs/studio.md: every page of the studio at three widths.

`python tests/tools/studio_shots.py` writes them to docs/studio/; look at each before you keep it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import browsers
from playwright.sync_api import Page

FOLDER = browsers.ROOT / "docs" / "studio"
WIDTHS = {"desk": 1280, "tablet": 768, "phone": 390}
CHOICES = 14  # that are made before the table is shown


def shots(page: Page, name: str) -> None:
    """A page at each width."""
    for device, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 800})
        page.screenshot(path=FOLDER / f"{name}-{device}.png", full_page=True)


def main() -> None:
    """Set up a table of the first game, play a little, and take each page on the way."""
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        browsers.serving(Path(folder)) as server,
        browsers.chromium() as browser,
    ):
        page = browsers.opened(browser, server.url, [])
        page.set_default_timeout(60_000)
        shots(page, "games")
        page.goto(f"{server.url}new/0")
        shots(page, "setup")
        (link,) = browsers.set_up(page, server.url, "Big City", ["person", "greedy"])
        shots(page, "seats")
        page.goto(link)
        made = 0
        while made < CHOICES:
            made += browsers.answer(page)
            page.wait_for_timeout(20)
        page.wait_for_selector("#answer .option")
        shots(page, "table")
        page.goto(f"{link}?step=8")
        shots(page, "step")


if __name__ == "__main__":
    main()
