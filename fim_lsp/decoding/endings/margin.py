"""The block of a text that begins at the left margin: the block of its first line.

    def total(rows):
    |                       the cursor's column shows no block, so the first line, `return sum(rows)`, does;
    print(total([1]))       a line as far left as the next one is no part of the completion any more

    def total(rows):
        for row in rows:
    |                       this line may be followed by `return n`, which ends the loop
    print(total([1]))

    def double(rows):
        both = rows * 2
    |                       `return both` lacks its blanks: only this block has the name `both`

    def first(rows):
    |                       only a header fits here, such as `for row in rows:`; the text ends behind it,
            return row      as the rest is its body

    def first(rows):
    |                       one header would not do: a line at that column is the body of a second one
                return row

Editors indent a new line, so most of these holes are in data sets, or lines that the user has cut.
"""

from __future__ import annotations

import re
from itertools import pairwise

from fim_lsp.decoding.choices.reachable import next_column
from quotient import Recognizer

LINE_WITH_SYMBOL = re.compile(rb"^([ \t]*)[^\s#]", re.MULTILINE)
LINE_END = re.compile(rb"\r\n|\n|\r")
BLANKS = re.compile(rb"[ \t]*")
DEFINITION = re.compile(rb"[ \t]*(?:async[ \t]+)?(?:def|class)\b")
INDENTATION = 4
# Deeper lines have no row of headers that is tried.
MOST_HEADERS = 20


def is_at_margin(recognizer: Recognizer, above: bytes) -> bool:
    """Whether a hole begins at the left margin, in code and outside brackets."""
    nesting = recognizer.nesting()
    return above[-1:] in (b"\n", b"") and nesting.indentation == 0 and nesting.n_brackets == 0


def begins_outside(recognizer: Recognizer, text: bytes, wanted: bytes, sides: tuple[bytes, bytes]) -> bool:
    """Whether the wanted text begins a line outside the blocks that the hole may end; comments count.

    `recognizer` is behind the text, and `sides` are around the hole.
    """
    first = LINE_WITH_SYMBOL.search(text)
    if first is None or not first[1]:
        return False
    before, line_break, line = wanted.rpartition(b"\n")
    fork = recognizer.fork()
    if line_break and not fork.advance(before + line_break):
        return False
    if fork.nesting().indentation is None:
        return False
    line = line if line_break else text[text.rfind(b"\n") + 1 :] + line
    blanks = BLANKS.match(line)
    assert blanks is not None
    column, inner = width(blanks[0]), width(first[1])
    if not line.strip() or column >= inner:
        return False
    return column not in fork.nesting().columns or column <= outer_column(*sides, inner)


def outer_column(left: bytes, right: bytes, inner: int) -> int:
    """The column whose lines lie outside a hole whose first line stands at `inner`: that of the right
    context's next line or, further right, of the function's header.

    Between both, the hole has the last lines of blocks that it ends.
    """
    behind = LINE_WITH_SYMBOL.search(right)
    outer = 0 if behind is None else width(behind[1])
    for line in reversed(LINE_END.split(left)):
        found = LINE_WITH_SYMBOL.match(line)
        if found is None or width(found[1]) >= inner:
            continue
        inner = width(found[1])
        if inner <= outer or DEFINITION.match(line):
            break
    return max(outer, inner)


def lacks_blanks(start: Recognizer, text: bytes, wanted: bytes) -> bool:
    """Whether the wanted text fits only if the text's one line is indented like an open block.

    `start` is at the hole's beginning. So the line's names are right, and its column is wrong.
    """
    if b"\n" in text or text[:1].isspace() or not text:
        return False
    rest, line_break, _ = wanted.partition(b"\n")
    line = text + rest + line_break
    columns = start.nesting().columns
    return any(start.fork().advance(b" " * column + line) for column in columns if column)


def headers_at(columns: range, last: bytes) -> bytes:
    """A row of headers, each in the one before it. The right context may go on with any of them."""
    words = [b"if 1:\n"] * (len(columns) - 1) + [last]
    return b"".join(b" " * column + word for column, word in zip(columns, words, strict=False))


def width(blanks: bytes) -> int:
    return len(blanks.expandtabs())


def header_column(recognizer: Recognizer, right: bytes) -> int:
    """The least column of a header whose body begins with the right context's next line.

    `recognizer` is at the hole's beginning; its open blocks show by how much lines are indented.
    """
    body = next_column(right)
    return 0 if body is None else max(0, body - indentation(recognizer.nesting().columns))


def indentation(columns: list[int]) -> int:
    """The columns by which lines are indented, as the columns of open blocks show."""
    return min((inner - outer for outer, inner in pairwise(columns)), default=INDENTATION)


def usual_lines(recognizer: Recognizer, right: bytes) -> list[bytes]:
    """Lines of which one fits if whole lines fit in front of the right context at all.

    In front of `, b)` none of them does.
    """
    first = BLANKS.match(right)
    assert first is not None
    n_blanks = width(first[0])
    open_columns = recognizer.nesting().columns
    columns = {n_blanks, open_columns[-1] + 1}
    step = indentation(open_columns)
    rows = [
        headers_at(range(column, n_blanks, step)[:MOST_HEADERS], last)
        for column in (open_columns[-1], open_columns[-1] + step)
        for last in (b"if 1:\n", b"try:\n")
    ]
    lines = (b" " * column + b"pass\n" for column in columns)
    return [b"", *lines, b" " * max(0, n_blanks - 1) + b"if 1:\n", *rows]
