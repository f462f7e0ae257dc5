"""The author's pages over HTTP: what each address gives and takes."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from interpreter.game.loading import load_rules
from interpreter.studio.author.archives import packed, unpacked
from interpreter.studio.author.drafts import draft_of
from interpreter.studio.author.projects import Changed, Project, Projects, file_name, mark_of
from interpreter.studio.author.questions import (
    Ask,
    Begin,
    Begun,
    Look,
    Looked,
    Studied,
    Study,
    Tried,
    Try,
)
from interpreter.studio.forms import Form, Posts, caller_of, one
from interpreter.studio.guard import csp
from interpreter.studio.hub import Hub
from interpreter.studio.limits import Rate
from interpreter.studio.links import Links, ProjectLink
from interpreter.studio.offers import Offer, Unclear, kinds, wanted
from interpreter.studio.pages import Message, Pages
from interpreter.studio.refused import Refused
from interpreter.studio.storage.store import HOST, PERSON, Settings
from interpreter.studio.tables import Tables
from rulelang.syntax.lexemes import patterns

USUAL_FILE = "cards.rules"
NOTHING = Message()


@dataclass(frozen=True)
class Open:
    """A file of a project that somebody has open: its text as he writes it, and how it was."""

    link: ProjectLink
    project: Project
    file: str
    text: str
    mark: str
    caret: int = 0
    looked: Looked | None = None  # none before anybody looked
    tried: Tried | None = None
    studied: Studied | None = None
    mode: str = ""  # what a click on the board does
    piece: str = ""  # that is chosen to be put somewhere
    whose: str = ""
    place: str = ""
    message: Message = NOTHING

    @property
    def saved(self) -> bool:
        """Is the text what is kept?"""
        return mark_of(self.text) == self.mark


@dataclass
class Author:
    """All that the addresses of the author's pages share."""

    projects: Projects
    links: Links
    pages: Pages
    posts: Posts
    offers: list[Offer]
    ask: Ask
    ask_behind: Ask  # what is worked out in the background
    tables: Tables
    hub: Hub
    begun: Rate
    listed: bool = True  # may whoever reaches the server see all projects?

    def routes(self) -> list[Route]:
        """The addresses."""
        at = "/project/{token}"
        gets = {"": self.show, "/download": self.download, "/share": self.share}
        posts = {
            "/look": self.look,
            "/save": self.save,
            "/file": self.new_file,
            "/remove": self.remove,
            "/upload": self.add,
            "/renew": self.renew,
            "/play": self.play,
            "/try": self.tries,
            "/scenario": self.scenario,
            "/study": self.study,
        }
        return [
            Route("/projects", self.all, methods=["GET"]),
            Route("/projects", self.make, methods=["POST"]),
            Route("/projects/upload", self.upload, methods=["POST"]),
            *(Route(at + end, given, methods=["GET"]) for end, given in gets.items()),
            *(Route(at + end, taken, methods=["POST"]) for end, taken in posts.items()),
        ]

    # ---------------------------------------------------------------------------- all projects
    async def all(self, request: Request) -> Response:
        """The projects that are here, and the forms that make one."""
        return await self._all(NOTHING, 200)

    async def _all(self, message: Message, status: int) -> Response:
        found = await asyncio.to_thread(self._listed) if self.listed else []
        games = [(offer.entry.id, offer.title) for offer in self.offers]
        html = self.pages.write(
            "author/projects.html",
            projects=found,
            games=games,
            listed=self.listed,
            message=self.pages.message(message),
        )
        return HTMLResponse(html, status)

    def _listed(self) -> list[tuple[Project, str, str]]:
        return [
            (project, self._title(project.game), self.links.of_project(project.name, True).token)
            for project in self.projects.all()
        ]

    def _title(self, game: str) -> str:
        return next((offer.title for offer in self.offers if offer.entry.id == game), game)

    def _seats(self, game: str) -> list[str]:
        """Who sits where unless somebody says otherwise; nothing where there is no such game."""
        return next((offer.seats() for offer in self.offers if offer.entry.id == game), [])

    async def make(self, request: Request) -> Response:
        """Make a project with a card to start from, and go to it."""
        form = await self.posts.form(request)
        title, game = one(form, "title").strip(), one(form, "game")

        def made() -> Project:
            offer = self._offer(game)
            return self.projects.make(title or offer.title, {USUAL_FILE: started(offer)})

        return await self._made(request, made)

    async def upload(self, request: Request) -> Response:
        """Make a project of the files that are sent, and go to it."""
        form, sent = await self.posts.files(request)

        def made() -> Project:
            if not sent:
                raise Refused("choose a file to send")
            name, raw = sent[0]
            title = one(form, "title").strip() or name.rpartition(".")[0] or "cards"
            return self.projects.make(title[:80], unpacked(name, raw))

        return await self._made(request, made)

    async def _made(self, request: Request, made: Callable[[], Project]) -> Response:
        if not self.begun.admits(caller_of(request)):
            return await self._all(Message("too much at once; wait a little and try again"), 429)
        try:
            project = await asyncio.to_thread(made)
        except Refused as error:
            return await self._all(Message(str(error), error.reasons), 422)
        link = await asyncio.to_thread(self.links.of_project, project.name, True)
        return RedirectResponse(f"/project/{link.token}", 303)

    def _offer(self, game: str) -> Offer:
        """The game of an id; raises Refused."""
        found = next((offer for offer in self.offers if offer.entry.id == game), None)
        if found is None:
            known = ", ".join(offer.entry.id for offer in self.offers)
            said = (
                f"no game {game} is here" if game else "no file says for which game its cards are"
            )
            raise Refused(said, (f"begin a file with a line such as: for {known}",))
        return found

    # -------------------------------------------------------------------------------- a project
    async def show(self, request: Request) -> Response:
        """The page of a file of a project."""
        link, project = await self._project(request)
        wanted = request.query_params.get("file", "")
        return await self._opened(link, project, wanted)

    async def _opened(
        self, link: ProjectLink, project: Project, file: str, message: Message = NOTHING
    ) -> Response:
        """The page of a file as it is kept."""
        file = file if file in project.files else next(iter(project.files), "")
        text = await asyncio.to_thread(self.projects.text, project, file) if file else ""
        made = Open(link, project, file, text, mark_of(text), message=message)
        return await self._page(made)

    async def _seen(self, made: Open) -> Open:
        """What is open, with what stands beside it."""
        if not made.file:
            return made
        try:
            rules, file = self._of(made)
            looked = await asyncio.to_thread(self.ask, Look(rules, file, made.text, made.caret))
        except Refused as error:
            looked = Looked(failed="; ".join((str(error), *error.reasons)))
        assert isinstance(looked, Looked)
        return replace(made, looked=looked)

    def _of(self, made: Open) -> tuple[str, str]:
        """The rules that a file is for, and what it is remembered by; raises Refused."""
        return self._offer(made.project.game).rules, f"{made.project.name}/{made.file}"

    async def _page(self, made: Open, status: int = 200) -> Response:
        nonce = secrets.token_urlsafe()
        html = self.pages.write(
            "author/project.html",
            **self._values(made),
            title=self._title(made.project.game),
            patterns=json.dumps(patterns()),
            nonce=nonce,
            seats=self._seats(made.project.game),
            kinds=kinds(),
            message=self.pages.message(made.message),
        )
        return HTMLResponse(html, status, {"content-security-policy": csp(nonce)})

    def _values(self, made: Open) -> dict[str, object]:
        """What the page and its parts are written from."""
        return {"open": made, "token": made.link.token, "oob": ""}

    def _parts(self, made: Open) -> Response:
        """The parts of the page that a new text changes."""
        values = {**self._values(made), "oob": self.pages.oob}
        parts = [self.pages.write(f"author/{name}.html", **values) for name in PARTS]
        told = self.pages.message(made.message, renewing=True) if made.message.text else ""
        return HTMLResponse("\n".join([*parts, told]))

    async def look(self, request: Request) -> Response:
        """What stands beside the text that is sent, saved or not."""
        made, form = await self._sent(request)
        made = mended(made, one(form, "mend"))
        return await self._answer(request, await self._seen(made))

    async def save(self, request: Request) -> Response:
        """Keep the text that is sent."""
        made, _ = await self._sent(request)

        def kept() -> None:
            self._must_write(made.link)
            self.projects.write(made.project, made.file, made.text, made.mark)

        try:
            await asyncio.to_thread(kept)
        except Changed as error:
            said = "Reload the page to see that text; yours is still here."
            message = Message(str(error), (said,))
            return await self._answer(request, replace(made, message=message), 409)
        except Refused as error:
            message = Message(str(error), error.reasons)
            return await self._answer(request, replace(made, message=message), 422)
        made = replace(made, mark=mark_of(made.text), message=Message("Saved.", bad=False))
        return await self._answer(request, made)

    async def _answer(self, request: Request, made: Open, status: int = 200) -> Response:
        if "hx-request" in request.headers:
            return self._parts(made if made.looked is not None else await self._seen(made))
        return await self._page(await self._seen(made), status)

    async def new_file(self, request: Request) -> Response:
        """Add a file that is empty but for the game it is for."""

        def added(project: Project, form: Form) -> str:
            name = file_name(one(form, "name"))
            self.projects.add(project, {name: f"for {project.game}\n\n"})
            return name

        return await self._changed(request, added)

    async def remove(self, request: Request) -> Response:
        """Take a file away."""

        def removed(project: Project, form: Form) -> str:
            self.projects.remove(project, one(form, "file"))
            return ""

        return await self._changed(request, removed)

    async def _changed(self, request: Request, act: Callable[[Project, Form], str]) -> Response:
        """Change which files there are, and show the one that is named then."""
        link, project = await self._project(request)
        form = await self.posts.form(request)

        def acted() -> str:
            self._must_write(link)
            return act(project, form)

        return await self._shown(link, project, acted)

    async def add(self, request: Request) -> Response:
        """Add the files that are sent."""
        link, project = await self._project(request)
        _, sent = await self.posts.files(request)

        def acted() -> str:
            self._must_write(link)
            if not sent:
                raise Refused("choose a file to send")
            texts = unpacked(*sent[0])
            self.projects.add(project, texts)
            return next(iter(texts))

        return await self._shown(link, project, acted)

    async def _shown(self, link: ProjectLink, project: Project, act: Callable[[], str]) -> Response:
        try:
            file = await asyncio.to_thread(act)
        except Refused as error:
            message = Message(str(error), error.reasons)
            return await self._opened(link, project, "", message)
        query = f"?file={file}" if file else ""
        return RedirectResponse(f"/project/{link.token}{query}", 303)

    async def download(self, request: Request) -> Response:
        """The project as a ZIP."""
        _, project = await self._project(request)
        raw = await asyncio.to_thread(lambda: packed(project.name, self.projects.texts(project)))
        headers = {"content-disposition": f'attachment; filename="{project.name}.zip"'}
        return Response(raw, media_type="application/zip", headers=headers)

    # ------------------------------------------------------------------------------- on a board
    async def tries(self, request: Request) -> Response:
        """Try what is put together."""
        made, _ = await self._tried(request, makes=False)
        if "hx-request" in request.headers:
            values = {**self._values(made), "oob": self.pages.oob}
            told = self.pages.message(made.message, renewing=True)
            return HTMLResponse("\n".join([self.pages.write("author/try.html", **values), told]))
        return await self._page(await self._seen(made))

    async def scenario(self, request: Request) -> Response:
        """Write what was tried as a scenario, at the end of the file."""
        made, _ = await self._tried(request, makes=True)
        tried = made.tried
        if tried is None or not tried.made:
            return await self._page(await self._seen(made), 422)
        text = f"{made.text.rstrip()}\n\n{tried.made}"

        def kept() -> None:
            self._must_write(made.link)
            self.projects.write(made.project, made.file, text, made.mark)

        try:
            await asyncio.to_thread(kept)
        except Refused as error:
            message = Message(str(error), error.reasons)
            return await self._page(await self._seen(replace(made, message=message)), 422)
        said = f"The scenario stands at the end of {made.file}, and passes."
        message = Message(said, bad=False)
        made = replace(made, text=text, mark=mark_of(text), message=message)
        return await self._page(await self._seen(made))

    async def _tried(self, request: Request, makes: bool) -> tuple[Open, Form]:
        """What is open, with what came of trying it."""
        made, form = await self._sent(request)
        made = replace(
            made,
            mode=one(form, "mode"),
            piece=one(form, "piece"),
            place=one(form, "place"),
            whose=one(form, "whose"),
        )
        try:
            draft = draft_of(form)
            rules, file = self._of(made)
            question = Try(rules, file, made.text, draft, makes)
            tried = await asyncio.to_thread(self.ask, question)
        except Refused as error:
            return replace(made, message=Message(str(error), error.reasons)), form
        assert isinstance(tried, Tried)
        return replace(made, tried=tried), form

    # ----------------------------------------------------------------------------------- in play
    async def study(self, request: Request) -> Response:
        """How far it is worked out what comes of the cards in play."""
        made, _ = await self._sent(request)
        try:
            rules, file = self._of(made)
            studied = await asyncio.to_thread(self.ask_behind, Study(rules, file, made.text))
        except Refused as error:
            studied = Studied(failed=str(error))
        assert isinstance(studied, Studied)
        made = replace(made, studied=studied)
        if "hx-request" in request.headers:
            values = {**self._values(made), "oob": self.pages.oob}
            return HTMLResponse(self.pages.write("author/study.html", **values))
        return await self._page(await self._seen(made))

    # ---------------------------------------------------------------------------------- sharing
    async def share(self, request: Request) -> Response:
        """The links of a project."""
        link, project = await self._project(request)
        return await self._share(request, link, project, "")

    async def renew(self, request: Request) -> Response:
        """Take the links of a kind back, and show the new one."""
        link, project = await self._project(request)
        form = await self.posts.form(request)
        writing = one(form, "what") == "write"
        if not link.writes:
            raise HTTPException(403)
        await asyncio.to_thread(self.links.store.reissue, project.name, writing)
        link = await asyncio.to_thread(self.links.of_project, project.name, True)
        said = "There is a new link; the one before it leads nowhere now."
        return await self._share(request, link, project, said)

    async def _share(
        self, request: Request, link: ProjectLink, project: Project, said: str
    ) -> Response:
        home = str(request.base_url).rstrip("/")
        kinds = [False, True] if link.writes else [False]
        links = [await asyncio.to_thread(self.links.of_project, project.name, k) for k in kinds]
        html = self.pages.write(
            "author/share.html",
            project=project,
            link=link,
            links=[(one.writes, f"{home}/project/{one.token}") for one in links],
            said=said,
        )
        return HTMLResponse(html)

    # ---------------------------------------------------------------------------------- playing
    async def play(self, request: Request) -> Response:
        """Begin a game with the project's cards, against bots or with friends by link."""
        made, form = await self._sent(request)
        try:
            if not self.begun.admits(caller_of(request)):
                raise Refused("too many games at once; wait a little and try again")
            offer = self._offer(made.project.game)
            texts = await asyncio.to_thread(self.projects.texts, made.project)
            added = {**texts, made.file: made.text}
            seats = seated(offer, form)
            settings = Settings(offer.rules, len(seats), added=added)
            await self._must_start(settings)
            kept = await asyncio.to_thread(self.tables.begin, settings, seats)
        except Refused as error:
            message = Message(str(error), error.reasons)
            return await self._page(await self._seen(replace(made, message=message)), 422)
        friends = len(kept.people) > 1
        self.hub.drive(kept.id)
        link = await asyncio.to_thread(self.links.of, kept.id, HOST if friends else kept.people[0])
        return RedirectResponse(f"/{'host' if friends else 'table'}/{link.token}", 303)

    async def _must_start(self, settings: Settings) -> None:
        """Raises Refused unless a game can be begun with these settings, which is found out where
        strangers' texts are compiled, within its bounds.
        """
        begun = await asyncio.to_thread(self.ask, Begin(settings))
        assert isinstance(begun, Begun)
        if begun.failed:
            raise Refused(begun.failed, begun.reasons)

    # ------------------------------------------------------------------------------ what comes in
    async def _project(self, request: Request) -> tuple[ProjectLink, Project]:
        """What the token of an address leads to; raises HTTPException."""
        link = await asyncio.to_thread(self.links.project, request.path_params["token"])
        project = self.projects.find(link.project) if link is not None else None
        if link is None or project is None:
            raise HTTPException(404)
        return link, project

    async def _sent(self, request: Request) -> tuple[Open, Form]:
        """The file that is open on a page, as it is written there; raises HTTPException."""
        link, project = await self._project(request)
        form = await self.posts.form(request, self.posts.limits.text)
        file = one(form, "file")
        if file not in project.files:
            raise HTTPException(404)
        text = one(form, "text").replace("\r\n", "\n").replace("\r", "\n")
        caret = one(form, "caret", "0")
        at = int(caret) if caret.isdecimal() and len(caret) < 8 else 0
        return Open(link, project, file, text, one(form, "mark"), at), form

    def _must_write(self, link: ProjectLink) -> None:
        if not link.writes:
            raise Refused("this link lets you read the project, not change it")


PARTS = ("findings", "cards", "following", "state")


def started(offer: Offer) -> str:
    """A file of cards to start from."""
    from interpreter.authoring.templates import NoTemplate, new_card  # which loads much

    loaded = load_rules(offer.rules, tests=False)
    try:
        return new_card(loaded, offer.entry.id)
    except NoTemplate:
        return f"for {offer.entry.id}\n\n"


def seated(offer: Offer, form: Form) -> tuple[str, ...]:
    """Who sits where: as the form says seat by seat, or a person and bots, or friends alone.

    Raises Refused.
    """
    how = one(form, "with")
    if how == "seats":
        try:
            return wanted(offer, {"seat": form.get("seat", [])})[1]
        except Unclear as error:
            raise Refused(str(error)) from error
    seats = (kind for kind in offer.seats() if kind)
    return tuple(PERSON if how == "friends" else kind for kind in seats)


def mended(made: Open, data: str) -> Open:
    """The text after these edits, which a page sends that has no scripts."""
    if not data:
        return made
    try:
        edits = [(int(start), int(end), str(text)) for start, end, text in json.loads(data)]
    except (ValueError, TypeError, RecursionError):
        return made
    raw = made.text.encode("utf-16-le", "surrogatepass")
    for start, end, text in sorted(edits, reverse=True):
        if 0 <= start <= end <= len(raw) // 2:
            raw = raw[: 2 * start] + text.encode("utf-16-le", "surrogatepass") + raw[2 * end :]
    return replace(made, text=raw.decode("utf-16-le", "replace"))
