"""What a text calls its own card: its title, the end of that, or the word for such things."""

from __future__ import annotations

import pytest

from interpreter.authoring.explain_card import explain
from interpreter.game.loading import Loaded, load_rules
from rulelang.phrases.own_names import (
    as_one,
    as_subject,
    by_name,
    for_this,
    in_short,
    of_each_copy,
    of_one,
    once_built,
    when_built,
    wherever_named,
    with_it_for_kind,
    with_its_end,
    with_placing,
)

NAMES, EPITHETS = ("tree", "pool", "house"), ("little", "nice", "new")


@pytest.mark.parametrize(
    ("title", "text", "said"),
    [
        ("Clinic", "The little clinic costs 3.", "It costs 3."),
        ("ice-cream stand", "2 from this nice, little ice-cream stand.", "2 from it."),
        ("Country house", "A park beside this house.", "A park beside it."),
        ("Country house", "A park beside the house.", "A park beside the house."),  # or another one
        ("Swimming hall", "The hall's neighbors.", "Its neighbors."),
        ("Oak", "This tree is worth 3.", "It is worth 3."),
        ("Oak", "The tree is worth 3.", "The tree is worth 3."),
        ("Oak", "This treehouse is worth 3.", "This treehouse is worth 3."),
        ("Oak", "The rotten oak falls.", "The rotten oak falls."),
        ("Spa", "The \u017fpa costs 3.", "It costs 3."),  # the long s is an s
    ],
)
def test_a_name_for_this_card_is_it(title: str, text: str, said: str) -> None:
    """What other things are called, too, is this card only after “this”; no word is dropped."""
    found = in_short(text, title, NAMES, EPITHETS)
    assert len(found) == len(text)
    assert " ".join(found.split()).replace(" .", ".").lower() == said.lower()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Each oak gives 1 for each other Oak.", "it gives 1 for each other Oak."),
        ("Every Oak's value is 3.", "Every Oak's value is 3."),
        ("+1 for each Oak.", "+1 for each Oak."),  # those that are counted are others, too
    ],
)
def test_each_copy_at_the_beginning_is_this_card(text: str, said: str) -> None:
    assert " ".join(of_each_copy(text, "Oak").split()) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("To build an oak you need a pond.", "To build it you need a pond."),
        ("A pond before you may place an Oak.", "A pond before you may place it."),
        ("Each time you build an oak, +1.", "Each time you build an oak, +1."),  # any of them
        ("To build an oak-house, pay 1.", "To build an oak-house, pay 1."),
    ],
)
def test_a_title_that_is_to_be_built_is_this_card(text: str, said: str) -> None:
    assert " ".join(when_built(text, "Oak").split()).replace(" .", ".") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Oak: 3 points.", "3 points."),
        ("An oak's value is 3.", "its value is 3."),
        ("Oak gives 3.", "it gives 3."),
        ("+2 next to an oak.", "+2 next to an oak."),  # another one
        ("Oakwood gives 3.", "Oakwood gives 3."),
    ],
)
def test_a_title_at_the_beginning_is_this_card(text: str, said: str) -> None:
    assert " ".join(as_subject(text, "Oak").split()) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("When you build an Oak, draw a card.", "When you build it, draw a card."),
        ("Once you have built an oak, +1.", "Once you have built it, +1."),
        ("Building an oak earns you 3.", "Building it earns you 3."),
        ("Whoever puts up an oak scores 3.", "Whoever puts up it scores 3."),
        ("Each time you build an oak, +1.", "Each time you build an oak, +1."),  # any of them
        ("If you build an oak next to it, +1.", "If you build an oak next to it, +1."),
    ],
)
def test_a_title_that_a_text_waits_for_is_this_card(text: str, said: str) -> None:
    assert " ".join(once_built(text, "Oak").split()).replace(" ,", ",") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Your oak gives 3.", "it gives 3."),
        ("Oak scores 3.", "it scores 3."),
        ("Oaks score 3.", "Oaks score 3."),
        ("Your oak tops all.", "it tops all."),
        ("Your oak grows of itself.", "it grows of itself."),
    ],
)
def test_a_title_before_a_verb_in_the_singular_is_this_card(text: str, said: str) -> None:
    assert " ".join(as_one(text, "Oak").split()) == said


def test_building_this_card_is_no_thing() -> None:
    """Where things are called buildings, too: “Building it gives 2” is not “buildings give 2”."""
    assert with_placing("Building it gives 2.") == "Placing  it gives 2."
    assert with_placing("Building next to it: 2.") == "Building next to it: 2."


def test_a_title_in_its_capitals_is_a_name_wherever_it_stands() -> None:
    """What follows an article or a number is one of several."""
    assert " ".join(wherever_named("Anyone may rezone Oak for 2.", "Oak").split()) == (
        "Anyone may rezone it for 2."
    )
    assert wherever_named("Anyone may rezone an oak.", "Oak") == "Anyone may rezone an oak."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The plant's value is 3.", "Its value is 3."),
        ("2 if the plant is by a pond.", "2 if it is by a pond."),
        ("2 for each plant by the plant.", "2 for each plant by the plant."),  # which of them?
    ],
)
def test_the_sort_of_a_card_is_this_card_if_it_speaks_of_no_other(text: str, said: str) -> None:
    assert " ".join(with_it_for_kind(text, "plant").split()).lower() == said.lower()


def test_words_unknown_to_the_game_stand_before_a_name_of_this_card() -> None:
    """But only after “this”: behind “the” they may tell one thing from another."""
    said = "This smelly tree costs 3, the smelly oak 4."
    found = in_short(said, "Oak", NAMES, (), {"smelly"})
    assert " ".join(found.split()) == "it costs 3, the smelly oak 4."


CARD = """for grove

card "Crooked willow" of plant
  what: tree
  text
    | {}
"""


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The little willow gives 2 points if it is next to a pond.", True),
        ("Whoever builds it receives 2 points.", True),
        ("The shrub gives 2 points.", False),
        ("A crooked willow gives 2 points.", True),
        ("The plant gives 2 points.", True),
    ],
)
def test_a_card_speaks_of_itself_in_short(text: str, read: bool) -> None:
    made = load_rules("tests/good/grove", added=[("willow.rules", CARD.format(text))])
    assert (not made.findings()) is read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3 for each tree next to Old Oak.", "3 for each tree next to it."),
        ("3 to whoever builds Old Oak's neighbors.", "3 to whoever builds its neighbors."),
        ("3 for each Old Oak, but none for another Old Oak.", ""),  # these are counted
        ("3 next to old oak.", ""),  # it may be said of what the oak is made of
    ],
)
def test_a_bare_title_with_a_capital_is_the_name_of_this_card(text: str, said: str) -> None:
    assert " ".join(by_name(text, "Old Oak").split()).replace(" .", ".") == (said or text)


@pytest.fixture(scope="module")
def grove() -> Loaded:
    return load_rules("tests/good/grove", checks=False, tests=False)


@pytest.mark.parametrize(
    ("text", "title", "said"),
    [
        ("The Wishing Well gives 2 points.", "Wishing Well", "Gives 2 points."),
        ("2 points for each tree beside Dale.", "Dale", "2 points for each tree adjacent to it."),
        ("+2 for each other Dale of Elms.", "Dale of Elms", "+2 for each other Dale of Elms."),
        ("Receive 2 points per Elm.", "Elm", "Receive 2 points for each Elm."),
        ("The Dale gives 2 points, the Elm 3.", "", None),  # which of both?
        ("Gives 2 points.", "", "Gives 2 points."),  # it is read as it stands
        ("+2 next to a Dale.", "", None),  # a card that the game has not
        ("The Fern gives 2 points.", "Fern", "Gives 2 points."),  # the card of the game
        ("+2 for each other Fern.", "", "+2 for each other Fern."),
    ],
)
def test_a_name_that_the_game_has_not_is_that_of_the_card(
    grove: Loaded, text: str, title: str, said: str | None
) -> None:
    """A text is read as on the card that it names, if it is not read otherwise; one of many such
    things is not taken for it.
    """
    (found,) = explain(grove, text)[0]
    assert (found.title, found.readings) == (title, (said,) if said else ())


def test_a_text_is_read_as_on_a_card_of_a_given_title(grove: Loaded) -> None:
    """The title may be one of the game, or a word of it; it is not looked for in the text."""
    for title, text, read in (
        ("Pond House", "The pond house gives 2 points.", True),
        ("Fern", "The fern gives 2 points.", True),
        ("Dale", "The fern gives 2 points.", False),
        ("Dale", "Gives 2 points.", True),
    ):
        (found,) = explain(grove, text, title=title)[0]
        assert found.title == title and bool(found.readings) is read


def test_this_one_is_no_number() -> None:
    """“One” behind “this” would be an amount: “for each tree next to it 1”."""
    assert "this" not in for_this("Beside this, a tree.")
    assert for_this("For each tree next to this one, score 2.").endswith(
        "next to this one, score 2."
    )


@pytest.mark.parametrize(
    ("title", "text", "said"),
    [
        ("Twin Oaks", "They score 3 for each pond.", "it scores 3 for each pond."),
        ("Twin Oaks", "The oaks are worth 3.", "it is worth 3."),
        ("Twin Oaks", "Put them by a pond, if they may.", "Put it by a pond, if it may."),
        ("Twin Oaks", "The little oaks have their uses.", "it has its uses."),
        ("Oak", "Ponds give 1 if they are dry.", "Ponds give 1 if they are dry."),  # the ponds
        ("Old Tom", "He gives 3, plant him by a pond.", "it gives 3, plant it by a pond."),
        ("Old Tom", "A player gets 3 if he has a pond.", "A player gets 3 if he has a pond."),
    ],
)
def test_several_and_persons_are_this_card(title: str, text: str, said: str) -> None:
    found = of_one(text, title, EPITHETS, {"player"})
    assert len(found) == len(text)
    assert " ".join(found.split()).replace(" .", ".") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The pond gives 3.", "it gives 3."),
        ("+1 by our duck pond.", "+1 by it."),
        ("+1 by a pond.", "+1 by a pond."),  # any pond
        ("+1 by the pondside.", "+1 by the pondside."),
    ],
)
def test_the_end_of_a_title_is_this_card_though_others_are_called_so(text: str, said: str) -> None:
    assert " ".join(with_its_end(text, "Duck Pond").split()).replace(" .", ".") == said


CALLED = {
    "Kiosk": ("the kiosk", "our kiosk", "this little kiosk", "a kiosk"),
    "Skate Park": ("the skate park", "the park", "my park", "this park"),  # parks are a kind
    "Row of Cottages": ("the cottages", "they", "our cottages", "the Row of Cottages"),
    "The Old Mill": ("the old mill", "an Old Mill", "our mill"),
    "Uncle Bob": ("he", "Uncle Bob", "our Uncle Bob"),
}
SAYINGS = (
    ("{It} must be next to a factory.", "{It} must be next to a factory."),
    ("{It} is worth 3.", "{It} are worth 3."),
    ("{It} counts as a business.", "{It} count as a business."),
    ("{It} scores 2 for each factory next to it.", "{It} score 2 for each factory next to them."),
)


@pytest.fixture(scope="module")
def named() -> Loaded:
    """Big City with cards of these titles."""
    stub = 'building\n  class: special\n  form: "X"'
    cards = "\n\n".join(f'card "{title}" of {stub}' for title in CALLED)
    return load_rules(
        "big_city",
        added=[("named.rules", f"for big_city\n\n{cards}\n")],
        checks=False,
        tests=False,
    )


@pytest.mark.parametrize("title", CALLED)
def test_whatever_a_text_calls_its_card_it_says_the_same(named: Loaded, title: str) -> None:
    """By every name it means what it means of “it”, though the name is that of a kind, too."""
    design = next(one for one in named.compiled.rules.designs if one.title == title)
    read = named.compiled.glossary.readings_if_any
    for of_one_thing, of_several in SAYINGS:
        (meant,) = read(of_one_thing.format(It="It"), design)
        for name in CALLED[title]:
            saying = of_several if title.endswith("s") else of_one_thing
            text = saying.format(It=name[:1].upper() + name[1:])
            (found,) = read(text, design) or (None,)
            assert found is not None and found.means_as(meant), text


def test_words_for_players_are_told_by_what_they_mean() -> None:
    """By the type of their phrases, in a game's own sorts, too; “he” is none of them a card."""
    persons = load_rules("simcity", checks=False, tests=False).compiled.glossary._persons
    assert persons >= {"player", "opponent", "owner", "whoever", "mayor"}
    assert persons.isdisjoint({"it", "card", "each", "next", "factory"})
