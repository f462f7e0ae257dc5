"""Variants: those of a game combine, overlays on one clause are refused by name, and what is
offered face down stays so.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from interpreter.bots.agents import BOTS
from interpreter.game.game import Game, Illegal, State, game_of, load
from interpreter.game.loading import Loaded, RulesError, load_rules, overlay
from interpreter.scenarios.scenario import run_all
from interpreter.simulation.outcome import play_out

VARIANTS = ("trading", "useless_exchanged", "limited_drawing", "single_line", "limited_line")
# every two variants are met in all four ways: both, either alone, neither
PAIRWISE = [
    (0, 0, 0, 0, 0),
    (0, 1, 1, 1, 1),
    (1, 0, 0, 1, 1),
    (1, 0, 1, 0, 1),
    (1, 1, 0, 1, 0),
    (1, 1, 1, 0, 0),
]
HOMEMADE = "examples/variants/prospecting.rules"
CITY = ["11 12 13", "14 15 16", "17 18 19"]


@pytest.fixture(scope="module")
def base() -> Loaded:
    return load_rules("big_city", tests=False)


def test_the_sample_is_pairwise() -> None:
    """The subsets that are played hold every pair of variants in every way."""
    for one, two in itertools.combinations(range(len(VARIANTS)), 2):
        assert len({(row[one], row[two]) for row in PAIRWISE}) == 4


@pytest.mark.parametrize(("row", "players"), list(zip(PAIRWISE, (5, 2, 3, 2, 4, 2), strict=True)))
def test_any_variants_may_be_played_together(
    base: Loaded, row: tuple[int, ...], players: int
) -> None:
    """No two variants touch one clause, and random play ends by an end of the rules, under whatever
    variants.
    """
    chosen = tuple(itertools.compress(VARIANTS, row))
    assert set(base.compiled.rules.variants) == set(VARIANTS)
    loaded = overlay(base, chosen)
    assert loaded.findings() == []
    game = game_of(loaded, players, chosen, {})
    state = play_out(game.start(players), [BOTS["random"](p) for p in range(players)])
    assert state.ended_by in ("city_full", "all_passed")


def test_all_variants_are_content_with_each_other(base: Loaded) -> None:
    """And none needs another: so it is with all, and with each alone."""
    for chosen in [*((name,) for name in VARIANTS), VARIANTS]:
        assert overlay(base, chosen).findings() == [], chosen


def test_homemade_variants_go_with_those_of_the_game() -> None:
    """A file of variants is right, its scenarios hold, and its menu entry stands beside that of
    another variant.
    """
    loaded = load_rules("big_city", added=[(HOMEMADE, Path(HOMEMADE))], tests=False)
    outcomes = run_all(loaded)
    assert (loaded.findings(), len(outcomes), [o.message for o in outcomes if not o.passed]) == (
        [],
        2,
        [],
    )
    chosen = ("trading", "prospecting", "full_hands")
    state = load("big_city", players=2, variants=chosen, with_=[HOMEMADE]).position(
        {
            "boards": {"city": CITY},
            "places": {"hand of p1": [card(11)], "hand of p2": [card(22)]},
            "turn": {"procedure": "turn", "player": "p1"},
        }
    )
    assert [option.value for option in state.decisions[0].options()][-4:] == [
        "exchange_cards",
        "trade_cards",
        "prospect",
        "pass",
    ]


def test_both_evaluators_agree_under_all_variants(base: Loaded) -> None:
    """Whether results are kept or not there are the same decisions, options and log, trades
    included.
    """
    loaded = overlay(base, VARIANTS)
    fast, slow = (game_of(loaded, 3, VARIANTS, {}, keeps=keeps) for keeps in (True, False))
    a, b, rng = fast.start(4), slow.start(4), random.Random(4)
    for _ in range(120):
        if b.over:
            break
        mine, theirs = a.decisions[0], b.decisions[0]
        assert (mine.player, mine.name, mine.prompt, mine.spec.domain) == (
            theirs.player,
            theirs.name,
            theirs.prompt,
            theirs.spec.domain,
        )
        assert list(itertools.islice(mine.options(), 40)) == list(
            itertools.islice(theirs.options(), 40)
        )
        chosen = theirs.sample(rng)
        a, b = a.choose(chosen), b.choose(chosen)
        assert (a, a.log[-3:]) == (b, b.log[-3:])
    assert any(entry.name == "agree" for entry in b.log)


# ---------------------------------------------------------------------------- face down
def card(number: int) -> str:
    """A property card as files name it."""
    return f"property card neighborhood {number // 10} {number}"


def trade(game: Game, mine: int, theirs: int) -> list[State]:
    """The first player trades the card `mine` for the second's `theirs`: the states on the way,
    after each choice.
    """
    cards = {"hand of p1": [mine, 41], "hand of p2": [theirs, 52], "hand of p3": [33]}
    named = {place: [card(n) for n in numbers] for place, numbers in cards.items()}
    states = [
        game.position(
            {
                "boards": {"city": CITY},
                "places": named,
                "turn": {"procedure": "turn", "player": "p1"},
            }
        )
    ]
    mine_named, theirs_named = named["hand of p1"][0], named["hand of p2"][0]
    for player, name, value in [
        (0, "action", "trade_cards"),
        (0, "cards", [mine_named]),
        (0, "sought", ["n2"]),
        (1, "offered", [theirs_named]),
        (2, "offered", []),
        (0, "partners", ["p2"]),
    ]:
        states.append(states[-1].choose(states[-1].option(player, name, value)))
    return states


def test_a_trade_shows_nobody_a_face() -> None:
    """Trades of other cards with the same backs look the same to all who hold neither, at every
    step; each partner learns his new card at the end only.
    """
    game = load("big_city", players=3, variants=["trading"])
    states, mine_other, theirs_other = trade(game, 11, 22), trade(game, 12, 22), trade(game, 11, 23)
    assert (
        [s.view(2) for s in states]
        == [s.view(2) for s in mine_other]
        == [s.view(2) for s in theirs_other]
    )
    assert (
        [s.view(None) for s in states]
        == [s.view(None) for s in mine_other]
        == [s.view(None) for s in theirs_other]
    )
    assert [s.view(1) for s in states[:-1]] == [s.view(1) for s in mine_other[:-1]]
    assert [s.view(0) for s in states[:-1]] == [s.view(0) for s in theirs_other[:-1]]
    assert states[-1].view(1) != mine_other[-1].view(1)
    assert states[-1].view(0) != theirs_other[-1].view(0)


def test_a_swap_is_not_taken_back() -> None:
    """Who has seen his new card cannot undo the trade that brought it.

    An offer that showed nobody anything can be taken back.
    """
    states = trade(load("big_city", players=3, variants=["trading"]), 11, 22)
    with pytest.raises(Illegal):
        states[-1].undo()
    assert states[-3].undo() == states[-4]


# ---------------------------------------------------------------------- what is refused
RULES = """game stall "The stall"
  players: 2
state coins of player: number = 0
event sell(p: player, n: number)
  add price(n) to p's coins
rules of sell(p, n)
  "something"  n > 0
score price(n: number)
  start n "goods"
  + 1 "tip"
procedure work(p: player)
  do sell(p, 1)
flow
  each p in turn
    do work(p)
rank
  highest player's coins
option pace: slow, fast
variant line "A"
  replace "tip" in price
    + 2 "big tip"
variant less "B"
  remove "tip" in price
variant whole "C"
  replace score price(n: number)
    start 7 "goods"
variant rule "D"
  replace "something" in sell
    "two"  n > 1
variant all_rules "E"
  replace rules of sell(p, n)
    "three"  n > 2
variant idle "F"
  replace procedure work(p: player)
    do nothing
variant busy "G"
  replace procedure work(p: player)
    do sell(p, 3)
variant adds "H"
  procedure extra(p: player)
    do nothing
variant adds_too "I"
  procedure extra(p: player)
    do work(p)
variant more "J"
  rules of sell(p, n)
    "odd"  n != 4
variant more_too "K"
  rules of sell(p, n)
    "odd"  n != 6
variant needs "L"
  replace procedure extra(p: player)
    do sell(p, 2)
variant misplaced "O"
  action beg(p: player) "Beg" at "nowhere"
    add 1 to p's coins
variant round "M" over triangle
  replace procedure work(p: player)
    do sell(p, 4)
variant triangle "N" over round
  replace procedure work(p: player)
    do sell(p, 5)
"""


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        (("line", "less"), "`line` and `less` both change “tip” of score price"),
        (("less", "whole"), "`less` and `whole` both change “tip” of score price"),
        (("rule", "all_rules"), "`rule` and `all_rules` both change “something” of rules sell"),
        (("busy", "idle"), "`idle` and `busy` both change procedure work"),
        (("adds", "adds_too"), "`adds` and `adds_too` both change what is called extra"),
        (
            ("more", "more_too"),
            "`more` and `more_too` both change “odd” of what is added to the rules of sell",
        ),
        (("adds", "needs"), "There is no procedure extra to replace"),
        (("round", "triangle"), "`round` and `triangle` both change procedure work"),
        (("misplaced",), "`take one of` is not open at “nowhere”"),
        (("pace",), "There is no variant or option `pace`"),
        (("lines",), "There is no variant or option `lines`"),
    ],
)
def test_contradictory_variants_are_refused_by_name(
    tmp_path: Path, chosen: tuple[str, ...], told: str
) -> None:
    """Two overlays on one clause, or on a whole and a line of it, are refused whatever their order.

    So is what does not exist.
    """
    (tmp_path / "stall.rules").write_text(RULES)
    said = set()
    for order in itertools.permutations(chosen):
        with pytest.raises(RulesError) as refused:
            load(str(tmp_path), variants=order)
        said.add(
            tuple(
                item.message.replace('"', "“", 1).replace('"', "”", 1)
                for item in refused.value.found
            )
        )
    assert len(said) == 1, said
    [messages] = said
    assert len(messages) == 1
    assert told in messages[0]


def test_a_variant_over_one_that_does_not_exist_is_told(tmp_path: Path) -> None:
    """With the nearest that does."""
    (tmp_path / "stall.rules").write_text(RULES.replace('"M" over triangle', '"M" over triangel'))
    [item] = load_rules(str(tmp_path)).findings()
    assert "`triangel`" in item.message
    assert item.fixes == ("Did you mean `triangle`?",)


@pytest.mark.parametrize("name", ["pac", "line"])
def test_an_option_that_does_not_exist_is_refused(tmp_path: Path, name: str) -> None:
    """Also a variant given as an option, with what would be right."""
    (tmp_path / "stall.rules").write_text(RULES)
    with pytest.raises(RulesError) as refused:
        load(str(tmp_path), options={name: "fast"})
    [item] = refused.value.found
    assert f"`{name}`" in item.message
    assert item.fixes == (
        "Did you mean `pace`?"
        if name == "pac"
        else "`line` is a variant: it is chosen, and takes no value.",
    )


def test_a_clash_in_an_added_file_is_never_passed_over(tmp_path: Path) -> None:
    """A bad card of the same file is left out; variants that contradict each other are not."""
    file = tmp_path / "more.rules"
    file.write_text(
        'for big_city\ncard "kiosk" of building\n  class: business\n  form: "X"\n  text\n'
        "    | Worth a lot.\n"
        'variant other_line "Another line"\n  remove "joined to the line" in lay\n'
    )
    game = load("big_city", variants=["other_line"], with_=[file])
    assert "kiosk" in game.loaded.compiled.refused
    with pytest.raises(RulesError, match="single_line"):
        load("big_city", variants=["other_line", "single_line"], with_=[file])
