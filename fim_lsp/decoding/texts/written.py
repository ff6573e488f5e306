"""A written text, where it ends, and why there."""

from __future__ import annotations

from dataclasses import dataclass

from fim_lsp.decoding.texts.completion import Completion, StoppedBy
from fim_lsp.decoding.texts.hypothesis import Ending, Hypothesis

# The events that end a text from outside, and the least probability of an end for it to be a good one.
CUT: tuple[StoppedBy, ...] = ("budget", "cancelled")
LEAST_END = 0.1


@dataclass(frozen=True, slots=True)
class Written:
    """A text that has come to an end.

    `is_poor`: the model went round in circles before it had said anything that could stand alone, or all it
    said are comments.
    """

    hypothesis: Hypothesis
    ending: Ending
    stopped_by: StoppedBy
    is_poor: bool = False
    # The place in it where a fault begins that a checker sees, in characters.
    wrong_from: int | None = None

    # Whether what the file or a type checker knows has led it to a name.
    is_led: bool = False

    @property
    def text(self) -> bytes:
        return self.hypothesis.text[: self.ending.n_bytes]

    @property
    def quality(self) -> tuple[bool, int]:
        """The quality by which the better one of two poor texts is found."""
        return bool(self.text), -self.ending.n_forced

    def completion(self, seconds: float) -> Completion:
        ending = self.ending
        n_chosen = ending.n_tokens - ending.n_forced
        return Completion(
            # No text ends inside a character where the engine is asked; else half of one is dropped.
            text=self.text.decode(errors="ignore"),
            stopped_by=self.stopped_by,
            n_tokens=ending.n_tokens,
            n_forced=ending.n_forced,
            mean_logprob=ending.logprob / n_chosen if n_chosen else 0.0,
            seconds=seconds,
            ends_well=self.stopped_by not in CUT or ending.weight >= LEAST_END * ending.n_tokens,
            marks=tuple(self.hypothesis.marks),
            wrong_from=self.wrong_from,
            is_led=self.is_led,
        )
