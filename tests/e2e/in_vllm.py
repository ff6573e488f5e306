"""A real vLLM with our plugin in it, for the bundled model on a processor; `tests/e2e/vllm` installs it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fim_lsp.bundled_models import BUNDLED
from tests.e2e.llama import wait_for

FOLDER = Path(__file__).parent.parent.parent / "target" / "vllm"
PROGRAM = FOLDER / "bin" / "vllm"
WHY_NO_VLLM = "no vLLM on this machine: see `make test-vllm`"
# The bundled model's prompts have this format.
FAMILY = "santacoder"
OPTIONS = (
    *("--served-model-name", FAMILY, "--dtype", "float32", "--max-model-len", "1024", "--max-num-seqs", "64"),
    *("--max-logprobs", "50"),
    # Compilation takes longer than all the requests here.
    "--enforce-eager",
)


@contextmanager
def vllm(log: Path, *options: str, plugins: str = "fim-lsp", model: Path = BUNDLED) -> Iterator[str]:
    """A server of the bundled model, or of a folder, and its address. It takes minutes to start."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    # More threads than free processors make everything ten times slower.
    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "VLLM_CPU_OMP_THREADS_BIND": "nobind",
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "HF_HUB_OFFLINE": "1",
        "VLLM_PLUGINS": plugins,
    }
    command = [str(PROGRAM), "serve", str(model), "--host", "127.0.0.1", "--port", str(port)]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [*command, *OPTIONS, *options],
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        ) as server,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, server, log, seconds=600.0)
            yield address
        finally:
            # Its engine is a process of its own, in the same session.
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
