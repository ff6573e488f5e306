"""What decoding answers: a text, why it ends where it ends, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fim_lsp.decoding.texts.marks import Mark

StoppedBy = Literal["eos", "scope", "budget", "forced", "limit", "unlikely", "cancelled"]
"""Why a completion ends.

  - `eos`: the model ended it, or went on to say what the right context or the text itself says already;
  - `scope`: the model went on to leave the scope;
  - `budget`: the time was up; this is the best place to end before that;
  - `limit`: the token limit was reached; likewise;
  - `unlikely`: the text as a whole had become less probable than was asked for; likewise;
  - `forced`: neither model nor a place to end before the limit: the engine wrote the rest;
  - `cancelled`: whoever asked no longer wants it; the text fits, or is empty.
"""


@dataclass(frozen=True, slots=True)
class Completion:
    """A text to insert at the cursor."""

    text: str
    stopped_by: StoppedBy
    # Tokens that brought text, and how many of them the engine chose alone.
    n_tokens: int
    n_forced: int
    # The model's own opinion of its tokens, per token; 0 where it chose none.
    mean_logprob: float
    seconds: float
    # What is known of each of its tokens.
    marks: tuple[Mark, ...] = ()
    # Where an error begins that a checker sees in it and that no other way was found around, in characters.
    wrong_from: int | None = None
    # Whether the model would have it end there, too, where time or somebody else has ended it.
    ends_well: bool = True

    def right_until(self, offer: str) -> int:
        """How many characters of an offer that was made of this text stand in front of that error."""
        if self.wrong_from is None:
            return len(offer)
        # What was written anew in the file's style has its error elsewhere.
        return min(self.wrong_from, len(offer)) if self.text.startswith(offer) else 0
