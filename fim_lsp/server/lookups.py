"""Look-ups on disk around documents: their beginning, the requests that wait, and their effects.

A lookup delays a request by a millisecond, unless a disk is gone. If it excludes the document, the text is
dropped here and in the worker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from fim_lsp.server.log import log_fault
from fim_lsp.server.lookup_threads import NOT_READABLE, LookupThreads, Question
from fim_lsp.server.session import DocumentSession
from fim_lsp.server.worker.messages import Close
from fim_lsp.server.worker_client import Worker
from fim_lsp.system.addresses import own_address

# The seconds that a request waits for look-ups on disk.
LOOKUP_SECONDS = 0.5


class Lookups:
    """The look-ups, one at a time around each document."""

    def __init__(self, worker: Worker, folder_uris: Callable[[], Iterable[str]]) -> None:
        self.threads = LookupThreads()
        self._worker = worker
        self._folder_uris = folder_uris

    def begin(self, session: DocumentSession) -> None:
        """Begins a lookup around a document; one that is under way is repeated."""
        if session.lookup is not None and not session.lookup.done():
            session.must_look_up_again = True
            return
        session.lookup = asyncio.ensure_future(self._look_up(session))

    async def settle(self, *sessions: DocumentSession) -> None:
        """Waits for the look-ups around some documents, but not for a disk that is gone."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + LOOKUP_SECONDS
        # One lookup may end and another begin before this continues.
        while (pending := under_way(sessions)) and clock() < deadline:
            await asyncio.wait(pending, timeout=deadline - clock())

    async def _look_up(self, session: DocumentSession) -> None:
        """Ends only after the result is applied, since a request may come in between."""
        while True:
            session.must_look_up_again = False
            lookup = self.threads.begin(self._question(session))
            await asyncio.wait({lookup})
            if not session.must_look_up_again:
                break
        if (error := lookup.exception()) is not None:
            log_fault("a document's folder could not be looked at", error)
            session.excluded = NOT_READABLE
            return
        found = lookup.result()
        session.excluded, session.python_version = found.excluded, found.python_version
        if found.excluded and not session.document.is_withheld:
            # The text of an excluded document is dropped.
            session.overtake()
            session.document.withhold()
            session.cache.clear()
            self._worker.send(Close(own_address(session.uri)))

    def _question(self, session: DocumentSession) -> Question:
        settings, folders = session.settings, tuple(self._folder_uris())
        return Question(session.file, settings.exclude, folders, settings.python_version)


def under_way(sessions: Iterable[DocumentSession]) -> set[asyncio.Future[None]]:
    return {one.lookup for one in sessions if one.lookup is not None and not one.lookup.done()}
