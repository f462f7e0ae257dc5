"""Deck lists: which cards of the pool are in play and how often; entered as values of the option `deck`, then held against the cards there are."""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.compiler.cards import bounds
from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import Span
from rulelang.elaborate.boards import texts_of
from rulelang.elaborate.declarations import row_cells
from rulelang.elaborate.symbols import SymbolTable
from rulelang.ruleset import EVERYBODY, Deck, Design
from rulelang.syntax.nodes import CITE, Node, plain, split_cites

OPTION = "deck"  # what a player calls the choice between lists
WHOLE = "all"  # its value for every card of the box
OF_SCENARIO = (
    "brought along"  # its value for a list that a scenario brings: no name that could be chosen
)
MOST_COPIES = 1000

_Counts = tuple[tuple[tuple[str, str], int], ...]  # for each (component, title) how many
_Places = tuple[tuple[tuple[str, str], Span], ...]  # and where that is said


def enter_decks(names: SymbolTable, nodes: list[Node]) -> None:
    """Make the lists values of one option: first those of added files, then the one the game names; without one every card of the box is in play."""
    found: dict[str, Node] = {}
    for node in nodes:
        if node.kind == "deck":
            word = node.part(0)
            old = found.get(word.text)
            if old is not None or word.text == WHOLE:
                where = (
                    f"declared in {old.span.file}, line {old.span.line}" if old is not None else ""
                )
                names.report.add(
                    "name-taken",
                    word.span,
                    name=word.text,
                    what="a deck list" if old is not None else "every card of the box",
                    where=where,
                )
                continue
            found[word.text] = node
    usual = names.default_deck
    if usual is not None and usual.text not in found:
        near = nearest(usual.text, found, 1)
        names.report.add(
            "unknown-name",
            usual.span,
            name=usual.text,
            fix=f"Did you mean `{near[0]}`?" if near else None,
        )
    if not found:
        return
    taken = names.declared.get(OPTION)
    if taken is not None and taken[0] in ("an option", "a kind", "a component"):
        first = next(iter(found.values()))
        names.report.add(
            "name-taken",
            first.span,
            name=OPTION,
            what=taken[0],
            where=f"declared in {taken[1].file}, line {taken[1].line}",
            fix="Deck lists are the values of an option of this name: give the other one another.",
        )
        return
    own = [name for name, node in found.items() if node.span.file in names.rules.added]
    chosen = usual.text if usual is not None and usual.text in found else WHOLE
    names.rules.options[OPTION] = tuple(dict.fromkeys([*own, chosen, *found, WHOLE]))


def read_decks(names: SymbolTable, nodes: list[Node], refused: Iterable[str]) -> None:
    """Hold every list against the cards there are; a card that was refused has been told of, and is left out of the lists too."""
    left_out = {title.lower() for title in refused}
    for node in nodes:
        if node.kind == "deck" and node.part(0).text not in names.rules.decks:
            made = _deck(names, node, left_out)
            names.rules.decks[made.name] = made
            bounds(names, names.rules.designs, names.rules.copies_with(made))


def trial_deck(names: SymbolTable, node: Node) -> Deck:
    """The list that a scenario brings along."""
    components, players = _settings(names, node)
    counts, places = _counted(names, node, components, set())
    made = Deck(OF_SCENARIO, "", components, counts, players, "", node.span.file, places)
    bounds(names, names.rules.designs, names.rules.copies_with(made))
    return made


def _deck(names: SymbolTable, node: Node, refused: set[str]) -> Deck:
    word = node.part(0)
    before = len(names.report.errors)
    components, players = _settings(names, node)
    clause = names.clause("deck", f"deck {word.text}", "", node)
    counts, places = _counted(names, node, components, refused)
    if not node.words("bar") and len(names.report.errors) == before:
        names.report.add("empty-deck", word.span, name=word.text)
    partial = len(counts) < len(node.words("bar")) or names.report.has_error_in(node.span)
    return Deck(
        word.text,
        plain(node.part(1)),
        components,
        counts,
        players,
        clause,
        node.span.file,
        places,
        partial,
    )


def _counted(
    names: SymbolTable, node: Node, components: tuple[str, ...], refused: set[str]
) -> tuple[_Counts, _Places]:
    """How many of each card the rows of a list count, and where."""
    counts: dict[tuple[str, str], int] = {}
    places: dict[tuple[str, str], Span] = {}
    called: dict[str, list[Design]] = {}
    for design in names.rules.designs:
        if design.component in components:
            called.setdefault(design.title.lower(), []).append(design)
    for bar in node.words("bar"):
        row = _row(names, bar, components, called, refused)
        if row is None:
            continue
        design, copies = row
        key = (design.component, design.title)
        if key in counts:
            names.report.add("listed-twice", bar.span, title=design.title, line=places[key].line)
            continue
        counts[key], places[key] = copies, bar.span
    return tuple(counts.items()), tuple(places.items())


def _settings(names: SymbolTable, node: Node) -> tuple[tuple[str, ...], tuple[int, int | None]]:
    """The components a list is of, and for how many players it is made."""
    components: list[str] = []
    players = EVERYBODY
    for item in node.words("item"):
        words = texts_of(item)
        if len(words) == 1 and words[0] in names.rules.components:
            components.append(words[0])
        elif (
            words[-1] in ("player", "players")
            and words[1:-2] in ([], ["to"])
            and words[0].isdecimal()
            and words[-2].isdecimal()
        ):
            players = (int(words[0]), int(words[-2]))
        elif len(words) == 1:
            near = nearest(words[0], names.rules.components)
            fix = f"Did you mean `{near[0]}`?" if near else None
            known = ", ".join(names.rules.components) or "none"
            names.report.add(
                "unknown-component",
                item.span,
                name=words[0],
                what=f"`{words[0]}` is no component",
                known=known,
                fix=fix,
            )
        else:
            names.report.add(
                "bad-setting",
                item.span,
                key=node.part(0).text,
                expected="components, and perhaps `2 to 4 players`",
            )
    return tuple(dict.fromkeys(components)), players


def _row(
    names: SymbolTable,
    bar: Node,
    components: tuple[str, ...],
    called: dict[str, list[Design]],
    refused: set[str],
) -> tuple[Design, int] | None:
    """The design a row names, and how many of it."""
    text = bar.part(0).text
    cites = CITE.search(text)
    names.check_citations(split_cites(cites.group(1)) if cites else (), bar.span)
    cells = row_cells(bar)
    if len(cells) != 2:
        found = "1 value" if len(cells) == 1 else f"{len(cells)} values"
        names.report.add("row-length", bar.span, found=found, count=2, wanted="how many, title")
        return None
    if (
        not cells[0].isascii()
        or not cells[0].isdecimal()
        or not 1 <= int(cells[0][:9]) <= MOST_COPIES
    ):
        fix = "Leave the row out." if cells[0] == "0" else None
        names.report.add(
            "bad-value",
            bar.span,
            found=cells[0],
            wanted=f"a number of copies from 1 to {MOST_COPIES}",
            fix=fix,
        )
        return None
    title = cells[1].lower()
    fits = called.get(title, [])
    if not fits and title not in refused and components:
        near = nearest(
            cells[1],
            (d.title for d in names.rules.designs if d.component in components and d.title),
        )
        fix = "Did you mean " + " or ".join(f"“{t}”" for t in near) + "?" if near else None
        of = " or ".join(names.rules.components[c].words[0] for c in components)
        names.report.add("unknown-title", bar.span, of=of, title=cells[1], fix=fix)
    if len(fits) > 1:
        names.report.add(
            "many-of-title",
            bar.span,
            title=cells[1],
            places=" and ".join(f"{d.span.file}, line {d.span.line}" for d in fits[:3]),
        )
    return (fits[0], int(cells[0])) if fits else None
