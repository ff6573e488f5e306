"""What stands in for a broken line where braces say what belongs together: the braces themselves.

    if x = = 1 {            {
        keep()                  keep()
    }                       }

Strings and comments are looked at as far as the line alone tells. A wrong guess costs an attempt: what
stands in is held against the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fim_lsp.known_languages import KnownLanguage
from fim_lsp.positions import Lines

STRING = re.compile(r'"(?:[^"\\]|\\.)*"?')
COMMENT_OR_STRING = re.compile(rf"""//.*|/\*.*?(?:\*/|$)|{STRING.pattern}|'(?:[^'\\]|\\.)*'?|`[^`]*`?""")


def brackets_alone(lines: Lines, broken: set[int], known: KnownLanguage) -> Iterator[tuple[int, str]]:
    """For each broken line what stands in for it where brackets say what belongs together: the ones that it
    closes and opens for other lines, or the header of a block of its kind."""
    for index in sorted(broken):
        line = lines[index]
        closers, openers = unmatched(without_text(line, known))
        new = ";".join(part for part in (closers, openers) if part)
        if openers.endswith("{"):
            new = next((text for pattern, text in known.headers if pattern.search(line)), new)
        yield index, new + line[len(line.rstrip("\r\n")) :]


def without_text(line: str, known: KnownLanguage) -> str:
    """A line without what is in strings and comments, as far as the line alone tells."""
    if known.line_comment:
        line = COMMENT_OR_STRING.sub(lambda found: "" if found[0].startswith("/") else '""', line)
    else:
        line = STRING.sub('""', line)
    return line


def unmatched(code: str) -> tuple[str, str]:
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
