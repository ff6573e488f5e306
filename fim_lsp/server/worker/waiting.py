"""Waiting messages, and their order.

A message for which the editor waits goes first; preparing a document can wait. A job whose model is writing
lets jobs for other documents go ahead, since the cursor is now in one of them. Messages about one document
keep their order.
"""

from __future__ import annotations

import queue
from collections.abc import Collection
from contextlib import suppress
from typing import Generic, TypeVar

from fim_lsp.server.worker.messages import Asked, Close, Prepare, Rest, ToWorker

Other = TypeVar("Other")


class Waiting(Generic[Other]):
    """`put` may be called on any thread, all else on the worker's main thread."""

    def __init__(self) -> None:
        self._arriving: queue.SimpleQueue[ToWorker | Other] = queue.SimpleQueue()
        self._messages: list[ToWorker | Other] = []

    def put(self, message: ToWorker | Other) -> None:
        self._arriving.put(message)

    def next(self) -> ToWorker | Other:
        """The next message; waits until there is one."""
        self._collect()
        if not self._messages:
            self._messages.append(self._arriving.get())
        urgent = (index for index, message in enumerate(self._messages) if not isinstance(message, Prepare))
        return self._taken_message(next(urgent, 0))

    @property
    def is_empty(self) -> bool:
        """Whether no message waits, including one that arrives right now."""
        return not self._messages and self._arriving.empty()

    def rests(self, seconds: float) -> bool:
        """Waits for some seconds; says whether no message came."""
        self._collect()
        if not self._messages:
            with suppress(queue.Empty):
                self._messages.append(self._arriving.get(timeout=seconds))
        return not self._messages

    def next_job(self, busy: Collection[str]) -> ToWorker | Other | None:
        """The next job for a document other than `busy`, or a message that must be handled before it."""
        self._collect()
        for index, message in enumerate(self._messages):
            if isinstance(message, Asked) and message.text.uri not in busy:
                return self._taken_message(index)
        return None

    def _collect(self) -> None:
        while not self._arriving.empty():
            self._messages.append(self._arriving.get())

    def _taken_message(self, wanted: int) -> ToWorker | Other:
        """Takes a message, or the first one in front of it about the same document."""
        uri = uri_of(self._messages[wanted])
        in_front = (index for index in range(wanted) if uri and uri_of(self._messages[index]) == uri)
        return self._messages.pop(next(in_front, wanted))


def uri_of(message: object) -> str | None:
    """The document of a message; None for messages about none or all."""
    if isinstance(message, Prepare | Rest | Asked):
        return message.text.uri
    return message.uri if isinstance(message, Close) else None
