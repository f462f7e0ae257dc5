"""Joined sentences: what an event or a condition in front holds over."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pytest

from interpreter.authoring.explain_card import explain
from interpreter.game.loading import Loaded, load_rules
from rulelang import core
from rulelang.phrases.bare_amounts import is_bare_amount
from rulelang.phrases.joined import TOGETHER, members, scopes
from rulelang.phrases.phrase import Derivation, Phrase
from rulelang.phrases.unparse import unparse


def word(said: str) -> Derivation:
    phrase = Phrase(said, "k_word", said, (), word=core.Const(1), word_forms=(said, said))
    return Derivation(phrase)


def sentence(text: str, **slots: Derivation) -> Derivation:
    filled = tuple((name, slots[name]) for name in slots)
    kinds = tuple((name, "k_word") for name in slots)
    return Derivation(Phrase(text, "sentence", text, kinds), filled)


WAITS = "Each time {who} {does} {what}, sing {n}."
SINGS = sentence("Dance {n}.", n=Derivation(None, number=2))
FIRST = sentence(
    WAITS,
    who=word("somebody"),
    does=word("plants"),
    what=word("an oak"),
    n=Derivation(None, number=1),
)
BOTH = Derivation(TOGETHER, (("first", FIRST), ("second", SINGS)))


def test_what_follows_an_event_waits_for_it_too() -> None:
    """The second sentence is read behind the event of the first, and never alone."""
    asked: list[str] = []

    def parse(text: str) -> Sequence[Derivation]:
        asked.append(text)
        return [SINGS]

    (found,) = scopes(BOTH, parse)
    assert asked == ["Each time somebody plants an oak, dance 2"]
    assert [unparse(one) for one in members(found)] == [unparse(FIRST), "Dance 2."]


def test_what_cannot_be_read_behind_an_event_is_not_read_as_done_once() -> None:
    assert list(scopes(BOTH, lambda _: [])) == []


def test_what_it_comes_to_in_all_joins_no_other_amount() -> None:
    """“6, but if …, it is 4” is 4 in place of 6; “it is 4 more” comes on top."""
    four = Derivation(None, number=4)
    assert is_bare_amount(sentence("It is {n}.", n=four))
    assert not is_bare_amount(sentence("It is {n} more.", n=four))


@functools.cache
def big_city() -> Loaded:
    return load_rules("big_city", checks=False, tests=False)


@pytest.mark.parametrize("times", ["x2", "2x", "×2", "doubled"])
def test_how_many_times_over_goes_on_with_an_amount(times: str) -> None:
    """What is said with a sign for it, too: it is no amount of its own."""
    (said,) = explain(big_city(), f"3 points, {times} if next to a park.")[0]
    (does,) = said.effects
    assert [line.strip().partition(",")[0] for line in does if "“" in line and ":" not in line] == [
        "add 3 (“3 points”)",
        "multiply by 2",
    ]


@pytest.mark.parametrize(("joint", "meanings"), [(" and", 2), (", but", 1), (", yet", 1), (";", 1)])
def test_but_sets_what_is_behind_it_against_all_before(joint: str, meanings: int) -> None:
    """A condition at its end is its own."""
    (said,), _ = explain(big_city(), f"9 points{joint} lose 4 if next to a church.")
    assert len(said.readings) == meanings
