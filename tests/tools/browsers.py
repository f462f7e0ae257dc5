"""A studio that runs as people run it, and the system's Chromium to look at it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect, sync_playwright
from serving import ROOT, Server, serving

__all__ = ["ROOT", "Server", "answer", "chromium", "opened", "serving", "set_up", "write"]
PATIENCE = 20_000  # milliseconds that a page may take on a machine that has much else to do
expect.set_options(timeout=PATIENCE)
CHROMIUM = shutil.which("chromium")
# Servers that are killed, and questions about a text that are overtaken by those about a newer one.
_EXPECTED = ("ERR_CONNECTION", "htmx:sendAbort", "htmx:afterRequest")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def opened(browser: Browser, url: str, wrong: list[str], **how: object) -> Page:
    """A page in a browser window of its own; what goes wrong on it is noted."""
    page = browser.new_context(**how).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console",
        lambda said: (
            wrong.append(said.text)
            if said.type == "error" and not any(word in said.text for word in _EXPECTED)
            else None
        ),
    )
    page.goto(url)
    return page


def set_up(page: Page, url: str, title: str, seats: list[str]) -> list[str]:
    """Set up a table by the pages; gives the links of its people."""
    page.goto(url)
    page.get_by_role("link", name=f"Set up a table of {title}", exact=True).click()
    for number, kind in enumerate(seats, 1):
        page.locator(f"#seat{number}").select_option(kind)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/host/*")
    links = [field.input_value() for field in page.locator("input.link").all()]
    return links[:-1]  # the last one is that of the onlookers


def answer(page: Page, wish: str = "") -> bool:
    """Answer what a page asks, if it asks, by the first option, or by the one with a word that is
    wished for; gives whether it did.
    """
    if not page.locator("#answer").count():
        return False
    key = page.locator("#answer input[name=key]").input_value()
    for box in page.locator("#answer input[type=checkbox]").all()[: _least(page)]:
        box.check()
    options = page.locator("#answer button.option:not(.closed), #done")
    wished = options.filter(has_text=wish)
    (wished if wished.count() else options).first.click()
    page.wait_for_function(
        "key => document.querySelector('#answer input[name=key]')?.value !== key", arg=key
    )
    return True


def _least(page: Page) -> int:
    """How many are to be chosen at least."""
    return int(page.locator("#answer").get_attribute("data-low") or 0)


def write(page: Page, text: str) -> None:
    """Write a whole text in the editor of an author's page, whichever it is."""
    if page.locator(".cm-content").count():
        page.locator(".cm-content").click()
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(text)
    else:
        page.locator("#text").fill(text)
