"""One message after another: what the worker keeps between them, and what it answers.

Everything here runs on the worker's main thread, but two things: a message is noted on the thread that reads,
so that a cancelled job stops at its next step, and a model is loaded on a thread of its own, so that requests
are answered meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from fim_lsp.checkers.advice import Checkers
from fim_lsp.context.added_import import AddedImport
from fim_lsp.context.kept_outlines import forget_kept, outlines_folder
from fim_lsp.context.snippet import Context
from fim_lsp.decoding.advised import Adviser
from fim_lsp.known_languages import PYTHON, model_knows
from fim_lsp.runtimes.contexts import Contexts
from fim_lsp.server.log import log_fault
from fim_lsp.server.worker.calls import Calls
from fim_lsp.server.worker.choosing import Choosing, Place
from fim_lsp.server.worker.closing import closing_of_part
from fim_lsp.server.worker.completers import (
    Candidate,
    Completer,
    GrammarAlone,
    Task,
    WithModel,
    is_package,
)
from fim_lsp.server.worker.fitting import fits
from fim_lsp.server.worker.folder_reading import FolderReading, Scanned
from fim_lsp.server.worker.hole import Hole
from fim_lsp.server.worker.kept_texts import KeptTexts
from fim_lsp.server.worker.ladder import Footing, footing, named
from fim_lsp.server.worker.loading import ModelLoading, Ready
from fim_lsp.server.worker.manners import Setting, begins_block
from fim_lsp.server.worker.messages import (
    Answer,
    Asked,
    Cancel,
    Close,
    ClosedUp,
    CloseUp,
    Complete,
    Explain,
    Explained,
    Folders,
    Forget,
    FromWorker,
    Limits,
    Loaded,
    LoadModel,
    Missing,
    Partial,
    Prepare,
    Reason,
    Text,
    ToWorker,
    Traced,
    Trusted,
    Wishes,
)
from fim_lsp.server.worker.missing_import import Imports, missing_import, widened
from fim_lsp.server.worker.repair import REPAIR_SECONDS
from fim_lsp.server.worker.telling import Telling
from fim_lsp.server.worker.texts import WorkerText
from quotient import Language

# How long the model may write for who asks why, once with the engine and once without.
TRACING_SECONDS = 1.5


class Desk:
    """The worker's state. `send` goes to the server, `put` to what waits for the desk; `next_job` takes from
    there what is on the way to a job for another document than some."""

    def __init__(
        self,
        send: Callable[[FromWorker], None],
        put: Callable[[Ready | Scanned], None],
        next_job: Callable[[Collection[str]], ToWorker | Ready | Scanned | None] = lambda _: None,
    ) -> None:
        self.send = send
        self.next_job = next_job
        # The documents that a model is writing for. All but the last one have let others go ahead.
        self.written_for: list[str] = []
        self.cancelled: set[int] = set()
        self.limits = Limits()
        self.repair_s = REPAIR_SECONDS
        self.choosing = Choosing()
        self.completer: Completer = GrammarAlone(is_loading=True)
        self.texts = KeptTexts()
        self.loading = ModelLoading(send, put)
        self.telling = Telling()
        self.imports = Imports()
        self.reading = FolderReading(put, self.telling, self.imports)
        self.checkers = Checkers()

    def note(self, message: ToWorker) -> None:
        """On the thread that reads, ahead of everything that waits for its turn."""
        if isinstance(message, Cancel):
            self.cancelled.add(message.job)

    def handle(self, message: ToWorker | Ready | Scanned) -> None:
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
                self.texts.forget(uri)
                self.choosing.forget(uri)
                self.completer.forget(uri)
                self.telling.forget(uri)
                self.imports.forget(uri)
                self.checkers.close(uri)
            case Forget():
                self.texts.forget(None)
                self.completer.forget(None)
                self.telling.forget(None)
                # Another server may be writing there, and is waited for.
                arguments = (outlines_folder(),)
                threading.Thread(target=forget_kept, args=arguments, name="forgetting", daemon=True).start()
            case Limits():
                self.limits = message
            case LoadModel():
                self.load(message)
            case Folders():
                self.reading.folders = message
                self.reading.begin(self.completer)
            case Trusted(trusted):
                self.checkers.trust(trusted)
            case Scanned():
                self.reading.end(message, self.completer)
            case Ready():
                self.take(message)

    def load(self, wanted: LoadModel) -> None:
        if isinstance(self.completer, GrammarAlone):
            self.completer = GrammarAlone(is_loading=True)
        self.loading.begin(wanted, self.limits.model_sessions)

    def take(self, ready: Ready) -> None:
        if self.loading.is_wanted(ready):
            self.completer = ready.completer
            self.reading.begin(self.completer)
            self.send(Loaded(ready.completer.name, ready.message, ready.completer.note))

    def prepare(self, sent: Text) -> None:
        try:
            text = self.text(sent)
            if text is not None:
                text.tree.faults(text.text)
                footing(text, Hole(0, 0, ""))
                if text.known is PYTHON:
                    self.checkers.prepare(sent.uri, text.text)
                if isinstance(self.completer, WithModel) and text.known is PYTHON:
                    self.completer.memory.prepare(sent.uri, text.text)
        except Exception as error:  # the request that comes later says more
            log_fault("a document could not be prepared", error)

    def answer(self, wanted: Asked) -> FromWorker:
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
            self.texts.forget(wanted.text.uri)
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
        if not wanted.wishes.in_comments and self.is_prose(wanted, text):
            return Answer(wanted.job, reason="comment", seconds=time.perf_counter() - start)
        ground = footing(text, hole, self.repair_s)
        if ground is None:
            return Answer(wanted.job, reason="broken", seconds=time.perf_counter() - start)
        left = text.above + text.text[: wanted.start] + wanted.begun
        around = Setting(left, text.text[wanted.stop :], ground.recognizer, text.known)
        if "one line" in self.choosing.manners_of(wanted) and not begins_block(around):
            wanted = replace(wanted, wishes=replace(wanted.wishes, multi_line=False))
        if not wanted.wishes.scope and around.begun.strip():
            # Whoever asks in the middle of a statement wants its end, and not another one behind it.
            wanted = replace(wanted, wishes=replace(wanted.wishes, scope="statement"))
        # Closers bring no names, and what stands in front of them is somebody's who may know better.
        completer = self.completer_for(text)
        wide = None
        if wanted.wishes.names and not isinstance(completer, GrammarAlone):
            if wanted.wishes.imports and text.known is PYTHON:
                wide = widened(text, hole, ground, self.imports.names(wanted.text.uri))
            ground = named(text, hole, ground)
        task = self.task(wanted, text, ground, wanted.budget_s - (time.perf_counter() - start))
        found: dict[str, AddedImport | None] = {}
        if wide is not None:
            task.recognizer, task.contexts = wide.recognizer, contexts_of(text.language, wide)
            written = self.written(completer, wanted, text, task)
            texts, reason = self.chosen(Place(wanted, text, wide), around, written)
            found = self.imported(wanted, text, ground, texts)
            task.budget_s = max(wanted.budget_s - (time.perf_counter() - start), 0.0)
        # Of what was written with other names, nothing may have been right.
        if wide is None or (texts and not found and task.budget_s):
            task.recognizer, task.contexts = ground.recognizer, contexts_of(text.language, ground)
            written = self.written(completer, wanted, text, task)
            texts, reason = self.chosen(Place(wanted, text, ground), around, written)
            found = dict.fromkeys(texts)
        return Answer(
            wanted.job,
            tuple(found),
            reason if found or reason else "model silent",
            ground.rung,
            time.perf_counter() - start,
            task.seconds,
            tuple(task.refused),
            tuple(found.values()) if any(found.values()) else (),
        )

    def imported(
        self, wanted: Complete, text: WorkerText, ground: Footing, texts: tuple[str, ...]
    ) -> dict[str, AddedImport | None]:
        """Those of some texts with which the file is right, each with the import that it needs for that."""
        hole = Hole(wanted.start, wanted.stop, wanted.begun)
        found: dict[str, AddedImport | None] = {}
        for whole in texts:
            offer = whole.removeprefix(wanted.begun)
            added = missing_import(text, hole, offer, wanted.text.uri, self.imports.importable)
            if added is not None or fits(ground.recognizer, offer):
                found[whole] = added
        return found

    def written(
        self, completer: Completer, wanted: Complete, text: WorkerText, task: Task
    ) -> list[Candidate] | Reason:
        """What a model writes, while others' requests may go ahead."""
        start = time.perf_counter()
        self.written_for.append(wanted.text.uri)
        try:
            task.adviser = self.adviser(wanted, text, task)
            return completer.written(task)
        finally:
            self.written_for.pop()
            task.seconds += time.perf_counter() - start

    def chosen(
        self, place: Place, around: Setting, written: list[Candidate] | Reason
    ) -> tuple[tuple[str, ...], Reason | None]:
        """What is offered of what was written, and else the reason."""
        if place.wanted.job in self.cancelled:
            return (), "cancelled"
        if isinstance(written, str):
            return (), written
        return self.choosing.chosen(place, around, written, self.completer.name)

    def completer_for(self, text: WorkerText) -> Completer:
        """The model, if it knows the document's language; else what closes what is open."""
        if model_knows(self.completer.name, text.known):
            return self.completer
        return GrammarAlone(lacks_language=True)

    def adviser(self, wanted: Complete, text: WorkerText, task: Task) -> Adviser | None:
        """Who knows the types around a place."""
        if text.known is not PYTHON:
            return None
        checker = self.checkers.advice(wanted.text.uri, task.left, task.right, wanted.wishes.is_asked)
        if not wanted.wishes.names:
            return checker
        return Calls(text, wanted.start, wanted.stop, wanted.begun, checker)

    def is_prose(self, wanted: Complete, text: WorkerText) -> bool:
        """Whether the place is in a comment; while somebody types, docstrings are as good as comments."""
        is_docstring = "docstring" in self.choosing.manners_of(wanted) and text.is_docstring(wanted.start)
        return is_docstring or text.is_comment(wanted.start)

    def task(self, wanted: Complete, text: WorkerText, ground: Footing, budget_s: float) -> Task:
        def is_cancelled() -> bool:
            # Between two steps of the model. Its time budget runs on meanwhile.
            while (other := self.next_job(self.written_for)) is not None:
                self.handle(other)
            return wanted.job in self.cancelled

        def on_partial(partial: str) -> None:
            offer = place.offer(partial)
            if offer is not None and not place.is_worse(offer):
                self.send(Partial(wanted.job, wanted.begun + offer))

        place = Place(wanted, text, ground)
        left = text.above + text.text[: wanted.start] + wanted.begun
        right = text.text[wanted.stop :]

        def context() -> Context:
            return self.telling.context(wanted.text.uri, left, right, self.texts.beside(wanted.text.uri))

        return Task(
            wanted.text.uri,
            left,
            right,
            ground.recognizer,
            wanted.wishes,
            max(budget_s, 0.0),
            is_cancelled,
            # What is unsure is not to be seen for a moment either.
            on_partial if wanted.is_streamed and not wanted.wishes.bar else None,
            # Of the project's other files only those in Python are read.
            context if text.known is PYTHON else None,
            contexts_of(text.language, ground),
            known=text.known,
            modules=self.imports.importable.parts(wanted.text.uri) if is_package(wanted.text.uri) else None,
            imports=partial(self.imports.openings, wanted.text.uri),
        )

    def explained(self, wanted: Explain) -> FromWorker:
        text = self.text(wanted.text)
        if text is None:
            return Missing(wanted.job)
        ground = footing(text, Hole(wanted.offset, wanted.offset, ""))
        if ground is None:
            return Explained(wanted.job, "", None)
        uri = wanted.text.uri
        # Before the model is asked again.
        prompt, told = self.completer.sent(uri) if isinstance(self.completer, WithModel) else ("", ())
        reasons = self.choosing.reasons(uri, self.completer.name)
        trace = None if wanted.wishes is None else self.traced(wanted, wanted.wishes, text, ground)
        following = ground.recognizer.explain()
        return Explained(wanted.job, following, ground.rung, reasons, prompt, told, trace)

    def traced(self, wanted: Explain, wishes: Wishes, text: WorkerText, ground: Footing) -> Traced | None:
        """What the model wants at a place, as if somebody asked for it there."""
        if not wishes.in_comments and text.is_comment(wanted.offset):
            return None
        asked = Complete(wanted.job, wanted.text, wanted.offset, wanted.offset, "", wishes, TRACING_SECONDS)
        self.written_for.append(wanted.text.uri)
        try:
            return self.completer_for(text).traced(self.task(asked, text, ground, TRACING_SECONDS))
        finally:
            self.written_for.pop()

    def closed_up(self, wanted: CloseUp) -> FromWorker:
        text = self.text(wanted.text)
        if text is None:
            return Missing(wanted.job)
        ground = footing(text, Hole(wanted.offset, wanted.offset, ""))
        if ground is None:
            return ClosedUp(wanted.job, None)
        right = text.text[wanted.offset :]
        return ClosedUp(wanted.job, closing_of_part(ground.recognizer, right, wanted.rest, text.known))

    def text(self, sent: Text) -> WorkerText | None:
        """The document as it was sent; None when the edits do not follow what is here."""
        text = self.texts.following(sent, self.limits)
        if text is not None and sent.whole is None:
            self.telling.noted(sent.uri, sent.edits)
        return text


def contexts_of(language: Language, ground: Footing) -> Contexts:
    """What a server with our plugin in it can be held to: the part of the file that a completion is held to
    here."""
    return Contexts(
        ground.left,
        ground.right,
        language.name,
        language.version,
        ground.recognizer.has_names,
        known=ground.known,
    )
