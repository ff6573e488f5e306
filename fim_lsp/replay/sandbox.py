"""Runs the tests of a case on what a model wrote: in a process of its own, with limits, in an empty folder.

Processor time, memory and files are limited (`jail.py`), the clock here; the environment is empty.
Where the system lets users make namespaces of their own, there is no network either, and nothing survives.
This keeps a model's mistakes from doing harm. It is no wall against an attacker.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fim_lsp.replay.jail import PASSED

JAIL = Path(__file__).parent / "jail.py"
SECONDS = 10
MEGABYTES = 1024
TIMEOUT = "Timeout"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the tests passed, and if not, the name of what was raised."""

    has_passed: bool
    error: str | None = None


def verdict(program: str, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> Verdict:
    """Runs a program to its end or to its limits."""
    with tempfile.TemporaryDirectory(prefix="fim-lsp-replay-") as folder:
        path = Path(folder, "program.py")
        path.write_text(program, encoding="utf-8", errors="surrogatepass", newline="")
        command = [*namespaces(), sys.executable, "-I", str(JAIL), str(path), str(seconds), str(megabytes)]
        with Path(folder, "errors").open("w+b") as errors:
            code = exit_code(command, folder, errors.fileno(), seconds + 2)
            errors.seek(0)
            last = errors.read()[-200:].decode("utf-8", "replace").split()
    if code == PASSED:
        return Verdict(True)
    if code is None:
        return Verdict(False, TIMEOUT)
    return Verdict(False, last[-1] if last and last[-1].isidentifier() else "killed")


def exit_code(command: list[str], folder: str, errors: int, seconds: float) -> int | None:
    """The exit code, or None when time ran out; then nothing of the process is left."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,
    )
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        # The whole session, as the program may have started others.
        kill_group(process)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


@cache
def namespaces() -> tuple[str, ...]:
    """The command before the command that takes the network away; none where that is not possible."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    wrapped = (unshare, "--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--")
    try:
        tried = subprocess.run([*wrapped, "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return wrapped if tried.returncode == 0 else ()
