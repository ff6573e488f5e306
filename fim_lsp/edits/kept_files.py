"""A project's files, kept in memory from one question to the next: a file that has not changed on disk is not
read again, and whether it may be read is asked once a version. Conclusions from it are asked again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

# Larger files are data, or made by programs.
MOST_BYTES = 300_000
# Of a larger project the rest is read each time.
MOST_KEPT = 128_000_000

# When a file was written, and how long it is.
Stamp = tuple[int, int]


@dataclass(slots=True)
class KeptFiles:
    """Files by their paths, each with its stamp; without content those that may not be read."""

    root: str
    _files: dict[str, tuple[Stamp, bytes | None]] = field(default_factory=dict)
    _n_bytes: int = 0

    def content(self, name: str, is_admitted: Callable[[Path], bool]) -> bytes | None:
        """The content of a file; None for one that is too large or may not be read. Raises `OSError`."""
        status = Path(name).stat()
        stamp = status.st_mtime_ns, status.st_size
        known = self._files.get(name)
        if known is not None and known[0] == stamp:
            return known[1]
        content = None
        if status.st_size <= MOST_BYTES and is_admitted(Path(name)):
            content = Path(name).read_bytes()
        if known is not None and known[1] is not None:
            self._n_bytes -= len(known[1])
        n_bytes = 0 if content is None else len(content)
        if self._n_bytes + n_bytes <= MOST_KEPT:
            self._files[name] = stamp, content
            self._n_bytes += n_bytes
        else:
            self._files.pop(name, None)
        return content


@lru_cache(maxsize=4)
def kept_below(root: str) -> KeptFiles:
    """The files of the folders that were asked about last."""
    return KeptFiles(root)


def content_of(name: str) -> bytes | None:
    """The content of a file that is not kept; None for one that is too large. Raises `OSError`."""
    path = Path(name)
    return path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
