"""The Pygments lexer of rules, named in an entry point: the words of `rulelang.syntax.lexemes`.

Needs Pygments, which rich brings along.
"""

from __future__ import annotations

from collections.abc import Iterator

from pygments.lexer import Lexer
from pygments.token import Token, _TokenType

from rulelang.syntax.lexemes import lexemes

KINDS = {
    "row": Token.Literal.String.Doc,
    "comment": Token.Comment.Single,
    "string": Token.Literal.String.Double,
    "cite": Token.Name.Label,
    "keyword": Token.Keyword,
    "number": Token.Literal.Number.Integer,
    "name": Token.Name,
    "operator": Token.Operator,
    "other": Token.Text,
}


class RulelangLexer(Lexer):
    """Rules and card texts."""

    name = "Rulelang"
    aliases = ["rulelang", "rules"]
    filenames = ["*.rules"]
    url = ""

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Each word with where it begins, and what stands between the words."""
        starts = [0]
        for line in text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        at = 0
        for one in lexemes(text):
            start = starts[one.line - 1] + one.column - 1
            if start > at:
                yield at, Token.Text.Whitespace, text[at:start]
            yield start, KINDS[one.kind], one.text
            at = start + len(one.text)
        if at < len(text):
            yield at, Token.Text.Whitespace, text[at:]
