"""The shapes of the networks that run without PyTorch: GPTBigCode with one key for all heads, and Qwen3.

Both read the same way. A token's embedding passes through layers; each adds the values that attention gathers
from earlier tokens, and then the output of two or three matrices. They differ in positions (learned, or
rotations of queries and keys), in norms, in biases and in the gate of the second half.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fim_lsp.runtimes.folder import ModelError


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """The shape of a network, which the computation needs beside the weights."""

    is_qwen: bool
    n_layers: int
    n_heads: int
    n_key_heads: int
    head_size: int
    width: int
    n_tokens: int
    n_positions: int
    epsilon: float
    # The base of Qwen3's rotations, and whether the embedding is also the head.
    rope_theta: float = 0.0
    is_tied: bool = True

    @property
    def n_key_values(self) -> int:
        """The number of key values of each token in each layer; there are as many of values."""
        return self.n_key_heads * self.head_size


def shape_of(config: Mapping[str, Any]) -> NetworkShape:
    """The shape in a config.json. Raises `ModelError` for an unknown network."""
    kinds = {"gpt_bigcode": bigcode, "qwen3": qwen3}
    kind = config.get("model_type")
    if kind not in kinds:
        raise ModelError(f"a model of type {kind!r} is not computed without PyTorch")
    try:
        return kinds[kind](config)
    except (KeyError, TypeError) as error:
        raise ModelError(f"its config.json is incomplete: {error}") from error


def bigcode(config: Mapping[str, Any]) -> NetworkShape:
    if not config.get("multi_query", True) or config.get("activation_function") != "gelu_pytorch_tanh":
        raise ModelError("a GPTBigCode with a key for each head, or another activation, needs PyTorch")
    if not config.get("scale_attn_weights", True):
        raise ModelError("a GPTBigCode without scaled attention needs PyTorch")
    return NetworkShape(
        is_qwen=False,
        n_layers=config["n_layer"],
        n_heads=config["n_head"],
        n_key_heads=1,
        head_size=config["n_embd"] // config["n_head"],
        width=config["n_embd"],
        n_tokens=config["vocab_size"],
        n_positions=config["n_positions"],
        epsilon=config["layer_norm_epsilon"],
    )


def qwen3(config: Mapping[str, Any]) -> NetworkShape:
    rope = config.get("rope_parameters") or {}
    kind = rope.get("rope_type", (config.get("rope_scaling") or {}).get("rope_type", "default"))
    if kind != "default" or config.get("attention_bias") or config.get("use_sliding_window"):
        raise ModelError("a Qwen3 with scaled positions, biases or a sliding window needs PyTorch")
    if config.get("hidden_act", "silu") != "silu":
        raise ModelError("a Qwen3 with another activation needs PyTorch")
    return NetworkShape(
        is_qwen=True,
        n_layers=config["num_hidden_layers"],
        n_heads=config["num_attention_heads"],
        n_key_heads=config["num_key_value_heads"],
        head_size=config["head_dim"],
        width=config["hidden_size"],
        n_tokens=config["vocab_size"],
        n_positions=config["max_position_embeddings"],
        epsilon=config["rms_norm_eps"],
        rope_theta=float(rope.get("rope_theta") or config["rope_theta"]),
        is_tied=bool(config.get("tie_word_embeddings")),
    )
