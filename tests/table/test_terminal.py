"""Playing on a terminal: what is typed becomes choices, what may not be known is not shown, and
boards are drawn as they lie.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from interpreter.bots.agents import random_agent
from interpreter.game.game import Game, load
from interpreter.game.log import ranking, told
from interpreter.render import table
from interpreter.render.screen import Listener, Terminal
from interpreter.table import commands
from interpreter.table.input import answer
from interpreter.table.menu import Menu, Unclear, match
from interpreter.table.session import Table

ROOT = Path(__file__).resolve().parents[2]

# every sort of decision: an action, one, some, an order, yes or no, and an order as one goes
CHOICES = """game market "Market day"
  players: 2
component ware
  worth: number
  pieces title, worth, copies
    | "Fig"   1 4
    | "Nut"   2 2
    | "Silk"  9 1
place crate: ware, ordered, hidden, full
place basket of player: ware, private
place stall: ware
state coins of player: number = 0
score price(w: ware)
  start w's worth "worth"
  + 1 "rare" when w is "Silk"
event sell(p: player, w: ware) reads "{p} sells {w}"
  add price(w) to p's coins
  move w to stall
rules of sell(p, w)
  "not too cheap"  w's worth > 1
action sell_one(p: player) "Sell a ware"
  choose w in p's basket by p "ware to sell"
  do sell(p, w)
action rearrange(p: player) "Rearrange the basket"
  choose 1 to 2 wares in p's basket by p "wares to show"
  choose order row of wares by p "order of the row"
  for each w in row by p
    add 1 to p's coins
  may "Take a coin" by p
    add 1 to p's coins
action rest(p: player) "Rest" when p's coins > 0
  do nothing
flow
  shuffle crate
  each p in turn
    draw 3 from crate to p's basket
  repeat
    each p in turn
      take one of sell_one, rearrange, rest by p
end rich when some p in players where p's coins > 11
rank
  highest player's coins
"""


class Chat(Listener):
    """People at a terminal who type these lines and then leave; everything said is kept."""

    def __init__(
        self, game: Game, lines: Iterable[str], people: Iterable[int] = (0,), seed: int = 1
    ) -> None:
        super().__init__()
        self.lines = iter(lines)
        agents = {p: random_agent(seed * 64 + p) for p in range(game.players) if p not in people}
        self.table = Table(game.start(seed), agents, self, None, commands.command, answer)
        self.state = self.table.play()
        self.text = "\n".join(self.said)

    def ask(self, prompt: str) -> str | None:
        self.said.append(prompt)
        line = next(self.lines, None)
        if line is not None:
            self.said.append(f"> {line}")
        return line

    def after(self, line: str) -> str:
        """What was said after a line was typed, up to the next prompt."""
        start = self.said.index(f"> {line}") + 1
        end = next(
            i
            for i in range(start, len(self.said))
            if self.said[i].startswith(("player 1, ", "player 2, "))
        )
        return "\n".join(self.said[start:end])


@pytest.fixture(scope="module")
def tick() -> Game:
    return load(str(ROOT / "tests/good/tic_tac_toe"))


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("market") / "market.rules"
    path.write_text(CHOICES, "utf-8")
    return load(str(path))


# ------------------------------------------------------------------------------ playing
def test_two_people_play_to_the_end(tick: Game) -> None:
    """Choices by number and by words; the last map and the ranking close the game."""
    chat = Chat(tick, ["b2", "a1", "1", "c3", "A3", "c1"], people=(0, 1))
    assert "player 1 marks b2" in chat.text and "player 2 marks a1" in chat.text
    chat = Chat(tick, ["a1", "b1", "a2", "b2", "a3"], people=(0, 1))
    assert chat.state.over and chat.state.winners == [0]
    assert (
        chat.said[-2:] == ["1. player 1 (1)", "2. player 2 (0)"]
        and "  the game ends: three" in chat.said
    )


def test_the_end_of_the_input_and_quitting_are_polite(tick: Game) -> None:
    """Leaving leaves the game as it is."""
    chat = Chat(tick, ["b2"])
    assert not chat.state.over and chat.state.moves == 2 and "input has ended" in chat.said[-1]
    assert Chat(tick, ["quit"]).state.moves == 0


def test_what_is_not_understood_is_asked_again(tick: Game) -> None:
    """Nonsense, numbers out of range and what could be several things are told, and nothing is
    chosen.
    """
    chat = Chat(tick, ["99", "zebra", "b", "", "²", "undo", "quit"])
    assert chat.state.moves == 0
    assert "There is no 99 here" in chat.after("99") and "zebra" in chat.after("zebra")
    assert (
        "“b” could be one of these" in chat.after("b")
        and "2  “b2”" in chat.after("b")
        and "nothing to take back" in chat.after("undo")
    )


def test_refusals_give_their_reasons(tick: Game) -> None:
    """`why not` names the line that stands against an option, or says that nothing does."""
    chat = Chat(
        tick,
        [
            "b2",
            "why not b2",
            "why not a9",
            "why not draw_mark at=b2",
            "why not draw_mark at=zz",
            "why not x=1",
            "quit",
        ],
    )
    assert "a free cell" in chat.after("why not b2") and "Refused" in chat.after("why not b2")
    assert "a9" in chat.after("why not a9")
    assert "a free cell" in chat.after("why not draw_mark at=b2")
    assert "zz" in chat.after("why not draw_mark at=zz") and "name of an event" in chat.after(
        "why not x=1"
    )
    free = next(cell for cell in ("a1", "a2") if f"player 2 marks {cell}" not in chat.text)
    assert "can be chosen" in Chat(tick, ["b2", f"why not {free}", "quit"]).after(f"why not {free}")


def test_undo_takes_a_choice_back(tick: Game) -> None:
    """Back to the last own choice, the bot's answer with it; the log goes back too."""
    chat = Chat(tick, ["b2", "undo", "log", "a1", "log"])
    assert "Taken back" in chat.after("undo") and chat.after("log") == ""
    assert "player 1 marks a1" in chat.text and len(chat.state.log) == 2


def test_the_commands_of_a_person(tick: Game) -> None:
    """Help, map, scores, the explanation of the last event."""
    chat = Chat(tick, ["explain", "help", "map", "scores", "b2", "explain", "quit"])
    assert "Nothing has happened" in chat.after("explain")
    assert "why not" in chat.after("help") and "| 6 | 2 | 7 |" in chat.after("map")
    assert chat.after("scores") == "player 1: 0, player 2: 0"
    explained = chat.said.index("> explain", chat.said.index("> b2")) + 1
    assert (
        chat.said[explained].startswith("player 2 marks ")
        and "  " + chat.said[explained] in chat.said
    )


# --------------------------------------------------------------------- sorts of choices
def test_every_sort_of_choice_can_be_answered(market: Game) -> None:
    """Some of several, an order, an order as one goes, yes or no."""
    lines = ["rearrange", "1 2 3", "1, 1", "why not 2", "1,2", "2", "2 1", "2", "y", "quit"]
    chat = Chat(market, lines, seed=dealt(market, "Fig", "Nut", "Silk"))
    assert "choose 1 to 2" in chat.text and "twice" in chat.after("1, 1")
    assert chat.after("1 2 3") == "Choose 1 to 2, as in `1 3`; 3 named."
    assert chat.after("why not 2") == "2 is “Nut”, which can be chosen with others."
    assert chat.after("2") == "Put all 2 in order, as in `2 1`; 1 named."
    assert "put in order" in chat.text and "Take a coin?" in chat.text
    assert chat.state.position.vars["coins"][0] == 3
    assert "player 1: Rearrange the basket" in chat.text


def dealt(market: Game, *wanted: str) -> int:
    """A seed with which player 1 gets these wares."""
    for seed in range(300):
        position = market.start(seed).position
        if sorted(market.presenter.piece(p) for p in position.places[("basket", 0)]) == sorted(
            wanted
        ):
            return seed
    raise AssertionError(f"no seed deals {wanted}")


def test_refused_actions_say_why(market: Game) -> None:
    """An action whose guard fails and an option whose event is refused are told with the line that
    stands against them.
    """
    lines = ["why not rest", "sell", "why not fig", "why not sell", "why not rest", "nut", "quit"]
    chat = Chat(market, lines, seed=dealt(market, "Fig", "Nut", "Silk"))
    assert "coins" in chat.after("why not rest") and "not too cheap" in chat.after("why not fig")
    assert "sells Nut (price 2: 2 worth)" in chat.text


def test_a_forced_choice_is_made_and_said(market: Game) -> None:
    """Where one thing is left to choose, nobody is asked."""
    chat = Chat(market, ["sell", "quit"], seed=dealt(market, "Fig", "Fig", "Nut"))
    assert "player 1, ware to sell: Nut (nothing else can be chosen)" in chat.said
    assert (
        "  player 1 sells Nut (price 2: 2 worth)" in chat.said
        and "  player 1: 2, player 2: 0" in chat.said
    )


def test_only_ones_own_basket_is_shown(market: Game) -> None:
    """A person sees what he holds; of the other's he sees how much, in the log too."""
    state = Chat(market, ["quit"]).state
    own, other = ([line.plain for line in table.standing(state, p)] for p in (0, 1))
    assert (
        own[-1].startswith("your basket: ")
        and "player 2: basket 3 wares" in own
        and "player 1: basket 3 wares" in other
    )
    assert not any("crate" in line and "Fig" in line for line in own)
    draws = [entry for entry in state.log if entry.kind == "draw"]
    assert told(state, draws[1], 0) == "player 2 draws 3 wares from the crate"
    assert (
        told(state, draws[0], 0)
        != told(state, draws[0], None)
        == "player 1 draws 3 wares from the crate"
    )


def test_bots_alone_are_told_in_the_rules_words(market: Game) -> None:
    """Events in their own wording with the lines that counted, the scores after them, the ranking
    at the end.
    """
    chat = Chat(market, [], people=(), seed=3)
    assert chat.state.over and "a bot" in chat.said[0]
    assert any("sells Nut (price 2: 2 worth)" in line for line in chat.said) or any(
        "sells Silk (price 10: 9 worth, + 1 rare)" in line for line in chat.said
    )
    assert any(line.startswith("  player 1: ") for line in chat.said) and chat.said[-2:] == ranking(
        chat.state
    )


def test_a_game_beyond_its_bound_is_a_fault(market: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound of moves ends a game that does not end by itself."""
    monkeypatch.setattr(market.rules_source, "max_moves", 5)
    chat = Chat(market, [], people=())
    assert chat.table.fault is not None and chat.said[-1].startswith("The game is not decided: ")
    assert "5 moves" in chat.said[-1]


def test_words_are_matched_whole_before_in_part() -> None:
    """A whole text before a beginning, a beginning before a part; equal texts are one."""
    assert match("park", ["big park", "park", "parking"]) == 1
    assert match("pa", ["big park", "park", "nut"]) == 1
    assert match("pa", ["big park", "nut"]) == 0
    assert match("fig", ["fig", "fig"]) == 0
    for wanted in ("pa", "", "zebra", "ark"):
        with pytest.raises(Unclear):
            match(wanted, ["park", "path"])


def test_long_lists_are_cut_and_can_be_seen_whole(tick: Game) -> None:
    """Forty options are listed; `all` lists the rest."""
    state = tick.start()
    menu = Menu.of(state, state.decisions[0])
    menu.texts = [f"thing {n}" for n in range(60)]
    assert "36 others: `more`" in menu.lines()[-1] and "thing 59" in "\n".join(menu.lines(None))


def test_keys_pressed_while_a_bot_thinks_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were no answer to anything; what is typed at the next prompt is."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("interpreter.render.screen._MOMENT", 0)
    with (
        os.fdopen(slave, "r", closefd=True) as keys,
        os.fdopen(os.dup(slave), "w", closefd=True) as screen,
    ):
        monkeypatch.setattr("sys.stdin", keys)
        monkeypatch.setattr("sys.stdout", screen)
        terminal = Terminal()
        with terminal.busy("player 2 is thinking …"):
            shown = os.read(master, 100)  # waits until it is said
            os.write(master, b"1\n")
        os.write(master, b"2\n")
        typed = keys.readline()
        monkeypatch.undo()
    os.close(master)
    assert b"thinking" in shown and typed == "2\n"


def test_a_terminal_that_shrinks_is_obeyed_at_once(tick: Game) -> None:
    """The width and height are asked for anew whenever something is drawn."""

    class Shrinking(Chat):
        width = 100  # type: ignore[assignment]

        def ask(self, prompt: str) -> str | None:
            line = super().ask(prompt)
            Shrinking.width = 12  # type: ignore[assignment]
            return line

    chat = Shrinking(tick, ["map", "map"])
    first = chat.said[: chat.said.index("> map")]
    assert max(len(line) for line in first if line.startswith("| ")) == 13
    drawn = [line for line in chat.after("map").splitlines() if line[:1] in "|+"]
    assert drawn and max(map(len, drawn)) <= 12
