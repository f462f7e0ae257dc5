"""How things stand at the table, as one viewer may see it: the boards, what is common, each player
with what is his, the viewer last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from rich.text import Text

from interpreter.game import log
from interpreter.game.game import State
from interpreter.game.views import knows_variable
from interpreter.game.wording import agreeing, filled
from interpreter.model.position import Position
from interpreter.model.setup import Key
from interpreter.model.visibility import may_know
from interpreter.render.board import draw_board, draw_boards
from interpreter.render.canvas import FURTHER
from interpreter.render.glyphs import player_style
from interpreter.render.hand import PieceTable, piece_table, table_lines
from interpreter.render.hand import aligned as aligned
from interpreter.render.look import Look
from interpreter.render.points import draw_map
from rulelang.core.types import NUMBER, PLAYER, KindT, PieceT, Type
from rulelang.core.values import Value

_BETWEEN = 3  # columns between boards that stand side by side
NO_PIECES = frozenset[int]()
MOST = 200  # letters of what lies in a place of somebody else; more is only counted


def seen_by(state: State, viewer: int | None) -> Position:
    """The position a viewer sees: in simultaneous play his own branch, and what is open to him of
    others."""
    return state.seen_by(viewer)


def table(state: State, look: Look) -> list[Text]:
    """Everything: common boards, the scores, what is common, then player by player his boards and
    what is his."""
    return [line for block in blocks(state, look) for line in block.lines]


@dataclass(frozen=True)
class Block:
    """Lines that belong together: a board, the scores, or what is common or a player's."""

    kind: Literal["board", "scores", "common", "other", "own"]
    lines: tuple[Text, ...]


def blocks(state: State, look: Look, brief: frozenset[int] = NO_PIECES) -> list[Block]:
    """The same in blocks; places with any of the pieces in `brief` are told as words."""
    s, viewer = seen_by(state, look.viewer), look.viewer
    found = [
        Block("board", tuple(draw_boards(state.game, s, look))),
        Block("scores", (Text(log.scores(state, viewer), style="bold"),)),
        Block("common", tuple(map(Text, common(state, viewer)))),
    ]
    players = order(state, viewer)
    together = _side_by_side(state, s, look, players)
    found.append(Block("board", tuple(together)))
    for player in players:
        boards = [] if together else draw_boards(state.game, s, look, player)
        his = headed(section(state, player, viewer, look.width, brief), player)
        found.append(Block("board", tuple(boards)))
        found.append(Block("own" if player == viewer else "other", tuple(his)))
    return found


def spread_out(state: State, viewer: int) -> frozenset[int]:
    """The viewer's own pieces that are told as tables."""
    held = holdings(state, viewer, viewer).places
    return frozenset(p for place in held if place.spread is not None for p in place.pieces)


def boards_at(state: State, look: Look) -> list[Text]:
    """The boards on which something is pointed at, and no others."""
    s, found = seen_by(state, look.viewer), list[Text]()
    for name, info in state.game.setup.boards.items():
        copies = {site // info.stride(role) for board, role, site in look.pointed if board == name}
        for copy in sorted(copies):
            found += draw_board(state.game, s, name, copy, look)
    for name in state.game.rules_source.maps:
        if any(of == name for of, _, _ in look.pointed):
            found += draw_map(state.game, s, name, look)
    return found


def _side_by_side(state: State, s: Position, look: Look, players: list[int]) -> list[Text]:
    """The boards of all players beside one another; no lines where they do not fit, or for one."""
    width = look.width
    if width is None or len(players) < 2:
        return []
    room = (width - _BETWEEN * (len(players) - 1)) // len(players)
    narrow = replace(look, width=max(room, 1))
    blocks = [draw_boards(state.game, s, narrow, player) for player in players]
    if any(line.plain == FURTHER for block in blocks for line in block):
        return []
    return beside(blocks, width) if all(blocks) else []


def beside(blocks: list[list[Text]], width: int | None) -> list[Text]:
    """Blocks of lines beside one another; no lines where they do not fit."""
    wide = [max((len(line.plain) for line in block), default=0) for block in blocks]
    if width is not None and sum(wide) + _BETWEEN * (len(wide) - 1) > width:
        return []
    found: list[Text] = []
    for row in range(max(map(len, blocks), default=0)):
        line = Text()
        for block, columns in zip(blocks, wide, strict=True):
            part = block[row].copy() if row < len(block) else Text()
            part.pad_right(columns + _BETWEEN - len(part.plain))
            line.append_text(part)
        line.rstrip()
        found.append(line)
    return found


def standing(state: State, viewer: int | None, width: int | None = None) -> list[Text]:
    """The same without the boards."""
    sections = [
        line for p in order(state, viewer) for line in headed(section(state, p, viewer, width), p)
    ]
    return [
        Text(log.scores(state, viewer), style="bold"),
        *map(Text, common(state, viewer)),
        *sections,
    ]


def headed(lines: list[str], player: int) -> list[Text]:
    """A player's section, its first line in his colour."""
    return [
        Text(line, style=player_style(player) if n == 0 else "") for n, line in enumerate(lines)
    ]


def order(state: State, viewer: int | None) -> list[int]:
    """The players, the viewer last: what he needs most then stands nearest to where he types."""
    return [p for p in range(state.game.players) if p != viewer] + (
        [viewer] if viewer is not None else []
    )


def common(state: State, viewer: int | None) -> list[str]:
    """The places and variables that are nobody's."""
    s = seen_by(state, viewer)
    found: list[str] = []
    grouped: dict[str, dict[str, list[str]]] = {}
    for key in _keys(s):
        place = state.game.rules_source.places[key[0]]
        if not s.places[key] or place.of == PLAYER:
            continue
        if place.of is None:
            found.append(f"{place.called}: {contents(state, s, viewer, key)}")
        else:
            inside = contents(state, s, viewer, key, brief=True)
            owner = state.game.presenter.text(key[1], place.of, s)
            grouped.setdefault(place.called, {}).setdefault(inside, []).append(owner)
    for called, owners in grouped.items():
        parts = [
            f"{inside}{' each' if len(of) > 1 else ''} of {_together(of)}"
            for inside, of in owners.items()
        ]
        found.append(f"{called}: {'; '.join(parts)}")
    variables = _variables(state, s, None, viewer)
    return found + ([", ".join(variables)] if variables else [])


def _together(names: list[str]) -> str:
    """Names in a row; a word with which all begin is said once."""
    begun = {name.partition(" ")[0] + " " for name in names}
    first = begun.pop() if len(begun) == 1 and len(names) > 1 else ""
    return first + ", ".join(name.removeprefix(first) for name in names)


@dataclass(frozen=True)
class Held:
    """A place of a player's in which something can be seen: how it is called, and what lies there,
    as words, (spread out) as a table, or counted.
    """

    called: str
    own: bool
    text: str
    spread: PieceTable | None = None
    pieces: tuple[int, ...] = ()
    number: str = ""


@dataclass(frozen=True)
class Holdings:
    """What is a player's: variables and what is only counted, and the places that can be seen."""

    facts: tuple[str, ...]
    places: tuple[Held, ...]


def holdings(state: State, player: int, viewer: int | None) -> Holdings:
    """What is a player's, as a viewer may know it."""
    s = seen_by(state, viewer)
    facts, places = _variables(state, s, player, viewer), list[Held]()
    for key in _keys(s):
        place = state.game.rules_source.places[key[0]]
        if place.of != PLAYER or key[1] != player or not s.places[key]:
            continue
        visible = [p for p in s.places[key] if may_know(s, viewer, p, PieceT(place.holds))]
        if visible:
            own = key[1] == viewer
            spread = piece_table(state, visible, place.holds) if own and not place.ordered else None
            text = contents(state, s, viewer, key, whole=True)
            places.append(
                Held(
                    place.called,
                    own,
                    text,
                    spread,
                    tuple(visible),
                    counted(state, len(s.places[key]), place.holds),
                )
            )
        else:
            facts.append(f"{place.called} {contents(state, s, viewer, key)}")
    return Holdings(tuple(facts), tuple(places))


def section(
    state: State,
    player: int,
    viewer: int | None,
    width: int | None = None,
    brief: frozenset[int] = NO_PIECES,
) -> list[str]:
    """One player: variables and what is only counted on one line, then each visible place.

    A place with any of the pieces in `brief` is told as words, of many pieces by their number,
    not as a table.
    """
    found, lines = holdings(state, player, viewer), list[str]()
    for held in found.places:
        head = f"{'your ' if held.own else '  '}{held.called}"
        if held.spread is None:
            lines.append(f"{head}: {held.text}")
        elif brief.isdisjoint(held.pieces):
            lines += table_lines(head, held.spread, width)
        else:
            lines.append(f"{head}: {held.text if len(held.text) <= MOST else held.number}")
    if not found.facts and not lines:
        return []
    called = name(player, viewer)
    return [f"{called}: {', '.join(found.facts)}" if found.facts else called, *lines]


def name(player: int, viewer: int | None) -> str:
    """A player, as a viewer calls him."""
    return f"player {player + 1}" + (" (you)" if player == viewer else "")


def contents(
    state: State,
    s: Position,
    viewer: int | None,
    key: Key,
    whole: bool = False,
    brief: bool = False,
) -> str:
    """What lies in a place as far as the viewer may know; where that is long, how much."""
    pieces, holds = s.places[key], state.game.rules_source.places[key[0]].holds
    visible = [p for p in pieces if may_know(s, viewer, p, PieceT(holds))]
    hidden = len(pieces) - len(visible)
    if brief and (not visible or (not hidden and _says_itself(state, visible, key))):
        return str(len(pieces))
    said = (
        listed(state, visible, holds, state.game.rules_source.places[key[0]].ordered)
        if visible
        else ""
    )
    if len(said) > MOST and not whole:
        said, hidden = "", len(pieces)
    return " and ".join(
        part for part in (said, counted(state, hidden, holds) if hidden else "") if part
    )


def _says_itself(state: State, pieces: list[int], key: Key) -> bool:
    """Are these several pieces called like the place's owner, so that their number says all?"""
    of = state.game.rules_source.places[key[0]].of
    names = {state.game.presenter.piece(p).lower() for p in pieces}
    return (
        of is not None
        and len(pieces) > 1
        and names == {state.game.presenter.text(key[1], of, state.position).lower()}
    )


def counted(state: State, number: int, component: str) -> str:
    """So many pieces of a component, in its own words."""
    return (
        f"{number} {state.game.rules_source.components[component].words[0 if number == 1 else 1]}"
    )


def listed(state: State, pieces: Iterable[int], component: str, as_they_lie: bool = False) -> str:
    """Pieces by name, equal ones counted.

    What is only printed on is told without the component's name before each.
    """
    named = Counter(state.game.presenter.piece(p) for p in pieces)
    one = state.game.rules_source.components[component].words[0] + " "
    bare = all(text.startswith(one) for text in named) and len(named) > 1
    entries = list(named.items()) if as_they_lie else sorted(named.items(), key=_sorting)
    parts = [
        (f"{count} × " if count > 1 else "") + (text.removeprefix(one) if bare else text)
        for text, count in entries
    ]
    return (f"{counted(state, sum(named.values()), component)}: " if bare else "") + (
        " · " if bare else ", "
    ).join(parts)


def _sorting(item: tuple[str, int]) -> list[tuple[int, str]]:
    """Numbers in a name by size."""
    return [
        (int(word), "") if word.isdecimal() and len(word) < 10 else (0, word)
        for word in item[0].split()
    ]


def _keys(s: Position) -> list[Key]:
    return sorted(s.places, key=lambda key: (key[0], -1 if key[1] is None else key[1]))


def _variables(state: State, s: Position, player: int | None, viewer: int | None) -> list[str]:
    """The variables of a player (or of the table) that have a wording, as far as the viewer may
    know them, where they hold anything."""
    found: list[str] = []
    for variable in state.game.rules_source.states.values():
        wanted = variable.of is None if player is None else variable.of == PLAYER
        if not wanted or not variable.reads:
            continue
        if not knows_variable(state.game, s, viewer, variable.name, player):
            continue
        changed = dict(s.changed(variable.name))
        value = changed.get(player, state.game.setup.defaults[variable.name])
        if _is_nothing(value, variable.type) or (
            isinstance(variable.type, KindT) and player is not None and player not in changed
        ):
            continue
        open_to_him = may_know(s, viewer, value, variable.type)
        shown = state.game.presenter.text(value, variable.type, s) if open_to_him else "hidden"
        found.append(agreeing(filled(variable.reads, {variable.name: shown})))
    return found


def _is_nothing(value: Value, t: Type) -> bool:
    """Is there nothing to tell of it: none, no, 0 or empty?"""
    empty = not value and (t == NUMBER or isinstance(value, bool | frozenset | tuple))
    return value is None or empty
