"""The files of a workspace as they are remembered: read one after the other, and bounded in every way."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fim_lsp.memory.index import Index, Tokens
from fim_lsp.memory.pieces import Encode, Kept
from fim_lsp.sources import Unreadable, python_files, read_source

MOST_TOKENS = 3_000_000
MOST_FILES = 4_000
# Larger files are data, or made by programs.
MOST_BYTES = 300_000
# Between two files, so that whoever types is served first.
PAUSE_SECONDS = 0.002
# How nice the thread is to others (`nice`).
NICENESS = 10


@dataclass(frozen=True, slots=True)
class Workspace:
    """Files with their index: which of its texts is whose."""

    uris: tuple[str, ...] = ()
    index: Index | None = None

    @classmethod
    def of(cls, files: Sequence[tuple[str, Tokens]], n_vocabulary: int) -> Workspace:
        if not files:
            return cls()
        return cls(tuple(uri for uri, _ in files), Index.of([tokens for _, tokens in files], n_vocabulary))

    @classmethod
    def of_texts(cls, texts: Iterable[tuple[str, str]], encode: Encode, n_vocabulary: int) -> Workspace:
        """The first texts that there is room for."""
        files, n_tokens = [], 0
        for uri, text in texts:
            tokens = Kept().tokens(text, encode)
            n_tokens += len(tokens)
            if n_tokens > MOST_TOKENS:
                break
            files.append((uri, tokens))
        return cls.of(files, n_vocabulary)


@dataclass(slots=True)
class Known:
    """A file's tokens, and what it was like when it was read."""

    state: tuple[int, int]
    tokens: Tokens


@dataclass(slots=True)
class Scan:
    """Reads the files of some folders, and again only those that have changed. One at a time."""

    encode: Encode
    n_vocabulary: int
    # Whether a file may be read at all: secrets and ignored files may not.
    is_admitted: Callable[[str], bool]
    # By their URIs; from the scan before, those that have not changed need not be read again.
    known: dict[str, Known] = field(default_factory=dict)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        self._stopped.set()

    def workspace(self, folders: Sequence[str]) -> Workspace | None:
        """What lies in the folders now; None if nothing has changed, or the scan was stopped."""
        be_nice()
        found: dict[str, Known] = {}
        has_changed, n_tokens = not self.known, 0
        for path in self._paths(folders):
            if self._stopped.is_set():
                return None
            known = self._file(path)
            if known is None:
                continue
            n_tokens += len(known.tokens)
            if n_tokens > MOST_TOKENS or len(found) >= MOST_FILES:
                break
            uri = Path(path).as_uri()
            has_changed |= self.known.get(uri) is not known
            found[uri] = known
        has_changed |= len(found) != len(self.known)
        self.known = found
        if not has_changed:
            return None
        return Workspace.of([(uri, known.tokens) for uri, known in found.items()], self.n_vocabulary)

    def _paths(self, folders: Sequence[str]) -> Iterator[str]:
        seen: set[str] = set()
        for folder in folders:
            for path in python_files(str(Path(folder).absolute())):
                if path not in seen:
                    seen.add(path)
                    yield path

    def _file(self, path: str) -> Known | None:
        try:
            state = Path(path).stat()
        except OSError:
            return None
        if state.st_size > MOST_BYTES:
            return None
        uri = Path(path).as_uri()
        if not self.is_admitted(uri):
            return None
        key = state.st_mtime_ns, state.st_size
        known = self.known.get(uri)
        if known is not None and known.state == key:
            return known
        time.sleep(PAUSE_SECONDS)
        try:
            return Known(key, Kept().tokens(read_source(path).text, self.encode))
        except Unreadable:
            return None


def be_nice() -> None:
    """Lets other threads go first, where the system has priorities for threads."""
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    except (AttributeError, OSError):
        # Windows has no such call.
        return
