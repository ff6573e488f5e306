"""Answers an admissible request: from the cache, from work done ahead, or from the worker, within the time
budget.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

from fim_lsp.bundled_models import model_knows, not_known_by_model
from fim_lsp.known_languages import of_editor
from fim_lsp.server.cache import Suggestion
from fim_lsp.server.configuration import Configuration
from fim_lsp.server.session import DocumentSession, EditorRequest, InsertionSite, RequestOutcome, Running
from fim_lsp.server.settings import Settings
from fim_lsp.server.status import Status, StatusBoard, refused_sentence
from fim_lsp.server.watch import Watch
from fim_lsp.server.worker.messages import (
    Answer,
    ClosedUp,
    CloseUp,
    Complete,
    Explain,
    Explained,
    FilledTogether,
    FillTogether,
    Reason,
    Wishes,
)
from fim_lsp.server.worker_client import Worker
from fim_lsp.worth.acceptance import BARS

logger = logging.getLogger(__name__)

# A busy worker may be this late; then the request is answered without it. The same holds if the worker must
# start first or read a long file: the next request finds that done.
GRACE_SECONDS = 0.2
# A user who asks for an explanation waits longer than one who types.
EXPLAINING_SECONDS = 20.0
# The part of the time budget that is reserved for the grammar if no model gets ready.
LAST_MOMENT_SECONDS = 0.1
# The part of the time of a user who asks in which the worker ends: a large model is in the middle of a step.
ENDING_SHARE = 0.1
# Reasons that say nothing about the place.
PASSING = frozenset({"cancelled", "model loading", "overtaken", "time", "worker"})
# Shorter work is not shown as busy, so that the status does not flicker.
BUSY_SECONDS = 0.15


def seconds_for_worker(left: float, is_invoked: bool) -> float:
    """The worker's part of the seconds that are left for an answer."""
    return left * (1 - ENDING_SHARE) if is_invoked else left


class Answering:
    """Answers requests for sessions through the worker."""

    def __init__(
        self,
        worker: Worker,
        configuration: Configuration,
        watch: Watch,
        board: StatusBoard,
        background: Callable[[Coroutine[Any, Any, Any]], None],
    ) -> None:
        self.worker = worker
        self.configuration = configuration
        self.watch = watch
        self.board = board
        self.background = background
        self.item_ids = itertools.count(1)

    async def outcome(
        self, session: DocumentSession, request: EditorRequest, on_partial: Callable[[str], None] | None
    ) -> RequestOutcome:
        """Raises `CancelledError` when a newer request for the document has come."""
        session.supersede()
        session.last_indentation = request.indentation or session.last_indentation
        if request.snapshot is not session.document.snapshot:
            return RequestOutcome(reason="overtaken")
        outcome = None if wants_more(session, request) else remembered_outcome(session, request)
        if outcome is None:
            # Work done ahead gives one text only.
            ahead = None if request.is_invoked else session.taken_ahead(request)
            work = ahead or asyncio.ensure_future(self._work(session, request, on_partial))
            outcome = await self._awaited_outcome(session, work)
        first = session.offer(request, outcome.suggestions, self.item_ids)
        if outcome.reason in (None, "model lacks language"):
            outcome = replace(outcome, detail=outcome.detail or self.caveat(session))
        return replace(outcome, first_id=first)

    async def _awaited_outcome(
        self, session: DocumentSession, work: asyncio.Task[RequestOutcome]
    ) -> RequestOutcome:
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
        return RequestOutcome(reason="overtaken") if work.cancelled() else work.result()

    async def _work(
        self,
        session: DocumentSession,
        request: EditorRequest,
        on_partial: Callable[[str], None] | None = None,
    ) -> RequestOutcome:
        """Asks the worker within the time budget, and caches its answer."""
        settings = session.settings
        clock = asyncio.get_running_loop().time
        deadline = clock() + settings.budget_s(request.is_invoked, self.worker.seconds_an_offer)
        if settings.debounce and not request.is_invoked:
            await asyncio.sleep(settings.debounce / 1000)
        session.stop_explaining()
        if not await self.worker.start():
            return RequestOutcome(reason="worker")
        await self._model_or(deadline - LAST_MOMENT_SECONDS)
        try:
            waiting = self._answer(session, request, deadline, on_partial)
            answer = await asyncio.wait_for(waiting, deadline - clock() + GRACE_SECONDS)
        except asyncio.TimeoutError:
            return RequestOutcome(reason="time")
        finally:
            self._mind_memory()
        if answer.reason not in PASSING:
            session.cache.put(request.left, request.right, suggestions_of(answer))
            if request.is_invoked:
                session.alternatives_at = (request.left, request.right)
        begun = len(request.at.begun)
        logger.debug(
            "worked out in %.1f ms, %.1f of them the model's",
            1e3 * answer.seconds,
            1e3 * answer.model_seconds,
        )
        suggestions = tuple(replace(one, text=one.text[begun:]) for one in suggestions_of(answer))
        detail = refused_sentence(answer.refused) if answer.reason == "model silent" else ""
        return RequestOutcome(suggestions, answer.reason, answer.rung, detail, answer.refused)

    def caveat(self, session: DocumentSession) -> str:
        """The caveat of a document whose language the model does not know."""
        known_language = of_editor(session.document.snapshot.language_id)
        if (
            known_language is None
            or self.board.model is None
            or model_knows(self.board.model, known_language)
        ):
            return ""
        return not_known_by_model(known_language)

    async def _model_or(self, deadline: float) -> None:
        """Waits for a loading model until a deadline; after it, only open brackets and quotes are closed."""
        left = deadline - asyncio.get_running_loop().time()
        if not self.worker.is_ready.is_set() and left > 0:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.worker.is_ready.wait(), left)

    async def _answer(
        self,
        session: DocumentSession,
        request: EditorRequest,
        deadline: float,
        on_partial: Callable[[str], None] | None,
    ) -> Answer:
        for _ in range(2):
            left = deadline - asyncio.get_running_loop().time()
            budget = max(seconds_for_worker(left, request.is_invoked), LAST_MOMENT_SECONDS)
            wanted = Complete(
                self.worker.new_job_id(),
                session.text_for(self.worker.generation),
                request.at.start,
                request.at.stop,
                request.at.begun,
                wishes(session, request),
                budget,
                on_partial is not None,
            )
            result = await self.worker.result(wanted, on_partial)
            if isinstance(result, Answer):
                return result
            # The worker dropped the document to stay within its limits.
            session.forget_worker()
        return Answer(wanted.job, reason="worker")

    async def explain_at(self, session: DocumentSession, offset: int) -> Explained | Reason:
        """An explanation of the texts that may come at an offset, or the reason why there is none.

        A request for a completion goes first, and then the explanation starts again. A change of the document
        ends it.
        """
        snapshot = session.document.snapshot
        clock = asyncio.get_running_loop().time
        deadline = clock() + EXPLAINING_SECONDS
        while snapshot is session.document.snapshot and clock() < deadline:
            session.stop_explaining()
            work = session.explaining = asyncio.ensure_future(self._explained_place(session, offset))
            try:
                await asyncio.wait({work}, timeout=deadline - clock())
            finally:
                work.cancel()
            if work.done() and not work.cancelled():
                return work.result() or "worker"
            if session.explaining is not work:
                # The user has asked again.
                return "cancelled"
            if session.running is not None:
                await asyncio.wait({session.running.work}, timeout=max(deadline - clock(), 0.0))
        return "worker" if snapshot is session.document.snapshot else "overtaken"

    async def _explained_place(self, session: DocumentSession, offset: int) -> Explained | None:
        for _ in range(2):
            if not await self.worker.start():
                return None
            text = session.text_for(self.worker.generation)
            asked = EditorRequest(
                session.document.snapshot, InsertionSite(offset, offset, ""), is_invoked=True
            )
            wanted = Explain(self.worker.new_job_id(), text, offset, wishes(session, asked))
            result = await self.worker.result(wanted)
            if isinstance(result, Explained):
                return result
            session.forget_worker()
        return None

    async def closing(self, session: DocumentSession, offset: int, rest: str) -> str | None:
        """The closers behind an accepted part of an offer that ends at an offset."""
        for _ in range(2):
            if not await self.worker.start():
                return None
            text = session.text_for(self.worker.generation)
            result = await self.worker.result(CloseUp(self.worker.new_job_id(), text, offset, rest))
            if isinstance(result, ClosedUp):
                return result.closing
            session.forget_worker()
        return None

    async def together(self, session: DocumentSession, offsets: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        """Texts for several offsets that fit together, the best first; none if the document changed
        meanwhile."""
        snapshot = session.document.snapshot
        asked = EditorRequest(snapshot, InsertionSite(offsets[0], offsets[0], ""), is_invoked=True)
        budget = session.settings.time_budget / 1000
        for _ in range(2):
            if not await self.worker.start() or snapshot is not session.document.snapshot:
                return ()
            text = session.text_for(self.worker.generation)
            job = self.worker.new_job_id()
            wanted = FillTogether(job, text, tuple(offsets), wishes(session, asked), budget)
            result = await self.worker.result(wanted)
            if isinstance(result, FilledTogether):
                return result.texts if snapshot is session.document.snapshot else ()
            session.forget_worker()
        return ()

    def begin_ahead(self, session: DocumentSession, request: EditorRequest) -> None:
        """Begins to compute an answer that was not requested yet."""
        if remembered_outcome(session, request) is None:
            session.look_ahead(request, asyncio.ensure_future(self._work(session, request)))

    def _mind_memory(self) -> None:
        limit = self.configuration.general.max_worker_megabytes
        if self.watch.memory > limit << 20:
            logger.warning("the worker holds more than %d MB and is replaced when idle", limit)
            self.watch.memory = 0
            self.background(self.worker.replace())

    def _show_busy(self, uri: str) -> None:
        self.board.show(Status("busy", "Normal", "", uri))


def wants_more(session: DocumentSession, request: EditorRequest) -> bool:
    """Whether the user asks for alternatives after a single offer."""
    if not request.is_invoked or session.settings.alternatives < 2:
        return False
    return session.alternatives_at != (request.left, request.right)


def remembered_outcome(session: DocumentSession, request: EditorRequest) -> RequestOutcome | None:
    """The cached answer, if there is one."""
    found = session.cache.get(request.left, request.right)
    if found is None:
        return None
    if not request.may_cover and any(one.n_covered for one in found):
        # The answer is computed again, as an insertion in front of the existing text.
        return None
    if not request.has_imports:
        found = tuple(one for one in found if one.added is None)
    last = session.last_outcome
    reason = last.reason if last and not found else None
    return RequestOutcome(found, reason, last.rung if last else None, is_cached=True)


def suggestions_of(answer: Answer) -> tuple[Suggestion, ...]:
    """The texts of an answer, each with its begun part in front and its import."""
    imports = answer.imports or (None,) * len(answer.texts)
    return tuple(Suggestion(text, 0, added) for text, added in zip(answer.texts, imports, strict=True))


# Settings that go to the worker unchanged: those with a field of the same name in `Wishes`.
TOLD = {field.name for field in fields(Settings)} & {field.name for field in fields(Wishes)}


def wishes(session: DocumentSession, request: EditorRequest) -> Wishes:
    settings = session.settings
    values: dict[str, Any] = {name: getattr(settings, name) for name in TOLD}
    values["imports"] = settings.imports and request.has_imports and session.cell is None
    return Wishes(
        n=settings.alternatives if request.is_invoked else 1,
        closer_lines=settings.multi_line,
        indentation=request.indentation,
        bar=0.0 if request.is_invoked else session.acceptance.adjusted_bar(BARS[settings.eagerness]),
        is_asked=request.is_invoked,
        has_memory=settings.memory,
        **values,
    )
