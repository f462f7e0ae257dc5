"""Options on boards and maps: what can be pointed at, and what a point or cell asks."""

from __future__ import annotations

from interpreter.game.game import State, load
from interpreter.render.look import Site
from interpreter.render.points import ROLE
from interpreter.render.svg_elements import Target
from interpreter.studio.targets import targets
from interpreter.table.menu import Menu
from rulelang.core.values import Value

CLASSICS = "examples/classics"


def pointed(state: State, most: int = 300) -> dict[Site, Target]:
    menu = Menu.of(state, state.decisions[0])

    def data(value: Value) -> str:
        return menu.texts[menu.values.index(value)]

    return targets(state, menu, most, data, lambda text: text)


def test_both_parts_of_a_move_are_on_the_map() -> None:
    """Three hounds, and the points to which they may go: each names the moves that touch it."""
    game = load(f"{CLASSICS}/hare_and_hounds")
    members = game.rules_source.kinds["point"].members
    found = pointed(game.start(1))
    by_name = {members[point]: dict(target.data) for (_, _, point), target in found.items()}
    assert {name: data["options"].count("/") for name, data in by_name.items()} == {
        "a2": 1, "b1": 3, "b3": 3, "b2": 3, "c1": 1, "c2": 2, "c3": 1,
    }  # fmt: skip
    assert all(kind == "point" and role == ROLE for kind, role, _ in found)
    assert found["point", ROLE, members.index("a2")].title == "a2 / b2"


def test_points_that_cannot_be_chosen_say_why() -> None:
    """Of a single point, the others are there to be asked about, in the words of an answer."""
    game = load(f"{CLASSICS}/hare_and_hounds")
    state = game.start(1)
    state = state.choose(next(iter(state.decisions[0].options())))
    found = pointed(state)
    kinds = [target.kind for target in found.values()]
    assert (kinds.count("open"), kinds.count("closed")) == (3, 8)
    closed = next(target for target in found.values() if target.kind == "closed")
    assert dict(closed.data) == {"value": '"a2"'}


def test_both_parts_of_a_move_are_on_the_board() -> None:
    """Cells that a pair names; nothing is closed, for no single cell is asked for."""
    found = pointed(load(f"{CLASSICS}/breakthrough").start(1))
    assert {role for _, role, _ in found} == {"cell"}
    assert {target.kind for target in found.values()} == {"open"}
    assert len(found) == 16  # the foremost row of pieces, and the row before it


def test_options_that_are_not_listed_are_there_if_they_are_single_places() -> None:
    """Of moves only those that are listed; of cells each, by its own value."""
    assert len(pointed(load(f"{CLASSICS}/hare_and_hounds").start(1), most=1)) == 2
    found = pointed(load(f"{CLASSICS}/tic_tac_toe").start(1), most=2)
    data = [dict(target.data) for target in found.values()]
    assert [target.kind for target in found.values()] == ["open"] * 9
    assert [one.get("options") for one in data[:3]] == ["b2", "b1", None]  # the middle first
    assert sorted(one["value"] for one in data[2:]) == ["a1", "a2", "a3", "b3", "c1", "c2", "c3"]
