"""Rules of events that would show a player what he may not know, by what he is offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.check import Unit, judge
from rulelang import core
from rulelang.compiler.driver import CompileCache
from rulelang.elaborate import hidden_information
from rulelang.elaborate.hidden_information import Called, HiddenRead, Reader
from tests.tools.compiling import findings

GAME = """
game fishing "Fishing"
  players: 3

kind way: shown, unseen

component card
  worth: number
  pieces worth
    | 1..9

place deck: card, ordered, hidden, full
place hand of player: card, private
place table_of of player: card
state secret of player: number = 0, private
state won of player: number = 0

define sum_of(p: player) = sum of (x's worth for x in p's hand)
define both(p: player, q: player) = sum_of(p) + sum_of(q)
define seen(p: player, w: way) gives number
  sum_of(p)  when w = unseen
  otherwise count of p's hand
define alike(p: player, q: player) = sum_of(p) = sum_of(q)

event ask(p: player, q: player)
  add 1 to p's won

event lay(p: player, x: card)
  move x to p's table_of
"""

RULE = """
rules of ask(p, q)
  "another"  q != p
  "rule"     {rule}

flow
  each p in turn
    draw 2 from deck to p's hand
  each p in turn
    choose q in players by p
    do ask(p, q)
"""


def told(text: str) -> list[str]:
    """The places and variables that would be shown, by code."""
    found, _ = findings({"fishing.rules": (GAME + text).encode()})
    errors = [item for item in found if item.severity == "error"]
    return [f"{item.code} {item.message.split('`')[-2]}" for item in errors]


@pytest.mark.parametrize(
    ("rule", "hidden"),
    [
        ("no x in q's hand where x's worth > 4", "hand"),
        ("sum_of(q) > 4", "hand"),
        ("both(p, q) > 4", "hand"),
        ("q's secret > 4", "secret"),
        ("seen(q, unseen) > 4", "hand"),
        ("count of groups({q}, alike) = 1", "hand"),
        ("(first of deck)'s worth > 4", "deck"),
        ("can ask_more(q)", "secret"),
        ("sum_of(p) > 4, p's secret = 0", ""),
        ("count of q's hand > 1", ""),
        ("seen(q, shown) > 1", ""),
        ("q's won < 4", ""),
    ],
)
def test_a_rule_reads_only_what_the_one_who_decides_may_know(rule: str, hidden: str) -> None:
    """Through definitions, relations and other events, with the constants they are called with."""
    more = """
event ask_more(q: player)
  do nothing
rules of ask_more(q)
  "no secret"  q's secret = 0
"""
    assert told(more + RULE.format(rule=rule)) == ([f"T029 {hidden}"] if hidden else [])


def flow(*lines: str) -> str:
    """A flow in which each player's turn is these lines."""
    return "flow\n  each p in turn\n" + "\n".join(f"    {line}" for line in lines) + "\n"


RULES = """
rules of lay(p, x)
  "in the hand"  x in p's hand
  "low"          x's worth < 5
"""


@pytest.mark.parametrize(
    ("lines", "hidden"),
    [
        # his own card, chosen by himself
        (("choose x in p's hand by p", "do lay(p, x)"), []),
        # another card may not be chosen, whatever he does; nobody decided before
        (("let x = first of p's left's hand", "do lay(p, x)"), []),
        # what he may do shows what is on top of the deck
        (("let x = first of deck", 'may "Lay?" by p', "  do lay(p, x)"), ["deck"]),
        (("let x = first of deck", "reveal x", 'may "Lay?" by p', "  do lay(p, x)"), []),
        # another player decides whether it happens
        (("choose x in p's hand by p", 'may "Yes?" by p\'s left', "  do lay(p, x)"), ["hand"]),
    ],
)
def test_who_decided_last_and_where_a_value_comes_from_count(
    lines: tuple[str, ...], hidden: list[str]
) -> None:
    assert sorted(set(told(RULES + flow(*lines)))) == [f"T029 {name}" for name in hidden]


def test_to_ask_first_whether_an_event_is_accepted_shows_it_too() -> None:
    """It is not refused, but what is done next tells how its rules judge it."""
    lines = (
        "choose q in players by p",
        "if can lay(q, first of q's hand)",
        "  do lay(q, first of q's hand)",
    )
    assert set(told(RULES + flow(*lines))) == {"T034 hand"}


def test_a_guard_that_asks_for_an_event_reads_its_rules() -> None:
    text = RULES + (
        "action steal(p: player) when can lay(p's left, first of p's left's hand)\n"
        "  add 1 to p's won\n"
        "flow\n  each p in turn\n    take one of steal by p\n"
    )
    assert set(told(text)) == {"T023 hand"}


def test_a_decision_of_the_round_before_is_another_players() -> None:
    """In a loop the next player's event is refused to the player before him."""
    text = """
rules of ask(p, q)
  "rich"  p's secret > 0
flow
  each p in turn
    do ask(p, p)
    choose n in {1 to 2} by p
    add n to p's won
"""
    assert told(text) == ["T029 secret"]


HIT = """
event hit(p: player, q: player)
  add 1 to p's won

state public_sum of player: number = 0
state unseen_mark of player: number = 0, hidden
"""


@pytest.mark.parametrize(
    ("lines", "hidden"),
    [
        # what follows a choice shows what the other holds
        (
            (
                "choose q in players by p",
                "if no x in q's hand where x's worth > 4",
                "  do hit(p, q)",
            ),
            ["hand"],
        ),
        (("choose q in players by p", "if sum_of(q) > 4", "  do hit(p, q)"), ["hand"]),
        (
            ("choose q in players by p", "add 1 to p's won", "if q's secret > 4", "  do hit(p, q)"),
            ["secret"],
        ),
        (
            ("choose q in players by p", "let n = sum_of(q)", "if n > 4", "  do hit(p, q)"),
            ["hand"],
        ),
        (
            (
                "choose q in players by p",
                "for each x in q's hand",
                "  if x's worth > 4",
                "    do hit(p, q)",
            ),
            ["hand"],
        ),
        (
            (
                "choose q in players by p",
                "for each x in {y in q's hand where y's worth > 4}",
                "  do hit(p, q)",
            ),
            ["hand"],
        ),
        (('may "Peek?" by p', "  if (top of deck)'s worth > 4", "    do hit(p, p)"), ["deck"]),
        (("choose n in {1 to 3} by p", "repeat n times", "  do hit(p, p)"), []),
        (
            ("choose q in players by p", "repeat q's secret times", "  do hit(p, q)"),
            ["secret"],
        ),
        (
            (
                "choose q in players by p",
                "repeat while q's secret > p's won",
                "  do hit(p, q)",
            ),
            ["secret"],
        ),
        # nobody has chosen anything, and it still shows to him whose turn it is
        (("if p's left's secret > 4", "  do hit(p, p)"), ["secret"]),
        # who is asked shows who has it
        (
            (
                "let r = first of {q in players where q's secret > 4}",
                "choose n in {1 to 3} by r",
                "do hit(p, r)",
            ),
            ["secret"],
        ),
        # what comes of what he may not know is offered to him
        (
            ("let high = {x in p's left's hand where x's worth > 4}", "choose x in high by p"),
            ["hand"],
        ),
        (
            (
                "let n = p's left's secret",
                "choose exactly (n) xs in p's hand by p",
            ),
            ["secret"],
        ),
        # his own cards he knows, also before he chooses; what others see then is his own doing
        (("choose q in players by p", "if sum_of(p) > 4", "  do hit(p, q)"), []),
        (
            (
                "if some x in p's hand where x's worth > 4",
                "  choose any xs in p's hand where xs's worth > 4 by p",
                "  reveal xs",
            ),
            [],
        ),
        # how many cards there are is public
        (("choose q in players by p", "if count of q's hand > 1", "  do hit(p, q)"), []),
        # it was shown before, to all or to him
        (
            (
                "choose q in players by p",
                "reveal q's hand",
                "if sum_of(q) > 4",
                "  do hit(p, q)",
            ),
            [],
        ),
        (
            (
                "choose q in players by p",
                "reveal q's hand to p",
                "if some x in q's hand where x's worth > 4",
                "  do hit(p, q)",
            ),
            [],
        ),
        # another hand was shown, or to another, or what came since was not
        (
            (
                "choose q in players by p",
                "reveal p's hand",
                "if sum_of(q) > 4",
                "  do hit(p, q)",
            ),
            ["hand"],
        ),
        (
            (
                "choose q in players by p",
                "reveal q's hand to q",
                "if sum_of(q) > 4",
                "  do hit(p, q)",
            ),
            ["hand"],
        ),
        (
            (
                "choose q in players by p",
                "reveal q's hand",
                "draw 1 from deck to q's hand",
                "if sum_of(q) > 4",
                "  do hit(p, q)",
            ),
            ["hand"],
        ),
        # a public number is what its statement says it is, and may be asked for then
        (
            (
                "choose q in players by p",
                "set q's public_sum to sum_of(q)",
                "if q's public_sum > 4",
                "  do hit(p, q)",
            ),
            [],
        ),
        # nobody can see what was done
        (
            (
                "choose q in players by p",
                "if sum_of(q) > 4",
                "  set q's unseen_mark to 1",
                "otherwise",
                "  let n = 1",
            ),
            [],
        ),
        # what was marked unseen is hidden itself
        (
            (
                "choose q in players by p",
                "if sum_of(q) > 4",
                "  set q's unseen_mark to 1",
                "if q's unseen_mark = 1",
                "  do hit(p, q)",
            ),
            ["unseen_mark"],
        ),
    ],
)
def test_what_is_done_next_shows_nothing_hidden(lines: tuple[str, ...], hidden: list[str]) -> None:
    """Conditions between what a player chooses and what happens are asked like rules."""
    found = sorted({said.split()[1] for said in told(HIT + flow(*lines))})
    assert found == hidden
    assert {said.split()[0] for said in told(HIT + flow(*lines))} <= {"T034", "T023"}


def test_an_attempt_says_what_happens_and_shows_it() -> None:
    """The same condition as the rule of an event that is attempted is no leak."""
    text = HIT + (
        "rules of hit(p, q)\n  \"low\"  no x in q's hand where x's worth > 4\n"
        + flow(
            "choose q in players by p",
            "attempt hit(p, q) by p",
            "otherwise",
            "  add 1 to q's won",
        )
    )
    assert told(text) == []


def test_an_event_that_has_happened_says_what_it_does() -> None:
    """Its statements are no choice's outcome that could be had otherwise."""
    text = (
        "event call(p: player, q: player)\n"
        "  if some x in q's hand where x's worth > 4\n    add 1 to p's won\n"
        + flow("choose q in players by p", "do call(p, q)")
    )
    assert told(text) == []


def test_a_procedure_is_looked_at_where_it_is_called() -> None:
    """Through calls, and for the player who decided before the call."""
    text = HIT + (
        "procedure compare(q: player, p: player)\n"
        "  if q's secret > 4\n    do hit(p, q)\n"
        + flow("choose q in players by p", "do compare(q, p)")
    )
    assert told(text) == ["T034 secret"]
    assert told(HIT + text.split(HIT)[1].replace("do compare(q, p)", "do compare(p, p)")) == []


def test_an_action_is_looked_at_for_who_takes_it() -> None:
    text = HIT + (
        "action peep(p: player) \"Peep\"\n  if p's left's secret > 4\n    do hit(p, p)\n"
        'action rest(p: player) "Rest"\n  if p\'s secret > 4\n    do hit(p, p)\n'
        "flow\n  each p in turn\n    take one of peep, rest by p\n"
    )
    assert told(text) == ["T034 secret"]


def test_the_player_it_would_be_shown_to_is_named() -> None:
    text = HIT + flow("choose q in players by p", "if q's secret > 4", "  do hit(p, q)")
    found, _ = findings({"fishing.rules": (GAME + text).encode()})
    (item,) = [item for item in found if item.severity == "error"]
    assert item.message == "What is done next would show `p` what is in `secret`."


@pytest.mark.parametrize(
    ("value", "hidden"),
    [("sum_of(p's left)", ["T023 hand"]), ("p's won", []), ("sum_of(p)", [])],
)
def test_what_is_to_be_largest_is_known_to_who_chooses(value: str, hidden: list[str]) -> None:
    """Only what leads to the largest value is offered, so the offer tells of it."""
    text = HIT + flow(
        f"maximize {value}",
        "  choose x in p's hand by p",
        "  move x to p's left's hand",
    )
    assert told(text) == hidden


TEXTS = """
rules of lay(p, x)
  open "cards"
rules of ask(p, q)
  open "cards"
pattern "Only the poor ask."
  while count of players > 0
    rules of ask at "cards"
      "poor"  q's won < 4
pattern "Only the trusted ask."
  while count of players > 0
    rules of ask at "cards"
      "trusted"  q's secret = 0
pattern "Only the rich lay."
  while count of players > 0
    rules of lay at "cards"
      "rich"  p's won > 0
pattern "Lay only low cards."
  while count of players > 0
    rules of lay at "cards"
      "low"  x's worth < 5
"""


def test_the_texts_of_cards_are_judged_again_after_an_edit(tmp_path: Path) -> None:
    """What a text reads that is hidden is told, and what it lets be known of the top of a deck,
    whatever was found before; that is not so of texts that read what is public of players.
    """
    lines = (
        "let x = first of deck",
        'may "Lay?" by p',
        "  do lay(p, x)",
        "choose q in players by p",
    )
    path, kept = tmp_path / "fishing.rules", CompileCache()
    codes = []
    for said in ("poor ask", "trusted ask", "poor ask", "rich lay", "Lay", "rich lay"):
        text = "Lay only low cards." if said == "Lay" else f"Only the {said}."
        card = f'card "Dew" of card\n  worth: 9\n  text\n    | {text}\n'
        path.write_text(GAME + TEXTS + flow(*lines, "do ask(p, q)") + card, "utf-8")
        found = judge(Unit(str(path)), kept)
        assert found == judge(Unit(str(path)), CompileCache())
        codes.append([item.code for item in found[1] if item.code in ("T029", "T034")])
    assert codes == [[], ["T029"], [], [], ["T029"], []]


ADDING = """
rules of ask(p, q)
  open "cards"
define caught(p: player) gives number
  open "cards"
  otherwise 0
define owed(p: player) gives number
  open "cards"
  otherwise 0
pattern "Worth {n}."
  n: number
  while count of players > 0
    define caught at "cards"
      n
pattern "Worth what is owed."
  while count of players > 0
    define caught at "cards"
      owed(p)
pattern "Secrets are owed."
  while count of players > 0
    define owed at "cards"
      p's secret
pattern "A catch wins {n}."
  n: number
  when lay(p, x)
    add n to p's won
"""


def test_texts_that_tell_nothing_have_no_reads_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a choice reads that is hidden is looked for again where a text that it rests on reads
    something hidden, by itself or through what another text adds; not where any other text came.
    """
    asked, once = list[object](), hidden_information._NameSearch.reads

    def noted(
        search: hidden_information._NameSearch, item: object, by: Reader, called: Called
    ) -> list[HiddenRead]:
        if any(isinstance(n, core.Apply) and n.define == "caught" for n in core.walk(item)):
            asked.append(item)
        return once(search, item, by, called)

    monkeypatch.setattr(hidden_information._NameSearch, "reads", noted)
    path, kept = tmp_path / "fishing.rules", CompileCache()
    choosing = flow("choose q in {r in players where caught(r) > 0} by p", "do ask(p, q)")
    often, codes = [], []
    for said in (
        ("Worth 2.",),
        ("Worth 3.", "A catch wins 1."),
        ("Worth what is owed.", "A catch wins 2."),
        ("Worth what is owed.", "Secrets are owed.", "A catch wins 2."),
        ("Worth what is owed.", "A catch wins 3."),
    ):
        rows = "".join(f"    | {sentence}\n" for sentence in said)
        card = f'card "Dew" of card\n  worth: 9\n  text\n{rows}'
        path.write_text(GAME + ADDING + choosing + card, "utf-8")
        asked.clear()
        found = judge(Unit(str(path)), kept)
        often.append(len(asked))
        codes.append([item.code for item in found[1] if item.code == "T023"])
        assert found == judge(Unit(str(path)), CompileCache())
    assert codes == [[], [], [], ["T023"], []]
    assert [bool(number) for number in often] == [True, False, False, True, True]


def test_what_a_text_adds_to_a_relation_is_read_after_an_edit(tmp_path: Path) -> None:
    """A choice among players who hang together shows what texts add to how they do."""
    relation = """
define bound(p: player, q: player) gives truth
  open "cards"
  otherwise p's won = q's won
pattern "Secrets bind."
  while count of players > 0
    define bound at "cards"
      true  when p's secret = q's secret
pattern "All are bound to {n}."
  n: number
  while count of players > 0
    define bound at "cards"
      true  when p's won > n
"""
    path, kept = tmp_path / "fishing.rules", CompileCache()
    choosing = flow("choose q in {r in players where count of groups({r}, bound) > 0} by p")
    codes = []
    for said in ("All are bound to 3.", "Secrets bind.", "All are bound to 4."):
        card = f'card "Dew" of card\n  worth: 9\n  text\n    | {said}\n'
        path.write_text(GAME + relation + choosing + card, "utf-8")
        found = judge(Unit(str(path)), kept)
        assert found == judge(Unit(str(path)), CompileCache()), said
        codes.append([item.code for item in found[1] if item.code == "T023"])
    assert codes == [[], ["T023"], []]
