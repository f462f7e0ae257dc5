"""The fixed grammar of rules: its text, the LALR parser made from it, and the reserved words."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from importlib import resources

from lark import Lark, Token
from lark.indenter import Indenter

from rulelang.syntax.lalr import BlockParser, Indentation
from rulelang.syntax.lark_adapter import keywords, lalr_tables, load_tables

CONTINUING = ("COMMA", "EQUAL")  # the terminals after which a line goes on in the next


class Blocks(Indenter):
    """Turns indentation into tokens.

    Inside brackets, after a comma and after `=` a line goes on in the next.
    """

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LBRACE"]
    CLOSE_PAREN_types = ["RPAR", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens of a block, with a token wherever its indentation changes."""
        # Lark does not annotate this method.
        made: Iterator[Token] = super().process(_continued(stream))  # type: ignore[no-untyped-call]
        return made


def _continued(stream: Iterator[Token]) -> Iterator[Token]:
    last = ""
    for token in stream:
        if token.type != "_NL" or last not in CONTINUING:
            last = token.type
            yield token


def grammar_text() -> str:
    """The fixed grammar, as shipped."""
    return resources.files("rulelang.syntax").joinpath("rules.lark").read_text("utf-8")


@functools.cache
def parser(strict: bool = False) -> Lark:
    """The LALR parser of one block, from the shipped parse tables if they are of this grammar.

    If strict it is made anew; a conflict or two terminals that match the same word are an error.
    """
    if not strict:
        shipped = resources.files("rulelang.syntax").joinpath("rules.tables.json")
        if shipped.is_file():
            made = load_tables(shipped.read_text("utf-8"), grammar_text(), Blocks())
            if made is not None:
                return made
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        strict=strict,
        postlex=Blocks(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


@functools.cache
def block_parser() -> BlockParser:
    """The parser of one block that makes nodes and knows no errors."""
    words = Blocks
    layout = Indentation(
        newline=words.NL_type,
        indent=words.INDENT_type,
        dedent=words.DEDENT_type,
        opening=frozenset(words.OPEN_PAREN_types),
        closing=frozenset(words.CLOSE_PAREN_types),
        continuing=frozenset(CONTINUING),
        tab=words.tab_len,
        blanks=" \t",
    )
    return BlockParser(lalr_tables(parser()), layout)


# Keywords only where a declaration or statement begins; elsewhere they are free for authors.
HEADS = frozenset(
    {
        "game",
        "kind",
        "group",
        "component",
        "board",
        "place",
        "state",
        "event",
        "invariant",
        "action",
        "procedure",
        "flow",
        "end",
        "rank",
        "option",
        "variant",
        "phrase",
        "pattern",
        "role",
        "opening",
        "amounts",
        "named",
        "synonyms",
        "rephrase",
        "card",
        "deck",
        "layout",
        "scenario",
        "ruling",
        "may",
        "choose",
        "attempt",
        "take",
    }
)


@functools.cache
def reserved() -> frozenset[str]:
    """The reserved words: no author may use one as a name."""
    words = {word for word in keywords(parser()).values() if word.isalpha()}
    return frozenset(words | {"a", "an", "rounded"}) - HEADS - {"at"}
