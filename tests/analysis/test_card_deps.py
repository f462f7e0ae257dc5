"""What is asked of other cards is asked again where it may be otherwise, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game.loading import load_rules
from rulelang.analysis.card_deps import Others
from rulelang.queries.database import Database, Query
from rulelang.ruleset import Extension, Ruleset

RULES = """game orchard "Orchard"
  players: 2
component plant
place hand of player: plant, private
place supply: plant, full
define hardy(x: plant) gives truth
  open "hardy"
pattern "It is hardy."
  as played
    define hardy at "hardy"
      true
pattern "It is not."
  as played
    define hardy at "hardy"
      false
pattern "Plants are hardy."
  while card in supply
    define hardy at "hardy"
      true
pattern "It thrives."
  as played
    define hardy at "hardy"
      true  when count of supply > 3
card "Oak" of plant
"""
HARDY = ("hardy", "hardy")
TEXTS = (("Elm", "It is hardy."), ("Ash", "It is not."))


def orchard(path: Path, *texts: tuple[str, str]) -> Ruleset:
    """The rules with a card for each of these texts."""
    cards = (f'card "{title}" of plant\n  text\n    | {said}\n' for title, said in texts)
    path.write_text(RULES + "".join(cards), "utf-8")
    loaded = load_rules(str(path))
    assert not [item for item in loaded.findings() if item.severity == "error"]
    return loaded.compiled.rules


class Asked(Query[str, int]):
    """How often something was asked."""

    others: Others
    times = 0

    def work(self, key: str) -> int:
        """It is asked once more."""
        rules = self.others.rules
        match key:
            case "some":
                self.others.some_added(*HARDY, lambda e: True)
            case "none":
                self.others.some_added(*HARDY, lambda e: False)
            case "tired":
                self.others.some_added(*HARDY, lambda e: True)
                self.others.tell_apart()
            case title:
                bearer = next(d for d in rules.designs if d.title == title)
                found = self.others.added(*HARDY, bearer)
                assert all(isinstance(e, Extension) for e in found)
                self.others.rest_on_looks("")
        self.times += 1
        return self.times


@pytest.mark.parametrize(
    ("key", "after", "again"),
    [
        ("some", (("Elm", "It is hardy."),), False),
        ("some", (("Fir", "It is not."), ("Ash", "It is hardy.")), False),
        ("some", (("Elm", "It is not."), ("Ash", "It is not.")), True),
        ("none", (("Elm", "It is not."), ("Ash", "It is hardy.")), False),
        ("none", (("Fir", "It is hardy."), ("Yew", "It is not.")), False),
        ("none", (("Elm", "It is hardy."), ("Ash", "It thrives.")), True),
        ("none", (*TEXTS, ("Fir", "It thrives.")), True),
        ("none", (*TEXTS, ("Fir", "It is not.")), True),  # so few are counted
        ("tired", (("Elm", "It is hardy."), ("Ash", "It thrives.")), True),
        ("Elm", (("Elm", "It is hardy."), ("Fir", "It is not.")), False),
        ("Elm", (("Elm", "It is hardy."), ("Ash", "It thrives.")), True),
        ("Elm", (("Elm", "It is hardy."), ("Ash", "Plants are hardy.")), True),
    ],
)
def test_what_texts_add_is_asked_again_where_it_is_otherwise(
    tmp_path: Path, key: str, after: tuple[tuple[str, str], ...], again: bool
) -> None:
    """Not where other cards say the same, nor where some addition is there that was found."""
    database = Database()
    asked = database.of(Asked)
    for number, texts in enumerate((TEXTS, after)):
        database.revise()
        asked.others = Others(orchard(tmp_path / "orchard.rules", *texts), database)
        assert asked(key) == 1 + (number and again)


def test_where_a_text_adds_for_all_cards_their_order_matters(tmp_path: Path) -> None:
    """The first that applies decides, so one that is played may come too late."""
    texts = (("Elm", "It is hardy."), ("Fir", "Plants are hardy."))
    database = Database()
    asked = database.of(Asked)
    for times, now in ((1, texts), (1, texts), (2, texts[::-1])):
        database.revise()
        asked.others = Others(orchard(tmp_path / "orchard.rules", *now), database)
        assert asked("Elm") == times
