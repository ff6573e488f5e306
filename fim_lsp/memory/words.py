"""Words and signs as tokens, for memory without a model's vocabulary.

A token is a word or a sign with a blank in front, or a line's end with all white space behind it. The number
of blanks and the indentation belong to the file's style and are not remembered.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

TOKEN = re.compile(r"[^\S\n]*\n\s*|[^\S\n]*(?:[\w$]+|[^\w\s$])|[^\S\n]+")
LINE_END = "\n"
# The most words with which an index's key (`index.py`) holds three tokens.
MOST_WORDS = (1 << 20) - 1


class Words:
    """The known words, numbered in order of appearance. The thread that reads the workspace adds words,
    too."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._ids: dict[str, int] = {}
        # The words by their first two characters, without the blank in front.
        self._alike: dict[str, list[int]] = {}
        self._lock = threading.Lock()
        self.line_end = self.id_of(LINE_END)

    def text(self, word: int) -> str:
        return self._texts[word]

    def encode(self, text: str) -> list[int]:
        """The tokens of whole lines."""
        return [] if text.isspace() else self.up_to(text)

    def up_to(self, text: str) -> list[int]:
        """The tokens of a text that may end behind a line's end."""
        return [self.id_of(token) for token in tokens(text)]

    def beginning_with(self, begun: str) -> Iterator[int]:
        """The words that begin with `begun`, including itself."""
        is_behind_blank, letters = begun[:1] == " ", begun.lstrip(" ")
        for word in list(self._alike.get(letters[:2], ())):
            text = self._texts[word]
            if text.startswith(begun) and (text[:1] == " ") == is_behind_blank:
                yield word

    def id_of(self, token: str) -> int:
        """The id of a word, which is added if it is new."""
        known = self._ids.get(token)
        if known is not None:
            return known
        with self._lock:
            known = self._ids.get(token)
            if known is None:
                known = len(self._texts)
                if known >= MOST_WORDS:
                    return self.line_end
                self._texts.append(token)
                letters = token.lstrip(" ")
                for length in {min(1, len(letters)), min(2, len(letters))}:
                    self._alike.setdefault(letters[:length], []).append(known)
                self._ids[token] = known
        return known


def tokens(text: str) -> Iterator[str]:
    """The tokens of a text, without final blanks."""
    place = 0
    for found in TOKEN.finditer(text):
        token = found[0]
        if "\n" in token:
            yield LINE_END
        elif sign := token.lstrip():
            is_behind_blank = len(sign) < len(token) and place > 0
            yield f" {sign}" if is_behind_blank else sign
        place = found.end()


def begun_at_end(text: str) -> tuple[str, str]:
    """A text without the word in which it ends, and that word's begun part with a blank in front."""
    line = text[text.rfind("\n") + 1 :]
    if not line.strip():
        return text, ""
    # The search goes from the end, since one from the beginning would be quadratic in a long word's length.
    start = len(line)
    while start and (line[start - 1].isalnum() or line[start - 1] in "_$"):
        start -= 1
    word = line[start:]
    begun = line[len(line[:start].rstrip()) :]
    is_behind_blank = len(word) < len(begun) < len(line)
    before = text[: len(text) - len(begun)]
    if not before or before.endswith("\n"):
        # The first word of a line has no blank, since the indentation belongs to the line's end.
        return text[: len(text) - len(word)], word
    return before, f" {word}" if is_behind_blank else word
