"""A real llama.cpp: its server as a program of its own, and its library in a Python that can load it.

`tests/e2e/newer` unpacks the server. The library that `llama-cpp-py-sync` brings wants a C library that an
older system does not have; there the one that came with the server is used, by a Python of its own.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.llama.library import PACKAGE, library
from fim_lsp.runtimes.served.address import address_of
from fim_lsp.runtimes.served.wire import ServerError, asked

UNPACKED = Path(__file__).parent.parent.parent / "target" / "e2e" / "sid"
SERVER = UNPACKED / "llama-server"
LIBRARIES = UNPACKED / "llama.cpp-tools.d" / "usr" / "lib" / "x86_64-linux-gnu"
WHY_NO_SERVER = "no llama-server on this machine: see tests/e2e/newer"
WHY_NO_LIBRARY = (
    "llama.cpp cannot be loaded on this machine, nor beside a newer C library: see tests/e2e/newer"
)
# A machine that is busy with much else may take long to start anything.
START_SECONDS = 120.0


@contextmanager
def llama_server(gguf: Path, log: Path, *options: str) -> Iterator[str]:
    """A server of this file on this machine, and its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    command = [str(SERVER), "--model", str(gguf), "--port", str(port), "--host", "127.0.0.1"]
    # One thread: more would wait for each other on a machine that does other things.
    command += ["--threads", "1", "--threads-batch", "1", "--no-webui", "--offline", *options]
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, server, log)
            yield address
        finally:
            # It has nothing to save, and when it is asked to end it may wait for a connection for ever.
            server.kill()


def wait_for(
    address: str, server: subprocess.Popen[bytes], log: Path, seconds: float = START_SECONDS
) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and server.poll() is None:
        try:
            asked(address_of(address), "/v1/models", seconds=5.0)
            return
        except ServerError:
            time.sleep(0.05)
    raise AssertionError(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def python_with_llama() -> list[str] | None:
    """How Python is started so that it can load llama.cpp; None where it cannot."""
    try:
        library()
    except ModelError:
        pass
    else:
        return [sys.executable]
    found = find_spec(PACKAGE)
    loader = LIBRARIES / "ld-linux-x86-64.so.2"
    if found is None or found.origin is None or not loader.is_file():
        return None
    # Its own parts come first: the server's are of another version.
    places = os.pathsep.join((str(Path(found.origin).parent), str(LIBRARIES)))
    return [str(loader), "--library-path", places, "--argv0", sys.executable, sys.executable]
