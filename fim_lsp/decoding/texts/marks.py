"""Marks: the facts about each token of a completion, for the judge of how sure it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """A token. Probabilities are those among the tokens that could spell what is there already: `retur` of `
    return` left of the cursor leaves few."""

    # The length of the text with it.
    n_bytes: int
    # Logarithms of its probability, with and without what is remembered of the project, and of the most
    # probable token; None where the engine chose.
    logprob: float | None
    own_logprob: float | None
    top_logprob: float | None
    # The longest match of the project's memory: its share for this token, how far back it agrees, and how
    # often it stands there.
    recalled: float = 0.0
    n_agreeing: int = 0
    n_times: int = 0
    # The token that the model would have preferred to one that is remembered.
    overruled: int | None = None
