"""Trains the model: steps, checkpoints, and a log of losses for the picture and the card.

The rate rises and is held for as long as the recipe has tokens. A branch, on which the rate falls to zero,
may be made at any time: the branch is exported, and the training continues from where it branched. An average
of the last weights is kept, too, because it is nearly as good as a branch and costs nothing.

A training may stop at any time, by a signal, a time limit or the loss of its machine. It continues from its
last checkpoint.
"""

from __future__ import annotations

import json
import math
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import repeat
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import torch
from torch import Tensor
from transformers import Qwen3ForCausalLM

from training.ahead import Batches
from training.optimizer import optimizers
from training.passes import Pass, one_pass_of
from training.progress import Progress
from training.recipe import TrainingRecipe


@dataclass(slots=True)
class TrainingState:
    """The state of a training. Its seconds are those of training alone, summed over all runs."""

    step: int = 0
    n_tokens: int = 0
    seconds: float = 0.0
    processor_seconds: float = 0.0
    # The tokens that the training had seen when this branch branched off.
    branched_at: int = 0
    average: dict[str, Tensor] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A run: the training itself, or a branch, which begins at the checkpoint `start`."""

    checkpoint: Path
    start: Path
    log: Path
    is_branch: bool


@dataclass(frozen=True, slots=True)
class Computation:
    """How to compute, and the minutes of this call."""

    compiled: bool = True
    n_workers: int = 2
    minutes: float = math.inf


def train(
    model: Qwen3ForCausalLM, samples: Batches, recipe: TrainingRecipe, run: TrainingRun, how: Computation
) -> TrainingState:
    """Trains to the end of the recipe, from the run's checkpoint if there is one."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device).train()  # type: ignore[arg-type]
    progress = Progress("decay" if run.is_branch else "train")
    with (
        ThreadPoolExecutor(1 if device.type == "cuda" else how.n_workers) as workers,
        until_told_to_stop() as is_told_to_stop,
        run.log.open("a", encoding="utf-8") as log,
    ):
        both = optimizers(model, recipe, workers)
        state = resumed(run, model, both)
        one_pass = one_pass_of(model, compiled=how.compiled)
        warmed: set[int] = set()
        end = time.monotonic() + 60 * how.minutes
        saved_at = time.monotonic()
        while (share := share_done(state, recipe, run)) < 1.0:
            if is_told_to_stop() or time.monotonic() >= end:
                break
            start, processor_start = time.perf_counter(), time.process_time()
            contexts = recipe.decay_rows if run.is_branch else recipe.rows_after(state.n_tokens)
            rows = [torch.from_numpy(of_pass).to(device) for of_pass in samples.passes(state.step, contexts)]
            set_rates(both, recipe, 1.0 - share if run.is_branch else risen(state, recipe))
            # A shape is compiled at its first use, which two threads must not do at once.
            is_warm = warmed.issuperset(contexts)
            end_counts = counted(share, recipe, run)
            loss = one_step(model, both, one_pass, rows, end_counts, workers if is_warm else None)
            warmed.update(contexts)
            update_average(state, model, recipe)
            state.step += 1
            state.n_tokens += recipe.tokens_per_step
            state.seconds += time.perf_counter() - start
            state.processor_seconds += time.process_time() - processor_start
            write_loss(log, state, loss, contexts)
            progress.show(share, f"step {state.step}, loss {loss:.3f}, {state.n_tokens / 1e6:.1f} M tokens")
            if time.monotonic() - saved_at >= 60 * recipe.checkpoint_minutes:
                save(run.checkpoint, model, both, state)
                saved_at = time.monotonic()
        save(run.checkpoint, model, both, state)
    progress.done(
        f"{state.step} steps, {state.n_tokens / 1e6:.1f} M tokens, {state.seconds / 60:.1f} minutes"
    )
    return state


@contextmanager
def until_told_to_stop() -> Iterator[Callable[[], bool]]:
    """Whether SIGTERM or SIGINT has come. The current step is finished and saved first."""
    came: list[int] = []

    def heard(number: int, _frame: FrameType | None) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)

    before = {number: signal.signal(number, heard) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def share_done(state: TrainingState, recipe: TrainingRecipe, run: TrainingRun) -> float:
    if not run.is_branch:
        return state.n_tokens / recipe.max_tokens
    length = max(recipe.decay_share * state.branched_at, recipe.tokens_per_step)
    return (state.n_tokens - state.branched_at) / length


def risen(state: TrainingState, recipe: TrainingRecipe) -> float:
    """The factor of the learning rates: it rises in a straight line, and then stays 1."""
    return min(1.0, max(0.05, state.n_tokens / recipe.warmup_tokens))


def counted(share: float, recipe: TrainingRecipe, run: TrainingRun) -> float:
    """The weight of a text's end."""
    return 1.0 if run.is_branch and share >= recipe.end_counts_until else recipe.end_counts


def set_rates(both: tuple[torch.optim.Optimizer, ...], recipe: TrainingRecipe, factor: float) -> None:
    for optimizer, highest in zip(both, (recipe.matrix_rate, recipe.other_rate), strict=True):
        for group in optimizer.param_groups:
            group["lr"] = highest * factor


def one_step(
    model: Qwen3ForCausalLM,
    both: tuple[torch.optim.Optimizer, ...],
    one_pass: Pass,
    rows: Sequence[Tensor],
    end_counts: float,
    workers: Executor | None,
) -> float:
    """Makes one update. Each worker computes whole passes by itself: on a busy machine, threads inside an
    operation would wait for each other in every operation."""
    n_tokens = sum(of_pass[:, 1:].numel() for of_pass in rows)
    parameters = list(model.parameters())
    total = 0.0
    every = workers.map if workers else map
    for loss, gradients in every(one_pass, rows, repeat(n_tokens), repeat(end_counts)):
        total += loss
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.grad = gradient if parameter.grad is None else parameter.grad.add_(gradient)
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)
    for optimizer in both:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return total


@torch.no_grad()
def update_average(state: TrainingState, model: Qwen3ForCausalLM, recipe: TrainingRecipe) -> None:
    # Early on the average covers fewer steps, because the first weights are far from all later ones.
    weight = max(1 / recipe.average_over, 1 / (1 + state.step / 5))
    for name, parameter in model.named_parameters():
        if name in state.average:
            state.average[name].lerp_(parameter.detach(), weight)
        else:
            state.average[name] = parameter.detach().clone()


def write_loss(log: TextIO, state: TrainingState, loss: float, contexts: Sequence[int]) -> None:
    if not math.isfinite(loss):
        raise ArithmeticError(f"the loss is {loss} at step {state.step}")
    row = {"step": state.step, "loss": round(loss, 4), "tokens": state.n_tokens, "rows": list(contexts)}
    times = {"seconds": round(state.seconds, 1), "processor": round(state.processor_seconds, 1)}
    print(json.dumps({**row, **times}), file=log, flush=True)


def save(path: Path, model: Qwen3ForCausalLM, both: tuple[Any, ...], state: TrainingState) -> None:
    """Writes to another file and moves it into place, so that a killed run leaves the last checkpoint."""
    beside = path.with_suffix(".part")
    held: dict[str, object] = {
        "config": model.config.to_json_string(),
        "model": model.state_dict(),
        "optimizers": [optimizer.state_dict() for optimizer in both],
        "state": asdict(state),
    }
    torch.save(held, beside)
    beside.replace(path)


def resumed(run: TrainingRun, model: Qwen3ForCausalLM, both: tuple[Any, ...]) -> TrainingState:
    """The state of the run's checkpoint, or of the one at which it starts, or a new one."""
    path = run.checkpoint if run.checkpoint.exists() else run.start
    if not path.exists():
        if run.is_branch:
            raise FileNotFoundError(f"there is no training to branch off from: {path}")
        return TrainingState()
    held = torch.load(path, map_location=model.device, weights_only=True)
    model.load_state_dict(held["model"])
    # A checkpoint from another machine lacks the optimizers' state, which recovers within a few dozen steps.
    for optimizer, its_state in zip(both, held.get("optimizers", both), strict=True):
        if its_state is not optimizer:
            optimizer.load_state_dict(its_state)
    state = TrainingState(**held["state"])
    if run.is_branch and path == run.start:
        state.branched_at, state.average = state.n_tokens, {}
    return state
