"""The service: it takes settings, documents as they open, change and close, and requests.

It first checks whether a request is refused, and only then answers it (`answering.py`). The result is a
`RequestOutcome`, and the status shows its reason to the user.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from typing import Any

from lsprotocol import types

from fim_lsp.document.sent import SentEdit
from fim_lsp.server.accepted_offers import AcceptedOffers
from fim_lsp.server.answering import Answering
from fim_lsp.server.configuration import Configuration
from fim_lsp.server.counts import UsageCounts
from fim_lsp.server.documents import Document, DocumentWorkspace
from fim_lsp.server.editor import EditorClient
from fim_lsp.server.log import log_fault
from fim_lsp.server.lookups import Lookups
from fim_lsp.server.model_setting import model_of
from fim_lsp.server.next_edits.asking import NextEdits
from fim_lsp.server.refusal import refusal
from fim_lsp.server.session import DocumentSession, EditorRequest, RequestOutcome
from fim_lsp.server.status import Status, StatusBoard, status_of
from fim_lsp.server.watch import Watch
from fim_lsp.server.worker.messages import Close, Limits, Prepare, Rest
from fim_lsp.server.worker_client import Worker, WorkerEvents
from fim_lsp.server.workspace_folders import WorkspaceFolders
from fim_lsp.system.addresses import own_address
from fim_lsp.system.memory import give_back
from fim_lsp.worth.acceptance import AcceptanceHistory

logger = logging.getLogger(__name__)

# The memory of closed documents is returned to the system after so many seconds.
GIVING_BACK_SECONDS = 3.0
# The seconds to wait for the editor's settings before the known ones are used.
SETTINGS_SECONDS = 2.0


class Service:
    """The server's state and the methods that change it. It knows LSP's documents, but not JSON-RPC."""

    def __init__(
        self,
        editor: EditorClient,
        log_level: str,
        worker: Callable[[WorkerEvents, str], Worker] = Worker,
    ) -> None:
        self.editor = editor
        self.configuration = Configuration()
        self.sessions: dict[str, DocumentSession] = {}
        self.counts = UsageCounts()
        self.board = StatusBoard(editor.show_status)
        self.watch = Watch(editor, self.board, self.forget_answers)
        self.worker = worker(self.watch, log_level)
        self.folders = WorkspaceFolders(self.worker, self.configuration, lambda: self.documents.folder_uris())
        self.lookups = Lookups(self.worker, lambda: self.documents.folder_uris())
        self.answering = Answering(self.worker, self.configuration, self.watch, self.board, self.background)
        self.accepted_offers = AcceptedOffers(editor, self.sessions, self.answering, self.refusal)
        self.next_edits = NextEdits(
            self.refusal,
            self.lookups,
            self.sessions,
            lambda: self.documents.folder_uris(),
            self.worker,
        )
        # The user's switch, in addition to the setting.
        self.is_switched_off = False
        self.is_popup_registered = False
        self._model_setting = self.worker.model
        self._documents: DocumentWorkspace | None = None
        # The accepted offers by workspace folder; the empty key is for documents in none.
        self.acceptances: dict[str, AcceptanceHistory] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._giving_back: asyncio.TimerHandle | None = None

    @property
    def documents(self) -> DocumentWorkspace:
        assert self._documents is not None, "requests come after initialize"
        return self._documents

    @property
    def is_enabled(self) -> bool:
        return self.configuration.general.enable and not self.is_switched_off

    # --- life --------------------------------------------------------------------------------------------

    def begin(self, documents: DocumentWorkspace, options: object) -> None:
        """Handles `initialize`, which must not wait for anything."""
        self._documents = documents
        self.configuration.begin(options)
        editor_options = options if isinstance(options, Mapping) else {}
        self.folders.is_trusted = editor_options.get("workspaceTrusted") is True
        self.editor.knows_status = editor_options.get("didChangeStatus") is True
        documents.max_characters = self.configuration.general.max_characters
        self._model_setting = self.worker.model = model_of(self.configuration.general)
        if not self.is_enabled:
            self.worker.dismiss_early()

    async def on_initialized(self) -> None:
        self.background(self.editor.register())
        await self.pull_settings()

    def stop(self) -> None:
        for session in self.sessions.values():
            session.stop_ahead()
        self.next_edits.stop()
        self.worker.stop()

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Keeps a reference to work that no request waits for, since asyncio keeps none."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget_task)

    def _forget_task(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log_fault("work in the background failed", error)

    def forget_answers(self) -> int:
        """Forgets all answers, such as those of another model; returns their number."""
        n_answers = sum(len(session.cache) for session in self.sessions.values())
        for session in self.sessions.values():
            session.stop_ahead()
            session.cache.clear()
        return n_answers

    # --- settings ----------------------------------------------------------------------------------------

    async def pull_settings(self) -> None:
        pulling = asyncio.ensure_future(self.configuration.pull(self.editor, list(self.sessions)))
        await asyncio.wait({pulling}, timeout=SETTINGS_SECONDS)
        if not pulling.done():
            # The editor may never answer; until then the settings of `initialize` hold.
            await self.apply_settings()
        await pulling
        await self.apply_settings()

    async def push_settings(self, sent: object) -> None:
        if not await self.configuration.pull(self.editor, list(self.sessions)):
            self.configuration.push(sent)
        await self.apply_settings()

    async def apply_settings(self) -> None:
        general = self.configuration.general
        for uri, session in self.sessions.items():
            if session.set(self.configuration.of(uri)):
                self.lookups.begin(session)
        charts = general.max_chart_megabytes << 20
        kept = general.max_documents, general.max_model_sessions, charts
        self.worker.limit(Limits(*kept, general.read_ahead))
        self.folders.tell()
        wanted = model_of(general)
        # A model selected by the command stays until the setting itself changes.
        if wanted != self._model_setting:
            self._model_setting = wanted
            self.worker.load(wanted)
        if self.is_enabled:
            await self.worker.start()
        else:
            self.worker.dismiss_early()
            self.board.show(status_of("disabled", None, "", None))
        await self.offer_popup(general.popup_completion)

    async def offer_popup(self, mode: str) -> None:
        is_wanted = mode == "on" or (mode == "auto" and not self.editor.has_inline_completion)
        if is_wanted != self.is_popup_registered and self.editor.can_register_completion:
            self.is_popup_registered = is_wanted
            await self.editor.register_popup(is_wanted)

    def switch(self, is_on: bool) -> None:
        self.is_switched_off = not is_on
        if is_on:
            self.board.show(Status("idle", "Normal"))
            self.background(self.worker.start())
            return
        for session in self.sessions.values():
            session.overtake()
        self.board.show(status_of("disabled", None, "", None))

    # --- documents ---------------------------------------------------------------------------------------

    def on_opened(self, uri: str) -> None:
        session = self._begun_session(uri)
        if session is not None:
            self.background(self.prepare(session))

    def opened_cells(self, uris: Iterable[str]) -> None:
        """Opens cells. They are short, so the engine reads them only on a request."""
        begun = [self._begun_session(uri) for uri in uris]
        self.background(self._pull_for([session for session in begun if session is not None]))

    def _begun_session(self, uri: str) -> DocumentSession | None:
        document = self.documents.document(uri)
        if document is None:
            return None
        self.on_closed(uri)
        cell = self.documents.cell(uri)
        acceptance = self.acceptance_of(uri if cell is None else cell.notebook)
        session = DocumentSession(document, self.configuration.of(uri), acceptance=acceptance, cell=cell)
        self.sessions[uri] = session
        self.lookups.begin(session)
        return session

    def acceptance_of(self, uri: str) -> AcceptanceHistory:
        roots = (folder.rstrip("/") + "/" for folder in self.documents.folder_uris())
        folders = [root for root in roots if uri.startswith(root)]
        return self.acceptances.setdefault(max(folders, key=len, default=""), AcceptanceHistory())

    def forget_acceptance(self) -> int:
        """Forgets accepted and refused offers; returns their number."""
        n_offers = round(sum(acceptance.n_shown for acceptance in self.acceptances.values()))
        self.acceptances.clear()
        self.next_edits.forget_acceptance()
        for session in self.sessions.values():
            session.acceptance = self.acceptance_of(session.file)
        return n_offers

    async def prepare(self, session: DocumentSession) -> None:
        """Gets the document's own settings, and its charts before the first request."""
        await self._pull_for([session])
        await self.lookups.settle(session)
        if self.refusal(session) is not None or not await self.worker.start():
            return
        # The document may have been closed while the worker started.
        if self.sessions.get(session.uri) is session:
            self.worker.send(Prepare(session.text_for(self.worker.generation)))

    async def _pull_for(self, sessions: list[DocumentSession]) -> None:
        if await self.configuration.pull(self.editor, [session.uri for session in sessions]):
            for session in sessions:
                if session.set(self.configuration.of(session.uri)):
                    self.lookups.begin(session)

    def on_changed(self, document: Document, edit: SentEdit) -> None:
        session = self.sessions.get(document.snapshot.uri)
        if session is None:
            return
        session.overtake()
        session.baseline.follow(document.snapshot.lines)
        self.next_edits.overtake(session.uri)
        was_accepted, was_partly = session.follow(edit)
        if was_accepted or was_partly:
            self.on_accepted(session, is_whole=was_accepted)
            self.background(self.accepted_offers.go_on(session, edit.start + len(edit.new)))

    def on_saved(self, uri: str, text: str | None) -> None:
        """Compares the saved text, which the editor sends whole, with the known one."""
        document = self.documents.document(uri)
        if document is None or text is None:
            return
        if not document.agree(text):
            logger.error("the document was out of step with the editor; it has the editor's text now")
            session = self.sessions.get(uri)
            if session is not None:
                session.overtake()
        self.folders.read_again()

    def on_closed(self, uri: str) -> None:
        session = self.sessions.pop(uri, None)
        if session is not None:
            session.overtake()
            self.next_edits.close(uri)
            self.configuration.forget(uri)
            self.worker.send(Close(own_address(uri)))
            self._give_back_later()

    def _give_back_later(self) -> None:
        """Returns the memory of closed documents to the system, once for many documents."""
        if self._giving_back is None:
            loop = asyncio.get_running_loop()
            self._giving_back = loop.call_later(GIVING_BACK_SECONDS, self._give_back)

    def _give_back(self) -> None:
        self._giving_back = None
        give_back()

    def ignore_files_changed(self) -> None:
        self.folders.tell(is_due=True)
        for session in self.sessions.values():
            self.lookups.begin(session)

    def on_focused(self, uri: str, cursor: types.Position | None) -> None:
        """Notes the document and the cursor that the editor shows; the status is about this document."""
        session = self.sessions.get(uri)
        if session is not None:
            self.background(self._show_focused(session, cursor))

    async def _show_focused(self, session: DocumentSession, cursor: types.Position | None) -> None:
        await self.lookups.settle(session)
        outcome = (
            self.refusal(session)
            or session.last_outcome
            or RequestOutcome(detail=self.answering.caveat(session))
        )
        self.board.show(status_of(outcome.reason, outcome.rung, outcome.detail, session.uri))
        if cursor is None or session.cell is not None or session.settings.manual_only:
            return
        if self.refusal(session) is not None or not await self.worker.start():
            return
        if self.sessions.get(session.uri) is session:
            text = session.text_for(self.worker.generation)
            self.worker.send(Rest(text, session.document.snapshot.offset(cursor)))

    def on_accepted(self, session: DocumentSession, is_whole: bool) -> None:
        if session.settings.statistics:
            self.counts.accepted += is_whole
            self.counts.partially_accepted += not is_whole

    # --- requests ----------------------------------------------------------------------------------------

    async def complete(
        self, request: EditorRequest, on_partial: Callable[[str], None] | None = None
    ) -> RequestOutcome:
        """The outcome of a request. Raises `CancelledError` if a newer one for the document has come."""
        session = self.sessions.get(request.snapshot.uri)
        if session is None:
            return RequestOutcome(reason="not open")
        await self.lookups.settle(session)
        if session.cell is not None:
            request = replace(request, above=session.cell.above())
        outcome = self.refusal(session, request)
        if outcome is None:
            outcome = await self.answering.outcome(session, request, on_partial)
            # Settings and ignore files may have changed meanwhile.
            await self.lookups.settle(session)
            outcome = self.refusal(session, request) or outcome
        session.last_outcome = outcome
        session.last_asked = asyncio.get_running_loop().time()
        self._count(session, outcome)
        self.board.show(status_of(outcome.reason, outcome.rung, outcome.detail, session.uri))
        logger.info(
            "%d offered, reason %s, rung %s%s",
            len(outcome.suggestions),
            outcome.reason,
            outcome.rung,
            ", from the cache" if outcome.is_cached else "",
        )
        return outcome

    def refusal(
        self, session: DocumentSession, request: EditorRequest | None = None
    ) -> RequestOutcome | None:
        """The refusal of a document, or of a request for it, if any."""
        return RequestOutcome(reason="disabled") if not self.is_enabled else refusal(session, request)

    def _count(self, session: DocumentSession, outcome: RequestOutcome) -> None:
        if session.settings.statistics:
            self.counts.requests += 1
            self.counts.offered += bool(outcome.suggestions)
            self.counts.cached += outcome.is_cached
