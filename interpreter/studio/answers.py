"""What a form of the table answers, as plain data that a state takes for an option."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulelang.core.values import Json

MOST_VALUES = 500  # of one answer
LONGEST = 2_000  # letters of a value


class Forged(Exception):
    """An answer that no page of ours sends."""


@dataclass(frozen=True)
class Reply:
    """An answer: to which question, of which name, and what."""

    key: str
    name: str
    value: Json


def reply(form: Mapping[str, Sequence[str]]) -> Reply:
    """The answer of a form; raises Forged."""
    mode = _one(form, "mode")
    values = [_data(text) for text in form.get("value", ())[:MOST_VALUES]]
    if mode == "some":
        found: Json = values
    elif mode == "order":
        found = _ordered(form)
    elif len(values) == 1:
        found = values[0]
    else:
        raise Forged("choose one option")
    return Reply(_one(form, "key"), _one(form, "name"), found)


def _ordered(form: Mapping[str, Sequence[str]]) -> Json:
    """Items in the order of their ranks; raises Forged where two have one rank."""
    items = [_data(text) for text in form.get("item", ())[:MOST_VALUES]]
    ranks = form.get("rank", ())
    if len(ranks) != len(items) or not all(rank.isdecimal() for rank in ranks):
        raise Forged("give each a place")
    if len({int(rank) for rank in ranks}) != len(items):
        raise Forged("give each another place")
    pairs = sorted(zip(ranks, range(len(items)), strict=True), key=lambda pair: int(pair[0]))
    return [items[place] for _, place in pairs]


def _one(form: Mapping[str, Sequence[str]], name: str) -> str:
    values = form.get(name, ())
    if len(values) != 1 or len(values[0]) > LONGEST:
        raise Forged("that is no answer of this page")
    return values[0]


def _data(text: str) -> Json:
    """Plain data in JSON; raises Forged."""
    if len(text) > LONGEST:
        raise Forged("that is no answer of this page")
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Forged("that is no answer of this page") from error
    return found
