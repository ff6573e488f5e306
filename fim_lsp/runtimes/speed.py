"""The speed of a network's reading, measured on this machine while it reads, since its work is bounded by
time.

A reading of n tokens takes about a + b n seconds: a is the time of one token, to go through the weights once,
and b the time of each further token. Both are running averages, so that they follow a machine that gets busy.
"""

from __future__ import annotations

from dataclasses import dataclass

# A reading of at least LONG tokens measures b, and one of at most SHORT tokens measures a.
LONG, SHORT = 16, 2
# The weight of the last reading.
WEIGHT = 0.3


@dataclass(slots=True)
class Speed:
    """The measured seconds; None if not measured yet."""

    a_token: float | None = None
    each_of_many: float | None = None

    def note(self, n_tokens: int, seconds: float) -> None:
        if n_tokens <= SHORT:
            self.a_token = blended_speed(self.a_token, seconds)
        elif n_tokens >= LONG:
            self.each_of_many = blended_speed(self.each_of_many, seconds / n_tokens)

    def seconds(self, n_tokens: int) -> float | None:
        """The seconds of a reading; None if not measured for that length."""
        if n_tokens <= SHORT:
            return self.a_token
        return self.each_of_many and n_tokens * self.each_of_many if n_tokens >= LONG else None

    def n_read_in(self, seconds: float) -> int | None:
        """The number of tokens that are read at once in a time; None if not measured."""
        return None if self.each_of_many is None else max(0, int(seconds / self.each_of_many))

    @property
    def tokens_per_second(self) -> float | None:
        return None if self.each_of_many is None else 1 / self.each_of_many


def blended_speed(known: float | None, seen: float) -> float:
    seen = max(seen, 1e-6)
    return seen if known is None else known + WEIGHT * (seen - known)
