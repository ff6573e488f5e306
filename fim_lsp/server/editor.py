"""The editor, as the server sees it: messages to it, according to its capabilities.

No request waits for any of these messages.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from fim_lsp.known_languages import KNOWN
from fim_lsp.server.documents import Snapshot
from fim_lsp.server.status import OPTIONAL_STATUS_METHOD, STATUS_METHOD

logger = logging.getLogger(__name__)

SECTION = "fim-lsp"
POPUP_REGISTRATION = "fim-lsp.popup"
# The label of the edit that inserts an import. Clients recognize the edit by it.
IMPORT_LABEL = "fim-lsp: import"
IGNORE_FILES = "**/{.gitignore,.fimignore}"
# The version of a JetBrains IDE as LSP4IJ sends it: `PyCharm (build PY-261.22158.340)`.
JETBRAINS = re.compile(r"\(build [A-Z]{2,4}-\d")


class EditorClient:
    """The client's side of the conversation."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        # Whether it has announced that it understands the status notification.
        self.knows_status = False
        # Whether it replaces the text that an offer covers behind the cursor.
        self.replaces = True
        self._progress_tokens = (f"fim-lsp/{number}" for number in itertools.count(1))

    def meet(self, client: types.ClientInfo | None) -> None:
        """Notes the client by its version. LSP4IJ inserts an offer behind the text that the offer covers, so
        that text would appear twice."""
        self.replaces = not (client and JETBRAINS.search(client.version or ""))

    @property
    def capabilities(self) -> types.ClientCapabilities:
        return self._server.client_capabilities

    @property
    def has_inline_completion(self) -> bool:
        text_document = self.capabilities.text_document
        return text_document is not None and text_document.inline_completion is not None

    @property
    def can_register_completion(self) -> bool:
        text_document = self.capabilities.text_document
        completion = text_document.completion if text_document else None
        return bool(completion and completion.dynamic_registration)

    @property
    def can_edit(self) -> bool:
        """Whether it applies edits that it did not request."""
        return bool(self.capabilities.workspace and self.capabilities.workspace.apply_edit)

    @property
    def knows_versions(self) -> bool:
        """Whether an edit may name its document version."""
        workspace = self.capabilities.workspace
        options = workspace.workspace_edit if workspace else None
        return bool(options and options.document_changes)

    async def edit(self, snapshot: Snapshot, start: int, stop: int, new: str) -> bool:
        """Replaces the text between two offsets of a document; says whether the editor did, which it does
        only in the same version."""
        change = types.TextEdit(snapshot.range(start, stop), new)
        edit = types.WorkspaceEdit(changes={snapshot.uri: [change]})
        if self.knows_versions:
            document = types.OptionalVersionedTextDocumentIdentifier(snapshot.uri, snapshot.version)
            edit = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, [change])])
        try:
            answer = await self._server.workspace_apply_edit_async(
                types.ApplyWorkspaceEditParams(edit, IMPORT_LABEL)
            )
        except JsonRpcException as error:
            logger.warning("the editor did not put an import in: %s", error)
            return False
        return answer is not None and answer.applied

    def show_status(self, status: dict[str, object]) -> None:
        method = STATUS_METHOD if self.knows_status else OPTIONAL_STATUS_METHOD
        self._server.protocol.notify(method, status)

    def say(self, kind: types.MessageType, message: str) -> None:
        self._server.window_show_message(types.ShowMessageParams(kind, f"fim-lsp: {message}"))

    def stream(self, token: types.ProgressToken, items: Sequence[Any]) -> None:
        """Sends a partial result."""
        value = {"items": [self._server.protocol._converter.unstructure(item) for item in items]}
        self._server.progress(types.ProgressParams(token, value))

    async def settings(self, uris: Sequence[str | None]) -> list[Any] | None:
        """The settings for documents (None: for all); None if the editor cannot be asked."""
        workspace = self.capabilities.workspace
        if not (workspace and workspace.configuration):
            return None
        wanted = [types.ConfigurationItem(scope_uri=uri, section=SECTION) for uri in uris]
        try:
            found = await self._server.workspace_configuration_async(types.ConfigurationParams(wanted))
        except JsonRpcException as error:
            logger.warning("the editor did not tell its settings: %s", error)
            return None
        return list(found or [])

    async def register(self) -> None:
        """Registers for changes that clients report only on request."""
        workspace = self.capabilities.workspace
        if workspace is None:
            return
        registrations = []
        configuration, watched = workspace.did_change_configuration, workspace.did_change_watched_files
        if configuration and configuration.dynamic_registration:
            registrations.append(
                types.Registration(
                    "fim-lsp.settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SECTION}
                )
            )
        if watched and watched.dynamic_registration:
            watchers = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(IGNORE_FILES)])
            registrations.append(
                types.Registration("fim-lsp.ignored", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watchers)
            )
        if registrations:
            await self._register(registrations)

    async def register_popup(self, is_wanted: bool) -> None:
        """Turns completion in the popup on or off while the editor runs."""
        if is_wanted:
            options = types.CompletionRegistrationOptions(
                document_selector=[
                    types.TextDocumentFilterLanguage(known_language.name) for known_language in KNOWN
                ]
            )
            await self._register(
                [types.Registration(POPUP_REGISTRATION, types.TEXT_DOCUMENT_COMPLETION, options)]
            )
            return
        gone = types.Unregistration(POPUP_REGISTRATION, types.TEXT_DOCUMENT_COMPLETION)
        try:
            await self._server.client_unregister_capability_async(types.UnregistrationParams([gone]))
        except JsonRpcException as error:
            logger.warning("the editor did not unregister: %s", error)

    async def _register(self, registrations: list[types.Registration]) -> None:
        try:
            await self._server.client_register_capability_async(types.RegistrationParams(registrations))
        except JsonRpcException as error:
            logger.warning("the editor did not register: %s", error)

    async def show_file(self, path: Path) -> None:
        """Opens a file in editors that allow it."""
        window = self.capabilities.window
        if not (window and window.show_document and window.show_document.support):
            return
        try:
            await self._server.window_show_document_async(types.ShowDocumentParams(path.as_uri()))
        except JsonRpcException as error:
            logger.warning("the editor did not show the log: %s", error)

    def progress(self, title: str) -> ProgressBar:
        window = self.capabilities.window
        is_shown = bool(window and window.work_done_progress)
        return ProgressBar(self._server, title, next(self._progress_tokens) if is_shown else None)


class ProgressBar:
    """A progress bar in the editor. It appears with the first report, and never without a token."""

    def __init__(self, server: LanguageServer, title: str, token: str | None) -> None:
        self._server = server
        self._title = title
        self._token = token
        self._beginning: asyncio.Task[None] | None = None
        self._latest: types.WorkDoneProgressReport | None = None
        self._end: str | None = None

    def report(self, message: str, fraction: float) -> None:
        percentage = round(100 * min(max(fraction, 0.0), 1.0))
        self._latest = types.WorkDoneProgressReport(message=message, percentage=percentage)
        if self._token is None:
            return
        if self._beginning is None:
            self._beginning = asyncio.ensure_future(self._begin(self._token))
        elif self._beginning.done():
            self._notify(self._latest)

    def end(self, message: str) -> None:
        self._end = message
        if self._beginning is not None and self._beginning.done():
            self._notify(types.WorkDoneProgressEnd(message=message))

    async def _begin(self, token: str) -> None:
        """Asks the editor to accept the token; events in between are sent afterwards."""
        try:
            await self._server.window_work_done_progress_create_async(
                types.WorkDoneProgressCreateParams(token)
            )
        except JsonRpcException:
            self._token = None
            return
        self._notify(types.WorkDoneProgressBegin(self._title, cancellable=False, percentage=0))
        if self._latest is not None:
            self._notify(self._latest)
        if self._end is not None:
            self._notify(types.WorkDoneProgressEnd(message=self._end))

    def _notify(self, value: Any) -> None:
        if self._token is not None:
            self._server.progress(types.ProgressParams(self._token, value))
