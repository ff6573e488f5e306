"""Figures of memory from each system's own call."""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from fim_lsp.system import kernel32, memory, power
from fim_lsp.system.kind import is_windows
from tests.system.played_windows import PlayedKernel


def play(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)


def test_what_this_process_holds_is_what_others_say() -> None:
    said = psutil.Process().memory_info().rss
    assert memory.resident_memory() == pytest.approx(said, rel=0.05)
    assert memory.physical_memory() == pytest.approx(psutil.virtual_memory().total, rel=0.01)


def test_of_a_process_that_is_not_there_nothing_is_known() -> None:
    assert memory.memory_of((1 << 22) + 1) is None


def test_windows_is_asked_by_a_handle_that_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    played = PlayedKernel(living={4712, 4713}, held={4712: 123_456_789}, memory=16 << 30)
    play(monkeypatch, "win32")
    monkeypatch.setattr(memory, "kernel32", lambda: played)
    assert memory.memory_of(4712) == 123_456_789
    assert memory.memory_of(4711) is None
    assert memory.memory_of(4713) is None
    assert played.handles == {}
    assert memory.physical_memory() == 16 << 30
    played.memory = 0
    assert memory.physical_memory() is None
    assert not memory.hold_little()
    assert not memory.give_back()


@pytest.mark.parametrize(("n_bytes", "expected"), [(96, 54_321), (0, None)])
def test_macos_is_asked_of_the_task(
    monkeypatch: pytest.MonkeyPatch, n_bytes: int, expected: int | None
) -> None:
    def proc_pidinfo(pid: int, kind: int, argument: int, found: Any, size: int) -> int:
        assert (pid, kind, argument, size) == (4712, 4, 0, 96)
        # The reserved bytes, the held ones, times, and counts.
        ctypes.memmove(found._obj, struct.pack("=6Q12i", 99_999, 54_321, *[0] * 16), size)
        return n_bytes

    play(monkeypatch, "darwin")
    monkeypatch.setattr(memory, "c_library", lambda: SimpleNamespace(proc_pidinfo=proc_pidinfo))
    assert memory.memory_of(4712) == expected
    assert not memory.hold_little()
    assert not memory.give_back()


@pytest.mark.parametrize(
    ("structure", "n_bytes"),
    [("JobLimits", 144), ("ProcessMemory", 72), ("MachineMemory", 64), ("PowerStatus", 12)],
)
def test_structures_are_as_long_as_windows_has_them(structure: str, n_bytes: int) -> None:
    assert ctypes.sizeof(getattr(kernel32, structure)) == n_bytes


@pytest.mark.skipif(not is_windows(), reason="its own library is there to be asked")
def test_windows_has_every_call() -> None:
    library = kernel32.kernel32()
    assert all(getattr(library, name) for name in kernel32.CALLS)


@pytest.mark.parametrize(("line", "is_on_battery"), [(0, True), (1, False), (255, False)])
def test_windows_says_whether_it_has_mains(
    monkeypatch: pytest.MonkeyPatch, line: int, is_on_battery: bool
) -> None:
    play(monkeypatch, "win32")
    monkeypatch.setattr(power, "kernel32", lambda: PlayedKernel(line=line))
    assert power.is_on_battery() is is_on_battery


@pytest.mark.parametrize(("said", "is_on_battery"), [("Battery", True), ("AC", False)])
def test_macos_says_whether_it_has_mains(
    monkeypatch: pytest.MonkeyPatch, said: str, is_on_battery: bool
) -> None:
    def run(command: list[str], env: dict[str, str], **_: object) -> SimpleNamespace:
        assert command == ["/usr/bin/pmset", "-g", "batt"]
        assert "HF_TOKEN" not in env
        return SimpleNamespace(stdout=f"Now drawing from '{said} Power'\n -InternalBattery-0 80%\n")

    play(monkeypatch, "darwin")
    monkeypatch.setitem(os.environ, "HF_TOKEN", "key")
    monkeypatch.setattr(subprocess, "run", run)
    assert power.is_on_battery() is is_on_battery
