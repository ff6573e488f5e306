"""Loads models, each on a thread of its own, so that requests are answered meanwhile. The model that writes
edits comes second, and is often the same."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.server.log import log_fault
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.edit_writing import load_edit_writer
from fim_lsp.server.worker.messages import Loading, LoadModel
from fim_lsp.server.worker.with_model import load_completer

if TYPE_CHECKING:
    from fim_lsp.edits.writers import EditWriter


@dataclass(frozen=True, slots=True)
class Ready:
    """The result of the loading thread: the new completer."""

    ticket: int
    completer: Completer
    message: str


@dataclass(frozen=True, slots=True)
class ReadyWriter:
    """The writer of edits that was loaded; None for no writer."""

    ticket: int
    writer: EditWriter | None
    message: str


class ModelLoading:
    """Loads models; the last requested one wins.

    `send` reports progress to the server, `put` hands the model to the job loop.
    """

    def __init__(self, send: Callable[[Loading], None], put: Callable[[Ready | ReadyWriter], None]) -> None:
        self._send = send
        self._put = put
        self._ticket = 0
        self._one_at_a_time = threading.Lock()
        # The last loaded completer, which serves on where only the model for edits changes.
        self._loaded: Ready | None = None
        self._loaded_for: LoadModel | None = None

    def begin(self, wanted: LoadModel, max_sessions: int) -> None:
        self._ticket += 1
        arguments = (self._ticket, wanted, max_sessions)
        threading.Thread(target=self._load, args=arguments, name="loading", daemon=True).start()

    def is_wanted(self, ready: Ready | ReadyWriter) -> bool:
        """Whether no other model was requested later."""
        return ready.ticket == self._ticket

    def _load(self, ticket: int, wanted: LoadModel, max_sessions: int) -> None:
        def on_progress(stage: str, fraction: float) -> None:
            self._send(Loading(stage, fraction))

        # Models are loaded one by one, since the lazy imports of transformers are not thread-safe.
        with self._one_at_a_time:
            if ticket != self._ticket:
                return
            ready = self._ready(ticket, wanted, max_sessions, on_progress)
            self._put(ready)
            try:
                writer, message = load_edit_writer(wanted, ready.completer, on_progress)
            except Exception as error:  # as above
                log_fault("a model for edits could not be loaded", error)
                writer, message = None, f"{wanted.edits} cannot be loaded: {type(error).__name__}: {error}"
        self._put(ReadyWriter(ticket, writer, message))

    def _ready(
        self, ticket: int, wanted: LoadModel, max_sessions: int, on_progress: Callable[[str, float], None]
    ) -> Ready:
        apart = replace(wanted, edits=None)
        if self._loaded is not None and self._loaded_for == apart:
            return replace(self._loaded, ticket=ticket)
        try:
            wishes = RuntimeWishes(device=wanted.device, gpu_layers=wanted.gpu_layers)
            completer, message = load_completer(wanted.name, wishes, max_sessions, on_progress)
        except Exception as error:  # what a model's own code may raise is not ours to list
            log_fault("a model could not be loaded", error)
            message = f"the model cannot be loaded: {type(error).__name__}: {error}"
            completer = GrammarAlone()
        ready = Ready(ticket, completer, message)
        # A model that could not be loaded may be there the next time.
        self._loaded, self._loaded_for = (ready, apart) if not message else (None, None)
        return ready
