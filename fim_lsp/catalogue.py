"""Models that can be had and what each needs: size, memory, runtime, licence. Facts for `fim-lsp models`.

Memory is an estimate: what the weights take, and what its runtime takes besides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from fim_lsp.models import LocalModel

RuntimeName = Literal["embedded", "torch"]
# Measured on Linux with Python 3.11: `fim-lsp complete` peaked at 128 MB with the bundled model; a worker
# that computed it with PyTorch held 789 to 874 MB.
OVERHEAD_BYTES: dict[RuntimeName, int] = {"embedded": 105_000_000, "torch": 800_000_000}
# Weights are read in the format that they are kept in, and computed in one of at most twice the width here.
WIDTHS: dict[RuntimeName, int] = {"embedded": 2, "torch": 1}
TITLES = {"Apache License": "Apache-2.0", "MIT License": "MIT"}
LICENCE = re.compile(r"^licen[cs]e:\s*(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Published:
    """A model on the hub that fills in the middle, in 16 bits a parameter."""

    name: str
    n_parameters: int
    licence: str

    @property
    def n_bytes(self) -> int:
        return 2 * self.n_parameters


PUBLISHED = (
    Published("Qwen/Qwen2.5-Coder-0.5B", 494_000_000, "Apache-2.0"),
    Published("Qwen/Qwen2.5-Coder-1.5B", 1_540_000_000, "Apache-2.0"),
    Published("Qwen/Qwen2.5-Coder-3B", 3_090_000_000, "Qwen Research License, not for commerce"),
    Published("Qwen/Qwen2.5-Coder-7B", 7_620_000_000, "Apache-2.0"),
    Published("deepseek-ai/deepseek-coder-1.3b-base", 1_350_000_000, "DeepSeek License"),
    Published("JetBrains/Mellum-4b-base", 4_020_000_000, "Apache-2.0"),
)


@dataclass(frozen=True, slots=True)
class Needs:
    n_bytes: int
    memory: int
    runtime: RuntimeName
    # None where the model's folder does not say.
    licence: str | None


def needs(model: LocalModel, runtime: RuntimeName) -> Needs:
    """What a model on this machine needs."""
    return Needs(
        model.n_weight_bytes, memory(model.n_weight_bytes, runtime), runtime, licence_of(Path(model.path))
    )


def needs_of_published(model: Published) -> Needs:
    return Needs(model.n_bytes, memory(model.n_bytes, "torch"), "torch", model.licence)


def memory(n_bytes: int, runtime: RuntimeName) -> int:
    return OVERHEAD_BYTES[runtime] + WIDTHS[runtime] * n_bytes


def licence_of(folder: Path) -> str | None:
    """What the card of a model says in its front matter, or the licence that lies beside it."""
    card, text = (beginning(folder / name) for name in ("README.md", "LICENSE"))
    found = LICENCE.search(card.split("---")[1]) if card.startswith("---") else None
    if found is not None:
        return found[1]
    return next((licence for title, licence in TITLES.items() if title in text), None)


def beginning(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.read(4000)
    except OSError:
        return ""


def has_llama() -> bool:
    """Whether GGUF files can be computed in this process."""
    return find_spec("llama_cpp_py_sync") is not None


def has_torch() -> bool:
    """Whether models in folders other than the bundled one can be computed in this process."""
    return all(find_spec(name) is not None for name in ("torch", "transformers"))
