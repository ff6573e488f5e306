"""Writes a model as a folder that transformers and ONNX Runtime load: half precision, licence and card.

A training whose checkpoint is lost continues from such a folder.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import GenerationConfig, PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from training.folder import CHECKPOINT, TOKENIZER
from training.graph import write_graph
from training.recipe import TrainingRecipe
from training.samples import END, MIDDLE, PAD, PREFIX, SUFFIX
from training.train import TrainingState

ROOT = Path(__file__).parent.parent
CARD = ROOT / "docs" / "model-card.md"
MAX_BYTES = 32 * 2**20


def export(checkpoint: Path, tokenizer: Tokenizer, folder: Path, *, averaged: bool) -> None:
    """Writes the folder. `averaged` takes the average of the last weights, which is right before the rate has
    fallen."""
    model = trained_model(checkpoint, averaged=averaged)
    folder.mkdir(parents=True, exist_ok=True)
    write_model(model, folder)
    write_graph(folder)
    write_tokenizer(tokenizer, model.config.max_position_embeddings, folder)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    if CARD.exists():
        shutil.copyfile(CARD, folder / "README.md")
    for path in folder.iterdir():
        path.chmod(0o644)
    n_bytes = sum(path.stat().st_size for path in folder.iterdir())
    if n_bytes > MAX_BYTES:
        raise ValueError(
            f"the model has {n_bytes / 2**20:.1f} MB, which is more than {MAX_BYTES / 2**20:.0f}"
        )


def trained_model(checkpoint: Path, *, averaged: bool) -> Qwen3ForCausalLM:
    held = torch.load(checkpoint, map_location="cpu", weights_only=True)
    model = Qwen3ForCausalLM(Qwen3Config(**json.loads(held["config"])))
    model.load_state_dict(held["model"])
    if averaged:
        model.load_state_dict(held["state"]["average"], strict=False)
    model.config.trained_tokens = held["state"]["n_tokens"]
    # The order in which the model is prompted, by its name in the setting `fim`; see samples.py.
    model.config.fim = {"order": "suffix-prefix-middle"}
    return model


def keep(checkpoint: Path, folder: Path) -> None:
    """The training's weights, a sixth of its checkpoint, for `restore` on another machine."""
    folder.mkdir(parents=True, exist_ok=True)
    write_model(trained_model(checkpoint, averaged=True), folder)


def restore(folder: Path, tokenizer: Path, work: Path, recipe: TrainingRecipe) -> Path:
    """A checkpoint from kept or exported weights, for a training that has lost its own."""
    checkpoint = work / CHECKPOINT
    if checkpoint.exists():
        raise ValueError(f"a training is there already: {checkpoint}")
    model = Qwen3ForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
    n_tokens = getattr(model.config, "trained_tokens", None)
    if n_tokens is None:
        raise ValueError(f"{folder} does not say how many tokens it was trained on")
    state = TrainingState(step=n_tokens // recipe.tokens_per_step, n_tokens=n_tokens)
    torch.save(
        {"config": model.config.to_json_string(), "model": model.state_dict(), "state": asdict(state)},
        checkpoint,
    )
    shutil.copyfile(tokenizer, work / TOKENIZER)
    return checkpoint


def write_model(model: Qwen3ForCausalLM, folder: Path) -> None:
    # Float16 keeps three more bits of each weight than bfloat16, and no weight here is near its range.
    model.to(dtype=torch.float16).eval()  # type: ignore[call-arg]
    model.config.use_cache = True
    model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
        bos_token_id=model.config.bos_token_id,
        eos_token_id=model.config.eos_token_id,
        pad_token_id=model.config.pad_token_id,
    )
    model.save_pretrained(folder)


def write_tokenizer(tokenizer: Tokenizer, n_positions: int, folder: Path) -> None:
    wrapped = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        bos_token=END,
        eos_token=END,
        pad_token=PAD,
        additional_special_tokens=[PREFIX, MIDDLE, SUFFIX, PAD],
        model_max_length=n_positions,
        clean_up_tokenization_spaces=False,
    )
    wrapped.save_pretrained(folder)
    # The names that every version of transformers reads; newer ones write others.
    path = folder / "tokenizer_config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config["tokenizer_class"] = "PreTrainedTokenizerFast"
    config["additional_special_tokens"] = config.pop("extra_special_tokens")
    del config["backend"]
    path.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
