"""Texts that a model wrote to their end for some places of each document, for the keys that agree with them:
behind these nothing is computed again."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.kept import KeptCompletions
from fim_lsp.decoding.texts.written import CUT

# The most places that are kept of each document.
MOST_KEPT = 4


@dataclass(slots=True)
class WrittenBefore:
    # The completions by document, the newest first.
    _kept: dict[str, deque[KeptCompletions]] = field(default_factory=dict)

    def keep(self, uri: str, left: str, right: str, completions: Sequence[Completion]) -> None:
        """Keeps those of a hole's completions that nothing has cut."""
        whole = tuple(completion for completion in completions if completion.stopped_by not in CUT)
        if whole:
            kept = self._kept.setdefault(uri, deque(maxlen=MOST_KEPT))
            kept.appendleft(KeptCompletions(left, right, whole))

    def behind(self, uri: str, left: str, right: str) -> tuple[Completion, ...]:
        """The texts that go on behind a place: the rests of the newest that do."""
        found = (kept.behind(left, right) for kept in self._kept.get(uri, ()))
        return next((rests for rests in found if rests), ())

    def forget(self, uri: str | None) -> None:
        """Drops what is kept of a document, or of all."""
        if uri is None:
            self._kept.clear()
        else:
            self._kept.pop(uri, None)
