"""The picture of the loss: each step as a dot, and the mean of its neighbours as a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")

from matplotlib import pyplot as plt

NEIGHBOURS = 25


def draw_losses(losses: Path, branch: Path, picture: Path) -> None:
    """Draws the losses on the way to the model: the branch, if there is one, and the training up to the
    branch."""
    rows = rows_of(losses)
    if branch.exists():
        of_branch = rows_of(branch)
        rows = [row for row in rows if row["tokens"] < of_branch[0]["tokens"]] + of_branch
    tokens = np.array([row["tokens"] for row in rows]) / 1e6
    loss = np.array([row["loss"] for row in rows])
    # Equal numbers give equal files: the picture has no date and fixed ids.
    with plt.rc_context({"svg.hashsalt": "fim-lsp", "font.size": 9}):
        figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
        axes.plot(tokens, loss, ".", markersize=1, color="0.75", rasterized=True)
        axes.plot(tokens, smoothed(loss), color="tab:blue", linewidth=1.2)
        axes.set_xlabel("millions of tokens")
        axes.set_ylabel("training loss, nats per token")
        axes.set_ylim(max(0.0, loss.min() - 0.2), min(loss.max(), 7.0))
        axes.grid(alpha=0.3)
        figure.savefig(picture, metadata={"Date": None})
        plt.close(figure)


def rows_of(losses: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in losses.read_text(encoding="utf-8").splitlines()]


def smoothed(values: np.ndarray) -> np.ndarray:
    """The mean of each value and its neighbours, of which there are fewer near the ends."""
    window = np.ones(NEIGHBOURS)
    return np.convolve(values, window, "same") / np.convolve(np.ones(len(values)), window, "same")
