"""VS Code's server as downloaded, which serves a workbench to a browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.record import until

ROOT = Path(__file__).parents[2]
INSTALLATION = ROOT / "target" / "e2e"
# The wheel is for the Python that runs this; the users' package has wheels for all.
MAKE_VSIX = ("make", "vsix", f"PYTHONS={sys.version_info.major}.{sys.version_info.minor}", "EFFORT=0")


@contextmanager
def serving(code: list[str], folder: Path) -> Iterator[str]:
    """VS Code's server, on a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [
        f"--port={port}",
        "--host=127.0.0.1",
        "--without-connection-token",
        "--telemetry-level=off",
        "--force-disable-user-env",
    ]
    with (folder / "vscode.log").open("wb") as log:
        process = subprocess.Popen(
            [*code, *options],
            stdout=log,
            stderr=log,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(ROOT)])},
        )
    try:
        address = f"http://127.0.0.1:{port}"
        until(lambda: answers(f"{address}/version"), "VS Code's server")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5):
            return True
    except (urllib.error.URLError, ConnectionError):
        return False
