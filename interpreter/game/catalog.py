"""The catalogue of games: what each ruleset that comes along declares of itself, uncompiled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import rulesets
from interpreter.game import cache
from interpreter.game.files import read_file
from rulelang.diagnostics.source import MAX_BYTES

_DECLARED = ("game", "option", "variant", "deck")  # all else need not be parsed


@dataclass(frozen=True)
class Named:
    """The id and title of a variant or deck list."""

    id: str
    title: str


@dataclass(frozen=True)
class Entry:
    """What one ruleset declares of itself; no largest number of players means any number."""

    id: str
    title: str
    players: tuple[int, int | None]
    variants: tuple[Named, ...]
    options: dict[str, tuple[str | int, ...]]
    decks: tuple[Named, ...]


def games() -> Iterator[Entry]:
    """The entries of all rulesets that come along, by id."""
    for name in rulesets.ids():
        root = rulesets.root() / name
        yield _known(name, sorted(root.rglob("*.rules")))


def entry(path: Path) -> Entry:
    """The entry of the ruleset in a folder or file."""
    from interpreter.game.loading import rules_files

    files = list(rules_files(path))
    try:
        return _known(path.stem, files)
    except OSError:
        return _declared(path.stem, files)  # of what can be read


def _known(name: str, files: list[Path]) -> Entry:
    """The entry of these files: as it was kept from before, or declared and kept."""
    texts = [read_file(path, MAX_BYTES) for path in files]
    key = cache.key_of("catalog", [name, *texts])
    kept = cache.read(key)
    entry = _decoded(name, kept) if kept is not None else None
    if entry is None:
        entry = _declared(name, files)
        cache.write(key, json.dumps(asdict(entry)).encode())
    return entry


def _decoded(name: str, raw: bytes) -> Entry | None:
    """The entry that was kept; none if that is not what an entry looks like."""
    try:
        found = json.loads(raw)
        low, high = found["players"]
        entry = Entry(
            found["id"],
            found["title"],
            (low, high),
            tuple(Named(item["id"], item["title"]) for item in found["variants"]),
            {option: tuple(values) for option, values in found["options"].items()},
            tuple(Named(item["id"], item["title"]) for item in found["decks"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return entry if entry.id == name and _has_right_types(entry) else None


def _has_right_types(entry: Entry) -> bool:
    low, high = entry.players
    named = [text for one in (*entry.variants, *entry.decks) for text in (one.id, one.title)]
    values = [value for some in entry.options.values() for value in some]
    return (
        isinstance(low, int)
        and isinstance(high, int | None)
        and all(isinstance(text, str) for text in (entry.title, *entry.options, *named))
        and all(isinstance(value, str | int) for value in values)
    )


def _declared(name: str, files: list[Path]) -> Entry:
    """What the files of a ruleset declare; only these declarations are parsed."""
    from interpreter.game.loading import read_source, shown
    from rulelang.compiler.decks import enter_decks
    from rulelang.diagnostics import Report
    from rulelang.elaborate.declarations import declare_all
    from rulelang.elaborate.symbols import SymbolTable
    from rulelang.ruleset import Ruleset
    from rulelang.syntax.nodes import Node, plain
    from rulelang.syntax.parser import parse_block

    report, rules = Report(), Ruleset()
    nodes: list[Node] = []
    for path in files:
        source = read_source(path, shown(path), report)
        for block in source.blocks if source is not None else ():
            node = parse_block(block, report) if block.text.startswith(_DECLARED) else None
            nodes += [node] if node is not None else []
    names = SymbolTable(rules, report)
    declare_all(names, nodes)
    enter_decks(names, nodes)

    def named(kind: str) -> tuple[Named, ...]:
        found = (node for node in nodes if node.kind == kind)
        return tuple(Named(node.part(0).text, plain(node.part(1))) for node in found)

    return Entry(
        name, rules.title, rules.players, named("variant"), dict(rules.options), named("deck")
    )
