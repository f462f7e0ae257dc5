"""What stands on a small screen: options by what differs, cards that can be chosen as a table, and
as much of the table above them as there is room for.
"""

from __future__ import annotations

import pytest

from interpreter.game.game import Game, State, load
from interpreter.render.look import Look
from interpreter.render.screen import Listener
from interpreter.table import commands
from interpreter.table.alike import Group, grouped, listed, said_by_all
from interpreter.table.input import answer
from interpreter.table.inspect import look
from interpreter.table.menu import Menu
from interpreter.table.overview import overview
from interpreter.table.session import Table

RULES = """game shop "Shop"
  players: 2
component ware of player
  price: number
  weight: number
  pieces title, price, weight, copies
    | "Lamp"  3 7 6
    | "Chair" 5 9 3
    | "Stool" 2 4 3
board floor
  grid: square, 9 by 9
  cells: plot
  stand: ware on plot
place hand of player: ware, private, full
place store: ware, public
state coins of player: number = 0 reads "{coins} coins"
score worth(w: ware, at: plot)
  start w's price "its price"
  + 2 "in the middle" when at's row = 5
  + 1 "in a corner" when at's row = 1
event set_up(p: player, w: ware, at: plot) reads "{p} sets {w} on {at}"
  add worth(w, at) to p's coins
  put w at at
rules of set_up(p, w, at)
  "free" at's stand is none
action show(p: player) "Show a ware"
  choose w in p's hand by p "Which ware do you show?"
  choose at in plots by p "Where does {w} go?"
  do set_up(p, w, at)
action wait(p: player) "Wait"
  do nothing
flow
  repeat
    each p in turn
      take one of show, wait by p
end enough when some p in players where p's coins > 90
rank
  highest player's coins
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("shop") / "shop.rules"
    path.write_text(RULES, "utf-8")
    return load(str(path))


def asked(state: State) -> Menu:
    """The menu of whoever decides, weighed."""
    menu = Menu.of(state, state.decisions[0])
    menu.weigh()
    return menu


def first(state: State) -> State:
    """The state after the first option of whoever decides."""
    return state.choose(next(state.decisions[0].options()))


# ------------------------------------------------------------------------- options that share words
def test_what_options_share_is_said_once() -> None:
    texts = [f"a{n} to c{n}, first at {corner}{n}" for n in range(1, 6) for corner in "ac"]
    groups = grouped(texts)
    assert groups[0] == Group("a1 to c1", ((0, "first at a1"), (1, "first at c1")))
    assert len(groups) == 5 and said_by_all(groups) == "first at"
    assert listed(groups, [""] * 10, 80)[:2] == [
        "  the numbers say “first at …”:",
        "  a1 to c1   1 a1   2 c1     a3 to c3   5 a3   6 c3     a5 to c5   9 a5  10 c5",
    ]


def test_nothing_is_shared_where_that_halves_no_list() -> None:
    """A few options, or such as differ in everything, stand one by one."""
    assert grouped([f"a{n}, first at b{n}" for n in range(1, 20)]) == ()
    assert grouped([f"Lake [{mark}]" for mark in "abcd"]) == ()
    assert [
        g.shared for g in grouped([f"Lake [{mark}]" for mark in "abcdefgh"] + ["Hill", "Hill [b]"])
    ] == [
        "Lake",
        "Hill",
    ]


def test_long_lists_of_places_stand_by_what_they_bring(shop: Game) -> None:
    """81 plots: those that pay most first, each gain once; `more` goes on where the page ended."""
    state = first(first(shop.start(1)))
    menu = asked(state)
    assert len(menu.texts) == 81 and not menu.gains  # more than are looked ahead
    lines, end = menu.page(24, 80, 0)
    assert end == 24 and lines[-1].strip().startswith("… and 57 others")
    for _ in range(2):
        state = first(state)
        state = state.choose(state.option(1, "action", "wait"))
        state = first(first(state))
    menu = asked(state)
    assert len(menu.texts) == 79
    lines, end = menu.page(24, 80, 0)
    heads = [line.split()[0] for line in lines if line.strip() and not line.startswith(" " * 4)]
    assert heads == ["+5", "+4", "+3", "+3"] and len(lines) <= 12 and end == 79


# ---------------------------------------------------------------------- cards as they are asked
def test_cards_that_can_be_chosen_are_a_table(shop: Game) -> None:
    """Their numbers stand in it, and the hand above is told in words."""
    state = shop.start(1)
    state = state.choose(state.option(0, "action", "show"))
    menu = asked(state)
    lines = menu.lines(24, 80)
    assert lines[0].split() == ["price", "weight", "brings"] or lines[0].split() == [
        "price",
        "weight",
    ]
    assert [line.split()[1] for line in lines[1:]] == list(dict.fromkeys(menu.texts))
    above = [
        line.plain
        for line in overview(
            state, Look(0, 80, False, True), frozenset(), menu.listed_pieces(), 5
        ).lines
    ]
    assert any(line.startswith("your hand: ") for line in above)
    plain = [
        line.plain
        for line in overview(state, Look(0, 80, False, True), frozenset(), frozenset(), 5).lines
    ]
    assert any(line.startswith("your hand ") and "price" in line for line in plain)


def test_a_small_screen_holds_what_is_new(shop: Game) -> None:
    """What was read goes first, then the table of one's own cards; a large screen loses nothing."""
    state = shop.start(1)

    def above(height: int, told: frozenset[str] = frozenset()) -> list[str]:
        seen = overview(state, Look(0, 80, False, True, height=height), told, frozenset(), 5)
        return [line.plain for line in seen.lines]

    whole = overview(state, Look(0, 80, False, True), frozenset(), frozenset(), 5)
    assert [line.plain for line in whole.lines][-4:] == above(60)[-4:]
    assert any("price" in line for line in above(60)) and not any("price" in x for x in above(16))
    other = next(line for line in above(60) if line.startswith("player 2: hand"))
    assert other in above(16) and other not in above(16, whole.told)
    assert other in above(60, whole.told)


def test_what_one_holds_is_looked_at_as_a_table(shop: Game) -> None:
    lines = look(shop.start(1), "my hand", 0, 80)
    assert lines[0].startswith("your hand") and lines[0].split()[2:] == ["price", "weight"]
    assert all(not line.startswith("hand of player 2") for line in lines)


# ----------------------------------------------------------------------------- the first screen
class Small(Listener):
    """A screen of so many lines on which some lines are typed."""

    def __init__(self, height: int | None, *typed: str) -> None:
        super().__init__()
        self.rows, self.typed, self.asked = height, list(typed), list[str]()

    @property
    def height(self) -> int | None:  # type: ignore[override]
        return self.rows

    def ask(self, prompt: str) -> str | None:
        self.asked.append(prompt)
        return self.typed.pop(0) if self.typed else None


@pytest.mark.parametrize(("height", "pauses"), [(24, True), (60, False), (None, False)])
def test_a_small_screen_lets_the_opening_be_read(
    shop: Game, height: int | None, pauses: bool
) -> None:
    """What is typed there already is the first answer."""
    screen = Small(height, "wait") if pauses else Small(height)
    bots = {1: lambda state, decision: next(decision.options())}
    table = Table(shop.start(1), bots, screen, None, commands.command, answer)
    table.shared = False
    table.play()
    assert screen.asked[0].startswith("Press Enter to begin") is pauses
    assert (table.state.moves > 0) is pauses
