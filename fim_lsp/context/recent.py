"""Recent edits: the documents that were edited last, and the places in them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from fim_lsp.context.similar import presentable_lines

# The most documents that are remembered, and the lines around a change that are shown.
MOST_DOCUMENTS, N_AROUND = 16, 8


@dataclass(slots=True)
class Recent:
    """The place of the last edit in each document, as an offset, the last one last."""

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
        """Documents with their places, the last one first."""
        return list(reversed(self._edited.items()))


def region(text: str, offset: int) -> str:
    """The lines around a change."""
    line = text.count("\n", 0, offset)
    return presentable_lines(text, max(line - N_AROUND, 0), line + N_AROUND + 1)
