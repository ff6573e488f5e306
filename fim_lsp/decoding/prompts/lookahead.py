"""A lookahead: the network's rows for the next token, one by one, even if several were read at once.

Likely tokens are read before they are chosen (a draft). As long as the choices agree, the rows behind them
are known already; otherwise they are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fim_lsp.decoding.prompts.drafts import Guesses
from fim_lsp.decoding.prompts.reader import PromptReader
from fim_lsp.runtimes.runtime import AskedRows, PartialRows, Row, Rows


@dataclass(slots=True)
class Lookahead:
    """Rows behind a prompt of `n_prompt` tokens that the reader has read, and a draft that it has read, too.

    `rows`, len(draft) + 1 of them, are the rows before and behind each drafted token.
    """

    reader: PromptReader
    n_prompt: int
    rows: Rows
    draft: list[int]
    # The source of drafts; with None, nothing is guessed.
    drafts: Guesses | None = None
    # The sure next token, whatever the network says, with its log-probability; None if the network decides.
    sure: Callable[[Sequence[int]], tuple[int, float] | None] | None = None
    # Whether the last row holds only a sure token, and the network was not asked.
    is_presumed: bool = False
    written: list[int] = field(default_factory=list)
    # The number of tokens of the draft that were confirmed, and those written since.
    _n_right: int = 0
    _unread: list[int] = field(default_factory=list)
    # The rows and tokens that were known in the beginning.
    _first: tuple[Rows, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._first = self.rows, self.draft

    def row(self, is_rewriting: bool = False) -> Row:
        """The row behind the whole written text, (vocabulary,).

        Sure tokens are not used while pending text is rewritten.
        """
        self.read()
        presumed = None if is_rewriting else self._presumed_row()
        self.is_presumed = presumed is not None
        return self.rows[self._n_right] if presumed is None else presumed

    def _presumed_row(self) -> Row | None:
        """A row of the sure token, if another row would need a request."""
        rows = self._partial
        if rows is None or self.sure is None or not isinstance(rows, AskedRows):
            return None
        if not rows.is_question(self._n_right):
            return None
        sure = self.sure(self.written)
        return None if sure is None else rows.presumed_row(*sure)

    @property
    def is_partial(self) -> bool:
        """Whether rows hold only the likeliest tokens."""
        return self._partial is not None

    def wider(self, allowed: Callable[[int], Sequence[int]]) -> Row | None:
        """The last row with more tokens, among them allowed ones; None if the row is complete."""
        if self.is_presumed:
            self.is_presumed = False
            return self.rows[self._n_right]
        return None if self._partial is None else self._partial.wider(self._n_right, allowed)

    @property
    def _partial(self) -> PartialRows | None:
        # Arrays, and lists of known rows, are never partial. The check for the protocol takes ten times as
        # long as this one.
        if isinstance(self.rows, np.ndarray | list) or not isinstance(self.rows, PartialRows):
            return None
        return self.rows

    def write(self, token: int) -> None:
        """Adds a token."""
        self.written.append(token)
        if not self._unread and self._n_right < len(self.draft) and self.draft[self._n_right] == token:
            self._n_right += 1
        else:
            self._unread.append(token)

    def go_back(self, n_written: int) -> None:
        """Forgets all but the first written tokens; the network forgets them when it reads on."""
        del self.written[n_written:]
        self._n_right = 0
        if n_written:
            self._unread = self.written[-1:]
            return
        self._unread = []
        self.rows, self.draft = self._first
        self.reader.crop(self.n_prompt + len(self.draft))

    def read(self) -> None:
        """Lets the network begin to compute the next row."""
        if not self._unread:
            return
        if self.drafts is not None:
            self.drafts.judge(len(self.draft), self._n_right)
            self.drafts.extend(self.written[-self._n_right - len(self._unread) :])
        reader = self.reader
        self.draft = [] if self.drafts is None else self.drafts.next(self.written)
        self.rows = reader.behind(self.n_prompt, [*self.written, *self.draft], len(self.draft) + 1)
        self._n_right, self._unread = 0, []
