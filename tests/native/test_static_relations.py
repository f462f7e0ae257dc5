"""Relations that read no position, and rules that are asked for all members of a set at once."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
from native_peer import Tally
from test_growing import game

from interpreter.game.game import Game
from interpreter.model.position import empty_position
from interpreter.native.expressions import Expressions
from interpreter.native.faults import Faults
from interpreter.native.lowering import lowered
from interpreter.native.program import Program, Scope
from interpreter.native.runtime import AskReference, Instance
from interpreter.native.simplified import simplified
from interpreter.native.static_relations import StaticRelations
from interpreter.native.values import decoded, size_of
from rulelang import core
from rulelang.core.bounds import LARGEST, SMALLEST
from rulelang.core.types import NUMBER, PLAYER, TRUTH, PieceT
from rulelang.ruleset.inline import written_out

LINES = """
game lines "Lines"
  players: 2

component quarter
  number: number
  form: shape
  pieces title, number, form
    | Square 1 XX/XX
    | Row    2 XXX
    | Bent   3 XX/X.
    | Ring   4 XXX/X.X/XXX

component house
  form: shape
  cost: number
  pieces title, form, cost, copies
    | Hut  X     0 6
    | Hall XX    1 4
    | Yard XX/X. 2 2

component tram
  pieces copies
    | 9

component deed
  number: number
  pieces title, number
    | even  10
    | odd   11
    | third 22
    | far   33
    | edge  42
    | wide  47

board town
  grid: square, grown from quarter
  cells: lot
  sides: street
  corners: crossing
  stands: house on lot
  track: tram on street

place store: house, full
place depot: tram, full
place aside: quarter, full
place drawer: deed, full
place hand of player: deed
state credit of player: number = 3
state rounds_played: number = 0

define address(c: lot) = 10 * c's quarter's number + c's number
define line gives set of street = {s in streets where s's track is not none}
define meets(s: street, t: street) = some x in s's ends where x in t's ends
define spread_out(s: street) = no t in line where (meets(t, s) and t's cells is not empty)
define holds(p: player, c: lot) = some d in p's hand where d's number <= address(c)
define beside(at: set of lot, h: house) = some c in at's neighbors where c's stands = h
define further(h: house) = some c in lots where (c's stands = h and c's number > 1)
define leased(p: player) gives truth
  open "cards"
  otherwise false
define favored(p: player, h: house) gives truth
  open "cards"
  otherwise false
define lent(p: player) = 12 / p's credit rounded down

event lay(p: player, s: street)
  put first of depot at s
  subtract 1 from p's credit

rules of lay(p, s)
  "a tram"        depot is not empty
  "bare"          s's track is none
  "joined"        some t in line where meets(s, t) when line is not empty
  "not crowded"   count of {c in s's cells where c's stands is not none} < 2
  "few to pay"    lent(p) < 13

event build(p: player, h: house, at: set of lot)
  put h at at
  add h's cost to p's credit

rules of build(p, h, at)
  "in the store"   h in store
  "bare"           every c in at: c's stands is none
  "deeds"          every c in at: holds(p, c) when h's cost < 2, not leased(p), not favored(p, h)
  "the shape"      at in footprints(h's form, town)
  "one of a kind"  no o in houses where (o's title = h's title and beside(at, o))
  open "cards"

pattern "Whoever is rich is favored."
  as played
    define favored at "cards"
      true  when p's credit > 6

pattern "Only with credit."
  as played
    rules of build at "cards"
      "credit"  p's credit > 2

card "Inn" of house
  form: "X"
  cost: 0
  copies: 3
  text
    | Only with credit.
    | Whoever is rich is favored.

event leave(p: player, h: house, at: set of lot)
  put h at at

rules of leave(p, h, at)
  "bare"   every c in at: c's stands is none
  "deeds"  every c in at: holds(p, c) when h's cost > 0, not leased(p)

action tracks(p: player) "Track"
  choose s in streets by p "street"
  do lay(p, s)

action houses_up(p: player) "House"
  choose h in store by p "house"
  choose at in footprints(h's form, town) by p "where"
  do build(p, h, at)

action left_behind(p: player) "Left"
  choose h in store by p "house"
  choose at in footprints(h's form, town) by p "where"
  do leave(p, h, at)

action grow(p: player) "Grow" when count of p's hand < 4
  choose q in aside by p "quarter"
  choose at in spots(q, town) by p "place"
  put q at at

action deal(p: player) "Deal"
  choose d in drawer by p "deed"
  move d to p's hand

procedure open_with(p: player)
  choose q in aside by p "quarter"
  put q at first of spots(q, town)

flow
  each p in turn
    do open_with(p)
  repeat 14 times
    each p in turn
      add 1 to rounds_played
      take one of tracks, houses_up, left_behind, grow, deal by p

rank
  highest p_worth(player)

score p_worth(p: player)
  + p's credit + 10 * count of {s in streets where spread_out(s)} "spread"
  + 1000 * count of {c in lots where holds(p, c), c's stands is none} "bare"
  + 100000 * count of {h in houses where further(h)} "further"
"""


# The last of these holds of no house, and must not be asked before the first, which may be a fault.
NEVER_SO = "no h in houses where (lent(p) > 13 + h's cost and rounds_played < 0)"


def _lines(folder: Path) -> Game:
    return game(LINES, folder)


def _program(played: Game) -> Program:
    return Program(played.engine, empty_position(played.setup, 0))


def _street(played: Game, name: str) -> core.Var:
    return core.Var(name, type=played.setup.rules.definitions["meets"].params[0][1])


def test_partners_are_those_that_the_condition_holds_of(tmp_path: Path) -> None:
    """What has a member in common with a thing is found without trying all pairs."""
    played = _lines(tmp_path)
    program = _program(played)
    one, other = (_street(played, name) for name in ("one", "other"))
    meets = core.Apply("meets", (one, other), type=TRUTH)
    found = StaticRelations(program).rows(
        written_out(meets, program.ruleset), ("one", one.type), ("other", other.type)
    )
    assert found is not None
    size = size_of(played.setup, one.type)
    assert len(found) == size and size * size > 1 << 14
    for thing in range(0, size, 97):
        value = decoded(played.setup, one.type, thing)
        others = (decoded(played.setup, one.type, n) for n in range(size))
        held = [
            n
            for n, it in enumerate(others)
            if program.evaluated(meets, {"one": value, "other": it})
        ]
        assert found[thing] == held and 2 < len(held) < 8, thing


def test_what_reads_a_position_has_no_partners(tmp_path: Path) -> None:
    """Of a condition on what lies there nothing is known before play."""
    played = _lines(tmp_path)
    one, other = (_street(played, name) for name in ("one", "other"))
    laid = core.Apply("spread_out", (one,), type=TRUTH)
    both = core.All((laid, core.Apply("meets", (one, other), type=TRUTH)), type=TRUTH)
    relations = StaticRelations(_program(played))
    assert relations.partners(both, ("one", one.type), ("other", other.type)) is None


@pytest.mark.parametrize("seed", range(3))
def test_all_at_once_is_as_one_by_one(tmp_path: Path, seed: int) -> None:
    """Options, faults, scores and states are those of the reference."""
    played = _lines(tmp_path)
    tally = Tally()
    native_peer.play(played, Instance(lowered(played.engine)), seed, 60, tally)
    assert not tally.left
    assert tally.compared > 8


def test_a_rule_that_may_be_a_fault_is_not_asked_before_those_above_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A division by 0 that no rule above keeps from being asked stops both engines."""
    above = LINES.replace('  "a tram" ', '  "few to pay 2"  lent(p) < 14\n  "a tram" ')
    last = LINES.replace("lent(p) < 13", NEVER_SO)
    for rules in (LINES, above, last):
        played, tally = game(rules, tmp_path), Tally()
        for seed in range(3):
            native_peer.play(played, Instance(lowered(played.engine)), seed, 60, tally)
        assert not tally.left

    asked: list[tuple[core.Expr, ...]] = []
    rules_of = Expressions._rules_of

    def noted(say: Expressions, e: core.Expr, scope: Scope) -> tuple[core.Expr, ...]:
        found = rules_of(say, e, scope)
        if isinstance(e, core.Accepts) and e.event == "lay":
            asked.append(found)
        return found

    monkeypatch.setattr(Expressions, "_rules_of", noted)
    for rules, before in ((LINES, 4), (above, 0)):
        asked.clear()
        lowered(game(rules, tmp_path).engine)
        assert asked and all(isinstance(one[-1], core.Accepts) for one in asked)
        assert {len(one) - 1 for one in asked} == {before}


def test_where_cards_could_add_something_and_none_does_is_left_out(tmp_path: Path) -> None:
    """An open definition that nothing is added to is known, and so is what follows from it."""
    program = _program(_lines(tmp_path))
    faults, rules = Faults(program), program.ruleset
    leases = core.Apply("leased", (core.Var("p", type=PLAYER),), type=TRUTH)
    given = (core.Var("p", type=PLAYER), core.Var("h", type=PieceT("house")))
    free = core.Apply("favored", given, type=TRUTH)
    other = core.Var("other", type=TRUTH)

    def of(e: core.Expr) -> core.Expr:
        return simplified(program, faults, e)

    assert rules.definitions["leased"].cases[0].slot and rules.definitions["favored"].cases[0].slot
    assert of(leases) == core.Const(False)
    assert of(free) == free, "a card adds to it"
    assert of(core.Not(leases, type=TRUTH)) == core.Const(True)
    assert of(core.Any((leases, other), type=TRUTH)) == other
    assert of(core.All((core.Not(leases, type=TRUTH), other), type=TRUTH)) == other
    assert of(core.All((other, leases), type=TRUTH)) == core.All((other, core.Const(False)))
    faulty = core.Arith("/", core.Const(1), core.Const(0), type=NUMBER)
    asked = core.Apply("leased", (faulty,), type=TRUTH)
    assert of(asked) == asked


def test_footprints_within_cells_are_found_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all cells of a footprint must meet a condition, the games are those of before."""
    played = game(LINES.replace("lent(p) < 13", "p's credit > 0"), tmp_path)

    def ends() -> list[bytes]:
        native, found = Instance(lowered(played.engine)), list[bytes]()
        for seed in range(60):
            native.seed(seed)
            with contextlib.suppress(AskReference):  # somebody has nothing to choose
                native.playouts(1)
            found.append(native.state)
        return found

    walls = list[bool]()
    within = Expressions._within

    def noted(say: Expressions, *given: Any) -> object:
        found = within(say, *given)
        walls.append(found is not None)
        return found

    monkeypatch.setattr(Expressions, "_within", noted)
    found = ends()
    assert any(walls) and len(set(found)) > 50
    monkeypatch.setattr(Expressions, "_within", lambda *given: None)
    assert ends() == found


@pytest.mark.parametrize(
    ("sign", "left", "right", "may"),
    [
        ("+", 10, 3, False),
        ("+", LARGEST - 1, 1, False),
        ("+", LARGEST, 1, True),
        ("*", LARGEST // 2, 3, True),
        ("-", SMALLEST, 1, True),
        ("/", 3, 1, True),
    ],
)
def test_what_cannot_pass_64_bits_is_no_fault(
    tmp_path: Path, sign: str, left: int, right: int, may: bool
) -> None:
    """Arithmetic on what is bounded is a fault only if a bound can pass."""
    sides = (core.Const(n, type=NUMBER) for n in (left, right))
    faults = Faults(_program(_lines(tmp_path)))
    assert faults.possible(core.Arith(sign, *sides, type=NUMBER)) is may


def test_a_printed_number_is_bounded(tmp_path: Path) -> None:
    """What is printed is known, and so are places in a shape: an address is no fault."""
    faults = Faults(_program(_lines(tmp_path)))
    address = faults.ruleset.definitions["address"].cases[0].value
    assert isinstance(address, core.Arith)
    assert faults.span(address.left) == (0, 470)
    assert not faults.possible(address)
