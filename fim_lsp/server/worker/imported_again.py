"""Names that an import of Python has already: a text ends in front of the first one that it says again.

from dataclasses import dataclass, |         not `dataclass, field`; of `field, fields, field` the first two
from dataclasses import |, field             not `field`

Python allows it, but it is never meant. In JavaScript and Go it is an error that the laws know.
"""

from __future__ import annotations

import re

LIST = re.compile(r"^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\(([\w\s,]*)|([\w \t,]*))\Z", re.MULTILINE)
REST = re.compile(r"[\w\s,]*")
REST_OF_LINE = re.compile(r"[\w \t,]*")
NAME = re.compile(r"[^\W\d]\w*")
# A list is hardly longer.
MOST_CHARACTERS = 2000


def without_names_again(text: str, left: str, right: str) -> str:
    """A text up to the first name that the import around it has already."""
    found = LIST.search(left[-MOST_CHARACTERS:]) if "import" in left[-MOST_CHARACTERS:] else None
    if found is None:
        return text
    has_brackets = found[1] is not None
    *before, begun = (found[1] if has_brackets else found[2]).split(",")
    part = REST if has_brackets else REST_OF_LINE
    behind = matching_part(part, right[:MOST_CHARACTERS]).split(",")[1:]
    said = {name_of(item) for item in (*before, *behind)} - {""}
    written = matching_part(part, text)
    start = 0
    for number, item in enumerate(written.split(",")):
        name = name_of(begun + item if not number else item)
        if name in said:
            return text[:start].rstrip(", \t\r\n")
        said.add(name)
        start += len(item) + 1
    return text


def matching_part(part: re.Pattern[str], text: str) -> str:
    found = part.match(text)
    return found[0] if found else ""


def name_of(item: str) -> str:
    """The imported name of `name` or of `name as other`."""
    found = NAME.match(item.strip())
    return found[0] if found else ""
