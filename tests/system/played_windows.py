"""A simulated Windows library: processes, jobs and handles behave as on Windows, and calls are recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fim_lsp.system.kernel32 import FOREVER, SYNCHRONIZE

OWN_HANDLE = -1


@dataclass
class PlayedKernel:
    """The kernel that the calls of `fim_lsp.system.kernel32` find."""

    # Ids of running processes.
    living: set[int] = field(default_factory=set)
    # Other users' processes, which may not be opened.
    forbidden: set[int] = field(default_factory=set)
    # The bytes that processes hold, by id.
    held: dict[int, int] = field(default_factory=dict)
    memory: int = 0
    line: int = 1
    refuses_jobs: bool = False
    # The processes and jobs behind handles: an id for a process, a set of handles for a job.
    handles: dict[int, int | set[int]] = field(default_factory=dict)
    kills_on_close: set[int] = field(default_factory=set)
    said: list[str] = field(default_factory=list)

    def _handle(self, of: int | set[int]) -> int:
        handle = 0x1_0000_0000 + len(self.said) * 4
        self.handles[handle] = of
        return handle

    def OpenProcess(self, rights: int, inherits: bool, pid: int) -> int:  # noqa: N802
        assert not inherits
        self.said.append(f"open {pid}{' to wait' if rights == SYNCHRONIZE else ''}")
        is_known = pid in self.living or pid in self.held
        return self._handle(pid) if is_known and pid not in self.forbidden else 0

    def CloseHandle(self, handle: int) -> int:  # noqa: N802
        self.said.append("close")
        if handle in self.kills_on_close:
            self._end(handle)
        del self.handles[handle]
        return 1

    def WaitForSingleObject(self, handle: int, milliseconds: int) -> int:  # noqa: N802
        self.said.append("wait for ever" if milliseconds == FOREVER else f"wait {milliseconds}")
        process = self.handles[handle]
        assert isinstance(process, int)
        if milliseconds == FOREVER:
            self.living.discard(process)
        return 0x102 if process in self.living else 0

    def GetCurrentProcess(self) -> int:  # noqa: N802
        return OWN_HANDLE

    def CreateJobObjectW(self, security: None, name: None) -> int:  # noqa: N802
        assert security is name is None
        self.said.append("job")
        return 0 if self.refuses_jobs else self._handle(set())

    def SetInformationJobObject(self, job: int, kind: int, limits: Any, n_bytes: int) -> int:  # noqa: N802
        # JobObjectExtendedLimitInformation, with its size on a 64-bit Windows.
        assert (kind, n_bytes, limits._obj.flags) == (9, 144, 0x2000)
        self.kills_on_close.add(job)
        return 1

    def AssignProcessToJobObject(self, job: int, process: int) -> int:  # noqa: N802
        members = self.handles[job]
        assert isinstance(members, set)
        members.add(process)
        return 1

    def TerminateJobObject(self, job: int, code: int) -> int:  # noqa: N802
        assert code
        self.said.append("terminate")
        self._end(job)
        return 1

    def _end(self, job: int) -> None:
        members = self.handles[job]
        assert isinstance(members, set)
        self.living -= members
        members.clear()

    def K32GetProcessMemoryInfo(self, handle: int, found: Any, n_bytes: int) -> int:  # noqa: N802
        assert n_bytes == found._obj.size == 72
        process = self.handles[handle]
        assert isinstance(process, int)
        found._obj.working_set = self.held.get(process, 0)
        return int(process in self.held)

    def GlobalMemoryStatusEx(self, status: Any) -> int:  # noqa: N802
        assert status._obj.length == 64
        status._obj.total = self.memory
        return int(self.memory > 0)

    def GetSystemPowerStatus(self, status: Any) -> int:  # noqa: N802
        status._obj.line = self.line
        return 1
