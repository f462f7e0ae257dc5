"""What assistants ask: a card is written from words to a clean file; nothing outside is read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from desks import open_desk

from interpreter.desk.assistants import Assistant, answered

pytest.importorskip("mcp")

from interpreter.desk.mcp_server import make_server

# "A dish that is worth 2 more when there is a custard on the table", as an assistant wrote it.
CARD = """for kitchen

card "Trifle" of dish
  course: sweet
  cost: 2
  text
    | {said}
"""
COMET = """for cards

card "Comet" of card
  suit: sun
  text
    | Worth 3 more when played.
"""
SECRET = 'game secret "Secret"\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An opened folder with a game, beside a file that is not in it."""
    whole = tmp_path_factory.mktemp("assistants")
    open_desk(whole / "open")
    open_desk(whole / "open", "cards")
    (whole / "secret.rules").write_text(SECRET, "utf-8")
    return whole / "open"


def test_from_words_to_a_clean_card(folder: Path) -> None:
    """A recorded session by the protocol's own tools, with each answer that led on."""
    server = make_server((folder,))
    before = sorted(folder.rglob("*"))

    def ask(tool: str, **given: object) -> dict[str, object]:
        _, answer = asyncio.run(server.call_tool(tool, given))
        assert json.loads(json.dumps(answer)) == answer
        return answer

    assert sorted(t.name for t in asyncio.run(server.list_tools())) == [
        "check",
        "diff",
        "explain",
        "phrases",
        "simulate",
        "test",
        "why_not",
        "witness",
    ]
    game = "kitchen/kitchen.rules"
    found = ask("phrases", game=game, word="table")
    assert found["phrases"][0]["text"] == "Add {n} if a/an {k} is on the table."
    first = ask("explain", game=game, text="Gain 2 if a Custard is on the table.")
    assert not first["understood"]
    (sentence,) = first["sentences"]
    assert sentence["diagnostics"][0]["code"] == "C001"
    second = ask("explain", game=game, text="Add 2 if a Custard is on the table.")
    assert second["understood"]
    (reading,) = second["sentences"][0]["readings"]
    assert reading["effects"][1].strip() == "add 2, if there is a Custard in the table (“Custard”)"
    wrong = ask("check", path="trifle.rules", text=CARD.format(said="Gain 2, if Custard."))
    assert not wrong["clean"] and wrong["errors"] == 1
    right = ask(
        "check", path="trifle.rules", text=CARD.format(said="Add 2 if a Custard is on the table.")
    )
    assert right == {"diagnostics": [], "errors": 0, "clean": True}
    played = ask(
        "simulate", game=game, cards=CARD.format(said="Add 2 if a Soup is on the table."), games=3
    )
    assert played["results"]["games"] == 3
    tested = ask("test", path="kitchen")
    assert tested["failed"] == 0 and tested["passed"] > 0
    refused = ask("why_not", game=game, action="serve", values={"d": "Soup"}, player=1)
    assert not refused["allowed"]
    assert refused["refusals"][0]["clause"].startswith("rules of serve") or refused["refusals"]
    _proven(ask)
    assert sorted(folder.rglob("*")) == before


def _proven(ask: Callable[..., dict[str, object]]) -> None:
    """What a sentence does in play, and that other words for it mean the same."""
    card = {"game": "cards/cards.rules", "cards": COMET}
    shown = ask("witness", card="Comet", record=True, **card)
    (row,) = shown["sentences"]
    assert shown["proven"] and (row["verdict"], row["text"]) == (
        "witness",
        "Worth 3 more when played.",
    )
    assert row["record"]["choices"][-1]["value"].startswith("Comet")
    assert len(row["record"]["choices"]) == row["choices"]
    (bare,) = ask("witness", card="Comet", sentence="1", **card)["sentences"]
    assert bare["record"] is None and bare["changes"] == row["changes"]
    assert "did you mean “Comet”" in ask("witness", card="Comit", **card)["error"]
    broken = COMET.replace("when played", "wen played")
    unread = ask("witness", card="Comet", game="cards/cards.rules", cards=broken)
    assert [item["code"] for item in unread["diagnostics"]] == ["C001"]
    assert ask("diff", one="Comet", two="Worth 3 more when played.", **card)["verdict"] == "same"
    other = ask("diff", one="Comet", two="Worth 2 more when played.", **card)
    assert other["verdict"] == "different" and other["pairs"][0]["outcomes"] == ["3", "2"]


@pytest.mark.parametrize(
    "path", ["../secret.rules", "/etc/passwd", "..", "kitchen/../../secret.rules"]
)
def test_nothing_outside_the_folders_is_read(folder: Path, path: str) -> None:
    desk = Assistant((folder,))
    for question in (
        lambda: desk.check(path),
        lambda: desk.test(path),
        lambda: desk.phrases(path),
        lambda: desk.explain(path, "Add 2."),
        lambda: desk.why_not(path, "serve", {}),
        lambda: desk.simulate(path),
        lambda: desk.witness(path, "Soup"),
        lambda: desk.diff(path, "Soup", "Roast"),
        lambda: desk.check(path, "game x"),
    ):
        assert answered(question) == {"error": f"{path} does not lie in an opened folder"}


def test_no_game_outside_the_folders_is_found_by_its_name(folder: Path) -> None:
    told = answered(
        lambda: Assistant((folder,)).check("more.rules", 'for secret\n\ncard "X" of y\n')
    )
    assert [item["code"] for item in told["diagnostics"]] == ["N017"]
    link = folder / "link.rules"
    link.symlink_to(folder.parent / "secret.rules")
    try:
        assert "does not lie" in str(answered(lambda: Assistant((folder,)).check("link.rules")))
    finally:
        link.unlink()


def test_no_file_outside_the_folders_is_compared(folder: Path) -> None:
    """By `..`, by its whole path, by a link, or in a folder that is a link; nor is it said whether
    there is one.
    """
    link, door = folder / "link.rules", folder / "door"
    link.symlink_to(folder.parent / "secret.rules")
    door.symlink_to(folder.parent)
    try:
        desk = Assistant((folder,))
        outside = ["../secret.rules", "../none.rules", str(folder.parent / "secret.rules")]
        for path in [*outside, "link.rules", "door/secret.rules", "door/none.rules"]:
            for pair in ((path, "Comet"), ("Comet", path)):
                told = answered(lambda pair=pair: desk.diff("cards/cards.rules", *pair, COMET))
                assert told == {"error": f"{path} does not lie in an opened folder"}
        assert "does not lie" in str(answered(lambda: desk.witness("door", "Comet")))
    finally:
        link.unlink()
        door.unlink()


@pytest.mark.parametrize("games", [0, -1, 100_000])
def test_a_bound_is_said(folder: Path, games: int) -> None:
    told = answered(lambda: Assistant((folder,)).simulate("kitchen", games=games))
    assert told == {"error": f"games is a number from 1 to 200, not {games}"}
