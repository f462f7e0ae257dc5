"""What the people at a table have read and what they are told next: everything once, as each may
know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rich.text import Text

from interpreter.game import log
from interpreter.game.changes import changes
from interpreter.game.game import State
from interpreter.model.position import Entry, Log
from interpreter.render.glyphs import PLAYERS
from interpreter.render.screen import Screen
from rulelang.core.values import text

_LAYING_OUT = frozenset(("draw", "move", "put", "shuffle"))


@dataclass(frozen=True)
class Quiet:
    """A step of which nothing is told but an action, how it came to it, and cards drawn."""

    state: State
    said: str
    how: str
    entries: tuple[Entry, ...]


def since(state: State, mark: State | None) -> list[State]:
    """The states that choices led to after a mark (from the beginning, if there is none), oldest
    first; none if the mark was taken back."""
    found: list[State] = []
    at = state
    while at is not mark and at.parent is not None:
        found.append(at)
        at = at.parent
    return found[::-1] if mark is None or at is mark else []


def action(state: State) -> str:
    """The action that led to a state, in words.

    Nothing if it was another choice, or one that is still unseen.
    """
    choice, before = state.choice, state.parent
    if choice is None or before is None or choice.name != "action" or before.position.branches:
        return ""
    title = state.game.rules_source.procedures[text(choice.value)].title
    return f"player {choice.player + 1}: {title}" if title else ""


def _is_told(state: State) -> bool:
    """Is there anything to tell of the choice that led to a state?"""
    before = state.parent
    return before is not None and bool(
        action(state) or state.position.log is not before.position.log
    )


def _of_setup(entries: list[Entry] | None) -> list[Entry]:
    """Of what happened before the first choice, what is no mere laying out: the log has all."""
    return [entry for entry in entries or [] if entry.kind not in _LAYING_OUT]


def _before(first: State) -> list[Entry]:
    """What happened before the first choice somebody is told of."""
    return _of_setup(first.log) if not first.moves else first.log


def _is_quiet(said: list[str], entries: list[Entry], changed: list[str]) -> bool:
    """Is one action all there is to tell, but for cards that were drawn?"""
    return len(said) == 1 and not changed and all(entry.kind == "draw" for entry in entries)


def _drawn_by(entry: Entry) -> tuple[object, ...]:
    """Whose draw an entry is, and from where to where."""
    return (entry.name, *entry.args[:-1])


@dataclass
class Teller:
    """Tells whoever looks at the screen what is new to him."""

    screen: Screen
    facing: int | None = None  # who looks
    read: dict[int, State] = field(
        default_factory=dict
    )  # up to where each has read who looked before
    told: Log = ()  # up to where the log was told, in simultaneous play that of his own branch
    common: Log = ()  # the same of the table's own log
    aside: list[Entry] = field(
        default_factory=list
    )  # what was told of a branch, and not yet of the table

    scored: bool = False  # were scores told with what was told last?
    quiet: list[Quiet] = field(default_factory=list)  # steps to be told with what comes next

    def say(self, line: str | Text, style: str = "") -> None:
        """Say a line, after what is still to be told."""
        self.catch_up()
        self.screen.say(line, style)

    def catch_up(self) -> None:
        """Tell the quiet steps that were held back: where an action was taken several times in a
        row, how often, and what was drawn meanwhile."""
        held, self.quiet = self.quiet, []
        times = Counter((step.said, step.how) for step in held)
        last = len(held)
        while last and times[held[last - 1].said, held[last - 1].how] == 1:
            last -= 1
        self._together(held[:last])
        for step in held[last:]:
            self.screen.say(f"{step.said}{step.how}")
            self.entries(step.state, list(step.entries))

    def _together(self, steps: list[Quiet]) -> None:
        """Several steps at once: each action with how often it was taken, then each one's draws."""
        times = Counter((step.said, step.how) for step in steps)
        for (said, how), number in times.items():
            self.screen.say(f"{said}{f' {number} times' if number > 1 else ''}{how}")
        drawn = [entry for step in steps for entry in step.entries]
        order = {whose: place for place, whose in enumerate(dict.fromkeys(map(_drawn_by, drawn)))}
        drawn.sort(key=lambda entry: order[_drawn_by(entry)])
        if steps:
            self.entries(steps[-1].state, drawn)

    def lines(self, lines: Iterable[str | Text]) -> None:
        """Say several lines."""
        for line in lines:
            self.say(line)

    def reached(self, before: State, after: State, how: str) -> None:
        """What came of choices: the actions, with how it came to them, what was logged, and what
        the rules changed besides."""
        said = [line for step in since(after, before) if (line := action(step))]
        entries = self._fresh(after)
        changed = changes(before, after, self.facing, any(entry.totals for entry in entries))
        if _is_quiet(said, entries, changed):
            self.quiet.append(Quiet(after, said[0], how, tuple(entries)))
            return
        self.lines(f"{line}{how}" for line in said)
        self.entries(after, entries)
        self._now(changed)

    def news(self, state: State) -> None:
        """What was logged since the last time."""
        self.entries(state, self._fresh(state))

    def _fresh(self, state: State) -> list[Entry]:
        """What was logged since the last time, which is read then.

        What was told of a branch is not told again when all is laid open.
        """
        entry_list = state.seen_by(self.facing).log
        entries = log.since(entry_list, self.told)
        if not state.moves:
            entries = _of_setup(entries)
        if entry_list is not state.position.log:
            self.aside += entries or []
        else:
            if entries is None:
                entries = log.since(entry_list, self.common) or []
                for entry in self.aside:
                    if entry in entries:
                        entries.remove(entry)
            self.aside, self.common = [], entry_list
        self.told = entry_list
        return entries or []

    def _now(self, changed: list[str]) -> None:
        """What the rules changed of the table and of players besides, in its own words."""
        if changed:
            self.say(f"  now: {'; '.join(changed)}")

    def entries(self, state: State, entries: list[Entry], then: State | None = None) -> None:
        """Lines of the log, each in the colour of the player it is about, and the scores (as they
        were then) if one counted."""
        self.catch_up()
        for entry in log.gathered(entries):
            actor = log.actor(state, entry)
            self.say(
                "  " + log.told(state, entry, self.facing),
                PLAYERS[actor % len(PLAYERS)] if actor is not None else "",
            )
        self.scored = any(entry.totals for entry in entries)
        if self.scored:
            self.say("  " + log.scores(then or state, self.facing), "bold")

    def turn_to(self, state: State, player: int) -> None:
        """Somebody else looks from now on, who has read as far as he had when he looked last."""
        self.catch_up()  # as far as he may know it who looked till now
        if self.facing is not None:
            self.read[self.facing] = state
        self.facing = player

    def recap(self, state: State) -> None:
        """What happened since the player who looks now had read: actions, and what came of them."""
        mark = self.read.get(self.facing) if self.facing is not None else None
        steps = since(state, mark)
        first = mark or (steps[0].parent if steps else None) or state
        pending: list[Entry] = [] if mark is not None else _before(first)
        made = [changes(step.parent, step, self.facing) if step.parent else [] for step in steps]
        if pending or any(made) or any(map(_is_told, steps)):
            when = "so far" if mark is None else "since you looked"
            self.say(f"player {(self.facing or 0) + 1}, this happened {when}:")
        for step, changed in zip(steps, made, strict=True):
            pending = self._step(state, step, pending, changed)
        self.catch_up()
        self.entries(state, pending)
        self.rest(state)

    def _step(
        self, state: State, step: State, pending: list[Entry], changed: list[str]
    ) -> list[Entry]:
        """One choice of a recapitulation with what came before it and of it.

        Gives what is still to be told with what follows.
        """
        said = action(step)
        before = step.parent.position.log if step.parent is not None else ()
        entries = log.since(step.position.log, before) or []
        if said and pending:
            self.entries(state, pending, step.parent)
            pending = []
        if _is_quiet([said] if said else [], entries, changed):
            self.quiet.append(Quiet(state, said, "", tuple(entries)))
            return []
        if said:
            self.say(said)
        pending = [*pending, *entries]
        if changed and step.parent is not None:
            self.entries(state, pending, step)
            self._now(changes(step.parent, step, self.facing, self.scored))
            pending = []
        return pending

    def rest(self, state: State) -> None:
        """All up to here has been read."""
        self.common, self.aside = state.position.log, []
        self.told = state.seen_by(self.facing).log
