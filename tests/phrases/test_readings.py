"""Card texts: every word is accounted for, all readings are found, and what was read is said back
in words that read the same.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark.exceptions import UnexpectedInput

from interpreter.authoring.check import check
from interpreter.authoring.distinguish import Difference, tell_apart
from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, load_rules
from interpreter.scenarios.scenario import Runner
from rulelang.english import FOLDER
from rulelang.phrases.phrase import Derivation, Phrase
from rulelang.phrases.readings import Glossary
from rulelang.phrases.unparse import unparse

AMBIGUOUS = "tests/programs/ambiguous.rules"
WORDINGS = "tests/programs/wordings.rules"
_cache: dict[str, Loaded] = {}


def loaded(name: str) -> Loaded:
    if name not in _cache:
        _cache[name] = load_rules(name)
        assert not _cache[name].findings(), [_cache[name].draw(i) for i in _cache[name].findings()]
    return _cache[name]


def test_every_card_has_one_meaning_and_says_it_back() -> None:
    """describe(read(text)) reads as an equal core object, for every sentence of every card."""
    glossary = loaded("big_city").compiled.glossary
    seen = 0
    for design in loaded("big_city").compiled.rules.designs:
        for text, _ in design.text:
            text = text.split(" [")[0]
            found = glossary.readings(text, design)
            assert len(found) == 1, text
            again = glossary.readings(unparse(found[0].derivation), design)
            assert [r.meaning for r in again] == [found[0].meaning]
            seen += 1
    assert seen > 50


def test_no_sentence_is_there_for_one_card_only() -> None:
    """Big City's cards are read by the sentences that all games share; each serves several."""
    rules = loaded("big_city").compiled
    users: dict[str, set[str]] = {}
    for design in rules.rules.designs:
        for text, _ in design.text:
            for reading in rules.glossary.readings(text.split(" [")[0], design):
                phrase = reading.derivation.phrase
                assert phrase is not None and phrase.span.file.startswith(FOLDER), text
                users.setdefault(phrase.text, set()).add(design.title)
    assert users and min(map(len, users.values())) >= 2


def test_all_readings_are_found_and_told() -> None:
    """Two attachments, two readings, each in brackets; a rewording with one meaning.

    A position where they differ.
    """
    base = loaded(AMBIGUOUS)
    glossary = base.compiled.glossary
    found = glossary.readings("Add 1 for each tree beside a pond beside a hut.")
    said = [unparse(r.derivation, grouped=True) for r in found]
    assert len(found) == 2 and len(set(said)) == 2
    rewording = glossary.rewording(found)
    assert rewording is not None and "(beside" in rewording
    game = game_of(base, 2, (), {})
    difference = tell_apart(game, found[0], found[1])
    assert isinstance(difference, Difference) and difference.one != difference.two


def test_an_ambiguous_card_is_refused_by_name_and_the_rest_loads() -> None:
    """The parser never picks: the card is left out with both readings told, the others stand."""
    text = (
        'for gardens\ncard "Odd" of plot\n  sort: hut\n  text\n'
        "    | Add 1 for each tree beside a pond beside a hut.\n"
        'card "Even" of plot\n  sort: hut\n  text\n    | Add 1 for each tree beside a pond.\n'
    )
    made = load_rules(AMBIGUOUS, added=[("odd.rules", text)])
    assert made.compiled.refused == ("Odd",)
    (finding,) = made.findings()
    assert (
        finding.code == "C003"
        and len([n for n in finding.notes if n.startswith("reading")]) == 2
        and finding.fixes
    )
    assert "Even" in {d.title for d in made.compiled.rules.designs} and "Odd" not in {
        d.title for d in made.compiled.rules.designs
    }
    game_of(made, 2, (), {}).start(1)


def test_rules_that_are_wrong_are_not_played_to_tell_readings_apart(tmp_path: Path) -> None:
    """Beside a mistake in the rules an ambiguous card is told as well, and no position is sought:
    those rules could not be played.
    """
    broken = (
        Path(AMBIGUOUS)
        .read_text("utf-8")
        .replace("choose at in spots_of by p", "choose at in nowhere by p")
    )
    odd = (
        'card "Odd" of plot\n  sort: hut\n  text\n'
        "    | Add 1 for each tree beside a pond beside a hut.\n"
    )
    path = tmp_path / "gardens.rules"
    path.write_text(f"{broken}\n{odd}", "utf-8")
    found = check([str(path)]).found
    assert {"N001", "C003"} <= {item.code for item in found}
    (ambiguous,) = [item for item in found if item.code == "C003"]
    assert not any("differ" in note for note in ambiguous.notes)


def enumerate_texts(
    glossary: Glossary, category: str, depth: int, made: dict[tuple[str, int], list[Derivation]]
) -> list[Derivation]:
    """Derivations of a sort down to a depth, made without the parser: of each slot six.

    `made` holds those made before.
    """
    if category == "number":
        return [Derivation(None, number=1), Derivation(None, number=3)]
    if (category, depth) in made:
        return made[category, depth]
    found = made.setdefault((category, depth), [])
    for phrase in glossary.lexicon.phrases:
        if phrase.category != category:
            continue
        if phrase.word is not None:
            found.append(Derivation(phrase))
        elif depth > 0:
            options = [enumerate_texts(glossary, c, depth - 1, made)[:6] for c in order(phrase)]
            names = [n for n, _ in ordered_slots(phrase)]
            found += [
                Derivation(phrase, tuple(zip(names, combo, strict=True)))
                for combo in itertools.islice(itertools.product(*options), 60)
            ]
    return found


def ordered_slots(phrase: Phrase) -> list[tuple[str, str]]:
    positions = {name: phrase.text.index("{" + name) for name, _ in phrase.slots}
    return sorted(phrase.slots, key=lambda s: positions[s[0]])


def order(phrase: Phrase) -> list[str]:
    return [c for _, c in ordered_slots(phrase)]


@pytest.mark.parametrize("name", [AMBIGUOUS, "big_city"])
def test_the_reader_finds_what_the_enumerator_makes(name: str) -> None:
    """Every text the phrases can make, down to a small depth, is read, and the derivation it was
    made by is among its readings.
    """
    glossary = loaded(name).compiled.glossary
    made = enumerate_texts(glossary, "sentence", 3, {})
    assert len(made) > 20
    for derivation in made[:: max(1, len(made) // 120)]:
        text = unparse(derivation)
        assert any(
            unparse(d, grouped=True) == unparse(derivation, grouped=True)
            for d in glossary.derivations(text)
        ), text


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_no_word_is_dropped(data: st.DataObject) -> None:
    """A sentence with a word put in, doubled or misspelt is refused; what is left of one without
    a word is refused or says another thing.
    """
    glossary = loaded("big_city").compiled.glossary
    texts = [t.split(" [")[0] for d in loaded("big_city").compiled.rules.designs for t, _ in d.text]
    text = data.draw(st.sampled_from(texts))
    words = text.split()
    at = data.draw(st.integers(0, len(words) - 1))
    how = data.draw(st.sampled_from(["drop", "double", "misspell", "add"]))
    if how == "drop":
        words.pop(at)
    elif how == "double":
        words.insert(at, words[at])
    elif how == "misspell":
        words[at] = words[at][:1] + words[at][2:] if len(words[at]) > 3 else words[at] + "q"
    else:
        words.insert(at, "quickly")
    changed = " ".join(words)
    try:
        found = glossary.readings(changed)
    except UnexpectedInput:
        return
    assert how == "drop", changed
    (whole,) = glossary.readings(text)
    left_out = text.split()[at]
    if left_out not in ("Add", "a", "the"):
        assert all(reading.meaning != whole.meaning for reading in found), changed


@pytest.mark.parametrize(
    "text",
    [
        "Add 2 for each other Inn built before it.",
        "Gain 2 for every Inn.",
        "Add 2 for each Inn before it.",
        "Gain 2 for each other very worthy Inn built.",
    ],
)
def test_optional_words_and_alternatives_may_be_written_or_not(text: str) -> None:
    """Every way to write a phrase is read as one meaning, and what is said of it reads as the
    same.
    """
    glossary = loaded(WORDINGS).compiled.glossary
    found = glossary.readings(text)
    assert len(found) == 1
    said = unparse(found[0].derivation)
    assert said.startswith("Add 2 for each other ") and said.endswith(" built before it.")
    assert [r.meaning for r in glossary.readings(said)] == [found[0].meaning]


def test_a_slot_named_twice_is_filled_alike() -> None:
    """A text that fills it in two ways is no sentence of that pattern."""
    glossary = loaded(WORDINGS).compiled.glossary
    assert len(glossary.readings("Inn beside Inn.")) == 1
    assert glossary.readings("Inn beside Well.") == []


def test_a_word_that_a_definition_reads_stands_for_what_it_gives() -> None:
    """The title that is the same word is no reading of its own.

    The titled piece is called so as well.
    """
    base = loaded(WORDINGS)
    assert len(base.compiled.glossary.readings("Add 1 for each Inn.")) == 1
    assert [o.passed for o in map(Runner(base).run, base.compiled.rules.scenarios)] == [True]
