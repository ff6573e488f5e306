"""One message after another: what the worker keeps between them, and what it answers.

Everything here runs on the worker's main thread, but two things: a message is noted on the thread that reads,
so that a cancelled job stops at its next step, and a model is loaded on a thread of its own, so that requests
are answered meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass

from fim_lsp.server.log import log_fault
from fim_lsp.server.worker.closing import closing_of_part
from fim_lsp.server.worker.completers import Candidate, Completer, GrammarAlone, Task, loaded
from fim_lsp.server.worker.fitting import Surroundings, offered
from fim_lsp.server.worker.ladder import MENDING_SECONDS, Footing, Hole, footing
from fim_lsp.server.worker.messages import (
    Answer,
    Cancel,
    Close,
    ClosedUp,
    CloseUp,
    Complete,
    Explain,
    Explained,
    Forget,
    FromWorker,
    Limits,
    Loaded,
    Loading,
    LoadModel,
    Missing,
    Partial,
    Prepare,
    Reason,
    Text,
    ToWorker,
)
from fim_lsp.server.worker.texts import WorkerText


@dataclass(frozen=True, slots=True)
class Ready:
    """From the loading thread: a completer to be used from now on."""

    ticket: int
    completer: Completer
    message: str


class Desk:
    """The worker's state. `send` goes to the server, `put` to what waits for the desk; `next_job` takes from
    there what is on the way to a job for another document than some."""

    def __init__(
        self,
        send: Callable[[FromWorker], None],
        put: Callable[[Ready], None],
        next_job: Callable[[Collection[str]], ToWorker | Ready | None] = lambda _: None,
    ) -> None:
        self.send = send
        self.put = put
        self.next_job = next_job
        # The documents that a model is writing for. All but the last one have let others go ahead.
        self.written_for: list[str] = []
        self.cancelled: set[int] = set()
        self.limits = Limits()
        self.mending_s = MENDING_SECONDS
        self.completer: Completer = GrammarAlone(is_loading=True)
        self.texts: OrderedDict[str, WorkerText] = OrderedDict()
        self._load_ticket = 0
        self._loading = threading.Lock()

    @property
    def memory(self) -> int:
        """Bytes held for documents, roughly."""
        return sum(text.memory for text in self.texts.values())

    def note(self, message: ToWorker) -> None:
        """On the thread that reads, ahead of everything that waits for its turn."""
        if isinstance(message, Cancel):
            self.cancelled.add(message.job)

    def handle(self, message: ToWorker | Ready) -> None:
        match message:
            case Prepare(sent):
                self.prepare(sent)
            case Complete() | Explain() | CloseUp():
                self.send(self.answer(message))
                self.cancelled.discard(message.job)
            case Cancel(job):
                # The reading thread has noted it already. A job that is done needs no note.
                self.cancelled.discard(job)
            case Close(uri):
                self.texts.pop(uri, None)
                self.completer.forget(uri)
            case Forget():
                self.texts.clear()
                self.completer.forget(None)
            case Limits():
                self.limits = message
            case LoadModel():
                self.load(message)
            case Ready():
                self.take(message)

    def load(self, wanted: LoadModel) -> None:
        self._load_ticket += 1
        if isinstance(self.completer, GrammarAlone):
            self.completer = GrammarAlone(is_loading=True)
        arguments = (self._load_ticket, wanted, self.limits.model_sessions)
        threading.Thread(target=self._load, args=arguments, name="loading", daemon=True).start()

    def _load(self, ticket: int, wanted: LoadModel, max_sessions: int) -> None:
        def on_progress(stage: str, fraction: float) -> None:
            self.send(Loading(stage, fraction))

        # One after the other: transformers imports itself piece by piece, and not for two threads at once.
        with self._loading:
            if ticket != self._load_ticket:
                return
            try:
                completer, message = loaded(wanted.name, wanted.device, max_sessions, on_progress)
            except Exception as error:  # what a model's own code may raise is not ours to list
                log_fault("a model could not be loaded", error)
                message = f"the model cannot be loaded: {type(error).__name__}: {error}"
                completer = GrammarAlone()
        self.put(Ready(ticket, completer, message))

    def take(self, ready: Ready) -> None:
        # One that was asked for later is already on its way.
        if ready.ticket == self._load_ticket:
            self.completer = ready.completer
            self.send(Loaded(ready.completer.name, ready.message))

    def prepare(self, sent: Text) -> None:
        try:
            text = self.text(sent)
            if text is not None:
                text.tree.faults(text.text)
                footing(text, Hole(0, 0, ""))
        except Exception as error:  # the request that comes later says more
            log_fault("a document could not be prepared", error)

    def answer(self, wanted: Complete | Explain | CloseUp) -> FromWorker:
        """Exactly one answer, whatever happens."""
        try:
            match wanted:
                case Complete():
                    return self.completed(wanted)
                case Explain():
                    return self.explained(wanted)
                case CloseUp():
                    return self.closed_up(wanted)
        except Exception as error:  # one document's trouble must not end what others wait for
            log_fault("a job failed", error)
            self.texts.pop(wanted.text.uri, None)
            return Answer(wanted.job, reason="worker")

    # --- completing --------------------------------------------------------------------------------------

    def completed(self, wanted: Complete) -> FromWorker:
        start = time.perf_counter()
        # Also for a job that nobody waits for any more: the next one comes with the edits behind these.
        text = self.text(wanted.text)
        if wanted.job in self.cancelled:
            return Answer(wanted.job, reason="cancelled")
        if text is None:
            return Missing(wanted.job)
        hole = Hole(wanted.start, wanted.stop, wanted.begun)
        if not wanted.wishes.in_comments and text.is_comment(wanted.start):
            return Answer(wanted.job, reason="comment", seconds=time.perf_counter() - start)
        ground = footing(text, hole, self.mending_s)
        if ground is None:
            return Answer(wanted.job, reason="broken", seconds=time.perf_counter() - start)
        before_model = time.perf_counter()
        rest_s = wanted.budget_s - (before_model - start)
        self.written_for.append(wanted.text.uri)
        try:
            written = self.completer.written(self.task(wanted, text, ground, rest_s))
        finally:
            self.written_for.pop()
        model_seconds = time.perf_counter() - before_model
        texts, reason = self.chosen(wanted, text, ground, written)
        return Answer(wanted.job, texts, reason, ground.rung, time.perf_counter() - start, model_seconds)

    def task(self, wanted: Complete, text: WorkerText, ground: Footing, budget_s: float) -> Task:
        def is_cancelled() -> bool:
            # Between two steps of the model. Its time budget runs on meanwhile.
            while (other := self.next_job(self.written_for)) is not None:
                self.handle(other)
            return wanted.job in self.cancelled

        def on_partial(partial: str) -> None:
            offer = self.offer(wanted, text, ground, partial)
            if offer is not None and not is_worse(text, wanted, ground, offer):
                self.send(Partial(wanted.job, wanted.begun + offer))

        return Task(
            wanted.text.uri,
            text.text[: wanted.start] + wanted.begun,
            text.text[wanted.stop :],
            ground.recognizer,
            wanted.wishes,
            max(budget_s, 0.0),
            is_cancelled,
            # What is unsure is not to be seen for a moment either.
            on_partial if wanted.is_streamed and not wanted.wishes.bar else None,
        )

    def chosen(
        self, wanted: Complete, text: WorkerText, ground: Footing, written: list[Candidate] | Reason
    ) -> tuple[tuple[str, ...], Reason | None]:
        """What is offered of what was written, each with what was begun, and else the reason."""
        if wanted.job in self.cancelled:
            return (), "cancelled"
        if isinstance(written, str):
            return (), written
        sure = [one.text for one in written if one.confidence >= wanted.wishes.bar]
        if not sure:
            return (), "unsure"
        offers = (self.offer(wanted, text, ground, one) for one in sure)
        fitting = [offer for offer in offers if offer is not None]
        unharmful = [offer for offer in dict.fromkeys(fitting) if not is_worse(text, wanted, ground, offer)]
        reason: Reason | None = None if unharmful else "tree" if fitting else "model silent"
        return tuple(wanted.begun + offer for offer in unharmful), reason

    def offer(self, wanted: Complete, text: WorkerText, ground: Footing, written: str) -> str | None:
        """What may be offered of a text that was written."""
        wishes = wanted.wishes
        left = text.text[: wanted.start] + wanted.begun
        right = text.text[wanted.stop :]
        around = Surroundings(ground.recognizer, left, right, lambda: text.style(wishes.indentation))
        return offered(written, around, wishes)

    def explained(self, wanted: Explain) -> FromWorker:
        text = self.text(wanted.text)
        if text is None:
            return Missing(wanted.job)
        ground = footing(text, Hole(wanted.offset, wanted.offset, ""))
        if ground is None:
            return Explained(wanted.job, "", None)
        return Explained(wanted.job, ground.recognizer.explain(), ground.rung)

    def closed_up(self, wanted: CloseUp) -> FromWorker:
        text = self.text(wanted.text)
        if text is None:
            return Missing(wanted.job)
        ground = footing(text, Hole(wanted.offset, wanted.offset, ""))
        if ground is None:
            return ClosedUp(wanted.job, None)
        right = text.text[wanted.offset :]
        return ClosedUp(wanted.job, closing_of_part(ground.recognizer, right, wanted.rest))

    def text(self, sent: Text) -> WorkerText | None:
        """The document as it was sent; None when the edits do not follow what is here."""
        kept = self.texts.pop(sent.uri, None)
        if sent.whole is not None:
            kept = WorkerText(sent, sent.whole)
        elif kept is None or kept.serial + len(sent.edits) != sent.serial:
            return None
        else:
            try:
                for edit in sent.edits:
                    kept.edit(edit)
            except UnicodeError:
                # Surrogates passed through the text. What it is now may be free of them: it is sent again.
                return None
            kept.serial = sent.serial
            if kept.python_version != sent.python_version:
                kept = WorkerText(sent, kept.text)
        kept.keep_within(self.limits.chart_bytes)
        self.texts[sent.uri] = kept
        while len(self.texts) > self.limits.documents:
            self.texts.popitem(last=False)
        return kept


def is_worse(text: WorkerText, wanted: Complete, ground: Footing, offer: str) -> bool:
    new = wanted.begun + offer
    return text.is_worse_with(wanted.start, wanted.stop, new, is_proved=ground.rung == "file")
