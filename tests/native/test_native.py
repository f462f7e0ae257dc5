"""The native engine says what the reference says, and what it cannot say yet it names."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `native` is not installed")

import native_peer
import wasmtime
from native_peer import Tally, compare, instance_of, reference
from race import race

from interpreter.game.game import Game
from interpreter.game.loading import load_rules
from interpreter.model.values import Fault
from interpreter.native import wasm
from interpreter.native.effects import EFFECTS
from interpreter.native.expressions import MEANINGS
from interpreter.native.lowering import lowered
from interpreter.native.runtime import AskReference, Instance
from interpreter.native.text import text
from rulelang import core

GOOD = Path(__file__).resolve().parents[1] / "good"
CLASSICS = Path(__file__).resolve().parents[2] / "examples/classics"


def game(rules: str, tmp_path: Path) -> Game:
    """A game of the reference with these rules."""
    path = tmp_path / "small.rules"
    path.write_text(rules, "utf-8")
    return reference(load_rules(str(path), tests=False))


def instance(rules: str, tmp_path: Path) -> Instance:
    """The module of a game with these rules."""
    return Instance(lowered(game(rules, tmp_path).engine))


@pytest.mark.parametrize("name", sorted(path.name for path in CLASSICS.iterdir()))
def test_whole_games_are_alike(name: str) -> None:
    """After each choice the state, options, scores and the end are those of the reference."""
    tally = Tally()
    played = reference(load_rules(str(CLASSICS / name), tests=False))
    native = instance_of(played, tally)
    assert native is not None, tally
    for seed in range(1, 9):  # one game, or of a short one some more
        if tally.compared < 8:
            native_peer.play(played, native, seed, 40, tally)
    assert not tally.left
    assert tally.compared > 7


def test_programs_are_alike_or_not_lowered() -> None:
    """Every program of tests/good is played alike, or names the construct that is missing."""
    tally = Tally()
    for path in sorted(GOOD.iterdir()):
        if any(path.glob("*.rules")):
            compare(reference(load_rules(str(path), tests=False)), 1, 25, tally)
    print(tally)
    assert tally.games >= 20 and tally.compared > 150
    assert all(tally.not_lowered)


def test_random_programs_are_alike_or_not_lowered() -> None:
    """So are random typed programs made of them."""
    tally = Tally()
    assert native_peer.random_programs(1, 40, 12, tally) == []
    print(tally)
    assert tally.compared > 30


RACE = race()


def test_a_fault_names_its_clause_and_keeps_the_state(tmp_path: Path) -> None:
    """A number past 64 bits stops the choice that made it, as in the reference."""
    native = instance(RACE, tmp_path)
    native.start()
    for _ in range(6):
        native.choose(9)
    before = native.state
    with pytest.raises(Fault) as stopped:
        native.choose(9)
    state = game(RACE, tmp_path).start()
    with pytest.raises(Fault) as told:
        while True:
            state = state.choose(list(state.decisions[0].options())[-1])
    assert str(stopped.value) == str(told.value)
    assert native.state == before


@pytest.mark.parametrize("known", ["p's far * 900000000", "twice(p)", "p's far * 900000000 > 5"])
def test_a_fault_before_a_choice_is_told_alike(known: str, tmp_path: Path) -> None:
    """What is named before a choice is worked out even if nobody asks for it."""
    actions = f"""
define twice(p: player) gives number = p's far * 900000000

action go(p: player) "go"
  let unused = {known}
  choose n in {{1 to 9}} by p "steps"
  do run(p, n)

action stay(p: player) "stay"
  add 1 to p's far

flow
"""
    asked = 'choose n in {1 to 9} by p "steps"\n      do run(p, n)'
    rules = RACE.replace(asked, "take one of go, stay by p").replace("\nflow\n", actions)
    tally = Tally()
    for seed in range(3):
        compare(game(rules, tmp_path), seed, 12, tally)
    assert tally.compared > 6 and not tally.left and not tally.not_lowered


def test_endless_rules_stop_at_the_bound_of_steps(tmp_path: Path) -> None:
    """What asks nobody ends at the bound on steps, at the clause the reference names."""
    rules = RACE.replace(
        '      choose n in {1 to 9} by p "steps"\n      do run(p, n)\n', "      add 1 to ticks\n"
    )
    rules = rules.replace("\nevent run", "\nstate ticks: number = 0\n\nevent run")
    native = instance(rules, tmp_path)
    with pytest.raises(Fault) as stopped:
        native.start()
    with pytest.raises(Fault) as told:
        game(rules, tmp_path).start()
    assert str(stopped.value) == str(told.value)


def test_a_refused_event_is_left_to_the_reference(tmp_path: Path) -> None:
    """An event that its rules refuse outside a choice is for the reference to explain."""
    rule = '\nrules of run(p, n)\n  "never"  n < 0\n\nflow\n'
    rules = RACE.replace("\nflow\n", rule).replace("do run(p, n)", "do run(p, n + 0)")
    rules = rules.replace(
        'choose n in {1 to 9} by p "steps"\n      do', "add 0 to p's far\n      do"
    )
    native = instance(rules.replace("n + 0", "1"), tmp_path)
    with pytest.raises(AskReference):
        native.start()


def test_a_state_goes_on_from_its_bytes(tmp_path: Path) -> None:
    """Another instance with the same bytes offers the same and comes to the same."""
    one, other = instance(RACE, tmp_path), instance(RACE, tmp_path)
    one.start()
    one.choose(4)
    other.state = one.state
    assert other.values() == one.values()
    one.choose(5)
    other.choose(5)
    assert other.state == one.state


def test_playouts_follow_their_seed() -> None:
    """The same seed plays the same games; their mean length is that of random play."""
    native = instance_of(reference(load_rules(str(GOOD / "tic_tac_toe"), tests=False)), Tally())
    assert native is not None
    native.seed(7)
    moves = native.playouts(2000)
    native.seed(7)
    assert native.playouts(2000) == moves
    assert 7.5 * 2000 < moves < 7.75 * 2000


def test_a_module_is_the_same_each_time() -> None:
    """Nothing of a run, such as the order of a set, gets into a module."""
    made = [
        wasm.binary(lowered(reference(load_rules(str(GOOD / "hex"), tests=False)).engine).module)
        for _ in range(2)
    ]
    assert made[0] == made[1]


def test_the_text_of_a_module_is_the_module() -> None:
    """The readable text plays the same games, and names the clauses."""
    made = lowered(reference(load_rules(str(CLASSICS / "crazy_eights"), tests=False)).engine)
    written = text(made.module)
    assert ";; rules of lay/from the hand" in written and ";; define fitting" in written
    one, other = Instance(made), Instance(made, bytes(wasmtime.wat2wasm(written)))
    for native in (one, other):
        native.seed(5)
    assert one.playouts(30) == other.playouts(30)


def test_the_tables_name_every_class_of_the_core() -> None:
    """Each class of expressions and statements is lowered or said not to be."""
    classes = {cls for cls in vars(core).values() if isinstance(cls, type)}
    assert set(MEANINGS) == {c for c in classes if issubclass(c, core.Expr) and c is not core.Expr}
    assert set(EFFECTS) == {c for c in classes if issubclass(c, core.Stmt) and c is not core.Stmt}
