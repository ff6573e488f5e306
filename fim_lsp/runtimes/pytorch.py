"""PyTorch: every network that `transformers` loads, on processors and GPUs.

A network is called as the causal models of `transformers` are:
`network(input_ids=..., past_key_values=..., use_cache=True, logits_to_keep=...)`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch

from fim_lsp.runtimes.runtime import Row

# The most tokens of a cache; the cost of attention grows with them.
MOST_POSITIONS = 16_384


@dataclass(frozen=True)
class TorchRuntime:
    """A network of `transformers` on a device."""

    network: Any
    device: str
    has_drafts = True

    @property
    def name(self) -> str:
        return f"PyTorch {torch.__version__}"

    @cached_property
    def n_positions(self) -> int:
        return n_positions(self.network.config)

    @cached_property
    def n_parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.network.parameters())

    def cache(self) -> TorchCache:
        return TorchCache(self.network, self.device)


@dataclass(slots=True)
class TorchCache:
    """The keys and values of one text, as one row of a batch."""

    network: Any
    device: str
    _past: Any = field(default_factory=lambda: empty_past())

    def read(self, tokens: Sequence[int], n_last: int) -> TorchRows:
        with torch.inference_mode():
            output = self.network(
                input_ids=torch.tensor([tokens], device=self.device),
                past_key_values=self._past,
                use_cache=True,
                logits_to_keep=n_last,
            )
        return TorchRows(output.logits[0, -n_last:])

    def crop(self, n_tokens: int) -> None:
        # A negative number removes tokens from the end, in every version of transformers.
        self._past.crop(n_tokens - self._past.get_seq_length())

    def beams(self) -> TorchBeams:
        return TorchBeams(self.network, self.device, copy.deepcopy(self._past))


@dataclass(slots=True)
class TorchBeams:
    """Several texts, each of which is a row of a batch."""

    network: Any
    device: str
    _past: Any

    def read(self, parents: Sequence[int], tokens: Sequence[int]) -> TorchRows:
        self._past.reorder_cache(torch.tensor(parents, device=self.device))
        with torch.inference_mode():
            output = self.network(
                input_ids=torch.tensor(tokens, device=self.device)[:, None],
                past_key_values=self._past,
                use_cache=True,
                logits_to_keep=1,
            )
        return TorchRows(output.logits[:, -1])


@dataclass(frozen=True, slots=True)
class TorchRows:
    """Logits on the network's device; a row is fetched on demand."""

    logits: torch.Tensor  # (rows, vocabulary)

    def __len__(self) -> int:
        return len(self.logits)

    def __getitem__(self, index: int) -> Row:
        row: Row = self.logits[index].to(device="cpu", dtype=torch.float32).numpy()
        return row


def empty_past() -> Any:
    from transformers import DynamicCache

    # A cache without a configuration keeps everything in layers with a sliding window, too, which could not
    # be cropped otherwise. Prompts are never longer than that window.
    return DynamicCache()


def n_positions(config: Any) -> int:
    """The most tokens that the network reads; a sliding window limits them, since it hides earlier tokens."""
    config = config.get_text_config() if hasattr(config, "get_text_config") else config
    limits = [
        getattr(config, name, None)
        for name in ("max_position_embeddings", "n_positions", "sliding_window", "max_sequence_length")
    ]
    return min([limit for limit in limits if isinstance(limit, int) and limit > 0] + [MOST_POSITIONS])
