"""What a card touches, and what was decided."""

from __future__ import annotations

import json

import pytest

from interpreter.cli.main import main
from interpreter.game.loading import load_rules
from interpreter.proofs.interactions import interactions
from interpreter.proofs.playable import playable
from interpreter.proofs.rulings import position_of, rulings

ECHO = """for big_city

card "echo" of building
  class: special
  form: "X"
  text
    | Worth 3. Add 1 if beside a cinema.
"""


def test_a_card_touches_what_its_text_names() -> None:
    loaded = load_rules("big_city", (), [("echo.rules", ECHO)], tests=False)
    design = next(d for d in loaded.compiled.rules.designs if d.title == "echo")
    found = interactions(playable(loaded), design, 5)
    first = found.contacts[0]
    assert (first.title, first.reasons[0]) == ("cinema", "its text names it")
    assert first.shown is not None
    assert int(first.shown.one) - int(first.shown.two) in (3, 4)  # the text gives 3, or 3 + 1
    assert any(c.id.startswith("pattern") for c in found.clauses), found.clauses
    assert found.chains == ()


def test_a_contact_is_shown_by_the_text_of_whichever_card_asks_for_the_other() -> None:
    loaded = load_rules("simcity", tests=False)
    design = next(d for d in loaded.compiled.rules.designs if d.title == "Hospital")
    found = interactions(playable(loaded), design, 2)
    clinic = next(c for c in found.contacts if c.title == "Outpatient Clinic")
    assert clinic.reasons == ("named by its text",)
    assert clinic.shown is not None
    assert clinic.shown.title == "Outpatient Clinic"
    # Its value, and 2 for a Hospital within 3 blocks.
    assert int(clinic.shown.one) - int(clinic.shown.two) == 2


def test_rulings_are_found_by_words_statements_and_questions() -> None:
    loaded = load_rules("the_city")
    by_words = rulings(loaded, "may a contractor be taken twice")
    assert by_words[0].ruling.name == "A contractor for each player, once a game"
    assert by_words[0].questions[0].startswith("OQ-1 ")
    by_id = rulings(loaded, "OQ-3")
    assert [made.ruling.name for made in by_id] == ["What cannot be paid cannot be laid down"]
    assert len(rulings(loaded)) == len(loaded.compiled.rules.rulings)
    shown = position_of(loaded, by_words[0].scenarios[0])
    assert shown is not None


def test_the_commands_tell_what_they_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulings", "the_city", "contractor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["rulings"]
    assert found[0]["questions"] and found[0]["scenarios"]
    assert main(["rulings", "the_city", "zeppelin"]) == 1
    assert "Nothing was decided" in capsys.readouterr().out
    assert main(["interactions", "the_city", "Stadium", "--json", "--most", "3"]) == 0
    assert len(json.loads(capsys.readouterr().out)["contacts"]) == 3
    assert main(["interactions", "the_city", "Stadion"]) == 2
    assert "Stadium" in capsys.readouterr().err
