"""Reading small files of a folder that is not trusted: regular ones, up to a size.

A file named `.gitignore` may be a pipe that never says anything, or a link to a device that never ends.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

# Ignore files and project files are some kilobytes.
MAX_BYTES = 1 << 20


class OverLimit(Exception):
    """A file is larger than hand-written ones."""


def bounded_text(path: Path, limit: int = MAX_BYTES) -> str | None:
    """A file's text; None where there is none that could be read. Raises `OverLimit`."""
    content = bounded_bytes(path, limit)
    return None if content is None else content.decode("utf-8-sig", "replace")


def bounded_bytes(path: Path, limit: int = MAX_BYTES) -> bytes | None:
    """A regular file's content; None where there is none that could be read. Raises `OverLimit`.

    Also of `/proc/kmsg`, which looks like an empty file and is one that waits for what the kernel says next.
    """
    try:
        # Opened without waiting: a pipe would be waited for until another program writes to it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    except (OSError, ValueError):
        return None
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            return None
        if not state.st_size:
            return b""
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(limit + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise OverLimit(f"{path.name} is larger than {limit >> 10} kB")
    return content
