"""Texts as strangers might send them, made to cost much: with each, the keys of what is told.

A check of any of them is bounded work, however it is written: `tests/diagnostics/test_codes.py`
counts it, and `python tests/benchmarks/hostile.py` measures its time and memory.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.diagnostics.source import MAX_MISTAKES

TOWN = 'game town "Town"\n'
CARDS = """component house
  rent: number
score value(h: house)
  open "bonuses"
phrase time gives truth
define late(h: house) reads time "late" = h's rent > 5
define early(h: house) reads time "early" = h's rent < 3
define not_so(h: house, t: time) reads time "not {t}" = not t(h: h)
define both(h: house, t: time, u: time) reads time "{t} and {u}" = t(h: h), u(h: h)
define one_of_two(h: house, t: time, u: time) reads time "{t} or {u}" = t(h: h) or u(h: h)
pattern "Add {n} if {t}."
  n: number
  t: time
  as played
    score value at "bonuses"
      + n "if {t}" when t
"""
HOUSES = (
    "component house\n  pieces title\n"
    + "".join(f"    | t{i}\n" for i in range(20))
    + 'deck large "Large" of house\n'
)
GRID = "board map\n  grid: square, {}\n  cells: cell\n"


def card(sentence: str) -> str:
    return f'card "Mill" of house\n  rent: 6\n  text\n    | {sentence}\n'


def cards(number: int) -> list[str]:
    """So many cards of which none can be read."""
    return [card("Add zwei.").replace("Mill", f"Mill {i}") for i in range(number)]


HOSTILE: dict[str, tuple[Callable[[], str], set[str]]] = {
    "brackets": (lambda: TOWN + "define x = " + "(" * 900 + "1" + ")" * 900, {"too-deep"}),
    "10,000 brackets on a line": (
        lambda: TOWN + "define x = " + "(" * 10_000 + "1" + ")" * 10_000,
        {"line-too-long"},
    ),
    "10,000 brackets, each on its own line": (
        lambda: TOWN + "define x = " + "(\n " * 10_000 + "1" + " )\n" * 10_000,
        {"line-ends-early", "too-deep"},
    ),
    "10,000 brackets at the margin": (
        lambda: TOWN + "define x = (\n" + "(\n" * 10_000,
        {"line-ends-early", "unknown-declaration", "too-many"},
    ),
    "minus": (lambda: TOWN + "define x = " + "-" * 1900 + "1", {"too-deep"}),
    "not": (lambda: TOWN + "define x = " + "not " * 490 + "true", {"too-deep"}),
    "a sum over lines": (lambda: TOWN + "define x = (1" + "\n + 1" * 5_000 + ")", {"too-deep"}),
    "or": (lambda: TOWN + "define x = (true" + "\n or true" * 5_000 + ")", {"too-deep"}),
    "steps of indentation": (
        lambda: (
            TOWN
            + "flow\n"
            + "".join(" " * i + "repeat\n" for i in range(1, 150))
            + " " * 150
            + "do nothing"
        ),
        {"too-deep"},
    ),
    "otherwise if": (
        lambda: (
            TOWN
            + "flow\n  if true\n    do nothing\n"
            + "  otherwise if true\n    do nothing\n" * 3_000
        ),
        {"too-deep"},
    ),
    "a chain of definitions": (
        lambda: (
            TOWN + "".join(f"define x{i} = x{i + 1}\n" for i in range(3_000)) + "define x3000 = 1"
        ),
        {"too-deep"},
    ),
    "a chain the other way": (
        lambda: (
            TOWN + "define x0 = 1\n" + "".join(f"define x{i + 1} = x{i}\n" for i in range(3_000))
        ),
        {"too-deep"},
    ),
    "megabytes": (lambda: "define x = 1\n" * 300_000, {"file-too-large"}),
    "null bytes": (lambda: TOWN + "\0" * 100, {"odd-character"}),
    "a right-to-left override": (lambda: TOWN + 'define x = "\u202e"', {"odd-character"}),
    "other digits": (lambda: TOWN + "define x = ²\ndefine y = ٣\ndefine z = １", {"odd-sign"}),
    "other digits in quotes": (lambda: 'game town "Town"\n  players: "²" to 3', {"bad-setting"}),
    "other letters": (
        lambda: TOWN + "define größe = 1\ndefine שלום = 1",
        {"odd-sign", "unexpected-word"},
    ),
    "half a letter": (lambda: TOWN + "# \ud800", {"not-utf8"}),
    "a truncated pattern": (
        lambda: TOWN + CARDS[: CARDS.index("    score value at")],
        {"block-missing"},
    ),
    "a truncated head": (lambda: TOWN + "event earn(p: player", {"line-ends-early"}),
    "a truncated text": (lambda: TOWN + 'card "Mi', {"open-quote"}),
    "a truncated board": (lambda: TOWN + 'scenario "x"\n  board', {"line-ends-early"}),
    "only rows": (lambda: "| X X X\n" * 1_000, {"unexpected-word", "unknown-declaration"}),
    "5,000 times the same": (lambda: TOWN + "define x = 3\n" * 5_000, {"name-taken"}),
    "5,000 times the same state": (lambda: TOWN + "state x: number = 3\n" * 5_000, {"name-taken"}),
    "2,000 times the same card": (
        lambda: TOWN + CARDS + card("Add 2 if late.") * 2_000,
        {"title-taken"},
    ),
    "5,000 broken lines": (lambda: TOWN + "define = 3\n" * 5_000, {"unexpected-word", "too-many"}),
    "3,000 words": (
        lambda: TOWN + CARDS + card("Add 2 if " + "not " * 480 + "late."),
        {"sentence-too-long"},
    ),
    "3,000 words over rows": (
        lambda: TOWN + CARDS + card("\n    | ".join(["late and " * 100] * 30)),
        {"sentence-too-long"},
    ),
    "more readings than can be counted": (
        lambda: TOWN + CARDS + card("Add 2 if " + "late and early or " * 13 + "late."),
        {"ambiguous"},
    ),
    "a wording of itself": (
        lambda: (
            TOWN
            + CARDS.replace(
                "pattern", 'define so(h: house, t: time) reads time "{t}" = t(h: h)\npattern'
            )
            + card("Add 2 if late.")
        ),
        set(),
    ),
    "wordings side by side": (
        lambda: (
            TOWN
            + CARDS.replace(
                "pattern",
                'define two(h: house, t: time, u: time) reads time "{t} {u}" = t(h: h)\npattern',
            )
            + card("Add 2 if" + " late early" * 20 + ".")
        ),
        {"ambiguous"},
    ),
    "signs of regular expressions": (
        lambda: TOWN + CARDS.replace("Add", r"(a+)+$ [^x] .*\d (?P<x>) /// ((( |"),
        set(),
    ),
    "a number of 1,900 digits": (
        lambda: TOWN + "state x: number = " + "9" * 1_900,
        {"number-too-large"},
    ),
    "copies": (
        lambda: TOWN + 'component house\n  pieces title, copies\n    | "a" 99999999999999999999',
        {"bad-value"},
    ),
    "copies of a card": (
        lambda: (
            TOWN
            + 'component house\ncard "a" of house\n  copies: 99999\ncard "b" of house\n  copies: -1'
        ),
        {"bad-value"},
    ),
    "more pieces than a table holds": (
        lambda: TOWN + "component house\n  pieces title, copies\n" + '    | "b" 1000\n' * 5_000,
        {"too-many"},
    ),
    "more rows than a table holds": (
        lambda: TOWN + "component house\n  n: number\n  pieces n\n" + "    | 1..999\n" * 5_000,
        {"too-many"},
    ),
    "a range without end": (
        lambda: TOWN + "component house\n  n: number\n  pieces n\n    | 1..99999999999\n    | 9..1",
        {"bad-value"},
    ),
    "a giant board": (lambda: TOWN + GRID.format("100000 by 100000"), {"too-many"}),
    "a giant option": (
        lambda: TOWN + "option size: 5, 99999999999\n" + GRID.format("size by size"),
        {"too-many"},
    ),
    "a board of giant tiles": (
        lambda: (
            TOWN
            + f"component tile\n  form: shape\n  pieces form\n    | {'X' * 158}\n"
            + GRID.format("grown from tile")
        ),
        {"too-many"},
    ),
    "a board of very many tiles": (
        lambda: (
            TOWN
            + "component tile\n  form: shape\n  pieces form, copies\n    | XXXX 1000\n"
            + GRID.format("grown from tile")
        ),
        set(),
    ),
    "copies in a deck list": (
        lambda: TOWN + HOUSES + "  | 99999999999 t1\n  | ٣ t2\n  | -1 t3\n",
        {"bad-value"},
    ),
    "a deck list larger than a table": (
        lambda: TOWN + HOUSES + "".join(f"  | 1000 t{i}\n" for i in range(20)),
        {"too-many"},
    ),
    "5,000 deck lists": (
        lambda: TOWN + "component house\n" + 'deck d "D" of house\n' * 5_000,
        {"name-taken", "empty-deck"},
    ),
    "players": (
        lambda: 'game town "Town"\n  players: 99999999999999999999 to 9\n  moves: many',
        {"bad-setting"},
    ),
    "kinds": (
        lambda: (
            TOWN
            + "".join(
                f"kind k{j}: " + ", ".join(f"m{j}x{i}" for i in range(150)) + "\n"
                for j in range(100)
            )
        ),
        set(),
    ),
    "a kind of more members than can be read": (
        lambda: (
            TOWN
            + "kind k: "
            + ",\n  ".join(f"m{i}" for i in range(3_000))
            + "\ndefine last(x: k) = x is m2999"
        ),
        {"too-many"},
    ),
    "more cards than a table holds": (  # their texts are not read any more
        lambda: TOWN + CARDS + "".join(cards(20)).replace("  rent", "  copies: 1000\n  rent"),
        {"too-many"},
    ),
    "more cards with mistakes than anybody reads": (
        lambda: TOWN + CARDS + "".join(cards(MAX_MISTAKES + 50)),
        {"unknown-word", "too-many"},
    ),
    "40 optional words": (
        lambda: TOWN + CARDS.replace("Add", "Add " + " ".join(f"(w{i}x)" for i in range(40))),
        {"too-many"},
    ),
    "7 optional words": (
        lambda: TOWN + CARDS.replace("Add", "Add (a) (b) (c) (d) (e) (f) (g)"),
        {"too-many"},
    ),
    "nothing": (lambda: "", set()),
    "blanks": (lambda: " \n\t\n  \n", set()),
}
