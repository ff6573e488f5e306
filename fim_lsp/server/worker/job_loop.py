"""The job loop handles one message after another: the worker's state, and its answers.

Everything here runs on the worker's main thread, with three exceptions: the reading thread notes messages, so
that a cancelled job stops at its next step; a model is loaded on a thread of its own, so that requests are
answered meanwhile; and the better of two models writes on a thread that takes turns with this one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from operator import contains

from fim_lsp.context.kept_outlines import forget_kept, outlines_folder
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import PYTHON
from fim_lsp.server.log import log_fault
from fim_lsp.server.worker.attempt import Attempt
from fim_lsp.server.worker.completers import Completer, GrammarAlone, closing_at
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.edit_writing import EditWriting
from fim_lsp.server.worker.folder_reading import FolderReading, Scanned
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.loading import ModelLoading, Ready, ReadyWriter
from fim_lsp.server.worker.messages import (
    Answer,
    Cancel,
    Close,
    ClosedUp,
    CloseUp,
    Complete,
    Explain,
    Explained,
    FilledTogether,
    FillTogether,
    Folders,
    FoldersInReach,
    ForgetCaches,
    FromWorker,
    Limits,
    Loaded,
    LoadedEdits,
    LoadModel,
    MissingDocument,
    Partial,
    Prepare,
    ProposeEdits,
    Rest,
    ToWorker,
    Traced,
    Trusted,
    Urgent,
    Wishes,
)
from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.serving import ServingCompleters
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.together import texts_together
from fim_lsp.server.worker.two_models import BetterModelTask, TwoModels
from fim_lsp.server.worker.with_model import WithModel

# The seconds of each of the model's two texts for an explanation, with the engine and without.
TRACING_SECONDS = 1.5
Own = Ready | ReadyWriter | Scanned


class JobLoop:
    """The worker's state. `send` sends to the server, `put` queues for this loop; `next_job` takes the next
    job for a document other than the given ones from the queue."""

    def __init__(
        self,
        send: Callable[[FromWorker], None],
        put: Callable[[Own], None],
        next_job: Callable[[Collection[str]], ToWorker | Own | None] = lambda _: None,
        is_waited: Callable[[], bool] = lambda: False,
    ) -> None:
        self.send = send
        self.next_job = next_job
        # The documents for which a model is writing. All but the last let others go ahead.
        self.written_for: list[str] = []
        self.cancelled: set[int] = set()
        self.limits = Limits()
        self.loading = ModelLoading(send, put)
        self.completing = Completing()
        self.two = TwoModels(self.completing, is_waited)
        self.edits = EditWriting(send, is_waited)
        self.around = self.completing.around
        reading = FolderReading(put, self.around.project_context, self.around.imports)
        self.serving = ServingCompleters(reading)

    def note(self, message: ToWorker) -> None:
        """Notes a message on the reading thread, ahead of all waiting messages."""
        if isinstance(message, Cancel):
            self.cancelled.add(message.job)

    def handle(self, message: ToWorker | Own) -> None:
        self.edits.end_if_late()
        match message:
            case Prepare(sent):
                self.prepare(sent)
            case Rest(sent, offset):
                self.rest(sent, offset)
            case Complete() | Explain() | CloseUp() | FillTogether():
                answer = self.answer(message)
                if answer is None:
                    self.write_on()
                    return
                self.send(answer)
                self.cancelled.discard(message.job)
            case ProposeEdits():
                self.edits.ask(message, self.text(message.text), message.job in self.cancelled)
            case Cancel(job):
                self.two.cancel()
                self.edits.cancel(job)
                # The reading thread has noted it already. A finished job needs no note.
                self.cancelled.discard(job)
            case Close(uri):
                self.two.close(uri)
                self.completing.forget(uri)
                self.serving.close(uri)
            case ForgetCaches():
                self.two.end()
                self.edits.end()
                self.around.texts.forget(None)
                self.serving.forget()
                self.around.project_context.forget(None)
                # Another server may be writing to it, so the thread may have to wait.
                arguments = (outlines_folder(),)
                threading.Thread(target=forget_kept, args=arguments, name="forgetting", daemon=True).start()
            case Limits():
                self.limits = message
            case LoadModel():
                self.serving.wait_for_model()
                self.loading.begin(message, self.limits.model_sessions)
            case Folders():
                self.serving.read_folders(message)
            case Trusted(trusted):
                self.around.checkers.trust(trusted)
            case Scanned():
                self.serving.take_scan(message)
                self.send(FoldersInReach(message.workspace.kinship.kin))
            case Ready():
                self.take(message)
            case ReadyWriter():
                if self.loading.is_wanted(message):
                    self.edits.writer = message.writer
                    self.send(LoadedEdits(message.writer is not None, message.message))

    def take(self, ready: Ready) -> None:
        if self.loading.is_wanted(ready):
            self.two.end()
            completer = ready.completer
            self.serving.take_model(completer)
            self.send(Loaded(completer.name, ready.message, completer.note, completer.seconds))

    def prepare(self, sent: SentText) -> None:
        try:
            text = self.text(sent)
            if text is not None:
                text.tree.faults(text.text)
                footing(Site.of(text, Hole(0, 0)))
                if text.known_language is PYTHON:
                    self.around.checkers.prepare(sent.uri, text.text)
                self.serving.prepare(text)
        except Exception as error:  # the request that comes later says more
            log_fault("a document could not be prepared", error)

    def rest(self, sent: SentText, offset: int) -> None:
        """Sets the place for reading ahead."""
        text = self.text(sent)
        if text is not None:
            self.serving.note_place(text, offset)

    def answer(self, wanted: Urgent) -> FromWorker | None:
        """Exactly one answer, whatever happens; None if it comes later."""
        try:
            match wanted:
                case Complete():
                    return self.answer_complete(wanted)
                case Explain():
                    return self.answer_explain(wanted)
                case CloseUp():
                    return self.answer_close_up(wanted)
                case FillTogether():
                    return self.answer_fill_together(wanted)
        except Exception as error:  # one document's trouble must not end what others wait for
            log_fault("a job failed", error)
            self.around.texts.forget(wanted.text.uri)
            return Answer(wanted.job, reason="worker")

    def answer_complete(self, wanted: Complete) -> FromWorker | None:
        start = time.perf_counter()
        # Cancelled jobs need it, too: the next job's edits follow these.
        text = self.text(wanted.text)
        if wanted.job in self.cancelled:
            return Answer(wanted.job, reason="cancelled")
        if text is None:
            return MissingDocument(wanted.job)
        site = Site.of(text, Hole(wanted.start, wanted.stop, wanted.begun))
        completer, quick = self.serving.completers_for(text)
        with self.others_ahead(wanted.text.uri):
            # An unsure text must not appear even for a moment.
            is_shown = wanted.is_streamed and not wanted.wishes.bar
            request = self.offer_request(site, wanted.job, wanted.wishes, start + wanted.budget_s, is_shown)

            def answer(offer: Offer) -> None:
                self.send(offer.answer(wanted.job, time.perf_counter() - start))
                self.cancelled.discard(wanted.job)

            offer = self.offer_at(request, completer, quick, answer)
        return None if offer is None else offer.answer(wanted.job, time.perf_counter() - start)

    def offer_at(
        self,
        request: OfferRequest,
        completer: Completer,
        quick: Completer | None,
        answer: Callable[[Offer], None],
    ) -> Offer | None:
        """The offer at a request's site; None if `answer` gets it later. A user's request waits for the best
        model."""
        if completer is self.serving.remembering:
            return self.remembered_offer(request)
        if quick is None:
            self.two.end()
            return self.completing.offer_for(request, completer)
        return self.two.offer_at(BetterModelTask(request, completer, answer), quick)

    def remembered_offer(self, request: OfferRequest) -> Offer:
        """The offer where no model knows the language."""
        offer = self.two.offer_alone(request, self.serving.remembering)
        is_fault = offer.reason in ("broken", "comment")
        if request.site.known_language is PYTHON and not offer.texts and not is_fault:
            # Elsewhere closers alone are not wanted by one who types: of 51 such offers none was accepted.
            offer = self.completing.offer_for(request, GrammarAlone()).behind(offer)
        is_silent = offer.reason in ("no model", "parses", "unsure", "model silent")
        lacks_language = is_silent and self.serving.has_model
        return replace(offer, reason="model lacks language") if lacks_language else offer

    def write_on(self) -> bool:
        """Lets the better model write until a message waits; says whether there is more to write."""
        try:
            return self.two.go_on()
        except Exception as error:  # who waits for it has been told
            log_fault("a model could not write", error)
            return False

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:
        """Lets the model read a piece around the user's place, or only at it; says whether there is more."""
        try:
            return self.serving.read_ahead(self.limits.read_ahead, is_given_up, is_place_alone)
        except Exception as error:  # the request that comes later says more
            log_fault("nothing could be read ahead", error)
            return False

    def offer_request(
        self, site: Site, job: int, wishes: Wishes, deadline: float, is_shown: bool = False
    ) -> OfferRequest:
        """The request of a job; `is_shown`: texts are shown while they are written."""

        def is_cancelled() -> bool:
            return job in self.cancelled

        def is_cancelled_meanwhile() -> bool:
            # A pause between two steps of the model, during which its time budget runs on.
            while (other := self.next_job(self.written_for)) is not None:
                self.handle(other)
            return is_cancelled()

        def show(text: str) -> None:
            self.send(Partial(job, text))

        return OfferRequest(
            site, wishes, deadline, is_cancelled, is_cancelled_meanwhile, show if is_shown else None
        )

    @contextmanager
    def others_ahead(self, uri: str) -> Iterator[None]:
        """While a model writes for a document, requests for other documents go ahead, and its own wait."""
        self.written_for.append(uri)
        try:
            yield
        finally:
            self.written_for.pop()

    def answer_explain(self, wanted: Explain) -> FromWorker:
        text = self.text(wanted.text)
        if text is None:
            return MissingDocument(wanted.job)
        held = footing(Site.of(text, Hole(wanted.offset, wanted.offset)))
        if held is None:
            return Explained(wanted.job, "", None)
        uri = wanted.text.uri
        self.two.end()
        # This comes before the next request to the model.
        completer = self.serving.completer_for(text)
        prompt, told = completer.sent_prompt(uri) if isinstance(completer, WithModel) else ("", ())
        reasons = self.completing.choosing.judging.reasons(uri, self.serving.completer.name)
        trace = None if wanted.wishes is None else self.trace_at(wanted, wanted.wishes, held)
        following = held.recognizer.explain()
        return Explained(wanted.job, following, held.rung, reasons, prompt, told, trace)

    def trace_at(self, wanted: Explain, wishes: Wishes, held: Footing) -> Traced | None:
        """The text that the model wants at a place, as for a user's request."""
        site = held.site
        if not wishes.in_comments and site.is_comment:
            return None
        request = self.offer_request(site, wanted.job, wishes, time.perf_counter() + TRACING_SECONDS)
        with self.others_ahead(site.uri):
            return self.serving.completer_for(site.text).trace_attempt(Attempt(held, request))

    def answer_close_up(self, wanted: CloseUp) -> FromWorker:
        text = self.text(wanted.text)
        if text is None:
            return MissingDocument(wanted.job)
        return ClosedUp(wanted.job, closing_at(text, wanted.offset, wanted.rest))

    def answer_fill_together(self, wanted: FillTogether) -> FromWorker:
        text = self.text(wanted.text)
        if text is None:
            return MissingDocument(wanted.job)
        self.two.end()
        completer = self.serving.completer_for(text)
        model = completer.model if isinstance(completer, WithModel) else None
        is_cancelled = partial(contains, self.cancelled, wanted.job)
        opened = self.around.texts.beside(text.uri)
        found = () if is_cancelled() else texts_together(text, wanted, model, opened, is_cancelled)
        return Answer(wanted.job, reason="cancelled") if is_cancelled() else FilledTogether(wanted.job, found)

    def text(self, sent: SentText) -> WorkerText | None:
        """The document as it was sent; None if its edits do not follow the known text."""
        text = self.around.texts.following(sent, self.limits)
        if text is not None and sent.whole is None:
            self.around.project_context.note_edits(sent.uri, sent.edits)
        return text
