"""What assistants ask: a card is written from words to a clean file; nothing outside is read."""

from __future__ import annotations

import asyncio
import json
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
SECRET = 'game secret "Secret"\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An opened folder with a game, beside a file that is not in it."""
    whole = tmp_path_factory.mktemp("assistants")
    open_desk(whole / "open")
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
        "explain",
        "phrases",
        "simulate",
        "test",
        "why_not",
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
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    "path", ["../secret.rules", "/etc/passwd", "..", "kitchen/../../secret.rules"]
)
def test_nothing_outside_the_folders_is_read(folder: Path, path: str) -> None:
    desk = Assistant((folder,))
    for question in (
        lambda: desk.check(path),
        lambda: desk.test(path),
        lambda: desk.phrases(path),
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


@pytest.mark.parametrize("games", [0, -1, 100_000])
def test_a_bound_is_said(folder: Path, games: int) -> None:
    told = answered(lambda: Assistant((folder,)).simulate("kitchen", games=games))
    assert told == {"error": f"games is a number from 1 to 200, not {games}"}
