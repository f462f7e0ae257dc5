"""Boards on a terminal: drawn as they lie, in what letters, colours and width there are, and with
what the rules say is shown.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from compiling import findings
from rich.text import Text

from interpreter.game.game import Game, load
from interpreter.render.board import draw_all, draw_board
from interpreter.render.canvas import Canvas, cut, folded
from interpreter.render.glyphs import Signs
from interpreter.render.look import Look
from interpreter.render.table import section, table
from interpreter.table.menu import Menu

ROOT = Path(__file__).resolve().parents[2]

PLOTS = """game plots "Plots"
  players: 2
component slab
  form: shape
  pieces title, form, copies
    | "Long slab"  XX  2
    | "Mat"        X   1
component fence of player
  pieces title, copies
    | "Fence" 5
board yard of player
  grid: square, 3 by 2
  cells: plot
  sides: edge
  corners: post
  floor: slab on plot, stacked
  rail: fence on edge
  knob: fence on post
state height of plot: number = 0
action nothing(p: player) "Nothing"
  do nothing
flow
  repeat
    each p in turn
      take one of nothing by p
end never when some c in plots where c's height > 7
rank
  highest 0
"""


@pytest.fixture(scope="module")
def tick() -> Game:
    return load(str(ROOT / "tests/good/tic_tac_toe"))


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("plots") / "plots.rules"
    path.write_text(PLOTS, "utf-8")
    return load(str(path))


def plain(rows: list[Text]) -> list[str]:
    return [row.plain for row in rows]


def test_a_square_board_is_drawn(tick: Game) -> None:
    """Cells with labels, and in each the value of its variable."""
    state = tick.start()
    for cell in ("b2", "a1"):
        state = state.choose(state.option(state.decisions[0].player, state.decisions[0].name, cell))
    assert plain(draw_board(tick, state.position, "grid")) == [
        "+---+---+---+",
        "|a1 |b1 |c1 |",
        "|p2 |   |   |",
        "+---+---+---+",
        "|a2 |b2 |c2 |",
        "|   |p1 |   |",
        "+---+---+---+",
        "|a3 |b3 |c3 |",
        "|   |   |   |",
        "+---+---+---+",
    ]


def test_a_hex_board_is_drawn() -> None:
    """Each row half a cell further right."""
    game = load(str(ROOT / "tests/good/hex"), options={"size": 5})
    lines = plain(draw_board(game, game.start().position, "field"))
    assert lines[0].startswith(" / \\ / \\") and lines[1] == "|a1 |b1 |c1 |d1 |e1 |"
    assert lines[4] == "  |a2 |b2 |c2 |d2 |e2 |" and len(lines) == 16


def test_pieces_over_cells_on_sides_and_corners(plots: Game) -> None:
    """A piece over two cells has no border inside.

    What lies on sides and corners takes the border's place; stacks are counted.
    """
    position = plots.start().position.copy()
    by_title = {
        plots.presenter.piece(p): p
        for p in range(len(plots.setup.pieces))
        if plots.setup.pieces[p].owner in (None, 0)
    }
    long, mat, fence = by_title["Long slab"] - 1, by_title["Mat"], by_title["Fence"]
    info = plots.setup.boards["yard"]
    position.put(long, "floor", (0, 1))
    position.put(mat, "floor", (5,))
    position.put(long + 1, "floor", (5,))
    fences = [p for p in plots.setup.by_component["fence"] if plots.setup.pieces[p].owner == 0]
    assert fence in fences
    position.put(fences[0], "rail", (info.grid.sides_of[1][1],))
    position.put(fences[1], "rail", (info.grid.sides_of[1][2],))
    position.put(fences[2], "knob", (info.grid.ends_of_side[info.grid.sides_of[0][0]][0],))
    position.assign("height", 3, 7)
    text = "\n".join(plain(draw_all(plots, position)))
    assert text.splitlines()[:9] == [
        "yard of player 1",
        "1-----+-----+-----+",
        "|a1    b1   #c1   |",
        "| LS    LS  1     |",
        "+-----+==1==+-----+",
        "|a2   |b2   |c2   |",
        "|  7  |     |LS+1 |",
        "+-----+-----+-----+",
        "LS Long slab · 1 Fence of player 1",
    ]
    assert "yard of player 2" in text


def test_a_grown_board_names_places_beyond_its_cells() -> None:
    """Rows and columns are lettered and numbered, and a place without a cell is named by them."""
    game = load("big_city")
    empty = game.start().position.copy()
    empty.tiles = {name: {} for name in empty.tiles}
    empty.touch()
    assert plain(draw_board(game, empty, next(iter(game.setup.boards)))) == [
        "(nothing lies there yet)"
    ]
    state = game.start()
    while not game.presenter.setup or not state.position.tiles[next(iter(state.position.tiles))]:
        state = state.choose(next(iter(state.decisions[0].options())))
    lines = plain(draw_board(game, state.position, next(iter(game.setup.boards))))
    assert lines[0].split() and all(word.isalpha() for word in lines[0].split())
    assert any(line.split()[:1] and line.split()[0].isdigit() for line in lines[1:])
    state_menu = Menu.of(state, state.decisions[0])
    while state_menu.decision.spec.prompt != "Where does {n} go?":
        state = state.choose(state_menu.option(state_menu.values[0]))
        state_menu = Menu.of(state, state.decisions[0])
    assert all(any(c.isalpha() for c in text) for text in state_menu.texts)


def test_signs_are_short_and_never_shared() -> None:
    """Different things have different signs; a number is its own."""
    signs = Signs(3)
    made = [
        signs.of(text)
        for text in (
            "double shed",
            "dry stone",
            "dune",
            "dun",
            "d",
            "Dusk",
            "???",
            "double shop",
            "daily soup",
        )
    ]
    assert len(set(made)) == len(made) and made[0] == "DS" and all(len(sign) <= 3 for sign in made)
    assert signs.as_is("7") == "7" and "7" not in dict(signs.legend())
    assert (
        signs.of("fence", 0) == "Fe1"
        and signs.of("fence", 11) == "Fe12"
        and dict(signs.legend())["Fe1"] == "fence of player 1"
    )
    one = Signs(1)
    assert len({one.of("fence", n) for n in range(40)}) == 40 and one.of("fence", 0) == "1"


# -------------------------------------------------------------- letters, colours, width
def test_lines_meet_in_the_signs_made_for_them() -> None:
    """Each joint by the lines that come in; letters that are no lines stay as they are."""
    canvas = Canvas()
    for y, line in enumerate(("+-+=+", "|-# |", "+-+.+")):
        for x, letter in enumerate(line):
            canvas.line((x, y), letter)
    canvas.write((1, 1), "-")
    assert plain(canvas.rows(boxes=True)) == ["┌─┬━┐", "│-┃┄│", "└─┘┄│"]
    assert plain(canvas.rows()) == ["+-+=+", "|-# |", "+-+.+"]


def test_a_board_in_boxes_says_the_same(plots: Game) -> None:
    """Labels, signs and legend stand where they stood."""
    position = plots.start().position.copy()
    position.put(0, "floor", (0, 1))
    lines = plain(draw_board(plots, position, "yard", look=Look(boxes=True)))
    letters = plain(draw_board(plots, position, "yard"))
    strip = str.maketrans("─│┌┐└┘├┤┬┴┼", "-|+++++++++")
    assert [line.translate(strip) for line in lines[1:3]] == letters[1:3] and lines[-1] == letters[
        -1
    ]


def test_a_wide_board_is_cut_between_cells(tick: Game) -> None:
    """Nothing is lost and nothing is wider than the terminal.

    The margin stands before each part.
    """
    state = tick.start()
    whole = plain(draw_board(tick, state.position, "grid"))
    parts = plain(draw_board(tick, state.position, "grid", look=Look(width=10)))
    assert max(map(len, parts)) <= 22 and all(
        len(line) <= 10 for line in parts if "right" not in line
    )
    assert {
        word for line in parts for word in line.replace("|", " ").split() if word[0] in "abc"
    } == {f"{c}{r}" for c in "abc" for r in "123"}
    assert plain(draw_board(tick, state.position, "grid", look=Look(width=13))) == whole
    rows = [Text("12 abcdefg"), Text("   hijklmn")]
    assert plain(cut(rows, 8, 2, 3)) == [
        "12 abcde",
        "   hijkl",
        "(further to the right)",
        "12 efg",
        "   lmn",
    ]


def test_a_large_board_is_drawn_near_what_lies_there() -> None:
    """Two cells around whatever lies on it, with a word that there is more.

    All of it if nothing lies there or the whole is asked for.
    """
    game = load(str(ROOT / "tests/good/hex"), options={"size": 11})
    state = game.start()
    near = Look(near=True)
    assert len(plain(draw_board(game, state.position, "field", look=near))) == 34
    for cell in ("e6", "f6"):
        state = state.choose(state.option(state.decisions[0].player, state.decisions[0].name, cell))
    lines = plain(draw_board(game, state.position, "field", look=near))
    drawn = {
        word
        for line in lines
        for word in line.replace("|", " ").split()
        if word[0] in "abcdefghijk" and word[1:].isdecimal()
    }
    assert (
        drawn == {f"{column}{row}" for column in "cdefgh" for row in range(4, 9)}
        and "(nothing further out: `map`)" in lines[-1]
    )
    assert len(plain(draw_board(game, state.position, "field"))) == 34


def test_a_huge_board_is_never_drawn_whole(tmp_path: Path) -> None:
    """Of a board of 900 cells only what lies near something or is pointed at is drawn.

    With nothing there, or everything pointed at, its size is told.
    """
    path = tmp_path / "wide.rules"
    path.write_text(PLOTS.replace("square, 3 by 2", "square, 30 by 30"), "utf-8")
    game = load(str(path))
    s = game.start(1).position.copy()
    everywhere = {("yard", "cell", cell): "?" for cell in range(900)}
    for look in (Look(), Look(near=True), Look(pointed=everywhere)):
        assert [str(row) for row in draw_board(game, s, "yard", 0, look)] == [
            "(30 by 30: nothing lies there yet)"
        ]
    s.put(game.setup.by_title[("slab", "mat")][0], "floor", (4 * 30 + 10,))  # k5
    drawn = [str(row) for row in draw_board(game, s, "yard", 0, Look())]
    assert "i3" in drawn[1] and "m3" in drawn[1] and "n3" not in drawn[1]
    assert "(nothing further out)" in drawn
    drawn = [
        str(row)
        for row in draw_board(
            game, s, "yard", 0, Look(pointed={("yard", "cell", 4 * 30 + 14): "?"})
        )
    ]
    assert "o5?" in drawn[7] and "q5" in drawn[7]


def test_a_legend_is_folded() -> None:
    """Dots between, and no line longer than asked for unless one entry is."""
    assert plain(folded([Text("aa"), Text("bb"), Text("cccccccccccc"), Text("d")], 8)) == [
        "aa · bb",
        "cccccccccccc",
        "d",
    ]


def test_owners_and_kinds_have_colours(plots: Game) -> None:
    """What players own is drawn in their colours, each in another one."""
    position = plots.start().position.copy()
    info = plots.setup.boards["yard"]
    fences = [
        next(p for p in plots.setup.by_component["fence"] if plots.setup.pieces[p].owner == owner)
        for owner in (0, 1)
    ]
    for n, fence in enumerate(fences):
        position.put(fence, "rail", (info.grid.sides_of[n][0],))
    top = draw_board(plots, position, "yard")[0]
    styles = {
        sign: next(
            span.style for span in top.spans if span.start <= top.plain.index(sign) < span.end
        )
        for sign in "12"
    }
    assert len(styles) == 2 and styles["1"] != styles["2"]


# ------------------------------------------------------------------------ what is shown
SHOWN = """game plain "Plain"
  players: 2
component flag of player
  pieces title, copies
    | "Flag" 3
component chart
  spot: number
  pieces title, spot, copies
    | "Left" 1 1
    | "Right" 3 1
place box: chart, hidden, full
place hand of player: chart, private
board field
  grid: square, 3 by 1
  cells: cell
  flagged: flag on cell
  shows: free, worth, mine
define spot_of(c: cell) gives number =
    1 + count of {x in cells where
      distance(x, site_at(field, 1, 1)) < distance(c, site_at(field, 1, 1))}
define free(c: cell) reads "{c} is free" = c's flagged is none
define worth(c: cell) gives number reads "what {c} is worth" =
    if c is free then spot_of(c) otherwise 0
define mine(p: player, c: cell) reads "{p} has the chart of {c}" =
    some x in p's hand where x's spot = spot_of(c)
action rest(p: player) "Rest"
  do nothing
flow
  each p in turn
    draw 1 from box to p's hand
  repeat
    each p in turn
      take one of rest by p
end never when no p in players where p's hand is not empty
rank
  highest 0
"""


def test_what_the_rules_show_is_marked(tmp_path: Path) -> None:
    """A mark for what is so, a number for what is counted, and of what is private only what the
    viewer knows.
    """
    path = tmp_path / "plain.rules"
    path.write_text(SHOWN, "utf-8")
    game = load(str(path))
    position = game.start(1).position
    drawn = {
        viewer: plain(draw_board(game, position, "field", look=Look(viewer)))
        for viewer in (None, 0, 1)
    }
    assert (
        drawn[None][1:3] == ["|a1*|b1*|c1*|", "| 1 | 2 | 3 |"] and drawn[None][-1] == "* it is free"
    )
    mine = {
        viewer: {cell for cell in ("a1", "c1") if f"{cell}*'" in drawn[viewer][1]}
        for viewer in (0, 1)
    }
    assert mine[0] | mine[1] == {"a1", "c1"} and not mine[0] & mine[1], (
        "each sees the chart he drew, and not the other's"
    )
    assert drawn[1][-1].endswith("' player 2 has the chart of it")


@pytest.mark.parametrize(
    ("line", "code"),
    [("nothing", "T016"), ("players", "T016"), ("mine, secret", "T023"), ("both", "T016")],
)
def test_what_cannot_be_shown_is_told(line: str, code: str) -> None:
    """Only definitions of a cell, and nothing that the viewer may not know."""
    text = SHOWN.replace("shows: free, worth, mine", f"shows: {line}")
    text += (
        "define secret(c: cell) = some x in box where x's spot = spot_of(c)\n"
        "define both(c: cell, d: cell) = c adjacent d\n"
    )
    assert [item.code for item in findings({"plain.rules": text.encode()})[0]] == [code]


# ---------------------------------------------------------------------------- the table
def test_each_board_stands_with_its_owner(plots: Game) -> None:
    """Player by player, the viewer last: his board, then what is his."""
    state = plots.start()
    lines = plain(table(state, Look(viewer=0)))
    assert [line for line in lines if line.startswith("yard")] == [
        "yard of player 2",
        "yard of player 1",
    ]


def test_a_table_without_boards_lists_what_lies_there(tmp_path: Path) -> None:
    """Cards before each player, equal ones counted, hidden ones only counted."""
    path = tmp_path / "rows.rules"
    path.write_text(ROWS, "utf-8")
    state = load(str(path)).start(2)
    assert section(state, 1, 0) == ["player 2: 4 coins, hand 1 card", "  tableau: Barn, 2 × Mill"]
    assert section(state, 1, 1)[:1] == ["player 2 (you): 4 coins"] and section(state, 1, 1)[
        1
    ].startswith("your hand: ")
    lines = plain(table(state, Look(viewer=1)))
    assert lines[0] == "player 1: 4, player 2: 4" and lines.index(
        "player 1: 4 coins, hand 1 card"
    ) < lines.index("player 2 (you): 4 coins")


ROWS = """game rows "Rows of cards"
  players: 2
component card of player
  pieces title, copies
    | "Mill" 2
    | "Barn" 1
    | "Pond" 1
place tableau of player: card
place hand of player: card, private, full
state coins of player: number = 0 reads "{coins} coins"
action rest(p: player) "Rest"
  do nothing
flow
  for each p in players
    set p's coins to 4
    move {x in p's hand where x is not "Pond"} to p's tableau
  repeat
    each p in turn
      take one of rest by p
end never when no p in players where p's coins > 0
rank
  highest player's coins
"""
