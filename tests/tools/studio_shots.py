"""Take the pictures of docs/studio.md: every page of the studio at three widths.

`python tests/tools/studio_shots.py` writes them to docs/studio/; look at each before you keep it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import browsers
from playwright.sync_api import Page

FOLDER = browsers.ROOT / "docs" / "studio"
WIDTHS = {"desk": 1280, "tablet": 768, "phone": 375}
CARD = """for big_city

card "Tea House" of building
  class: business
  form: "X"
  copies: 3
  text
    | Only on the outskirts.
    | Worth 3.
    | Deduct 1 if besid a park.
    | Doubled beside a factory.
"""
CHOICES = 14  # that are made before the table is shown
MAP = "examples/classics/hare_and_hounds"


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
        browsers.serving(Path(folder), MAP) as server,
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
        page.goto(f"{link}/letters")
        shots(page, "letters")
        page.goto(f"{link}/standing/0")
        shots(page, "score")
        page.goto(f"{server.url}table/none")
        shots(page, "fault")
        on_a_map(page, server.url)
        author(page, server.url, shots)
        dark = browsers.opened(browser, link, [], color_scheme="dark")
        dark.wait_for_selector("#answer .option")
        shots(dark, "table-dark")
        dark.goto(page.url.removesuffix("/share"))
        dark.locator("#cards .printed svg").wait_for()
        shots(dark, "cards-dark")


def on_a_map(page: Page, url: str) -> None:
    """A map that is no grid with a move half made, and its game when it is over."""
    (link,) = browsers.set_up(page, url, "Hare and Hounds", ["person", "random"])
    page.goto(link)
    made = 0
    while not page.locator(".ranking").count():
        page.wait_for_selector("#answer .option, .ranking")
        if made == 2:
            page.locator(".target.open").nth(1).click()
            shots(page, "map")
        made += browsers.answer(page)
    shots(page, "end")


def author(page: Page, url: str, seen: Callable[[Page, str], None]) -> None:
    """The author's pages, each `seen` with its name: a card with a mistake, then mended and tried,
    looked at in play.
    """
    page.goto(f"{url}projects")
    page.locator("#title").fill("Our city")
    page.locator("#game").select_option("big_city")
    page.locator("form", has=page.locator("#title")).get_by_role("button", name="Begin").click()
    page.wait_for_url("**/project/*")
    at = page.url
    browsers.write(page, CARD)
    page.locator(".finding.error").wait_for()
    page.locator("#cards .said").wait_for()
    seen(page, "mistake")
    page.locator(".fixes button").first.click()
    page.locator("#cards .printed:not(.earlier) svg").wait_for()
    page.locator("#save").click()
    page.locator("#message .message").wait_for()
    page.locator("#try-start").click()
    page.locator("#try .target").first.wait_for()
    page.locator("#mode-only").check()
    page.locator("summary", has_text="Further lines").click()
    page.locator("#try-given").fill("move {k in property_cards where k's number = 11} to p1's hand")
    page.locator("#try .target[data-site='lot(11)']").dispatch_event("click")
    page.locator("#outcome .now").wait_for()
    page.locator("#study details").first.wait_for()
    page.locator("h1").first.evaluate("() => document.activeElement.blur()")
    seen(page, "cards")
    page.goto(f"{url}projects")
    seen(page, "projects")
    page.goto(f"{at}/share")
    seen(page, "share")


if __name__ == "__main__":
    main()
