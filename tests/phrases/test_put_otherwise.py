"""What players say of a card in passing, in words that no frame has as they stand."""

from __future__ import annotations

import functools

import pytest

from interpreter.game.loading import load_rules
from rulelang.phrases.readings import Glossary
from rulelang.ruleset.components import Design
from tests.tools.corpus import sentences

TITLE, OTHER = "Boat House", "Tall Statue"
CARDS = {  # by game a card that has only a title
    "simcity": "block\n  zone: special\n  stage: settlement\n  value: 1\n  roads: {}",
    "big_city": 'building\n  class: special\n  form: "X"',
    "the_city": "development\n  cost: 1",
    "card_city_xl": "building\n  sort: leisure\n  one_color: leisure\n  split: undivided",
}
# By game and meaning the wordings; each has that one meaning.
ALIKE = {
    ("simcity", "May only be built next to a Coastline."): (
        "Build it next to a Coastline, as it would look rather silly anywhere in town.",
    ),
    ("simcity", "Receive $3 more if you build it next to a Police Station."): (
        "If you can put it right beside a Police Station you get 3 more.",
    ),
    ("simcity", "Whoever builds a residential block next to it loses $2."): (
        "Whoever puts a residential block beside it gets 2 dollars less for it.",
    ),
    ("simcity", "Receive $5 if there is a Grade School in the city."): (
        "If there's already a Grade School in the city when you play it, you collect 5 dollars.",
    ),
    ("simcity", "Only one per city."): ("The city only needs one of these.",),
    ("simcity", "Worth 2."): ("This little shop is worth 2.",),
    ("simcity", "Counts as a Police Station; range 2."): (
        "It works like a Police Station with range 2.",
    ),
    ("simcity", "May be built on a Forest without a vote."): (
        "You can put it on top of a Forest without asking the council for a vote.",
        "You may build it on a Forest; no vote is needed.",
    ),
    ("simcity", "Build another industrial card this turn."): (
        "You may play a second card this turn, as long as it is industrial.",
    ),
    ("big_city", "Worth 1 point, but receive 2 more if next to a park."): (
        "It's only 1 point, but you get 2 more if it touches a park.",
    ),
    ("big_city", "Worth 4 points, but may not be built next to a streetcar."): (
        "It's worth 4 points, only you can't build it along the streetcar line.",
    ),
    ("big_city", "It takes one property."): ("It only covers a single property.",),
    ("big_city", "Receive 9 if a church is adjacent, otherwise receive 5 points."): (
        "It's 5 points; if a church is adjacent it brings 9 instead.",
    ),
    ("the_city", "Receive 2 points if you have a Central Park."): (
        "The Boat House scores an extra 2 if you have a Central Park.",
        "Add 2 to its points if you have a Central Park.",
        "Receive 2 points if a Central Park is among your developments.",
    ),
    ("the_city", "Receive 1 point for each Mall you have."): (
        "Count your Malls and add that number to its points.",
        "Its value rises by 1 for each Mall you have.",
        "Every one of your Malls is worth 1 point to this card.",
        "1 point for each copy of Mall you own.",
        "The more the better: 1 point for each Mall you have.",
    ),
    ("the_city", "Receive 1 point for each other Boat House you have."): (
        "1 point for each Boat House you have besides this one.",
    ),
    ("the_city", "Receive 1 point for each 2 cars you have, rounded down."): (
        "Score half a point, rounded down, for each car you have.",
        "Half a point for each car you have.",
    ),
    ("the_city", "Receive 2 points and draw 1 card each round."): (
        "Each round you get two points and a card.",
        "It gives you two points and a card every round.",
    ),
    ("the_city", "Malls cost you 2 less once it is built."): (
        "After you've got it, every Mall that you build costs you 2 cards less.",
    ),
    ("the_city", "Has 1 car."): ("One car symbol.", "It features one car symbol."),
    ("the_city", "Receive 1 point for each development without symbols in your tableau."): (
        "Score one point for every development in your tableau that has no symbol at all.",
    ),
    ("the_city", "Counts as a Mall."): ("Counts as a Mall whenever a card asks for a Mall.",),
    ("the_city", "Income of 2, but only 1 if another player has a Mall."): (
        "Income of 2. If any other player has a Mall, only 1.",
    ),
    ("the_city", "Lose 1 point each round."): (
        "Nobody likes the smell. You lose a point each round.",
        "You lose a point each round. Sorry about the smell!",
        "What a smell! You lose a point each round. That's it.",
    ),
    ("the_city", "You and another player of your choice draw 2 cards."): (
        "Choose another player when you build this. You both draw two cards.",
    ),
    ("the_city", "Requires Housing Tracts."): (
        "You must have built Housing Tracts before you build it.",
        "No Boat House without Housing Tracts.",
    ),
    ("the_city", "At most 1 per player."): (
        "Once you have built one, you may not build another.",
        "Unique: at most one per player.",
        "You can have this only once.",
    ),
    ("the_city", "May not be built if you have a Freeway Interchange."): (
        "Your tableau must be free of Freeway Interchanges.",
        "Not for owners of a Freeway Interchange: they may not build it.",
    ),
    ("the_city", "Your hand limit is 15."): (
        "Your hand limit is 15, not 12.",
        "Raises your hand limit to 15.",
        "You may keep 15 cards.",
    ),
    ("the_city", "Draw 2 more cards when you survey."): ("Your surveys bring you 2 more cards.",),
    ("the_city", "Each time you build a Mall, draw 1 card."): (
        "Each Mall you build gives you 1 card.",
        "Building a Mall brings you a card.",
    ),
    ("the_city", "Costs 1 less for each Mall you have, but at least 2."): (
        "It costs 1 less for each Mall you have, but never less than 2.",
    ),
    ("the_city", "Malls cost you 1 less."): (
        "After you build it, all your Malls cost 1 less.",
        "Malls you build later cost 1 less.",
        "The cost of Malls is decreased by 1 for you.",
        "When you build a Mall, discard 1 card fewer.",
    ),
    ("the_city", "Receive 1 point, and draw 1 card each round."): (
        "Gives you 1 point and 1 card each round.",
    ),
    ("the_city", "Worth 4 points only if you have a Mall."): (
        "Worth 4 points if you have a Mall, otherwise nothing.",
    ),
    ("card_city_xl", "May only be built next to a residence."): (
        "Construct it only on spaces adjacent to a Residence.",
        "When you construct it, at least one adjacent card must be a Residence.",
        "You may only build it next to a Residence.",
        "Put it next to a Residence; no other spaces are allowed.",
    ),
    ("card_city_xl", "May not be built next to an industry."): (
        "If a space is adjacent to an Industry, you may not construct this card there.",
        "When you construct it, no adjacent card may be an Industry.",
    ),
    ("card_city_xl", "You take no more Pollution Clouds."): (
        "After you build this, you take no more Pollution Clouds.",
        "You don't have to take any Pollution Clouds any more.",
    ),
    ("card_city_xl", "Residences next to it score nothing."): (
        "The Residences next to this card score nothing at the end of the game.",
        "Adjacent Residences are worth no points.",
    ),
    ("card_city_xl", "Lose 1 point for each residence next to it."): (
        "Residences next to it score 1 less.",
        "It makes every neighbouring Residence lose a point at the end.",
    ),
    ("card_city_xl", "Counts as 2 cards in its district."): (
        "This card counts as two Residences in its District.",
        "Counts as two cards for the size of its Residential District.",
    ),
    ("card_city_xl", "Costs $3."): (
        "A Leisure that costs only $3 to build.",
        "It is a Park like any other, except that it costs $3.",
    ),
    ("card_city_xl", "Receive 2 points at the end for each set of a leisure and a parking."): (
        "For every set of one Leisure and one Parking in your City, score 2 points at the end.",
    ),
    ("card_city_xl", "The next industry you buy is free."): ("Your next Industry is free.",),
    ("card_city_xl", "Salary is $2 instead of $1."): (
        "From now on your City Hall pays $2 a turn instead of $1.",
    ),
    ("card_city_xl", "Receive $1 each turn."): ("A Park that pays $1 each turn.",),
    ("card_city_xl", "Only one per city."): (
        "Just one per City.",
        "Construct no more than one in your City.",
    ),
    ("card_city_xl", "Receive $1 each turn for each parking in your city."): (
        "Receive $1 per turn for each Parking you have in your City.",
        "For each Parking you have in your City, gain $1 per turn.",
    ),
    ("card_city_xl", "Receive $2 each turn."): (
        "As long as it stands in your City, receive $2 each turn.",
        "Besides what a Commerce normally earns it pays you 2 dollars every turn.",
    ),
    ("card_city_xl", "Each time you build a residence, receive $1."): (
        "You receive $1 for each Residence you build from now on.",
    ),
    ("card_city_xl", "Industries you buy cost $2 less."): (
        "From now on, you pay 2 dollars less when you buy an Industry.",
        "From now on the Industries you buy cost $2 less.",
    ),
    ("card_city_xl", "Increases your city size limit by 8 instead of 5."): (
        "Lets you have 8 more cards in your City instead of 5.",
    ),
    ("card_city_xl", "Needs at least 3 commerces."): (
        "Only for Cities with at least 3 Commerces.",
    ),
    ("card_city_xl", "No pollution."): ("Its construction doesn't cause pollution.",),
    ("card_city_xl", "May be built next to an industry."): ("Industries are allowed next to it.",),
}


@functools.cache
def table(game: str, title: str = TITLE) -> tuple[Glossary, Design]:
    text = f'for {game}\ncard "{title}" of {CARDS[game]}\n'
    rules = load_rules(game, added=[("own.rules", text)], checks=False, tests=False).compiled
    (design,) = (one for one in rules.rules.designs if one.title == title)
    return rules.glossary, design


@pytest.mark.parametrize(("game", "meant"), ALIKE)
def test_what_is_put_otherwise_means_the_same(game: str, meant: str) -> None:
    """Each wording has one meaning, that of the plain one."""
    glossary, design = table(game)
    (plain,) = glossary.readings(meant, design)
    for said in ALIKE[game, meant]:
        (sentence,) = sentences(said)
        found = glossary.readings_if_any(sentence, design)
        assert len(found) == 1, said
        assert found[0].means_as(plain), said


@pytest.mark.parametrize("talk", ["Nobody likes Malls.", "Nobody likes three of them."])
def test_what_names_or_counts_something_is_no_mere_talk(talk: str) -> None:
    """It may ask for something: it is not left out."""
    glossary, design = table("the_city")
    (sentence,) = sentences(f"{talk} You lose a point each round.")
    assert not glossary.readings_if_any(sentence, design)


def test_the_end_of_a_title_counts_copies_where_nothing_else_is_called_so() -> None:
    """A statue of a game without other statues; a house may be any of its homes."""
    glossary, design = table("card_city_xl", OTHER)
    (plain,) = glossary.readings("Only one per city.", design)
    for said in (
        "You may have only one Statue in your City.",
        "No second Statue in the same City.",
    ):
        (found,) = glossary.readings_if_any(said, design)
        assert found.means_as(plain), said
    glossary, design = table("card_city_xl")
    assert not glossary.readings_if_any("You may have only one House in your City.", design)


def test_what_is_allowed_besides_is_no_bound() -> None:
    """“Other spaces are allowed” is the contrary of “no other spaces are allowed”."""
    glossary, design = table("card_city_xl")
    (bound,) = glossary.readings("May only be built next to a residence.", design)
    found = glossary.readings_if_any(
        "Put it next to a Residence; other spaces are allowed.", design
    )
    assert not any(one.means_as(bound) for one in found)
