"""The author's page in a real Chromium: write a card with a mistake, take the fix, try it, make a
scenario of it, play it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

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

from interpreter.cli.main import main

GROVE = "tests/good/grove"
SERIOUS = ("serious", "critical")
CARD = """for grove

card "Willow" of plant
  what: tree
  text
    | +2 for each tree next to it, max 6.
    | Must be plented next to a tree.
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Server]:
    with browsers.serving(tmp_path_factory.mktemp("studio"), GROVE) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsers.chromium() as made:
        yield made


@pytest.fixture
def wrong() -> Iterator[list[str]]:
    """What went wrong on any page of a test: nothing may, nor may a policy be broken."""
    found: list[str] = []
    yield found
    assert found == []


def project(
    browser: Browser, server: browsers.Server, wrong: list[str], title: str, **how: object
) -> Page:
    """The page of a new project, by the forms that make one."""
    page = browsers.opened(browser, f"{server.url}projects", wrong, **how)
    page.set_default_timeout(20_000)
    page.locator("#title").fill(title)
    page.locator("#game").select_option("grove")
    page.locator("form", has=page.locator("#title")).get_by_role("button", name="Begin").click()
    page.wait_for_url("**/project/*")
    return page


def on_board(page: Page, label: str) -> None:
    """Click the place of this label."""
    page.locator("#try .target", has=page.locator("title", has_text=label)).click()


def test_a_card_is_mended_tried_kept_and_played(
    browser: Browser, server: browsers.Server, wrong: list[str]
) -> None:
    """A mistake is told with its fix; the card scores 2 beside one tree, worked out by hand, and is
    refused beside none; the scenario passes by `rulelang test`, and the card is played to the end.
    """
    page = project(browser, server, wrong, "Our willows")
    browsers.write(page, CARD)
    fix = page.get_by_role("button", name="Write “Must be planted next to a tree.”")
    fix.click()
    expect(page.locator("#findings .good")).to_contain_text("every sentence is understood")
    expect(page.locator("#cards .printed svg")).to_contain_text("Willow")
    page.locator("#save").click()
    expect(page.locator("#state")).to_have_text("saved")
    page.locator("#try-start").click()
    page.locator("#mode-put").check()
    page.locator("#try-piece").select_option(label="Oak")
    on_board(page, "b2")
    expect(page.locator("#try .placed")).to_contain_text('"Oak" at b2')
    page.locator("#mode-only").check()
    on_board(page, "d4")
    expect(page.locator("#outcome .now")).to_have_text("It is refused.")
    expect(page.locator("#outcome li").first).to_contain_text("tree")
    on_board(page, "b3")
    expect(page.locator("#outcome .now")).to_have_text("It scores 2.")
    page.locator("#try-name").fill("a willow beside an oak")
    page.locator("#make").click()
    expect(page.locator("#message")).to_contain_text("and passes")
    (file,) = (server.folder / "projects" / "our-willows").iterdir()
    assert 'scenario "a willow beside an oak"' in file.read_text("utf-8")
    assert main(["test", str(file), "--rules", str(Path(GROVE).resolve())]) == 0
    page.get_by_role("button", name="Play against bots").click()
    page.wait_for_url("**/table/*")
    for _ in range(60):
        if "game is over" in page.locator("#status").inner_text():
            break
        willow = page.locator("#answer button.option", has_text="Willow")
        if willow.count():
            key = page.locator("#answer input[name=key]").input_value()
            willow.first.click()
            page.wait_for_function(
                "key => document.querySelector('#answer input[name=key]')?.value !== key", arg=key
            )
        elif not browsers.answer(page):
            page.wait_for_timeout(30)
    expect(page.locator("#status")).to_contain_text("The game is over")
    expect(page.locator("#log")).to_contain_text("Willow")


def test_the_page_works_without_scripts(
    browser: Browser, server: browsers.Server, wrong: list[str]
) -> None:
    """A fix, a position and a play, all by plain forms."""
    page = project(browser, server, wrong, "Plain", java_script_enabled=False)
    page.locator("#text").fill(CARD)
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="Write “Must be planted next to a tree.”").click()
    assert "Must be planted" in page.locator("#text").input_value()
    page.locator("#try-start").click()
    page.locator("#try-piece").select_option(label="Oak")
    page.locator("#try-site").select_option(label="b2")
    page.get_by_role("button", name="Put it on the board").click()
    page.locator("#try-site").select_option(label="b3")
    page.get_by_role("button", name="Play the card at that place").click()
    expect(page.locator("#outcome .now")).to_have_text("It scores 2.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    browser: Browser, server: browsers.Server, wrong: list[str], scheme: str
) -> None:
    """The projects, the page with a mistake and a board, the links: nothing stands out sideways."""
    page = project(browser, server, wrong, "Seen", color_scheme=scheme)
    at = page.url
    browsers.write(page, CARD)
    page.locator(".finding.error").wait_for()
    page.locator("#try-start").click()
    page.locator("#try-players, #try .message").first.wait_for()
    for url in (at, f"{at}/share", f"{server.url}projects"):
        if page.url != url:
            page.goto(url)
        for width in (1280, 768, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (url, width)
        found = Axe().run(page).response["violations"]
        bad = [(item["id"], [n["html"] for n in item["nodes"]]) for item in found]
        assert [b for b, item in zip(bad, found, strict=True) if item["impact"] in SERIOUS] == []
