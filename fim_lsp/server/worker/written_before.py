"""Finished texts of a model for some places of each document: keys that agree with them are answered without
a computation."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.kept import KeptCompletions
from fim_lsp.decoding.texts.written import CUT

# The most places for each document.
MOST_KEPT = 4


@dataclass(slots=True)
class WrittenBefore:
    # The completions by document, the newest first.
    _kept: dict[str, deque[KeptCompletions]] = field(default_factory=dict)

    def keep(self, uri: str, left: str, right: str, completions: Sequence[Completion]) -> None:
        """Keeps a hole's completions that were not cut."""
        whole = tuple(completion for completion in completions if completion.stopped_by not in CUT)
        if whole:
            kept = self._kept.setdefault(uri, deque(maxlen=MOST_KEPT))
            kept.appendleft(KeptCompletions(left, right, whole))

    def behind(self, uri: str, left: str, right: str) -> tuple[Completion, ...]:
        """The rests at a place of the newest completions that agree with it."""
        found = (kept.behind(left, right) for kept in self._kept.get(uri, ()))
        return next((rests for rests in found if rests), ())

    def forget(self, uri: str | None) -> None:
        """Drops the texts of a document, or of all."""
        if uri is None:
            self._kept.clear()
        else:
            self._kept.pop(uri, None)
