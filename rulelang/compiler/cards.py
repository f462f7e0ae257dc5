"""Printed pieces: data rows and cards become designs, and the sentences of their texts become extensions of the rules."""

from __future__ import annotations

import re
from dataclasses import replace

from rulelang.core.types import NUMBER
from rulelang.diagnostics import nearest
from rulelang.diagnostics.source import Span
from rulelang.elaborate.declarations import row_cells
from rulelang.elaborate.fields import cell_value, constant, copies_of, not_so_many, printed, usual
from rulelang.elaborate.symbols import SymbolTable
from rulelang.elaborate.type_checker import TypeChecker
from rulelang.phrases.readings import Glossary
from rulelang.ruleset import Component, Design, Noun
from rulelang.syntax.nodes import CITE, Node, plain, split_cites, uncited

MAX_PIECES = 10_000  # of one game, a player's own counted once
MAX_SITES = 10_000  # cells of one board
_SHORT = "|".join(
    rf"(?<=\b[A-Z][a-z]{{{n}}})" for n in (1, 2, 3)
)  # "Ave.", "Dr.": the sentence goes on after them
_SENTENCE = re.compile(rf"(?:[^.]|\.(?=\S)|(?:{_SHORT})\.(?=\s+[a-z]))+(?:\.|$)")
_RANGE = re.compile(r"(\d+)\.\.(\d+)$")


def read_rows(names: SymbolTable, exprs: TypeChecker, nodes: list[Node]) -> None:
    """Enter the designs of data rows."""
    for node in nodes:
        if node.kind == "component":
            for rows in node.words("rows"):
                _rows(names, exprs, node.part(0).text, rows)


Known = dict[
    int, tuple[Node, Design, tuple[str, ...]]
]  # number of a card's syntax -> it, its design and citations, where nothing was wrong


def read_cards(
    names: SymbolTable, exprs: TypeChecker, glossary: Glossary, nodes: list[Node], known: Known
) -> list[str]:
    """Enter the designs of cards behind those of rows; returns the titles of cards that were refused, each reported.

    What is `known` of cards under the same frame need not be made again; what is made is known afterwards.
    """
    made_now: Known = {}
    refused: list[str] = []
    pending: list[tuple[Node, Design]] = []
    taken = {(d.component, d.title.lower()): d for d in names.rules.designs}
    for node in nodes:
        if node.kind == "card":
            before, all_before = len(names.report.errors), len(names.report.found)
            design = _known_card(names, node, taken, known) or _card(names, exprs, node, taken)
            if design is not None and len(names.report.found) == all_before:
                made_now[id(node)] = (node, design, names.rules.clauses[design.clause].cites)
            if design is None or len(names.report.errors) > before:
                refused.append(plain(node.part(0)))
            else:
                pending.append((node, design))
                taken.setdefault((design.component, design.title.lower()), design)
    known.clear()
    known.update(made_now)
    designs = [*names.rules.designs, *[design for _, design in pending]]
    bounds(names, designs, [design.copies for design in designs])
    for _node, design in pending:
        before = len(names.report.errors)
        made, nouns = [], list[Noun]()
        for index, (text, span) in enumerate(design.text, 1):
            cites = _cites(text)
            clause = names.clause(
                "sentence", f'card "{design.title}"', f"sentence {index}", None, span, cites
            )
            names.check_citations(cites, span)
            sentence = CITE.sub("", text).strip()
            made += glossary.read_sentence(sentence, span, design, clause, names.report)
            nouns += glossary.nouns(sentence, design)
        if len(names.report.errors) > before:
            refused.append(design.title)
            continue
        names.rules.designs.append(replace(design, nouns=tuple(dict.fromkeys(nouns))))
        names.rules.extensions += made
    return refused


def bounds(names: SymbolTable, designs: list[Design], copies: list[int]) -> None:
    """No more pieces than a table holds, and no board larger than anybody looks at."""
    total, last = 0, None
    for design, number in zip(designs, copies, strict=True):
        total += number
        last = last or (design if total > MAX_PIECES else None)
    if last is not None:
        names.report.add("too-many", last.span, what="pieces", found=total, limit=MAX_PIECES)
    for board in names.rules.boards.values():
        where = names.rules.clauses[board.clause].span if board.clause else None
        if (
            board.grown_from is not None
        ):  # the canvas must hold all its tiles in a row, whichever way they lie
            reach = sum(
                n * _reach(d)
                for d, n in zip(designs, copies, strict=True)
                if d.component == board.grown_from
            )
            cells, limit = (2 * reach + 3) ** 2, 10 * MAX_SITES
        else:
            sizes = [_largest(names, side) for side in (board.width, board.height)]
            cells, limit = sizes[0] * sizes[1], MAX_SITES
        if where is not None and cells > limit:
            names.report.add(
                "too-many", where, what=f"cells on the board {board.name}", found=cells, limit=limit
            )


def _reach(design: Design) -> int:
    rows = next(
        (
            v.split("/")
            for _, v in design.values
            if isinstance(v, str) and v and set(v) <= set("X./")
        ),
        ["X"],
    )
    return max(len(rows), len(rows[0]))


def _largest(names: SymbolTable, size: int | str) -> int:
    if isinstance(size, int):
        return size
    return max((int(v) for v in names.rules.options.get(size, ()) if isinstance(v, int)), default=1)


def _cites(text: str) -> tuple[str, ...]:
    match = CITE.search(text)
    return split_cites(match.group(1)) if match else ()


def _rows(names: SymbolTable, exprs: TypeChecker, component: str, rows: Node) -> None:
    known = names.rules.components[component]
    columns = rows.words()[1:]
    for word in columns:
        if word.text not in ("title", "copies") and known.field(word.text) is None:
            near = nearest(word.text, [name for name, _ in known.fields] + ["title", "copies"])
            names.report.add(
                "unknown-field",
                word.span,
                name=word.text,
                of=component,
                fix=f"Did you mean `{near[0]}`?" if near else None,
            )
    names.clause("pieces", f"component {component}", "pieces", rows)
    for bar in rows.words("bar"):
        cells = row_cells(bar)
        cites = _cites(bar.part(0).text)
        names.check_citations(cites, bar.span)
        if len(cells) != len(columns):
            found = "1 value" if len(cells) == 1 else f"{len(cells)} values"
            names.report.add(
                "row-length",
                bar.span,
                found=found,
                count=len(columns),
                wanted=", ".join(c.text for c in columns),
            )
            continue
        for values in _spread(names, cells, bar):
            _row(names, exprs, known, columns, values, bar, cites)
            if len(names.rules.designs) > MAX_PIECES:
                return  # told when all pieces are counted


def _spread(names: SymbolTable, cells: list[str], bar: Node) -> list[list[str]]:
    """A row with a range such as 11..19 stands for a row of each number in it."""
    for index, cell in enumerate(cells):
        match = _RANGE.match(cell)
        if match:
            if not 0 <= int(match.group(2)) - int(match.group(1)) < 1000:
                wanted = "a range of at most 1000 numbers, the smaller first"
                names.report.add(
                    "bad-value", _places(bar, len(cells))[index], found=cell, wanted=wanted
                )
                return []
            return [
                [*cells[:index], str(n), *cells[index + 1 :]]
                for n in range(int(match.group(1)), int(match.group(2)) + 1)
            ]
    return [cells]


def _places(bar: Node, count: int) -> list[Span]:
    """Where each value of a row stands; the whole row if the count is another, as with odd quotes."""
    leaf = bar.part(0)
    found = list(re.finditer(r'"[^"]*"|\S+', uncited(leaf.text)))
    if len(found) != count:
        return [bar.span] * count
    start = leaf.span.column + 1  # after the bar
    return [
        Span(leaf.span.file, leaf.span.line, start + m.start(), leaf.span.line, start + m.end())
        for m in found
    ]


def _row(
    names: SymbolTable,
    exprs: TypeChecker,
    known: Component,
    columns: list[Node],
    cells: list[str],
    bar: Node,
    cites: tuple[str, ...],
) -> None:
    values: dict[str, object] = {}
    title, copies = "", 1
    for column, cell, where in zip(columns, cells, _places(bar, len(cells)), strict=True):
        if column.text == "title":
            title = cell
        elif column.text == "copies":
            copies = copies_of(names, cell, where)
        else:
            t = known.field(column.text)
            if t is not None:
                values[column.text] = cell_value(names, cell, t, where)
    clause = names.clause("row", f"component {known.name}", title or "row", None, bar.span, cites)
    filled = tuple(
        (name, values[name] if name in values else usual(names, exprs, known.name, name, t))
        for name, t in known.fields
    )
    names.rules.designs.append(
        Design(title, known.name, filled, copies, clause, (), bar.span, bar.span.file)
    )


def _known_card(
    names: SymbolTable, node: Node, taken: dict[tuple[str, str], Design], known: Known
) -> Design | None:
    """The design of a card in which nothing was wrong, if it still stands as it stood and no other has its title now."""
    found = known.get(id(node))
    if found is None or (found[1].component, found[1].title.lower()) in taken:
        return None
    _, design, cites = found
    clause = names.clause("card", f'card "{design.title}"', "", None, node.span, cites)
    return design if clause == design.clause else replace(design, clause=clause)


def _card(
    names: SymbolTable, exprs: TypeChecker, node: Node, taken: dict[tuple[str, str], Design]
) -> Design | None:
    title = plain(node.part(0))
    of = node.parts[1]
    component = of.text if of is not None else ""
    if component not in names.rules.components:
        near = nearest(component, names.rules.components)
        where = of.span if of is not None else node.part(0).span
        what = (
            f"`{component}` is no component"
            if component
            else "This card does not say of which component it is"
        )
        first = next(iter(names.rules.components), "")
        fix = (
            f"Did you mean `{near[0]}`?"
            if near
            else f"Write `card {node.part(0).text} of {first}`."
            if first and not component
            else None
        )
        names.report.add(
            "unknown-component",
            where,
            name=component,
            what=what,
            known=", ".join(names.rules.components) or "none",
            fix=fix,
        )
        return None
    known = names.rules.components[component]
    if not title.strip():
        names.report.add("bad-value", node.part(0).span, found=title, wanted="a title")
        return None
    twin = taken.get((component, title.lower()))
    if twin is not None:
        names.report.add(
            "title-taken",
            node.part(0).span,
            title=twin.title,
            where=f": {twin.span.file}, line {twin.span.line}",
        )
        return None
    values: dict[str, object] = {}
    copies = 1
    texts: list[tuple[str, Span]] = []
    for part in node.parts:
        if part is None:
            continue
        if part.kind == "datum":
            name = part.part(0)
            if name.text == "copies":
                before = len(names.report.errors)
                made = constant(
                    names, exprs.wanted(part.part(1), {}, NUMBER), NUMBER, part.part(1).span
                )
                copies = made if isinstance(made, int) else 1
                if not 0 <= copies <= 1000 and len(names.report.errors) == before:
                    not_so_many(names, str(copies), part.part(1).span)
                continue
            t = known.field(name.text)
            if t is None:
                near = nearest(name.text, [n for n, _ in known.fields] + ["copies"])
                names.report.add(
                    "unknown-field",
                    name.span,
                    name=name.text,
                    of=component,
                    fix=f"Did you mean `{near[0]}`?" if near else None,
                )
                continue
            if name.text in values:
                names.report.add(
                    "name-taken",
                    name.span,
                    name=name.text,
                    what="given already on this card",
                    where="",
                )
            values[name.text] = printed(names, exprs, part.part(1), t)
        elif part.kind == "words":
            if part.part(0).text != "text":
                names.report.add(
                    "unexpected-word",
                    part.part(0).span,
                    word=part.part(0).text,
                    expected='a line such as `value: 3`, or "text"',
                )
            texts += sentences_of(part)
    data = node.words("datum")  # what a printed value cites, the card cites
    for part in data:
        names.check_node_citations(part)
    clause = names.clause(
        "card",
        f'card "{title}"',
        "",
        node,
        cites=tuple(dict.fromkeys([*node.cites, *[c for part in data for c in part.cites]])),
    )
    filled = tuple(
        (name, values[name] if name in values else usual(names, exprs, component, name, t))
        for name, t in known.fields
    )
    return Design(title, component, filled, copies, clause, tuple(texts), node.span, node.span.file)


def sentences_of(words: Node) -> list[tuple[str, Span]]:
    """The sentences of a text, each with its place; a row may hold several, a sentence stays on its row."""
    found: list[tuple[str, Span]] = []
    for bar in words.words("bar"):
        leaf = bar.part(0)
        cite = CITE.search(leaf.text)
        body = leaf.text[: cite.start()] if cite else leaf.text
        start = leaf.span.column + 1
        for match in _SENTENCE.finditer(body):
            sentence = match.group(0)
            if sentence.strip():
                lead = len(sentence) - len(sentence.lstrip())
                column = start + match.start() + lead
                span = Span(
                    leaf.span.file,
                    leaf.span.line,
                    column,
                    leaf.span.line,
                    column + len(sentence.strip()),
                )
                tail = f" {cite.group(0).strip()}" if cite else ""
                found.append((sentence.strip() + tail, span))
    return found
