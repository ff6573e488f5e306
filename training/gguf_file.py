"""Writes the exported model as a GGUF file, which llama.cpp, Ollama and LM Studio load.

The network is Qwen3's, and llama.cpp knows it by that name; only the names of its tensors differ. Matrices
keep the half precision in which they were published, and vectors are in float32, because llama.cpp requires
it. The file also holds the tokenizer and its merges. It does not describe how a text is cut into words, but
names the method: `starcoder` means single digits and then GPT-2's words, as in the bundled tokenizer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from safetensors.numpy import load_file

from fim_lsp.decoding.models.gguf import FIM_KEY
from fim_lsp.fim_formats import fim_format
from fim_lsp.runtimes.folder import ModelError, read_config, read_json
from fim_lsp.runtimes.shape import NetworkShape, shape_of
from fim_lsp.runtimes.weights import WEIGHTS

# The names of one layer's tensors in transformers and in GGUF.
LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_proj": "attn_k",
    "self_attn.k_norm": "attn_k_norm",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
WHOLE = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
# GGUF's name of the tokenizer's pre-tokenizer.
WORDS = "starcoder"


def write_gguf(folder: Path, path: Path) -> None:
    """Writes the model of a folder that `export` wrote as one file. Raises `ModelError` for another kind of
    model."""
    config = read_config(folder)
    shape = shape_of(config)
    if not shape.is_qwen:
        raise ModelError(f"{folder} is not a Qwen3, the only kind that is written as GGUF")
    path.parent.mkdir(parents=True, exist_ok=True)
    # The file gets its name only when it is complete.
    unfinished = path.with_name(f"{path.name}.part")
    writer = gguf.GGUFWriter(unfinished, "qwen3")
    describe(writer, shape, config)
    add_tokenizer(writer, shape.n_tokens, folder)
    for name, tensor in load_file(folder / WEIGHTS).items():
        writer.add_tensor(renamed(name), tensor if tensor.ndim > 1 else tensor.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    unfinished.replace(path)


def describe(writer: gguf.GGUFWriter, shape: NetworkShape, config: Mapping[str, Any]) -> None:
    writer.add_name("fim-lsp bundled")
    writer.add_license("apache-2.0")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_block_count(shape.n_layers)
    writer.add_context_length(shape.n_positions)
    writer.add_embedding_length(shape.width)
    writer.add_feed_forward_length(int(config["intermediate_size"]))
    writer.add_head_count(shape.n_heads)
    writer.add_head_count_kv(shape.n_key_heads)
    writer.add_key_length(shape.head_size)
    writer.add_value_length(shape.head_size)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_freq_base(shape.rope_theta)
    if "fim" in config:
        writer.add_string(FIM_KEY, json.dumps(config["fim"]))


def renamed(name: str) -> str:
    base, kind = name.rsplit(".", 1)
    if base in WHOLE:
        return f"{WHOLE[base]}.{kind}"
    _, _, index, part = base.split(".", 3)
    return f"blk.{index}.{LAYER[part]}.{kind}"


def add_tokenizer(writer: gguf.GGUFWriter, n_tokens: int, folder: Path) -> None:
    described = read_json(folder / "tokenizer.json")
    settings = read_json(folder / "tokenizer_config.json")
    texts = [f"[unused{index}]" for index in range(n_tokens)]
    types = [gguf.TokenType.UNUSED] * n_tokens
    for text, index in described["model"]["vocab"].items():
        texts[index], types[index] = text, gguf.TokenType.NORMAL
    ids = {token["content"]: int(token["id"]) for token in described["added_tokens"]}
    for text, index in ids.items():
        texts[index], types[index] = text, gguf.TokenType.CONTROL
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(WORDS)
    writer.add_token_list(texts)
    writer.add_token_types(types)
    # Older files join both halves of a merge in one text.
    merges = described["model"]["merges"]
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
    writer.add_bos_token_id(ids[settings["bos_token"]])
    writer.add_eos_token_id(ids[settings["eos_token"]])
    writer.add_pad_token_id(ids[settings["pad_token"]])
    writer.add_add_bos_token(False)
    known = fim_format(ids)
    assert known is not None
    assert known.middle is not None
    keys = gguf.Keys.Tokenizer
    writer.add_uint32(keys.FIM_PRE_ID, ids[known.prefix])
    writer.add_uint32(keys.FIM_SUF_ID, ids[known.suffix])
    writer.add_uint32(keys.FIM_MID_ID, ids[known.middle])
    writer.add_uint32(keys.FIM_PAD_ID, ids[settings["pad_token"]])
