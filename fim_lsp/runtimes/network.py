"""The network in PyTorch: its device, its number format, and the loading of its weights."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch

from fim_lsp.runtimes.folder import ModelError, first_line, read_config
from fim_lsp.runtimes.santacoder import converted_network, is_original

# Below this size a second thread costs more in waiting than it computes.
SMALL = 60_000_000


def best_device() -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def network_at(folder: Path, name: str, device: str, dtype: str | None, n_threads: int | None = None) -> Any:
    """A causal network from a folder, ready to use."""
    number_format = chosen_dtype(device, dtype)
    config = read_config(folder)
    if is_original(config):
        load = partial(converted_network, folder, config, number_format)
    elif needs_own_code(config):
        raise ModelError(
            f"{name} brings Python code of its own ({architecture(config)}), which is not run;"
            " use a version of it that transformers knows"
        )
    else:
        load = partial(known_network, folder, number_format)
    try:
        with warnings.catch_warnings():
            # transformers' warnings about a model's files concern its authors, not its users.
            warnings.simplefilter("ignore")
            network: Any = load()
    except Exception as error:
        raise ModelError(f"{name} cannot be loaded: {first_line(error)}") from error
    if device == "cpu":
        use_threads(n_threads, sum(parameter.numel() for parameter in network.parameters()))
    try:
        return network.to(device).eval().requires_grad_(False)
    except (RuntimeError, AssertionError) as error:
        raise ModelError(f"{name} cannot be brought to the device {device!r}: {first_line(error)}") from error


def known_network(folder: Path, dtype: torch.dtype) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, local_files_only=True)


def needs_own_code(config: Mapping[str, Any]) -> bool:
    """Whether only code in a model's folder defines its architecture.

    Many models still name such code although transformers has come to know them; then it is not needed.
    """
    import transformers

    if not config.get("auto_map"):
        return False
    is_known = config.get("model_type") in transformers.CONFIG_MAPPING
    return not is_known or not hasattr(transformers, architecture(config))


def architecture(config: Mapping[str, Any]) -> str:
    found = config.get("architectures")
    return str(found[0]) if isinstance(found, list) and found else str(config.get("model_type", "unnamed"))


def chosen_dtype(device: str, dtype: str | None) -> torch.dtype:
    """The requested number format, or the quickest one that the device computes well."""
    if dtype is not None:
        found = getattr(torch, dtype, None)
        if not isinstance(found, torch.dtype) or not found.is_floating_point:
            raise ModelError(f"{dtype!r} is no number format for weights; use float32, bfloat16 or float16")
        return found
    if device.startswith("cuda"):
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    return torch.float16 if device == "mps" else torch.float32


def use_threads(n_threads: int | None, n_parameters: int) -> None:
    """Leaves one core to the editor, and uses one thread for a small network."""
    n_cores = os.cpu_count() or 1
    if n_threads is not None:
        torch.set_num_threads(n_threads)
    elif "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1 if n_parameters < SMALL else max(1, n_cores - 1))
