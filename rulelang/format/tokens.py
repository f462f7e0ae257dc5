"""A text as lines of words for the formatter: what layout may move, and all it must keep.

Which words belong together is asked of the grammar, never guessed from the letters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree

from rulelang.diagnostics.source import Block, Source
from rulelang.syntax.grammar import Blocks, parser
from rulelang.syntax.nodes import split_cites


@dataclass(frozen=True)
class Word:
    """A word and the blanks before it: 2 where a new column of a line begins."""

    text: str
    blanks: int = 1
    turn: int = 0  # 1: a line that is too long may be broken before this word; 2: it is
    firm: bool = False  # a bracket that is not broken inside: parameters


@dataclass(frozen=True)
class Stretch:
    """What stands on one line of the text: words, then a comment."""

    words: tuple[Word, ...]
    comment: str = ""


@dataclass(frozen=True)
class Line:
    """A line of rules, a comment or a row; `owner` tells what stands in one block."""

    level: int
    kind: str = ""  # the grammar's name for it; of a row, what the row is of; "comment"
    owner: tuple[int, int] = (0, 0)
    gap: bool = False  # a blank line stands before it
    stretches: tuple[Stretch, ...] = ()  # several only where comments keep them apart
    cites: str = ""
    text: str = ""  # of a comment or a row


_KINDS = ("must", "invariant", "line", "case", "rankline", "define_one")
_TIGHT = ("COMMA", "COLON", "RPAR", "RBRACE")
_TURNS = ("WHERE", "FOR", "WITH", "AND", "OR", "THEN", "OTHERWISE", "UNTIL_STABLE")
_COLUMNS = {
    "must": ("WHEN",),
    "invariant": ("WHEN",),
    "line": ("FOR", "WHEN"),
    "case": ("WHEN",),
    "rankline": ("WHEN",),
}
_LABELS = {"must": 0, "invariant": 1}  # where the label stands; a column follows it


@dataclass
class _Shape:
    """What the syntax of a block says of its words, by where they begin."""

    kinds: dict[int, str] = field(default_factory=dict)
    owners: dict[int, int] = field(default_factory=dict)
    apart: set[int] = field(default_factory=set)  # brackets round a value: no call's
    firm: set[int] = field(default_factory=set)
    signs: set[int] = field(default_factory=set)  # a minus that belongs to what follows it

    def enter(self, tree: Tree[Token]) -> None:
        """Note what every part of the tree tells."""
        marks = {
            "group_": self.apart,
            "each_of": self.apart,
            "params": self.firm,
            "names": self.firm,
            "negative": self.signs,
        }
        # Lark does not annotate this method.
        for node in tree.iter_subtrees_topdown():  # type: ignore[no-untyped-call]
            if node.meta.empty:
                continue
            start, kind = node.meta.start_pos, str(node.data)
            if kind in marks:
                marks[kind].add(start)
            if kind in _KINDS:
                self.kinds[start] = kind
            for child in node.children:
                if isinstance(child, Tree) and child.data in (*_KINDS, "bar"):
                    self.owners[child.meta.start_pos] = start
                    if child.data == "bar":
                        self.kinds[child.meta.start_pos] = kind


def lines_of(source: Source) -> list[Line]:
    """The lines of a text whose declarations can all be read, in order."""
    reading = _Reading()
    found = source.blocks
    reading.between(source.lines[: found[0].first - 1] if found else source.lines, 0, 0)
    for block in found:
        reading.block(block)
    return reading.found


class _Reading:
    """The lines told so far, and what must be known of them for the next."""

    def __init__(self) -> None:
        self.found: list[Line] = []
        self.blank = False
        self.margins: list[int] = []  # how far the author indented each open level

    def block(self, block: Block) -> None:
        """Tell the lines of a declaration."""
        reader = parser().parse_interactive(block.text + "\n")
        tokens = reader.exhaust_lexer()
        shape = _Shape()
        # Lark does not annotate this method.
        shape.enter(reader.feed_eof(tokens[-1]))  # type: ignore[no-untyped-call]
        written, told = block.text.split("\n"), 0
        for level, words in _logical(tokens):
            start = words[0].start_pos or 0
            first, last = (words[0].line or 1) - 1, words[-1].line or 1
            margin = _margin(written[first])
            self.between(written[told:first], level, margin)
            self.margins = [*self.margins[:level], margin]
            kind, owner = shape.kinds.get(start, ""), (block.first, shape.owners.get(start, 0))
            if words[0].type == "BAR":
                self.found.append(
                    Line(level, kind, owner, self.blank, text=words[0].removeprefix("|"))
                )
            else:
                stretches, cites = _stretches(words, written[first:last], first, kind, shape)
                self.found.append(Line(level, kind, owner, self.blank, stretches, cites))
            self.blank, told = False, last
        self.between(written[told:], 0, 0)

    def between(self, written: list[str], level: int, margin: int) -> None:
        """Tell what stands before a line of this level.

        A comment goes with that line, or stays further in with those before it.
        """
        for text in written:
            if not text.strip():
                self.blank = True
                continue
            inner = [
                deeper
                for deeper in range(level + 1, len(self.margins))
                if margin < self.margins[deeper] <= _margin(text)
            ]
            self.found.append(
                Line(max([level, *inner]), "comment", gap=self.blank, text=text.strip())
            )
            self.blank = False


def _margin(text: str) -> int:
    """How far a line is indented, as the grammar counts it."""
    margin = text[: len(text) - len(text.lstrip(" \t"))]
    return margin.count(" ") + Blocks.tab_len * margin.count("\t")


def _logical(tokens: list[Token]) -> Iterator[tuple[int, list[Token]]]:
    """The words of each line with its level."""
    level, words = 0, list[Token]()
    for token in tokens:
        if token.type not in ("_NL", "_INDENT", "_DEDENT"):
            words.append(token)
            continue
        if words:
            yield level, words
            words = []
        level += {"_INDENT": 1, "_DEDENT": -1}.get(token.type, 0)


def _stretches(
    tokens: list[Token], written: list[str], first: int, kind: str, shape: _Shape
) -> tuple[tuple[Stretch, ...], str]:
    """The words of a line with their comments, and its citations.

    Where a comment separates them they are as they stood, else in one stretch.
    """
    ends = {token.line: token.end_column or 1 for token in tokens}
    comments = [
        text[ends.get(number, 1) - 1 :].strip() for number, text in enumerate(written, first + 1)
    ]
    cites = ""
    if tokens[-1].type == "CITE" and not (len(tokens) > 1 and tokens[-2].type == "BY"):
        # What `expect refused by` names is a word like others.
        cites = _said(tokens[-1])
        tokens = tokens[:-1]
    words = _words(tokens, kind, shape)
    if not any(comments[:-1]):
        return (Stretch(tuple(words), comments[-1]),), cites
    apart = [
        tuple(w for w, token in zip(words, tokens, strict=True) if token.line == number)
        for number in range(first + 1, first + len(written) + 1)
    ]
    return tuple(
        Stretch(here, comment)
        for here, comment in zip(apart, comments, strict=True)
        if here or comment
    ), cites


def _said(token: Token) -> str:
    if token.type == "CITE":
        return f"[{', '.join(split_cites(token))}]"
    return str(token) if token.type == "STRING" else " ".join(token.split())


def _words(tokens: list[Token], kind: str, shape: _Shape) -> list[Word]:
    """The words of a line with the blanks between them."""
    found = [Word(_said(tokens[0]), 0, 0, tokens[0].start_pos in shape.firm)]
    depth, headed = _depth_after(tokens[0], 0), kind != "define_one"
    for index, (before, token) in enumerate(itertools.pairwise(tokens)):
        turn = int(before.type == "COMMA" or (depth > 0 and token.type in _TURNS))
        if depth == 0 and not headed and before.type == "EQUAL":
            turn, headed = 2, True
        column = token.type in _COLUMNS.get(kind, ()) or _LABELS.get(kind) == index
        blanks = 0 if _joined(before, token, shape) else 2 if column and depth == 0 else 1
        firm = token.start_pos in shape.firm
        found.append(Word(_said(token), blanks, turn if blanks else 0, firm))
        depth = _depth_after(token, depth)
    return found


def _depth_after(token: Token, depth: int) -> int:
    return depth + (token.type in ("LPAR", "LBRACE")) - (token.type in ("RPAR", "RBRACE"))


def _joined(before: Token, token: Token, shape: _Shape) -> bool:
    """Do two words stand together without a blank?"""
    if (
        token.type in _TIGHT
        or token == "'s"
        or before.type in ("LPAR", "LBRACE")
        or before.start_pos in shape.signs
    ):
        return True
    return token.type == "LPAR" and before.type == "NAME" and token.start_pos not in shape.apart
