"""English for card texts: wordings that all games share, and the openings they reach a game by.

In come the declarations of a game; out go the same declarations with those of the shared library
that this game can say, for its roles and openings. Rulesets without roles get none. It works on
syntax trees alone and may use `syntax` and `diagnostics`.

* `library/*.rules`: the library, in the language itself and without a word of any game
* `interface`: what the library and a game ask of each other; `library`: its texts and syntax trees
* `openings`: wordings made for the openings of a game; `hygiene`: whose names never clash with its
"""

from rulelang.english.interface import (
    ADDED,
    ASIDE,
    BEARER,
    BEHIND,
    COUNTED,
    EPITHET,
    FOLDER,
    FRONT,
    OWN_MOMENT,
    PASSING,
    PROVIDED,
    SUBJECT,
    SUMMED,
    UNIT,
    WHOEVER,
)

__all__ = [
    "ADDED",
    "ASIDE",
    "BEARER",
    "BEHIND",
    "COUNTED",
    "EPITHET",
    "FOLDER",
    "FRONT",
    "OWN_MOMENT",
    "PASSING",
    "PROVIDED",
    "SUBJECT",
    "SUMMED",
    "UNIT",
    "WHOEVER",
]
