"""A prompt for the network: a window around the cursor, in the order of its FIM format.

The window is cut at line boundaries and balanced: each side gets half of it, and unused room goes to the
other side. From one request to the next it stays in place as long as possible, and only the left side's last
line is tokenized again, so that the tokens in front stay the same and need not be computed again.

With the prefix first, a model would have to read the whole right side again for each typed character. So the
text typed since the last prompt is not added to the prefix, but put at the beginning of the middle.

The last tokens of the left side may begin longer ones (`retur` of ` return`), which the network would have
chosen. They become `pending`: the network writes them again, with the same bytes but perhaps other tokens
(token healing). White space at the cursor does not: most models were trained on prefixes that end with it,
and a model that must rewrite indentation writes too little of it.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.prompts.several_files import NOTHING_TOLD, CrossFileTokens
from fim_lsp.positions import last_line
from fim_lsp.shared import n_shared

# The most tokens at the left edge that may be written again, and the most bytes of these.
N_PENDING, N_PENDING_BYTES = 4, 24
# The most characters typed behind a prefix before a new prompt is made.
N_TYPED = 400
# A moved window is filled up to this share, so that the next characters do not move it again.
FILLED = 0.9
# The number of tokens by which the left side may grow before the right side gives way.
N_GROWTH = 128
# Tokens are shorter than this on average.
CHARACTERS_PER_TOKEN = 8


@dataclass(frozen=True, slots=True)
class Prompt:
    """Tokens to read, and the tokens at the cursor that the network writes again."""

    tokens: list[int]
    pending: list[int]


@dataclass(slots=True)
class Window:
    """The prompt of one document, from request to request."""

    model: Model
    _left: PromptSide = field(init=False)
    _right: PromptSide = field(init=False)
    # The text left of the cursor at the time when the middle of a prefix-first prompt began.
    _anchor: str | None = None
    _told: CrossFileTokens = NOTHING_TOLD

    def __post_init__(self) -> None:
        self._left = PromptSide(self.model)
        self._right = PromptSide(self.model)

    def prompt(self, left: str, right: str, n_tokens: int, told: CrossFileTokens = NOTHING_TOLD) -> Prompt:
        """The prompt for a hole, of at most `n_tokens` tokens, with the tokens of other files."""
        if told.n_tokens > n_tokens // 2:
            told = NOTHING_TOLD
        if told != self._told:
            # The prompt is read again anyway, so the window may move, and typed text may join the prefix.
            self._told, self._anchor = told, None
            self._left, self._right = PromptSide(self.model), PromptSide(self.model)
        room = max(2, n_tokens - len(self.model.begin) - 3 - told.n_tokens)
        if self._right.shows(right):
            typed = self._typed_text(left)
            if typed is not None and self._left.n_tokens + self._right.n_tokens + len(typed) <= room:
                return self._with_middle(self._left.tokens, self.model.encode(typed))
        else:
            self._left.show_end(left, room)
            # Room that the left side does not need, now or soon, goes to the right side.
            n_left = self._left.n_tokens + self._left.n_tokens // 4 + N_GROWTH
            self._right.show_beginning(right, max(room // 2, room - n_left))
        self._left.show_end(left, room - self._right.n_tokens)
        if not self._left.is_whole and self._right.n_tokens > room // 2:
            self._right.show_beginning(right, room // 2)
            self._left.show_end(left, room - self._right.n_tokens)
        if self.model.fim_format.order == "suffix-middle-prefix":
            return self._with_middle([], self._left.tokens)
        pending = self._left.tokens[len(self._left.tokens) - n_healed(self.model, self._left.tokens) :]
        self._left.drop(len(pending))
        n_bytes = sum(len(self.model.token_bytes[token]) for token in pending)
        self._anchor = left.encode()[: len(left.encode()) - n_bytes].decode(errors="ignore")
        return Prompt(self._ordered_prompt(self._left.tokens), pending)

    def _typed_text(self, left: str) -> str | None:
        """The text typed since a prefix-first prompt; None if anything else changed, or without a prompt."""
        if self._anchor is None or not left.startswith(self._anchor):
            return None
        typed = left[len(self._anchor) :]
        if typed.isspace() and is_indented_since(self._anchor, left):
            return None
        return typed if len(typed) <= N_TYPED else None

    def _with_middle(self, prefix: list[int], middle: list[int]) -> Prompt:
        """A prompt with the beginning of the middle."""
        n_again = n_pending(self.model, middle) if prefix else n_healed(self.model, middle)
        n_kept = len(middle) - n_again
        return Prompt(self._ordered_prompt(prefix) + middle[:n_kept], middle[n_kept:])

    def _ordered_prompt(self, prefix: list[int]) -> list[int]:
        model, suffix = self.model, self._right.tokens
        middle = [] if model.middle is None else [model.middle]
        prefix = [*self._told.above, *prefix]
        match model.fim_format.order:
            case "prefix-suffix-middle":
                parts = [model.prefix, *prefix, model.suffix, *suffix, *middle]
            case "suffix-prefix-middle":
                parts = [model.suffix, *suffix, model.prefix, *prefix, *middle]
            case "suffix-middle-prefix":
                parts = [model.prefix, model.suffix, *suffix, *middle, *prefix]
        return [*model.begin, *self._told.front, *parts]


@dataclass(slots=True)
class PromptSide:
    """The shown part of one side of the cursor, as text and as tokens."""

    model: Model
    tokens: list[int] = field(default_factory=list)
    is_whole: bool = True
    # The side at the last prompt, and the part of it in the window.
    _all: str | None = None
    _start: int = 0
    # The end of each token, in bytes from the window's start.
    _ends: list[int] = field(default_factory=list)

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)

    def shows(self, text: str) -> bool:
        return self._all == text

    def drop(self, n_tokens: int) -> None:
        """Forgets tokens at the end."""
        if n_tokens:
            del self.tokens[-n_tokens:]
            del self._ends[-n_tokens:]

    def show_beginning(self, text: str, room: int) -> None:
        """Shows as much of the right side as fits, up to the end of a line."""
        shown = text[: room * CHARACTERS_PER_TOKEN]
        self._set(text, 0, self.model.encode(shown))
        self.is_whole = len(shown) == len(text) and self.n_tokens <= room
        if self.is_whole:
            return
        self.drop(max(0, self.n_tokens - room))
        # Half of a line would mislead the model.
        kept = shown.encode()[: self._ends[-1] if self._ends else 0]
        n_bytes = kept.rfind(b"\n") + 1
        if n_bytes:
            self._set(text, 0, self.model.encode(kept[:n_bytes].decode(errors="ignore"))[:room])

    def show_end(self, text: str, room: int) -> None:
        """Shows as much of the left side as fits, from the start of a line."""
        start = self._start
        if self._all is not None and text[:start] == self._all[:start] and len(text) > start:
            self._go_on(text)
            if self.n_tokens <= room:
                return
        filled = room if self._all is None else max(1, int(room * FILLED))
        start = line_start(text, max(0, len(text) - room * CHARACTERS_PER_TOKEN))
        self._set(text, start, self.model.encode(text[start:]))
        if self.n_tokens > room:
            window = text[start:].encode()
            n_bytes = self._ends[-filled - 1]
            # A single long line is cut anywhere.
            n_bytes = window.find(b"\n", n_bytes) + 1 or n_bytes
            start += len(window[:n_bytes].decode(errors="ignore"))
            self._set(text, start, self.model.encode(text[start:])[-room:])

    def _go_on(self, text: str) -> None:
        """Keeps the tokens in front of the first changed line, and computes the rest again."""
        assert self._all is not None
        old, new = self._all[self._start :], text[self._start :]
        same = n_shared(old, new)
        same = new.rfind("\n", 0, same) + 1
        # Indentation may share a token with the line break in front of it.
        same = new.rfind("\n", 0, max(0, same - 1)) + 1
        n_bytes = len(new[:same].encode())
        n_kept = bisect_right(self._ends, n_bytes)
        while n_kept and not is_boundary(new, self._ends[n_kept - 1]):
            n_kept -= 1
        n_bytes = self._ends[n_kept - 1] if n_kept else 0
        rest = new.encode()[n_bytes:].decode()
        self._set(text, self._start, self.tokens[:n_kept] + self.model.encode(rest))

    def _set(self, text: str, start: int, tokens: list[int]) -> None:
        self._all, self._start, self.tokens = text, start, tokens
        self.is_whole = start == 0
        self._ends = list(accumulate(len(self.model.token_bytes[token]) for token in tokens))


def prompt_text(model: Model, tokens: list[int]) -> str:
    """A prompt as text, with its special tokens by their names."""
    known = model.fim_format
    names = {model.prefix: known.prefix, model.suffix: known.suffix}
    names |= {} if model.middle is None else {model.middle: str(known.middle)}
    names |= {number: sign for sign, number in model.file_signs.items()}
    parts = (names[token].encode() if token in names else model.token_bytes[token] for token in tokens)
    return b"".join(parts).decode(errors="replace")


def n_healed(model: Model, tokens: list[int]) -> int:
    """The number of a prefix's last tokens that are written again. For a middle it is `n_pending`, since a
    middle is one text with what follows."""
    n_tokens = n_pending(model, tokens)
    text = b"".join(model.token_bytes[token] for token in tokens[len(tokens) - n_tokens :])
    if model.fim_format.heals_blanks or not text[-1:].isspace():
        return n_tokens
    # A line break and its indentation may be one token if no special token separates them.
    is_line_start = text[-1:] in (b"\n", b"\r") and model.fim_format.order == "suffix-middle-prefix"
    return n_tokens if is_line_start else 0


def is_indented_since(anchor: str, left: str) -> bool:
    """Whether only a line's indentation was typed since the anchor: it then becomes part of the prefix."""
    line = last_line(left)
    return bool(line) and line.isspace() and left != anchor


def n_pending(model: Model, tokens: list[int]) -> int:
    """The number of last tokens that may be the beginning of longer ones."""
    for n_tokens in range(min(N_PENDING, len(tokens)), 0, -1):
        text = b"".join(model.token_bytes[token] for token in tokens[-n_tokens:])
        if len(text) <= N_PENDING_BYTES and model.longer_tokens(text):
            return n_tokens
    return 0


def line_start(text: str, offset: int) -> int:
    """The start of the first line that begins at or behind an offset; the offset itself if there is none."""
    if offset == 0:
        return 0
    return text.find("\n", offset - 1) + 1 or offset


def is_boundary(text: str, n_bytes: int) -> bool:
    """Whether a character begins at a byte."""
    data = text.encode()
    return n_bytes >= len(data) or data[n_bytes] & 0xC0 != 0x80
