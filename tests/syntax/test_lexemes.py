"""The words of a text told without parsing are those of the parser, in every shipped file."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from parsed_words import SORTS, parsed_words

from rulelang.diagnostics.source import decode_source
from rulelang.syntax.grammar import parser
from rulelang.syntax.lark_adapter import keywords
from rulelang.syntax.lexemes import Lexeme, everywhere, lexemes

ROOT = Path(__file__).resolve().parents[2]
# Of the large games every fifth file; all of them where RULELANG_FUZZ is set.
FILES = [
    path
    for folder in ("rulesets", "examples", "tests/good", "rulelang/english")
    for path in sorted((ROOT / folder).rglob("*.rules"))[
        :: 5 if folder == "rulesets" and "RULELANG_FUZZ" not in os.environ else 1
    ]
]


@pytest.mark.parametrize("folder", sorted({p.relative_to(ROOT).parts[0] for p in FILES}))
def test_every_shipped_file_has_the_words_of_the_parser(folder: str) -> None:
    for path in FILES:
        if path.relative_to(ROOT).parts[0] == folder:
            told = {one for one in lexemes(path.read_text("utf-8")) if one.kind in SORTS.values()}
            assert told == parsed_words(path), path


def test_what_is_no_other_word_is_a_keyword_or_a_sign() -> None:
    path = ROOT / "tests/good/kitchen/kitchen.rules"
    words = {name for name, word in keywords(parser()).items() if word.isalpha()}
    told = iter([one for one in lexemes(path.read_text("utf-8")) if one.kind != "comment"])
    source, _ = decode_source("kitchen", path.read_bytes())
    assert source is not None
    for block in source.blocks:
        for token in parser().parse_interactive(block.text + "\n").exhaust_lexer():
            if token.type in ("_NL", "_INDENT", "_DEDENT"):
                continue
            kind = SORTS.get(token.type, "keyword" if token[:1].isalpha() else "operator")
            kind = "keyword" if token.type in words else kind
            line, column = (token.line or 1) + block.first - 1, token.column or 1
            assert next(told) == Lexeme(kind, line, column, str(token))


def test_the_words_of_a_broken_text_are_told() -> None:
    told = [(one.kind, one.text) for one in lexemes('define ( "open\n  | a row [SC-1]\n# said $')]
    assert told == [
        ("name", "define") if "define" not in everywhere() else ("keyword", "define"),
        ("operator", "("),
        ("other", '"'),
        ("keyword" if "open" in everywhere() else "name", "open"),
        ("row", "| a row [SC-1]"),
        ("comment", "# said $"),
    ]
    assert not re.search(r"\s", "".join(everywhere()))
