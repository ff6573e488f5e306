"""A better model on a simulated hub: a list of one file, which contains the bundled model's network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from fim_lsp.bundled_models import BUNDLED
from tests import fake_hub
from tests.fake_hub import Hub, checksum
from training.gguf_file import write_gguf

NAME, FILE, TITLE = "some/better-GGUF", "better-q8_0.gguf", "Better 0.01B"


# What the list says of the network in the file: the bundled one, or a real one.
OWN = {"n_parameters": 5_600_000, "context": 1024, "family": "santacoder"}
REAL = {"n_parameters": 494_000_000, "context": 32_768, "family": "qwen"}


@contextmanager
def better_model(folder: Path, real: Path | None = None, **environment: str) -> Iterator[Hub]:
    """The simulated hub, which cuts the first download in its middle, and the environment for programs.

    `real` is the file of a model of Qwen's family to put there instead.
    """
    if real is None:
        write_gguf(BUNDLED, folder / FILE)
        body = (folder / FILE).read_bytes()
        (folder / FILE).unlink()
    else:
        body = real.read_bytes()
    described = {
        "name": "better",
        "title": TITLE,
        "repository": NAME,
        "file": FILE,
        "revision": "main",
        "n_bytes": len(body),
        "sha256": checksum(body),
        "licence": "Apache-2.0",
        **(OWN if real is None else REAL),
    }
    (folder / "models.json").write_text(json.dumps([described]))
    hub = Hub(NAME, {FILE: body}, cuts=[len(body) // 2])
    hub.held.set()
    with fake_hub.serving(hub) as address:
        found = {
            "HF_ENDPOINT": address,
            "HF_HUB_CACHE": str(folder / "hub"),
            "HF_HUB_OFFLINE": "0",
            "FIM_LSP_MODELS": str(folder / "models.json"),
            "LLAMA_CACHE": str(folder / "none"),
            "OLLAMA_MODELS": str(folder / "none"),
            "NO_PROXY": "127.0.0.1",
        }
        with patch.dict("os.environ", found | environment):
            yield hub


def fetched(folder: Path) -> Path:
    """The path of the file after its download."""
    return folder / "hub" / "models--some--better-GGUF" / "snapshots" / fake_hub.COMMIT / FILE
