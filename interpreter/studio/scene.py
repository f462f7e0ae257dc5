"""What one seat of a table sees, as plain records made from what it may know and nothing else."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b

from interpreter.engine.decisions import Spec
from interpreter.game import log
from interpreter.game.game import Game, State
from interpreter.game.introduction import chosen_settings
from interpreter.game.prompts import asked
from interpreter.game.score_tree import ScoreTree
from interpreter.game.standing_tree import standing_tree
from interpreter.game.views import option_data
from interpreter.game.worked_out import WorkedOut
from interpreter.model.errors import RulelangError
from interpreter.model.position import Entry
from interpreter.model.visibility import ONLOOKER, score_readers
from interpreter.render.board import draw_all
from interpreter.render.look import Look, Site
from interpreter.render.svg import Drawing, draw_targets
from interpreter.render.svg_elements import Target
from interpreter.render.table import Holdings, common, holdings
from interpreter.studio.live import CHOSEN, Live
from interpreter.studio.storage.store import PERSON, Kept
from interpreter.studio.targets import targets
from interpreter.table.menu import Menu, text
from interpreter.table.outlook import can_weigh
from interpreter.table.results import results
from rulelang import core
from rulelang.core.values import Json, Value

MOST_OPTIONS = 300  # that are listed
MOST_LOGGED = 150  # lines of the log that are shown
MOST_KNOWN = 600  # tables whose scenes are kept
NO_TARGETS: Mapping[Site, Target] = {}
_LAYING_OUT = frozenset(("draw", "move", "put", "shuffle"))


@dataclass(frozen=True)
class Choice:
    """One option as a button: its words, what it is as JSON, and what it would bring where that
    was asked.
    """

    text: str
    value: str
    brings: str = ""
    open: bool = True  # else it is refused, and a click says why

    @property
    def id(self) -> str:
        """By which it is found on a page: the same as long as it is offered."""
        return option_id(self.value)


def option_id(value: str) -> str:
    """The id of an option that is this as JSON."""
    return "o" + blake2b(value.encode(), digest_size=6).hexdigest()


@dataclass(frozen=True)
class Ask:
    """What a seat is asked: the key and name that an answer gives back, and the options."""

    key: str
    name: str
    mode: str  # "one" | "some" | "order" | "action" | "may"
    prompt: str
    options: tuple[Choice, ...]
    low: int = 0
    high: int = 0
    more: int = 0  # options that are not listed
    weighs: bool = False  # might it be told what options bring, if that is asked?

    @property
    def how_many(self) -> str:
        """How many are to be chosen."""
        return f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"


@dataclass(frozen=True)
class Seat:
    """One player: who sits there, what is his, and how he stands."""

    number: int
    kind: str  # a person, or the name of a bot
    you: bool
    deciding: bool
    score: str  # as far as the viewer may know it
    holdings: Holdings


@dataclass(frozen=True)
class Line:
    """One line of the log: its number, whose it is, and the tree that explains what it counted."""

    number: int
    text: str
    player: int | None = None
    explained: ScoreTree | None = None


@dataclass(frozen=True)
class Scene:
    """A table as one seat sees it; an onlooker has no seat."""

    title: str
    settings: tuple[str, ...]
    viewer: int | None
    status: str
    board: Drawing | None
    letters: str  # the boards in letters, where there is no picture of them
    common: tuple[str, ...]
    seats: tuple[Seat, ...]
    log: tuple[Line, ...]
    ask: Ask | None = None
    may_undo: bool = False
    steps: int = 0  # from the beginning to now
    at: int | None = None  # the step that is looked back at; none, it is now
    over: bool = False
    undecided: str = ""
    together: bool = False  # do all decide at once, so that nobody knows how far others are?
    ranking: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


def scene(
    kept: Kept, live: Live, viewer: int | None, at: int | None = None, weighed: bool = False
) -> Scene:
    """What a viewer sees of a table now, or saw of it at an earlier step; `weighed`, with what
    options bring, which takes long.
    """
    steps = _steps(live.state, viewer)
    last = max(len(steps) - 1, 0)
    if at is not None and steps:
        at = min(at, last)
        told = f"This is step {at} of {last}."
        return replace(_shown(kept, steps[at], viewer), status=told, steps=last, at=at)
    deciding = viewer is not None and not kept.undecided
    decision = live.decision(viewer) if deciding and viewer is not None else None
    menu = Menu.of(live.state, decision) if decision is not None else None
    if menu is not None and weighed:
        menu.weigh()
    return replace(
        _shown(kept, live.state, viewer, _pointed(live.state, menu) if menu is not None else {}),
        status=_status(kept, live.state, viewer),
        ask=_ask(live, menu) if menu is not None else None,
        may_undo=deciding and viewer is not None and _may_undo(kept, live, viewer),
        steps=last,
        undecided=kept.undecided,
        together=bool(live.state.position.branches),
    )


def weighed(live: Live, viewer: int) -> dict[str, str]:
    """What the options that a viewer has bring, by their ids; what brings nothing is left out."""
    decision = live.decision(viewer)
    if decision is None:
        return {}
    menu = Menu.of(live.state, decision)
    menu.weigh()
    return {
        option_id(_json(live.state, decision.spec, value)): gain.text
        for value, gain in menu.gains.items()
        if gain.text
    }


@dataclass
class _Known:
    """What was worked out of a table as it stands: by viewer, what he sees and what options
    bring.
    """

    standing: object
    scenes: dict[int | None, Scene] = field(default_factory=dict)
    weighed: dict[int | None, Mapping[str, str]] = field(default_factory=dict)


class Scenes:
    """Tables as their seats see them now, each worked out once until the table changes.

    Asked for by one thread at a time of one game.
    """

    def __init__(self) -> None:
        """Nothing is worked out yet."""
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._lock = threading.Lock()

    def now(self, kept: Kept, live: Live, viewer: int | None) -> Scene:
        """What a viewer sees now."""
        known = self._of(kept, live).scenes
        if viewer not in known:
            known[viewer] = scene(kept, live, viewer)
        return known[viewer]

    def weighed(self, kept: Kept, live: Live, viewer: int | None) -> Mapping[str, str]:
        """What the options bring that a viewer has now, by their ids."""
        if viewer is None or kept.undecided:
            return {}
        known = self._of(kept, live).weighed
        if viewer not in known:
            known[viewer] = weighed(live, viewer)
        return known[viewer]

    def _of(self, kept: Kept, live: Live) -> _Known:
        standing = (live.applied, kept.undecided)
        with self._lock:
            known = self._known.get(kept.id)
            if known is None or known.standing != standing:
                known = self._known[kept.id] = _Known(standing)
            self._known.move_to_end(kept.id)
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        return known


def _shown(
    kept: Kept, state: State, viewer: int | None, pointed: Mapping[Site, Target] = NO_TARGETS
) -> Scene:
    """A state as a viewer sees it, without what he is asked."""
    game = state.game
    board = draw_targets(state, viewer, pointed)
    return Scene(
        title=game.title,
        settings=chosen_settings(state),
        viewer=viewer,
        status="",
        board=board,
        letters=in_letters(state, viewer) if board is None else "",
        common=tuple(common(state, viewer)),
        seats=tuple(_seats(kept, state, viewer)),
        log=tuple(_log(state, viewer)),
        over=state.over,
        ranking=tuple(log.ranking(state)) if state.over else (),
        results=tuple(results(state)) if state.over else (),
    )


def in_letters(state: State, viewer: int | None) -> str:
    """The boards in letters, as a viewer may see them."""
    drawn = draw_all(state.game, state.seen_by(viewer), Look(viewer, width=100))
    return "\n".join(line.plain for line in drawn)


def letters_at(live: Live, viewer: int | None, at: int | None) -> str:
    """The boards in letters as they are now, or were at an earlier step."""
    return in_letters(_state_at(live, viewer, at), viewer)


def standing_at(live: Live, viewer: int | None, seat: int, at: int | None) -> ScoreTree | None:
    """How a player's score comes about now, or came about at an earlier step; none where the viewer
    may not know it, or there is no such player.
    """
    state = _state_at(live, viewer, at)
    return standing_tree(state, seat, viewer) if seat < state.game.players else None


def _state_at(live: Live, viewer: int | None, at: int | None) -> State:
    """The state now, or at an earlier step of a viewer's."""
    steps = _steps(live.state, viewer) if at is not None else []
    return steps[min(at, len(steps) - 1)] if steps and at is not None else live.state


def _steps(state: State, viewer: int | None) -> list[State]:
    """The states of a game from its beginning, in order; of those in which all decide at once only
    where a viewer has chosen himself, for the number of others would tell how far others are.
    """
    found: list[State] = []
    at: State | None = state
    while at is not None:
        own = at.choice is not None and at.choice.player == viewer
        if own or at.parent is None or not at.position.branches:
            found.append(at)
        at = at.parent
    return found[::-1]


def called(seat: int, viewer: int | None) -> str:
    """A player as a viewer calls him."""
    return "you" if seat == viewer else f"player {seat + 1}"


# ------------------------------------------------------------------------------------------- status
def _status(kept: Kept, state: State, viewer: int | None) -> str:
    """Whom the table waits for, in one line."""
    if kept.undecided:
        return f"The game is not decided: {kept.undecided}"
    if state.over:
        return "The game is over."
    deciding = {d.player for d in state.decisions}
    if state.position.branches:  # nobody is told how far another is
        waiting = viewer is None or viewer not in deciding
        return "All decide at once; the others are not done yet." if waiting else "It is your turn."
    if viewer in deciding:
        return "It is your turn."
    names = " and ".join(called(seat, viewer) for seat in sorted(deciding))
    bots = all(kept.kinds[seat] != PERSON for seat in deciding)
    return f"{names[:1].upper()}{names[1:]} {'is thinking' if bots else 'is to choose'}."


def _may_undo(kept: Kept, live: Live, viewer: int) -> bool:
    """Would a seat's last choice be taken back, as far as he may know?"""
    if not any(row.seat == viewer and row.how == CHOSEN for row in live.course):
        return False
    if live.state.position.branches:
        return False
    try:
        live.undo(viewer, kept.people)
    except RulelangError:
        return False
    return True


# ------------------------------------------------------------------------------------------ players
def _all_readers(game: Game) -> dict[int | None, set[int]]:
    """Whose standing each viewer may know while play goes on."""
    viewers = (None, *range(game.players))
    return {viewer: score_readers(game.rules_source, game.players, viewer) for viewer in viewers}


_readers = WorkedOut(_all_readers)


def _seats(kept: Kept, state: State, viewer: int | None) -> Iterator[Seat]:
    """The players, the viewer first."""
    rules = state.game.rules_source
    readers = _readers(state.game)[viewer]
    known = range(state.game.players) if state.over else readers
    scores = state.scores() if rules.ranks else []
    deciding = set() if state.position.branches else {d.player for d in state.decisions}
    for number in sorted(range(state.game.players), key=lambda n: (n != viewer, n)):
        score = str(scores[number]) if scores and number in known else ""
        yield Seat(
            number,
            kept.kinds[number],
            number == viewer,
            number in deciding,
            score,
            holdings(state, number, viewer),
        )


# ---------------------------------------------------------------------------------------------- log
def _log(state: State, viewer: int | None) -> Iterator[Line]:
    """The last lines of the log as a viewer may read them, newest first."""
    found = log.gathered(_told(state, viewer))
    for number in reversed(range(max(len(found) - MOST_LOGGED, 0), len(found))):
        entry = found[number]
        tree = state.explain(entry, viewer) if _counts(entry, viewer) else None
        yield Line(number, log.told(state, entry, viewer), log.actor(state, entry), tree)


def _told(state: State, viewer: int | None) -> list[Entry]:
    """The entries of a viewer's log, without what was laid out before the first choice."""
    root = state
    while root.parent is not None:
        root = root.parent
    entries = state.seen_by(viewer).entries()
    opening = len(root.position.entries())
    return [
        entry
        for number, entry in enumerate(entries)
        if number >= opening or entry.kind not in _LAYING_OUT
    ]


def _counts(entry: Entry, viewer: int | None) -> bool:
    if entry.kind != "event":
        return False
    return bool(entry.told_to(ONLOOKER if viewer is None else viewer))


# ---------------------------------------------------------------------------------------------- ask
def _ask(live: Live, menu: Menu) -> Ask:
    """What is asked, with the options as they are listed."""
    state, spec = live.state, menu.decision.spec
    options = [
        Choice(menu.texts[place], _json(state, spec, value), _brings(menu, value))
        for place, value in enumerate(menu.values[:MOST_OPTIONS])
    ]
    options += _refused(state, menu)
    prompt = "What do you do?" if spec.mode == "action" else asked(state, spec, spec.player)
    left = len(menu.values) - MOST_OPTIONS
    return Ask(
        live.key(spec.player),
        spec.name,
        spec.mode,
        prompt[:1].upper() + prompt[1:],
        tuple(options),
        spec.low,
        spec.high,
        max(left, 0),
        can_weigh(state, menu.decision, menu.values),
    )


def _refused(state: State, menu: Menu) -> Iterator[Choice]:
    """The actions that are not offered now."""
    spec = menu.decision.spec
    if spec.mode != "action" or not isinstance(spec.stmt, core.Take):
        return
    offered = {text(state, spec, value) for value in menu.values}
    for name in spec.stmt.actions:
        said = text(state, spec, name)
        if name not in menu.values and said not in offered:
            offered.add(said)
            yield Choice(said, json.dumps(name), open=False)


def _brings(menu: Menu, value: Value) -> str:
    gain = menu.gains.get(value)
    return gain.text if gain is not None else ""


def _json(state: State, spec: Spec, value: Value) -> str:
    """What an answer gives back for a value: of several, for one member."""
    if spec.mode in ("some", "order"):
        data: Json = state.game.presenter.data(value, spec.item, state.seat(spec))
    else:
        data = option_data(state, spec, value)
    return json.dumps(data, ensure_ascii=False)


def _pointed(state: State, menu: Menu) -> dict[Site, Target]:
    """What can be pointed at on the boards."""
    spec = menu.decision.spec
    return targets(state, menu, MOST_OPTIONS, partial(_json, state, spec), option_id)
