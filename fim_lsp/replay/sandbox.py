"""Runs the tests of a case on a model's text, in a process of its own that can do nothing but compute.

Landlock and seccomp (`bindings/src/confinement.rs`) keep the process from files, except Python's own and the
installed packages, which it can read; from any writing; from sockets; from other processes. `jail.py` limits
processor time, memory and files, this module the time by the clock; the environment is empty. Where users may
make namespaces of their own, the process sees no network and no other process, either. `shortcomings` says
what a system lacks.

A program has passed if it came to its last line, which is proved with a number that it cannot get at
(`bindings/src/proof.rs`). The tests are the data set's own: a function whose results equal everything passes.
"""

from __future__ import annotations

import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fim_lsp.system.kind import is_windows
from fim_lsp.system.processes import Tree, tree_options
from quotient import _native

JAIL = Path(__file__).parent / "jail.py"
SECONDS = 10
MEGABYTES = 1024
TIMEOUT = "Timeout"
PROOF_BYTES = 32
IS_SUPPORTED = not is_windows()
# What a program under test can do if a means of confinement is missing.
DANGERS = {"Landlock": "read and write your files", "seccomp": "open sockets and start programs"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the tests passed, and if not, the name of what was raised."""

    has_passed: bool
    error: str | None = None


@cache
def shortcomings() -> str:
    """The sentence that says what this system cannot keep a program under test from; empty on most."""
    if not IS_SUPPORTED:
        return "programs that a model wrote are not run on this system: it has nothing to hold them"
    _, said = try_program("", SECONDS, MEGABYTES)
    first = said.split("\n")[0].split()
    missing = first[1:] if first[:1] == ["missing"] else []
    if not missing:
        return ""
    dangers = " and ".join(DANGERS[name] for name in missing)
    return f"this system has no {' and no '.join(missing)}: programs that the model writes could {dangers}"


def verdict(program: str, seconds: int = SECONDS, megabytes: int = MEGABYTES) -> Verdict:
    """Runs a program to its end or to its limits."""
    outcome, said = try_program(program, seconds, megabytes)
    if outcome == "proved":
        return Verdict(True)
    if outcome == "late":
        return Verdict(False, TIMEOUT)
    last = said[-200:].split()
    return Verdict(False, last[-1] if last and last[-1].isidentifier() else "killed")


def try_program(program: str, seconds: int, megabytes: int) -> tuple[str, str]:
    """How a program ended ("proved" its last line, "ended" otherwise, or was "late"), and its output."""
    proof = secrets.token_bytes(PROOF_BYTES)
    ours, theirs = socket.socketpair()
    with ours, theirs, tempfile.TemporaryDirectory(prefix="fim-lsp-replay-") as folder:
        ours.sendall(proof)
        ours.setblocking(False)
        path = Path(folder, "program.py")
        path.write_text(program, encoding="utf-8", errors="surrogatepass", newline="")
        wrapped = namespaces()
        command = [*wrapped, sys.executable, "-I", str(JAIL), str(path), str(seconds), str(megabytes)]
        more = [str(theirs.fileno()), _native.__file__, str(bool(wrapped))]
        with Path(folder, "errors").open("w+b") as errors:
            is_over = has_ended([*command, *more], folder, errors.fileno(), theirs.fileno(), seconds + 2)
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace")
        answer = b""
        with suppress(OSError):
            answer = ours.recv(PROOF_BYTES + 1)
    if not is_over:
        return "late", said
    return "proved" if secrets.compare_digest(answer, proof) else "ended", said


def has_ended(command: list[str], folder: str, errors: int, channel: int, seconds: float) -> bool:
    """Whether a process ended in time; afterwards nothing of it is left."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        pass_fds=(channel,),
        **tree_options(),
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    finally:
        # The whole session is killed, as the program may have started others where nothing forbids it.
        Tree(process).end()
        process.wait()
    return True


@cache
def namespaces() -> tuple[str, ...]:
    """The words in front of a command that hide the network and other processes from it; none where that is
    not possible."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    wrapped = (
        unshare,
        "--user",
        "--map-root-user",
        "--net",
        "--ipc",
        "--pid",
        "--fork",
        "--kill-child",
        "--",
    )
    try:
        tried = subprocess.run([*wrapped, "true"], env={}, capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return wrapped if tried.returncode == 0 else ()
