"""The chart of a text: every stretch of it that some phrase reads, whether or not the whole is.

It is filled from the end of the text to its beginning. What begins at a place is made of what
begins there and of what stands behind, which is known by then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lark import Token, Tree

from rulelang.phrases.earley import EarleyParser
from rulelang.syntax.lark_adapter import EarleyRule

MAX_STRETCHES = 6000  # that are found in one text
_PIECE = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class _Made:
    """A stretch as it was first made: by a rule, of parts that end at these places."""

    rule: EarleyRule
    ends: tuple[int, ...]


@dataclass(frozen=True)
class Stretch:
    """Words in a row, from one to before another, that a symbol of the grammar reads."""

    symbol: str
    first: int
    end: int


@dataclass(eq=False)
class Chart:
    """The stretches of one text by one parser's grammar."""

    parser: EarleyParser
    text: str
    _ends: list[dict[str, dict[int, _Made | None]]] = field(default_factory=list)

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where each word and mark of the text begins and ends."""
        return tuple(match.span() for match in _PIECE.finditer(self.text))

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """All stretches of more than marks, shorter ones within longer ones included."""
        self._fill()
        return tuple(
            Stretch(symbol, first, end)
            for first, known in enumerate(self._ends[:-1])
            for symbol, ends in known.items()
            if not symbol.isupper() and not symbol.startswith("_")
            for end in ends
        )

    def tree(self, stretch: Stretch) -> Tree[Token]:
        """One way to read a stretch, as Lark gives it for a whole text."""
        tree = self._node(stretch.symbol, stretch.first, stretch.end)
        assert isinstance(tree, Tree)
        return tree

    # ------------------------------------------------------------------------------- how it is made
    def _fill(self) -> None:
        rules = self.parser.productive_rules(self.text)
        by_first: dict[str, list[EarleyRule]] = {}
        for rule in rules:
            by_first.setdefault(rule.parts[0], []).append(rule)
        count = len(self.places)
        self._ends = [{} for _ in range(count + 1)]
        words = self._words({part for rule in rules for part in rule.parts if part.isupper()})
        left = MAX_STRETCHES
        for first in range(count - 1, -1, -1):
            here = self._ends[first]
            waiting = [(name, end) for name, end in words.get(first, ())]
            for name, end in waiting:
                here.setdefault(name, {})[end] = None
            while waiting and left:
                symbol, end = waiting.pop()
                for rule in by_first.get(symbol, ()):
                    known = here.setdefault(rule.symbol, {})
                    for ends in self._rest(rule.parts, (end,)):
                        if ends[-1] not in known:
                            known[ends[-1]] = _Made(rule, ends)
                            waiting.append((rule.symbol, ends[-1]))
                            left -= 1

    def _words(self, terminals: set[str]) -> Mapping[int, Sequence[tuple[str, int]]]:
        """By the place where it begins each terminal that matches there, and its end."""
        begins = {start: number for number, (start, _) in enumerate(self.places)}
        ends = {end: number + 1 for number, (_, end) in enumerate(self.places)}
        patterns, said = self.parser.matching(self.text)
        found: dict[int, list[tuple[str, int]]] = {}
        for name in sorted(terminals):
            for start, number in begins.items():
                match = patterns[name].match(said, start)
                if match is not None and match.end() in ends:
                    found.setdefault(number, []).append((name, ends[match.end()]))
        return found

    def _rest(self, parts: Sequence[str], ends: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """All ends that the parts of a rule may have, given those of the first few."""
        if len(ends) == len(parts):
            yield ends
            return
        for end in tuple(self._ends[ends[-1]].get(parts[len(ends)], ())):
            yield from self._rest(parts, (*ends, end))

    def _node(self, symbol: str, first: int, end: int) -> Tree[Token] | Token:
        if symbol.isupper():
            start, stop = self.places[first][0], self.places[end - 1][1]
            return Token(symbol, self.text[start:stop])
        made = self._ends[first][symbol][end]
        assert made is not None
        starts = (first, *made.ends)
        nodes: list[Tree[Token] | Token] = []
        for part, start, stop in zip(made.rule.parts, starts, made.ends, strict=False):
            node = self._node(part, start, stop)
            nodes += node.children if isinstance(node, Tree) and part[0] == "_" else [node]
        return Tree(made.rule.name or made.rule.symbol, nodes)
