"""The reference evaluator: it knows every class of expression, and changes no scope it is given."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from interpreter.evaluator.expressions import MEANINGS
from interpreter.game.game import game_of
from interpreter.game.loading import load_rules
from rulelang import core

RULES = """
game scopes "Scopes"
  players: 2
component stone of player
  size: number
  pieces size, copies
    | 1 2
    | 2 1
place bag of player: stone, full
define some_large(p: player) = some x in p's bag where x's size > 1
define all_large(p: player) = every x in p's bag: x's size > 1
define large(p: player) = {x in p's bag where x's size > 1}
define sizes(p: player) = {x's size for x in p's bag}
define added(p: player) = sum of (x's size for x in p's bag)
define largest(p: player) = {x in p's bag with largest x's size}
define kept(p: player) = {x in p's bag as kept where x_in(x, kept) until stable}
define x_in(x: stone, all: set of stone) = some y in all where y's size > x's size
flow
  finish game
rank
  highest count of player's bag
"""


def classes_under(base: type) -> set[type]:
    """A class of core objects and all that are made from it."""
    return {base, *(kind for sub in base.__subclasses__() for kind in classes_under(sub))}


def test_every_class_of_expression_has_a_meaning() -> None:
    """The table has exactly the classes that expressions are made of."""
    assert set(MEANINGS) == {
        kind for kind in classes_under(core.Expr) if kind.__module__ == core.Expr.__module__
    } - {core.Expr}


def test_no_expression_changes_the_scope_it_is_given(tmp_path: Path) -> None:
    """Each way to bind a name works in a scope that cannot be written to, and leaves it so."""
    (tmp_path / "scopes.rules").write_text(RULES, "utf-8")
    game = game_of(load_rules(str(tmp_path)), 2, (), {})
    s, scope = game.start(0).position, MappingProxyType({"p": 1})
    found = {
        name: game.rules.func(known.cases[0].value)(s, scope)
        for name, known in game.rules_source.definitions.items()
        if known.cases[0].value is not None and len(known.params) == 1
    }
    ones, two = {2, 3}, 5  # the second player's pieces
    assert s.places["bag", 1] == (*sorted(ones), two)
    assert found == {
        "some_large": True,
        "all_large": False,
        "large": {two},
        "sizes": {1, 2},
        "added": 4,
        "largest": {two},
        "kept": set(),
    }
    assert scope == {"p": 1}
