"""Preparation before the first request: a plugin waits a second or two, and then shows nothing.

A request that names no language tries one after the other, and loading one takes up to half a second of
processor time.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from fim_lsp.endpoint.part import ALL_BY_WHAT_PARSES, NEWEST, PythonVersions, languages_of
from fim_lsp.endpoint.writers import TextWriter


class Preparation:
    """A thread that loads the languages, in the order of trying, then the writer's models."""

    def __init__(self, writer: TextWriter, pythons: PythonVersions = NEWEST) -> None:
        self._writer = writer
        self._pythons = pythons
        self._has_ended = False
        self._thread = threading.Thread(target=self._prepare, name="fim-lsp-prepares", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Stops after the language that is being loaded: the exit must not cut it off."""
        self._has_ended = True
        if self._thread.is_alive():
            self._thread.join()

    def _prepare(self) -> None:
        for name in ALL_BY_WHAT_PARSES:
            for _ in languages_of(name, self._pythons):
                if self._has_ended:
                    return
        # The first request meets the same failure and reports it.
        with suppress(Exception):
            self._writer.prepare(self.is_wanted)

    def is_wanted(self) -> bool:
        return not self._has_ended
