"""What a first request would wait for, done while none has come: a plugin waits a second or two, and then
shows nothing.

A request that names no language looks at one after the other, and loading one takes up to half a second of a
processor.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from fim_lsp.endpoint.part import ALL_BY_WHAT_PARSES
from fim_lsp.endpoint.writers import TextWriter
from quotient import Language


class Preparation:
    """A thread that loads the languages, in the order in which they are tried, then the writer's models."""

    def __init__(self, writer: TextWriter) -> None:
        self._writer = writer
        self._has_ended = False
        self._thread = threading.Thread(target=self._prepare, name="fim-lsp-prepares", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Loads no more. The one that is being loaded is waited for: none is to be cut off at the exit."""
        self._has_ended = True
        if self._thread.is_alive():
            self._thread.join()

    def _prepare(self) -> None:
        for name in ALL_BY_WHAT_PARSES:
            if self._has_ended:
                return
            Language.load(name)
        # Whatever it is, the request that comes later says more.
        with suppress(Exception):
            self._writer.prepare(self.is_wanted)

    def is_wanted(self) -> bool:
        return not self._has_ended
