"""Text for people at a terminal: colours where they are wanted, none in pipes and files.

NO_COLOR (no-color.org) turns them off everywhere, FORCE_COLOR turns them on without a terminal. A terminal
without colours gets no drawn signs either, and no line is written over: a user with a screen reader hears
each of them.
"""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TextIO

from fim_lsp.presentable import UNSEEN, presentable_text

RESET = "\x1b[0m"

# The signs that we send to terminals ourselves: colours, and what clears the line of a progress.
OWN = re.compile(r"\x1b\[(?:0|1|2|31|32|1;30;43|1;36)?m|\r?\x1b\[K")

LONE_CR = re.compile(r"\r(?!\n)")


def takes_drawings(stream: TextIO) -> bool:
    """Whether a stream is a terminal where carets, bars and lines that are written over help."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class EscapedStream(io.TextIOBase):
    """A stream that prints visible signs only. Names of files and models, servers' messages and lines of
    sources may contain escapes, which a terminal would obey. They are printed as Python writes them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if UNSEEN.search(text) or "\r" in text:
            owns, others = OWN.findall(text), map(drawn_text, OWN.split(text))
            text = "".join(part for pair in zip_longest(others, owns, fillvalue="") for part in pair)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def close(self) -> None:
        """The stream is not its own."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Wraps text in ANSI colours, or leaves it alone when they are not wanted."""

    has_colours: bool

    @classmethod
    def of(cls, stream: TextIO) -> Palette:
        if os.environ.get("NO_COLOR"):
            return cls(False)
        return cls(bool(os.environ.get("FORCE_COLOR")) or takes_drawings(stream))

    def _painted_text(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{RESET}" if self.has_colours else text

    def bold(self, text: str) -> str:
        return self._painted_text("1", text)

    def dim(self, text: str) -> str:
        return self._painted_text("2", text)

    def good(self, text: str) -> str:
        return self._painted_text("32", text)

    def bad(self, text: str) -> str:
        return self._painted_text("31", text)

    def hole(self, text: str) -> str:
        """The text in a hole, painted: bold on a background, so that white space shows."""
        return self._painted_text("1;30;43", text)

    def heading(self, text: str) -> str:
        return self._painted_text("1;36", text)


def drawn_text(text: str) -> str:
    """A text from elsewhere, escaped: a lone carriage return would let it write over its line."""
    return LONE_CR.sub(r"\\r", presentable_text(text))


def duration(seconds: float) -> str:
    """A time as people say it, to three digits: `812 ns`, `4.2 us`, `13.1 ms`, `2 s`."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
