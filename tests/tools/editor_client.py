"""An editor for tests: a client of the language server in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).resolve().parents[2]


class Editor:
    """A client with one open file; it keeps what was published of each file last."""

    def __init__(self, folders: tuple[Path, ...], path: Path) -> None:
        """The folders are open; the file is the one that is written in."""
        self.client = LanguageClient("tests", "1")
        self.folders, self.path = folders, path
        self.uri = self.path.as_uri()
        self.found: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.version = 0

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.found.put_nowait(params)

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def told(params: lsp.ShowMessageParams) -> None:
            self.told = params.message

    async def start(self) -> lsp.InitializeResult:
        """Start the server and say what an editor says first."""
        await self.client.start_io(
            sys.executable, "-m", "interpreter.cli.main", "lsp", cwd=str(ROOT)
        )
        general = lsp.GeneralClientCapabilities(
            position_encodings=[lsp.PositionEncodingKind.Utf8, lsp.PositionEncodingKind.Utf16]
        )
        made = await self.client.initialize_async(
            lsp.InitializeParams(
                lsp.ClientCapabilities(general=general),
                workspace_folders=[
                    lsp.WorkspaceFolder(folder.as_uri(), folder.name) for folder in self.folders
                ],
            )
        )
        self.client.initialized(lsp.InitializedParams())
        return made

    def open(self, text: str) -> None:
        """Open the file with this text."""
        self.version += 1
        item = lsp.TextDocumentItem(self.uri, "rulelang", self.version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def write(self, text: str) -> None:
        """Put another text in place of the whole."""
        self.version += 1
        document = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def codes(self, *wanted: str) -> list[lsp.Diagnostic]:
        """What is published of the present version, as soon as it has exactly these codes."""
        while True:
            found = await asyncio.wait_for(self.found.get(), 20)
            codes = [str(one.code) for one in found.diagnostics if str(one.code) != "N006"]
            if found.version == self.version and codes == list(wanted):
                return list(found.diagnostics)[: len(wanted)]

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        """The file, as requests name it."""
        return lsp.TextDocumentIdentifier(self.uri)

    async def stop(self) -> None:
        """Close it all as an editor does."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), 30)


def at(text: str, marked: str) -> lsp.Position:
    """The place that `^` marks in a piece of the text, in units of UTF-16."""
    before, after = marked.split("^")
    index = text.index(before + after) + len(before)
    start = text.rfind("\n", 0, index) + 1
    character = len(text[start:index].encode("utf-16-le")) // 2
    return lsp.Position(text.count("\n", 0, index), character)
