"""Other files in a prompt: the part of a context that fits, and its wording for the model's family.

    <repo_name>shop<file_sep>shop/prices.py         front: StarCoder2, Qwen2.5-Coder, Mellum
    class Prices: ...
    <file_sep><fim_prefix>shop/cart.py              above: the beginning of the prefix
    from shop.prices import Prices

Snippets are chosen by what they are worth, and stand in an order of their own: those of the kind that changes
least first, then by path, so that a prompt whose snippets are the same is the same prompt. The file itself
comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from fim_lsp.context.snippet import SOURCES, Context, Snippet
from fim_lsp.fim_formats import COMMENTS, PATHS
from fim_lsp.positions import with_line_feeds

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.fim_formats import SeveralFiles

# Reading may take so long at first, and once more when what is told changes; and it is never more than this,
# nor more than a quarter of what the network can read.
READING_SECONDS, MOST_TOLD, FEWEST_TOLD = 0.4, 1024, 64
# The tokens that are told while it is not known how quickly the network reads here.
AT_FIRST = 256
# A smaller window has no room for other files unless the user asks for it: see docs/context.md.
SMALLEST_WINDOW = 4096
# A snippet that is looked at is made into tokens first: so many are, and none where there is less room.
MOST_LOOKED_AT, LEAST_ROOM = 16, 24
# The least lines that are shown of a snippet that does not fit, or none.
FEWEST_LINES = 3


@dataclass(frozen=True, slots=True)
class CrossFileTokens:
    """The tokens of other files in a prompt: ahead of everything else, and at the beginning of the prefix;
    and their snippets."""

    front: list[int] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    # Why they are there may change while they stay what they are.
    snippets: tuple[Snippet, ...] = field(default=(), compare=False)

    @property
    def n_tokens(self) -> int:
        return len(self.front) + len(self.above)


NOTHING_TOLD = CrossFileTokens()


def context_tokens(model: Model, context: Context, n_tokens: int) -> CrossFileTokens:
    """The part of a context that fits into so many tokens."""
    writing = Writing(model, model.files, context.line_comment)
    room = n_tokens - writing.n_around(context)
    chosen = tuple(fitting(context.snippets, room, writing.n_tokens))
    if not chosen and not context.path:
        return NOTHING_TOLD
    ordered = sorted(chosen, key=lambda one: (SOURCES.index(one.source), one.path, one.text))
    return writing.written_tokens(context, ordered)


def fitting(snippets: Iterable[Snippet], room: int, cost: Callable[[Snippet], int]) -> Iterable[Snippet]:
    """The best snippets that there is room for; one that is too long is cut."""
    for snippet in islice(snippets, MOST_LOOKED_AT):
        if room < LEAST_ROOM:
            return
        n_tokens = cost(snippet)
        if n_tokens > room:
            cut = shortened_snippet(snippet, room / n_tokens)
            if cut is None or (n_tokens := cost(cut)) > room:
                continue
            snippet = cut
        room -= n_tokens
        yield snippet


def shortened_snippet(snippet: Snippet, share: float) -> Snippet | None:
    """The first lines of a snippet, about so much of it; None if that says little."""
    text = snippet.text[: int(len(snippet.text) * share * 0.9)]
    text = text[: text.rfind("\n") + 1]
    if text.count("\n") < FEWEST_LINES:
        return None
    return Snippet(snippet.path, text, snippet.source, snippet.reason, snippet.worth)


def is_told(model: Model, mode: str) -> bool:
    """Whether a model is told of other files: by itself one that was taught what they are, if they stay on
    this machine."""
    if mode == "auto":
        knows_files = model.files not in (COMMENTS, PATHS)
        return knows_files and model.n_positions >= SMALLEST_WINDOW and not model.is_elsewhere
    return mode == "on"


def budget(model: Model, tokens_per_second: float | None, before: int | None) -> int:
    """The number of tokens that may tell of other files, by how quickly the network was seen to read. It
    stays what it was unless that is far off: with each change, all of a prompt is read again."""
    most = min(MOST_TOLD, model.n_positions // 4)
    if tokens_per_second is None:
        return min(AT_FIRST, most) if before is None else before
    wanted = min(most, int(tokens_per_second * READING_SECONDS))
    if before is not None and before * 3 // 4 <= wanted < before * 2:
        return before
    return 0 if wanted < FEWEST_TOLD else min(1 << wanted.bit_length() - 1, most)


@dataclass(frozen=True, slots=True)
class Writing:
    """The writing of files for a model."""

    model: Model
    files: SeveralFiles
    line_comment: str = "#"

    def written_tokens(self, context: Context, snippets: Iterable[Snippet]) -> CrossFileTokens:
        pieces = [token for snippet in snippets for token in self.piece(snippet)]
        repository, own = self.repository(context), self.path(context.path)
        chosen = tuple(snippets)
        match self.files.place:
            case "in front":
                return CrossFileTokens([*repository, *pieces, *own], [], chosen)
            case "in front of a path":
                sign, path = own[:1], own[1:]
                return CrossFileTokens([*repository, *pieces, *sign], path, chosen)
            case "inside":
                return CrossFileTokens([], [*pieces, *own], chosen)

    def n_around(self, context: Context) -> int:
        """The tokens that it takes besides the snippets."""
        return len(self.repository(context)) + len(self.path(context.path))

    def n_tokens(self, snippet: Snippet) -> int:
        """The tokens that a snippet takes; of a remote model an estimate: each one would be a request."""
        return len(self.path(snippet.path)) + len(self.model.encode_here(self.text(snippet)))

    def piece(self, snippet: Snippet) -> list[int]:
        return [*self.path(snippet.path), *self.model.encode(with_line_feeds(self.text(snippet)))]

    def text(self, snippet: Snippet) -> str:
        text = snippet.text if snippet.text.endswith("\n") else f"{snippet.text}\n"
        if self.files.is_commented:
            text = "".join(f"{self.line_comment} {line}\n" for line in text.rstrip("\n").split("\n"))
        return text + self.files.between

    def path(self, path: str) -> list[int]:
        """A file's path in a line of its own."""
        plain = "".join(sign if sign.isprintable() else "?" for sign in path)
        if not plain and not self.files.is_token:
            return []
        if self.files.is_token:
            return [self.model.file_signs[self.files.file], *self.model.encode(f"{plain}\n")]
        begin = f"{self.line_comment} " if self.files.file == COMMENTS.file else self.files.file
        return self.model.encode(f"{begin}{plain}\n")

    def repository(self, context: Context) -> list[int]:
        if self.files.repository is None:
            return []
        name = f"{context.repository}{self.files.behind_repository}"
        return [self.model.file_signs[self.files.repository], *self.model.encode(name)]
