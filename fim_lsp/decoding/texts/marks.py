"""Marks: the facts about each token of a completion, for the judge of offers."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Mark:
    """A token. Its probabilities are among the tokens that can spell the pending text: `retur` left of the
    cursor leaves few, such as ` return`."""

    # The length of the text up to the token's end.
    n_bytes: int
    # Its log-probability with and without the project's memory, and that of the most probable token; None if
    # the engine chose.
    logprob: float | None
    own_logprob: float | None
    top_logprob: float | None
    # The longest match of the project's memory: its share for this token, its length, and its number of
    # occurrences.
    recalled: float = 0.0
    n_agreeing: int = 0
    n_times: int = 0
    # The token that the model would have preferred to a remembered one.
    overruled: int | None = None
    # For each beginning of the token's new bytes, the shortest first, the log-probabilities of all tokens
    # that agree with it, and of the likeliest of them; empty if the token was sure, or the text is not kept.
    agreeing: tuple[tuple[float, float], ...] = ()

    def behind(self, n_typed: int, n_begun: int) -> Mark:
        """The mark behind `n_typed` bytes of the text, of which the user typed the last `n_begun` of this
        token: it is as probable as it is among the tokens that agree with them."""
        here = replace(self, n_bytes=self.n_bytes - n_typed)
        if not 0 < n_begun <= len(self.agreeing) or self.logprob is None or self.own_logprob is None:
            return here
        all_, top = self.agreeing[n_begun - 1]
        return replace(
            here,
            logprob=min(self.logprob - all_, 0.0),
            own_logprob=min(self.own_logprob - all_, 0.0),
            top_logprob=min(top - all_, 0.0),
            agreeing=(),
        )
