"""The layout of the cursor's line: it refuses completions that no programmer would type there.

    def area(r):
        |                  the cursor stands where the statement begins: no more white space, no line break
    except Error|:         no comment, which would swallow the colon
    return |               no letters beyond ASCII in code if the file has none: the law of names cannot
                           refuse such names, so it would drive a model to them
    g();
    |                      no fence of three backticks, with which chat models end their code; JavaScript
                           reads it as a string that is called on a string

The engine allows all of this, since it fits. The layout refuses it as the fence does, and gives way if
nothing else fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.positions import last_line
from fim_lsp.recognizers import is_code
from quotient import Recognizer

BLANKS = b" \t\f"
REST = re.compile(rb"[^\n\r]*")
FENCE = re.compile(rb"\s*``")
# A letter beyond ASCII, in comments, too.
LETTER = re.compile(r"[^\W\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Layout(Constraint):
    """The layout of the cursor's line around the written text.

    `is_blank`: only white space, or nothing, stands left of the cursor. `is_placed`: there is white space,
    and a statement may begin behind it. `has_rest`: text stands right of the cursor. `takes_lines`: only
    whole lines are written in front of it. `is_one_line`: no line break may be written. `is_ascii`: all names
    of the file are ASCII.
    """

    why: ClassVar[str] = "layout"
    is_blank: bool
    is_placed: bool
    has_rest: bool
    is_one_line: bool
    is_ascii: bool = False
    # The sign of line comments; empty if there is none.
    comment: bytes = b"#"
    # Whether the cursor stands behind a statement or a brace of its line.
    is_behind_end: bool = False
    takes_lines: bool = False

    @classmethod
    def around(
        cls,
        recognizer: Recognizer,
        left: str,
        right: bytes,
        multi_line: bool,
        comment: bytes = b"#",
        takes_lines: bool = False,
    ) -> Layout:
        line = last_line(left)
        is_blank = not line.strip(" \t\f") and is_code(recognizer)
        rest = REST.match(right)
        assert rest is not None
        return cls(
            is_blank=is_blank,
            is_placed=is_blank and bool(line) and not has_to_be_deeper(recognizer),
            has_rest=bool(rest[0].strip()),
            is_one_line=not multi_line,
            is_ascii=is_ascii(left) and (right.isascii() or is_ascii(right.decode(errors="ignore"))),
            comment=comment,
            is_behind_end=line.rstrip().endswith((";", "{", "}")),
            takes_lines=takes_lines,
        )

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether `text` may follow the written one."""
        recognizer = hypothesis.recognizer
        assert recognizer is not None
        if not hypothesis.text and not self.may_begin(text):
            return False
        if self.begins_fence(hypothesis, text):
            return False
        if self.is_ascii and not text.isascii() and is_in_code(recognizer, text):
            return False
        return not self.comment or self.comment not in text or self.is_good_comment(recognizer, text)

    def may_begin(self, text: bytes) -> bool:
        if self.is_placed and text[:1] in (b" ", b"\t", b"\f"):
            return False
        is_break = text.lstrip(BLANKS)[:1] in (b"\n", b"\r")
        return not (is_break and self.is_blank and (self.is_placed or self.has_rest or self.is_one_line))

    def begins_fence(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether a text begins a line of code with two backticks or more, or with one that is no code."""
        recognizer = hypothesis.recognizer
        is_first = self.is_behind_end and not hypothesis.text.strip()
        if b"`" not in text or recognizer is None or not (is_first or self.is_at_line_start(hypothesis.text)):
            return False
        is_no_code = text.lstrip()[:1] == b"`" and not recognizer.fork().advance(b"`")
        return (is_no_code or FENCE.match(text) is not None) and is_code(recognizer)

    def is_at_line_start(self, written: bytes) -> bool:
        _, line_break, line = written.rpartition(b"\n")
        return not line.strip() and (bool(line_break) or self.is_blank)

    def is_good_comment(self, recognizer: Recognizer, text: bytes) -> bool:
        """Whether a text begins no comment that swallows the rest of the line or leads to a dead end."""
        place = len(text) - len(text.rsplit(b"\n", 1)[-1])
        while (place := text.find(self.comment, place)) >= 0:
            fork = recognizer.fork()
            if fork.advance(text[:place]) and is_code(fork):
                is_dead_end = self.is_one_line and fork.advance(self.comment) and not fork.is_member()
                # A comment among whole lines ends with its line, and swallows nothing.
                return (self.takes_lines or not self.has_rest) and not is_dead_end
            place += 1
        return True


@dataclass(frozen=True, slots=True)
class TrailingComment(Constraint):
    """A text of one line ends in front of a comment that the model adds to it: the comment would be taken off
    again, and its words cost time and make the text look improbable."""

    why: ClassVar[str] = "layout"
    ends_text: ClassVar[bool] = True
    comment: bytes

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether a text does not begin with a comment behind written code."""
        if not text.lstrip(BLANKS).startswith(self.comment) or not hypothesis.text.strip():
            return True
        assert hypothesis.recognizer is not None
        return not is_code(hypothesis.recognizer)


def is_ascii(context: str) -> bool:
    """Whether no name of a context has letters beyond ASCII."""
    return context.isascii() or LETTER.search(context) is None


def is_in_code(recognizer: Recognizer, text: bytes) -> bool:
    """Whether the first letter beyond ASCII in a text stands in code."""
    place = next(index for index, byte in enumerate(text) if byte > 0x7F)
    fork = recognizer.fork()
    return fork.advance(text[:place]) and is_code(fork)


def has_to_be_deeper(recognizer: Recognizer) -> bool:
    """Whether the line belongs to a block and is not indented enough yet."""
    here, deeper = recognizer.fork(), recognizer.fork()
    if recognizer.nesting().indentation is None:
        return False
    return not here.advance(b"pass") and deeper.advance(b" pass")
