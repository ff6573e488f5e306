"""A repeated beginning: a text that starts with what stands left of the cursor, from some line's start on.

class Parrot(Animal):
    |                  «class Parrot(Animal):»
                       «    def speak(self): ...»   the first line is a repetition

A word that the cursor cuts may be said whole, too: `ret|` and «return total», of which `urn total` is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fim_lsp.fitting.ends import is_inside_word, is_word
from fim_lsp.positions import LINE_END, last_line

# How many lines in front of the cursor are compared.
MAX_LINES = 400
WORD_BEGUN = re.compile(r"[\w$]+\Z")
MAX_WORD = 100


def length_said_before(left: str, text: str) -> int:
    """The length of a text's beginning that repeats the lines in front of the cursor, or the beginning of the
    word that the cursor cuts."""
    longest = length_of_word_begun(left, text)
    black = "".join(text.split())
    is_cut = is_word(left[-1:])
    for said in beginnings_said(left):
        if len(said) > len(black):
            break
        if black.startswith(said):
            length = length_of(text, len(said))
            if is_cut or not is_inside_word(text, length):
                longest = length
    return longest


def is_said_so_far(left: str, text: str) -> bool:
    """Whether all of a text repeats what stands in front of the cursor, from some line's start on."""
    black = "".join(text.split())
    return any(said.startswith(black) for said in beginnings_said(left))


def length_of_word_begun(left: str, text: str) -> int:
    """The length of the word in front of the cursor, if a longer one begins the text with it."""
    begun = WORD_BEGUN.search(left[-MAX_WORD:])
    is_longer = begun is not None and text.startswith(begun[0]) and is_word(text[len(begun[0]) :][:1])
    return len(begun[0]) if begun is not None and is_longer else 0


def beginnings_said(left: str) -> Iterator[str]:
    """What stands between the start of a line and the cursor, without white space, the last line first."""
    said, start = "", len(left)
    for _ in range(MAX_LINES):
        end = last_black(left, start)
        if not end:
            return
        start, stop = max(left.rfind("\n", 0, end), left.rfind("\r", 0, end)) + 1, start
        said = "".join(left[start:stop].split()) + said
        yield said


def last_black(text: str, stop: int) -> int:
    """The end of the last character in front of a place that is no white space; 0 if there is none."""
    while stop and text[stop - 1].isspace():
        stop -= 1
    return stop


def length_of(text: str, n_black: int) -> int:
    """The length of the beginning of a text that holds `n_black` characters other than white space."""
    for index, character in enumerate(text):
        n_black -= not character.isspace()
        if not n_black:
            return index + 1
    return len(text)


def without_beginning(left: str, text: str, length: int) -> str:
    """A text without its repeated beginning, and without white space behind it that the cursor's line already
    has; if that line is empty, also without the line end."""
    rest = text[length:]
    line = last_line(left)
    blank = None if line.strip() else LINE_END.search(rest)
    if blank is not None and not rest[: blank.start()].strip():
        rest = rest[blank.end() :]
    return rest.removeprefix(line[len(line.rstrip()) :])
