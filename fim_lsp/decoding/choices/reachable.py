"""The lines behind the hole: they stay reachable.

def area(side):
    |                       no `return side ** 2` here, since the next line would never run
    squared = side ** 2
    return squared
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from quotient import Recognizer

LEAVING = re.compile(rb"([ \t]*)(?:return|raise|break|continue)(?!\w)")
FIRST_LINE = re.compile(rb"([ \t]*)(?:(\w+)|([^\s#)\]}]))")
# These go on with a statement further up.
BRANCHES = (b"else", b"elif", b"except", b"finally", b"case")


@dataclass(frozen=True, slots=True)
class Reachable(Constraint):
    """No line at `column` leaves the block whose next line stands right of the hole."""

    why: ClassVar[str] = "reachable"
    column: int
    # The blanks of the cursor's line; None if a statement has begun there.
    blanks: bytes | None

    @classmethod
    def around(cls, recognizer: Recognizer, left: str, right: bytes) -> Reachable | None:
        """The constraint of a hole in a block that goes on behind it; None if none does."""
        if recognizer.nesting()[0]:
            return None
        begun = re.split(r"[\n\r]", left)[-1].encode(errors="replace")
        is_blank = not begun.strip()
        line, _, lines = right.partition(b"\n")
        if line.strip():
            # The rest of the cursor's line is the next line only where whole lines are written.
            if begun:
                return None
            lines = right
        column = next_column(lines)
        return None if column is None else cls(column, begun if is_blank else None)

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        recognizer = hypothesis.recognizer
        assert recognizer is not None
        written = hypothesis.text
        start = written.rfind(b"\n") + 1
        lines = (written[start:] + text).split(b"\n")
        if not start:
            lines[0] = b"" if self.blanks is None else self.blanks + lines[0]
        if not any(self.is_leaving(line) for line in lines):
            return True
        # Lines in brackets and strings leave nothing.
        fork = recognizer.fork()
        before = text[: len(text) - len(lines[-1])] if len(lines) > 1 else b""
        return bool(before and not fork.advance(before)) or fork.nesting()[2] is None

    def is_leaving(self, line: bytes) -> bool:
        found = LEAVING.match(line)
        return found is not None and len(found[1].expandtabs()) == self.column


def next_column(lines: bytes) -> int | None:
    """The column of the next statement; None at the end, or if that goes on with one further up."""
    for line in lines.splitlines():
        found = FIRST_LINE.match(line)
        if found is not None:
            return None if found[2] in BRANCHES else len(found[1].expandtabs())
        if line.strip() and not line.lstrip().startswith(b"#"):
            return None
    return None
