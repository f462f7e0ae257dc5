"""What is said against the texts of cards: only what holds in every position, each at the author's
line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.check import check
from rulelang.diagnostics import CODES

ORCHARD = """game orchard "Orchard"
  players: 2
kind sort: flower, tree, pond "pond" / "ponds"
component plant
  sort: sort
  worth: number
place hand of player: plant, private
place supply: plant, full
place compost: plant
place pile: plant, ordered, hidden
board yard
  grid: square, 5 by 5
  cells: bed
  grown: plant on bed
state points of player: number = 0
event grow(p: player, x: plant, at: bed)
  add value(x, at) to p's points
  put x at at
rules of grow(p, x, at)
  "a free bed"  at's grown is none
  open "cards"
score value(x: plant, at: bed)
  start x's worth "worth"
  open "cards"
define seeds(x: plant) gives number
  open "seeds"
define buds(x: plant) gives number
  open "buds"
  otherwise 1
event gain(p: player, n: number)
  set p's points to largest of {0, p's points + n}
event sow(p: player, x: plant)
  add seeds(x) + buds(x) to p's points
event uproot(x: plant)
  move x to compost
phrase spot gives truth
define beside(at: bed, k: set of plant) reads spot "beside a/an {k}" =
    some b in yard's plants where b in k and some c in b's beds where c adjacent at
define away(x: plant, at: bed, w: spot) reads spot "not {w}" = not w(x: x, at: at)
define either(x: plant, at: bed, w: spot, v: spot) reads spot "{w} or {v}" =
    w(x: x, at: at) or v(x: x, at: at)
define with_many(n: number, k: set of plant) reads spot "with at least {n} {k by n}" =
    count of {y in yard's plants where y in k} >= n
define with_few(n: number, k: set of plant) reads spot "with at most {n} {k by n}" =
    count of {y in yard's plants where y in k} <= n
define rich(p: player, n: number) reads spot "with {n} point(s)" = p's points >= n
define poor(p: player, n: number) reads spot "with fewer than {n} point(s)" = p's points < n
define such(k: set of plant, s: sort) reads "{k} that is a {s}" = {y in k where y's sort = s}
pattern "Only {w}."
  w: spot
  as played
    rules of grow at "cards"
      "only {w}"  w
pattern "Never {w}."
  w: spot
  as played
    rules of grow at "cards"
      "never {w}"  not w
pattern "Add {n} if {w}."
  n: number
  w: spot
  as played
    score value at "cards"
      + n "{w}"  when w
pattern "Add {n} per {k}."
  n: number
  k: set of plant
  while card in yard's plants
    score value at "cards"
      + n "{k}"  for each y in {z in yard's plants where z in k}  when x in k
pattern "Gain {n} when a/an {k} is planted, and {m} for each {k}."
  n: number
  m: number
  k: set of plant
  when grow(p, x, at) if x in k, card in yard's plants
    do gain(p, n + m * count of {y in before(yard's plants) where y in k})
pattern "Take {n} along."
  n: number
  when grow(p, x, at) if x = card
    draw n from pile to p's hand
pattern "Seed of {n}."
  n: number
  as played
    define seeds at "seeds"
      n
pattern "Bud of {n}."
  n: number
  as played
    define buds at "buds"
      n
pattern "Uproot it when a/an {k} is planted."
  k: set of plant
  when grow(p, x, at) if x in k, card in yard's plants
    do uproot(card)
pattern "Uproot it when another {k} is planted."
  k: set of plant
  when grow(p, x, at) if x in k, x != card, card in yard's plants
    do uproot(card)
pattern "Uproot it when it is planted beside a {k}."
  k: set of plant
  when grow(p, x, at) if x = card, some b in at's neighbors where b's grown in k
    do uproot(card)
card "Oak" of plant
  sort: tree
card "Rose" of plant
  sort: flower
card "Pond" of plant
  sort: pond
card "Linden" of plant
  sort: tree
  text
    | Only beside a pond or beside a tree. Never beside an Oak. Add 2 if not beside a flower.
flow
  each p in turn
    choose x in supply by p
    choose at in beds by p
    do grow(p, x, at)
"""
NEVER, LEAVES, IDLE, NOTHING = (
    CODES[key].code for key in ("never-playable", "leaves-at-once", "never-applies", "does-nothing")
)

CARDS: dict[str, tuple[str, list[tuple[str, int]]]] = {
    # text of a tree's card -> what is found in which of its sentences
    "required and forbidden": ("Only beside a pond. Never beside a pond.", [(NEVER, 2)]),
    "required and excluded in other words": (
        "Only beside a pond. Only not beside a pond.",
        [(NEVER, 2)],
    ),
    "what is required is of a sort that is forbidden": (
        "Only beside an Oak. Never beside a tree.",
        [(NEVER, 2)],
    ),
    "some of a sort may be forbidden": ("Only beside a tree. Never beside an Oak.", []),
    "another sort": ("Only beside an Oak. Never beside a pond.", []),
    "bounds that exclude each other": (
        "Only with at least 3 ponds. Only with at most 2 ponds.",
        [(NEVER, 2)],
    ),
    "bounds that leave something": ("Only with at least 2 ponds. Only with at most 2 ponds.", []),
    "bounds on different things": ("Only with at least 3 ponds. Only with at most 2 trees.", []),
    "more of a sort than there may be of all": (
        "Only with at least 2 Oaks. Only with at most 1 tree.",
        [(NEVER, 2)],
    ),
    "more of all than of a sort": ("Only with at least 2 trees. Only with at most 1 Oak.", []),
    "a number out of reach": ("Only with 5 points. Only with fewer than 3 points.", [(NEVER, 2)]),
    "a number within reach": ("Only with 3 points. Only with fewer than 5 points.", []),
    "all ways closed": (
        "Only beside a pond or beside a flower. Never beside a pond. Never beside a flower.",
        [(NEVER, 1)],
    ),
    "one way left": ("Only beside a pond or beside a flower. Never beside a pond.", []),
    "nothing is that": ("Only beside an Oak that is a flower.", [(NEVER, 1)]),
    "something is that": ("Only beside an Oak that is a tree.", []),
    "a bonus for what nothing is": ("Add 2 if beside an Oak that is a flower.", [(IDLE, 1)]),
    "a bonus where it cannot be": ("Never beside a pond. Add 2 if beside a pond.", [(IDLE, 2)]),
    "a bonus where it may be": ("Only beside a pond. Add 2 if beside a tree.", []),
    "a bonus for what is not anyway": ("Never beside a pond. Add 2 if not beside a pond.", []),
    "forbidden beside nothing": ("Never beside an Oak that is a flower.", [(IDLE, 1)]),
    "more for each of what nothing is": ("Add 1 per Oak that is a pond.", [(IDLE, 1)]),
    "more for each": ("Add 1 per Oak.", []),
    "nothing is added": ("Add 0 if beside a tree. Add 0 per Oak.", [(NOTHING, 1), (NOTHING, 2)]),
    "nothing is gained": ("Gain 0 when an Oak is planted, and 0 for each Oak.", [(NOTHING, 1)]),
    "something may be gained": ("Gain 0 when an Oak is planted, and 1 for each Oak.", []),
    "nothing is taken": ("Take 0 along.", [(NOTHING, 1)]),
    "something is taken": ("Take 1 along.", []),
    "nothing as usual": ("Seed of 0.", [(NOTHING, 1)]),
    "nothing where there is something usually": ("Bud of 0.", []),
    "nothing where nothing is": ("Add 0 if beside an Oak that is a flower.", [(NOTHING, 1)]),
    "its own arrival": ("Uproot it when a tree is planted.", [(LEAVES, 1)]),
    "its own arrival by its title": ("Uproot it when a Test is planted.", [(LEAVES, 1)]),
    "another's arrival": ("Uproot it when another tree is planted.", []),
    "arrival of another sort": ("Uproot it when a flower is planted.", []),
    "its own arrival in some places": ("Uproot it when it is planted beside a tree.", []),
    "its own arrival beside what nothing is": (
        "Uproot it when it is planted beside a pond that is a flower.",
        [(IDLE, 1)],
    ),
    "nothing that is planted": ("Uproot it when a pond that is a flower is planted.", [(IDLE, 1)]),
}


@pytest.mark.parametrize("name", CARDS)
def test_texts(tmp_path: Path, name: str) -> None:
    """What is found stands at the sentence that brings it about."""
    text, wanted = CARDS[name]
    rows = [f"    | {sentence.strip()}." for sentence in text.split(".") if sentence]
    path = tmp_path / "orchard.rules"
    card = ["", 'card "Test" of plant', "  sort: tree", "  text", *rows]
    path.write_text(ORCHARD + "\n".join(card) + "\n", "utf-8")
    first = len((ORCHARD + "\n".join(card[:4])).split("\n"))
    found = check([str(path)]).found
    assert [(item.code, item.span.line - first) for item in found] == wanted, [
        item.message for item in found
    ]


def test_what_a_variant_brings_may_be_meant(tmp_path: Path) -> None:
    """A sentence about what only a variant's cards are is no mistake of the base game."""
    path = tmp_path / "orchard.rules"
    text = (
        ORCHARD + 'card "Test" of plant\n  sort: tree\n  text\n'
        "    | Add 2 if beside a flower that is a pond.\n"
    )
    path.write_text(text, "utf-8")
    assert [item.code for item in check([str(path)]).found] == [IDLE]
    path.write_text(
        text + 'variant water "Water"\n  card "Lily" of plant\n    sort: flower\n', "utf-8"
    )
    assert check([str(path)]).found == []


def test_cards_of_an_addition_are_looked_at(tmp_path: Path) -> None:
    game, mine = tmp_path / "orchard.rules", tmp_path / "mine.rules"
    game.write_text(ORCHARD, "utf-8")
    mine.write_text(
        'for orchard\n\ncard "Willow" of plant\n  sort: tree\n  text\n'
        "    | Uproot it when a tree is planted.\n",
        "utf-8",
    )
    (item,) = check([str(mine)], str(game)).found
    assert (item.code, item.span.file[-10:], item.span.line) == (LEAVES, "mine.rules", 6)
    assert item.message == "“Willow” leaves as soon as it comes: this holds of its own arrival."


def test_a_card_that_cannot_be_read_hides_nothing_of_others(tmp_path: Path) -> None:
    game, mine = tmp_path / "orchard.rules", tmp_path / "mine.rules"
    game.write_text(ORCHARD, "utf-8")
    unread = (
        'card "Thuja" of plant\n  sort: tree\n  text\n    | Uproot it when a treee is planted.\n'
    )
    mine.write_text(
        f'for orchard\n\n{unread}\ncard "Willow" of plant\n  sort: tree\n  text\n'
        "    | Uproot it when a tree is planted.\n",
        "utf-8",
    )
    assert [(item.code, item.span.line) for item in check([str(mine)], str(game)).found] == [
        (CODES["unknown-word"].code, 6),
        (LEAVES, 11),
    ]


def test_a_card_is_judged_beside_one_of_its_title_and_a_broken_list(tmp_path: Path) -> None:
    game, mine = tmp_path / "orchard.rules", tmp_path / "mine.rules"
    game.write_text(ORCHARD, "utf-8")
    willow = 'card "Willow" of plant\n  sort: tree\n'
    mine.write_text(
        f"for orchard\n\n{willow}  text\n    | Uproot it when a tree is planted.\n{willow}\n"
        'deck d "D" of plant\n  | 1 Elm\n',
        "utf-8",
    )
    items = check([str(mine)], str(game)).found
    assert [(item.code, item.span.line) for item in items] == [
        (LEAVES, 6),
        (CODES["title-taken"].code, 7),
        (CODES["unknown-title"].code, 11),
    ]


FADING = """define fading(x: plant) gives truth
  open "fading"
pattern "Uproot it while there is a {k}."
  k: set of plant
  as played
    define fading at "fading"
      true  when some y in yard's plants where y in k
pattern "When you uproot it you gain {n}."
  n: number
  when uproot(x) if x = card
    move card to supply
procedure clear
  for each x in {y in yard's plants where fading(y)}
    do uproot(x)
flow
  repeat while supply is not empty
    each p in turn
      if supply is not empty
        choose x in supply by p
        choose at in beds by p
        do grow(p, x, at)
    do clear
"""


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        ("Uproot it while there is a Willow.", True),  # itself is one
        ("Uproot it while there is a tree.", True),
        ("Uproot it while there is a pond.", False),  # now there is one, now not
        (
            "Only beside a pond. Uproot it while there is a pond.",
            True,
        ),  # tried beside the pond, wherever others were planted
        ("Only beside a pond. Uproot it while there is a Rose.", False),
        ("When you uproot it you gain 2.", False),  # that is no arrival in play
    ],
)
def test_a_card_that_never_stays_is_found_by_trying(tmp_path: Path, text: str, goes: bool) -> None:
    """Rules may take cards away later, for a reason texts give: what that comes to only play can
    tell.
    """
    game, mine = tmp_path / "orchard.rules", tmp_path / "mine.rules"
    game.write_text(ORCHARD[: ORCHARD.index("flow\n")] + FADING, "utf-8")
    mine.write_text(
        f'for orchard\n\ncard "Willow" of plant\n  sort: tree\n  text\n    | {text}\n', "utf-8"
    )
    found = check([str(mine)], str(game)).found
    assert [(item.code, item.span.line) for item in found] == (
        [(CODES["never-stays"].code, 3)] if goes else []
    )
