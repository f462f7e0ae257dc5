"""What is learned in play of which cards bring on what requirements wait for."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from interpreter.game.game import Game, State
from interpreter.game.loading import Loaded, load_rules
from interpreter.proofs import experience
from interpreter.proofs.answers import Witness
from interpreter.proofs.experience import Experience, Waiting
from interpreter.proofs.long_games import LongGame, LongGames, looked_for
from interpreter.proofs.playable import playable
from interpreter.proofs.witness_games import settings, shared_table

TOWN = """game town "Town"
  players: 1
component house
  people: number
  late: truth
place supply: house, full
place built: house
state phase: number = 1
state bell: number = 0
state fame: number = 0
define people_here gives number = sum of (h's people for h in built)
pattern "Brings {n} fame."
  n: number
  as played
    define fame_of at "fame"
      n
define fame_of(h: house) gives number
  open "fame"
  otherwise 0
card "Hut" of house
  people: 2
  copies: 3
card "Barn" of house
  copies: 8
  people: 0
card "Bell" of house
  people: 0
card "Opera" of house
  late: true
  text
    | Brings 3 fame.
event build(p: player, h: house)
  move h to built
  add fame_of(h) to fame
  if h is "Bell"
    add 1 to bell
rules of build(p, h)
  "its time"  phase = 2 and bell > 0  when h's late
once grown when phase = 1, people_here >= 5
  set phase to 2
once famous when fame >= 3
  do nothing
action raise_house(p: player) "Build"
  choose h in supply by p "What?"
  do build(p, h)
flow
  repeat 6 times
    each p in turn
      take one of raise_house by p
rank
  highest fame
"""
HUT, BARN, BELL = (("house", title) for title in ("Hut", "Barn", "Bell"))


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    path = tmp_path_factory.mktemp("town") / "town.rules"
    path.write_text(TOWN, "utf-8")
    return load_rules(str(path))


def built(game: Game, *titles: str) -> list[State]:
    state = game.start(1)
    found = [state]
    for title in titles:
        state = state.play(0, action="raise_house", h=title)
        found.append(state)
    return found


def test_gates_are_what_requirements_read(town: Loaded) -> None:
    """The phase and the bell; what makes famous changes nothing that is read."""
    game = playable(town)
    assert experience.gates(game.rules_source) == ["phase", "bell"]
    latches = experience.waited_for(game.rules_source, ["phase", "bell"])
    assert [latch.name for latch in latches] == ["grown"]


def test_what_a_card_brings_is_learned_by_looking(town: Loaded) -> None:
    """Five people are lacking at first, three after a hut; a barn brings none."""
    known = Experience()
    waiting = Waiting(playable(town), known)
    states = built(waiting.game, "Hut", "Barn")
    assert [waiting.lacking(s.position) for s in states] == [5, 3, 3]
    for (before, after), key in zip(itertools.pairwise(states), (HUT, BARN), strict=True):
        waiting.note(before.position, after.position, key)
    assert (known.gain(HUT), known.gain(BARN)) == (2, 0)
    assert known.helpers() == [HUT]


def test_what_opened_a_gate_opens_it_in_the_next_game(town: Loaded) -> None:
    known = Experience()
    waiting = Waiting(playable(town), known)
    before, after = built(waiting.game, "Bell")
    waiting.note(before.position, after.position, BELL)
    assert not waiting.opens(BELL)  # it was opened in this game
    waiting.over()
    again = Waiting(waiting.game, known)
    assert again.opens(BELL) and not again.opens(HUT)
    assert known.helpers() == [BELL]


def test_what_changes_often_is_no_gate(town: Loaded) -> None:
    known = Experience()
    waiting = Waiting(playable(town), known)
    before, after = built(waiting.game, "Bell")
    for _ in range(experience.SELDOM + 1):
        waiting.note(before.position, after.position, BELL)
    waiting.over()
    assert not known.opened


def test_what_was_learned_is_played_first(town: Loaded) -> None:
    """The opera, the bell that has opened a gate, a hut as long as people are lacking, a barn."""
    opera = next(d for d in town.compiled.rules.designs if d.title == "Opera")
    known = Experience({HUT: [4, 2], BARN: [0, 1]}, {"bell": Counter([BELL])})
    games = LongGames(town, known=known)
    table = shared_table(town, games.kin, [opera], settings(town)[0])
    assert table is not None
    game = LongGame(looked_for([(opera, 1)]), table, games.kin, 1, known)
    piece = {p.design.title: p.id for p in table.game.setup.pieces}
    order = ("Opera", "Bell", "Hut", "Barn")
    ranks = [game._rank(piece[title], ahead=True) for title in order]
    assert ranks == sorted(set(ranks))
    assert game._rank(piece["Hut"], ahead=False) == ranks[-1]


def test_games_learn_from_what_is_played(town: Loaded) -> None:
    """Of the pieces chosen lately the one that took part: the bell opens, no hut does."""
    opera = next(d for d in town.compiled.rules.designs if d.title == "Opera")
    games, looked = LongGames(town), looked_for([(opera, 1)])
    while looked.left and games.number < 8:
        games.play(looked)
    (found,) = looked.met.values()
    assert isinstance(found, Witness) and games.known.openers("bell") == {BELL}
    assert games.known.gain(HUT) > 1 and games.known.gain(BARN) == 0


def test_a_list_holds_what_has_helped() -> None:
    city = load_rules("the_city", tests=False)
    games = LongGames(city)
    design = next(d for d in city.compiled.rules.designs if d.title == "Housing Tract")
    beside = [(design.component, "Stadium")]
    tables = [
        shared_table(city, games.kin, [design], settings(city)[0], keys) for keys in ((), beside)
    ]
    counts = [
        sum(p.design.title == "Stadium" for p in table.game.setup.pieces)
        for table in tables
        if table is not None
    ]
    assert counts[1] == counts[0] + 2
