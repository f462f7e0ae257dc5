"""What the library asks of a game stands in one place, and nothing stands there in vain."""

from __future__ import annotations

from rulelang.builtins.registry import authors_words
from rulelang.english.interface import DEFINITIONS, ROLES, TYPES
from rulelang.english.library import declarations
from rulelang.syntax.grammar import reserved
from rulelang.syntax.nodes import Node

DEFINES = ("define", "define_one")
QUANTIFIED = ("some", "none_of", "every", "each_of", "filter", "image", "line", "for_each", "each")
BINDING = (*QUANTIFIED, "let", "choose", "choose_order", "slot", "param")


def named(node: Node) -> set[str]:
    """The names that a declaration uses as values and does not bind."""
    bound = {w.text for part in node.walk() if part.kind in BINDING for w in part.words()}
    asked = {p.part(0).text for p in node.walk() if p.kind == "role_param"}
    used = {p.parts[0].text for p in node.walk() if p.kind in ("name", "call") and p.parts[0]}
    return (used | asked) - bound


def test_the_library_asks_for_nothing_else() -> None:
    """Each name it uses is bound, its own, the language's, a role or a definition of the tables."""
    known = {d.part(0).text for d in declarations() if d.kind in (*DEFINES, "phrase")}
    known |= {role.name for role in ROLES} | {asked.name for asked in DEFINITIONS}
    known |= (
        {word.name for word in authors_words()}
        | set(reserved())
        | {"players", "true", "false", "chance", "total"}
    )
    asked = {name: d.span for d in declarations() for name in named(d) - known}
    assert asked == {}


def test_no_role_and_no_definition_is_there_in_vain() -> None:
    """Each is asked for by some wording; `lasts` by the times for which patterns are in force."""
    words = {w.text for d in declarations() for w in d.walk() if not w.parts}
    assert {role.name for role in ROLES} | {asked.name for asked in DEFINITIONS} <= words
    assert {role.name for role in ROLES} >= TYPES
