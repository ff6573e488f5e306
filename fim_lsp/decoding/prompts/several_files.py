"""Other files in a prompt: the snippets that fit, written in the format of the model's family.

    <repo_name>shop<file_sep>shop/prices.py         front: StarCoder2, Qwen2.5-Coder, Mellum
    class Prices: ...
    <file_sep><fim_prefix>shop/cart.py              above: the beginning of the prefix
    from shop.prices import Prices

Snippets are chosen by their worth, and written in a fixed order: the kinds that change least first, then by
path, so that the same snippets give the same prompt. The file itself comes last.
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

# The seconds for reading the context, at first and after each change; the most tokens (a quarter of the
# network's window, if that is less); and the fewest.
READING_SECONDS, MOST_TOLD, FEWEST_TOLD = 0.4, 1024, 64
# The tokens of other files while the network's reading speed is not known.
AT_FIRST = 256
# A smaller window shows other files only if the user asks for it: see docs/context.md.
SMALLEST_WINDOW = 4096
# The most snippets that are tokenized for the choice; and the least room for any.
MOST_LOOKED_AT, LEAST_ROOM = 16, 24
# The fewest lines of a shortened snippet.
FEWEST_LINES = 3


@dataclass(frozen=True, slots=True)
class CrossFileTokens:
    """The tokens of other files in a prompt, in front of everything and at the beginning of the prefix, and
    their snippets."""

    front: list[int] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    # Not compared, since the reasons of snippets may change while the tokens stay.
    snippets: tuple[Snippet, ...] = field(default=(), compare=False)

    @property
    def n_tokens(self) -> int:
        return len(self.front) + len(self.above)


NOTHING_TOLD = CrossFileTokens()


def context_tokens(model: Model, context: Context, n_tokens: int) -> CrossFileTokens:
    """The part of a context that fits into `n_tokens` tokens."""
    writing = Writing(model, model.files, context.line_comment)
    room = n_tokens - writing.n_around(context)
    chosen = tuple(fitting(context.snippets, room, writing.n_tokens))
    if not chosen and not context.path:
        return NOTHING_TOLD
    ordered = sorted(chosen, key=lambda one: (SOURCES.index(one.source), one.path, one.text))
    return writing.written_tokens(context, ordered)


def fitting(snippets: Iterable[Snippet], room: int, cost: Callable[[Snippet], int]) -> Iterable[Snippet]:
    """The best snippets that fit; one that is too long is cut."""
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
    """The first lines of a snippet, about `share` of it; None if these are too few."""
    text = snippet.text[: int(len(snippet.text) * share * 0.9)]
    text = text[: text.rfind("\n") + 1]
    if text.count("\n") < FEWEST_LINES:
        return None
    return Snippet(snippet.path, text, snippet.source, snippet.reason, snippet.worth)


def is_told(model: Model, mode: str) -> bool:
    """Whether a model is shown other files. `auto` shows them to models that were trained on several files,
    if the files stay on this machine."""
    if mode == "auto":
        knows_files = model.files not in (COMMENTS, PATHS)
        return knows_files and model.n_positions >= SMALLEST_WINDOW and not model.is_elsewhere
    return mode == "on"


def budget(model: Model, tokens_per_second: float | None, before: int | None) -> int:
    """The number of tokens for other files, from the measured reading speed. It changes only if it is far
    off, since each change makes the network read the whole prompt again."""
    most = min(MOST_TOLD, model.n_positions // 4)
    if tokens_per_second is None:
        return min(AT_FIRST, most) if before is None else before
    wanted = min(most, int(tokens_per_second * READING_SECONDS))
    if before is not None and before * 3 // 4 <= wanted < before * 2:
        return before
    return 0 if wanted < FEWEST_TOLD else min(1 << wanted.bit_length() - 1, most)


@dataclass(frozen=True, slots=True)
class Writing:
    """Writes files in a model's format."""

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
        """The number of tokens beside the snippets."""
        return len(self.repository(context)) + len(self.path(context.path))

    def n_tokens(self, snippet: Snippet) -> int:
        """The number of tokens of a snippet; for a remote model an estimate, since each count would be a
        request."""
        return len(self.path(snippet.path)) + len(self.model.encode_here(self.text(snippet)))

    def piece(self, snippet: Snippet) -> list[int]:
        return [*self.path(snippet.path), *self.model.encode(with_line_feeds(self.text(snippet)))]

    def text(self, snippet: Snippet) -> str:
        text = snippet.text if snippet.text.endswith("\n") else f"{snippet.text}\n"
        if self.files.is_commented:
            text = "".join(f"{self.line_comment} {line}\n" for line in text.rstrip("\n").split("\n"))
        return text + self.files.between

    def path(self, path: str) -> list[int]:
        """The tokens of a file's path in a line of its own."""
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
