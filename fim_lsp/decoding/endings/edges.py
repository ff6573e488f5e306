"""The right edge: a completion does not repeat the right context.

At a place where the text fits, these signs show that the model is done: it wants the closer or the colon that
the right context begins with; it wants the right context's beginning, which does not fit; or it goes on with
the right context's next line or the rest of this one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fim_lsp.decoding.texts.hypothesis import Ending, Hypothesis
from fim_lsp.recognizers import fits
from fim_lsp.shared import n_shared
from quotient import Recognizer

# Signs that are not written twice in a row, even if that would fit.
CLOSERS = b")]}\"':"
# A symbol; a quote stands for its string.
SYMBOL = re.compile(rb"\w+|[\n\r]|\S")
WORD = re.compile(rb"\w+")
BLANKS = re.compile(rb"[ \t]*")
BEGUN = re.compile(rb"\w+[ \t]*[^\w\s]")
# The most tokens of a repeated line.
N_ENDINGS = 60
# A repetition of the right context's line with so many bytes and words is never intended.
N_SHARED_BYTES, N_SHARED_WORDS = 12, 2


@dataclass(frozen=True, slots=True)
class RightEdge:
    """The right context, compared with the written text."""

    right: bytes

    @property
    def has_rest(self) -> bool:
        """Whether the cursor's line has text behind the cursor."""
        return bool(self.right.partition(b"\n")[0].strip())

    @property
    def n_blanks(self) -> int:
        """The columns of the blanks in front of the rest of the cursor's line."""
        blanks = BLANKS.match(self.right)
        return 0 if blanks is None else len(blanks[0].expandtabs())

    @property
    def is_apart(self) -> bool:
        """Whether the rest of the cursor's line may be a line of its own."""
        return self.has_rest and self.right[:1] not in b")]},:;"

    @property
    def is_closed(self) -> bool:
        """Whether a closing bracket follows the cursor."""
        return self.right[:1] in (b")", b"]", b"}")

    @property
    def closing(self) -> list[bytes]:
        """The first sign of the right context, if it closes something or ends the line."""
        first = self.right.lstrip(b" \t\f")[:1] or b"\n"
        return [first] if first in CLOSERS + b"\n\r," else []

    def n_missing_bytes(self, recognizer: Recognizer, wanted: bytes) -> int | None:
        """The bytes that the wanted text still misses, if its rest is the right context's beginning."""
        symbol = SYMBOL.match(self.right, len(self.right) - len(self.right.lstrip(b" \t\f")))
        if symbol is None or symbol[0] not in wanted:
            return None
        is_closer = self.right[0] in CLOSERS
        # Only an operator comes between two words, and it would stand in front of the second one.
        is_word_again = (
            self.right[:1] == b" "
            and WORD.match(symbol[0])
            and wanted.startswith(b" " + symbol[0])
            and not WORD.match(wanted, 1 + len(symbol[0]))
        )
        if is_word_again and fits(recognizer, b""):
            return 0
        if not is_closer and recognizer.fork().advance(wanted):
            return None
        for found in SYMBOL.finditer(wanted):
            n_bytes = found.start()
            if found[0] != symbol[0]:
                continue
            if not is_closer:
                n_bytes = len(wanted[:n_bytes].rstrip(b" \t\f"))
            if fits(recognizer, wanted[:n_bytes]):
                return n_bytes
        return None

    def repetition(self, hypothesis: Hypothesis, more: bytes = b"") -> Ending | None:
        """The place behind which the text repeats the right context's next line, or the rest of this one.

        `more` is the text that would follow: the line break at an end, or a token that leaves the scope.
        """
        right = self.right.lstrip()
        for ending in hypothesis.endings[-N_ENDINGS:]:
            if not ending.is_good:
                continue
            rest = hypothesis.text[ending.n_bytes :] + more
            begun = rest.lstrip()
            if begun and (has_line(begun, right) or goes_on_alike(rest, self.right)):
                return ending
        return None

    def said_again(self, hypothesis: Hypothesis) -> Ending | None:
        """The place behind which the text begins like the right context, with its word and the next
        symbols."""
        begun = BEGUN.match(self.right)
        if begun is None:
            return None
        rests = (
            (ending, hypothesis.text[ending.n_bytes :]) for ending in hypothesis.endings if ending.is_good
        )
        return next((ending for ending, rest in rests if rest.startswith(begun[0])), None)


def has_line(begun: bytes, right: bytes) -> bool:
    """Whether a text begins with the first line of the right context; neither begins with white space."""
    line, _, _ = right.partition(b"\n")
    line = line.rstrip()
    if not line or not begun.startswith(line):
        return False
    # `return x` is no repetition of `return x` while `return x + 1` may come of it.
    return begun[len(line) :].lstrip(b" \t\r")[:1] == b"\n"


def goes_on_alike(text: bytes, right: bytes) -> bool:
    """Whether a text goes on like the right context for so long that it is no accident."""
    line, _, _ = right.partition(b"\n")
    shared = line[: n_shared(text, line)]
    return len(shared) >= N_SHARED_BYTES and len(WORD.findall(shared)) >= N_SHARED_WORDS
