"""First pass over the declarations: every name that others may use is entered.

Kinds, groups, components, boards, places and options become components of the ruleset; what is
callable is entered in the symbol table with its parameters.
"""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace

from rulelang.core.types import Type
from rulelang.diagnostics import did_you_mean
from rulelang.diagnostics.english import plural, spoken, unmarked
from rulelang.elaborate.boards import declare_board, declare_place, declare_sites, texts_of
from rulelang.elaborate.layouts import declare_layout
from rulelang.elaborate.symbols import Head, SymbolTable
from rulelang.elaborate.titles import Titles
from rulelang.ruleset import Component, Group, Kind, Pair, Params
from rulelang.syntax.nodes import Node, plain, uncited

_MOST_MOVES = 100_000  # that a game may be given
MAX_MEMBERS = 2_000  # of one kind
MAX_ALL_MEMBERS = 20_000  # of all kinds together


def declare_all(symbols: SymbolTable, nodes: list[Node]) -> None:
    """Enter every declaration that others may name, types before what asks for them."""
    for kind, declare in _PASSES:
        for node in nodes:
            if node.kind == kind:
                declare(symbols, node)
    symbols.titles = Titles(titles_of(nodes))
    for node in nodes:
        _declare_head(symbols, node)


# ------------------------------------------------------------------------ the game, options
def _game(symbols: SymbolTable, node: Node) -> None:
    rules = symbols.rules
    if rules.id:
        symbols.report.add("second-game", node.span, name=rules.id)
        return
    rules.id, rules.title = node.part(0).text, plain(node.part(1))
    rules.clause = symbols.clause("game", "game", "", node)
    symbols.declared[rules.id] = ("the game", node.part(0).span)
    for setting in node.words("prop"):
        key = setting.part(0)
        apply = _GAME_SETTINGS.get(key.text)
        if apply is None:
            symbols.report.add(
                "unknown-setting",
                key.span,
                key=key.text,
                known=", ".join(_GAME_SETTINGS),
                fix=did_you_mean(key.text, _GAME_SETTINGS),
            )
        else:
            wanted = apply(symbols, setting)
            if wanted is not None:
                symbols.report.add("bad-setting", setting.span, key=key.text, expected=wanted)
        symbols.clause("game", "game", key.text, setting)


def _players(symbols: SymbolTable, setting: Node) -> str | None:
    words = texts_of(setting.words("item")[0])
    if len(words) == 3 and words[1] == "to" and words[0].isdecimal():
        most = int(words[2]) if words[2].isdecimal() else None
        symbols.rules.players = (int(words[0]), most)
    elif len(words) == 1 and words[0].isdecimal():
        symbols.rules.players = (int(words[0]), int(words[0]))
    else:
        return "`players: 2 to 5`, `players: 2` or `players: 1 to any`"
    return None


def _citations(symbols: SymbolTable, setting: Node) -> str | None:
    symbols.rules.prefix = texts_of(setting.words("item")[0])[0]
    return None


def _moves(symbols: SymbolTable, setting: Node) -> str | None:
    number = texts_of(setting.words("item")[0])[0]
    if not number.isdecimal():
        return "a number, as in `moves: 2000`"
    symbols.rules.max_moves = min(int(number), _MOST_MOVES)
    return None


def _deck(symbols: SymbolTable, setting: Node) -> str | None:
    names = setting.part(1).words()
    if not names:
        return "the name of a deck list"
    symbols.default_deck = names[0]
    return None


# name -> what enters the setting; it returns what is expected where the value is no such thing
_GAME_SETTINGS: dict[str, Callable[[SymbolTable, Node], str | None]] = {
    "players": _players,
    "citations": _citations,
    "moves": _moves,
    "deck": _deck,
}


def _option(symbols: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if not symbols.declare("an option", word):
        return
    values = tuple(
        int(part.text) if part.kind == "NUMBER" else part.text
        for part in node.parts[1:]
        if part is not None and part.kind in ("NAME", "NUMBER")
    )
    if len(set(map(type, values))) > 1:
        symbols.report.add("mixed-option", word.span, name=word.text)
    symbols.rules.options[word.text] = values
    for index, value in enumerate(values):
        if isinstance(value, str):
            symbols.members.setdefault(value, []).append((word.text, index))
    symbols.clause("option", f"option {word.text}", "", node)


# ------------------------------------------------------------------------ kinds, groups, pairs
def _singular_and_plural(node: Node, name: str) -> tuple[str, str]:
    """The words for one and for many: as written, or as English makes them from the name."""
    texts = [plain(part) for part in node.words("STRING")]
    one = texts[0] if texts else spoken(name)
    return one, texts[1] if len(texts) > 1 else plural(one)


def _enter_plural(symbols: SymbolTable, words: tuple[str, str], name: str) -> None:
    symbols.plurals.setdefault(words[1].replace(" ", "_"), name)


def _kind(symbols: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if not symbols.declare("a kind", word):
        return
    members: dict[str, tuple[str, str]] = {}
    for item in _members_within_bounds(symbols, node):
        name = item.part(0).text
        if name in members:
            _name_taken(symbols, item, name, "a member of this kind")
        else:
            members[name] = _singular_and_plural(item, name)
    clause = symbols.clause("kind", f"kind {word.text}", "", node)
    symbols.rules.kinds[word.text] = Kind(
        word.text,
        tuple(members),
        tuple(members.values()),
        node.first("in_order") is not None,
        clause,
    )
    for index, (name, words) in enumerate(members.items()):
        symbols.members.setdefault(name, []).append((word.text, index))
        _enter_plural(symbols, words, name)
    _enter_plural(symbols, _singular_and_plural(node, word.text), word.text)


def _members_within_bounds(symbols: SymbolTable, node: Node) -> list[Node]:
    """The members of a kind; if there are too many that is reported, and the first ones are given.

    Each is a word of cards, and a word costs as much as a sentence.
    """
    found = node.words("named")
    limit = min(MAX_MEMBERS, MAX_ALL_MEMBERS - len(symbols.members))
    if len(found) > limit:
        symbols.report.add(
            "too-many",
            found[max(limit, 0)].span,
            what="members of one kind, or of all kinds together",
            found=f"{len(found)} of this one",
            limit=f"{MAX_MEMBERS} of one and {MAX_ALL_MEMBERS} of all",
        )
        symbols.report.unread |= {item.part(0).text for item in found[max(limit, 0) :]}
    return found[: max(limit, 0)]


def _name_taken(symbols: SymbolTable, where: Node, name: str, what: str) -> None:
    symbols.report.add("name-taken", where.span, name=name, what=what, where="")


def _pair(symbols: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if symbols.declare("a kind of pairs", word):
        one, two = ((p.part(0).text, symbols.type_of(p.part(1))) for p in node.words("param"))
        symbols.rules.pairs[word.text] = Pair(word.text, (one, two))


def _group(symbols: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if not symbols.declare("a group", word):
        return
    members = node.words()[1:]
    kind = _shared_kind(symbols, node, members)
    clause = symbols.clause("group", f"group {word.text}", "", node)
    indices = tuple(
        index
        for member in members
        for of, index in symbols.members.get(member.text, [])
        if of == kind
    )
    words = _singular_and_plural(node, word.text)
    symbols.rules.groups[word.text] = Group(word.text, words, kind, indices, clause)
    _enter_plural(symbols, words, word.text)


def _shared_kind(symbols: SymbolTable, group: Node, members: list[Node]) -> str:
    """The first kind that has all members of a group; empty (and reported) if there is none."""
    kinds: list[set[str]] = []
    for member in members:
        found = {kind for kind, _ in symbols.members.get(member.text, [])}
        kinds.append(found)
        if not found:
            fix = symbols.suggest(member.text)
            symbols.report.add("unknown-name", member.span, name=member.text, fix=fix)
    known = [found for found in kinds if found]
    shared = set.intersection(*known) if known else set()
    if not shared and all(kinds):
        symbols.report.add("mixed-group", group.span, name=group.part(0).text)
    return min(shared, default="")


def _phrase(symbols: SymbolTable, node: Node) -> None:
    if symbols.declare("a sort of phrases", node.part(0)):
        symbols.sorts[node.part(0).text] = symbols.type_of(node.part(1))


# ------------------------------------------------------------------------ components
def _component(symbols: SymbolTable, node: Node) -> None:
    """Enter a component without its fields, whose types are not all known yet."""
    word = node.part(0)
    if not symbols.declare("a component", word):
        return
    words = _singular_and_plural(node, word.text)
    owner = node.words()[1:]
    if owner and owner[0].text != "player":
        fix = "Pieces may be `of player` only."
        symbols.report.add("unknown-type", owner[0].span, name=owner[0].text, fix=fix)
    clause = symbols.clause("component", f"component {word.text}", "", node)
    symbols.rules.components[word.text] = Component(word.text, words, (), bool(owner), clause)
    _enter_plural(symbols, words, word.text)


def _fields(symbols: SymbolTable, node: Node) -> None:
    """Enter the fields of a component."""
    component = symbols.rules.components.get(node.part(0).text)
    if component is None or component.fields:
        return
    fields: dict[str, Type] = {}
    for item in node.words("field"):
        name = item.part(0)
        if name.text in fields or name.text in ("title", "copies", "owner"):
            _name_taken(symbols, name, name.text, "a field of this component")
            continue
        fields[name.text] = symbols.type_of(item.part(1))
        default = item.parts[2]
        if default is not None:
            symbols.field_defaults[(component.name, name.text)] = default
    symbols.rules.components[component.name] = replace(component, fields=tuple(fields.items()))


_PASSES: tuple[tuple[str, Callable[[SymbolTable, Node], None]], ...] = (
    ("game", _game),
    ("option", _option),
    ("kind", _kind),
    ("component", _component),
    ("board", declare_sites),
    ("pair", _pair),
    ("group", _group),
    ("phrase", _phrase),
    ("component", _fields),
    ("board", declare_board),
    ("place", declare_place),
    ("layout", declare_layout),
)


# ------------------------------------------------------------------------ what is callable
def _params_of(symbols: SymbolTable, node: Node | None) -> Params:
    """The parameters of a declaration's head."""
    found: list[tuple[str, Type]] = []
    for item in node.words("param") if node is not None else ():
        name = item.part(0).text
        if any(name == known for known, _ in found):
            _name_taken(symbols, item, name, "a parameter of the same head")
        found.append((name, symbols.type_of(item.part(1))))
    return tuple(found)


_CALLABLE = {
    "event": "an event",
    "action": "an action",
    "procedure": "a procedure",
    "score": "a score table",
}
_NAMED = {"state": "a state", "variant": "a variant", "end": "an end", "latch": "a latch"}


def _declare_head(symbols: SymbolTable, node: Node) -> None:
    """Enter the name of a declaration, with parameters if it has some."""
    if node.kind in ("define", "define_one"):
        word, gives = node.part(0), node.parts[2]
        if symbols.declare("a definition", word):
            params = _params_of(symbols, node.first("params"))
            type_ = symbols.type_of(gives) if gives is not None else None
            symbols.heads[word.text] = Head(node, params, type_)
    elif node.kind in _CALLABLE:
        word = node.part(0)
        if symbols.declare(_CALLABLE[node.kind], word):
            params = _params_of(symbols, node.first("params"))
            symbols.signatures[word.text] = (node.kind, params)
            menu = node.first("menu")
            if menu is not None:
                label = plain(menu.words("STRING")[0])
                symbols.menus.setdefault(label, []).append(word.text)
    elif node.kind in _NAMED:
        symbols.declare(_NAMED[node.kind], node.part(0))


# ------------------------------------------------------------------------ titles
def titles_of(nodes: list[Node]) -> dict[str, list[str]]:
    """Every title, whole and without its mark, and the components with a piece of it."""
    found: dict[str, list[str]] = {}
    for node in nodes:
        if node.kind == "card":
            title, of = plain(node.part(0)), node.first("NAME")
            for name in dict.fromkeys((title, unmarked(title))):
                known = found.setdefault(name, [])
                if of is not None and of.text not in known:
                    known.append(of.text)
        elif node.kind == "component":
            for title in _titles_in_rows(node):
                for name in dict.fromkeys((title, unmarked(title))):
                    found.setdefault(name, []).append(node.part(0).text)
    return found


def _titles_in_rows(component: Node) -> Iterator[str]:
    for rows in component.words("rows"):
        columns = [column.text for column in rows.words()[1:]]
        if "title" in columns:
            at = columns.index("title")
            yield from (cells[at] for cells in map(row_cells, rows.words("bar")) if len(cells) > at)


def row_cells(bar: Node) -> list[str]:
    """The values of a data row, split at blanks outside quotes; a citation is left out."""
    return list(_cells(bar.part(0).text))


@functools.lru_cache(maxsize=8192)
def _cells(row: str) -> tuple[str, ...]:
    text = uncited(row)
    cells = shlex.shlex(text, posix=True)
    cells.whitespace_split, cells.quotes, cells.commenters = True, '"', ""
    try:
        return tuple(cells)
    except ValueError:
        return tuple(text.split())
