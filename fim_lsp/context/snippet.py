"""A piece of another file, and why it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

Source = Literal["definition", "open", "similar", "recent"]
# The source that changes least comes first, so that what a network has read of it stays read.
SOURCES: tuple[Source, ...] = get_args(Source)
# The share of an example's lines that may have changed since it was shown. Definitions are as they are.
MOST_CHANGED = 0.2


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
    """The context of a place: the document's own path, and snippets, the best one first."""

    repository: str = ""
    path: str = ""
    snippets: tuple[Snippet, ...] = ()
    # The sign that begins a comment in these files: models that were not taught files read them as comments.
    line_comment: str = "#"

    def of(self, sources: Sequence[Source]) -> Context:
        """The context with snippets of some sources alone."""
        chosen = tuple(snippet for snippet in self.snippets if snippet.source in sources)
        return replace(self, snippets=chosen)

    def steadied_context(self, before: Context) -> Context:
        """The context with the lines that were shown before, where they are hardly others by now.

        With each line that changes, a network reads all again that stands behind it: mostly the whole file
        that the user types in.
        """
        return replace(
            self, snippets=tuple(steadied_snippet(snippet, before.snippets) for snippet in self.snippets)
        )


def steadied_snippet(snippet: Snippet, before: Sequence[Snippet]) -> Snippet:
    if snippet.source == "definition":
        return snippet
    same_place = (one for one in before if (one.source, one.path) == (snippet.source, snippet.path))
    return next((replace(snippet, text=one.text) for one in same_place if is_alike(one, snippet)), snippet)


def is_alike(one: Snippet, other: Snippet) -> bool:
    """Whether hardly any line is in one of two snippets alone."""
    lines = [Counter(snippet.text.splitlines()) for snippet in (one, other)]
    return (lines[0] & lines[1]).total() >= (1 - MOST_CHANGED) * max(map(Counter.total, lines))


NOTHING = Context()
