"""Edits that a model writes, for a change from which nothing follows by the rules.

The worker is asked once the user rests, and writes only while nothing else is asked of it. Its edits are then
proved by the process for next edits, as all others are. The next key ends all of that.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from fim_lsp.edits.texts.edit import NextEdit, Replacement
from fim_lsp.server.documents import Snapshot
from fim_lsp.server.next_edits.messages import FindNextEdits
from fim_lsp.server.next_edits.process import NextEditsProcess
from fim_lsp.server.session import DocumentSession
from fim_lsp.server.worker.messages import ProposedEdits, ProposeEdits
from fim_lsp.server.worker_client import Worker

# A user who has not typed for so long rests.
REST_SECONDS = 0.4
# The seconds for a model to write, less than those after which a worker counts as hanging.
BUDGET_SECONDS = 15.0
# The last parts of a path are shown to a model.
N_PARTS = 3


class AskedModel:
    """Asks a model in the worker."""

    def __init__(self, worker: Worker, process: NextEditsProcess, new_job_id: Callable[[], int]) -> None:
        self._worker, self._process, self._new_job_id = worker, process, new_job_id

    @property
    def is_there(self) -> bool:
        """Whether a model writes edits here."""
        return self._worker.writes_edits

    async def edits(
        self,
        session: DocumentSession,
        snapshot: Snapshot,
        asked: FindNextEdits,
        unsure: tuple[Replacement, ...],
    ) -> tuple[NextEdit, ...]:
        """The model's edits that hold; none if the text was overtaken. `asked` is the question to which the
        rules knew no answer."""
        rested = time.monotonic() - session.baseline.last_changed
        await asyncio.sleep(max(REST_SECONDS - rested, 0.0))
        written = await self._written_edits(session, snapshot, asked.changed.old, unsure)
        if not written or snapshot is not session.document.snapshot:
            return ()
        found = await self._process.ask(replace(asked, job=self._new_job_id(), written=written))
        return () if found is None else found.edits

    async def _written_edits(
        self, session: DocumentSession, snapshot: Snapshot, old: str, unsure: tuple[Replacement, ...]
    ) -> tuple[Replacement, ...]:
        for _ in range(2):
            if not await self._worker.start() or snapshot is not session.document.snapshot:
                return ()
            text = session.text_for(self._worker.generation)
            job = self._worker.new_job_id()
            wanted = ProposeEdits(job, text, old, shown_path(session.uri), unsure, BUDGET_SECONDS)
            result = await self._worker.result(wanted)
            if isinstance(result, ProposedEdits):
                return result.found
            session.forget_worker()
        return ()


def shown_path(uri: str) -> str:
    """The end of a document's path."""
    parts = PurePosixPath(unquote(urlsplit(uri).path)).parts
    return "/".join(part for part in parts[-N_PARTS:] if part != "/")
