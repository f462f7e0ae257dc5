"""Asking at the table: numbers, pages, what lies on a cell, why one stands as one does, how a game
was won, and a bot that thinks too long.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from interpreter.bots.planner import standing
from interpreter.engine.decisions import Decision, Option
from interpreter.game import log
from interpreter.game.catalog import Entry, Named
from interpreter.game.citations import citation
from interpreter.game.game import Game, State, load
from interpreter.game.standing_tree import standing_tree
from interpreter.game.wording import agreeing, sentence
from interpreter.render.board import draw_board
from interpreter.render.look import Look
from interpreter.render.screen import Listener
from interpreter.table.choosing import Chosen, choose
from interpreter.table.commands import command
from interpreter.table.fuzzy import words
from interpreter.table.input import answer
from interpreter.table.inspect import look
from interpreter.table.intents import Search
from interpreter.table.menu import Menu, OutOfRange
from interpreter.table.outlook import gains
from interpreter.table.patience import patient
from interpreter.table.results import results
from interpreter.table.session import Table
from rulelang.core.values import Value

RULES = """game field "Field"
  players: 2
component stone of player
  pieces title, copies
    | "Stone 7" 40
board meadow
  grid: square, 9 by 9
  cells: plot
  floor: stone on plot
place bag of player: stone, full
state points of player: number = 0
score worth(at: plot)
  start 2 "a stone"
  + 1 "in the middle row" when at's row = 5
event lay(p: player, at: plot) reads "{p} lays a stone on {at}"
  add worth(at) to p's points
  put first of p's bag at at
rules of lay(p, at)
  "free" at's floor is none
action set_one(p: player) "Lay a stone"
  choose at in plots by p "Where does your stone go?"
  do lay(p, at)
action pass(p: player) "Pass"
  do nothing
flow
  repeat
    each p in turn
      take one of set_one, pass by p
end enough when some p in players where p's points > 4
rank
  highest player's points + (if player's points > 3 then 1 otherwise 0)
"""


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("field") / "field.rules"
    path.write_text(RULES, "utf-8")
    return load(str(path))


def placing(game: Game) -> tuple[State, Menu]:
    """The first player is asked where his stone goes."""
    state = game.start(1)
    state = state.choose(state.option(0, "action", "set_one"))
    return state, Menu.of(state, state.decisions[0])


def test_places_are_listed_from_the_middle(field: Game) -> None:
    """Of an empty board the middle comes first, and its neighbors next."""
    _, menu = placing(field)
    assert menu.texts[0] == "e5" and set(menu.texts[1:5]) == {"e4", "d5", "f5", "e6"}
    assert menu.texts[-1] in ("a1", "i1", "a9", "i9")


def test_a_number_is_a_number(field: Game) -> None:
    """One that is the number of no option is told in one line, and begins no name."""
    _, menu = placing(field)
    with pytest.raises(OutOfRange, match="the numbers go to 81"):
        menu.find("99")
    assert menu.find("81") == 80 and menu.texts[menu.find("b2")] == "b2"


def test_long_lists_by_page(field: Game) -> None:
    """Each page goes on with the numbers of the one before."""
    _, menu = placing(field)
    assert menu.lines()[-1].strip() == ("… and 57 others: `more` lists the next, `all` all of them")
    assert menu.lines(24, 80, 72)[0].strip().startswith("73  ")
    assert not any("others" in line for line in menu.lines(24, 80, 72))


def test_places_are_drawn_by_number(field: Game) -> None:
    """Each cell that may be chosen bears the number of its option."""
    _, menu = placing(field)
    sites = menu.sites()
    assert len(sites) == 81 and set(sites.values()) == {str(n) for n in range(1, 82)}
    middle = menu.values[0]
    assert isinstance(middle, int) and sites["meadow", "cell", middle] == "1"


def test_a_wish_may_repeat_what_is_chosen(field: Game) -> None:
    """The action that was chosen already, before the place."""
    state, menu = placing(field)
    found = Search(state, menu.decision.spec, words("lay a stone on b2"), True).run()
    assert [wish.text for wish in found] == ["“b2”"]
    assert Search(state, menu.decision.spec, words("throw a stone on b2"), True).run() == []


def test_a_citation_is_looked_up(tmp_path: Path) -> None:
    """The words of the statement, and the line that cites it."""
    (tmp_path / "pond").mkdir()
    text = RULES.replace('"free" at\'s floor is none', '"free" at\'s floor is none  [FI-001]')
    text = text.replace("  players: 2\n", '  players: 2\n  citations: "FI"\n', 1)
    (tmp_path / "pond" / "field.rules").write_text(text, "utf-8")
    (tmp_path / "pond" / "rulebook.md").write_text(
        "- FI-001 [placement] Only one stone lies on a plot.\n", "utf-8"
    )
    found = citation(load(str(tmp_path / "pond")).loaded, "[fi-001]")
    assert found is not None and found.text.endswith("Only one stone lies on a plot.")
    assert [cited.lines for cited in found.clauses] == [('"free" at\'s floor is none  [FI-001]',)]
    assert citation(load(str(tmp_path / "pond")).loaded, "FI-009") is None


def test_a_cell_is_looked_at(field: Game) -> None:
    """It says what lies there."""
    state, menu = placing(field)
    assert look(state, "e5", 0) == ["e5: nothing lies there"]
    state = state.choose(menu.option(menu.values[0]))
    assert look(state, "E5", 1) == ["e5: Stone 7"]


def test_a_standing_score_is_explained(field: Game) -> None:
    """Term by term, and what is behind each; the results tell it at the end."""
    state, _ = placing(field)
    for n in range(2):
        menu = Menu.of(state, state.decisions[0])
        state = state.choose(menu.option(menu.values[menu.texts.index(["e5", "d5"][n])]))
        for _ in range(2) if n == 0 else ():
            name = "pass" if state.decisions[0].player else "set_one"
            state = state.choose(Option(state.decisions[0].player, "action", name))
    tree = standing_tree(state, 0, 1)
    assert tree is not None and tree.value == 7
    assert [part.value for part in tree.parts] == [6, 1]
    assert state.over and results(state)[0].split(maxsplit=3) == [
        *("player", "1", "7"),
        "6 points + 1 1 if points is more than 3, otherwise 0",
    ]
    assert results(state)[-1].startswith("player 1 wins by 7")


def test_an_empty_board_of_any_size_is_drawn_around_the_first_options(tmp_path: Path) -> None:
    """The numbers of what is listed first stand on the cells in the middle."""
    path = tmp_path / "field.rules"
    path.write_text(RULES.replace("9 by 9", "21 by 21"), "utf-8")
    state, menu = placing(load(str(path)))
    look = Look(width=80, height=12, near=True, pointed=menu.sites())
    drawn = [row.plain for row in draw_board(state.game, state.position, "meadow", 0, look)]
    assert drawn[1] == "|i10|j10|k10|l10|m10|" and drawn[2] == "|16 | 6 | 2 | 7 |17 |"
    assert len(drawn) == 11 and drawn[-1] == "(more further out: `map`)"


def test_a_place_is_called_as_its_author_calls_it(tmp_path: Path) -> None:
    """On the screen, in the log, and where somebody asks for it; its own name is understood too."""
    path = tmp_path / "field.rules"
    text = RULES.replace("place bag of", 'place bag "stones to lay" of')
    path.write_text(text.replace("do nothing", "move first of p's bag to p's bag"), "utf-8")
    state = load(str(path)).start(1)
    assert look(state, "stones to lay", 0)[0].startswith("stones to lay of player 1: 40")
    assert look(state, "bag", 0)[0].startswith("stones to lay of player 1: 40")
    state = state.choose(Option(0, "action", "pass"))
    told = log.told(state, list(state.position.entries())[-1], 0)
    assert told == "Stone 7 goes to the stones to lay of player 1"


def test_a_choice_is_tried_without_reasons(field: Game) -> None:
    """The state after a choice, or none where it is refused, of another or of nobody."""
    state, menu = placing(field)
    option = menu.option(menu.values[0])
    later = state.after(option)
    assert later == state.choose(option)
    assert later is not None and later.after(option) is None, "nobody is asked for a place"
    again = later.choose(Option(1, "action", "set_one"))
    assert again.after(Option(1, option.name, option.value)) is None, "a stone lies there"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("zz", "Nothing offered is called “zz”; player 1 is asked: Where does your stone go?"),
        ("-1", "There is no -1 here; the numbers go to 81."),
        ("player 2", "“player 2” is no answer to what is asked; `look player 2` tells of it; "),
        ("show zz", "Nothing that can be shown is called “zz”; `show` lists what can."),
        ("look zz", "Nothing that can be looked at is called “zz”."),
    ],
)
def test_what_is_no_answer_is_told_in_one_line(field: Game, typed: str, said: str) -> None:
    """And the game is as it was."""
    state, menu = placing(field)
    screen = Listener()
    table = Table(state, {}, screen)
    if not command(table, typed, menu.decision, menu):
        answer(table, typed, menu.decision, menu)
    assert table.state is state
    assert len(screen.said) == 1 and screen.said[0].startswith(said), screen.said


def test_an_action_that_can_be_chosen_is_not_refused(field: Game) -> None:
    """Words behind it that mean nothing are told as that."""
    state = field.start(1)
    menu, screen = Menu.of(state, state.decisions[0]), Listener()
    answer(Table(state, {}, screen), "pass zz", menu.decision, menu)
    assert screen.said and "Refused" not in screen.said[0]


def test_a_wish_may_be_tried_and_what_can_be_looked_at_shown(field: Game) -> None:
    """`try` takes several choices in a row, and `show` what `look` takes; nothing is chosen."""
    state = field.start(1)
    menu, screen = Menu.of(state, state.decisions[0]), Listener()
    table = Table(state, {}, screen)

    def told(typed: str) -> list[str]:
        screen.said.clear()
        assert command(table, typed, menu.decision, menu) and table.state is state
        return screen.said

    tried = told("try lay a stone e5")
    assert tried[0] == "If you choose “Lay a stone”, “e5”:"
    assert tried[-1] == "S71 Stone 7 of player 1", "a stone lies on the board"
    assert told("try lay zz") == ["Nothing offered is called “lay zz”."]
    assert told("try") == ["Name an option, as in `try 1`, or what you would choose."]
    shown, looked = list(told("show player 2")), told("look player 2")
    assert shown == looked and "player 2" in shown[0]


def test_a_sum_is_explained_member_by_member(tmp_path: Path) -> None:
    """Of 81 plots only those are told that bring something."""
    path = tmp_path / "field.rules"
    listed = "worth(at) - 1 for at in plots where at's floor is not none and at's row < 6"
    path.write_text(f"{RULES.split('rank')[0]}rank\n  highest (sum of ({listed}))\n", "utf-8")
    state = load(str(path)).start(1)
    for place in ("e5", "d4"):
        while state.decisions[0].name == "action":
            player = state.decisions[0].player
            state = state.choose(Option(player, "action", "pass" if player else "set_one"))
        menu = Menu.of(state, state.decisions[0])
        state = state.choose(menu.option(menu.values[menu.texts.index(place)]))
    tree = standing_tree(state, 0, 0)
    assert tree is not None and tree.value == 3  # 2 + 1 in the middle row, less 1; 2 less 1
    assert tree.parts[0].text.endswith("together")
    assert [part.value for part in tree.parts[0].parts] == [1, 2]
    assert results(state)[0].split("  ")[-1] == (
        "2 the worth of e5 less 1 + 1 the worth of d4 less 1"
    )


def test_nouns_agree_with_numbers() -> None:
    """One thing is told in the singular, and what gains less than nothing loses."""
    wording = "{q} casts {n} votes for {c}"
    said = {"q": "player 1", "n": "1", "c": "player 2"}
    assert sentence(wording, said, {"n": 1}) == "player 1 casts one vote for player 2"
    assert sentence(wording, {**said, "n": "2"}, {"n": 2}).endswith("casts 2 votes for player 2")
    assert sentence("{p} receives {n}", {"p": "player 1", "n": "-6"}, {"n": -6}) == (
        "player 1 loses 6"
    )
    assert agreeing("player 1 deals 1 cards, 21 cards") == "player 1 deals 1 card, 21 cards"


def test_a_bot_that_thinks_too_long_takes_what_there_is(field: Game) -> None:
    """People wait no longer than is set; a quick bot is not disturbed."""
    state = field.start(1)
    decision = state.decisions[0]
    last = list(decision.options())[-1]

    def slow(state: State, decision: Decision) -> Option:
        for _ in range(10_000):
            time.sleep(0.01)
            standing(state, 0)  # what a bot calls again and again
        return last

    assert patient(slow, 0.05)(state, decision) == next(decision.options())
    assert patient(lambda *_: last, 5.0)(state, decision) == last


class Typed(Listener):
    """Lines that are typed one after another."""

    def __init__(self, lines: Iterable[str]) -> None:
        super().__init__()
        self.lines = iter(lines)

    def ask(self, prompt: str) -> str | None:
        self.said.append(prompt)
        return next(self.lines, None)


def test_a_game_is_chosen_from_a_list() -> None:
    """By number or name, with its players, variants and options; bad input is asked again."""
    games = [
        Entry("one", "One", (2, 2), (), {}, ()),
        Entry("two", "Two", (2, 4), (Named("v", "The Vee"),), {"goal": ("low", "high")}, ()),
    ]
    typist = Typed(["9", "tw", "7", "3", "2", "1", "yes", "none", "high"])
    assert choose(typist, games, []) == Chosen(None, "two", 3, ("v",), {"goal": "high"})
    assert "The numbers go to 2." in typist.said and "2 to 4 can play." in typist.said
    assert choose(Typed(["1"]), games, []) == Chosen(None, "one", 2, (), {})
    assert choose(Typed([]), games, []) is None


OUTLOOK = """game pond "Pond"
  players: 2
component stone "stone"
  worth: number
  pieces title, worth
    | "Pebble"  1
    | "Slate"   4
    | "Gravel"  2
board shore
  grid: square, 3 by 1
  cells: plot
  floor: stone on plot
place hand of player: stone, private
place heap: stone, ordered, hidden, full
state points of player: number = 0
event lay(p: player, t: stone, at: plot) reads "{p} lays {t} on {at}"
  add t's worth * at's column to p's points
  put t at at
action lay_one(p: player) "Lay a stone"
  choose t in p's hand by p "Which stone do you lay?"
  choose at in {x in plots where x's floor is none} by p "Where?"
  do lay(p, t, at)
action guess(p: player) "Turn up a stone"
  draw 1 from heap to p's hand
  for each t in p's hand
    add t's worth to p's points
action rest(p: player) "Rest"
  do nothing
flow
  for each t in {t in stones where t is "Pebble" or t is "Slate"}
    move t to p1's hand
  shuffle heap
  repeat 3 times
    take one of lay_one, guess, rest by p1
rank
  highest player's points
"""


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("pond") / "pond.rules"
    path.write_text(OUTLOOK, "utf-8")
    return load(str(path))


def test_what_pays_most_is_listed_first(pond: Game) -> None:
    """The best a stone can still bring, then what each plot brings; actions keep their order."""
    state = pond.start(1)
    menu = Menu.of(state, state.decisions[0])
    menu.weigh()
    assert menu.lines()[0].strip() == "1  Lay a stone  up to +12"
    state = state.choose(state.option(0, "action", "lay_one"))
    menu = Menu.of(state, state.decisions[0])
    menu.weigh()
    assert [line.strip() for line in menu.lines()] == [
        "1  Slate  up to +12",
        "2  Pebble  up to +3",
    ]
    state = state.choose(menu.option(menu.values[0]))
    menu = Menu.of(state, state.decisions[0])
    menu.weigh()
    assert [line.strip() for line in menu.lines()] == ["1  c1  +12", "2  b1  +8", "3  a1  +4"]


def test_an_outlook_is_bounded_and_told_to_be_undecided(
    pond: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where more steps would be needed than are taken, nothing is said of an option."""
    monkeypatch.setattr("interpreter.table.outlook.MOST_STEPS", 6)
    state = pond.start(1)
    found = gains(state, state.decisions[0], ["lay_one", "guess", "rest"])
    assert "lay_one" not in found


def test_numbers_of_rectangles_stand_on_their_first_cells(field: Game) -> None:
    """Of several cells in order the first bears the number; two that share it stand together."""
    _, menu = placing(field)
    values: list[Value] = [(0, 1), (1, 0), (1, 2), (2, 1)]
    menu.values = values
    menu.texts = ["a1 to b1", "b1 to a1", "b1 to c1", "c1 to b1"]
    sites = {site: mark for (_, _, site), mark in menu.sites().items()}
    assert sites == {0: "1", 1: "2/3", 2: "4"}


def test_numbers_need_no_numbers(field: Game) -> None:
    """Options that are numbers stand in a row, to be typed as they are."""
    _, menu = placing(field)
    menu.values, menu.texts = [0, 1, 2], ["52", "18", "27"]
    assert menu.lines() == ["  52 · 18 · 27"]
