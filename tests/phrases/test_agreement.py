"""What is said of a text is grammatical: subjects, verbs and amounts agree."""

from __future__ import annotations

import re
import tomllib
from itertools import product
from pathlib import Path

import pytest

from interpreter.game.loading import Loaded, load_rules
from rulelang.english.inflection import known_verbs, verb_forms
from rulelang.phrases.agreement import Piece, agreed, in_number, tidied
from rulelang.phrases.readings import Glossary
from rulelang.phrases.unparse import unparse

FOLDER = Path(__file__).parent
GAMES = ("simcity", "card_city_xl", "the_city", "big_city")
ONE = (
    "it",
    "this card",
    "each other player",
    "every player",
    "another player",
    "that player",
    "whoever builds it",
    "nobody",
    "no one",
    "one of them",
    "at least one park",
    "at most 1 park",
    "the player who has most",
)
SEVERAL = (
    "you",
    "all players",
    "the other players",
    "your opponents",
    "both neighbors",
    "at least two parks",
    "2 parks",
    "these parks",
    "the players who have most",
)
VERBS = sorted(set(known_verbs().values()) - {"be"})


def said(subject: str, verb: str, many: bool | None = None) -> str:
    """A subject in a slot, and a verb of the wording's own behind it."""
    return agreed([Piece(subject, fills=True, many=many), Piece(f" {verb} so")])


@pytest.mark.parametrize("is_told", [False, True], ids=["base", "of one"])
def test_every_verb_goes_with_every_subject(is_told: bool) -> None:
    for base in VERBS:
        one = verb_forms(base).singular
        verb = one if is_told else base
        assert {said(subject, verb) for subject in ONE} == {
            f"{subject} {one} so" for subject in ONE
        }
        assert {said(s, verb) for s in SEVERAL} == {f"{s} {base} so" for s in SEVERAL}


@pytest.mark.parametrize("subject, many", [(s, False) for s in ONE] + [(s, True) for s in SEVERAL])
def test_what_fills_a_slot_begins_with_the_verb_of_its_subject(subject: str, many: bool) -> None:
    """“each other player” and “draw 2 cards” are two phrases."""
    for base in VERBS:
        whole = [Piece(subject, fills=True), Piece(" "), Piece(f"{base} 2 cards", fills=True)]
        assert agreed(whole) == f"{subject} {in_number(base, many)} 2 cards"


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ("<park> that touch it gives 1", "park that touches it gives 1"),
        ("<parks> that touches it gives 1", "parks that touch it give 1"),
        ("<parks> <you> buys costs 1", "parks you buy cost 1"),
        ("each <park> you buys cost 1", "each park you buy costs 1"),
        ("<parks> next to <park> counts 1", "parks next to park count 1"),
        ("<parks> may counts 1", "parks may count 1"),
        ("if <park> are there, draw 1", "if park is there, draw 1"),
        ("<each other player> draw 1 and discard 2", "each other player draws 1 and discards 2"),
        ("it lets <you> draw 1", "it lets you draw 1"),
        ("<each turn> receive 1", "each turn receive 1"),
        ("at the end receive 1", "at the end receive 1"),
        ("receive 1 for each <park>", "receive 1 for each park"),
        ("if it be there", "if it is there"),
        ("<parks> isn't there", "parks aren't there"),
    ],
)
def test_what_stands_between_subject_and_verb(pieces: str, expected: str) -> None:
    parts = [
        Piece(part, at % 2 == 1, None if " " in part else part.endswith("s"))
        for at, part in enumerate(re.split(r"[<>]", pieces))
    ]
    assert agreed(parts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("next to an other park", "next to another park"),
        ("all the your parks", "all your parks"),
        ("in its same row", "in the same row"),
        ("Parks later built next to it later", "Parks later built next to it"),
        ("no no park , and 1", "no park, and 1"),
    ],
)
def test_nothing_is_left_behind_where_slots_meet(text: str, expected: str) -> None:
    assert tidied(text) == expected


# ------------------------------------------------------------------------------------ all games
_cache: dict[str, Loaded] = {}


def loaded(game: str) -> Loaded:
    if game not in _cache:
        _cache[game] = load_rules(game, checks=False, tests=False)
    return _cache[game]


SUBJECTS = {"each other player": False, "whoever builds it": False, "all other players": True}
AMOUNTS = {"big_city": "point", "the_city": "point", "simcity": "dollar", "card_city_xl": "dollar"}


@pytest.mark.parametrize("game", GAMES)
def test_generated_sentences_are_said_in_agreement(game: str) -> None:
    """However a sentence is put, it is said with the form that its subject and number ask for."""
    glossary = loaded(game).compiled.glossary
    verbs, numbers, read = ("receive", "lose", "get", "gain"), (1, 2), 0
    for (subject, many), verb, number in product(SUBJECTS.items(), verbs, numbers):
        for form in (verb, verb_forms(verb).singular):
            for reading in glossary.readings_if_any(
                f"{subject} {form} {number} {AMOUNTS[game]}s.", None
            ):
                text = unparse(reading.derivation)
                read += 1
                who = subject.replace("builds", r"\w+")
                told = re.search(rf"{who} (?:also )?(\w+) (?:\$)?{number}(?: (\w+))?", text)
                if subject.startswith("whoever") and told is None:
                    continue  # “if you build it, receive …”
                assert told is not None, text
                assert told[1] == in_number(told[1], many), text
                assert told[2] is None or told[2].endswith("s") == (number != 1), text
    assert read


# What is wrong in whatever sentence it stands.
_BASE = "|".join(v for v in VERBS if v not in ("play", "place", "score", "park", "show", "cost"))
_WRONG = re.compile(
    rf"\b(?:each|every|another|that|no) (?:other )?(?:player|opponent) (?:also )?(?:{_BASE})\b"
    r"|\b(?:all|other|both|these) (?:players|opponents) (?:also )?(?:\w+ )?"
    r"(?:is|has|receives|loses)\b"
    r"|\b(?:he|she|it) (?:have|do|receive|lose|give|get|number|be)\b"
    r"|(?<![\d.,])\b1 (?!times|plus|minus|less|always|its|this)[a-z]+(?<![su])s\b"
    r"|\b(no|a|an|the|of|later|not) \1\b|\ban other\b|\b(?:a|an|each|every) \w+ies\b"
    r"|\bthe your\b|\bmay \w+s\b(?<!pass)(?<!cross)",
    re.IGNORECASE,
)


def texts(game: str) -> list[str]:
    """All that is put down as a sentence of a game."""
    found: list[str] = []
    for path in (FOLDER / f"data/wordings/{game}.toml", FOLDER / f"corpus/building/{game}.toml"):
        for rows in tomllib.loads(path.read_text("utf-8")).values():
            found += [row.get("text") or row.get("sentence") or "" for row in rows]
    return [text for text in found if text]


@pytest.mark.parametrize("game", GAMES)
def test_no_said_form_is_wrong(game: str) -> None:
    glossary = Glossary(loaded(game).compiled.glossary.lexicon)
    for text in texts(game):
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", text):
            for reading in glossary.readings_if_any(sentence, None):
                form = unparse(reading.derivation)
                assert _WRONG.search(form) is None, (sentence, form)


def test_a_verb_behind_you_goes_with_you() -> None:
    """Though “one” before it is one: “only one you have”."""
    assert agreed([Piece("only one you have gains 1")]) == "only one you have gains 1"
