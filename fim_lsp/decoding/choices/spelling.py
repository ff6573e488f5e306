"""The spelling of the pending text: by several tokens, or by one that spells all of it.

    'prox|       p + ro + xy, since `p` is likelier than `proxy`, but nothing like `rox` is likely behind it

A network that did not expect the typed text prefers a short beginning of it, behind which most other texts
would come. It has hardly ever seen the rest spelled on its own, so what it writes behind that is junk.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from fim_lsp.decoding.choices.choice import Token
from fim_lsp.runtimes.logits import logsumexp


@dataclass(slots=True)
class PendingSpelling:
    """The tokens so far that spell the pending text, and the log-probability of the single token that would
    have spelled all of it."""

    first: int | None = None
    logprob: float = 0.0
    logprob_whole: float = -inf

    def is_worse_with(self, choice: Token) -> bool:
        """Adds a token; says whether the tokens together are less likely than the single one."""
        row, sum_ = choice.row, logsumexp(choice.row)
        if self.first is None:
            self.first = choice.token
            if choice.whole is not None:
                self.logprob_whole = float(row[choice.whole]) - sum_
        self.logprob += float(row[choice.token]) - sum_
        return self.logprob < self.logprob_whole
