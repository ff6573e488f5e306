"""Trees of processes end completely, and the editor's process is watched, on every system."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from fim_lsp.system import processes
from fim_lsp.system.kind import is_windows
from fim_lsp.system.processes import Tree, end_children_with_us, tree_options, watch_process
from tests.system.played_windows import OWN_HANDLE, PlayedKernel

# A program that starts another one and prints its id.
PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> PlayedKernel:
    """A simulated Windows, as far as processes are concerned."""
    played = PlayedKernel()
    monkeypatch.setattr(processes, "is_windows", lambda: True)
    monkeypatch.setattr(processes, "kernel32", lambda: played)
    monkeypatch.setattr(processes, "_own_job", None)
    return played


class Started:
    """A process as `Popen` represents it on Windows."""

    _handle = 7

    def __init__(self) -> None:
        self.is_killed = False

    def kill(self) -> None:
        self.is_killed = True


def started() -> Any:
    return Started()


@pytest.fixture
def parent() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, **tree_options())
    with process:
        yield process
        process.kill()


def test_a_tree_ends_with_what_it_has_started(parent: subprocess.Popen[bytes]) -> None:
    tree = Tree(parent)
    assert parent.stdout is not None
    below = psutil.Process(int(parent.stdout.readline()))
    tree.end()
    assert parent.wait(20) != 0
    _, alive = psutil.wait_procs([below], timeout=20)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []
    # A second call for a process that has ended does nothing.
    tree.end()


def test_on_windows_a_tree_is_a_job(kernel: PlayedKernel) -> None:
    kernel.living = {7, 8}
    process = started()
    tree = Tree(process)
    [job] = kernel.handles
    # Its children are in its job.
    members = kernel.handles[job]
    assert isinstance(members, set)
    members.add(8)
    tree.end()
    assert (kernel.living, kernel.handles, process.is_killed) == (set(), {}, False)
    tree.end()
    assert kernel.said.count("terminate") == 1


def test_on_windows_a_process_without_a_job_is_ended_alone(kernel: PlayedKernel) -> None:
    kernel.refuses_jobs = True
    process = started()
    Tree(process).end()
    assert process.is_killed


def test_on_windows_a_program_of_the_console_opens_no_window(kernel: PlayedKernel) -> None:
    assert kernel.said == []
    assert tree_options() == {"creationflags": 0x08000000}


def test_on_windows_all_that_the_server_starts_ends_with_it(kernel: PlayedKernel) -> None:
    end_children_with_us()
    end_children_with_us()
    [job] = kernel.handles
    assert kernel.handles[job] == {OWN_HANDLE}
    # Windows closes the handle when the process ends.
    assert job in kernel.kills_on_close
    assert kernel.said == ["job"]


@pytest.mark.skipif(is_windows(), reason="Windows has jobs")
def test_elsewhere_the_server_asks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("there is no such library")

    monkeypatch.setattr(processes, "kernel32", refuse)
    end_children_with_us()


def test_the_editor_is_watched_until_it_ends() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor:
        found = watch_process(editor.pid)
        assert found is not None
        assert editor.stdin is not None
        editor.stdin.close()
        editor.wait(20)
        found.wait()


def test_who_is_not_there_is_not_watched() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as editor:
        editor.wait(20)
    assert watch_process(editor.pid) is None
    assert watch_process(os.getpid()) is not None


def test_on_windows_the_editor_is_watched_by_its_handle(
    kernel: PlayedKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("there signal 0 is Ctrl+C")

    monkeypatch.setattr(os, "kill", refuse)
    monkeypatch.setattr(time, "sleep", refuse)
    kernel.living = {4712}
    found = watch_process(4712)
    assert found is not None
    found.wait()
    assert kernel.said == ["open 4712 to wait", "wait 0", "wait for ever"]


@pytest.mark.parametrize("pid", [0, -1, 4711, 1 << 40])
def test_on_windows_who_cannot_be_seen_is_not_watched(kernel: PlayedKernel, pid: int) -> None:
    kernel.living, kernel.forbidden = {0, 4711}, {4711}
    assert watch_process(pid) is None
    assert kernel.handles == {}


def test_on_windows_one_that_has_ended_is_not_watched_though_a_process_holds_it(kernel: PlayedKernel) -> None:
    kernel.held = {4712: 1}
    assert watch_process(4712) is None
    assert kernel.handles == {}


@pytest.mark.skipif(is_windows(), reason="Windows has no signals")
@pytest.mark.parametrize(("error", "is_watched"), [(PermissionError, True), (ProcessLookupError, False)])
def test_a_signal_that_is_none_asks_for_a_process(
    monkeypatch: pytest.MonkeyPatch, error: type[OSError], is_watched: bool
) -> None:
    def kill(pid: int, number: int) -> None:
        assert (pid, number) == (4712, 0)
        raise error

    monkeypatch.setattr(os, "kill", kill)
    assert (watch_process(4712) is not None) is is_watched


@pytest.mark.skipif(is_windows(), reason="there is no such signal")
def test_children_are_started_deaf_to_ctrl_c() -> None:
    with processes.deaf_children():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_on_windows_nothing_is_asked_of_signals_that_are_not_there(
    kernel: PlayedKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    with processes.deaf_children():
        assert kernel.said == []
