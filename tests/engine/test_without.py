"""A game without what a card says: as quick as the whole game, and the same but for that."""

from __future__ import annotations

import random

from interpreter.game.game import Game, game_of
from interpreter.game.loading import load_rules


def test_what_cards_say_is_taken_away_and_nothing_else() -> None:
    """A game without a sentence keeps what it works out, and comes to the same as one in which
    every look at a clause is noted; at least one sentence shows in it."""
    loaded = load_rules("the_city", (), [], tests=False)
    whole = game_of(loaded, None, (), {})
    state, rng = whole.start(3), random.Random(3)
    path = []
    while not state.over and state.moves < 60:
        path.append(state.decisions[0].sample(rng))
        state = state.choose(path[-1])
    clauses = sorted({e.clause for e in whole.rules_source.extensions} & whole.rules.fired)
    ends = set()
    for clause in clauses[:12]:
        known = (loaded, whole.players, whole.options, whole.variants, frozenset({clause}))
        fast, slow = Game(*known), Game(*known, record=True)
        assert slow.rules.watched and not fast.rules.watched
        a, b = fast.start(3), slow.start(3)
        for option in path:
            one, two = a.after(option), b.after(option)
            assert (one is None) == (two is None)
            if one is None or two is None:
                break
            a, b = one, two
            assert a.position.canonical() == b.position.canonical()
        assert clause not in fast.rules.fired
        ends.add(a.digest())
    assert len(clauses) > 4 and ends - {state.digest()}


def test_where_a_clause_of_the_rules_is_taken_away_clauses_are_watched() -> None:
    loaded = load_rules("the_city", (), [], tests=False)
    whole = game_of(loaded, None, (), {})
    line = next(c.id for c in whole.rules_source.clauses.values() if c.kind == "line")
    known = (loaded, whole.players, whole.options, whole.variants, frozenset({line}))
    assert Game(*known).rules.watched and not whole.rules.watched
