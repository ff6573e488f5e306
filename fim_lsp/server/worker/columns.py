"""The columns of Go: gofmt aligns the types of fields and the values of keys. An offer gets the blanks that
the lines beside it have.

    name             string
    retry|                       ` int` is offered as `            int`
"""

from __future__ import annotations

import re

from fim_lsp.known_languages import GO, KnownLanguage
from fim_lsp.positions import LINE_END

# A field with its type, and a key with its value: the text in front of the column, and the blanks up to it.
FIELD = re.compile(r"([\t ]*)((?:\w+, )*\w+)( +)(?=[\w*\[(<])")
KEYED = re.compile(r"([\t ]*)(\w[\w.]*:|\"(?:[^\"\\]|\\.)*\":)( +)(?=\S)")
OPENS_FIELDS = re.compile(r"\bstruct ?\{\s*(?://.*)?$")
# Words that begin a statement, and the `case` and `default` of a switch.
NO_NAME = re.compile(r"[\t ]*(?:case|default|return|go|defer|goto|var|const|type|func|package|import|else)\b")
N_CHARACTERS = 4000


def in_columns(offer: str, left: str, right: str, known_language: KnownLanguage) -> str:
    """An offer with the blanks in front of its column, if the lines beside it have one."""
    if known_language is not GO:
        return offer
    above = LINE_END.split(left[-N_CHARACTERS:])
    before, rest = above.pop(), LINE_END.split(right[:N_CHARACTERS])
    first, line_end, others = offer.partition("\n")
    made = before + first
    shape = KEYED if KEYED.match(made) else FIELD
    found = shape.match(made)
    if found is None or found.end() < len(before) or NO_NAME.match(made) or (rest[0].strip() and line_end):
        return offer
    if shape is FIELD and not opens_fields(above, found[1]):
        return offer
    column = column_beside(found[1], shape, above[-1:], [] if line_end else rest[1:2])
    n_missing = column - found.end()
    if n_missing <= 0:
        return offer
    place = found.end() - len(before)
    return first[:place] + " " * n_missing + first[place:] + line_end + others


def opens_fields(above: list[str], indentation: str) -> bool:
    """Whether the line stands in a block of fields."""
    for line in reversed(above):
        if line.strip() and len(line) - len(line.lstrip()) < len(indentation):
            return OPENS_FIELDS.search(line) is not None
    return False


def column_beside(indentation: str, shape: re.Pattern[str], above: list[str], below: list[str]) -> int:
    """The column of the lines above and below, as far as they have the same shape; else 0."""
    found = 0
    for line in above + below:
        match = shape.match(line)
        if match is not None and match[1] == indentation and not NO_NAME.match(line):
            found = max(found, match.end())
    return found
