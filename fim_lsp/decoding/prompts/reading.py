"""A stretch of a file that a network has read once, kept through the file's edits.

An edit is spliced in: the tokens behind it move and are not read again, although they were read behind the
old text.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

from fim_lsp.decoding.models.model import Model
from fim_lsp.runtimes.runtime import KeptCache

# Shorter tails are read again rather than moved, and longer insertions make the tail be read again.
SHORTEST_TAIL, LONGEST_INSERTION = 32, 256


@dataclass(frozen=True, slots=True)
class Splice:
    """A replacement of the text between two places by one that is `n_more` characters longer."""

    start: int
    stop: int
    n_more: int


@dataclass(eq=False)
class Reading:
    """A stretch of a file from `start` on. Its tokens, read or about to be read, spell `text`."""

    model: Model
    cache: KeptCache
    # The tokens in front of the stretch in each prompt.
    head: list[int]
    start: int
    text: str = ""
    tokens: list[int] = field(default_factory=list)
    # The end of each token, in bytes from `start`.
    _ends: list[int] = field(default_factory=list)

    @property
    def stop(self) -> int:
        return self.start + len(self.text)

    @property
    def n_read(self) -> int:
        """The number of tokens in the cache, which need not be read."""
        return max(0, min(self.cache.n_held - len(self.head), len(self.tokens)))

    def n_in_front(self, place: int) -> int:
        """The number of tokens in front of a place in the file."""
        return bisect_right(self._ends, len(self.text[: max(0, place - self.start)].encode()))

    def end_of(self, n_tokens: int) -> int:
        """The place in the file behind the first tokens, rounded down to a character's beginning."""
        n_bytes = self._ends[n_tokens - 1] if n_tokens else 0
        return self.start + len(self.text.encode()[:n_bytes].decode(errors="ignore"))

    def extend(self, text: str) -> None:
        """Adds the text behind the stretch."""
        self._put(len(self.tokens), [*self.tokens, *self.model.encode(text)], self.text + text)

    def cut(self, n_tokens: int) -> None:
        """Forgets all but the first tokens."""
        stop = self.end_of(n_tokens)
        self._put(n_tokens, self.tokens[:n_tokens], self.text[: stop - self.start])
        if self.cache.n_held > len(self.head) + n_tokens:
            self.cache.crop(max(1, len(self.head) + n_tokens))

    def follow(self, file: str, edit: Splice) -> bool:
        """Follows an edit of the file; False if too little of the stretch is left."""
        if edit.stop <= self.start:
            self.start += edit.n_more
            return True
        if edit.start >= self.stop:
            return True
        if edit.start <= self.start:
            return False
        # Whole lines, since the next one's indentation may share a token with the line break.
        first = self.n_in_front(previous_line(file, edit.start))
        behind = self._first_behind(next_line(file, edit.stop + edit.n_more) - edit.n_more)
        begin = self.end_of(first)
        end = self.stop if behind is None else self.end_of(behind)
        between = file[begin : end + edit.n_more]
        tokens = self.model.encode(between)
        n_tail = 0 if behind is None else self.n_read - behind
        if behind is None or n_tail < SHORTEST_TAIL or len(tokens) > LONGEST_INSERTION:
            self.cut(first)
            return True
        if not self.cache.splice(len(self.head) + first, behind - first, tokens):
            self.cut(first)
            return True
        text = self.text[: begin - self.start] + between + self.text[end - self.start :]
        self._put(first, [*self.tokens[:first], *tokens, *self.tokens[behind:]], text)
        return True

    def _first_behind(self, place: int) -> int | None:
        """The first token at a place or behind it that begins a character."""
        data = self.text.encode()
        n_bytes = len(self.text[: max(0, place - self.start)].encode())
        for index in range(bisect_right(self._ends, n_bytes - 1) + 1, len(self.tokens)):
            if data[self._ends[index - 1]] & 0xC0 != 0x80:
                return index
        return None

    def _put(self, n_same: int, tokens: list[int], text: str) -> None:
        del self._ends[n_same:]
        so_far = self._ends[-1] if self._ends else 0
        texts = self.model.token_bytes
        self._ends += list(accumulate((len(texts[token]) for token in tokens[n_same:]), initial=so_far))[1:]
        self.tokens, self.text = tokens, text


def current_line(left: str) -> int:
    """The beginning of the cursor's line."""
    return left.rfind("\n") + 1


def previous_line(file: str, place: int) -> int:
    """The beginning of the previous line."""
    return file.rfind("\n", 0, max(0, file.rfind("\n", 0, place))) + 1


def next_line(file: str, place: int) -> int:
    """The beginning of the next line."""
    return file.find("\n", place) + 1 or len(file)
