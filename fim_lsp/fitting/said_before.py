"""A repeated beginning: a text that starts with what stands left of the cursor, from some line's start on.

class Parrot(Animal):
    |                  «class Parrot(Animal):»
                       «    def speak(self): ...»   the first line is a repetition
"""

from __future__ import annotations

from fim_lsp.fitting.ends import is_inside_word
from fim_lsp.positions import LINE_END

# How many lines in front of the cursor are compared.
MAX_LINES = 400


def length_said_before(left: str, text: str) -> int:
    """The length of a text's beginning that repeats the lines in front of the cursor."""
    longest = 0
    black, said = "".join(text.split()), ""
    start = len(left)
    for _ in range(MAX_LINES):
        end = last_black(left, start)
        if not end:
            break
        start, stop = max(left.rfind("\n", 0, end), left.rfind("\r", 0, end)) + 1, start
        said = "".join(left[start:stop].split()) + said
        if len(said) > len(black):
            break
        if black.startswith(said):
            length = length_of(text, len(said))
            if not is_inside_word(text, length):
                longest = length
    return longest


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
    line = left[max(left.rfind("\n"), left.rfind("\r")) + 1 :]
    blank = None if line.strip() else LINE_END.search(rest)
    if blank is not None and not rest[: blank.start()].strip():
        rest = rest[blank.end() :]
    return rest.removeprefix(line[len(line.rstrip()) :])
