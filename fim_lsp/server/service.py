"""What happens to a request on its way to an answer, and to documents as they open, change and close.

A request is first held against what forbids an answer, then looked up among the answers that are known, and
only then sent to the worker. Whatever comes of it is an `Outcome`, whose reason the user can read in the
status.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from fim_lsp.server.cache import Suggestion
from fim_lsp.server.configuration import Configuration
from fim_lsp.server.counts import Counts
from fim_lsp.server.documents import Document, Documents
from fim_lsp.server.editor import Editor
from fim_lsp.server.engine import Worker
from fim_lsp.server.exclusion import exclusion
from fim_lsp.server.log import log_fault
from fim_lsp.server.session import Outcome, Place, Request, Running, Session
from fim_lsp.server.settings import Settings
from fim_lsp.server.status import Status, StatusBoard, status_of
from fim_lsp.server.watch import Watch
from fim_lsp.server.worker.messages import (
    Answer,
    Close,
    Complete,
    Edit,
    Explain,
    Explained,
    Limits,
    LoadModel,
    Prepare,
    Wishes,
)

logger = logging.getLogger(__name__)

LANGUAGES = ("python",)
# A worker that is busy with something else may be this late; then the request is answered without it.
GRACE_SECONDS = 0.2
# The worker may have to start, and to read a language and a long file.
WARMING_SECONDS = 20.0
# What is left of a request's time budget for the grammar when no model was ready before.
LAST_MOMENT_SECONDS = 0.1
# Answers that say nothing about the place.
PASSING = frozenset({"cancelled", "overtaken", "time", "worker"})
SURROGATE = re.compile("[\ud800-\udfff]")
# How long an editor may think about its settings before the ones that are known are used.
SETTINGS_SECONDS = 2.0
# Work that is over sooner does not make the status flicker.
BUSY_SECONDS = 0.15


class Service:
    """The server's state, and what changes it. Knows LSP's documents, and nothing of JSON-RPC."""

    def __init__(self, editor: Editor, log_level: str) -> None:
        self.editor = editor
        self.configuration = Configuration()
        self.sessions: dict[str, Session] = {}
        self.counts = Counts()
        self.board = StatusBoard(editor.show_status)
        self.watch = Watch(editor, self.board, self.forget_answers)
        self.worker = Worker(self.watch, log_level)
        self.item_numbers = itertools.count(1)
        # The user's switch, on top of the setting.
        self.is_switched_off = False
        self.is_popup_registered = False
        self._model_setting = self.worker.model
        self._documents: Documents | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def documents(self) -> Documents:
        assert self._documents is not None, "requests come after initialize"
        return self._documents

    @property
    def is_enabled(self) -> bool:
        return self.configuration.general.enable and not self.is_switched_off

    # --- life --------------------------------------------------------------------------------------------

    def begin(self, documents: Documents, options: object) -> None:
        """With `initialize`, which must not wait for anything."""
        self._documents = documents
        self.configuration.begin(options)
        self._model_setting = self.worker.model = model_of(self.configuration.general)

    async def initialized(self) -> None:
        self.background(self.editor.register())
        await self.pull_settings()

    def stop(self) -> None:
        for session in self.sessions.values():
            session.stop_ahead()
        self.worker.stop()

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Work that no request waits for. asyncio itself would let it be collected."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log_fault("work in the background failed", error)

    def forget_answers(self) -> int:
        """Forgets every answer, such as those of another model; how many there were."""
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
            # An editor that may never answer; what came with `initialize` holds until it does.
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
            session.set(self.configuration.of(uri))
            self.judge(session)
        charts = general.max_chart_megabytes << 20
        self.worker.limit(Limits(general.max_documents, general.max_model_sessions, charts))
        wanted = model_of(general)
        # A model that was switched to by command stays until the setting itself changes.
        if wanted != self._model_setting:
            self._model_setting = wanted
            self.worker.load(wanted)
        if self.is_enabled:
            await self.worker.start()
        else:
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

    def opened(self, uri: str) -> None:
        document = self.documents.document(uri)
        if document is None:
            return
        self.closed(uri)
        session = Session(document, self.configuration.of(uri))
        self.sessions[uri] = session
        self.judge(session)
        self.background(self.prepare(session))

    async def prepare(self, session: Session) -> None:
        """The document's own settings, and its charts before the first request needs them."""
        if await self.configuration.pull(self.editor, [session.uri]):
            session.set(self.configuration.of(session.uri))
            self.judge(session)
        if refusal(self, session) is not None or not await self.worker.start():
            return
        # It may have been closed while the worker started.
        if self.sessions.get(session.uri) is session:
            self.worker.send(Prepare(session.text_for(self.worker.generation)))

    def changed(self, document: Document, edit: Edit) -> None:
        session = self.sessions.get(document.snapshot.uri)
        if session is None:
            return
        session.overtake()
        was_accepted, was_partly = session.follow(edit)
        if was_accepted or was_partly:
            self.accepted(session, is_whole=was_accepted)
            self.background(self.look_ahead(session, edit.start + len(edit.new)))

    def saved(self, uri: str, text: str | None) -> None:
        """Saving sends the whole text: a chance to see that both sides have the same."""
        document = self.documents.document(uri)
        if document is None or text is None:
            return
        if not document.agree(text):
            logger.error("the document was out of step with the editor; it has the editor's text now")
            session = self.sessions.get(uri)
            if session is not None:
                session.overtake()

    def closed(self, uri: str) -> None:
        session = self.sessions.pop(uri, None)
        if session is not None:
            session.overtake()
            self.configuration.forget(uri)
            self.worker.send(Close(uri))

    def judge(self, session: Session) -> None:
        """Drops the text of a document that is excluded, and says so."""
        document = session.document
        found = exclusion(session.uri, session.settings.exclude, tuple(self.documents.folder_uris()))
        session.excluded = found.message if found else ""
        if found is not None and not document.is_withheld:
            document.withhold()
            session.cache.clear()
            self.worker.send(Close(session.uri))

    def ignore_files_changed(self) -> None:
        for session in self.sessions.values():
            self.judge(session)

    def focused(self, uri: str) -> None:
        """The editor shows this document now; the status is about it."""
        session = self.sessions.get(uri)
        if session is not None:
            outcome = refusal(self, session) or session.last_outcome or Outcome()
            self.board.show(status_of(outcome.reason, outcome.rung, outcome.detail, uri))

    def accepted(self, session: Session, is_whole: bool) -> None:
        if session.settings.statistics:
            self.counts.accepted += is_whole
            self.counts.partially_accepted += not is_whole

    # --- requests ----------------------------------------------------------------------------------------

    async def complete(self, request: Request, on_partial: Callable[[str], None] | None = None) -> Outcome:
        """The answer to a request. Raises `CancelledError` when a newer one for the document has come."""
        session = self.sessions.get(request.snapshot.uri)
        if session is None:
            return Outcome(reason="not open")
        outcome = refusal(self, session, request)
        if outcome is None:
            outcome = await self._complete(session, request, on_partial)
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

    async def _complete(
        self, session: Session, request: Request, on_partial: Callable[[str], None] | None
    ) -> Outcome:
        session.supersede()
        session.last_indentation = request.indentation or session.last_indentation
        if request.snapshot is not session.document.snapshot:
            return Outcome(reason="overtaken")
        outcome = remembered(session, request)
        if outcome is None:
            work = session.taken_ahead(request) or asyncio.ensure_future(
                self._work(session, request, on_partial)
            )
            outcome = await self._awaited(session, work)
        first = session.offer(request.at, outcome.suggestions, self.item_numbers)
        return replace(outcome, first_number=first)

    async def _awaited(self, session: Session, work: asyncio.Task[Outcome]) -> Outcome:
        """The outcome of work that a newer request or a change of the document can end."""
        task = asyncio.current_task()
        assert task is not None
        session.running = Running(task, work)
        busy = asyncio.get_running_loop().call_later(BUSY_SECONDS, self._show_busy, session.uri)
        try:
            await asyncio.wait({work})
        finally:
            busy.cancel()
            work.cancel()
        return Outcome(reason="overtaken") if work.cancelled() else work.result()

    async def _work(
        self, session: Session, request: Request, on_partial: Callable[[str], None] | None = None
    ) -> Outcome:
        """Asks the worker, within the time budget, and remembers what it says."""
        settings = session.settings
        clock = asyncio.get_running_loop().time
        deadline = clock() + settings.time_budget / 1000
        if settings.debounce and not request.is_invoked:
            await asyncio.sleep(settings.debounce / 1000)
        if not await self.worker.start():
            return Outcome(reason="worker")
        await self._model_or(deadline - LAST_MOMENT_SECONDS)
        try:
            waiting = self._answer(session, request, deadline, on_partial)
            # The first answer for a document waits for its charts, which later ones have.
            is_warm = session.warm_generation == self.worker.generation
            patience = deadline - clock() + GRACE_SECONDS if is_warm else WARMING_SECONDS
            answer = await asyncio.wait_for(waiting, patience)
            session.warm_generation = self.worker.generation
        except asyncio.TimeoutError:
            return Outcome(reason="time")
        finally:
            self._mind_memory()
        if answer.reason not in PASSING:
            session.cache.put(request.left, request.right, answer.texts)
        begun = len(request.at.begun)
        logger.debug(
            "worked out in %.1f ms, %.1f of them the model's",
            1e3 * answer.seconds,
            1e3 * answer.model_seconds,
        )
        suggestions = tuple(Suggestion(text[begun:]) for text in answer.texts)
        return Outcome(suggestions, answer.reason, answer.rung)

    async def _model_or(self, deadline: float) -> None:
        """Waits for a model that is loading, until a deadline; the grammar alone writes then."""
        left = deadline - asyncio.get_running_loop().time()
        if not self.worker.is_ready.is_set() and left > 0:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.worker.is_ready.wait(), left)

    async def _answer(
        self,
        session: Session,
        request: Request,
        deadline: float,
        on_partial: Callable[[str], None] | None,
    ) -> Answer:
        for _ in range(2):
            budget = max(deadline - asyncio.get_running_loop().time(), LAST_MOMENT_SECONDS)
            wanted = Complete(
                self.worker.job_number(),
                session.text_for(self.worker.generation),
                request.at.start,
                request.at.stop,
                request.at.begun,
                wishes(session.settings, request),
                budget,
                on_partial is not None,
            )
            result = await self.worker.result(wanted, on_partial)
            if isinstance(result, Answer):
                return result
            # The worker had dropped the document, to keep within its bounds.
            session.forget_worker()
        return Answer(wanted.job, reason="worker")

    async def explained(self, session: Session, offset: int) -> Explained | None:
        """What may come at an offset, in words."""
        for _ in range(2):
            if not await self.worker.start():
                return None
            text = session.text_for(self.worker.generation)
            result = await self.worker.result(Explain(self.worker.job_number(), text, offset))
            if isinstance(result, Explained):
                return result
            session.forget_worker()
        return None

    async def look_ahead(self, session: Session, offset: int) -> None:
        """After an accept the next completion is worked out before anybody asks for it."""
        request = Request(
            session.document.snapshot, Place(offset, offset, ""), False, session.last_indentation
        )
        if not session.settings.prefetch or refusal(self, session, request) is not None:
            return
        if remembered(session, request) is None:
            session.look_ahead(request, asyncio.ensure_future(self._work(session, request)))

    def _mind_memory(self) -> None:
        limit = self.configuration.general.max_worker_megabytes
        if self.watch.memory > limit << 20:
            logger.warning("the worker holds more than %d MB and is replaced when idle", limit)
            self.watch.memory = 0
            self.background(self.worker.replace())

    def _show_busy(self, uri: str) -> None:
        self.board.show(Status("busy", "Normal", "", uri))

    def _count(self, session: Session, outcome: Outcome) -> None:
        if session.settings.statistics:
            self.counts.requests += 1
            self.counts.offered += bool(outcome.suggestions)
            self.counts.cached += outcome.is_cached


def refusal(service: Service, session: Session, request: Request | None = None) -> Outcome | None:
    """Why a document, or a request for it, gets nothing whatever the engine would say; None where it may."""
    document, settings = session.document, session.settings
    snapshot = document.snapshot
    if not service.is_enabled or not settings.enable:
        return Outcome(reason="disabled")
    if session.excluded:
        return Outcome(reason="excluded", detail=session.excluded)
    if snapshot.language_id not in LANGUAGES:
        return Outcome(reason="language", detail=f"There is no grammar for {snapshot.language_id} yet.")
    if document.is_suspect or document.is_withheld:
        return Outcome(reason="out of step")
    if len(snapshot.text) > settings.max_document_kilobytes << 10:
        return Outcome(reason="too large")
    if not snapshot.text.isascii() and SURROGATE.search(snapshot.text):
        return Outcome(reason="encoding")
    if request is not None and settings.manual_only and not request.is_invoked:
        return Outcome(reason="manual")
    return None


def remembered(session: Session, request: Request) -> Outcome | None:
    """The answer if it is known already."""
    found = session.cache.get(request.left, request.right)
    if found is None:
        return None
    last = session.last_outcome
    reason = last.reason if last and not found else None
    return Outcome(found, reason, last.rung if last else None, is_cached=True)


def wishes(settings: Settings, request: Request) -> Wishes:
    return Wishes(
        n=settings.alternatives if request.is_invoked else 1,
        max_tokens=settings.max_tokens,
        max_lines=settings.max_lines,
        multi_line=settings.multi_line,
        scope=settings.scope,
        in_comments=settings.in_comments,
        indentation=request.indentation,
    )


def model_of(settings: Settings) -> LoadModel:
    return LoadModel(model_name(settings.model), None if settings.device == "auto" else settings.device)


def model_name(setting: str) -> str | None:
    """A name for the worker. It runs in another folder, so one that is meant from here is written out."""
    # A name too long for a file is none; `Path.is_dir` says so in an error of its own before Python 3.14.
    with suppress(OSError):
        folder = Path(setting).expanduser()
        if setting and folder.is_dir():
            return str(folder.resolve())
    return setting or None
