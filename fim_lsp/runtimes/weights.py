"""The weights of a small network, and their places in the file.

A safetensors file has a length of eight bytes, a JSON object with each tensor's type, shape and offsets, and
the numbers. NumPy reads it here as arrays, ONNX Runtime by the offsets that `training` has written into its
graph.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fim_lsp.runtimes.folder import ModelError

WEIGHTS = "model.safetensors"
DTYPES = {"F16": np.float16, "F32": np.float32}
LENGTH = 8


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor in a file: its bytes from `start` to `stop`."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


def tensors(path: Path) -> dict[str, Tensor]:
    """The tensors in a file, by name. Raises `ModelError` for a damaged file or one of another kind."""
    n_file = path.stat().st_size
    with path.open("rb") as file:
        n_header = int.from_bytes(file.read(LENGTH), "little")
        header = file.read(n_header) if n_header < n_file else b""
    try:
        described: dict[str, Any] = json.loads(header)
        first = LENGTH + n_header
        found = {
            name: Tensor(entry["dtype"], tuple(entry["shape"]), *(first + at for at in entry["data_offsets"]))
            for name, entry in described.items()
            if name != "__metadata__"
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(f"{path} is no safetensors file") from error
    if any(tensor.stop > n_file for tensor in found.values()):
        raise ModelError(f"{path} is cut off")
    return found


def arrays(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    """The tensors of a file as float32."""
    found = tensors(path)
    content = np.memmap(path, np.uint8, "r")
    return {name: array(content, tensor) for name, tensor in found.items()}


def array(content: npt.NDArray[np.uint8], tensor: Tensor) -> npt.NDArray[np.float32]:
    if tensor.dtype not in DTYPES:
        raise ModelError(f"its weights are {tensor.dtype}; only {' and '.join(DTYPES)} are computed here")
    numbers = content[tensor.start : tensor.stop].view(DTYPES[tensor.dtype])
    return numbers.reshape(tensor.shape).astype(np.float32)
