"""What advice says of a deck list is asked again only where that list has other cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.advice_cache import Counsel, Setting
from interpreter.authoring.check import Unit, judge
from interpreter.game.advice import Advised
from rulelang.compiler.driver import CompileCache

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
