"""Which designs are tried first where one decides."""

from __future__ import annotations

from interpreter.game.loading import load_rules
from rulelang.analysis.partial_eval import AtAGlance
from rulelang.ruleset import Noun


def test_what_a_text_names_is_tried_first() -> None:
    """A dish whose title bears the word, then those of the course, and all others in their order;
    of the third course there are two: Crumble and Custard.
    """
    designs = load_rules("tests/good/kitchen").compiled.rules.designs
    titles = [design.title for design in designs]
    last = [d.title for d in AtAGlance(designs).likely_first([Noun("parsley", "dish")])]
    assert last == ["Parsley", *(title for title in titles if title != "Parsley")]
    course = Noun("dessert", "dish", field="course", members=frozenset({2}))
    named = [d.title for d in AtAGlance(designs).likely_first([course])]
    assert named[:2] == ["Crumble", "Custard"] and sorted(named) == sorted(titles)
    assert [d.title for d in AtAGlance(designs).likely_first([])] == titles
