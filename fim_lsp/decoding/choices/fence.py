"""The fence of the scope: a completion does not leave its scope, although the grammar would allow it.

    print(total(a$0), b)        `c) + max(` fits here, too, but leaves the cursor's bracket.

The grammar of a hole does not know the cursor's bracket, but the lexer does: it counts open brackets and
suites exactly, strings and f-strings included. A scope is a lower bound on both counts. A token that would
fall below the bound is refused like one that does not parse.

The right context may require a text to leave the scope: behind `try:` and a body, only an `except` further
left fits. So the bound is lowered to what the shortest text that fits must leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.choices.enclosure import Enclosure
from fim_lsp.decoding.options import Scope
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.recognizers import fits, is_code
from quotient import Recognizer

# The counts can fall only behind these bytes; a quote may end an f-string.
PIECE = re.compile(rb"[^\n\r)\]}\"']*[\n\r)\]}\"']|[^\n\r)\]}\"']+")
CAN_FALL = re.compile(rb"[\n\r)\]}\"']")
BLANK_LINE = re.compile(rb"\n[ \t]*\r?\n")
N_BLANKS = 80
LINE_BREAK = re.compile(rb"[\n\r]")
# A brace behind anything else begins a value.
BLOCK = re.compile(rb"(?:[\w)\]>]|=>)\s*\{\Z")
CARRIAGE_RETURNS = re.compile(rb"\r\n?")
# A line with a symbol: neither blank, nor a comment, nor joined to the next one.
STATEMENT = re.compile(rb"^[ \t\f]*[^\s#\\]", re.MULTILINE)
LINE_WITH_SYMBOL = re.compile(rb"^([ \t]*)(?=[^\s#])(@|(?:async[ \t]+)?def\b|class\b)?", re.MULTILINE)
# The cursor's line has no rest, and the next one is blank.
BLANK_LINE_FIRST = re.compile(rb"[ \t]*\r?\n[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Fence(Constraint):
    """The least number of open brackets and suites.

    `is_one_statement`: no second statement may begin; `is_one_line`: no second line, except the body of a
    block whose header cannot stand alone. `has_begun`: the cursor stands behind the first symbol of its
    statement.
    """

    why: ClassVar[str] = "scope"
    is_of_column: ClassVar[bool] = True
    n_brackets: int
    n_suites: int
    is_one_statement: bool
    is_one_line: bool
    has_begun: bool
    # Whether the cursor stands in a bracket.
    is_in_bracket: bool = False
    # The number of suites that the cursor's column shows, if the right context's next line shows more.
    n_shown: int | None = None
    # The enclosure, for languages in which the engine counts nothing, and the beginning of the cursor's line.
    enclosure: Enclosure | None = None
    begun: bytes = b""

    @classmethod
    def around(cls, recognizer: Recognizer, scope: Scope, multi_line: bool, right: bytes = b"") -> Fence:
        """The fence of a scope at a hole's beginning, as narrow as the shortest text that fits allows.

        At the left margin the cursor's column shows no block, so the right context's next line does, if one
        of the open blocks surely goes on there.
        """
        nesting = recognizer.nesting()
        columns, indentation = nesting.columns, nesting.indentation
        is_in_line = indentation is None
        n_suites = len(columns) if indentation is None else suites_at(recognizer, columns, indentation)
        n_shown = n_suites
        if indentation == 0 and (behind := column_behind(right)) in columns:
            n_suites = max(n_suites, columns.index(behind) + 1)
        wanted = cls(
            n_brackets=0 if scope == "free" else nesting.n_brackets,
            n_suites=n_suites if scope in ("statement", "block") else 0,
            is_one_statement=scope == "statement",
            is_one_line=not multi_line,
            has_begun=is_in_line,
            is_in_bracket=scope != "free" and nesting.n_brackets > 0,
        )
        if scope in ("statement", "block") and n_suites > n_shown:
            wanted = replace(wanted, n_shown=n_shown)
        return wanted.lowered_fence(recognizer, recognizer.witness_bytes())

    def around_braces(self, recognizer: Recognizer, scope: Scope, left: str, right: bytes) -> Fence:
        """The fence around a cursor in languages with braces."""
        if scope == "free":
            return self
        enclosure = Enclosure.around(recognizer, left, right, has_blocks=scope != "bracket")
        return replace(
            self, enclosure=enclosure, begun=re.split(r"[\n\r]", left)[-1].encode(errors="replace")
        )

    def lowered_fence(self, recognizer: Recognizer, text: bytes) -> Fence:
        """The fence, lowered to the scopes that a text keeps."""
        found = list(places(recognizer, text, self.has_begun))
        return replace(
            self,
            n_brackets=min([self.n_brackets, *(place.n_brackets for place in found)]),
            n_suites=min([self.n_suites, *(place.n_suites for place in found if place.n_suites is not None)]),
            is_one_statement=self.is_one_statement and not any(place.is_next_line for place in found),
            is_one_line=self.is_one_line and not LINE_BREAK.search(text),
            is_in_bracket=self.is_in_bracket
            and not any(place.n_brackets < self.n_brackets for place in found),
        )

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether `text` behind the written one stays inside."""
        recognizer, written = hypothesis.recognizer, hypothesis.text
        assert recognizer is not None
        if self.is_one_line and self.enclosure is not None:
            if not is_block_of_one_line(recognizer, written, text, self.begun):
                return False
        elif self.is_one_line and LINE_BREAK.search(text) and not begins_body(recognizer, written, text):
            return False
        if self.enclosure is not None and not self.enclosure.allows(written, text):
            return False
        if self.is_bracket_done(recognizer, written, text):
            return False
        if not CAN_FALL.search(text) and recognizer.nesting().indentation is None:
            return True
        has_begun = self.has_begun or STATEMENT.search(written) is not None
        return all(self.encloses(place) for place in places(recognizer, text, has_begun))

    def is_misplaced(self, written: bytes) -> bool:
        """Whether nothing but blanks is written at the left margin of a block: a symbol further left does not
        show that the model is done with the block, as it was not told where the block stands."""
        return self.n_shown is not None and self.n_shown < self.n_suites and not written.strip()

    def inner_beginning(self, hypothesis: Hypothesis, text: bytes) -> bytes:
        """The longest beginning of a text that stays inside, and that a text may end with."""
        assert hypothesis.recognizer is not None
        for length in range(len(text) - 1, 0, -1):
            kept = text[:length]
            if self.allows(hypothesis, kept) and fits(hypothesis.recognizer, kept):
                return kept
        return b""

    def is_bracket_done(self, recognizer: Recognizer, written: bytes, text: bytes) -> bool:
        """Whether a blank line shows that the model believes the cursor's bracket to be closed.

        print(|)        total\n\n\n@property        fits as a product of matrices
        """
        blank = BLANK_LINE.search(written[-N_BLANKS:] + text) if LINE_BREAK.search(text) else None
        if blank is None or not self.is_in_bracket or recognizer.nesting().n_brackets > self.n_brackets:
            return False
        fork = recognizer.fork()
        return fork.advance(LINE_BREAK.split(text)[0]) and is_code(fork)

    def encloses(self, place: NestingDepths) -> bool:
        if place.n_brackets < self.n_brackets:
            return False
        if place.n_suites is None:
            return True
        is_second = self.is_one_statement and place.is_next_line and place.n_suites <= self.n_suites
        return place.n_suites >= self.n_suites and not is_second


def column_behind(right: bytes) -> int:
    """The column of the right context's next line, if it is a definition or behind a blank line; 0 for other
    lines, which may be the body of a header that is missing."""
    line, _, lines = right.partition(b"\n")
    found = LINE_WITH_SYMBOL.search(lines if not line.strip() else right)
    if found is None or not (found[2] or BLANK_LINE_FIRST.match(right)):
        return 0
    return len(found[1].expandtabs())


def begins_body(recognizer: Recognizer, written: bytes, text: bytes) -> bool:
    """Whether a text breaks the line once, behind a block's header that needs a body.

    for order in orders:|     its own line has room only for junk: `for order in orders: 1`
    """
    line, line_break, rest = CARRIAGE_RETURNS.sub(b"\n", text).partition(b"\n")
    if b"\n" in rest or not line_break or not (written + line).rstrip(b" \t").endswith(b":"):
        return False
    fork = recognizer.fork()
    return fork.advance(line) and fork.nesting().n_brackets == 0 and not fork.is_member()


def is_block_of_one_line(recognizer: Recognizer, written: bytes, text: bytes, begun: bytes = b"") -> bool:
    """Whether a text has no line break, or is a block of one line with its braces.
    `begun` is the beginning of its line.

    if (limit) {            one line has room only for `if (limit) {}`
      return limit;
    }
    """
    first, *others = CARRIAGE_RETURNS.sub(b"\n", written + text).split(b"\n")
    if not others:
        return True
    if len(others) > 2 or not BLOCK.search((begun + first).rstrip(b" \t")):
        return False
    if len(others) == 2 and others[1].strip()[:1] not in (b"", b"}"):
        return False
    if LINE_BREAK.search(written):
        return True
    fork = recognizer.fork()
    return fork.advance(LINE_BREAK.split(text, maxsplit=1)[0]) and is_code(fork) and not fork.is_member()


@dataclass(frozen=True, slots=True)
class NestingDepths:
    """The counts at a place in a text.

    `n_suites` is None in a line's white space, since its first symbol decides. `is_next_line`: its line
    begins in the text and is not the first one.
    """

    n_brackets: int
    n_suites: int | None
    is_next_line: bool


def places(recognizer: Recognizer, text: bytes, has_begun: bool) -> Iterator[NestingDepths]:
    """Every place in a text at which the counts may have fallen, and its end."""
    fork = recognizer.fork()
    was_line_start = fork.nesting().indentation is not None
    for piece in PIECE.findall(text):
        if not fork.advance(piece):
            return
        nesting = fork.nesting()
        is_line_start = nesting.indentation is not None
        # A symbol that ends with its line, such as `pass` + LF, began in front of the piece's end.
        has_symbol = was_line_start and STATEMENT.search(piece) is not None
        n_suites = len(nesting.columns) if has_symbol or not is_line_start else None
        yield NestingDepths(nesting.n_brackets, n_suites, has_begun and has_symbol)
        has_begun = has_begun or has_symbol
        was_line_start = is_line_start


def suites_at(recognizer: Recognizer, columns: list[int], indentation: int) -> int:
    """The number of suites that continue or begin in a line with only white space so far."""
    n_open = sum(column <= indentation for column in columns)
    if indentation < columns[-1]:
        return n_open
    # Behind `if a:` the suite is the new block.
    here, deeper = recognizer.fork(), recognizer.fork()
    if indentation > columns[-1]:
        return n_open + here.advance(b"pass")
    return n_open + (not here.advance(b"pass") and deeper.advance(b" pass"))
