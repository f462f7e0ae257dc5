"""The commands about paper: sheets of cards, tiles and boards, and which piece an id is of."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import rulesets
from interpreter.authoring.check import Unit, units
from interpreter.cli.output import complain, give, say, show
from interpreter.cli.usage import MOST_PLAYERS, Usage
from interpreter.game.files import read_file
from interpreter.game.loading import Loaded, RulesError, folder_of, load_rules, shown
from interpreter.paper.faces import called
from interpreter.paper.identity import hash_of, id_of
from interpreter.paper.pictures import MOST_BYTES
from interpreter.paper.printing import Order, Printed, printed
from interpreter.paper.sheets import Sheet
from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import counted
from rulelang.ruleset import Design, Ruleset

TAGS = "print-tags.json"  # beside the sheets: what had which hash when
_MOST_TAGS = 1_000_000  # bytes


def sheets(args: argparse.Namespace) -> int:
    """Write the sheets of a game or of a file of cards."""
    unit, loaded = _unit(args)
    rules = loaded.compiled.rules
    if args.deck is not None:
        if args.deck not in rules.decks:
            raise Usage(
                f"there is no deck {args.deck}; there are {', '.join(rules.decks) or 'none'}"
            )
        rules = rules.played_with(args.deck)
    target = _target(args, rules)
    if args.format != "pdf" and target.is_file():
        raise Usage(f"{target} is a file; sheets as {args.format.upper()} are written to a folder")
    tags_file = (target if args.format != "pdf" else target.parent) / TAGS
    tags = _tags(tags_file)
    order = _order(args, unit, rules, tags, tags_file)
    made = printed(rules, _chosen(args, unit, rules), order, _reader(unit))
    files = _write(made.sheets, target, args.format)
    if args.tag is not None:
        before = tags[args.since] if args.since is not None else {}
        tags[args.tag] = before | {piece.id: piece.hash for piece in made.pieces}
        _put(tags_file, json.dumps(tags, indent=1, sort_keys=True).encode())
    return _told(args, loaded, made, files)


def _order(
    args: argparse.Namespace,
    unit: Unit,
    rules: Ruleset,
    tags: dict[str, dict[str, str]],
    tags_file: Path,
) -> Order:
    """What is asked for; raises Usage for a tag there is not."""
    if args.since is not None and args.since not in tags:
        raise Usage(f"{tags_file} has no tag {args.since}; it has {', '.join(tags) or 'none'}")
    low, high = rules.players
    return Order(
        paper=args.paper,
        preset=args.preset,
        backs=not args.no_backs,
        boards=unit.added is None and not args.cards and args.since is None,
        players=args.players or min(high if high is not None else max(low, 4), MOST_PLAYERS),
        known=tags[args.since] if args.since is not None else None,
    )


def _told(args: argparse.Namespace, loaded: Loaded, made: Printed, files: list[str]) -> int:
    """What was printed, on standard output, and what did not fit, beside it."""
    errors = loaded.compiled.report.errors
    if args.json:
        data = [item.as_json() for item in (*errors, *made.found)]
        named = [asdict(piece) for piece in made.pieces]
        give({"files": files, "sheets": len(made.sheets), "pieces": named, "diagnostics": data})
    else:
        show((*errors, *made.found), loaded.sources, error=True)
        copies = sum(piece.copies for piece in made.pieces)
        pieces, designs = counted(copies, "piece"), counted(len(made.pieces), "design")
        say(f"{counted(len(made.sheets), 'sheet')}, {pieces} of {designs}")
        for name in files:
            say(f"  {name}")
    return 1 if errors or made.found else 0


def _unit(args: argparse.Namespace) -> tuple[Unit, Loaded]:
    """The one ruleset or file of cards that is named, with the files added to it."""
    found, wrong = units([args.game], args.rules)
    if wrong:
        raise RulesError(wrong, {})
    if len(found) != 1:
        raise Usage(f"{args.game} holds {len(found)} rulesets; name one of them")
    (unit,) = found
    added = [*([unit.added] if unit.added else []), *map(Path, args.added)]
    loaded = load_rules(unit.rules, (), [(shown(path), path) for path in added], tests=False)
    if not loaded.compiled.rules.components and loaded.compiled.report.errors:
        raise RulesError(loaded.compiled.report.errors, loaded.sources)
    return unit, loaded


def _chosen(args: argparse.Namespace, unit: Unit, rules: Ruleset) -> list[Design]:
    """The designs asked for: of a file of cards its own, and of these the named ones."""
    own = shown(unit.added) if unit.added is not None else None
    designs = [d for d in rules.designs if own is None or d.span.file == own]
    if not args.cards:
        return [d for d in designs if d.copies]
    said = {number: _names(rules, d) for number, d in enumerate(designs)}
    words = [word.strip().lower() for text in args.cards for word in text.split(",")]
    found = dict.fromkeys(number for word in words for number in _named(word, said))
    return [designs[number] for number in found]


def _named(word: str, said: dict[int, set[str]]) -> list[int]:
    """The designs that a word names; raises Usage with the nearest if there is none."""
    named = [number for number, names in said.items() if word in names]
    if not named:
        near = nearest(word, {name for names in said.values() for name in names}, 1)
        raise Usage(f"there is no card {word!r}" + (f"; is it {near[0]!r}?" if near else ""))
    return named


def _names(rules: Ruleset, design: Design) -> set[str]:
    """What a design may be called on the command line: its title, and its component."""
    words = rules.components[design.component].words
    return {called(rules, design).lower(), design.component, *(word.lower() for word in words)}


def _reader(unit: Unit) -> Callable[[str], bytes | None]:
    """What reads a picture by its name, from the folder of the rules or cards and from below."""
    beside = unit.added.parent if unit.added is not None else folder_of(unit.rules)
    folder = (beside if beside.is_dir() else beside.parent).resolve()

    def read(name: str) -> bytes | None:
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            return None
        try:
            return read_file(path, MOST_BYTES)
        except (OSError, ValueError):
            return None

    return read


def _target(args: argparse.Namespace, rules: Ruleset) -> Path:
    """Where the sheets go: a file for PDF, a folder for all else."""
    name = args.output or (f"{rules.id}.pdf" if args.format == "pdf" else f"{rules.id}-sheets")
    return Path(name)


def _write(made: tuple[Sheet, ...], target: Path, form: str) -> list[str]:
    """Write the sheets; gives the names of the files."""
    if not made:
        return []
    if form == "pdf":
        from interpreter.paper.press import pdf

        _put(target, pdf(made))
        return [str(target)]
    if form == "png":
        from interpreter.paper.press import pngs

        contents = pngs(made)
    else:
        contents = [sheet.svg.encode("utf-8") for sheet in made]
    names = []
    for number, (sheet, content) in enumerate(zip(made, contents, strict=True), 1):
        word = re.sub(r"[^a-z0-9]+", "-", sheet.name.lower()).strip("-")
        path = target / f"{number:03d}-{word}.{form}"
        _put(path, content)
        names.append(str(path))
    return names


def _put(path: Path, content: bytes) -> None:
    """Write a file, over another of that name; raises Usage where that cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise Usage(f"{path} cannot be written: {error.strerror}") from error


def _tags(path: Path) -> dict[str, dict[str, str]]:
    """The tags kept beside the sheets; raises Usage for a file that holds something else."""
    try:
        found = json.loads(read_file(path, _MOST_TAGS)[:_MOST_TAGS])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Usage(f"{path} cannot be read: {error}") from error
    if not isinstance(found, dict) or not all(
        isinstance(hashes, dict) and all(isinstance(h, str) for h in hashes.values())
        for hashes in found.values()
    ):
        raise Usage(f"{path} holds no tags: a tag is a name with hashes by id")
    return found


# ---------------------------------------------------------------------------------------- which
def which(args: argparse.Namespace) -> int:
    """Say which piece an id is printed on, and whether it still reads as its hash says."""
    wanted, _, printed_hash = args.id.strip().lower().replace("·", " ").partition(" ")
    found: list[tuple[Loaded, Design]] = []
    for loaded in _searched(args):
        rules = loaded.compiled.rules
        found += [(loaded, d) for d in rules.designs if id_of(rules, d) == wanted]
        if found:
            break
    if args.json:
        give({"id": wanted, "found": [_placed(one, printed_hash.strip()) for one in found]})
        return 0 if found else 1
    for loaded, design in found:
        rules = loaded.compiled.rules
        now = hash_of(rules, design)
        word = rules.components[design.component].words[0]
        say(f"{called(rules, design)}, {word} of {rules.title}", "bold")
        say(f"  {design.span.file}:{design.span.line}")
        if printed_hash.strip() not in ("", now):
            say(f"  printed as {printed_hash.strip()}; it reads otherwise now: {now}")
        for text in design.sentences:
            say(f"  {text}")
    if not found:
        complain(f"No piece has the id {wanted}. Name files of cards behind it to look there too.")
    return 0 if found else 1


def _placed(one: tuple[Loaded, Design], printed_hash: str) -> dict[str, object]:
    loaded, design = one
    rules = loaded.compiled.rules
    now = hash_of(rules, design)
    return {
        "game": rules.id,
        "component": design.component,
        "title": called(rules, design),
        "file": design.span.file,
        "line": design.span.line,
        "hash": now,
        "changed": printed_hash not in ("", now),
    }


def _searched(args: argparse.Namespace) -> Iterator[Loaded]:
    """The rulesets to look in: first those that are named, then all that come along."""
    found, wrong = units(args.paths) if args.paths else ([], [])
    if wrong:
        raise RulesError(wrong, {})
    for unit in found:
        yield unit.load()
    for name in rulesets.ids():
        if not any(unit.rules == name for unit in found):
            yield load_rules(name, tests=False)
