"""A lookahead: the network's rows for the next token, one after the other, however many it reads at once.

Some tokens are likely enough to be read before they are chosen (a draft). As long as the choice agrees, what
is expected behind them is known already; where it does not, they are forgotten again.
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
    """Behind a prompt of `n_prompt` tokens that the reader has read, and a draft that it has read, too.

    `rows`, len(draft) + 1 of them, are what it expects before and behind each drafted token.
    """

    reader: PromptReader
    n_prompt: int
    rows: Rows
    draft: list[int]
    # The source of drafts; with None, nothing is guessed.
    drafts: Guesses | None = None
    # The next token whatever the network says, with the logarithm of its probability; None where that
    # depends.
    sure: Callable[[Sequence[int]], tuple[int, float] | None] | None = None
    # Whether the last row is what is sure alone, and it was not asked for.
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
        """The row behind all that has been written, (vocabulary,).

        What is sure says nothing of how a text is written anew.
        """
        self.read()
        presumed = None if is_rewriting else self._presumed()
        self.is_presumed = presumed is not None
        return self.rows[self._n_right] if presumed is None else presumed

    def _presumed(self) -> Row | None:
        """A row of what is sure, where it would take a question to have more."""
        rows = self._partial
        if rows is None or self.sure is None or not isinstance(rows, AskedRows):
            return None
        if not rows.is_question(self._n_right):
            return None
        sure = self.sure(self.written)
        return None if sure is None else rows.presumed_row(*sure)

    @property
    def is_partial(self) -> bool:
        """Whether rows tell of the likeliest tokens only."""
        return self._partial is not None

    def wider(self, allowed: Callable[[int], Sequence[int]]) -> Row | None:
        """The last row with more tokens in it, if need be of those that are looked for; None where it tells
        of all that it can.
        """
        if self.is_presumed:
            self.is_presumed = False
            return self.rows[self._n_right]
        return None if self._partial is None else self._partial.wider(self._n_right, allowed)

    @property
    def _partial(self) -> PartialRows | None:
        # An array never is; to ask what else it may be takes ten times as long as to know that.
        if isinstance(self.rows, np.ndarray) or not isinstance(self.rows, PartialRows):
            return None
        return self.rows

    def write(self, token: int) -> None:
        """Goes on with a token."""
        self.written.append(token)
        if not self._unread and self._n_right < len(self.draft) and self.draft[self._n_right] == token:
            self._n_right += 1
        else:
            self._unread.append(token)

    def go_back(self, n_written: int) -> None:
        """Forgets all but the first tokens that were written; the network forgets them when it reads on."""
        del self.written[n_written:]
        self._n_right = 0
        if n_written:
            self._unread = self.written[-1:]
            return
        self._unread = []
        self.rows, self.draft = self._first
        self.reader.crop(self.n_prompt + len(self.draft))

    def read(self) -> None:
        """Has the network begin with what is needed for the next row."""
        if not self._unread:
            return
        if self.drafts is not None:
            self.drafts.judge(len(self.draft), self._n_right)
            self.drafts.extend(self.written[-self._n_right - len(self._unread) :])
        reader = self.reader
        self.draft = [] if self.drafts is None else self.drafts.next(self.written)
        self.rows = reader.behind(self.n_prompt, [*self.written, *self.draft], len(self.draft) + 1)
        self._n_right, self._unread = 0, []
