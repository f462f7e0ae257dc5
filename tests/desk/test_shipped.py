"""Every feature of the language server, asked by an editor of a ruleset that comes along.

Two folders are open: The City, and one with a card for it. Nothing of what is asked is saved: the
file of scores is broken in another declaration, and before most places of the card's file there
are letters of two units of UTF-16.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

pytest.importorskip("pygls")

from editor_client import ROOT, Editor, at
from lsprotocol import types as lsp

CITY = ROOT / "rulesets" / "the_city"
BROKEN = "\nevent ((\n  no such line\n"
CARD = """for the_city

# 𝄞 of our own
card "Opera 𝄞" of development
  cost: 3
  points: 1
  text
    | 1 point for each other Opera 𝄞. 1 more point if you have Parks.        [TC-037]
"""
Result = TypeVar("Result")


class Shop:
    """The editor with its open texts."""

    def __init__(self, card: Path) -> None:
        """Nothing is open yet."""
        self.loop = asyncio.new_event_loop()
        self.editor = Editor((CITY, card.parent), card)
        self.card = card.as_uri()
        self.scoring, self.deck = ((CITY / n).as_uri() for n in ("scoring.rules", "deck.rules"))
        self.texts = {
            self.scoring: (CITY / "scoring.rules").read_text("utf-8") + BROKEN,
            self.deck: (CITY / "deck.rules").read_text("utf-8"),
            self.card: CARD,
        }

    def run(self, work: Awaitable[Result]) -> Result:
        """What it gives, within a bound."""
        return self.loop.run_until_complete(asyncio.wait_for(work, 60))

    def ask(self, method: Callable[[object], Awaitable[Result]], params: object) -> Result:
        """The answer to a request."""
        return self.run(method(params))

    def place(self, uri: str, marked: str) -> tuple[lsp.TextDocumentIdentifier, lsp.Position]:
        """A text and the place in it that `^` marks."""
        return lsp.TextDocumentIdentifier(uri), at(self.texts[uri], marked)

    def said(self, uri: str, found: lsp.Range) -> str:
        """What stands in a stretch of one line of a text, cut by units of UTF-16."""
        assert found.start.line == found.end.line
        line = self.texts[uri].split("\n")[found.start.line].encode("utf-16-le")
        return line[2 * found.start.character : 2 * found.end.character].decode("utf-16-le")

    async def open_all(self) -> None:
        """Open every text, and wait until the card's is checked."""
        await self.editor.start()
        for uri, text in self.texts.items():
            item = lsp.TextDocumentItem(uri, "rulelang", 1, text)
            self.editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await self.told(self.scoring)
        self.editor.version = 1

    async def told(self, uri: str, *codes: str) -> list[lsp.Diagnostic]:
        """What is published of a text as soon as it has findings of all these codes, or any."""
        while True:
            found = await asyncio.wait_for(self.editor.found.get(), 60)
            known = [str(one.code) for one in found.diagnostics]
            if found.uri == uri and known and set(codes) <= set(known):
                return list(found.diagnostics)

    def write(self, text: str) -> None:
        """Put another text in place of the card's."""
        self.texts[self.card] = text
        self.editor.write(text)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    made = Shop(tmp_path_factory.mktemp("cards") / "opera.rules")
    made.run(made.open_all())
    yield made
    made.run(made.editor.stop())
    made.loop.close()


def test_findings_and_their_fixes(shop: Shop) -> None:
    """A slip behind letters of two units is told where it stands, and its fix takes it away."""
    wrong = CARD.replace("if you have Parks", "if you hve Parks")
    shop.write(wrong)
    found = next(one for one in shop.run(shop.told(shop.card, "C001")) if one.code == "C001")
    assert found.range.start.line == 7
    assert shop.said(shop.card, found.range) in "1 more point if you hve Parks."
    document = lsp.TextDocumentIdentifier(shop.card)
    params = lsp.CodeActionParams(document, found.range, lsp.CodeActionContext([found]))
    actions = shop.ask(shop.editor.client.text_document_code_action_async, params) or []
    preferred = next(one for one in actions if isinstance(one, lsp.CodeAction) and one.is_preferred)
    assert preferred.edit is not None and preferred.edit.changes is not None
    (edit,) = preferred.edit.changes[shop.card]
    assert _edited(wrong, [edit]) == CARD
    shop.write(CARD)
    assert not (CITY.parent / "opera.rules").exists() and not Path(shop.editor.path).exists()


def _edited(text: str, edits: list[lsp.TextEdit]) -> str:
    """The text after these edits."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    for edit in sorted(edits, key=lambda one: -one.range.start.character):
        number = edit.range.start.line
        start, end = 2 * edit.range.start.character, 2 * edit.range.end.character
        line = lines[number]
        lines[number] = line[:start] + edit.new_text.encode("utf-16-le") + line[end:]
    return b"\n\0".join(lines).decode("utf-16-le")


def _completed(shop: Shop, uri: str, marked: str) -> dict[str, lsp.CompletionItem]:
    client = shop.editor.client
    params = lsp.CompletionParams(*shop.place(uri, marked))
    found = shop.ask(client.text_document_completion_async, params)
    assert isinstance(found, lsp.CompletionList)
    return {one.label: one for one in found.items}


def test_completion(shop: Shop) -> None:
    """In a sentence only what fits; names, built-ins and keywords in rules; citations with text."""
    shop.write(CARD.replace("you have Parks.        [TC-037]", "you have "))
    nouns = _completed(shop, shop.card, "if you have ^")
    shop.write(CARD)
    assert {"Parks", "School", "Schools"} <= set(nouns) and not {"score", "worth"} & set(nouns)
    named = _completed(shop, shop.scoring, "+ w^orth(p, x)")
    assert "worth" in named and named["worth"].kind == lsp.CompletionItemKind.Function
    fields = _completed(shop, shop.scoring, "start c's ^points")
    assert {"points", "income", "cost"} <= set(fields) and "worth" not in fields
    cited = _completed(shop, shop.scoring, "[TC-0^36]")["TC-036"]
    book = (CITY / "rulebook.md").read_text("utf-8")
    (statement,) = re.findall(r"^- TC-036 (?:\[.*?\])+ (.*)$", book, re.MULTILINE)
    assert cited.documentation == statement


def _hover(shop: Shop, uri: str, marked: str) -> str:
    client = shop.editor.client
    found = shop.ask(client.text_document_hover_async, lsp.HoverParams(*shop.place(uri, marked)))
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    return found.contents.value


def test_hover(shop: Shop) -> None:
    """A sentence, a declaration, a field, a built-in word, a statement."""
    assert "*reads as:*" in _hover(shop, shop.card, "1 more po^int if you have Parks")
    assert "score worth(p: player" in _hover(shop, shop.scoring, "+ wor^th(p, x)")
    assert "points" in _hover(shop, shop.scoring, "start c's po^ints")
    assert "```rulelang" in _hover(shop, shop.scoring, "= f^irst of {q in players where c in q's")
    statement = _hover(shop, shop.scoring, "[TC-0^36]")
    assert statement.startswith("**TC-036** ")


def _defined(shop: Shop, uri: str, marked: str) -> list[tuple[str, str]]:
    client = shop.editor.client
    params = lsp.DefinitionParams(*shop.place(uri, marked))
    found = shop.ask(client.text_document_definition_async, params) or []
    made = []
    for one in found:
        path = Path(one.uri.removeprefix("file://"))
        text = shop.texts.get(one.uri) or path.read_text("utf-8")
        made.append((path.name, text.split("\n")[one.range.start.line].strip()))
    return made


def test_definitions(shop: Shop) -> None:
    """Of a name in another file, of the title in a card's text, of a pattern and a statement; from
    a file in one folder to one in the other.
    """
    assert [name for name, _ in _defined(shop, shop.scoring, "sum of (ma^rks(x, s)")] == [
        "scoring.rules"
    ]
    (kind,) = _defined(shop, shop.scoring, "define marks(x: development, s: sym^bol) gives")
    assert kind[0] == "pieces.rules" and kind[1].startswith("kind symbol")
    assert ("deck.rules", 'card "Parks" of development') in [
        (name, line.split("   ")[0]) for name, line in _defined(shop, shop.card, "you have Par^ks")
    ]
    (pattern,) = _defined(shop, shop.deck, "| 1 more poi^nt if you have Parks.")[:1]
    assert pattern[0].endswith(".rules")
    (book,) = _defined(shop, shop.scoring, "[TC-0^36]")
    assert book[0] == "rulebook.md" and book[1].startswith("- TC-036 ")


def test_references(shop: Shop) -> None:
    """Of a score table and of a card, in texts of cards and of scenarios too."""
    client, context = shop.editor.client, lsp.ReferenceContext(True)

    def files(uri: str, marked: str) -> dict[str, int]:
        document, place = shop.place(uri, marked)
        params = lsp.ReferenceParams(context, document, place)
        found = shop.ask(client.text_document_references_async, params) or []
        names = [Path(one.uri).name for one in found]
        return {name: names.count(name) for name in dict.fromkeys(names)}

    assert files(shop.scoring, "score wor^th(p: player")["scoring.rules"] >= 3
    parks = files(shop.card, "you have Par^ks")
    assert parks["opera.rules"] == 1 and parks["deck.rules"] >= 3


def test_rename(shop: Shop) -> None:
    """A title behind letters of two units, through the texts of cards that name it."""
    client = shop.editor.client
    document, place = shop.place(shop.card, 'card "Ope^ra 𝄞"')
    prepared = shop.ask(
        client.text_document_prepare_rename_async, lsp.PrepareRenameParams(document, place)
    )
    assert isinstance(prepared, lsp.Range) and shop.said(shop.card, prepared) == "Opera 𝄞"
    found = shop.ask(client.text_document_rename_async, lsp.RenameParams(document, place, "Arena"))
    assert found is not None and found.changes is not None
    edits = list(found.changes[shop.card])
    assert _edited(CARD, edits) == CARD.replace("Opera 𝄞", "Arena")
    document, place = shop.place(shop.scoring, "define own_ma^rks(x")
    found = shop.ask(client.text_document_rename_async, lsp.RenameParams(document, place, "bare"))
    assert found is not None and found.changes is not None
    made = _edited(shop.texts[shop.scoring], list(found.changes[shop.scoring]))
    assert made == shop.texts[shop.scoring].replace("own_marks", "bare")


def test_symbols(shop: Shop) -> None:
    """Of a text, the declaration that is broken too; of both folders."""
    client = shop.editor.client
    document = lsp.TextDocumentIdentifier(shop.scoring)
    found = shop.ask(client.text_document_document_symbol_async, lsp.DocumentSymbolParams(document))
    names = [one.name for one in found or ()]
    assert names[:2] == ["marks", "own_marks"] and names[-1] == "event"
    for query, file in (("Opera", "opera.rules"), ("surveyor", ""), ("own_marks", "scoring.rules")):
        every = shop.ask(client.workspace_symbol_async, lsp.WorkspaceSymbolParams(query)) or []
        files = [Path(one.location.uri).name for one in every]
        assert not file or files[0] == file


def test_folding_and_selection(shop: Shop) -> None:
    client = shop.editor.client
    document, place = shop.place(shop.card, "| 1 point for each other Opera 𝄞. 1 more poi^nt")
    folds = shop.ask(client.text_document_folding_range_async, lsp.FoldingRangeParams(document))
    assert (3, 7) in {(one.start_line, one.end_line) for one in folds or ()}
    (chain,) = shop.ask(
        client.text_document_selection_range_async, lsp.SelectionRangeParams(document, [place])
    )
    assert shop.said(shop.card, chain.range) == "point"
    sizes = 0
    while chain.parent is not None:
        inner, chain, sizes = chain.range, chain.parent, sizes + 1
        outer = chain.range
        assert (outer.start.line, outer.start.character) <= (
            inner.start.line,
            inner.start.character,
        )
    assert sizes >= 3 and (chain.range.start.line, chain.range.end.line) == (0, 8)


def test_formatting(shop: Shop) -> None:
    """Only lines that change; nothing while a line cannot be parsed."""
    client, options = shop.editor.client, lsp.FormattingOptions(2, True)
    shop.write(CARD.replace("  cost: 3", "  cost:   3"))
    document = lsp.TextDocumentIdentifier(shop.card)
    params = lsp.DocumentFormattingParams(document, options)
    (edit,) = shop.ask(client.text_document_formatting_async, params)
    assert edit.new_text == "  cost: 3\n" and edit.range.start.line == 4
    shop.write(CARD)
    params.text_document = lsp.TextDocumentIdentifier(shop.scoring)
    assert not shop.ask(client.text_document_formatting_async, params)


def test_semantic_tokens(shop: Shop) -> None:
    """Each is what its word is, counted in units of UTF-16."""
    client = shop.editor.client
    for uri, wanted in (
        (shop.card, {("Opera 𝄞", "string"), ("development", "type"), ("cost", "property")}),
        (shop.scoring, {("worth", "function"), ("symbol", "type"), ("TC-036", "decorator")}),
    ):
        params = lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(uri))
        found = shop.ask(client.text_document_semantic_tokens_full_async, params)
        assert found is not None
        told = {(word.strip('"[]'), kind) for word, kind in _tokens(shop, uri, list(found.data))}
        assert wanted <= told


def _tokens(shop: Shop, uri: str, data: list[int]) -> Iterator[tuple[str, str]]:
    """Each word with its kind, from five numbers relative to those before."""
    from interpreter.desk.highlighting import KINDS

    line = start = 0
    for down, right, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        line, start = line + down, right + (0 if down else start)
        stretch = lsp.Range(lsp.Position(line, start), lsp.Position(line, start + length))
        yield shop.said(uri, stretch), KINDS[kind]


def test_hints_signatures_and_lenses(shop: Shop) -> None:
    client = shop.editor.client
    document, place = shop.place(shop.scoring, "own_marks(x, ^s) + more_marks")
    whole = lsp.Range(lsp.Position(place.line, 0), lsp.Position(place.line + 40, 0))
    hints = shop.ask(client.text_document_inlay_hint_async, lsp.InlayHintParams(document, whole))
    assert {one.label for one in hints or ()} >= {"xs:"}
    params = lsp.SignatureHelpParams(document, place)
    found = shop.ask(client.text_document_signature_help_async, params)
    assert found is not None and found.active_parameter == 1
    assert found.signatures[0].label == "own_marks(x: development, s: symbol)"
    lenses = shop.ask(client.text_document_code_lens_async, lsp.CodeLensParams(document)) or []
    titles = [one.command.title for one in lenses if one.command is not None]
    assert any(title.startswith("TC-036: cited by ") and "0 sc" not in title for title in titles)


def test_who_calls_and_what_is_called(shop: Shop) -> None:
    client = shop.editor.client
    params = lsp.CallHierarchyPrepareParams(*shop.place(shop.scoring, "score wor^th(p: player"))
    (item,) = shop.ask(client.text_document_prepare_call_hierarchy_async, params) or []
    incoming = lsp.CallHierarchyIncomingCallsParams(item)
    callers = shop.ask(client.call_hierarchy_incoming_calls_async, incoming) or []
    assert "round_points" in {one.from_.name for one in callers}
    (place, other) = shop.place(shop.scoring, "score round_poi^nts(p")
    (item,) = shop.ask(
        client.text_document_prepare_call_hierarchy_async,
        lsp.CallHierarchyPrepareParams(place, other),
    )
    outgoing = lsp.CallHierarchyOutgoingCallsParams(item)
    called = shop.ask(client.call_hierarchy_outgoing_calls_async, outgoing) or []
    assert {"worth", "shares"} <= {one.to.name for one in called}


def test_scenarios(shop: Shop) -> None:
    """A scenario of a file that is not open is run by the texts that are: not while they are
    broken, and again as soon as they are not.
    """
    protocol = shop.editor.client.protocol
    uri = (CITY / "scenarios" / "scoring.rules").as_uri()
    given = {"uri": uri, "title": "every card scores every round"}

    async def ask(method: str, params: object) -> object:
        return await protocol.send_request_async(method, params)

    ran = shop.run(ask("rules/runScenario", given))
    assert ran.status == "failed" and "mistakes in the rules" in ran.message
    document = lsp.VersionedTextDocumentIdentifier(2, shop.scoring)
    change = lsp.TextDocumentContentChangeWholeDocument(
        shop.texts[shop.scoring].removesuffix(BROKEN)
    )
    shop.editor.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
    assert shop.run(ask("rules/runScenario", given)).status == "passed"
    listed = shop.run(ask("rules/scenarios", {}))
    assert len(listed) > 50 and uri in {one["uri"] for one in listed}
