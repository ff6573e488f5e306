"""SantaCoder in its first publication (`bigcode/santacoder`): a GPT-2 with multi-query attention.

Its repository has its own Python code, which we do not run. transformers has the same network as GPTBigCode,
so the weights are rearranged on reading. The layouts differ in two ways, as the code of both and of
text-generation-inference (`flash_santacoder_modeling.py`) shows:

  - the original's matrices are Conv1D, (in, out); GPTBigCode's are Linear, (out, in);
  - the original has `q_attn`, and `kv_attn` for the key and value that all heads share, or `c_attn` with all
  three
    in a row; GPTBigCode has the latter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

# Masks, which are not learned.
BUFFER = re.compile(r"\.attn\.(masked_)?bias$")
MATRIX = re.compile(r"\.(attn|mlp)\.\w+\.weight$")
SETTINGS = (
    "vocab_size",
    "n_positions",
    "n_embd",
    "n_layer",
    "n_head",
    "n_inner",
    "activation_function",
    "layer_norm_epsilon",
    "scale_attn_weights",
    "bos_token_id",
    "eos_token_id",
)


def is_original(config: Mapping[str, Any]) -> bool:
    """Whether a model's configuration is that of the first publication."""
    return config.get("model_type") == "gpt2" and config.get("attention_head_type") == "multiquery"


def converted_network(folder: Path, config: Mapping[str, Any], dtype: torch.dtype) -> Any:
    """The network in a folder as a GPTBigCode. Raises `ValueError` if weights are missing."""
    from transformers import GPTBigCodeConfig, GPTBigCodeForCausalLM

    if config.get("scale_attn_by_inverse_layer_idx") or config.get("reorder_and_upcast_attn"):
        raise ValueError("its attention is scaled in a way that GPTBigCode has not")
    named = {name: config[name] for name in SETTINGS if name in config}
    described = GPTBigCodeConfig(
        **named, multi_query=True, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, tie_word_embeddings=True
    )
    loader: Any = GPTBigCodeForCausalLM
    network, info = loader.from_pretrained(
        None,
        config=described,
        state_dict=rearranged_weights(dict(weights(folder))),
        dtype=dtype,
        output_loading_info=True,
    )
    missing = sorted(set(info["missing_keys"]) - {"lm_head.weight"})
    if missing or info["unexpected_keys"] or info.get("mismatched_keys"):
        wrong = [*missing, *sorted(info["unexpected_keys"]), *info.get("mismatched_keys", ())]
        raise ValueError(f"its weights are not SantaCoder's: {wrong[0]}")
    return network


def weights(folder: Path) -> Iterator[tuple[str, torch.Tensor]]:
    """The weights in a folder by their names. Code in PyTorch's own files is not run."""
    from safetensors.torch import load_file

    files = sorted(folder.glob("*.safetensors"))
    for file in files:
        yield from load_file(file).items()
    if not files:
        for file in sorted(folder.glob("pytorch_model*.bin")):
            yield from torch.load(file, map_location="cpu", weights_only=True).items()


def rearranged_weights(original: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The weights under the names and in the layout of GPTBigCode."""
    found = {
        name: tensor.T.contiguous() if MATRIX.search(name) else tensor
        for name, tensor in original.items()
        if not BUFFER.search(name)
    }
    for name in [name for name in found if ".attn.q_attn." in name]:
        both = name.replace("q_attn", "kv_attn")
        if both not in found:
            raise ValueError(f"its weights are not SantaCoder's: {both} is missing")
        found[name.replace("q_attn", "c_attn")] = torch.cat([found.pop(name), found.pop(both)])
    # The head is the embedding again.
    found.pop("lm_head.weight", None)
    return found
