"""The original SantaCoder is loaded without its own code, and computes the same as that code.

The reference below is that code in short: GPT-2's blocks, with one key and one value for all heads. Weights
are random; files and names are as published.
"""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch.nn.functional import gelu, layer_norm

from fim_lsp.decoding.models.model import ModelError, load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from quotient import Language
from tests.models import save_tiny_model, trained_tokenizer

N_EMBD, N_HEAD, N_LAYER, N_POSITIONS = 32, 4, 2, 64
HEAD = N_EMBD // N_HEAD
Weights = dict[str, torch.Tensor]


def random_weights(n_tokens: int, is_split: bool) -> Weights:
    generator = torch.Generator().manual_seed(3)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator) * 0.3

    found = {
        "transformer.wte.weight": drawn(n_tokens, N_EMBD),
        "transformer.wpe.weight": drawn(N_POSITIONS, N_EMBD),
    }
    attention = {"q_attn": N_EMBD, "kv_attn": 2 * HEAD} if is_split else {"c_attn": N_EMBD + 2 * HEAD}
    for layer in range(N_LAYER):
        block = f"transformer.h.{layer}"
        # Conv1D: (in, out).
        for name, n_out in {**attention, "c_proj": N_EMBD}.items():
            found[f"{block}.attn.{name}.weight"] = drawn(N_EMBD, n_out)
            found[f"{block}.attn.{name}.bias"] = drawn(n_out)
        for name, n_in, n_out in (("c_fc", N_EMBD, 4 * N_EMBD), ("c_proj", 4 * N_EMBD, N_EMBD)):
            found[f"{block}.mlp.{name}.weight"] = drawn(n_in, n_out)
            found[f"{block}.mlp.{name}.bias"] = drawn(n_out)
        for name in (f"{block}.ln_1", f"{block}.ln_2"):
            found[f"{name}.weight"], found[f"{name}.bias"] = 1 + drawn(N_EMBD), drawn(N_EMBD)
        # Buffers were saved in the file, too.
        found[f"{block}.attn.bias"] = torch.tril(torch.ones(1, 1, N_POSITIONS, N_POSITIONS, dtype=torch.bool))
        found[f"{block}.attn.masked_bias"] = torch.tensor(-1e4)
    found["transformer.ln_f.weight"], found["transformer.ln_f.bias"] = 1 + drawn(N_EMBD), drawn(N_EMBD)
    found["lm_head.weight"] = found["transformer.wte.weight"].clone()
    return found


def reference(weights: Weights, ids: torch.Tensor) -> torch.Tensor:
    """The original network's logits (n, vocabulary) for tokens (n,)."""

    def conv(x: torch.Tensor, name: str) -> torch.Tensor:
        return x @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def norm(x: torch.Tensor, name: str) -> torch.Tensor:
        return layer_norm(x, (N_EMBD,), weights[f"{name}.weight"], weights[f"{name}.bias"])

    n = len(ids)
    x = weights["transformer.wte.weight"][ids] + weights["transformer.wpe.weight"][:n]
    for layer in range(N_LAYER):
        block = f"transformer.h.{layer}"
        h = norm(x, f"{block}.ln_1")
        if f"{block}.attn.c_attn.weight" in weights:
            query, key, value = torch.split(conv(h, f"{block}.attn.c_attn"), [N_EMBD, HEAD, HEAD], dim=-1)
        else:
            query = conv(h, f"{block}.attn.q_attn")
            key, value = torch.split(conv(h, f"{block}.attn.kv_attn"), HEAD, dim=-1)
        heads = query.view(n, N_HEAD, HEAD).transpose(0, 1)  # (heads, n, head)
        scores = heads @ key.T / math.sqrt(HEAD)  # (heads, n, n)
        future = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
        read = scores.masked_fill(future, -math.inf).softmax(-1) @ value  # (heads, n, head)
        x = x + conv(read.transpose(0, 1).reshape(n, N_EMBD), f"{block}.attn.c_proj")
        h = gelu(conv(norm(x, f"{block}.ln_2"), f"{block}.mlp.c_fc"), approximate="tanh")
        x = x + conv(h, f"{block}.mlp.c_proj")
    return norm(x, "transformer.ln_f") @ weights["transformer.wte.weight"].T


def published(folder: Path, weights: Weights, is_safe: bool) -> Path:
    """A folder with the model's published files, without its code."""
    tokenizer = trained_tokenizer()
    tokenizer.save_pretrained(folder)
    config = {
        "activation_function": "gelu_fast",
        "architectures": ["GPT2LMHeadCustomModel"],
        "attention_head_type": "multiquery",
        "attn_pdrop": 0.1,
        "auto_map": {
            "AutoConfig": "configuration_gpt2_mq.GPT2CustomConfig",
            "AutoModelForCausalLM": "modeling_gpt2_mq.GPT2LMHeadCustomModel",
        },
        "bos_token_id": 0,
        "eos_token_id": 0,
        "layer_norm_epsilon": 1e-05,
        "model_type": "gpt2",
        "n_embd": N_EMBD,
        "n_head": N_HEAD,
        "n_inner": 4 * N_EMBD,
        "n_layer": N_LAYER,
        "n_positions": N_POSITIONS,
        "reorder_and_upcast_attn": False,
        "scale_attn_by_inverse_layer_idx": False,
        "scale_attn_weights": True,
        "vocab_size": len(tokenizer),
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    if is_safe:
        save_file(weights, folder / "model.safetensors")
    else:
        torch.save(weights, folder / "pytorch_model.bin")
    return folder


@pytest.mark.parametrize("is_split", [True, False])
@pytest.mark.parametrize("is_safe", [True, False])
def test_the_original_computes_what_its_own_code_computes(
    is_split: bool, is_safe: bool, tmp_path: Path
) -> None:
    weights = random_weights(len(trained_tokenizer()), is_split)
    model = load_model(str(published(tmp_path, weights, is_safe)), RuntimeWishes(device="cpu"), offline=True)
    ids = model.encode("def f(x):\n    return x + 1\n")
    computed = model.runtime.cache().read(ids, len(ids))
    expected = reference(weights, torch.tensor(ids))
    for place, row in enumerate(expected):
        assert torch.allclose(torch.from_numpy(computed[place]), row, atol=1e-4)
    assert model.fim_format.name == "santacoder"


def test_the_original_fills_in(tmp_path: Path) -> None:
    weights = random_weights(len(trained_tokenizer()), is_split=True)
    model = load_model(str(published(tmp_path, weights, is_safe=True)), RuntimeWishes(device="cpu"))
    left, right = "def f(x):\n    retu", "\n"
    recognizer = Language.load("python", version="3.11").recognizer(left, right)
    [found] = DecodingSession(model).complete(CompletionRequest(left, right, recognizer))
    ast.parse(left + found.text + right)


@pytest.mark.parametrize("name", ["transformer.h.1.attn.kv_attn.weight", "transformer.ln_f.weight"])
def test_weights_that_are_missing_are_named(name: str, tmp_path: Path) -> None:
    weights = random_weights(len(trained_tokenizer()), is_split=True)
    del weights[name]
    with pytest.raises(ModelError, match=f"cannot be loaded: its weights are not SantaCoder's: {name}"):
        load_model(str(published(tmp_path, weights, is_safe=True)))


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"model_type": "own", "architectures": ["OwnForCausalLM"]}, "OwnForCausalLM"),
        ({"architectures": ["OwnForCausalLM"]}, "OwnForCausalLM"),
    ],
)
def test_code_beside_a_model_is_not_run(changed: dict[str, object], named: str, tmp_path: Path) -> None:
    save_tiny_model(tmp_path)
    file = tmp_path / "config.json"
    config = json.loads(file.read_text(encoding="utf-8"))
    config |= {"auto_map": {"AutoModelForCausalLM": "modeling_own.OwnForCausalLM"}, **changed}
    file.write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "modeling_own.py").write_text("raise SystemExit('was run')\n", encoding="utf-8")
    with pytest.raises(ModelError, match=rf"brings Python code of its own \({named}\), which is not run"):
        load_model(str(tmp_path))


def test_code_beside_a_model_that_is_known_is_not_needed(tmp_path: Path) -> None:
    save_tiny_model(tmp_path)
    file = tmp_path / "config.json"
    config = json.loads(file.read_text(encoding="utf-8"))
    config["auto_map"] = {"AutoModelForCausalLM": "modeling_own.GPTBigCodeForCausalLM"}
    file.write_text(json.dumps(config), encoding="utf-8")
    assert load_model(str(tmp_path), RuntimeWishes(device="cpu")).fim_format.name == "santacoder"
