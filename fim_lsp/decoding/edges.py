"""The right edge: a completion does not say again what the right context says already.

Two signs that the model is done, seen from a place where the text fits: it wants to close what the right
context closes next, or what it goes on to write is the right context's next line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fim_lsp.decoding.hypothesis import Ending, Hypothesis

CLOSERS = b")]}\"'"


@dataclass(slots=True)
class RightEdge:
    """The right context, and the places from which on the text repeats it so far."""

    right: bytes
    _endings: list[Ending] = field(default_factory=list)

    @classmethod
    def of(cls, right: str) -> RightEdge:
        return cls(right.encode(errors="surrogateescape"))

    def is_closed_by(self, text: bytes) -> bool:
        """Whether a text closes what the right context closes first of all."""
        return bool(text) and text[0] in CLOSERS and self.right[:1] == text[:1]

    def may_end(self, ending: Ending) -> None:
        """Notes a place where the text fits."""
        self._endings.append(ending)

    def repetition(self, hypothesis: Hypothesis, is_end: bool = False) -> Ending | None:
        """The place behind which the text is the right context's next line again.

        `is_end`: nothing follows any more, so its last line is a whole one.
        """
        still: list[Ending] = []
        right = self.right.lstrip()
        for ending in self._endings:
            begun = (hypothesis.text[ending.n_bytes :] + b"\n" * is_end).lstrip()
            if begun and has_line(begun, right):
                return ending
            if right.startswith(begun):
                still.append(ending)
        self._endings = still
        return None


def has_line(begun: bytes, right: bytes) -> bool:
    """Whether a text begins with the first line of the right context; neither begins with white space."""
    line, _, _ = right.partition(b"\n")
    line = line.rstrip()
    if not line or not begun.startswith(line):
        return False
    # `return x` is no repetition of `return x` while `return x + 1` may come of it.
    return begun[len(line) :].lstrip(b" \t\r")[:1] == b"\n"
