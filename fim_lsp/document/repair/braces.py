"""Substitutes for a broken line in languages with braces: the braces themselves.

    if x = = 1 {            {
        keep()                  keep()
    }                       }

The line alone decides what is a string or a comment. A wrong guess costs only an attempt, because the engine
checks each replacement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fim_lsp.document.code_lines import CodeLine, CodeLines

STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')
COMMENT_OR_STRING = re.compile(rf"""//.*|/\*.*?(?:\*/|$)|{STRING.pattern}|'(?:[^'\\]|\\.)*'?|`[^`]*`?""")


def brackets_alone(lines: CodeLines, broken: set[int]) -> Iterator[tuple[int, str]]:
    """The replacement of each broken line where brackets say what belongs together: the ones that it closes
    and opens for other lines, or the header of a block of its kind."""
    for index in sorted(broken):
        line = lines[index]
        closers, openers = unmatched_braces(without_text(line))
        new = ";".join(part for part in (closers, openers) if part)
        if openers.endswith("{"):
            new = next(
                (text for pattern, text in lines.known_language.headers if pattern.search(line.text)), new
            )
        yield index, new + line.line_end


def without_text(line: CodeLine) -> str:
    """A line without what is in strings and comments, as far as the line alone tells."""
    if not line.known_language.line_comment:
        return STRING.sub('""', line.text)
    return COMMENT_OR_STRING.sub(lambda found: "" if found[0].startswith("/") else '""', line.text)


def unmatched_braces(code: str) -> tuple[str, str]:
    """The braces of a line whose partners are in other lines: closers, then openers."""
    closers, openers = "", ""
    for character in code:
        if character == "{":
            openers += character
        elif character == "}":
            if openers:
                openers = openers[:-1]
            else:
                closers += character
    return closers, openers
