"""A tried position as texts in the language's own words: what a page sends, and the scenario that
it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from interpreter.studio.refused import Refused

MOST_PLACED = 200  # pieces on boards and in places
MOST_CHOSEN = 60  # sites that a play names
LONGEST = 300  # letters of a value
LONGEST_GIVEN = 4_000  # letters of further lines
LONGEST_NAME = 120
Item = TypeVar("Item")
TRIED = "tried on the page"  # what a scenario is called that has no name yet


@dataclass(frozen=True)
class Put:
    """A piece and the sites it lies on, as texts name them; whose it is, as the layer it lies in,
    the variable that says so, and the player.
    """

    piece: str
    sites: tuple[str, ...]
    whose: str = ""

    @property
    def data(self) -> str:
        """As JSON, for the page."""
        return json.dumps([self.piece, self.whose, *self.sites], ensure_ascii=False)

    @property
    def lines(self) -> tuple[str, ...]:
        """The statements that put it there."""
        put = f"put {self.piece} at {braced(self.sites)}"
        layer, state, player = (*self.whose.split(" "), "", "")[:3]
        lies = f"{self.sites[0]}'s {layer}"
        return (put, f"set {lies}'s {state} to {player}") if player else (put,)


@dataclass(frozen=True)
class Held:
    """A piece and the place that holds it, as texts name them."""

    piece: str
    place: str

    @property
    def data(self) -> str:
        """As JSON, for the page."""
        return json.dumps([self.piece, self.place], ensure_ascii=False)

    @property
    def line(self) -> str:
        """The statement that moves it there."""
        return f"move {self.piece} to {self.place}"


@dataclass(frozen=True)
class Draft:
    """A position put together by hand, and what is played in it."""

    players: int = 0  # none: as few as can play
    put: tuple[Put, ...] = ()
    held: tuple[Held, ...] = ()
    given: str = ""  # further lines, as they stand under `given`
    event: str = ""
    player: int = 1
    values: Mapping[str, str] = field(default_factory=dict)  # of the event's other parameters
    at: tuple[str, ...] = ()  # the sites it is played on
    name: str = ""  # of the scenario to make
    fresh: bool = False  # was its only site just clicked, for the first of the card's cells?

    @property
    def is_new(self) -> bool:
        """Has nobody put anything together yet?"""
        return not (self.put or self.held or self.given or self.event)


def braced(sites: Sequence[str]) -> str:
    """Sites as a set."""
    return "{" + ", ".join(sites) + "}"


# ------------------------------------------------------------------------------------ from a page
def draft_of(form: Mapping[str, Sequence[str]]) -> Draft:
    """What the fields of a page say; raises Refused for what no page of ours sends."""
    values = {
        name.removeprefix("value."): _short(found[0])
        for name, found in form.items()
        if name.startswith("value.") and found and found[0]
    }
    draft = Draft(
        _number(form, "players"),
        tuple(
            Put(item[0], tuple(item[2:]), item[1]) for item in _lists(form, "put") if len(item) > 2
        ),
        tuple(Held(item[0], item[1]) for item in _lists(form, "held") if len(item) == 2),
        _one(form, "given").replace("\r\n", "\n")[:LONGEST_GIVEN],
        _short(_one(form, "event")),
        _number(form, "player") or 1,
        values,
        tuple(_short(site) for site in form.get("at", ()))[:MOST_CHOSEN],
        _one(form, "name")[:LONGEST_NAME],
    )
    if len(draft.put) + len(draft.held) > MOST_PLACED:
        raise Refused(f"at most {MOST_PLACED} pieces are placed by hand")
    return _after(draft, form)


def _after(draft: Draft, form: Mapping[str, Sequence[str]]) -> Draft:
    """The draft after what was clicked."""
    what, _, rest = _one(form, "do").partition(":")
    what = _one(form, "mode") if what == "click" else what
    site, piece = _short(_one(form, "site")), _short(_one(form, "piece"))
    match what:
        case "put" if piece and site:
            return replace(draft, put=(*draft.put, Put(piece, (site,), _whose(form, piece))))
        case "more" if draft.put and site:  # the piece put last covers this site too
            *others, last = draft.put
            wider = replace(last, sites=tuple(dict.fromkeys((*last.sites, site))))
            return replace(draft, put=(*others, wider))
        case "at" if site:
            kept = tuple(s for s in draft.at if s != site)
            return replace(draft, at=kept if site in draft.at else (*draft.at, site))
        case "only" if site:
            return replace(draft, at=(site,), fresh=True)
        case "hold" if piece:
            return replace(draft, held=(*draft.held, Held(piece, _short(_one(form, "place")))))
        case "unput":
            return replace(draft, put=_without(draft.put, rest))
        case "unhold":
            return replace(draft, held=_without(draft.held, rest))
        case "clear":
            return Draft(draft.players, event=draft.event, values=draft.values)
        case _:
            return draft


def _whose(form: Mapping[str, Sequence[str]], piece: str) -> str:
    """Whose a piece is that is put; one that is chosen by its owner has that owner."""
    return _short(_one(form, "whose")) if piece.startswith('"') else ""


def _without(items: tuple[Item, ...], place: str) -> tuple[Item, ...]:
    return tuple(item for number, item in enumerate(items) if str(number) != place)


def _one(form: Mapping[str, Sequence[str]], name: str) -> str:
    return form.get(name, ("",))[0]


def _short(text: str) -> str:
    if len(text) > LONGEST or not text.isprintable():
        raise Refused("that is no answer of this page")
    return text


def _number(form: Mapping[str, Sequence[str]], name: str) -> int:
    text = _one(form, name)
    return int(text) if text.isdecimal() and len(text) < 3 else 0


def _lists(form: Mapping[str, Sequence[str]], name: str) -> list[list[str]]:
    """Lists of texts in JSON."""
    found: list[list[str]] = []
    for text in form.get(name, ())[: MOST_PLACED + 1]:
        try:
            data: object = json.loads(text) if len(text) < 60 * LONGEST else None
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
            raise Refused("that is no answer of this page")
        found.append([_short(item) for item in data[: MOST_CHOSEN + 1]])
    return found


# --------------------------------------------------------------------------------- as a scenario
@dataclass(frozen=True)
class Written:
    """What a draft needs to become a scenario: the pictures of boards that grow, the name of the
    parameter that takes the sites and whether it takes several, what came of it.
    """

    ground: tuple[str, ...] = ()  # lines
    site: str = ""
    several: bool = True
    expected: tuple[str, ...] = ()  # lines


def scenario(draft: Draft, written: Written, name: str = TRIED) -> str:
    """A draft as a scenario, in the language's own words."""
    title = " ".join(name.replace('"', "'").split()) or TRIED
    lines = [f'scenario "{title}"', f"  players {draft.players}", *written.ground]
    given = [line for item in draft.put for line in item.lines] + [item.line for item in draft.held]
    given += [line.strip() for line in draft.given.split("\n") if line.strip()]
    if given:
        lines += ["  given", *(f"    {line}" for line in given)]
    if draft.event:
        lines.append(f"  play p{draft.player}: {draft.event}({_arguments(draft, written)})")
    return "\n".join([*lines, *written.expected]) + "\n"


def _arguments(draft: Draft, written: Written) -> str:
    found = [f"{name}: {value}" for name, value in draft.values.items()]
    if written.site and draft.at:
        found.append(f"{written.site}: {braced(draft.at) if written.several else draft.at[0]}")
    return ", ".join(found)
