"""Idioms, which are tried at a place, the likeliest first. Only the text is looked at; whether it fits,
others decide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fim_lsp.idioms.constructors import assignments
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.positions import first_line, last_line

FILE = Path(__file__).with_name("python.json")
# The sign of a place in a line of the file where an offer may begin.
MARK = "|"


# A function that is called without arguments, and the first line that is indented.
MAIN = re.compile(r"^def main\((?:[^()=]+=[^()=,]+,?)*\)", re.MULTILINE)
INDENTED = re.compile(r"^([ \t]+)\S", re.MULTILINE)


@cache
def lines() -> tuple[tuple[str, str], ...]:
    """The lines of idioms: the part that has to be there of each, and the whole of it."""
    listed = json.loads(FILE.read_text(encoding="utf-8"))["lines"]
    return tuple((line.partition(MARK)[0], line.replace(MARK, "")) for line in listed)


@cache
def constructors() -> frozenset[str]:
    return frozenset(json.loads(FILE.read_text(encoding="utf-8"))["constructors"])


def idioms(left: str, right: str, known_language: KnownLanguage) -> Iterator[str]:
    """Texts for the end of a line; none for the middle of one."""
    if known_language is not PYTHON or first_line(right).strip():
        return
    line = last_line(left)
    yield from rests(line, left)
    yield from assignments(left, constructors())


def rests(line: str, left: str) -> Iterator[str]:
    """The rests of a line that stands at the margin."""
    for begun, whole in lines():
        if not line.startswith(begun):
            continue
        # The line has its own quotes, or those of the file.
        forms = (whole, whole.replace('"', "'"))
        for form in forms if left.count('"') >= left.count("'") else reversed(forms):
            if form.startswith(line) and form != line:
                yield form[len(line) :]
                if form.endswith(":"):
                    # A header without a body behind it is no file.
                    yield f"{form[len(line) :]}\n{body(left)}"
                break


def body(left: str) -> str:
    """The body of a file's last block: it calls `main` where that can be called so; else it is to write."""
    indented = INDENTED.search(left)
    return ("    " if indented is None else indented[1]) + ("main()" if MAIN.search(left) else "pass")
