"""A pass through the network in training: the loss of some rows, and its gradient.

It computes the same as transformers, in the form that is fastest on a CPU. The heads share one key and one
value, so the queries of all heads are the rows of one matrix, and attention is two ordinary products of
matrices, which are faster than the fused kernel once compiled. The loss and its gradient are computed
together, over a few hundred tokens at a time, because the logits of a whole pass would take 67 MB.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import Qwen3ForCausalLM

# The number of queries at once; with few of them, most of the keys behind a query are not computed.
QUERIES = 256
# The number of tokens whose logits are held at once, on a CPU and on a GPU.
CHUNK, CHUNK_ON_GPU = 512, 16_384

# The loss of the rows, divided by a number, and its gradient for each parameter. The last argument is the
# weight of a text's end in the gradient; the loss itself is not weighted.
Pass = Callable[[Tensor, int, float], tuple[float, list[Tensor]]]


def one_pass_of(model: Qwen3ForCausalLM, *, compiled: bool) -> Pass:
    """The function that computes passes of this model."""
    body, head = hidden_states, head_gradients
    if compiled:
        body, head = torch.compile(body, dynamic=False), torch.compile(head, dynamic=False)
    embedding = model.model.embed_tokens.weight
    parameters = list(model.parameters())
    [at] = [index for index, parameter in enumerate(parameters) if parameter is embedding]
    chunk = CHUNK_ON_GPU if embedding.is_cuda else CHUNK
    end = model.config.eos_token_id
    assert end is None or isinstance(end, int)

    def one_pass(rows: Tensor, n_tokens: int, end_counts: float) -> tuple[float, list[Tensor]]:
        inputs, targets = rows[:, :-1], rows[:, 1:].flatten()  # (B, T), (B T,)
        hidden = body(model.model, inputs).flatten(0, 1)  # (B T, width)
        weight = embedding.detach().bfloat16()
        chunks = zip(torch.split(hidden.detach(), chunk), torch.split(targets, chunk), strict=True)
        # The number is a tensor, so that another number needs no recompilation.
        counts = torch.tensor(end_counts, device=rows.device)
        parts = [head(states, weight, wanted, end, counts, 1.0 / n_tokens) for states, wanted in chunks]
        losses, of_states, of_weight = zip(*parts, strict=True)
        gradients = list(torch.autograd.grad(hidden, parameters, torch.cat(of_states)))
        for part in of_weight:
            gradients[at] = gradients[at] + part
        return float(torch.stack(losses).sum()), gradients

    return one_pass


def head_gradients(
    states: Tensor, weight: Tensor, targets: Tensor, end: int | None, end_counts: Tensor, scale: float
) -> tuple[Tensor, Tensor, Tensor]:
    """The loss of some tokens, its gradient for the states (T, width), and its gradient for the weight."""
    states = states.bfloat16()
    logits = (states @ weight.T).float()  # (T, vocabulary)
    normalizer = logits.logsumexp(1, keepdim=True)
    loss = (normalizer.squeeze(1) - logits.gather(1, targets[:, None]).squeeze(1)).sum() * scale
    is_target = torch.arange(logits.shape[1], device=targets.device) == targets[:, None]
    counts = scale if end is None else torch.where(targets == end, end_counts * scale, scale)[:, None]
    slope = (((logits - normalizer).exp() - is_target.float()) * counts).bfloat16()
    return loss, (slope @ weight).float(), (slope.T @ states).float()


def hidden_states(model: Any, ids: Tensor) -> Tensor:
    """The output of the last norm (B, T, width), in single precision."""
    cos, sin = waves(model.config, ids.shape[1], ids.device)
    x = functional.embedding(ids, model.embed_tokens.weight)  # (B, T, width)
    for layer in model.layers:
        x = x + attention(layer.self_attn, normed(x, layer.input_layernorm), cos, sin).float()
        mlp, read = layer.mlp, normed(x, layer.post_attention_layernorm).bfloat16()
        gate, up = linear(read, mlp.gate_proj), linear(read, mlp.up_proj)
        x = x + linear(functional.silu(gate.float()).bfloat16() * up, mlp.down_proj).float()
    return normed(x, model.norm)


def attention(layer: Any, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    n_rows, n_tokens, _ = x.shape
    size = layer.head_dim
    x = x.bfloat16()
    q = (
        linear(x, layer.q_proj).view(n_rows, n_tokens, -1, size).transpose(1, 2).float()
    )  # (B, heads, T, size)
    k = linear(x, layer.k_proj).view(n_rows, n_tokens, size).float()  # (B, T, size)
    v = linear(x, layer.v_proj)  # (B, T, size)
    q = turned(normed(q, layer.q_norm), cos, sin).bfloat16()
    k = turned(normed(k, layer.k_norm), cos, sin).bfloat16()
    if x.is_cuda:
        mixed = functional.scaled_dot_product_attention(
            q, k[:, None].expand_as(q), v[:, None].expand_as(q), is_causal=True
        )
    else:
        starts = range(0, n_tokens, QUERIES)
        mixed = torch.cat([attended(q, k, v, start, min(n_tokens, start + QUERIES)) for start in starts], 2)
    return linear(mixed.transpose(1, 2).flatten(2), layer.o_proj)


def attended(q: Tensor, k: Tensor, v: Tensor, start: int, stop: int) -> Tensor:
    """The values that the queries from start to stop of all heads read: (B, heads, stop - start, size)."""
    n_rows, n_heads, _, size = q.shape
    rows = q[:, :, start:stop].reshape(n_rows, -1, size)  # (B, heads (stop - start), size)
    scores = (rows @ k[:, :stop].transpose(1, 2)).float() * size**-0.5  # (B, heads (stop - start), stop)
    position = torch.arange(start, stop, device=q.device)
    is_behind = torch.arange(stop, device=q.device)[None, :] > position.repeat(n_heads)[:, None]
    weights = scores.masked_fill(is_behind, float("-inf")).softmax(2).bfloat16()
    mixed: Tensor = weights @ v[:, :stop]
    return mixed.view(n_rows, n_heads, stop - start, size)


def linear(x: Tensor, layer: nn.Linear) -> Tensor:
    return functional.linear(x, layer.weight.bfloat16())


def normed(x: Tensor, norm: Any) -> Tensor:
    scale = torch.rsqrt(x.square().mean(-1, keepdim=True) + norm.variance_epsilon)
    weight: Tensor = norm.weight
    return x * scale * weight


def waves(config: Any, n_tokens: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """The cosines and sines of each position (Su et al. 2021), of shape (T, head size)."""
    size = config.head_dim
    rates = config.rope_parameters["rope_theta"] ** (-torch.arange(0, size, 2, device=device) / size)
    angles = torch.arange(n_tokens, device=device)[:, None] * rates[None, :]
    angles = torch.cat([angles, angles], 1)
    return angles.cos(), angles.sin()


def turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin
