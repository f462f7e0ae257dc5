"""Every kind of syntax node has an entry in the table of the elaborator that is for it."""

from __future__ import annotations

from rulelang.elaborate.bodies import BODIES, ONLY_IN_PATTERNS
from rulelang.elaborate.expressions import EXPRESSIONS
from rulelang.elaborate.patterns import EXTENSIONS, LIFETIMES
from rulelang.elaborate.statements import BINDERS, STATEMENTS
from tests.tools.node_kinds import kinds_of


def test_every_kind_of_expression_has_a_rule() -> None:
    """The nodes that stand where the grammar names an expression are those of the table."""
    assert kinds_of("expr") == set(EXPRESSIONS)


def test_every_kind_of_statement_has_a_rule() -> None:
    """The nodes that stand where the grammar names a statement are those of the two tables."""
    assert kinds_of("stmt") == STATEMENTS.keys() | BINDERS.keys()
    assert not STATEMENTS.keys() & BINDERS.keys()


def test_every_kind_of_declaration_is_compiled_or_said_to_be_elsewhere() -> None:
    """A declaration has a body to compile, or is one of those named here."""
    declared_only = {"game", "option", "kind", "component", "board", "pair", "group", "phrase"}
    elsewhere = {
        *declared_only,
        "place",  # all that a place says is entered when it is declared
        "layout",
        "speaks",  # says for which game a file is
        "state",  # compiled before the definitions, which may read it
        "define",  # compiled when first asked for
        "define_one",
        "card",  # compiled by rulelang.compiler, as are deck lists and scenarios
        "deck",
        "scenario",
        "role",  # rulelang.english makes wordings for these before anything is compiled
        "opening",
        "frame",
        "synonyms",  # the lexicon's
        "rephrase",
    }
    assert kinds_of("decl") == BODIES.keys() | ONLY_IN_PATTERNS | elsewhere
    assert not BODIES.keys() & elsewhere


def test_every_kind_of_extension_and_lifetime_is_known_to_patterns() -> None:
    """What a pattern may hold is in the tables of patterns, or is reported there as no slot."""
    whole = {"define", "define_one", "rules", "score", "procedure"}
    assert kinds_of("extension") == EXTENSIONS.keys() | {"reaction"} | whole
    assert kinds_of("grant") == LIFETIMES.keys()
