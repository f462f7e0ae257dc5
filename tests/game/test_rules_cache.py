"""A ruleset restored from the cache is what would be compiled, or it is not used."""

from __future__ import annotations

import functools
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.authoring.explain_card import explain, phrases
from interpreter.bots.agents import BOTS
from interpreter.game import cache, rules_cache
from interpreter.game.game import game_of
from interpreter.game.loading import Loaded, load_rules, overlay
from interpreter.scenarios.coverage import coverage
from interpreter.simulation.outcome import play_out
from rulelang.compiler import codec

GOOD = Path("tests/good")
MORE = 'variant idle "Idle"\n  define idle = 1\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    return tmp_path / "kept"


def fresh(monkeypatch: pytest.MonkeyPatch, name: str, *args: object, **more: object) -> Loaded:
    """The ruleset compiled with no cache."""
    with monkeypatch.context() as patch:
        patch.setenv(cache.VARIABLE, "off")
        return load_rules(name, *args, **more)  # type: ignore[arg-type]


def told(loaded: Loaded) -> tuple[object, ...]:
    """All there is of a loaded ruleset, spans and types too."""
    compiled = loaded.compiled
    return (
        loaded.id,
        loaded.sources,
        loaded.statements,
        loaded.added,
        tuple(loaded.nodes),
        compiled.refused,
        compiled.report.found,
        compiled.report.independent,
        codec.encode(compiled.rules),
    )


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("cities", True),
        ("the_city", False),
        ("tests/good/hex", True),
    ],
)
def test_what_is_restored_is_what_is_compiled(
    name: str, tests: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules, findings, texts and syntax are equal, and so is what a game of them is recorded as."""
    made, expected = load_rules(name, tests=tests), fresh(monkeypatch, name, tests=tests)
    assert told(made) == told(expected)
    with monkeypatch.context() as patch:
        patch.setattr(rules_cache, "store", lambda *_: pytest.fail("it was compiled again"))
        again = load_rules(name, tests=tests)
    assert again.compiled.rules == expected.compiled.rules
    assert told(again) == told(expected)
    for one, other in zip(*(said(loaded) for loaded in (again, expected)), strict=True):
        assert one == other
    records = [
        game.record(play_out(game.start(3), [BOTS["random"](p) for p in range(game.players)]))
        for game in (game_of(loaded, None, (), {}) for loaded in (expected, again))
    ]
    assert records[0] == records[1]


def said(loaded: Loaded) -> list[object]:
    """All that reading sentences needs."""
    glossary = loaded.compiled.glossary
    lexicon = glossary.lexicon
    parser = glossary.parser
    return [
        tuple(lexicon.phrases),
        dict(lexicon.by_id),
        dict(lexicon.made.templates),
        parser and parser.grammar,
        parser and {name: list(sets) for name, sets in parser.needed.items()},
    ]


def lengthened(data: dict[str, list[Any]], name: str) -> None:
    """Give every object of a class a field too many: that is noticed where one is decoded."""
    number = data["classes"].index(name)
    runs = [run for run in data["runs"] if run[0] == number]
    assert runs
    for _, numbers, columns in runs:
        columns.append([0] * len(numbers))


@pytest.mark.parametrize(
    ("entry", "damage"),
    [
        ("glossary-*", lambda data: data["runs"].__setitem__(slice(2, None), [[99, [9], []]])),
        ("glossary-*", lambda data: data["classes"].reverse()),
        ("glossary-*", lambda data: lengthened(data, "Phrase")),
        ("glossary-*", lambda data: lengthened(data, "Apply")),
        ("parser-*", lambda data: data.__delitem__(0)),
        ("parser-*", lambda data: data[0][0].__setitem__(0, 7)),
        ("parser-*", lambda data: data[2].popitem()),
    ],
)
def test_a_glossary_that_is_no_such_thing_is_made_anew(
    entry: str, damage: Callable[[Any], object], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences are read as if it were not there, whichever part of it is asked for first."""
    expected = load_rules("tests/good/grove")
    (path,) = folder.glob(entry)
    data = json.loads(path.read_bytes().partition(b"\n")[2])
    damage(data)
    cache.write(path.stem, json.dumps(data).encode())
    again = load_rules("tests/good/grove")
    text = "+2 if adjacent to a pond."
    made, known = (
        [reading.meaning for reading in loaded.compiled.glossary.readings_if_any(text)]
        for loaded in (again, expected)
    )
    assert made == known and len(made) == 1
    for one, other in zip(said(again)[:3], said(expected)[:3], strict=True):
        assert one == other


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[str, Loaded]]:
    """Compiles a ruleset once, without its tests, for all who ask; with the cache that keeps it."""

    @functools.cache
    def made(name: str) -> tuple[str, Loaded]:
        where = str(tmp_path_factory.mktemp(name))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(cache.VARIABLE, where)
            return where, load_rules(name, tests=False)

    return made


def test_the_largest_ruleset_is_restored(
    kept: Callable[[str], tuple[str, Loaded]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same of the ruleset with the most cards, under one of its variants too."""
    where, made = kept("simcity")
    monkeypatch.setenv(cache.VARIABLE, where)
    monkeypatch.setattr(rules_cache, "store", lambda *_: pytest.fail("it was compiled again"))
    again = load_rules("simcity", tests=False)
    assert codec.encode(again.compiled.rules) == codec.encode(made.compiled.rules)
    assert again.compiled.rules == made.compiled.rules
    monkeypatch.undo()
    monkeypatch.setenv(cache.VARIABLE, where)
    under = [overlay(loaded, ["solitaire"]).compiled for loaded in (made, again)]
    assert codec.encode(under[0].rules) == codec.encode(under[1].rules)
    assert under[0].report.found == under[1].report.found


def test_added_files_and_variants_are_part_of_the_key(folder: Path) -> None:
    """Every request has an entry of its own, and finds that one again."""
    requests: list[dict[str, object]] = [
        {},
        {"tests": False},
        {"checks": False},
        {"added": [("more.rules", MORE)]},
        {"added": [("other.rules", MORE)]},
        {"variants": ["swap"]},
    ]
    for number, request in enumerate(requests, 1):
        made = told(load_rules("tests/good/hex", **request))  # type: ignore[arg-type]
        assert len(list(folder.glob("rules-*"))) == number
        assert told(load_rules("tests/good/hex", **request)) == made  # type: ignore[arg-type]
        assert len(list(folder.glob("rules-*"))) == number


@pytest.mark.parametrize("game", ["tic_tac_toe", "sims"])
def test_an_edit_is_seen(
    game: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any line is taken away the files are compiled as they are now, mistakes and all."""
    copy = tmp_path / game
    shutil.copytree(GOOD / game, copy)
    load_rules(str(copy))
    path = next(iter(sorted(copy.rglob("*.rules"))))
    lines = path.read_text("utf-8").split("\n")
    rng = random.Random(7)
    for number in rng.sample(range(len(lines)), 12):
        path.write_text("\n".join(lines[:number] + lines[number + 1 :]), "utf-8")
        expected = told(fresh(monkeypatch, str(copy)))
        assert told(load_rules(str(copy))) == expected
        assert told(load_rules(str(copy))) == expected


def test_rules_with_errors_are_not_kept(folder: Path, tmp_path: Path) -> None:
    """They are compiled anew each time, so that nothing of them is missing for their messages."""
    path = tmp_path / "wrong.rules"
    path.write_text('game wrong "Wrong"\n  players: 2\n\nflow\n  do nothing_known\n', "utf-8")
    assert load_rules(str(path)).compiled.report.errors
    assert not folder.exists()


def test_rubbish_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries that are damaged, foreign or of another shape are ignored and made anew."""
    expected = told(fresh(monkeypatch, "tests/good/hex"))
    load_rules("tests/good/hex")
    (path,) = folder.glob("rules-*")
    whole = cache.read(path.stem)
    assert whole is not None
    data = json.loads(whole)
    shapes: list[object] = [
        [],
        {},
        data | {"root": 3},
        data | {"runs": []},
        data | {"runs": [7]},
        data | {"runs": data["runs"][::-1]},
        data | {"classes": ["Path"] * len(data["classes"])},
        data | {"texts": [1] * len(data["texts"])},
        data | {"root": ["t", [["s", 0]] * 7]},
        data | {"runs": [[of, made, columns[:-1]] for of, made, columns in data["runs"]]},
        data | {"runs": [[of, made[:-1], columns] for of, made, columns in data["runs"]]},
        data | {"runs": [[0, *run[1:]] for run in data["runs"]]},
    ]
    for shape in [b"", b"\xff\x00", b"null", *(json.dumps(s).encode() for s in shapes)]:
        cache.write(path.stem, shape)
        assert told(load_rules("tests/good/hex")) == expected
        assert cache.read(path.stem) == whole


def test_every_changed_value_is_noticed_or_harmless(folder: Path) -> None:
    """Whatever number stands in place of another, what is restored fits its declared types."""
    load_rules("tests/good/tic_tac_toe")
    (path,) = folder.glob("rules-*")
    whole = cache.read(path.stem)
    assert whole is not None
    rng = random.Random(1)
    for _ in range(150):
        data = json.loads(whole)
        _, numbers, columns = rng.choice(data["runs"])
        row = rng.choice([numbers, *columns])
        row[rng.randrange(len(row))] = rng.choice([-1, 0, 1, 10**9, None, True, "x", [], {}, 1.5])
        try:
            found = codec.decode(json.dumps(data), tuple)
        except codec.Unreadable:
            continue
        assert codec.decode(codec.encode(found), tuple) == found


def test_coverage_works_from_what_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clauses are taken away from rules that were restored as from those that were compiled."""
    expected = coverage(fresh(monkeypatch, "tests/good/hex"))
    load_rules("tests/good/hex")
    assert coverage(load_rules("tests/good/hex")) == expected


SENTENCES = {
    "the_city": [
        "Freeway Interchange",
        "Earn 2 money for each Suburb.",
        "Nothing of this can be read.",
        "Earn 2 mony.",
    ],
    "simcity": [
        "Receive 2 if adjacent to a Lake.",
        "Must be played adjacent to water. Harbor 2.",
        "Receive 2 if adjacent to a Lakke.",
        "Receive if adjacent to a Lake.",
        "Windy Hill",
        "Add 2 to each “Hotel” placed within 2 blocks.",
    ],
}


@pytest.mark.parametrize("name", sorted(SENTENCES))
def test_what_is_restored_reads_the_same(
    name: str, kept: Callable[[str], tuple[str, Loaded]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences have the same readings, effects and findings, whatever is wrong with them."""
    where, expected = kept(name)
    monkeypatch.setenv(cache.VARIABLE, where)
    entries = phrases(expected)
    again = load_rules(name, tests=False)
    for text in SENTENCES[name]:
        said, quoted = explain(again, text)
        made, sources = explain(expected, text)
        assert (said, quoted) == (made, sources)
        assert [s.readings for s in said] == [s.readings for s in made]
    assert phrases(load_rules(name, tests=False)) == entries
