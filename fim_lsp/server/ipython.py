"""IPython's commands in a notebook's cell, and the Python text that replaces them for the engine.

A logical line is a command if it begins with `%`, `!`, `?`, `,`, `;` or `/`, or ends with `?`; behind `name
=` a text that begins with `%` or `!` is one. A statement of the same length replaces it, so that all offsets
stay the same:

    if is_slow:                 if is_slow:
        %time load()                pass# load()
    files = !ls                 files = 0;#

A `0` alone would also parse inside a bracket, where IPython has no commands. A cell whose first line is
`%%name` is Python only for some names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from fim_lsp.positions import LINE_END

# The cell magics of IPython whose body runs as Python.
PYTHON_MAGICS = frozenset(
    {"capture", "debug", "prun", "pypy", "python", "python3", "time", "timeit", "memit", "mprun", "snakeviz"}
)
CELL_MAGIC = re.compile(r"\s*%%(\w*)[^\r\n]*")
# The beginning of a command. `!=` and `/` between operands can begin only a continued line.
COMMAND = re.compile(r"[ \t\f]*(?P<command>[%!?,;/])")
ASSIGNED = re.compile(r"[ \t\f]*[^\s=%!?,;/#][^=#\r\n]*=[ \t]*(?P<command>%(?=[^\W\d])|![ \t]*[^\s=])")
# Inside a bracket these are commands only if the user forgot to close the bracket.
UNMISTAKABLE = re.compile(r"[ \t\f]*(?P<command>%%?(?=[^\W\d])|!(?=[^=\s]))")
# The object of help: a name, an attribute, an item or a pattern, without the comment behind.
HELP = re.compile(r"[\w*\]]\?\??[ \t\f]*(?:#[^\r\n]*)?[\r\n]*\Z")
TO_THE_END = re.compile(r"(?:[^\r\n\\]|\\(?:\r\n|[\r\n])|\\)*")
PIECE = re.compile(
    r"""
    (?P<string> \"{3}(?:\\.|(?!\"{3}).)*(?:\"{3}|\Z) | '{3}(?:\\.|(?!'{3}).)*(?:'{3}|\Z)
              | "(?:\\(?:\r\n|.)|[^"\\\r\n])*"? | '(?:\\(?:\r\n|.)|[^'\\\r\n])*'? )
    | (?P<comment> \#[^\r\n]* )
    | (?P<joined> \\(?:\r\n|[\r\n]) )
    | (?P<end> \r\n|[\r\n] )
    | (?P<blank> [ \t\f]+ )
    | (?P<code> [^\s"'\#\\()\[\]{}]+ | . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class MaskedCell:
    """A cell's text with its commands replaced, their spans, and the name of a cell magic whose body is not
    Python (empty otherwise)."""

    text: str
    commands: tuple[tuple[int, int], ...] = ()
    foreign: str = ""

    def is_command(self, offset: int) -> bool:
        """Whether an offset is in a line with a command. Text in front of a command makes it none."""
        return any(line_start(self.text, start) <= offset <= stop for start, stop in self.commands)

    @property
    def python(self) -> str:
        """The text without the lines of its commands."""
        if self.foreign:
            return ""
        kept, at = [], 0
        for start, stop in self.commands:
            if is_whole_line(self.text, start):
                kept.append(self.text[at:start].rstrip(" \t\f"))
                at = stop
        return "".join([*kept, self.text[at:]])


def is_whole_line(text: str, start: int) -> bool:
    """Whether only white space is in front of an offset in its line."""
    return not text[line_start(text, start) : start].strip()


def line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


@lru_cache(maxsize=64)
def set_aside(text: str) -> MaskedCell:
    """A cell with its commands replaced."""
    magic = CELL_MAGIC.match(text)
    begin = 0
    found: list[tuple[int, int]] = []
    if magic is not None:
        if magic[1] not in PYTHON_MAGICS:
            return MaskedCell(text, ((0, len(text)),), magic[1] or "%%")
        found.append((text.index("%%"), magic.end()))
        begin = magic.end()
    found.extend(commands(text, begin))
    return MaskedCell(replaced_spans(text, found), tuple(found))


def commands(text: str, at: int) -> Iterator[tuple[int, int]]:
    """The spans of commands from the beginning of a logical line on."""
    while at < len(text):
        command = COMMAND.match(text, at) or ASSIGNED.match(text, at)
        if command is not None:
            at = command_end(text, command.start("command"))
            yield command.start("command"), at
            continue
        begin, (at, is_question) = at, logical_line(text, at)
        if is_question:
            start = begin + len(text[begin:at]) - len(text[begin:at].lstrip())
            yield start, begin + len(text[begin:at].rstrip())


def command_end(text: str, start: int) -> int:
    """The end of a command, which is its line's end unless the line is continued."""
    found = TO_THE_END.match(text, start)
    assert found is not None, "it matches the empty text"
    return found.end()


def logical_line(text: str, begin: int) -> tuple[int, bool]:
    """The end of the logical line that begins at an offset, and whether it ends with a question mark."""
    n_open, at, last = 0, begin, ""
    while (piece := PIECE.match(text, at)) is not None:
        at = piece.end()
        match piece.lastgroup:
            case "end" if n_open == 0:
                break
            case "end" if is_forgotten(text, begin, at):
                return at, False
            case "code" if piece[0] in "([{":
                n_open += 1
            case "code" if piece[0] in ")]}":
                n_open = max(n_open - 1, 0)
        if piece.lastgroup in ("string", "code", "joined"):
            last = piece[0] if piece.lastgroup == "code" else ""
    is_question = last.endswith("?") and HELP.search(text[begin:at]) is not None
    return at, is_question and n_open == 0 and len(lines_of(text[begin:at].strip())) == 1


def is_forgotten(text: str, begin: int, at: int) -> bool:
    """Whether a line inside a bracket is a command after a forgotten closer: it looks like one, and is not
    indented deeper than the line of the open bracket."""
    command = UNMISTAKABLE.match(text, at)
    if command is None:
        return False
    line = text[begin:at]
    column = len(line) - len(line.lstrip(" \t\f"))
    return command.start("command") - at <= column


def replaced_spans(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with each span replaced by a text of its length that parses."""
    pieces, at = [], 0
    for start, stop in spans:
        pieces += [text[at:start], stand_in(text[start:stop], is_whole_line(text, start))]
        at = stop
    return "".join([*pieces, text[at:]])


def stand_in(command: str, is_line: bool) -> str:
    first, *others = lines_of(command)
    body = first.rstrip("\r\n")
    word = "pass" if is_line and len(body) >= len("pass") else "0;"
    put = (word + "#")[: len(body)] + body[len(word) + 1 :]
    # Continued lines of a command become comments.
    rest = ["#" + line[1:] if line.strip("\r\n") else line for line in others]
    return "".join([put, first[len(body) :], *rest])


def lines_of(text: str) -> list[str]:
    """The lines with their ends, split as in LSP and Python."""
    starts = [0, *(found.end() for found in LINE_END.finditer(text))]
    return [text[start:stop] for start, stop in pairwise([*starts, len(text)])]
