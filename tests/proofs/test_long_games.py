"""Witnesses of many cards from games that they share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interpreter.game.game import Game, Illegal, game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.proofs import kinship, witness
from interpreter.proofs.answers import Witness
from interpreter.proofs.kinship import Kinship
from interpreter.proofs.long_games import LongGames, clause_of, looked_for
from interpreter.proofs.playable import playable
from interpreter.proofs.restated import restated
from interpreter.proofs.witness import shared_witnesses
from interpreter.proofs.witness_games import settings
from rulelang.ruleset import Design

CLUB = """game club "Club"
  players: 1
option length: 2, 3
component member
place lobby: member, full
place council: member
define votes(m: member) gives number
  open "votes"
  otherwise 1
define hats(m: member) gives number
  open "hats"
  otherwise 1
pattern "Gives {n} votes."
  n: number
  as played
    define votes at "votes"
      n
pattern "Wears {n} hats."
  n: number
  as played
    define hats at "hats"
      n
pattern "Votes once among friends."
  as played
    define votes at "votes"
      1  when council is not empty
card "Ann" of member
  text
    | Gives 1 votes.
card "Bob" of member
  text
    | Gives 2 votes.
card "Eve" of member
  text
    | Gives 1 votes.
    | Wears 1 hats.
    | Votes once among friends.
state ayes: number = 0
event join(p: player, m: member)
  move m to council
  add votes(m) + hats(m) to ayes
action admit(p: player) "Admit"
  choose m in lobby by p "Whom?"
  do join(p, m)
flow
  repeat length times
    each p in turn
      take one of admit by p
rank
  highest ayes
"""


@pytest.fixture(scope="module")
def city() -> Loaded:
    return load_rules("the_city", tests=False)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    path = tmp_path_factory.mktemp("club") / "club.rules"
    path.write_text(CLUB, "utf-8")
    return load_rules(str(path))


def card(loaded: Loaded, title: str) -> Design:
    return next(d for d in loaded.compiled.rules.designs if d.title == title)


def differs_from_the_start(answer: Witness, clause: str) -> bool:
    """Do the same choices of the whole game, by the rules without a clause, come to another state,
    to other options on the way, or are they refused?"""
    game: Game = answer.state.game
    gone = frozenset({clause})
    known = (game.loaded, game.players, game.options, game.variants)
    later = Game(*known, without=gone).start(answer.state.position.seed)
    try:
        for _, option in answer.choices:
            later = later.choose(option)
    except Illegal:
        return True
    offered = [{o.value for d in s.decisions for o in d.options()} for s in (answer.state, later)]
    return later.digest() != answer.state.digest() or offered[0] != offered[1]


def test_games_that_cards_share_give_witnesses_of_each(city: Loaded) -> None:
    """Each stands when the whole game is played again without its sentence."""
    asked = [(card(city, title), 1) for title in ("Housing Tract", "Parks")]
    games = list(shared_witnesses(city, asked, rounds=4))
    assert {design.title for design in games[0][0]} == {"Housing Tract", "Parks"}
    found = dict(row for _, met in games for row in met)
    assert {design.title for design in found} == {design.title for design, _ in asked}
    for design, answer in found.items():
        assert "witness" in answer.deck
        assert differs_from_the_start(answer, clause_of(design, answer.sentence))


def test_what_a_sentence_changes_is_seen_at_once(club: Loaded) -> None:
    """Bob's two votes show as he joins: 3 ayes, and 2 without it; Ann's one never does."""
    looked = looked_for([(card(club, "Ann"), 1), (card(club, "Bob"), 1)])
    LongGames(club).play(looked)
    assert {design.title for design, _ in looked.left.values()} == {"Ann"}
    (answer,) = looked.met.values()
    assert "without it" in answer.changes and differs_from_the_start(
        answer, clause_of(card(club, "Bob"), 1)
    )


def test_a_card_without_text_is_shown_when_it_is_played(club: Loaded) -> None:
    looked = looked_for([(card(club, "Eve"), 0)])
    LongGames(club).play(looked)
    (answer,) = looked.met.values()
    assert answer.changes == "it is legally played" and answer.sentence == 0


def test_what_gives_what_there_is_without_it_is_proved(club: Loaded) -> None:
    """One vote is what everybody has; two are not, and what may hold only sometimes, or stands
    beside another sentence about the same, is not proved."""
    rules = club.compiled.rules
    proved = {
        (title, n): [found.code for found in restated(rules, card(club, title), n)]
        for title, n in [("Ann", 1), ("Bob", 1), ("Eve", 1), ("Eve", 2), ("Eve", 3)]
    }
    assert proved == {
        ("Ann", 1): ["C017"],
        ("Bob", 1): [],
        ("Eve", 1): [],
        ("Eve", 2): ["C017"],
        ("Eve", 3): [],
    }


def test_settings_go_through_the_values_of_all_options(club: Loaded) -> None:
    assert [dict(found.options) for found in settings(club)] == [{"length": 2}, {"length": 3}]


def test_a_list_holds_what_a_card_names_and_who_names_it(city: Loaded) -> None:
    """A university asks for a school: each is put into the list of the other."""
    kin = Kinship(playable(city))
    university, school = card(city, "University"), card(city, "School")
    assert (school.component, "School") in kin.needed(university)
    assert (university.component, "University") in kin.needed(school)
    assert game_of(city, None, (), {}).players == kin.game.players


def test_who_asks_for_a_common_noun_is_known_too(
    city: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were a school one of too many to name, a university would still ask for it."""
    monkeypatch.setattr(kinship, "FEW_TITLES", 0)
    kin = Kinship(playable(city))
    university, school = card(city, "University"), card(city, "School")
    assert (school.component, "School") not in kin.needed(university)
    assert (university.component, "University") in kin.needed(school)


def test_settings_are_gone_for_under_which_the_cards_were_played(club: Loaded) -> None:
    """Each is tried once, and then those by turns under which a card that is looked for came up."""
    games = LongGames(club)
    ann, bob = card(club, "Ann"), card(club, "Bob")
    assert games._next_setting([ann]) == 0
    games.tries[ann.clause, 0] += 1
    assert games._next_setting([ann]) == 1
    games.tries[ann.clause, 1] += 2
    assert games._next_setting([ann]) == 0  # the less tried
    games.playing.add((ann.clause, 1))
    assert games._next_setting([ann]) == 1
    games.playing |= {(ann.clause, 0), (bob.clause, 0)}
    assert games._next_setting([ann, bob]) == 0


def test_groups_are_of_cards_that_say_the_same_or_apart(club: Loaded) -> None:
    """Of ten sentences two groups: in the order of their words, or every other one."""
    asked = [(replace(card(club, "Ann"), clause=f"card {n}"), 1) for n in range(10)]
    together, apart = (
        [[d.clause for d, _ in group] for group in witness._groups(asked, both)]
        for both in (True, False)
    )
    assert together == [[f"card {n}" for n in range(8)], ["card 8", "card 9"]]
    assert apart == [[f"card {n}" for n in range(k, 10, 2)] for k in (0, 1)]
