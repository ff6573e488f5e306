"""A real Ollama that serves GGUF files on this machine; `tests/e2e/ollama` compiles it.

It computes a network in one of two ways. It has an engine of its own for some architectures, such as Qwen3's,
which ignores the file's pre-tokenizer. For all other architectures it uses the llama.cpp inside it, which
obeys the file. So the bundled model exists in two files.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file

from fim_lsp.bundled_models import BUNDLED
from fim_lsp.runtimes.folder import read_config
from fim_lsp.runtimes.served.address import address_of
from fim_lsp.runtimes.served.wire import request_json
from fim_lsp.runtimes.shape import NetworkShape, shape_of
from fim_lsp.runtimes.weights import WEIGHTS
from tests.e2e.llama import wait_for
from training.gguf_file import add_tokenizer, describe, renamed, write_gguf

Array = npt.NDArray[np.generic]
PROGRAM = Path(__file__).parent.parent.parent / "target" / "e2e" / "ollama" / "ollama"
WHY_NO_OLLAMA = "no Ollama on this machine: see `make test-ollama`"
START_SECONDS = 120.0
# The bundled model's prompts have this family's format. The part behind the colon says who computes it.
FAMILY = "santacoder"
BY_LLAMA, BY_ITSELF = f"{FAMILY}:llama.cpp", f"{FAMILY}:own"


@contextmanager
def ollama(folder: Path) -> Iterator[str]:
    """A server of the bundled model, which keeps all its files in a folder, and its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    environment = os.environ | {
        "HOME": str(folder),
        "OLLAMA_HOST": f"127.0.0.1:{port}",
        "OLLAMA_MODELS": str(folder / "models"),
        "OLLAMA_NO_CLOUD": "1",
    }
    log = folder / "log"
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [str(PROGRAM), "serve"], env=environment, stdout=output, stderr=output, start_new_session=True
        ) as server,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, server, log)
            create(address, written_for_llama(folder / "llama.gguf"), BY_LLAMA)
            write_gguf(BUNDLED, folder / "own.gguf")
            create(address, folder / "own.gguf", BY_ITSELF)
            yield address
        finally:
            # The computing processes are separate processes in the same session.
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)


def create(address: str, path: Path, name: str) -> None:
    """Adds a file to a server, as `ollama create` does."""
    content = path.read_bytes()
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    server = address_of(address)
    connection = http.client.HTTPConnection(server.host, server.port, timeout=START_SECONDS)
    try:
        connection.request("POST", f"/api/blobs/{digest}", content)
        response = connection.getresponse()
        assert response.status == 201, response.read()
    finally:
        connection.close()
    # One thread, because several would wait for each other on a busy machine.
    wanted = {"model": name, "files": {path.name: digest}, "parameters": {"num_thread": 1}, "stream": False}
    assert request_json(server, "/api/create", wanted, START_SECONDS) == {"status": "success"}


def written_for_llama(path: Path) -> Path:
    """The network as an architecture that Ollama's own engine does not know.

    dots.llm1 without its experts is Qwen3, except that its heads do not share keys and values, so these are
    repeated for each head, and that its embedding and its head are two matrices.
    """
    config = read_config(BUNDLED)
    shape = shape_of(config)
    writer = gguf.GGUFWriter(path, "dots1")
    describe(writer, replace(shape, n_key_heads=shape.n_heads), config)
    writer.add_leading_dense_block_count(shape.n_layers)
    writer.add_expert_feed_forward_length(shape.width)
    writer.add_expert_shared_count(0)
    writer.add_expert_weights_scale(1.0)
    add_tokenizer(writer, shape.n_tokens, BUNDLED)
    for name, tensor in load_file(BUNDLED / WEIGHTS).items():
        known = renamed(name)
        if known.endswith(("attn_k.weight", "attn_v.weight")):
            tensor = of_each_head(tensor, shape)
        if known == "token_embd.weight":
            writer.add_tensor("output.weight", tensor)
        writer.add_tensor(known, tensor if tensor.ndim > 1 else tensor.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def of_each_head(tensor: Array, shape: NetworkShape) -> Array:
    heads = tensor.reshape(shape.n_key_heads, shape.head_size, shape.width)
    return heads.repeat(shape.n_heads // shape.n_key_heads, axis=0).reshape(-1, shape.width)
