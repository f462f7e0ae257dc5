"""Advice: what rules say of cards and deck lists is told where its author can mend it, and keeps a
game from being set up if it is grave.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.authoring.check import check
from interpreter.cli.main import main
from interpreter.game.game import load
from interpreter.game.loading import RulesError
from rulelang.diagnostics import CODES, Diagnostic

KITCHEN = "tests/good/kitchen"
ERROR, WARNING, NOTE = (
    CODES[f"advice-{severity}"].code for severity in ("error", "warning", "note")
)
RICH = (
    'for kitchen\n\ndeck rich "A rich table" of dish\n  | 4 Roast\n  | 2 Crumble\n  | 1 Parsley\n'
)
STEW = (
    'for kitchen\n\ncard "Stew" of dish\n  course: main\n  copies: 3\n  text\n'
    "    | Add 2 if a Parsley is on the table.\n"
)


def found(folder: Path, text: str, **more: int) -> list[Diagnostic]:
    """What a check of an addition with this text finds."""
    path = folder / "mine.rules"
    path.write_text(text, "utf-8")
    return check([str(path)], KITCHEN, **more).found


def told(items: list[Diagnostic]) -> list[tuple[str, int, str]]:
    """Code, line and message of findings."""
    return [(item.code, item.span.line, item.message) for item in items]


def test_what_is_right_is_not_spoken_of() -> None:
    """Each list is held against the numbers of players it is made for: the plain one would lack
    starters for four.
    """
    assert check([KITCHEN]).found == []


def test_a_list_is_told_what_it_lacks_with_each_number_of_players(tmp_path: Path) -> None:
    """By hand: 4 + 2 + 1 = 7 dishes; only Parsley is a starter; 2 starters a player.

    Crumble names Custard, which is not listed.
    """
    items = found(tmp_path, RICH)
    assert told(items) == [
        (ERROR, 3, "There are 7 dishes, and 9 are needed."),
        (WARNING, 3, "1 of 7 dishes are starters; 4 are wanted."),
        (WARNING, 5, "Crumble asks for Custard."),
        (NOTE, 5, "Crumble speaks of Custard, and no dish is that."),
    ]
    assert items[0].fixes == ("Put in 2 more.",)
    assert items[0].notes == ("so says “nine dishes” [KI-001]",)
    starters = "1 of 7 dishes are starters; {} are wanted."
    assert items[1].notes == (
        "with 2 players",
        f"with 3 players: {starters.format(6)}",
        f"with 4 players: {starters.format(8)}",
        "so says “starters first” [KI-002]",
    )


def test_a_list_is_held_against_the_players_asked_for(tmp_path: Path) -> None:
    (item,) = [item for item in found(tmp_path, RICH, players=3) if "starters" in item.message]
    assert "6 are wanted" in item.message and item.notes == ("so says “starters first” [KI-002]",)
    (item,) = [
        item
        for item in found(tmp_path, RICH.replace("of dish", "of dish, 2 players"))
        if "starters" in item.message
    ]
    assert "4 are wanted" in item.message and len(item.notes) == 1


def test_what_a_card_itself_lacks_is_told_at_the_card(tmp_path: Path) -> None:
    """Once for all its copies.

    In the whole box there is a Parsley, so that is no fault of the card's.
    """
    items = found(tmp_path, STEW)
    assert told(items) == [(ERROR, 3, "Stew is a main and costs nothing.")]
    assert items[0].fixes == ("Give it a cost, as in `cost: 2`.",)
    assert found(tmp_path, STEW.replace("main\n", "main\n  cost: 1\n")) == []


def test_only_what_is_asked_about_is_told(tmp_path: Path) -> None:
    """A homemade card is no occasion to speak of the cards and lists of others."""
    lists = RICH.removeprefix("for kitchen\n")
    both = tmp_path / "lists.rules"
    both.write_text(RICH, "utf-8")
    assert {
        item.span.line
        for item in found(tmp_path, STEW.replace("main\n", "main\n  cost: 1\n") + lists)
    } == {10, 12}


def test_grave_advice_refuses_the_game_and_lighter_is_on_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rich.rules"
    path.write_text(RICH, "utf-8")
    with pytest.raises(RulesError) as caught:
        load(KITCHEN, with_=[path])
    assert told(caught.value.found) == [(ERROR, 3, "There are 7 dishes, and 9 are needed.")]
    assert main(["simulate", KITCHEN, "--with", str(path), "--games", "1"]) == 1
    assert "9 are needed" in capsys.readouterr().err
    path.write_text(RICH.replace("4 Roast", "6 Roast"), "utf-8")
    game = load(KITCHEN, with_=[path])
    assert [item.code for item in game.advice] == [WARNING, NOTE, WARNING]
    assert main(["play", KITCHEN, "--with", str(path), "--seats", "random,random"]) == 0
    told_there = capsys.readouterr().err
    assert "1 of 9 dishes are starters" in told_there and "A003" not in told_there


def test_notes_alone_leave_the_exit_status_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.rules"
    path.write_text('for kitchen\n\ndeck mine "Mine" of dish\n  | 9 Soup\n', "utf-8")
    assert main(["check", str(path), "--rules", KITCHEN]) == 0
    path.write_text(
        'for kitchen\n\ndeck mine "Mine" of dish\n  | 9 Soup\n  | 1 Crumble\n  | 1 Parsley\n'
        "  | 1 Custard\n",
        "utf-8",
    )
    assert main(["check", str(path), "--rules", KITCHEN, "--json"]) == 0
    capsys.readouterr()
    salad = (
        'card "Salad" of dish\n  course: starter\n  text\n    | Add 1 if a fruit is on the table.\n'
    )
    path.write_text(f'for kitchen\n\n{salad}\ndeck mine "Mine" of dish\n  | 9 Salad\n', "utf-8")
    assert main(["check", str(path), "--rules", KITCHEN, "--json"]) == 0
    assert [item["severity"] for item in json.loads(capsys.readouterr().out)["diagnostics"]] == [
        "note"
    ]


BAD = """game bad "Bad"
  players: 1
component dish
  cost: number
  pieces title, cost
    | a 0
invariant "one"  for each d in dishes: d's cost > 0
  warnin "no"
  fix "{d's cots} and {d"
invariant "two"  count of dishes > 2
  warning "{count of dishes} and {1 / count of {d in dishes where d's cost > 5} rounded down}"
  error "again"
"""


def test_mistakes_in_advice_are_told_in_their_place(tmp_path: Path) -> None:
    """The values in a text are read as values are everywhere, and a mistake is shown where it
    stands in the text.
    """
    path = tmp_path / "bad.rules"
    path.write_text(BAD, "utf-8")
    items = check([str(path)]).found
    codes = {key: CODES[key].code for key in ("unexpected-word", "unknown-field", "bad-pattern")}
    assert [(item.code, item.span.line, item.span.column) for item in items] == [
        (codes["unexpected-word"], 8, 3),
        (codes["bad-pattern"], 9, 7),
        (codes["unknown-field"], 9, 13),
        (codes["unexpected-word"], 12, 3),
    ]
    assert items[0].fixes == ("Did you mean `warning`?",)


def test_advice_that_cannot_be_worked_out_is_told_as_that(tmp_path: Path) -> None:
    text = (
        'game bad "Bad"\n  players: 1\ncomponent dish\n  cost: number\n  pieces title\n    | a\n'
        'deck d "D" of dish\n  | 1 a\n'
    )
    path = tmp_path / "bad.rules"
    path.write_text(
        text + 'invariant "share"  10 / sum of {d\'s cost for d in dishes} rounded down > 1\n'
        '  note "no"\n',
        "utf-8",
    )
    assert [(item.code, item.span.line) for item in check([str(path)]).found] == [
        (CODES["fault"].code, 7)
    ]


def test_for_each_without_words_is_a_law_like_others(tmp_path: Path) -> None:
    text = (
        'game law "Law"\n  players: 1 to 2\ncomponent dish\n  cost: number\n  pieces title, cost\n'
        "    | a 3\n    | b 4\n"
    )
    path = tmp_path / "law.rules"
    path.write_text(text + 'invariant "dear"  for each d in dishes: d\'s cost > 3\n', "utf-8")
    with pytest.raises(RulesError) as caught:
        load(str(path), players=2)
    assert [item.code for item in caught.value.found] == [CODES["broken-law"].code]
    assert [item.code for item in check([str(path)]).found] == [CODES["broken-law"].code]


def test_mistakes_in_one_place_hide_no_advice_on_another(tmp_path: Path) -> None:
    """A title taken twice, a card and a row that cannot be read: the rest is judged, and of a list
    it is told that it is but a part of it.
    """
    stew, twin = STEW.removeprefix("for kitchen\n"), 'card "Stew" of dish\n  cost: 1\n'
    part = (
        'card "Broth" of dish\n  course: main\n  cots: 1\n\ncard "Dumpling" of dish\n'
        "  course main\n  course: main\n"
    )
    rows = 'deck rich "Rich" of dish, 3 players\n  | 4 Roast\n  | 1 Rosat\n  | 2 Soup\n  | 2 Soup\n'
    empty = 'deck nothing "Nothing" of dish\n  | 1 Nobody\n'
    items = found(tmp_path, "\n".join(["for kitchen", stew, twin, part, rows, empty]))
    codes = {
        CODES[key].code
        for key in (
            "title-taken",
            "unknown-field",
            "unexpected-word",
            "unknown-title",
            "listed-twice",
        )
    }
    assert {item.code for item in items} == codes | {ERROR, WARNING}
    assert told(items)[-3:] == [
        (
            ERROR,
            3,
            "Stew is a main and costs nothing.",
        ),  # and nothing of Dumpling, whose other line may have been its cost
        (ERROR, 20, "There are 6 dishes, and 9 are needed."),
        (WARNING, 20, "2 of 6 dishes are starters; 6 are wanted."),
    ]
    partial = "rows of the list that could not be read are not counted"
    assert [partial in item.notes for item in items[-3:]] == [False, True, True]


CALLED = """game market "Market"
  players: 2
kind call: baker "Baker" / "Bakers", smith "Smith" / "Smiths"
component stall
  price: number
place row: stall, full
define called(x: stall, k: call) gives truth
  open "callings"
  otherwise x's title = k's title
define all_called(c: call) gives set of stall reads "{c}" = {x in stalls where called(x, c)}
define apart(t: set of stall, u: set of stall) reads "{t} except {u}" = t - u
phrase spot gives truth
define there(t: set of stall) reads spot "there is a {t}" = some x in row where x in t
define nowhere(t: set of stall) reads spot "there is no {t}" = no x in row where x in t
define few(n: number, t: set of stall) reads spot "there are at most {n} {t by n}" =
    count of {x in row where x in t} <= n
define otherwise_so(w: spot) reads spot "it is not so that {w}" = not w
phrase mark gives call
define by_such(c: call) reads mark "a {c}" = c
define by_fire gives call reads mark "the forge" = smith
define near(m: mark) reads spot "close to {m}" = some x in row where called(x, m)
score worth(x: stall)
  start x's price "price"
  open "cards"
pattern "Add {n} if {w}."
  n: number
  w: spot
  as played
    score worth at "cards"
      + n "add"  when w
pattern "Add {n} unless {w}."
  n: number
  w: spot
  as played
    score worth at "cards"
      + n "add"  when not w
pattern "Is a {c}."
  c: call
  as played
    define called at "callings"
      true  when k = c
invariant "nothing is missing"  for each x in stalls: x's missing is empty
  note "{x} speaks of {x's missing}"
card "Pump" of stall
card "Inn" of stall
  text
    | TEXT
"""


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Add 1 if there is a Baker.", "Baker"),
        ("Add 1 if there is a Baker. Is a Baker.", ""),  # the card itself is called so
        ("Add 1 if close to a Smith.", "Smith"),
        ("Add 1 if close to the forge.", "Smith"),  # by another name
        ("Add 1 if there is no Baker.", ""),
        ("Add 1 unless there is a Baker.", ""),
        ("Add 1 unless there is no Baker.", "Baker"),
        ("Add 1 if it is not so that there is a Baker.", ""),
        ("Add 1 if there are at most 2 Bakers.", ""),
        ("Add 1 if there is a Pump except Bakers.", ""),
        ("Add 1 if there is no Pump except Bakers.", "Baker"),  # with a Baker it would count
    ],
)
def test_what_is_asked_for_must_be_there_and_what_is_excluded_need_not(
    tmp_path: Path, text: str, missing: str
) -> None:
    path = tmp_path / "market.rules"
    path.write_text(CALLED.replace("TEXT", text), "utf-8")
    told_of = [item.message for item in check([str(path)]).found if item.code == NOTE]
    assert told_of == ([f"Inn speaks of {missing}."] if missing else [])


ALONE = """game post "Post"
  players: 1 to 3
flow
  finish round
component letter
  pieces title
    | a
    | b
invariant "in company"  count of players >= 2
invariant "letters for all"  count of letters >= 2 * count of players
  warning "{count of letters} letters"
deck small "Small" of letter, 2 players
  | 5 a
deck large "Large" of letter, 3 players
  | 6 b
variant alone "Alone"
  replace invariant "in company"  count of players = 1
  replace invariant "letters for all"  count of letters < 3
    warning "{count of letters} letters are many"
"""


def test_a_list_is_held_against_the_numbers_of_players_the_laws_allow(tmp_path: Path) -> None:
    """A variant for one player says nothing of lists for more.

    A list for one, or for whoever plays, is held against it.
    """
    game = tmp_path / "post.rules"
    game.write_text(ALONE, "utf-8")
    assert check([str(game)]).found == []
    game.write_text(ALONE.replace(", 3 players", ""), "utf-8")
    assert told(check([str(game)]).found) == [(WARNING, 14, "6 letters are many.")]
    game.write_text(ALONE, "utf-8")
    mine = tmp_path / "mine.rules"
    mine.write_text(
        'for post\n\ndeck own "Own" of letter, 1 player\n  | 3 a\n\n'
        'deck two "Two" of letter, 2 players\n  | 4 a\n',
        "utf-8",
    )
    assert told(check([str(mine)], str(game)).found) == [(WARNING, 3, "3 letters are many.")]
