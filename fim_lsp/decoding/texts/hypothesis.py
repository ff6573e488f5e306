"""A hypothesis, the text in progress: its tokens and bytes, the engine's state, and its possible ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fim_lsp.decoding.texts.marks import Mark
from quotient import Recognizer


@dataclass(frozen=True, slots=True)
class Ending:
    """A place where the text may end, and its state there.

    `weight` rates the place by the paper's rule for texts that the model does not end: its probability of an
    end, weighted by the length. `is_good`: the place is not inside a name.
    """

    n_bytes: int
    n_tokens: int
    n_forced: int
    logprob: float
    weight: float = 0.0
    is_good: bool = True


@dataclass(slots=True)
class Hypothesis:
    """The text written so far, behind the cursor."""

    # The recognizer; None if nothing is checked, or nothing can fit any more.
    recognizer: Recognizer | None
    # The bytes left of the cursor that must be written again first.
    pending: bytes = b""
    text: bytes = b""
    # The bytes of the first token that is not white space alone.
    first: bytes = b""
    # The number of tokens with text, the number of them that the engine chose, and the sum of the others'
    # log-probabilities.
    n_tokens: int = 0
    n_forced: int = 0
    logprob: float = 0.0
    # The places at which the text was found to fit.
    endings: list[Ending] = field(default_factory=list)
    # The places in front of its tokens.
    places: list[Ending] = field(default_factory=list)
    # The marks of its tokens, including those of the pending text.
    marks: list[Mark] = field(default_factory=list)

    def fork(self) -> Hypothesis:
        recognizer = None if self.recognizer is None else self.recognizer.fork()
        return replace(
            self,
            recognizer=recognizer,
            endings=list(self.endings),
            places=list(self.places),
            marks=list(self.marks),
        )

    def rewound(self, start: Recognizer, n_bytes: int) -> Hypothesis:
        """The text as it was before the token that reached beyond `n_bytes` bytes.

        `start` is the recognizer at the hole's beginning.
        """
        places = [place for place in self.places if place.n_bytes <= n_bytes]
        if n_bytes >= len(self.text) or not places:
            return self
        place, recognizer = places[-1], start.fork()
        recognizer.advance(self.text[: place.n_bytes])
        return replace(
            self,
            recognizer=recognizer,
            pending=b"",
            text=self.text[: place.n_bytes],
            n_tokens=place.n_tokens,
            n_forced=place.n_forced,
            logprob=place.logprob,
            endings=[ending for ending in self.endings if ending.n_bytes <= place.n_bytes],
            places=places[:-1],
            marks=[mark for mark in self.marks if mark.n_bytes <= place.n_bytes],
        )

    @property
    def is_member(self) -> bool:
        """Whether the text fits as it is."""
        return not self.pending and self.recognizer is not None and self.recognizer.is_member()

    @property
    def has_ending(self) -> bool:
        """Whether there is a place to end that leaves any text."""
        return bool(self.endings) and self.endings[-1].n_bytes > 0

    def best_ending(self) -> Ending | None:
        return best_of(self.endings)

    def append(self, text: bytes, logprob: float | None) -> None:
        """Adds a token that the recognizer has already read. Without `logprob` the engine chose it."""
        n_pending = min(len(self.pending), len(text))
        self.pending = self.pending[n_pending:]
        if n_pending == len(text):
            return
        self.places.append(self.ending())
        self.first = self.first or text[n_pending:].strip()
        self.text += text[n_pending:]
        self.n_tokens += 1
        if logprob is None:
            self.n_forced += 1
        else:
            self.logprob += logprob

    def ending(self, probability: float = 0.0, is_good: bool = True) -> Ending:
        """The ending at the text's present end, with the model's probability of an end there."""
        weight = probability * self.n_tokens
        return Ending(len(self.text), self.n_tokens, self.n_forced, self.logprob, weight, is_good)

    def trimmed_ending(self, last: Ending, is_apart: bool) -> Ending:
        """An ending, without the white space in front of it if the text fits without it, too.

        The right context has its own line break, unless it begins with the rest of a line that is to stand
        alone (`is_apart`).
        """
        text = self.text[: last.n_bytes]
        n_bytes = len(text.rstrip())
        if is_apart and b"\n" in text[n_bytes:]:
            n_bytes = text.index(b"\n", n_bytes) + 1
        return next((ending for ending in self.endings if ending.n_bytes >= n_bytes), last)


def best_of(endings: Sequence[Ending]) -> Ending | None:
    """The best place to end; one that leaves no text only if there is no other."""
    return max(endings, key=lambda ending: (ending.n_bytes > 0, ending.is_good, ending.weight), default=None)
