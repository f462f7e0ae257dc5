"""Showing what the rules can work out: a definition or score table by name or in its own words, its
sites marked on the map; and an option, tried."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.text import Text

from interpreter.game.game import State
from interpreter.game.score_tree import tally_tree
from interpreter.model.errors import InputError
from interpreter.model.position import Position
from interpreter.model.visibility import may_know
from interpreter.render.board import draw_board
from interpreter.render.look import PLAIN, Look
from interpreter.table.menu import Unclear
from rulelang import core
from rulelang.builtins.record import ANYTHING_READ, WHERE
from rulelang.builtins.registry import builtin
from rulelang.core.types import (
    NUMBER,
    PLAYER,
    TEXT,
    TRUTH,
    KindT,
    OptionalT,
    PieceT,
    SiteT,
    Type,
    element,
)
from rulelang.core.values import Value, members, number, numbers
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Definition, Ruleset, Table

MOST_LISTED = 12  # things that are listed before all are asked for
MOST_WORDS = 40  # of what is asked to be shown
_SLOT = re.compile(
    r"\\\{([a-z_]\w*)(?:\\ [^}]*)?\\\}"
)  # a slot of a phrase, once the phrase is made safe for a pattern

Shown = Definition | Table


def show(state: State, wanted: str, viewer: int, look: Look = PLAIN) -> list[str | Text]:
    """What is asked for, as far as it follows from what lies open.

    Without words, what can be asked for. Raises Unclear.
    """
    known = showable(state.game.rules_source)
    if not wanted or wanted == "all":
        return _listed(state, known, whole=bool(wanted))
    problem = ""
    s = state.seen_by(viewer)
    for item, values in _asked(known, wanted):
        try:
            made = tuple(
                _value(state, s, text, t, viewer)
                for text, (_, t) in zip(values, item.params, strict=True)
            )
        except InputError:
            continue  # nothing is called so
        except ValueError as error:
            problem = problem or str(error)
            continue
        told = _told(state, s, item, made, look)
        asked, _, found = str(told[0]).partition(": ")
        if len(told) > 1 or asked != found:  # else it is only another name of the same
            return told
    usage = _meant(known, wanted)
    raise Unclear(
        usage or problem or f"nothing that can be shown is called “{wanted}”; `show` lists what can"
    )


def trial(
    state: State, later: State, chosen: str, viewer: int, look: Look = PLAIN
) -> list[str | Text]:
    """The boards as they would lie later, after what is called so is chosen, which it is not.

    Nothing that would show anybody something new. Raises Unclear.
    """
    if later.position.learned:
        raise Unclear("that would show something new, so it cannot be tried")
    s = later.seen_by(viewer)
    found: list[str | Text] = [f"If you choose {chosen}:"] if chosen else []
    for name, info in state.game.setup.boards.items():
        found += draw_board(state.game, s, name, viewer if info.copies > 1 else 0, look)
    before = state.seen_by(viewer)
    return (
        found
        if (s.on, s.tiles, s.vars) != (before.on, before.tiles, before.vars)
        else [*found, "Nothing lies otherwise yet."]
    )


# -------------------------------------------------------------------------------- what can be shown
def _listed(state: State, known: list[Shown], whole: bool) -> list[str | Text]:
    """What can be asked for: scores and what lies on the map, or else all."""
    asked = [item for item in known if _is_asked_for(state, item)]
    first = [item for item in asked if isinstance(item, Table) or _on_the_map(item)]
    told = asked if whole else (first or asked)[:MOST_LISTED]
    left = len(asked) - len(told)
    return [
        "What can be shown, with values in the place of the words in brackets:",
        *(f"  {_usage(item, known)}" for item in told),
        *([f"  … and {left} others: `show all` lists them"] if left else []),
    ]


def _on_the_map(item: Shown) -> bool:
    """Does it give cells, for something that is named?"""
    if isinstance(item, Table) or not item.params:
        return False
    inner: Type | None = item.type
    while inner is not None and element(inner) is not None:
        inner = element(inner)
    return isinstance(inner, SiteT)


def _is_asked_for(state: State, item: Shown) -> bool:
    """Is it worth listing: of the game itself, about something, and no turn of phrase of cards?"""
    clause = state.game.rules_source.clauses.get(item.clause)
    own = clause is not None and clause.span.file in state.game.loaded.sources
    phrase = item.reads[0]
    about = all(f"{{{name}" in phrase for name, _ in item.params)
    return own and about and not re.search(r"[/()]", phrase)


def showable(rules: Ruleset) -> list[Shown]:
    """The definitions and tables that say in words what they mean, and follow from what lies open
    to all."""
    found: list[Shown] = [
        d
        for d in rules.definitions.values()
        if d.reads and _typeable(d) and open_to_all(rules, (d.cases, *_added(rules, d.name)))
    ]
    return found + [
        t
        for t in rules.tables.values()
        if t.reads and _typeable(t) and open_to_all(rules, (t.lines, *_added(rules, t.name)))
    ]


def _typeable(item: Shown) -> bool:
    return all(
        isinstance(t, PieceT | SiteT | KindT) or t in (PLAYER, NUMBER, TEXT, TRUTH)
        for _, t in item.params
    )


def open_to_all(rules: Ruleset, item: object, seen: set[str] | None = None) -> bool:
    """Does this read only what everybody may know, through all it calls?

    Where a piece is that may be hidden is not so.
    """
    seen = set() if seen is None else seen
    for part in core.walk(item):
        if isinstance(part, core.Contents) and rules.places[part.place].visibility != "public":
            return False
        if isinstance(part, core.Read) and rules.states[part.state].visibility != "public":
            return False
        if (
            isinstance(part, core.Builtin)
            and builtin(part.name).sources(part, rules) & (WHERE | ANYTHING_READ)
            and any(place.visibility != "public" for place in rules.places.values())
        ):
            return False
        for name, inner in _called(rules, part):
            if name not in seen:
                seen.add(name)
                if not open_to_all(rules, inner, seen):
                    return False
    return True


def _called(rules: Ruleset, part: core.Node) -> Iterator[tuple[str, object]]:
    """The bodies a core object leads to."""
    if isinstance(part, core.Apply) and part.define in rules.definitions:
        yield (
            f"define {part.define}",
            (rules.definitions[part.define].cases, *_added(rules, part.define)),
        )
    elif isinstance(part, core.Groups | core.Reach) and part.relation:
        yield (
            f"define {part.relation}",
            (rules.definitions[part.relation].cases, *_added(rules, part.relation)),
        )
    elif isinstance(part, core.Total):
        yield f"score {part.table}", (rules.tables[part.table].lines, *_added(rules, part.table))
    elif isinstance(part, core.Accepts | core.At) and part.event:
        yield (
            f"event {part.event}",
            (
                rules.events[part.event].rules,
                rules.events[part.event].body,
                *_added(rules, part.event),
            ),
        )


def _added(rules: Ruleset, name: str) -> list[object]:
    """What the texts of cards add to a definition, table or event."""
    return [
        (e.cond, e.cases, e.lines, e.rules, e.reaction)
        for e in rules.extensions
        if e.target == name
    ]


# ------------------------------------------------------------------------------------ what is asked
def _usage(item: Shown, known: list[Shown]) -> str:
    """How it is asked for: in its own words, or by name where these are another's too."""
    types = dict(item.params)

    def said(other: Shown) -> str:
        named = dict(other.params)
        return re.sub(
            r"\{([a-z_]\w*)[^}]*\}",
            lambda m: f"[{named[m.group(1)]}]" if m.group(1) in named else m.group(0),
            other.reads[0],
        )

    own = said(item)
    if (
        all(f"{{{name}" in item.reads[0] for name in types)
        and sum(said(other) == own for other in known) < 2
    ):
        return own
    return " ".join([item.name, *(f"[{t}]" for t in types.values())]) + f": {own}"


def _meant(known: list[Shown], wanted: str) -> str:
    """What is lacking of a thing that is named without its values; nothing if none is named."""
    line = " ".join(wanted.lower().split())
    for item in known:
        lacking = [f"[{t}]" for _, t in item.params]
        bare = " ".join(re.sub(r"\{[^}]*\}", " ", item.reads[0]).lower().split())
        if lacking and line in (item.name, spoken(item.name), bare):
            return f"say of which {' and '.join(lacking)}, as in `show {_usage(item, known)}`"
    return ""


def _asked(known: list[Shown], wanted: str) -> Iterator[tuple[Shown, list[str]]]:
    """The things the words can stand for, with the texts of their values: by name, or by their own
    phrase."""
    words = wanted.split()[:MOST_WORDS]
    line = " ".join(words)
    for item in known:
        count = len(item.params)
        for name in {item.name, spoken(item.name)}:
            if line.lower() == name or line.lower().startswith(name + " "):
                rest = line[len(name) :].split()
                if len(rest) == count:
                    yield item, rest
                elif count == 1 and rest:
                    yield item, [" ".join(rest)]
        for phrase in item.reads:
            slots = _SLOT.findall(re.escape(phrase))
            match = re.fullmatch(
                r"(?:the )?" + _SLOT.sub("(.+?)", re.escape(phrase.removeprefix("the "))),
                line,
                re.IGNORECASE,
            )
            if match and sorted(slots) == sorted(name for name, _ in item.params):
                given = dict(zip(slots, match.groups(), strict=True))
                yield item, [given[name] for name, _ in item.params]


def _value(state: State, s: Position, text: str, t: Type, viewer: int) -> Value:
    """The value a text stands for.

    A site of the viewer's own board first, a piece by its title or by where it lies. Raises
    ValueError.
    """
    read = state.game.presenter.read
    if isinstance(t, SiteT):
        if state.game.setup.boards[t.board].copies > 1:
            try:
                return read(f"{text} of player {viewer + 1}", t, s)
            except ValueError:
                pass
        return read(text, t, s)
    if isinstance(t, PieceT):
        return _piece(state, s, text, t, viewer)
    if t == PLAYER and text.lower() in ("me", "i", "my"):
        return viewer
    if t == PLAYER and text.isdecimal():
        return read(f"p{text}", t, s)
    if t == TRUTH:
        return read({"yes": True, "no": False}.get(text.lower(), text), t, s)
    return read(int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text, t, s)


def _piece(state: State, s: Position, text: str, t: PieceT, viewer: int) -> int:
    for name, info in state.game.setup.boards.items():
        for layer in info.board.layers:
            if layer.component == t.name:
                site_t = SiteT(name, layer.role, dict(info.board.roles).get(layer.role, layer.role))
                try:
                    here = s.on[layer.name].get(number(_value(state, s, text, site_t, viewer)), ())
                except ValueError:
                    continue
                if here:
                    return here[-1]
    piece = number(state.game.presenter.read(text, t, s))
    if not may_know(s, viewer, piece, t):
        raise ValueError(f"where {text} is you may not know")
    return piece


# ------------------------------------------------------------------------------------- what is told
def _told(
    state: State, s: Position, item: Shown, values: tuple[Value, ...], look: Look
) -> list[str | Text]:
    game = state.game
    said = {
        name: game.presenter.text(value, t, s)
        for (name, t), value in zip(item.params, values, strict=True)
    }
    phrase = re.sub(
        r"\{([a-z_]\w*)[^}]*\}", lambda m: said.get(m.group(1), m.group(0)), item.reads[0]
    )
    if isinstance(item, Table):
        tree = tally_tree(state, game.rules.tally(s, item.name, values)).lines()
        return [f"{phrase}: {tree[0].rpartition(' ')[2]}", *tree[1:]]
    found = game.rules.definition(item.name)(s, values)
    marked = _cells(found, item.type)
    if marked is None:
        return [f"{phrase}: {game.presenter.text(found, item.type, s)}"]
    board, cells = marked
    info = game.setup.boards[board]
    lines: list[str | Text] = [
        f"{phrase}: {len(cells)}, marked with *" if cells else f"{phrase}: none"
    ]
    pointed = {(board, "cell", cell): "*" for cell in cells}
    for copy in sorted({cell // info.cells for cell in cells}):
        lines += draw_board(game, s, board, copy, replace(look, pointed=pointed))
    return lines


def _cells(value: Value, t: Type) -> tuple[str, frozenset[int]] | None:
    """The board and the cells of a value that is a cell, or a set of cells, or sets of them."""
    if isinstance(t, SiteT):
        return (t.board, frozenset({number(value)})) if t.role == "cell" else None
    if isinstance(t, OptionalT):
        if value is None and isinstance(t.of, SiteT):
            return t.of.board, frozenset()
        return _cells(value, t.of)
    inner = element(t)
    if isinstance(inner, SiteT):
        return (inner.board, frozenset(numbers(value or ()))) if inner.role == "cell" else None
    return _cells_of_all(members(value or ()), inner) if inner is not None else None


def _cells_of_all(values: Iterable[Value], t: Type) -> tuple[str, frozenset[int]] | None:
    """The board and all cells of several values; none if one of them is no cells."""
    made: list[tuple[str, frozenset[int]]] = []
    for value in values:
        found = _cells(value, t)
        if found is None:
            return None
        made.append(found)
    return (made[0][0], frozenset().union(*(cells for _, cells in made))) if made else None
