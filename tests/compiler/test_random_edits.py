"""Edits at random: whatever was edited before, a check finds what one from nothing does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.authoring.check import Unit, judge
from rulelang.analysis import card_lints
from rulelang.compiler.driver import CompileCache
from rulelang.diagnostics import CODES
from rulelang.ruleset import Design
from tests.analysis.test_card_lints import ORCHARD
from tests.tools.random_edits import AIMED, Edited

# A title that rules ask for, in a definition that another calls.
MORE = """define shady(at: bed) reads spot "in the shade" =
    some b in yard's plants where b in "Oak" and some c in b's beds where c adjacent at
define sunny(at: bed, k: set of plant) reads spot "in the sun of a/an {k}" =
    not shady(at) and beside(at, k)
"""
PLANTS = (
    ("Ivy", "flower", "Only beside a Pond.", "Only in the sun of an Elm."),
    ("Elm", "tree", "Only in the shade.", "Never in the shade."),
    ("Moss", "flower", "Seed of 0.", "Only beside an Oak that is a pond."),
    ("Lily", "pond", "Add 1 if with at least 3 Lilies.", "Only with at most 2 Lilies."),
    ("Fern", "flower", "Only beside a pond. Add 1 if in the shade.", "Bud of 0."),
)
# What others rest on, and what may stand in its place: something else is found then.
ASKED_FOR = (
    ('card "Oak" of plant\n  sort: tree', 'card "Oak" of plant\n  sort: pond'),  # by texts
    ('card "Oak"', 'card "Ash"'),  # by a definition, which others call
    ('pattern "Never {w}."', 'pattern "Never {w}.", "Only {w}."'),  # as what others may be read by
    ('"never {w}"  not w', '"never {w}"  w'),
    ("in yard's plants where y in k} <= n", "in yard's plants where y in k} > n"),
    ('gives number\n  open "buds"\n  otherwise 1', 'gives number\n  open "buds"\n  otherwise 0'),
    ("| Only beside an Oak that is a pond.", "| Only beside an Oak."),
)


def write(path: Path) -> None:
    """Write the rules that are edited."""
    rows = "".join(
        f'card "{title}" of plant\n  sort: {sort}\n  text\n    | {one}\n    | {two}\n'
        for title, sort, one, two in PLANTS
    )
    path.write_text(ORCHARD + MORE + rows, "utf-8")


def test_a_check_after_random_edits_finds_what_one_from_nothing_does(tmp_path: Path) -> None:
    """Every answer is that of a check that has nothing kept, and some edits change what is found.

    `python tests/tools/random_edits.py` makes more of them, in larger games.
    """
    write(tmp_path / "orchard.rules")
    rng = random.Random(4)
    edited = Edited(tmp_path / "orchard.rules", tmp_path / "rules", rng, AIMED)
    found = [edited.step() for _ in range(5)]
    assert len({tuple(map(str, told)) for told in found}) > 2


def test_an_edit_of_what_others_rest_on_and_its_undoing_are_noticed(tmp_path: Path) -> None:
    path, kept = tmp_path / "orchard.rules", CompileCache()
    write(path)
    begun = path.read_text("utf-8")
    first = judge(Unit(str(path)), kept)[1]
    for before, after in ASKED_FOR:
        assert before in begun
        path.write_text(begun.replace(before, after), "utf-8")
        found = judge(Unit(str(path)), kept)[1]
        assert found == judge(Unit(str(path)), CompileCache())[1], after
        assert [str(one) for one in found] != [str(one) for one in first], after
        path.write_text(begun, "utf-8")
        assert judge(Unit(str(path)), kept)[1] == first, after


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the cards that are judged, in order."""
    titles, once = list[str](), card_lints._Lints.card

    def counted(lints: card_lints._Lints, design: Design) -> None:
        titles.append(design.title)
        once(lints, design)

    monkeypatch.setattr(card_lints._Lints, "card", counted)
    return titles


def test_another_rule_judges_only_the_cards_that_rest_on_it(
    tmp_path: Path, judged: list[str]
) -> None:
    """Without a bud there is none to begin with: that is said of the one card that has one, and
    the others are not looked at again, wherever their lines stand now.
    """
    card = 'card "Moss" of plant\n  sort: flower\n  text\n    | Bud of 0.\n'
    path, kept = tmp_path / "orchard.rules", CompileCache()
    codes = []
    for amount in ("1", "0  # none\n"):
        path.write_text(ORCHARD.replace("otherwise 1", f"otherwise {amount}") + card, "utf-8")
        judged.clear()
        found = judge(Unit(str(path)), kept)[1]
        codes.append([item.code for item in found if item.code == CODES["does-nothing"].code])
    assert codes == [[], [CODES["does-nothing"].code]]
    assert judged == ["Moss"]


def test_a_card_is_judged_again_where_what_it_looks_at_of_others_is_otherwise(
    tmp_path: Path, judged: list[str]
) -> None:
    """No Oak is a pond, so a text that asks for one never applies: until an Oak is one, or another
    card is called so. Other cards that come make no difference, and nobody is judged for them.
    """
    text = "Add 1 if beside an Oak that is a pond."
    fern = f'card "Fern" of plant\n  sort: flower\n  text\n    | {text}\n'
    path, kept = tmp_path / "orchard.rules", CompileCache()

    def plant(title: str, sort: str) -> str:
        return f'card "{title}" of plant\n  sort: {sort}\n'

    oak = plant("Oak", "tree")
    seen = []
    for cards in (
        oak + plant("Elm", "tree"),
        oak + plant("Ash", "tree"),
        oak + plant("Pool", "pond"),
        plant("Oak", "pond") + plant("Pool", "pond"),
        oak + plant("Oak [2]", "pond"),
        oak + plant("Elm", "tree"),
    ):
        path.write_text(ORCHARD.replace(oak, "") + cards + fern, "utf-8")
        judged.clear()
        found = judge(Unit(str(path)), kept)[1]
        again = "Fern" in judged
        assert found == judge(Unit(str(path)), CompileCache())[1]
        seen.append((again, [i.code for i in found if i.code == CODES["never-applies"].code]))
    never = [CODES["never-applies"].code]
    assert [codes for _, codes in seen] == [never, never, never, [], [], never]
    assert [again for again, _ in seen] == [True, False, False, True, True, True]


# What texts say of their own card, or of all, and what asks it of other cards or of any.
HARDY = """define hardy(x: plant) gives truth
  open "hardy"
  otherwise false
define hardies(k: set of plant) reads "hardy {k}" = {y in k where hardy(y)}
pattern "It is hardy."
  as played
    define hardy at "hardy"
      true
pattern "It is hardy with {n}."
  n: number
  as played
    define hardy at "hardy"
      true  when x's worth = n
pattern "Plants are hardy."
  while card in yard's plants
    define hardy at "hardy"
      true
pattern "Gain {n} when a hardy plant is planted."
  n: number
  when grow(p, x, at) if hardy(x), card in yard's plants
    do gain(p, n)
"""
# What two cards say, one edit after the other: is the one that asks judged again, does it apply?
OF_HARDY = (
    ({"Elm": "Seed of 1.", "Ash": "Seed of 2."}, True, False),
    ({"Elm": "It is hardy.", "Ash": "Seed of 2."}, True, True),
    ({"Elm": "It is hardy.", "Ash": "It is hardy."}, False, True),
    ({"Elm": "Seed of 1.", "Ash": "It is hardy."}, False, True),
    ({"Elm": "Seed of 1.", "Yew": "It is hardy."}, False, True),
    ({"Elm": "Seed of 1.", "Yew": "Seed of 2."}, True, False),
    ({"Elm": "Seed of 1.", "Yew": "Plants are hardy."}, True, True),
    ({"Elm": "Seed of 1.", "Yew": "It is hardy with 3."}, True, True),
    ({"Elm": "Seed of 2.", "Yew": "Seed of 1."}, True, False),
)


@pytest.mark.parametrize(
    "text", ["Add 1 if beside a hardy tree.", "Gain 1 when a hardy plant is planted."]
)
def test_a_card_is_judged_again_where_texts_add_something_else_to_what_it_asks(
    tmp_path: Path, judged: list[str], text: str
) -> None:
    """Which cards say it makes no difference, nor how many."""
    asking = f'card "Fern" of plant\n  sort: flower\n  text\n    | {text}\n'
    path, kept = tmp_path / "orchard.rules", CompileCache()
    seen = []
    for cards, _, _ in OF_HARDY:
        told = "".join(
            f'card "{title}" of plant\n  sort: tree\n  worth: 3\n  text\n    | {said}\n'
            for title, said in cards.items()
        )
        path.write_text(ORCHARD + HARDY + told + asking, "utf-8")
        judged.clear()
        found = judge(Unit(str(path)), kept)[1]
        again = "Fern" in judged
        assert found == judge(Unit(str(path)), CompileCache())[1]
        seen.append((cards, again, CODES["never-applies"].code not in {i.code for i in found}))
    assert seen == list(OF_HARDY)


KITCHEN = Path("tests/good/kitchen/kitchen.rules")
CARDS = Path("tests/good/cards/cards.rules")
WRITER = 'card "Writer" of card\n  suit: sun\n  text\n    | Write 7.\n\n'
# A text that brings a choice into a procedure, and a scenario that gives it.
PICKING = """
pattern "Pick a card."
  as played
    procedure after_play at "deeds"
      choose picked in table by p "which"

card "Picker" of card
  suit: sun
  text
    | Write 7.
    | Pick a card.

scenario "a card is picked"
  start
  play p1: use(x: "Picker", picked: "Picker")
  expect digits = 179
"""
# Of each file an edit of a card, a list or a scenario, after which what rests on it is another.
OF_CARDS = (
    (CARDS, 'card "Herald"', WRITER + 'card "Herald"'),
    (CARDS, "| Nobody plays a moon. Weighs 8.", "| Nobody plays a moon. Write 8."),
    (CARDS, "| Nobody plays a moon. Weighs 8.", "| Whoever plays a card writes 8. Weighs 8."),
    (CARDS, "    | Pick a card.\n", ""),
    (CARDS, 'card "Cellar"', 'card "Sun"'),
    (CARDS, 'card "Herald" of card\n  suit: sun', 'card "Herald" of card\n  suit: moon'),
    (KITCHEN, "  | 3 Roast\n", "  | 3 Roast Roast\n"),
    (KITCHEN, 'card "Custard"', 'card "Garden plant"'),
    (KITCHEN, 'card "Soup"', 'card "Stew"'),
    (KITCHEN, "  with deck = sweet\n", "  with deck = plain\n"),
)


@pytest.mark.parametrize("file", [CARDS, KITCHEN], ids=["cards", "kitchen"])
def test_the_rules_after_an_edit_are_those_compiled_from_nothing(
    tmp_path: Path, file: Path
) -> None:
    """Designs, texts, lists, scenarios and what cards weave into procedures, edit upon edit and
    each undone.
    """
    edited = Edited(file, tmp_path / "rules", random.Random(1), ())
    path = tmp_path / "rules" / file.name
    begun = path.read_text("utf-8") + (PICKING if file == CARDS else "")
    for of, before, after in OF_CARDS:
        if of != file:
            continue
        assert before in begun
        for text in (begun.replace(before, after), begun):
            path.write_text(text, "utf-8")
            edited.hold()
