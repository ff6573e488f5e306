"""Servers behind a plugin: a bare llama-server, and the endpoint in front of another one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fim_lsp.bundled_models import BUNDLED
from fim_lsp.commands.language_options import interpreter_version
from tests.e2e.llama import llama_server
from tests.plugins.recorder import Recorder
from training.gguf_file import write_gguf

# The version of the Python that judges the texts.
VERSION = interpreter_version()
BARE, ENDPOINT = "llama-server", "endpoint"
TOKEN = "a-token-of-these-tests"
# Options for equal texts on equal prompts, and for enough room for a plugin's parallel requests.
SAME = ("--seed", "1", "--parallel", "4")
# The bundled model reads the text right of the cursor first.
BUNDLED_OPTIONS = ("--spm-infill", "--ctx-size", "4096")


@contextmanager
def servers(folder: Path, gguf: Path | None) -> Iterator[Recorder]:
    """Both servers with a recorder in front; the model is the bundled one by default."""
    options = [*SAME]
    if gguf is None:
        gguf = folder / "bundled.gguf"
        write_gguf(BUNDLED, gguf)
        options += BUNDLED_OPTIONS
    with ExitStack() as stack:
        bare, behind = (
            stack.enter_context(llama_server(gguf, folder / f"{name}.log", *options))
            for name in ("bare", "behind")
        )
        endpoint = stack.enter_context(endpoint_of(folder, "--forward", behind))
        yield stack.enter_context(Recorder({BARE: bare, ENDPOINT: endpoint}))


@contextmanager
def endpoint_of(folder: Path, *options: str) -> Iterator[str]:
    """`fim-lsp endpoint` with a token, and its address."""
    command = [sys.executable, "-m", "fim_lsp", "endpoint", "--port", "0", "--offline", *options]
    command += [] if VERSION is None else ["--python-version", VERSION]
    environment = os.environ | {"FIM_LSP_ENDPOINT_TOKEN": TOKEN}
    with (folder / "endpoint.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.communicate(timeout=30)
