"""Lark's `Indenter` as the engine's layout: line breaks, suites and brackets as in Python.

An indenter is code, but its fields describe it. If the grammar agrees with our layout (white space, comments
and joined lines are ignored, brackets are the usual ones), the indenter's terminals become the layout's. Any
other grammar is refused with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark.indenter import Indenter
from lark.load_grammar import _TERMINAL_NAMES

from quotient.compiler.faults import GrammarFault
from quotient.compiler.narrowing import without_never
from quotient.compiler.rules import Body, replace_symbols
from quotient.lark_meaning.order import LarkTerminal

BRACKETS = {"(": ")", "[": "]", "{": "}"}
# Texts that the layout ignores: white space in a line, a comment, a joined line.
PASSED_OVER = (" ", "\t", " \t ", "\f", "# a", "\\\n", "\\ \n")
BLANK_LINES = ("\n", "\n\n", "\n    ", "\n  \n\t")
# The difference that always remains.
DIFFERENT = (
    "lines are read as Python's: a last line needs no line break, the first one is not indented, blank lines"
    " are none, and a tab is no number of spaces"
)


def layout_faults(
    indenter: Indenter, lark: dict[str, LarkTerminal], ignored: list[str]
) -> Iterator[GrammarFault]:
    """The differences between our layout and the indenter."""
    for name in ("process", "_process", "handle_NL"):
        if getattr(type(indenter), name) is not getattr(Indenter, name):
            yield GrammarFault(f"{type(indenter).__name__}.{name} is code of its own, which cannot be read")
    pairs = [(indenter.OPEN_PAREN_types, [*BRACKETS]), (indenter.CLOSE_PAREN_types, [*BRACKETS.values()])]
    for names, brackets in pairs:
        counted = {_text(name, lark) for name in names}
        for name, terminal in lark.items():
            is_counted = terminal.pattern.value in counted
            if terminal.pattern.value in brackets and not is_counted:
                yield GrammarFault(
                    f"the indenter does not count {name}, which is a bracket to Python's layout"
                )
        for text in sorted(counted - {*brackets}):
            yield GrammarFault(f"the indenter counts {text}, which is no bracket to Python's layout")
    newline = lark.get(indenter.NL_type)
    if newline is None or not all(newline.expression.fullmatch(text) for text in BLANK_LINES):
        yield GrammarFault(f"{indenter.NL_type} does not match line breaks as Python's layout does")
    for name in ignored:
        if not any(lark[name].expression.fullmatch(text) for text in PASSED_OVER):
            yield GrammarFault(f"{name} is ignored, which Python's layout does not do")


def _text(name: str, lark: dict[str, LarkTerminal]) -> str:
    """The text of a terminal, by its own name or by Lark's name for it."""
    if name in lark:
        return lark[name].pattern.value.replace("\\", "")
    return next((text for text, known in _TERMINAL_NAMES.items() if known == name), name)


def renamed_bodies(
    bodies: dict[str, Body], start: str, indenter: Indenter, dropped: frozenset[str]
) -> dict[str, Body]:
    """The rules with the layout's terminals, and without terminals that the layout ignores."""
    left = without_never(bodies, start, dropped)
    names: dict[str, Body] = {
        indenter.NL_type: "NEWLINE",
        indenter.INDENT_type: "INDENT",
        indenter.DEDENT_type: "DEDENT",
    }
    return {rule: replace_symbols(body, names) for rule, body in left.items()}
