"""What is no value of a card's field, and what is no field: told with what can stand there."""

from __future__ import annotations

import pytest

from tests.tools.compiling import findings

GAME = """game town "Town"
  players: 2

kind zone: housing, trade, works
kind age in order: early, late
kind way: vertical, horizontal
kind land: water, wood

state age_now: age = early

component house
  zone: zone = housing
  age: age = early
  land: land or none
  value: number
  needs: number
  roads: set of way
  power: truth
  nickname: text
  form: shape = "X"

place box: house, full

card "Inn" of house
"""
SLIPS: dict[str, tuple[str, str, str]] = {
    # the line -> the words that are marked, and what the fix begins with and ends with
    "zone: Trade": ("Trade", "Write `zone: trade`.", "It may be housing, trade, works."),
    "zone: trad": ("trad", "Write `zone: trade`.", "It may be housing, trade, works."),
    "zone: 3": ("3", "Write `zone: works`.", "It may be housing, trade, works."),
    "zone: late": ("late", "Write `zone: housing`.", "It may be housing, trade, works."),
    "age: II": ("II", "Write `age: early`.", "It may be early, late."),
    "age: 2": ("2", "Write `age: late`.", "It may be early, late."),
    "land: Water": ("Water", "Write `land: water`.", "It may also be none."),
    "value: $2": ("$2", "Write `value: 2`.", "It is a number."),
    "value: two": ("two", "Write `value: 3`.", "It is a number."),
    "roads: H": ("H", "Write `roads: {horizontal}`.", "or nothing: {}."),
    "roads: H/V": ("H/V", "Write `roads: {horizontal, vertical}`.", "or nothing: {}."),
    "roads: {vertical, horizontal": (
        "{vertical, horizontal",
        "Write `roads: {vertical, horizontal}`.",
        "or nothing: {}.",
    ),
    "roads: {vertcal}": ("vertcal", "Write `roads: {vertical}`.", "or nothing: {}."),
    "power: yes": ("yes", "Write `power: true`.", "It is true or false."),
    "power: No": ("No", "Write `power: false`.", "It is true or false."),
    "power: 1": ("1", "Write `power: true`.", "It is true or false."),
    "nickname: Old Inn": ("Old Inn", 'Write `nickname: "Old Inn"`.', ""),
    "age_now: 1": ("age_now", "Did you mean `age`?", ""),
    "copies: 3 }": ("3 }", "A number can stand here", "such as 3."),
    "colour: trade": ("colour", "Did you mean `zone`?", ""),
    "valu: 2": ("valu", "Did you mean `value`?", ""),
    "hands: 2": ("hands", "It has value, needs.", ""),
    "text: Limit of 1 per town.": (
        "text",
        "Write `text` without a colon, and the sentences in rows below it",
        "`| Limit of 1 per town.`.",
    ),
    "specials\n    | Add 1.": ("specials", "Sentences stand in rows below `text`.", ""),
}


@pytest.mark.parametrize("line", SLIPS)
def test_a_slip_is_told_with_what_can_stand_there(line: str) -> None:
    """One finding for each, at the words that are wrong."""
    text = GAME + f"  {line}\n  needs: 1\n"
    found, sources = findings({"town.rules": text.encode()})
    (item,) = found
    quoted = sources["town.rules"].lines[item.span.line - 1]
    marked, begins, ends = SLIPS[line]
    assert quoted[item.span.column - 1 : item.span.end_column - 1] == marked
    (fix,) = item.fixes
    assert fix.startswith(begins) and fix.endswith(ends), fix


def test_all_slips_of_a_card_are_told_in_one_run() -> None:
    """Also where its title is taken."""
    text = GAME + "  value: 1\n" + 'card "Inn" of house\n  zone: Trade\n  power: yes\n  valu: 2\n'
    found, _ = findings({"town.rules": text.encode()})
    assert [item.code for item in found] == ["N022", "T017", "N001", "N003"]


@pytest.mark.parametrize("line", [line for line in SLIPS if SLIPS[line][1].startswith("Write `")])
def test_what_the_fix_says_can_be_written(line: str) -> None:
    """Followed to the letter, nothing is left to complain of."""
    fix = SLIPS[line][1]
    if "without a colon" in fix:
        return
    text = GAME + f"  {fix.removeprefix('Write `').removesuffix('`.')}\n"
    found, _ = findings({"town.rules": text.encode()})
    assert found == []
