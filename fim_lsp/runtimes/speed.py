"""The speed at which a network reads on this machine, measured while it does: its work is bounded by time,
and no machine is known beforehand.

A reading of n tokens takes about a + b n seconds: a is what one token takes, which is the time to go through
the weights once, and b what each one more adds. Both are averages of what was seen last, so that they follow
a machine that gets busy.
"""

from __future__ import annotations

from dataclasses import dataclass

# The least tokens of a reading that tells of b, and the most of one that tells of a.
LONG, SHORT = 16, 2
# The weight of the last reading.
WEIGHT = 0.3


@dataclass(slots=True)
class Speed:
    """Seconds; None for what was never seen."""

    a_token: float | None = None
    each_of_many: float | None = None

    def note(self, n_tokens: int, seconds: float) -> None:
        if n_tokens <= SHORT:
            self.a_token = blended_speed(self.a_token, seconds)
        elif n_tokens >= LONG:
            self.each_of_many = blended_speed(self.each_of_many, seconds / n_tokens)

    def seconds(self, n_tokens: int) -> float | None:
        """The seconds of a reading; None where none of that length was seen."""
        if n_tokens <= SHORT:
            return self.a_token
        return self.each_of_many and n_tokens * self.each_of_many if n_tokens >= LONG else None

    def n_read_in(self, seconds: float) -> int | None:
        """The number of tokens that are read at once in a time; None where nothing was seen."""
        return None if self.each_of_many is None else max(0, int(seconds / self.each_of_many))

    @property
    def tokens_per_second(self) -> float | None:
        return None if self.each_of_many is None else 1 / self.each_of_many


def blended_speed(known: float | None, seen: float) -> float:
    seen = max(seen, 1e-6)
    return seen if known is None else known + WEIGHT * (seen - known)
