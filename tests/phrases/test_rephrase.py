"""Sentences in other words: how frames are matched, and that those of the library mean alike."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from interpreter.authoring.explain_card import explain
from interpreter.game.loading import Loaded, load_rules
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source
from rulelang.english.library import declarations
from rulelang.phrases.frames import Frame, Hole, frames_of
from rulelang.phrases.rephrase import MAX_FORMS, Rephraser
from rulelang.syntax.nodes import Node, plain
from rulelang.syntax.parser import parse_block
from tests.english.test_grove import GROVE

ROOT = Path(__file__).resolve().parents[2]

HASTE = (
    ("may", "can", "it is allowed to"),
    ("may be planted {where}", "You may plant it {where}"),
    ("only {x}", "{x} only."),
    ("{n} {u} less", "{n: number} fewer {u: word}"),
    ("{s} if {c}", "If {c: anything} , {s: anything}."),
    ("in/on the {x}", "there {x: word}"),
    ("{rest}", "{rest: anything} because {why: idle}"),
    ("each {x} has one", "(A / Any) {x: word} has one of them"),
    ("each {x} alike", "Any {x: word} like any {x: word}"),
)


def forms(text: str, rephrasings: tuple[tuple[str, ...], ...] = HASTE) -> list[str]:
    """The other forms of a text; what reads an aside is a word of four letters or fewer."""
    holds = lambda sort, words: all(len(word) < 5 for word in words.split())  # noqa: E731
    return [form.text for form in Rephraser(rephrasings).forms(text, holds).found]


SAID = {  # a sentence, and the other ways to say it
    "It is allowed to sing.": ["may sing"],
    "You can plant it by a pond.": ["You may plant it by a pond", "may be planted by a pond"],
    "By a pond only.": ["only By a pond"],
    "Not by a pond only.": [],  # a hole does not hold a denial
    "By a pond only if it rains.": ["only By a pond if it rains"],
    "2 fewer points.": ["2 points less"],
    "Few fewer points.": [],
    "If it rains, two fewer drops.": [
        "two fewer drops if it rains",
        "If it rains, two drops less",
        "two drops less if it rains",
    ],
    "Grows there tall.": ["Grows in the tall", "Grows on the tall"],
    "Grows because it is wet.": ["Grows"],
    "Grows because they planted it.": [],
    "Grows.": [],
    "A bed has one of them.": ["each bed has one"],
    "Any bed like any bed.": ["each bed alike"],
    "Any bed like any pot.": [],  # a hole holds the same words wherever it stands
}


@pytest.mark.parametrize("text", SAID)
def test_other_ways_to_say_it(text: str) -> None:
    assert forms(text) == SAID[text]


def test_the_longest_plain_words_come_first_and_stay() -> None:
    ends = (("at the end of all", "at the end", "finally"),)
    assert forms("Finally at the end of all.", ends) == ["at the end of all at the end of all"]
    assert forms("At the end of all.", ends) == []


def test_the_number_of_forms_is_bounded_and_reaching_it_is_told() -> None:
    counted = (("one/two/three/four/five x", "y"),)
    found = Rephraser(counted).forms("y a y b y", lambda *_: True)
    assert len(found.found) == MAX_FORMS
    assert found.is_cut_off
    assert not Rephraser(counted).forms("y a", lambda *_: True).is_cut_off


@functools.cache
def grove() -> Loaded:
    return load_rules(str(GROVE), checks=False, tests=False)


def rephrasings() -> list[Node]:
    return [node for node in declarations() if node.kind == "rephrase"]


def examples() -> list[tuple[str, str]]:
    """The pairs that declarations give: a sentence, and one that says the same."""
    rows = [bar.part(0).text for node in rephrasings() for bar in node.words("bar")]
    pairs = (row.partition(" = ") for row in rows)
    return [(said.strip(), read.strip()) for said, _, read in pairs]


@pytest.mark.parametrize(("said", "read"), examples(), ids=lambda text: text)
def test_examples_of_the_library_mean_the_same(said: str, read: str) -> None:
    """Each is read in one way, the first in other words."""
    glossary = grove().compiled.glossary
    (one,), (other,) = glossary.readings(said), glossary.readings(read)
    assert one.form is not None and other.form is None
    assert one.meaning == other.meaning


DENIED = "not no never nobody nothing don't doesn't isn't aren't can't cannot"
LIMITED = (
    "within only most least without until before unless less away otherwise except "
    "no not nothing requires lose must every"
)
TOLD_AGAINST = (  # what may stand for a denial
    "no-one none neither dont doesnt doesn’t don’t isn’t needn't needn’t unable zip nada zero free "
    "hates immune safe prevents prevent rules rule forbids forbid forbidden prohibited banned "
    "illegal disallowed off away distance least more farther further only until unless before "
    "without instead ignore ignored disregarded except but other left"
)
SAID_BY_A_NUMBER = "grows with n adjacent culture buildings, not n+1"  # “not” tells nothing more
DENIALS, LIMITS = frozenset(DENIED.split()), frozenset(LIMITED.split())
AGAINST = DENIALS.union(TOLD_AGAINST.split())
FOR = frozenset(["for", "/"])
BOUNDS = frozenset(["only", "most", "max", "maximum", "limit", "more", "no", "once", "not"]) | {
    *("limited", "restricted", "forbidden", "prohibited", "never"),
}
TURNS = {
    "denied": DENIALS,
    "until": frozenset(["unless", "before", "until"]),
    "only": frozenset(["only"]),
    "else": frozenset(["or", "otherwise", "else"]),
}
SAID_ONCE = (  # one turn, or two that cancel: the ways in which a condition is demanded
    {"only"},
    {"denied", "until"},
    {"denied", "else"},
    {"until"},  # before it may be built, …
    set[str](),  # to build it, …
)


def every_rephrasing() -> list[list[str]]:
    """The texts of each rephrasing of the library and of the rulesets: as read, and as said."""
    paths = sorted((ROOT / "rulesets").rglob("*.rules"))
    all_blocks = (block for path in paths for block in Source(path.name, path.read_text()).blocks)
    declared = (parse_block(one, Report()) for one in all_blocks if one.text.startswith("rephrase"))
    nodes = [*rephrasings(), *(node for node in declared if node is not None)]
    return [[plain(text) for text in node.words("STRING")] for node in nodes]


def words_of(frame: Frame) -> list[frozenset[str]]:
    return [part for part in frame.parts if isinstance(part, frozenset)]


def test_no_frame_loses_a_denial() -> None:
    """What is said with a denial is read with one, or with a word that sets a limit instead."""
    for read, *others in every_rephrasing():
        for frame in frames_of(tuple((read, other) for other in others)):
            if any(part <= DENIALS for part in words_of(frame)) and read != "{rest}":
                assert LIMITS & set(read.lower().split()), (read, frame.parts)


def test_what_is_read_as_a_denial_is_said_as_one() -> None:
    """No word that denies may be left out of a frame which is read as a denial."""
    for read, *others in every_rephrasing():
        if DENIALS & set(read.lower().replace(",", " ").split()) and read != SAID_BY_A_NUMBER:
            for frame in frames_of(tuple((read, other) for other in others)):
                assert any(part & AGAINST for part in words_of(frame)), (read, frame.parts)


def test_brackets_of_a_frame_hold_what_may_be_left_out() -> None:
    """They are no marks of a text; blanks within them would make it seem so."""
    for text in (text for texts in every_rephrasing() for text in texts):
        assert "( " not in text, text


def test_who_gets_something_is_not_what_it_is_counted_by() -> None:
    """“Each other player earns 2” gives them 2, and nobody 2 for each of them: what is counted may
    be players only where it stands behind “for” or its like.
    """
    for read, *others in every_rephrasing():
        for frame in frames_of(tuple((read, other) for other in others)):
            counted = [part for part in frame.parts if part == Hole("x", "tally")]
            for_each = read.endswith("for each {x}") and counted
            assert not for_each or any(part <= FOR for part in words_of(frame)), frame.parts


def test_what_is_read_as_a_limit_is_said_as_one() -> None:
    """A bare number, or a permission for it, is no limit."""
    for read, *others in every_rephrasing():
        if read.lower().startswith("at most "):
            for frame in frames_of(tuple((read, other) for other in others)):
                assert any(part <= BOUNDS for part in words_of(frame)), (read, frame.parts)


def test_what_is_read_as_a_condition_turns_a_denial_once() -> None:
    """“Not before” and “only after” say the same; “only before” and “not if” the opposite."""
    for read, *others in every_rephrasing():
        if not read.startswith("may only be built if {so}"):
            continue
        for frame in frames_of(tuple((read, other) for other in others)):
            words = words_of(frame)
            says = {name for name, meant in TURNS.items() if any(part & meant for part in words)}
            assert says in SAID_ONCE, (sorted(says), frame.parts)


def test_a_sentence_without_other_words_costs_nothing() -> None:
    """Words that no frame knows give no forms."""
    assert grove().compiled.glossary._rephraser.forms("Roses bloom.", lambda *_: True).found == ()


def test_it_is_told_what_was_read_and_what_was_left_out() -> None:
    (said,), _ = explain(grove(), "+2 next to a pond, because frogs croak.")
    assert said.other_words == ("+2 next to a pond",)
    assert said.left_out == ("frogs croak",)
    assert said.readings == ("+2 adjacent to a pond.",)


@pytest.mark.parametrize(
    "text",
    [
        "+2 next to a pond, because a tree can't resist it.",
        "Because trees would wither elsewhere, +2 next to a pond.",
        "+2 next to a pond, since trees would wither elsewhere.",
        "Trees would wither elsewhere, so +2 next to a pond.",
        "+2 next to a pond, which I find fair to a tree.",
    ],
)
def test_a_clause_that_tells_a_story_is_an_aside(text: str) -> None:
    """It may name things of the game."""
    glossary = grove().compiled.glossary
    (found,) = glossary.readings_if_any(text)
    assert found.means_as(*glossary.readings_if_any("+2 next to a pond."))


@pytest.mark.parametrize(
    "text",
    [
        "+2 next to a pond, because two trees can't resist it.",  # it may count,
        "+2 next to a pond, because it withers unless a tree is there.",  # set a condition,
        "Plant a withering tree, so +2 next to a pond.",  # have somebody do something,
        "At night, so +2 next to a pond, which doubles at night.",  # or say what happens
        "+2 next to a pond, because of a tree.",  # a thing of the game is no aside
        "+2 next to a pond, because of 3 frogs.",
        "+2 next to a pond, because only frogs croak.",
        "+2 next to a pond, if frogs croak.",
        "+2 next to a pond, as long as frogs croak.",
        "+2 next to a pond, since as long as frogs croak.",
        "+2 next to a pond, otherwise 7.",
        "+2 next to a pond, otherwise it is flooded.",
        "At night, +2 next to a pond.",
    ],
)
def test_what_may_say_something_is_no_aside(text: str) -> None:
    assert not grove().compiled.glossary.readings_if_any(text)
