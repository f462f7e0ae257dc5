"""The documents tell the truth: listings compile and their scenarios pass, commands print what is
shown, tables are the program's own, links lead somewhere.
"""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from pathlib import Path

import pytest
from update_docs import (
    _MARKED,
    PAGES,
    ROOT,
    TABLES,
    Desk,
    Fence,
    Session,
    desk,
    fences,
    is_transcript,
    tidy,
    transcript,
)

from interpreter.game.loading import Loaded, load_rules
from interpreter.scenarios.scenario import run_all
from rulelang.compiler.driver import CompileCache
from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source
from rulelang.syntax.grammar import parser
from rulelang.syntax.lark_adapter import node_kinds
from rulelang.syntax.parser import parse_source

DOCS = ROOT / "docs"


def of_page(path: Path) -> str:
    return path.name


def loaded(here: Desk, fence: Fence, named: dict[str, Path]) -> Loaded:
    """A listing compiled: as a whole ruleset, or as an addition to one named before it or to a
    game.
    """
    path = here.take(fence) or here.write(f"listing_{fence.line}/listing.rules", fence.text)
    name = fence.mark("named")
    if name is not None:
        named[name] = path
    base = base_of(fence, path)
    if base is not None:
        return added_to(base, path, named)
    return load_rules(str(path.parent if fence.mark("more") or "whole" in fence.marks else path))


@functools.cache
def kept(game: str) -> CompileCache:
    """What is used again of a game that comes along: only what is added is compiled anew."""
    return CompileCache()


def added_to(
    base: str, path: Path, named: dict[str, Path], variants: tuple[str, ...] = ()
) -> Loaded:
    """A file added to a listing named before or to a game that comes along, whose own scenarios
    its own tests run; what was added to that game before must not be used any more.
    """
    added = [(path.name, path)]
    if base in named:
        return load_rules(str(named[base]), variants, added)
    return load_rules(base, variants, added, tests=False, kept=kept(base))


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_listings_hold(page: Path) -> None:
    """Every listing compiles without a finding, under every variant it declares, and its scenarios
    pass; a wrong one is wrong as it says.
    """
    named: dict[str, Path] = {}
    told = []
    with desk() as here:
        for fence in fences(page.read_text("utf-8")):
            where = f"{page.name}, line {fence.line}"
            if fence.language != "rules":
                here.take(fence)
                continue
            made = loaded(here, fence, named)
            wanted = re.findall(r"[A-Z]\d{3}", " ".join(fence.marks))
            if sorted({d.code for d in made.findings()}) != sorted(set(wanted)):
                told.append(f"{where}:\n" + "\n".join(made.draw(item) for item in made.findings()))
                continue
            if not wanted:
                own = {
                    s.name
                    for s in made.compiled.rules.scenarios
                    if not made.added or s.span.file in made.added
                }
                told += [
                    f"{where}: {o.name}: {o.message}"
                    for o in run_all(made, names=own)
                    if not o.passed
                ]
                for variant in re.findall(r"^variant (\w+)", fence.text, re.MULTILINE):
                    told += [
                        f"{where}: {made.draw(d)}"
                        for d in _under(here, fence, named, variant).findings()
                    ]
    assert told == []


def base_of(fence: Fence, path: Path) -> str | None:
    """What a listing is added to: a listing named before, or the game its file begins with
    `for`.
    """
    spoken = re.search(r"^for (\w+)$", path.read_text("utf-8"), re.MULTILINE)
    return fence.mark("of") or (spoken.group(1) if spoken is not None else None)


def _under(here: Desk, fence: Fence, named: dict[str, Path], variant: str) -> Loaded:
    path = here.write(f"listing_{fence.line}/again.rules", fence.text)
    base = base_of(fence, path)
    if base is None:
        return load_rules(str(path), variants=[variant])
    return added_to(base, path, named, (variant,))


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_commands_print_what_is_shown(page: Path) -> None:
    """Every command shown is run, in the order of the page, on the files the page has made by
    then.
    """
    with desk() as here:
        for fence in fences(page.read_text("utf-8")):
            here.take(fence)
            if is_transcript(fence):
                assert fence.text == transcript(fence), (
                    f"{page.name}, line {fence.line}: run tests/tools/update_docs.py"
                )


# The libraries that the listings of a page ask for.
NEEDED = {"environments.md": ("gymnasium", "pettingzoo", "pyspiel", "wasmtime")}


@pytest.mark.parametrize(
    "page", [p for p in PAGES if "```python\n" in p.read_text("utf-8")], ids=of_page
)
def test_python_prints_what_is_shown(page: Path) -> None:
    """Python listings run in order, in one namespace for the page, and print what is shown."""
    for library in NEEDED.get(page.name, ()):
        pytest.importorskip(library, reason="an extra that the page is about is not installed")
    session = Session()
    with desk():
        for fence in fences(page.read_text("utf-8")):
            printed = session.take(fence)
            assert printed is None or fence.text == printed, (
                f"{page.name}, line {fence.line}: run tests/tools/update_docs.py"
            )
    assert not session.printed, f"{page.name}: what its last listing prints is not shown"


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_listings_are_laid_out(page: Path) -> None:
    """Every listing stands as `rulelang fmt` writes it."""
    for fence in fences(page.read_text("utf-8")):
        assert fence.text == tidy(fence), (
            f"{page.name}, line {fence.line}: run tests/tools/update_docs.py"
        )


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_tables_are_the_programs_own(page: Path) -> None:
    """Tables between markers are what tests/tools/update_docs.py writes."""
    for match in _MARKED.finditer(page.read_text("utf-8")):
        inside = match.group(0)[len(match.group(1)) : -len(match.group(3))]
        assert inside == TABLES[match.group(2)]() + "\n", (
            f"{page.name}: {match.group(2)}: run tests/tools/update_docs.py"
        )


def test_all_tables_are_shown() -> None:
    """Every table stands on some page."""
    shown = {m.group(2) for page in PAGES for m in _MARKED.finditer(page.read_text("utf-8"))}
    assert shown == set(TABLES)


def test_the_language_page_shows_every_construction() -> None:
    """Each production of the grammar stands in some listing of docs/language.md."""
    known = node_kinds(parser()) - {"start"}
    seen = {
        part.kind
        for fence in fences((DOCS / "language.md").read_text("utf-8"))
        if fence.language == "rules"
        for node in parse_source(Source("", fence.text), Report())
        for part in node.walk()
    }
    assert sorted(known - seen) == []


# ------------------------------------------------------------------------- the workings
def requirements() -> list[str]:
    """All dependencies that pyproject.toml declares, for use and for development."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [*project["dependencies"], *(item for extra in extras for item in extra)]


def test_every_library_is_told() -> None:
    """docs/workings.md says why each library is there."""
    text = (DOCS / "workings.md").read_text("utf-8")
    for requirement in requirements():
        name = re.match(r"[\w-]+", requirement)
        assert name is not None and f"| `{name.group(0)}` |" in text, requirement


def test_every_library_is_bounded() -> None:
    """Each dependency has a lower and an upper bound."""
    for requirement in requirements():
        assert re.fullmatch(r"[\w-]+(\[\w+\])?>=[\d.]+,<[\d.]+(; .+)?", requirement), requirement


def layers() -> list[str]:
    """The packages in the order of the import contract, as folders, what uses others first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (order,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    return [name.strip().replace(".", "/") for layer in order for name in re.split(r"[|:]", layer)]


def sections() -> dict[str, str]:
    """Each package that docs/workings.md has a section for, with the section."""
    parts = re.split(r"^#+ (.*)\n", (DOCS / "workings.md").read_text("utf-8"), flags=re.MULTILINE)
    return {
        title: text
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
        if title.startswith(("rulelang/", "interpreter/"))
    }


def test_the_picture_of_the_packages_is_the_import_contract() -> None:
    """docs/workings.md draws the packages in the order that import-linter holds."""
    text = (DOCS / "workings.md").read_text("utf-8").split("## The packages", 2)[1]
    picture = next(fence for fence in fences(text) if fence.language == "text").text
    assert [line.split()[0] for line in picture.splitlines()] == layers()


def test_every_package_has_a_section() -> None:
    """Each package, and nothing else, has its section."""
    assert sorted(sections()) == sorted(layers())


def test_every_package_says_what_it_is_for() -> None:
    """The `__init__` of each says what comes in, what goes out and what it may use."""
    for package in layers():
        told = ast.get_docstring(ast.parse((ROOT / package / "__init__.py").read_text("utf-8")))
        assert told is not None and len(told.split()) > 20, package


def test_the_sections_name_modules_that_are_there() -> None:
    """What a section lists before a colon are modules of its package."""
    wrong = []
    for package, text in sections().items():
        for line in re.findall(r"^\* (.*)$", text, re.MULTILINE):
            for part in line.split("; "):
                for name in re.findall(r"`(\w+)`", part.split(":")[0]):
                    if not (ROOT / package / f"{name}.py").exists():
                        wrong.append(f"{package}/{name}")
    assert wrong == []


# ---------------------------------------------------------------------------- the pages
@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=of_page)
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    """Every link between pages, and every file of ours named in the text, is there."""
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
    for target in re.findall(
        r"`((?:rulelang|interpreter|tests|docs|rulesets|examples)/[\w./*-]+)`", text
    ):
        assert any(ROOT.glob(target.rstrip("/"))) or "NAME" in target, target


def test_no_page_names_a_place_of_this_machine() -> None:
    """Neither a home nor a temporary folder stands on a page."""
    for page in PAGES:
        assert not re.search(r"/(tmp|home|work|root|Users)/", page.read_text("utf-8")), page


def test_the_readme_has_one_test_command() -> None:
    """CI takes the test command from there."""
    found = [f for f in fences((ROOT / "README.md").read_text("utf-8")) if "pytest" in f.text]
    assert [f.text for f in found] == [
        "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m "
        "pytest -q -n 2\n"
    ]
