"""Deck lists: which cards are in play and how many of each, checked against the cards there are.

The lists of a game are the values of its option `deck`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulelang.compiler.limits import check_limits
from rulelang.compiler.node_memo import NodeMemo
from rulelang.compiler.sentences import cites_in
from rulelang.diagnostics import did_you_mean, nearest
from rulelang.diagnostics.source import Span
from rulelang.elaborate.boards import texts_of
from rulelang.elaborate.declarations import row_cells
from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import EVERYBODY, OPTION, WHOLE, Clause, Deck, Design
from rulelang.syntax.nodes import Node, plain

OF_SCENARIO = (
    "brought along"  # the option's value for a list in a scenario: no name an author can write
)
MAX_COPIES = 1000

_nearest = functools.lru_cache(maxsize=64)(nearest)  # of a title that many lists may name

_Card = tuple[str, str]  # component and title
_Counts = tuple[tuple[_Card, int], ...]
_Places = tuple[tuple[_Card, Span], ...]  # where each is listed


def enter_decks(symbols: SymbolTable, nodes: list[Node]) -> None:
    """Make the lists the values of one option, if there are any.

    Lists of added files come first, then the default that the game names; without one that is
    every card of the box.
    """
    found = _lists_by_name(symbols, nodes)
    default = symbols.default_deck
    if default is not None and default.text not in found:
        fix = did_you_mean(default.text, found)
        symbols.report.add("unknown-name", default.span, name=default.text, fix=fix)
    if not found or _option_is_taken(symbols, next(iter(found.values()))):
        return
    added = [name for name, node in found.items() if node.span.file in symbols.rules.added]
    chosen = default.text if default is not None and default.text in found else WHOLE
    symbols.rules.options[OPTION] = tuple(dict.fromkeys([*added, chosen, *found, WHOLE]))


def _lists_by_name(symbols: SymbolTable, nodes: list[Node]) -> dict[str, Node]:
    """The declarations of lists by name; a name that is taken is reported."""
    found: dict[str, Node] = {}
    for node in nodes:
        if node.kind != "deck":
            continue
        word = node.part(0)
        old = found.get(word.text)
        if old is None and word.text != WHOLE:
            found[word.text] = node
            continue
        where = f"declared in {old.span.file}, line {old.span.line}" if old is not None else ""
        what = "a deck list" if old is not None else "every card of the box"
        symbols.report.add("name-taken", word.span, name=word.text, what=what, where=where)
    return found


def _option_is_taken(symbols: SymbolTable, first: Node) -> bool:
    """Is something else called as the option is? Reported at the first list."""
    what, span = symbols.declared.get(OPTION, ("", None))
    if span is None or what not in ("an option", "a kind", "a component"):
        return False
    symbols.report.add(
        "name-taken",
        first.span,
        name=OPTION,
        what=what,
        where=f"declared in {span.file}, line {span.line}",
        fix="Deck lists are the values of an option of this name: give the other one another.",
    )
    return True


@dataclass(frozen=True)
class KeptDeck:
    """A list without findings, its clause, and which card the title in each of its rows named."""

    deck: Deck
    clause: Clause
    named: tuple[tuple[str, _Card], ...]


DeckMemo = NodeMemo[KeptDeck]


def read_decks(
    symbols: SymbolTable, nodes: list[Node], refused: Iterable[str], memo: DeckMemo
) -> None:
    """Add every list to the ruleset, with the designs it names.

    Cards that were refused are reported already, so lists leave them out without a finding. Lists
    without findings are taken from the memo while their titles name the same cards; then it holds
    those of these nodes.
    """
    left_out, now = frozenset(title.lower() for title in refused), DeckMemo()
    pools: dict[tuple[str, ...], _Pool] = {}
    for node in nodes:
        if node.kind != "deck" or node.part(0).text in symbols.rules.decks:
            continue
        before = len(symbols.report.found)
        kept = _kept(symbols, node, memo, pools) or _deck(symbols, node, left_out, pools)
        made = kept.deck
        symbols.rules.decks[made.name] = made
        if len(symbols.report.found) == before and not made.partial:
            now.keep(node, kept)
        check_limits(symbols, symbols.rules.designs, symbols.rules.copies_with(made))
    memo.replace_with(now)


def _kept(
    symbols: SymbolTable, node: Node, memo: DeckMemo, pools: dict[tuple[str, ...], _Pool]
) -> KeptDeck | None:
    """A list as it was made before, if all its rows name the same cards and can be read."""
    kept = memo.get(node)
    if kept is None or symbols.report.has_error_in(node.span):
        return None
    by_title = _pool(symbols, kept.deck.components, frozenset(), pools).by_title
    for title, card in kept.named:
        fits = by_title.get(title, ())
        if len(fits) != 1 or (fits[0].component, fits[0].title) != card:
            return None
    return kept if symbols.enter_again([kept.clause]) else None


def _pool(
    symbols: SymbolTable,
    components: tuple[str, ...],
    refused: frozenset[str],
    pools: dict[tuple[str, ...], _Pool],
) -> _Pool:
    """The pool of these components; one and the same in one compilation."""
    if components not in pools:
        pools[components] = _Pool.of(symbols, components)
    return replace(pools[components], refused=refused)


def trial_deck(symbols: SymbolTable, node: Node) -> Deck:
    """The list that a scenario brings along."""
    components, players = _settings(symbols, node)
    counts, places, _ = _Pool.of(symbols, components).counted(node)
    made = Deck(OF_SCENARIO, "", components, counts, players, "", node.span.file, places)
    check_limits(symbols, symbols.rules.designs, symbols.rules.copies_with(made))
    return made


def _deck(
    symbols: SymbolTable,
    node: Node,
    refused: frozenset[str],
    pools: dict[tuple[str, ...], _Pool],
) -> KeptDeck:
    word = node.part(0)
    before = len(symbols.report.found)
    components, players = _settings(symbols, node)
    clause = symbols.clause("deck", f"deck {word.text}", "", node)
    counts, places, named = _pool(symbols, components, refused, pools).counted(node)
    if not node.words("bar") and not symbols.report.has_errors_since(before):
        symbols.report.add("empty-deck", word.span, name=word.text)
    deck = Deck(
        word.text,
        plain(node.part(1)),
        components,
        counts,
        players,
        clause,
        node.span.file,
        places,
        len(counts) < len(node.words("bar")) or symbols.report.has_error_in(node.span),
    )
    return KeptDeck(deck, symbols.rules.clauses[clause], named)


def _settings(symbols: SymbolTable, node: Node) -> tuple[tuple[str, ...], tuple[int, int | None]]:
    """The components a list is of, and for how many players it is made."""
    components: list[str] = []
    players = EVERYBODY
    known = symbols.rules.components
    for item in node.words("item"):
        words = texts_of(item)
        numbers = _players(words)
        if len(words) == 1 and words[0] in known:
            components.append(words[0])
        elif numbers is not None:
            players = numbers
        elif len(words) == 1:
            symbols.report.add(
                "unknown-component",
                item.span,
                name=words[0],
                what=f"`{words[0]}` is no component",
                known=", ".join(known) or "none",
                fix=did_you_mean(words[0], known),
            )
        else:
            expected = "components, and perhaps `2 to 4 players`"
            symbols.report.add("bad-setting", item.span, key=node.part(0).text, expected=expected)
    return tuple(dict.fromkeys(components)), players


def _players(words: list[str]) -> tuple[int, int] | None:
    """The numbers in words such as `2 to 4 players`; none for other words."""
    if words[-1] not in ("player", "players") or words[1:-2] not in ([], ["to"]):
        return None
    first, last = words[0], words[-2:][0]
    return (int(first), int(last)) if first.isdecimal() and last.isdecimal() else None


@dataclass(frozen=True)
class _Pool:
    """The designs that the rows of a list may name, and the titles that were refused."""

    symbols: SymbolTable
    components: tuple[str, ...]
    by_title: dict[str, list[Design]]
    refused: frozenset[str] = frozenset()

    @classmethod
    def of(cls, symbols: SymbolTable, components: tuple[str, ...]) -> _Pool:
        """The designs of these components, by their titles in lower case."""
        by_title: dict[str, list[Design]] = {}
        for design in symbols.rules.designs:
            if design.component in components:
                by_title.setdefault(design.title.lower(), []).append(design)
        return cls(symbols, components, by_title)

    def counted(self, node: Node) -> tuple[_Counts, _Places, tuple[tuple[str, _Card], ...]]:
        """How many of each card the rows of a list count, and where; which card each title named,
        in lower case.
        """
        counts: dict[_Card, int] = {}
        named: list[tuple[str, _Card]] = []
        places: dict[_Card, Span] = {}
        for bar in node.words("bar"):
            row = self._row(bar)
            if row is None:
                continue
            design, copies = row
            card = (design.component, design.title)
            named.append((design.title.lower(), card))
            if card in counts:
                first = places[card].line
                self.symbols.report.add("listed-twice", bar.span, title=design.title, line=first)
                continue
            counts[card], places[card] = copies, bar.span
        return tuple(counts.items()), tuple(places.items()), tuple(named)

    def _row(self, bar: Node) -> tuple[Design, int] | None:
        """The design a row names, and how many of it; none if that is wrong or was refused."""
        report = self.symbols.report
        self.symbols.check_citations(cites_in(bar.part(0).text), bar.span)
        cells = row_cells(bar)
        if len(cells) != 2:
            found = "1 value" if len(cells) == 1 else f"{len(cells)} values"
            report.add("row-length", bar.span, found=found, count=2, wanted="how many, title")
            return None
        number, title = cells
        if not (number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= MAX_COPIES):
            report.add(
                "bad-value",
                bar.span,
                found=number,
                wanted=f"a number of copies from 1 to {MAX_COPIES}",
                fix="Leave the row out." if number == "0" else None,
            )
            return None
        design = self._design(title, bar.span)
        return (design, int(number)) if design is not None else None

    def _design(self, title: str, span: Span) -> Design | None:
        """The first design of this title; none or several are reported."""
        report, fits = self.symbols.report, self.by_title.get(title.lower(), [])
        if not fits and title.lower() not in self.refused and self.components:
            titles = (d.title for known in self.by_title.values() for d in known if d.title)
            near = _nearest(title, tuple(titles))
            fix = "Did you mean " + " or ".join(f"“{t}”" for t in near) + "?" if near else None
            components = self.symbols.rules.components
            of = " or ".join(components[name].words[0] for name in self.components)
            report.add("unknown-title", span, of=of, title=title, fix=fix)
        if len(fits) > 1:
            places = " and ".join(f"{d.span.file}, line {d.span.line}" for d in fits[:3])
            report.add("many-of-title", span, title=title, places=places)
        return fits[0] if fits else None
