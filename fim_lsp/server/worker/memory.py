"""The memory of the worker's process: how much it holds, and how it gives back what it does not use."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def resident_memory() -> int | None:
    """The bytes that this process holds, where the system says so in a file."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


def give_back() -> bool:
    """Gives memory that nothing uses back to the system; False where the C library cannot.

    Charts come and go in pieces of all sizes. What they leave is kept by the C library, and comes to as much
    as is in use. To give it back takes a millisecond.
    """
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim is not None and bool(trim(0))
