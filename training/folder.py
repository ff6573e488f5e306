"""The folder of a training: the names of its files, and training from them.

This module needs only PyTorch, transformers and tokenizers, so it also runs on a GPU machine that has little
else (`kit.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import torch
from tokenizers import Tokenizer

from training.ahead import Batches, BatchesAhead
from training.collect import read_documents
from training.model import new_model
from training.recipe import TrainingRecipe
from training.samples import Samples
from training.train import Computation, TrainingRun, TrainingState, train

# The files that the steps write.
DOCUMENTS, TOKENIZER = "documents.jsonl", "tokenizer.json"
CHECKPOINT, LOSSES = "checkpoint.pt", "losses.jsonl"
BRANCH, BRANCH_LOSSES = "branch.pt", "branch-losses.jsonl"


def trained(work: Path, recipe: TrainingRecipe, how: Computation) -> TrainingState:
    """Continues the training until its end or the time limit."""
    run = TrainingRun(work / CHECKPOINT, work / CHECKPOINT, work / LOSSES, is_branch=False)
    return trained_as(run, work, recipe, how)


def decayed(work: Path, recipe: TrainingRecipe, how: Computation) -> TrainingState:
    """Continues the branch. If the training has advanced since, a new branch begins at its checkpoint."""
    if (work / BRANCH).exists() and held_in(work / BRANCH)["branched_at"] != seen_by(work / CHECKPOINT):
        (work / BRANCH).unlink()
        (work / BRANCH_LOSSES).unlink(missing_ok=True)
    run = TrainingRun(work / BRANCH, work / CHECKPOINT, work / BRANCH_LOSSES, is_branch=True)
    return trained_as(run, work, recipe, how)


def held_in(checkpoint: Path) -> dict[str, int]:
    """The state in a checkpoint."""
    state: dict[str, int] = torch.load(checkpoint, map_location="cpu", weights_only=True, mmap=True)["state"]
    return state


def seen_by(checkpoint: Path) -> int | None:
    """The number of tokens that a training has seen; None if there is no training."""
    return held_in(checkpoint)["n_tokens"] if checkpoint.exists() else None


def trained_as(run: TrainingRun, work: Path, recipe: TrainingRecipe, how: Computation) -> TrainingState:
    # Parallel passes use a few cores better than parallel operations; see train.one_step.
    torch.set_num_threads(1)
    model = new_model(recipe, tokenizer_of(work))
    with batches(work, recipe) as samples:
        return train(model, samples, recipe, run, how)


@contextmanager
def batches(work: Path, recipe: TrainingRecipe) -> Iterator[Batches]:
    make = partial(samples_of, work, recipe)
    if not torch.cuda.is_available():
        yield make()
        return
    ahead = BatchesAhead(make, n_processes=max(1, min(14, (os.cpu_count() or 2) - 1)))
    try:
        yield ahead
    finally:
        ahead.close()


def samples_of(work: Path, recipe: TrainingRecipe) -> Samples:
    return Samples(read_documents(work / DOCUMENTS), tokenizer_of(work), recipe)


def tokenizer_of(work: Path) -> Tokenizer:
    return Tokenizer.from_file(str(work / TOKENIZER))
