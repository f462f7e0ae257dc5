"""What editors colour by is that of the language, and the extension works against a stub."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import build_vsix
import check_site
import pytest
import update_bundle
import update_editors
from parsed_words import SORTS, parsed_words
from pygments.token import Token

from interpreter.desk.pygments_lexer import KINDS, RulelangLexer
from rulelang.syntax.lexemes import Lexeme, lexemes

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
FILES = [
    *sorted((ROOT / "tests/good").rglob("*.rules")),
    *sorted((ROOT / "examples").rglob("*.rules")),
    *sorted((ROOT / "rulesets").rglob("*.rules"))[::8],
]


def test_what_is_generated_is_up_to_date() -> None:
    stale = [
        path for path, text in update_editors.files().items() if path.read_text("utf-8") != text
    ]
    assert not stale, "run python tests/tools/update_editors.py"


@pytest.mark.skipif(find_spec("pygls") is None, reason="the extra `desk` is not installed")
def test_pygments_gives_every_word_of_every_shipped_file_the_kind_it_has_for_the_parser() -> None:
    """And what is no word of the syntax is a blank, a comment, a keyword or a sign."""
    folders = ("rulesets", "examples", "tests/good", "rulelang/english")
    every = [path for name in folders for path in sorted((ROOT / name).rglob("*.rules"))]
    assert len(every) > 150
    kinds = {KINDS[sort]: sort for sort in SORTS.values()}
    others = {KINDS[sort] for sort in ("comment", "keyword", "operator")} | {Token.Text.Whitespace}
    for path in every:
        text = path.read_text("utf-8")
        found = list(RulelangLexer().get_tokens_unprocessed(text))
        assert "".join(said for _, _, said in found) == text
        words, line, start = set(), 1, 0
        for at, kind, said in found:
            if kind in kinds:
                words.add(Lexeme(kinds[kind], line, at - start + 1, said))
            else:
                assert kind in others, (path, line, said)
            line += said.count("\n")
            start = at + said.rindex("\n") + 1 if "\n" in said else start
        assert words == parsed_words(path), path


def test_a_listing_of_the_site_that_is_not_coloured_is_told() -> None:
    page = check_site.Listings()
    page.feed(
        '<div class="language-rules highlight"><pre><code><span class="k">card</span></code></pre>'
        '</div><div class="language-rules highlight"><pre><code>card</code></pre></div>'
        '<div class="language-text highlight"><pre><code>said</code></pre></div><pre>bare</pre>'
    )
    assert list(check_site.uncoloured(page.found)) == [
        "listing 2, in rules, is not coloured",
        "listing 4 says no language",
    ]


def test_the_grammar_of_the_extension_gives_every_word_its_kind() -> None:
    """By the rules of TextMate: of all patterns the one is taken that matches first."""
    grammar = json.loads((EXTENSION / "syntaxes/rulelang.tmLanguage.json").read_text("utf-8"))
    scopes = {scope: kind for kind, scope in update_editors.SCOPES.items()}
    rules = [
        (scopes[rule["name"].removesuffix(".rulelang")], re.compile(rule["match"]))
        for rule in grammar["patterns"]
    ]
    for path in FILES[::4]:
        for line in path.read_text("utf-8").split("\n"):
            told = [(one.kind, one.text) for one in lexemes(line) if one.kind != "other"]
            assert list(_coloured(line, rules)) == told, line


def _coloured(line: str, rules: list[tuple[str, re.Pattern[str]]]) -> Iterator[tuple[str, str]]:
    """The words of a line with the kinds that these patterns give them."""
    at = 0
    while at < len(line):
        matches = [(kind, pattern.search(line, at)) for kind, pattern in rules]
        there = [(match.start(), kind, match) for kind, match in matches if match is not None]
        if not there:
            return
        _, kind, match = min(there, key=lambda one: one[0])
        said = match.group(0).strip()
        words = said.split() if kind == "head" else [said]
        yield from (("keyword" if kind == "head" else kind, word) for word in words)
        at = match.end()


@pytest.mark.skipif(shutil.which("node") is None, reason="the extension is tested by Node")
def test_the_extension_against_a_stub_of_the_editor() -> None:
    made = subprocess.run(
        ["node", "--test", "test/"], cwd=EXTENSION, capture_output=True, text=True, timeout=120
    )
    assert made.returncode == 0, made.stdout


def test_what_does_not_belong_in_the_package_is_told(tmp_path: Path) -> None:
    package = tmp_path / "rulelang.vsix"
    for names, told in (
        (build_vsix.HELD, []),
        (
            (build_vsix.HELD - {"extension/media/preview.js"}) | {"extension/node_modules/x/x.js"},
            [
                "extension/node_modules/x/x.js is in the package",
                "extension/media/preview.js is not in the package",
            ],
        ),
    ):
        with zipfile.ZipFile(package, "w") as held:
            for name in sorted(names):
                held.writestr(name, "vscode-languageclient 9 (MIT)")
        assert build_vsix.faults(package) == told


def test_the_extension_is_built_from_its_sources_by_fixed_versions() -> None:
    """Where packages are fetched from is not in the lock file, and its versions are exact."""
    lock = (EXTENSION / "package-lock.json").read_text("utf-8")
    assert "resolved" not in lock and "registry" not in lock
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    assert "dependencies" not in manifest, "what runs is in the bundle"
    packages = json.loads(lock)["packages"]
    for name, wanted in manifest["devDependencies"].items():
        assert packages[f"node_modules/{name}"]["version"] == wanted


def test_the_studio_s_editor_is_built_from_its_sources() -> None:
    """The bundle names the sources it was made from; CI makes it again and compares (`.ci/run`).
    The licence of each of its packages is there, and where they are fetched from is not.
    """
    made = (update_bundle.STATIC / "editor.min.js").read_text("utf-8")
    assert made.startswith(f"/* editors/studio {update_bundle.digest()};"), (
        "run python tests/tools/update_bundle.py"
    )
    lock = (update_bundle.SOURCE / "package-lock.json").read_text("utf-8")
    assert "resolved" not in lock and "://" not in lock
    licences = (update_bundle.STATIC / "LICENSE-editor.txt").read_text("utf-8")
    for name in json.loads((update_bundle.SOURCE / "package.json").read_text("utf-8"))[
        "dependencies"
    ]:
        assert f"{name} " in licences
