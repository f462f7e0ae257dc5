"""Blocks of text become syntax; a block that cannot be read is reported in the author's words, and reading goes on at the next line."""

from __future__ import annotations

import functools
import re

from lark import Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from rulelang.diagnostics import Report
from rulelang.diagnostics.english import plural
from rulelang.diagnostics.source import MAX_MISTAKES, MAX_TREE, Block, Source, Span, blocks
from rulelang.syntax.errors import complain
from rulelang.syntax.grammar import parser, reserved
from rulelang.syntax.nodes import Node

APART = ("card", "deck", "scenario", "ruling")  # declarations that no other hangs on
_MOST_ERRORS = 6  # a block with more mistakes than this is better read again by its author


@functools.lru_cache(maxsize=4096)
def _parse(text: str) -> Tree[Token]:
    return parser().parse(text + "\n")


@functools.lru_cache(maxsize=8192)
def _read(text: str, file: str, first: int) -> tuple[Node, tuple[Node, ...]] | None:
    """The declaration of a text that stands so in a file, and the names in it that are reserved; none if it is too deep."""
    item = _parse(text).children[0]
    if isinstance(item, Tree) and _depth(item) > MAX_TREE:
        return None
    taken: list[Node] = []
    return _node(item, file, first, taken), tuple(taken)


def parse_source(source: Source, report: Report, without: tuple[str, ...] = ()) -> list[Node]:
    """Every declaration of a text that could be read, in order; what could not be read is reported, all of it in one run.

    Declarations that begin with a word of `without` are passed over unread.
    """
    found: list[Node] = []
    before = len(report.found)
    for block in blocks(source):
        word = block.text.split(None, 1)[0]
        if word in without:
            continue
        if word in APART:
            report.apart.append(block.span)
        if len(report.found) - before > MAX_MISTAKES:
            where = Span(source.file, block.first, 1, block.first, 2)
            report.add(
                "too-many",
                where,
                what="mistakes to go on reading this file",
                found=len(report.found) - before,
                limit=MAX_MISTAKES,
            )
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
            found = _read("\n".join(lines), block.source.file, block.first)
        except (UnexpectedInput, DedentError, RecursionError) as error:
            if _follows(error, lines, dropped):
                break
            line = complain(block, lines, error, report)
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
        if found is None:
            first = block.text.split("\n")[0].rstrip()
            report.add(
                "too-deep",
                Span(block.source.file, block.first, 1, block.first, len(first) + 1),
                limit=str(MAX_TREE),
            )
            break
        node, reserved_names = found
        for name in reserved_names:
            if name.text not in report.reserved:
                report.reserved.add(name.text)  # told where it stands first
                other = (
                    "`b` or `one`"
                    if len(name.text) == 1
                    else f"`{name.text}_1`"
                    if name.text in ("an", "at")
                    else f"`my_{name.text}`"
                )
                report.add(
                    "reserved-word",
                    name.span,
                    word=name.text,
                    fix=f"Take another name, such as {other}.",
                )
        return node
    report.unread |= _names_lost(block.text.split("\n"), 0)
    return None


def parse_value(text: str, span: Span, report: Report) -> Node | None:
    """A value that stands within a text in quotes, there on its one line; what cannot be read is reported."""
    head = (
        "define it ="  # what a value follows: so it is read, and placed, as it stands on its line
    )
    block = Block(Source(span.file, ""), span.line - 1, f"{head}\n{' ' * (span.column - 1)}{text}")
    made = parse_block(block, report)
    if made is None:
        return None
    found = made.part(4)
    if len(found.parts) > 1:
        report.add("unexpected-word", found.part(1).span, word=",", expected="the end of the value")
    return found.part(0)


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
    if (
        not dropped
        or not isinstance(error, UnexpectedToken)
        or error.token.type not in ("_NL", "$END", "_DEDENT")
    ):
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


_LISTS = (
    "game",
    "kind",
    "group",
    "option",
    "component",
    "board",
    "place",
)  # every word of these may be a name others use
_BINDS = ("let", "choose", "for", "each")


def _names_lost(lines: list[str], index: int) -> set[str]:
    """What a line that cannot be read would have named: that it is missing elsewhere follows from this mistake and is no other."""
    words = re.findall(r"[a-z_]\w*", re.sub(r'"[^"]*"?', " ", lines[index]))
    head = (re.findall(r"\w+", lines[0]) or [""])[0]
    if head in _LISTS:
        if index == 0:
            words = [
                word
                for line in lines
                for word in re.findall(r"[a-z_]\w*", re.sub(r'"[^"]*"?', " ", line))
            ]
    elif index == 0:
        words = words[1:2]
    elif not words or words[0] not in _BINDS:
        words = []
    return {form for word in words for form in (word, plural(word))}


def _node(
    item: Tree[Token] | Token | None, file: str, first: int, taken: list[Node], listed: bool = False
) -> Node:
    """The syntax of what was read; names that are reserved are put among the taken."""
    shift = first - 1
    if isinstance(item, Token):
        line, column = item.line or 1, item.column or 1
        span = Span(
            file,
            line + shift,
            column,
            (item.end_line or line) + shift,
            item.end_column or column + len(item),
        )
        text = str(item)
        if item.type == "BAR":
            text = text.split("|", 1)[1]
        leaf = Node(item.type, (), span, text)
        if item.type == "NAME" and text in reserved() and not listed:
            taken.append(leaf)
        return leaf
    assert isinstance(item, Tree)
    inner = (
        item.data == "item" and len(item.children) > 1
    )  # words of a setting such as `3 by 3` name nothing new
    parts = tuple(
        None if child is None else _node(child, file, first, taken, inner)
        for child in item.children
    )
    meta = item.meta
    if meta.empty:
        known = [part.span for part in parts if part is not None]
        span = known[0].to(known[-1]) if known else Span(file, first, 1, first, 2)
    else:
        span = Span(file, meta.line + shift, meta.column, meta.end_line + shift, meta.end_column)
        # a line's node ends with its newline; the author's stretch ends with the last word
        known = [part.span for part in parts if part is not None]
        if known and known[-1] < Span(file, span.end_line, 0, 0, 0):
            span = span.to(known[-1])
    return Node(str(item.data), parts, span)
