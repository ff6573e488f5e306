"""What a user wishes to compute a model with. This imports no runtime."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RuntimeName = Literal["embedded", "torch"]


@dataclass(frozen=True, slots=True)
class RuntimeWishes:
    """What is to compute a model; by default what suits the model and this machine."""

    # `embedded` is the plain install; it can compute some models, and no other device or number format.
    runtime: RuntimeName | None = None
    # `cpu`, `cuda` or `mps`.
    device: str | None = None
    # A number format of PyTorch, such as `bfloat16`.
    dtype: str | None = None
    # For PyTorch and llama.cpp on a processor.
    n_threads: int | None = None
    # The number of layers of a GGUF file that a GPU computes.
    gpu_layers: int | None = None


ANY_RUNTIME = RuntimeWishes()
