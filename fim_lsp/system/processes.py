"""Processes that end together, and processes that are waited for.

On POSIX a tree of processes is a session, ended by a signal to its group. Windows has jobs instead: the
children of a job's process are in the job, which ends with its last handle. We never close the handle of our
own job, so the processes that this one has started end with it, however it ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fim_lsp.system.kernel32 import (
    EXTENDED_LIMITS,
    FOREVER,
    KILL_ON_CLOSE,
    SYNCHRONIZE,
    JobLimits,
    kernel32,
)
from fim_lsp.system.kind import is_linux, is_windows

PR_SET_PDEATHSIG = 1
# The seconds between two looks, on POSIX, whether a process that is no child of ours still lives.
LOOK_SECONDS = 2.0
# The flag of CreateProcess with which a program of the console gets none, so that no black window opens.
NO_WINDOW = 0x0800_0000


# --- trees -----------------------------------------------------------------------------------------------


def tree_options() -> dict[str, Any]:
    """The options for `Popen` of a process that is ended with all that it starts."""
    return {"creationflags": NO_WINDOW} if is_windows() else {"start_new_session": True}


class Tree:
    """A process that was started with `tree_options`, and all that it starts."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._lock = threading.Lock()
        # Processes that it has started in the instant before are not of the job; it has hardly begun.
        self._job = job_of(int(process._handle)) if is_windows() else None  # type: ignore[attr-defined]

    def end(self) -> None:
        """Ends all of it, at once; a caller that wants to know when waits for the process."""
        if is_windows():
            self._end_job()
        else:
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _end_job(self) -> None:
        with self._lock:
            job, self._job = self._job, None
        if job is None:
            # Windows has refused a job.
            with suppress(OSError):
                self._process.kill()
        else:
            kernel32().TerminateJobObject(job, 1)
            kernel32().CloseHandle(job)


def job_of(process: int) -> int | None:
    """A job with this process in it, by its handle; None where Windows refuses."""
    library = kernel32()
    job = library.CreateJobObjectW(None, None)
    if not job:
        return None
    limits = JobLimits(flags=KILL_ON_CLOSE)
    if library.SetInformationJobObject(
        job, EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
    ) and library.AssignProcessToJobObject(job, process):
        return int(job)
    library.CloseHandle(job)
    return None


# The job of this process and of all that it starts. It is never closed: Windows does that when we end.
_own_job: int | None = None


def end_children_with_us() -> None:
    """Has Windows end what this process starts as it ends, whatever the cause. Elsewhere a child asks for it
    (`end_with_parent`), or sees that its input ends."""
    global _own_job
    if is_windows() and _own_job is None:
        _own_job = job_of(kernel32().GetCurrentProcess())


def end_with_parent() -> None:
    """Has Linux kill this process when the one that started it is gone; a frozen one would not see that."""
    if is_linux():
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


# --- others ----------------------------------------------------------------------------------------------


class Watched:
    """A process of another program, such as the editor, that lived when it was looked for."""

    def __init__(self, pid: int, handle: int | None) -> None:
        self._pid = pid
        # Windows': a number may be given to another process as soon as one has ended, a handle stays its own.
        self._handle = handle

    def wait(self) -> None:
        """Comes back once it has ended."""
        if self._handle is not None:
            kernel32().WaitForSingleObject(self._handle, FOREVER)
            return
        while is_alive(self._pid):
            time.sleep(LOOK_SECONDS)


def watch_process(pid: int) -> Watched | None:
    """A process by its number; None where there is none, or none that can be seen from here."""
    if not is_windows():
        return Watched(pid, None) if is_alive(pid) else None
    if not 0 < pid < FOREVER:
        return None
    handle = kernel32().OpenProcess(SYNCHRONIZE, False, pid)
    if not handle:
        return None
    # A process that has ended is there as long as another one has a handle to it.
    if kernel32().WaitForSingleObject(handle, 0) == 0:
        kernel32().CloseHandle(handle)
        return None
    return Watched(pid, int(handle))


def is_alive(pid: int) -> bool:
    """Whether a process lives, on POSIX: elsewhere signal 0 is no question but a signal."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        # Someone else's, or none of this system's.
        return True
    return True


@contextmanager
def deaf_children() -> Iterator[None]:
    """In this context, processes are started that do not hear Ctrl-C, not even before they can say so.

    A terminal sends it to all processes, but it is for the parent, which lets the others come to an end.
    """
    if is_windows():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
