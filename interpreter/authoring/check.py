"""Check files: sort paths into rulesets and additions, compile each, and gather all findings."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import rulesets
from interpreter.authoring import frame_cache
from interpreter.authoring.distinguish import with_positions
from interpreter.authoring.frame_cache import Texts
from interpreter.authoring.progress import Advance
from interpreter.authoring.ruleset_lints import (
    advice_on,
    growing,
    leavers,
    named_in_variants,
    never_kept,
)
from interpreter.game.files import held_below, is_file, read_file
from interpreter.game.gc_pause import gc_paused
from interpreter.game.loading import (
    Loaded,
    RulesError,
    folder_of,
    load_rules,
    overlay,
    rules_files,
    shown,
)
from interpreter.paper.printing import misfits
from rulelang import core
from rulelang.analysis.card_lints import lint_cards
from rulelang.analysis.ruleset_checks import check_ruleset
from rulelang.compiler.driver import CompileCache
from rulelang.diagnostics import CODES, Diagnostic, finding, nearest
from rulelang.diagnostics.source import MAX_BYTES, Source, Span

_GAME = re.compile(r"^game\s+(\w+)", re.MULTILINE)
_FOR = re.compile(r"^for\s+(\w+)", re.MULTILINE)
_PATTERNS = (
    "*.rules",
    "*/*.rules",
    "*/*/*.rules",
)  # how deep files of one ruleset are looked for around a named one


@dataclass(frozen=True)
class Unit:
    """One ruleset or addition, compiled at once; `named` are the files asked about, or all."""

    rules: str
    added: Path | None = None
    named: frozenset[str] | None = None

    def load(self, kept: CompileCache | None = None) -> Loaded:
        """Compile it with the cache of the last time; raises RulesError if no such game exists."""
        added = [(shown(self.added), self.added)] if self.added else []
        return load_rules(self.rules, (), added, tests=self.added is None, kept=kept)

    def wants(self, file: str) -> bool:
        """Is this one of the files asked about?"""
        return self.named is None or file in self.named or not file

    def files(self) -> set[str]:
        """The files asked about."""
        if self.named is not None:
            return set(self.named)
        folder = rulesets.root() / self.rules if self.rules in rulesets.ids() else Path(self.rules)
        return {shown(path) for path in rules_files(folder)}


@dataclass
class Checked:
    """What a check found, in the order of files and lines, with the texts that are quoted."""

    files: int = 0
    found: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)


# ------------------------------------------------------------------------------ from paths to units
def units(names: Iterable[str], rules: str | None = None) -> tuple[list[Unit], list[Diagnostic]]:
    """The units that these paths or ids of games name, each once, and findings.

    `rules` is where the games of additions are.
    """
    found: dict[Unit, None] = {}
    wrong: list[Diagnostic] = []
    for name in names:
        path = Path(name)
        try:
            if not path.exists() and name in rulesets.ids():
                found[Unit(name)] = None
            elif path.is_dir():
                made = list(_folder(path, rules, wrong))
                if not made:
                    wrong.append(
                        finding(
                            "unreadable",
                            Span(shown(path), 0, 0, 0, 0),
                            why=f"no .rules files are in {shown(path)}",
                        )
                    )
                found |= dict.fromkeys(made)
            elif path.exists():
                found |= dict.fromkeys(_file(path, rules, wrong))
            else:
                near = nearest(name, rulesets.ids(), 1)
                fix = f"Did you mean the game `{near[0]}`?" if near else None
                wrong.append(finding("not-found", Span(name, 0, 0, 0, 0), path=name, fix=fix))
        except OSError as error:
            wrong.append(
                finding("unreadable", Span(name, 0, 0, 0, 0), why=error.strerror or "unknown")
            )
    return _joined(found), wrong


def unit_of(path: Path) -> tuple[Unit | None, list[Diagnostic]]:
    """The whole ruleset or addition that a file is part of, and why it is part of none."""
    wrong: list[Diagnostic] = []
    try:
        unit = next(_file(path, None, wrong), None)
    except OSError as error:
        why = error.strerror or "unknown"
        return None, [finding("unreadable", Span(shown(path), 0, 0, 0, 0), why=why)]
    return (Unit(unit.rules, unit.added) if unit is not None else None), wrong


def _joined(found: Iterable[Unit]) -> list[Unit]:
    """Several named files of one ruleset are one unit."""
    made: dict[tuple[str, Path | None], Unit] = {}
    for unit in found:
        key = (unit.rules, unit.added)
        other = made.get(key)
        if other is None or unit.named is None:
            made[key] = unit
        elif other.named is not None:
            made[key] = Unit(unit.rules, unit.added, other.named | unit.named)
    return list(made.values())


def _head(path: Path) -> tuple[str, str]:
    """Which game a file declares, and for which it says it is; empty if none."""
    try:
        text = read_file(path, MAX_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return "", ""
    game, addition = _GAME.search(text), _FOR.search(text)
    return game.group(1) if game else "", addition.group(1) if addition else ""


def _folder(path: Path, rules: str | None, wrong: list[Diagnostic]) -> Iterator[Unit]:
    heads = {file: _head(file) for file in rules_files(path)}
    if _one_ruleset(path, heads):
        yield Unit(str(path))
        return
    for file in (file for file in heads if file.parent == path):
        yield from _file(file, rules, wrong)
    for inner in sorted(
        {path / file.relative_to(path).parts[0] for file in heads if file.parent != path}
    ):
        yield from _folder(inner, rules, wrong)


def _one_ruleset(folder: Path, heads: dict[Path, tuple[str, str]]) -> bool:
    """Do these files make one ruleset: one `game` line, in the folder, nothing for others?"""
    games = [(file, game) for file, (game, _) in heads.items() if game]
    return (
        len(games) == 1
        and games[0][0].parent == folder
        and all(addition in ("", games[0][1]) for _, addition in heads.values())
    )


def _file(path: Path, rules: str | None, wrong: list[Diagnostic]) -> Iterator[Unit]:
    game, addition = _head(path)
    label = frozenset({shown(path)})
    if addition and not game:
        where = rules or _game_near(path, addition)
        if where is None:
            known = sorted({*rulesets.ids()})
            near = nearest(addition, known, 1)
            fix = f"Did you mean `{near[0]}`?" if near else "Games are: " + ", ".join(known)
            wrong.append(finding("unknown-game", _place(path, addition), name=addition, fix=fix))
            return
        yield Unit(where, path, label)
        return
    folder = _folder_of(path, bool(game)) if is_file(path) else None
    yield Unit(str(folder), None, label) if folder is not None else Unit(str(path), None, label)


def _folder_of(path: Path, has_game: bool) -> Path | None:
    """The folder of the ruleset a file is part of; none if it stands alone."""
    folder = path.parent
    for _ in range(1 if has_game else len(_PATTERNS)):
        heads = {p: _head(p) for pattern in _PATTERNS for p in _files_in(folder, pattern)}
        if _one_ruleset(folder, heads):
            return folder if len(heads) > 1 else None
        if any(game for game, _ in heads.values()):
            return None
        folder = folder.parent if folder != Path(".") else folder.resolve().parent
    return None


def _game_near(path: Path, game: str) -> str | None:
    """The game an addition is for: one that comes along, or one in a folder near the file."""
    if game in rulesets.ids():
        return game
    folder = path.resolve().parent
    for _ in range(3):
        for pattern in _PATTERNS[:2]:
            for other in _files_in(folder, pattern):
                if _head(other)[0] == game:
                    whole = _folder_of(other, True)
                    return shown(whole if whole is not None else other)
        folder = folder.parent
    return None


def _files_in(folder: Path, pattern: str) -> list[Path]:
    """The files of a folder that a pattern names; of what cannot be listed, none."""
    try:
        held = (path for path in held_below(folder) if path.match(str(folder / pattern)))
        return sorted({*(path for path in folder.glob(pattern) if path.is_file()), *held})
    except OSError:
        return []


def _place(path: Path, word: str) -> Span:
    text = read_file(path, MAX_BYTES).decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("for ") and word in line:
            column = line.index(word) + 1
            return Span(shown(path), number, column, number, column + len(word))
    return Span(shown(path), 1, 1, 1, 2)


# ------------------------------------------------------------------------------ checking
@gc_paused()
def check(
    names: Iterable[str],
    rules: str | None = None,
    advance: Advance | None = None,
    players: int | None = None,
) -> Checked:
    """All findings about these paths.

    Each ruleset is checked as it is and with each variant alone, each addition on its game.
    """
    whole, wrong = units(names, rules)
    made = Checked(found=wrong)
    files: set[str] = {item.span.file for item in wrong if item.code != "F006"}
    for number, unit in enumerate(whole):
        if advance is not None:
            advance(number, len(whole))
        files |= unit.files()
        try:
            sources, found = _judged(unit, texts_of(unit), players)
        except RulesError as error:
            made.found += error.found
            continue
        made.sources |= sources
        made.found += [item for item in found if item not in made.found]
    made.files = len(files)
    return made


def texts_of(unit: Unit) -> Texts:
    """All that the findings about a unit hang on, as it stands in its files now."""
    try:
        folder = folder_of(unit.rules)
    except RulesError:
        return ()
    paths = [
        *rules_files(folder),
        (folder if folder.is_dir() else folder.parent) / "rulebook.md",
        *([unit.added] if unit.added else []),
    ]
    return tuple((shown(path), _bytes_of(path)) for path in paths)


def _bytes_of(path: Path) -> bytes | None:
    try:
        return read_file(path, MAX_BYTES)
    except OSError:
        return None


@functools.lru_cache(maxsize=16)
def _judged(
    unit: Unit, texts: Texts, players: int | None
) -> tuple[dict[str, Source], list[Diagnostic]]:
    """The texts of a unit and its findings, memoised for the same texts in one process."""
    loaded, found = weighed(unit, texts, _kept(unit), players)
    return loaded.sources, found


def weighed(
    unit: Unit, texts: Texts, kept: CompileCache, players: int | None = None
) -> tuple[Loaded, list[Diagnostic]]:
    """A unit compiled of its texts as they are now, with what was kept of the last time, and its
    findings.

    What was compiled with the same cache before must not be used any more. Raises RulesError.
    """
    added = frame_cache.addition(texts, shown(unit.added)) if unit.added and texts else None
    if added is None:
        kept.game = None
    else:
        frame_cache.restore(added, kept)
    loaded = unit.load(kept)
    found = with_positions(loaded, findings_of(unit, loaded, players))
    if added is not None:
        frame_cache.store(added, kept, loaded)
    return loaded, found


def judge(
    unit: Unit, kept: CompileCache, players: int | None = None
) -> tuple[dict[str, Source], list[Diagnostic]]:
    """The texts of a unit and its findings; the cache spares work and changes no finding."""
    loaded = unit.load(kept)
    return loaded.sources, with_positions(loaded, findings_of(unit, loaded, players))


@functools.lru_cache(maxsize=4)
def _kept(unit: Unit) -> CompileCache:
    """What the next check of a unit may use again of this one."""
    return CompileCache()


def findings_of(unit: Unit, loaded: Loaded, players: int | None = None) -> list[Diagnostic]:
    """The findings in the files asked about; of an addition's game only what it causes."""
    lint_cards(loaded.compiled, growing=growing(loaded), elsewhere=named_in_variants(loaded))
    found = _empty(loaded) + loaded.findings()
    if loaded.compiled.report.usable:
        found += never_kept(loaded) + advice_on(loaded, unit.added is not None, players)
        found += leavers(loaded) if unit.added is not None else []
        asked = unit.named or loaded.sources.keys() - {*loaded.added}
        rules = loaded.compiled.rules
        found += misfits(loaded.compiled, [d for d in rules.designs if d.span.file in asked])
    for name in _variants(unit, loaded):
        found += [item for item in _alone(loaded, unit, name, players) if item not in found]
    if unit.added is None:
        found = found or _unplayable(loaded)
        return [item for item in found if unit.wants(item.span.file)]
    return _caused_by_addition(unit, loaded, found)


def _empty(loaded: Loaded) -> list[Diagnostic]:
    """The files in which nothing is declared."""
    texts = loaded.sources.items()
    return [
        finding("empty-file", Span(name, 1, 1, 1, 2)) for name, text in texts if not text.blocks
    ]


def _unplayable(loaded: Loaded) -> list[Diagnostic]:
    """That a game without any other mistake has no flow, or waits in vain for its end."""
    rules = loaded.compiled.rules
    if rules.clause and not rules.flow and not rules.flow_clause:
        return [finding("no-flow", rules.clauses[rules.clause].span)]
    bodies: list[object] = [rules.flow, *(p.body for p in rules.procedures.values())]
    bodies += [rules.reactions, rules.extensions, *(e.body for e in rules.events.values())]
    finished = {node.unit for node in core.walk(bodies) if isinstance(node, core.Finish)}
    return [
        finding("never-finished", rules.clauses[one.clause].span, name=one.name, unit=one.unit)
        for one in rules.endings
        if one.unit is not None and one.unit not in finished
    ]


def _caused_by_addition(unit: Unit, loaded: Loaded, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings without warnings that the game has without its addition."""
    elsewhere = [
        item for item in found if item.severity == "warning" and item.span.file not in loaded.added
    ]
    if not elsewhere:
        return found
    known = load_rules(unit.rules, tests=False).findings()
    return [item for item in found if item not in elsewhere or item not in known]


def _alone(loaded: Loaded, unit: Unit, name: str, players: int | None) -> list[Diagnostic]:
    """The findings under one variant alone.

    What it changes may be there only under another variant that it is declared over.
    """
    made = overlay(loaded, [name])
    check_ruleset(made.compiled)
    lint_cards(
        made.compiled,
        frozenset(design.title for design in loaded.compiled.rules.designs),
        growing(loaded),
        named_in_variants(loaded),
    )
    found = made.findings()
    if made.compiled.report.usable:
        found += never_kept(made) + advice_on(made, unit.added is not None, players)
    if any(item.code == CODES["nothing-to-replace"].code for item in found):
        for other in loaded.compiled.rules.variants[name].over:
            both = overlay(loaded, [name, other]).findings()
            found = [
                item
                for item in found
                if item.code != CODES["nothing-to-replace"].code or item in both
            ]
    return found


def _variants(unit: Unit, loaded: Loaded) -> list[str]:
    """The variants declared in the files asked about."""
    own = {*loaded.added} if unit.added is not None else None
    return [
        name
        for name, variant in loaded.compiled.rules.variants.items()
        if own is None or variant.span.file in own
    ]
