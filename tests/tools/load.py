"""People who play at tables of a studio: each with a page open, one choice every so often.

Each person comes from an address of his own of this machine, so that the bounds of one caller do
not bound all. He holds the socket of his page, takes what it is sent for what he is asked, and
posts his choices as the page does. What is answered without a refusal counts as acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from interpreter.studio.links import Links
from interpreter.studio.storage.store import Store
from interpreter.studio.tables import Tables
from rulelang.core.values import Json

BACKOFF = 6  # doublings of the wait until a page seeks its socket again
KEPT = 3.0  # seconds for which a connection is used again, fewer than the server keeps it
PATIENCE = 60.0  # seconds until an answer that does not come counts as none
_TROUBLE = (OSError, TimeoutError, EOFError, ValueError, WebSocketException)


@dataclass(frozen=True)
class Asked:
    """What a page asks."""

    key: str
    name: str
    mode: str
    low: int
    values: tuple[str, ...]

    def form(self, draw: random.Random) -> list[tuple[str, str]]:
        """An answer, drawn at random."""
        head = [("key", self.key), ("name", self.name), ("mode", self.mode)]
        if self.mode == "some":
            return head + [("value", v) for v in draw.sample(self.values, self.low)]
        if self.mode == "order":
            ranks = [("rank", str(at + 1)) for at in range(len(self.values))]
            return head + [("item", v) for v in self.values] + ranks
        return [*head, ("value", draw.choice(self.values))]


def asked(html: str) -> Asked | None:
    """What the form of a page asks; none if nothing."""
    form = re.search(r'<form id="answer".*?</form>', html, re.S)
    if form is None:
        return None
    hidden = dict(re.findall(r'type="hidden" name="(key|name|mode)" value="([^"]*)"', form[0]))
    low = re.search(r'data-low="(\d+)"', form[0])
    values = re.findall(
        r'name="value" value="([^"]*)" class="option"'
        r'|type="checkbox" name="value" value="([^"]*)"|name="item" value="([^"]*)"',
        form[0],
    )
    found = tuple(unescape("".join(one)) for one in values)
    mode = hidden["mode"]
    return Asked(hidden["key"], hidden["name"], mode, int(low[1]) if low else 0, found)


@dataclass(frozen=True)
class Choice:
    """A choice that was acknowledged: of which link's game, as the answer to which question."""

    token: str
    key: str
    name: str
    value: Json


@dataclass
class Course:
    """What came of a run."""

    times: list[float] = field(default_factory=list)  # of choices, in seconds
    at: list[float] = field(default_factory=list)  # when each of them was made
    shown: list[float] = field(default_factory=list)  # until their page was told, in seconds
    acknowledged: list[Choice] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    cut: int = 0  # requests whose answer never came
    begun: int = 0
    over: int = 0


class Person:
    """Plays game after game against bots."""

    def __init__(self, number: int, course: Course, url: str, offer: int, seats: Sequence[str]):
        self.address = f"127.{1 + number // 60_000}.{number // 250 % 250}.{1 + number % 250}"
        self.course, self.offer, self.seats = course, offer, seats
        self.home, self.host = url.rstrip("/"), urlsplit(url).netloc
        self.draw = random.Random(number)
        self.token = self.mark = ""
        self.page: asyncio.Future[Asked] = asyncio.Future()
        self.over = asyncio.Event()
        self._used = self._since = 0.0
        self._wire: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def play(self, first: float, pause: float, until: float) -> None:
        """Choose once a pause, from a first time on."""
        due = first
        while max(due, time.monotonic()) < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            try:
                await self._begin()
                watching = asyncio.ensure_future(self._watch())
                try:
                    due = await self._choices(due, pause, until)
                finally:
                    watching.cancel()
                    with suppress(asyncio.CancelledError, *_TROUBLE):
                        await watching
            except _TROUBLE:
                await asyncio.sleep(0.5)

    # ------------------------------------------------------------------------------ what he does
    async def _begin(self) -> None:
        """A new table, unless he has one that is not over."""
        if self.token and not self.over.is_set():
            return
        form = [("seat", kind) for kind in self.seats]
        status, headers, _ = await self._send("POST", f"/new/{self.offer}", form)
        if status != 303:
            raise OSError(f"no game was begun: {status}")
        _, _, html = await self._send("GET", headers["location"])
        found = re.search(r'href="/table/([^"]+)"', html)
        assert found is not None
        self.token, self.mark, self.page = found[1], "", asyncio.Future()
        self.over.clear()
        self.course.begun += 1

    async def _choices(self, due: float, pause: float, until: float) -> float:
        """Choose until the game or the time is over; gives when the next choice is due."""
        while due < until and not self.over.is_set():
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            ended = asyncio.ensure_future(self.over.wait())
            await asyncio.wait(
                (self.page, ended),
                timeout=max(0.0, until - time.monotonic()),
                return_when=asyncio.FIRST_COMPLETED,
            )
            ended.cancel()
            if self.page.done() and not self.over.is_set():
                await self._choose(self.page.result())
                due = max(due + pause, time.monotonic())
            elif not self.over.is_set():
                break
        if self.over.is_set():
            self.course.over += 1
        return due

    async def _choose(self, question: Asked) -> None:
        form = question.form(self.draw)
        self._since = began = time.monotonic()
        try:
            status, _, html = await self._send("POST", f"/table/{self.token}/choose", form)
        except _TROUBLE:
            self._since = 0.0
            self.course.cut += 1
            await asyncio.sleep(0.2)  # the question stands, until the page is told of another
            return
        self.course.times.append(time.monotonic() - began)
        self.course.at.append(began)
        told = re.search(r'<div id="message"[^>]*>(.*?)</div>', html, re.S)
        said = re.sub(r"<[^>]*>|\s+", " ", told[1] if told else html[:300]).strip()
        if status == 200 and not said:
            value = _value(question, form)
            made = Choice(self.token, question.key, question.name, value)
            self.course.acknowledged.append(made)
        else:
            self.course.refused.append(f"{status} {said}"[:200])
        if '<section id="ask"' in html:
            self._told(html)
        elif self.page.done() and self.page.result() is question:
            self.page = asyncio.Future()

    def _told(self, html: str) -> None:
        """Take what a page is sent for what he is asked now."""
        if self._since:
            self.course.shown.append(time.monotonic() - self._since)
            self._since = 0.0
        if mark := re.search(r'<section id="status"[^>]* data-seen="([^"]*)"', html):
            self.mark = mark[1]
        if '<section id="ask"' in html:
            question = asked(html)
            if self.page.done():
                self.page = asyncio.Future()
            if question is not None:
                self.page.set_result(question)
        if "The game is over" in html or "is not decided" in html:
            self.over.set()

    async def _watch(self) -> None:
        """Hold the socket of the page, and open it again when it is cut, as a page does: it says
        what it shows, and waits ever longer between two trials, by a time drawn at random.
        """
        failed = 0
        while True:
            at = f"ws://{self.host}/socket/{self.token}?seen={self.mark}"
            with suppress(*_TROUBLE):
                async with connect(at, origin=self.home, local_addr=(self.address, 0)) as socket:  # type: ignore[arg-type]  # any text
                    failed = 0
                    async for said in socket:
                        self._told(str(said))
            await asyncio.sleep(2 ** min(failed, BACKOFF) * self.draw.random())
            failed += 1

    # ---------------------------------------------------------------------------------- the wire
    async def _send(
        self, method: str, path: str, form: list[tuple[str, str]] | None = None
    ) -> tuple[int, dict[str, str], str]:
        """A request over the connection he has; gives status, headers and page."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._sent(method, path, urlencode(form or []).encode())
        except BaseException:
            if self._wire is not None:
                self._wire[1].close()
                self._wire = None
            raise

    async def _sent(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], str]:
        idle, self._used = time.monotonic() - self._used, time.monotonic()
        if self._wire is not None and idle > KEPT:
            self._wire[1].close()
            self._wire = None
        if self._wire is None:
            name, _, port = self.host.partition(":")
            self._wire = await asyncio.open_connection(
                name, int(port), local_addr=(self.address, 0)
            )
        reading, writing = self._wire
        lines = [f"{method} {path} HTTP/1.1", f"host: {self.host}", f"origin: {self.home}"]
        lines += ["content-type: application/x-www-form-urlencoded", "hx-request: true"]
        lines += [f"content-length: {len(body)}", "", ""]
        writing.write("\r\n".join(lines).encode() + body)
        head = (await reading.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (h.partition(":") for h in head[1:]) if k}
        page = await reading.readexactly(int(headers["content-length"]))
        return int(head[0].split()[1]), headers, page.decode()


def _value(question: Asked, form: list[tuple[str, str]]) -> Json:
    """The value of an answer, as its row holds it."""
    fields = {"some": "value", "order": "item"}
    name = fields.get(question.mode)
    if name is None:
        found: Json = json.loads(form[-1][1])
        return found
    return [json.loads(text) for key, text in form if key == name]


async def crowd(
    url: str,
    games: int,
    minutes: float,
    pause: float,
    offers: Sequence[tuple[int, Sequence[str]]],
    course: Course,
) -> Course:
    """So many people at tables of these games, by turns, for so long; the course takes what comes
    of it.
    """
    now = time.monotonic()
    people = [Person(n, course, url, *offers[n % len(offers)]) for n in range(games)]
    until = now + minutes * 60
    await asyncio.gather(
        *(one.play(now + pause * n / games, pause, until) for n, one in enumerate(people))
    )
    return course


def lost(store: Store, acknowledged: Sequence[Choice]) -> tuple[list[Choice], list[str]]:
    """The acknowledged choices that are not among the rows where their question stood, and the
    games that cannot be played again from their rows, with why.
    """
    links, tables = Links(store), Tables(store)
    by_game: dict[tuple[str, int], list[Choice]] = {}
    for choice in acknowledged:
        link = links.read(choice.token)
        assert link is not None
        by_game.setdefault((link.game, link.seat), []).append(choice)
    missing: list[Choice] = []
    broken: list[str] = []
    for (game, seat), choices in by_game.items():
        rows = [row for row in store.choices(game) if row.seat == seat]
        for choice in choices:
            at = int(choice.key.partition(".")[0])  # so many rows the seat had written before
            if at >= len(rows) or (rows[at].name, rows[at].value) != (choice.name, choice.value):
                missing.append(choice)
        try:
            with tables.at(game):
                pass
        except Exception as error:  # whatever it is, it is told
            broken.append(f"{game}: {error}")
    return missing, broken
