"""What a variant takes over from the game without it: the same as when it is compiled alone."""

from __future__ import annotations

from pathlib import Path

from interpreter.game.loading import Loaded, load_rules
from rulelang.compiler.driver import CompileCache
from rulelang.core.renaming import same_but_fresh_names

GAME = """
game tiers "Tiers"
  players: 1 to 2

define tower = upper + 1
define upper = middle
define middle = bottom
define bottom = 2
define apart = 5

flow
  finish turns

variant doubtful "Doubtful"
  replace define bottom = false

variant higher "Higher"
  replace define bottom = 3
"""


def compiled(rules: str | Path, variant: str, kept: CompileCache | None = None) -> Loaded:
    """The game under a variant, compiled with what was kept or alone."""
    return load_rules(str(rules), (variant,), tests=False, kept=kept)


def after_the_game(rules: str | Path, variant: str) -> tuple[Loaded, Loaded]:
    """The game, and the game under a variant that was compiled after it."""
    kept = CompileCache()
    plain = load_rules(str(rules), tests=False, kept=kept)
    return plain, compiled(rules, variant, kept)


def test_a_variant_means_the_same_after_the_game_and_alone() -> None:
    """Its definitions, extensions, clauses and findings."""
    plain, after = after_the_game("rulesets/card_city_xl", "architect")
    alone = compiled("rulesets/card_city_xl", "architect")
    one, other = after.compiled.rules, alone.compiled.rules
    assert one.clauses == other.clauses
    assert after.compiled.report.found == alone.compiled.report.found
    for mine, theirs in ((one.definitions, other.definitions), (one.events, other.events)):
        assert mine.keys() == theirs.keys()
        assert all(same_but_fresh_names(mine[name], theirs[name]) for name in mine)
    assert all(map(same_but_fresh_names, one.extensions, other.extensions))
    base = plain.compiled.rules.definitions
    shared = [name for name in one.definitions if one.definitions[name] is base.get(name)]
    assert len(shared) > len(base) / 2  # or it would be in vain


def test_what_needs_a_definition_of_another_type_is_compiled_again(tmp_path: Path) -> None:
    """Two definitions between do not name what the variant replaces; the sum is still wrong."""
    (tmp_path / "tiers.rules").write_text(GAME)
    _, doubtful = after_the_game(tmp_path, "doubtful")
    (error,) = doubtful.compiled.report.errors
    assert error.code == "T001" and error.span.line == 5, str(error)
    plain, higher = after_the_game(tmp_path, "higher")
    assert not higher.compiled.report.errors
    one, other = plain.compiled.rules.definitions, higher.compiled.rules.definitions
    assert {name: one[name] is other[name] for name in one} == {
        "bottom": False,
        "middle": False,
        "upper": True,
        "tower": True,
        "apart": True,
    }
