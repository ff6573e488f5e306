"""The needs of a model: size, memory, runtime, licence; and the runtimes of this machine.

Memory is an estimate: the bytes of the weights, and those of the runtime.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from fim_lsp.models import LocalModel

RuntimeName = Literal["embedded", "llama", "torch"]
# Measured on Linux with Python 3.11: `fim-lsp complete` peaked at 128 MB with the bundled model; a worker
# held 893 MB with a GGUF file of 491 MB, and 789 to 874 MB when PyTorch computed the bundled one.
OVERHEAD_BYTES: dict[RuntimeName, int] = {"embedded": 105_000_000, "llama": 400_000_000, "torch": 800_000_000}
# Weights are read in the format that they are kept in, and computed in one of at most twice the width here.
WIDTHS: dict[RuntimeName, int] = {"embedded": 2, "llama": 1, "torch": 1}
TITLES = {"Apache License": "Apache-2.0", "MIT License": "MIT"}
LICENCE = re.compile(r"^licen[cs]e:\s*(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Needs:
    n_bytes: int
    memory: int
    runtime: RuntimeName
    # The licence; None where that is not known.
    licence: str | None


def needs(model: LocalModel, runtime: RuntimeName) -> Needs:
    """The needs of a model in a folder."""
    return Needs(
        model.n_weight_bytes, memory(model.n_weight_bytes, runtime), runtime, licence_of(Path(model.path))
    )


def needs_of_file(n_bytes: int, licence: str | None) -> Needs:
    """The needs of a GGUF file."""
    return Needs(n_bytes, memory(n_bytes, "llama"), "llama", licence)


def memory(n_bytes: int, runtime: RuntimeName) -> int:
    return OVERHEAD_BYTES[runtime] + WIDTHS[runtime] * n_bytes


def licence_of(folder: Path) -> str | None:
    """The licence that the card of a model has in its front matter, or that lies beside it."""
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
    """Whether GGUF files can be computed in this process: a llama.cpp that is there may be for newer
    systems."""
    from fim_lsp.runtimes.folder import ModelError
    from fim_lsp.runtimes.llama.library import library

    try:
        library()
    except ModelError:
        return False
    return True


def has_torch() -> bool:
    """Whether models in folders other than the bundled one can be computed in this process."""
    return all(find_spec(name) is not None for name in ("torch", "transformers"))
