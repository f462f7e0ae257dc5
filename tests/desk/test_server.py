"""The language server in a process of its own, as an editor speaks with it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from desks import GOOD

pytest.importorskip("pygls")

from editor_client import Editor, at
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

TEXT = (GOOD / "kitchen" / "kitchen.rules").read_text("utf-8")


def driven(session: Callable[[Editor], Awaitable[None]], folder: Path) -> None:
    """Drive a session from start to end."""

    async def whole() -> None:
        editor = Editor((folder,), folder / "kitchen.rules")
        made = await editor.start()
        assert made.capabilities.position_encoding == lsp.PositionEncodingKind.Utf16
        await session(editor)
        await editor.stop()

    asyncio.run(whole())


def test_a_session(tmp_path: Path) -> None:
    """Open, mistype, take the fix, ask of a place, rename, run a scenario."""

    async def session(editor: Editor) -> None:
        client, wrong = editor.client, TEXT.replace("is on the table. Add", "is on tbe table. Add")
        editor.open(TEXT)
        await editor.codes()
        editor.write(wrong)
        (found,) = await editor.codes("C001")
        actions = await client.text_document_code_action_async(
            lsp.CodeActionParams(editor.document, found.range, lsp.CodeActionContext([found]))
        )
        (first, *_) = actions or ()
        assert isinstance(first, lsp.CodeAction) and first.edit and first.edit.changes
        (edit,) = first.edit.changes[editor.uri]
        lines = wrong.split("\n")
        start, end = edit.range.start, edit.range.end
        line = lines[start.line]
        lines[start.line] = line[: start.character] + edit.new_text + line[end.character :]
        assert "\n".join(lines) == TEXT
        editor.write(TEXT)
        await editor.codes()
        place = at(TEXT, "do ser^ve(p, d)")
        hover = await client.text_document_hover_async(lsp.HoverParams(editor.document, place))
        assert hover is not None and "event serve" in hover.contents.value
        renamed = await client.text_document_rename_async(
            lsp.RenameParams(editor.document, place, "bring")
        )
        assert renamed is not None and len(renamed.changes[editor.uri]) == 3
        with pytest.raises(JsonRpcException, match="word of the language"):
            await client.text_document_rename_async(lsp.RenameParams(editor.document, place, "for"))
        outcome = await client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(
                "rulelang.runScenario", [str(editor.path), "one of each are too few"]
            )
        )
        assert outcome["status"] == "passed", outcome
        await _of_scenarios(editor)

    driven(session, tmp_path)


async def _of_scenarios(editor: Editor) -> None:
    """What the test explorer and the preview of an editor ask, which is not of the protocol."""

    async def ask(method: str, **params: object) -> object:
        return _plain(await editor.client.protocol.send_request_async(method, params))

    editor.write(TEXT.replace("expect advised by [KI-002]", "expect not advised"))
    listed = await ask("rules/scenarios", uri=editor.uri)
    titles = re.findall(r'^scenario "(.*)"', TEXT, re.MULTILINE)
    assert [one["title"] for one in listed] == titles
    assert listed[0]["uri"] == editor.uri and listed[0]["cites"] == ["KI-002"]
    assert listed[0]["range"]["start"] == {"line": _line(TEXT, f'scenario "{titles[0]}"')} | {
        "character": 0
    }
    ran = [await ask("rules/runScenario", uri=editor.uri, title=title) for title in titles]
    assert [one["status"] for one in ran] == ["passed", "failed"] + ["passed"] * (len(titles) - 2)
    (failure,) = ran[1]["failures"]
    assert failure["range"]["start"]["line"] == _line(TEXT, "  expect advised by [KI-002]")
    unknown = await ask("rules/runScenario", uri=editor.uri, title="none")
    assert unknown["status"] == "unknown"
    place = {"line": _line(TEXT, "  with deck = all"), "character": 3}
    found = await ask("rules/position", textDocument={"uri": editor.uri}, position=place)
    assert found["title"] == "one of each are too few" and "refused" in found["why"]
    offered = await ask("rules/commands", textDocument={"uri": editor.uri}, position=place)
    assert [one["title"] for one in offered] == ["Run this scenario", "Play from here"]
    with pytest.raises(JsonRpcException, match="`uri` is a text"):
        await ask("rules/runScenario", title=3)
    for method in ("rules/position", "rules/commands"):
        with pytest.raises(JsonRpcException, match="`position` has a `line`"):
            await ask(method, textDocument={"uri": editor.uri})
    assert len(await ask("rules/scenarios")) == len(titles), "of every text that is open"


def _plain(found: object) -> object:
    """An answer as the data it was sent as; the client makes named tuples of it."""
    if hasattr(found, "_asdict"):
        return {name: _plain(value) for name, value in found._asdict().items()}
    return [_plain(one) for one in found] if isinstance(found, list) else found


def _line(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.split("\n")) if line.startswith(start))


def test_every_request_is_answered_on_any_text(tmp_path: Path) -> None:
    async def session(editor: Editor) -> None:
        client, document = editor.client, editor.document
        editor.open("\x00 garbage [ ( \n| é𝄞 \ncard")
        for text in (TEXT, TEXT.replace("event serve", "event ((serve"), ""):
            editor.write(text)
            place = lsp.Position(29, 6)
            whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9999, 9999))
            options = lsp.FormattingOptions(2, True)
            signature = lsp.SignatureHelpParams(document, place)
            hierarchy = lsp.CallHierarchyPrepareParams(document, place)
            answers = await asyncio.gather(
                client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document)),
                client.workspace_symbol_async(lsp.WorkspaceSymbolParams("serve")),
                client.text_document_completion_async(lsp.CompletionParams(document, place)),
                client.text_document_definition_async(lsp.DefinitionParams(document, place)),
                client.text_document_references_async(
                    lsp.ReferenceParams(lsp.ReferenceContext(True), document, place)
                ),
                client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document)),
                client.text_document_folding_range_async(lsp.FoldingRangeParams(document)),
                client.text_document_selection_range_async(
                    lsp.SelectionRangeParams(document, [place])
                ),
                client.text_document_formatting_async(
                    lsp.DocumentFormattingParams(document, options)
                ),
                client.text_document_signature_help_async(signature),
                client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole)),
                client.text_document_code_lens_async(lsp.CodeLensParams(document)),
                client.text_document_prepare_call_hierarchy_async(hierarchy),
                client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document, place)),
            )
            if text == TEXT:
                symbols, found, completed, *_ = answers
                assert "serve" in [one.name for one in symbols or ()]
                assert [one.name for one in found or ()][:1] == ["serve"]
                assert isinstance(completed, lsp.CompletionList)
        await editor.codes("F008")
        client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
        editor.version = None
        await editor.codes()

    driven(session, tmp_path)
