"""A game at the table: bots answer by themselves, people are asked one after another, and everybody
is told what he may know."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from rich.text import Text

from interpreter.bots.agents import Agent
from interpreter.engine.decisions import Decision, Option
from interpreter.game import log
from interpreter.game.game import Game, Illegal, State
from interpreter.game.recent import last_changed
from interpreter.game.refusals import Refusal
from interpreter.model.values import Fault
from interpreter.render import table
from interpreter.render.board import draw_all
from interpreter.render.look import Look
from interpreter.render.screen import Screen, wrapped
from interpreter.simulation.outcome import bots_move, open_decision
from interpreter.table import previews
from interpreter.table.feed import Teller, since
from interpreter.table.intents import Searched, Wish
from interpreter.table.menu import PAGE, Menu, Unclear, text
from interpreter.table.opening import opening
from interpreter.table.overview import overview
from interpreter.table.results import results
from interpreter.table.saves import Keeper, NotKept
from rulelang import core
from rulelang.diagnostics.english import counted

_TABLE = 22  # lines that a table takes which begins
_ASKED = 3  # lines of a screen before a menu, and for what is asked
_TYPE = "Type what you want, or its number; `help` tells what else you can type."
_ONLY = " (nothing else can be chosen)"


class Quit(Exception):
    """A person leaves the game, or the input has ended."""


@dataclass
class Table:
    """A game being played: who sits where, the state, who looks at the screen, and what was told
    already."""

    state: State
    agents: dict[int, Agent]
    screen: Screen
    keeper: Keeper | None = None
    command: Callable[[Table, str, Decision, Menu], bool] = lambda *_: (
        False
    )  # does what a line says, if it is no choice
    answer: Callable[[Table, str, Decision, Menu], None] = lambda *_: (
        None
    )  # takes a line for a choice
    commands: tuple[str, ...] = ()  # what else can be typed, to be completed
    offers: list[Wish] = field(
        default_factory=list
    )  # what the last words could have meant, to be chosen by number
    searched: Searched | None = None  # what the last words were held against
    fault: Fault | None = None  # why the game is not decided, if the rules broke off
    shown: object = None  # for whom and when the boards were last drawn
    seen: frozenset[str] = frozenset()  # what whoever looks has read beside the boards
    page: int = 0  # the first option that is listed
    ahead: str = ""  # what was typed before anything was asked
    lost: bool = False  # could the game not be kept when it was left?
    settle: Callable[[], None] = lambda: None  # what is done before somebody is asked

    def __post_init__(self) -> None:
        self.shared = len(self.people) > 1 and has_secrets(self.game)
        self.teller = Teller(self.screen, self.people[0] if len(self.people) == 1 else None)
        for at in reversed(
            since(self.state, None)
        ):  # in a game that is gone on with, everybody has read as far as his own last choice
            if at.choice is not None:
                self.teller.read.setdefault(at.choice.player, at)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    @property
    def people(self) -> list[int]:
        """The seats no bot sits in."""
        return [p for p in range(self.game.players) if p not in self.agents]

    # ------------------------------------------------------------------------------------- the game
    def play(self) -> State:
        """Play to the end, or until a person leaves.

        Gives the last state. Whoever leaves is told where the game is kept.
        """
        seats = ", ".join(
            f"player {p + 1}: {'a person' if p in self.people else 'a bot'}"
            for p in range(self.game.players)
        )
        self.say(f"{self.game.title}, seed {self.state.position.seed} ({seats})", "bold")
        try:
            self.greet()
            while not self.state.over:
                self.step()
            self.end()
        except Quit as left:
            self.leave(str(left))
            return self.state
        except Fault as fault:
            self.undecided(fault)
            return self.state
        except BaseException:
            self.leave("")
            raise
        return self.state

    def greet(self) -> None:
        """Tell what game this is, what may be asked, and what happened before anybody chooses."""
        told = [] if self.state.moves else opening(self.state, self.screen.width)
        if self.state.moves:
            self.say(f"{self.state.moves} choices were made before.")
        if self.people:
            self.lines([*told, _TYPE])
        if told and self.people and not self.shared:
            self.begin(told)
        if not self.shared and self.state.moves and self.people:
            self.teller.recap(self.state)
        elif not self.shared:
            self.teller.news(self.state)
        else:
            self.teller.rest(self.state)

    def begin(self, told: list[str]) -> None:
        """Let what was told be read before the table takes its place on a small screen.

        What is typed already is the first answer.
        """
        rows, width = self.screen.height, self.screen.width or 80
        if rows is None or sum(len(wrapped(Text(line), width)) for line in told) + _TABLE <= rows:
            return
        self.ahead = self.line("Press Enter to begin. ")

    def end(self) -> None:
        """Show how a game ended, and keep it if its players want it kept."""
        told = log.ranking(self.state)
        made = f"After {self.state.moves} choices:"
        self.lines([*self.boards(), *results(self.state), made])
        for line in told:
            self.say(line, "bold")
        sys.stdout.flush()  # nothing is let go of before the end was really told
        if self.keeper is None:
            return
        try:
            path = self.keeper.close(self.state)
        except NotKept as error:
            self.lost = True
            self.say(f"The game could not be kept: {error}.")
        else:
            self.lines([f"The game is kept in {path}."] if path is not None else [])

    def boards(self) -> list[str | Text]:
        """The boards as they are, with an empty line before and after; one line without any."""
        drawn = draw_all(self.game, self.state.position, self.look())
        return ["", *drawn, ""] if drawn else [""]

    def undecided(self, fault: Fault) -> None:
        """The rules came to a point they do not provide for: the game ends there, and is kept."""
        self.fault = fault
        if self.keeper is not None:
            self.keeper.undecided = str(fault)
        self.lines([*self.boards(), f"After {counted(self.state.moves, 'choice')}:"])
        self.leave(f"The game is not decided: {fault}.")

    def step(self) -> None:
        """One decision, whoever's it is."""
        decision = open_decision(self.state)
        player = decision.player
        if player in self.agents:
            with self.screen.busy(f"player {player + 1} is thinking …"):
                later = bots_move(self.agents[player], self.state, decision)
            self.reach(later)
            return
        if (why := decision.dead_end()) is not None:
            raise Fault(why)
        menu = Menu.of(self.state, decision)
        only = menu.forced()
        if only is None:
            if player != self.teller.facing:
                self.pass_to(player)
            self.person(decision, menu)
            return
        if decision.spec.mode != "action" and (player == self.teller.facing or not self.shared):
            # else it is told him when he looks next
            said = text(self.state, decision.spec, only.value)
            self.say(f"player {player + 1}, {menu.answered(said)}{_ONLY}")
        self.reach(self.state.choose(only), _ONLY)

    def reach(self, later: State, how: str = "") -> None:
        """Go on from a later state: keep it, and tell which actions led there (and how it came
        to them) and what came of them.
        """
        before, self.state = self.state, later
        self.follow()
        self.teller.reached(before, later, how)

    def follow(self) -> None:
        """Keep the game as it is now, and tell if that cannot be."""
        if self.keeper is not None and (trouble := self.keeper.follow(self.state)):
            self.say(trouble)

    def leave(self, why: str) -> None:
        """Keep the game of people who leave, and only then tell why and where: the terminal may be
        gone already, and then it is told on standard error."""
        lines = []
        if self.keeper is not None:
            try:
                path = self.keeper.leave(self.state)
            except NotKept as error:
                self.lost = True
                lines.append(f"The game could not be kept: {error}.")
            else:
                lines += [self.keeper.told(path)] if path is not None else []
        try:
            self.lines([why, *lines])
            sys.stdout.flush()
        except OSError:
            with suppress(OSError):
                print(*lines, sep="\n", end="\n" if lines else "", file=sys.stderr)

    # -------------------------------------------------------------------------------------- telling
    def say(self, line: str | Text, style: str = "") -> None:
        """Say a line."""
        self.teller.say(line, style)

    def look(self, viewer: int | None = None) -> Look:
        """How boards are drawn for a viewer on this screen."""
        return Look(viewer, self.screen.width, self.screen.boxes)

    def lines(self, lines: Iterable[str | Text]) -> None:
        """Say several lines."""
        self.teller.lines(lines)

    def overview(self, player: int, menu: Menu, below: int) -> None:
        """The boards with the numbers of places that can be chosen, and what a player knows
        besides, above so many lines; only the boards where all else was told already."""
        look = replace(
            self.look(player),
            near=True,
            height=self.screen.height,
            recent=last_changed(self.state, player),
            pointed=menu.sites(),
        )
        position = table.seen_by(self.state, player)
        key = (player, sum(entry.kind == "event" for entry in position.entries()))
        told = self.seen if self.shown is not None else frozenset[str]()
        if key != self.shown or look.pointed:
            made = overview(self.state, look, told, menu.listed_pieces(), below)
            boards_only = key == self.shown
            self.lines(["", *(made.boards if boards_only else made.lines)])
            self.seen = told | made.told
        self.shown = key

    def refused(self, what: str, reasons: list[Refusal], other: str = "") -> None:
        """Say that something cannot be, every line that stands against it, and what could be
        instead."""
        self.say(f"Refused: {what}.", "bold red")
        for reason in reasons:
            where = reason.clause.partition("/")[0]
            self.say(f"  {reason}" + (f"  ({where})" if where else ""))
        if other:
            self.say(f"  cheapest change: {other}")

    # --------------------------------------------------------------------------------------- people
    def pass_to(self, player: int) -> None:
        """Another person comes to the keyboard.

        If anything is hidden the screen is empty until he says that he is there.
        """
        read = self.teller.facing is None
        self.teller.turn_to(self.state, player)
        self.shown = None
        if self.shared:
            if not read:
                self.wait("Press Enter when you have read this. ")
            self.wait(f"Pass the keyboard to player {player + 1}, who then presses Enter. ")
            self.teller.recap(self.state)

    def wait(self, prompt: str) -> None:
        """Wait for Enter, and empty the screen."""
        self.line(prompt)
        self.screen.clear()

    def person(self, decision: Decision, menu: Menu) -> None:
        """Ask until a choice is made or the game is left."""
        menu.weigh()
        self.page = 0
        listed: list[str] | list[Text] = []
        if decision.spec.mode != "may":
            several = decision.spec.mode in ("some", "order")
            listed = previews.drawn(self.state, menu, self.look(decision.player)) or menu.lines(
                None if several else PAGE, self.screen.width
            )
        self.overview(decision.player, menu, len(listed) + _ASKED)
        self.lines(["", *listed])
        self.screen.offer(
            [
                *self.commands,
                *(word for text in menu.texts for word in text.replace(",", " ").split()),
            ]
        )
        before, self.offers = self.state, []
        while self.state is before:
            line = self.line(f"player {decision.player + 1}, {menu.ask()} ")
            if line.strip() and not self.command(self, line.strip(), decision, menu):
                self.answer(self, line.strip(), decision, menu)

    def line(self, prompt: str) -> str:
        """What was typed ahead, or else after a prompt; raises Quit where the input has ended."""
        ahead, self.ahead = self.ahead, ""
        self.teller.catch_up()
        self.settle()  # now, and not while somebody waits for an answer
        line = ahead if ahead.strip() else self.screen.ask(prompt)
        if line is None:
            raise Quit("\nThe input has ended.")
        return line

    def choose(self, option: Option) -> None:
        """Make a person's choice, or say why it cannot be."""
        try:
            self.reach(self.state.choose(option))
        except Illegal as error:
            self.refused(str(error), error.reasons)

    def unclear(self, error: Unclear) -> None:
        """Say what was not understood."""
        self.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")


def has_secrets(game: Game) -> bool:
    """Can a person know what another may not?

    Then people who share a keyboard look one at a time.
    """
    rules = game.rules_source
    if any(place.visibility == "private" for place in rules.places.values()) or any(
        state.visibility == "private" for state in rules.states.values()
    ):
        return True
    statements = [stmt for body in game.machine.bodies for stmt in body] + [
        stmt for event in rules.events.values() for stmt in event.body
    ]
    return any(
        (isinstance(s, core.Each) and s.mode != "in turn")
        or (isinstance(s, core.Reveal) and s.to is not None)
        for s in statements
    )
