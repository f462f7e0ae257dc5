"""A server that is started again is soon back: what it needs is worked out once for all its
processes, and what only authors need is not loaded.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `studio` is not installed")

import studios

from interpreter.studio import author, bots, serve
from interpreter.studio.storage.store import Settings

# Only the processes in which strangers' texts are compiled load these.
OF_AUTHORS = ("authoring", "desk", "paper", "proofs", "scenarios", "simulation.balance")
ALONE = {"beside", "bench", "drafts", "sites", "stock", "studies", "trials"}


def test_what_authors_ask_for_is_not_loaded_by_the_server() -> None:
    """No module of the studio does so when it is imported, but those of the bench."""
    folder = Path(author.__file__).parent
    heavy = tuple(f"interpreter.{name}" for name in OF_AUTHORS)
    heavy += tuple(f"interpreter.studio.author.{name}" for name in ALONE - {"drafts"})
    light = [path for path in folder.glob("*.py") if path.stem not in ALONE]
    assert len(light) > 5
    for path in [*light, *folder.parent.glob("*.py")]:
        named = [n.module or "" for n in ast.parse(path.read_text()).body if _is_from(n)]
        assert not [name for name in named if name.startswith(heavy)], path.name


def _is_from(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom)


def test_rules_that_are_played_are_compiled_before_anybody_asks(tmp_path: Path) -> None:
    """Those of open games, the last begun first; what cannot be compiled stops nobody."""
    at = studios.tables(tmp_path)
    for rules in (studios.TICK, studios.THREE_CARDS, studios.TICK):
        kept = studios.begin(at, rules)
    at.store.close(kept.id)
    at.store.open_game(_broken(at, "no/such/game"))
    assert {some.rules for some in at.store.played(9)} == {
        studios.TICK,
        studios.THREE_CARDS,
        "no/such/game",
    }
    assert len(at.store.played(2)) == 2
    at.store.close(kept.id)
    known = serve.prepared(studios.url(tmp_path))
    for rules in (studios.TICK, studios.THREE_CARDS):
        assert "game" in vars(known.shelf.of(Settings(rules, 2))), "it is compiled"
    player = bots.Player(known.shelf)
    assert player._shelf is known.shelf


def _broken(at: studios.Tables, rules: str) -> studios.Kept:
    return studios.Kept("broken", Settings(rules, 2), "hash", 1, ("person", "person"))
