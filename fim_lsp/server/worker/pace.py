"""The pace of a slow model's offers on this machine, measured after loading.

An unread place costs some tens of tokens of prompt, and an offer some tokens of text (docs/models.md). The
time budget while the user types follows from it.
"""

from __future__ import annotations

import time
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model

# The median numbers of tokens that a jump reads and an offer writes.
N_READ, N_WRITTEN = 72, 10
# The seconds of the bundled model, which is asked first.
QUICK_SECONDS = 0.12
N_TRIED = 4
SAMPLE = "def area(width, height):\n    return width * height\n\n\n" * 8


def seconds_an_offer(model: Model) -> float:
    """The seconds that an offer takes here. Raises `Unavailable`."""
    tokens = (model.encode(SAMPLE) * 8)[:N_READ]
    cache = model.runtime.cache()

    def seconds(n_tokens: int) -> float:
        start = time.perf_counter()
        cache.read(tokens[:n_tokens], 1)
        return time.perf_counter() - start

    # The shortest counts, since other programs may be computing just now.
    reading = min(seconds(N_READ) for _ in range(2))
    return QUICK_SECONDS + reading + N_WRITTEN * min(seconds(1) for _ in range(N_TRIED))


def sentence(name: str, seconds: float) -> str:
    """The sentence for a user who has chosen the model of this name, or of this path."""
    path = PurePath(name)
    shown = path.name if path.is_absolute() else name
    return f"{shown}: an offer takes about {seconds:.1f} s here."
