"""NumPy alone, for machines without a build of ONNX Runtime: the same numbers in twice the time.

Prompts are read at half of ONNX Runtime's speed, single tokens at about the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fim_lsp.runtimes.folder import ModelError, read_config
from fim_lsp.runtimes.forks import Forks
from fim_lsp.runtimes.runtime import Row
from fim_lsp.runtimes.shape import NetworkShape, shape_of
from fim_lsp.runtimes.weights import WEIGHTS, arrays

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of a layer, matrices as (in, out). A missing bias is 0."""

    norm: Norm
    # Queries of all heads, keys and values in one matrix.
    read: Linear
    query_norm: Norm | None
    key_norm: Norm | None
    gathered: Linear
    second_norm: Norm
    # The matrix into the wider layer; for Qwen3, the gate and the gated part in one.
    up: Linear
    down: Linear


@dataclass(frozen=True, slots=True)
class Linear:
    matrix: Matrix
    bias: Matrix | float = 0.0

    def __call__(self, x: Matrix) -> Matrix:
        found: Matrix = x @ self.matrix
        found += self.bias
        return found


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm to mean 0 and deviation 1; without a bias (Qwen3), to a root mean square of 1."""

    weight: Matrix
    bias: Matrix | None
    epsilon: float

    def __call__(self, x: Matrix) -> Matrix:
        if self.bias is not None:
            x = x - x.mean(-1, keepdims=True)
        found: Matrix = x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(self.epsilon)) * self.weight
        return found if self.bias is None else found + self.bias


@dataclass(frozen=True)
class PlainRuntime:
    """A small network from a folder, in float32 on one processor."""

    shape: NetworkShape
    embeddings: Matrix
    positions: Matrix | None
    layers: list[Layer]
    last_norm: Norm
    head: Matrix
    n_parameters: int
    name = f"NumPy {np.__version__}"
    device = "cpu"
    has_drafts = True

    @classmethod
    def at(cls, folder: Path) -> PlainRuntime:
        shape = shape_of(read_config(folder))
        weights = arrays(folder / WEIGHTS)
        try:
            return qwen3(shape, weights) if shape.is_qwen else bigcode(shape, weights)
        except KeyError as error:
            raise ModelError(f"{folder} lacks the weights {error}") from error

    @property
    def n_positions(self) -> int:
        return self.shape.n_positions

    def cache(self) -> PlainCache:
        shape = self.shape
        room = (shape.n_layers, shape.n_key_heads, shape.n_positions, shape.head_size)
        return PlainCache(self, np.empty(room, np.float32), np.empty(room, np.float32))


@dataclass(slots=True)
class PlainCache:
    """Keys and values (layers, heads, positions, numbers), of which the first `n_read` positions count."""

    runtime: PlainRuntime
    keys: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    n_read: int = 0

    def read(self, tokens: Sequence[int], n_last: int) -> list[Row]:
        runtime, start = self.runtime, self.n_read
        stop = start + len(tokens)
        if stop > runtime.n_positions:
            raise ValueError(f"{stop} tokens are more than the {runtime.n_positions} that it reads")
        x = runtime.embeddings[list(tokens)]
        if runtime.positions is not None:
            x = x + runtime.positions[start:stop]
        for index, layer in enumerate(runtime.layers):
            x = x + layer.gathered(self._attention(index, layer.read(layer.norm(x)), start))
            x = x + layer.down(activated_matrix(layer.up(layer.second_norm(x)), runtime.shape.is_qwen))
        self.n_read = stop
        return list(runtime.last_norm(x[len(tokens) - n_last :]) @ runtime.head)

    def _attention(self, index: int, read: Matrix, start: int) -> Matrix:
        """The values that each token gathers from itself and earlier ones. `read` is (tokens, all heads')."""
        shape, layer = self.runtime.shape, self.runtime.layers[index]
        n, n_queries = len(read), shape.n_heads * shape.head_size
        parts = np.split(read, [n_queries, n_queries + shape.n_key_values], axis=-1)
        query, key, value = (part.reshape(n, -1, shape.head_size) for part in parts)
        if layer.query_norm is not None and layer.key_norm is not None:
            query, key = layer.query_norm(query), layer.key_norm(key)
            query, key = turned_positions(query, start, shape), turned_positions(key, start, shape)
        stop = start + n
        self.keys[index, :, start:stop] = key.transpose(1, 0, 2)
        self.values[index, :, start:stop] = value.transpose(1, 0, 2)
        # Heads that share a key are rows of one matrix: (key heads, heads of each x tokens, numbers).
        grouped = query.transpose(1, 0, 2).reshape(shape.n_key_heads, -1, shape.head_size)
        scores: Matrix = grouped @ self.keys[index, :, :stop].transpose(0, 2, 1)
        scores *= np.float32(shape.head_size**-0.5)
        if n > 1:
            is_later = np.arange(stop) > np.arange(start, stop)[:, None]  # (tokens, positions)
            by_head = scores.reshape(shape.n_heads, n, stop)
            by_head[:, is_later] = -np.inf
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        gathered: Matrix = (scores @ self.values[index, :, :stop]).reshape(shape.n_heads, n, shape.head_size)
        return np.ascontiguousarray(gathered.transpose(1, 0, 2)).reshape(n, n_queries)

    def crop(self, n_tokens: int) -> None:
        self.n_read = n_tokens

    def fork(self) -> PlainCache:
        return PlainCache(self.runtime, self.keys.copy(), self.values.copy(), self.n_read)

    def beams(self) -> Forks:
        return Forks([self.fork()])


def activated_matrix(x: Matrix, is_gated: bool) -> Matrix:
    """SwiGLU of the gate and the gated part, which follow each other; or GELU, by its usual approximation."""
    if is_gated:
        gate, gated = np.split(x, 2, axis=-1)
        with np.errstate(over="ignore"):
            found: Matrix = gate / (1 + np.exp(-gate)) * gated
        return found
    inner = np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x))
    half: Matrix = np.float32(0.5) * x
    return half + half * inner


def turned_positions(x: Matrix, start: int, shape: NetworkShape) -> Matrix:
    """Rotary positions (Su et al. 2021): each pair of numbers is a point, rotated by its token's place.

    `x` is (tokens, heads, numbers); a pair is a number of the first half and one of the second.
    """
    waved = waves(shape.head_size, shape.n_positions, shape.rope_theta)
    cosine, sine = (part[start : start + len(x), None] for part in waved)
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cosine - second * sine, second * cosine + first * sine], axis=-1)


@lru_cache(maxsize=4)
def waves(head_size: int, n_positions: int, theta: float) -> tuple[Matrix, Matrix]:
    """Cosines and sines of each pair's angle at each place, (positions, pairs)."""
    rates = theta ** -(np.arange(0, head_size, 2) / head_size)
    angles = np.arange(n_positions)[:, None] * rates
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


Weights = Mapping[str, Matrix]


def bigcode(shape: NetworkShape, weights: Weights) -> PlainRuntime:
    def linear(name: str) -> Linear:
        return Linear(weights[f"{name}.weight"].T, weights[f"{name}.bias"])

    def norm(name: str) -> Norm:
        return Norm(weights[f"{name}.weight"], weights[f"{name}.bias"], shape.epsilon)

    def layer(name: str) -> Layer:
        return Layer(
            norm=norm(f"{name}.ln_1"),
            read=linear(f"{name}.attn.c_attn"),
            query_norm=None,
            key_norm=None,
            gathered=linear(f"{name}.attn.c_proj"),
            second_norm=norm(f"{name}.ln_2"),
            up=linear(f"{name}.mlp.c_fc"),
            down=linear(f"{name}.mlp.c_proj"),
        )

    return PlainRuntime(
        shape=shape,
        embeddings=weights["transformer.wte.weight"],
        positions=weights["transformer.wpe.weight"],
        layers=[layer(f"transformer.h.{index}") for index in range(shape.n_layers)],
        last_norm=norm("transformer.ln_f"),
        head=weights["transformer.wte.weight"].T,
        n_parameters=sum(tensor.size for tensor in weights.values()),
    )


def qwen3(shape: NetworkShape, weights: Weights) -> PlainRuntime:
    def linear(*names: str) -> Linear:
        return Linear(np.concatenate([weights[f"{name}.weight"] for name in names]).T)

    def norm(name: str) -> Norm:
        return Norm(weights[f"{name}.weight"], None, shape.epsilon)

    def layer(name: str) -> Layer:
        attention = f"{name}.self_attn"
        return Layer(
            norm=norm(f"{name}.input_layernorm"),
            read=linear(f"{attention}.q_proj", f"{attention}.k_proj", f"{attention}.v_proj"),
            query_norm=norm(f"{attention}.q_norm"),
            key_norm=norm(f"{attention}.k_norm"),
            gathered=linear(f"{attention}.o_proj"),
            second_norm=norm(f"{name}.post_attention_layernorm"),
            up=linear(f"{name}.mlp.gate_proj", f"{name}.mlp.up_proj"),
            down=linear(f"{name}.mlp.down_proj"),
        )

    return PlainRuntime(
        shape=shape,
        embeddings=weights["model.embed_tokens.weight"],
        positions=None,
        layers=[layer(f"model.layers.{index}") for index in range(shape.n_layers)],
        last_norm=norm("model.norm"),
        head=weights["model.embed_tokens.weight" if shape.is_tied else "lm_head.weight"].T,
        n_parameters=sum(tensor.size for tensor in weights.values()),
    )
