"""What is asked about a text while it is written, and what is answered: plain records, so that who
asks need not load what works the answers out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.render.svg_elements import Sign
    from interpreter.studio.author.drafts import Draft
    from interpreter.studio.author.stock import Parameter
    from interpreter.studio.storage.store import Settings

BOT = "hasty"  # who plays for balance
MOST_GAMES = 100  # with the cards, and as many without


@dataclass(frozen=True)
class Replacement:
    """A stretch of the text, in units of UTF-16, and what is to stand there."""

    start: int
    end: int
    text: str
    label: str
    detail: str = ""

    @property
    def data(self) -> str:
        """As JSON, for the page."""
        return json.dumps([[self.start, self.end, self.text]], ensure_ascii=False)


@dataclass(frozen=True)
class Fix:
    """What mends a finding: its title, and the edits as JSON."""

    title: str
    data: str


@dataclass(frozen=True)
class Wrong:
    """A finding: its line, its words line by line, and what mends it."""

    line: int
    start: int
    end: int
    severity: str
    code: str
    lines: tuple[str, ...]
    fixes: tuple[Fix, ...]


@dataclass(frozen=True)
class Meaning:
    """One reading of a sentence, and what it does."""

    words: str
    does: tuple[str, ...]


@dataclass(frozen=True)
class Sentence:
    """A sentence of a card, with its readings (one, if all is well)."""

    text: str
    meanings: tuple[Meaning, ...]


@dataclass(frozen=True)
class Card:
    """A card as it is written: the picture of its face (none before it could ever be printed),
    what stands on it, its sentences.
    """

    title: str
    line: int
    picture: str
    printed: str
    sentences: tuple[Sentence, ...]
    here: bool = False  # is the caret in it?
    earlier: bool = False  # is the picture that of the card as it could be printed last?


@dataclass(frozen=True)
class Look:
    """What is asked: a text of a game's rules, and where the caret is, in units of UTF-16."""

    rules: str
    file: str
    text: str
    caret: int = 0


@dataclass(frozen=True)
class Looked:
    """What stands beside a text."""

    findings: tuple[Wrong, ...] = ()
    cards: tuple[Card, ...] = ()
    following: tuple[Replacement, ...] = ()
    failed: str = ""  # why nothing could be said
    more: int = 0  # findings that are not shown

    @property
    def errors(self) -> int:
        """How many errors there are among what is shown."""
        return sum(item.severity == "error" for item in self.findings)


@dataclass(frozen=True)
class Try:
    """What is asked: to try what is put together, with the cards of a text; or to make a scenario
    of it.
    """

    rules: str
    file: str
    text: str
    draft: Draft
    makes: bool = False


@dataclass(frozen=True)
class Choices:
    """What a page offers: values as texts have them, with their words."""

    players: tuple[int, ...] = ()
    events: tuple[tuple[str, str], ...] = ()
    parameters: tuple[Parameter, ...] = ()
    pieces: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    sites: tuple[tuple[str, str], ...] = ()
    owners: tuple[tuple[str, str], ...] = ()
    asks_site: bool = False
    several: bool = False  # may it be played on several sites?


@dataclass(frozen=True)
class Tried:
    """What came of it."""

    draft: Draft
    choices: Choices = Choices()
    pictures: tuple[str, ...] = ()
    legend: tuple[Sign, ...] = ()
    verdict: str = ""  # "scored", "refused", or nothing
    said: str = ""
    lines: tuple[str, ...] = ()
    happened: tuple[str, ...] = ()
    words: str = ""  # the scenario as it is so far
    made: str = ""  # the scenario to be kept, which passes
    failed: str = ""

    def piece(self, piece: str) -> str:
        """A piece as the page calls it."""
        return next((w for _, known in self.choices.pieces for p, w in known if p == piece), piece)

    def owner(self, whose: str) -> str:
        """Whose a piece is, as the page says it."""
        return dict(self.choices.owners).get(whose, whose)

    def called(self, site: str) -> str:
        """A site as its board labels it."""
        return dict(self.choices.sites).get(site, site)


@dataclass(frozen=True)
class Study:
    """What is asked: to go on with the cards of this text."""

    rules: str
    file: str
    text: str


@dataclass(frozen=True)
class Counts:
    """Whether a sentence (or a card without any) comes to count: "counts", "never" or "open"."""

    text: str
    verdict: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Studied:
    """How far it is."""

    cards: tuple[tuple[str, tuple[Counts, ...]], ...] = ()
    balance: tuple[tuple[str, ...], ...] = ()  # of each card: its verdict, and what it rests on
    games: int = 0
    most: int = MOST_GAMES
    bot: str = BOT
    left_out: int = 0  # cards that are not looked at
    done: bool = True
    failed: str = ""


@dataclass(frozen=True)
class Begin:
    """What is asked: can a game be begun with these settings, by rules that strangers wrote?"""

    settings: Settings


@dataclass(frozen=True)
class Begun:
    """Why it cannot, with the reasons one by one; nothing if it can."""

    failed: str = ""
    reasons: tuple[str, ...] = ()


Question = Look | Try | Study | Begin
Answer = Looked | Tried | Studied | Begun
Ask = Callable[[Question], Answer]
