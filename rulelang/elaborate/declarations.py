"""First pass over the declarations: kinds, groups, components, boards, places, options and the heads of everything callable are entered."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Iterator

from rulelang.core.types import Type
from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import plural, spoken, unmarked
from rulelang.elaborate.boards import board, board_name, place, texts_of
from rulelang.elaborate.symbols import Head, SymbolTable
from rulelang.ruleset import Component, Group, Kind, Pair, Params
from rulelang.syntax.nodes import Node, plain, uncited


def declare_all(names: SymbolTable, nodes: list[Node]) -> None:
    """Enter every declaration that others may name, in an order in which types are known when asked for."""
    passes = [
        ("game", _game),
        ("option", _option),
        ("kind", _kind),
        ("component", _component_name),
        ("board", board_name),
        ("pair", _pair),
        ("group", _group),
        ("phrase", _phrase),
        ("component", _component_fields),
        ("board", board),
        ("place", place),
    ]
    for kind, enter in passes:
        for node in nodes:
            if node.kind == kind:
                enter(names, node)
    names.titles = titles_of(nodes)
    for node in nodes:
        _head(names, node)


def _game(names: SymbolTable, node: Node) -> None:
    r = names.rules
    if r.id:
        names.report.add("second-game", node.span, name=r.id)
        return
    r.id, r.title = node.part(0).text, plain(node.part(1))
    r.clause = names.clause("game", "game", "", node)
    names.declared[r.id] = ("the game", node.part(0).span)
    for prop in node.words("prop"):
        key, items = prop.part(0).text, [texts_of(item) for item in prop.words("item")]
        if key == "players" and items:
            words = items[0]
            if len(words) == 3 and words[1] == "to" and words[0].isdecimal():
                r.players = (int(words[0]), int(words[2]) if words[2].isdecimal() else None)
            elif len(words) == 1 and words[0].isdecimal():
                r.players = (int(words[0]), int(words[0]))
            else:
                names.report.add(
                    "bad-setting",
                    prop.span,
                    key=key,
                    expected="`players: 2 to 5`, `players: 2` or `players: 1 to any`",
                )
        elif key == "deck" and prop.part(1).words():
            names.default_deck = prop.part(1).words()[0]
        elif key == "citations" and items:
            r.prefix = items[0][0]
        elif key == "moves" and items and items[0][0].isdecimal():
            r.max_moves = min(int(items[0][0]), 100_000)
        else:
            near = nearest(key, ("players", "citations", "moves", "deck"), 1)
            fix = f"Did you mean `{near[0]}`?" if near and near[0] != key else None
            if key in ("moves", "deck"):
                expected = (
                    "a number, as in `moves: 2000`" if key == "moves" else "the name of a deck list"
                )
                names.report.add("bad-setting", prop.span, key=key, expected=expected)
                continue
            names.report.add(
                "unknown-setting",
                prop.part(0).span,
                key=key,
                known="players, citations, moves, deck",
                fix=fix,
            )
        names.clause("game", "game", key, prop)


def _option(names: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if not names.declare("an option", word):
        return
    values = tuple(
        int(p.text) if p.kind == "NUMBER" else p.text
        for p in node.parts[1:]
        if p is not None and p.kind in ("NAME", "NUMBER")
    )
    if len(set(map(type, values))) > 1:
        names.report.add("mixed-option", word.span, name=word.text)
    names.rules.options[word.text] = values
    for index, value in enumerate(values):
        if isinstance(value, str):
            names.members.setdefault(value, []).append((word.text, index))
    names.clause("option", f"option {word.text}", "", node)


def _kind(names: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if not names.declare("a kind", word):
        return
    found: list[tuple[str, tuple[str, str]]] = []
    for item in node.words("named"):
        name = item.part(0).text
        texts = [plain(part) for part in item.words("STRING")]
        one = texts[0] if texts else spoken(name)
        if any(name == other for other, _ in found):
            names.report.add(
                "name-taken", item.span, name=name, what="a member of this kind", where=""
            )
            continue
        found.append((name, (one, texts[1] if len(texts) > 1 else plural(one))))
    clause = names.clause("kind", f"kind {word.text}", "", node)
    spelt = [plain(part) for part in node.words("STRING")]
    ordered = node.first("in_order") is not None
    names.rules.kinds[word.text] = Kind(
        word.text, tuple(n for n, _ in found), tuple(w for _, w in found), ordered, clause
    )
    for index, (name, words) in enumerate(found):
        names.members.setdefault(name, []).append((word.text, index))
        names.plurals.setdefault(words[1].replace(" ", "_"), name)
    many = spelt[1] if len(spelt) > 1 else plural(spelt[0] if spelt else spoken(word.text))
    names.plurals.setdefault(many.replace(" ", "_"), word.text)


def _pair(names: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if not names.declare("a kind of pairs", word):
        return
    one, two = ((p.part(0).text, names.type_of(p.part(1))) for p in node.words("param"))
    names.rules.pairs[word.text] = Pair(word.text, (one, two))


def _group(names: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if not names.declare("a group", word):
        return
    members = node.words()[1:]
    texts = [plain(part) for part in node.words("STRING")]
    one = texts[0] if texts else spoken(word.text)
    kinds = [{kind for kind, _ in names.members.get(m.text, [])} for m in members]
    for m, known in zip(members, kinds, strict=True):
        if not known:
            names.report.add("unknown-name", m.span, name=m.text, fix=names.suggest(m.text))
    shared = set.intersection(*[known for known in kinds if known]) if any(kinds) else set()
    clause = names.clause("group", f"group {word.text}", "", node)
    if not shared:
        if all(kinds):
            names.report.add("mixed-group", node.span, name=word.text)
        shared = {""}
    kind = sorted(shared)[0]
    indices = tuple(i for m in members for k, i in names.members.get(m.text, []) if k == kind)
    words = (one, texts[1] if len(texts) > 1 else plural(one))
    names.rules.groups[word.text] = Group(word.text, words, kind, indices, clause)
    names.plurals.setdefault(words[1].replace(" ", "_"), word.text)


def _phrase(names: SymbolTable, node: Node) -> None:
    if names.declare("a sort of phrases", node.part(0)):
        names.sorts[node.part(0).text] = names.type_of(node.part(1))


def _component_name(names: SymbolTable, node: Node) -> None:
    word = node.part(0)
    if not names.declare("a component", word):
        return
    texts = [plain(part) for part in node.words("STRING")]
    one = texts[0] if texts else spoken(word.text)
    words = (one, texts[1] if len(texts) > 1 else plural(one))
    owner = node.words()[1:]
    if owner and owner[0].text != "player":
        names.report.add(
            "unknown-type", owner[0].span, name=owner[0].text, fix="Pieces may be `of player` only."
        )
    clause = names.clause("component", f"component {word.text}", "", node)
    names.rules.components[word.text] = Component(word.text, words, (), bool(owner), clause)
    names.plurals.setdefault(words[1].replace(" ", "_"), word.text)


def _component_fields(names: SymbolTable, node: Node) -> None:
    old = names.rules.components.get(node.part(0).text)
    if old is None or old.fields:
        return
    fields: list[tuple[str, Type]] = []
    for item in node.words("field"):
        name = item.part(0)
        if any(name.text == known for known, _ in fields) or name.text in (
            "title",
            "copies",
            "owner",
        ):
            names.report.add(
                "name-taken", name.span, name=name.text, what="a field of this component", where=""
            )
            continue
        fields.append((name.text, names.type_of(item.part(1))))
        given = item.parts[2]
        if given is not None:
            names.field_defaults[(old.name, name.text)] = given
    names.rules.components[old.name] = Component(
        old.name, old.words, tuple(fields), old.per_player, old.clause
    )


def params_of(names: SymbolTable, node: Node | None) -> Params:
    """The parameters of a declaration's head."""
    if node is None:
        return ()
    found: list[tuple[str, object]] = []
    for item in node.words("param"):
        name = item.part(0).text
        if any(name == known for known, _ in found):
            names.report.add(
                "name-taken", item.span, name=name, what="a parameter of the same head", where=""
            )
        found.append((name, names.type_of(item.part(1))))
    return tuple(found)  # type: ignore[arg-type]


_CALLED = {
    "event": "an event",
    "action": "an action",
    "procedure": "a procedure",
    "score": "a score table",
}


def _head(names: SymbolTable, node: Node) -> None:
    if node.kind in ("define", "define_one"):
        word = node.part(0)
        if names.declare("a definition", word):
            given = node.parts[2]
            names.heads[word.text] = Head(
                node,
                params_of(names, node.first("params")),
                names.type_of(given) if given is not None else None,
            )
    elif node.kind in _CALLED:
        word = node.part(0)
        if names.declare(_CALLED[node.kind], word):
            names.signatures[word.text] = (node.kind, params_of(names, node.first("params")))
            menu = node.first("menu")
            if menu is not None:
                names.menus.setdefault(plain(menu.words("STRING")[0]), []).append(word.text)
    elif node.kind == "state":
        names.declare("a state", node.part(0))
    elif node.kind in ("variant", "end", "latch"):
        names.declare(
            {"variant": "a variant", "end": "an end", "latch": "a latch"}[node.kind], node.part(0)
        )


def titles_of(nodes: list[Node]) -> dict[str, list[str]]:
    """Every title there is, whole and without its mark, and the components that bear it."""
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
        columns = [c.text for c in rows.words()[1:]]
        if "title" in columns:
            at = columns.index("title")
            yield from (cells[at] for cells in map(row_cells, rows.words("bar")) if len(cells) > at)


def row_cells(bar: Node) -> list[str]:
    """The values of a data row, split at blanks; quoted values keep theirs; a citation at the end is no value."""
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
