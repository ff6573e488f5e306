"""A generation: everything that stays fixed while the completions of one request are written."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from fim_lsp.decoding.choices.fence import Fence
from fim_lsp.decoding.choices.frontier import Frontier
from fim_lsp.decoding.endings.hole_context import HoleContext
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.memory.recall import Recall


@dataclass(frozen=True, slots=True)
class Generation:
    """A request, its model, and the values that all of its completions share."""

    request: CompletionRequest
    model: Model
    # The request's options, with no more tokens than the model has room for.
    options: Options
    # The last lines in front of the cursor, and the whole text behind it.
    above: bytes
    right: bytes
    # The deadline on the clock of `time.perf_counter`.
    deadline: float | None
    # The project's memory of what may follow, if there is one.
    recall: Recall | None = None
    # The tokens of an expected text, with the pending text in front.
    expected: tuple[int, ...] = ()
    # The state of the text in progress.
    frontier: Frontier = field(default_factory=Frontier)

    @property
    def has_drafts(self) -> bool:
        """Whether the network reads drafts."""
        return self.options.drafts and self.model.runtime.has_drafts

    @property
    def is_out_of_time(self) -> bool:
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def context(self, start: Hypothesis, fence: Fence | None) -> HoleContext:
        """The context of a text that begins with this hypothesis."""
        sides = self.request.left, self.right
        return HoleContext.of(self.model, self.options, self.above, sides, start.recognizer, fence)

    def is_short_of_time(self, start: float) -> bool:
        """Whether there is no time to repeat what was begun at `start`."""
        now = time.perf_counter()
        return self.deadline is not None and now + (now - start) > self.deadline
