"""The server without its pipes: the typist's texts go through the service, the sessions with their caches,
and the worker's job loop, as an editor's do. Only the messages between them are passed on by hand.

So the offers here are those that an editor would show, except for time: the time budget is so long that it
never decides, as rows have to be the same on any machine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, cast
from urllib.parse import quote

from lsprotocol import types as lsp
from pygls.workspace import Workspace

from fim_lsp.known_languages import PYTHON
from fim_lsp.server.documents import DocumentWorkspace
from fim_lsp.server.editor import EditorClient
from fim_lsp.server.service import Service
from fim_lsp.server.session import DocumentSession, EditorRequest, InsertionSite, RequestOutcome
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import Asked, Complete, FromWorker, LoadModel, Partial, ToWorker, Wishes
from fim_lsp.server.worker.offer_filters import OFFER_FILTERS
from fim_lsp.server.worker_client import Result, Worker, WorkerEvents

SYNC = lsp.TextDocumentSyncKind.Incremental
# A time in milliseconds that no machine takes.
PATIENCE_MS = 24 * 3600 * 1000


class Unseen(EditorClient):
    """An editor that can do inline completion, is never asked for settings, and shows nothing."""

    def __init__(self) -> None:
        super().__init__(cast("Any", None))

    has_inline_completion = True
    can_register_completion = False
    can_edit = False

    def show_status(self, status: dict[str, object]) -> None:
        pass

    def say(self, kind: lsp.MessageType, message: str) -> None:
        pass

    async def settings(self, uris: Sequence[str | None]) -> None:  # noqa: ARG002 - as it is asked
        return None


class AtHand(Worker):
    """A worker in this process, with a completer that is already loaded."""

    def __init__(self, events: WorkerEvents, log_level: str, completer: Completer) -> None:
        super().__init__(events, log_level)
        self.job_loop = JobLoop(self._sent, lambda _ready: None)
        self.job_loop.serving.completer = completer
        # The results must not depend on how fast the machine is.
        self.job_loop.completing.repair_s = PATIENCE_MS / 1000
        self.job_loop.around.project_context.patience = PATIENCE_MS / 1000
        self.generation = 1
        # The least sureness of an offer in place of what the settings say.
        self.bar: float | None = None
        self.without: frozenset[str] = frozenset()
        self._answers: list[FromWorker] = []
        self._on_partial: Callable[[str], None] | None = None

    def _sent(self, message: FromWorker) -> None:
        if isinstance(message, Partial):
            if self._on_partial is not None:
                self._on_partial(message.text)
        else:
            self._answers.append(message)

    async def start(self) -> bool:
        self.is_ready.set()
        return True

    def leave_out(self, parts: Iterable[str]) -> None:
        """Leaves parts out, to measure their effect."""
        self.without = frozenset(parts)
        self.job_loop.completing.choosing.filters = [
            name for name in OFFER_FILTERS if not {name, "filters"} & self.without
        ]
        self.job_loop.completing.choosing.judging.has_judge = "judge" not in self.without

    def work_in(self, folder: Path | None) -> None:
        """Names a project's folder, whose other files a model may see."""
        self.job_loop.around.project_context.folders = () if folder is None else (folder,)

    @property
    def has_memory(self) -> bool:
        return "memory" not in self.without

    def remaining_wishes(self, wishes: Wishes) -> Wishes:
        """The wishes without the parts that are left out."""
        names = wishes.names and "names" not in self.without
        bar = wishes.bar if self.bar is None else self.bar
        return replace(wishes, has_memory=self.has_memory, names=names, bar=bar)

    def load(self, model: LoadModel) -> None:
        """Does nothing: the model is loaded."""

    def send(self, message: ToWorker) -> None:
        self.job_loop.handle(message)

    async def result(self, message: Asked, on_partial: Callable[[str], None] | None = None) -> Result:
        self._answers.clear()
        self._on_partial = on_partial
        if isinstance(message, Complete):
            message = replace(message, wishes=self.remaining_wishes(message.wishes))
        self.job_loop.handle(message)
        answer = self._answers[-1]
        # There is time for all that a model would write behind an offer.
        while self.job_loop.write_on():
            pass
        return cast("Result", answer)

    def stop(self) -> None:
        self.job_loop.serving.completer.forget(None)


@dataclass(slots=True)
class Page:
    """An open document with a cursor, as `typist.type_region` wants it."""

    service: Service
    session: DocumentSession
    place: int
    # Seconds from a key to its answer, if the answer was computed and not cached.
    seconds: list[float] = field(default_factory=list)
    outcomes: list[RequestOutcome] = field(default_factory=list)

    async def offer(self) -> str:
        start = perf_counter()
        at = InsertionSite(self.place, self.place, "")
        request = EditorRequest(self.session.document.snapshot, at, is_invoked=False)
        # Each request is a task of its own, which a newer request ends.
        outcome = await asyncio.ensure_future(self.service.complete(request))
        if not outcome.is_cached:
            self.seconds.append(perf_counter() - start)
            self.outcomes.append(outcome)
        return outcome.suggestions[0].text if outcome.suggestions else ""

    def write(self, text: str) -> None:
        snapshot = self.session.document.snapshot
        here = snapshot.range(self.place, self.place)
        change = lsp.TextDocumentContentChangePartial(range=here, text=text)
        identifier = lsp.VersionedTextDocumentIdentifier(
            version=(snapshot.version or 0) + 1, uri=snapshot.uri
        )
        self.service.documents.update_text_document(identifier, change)
        self.place += len(text)


def open_page(service: Service, uri: str, text: str, place: int, language: str = PYTHON.name) -> Page:
    """A document as an editor opens it."""
    service.documents.put_text_document(
        lsp.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
    )
    service.on_opened(uri)
    return Page(service, service.sessions[uri], place)


def close(service: Service, page: Page) -> None:
    uri = page.session.uri
    service.documents.remove_text_document(uri)
    service.on_closed(uri)


def service_with(completer: Completer, settings: dict[str, object]) -> Service:
    """The server's state with a completer, and settings as editors send them."""

    def worker(events: WorkerEvents, log_level: str) -> Worker:
        return AtHand(events, log_level, completer)

    service = Service(Unseen(), "WARNING", worker)
    documents = DocumentWorkspace(Workspace(None, SYNC, []), SYNC, service.on_changed)
    # A completion computed ahead is the next one that is asked for; here it would only spoil the times.
    service.begin(documents, {"timeBudget": PATIENCE_MS, "prefetch": False} | settings)
    return service


def uri_of(project: str, file: str) -> str:
    """The address of a document below a folder that does not exist, so that no file of this machine
    matters."""
    return f"file:///typist/{quote(project)}/{quote(file)}"


async def settle_page(page: Page) -> None:
    """Waits for the work in the background, however slow the machine is."""
    await asyncio.sleep(0)
    while (lookup := page.session.lookup) is not None and not lookup.done():
        await asyncio.wait({lookup})
