"""Look-ups on disk around a document: its exclusion, and its Python version.

They run on threads, since a disk, or a stranger's folder, may be slow; meanwhile all other documents are
served. Until the look-up ends, a document gets no offers, and none of its text leaves this process.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from fim_lsp.python_version import python_version
from fim_lsp.server.exclusion import exclusion, path_of

N_THREADS = 4
NOT_LOOKED_UP = "Whether the file is excluded is not known yet: its folder is still being looked at."
NOT_READABLE = "Whether the file is excluded could not be found out."


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one document. The folders are the editor's, all as URIs."""

    uri: str
    excluded_patterns: tuple[str, ...]
    folders: tuple[str, ...]
    python_version: str


@dataclass(frozen=True, slots=True)
class Findings:
    # The reason for the document's exclusion; empty if it is not excluded.
    excluded: str
    python_version: str


class LookupThreads:
    """The threads for look-ups."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(N_THREADS, "lookups")

    def begin(self, question: Question) -> asyncio.Future[Findings]:
        return asyncio.get_running_loop().run_in_executor(self._threads, findings, question)


def findings(question: Question) -> Findings:
    found = exclusion(question.uri, question.excluded_patterns, question.folders)
    # A document without a file counts as one in the editor's first folder.
    path = path_of(question.uri) or next(filter(None, map(path_of, question.folders)), None)
    return Findings(found.message if found else "", python_version(path, question.python_version or None))
