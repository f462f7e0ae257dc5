"""The studio in a real Chromium, as people use it: the system's own browser, driven by
Playwright.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")
pytest.importorskip("playwright", reason="the extra `studio-tests` is not installed")
if shutil.which("chromium") is None:
    pytest.skip(
        "chromium is not installed (Debian: apt-get install chromium)", allow_module_level=True
    )

import browsers
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

CLASSICS = "examples/classics"
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Server]:
    paths = [f"{CLASSICS}/{name}" for name in ("tic_tac_toe", "hex")]
    with browsers.serving(tmp_path_factory.mktemp("studio"), *paths) as made:
        yield made


def table_of(
    browser: Browser, server: browsers.Server, wrong: list[str], title: str, *seats: str
) -> list[Page]:
    """A table that was set up, with a window for each person."""
    first = browsers.opened(browser, server.url, wrong)
    links = browsers.set_up(first, server.url, title, list(seats))
    first.goto(links[0])
    return [first, *(browsers.opened(browser, link, wrong) for link in links[1:])]


def test_places_are_chosen_on_the_board(
    browser: Browser, server: browsers.Server, wrong: list[str]
) -> None:
    """A click on a site chooses it, and the other page shows it without being asked; a click on
    one that is taken is refused with its rule.
    """
    mine, other = table_of(browser, server, wrong, "Tic-tac-toe", "person", "person")
    mine.locator(".target.open").first.click()
    expect(mine.locator("#status")).to_contain_text("Player 2 is to choose")
    expect(other.locator("#status")).to_contain_text("It is your turn")
    expect(other.locator("#heard")).to_have_text("It is your turn. Cell to mark")
    chip = other.locator(".picture svg rect[rx]").first
    assert chip.evaluate("e => getComputedStyle(e).fill") not in ("none", "rgba(0, 0, 0, 0)")
    lasting = other.evaluate_handle("document.getElementById('message')")
    other.locator(".target.closed").first.click()
    expect(other.locator("#message")).to_contain_text("cannot")
    assert lasting.evaluate("e => e.isConnected && e.ariaLive === 'assertive'")  # so it is read
    expect(other.locator("#message li").first).to_be_visible()
    mine.locator("#letters summary").click()
    expect(mine.locator("#letters pre")).to_contain_text("a1")
    mine.locator("#undo").click()
    expect(mine.locator("#letters pre")).to_contain_text("a1")  # it stays open
    expect(mine.locator("#status")).to_contain_text("It is your turn")
    expect(other.locator("#answer")).to_have_count(0)


def test_a_page_is_used_by_keyboard_alone(
    browser: Browser, server: browsers.Server, wrong: list[str]
) -> None:
    """From the top of the page to an option by the tabulator key, chosen by Enter; what is said
    while one looks elsewhere takes the focus from nothing.
    """
    mine, other = table_of(browser, server, wrong, "Tic-tac-toe", "person", "person")
    for _ in range(30):
        mine.keyboard.press("Tab")
        if mine.evaluate("document.activeElement.matches('button.option')"):
            break
    mine.keyboard.press("Enter")
    expect(other.locator("#answer")).to_be_visible()
    mine.locator("#said").focus()
    other.locator("#said").fill("<b>well</b> played")
    other.locator("#said").press("Enter")
    expect(mine.locator("#chat")).to_contain_text("<b>well</b> played")
    expect(other.locator("#said")).to_have_value("")
    assert mine.evaluate("document.activeElement.id") == "said"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    browser: Browser, server: browsers.Server, wrong: list[str], scheme: str
) -> None:
    """Every page, in light and dark, on a desk and on a phone; nothing stands out sideways."""
    page = browsers.opened(browser, server.url, wrong, color_scheme=scheme)
    seats = ["person", "greedy"]
    (link,) = browsers.set_up(page, server.url, "Big City", seats)
    host = page.url
    for url in (server.url, f"{server.url}new/0", host, link, f"{server.url}table/none"):
        for width in (1280, 768, 390):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(url)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (url, width)
        found = Axe().run(page).response["violations"]
        bad = [(item["id"], [n["html"] for n in item["nodes"]]) for item in found]
        assert [b for b, item in zip(bad, found, strict=True) if item["impact"] in SERIOUS] == []
    wrong[:] = [said for said in wrong if "404" not in said]  # the page that is not there


def test_pages_work_without_scripts(
    browser: Browser, server: browsers.Server, wrong: list[str]
) -> None:
    """Set up a table, choose, be refused, speak: all by plain forms."""
    page = browsers.opened(browser, server.url, wrong, java_script_enabled=False)
    first, second = browsers.set_up(page, server.url, "Tic-tac-toe", ["person", "person"])
    page.goto(first)
    page.locator("#answer button.option").first.click()
    assert "player 2 is to choose" in page.locator("#status").inner_text().lower()
    page.goto(second)
    page.locator("#said").fill("hello")
    page.get_by_role("button", name="Say").click()
    assert "hello" in page.locator("#chat").inner_text()
