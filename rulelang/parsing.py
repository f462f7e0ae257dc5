"""Blocks of text become syntax; a block that cannot be read is reported in the author's words, and reading goes on at the next line."""
from __future__ import annotations

import functools
import re
from importlib import resources

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter

from rulelang import parsetables
from rulelang.messages import Report, nearest
from rulelang.names import plural
from rulelang.source import MAX_MISTAKES, MAX_TREE, Block, Source, Span, blocks
from rulelang.syntax import Node

_MOST_ERRORS = 6  # a block with more mistakes than this is better read again by its author


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LBRACE"]
    CLOSE_PAREN_types = ["RPAR", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


def grammar_text() -> str:
    """The fixed grammar, as shipped."""
    return resources.files("rulelang").joinpath("rules.lark").read_text("utf-8")


@functools.cache
def parser(strict: bool = False) -> Lark:
    """The parser of one block; strict refuses any conflict and any two terminals that could match the same word."""
    if not strict:
        shipped = resources.files("rulelang").joinpath("rules.tables.json")
        if shipped.is_file():
            made = parsetables.load(shipped.read_text("utf-8"), grammar_text(), _Blocks())
            if made is not None:
                return made
    return Lark(
        grammar_text(), parser="lalr", lexer="contextual", strict=strict, postlex=_Blocks(),
        propagate_positions=True, maybe_placeholders=True,
    )  # fmt: skip


# words that mean something only where a declaration or statement begins; inside lines they are free for authors
HEADS = frozenset({
    "game", "kind", "group", "component", "board", "place", "state", "event", "invariant", "action", "procedure",
    "flow", "end", "rank", "option", "variant", "phrase", "pattern", "card", "scenario", "ruling", "may", "choose",
    "take",
})  # fmt: skip


@functools.cache
def reserved() -> frozenset[str]:
    """The words no author may use as a name."""
    words = {t.pattern.value for t in parser().terminals if t.pattern.type == "str" and t.pattern.value.isalpha()}
    return frozenset(words | {"a", "an", "rounded"}) - HEADS - {"at"}


@functools.lru_cache(maxsize=4096)
def _parse(text: str) -> Tree[Token]:
    return parser().parse(text + "\n")


def parse_source(source: Source, report: Report, without: tuple[str, ...] = ()) -> list[Node]:
    """Every declaration of a text that could be read, in order; what could not be read is reported, all of it in one run.

    Declarations that begin with a word of `without` are passed over unread.
    """
    found: list[Node] = []
    before = len(report.found)
    for block in blocks(source):
        if without and block.text.split(None, 1)[0] in without:
            continue
        if len(report.found) - before > MAX_MISTAKES:
            where = Span(source.file, block.first, 1, block.first, 2)
            report.add("too-many", where, what="mistakes to go on reading this file", found=len(report.found) - before, limit=MAX_MISTAKES)
            break
        node = parse_block(block, report)
        if node is not None:
            found.append(node)
    return found


def parse_block(block: Block, report: Report) -> Node | None:
    """One declaration; lines that cannot be read are reported and left out, and the rest is still returned when it reads."""
    lines = block.text.split("\n")
    dropped: set[int] = set()
    for _ in range(_MOST_ERRORS):
        try:
            tree = _parse("\n".join(lines))
        except (UnexpectedInput, DedentError, RecursionError) as error:
            if _follows(error, lines, dropped):
                break
            line = _complain(block, lines, error, report)
            if line is None or line == 0 or not lines[line].strip():
                break
            report.unread |= _names_lost(lines, line)
            indent = len(lines[line]) - len(lines[line].lstrip())
            lines[line] = ""
            dropped.add(line)
            for later in range(line + 1, len(lines)):
                text = lines[later]
                if text.strip() and len(text) - len(text.lstrip()) <= indent:
                    break
                lines[later] = ""
                dropped.add(later)
            if not any(text.strip() for text in lines):
                break
            continue
        item = tree.children[0]
        if isinstance(item, Tree) and _depth(item) > MAX_TREE:
            first = block.text.split("\n")[0].rstrip()
            report.add("too-deep", Span(block.source.file, block.first, 1, block.first, len(first) + 1), limit=str(MAX_TREE))
            break
        return _node(item, block, report)
    report.unread |= _names_lost(block.text.split("\n"), 0)
    return None


def _depth(tree: Tree[Token]) -> int:
    """How many levels a tree has; every `otherwise if` is one more, for it stands in what comes before it."""
    deepest, level = 0, [tree]
    while level and deepest <= MAX_TREE:
        deepest += 1
        level = [child for item in level for child in item.children if isinstance(child, Tree)]
        deepest = max([deepest, *[len(item.children) // 2 for item in level if item.data == "if_"]])
    return deepest


def _follows(error: Exception, lines: list[str], dropped: set[int]) -> bool:
    """Is something missing only where a line was left out that could not be read?"""
    if not dropped or not isinstance(error, UnexpectedToken) or error.token.type not in ("_NL", "$END", "_DEDENT"):
        return False
    line = error.token.line or 1
    if error.token.type == "_NL":
        if "_INDENT" not in set(error.accepts or error.expected):
            return False
    else:
        line = max((i + 1 for i, text in enumerate(lines) if text.strip()), default=1)
    while line < len(lines) and not lines[line].strip():
        if line in dropped:
            return True
        line += 1
    return False


_LISTS = ("game", "kind", "group", "option", "component", "board", "place")  # every word of these may be a name others use
_BINDS = ("let", "choose", "for", "each")


def _names_lost(lines: list[str], index: int) -> set[str]:
    """What a line that cannot be read would have named: that it is missing elsewhere follows from this mistake and is no other."""
    words = re.findall(r"[a-z_]\w*", re.sub(r'"[^"]*"?', " ", lines[index]))
    head = (re.findall(r"\w+", lines[0]) or [""])[0]
    if head in _LISTS:
        if index == 0:
            words = [word for line in lines for word in re.findall(r"[a-z_]\w*", re.sub(r'"[^"]*"?', " ", line))]
    elif index == 0:
        words = words[1:2]
    elif not words or words[0] not in _BINDS:
        words = []
    return {form for word in words for form in (word, plural(word))}


def _node(item: Tree[Token] | Token | None, block: Block, report: Report, listed: bool = False) -> Node:
    file, shift = block.source.file, block.first - 1
    if isinstance(item, Token):
        line, column = item.line or 1, item.column or 1
        span = Span(file, line + shift, column, (item.end_line or line) + shift, item.end_column or column + len(item))
        if item.type == "NAME" and str(item) in reserved() and not listed and str(item) not in report.reserved:
            report.reserved.add(str(item))  # told where it stands first
            other = "`b` or `one`" if len(item) == 1 else f"`{item}_1`" if item in ("an", "at") else f"`my_{item}`"
            report.add("reserved-word", span, word=str(item), fix=f"Take another name, such as {other}.")
        text = str(item)
        if item.type == "BAR":
            text = text.split("|", 1)[1]
        return Node(item.type, (), span, text)
    assert isinstance(item, Tree)
    inner = item.data == "item" and len(item.children) > 1  # words of a setting such as `3 by 3` name nothing new
    parts = tuple(None if child is None else _node(child, block, report, inner) for child in item.children)
    meta = item.meta
    if meta.empty:
        known = [part.span for part in parts if part is not None]
        span = known[0].to(known[-1]) if known else Span(file, block.first, 1, block.first, 2)
    else:
        span = Span(file, meta.line + shift, meta.column, meta.end_line + shift, meta.end_column)
        # a line's node ends with its newline; the author's stretch ends with the last word
        known = [part.span for part in parts if part is not None]
        if known and known[-1] < Span(file, span.end_line, 0, 0, 0):
            span = span.to(known[-1])
    return Node(str(item.data), parts, span)


# Terminal names never reach an author: what may stand here is told in about twenty phrases.
_WORDS = {
    "NAME": "a name", "NUMBER": "a number", "STRING": 'a text in quotes', "_NL": "the end of the line", "_INDENT": "an indented block",
    "_DEDENT": "the end of the block", "CITE": "a citation like [XY-001]", "BAR": "a row that begins with |", "LPAR": '"("', "RPAR": '")"',
    "LBRACE": '"{"', "RBRACE": '"}"', "COLON": '":"', "COMMA": '","', "EQUAL": '"="', "CMP": "a comparison", "A": '"a" or "an"',
    "AT_LEAST": '"at least"', "AT_MOST": '"at most"', "AT_ONCE": '"at once"', "AT_ONCE_SEALED": '"at once sealed"', "IN_TURN": '"in turn"',
    "AS_PLAYED": '"as played"', "UNTIL_STABLE": '"until stable"', "ROUNDED": '"rounded down" or "rounded up"',
    "PLUS": '"+"', "MINUS": '"-"', "STAR": '"*"', "SLASH": '"/"', "__ANON_0": "\"'s\"", "$END": "the end of the declaration",
}  # fmt: skip
_EXPRESSION = {"NAME", "NUMBER", "STRING", "LPAR", "LBRACE", "MINUS"}


def expected_words(names: set[str]) -> str:
    """What may stand at a place, in the author's words, never a grammar's names."""
    rest = set(names)
    said: list[str] = []
    if rest >= _EXPRESSION:
        said.append("a value or condition")
        rest -= _EXPRESSION | {"THE", "AT", "CAN", "NOT", "SOME", "NO", "EVERY", "IF", "SUPPOSING"}
    elif {"NAME", "NUMBER", "LPAR", "LBRACE"} <= rest:
        said.append("a value")
        rest -= _EXPRESSION | {"THE", "AT"}
    if {"PLUS", "MINUS", "STAR"} <= rest:
        rest -= {"PLUS", "MINUS", "STAR", "SLASH", "CMP", "EQUAL", "IS", "IN", "NOT", "AND", "OR", "__ANON_0", "NAME"}
        said.append("the rest of the condition")
    for name in sorted(rest):
        terminal = _WORDS.get(name)
        if terminal is None:
            terminal = f'"{_keyword(name)}"'
        said.append(terminal)
    if len(said) > 1:
        said = [word for word in said if word != _WORDS["__ANON_0"]]  # that a value may go on with 's helps nobody
    if len(said) > 9:
        return ", ".join(said[:8]) + " and so on"
    return " or ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


@functools.cache
def _keyword_table() -> dict[str, str]:
    return {t.name: t.pattern.value for t in parser().terminals if t.pattern.type == "str"}


def _keyword(name: str) -> str:
    return _keyword_table().get(name, name.lower().strip("_"))


_MEANT = {
    "&": "`and`, or a comma", ";": "a comma, or a new line", "“": 'the straight quote "', "”": 'the straight quote "', "„": 'the straight quote "',
    "«": 'the straight quote "', "»": 'the straight quote "', "'": "`'s` for what belongs to something, or \" for a text", "’": "the straight sign '",
    "–": "-", "—": "-", "×": "*", "·": "*", "÷": "/ and `rounded down`", "≤": "<=", "≥": ">=", "≠": "!=", "!": "`not`, or != between two values",
    "∧": "`and`", "∨": "`or`", "¬": "`not`", "%": "/ 100", ".": "`'s` for what belongs to something; no full stop ends a line",
    "]": "citations in [ ], and everything else in ( ) or { }",
}  # fmt: skip


def _complain(block: Block, lines: list[str], error: Exception, report: Report) -> int | None:
    """Report why the block stopped there; returns the index of the line to leave out."""
    file, shift = block.source.file, block.first - 1
    if isinstance(error, RecursionError):
        report.add("too-deep", Span(file, block.first, 1, block.first, 2), limit="40")
        return None
    if isinstance(error, DedentError):
        number = _bad_dedent(lines)
        report.add("bad-indent", Span(file, number + shift + 1, 1, number + shift + 1, len(lines[number]) + 1))
        return number
    if isinstance(error, UnexpectedCharacters):
        line, column = error.line, error.column
        span = Span(file, line + shift, column, line + shift, column + 1)
        char = lines[line - 1][column - 1 : column] if line - 1 < len(lines) else ""
        rest = lines[line - 1][column - 1 :] if line - 1 < len(lines) else ""
        if char == '"':
            report.add("open-quote", span.to(Span(file, line + shift, 1, line + shift, len(lines[line - 1]) + 1)))
        elif char == "[":
            report.add("bad-citation", Span(file, line + shift, column, line + shift, column + len(rest)))
        else:
            meant = _MEANT.get(char)
            if char.isalpha() or char.isdigit():
                meant = "names with the letters a to z, digits and _; anything may stand in quotes" if char.isalpha() else "numbers with the digits 0 to 9"
            report.add("odd-sign", span, char=char, fix=f"Write {meant}." if meant else None)
        return line - 1
    assert isinstance(error, UnexpectedToken)
    token = error.token
    expected = set(error.accepts or error.expected)
    line, column = token.line or 1, token.column or 1
    if token.type in ("_NL", "$END", "_DEDENT", "_INDENT"):
        # the newline token begins where the line it ends stops
        line = min(line, len(lines))
        if token.type in ("$END", "_DEDENT"):
            line = max((i + 1 for i, text in enumerate(lines) if text.strip()), default=1)
            column = len(lines[line - 1]) + 1
        if token.type == "_INDENT":
            later = next((i for i in range(line, len(lines)) if lines[i].strip() and not lines[i].lstrip().startswith("#")), line - 1)
            line, column = later + 1, 1
            span = Span(file, line + shift, 1, line + shift, len(lines[later]) + 1)
            report.add("unexpected-block", span, expected=expected_words(expected))
            return later
        span = Span(file, line + shift, column, line + shift, column + 1)
        if "_INDENT" in expected:
            report.add("block-missing", span, expected=expected_words(expected))
        else:
            report.add("line-ends-early", span, expected=expected_words(expected))
        return line - 1
    span = Span(file, line + shift, column, line + shift, column + len(str(token)))
    word = str(token)
    if line == 1 and column == 1:
        heads = [_keyword(name) for name in expected if name.isalpha() and _keyword(name).isalpha()]
        near = nearest(word, heads, 1)
        report.add("unknown-declaration", span, word=word, fix=f"Did you mean `{near[0]}`?" if near else None)
        return None
    if token.type in ("AND", "OR") and re.search(r"\b(and|or)\b", lines[line - 1]):
        report.add("and-with-or", span, word=word)
    elif token.type == "EQUAL" and "IS" in expected:
        report.add("unexpected-word", span, word=word, expected=expected_words(expected))
    else:
        near = nearest(word, [_keyword(name) for name in expected if _keyword(name).isalpha() and name != "NAME"], 1) if token.type == "NAME" else []
        report.add("unexpected-word", span, word=word, expected=expected_words(expected), fix=f"Did you mean `{near[0]}`?" if near else None)
    return line - 1


def _bad_dedent(lines: list[str]) -> int:
    levels = [0]
    for number, text in enumerate(lines):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        margin = text[: len(text) - len(text.lstrip())]
        indent = len(margin) + (_Blocks.tab_len - 1) * margin.count("\t")
        if indent > levels[-1]:
            levels.append(indent)
        else:
            while levels and indent < levels[-1]:
                levels.pop()
            if not levels or levels[-1] != indent:
                return number
    return max((number for number, text in enumerate(lines) if text.strip()), default=0)
