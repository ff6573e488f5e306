"""A completion, the answer of decoding: a text, the reason for its end, and its cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.overlap import without_overlap
from quotient import Recognizer

StoppedBy = Literal["eos", "scope", "budget", "forced", "limit", "unlikely", "cancelled"]
"""Why a completion ends.

  - `eos`: the model ended it, or went on to say what the right context or the text itself says already;
  - `scope`: the model went on to leave the scope;
  - `budget`: the time was up; this is the best place to end before that;
  - `limit`: the token limit was reached; likewise;
  - `unlikely`: the text as a whole had become less probable than was asked for; likewise;
  - `forced`: neither model nor a place to end before the limit: the engine wrote the rest;
  - `cancelled`: the caller no longer wants it; the text fits, or is empty.
"""


# The least log-probability of a wanted text's beginning (a thousandth). Of 300 lines of HumanEval the bundled
# model began the least probable one with -5.8, and that line was right.
LEAST_WANTED = -6.9


@dataclass(frozen=True, slots=True)
class Completion:
    """A text to insert at the cursor."""

    text: str
    stopped_by: StoppedBy
    # The number of tokens with text, and how many of them the engine chose alone.
    n_tokens: int
    n_forced: int
    # The model's mean log-probability of its tokens; 0 if it chose none.
    mean_logprob: float
    seconds: float
    # The marks of its tokens.
    marks: tuple[Mark, ...] = ()
    # The place, in characters, of an error that a checker reports and that no other text avoided.
    wrong_from: int | None = None
    # Whether the names of the file or a type checker changed its course.
    is_led: bool = False
    # Whether the model would also end it here, if time or a cancellation ended it.
    ends_well: bool = True

    @property
    def has_overruled(self) -> bool:
        """Whether the project's memory overruled the model at any token."""
        n_bytes = len(self.text.encode())
        return any(mark.overruled is not None and mark.n_bytes <= n_bytes for mark in self.marks)

    @property
    def made_up(self) -> str:
        """The end that the engine wrote because the model found none that fits."""
        if self.stopped_by != "forced":
            return ""
        n_bytes = self.marks[-1].n_bytes if self.marks else 0
        return self.text.encode()[n_bytes:].decode(errors="ignore")

    @property
    def is_wanted(self) -> bool:
        """Whether the model or the project's memory wanted this beginning. If their favourites do not fit,
        some other text nearly always does, such as `1.`."""
        begun = (mark for mark in self.marks if self.text.encode()[: mark.n_bytes].strip())
        first = next(begun, None)
        return first is None or first.logprob is None or first.logprob >= LEAST_WANTED or self.is_led

    def right_until(self, offer: str) -> int:
        """The number of characters in front of the error, in an offer made from this text."""
        if self.wrong_from is None:
            return len(offer)
        # In a text that was rewritten in the file's style, the error is elsewhere.
        return min(self.wrong_from, len(offer)) if self.text.startswith(offer) else 0


def completions_without_overlap(
    recognizer: Recognizer, found: Iterable[Completion], right: str
) -> Iterator[Completion]:
    """Completions without a repetition of what stands right of the cursor, each text once."""
    known = set()
    for one in found:
        text = without_overlap(recognizer, one.text, right)
        if text is not None and text not in known:
            known.add(text)
            yield one if text == one.text else replace(one, text=text)
