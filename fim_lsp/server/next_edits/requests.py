"""Converts LSP's parameters to plain values, and edits to LSP's results.

`textDocument/copilotInlineEdit` is the request for next edits in Copilot's language server, so its clients
work with this server. By its documentation the edits are alternatives, but sidekick.nvim applies all of them;
so the answer has one edit, which is right for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from fim_lsp.edits.texts.edit import NextEdit, parts_of
from fim_lsp.positions import Lines
from fim_lsp.server.documents import Snapshot
from fim_lsp.server.next_edits.asking import ShownEdit
from fim_lsp.server.next_edits.messages import FileEdits
from fim_lsp.system.addresses import address_of

if TYPE_CHECKING:
    from cattrs import Converter

INLINE_EDIT = "textDocument/copilotInlineEdit"
ACCEPT_EDIT, REFUSE_EDIT = "fim-lsp.didAcceptEdit", "fim-lsp.didRefuseEdit"
KIND = types.CodeActionKind.QuickFix
# A title is one line of a menu.
MOST_TITLE = 100


@dataclass(slots=True)
class InlineEditParams:
    text_document: types.TextDocumentIdentifier
    # The version of the document; None if the client does not count versions.
    version: int | None
    position: types.Position
    # Whether the client applies `additionalTextEdits` in the same step; otherwise an edit is one replacement.
    has_parts: bool = False
    # Whether the client shows edits of other open documents.
    has_others: bool = False


@dataclass(slots=True)
class InlineEditRequest:
    """The message around them, for pygls."""

    id: str | int
    params: InlineEditParams
    method: str = INLINE_EDIT
    jsonrpc: str = "2.0"


def inline_edit_hook(converter: Converter) -> Callable[[Any, Any], InlineEditRequest]:
    def read(message: Any, _: Any) -> InlineEditRequest:
        data = message["params"]
        version = data["textDocument"].get("version")
        params = InlineEditParams(
            converter.structure(data["textDocument"], types.TextDocumentIdentifier),
            version if type(version) is int else None,
            converter.structure(data["position"], types.Position),
            data.get("additionalTextEdits") is True,
            data.get("otherDocuments") is True,
        )
        return InlineEditRequest(message["id"], params)

    return read


def inline_edits(shown: ShownEdit | None, has_parts: bool) -> dict[str, Any]:
    """The answer to `copilotInlineEdit`, with the reason of the edit."""
    if shown is None or shown.snapshot is None:
        return {"edits": []}
    snapshot = shown.snapshot
    edit = shown.edit if has_parts else shown.edit.whole(snapshot.text)
    also = [{"range": range_of(snapshot, one.start, one.stop), "newText": one.new} for one in edit.also]
    return {
        "edits": [
            {
                "textDocument": {"uri": snapshot.uri, "version": snapshot.version},
                "range": range_of(snapshot, edit.start, edit.end),
                "text": edit.new,
                "command": {"title": "Accept", "command": ACCEPT_EDIT, "arguments": [shown.id]},
                "reason": edit.reason,
                **({"additionalTextEdits": also} if also else {}),
            }
        ]
    }


def range_of(snapshot: Snapshot, start: int, stop: int) -> dict[str, Any]:
    found = snapshot.range(start, stop)
    return {
        "start": {"line": found.start.line, "character": found.start.character},
        "end": {"line": found.end.line, "character": found.end.character},
    }


def action(
    title: str, snapshot: Snapshot, edits: Sequence[NextEdit], edit_ids: Sequence[int], has_versions: bool
) -> types.CodeAction:
    """A code action that applies edits to their version of the document."""
    changes = [types.TextEdit(snapshot.range(one.start, one.stop), one.new) for one in parts_of(edits)]
    change = types.WorkspaceEdit(changes={snapshot.uri: changes})
    if has_versions:
        document = types.OptionalVersionedTextDocumentIdentifier(snapshot.uri, snapshot.version)
        change = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(changes))])
    command = types.Command("", ACCEPT_EDIT, arguments=list(edit_ids))
    return types.CodeAction(title[:MOST_TITLE], KIND, edit=change, command=command)


def action_elsewhere(found: Sequence[FileEdits], beside: Snapshot, has_versions: bool) -> types.CodeAction:
    """A code action that makes the edits of files that are not open."""
    changes: dict[str, list[types.TextEdit]] = {}
    for one in found:
        uri = address_of(Path(one.path))
        snapshot = Snapshot(uri, None, beside.language_id, Lines(one.text), beside.units)
        parts = parts_of(one.edits)
        changes[uri] = [types.TextEdit(snapshot.range(part.start, part.stop), part.new) for part in parts]
    change = types.WorkspaceEdit(changes=changes)
    if has_versions:
        documents = [
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri), list(edits))
            for uri, edits in changes.items()
        ]
        change = types.WorkspaceEdit(document_changes=documents)
    n_files = "1 other file" if len(found) == 1 else f"{len(found)} other files"
    title = f"Change {n_files}: {found[0].edits[0].reason}"
    return types.CodeAction(title[:MOST_TITLE], KIND, edit=change)


def title_of(snapshot: Snapshot, edit: NextEdit) -> str:
    line = snapshot.range(edit.start, edit.start).start.line + 1
    return f"Next edit: {edit.reason} (line {line})"


def is_invoked(context: types.CodeActionContext) -> bool:
    """Whether the user asks for code actions; an editor that does not say counts as the user."""
    return context.trigger_kind is not types.CodeActionTriggerKind.Automatic


def is_asked_for(context: types.CodeActionContext) -> bool:
    """Whether an editor wants actions of this kind; by default it wants all."""
    asked = [one.value if isinstance(one, types.CodeActionKind) else one for one in context.only or ()]
    return not asked or any(KIND.value == one or KIND.value.startswith(f"{one}.") for one in asked)
