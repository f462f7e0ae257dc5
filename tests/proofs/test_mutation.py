"""Rules broken one way at a time: which changes the scenarios of a game notice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.game.loading import folder_of, load_rules, overlay, rulebook_of
from interpreter.proofs.mutation import (
    EQUIVALENT,
    KILLED,
    OTHER_CARDS,
    ROWS,
    SENTENCES,
    UNREACHED,
    Mutation,
)
from interpreter.proofs.operators import Mutant, broken, mutants
from rulelang import core
from rulelang.core.types import TRUTH
from rulelang.ruleset import Rule


@pytest.fixture(scope="module")
def cities() -> Mutation:
    made = Mutation(load_rules("cities"), rulebook_of(folder_of("cities")))
    made.prepare()
    return made


def test_each_mutant_breaks_one_clause_and_no_other(cities: Mutation) -> None:
    rules = cities.loaded.compiled.rules
    made = list(mutants(rules))
    ways = {mutant.way.partition(":")[0] for mutant in made}
    assert ways >= {"a line gone", "comparison", "number", "connective", "when", "order"}
    rule = next(m for m in made if isinstance(m.old, Rule) and m.way == "a line gone")
    after = broken(rules, rule)
    gone = {r.clause for e in rules.events.values() for r in e.rules}
    gone -= {r.clause for e in after.events.values() for r in e.rules}
    assert gone == {rule.clause}
    assert after.tables == rules.tables and after.definitions == rules.definitions


def test_a_rule_that_is_gone_is_noticed_by_the_scenario_that_expects_its_refusal(
    cities: Mutation,
) -> None:
    rules = cities.loaded.compiled.rules
    found = [m for m in mutants(rules) if isinstance(m.old, Rule) and m.way == "a line gone"]
    verdict = cities.judge(found[0], show=False)
    assert verdict.verdict == KILLED and verdict.by and verdict.section != "no section"


def test_what_says_the_same_is_equivalent_and_not_played(cities: Mutation) -> None:
    old = next(
        m.old
        for m in mutants(cities.loaded.compiled.rules)
        if isinstance(m.old, Rule) and m.old.need
    )
    assert isinstance(old, Rule) and old.need is not None
    twice = core.Not(core.Not(old.need, type=TRUTH), type=TRUTH)
    same = Mutant(old.clause, "twice not", old, core.rebuild(old, lambda _: twice))
    assert cities.judge(same).verdict == EQUIVALENT


def test_the_command_counts_by_section(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["mutate", "cities", "--sample", "2", "--seed", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["made"] == 2 and sum(found["verdicts"].values()) == 2
    assert status == (0 if not {"survived", "not looked at"} & found["verdicts"].keys() else 1)


COINS = """game purse "Purse"
  players: 1
state coins of player: number = 0
event earn(p: player, n: number)
  add n to p's coins
rules of earn(p, n)
  "something"  n > 0                                                           [XX-001]
flow
  do earn(p1, 1)
scenario "nothing at first"
  players 1
  expect p1's coins = 0
"""
ADDED = """for purse
scenario "what is earned is something"
  players 1
  play p1: earn(n: 0)
  expect refused by "something"
  play p1: earn(n: 1)
  expect not refused
  play p1: earn(n: 2)
  expect not refused, p1's coins = 3
"""


def test_scenarios_of_added_files_notice_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "purse.rules").write_text(COINS, "utf-8")
    (tmp_path / "added.rules").write_text(ADDED, "utf-8")
    counts = []
    for added in ([], ["--with", str(tmp_path / "added.rules")]):
        main(["mutate", str(tmp_path / "purse.rules"), "--json", *added])
        counts.append(json.loads(capsys.readouterr().out)["verdicts"])
    assert KILLED not in counts[0] and counts[1][KILLED] == sum(counts[1].values()) > 0


def test_what_only_other_cards_would_ask_of_is_listed_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unasked = "define generous(n: number) gives truth = n > 5                    [XX-001]\n"
    before, _, after = COINS.partition("event earn")
    path = tmp_path / "purse.rules"
    path.write_text(f"{before}{unasked}event earn{after}{ADDED.partition('purse')[2]}", "utf-8")
    assert main(["mutate", str(path)]) == 0
    told = capsys.readouterr().out
    assert f"{OTHER_CARDS}, without effect with those there are: define generous (3)" in told
    made, killed = re.findall(r"(\d+) mutants, (\d+) of", told)[0]
    assert int(made) == int(killed) + 3


def test_a_clause_is_broken_under_variants_too(tmp_path: Path) -> None:
    define = """define seated gives set of player = players                            [XX-001]
define poor gives set of player = {p in players where p's coins < 1}                  [XX-001]
"""
    variant = """variant generous "Generous"
  replace define seated gives set of player = {q in players where q's coins > 3}      [XX-001]
"""
    before, _, after = COINS.partition("event earn")
    path = tmp_path / "purse.rules"
    path.write_text(f"{before}{define}event earn{after}{variant}", "utf-8")
    loaded = load_rules(str(path))
    under = overlay(loaded, ("generous",)).compiled.rules
    mutant = next(
        m
        for m in mutants(loaded.compiled.rules)
        if m.clause == "define poor" and m.way == "number: 2"
    )
    assert under.definitions["poor"] != loaded.compiled.rules.definitions["poor"]  # fresh names
    made = broken(under, mutant)
    (case,) = made.definitions["poor"].cases
    assert isinstance(case.value, core.Filter) and isinstance(case.value.cond, core.Compare)
    assert case.value.cond.right == core.Const(2)
    assert made.events == under.events


TILL = """game till "Till"
  players: 1
state coins of player: number = 0
state days: number = 0
event earn(p: player, n: number)
  add n to p's coins
  add 1 to days                                                                [XX-002]
rules of earn(p, n)
  "not too much"    n <= 3                                                     [XX-001]
  "slow with much"  n <= 2  when days = 0 or p's coins > 3                     [XX-004]
action work(p: player) "Work"
  choose n in {1 to 4} by p "How much?"
  do earn(p, n)
flow
  repeat
    each p in turn
      take one of work by p
end rich when some p in players where p's coins >= 6                           [XX-003]
rank
  highest player's coins
scenario "nothing at first"
  players 1
  expect p1's coins = 0
"""


def test_what_survived_is_noticed_by_the_scenario_that_is_printed_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No scenario plays: all survive. Pasted beside the rules, what is printed holds by them, and
    each mutant that it was printed for is killed."""
    rules, pasted = tmp_path / "till.rules", tmp_path / "pasted.rules"
    rules.write_text(TILL, "utf-8")
    assert main(["mutate", str(rules)]) == 1
    told = capsys.readouterr().out
    assert main(["mutate", str(rules), "--json", "--out", str(pasted)]) == 1
    before = {(m["clause"], m["way"]): m for m in json.loads(capsys.readouterr().out)["mutants"]}
    texts = {key: m["scenario"] for key, m in before.items() if m["scenario"]}
    for way in ("a line gone", "comparison: <", "number: 4"):
        assert ("rules of earn/not too much", way) in texts
    assert all(text in told for text in texts.values())
    assert "expect refused by" in texts["rules of earn/not too much", "number: 4"]
    with_four = texts["rules of earn/slow with much", "number: 4"]
    assert "set p1's coins to 4" in with_four and "expect refused" in with_four
    assert main(["test", str(rules), str(pasted)]) == 0
    capsys.readouterr()
    main(["mutate", str(rules), "--with", str(pasted), "--json"])
    after = {
        (m["clause"], m["way"]): m["verdict"]
        for m in json.loads(capsys.readouterr().out)["mutants"]
    }
    assert {after[key] for key in texts} == {KILLED}


STALL = """game stall "Stall"
  players: 1
component fruit
  price: number
  weight: number   # nothing asks for it
place crate: fruit, full
score worth(b: fruit)
  start b's price "price"
  open "more"
pattern "{n} more."
  n: number
  as played
    score worth at "more"
      + n "more"
card "Apple" of fruit
  price: 2
  weight: 1
  text
    | 3 more.
card "Pear" of fruit
  price: 4
  weight: 1
flow
  do nothing
scenario "an apple"
  players 1
  expect worth("Apple") = 5
"""


def test_what_cards_print_and_say_is_broken_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A scenario asks for the apple, none for the pear, and nothing for what they weigh."""
    path = tmp_path / "stall.rules"
    path.write_text(STALL, "utf-8")
    assert main(["mutate", str(path), "--cards", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["mutants"]
    assert {(m["clause"], m["way"]): m["verdict"] for m in found} == {
        ('card "Apple"', "price: another"): KILLED,
        ('card "Apple"/sentence 1', "a sentence gone"): KILLED,
        ('card "Apple"/sentence 1', "number: 4"): KILLED,
        ('card "Pear"', "price: another"): UNREACHED,
    }
    assert {m["section"] for m in found} == {ROWS, SENTENCES}
