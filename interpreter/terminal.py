"""Playing on a terminal: bots answer by themselves, people from numbered lists; the game is told as it goes."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from interpreter import logbook
from interpreter.agents import Agent
from interpreter.choices import Menu, Unclear, candidates, match, plain_value, text, texts
from interpreter.decisions import Decision, Option
from interpreter.evaluate import Fault
from interpreter.game import Game, Illegal, State
from interpreter.maps import draw_boards
from interpreter.reasons import Reason

Say = Callable[[str], None]
Ask = Callable[[str], "str | None"]  # gives the line typed after a prompt; none at the end of the input


HELP = """A choice is made by its number, or by part of its words. Where several are chosen: their numbers, as in `1 3`.
  all             list every option, where only some are shown
  why not WORDS   why something cannot be chosen; also `why not NAME place=a1 …` for an event or action by name
  explain         the last event line by line
  map  scores     the boards; how everybody stands and what you hold
  undo            take your last choice back, if it showed nobody anything new
  log             everything that has happened
  help  quit      these lines; leave the game"""


class Quit(Exception):
    """A person leaves the game, or the input has ended."""


@dataclass
class Table:
    """A game being played: who sits where, the state, and what was told already."""

    game: Game
    agents: dict[int, Agent]
    seed: int
    say: Say
    ask: Ask
    state: State = field(init=False)
    told: Any = field(init=False, default=())
    asked: list[State] = field(init=False, default_factory=list)  # states in which a person chose
    shown: Any = field(init=False, default=None)  # for whom and when the map was last drawn

    def __post_init__(self) -> None:
        self.state = self.game.start(self.seed)

    @property
    def humans(self) -> list[int]:
        """The seats no bot sits in."""
        return [p for p in range(self.game.players) if p not in self.agents]

    @property
    def viewer(self) -> int | None:
        """For whose eyes the log is told: the only person's, else what everybody knows."""
        return self.humans[0] if len(self.humans) == 1 else None

    # ---------------------------------------------------------------------------------------- the game
    def play(self) -> State:
        """Play to the end, or until a person leaves; gives the last state."""
        seats = ", ".join(f"player {p + 1}: {'a person' if p in self.humans else 'a bot'}" for p in range(self.game.players))
        self.say(f"{self.game.title}, seed {self.seed} ({seats})")
        if self.humans:
            self.say("Type `help` for what you can type.")
        self.news()
        try:
            while not self.state.over:
                self.step()
        except Quit as left:
            self.say(str(left))
            return self.state
        for line in self.ending():
            self.say(line)
        return self.state

    def step(self) -> None:
        """One decision, whoever's it is."""
        decisions = self.state.decisions
        if not decisions:
            raise Fault("nobody has anything to decide and the game is not over")
        if self.state.moves >= self.game.rules_source.max_moves:
            raise Fault(f"the game has reached its bound of {self.game.rules_source.max_moves} moves")
        decision = decisions[0]
        if decision.player in self.agents:
            self.choose(self.agents[decision.player](self.state, decision), decision)
            return
        menu = Menu.of(self.state, decision)
        only = menu.forced()
        if only is not None:
            said = text(self.state, decision.spec, only.value)
            self.say(f"player {decision.player + 1}, {menu.prompt}: {said} (nothing else can be chosen)")
            self.choose(only, decision)
            return
        self.person(decision, menu)

    def choose(self, option: Option, decision: Decision) -> None:
        """Make a choice and tell what came of it; raises Illegal."""
        later = self.state.choose(option)
        if decision.spec.seat is None and decision.spec.mode == "action":
            self.say(f"player {decision.player + 1}: {text(self.state, decision.spec, option.value)}")
        self.state = later
        self.news()

    def news(self) -> None:
        """Tell what was logged since the last time, and the scores if an event counted."""
        entries = logbook.since(self.state, self.told)
        for entry in entries:
            self.say("  " + logbook.told(self.state, entry, self.viewer))
        if any(entry.totals for entry in entries):
            self.say("  " + logbook.scores(self.state))
        self.told = self.state.position.log

    def ending(self) -> list[str]:
        """The boards and the ranking at the end."""
        return [
            "",
            *draw_boards(self.game, self.state.position),
            "",
            f"After {self.state.moves} choices:",
            *logbook.ranking(self.state),
        ]

    # ---------------------------------------------------------------------------------------- people
    def person(self, decision: Decision, menu: Menu) -> None:
        """Ask until a choice is made or the game is left."""
        key = (decision.player, id(self.state.position.log))
        if key != self.shown:
            self.overview(decision.player)
            self.shown = key
        self.say("")
        if decision.spec.mode != "may":
            self.lines(menu.lines(None if decision.spec.mode in ("some", "order") else 40))
        before = self.state
        while self.state is before:
            line = self.ask(f"player {decision.player + 1}, {menu.ask()} ")
            if line is None:
                raise Quit("\nThe input has ended; the game stays as it is.")
            if line.strip() and not self.command(line.strip(), decision, menu):
                self.answer(line.strip(), decision, menu)

    def answer(self, line: str, decision: Decision, menu: Menu) -> None:
        """Take a line for a choice."""
        try:
            before = self.state
            self.choose(menu.read(line), decision)
            self.asked.append(before)
        except Unclear as error:
            self.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        except Illegal as error:
            self.refused(error)

    def command(self, line: str, decision: Decision, menu: Menu) -> bool:
        """Do what a line says if it is no choice; says whether it was one of these."""
        word, _, rest = line.partition(" ")
        word = word.lower()
        simple: dict[str, Callable[[], None]] = {
            "help": lambda: self.say(HELP), "?": lambda: self.say(HELP), "undo": self.undo, "log": self.log,
            "explain": self.explain, "map": lambda: self.map(decision.player),
            "scores": lambda: self.standing(decision.player), "all": lambda: self.lines(menu.lines(None)),
        }  # fmt: skip
        if word in ("quit", "exit"):
            raise Quit("You leave the game.")
        if word == "why" and rest.lower().startswith("not"):
            self.why_not(rest[3:].strip(), decision)
            return True
        if rest or word not in simple or (word == "all" and decision.spec.mode in ("some", "order")):  # there it is a choice
            return False
        simple[word]()
        return True

    # ---------------------------------------------------------------------------------------- commands
    def lines(self, lines: list[str]) -> None:
        """Say several lines."""
        for line in lines:
            self.say(line)

    def overview(self, player: int) -> None:
        """The boards, and what a player knows besides."""
        self.say("")
        self.map(player)
        self.standing(player)

    def map(self, player: int) -> None:
        """The boards as a player sees them; in simultaneous play as they are on his own."""
        self.lines(draw_boards(self.game, self.state.position.branches.get(player, self.state.position)))

    def standing(self, player: int) -> None:
        """The scores and what a player may see lying about."""
        self.say(logbook.scores(self.state))
        self.lines(logbook.holdings(self.state, player))

    def log(self) -> None:
        """The whole log."""
        for entry in self.state.log:
            self.say("  " + logbook.told(self.state, entry, self.viewer))

    def explain(self) -> None:
        """The last event as a tree."""
        tree = self.state.explain()
        self.lines(tree.lines() if tree is not None else ["Nothing has happened yet."])

    def undo(self) -> None:
        """Back to where a person chose last, if nothing new was shown since."""
        if not self.asked:
            self.say("There is nothing to take back.")
            return
        state = self.state
        try:
            while state is not self.asked[-1]:
                state = state.undo()
        except Illegal as error:
            self.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        self.asked.pop()
        self.state, self.told, self.shown = state, state.position.log, None
        self.say("Taken back.")

    def why_not(self, words: str, decision: Decision) -> None:
        """Why a thing named in words cannot be chosen now."""
        if "=" in words:
            self.why_named(words, decision)
            return
        spec = decision.spec
        values = candidates(self.state, spec)
        said = texts(self.state, spec, values)
        refused = set(range(len(values))) - ({values.index(o.value) for o in decision.options() if o.value in values} if len(values) < 200 else set())
        place = None
        problem = ""
        for among in (sorted(refused), list(range(len(values)))):
            try:
                place = among[match(" ".join(words.lower().split()), [said[i] for i in among])]
                break
            except Unclear as error:
                problem = problem or str(error)
        if place is not None:
            self.judge(decision, values[place], said[place])
            return
        if spec.mode not in ("action", "may"):
            with suppress(Illegal):
                self.judge(decision, self.state.option(decision.player, decision.name, plain_value(words)).value, words)
                return
        actions = {name: p.title or name for name, p in self.game.rules_source.procedures.items() if p.is_action}
        with suppress(Unclear):
            name = list(actions)[match(" ".join(words.lower().split()), list(actions.values()))]
            self.reasons(self.state.why_not(decision.player, name), "Nothing stands against it but that it is not asked now.")
            return
        self.say(f"{problem[:1].upper()}{problem[1:]}.")

    def judge(self, decision: Decision, value: Any, said: str) -> None:
        """Would this be accepted, and if not, why not?"""
        if decision.spec.mode == "some" and not isinstance(value, frozenset):
            value = frozenset({value})
        try:
            self.state.choose(Option(decision.player, decision.name, value))
        except Illegal as error:
            self.refused(error)
        else:
            self.say(f"“{said}” can be chosen.")

    def why_named(self, words: str, decision: Decision) -> None:
        """Why an event or action cannot be, given its values: `NAME value=a1,a2`."""
        try:
            name, *parts = shlex.split(words)
        except ValueError:
            self.say("A quotation mark is not closed.")
            return
        if "=" in name:
            self.say("Write the name of an event or action first, as in `why not NAME value=a1`.")
            return
        choices: dict[str, Any] = {}
        for part in parts:
            key, equals, value = part.partition("=")
            if not equals:
                self.say(f"Write {name} with its values as in `name=value`; {part} is none.")
                return
            choices[key] = [plain_value(v) for v in value.split(",")] if "," in value else plain_value(value)
        self.reasons(self.state.why_not(decision.player, name, **choices), "Nothing stands against it.")

    def refused(self, error: Illegal) -> None:
        """Say that something cannot be, and each reason."""
        self.say(f"Refused: {error}.")
        self.reasons(error.reasons, "")

    def reasons(self, reasons: list[Reason], otherwise: str) -> None:
        """Each reason on its line."""
        for reason in reasons:
            self.say(f"  {reason}")
        if not reasons and otherwise:
            self.say(otherwise)
