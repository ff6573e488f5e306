"""The LSP methods of next edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.server.next_edits.requests import (
    ACCEPT_EDIT,
    INLINE_EDIT,
    KIND,
    REFUSE_EDIT,
    InlineEditParams,
    action,
    action_elsewhere,
    inline_edits,
    is_asked_for,
    is_invoked,
    title_of,
)
from fim_lsp.server.protocol import RECEIVED

if TYPE_CHECKING:
    from fim_lsp.server.features import FimServer
    from fim_lsp.server.service import Service

# A user who asks for code actions waits so long for a model. Editors wait no longer than some seconds.
MODEL_SECONDS = 3.0


def register_next_edits(server: FimServer, service: Service) -> None:
    @server.feature(INLINE_EDIT)
    async def inline_edit(params: InlineEditParams) -> dict[str, Any]:
        snapshot = RECEIVED.get()
        session = service.sessions.get(params.text_document.uri)
        if snapshot is None or session is None or params.version not in (None, snapshot.version):
            return {"edits": []}
        cursor = snapshot.offset(params.position)
        best = await service.next_edits.best(session, snapshot, cursor, params.has_others)
        return inline_edits(best, params.has_parts)

    # Copilot's clients report with it that they show an edit.
    @server.feature("textDocument/didShowInlineEdit")
    def shown(_params: Any) -> None:
        return None

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([KIND]))
    async def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        snapshot = RECEIVED.get()
        session = service.sessions.get(params.text_document.uri)
        if snapshot is None or session is None or not is_asked_for(params.context):
            return []
        next_edits, has_versions = service.next_edits, service.editor.knows_versions
        found = []
        edits = await next_edits.all_of(session, snapshot)
        if not edits:
            seconds = MODEL_SECONDS if is_invoked(params.context) else 0.0
            edits = await next_edits.model_edits(session, snapshot, seconds)
        if edits:
            edit = nearest(edits, *snapshot.span(params.range))
            edit_id = next_edits.show_edit(session.uri, edit).id
            found.append(action(title_of(snapshot, edit), snapshot, [edit], [edit_id], has_versions))
            alike = await next_edits.alike(session, snapshot, edit)
            if len(alike) > 1:
                edit_ids = [next_edits.show_edit(session.uri, one).id for one in alike]
                title = f"Change all {len(alike)} like this: {edit.reason}"
                found.append(action(title, snapshot, alike, edit_ids, has_versions))
        elsewhere = await next_edits.elsewhere(session, snapshot) if is_invoked(params.context) else ()
        if elsewhere:
            found.append(action_elsewhere(elsewhere, snapshot, has_versions))
        return found

    @server.command(ACCEPT_EDIT)
    def did_accept(*edit_ids: Any) -> None:
        for edit_id in edit_ids:
            service.next_edits.accept(edit_id)

    @server.command(REFUSE_EDIT)
    def did_refuse(*edit_ids: Any) -> None:
        for edit_id in edit_ids:
            service.next_edits.refuse(edit_id)


def nearest(edits: tuple[NextEdit, ...], start: int, stop: int) -> NextEdit:
    """The edit at a place, or else the likeliest one."""
    return next((edit for edit in edits if edit.start <= stop and start <= edit.end), edits[0])
