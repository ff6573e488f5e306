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
from fim_lsp.decoding.choices.enclosure import Enclosure
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.known_languages import GO, KnownLanguage
from fim_lsp.positions import last_line
from fim_lsp.recognizers import is_code
from quotient import Recognizer

LEAVING = re.compile(rb"([ \t]*)(?:return|raise|break|continue)(?!\w)")
NEXT_LINE = re.compile(rb"^([ \t]*)(\w+|[^\s#])", re.MULTILINE)
# These go on with a statement or a bracket further up.
BRANCHES = (b"else", b"elif", b"except", b"finally", b"case", b")", b"]", b"}")
LEAVING_WORD = re.compile(rb"(?<![\w$.])(?:return|throw|break|continue|goto)(?![\w$])")
WORD_AT_END = re.compile(rb"[\w$]*\Z")
# The characters of the left context that show where a statement begins.
N_BEFORE = 200
# The next statement in a language with braces, behind comments. Functions are known in front of their place.
# A comment's end is at one place alone, or many comments would be tried in all groupings.
STATEMENT = re.compile(rb"(?:\s|//[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*([^\s)\]},;:/][\w$]*)")
NOT_NEXT = (b"case", b"default", b"else", b"catch", b"finally", b"function", b"async")
# Signs behind which a statement begins, and in Go those that a line break ends a statement behind.
BEHIND = b";{}"
BEHIND_IN_GO = re.compile(rb"[\w)\]\"'`;{}]\s*\n\s*\Z")


@dataclass(frozen=True, slots=True)
class ReachableByColumn(Constraint):
    """No line at `column` leaves the block whose next line stands right of the hole."""

    why: ClassVar[str] = "reachable"
    ends_text: ClassVar[bool] = True
    is_of_column: ClassVar[bool] = True
    column: int
    # The blanks of the cursor's line; None if a statement has begun there.
    blanks: bytes | None

    @classmethod
    def around(cls, recognizer: Recognizer, left: str, right: bytes) -> ReachableByColumn | None:
        """The constraint of a hole in a block that goes on behind it; None if none does."""
        if recognizer.nesting().n_brackets:
            return None
        begun = last_line(left).encode(errors="replace")
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
        return bool(before and not fork.advance(before)) or fork.nesting().indentation is None

    def is_leaving(self, line: bytes) -> bool:
        found = LEAVING.match(line)
        return found is not None and len(found[1].expandtabs()) == self.column


@dataclass(frozen=True, slots=True)
class ReachableInBraces(Constraint):
    """No statement leaves the block whose next statement stands right of the hole."""

    why: ClassVar[str] = "reachable"
    ends_text: ClassVar[bool] = True
    enclosure: Enclosure
    # The left context's end.
    before: bytes
    is_go: bool

    @classmethod
    def around(
        cls, enclosure: Enclosure | None, language: KnownLanguage, left: str, right: bytes
    ) -> ReachableInBraces | None:
        """The constraint of a hole in a block that goes on behind it; None if none does."""
        begun = last_line(left)
        line, _, lines = right.partition(b"\n")
        if enclosure is None or not enclosure.has_blocks or (line.strip() and begun):
            return None
        found = STATEMENT.match(right if line.strip() else lines)
        if found is None or found[1] in NOT_NEXT:
            return None
        return cls(enclosure, left[-N_BEFORE:].encode(errors="replace"), language is GO)

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        word = WORD_AT_END.search(hypothesis.text)
        assert word is not None
        written, begun = hypothesis.text[: word.start()], word[0] + text
        return not any(
            self.is_leaving(written + begun[: found.start()]) for found in LEAVING_WORD.finditer(begun)
        )

    def is_leaving(self, written: bytes) -> bool:
        """Whether a statement of the cursor's block begins behind a text."""
        before = self.before + written
        begins = before.rstrip()[-1:] in BEHIND or (self.is_go and BEHIND_IN_GO.search(before) is not None)
        if not before.strip() or not begins or self.enclosure.depth(written):
            return False
        fork = self.enclosure.start.fork()
        return fork.advance(written) and is_code(fork)


def next_column(lines: bytes) -> int | None:
    """The column of the next statement; None at the end, or if that goes on with one further up."""
    found = NEXT_LINE.search(lines)
    return None if found is None or found[2] in BRANCHES else len(found[1].expandtabs())
