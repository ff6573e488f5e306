"""What a text says again of what stands left of the cursor: its line so far, or the lines in front of it.

class Parrot(Animal):
    |                  «class Parrot(Animal):»
                       «    def speak(self): ...»   the first line is said again
"""

from __future__ import annotations

from fim_lsp.fitting.ends import is_inside_word
from fim_lsp.positions import LINE_END

# How many lines in front of the cursor are looked at.
MAX_LINES = 8


def length_said_before(left: str, text: str) -> int:
    """How many characters a text begins with that stand in front of it already, from a line's start on."""
    longest = 0
    black = "".join(text.split())
    start = len(left)
    for _ in range(MAX_LINES):
        before = left[:start].rstrip()
        if not before:
            break
        start = max(before.rfind("\n"), before.rfind("\r")) + 1
        said = "".join(left[start:].split())
        if len(said) > len(black):
            break
        if black.startswith(said):
            length = length_of(text, len(said))
            if not is_inside_word(text, length):
                longest = length
    return longest


def length_of(text: str, n_black: int) -> int:
    """How long a beginning of a text is that has so many characters that are no white space."""
    for index, character in enumerate(text):
        n_black -= not character.isspace()
        if not n_black:
            return index + 1
    return len(text)


def without_beginning(left: str, text: str, length: int) -> str:
    """A text without so much of its beginning, and where the cursor's line is empty, without its line end."""
    rest = text[length:]
    line = left[max(left.rfind("\n"), left.rfind("\r")) + 1 :]
    if line.strip():
        return rest
    blank = LINE_END.search(rest)
    return rest[blank.end() :] if blank is not None and not rest[: blank.start()].strip() else rest
