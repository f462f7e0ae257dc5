"""The documents tell the truth: listings compile and their scenarios pass, commands print what is shown, tables are the program's own, links lead somewhere."""
from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from update_docs import _MARKED, PAGES, ROOT, TABLES, Desk, Fence, desk, fences, is_transcript, tidy, transcript

from interpreter.loading import Loaded, load_rules
from interpreter.scenario import run_all
from rulelang.grammar import parser

DOCS = ROOT / "docs"


def of_page(path: Path) -> str:
    return path.name


def loaded(here: Desk, fence: Fence, named: dict[str, Path]) -> Loaded:
    """A listing compiled: as a whole ruleset, or as an addition to one named before it or to a game."""
    path = here.take(fence) or here.write(f"listing_{fence.line}/listing.rules", fence.text)
    name = fence.mark("named")
    if name is not None:
        named[name] = path
    base = base_of(fence, path)
    if base is not None:
        return load_rules(str(named.get(base, base)), added=[(path.name, path)])
    return load_rules(str(path.parent if fence.mark("more") or "whole" in fence.marks else path))


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_listings_hold(page: Path) -> None:
    """Every listing compiles without a finding, under every variant it declares, and its scenarios pass; a wrong one is wrong as it says."""
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
                own = {s.name for s in made.compiled.rules.scenarios if not made.added or s.span.file in made.added}
                told += [f"{where}: {o.name}: {o.message}" for o in run_all(made, names=own) if not o.passed]
                for variant in re.findall(r"^variant (\w+)", fence.text, re.MULTILINE):
                    told += [f"{where}: {made.draw(d)}" for d in _under(here, fence, named, variant).findings()]
    assert told == []


def base_of(fence: Fence, path: Path) -> str | None:
    """What a listing is added to: a listing named before, or the game its file begins with `for`."""
    spoken = re.search(r"^for (\w+)$", path.read_text("utf-8"), re.MULTILINE)
    return fence.mark("of") or (spoken.group(1) if spoken is not None else None)


def _under(here: Desk, fence: Fence, named: dict[str, Path], variant: str) -> Loaded:
    path = here.write(f"listing_{fence.line}/again.rules", fence.text)
    base = base_of(fence, path)
    if base is None:
        return load_rules(str(path), variants=[variant])
    return load_rules(str(named.get(base, base)), variants=[variant], added=[(path.name, path)])


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_commands_print_what_is_shown(page: Path) -> None:
    """Every command shown is run, in the order of the page, on the files the page has made by then."""
    with desk() as here:
        for fence in fences(page.read_text("utf-8")):
            here.take(fence)
            if is_transcript(fence):
                assert fence.text == transcript(fence), f"{page.name}, line {fence.line}: run tests/update_docs.py"


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_listings_are_laid_out(page: Path) -> None:
    """Every listing stands as `rulelang fmt` writes it."""
    for fence in fences(page.read_text("utf-8")):
        assert fence.text == tidy(fence), f"{page.name}, line {fence.line}: run tests/update_docs.py"


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_tables_are_the_programs_own(page: Path) -> None:
    """Tables between markers are what tests/update_docs.py writes."""
    for match in _MARKED.finditer(page.read_text("utf-8")):
        inside = match.group(0)[len(match.group(1)) : -len(match.group(3))]
        assert inside == TABLES[match.group(2)]() + "\n", f"{page.name}: {match.group(2)}: run tests/update_docs.py"


def test_all_tables_are_shown() -> None:
    """Every table stands on some page."""
    shown = {m.group(2) for page in PAGES for m in _MARKED.finditer(page.read_text("utf-8"))}
    assert shown == set(TABLES)


def test_the_language_page_shows_every_construction() -> None:
    """Each production of the grammar stands in some listing of docs/language.md."""
    made = parser().rules
    known = {r.alias for r in made if r.alias} | {r.origin.name for r in made if not r.alias and not r.options.expand1}
    known = {name for name in known if not name.startswith("_")} - {"start"}
    seen: set[str] = set()

    named: dict[str, Path] = {}
    with desk() as here:
        for fence in fences((DOCS / "language.md").read_text("utf-8")):
            if fence.language == "rules":
                seen.update(part.kind for node in loaded(here, fence, named).nodes for part in node.walk())
                if fence.text.startswith("for "):
                    seen.add("speaks")
    assert sorted(known - seen) == []


# ------------------------------------------------------------------------------------------------ the workings
def imports(path: Path) -> set[str]:
    """The modules of ours that a module imports when it is loaded."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] in ("rulelang", "interpreter", "rulesets")}


def modules() -> dict[str, Path]:
    """Every module of the language and the interpreter, by its dotted name; a package stands for itself."""
    found = {}
    for package in ("rulelang", "interpreter"):
        for path in (ROOT / package).rglob("*.py"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if name not in ("rulelang", "interpreter"):
                found[name] = path
    return found


def picture() -> list[list[str]]:
    """The rows of the picture in docs/workings.md, from top to bottom, each the modules it names."""
    rows: list[list[str]] = []
    for fence in fences((DOCS / "workings.md").read_text("utf-8")):
        if "picture" not in fence.marks:
            continue
        package = fence.mark("picture")
        for line in fence.text.splitlines():
            names = re.match(r"(\S.*?)  ", line + "  ")
            if line.strip() and names and not line.startswith((" ", "-")):
                rows.append([f"{package}.{name}" for name in names.group(1).split()])
    return rows


def test_the_picture_names_every_module_once() -> None:
    """No module is missing, none is named that is not there."""
    shown = [name for row in picture() for name in row]
    assert sorted(shown) == sorted(modules())


def test_the_picture_tells_who_uses_whom() -> None:
    """A module imports only what stands beside it or in a row above it."""
    rows = picture()
    at = {name: number for number, row in enumerate(rows) for name in row}
    wrong = []
    for name, path in modules().items():
        for other in imports(path):
            known = other if other in at else None
            if known is not None and at[known] > at[name]:
                wrong.append(f"{name} imports {known}, which stands below it")
    assert wrong == []


def test_every_library_is_told() -> None:
    """docs/workings.md says why each library is there."""
    text = (DOCS / "workings.md").read_text("utf-8")
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    block = project.split("dependencies = [", 1)[1].split("[project.scripts]")[0]
    for name in re.findall(r'"([\w-]+)>=', block):
        assert f"`{name}`" in text, name


# ------------------------------------------------------------------------------------------------ the pages
@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=of_page)
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    """Every link between pages, and every file of ours named in the text, is there."""
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
    for target in re.findall(r"`((?:rulelang|interpreter|tests|docs|rulesets|examples)/[\w./*-]+)`", text):
        assert any(ROOT.glob(target.rstrip("/"))) or "NAME" in target, target


def test_no_page_names_a_place_of_this_machine() -> None:
    """Neither a home nor a temporary folder stands on a page."""
    for page in PAGES:
        assert not re.search(r"/(tmp|home|work|root|Users)/", page.read_text("utf-8")), page


def test_the_readme_has_one_test_command() -> None:
    """CI takes the test command from there."""
    found = [f for f in fences((ROOT / "README.md").read_text("utf-8")) if "pytest" in f.text]
    assert [f.text for f in found] == ["python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m pytest -q -n 2\n"]
