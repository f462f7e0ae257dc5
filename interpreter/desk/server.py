"""The language server: what an editor asks is passed on to the workspace, and answers go back.

Needs pygls, of the extra `desk`. All work is done in one thread, in the order of the messages.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from interpreter.desk import (
    calls,
    completion,
    highlighting,
    hover,
    lenses,
    lookup,
    outline,
    requests,
    scenarios,
)
from interpreter.desk import protocol as to
from interpreter.desk.answers import Finding
from interpreter.desk.documents import Change, Document
from interpreter.desk.layout import formatted
from interpreter.desk.positions import Place, Range
from interpreter.desk.requests import COMMANDS, POSITION, RUN_SCENARIO, SCENARIOS, Params
from interpreter.desk.scenarios import Rehearsal
from interpreter.desk.worker import Worker
from interpreter.desk.workspace import Workspace
from interpreter.game.gc_pause import served
from interpreter.game.version import version
from rulelang.diagnostics.diagnostic import clipped

PAUSE = 0.25  # seconds without an edit before a ruleset is checked whole
_LOG = logging.getLogger(__name__)
Result = TypeVar("Result")


class _Protocol(LanguageServerProtocol):
    """Places are counted in units of UTF-16, whatever else a client would take."""

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(
        self, params: lsp.InitializeParams
    ) -> Generator[object, object, lsp.InitializeResult]:
        """Say what the server can do."""
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = [lsp.PositionEncodingKind.Utf16]
        return (yield from super().lsp_initialize(params))


class DeskServer(LanguageServer):
    """A server with the workspace of one editor."""

    def __init__(self, pause: float = PAUSE) -> None:
        """No folder is open yet."""
        super().__init__(
            "rulelang",
            version(),
            lsp.TextDocumentSyncKind.Incremental,
            protocol_cls=_Protocol,
        )
        self.desk = Workspace()
        self.rehearsal = Rehearsal(self.desk)
        self.has_terminal = False  # does the client run commands of `rulelang` in one?
        self.worker = Worker(pause)
        self.published: set[Path] = set()
        self.changed: set[Path] = set()

    async def ask(self, uri: str, answer: Callable[[Workspace, Document], Result]) -> Result | None:
        """What the workspace answers of a text; none if there is none, or it cannot tell."""
        path = to.path_of(uri)

        def work() -> Result | None:
            document = self.desk.document(path)
            if document is None:
                return None
            try:
                return answer(self.desk, document)
            except lookup.NotRenamed:
                raise
            except Exception:
                _LOG.exception("a question about %s was not answered", path)
                return None

        return await self.worker.run(work)

    # ------------------------------------------------------------------------------- findings
    def edited(self, path: Path) -> None:
        """Tell at once what can be told of an edited text, and check it after a pause."""
        self.changed.add(path)
        self.worker.post(lambda: self._publish(path))
        self.worker.after_pause(self._check_changed)

    def _check_changed(self) -> None:
        """Check what the changed files are part of, and tell all that was found."""
        changed, self.changed = self.changed, set()
        units = {unit: None for path in sorted(changed) for unit in self.desk.touched(path)}
        for unit in units:
            try:
                self.desk.check(unit)
            except Exception:
                _LOG.exception("%s could not be checked", unit)
        gone = self.desk.forget()
        for path in sorted({*self.published, *self.desk.spoken_of(), *changed, *gone}):
            self._publish(path)
        self.desk.tidy(is_idle=False)
        self.worker.when_idle(self.desk.tidy)

    def _publish(self, path: Path) -> None:
        try:
            found = self.desk.findings(path)
        except Exception:
            _LOG.exception("the findings of %s could not be told", path)
            return
        if found:
            self.published.add(path)
        elif path in self.published:
            self.published.discard(path)
        elif path not in self.desk.documents:
            return
        document = self.desk.documents.get(path)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                to.uri_of(path),
                [to.diagnostic(item) for item in found],
                document.version if document is not None else None,
            )
        )


def make_server(pause: float = PAUSE) -> DeskServer:
    """A server that knows every request of this module."""
    server = DeskServer(pause)
    for register in (_documents, _looking, _writing, _shapes, _running, _hierarchy):
        register(server)
    return server


def serve() -> None:
    """Serve the editor at standard input and output until it closes them."""
    server = make_server()
    served()
    server.start_io()


# ------------------------------------------------------------------------------------- documents
def _documents(server: DeskServer) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        folders = [one.uri for one in params.workspace_folders or ()]
        folders = folders or ([params.root_uri] if params.root_uri else [])
        server.desk.folders = tuple(to.path_of(uri) for uri in folders)
        server.has_terminal = requests.has_terminal(params.initialization_options)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        found = params.text_document
        path = to.path_of(found.uri)
        server.worker.post(lambda: server.desk.open(path, found.text, found.version))
        server.edited(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        path = to.path_of(params.text_document.uri)
        changes = [
            Change(one.text, to.stretch(one.range))
            if isinstance(one, lsp.TextDocumentContentChangePartial)
            else Change(one.text)
            for one in params.content_changes
        ]
        number = params.text_document.version
        server.worker.post(lambda: server.desk.change(path, changes, number))
        server.edited(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        path = to.path_of(params.text_document.uri)
        server.worker.post(lambda: server.desk.close(path))
        server.edited(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.edited(to.path_of(params.text_document.uri))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.worker.post(server.desk.refresh)
        for change in params.changes:
            server.edited(to.path_of(change.uri))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def did_change_folders(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        gone = {to.path_of(one.uri) for one in params.event.removed}
        new = tuple(to.path_of(one.uri) for one in params.event.added)
        kept = tuple(one for one in server.desk.folders if one not in gone)
        server.desk.folders = (*kept, *(one for one in new if one not in kept))


# --------------------------------------------------------------------------------------- looking
def _looking(server: DeskServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        at = to.place(params.position)
        found = await server.ask(params.text_document.uri, lambda w, d: hover.hover(w, d, at))
        if found is None:
            return None
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
        return lsp.Hover(text, to.range_(found.range))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        at = to.place(params.position)
        uri = params.text_document.uri
        found = await server.ask(uri, lambda w, d: lookup.definition(w, d, at))
        return [to.location(one) for one in found or ()]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        at, whole = to.place(params.position), params.context.include_declaration
        uri = params.text_document.uri
        found = await server.ask(uri, lambda w, d: lookup.references(w, d, at, whole))
        return [to.location(one) for one in found or ()]

    @server.feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","])
    )
    async def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        at = to.place(params.position)
        found = await server.ask(params.text_document.uri, lambda w, d: calls.signature(w, d, at))
        return to.signature_help(found) if found is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        within = to.stretch(params.range)
        found = await server.ask(params.text_document.uri, lambda w, d: calls.hints(w, d, within))
        return [
            lsp.InlayHint(
                to.position(one.place),
                one.label,
                lsp.InlayHintKind.Parameter,
                padding_right=True,
            )
            for one in found or ()
        ]


# --------------------------------------------------------------------------------------- writing
def _writing(server: DeskServer) -> None:
    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION,
        lsp.CompletionOptions(trigger_characters=[" ", "[", "|", ".", "'"]),
    )
    async def completed(params: lsp.CompletionParams) -> lsp.CompletionList:
        at = to.place(params.position)
        uri = params.text_document.uri
        found = await server.ask(uri, lambda w, d: completion.complete(w, d, at)) or []
        items = [to.completion(one, number) for number, one in enumerate(found)]
        return lsp.CompletionList(len(found) >= completion.MOST, items)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    )
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri, within = params.text_document.uri, to.stretch(params.range)

        def meant(workspace: Workspace, document: Document) -> list[Finding]:
            return [f for f in workspace.findings(document.path) if f.range.meets(within)]

        found = await server.ask(uri, meant) or []
        return [
            lsp.CodeAction(
                mend.title,
                lsp.CodeActionKind.QuickFix,
                [to.diagnostic(finding)],
                is_preferred=number == 0,
                edit=to.workspace_edit(mend.edits),
            )
            for finding in found
            for number, mend in enumerate(finding.mends)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def format_(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        found = await server.ask(params.text_document.uri, lambda _, d: formatted(d))
        return [lsp.TextEdit(to.range_(one.range), one.text) for one in found or ()]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        at = to.place(params.position)
        uri = params.text_document.uri
        found = await server.ask(uri, lambda w, d: lookup.rename_range(w, d, at))
        return to.range_(found) if found is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        at, name = to.place(params.position), params.new_name
        uri = params.text_document.uri
        try:
            found = await server.ask(uri, lambda w, d: lookup.rename(w, d, at, name))
        except lookup.NotRenamed as error:
            raise JsonRpcInvalidParams(str(error)) from error
        return to.workspace_edit(found) if found else None


# ---------------------------------------------------------------------------------------- shapes
def _shapes(server: DeskServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        found = await server.ask(params.text_document.uri, lambda _, d: outline.symbols(d))
        return [to.document_symbol(one) for one in found or ()]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def found_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        query = clipped(params.query)
        found = await server.worker.run(lambda: outline.workspace_symbols(server.desk, query))
        return [to.workspace_symbol(one) for one in found]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folds(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        found = await server.ask(params.text_document.uri, lambda _, d: outline.folds(d))
        return [lsp.FoldingRange(one.first, one.last, kind=one.kind) for one in found or ()]

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selections(params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        places = [to.place(one) for one in params.positions]
        found = await server.ask(
            params.text_document.uri,
            lambda _, d: [_nested(outline.selections(d, one), one) for one in places],
        )
        return found or []

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.SemanticTokensLegend(list(highlighting.KINDS), ["declaration"]),
    )
    async def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        found = await server.ask(params.text_document.uri, highlighting.tokens)
        return lsp.SemanticTokens(list(highlighting.encoded(found or [])))


def _nested(found: list[Range], at: Place) -> lsp.SelectionRange:
    """Stretches from the innermost, each with the next around it."""
    made: lsp.SelectionRange | None = None
    for one in reversed(found):
        made = lsp.SelectionRange(to.range_(one), made)
    return made or lsp.SelectionRange(to.range_(Range(at, at)))


# --------------------------------------------------------------------------------------- running
def _running(server: DeskServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def shown(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri, terminal = params.text_document.uri, server.has_terminal
        found = await server.ask(uri, lambda w, d: lenses.lenses(w, d, terminal))
        return [lsp.CodeLens(to.range_(one.range), to.command(one)) for one in found or ()]

    @server.command(lenses.RUN)
    async def run(path: str, title: str) -> dict[str, object]:
        made = await _ran(server, to.uri_of(Path(path)), title)
        kind = lsp.MessageType.Info if made["status"] == "passed" else lsp.MessageType.Warning
        text = f"“{title}” {made['status']}" + (f": {made['message']}" if made["message"] else "")
        server.window_show_message(lsp.ShowMessageParams(kind, text))
        return made

    @server.feature(SCENARIOS)
    async def listed(params: Params) -> list[dict[str, object]]:
        uri = requests.text(params, "uri") if requests.has(params, "uri") else None
        path = to.path_of(uri) if uri is not None else None
        found = await server.worker.run(lambda: scenarios.below(server.desk, path))
        return [requests.listed(one) for one in found]

    @server.feature(RUN_SCENARIO)
    async def run_one(params: Params) -> dict[str, object]:
        return await _ran(server, requests.text(params, "uri"), requests.text(params, "title"))

    @server.feature(POSITION)
    async def position(params: Params) -> dict[str, object] | None:
        uri, at = requests.place(params)
        return await server.ask(uri, lambda _, d: _position(server.rehearsal, d, at))

    @server.feature(COMMANDS)
    async def commands(params: Params) -> list[lsp.Command]:
        uri, at = requests.place(params)
        found = await server.ask(uri, lambda w, d: lenses.commands_at(w, d, at))
        return [to.command(one) for one in found or ()]


async def _ran(server: DeskServer, uri: str, title: str) -> dict[str, object]:
    """What a scenario of a text came to, as data."""

    def work(_: Workspace, document: Document) -> dict[str, object] | None:
        outcome = server.rehearsal.run(document, title)
        return requests.outcome(document, outcome) if outcome is not None else None

    unknown: dict[str, object] = {
        "status": "unknown",
        "message": f"there is no scenario “{title}”",
        "failures": [],
    }
    return await server.ask(uri, work) or unknown


def _position(rehearsal: Rehearsal, document: Document, at: Place) -> dict[str, object] | None:
    found = rehearsal.show(document, at)
    return requests.shown(document, found) if found is not None else None


# ------------------------------------------------------------------------------------- hierarchy
def _hierarchy(server: DeskServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    async def prepare(params: lsp.CallHierarchyPrepareParams) -> list[lsp.CallHierarchyItem]:
        at = to.place(params.position)
        found = await server.ask(params.text_document.uri, lambda w, d: calls.routine_at(w, d, at))
        return [to.hierarchy_item(found)] if found is not None else []

    @server.feature(lsp.CALL_HIERARCHY_INCOMING_CALLS)
    async def incoming(
        params: lsp.CallHierarchyIncomingCallsParams,
    ) -> list[lsp.CallHierarchyIncomingCall]:
        item = params.item
        found = await server.ask(item.uri, lambda w, d: calls.callers(w, d, item.name))
        return [to.incoming(one) for one in found or ()]

    @server.feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS)
    async def outgoing(
        params: lsp.CallHierarchyOutgoingCallsParams,
    ) -> list[lsp.CallHierarchyOutgoingCall]:
        item = params.item
        found = await server.ask(item.uri, lambda w, d: calls.called(w, d, item.name))
        return [to.outgoing(one) for one in found or ()]
