"""Sentences that act on nothing are told; whatever may ask for what one says keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.check import check
from rulelang.diagnostics import CODES

MARKET = """game market "Market"
  players: 2

component ware
  price: number
  pieces title, price, copies
    | Salt   3 2
    | Candle 1 2

place store: ware, full
place stall of player: ware
state earned of player: number = 0

# Is it sold by the dozen? Only what is paid for each ware asks.
define by_the_dozen(x: ware) gives truth
  open "packing"

define packs(x: ware) gives number = if by_the_dozen(x) then 12 otherwise 1

score worth(p: player, x: ware)
  start x's price "price"
  open "extras"

event sell(p: player, x: ware)
  add worth(p, x) to p's earned
  move x to p's stall

pattern "Sold by the dozen."
  as played
    define by_the_dozen at "packing"
      true

pattern "Add {n} for each piece."
  n: number
  as played
    score worth at "extras"
      + n * packs(x) "pieces"

pattern "Add {n} for each ware in the stall."
  n: number
  as played
    score worth at "extras"
      + n * count of p's stall "wares"

pattern "Add {n} for each ware by the dozen."
  n: number
  as played
    score worth at "extras"
      + n * count of {y in p's stall where by_the_dozen(y)} "dozens"

card "Soap" of ware
  price: 2
  text
SOAP

card "Eggs" of ware
  price: 1
  text
    | Add 1 for each piece.
MORE

flow
  each p in turn
    choose x in store by p
    do sell(p, x)

rank
  highest player's earned
"""
NOTHING = CODES["acts-on-nothing"].code
ALONE = ["Add 1 for each ware in the stall.", "Sold by the dozen."]
CASES: dict[str, tuple[list[str], str, bool]] = {
    # sentences of the soap, what else there is -> does the sentence act?
    "beside what never asks": (ALONE, "", False),
    "quite alone": (["Sold by the dozen."], "", False),
    "beside what asks through a definition": (
        ["Sold by the dozen.", "Add 1 for each piece."],
        "",
        True,
    ),
    "where another card asks of all wares": (
        ALONE,
        'card "Crate" of ware\n  price: 1\n  text\n    | Add 1 for each ware by the dozen.\n',
        True,
    ),
    "where the rules ask": (
        ALONE,
        "end sold_out when some x in store where by_the_dozen(x)\n",
        True,
    ),
    "where a definition asks that nothing calls": (
        ALONE,
        "define heavy(x: ware) = packs(x) > 1\n",
        False,
    ),
    "where a table asks": (ALONE, 'score load(x: ware)\n  + packs(x) "pieces"\n', True),
    "where a variant asks": (
        ALONE,
        'variant carts "Carts"\n  rules of sell(p, x)\n    "light"  packs(x) < 12\n',
        True,
    ),
    "where a variant is about something else": (
        ALONE,
        'variant cheap "Cheap"\n  rules of sell(p, x)\n    "cheap"  x\'s price < 9\n',
        False,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_sentence_acts_if_something_asks_for_it(tmp_path: Path, name: str) -> None:
    """Told are the sentences that act on nothing, each at its line."""
    said, more, acts = CASES[name]
    path = tmp_path / "market.rules"
    text = MARKET.replace("SOAP", "\n".join(f"    | {line}" for line in said)).replace("MORE", more)
    path.write_text(text, "utf-8")
    found = check([str(path)]).found
    wanted = text.split("\n").index("    | Sold by the dozen.") + 1
    assert [(d.code, d.span.line) for d in found] == ([] if acts else [(NOTHING, wanted)])
