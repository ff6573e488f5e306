"""Whether lines that were moved have left the cursor's block, for Python: among columns that are as good
otherwise, those inside of it are meant.

class A:                          class A:
    def f(self):                      def f(self):
        |a = 1                            |a = 1
    return a    no function is here       return a
"""

from __future__ import annotations

import re

from fim_lsp.document.code_lines import CodeLine, column_of, indentation
from fim_lsp.fitting.nearest import MAX_INDENTATION
from fim_lsp.positions import LINE_END, last_line

HEAD = re.compile(r"\s*(?:async\s+)?def\b")
LEAVES = re.compile(r"\s*(?:return|yield)\b")
# How many characters in front of the cursor may hold the functions around it.
MAX_AROUND = 20_000


def leaves_block(left: str, text: str, moved: str) -> bool:
    """Whether a text whose lines were moved returns outside of all functions, or goes on further outside than
    it began, although its writer let it begin in the column of all its lines."""
    return returns_outside(left, moved) or has_left_its_column(left, text, moved)


def returns_outside(left: str, text: str) -> bool:
    lines = LINE_END.split(text)
    lines[0] = last_line(left[-MAX_AROUND:]) + lines[0]
    functions = columns_of_functions(left, column_of(lines[0]) if lines[0].strip() else None)
    for line in lines:
        if CodeLine(line).is_blank:
            continue
        column = column_of(line)
        functions = [function for function in functions if function < column]
        if HEAD.match(line):
            functions.append(column)
        elif LEAVES.match(line) and not functions:
            return True
    return False


def columns_of_functions(left: str, column: int | None) -> list[int]:
    """The columns of the functions around a line that follows, the outermost first."""
    functions: list[int] = []
    for line in reversed(LINE_END.split(left[-MAX_AROUND:])[:-1]):
        if CodeLine(line).is_blank:
            continue
        here = column_of(line)
        if column is None or here < column:
            column = here
            if HEAD.match(line):
                functions.append(here)
        if not column:
            break
    return functions[::-1]


def has_left_its_column(left: str, text: str, moved: str) -> bool:
    first, *others = written_columns(text)
    if not indentation(text) or any(column < first for column in others):
        return False
    begun = last_line(left[-MAX_INDENTATION:])
    first, *others = written_columns((begun if begun.isspace() else "") + moved)
    return any(column < first for column in others)


def written_columns(text: str) -> list[int]:
    """The columns of the lines that hold code."""
    return [column_of(line) for line in LINE_END.split(text) if not CodeLine(line).is_blank] or [0]
