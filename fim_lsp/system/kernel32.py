"""The calls of Windows' own library that are needed here, each with its types.

A handle is as wide as a pointer, and ctypes cuts it to an `int` of C where it is not told.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

HANDLE, DWORD, BOOL = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int
SYNCHRONIZE, QUERY_LIMITED = 0x0010_0000, 0x1000
FOREVER = 0xFFFF_FFFF
# The numbers and the bit of SetInformationJobObject that end a job with its last handle.
EXTENDED_LIMITS, KILL_ON_CLOSE = 9, 0x2000

# The arguments of each call, and its result.
CALLS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "AssignProcessToJobObject": ((HANDLE, HANDLE), BOOL),
    "CloseHandle": ((HANDLE,), BOOL),
    "CreateJobObjectW": ((ctypes.c_void_p, ctypes.c_wchar_p), HANDLE),
    "GetCurrentProcess": ((), HANDLE),
    "GetSystemPowerStatus": ((ctypes.c_void_p,), BOOL),
    "GlobalMemoryStatusEx": ((ctypes.c_void_p,), BOOL),
    "K32GetProcessMemoryInfo": ((HANDLE, ctypes.c_void_p, DWORD), BOOL),
    "OpenProcess": ((DWORD, BOOL, DWORD), HANDLE),
    "SetInformationJobObject": ((HANDLE, ctypes.c_int, ctypes.c_void_p, DWORD), BOOL),
    "TerminateJobObject": ((HANDLE, ctypes.c_uint), BOOL),
    "WaitForSingleObject": ((HANDLE, DWORD), DWORD),
}


class JobLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", DWORD),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("most_processes", DWORD),
        ("affinity", ctypes.c_size_t),
        ("priority", DWORD),
        ("scheduling", DWORD),
        ("counted", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class ProcessMemory(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS."""

    _fields_ = (
        ("size", DWORD),
        ("faults", DWORD),
        ("peak_working_set", ctypes.c_size_t),
        ("working_set", ctypes.c_size_t),
        ("pools", ctypes.c_size_t * 4),
        ("page_file", ctypes.c_size_t),
        ("peak_page_file", ctypes.c_size_t),
    )


class MachineMemory(ctypes.Structure):
    """MEMORYSTATUSEX."""

    _fields_ = (
        ("length", DWORD),
        ("load", DWORD),
        ("total", ctypes.c_uint64),
        ("free", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 5),
    )


class PowerStatus(ctypes.Structure):
    """SYSTEM_POWER_STATUS."""

    _fields_ = (
        ("line", ctypes.c_ubyte),
        ("battery", ctypes.c_ubyte),
        ("percent", ctypes.c_ubyte),
        ("system", ctypes.c_ubyte),
        ("seconds", DWORD),
        ("seconds_full", DWORD),
    )


@cache
def kernel32() -> Any:
    """The library, of our own, so that no other module's types for its calls are ours."""
    library = getattr(ctypes, "WinDLL")("kernel32", use_last_error=True)  # noqa: B009
    for name, (takes, gives) in CALLS.items():
        call = getattr(library, name)
        call.argtypes, call.restype = takes, gives
    return library
