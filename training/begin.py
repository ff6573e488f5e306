"""Begins a training with the weights of another model, although its tokens differ.

The skills of the layers (copying a name, closing what is open, reading the marks of a hole) hold in every
language. A token that exists in both tokenizers keeps its row of the embedding. Each other token gets the
mean of the rows of the old tokens that spell its text.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import Qwen3ForCausalLM

from training.folder import CHECKPOINT, TOKENIZER
from training.model import new_model
from training.recipe import TrainingRecipe
from training.train import TrainingState


def begin(other: Path, other_tokenizer: Path, work: Path, recipe: TrainingRecipe) -> Path:
    """A checkpoint that has seen no tokens yet, with the other model's weights. Raises `ValueError` if there
    is a training already, or if the other model has another shape."""
    checkpoint = work / CHECKPOINT
    if checkpoint.exists():
        raise ValueError(f"a training is there already: {checkpoint}")
    tokenizer = Tokenizer.from_file(str(work / TOKENIZER))
    model = new_model(recipe, tokenizer)
    learned = Qwen3ForCausalLM.from_pretrained(other, local_files_only=True, dtype=torch.float32)
    weights = learned.state_dict()
    rows = weights["model.embed_tokens.weight"]
    for name in ("model.embed_tokens.weight", "lm_head.weight"):
        weights[name] = embedding(rows, Tokenizer.from_file(str(other_tokenizer)), tokenizer)
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        raise ValueError(f"{other} has another shape than the recipe") from error
    torch.save(
        {
            "config": model.config.to_json_string(),
            "model": model.state_dict(),
            "state": asdict(TrainingState()),
        },
        checkpoint,
    )
    return checkpoint


def embedding(rows: torch.Tensor, old: Tokenizer, new: Tokenizer) -> torch.Tensor:
    """The embedding's rows of the new tokens, made of the rows of the old ones."""
    known = old.get_vocab()
    made = torch.empty(new.get_vocab_size(), rows.shape[1])
    for token, index in new.get_vocab().items():
        same = known.get(token)
        ids = [same] if same is not None else old.encode(new.decode([index]), add_special_tokens=False).ids
        made[index] = rows[ids].mean(0) if ids else rows.mean(0)
    return made
