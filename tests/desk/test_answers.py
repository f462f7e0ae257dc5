"""What the desk answers of a place, on a text that is broken elsewhere and not saved."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from desks import Desk, open_desk

from interpreter.desk import calls, completion, highlighting, hover, lenses, lookup, outline
from interpreter.desk.answers import Edit
from interpreter.desk.layout import formatted
from interpreter.desk.positions import Place, Range
from interpreter.desk.scenarios import Rehearsal, Shown

BOOK = "# Kitchen\n\n- KI-001 There are nine dishes at least.\n- KI-002 Starters come first.\n"
BOOK += "".join(f"- KI-00{number} More is said.\n" for number in (3, 4, 5))
BROKEN = "\nevent ((\n  no such line\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A kitchen with a rulebook, checked, then broken in another declaration."""
    folder = tmp_path_factory.mktemp("answers")
    made = open_desk(folder)
    made.path.with_name("rulebook.md").write_text(BOOK, "utf-8")
    made.check()
    made.write(made.document.text + BROKEN)
    return made


def _hover(desk: Desk, marked: str) -> str:
    found = hover.hover(desk.workspace, desk.document, desk.at(marked))
    return found.text if found is not None else ""


def test_hover_tells_what_a_sentence_reads_as(desk: Desk) -> None:
    with desk.edited("Add 2 if a garden plant", "Add 3 if a garden plant"):
        said = _hover(desk, "Add 3 if a gar^den plant")
    assert "*reads as:* Add 3 if a garden plant is on the table." in said
    assert "adds to “value”, at “cards”" in said


def test_hover_tells_what_names_and_citations_mean(desk: Desk) -> None:
    assert "score value(d: dish)" in _hover(desk, "add va^lue(d)")
    assert _hover(desk, "dishes >= 9                                [KI-0^01]") == (
        "**KI-001** There are nine dishes at least."
    )
    assert "how many" in _hover(desk, "cou^nt of starters >=").lower()
    assert _hover(desk, "# Advi^ce") == ""


def _definitions(desk: Desk, marked: str) -> list[int]:
    found = lookup.definition(desk.workspace, desk.document, desk.at(marked))
    return [one.range.start.line for one in found]


def test_definitions_are_found(desk: Desk) -> None:
    assert _definitions(desk, "do ser^ve(p, d)") == [desk.at("event ^serve").line]
    assert _definitions(desk, "for each d in di^shes: d's cost") == [
        desk.at("component d^ish").line
    ]
    assert _definitions(desk, "d's co^st > 0") == [desk.at("^cost: number").line]
    assert _definitions(desk, "move d^ to table") == [desk.at("event serve(p: player, ^d").line]
    assert _definitions(desk, "if a Cus^tard is") == [desk.at('card "Cus^tard"').line]
    assert _definitions(desk, "A^dd 2 if a garden") == [desk.at('pattern "Add^ {n}').line]
    assert _definitions(desk, ">= 9                                [KI-0^01]") == [2]


def test_references_are_found_everywhere(desk: Desk) -> None:
    found = lookup.references(desk.workspace, desk.document, desk.at("event se^rve"))
    lines = [desk.document.line(one.range.start.line).strip() for one in found]
    assert [line.split("(")[0] for line in lines] == ["event serve", "rules of serve", "do serve"]
    found = lookup.references(desk.workspace, desk.document, desk.at('card "So^up"'))
    assert {one.range.start.line for one in found} == {
        desk.at('card "S^oup"').line,
        desk.at("6 S^oup").line,
        desk.at("8 S^oup").line,
    }


def _renamed(desk: Desk, marked: str, name: str) -> str:
    edits = lookup.rename(desk.workspace, desk.document, desk.at(marked), name)
    return _applied(desk.document.text, edits)


def _applied(text: str, edits: list[Edit]) -> str:
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: one.range.start, reverse=True):
        line = lines[edit.range.start.line]
        start, end = edit.range.start.character, edit.range.end.character
        lines[edit.range.start.line] = line[:start] + edit.text + line[end:]
    return "\n".join(lines)


def test_a_renamed_card_is_named_so_in_card_texts(desk: Desk) -> None:
    made = _renamed(desk, 'card "Cus^tard"', "Flan")
    assert "Add 1 if a Flan is on the table." in made and "3 Flan" in made
    assert "Custard" not in made


@pytest.mark.parametrize(
    "marked, name",
    [
        ("event se^rve", "bring"),
        ("component di^sh", "plate"),
        ("d's co^st >", "price"),
        ("kind fam^ily", "sort"),
    ],
)
def test_a_ruleset_is_well_after_a_rename(desk: Desk, marked: str, name: str) -> None:
    before = desk.document.text
    try:
        desk.write(_renamed(desk, marked, name).removesuffix(BROKEN))
        desk.check()
        assert desk.all_told() == []
    finally:
        desk.write(before.removesuffix(BROKEN))
        desk.check()
        desk.write(before)


@pytest.mark.parametrize("name", ["Bring", "for", "value", "9x", ""])
def test_a_name_that_cannot_be_is_refused(desk: Desk, name: str) -> None:
    with pytest.raises(lookup.NotRenamed):
        _renamed(desk, "event se^rve", name)


def _completed(desk: Desk, marked: str) -> list[str]:
    found = completion.complete(desk.workspace, desk.document, desk.at(marked))
    return [one.label for one in found]


def test_what_can_follow_in_a_sentence(desk: Desk) -> None:
    with desk.edited("| Add 2 if a garden plant is on the table.", "| Add 2 if a "):
        assert {"Soup", "garden plant", "herb"} <= set(_completed(desk, "| Add 2 if a ^"))
    with desk.edited("| Add 2 if a garden plant is on the table.", "| Add 2 if a gar"):
        assert _completed(desk, "| Add 2 if a gar^") == ["garden plant", "garden plants"]
    with desk.edited("| Add 2 if a garden plant is on the table.", "| "):
        (first, *_) = _completed(desk, '    | ^\n\ncard "Crumble"')
        assert first == "Add {n} if a {k} is on the table."


def test_what_can_be_written_in_rules(desk: Desk) -> None:
    assert "serve" in _completed(desk, "  do se^rve(p, d)")
    assert _completed(desk, "d's co^st > 0") == ["cost", "course"]
    assert _completed(desk, "  course: ^starter\n  family: root") == ["main", "starter", "sweet"]
    assert _completed(desk, 'card "Soup" of d^ish') == ["dish"]
    assert _completed(desk, "[KI-0^03]") == [f"KI-00{n}" for n in range(1, 6)]
    assert "card" in _completed(desk, 'ca^rd "Soup"')
    assert _completed(desk, 'invariant "nine^ dishes"') == []


def test_declarations_are_listed_with_those_that_cannot_be_read(desk: Desk) -> None:
    found = outline.symbols(desk.document)
    told = {(one.kind, one.name) for one in found}
    assert {
        ("event", "serve"),
        ("card", "Soup"),
        ("kind", "course"),
        ("scenario", "one of each are too few"),
    } <= told
    assert found[-1].name == "event"
    dish = next(one for one in found if one.name == "dish")
    assert [one.name for one in dish.inner] == ["course", "family", "cost"]
    found_all = outline.workspace_symbols(desk.workspace, "sou")
    assert found_all[0].name == "Soup" and found_all[0].at.path == desk.path


def test_tokens_are_what_names_name(desk: Desk) -> None:
    line = desk.at("  do serve^(p, d)").line
    found = highlighting.tokens(
        desk.workspace, desk.document, Range(Place(line, 0), Place(line, 99))
    )
    assert [one.kind for one in found] == [
        "keyword",
        "event",
        "operator",
        "parameter",
        "operator",
        "parameter",
        "operator",
    ] or [one.kind for one in found] == ["keyword", "event", "parameter", "parameter"]
    numbers = list(highlighting.encoded(found))
    assert numbers[:5] == [line, 2, 2, highlighting.KINDS.index("keyword"), 0]


def test_folds_and_selections(desk: Desk) -> None:
    folds = {(one.first, one.last) for one in outline.folds(desk.document)}
    start = desk.at('^card "Roast"').line
    assert (start, start + 4) in folds
    found = outline.selections(desk.document, desk.at("d's co^st > 0"))
    assert len(found) >= 4
    assert all(b.start <= a.start and a.end <= b.end for a, b in itertools.pairwise(found))


def test_signatures_hints_and_calls(desk: Desk) -> None:
    found = calls.signature(desk.workspace, desk.document, desk.at("do serve(p, ^d)"))
    assert found is not None
    assert (found.label, found.active) == ("serve(p: player, d: dish)", 1)
    with desk.edited("do serve(p, d)", "do serve(you, d)"):
        line = desk.at("do ^serve(you").line
        hints = calls.hints(desk.workspace, desk.document, Range(Place(line, 0), Place(line, 99)))
    assert [one.label for one in hints] == ["p:"]
    routine = calls.routine_at(desk.workspace, desk.document, desk.at("add va^lue(d)"))
    assert routine is not None and routine.kind == "score table"
    callers = calls.callers(desk.workspace, desk.document, "serve")
    assert {"serve_one"} <= {one.other.name for one in callers}
    called = calls.called(desk.workspace, desk.document, "serve")
    assert [one.other.name for one in called] == ["value"]


def test_a_scenario_is_run_where_it_stands(desk: Desk) -> None:
    found = lenses.lenses(desk.workspace, desk.document)
    runs = [one for one in found if one.command == lenses.RUN]
    assert len(runs) == desk.document.text.count("\nscenario ")
    assert "KI-001: cited by 1 scenario" in [one.title for one in found]
    rehearsal = Rehearsal(desk.workspace)
    with desk.edited(BROKEN, ""):
        outcome = rehearsal.run(desk.document, "one of each are too few")
    assert outcome is not None and outcome.passed
    assert rehearsal.run(desk.document, "no such") is None


def test_what_is_run_in_a_terminal_is_offered_to_those_who_have_one(desk: Desk) -> None:
    plain = lenses.lenses(desk.workspace, desk.document)
    assert {one.command for one in plain} == {lenses.RUN, lenses.REFERENCES}
    unit, _ = desk.workspace.unit(desk.path)
    assert unit is not None
    more = set(lenses.lenses(desk.workspace, desk.document, terminal=True)) - set(plain)
    path, rules = str(desk.path), unit.rules
    title = "one of each are too few"
    assert {
        ("Witness", (path, "witness", rules, "Crumble")),
        ("Interactions", (path, "interactions", rules, "Crumble")),
        ("Diff", (path, rules, "Crumble")),
        ("Play from here", (path, "play", rules, "--scenario", title)),
        ("Coverage of KI-001", (path, "coverage", rules, "--statement", "KI-001")),
    } <= {(one.title, one.arguments) for one in more}
    at = desk.at("  expect refused^ by [KI-001]")
    found = lenses.commands_at(desk.workspace, desk.document, at)
    assert [one.arguments[1:] for one in found] == [
        (title,),
        ("play", rules, "--scenario", title, "--line", str(at.line + 1)),
    ]
    assert lenses.commands_at(desk.workspace, desk.document, desk.at("event ((^")) == []


def test_the_position_of_a_scenario_is_shown_step_by_step(tmp_path: Path) -> None:
    desk = open_desk(tmp_path, "tic_tac_toe")
    rehearsal = Rehearsal(desk.workspace)

    def shown(marked: str) -> Shown:
        found = rehearsal.show(desk.document, desk.at(marked))
        assert found is not None
        return found

    laid = shown('    "^O": p2')
    assert laid.title == "the top row wins" and (laid.number, laid.count) == (2, 4)
    assert laid.before is not None and laid.after is not None
    assert laid.before.state.get("mark", {}) == {} and len(laid.after.state["mark"]) == 4
    assert laid.after.picture is not None and laid.after.picture.startswith("<svg ")
    played = shown("  play p1: draw_mark(at: ^site_at(grid, 3, 1))")
    assert played.after is not None and played.before == laid.after
    assert len(played.after.state["mark"]) == 5 and not played.failures
    whole = shown('scenario "the ^top row wins"')
    assert (whole.number, whole.step) == (0, None) and whole.after == played.after
    assert rehearsal.show(desk.document, desk.at("end three^ when")) is None
    with desk.edited("expect three_in_a_row(p1), ended", "expect three_in_a_row(p2), ended"):
        wrong = shown("  expect three_in_a_row(p2), ^ended")
        assert [one.message for one in wrong.failures] == ["expected: player 2 has three in a row"]
        assert shown("  play p1: draw_mark(at: ^site_at(grid, 3, 1))").failures == ()
    with desk.edited(
        "play p1: draw_mark(at: site_at(grid, 3, 1))", "play p1: draw_mark(at: site_at(grid, 9, 9))"
    ):
        stuck = shown("  expect three_in_a_row(p1), ^ended")
        assert stuck.after is None and "cannot be carried out" in stuck.why
    with desk.edited("set at's mark to p", "set at's mrak to p"):
        assert shown("  play p1: draw_mark(at: ^site_at(grid, 3, 1))").why.startswith("not run")


def test_a_text_is_laid_out_by_one_edit(tmp_path: Path) -> None:
    made = open_desk(tmp_path)
    assert formatted(made.document) == []
    for text in (
        "kind  x : b,c\n",
        "kind x: b, c\n\n\n\n\nkind d: e\n",
        "kind x: b",
        "\n\n\nkind x: b\n",
    ):
        made.write(text)
        (edit,) = formatted(made.document)
        lines = made.document.lines
        start, end = edit.range.start, edit.range.end
        before = "\n".join([*lines[: start.line], lines[start.line][: start.character]])
        after = "\n".join([lines[end.line][end.character :], *lines[end.line + 1 :]])
        made.write(before + edit.text + after)
        assert formatted(made.document) == []
    made.write("kind x: (\n")
    assert formatted(made.document) == []
