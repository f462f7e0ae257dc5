"""A closer look: what lies in a place, how one player stands, what a piece says and where its
copies are, how an event came to its score."""

from __future__ import annotations

from interpreter.game.game import State
from interpreter.game.score_tree import ScoreTree, event_text, scored
from interpreter.model.visibility import may_know
from interpreter.render import table
from interpreter.table.fuzzy import fit, words
from interpreter.table.menu import Unclear, match
from rulelang.core.types import PLAYER, PieceT
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Design


def look(state: State, wanted: str, viewer: int) -> list[str]:
    """What is called so: a place with all that may be seen in it, a player, or a piece with its
    text."""
    named: dict[str, list[str]] = {}
    for name in state.game.rules_source.places:
        named[spoken(name)] = _place(state, name, viewer)
    for player in range(state.game.players):
        named[f"player {player + 1}"] = table.section(state, player, viewer) or [
            f"player {player + 1} has nothing yet"
        ]
    for design in state.game.rules_source.designs:
        if design.title:
            named.setdefault(design.title, []).extend(_design(state, design, viewer))
    texts = list(named)
    try:
        return named[texts[match(" ".join(wanted.lower().split()), texts)]]
    except Unclear as error:
        typed = words(wanted)
        best = [text for text in texts if len(fit(typed, words(text)).explained) == len(typed)]
        if len(best) == 1:
            return named[best[0]]
        return [f"{str(error)[:1].upper()}{str(error)[1:]}."]


def _place(state: State, name: str, viewer: int) -> list[str]:
    """Every copy of a place, written out as far as it may be seen."""
    s, place = table.seen_by(state, viewer), state.game.rules_source.places[name]
    found = []
    for key in sorted(
        (k for k in s.places if k[0] == name), key=lambda k: -1 if k[1] is None else k[1]
    ):
        whose = (
            ""
            if key[1] is None or place.of is None
            else f" of {state.game.presenter.text(key[1], place.of, s)}"
        )
        found.append(
            f"{spoken(name)}{whose}: {table.contents(state, s, viewer, key, whole=True) or 'empty'}"
        )
    return found


def _design(state: State, design: Design, viewer: int) -> list[str]:
    """What is printed on a piece, and where its copies are as far as the viewer may know."""
    game, s = state.game, table.seen_by(state, viewer)
    component = game.rules_source.components[design.component]
    values = [
        (n, component.field(n), v) for n, v in design.values if v not in (None, "", frozenset(), ())
    ]
    printed = [f"{spoken(n)} {game.presenter.text(v, t, s)}" for n, t, v in values if t is not None]
    found = [
        f"{design.title}: {component.words[0]}" + (f", {', '.join(printed)}" if printed else "")
    ]
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
    of = state.game.rules_source.places[key[0]].of
    if of == PLAYER:
        return (
            f"in your {spoken(key[0])}"
            if key[1] == viewer
            else f"in the {spoken(key[0])} of player {(key[1] or 0) + 1}"
        )
    return f"in the {spoken(key[0])}"


def explain(state: State, wanted: str, viewer: int) -> ScoreTree | None:
    """The tree of the last event that counted, or of the last one told with these words.

    Raises Unclear if none is.
    """
    if not wanted:
        entry = scored(state)
        return state.explain(entry, viewer) if entry is not None else None
    typed = words(wanted)
    for entry in reversed([e for e in table.seen_by(state, viewer).entries() if e.kind == "event"]):
        if len(fit(typed, words(event_text(state, entry, viewer))).explained) == len(typed):
            return state.explain(entry, viewer)
    raise Unclear(f"nothing that happened is told with “{wanted}”")
