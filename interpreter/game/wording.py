"""Sentences from an author's wording and values: slots are filled, and nouns agree with numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulelang.diagnostics.english import singular

SLOT = re.compile(r"\{([a-z_]\w*)(?: [^}]*)?\}")
_ONE = re.compile(r"(?<![\w.-])(?<!player )1 (\w+)(?![\w'’])")


def filled(wording: str, said: Mapping[str, str]) -> str:
    """A wording with texts in its slots; a slot without a text keeps its name."""
    return SLOT.sub(lambda m: said.get(m.group(1), m.group(1)), wording)


def sentence(wording: str, said: Mapping[str, str], numbers: Mapping[str, int]) -> str:
    """The same, with the words beside its numbers in agreement with them.

    One is told in a word before its noun, and what would gain less than nothing loses.
    """
    for name, number in numbers.items():
        slot = rf"\{{{re.escape(name)}\}}"
        if number == 1:
            wording = re.sub(rf"{slot} (\w+)(?![\w'’])", _one, wording)
        elif number < 0:
            losing = rf"loses {-number}"
            wording = re.sub(rf"\b(?:receives|gains|gets|earns) {slot}", losing, wording)
    return filled(wording, said)


def agreeing(text: str) -> str:
    """A text in which a noun after a 1 stands in the singular."""
    return _ONE.sub(lambda m: f"1 {singular(m.group(1)) or m.group(1)}", text)


def _one(found: re.Match[str]) -> str:
    noun = singular(found.group(1))
    return f"one {noun}" if noun else found.group(0)
