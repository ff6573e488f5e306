"""Every number of the recipe, in one place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch

# The order of contexts in a sample, and whether the middle is told from the text in front of it.
Layout = Literal["suffix-prefix-middle", "suffix-middle-prefix", "prefix-suffix-middle"]


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    seed: int = 0
    # The most bytes of one package, so that the large ones do not become the whole language.
    max_package_bytes: int = 5_000_000

    n_vocab: int = 8192
    max_tokenizer_bytes: int = 40_000_000

    width: int = 256
    inner_width: int = 704
    n_layers: int = 5
    head_size: int = 64
    context: int = 1024
    longest_wave: float = 10_000.0

    # The share of samples that are cut, and the shares of the layouts in these; see samples.py. The share of
    # long samples that have other files in front.
    cut_share: float = 0.7
    layouts: tuple[tuple[Layout, float], ...] = (
        ("suffix-prefix-middle", 0.75),
        ("suffix-middle-prefix", 0.10),
        ("prefix-suffix-middle", 0.15),
    )
    others_share: float = 0.35

    # The rate is held until a training has seen so many tokens. A branch on which it falls to zero may be
    # made at any time, and the training goes on from where it branched.
    max_tokens: int = 250_000_000
    tokens_per_step: int = 8192
    warmup_tokens: int = 1_200_000
    # The length of the rows in each pass of a step, from so many tokens on. Short rows cost less.
    rows: tuple[tuple[int, tuple[int, ...]], ...] = (
        (0, (256, 256, 256, 256)),
        (8_000_000, (256, 256, 512, 1024)),
    )
    # The length of the branch, as a share of the tokens before it, and its rows.
    decay_share: float = 0.15
    decay_rows: tuple[int, ...] = (256, 512, 1024, 1024)
    # A text's end is one token of a hundred, and the one that tells whether a completion is of use: it counts
    # so many times. A model that has learned no more than that ends its texts too soon, so from this share of
    # the branch on it counts once.
    end_counts: float = 3.0
    end_counts_until: float = 0.9

    matrix_rate: float = 0.02
    other_rate: float = 0.003
    weight_decay: float = 0.01
    # The average of the weights over about so many steps is what an early export takes.
    average_over: int = 100
    checkpoint_minutes: float = 3.0

    def rows_after(self, n_tokens: int) -> tuple[int, ...]:
        return [rows for start, rows in self.rows if start <= n_tokens][-1]

    def on_gpu(self) -> TrainingRecipe:
        """The recipe with parameters that fill 32 MB in half precision, and half an hour of one large GPU."""
        return replace(
            self,
            max_package_bytes=20_000_000,
            width=384,
            inner_width=1024,
            n_layers=8,
            max_tokens=4_000_000_000,
            tokens_per_step=131_072,
            warmup_tokens=20_000_000,
            rows=((0, (512, 1024)),),
            decay_rows=(1024, 1024),
            average_over=200,
            checkpoint_minutes=2.0,
        )


def recipe_here(*, is_tiny: bool = False, max_tokens: int | None = None) -> TrainingRecipe:
    """The recipe for the machine that this runs on."""
    recipe = TINY if is_tiny else TrainingRecipe().on_gpu() if torch.cuda.is_available() else TrainingRecipe()
    return recipe if max_tokens is None else replace(recipe, max_tokens=max_tokens)


# The recipe for the tests: seconds on one core, and still every step.
TINY = TrainingRecipe(
    n_vocab=384,
    width=32,
    inner_width=48,
    n_layers=2,
    head_size=16,
    context=64,
    max_tokens=512,
    tokens_per_step=128,
    warmup_tokens=128,
    rows=((0, (32, 32)), (256, (32, 64))),
    decay_share=0.5,
    end_counts_until=0.5,
    decay_rows=(64, 64),
    # After every step: the tests stop a training and let it go on.
    checkpoint_minutes=0.0,
)
