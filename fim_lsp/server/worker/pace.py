"""The pace of a slow model's offers on this machine, measured when the model is there.

A place that has not been read costs some tens of tokens of prompt, and an offer some tokens of text
(docs/models.md). The time budget of who types follows from it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model

# The tokens that a jump reads and an offer writes, at the median.
N_READ, N_WRITTEN = 72, 10
# The bundled model is asked first.
QUICK_SECONDS = 0.12
N_TRIED = 4
SAMPLE = "def area(width, height):\n    return width * height\n\n\n" * 8


def seconds_an_offer(model: Model) -> float:
    """Raises `Unavailable`."""
    tokens = (model.encode(SAMPLE) * 8)[:N_READ]
    cache = model.runtime.cache()

    def seconds(n_tokens: int) -> float:
        start = time.perf_counter()
        cache.read(tokens[:n_tokens], 1)
        return time.perf_counter() - start

    # The shortest: other programs that compute just now will not do so for ever.
    reading = min(seconds(N_READ) for _ in range(2))
    return QUICK_SECONDS + reading + N_WRITTEN * min(seconds(1) for _ in range(N_TRIED))


def sentence(seconds: float) -> str:
    """The sentence for a user who has chosen the model."""
    return f"An offer takes about {seconds:.1f} s here."
