"""How far a quick model and a better one write the same text at a place."""

from __future__ import annotations

from collections.abc import Sequence

from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.shared import n_shared


class Agreement:
    def __init__(self) -> None:
        # The last text of the quick model in each document, with what is in front.
        self._quick: dict[str, tuple[str, str]] = {}

    def note_written(self, attempt: Attempt, written: Sequence[CandidateText]) -> None:
        """Notes the first of the texts that the quick model has written at a place."""
        if written and attempt.request.is_before_better:
            self._quick[attempt.uri] = attempt.left, written[0].text

    def n_agreed(self, attempt: Attempt, offer: str) -> int:
        """The number of characters of a better model's offer that the quick model wrote there, too; 0 for
        offers of the quick one."""
        left, text = self._quick.get(attempt.uri, ("", ""))
        is_beside_quick = left == attempt.left and not attempt.request.is_before_better
        return n_shared(offer, text) if is_beside_quick else 0

    def forget(self, uri: str) -> None:
        self._quick.pop(uri, None)
