"""What a ruleset gives to try a card with: events that take it, pieces and places as texts name
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from interpreter.studio.author.drafts import Draft, Held
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    SHAPE,
    TRUTH,
    KindT,
    ListT,
    OptionalT,
    PieceT,
    SetT,
    SiteT,
    Type,
    element,
)
from rulelang.diagnostics.english import plural, spoken
from rulelang.ruleset import Design, Event, Ruleset

MOST_PLAYERS = 6  # that a page offers where the rules set no end
MOST_EVENTS = 20


@dataclass(frozen=True)
class Parameter:
    """A value that a play needs: its name, what it may be (none listed: a text is written)."""

    name: str
    words: str
    options: tuple[tuple[str, str], ...]
    value: str


class Stock:
    """What the rules offer for the cards of one file."""

    def __init__(self, rules: Ruleset, file: str) -> None:
        """Of the rules with the file's cards."""
        self.rules = rules
        self.own = [d for d in rules.designs if d.span.file == file and _quotable(d.title)]

    # ------------------------------------------------------------------------------------ events
    @cached_property
    def events(self) -> dict[str, Event]:
        """The events that take one of these cards: those on a site first, then those that cards
        speak of most.
        """
        mine = {PieceT(design.component) for design in self.own}
        found = [
            event
            for event in self.rules.events.values()
            if event.name.isidentifier() and any(t in mine for _, t in event.params)
        ]
        spoken_of = Counter(one.target for one in self.rules.extensions)  # by cards
        found.sort(key=lambda event: (not _site(event)[0], -spoken_of[event.name]))
        return {event.name: event for event in found[:MOST_EVENTS]}

    def takes(self, event: str) -> tuple[str, bool]:
        """The parameter of an event that takes cells, and whether it takes several; none."""
        known = self.events.get(event)
        return _site(known) if known is not None else ("", False)

    def type(self, event: str) -> Type:
        """The type of that parameter."""
        return dict(self.events[event].params)[self.takes(event)[0]]

    def board(self, event: str) -> str:
        """The board whose cells it takes."""
        t = self.type(event)
        inner = element(t) or t
        return inner.board if isinstance(inner, SiteT) else ""

    # ------------------------------------------------------------------------------------ drafts
    def completed(self, draft: Draft) -> Draft:
        """A draft with what is usual where nothing is said."""
        usual = 2 if 2 in self.players else self.players[0]
        players = draft.players if draft.players in self.players else usual
        event = draft.event if draft.event in self.events else next(iter(self.events), "")
        held = draft.held
        if draft.is_new:
            held = tuple(self._first_held())
        parameters = self.parameters(replace(draft, event=event))
        values = {one.name: one.value for one in parameters if one.value}
        player = min(draft.player, players)
        return replace(draft, players=players, event=event, held=held, values=values, player=player)

    def _first_held(self) -> Iterator[Held]:
        """The first card, in a place of the first player that holds such."""
        first = self.own[0]
        places = sorted(self.rules.places.values(), key=lambda one: one.visibility != "private")
        for place in places:
            if place.holds == first.component and place.of == PLAYER:
                yield Held(f'"{first.title}"', f"p1's {place.name}")
                return

    def parameters(self, draft: Draft) -> tuple[Parameter, ...]:
        """The values that the draft's event needs besides its site and its player."""
        event = self.events.get(draft.event)
        site = self.takes(draft.event)[0]
        found = event.params if event is not None else ()
        return tuple(
            self._parameter(name, t, draft.values.get(name, ""))
            for name, t in found
            if name != site and t != PLAYER
        )

    def _parameter(self, name: str, t: Type, given: str) -> Parameter:
        options = tuple(self._values(t))
        usual = options[0][0] if options else _usual(t)
        fits = given and (not options or given in dict(options))
        return Parameter(name, self._called(name, t), options, given if fits else usual)

    def _called(self, name: str, t: Type) -> str:
        return self.rules.components[t.name].words[0] if isinstance(t, PieceT) else spoken(name)

    def _values(self, t: Type) -> Iterator[tuple[str, str]]:
        """What a value of a type may be, where that is listed."""
        if isinstance(t, PieceT):
            mine = [d for d in self.own if d.component == t.name]
            others = [d for d in self._titled(t.name) if d not in mine]
            yield from ((f'"{d.title}"', d.title) for d in (*mine, *others))
        elif isinstance(t, KindT) and t.name in self.rules.kinds:
            kind = self.rules.kinds[t.name]
            yield from zip(kind.members, (one for one, _ in kind.words), strict=True)
        elif t == TRUTH:
            yield from (("true", "yes"), ("false", "no"))

    def played_shape(self, draft: Draft) -> list[tuple[int, int]]:
        """The cells of the card that is played, from its first one on."""
        event = self.events.get(draft.event)
        for name, t in event.params if event is not None else ():
            if isinstance(t, PieceT):
                return self.shape(draft.values.get(name, ""))
        return [(0, 0)]

    def shape(self, piece: str) -> list[tuple[int, int]]:
        """The cells of a piece by its form, from its first one on; one where it has no form."""
        design = next((d for d in self.rules.designs if f'"{d.title}"' == piece), None)
        if design is None:
            return [(0, 0)]
        forms = [v for name, v in design.values if self._field(design, name) == SHAPE]
        rows = str(forms[0]).split("/") if forms and forms[0] else ["X"]
        cells = [(c, r) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "X"]
        if not cells:
            return [(0, 0)]
        column, row = cells[0]
        return [(c - column, r - row) for c, r in cells]

    def _field(self, design: Design, name: str) -> Type | None:
        return self.rules.components[design.component].field(name)

    # ------------------------------------------------------------------------------- what there is
    @property
    def players(self) -> tuple[int, ...]:
        """How many may play."""
        low, high = self.rules.players
        return tuple(range(low, max(low, min(high or MOST_PLAYERS, MOST_PLAYERS)) + 1))

    def owners(self, players: int) -> tuple[tuple[str, str], ...]:
        """The variables that say whose a piece on a cell is, each with each player."""
        layers = {
            layer.component: layer.name
            for board in self.rules.boards.values()
            for layer in board.layers
            if layer.role == "cell" and not layer.stacked
        }
        return tuple(
            (f"{layers[state.of.name]} {state.name} p{n}", f"{spoken(state.name)}: player {n}")
            for state in self.rules.states.values()
            if isinstance(state.of, PieceT) and state.of.name in layers
            if state.type in (PLAYER, OptionalT(PLAYER))
            for n in range(1, players + 1)
        )

    def pieces(self, players: int) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Every piece that texts can name, by component; these cards' component first."""
        mine = {design.component for design in self.own}
        names = sorted(self.rules.components, key=lambda name: name not in mine)
        found = (
            (self.rules.components[name].words[1], tuple(self._named(name, players)))
            for name in names
        )
        return tuple((words, pieces) for words, pieces in found if pieces)

    def _titled(self, component: str) -> list[Design]:
        found = {
            d.title: d
            for d in self.rules.designs
            if d.component == component and _quotable(d.title)
        }
        return list(found.values())

    def _named(self, component: str, players: int) -> Iterator[tuple[str, str]]:
        if self.rules.components[component].per_player:
            for player in range(1, players + 1):
                yield from self._of_player(component, player)
            return
        for design in self._titled(component):
            yield f'"{design.title}"', design.title
        number, words = self._telling(component), self.rules.components[component].words[0]
        for design in self.rules.designs:
            if number and design.component == component and not design.title:
                value = dict(design.values)[number]
                many = plural(component)
                yield f"{{x in {many} where x's {number} = {value}}}", f"{words} {value}"

    def _of_player(self, component: str, player: int) -> Iterator[tuple[str, str]]:
        """A player's pieces of a component: of each title, or of those without one, the first that
        lies on no board.
        """
        words, many = self.rules.components[component].words[0], plural(component)
        off = "".join(
            f" and x's {dict(board.roles)[layer.role]} is none"
            for board in self.rules.boards.values()
            for layer in board.layers
            if layer.component == component
        )
        titles = {d.title for d in self.rules.designs if d.component == component}
        for title in sorted(titles):
            if title and not _quotable(title):
                continue
            named = f' and x\'s title = "{title}"' if title else ""
            piece = f"first of {{x in {many} where x's owner = p{player}{named}{off}}}"
            yield piece, f"{title or words} of player {player}"

    def _telling(self, component: str) -> str:
        """The number in which all pieces of a component without titles differ; none."""
        untitled = [d for d in self.rules.designs if d.component == component and not d.title]
        for name, t in self.rules.components[component].fields:
            values = [dict(d.values).get(name) for d in untitled]
            if t == NUMBER and len(values) > 1 and len(set(values)) == len(values):
                return name
        return ""

    def places(self, players: int) -> tuple[tuple[str, str], ...]:
        """The places that pieces can be moved to, of players and common ones."""
        found: list[tuple[str, str]] = []
        for place in self.rules.places.values():
            if place.of == PLAYER:
                whose = range(1, players + 1)
                found += [(f"p{n}'s {place.name}", f"{place.called} of player {n}") for n in whose]
            elif place.of is None:
                found.append((place.name, place.called))
        return tuple(sorted(found, key=lambda one: not one[0].startswith("p1's ")))


def _site(event: Event) -> tuple[str, bool]:
    for name, t in event.params:
        inner = t.of if isinstance(t, SetT | ListT) else t
        if isinstance(inner, SiteT) and inner.role == "cell":
            return name, isinstance(t, SetT | ListT)
    return "", False


def _usual(t: Type) -> str:
    """The plainest value of a type, as texts have it."""
    if t == NUMBER:
        return "0"
    return "{}" if isinstance(t, SetT | ListT) else "none" if isinstance(t, OptionalT) else ""


def _quotable(title: str) -> bool:
    return bool(title) and '"' not in title and title.isprintable()
