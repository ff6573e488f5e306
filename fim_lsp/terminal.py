"""Text for people at a terminal: colours where they are wanted, none in pipes and files.

NO_COLOR (no-color.org) turns them off everywhere, FORCE_COLOR turns them on where no terminal is.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TextIO

RESET = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Palette:
    """Wraps text in ANSI colours, or leaves it alone when they are not wanted."""

    has_colours: bool

    @classmethod
    def of(cls, stream: TextIO) -> Palette:
        if os.environ.get("NO_COLOR"):
            return cls(False)
        return cls(
            bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
        )

    def _painted(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{RESET}" if self.has_colours else text

    def bold(self, text: str) -> str:
        return self._painted("1", text)

    def dim(self, text: str) -> str:
        return self._painted("2", text)

    def good(self, text: str) -> str:
        return self._painted("32", text)

    def bad(self, text: str) -> str:
        return self._painted("31", text)

    def hole(self, text: str) -> str:
        """What is put into a hole: bold on a background, so that white space shows."""
        return self._painted("1;30;43", text)

    def heading(self, text: str) -> str:
        return self._painted("1;36", text)


def duration(seconds: float) -> str:
    """A time as people say it, to three digits: `812 ns`, `4.2 us`, `13.1 ms`, `2 s`."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
