"""A snippet: a piece of another file, with the reason for showing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from fim_lsp.positions import lines_of

Source = Literal["definition", "open", "similar", "recent"]
# The source that changes least comes first, so that the network need not read it again.
SOURCES: tuple[Source, ...] = get_args(Source)
# The share of an example's lines that may be outdated. Definitions are always up to date.
MOST_CHANGED = 0.2


@dataclass(frozen=True, slots=True)
class Snippet:
    """Whole lines of a file. `path` is relative to the workspace folder, with slashes."""

    path: str
    text: str
    source: Source
    reason: str
    # The value of showing it; larger is better.
    worth: float


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a place: the document's own path, and snippets, the best one first."""

    repository: str = ""
    path: str = ""
    snippets: tuple[Snippet, ...] = ()
    # The sign of line comments: models that were not trained on several files read snippets as comments.
    line_comment: str = "#"

    def of(self, sources: Sequence[Source]) -> Context:
        """The context with snippets of these sources only."""
        chosen = tuple(snippet for snippet in self.snippets if snippet.source in sources)
        return replace(self, snippets=chosen)

    def steadied_context(self, before: Context) -> Context:
        """The context with the formerly shown lines of snippets that have hardly changed.

        After a changed line a network reads everything behind it again, usually the whole current file.
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
    """Whether two snippets share nearly all lines."""
    lines = [Counter(lines_of(snippet.text)) for snippet in (one, other)]
    return (lines[0] & lines[1]).total() >= (1 - MOST_CHANGED) * max(map(Counter.total, lines))


NOTHING = Context()
