"""The baseline of a document: its text before the user changed it, from which edits follow.

Work comes in stretches with rests between them. The texts are kept with which the last few of them began; the
first of these is what a document is compared with. So a name that was changed is still known to be changed
while its other places are taken one by one, also where the file is saved by the clock, and what was done long
ago is forgotten.
"""

from __future__ import annotations

import time
from collections import deque

from fim_lsp.positions import Lines

# A user who has changed nothing for so long begins with something else.
REST_SECONDS = 60.0
# A text takes its length for each of these.
MOST_STRETCHES = 3


class Baseline:
    """Follows a document at no more than the cost of a look at the clock."""

    def __init__(self, lines: Lines) -> None:
        self._latest = lines
        self._begun = deque([lines], maxlen=MOST_STRETCHES)
        self._changed = 0.0

    @property
    def last_changed(self) -> float:
        """When, on the clock that only goes forward."""
        return self._changed

    @property
    def text(self) -> str:
        return self._begun[0].text

    def follow(self, lines: Lines, now: float | None = None) -> None:
        """The document has changed to this."""
        now = time.monotonic() if now is None else now
        # The text that a document was opened with is there already.
        if now - self._changed > REST_SECONDS and self._latest is not self._begun[-1]:
            self._begun.append(self._latest)
        self._latest, self._changed = lines, now

    def restart(self) -> None:
        """Begins anew from the present text, which the user did not write: it was replaced as a whole."""
        self._begun.clear()
        self._begun.append(self._latest)
