"""A written text, its end, and the reason for the end."""

from __future__ import annotations

from dataclasses import dataclass

from fim_lsp.decoding.texts.completion import Completion, StoppedBy
from fim_lsp.decoding.texts.hypothesis import Ending, Hypothesis

# The events that end a text from outside, and the least probability of a good end.
CUT: tuple[StoppedBy, ...] = ("budget", "cancelled")
LEAST_END = 0.1


@dataclass(frozen=True, slots=True)
class Written:
    """A finished text.

    `is_poor`: the model fell into a loop before any part could stand alone, or wrote only comments.
    """

    hypothesis: Hypothesis
    ending: Ending
    stopped_by: StoppedBy
    is_poor: bool = False
    # The place of a fault that a checker reports, in characters.
    wrong_from: int | None = None

    # Whether the names of the file or a type checker changed its course.
    is_led: bool = False

    @property
    def text(self) -> bytes:
        return self.hypothesis.text[: self.ending.n_bytes]

    @property
    def quality(self) -> tuple[bool, int]:
        """The quality, which decides between two poor texts."""
        return bool(self.text), -self.ending.n_forced

    @property
    def mean_logprob(self) -> float:
        """The mean of the tokens that the model chose; 0 if there is none."""
        n_chosen = self.ending.n_tokens - self.ending.n_forced
        return self.ending.logprob / n_chosen if n_chosen else 0.0

    def completion(self, seconds: float) -> Completion:
        ending = self.ending
        return Completion(
            # With an engine no text ends inside a character; without one, half a character is dropped.
            text=self.text.decode(errors="ignore"),
            stopped_by=self.stopped_by,
            n_tokens=ending.n_tokens,
            n_forced=ending.n_forced,
            mean_logprob=self.mean_logprob,
            seconds=seconds,
            ends_well=self.stopped_by not in CUT or ending.weight >= LEAST_END * ending.n_tokens,
            marks=tuple(self.hypothesis.marks),
            wrong_from=self.wrong_from,
            is_led=self.is_led,
        )
