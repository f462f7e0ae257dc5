"""Words in all their forms: how verbs are inflected, and what an entry says of each form."""

from __future__ import annotations

import pytest

from rulelang.english.inflection import inflected, is_inflected, verb_forms, verbs_inflected
from rulelang.phrases.rephrase import Rephraser


@pytest.mark.parametrize(
    "forms",
    [
        "touch touches touching touched touched",
        "score scores scoring scored scored",
        "carry carries carrying carried carried",
        "stay stays staying stayed stayed",
        "stop stops stopping stopped stopped",
        "border borders bordering bordered bordered",
        "abut abuts abutting abutted abutted",
        "lie lies lying lay lain",
        "free frees freeing freed freed",
        "build builds building built built",
        "choose chooses choosing chose chosen",
        "have has having had had",
        "do does doing did done",
        "go goes going went gone",
    ],
)
def test_verbs_are_inflected(forms: str) -> None:
    assert " ".join(verb_forms(forms.split()[0])) == forms


def test_all_wordings_of_a_list_are_in_the_same_form() -> None:
    assert list(inflected(["touch~", "share~ a side with"])) == [
        ("touch", "share a side with"),
        ("touches", "shares a side with"),
        ("touching", "sharing a side with"),
        ("touched", "shared a side with"),
    ]
    assert list(inflected(["rival(s)", "other player(s)"])) == [
        ("rival", "other player"),
        ("rivals", "other players"),
    ]
    assert list(verbs_inflected(["pay(s)", "spend~"]))[1] == ("pay(s)", "spends")
    assert list(inflected(["as it is", "so"])) == [("as it is", "so")]


def test_an_ending_by_itself_is_no_inflection() -> None:
    assert not is_inflected("border (on) {x}") and is_inflected("border~ (on)")


def test_words_are_read_before_what_they_are_part_of() -> None:
    """“Only be erected” is “only be built” before “only be” is read as “only be built”."""
    frames = (("may only be built", "(It / This) may only be"), ("build~", "erect~"))
    found = Rephraser(frames).forms("It may only be erected there.", lambda *_: True)
    assert "It may only be built there" in [form.text for form in found.found]
