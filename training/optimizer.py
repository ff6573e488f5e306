"""Muon for the matrices inside the blocks, AdamW for all other parameters.

Muon (Jordan et al. 2024) makes each update an orthogonal matrix, so every direction of a weight matrix moves
at the same speed. A small model needs about half as many tokens as with AdamW for the same loss. Embeddings,
biases and norms are not matrices in this sense and stay with AdamW.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from itertools import repeat

import torch
from torch import Tensor, nn

from training.recipe import TrainingRecipe

MOMENTUM = 0.95
# The coefficients of the quintic iteration by Jordan et al.: fast near zero, accurate enough near one.
QUINTIC = (3.4445, -4.7750, 2.0315)


class Muon(torch.optim.Optimizer):
    """Muon for matrices. `workers` update them side by side, because no matrix here is large enough to share
    among threads."""

    def __init__(
        self, parameters: Iterable[nn.Parameter], lr: float, weight_decay: float, workers: Executor
    ) -> None:
        super().__init__(parameters, {"lr": lr, "weight_decay": weight_decay})
        self._workers = workers

    def step(self) -> None:  # type: ignore[override]
        """Makes one update. Closures are not supported, because no trainer of ours uses them."""
        for group in self.param_groups:
            for _ in self._workers.map(self._update, group["params"], repeat(group)):
                pass

    @torch.no_grad()
    def _update(self, parameter: nn.Parameter, group: dict[str, float]) -> None:
        if parameter.grad is None:
            raise ValueError("a matrix has no gradient")
        state = self.state[parameter]
        if "momentum" not in state:
            state["momentum"] = torch.zeros_like(parameter)
        momentum = state["momentum"].lerp_(parameter.grad, 1 - MOMENTUM)
        update = orthogonal(parameter.grad.lerp(momentum, MOMENTUM))
        n_rows, n_columns = parameter.shape
        parameter.mul_(1 - group["lr"] * group["weight_decay"])
        parameter.add_(update, alpha=-group["lr"] * max(1.0, n_rows / n_columns) ** 0.5)


def orthogonal(matrix: Tensor) -> Tensor:
    """The approximately nearest orthogonal matrix, by five steps of a Newton-Schulz iteration in half
    precision."""
    a, b, c = QUINTIC
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = (matrix.T if is_tall else matrix).bfloat16()
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    result: Tensor = x.T if is_tall else x
    return result.type_as(matrix)


def optimizers(model: nn.Module, recipe: TrainingRecipe, workers: Executor) -> tuple[Muon, torch.optim.AdamW]:
    named = dict(model.named_parameters())
    is_matrix = {name: ".layers." in name and parameter.ndim == 2 for name, parameter in named.items()}
    matrices = [parameter for name, parameter in named.items() if is_matrix[name]]
    others = [parameter for name, parameter in named.items() if not is_matrix[name]]
    return (
        Muon(matrices, recipe.matrix_rate, recipe.weight_decay, workers),
        torch.optim.AdamW(others, lr=recipe.other_rate, betas=(0.9, 0.95), weight_decay=0.0),
    )
