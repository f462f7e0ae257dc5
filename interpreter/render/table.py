"""How things stand at the table, as one viewer may see it: the boards, what is common, each player
with what is his, the viewer last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from rich.text import Text

from interpreter.game import log
from interpreter.game.game import State
from interpreter.model.position import Position
from interpreter.model.setup import Key
from interpreter.model.visibility import may_know
from interpreter.render.board import Look, draw_boards
from interpreter.render.glyphs import player_style
from rulelang.core.types import NUMBER, PLAYER, TRUTH, KindT, OptionalT, PieceT, SetT, Type
from rulelang.core.values import Value, numbers
from rulelang.diagnostics.english import spoken
from rulelang.ruleset import Design

MOST = 200  # letters of what lies in a place of somebody else; more is only counted


def seen_by(state: State, viewer: int | None) -> Position:
    """The position a viewer sees: in simultaneous play his own branch, and what is open to him of
    others."""
    return state.seen_by(viewer)


def table(state: State, look: Look) -> list[Text]:
    """Everything: common boards, the scores, what is common, then player by player his boards and
    what is his."""
    s, viewer = seen_by(state, look.viewer), look.viewer
    found = [
        *draw_boards(state.game, s, look),
        Text(log.scores(state, viewer), style="bold"),
        *map(Text, common(state, viewer)),
    ]
    for player in order(state, viewer):
        found += [
            *draw_boards(state.game, s, look, player),
            *headed(section(state, player, viewer), player),
        ]
    return found


def standing(state: State, viewer: int | None) -> list[Text]:
    """The same without the boards."""
    sections = [line for p in order(state, viewer) for line in headed(section(state, p, viewer), p)]
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
    grouped: dict[str, list[str]] = {}
    for key in _keys(s):
        place = state.game.rules_source.places[key[0]]
        if not s.places[key] or place.of == PLAYER:
            continue
        if place.of is None:
            found.append(f"{spoken(key[0])}: {contents(state, s, viewer, key)}")
        else:
            grouped.setdefault(key[0], []).append(
                f"{contents(state, s, viewer, key, brief=True)} "
                f"of {state.game.presenter.text(key[1], place.of, s)}"
            )
    found += [f"{spoken(name)}: {', '.join(parts)}" for name, parts in grouped.items()]
    variables = _variables(state, s, None, viewer)
    return found + ([", ".join(variables)] if variables else [])


def section(state: State, player: int, viewer: int | None) -> list[str]:
    """One player: variables and what is only counted on one line, then each visible place."""
    s = seen_by(state, viewer)
    facts, lines = _variables(state, s, player, viewer), list[str]()
    for key in _keys(s):
        place = state.game.rules_source.places[key[0]]
        if place.of != PLAYER or key[1] != player or not s.places[key]:
            continue
        visible = [p for p in s.places[key] if may_know(s, viewer, p, PieceT(place.holds))]
        if visible:
            lines += _visible_place(state, s, viewer, key, visible)
        else:
            facts.append(f"{spoken(key[0])} {contents(state, s, viewer, key)}")
    if not facts and not lines:
        return []
    called = name(player, viewer)
    return [f"{called}: {', '.join(facts)}" if facts else called, *lines]


def _visible_place(
    state: State, s: Position, viewer: int | None, key: Key, visible: list[int]
) -> list[str]:
    """A player's place in which something can be seen; the viewer's own spread out if it can be."""
    place, own = state.game.rules_source.places[key[0]], key[1] == viewer
    head = f"{'your ' if own else '  '}{spoken(key[0])}"
    table = spread(state, head, visible, place.holds) if own and not place.ordered else []
    return table or [f"{head}: {contents(state, s, viewer, key, whole=True)}"]


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


def spread(state: State, head: str, pieces: list[int], component: str) -> list[str]:
    """Titled pieces with several numbers on them as a table; no lines for other pieces.

    A row is a design, a column a field that says something of one of them.
    """
    types = dict(state.game.rules_source.components[component].fields)
    designs = Counter(state.game.setup.pieces[p].design for p in pieces)
    if sum(t == NUMBER for t in types.values()) < 2 or not all(design.title for design in designs):
        return []
    fields, rows = _design_rows(state, designs, {n: t for n, t in types.items() if _tabled(t)})
    rows = [[head, *map(spoken, fields)], *rows]
    return _aligned(rows, [False, *(types[name] == NUMBER for name in fields)])


def _design_rows(
    state: State, designs: Mapping[Design, int], types: Mapping[str, Type]
) -> tuple[list[str], list[list[str]]]:
    """The fields that say something, and for each design, by title, its cells."""
    cells: dict[tuple[Design, str], str] = {}
    for design in designs:
        printed = dict(design.values)
        cells |= {(design, name): _cell(state, printed[name], t) for name, t in types.items()}
    fields = [name for name in types if any(cells[design, name] != "-" for design in designs)]
    rows = [
        [
            "  " + (f"{number} × " if number > 1 else "") + design.title,
            *(cells[design, field] for field in fields),
        ]
        for design, number in designs.items()
    ]
    return fields, sorted(rows, key=lambda row: row[0].strip().split(" × ")[-1])


def _aligned(rows: list[list[str]], right: list[bool]) -> list[str]:
    """Rows as lines with columns of one width, those of numbers aligned to the right."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, wide, right, strict=True)
        ).rstrip()
        for row in rows
    ]


def _tabled(t: Type) -> bool:
    """Is it short enough to say for a column: a number, a member of a kind, several of them, yes or
    no?"""
    inner = t.of if isinstance(t, OptionalT | SetT) else t
    return inner in (NUMBER, TRUTH) or isinstance(inner, KindT)


def _cell(state: State, value: Value, t: Type) -> str:
    """What a field says in a column: a dash for nothing."""
    if t == TRUTH:
        return "yes" if value else "-"
    if value is None or (not value and not isinstance(t, KindT | OptionalT)):
        return "-"
    if isinstance(t, SetT):
        return ", ".join(_cell(state, item, t.of) for item in sorted(numbers(value)))
    return str(state.game.presenter.text(value, t, state.position))


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


def _stage(state: State, t: Type) -> bool:
    """Is it a kind with an order, by which all can see how far the game is?"""
    return (
        isinstance(t, KindT)
        and t.name in state.game.rules_source.kinds
        and state.game.rules_source.kinds[t.name].ordered
    )


def _variables(state: State, s: Position, player: int | None, viewer: int | None) -> list[str]:
    """The variables of a player (or of the table) that the viewer may know, where they are not what
    they began with; how far things are, always."""
    found: list[str] = []
    for variable in state.game.rules_source.states.values():
        wanted = variable.of is None if player is None else variable.of == PLAYER
        hidden = variable.visibility == "hidden" or (
            variable.visibility == "private" and (player is None or player != viewer)
        )
        changed = dict(s.changed(variable.name))
        if (
            wanted
            and not hidden
            and (player in changed or (player is None and _stage(state, variable.type)))
        ):
            value = (
                changed[player] if player in changed else state.game.setup.defaults[variable.name]
            )
            shown = (
                state.game.presenter.text(value, variable.type, s)
                if may_know(s, viewer, value, variable.type)
                else "hidden"
            )
            found.append(f"{spoken(variable.name)} {shown}")
    return found
