"""Pages and parts of pages as HTML; every text is escaped, for authors and players write some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from interpreter.render.svg import Drawing
from interpreter.studio.offers import Offer, kinds
from interpreter.studio.scene import Scene
from interpreter.studio.storage.store import Said
from rulelang.diagnostics.english import spoken

STATIC = Path(__file__).with_name("static")
# Renewed one by one; of the board only what is drawn otherwise.
REGIONS = ("status", "ask", "board", "common", "hand", "players", "chat", "log")


@dataclass(frozen=True)
class Message:
    """What is told to somebody whose answer was refused, or done."""

    text: str = ""
    reasons: tuple[str, ...] = ()
    bad: bool = True


@dataclass(frozen=True)
class SeatLink:
    """A seat on the page of its host."""

    number: int
    called: str
    kind: str
    path: str = ""
    link: str = ""


@dataclass(frozen=True)
class Seen:
    """What is shown on the page of a link: a scene, what was said, and the mark by which a page
    that is connected again says that it shows this; empty, it is to be sent everything.
    """

    scene: Scene
    chat: tuple[Said, ...]
    token: str
    mark: str = ""


@dataclass(frozen=True)
class Regions:
    """The parts of a page by name, the pictures of the board apart."""

    parts: Mapping[str, str]
    drawing: Drawing | None = None


class Pages:
    """Writes the pages of the studio."""

    def __init__(self) -> None:
        """Templates are read once."""
        self._made = Environment(
            loader=FileSystemLoader(Path(__file__).with_name("templates")),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._made.filters["spoken"] = spoken
        self._made.filters["drawn"] = Markup  # of pictures that are drawn here
        self.oob = Markup(' hx-swap-oob="true"')
        self._found: dict[str, Template] = {}

    def prepare(self) -> None:
        """Read the templates of tables now."""
        for name in (
            "table",
            *(f"regions/{region}" for region in (*REGIONS, "redrawn", "message")),
        ):
            self._template(f"{name}.html")

    def start(self, offers: Iterable[Offer], writes: bool = False) -> str:
        """The games that can be begun, and the way to write cards where that can be done."""
        return self.write("start.html", games=list(offers), writes=writes)

    def new(
        self,
        offer: Offer,
        form: Mapping[str, list[str]] | None = None,
        message: Message = Message(),
    ) -> str:
        """The form that begins a game, as it was filled in, and why it was refused."""
        given = form or {}
        return self.write(
            "new.html",
            game=offer,
            seats=_filled(given.get("seat", []), offer),
            kinds=kinds(),
            variants=given.get("variant", []),
            options={name.removeprefix("option."): found[0] for name, found in given.items()},
            refused=message.text[:1].upper() + message.text[1:],
            reasons=message.reasons,
        )

    def host(self, title: str, token: str, seats: Iterable[SeatLink], said: str = "") -> str:
        """The links of a game."""
        return self.write("host.html", title=title, token=token, seats=list(seats), said=said)

    def fault(self, heading: str, text: str) -> str:
        """A page that says why there is no other."""
        return self.write("fault.html", heading=heading, text=text)

    def table(self, seen: Seen, message: Message = Message()) -> str:
        """The whole page of a table."""
        regions = {name: self._region(name, seen, pictures=True) for name in REGIONS}
        return self.write(
            "table.html",
            scene=seen.scene,
            token=seen.token,
            talked=bool(seen.chat),
            regions={name: Markup(html) for name, html in regions.items()},
            message=Markup(self.message(message)),
        )

    def regions(self, seen: Seen) -> Regions:
        """The parts of a table, each of which takes the place of the part it renews."""
        parts = {name: self._region(name, seen, self.oob) for name in REGIONS}
        return Regions(parts, seen.scene.board)

    def news(self, seen: Seen, now: Regions, before: Regions | None = None) -> str:
        """What a page is to be sent that shows what was before, or anything at all."""
        then = before.parts if before is not None else {}
        changed = {name: html for name, html in now.parts.items() if then.get(name) != html}
        old, new = before.drawing if before is not None else None, now.drawing
        if new is not None and ("board" in changed or old is None or old.sizes != new.sizes):
            changed["board"] = self._region("board", seen, self.oob, pictures=True)
        elif new is not None and old is not None and (changes := new.since(old)):
            changed["redrawn"] = self.write("regions/redrawn.html", changes=changes, oob=self.oob)
        return "\n".join(changed.values())

    def _region(self, name: str, seen: Seen, oob: str = "", pictures: bool = False) -> str:
        drawing = seen.scene.board if pictures else None
        return self.write(
            f"regions/{name}.html",
            scene=seen.scene,
            chat=seen.chat,
            token=seen.token,
            mark=seen.mark,
            svgs=[Markup(svg) for svg in drawing.pictures] if drawing is not None else [],
            oob=oob,
        )

    def message(self, message: Message, renewing: bool = False) -> str:
        """A message; `renewing`, in its place on the page."""
        told = self.write(
            "regions/message.html", text=message.text, reasons=message.reasons, bad=message.bad
        )
        if not renewing:
            return told
        # What is in it is exchanged, not the element itself, which else would not be read aloud.
        return f'<div id="message" hx-swap-oob="innerHTML">{told}</div>'

    def write(self, template: str, **values: object) -> str:
        """A template with these values."""
        return self._template(template).render(values)

    def _template(self, name: str) -> Template:
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._made.get_template(name)
        return found


def _filled(given: list[str], offer: Offer) -> list[str]:
    """The seats as a form had them."""
    usual = offer.seats()
    return [*given[: offer.high], *usual[len(given) :]] if given else usual
