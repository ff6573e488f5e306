"""Results that are computed from a row of logits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fim_lsp.runtimes.logits import ranked_tokens


@pytest.mark.parametrize("size", [0, 1, 5, 511, 512, 513, 1500, 9000])
@pytest.mark.parametrize("has_equals", [False, True])
def test_the_highest_come_first_and_of_equal_ones_the_first(size: int, has_equals: bool) -> None:
    for n, possible in product((0, 1, 50, 511, 512, 513, 9000), (0.0, 0.01, 0.5, 1.0)):
        generator = np.random.default_rng(size + n)
        row = generator.normal(size=size).astype(np.float32)
        if has_equals:
            row = row.round(1)
        row[generator.random(size) >= possible] = -np.inf
        kept = [place for place in range(size) if row[place] > -np.inf]
        ranked = sorted(kept, key=lambda place: (-row[place], place))[:n]
        assert ranked_tokens(row, n) == ranked, (n, possible)
