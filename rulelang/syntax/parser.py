"""The parser: blocks of text become syntax trees.

A line that cannot be parsed is reported in the author's words and left out, and the rest of its
block is parsed again, so that all mistakes of a file are shown in one run.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace

from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from rulelang.diagnostics import Report
from rulelang.diagnostics.english import plural
from rulelang.diagnostics.source import MAX_MISTAKES, MAX_TREE, Block, Source, Span
from rulelang.syntax.errors import report_parse_error
from rulelang.syntax.grammar import block_parser, parser, reserved
from rulelang.syntax.nodes import SLIP, Node

INDEPENDENT = ("card", "deck", "scenario", "ruling")  # declarations that no other depends on
MAX_DECLARATIONS = 20_000  # of one ruleset with all that is added to it
_MOST_ERRORS = 6  # a block with more mistakes than this is better read again by its author


@functools.lru_cache(maxsize=8192)
def _read(text: str, file: str, first: int) -> tuple[Node, tuple[Node, ...]] | None:
    """The declaration that stands so in a file, and the reserved words it uses as names.

    None if it is nested too deep. Raises Lark's UnexpectedInput or DedentError.
    """
    made = block_parser().parse(text + "\n", file, first)
    if made is None:
        parser().parse(text + "\n")  # says what is wrong
        raise AssertionError("two parsers of the same tables differ")
    item = made.part(0)
    if _depth(item) > MAX_TREE:
        return None
    return item, tuple(_reserved_in(item))


def parse_source(
    source: Source, report: Report, without: tuple[str, ...] = (), slips: bool = True
) -> list[Node]:
    """Every declaration of a text that could be parsed, in order; what could not is reported.

    Declarations that begin with a word of `without` are passed over unread, and so is all that
    follows more than a ruleset may have. With `slips`, what cannot be parsed as the value of a
    card's field is left to those who know the field.
    """
    found: list[Node] = []
    before = len(report.found)
    for block in source.blocks:
        word = block.text.split(None, 1)[0]
        if word in without:
            continue
        report.declared += 1
        if report.declared > MAX_DECLARATIONS:
            _report_too_many(block, report)
            break
        if word in INDEPENDENT:
            report.independent.append(block.span)
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
        node = parse_block(block, report, slips)
        if node is not None:
            found.append(node)
    return found


def _report_too_many(block: Block, report: Report) -> None:
    """Report, where the first of them stands, that there are more declarations than may be."""
    if report.declared == MAX_DECLARATIONS + 1:
        where = Span(block.source.file, block.first, 1, block.first, 2)
        report.add(
            "too-many",
            where,
            what="declarations of one game",
            found=f"this is number {report.declared}",
            limit=MAX_DECLARATIONS,
        )


def parse_block(block: Block, report: Report, slips: bool = True) -> Node | None:
    """One declaration, without the lines that could not be parsed, which are reported.

    None if what is left cannot be parsed either. With `slips`, what cannot be parsed as the value
    of a card's field stands in the node as it was written.
    """
    lines = block.text.split("\n")
    dropped: set[int] = set()
    slipped: dict[int, Node] = {}
    for _ in range(_MOST_ERRORS):
        try:
            found = _read("\n".join(lines), block.source.file, block.first)
        except (UnexpectedInput, DedentError, RecursionError) as error:
            if _follows(error, lines, dropped):
                break
            if slips and _took_slip(block, lines, error, slipped):
                continue
            line = report_parse_error(block, lines, error, report)
            if line is None or line == 0 or not lines[line].strip():
                break
            report.unread |= _names_lost(lines, line)
            dropped |= _drop(lines, line)
            continue
        if found is None:
            end = len(block.text.split("\n")[0].rstrip()) + 1
            span = Span(block.source.file, block.first, 1, block.first, end)
            report.add("too-deep", span, limit=str(MAX_TREE))
            break
        node, reserved_names = found
        _report_reserved(reserved_names, report)
        return _with_slips(node, slipped) if slipped else node
    report.unread |= _names_lost(block.text.split("\n"), 0)
    return None


_FIELD = re.compile(r"(\s+)([a-z]\w*)\s*:\s*(?=\S)(.*?)\s*(?:#.*)?")


def _took_slip(block: Block, lines: list[str], error: Exception, slips: dict[int, Node]) -> bool:
    """Put a text for what cannot be parsed as the value of a card's field, and keep what it was.

    What can stand there hangs on the field, so it is told where fields are known.
    """
    number = getattr(error, "line", None) if isinstance(error, UnexpectedInput) else None
    token = getattr(error, "token", None)
    number = token.line if token is not None and token.type == "_NL" else number
    if not block.text.startswith("card") or not isinstance(number, int):
        return False
    column = getattr(error, "column", 0)
    open_above = _open_field(lines, number - 1)
    if open_above is not None:
        number, column = open_above, len(lines[open_above - 1]) + 1
    found = _FIELD.fullmatch(lines[number - 1]) if 1 < number <= len(lines) else None
    at = found.start(3) + 1 if found is not None else 0
    if found is None or number in slips or not isinstance(column, int) or column < at:
        return False
    line, said = number + block.first - 1, found.group(3)
    span = Span(block.source.file, line, at, line, at + len(said))
    slips[number] = Node(SLIP, (), span, said)
    lines[number - 1] = f'{found.group(1)}{found.group(2)}: ""'
    return True


def _open_field(lines: list[str], number: int) -> int | None:
    """The line next above, if it gives a field a value whose brackets it leaves open."""
    above = next((n for n in range(number, 0, -1) if lines[n - 1].strip()), None)
    if above is None:
        return None
    found = _FIELD.fullmatch(lines[above - 1])
    said = re.sub(r'"[^"]*"', "", found.group(3)) if found is not None else ""
    return above if sum(map(said.count, "({")) > sum(map(said.count, ")}")) else None


def _with_slips(card: Node, slips: dict[int, Node]) -> Node:
    """A card with the values that could not be parsed, as they were written."""
    by_line = {slip.span.line: slip for slip in slips.values()}
    parts = [
        replace(part, parts=(part.part(0), by_line[part.span.line], *part.parts[2:]))
        if part is not None and part.kind == "datum" and part.span.line in by_line
        else part
        for part in card.parts
    ]
    return replace(card, parts=tuple(parts))


def _drop(lines: list[str], line: int) -> set[int]:
    """Blank a line and those indented under it; returns their indices."""
    dropped = {line}
    indent = len(lines[line]) - len(lines[line].lstrip())
    lines[line] = ""
    for later in range(line + 1, len(lines)):
        text = lines[later]
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        lines[later] = ""
        dropped.add(later)
    return dropped


def _report_reserved(names: tuple[Node, ...], report: Report) -> None:
    """Report each reserved word used as a name, where it stands first."""
    for name in names:
        word = name.text
        if word in report.reserved:
            continue
        report.reserved.add(word)
        if len(word) == 1:
            other = "`b` or `one`"
        else:
            other = f"`{word}_1`" if word in ("an", "at") else f"`my_{word}`"
        fix = f"Take another name, such as {other}."
        report.add("reserved-word", name.span, word=word, fix=fix)


def parse_value(text: str, span: Span, report: Report) -> Node | None:
    """A value within a text in quotes, which stands on one line; none, with a report, if it fails.

    It is parsed as the value of a declaration, placed so that its spans are those of the file.
    """
    padding = " " * (span.column - 1)
    block = Block(Source(span.file, ""), span.line - 1, f"define it =\n{padding}{text}")
    made = parse_block(block, report)
    if made is None:
        return None
    found = made.part(4)
    if len(found.parts) > 1:
        report.add("unexpected-word", found.part(1).span, word=",", expected="the end of the value")
    return found.part(0)


def _depth(node: Node) -> int:
    """How many levels a tree has; each `otherwise if` adds one, for it nests in those before it.

    A single word has none.
    """
    deepest, level = 0, [node] if _is_tree(node) else []
    while level and deepest <= MAX_TREE:
        deepest += 1
        level = [part for item in level for part in item.parts if part and _is_tree(part)]
        deepest = max([deepest, *[len(item.parts) // 2 for item in level if item.kind == "if_"]])
    return deepest


def _is_tree(node: Node) -> bool:
    return bool(node.parts) or node.kind.islower()


def _reserved_in(node: Node, listed: bool = False) -> Iterator[Node]:
    """The reserved words that are used as names; words of a list such as `3 by 3` are no names."""
    if node.kind == "NAME" and not listed and node.text in reserved():
        yield node
    inner = node.kind == "item" and len(node.parts) > 1
    for part in node.parts:
        if part is not None:
            yield from _reserved_in(part, inner)


def _follows(error: Exception, lines: list[str], dropped: set[int]) -> bool:
    """Does the error only follow from a line that was left out?"""
    if not dropped or not isinstance(error, UnexpectedToken):
        return False
    token = error.token
    if token.type == "_NL" and "_INDENT" in set(error.accepts or error.expected):
        line = token.line or 1
    elif token.type in ("$END", "_DEDENT"):
        line = max((i + 1 for i, text in enumerate(lines) if text.strip()), default=1)
    else:
        return False
    while line < len(lines) and not lines[line].strip():
        if line in dropped:
            return True
        line += 1
    return False


# every word of these may be a name others use
_LISTS = ("game", "kind", "group", "option", "component", "board", "place")
_BINDS = ("let", "choose", "for", "each")


def _names_lost(lines: list[str], index: int) -> set[str]:
    """The names that a line which cannot be parsed may declare, in singular and plural.

    That they are missing elsewhere follows from this mistake and is no other.
    """
    words = _names_in(lines[index])
    head = (re.findall(r"\w+", lines[0]) or [""])[0]
    if index == 0:
        whole = head in _LISTS
        words = [word for line in lines for word in _names_in(line)] if whole else words[1:2]
    elif head not in _LISTS and (not words or words[0] not in _BINDS):
        words = []
    return {form for word in words for form in (word, plural(word))}


def _names_in(line: str) -> list[str]:
    """The words of a line that are not in quotes."""
    return re.findall(r"[a-z_]\w*", re.sub(r'"[^"]*"?', " ", line))
