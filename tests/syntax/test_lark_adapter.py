"""Lark's internals: parse tables as JSON, words and node kinds, and an Earley parser of few rules.

When the bound on Lark is raised, these tests say what of its internals has changed.
"""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
from pathlib import Path

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput
from lark.indenter import DedentError

from rulelang.syntax.grammar import Blocks, block_parser, grammar_text, parser
from rulelang.syntax.lark_adapter import (
    Earley,
    EarleyGrammar,
    EarleyRule,
    dump_tables,
    keywords,
    load_tables,
    node_kinds,
    terminal_patterns,
)
from rulelang.syntax.nodes import Node

ROOT = Path(__file__).resolve().parents[2]
# What Lark documents for its users; everything else of it belongs in the adapter.
PUBLIC = {
    "lark": {"Lark", "Token", "Tree"},
    "lark.exceptions": {
        "UnexpectedCharacters",
        "UnexpectedEOF",
        "UnexpectedInput",
        "UnexpectedToken",
    },
    "lark.indenter": {"DedentError", "Indenter"},
}
INTERNAL = {"memo_serialize", "_load_from_dict", "predictions", "pattern", "origin"}

TEXTS = [
    "kind color: red, green\n",
    "score value(b: piece)\n"
    '  + 2 * 3 - 1 "base" when b\'s size >= 2, some c in {1 to 3} where c = 2\n',
    "procedure turn(p: player)\n"
    '  if p is first\n    may "stop"\n      set x to 1\n  otherwise\n    do turn(p)\n',
    'card "Lake"\n  text\n    | Receive 2. [AB-001]\n',
]
SENTENCES = """
start: sentence
sentence: noun VERB noun | noun VERB noun NEAR noun | noun VERB list
list: noun AND noun | list AND noun
noun: A title -> one_such | title
title: _titles
_titles: LAKE | HILL | LAKE HILL
VERB: /sees/i
NEAR: /near/i
AND: /and/i
A: /a/i
LAKE: /lake/i
HILL: /hill/i
%ignore " "
"""
_RULES = """
start: sentence
sentence: noun VERB noun
sentence: noun VERB noun NEAR noun
sentence: noun VERB list
list: noun AND noun
list: list AND noun
noun: A title -> one_such
noun: title
title: _titles
_titles: LAKE
_titles: HILL
_titles: LAKE HILL
"""
RULES = [
    EarleyRule(symbol, tuple(parts.split()), name.strip())
    for symbol, _, body in (line.partition(":") for line in _RULES.strip().splitlines())
    for parts, _, name in [body.partition("->")]
]
WORDS = tuple((word.upper(), word) for word in ("sees", "near", "and", "a", "lake", "hill"))
GRAMMAR = EarleyGrammar(tuple(RULES), (("VERB", "sees"), *WORDS[1:], ("WS", " ")))


@pytest.fixture(scope="module")
def made() -> Lark:
    """The parser made from the grammar, without shipped tables."""
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        postlex=Blocks(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


@pytest.fixture(scope="module")
def earley() -> Lark:
    """A small parser like that of card sentences."""
    return Lark(SENTENCES, parser="earley", lexer="dynamic", ambiguity="explicit")


def test_lark_is_within_its_bound() -> None:
    """The adapter is written for Lark 1."""
    assert importlib.metadata.version("lark").split(".")[0] == "1"


@pytest.mark.parametrize("text", TEXTS)
def test_a_parser_from_tables_parses_alike(made: Lark, text: str) -> None:
    """Tables written and read again make the same trees, positions included."""
    again = load_tables(dump_tables(made, grammar_text()), grammar_text(), Blocks())
    assert again is not None
    one, two = made.parse(text), again.parse(text)
    assert one == two
    places = [
        [(t.data, t.meta.empty or (t.meta.line, t.meta.end_column)) for t in tree.iter_subtrees()]
        for tree in (one, two)
    ]
    assert places[0] == places[1]


def _shape(item: Tree[Token] | Token | None) -> object:
    """A tree of Lark as nested tuples, each leaf with its place."""
    if item is None:
        return None
    if isinstance(item, Token):
        text = item.split("|", 1)[1] if item.type == "BAR" else str(item)
        return item.type, text, (item.line, item.column, item.end_line, item.end_column)
    return str(item.data), (item.meta.line, item.meta.column), [_shape(c) for c in item.children]


def _shape_of(node: Node | None) -> object:
    """A node in the same form."""
    if node is None:
        return None
    span = node.span
    if not node.kind.islower():
        place = (span.line, span.column, span.end_line, span.end_column)
        return node.kind, node.text, place
    return node.kind, (span.line, span.column), [_shape_of(part) for part in node.parts]


@pytest.mark.parametrize("text", TEXTS)
def test_blocks_are_parsed_as_by_lark(made: Lark, text: str) -> None:
    """The parser that makes nodes by Lark's tables gives what Lark gives."""
    assert _shape_of(block_parser().parse(text, "", 1)) == _shape(made.parse(text))


@pytest.mark.parametrize(
    "text", ["kind color: \n", "kind ?\n", "x\n    y\n  z\n", "score x(\n", ""]
)
def test_blocks_that_lark_refuses_are_refused(made: Lark, text: str) -> None:
    """There is no node for a text that is no block."""
    with pytest.raises((UnexpectedInput, DedentError)):
        made.parse(text)
    assert block_parser().parse(text, "", 1) is None


def test_the_shipped_tables_are_of_this_grammar(made: Lark) -> None:
    """A changed grammar needs tests/tools/make_tables.py."""
    shipped = (ROOT / "rulelang" / "syntax" / "rules.tables.json").read_text("utf-8")
    stamp = json.loads(dump_tables(made, grammar_text()))["stamp"]
    if json.loads(shipped)["stamp"] != stamp:
        assert importlib.metadata.version("lark") != "1.3.1", "run tests/tools/make_tables.py"
        pytest.skip("the shipped tables are of another version of Lark and are passed over")
    assert load_tables(shipped, grammar_text(), Blocks()) is not None


def test_foreign_and_damaged_tables_are_refused(made: Lark) -> None:
    """Tables of another grammar, cut tables and other data are no tables, and raise nothing."""
    text = dump_tables(made, grammar_text())
    assert load_tables(text, grammar_text() + "\n", Blocks()) is None
    stamp = json.loads(text)["stamp"]
    for wrong in (text[: len(text) // 2], "[]", "", json.dumps({"stamp": stamp})):
        assert load_tables(wrong, grammar_text(), Blocks()) is None
    assert load_tables(json.dumps({"stamp": stamp, "data": {}}), grammar_text(), Blocks()) is None


def test_words_and_kinds_are_those_of_the_grammar(made: Lark) -> None:
    """Terminals, keywords and kinds of nodes are found, from tables as from the grammar."""
    for one in (made, parser()):
        assert keywords(one)["GAME"] == "game" and keywords(one)["PLUS"] == "+"
        assert "NUMBER" not in keywords(one)
        assert re.fullmatch(terminal_patterns(one)["NUMBER"], "12")
        kinds = node_kinds(one)
        assert {"score", "if_", "line", "filter", "bar"} <= kinds
        assert not {"stmt", "_cite", "expr"} & kinds
    assert node_kinds(made) == node_kinds(parser())


def _places(text: str) -> list[int]:
    """The rules whose words all stand in a text."""
    there = {name for name, word in GRAMMAR.terminals if word in text.lower().split()}
    kept = [{part for part in rule.parts if part.isupper()} <= there for rule in RULES]
    return [place for place, has_its_words in enumerate(kept) if has_its_words]


@pytest.mark.parametrize("text", ["lake sees a hill", "A lake hill sees lake and a hill and lake"])
def test_a_text_is_parsed_as_lark_itself_does(earley: Lark, text: str) -> None:
    """With every rule, and with those alone whose words stand in it, all derivations included."""
    made = Earley(GRAMMAR)
    assert len(_places(text)) < len(RULES)
    for chosen in (range(len(RULES)), _places(text)):
        assert made.parse(chosen, text) == earley.parse(text)


def test_only_chosen_rules_are_tried() -> None:
    """Without a rule it needs a text is not parsed; the next text is parsed as ever."""
    made, text = Earley(GRAMMAR), "lake sees a hill"
    without = [place for place in _places(text) if "HILL" not in RULES[place].parts]
    with pytest.raises(UnexpectedInput):
        made.parse(without, text)
    assert made.parse(_places(text), text).data == "start"


def test_terminals_may_end_within_words() -> None:
    """A text of which terminals take parts of words is parsed as one of which they take whole."""
    rules = (EarleyRule("start", ("NUMBER", "END")), EarleyRule("start", ("WORD",)))
    terminals = (("NUMBER", r"\d+"), ("END", "nd"), ("WORD", r"\w+"), ("WS", " "))
    made = Earley(EarleyGrammar(rules, terminals)).parse(range(2), "22nd")
    found = [tree.children for tree in made.iter_subtrees() if tree.data == "start"]
    assert sorted(found) == [["22", "nd"], ["22nd"]]


def test_a_failure_tells_where_and_what_could_stand_there(earley: Lark) -> None:
    """The place and the names of terminals are those that Lark itself gives."""
    made = Earley(GRAMMAR)
    for text in ("lake sees a lake nearby the hill", "lake sees", "  lake  seven", "lake"):
        with pytest.raises(UnexpectedInput) as error:
            earley.parse(text)
        stop = made.stop(range(len(RULES)), text)
        assert stop is not None
        expected = {RULES[place].parts[done] for place, done in stop.rules}
        if isinstance(error.value, UnexpectedCharacters):
            assert (stop.at, expected) == (error.value.pos_in_stream, error.value.allowed)
        else:
            assert isinstance(error.value, UnexpectedEOF)
            assert (stop.at, expected) == (None, set(error.value.expected))


def test_only_the_adapter_uses_larks_internals() -> None:
    """Elsewhere only what Lark documents is imported, and no attribute of its inside is named."""
    for path in [*(ROOT / "rulelang").rglob("*.py"), *(ROOT / "interpreter").rglob("*.py")]:
        if path.name == "lark_adapter.py":
            continue
        tree = ast.parse(path.read_text("utf-8"))
        uses_lark = False
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert not any(alias.name.split(".")[0] == "lark" for alias in node.names), path
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "lark":
                names = {alias.name for alias in node.names}
                assert names <= PUBLIC.get(node.module or "", set()), (path, names)
                uses_lark |= bool(names & {"Lark", "Indenter"})
        if uses_lark:
            named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            assert not named & INTERNAL, path
