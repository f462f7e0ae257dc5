"""Games kept in files and gone on with.

Choices taken back: nothing is lost, nothing half, and nothing unlearned.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
from pathlib import Path
from typing import Any

import pytest

from interpreter.game import files
from interpreter.game.game import Game, Illegal, State, game_of, load
from interpreter.game.loading import load_rules
from interpreter.game.record_error import RecordError
from interpreter.game.records import read_record
from interpreter.table import saves
from interpreter.table.saves import Keeper, NotKept, Taken
from interpreter.table.seats import NoSeat, Seats, seats_of

ROOT = Path(__file__).resolve().parents[2]
TICK = "tests/good/tic_tac_toe"


@pytest.fixture(scope="module")
def tick() -> Game:
    return load(str(ROOT / "tests/good/tic_tac_toe"))


def marked(game: Game, *cells: str) -> State:
    state = game.start(5)
    for cell in cells:
        state = state.choose(state.option(state.decisions[0].player, state.decisions[0].name, cell))
    return state


# ------------------------------------------------------------------------------ keeping
def test_a_kept_game_goes_on(tick: Game, tmp_path: Path) -> None:
    """What was written is read, with its seats, and comes to an equal state from which all can be
    taken back.
    """
    keeper = Keeper(tick, Seats(("me", "random")), tmp_path / "game.save")
    state = marked(tick, "a1", "b2")
    record = saves.read(keeper.keep(state))
    again = tick.replay(record.model_dump())
    assert again == state and saves.seats_in(record) == keeper.seats
    assert again.undo().undo() == marked(tick)
    assert keeper.leave(state) is None, "nothing has happened since"
    assert keeper.leave(marked(tick, "a1", "b2", "c3")) == tmp_path / "game.save"
    assert [path.name for path in tmp_path.iterdir()] == ["game.save"]


def test_nothing_else_is_written_over(tick: Game, tmp_path: Path) -> None:
    """Neither a file that is no game nor another game; the game's own file is."""
    keeper = Keeper(tick, Seats(("me", "me")))
    note, other = tmp_path / "note.txt", tmp_path / "other.save"
    note.write_text("milk", "utf-8")
    Keeper(tick, Seats(("me", "me"))).keep(tick.start(77), str(other))
    for path, why in (
        (note, "no game"),
        (other, "another game"),
        (tmp_path / "no" / "x", "cannot be written"),
    ):
        with pytest.raises(NotKept, match=why):
            keeper.keep(marked(tick, "a1"), str(path))
    assert note.read_text("utf-8") == "milk" and saves.read(other).seed == 77
    keeper.keep(marked(tick, "a1"), str(tmp_path / "own"))
    keeper.keep(marked(tick, "a1", "a2"))
    assert len(saves.read(tmp_path / "own").choices) == 2


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_save_that_was_cut_short_is_refused(tick: Game, tmp_path: Path, part: float) -> None:
    """Wherever it ends."""
    path = Keeper(tick, Seats(("me", "me"))).keep(marked(tick, "a1", "b2"), str(tmp_path / "x"))
    whole = path.read_bytes().strip()
    path.write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(RecordError, match="cut short"):
        saves.read(path)


def test_an_edited_save_is_refused(tick: Game, tmp_path: Path) -> None:
    """Every single value changed by hand: the record is refused, or it was not of the game's
    course.
    """
    path = Keeper(tick, Seats(("me", "me"))).keep(marked(tick, "a1", "b2"), str(tmp_path / "x"))
    good = json.loads(path.read_text("utf-8"))
    edits: list[dict[str, Any]] = [
        {"seed": 6},
        {"choices": good["choices"][:1]},
        {"choices": [*good["choices"], good["choices"][0]]},
        {"digest": "0" * 64},
        {"rules": "0" * 64},
        {"game": "hex"},
        {"players": 3},
        {"format": 2},
        {"seats": ["me"]},
        {"seats": ["me", "wizard"]},
        {"choices": [good["choices"][0], {**good["choices"][1], "value": "cell#1"}]},
        {"unheard": 1},
    ]
    for edit in edits:
        path.write_text(json.dumps({**good, **edit}), "utf-8")
        with pytest.raises(RecordError):
            record = saves.read(path)
            saves.seats_in(record)
            tick.replay(record.model_dump())


def test_other_settings_are_named(tick: Game) -> None:
    """What is asked for otherwise than it was played is told, setting by setting.

    What is not asked for is not.
    """
    record = read_record(tick.record(marked(tick, "a1")))
    assert (
        saves.differences(record, {})
        == saves.differences(record, {"players": 2, "seed": 5, "added": {}})
        == []
    )
    assert saves.differences(record, {"seed": 6, "variants": ["x"]}) == [
        "it was played with seed 5, not 6",
        "it was played with variants none, not x",
    ]
    assert saves.differences(record, {"added": {"cards.rules": "for x"}}) == [
        "it was played with no added files"
    ]


# ------------------------------------------------------------------- nothing is lost
def people(game: Game, path: Path | None = None, kept: State | None = None, of: str = "") -> Keeper:
    return Keeper(game, Seats(("me", "me")), path, "", kept, of)


def test_a_game_is_not_known_by_its_seed(tick: Game, tmp_path: Path) -> None:
    """Another game of the same seed, and even of the same choices, is another game."""
    path = people(tick).keep(marked(tick, "a1"), str(tmp_path / "x"))
    for cells in (["a1"], ["a1", "b2"], ["b2"], []):
        with pytest.raises(Taken, match="another game is kept"):
            people(tick).keep(marked(tick, *cells), str(path))
    assert len(saves.read(path).choices) == 1


def test_a_later_point_is_not_lost(tick: Game, tmp_path: Path) -> None:
    """A save that is gone on with twice: the second goes on beside the first."""
    path = people(tick).keep(marked(tick, "a1"), str(tmp_path / "x.save"))
    of, begun = saves.read(path).identity, marked(tick, "a1")
    first, second = people(tick, path, begun, of), people(tick, path, begun, of)
    assert first.leave(marked(tick, "a1", "b2")) == path
    with pytest.raises(Taken, match=r"a later point of this game is kept .*2 choices, not 1"):
        second.keep(begun)
    with pytest.raises(Taken, match="as it went on otherwise"):
        second.keep(marked(tick, "a1", "c3"))
    assert "goes on" not in second.follow(marked(tick, "a1", "c3"))
    assert second.leave(marked(tick, "a1", "c3", "b1")) == tmp_path / "x-2.save"
    assert [len(saves.read(tmp_path / name).choices) for name in ("x.save", "x-2.save")] == [2, 3]


def test_what_was_kept_on_demand_outlives_taking_back(tick: Game, tmp_path: Path) -> None:
    """What is kept unasked follows the game, back too; what was asked for is only added to."""
    keeper = people(tick, tmp_path / "x.save")
    one, two = marked(tick, "a1"), marked(tick, "a1", "b2")
    for state in (one, two, one, marked(tick, "a1", "c3")):
        assert keeper.follow(state) == ""
    assert len(saves.read(keeper.keep(two.choose(next(two.decisions[0].options())))).choices) == 3
    assert "x-2.save" in keeper.follow(two) and len(saves.read(tmp_path / "x.save").choices) == 3
    assert len(saves.read(tmp_path / "x-2.save").choices) == 2


def test_a_game_without_people_is_what_its_settings_make_it(tick: Game, tmp_path: Path) -> None:
    """Played again it is the same game: the same file takes it, and not an earlier point of it."""
    bots = Seats(("random", "greedy"))
    path = Keeper(tick, bots).keep(marked(tick, "a1", "b2"), str(tmp_path / "x"))
    Keeper(tick, bots, path).keep(marked(tick, "a1", "b2"))
    with pytest.raises(Taken, match="a later point"):
        Keeper(tick, bots, path).keep(marked(tick, "a1"))
    with pytest.raises(Taken, match="another game"):
        Keeper(tick, Seats(("greedy", "random")), path).keep(marked(tick, "a1", "b2"))


def test_two_games_begun_in_one_folder_have_files_of_their_own(
    tick: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the other comes between the look for a free name and the writing; and what was kept
    unasked goes when the game is kept under a name, or is over.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(saves.os.path, "lexists", lambda path: False)
    one, other = people(tick), people(tick)
    assert one.follow(marked(tick, "a1")) == other.follow(marked(tick, "a1")) == ""
    assert (one.path, other.path) == (Path("tic_tac_toe-5.save"), Path("tic_tac_toe-5-2.save"))
    other.keep(marked(tick, "a1", "b2"), "named")
    third = people(tick, one.path, marked(tick, "a1"), saves.read(one.path).identity)
    third.keep(marked(tick, "a1", "c3"))
    one.close(marked(tick, "a1", "b2"))
    assert one.path.exists(), "somebody else goes on with it"
    one.path.unlink()
    other.close(marked(tick, "a1", "b2", "c3"))
    assert [path.name for path in tmp_path.iterdir()] == ["named"]
    last = people(tick)
    last.follow(marked(tick, "a1"))
    last.close(marked(tick, "a1", "b2"))
    assert [path.name for path in tmp_path.iterdir()] == ["named"]
    assert len(saves.read(tmp_path / "named").choices) == 3


def test_modes_and_links_stay_as_they_are(tick: Game, tmp_path: Path) -> None:
    """A file nobody else may read, one that lies elsewhere, one with two names."""
    path = tmp_path / "folder" / "x.save"
    path.parent.mkdir()
    keeper = people(tick, path)
    keeper.keep(marked(tick, "a1"))
    path.chmod(0o600)
    link, twin = tmp_path / "link", tmp_path / "twin"
    link.symlink_to(path)
    assert keeper.keep(marked(tick, "a1", "b2"), str(link)) == link
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o600
    twin.hardlink_to(path)
    keeper.keep(marked(tick, "a1", "b2", "c3"))
    assert path.samefile(twin) and len(saves.read(twin).choices) == 3
    assert [p.name for p in path.parent.iterdir()] == ["x.save"]


def test_what_may_not_be_written_is_gone_on_with_beside_it(
    tick: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is for reading alone stays as it is, and no choice is lost."""
    path = people(tick).keep(marked(tick, "a1"), str(tmp_path / "x.save"))
    monkeypatch.setattr(files.os, "access", lambda path, how: False)
    keeper = people(tick, path, marked(tick, "a1"), saves.read(path).identity)
    with pytest.raises(NotKept, match="Permission denied"):
        keeper.keep(marked(tick, "a1", "b2"))
    assert keeper.leave(marked(tick, "a1", "b2")) == tmp_path / "x-2.save"
    assert [len(saves.read(p).choices) for p in (path, tmp_path / "x-2.save")] == [1, 2]


@pytest.mark.parametrize("names", [1, 2])
def test_a_full_disk_loses_nothing(
    tick: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: int
) -> None:
    """What was kept last stays whole, with one name of the file or two; it is told once."""
    path = tmp_path / "x.save"
    keeper = people(tick, path)
    before = keeper.keep(marked(tick, "a1")).read_bytes()
    if names == 2:
        (tmp_path / "twin").hardlink_to(path)
    real, calls = os.write, itertools.count(1)

    def full(handle: int, content: bytes) -> int:
        """The disk is full from the last file on that is written; what was there has its room."""
        if bytes(content) == before or next(calls) < names:
            return real(handle, content)
        real(handle, content[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    later = marked(tick, "a1", "b2")
    monkeypatch.setattr(files.os, "write", full)
    with pytest.raises(NotKept, match=r"x\.save cannot be written: No space left"):
        keeper.keep(later)
    (tmp_path / "twin").unlink(missing_ok=True)
    assert "No space left" in keeper.follow(later)
    assert keeper.follow(later) == "", "it was told before"
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    "name", ["~nosuchuser/x", "n" * 300, "a\0b", "no/such/x", ".", "/dev/zero"]
)
def test_names_that_no_file_can_have(tick: Game, tmp_path: Path, name: str) -> None:
    """They are refused, and the game goes on being kept where it was."""
    keeper = people(tick, tmp_path / "x.save")
    with pytest.raises(NotKept):
        keeper.keep(marked(tick, "a1"), name)
    assert keeper.leave(marked(tick, "a1", "b2")) == tmp_path / "x.save"


def test_a_file_another_program_holds_is_not_waited_for_without_end(
    tick: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that write the same game at once come one after the other, or are told."""
    path = people(tick).keep(marked(tick, "a1"), str(tmp_path / "x.save"))
    monkeypatch.setattr(files.time, "sleep", lambda _: None)
    locks = pytest.importorskip("fcntl")
    with path.open("rb") as held:
        locks.flock(held, locks.LOCK_EX)
        with pytest.raises(NotKept, match="another program holds it"):
            people(tick, path, None, saves.read(path).identity).keep(marked(tick, "a1", "b2"))


def test_added_files_of_any_name_can_be_kept(tick: Game, tmp_path: Path) -> None:
    """A name in bytes that are no letters is written out."""
    name = os.fsdecode(b"caf\xe9.rules")
    added = game_of(load_rules(str(ROOT / TICK), added=[(name, "for tic_tac_toe\n")]), 2, (), {})
    record = saves.read(people(added).keep(marked(added, "a1"), str(tmp_path / "x")))
    assert list(record.added) == ["caf\\udce9.rules"]


# -------------------------------------------------------------------------------- seats
def test_who_sits_where() -> None:
    """Seats as named; bots in the last seats; with nobody at the keyboard bots everywhere."""
    assert seats_of("me,greedy", None, 3, True).kinds == ("me", "greedy", "greedy")
    assert seats_of(None, "random", 3, True).kinds == ("me", "me", "random")
    assert seats_of(None, None, 3, True).kinds == ("me", "greedy", "greedy") and seats_of(
        None, None, 2, True
    ).people == [0]
    assert (
        seats_of(None, "random", 3, False).kinds == ("random",) * 3
        and seats_of(None, "random,greedy", 2, True).people == []
    )
    for seats, bots in (
        ("me,wizard", None),
        ("me,me,me", None),
        (None, "me"),
        (None, "random,random,random"),
        ("me", "random"),
    ):
        with pytest.raises(NoSeat):
            seats_of(seats, bots, 2, True)


# -------------------------------------------------------------------------- taking back
HANDS = """game hands "Hands"
  players: 2
component card
  worth: number
  pieces title, worth, copies
    | "Low" 1 3
    | "High" 9 3
place deck: card, ordered, hidden, full
place hand of player: card, private
place pile: card, ordered, hidden
place table: card
state coins of player: number = 0
event lay(p: player, c: card) reads "{p} lays {c}"
  move c to table
event bury(p: player, c: card) reads "{p} buries {c}"
  move c to pile
action show(p: player) "Show"
  choose c in p's hand by p "card"
  do lay(p, c)
action hide(p: player) "Hide"
  choose c in p's hand by p "card"
  do bury(p, c)
action earn(p: player) "Earn"
  add 1 to p's coins
event turn_up(p: player) reads "{p} turns a card"
  move first of deck to table
action turn(p: player) "Turn"
  do turn_up(p)
action take(p: player) "Take"
  draw 1 from deck to p's hand
flow
  each p in turn
    draw 2 from deck to p's hand
  repeat
    each p in turn
      take one of show, hide, earn, take, turn by p
end rich when some p in players where p's coins > 8
rank
  highest player's coins
"""


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("hands") / "hands.rules"
    path.write_text(HANDS, "utf-8")
    return load(str(path))


def test_what_showed_nothing_can_be_taken_back(hands: Game) -> None:
    """A coin earned, a card hidden from everybody, a card laid open by him who knew it: all can be
    undone, to an equal state.
    """
    state = hands.start(1)
    for choices in (
        {"action": "earn"},
        {"action": "hide", "c": "Low"},
        {"action": "show", "c": "Low"},
    ):
        after = state.play(state.decisions[0].player, **choices)
        back = after
        while back is not state:
            back = back.undo()
        state = after
    assert state.moves == 5


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ({"action": "take"}, "player 1 draws 1 card from the deck"),
        ({"action": "turn"}, "turns a card"),
    ],
)
def test_what_was_learned_stands(hands: Game, choices: dict[str, Any], why: str) -> None:
    """A card drawn, or one turned up that nobody knew, was seen by somebody.

    The reason tells no more than all know.
    """
    state = hands.start(1).play(0, **choices)
    with pytest.raises(Illegal, match=why):
        state.undo()
    assert not state.view(1)["undo"] and not state.view(None)["undo"]
