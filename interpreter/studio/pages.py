"""Pages and parts of pages as HTML; every text is escaped, for authors and players write some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from interpreter.studio.offers import Offer, kinds
from interpreter.studio.scene import Scene
from interpreter.studio.storage.store import Said
from rulelang.diagnostics.english import spoken

STATIC = Path(__file__).with_name("static")
REGIONS = ("status", "ask", "board", "hand", "players", "chat", "log")  # renewed one by one


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
        )
        self._made.filters["spoken"] = spoken
        self._made.filters["drawn"] = Markup  # of pictures that are drawn here
        self.oob = Markup(' hx-swap-oob="true"')

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

    def table(
        self, scene: Scene, chat: Iterable[Said], token: str, message: Message = Message()
    ) -> str:
        """The whole page of a table."""
        regions = self.regions(scene, chat, token, whole=True)
        return self.write(
            "table.html",
            scene=scene,
            token=token,
            regions={name: Markup(html) for name, html in regions.items()},
            message=Markup(self.message(message)),
        )

    def regions(
        self, scene: Scene, chat: Iterable[Said], token: str, whole: bool = False
    ) -> dict[str, str]:
        """The parts of a table by name; unless they stand in the whole page, each says that it
        takes the place of the part it renews.
        """
        svgs = [Markup(svg) for svg in scene.board.pictures] if scene.board is not None else []
        oob = Markup("") if whole else self.oob
        lines = list(chat)
        return {
            name: self.write(
                f"regions/{name}.html", scene=scene, chat=lines, token=token, oob=oob, svgs=svgs
            )
            for name in REGIONS
        }

    def message(self, message: Message, renewing: bool = False) -> str:
        """A message; `renewing`, in its place on the page."""
        told = self.write(
            "regions/message.html", text=message.text, reasons=message.reasons, bad=message.bad
        )
        if not renewing:
            return told
        return f'<div id="message" aria-live="assertive" hx-swap-oob="true">{told}</div>'

    def write(self, template: str, **values: object) -> str:
        """A template with these values."""
        return self._made.get_template(template).render(**values)


def _filled(given: list[str], offer: Offer) -> list[str]:
    """The seats as a form had them."""
    usual = offer.seats()
    return [*given[: offer.high], *usual[len(given) :]] if given else usual
