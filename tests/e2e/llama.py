"""A real llama.cpp: its server as a program of its own, which `tests/e2e/newer` unpacks, and its library."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.llama.library import library
from fim_lsp.runtimes.served.address import address_of
from fim_lsp.runtimes.served.wire import ServerError, request_json

UNPACKED = Path(__file__).parent.parent.parent / "target" / "e2e" / "sid"
SERVER = UNPACKED / "llama-server"
WHY_NO_SERVER = "no llama-server on this machine: see tests/e2e/newer"
WHY_NO_LIBRARY = "llama.cpp cannot be loaded on this machine"
# A busy machine may take long to start anything.
START_SECONDS = 120.0


@contextmanager
def llama_server(gguf: Path, log: Path, *options: str) -> Iterator[str]:
    """A server of this file on this machine, and its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    command = [str(SERVER), "--model", str(gguf), "--port", str(port), "--host", "127.0.0.1"]
    # One thread, because several would wait for each other on a busy machine.
    command += ["--threads", "1", "--threads-batch", "1", "--no-webui", "--offline", *options]
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, stderr=output) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, server, log)
            yield address
        finally:
            # The server has nothing to save, and after a polite request to end it may wait for a connection
            # forever.
            server.kill()


def wait_for(
    address: str, server: subprocess.Popen[bytes], log: Path, seconds: float = START_SECONDS
) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and server.poll() is None:
        try:
            request_json(address_of(address), "/v1/models", seconds=5.0)
            return
        except ServerError:
            time.sleep(0.05)
    raise AssertionError(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def has_library() -> bool:
    """Whether llama.cpp can be loaded into this process."""
    try:
        library()
    except ModelError:
        return False
    return True
