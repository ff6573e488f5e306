'''The body of a function that has only a docstring so far: a text behind it begins inside.

def area(side):
    """Area of a square."""
|                              `return side ** 2`, and not the next function
'''

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from textwrap import dedent
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.texts.hypothesis import Hypothesis

HEADER = re.compile(r"^([ \t]*)(?:async[ \t]+)?def[ \t]", re.MULTILINE)
# Two blank lines would be in front of the next function.
DOCSTRING_END = re.compile(r"[\"'][ \t]*\n(?:[ \t]*\n)?\Z")
N_BLANKS = 200
# The last headers that are looked at: a docstring may show others.
N_HEADERS = 3


@dataclass(frozen=True, slots=True)
class UnwrittenBody(Constraint):
    """The first symbol must stand further right than the function's header, at `column`."""

    why: ClassVar[str] = "layout"
    column: int

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        for line in (hypothesis.text + text).expandtabs().split(b"\n"):
            code = line.lstrip()
            if code and not code.startswith(b"#"):
                return len(line) - len(code) > self.column
        return True


def unwritten_body(left: str) -> UnwrittenBody | None:
    """The constraint of a hole at the left margin, at most one blank line behind a function's docstring."""
    if DOCSTRING_END.search(left[-N_BLANKS:]) is None:
        return None
    for header in list(HEADER.finditer(left))[: -N_HEADERS - 1 : -1]:
        if has_only_docstring(dedent(left[header.start() :])):
            return UnwrittenBody(len(header[1].expandtabs()))
    return None


def has_only_docstring(function: str) -> bool:
    try:
        statements = ast.parse(function).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    match statements:
        case [ast.FunctionDef(body=[ast.Expr(ast.Constant(str()))])]:
            return True
        case [ast.AsyncFunctionDef(body=[ast.Expr(ast.Constant(str()))])]:
            return True
    return False
