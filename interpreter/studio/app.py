"""The studio over HTTP: what each address gives and takes."""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from interpreter.game.score_tree import ScoreTree
from interpreter.studio import answers
from interpreter.studio.author.projects import Projects
from interpreter.studio.author.questions import Ask
from interpreter.studio.author.routes import Author
from interpreter.studio.author.worker import Worker
from interpreter.studio.forms import Posts, caller_of
from interpreter.studio.guard import Guard
from interpreter.studio.hub import Hub, Watcher
from interpreter.studio.limits import Limits, Rate
from interpreter.studio.links import Link, Links
from interpreter.studio.live import Broken
from interpreter.studio.offers import Offer, Unclear, wanted
from interpreter.studio.pages import STATIC, Message, Pages, Regions, SeatLink, Seen
from interpreter.studio.refused import Refused
from interpreter.studio.scene import Scenes, letters_at, scene, standing_at
from interpreter.studio.storage.store import HOST, PERSON, WATCHER, Gone
from interpreter.studio.tables import Change, Tables, Unknown

STUDY_SECONDS = 60.0  # that a slice of what is worked out in the background may take
TOGETHER = 0.3  # seconds in which what bots do is told at once

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Looking:
    """How a table is looked at: at an earlier step, or with what options bring."""

    step: int | None = None
    weighed: bool = False


@dataclass
class Studio:
    """All that the addresses share."""

    tables: Tables
    links: Links
    hub: Hub
    offers: list[Offer]
    limits: Limits = field(default_factory=Limits)
    pages: Pages = field(default_factory=Pages)
    scenes: Scenes = field(default_factory=Scenes)
    sockets: Counter[str] = field(default_factory=Counter)

    projects: Projects | None = None  # none: nobody writes cards here
    ask: Ask = field(default_factory=lambda: Worker().ask)
    study: Ask = field(default_factory=lambda: Worker(STUDY_SECONDS, nice=10).ask)
    listed: bool = True  # are all projects shown to whoever reaches the server?

    def __post_init__(self) -> None:
        self.posts = Posts(self.limits)
        self._ending: set[asyncio.Task[None]] = set()
        self.begun = Rate(self.limits.begun, self.limits.begun_burst)

    # ------------------------------------------------------------------------------- beginning
    async def start(self, request: Request) -> Response:
        """The start page."""
        return HTMLResponse(self.pages.start(self.offers, self.projects is not None))

    async def new(self, request: Request) -> Response:
        """The form that begins a game."""
        return HTMLResponse(self.pages.new(self._offer(request)))

    async def begin(self, request: Request) -> Response:
        """Begin a game, and go to the page with its links."""
        offer, form = self._offer(request), await self.posts.form(request)
        if not self.begun.admits(caller_of(request)):
            message = Message("too many games at once; wait a little and try again")
            return HTMLResponse(self.pages.new(offer, form, message), 429)
        try:
            settings, kinds = wanted(offer, form)
            kept = await asyncio.to_thread(self.tables.begin, settings, kinds)
        except Unclear as error:
            return HTMLResponse(self.pages.new(offer, form, Message(str(error))), 422)
        except Refused as error:
            message = Message(str(error), error.reasons)
            return HTMLResponse(self.pages.new(offer, form, message), 422)
        self.hub.drive(kept.id)
        link = await asyncio.to_thread(self.links.of, kept.id, HOST)
        return RedirectResponse(f"/host/{link.token}", 303)

    def author(self) -> list[Route]:
        """The addresses of the author's pages; none where nobody writes."""
        if self.projects is None:
            return []
        return Author(
            self.projects,
            self.links,
            self.pages,
            self.posts,
            self.offers,
            self.ask,
            self.study,
            self.tables,
            self.hub,
            self.begun,
            self.listed,
        ).routes()

    def _offer(self, request: Request) -> Offer:
        number = int(request.path_params["number"])
        if not 0 <= number < len(self.offers):
            raise HTTPException(404)
        return self.offers[number]

    # ------------------------------------------------------------------------------- the host
    async def host(self, request: Request) -> Response:
        """The links of a game, for whoever began it."""
        link = await self._link(request, host=True)
        return HTMLResponse(await asyncio.to_thread(self._host_page, request, link, ""))

    async def renew(self, request: Request) -> Response:
        """Revoke the link of a seat, and show the new one."""
        link, form = await self._link(request, host=True), await self.posts.form(request)
        number = form.get("seat", [""])[0]
        if not number.lstrip("-").isdecimal() or len(number) > 4 or int(number) == HOST:
            raise HTTPException(400)
        await asyncio.to_thread(self.tables.store.revoke, link.game, int(number))
        self.hub.woken(link.game, Change())
        said = "There is a new link; the one before it leads nowhere now."
        return HTMLResponse(await asyncio.to_thread(self._host_page, request, link, said))

    def _host_page(self, request: Request, link: Link, said: str) -> str:
        kept = self.tables.store.game(link.game)
        if kept is None:
            raise Unknown(link.game)
        title = next((o.title for o in self.offers if o.rules == kept.settings.rules), "A game")
        seats = [
            self._seat_link(request, link.game, number, kind)
            for number, kind in [*enumerate(kept.kinds), (WATCHER, "watcher")]
        ]
        return self.pages.host(title, link.token, seats, said)

    def _seat_link(self, request: Request, game: str, number: int, kind: str) -> SeatLink:
        called = "Onlookers" if number == WATCHER else f"Player {number + 1}"
        if number != WATCHER and kind != PERSON:
            return SeatLink(number, called, kind)
        path = f"/table/{self.links.of(game, number).token}"
        address = str(request.base_url).rstrip("/") + path
        return SeatLink(number, called, kind, path, address)

    # ------------------------------------------------------------------------------ the table
    async def table(self, request: Request) -> Response:
        """The page of a seat."""
        link = await self._link(request)
        self.hub.drive(link.game)
        return await self._whole(link, Message(), how=_looking(request))

    async def letters(self, request: Request) -> Response:
        """The boards of a table in letters: alone for its page, else as a page."""
        link = await self._link(request)
        at = _looking(request).step

        def written() -> str:
            with self.tables.at(link.game) as table:
                return letters_at(table.live, link.viewer, at)

        letters = await asyncio.to_thread(written)
        template = "regions/letters.html" if "hx-request" in request.headers else "letters.html"
        return HTMLResponse(self.pages.write(template, letters=letters, token=link.token))

    async def standing(self, request: Request) -> Response:
        """How a player's score comes about: alone for its page, else as a page."""
        link = await self._link(request)
        seat, at = int(request.path_params["seat"]), _looking(request).step

        def worked_out() -> ScoreTree | None:
            with self.tables.at(link.game) as table:
                return standing_at(table.live, link.viewer, seat, at)

        tree = await asyncio.to_thread(worked_out)
        if tree is None:
            raise HTTPException(404)
        template = "regions/standing.html" if "hx-request" in request.headers else "standing.html"
        written = self.pages.write(template, tree=tree, seat=seat, token=link.token)
        return HTMLResponse(written)

    async def brings(self, request: Request) -> Response:
        """What the options of a seat would bring, for the page on which one is pointed at."""
        link = await self._link(request)

        def worked_out() -> Mapping[str, str]:
            with self.tables.at(link.game) as table:
                return self.scenes.weighed(table.kept, table.live, link.viewer)

        brings = await asyncio.to_thread(worked_out)
        return HTMLResponse(self.pages.write("regions/brings.html", brings=brings))

    async def choose(self, request: Request) -> Response:
        """Make a choice; what is refused is told with its reasons."""
        form = await self.posts.form(request)

        def act(link: Link) -> None:
            if link.seat == WATCHER:
                raise Refused("onlookers choose nothing")
            try:
                given = answers.reply(form)
            except answers.Forged as error:
                raise Refused(str(error)) from error
            self.tables.choose(link.game, link.seat, given.key, given.name, given.value)

        return await self._done(request, act)

    async def undo(self, request: Request) -> Response:
        """Take the seat's last choice back."""
        await self.posts.form(request)

        def act(link: Link) -> None:
            if link.seat == WATCHER:
                raise Refused("onlookers choose nothing")
            self.tables.undo(link.game, link.seat)

        return await self._done(request, act)

    async def say(self, request: Request) -> Response:
        """Say a line at the table."""
        form = await self.posts.form(request)
        said = form.get("said", [""])[0]
        return await self._done(request, lambda link: self.tables.say(link.game, link.seat, said))

    async def _done(self, request: Request, act: Callable[[Link], None]) -> Response:
        """Do something at a table, and answer with how it stands then, unless the page is told that
        by its socket.
        """
        token = request.path_params["token"]
        link, message = await self.hub.first.ahead(self._acted, token, act)
        if link is None:
            raise HTTPException(404)
        if "hx-request" in request.headers:
            parts = ""
            if not self.hub.tells(link.game, link.token):
                seen = await asyncio.to_thread(self._seen, link)
                parts = self.pages.news(seen, self.pages.regions(seen))
            told = f"{parts}\n{self.pages.message(message, renewing=True)}"
            return HTMLResponse(told, headers=self._elsewhere(link))
        if message.text:
            return await self._whole(link, message, 422)
        return RedirectResponse(f"/table/{link.token}", 303)

    def _acted(self, token: str, act: Callable[[Link], None]) -> tuple[Link | None, Message]:
        """Do something by a link, and say why it was refused; no link where there is none."""
        link = self.links.read(token)
        if link is None or link.seat == HOST:
            return None, Message()
        try:
            act(link)
        except Refused as error:
            return link, Message(str(error), error.reasons)
        return link, Message()

    async def _whole(
        self, link: Link, message: Message, status: int = 200, how: Looking = Looking()
    ) -> Response:
        seen = await asyncio.to_thread(self._seen, link, how)
        return HTMLResponse(self.pages.table(seen, message), status, self._elsewhere(link))

    def _elsewhere(self, link: Link) -> dict[str, str]:
        """Headers by which the next request comes to the process that has the game."""
        return {} if self.hub.share.mine(link.game) else {"connection": "close"}

    def _seen(self, link: Link, how: Looking = Looking()) -> Seen:
        """What a page of a link shows."""
        with self.tables.at(link.game) as table:
            if how == Looking():
                found = self.scenes.now(table.kept, table.live, link.viewer)
            else:
                found = scene(table.kept, table.live, link.viewer, how.step, how.weighed)
            applied = table.live.applied
        chat = self.tables.chat(link.game, table.said)
        mark = ""
        if not found.together:  # else nobody is told how far others are, not even by a mark
            mark = self.links.mark(link, applied, table.said, len(table.kept.undecided))
        return Seen(found, chat, link.token, mark)

    # ---------------------------------------------------------------------------- the sockets
    async def socket(self, socket: WebSocket) -> None:
        """Send the parts of a page that change, as long as its link is good."""
        link = await asyncio.to_thread(self.links.read, socket.path_params["token"])
        caller = socket.client.host if socket.client is not None else ""
        full = (
            link is None
            or link.seat == HOST
            or self.sockets[caller] >= self.limits.sockets
            or self.hub.watchers(link.game) >= self.limits.watchers
        )
        if link is None or full:
            await socket.close(1008)
            return
        await socket.accept()
        watcher = Watcher(link.token)
        self.sockets[caller] += 1
        self.hub.watch(link.game, watcher)
        listening = asyncio.ensure_future(_until_closed(socket))
        telling = asyncio.ensure_future(self._tell(socket, link, watcher))
        try:
            await asyncio.wait((listening, telling), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.hub.leave(link.game, watcher)
            self.sockets[caller] -= 1
            for task in (listening, telling):
                self._ending.add(task)  # nobody else holds it until it has ended
                task.add_done_callback(self._ending.discard)
                task.cancel()
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()

    async def _tell(self, socket: WebSocket, link: Link, watcher: Watcher) -> None:
        """Send what changes until the link or the socket is gone."""
        with suppress(RuntimeError, WebSocketDisconnect, Gone, Broken, Unknown):
            mark = socket.query_params.get("seen", "")
            if await self.hub.first.behind(self._shows, link, mark):
                self.hub.look_after(link.game)
            else:
                watcher.changed.set()
                self.hub.drive(link.game)
            await self._go_on_telling(socket, link, watcher)

    def _shows(self, link: Link, mark: str) -> bool:
        """Does a page with this mark show how the table stands?"""
        reached = self.tables.store.reached(link.game) if mark else None
        if reached is None:
            return False
        applied, said, undecided = reached
        return hmac.compare_digest(mark, self.links.mark(link, applied, said, len(undecided)))

    async def _go_on_telling(self, socket: WebSocket, link: Link, watcher: Watcher) -> None:
        sent: Regions | None = None
        while True:
            await watcher.changed.wait()
            await self.hub.settled(link.game, TOGETHER)
            await self.hub.first.calm()
            watcher.changed.clear()
            found = await self.hub.first.beside(self._news, link, sent)
            if found is None:
                return
            news, sent = found
            if news:
                await socket.send_text(news)

    def _news(self, link: Link, sent: Regions | None) -> tuple[str, Regions] | None:
        """What a page that was sent this is to be sent now; none if its link was taken back."""
        if self.links.read(link.token) is None:
            return None
        seen = self._seen(link)
        regions = self.pages.regions(seen)
        return self.pages.news(seen, regions, sent), regions

    # --------------------------------------------------------------------------- what comes in
    async def _link(self, request: Request, host: bool = False) -> Link:
        """What the token of an address leads to."""
        link = await asyncio.to_thread(self.links.read, request.path_params["token"])
        if link is None or (link.seat == HOST) != host:
            raise HTTPException(404)
        return link


_TOLD = {
    400: ("That was not understood", "No page of ours sends that. Go back and try again."),
    404: (
        "There is nothing here",
        "The link is not whole, or it was taken back by whoever gave it.",
    ),
    405: ("There is nothing here", "This address takes no such request."),
    413: ("That is too much", "The server takes no request as large as that."),
    415: ("That was not understood", "The server takes forms of its own pages only."),
    429: ("Slowly", "That were many requests at once. Wait a moment and try again."),
}


def _looking(request: Request) -> Looking:
    """How a table is looked at."""
    step = request.query_params.get("step", "")
    at = int(step) if step.isdecimal() and len(step) < 7 else None
    return Looking(at, at is None and "weighed" in request.query_params)


async def _until_closed(socket: WebSocket) -> None:
    """Read what a page sends, and mind none of it: choices are posted."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.receive_text()


def make_app(studio: Studio, names: Iterable[str] = (), everywhere: bool = False) -> Starlette:
    """The application, with everything that guards it."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        studio.hub.start()
        try:
            yield
        finally:
            await studio.hub.stop()

    async def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        heading, text = _TOLD.get(status, _TOLD[400])
        return HTMLResponse(studio.pages.fault(heading, text), status)

    async def gone(request: Request, error: Exception) -> Response:
        text = "The database cannot be reached. The game is as it was; try again in a moment."
        return HTMLResponse(studio.pages.fault("Not just now", text), 503)

    async def broken(request: Request, error: Exception) -> Response:
        text = f"This game cannot be gone on with here: {error}."
        return HTMLResponse(studio.pages.fault("The game stands still", text), 409)

    async def unknown(request: Request, error: Exception) -> Response:
        return HTMLResponse(studio.pages.fault(*_TOLD[404]), 404)

    async def left(request: Request, error: Exception) -> Response:
        return Response(status_code=400)

    async def failed(request: Request, error: Exception) -> Response:
        text = "The server made a mistake. The game is as it was."
        return HTMLResponse(studio.pages.fault("That went wrong", text), 500)

    seat = "/table/{token}"
    return Starlette(
        routes=[
            Route("/", studio.start),
            Route("/new/{number:int}", studio.new, methods=["GET"]),
            Route("/new/{number:int}", studio.begin, methods=["POST"]),
            Route("/host/{token}", studio.host),
            Route("/host/{token}/renew", studio.renew, methods=["POST"]),
            Route(seat, studio.table),
            Route(f"{seat}/letters", studio.letters),
            Route(f"{seat}/standing/{{seat:int}}", studio.standing),
            Route(f"{seat}/brings", studio.brings),
            Route(f"{seat}/choose", studio.choose, methods=["POST"]),
            Route(f"{seat}/undo", studio.undo, methods=["POST"]),
            Route(f"{seat}/say", studio.say, methods=["POST"]),
            WebSocketRoute("/socket/{token}", studio.socket),
            *studio.author(),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, names=tuple(names), everywhere=everywhere)],
        exception_handlers={
            HTTPException: refused,
            Gone: gone,
            Broken: broken,
            Unknown: unknown,
            ClientDisconnect: left,
            Exception: failed,
        },
        lifespan=lifespan,
    )
