"""Play whole games in a real Chromium as people do, and look at every page on the way.

`python tests/tools/browser_play.py` plays each of the studio's games and the classics to the end:
one person at a desk in the light and one at a phone in the dark, by clicks on options and on the
board, and by keys; where more sit there, bots. Each kind of page and each question is looked at
once: axe, the widths of phones, tablets and desks, words that only programs know, errors of the
console. What the table offers besides is done on the way and noted where it was seen: what options
bring, refusals with reasons, taking back, looking back, scores explained, onlookers, talk, a
browser that is closed and opened again. It ends with 1 if anything was found.

    browser_play.py [TITLE …] [--seed N] [--people N] [--players N] [--bot KIND]
                    [--variant TITLE] [--kill] [--pictures FOLDER] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import browsers
import studio_shots
from page_faults import page_faults
from playwright.sync_api import Browser, Error, Page

CLASSICS = sorted((browsers.ROOT / "examples" / "classics").iterdir())
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {
    "viewport": {"width": 375, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}
PATIENCE = 300  # seconds in which something happens at a table
MOST_CHOICES = 1_500
_LEAVES = re.compile(r"(?i)\b(pass|nothing|none|finish|end|stop|no|done)\b")
# What a page is like, but for what stands on it: a page of each kind is looked at once in a game.
_KIND = """() => {
  const at = (css) => document.querySelector(css);
  const form = at("#answer");
  const asked = form
    ? `${form.dataset.mode} ${form.elements.name.value.replace(/[0-9]+/g, "")}`
    : at("#status nav") ? "a step" : at(".ranking") ? "the end" : "waiting";
  const told = at("#message .message");
  const open = document.querySelectorAll("#log details[open], #letters[open]").length;
  return [asked, told ? "refused" : "", open ? "opened" : "", at("#undo") ? "undo" : ""]
    .filter(Boolean).join(", ");
}"""

_LOST = "[object Event]"  # said by sockets whose server was killed
_SHINES = """() => {
  const lit = document.querySelector(".target.open.lit");
  const other = document.querySelector(".target.open:not(.lit)");
  const strong = (e) => getComputedStyle(e).strokeWidth + getComputedStyle(e).fillOpacity;
  return Boolean(lit && (!other || strong(lit) !== strong(other)));
}"""


@dataclass
class Played:
    """What came of a game in the browser."""

    title: str
    choices: int = 0
    refused: int = 0
    seconds: float = 0.0
    pictures: Path | None = None  # the folder for pictures of pages with faults
    looked: dict[str, str] = field(default_factory=dict)  # kinds of pages -> whose page it was
    seen: Counter[str] = field(default_factory=Counter)  # what was done besides choosing
    taken: Counter[str] = field(default_factory=Counter)  # options by their words
    words: dict[str, str] = field(default_factory=dict)  # what the page said there
    faults: list[str] = field(default_factory=list)
    ranking: list[str] = field(default_factory=list)

    def fault(self, said: str) -> None:
        """Note a fault, once."""
        if said not in self.faults:
            self.faults.append(said)


@dataclass
class Player:
    """Somebody at a page of the table."""

    name: str
    page: Page
    link: str
    chance: random.Random
    played: Played
    by_keys: bool = False

    # ----------------------------------------------------------------- looking at the page
    def look(self, kind: str = "") -> None:
        """Look at a page of a kind that was not looked at before."""
        kind = kind or self.page.evaluate(_KIND)
        if kind in self.played.looked:
            return
        self.played.looked[kind] = self.name
        _look_at(self.page, f"{kind}, {self.name}", self.played)

    # ------------------------------------------------------------------------------------ choosing
    @property
    def key(self) -> str:
        """Which question is asked; nothing if none is."""
        found: str = self.page.evaluate(
            "() => document.querySelector('#answer input[name=key]')?.value ?? ''"
        )
        return found

    @property
    def over(self) -> bool:
        """Is the game over, as the page has it?"""
        return bool(self.page.locator(".ranking").count())

    def choose(self) -> bool:
        """Answer what is asked, somehow; gives whether it was taken."""
        key, mode = self.key, self.page.locator("#answer").get_attribute("data-mode")
        if mode == "some":
            self._some()
        elif mode == "order":
            self._order()
        elif not (self.chance.random() < 0.5 and self._on_the_board()):
            self._listed()
        return self._answered(key)

    def _listed(self) -> None:
        """Take an option of the list."""
        options = self.page.locator("#answer button.option:not(.closed)")
        said = options.all_inner_texts()
        if not said:  # somebody has taken a choice back meanwhile
            return
        weights = [self._weight(words) for words in said]
        place = self.chance.choices(range(len(said)), weights)[0]
        self.played.taken[said[place]] += 1
        option = options.nth(place)
        if self.by_keys:
            option.focus()
            self.page.keyboard.press("Enter")
            self.played.seen["chosen by keys"] += 1
        else:
            option.click()
            self.played.seen["chosen in the list"] += 1

    def _weight(self, words: str) -> float:
        """How gladly an option is taken: what was not taken yet most, what ends a turn least."""
        leaves = 0.1 if _LEAVES.search(words) else 1.0
        return leaves / (1 + self.played.taken[words])

    def _on_the_board(self) -> bool:
        """Take an option on the board, by one click or by its parts; gives whether one was taken or
        the list is to tell options apart.
        """
        key = self.key
        if not self.page.locator(".picture .target.open").count():
            return False
        for _ in range(3):
            reached = self.page.locator(".picture .target.open.reach:not(.picked)")
            targets = reached if reached.count() else self.page.locator(".picture .target.open")
            count = targets.count()  # once: they go when another's choice comes in
            if self.key != key or not count:
                return True
            target = targets.nth(self.chance.randrange(count))
            target.click(force=True, position=_inner(target.bounding_box()))
            # One option is sent at once; of several some are picked, and the next click parts them.
            if self.page.evaluate("() => !document.querySelector('.target.picked')"):
                self.played.seen["chosen on the board"] += 1
                return True
            if self.key != key:
                return True
        reach = self.page.locator("#answer .option.reach")
        if not reach.count():
            return False
        reach.nth(self.chance.randrange(reach.count())).click()
        self.played.seen["chosen on the board, then in the list"] += 1
        return True

    def _some(self) -> None:
        """Tick as many as are asked for."""
        form = self.page.locator("#answer")
        boxes = self.page.locator("#answer input[type=checkbox]")
        low, high = (int(form.get_attribute(f"data-{end}") or 0) for end in ("low", "high"))
        count = boxes.count()
        wanted = self.chance.randint(low, max(low, min(high or count, count)))
        for place in self.chance.sample(range(count), min(wanted, count)):
            boxes.nth(place).check()
        self.page.locator("#done").click()
        self.played.seen["several chosen"] += 1

    def _order(self) -> None:
        """Give each another place."""
        ranks = self.page.locator("#answer select[name=rank]")
        order = self.chance.sample(range(1, ranks.count() + 1), ranks.count())
        for place, rank in enumerate(order):
            ranks.nth(place).select_option(str(rank))
        self.page.locator("#done").click()
        self.played.seen["an order chosen"] += 1

    def _answered(self, key: str) -> bool:
        """Wait until an answer is taken or refused."""
        self.page.wait_for_function(
            """key => document.querySelector('#answer input[name=key]')?.value !== key
              || document.querySelector('#message .message')""",
            arg=key,
            timeout=PATIENCE * 1000,
        )
        return self.key != key

    # -------------------------------------------------------------------------- what else is there
    def once(self, what: str, do: Callable[[], bool]) -> None:
        """Do something that a table offers, until it was seen to work once."""
        if not self.played.seen[what] and do():
            self.played.seen[what] += 1

    def besides(self) -> None:
        """What can be done while one is asked: each looked at the first time it can, by turns, for
        few can at every choice.
        """
        if self.played.choices > 12 and self.played.choices % 8:
            return
        self.once("hover tells what an option brings", self._hover)
        self.once("an option lights up its places", self._lit)
        self.once("a refused click says why", self._refused)
        self.once("a play's score explained", self._explained)
        self.once("a player's score explained", self._standing)
        self.once("the boards in letters", self._letters)
        self.once("talk", self._talk)
        self.once("a look back", self._look_back)

    def _hover(self) -> bool:
        if self.played.choices % 4 or not self.page.locator("#weigh").count():
            return False
        self.page.locator("#answer button.option:not(.closed)").first.hover()
        try:
            self.page.wait_for_function(
                "() => [...document.querySelectorAll('.brings')].some(e => e.textContent)",
                timeout=2_000,
            )
        except Error:  # options that bring nothing
            return False
        self.look("hovered")
        self._note("brings", "#answer .option:has(.brings:not(:empty))")
        return True

    def _note(self, what: str, css: str) -> None:
        """Note the words in which something was told."""
        told = self.page.locator(css).first.inner_text()
        self.played.words[what] = " | ".join(told.split("\n"))[:300]

    def _lit(self) -> bool:
        options = self.page.locator("#answer button.option:not(.closed)")
        for place in range(min(options.count(), 8)):
            options.nth(place).focus()
            if self.page.evaluate(_SHINES):
                return True
        return False

    def _refused(self) -> bool:
        closed = self.page.locator("#answer .option.closed, .picture .target.closed")
        for place in range(min(closed.count(), 3)):
            one = closed.nth(place)
            if one.get_attribute("data-value"):
                one.dispatch_event("click")
            else:
                one.click()
            self.page.locator("#message .message").wait_for(timeout=PATIENCE * 1000)
            self.look()
            if self.page.locator("#message li").count():
                self._note("refused", "#message")
                return True
        return False

    def _explained(self) -> bool:
        line = self.page.locator("#log details > summary").first
        if not line.count():
            return False
        line.click()
        self.page.locator("#log details[open] .tree").first.wait_for()
        self._note("explained", "#log details[open]")
        self.look()
        return True

    def _standing(self) -> bool:
        line = self.page.locator("#players details[id^=standing] > summary").first
        if not line.count():
            return False
        line.click()
        self.page.locator("#players .tree").first.wait_for()
        self._note("score", "#players details[open]")
        self.look("a score opened")
        return True

    def _letters(self) -> bool:
        if not self.page.locator("#letters summary").count():
            return bool(self.page.locator("#board pre").count())
        self.page.locator("#letters summary").click()
        self.page.locator("#letters pre").wait_for()
        self.look()
        self.page.locator("#letters summary").click()
        return True

    def _talk(self) -> bool:
        self.page.locator("#said").fill("What do you build? <b>& so on</b>")
        self.page.locator("#said").press("Enter")
        self.page.locator("#chat li").first.wait_for()
        return "<b>& so on</b>" in self.page.locator("#chat").inner_text()

    def _look_back(self) -> bool:
        back = self.page.get_by_role("link", name="Look back, step by step")
        if not back.count() or self.played.choices < 4:
            return False
        back.click()
        self.page.locator("#status nav").wait_for()
        self.look()
        asked = self.page.locator("#answer").count()
        further = self.page.get_by_role("link", name="One back")
        if further.count():
            further.click()
        self.page.get_by_role("link", name="Now").click()
        self.page.locator("#answer").wait_for()
        return not asked

    def take_back(self) -> bool:
        """Take the last choice back, if that may be, and choose again."""
        if not self.page.locator("#undo").count():
            return False
        key = self.key
        self.page.locator("#undo").click()
        self.page.wait_for_function(
            "key => document.querySelector('#answer input[name=key]')?.value !== key"
            " || document.querySelector('#message .message')",
            arg=key,
            timeout=PATIENCE * 1000,
        )
        return not self.page.locator("#message .message.bad").count()

    def come_back(self, browser: Browser, wrong: list[str], how: dict[str, object]) -> bool:
        """Close the browser's window, and open the link again: the same question is asked."""
        key = self.key
        self.page.context.close()
        self.page = browsers.opened(browser, self.link, wrong, **how)
        return self.key == key


def _inner(box: object) -> dict[str, float]:
    """A place well within an area: sides and corners lie over the edges of cells."""
    assert isinstance(box, dict)
    return {"x": box["width"] * 0.5, "y": box["height"] * 0.42}


@dataclass
class Wish:
    """How a game is to be played."""

    seed: int = 1
    people: int = 2
    players: int = 2
    bot: str = "random"
    most: int = MOST_CHOICES
    kill: bool = False  # the server, in the middle
    pictures: Path | None = None
    variants: tuple[str, ...] = ()


def play(browser: Browser, server: browsers.Server, title: str, wish: Wish) -> Played:
    """Play one game to its end."""
    played, wrong, began = Played(title, pictures=wish.pictures), list[str](), time.monotonic()
    chance = random.Random(wish.seed)
    host = browsers.opened(browser, server.url, wrong, **DESK)
    host.set_default_timeout(PATIENCE * 1000)
    seats = ["person"] * wish.people + [wish.bot] * (wish.players - wish.people)
    people = _begun(host, server.url, seats, wish.variants, played)
    links, watcher = people[:-1], people[-1]
    ways = [DESK, PHONE]
    players = []
    for number, link in enumerate(links):
        page = browsers.opened(browser, link, wrong, **ways[number % 2])
        page.set_default_timeout(PATIENCE * 1000)
        name = "phone" if number % 2 else "desk"
        players.append(Player(name, page, link, chance, played))
    onlooker = Player("onlooker", host, watcher, chance, played)
    try:
        _course(browser, server, Table(players, onlooker, wrong), wish, played)
        host.goto(watcher)
        for player in (*players, onlooker):
            player.page.locator(".ranking").wait_for()
            player.look(f"the end, {player.name}")
    except Error as error:
        played.fault(f"broke off after {played.choices} choices: {str(error)[:600]}")
    played.ranking = [line.inner_text() for line in players[0].page.locator(".ranking li").all()]
    played.fault("there is no ranking") if not played.ranking else None
    for player in (*players, onlooker):
        player.page.context.close()
    for said in wrong:
        if not (wish.kill and said == _LOST):
            played.fault(f"console: {said}")
    played.seconds = time.monotonic() - began
    return played


@dataclass
class Table:
    """Those who look at a table."""

    players: list[Player]
    onlooker: Player
    wrong: list[str]


def _begun(
    host: Page, url: str, seats: list[str], variants: tuple[str, ...], played: Played
) -> list[str]:
    """Set up a table by the pages, each looked at; gives its links, the onlookers' last."""
    host.goto(url)
    _look_at(host, "start", played)
    host.get_by_role("link", name=f"Set up a table of {played.title}", exact=True).click()
    host.wait_for_url("**/new/*")
    played.looked |= dict.fromkeys(("start", "setup", "seats"), "host")
    _look_at(host, "setup", played)
    selects = host.locator("select[name=seat]")
    for number in range(selects.count()):
        selects.nth(number).select_option(seats[number] if number < len(seats) else "")
    decks = host.locator("#option-deck")
    if decks.count():  # a game with a deck list comes to its end sooner
        decks.select_option(index=1)
    for variant in variants:
        host.get_by_label(variant, exact=True).check()
    host.get_by_role("button", name="Begin").click()
    host.wait_for_url("**/host/*")
    _look_at(host, "seats", played)
    return [field.input_value() for field in host.locator("input.link").all()]


def _look_at(page: Page, kind: str, played: Played) -> None:
    page.locator("main h1, main section").first.wait_for(state="attached")
    found = page_faults(page)
    for said in found:
        played.fault(f"{kind}: {said}")
    if found and played.pictures is not None:
        played.pictures.mkdir(exist_ok=True)
        name = "".join(c if c.isalnum() else "-" for c in f"{played.title} {kind}")
        page.screenshot(path=played.pictures / f"{name}.png", full_page=True)


def _course(
    browser: Browser, server: browsers.Server, table: Table, wish: Wish, played: Played
) -> None:
    """All choices from the beginning to the end."""
    waited = time.monotonic()
    ways = (DESK, PHONE)
    while not table.players[0].over and played.choices < wish.most:
        asked = [player for player in table.players if player.key]
        for player in table.players:
            player.look()
        if not asked:
            if time.monotonic() - waited > PATIENCE:
                played.fault("nobody is asked, and the game is not over")
                return
            table.players[0].page.wait_for_timeout(30)
            continue
        player = table.players[0].chance.choice(asked)
        player.by_keys = played.choices % 7 == 3
        player.besides()
        if not player.key:
            continue
        _course_once(browser, table, player, ways[table.players.index(player) % 2], played)
        if wish.kill and played.choices == 5:
            server.kill()
            server.start()
            played.seen["the server killed"] += 1
        if player.choose():
            played.choices += 1
        else:
            player.look()
            played.refused += 1
        waited = time.monotonic()
        if played.choices > 2:
            for other in table.players:
                other.once("a choice taken back", other.take_back)
    if played.choices >= wish.most:
        played.fault(f"not over after {played.choices} choices")


def _course_once(
    browser: Browser, table: Table, player: Player, how: dict[str, object], played: Played
) -> None:
    """What is done once in the middle of a game."""
    if played.choices == 6:
        player.once(
            "a browser closed and opened again",
            lambda: player.come_back(browser, table.wrong, how),
        )
        table.onlooker.page.goto(table.onlooker.link)
        table.onlooker.look("watching")
        asked = table.onlooker.page.locator("#answer").count()
        table.onlooker.page.goto("about:blank")  # who looks on all the time costs much
        played.seen["an onlooker, who is asked nothing"] += not asked


def told(played: Played) -> str:
    """What came of a game, in lines."""
    done = ", ".join(f"{what} ({count})" for what, count in sorted(played.seen.items()))
    head = (
        f"{played.title}: {played.choices} choices in {played.seconds:.0f} s, "
        f"{len(played.looked)} kinds of pages looked at, {len(played.faults)} faults"
    )
    done += f"\n  looked at: {'; '.join(played.looked)}"
    words = [f"  {what}: {said}" for what, said in played.words.items()]
    faults = [f"  FAULT {said}" for said in played.faults]
    return "\n".join([head, f"  {done}", *words, f"  {'; '.join(played.ranking)}", *faults])


def author(browser: Browser, server: browsers.Server, pictures: Path | None) -> Played:
    """The author's pages, each looked at; without a game."""
    played, wrong = Played("The author's pages", pictures=pictures), list[str]()
    page = browsers.opened(browser, server.url, wrong, **DESK)
    page.set_default_timeout(PATIENCE * 1000)

    def seen(page: Page, name: str) -> None:
        played.looked[name] = "author"
        _look_at(page, name, played)

    try:
        studio_shots.author(page, server.url, seen)
    except Error as error:
        played.fault(f"broke off: {str(error)[:600]}")
    for said in wrong:
        played.fault(f"console: {said}")
    page.context.close()
    return played


def main() -> int:
    """Play the games that are named, or all; gives 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("titles", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--people", type=int, default=2)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--bot", default="random")
    parser.add_argument("--variant", action="append", default=[], help="its title")
    parser.add_argument("--most", type=int, default=MOST_CHOICES)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--pictures", type=Path, help="a folder for pages with faults")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    wish = Wish(
        wanted.seed,
        wanted.people,
        wanted.players,
        wanted.bot,
        wanted.most,
        wanted.kill,
        wanted.pictures,
        tuple(wanted.variant),
    )
    found = []
    with (
        tempfile.TemporaryDirectory() as folder,
        browsers.serving(Path(folder), *map(str, CLASSICS)) as server,
        browsers.chromium() as browser,
    ):
        page = browsers.opened(browser, server.url, [])
        known = page.locator(".games h2").all_inner_texts()
        titles = [t for t in known if t.startswith(tuple(wanted.titles) or ("",))]
        page.context.close()
        for title in titles:
            try:
                found.append(play(browser, server, title, wish))
            except Error as error:
                found.append(Played(title, faults=[f"broke off: {str(error)[:600]}"]))
            print(told(found[-1]), flush=True)
        if not wanted.titles:
            found.append(author(browser, server, wanted.pictures))
            print(told(found[-1]), flush=True)
    if wanted.json:
        print(json.dumps([vars(played) for played in found], default=str))
    return int(any(played.faults for played in found))


if __name__ == "__main__":
    sys.exit(main())
