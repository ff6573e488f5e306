"""The LSP methods of the server. This module only registers them.

Handlers turn parameters into plain values, call `Service` or `commands`, and turn the result back.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from importlib.metadata import version
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcMethodNotFound
from pygls.lsp.server import LanguageServer

from fim_lsp.server import commands
from fim_lsp.server.cache import Suggestion
from fim_lsp.server.documents import DocumentWorkspace
from fim_lsp.server.editor import EditorClient
from fim_lsp.server.framing import Garbled
from fim_lsp.server.log import RecentLines, last_words
from fim_lsp.server.next_edits.features import register_next_edits
from fim_lsp.server.notebooks import CELL_SYNC
from fim_lsp.server.pipes import Incoming, Outgoing, leave_soon, leave_with
from fim_lsp.server.protocol import RECEIVED, Protocol, converter
from fim_lsp.server.requests import (
    ACCEPT_COMMAND,
    InlineParams,
    TriggerKinds,
    inline_items,
    place,
    place_of_entry,
    popup_items,
)
from fim_lsp.server.service import Service
from fim_lsp.server.session import EditorRequest
from fim_lsp.server.worker_client import Worker
from fim_lsp.system.processes import watch_process

logger = logging.getLogger(__name__)

SYNC_KIND = types.TextDocumentSyncKind.Incremental


class FimServer(LanguageServer):
    """pygls' server, with errors in the log instead of pop-up messages."""

    protocol: Protocol

    is_garbled = False

    def exit_code(self) -> int:
        """LSP's exit code: an exit without a shutdown request is an error. 2 stands for a garbled stream."""
        if self.is_garbled:
            return 2
        return 0 if self.protocol.was_shut_down else 1

    def client_gone(self) -> None:
        """Ends the server, since the editor is gone or waits for the end."""
        leave_soon(self.exit_code)

    def shutdown(self) -> None:
        self.client_gone()
        super().shutdown()  # type: ignore[no-untyped-call]

    async def converse(self, incoming: Incoming, outgoing: Outgoing) -> None:
        """Serves until there is nothing more to read."""
        self.protocol.set_writer(outgoing)
        try:
            while (body := await incoming.next()) is not None:
                self.protocol.receive(body)
                # The work of this message continues before the next one is read.
                await asyncio.sleep(0)
        except Garbled as garbled:
            self.is_garbled = True
            last_words(f"what the client sends cannot be understood: {garbled}. The server ends.")

    def report_server_error(self, error: Exception, source: Any) -> None:
        logger.error("%s: %s", source.__name__, type(error).__name__)


def new_server(
    recent: RecentLines,
    log_level: str = "WARNING",
    log_file: str | None = None,
    early: asyncio.subprocess.Process | None = None,
) -> FimServer:
    """A server that waits for its client, with a worker's process if one was started already."""
    server = FimServer(
        "fim-lsp",
        version("fim-lsp"),
        text_document_sync_kind=SYNC_KIND,
        notebook_document_sync=CELL_SYNC,
        protocol_cls=Protocol,
        converter_factory=converter,
    )
    service = Service(EditorClient(server), log_level, partial(Worker, early=early))
    register_life(server, service)
    register_documents(server, service)
    register_notebooks(server, service)
    register_completion(server, service)
    register_next_edits(server, service)
    register_commands(server, service, recent, log_file)
    return server


def register_life(server: FimServer, service: Service) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        # pygls has no option for the class of the workspace; it creates its own just before this call.
        documents = DocumentWorkspace(server.workspace, SYNC_KIND, service.on_changed)
        server.protocol._workspace = documents
        server.protocol.on_loss = documents.suspect_all
        service.editor.meet(params.client_info)
        service.begin(documents, params.initialization_options)
        # An invisible editor runs elsewhere, such as outside of this container. Then the end of stdin shows
        # that it is gone.
        if params.process_id is not None and (editor := watch_process(params.process_id)) is not None:
            leave_with(editor)
        if is_popup_static(service):
            register_popup(server, service)
            service.is_popup_registered = True

    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        if not service.is_popup_registered:
            register_popup(server, service)
        await service.on_initialized()

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        service.stop()

    @server.feature(types.EXIT)
    def leaving(_params: None) -> None:
        server.client_gone()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: types.DidChangeConfigurationParams) -> None:
        await service.push_settings(params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_params: types.DidChangeWatchedFilesParams) -> None:
        service.ignore_files_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(_params: types.DidChangeWorkspaceFoldersParams) -> None:
        service.ignore_files_changed()


def is_popup_static(service: Service) -> bool:
    """Whether the popup is announced at the start. Clients with dynamic registration get it later."""
    mode = service.configuration.general.popup_completion
    is_wanted = mode == "on" or (mode == "auto" and not service.editor.has_inline_completion)
    return is_wanted and not service.editor.can_register_completion


def register_documents(server: FimServer, service: Service) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        service.on_opened(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        service.on_closed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=True))
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        service.on_saved(params.text_document.uri, params.text)

    # Copilot's notifications. pygls gives parameters of methods outside of LSP as named tuples.
    @server.feature("textDocument/didFocus")
    def focused(params: Any) -> None:
        identifier = getattr(params, "textDocument", None)
        if identifier is not None:
            service.on_focused(identifier.uri, cursor_of(params))

    @server.feature("textDocument/didShowCompletion")
    def shown(_params: Any) -> None:
        service.counts.shown += service.configuration.general.statistics

    @server.feature("textDocument/didPartiallyAcceptCompletion")
    def partially_accepted(_params: Any) -> None:
        # The edit itself shows the place.
        return None


def register_notebooks(server: FimServer, service: Service) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenNotebookDocumentParams) -> None:
        service.opened_cells(item.uri for item in params.cell_text_documents)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeNotebookDocumentParams) -> None:
        structure = params.change.cells.structure if params.change.cells else None
        if structure is not None:
            service.opened_cells(item.uri for item in structure.did_open or ())
            for cell in structure.did_close or ():
                service.on_closed(cell.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseNotebookDocumentParams) -> None:
        for cell in params.cell_text_documents:
            service.on_closed(cell.uri)


def register_completion(server: FimServer, service: Service) -> None:
    kinds = TriggerKinds()

    # pygls advertises this feature only when it is given options.
    @server.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, types.InlineCompletionOptions())
    async def inline_completion(params: InlineParams) -> types.InlineCompletionList:
        is_invoked = kinds.is_invoked(params.trigger_kind)
        snapshot = RECEIVED.get()
        # An empty list clears a shown offer; a null result leaves it on screen in Neovim.
        if snapshot is None:
            return types.InlineCompletionList(items=[])
        entry = params.selected
        at = place_of_entry(snapshot, entry) if entry else place(snapshot, params.position)
        if at is None:
            logger.info("none offered: the popup's entry changes several lines")
            return types.InlineCompletionList(items=[])
        can_edit, replaces = service.editor.can_edit, service.editor.replaces
        request = EditorRequest(
            snapshot, at, is_invoked, params.indentation, has_imports=can_edit, may_cover=replaces
        )
        token = params.partial_result_token
        if token is None:
            outcome = await service.complete(request)
            items = inline_items(snapshot, at, outcome.suggestions, outcome.first_id)
            return types.InlineCompletionList(items=items)

        def stream(suggestion: Suggestion, offer_id: int) -> None:
            service.editor.stream(token, inline_items(snapshot, at, [suggestion], offer_id))

        outcome = await service.complete(
            request, lambda text: stream(Suggestion(text.removeprefix(at.begun)), 0)
        )
        for offer_id, suggestion in enumerate(outcome.suggestions, outcome.first_id):
            stream(suggestion, offer_id)
        # After partial results, LSP requires an empty final result.
        return types.InlineCompletionList(items=[])


def register_popup(server: FimServer, service: Service) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions())
    async def completion(params: types.CompletionParams) -> types.CompletionList:
        if not service.is_popup_registered:
            raise JsonRpcMethodNotFound
        snapshot = RECEIVED.get()
        if snapshot is None:
            return types.CompletionList(is_incomplete=True, items=[])
        at = place(snapshot, params.position)
        context = params.context
        is_invoked = context is None or context.trigger_kind == types.CompletionTriggerKind.Invoked
        request = EditorRequest(snapshot, at, is_invoked, has_imports=True, is_popup=True)
        outcome = await service.complete(request)
        items = popup_items(snapshot, at, outcome.suggestions, outcome.first_id)
        return types.CompletionList(is_incomplete=True, items=items)


def register_commands(server: FimServer, service: Service, recent: RecentLines, log_file: str | None) -> None:
    @server.command("fim-lsp.toggle")
    def toggle(*arguments: Any) -> dict[str, object]:
        is_on = arguments[0] if arguments and isinstance(arguments[0], bool) else None
        return commands.toggle(service, is_on)

    @server.command("fim-lsp.explain")
    async def explain(*arguments: Any) -> dict[str, object]:
        uri, where = explained_place(*arguments[:2])
        return await commands.explain(service, uri, where)

    @server.command("fim-lsp.closing")
    async def closing(*arguments: Any) -> dict[str, object]:
        uri, where = explained_place(*arguments[:2])
        rest = arguments[2] if len(arguments) > 2 else ""
        if uri is None or where is None or not isinstance(rest, str):
            raise JsonRpcInvalidParams("expected a URI, a position and the rest of an offer")
        return await commands.closing(service, uri, where, rest)

    @server.command("fim-lsp.completeTogether")
    async def complete_together(*arguments: Any) -> dict[str, object]:
        uri, places = cursors(*arguments[:2])
        return await commands.complete_together(service, uri, places)

    @server.command("fim-lsp.switchModel")
    async def switch_model(*arguments: Any) -> dict[str, object]:
        name = arguments[0] if arguments else None
        if not isinstance(name, str | None):
            raise JsonRpcInvalidParams("expected the name of a model")
        return await commands.switch_model(service, name or "")

    @server.command("fim-lsp.serverLog")
    async def server_log(*_arguments: Any) -> dict[str, object]:
        return await commands.server_log(service, recent, log_file)

    @server.command("fim-lsp.forgetAcceptance")
    def forget_acceptance(*_arguments: Any) -> dict[str, object]:
        return commands.forget_acceptance(service)

    @server.command("fim-lsp.clearCache")
    def clear_cache(*_arguments: Any) -> dict[str, object]:
        return commands.clear_cache(service)

    @server.command("fim-lsp.statistics")
    def statistics(*_arguments: Any) -> dict[str, object]:
        return commands.statistics(service)

    @server.command(ACCEPT_COMMAND)
    def did_accept(*arguments: Any) -> None:
        if arguments and isinstance(arguments[0], int):
            commands.did_accept(service, arguments[0])


def cursor_of(params: Any) -> types.Position | None:
    """The cursor's position; None if the client sends none or an invalid one."""
    position = getattr(params, "position", None)
    line, character = getattr(position, "line", None), getattr(position, "character", None)
    if type(line) is not int or type(character) is not int or line < 0 or character < 0:
        return None
    return types.Position(line, character)


def cursors(uri: Any = None, places: Any = None) -> tuple[str, list[types.Position]]:
    """A document and several places in it."""
    found = [explained_place(uri, place)[1] for place in places] if isinstance(places, list) else []
    known = [place for place in found if place is not None]
    if not isinstance(uri, str) or not known or len(known) < len(found):
        raise JsonRpcInvalidParams("expected a URI and a list of positions")
    return uri, known


def explained_place(uri: Any = None, position: Any = None) -> tuple[str | None, types.Position | None]:
    """The document and the position of a request for an explanation."""
    match uri, position:
        case str() | None, None:
            return uri, None
        case str() | None, {"line": int(line), "character": int(character)} if min(line, character) >= 0:
            return uri, types.Position(line, character)
        case _:
            raise JsonRpcInvalidParams("expected a URI and a position")
