"""A request for an offer: its site, its wishes, its deadline, and its cancellation."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.site import Site


@dataclass(frozen=True, slots=True)
class OfferRequest:
    site: Site
    wishes: Wishes
    # The deadline by `time.perf_counter`.
    deadline: float
    is_cancelled: Callable[[], bool] = lambda: False
    # Whether it is cancelled, asked between two steps of a model; other documents' jobs run first then.
    is_cancelled_meanwhile: Callable[[], bool] = lambda: False
    # Shows a text that fits while the model goes on writing.
    show: Callable[[str], None] | None = None
    # Whether only texts written before are used, and nothing is computed.
    is_kept: bool = False
    # Whether a better model than those in the box writes where this completer offers nothing.
    is_before_better: bool = False

    @property
    def seconds_left(self) -> float:
        return max(self.deadline - time.perf_counter(), 0.0)
