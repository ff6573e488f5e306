"""Marks: the facts about each token of a completion, for the judge of offers."""

from __future__ import annotations

from dataclasses import dataclass


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
