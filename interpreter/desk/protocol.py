"""The desk's answers in the types of the language server protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from interpreter.desk.answers import (
    Call,
    Completion,
    Edit,
    Finding,
    Found,
    Lens,
    Location,
    Routine,
    Signature,
    Symbol,
)
from interpreter.desk.positions import Place, Range

_SEVERITIES: Mapping[str, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
_SYMBOLS: Mapping[str, lsp.SymbolKind] = {
    "game": lsp.SymbolKind.Module,
    "kind": lsp.SymbolKind.Enum,
    "kind of pairs": lsp.SymbolKind.Enum,
    "member": lsp.SymbolKind.EnumMember,
    "group": lsp.SymbolKind.Interface,
    "component": lsp.SymbolKind.Class,
    "board": lsp.SymbolKind.Struct,
    "place": lsp.SymbolKind.Struct,
    "variable": lsp.SymbolKind.Variable,
    "definition": lsp.SymbolKind.Function,
    "score table": lsp.SymbolKind.Function,
    "event": lsp.SymbolKind.Event,
    "action": lsp.SymbolKind.Method,
    "procedure": lsp.SymbolKind.Method,
    "option": lsp.SymbolKind.Constant,
    "variant": lsp.SymbolKind.Namespace,
    "card": lsp.SymbolKind.Object,
    "scenario": lsp.SymbolKind.Method,
    "field": lsp.SymbolKind.Field,
    "rule": lsp.SymbolKind.Boolean,
}
_COMPLETIONS: Mapping[str, lsp.CompletionItemKind] = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "builtin": lsp.CompletionItemKind.Function,
    "definition": lsp.CompletionItemKind.Function,
    "score table": lsp.CompletionItemKind.Function,
    "event": lsp.CompletionItemKind.Event,
    "action": lsp.CompletionItemKind.Method,
    "procedure": lsp.CompletionItemKind.Method,
    "kind": lsp.CompletionItemKind.Enum,
    "member": lsp.CompletionItemKind.EnumMember,
    "component": lsp.CompletionItemKind.Class,
    "field": lsp.CompletionItemKind.Field,
    "type": lsp.CompletionItemKind.TypeParameter,
    "statement": lsp.CompletionItemKind.Reference,
    "sentence": lsp.CompletionItemKind.Snippet,
    "noun": lsp.CompletionItemKind.Value,
    "value": lsp.CompletionItemKind.Variable,
}


def path_of(uri: str) -> Path:
    """The file a URI names; a text without a file goes by a name in the current folder."""
    found = uris.to_fs_path(uri)
    if found is not None and uri.startswith("file:"):
        return Path(found)
    return Path.cwd() / "untitled" / uri.rpartition(":")[2].replace("/", "_")


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return uris.from_fs_path(str(path)) or path.as_uri()


def place(position: lsp.Position) -> Place:
    """A place of the protocol as the desk's."""
    return Place(max(0, position.line), max(0, position.character))


def stretch(found: lsp.Range) -> Range:
    """A range of the protocol as the desk's."""
    return Range(place(found.start), place(found.end))


def position(found: Place) -> lsp.Position:
    """A place as the protocol's."""
    return lsp.Position(found.line, found.character)


def range_(found: Range) -> lsp.Range:
    """A stretch as the protocol's."""
    return lsp.Range(position(found.start), position(found.end))


def location(found: Location) -> lsp.Location:
    """A stretch of a file as the protocol's."""
    return lsp.Location(uri_of(found.path), range_(found.range))


def diagnostic(found: Finding) -> lsp.Diagnostic:
    """A finding as the protocol's diagnostic."""
    severity = _SEVERITIES.get(found.severity, lsp.DiagnosticSeverity.Information)
    return lsp.Diagnostic(
        range_(found.range), found.message, severity, code=found.code, source="rulelang"
    )


def workspace_edit(edits: Iterable[Edit]) -> lsp.WorkspaceEdit:
    """Edits of several files."""
    by_file: dict[str, list[lsp.TextEdit]] = {}
    for edit in edits:
        by_file.setdefault(uri_of(edit.path), []).append(
            lsp.TextEdit(range_(edit.range), edit.text)
        )
    return lsp.WorkspaceEdit(changes=by_file)


def symbol_kind(kind: str) -> lsp.SymbolKind:
    """What the protocol calls a sort of declaration."""
    return _SYMBOLS.get(kind, lsp.SymbolKind.Object)


def document_symbol(found: Symbol) -> lsp.DocumentSymbol:
    """A declaration as the protocol's symbol."""
    inner = [document_symbol(one) for one in found.inner]
    return lsp.DocumentSymbol(
        found.name,
        symbol_kind(found.kind),
        range_(found.whole),
        range_(found.named),
        found.kind,
        children=inner,
    )


def workspace_symbol(found: Found) -> lsp.WorkspaceSymbol:
    """A declaration of the workspace as the protocol's symbol."""
    return lsp.WorkspaceSymbol(
        location(found.at), found.name, symbol_kind(found.kind), container_name=found.kind
    )


def completion(found: Completion, number: int) -> lsp.CompletionItem:
    """What may be written, in the order in which it was given."""
    snippet = lsp.InsertTextFormat.Snippet if found.snippet else lsp.InsertTextFormat.PlainText
    return lsp.CompletionItem(
        found.label,
        kind=_COMPLETIONS.get(found.kind, lsp.CompletionItemKind.Text),
        detail=found.detail or found.kind,
        documentation=found.documentation or None,
        sort_text=f"{number:04}",
        filter_text=found.label,
        insert_text_format=snippet,
        text_edit=lsp.TextEdit(range_(found.range), found.text),
    )


def command(found: Lens) -> lsp.Command:
    """What is run above a line as the protocol's command."""
    return lsp.Command(found.title, found.command, arguments=list(found.arguments))


def signature_help(found: Signature) -> lsp.SignatureHelp:
    """What a call takes as the protocol's."""
    taken = [lsp.ParameterInformation(one) for one in found.parameters]
    one = lsp.SignatureInformation(found.label, found.documentation, taken)
    return lsp.SignatureHelp([one], 0, found.active)


def hierarchy_item(found: Routine) -> lsp.CallHierarchyItem:
    """What can be called as the protocol's."""
    return lsp.CallHierarchyItem(
        found.name,
        symbol_kind(found.kind),
        uri_of(found.at.path),
        range_(found.whole),
        range_(found.at.range),
        detail=found.kind,
    )


def incoming(found: Call) -> lsp.CallHierarchyIncomingCall:
    """A caller as the protocol's."""
    return lsp.CallHierarchyIncomingCall(
        hierarchy_item(found.other), [range_(one) for one in found.ranges]
    )


def outgoing(found: Call) -> lsp.CallHierarchyOutgoingCall:
    """What is called as the protocol's."""
    return lsp.CallHierarchyOutgoingCall(
        hierarchy_item(found.other), [range_(one) for one in found.ranges]
    )
