"""What is asked of none is false, 0, empty or none, also of none as a member of a set."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.game import game_of
from interpreter.game.loading import load_rules
from rulelang.core.values import FAR

RULES = """
game edge "At the edge"
  players: 1

board field
  grid: square, 3 by 3
  cells: bed
  sides: fence

define corner = site_at(field, 1, 1)
define beyond = step(corner, west)
define nowhere = {beyond}
define mixed = {beyond, corner}

"""
EXPECTED = {
    "beyond's neighbors": frozenset(),
    "nowhere's neighbors": frozenset(),
    "mixed's neighbors": frozenset({1, 3}),
    "nowhere's surroundings": frozenset(),
    "mixed's surroundings": frozenset({1, 3, 4}),
    "count of nowhere's sides": 0,
    "count of mixed's sides": 4,
    "count of mixed's outer_sides": 4,
    "count of mixed's inner_sides": 0,
    "beyond's column": 0,
    "nowhere's width": 0,
    "mixed's width": 1,
    "nowhere's height": 0,
    "cells_within(nowhere, 1, {})": frozenset(),
    "cells_within(mixed, 1, {})": frozenset({0, 1, 3}),
    "distance(beyond, corner)": FAR,
    "distance(nowhere, corner)": FAR,
    "distance(mixed, corner)": 0,
    "distance_across(nowhere, corner, {})": FAR,
    "distance_across(corner, mixed, {})": 0,
    "count of {b in field's beds where nowhere adjacent b}": 0,
    "count of {b in field's beds where mixed adjacent b}": 2,
    "count of {b in field's beds where mixed touches_corner b}": 1,
}


@pytest.mark.parametrize("keeps", [False, True])
def test_words_pass_over_none(tmp_path: Path, keeps: bool) -> None:
    """Each word over cells gives the same as if none were not among them, in both evaluators."""
    path = tmp_path / "edge.rules"
    defined = [f"define value_{i} = {text}" for i, text in enumerate(EXPECTED)]
    path.write_text("\n".join([RULES.strip(), *defined, ""]), "utf-8")
    loaded = load_rules(str(path), (), [])
    assert [item.message for item in loaded.compiled.report.found] == []
    game = game_of(loaded, None, (), {}, keeps=keeps)
    s = game.start(1).position
    found = {text: game.rules.definition(f"value_{i}")(s, ()) for i, text in enumerate(EXPECTED)}
    assert found == EXPECTED
