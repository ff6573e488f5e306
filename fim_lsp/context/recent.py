"""Recent edits: the last edited documents, and the places in them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from fim_lsp.context.similar import presentable_lines

# The most remembered documents, and the shown lines on each side of a change.
MOST_DOCUMENTS, N_AROUND = 16, 8


@dataclass(slots=True)
class Recent:
    """The offset of the last edit in each document, the latest document at the end."""

    _edited: OrderedDict[str, int] = field(default_factory=OrderedDict)

    def note(self, uri: str, offset: int) -> None:
        self._edited.pop(uri, None)
        self._edited[uri] = offset
        while len(self._edited) > MOST_DOCUMENTS:
            self._edited.popitem(last=False)

    def forget(self, uri: str | None) -> None:
        if uri is None:
            self._edited.clear()
        else:
            self._edited.pop(uri, None)

    def latest(self) -> list[tuple[str, int]]:
        """Documents with their places, the latest first."""
        return list(reversed(self._edited.items()))


def region(text: str, offset: int) -> str:
    """The lines around a change."""
    line = text.count("\n", 0, offset)
    return presentable_lines(text, max(line - N_AROUND, 0), line + N_AROUND + 1)
