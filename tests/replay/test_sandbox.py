"""The sandbox: while a model's program runs with its tests, it can reach nothing, and cannot fake success."""

from __future__ import annotations

import platform
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fim_lsp.own_process import INSTALLED_IN
from fim_lsp.replay import sandbox
from fim_lsp.replay.sandbox import Verdict, shortcomings, verdict

pytestmark = [
    pytest.mark.skipif(not sandbox.IS_SUPPORTED, reason="programs are not run on this system"),
    pytest.mark.skipif(
        sandbox.IS_SUPPORTED and "Landlock" in shortcomings(), reason="this system has no Landlock"
    ),
]


@pytest.fixture(params=[True, False], ids=["with namespaces", "without"], autouse=True)
def has_namespaces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether users may make namespaces. Many systems refuse that, so the other tests must not need it."""
    if not request.param:
        monkeypatch.setattr(sandbox, "namespaces", lambda: ())
    elif not sandbox.namespaces():
        pytest.skip("this system has no namespaces for users")


def refused(program: str, error: str = "PermissionError") -> None:
    assert verdict(program, seconds=20) == Verdict(False, error)


# --- files -----------------------------------------------------------------------------------------------


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text("secret")
    return path


def test_no_file_of_the_user_s_can_be_read(secret: Path) -> None:
    refused(f"open({str(secret)!r}).read()")
    refused(f"import os; os.listdir({str(secret.parent)!r})")
    refused("open('program.py').read()")
    refused("open('/etc/passwd').read()")
    refused("open('/proc/self/environ').read()")
    refused("open('/proc/self/mem', 'rb').read(1)")


@pytest.mark.parametrize(
    "act",
    [
        "open({name!r}, 'w')",
        "open({name!r}, 'a')",
        "os.truncate({name!r}, 0)",
        "os.unlink({name!r})",
        "os.rename({name!r}, {name!r} + '2')",
        "os.link({name!r}, 'link')",
        "os.symlink({name!r}, {name!r} + '3')",
        "os.chmod({name!r}, 0)",
        "os.utime({name!r})",
        "os.chown({name!r}, 1, 1)",
        "os.mkdir({name!r} + '4')",
        "os.mkfifo({name!r} + '5')",
        "os.setxattr({name!r}, 'user.a', b'')",
    ],
)
def test_no_file_of_the_user_s_can_be_changed(secret: Path, act: str) -> None:
    def state() -> tuple[int, ...]:
        found = secret.stat()
        return found.st_mode, found.st_uid, found.st_nlink, found.st_mtime_ns

    before = state()
    refused(f"import os; {act.format(name=str(secret))}")
    assert state() == before
    assert secret.read_text() == "secret"
    assert list(secret.parent.iterdir()) == [secret]


def test_no_file_can_be_made_not_even_one() -> None:
    refused("open('mine', 'w')")
    refused("import tempfile; tempfile.TemporaryFile()", "FileNotFoundError")


# --- processes and sockets -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "act",
    [
        "os.fork()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.execv('/bin/true', ['true'])",
        "__import__('subprocess').run(['/bin/true'])",
        "os.kill(99999, 0)",
        "os.kill(-1, 9)",
        "__import__('resource').prlimit(99999, 7)",
        "os.setpriority(os.PRIO_USER, 0, 19)",
        "__import__('ctypes')",
        # `ctypes` without its public module, and under another name: it allows all system calls, and all
        # memory.
        "__import__('_ctypes')",
        "import importlib.util as u; s = u.find_spec('_ctypes'); s.name = 'x._ctypes'; u.module_from_spec(s)",
        # A new interpreter, in which no audit hook listens.
        "import _xxsubinterpreters",
    ],
)
def test_no_other_process_can_be_started_or_reached(act: str) -> None:
    refused(f"import os; {act}")


def test_no_socket_can_be_opened(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        server.listen()
        refused(f"import socket; socket.socket(socket.AF_UNIX).connect({str(tmp_path / 'socket')!r})")
    refused("import socket; socket.socket()")
    refused("import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)")


def test_threads_and_pairs_of_streams_are_there() -> None:
    """asyncio and tests of functions with threads need these system calls."""
    program = """
import asyncio, threading
seen = []
thread = threading.Thread(target=lambda: seen.append(1))
thread.start()
thread.join()
async def main(): return 2
assert asyncio.run(main()) + len(seen) == 3
"""
    assert verdict(program, seconds=20) == Verdict(True)


def test_what_tests_import_is_there() -> None:
    names = (
        "math, re, heapq, itertools, collections, random, json, datetime, decimal, hashlib, typing, string"
    )
    program = f"import {names}\nassert hashlib.md5(b'').hexdigest() and random.random() < 1\n"
    assert verdict(f"{program}assert datetime.datetime.now().year > 2000", seconds=20) == Verdict(True)


# --- the system's calls ----------------------------------------------------------------------------------

# Locks this process in and then makes calls that a program under test cannot make.
CALLS = """
import ctypes, errno, os, sys
from quotient import _native
libc = ctypes.CDLL(None, use_errno=True)
first, last = map(int, sys.argv[1].split("-"))
assert not _native.confine([])
for number in range(first, last + 1):
    answer = libc.syscall(number, -100, sys.argv[2].encode(), 0o777, 0, 0, 0)
    if answer != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
        print(number, os.strerror(ctypes.get_errno()))
"""
# The first system call whose number is the same on all processors. Of these calls a program may make three:
# two close descriptors or check rights, and one waits.
FIRST_SHARED, HARMLESS = 424, {436, 439, 441}


@pytest.mark.parametrize(
    "numbers", [(FIRST_SHARED, 700), (2**30, 2**30 + 600)], ids=["later than any", "with short pointers"]
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox is Linux's")
def test_calls_of_later_kernels_are_refused(secret: Path, numbers: tuple[int, int]) -> None:
    secret.chmod(0o600)
    command = [sys.executable, "-c", CALLS, f"{numbers[0]}-{numbers[1]}", str(secret)]
    said = subprocess.run(command, cwd=INSTALLED_IN, capture_output=True, text=True, check=True, timeout=60)
    assert {int(line.split()[0]) for line in said.stdout.splitlines()} <= HARMLESS
    assert secret.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(
    not (sys.platform.startswith("linux") and platform.machine() == "x86_64"), reason="numbers are x86-64's"
)
def test_calls_that_share_memory_or_change_rights_are_refused(secret: Path) -> None:
    """Below those numbers, exactly the calls that the program needs are allowed."""
    secret.chmod(0o600)
    for number in (90, 91, 92, 93, 94, 188, 190, 197, 235, 261, 268, 280, 29, 30, 31, 64, 68, 69, 71, 240):
        command = [sys.executable, "-c", CALLS, f"{number}-{number}", str(secret)]
        said = subprocess.run(
            command, cwd=INSTALLED_IN, capture_output=True, text=True, check=True, timeout=60
        )
        assert not said.stdout, number
    assert secret.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "act",
    [
        "import fcntl; fcntl.flock(open(os.__file__), fcntl.LOCK_SH)",
        "import fcntl; fcntl.lockf(open(os.__file__), fcntl.LOCK_SH)",
        "import fcntl; fcntl.fcntl(open(os.__file__), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
        "import fcntl; fcntl.fcntl(open(os.__file__), fcntl.F_SETOWN, 1)",
        "import fcntl; fcntl.ioctl(0, 0x5412, b'x')",
        "os.chmod({name!r}, 0o777, follow_symlinks=False)",
        "os.memfd_create('x')",
        "os.chdir('/')",
    ],
)
def test_no_other_program_is_held_up(secret: Path, act: str) -> None:
    refused(f"import os; {act.format(name=str(secret))}")


# --- passing ---------------------------------------------------------------------------------------------

FAILS = "\nassert False\n"
WRITE_EVERYWHERE = """
import os
for fd in range(64):
    try: os.write(fd, bytes(32))
    except OSError: pass
os._exit(0)
"""
# The token was read already, and is sent back only behind the last line.
SEND_BACK = """
import os
for fd in range(3, 64):
    try: os.set_blocking(fd, False); os.write(fd, os.read(fd, 32))
    except OSError: pass
os._exit(0)
"""
# Calls the caller's own function, with another channel.
CALL_AGAIN = """
import os, socket, sys
ours, theirs = socket.socketpair()
ours.send(bytes(32))
native = sys._getframe(1).f_locals["native"]
native.run_to_the_end("", "", theirs.detach())
os._exit(0)
"""
# Jumps over the tests.
LEAP = """
import sys
frame = sys._getframe()
def leap(*_):
    frame.f_lineno = 11
    return leap
frame.f_trace = leap
sys.settrace(leap)
x = 1
assert False
y = 2
"""
SEARCH = """
import sys, os
frame, seen = sys._getframe(), []
while frame: seen.extend(frame.f_locals.values()); frame = frame.f_back
for proof in seen:
    for fd in range(3, 64):
        try: os.write(fd, proof)
        except (OSError, TypeError): pass
os._exit(0)
"""
END = ("import os; os._exit(77)", "import os; os._exit(0)", "raise SystemExit(0)")


@pytest.mark.parametrize("forgery", [*END, WRITE_EVERYWHERE, SEND_BACK, CALL_AGAIN, LEAP, SEARCH])
def test_a_pass_cannot_be_pretended(forgery: str) -> None:
    found = verdict(forgery + FAILS, seconds=20)
    assert not found.has_passed


def test_what_is_missing_is_said_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    shortcomings.cache_clear()
    monkeypatch.setattr(sandbox, "try_program", lambda *_: ("proved", "missing Landlock seccomp\n"))
    assert shortcomings() == (
        "this system has no Landlock and no seccomp: programs that the model writes could"
        " read and write your files and open sockets and start programs"
    )
    shortcomings.cache_clear()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox is Linux's")
def test_this_system_lacks_nothing() -> None:
    assert shortcomings() == ""
