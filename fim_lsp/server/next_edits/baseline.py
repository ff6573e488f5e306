"""The baseline of a document: its text before the user changed it, from which edits follow.

Work comes in stretches with rests between them. The texts at the beginning of the last few stretches are
kept, and the oldest of them is the baseline. So a renamed name still counts as renamed while the user takes
its other places one by one, even if the editor saves automatically; and old changes are forgotten.
"""

from __future__ import annotations

import time
from collections import deque

from fim_lsp.positions import Lines

# After a rest this long, a user begins something new.
REST_SECONDS = 60.0
# Each stretch keeps one text.
MOST_STRETCHES = 3


class Baseline:
    """Follows a document, at the cost of one look at the clock for each change."""

    def __init__(self, lines: Lines) -> None:
        self._latest = lines
        self._begun = deque([lines], maxlen=MOST_STRETCHES)
        self._changed = 0.0

    @property
    def last_changed(self) -> float:
        """The time of the last change, on the monotonic clock."""
        return self._changed

    @property
    def text(self) -> str:
        return self._begun[0].text

    def follow(self, lines: Lines, now: float | None = None) -> None:
        """Notes the new text of the document."""
        now = time.monotonic() if now is None else now
        # The text at opening is already kept.
        if now - self._changed > REST_SECONDS and self._latest is not self._begun[-1]:
            self._begun.append(self._latest)
        self._latest, self._changed = lines, now

    def restart(self) -> None:
        """Begins again from the present text, after the whole text was replaced."""
        self._begun.clear()
        self._begun.append(self._latest)
