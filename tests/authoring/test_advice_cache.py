"""What advice says of a deck list is asked again only where that list has other cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring import advice_cache
from interpreter.authoring.advice_cache import Counsel, Setting
from interpreter.authoring.check import Unit, judge
from interpreter.game.advice import Advised, advised
from interpreter.game.game import Game
from rulelang import core
from rulelang.compiler.driver import CompileCache
from rulelang.ruleset import Advice

KITCHEN = Path("tests/good/kitchen/kitchen.rules")
MORE = """
define gifts(d: dish) gives number
  open "gifts"
  otherwise 0

pattern "Gift of {n}."
  n: number
  as played
    define gifts at "gifts"
      n

invariant "not all is given away"  count of {d in dishes where gifts(d) > 0} <= 2
  note "much is given away"
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str | None]:
    """The deck lists of which advice is asked."""
    found, once = set[str | None](), Counsel.asked

    def noted(counsel: Counsel, number: int, setting: Setting) -> tuple[Advised, ...]:
        found.add(setting[0])
        return once(counsel, number, setting)

    monkeypatch.setattr(Counsel, "asked", noted)
    return found


def test_only_the_lists_with_another_card_are_asked_about_again(
    tmp_path: Path, asked: set[str | None]
) -> None:
    """A card that is called otherwise is missing from a list that names it, and that list alone is
    another; one with another field or text is another in each list that has it.
    """
    path, kept = tmp_path / "kitchen.rules", CompileCache()
    text = KITCHEN.read_text("utf-8") + MORE
    fresh = [set[str | None]()]
    for before, after in (
        ("", ""),
        ('card "Roast"', 'card "Steak"'),
        ('card "Crumble"', 'card "Pie"'),
        ("cost: 4", "cost: 5"),
        ("course: starter\n  family: root", "course: main\n  family: root"),
        ("cost: 1\n  copies: 0", "cost: 2\n  copies: 0"),
        ("cost: 1\n\n", "cost: 1\n  text\n    | Gift of 2.\n\n"),
        ("otherwise 0", "otherwise 1"),
    ):
        edited = text.replace(before, after) if before else text
        for said in (edited, text):
            path.write_text(said, "utf-8")
            asked.clear()
            found = judge(Unit(str(path)), kept)[1]
            fresh.append({one for one in asked if one in ("plain", "sweet")})
            assert found == judge(Unit(str(path)), CompileCache())[1]
    plain, sweet = {"plain"}, {"sweet"}
    assert fresh[1:3] == [plain | sweet, set()]
    assert fresh[3::2] == [plain, sweet, plain, plain | sweet, sweet, sweet, plain | sweet]


FEAST = """
variant feast "A feast"
  replace define starters_wanted = 5 * count of players

variant plain_menu "A plain menu"
  state told of player: number = 0
"""


def test_a_variant_takes_over_advice_that_rests_on_the_same_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two variants one wants more starters and the other changes nothing that is advised on: of
    a card that is another only the game is asked, and the feast about its starters.
    """
    evaluated = list[tuple[str, str]]()

    def noted(game: Game, **more: object) -> list[Advised]:
        only = more["only"]
        assert isinstance(only, Advice)
        wanted = game.rules_source.definitions["starters_wanted"].cases
        is_feast = any(isinstance(n, core.Const) and n.value == 5 for n in core.walk(wanted))
        variant = "plain_menu" if "told" in game.rules_source.states else ""
        evaluated.append(("feast" if is_feast else variant, only.label))
        return advised(game, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(advice_cache, "advised", noted)
    path, kept = tmp_path / "kitchen.rules", CompileCache()
    text = KITCHEN.read_text("utf-8") + FEAST
    path.write_text(text, "utf-8")
    judge(Unit(str(path)), kept)
    path.write_text(text.replace("cost: 4", "cost: 0"), "utf-8")
    evaluated.clear()
    found = judge(Unit(str(path)), kept)[1]
    said = " ".join(item.message for item in found)
    assert "Roast is a main and costs nothing" in said
    assert "are starters; 15 are wanted" in " ".join((said, *(n for i in found for n in i.notes)))
    assert "plain_menu" not in {variant for variant, _ in evaluated}
    assert {label for variant, label in evaluated if variant} <= {"starters first"}
    assert "nothing is free" in {label for variant, label in evaluated if not variant}


TASTES = """
kind taste: cheap, dear
define most(t: taste) gives number
  open "tastes"
  4  when t = cheap
  otherwise 0
define tasting(t: taste) gives set of dish reads "{t}" =
    {d in dishes where d's cost < most(t), d's family is fruit}
pattern "Tastes are {n}."
  n: number
  while count of players > 0
    define most at "tastes"
      n
"""


def test_advice_on_what_texts_name_is_asked_again_where_that_is_defined_otherwise(
    tmp_path: Path,
) -> None:
    """Whether a dish is there that a text names is said by a definition, by what that calls, and by
    what texts add to it.
    """
    path, kept = tmp_path / "kitchen.rules", CompileCache()
    text = (KITCHEN.read_text("utf-8") + TASTES).replace("if a Custard is", "if a cheap is")
    fewer = text.replace("  4  when t = cheap", "  3  when t = cheap")
    found = []
    for said in (
        text,
        fewer,
        fewer.replace("cost: 2\n", "cost: 2\n  text\n    | Tastes are 5.\n"),
        fewer,
        text,
        text.replace("< most(t)", "<= most(t) - 2"),
    ):
        path.write_text(said, "utf-8")
        told = judge(Unit(str(path)), kept)[1]
        assert told == judge(Unit(str(path)), CompileCache())[1]
        found.append(sum("speaks of cheap" in item.message for item in told))
    assert found == [0, 1, 0, 1, 0, 1]
