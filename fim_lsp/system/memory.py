"""The memory of processes and of the machine, in bytes, and the part that the C library gives back."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

from fim_lsp.system.kernel32 import QUERY_LIMITED, MachineMemory, ProcessMemory, kernel32
from fim_lsp.system.kind import is_linux, is_mac, is_windows

PROC = Path("/proc")
# The parameters of mallopt(3), and the size from which a block is a mapping of its own.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
MAPPED_BYTES = 128 * 1024
# The question to macOS' proc_pidinfo, and the length of the answer: six numbers of 8 bytes and 12 of 4.
TASK_INFO, TASK_INFO_BYTES = 4, 96


def resident_memory() -> int | None:
    """The bytes that this process holds; None where the system does not say."""
    return memory_of(os.getpid())


def memory_of(pid: int) -> int | None:
    """The bytes that a process holds; None where there is none, or the system does not say."""
    if is_windows():
        return on_windows(pid)
    if is_mac():
        return on_mac(pid)
    try:
        return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def on_windows(pid: int) -> int | None:
    library = kernel32()
    handle = library.OpenProcess(QUERY_LIMITED, False, pid)
    if not handle:
        return None
    found = ProcessMemory(size=ctypes.sizeof(ProcessMemory))
    is_told = library.K32GetProcessMemoryInfo(handle, ctypes.byref(found), found.size)
    library.CloseHandle(handle)
    return int(found.working_set) if is_told else None


def on_mac(pid: int) -> int | None:
    found = (ctypes.c_uint64 * (TASK_INFO_BYTES // 8))()
    call = c_library().proc_pidinfo
    call.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_int)
    n_bytes = call(pid, TASK_INFO, 0, ctypes.byref(found), TASK_INFO_BYTES)
    # The first number is what it has reserved, the second one what it holds.
    return int(found[1]) if n_bytes == TASK_INFO_BYTES else None


def physical_memory() -> int | None:
    """The memory of the machine; None where the system does not say."""
    if is_windows():
        status = MachineMemory(length=ctypes.sizeof(MachineMemory))
        return int(status.total) if kernel32().GlobalMemoryStatusEx(ctypes.byref(status)) else None
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None


def hold_little() -> bool:
    """Has the C library keep little of what is freed; False where it cannot. To be called before any thread.

    It keeps what was freed on the heap of the thread that asked for it, and the larger the blocks are that
    come and go, the more it keeps: that grew to a fifth of all memory. With limits that stand still, and one
    heap, both processes hold 181 MB instead of 208 after 360 keys, and a key takes no more time
    (`python -m benches.typing`).
    """
    mallopt = of_linux("mallopt")
    if mallopt is None:
        return False
    wanted = ((M_ARENA_MAX, 1), (M_MMAP_THRESHOLD, MAPPED_BYTES), (M_TRIM_THRESHOLD, MAPPED_BYTES))
    return all(mallopt(parameter, value) == 1 for parameter, value in wanted)


def give_back() -> bool:
    """Gives memory that nothing uses back to the system; False where the C library cannot.

    Charts come and go in pieces of all sizes. What they leave is kept by the C library, and comes to as much
    as is in use. To give it back takes a millisecond.
    """
    trim = of_linux("malloc_trim")
    return trim is not None and bool(trim(0))


def of_linux(name: str) -> Any:
    """A function that Linux' C library has and others do not; musl has none of them."""
    return getattr(c_library(), name, None) if is_linux() else None


def c_library() -> Any:
    return ctypes.CDLL(None)
