"""The memory of the worker's process: how much it holds, and how it gives back what it does not use."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

# The parameters of mallopt(3), and the size from which a block is a mapping of its own.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
MAPPED_BYTES = 128 * 1024


def resident_memory() -> int | None:
    """The bytes that this process holds, where the system says so in a file."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


def hold_little() -> bool:
    """Has the C library keep little of what is freed; False where it cannot. To be called before any thread.

    It keeps what was freed on the heap of the thread that asked for it, and the larger the blocks are that
    come and go, the more it keeps: that grew to a fifth of all memory. With limits that stand still, and one
    heap, both processes hold 181 MB instead of 208 after 360 keys, and a key takes no more time
    (`python -m benches.typing`).
    """
    mallopt = c_function("mallopt")
    if mallopt is None:
        return False
    wanted = ((M_ARENA_MAX, 1), (M_MMAP_THRESHOLD, MAPPED_BYTES), (M_TRIM_THRESHOLD, MAPPED_BYTES))
    return all(mallopt(parameter, value) == 1 for parameter, value in wanted)


def give_back() -> bool:
    """Gives memory that nothing uses back to the system; False where the C library cannot.

    Charts come and go in pieces of all sizes. What they leave is kept by the C library, and comes to as much
    as is in use. To give it back takes a millisecond.
    """
    trim = c_function("malloc_trim")
    return trim is not None and bool(trim(0))


def c_function(name: str) -> Any:
    """A function that Linux' C library has and others do not."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)
