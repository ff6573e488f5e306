"""Trains the model: steps, checkpoints, and a log of losses that the picture and the card are made from.

On a GPU it computes in bfloat16 as on a CPU; both compile the loss. The rate rises, is held, and falls to
zero at the end of the time or the steps that the recipe allows. An average of the last weights is kept
beside them, because it is nearly as good as letting the rate fall, and can be exported at any time.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import torch
from torch import Tensor
from torch.nn import functional
from transformers import GPTBigCodeForCausalLM

from training.ahead import Batches
from training.optimizer import optimizers
from training.progress import Progress
from training.recipe import Recipe

Loss = Callable[[Tensor, Tensor], Tensor]


@dataclass(slots=True)
class State:
    """Where a training stands. `seconds` counts training alone, over all runs that continued it."""

    step: int = 0
    seconds: float = 0.0
    n_tokens: int = 0
    average: dict[str, Tensor] = field(default_factory=dict)


def train(
    model: GPTBigCodeForCausalLM,
    samples: Batches,
    recipe: Recipe,
    folder: Path,
    *,
    compiled: bool,
    n_workers: int,
) -> State:
    """Trains to the end of the recipe, from the folder's checkpoint if it has one."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device).train()  # type: ignore[arg-type]
    both = optimizers(model, recipe)
    state = resumed(folder / "checkpoint.pt", model, both)
    loss_of = loss_function(model, device, compiled)
    progress = Progress("train")
    saved_at = state.seconds
    with (
        ThreadPoolExecutor(1 if device.type == "cuda" else n_workers) as workers,
        (folder / "losses.jsonl").open("a", encoding="utf-8") as log,
    ):
        while (share := share_done(state, recipe)) < 1.0:
            start = time.perf_counter()
            context = recipe.short_context if share < 1 - recipe.decay else recipe.context
            set_rates(both, recipe, rate(share, recipe))
            loss = one_step(model, both, loss_of, samples, recipe, state.step, context, device, workers)
            update_average(state, model, recipe)
            state.step += 1
            state.n_tokens += recipe.tokens_per_step
            state.seconds += time.perf_counter() - start
            write_loss(log, state, loss, context)
            progress.show(share, f"step {state.step}, loss {loss:.3f}, {state.n_tokens / 1e6:.1f} M tokens")
            if state.seconds - saved_at >= 60 * recipe.checkpoint_minutes:
                save(folder / "checkpoint.pt", model, both, state)
                saved_at = state.seconds
    save(folder / "checkpoint.pt", model, both, state)
    progress.done(
        f"{state.step} steps, {state.n_tokens / 1e6:.1f} M tokens, {state.seconds / 60:.1f} minutes"
    )
    return state


def share_done(state: State, recipe: Recipe) -> float:
    return max(state.step / recipe.max_steps, state.seconds / 60 / recipe.max_minutes)


def rate(share: float, recipe: Recipe) -> float:
    """The factor on the learning rates: up, level, and down to zero in a straight line."""
    if share < recipe.warmup:
        return max(0.05, share / recipe.warmup)
    return min(1.0, (1.0 - share) / recipe.decay)


def set_rates(both: tuple[torch.optim.Optimizer, ...], recipe: Recipe, factor: float) -> None:
    for optimizer, highest in zip(both, (recipe.matrix_rate, recipe.other_rate), strict=True):
        for group in optimizer.param_groups:
            group["lr"] = highest * factor


def loss_function(model: GPTBigCodeForCausalLM, device: torch.device, compiled: bool) -> Loss:
    def loss_of(ids: Tensor, positions: Tensor) -> Tensor:
        inputs, targets = ids[:, :-1], ids[:, 1:]  # (B, T) each
        with torch.autocast(device.type, torch.bfloat16):
            hidden = model.transformer(
                input_ids=inputs, position_ids=positions, use_cache=False
            ).last_hidden_state  # (B, T, width)
            logits = model.lm_head(hidden)  # (B, T, vocabulary)
        return functional.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())

    return torch.compile(loss_of, dynamic=False) if compiled else loss_of


def one_step(
    model: GPTBigCodeForCausalLM,
    both: tuple[torch.optim.Optimizer, ...],
    loss_of: Loss,
    samples: Batches,
    recipe: Recipe,
    step: int,
    context: int,
    device: torch.device,
    workers: Executor,
) -> float:
    """One update. Each worker computes whole passes by itself: on a busy machine, threads inside an
    operation would wait for each other at every single one."""
    batch = torch.from_numpy(samples.batch(step, context)).to(device)  # (B, T + 1)
    positions = batch_positions(step, len(batch), context, recipe).to(device)
    n_rows = max(1, recipe.tokens_per_pass // context)
    passes = list(zip(torch.split(batch, n_rows), torch.split(positions, n_rows), strict=True))
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]

    def one_pass(ids: Tensor, at: Tensor) -> tuple[float, tuple[Tensor, ...]]:
        loss = loss_of(ids, at) / len(passes)
        return loss.item(), torch.autograd.grad(loss, parameters)

    total = 0.0
    for loss, gradients in workers.map(one_pass, *zip(*passes, strict=True)):
        total += loss
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.grad = gradient if parameter.grad is None else parameter.grad.add_(gradient)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimizer in both:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return total


def batch_positions(step: int, n_rows: int, context: int, recipe: Recipe) -> Tensor:
    """A short row may stand anywhere in the full context: every position is trained from the start."""
    generator = torch.Generator().manual_seed(recipe.seed * 1_000_003 + step)
    offsets = torch.randint(0, recipe.context - context + 1, (n_rows, 1), generator=generator)
    offsets[: n_rows // 2] = 0
    return torch.arange(context)[None, :] + offsets  # (B, T)


@torch.no_grad()
def update_average(state: State, model: GPTBigCodeForCausalLM, recipe: Recipe) -> None:
    # Early on the average covers fewer steps: the first weights are far from all later ones.
    weight = max(1 / recipe.average_over, 1 / (1 + state.step / 5))
    for name, parameter in model.named_parameters():
        if name in state.average:
            state.average[name].lerp_(parameter.detach(), weight)
        else:
            state.average[name] = parameter.detach().clone()


def write_loss(log: TextIO, state: State, loss: float, context: int) -> None:
    if not math.isfinite(loss):
        raise ArithmeticError(f"the loss is {loss} at step {state.step}")
    row = {"step": state.step, "loss": round(loss, 4), "tokens": state.n_tokens, "context": context}
    print(json.dumps({**row, "seconds": round(state.seconds, 1)}), file=log, flush=True)


def save(path: Path, model: GPTBigCodeForCausalLM, both: tuple[Any, ...], state: State) -> None:
    """Written aside and moved into place, so that a run that is killed here leaves the last checkpoint."""
    beside = path.with_suffix(".part")
    held: dict[str, object] = {
        "model": model.state_dict(),
        "optimizers": [optimizer.state_dict() for optimizer in both],
        "average": state.average,
        "step": state.step,
        "seconds": state.seconds,
        "n_tokens": state.n_tokens,
    }
    torch.save(held, beside)
    beside.replace(path)


def resumed(path: Path, model: GPTBigCodeForCausalLM, both: tuple[Any, ...]) -> State:
    if not path.exists():
        return State()
    held = torch.load(path, map_location=model.device, weights_only=True)
    model.load_state_dict(held["model"])
    for optimizer, its_state in zip(both, held["optimizers"], strict=True):
        optimizer.load_state_dict(its_state)
    return State(held["step"], held["seconds"], held["n_tokens"], held["average"])
