"""A closer look: what lies in a place, how one player stands, what a piece says and where its
copies are, how an event came to its score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interpreter.game.game import State
from interpreter.game.score_tree import ScoreTree, event_text, scored
from interpreter.game.standing_tree import standing_tree
from interpreter.game.wording import filled
from interpreter.model.position import Position
from interpreter.model.setup import Key
from interpreter.model.visibility import may_know
from interpreter.render import points, table
from interpreter.render.hand import PieceTable, table_lines
from interpreter.table.fuzzy import fit, words
from interpreter.table.menu import Unclear, match
from rulelang.core.types import PLAYER, KindT, PieceT, SiteT
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Design


def _standing(state: State, typed: tuple[str, ...], viewer: int) -> ScoreTree:
    """How a player's score comes about: the one named, or the viewer's. Raises Unclear."""
    numbers = [int(word) for word in typed if word.isdecimal() and len(word) < 3]
    player = numbers[0] - 1 if numbers else viewer
    if not 0 <= player < state.game.players:
        raise Unclear(f"there are players 1 to {state.game.players}")
    tree = standing_tree(state, player, viewer)
    if tree is None:
        raise Unclear(f"how player {player + 1} stands is not known before the end")
    return tree


def _cells(state: State, wanted: str, viewer: int) -> list[str]:
    """What lies on the cell or point of this name, on each board and map; no lines if none is."""
    label, found = " ".join(wanted.lower().split()), list[str]()
    s, game = table.seen_by(state, viewer), state.game
    for name, info in game.setup.boards.items():
        t = SiteT(name, "cell", dict(info.board.roles).get("cell", "cell"))
        for copy in range(info.copies):
            for cell in sorted(s.present(name, copy)):
                site = cell + copy * info.cells
                called = game.presenter.cell_label(site, t, s)
                spot = cell == game.presenter.ground(label, info)
                if spot or label in (called, game.presenter.label(site, t, s)):
                    found.append(f"{game.presenter.label(site, t, s)}: {_lying(state, s, t, site)}")
    for name in game.rules_source.maps:
        for point in range(len(game.rules_source.kinds[name].members)):
            if label == game.presenter.member(KindT(name), point):
                there = points.lying(game, s, name, point)
                found.append(f"{label}: {', '.join(there) or 'nothing lies there'}")
    return found


def _lying(state: State, s: Position, t: SiteT, site: int) -> str:
    """The pieces on a cell, the topmost first, and its variables that hold something."""
    game, found = state.game, list[str]()
    info = game.setup.boards[t.board]
    if info.board.grown_from is not None and site in s.tiles[t.board]:
        found.append(f"part of {game.presenter.called(s.tiles[t.board][site][0])}")
    for layer in info.board.layers:
        here = s.on[layer.name].get(site, ()) if layer.role == "cell" else ()
        found += [game.presenter.piece(piece) for piece in reversed(here)]
    for variable in game.rules_source.states.values():
        if variable.of == t and variable.visibility == "public" and variable.reads:
            value = s.vars[variable.name].get(site)
            if value:
                said = {variable.name: game.presenter.text(value, variable.type, s)}
                found.append(filled(variable.reads, said))
    return ", ".join(found) or "nothing lies there"


def is_cell(state: State, wanted: str, viewer: int) -> bool:
    """Does a cell on the boards bear this name?"""
    return bool(_cells(state, wanted, viewer))


def look(state: State, wanted: str, viewer: int, width: int | None = None) -> list[str]:
    """What is called so, or why that is not clear; tables on lines of some width."""
    try:
        return named(state, wanted, viewer, width)
    except Unclear as error:
        return [f"{str(error)[:1].upper()}{str(error)[1:]}."]


def named(state: State, wanted: str, viewer: int, width: int | None = None) -> list[str]:
    """What is called so: a place with all that may be seen in it, a player, a cell, or a piece with
    its text; `my` before a place means that of the viewer. Raises Unclear."""
    first, _, rest = wanted.strip().partition(" ")
    if first.lower() in ("my", "your") and rest:
        for name, place in state.game.rules_source.places.items():
            if place.of == PLAYER and rest.lower() in (spoken(name), place.called):
                return _place(state, name, viewer, width, viewer)
    if first.lower() in ("my", "your", "the") and rest:
        return named(state, rest, viewer, width)
    if cells := _cells(state, wanted, viewer):
        return cells
    return _named(state, wanted, viewer, width)


def _named(state: State, wanted: str, viewer: int, width: int | None) -> list[str]:
    """What the one thing of this name is. Raises Unclear."""
    known = _things(state, viewer, width)
    texts = list(known)
    try:
        found = texts[match(" ".join(wanted.lower().split()), texts)]
    except Unclear:
        typed = words(wanted)
        best = [text for text in texts if len(fit(typed, words(text)).explained) == len(typed)]
        if not best:
            raise Unclear(f"nothing that can be looked at is called “{wanted}”") from None
        if len(best) != 1:
            raise
        (found,) = best
    return [line for tell in known[found] for line in tell()]


def _things(
    state: State, viewer: int, width: int | None
) -> dict[str, list[Callable[[], list[str]]]]:
    """What can be looked at by its name, with what tells of it."""
    found: dict[str, list[Callable[[], list[str]]]] = {}
    for name, place in state.game.rules_source.places.items():
        for called in dict.fromkeys((spoken(name), place.called)):
            found[called] = [partial(_place, state, name, viewer, width)]
    for player in range(state.game.players):
        found[f"player {player + 1}"] = [partial(_player, state, player, viewer, width)]
    for design in state.game.rules_source.designs:
        for piece in state.game.setup.by_component[design.component]:
            if state.game.setup.pieces[piece].design is design:
                called = design.title or state.game.presenter.called(piece)
                found.setdefault(called, []).append(partial(_design, state, design, viewer))
                break
    return found


def _player(state: State, player: int, viewer: int, width: int | None) -> list[str]:
    """How one player stands."""
    return table.section(state, player, viewer, width) or [f"player {player + 1} has nothing yet"]


def _place(
    state: State, name: str, viewer: int, width: int | None, only: int | None = None
) -> list[str]:
    """Every copy of a place, or that of one player, written out as far as it may be seen.

    What the viewer holds himself is a table where it is told so elsewhere.
    """
    s, place = table.seen_by(state, viewer), state.game.rules_source.places[name]
    found = list[str]()
    for key in sorted(
        (k for k in s.places if k[0] == name), key=lambda k: -1 if k[1] is None else k[1]
    ):
        if only is not None and key[1] != only:
            continue
        if place.of == PLAYER and key[1] == viewer and (spread := _spread(state, key, viewer)):
            found += table_lines(f"your {place.called}", spread, width)
            continue
        whose = (
            ""
            if key[1] is None or place.of is None
            else f" of {state.game.presenter.text(key[1], place.of, s)}"
        )
        inside = table.contents(state, s, viewer, key, whole=True) or "empty"
        found.append(f"{place.called}{whose}: {inside}")
    return found


def _spread(state: State, key: Key, viewer: int) -> PieceTable | None:
    """What lies in a viewer's own place as a table, where it is told as one."""
    called = state.game.rules_source.places[key[0]].called
    held = table.holdings(state, viewer, viewer).places
    return next((one.spread for one in held if one.called == called), None)


def _design(state: State, design: Design, viewer: int) -> list[str]:
    """What is printed on a piece, and where its copies are as far as the viewer may know."""
    game, s = state.game, table.seen_by(state, viewer)
    component = game.rules_source.components[design.component]
    values = [
        (n, component.field(n), v) for n, v in design.values if v not in (None, "", frozenset(), ())
    ]
    printed = [f"{spoken(n)} {game.presenter.text(v, t, s)}" for n, t, v in values if t is not None]
    called = f"{design.title}: {component.words[0]}" if design.title else component.words[0]
    found = [called + (f", {', '.join(printed)}" if printed else "")]
    found += [f"  {text}" for text, _ in design.text]
    ids = [
        p
        for p in game.setup.by_component[design.component]
        if game.setup.pieces[p].design == design
    ]
    where: dict[str, int] = {}
    for piece in ids:
        at = s.where[piece]
        known = may_know(s, viewer, piece, PieceT(design.component))
        place = (
            "out of the game"
            if at is None
            else ("on the board" if len(at) == 3 else _where(state, at, viewer))
            if known
            else "not in sight"
        )
        where[place] = where.get(place, 0) + 1
    return [*found, "  " + ", ".join(f"{count} {place}" for place, count in where.items())]


def _where(state: State, key: tuple[str, int | None], viewer: int) -> str:
    place = state.game.rules_source.places[key[0]]
    if place.of == PLAYER and key[1] == viewer:
        return f"in your {place.called}"
    whose = f" of player {(key[1] or 0) + 1}" if place.of == PLAYER else ""
    return f"in the {place.called}{whose}"


def explain(state: State, wanted: str, viewer: int) -> ScoreTree | None:
    """The tree of the last event that counted, or of the last one told with these words.

    Raises Unclear if none is.
    """
    if not wanted:
        entry = scored(state)
        return state.explain(entry, viewer) if entry is not None else None
    typed = words(wanted)
    if typed[:1] in (("score",), ("scores",), ("player",), ("result",)):
        return _standing(state, typed, viewer)
    for entry in reversed([e for e in table.seen_by(state, viewer).entries() if e.kind == "event"]):
        if len(fit(typed, words(event_text(state, entry, viewer))).explained) == len(typed):
            return state.explain(entry, viewer)
    raise Unclear(f"nothing that happened is told with “{wanted}”")
