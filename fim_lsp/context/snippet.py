"""A piece of another file, and why it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Source = Literal["definition", "open", "similar", "recent"]
# What changes least comes first, so that what a network has read of it stays read.
SOURCES: tuple[Source, ...] = get_args(Source)


@dataclass(frozen=True, slots=True)
class Snippet:
    """Whole lines of a file. `path` is below the folder that is worked in, with slashes."""

    path: str
    text: str
    source: Source
    reason: str
    # The larger, the more it is worth to be shown.
    worth: float


@dataclass(frozen=True, slots=True)
class Context:
    """What could be told at a place: the document's own path, and snippets, the best one first."""

    repository: str = ""
    path: str = ""
    snippets: tuple[Snippet, ...] = ()

    def of(self, sources: Sequence[Source]) -> Context:
        """The same with snippets of some sources alone."""
        chosen = tuple(snippet for snippet in self.snippets if snippet.source in sources)
        return Context(self.repository, self.path, chosen)


NOTHING = Context()
