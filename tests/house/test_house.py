"""The house: imports run one way, no room knows a game, the grammar has no conflict, reserved words
are few, documents tell the truth.
"""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

import rulesets
from interpreter.game.loading import load_rules
from rulelang.syntax.grammar import parser, reserved
from rulelang.syntax.nodes import Node

ROOT = Path(__file__).resolve().parents[2]
CODE = sorted(
    [
        *(ROOT / "rulelang").rglob("*.py"),
        *(ROOT / "interpreter").rglob("*.py"),
        *(ROOT / "rulelang" / "english").rglob("*.rules"),
        ROOT / "rulelang" / "syntax" / "rules.lark",
    ]
)
# words of games that are also plain English of the code, one a line, each with what it means there
# after two blanks or more
COMMON = dict(
    re.split("  +", line, maxsplit=1)
    for line in (ROOT / "tests" / "tools" / "common_words.txt").read_text("utf-8").splitlines()
)


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def test_imports_run_one_way() -> None:
    """The interpreter uses the language.

    The language does not know the interpreter, files or games. Its doors do: the public surface
    and the console script.
    """
    doors = {ROOT / "rulelang" / name for name in ("__init__.py", "__main__.py")}
    for path in {*(ROOT / "rulelang").rglob("*.py")} - doors:
        found = imports(path)
        assert not any(name.startswith(("interpreter", "rulesets")) for name in found), path
        assert not found & {"os", "pathlib", "sys", "socket", "subprocess", "pickle"}, path


def vocabulary(game: str) -> set[str]:
    """What a ruleset calls its things: kinds' members, groups, components, sites, layers, boards
    and titles, as names and as words.
    """
    rules = load_rules(game, tests=False).compiled.rules
    texts: list[str] = [*rules.components, *rules.groups]
    for kind in rules.kinds.values():
        texts += [*kind.members, *(w for pair in kind.words for w in pair)]
    texts += [word for board in rules.boards.values() for _, word in board.roles]
    texts += [layer.name for board in rules.boards.values() for layer in board.layers]
    texts += [d.title for d in rules.designs]
    names = {text.lower().replace("_", " ") for text in texts}
    return {n for n in names if len(n) > 2} | {n.replace(" ", "_") for n in names if len(n) > 2}


@functools.cache
def code() -> dict[str, str]:
    """The text of each module in small letters, by its path."""
    return {str(path.relative_to(ROOT)): path.read_text("utf-8").lower() for path in CODE}


@functools.cache
def known(game: str) -> dict[str, list[str]]:
    """The words of a ruleset's own that stand in the code, each with the modules in which it
    does.
    """
    texts = code()
    everything = "\n".join(texts.values())
    found = {}
    for word in {w for w in vocabulary(game) - reserved() if w in everything}:
        pattern = re.compile(rf"(?<![a-z]){re.escape(word)}(?![a-z])")
        hits = sorted(name for name, text in texts.items() if word in text and pattern.search(text))
        if hits:
            found[word] = hits
    return found


@pytest.mark.parametrize("game", rulesets.ids())
def test_no_room_knows_a_game(game: str) -> None:
    """No word of a ruleset's own vocabulary, beyond plain English the language uses, stands in the
    code.
    """
    assert {word: rooms for word, rooms in known(game).items() if word not in COMMON} == {}


def test_plain_english_is_not_a_way_round() -> None:
    """Every word taken for plain English is one that some ruleset and some module both need, and it
    is told what for.
    """
    assert set(COMMON) - {word for game in rulesets.ids() for word in known(game)} == set()


def test_the_grammar_is_strict() -> None:
    """LALR(1) in strict mode: no shift/reduce conflict, no two terminals for one text."""
    assert parser(strict=True) is not None


def test_reserved_words_are_few() -> None:
    """Fewer than 80 words are kept from authors."""
    assert len(reserved()) < 80


def test_no_python_is_made_from_texts() -> None:
    """Nothing an author writes is ever executed as Python."""
    for path in CODE:
        if path.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), path


def test_syntax_nodes_are_frozen() -> None:
    """A node cannot be changed."""
    from rulelang.diagnostics.source import NOWHERE

    node = Node("name", (), NOWHERE, "x")
    with pytest.raises(AttributeError):
        node.text = "y"  # type: ignore[misc]
