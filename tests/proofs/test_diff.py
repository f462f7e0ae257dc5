"""Two texts, cards, files or variants: the same, different with a position, or not decided."""

from __future__ import annotations

import json

import pytest

from interpreter.cli.main import main
from interpreter.game.game import Game
from interpreter.game.loading import load_rules, overlay
from interpreter.proofs import differences, sides, variants
from interpreter.proofs.clause_parts import changes
from interpreter.proofs.playable import playable


@pytest.fixture(scope="module")
def box() -> tuple[Game, sides.Game]:
    """A game with its texts, in which they are compared."""
    loaded = load_rules("big_city", tests=False)
    return playable(loaded), sides.Game("big_city", loaded)


def verdict(of: tuple[Game, sides.Game], one: str, two: str) -> differences.Compared:
    game, asked = of
    a, b = asked.side(one), asked.side(two)
    assert isinstance(a, sides.Text) and isinstance(b, sides.Text)
    return differences.compare(game, a, b)


@pytest.mark.parametrize(
    "one, two",
    [
        ("Worth 4.", "It is worth 4."),
        ("Worth 4. Only in the center.", "Only in the center. Worth 4."),
    ],
)
def test_equal_meaning_is_proved_by_canonical_form(
    box: tuple[Game, sides.Game], one: str, two: str
) -> None:
    assert verdict(box, one, two).verdict == differences.SAME


def test_a_difference_is_shown_in_a_position_with_both_outcomes(
    box: tuple[Game, sides.Game],
) -> None:
    """Worth 4 and worth 6 come to these totals wherever it is built."""
    made = verdict(box, "Worth 4.", "Worth 6.")
    assert made.verdict == differences.DIFFERENT
    found = made.as_json()
    assert found["outcomes"] == ["4", "6"]
    assert made.found is not None and isinstance(made.found, differences.Difference)
    assert [len(side) > 0 for side in made.found.grounds] == [True, True]


def test_what_adds_to_something_else_is_tried_on_the_card_as_it_is(
    box: tuple[Game, sides.Game],
) -> None:
    """Alone it adds to nothing; a single residence beside another is worth 2 and 1."""
    made = verdict(box, "Add 1 if beside a park or a residence.", "Add 1 if beside a park.")
    assert made.verdict == differences.DIFFERENT
    assert made.as_json()["outcomes"] == ["3", "2"]


def test_a_card_without_a_board_lies_where_its_text_holds() -> None:
    """A high-rise costs 3, and 1 or 3 less for whoever has the card that says so."""
    loaded = load_rules("the_city", tests=False)
    asked = playable(loaded), sides.Game("the_city", loaded)
    made = verdict(asked, "Each High-Rise costs 1 less.", "Each High-Rise costs 3 less.")
    assert made.verdict == differences.DIFFERENT
    assert made.as_json()["outcomes"] == ["2", "0"]


def test_printed_fields_of_cards_count(box: tuple[Game, sides.Game]) -> None:
    made = verdict(box, "cinema", "single business")
    assert made.verdict == differences.DIFFERENT


def test_a_variant_changes_the_clauses_it_names_and_no_others() -> None:
    """The variant of limited lines adds one rule to laying a streetcar, and what that asks."""
    loaded = load_rules("big_city", tests=False)
    after = overlay(loaded, ("limited_line",)).compiled.rules
    found = changes(loaded.compiled.rules, after)
    assert [(c.sort, c.how, c.clause.id) for c in found] == [
        ("refusal", "new", "rules of lay/beside a building"),
        ("meaning", "new", "define beside_a_building"),
    ]
    assert changes(after, after) == []


def test_a_variant_is_shown_by_play() -> None:
    loaded = load_rules("big_city", tests=False)
    made = variants.compare_variants(
        loaded, sides.Under("base", None), sides.Under("limited_line", "limited_line")
    )
    assert made.verdict == differences.DIFFERENT
    rule = made.rows[0]
    assert rule.shown is not None and "he may not: beside a building" in rule.shown.two
    assert made.rows[1].through == rule.change.clause.id


@pytest.mark.parametrize(
    "arguments, status",
    [
        (["Worth 4.", "It is worth 4."], 0),
        (["Worth 4.", "Worth 5."], 1),
        (["Worth 4.", ""], 2),
        (["Worth 4.", "limited_line"], 2),
        (["Wroth 4.", "Worth 4."], 2),
        (["Worth 4.", "nowhere.rules"], 2),
    ],
)
def test_the_exit_status_tells_the_verdict(
    arguments: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", "big_city", *arguments]) == status
    told = capsys.readouterr()
    assert (told.out if status < 2 else told.err).strip()


def test_json_holds_the_verdict_and_the_outcomes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "--json", "big_city", "Worth 4.", "Worth 5."]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "different"
    assert found["pairs"][0]["outcomes"] == ["4", "5"]


def test_a_bound_that_is_reached_is_not_decided(
    box: tuple[Game, sides.Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter.authoring import distinguish

    monkeypatch.setattr(distinguish, "MAX_JUDGED", 0)
    monkeypatch.setattr(distinguish, "MAX_PLAYED", 0)
    made = verdict(box, "Worth 4.", "Worth 6.")
    assert made.verdict == differences.NOT_DECIDED
    assert "0 small positions" in str(made.found)
