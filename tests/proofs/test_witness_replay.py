"""What a whole game comes to when it is played again without a sentence."""

from __future__ import annotations

import pytest

from interpreter.game.game import Game, State
from interpreter.game.loading import Loaded, load_rules
from interpreter.proofs.answers import Witness
from interpreter.proofs.long_games import LongGames, looked_for
from interpreter.proofs.playable import playable
from interpreter.proofs.witness_replay import parting

COURT = """game court "Court"
  players: 1
component guest
place hand of player: guest, full
place hall: guest
state noise: number = 0
define rank_of(g: guest) gives number
  open "ranks"
  otherwise 1
define barred(g: guest) gives truth
  open "bars"
pattern "Is of rank {n}."
  n: number
  as played
    define rank_of at "ranks"
      n
pattern "Shuns the guard."
  as played
    define barred at "bars"
      true  when some x in hall where x is "Guard"
card "Duke" of guest
  text
    | Is of rank 5.
card "Thief" of guest
  copies: 2
  text
    | Shuns the guard.
card "Guard" of guest
card "Herald" of guest
component crier
event enter(p: player, g: guest)
  move g to hall
rules of enter(p, g)
  "nobody who is shunned"  not (g is barred)
event announce
  set noise to sum of (rank_of(g) for g in hall)
action let_in(p: player) "Let in"
  choose g in p's hand by p "Whom?"
  do enter(p, g)
action call(p: player) "Call out"
  do announce()
action rest(p: player) "Rest"
  do nothing
flow
  each p in turn
    move guests to p's hand
  repeat 8 times
    each p in turn
      take one of let_in, call, rest by p
rank
  highest noise
"""


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    path = tmp_path_factory.mktemp("court") / "court.rules"
    path.write_text(COURT, "utf-8")
    return load_rules(str(path))


def without(game: Game, title: str) -> Game:
    card = next(d for d in game.rules_source.designs if d.title == title)
    gone = frozenset({f"{card.clause}/sentence 1"})
    return Game(game.loaded, game.players, game.options, game.variants, without=gone)


def played(state: State, *choices: str) -> State:
    for choice in choices:
        action = "let_in" if choice[0].isupper() else choice
        named = {"g": choice} if choice[0].isupper() else {}
        state = state.play(0, action=action, **named)
    return state


def test_a_game_parts_where_the_sentence_first_tells(court: Loaded) -> None:
    """The Duke is of rank 5, as is seen when he is called out: 1 with the herald before, 6 then."""
    game = playable(court)
    last = played(game.start(1), "Herald", "call", "Duke", "rest", "call", "rest")
    found = parting(without(game, "Duke"), last)
    assert found is not None
    state, said = found
    assert (state.moves, state.position.vars["noise"][None]) == (7, 6)
    assert said == "without it the scores are [2], not [6]"


def test_a_game_without_the_card_is_the_same(court: Loaded) -> None:
    game = playable(court)
    last = played(game.start(1), "Herald", "call", "rest")
    assert parting(without(game, "Duke"), last) is None


def test_a_game_parts_where_a_choice_is_refused(court: Loaded) -> None:
    """By the rules with the sentence a thief does not enter after the guard."""
    game = playable(court)
    last = played(without(game, "Thief").start(1), "Guard", "Thief")
    found = parting(game, last)
    assert found is not None and found[1] == "without it choice 4 is refused"


def test_what_a_sentence_keeps_from_being_offered_is_a_witness(court: Loaded) -> None:
    """A thief is let in before the guard; the other, still in the hand, is not offered after."""
    thief = next(d for d in court.compiled.rules.designs if d.title == "Thief")
    games, looked = LongGames(court), looked_for([(thief, 1)])
    while looked.left and games.number < 12:
        games.play(looked)
    (answer,) = looked.met.values()
    assert isinstance(answer, Witness) and "options" in answer.changes
    assert {"Thief", "Guard"} <= {
        answer.state.game.setup.pieces[p].design.title
        for p in answer.state.position.places["hall", None]
    }


def test_what_tells_only_later_is_found_when_the_game_is_over(court: Loaded) -> None:
    """Nothing is another as the Duke comes in: he counts when somebody is called out."""
    duke = next(d for d in court.compiled.rules.designs if d.title == "Duke")
    games, looked = LongGames(court), looked_for([(duke, 1)])
    while looked.left and games.number < 4:
        games.play(looked)
    (answer,) = looked.met.values()
    assert isinstance(answer, Witness) and "the scores" in answer.changes
    assert answer.state.choice is not None and answer.state.choice.value == "call"
