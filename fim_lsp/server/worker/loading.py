"""Loads models, each on a thread of its own, so that requests are answered meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from fim_lsp.server.log import log_fault
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.messages import Loading, LoadModel
from fim_lsp.server.worker.with_model import load_completer


@dataclass(frozen=True, slots=True)
class Ready:
    """The result of the loading thread: the new completer."""

    ticket: int
    completer: Completer
    message: str


class ModelLoading:
    """Loads models; the last requested one wins.

    `send` reports progress to the server, `put` hands the model to the job loop.
    """

    def __init__(self, send: Callable[[Loading], None], put: Callable[[Ready], None]) -> None:
        self._send = send
        self._put = put
        self._ticket = 0
        self._one_at_a_time = threading.Lock()

    def begin(self, wanted: LoadModel, max_sessions: int) -> None:
        self._ticket += 1
        arguments = (self._ticket, wanted, max_sessions)
        threading.Thread(target=self._load, args=arguments, name="loading", daemon=True).start()

    def is_wanted(self, ready: Ready) -> bool:
        """Whether no other model was requested later."""
        return ready.ticket == self._ticket

    def _load(self, ticket: int, wanted: LoadModel, max_sessions: int) -> None:
        def on_progress(stage: str, fraction: float) -> None:
            self._send(Loading(stage, fraction))

        # Models are loaded one by one, since the lazy imports of transformers are not thread-safe.
        with self._one_at_a_time:
            if ticket != self._ticket:
                return
            try:
                completer, message = load_completer(
                    wanted.name, wanted.device, max_sessions, on_progress, gpu_layers=wanted.gpu_layers
                )
            except Exception as error:  # what a model's own code may raise is not ours to list
                log_fault("a model could not be loaded", error)
                message = f"the model cannot be loaded: {type(error).__name__}: {error}"
                completer = GrammarAlone()
        self._put(Ready(ticket, completer, message))
