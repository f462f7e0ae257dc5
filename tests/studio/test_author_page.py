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
from rulelang.syntax.lexemes import lexemes

GROVE = "tests/good/grove"
SERIOUS = ("serious", "critical")
CARD = """for grove

card "Willow" of plant
  what: tree
  text
    | +2 for each tree next to it, max 6.
    | Must be plented next to a tree.
"""
COLOURED = """for grove  # a comment, "no text"

[G-01] event late(p: player, x: plant) with at least 2
  add worth(x,
    card of x) to p's points
  choose at once some at from (a,
  score of x) by p "plot"

define near(x: plant) = x != 10 to any
replace card "Oak" of plant
  text
    | at most 3 # within a row
no word is the end
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Server]:
    folder = tmp_path_factory.mktemp("studio")
    rules = folder / "grove" / "grove.rules"
    rules.parent.mkdir()
    text = Path(GROVE, "grove.rules").read_text("utf-8")
    rules.write_text(text.replace("players: 2", "players: 2 to 3", 1), "utf-8")
    with browsers.serving(folder, str(rules.parent)) as made:
        yield made


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


def test_from_a_card_with_a_mistake_to_the_end_of_a_game(
    browser: Browser, server: browsers.Server, wrong: list[str]
) -> None:
    """Write a card with a mistake, take the fix, try it, keep what was tried, play it with a second
    person in a second browser against a bot, close that one in the middle while the server is
    killed, come back, finish.
    """
    page = project(browser, server, wrong, "Our willows")
    card_is_mended(page)
    card_is_tried(page)
    card_is_played_by_bots(page)
    page.locator("#try-name").fill("a willow beside an oak")
    page.locator("#make").click()
    expect(page.locator("#message")).to_contain_text("and passes")
    (file,) = (server.folder / "projects" / "our-willows").iterdir()
    assert 'scenario "a willow beside an oak"' in file.read_text("utf-8")
    assert main(["test", str(file), "--rules", server.paths[0]]) == 0
    second = browser.browser_type.launch(executable_path=browsers.CHROMIUM, args=["--no-sandbox"])
    pages = table_of_three(page, second, wrong)
    while sum(browsers.answer(one, "Willow") for one in pages) < 2:
        page.wait_for_timeout(30)
    link, made = pages[1].url, page.locator("#log").inner_text()
    second.close()
    server.kill()
    expect(page.locator("#connection")).to_be_visible()
    server.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=20_000)
    wrong.clear()  # of sockets that were cut
    second = browser.browser_type.launch(executable_path=browsers.CHROMIUM, args=["--no-sandbox"])
    pages[1] = browsers.opened(second, link, wrong)
    page.reload()
    assert page.locator("#log").inner_text().endswith(made)
    for _ in range(200):
        if "game is over" in page.locator("#status").inner_text():
            break
        if not sum(browsers.answer(one, "Willow") for one in pages):
            page.wait_for_timeout(30)
    for one in pages:
        expect(one.locator("#status")).to_contain_text("The game is over")
        expect(one.locator("#log")).to_contain_text("Willow")
    second.close()


def card_is_mended(page: Page) -> None:
    """The mistake is told with its fix, which is taken at a click; the card is saved."""
    browsers.write(page, CARD)
    page.get_by_role("button", name="Write “Must be planted next to a tree.”").click()
    expect(page.locator("#findings .good")).to_contain_text("every sentence is understood")
    expect(page.locator("#cards .printed svg")).to_contain_text("Willow")
    page.locator("#save").click()
    expect(page.locator("#state")).to_have_text("saved")


def card_is_tried(page: Page) -> None:
    """The card scores 2 beside one tree, worked out by hand, and is refused beside none."""
    page.locator("#try-start").click()
    page.locator("#mode-put").check()
    page.locator("#try-piece").select_option(label="Oak")
    on_board(page, "b2")
    expect(page.locator("#try .placed")).to_contain_text("Oak at b2")
    page.locator("#mode-only").check()
    on_board(page, "d4")
    expect(page.locator("#outcome .now")).to_have_text("It is refused.")
    expect(page.locator("#outcome li").first).to_contain_text("tree")
    on_board(page, "b3")
    expect(page.locator("#outcome .now")).to_have_text("It scores 2.")


def card_is_played_by_bots(page: Page) -> None:
    """In the background each sentence is found to count, and the card is found too strong."""
    expect(page.locator("#study .tag.counts")).to_have_count(2, timeout=60_000)
    expect(page.locator("#study")).to_contain_text("Willow: stronger", timeout=60_000)


def table_of_three(page: Page, second: Browser, wrong: list[str]) -> list[Page]:
    """A table of the project's cards with a bot between two people, each in a browser."""
    page.locator("#who summary").click()
    for number, kind in enumerate(("person", "random", "person"), 1):
        page.locator(f"#seat{number}").select_option(kind)
    page.get_by_role("button", name="Begin with these").click()
    page.wait_for_url("**/host/*")
    mine, other, _onlookers = [field.input_value() for field in page.locator("input.link").all()]
    page.goto(mine)
    return [page, browsers.opened(second, other, wrong)]


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


def test_the_editor_colours_as_the_language_does(
    browser: Browser, server: browsers.Server, wrong: list[str]
) -> None:
    """Every word of a text has the class of its lexeme, also where a definition goes on."""
    page = project(browser, server, wrong, "Coloured")
    browsers.write(page, COLOURED)
    page.locator(".cm-line", has_text="the end").wait_for()
    found = page.locator(".cm-line").evaluate_all(
        """lines => lines.map(line => [...line.querySelectorAll("[class*=word-]")].map(
            e => [/word-(\\w+)/.exec(e.className)[1], e.textContent.trim()]))"""
    )
    for number, line in enumerate(found, 1):
        wanted = [(one.kind, one.text) for one in lexemes(COLOURED) if one.line == number]
        words = [("keyword" if k == "head" else k, word) for k, s in line for word in parts(k, s)]
        assert words == wanted, number


def parts(kind: str, text: str) -> list[str]:
    """The words that a coloured stretch stands for."""
    return text.split() if kind == "head" else [text]


def test_the_editor_is_used_by_keyboard(
    browser: Browser, server: browsers.Server, wrong: list[str]
) -> None:
    """A mistake is underlined and mended from F8, what could follow is offered and written only
    when it is chosen, a row is gone on with, the caret goes on by the tabulator key.
    """
    page = project(browser, server, wrong, "Typed")
    keys = page.keyboard
    browsers.write(page, CARD)
    expect(page.locator(".cm-lintRange-error")).to_have_text("plented")
    keys.press("F8")
    page.locator(".cm-tooltip").get_by_role("button", name="Write “planted”").click()
    expect(page.locator(".cm-lintRange")).to_have_count(0)
    keys.press("Control+End")
    keys.type("    | +1 for each ")
    oak = page.locator(".cm-tooltip-autocomplete [role=option]", has_text="Oaks")
    expect(oak).to_have_count(1)
    while oak.get_attribute("aria-selected") != "true":
        keys.press("ArrowDown")
    keys.press("Enter")
    keys.press("Enter")
    keys.type("Must be ")
    assert page.locator("#text").input_value() == (
        CARD.replace("plented", "planted") + "    | +1 for each Oaks\n    | Must be "
    )
    keys.press("Control+a")
    keys.type("x")
    assert page.locator("#text").input_value() == "x"
    keys.press("Control+z")
    keys.press("Tab")
    assert not page.evaluate("document.activeElement.closest('#editor') !== null")
